//! Groups of balls: where they start, and what is said of a group that cannot be.

use super::super::parse;
use std::fs;
use tempfile::TempDir;

/// A floor and a group with these lines.
fn scene(lines: &str) -> String {
    format!(
        "format = 1\nname = \"case\"\n[world]\ngravity = [0, 0, -9.81]\n[experiment]\nstop_time = 1\n\
         [[body]]\nname = \"floor\"\nmotion = \"fixed\"\n[[body.shape]]\nhalf_space = {{}}\nmaterial = \"Steel\"\n\
         [[grains]]\nname = \"sand\"\nmaterial = \"Steel\"\n{lines}\n"
    )
}

#[test]
fn a_lattice_has_its_counts_and_its_order() {
    let lines = "diameter = \"10 mm\"\nlattice = { counts = [3, 2, 2], spacing = \"12 mm\", origin = [0, 0, 0.01] }";
    let loaded = parse(&scene(lines), "case.toml").unwrap();
    let group = &loaded.description.grains[0];
    assert_eq!(group.diameters, [0.01; 12]);
    let [first, second, fourth, last] = [0, 1, 3, 11].map(|i| group.positions[i]);
    assert_eq!(first, [0.0, 0.0, 0.01]);
    assert_eq!(second, [0.012, 0.0, 0.01]);
    assert_eq!(fourth, [0.0, 0.012, 0.01]);
    assert_eq!(last, [0.024, 0.012, 0.01 + 0.012]);
    // One body and 12 balls; 12 pairs with the floor and 66 among the balls.
    assert_eq!(loaded.scene.bodies().len(), 13);
    assert_eq!(loaded.scene.pairs().len(), 12 + 66);
    assert_eq!(
        loaded.scene.bodies().iter().last().unwrap().name,
        "sand[12]"
    );
}

/// Shaken along both axes at once a ball comes nearer to a round wall than along one.
#[test]
fn balls_of_a_fill_lie_in_their_cylinder_however_they_are_shaken() {
    for seed in 0..20 {
        let lines = format!(
            "diameter = \"6 mm\"\njitter = \"1 mm\"\nseed = {seed}\n\
             fill = {{ lower = [0, 0, 0], upper = [0.1, 0.1, 0.2], radius = 0.05 }}"
        );
        let loaded = parse(&scene(&lines), "case.toml").unwrap();
        let balls = &loaded.description.grains[0].positions;
        assert!(balls.len() > 100);
        for [x, y, _] in balls {
            let off = (x - 0.05).hypot(y - 0.05);
            assert!(off + 0.003 <= 0.05, "{seed}: {off}");
        }
    }
}

#[test]
fn balls_of_a_fill_lie_in_their_box_and_never_overlap() {
    let lines = "diameter = [\"8 mm\", \"10 mm\"]\njitter = \"0.5 mm\"\nseed = 3\n\
                 fill = { lower = [0, 0, 0], upper = [0.1, 0.1, 0.2], count = 200 }";
    let first = parse(&scene(lines), "case.toml").unwrap().description;
    let again = parse(&scene(lines), "case.toml").unwrap().description;
    assert_eq!(first, again);
    let other = parse(&scene(&lines.replace("seed = 3", "seed = 4")), "case.toml").unwrap();
    assert_ne!(first.grains, other.description.grains);
    let group = &first.grains[0];
    assert_eq!(group.positions.len(), 200);
    let mut balls = group.positions.iter().zip(&group.diameters);
    assert!(balls.all(|(p, d)| {
        let inside = |x: f64, most: f64| x >= 0.5 * d && x <= most - 0.5 * d;
        inside(p[0], 0.1) && inside(p[1], 0.1) && inside(p[2], 0.2)
    }));
    for (i, one) in group.positions.iter().enumerate() {
        for (j, two) in group.positions.iter().enumerate().skip(i + 1) {
            let square: f64 = one.iter().zip(two).map(|(a, b)| (a - b) * (a - b)).sum();
            let touch = 0.5 * (group.diameters[i] + group.diameters[j]);
            assert!(square >= touch * touch, "{i} {j}");
        }
    }
}

#[test]
fn balls_go_on_from_the_last_frame_of_a_file() {
    let folder = TempDir::new().unwrap();
    let head = "Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3 Time=";
    let text = format!(
        "1\n{head}0\nsand 9 9 9 1 0 0 0\n2\n{head}1\nsalt 0 0 1 0.1 0 0 0\nsand 1 2 3 0.25 0 0 0\n"
    );
    fs::write(folder.path().join("end.xyz"), text).unwrap();
    let file = folder.path().join("case.toml");
    let loaded = parse(&scene("file = \"end.xyz\""), file.to_str().unwrap()).unwrap();
    let group = &loaded.description.grains[0];
    assert_eq!(group.positions, [[1.0, 2.0, 3.0]]);
    assert_eq!(group.diameters, [0.5]);
}

#[test]
fn what_is_wrong_with_a_group_is_said_at_its_place() {
    let fill = "fill = { lower = [0, 0, 0], upper = [0.1, 0.1, 0.1] }";
    let cases = [
        (
            "diameter = 0.01".to_owned(),
            ":13:1",
            "lattice, fill or file is missing",
        ),
        (fill.to_owned(), ":13:1", "diameter is missing"),
        (
            format!("diameter = 0.01\nfile = \"x\"\n{fill}"),
            ":17:1",
            "both given",
        ),
        (
            format!("diameter = [2, 1]\n{fill}"),
            ":16:12",
            "must be > 0 and ascend",
        ),
        (
            format!(
                "diameter = 0.01\n{}",
                fill.replace(" }", ", count = 100000 }")
            ),
            ":17:8",
            "100000 are wanted",
        ),
        ("file = \"none.xyz\"".to_owned(), ":16:8", "cannot be read"),
        (
            format!("diameter = 0.01\n{fill}\nregion = [{{ name = \"a\", z_min = 1, z_max = 0 }}]"),
            ":18:",
            "",
        ),
    ];
    for (lines, place, text) in cases {
        let problems = parse(&scene(&lines), "case.toml").unwrap_err().to_string();
        assert!(
            problems.contains(place) && problems.contains(text),
            "{place} {text}: {problems}"
        );
    }
}
