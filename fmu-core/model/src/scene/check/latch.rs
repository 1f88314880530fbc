//! Latches: their joints, and what closes and opens them.

use super::checker::Checker;
use crate::scene::description::latch::LATCH;
use crate::scene::description::{JointDescription, LatchDescription, SceneItem};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::quantity::row::checks;
use contact_laws::quantity::{Keyword, Range};

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
            self.number(item, field, (value, ""), Range::ANY);
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
            self.dependent(item, field, (time, "s"), time >= start, allowed);
        }
        if let (Some(open), Some(close)) = (latch.open_time, latch.close_time) {
            let allowed = || format!("other than open_time = {open} s");
            self.dependent(item, "close_time", (close, "s"), close != open, allowed);
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
