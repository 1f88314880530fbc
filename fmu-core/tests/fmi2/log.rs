//! Messages: complete, whatever signs they hold.

use crate::fmi::instantiation::refusal;
use crate::fmi2::importer::*;
use std::ptr::null;

/// The only message of a refusal, which has this name.
fn refused(name: &str, guid: &str, location: &str) -> String {
    let made = instantiate(
        fmi2CoSimulation,
        Some(name),
        Some(guid),
        Some(location),
        true,
    );
    assert_eq!(NAME.take(), name);
    refusal::<Two>(made)
}

#[test]
fn percent_signs_of_a_name_stand_for_themselves() {
    let text = refused("100%s%n", "%s%n%d", "/nowhere/50%s%n");
    assert!(text.contains("/nowhere/50%s%n/scene.bin"), "{text}");
    let text = refused("a", "%s%n%d", Fmu::falling_ball().path());
    assert!(text.contains("\"%s%n%d\""), "{text}");
}

// [FMI 2.0] section 2.1.5: `#` starts a reference to a variable, `##` is the sign itself.
#[test]
fn number_signs_are_doubled() {
    let text = refused("#1", "", "/nowhere/#r1#");
    assert!(text.contains("/nowhere/##r1##/scene.bin"), "{text}");
}

#[test]
fn null_categories_are_refused() {
    let importer = co_simulation(&Fmu::falling_ball());
    importer.log();
    // SAFETY: null is refused.
    let status = unsafe { fmi2SetDebugLogging(importer.instance, fmi2True, 1, null()) };
    importer.refused(status, &["categories"]);
    assert_eq!(NAME.take(), "test");
    assert_eq!(
        Two::switch_log(importer.instance, true, &[null()]),
        fmi2Error
    );
    importer.says(&["categories"]);
}
