//! An instance of FMI 2.0. Prototypes as in fmi2FunctionTypes.h of the standard, with the types platform
//! `default` (fmi2TypesPlatform.h).
#![allow(unsafe_code)]

use super::{
    CoSimulation, DiscreteUpdate, EventMode, Instance, LiveInstance, ModelExchange, StepAnswer,
    StepEvents, c_text, continuous_time, resource_uri,
};
use crate::c_api::{InstancePointer, functions};
use crate::error::{HostError, Status};
use crate::fmu::Fmu;
use crate::library::Library;
use crate::logger::{self, CallbackLogger};
use std::ffi::{c_char, c_int, c_void};
use std::ptr;

/// `fmi2Boolean`; true is any number but 0 for what the FMU writes.
type Boolean = c_int;
/// `fmi2False`.
const FALSE: Boolean = 0;
/// `fmi2True`.
const TRUE: Boolean = 1;

/// `fmi2Type`: Model Exchange.
const MODEL_EXCHANGE: c_int = 0;
/// `fmi2Type`: Co-Simulation.
const CO_SIMULATION: c_int = 1;

/// `fmi2StatusKind`: time that a step which was not finished came to.
const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2StatusKind`: whether the FMU asks to end the simulation.
const TERMINATED: c_int = 3;

/// `fmi2CallbackAllocateMemory`: memory for some objects of a size, all bytes zero.
type AllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
/// `fmi2CallbackFreeMemory`.
type FreeMemory = unsafe extern "C" fn(*mut c_void);
/// `fmi2StepFinished`; only null is ever passed.
type StepFinished = unsafe extern "C" fn(*mut c_void, c_int);

/// `fmi2CallbackFunctions`.
#[repr(C)]
struct CallbackFunctions {
    logger: Option<CallbackLogger>,
    allocate_memory: Option<AllocateMemory>,
    free_memory: Option<FreeMemory>,
    step_finished: Option<StepFinished>,
    component_environment: *mut c_void,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Default)]
struct EventInfo {
    new_discrete_states_needed: Boolean,
    terminate_simulation: Boolean,
    nominals_of_continuous_states_changed: Boolean,
    values_of_continuous_states_changed: Boolean,
    next_event_time_defined: Boolean,
    next_event_time: f64,
}

functions! {
    /// Functions of every interface type.
    Fmi2 Fmi2Common {
        instantiate "fmi2Instantiate"
            (*const c_char, c_int, *const c_char, *const c_char, *const CallbackFunctions,
             Boolean, Boolean) -> InstancePointer;
        set_debug_logging "fmi2SetDebugLogging"
            (InstancePointer, Boolean, usize, *const *const c_char) -> c_int;
        free_instance "fmi2FreeInstance" (InstancePointer);
        setup_experiment "fmi2SetupExperiment"
            (InstancePointer, Boolean, f64, f64, Boolean, f64) -> c_int;
        enter_initialization_mode "fmi2EnterInitializationMode" (InstancePointer) -> c_int;
        exit_initialization_mode "fmi2ExitInitializationMode" (InstancePointer) -> c_int;
        terminate "fmi2Terminate" (InstancePointer) -> c_int;
    }
}

functions! {
    /// Functions of Model Exchange.
    Fmi2 Fmi2ModelExchange {
        enter_event_mode "fmi2EnterEventMode" (InstancePointer) -> c_int;
        new_discrete_states "fmi2NewDiscreteStates" (InstancePointer, *mut EventInfo) -> c_int;
        enter_continuous_time_mode "fmi2EnterContinuousTimeMode" (InstancePointer) -> c_int;
        completed_integrator_step "fmi2CompletedIntegratorStep"
            (InstancePointer, Boolean, *mut Boolean, *mut Boolean) -> c_int;
        set_time "fmi2SetTime" (InstancePointer, f64) -> c_int;
        set_continuous_states "fmi2SetContinuousStates"
            (InstancePointer, *const f64, usize) -> c_int;
        get_continuous_states "fmi2GetContinuousStates" (InstancePointer, *mut f64, usize) -> c_int;
        get_derivatives "fmi2GetDerivatives" (InstancePointer, *mut f64, usize) -> c_int;
        get_event_indicators "fmi2GetEventIndicators" (InstancePointer, *mut f64, usize) -> c_int;
        get_nominals "fmi2GetNominalsOfContinuousStates"
            (InstancePointer, *mut f64, usize) -> c_int;
    }
}

functions! {
    /// Functions that an FMU need not support.
    Fmi2 Fmi2Derivatives {
        get_directional_derivative "fmi2GetDirectionalDerivative"
            (InstancePointer, *const u32, usize, *const u32, usize, *const f64, *mut f64) -> c_int;
    }
}

functions! {
    /// Functions of Co-Simulation.
    Fmi2 Fmi2CoSimulation {
        do_step "fmi2DoStep" (InstancePointer, f64, f64, Boolean) -> c_int;
        get_real_status "fmi2GetRealStatus" (InstancePointer, c_int, *mut f64) -> c_int;
        get_boolean_status "fmi2GetBooleanStatus" (InstancePointer, c_int, *mut Boolean) -> c_int;
    }
}

// Memory for FMUs that want none of their own, from the C library that Rust's own is linked to.
unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

/// An instance with the functions `F` of its interface type.
pub(crate) struct Fmi2Instance<F> {
    core: LiveInstance,
    common: Fmi2Common,
    functions: F,
    // Numbers of states and event indicators; FMI 2.0 has them in the model description only.
    state_count: usize,
    indicator_count: usize,
    // The instance may keep a pointer to it [FMI 2.0] 2.1.5: dropped after it.
    _callbacks: Box<CallbackFunctions>,
}

impl<F> Fmi2Instance<F> {
    fn instantiate(
        fmu: &Fmu,
        library: Library,
        interface: c_int,
        functions: F,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let common: Fmi2Common = library.table()?;
        let description = fmu.description();
        let name = c_text(&description.model_name)?;
        let token = c_text(&description.instantiation_token)?;
        let location = c_text(&resource_uri(library.folder())?)?;
        let mut callbacks = Box::new(CallbackFunctions {
            logger: Some(logger::fmi2_callback()),
            allocate_memory: Some(calloc),
            free_memory: Some(free),
            step_finished: None,
            component_environment: ptr::null_mut(),
        });
        let function = common.instantiate;
        let instantiate = |environment| {
            callbacks.component_environment = environment;
            // SAFETY: [FMI 2.0] 2.1.5. The strings live during the call, the callbacks and the
            // environment as long as the instance.
            unsafe {
                (function.call)(
                    name.as_ptr(),
                    interface,
                    token.as_ptr(),
                    location.as_ptr(),
                    &raw const *callbacks,
                    FALSE,
                    TRUE,
                )
            }
        };
        // SAFETY: instance and functions are those of the library.
        let core = unsafe {
            LiveInstance::new(library, function.name, common.free_instance, instantiate)?
        };
        let function = common.set_debug_logging;
        let declared = &description.log_categories;
        core.select_categories(
            declared,
            is_watched,
            function.name,
            |pointer, on, count, list| {
                // SAFETY: the instance lives, the texts live during the call.
                unsafe { (function.call)(pointer, c_int::from(on), count, list) }
            },
        )?;
        Ok(Fmi2Instance {
            core,
            common,
            functions,
            state_count: description.state_count(),
            indicator_count: description.indicator_count,
            _callbacks: callbacks,
        })
    }
}

impl<F> Instance for Fmi2Instance<F> {
    fn core(&self) -> &LiveInstance {
        &self.core
    }

    fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: f64,
    ) -> Result<(), HostError> {
        let function = self.common.setup_experiment;
        // SAFETY: the instance lives.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                c_int::from(tolerance.is_some()),
                tolerance.unwrap_or_default(),
                start,
                TRUE,
                stop,
            )
        };
        self.core.check(function.name, status)?;
        self.core.call(self.common.enter_initialization_mode)
    }

    fn exit_initialization_mode(&self) -> Result<(), HostError> {
        self.core.call(self.common.exit_initialization_mode)
    }

    fn terminate(&self) -> Result<(), HostError> {
        self.core.call(self.common.terminate)
    }
}

impl Fmi2Instance<Fmi2ModelExchange> {
    /// Instantiates Model Exchange.
    pub(crate) fn model_exchange(
        fmu: &Fmu,
        library: Library,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let functions = library.table()?;
        Self::instantiate(fmu, library, MODEL_EXCHANGE, functions, is_watched)
    }
}

impl EventMode for Fmi2Instance<Fmi2ModelExchange> {
    fn enter_event_mode(&self) -> Result<(), HostError> {
        self.core.call(self.functions.enter_event_mode)
    }

    fn update_function(&self) -> &'static str {
        self.functions.new_discrete_states.name
    }

    fn update_discrete_states_once(&self) -> Result<(DiscreteUpdate, bool), HostError> {
        let function = self.functions.new_discrete_states;
        let mut info = EventInfo::default();
        // SAFETY: the instance lives, the FMU fills the structure.
        let status = unsafe { (function.call)(self.core.pointer(), &mut info) };
        self.core.check(function.name, status)?;
        let update = DiscreteUpdate {
            terminate: info.terminate_simulation != FALSE,
            nominals_changed: info.nominals_of_continuous_states_changed != FALSE,
            states_changed: info.values_of_continuous_states_changed != FALSE,
            next_event_time: (info.next_event_time_defined != FALSE)
                .then_some(info.next_event_time),
        };
        Ok((update, info.new_discrete_states_needed != FALSE))
    }
}

impl ModelExchange for Fmi2Instance<Fmi2ModelExchange> {
    fn number_of_states(&self) -> Result<usize, HostError> {
        Ok(self.state_count)
    }

    fn number_of_indicators(&self) -> Result<usize, HostError> {
        Ok(self.indicator_count)
    }

    continuous_time!();

    fn directional_derivative(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), HostError> {
        let table: Fmi2Derivatives = self.core.library().table()?;
        let function = table.get_directional_derivative;
        // The version has no arrays: the FMU reads and writes a number for each reference.
        assert_eq!(
            [unknowns.len(), knowns.len()],
            [sensitivity.len(), seed.len()]
        );
        // SAFETY: the instance lives, the lists live during the call.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seed.as_ptr(),
                sensitivity.as_mut_ptr(),
            )
        };
        self.core.check(function.name, status)
    }

    fn completed_integrator_step(&self) -> Result<(bool, bool), HostError> {
        let function = self.functions.completed_integrator_step;
        let (mut event, mut terminate) = (FALSE, FALSE);
        // SAFETY: the instance lives, the FMU writes two booleans.
        let status =
            unsafe { (function.call)(self.core.pointer(), TRUE, &mut event, &mut terminate) };
        self.core.check(function.name, status)?;
        Ok((event != FALSE, terminate != FALSE))
    }
}

impl Fmi2Instance<Fmi2CoSimulation> {
    /// Instantiates Co-Simulation.
    pub(crate) fn co_simulation(
        fmu: &Fmu,
        library: Library,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let functions = library.table()?;
        Self::instantiate(fmu, library, CO_SIMULATION, functions, is_watched)
    }

    /// Whether the FMU discarded a step because it wants the simulation to end.
    fn asks_to_end(&self) -> bool {
        let function = self.functions.get_boolean_status;
        let mut ends = FALSE;
        // SAFETY: the instance lives, the FMU writes a boolean.
        let status = unsafe { (function.call)(self.core.pointer(), TERMINATED, &mut ends) };
        let is_good = Status::from_number(self.core.standard(), status) == Status::Ok;
        is_good && ends != FALSE
    }

    /// Time that a discarded step came to [s].
    fn last_successful_time(&self) -> Result<f64, HostError> {
        let function = self.functions.get_real_status;
        let mut time = f64::NAN;
        // SAFETY: the instance lives, the FMU writes a number.
        let status =
            unsafe { (function.call)(self.core.pointer(), LAST_SUCCESSFUL_TIME, &mut time) };
        self.core.check(function.name, status)?;
        Ok(time)
    }
}

impl CoSimulation for Fmi2Instance<Fmi2CoSimulation> {
    fn events(&self) -> Option<&dyn StepEvents> {
        None
    }

    fn step_function(&self) -> &'static str {
        self.functions.do_step.name
    }

    fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError> {
        let function = self.functions.do_step;
        // SAFETY: the instance lives.
        let number = unsafe { (function.call)(self.core.pointer(), time, length, TRUE) };
        let whole = StepAnswer {
            event_handling_needed: false,
            terminate: false,
            early_return: false,
            time: time + length,
        };
        let status = Status::from_number(self.core.standard(), number);
        match self.core.check(function.name, number) {
            Ok(()) => Ok(whole),
            // [FMI 2.0] 4.2.2: a discarded step may be the end that the FMU asks for.
            Err(_) if status == Status::Discard && self.asks_to_end() => Ok(StepAnswer {
                terminate: true,
                early_return: true,
                time: self.last_successful_time()?,
                ..whole
            }),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// Sizes by the rules of C for five integers of 4 bytes and a number aligned to 8, and for
    /// five pointers.
    #[test]
    fn structures_are_laid_out_as_c_lays_them_out() {
        assert_eq!(offset_of!(EventInfo, next_event_time), 24);
        assert_eq!(size_of::<EventInfo>(), 32);
        assert_eq!(size_of::<CallbackFunctions>(), 5 * size_of::<usize>());
    }
}
