//! `[[joint]]`, `[[motion]]`, `[[measurement]]`, driven bodies and inputs: what good ones mean, and
//! the problems of others.

use super::super::parse;
use super::{load, problems};
use fmu_core::scene::description::{
    BallForces, CoordinateForces, Drive, EndSpeeds, ForceAxes, ForceProfile, FrameName,
    Interpolation, JointDescription, JointFriction, JointKind, JointSpring, JointStops, LocalFrame,
    MeasurementDescription, Motion, MotionDescription, MotionProfile, OrientationInput,
};
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

/// The problems of the bar with a joint, without the line break at the end.
fn problems_with(kind: &str, keys: &str) -> String {
    problems(&with_joint(kind, keys)).trim_end().to_owned()
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
            spring: Some(JointSpring {
                stiffness: 360.0 / PI,
                rest: FRAC_PI_6,
            }),
            damping: 0.1,
            friction: Some(JointFriction {
                limit: 0.02,
                speed: 0.01,
            }),
            stops: Some(JointStops {
                lower: Some(-FRAC_PI_2),
                upper: Some(FRAC_PI_2),
                stiffness: 1e5,
                restitution: 0.5,
            }),
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
            spring: Some(JointSpring {
                stiffness: 2000.0,
                rest: 0.0
            }),
            damping: 100.0,
            friction: Some(JointFriction {
                limit: 3.0,
                speed: 0.001
            }),
            stops: Some(JointStops {
                lower: None,
                upper: Some(0.2),
                stiffness: 1e6,
                restitution: 0.0
            }),
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
    assert_eq!(
        problems_with("planar", "axis = [1, 1, 0]"),
        "scene.toml:14:1 joint \"j\": second_axis is missing; write it, at right angles to axis, such as second_axis = \
         [1.0, -1.0, 0.0]: it has a default only where axis lies along x, y or z"
    );
    assert_eq!(
        problems_with("universal", "axis = [1, 1, 0]\nsecond_axis = [1, 0, 0]"),
        "scene.toml:20:15 joint \"j\": second_axis is [1.0, 0.0, 0.0]; it must be at right angles to axis = \
         [1.0, 1.0, 0.0]"
    );
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
fn a_key_that_the_kind_does_not_have_lists_those_it_has() {
    for (kind, keys, expected) in [
        (
            "revolute",
            "displacement = { start = 1 }",
            "19:1 joint \"j\": displacement has no meaning for a revolute joint; its coordinate is angle, as in angle = \
             { start = 0.5, damping = 0.1 }",
        ),
        (
            "cylindrical",
            "angle_1 = {}",
            "19:1 joint \"j\": angle_1 has no meaning for a cylindrical joint; its coordinates are displacement, angle, \
             as in displacement = { start = 0.5, damping = 0.1 }",
        ),
        (
            "fixed",
            "angle = {}",
            "19:1 joint \"j\": angle has no meaning for a fixed joint; it has no coordinates; remove it",
        ),
        (
            "spherical",
            "angle = {}",
            "19:1 joint \"j\": angle has no meaning for a spherical joint; its keys are orientation or rotation, \
             angular_velocity, damping, input",
        ),
        (
            "free",
            "damping = 1",
            "19:1 joint \"j\": damping has no meaning for a free joint; its keys are position, orientation or rotation, \
             velocity, angular_velocity",
        ),
        (
            "revolute",
            "input = true",
            "19:1 joint \"j\": input has no meaning for a revolute joint; its coordinate is angle, as in angle = \
             { start = 0.5, damping = 0.1 }",
        ),
        (
            "spherical",
            "axis = [0, 0, 1]",
            "19:1 joint \"j\": axis has no meaning for a spherical joint; remove it",
        ),
        (
            "revolute",
            "second_axis = [0, 0, 1]",
            "19:1 joint \"j\": second_axis has no meaning for a revolute joint; universal and planar joints have one; \
             remove it",
        ),
        (
            "cylindrical",
            "pitch = 1",
            "19:1 joint \"j\": pitch has no meaning for a cylindrical joint; screw joints have one; remove it",
        ),
        (
            "screw",
            "pitch = 0",
            "19:9 joint \"j\": pitch is 0 m; must be other than 0",
        ),
        (
            "screw",
            "displacement = {}",
            "14:1 joint \"j\": pitch is missing; write pitch = \"5 mm\", the displacement of a turn\n\
             scene.toml:19:1 joint \"j\": displacement has no meaning for a screw joint; its coordinate is angle, as in \
             angle = { start = 0.5, damping = 0.1 }",
        ),
        (
            "revolute",
            "angel = {}",
            "19:1 joint \"j\": unknown key \"angel\"; did you mean \"angle\"?",
        ),
        (
            "revolute",
            "motor = 1",
            "19:1 joint \"j\": unknown key \"motor\"; known keys: name, type, parent, child, parent_frame, child_frame, \
             axis, can_collide, reaction, power, angle",
        ),
        (
            "revolute",
            "can_collide = true",
            "19:1 joint \"j\": can_collide has no meaning where parent = \"world\", which has no shapes; remove it, or \
             name bodies in exclude of [contact]",
        ),
        (
            "revolute",
            "angle = { friction = { force = 1, speed = 1 } }",
            "19:22 joint \"j\": angle.friction.torque is missing; write torque = \"1 N.m\" (Coulomb friction while sliding)\n\
             scene.toml:19:24 joint \"j\": unknown key \"force\" in angle.friction; known keys: torque, speed",
        ),
    ] {
        assert_eq!(
            problems_with(kind, keys),
            format!("scene.toml:{expected}"),
            "{kind}"
        );
    }
}

#[test]
fn problems_of_joints_stand_at_their_values() {
    for (kind, keys, expected) in [
        (
            "revolut",
            "angle = { start = \"1 m\" }",
            "16:8 joint \"j\": type is \"revolut\"; did you mean \"revolute\"?\n\
             scene.toml:19:19 joint \"j\": angle.start is \"1 m\"; \"m\" is a length unit, expected an angle in one of \
             rad, mrad, deg, rev",
        ),
        (
            "revolute",
            "angle = { damping = -1 }",
            "19:9 joint \"j\": angle.damping is -1; must be >= 0",
        ),
        (
            "revolute",
            "angle = { damping = \"1 N.s/m\", spring = { stiffness = \"1 N/m\" } }",
            "19:21 joint \"j\": angle.damping is \"1 N.s/m\"; \"N.s/m\" is a linear damping unit, expected a rotational \
             damping in one of N.m.s/rad, N.m.s, N.mm.s/rad, kN.m.s/rad, N.m.s/deg, N.mm.s/deg\n\
             scene.toml:19:55 joint \"j\": angle.spring.stiffness is \"1 N/m\"; \"N/m\" is a stiffness unit, expected a \
             rotational stiffness in one of N.m/rad, N.mm/rad, kN.m/rad, N.m/deg, N.mm/deg, kN.m/deg",
        ),
        (
            "revolute",
            "angle = { stop = { lower = 1, upper = -1, stiffness = 1e5, restitution = 2 } }",
            "19:9 joint \"j\": angle.stop.restitution is 2; must be in 0..1\n\
             scene.toml:19:9 joint \"j\": angle: lower is 1 and upper -1; the upper stop must be above the lower one",
        ),
        (
            "revolute",
            "angle = { stop = { lower = \"1 m\", upper = -1 } }",
            "19:18 joint \"j\": angle.stop.restitution is missing; write restitution = 0.5 (Coefficient of \
             restitution of the stops)\n\
             scene.toml:19:18 joint \"j\": angle.stop.stiffness is missing; write stiffness = \"1e5 N.m/rad\" (Stiffness of \
             the stops)\n\
             scene.toml:19:28 joint \"j\": angle.stop.lower is \"1 m\"; \"m\" is a length unit, expected an angle in one \
             of rad, mrad, deg, rev",
        ),
        (
            "revolute",
            "axis = [0, 0, 0]",
            "19:8 joint \"j\": axis is the zero vector, which has no direction",
        ),
        (
            "revolute",
            "parent_frame = { orientation = [1, 1, 0, 0] }",
            "19:16 joint \"j\": parent_frame is the quaternion (w, x, y, z) = [1.0, 1.0, 0.0, 0.0] of norm \
             1.4142135623730951; must have norm 1",
        ),
        (
            "spherical",
            "orientation = [2, 0, 0, 0]",
            "19:15 joint \"j\": orientation is the quaternion (w, x, y, z) = [2.0, 0.0, 0.0, 0.0] of norm 2; must have \
             norm 1",
        ),
    ] {
        let found = problems_with(kind, keys);
        let mut found: Vec<&str> = found.lines().collect();
        let expected = format!("scene.toml:{expected}");
        let mut expected: Vec<&str> = expected.lines().collect();
        // Problems of one place come in the order of reading, which is not the point here.
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{keys}");
    }
}

#[test]
fn a_joint_that_names_no_body_is_one_problem() {
    let text = with_joint("revolute", "").replace("child = \"bar\"", "child = \"baar\"");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:18:9 joint \"j\": child \"baar\" is not a body; known: bar"
    );
    let text = with_joint("revolute", "").replace("child = \"bar\"", "child = 3");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:18:9 joint \"j\": child is the number 3; expected a string in quotes"
    );
    let text = with_joint("revolute", "").replace("\"world\"", "\"wall\"");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:17:10 joint \"j\": parent \"wall\" is not a body; known: world, bar"
    );
    let text = with_joint("revolute", "").replace("parent = \"world\"\n", "");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:14:1 joint \"j\": parent is missing; name a body, or write parent = \"world\""
    );
    let text = format!("{BAR}joint = 3\n").replace("# Line 8.\n", "");
    let text = text.replace("joint = 3\n", "");
    assert_eq!(
        problems(&text.replace("[world]", "joint = 3\n[world]")).trim_end(),
        "scene.toml:3:9 joint is the number 3; write [[joint]]"
    );
}

#[test]
fn the_motion_of_a_child_may_be_left_away_and_that_of_others_not() {
    let loaded = load(&with_joint("revolute", ""));
    assert_eq!(loaded.description.bodies[0].motion, Motion::Joint);
    let said = with_joint("revolute", "").replace("mass = 1", "motion = \"joint\"\nmass = 1");
    assert_eq!(load(&said).description, loaded.description);
    assert_eq!(
        problems(BAR).trim_end(),
        "scene.toml:9:1 body \"bar\": motion is missing; write motion = \"free\", \"fixed\", \"driven\" or \
         \"prescribed\", or name the body as child of a [[joint]]"
    );
    let free = with_joint("revolute", "").replace("mass = 1", "motion = \"free\"\nmass = 1");
    assert_eq!(
        problems(&free).trim_end(),
        "scene.toml:19:9 joint \"j\": its child \"bar\" has motion = \"free\"; write motion = \"joint\" there, or leave \
         motion away"
    );
}

#[test]
fn a_loop_names_its_bodies() {
    let other = "\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = { xx = 1, yy = 1, zz = 1 }\n";
    let joints = "\n[[joint]]\nname = \"k\"\ntype = \"revolute\"\nparent = \"bar\"\nchild = \"rod\"\n\
                  \n[[joint]]\nname = \"l\"\ntype = \"revolute\"\nparent = \"world\"\nchild = \"rod\"\n";
    let text = with_joint("revolute", "") + other + joints;
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:31:1 joint \"l\": closes a loop through the bodies world, bar, rod; joints must form trees, so \
         remove one joint of the loop, or hold its bodies together by a contact or by stiff forces"
    );
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
    assert_eq!(
        problems(&body(
            "motion = \"free\"\norientation_input = \"matrix\"\nwrench_axes = \"body\""
        ))
        .trim_end(),
        "scene.toml:12:1 body \"bar\": orientation_input has a meaning only with motion = \"driven\"; remove it or change \
         the motion\n\
         scene.toml:13:1 body \"bar\": wrench_axes has a meaning only with motion = \"driven\"; remove it or change the \
         motion"
    );
    assert_eq!(
        problems(&body("motion = \"driven\"\norientation_input = \"euler\"")).trim_end(),
        "scene.toml:12:21 body \"bar\": orientation_input is the string \"euler\"; expected one of \"quaternion\", \
         \"matrix\""
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
        let MotionDescription { body, profile } = description.motions[0].clone();
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
        MotionProfile::Constant {
            velocity: [0.0; 3],
            angular_velocity: [0.0, 0.0, PI],
            surface: false
        }
    );
    assert_eq!(
        of(
            "sine = { displacement = [0, 0, \"5 mm\"], rotation = { axis = [0, 2, 0], angle = \"180 deg\" }, frequency = 2, phase = \"90 deg\" }"
        ),
        MotionProfile::Sine {
            displacement: [0.0, 0.0, 0.005],
            rotation: [0.0, PI, 0.0],
            angular_frequency: 4.0 * PI,
            phase: FRAC_PI_2
        }
    );
    assert_eq!(
        of(
            "table = { times = [0, \"10 ms\"], displacement = [[0, 0, 0], [\"1 mm\", 0, 0]], axis = [0, 0, 2], angle = [0, \"180 deg\"], interpolation = \"spline\" }"
        ),
        MotionProfile::Table {
            times: vec![0.0, 0.01],
            displacements: vec![[0.0; 3], [0.001, 0.0, 0.0]],
            axis: [0.0, 0.0, 2.0],
            angles: vec![0.0, PI],
            interpolation: Interpolation::Spline,
            ends: None,
        }
    );
    let ends = |keys: &str| {
        let table = "times = [0, 1], displacement = [[0, 0, 0], [1, 0, 0]], axis = [0, 0, 1], angle = [0, 1]";
        let profile = of(&format!(
            "table = {{ {table}, interpolation = \"spline\", end_speeds = {keys} }}"
        ));
        let MotionProfile::Table { ends, .. } = profile else {
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
            matches!(profile, MotionProfile::Table { interpolation: found, .. } if found == interpolation)
        );
    }
}

/// The child hangs on the bar, whose table stands in line 17. Through 0, 2, 0 at 1, 2, 3 s goes
/// 2 - 2 (t - 2)^2, which begins with 4 m/s.
#[test]
fn a_velocity_that_jumps_under_joints_is_refused_at_its_table() {
    let scene = |keys: &str| {
        with_motion(&format!(
            "table = {{ times = [1, 2, 3], displacement = [[0, 0, 0], [2, 0, 0], [0, 0, 0]]{keys} }}\n"
        )) + "[[body]]\nname = \"slug\"\nmass = 1\ninertia = { xx = 1, yy = 1, zz = 1 }\n\
              [[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nparent = \"bar\"\nchild = \"slug\"\n"
    };
    assert_eq!(
        problems(&scene(", interpolation = \"spline\"")).trim_end(),
        "scene.toml:17:9 motion of \"bar\": table: at 1.0 s the velocity jumps from [0.0, 0.0, 0.0] to [4.0, 0.0, 0.0] \
         m/s; joint \"slide\" hangs on the body, so that what it carries would be dragged along without a force; the body \
         rests before the first and after the last time: write end_speeds = 0 beside interpolation = \"spline\""
    );
    assert!(problems(&scene("")).contains(
        "from [0.0, 0.0, 0.0] to [2.0, 0.0, 0.0] m/s; joint \"slide\" hangs on the body, so that what it carries would be \
         dragged along without a force; write interpolation = \"quintic\" or \"trapezoid\", or \"spline\" with \
         end_speeds = 0"
    ));
    for keys in [
        ", interpolation = \"spline\", end_speeds = 0",
        ", interpolation = \"quintic\"",
        ", interpolation = \"trapezoid\"",
    ] {
        load(&scene(keys));
    }
}

#[test]
fn problems_of_motions_stand_at_their_values() {
    for (keys, expected) in [
        (
            "",
            "15:1 motion of \"bar\": says neither velocity, angular_velocity, sine nor table; write velocity = [1, 0, 0], \
             or a sine or a table",
        ),
        (
            "velocity = [1, 0, 0]\nsine = { displacement = [1, 0, 0], frequency = 1 }",
            "15:1 motion of \"bar\": says more than one of constant velocities, sine, table; keep one of them: a body has \
             one motion",
        ),
        (
            "surface = true\nsine = { frequency = 1 }",
            "17:1 motion of \"bar\": surface has a meaning only beside velocity or angular_velocity; remove it\n\
             scene.toml:18:8 motion of \"bar\": sine says neither displacement nor rotation; write at least one, such as \
             displacement = [0, 0, \"5 mm\"]",
        ),
        (
            "table = { times = [0, 1], angle = [0, \"1 m\"] }",
            "17:9 motion of \"bar\": table.axis is missing; write the axis that the body turns about, such as axis = \
             [0, 0, 1]\n\
             scene.toml:17:39 motion of \"bar\": table.angle[2] is \"1 m\"; \"m\" is a length unit, expected an angle in \
             one of rad, mrad, deg, rev",
        ),
        (
            "table = { times = [0, 1], displacement = [[0, 0, 0], [1, 0, 0]], axis = [0, 0, 1] }",
            "17:66 motion of \"bar\": table.axis has a meaning only beside angle; remove it",
        ),
        (
            "table = { times = [0, 1], displacement = [[0, 0, 0], [1, 0, 0]], end_speeds = 0 }",
            "17:79 motion of \"bar\": end_speeds clamps a spline, and interpolation is \"linear\"; write interpolation = \
             \"spline\" beside it, or remove it",
        ),
        (
            "table = { times = [0, 1], angle = [0, 1], axis = [0, 0, 1], interpolation = \"spline\", end_speeds = [0, 0] }",
            "17:100 motion of \"bar\": table.end_speeds is an array of 2; expected 0 for rest at both ends, or speeds at the first \
             and the last time such as { velocity = [[0, 0, 0], [1, 0, 0]], angular_speed = [0, 1] }",
        ),
        (
            "table = { times = [0, 1], angle = [0, 1], axis = [0, 0, 1], interpolation = \"spline\", end_speeds = { \
             angular_speed = [0, \"1 m/s\"] } }",
            "17:122 motion of \"bar\": table.end_speeds.angular_speed[2] is \"1 m/s\"; \"m/s\" is a velocity unit, expected \
             an angular velocity in one of rad/s, mrad/s, deg/s, rpm",
        ),
    ] {
        let found = problems(&with_motion(keys));
        assert_eq!(found.trim_end(), format!("scene.toml:{expected}"), "{keys}");
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
    let bad = with_joint("revolute", "") + "[[measurement]]\nname = \"tip\"\nfrom = 3\n";
    assert_eq!(
        problems(&bad).trim_end(),
        "scene.toml:19:1 measurement \"tip\": to is missing; write a body such as \"base\", or { body = \"base\", position \
         = [0, 0, 0.1] }; or \"world\"\n\
         scene.toml:21:8 measurement \"tip\": from is the number 3; expected a body such as \"base\", or { body = \"base\", \
         position = [0, 0, 0.1] }; or \"world\""
    );
}

#[test]
fn a_force_may_be_an_input() {
    let of = |input: &str| {
        let force = format!("[[force]]\nname = \"push\"\nbody = \"bar\"\ninput = {input}\n");
        let description = load(&(body("motion = \"free\"") + &force)).description;
        description.forces[0].profile.clone()
    };
    let profile = |force, torque| ForceProfile::Input { force, torque };
    assert_eq!(of("true"), profile(true, false));
    assert_eq!(of("[\"force\"]"), profile(true, false));
    assert_eq!(of("[\"torque\"]"), profile(false, true));
    assert_eq!(of("[\"torque\", \"force\"]"), profile(true, true));
    let problem = |keys: &str| {
        let force = format!("[[force]]\nname = \"push\"\nbody = \"bar\"\n{keys}\n");
        problems(&(body("motion = \"free\"") + &force))
    };
    assert_eq!(
        problem("input = \"force\"").trim_end(),
        "scene.toml:18:9 force \"push\": input is the string \"force\"; expected true for a force, or which are inputs, \
         such as [\"force\", \"torque\"]"
    );
    assert_eq!(
        problem("input = [\"forces\"]").trim_end(),
        "scene.toml:18:10 force \"push\": input[1] is \"forces\"; did you mean \"force\"?"
    );
    assert_eq!(
        problem("input = []").trim_end(),
        "scene.toml:18:9 force \"push\": neither force nor torque is given; give at least one of them"
    );
    assert_eq!(
        problem("input = true\nforce = [1, 0, 0]").trim_end(),
        "scene.toml:15:1 force \"push\": says more than one of constant force or torque, sine, table, input; keep one of \
         them in each [[force]]: several on one body add up"
    );
    assert_eq!(
        problem("input = false").trim_end(),
        "scene.toml:15:1 force \"push\": says neither force, torque, sine, table nor input; write force = [0, 0, 5], a \
         sine or a table, or input = true"
    );
}

#[test]
fn joints_that_are_hardly_meant_so_are_warned_of() {
    let warnings = |keys: &str| {
        let loaded = load(&with_joint("revolute", keys));
        loaded.warnings.to_string()
    };
    assert_eq!(
        warnings(
            "angle = { start = 2, stop = { lower = -1, upper = 1, stiffness = 1e5, restitution = 0 } }"
        ),
        "scene.toml:19:9 warning: joint \"j\": angle starts at 2 rad, above its upper stop at 1 rad, which throws it back"
    );
    assert_eq!(
        warnings("angle = { friction = { torque = 1, speed = 5 } }"),
        "scene.toml:19:9 warning: joint \"j\": angle has its full friction above 5 rad/s only and creeps below; usual \
         are 0.01 rad/s"
    );
    assert_eq!(
        warnings("angle = { friction = { torque = 1, speed = 1e-7 } }"),
        "scene.toml:19:9 warning: joint \"j\": angle has its full friction above 0.0000001 rad/s already, which makes its \
         equations stiff; usual are 0.01 rad/s"
    );
    let ordinary = "angle = { start = 1, friction = { torque = 1, speed = 0.01 }, stop = { upper = 1, stiffness = 1e5, \
                    restitution = 0 } }";
    assert_eq!(warnings(ordinary), "");
}

#[test]
fn motions_and_measurements_name_bodies_that_are_there() {
    let text = body("motion = \"prescribed\"");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:11:10 body \"bar\": motion is \"prescribed\", but nothing says how it moves; add a [[motion]] with body = \
         \"bar\""
    );
    let twice =
        with_motion("velocity = [1, 0, 0]\n[[motion]]\nbody = \"bar\"\nvelocity = [1, 0, 0]\n");
    assert_eq!(
        problems(&twice).trim_end(),
        "scene.toml:19:8 motion of \"bar\": the body has a motion already; keep one of the two"
    );
    let free = with_motion("velocity = [1, 0, 0]").replace("\"prescribed\"", "\"free\"");
    assert_eq!(
        problems(&free).trim_end(),
        "scene.toml:16:8 motion of \"bar\": body \"bar\" has motion = \"free\"; write motion = \"prescribed\" there; there is no \
         prescribed one"
    );
    // Neither body nor motion is guilty where the name is a slip: one line for each of the two.
    let slip = with_motion("velocity = [1, 0, 0]").replace("body = \"bar\"", "body = \"baar\"");
    assert_eq!(
        problems(&slip).trim_end(),
        "scene.toml:11:10 body \"bar\": motion is \"prescribed\", but nothing says how it moves; add a [[motion]] with body = \
         \"bar\"\n\
         scene.toml:16:8 motion of \"baar\": body \"baar\" is not known; prescribed bodies: bar"
    );
    for (keys, expected) in [
        (
            "sine = { displacement = [1, 0, 0], frequency = 0 }",
            "17:48 motion of \"bar\": angular_frequency is 0 rad/s; must be > 0",
        ),
        (
            "table = { times = [0, 1, 1], displacement = [[0, 0, 0], [1, 0, 0]] }",
            "17:19 motion of \"bar\": times[3] is 1 s after 1 s; times must ascend: where the body jumps, let it move within \
             a short time\n\
             scene.toml:17:45 motion of \"bar\": displacement has 2 entries, times has 3; must be as many",
        ),
        (
            "table = { times = [0, 1] }",
            "17:9 motion of \"bar\": neither displacement nor angle is given; give at least one of them",
        ),
        (
            "table = { times = [0, 1], angle = [0, 1], axis = [0, 0, 0] }",
            "17:50 motion of \"bar\": axis is the zero vector, which has no direction",
        ),
    ] {
        let found = problems(&with_motion(keys));
        assert_eq!(found.trim_end(), format!("scene.toml:{expected}"), "{keys}");
    }
    let measured = with_joint("revolute", "")
        + "[[measurement]]\nname = \"a\"\nfrom = \"bra\"\nto = \"world\"\n\
           [[measurement]]\nname = \"a\"\nfrom = \"bar\"\nto = { body = \"bar\" }\n";
    assert_eq!(
        problems(&measured).trim_end(),
        "scene.toml:21:8 measurement \"a\": from \"bra\" is not a body; known: bar\n\
         scene.toml:24:8 measurement \"a\": this name is taken by another measurement"
    );
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

/// 30 rad/(2 pi) = 4.77.
#[test]
fn a_bare_angle_of_more_than_a_turn_is_questioned_and_one_with_its_unit_is_not() {
    let warnings = |start: &str| {
        let keys = format!("angle = {{ start = {start} }}\n");
        load(&with_joint("revolute", &keys)).warnings.to_string()
    };
    assert_eq!(
        warnings("30"),
        "scene.toml:19:9 warning: joint \"j\": angle.start is 30 rad, 4.8 turns: a bare number is in radians; write \
         \"30 deg\" if degrees are meant"
    );
    for start in ["6.28", "\"30 rad\"", "\"720 deg\""] {
        assert_eq!(warnings(start), "");
    }
}

#[test]
fn patterns_of_expose_are_judged_at_their_line() {
    let with = |expose: &str| {
        let interface = format!("# Line 8.\n[interface]\nexpose = {expose}\n");
        with_joint("revolute", "").replace("# Line 8.\n", &interface)
    };
    let problem = problems(&with("[\"baar.*\"]"));
    let expected =
        "scene.toml:10:10 interface.expose: \"baar.*\" matches no output; nearest names: ";
    assert!(problem.starts_with(expected), "{problem}");
    for nothing in ["[]", "[\"*\", \"!*\"]"] {
        let warnings = load(&with(nothing)).warnings.to_string();
        let expected = "scene.toml:10:10 warning: interface: expose leaves no output";
        assert!(warnings.starts_with(expected), "{warnings}");
    }
    assert!(load(&with("[\"bar.position\"]")).warnings.is_empty());
}
