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
