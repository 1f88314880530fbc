//! Tables of FMI 2.0, with the types platform `default` (fmi2TypesPlatform.h).
#![allow(unsafe_code)]

use super::{InstancePointer, functions};
use std::ffi::{c_char, c_int, c_void};

/// `fmi2Boolean`; true is any number but 0 for what the FMU writes.
pub(crate) type Boolean = c_int;
/// `fmi2False`.
pub(crate) const FALSE: Boolean = 0;
/// `fmi2True`.
pub(crate) const TRUE: Boolean = 1;

/// `fmi2Type`: Model Exchange.
pub(crate) const MODEL_EXCHANGE: c_int = 0;
/// `fmi2Type`: Co-Simulation.
pub(crate) const CO_SIMULATION: c_int = 1;

/// `fmi2StatusKind`: time that a step which was not finished came to.
pub(crate) const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2StatusKind`: whether the FMU asks to end the simulation.
pub(crate) const TERMINATED: c_int = 3;

/// `fmi2CallbackLogger`: environment, instance name, status, category, message, and what the
/// message as a format of printf asks for.
pub(crate) type CallbackLogger =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// `fmi2CallbackAllocateMemory`: memory for some objects of a size, all bytes zero.
pub(crate) type AllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
/// `fmi2CallbackFreeMemory`.
pub(crate) type FreeMemory = unsafe extern "C" fn(*mut c_void);
/// `fmi2StepFinished`; only null is ever passed.
pub(crate) type StepFinished = unsafe extern "C" fn(*mut c_void, c_int);

/// `fmi2CallbackFunctions`.
#[repr(C)]
#[allow(missing_docs)]
pub(crate) struct CallbackFunctions {
    pub logger: Option<CallbackLogger>,
    pub allocate_memory: Option<AllocateMemory>,
    pub free_memory: Option<FreeMemory>,
    pub step_finished: Option<StepFinished>,
    pub component_environment: *mut c_void,
}

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Default)]
#[allow(missing_docs)]
pub(crate) struct EventInfo {
    pub new_discrete_states_needed: Boolean,
    pub terminate_simulation: Boolean,
    pub nominals_of_continuous_states_changed: Boolean,
    pub values_of_continuous_states_changed: Boolean,
    pub next_event_time_defined: Boolean,
    pub next_event_time: f64,
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
