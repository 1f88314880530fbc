//! An instance of FMI 3.0. Prototypes as in fmi3FunctionTypes.h of the standard.
//!
//! A boolean that the FMU writes is taken as a byte, because a Rust `bool` other than 0 or 1 is
//! undefined.
#![allow(unsafe_code)]

use super::{
    CoSimulation, DiscreteUpdate, EventMode, Instance, LiveInstance, ModelExchange, StepAnswer,
    StepEvents, c_text, continuous_time, resource_path,
};
use crate::c_api::{Function, InstancePointer, functions};
use crate::error::HostError;
use crate::fmu::Fmu;
use crate::library::Library;
use crate::logger;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

/// `fmi3LogMessageCallback`.
type LogMessage = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`; only null is ever passed.
type IntermediateUpdate =
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

/// An instance with the functions `F` of its interface type.
pub(crate) struct Fmi3Instance<F> {
    core: LiveInstance,
    common: Fmi3Common,
    functions: F,
    event_mode_used: bool,
}

/// Strings that an instantiation passes.
struct Names {
    instance: CString,
    token: CString,
    resources: Option<CString>,
}

impl Names {
    fn new(fmu: &Fmu, library: &Library) -> Result<Names, HostError> {
        let description = fmu.description();
        let resources = resource_path(library.folder())?;
        Ok(Names {
            instance: c_text(&description.model_name)?,
            token: c_text(&description.instantiation_token)?,
            resources: resources.as_deref().map(c_text).transpose()?,
        })
    }

    fn resources(&self) -> *const c_char {
        self.resources.as_ref().map_or(ptr::null(), |r| r.as_ptr())
    }
}

impl Fmi3Instance<Fmi3ModelExchange> {
    /// Instantiates Model Exchange.
    pub(crate) fn model_exchange(
        fmu: &Fmu,
        library: Library,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let common: Fmi3Common = library.table()?;
        let functions: Fmi3ModelExchange = library.table()?;
        let names = Names::new(fmu, &library)?;
        // SAFETY: [FMI 3.0] 2.3.1. The strings live during the call, the environment as long as
        // the instance; the resource path may be null.
        let instantiate = |environment| unsafe {
            (functions.instantiate.call)(
                names.instance.as_ptr(),
                names.token.as_ptr(),
                names.resources(),
                false,
                true,
                environment,
                Some(logger::receive_fmi3),
            )
        };
        let name = functions.instantiate.name;
        // SAFETY: instance and functions are those of the library.
        let core = unsafe { LiveInstance::new(library, name, common.free_instance, instantiate)? };
        Self::finish(fmu, core, common, functions, true, is_watched)
    }
}

impl Fmi3Instance<Fmi3CoSimulation> {
    /// Instantiates Co-Simulation.
    pub(crate) fn co_simulation(
        fmu: &Fmu,
        library: Library,
        event_mode: bool,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let common: Fmi3Common = library.table()?;
        let functions: Fmi3CoSimulation = library.table()?;
        let names = Names::new(fmu, &library)?;
        // SAFETY: as for Model Exchange; no intermediate variables, no intermediate update.
        let instantiate = |environment| unsafe {
            (functions.instantiate.call)(
                names.instance.as_ptr(),
                names.token.as_ptr(),
                names.resources(),
                false,
                true,
                event_mode,
                event_mode,
                ptr::null(),
                0,
                environment,
                Some(logger::receive_fmi3),
                None,
            )
        };
        let name = functions.instantiate.name;
        // SAFETY: instance and functions are those of the library.
        let core = unsafe { LiveInstance::new(library, name, common.free_instance, instantiate)? };
        Self::finish(fmu, core, common, functions, event_mode, is_watched)
    }
}

impl<F> Fmi3Instance<F> {
    fn finish(
        fmu: &Fmu,
        core: LiveInstance,
        common: Fmi3Common,
        functions: F,
        event_mode_used: bool,
        is_watched: bool,
    ) -> Result<Self, HostError> {
        let function = common.set_debug_logging;
        let declared = &fmu.description().log_categories;
        core.select_categories(
            declared,
            is_watched,
            function.name,
            |pointer, on, count, list| {
                // SAFETY: the instance lives, the texts live during the call.
                unsafe { (function.call)(pointer, on, count, list) }
            },
        )?;
        Ok(Fmi3Instance {
            core,
            common,
            functions,
            event_mode_used,
        })
    }
}

impl<F> Instance for Fmi3Instance<F> {
    fn core(&self) -> &LiveInstance {
        &self.core
    }

    fn enter_initialization_mode(
        &self,
        tolerance: Option<f64>,
        start: f64,
        stop: f64,
    ) -> Result<(), HostError> {
        let function = self.common.enter_initialization_mode;
        // SAFETY: the instance lives.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                tolerance.is_some(),
                tolerance.unwrap_or_default(),
                start,
                true,
                stop,
            )
        };
        self.core.check(function.name, status)
    }

    fn exit_initialization_mode(&self) -> Result<(), HostError> {
        self.core.call(self.common.exit_initialization_mode)
    }

    fn terminate(&self) -> Result<(), HostError> {
        self.core.call(self.common.terminate)
    }
}

impl<F> EventMode for Fmi3Instance<F> {
    fn enter_event_mode(&self) -> Result<(), HostError> {
        self.core.call(self.common.enter_event_mode)
    }

    fn update_function(&self) -> &'static str {
        self.common.update_discrete_states.name
    }

    fn update_discrete_states_once(&self) -> Result<(DiscreteUpdate, bool), HostError> {
        let function = self.common.update_discrete_states;
        let (mut again, mut terminate, mut nominals, mut states) = (0, 0, 0, 0);
        let (mut has_next, mut next) = (0, 0.0);
        // SAFETY: the instance lives, the FMU writes five booleans and a number.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                &mut again,
                &mut terminate,
                &mut nominals,
                &mut states,
                &mut has_next,
                &mut next,
            )
        };
        self.core.check(function.name, status)?;
        let update = DiscreteUpdate {
            terminate: terminate != 0,
            nominals_changed: nominals != 0,
            states_changed: states != 0,
            next_event_time: (has_next != 0).then_some(next),
        };
        Ok((update, again != 0))
    }
}

impl ModelExchange for Fmi3Instance<Fmi3ModelExchange> {
    fn number_of_states(&self) -> Result<usize, HostError> {
        self.number(self.functions.get_number_of_states)
    }

    fn number_of_indicators(&self) -> Result<usize, HostError> {
        self.number(self.functions.get_number_of_indicators)
    }

    continuous_time!();

    fn directional_derivative(
        &self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), HostError> {
        let table: Fmi3Derivatives = self.core.library().table()?;
        let function = table.get_directional_derivative;
        // SAFETY: the instance lives, the lists live during the call.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                unknowns.as_ptr(),
                unknowns.len(),
                knowns.as_ptr(),
                knowns.len(),
                seed.as_ptr(),
                seed.len(),
                sensitivity.as_mut_ptr(),
                sensitivity.len(),
            )
        };
        self.core.check(function.name, status)
    }

    fn completed_integrator_step(&self) -> Result<(bool, bool), HostError> {
        let function = self.functions.completed_integrator_step;
        let (mut event, mut terminate) = (0, 0);
        // SAFETY: the instance lives, the FMU writes two booleans.
        let status =
            unsafe { (function.call)(self.core.pointer(), true, &mut event, &mut terminate) };
        self.core.check(function.name, status)?;
        Ok((event != 0, terminate != 0))
    }
}

impl Fmi3Instance<Fmi3ModelExchange> {
    fn number(
        &self,
        function: Function<unsafe extern "C" fn(InstancePointer, *mut usize) -> c_int>,
    ) -> Result<usize, HostError> {
        let mut count = 0;
        // SAFETY: the instance lives, the FMU writes one number.
        let status = unsafe { (function.call)(self.core.pointer(), &mut count) };
        self.core.check(function.name, status)?;
        Ok(count)
    }
}

impl CoSimulation for Fmi3Instance<Fmi3CoSimulation> {
    fn events(&self) -> Option<&dyn StepEvents> {
        self.event_mode_used.then_some(self)
    }

    fn step_function(&self) -> &'static str {
        self.functions.do_step.name
    }

    fn do_step(&self, time: f64, length: f64) -> Result<StepAnswer, HostError> {
        let function = self.functions.do_step;
        let (mut event, mut terminate, mut early) = (0, 0, 0);
        let mut reached = time;
        // SAFETY: the instance lives, the FMU writes three booleans and a number.
        let status = unsafe {
            (function.call)(
                self.core.pointer(),
                time,
                length,
                true,
                &mut event,
                &mut terminate,
                &mut early,
                &mut reached,
            )
        };
        self.core.check(function.name, status)?;
        Ok(StepAnswer {
            event_handling_needed: event != 0,
            terminate: terminate != 0,
            early_return: early != 0,
            time: reached,
        })
    }
}

impl StepEvents for Fmi3Instance<Fmi3CoSimulation> {
    fn enter_step_mode(&self) -> Result<(), HostError> {
        self.core.call(self.functions.enter_step_mode)
    }
}
