//! Overlap at the start: refused, accepted, or removed.

use super::{load, problems};
use crate::scene_file::LoadedScene;

/// Balls of steel of 0.2 m diameter without gravity, with masses and positions.
fn balls(choice: &str, balls: &[(f64, [f64; 3])], more: &str) -> String {
    let mut text = format!(
        "format = 1\nname = \"case\"\n{choice}\n[world]\ngravity = \"none\"\n[experiment]\nstop_time = 1\n"
    );
    for (index, (mass, position)) in balls.iter().enumerate() {
        text += &format!(
            "[[body]]\nname = \"b{index}\"\nmotion = \"free\"\nmass = {mass}\nposition = {position:?}\n\
             [[body.shape]]\nsphere = {{ diameter = 0.2 }}\nmaterial = \"Steel\"\n"
        );
    }
    text + more
}

const GROUND: &str = "[[body]]\nname = \"ground\"\nmotion = \"fixed\"\n[[body.shape]]\nhalf_space = {}\nmaterial = \"Steel\"\n";
const SEPARATE: &str = "contact.initial_overlap = \"separate\"";
const ACCEPT: &str = "contact.initial_overlap = \"accept\"";

/// Positions at the start.
fn positions(loaded: &LoadedScene) -> Vec<[f64; 3]> {
    let bodies = loaded.scene.bodies().iter();
    bodies.map(|body| body.position.into()).collect()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// m v^2/2 = 2/5 K delta^2.5 with K = 4/3 c sqrt(R), c = E/(2 (1 - nu^2)), R = 0.05 m of two balls,
/// and m = 1/2 kg of two of 1 kg, at v_small: built-in steel has E = 2e11 Pa, nu = 0.3 and 0.01
/// m/s.
#[test]
fn overlap_is_refused_with_every_pair_and_its_depth() {
    let text = balls(
        "",
        &[
            (1.0, [0.0; 3]),
            (1.0, [0.15, 0.0, 0.0]),
            (1.0, [0.25, 0.0, 0.0]),
        ],
        "",
    );
    let stiffness = 4.0 / 3.0 * 2e11 / (2.0 * (1.0 - 0.09)) * 0.05_f64.sqrt();
    let slow = (1.25 * 0.5 * 0.01 * 0.01 / stiffness).powf(0.4) + 4e-8;
    let allowed = format!("{:.2} um", slow * 1e6);
    let end = format!(
        "at the start, where a contact under load would overlap by at most {allowed}\n  help: move them apart, or write initial_overlap = \
         \"accept\" or \"separate\" in [contact]"
    );
    assert_eq!(
        problems(&text).trim_end(),
        format!(
            "scene.toml:20:12: error: b0:b1 overlap by 50 mm {end}\nscene.toml:28:12: error: b1:b2 overlap by 100 mm {end}"
        )
    );
}

#[test]
fn accepted_overlap_stays_with_a_warning_where_it_is_deep() {
    let text = balls(ACCEPT, &[(1.0, [0.0, 0.0, 0.05])], GROUND);
    let loaded = load(&text);
    assert_eq!(positions(&loaded)[0], [0.0, 0.0, 0.05]);
    // m v^2/2 = 2/5 K depth^2.5, K = 4/3 c sqrt(R), 1/c = 2 (1 - nu^2)/E.
    assert_eq!(
        loaded.warnings.to_string(),
        "scene.toml:12:12: warning: b0:ground overlap by 50 mm at the start; contact throws them apart, with up to \
         4552 m/s\n  help: start them apart"
    );
    // 1 % of the radius of 0.1 m is 1 mm.
    let less = balls(ACCEPT, &[(1.0, [0.0, 0.0, 0.0992])], GROUND);
    assert_eq!(load(&less).warnings.to_string(), "");
}

#[test]
fn two_balls_part_by_their_masses_along_the_line_between_them() {
    let loaded = load(&balls(
        SEPARATE,
        &[(3.0, [0.0; 3]), (1.0, [0.09, 0.12, 0.0])],
        "",
    ));
    let [a, b] = positions(&loaded)[..] else {
        panic!("two balls");
    };
    // They overlap by 0.05 m along (0.6, 0.8, 0): a quarter of it for the heavy one, the rest for
    // the other.
    assert!(distance(a, [-0.0075, -0.01, 0.0]) < 2e-8, "{a:?}");
    assert!(
        distance(b, [0.09 + 0.0225, 0.12 + 0.03, 0.0]) < 2e-8,
        "{b:?}"
    );
    assert!(distance(a, b) >= 0.2);
    assert_eq!(loaded.description.bodies[0].position, a);
    let warnings = loaded.warnings.to_string();
    assert_eq!(
        warnings.lines().next(),
        Some(
            "scene.toml:12:12: warning: body \"b0\" overlaps others at the start and is moved by (-0.0075, -0.01, 0) m to \
             (-0.0075, -0.01, 0) m"
        )
    );
    assert_eq!(warnings.lines().count(), 2);
}

/// A ball of 1e9 kg moves by 5e-11 m, which is no news, and z is rounding beside x and y.
#[test]
fn moves_within_rounding_are_not_told() {
    let bodies = [(1e9, [0.0; 3]), (1.0, [0.09, 0.12, 1e-22])];
    let loaded = load(&balls(SEPARATE, &bodies, ""));
    let warnings = loaded.warnings.to_string();
    assert_eq!(
        warnings.trim_end(),
        "scene.toml:20:12: warning: body \"b1\" overlaps others at the start and is moved by (0.03, 0.04, 0) m to (0.12, \
         0.16, 0) m"
    );
}

#[test]
fn a_free_body_alone_leaves_what_cannot_move() {
    let loaded = load(&balls(SEPARATE, &[(1.0, [0.0, 0.0, 0.05])], GROUND));
    assert!(distance(positions(&loaded)[0], [0.0, 0.0, 0.1]) < 2e-8);
    assert_eq!(positions(&loaded)[1], [0.0; 3]);
}

#[test]
fn a_pile_comes_apart_and_always_in_the_same_way() {
    let pile: Vec<(f64, [f64; 3])> = (0..12)
        .map(|i| {
            let i = f64::from(i);
            (
                1.0 + i,
                [
                    0.05 * (2.0 * i).sin(),
                    0.05 * (3.0 * i).cos(),
                    0.08 + 0.07 * i,
                ],
            )
        })
        .collect();
    let text = balls(SEPARATE, &pile, GROUND);
    let first = load(&text);
    let found = positions(&first);
    for (i, a) in found[..12].iter().enumerate() {
        assert!(a[2] >= 0.1, "ball {i} at {a:?}");
        for b in &found[..i] {
            assert!(distance(*a, *b) >= 0.2);
        }
    }
    assert_eq!(positions(&load(&text)), found);
}

#[test]
fn what_is_only_loaded_is_not_moved() {
    // Deeper than nothing, less deep than in an impact at v_small.
    let loaded = load(&balls(SEPARATE, &[(1.0, [0.0, 0.0, 0.1 - 1e-7])], GROUND));
    assert_eq!(positions(&loaded)[0], [0.0, 0.0, 0.1 - 1e-7]);
    assert!(loaded.warnings.is_empty());
}

#[test]
fn bodies_without_room_are_refused_with_the_deepest_pair() {
    // Two half-spaces 0.15 m apart and a ball of 0.2 m between them.
    let ceiling = "[[body]]\nname = \"ceiling\"\nmotion = \"fixed\"\nposition = [0, 0, 0.15]\n\
                   rotation = { axis = [1, 0, 0], angle = \"180 deg\" }\n[[body.shape]]\nhalf_space = {}\nmaterial = \"Steel\"\n";
    let text = balls(
        SEPARATE,
        &[(1.0, [0.0, 0.0, 0.08])],
        &format!("{GROUND}{ceiling}"),
    );
    let found = problems(&text);
    assert!(
        found.starts_with(
            "scene.toml:12:12: error: the bodies cannot be moved apart: after 3000 attempts the pair b0:"
        ),
        "{found}"
    );
    assert!(
        found.contains("still overlaps by 50 mm\n  help: give them room"),
        "{found}"
    );
}

#[test]
fn no_example_and_no_scene_of_the_tests_starts_in_an_overlap() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path())
    };
    let examples = entries("examples").map(|folder| folder.join("scene.toml"));
    let scenes = entries("tests/scenes").filter(|file| file.extension() == Some("toml".as_ref()));
    let mut count = 0;
    for scene in examples.chain(scenes).filter(|scene| scene.exists()) {
        count += 1;
        // A library that is not built yet is another matter.
        if let Err(problems) = crate::scene_file::read(&scene) {
            assert!(!problems.to_string().contains(" overlap by "), "{problems}");
        }
    }
    assert!(count > 10);
}
