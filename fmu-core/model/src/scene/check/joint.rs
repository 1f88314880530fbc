//! Joints: names, frames, axes, numbers. Which bodies a joint may connect is a matter of the tree.

use super::checker::Checker;
use crate::scene::coordinate::ROWS;
use crate::scene::description::{Coordinate, CoordinateForces, JointKind, SceneItem};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::quantity::Keyword;
use contact_laws::quantity::Range;

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
            self.dependent(item, "pitch", (joint.pitch, "m"), is_good, allowed);
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
        self.number(item, "damping", (damping, "N.m.s/rad"), Range::NOT_NEGATIVE);
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
                self.out_of_range(item, field, key, (value, ""), allowed);
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
