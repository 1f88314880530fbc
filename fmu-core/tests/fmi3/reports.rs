//! Reported contacts as an importer reads them.

use crate::fixtures::*;
use crate::fmi3::importer::*;

fn reported(mut description: SceneDescription) -> Fmu {
    description.report = Report::All;
    Fmu::new(description)
}

/// The variable of the pair of ball and ground.
fn of_ball(fmu: &Fmu, importer: &Importer, name: &str) -> f64 {
    importer.value(reference(fmu, &format!("contact.ground.ball.{name}")))
}

fn vector(fmu: &Fmu, importer: &Importer, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|i| importer.value(reference(fmu, &format!("{name}[{i}]"))))
}

fn count(fmu: &Fmu, importer: &Importer) -> i32 {
    importer.int32(reference(fmu, "contact.ground.ball.count"))
}

fn in_contact(fmu: &Fmu, importer: &Importer) -> bool {
    importer.boolean(reference(fmu, "contact.ground.ball.in_contact"))
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * expected.abs().max(1.0),
        "{found} instead of {expected}"
    );
}

/// A ball of 0.1 m radius, 0.1 m over the ground, that flies and spins.
fn thrown() -> SceneDescription {
    let mut description = falling_ball();
    let ball = &mut description.bodies[1];
    ball.velocity = [0.3, -0.4, -0.2];
    ball.angular_velocity = [2.0, 1.0, 7.0];
    description
}

/// The contact point is halfway between the ball's lowest point and the ground, 0.15 m below the
/// centre; there the ball moves by v + w x (0, 0, -0.15 m).
#[test]
fn a_pair_apart_has_a_gap_a_point_and_a_motion_and_no_force() {
    let fmu = reported(thrown());
    for importer in [fmu.model_exchange(), fmu.co_simulation()] {
        importer.enter_initialization();
        let of = |name: &str| of_ball(&fmu, &importer, name);
        let vector = |name: &str| vector(&fmu, &importer, &format!("contact.ground.ball.{name}"));
        assert!(!in_contact(&fmu, &importer));
        assert_near(of("gap"), 0.1, 1e-15);
        assert_eq!(of("penetration"), 0.0);
        assert_near(of("gap_rate"), -0.2, 1e-15);
        for (found, expected) in vector("point").into_iter().zip([0.0, 0.0, 0.05]) {
            assert_near(found, expected, 1e-15);
        }
        assert_eq!(vector("normal"), [0.0, 0.0, 1.0]);
        let slip: [f64; 2] = [0.3 - 1.0 * 0.15, -0.4 + 2.0 * 0.15];
        assert_near(of("slip_speed"), slip[0].hypot(slip[1]), 1e-15);
        assert_eq!(of("normal_force"), 0.0);
        for name in ["tangential_force", "force", "torque", "impulse"] {
            assert_eq!(vector(name), [0.0; 3], "{name}");
        }
        for name in ["peak_force", "last_impact_time", "last_impact_speed"] {
            assert_eq!(of(name), 0.0, "{name}");
        }
        assert_eq!(count(&fmu, &importer), 0);
    }
}

/// 4 ms after its start the contact goes on; it is all that the ball feels.
#[test]
fn a_pair_in_contact_has_the_force_that_moves_the_ball() {
    let mut description = thrown();
    description.bodies[1].velocity = [3.0, -4.0, -0.2];
    let fmu = reported(description);
    let importer = fmu.stepping();
    let start = (-0.2 + (0.04 + 2.0 * GRAVITY * HEIGHT).sqrt()) / GRAVITY;
    importer.whole_step(0.0, start + 0.004);
    let of = |name: &str| of_ball(&fmu, &importer, name);
    let vector = |name: &str| vector(&fmu, &importer, name);
    let own = |name: &str| vector(&format!("contact.ground.ball.{name}"));
    assert!(in_contact(&fmu, &importer));
    let height = importer.value(reference(&fmu, "ball.position[3]"));
    assert_near(of("gap"), height - 0.1, 1e-15);
    assert_near(of("penetration"), 0.1 - height, 1e-15);
    let speed = vector("ball.velocity");
    assert_near(of("gap_rate"), speed[2], 1e-14);
    let force = vector("ball.contact_force");
    assert!(force[2] > 100.0, "{force:?}");
    assert_eq!(own("force"), force);
    assert_near(of("normal_force"), force[2], 1e-14);
    let [x, y, z] = own("tangential_force");
    assert_eq!(([x, y], z), ([force[0], force[1]], 0.0));
    // Friction: mu_k f_n against the slip, faster than v_small = 0.01 m/s here.
    assert!(of("slip_speed") > 0.01);
    assert_near(x.hypot(y), 0.5 * force[2], 1e-12);
    // Resistance: mu_r R f_n against the rotation, R = 0.1 m; and nothing on a ground that is
    // fixed.
    let torque = own("torque");
    let size = torque.iter().map(|t| t * t).sum::<f64>().sqrt();
    assert_near(size, 0.001 * 0.1 * force[2], 1e-12);
    assert!(torque[2] < 0.0);
    let arm = [0.0, 0.0, own("point")[2] - height];
    let along_x = arm[1] * force[2] - arm[2] * force[1];
    let of_force = [along_x, arm[2] * force[0], 0.0];
    let felt = vector("ball.contact_torque");
    for axis in 0..3 {
        assert_near(felt[axis], of_force[axis] + torque[axis], 1e-12);
    }
    // The start: sqrt(v0^2 + 2 g h), where the ball touches.
    assert_eq!(count(&fmu, &importer), 1);
    assert_near(of("last_impact_time"), start, 1e-7);
    let speed = (0.04 + 2.0 * GRAVITY * HEIGHT).sqrt();
    assert_near(of("last_impact_speed"), speed, 1e-6);
}

/// m (v_after - v_before) - m g T, from the states; T is the duration of the step.
fn balance(before: &[f64], after: &[f64], mass: f64, duration: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let weight = if axis == 2 { GRAVITY } else { 0.0 };
        mass * (after[VELOCITY + axis] - before[VELOCITY + axis] + weight * duration)
    })
}

/// Impulses and changes of momentum of a step from `t0` to `t1` [s].
fn impulse_of_step(fmu: &Fmu, tolerance: f64, [t0, t1]: [f64; 2]) -> ([f64; 3], [f64; 3]) {
    let importer = fmu.co_simulation();
    importer.fine(Three::enter(importer.instance, Some(tolerance), 0.0, None));
    importer.ok(fmi3ExitInitializationMode);
    importer.whole_step(0.0, t0);
    let impulse = || vector(fmu, &importer, "contact.ground.ball.impulse");
    assert_eq!(impulse(), [0.0; 3]);
    let before = importer.state_variables();
    importer.whole_step(t0, t1 - t0);
    let after = importer.state_variables();
    let mass = importer.value(reference(fmu, "ball.mass"));
    (impulse(), balance(&before, &after, mass, t1 - t0))
}

fn size(vector: [f64; 3]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn the_impulse_of_a_step_is_the_change_of_momentum() {
    let mut steel = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.2])]);
    steel.bodies[0].name = "ground".into();
    steel.bodies[1].velocity = [0.3, -0.2, 0.0];
    steel.bodies[1].angular_velocity = [5.0, 3.0, 2.0];
    for (description, spans) in [
        // One impact; the middle of one; several.
        (falling_ball(), [[0.1, 0.3], [0.1, 0.145], [0.05, 1.0]]),
        (thrown(), [[0.1, 0.2], [0.1, 0.133], [0.05, 1.0]]),
        (steel, [[0.1, 0.3], [0.14, 0.14281], [0.05, 1.0]]),
    ] {
        let fmu = reported(description);
        for (index, span) in spans.into_iter().enumerate() {
            for (tolerance, bound) in [(1e-8, 1e-6), (1e-10, 1e-7)] {
                if tolerance == 1e-8 && index == 1 {
                    // There the momentum of the states is off by 2e-6.
                    continue;
                }
                let (found, expected) = impulse_of_step(&fmu, tolerance, span);
                let difference = size([0, 1, 2].map(|i| found[i] - expected[i]));
                assert!(
                    difference < bound * size(expected),
                    "{span:?}: {found:?} instead of {expected:?}"
                );
            }
        }
    }
}

/// [Hertz]: an undamped impact at speed v of mass m on stiffness k = 4/3 E* sqrt(R), both of one
/// material: E* = E/(2 (1 - nu^2)), goes delta = (5 m v^2/(4 k))^(2/5) deep.
#[test]
fn the_peak_force_of_an_undamped_impact_is_that_of_hertz() {
    for (modulus, speed) in [(1e7_f64, 1.0), (1e7, 0.02), (2e11, 1.0)] {
        let mut description = falling_ball();
        description.gravity = Gravity::None;
        description.materials[0].youngs_modulus = modulus;
        let law = law_of(&mut description);
        let numbers = law.numbers.iter_mut();
        for (_, value) in numbers.filter(|(n, _)| *n == Number::Restitution) {
            *value = 1.0;
        }
        description.bodies[1].position = [0.0, 0.0, 0.11];
        description.bodies[1].velocity = [0.0, 0.0, -speed];
        let fmu = reported(description);
        let importer = fmu.stepping();
        importer.whole_step(0.0, 3.0 * 0.01 / speed);
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        let stiffness = 4.0 / 3.0 * (modulus / (2.0 * (1.0 - 0.45 * 0.45))) * 0.1_f64.sqrt();
        let depth = (5.0 * mass * speed * speed / (4.0 * stiffness)).powf(0.4);
        let expected = stiffness * depth.powf(1.5);
        let found = of_ball(&fmu, &importer, "peak_force");
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    }
}

/// What the ball gives to the other one it gets back; the pair is (ball, other).
#[test]
fn the_impulse_between_two_balls_is_that_on_the_second() {
    let mut first = ball("ball", [0.0; 3]);
    first.velocity = [1.0, 0.05, 0.0];
    let mut description = steel_scene(vec![first, ball("other", [0.25, 0.02, 0.01])]);
    description.gravity = Gravity::None;
    let fmu = reported(description);
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.2);
    let found = vector(&fmu, &importer, "contact.ball.other.impulse");
    let mass = importer.value(reference(&fmu, "other.mass"));
    let expected = vector(&fmu, &importer, "other.velocity").map(|v| mass * v);
    let difference = size([0, 1, 2].map(|i| found[i] - expected[i]));
    assert!(expected[0] > 1.0 && difference < 1e-6 * size(expected));
}

/// Names, meanings and bits of all variables but those of reports.
#[test]
fn reports_change_no_bit_of_the_motion() {
    let run = |report: Report| {
        let mut description = thrown();
        let rubber = description.bodies[0].shapes[0].material.clone();
        description.bodies[0] = body(
            "ground",
            Motion::Fixed,
            cuboid([2.0, 2.0, 0.1]),
            [0.0, 0.0, -0.05],
        );
        description.bodies[1].shapes[0].form = ellipsoid([0.3, 0.25, 0.2]);
        description.bodies[0].shapes[0].material = rubber;
        description.report = report;
        let importer = Fmu::new(description).stepping();
        let row = |i: u32| {
            importer.whole_step(f64::from(i) * 0.01, 0.01);
            importer.state_variables()
        };
        (0..60).map(row).collect::<Vec<_>>()
    };
    assert_eq!(run(Report::All), run(Report::default()));
}

/// All reported numbers of the ball.
fn numbers(fmu: &Fmu, importer: &Importer) -> Vec<f64> {
    #[rustfmt::skip]
    const NAMES: [&str; 16] = [
        "gap", "gap_rate", "normal_force", "force[3]", "point[1]", "point[3]", "slip_speed",
        "torque[3]", "tangential_force[1]", "tangential_force[2]", "last_impact_time",
        "last_impact_speed", "impulse[1]", "impulse[2]", "impulse[3]", "peak_force",
    ];
    let mut all: Vec<f64> = NAMES
        .iter()
        .map(|name| of_ball(fmu, importer, name))
        .collect();
    all.push(f64::from(count(fmu, importer)));
    all.push(f64::from(u8::from(in_contact(fmu, importer))));
    all
}

/// Steps of 50 ms: impacts are inside, and after the third.
#[test]
fn a_restored_state_has_the_reports_it_was_saved_with() {
    let fmu = reported(thrown());
    let importer = fmu.stepping();
    let run = |first: u32| -> Vec<Vec<f64>> {
        let row = |i: u32| {
            importer.whole_step(f64::from(i) * 0.05, 0.05);
            numbers(&fmu, &importer)
        };
        (first..first + 10).map(row).collect()
    };
    let first = run(0);
    // After an impact at about 0.12 s: the third step has its impulse.
    let row = first.last().expect("ten rows");
    assert!(row[16] >= 1.0);
    importer.runs_on_alike(|| {
        let there = numbers(&fmu, &importer);
        let rows = run(10);
        assert_ne!(rows[9][16], row[16]);
        (there, rows)
    });
    importer.ok(fmi3Reset);
    importer.initialize();
    assert_eq!(run(0), first);
}

/// Saved between an impact and the next communication point: the impulse of that step is kept.
#[test]
fn a_state_saved_right_after_an_impact_keeps_its_impulse() {
    let fmu = reported(falling_ball());
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.2);
    let saved = importer.state();
    let there = numbers(&fmu, &importer);
    assert!(there[14] > 0.0 && there[15] > 0.0);
    importer.whole_step(0.2, 0.01);
    assert_eq!(numbers(&fmu, &importer)[12..16], [0.0; 4]);
    let other = fmu.co_simulation();
    let bytes = importer.serialize(saved);
    other.restore(&bytes);
    assert_eq!(numbers(&fmu, &other), there);
    importer.free_state(saved);
}

/// Impulses of the parts of a step that ends early at each event add up to that of one whole step.
#[test]
fn after_an_early_return_the_impulse_is_that_of_the_part_done() {
    let fmu = reported(falling_ball());
    let (whole, parts) = (fmu.co_simulation(), fmu.with_event_mode(true));
    whole.initialize();
    whole.whole_step(0.0, 0.3);
    parts.initialize();
    parts.ok(fmi3EnterStepMode);
    let (mut time, mut sum, mut largest, mut ends) = (0.0, 0.0, 0.0_f64, 0);
    while time < 0.3 {
        let (status, [event, ..], reached) = parts.step(time, 0.3 - time);
        assert_eq!(status, fmi3OK);
        time = reached;
        sum += of_ball(&fmu, &parts, "impulse[3]");
        largest = largest.max(of_ball(&fmu, &parts, "peak_force"));
        if event {
            ends += 1;
            parts.event(fmi3EnterStepMode);
        }
    }
    // Start and end of the contact.
    assert_eq!(ends, 2);
    assert_near(sum, of_ball(&fmu, &whole, "impulse[3]"), 1e-12);
    assert_near(largest, of_ball(&fmu, &whole, "peak_force"), 1e-12);
}

/// Free fall from 0.1 m and 0.8 of the speed after each impact: the ball comes to rest. The number
/// of contacts that it counts is that of the log.
#[test]
fn contacts_are_counted_as_the_log_tells_them() {
    let fmu = reported(falling_ball());
    let importer = fmu.stepping();
    importer.log();
    let mut told = 0;
    for step in 0..40 {
        importer.whole_step(f64::from(step) * 0.05, 0.05);
        let log = importer.logged("contacts");
        told += log
            .iter()
            .filter(|line| line.starts_with("contact start"))
            .count();
        assert_eq!(count(&fmu, &importer), told as i32);
    }
    assert!(told > 5);
}

#[test]
fn contacts_at_the_start_count_and_a_second_update_counts_nothing() {
    let mut description = falling_ball();
    description.bodies[1].position = [0.0, 0.0, 0.0999];
    description.bodies[1].velocity = [0.0, 0.0, -0.25];
    let fmu = reported(description);
    let importer = fmu.model_exchange();
    importer.enter_initialization();
    assert_eq!(count(&fmu, &importer), 1);
    importer.ok(fmi3ExitInitializationMode);
    for _ in 0..3 {
        assert_eq!(importer.update().0, fmi3OK);
        assert_eq!(count(&fmu, &importer), 1);
    }
    assert_near(of_ball(&fmu, &importer, "last_impact_speed"), 0.25, 1e-15);
    importer.ok(fmi3EnterContinuousTimeMode);
    assert!(in_contact(&fmu, &importer));
    assert_eq!(of_ball(&fmu, &importer, "impulse[3]"), 0.0);
}

/// What is set in Event Mode after an update makes it one of other values: what it counted is taken
/// back.
#[test]
fn an_update_that_is_taken_back_takes_its_count_back() {
    let mut description = falling_ball();
    description.interface.tunable = true;
    let fmu = reported(description);
    let importer = fmu.integrating();
    let ground = reference(&fmu, "ground.position[3]");
    let raise = |height: f64| importer.fine(importer.set(&[ground], &[height]));
    let history = || {
        let of = |name| of_ball(&fmu, &importer, name);
        let numbers = (of("last_impact_time"), of("last_impact_speed"));
        (count(&fmu, &importer), numbers.0, numbers.1)
    };
    let mut states = importer.continuous_states();
    let mut fall = |time: f64, speed: f64| {
        states[POSITION + 2] = 0.0999;
        states[VELOCITY + 2] = -speed;
        importer.fine(importer.set_time(time));
        importer.fine(importer.set_states(&states));
    };
    fall(0.5, 1.0);
    assert_eq!(history(), (0, 0.0, 0.0));
    importer.ok(fmi3EnterEventMode);
    assert_eq!(importer.update().0, fmi3OK);
    assert_eq!(history(), (1, 0.5, 1.0));
    raise(-0.1);
    assert_eq!(importer.update().0, fmi3OK);
    assert_eq!(history(), (0, 0.0, 0.0));
    raise(1e-5);
    assert_eq!(importer.update().0, fmi3OK);
    assert_eq!(history(), (1, 0.5, 1.0));
    raise(-0.1);
    importer.leave_event_mode();
    // Another event: the ground comes back.
    fall(0.75, 3.0);
    importer.ok(fmi3EnterEventMode);
    raise(0.0);
    for _ in 0..2 {
        assert_eq!(importer.update().0, fmi3OK);
        assert_eq!(history(), (1, 0.75, 3.0));
    }
    importer.ok(fmi3EnterContinuousTimeMode);
    importer.event(fmi3EnterContinuousTimeMode);
    assert_eq!(history(), (1, 0.75, 3.0));
}

#[test]
fn a_truth_value_is_read_as_one_only_and_cannot_be_set() {
    let fmu = reported(falling_ball());
    let importer = fmu.model_exchange();
    importer.log();
    let touching = reference(&fmu, "contact.ground.ball.in_contact");
    assert_eq!(Three::boolean(importer.instance, touching), (fmi3OK, false));
    assert_eq!(importer.get(&[touching], &mut [0.0]), fmi3Error);
    importer.says(&["is of type Boolean, not Float64"]);
    let gap = reference(&fmu, "contact.ground.ball.gap");
    assert_eq!(Three::boolean(importer.instance, gap).0, fmi3Error);
    importer.says(&["is of type Float64, not Boolean"]);
    let value = true;
    // SAFETY: the pointers are those of local variables.
    let (c, one) = (importer.instance, &raw const touching);
    let set = |count| unsafe { fmi3SetBoolean(c, one, 1, &raw const value, count) };
    importer.refused(set(1), &["in_contact", "cannot be set"]);
    assert_eq!(set(0), fmi3Error);
    importer.says(&["0 values for 1 value references"]);
}

/// Three pairs are monitored, of six; all are reported.
#[test]
fn a_pair_without_an_indicator_has_its_gap() {
    let fmu = reported(three_balls_with_three_indicators());
    let importer = fmu.integrating();
    // Centres at (-0.3, 0, 0.15) and (0.25, 0, 0.4), radii 0.1 m.
    let gap = importer.value(reference(&fmu, "contact.left.right.gap"));
    assert_near(gap, 0.55_f64.hypot(0.25) - 0.2, 1e-15);
}

/// A ball with a second one beside it in the same body, which comes down on the ground with both at once.
fn twins() -> SceneDescription {
    let mut description = falling_ball();
    let mut twin = description.bodies[1].shapes[0].clone();
    twin.name = "twin".into();
    twin.position = [0.0, 0.25, 0.0];
    description.bodies[1].shapes.push(twin);
    description
}

/// Of the sum, the motion of the body is the evidence: its momentum and its load.
#[test]
fn two_shapes_on_the_ground_report_the_sum_of_their_contacts() {
    let fmu = reported(twins());
    let importer = fmu.stepping();
    let of = |name: &str| of_ball(&fmu, &importer, name);
    let vector = |name: &str| vector(&fmu, &importer, name);
    let contacts =
        |name: &str| importer.int32(reference(&fmu, &format!("contact.ground.ball.{name}")));
    assert_eq!([contacts("contacts"), contacts("count")], [0, 0]);
    assert_near(of("gap"), HEIGHT, 1e-15);
    // Both touch after sqrt(2 h/g), and 2 ms later they press.
    let start = (2.0 * HEIGHT / GRAVITY).sqrt();
    importer.whole_step(0.0, start + 0.002);
    assert_eq!([contacts("contacts"), contacts("count")], [2, 2]);
    assert!(in_contact(&fmu, &importer));
    assert_near(of("last_impact_time"), start, 1e-7);
    assert_near(
        of("last_impact_speed"),
        (2.0 * GRAVITY * HEIGHT).sqrt(),
        1e-6,
    );
    let height = importer.value(reference(&fmu, "ball.position[3]"));
    assert_near(of("gap"), height - 0.1, 1e-15);
    let force = vector("contact.ground.ball.force");
    assert!(force[2] > 100.0);
    assert_eq!(force, vector("ball.contact_force"));
    for (found, expected) in vector("contact.ground.ball.moment")
        .into_iter()
        .zip(vector("ball.contact_torque"))
    {
        assert_near(found, expected, 1e-12);
    }
    // The power of the force that stops the fall; the ground rests, and nothing slips or turns.
    let speed = vector("ball.velocity")[2];
    assert!((of("power") / (force[2] * speed) - 1.0).abs() < 1e-6);
    // What the momentum changed by since the start, 0 before it.
    let mass = importer.value(reference(&fmu, "ball.mass"));
    let expected = mass * (speed + GRAVITY * (start + 0.002));
    assert!((vector("contact.ground.ball.impulse")[2] / expected - 1.0).abs() < 1e-6);
    assert!(of("peak_force") >= force[2] * (1.0 - 1e-3));
}

/// With report_parts each pair is there beside the sum, and the sum is that of the pairs.
#[test]
fn parts_of_a_sum_add_up_to_it() {
    let mut description = twins();
    description.contact.report_parts = true;
    description.bodies[1].angular_velocity = [2.0, 0.0, 1.0];
    let fmu = reported(description);
    let importer = fmu.stepping();
    importer.whole_step(0.0, 0.3);
    let of =
        |part: &str, name: &str| vector(&fmu, &importer, &format!("contact.ground.{part}.{name}"));
    let both = ["ball_ball", "ball_twin"];
    for name in ["force", "impulse"] {
        let sum = of("ball", name);
        let [a, b] = both.map(|part| of(part, name));
        for axis in 0..3 {
            assert_near(a[axis] + b[axis], sum[axis], 1e-12);
        }
    }
    let count =
        |part: &str| importer.int32(reference(&fmu, &format!("contact.ground.{part}.count")));
    assert_eq!(count("ball_ball") + count("ball_twin"), count("ball"));
    assert!(count("ball") >= 2);
}
