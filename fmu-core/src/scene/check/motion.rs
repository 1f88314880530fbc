//! Prescribed motions: the body, its numbers, the times of tables. Measurements: the bodies of their
//! frames.

use super::Checker;
use crate::scene::description::{EndSpeeds, Interpolation, Motion, MotionCourse, SceneItem};

impl Checker<'_> {
    pub(super) fn prescribed_motion(&mut self, index: usize) {
        let (item, motion) = (SceneItem::Motion(index), &self.scene.motions[index]);
        self.prescribed_body(item, &motion.body);
        let mut before = self.scene.motions[..index].iter();
        if before.any(|other| other.body == motion.body) {
            let message = "the body has a motion already; keep one of the two".into();
            self.fail(item, "body", message);
        }
        match &motion.course {
            MotionCourse::Constant {
                velocity,
                angular_velocity,
                ..
            } => {
                self.vector(item, "velocity", velocity);
                self.vector(item, "angular_velocity", angular_velocity);
            }
            MotionCourse::Sine {
                displacement,
                rotation,
                angular_frequency,
                phase,
            } => {
                self.vector(item, "displacement", displacement);
                self.vector(item, "rotation", rotation);
                let (field, frequency) = ("angular_frequency", *angular_frequency);
                self.number(item, field, frequency, "rad/s", |v| v > 0.0, "> 0");
                self.number(item, "phase", *phase, "rad", |_| true, "finite");
            }
            MotionCourse::Table {
                times,
                displacements,
                axis,
                angles,
                interpolation,
                ends,
            } => {
                let advice = "where the body jumps, let it move within a short time";
                self.times(item, times, advice);
                if displacements.is_empty() && angles.is_empty() {
                    let message =
                        "neither displacement nor angle is given; give at least one of them";
                    self.fail(item, "table", message.into());
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
                    let message = "axis is the zero vector, which has no direction".into();
                    self.fail(item, "axis", message);
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
                            let message = format!(
                                "end_speeds.{speed} is not zero and the table has no {values}; give {values}, or \
                                 leave {speed} away"
                            );
                            self.fail(item, "end_speeds", message);
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
        let message = match interpolation {
            Interpolation::Spline => return,
            Interpolation::Linear => {
                "end_speeds clamps a spline, and interpolation is \"linear\"; write interpolation = \"spline\" \
                 beside it, or remove it"
            }
            Interpolation::Quintic | Interpolation::Trapezoid => {
                "end_speeds clamps a spline; quintic and trapezoid rest at each time anyway: remove it"
            }
        };
        self.fail(item, field, message.into());
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
        let message = match bodies.iter().find(|body| body.name == name) {
            None => format!("body {name:?} is not known; {known}"),
            Some(body) if body.motion == Motion::Prescribed => return,
            Some(body) => format!(
                "body {name:?} has motion = {:?}; write motion = \"prescribed\" there; {known}",
                body.motion.key()
            ),
        };
        self.fail(item, "body", message);
    }

    /// A prescribed body needs a motion.
    pub(super) fn has_motion(&mut self, index: usize) {
        let body = &self.scene.bodies[index];
        let mut motions = self.scene.motions.iter();
        if body.motion == Motion::Prescribed && motions.all(|motion| motion.body != body.name) {
            let message = format!(
                "motion is \"prescribed\", but nothing says how it moves; add a [[motion]] with body = {:?}",
                body.name
            );
            self.fail(SceneItem::Body(index), "motion", message);
        }
    }

    pub(super) fn measurement(&mut self, index: usize) {
        let item = SceneItem::Measurement(index);
        let measurement = &self.scene.measurements[index];
        self.identifier(item, &measurement.name);
        let mut before = self.scene.measurements[..index].iter();
        if before.any(|other| other.name == measurement.name) {
            let message = "this name is taken by another measurement".into();
            self.fail(item, "name", message);
        }
        for (field, end) in [("from", &measurement.from), ("to", &measurement.to)] {
            let bodies = &self.scene.bodies;
            if let Some(name) = &end.body
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

fn finite(values: &[f64]) -> bool {
    values.iter().all(|v| v.is_finite())
}
