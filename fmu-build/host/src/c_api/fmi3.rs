//! Tables of FMI 3.0.
//!
//! A boolean that the FMU writes is taken as a byte, because a Rust `bool` other than 0 or 1 is
//! undefined.
#![allow(unsafe_code)]

use super::{InstancePointer, functions};
use std::ffi::{c_char, c_int, c_void};

/// `fmi3LogMessageCallback`.
pub(crate) type LogMessage = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`; only null is ever passed.
pub(crate) type IntermediateUpdate =
    unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut u8, *mut f64);

functions! {
    /// Functions of every interface type.
    Fmi3 Fmi3Common {
        set_debug_logging "fmi3SetDebugLogging"
            (InstancePointer, bool, usize, *const *const c_char) -> c_int;
        free_instance "fmi3FreeInstance" (InstancePointer);
        enter_initialization_mode "fmi3EnterInitializationMode"
            (InstancePointer, bool, f64, f64, bool, f64) -> c_int;
        exit_initialization_mode "fmi3ExitInitializationMode" (InstancePointer) -> c_int;
        enter_event_mode "fmi3EnterEventMode" (InstancePointer) -> c_int;
        update_discrete_states "fmi3UpdateDiscreteStates"
            (InstancePointer, *mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
        terminate "fmi3Terminate" (InstancePointer) -> c_int;
    }
}

functions! {
    /// Functions of Model Exchange.
    Fmi3 Fmi3ModelExchange {
        instantiate "fmi3InstantiateModelExchange"
            (*const c_char, *const c_char, *const c_char, bool, bool, *mut c_void, Option<LogMessage>)
            -> InstancePointer;
        enter_continuous_time_mode "fmi3EnterContinuousTimeMode" (InstancePointer) -> c_int;
        completed_integrator_step "fmi3CompletedIntegratorStep"
            (InstancePointer, bool, *mut u8, *mut u8) -> c_int;
        set_time "fmi3SetTime" (InstancePointer, f64) -> c_int;
        set_continuous_states "fmi3SetContinuousStates"
            (InstancePointer, *const f64, usize) -> c_int;
        get_continuous_states "fmi3GetContinuousStates" (InstancePointer, *mut f64, usize) -> c_int;
        get_derivatives "fmi3GetContinuousStateDerivatives"
            (InstancePointer, *mut f64, usize) -> c_int;
        get_event_indicators "fmi3GetEventIndicators" (InstancePointer, *mut f64, usize) -> c_int;
        get_nominals "fmi3GetNominalsOfContinuousStates"
            (InstancePointer, *mut f64, usize) -> c_int;
        get_number_of_states "fmi3GetNumberOfContinuousStates"
            (InstancePointer, *mut usize) -> c_int;
        get_number_of_indicators "fmi3GetNumberOfEventIndicators"
            (InstancePointer, *mut usize) -> c_int;
    }
}

functions! {
    /// Functions that an FMU need not support.
    Fmi3 Fmi3Derivatives {
        get_directional_derivative "fmi3GetDirectionalDerivative"
            (InstancePointer, *const u32, usize, *const u32, usize, *const f64, usize, *mut f64,
             usize) -> c_int;
    }
}

functions! {
    /// Functions of Co-Simulation.
    Fmi3 Fmi3CoSimulation {
        instantiate "fmi3InstantiateCoSimulation"
            (*const c_char, *const c_char, *const c_char, bool, bool, bool, bool, *const u32, usize,
             *mut c_void, Option<LogMessage>, Option<IntermediateUpdate>) -> InstancePointer;
        enter_step_mode "fmi3EnterStepMode" (InstancePointer) -> c_int;
        do_step "fmi3DoStep"
            (InstancePointer, f64, f64, bool, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
    }
}
