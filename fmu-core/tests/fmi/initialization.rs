//! The experiment, and parameters set after initialisation.

use super::importer::*;

in_each_version!(
    tolerance_and_times_are_checked,
    start_values_are_readable_at_once_and_settable_until_initialisation_ends,
);

fn tolerance_and_times_are_checked<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    importer.log();
    let inf = f64::INFINITY;
    for (tolerance, start, stop, word) in [
        (Some(0.0), 0.0, None, "tolerance is 0"),
        (Some(-1e-6), 0.0, None, "tolerance is -1e-6"),
        (Some(f64::NAN), 0.0, None, "NaN"),
        (Some(1e-30), 0.0, None, "1e-30"),
        (Some(1.0), 0.0, None, "1"),
        (None, f64::NAN, None, "start time is NaN"),
        (None, inf, None, "start time is inf"),
        (None, 1.0, Some(0.5), "stop time is 0.5"),
        (None, 0.0, Some(inf), "stop time is inf"),
        (None, 0.0, Some(f64::NAN), "NaN"),
    ] {
        let status = V::enter(importer.instance, tolerance, start, stop);
        assert_eq!(status, V::ERROR, "{word}");
        let reason = importer.says(&[word]);
        let name = match V::STANDARD {
            fmu_core::instance::Standard::Fmi2 => "fmi2SetupExperiment: ",
            fmu_core::instance::Standard::Fmi3 => "fmi3EnterInitializationMode: ",
        };
        assert!(reason.starts_with(name), "{reason}");
    }
    importer.initialize();
}

fn start_values_are_readable_at_once_and_settable_until_initialisation_ends<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::model_exchange(&fmu);
    let height = V::reference(&fmu, "ball.position[3]");
    assert_eq!(importer.value(height), 0.1 + HEIGHT);
    importer.fine(importer.set(&[height], &[1.0]));
    importer.enter_initialization();
    assert_eq!(importer.value(height), 1.0);
    importer.fine(importer.set(&[height], &[2.0]));
    importer.ok(V::EXIT_INITIALIZATION);
    assert_eq!(importer.continuous_states()[POSITION + 2], 2.0);
    importer.ok(V::ENTER_CONTINUOUS_TIME);
    assert_eq!(importer.derivatives()[VELOCITY + 2], -GRAVITY);
}
