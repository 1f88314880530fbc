//! Arguments that no importer should pass, and the log.

use super::importer::*;
use std::ffi::CString;

in_each_version!(
    an_unknown_reference_is_refused_with_its_number,
    a_refused_set_changes_none_of_its_variables,
    vectors_of_the_wrong_length_are_refused_with_both_lengths,
    integers_are_read_as_integers_only,
    states_that_are_not_finite_are_discarded_by_name_and_change_nothing,
    log_categories_are_switched_by_name,
);

fn an_unknown_reference_is_refused_with_its_number<V: Version>() {
    let importer = V::model_exchange(&Fmu::falling_ball());
    importer.log();
    let mut value = [0.0];
    for reference in [0, 1_000_000, u32::MAX] {
        assert_eq!(importer.get(&[reference], &mut value), V::ERROR);
        importer.says(&[&reference.to_string()]);
        assert_eq!(importer.set(&[reference], &[1.0]), V::ERROR);
        importer.says(&[&reference.to_string()]);
    }
}

fn a_refused_set_changes_none_of_its_variables<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::model_exchange(&fmu);
    let before = importer.state_variables();
    let energy = V::reference(&fmu, "energy.kinetic");
    importer.log();
    let status = importer.set(&[V::state_references(&importer)[0], energy], &[7.0, 1.0]);
    assert_eq!(status, V::ERROR);
    importer.says(&["energy.kinetic"]);
    assert_eq!(importer.state_variables(), before);
}

fn vectors_of_the_wrong_length_are_refused_with_both_lengths<V: Version>() {
    let importer = V::integrating(&Fmu::falling_ball());
    importer.log();
    assert_eq!(importer.set_states(&[0.0; 12]), V::ERROR);
    importer.says(&["12", "13"]);
    importer.refused(importer.try_vector(V::INDICATORS, 2).0, &["2", "1"]);
}

fn integers_are_read_as_integers_only<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::model_exchange(&fmu);
    let count = V::reference(&fmu, "contact.count");
    let position = V::reference(&fmu, "ball.position[1]");
    assert_eq!(importer.int32(count), 0);
    importer.log();
    assert_eq!(V::int32(importer.instance, position).0, V::ERROR);
    let ([real, integer], prefix) = (V::TYPES, V::PREFIX);
    assert_eq!(
        importer.reason(),
        format!(
            "{prefix}Get{integer}: variable ball.position[1] (value reference {position}) is of \
             type {real}, not {integer}"
        )
    );
    assert_eq!(importer.get(&[count], &mut [0.0]), V::ERROR);
    importer.says(&[&format!("is of type {integer}, not {real}")]);
    importer.refused(importer.set_int32(count, 1), &["contact.count"]);
}

fn log_categories_are_switched_by_name<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    let switch = |on, names: &[&str]| {
        let names: Vec<CString> = names.iter().map(|n| CString::new(*n).unwrap()).collect();
        let pointers: Vec<_> = names.iter().map(|n| n.as_ptr()).collect();
        V::switch_log(importer.instance, on, &pointers)
    };
    assert_eq!(switch(true, &["contacts"]), V::OK);
    importer.initialize();
    importer.whole_step(0.0, 0.2);
    let log = importer.log();
    let all_contacts = log.iter().all(|(s, c, _)| *s == V::OK && c == "contacts");
    assert!(!log.is_empty() && all_contacts, "{log:?}");
    assert_eq!(switch(true, &["contacts", "nonsense"]), V::ERROR);
    let reason = importer.says(&["nonsense", "integrator"]);
    assert!(
        reason.starts_with(&format!("{}SetDebugLogging: ", V::PREFIX)),
        "{reason}"
    );
    assert_eq!(switch(false, &[]), V::OK);
    importer.whole_step(0.2, 0.4);
    assert_eq!(importer.log(), []);
    // An error is told all the same.
    importer.refused(importer.call(V::ENTER_EVENT), &[]);
    importer.refused(V::do_step(importer.instance, 9.0, 0.1), &[]);
}

fn states_that_are_not_finite_are_discarded_by_name_and_change_nothing<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::integrating(&fmu);
    let good = importer.continuous_states();
    for (value, text) in [(f64::NAN, "NaN"), (f64::NEG_INFINITY, "-inf")] {
        let mut bad = good.clone();
        bad[POSITION + 1] = value;
        importer.log();
        assert_eq!(importer.set_states(&bad), V::DISCARD);
        let reason = importer.says(&["ball.position[2]"]);
        assert!(reason.contains(text), "{reason}");
        let position = V::reference(&fmu, "ball.position[3]");
        assert_eq!(importer.set(&[position], &[value]), V::DISCARD);
        assert_eq!(importer.continuous_states(), good);
    }
    assert_eq!(importer.set_time(f64::NAN), V::ERROR);
}
