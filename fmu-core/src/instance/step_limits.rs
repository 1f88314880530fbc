//! What limits the internal steps of Co-Simulation, in words: what to change where a communication
//! step takes too many of them, or fails with a short one.

use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use contact_geometry::math::{Exact, norm};
use contact_model::hybrid::Severity;
use contact_model::integrator::Settings;
use contact_model::integrator::settings::least_steps;
use contact_model::scene::motions::MOST_TURNS;
use std::f64::consts::TAU;

/// The longest internal step allowed limits them if the last one was at least this part of it: the
/// last steps before an end or an event are shorter.
const NEARLY: f64 = 0.5;

impl Instance {
    /// Refuses a communication step from `point` to `end` [s] that cannot be done in as many
    /// internal steps as are allowed, before any of them is done. One that may return early is
    /// tried.
    pub(super) fn check_max_step(
        &self,
        settings: &Settings,
        point: f64,
        end: f64,
    ) -> Result<(), Failure> {
        let Some(longest) = settings.max_step() else {
            return Ok(());
        };
        let (length, budget) = (end - self.run.time, settings.budget() as f64);
        let steps = least_steps(length, longest);
        if steps <= budget || self.options.early_return_allowed {
            return Ok(());
        }
        Err(Failure::error(format!(
            "the step from {} s to {} s takes at least {steps:e} internal steps, since \
             experiment.max_step, now {longest:e} s, allows no longer ones; experiment.max_steps \
             allows {budget} of them: set experiment.max_step to {:.1e} s or more, or to 0 for no \
             limit, or take shorter communication steps",
            Exact(point),
            Exact(end),
            1.05 * length / budget
        )))
    }

    /// Refuses a communication step from `point` to `end` [s] in which a body whose motion is given
    /// turns more than [`MOST_TURNS`] times.
    pub(super) fn check_turns(&self, point: f64, end: f64) -> Result<(), Failure> {
        let (model, length) = (self.system.model(), end - self.run.time);
        let driven = model.driven.iter().filter_map(|driven| {
            let (_, twist) = driven.motion(&self.run.inputs.held, 0.0)?;
            Some((driven.body, norm(&twist.omega_b)))
        });
        let prescribed = model.prescribed.iter().map(|prescribed| {
            let bound = prescribed.bound(&self.scene, self.run.time, end);
            (prescribed.body, bound.angular_speed)
        });
        for (body, speed) in driven.chain(prescribed) {
            let turns = speed * length / TAU;
            let mut shapes = self.scene.shapes().iter();
            if turns > MOST_TURNS && shapes.any(|shape| shape.body == body) {
                return Err(Failure::error(format!(
                    "the step from {} s to {} s: body {:?} turns at {speed:.3e} rad/s, {turns:.1e} times in \
                     it; its contacts are followed over {MOST_TURNS:.0} turns: let it turn more slowly, or \
                     take communication steps of {:.1e} s or less",
                    Exact(point),
                    Exact(end),
                    self.scene.bodies()[body].name,
                    MOST_TURNS * TAU / speed
                )));
            }
        }
        Ok(())
    }

    /// What keeps the internal steps small, and what to do about it, as the end of a message;
    /// nothing for failures that have to do with something else.
    pub(super) fn what_limits_steps(&mut self, severity: Severity) -> String {
        let settings = *self.integrator.settings();
        let allow_more = format!(
            ", or allow more internal steps, experiment.max_steps, now {}",
            settings.budget()
        );
        let last = self.run.memory.last_step().length;
        match (severity, settings.max_step()) {
            (Severity::TooManySteps, Some(longest)) if last >= NEARLY * longest => format!(
                "; steps are no longer than experiment.max_step, now {longest:e} s: set it higher, \
                 or to 0 for no limit{allow_more}"
            ),
            (Severity::TooManySteps, _) => format!(
                "{}, loosen the tolerance, now {:e}{allow_more}",
                self.what_is_stiff(),
                settings.relative_tolerance()
            ),
            (Severity::StepTooSmall, _) => self.what_is_stiff(),
            _ => String::new(),
        }
    }

    fn what_is_stiff(&mut self) -> String {
        let stiffest = self.system.stiffest(self.run.time, &self.run.states);
        self.touch();
        match stiffest {
            Some(stiffest) => format!(
                "; the stiffest contact is {stiffest}, which changes within {:.1e} s: make it softer \
                 (stiffness, k_red) or less damped, let the bodies start apart or slower",
                1.0 / stiffest.rate()
            ),
            None => {
                "; nothing is in contact: look for a stiff spring or damper, a huge force or a body that spins fast".into()
            }
        }
    }
}
