//! What limits the internal steps of Co-Simulation, in words: what to change where a communication
//! step takes too many of them, or fails with a short one.

use crate::hybrid::Severity;
use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::integrator::Settings;
use crate::integrator::settings::least_steps;
use crate::math::Exact;

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
