//! Prescribed forces: the body they act on, their numbers, the times of tables.

use super::Checker;
use crate::math::Exact;
use crate::scene::description::{ForceCourse, ForceTable, ForceVectors, SceneItem};

/// What is to be done where neither a force nor a torque is given.
const NOTHING: &str = "neither force nor torque is given; give at least one of them";

impl Checker<'_> {
    pub(super) fn force(&mut self, index: usize) {
        let (item, force) = (SceneItem::Force(index), &self.scene.forces[index]);
        self.identifier(item, &force.name);
        let mut before = self.scene.forces[..index].iter();
        if before.any(|other| other.name == force.name) {
            let message = "this name is taken by another force".into();
            self.fail(item, "name", message);
        }
        self.target(item, &force.body);
        self.vector(item, "point", &force.point);
        match &force.course {
            ForceCourse::Constant(vectors) => self.vectors(item, "force", vectors),
            ForceCourse::Sine {
                amplitude,
                angular_frequency,
                phase,
            } => {
                self.vectors(item, "sine", amplitude);
                let positive = |v: f64| v > 0.0;
                let frequency = *angular_frequency;
                self.number(
                    item,
                    "angular_frequency",
                    frequency,
                    "rad/s",
                    positive,
                    "> 0",
                );
                self.number(item, "phase", *phase, "rad", |_| true, "finite");
            }
            ForceCourse::Table(table) => self.table(item, table),
            ForceCourse::Input { force, torque } => {
                if !force && !torque {
                    self.fail(item, "input", NOTHING.into());
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
                let message = format!("body {name:?} is not known; {known}");
                self.fail(item, "body", message);
            }
            Some(body) if !body.motion.is_dynamic() => {
                let word = body.motion.key();
                let message = format!("body {name:?} is {word}, so no force moves it; {known}");
                self.fail(item, "body", message);
            }
            Some(_) => {}
        }
    }

    /// A force, a torque, or both; `field` is told where there is neither.
    fn vectors(&mut self, item: SceneItem, field: &'static str, given: &ForceVectors) {
        if given.force.is_none() && given.torque.is_none() {
            self.fail(item, field, NOTHING.into());
        }
        for (field, vector) in [("force", given.force), ("torque", given.torque)] {
            if let Some(vector) = vector {
                self.vector(item, field, &vector);
            }
        }
    }

    fn table(&mut self, item: SceneItem, table: &ForceTable) {
        let times = &table.times;
        let advice = "where the force jumps, let it rise within a short time";
        self.times(item, times, advice);
        if table.forces.is_empty() && table.torques.is_empty() {
            self.fail(item, "table", NOTHING.into());
        }
        for (field, rows) in [("force", &table.forces), ("torque", &table.torques)] {
            self.row_count(item, field, rows.len(), times.len());
            if let Some(row) = rows.iter().find(|row| row.iter().any(|v| !v.is_finite())) {
                self.vector(item, field, row);
            }
        }
    }

    /// Times of a table: at least two, finite, ascending; `advice` says how a jump is written.
    pub(super) fn times(&mut self, item: SceneItem, times: &[f64], advice: &str) {
        if times.len() < 2 {
            let message = format!("times are {}; must be at least 2", times.len());
            self.fail(item, "times", message);
        }
        if let Some(time) = times.iter().find(|time| !time.is_finite()) {
            let message = format!(
                "times has {time} s in it; must be finite",
                time = Exact(*time)
            );
            self.fail(item, "times", message);
        } else if let Some(i) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            let message = format!(
                "times[{}] is {} s after {} s; times must ascend: {advice}",
                i + 2,
                times[i + 1],
                times[i]
            );
            self.fail(item, "times", message);
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
            let message =
                format!("{field} has {found} entries, times has {wanted}; must be as many");
            self.fail(item, field, message);
        }
    }
}
