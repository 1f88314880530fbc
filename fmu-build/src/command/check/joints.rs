//! The lines of `check` on joints and latches, on driven and prescribed bodies, on measurements, triggers and on
//! forces.

use crate::command::words::{Listing, coordinate_in_words, joint_details, short, vector};
use crate::scene_file::LoadedScene;
use contact_laws::index::BodyId;
use contact_laws::quantity::Keyword;
use contact_model::scene::description::{
    CloseFrom, Coordinate, ForceVectors, FrameName, Interpolation, LatchDescription, Motion,
    MotionProfile, MotionTable,
};
use contact_model::scene::forces::{Force, ForceTimeProfile};
use contact_model::scene::motions::MotionTimeProfile;
use contact_model::scene::{Joint, Scene};

/// The trees, and what moves bodies otherwise, where there are any.
pub(super) fn report(out: &mut Listing, loaded: &LoadedScene) {
    trees(out, &loaded.scene);
    driven(out, &loaded.scene);
    motions(out, loaded);
    latches(out, loaded);
    measurements(out, loaded);
    triggers(out, loaded);
}

/// Every tree from its root, joints indented under the body that they hang on.
fn trees(out: &mut Listing, scene: &Scene) {
    let joints = scene.joints();
    if joints.is_empty() {
        return;
    }
    out.heading(format!("joints ({})", joints.len()));
    let is_child = |body: BodyId| joints.iter().any(|joint| joint.child == body);
    let bodies = scene.bodies().keys();
    let roots = bodies.filter(|body| !is_child(*body)).map(Some);
    for root in std::iter::once(None).chain(roots) {
        if joints.iter().any(|joint| joint.parent == root) {
            let name = root.map_or("world", |body| scene.bodies()[body].name.as_str());
            out.line(format!("  {name}"));
            branches(out, scene, root);
        }
    }
}

/// The joints below a root. Trees may be as deep as a chain is long, so no call goes with them.
fn branches(out: &mut Listing, scene: &Scene, root: Option<BodyId>) {
    let below = |parent: Option<BodyId>, depth: usize| {
        let joints = scene.joints().iter().filter(move |j| j.parent == parent);
        joints.map(move |joint| (joint, depth)).rev()
    };
    let mut open: Vec<(&Joint, usize)> = below(root, 2).collect();
    while let Some((joint, depth)) = open.pop() {
        let indent = "  ".repeat(depth);
        let child = &scene.bodies()[joint.child].name;
        let (kind, details) = (joint.kind.word(), joint_details(joint));
        out.line(format!(
            "{indent}{child} by {} ({kind}){details}",
            joint.name
        ));
        for (index, coordinate) in joint.kind.coordinates().iter().enumerate() {
            out.line(format!(
                "{indent}    {}",
                coordinate_in_words(joint, index, coordinate)
            ));
        }
        open.extend(below(Some(joint.child), depth + 1));
    }
}

fn driven(out: &mut Listing, scene: &Scene) {
    let bodies = scene.bodies().iter();
    let driven: Vec<_> = bodies.filter(|b| b.motion == Motion::Driven).collect();
    let lines = driven.into_iter().map(|body| {
        format!(
            "{}: inputs position, orientation as {}, velocity, angular velocity; outputs contact force and torque, {} \
             axes",
            body.name,
            body.drive.orientation.word(),
            body.drive.wrench_axes.word()
        )
    });
    out.list("driven bodies", lines);
}

fn motions(out: &mut Listing, loaded: &LoadedScene) {
    let motions = loaded.description.motions.iter();
    let lines = motions.zip(loaded.scene.motions()).map(|(given, motion)| {
        let peaks = peaks_in_words(&motion.profile);
        format!(
            "{}: {}{peaks}",
            given.body,
            profile_in_words(&given.profile)
        )
    });
    out.list("motions", lines);
}

/// Largest speed and acceleration of a sine or a table; nothing for constant velocities.
fn peaks_in_words(profile: &MotionTimeProfile) -> String {
    // Speed and acceleration of the displacement, then of the turn.
    let peaks = match profile {
        MotionTimeProfile::Constant { .. } => return String::new(),
        MotionTimeProfile::Sine {
            displacement,
            rotation,
            angular_frequency: w,
            ..
        } => [displacement, rotation].map(|amplitude| {
            let size = amplitude.iter().map(|c| c * c).sum::<f64>().sqrt();
            [w * size, w * w * size]
        }),
        MotionTimeProfile::Table(table) => [0..3, 3..4]
            .map(|part| [1, 2].map(|derivative| table.curve.peak(derivative, part.clone()))),
    };
    let curve = match profile {
        MotionTimeProfile::Table(table) => Some(&table.curve),
        _ => None,
    };
    // Straight lines have no acceleration but infinite ones where they meet.
    let is_linear = curve.is_some_and(|curve| curve.interpolation() == Interpolation::Linear);
    let units = [["m/s", "m/s2"], ["rad/s", "rad/s2"]];
    let moving = peaks
        .into_iter()
        .zip(units)
        .filter(|(peaks, _)| *peaks != [0.0; 2]);
    let mut texts: Vec<String> = moving
        .map(|([speed, acceleration], [unit, second])| match is_linear {
            true => format!("{} {unit}", short(speed)),
            false => format!("{} {unit}, {} {second}", short(speed), short(acceleration)),
        })
        .collect();
    let jumps = curve.map_or(0, |curve| curve.jumps(1).count());
    if jumps > 0 {
        texts.push(format!("velocity jumps {jumps} times"));
    }
    match texts.is_empty() {
        true => String::new(),
        false => format!("; peaks {}", texts.join("; ")),
    }
}

fn profile_in_words(profile: &MotionProfile) -> String {
    match profile {
        MotionProfile::Constant {
            velocity,
            angular_velocity,
            surface,
        } => {
            let mut text = format!("velocity {} m/s", vector(velocity));
            if *angular_velocity != [0.0; 3] {
                text += &format!(", angular velocity {} rad/s", vector(angular_velocity));
            }
            if *surface {
                text += ", of its surface only";
            }
            text
        }
        MotionProfile::Sine {
            displacement,
            rotation,
            angular_frequency,
            phase,
        } => {
            let mut text = format!("sine of displacement {} m", vector(displacement));
            if *rotation != [0.0; 3] {
                text += &format!(", rotation {} rad", vector(rotation));
            }
            let (frequency, phase) = (short(*angular_frequency), short(*phase));
            text + &format!(", {frequency} rad/s, phase {phase} rad")
        }
        MotionProfile::Table(MotionTable {
            times,
            displacements,
            angles,
            axis,
            interpolation,
            ends: clamped,
        }) => {
            let ends = [times.first(), times.last()].map(|t| short(t.copied().unwrap_or(0.0)));
            let mut text = format!(
                "{} table of {} times from {} s to {} s",
                interpolation.word(),
                times.len(),
                ends[0],
                ends[1]
            );
            if !displacements.is_empty() {
                text += ", displacement";
            }
            if !angles.is_empty() {
                text += &format!(", angle about {}", vector(axis));
            }
            if clamped.is_some() {
                text += ", clamped";
            }
            text
        }
    }
}

fn latches(out: &mut Listing, loaded: &LoadedScene) {
    let latches = loaded.description.latches.iter();
    let lines = latches.map(|latch| latch_in_words(latch, &loaded.scene));
    out.list("latches", lines);
}

/// `separation holds stage, closed at start, opens at 12 s with an impulse of 5 N.s`.
fn latch_in_words(latch: &LatchDescription, scene: &Scene) -> String {
    let mut joints = scene.joints().iter();
    let joint = joints.find(|joint| joint.name == latch.joint);
    let coordinates = joint.map_or(&[][..], |joint| joint.kind.coordinates());
    let coordinate = match &latch.coordinate {
        Some(key) => coordinates.iter().find(|known| known.key == key),
        None => coordinates.first(),
    };
    let start = if latch.starts_closed() {
        "closed"
    } else {
        "open"
    };
    let mut text = format!("{} holds {}, {start} at start", latch.name, latch.joint);
    if latch.input {
        text += ", by an input";
    }
    if let Some(time) = latch.close_time {
        text += &format!(", closes at {time} s");
    }
    if let (Some(place), Some(coordinate)) = (latch.close_at, coordinate) {
        let unit = if coordinate.is_angle() { "rad" } else { "m" };
        let side = latch.close_from.word();
        text += &format!(
            ", closes where {} comes to {place} {unit} from {side}",
            coordinate.key
        );
    }
    if let Some(distance) = latch.close_distance {
        text += &format!(", closes where its frames are nearer than {distance} m");
    }
    if let Some(time) = latch.open_time {
        text += &format!(", opens at {time} s");
    }
    if latch.release_impulse != 0.0 {
        let unit = match coordinates.first().is_some_and(Coordinate::is_angle) {
            true => "N.m.s",
            false => "N.s",
        };
        text += &format!(
            ", with an impulse of {} {unit} where it opens",
            latch.release_impulse
        );
    }
    text
}

fn triggers(out: &mut Listing, loaded: &LoadedScene) {
    let triggers = loaded.description.triggers.iter();
    let lines = triggers.map(|t| {
        let unit = (t.declared()).map_or("", |declared| declared.unit_text());
        let (name, output) = (&t.name, &t.output);
        let [value, back] = [t.value, t.hysteresis].map(short);
        let moves = match t.from {
            CloseFrom::Below => "rises",
            CloseFrom::Above => "falls",
        };
        format!(
            "{name}: on when {output} {moves} to {value} {unit}, off when it is back by {back} {unit}"
        )
    });
    out.list("triggers", lines);
}

fn measurements(out: &mut Listing, loaded: &LoadedScene) {
    let measurements = loaded.description.measurements.iter();
    let lines = measurements.map(|measurement| {
        let [from, to] = [&measurement.from, &measurement.to].map(frame_in_words);
        format!("{} from {from} to {to}", measurement.name)
    });
    out.list("measurements", lines);
}

fn frame_in_words(end: &FrameName) -> String {
    let body = end.body.as_deref().unwrap_or("world");
    match end.frame.position {
        [0.0, 0.0, 0.0] => body.to_owned(),
        position => format!("{body} at {} m", vector(&position)),
    }
}

/// One line for each force, where there are any.
pub(super) fn forces(out: &mut Listing, scene: &Scene) {
    let lines = scene.forces().iter();
    let lines = lines.map(|force| force_in_words(force, &scene.bodies()[force.body].name));
    out.list("forces", lines);
}

fn force_in_words(force: &Force, body: &str) -> String {
    let profile = match &force.profile {
        ForceTimeProfile::Constant(vectors) => vectors_in_words(vectors),
        ForceTimeProfile::Input { force, torque } => match (force, torque) {
            (true, true) => "force and torque are inputs".to_owned(),
            (true, false) => "force is an input".to_owned(),
            _ => "torque is an input".to_owned(),
        },
        ForceTimeProfile::Sine {
            amplitude,
            angular_frequency,
            phase,
        } => format!(
            "sine of amplitude {}, {} rad/s, phase {} rad",
            vectors_in_words(amplitude),
            short(*angular_frequency),
            short(*phase)
        ),
        ForceTimeProfile::Table(curve) => {
            let [first, last] = curve.span();
            format!(
                "{} table of {} times from {} s to {} s, {} time events",
                curve.interpolation().word(),
                curve.count(),
                short(first),
                short(last),
                curve.kinks(1).len()
            )
        }
    };
    format!(
        "{} on {body} at {} m of the body, {} axes: {profile}",
        force.name,
        vector(&force.point),
        force.axes.word()
    )
}

fn vectors_in_words(given: &ForceVectors) -> String {
    let force = given.force.map(|f| format!("force {} N", vector(&f)));
    let torque = given.torque.map(|t| format!("torque {} N.m", vector(&t)));
    let both: Vec<String> = [force, torque].into_iter().flatten().collect();
    both.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::report_of;

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
        let (lines, _) = rest.split_once("\n\nshapes (").unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines,
            [
                "  world",
                "    tool by ball (spherical), orientation (1, 0, 0, 0), (0, 0, 0) rad/s, damping 2 N.m.s/rad, torque is an \
                 input",
                "  base",
                "    arm by shoulder (revolute), axis (0, 1, 0), power is an output",
                "        angle 1 rad, 0 rad/s; spring 4 N.m/rad from 5 rad; damping 3 N.m.s/rad; friction 6 N.m, full above \
                 0.01 rad/s",
                "      hand by slide (prismatic), axis (0, 0, 1), reaction is an output",
                "          displacement 0.5 m, 2 m/s; stop above 1 m, 1e6 N/m, restitution 0.5; force is an input",
                "",
                "driven bodies (1)",
                "  hammer: inputs position, orientation as matrix, velocity, angular velocity; outputs contact force and \
                 torque, body axes",
                "",
                "motions (1)",
                "  belt: velocity (1, 0, 0) m/s, of its surface only",
                "",
                "measurements (1)",
                "  reach from base to hand at (0, 0, 0.1) m",
            ]
        );
        // 3 + 9 + 3 + 3 of the hammer, 1 of the slide, 3 of the ball.
        assert!(report.contains("\n  inputs            22\n"), "{report}");
        assert!(
            report.contains("\nnever touching each other\n  base:arm, of joint shoulder\n"),
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
                "quintic table of 2 times from 1 s to 2 s, displacement; peaks 1.875 m/s, 5.7735 m/s2",
            ),
            (
                "table = { times = [1, 2], axis = [0, 0, 1], angle = [0, -2], interpolation = \"trapezoid\" }",
                "trapezoid table of 2 times from 1 s to 2 s, angle about (0, 0, 1); peaks 3 rad/s, 13.5 rad/s2",
            ),
            (
                "sine = { displacement = [0.3, 0, 0.4], angular_frequency = 2 }",
                "sine of displacement (0.3, 0, 0.4) m, 2 rad/s, phase 0 rad; peaks 1 m/s, 2 m/s2",
            ),
            (
                &format!("table = {{ {hill} }}"),
                "linear table of 3 times from 0 s to 2 s, displacement; peaks 2 m/s; velocity jumps 3 times",
            ),
            (
                &format!("table = {{ {hill}, interpolation = \"spline\" }}"),
                "spline table of 3 times from 0 s to 2 s, displacement; peaks 4 m/s, 4 m/s2; velocity jumps 2 times",
            ),
            (
                &format!("table = {{ {hill}, interpolation = \"spline\", end_speeds = 0 }}"),
                "spline table of 3 times from 0 s to 2 s, displacement, clamped; peaks 3 m/s, 12 m/s2",
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
                "  one on b at (0, 0, -0.1) m of the body, world axes: force (0, 0, 5000) N, torque (1, 0, 0) N.m",
                "  two on b at (0, 0, 0) m of the body, body axes: sine of amplitude torque (8, 0, 0) N.m, \
                 3.14159 rad/s, phase 0 rad",
                "  three on b at (0, 0, 0) m of the body, world axes: linear table of 4 times from 0 s to 4 s, \
                 2 time events",
                "  four on b at (0, 0, 0) m of the body, world axes: spline table of 3 times from 0 s to 2 s, \
                 2 time events",
            ]
        );
    }
}
