//! Communication steps that are refused or fail.

use super::importer::*;
use crate::fixtures::near;
use crate::fmi3::inputs::hammer_over_ball;
use fmu_core::instance::Standard;

in_each_version!(
    a_refused_step_leaves_time_and_states,
    a_step_past_the_stop_time_is_an_error,
    a_step_that_fails_inside_tells_the_last_time_and_can_be_done_again,
    interleaved_instances_do_not_know_each_other,
    one_call_sets_all_of_a_driven_body_in_whatever_order,
);

fn a_refused_step_leaves_time_and_states<V: Version>() {
    let importer = V::stepping(&Fmu::falling_ball());
    importer.whole_step(0.0, 0.1);
    let before = importer.state_variables();
    importer.log();
    for (point, length, words) in [
        (0.1, 0.0, ["size is 0", ""]),
        (0.1, -0.5, ["size is -0.5", ""]),
        (0.1, f64::NAN, ["size is NaN", ""]),
        (0.1, f64::INFINITY, ["size is inf", ""]),
        (0.0, 0.1, ["point is 0", "0.1 s"]),
        (0.3, 0.1, ["point is 0.3", "0.1 s"]),
        (f64::NAN, 0.1, ["point is NaN", "0.1 s"]),
    ] {
        let status = V::do_step(importer.instance, point, length);
        assert_eq!(status, V::ERROR, "{words:?}");
        let reason = importer.says(&words);
        assert!(
            reason.starts_with(&format!("{}DoStep: ", V::PREFIX)),
            "{reason}"
        );
    }
    assert_eq!(V::reached(&importer), 0.1);
    assert_eq!(importer.state_variables(), before);
    // A rounding of the importer's sum is no other time.
    importer.whole_step(0.1 + 1e-16, 0.1);
}

fn a_step_past_the_stop_time_is_an_error<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    importer.fine(V::enter(importer.instance, None, 0.0, Some(0.3)));
    importer.ok(V::EXIT_INITIALIZATION);
    importer.whole_step(0.0, 0.2);
    importer.log();
    assert_eq!(V::do_step(importer.instance, 0.2, 0.2), V::ERROR);
    importer.says(&["stop time", "0.3"]);
    assert_eq!(V::do_step(importer.instance, 0.2, 0.1), V::OK);
}

// [FMI 2.0] section 4.2.2: fmi2Discard says that a part of the step was computed; 4.2.3: after it
// the time reached is asked for; 4.2.2: the step may be done again from a state saved before it.
fn a_step_that_fails_inside_tells_the_last_time_and_can_be_done_again<V: Version>() {
    // One ball rests on the ground; a second one falls, and there is one indicator only.
    let mut description = falling_ball();
    let mut resting = description.bodies[1].clone();
    resting.name = "resting".into();
    resting.shapes[0].name = "resting".into();
    resting.position = [1.0, 0.0, 0.1 - 1e-6];
    description.bodies.push(resting);
    description.contact.nz_max = Some(1);
    let fmu = Fmu::new(description);
    let importer = V::stepping(&fmu);
    importer.log();
    let saved = importer.state();
    let failed = match V::STANDARD {
        Standard::Fmi2 => V::DISCARD,
        Standard::Fmi3 => V::ERROR,
    };
    assert_eq!(V::do_step(importer.instance, 0.0, 0.5), failed);
    importer.says(&["nz_max"]);
    // It failed when the ball touched, at the end of an accepted step.
    let last = V::reached(&importer);
    assert!(last >= impact_time() && last < 0.5, "{last}");
    let is_at = |time: f64| {
        let height = importer.value(V::reference(&fmu, "ball.position[3]"));
        let expected = 0.1 + HEIGHT - GRAVITY * time * time / 2.0;
        assert!((height - expected).abs() < 1e-9, "{height} at {time} s");
    };
    is_at(last);
    // The instance stays there: another communication point is refused.
    assert_eq!(V::do_step(importer.instance, 0.0, 0.5), V::ERROR);
    importer.says(&[&format!("is at {last} s")]);
    // The event is not forgotten: the ball does not fall through the ground.
    importer.refused(V::do_step(importer.instance, last, 0.1), &["nz_max"]);
    assert_eq!(V::reached(&importer), last);
    importer.fine(importer.set_state(saved));
    importer.free_state(saved);
    importer.whole_step(0.0, 0.1);
    is_at(0.1);
}

fn interleaved_instances_do_not_know_each_other<V: Version>() {
    let fmu = Fmu::falling_ball();
    let run = |importer: &Importer<V>, i: u32| importer.whole_step(f64::from(i) / 64.0, 1.0 / 64.0);
    let alone = V::stepping(&fmu);
    (0..64).for_each(|i| run(&alone, i));
    let (one, other) = (V::co_simulation(&fmu), V::co_simulation(&fmu));
    let velocity = V::reference(&fmu, "ball.velocity[1]");
    assert_eq!(other.set(&[velocity], &[1.0]), V::OK);
    one.initialize();
    other.initialize();
    for i in 0..64 {
        run(&one, i);
        run(&other, i);
    }
    assert_eq!(one.state_variables(), alone.state_variables());
    assert_ne!(other.state_variables(), alone.state_variables());
}

/// Orders of three elements.
#[rustfmt::skip]
const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn one_call_sets_all_of_a_driven_body_in_whatever_order<V: Version>() {
    let fmu = Fmu::new(hammer_over_ball());
    let gap = V::reference(&fmu, "contact.indicator[1]");
    let named = |name: &str| V::reference(&fmu, &format!("hammer.{name}"));
    let of = |name: &str| [1, 2, 3].map(|i| named(&format!("{name}[{i}]")));
    let [position, velocity, turn] = ["position", "velocity", "angular_velocity"].map(of);
    let orientation = [1, 2, 3, 4].map(|i| named(&format!("orientation[{i}]")));
    for order in ORDERS {
        for others in [false, true] {
            let importer = V::stepping(&fmu);
            importer.whole_step(0.0, 0.2);
            let (mut called, mut values) = (Vec::new(), Vec::new());
            if others {
                called.extend(turn.iter().chain(&orientation));
                values.extend([0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5]);
            }
            for i in order {
                called.push(position[i]);
                values.push([0.3, -0.4, 1.2][i]);
            }
            if others {
                called.extend(order.map(|i| velocity[i]));
                values.extend(order.map(|i| [-0.3, 0.4, -1.2][i]));
            }
            importer.fine(importer.set(&called, &values));
            // 0.3^2 + 0.4^2 + 1.2^2 = 1.3^2; the indicator has a hysteresis of 2e-8 m.
            let found = importer.value(gap);
            assert!((found - 1.1).abs() < 3e-8, "{order:?} {others}: {found}");
            importer.whole_step(0.2, 0.1);
            // It goes on from there: by 0.1 s of its velocity, here 1.3 m/s towards the ball.
            let x = match others {
                true => [0.27, -0.36, 1.08],
                false => [0.31, -0.38, 1.17],
            };
            let expected = f64::sqrt(x.iter().map(|x| x * x).sum()) - 0.2;
            let found = importer.value(gap);
            near!(found, expected, 3e-8, "{order:?} {others}");
        }
    }
}
