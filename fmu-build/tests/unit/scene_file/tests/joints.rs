//! `[[joint]]`, `[[motion]]`, `[[measurement]]`, driven bodies and inputs: what they mean.

use super::super::parse;
use super::fixtures::*;
use super::load;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, PI};

/// A bar without `motion`: body from line 9, and room for a joint from line 14 on.
const BAR: &str = "format = 1
name = \"tree\"
[world]
gravity = \"none\"
[experiment]
stop_time = 1

# Line 8.
[[body]]
name = \"bar\"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }

";

/// A joint from line 14 on, its keys in 15 to 18, for more from line 19 on.
const JOINT: &str = "[[joint]]
name = \"j\"
type = \"KIND\"
parent = \"world\"
child = \"bar\"
";

fn with_joint(kind: &str, keys: &str) -> String {
    format!("{BAR}{}{keys}", JOINT.replace("KIND", kind))
}

fn joint_of(kind: &str, keys: &str) -> JointDescription {
    let mut joints = load(&with_joint(kind, keys)).description.joints;
    assert_eq!(joints.len(), 1);
    joints.remove(0)
}

#[test]
fn every_key_of_a_joint_comes_to_its_number_in_si() {
    let joint = joint_of(
        "revolute",
        r#"axis = [0, 3, 0]
parent_frame = { position = [0, 0, "1 m"], rotation = { axis = [1, 0, 0], angle = "90 deg" } }
child_frame = { position = ["-50 cm", 0, 0], orientation = [0, 0, 1, 0] }
reaction = true

[joint.angle]
start = "60 deg"
speed = "90 deg/s"
damping = "100 N.mm.s/rad"
input = true
spring = { stiffness = "2 N.m/deg", rest = "30 deg" }
friction = { torque = "20 N.mm", speed = "10 mrad/s" }
stop = { lower = "-90 deg", upper = "90 deg", stiffness = "100 kN.m/rad", restitution = "50 %" }
"#,
    );
    let expected = JointDescription {
        name: "j".into(),
        kind: JointKind::Revolute,
        parent: None,
        child: "bar".into(),
        parent_frame: LocalFrame {
            position: [0.0, 0.0, 1.0],
            orientation: [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0],
        },
        child_frame: LocalFrame {
            position: [-0.5, 0.0, 0.0],
            orientation: [0.0, 0.0, 1.0, 0.0],
        },
        axis: [0.0, 3.0, 0.0],
        second_axis: [0.0, 0.0, 1.0],
        pitch: 0.0,
        positions: vec![FRAC_PI_3],
        rates: vec![FRAC_PI_2],
        forces: vec![CoordinateForces {
            spring: Some(joint_spring(360.0 / PI, FRAC_PI_6)),
            damping: 0.1,
            friction: Some(joint_friction(0.02, 0.01)),
            stops: Some(joint_stops(Some(-FRAC_PI_2), Some(FRAC_PI_2), 1e5, 0.5)),
            input: true,
        }],
        ball: BallForces::default(),
        can_collide: None,
        reaction: true,
        power: false,
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 4.0 * f64::EPSILON * b.abs(), "{a} {b}");
    // Numbers of degrees are rounded on their way; everything else is the very number.
    let q = joint.parent_frame.orientation;
    q.iter()
        .zip(expected.parent_frame.orientation)
        .for_each(|(a, b)| close(*a, b));
    close(joint.positions[0], expected.positions[0]);
    let [a, b] = [&joint, &expected].map(|j| j.forces[0].spring.unwrap());
    close(a.stiffness, b.stiffness);
    close(a.rest, b.rest);
    let mut exact = joint.clone();
    exact.parent_frame.orientation = expected.parent_frame.orientation;
    exact.positions.clone_from(&expected.positions);
    exact.forces[0].spring = expected.forces[0].spring;
    assert_eq!(exact, expected);
}

#[test]
fn a_screw_has_a_pitch_and_an_angle() {
    let joint = joint_of(
        "screw",
        "pitch = \"-5 mm\"\nangle = { start = \"0.5 rev\", speed = 2 }",
    );
    assert_eq!((joint.kind, joint.pitch), (JointKind::Screw, -0.005));
    assert_eq!((joint.positions, joint.rates), (vec![PI], vec![2.0]));
}

#[test]
fn displacements_have_the_units_of_lengths_and_forces() {
    let joint = joint_of(
        "prismatic",
        r#"displacement = { start = "10 cm", speed = "1 mm/s", damping = "0.1 N.s/mm", spring = { stiffness = "2 N/mm" }, friction = { force = "3 N", speed = "1 mm/s" }, stop = { upper = "20 cm", stiffness = "1 kN/mm", restitution = 0 } }"#,
    );
    assert_eq!((joint.positions, joint.rates), (vec![0.1], vec![0.001]));
    assert_eq!(
        joint.forces,
        [CoordinateForces {
            spring: Some(joint_spring(2000.0, 0.0)),
            damping: 100.0,
            friction: Some(joint_friction(3.0, 0.001)),
            stops: Some(joint_stops(None, Some(0.2), 1e6, 0.0)),
            input: false,
        }]
    );
}

#[test]
fn coordinates_stand_in_the_order_of_the_kind_whatever_the_file_says() {
    for (kind, keys, starts) in [
        (
            "cylindrical",
            "angle = { start = 2 }\ndisplacement = { start = 1, speed = 4 }",
            vec![1.0, 2.0],
        ),
        (
            "universal",
            "angle_2 = { start = 2 }\nangle_1 = { start = 1, speed = 4 }",
            vec![1.0, 2.0],
        ),
        (
            "planar",
            "angle = { start = 3 }\ndisplacement_2 = { start = 2 }\ndisplacement_1 = { start = 1, speed = 4 }",
            vec![1.0, 2.0, 3.0],
        ),
    ] {
        let joint = joint_of(kind, keys);
        assert_eq!(joint.positions, starts, "{kind}");
        let mut rates = vec![0.0; starts.len()];
        rates[0] = 4.0;
        assert_eq!(joint.rates, rates, "{kind}");
        assert_eq!(joint.forces.len(), starts.len(), "{kind}");
    }
}

#[test]
fn the_second_axis_is_the_next_one_in_cyclic_order_where_the_first_lies_along_one() {
    for (axis, second) in [
        ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, -2.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
    ] {
        let joint = joint_of("universal", &format!("axis = {axis:?}"));
        assert_eq!((joint.axis, joint.second_axis), (axis, second));
    }
    let joint = joint_of("planar", "");
    assert_eq!(joint.axis, [0.0, 0.0, 1.0]);
    assert_eq!(joint.second_axis, [1.0, 0.0, 0.0]);
}

#[test]
fn spherical_and_free_joints_start_with_vectors_and_a_quaternion() {
    let ball = joint_of(
        "spherical",
        "orientation = [0, 1, 0, 0]\nangular_velocity = [1, \"180 deg/s\", 3]\ndamping = \"2 N.m.s/rad\"\ninput = true",
    );
    assert_eq!(ball.positions, [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(ball.rates, [1.0, PI, 3.0]);
    assert_eq!(
        ball.ball,
        BallForces {
            damping: 2.0,
            input: true
        }
    );
    let free = joint_of(
        "free",
        "child_frame = { position = [9, 9, 9], orientation = [0, 0, 0, 1] }\nposition = [1, \"2 mm\", 3]\norientation = [0, 1, 0, 0]\nvelocity = [4, 5, 6]\nangular_velocity = [7, 8, 9]",
    );
    assert_eq!(free.positions, [1.0, 0.002, 3.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(free.rates, [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(free.child_frame.position, [9.0; 3]);
}

#[test]
fn the_motion_of_a_child_may_be_left_away() {
    let loaded = load(&with_joint("revolute", ""));
    assert_eq!(loaded.description.bodies[0].motion, Motion::Joint);
    let said = with_joint("revolute", "").replace("mass = 1", "motion = \"joint\"\nmass = 1");
    assert_eq!(load(&said).description, loaded.description);
}

/// A body with the keys of lines 9 on.
fn body(keys: &str) -> String {
    BAR.replace("mass = 1", &format!("{keys}\nmass = 1"))
}

#[test]
fn a_driven_body_says_what_its_inputs_and_outputs_are() {
    let of = |keys: &str| load(&body(keys)).description.bodies[0].drive;
    assert_eq!(of("motion = \"driven\""), Drive::default());
    assert_eq!(
        of("motion = \"driven\"\norientation_input = \"matrix\"\nwrench_axes = \"body\""),
        Drive {
            orientation: OrientationInput::Matrix,
            wrench_axes: ForceAxes::Body
        }
    );
}

/// The bar prescribed, its motion from line 15 on with body in line 16.
fn with_motion(keys: &str) -> String {
    body("motion = \"prescribed\"") + "[[motion]]\nbody = \"bar\"\n" + keys
}

#[test]
fn motions_come_to_their_numbers_in_si() {
    let of = |keys: &str| {
        let description = parse(&with_motion(keys), "scene.toml").unwrap().description;
        assert_eq!(description.bodies[0].motion, Motion::Prescribed);
        assert_eq!(description.motions.len(), 1);
        let MotionDescription { body, profile, .. } = description.motions[0].clone();
        assert_eq!(body, "bar");
        profile
    };
    assert_eq!(
        of("velocity = [\"36 km/h\", 0, 0]\nsurface = true"),
        MotionProfile::Constant {
            velocity: [10.0, 0.0, 0.0],
            angular_velocity: [0.0; 3],
            surface: true
        }
    );
    assert_eq!(
        of("angular_velocity = [0, 0, \"180 deg/s\"]"),
        uniform([0.0; 3], [0.0, 0.0, PI])
    );
    assert_eq!(
        of(
            "sine = { displacement = [0, 0, \"5 mm\"], rotation = { axis = [0, 2, 0], angle = \"180 deg\" }, frequency = 2, phase = \"90 deg\" }"
        ),
        sine([0.0, 0.0, 0.005], [0.0, PI, 0.0], 4.0 * PI, FRAC_PI_2)
    );
    assert_eq!(
        of(
            "table = { times = [0, \"10 ms\"], displacement = [[0, 0, 0], [\"1 mm\", 0, 0]], axis = [0, 0, 2], angle = [0, \"180 deg\"], interpolation = \"spline\" }"
        ),
        MotionProfile::Table(MotionTable {
            times: vec![0.0, 0.01],
            displacements: vec![[0.0; 3], [0.001, 0.0, 0.0]],
            axis: [0.0, 0.0, 2.0],
            angles: vec![0.0, PI],
            interpolation: Interpolation::Spline,
            ends: None,
        })
    );
    let ends = |keys: &str| {
        let table = "times = [0, 1], displacement = [[0, 0, 0], [1, 0, 0]], axis = [0, 0, 1], angle = [0, 1]";
        let profile = of(&format!(
            "table = {{ {table}, interpolation = \"spline\", end_speeds = {keys} }}"
        ));
        let MotionProfile::Table(MotionTable { ends, .. }) = profile else {
            panic!("a table");
        };
        ends.unwrap()
    };
    assert_eq!(ends("0"), EndSpeeds::default());
    assert_eq!(
        ends("{ velocity = [[0, 0, 0], [\"36 km/h\", 0, 0]], angular_speed = [0, \"180 deg/s\"] }"),
        EndSpeeds {
            velocities: [[0.0; 3], [10.0, 0.0, 0.0]],
            angular_speeds: [0.0, PI],
        }
    );
    assert_eq!(
        ends("{ angular_speed = [1, 2] }"),
        EndSpeeds {
            angular_speeds: [1.0, 2.0],
            ..EndSpeeds::default()
        }
    );
    for (word, interpolation) in [
        ("quintic", Interpolation::Quintic),
        ("trapezoid", Interpolation::Trapezoid),
    ] {
        let profile = of(&format!(
            "table = {{ times = [0, 1], axis = [1, 0, 0], angle = [0, 1], interpolation = {word:?} }}"
        ));
        assert!(
            matches!(profile, MotionProfile::Table(MotionTable { interpolation: found, .. }) if found == interpolation)
        );
    }
}

#[test]
fn measurements_name_bodies_or_frames_in_them_or_the_world() {
    let text = with_joint("revolute", "")
        + "[[measurement]]\nname = \"tip\"\nfrom = \"world\"\nto = { body = \"bar\", position = [0, 0, \"1 cm\"] }\n\
           [[measurement]]\nname = \"other\"\nfrom = \"bar\"\nto = { position = [1, 0, 0], orientation = [0, 1, 0, 0] }\n";
    let frame = |body: Option<&str>, position, orientation| FrameName {
        body: body.map(str::to_owned),
        frame: LocalFrame {
            position,
            orientation,
        },
    };
    let one = [1.0, 0.0, 0.0, 0.0];
    assert_eq!(
        load(&text).description.measurements,
        [
            MeasurementDescription {
                name: "tip".into(),
                from: frame(None, [0.0; 3], one),
                to: frame(Some("bar"), [0.0, 0.0, 0.01], one),
            },
            MeasurementDescription {
                name: "other".into(),
                from: frame(Some("bar"), [0.0; 3], one),
                to: frame(None, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]),
            }
        ]
    );
}

#[test]
fn a_force_may_be_an_input() {
    let of = |input: &str| {
        let force = format!("[[force]]\nname = \"push\"\nbody = \"bar\"\ninput = {input}\n");
        let description = load(&(body("motion = \"free\"") + &force)).description;
        description.forces[0].profile.clone()
    };
    let profile = |force, torque| input_of(force, torque);
    assert_eq!(of("true"), profile(true, false));
    assert_eq!(of("[\"force\"]"), profile(true, false));
    assert_eq!(of("[\"torque\"]"), profile(false, true));
    assert_eq!(of("[\"torque\", \"force\"]"), profile(true, true));
}

#[test]
fn can_collide_is_read_where_the_parent_is_a_body() {
    let arm = "[[body]]\nname = \"arm\"\nmass = 1\ninertia = { xx = 1, yy = 1, zz = 1 }\n";
    let joint = JOINT.replace("KIND", "revolute");
    let second = joint
        .replace("\"j\"", "\"k\"")
        .replace("\"bar\"", "\"arm\"")
        .replace("\"world\"", "\"bar\"");
    let loaded = load(&format!("{BAR}{arm}{joint}{second}can_collide = true\n"));
    let read: Vec<_> = loaded
        .description
        .joints
        .iter()
        .map(|j| j.can_collide)
        .collect();
    assert_eq!(read, [None, Some(true)]);
}
