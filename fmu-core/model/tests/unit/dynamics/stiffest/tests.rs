//! The stiffest contact and end stop against closed forms.

use super::*;
use crate::fixtures::*;

fn stiffest(description: SceneDescription) -> Option<Stiffest> {
    let scene = valid(description);
    let mut system = start_of(&scene);
    let mut states = scene.start_states();
    update(&mut system, 0.0, &mut states);
    system.stiffest(0.0, &states)
}

fn near(found: f64, expected: f64) {
    close!(found, expected, 1e-9);
}

/// A body with a stop at the start of a joint, 1 mm behind where it starts.
fn stopped(kind: JointKind, stiffness: f64) -> SceneDescription {
    let mass = given_mass(2.0, [0.0; 3], [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![plain_body("arm", Motion::Joint, mass)]);
    let mut stop = joint(kind, None, "arm");
    stop.forces[0].stops = Some(joint_stops(Some(1e-3), None, stiffness, 1.0));
    description.joints = vec![stop];
    description
}

#[test]
fn of_two_contacts_the_stiffer_one_is_named_with_the_slope_of_hertz() {
    // k = 3/2 K sqrt(depth), K = 4/3 c sqrt(R), 1/c = 2 (1 - nu^2)/E.
    let stiffness = 4.0 / 3.0 * 2e11 / (2.0 * 0.91) * 0.1_f64.sqrt();
    for (depths, deeper) in [([1e-6, 4e-6], 1), ([4e-6, 1e-6], 0)] {
        let names = ["left", "right"];
        let at = |i: usize| ball(names[i], [0.5 * i as f64, 0.0, 0.1 - depths[i]]);
        let found = stiffest(steel_scene(vec![plate(), at(0), at(1)])).expect("a contact");
        assert_eq!(found.name, format!("plate:{}", names[deeper]));
        let depth = 4e-6 - 2e-8;
        near(found.depth, depth);
        near(found.stiffness, 1.5 * stiffness * f64::sqrt(depth));
        let mass = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;
        near(found.mass, mass);
        let text = found.to_string();
        assert!(
            text.starts_with(&found.name) && text.contains(" N/m, "),
            "{text}"
        );
    }
}

#[test]
fn a_stop_is_named_with_the_units_of_its_coordinate() {
    #[rustfmt::skip]
    let cases = [
        (JointKind::Prismatic, 2.0, [" m, ", " N/m, ", " N.s/m, ", " kg"]),
        (JointKind::Revolute, 0.5, [" rad, ", " N.m/rad, ", " N.m.s/rad, ", " kg.m2"]),
    ];
    for (kind, mass, units) in cases {
        let found = stiffest(stopped(kind, 3e5)).expect("a stop");
        near(found.stiffness, 3e5);
        near(found.mass, mass);
        near(found.depth, 1e-3 - 2e-8);
        near(found.rate(), (3e5 / mass).sqrt());
        let text = found.to_string();
        assert!(
            text.starts_with("the lower stop of joint_arm: depth 1.000e-3"),
            "{text}"
        );
        assert!(units.iter().all(|unit| text.contains(unit)), "{text}");
    }
}

#[test]
fn where_nothing_touches_there_is_none() {
    let found = stiffest(steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]));
    assert_eq!(found, None);
}
