//! Where and when latches close.

use super::*;
use crate::running::DividedRun;
use contact_model::integrator::Solver;

/// A mass on a slide from a place [m] with a speed [m/s].
fn slider(position: f64, speed: f64, close: LatchDescription) -> SceneDescription {
    let joints = vec![slide(None, "a", position, speed)];
    scene(vec![lump("a", 2.0)], joints, vec![close])
}

fn at(place: f64, side: CloseFrom) -> LatchDescription {
    LatchDescription {
        close_at: Some(place),
        close_from: side,
        ..latch("a")
    }
}

/// A pawl catches a slide where it comes from its side, and only there.
#[test]
fn a_pawl_catches_what_comes_from_its_side() {
    for (start, speed, place, side, closes) in [
        (0.0, 2.0, 0.5, CloseFrom::Below, true),
        (0.0, -2.0, -0.5, CloseFrom::Above, true),
        (0.0, 2.0, 0.5, CloseFrom::Above, false),
        (1.0, 2.0, 0.5, CloseFrom::Below, false),
        (1.0, -2.0, 0.5, CloseFrom::Below, false),
        (0.5, 2.0, 0.5, CloseFrom::Below, false),
    ] {
        let mut run = Run::new(slider(start, speed, at(place, side)), 1e-10);
        let mut caught = None;
        run.until(1.0, |system| !latch_changes(system).is_empty());
        if run.time < 1.0 {
            caught = Some(run.time);
        }
        assert_eq!(caught.is_some(), closes, "{start} {speed} {place} {side:?}");
        if let Some(time) = caught {
            near(time, ((place - start) / speed).abs(), 1e-12);
            near(run.states[0], place, 1e-12);
            assert_eq!(run.states[1], 0.0);
            run.to(3.0);
            near(run.states[0], place, 1e-12);
        }
    }
}

/// A slide under gravity, for which a step is as long as it may be, rises over a place by little and is
/// below it again at the end of the step: it is caught. What stays just below is not.
#[test]
fn a_pawl_sees_a_coordinate_that_comes_over_it_within_a_step() {
    let (v, g) = (5.0, 9.81_f64);
    let top = v * v / (2.0 * g);
    for (below, closes) in [(1e-3, true), (1e-9, true), (-1e-9, false)] {
        let mut description = slider(0.0, v, at(top - below, CloseFrom::Below));
        description.gravity = Gravity::Uniform([-g, 0.0, 0.0]);
        let mut run = Run::new(description, 1e-8);
        run.to(2.0);
        assert_eq!(is_closed(&run, 0), closes, "{below}");
        if closes {
            near(run.states[0], top - below, 1e-11);
        }
    }
}

/// A pawl that opens lets the slide swing on and catches it when it comes again: on a spring with the
/// amplitude A and the angular frequency w it is at c at arcsin(c/A)/w.
#[test]
fn a_pawl_that_has_opened_catches_the_next_time() {
    let (k, m, v, c) = (8.0, 2.0, 1.0, 0.3);
    let w = f64::sqrt(k / m);
    let mut pawl = at(c, CloseFrom::Below);
    pawl.open_time = Some(1.0);
    let mut description = slider(0.0, v, pawl);
    description.joints[0].forces[0].spring = Some(joint_spring(k, 0.0));
    let mut run = Run::new(description, 1e-12);
    run.until(0.9, |system| !latch_changes(system).is_empty());
    near(run.time, (c / (v / w)).asin() / w, 1e-10);
    go(&mut run, 1.0);
    assert!(!is_closed(&run, 0));
    // From rest at c it swings back with the amplitude c, whose top is c, where it stays open.
    run.to(1.0 + 0.5);
    near(run.states[0], c * (w * 0.5).cos(), 1e-10);
}

/// A free body passes by the frame of its latch: it is caught where it comes nearer than r, also if a step
/// of the integrator goes from before to behind. On a straight line at the distance b from the frame that
/// is sqrt(r^2 - b^2) before the nearest point.
#[test]
fn a_gripper_grasps_what_comes_near() {
    let (speed, r) = (4.0, 0.1);
    for (b, closes) in [(0.0, true), (0.06, true), (0.0999, true), (0.1001, false)] {
        let mut grip = latch("a");
        grip.close_distance = Some(r);
        let mut free = joint(JointKind::Free, None, "a");
        free.positions = vec![-1.0, b, 0.0, 1.0, 0.0, 0.0, 0.0];
        free.rates = vec![speed, 0.0, 0.0, 1.0, 2.0, 3.0];
        let mut run = Run::new(scene(vec![lump("a", 2.0)], vec![free], vec![grip]), 1e-6);
        run.until(0.5, |system| !latch_changes(system).is_empty());
        assert_eq!(run.time < 0.5, closes, "{b}");
        if closes {
            let way = 1.0 - (r * r - b * b).sqrt();
            near(run.time, way / speed, 1e-9);
            assert!(run.states[7..].iter().all(|rate| *rate == 0.0));
        }
    }
}

/// A gripper closes at once on what lies in it at start, and opens at its time.
#[test]
fn a_gripper_closes_on_what_lies_in_it_at_start() {
    let mut grip = latch("a");
    (grip.close_distance, grip.open_time) = (Some(0.1), Some(0.5));
    let mut free = joint(JointKind::Free, None, "a");
    free.rates[0] = 1.0;
    let mut run = Run::new(scene(vec![lump("a", 2.0)], vec![free], vec![grip]), 1e-8);
    assert!(is_closed(&run, 0) && run.states[7] == 0.0);
    go(&mut run, 1.0);
    assert!(!is_closed(&run, 0) && run.states[0] == 0.0);
}

/// Carts with pawls and schedules at different places: as a whole and island by island they are in the same
/// states, and their latches close and open at the same times.
#[test]
fn islands_latch_as_the_whole() {
    let count = 4;
    let (mut bodies, mut joints, mut latches) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..count {
        let n = index as f64;
        let [cart, rider] = [format!("cart{index}"), format!("rider{index}")];
        bodies.push(lump(&cart, 1.0 + n));
        bodies.push(lump(&rider, 0.5));
        joints.push(slide(None, &cart, 10.0 * n, 0.5 + 0.1 * n));
        let mut own = slide(Some(&cart), &rider, -0.3, 1.0 + 0.2 * n);
        own.forces[0].spring = Some(joint_spring(5.0, 0.4));
        joints.push(own);
        latches.push(LatchDescription {
            close_at: Some(0.3 + 0.05 * n),
            open_time: (index % 2 == 0).then_some(1.5),
            ..latch(&rider)
        });
    }
    let description = scene(bodies, joints, latches);
    for step in [0.01, 0.3] {
        let mut whole = Run::new(description.clone(), 1e-11);
        let mut divided = DividedRun::new(description.clone(), 1e-11);
        for end in [1.5, 2.5] {
            go(&mut whole, end);
            divided.to(end, step);
            let result = divided
                .system
                .update_event(divided.time, &mut divided.states);
            result.expect("an event update");
            all_near(&divided.states, &whole.states, 1e-8);
            let both = [&whole.system, &divided.system].map(|system| {
                let latches = system.ledger().latches().iter();
                latches.map(|latch| latch.is_closed).collect::<Vec<bool>>()
            });
            assert_eq!(both[0], both[1]);
        }
        let closed = divided.changes.iter().filter(|(_, change)| match change {
            Change::Latch(change) => change.is_closed,
            _ => false,
        });
        assert!(closed.count() >= count);
        assert!(divided.sizes.iter().any(|(_, islands)| *islands == count));
    }
}

/// The implicit formula stops at triggers, too.
#[test]
fn the_implicit_formula_meets_triggers() {
    let mut run = Run::new(slider(0.0, 2.0, at(0.5, CloseFrom::Below)), 1e-8);
    run = run.with_solver(Solver::Implicit);
    run.to(1.0);
    assert_eq!((is_closed(&run, 0), run.states[1]), (true, 0.0));
    near(run.states[0], 0.5, 1e-9);
}
