//! Making instances: what is refused, and why.

use crate::fmi3::importer::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

#[test]
fn the_version_is_that_of_the_header() {
    // SAFETY: a static text.
    let version = unsafe { CStr::from_ptr(fmi3GetVersion()) };
    assert_eq!(version.to_str(), Ok("3.0"));
}

#[test]
fn an_instance_without_a_logger_fails_quietly() {
    let fmu = Fmu::falling_ball();
    let [name, token, path] =
        ["a", &fmu.token, fmu.path()].map(|t| std::ffi::CString::new(t).unwrap());
    // SAFETY: the texts live through the calls; null is allowed elsewhere.
    unsafe {
        let made = fmi3InstantiateModelExchange(
            name.as_ptr(),
            token.as_ptr(),
            path.as_ptr(),
            false,
            true,
            null_mut(),
            None,
        );
        assert!(!made.is_null());
        assert_eq!(fmi3Terminate(made), fmi3Error);
        fmi3FreeInstance(made);
        let refused =
            fmi3InstantiateModelExchange(null(), null(), null(), false, true, null_mut(), None);
        assert!(refused.is_null());
    }
}

#[test]
fn scheduled_execution_is_refused() {
    let messages = Box::new(std::cell::RefCell::new(Vec::<Message>::new()));
    // SAFETY: null is allowed; the messages live through the call.
    let made = unsafe {
        fmi3InstantiateScheduledExecution(
            null(),
            null(),
            null(),
            false,
            false,
            (&raw const *messages).cast_mut().cast(),
            Some(keep),
            None,
            None,
            None,
        )
    };
    assert!(made.is_null());
    assert!(messages.borrow()[0].2.contains("Scheduled Execution"));
}
