//! Making instances: what is refused, and why.

use crate::fmi3::importer::*;
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

const SIMPLE: Interface = Interface::CoSimulation {
    event_mode: false,
    early_return: false,
};

/// The only message of a refusal.
fn refusal(result: Result<(fmi3Instance, impl Sized), Vec<Message>>) -> String {
    let mut messages = result.err().expect("an instance was made");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (status, category, text) = messages.remove(0);
    assert_eq!((status, category.as_str()), (fmi3Error, "errors"));
    text
}

#[test]
fn the_version_is_that_of_the_header() {
    // SAFETY: a static text.
    let version = unsafe { CStr::from_ptr(fmi3GetVersion()) };
    assert_eq!(version.to_str(), Ok("3.0"));
}

#[test]
fn both_interfaces_are_made_with_and_without_a_trailing_separator() {
    let fmu = Fmu::falling_ball();
    for interface in [Interface::ModelExchange, SIMPLE] {
        for path in [fmu.path().to_owned(), format!("{}/", fmu.path())] {
            let made = instantiate(interface, Some("a"), Some(&fmu.token), Some(&path), true);
            let (instance, _messages) = made.unwrap_or_else(|log| panic!("{log:?}"));
            // SAFETY: made just now.
            unsafe { fmi3FreeInstance(instance) };
        }
    }
}

#[test]
fn a_missing_scene_is_refused_with_its_path_even_with_logging_off() {
    let fmu = Fmu::falling_ball();
    let path = fmu.folder.join("elsewhere");
    let path = path.to_str().unwrap();
    let text = refusal(instantiate(
        SIMPLE,
        Some("a"),
        Some(&fmu.token),
        Some(path),
        false,
    ));
    assert!(text.contains("fmi3InstantiateCoSimulation"), "{text}");
    assert!(text.contains(&format!("{path}/scene.bin")), "{text}");
}

#[test]
fn a_wrong_or_null_token_is_refused_with_the_expected_one() {
    let fmu = Fmu::falling_ball();
    for token in [Some("deadbeef"), None] {
        let text = refusal(instantiate(
            Interface::ModelExchange,
            Some("a"),
            token,
            Some(fmu.path()),
            true,
        ));
        assert!(text.contains(&fmu.token), "{text}");
        assert!(text.contains(token.unwrap_or("null")), "{text}");
    }
}

#[test]
fn damaged_scene_bytes_are_refused() {
    let fmu = Fmu::falling_ball();
    let file = fmu.folder.join("scene.bin");
    let good = std::fs::read(&file).unwrap();
    for damaged in [&good[..good.len() - 1], &good[..5], b"no scene", b""] {
        std::fs::write(&file, damaged).unwrap();
        // The token belongs to the damaged bytes, so that they are looked at.
        let token = contact_model::scene::checked::token(damaged);
        let made = instantiate(SIMPLE, Some("a"), Some(&token), Some(fmu.path()), true);
        let text = refusal(made);
        assert!(text.contains("scene.bin"), "{text}");
    }
}

#[test]
fn a_null_or_blank_name_is_refused() {
    let fmu = Fmu::falling_ball();
    for name in [None, Some(""), Some(" \t")] {
        let made = instantiate(SIMPLE, name, Some(&fmu.token), Some(fmu.path()), true);
        assert!(refusal(made).contains("instanceName"));
    }
}

#[test]
fn without_a_resource_path_the_own_place_is_looked_at() {
    let fmu = Fmu::falling_ball();
    for path in [None, Some("")] {
        let made = instantiate(SIMPLE, Some("a"), Some(&fmu.token), path, true);
        // The test program is not inside an unpacked FMU; the message tells where one would be.
        let text = refusal(made);
        assert!(text.contains("resources/scene.bin"), "{text}");
    }
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

#[test]
fn a_null_instance_is_an_error_and_freeing_it_is_ignored() {
    // SAFETY: null is allowed.
    unsafe {
        assert_eq!(fmi3Reset(null_mut()), fmi3Error);
        assert_eq!(fmi3SetTime(null_mut(), 0.0), fmi3Error);
        fmi3FreeInstance(null_mut());
    }
}
