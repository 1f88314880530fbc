//! End stops of joints, integrated from event to event, against closed forms.

use crate::fixtures::{self, *};
use crate::running::Run;
use std::f64::consts::{PI, TAU};

/// Where the depth of a contact starts [m], [rad].
const DEPTH_STARTS: f64 = 2e-8;
const MASS: f64 = 2.0;
/// Moment of inertia about the centre of mass, all axes [kg.m2].
const INERTIA: f64 = 0.05;
/// Of a screw [m].
const PITCH: f64 = -0.9;

/// A body that hangs on a joint and touches nothing.
fn carried(name: &str) -> BodyDescription {
    let mut body = ball(name, [0.0; 3]);
    body.motion = Motion::Joint;
    body.shapes[0].collision = false;
    body.mass.mass = Some(MASS);
    body.mass.inertia = Some([INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0]);
    body
}

/// A joint along or about x with the centre of mass of the child at 0.3 m from its frame.
fn joint(kind: JointKind, parent: Option<&str>, child: &str, speed: f64) -> JointDescription {
    let pitch = if kind.has_pitch() { PITCH } else { 0.0 };
    JointDescription {
        name: format!("{child}_joint"),
        child_frame: frame_at([0.0, 0.0, 0.3]),
        axis: [1.0, 0.0, 0.0],
        second_axis: [0.0, 1.0, 0.0],
        pitch,
        rates: vec![speed],
        reaction: false,
        ..fixtures::joint(kind, parent, child)
    }
}

/// One body on a joint with stops, without gravity.
fn one(kind: JointKind, speed: f64, given: JointStops) -> SceneDescription {
    let mut description = steel_scene(vec![carried("slider")]);
    description.gravity = Gravity::None;
    let mut joint = joint(kind, None, "slider", speed);
    joint.forces[0].stops = Some(given);
    description.joints = vec![joint];
    description
}

/// Goes on to the end, or to so many changes of stops.
fn to(run: &mut Run, end: f64, changes: usize) {
    while run.stops.len() < changes && run.reach_event(end) {
        run.handle_event();
        let z = indicators(&mut run.system, run.time, &run.states);
        let none_is_zero = z.iter().all(|z| *z != 0.0);
        assert!(none_is_zero, "no indicator is zero after an event");
    }
}

/// Without gravity the speed of parting is e times the speed of approach, whatever mass, stiffness
/// and side; both events come where the closed form says.
#[test]
fn a_stop_gives_the_wanted_restitution_at_either_side_of_either_kind_of_joint() {
    let (speed, distance, stiffness) = (1.5, 0.4, 1e5);
    let about_hinge = INERTIA + MASS * 0.3 * 0.3;
    for (kind, inertia) in [
        (JointKind::Prismatic, MASS),
        (JointKind::Revolute, about_hinge),
        (JointKind::Screw, about_hinge + MASS * (PITCH / TAU).powi(2)),
    ] {
        for restitution in [0.1, 0.5, 0.7, 0.95, 1.0] {
            for side in [1.0, -1.0] {
                let place = |wanted: f64| (side == wanted).then_some(side * distance);
                let given = joint_stops(place(-1.0), place(1.0), stiffness, restitution);
                let mut run = Run::new(one(kind, side * speed, given), 1e-11);
                to(&mut run, 10.0, 2);
                let [(start, hit), (end, free)] = run.stops[..] else {
                    panic!("two changes: {:?}", run.stops);
                };
                let found = hit.impact_speed.expect("a start");
                assert!((found / speed - 1.0).abs() < 1e-9, "{found}");
                let expected = (distance + DEPTH_STARTS) / speed;
                assert!((start - expected).abs() < 1e-10, "{start} {expected}");
                assert_eq!((free.impact_speed, free.stop), (None, 0.into()));
                let parting = -side * run.states[1] / speed;
                near!(parting, restitution, 1e-6);
                if restitution == 1.0 {
                    let lasted = PI * (inertia / stiffness).sqrt() + DEPTH_STARTS / speed;
                    let off = (end - start - lasted).abs();
                    assert!(off < 1e-8, "{} {lasted}", end - start);
                }
            }
        }
    }
}

/// Two blocks on one rail, the stop between them: momentum and restitution of a central impact.
#[test]
fn a_stop_between_two_bodies_that_move_gives_the_restitution_of_a_central_impact() {
    let mut description = steel_scene(vec![carried("sledge"), carried("slider")]);
    description.gravity = Gravity::None;
    description.bodies[0].mass.mass = Some(5.0);
    let rail = joint(JointKind::Prismatic, None, "sledge", 0.3);
    let mut between = joint(JointKind::Prismatic, Some("sledge"), "slider", 2.0);
    between.forces[0].stops = Some(joint_stops(None, Some(0.25), 3e5, 0.6));
    description.joints = vec![rail, between];
    let mut run = Run::new(description, 1e-11);
    let rates = |run: &Run| [run.states[1], run.states[3]];
    let before = rates(&run);
    to(&mut run, 10.0, 2);
    let after = rates(&run);
    assert!((after[1] + 0.6 * before[1]).abs() < 1e-6, "{after:?}");
    let momentum = |[sledge, between]: [f64; 2]| 5.0 * sledge + MASS * (sledge + between);
    assert!((momentum(after) - momentum(before)).abs() < 1e-9);
}

/// A block falls on a stop: bounces, and rests m g/K deep.
#[test]
fn a_block_comes_to_rest_on_a_stop_as_deep_as_its_weight_presses_it_in() {
    let stiffness = 1e5;
    let mut description = one(
        JointKind::Prismatic,
        0.0,
        joint_stops(Some(-0.05), None, stiffness, 0.3),
    );
    description.gravity = Gravity::Uniform([-9.81, 0.0, 0.0]);
    let mut run = Run::new(description, 1e-8);
    to(&mut run, 3.0, usize::MAX);
    let expected = -0.05 - DEPTH_STARTS - MASS * 9.81 / stiffness;
    near!(run.states[0], expected, 1e-9);
    // The tolerance of the run, 1e-8 m/s, is what its steps at the limit of stability leave.
    assert!(run.states[1].abs() < 1e-8, "{:e}", run.states[1]);
    assert!(run.system.ledger().stops()[StopId::from(0)].is_some());
    // First impact with sqrt(2 g h), and each next one with no more than 0.3 of the one before.
    let starts = run.stops.iter().filter_map(|(_, c)| c.impact_speed);
    let starts: Vec<f64> = starts.collect();
    let first = (2.0 * 9.81 * (0.05 + DEPTH_STARTS)).sqrt();
    assert!((starts[0] - first).abs() < 1e-6, "{starts:?} {first}");
    assert!(starts.windows(2).all(|s| s[1] < 0.31 * s[0]), "{starts:?}");
    assert!(starts.len() < 12, "{starts:?}");
}

/// q = A sin omega t would pass the stops by a thousandth of A: every pass is met, at a coarse
/// tolerance too, with the speed omega sqrt(A^2 - s^2).
#[test]
fn no_stop_that_is_barely_reached_is_missed() {
    let (omega, amplitude): (f64, f64) = (5.0, 1.0);
    let place = 0.999;
    for tolerance in [1e-4, 1e-6, 1e-9] {
        let given = joint_stops(Some(-place), Some(place), 1e7, 1.0);
        let mut description = one(JointKind::Prismatic, amplitude * omega, given);
        description.joints[0].forces[0].spring = Some(joint_spring(MASS * omega * omega, 0.0));
        let mut run = Run::new(description, tolerance);
        // Between the stops a half-swing takes 2 asin(s/A)/omega; the contacts are short.
        let half = 2.0 * (place / amplitude).asin() / omega;
        to(&mut run, 20.2 * half, usize::MAX);
        let starts: Vec<(f64, StopId, f64)> = run
            .stops
            .iter()
            .filter_map(|(t, c)| Some((*t, c.stop, c.impact_speed?)))
            .collect();
        // At half/2, and every half-swing and contact later.
        assert!(
            (19..=20).contains(&starts.len()),
            "{tolerance} {}",
            starts.len()
        );
        let expected = omega * (amplitude * amplitude - place * place).sqrt();
        for (index, (_, stop, speed)) in starts.iter().enumerate() {
            assert_eq!(*stop, ((index + 1) % 2).into(), "upper and lower in turn");
            // 1/2 (A^2 - s^2) is a thousandth: a coarse solution that changes A by 1e-4 or more
            // says nothing of the speed.
            let error = (speed / expected - 1.0).abs();
            assert!(
                tolerance > 1e-5 || error < 1e-2,
                "{tolerance} {speed} {expected}"
            );
        }
    }
}

/// What the damping takes is what the energies lose.
#[test]
fn energies_and_dissipated_work_of_a_damped_stop_add_up() {
    let given = joint_stops(None, Some(0.1), 1e5, 0.4);
    let mut description = one(JointKind::Prismatic, 2.0, given);
    description.energy_balance = true;
    let mut run = Run::new(description, 1e-11);
    let whole = |run: &mut Run| {
        let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
        let elastic = outputs.elastic_energy;
        (outputs.kinetic_energy + elastic + run.states[2], elastic)
    };
    let (start, _) = whole(&mut run);
    assert!((start - 0.5 * MASS * 4.0).abs() < 1e-12);
    to(&mut run, 10.0, 1);
    // Deep in the contact, then after it: e^2 of the energy is left.
    let end = run.time + 0.3 * PI * (MASS / 1e5_f64).sqrt();
    to(&mut run, end, usize::MAX);
    let (total, elastic) = whole(&mut run);
    assert!(
        elastic > 0.5 && (total - start).abs() < 1e-8 * start,
        "{total}"
    );
    to(&mut run, 10.0, 2);
    let (total, elastic) = whole(&mut run);
    assert_eq!(elastic, 0.0);
    assert!((total - start).abs() < 1e-8 * start, "{total}");
    assert!((run.states[2] - start * (1.0 - 0.16)).abs() < 1e-5 * start);
}

/// q'' = -K depth (1 + d v)/m in contact: value and both derivatives.
#[test]
fn force_and_exact_jacobian_in_contact_are_those_of_the_formula() {
    let (stiffness, restitution) = (1e5, 0.7);
    let given = joint_stops(None, Some(0.1), stiffness, restitution);
    let mut run = Run::new(one(JointKind::Prismatic, 2.0, given), 1e-9);
    to(&mut run, 10.0, 1);
    let contact = run.system.ledger().stops()[StopId::from(0)].expect("a contact");
    assert!((contact.frozen / MASS - 1.0).abs() < 1e-15);
    // u(0.7) = d v_0 from bisection in 60 digits. The depth at which an impact at 2 m/s has the
    // rate v, from its first integral: s^2 = K depth^2/m = 2 (v_0/u)^2 (u - ln(1 + u) - (x - ln(1 + x))), x = d v.
    let (u, v_0, v) = (0.6348282812664168, 2.0, -0.3);
    let d = u / v_0;
    let part = |x: f64| x - x.ln_1p();
    let s_2 = 2.0 / (d * d) * (part(u) - part(d * v));
    let depth = (s_2 * MASS / stiffness).sqrt();
    let states = [0.1 + DEPTH_STARTS + depth, v];
    let rates = rates(&mut run.system, run.time, &states);
    let near = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    };
    near(rates[1], -stiffness * depth * (1.0 + d * v) / MASS);
    let jacobian = jacobian(&mut run.system, run.time, &states);
    // v_0 is homogeneous in v and s: v_0 dF/dv_0 = s^2 + v^2/(1 + d v), with
    // dF = s ds + v dv/(1 + d v).
    let slope = (s_2 + v * v / (1.0 + d * v)) / v_0;
    let of_depth = stiffness * depth / MASS / slope;
    let of_rate = v / (1.0 + d * v) / slope;
    let of_v_0 = -d * v / v_0;
    let expected = -stiffness * (1.0 + d * v + depth * of_v_0 * of_depth) / MASS;
    near(jacobian[1], expected);
    let expected = -stiffness * depth * (d + of_v_0 * of_rate) / MASS;
    near(jacobian[3], expected);
    // It never pulls, however fast the coordinate leaves, and lets go of what it has left.
    for (states, pushes) in [([0.2, -1e3], true), ([0.05, 1.0], false)] {
        let rates = fixtures::rates(&mut run.system, run.time, &states);
        assert_eq!(rates[1] < 0.0, pushes);
        assert!(rates[1] <= 0.0 && rates[1] >= -stiffness * 0.1 / MASS);
    }
}

#[test]
fn indicators_of_stops_stand_behind_the_slots_with_their_hysteresis() {
    let given = joint_stops(Some(-0.2), Some(0.1), 1e5, 0.5);
    let mut run = Run::new(one(JointKind::Prismatic, 1.0, given), 1e-9);
    assert_eq!(run.system.indicator_count(), 2);
    let z = indicators(&mut run.system, 0.0, &[0.05, 1.0]);
    assert!((z[0] - (0.25 + DEPTH_STARTS)).abs() < 1e-16);
    assert!((z[1] - (0.05 + DEPTH_STARTS)).abs() < 1e-16);
    to(&mut run, 10.0, 1);
    let z = indicators(&mut run.system, run.time, &[0.1001, 0.0]);
    // In contact with the upper stop: the gap itself.
    assert!((z[1] + 1e-4).abs() < 1e-16);
}

#[test]
fn a_ledger_written_and_read_in_the_middle_of_a_stop_goes_on_to_the_bit() {
    let given = joint_stops(None, Some(0.1), 1e5, 0.5);
    let description = one(JointKind::Revolute, 1.0, given);
    let mut run = Run::new(description.clone(), 1e-9);
    to(&mut run, 10.0, 1);
    let bytes = postcard::to_stdvec(run.system.ledger()).expect("bytes");
    let read: Ledger = postcard::from_bytes(&bytes).expect("a ledger");
    assert_eq!(read, *run.system.ledger());
    assert!(read.fits(run.system.scene()));
    let mut other = Run::new(description, 1e-9);
    assert_ne!(read, *other.system.ledger());
    other.system.set_ledger(&read);
    let states = [0.1 + 1e-4, 0.5];
    let bits_of = |system: &mut System| rates(system, 1.0, &states).into_iter().map(f64::to_bits);
    assert!(bits_of(&mut other.system).eq(bits_of(&mut run.system)));
    // A scene without stops has no place for it.
    let mut without = one(JointKind::Revolute, 1.0, given);
    without.joints[0].forces[0].stops = None;
    let scene = Scene::new(without).expect("a valid scene");
    assert!(!read.fits(&scene));
}
