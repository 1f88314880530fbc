//! Facts about bodies, joints and their loads and motions, for `check` and for the page in an FMU.

use crate::description::facts::{Chapter, Element, Facts, vector};
use contact_geometry::math::real::atan2;
use contact_laws::index::{BodyId, each};
use contact_laws::quantity::Keyword;
use contact_model::scene::coordinate::{ForceElement, ROWS};
use contact_model::scene::description::joint::LATCH;
use contact_model::scene::description::{
    CloseFrom, ConvexPart, Coordinate, ForceVectors, Form, FrameName, Interpolation,
    LatchDescription, Motion, MotionProfile, MotionTable, Solid, TriggerDescription,
};
use contact_model::scene::forces::{Force, ForceTimeProfile};
use contact_model::scene::motions::MotionTimeProfile;
use contact_model::scene::parameter::INERTIA_ENTRIES;
use contact_model::scene::{Grains, Joint, Scene, SceneDescription};
use fmu_mesh::solid::{inertia, short};
use fmu_view::number::{counted, rounded};
use std::f64::consts::TAU;

/// All chapters except bodies, shapes and contact.
pub(crate) fn chapters(scene: &Scene, description: &SceneDescription) -> Vec<Chapter> {
    let joints = scene.joints().iter().map(|one| joint(scene, one));
    let motions = description.motions.iter().zip(scene.motions());
    let motions = motions.map(|(given, found)| motion(&given.body, &given.profile, &found.profile));
    let latches = description.latches.iter().map(|one| latch(scene, one));
    let triggers = description.triggers.iter().map(trigger);
    let forces = scene.forces().iter().map(|one| force(scene, one));
    let measurements = description.measurements.iter().map(|one| {
        let mut element = Element::new(&one.name, ": ");
        element.line.text("from", frame(&one.from));
        element.line.text("to", frame(&one.to));
        element
    });
    vec![
        Chapter::new("joints", "joints", joints.collect()),
        Chapter::new("driven", "driven bodies", driven(scene)),
        Chapter::new("motions", "motions", motions.collect()),
        Chapter::new("latches", "latches", latches.collect()),
        Chapter::new("measurements", "measurements", measurements.collect()),
        Chapter::new("triggers", "triggers", triggers.collect()),
        Chapter::new("forces", "forces", forces.collect()),
    ]
}

/// Bodies that do not belong to groups.
pub(crate) fn bodies(scene: &Scene) -> Vec<Element> {
    let bodies = scene.bodies().keys();
    let bodies = bodies.take_while(|index| !scene.is_grain(*index));
    bodies.map(|index| body(scene, index)).collect()
}

fn body(scene: &Scene, index: BodyId) -> Element {
    let body = &scene.bodies()[index];
    let mut element = Element::new(&body.name, " ");
    element.kind = Some(["motion", body.motion.word()]);
    let start = scene.start_pose(index).position;
    element.own.vector("position: at", start.as_slice(), "m");
    let [w, axis @ ..] = body.orientation;
    let sine = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if sine > 0.0 && body.motion != Motion::Joint {
        let axis = vector(&axis.map(|x| x / sine));
        let angle = (2.0 * atan2(sine, w)).to_degrees();
        let unit = format!("deg about {axis}");
        element.own.number("angle: turned by", angle, &unit);
        element.own.data("orientation", body.orientation.to_vec());
    }
    if body.is_dynamic() {
        let mass = &body.mass;
        let entries = INERTIA_ENTRIES.map(|at| mass.inertia[at]);
        let below = &mut element.below;
        below.number("mass", mass.mass, "kg");
        below.vector(
            "center_of_mass: centre of mass",
            mass.center_of_mass.as_slice(),
            "m",
        );
        below.other("inertia", inertia(entries), entries.to_vec());
        below.nonzero("velocity", body.velocity.as_slice(), "m/s");
        below.nonzero(
            "angular_velocity: turns with",
            body.angular_velocity.as_slice(),
            "rad/s",
        );
    }
    element
}

/// Groups of balls, with the corners of the box of their initial centres.
pub(crate) fn grains(scene: &Scene) -> Vec<Element> {
    let group = |group: &Grains| {
        let bodies = || each(group.bodies.clone()).map(|body| &scene.bodies()[body]);
        let mut element = Element::new(&group.name, " ");
        element.kind = Some(["type", "group"]);
        let sizes = group.diameters.iter().copied();
        let least = sizes.clone().fold(f64::INFINITY, f64::min);
        let most = sizes.fold(0.0, f64::max);
        let balls = counted(group.len(), "ball");
        let sizes = match least == most {
            true => format!("of diameter {}", rounded(least, 6)),
            false => format!("of diameters {} to {}", rounded(least, 6), rounded(most, 6)),
        };
        let text = format!("{balls} {sizes} m");
        element.line.other("count:", text, group.len());
        element.line.data("diameters", vec![least, most]);
        let mass: f64 = bodies().map(|body| body.mass.mass).sum();
        element.below.number("mass: mass of all", mass, "kg");
        let corner = |end: fn(f64, f64) -> f64| {
            let along = |axis: usize| bodies().map(|body| body.position[axis]).reduce(end);
            [0, 1, 2].map(|axis| along(axis).unwrap_or_default())
        };
        element.below.vector("lower: from", &corner(f64::min), "m");
        element.below.vector("upper: to", &corner(f64::max), "m");
        if !group.regions.is_empty() {
            let names = Vec::from_iter(group.regions.iter().map(|region| region.name.clone()));
            element.below.other("counted_in", names.join(", "), names);
        }
        element
    };
    scene.grains().iter().map(group).collect()
}

/// Form and sizes.
#[rustfmt::skip]
pub(crate) fn form(facts: &mut Facts, form: &Form) {
    const D: &str = "diameter";
    const TOP: &str = "top_diameter";
    const L: &str = "length";
    const BARE: &str = "m without its ends";
    let (word, axis, sizes) = match form {
        Form::Sphere { diameter: d } => ("sphere", None, vec![(D, d, "m")]),
        Form::Cylinder { diameter: d, length, axis, inner_diameter: bore } => ("cylinder", Some(axis),
            vec![(D, d, "m"), (L, length, "m"), ("inner_diameter: bore", bore, "m (without contact)")]),
        Form::Cone { diameter: d, top_diameter: top, length, axis } =>
            (if *top > 0.0 { "frustum" } else { "cone" }, Some(axis), vec![(D, d, "m"), (TOP, top, "m"), (L, length, "m")]),
        Form::Capsule { diameter: d, length, axis } =>
            ("capsule", Some(axis), vec![(D, d, "m"), (L, length, BARE)]),
        Form::TaperedCapsule { diameter: d, top_diameter: top, length, axis } =>
            ("tapered capsule", Some(axis), vec![(D, d, "m"), (TOP, top, "m"), (L, length, "m between the centres")]),
        Form::Beam { length, width, thickness, axis } =>
            ("beam", Some(axis), vec![(L, length, BARE), ("width", width, "m"), ("thickness", thickness, "m")]),
        Form::HalfSpace => ("half-space", None, Vec::new()),
        Form::Ellipsoid { lengths } => {
            facts.text("form:", "ellipsoid").vector("lengths: diameters", lengths, "m");
            return;
        }
        Form::Box { lengths } => {
            facts.other("form:", format!("box {} m", vector(lengths)), "box").data("lengths", lengths.to_vec());
            return;
        }
        Form::Hull { solid, part } => return polyhedron(facts, solid, format!("convex hull of {} vertices", corners(part)), form),
        Form::Mesh { solid, parts } => {
            let vertices: usize = parts.iter().map(corners).sum();
            return polyhedron(facts, solid, format!("mesh, by its convex hull of {vertices} vertices"), form);
        }
        Form::Surface { solid, surface } =>
            return polyhedron(facts, solid, format!("mesh of {}", counted(surface.triangles.len(), "triangle")), form),
        Form::Compound { parts } => {
            facts.other("form:", format!("compound of {}", counted(parts.len(), "part")), form.key());
            return;
        }
    };
    let along = axis.map_or(String::new(), |axis| format!(" along {}", axis.word()));
    facts.other("form:", format!("{word}{along}"), form.key());
    for (name, value, unit) in sizes.into_iter().filter(|(_, value, _)| **value > 0.0) {
        facts.number(name, *value, unit);
    }
}

/// Number of vertices before edges are rounded.
fn corners(part: &ConvexPart) -> usize {
    let sharp = part.sharp.as_ref().map(|sharp| sharp.vertices.len());
    sharp.unwrap_or(part.vertices.len())
}

fn polyhedron(facts: &mut Facts, solid: &Solid, text: String, form: &Form) {
    let [lower, upper] = [&solid.lower, &solid.upper].map(|end| vector(end));
    let text = format!("{text} between {lower} m and {upper} m");
    facts.other("form:", text, form.key());
    facts.data("lower", solid.lower.to_vec());
    facts.data("upper", solid.upper.to_vec());
}

/// Joint, with its coordinates as parts, and parent and child as separate facts.
fn joint(scene: &Scene, joint: &Joint) -> Element {
    let name = |body: BodyId| scene.bodies()[body].name.as_str();
    let mut element = Element::new(&joint.name, ", ");
    element.kind = Some(["type", joint.kind.word()]);
    let parent = joint.parent.map_or("world", name);
    element.own.text("parent", parent);
    element.own.text("child", name(joint.child));
    let facts = &mut element.line;
    let axes = ["axis", "second_axis"].iter().zip(&joint.axes);
    for (key, axis) in axes.take(joint.kind.axis_count()) {
        facts.vector(key, axis.as_slice(), "");
    }
    if joint.kind.has_pitch() {
        facts.number("pitch", TAU * joint.lead, "m");
    }
    if let Some(first) = joint.kind.quaternion() {
        let [position, orientation] = [&joint.positions[..first], &joint.positions[first..]];
        let [velocity, turning] = [&joint.rates[..first], &joint.rates[first..]];
        if first > 0 {
            facts.vector("position", position, "m");
            facts.vector("velocity", velocity, "m/s");
        }
        facts.vector("orientation", orientation, "");
        facts.vector("angular_velocity", turning, "rad/s");
    }
    if joint.ball.damping > 0.0 {
        facts.number("damping", joint.ball.damping, "N.m.s/rad");
    }
    facts.flag("input: torque is an input", joint.ball.input);
    facts.flag("reaction: reaction is an output", joint.reaction);
    facts.flag("power: power is an output", joint.power);
    let coordinates = joint.kind.coordinates().iter().enumerate();
    let coordinates = coordinates.map(|(i, one)| coordinate(joint, i, one));
    element.parts = coordinates.collect();
    element
}

/// Coordinate: start values, and the numbers of the forces along it by their rows.
fn coordinate(joint: &Joint, index: usize, coordinate: &Coordinate) -> Element {
    let is_angle = coordinate.is_angle();
    let unit = length(coordinate);
    let mut element = Element::new(coordinate.key, " ");
    let facts = &mut element.line;
    facts.number("start:", joint.positions[index], unit);
    facts.number("speed:", joint.rates[index], &format!("{unit}/s"));
    let mut forces = joint.forces[index];
    for row in &ROWS {
        let is_there = |value: &f64| *value != 0.0 || row.element != ForceElement::Damper;
        if let Some(value) = (row.at)(&mut forces).copied().filter(is_there) {
            let unit = row.declared(is_angle).unit_or_empty();
            facts.number(row.name(is_angle), value, unit);
        }
    }
    let input = format!("input: {} is an input", coordinate.force_key);
    facts.flag(&input, forces.input);
    element
}

fn length(coordinate: &Coordinate) -> &'static str {
    if coordinate.is_angle() { "rad" } else { "m" }
}

fn driven(scene: &Scene) -> Vec<Element> {
    let bodies = scene.bodies().iter().filter(|b| b.motion == Motion::Driven);
    let element = |body: &contact_model::scene::Body| {
        let mut element = Element::new(&body.name, ": ");
        let [orientation, axes] = [body.drive.orientation.word(), body.drive.wrench_axes.word()];
        let inputs =
            format!("inputs position, orientation as {orientation}, velocity, angular velocity");
        element
            .line
            .other("orientation_input:", inputs, orientation);
        let outputs = format!("outputs contact force and torque in {axes} axes");
        element.line.other("wrench_axes:", outputs, axes);
        element
    };
    bodies.map(element).collect()
}

fn motion(body: &str, given: &MotionProfile, found: &MotionTimeProfile) -> Element {
    let mut element = Element::new(body, ": ");
    let facts = &mut element.line;
    match given {
        MotionProfile::Constant {
            velocity,
            angular_velocity,
            surface,
        } => {
            facts.vector("velocity", velocity, "m/s");
            facts.nonzero("angular_velocity", angular_velocity, "rad/s");
            facts.flag("surface: of its surface only", *surface);
        }
        MotionProfile::Sine {
            displacement,
            rotation,
            angular_frequency,
            phase,
        } => {
            facts.text("profile:", "sine");
            facts.vector("displacement", displacement, "m");
            facts.nonzero("rotation", rotation, "rad");
            sine(facts, *angular_frequency, *phase);
        }
        MotionProfile::Table(MotionTable {
            times,
            displacements,
            angles,
            axis,
            interpolation,
            ends,
        }) => {
            let span = [times.first(), times.last()].map(|t| t.copied().unwrap_or(0.0));
            table(facts, *interpolation, times.len(), span);
            facts.flag("displacement", !displacements.is_empty());
            if !angles.is_empty() {
                facts.vector("axis: angle about", axis, "");
            }
            facts.flag("clamped", ends.is_some());
        }
    }
    peaks(facts, found);
    element
}

/// Largest speed and acceleration of a sine or a table; the acceleration of linear interpolation is zero, or
/// infinite at the corners.
fn peaks(facts: &mut Facts, profile: &MotionTimeProfile) {
    // Speed and acceleration of the displacement, then of the turn.
    let peaks = match profile {
        MotionTimeProfile::Constant { .. } => return,
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
    let is_linear = curve.is_some_and(|curve| curve.interpolation() == Interpolation::Linear);
    let names = [
        ["speed", "m/s", "acceleration", "m/s2"],
        ["angular_speed", "rad/s", "angular_acceleration", "rad/s2"],
    ];
    for ([speed, acceleration], [name, unit, second, per_second]) in peaks.into_iter().zip(names) {
        let mut peak = |name: &str, value, unit| {
            facts.number(&format!("peak_{name}"), value, unit);
        };
        if [speed, acceleration] != [0.0; 2] {
            peak(name, speed, unit);
            if !is_linear {
                peak(second, acceleration, per_second);
            }
        }
    }
    let jumps = curve.map_or(0, |curve| curve.jumps(1).count());
    if jumps > 0 {
        let text = format!("velocity jumps {jumps} times");
        facts.other("velocity_jumps:", text, jumps);
    }
}

fn sine(facts: &mut Facts, angular_frequency: f64, phase: f64) {
    facts.number("angular_frequency", angular_frequency, "rad/s");
    facts.number("phase", phase, "rad");
}

fn table(facts: &mut Facts, interpolation: Interpolation, count: usize, [from, to]: [f64; 2]) {
    let word = interpolation.word();
    let span = format!("{} s to {} s", short(from), short(to));
    let text = format!("{word} table of {count} times from {span}");
    facts.other("interpolation:", text, word);
    facts.data("span", vec![from, to]);
}

fn latch(scene: &Scene, latch: &LatchDescription) -> Element {
    let mut joints = scene.joints().iter();
    let joint = joints.find(|joint| joint.name == latch.joint);
    let coordinates = joint.map_or(&[][..], |joint| joint.kind.coordinates());
    let coordinate = match &latch.coordinate {
        Some(key) => coordinates.iter().find(|known| known.key == key),
        None => coordinates.first(),
    };
    let mut element = Element::new(&latch.name, ": ");
    let facts = &mut element.line;
    facts.text("joint: holds", &latch.joint);
    let is_closed = latch.starts_closed();
    let start = if is_closed { "closed" } else { "open" };
    facts.other("closed:", format!("{start} at start"), is_closed);
    facts.flag("input: by an input", latch.input);
    if let (Some(place), Some(coordinate)) = (latch.close_at, coordinate) {
        let side = latch.close_from.word();
        let name = format!("close_at: closes where {} comes to", coordinate.key);
        facts.number(&name, place, &format!("{} from {side}", length(coordinate)));
        facts
            .data("coordinate", coordinate.key)
            .data("close_from", side);
    }
    facts.rows(&LATCH, latch);
    if latch.release_impulse != 0.0 {
        let is_turn = coordinates.first().is_some_and(Coordinate::is_angle);
        let unit = if is_turn { "N.m.s" } else { "N.s" };
        facts.number("release_impulse", latch.release_impulse, unit);
    }
    element
}

fn trigger(trigger: &TriggerDescription) -> Element {
    let unit = trigger
        .declared()
        .map_or("", |declared| declared.unit_text());
    let moves = match trigger.from {
        CloseFrom::Below => "rises",
        CloseFrom::Above => "falls",
    };
    let mut element = Element::new(&trigger.name, ": ");
    let facts = &mut element.line;
    facts.data("output", trigger.output.as_str());
    facts.data("from", trigger.from.word());
    let on = format!("value: on when {} {moves} to", trigger.output);
    facts.number(&on, trigger.value, unit);
    facts.number(
        "hysteresis: off when it is back by",
        trigger.hysteresis,
        unit,
    );
    element
}

fn frame(end: &FrameName) -> String {
    let body = end.body.as_deref().unwrap_or("world");
    match end.frame.position {
        [0.0, 0.0, 0.0] => body.to_owned(),
        position => format!("{body} at {} m", vector(&position)),
    }
}

fn force(scene: &Scene, force: &Force) -> Element {
    let mut element = Element::new(&force.name, ": ");
    let facts = &mut element.line;
    facts.text("body: on", &scene.bodies()[force.body].name);
    facts.vector("point: at", &force.point, "m of the body");
    let axes = force.axes.word();
    facts.other("axes:", format!("{axes} axes"), axes);
    match &force.profile {
        ForceTimeProfile::Constant(vectors) => wrench(facts, vectors),
        ForceTimeProfile::Input { force, torque } => {
            facts.flag("force_input: force is an input", *force);
            facts.flag("torque_input: torque is an input", *torque);
        }
        ForceTimeProfile::Sine {
            amplitude,
            angular_frequency,
            phase,
        } => {
            facts.text("profile:", "sine");
            wrench(facts, amplitude);
            sine(facts, *angular_frequency, *phase);
        }
        ForceTimeProfile::Table(curve) => {
            table(facts, curve.interpolation(), curve.count(), curve.span());
            let events = curve.kinks(1).len();
            facts.other("time_events:", format!("{events} time events"), events);
        }
    }
    element
}

fn wrench(facts: &mut Facts, given: &ForceVectors) {
    if let Some(force) = given.force {
        facts.vector("force", &force, "N");
    }
    if let Some(torque) = given.torque {
        facts.vector("torque", &torque, "N.m");
    }
}
