//! Messages: complete, whatever signs they hold, switched by category.

use crate::fmi2::importer::*;
use crate::fmi3::importer::Fmu;
use fmu_core::fmi2::fmi2Status::*;
use fmu_core::fmi2::*;
use std::ffi::CString;
use std::ptr::null;

#[test]
fn percent_signs_of_a_name_stand_for_themselves() {
    let refused = instantiate(
        fmi2CoSimulation,
        Some("100%s%n"),
        Some("%s%n%d"),
        Some("/nowhere/50%s%n"),
        true,
    );
    let log = refused.err().unwrap();
    let (name, status, category, text) = &log[0];
    assert_eq!((name.as_str(), *status), ("100%s%n", fmi2Error));
    assert_eq!(category, "errors");
    assert!(text.contains("/nowhere/50%s%n/scene.bin"), "{text}");
    let fmu = Fmu::falling_ball();
    let log = instantiate(
        fmi2CoSimulation,
        Some("a"),
        Some("%s%n%d"),
        Some(fmu.path()),
        true,
    )
    .err()
    .unwrap();
    assert!(log[0].3.contains("\"%s%n%d\""), "{log:?}");
}

// [FMI 2.0] section 2.1.5: `#` starts a reference to a variable, `##` is the sign itself.
#[test]
fn number_signs_are_doubled() {
    let refused = instantiate(
        fmi2CoSimulation,
        Some("#1"),
        Some(""),
        Some("/nowhere/#r1#"),
        true,
    );
    let log = refused.err().unwrap();
    let (name, _, _, text) = &log[0];
    assert_eq!(name, "#1");
    assert!(text.contains("/nowhere/##r1##/scene.bin"), "{text}");
}

#[test]
fn log_categories_are_switched_by_name() {
    let fmu = Fmu::falling_ball();
    let importer = co_simulation(&fmu);
    let switch = |on: fmi2Boolean, names: &[&str]| {
        let names: Vec<CString> = names.iter().map(|n| CString::new(*n).unwrap()).collect();
        let pointers: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
        // SAFETY: pointers and length are those of a vector of texts that live.
        unsafe { fmi2SetDebugLogging(importer.component, on, pointers.len(), pointers.as_ptr()) }
    };
    // Any value but 0 is true.
    assert_eq!(switch(42, &["contacts"]), fmi2OK);
    importer.initialize();
    importer.whole_step(0.0, 0.2);
    let log = importer.log();
    let all_contacts = log.iter().all(|(name, status, category, _)| {
        (name.as_str(), *status, category.as_str()) == ("test", fmi2OK, "contacts")
    });
    assert!(!log.is_empty() && all_contacts, "{log:?}");
    assert_eq!(switch(fmi2True, &["contacts", "nonsense"]), fmi2Error);
    let reason = importer.reason();
    assert!(reason.starts_with("fmi2SetDebugLogging: "), "{reason}");
    assert!(reason.contains("nonsense"), "{reason}");
    assert_eq!(switch(fmi2False, &[]), fmi2OK);
    importer.whole_step(0.2, 0.4);
    assert_eq!(importer.log(), []);
    // An error is told all the same.
    assert_eq!(importer.step(9.0, 0.1), fmi2Error);
    importer.reason();
    // SAFETY: null is refused.
    let status = unsafe { fmi2SetDebugLogging(importer.component, fmi2True, 1, null()) };
    assert_eq!(status, fmi2Error);
    assert!(importer.reason().contains("categories"));
    let none = [null()];
    // SAFETY: the pointer is that of a local array.
    let status = unsafe { fmi2SetDebugLogging(importer.component, fmi2True, 1, none.as_ptr()) };
    assert_eq!(status, fmi2Error);
    assert!(importer.reason().contains("categories"));
}
