//! Making instances: where the resources are, what is refused, and why.

use crate::fmi::instantiation::refusal;
use crate::fmi2::importer::*;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

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
            let text = refusal::<Two>(instantiate(
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

#[test]
fn another_interface_type_is_refused_with_its_number() {
    let fmu = Fmu::falling_ball();
    for kind in [-1, 2, i32::MAX] {
        let text = refusal::<Two>(instantiate(
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
    let importer = co_simulation(&Fmu::falling_ball());
    importer.log();
    importer.refused(importer.call(fmi2Terminate), &[]);
}

#[test]
fn a_null_instance_is_an_error() {
    let none = null_mut();
    // SAFETY: null is allowed or refused.
    unsafe {
        let mut value = 0.0;
        for status in [
            fmi2EnterInitializationMode(none),
            fmi2CancelStep(none),
            fmi2GetRealStatus(none, fmi2LastSuccessfulTime, &raw mut value),
            fmi2GetDirectionalDerivative(none, null(), 0, null(), 0, null(), null_mut()),
        ] {
            assert_eq!(status, fmi2Error);
        }
    }
}
