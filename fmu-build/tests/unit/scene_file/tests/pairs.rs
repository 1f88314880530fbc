//! Shells of shapes and bodies, and `[[pair]]`.

use super::{BASE, check, load, problems};

#[test]
fn a_shell_of_a_body_is_that_of_its_shapes_unless_they_have_their_own() {
    let text = BASE
        .replace("mass = 2\n", "mass = 2\nshell = \"0.2 mm\"\n")
        .replace(
            "sphere = { diameter = \"20 cm\" }\nmaterial = \"Steel\"\n",
            "sphere = { diameter = 0.2 }\nmaterial = \"Steel\"\n[[body.shape]]\n\
             sphere = { diameter = 0.3 }\nmaterial = \"Steel\"\nshell = 0.5\n",
        );
    let loaded = load(&text);
    let shells = |body: usize| -> Vec<f64> {
        let shapes = &loaded.description.bodies[body].shapes;
        shapes.iter().map(|shape| shape.shell).collect()
    };
    assert_eq!(shells(0), [0.0]);
    assert_eq!(shells(1), [2e-4, 0.5]);
}

#[test]
fn a_named_pair_has_its_names_and_its_lengths_in_metres() {
    let text = format!(
        "{BASE}[[pair]]\nbetween = [\"ball\", \"floor.plate\"]\nthreshold = \"0.1 mm\"\n\
         warn_below = \"5 mm\"\ndistance = true\n"
    );
    let loaded = load(&text);
    let [pair] = &loaded.description.pairs[..] else {
        panic!("{:?}", loaded.description.pairs);
    };
    let names = pair.between.each_ref().map(ToString::to_string);
    assert_eq!(names, ["ball", "floor.plate"]);
    assert_eq!(pair.threshold, Some(1e-4));
    assert_eq!((pair.warn_below, pair.distance), (Some(5e-3), true));
    assert_eq!(loaded.scene.threshold_of([0.into(), 1.into()]), 1e-4);
}

#[test]
fn problems_of_shells_and_pairs_stand_at_their_values() {
    let ball = "sphere = { diameter = \"20 cm\" }\nmaterial = \"Steel\"\n";
    let with = |rest: &str| format!("{ball}{rest}");
    let cases = [
        (
            with("shell = -1\n"),
            "scene.toml:44:9 body \"ball\", shape \"sphere\": shell is -1 m; must be >= 0",
        ),
        (
            with("shell = \"1 kg\"\n"),
            "scene.toml:44:9 body \"ball\", shape number 1: shell is \"1 kg\"; \"kg\" is a mass unit, expected a length in one of m, km, cm, mm, um, nm, in, ft",
        ),
        (
            with("[[pair]]\nbetween = [\"ball\", \"flor\"]\n"),
            "scene.toml:45:20 pair number 1: between[2] is \"flor\"; there is no body \"flor\"; did you mean \"floor\"? known: floor, ball",
        ),
        (
            with("[[pair]]\nthreshold = 1\n"),
            "scene.toml:44:1 pair number 1: between is missing; name two bodies, or shapes of them, such as \
             between = [\"ball\", \"table.cushion\"]",
        ),
        (
            with("[[pair]]\nbetween = [\"ball\"]\n"),
            "scene.toml:45:11 pair number 1: between has 1 entry; expected 2 such as [\"ball\", \"table\"]",
        ),
        (
            with("[[pair]]\nbetween = [\"ball\", \"floor\"]\nthreshold = -1\n"),
            "scene.toml:46:13 pair ball, floor: threshold is -1 m; must be >= 0",
        ),
        (
            with("[[pair]]\nbetween = [\"ball\", \"floor\"]\ntreshold = 1\n"),
            "scene.toml:46:1 pair number 1: unknown key \"treshold\"; did you mean \"threshold\"?",
        ),
    ];
    for (replacement, expected) in &cases {
        check(&[(ball, replacement, expected)]);
    }
}

/// A body without a readable name may be the one meant: one problem, not two.
#[test]
fn a_name_that_could_not_be_read_is_no_unknown_body() {
    let bad = format!(
        "{}\n[[pair]]\nbetween = [\"ball\", \"floor\"]\n",
        BASE.replace("name = \"ball\"", "name = 3")
    );
    assert_eq!(
        problems(&bad),
        "scene.toml:35:8 body number 2: name is the number 3; expected a string in quotes"
    );
}
