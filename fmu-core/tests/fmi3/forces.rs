//! Prescribed forces through the C functions, against closed forms; time events; saved states.

use crate::fixtures::*;
use crate::fmi3::importer::*;

/// A body of 2 kg in empty space, on which forces act.
fn body_under(forces: Vec<ForceDescription>) -> SceneDescription {
    let mut body = ball("body", [0.0; 3]);
    body.mass.mass = Some(2.0);
    body.mass.inertia = Some([0.5, 0.5, 0.4, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![body]);
    description.gravity = Gravity::None;
    description.experiment.tolerance = Some(1e-10);
    description.forces = forces;
    description
}

fn under_table() -> Fmu {
    Fmu::new(body_under(vec![force("push", "body", table_of_x())]))
}

/// 8 cos t along x.
fn under_cosine() -> SceneDescription {
    let mut description = body_under(vec![force(
        "shaker",
        "body",
        ForceProfile::Sine {
            amplitude: vectors(Some([8.0, 0.0, 0.0]), None),
            angular_frequency: 1.0,
            phase: std::f64::consts::FRAC_PI_2,
        },
    )]);
    description.bodies[0].position = [0.5, 0.0, 0.0];
    description.bodies[0].velocity = [-1.0, 0.0, 0.0];
    description
}

/// x_0 + v_0 t + 8/m (1 - cos t).
fn cosine_position(time: f64) -> f64 {
    0.5 - time + 4.0 * (1.0 - time.cos())
}

/// From Event Mode after initialisation to `end` by Runge-Kutta steps of order 4, some per stretch
/// from one time event to the next; the times of the events.
fn integrate_by_time_events(importer: &Importer, steps: u32, end: f64) -> Vec<f64> {
    let mut met = Vec::new();
    let mut time = 0.0;
    while time < end {
        let (status, flags, next) = importer.update();
        assert_eq!(status, fmi3OK);
        importer.ok(fmi3EnterContinuousTimeMode);
        let stretch_end = if flags[4] { next.min(end) } else { end };
        assert!(stretch_end > time);
        let h = (stretch_end - time) / f64::from(steps);
        let slope = |t: f64, x: &[f64]| {
            importer.fine(importer.set_time(t));
            importer.fine(importer.set_states(x));
            importer.derivatives()
        };
        let add = |x: &[f64], h: f64, f: &[f64]| -> Vec<f64> {
            x.iter().zip(f).map(|(x, f)| x + h * f).collect()
        };
        for i in 0..steps {
            let t = time + f64::from(i) * h;
            let after = if i + 1 == steps { stretch_end } else { t + h };
            let x = importer.continuous_states();
            let a = slope(t, &x);
            let b = slope(t + h / 2.0, &add(&x, h / 2.0, &a));
            let c = slope(t + h / 2.0, &add(&x, h / 2.0, &b));
            let d = slope(after, &add(&x, h, &c));
            let mean = (0..x.len()).map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0);
            let mean: Vec<f64> = mean.collect();
            importer.fine(importer.set_states(&add(&x, h, &mean)));
            assert!(!importer.completed_step());
        }
        time = stretch_end;
        importer.ok(fmi3EnterEventMode);
        if time < end {
            met.push(time);
        }
    }
    met
}

#[test]
fn a_cosine_moves_a_body_by_its_closed_form_in_both_interfaces() {
    let fmu = Fmu::new(under_cosine());
    let exchange = fmu.model_exchange();
    exchange.initialize();
    assert_eq!(integrate_by_time_events(&exchange, 2000, 10.0), [0.0; 0]);
    let simulation = fmu.stepping();
    simulation.whole_step(0.0, 10.0);
    for importer in [exchange, simulation] {
        let position = importer.value(reference(&fmu, "body.position[1]"));
        let error = position - cosine_position(10.0);
        assert!(error.abs() < 1e-8, "{error:e}");
    }
}

#[test]
fn amplitude_set_before_initialisation_ends_acts_like_one_of_the_scene() {
    let fmu = Fmu::new(under_cosine());
    let importer = fmu.co_simulation();
    let amplitude = reference(&fmu, "force.shaker.force[1]");
    assert_eq!(importer.value(amplitude), 8.0);
    importer.enter_initialization();
    importer.fine(importer.set(&[amplitude], &[16.0]));
    importer.ok(fmi3ExitInitializationMode);
    importer.whole_step(0.0, 3.0);
    let expected = 0.5 - 3.0 + 8.0 * (1.0 - 3.0_f64.cos());
    let error = importer.value(reference(&fmu, "body.position[1]")) - expected;
    assert!(error.abs() < 1e-8, "{error:e}");
}

#[test]
fn kinks_of_a_table_are_time_events_and_the_motion_between_them_is_exact() {
    let fmu = under_table();
    let importer = fmu.model_exchange();
    importer.initialize();
    // One step on each stretch: the position is a cubic there.
    let met = integrate_by_time_events(&importer, 1, 2.0);
    assert_eq!(met, TABLE.map(|[time, _]| time));
    let [x, v] = moved_by_table(2.0);
    let states = importer.continuous_states();
    assert!((states[0] - x).abs() < 1e-14, "{}", states[0] - x);
    assert!((states[7] - v).abs() < 1e-14, "{}", states[7] - v);
}

#[test]
fn no_step_of_the_built_in_integration_crosses_a_kink() {
    let fmu = under_table();
    let (position, velocity) = (
        reference(&fmu, "body.position[1]"),
        reference(&fmu, "body.velocity[1]"),
    );
    for lengths in [&[2.0][..], &[0.4, 0.4, 0.4, 0.8], &[0.3, 0.2, 0.25, 1.25]] {
        let importer = Importer::watched(&fmu, Interface::SIMPLE, Some(&[position]));
        let importer = importer.unwrap();
        importer.initialize();
        let mut time = 0.0;
        let mut stops = Vec::new();
        for length in lengths {
            let mut listener = |told: Told| {
                stops.push(told.time);
                Wish::GoOn
            };
            let (status, flags, last) = importer.step_with(time, *length, &mut listener);
            assert_eq!((status, flags), (fmi3OK, [false; 3]));
            time += length;
            assert_eq!(last, time);
            let [x, v] = moved_by_table(time);
            let (dx, dv) = (importer.value(position) - x, importer.value(velocity) - v);
            assert!(dx.abs() < 1e-9 && dv.abs() < 1e-9, "{time}: {dx:e} {dv:e}");
        }
        for [kink, _] in TABLE {
            assert!(stops.contains(&kink), "{kink} of {lengths:?}");
        }
    }
}

#[test]
fn early_returns_at_time_events_give_the_motion_of_events_handled_inside_to_the_bit() {
    let fmu = under_table();
    let (inside, outside) = (fmu.co_simulation(), fmu.with_event_mode(true));
    inside.initialize();
    outside.initialize();
    let (status, flags, next) = outside.update();
    assert_eq!((status, flags[4], next), (fmi3OK, true, TABLE[0][0]));
    outside.ok(fmi3EnterStepMode);
    inside.whole_step(0.0, 2.0);
    let (mut time, mut met) = (0.0, Vec::new());
    while time < 2.0 {
        let (status, [event, _, early], last) = outside.step(time, 2.0 - time);
        assert_eq!((status, event), (fmi3OK, early));
        time = last;
        if event {
            met.push(time);
            outside.event(fmi3EnterStepMode);
        }
    }
    assert_eq!(met, TABLE.map(|[time, _]| time));
    assert_eq!(inside.state_variables(), outside.state_variables());
}

#[test]
fn a_time_event_at_the_end_of_a_step_is_told_with_the_step() {
    let fmu = under_table();
    for early_return in [false, true] {
        let importer = fmu.event_stepping(early_return);
        let (status, flags, last) = importer.step(0.0, TABLE[0][0]);
        assert_eq!((status, flags), (fmi3OK, [true, false, false]));
        assert_eq!(last, TABLE[0][0]);
        importer.event(fmi3EnterStepMode);
    }
}

#[test]
fn an_importer_that_returns_early_before_a_kink_meets_it_in_the_next_step() {
    let fmu = under_table();
    let position = reference(&fmu, "body.position[1]");
    let interface = Interface::CoSimulation {
        event_mode: false,
        early_return: true,
    };
    let importer = Importer::watched(&fmu, interface, Some(&[position])).unwrap();
    importer.initialize();
    let mut asked = false;
    let mut listener = |_: Told| match std::mem::replace(&mut asked, true) {
        false => Wish::ReturnAt(0.4),
        true => Wish::GoOn,
    };
    let (status, [_, _, early], last) = importer.step_with(0.0, 2.0, &mut listener);
    assert_eq!((status, early, last), (fmi3OK, true, 0.4));
    let mut stops = Vec::new();
    let mut listener = |told: Told| {
        stops.push(told.time);
        Wish::GoOn
    };
    assert_eq!(importer.step_with(0.4, 1.6, &mut listener).0, fmi3OK);
    assert!(stops.contains(&TABLE[1][0]), "{stops:?}");
    let error = importer.value(position) - moved_by_table(2.0)[0];
    assert!(error.abs() < 1e-9, "{error:e}");
}

#[test]
fn a_force_is_that_of_the_present_time_in_whatever_order_times_come() {
    let fmu = under_table();
    let importer = fmu.integrating();
    let rate = reference(&fmu, "der(body.velocity[1])");
    // Past all events that were told, back again, and on the lines between.
    for (time, force) in [(1.2, -1.25), (0.4, 2.5), (5.0, 0.5), (0.0, 1.0), (0.6, 4.0)] {
        importer.fine(importer.set_time(time));
        for found in [importer.derivatives()[7], importer.value(rate)] {
            assert!((found - force / 2.0).abs() < 1e-14, "{time}: {found}");
        }
    }
}

/// Constant torque about the body's z axis, which a quarter turn about x has put along -y of the
/// world: w_z' = M/I_zz. In world axes the torque about y does the same with the other sign.
#[test]
fn a_torque_about_an_axis_of_symmetry_turns_by_its_closed_form() {
    for (axes, torque, sign) in [
        (ForceAxes::Body, [0.0, 0.0, 0.2], 1.0),
        (ForceAxes::World, [0.0, 0.2, 0.0], -1.0),
    ] {
        let vectors = vectors(None, Some(torque));
        let mut twist = force("twist", "body", ForceProfile::Constant(vectors));
        twist.axes = axes;
        let mut description = body_under(vec![twist]);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        description.bodies[0].orientation = [half, half, 0.0, 0.0];
        let fmu = Fmu::new(description);
        let importer = fmu.stepping();
        importer.whole_step(0.0, 3.0);
        let value = |name: &str| importer.value(reference(&fmu, name));
        let (alpha, t) = (sign * 0.2 / 0.4, 3.0);
        assert!((value("body.angular_velocity[3]") - alpha * t).abs() < 1e-8);
        // q = (quarter turn about x) * (turn by alpha t^2/2 about z).
        let angle = alpha * t * t / 2.0;
        let (s, c) = (angle / 2.0).sin_cos();
        for (i, q) in [half * c, half * c, -half * s, half * s].iter().enumerate() {
            let found = value(&format!("body.orientation[{}]", i + 1));
            assert!((found - q).abs() < 1e-8, "{axes:?} {i}: {found} {q}");
        }
    }
}

#[test]
fn a_run_across_a_table_continues_from_a_saved_state_to_the_bit() {
    let fmu = under_table();
    let rest = |importer: &Importer| {
        let row = |i: u32| {
            importer.whole_step(f64::from(i) / 8.0, 0.125);
            importer.state_variables()
        };
        // Kinks at 0.5 and 0.75 fall on communication points, the others within steps.
        (3..16).map(row).collect::<Vec<_>>()
    };
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.375);
    let saved = importer.state();
    let bytes = importer.serialize(saved);
    let expected = rest(&importer);
    importer.fine(importer.set_state(saved));
    assert_eq!(rest(&importer), expected);
    let other = fmu.co_simulation();
    other.restore(&bytes);
    assert_eq!(rest(&other), expected);
    let exchange = fmu.integrating();
    Runge::new(&exchange, 1.0 / 64.0, 0).run(24);
    let state = exchange.state();
    let expected = Runge::new(&exchange, 1.0 / 64.0, 24).run(80);
    exchange.fine(exchange.set_state(state));
    assert_eq!(Runge::new(&exchange, 1.0 / 64.0, 24).run(80), expected);
    importer.free_state(saved);
    exchange.free_state(state);
}
