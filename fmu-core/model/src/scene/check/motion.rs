//! Prescribed motions: the body, its numbers, the times of tables. Measurements: the bodies of
//! their frames.

use super::checker::Checker;
use crate::scene::description::{EndSpeeds, Interpolation, Motion, MotionProfile, SceneItem};
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::quantity::Range;

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
                self.number(item, field, (frequency, "rad/s"), Range::POSITIVE);
                self.number(item, "phase", (*phase, "rad"), Range::ANY);
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

fn finite(values: &[f64]) -> bool {
    values.iter().all(|v| v.is_finite())
}
