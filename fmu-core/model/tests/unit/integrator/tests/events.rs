//! Times of events against closed forms, entries undone within a step, cost.

use super::super::{DenseStep, Integrator, LegEnd, Memory, Settings, Statistics};
use super::{Problem, Run};
use crate::fixtures::{close, near};
use crate::hybrid::Entry;
use crate::integrator::locate::differs;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A point that falls from `height` [m] onto the ground, its indicator.
fn falling(height: f64) -> Run {
    let problem = Problem::ballistic(-9.81).with_indicators(1, |_, x, z| z[0] = x[0]);
    Run::new(problem, 1e-6, &[height, 0.0])
}

#[test]
fn impact_time_of_a_falling_ball_is_exact() {
    for height in [1e-3, 0.1, 1.0, 10.0, 1234.5] {
        let mut run = falling(height);
        let impact = run.event_before(1e3).unwrap();
        let exact = (2.0 * height / 9.81_f64).sqrt();
        close!(impact, exact, 1e-14, "{height}");
        assert!((run.states[1] / (-9.81 * exact) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn an_event_ends_just_past_the_change_and_not_before_it() {
    for height in [10.0, 3.0, 0.7, 1e-3] {
        let problem = Problem::ballistic(-9.81).with_indicators(1, |_, x, z| z[0] = x[0]);
        let mut run = Run::new(problem, 1e-6, &[height, 0.0]);
        assert_eq!(run.to(5.0), LegEnd::Event);
        // At the speed of the impact, within four roundings of the time, the largest in the step.
        let speed = (2.0 * 9.81 * height).sqrt();
        let most = 4.0 * f64::EPSILON * 5.0 * speed;
        let below = -run.states[0];
        assert!(
            (0.0..=most).contains(&below),
            "{height}: {below:e} {most:e}"
        );
    }
}

#[test]
fn bouncing_ball_meets_the_geometric_series() {
    let mut problem = Problem::ballistic(-9.8).with_indicators(1, |_, x, z| z[0] = x[0]);
    problem.update = Box::new(|_, x| {
        assert!(x[0] <= 0.0 && x[1] < 0.0);
        // Above zero by the smallest height that the impact does not lose in rounding.
        (x[0], x[1]) = (1e-15, -0.8 * x[1]);
    });
    let mut run = Run::new(problem, 1e-8, &[10.0, 0.0]);
    // First fall sqrt(2 h/g) = 10/7 s, then flights 2 * 10/7 e^i.
    let (mut exact, mut flight) = (10.0 / 7.0, 2.0 * 10.0 / 7.0);
    for i in 0..25 {
        let impact = run.event_before(20.0).unwrap();
        near!(impact, exact, 1e-12, "{i}");
        flight *= 0.8;
        exact += flight;
    }
    assert_eq!(run.memory.statistics().events, 25);
}

#[test]
fn elastic_ball_keeps_its_height_over_ten_bounces() {
    // At the tolerance that is suggested for such a ball, and at a finer one. The explicit formula
    // errs by 11 times its estimate where the force begins, which would make 3e-6 of the first.
    for tolerance in [1e-8, 1e-10] {
        let error = height_lost_in_ten_bounces(tolerance);
        assert!(error.abs() < 1e-6, "{tolerance:e}: {error:e}");
    }
}

/// Height that is lost in ten bounces, over that of the start.
fn height_lost_in_ten_bounces(tolerance: f64) -> f64 {
    // Hertz contact of a ball of 1 kg: force k d^1.5 with d the depth below two hysteresis widths,
    // contact and flight divided by events as the contact ledger does it.
    const HYSTERESIS: f64 = 1e-8;
    const STIFFNESS: f64 = 1e10;
    const G: f64 = 9.81;
    let in_contact = Rc::new(Cell::new(false));
    let (in_force, in_gap, in_update) =
        (in_contact.clone(), in_contact.clone(), in_contact.clone());
    // Nominal of the position: the depth of an impact at 1 m/s, k d^(5/2)/(5/2) = 1/2 kg m2/s2.
    let depth = (1.25 / STIFFNESS).powf(0.4);
    let mut problem = Problem::new(&[depth, 1.0], move |_, x, f| {
        let depth = if in_force.get() {
            (-x[0] - 2.0 * HYSTERESIS).max(0.0)
        } else {
            0.0
        };
        (f[0], f[1]) = (x[1], -G + STIFFNESS * depth * depth.sqrt());
        Ok(())
    })
    .with_indicators(1, move |_, x, z| {
        z[0] = if in_gap.get() {
            x[0]
        } else {
            x[0] + 2.0 * HYSTERESIS
        };
    });
    problem.update = Box::new(move |_, x| in_update.set(x[0] < -HYSTERESIS));
    let mut run = Run::new(problem, tolerance, &[0.1, 0.0]);
    for _ in 0..20 {
        run.event_before(10.0).unwrap();
    }
    assert!(!in_contact.get());
    let apex = run.states[0] + run.states[1] * run.states[1] / (2.0 * G);
    1.0 - apex / 0.1
}

#[test]
fn pendulum_passes_its_lowest_point_at_a_quarter_of_its_period() {
    // x'' = -sin x from rest at x0: the quarter period is pi/(2 agm(1, cos(x0/2))).
    let x0 = 2.0_f64;
    let (mut a, mut b) = (1.0_f64, (0.5 * x0).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let exact = std::f64::consts::FRAC_PI_2 / a;
    let problem = Problem::new(&[1.0, 1.0], |_, x, f| {
        (f[0], f[1]) = (x[1], -x[0].sin());
        Ok(())
    })
    .with_indicators(1, |_, x, z| z[0] = x[0]);
    let mut run = Run::new(problem, 1e-10, &[x0, 0.0]);
    let passage = run.event_before(10.0).unwrap();
    close!(passage, exact, 1e-9, "{:e}", passage / exact - 1.0);
}

#[test]
fn event_states_have_the_accuracy_of_the_formula_not_of_its_dense_output() {
    // x' = cos(20 t): the event cuts a step; at its end the error is that of a step of order 5.
    let problem = Problem::new(&[1.0], |t, _, f| {
        f[0] = 20.0 * (20.0 * t).cos();
        Ok(())
    })
    .with_indicators(1, |t, _, z| z[0] = 0.93 - t);
    let mut run = Run::new(problem, 1e-5, &[0.0]);
    let mut worst_inside = 0.0_f64;
    let mut observe = |_: &mut Problem, step: &DenseStep<'_>| {
        for i in 1..10 {
            let (t, mut x) = (
                step.t0() + (step.t1() - step.t0()) * f64::from(i) / 10.0,
                [0.0],
            );
            step.interpolate(t, &mut x);
            worst_inside = worst_inside.max((x[0] - (20.0 * t).sin()).abs());
        }
        Ok(())
    };
    let stop = run.integrator.advance(
        &mut run.problem,
        &mut run.memory,
        &mut run.time,
        &mut run.states,
        2.0,
        Some(&mut observe),
    );
    assert_eq!(stop, Ok(LegEnd::Event));
    // Some tens of steps of at most 2e-5 each; the cut step has the dense output of its own stages.
    assert!(worst_inside < 2e-4, "{worst_inside:e}");
    let at_event = (run.states[0] - (20.0 * run.time).sin()).abs();
    let mut whole = Run::new(
        Problem::new(&[1.0], |t, _, f| {
            f[0] = 20.0 * (20.0 * t).cos();
            Ok(())
        }),
        1e-5,
        &[0.0],
    );
    whole.to(run.time);
    let at_end = (whole.states[0] - (20.0 * whole.time).sin()).abs();
    assert!(at_event <= 2.0 * at_end, "{at_event:e} against {at_end:e}");
}

#[test]
fn the_earliest_of_several_indicators_wins() {
    // All three change within one step of this free flight.
    let problem = Problem::ballistic(0.0).with_indicators(3, |_, x, z| {
        (z[0], z[1], z[2]) = (700.0 - x[0], x[0] - 300.0, 500.0 - x[0]);
    });
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    for exact in [300.0, 500.0, 700.0] {
        let event = run.event_before(1e4).unwrap();
        close!(event, exact, 1e-14);
    }
    assert_eq!(run.event_before(1e4), None);
}

#[test]
fn simultaneous_changes_are_one_event() {
    let problem = Problem::ballistic(0.0).with_indicators(2, |_, x, z| {
        (z[0], z[1]) = (3.0 - x[0], 2.0 * x[0] - 6.0);
    });
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert!((run.event_before(10.0).unwrap() - 3.0).abs() < 1e-14);
    // Both may lie past zero now, or the second a rounding before it.
    if let Some(second) = run.event_before(10.0) {
        assert!((second - 3.0).abs() < 1e-14);
        assert_eq!(run.event_before(10.0), None);
    }
}

/// Surface distance of a ball of radius 0.01 m from a plate of thickness 0.02 m around x = 0.
fn gap_to_plate(x: f64) -> f64 {
    x.abs() - 0.01 - 0.01
}

#[test]
fn a_fast_ball_does_not_pass_through_a_thin_plate() {
    // The plate is passed in 0.4 ms; without it, nothing limits the steps of this flight.
    let mut seed = 1_u64;
    for _ in 0..2000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let random = (seed >> 11) as f64 / (1_u64 << 53) as f64;
        let distance = 0.1 * 1e5_f64.powf(random);
        let problem = Problem::ballistic(0.0).with_gap(100.0, |x| gap_to_plate(x[0]));
        let mut run = Run::new(problem, 1e-6, &[-distance, 100.0]);
        let contact = run.event_before(1e4);
        let exact = (distance - 0.02) / 100.0;
        let contact = contact.unwrap_or_else(|| panic!("plate at {distance} m missed"));
        close!(contact, exact, 1e-12);
        let separation = run.event_before(1e4).unwrap();
        let exact = (distance + 0.02) / 100.0;
        assert!((separation / exact - 1.0).abs() < 1e-12);
        assert_eq!(run.event_before(1e4), None);
    }
}

#[test]
fn a_falling_ball_does_not_pass_through_a_thin_plate() {
    let mut seed = 7_u64;
    for _ in 0..2000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let random = (seed >> 11) as f64 / (1_u64 << 53) as f64;
        let height = 0.1 * 1e4_f64.powf(random);
        // Thrown up, so that the steps are long when it comes down.
        let fastest = (900.0 + 2.0 * 9.81 * height).sqrt() * 1.01;
        let problem = Problem::ballistic(-9.81).with_gap(fastest, |x| gap_to_plate(x[0]));
        let mut run = Run::new(problem, 1e-6, &[height, 30.0]);
        let contact = run
            .event_before(1e4)
            .unwrap_or_else(|| panic!("plate {height} m below missed"));
        let exact = (30.0 + (900.0 + 2.0 * 9.81 * (height - 0.02)).sqrt()) / 9.81;
        close!(contact, exact, 1e-12);
    }
}

#[test]
fn a_ball_that_grazes_a_post_touches_it_when_its_path_is_near_enough() {
    // Straight flight at 50 m/s past a post; the distance of the path from the post's surface is
    // the smallest gap.
    for (miss, touches) in [(-1e-3, true), (-1e-9, true), (1e-9, false), (1e-3, false)] {
        for start in [0.3, 2.0, 17.0, 130.0] {
            let offset: f64 = 0.05 + miss;
            let problem = Problem::new(&[1.0; 4], |_, x, f| {
                (f[0], f[1], f[2], f[3]) = (x[2], x[3], 0.0, 0.0);
                Ok(())
            })
            .with_gap(50.0, |x| x[0].hypot(x[1]) - 0.05);
            let mut run = Run::new(problem, 1e-6, &[-start, offset, 50.0, 0.0]);
            let contact = run.event_before(1e3);
            assert_eq!(contact.is_some(), touches, "miss {miss:e} m from {start} m");
            if let Some(contact) = contact {
                let exact = (start - (0.05_f64.powi(2) - offset * offset).sqrt()) / 50.0;
                // Near tangency a rounding of 1e-16 m moves the root by 1e-16/(slope 1e-4).
                assert!((contact - exact).abs() < 1e-11, "{contact}, exact {exact}");
            }
        }
    }
}

#[test]
fn a_change_exactly_at_the_end_is_an_event_there() {
    let problem = Problem::ballistic(0.0).with_indicators(1, |t, _, z| z[0] = 2.0 - t);
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_eq!(run.to(2.0), LegEnd::Event);
    assert_eq!(run.time, 2.0);
    assert_eq!(run.to(2.0), LegEnd::End);
}

#[test]
fn indicators_are_read_anew_after_each_completed_step() {
    // A completed step may give the slot to another pair.
    let calls = Rc::new(RefCell::new(Vec::new()));
    let (of_indicators, of_steps) = (calls.clone(), calls.clone());
    let mut problem = Problem::ballistic(0.0).with_indicators(1, move |t, _, z| {
        z[0] = 1.0;
        of_indicators.borrow_mut().push(("indicators", t));
    });
    problem.completed_step = Box::new(move |t, _| {
        of_steps.borrow_mut().push(("completed step", t));
        Ok(false)
    });
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_eq!(run.to(100.0), LegEnd::End);
    let calls = calls.borrow();
    let pairs = calls.windows(2);
    let told = pairs.filter(|pair| pair[0].0 == "completed step");
    let mut count = 0;
    for pair in told {
        assert_eq!(pair[1], ("indicators", pair[0].1));
        count += 1;
    }
    // The step that ends at the end is the last call of all.
    assert_eq!(count + 1, run.memory.statistics().steps);
    assert_eq!(calls.last(), Some(&("completed step", 100.0)));
}

#[test]
fn a_change_that_the_formula_does_not_confirm_is_no_event_and_ends_the_step() {
    // In the first step from after 2 s the system expects an entry; the look at it, on the dense
    // output, is below zero, and none after it.
    let seen = Rc::new(Cell::new(None));
    let first_look = seen.clone();
    let steps = Rc::new(RefCell::new(Vec::new()));
    let told = steps.clone();
    let mut last = 0.0;
    let mut problem = Problem::ballistic(0.0).with_indicators(1, move |t, _, z| {
        let is_first = first_look.get().is_none() && t > 2.0 && t < last;
        last = t;
        if is_first {
            first_look.set(Some(t));
        }
        z[0] = if is_first { -1.0 } else { 1.0 };
    });
    let expected = Cell::new(true);
    problem.first_entry = Box::new(move |step| {
        let asked = step.t0() > 2.0 && expected.replace(false);
        asked.then_some(Entry {
            before: 0.4,
            after: 0.5,
        })
    });
    problem.completed_step = Box::new(move |t, _| {
        told.borrow_mut().push(t);
        Ok(false)
    });
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_eq!(run.to(100.0), LegEnd::End);
    assert!((run.states[0] - 100.0).abs() < 1e-12);
    assert_eq!(run.memory.statistics().events, 0);
    assert!(steps.borrow().contains(&seen.get().unwrap()));
}

#[test]
fn what_changes_at_the_end_does_not_hide_what_dips_before() {
    // A point falls through a shelf of 2 cm onto the floor in one step: the floor changes at its
    // end.
    for shelf in [0.15, 0.3, 0.6] {
        let gap = move |x: f64| (x - shelf).abs() - 0.01;
        let mut problem = Problem::ballistic(-9.81).with_gap(15.0, move |x| gap(x[0]));
        problem.indicator_count = 2;
        problem.indicators = Box::new(move |_, x, z| {
            (z[0], z[1]) = (gap(x[0]), x[0]);
            Ok(())
        });
        let mut run = Run::new(problem, 1e-6, &[8.0, 0.0]);
        let impact = run.event_before(5.0).unwrap();
        let exact = (2.0 * (8.0 - shelf - 0.01) / 9.81_f64).sqrt();
        assert!((impact / exact - 1.0).abs() < 1e-13, "{impact}, {exact}");
    }
}

#[test]
fn what_has_no_indicator_ends_the_step_just_past_its_entry_and_is_asked_for_there() {
    let mut problem = Problem::ballistic(-9.81).with_gap(15.0, |x| x[0]);
    problem.indicators = Box::new(|_, _, z| {
        z[0] = 1.0;
        Ok(())
    });
    problem.completed_step = Box::new(|_, x| Ok(x[0] <= 0.0));
    let mut run = Run::new(problem, 1e-6, &[8.0, 0.0]);
    assert_eq!(run.to(5.0), LegEnd::StepEvent);
    let exact = (2.0 * 8.0 / 9.81_f64).sqrt();
    assert!((run.time / exact - 1.0).abs() < 1e-10, "{}", run.time);
}

#[test]
fn a_step_of_which_nothing_is_known_is_tried_again_shorter() {
    let mut problem = Problem::ballistic(0.0).with_indicators(1, |_, _, z| z[0] = 1.0);
    problem.first_entry = Box::new(|step| {
        (step.t1() - step.t0() > 0.1).then_some(Entry {
            before: 0.0,
            after: 0.0,
        })
    });
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_eq!(run.to(3.0), LegEnd::End);
    assert!(run.memory.statistics().steps >= 30);
    assert!((run.states[0] - 3.0).abs() < 1e-13);
}

#[test]
fn a_completed_step_can_ask_for_an_event() {
    let mut problem = Problem::ballistic(0.0);
    problem.completed_step = Box::new(|t, _| Ok(t > 0.5));
    let mut run = Run::new(problem, 1e-6, &[0.0, 1.0]);
    assert_eq!(run.to(100.0), LegEnd::StepEvent);
    assert!(run.time > 0.5 && run.time < 100.0);
    assert_eq!(run.memory.step, None);
    assert!((run.states[0] - run.time).abs() < 1e-13);
}

#[test]
fn the_system_hears_of_each_step_once_and_in_order() {
    let times = Rc::new(RefCell::new(vec![0.0]));
    let heard = times.clone();
    let mut run = falling(10.0);
    run.problem.completed_step = Box::new(move |t, _| {
        heard.borrow_mut().push(t);
        Ok(false)
    });
    assert_eq!(run.to(5.0), LegEnd::Event);
    let times = times.borrow();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(times.last(), Some(&run.time));
    assert_eq!(times.len() as u64 - 1, run.memory.statistics().steps);
}

#[test]
fn the_observed_step_before_an_event_ends_at_the_event() {
    let mut run = falling(10.0);
    let mut ends = Vec::new();
    let mut observe = |_: &mut Problem, step: &DenseStep<'_>| {
        let mut middle = [0.0; 2];
        let t = 0.5 * (step.t0() + step.t1());
        step.interpolate(t, &mut middle);
        assert!((middle[0] - (10.0 - 0.5 * 9.81 * t * t)).abs() < 1e-13);
        ends.push((step.t1(), step.end().to_vec()));
        Ok(())
    };
    let stop = run.integrator.advance(
        &mut run.problem,
        &mut run.memory,
        &mut run.time,
        &mut run.states,
        5.0,
        Some(&mut observe),
    );
    assert_eq!(stop, Ok(LegEnd::Event));
    assert_eq!(ends.last(), Some(&(run.time, run.states.clone())));
}

#[test]
fn search_for_events_costs_two_indicator_calls_per_step_away_from_contact() {
    let problem = Problem::new(&[1.0, 1.0], |_, x, f| {
        (f[0], f[1]) = (x[1], -x[0]);
        Ok(())
    })
    .with_indicators(2, |_, x, z| (z[0], z[1]) = (x[0] + 1.5, x[1] - 1.5));
    let mut run = Run::new(problem, 1e-8, &[1.0, 0.0]);
    run.to(20.0);
    let statistics = run.memory.statistics();
    // At the start one, after the last step none.
    assert_eq!(statistics.indicator_calls, 2 * statistics.steps);
    // k_1 at the start and one for the first step size.
    let attempts = statistics.steps + statistics.rejected_steps;
    assert_eq!(statistics.derivative_calls, 6 * attempts + 2);
}

#[test]
fn work_of_a_bouncing_ball() {
    let mut problem = Problem::ballistic(-9.8).with_indicators(1, |_, x, z| z[0] = x[0]);
    problem.update = Box::new(|_, x| (x[0], x[1]) = (1e-15, -0.8 * x[1]));
    let mut run = Run::new(problem, 1e-8, &[10.0, 0.0]);
    while run.event_before(8.2).is_some() {}
    // Five impacts before 8.2 s; per flight the step grows tenfold from the first one.
    let expected = Statistics {
        steps: 22,
        rejected_steps: 0,
        derivative_calls: 219,
        direction_calls: 0,
        indicator_calls: 96,
        events: 5,
    };
    assert_eq!(*run.memory.statistics(), expected);
}

#[test]
fn tumbling_rod_meets_the_ground_with_either_end() {
    // A rod of half length 0.5 m falls and turns at 30 rad/s; lowest end above ground is the
    // indicator, with a kink when the other end becomes the lower one.
    let settings = Settings::new(1e-4).unwrap();
    for i in 0..200 {
        let height = 0.6 + 0.02 * f64::from(i);
        let gap = |t: f64| height - 4.905 * t * t - 0.5 * (30.0 * t).sin().abs();
        // First zero by marching with steps of 1e-5 s, where a dip of more than 1e-7 m shows.
        let mut t = 0.0;
        while gap(t) > 0.0 {
            t += 1e-5;
        }
        let mut system = Problem::new(&[1e-3, 1.0, 1.0], |_, x, f| {
            (f[0], f[1], f[2]) = (x[1], -9.81, 30.0);
            Ok(())
        })
        .with_gap(15.0 + 9.81 * 2.0, |x| x[0] - 0.5 * x[2].sin().abs());
        let mut integrator = Integrator::new(3, 1, settings.with_max_step(0.05).unwrap());
        let (mut memory, mut time, mut states) = (Memory::default(), 0.0, [height, 0.0, 0.0]);
        let stop = integrator
            .advance(&mut system, &mut memory, &mut time, &mut states, 5.0, None)
            .unwrap();
        assert_eq!(stop, LegEnd::Event);
        near!(time, t, 1.1e-5, "{height}");
    }
}

#[test]
fn an_indicator_of_zero_belongs_to_the_lower_domain() {
    assert!(!differs(0.0, -1.0) && !differs(-0.0, 0.0));
    assert!(differs(0.0, f64::MIN_POSITIVE) && differs(1.0, 0.0));
}
