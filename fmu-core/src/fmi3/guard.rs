//! The one way from a C function to an [`Instance`]: a null instance is refused, a panic is caught
//! and poisons the instance, a failure is told and becomes a status.

use super::logger::status;
use super::types::{fmi3Instance, fmi3Status};
use crate::instance::{Failure, Instance};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body` on the instance behind `instance`; `name` is that of the C function, for messages.
///
/// # Safety
/// [FMI 3.0] section 2.3.1: `instance` is null or comes from an instantiation function of this
/// library and was not freed; section 2.2: no other function of the same instance runs meanwhile.
pub unsafe fn guard(
    instance: fmi3Instance,
    name: &str,
    body: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> fmi3Status {
    let pointer = instance.cast::<Instance>();
    if pointer.is_null() {
        return fmi3Status::fmi3Error;
    }
    // SAFETY: made by `Box::into_raw` in an instantiation function, by the contract above, and
    // used by nobody else meanwhile.
    let instance = unsafe { &mut *pointer };
    // A panic may leave the instance in any condition: afterwards it only answers reset and free.
    let answer = match catch_unwind(AssertUnwindSafe(|| body(instance))) {
        Ok(answer) => answer,
        Err(payload) => {
            instance.poison();
            Err(Failure::error(format!(
                "failed inside this library, please report it: {}; only fmi3Reset and \
                 fmi3FreeInstance remain for this instance",
                panic_text(&*payload)
            )))
        }
    };
    let Err(failure) = answer else {
        return fmi3Status::fmi3OK;
    };
    // The log function is the importer's; a panic of ours on the way there must not cross either.
    let _ = catch_unwind(AssertUnwindSafe(|| instance.log().failure(name, &failure)));
    status(Some(failure.degree))
}

/// The text of a panic.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::super::lifecycle::{fmi3FreeInstance, fmi3Reset, fmi3Terminate};
    use super::super::logger::Logger;
    use super::super::model_exchange::fmi3GetNumberOfContinuousStates;
    use super::super::types::{fmi3InstanceEnvironment, fmi3String};
    use super::*;
    use crate::instance::resources::Resources;
    use crate::instance::variables::tests::scene;
    use crate::instance::{Log, Options};
    use std::cell::RefCell;
    use std::ffi::CStr;
    use std::sync::Arc;

    type Messages = RefCell<Vec<String>>;

    unsafe extern "C" fn keep(
        environment: fmi3InstanceEnvironment,
        _: fmi3Status,
        _: fmi3String,
        message: fmi3String,
    ) {
        // SAFETY: the environment is the `Messages` of the test, the message ends with zero.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (*environment.cast::<Messages>()).borrow_mut().push(text);
        }
    }

    #[test]
    fn a_panic_is_told_and_leaves_reset_and_free_only() {
        let messages = Box::new(Messages::default());
        let environment = (&raw const *messages).cast_mut().cast();
        let resources = Resources {
            scene: Arc::new(scene()),
            token: "token".into(),
        };
        // SAFETY: the messages live longer than the instance.
        let logger = unsafe { Logger::new(Some(keep), environment) };
        let log = Log::new(logger.sink(), false);
        let instance = Instance::new(Options::MODEL_EXCHANGE, resources, log).unwrap();
        let instance: fmi3Instance = Box::into_raw(Box::new(instance)).cast();
        // SAFETY: the instance lives until it is freed at the end.
        unsafe {
            let mut count = 0;
            let status = fmi3GetNumberOfContinuousStates(instance, &raw mut count);
            assert_eq!(status, fmi3Status::fmi3OK);
            let status = guard(instance, "fmi3Test", |_| panic!("number {}", 42));
            assert_eq!(status, fmi3Status::fmi3Error);
            let told = messages.borrow_mut().pop().unwrap();
            assert!(
                told.starts_with("fmi3Test: ") && told.contains("number 42"),
                "{told}"
            );
            let status = fmi3GetNumberOfContinuousStates(instance, &raw mut count);
            assert_eq!(status, fmi3Status::fmi3Error);
            assert_eq!(fmi3Terminate(instance), fmi3Status::fmi3Error);
            assert_eq!(fmi3Reset(instance), fmi3Status::fmi3OK);
            let status = fmi3GetNumberOfContinuousStates(instance, &raw mut count);
            assert_eq!(status, fmi3Status::fmi3OK);
            fmi3FreeInstance(instance);
        }
    }
}
