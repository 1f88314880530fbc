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
    LatchDescription, Motion, MotionProfile, MotionTable, SceneItem,
};
use crate::scene::flaw::unknown;
use contact_geometry::math::Exact;
use contact_laws::finding::Finding;
use contact_laws::quantity::{Keyword, Range, checks};

/// Sine of the angle by which two axes may differ from a right one: printed digits.
const RIGHT_ANGLE: f64 = 1e-6;

impl Checker<'_> {
    pub(super) fn joint(&mut self, index: usize) {
        let (item, joint) = (SceneItem::Joint(index), &self.scene.joints[index]);
        let list = &self.scene.joints;
        if !self.name(index, list, SceneItem::Joint, |j| &j.name, "another joint")
            && self.bodies.contains_key(joint.name.as_str())
        {
            let message = "this name is taken by a body; joint and body names must differ";
            self.fail(item, "name", message);
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
            let message = format!("power of a {} joint is always 0", joint.kind.word());
            self.fail(item, "power", (message, "remove it"));
        }
        let [positions, rates] = [&joint.positions, &joint.rates];
        let kind = joint.kind;
        for (what, found, wanted) in [
            ("positions", positions.len(), kind.position_count()),
            ("rates", rates.len(), kind.rate_count()),
        ] {
            if !self.counts(item, "", [(what, found), (kind.word(), wanted)]) {
                return;
            }
        }
        self.vector(item, "start", positions);
        self.vector(item, "start", rates);
        if let (Some(_), [.., a, b, c, d]) = (kind.quaternion(), positions.as_slice()) {
            self.quaternion(item, "orientation", &[*a, *b, *c, *d]);
        }
        let coordinates = joint.kind.coordinates();
        let counts = [
            ("forces", joint.forces.len()),
            (kind.word(), coordinates.len()),
        ];
        self.counts(item, "", counts);
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
                self.no_direction(item, field);
            } else if largest.is_finite() {
                units.push(crate::scene::joint::unit_vector(given));
            }
        }
        if let [a, b] = units.as_slice()
            && a.dot(b).abs() > RIGHT_ANGLE
        {
            let message =
                format!("second_axis is {second:?}; it must be at right angles to axis = {axis:?}");
            self.fail(item, "second_axis", message);
        }
    }

    /// A direction of length 0.
    fn no_direction(&mut self, item: SceneItem, field: &'static str) {
        let message = format!("{field} is the zero vector, which has no direction");
        self.fail(item, field, message);
    }

    /// A lower limit that is not below the upper one.
    pub(super) fn limits(&mut self, item: SceneItem, field: &'static str, lower: f64, upper: f64) {
        let [lower, upper] = [lower, upper].map(Exact);
        let found = format!("{field}: lower is {lower} and upper {upper}");
        self.fail(
            item,
            field,
            found + "; the upper stop must be above the lower one",
        );
    }

    fn coordinate(&mut self, item: SceneItem, coordinate: &Coordinate, forces: &CoordinateForces) {
        let field = coordinate.key;
        for row in &ROWS {
            let found = (row.at)(&mut forces.clone())
                .and_then(|value| Some((*value, row.range.violated(*value)?)));
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
            let message = format!("{field}: the stop has neither lower nor upper");
            self.fail(item, field, (message, "give at least one"));
        }
        if let (Some(lower), Some(upper)) = (stops.lower, stops.upper)
            && lower >= upper
        {
            self.limits(item, field, lower, upper);
        }
    }
}

// Latches: their joints, and what closes and opens them.

impl Checker<'_> {
    pub(super) fn latch(&mut self, index: usize) {
        let (item, latch) = (SceneItem::Latch(index), &self.scene.latches[index]);
        let before = &self.scene.latches[..index];
        let list = &self.scene.latches;
        self.name(index, list, SceneItem::Latch, |l| &l.name, "another latch");
        self.rows(item, const { &checks(&LATCH) }, latch);
        for (field, value) in [
            ("close_at", latch.close_at.unwrap_or(0.0)),
            ("release_impulse", latch.release_impulse),
        ] {
            self.number(item, field, value, "", Range::ANY);
        }
        self.times_of_latch(item, latch);
        if latch.release_direction == Some([0.0; 3]) {
            self.no_direction(item, "release_direction");
        }
        if self.is_partial {
            return;
        }
        if latch.close_at.is_some() && latch.close_distance.is_some() {
            let message = "close_at and close_distance are both given";
            self.fail(item, "close_distance", (message, "keep one of them"));
        }
        if latch.coordinate.is_some() && latch.close_at.is_none() {
            let message = "coordinate has no meaning without close_at";
            self.fail(item, "coordinate", (message, "remove it"));
        }
        let joints = &self.scene.joints;
        let Some(joint) = joints.iter().find(|joint| joint.name == latch.joint) else {
            let known = joints.iter().map(|joint| joint.name.as_str());
            self.fail(item, "joint", unknown("joint", &latch.joint, known));
            return;
        };
        if let Some(other) = before.iter().find(|other| other.joint == latch.joint) {
            let (joint, other) = (&joint.name, &other.name);
            let message =
                format!("joint {joint:?} has latch {other:?} already; a joint has one latch");
            self.fail(item, "joint", (message, "remove one of them"));
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
                let message =
                    format!("{field} has no meaning beside input, which commands the latch");
                self.fail(item, field, (message, "remove one of the two"));
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
            let message = format!("joint {name:?} is fixed and has nothing to hold");
            let help = "give the joint another type, such as \"free\"";
            self.fail(item, "joint", (message, help));
            return;
        }
        let idle = |field: &str, why: &str| {
            let message = format!("{field} has no meaning: joint {name:?} is {word}{why}");
            (message, "remove it")
        };
        let no_coordinate = " and has no coordinate";
        if coordinates.is_empty() && latch.close_at.is_some() {
            self.fail(item, "close_at", idle("close_at", no_coordinate));
        }
        if latch.release_impulse != 0.0 && kind.is_ball() {
            let field = "release_impulse";
            self.fail(item, field, idle(field, no_coordinate));
        }
        if let Some(key) = &latch.coordinate
            && !coordinates.is_empty()
            && coordinates.iter().all(|known| known.key != key)
        {
            let known = coordinates.iter().map(|known| known.key);
            self.fail(item, "coordinate", unknown("coordinate", key, known));
        }
        if latch.close_distance.is_some() && !kind.may_collide() {
            let why = ", and the origins of its frames keep together";
            self.fail(item, "close_distance", idle("close_distance", why));
        }
        if latch.release_direction.is_some() {
            let field = "release_direction";
            if !kind.is_free() {
                self.fail(item, field, idle(field, ", not free"));
            } else if latch.release_impulse == 0.0 {
                let message = "release_direction has no meaning without release_impulse";
                self.fail(item, field, (message, "remove it"));
            }
        }
        if latch.starts_closed() && joint.rates.iter().any(|rate| *rate != 0.0) {
            let message =
                format!("is closed at start, but joint {name:?}, which it holds, moves then");
            let help = "let it start at rest, or write closed = false";
            self.fail(item, "closed", (message, help));
        }
    }
}

impl Checker<'_> {
    pub(super) fn prescribed_motion(&mut self, index: usize) {
        let (item, motion) = (SceneItem::Motion(index), &self.scene.motions[index]);
        self.prescribed_body(item, &motion.body);
        let mut before = self.scene.motions[..index].iter();
        if before.any(|other| other.body == motion.body) {
            let message = "the body has a motion already";
            self.fail(item, "body", (message, "keep one of the two"));
        }
        self.parameters(item, const { &MotionProfile::PARAMETERS }, &motion.profile);
        if let MotionProfile::Table(table) = &motion.profile {
            self.motion_table(item, table);
        }
    }

    fn motion_table(&mut self, item: SceneItem, table: &MotionTable) {
        self.times(item, &table.times);
        let (displacements, angles) = (&table.displacements, &table.angles);
        if displacements.is_empty() && angles.is_empty() {
            let message = "neither displacement nor angle is given";
            self.fail(item, "table", (message, "give at least one of them"));
        }
        let counts = [
            ("displacement", displacements.len()),
            ("angle", angles.len()),
        ];
        for (field, found) in counts {
            self.row_count(item, field, found, table.times.len());
        }
        if let Some(row) = displacements.iter().find(|row| !finite(&row[..])) {
            self.vector(item, "displacement", row);
        }
        self.vector(item, "angle", angles);
        self.vector(item, "axis", &table.axis);
        if !angles.is_empty() && table.axis == [0.0; 3] {
            self.no_direction(item, "axis");
        }
        if let Some(ends) = &table.ends {
            self.end_speeds(item, ends, table.interpolation);
            if displacements.is_empty() {
                let speeds = ends.velocities.as_flattened();
                self.alone(item, "velocity", speeds, "displacement");
            }
            if angles.is_empty() {
                self.alone(item, "angular_speed", &ends.angular_speeds, "angle");
            }
        }
    }

    /// Speeds at the ends of values that a table does not have.
    fn alone(&mut self, item: SceneItem, speed: &str, given: &[f64], values: &str) {
        if given.iter().any(|v| *v != 0.0) {
            let found = format!("end_speeds.{speed} is not zero");
            let message = format!("{found} and the table has no {values}");
            let help = format!("give {values}, or leave {speed} away");
            self.fail(item, "end_speeds", (message, help));
        }
    }

    /// The speeds that clamp a spline.
    fn end_speeds(&mut self, item: SceneItem, ends: &EndSpeeds, interpolation: Interpolation) {
        let field = "end_speeds";
        self.vector(item, field, ends.velocities.as_flattened());
        self.vector(item, field, &ends.angular_speeds);
        let finding = match interpolation {
            Interpolation::Spline => return,
            Interpolation::Linear => (
                "end_speeds clamps a spline, and interpolation is \"linear\"",
                "write interpolation = \"spline\" beside it, or remove it",
            ),
            _ => (
                "end_speeds clamps a spline; quintic and trapezoid rest at each time anyway",
                "remove it",
            ),
        };
        self.fail(item, field, finding);
    }

    /// The body must be there and prescribed.
    fn prescribed_body(&mut self, item: SceneItem, name: &str) {
        if self.is_partial {
            return;
        }
        let bodies = &self.scene.bodies;
        let prescribed = bodies.iter().filter(|b| b.motion == Motion::Prescribed);
        let names: Vec<&str> = prescribed.map(|body| body.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "there is no prescribed one".to_owned(),
            false => format!("prescribed bodies: {}", names.join(", ")),
        };
        let finding = match bodies.iter().find(|body| body.name == name) {
            None => format!("body {name:?} is not known; {known}").into(),
            Some(body) if body.motion == Motion::Prescribed => return,
            Some(body) => {
                let message = format!("body {name:?} has motion = {:?}", body.motion.word());
                let finding = Finding::from((message, "write motion = \"prescribed\" there"));
                finding.with_help(known)
            }
        };
        self.fail(item, "body", finding);
    }

    /// A prescribed body needs a motion.
    pub(super) fn has_motion(&mut self, index: usize) {
        let body = &self.scene.bodies[index];
        let mut motions = self.scene.motions.iter();
        if body.motion == Motion::Prescribed && motions.all(|motion| motion.body != body.name) {
            let item = SceneItem::Body(index);
            let message = "motion is \"prescribed\", but nothing says how it moves";
            let help = format!("add a [[motion]] with body = {:?}", body.name);
            self.fail(item, "motion", (message, help));
        }
    }

    pub(super) fn measurement(&mut self, index: usize) {
        let item = SceneItem::Measurement(index);
        let list = &self.scene.measurements;
        let measurement = &list[index];
        self.name(
            index,
            list,
            SceneItem::Measurement,
            |m| &m.name,
            "another measurement",
        );
        for (field, end) in [("from", &measurement.from), ("to", &measurement.to)] {
            let bodies = &self.scene.bodies;
            if let Some(name) = &end.body
                && !self.is_partial
                && bodies.iter().all(|body| body.name != *name)
            {
                let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
                let known = names.join(", ");
                let message = format!("{field} {name:?} is not a body; known: {known}");
                self.fail(item, field, message);
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
        let list = &self.scene.triggers;
        self.name(
            index,
            list,
            SceneItem::Trigger,
            |x| &x.name,
            "another trigger",
        );
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
