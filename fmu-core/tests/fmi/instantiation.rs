//! Making instances: what is refused, and why.

use super::importer::*;
use fmu_core::instance::Standard;
use std::ptr::null_mut;

in_each_version!(
    both_interfaces_are_made_with_and_without_a_trailing_separator,
    a_missing_scene_is_refused_with_its_path_even_with_logging_off,
    a_wrong_or_null_token_is_refused_with_the_expected_one,
    damaged_scene_bytes_are_refused,
    a_null_or_blank_name_is_refused,
    without_a_resource_path_the_own_place_is_looked_at,
    a_null_instance_is_an_error_and_freeing_it_is_ignored,
);

/// The only message of a refusal.
pub fn refusal<V: Version>(made: Made<V>) -> String {
    let mut messages = made.err().expect("an instance was made");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (status, category, text) = messages.remove(0);
    assert_eq!((status, category.as_str()), (V::ERROR, "errors"));
    let name = format!("{}Instantiate", V::PREFIX);
    assert!(text.starts_with(&name), "{text}");
    text
}

fn both_interfaces_are_made_with_and_without_a_trailing_separator<V: Version>() {
    let fmu = Fmu::falling_ball();
    for model_exchange in [true, false] {
        for path in [fmu.path().to_owned(), format!("{}/", fmu.path())] {
            let texts = [Some("a"), Some(&*fmu.token), Some(&*path)];
            let made = Importer::<V>::made(&fmu, V::instantiate(model_exchange, texts, true));
            assert!(made.is_ok(), "{path}: {:?}", made.err());
        }
    }
}

fn a_missing_scene_is_refused_with_its_path_even_with_logging_off<V: Version>() {
    let fmu = Fmu::falling_ball();
    let path = fmu.folder.join("elsewhere");
    let path = path.to_str().unwrap();
    for logging_on in [false, true] {
        let texts = [Some("a"), Some(&*fmu.token), Some(path)];
        let text = refusal::<V>(V::instantiate(false, texts, logging_on));
        assert!(text.contains(&format!("{path}/scene.bin")), "{text}");
        let name = "fmi3InstantiateCoSimulation";
        assert!(
            V::STANDARD == Standard::Fmi2 || text.starts_with(name),
            "{text}"
        );
    }
}

fn a_wrong_or_null_token_is_refused_with_the_expected_one<V: Version>() {
    let fmu = Fmu::falling_ball();
    for token in [Some("deadbeef"), None] {
        let texts = [Some("a"), token, Some(fmu.path())];
        let text = refusal::<V>(V::instantiate(true, texts, true));
        assert!(text.contains(&fmu.token), "{text}");
        assert!(text.contains(token.unwrap_or("null")), "{text}");
        assert!(
            V::STANDARD == Standard::Fmi3 || text.contains("guid"),
            "{text}"
        );
    }
}

fn damaged_scene_bytes_are_refused<V: Version>() {
    let fmu = Fmu::falling_ball();
    let file = fmu.folder.join("scene.bin");
    let good = std::fs::read(&file).unwrap();
    for damaged in [&good[..good.len() - 1], &good[..5], b"no scene", b""] {
        std::fs::write(&file, damaged).unwrap();
        // The token belongs to the damaged bytes, so that they are looked at.
        let token = contact_model::scene::checked::token(damaged);
        let texts = [Some("a"), Some(&*token), Some(fmu.path())];
        let text = refusal::<V>(V::instantiate(false, texts, true));
        assert!(text.contains("scene.bin"), "{text}");
    }
}

fn a_null_or_blank_name_is_refused<V: Version>() {
    let fmu = Fmu::falling_ball();
    for name in [None, Some(""), Some(" \t")] {
        for model_exchange in [true, false] {
            let texts = [name, Some(&*fmu.token), Some(fmu.path())];
            let text = refusal::<V>(V::instantiate(model_exchange, texts, true));
            assert!(text.contains("instanceName"), "{text}");
        }
    }
}

/// A test program is no FMU: the library looks two folders above its own file, and the message tells where the
/// scene would be.
fn without_a_resource_path_the_own_place_is_looked_at<V: Version>() {
    let fmu = Fmu::falling_ball();
    for path in [None, Some("")] {
        let texts = [Some("a"), Some(&*fmu.token), path];
        let text = refusal::<V>(V::instantiate(false, texts, true));
        assert!(text.contains("resources/scene.bin"), "{text}");
    }
}

fn a_null_instance_is_an_error_and_freeing_it_is_ignored<V: Version>() {
    let none = null_mut();
    // SAFETY: null is allowed or refused.
    unsafe {
        V::FREE(none);
        for status in [
            V::RESET(none),
            V::SET_TIME(none, 0.0),
            V::EXIT_INITIALIZATION(none),
            V::DERIVATIVES(none, null_mut(), 0),
            V::GET_STATE(none, null_mut()),
            V::FREE_STATE(none, null_mut()),
        ] {
            assert_eq!(status, V::ERROR);
        }
    }
    for status in [
        V::get(none, &[], &mut []),
        V::set(none, &[], &[]),
        V::enter(none, None, 0.0, None),
        V::update(none).0,
        V::do_step(none, 0.0, 0.1),
    ] {
        assert_eq!(status, V::ERROR);
    }
}
