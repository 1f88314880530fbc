//! The one way from a C function to an [`Instance`]: a null instance is refused, a panic is caught
//! and poisons the instance, a failure is logged and becomes a status.

use crate::instance::{Degree, Failure, Instance};
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status type of an FMI version.
pub trait Status {
    /// The status of a call that succeeded, or that ended with a failure of this degree.
    fn of(degree: Option<Degree>) -> Self;
}

/// Runs `body` on the instance behind `instance`; `name` is that of the C function, for messages.
///
/// # Safety
/// [FMI 3.0] section 2.3.1: `instance` is null or comes from an instantiation function of this
/// library and was not freed; section 2.2: no other function of the same instance runs meanwhile.
#[inline(always)]
pub unsafe fn guard<S: Status>(
    instance: *mut c_void,
    name: &str,
    body: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> S {
    let pointer = instance.cast::<Instance>();
    if pointer.is_null() {
        return S::of(Some(Degree::Error));
    }
    // SAFETY: made by `Box::into_raw` in an instantiation function, by the contract above, and
    // not used otherwise meanwhile.
    let instance = unsafe { &mut *pointer };
    let failure = match catch_unwind(AssertUnwindSafe(|| body(instance))) {
        Ok(Ok(())) => return S::of(None),
        Ok(Err(failure)) => failure,
        Err(payload) => poison(instance, payload),
    };
    S::of(Some(tell(instance, name, failure)))
}

/// A panic may leave the instance in any condition: afterwards only reset and free are allowed.
#[cold]
#[inline(never)]
fn poison(instance: &mut Instance, payload: Box<dyn Any + Send>) -> Failure {
    instance.poison();
    Failure::error(format!(
        "failed inside this library, please report it: {}; only reset and free remain for this \
         instance",
        panic_text(&*payload)
    ))
}

/// Logs a failure. The log function is the importer's; a panic of ours on the way
/// there must not cross either.
#[cold]
#[inline(never)]
fn tell(instance: &Instance, name: &str, failure: Failure) -> Degree {
    let _ = catch_unwind(AssertUnwindSafe(|| instance.log().failure(name, &failure)));
    failure.degree
}

/// The text of a panic.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::resources::Resources;
    use crate::instance::variables::tests::scene;
    use crate::instance::{Category, Log, LogSink, Options};
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::sync::Arc;

    #[derive(Debug, PartialEq)]
    struct Answer(Option<Degree>);

    impl Status for Answer {
        fn of(degree: Option<Degree>) -> Self {
            Answer(degree)
        }
    }

    #[derive(Clone, Default)]
    struct Messages(Rc<RefCell<Vec<String>>>);

    impl LogSink for Messages {
        fn log(&self, _: Option<Degree>, _: Category, message: &str) {
            self.0.borrow_mut().push(message.to_owned());
        }
    }

    #[test]
    fn a_panic_is_told_and_leaves_reset_and_free_only() {
        let messages = Messages::default();
        let resources = Resources {
            scene: Arc::new(scene()),
            functions: Arc::default(),
            token: "token".into(),
        };
        let log = Log::new(Some(Rc::new(messages.clone())), false);
        let instance = Instance::new(Options::MODEL_EXCHANGE, resources, log).unwrap();
        let pointer: *mut c_void = Box::into_raw(Box::new(instance)).cast();
        let (fine, refused) = (Answer(None), Answer(Some(Degree::Error)));
        let count = |instance: &mut Instance| instance.state_count().map(|_| ());
        // SAFETY: the instance lives until it is freed at the end.
        unsafe {
            assert_eq!(guard::<Answer>(pointer, "count", count), fine);
            let answer: Answer = guard(pointer, "test", |_| panic!("number {}", 42));
            assert_eq!(answer, refused);
            let logged = messages.0.borrow_mut().pop().unwrap();
            assert!(
                logged.starts_with("test: ") && logged.contains("number 42"),
                "{logged}"
            );
            assert_eq!(guard::<Answer>(pointer, "count", count), refused);
            let terminate = Instance::terminate;
            assert_eq!(guard::<Answer>(pointer, "terminate", terminate), refused);
            assert_eq!(guard::<Answer>(pointer, "reset", Instance::reset), fine);
            assert_eq!(guard::<Answer>(pointer, "count", count), fine);
            drop(Box::from_raw(pointer.cast::<Instance>()));
        }
    }

    #[test]
    fn a_null_instance_is_an_error() {
        // SAFETY: null is allowed.
        let answer: Answer = unsafe { guard(std::ptr::null_mut(), "test", |_| Ok(())) };
        assert_eq!(answer, Answer(Some(Degree::Error)));
    }
}
