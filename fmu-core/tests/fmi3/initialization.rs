//! Start values, parameters, initial values, reset.

use crate::fixtures::*;
use crate::fmi3::importer::*;

#[test]
fn outputs_in_initialization_mode_follow_the_start_values() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    let height = reference(&fmu, "ball.position[3]");
    let force = reference(&fmu, "ball.contact_force[3]");
    let potential = reference(&fmu, "energy.potential");
    let mass = reference(&fmu, "ball.mass");
    importer.enter_initialization();
    assert_eq!(importer.value(force), 0.0);
    // m g h with the mass of a full sphere of 1000 kg/m3.
    let of_sphere = 1000.0 * std::f64::consts::PI / 6.0 * 0.2_f64.powi(3);
    let expected = of_sphere * GRAVITY * (0.1 + HEIGHT);
    assert!((importer.value(potential) / expected - 1.0).abs() < 1e-14);
    // A millimetre deep the ball is pushed up.
    importer.fine(importer.set(&[height], &[0.1 - 1e-3]));
    assert!(importer.value(force) > 0.0);
    assert_eq!(importer.event_indicators().len(), 1);
    importer.fine(importer.set(&[height, mass], &[0.5, 2.0]));
    assert_eq!(importer.value(force), 0.0);
    assert!((importer.value(potential) / (2.0 * GRAVITY * 0.5) - 1.0).abs() < 1e-14);
}

#[test]
fn a_contact_at_start_is_logged_when_initialisation_ends() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.co_simulation();
    importer.enter_initialization();
    importer.fine(importer.set(&[reference(&fmu, "ball.position[3]")], &[0.1 - 1e-3]));
    importer.value(reference(&fmu, "ball.contact_force[3]"));
    assert_eq!(importer.logged("contacts"), [""; 0]);
    importer.ok(fmi3ExitInitializationMode);
    let expected = ["contact start: t=0.0 pair=ground:ball speed=0.0"];
    assert_eq!(importer.logged("contacts"), expected);
}

#[test]
fn a_parameter_out_of_range_is_refused_by_name_and_can_be_mended() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    let mass = reference(&fmu, "ball.mass");
    importer.enter_initialization();
    importer.fine(importer.set(&[mass], &[-2.5]));
    importer.log();
    assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
    importer.says(&["ball.mass", "-2.5"]);
    importer.refused(importer.set(&[mass], &[f64::NAN]), &["ball.mass", "NaN"]);
    importer.fine(importer.set(&[mass], &[2.5]));
    importer.ok(fmi3ExitInitializationMode);
}

#[test]
fn a_parameter_is_closed_once_the_first_event_mode_is_left() {
    let fmu = Fmu::falling_ball();
    let importer = fmu.model_exchange();
    let mass = reference(&fmu, "ball.mass");
    importer.start_integration();
    importer.log();
    let reason = importer.refused(importer.set(&[mass], &[1.0]), &["ball.mass"]);
    assert!(reason.contains("Continuous-Time Mode"), "{reason}");
    importer.ok(fmi3EnterEventMode);
    assert_eq!(importer.set(&[mass], &[1.0]), fmi3Error);
}

#[test]
fn parameters_set_in_the_first_event_mode_count_as_if_set_before() {
    let fmu = Fmu::falling_ball();
    let references = ["ball.mass", "world.gravity[3]", "ground.position[3]"];
    let references = references.map(|name| reference(&fmu, name));
    // The ground is raised into the ball: a contact from the start.
    let values = [3.0, -2.0, HEIGHT + 1e-4];
    let (before, after) = (fmu.model_exchange(), fmu.model_exchange());
    before.enter_initialization();
    before.fine(before.set(&references, &values));
    before.ok(fmi3ExitInitializationMode);
    after.initialize();
    after.log();
    after.fine(after.set(&references, &values));
    let (status, flags, _) = after.update();
    // Only the nominals are told to have changed.
    let expected = (fmi3OK, [false, false, true, false, false]);
    assert_eq!((status, flags), expected);
    let expected = ["contact start: t=0.0 pair=ground:ball speed=0.0"];
    assert_eq!(after.logged("contacts"), expected);
    assert_eq!(before.update().0, fmi3OK);
    assert_eq!(before.derivatives(), after.derivatives());
    assert_eq!(before.nominals(), after.nominals());
    assert_eq!(before.event_indicators(), after.event_indicators());
}

#[test]
fn an_overlap_made_in_the_first_event_mode_is_refused_and_can_be_mended() {
    let fmu = Fmu::falling_ball();
    let ground = reference(&fmu, "ground.position[3]");
    let importer = fmu.model_exchange();
    importer.initialize();
    importer.log();
    importer.fine(importer.set(&[ground], &[HEIGHT + 0.05]));
    importer.refused(importer.update().0, &["ground:ball by 5.000e-2 m"]);
    importer.fine(importer.set(&[ground], &[HEIGHT]));
    importer.leave_event_mode();
}

#[test]
fn an_orientation_near_unit_norm_is_made_unit_with_a_warning_and_a_rounded_one_silently() {
    let fmu = Fmu::falling_ball();
    for (value, warns) in [(1.5, true), (1.0 + 1e-8, false)] {
        let importer = fmu.model_exchange();
        importer.enter_initialization();
        importer.fine(importer.set(&[reference(&fmu, "ball.orientation[1]")], &[value]));
        importer.log();
        let status = importer.call(fmi3ExitInitializationMode);
        assert_eq!(status, if warns { fmi3Warning } else { fmi3OK }, "{value}");
        if warns {
            importer.says(&["ball.orientation", "1.5"]);
        }
        assert_eq!(importer.continuous_states()[ORIENTATION], 1.0, "{value}");
    }
}

#[test]
fn an_orientation_far_from_unit_norm_or_not_a_number_is_an_error() {
    let fmu = Fmu::falling_ball();
    for (value, text) in [(2.5, "2.5"), (0.25, "0.25"), (f64::NAN, "NaN")] {
        let importer = fmu.model_exchange();
        let w = reference(&fmu, "ball.orientation[1]");
        importer.enter_initialization();
        importer.fine(importer.set(&[w], &[value]));
        importer.log();
        assert_eq!(importer.call(fmi3ExitInitializationMode), fmi3Error);
        importer.says(&["ball.orientation", text]);
        importer.fine(importer.set(&[w], &[1.0]));
        importer.ok(fmi3ExitInitializationMode);
    }
}

/// Under a slide a plate that goes at 3 m/s from 1 s to 2 s, and rests when the scene starts,
/// at 3 s. A run may begin where the plate stops: a start is no jump.
#[test]
fn a_start_so_early_that_a_body_with_joints_would_jump_is_refused() {
    let mut description = falling_ball();
    description.experiment.start_time = 3.0;
    description.experiment.stop_time = 4.0;
    description.bodies[0].motion = Motion::Prescribed;
    description.bodies[0].shapes[0].form = sphere(0.2);
    description.motions = vec![motion_of(
        "ground",
        polyline(vec![1.0, 2.0], vec![[0.0; 3], [3.0, 0.0, 0.0]]),
    )];
    description.bodies[1].motion = Motion::Joint;
    description.bodies[1].position = [0.0; 3];
    description.bodies[1].shapes[0].collision = false;
    description.joints = vec![joint(JointKind::Prismatic, Some("ground"), "ball")];
    let fmu = Fmu::new(description);
    for (start, refused) in [(0.5, true), (1.0, true), (2.0, false), (3.0, false)] {
        let importer = fmu.model_exchange();
        let status = Three::enter(importer.instance, None, start, None);
        if !refused {
            assert_eq!(status, fmi3OK);
            continue;
        }
        assert_eq!(status, fmi3Error);
        let expected = "the velocity of \"ground\" jumps at 2 s, ";
        let reason = importer.says(&[expected]);
        assert!(reason.ends_with("start at 2 s or later"), "{reason}");
    }
}
