//! Joints, motions and forces as `check` shows them.

use super::tests::report_of;

const SCENE: &str = r#"format = 1
name = "a"
world.gravity = "none"
experiment.stop_time = 1
[[body]]
name = "base"
motion = "fixed"
[[body]]
name = "arm"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[body]]
name = "hand"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[body]]
name = "tool"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[body]]
name = "hammer"
motion = "driven"
orientation_input = "matrix"
wrench_axes = "body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[[body]]
name = "belt"
motion = "prescribed"
[[joint]]
name = "slide"
type = "prismatic"
parent = "arm"
child = "hand"
reaction = true
displacement = { start = 0.5, speed = 2, input = true, stop = { upper = 1, stiffness = 1e6, restitution = 0.5 } }
[[joint]]
name = "shoulder"
type = "revolute"
power = true
parent = "base"
child = "arm"
axis = [0, 2, 0]
angle = { start = 1, damping = 3, spring = { stiffness = 4, rest = 5 }, friction = { torque = 6, speed = 0.01 } }
[[joint]]
name = "ball"
type = "spherical"
parent = "world"
child = "tool"
damping = 2
input = true
[[motion]]
body = "belt"
velocity = [1, 0, 0]
surface = true
[[measurement]]
name = "reach"
from = "base"
to = { body = "hand", position = [0, 0, 0.1] }
"#;

#[test]
fn the_pitch_of_a_screw_is_shown() {
    let slide = "type = \"prismatic\"";
    let (before, after) = SCENE.split_once(slide).unwrap();
    let after = after.replacen("displacement = ", "pitch = \"-5 mm\"\nangle = ", 1);
    let report = report_of(&format!("{before}type = \"screw\"{after}"));
    let line = "hand by slide (screw), axis (0, 0, 1), pitch -0.005 m, reaction is an output";
    assert!(report.contains(line), "{report}");
}

#[test]
fn trees_driven_bodies_motions_and_measurements_are_shown() {
    let report = report_of(SCENE);
    let (_, rest) = report.split_once("\njoints (3)\n").unwrap();
    let (lines, _) = rest.split_once("\n\npairs that can touch (").unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines,
        [
            "  world",
            "    tool by ball (spherical), orientation (1, 0, 0, 0), angular velocity (0, 0, 0) rad/s, damping 2 N.m.s/rad, \
             torque is an input",
            "  base",
            "    arm by shoulder (revolute), axis (0, 1, 0), power is an output",
            "        angle 1 rad, 0 rad/s, spring stiffness 4 N.m/rad, spring rest 5 rad, damping 3 N.m.s/rad, \
             friction torque 6 N.m, friction speed 0.01 rad/s",
            "      hand by slide (prismatic), axis (0, 0, 1), reaction is an output",
            "          displacement 0.5 m, 2 m/s, stop upper 1 m, stop stiffness 1e6 N/m, stop restitution 0.5, force is an \
             input",
            "",
            "driven bodies (1)",
            "  hammer: inputs position, orientation as matrix, velocity, angular velocity, outputs contact force and \
             torque in body axes",
            "",
            "motions (1)",
            "  belt: velocity (1, 0, 0) m/s, of its surface only",
            "",
            "measurements (1)",
            "  reach: from base, to hand at (0, 0, 0.1) m",
        ]
    );
    // 3 + 9 + 3 + 3 of the hammer, 1 of the slide, 3 of the ball.
    assert!(report.contains("\n  inputs            22\n"), "{report}");
    assert!(
        report.contains("\nnever touching each other (1)\n  base:arm, of joint shoulder\n"),
        "{report}"
    );
}

/// Closed forms: 15/8 and 10/sqrt(3) of a quintic, 3/2 and 27/4 of a trapezoid over 2 rad
/// in 1 s, w A and w^2 A of a sine; the parabola 2 - 2 (t - 1)^2, clamped or
/// not: 4 m/s and 4 m/s2, and the cubics 6 x^2 - 4 x^3 to its top with slope 3 and second
/// derivative 12.
#[test]
fn the_largest_speed_and_acceleration_of_motions_are_shown() {
    let hill = "times = [0, 1, 2], displacement = [[0, 0, 0], [2, 0, 0], [0, 0, 0]]";
    for (profile, shown) in [
        (
            "table = { times = [1, 2], displacement = [[0, 0, 0], [0.6, 0.8, 0]], interpolation = \"quintic\" }",
            "quintic table of 2 times from 1 s to 2 s, displacement, peak speed 1.875 m/s, peak acceleration 5.7735 m/s2",
        ),
        (
            "table = { times = [1, 2], axis = [0, 0, 1], angle = [0, -2], interpolation = \"trapezoid\" }",
            "trapezoid table of 2 times from 1 s to 2 s, angle about (0, 0, 1), peak angular speed 3 rad/s, \
             peak angular acceleration 13.5 rad/s2",
        ),
        (
            "sine = { displacement = [0.3, 0, 0.4], angular_frequency = 2 }",
            "sine, displacement (0.3, 0, 0.4) m, angular frequency 2 rad/s, phase 0 rad, peak speed 1 m/s, \
             peak acceleration 2 m/s2",
        ),
        (
            &format!("table = {{ {hill} }}"),
            "linear table of 3 times from 0 s to 2 s, displacement, peak speed 2 m/s, velocity jumps 3 times",
        ),
        (
            &format!("table = {{ {hill}, interpolation = \"spline\" }}"),
            "spline table of 3 times from 0 s to 2 s, displacement, peak speed 4 m/s, \
             peak acceleration 4 m/s2, velocity jumps 2 times",
        ),
        (
            &format!("table = {{ {hill}, interpolation = \"spline\", end_speeds = 0 }}"),
            "spline table of 3 times from 0 s to 2 s, displacement, clamped, peak speed 3 m/s, \
             peak acceleration 12 m/s2",
        ),
    ] {
        let report = report_of(&SCENE.replace("velocity = [1, 0, 0]\nsurface = true", profile));
        let line = format!("\n  belt: {shown}\n");
        assert!(report.contains(&line), "{line}{report}");
    }
}

#[test]
fn each_force_has_a_line_with_body_point_axes_and_profile() {
    let text = "format = 1\nname = \"a\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
        [[body]]\nname = \"b\"\nmotion = \"free\"\nshape = [{ sphere = { diameter = 1 }, material = \"Steel\" }]\n\
        [[force]]\nname = \"one\"\nbody = \"b\"\nforce = [0, 0, \"5 kN\"]\ntorque = [1, 0, 0]\npoint = [0, 0, \"-10 cm\"]\n\
        [[force]]\nname = \"two\"\nbody = \"b\"\naxes = \"body\"\nsine = { torque = [8, 0, 0], frequency = 0.5 }\n\
        [[force]]\nname = \"three\"\nbody = \"b\"\ntable = { times = [0, 1, 2, 4], force = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 0]] }\n\
        [[force]]\nname = \"four\"\nbody = \"b\"\ntable = { times = [0, 1, 2], force = [[0, 0, 0], [1, 0, 0], [0, 0, 0]], interpolation = \"spline\" }\n";
    let report = report_of(text);
    let (_, rest) = report.split_once("\nforces (4)\n").unwrap();
    let (lines, _) = rest.split_once("\n\n").unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines,
        [
            "  one: on b, at (0, 0, -0.1) m of the body, world axes, force (0, 0, 5000) N, torque (1, 0, 0) N.m",
            "  two: on b, at (0, 0, 0) m of the body, body axes, sine, torque (8, 0, 0) N.m, \
             angular frequency 3.14159 rad/s, phase 0 rad",
            "  three: on b, at (0, 0, 0) m of the body, world axes, linear table of 4 times from 0 s to 4 s, \
             2 time events",
            "  four: on b, at (0, 0, 0) m of the body, world axes, spline table of 3 times from 0 s to 2 s, \
             2 time events",
        ]
    );
}
