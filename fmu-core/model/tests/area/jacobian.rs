//! Exact derivatives of everything through a patch, against central differences.

use super::*;
use crate::derivatives::Case;

/// Depth of the patches [m].
const DEPTH: f64 = 1e-4;

/// A body that is pressed into the top of a box of 2 m x 3 m, in motion; it may turn too.
fn case(name: &'static str, form: Form, height: f64, turns: bool, friction: FrictionKind) -> Case {
    let [_, ground] = grounds();
    // The box reaches over the edge, x = 1.
    let x = if name == "box" { 0.98 } else { 0.5 };
    let mut one = body("one", Motion::Free, form, [x, 0.1, height - DEPTH]);
    one.orientation = quaternion(&exponential(&Vec3::from(TURN)));
    one.velocity = [0.3, -0.2, -0.05];
    if turns {
        one.angular_velocity = [0.5, -0.4, 1.0];
    }
    let mut numbers = vec![
        (Number::Restitution, 0.6),
        (Number::SlidingFriction, 0.4),
        (Number::StiffnessPerArea, 1e9),
    ];
    if friction == FrictionKind::Stick {
        numbers.push((Number::StaticFriction, 0.5));
    }
    let mut case = Case::new(name, scene(vec![ground, one], friction, &numbers), 1, true);
    if friction == FrictionKind::Stick {
        let layout = case.system.scene().layout().clone();
        for index in layout.all_deflections() {
            // That of turning has the slip of a body that turns, which see below.
            let turning = if turns { 4e-7 } else { 0.0 };
            let own = [2e-6, -1e-6, 5e-7, turning];
            case.states[layout.deflection(index)].copy_from_slice(&own);
        }
    }
    case
}

const FRICTIONS: [FrictionKind; 2] = [FrictionKind::Regularized, FrictionKind::Stick];
/// Nearly flat, but turned on the spot [rad].
const TURN: [f64; 3] = [2e-4, -3e-4, 0.4];

/// A cylinder that stands and one that lies, and their heights [m].
fn cylinders() -> [(&'static str, Form, f64); 2] {
    [("standing", Axis::Z, 0.03), ("lying", Axis::Y, 0.04)].map(|(name, axis, height)| {
        let form = cylinder(0.08, 0.06, axis);
        (name, form, height)
    })
}

#[test]
fn derivatives_through_the_patch_of_a_box_over_an_edge_equal_differences() {
    for friction in FRICTIONS {
        case("box", cuboid([0.1, 0.08, 0.06]), 0.03, true, friction).check();
    }
}

#[test]
fn derivatives_through_the_patch_of_a_cylinder_that_slides_equal_differences() {
    for friction in FRICTIONS {
        for (name, form, height) in cylinders() {
            case(name, form, height, false, friction).check();
        }
    }
}

#[test]
fn derivatives_of_a_cylinder_that_also_turns_are_as_exact_as_the_rule_of_its_friction() {
    for friction in FRICTIONS {
        for (name, form, height) in cylinders() {
            let mut turns = case(name, form, height, true, friction);
            // Nodes lie still in the body while the outline of the patch moves. That is exact for
            // the pressure, but friction by the slip of a body that turns is no polynomial over the
            // nodes: a line through two nodes has a linear density, a damped pressure a quadratic one,
            // and 7.7e-5 of the largest derivative is left.
            turns.tolerance = 1e-4;
            turns.check();
        }
    }
}
