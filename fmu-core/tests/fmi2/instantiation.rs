//! Making instances: where the resources are, what is refused, and why.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

/// The only message of a refusal.
fn refusal(result: Result<(fmi2Component, impl Sized), Vec<Message>>) -> String {
    let mut messages = result.err().expect("an instance was made");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (_, status, category, text) = messages.remove(0);
    assert_eq!((status, category.as_str()), (fmi2Error, "errors"));
    assert!(text.starts_with("fmi2Instantiate: "), "{text}");
    text
}

fn is_made(kind: fmi2Type, fmu: &Fmu, location: &str) {
    let made = instantiate(kind, Some("a"), Some(&fmu.token), Some(location), true);
    let (component, _messages) = made.unwrap_or_else(|log| panic!("{location}: {log:?}"));
    // SAFETY: made just now.
    unsafe { fmi2FreeInstance(component) };
}

#[test]
fn version_and_platform_are_those_of_the_headers() {
    // SAFETY: static texts.
    let texts = unsafe { [fmi2GetVersion(), fmi2GetTypesPlatform()].map(|t| CStr::from_ptr(t)) };
    assert_eq!(texts, [c"2.0", c"default"]);
}

#[test]
fn resources_are_found_by_uri_and_by_path() {
    let fmu = Fmu::falling_ball();
    let path = fmu.path();
    for kind in [fmi2ModelExchange, fmi2CoSimulation] {
        for start in ["file:", "file://", "file://localhost", ""] {
            for end in ["", "/"] {
                is_made(kind, &fmu, &format!("{start}{path}{end}"));
            }
        }
    }
}

#[test]
fn resources_in_a_folder_with_spaces_and_umlauts_are_found_by_uri() {
    let fmu = Fmu::falling_ball();
    let inner = fmu.folder.join("a b ä#%");
    std::fs::create_dir(&inner).unwrap();
    std::fs::rename(fmu.folder.join("scene.bin"), inner.join("scene.bin")).unwrap();
    let encoded = format!("file://{}/a%20b%20%C3%A4%23%25", fmu.path());
    is_made(fmi2CoSimulation, &fmu, &encoded);
    let raw = format!("file://{}/a b ä#%25", fmu.path());
    is_made(fmi2CoSimulation, &fmu, &raw);
    is_made(fmi2CoSimulation, &fmu, inner.to_str().unwrap());
}

#[test]
fn a_location_that_is_no_local_folder_is_refused_with_the_reason() {
    let fmu = Fmu::falling_ball();
    for (location, word) in [
        ("http://example.org/resources", "\"http\""),
        ("file://server/share", "\"server\""),
        ("file:///tmp/%zz", "hexadecimal"),
        ("file:///nowhere", "/nowhere/scene.bin"),
    ] {
        for logging_on in [false, true] {
            let text = refusal(instantiate(
                fmi2CoSimulation,
                Some("a"),
                Some(&fmu.token),
                Some(location),
                logging_on,
            ));
            assert!(text.contains(word), "{text}");
        }
    }
}

/// A test program is no FMU: the library looks two folders above its own file.
#[test]
fn without_a_location_the_place_of_the_library_is_tried() {
    let fmu = Fmu::falling_ball();
    for location in [None, Some("")] {
        let text = refusal(instantiate(
            fmi2CoSimulation,
            Some("a"),
            Some(&fmu.token),
            location,
            true,
        ));
        assert!(text.contains("resources"), "{text}");
    }
}

#[test]
fn a_wrong_or_null_guid_is_refused_with_the_expected_one() {
    let fmu = Fmu::falling_ball();
    for guid in [Some("deadbeef"), None] {
        let text = refusal(instantiate(
            fmi2ModelExchange,
            Some("a"),
            guid,
            Some(fmu.path()),
            true,
        ));
        assert!(text.contains(&fmu.token), "{text}");
        assert!(text.contains("guid"), "{text}");
        assert!(text.contains(guid.unwrap_or("null")), "{text}");
    }
}

#[test]
fn a_blank_or_null_name_is_refused() {
    let fmu = Fmu::falling_ball();
    for name in [Some(" \t"), Some(""), None] {
        let text = refusal(instantiate(
            fmi2ModelExchange,
            name,
            Some(&fmu.token),
            Some(fmu.path()),
            true,
        ));
        assert!(text.contains("instanceName"), "{text}");
    }
}

#[test]
fn another_interface_type_is_refused_with_its_number() {
    let fmu = Fmu::falling_ball();
    for kind in [-1, 2, i32::MAX] {
        let text = refusal(instantiate(
            kind,
            Some("a"),
            Some(&fmu.token),
            Some(fmu.path()),
            true,
        ));
        assert!(text.contains(&format!("fmuType is {kind}")), "{text}");
    }
}

#[test]
fn null_callbacks_are_refused_and_a_null_logger_is_not() {
    let fmu = Fmu::falling_ball();
    let [name, guid, path] = ["a", &fmu.token, fmu.path()].map(|t| CString::new(t).unwrap());
    let make = |guid: fmi2String, functions: *const fmi2CallbackFunctions| {
        // SAFETY: the texts live, the callbacks are null or those of a local variable.
        unsafe {
            let path = path.as_ptr();
            fmi2Instantiate(name.as_ptr(), fmi2CoSimulation, guid, path, functions, 1, 1)
        }
    };
    let functions = callbacks(None, null_mut());
    assert!(make(guid.as_ptr(), null()).is_null());
    assert!(make(null(), &raw const functions).is_null());
    let component = make(guid.as_ptr(), &raw const functions);
    assert!(!component.is_null());
    // SAFETY: made just now; errors are told to nobody.
    unsafe {
        assert_eq!(fmi2Terminate(component), fmi2Error);
        assert_eq!(fmi2EnterInitializationMode(component), fmi2OK);
        fmi2FreeInstance(component);
    }
}

#[test]
fn the_callbacks_may_be_forgotten_after_the_call() {
    // `instantiate` keeps them in a local variable only.
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    importer.log();
    assert_eq!(importer.call(fmi2Terminate), fmi2Error);
    importer.reason();
}

#[test]
fn a_null_instance_is_an_error_and_freeing_it_is_ignored() {
    let none = null_mut();
    // SAFETY: null is allowed or refused.
    unsafe {
        fmi2FreeInstance(none);
        let mut value = 0.0;
        for status in [
            fmi2Reset(none),
            fmi2SetupExperiment(none, 0, 0.0, 0.0, 0, 0.0),
            fmi2EnterInitializationMode(none),
            fmi2GetReal(none, null(), 0, null_mut()),
            fmi2SetReal(none, null(), 0, null()),
            fmi2GetDerivatives(none, null_mut(), 0),
            fmi2NewDiscreteStates(none, null_mut()),
            fmi2DoStep(none, 0.0, 0.1, 1),
            fmi2CancelStep(none),
            fmi2GetRealStatus(none, fmi2LastSuccessfulTime, &raw mut value),
            fmi2GetFMUstate(none, null_mut()),
            fmi2FreeFMUstate(none, null_mut()),
            fmi2GetDirectionalDerivative(none, null(), 0, null(), 0, null(), null_mut()),
        ] {
            assert_eq!(status, fmi2Error);
        }
    }
}
