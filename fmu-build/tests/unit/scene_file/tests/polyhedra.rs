//! Hulls of points and mesh files in scene files.

use super::super::{LoadedScene, read};
use contact_model::scene::checked::encode;
use contact_model::scene::description::{Form, Solid};
use std::fs;
use std::path::Path;

const HEAD: &str = "format = 1\nname = \"case\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
    [[body]]\nname = \"b\"\nmotion = \"free\"\n[[body.shape]]\nmaterial = \"Steel\"\n";

/// An L of two bars of 2 x 1 and 1 x 2, 0.5 thick, in an OBJ file.
const L: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n\
    v 0 0 0.5\nv 2 0 0.5\nv 2 1 0.5\nv 1 1 0.5\nv 1 3 0.5\nv 0 3 0.5\n\
    f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

/// A scene file with the rest of its one shape, beside the file `l.obj` and what else is given.
fn loaded(rest: &str, files: &[(&str, &str)]) -> Result<LoadedScene, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.iter().chain(&[("l.obj", L)]) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("scene.toml");
    fs::write(&path, format!("{HEAD}{rest}\n")).unwrap();
    read(&path).map_err(|problems| without(&problems.to_string(), folder.path()))
}

/// A message without the folder of the test.
fn without(message: &str, folder: &Path) -> String {
    message.replace(&format!("{}/", folder.display()), "")
}

fn good(rest: &str) -> LoadedScene {
    loaded(rest, &[]).unwrap_or_else(|problems| panic!("{problems}"))
}

fn form(scene: &LoadedScene) -> &Form {
    &scene.description.bodies[0].shapes[0].form
}

fn near(one: &[f64], two: &[f64], error: f64) {
    for (one, two) in one.iter().zip(two) {
        assert!((one - two).abs() <= error, "{one} {two}");
    }
}

/// Volume 2, centre (0.75, 1.25, 0.25), box 2 x 3 x 0.5: two rectangles by hand.
fn check_l(solid: &Solid, unit: f64) {
    near(&[solid.volume], &[2.0 * unit.powi(3)], 1e-15 * unit.powi(3));
    near(
        &solid.centroid,
        &[0.75, 1.25, 0.25].map(|c| c * unit),
        1e-15 * unit,
    );
    near(&solid.upper, &[2.0, 3.0, 0.5].map(|c| c * unit), 0.0);
}

#[test]
fn a_hull_of_points_is_rounded_by_the_smoothing_radius() {
    let points = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, \"50 cm\"], [1, 0, 0.5], [0, 1, 0.5], \
        [1, 1, 0.5], [0.5, 0.5, 0.2]]";
    for (rest, radius) in [
        ("", 1e-3),
        ("smoothing_radius = 0", 0.0),
        ("smoothing_radius = 1", 0.05),
    ] {
        let scene = good(&format!("hull.points = {points}\n{rest}"));
        let Form::Hull { solid, part } = form(&scene) else {
            panic!("no hull");
        };
        near(&[solid.volume], &[0.5], 1e-15);
        assert_eq!(part.radius, radius);
        assert_eq!(part.vertices.len(), 8);
        for vertex in &part.vertices {
            let high = [1.0, 1.0, 0.5].map(|length| length - radius);
            for (at, high) in vertex.iter().zip(high) {
                assert!((at - radius).abs() < 1e-15 || (at - high).abs() < 1e-15);
            }
        }
        assert_eq!(
            scene.remarks[0].1,
            "8 of 9 points are corners, the others lie within"
        );
    }
}

#[test]
fn a_mesh_is_in_the_unit_of_its_file_and_scaled() {
    for (size, unit) in [
        ("unit = \"m\"", 1.0),
        ("unit = \"mm\"", 1e-3),
        ("unit = \"mm\", scale = 500", 0.5),
    ] {
        let scene = good(&format!(
            "mesh = {{ file = \"l.obj\", {size}, contact = \"hull\" }}"
        ));
        let Form::Mesh { solid, parts } = form(&scene) else {
            panic!("no hull of a mesh");
        };
        check_l(solid, unit);
        let [part] = parts.as_slice() else {
            panic!("no single hull");
        };
        // The smallest width is the thickness, 0.5 units.
        near(&[part.radius], &[1e-3_f64.min(0.05 * unit)], 1e-15 * unit);
        assert_eq!(part.vertices.len(), 10);
    }
}

fn lines(scene: &LoadedScene) -> Vec<&str> {
    let lines = scene.remarks.iter().map(|remark| remark.1.as_str());
    lines.collect()
}

#[test]
fn a_concave_mesh_touches_as_it_is_unless_its_hull_is_asked_for() {
    for (contact, start) in [
        ("", "concave, so that the mesh itself touches: "),
        (", contact = \"mesh\"", "the mesh itself touches: "),
    ] {
        let scene = good(&format!(
            "mesh = {{ file = \"l.obj\", unit = \"mm\"{contact} }}"
        ));
        let Form::Surface { solid, surface } = form(&scene) else {
            panic!("no surface");
        };
        check_l(solid, 1e-3);
        // Six rectangles of two triangles, two L of four.
        assert_eq!((surface.vertices.len(), surface.triangles.len()), (12, 20));
        // Each L is cut once at its inner corner; the bars are 0.5 mm thick.
        let expected = format!("{start}10 cells, pressures exact to a depth of 2.5e-4 m, ");
        let line = *lines(&scene).last().unwrap();
        assert!(line.starts_with(&expected), "{line}");
        assert!(scene.warnings.is_empty(), "{}", scene.warnings);
    }
}

/// The hull of the L fills a triangle of area 1: 0.5 m3, 25 % of 2 m3. Its slope is farthest from the faces
/// y = 1 and x = 1 in (5/3, 5/3), 2/3 m.
#[test]
fn the_hull_of_a_concave_mesh_is_told_with_how_far_it_stands_out() {
    let scene = good("mesh = { file = \"l.obj\", unit = \"m\", contact = \"hull\" }");
    assert!(scene.warnings.is_empty(), "{}", scene.warnings);
    let [size, closed, concave, touches] = lines(&scene)[..] else {
        panic!("{:?}", scene.remarks);
    };
    assert_eq!(
        [size, closed, touches],
        [
            "20 triangles, 12 vertices",
            "closed, facing outwards",
            "its convex hull touches, 10 vertices"
        ]
    );
    let start = "concave: the hull stands out by up to ";
    let (distance, rest) = concave
        .strip_prefix(start)
        .unwrap()
        .split_once(' ')
        .unwrap();
    let distance: f64 = distance.parse().unwrap();
    assert!((0.66..=0.66667).contains(&distance), "{concave}");
    assert_eq!(rest, "m, with 0.5 m3 more (25 %)");
}

/// A cube of 2 m, the middle of its upper face lower by `dent` [m].
fn cube(dent: f64) -> String {
    let middle = 2.0 - dent;
    format!(
        "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nv 1 1 {middle}\n\
         f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n"
    )
}

#[test]
fn a_mesh_is_concave_from_1e_9_of_its_extent_on() {
    for (share, is_concave) in [
        (0.0, false),
        (1e-10, false),
        (1e-8, true),
        (1e-3, true),
        // A roof.
        (-0.1, false),
    ] {
        let text = cube(2.0 * share);
        let files = [("cube.obj", text.as_str())];
        let read = |contact: &str| {
            let mesh = format!("mesh = {{ file = \"cube.obj\", unit = \"m\"{contact} }}");
            loaded(&mesh, &files).unwrap_or_else(|problems| panic!("{share}: {problems}"))
        };
        let (free, hull) = (read(""), read(", contact = \"hull\""));
        let is_surface = matches!(form(&free), Form::Surface { .. });
        assert_eq!(is_surface, is_concave, "{share}");
        let of = |scene: &LoadedScene| encode(&scene.description).unwrap();
        assert_eq!(of(&free) == of(&hull), !is_concave, "{share}");
        if !is_concave {
            let count = if share < 0.0 { 9 } else { 8 };
            let last = format!("convex, so that its hull touches: {count} vertices");
            assert_eq!(lines(&free)[2..], ["convex", &last]);
        }
    }
}

/// A cube of 2 mm as one of 2 m reaches 0.9 m into the ground: the sizes show it.
#[test]
fn a_deep_overlap_with_a_mesh_is_refused_with_both_sizes() {
    let read = |unit: &str, height: f64| {
        let text = cube(0.0);
        let ground = "[[body]]\nname = \"ground\"\nmotion = \"fixed\"\n[[body.shape]]\nmaterial = \"Steel\"\n\
                      half_space = {}\n[[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\nrestitution = 0.5\n\
                      sliding_friction = 0.3\n";
        let mesh = format!(
            "mesh = {{ file = \"cube.obj\", unit = {unit:?} }}\nposition = [0, 0, {height}]\n{ground}"
        );
        loaded(&mesh, &[("cube.obj", &text)]).err()
    };
    let deep = read("m", -0.9).unwrap();
    let end = "; b is 2 m x 2 m x 2 m large, ground is a half-space\n";
    assert!(deep.contains(end), "{deep}");
    let shallow = read("m", -0.001).unwrap();
    assert!(!shallow.contains("large"), "{shallow}");
    assert_eq!(read("mm", 0.001), None);
}

#[test]
fn an_open_mesh_needs_its_hull_to_stand_for_it() {
    let open = L.replace("f 6 1 7 12\n", "");
    let files = [("open.obj", open.as_str())];
    let scene = loaded(
        "mesh = { file = \"open.obj\", unit = \"m\", solid = \"hull\" }",
        &files,
    )
    .unwrap();
    let Form::Mesh { solid, .. } = form(&scene) else {
        panic!("no mesh");
    };
    near(&[solid.volume], &[2.5], 1e-15);
    assert!(
        scene
            .remarks
            .iter()
            .any(|remark| remark.1 == "mass is that of the convex hull")
    );
}

#[test]
fn a_mesh_file_that_is_not_there_is_named() {
    let missing = loaded("mesh = { file = \"no/where.stl\", unit = \"m\" }", &[]).unwrap_err();
    assert!(
        missing.contains("mesh.file \"no/where.stl\" cannot be read: "),
        "{missing}"
    );
}

#[test]
fn a_mesh_can_be_a_part_of_a_compound() {
    let scene = good(
        "part = [{ mesh = { file = \"l.obj\", unit = \"m\", contact = \"hull\" } }, \
         { hull.points = [[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 0, 2]], position = [0, 0, 1] }]\nsmoothing_radius = 0.01",
    );
    let Form::Compound { parts } = form(&scene) else {
        panic!("no compound");
    };
    let Form::Mesh { parts: convex, .. } = &parts[0].form else {
        panic!("no mesh");
    };
    assert!(convex.iter().all(|part| part.radius == 0.01));
    let Form::Hull { part, .. } = &parts[1].form else {
        panic!("no hull");
    };
    assert_eq!(part.radius, 0.01);
    assert_eq!(scene.scene.shapes().len(), 2);
}

#[test]
fn a_scene_with_meshes_has_the_same_bytes_wherever_it_lies() {
    let rest = "mesh = { file = \"l.obj\", unit = \"mm\", contact = \"hull\" }\n\
        [[body.shape]]\nmaterial = \"Steel\"\nmesh = { file = \"l.obj\", unit = \"mm\" }";
    let bytes = || encode(&good(rest).description).unwrap();
    let one = bytes();
    assert_eq!(one, bytes());
    let text = String::from_utf8_lossy(&one);
    assert!(!text.contains("l.obj") && !text.contains("tmp"), "{text}");
}
