//! Shells of shapes and bodies, `[[pair]]`, and intersections of pairs.

use super::{BASE, load};
use contact_geometry::narrow_phase::overlap::Sparsification;

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
        "{BASE}[[pair]]\nbetween = \"ball:floor.plate\"\nthreshold = \"0.1 mm\"\n\
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
fn rules_of_sparsification_are_in_metres_and_have_defaults() {
    let rules = |keys: &str| {
        let keys = format!("overlap = \"all\"\n{keys}\n");
        load(&BASE.replace("k_red = 1\n", &keys))
            .description
            .contact
    };
    let contact = rules("");
    assert_eq!(contact.sparsification, None);
    assert_eq!(contact.epsilon(), 1e-6);
    let contact = rules(
        "overlap_epsilon = \"20 um\"\n\
         sparsification = { threshold = 0.1, smallest_area = \"3 mm2\", smallest_distance = \"4 mm\" }",
    );
    let given = Sparsification {
        threshold: 0.1,
        smallest_area: 3e-6,
        smallest_distance: 4e-3,
    };
    assert_eq!(contact.sparsification, Some(given));
    assert_eq!(contact.epsilon(), 2e-5);
    let defaults = Sparsification {
        threshold: 0.01,
        smallest_area: 3e-6,
        smallest_distance: 2e-6,
    };
    let contact = rules("sparsification.smallest_area = 3e-6");
    assert_eq!(contact.sparsification, Some(defaults));
}
