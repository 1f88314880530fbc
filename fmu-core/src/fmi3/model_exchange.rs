//! Functions of Model Exchange: [FMI 3.0] sections 2.3.2 to 2.3.5 and 3.2.1.

use super::types::*;
use crate::border::{check_out, functions, guard, values, values_out, write};
use crate::instance::{Failure, Instance, IntermediatePoint, Progress, StepListener};
use std::rc::Rc;

functions! { instance: fmi3Instance => fmi3Status, "FMI 3.0";
    /// Sets the time.
    fmi3SetTime(time: fmi3Float64), "3.2.1", |instance| instance.set_time(time);
    /// Sets all states.
    fmi3SetContinuousStates(continuousStates: *const fmi3Float64, nContinuousStates: usize), "3.2.1",
        |instance| {
            let states = values(continuousStates, nContinuousStates, "continuousStates")?;
            instance.set_continuous_states(states)
        };
    /// Reads all states.
    fmi3GetContinuousStates(continuousStates: *mut fmi3Float64, nContinuousStates: usize), "2.3.3",
        |instance| {
            let states = values_out(continuousStates, nContinuousStates, "continuousStates")?;
            instance.continuous_states(states)
        };
    /// Nominal values of all states.
    fmi3GetNominalsOfContinuousStates(nominals: *mut fmi3Float64, nContinuousStates: usize), "2.3.3",
        |instance| {
            let nominals = values_out(nominals, nContinuousStates, "nominals")?;
            instance.nominals(nominals)
        };
    /// Derivatives of all states.
    fmi3GetContinuousStateDerivatives(derivatives: *mut fmi3Float64, nContinuousStates: usize), "3.2.1",
        |instance| {
            let derivatives = values_out(derivatives, nContinuousStates, "derivatives")?;
            instance.derivatives(derivatives)
        };
    /// Event indicators.
    fmi3GetEventIndicators(eventIndicators: *mut fmi3Float64, nEventIndicators: usize), "3.2.1",
        |instance| {
            let indicators = values_out(eventIndicators, nEventIndicators, "eventIndicators")?;
            instance.indicators(indicators)
        };
    /// Number of states.
    fmi3GetNumberOfContinuousStates(nContinuousStates: *mut usize), "2.3.2",
        |instance| write(nContinuousStates, instance.state_count()?, "nContinuousStates");
    /// Number of event indicators.
    fmi3GetNumberOfEventIndicators(nEventIndicators: *mut usize), "2.3.2", |instance| {
        let count = instance.indicator_count()?;
        write(nEventIndicators, count, "nEventIndicators")
    };
    /// Called when a step of the importer's integrator was accepted.
    fmi3CompletedIntegratorStep(_noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
        enterEventMode: *mut fmi3Boolean, terminateSimulation: *mut fmi3Boolean), "3.2.1",
        |instance| {
            check_out(enterEventMode, "enterEventMode")?;
            check_out(terminateSimulation, "terminateSimulation")?;
            let asked = instance.completed_integrator_step()?;
            write(enterEventMode, asked, "enterEventMode")?;
            write(terminateSimulation, false, "terminateSimulation")
        };
}

// Functions of Co-Simulation: [FMI 3.0] section 4.2.1, and the importer's callback of 4.2.2.

/// The intermediate update function of an importer with its environment.
#[derive(Clone, Copy)]
pub(crate) struct IntermediateUpdate {
    function: fmi3IntermediateUpdateCallback,
    environment: fmi3InstanceEnvironment,
}

impl IntermediateUpdate {
    /// Calls `function`, if there is one.
    ///
    /// # Safety
    /// `function` may be called with `environment` as long as an instance with this listener lives.
    pub(crate) unsafe fn new(
        function: fmi3IntermediateUpdateCallback,
        environment: fmi3InstanceEnvironment,
    ) -> Self {
        IntermediateUpdate {
            function,
            environment,
        }
    }

    /// As the listener of an instance.
    pub(crate) fn listener(self) -> Option<Rc<dyn StepListener>> {
        self.function.is_some().then(|| Rc::new(self) as _)
    }
}

impl StepListener for IntermediateUpdate {
    fn intermediate_update(&self, point: IntermediatePoint) -> Option<f64> {
        let function = self.function?;
        let mut requested = false;
        // An importer that leaves it alone means here and now.
        let mut return_time = point.time;
        // There are no inputs to be set; values are those of an accepted step.
        let (set_requested, get_allowed, step_finished) = (false, true, true);
        // SAFETY: [FMI 3.0] section 4.2.2: the importer provides this function to be called with
        // its environment; both pointers are those of local variables.
        unsafe {
            function(
                self.environment,
                point.time,
                set_requested,
                get_allowed,
                step_finished,
                point.can_return_early,
                &raw mut requested,
                &raw mut return_time,
            );
        }
        requested.then_some(return_time)
    }
}

/// Out arguments of a step.
#[derive(Clone, Copy)]
struct StepResults {
    flags: [(*mut fmi3Boolean, &'static str); 3],
    last_successful_time: *mut fmi3Float64,
}

impl StepResults {
    fn check(self) -> Result<(), Failure> {
        for (pointer, argument) in self.flags {
            check_out(pointer, argument)?;
        }
        check_out(self.last_successful_time, "lastSuccessfulTime")
    }

    /// Writes the out arguments of a step that has ended or failed; otherwise returns the point at
    /// which to call the importer.
    ///
    /// # Safety
    /// The pointers are those of variables of the importer.
    unsafe fn settle(
        self,
        instance: &Instance,
        progress: Result<Progress, Failure>,
    ) -> Result<Option<IntermediatePoint>, Failure> {
        let outcome = match progress {
            Ok(Progress::Intermediate(point)) => return Ok(Some(point)),
            Ok(Progress::Done(outcome)) => Ok(outcome),
            Err(failure) => Err(failure),
        };
        let results = match &outcome {
            Ok(step) => [step.event_handling_needed, false, step.early_return],
            Err(_) => [false; 3],
        };
        // SAFETY: the contract of this function.
        unsafe {
            for ((pointer, argument), result) in self.flags.into_iter().zip(results) {
                write(pointer, result, argument)?;
            }
            let time = instance.time();
            write(self.last_successful_time, time, "lastSuccessfulTime")?;
        }
        match outcome?.remark {
            None => Ok(None),
            Some(remark) => Err(Failure::warning(remark)),
        }
    }
}

/// Takes a communication step. The time reached is written even if the step fails.
///
/// The importer's intermediate update function calls functions of this instance, so it is called
/// while nothing here refers to the instance.
///
/// # Safety
/// As [FMI 3.0] section 4.2.1 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: fmi3Instance,
    currentCommunicationPoint: fmi3Float64,
    communicationStepSize: fmi3Float64,
    _noSetFMUStatePriorToCurrentPoint: fmi3Boolean,
    eventHandlingNeeded: *mut fmi3Boolean,
    terminateSimulation: *mut fmi3Boolean,
    earlyReturn: *mut fmi3Boolean,
    lastSuccessfulTime: *mut fmi3Float64,
) -> fmi3Status {
    const NAME: &str = "fmi3DoStep";
    let results = StepResults {
        flags: [
            (eventHandlingNeeded, "eventHandlingNeeded"),
            (terminateSimulation, "terminateSimulation"),
            (earlyReturn, "earlyReturn"),
        ],
        last_successful_time: lastSuccessfulTime,
    };
    let mut listener = None;
    let mut point = None;
    // SAFETY: section 4.2.1: the pointers are those of variables of the importer.
    let mut status = unsafe {
        guard(instance, NAME, |instance| {
            results.check()?;
            listener = instance.step_listener();
            let progress = instance.begin_step(currentCommunicationPoint, communicationStepSize);
            point = results.settle(instance, progress)?;
            Ok(())
        })
    };
    while let (Some(inside), Some(listener)) = (point.take(), &listener) {
        let early_return = listener.intermediate_update(inside);
        // SAFETY: as above; the instance cannot have been freed meanwhile.
        status = unsafe {
            guard(instance, NAME, |instance| {
                let progress = instance.continue_step(early_return);
                point = results.settle(instance, progress)?;
                Ok(())
            })
        };
    }
    status
}
