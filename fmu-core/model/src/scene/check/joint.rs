//! Joints: names, frames, axes, numbers. Which bodies a joint may connect is a matter of the tree.
//!
//! # Prescribed motions
//!
//! The body, its numbers, the times of tables. Measurements: the bodies of their frames.

use super::checker::Checker;
use crate::scene::coordinate::ROWS;
use crate::scene::description::joint::LATCH;
use crate::scene::description::{
    Coordinate, CoordinateForces, EndSpeeds, Interpolation, JointDescription, JointKind,
    LatchDescription, Motion, MotionProfile, SceneItem,
};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::quantity::{Keyword, Range, checks};

/// Sine of the angle by which two axes may differ from a right one: printed digits.
const RIGHT_ANGLE: f64 = 1e-6;

impl Checker<'_> {
    pub(super) fn joint(&mut self, index: usize) {
        let (item, joint) = (SceneItem::Joint(index), &self.scene.joints[index]);
        self.identifier(item, &joint.name);
        let mut before = self.scene.joints[..index].iter();
        if before.any(|other| other.name == joint.name) {
            self.broken(item, "name", Rule::NameTaken, ["another joint"]);
        } else if self.bodies.contains_key(joint.name.as_str()) {
            let other = "a body; joint and body names must differ";
            self.broken(item, "name", Rule::NameTaken, [other]);
        }
        for (field, frame) in [
            ("parent_frame", &joint.parent_frame),
            ("child_frame", &joint.child_frame),
        ] {
            self.vector(item, field, &frame.position);
            self.quaternion(item, field, &frame.orientation);
        }
        self.axes(item, joint.kind, joint.axis, joint.second_axis);
        if joint.kind.has_pitch() {
            let is_good = joint.pitch != 0.0;
            let allowed = || "other than 0".to_owned();
            self.dependent(item, "pitch", joint.pitch, "m", is_good, allowed);
        }
        if joint.power && (joint.kind.is_free() || joint.kind.rate_count() == 0) {
            self.broken(item, "power", Rule::NoPower, [joint.kind.word()]);
        }
        let [positions, rates] = [&joint.positions, &joint.rates];
        let kind = joint.kind;
        for (what, found, wanted) in [
            ("positions", positions.len(), kind.position_count()),
            ("rates", rates.len(), kind.rate_count()),
        ] {
            if found != wanted {
                let flaw = SceneFlaw::Counts([(what, found), (kind.word(), wanted)]);
                self.fail(item, "", flaw);
                return;
            }
        }
        self.vector(item, "start", positions);
        self.vector(item, "start", rates);
        if let (Some(_), [.., a, b, c, d]) = (kind.quaternion(), positions.as_slice()) {
            self.quaternion(item, "orientation", &[*a, *b, *c, *d]);
        }
        let coordinates = joint.kind.coordinates();
        if joint.forces.len() != coordinates.len() {
            let given = ("forces", joint.forces.len());
            let flaw = SceneFlaw::Counts([given, (kind.word(), coordinates.len())]);
            self.fail(item, "", flaw);
        }
        for (coordinate, forces) in coordinates.iter().zip(&joint.forces) {
            self.coordinate(item, coordinate, forces);
        }
        let damping = joint.ball.damping;
        self.number(item, "damping", damping, "N.m.s/rad", Range::NOT_NEGATIVE);
    }

    fn axes(&mut self, item: SceneItem, kind: JointKind, axis: [f64; 3], second: [f64; 3]) {
        let given = [("axis", axis), ("second_axis", second)];
        let needed = given.iter().take(kind.axis_count());
        let mut units = Vec::new();
        for (field, given) in needed {
            self.vector(item, field, given);
            let largest = given.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
            if largest == 0.0 {
                self.broken(item, field, Rule::NoDirection, [field]);
            } else if largest.is_finite() {
                units.push(crate::scene::joint::unit_vector(given));
            }
        }
        if let [a, b] = units.as_slice()
            && a.dot(b).abs() > RIGHT_ANGLE
        {
            self.fail(item, "second_axis", SceneFlaw::Oblique([axis, second]));
        }
    }

    fn coordinate(&mut self, item: SceneItem, coordinate: &Coordinate, forces: &CoordinateForces) {
        let field = coordinate.key;
        for row in &ROWS {
            let found =
                (row.get)(forces).and_then(|value| Some((value, row.range.violated(value)?)));
            if let Some((value, allowed)) = found {
                let table = row
                    .element
                    .table()
                    .map_or(String::new(), |table| format!("{table}."));
                let key = format!("{field}.{table}{}", row.key(coordinate.is_angle()));
                self.out_of_range(item, field, key, value, "", allowed);
            }
        }
        let Some(stops) = forces.stops else { return };
        if stops.lower.is_none() && stops.upper.is_none() {
            self.broken(item, field, Rule::NoLimit, [field]);
        }
        if let (Some(lower), Some(upper)) = (stops.lower, stops.upper)
            && lower >= upper
        {
            self.fail(item, field, SceneFlaw::Limits(field, [lower, upper]));
        }
    }
}

// Latches: their joints, and what closes and opens them.

impl Checker<'_> {
    pub(super) fn latch(&mut self, index: usize) {
        let (item, latch) = (SceneItem::Latch(index), &self.scene.latches[index]);
        self.identifier(item, &latch.name);
        let before = &self.scene.latches[..index];
        if before.iter().any(|other| other.name == latch.name) {
            self.broken(item, "name", Rule::NameTaken, ["another latch"]);
        }
        self.rows(item, const { &checks(&LATCH) }, latch);
        for (field, value) in [
            ("close_at", latch.close_at.unwrap_or(0.0)),
            ("release_impulse", latch.release_impulse),
        ] {
            self.number(item, field, value, "", Range::ANY);
        }
        self.times_of_latch(item, latch);
        if latch.close_at.is_some() && latch.close_distance.is_some() {
            self.broken(item, "close_distance", Rule::LatchTwoTriggers, []);
        }
        if latch.coordinate.is_some() && latch.close_at.is_none() {
            self.broken(
                item,
                "coordinate",
                Rule::LatchWithoutTrigger,
                ["coordinate"],
            );
        }
        if latch.release_direction == Some([0.0; 3]) {
            self.broken(
                item,
                "release_direction",
                Rule::NoDirection,
                ["release_direction"],
            );
        }
        let joints = &self.scene.joints;
        let Some(joint) = joints.iter().find(|joint| joint.name == latch.joint) else {
            let known = joints.iter().map(|joint| joint.name.as_str());
            let flaw = SceneFlaw::unknown("joint", &latch.joint, known);
            self.fail(item, "joint", flaw);
            return;
        };
        if let Some(other) = before.iter().find(|other| other.joint == latch.joint) {
            self.broken(item, "joint", Rule::LatchTwice, [&joint.name, &other.name]);
        }
        self.latch_of(item, latch, joint);
    }

    /// Times of a latch: none before the start, none beside an input, and both different.
    fn times_of_latch(&mut self, item: SceneItem, latch: &LatchDescription) {
        let start = self.scene.experiment.start_time;
        for (field, time) in [
            ("open_time", latch.open_time),
            ("close_time", latch.close_time),
        ] {
            let Some(time) = time else { continue };
            if latch.input {
                self.broken(item, field, Rule::LatchInputAndTime, [field]);
            }
            let allowed = || format!(">= start_time = {start} s");
            self.dependent(item, field, time, "s", time >= start, allowed);
        }
        if let (Some(open), Some(close)) = (latch.open_time, latch.close_time) {
            let allowed = || format!("other than open_time = {open} s");
            self.dependent(item, "close_time", close, "s", close != open, allowed);
        }
    }

    /// What a latch asks of the kind of its joint.
    fn latch_of(&mut self, item: SceneItem, latch: &LatchDescription, joint: &JointDescription) {
        let (name, kind) = (joint.name.as_str(), joint.kind);
        let (word, coordinates) = (kind.word(), kind.coordinates());
        if kind.rate_count() == 0 {
            self.broken(item, "joint", Rule::LatchOfFixed, [name]);
            return;
        }
        if coordinates.is_empty() && latch.close_at.is_some() {
            self.broken(
                item,
                "close_at",
                Rule::LatchNoCoordinate,
                ["close_at", name, word],
            );
        }
        if latch.release_impulse != 0.0 && kind.is_ball() {
            let field = "release_impulse";
            self.broken(item, field, Rule::LatchNoCoordinate, [field, name, word]);
        }
        if let Some(key) = &latch.coordinate
            && !coordinates.is_empty()
            && coordinates.iter().all(|known| known.key != key)
        {
            let known = coordinates.iter().map(|known| known.key);
            let flaw = SceneFlaw::unknown("coordinate", key, known);
            self.fail(item, "coordinate", flaw);
        }
        if latch.close_distance.is_some() && !kind.may_collide() {
            self.broken(item, "close_distance", Rule::LatchNoSlide, [name, word]);
        }
        if latch.release_direction.is_some() {
            let field = "release_direction";
            match (kind.is_free(), latch.release_impulse == 0.0) {
                (false, _) => self.broken(item, field, Rule::LatchNoDirection, [name, word]),
                (true, true) => self.broken(item, field, Rule::LatchNoRelease, []),
                _ => {}
            }
        }
        if latch.starts_closed() && joint.rates.iter().any(|rate| *rate != 0.0) {
            self.broken(item, "closed", Rule::LatchMoves, [name]);
        }
    }
}

impl Checker<'_> {
    pub(super) fn prescribed_motion(&mut self, index: usize) {
        let (item, motion) = (SceneItem::Motion(index), &self.scene.motions[index]);
        self.prescribed_body(item, &motion.body);
        let mut before = self.scene.motions[..index].iter();
        if before.any(|other| other.body == motion.body) {
            self.broken(item, "body", Rule::MotionTwice, []);
        }
        match &motion.profile {
            MotionProfile::Constant {
                velocity,
                angular_velocity,
                ..
            } => {
                self.vector(item, "velocity", velocity);
                self.vector(item, "angular_velocity", angular_velocity);
            }
            MotionProfile::Sine {
                displacement,
                rotation,
                angular_frequency,
                phase,
            } => {
                self.vector(item, "displacement", displacement);
                self.vector(item, "rotation", rotation);
                let (field, frequency) = ("angular_frequency", *angular_frequency);
                self.number(item, field, frequency, "rad/s", Range::POSITIVE);
                self.number(item, "phase", *phase, "rad", Range::ANY);
            }
            MotionProfile::Table {
                times,
                displacements,
                axis,
                angles,
                interpolation,
                ends,
            } => {
                self.times(item, times);
                if displacements.is_empty() && angles.is_empty() {
                    self.broken(item, "table", Rule::NoDisplacement, []);
                }
                let counts = [
                    ("displacement", displacements.len()),
                    ("angle", angles.len()),
                ];
                for (field, found) in counts {
                    self.row_count(item, field, found, times.len());
                }
                if let Some(row) = displacements.iter().find(|row| !finite(&row[..])) {
                    self.vector(item, "displacement", row);
                }
                self.vector(item, "angle", angles);
                self.vector(item, "axis", axis);
                if !angles.is_empty() && *axis == [0.0; 3] {
                    self.broken(item, "axis", Rule::NoDirection, ["axis"]);
                }
                if let Some(ends) = ends {
                    self.end_speeds(item, ends, *interpolation);
                    let alone =
                        |given: bool, speeds: &[f64]| !given && speeds.iter().any(|v| *v != 0.0);
                    for (alone, speed, values) in [
                        (
                            alone(!displacements.is_empty(), ends.velocities.as_flattened()),
                            "velocity",
                            "displacement",
                        ),
                        (
                            alone(!angles.is_empty(), &ends.angular_speeds),
                            "angular_speed",
                            "angle",
                        ),
                    ] {
                        if alone {
                            let names = [speed, values];
                            self.broken(item, "end_speeds", Rule::SpeedAlone, names);
                        }
                    }
                }
            }
        }
    }

    /// The speeds that clamp a spline.
    fn end_speeds(&mut self, item: SceneItem, ends: &EndSpeeds, interpolation: Interpolation) {
        let field = "end_speeds";
        self.vector(item, field, ends.velocities.as_flattened());
        self.vector(item, field, &ends.angular_speeds);
        if interpolation != Interpolation::Spline {
            self.fail(item, field, SceneFlaw::EndSpeeds(interpolation));
        }
    }

    /// The body must be there and prescribed.
    fn prescribed_body(&mut self, item: SceneItem, name: &str) {
        let bodies = &self.scene.bodies;
        let prescribed = bodies.iter().filter(|b| b.motion == Motion::Prescribed);
        let names: Vec<&str> = prescribed.map(|body| body.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "there is no prescribed one".to_owned(),
            false => format!("prescribed bodies: {}", names.join(", ")),
        };
        let flaw = match bodies.iter().find(|body| body.name == name) {
            None => SceneFlaw::Unknown("body", name.into(), known),
            Some(body) if body.motion == Motion::Prescribed => return,
            Some(body) => SceneFlaw::Motion(name.into(), body.motion, known),
        };
        self.fail(item, "body", flaw);
    }

    /// A prescribed body needs a motion.
    pub(super) fn has_motion(&mut self, index: usize) {
        let body = &self.scene.bodies[index];
        let mut motions = self.scene.motions.iter();
        if body.motion == Motion::Prescribed && motions.all(|motion| motion.body != body.name) {
            let item = SceneItem::Body(index);
            self.broken(item, "motion", Rule::NoMotion, [&body.name]);
        }
    }

    pub(super) fn measurement(&mut self, index: usize) {
        let item = SceneItem::Measurement(index);
        let measurement = &self.scene.measurements[index];
        self.identifier(item, &measurement.name);
        let mut before = self.scene.measurements[..index].iter();
        if before.any(|other| other.name == measurement.name) {
            self.broken(item, "name", Rule::NameTaken, ["another measurement"]);
        }
        for (field, end) in [("from", &measurement.from), ("to", &measurement.to)] {
            let bodies = &self.scene.bodies;
            if let Some(name) = &end.body
                && bodies.iter().all(|body| body.name != *name)
            {
                let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
                let known = names.join(", ");
                self.broken(item, field, Rule::NotABody, [field, name, &known]);
            }
            self.vector(item, field, &end.frame.position);
            self.quaternion(item, field, &end.frame.orientation);
        }
    }
}

// Triggers: their numbers; what they can watch is known once the scene is built.

impl Checker<'_> {
    pub(super) fn trigger(&mut self, index: usize) {
        let (item, trigger) = (SceneItem::Trigger(index), &self.scene.triggers[index]);
        self.identifier(item, &trigger.name);
        let mut before = self.scene.triggers[..index].iter();
        if before.any(|other| other.name == trigger.name) {
            self.broken(item, "name", Rule::NameTaken, ["another trigger"]);
        }
        // Numbers of an output that cannot be watched are not read.
        if let Some(declared) = trigger.declared() {
            let unit = declared.unit_or_empty();
            self.number(item, "value", trigger.value, unit, Range::ANY);
            self.number(
                item,
                "hysteresis",
                trigger.hysteresis,
                unit,
                Range::POSITIVE,
            );
        }
    }
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|v| v.is_finite())
}
