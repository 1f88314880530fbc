//! Prescribed forces: the body they act on, their numbers, the times of tables.

use super::checker::Checker;
use crate::scene::description::force::FORCES;
use crate::scene::description::{ForceProfile, ForceTable, ForceVectors, SceneItem};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_geometry::math::Exact;
use contact_laws::quantity::Range;
use contact_laws::quantity::row::checks;

impl Checker<'_> {
    pub(super) fn force(&mut self, index: usize) {
        let (item, force) = (SceneItem::Force(index), &self.scene.forces[index]);
        self.identifier(item, &force.name);
        let mut before = self.scene.forces[..index].iter();
        if before.any(|other| other.name == force.name) {
            self.broken(item, "name", Rule::NameTaken, ["another force"]);
        }
        self.target(item, &force.body);
        self.rows(item, const { &checks(&FORCES) }, force);
        match &force.profile {
            ForceProfile::Constant(vectors) => self.vectors(item, "force", vectors),
            ForceProfile::Sine {
                amplitude,
                angular_frequency,
                phase,
            } => {
                self.vectors(item, "sine", amplitude);
                let frequency = *angular_frequency;
                self.number(
                    item,
                    "angular_frequency",
                    (frequency, "rad/s"),
                    Range::POSITIVE,
                );
                self.number(item, "phase", (*phase, "rad"), Range::ANY);
            }
            ForceProfile::Table(table) => self.table(item, table),
            ForceProfile::Input { force, torque } => {
                if !force && !torque {
                    self.broken(item, "input", Rule::NoForce, []);
                }
            }
        }
    }

    /// The body must be there, and forces must accelerate it.
    fn target(&mut self, item: SceneItem, name: &str) {
        let bodies = &self.scene.bodies;
        let free = bodies.iter().filter(|body| body.motion.is_dynamic());
        let names: Vec<&str> = free.map(|body| body.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "there is no free one".to_owned(),
            false => format!("bodies that forces move: {}", names.join(", ")),
        };
        match bodies.iter().find(|body| body.name == name) {
            None => {
                let flaw = SceneFlaw::Unknown("body", name.into(), known);
                self.fail(item, "body", flaw);
            }
            Some(body) if !body.motion.is_dynamic() => {
                let flaw = SceneFlaw::Motion(name.into(), body.motion, known);
                self.fail(item, "body", flaw);
            }
            Some(_) => {}
        }
    }

    /// A force, a torque, or both; `field` is the key to report if there is neither.
    fn vectors(&mut self, item: SceneItem, field: &'static str, given: &ForceVectors) {
        if given.force.is_none() && given.torque.is_none() {
            self.broken(item, field, Rule::NoForce, []);
        }
        for (field, vector) in [("force", given.force), ("torque", given.torque)] {
            if let Some(vector) = vector {
                self.vector(item, field, &vector);
            }
        }
    }

    fn table(&mut self, item: SceneItem, table: &ForceTable) {
        let times = &table.times;
        self.times(item, times);
        if table.forces.is_empty() && table.torques.is_empty() {
            self.broken(item, "table", Rule::NoForce, []);
        }
        for (field, rows) in [("force", &table.forces), ("torque", &table.torques)] {
            self.row_count(item, field, rows.len(), times.len());
            if let Some(row) = rows.iter().find(|row| row.iter().any(|v| !v.is_finite())) {
                self.vector(item, field, row);
            }
        }
    }

    /// Times of a table: at least two, finite, ascending.
    pub(super) fn times(&mut self, item: SceneItem, times: &[f64]) {
        if times.len() < 2 {
            let count = times.len().to_string();
            self.broken(item, "times", Rule::TooFewTimes, [&count]);
        }
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            let time = Exact(*time).to_string();
            self.broken(item, "times", Rule::TimeNotFinite, [&time]);
        } else if let Some(i) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            let flaw = SceneFlaw::Times(i + 2, [times[i], times[i + 1]]);
            self.fail(item, "times", flaw);
        }
    }

    /// A column of a table that is given has as many entries as there are times.
    pub(super) fn row_count(
        &mut self,
        item: SceneItem,
        field: &'static str,
        found: usize,
        wanted: usize,
    ) {
        if found != 0 && found != wanted {
            let flaw = SceneFlaw::Counts([(field, found), ("times", wanted)]);
            self.fail(item, field, flaw);
        }
    }
}
