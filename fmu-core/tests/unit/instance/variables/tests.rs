//! Tests of the variable table.

use super::describe::Describer;
use super::*;
use crate::fixtures::*;

/// A free steel ball, a second one of the same kind, and a steel plate below them.
pub(crate) fn two_balls() -> SceneDescription {
    let mut first = ball("ball", [0.0, 0.0, 1.1]);
    first.velocity = [0.5, 0.0, 0.0];
    first.angular_velocity = [0.0, 0.0, 1e-9];
    let mut ground = plate();
    ground.name = "ground".into();
    let other = ball("other", [0.5, 0.0, 1.1]);
    let mut description = steel_scene(vec![ground, first, other]);
    description.name = "two_balls".into();
    description.energy_balance = true;
    description
}

pub(crate) fn scene() -> Scene {
    Scene::new(two_balls()).unwrap()
}

pub(crate) fn scene_with(interface: InterfaceOptions) -> Scene {
    let mut description = two_balls();
    description.interface = interface;
    Scene::new(description).unwrap()
}

fn arrays() -> Scene {
    scene_with(InterfaceOptions {
        arrays: true,
        ..InterfaceOptions::default()
    })
}

#[test]
fn references_run_from_1_and_give_their_meaning_back() {
    let table = VariableTable::new(&scene(), Standard::Fmi3);
    // time; 27 states and derivatives; 3 gravity, 7 fixed pose, 2 x 10 mass, 2 material,
    // 5 pair, k_red, 3 of the integrator; 3 bodies x 6; count; 3 energies; 3 pairs
    let parameters = 3 + 7 + 20 + 2 + 5 + 1 + 3;
    assert_eq!(table.count(), 1 + 54 + parameters + 18 + 4 + 3);
    assert_eq!(table.quantity(0), None);
    assert_eq!(table.quantity(1), Some(Family::Time.of(0)));
    assert_eq!(table.quantity(table.count() as u32 + 1), None);
    assert_eq!(table.quantity(u32::MAX), None);
    let mut seen = 0;
    for (reference, quantity) in table.quantities() {
        seen += 1;
        assert_eq!(reference, seen);
        assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
    }
    assert_eq!(seen as usize, table.count());
}

#[test]
fn references_give_their_meaning_back_in_a_scene_with_inputs() {
    let mut description = two_balls();
    description.forces = vec![force("push", "ball", input_of(true, true))];
    let table = VariableTable::new(&Scene::new(description).unwrap(), Standard::Fmi3);
    let inputs = |(_, quantity): &(u32, Quantity)| quantity.family == Family::Input;
    assert_eq!(table.quantities().filter(inputs).count(), 6);
    for (place, (reference, quantity)) in (1..).zip(table.quantities()) {
        assert_eq!(reference, place);
        assert_eq!(table.reference(quantity), Some(place), "{quantity:?}");
    }
}

#[test]
fn states_of_a_free_joint_are_described_by_their_axes() {
    let mut ball = ball("ball", [0.0; 3]);
    ball.motion = Motion::Joint;
    let mut description = steel_scene(vec![plate(), ball]);
    description.joints = vec![joint(JointKind::Free, None, "ball")];
    let scene = Scene::new(description).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let variables = Describer::new(&scene, &table).variables(&[1.0; 13]);
    let of_state = |state: usize| {
        let found = variables
            .iter()
            .find(|v| v.quantity == Family::State.of(state));
        &found.expect("a variable").description
    };
    // 3 of the position, 4 of the orientation, 3 of the velocity, 3 of the angular velocity.
    let about = "Angular velocity of the child relative to the parent about";
    for (first, words) in [(0, "Position"), (7, "Velocity along"), (10, about)] {
        for (state, axis) in (first..).zip(["x", "y", "z"]) {
            let text = of_state(state);
            assert!(text.starts_with(&format!("{words} {axis}")), "{text}");
        }
    }
}

#[test]
fn arrays_hold_the_elements_of_the_scalars_in_the_same_order() {
    let scalars = VariableTable::new(&scene(), Standard::Fmi3);
    let table = VariableTable::new(&arrays(), Standard::Fmi3);
    // time; 2 balls x 4 vectors and the work, twice; gravity, 2 of the fixed pose, 2 x 3 of
    // mass, 2 material, 5 pair, k_red, 3 of the integrator; 3 bodies x 2; count; 3 energies; indicators
    let found = table.count();
    assert_eq!(found, 1 + 2 * 9 + (1 + 2 + 6 + 2 + 5 + 1 + 3) + 6 + 4 + 1);
    let mut next = 1;
    for (reference, quantity) in table.quantities() {
        let elements = table.elements(reference);
        assert_eq!(elements.start, next);
        assert!(!elements.is_empty());
        assert_eq!(table.quantity(reference), Some(quantity));
        next = elements.end;
        for element in elements {
            let meaning = table.meaning(element).unwrap();
            assert_eq!(scalars.quantity(element), Some(meaning));
            assert_eq!(table.element(meaning), Some(element));
            assert_eq!(table.reference(meaning), Some(reference));
            assert_eq!(table.variable_of(element), reference);
        }
    }
    assert_eq!(next as usize, scalars.count() + 1);
    for unknown in [0, table.count() as u32 + 1, u32::MAX] {
        assert!(table.elements(unknown).is_empty());
        assert_eq!(table.quantity(unknown), None);
        assert_eq!(table.dimension(unknown), None);
    }
}

#[test]
fn vectors_are_arrays_and_numbers_are_scalars() {
    let table = VariableTable::new(&arrays(), Standard::Fmi3);
    let dimension = |quantity| table.dimension(table.reference(quantity).unwrap());
    for (quantity, expected) in [
        (Family::Time.of(0), None),
        (Family::State.of(0), Some(3)),
        (Family::State.of(3), Some(4)),
        (Family::Derivative.of(12), Some(3)),
        (Family::State.of(26), None),
        (Family::Parameter.of(0), Some(3)),
        (Family::Wrench.at(1, 5), Some(3)),
        (Family::Sum.at(0, 0), None),
        (Family::Sum.at(0, 3), None),
        (Family::Indicator.of(2), Some(3)),
    ] {
        assert_eq!(dimension(quantity), expected, "{quantity:?}");
    }
}

#[test]
fn fmi2_has_scalars_only_and_no_time() {
    let fmi2 = VariableTable::new(&arrays(), Standard::Fmi2);
    assert_eq!(fmi2, VariableTable::new(&scene(), Standard::Fmi2));
    let fmi3 = VariableTable::new(&scene(), Standard::Fmi3);
    assert_eq!(fmi2.reference(Family::Time.of(0)), None);
    assert_eq!(fmi2.count() + 1, fmi3.count());
    for (reference, quantity) in fmi2.quantities() {
        assert_eq!(fmi3.quantity(reference + 1), Some(quantity));
    }
}

#[test]
fn meanings_that_the_scene_does_not_have_have_no_reference() {
    let table = VariableTable::new(&scene(), Standard::Fmi3);
    for quantity in [
        Family::State.of(27),
        Family::Derivative.of(27),
        Family::Parameter.of(41),
        Family::Wrench.at(3, 0),
        Family::Wrench.at(0, 6),
        Family::Indicator.of(3),
    ] {
        assert_eq!(table.reference(quantity), None, "{quantity:?}");
    }
}

#[test]
fn a_single_indicator_is_an_array_of_one() {
    let mut description = two_balls();
    description.interface.arrays = true;
    description.contact.nz_max = Some(1);
    let table = VariableTable::new(&Scene::new(description).unwrap(), Standard::Fmi3);
    let reference = table.reference(Family::Indicator.of(0)).unwrap();
    assert_eq!(table.dimension(reference), Some(1));
}

#[test]
fn a_fixed_body_without_a_shape_that_can_touch_has_no_contact_outputs() {
    let mut description = two_balls();
    description.bodies[0].shapes[0].collision = false;
    description.bodies[1].shapes[0].collision = false;
    let table = VariableTable::new(&Scene::new(description).unwrap(), Standard::Fmi3);
    assert_eq!(table.reference(Family::Wrench.at(0, 0)), None);
    assert!(table.reference(Family::Wrench.at(1, 0)).is_some());
}
