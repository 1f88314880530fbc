//! Triggers: outputs that are watched, against closed forms.

use crate::fixtures::*;
use crate::fmi::importer::{Fmu, Importer, Version, in_each_version, number};
use crate::fmi3::importer::reference;
use crate::habits::{self, Habits};
use crate::running::{DividedRun, Run};
use contact_laws::quantity::Keyword;
use contact_model::integrator::Solver;
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::{Causality, DataType, Variability, VariableTable};
use std::f64::consts::TAU;

in_each_version!(
    co_simulation_tells_when_a_ball_passes_and_what_is_on,
    model_exchange_tells_when_a_ball_passes_and_what_is_on,
    a_saved_state_has_its_triggers,
);

const G: f64 = 9.81;

fn trigger(output: &str, value: f64, from: CloseFrom) -> TriggerDescription {
    TriggerDescription {
        name: "gate".into(),
        output: output.into(),
        value,
        hysteresis: 1e-3,
        from,
    }
}

fn watching(
    mut description: SceneDescription,
    triggers: Vec<TriggerDescription>,
) -> SceneDescription {
    description.triggers = triggers;
    description
}

/// Time, index of the trigger, on or off.
type Switch = (f64, usize, bool);

fn switch(time: f64, change: &Change) -> Option<Switch> {
    match change {
        Change::Trigger { trigger, is_on } => Some((time, usize::from(*trigger), *is_on)),
        _ => None,
    }
}

fn switches_of(description: SceneDescription, end: f64) -> Vec<Switch> {
    switches_by(Run::new(description, 1e-10), end)
}

fn switches_by(mut run: Run, end: f64) -> Vec<Switch> {
    let mut all = Vec::new();
    let mut note = |time: f64, system: &System| {
        all.extend(system.changes().iter().filter_map(|c| switch(time, c)));
    };
    note(run.time, &run.system);
    while run.reach_event(end) {
        run.handle_event();
        note(run.time, &run.system);
    }
    all
}

#[track_caller]
fn assert_switches(found: &[Switch], expected: &[Switch], tolerance: f64) {
    let kinds = |all: &[Switch]| all.iter().map(|s| (s.1, s.2)).collect::<Vec<_>>();
    assert_eq!(kinds(found), kinds(expected), "{found:?}, {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        let off = (found.0 - expected.0).abs();
        assert!(off < tolerance, "{found:?}, {expected:?}");
    }
}

/// A mass of 2 kg on a slide along x that swings about the origin with the angular frequency 2 rad/s, from
/// there with the speed `amplitude` times it.
fn oscillator(amplitude: f64) -> SceneDescription {
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let mass = given_mass(2.0, [0.0; 3], inertia);
    let mut description = steel_scene(vec![plain_body("slug", Motion::Joint, mass)]);
    description.gravity = Gravity::None;
    let mut rail = joint(JointKind::Prismatic, None, "slug");
    (rail.name, rail.axis) = ("rail".into(), [1.0, 0.0, 0.0]);
    rail.rates = vec![2.0 * amplitude];
    rail.forces[0].spring = Some(joint_spring(8.0, 0.0));
    description.joints = vec![rail];
    description
}

/// A ball falls by d in sqrt(2 d/g).
#[test]
fn a_falling_ball_passes_a_height_when_it_should() {
    let scene = || steel_scene(vec![ball("ball", [0.0, 0.0, 2.0])]);
    for (value, speed) in [(1.5, None), (0.3, None), (1.1, Some(3.0))] {
        let mut description = scene();
        description.bodies[0].velocity[2] = speed.unwrap_or(0.0);
        let v = speed.unwrap_or(0.0);
        let time = (v + f64::sqrt(v * v + 2.0 * G * (2.0 - value))) / G;
        let gate = trigger("ball.position[3]", value, CloseFrom::Above);
        let found = switches_of(watching(description, vec![gate]), 1.0);
        assert_switches(&found, &[(time, 0, true)], 1e-12);
    }
}

/// x = A sin(w t) is at c at asin(c/A)/w, and back at c - h half a period less as much later; mirrored from
/// above. Twice a period.
#[test]
fn a_limit_switch_of_an_oscillator_switches_twice_a_period() {
    let (amplitude, c, h, w) = (0.5, 0.3, 0.05, 2.0);
    for (sign, from) in [(1.0, CloseFrom::Below), (-1.0, CloseFrom::Above)] {
        for output in [
            "rail.displacement",
            "slug.position[1]",
            "measure.tip.position[1]",
        ] {
            let mut limit = trigger(output, sign * c, from);
            limit.hysteresis = h;
            let mut description = oscillator(sign * amplitude);
            description.measurements = vec![tip()];
            let description = watching(description, vec![limit]);
            let expected: Vec<Switch> = (0..3)
                .flat_map(|turn| {
                    let start = f64::from(turn) * TAU / w;
                    let on = f64::asin(c / amplitude) / w;
                    let off = (0.5 * TAU - f64::asin((c - h) / amplitude)) / w;
                    [(start + on, 0, true), (start + off, 0, false)]
                })
                .collect();
            assert_switches(&switches_of(description, 3.0 * TAU / w), &expected, 1e-8);
        }
    }
}

fn tip() -> MeasurementDescription {
    let end = |body: Option<&str>| FrameName {
        body: body.map(str::to_owned),
        frame: LocalFrame::default(),
    };
    MeasurementDescription {
        name: "tip".into(),
        from: end(None),
        to: end(Some("slug")),
    }
}

/// v = A w cos(w t); the angle of an arm that turns at a constant rate is w t, its end at L cos(w t).
#[test]
fn rates_angles_and_points_of_bodies_can_be_watched() {
    let slow = trigger("rail.velocity", 0.4, CloseFrom::Above);
    let expected = [(f64::acos(0.4) / 2.0, 0, true)];
    assert_switches(
        &switches_of(watching(oscillator(0.5), vec![slow]), 2.0),
        &expected,
        1e-9,
    );

    let mass = given_mass(1.0, [0.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let mut arm = joint(JointKind::Revolute, None, "arm");
    (arm.name, arm.axis, arm.rates) = ("hinge".into(), [0.0, 0.0, 1.0], vec![3.0]);
    arm.child_frame.position = [-1.0, 0.0, 0.0];
    let mut description = steel_scene(vec![plain_body("arm", Motion::Joint, mass)]);
    (description.gravity, description.joints) = (Gravity::None, vec![arm]);
    let all = vec![
        trigger("hinge.angle", 1.5, CloseFrom::Below),
        trigger("arm.position[1]", 0.5, CloseFrom::Above),
        trigger("arm.velocity[2]", 1.5, CloseFrom::Above),
    ];
    let named = all
        .into_iter()
        .enumerate()
        .map(|(i, trigger)| TriggerDescription {
            name: format!("t{i}"),
            ..trigger
        });
    // The centre of mass is in the arm's origin, so that the rate stays.
    let found = switches_of(watching(description, named.collect()), 0.6);
    let third = TAU / 6.0 / 3.0;
    // Of the latter two, both at 60 degrees, the times differ by a rounding.
    let mut found = found;
    found.sort_by_key(|a| a.1);
    let expected = [(0.5, 0, true), (third, 1, true), (third, 2, true)];
    assert_switches(&found, &expected, 1e-8);
}

/// An output that trembles by less than the hysteresis switches once; by more, twice a period.
#[test]
fn hysteresis_keeps_a_trembling_output_from_chattering() {
    for (hysteresis, count) in [(1.2, 1), (0.8, 20)] {
        let mut limit = trigger("rail.displacement", 0.4, CloseFrom::Below);
        limit.hysteresis = hysteresis;
        let found = switches_of(watching(oscillator(0.5), vec![limit]), 10.0 * TAU / 2.0);
        assert_eq!(found.len(), count, "{hysteresis}: {found:?}");
    }
}

/// A ball that is thrown up, for which a step is as long as it may be, comes over a height by little and
/// is below it again at the end of the step. What stays just below is not seen.
#[test]
fn a_height_that_is_reached_within_a_step_is_seen() {
    let v = 5.0;
    let top = v * v / (2.0 * G);
    for solver in [Solver::Explicit, Solver::Implicit] {
        for (below, count) in [(1e-3, 2), (1e-9, 2), (-1e-9, 0)] {
            let mut description = steel_scene(vec![ball("ball", [0.0; 3])]);
            description.bodies[0].velocity[2] = v;
            let gate = trigger("ball.position[3]", top - below, CloseFrom::Below);
            let run = Run::new(watching(description, vec![gate]), 1e-8).with_solver(solver);
            let found = switches_by(run, 2.0);
            assert_eq!(found.len(), count, "{below} {solver:?}");
        }
    }
}

/// Inside the band a trigger starts off, beyond the value on, which is an event at the start.
#[test]
fn the_state_at_the_start_follows_from_the_output() {
    for (place, is_on) in [(0.9, false), (0.9995, false), (1.0, true), (1.1, true)] {
        let scene = steel_scene(vec![ball("ball", [place, 0.0, 0.0])]);
        let gate = trigger("ball.position[1]", 1.0, CloseFrom::Below);
        let found = switches_of(watching(scene, vec![gate]), 0.1);
        let expected = [(0.0, 0, true)];
        assert_eq!(found, expected[..usize::from(is_on)], "{place}");
    }
}

const HEIGHT: f64 = 1.0;
const RESTITUTION: f64 = 0.8;

/// A ball that falls on a plate from [`HEIGHT`] above it; velocities jump.
fn bouncing() -> SceneDescription {
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 0.1 + HEIGHT])]);
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        response: Some(Response::Impulse),
        restitution: Some(RestitutionRule::Constant),
        friction: Some(FrictionKind::Off),
        numbers: vec![
            (Number::Restitution, RESTITUTION),
            (Number::RollingResistance, 0.0),
            (Number::RestSpeed, 1e-3),
        ],
        ..LawChanges::default()
    });
    description
}

/// Times at which the ball bounces: after bounce n it rises for e^n sqrt(2 H/g).
fn bounces() -> impl Iterator<Item = f64> {
    let fall = f64::sqrt(2.0 * HEIGHT / G);
    (0..).scan(fall, move |time, n| {
        let now = *time;
        *time += 2.0 * RESTITUTION.powi(n + 1) * fall;
        Some(now)
    })
}

/// The ball comes over a height c as often as e^(2 n) H > c, at the times of parabolas. A velocity that
/// jumps at the impact switches at that instant: two triggers and a contact at once.
#[test]
fn a_bouncing_ball_passes_as_often_as_it_should_and_jumps_switch_at_the_impact() {
    let c = 0.15;
    let gate = TriggerDescription {
        hysteresis: 1e-6,
        ..trigger("ball.position[3]", 0.1 + c, CloseFrom::Below)
    };
    let up = |name: &str| TriggerDescription {
        name: name.into(),
        ..trigger("ball.velocity[3]", 1.0, CloseFrom::Below)
    };
    let end = bounces().nth(6).unwrap() - 0.01;
    let description = watching(bouncing(), vec![gate, up("up"), up("too")]);
    let found = switches_of(description, end);
    let mut expected = vec![
        (0.0, 0, true),
        (f64::sqrt(2.0 * (HEIGHT - c + 1e-6) / G), 0, false),
    ];
    for (n, bounce) in (1..).zip(bounces().take(6)) {
        let v = RESTITUTION.powi(n) * f64::sqrt(2.0 * G * HEIGHT);
        expected.extend([(bounce, 1, true), (bounce, 2, true)]);
        if v > 1.0 {
            let down = bounce + (v - 1.0 + 1e-3) / G;
            expected.extend([(down, 1, false), (down, 2, false)]);
        }
        let root = |height: f64| f64::sqrt(v * v - 2.0 * G * height);
        if v * v > 2.0 * G * c {
            let times = [
                bounce + (v - root(c)) / G,
                bounce + (v + root(c - 1e-6)) / G,
            ];
            expected.extend([(times[0], 0, true), (times[1], 0, false)]);
        }
    }
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    let passes = expected.iter().filter(|s| s.1 == 0 && s.2).count();
    // e^(2 n) > 0.15 up to n = 4.
    assert_eq!(passes, 1 + 4);
    // A contact starts 2e-8 m deep.
    assert_switches(&found, &expected, 1e-7);
}

/// Island by island the same switches at the same times as all at once; a distance of two bodies keeps both
/// in one island, and a body that is watched does not fly over its gate in closed form.
#[test]
fn islands_switch_as_the_whole_does() {
    let mut bodies = vec![plate_of(20.0)];
    for (i, height) in [0.4, 0.6, 0.8, 1.5].into_iter().enumerate() {
        bodies.push(ball(
            &format!("ball{i}"),
            [2.0 * i as f64, 0.0, 0.1 + height],
        ));
    }
    let mut description = steel_scene(bodies);
    let end = |body: &str| FrameName {
        body: Some(body.into()),
        frame: LocalFrame::default(),
    };
    description.measurements = vec![MeasurementDescription {
        name: "gap".into(),
        from: end("ball0"),
        to: end("ball2"),
    }];
    description.triggers = vec![
        trigger("ball1.position[3]", 0.3, CloseFrom::Above),
        TriggerDescription {
            name: "gap".into(),
            ..trigger("measure.gap.distance", 4.005, CloseFrom::Above)
        },
        TriggerDescription {
            name: "high".into(),
            ..trigger("ball3.position[3]", 0.8, CloseFrom::Above)
        },
    ];
    let whole = switches_of(description.clone(), 1.0);
    assert!(whole.len() >= 8, "{whole:?}");
    let mut divided = DividedRun::new(description, 1e-10);
    let start: Vec<bool> = divided.system.ledger().triggers().iter().copied().collect();
    divided.to(1.0, 0.25);
    let found: Vec<Switch> = divided
        .changes
        .iter()
        .filter_map(|(t, c)| switch(*t, c))
        .collect();
    let at_start = whole.iter().filter(|s| s.0 == 0.0).count();
    assert_switches(&found, &whole[at_start..], 1e-7);
    let mut last = start;
    found
        .iter()
        .for_each(|(_, trigger, is_on)| last[*trigger] = *is_on);
    let kept: Vec<bool> = divided.system.ledger().triggers().iter().copied().collect();
    assert_eq!(kept, last);
    let sizes = &divided.sizes;
    // Largest and number: two bodies are always together, not all.
    let good = |size: &(usize, usize)| size.0 >= 2 && size.1 >= 2;
    assert!(sizes.iter().all(good), "{sizes:?}");
}

/// The bouncing ball as an FMU, with two gates.
fn gates() -> SceneDescription {
    let gate = |name: &str, value| TriggerDescription {
        name: name.into(),
        ..trigger("ball.position[3]", value, CloseFrom::Above)
    };
    watching(bouncing(), vec![gate("high", 0.7), gate("low", 0.3)])
}

fn told<V: Version>(importer: &Importer<V>) -> Vec<(f64, String)> {
    let lines = importer.logged("contacts");
    let own = lines.iter().filter(|line| line.starts_with("trigger "));
    own.map(|line| {
        let (head, fields) = line.split_once(':').expect("a head");
        let (_, name) = fields.split_once("trigger=").expect("a name");
        (
            number(line, "t="),
            format!("{name} {}", &head["trigger ".len()..]),
        )
    })
    .collect()
}

/// The first second: each gate on the way down, up after the bounce and down again.
fn expected() -> Vec<(f64, &'static str)> {
    let (bounce, v) = (
        f64::sqrt(2.0 * HEIGHT / G),
        RESTITUTION * f64::sqrt(2.0 * G * HEIGHT),
    );
    let fall = |z: f64| f64::sqrt(2.0 * (0.1 + HEIGHT - z) / G);
    let root = |z: f64| f64::sqrt(v * v - 2.0 * G * (z - 0.1));
    let up = |z: f64| bounce + (v - root(z)) / G;
    let down = |z: f64| bounce + (v + root(z)) / G;
    vec![
        (fall(0.7), "high on"),
        (fall(0.3), "low on"),
        (up(0.301), "low off"),
        (up(0.701), "high off"),
        (down(0.7), "high on"),
        (down(0.3), "low on"),
    ]
}

#[track_caller]
fn assert_told(found: &[(f64, String)], expected: &[(f64, &str)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        let off = (found.0 - expected.0).abs();
        assert!(
            off < 1e-6 && found.1 == expected.1,
            "{found:?}, {expected:?}"
        );
    }
}

fn co_simulation_tells_when_a_ball_passes_and_what_is_on<V: Version>() {
    let fmu = Fmu::new(gates());
    let importer = V::stepping(&fmu);
    let [high, low] = ["high", "low"].map(|gate| V::reference(&fmu, &format!("trigger.{gate}.on")));
    let on = || [high, low].map(|reference| importer.boolean(reference));
    assert_eq!(on(), [false, false]);
    importer.whole_step(0.0, 0.3);
    assert_eq!(on(), [true, false]);
    importer.whole_step(0.3, 0.15);
    assert_eq!(on(), [true, true]);
    importer.whole_step(0.45, 0.4);
    assert_eq!(on(), [false, false]);
    importer.whole_step(0.85, 0.3);
    assert_eq!(on(), [true, true]);
    assert_told(&told(&importer), &expected());
}

fn model_exchange_tells_when_a_ball_passes_and_what_is_on<V: Version>() {
    let careless = Habits {
        enters_event_mode_twice: true,
        sets_states_in_event_mode: V::STANDARD == Standard::Fmi2,
        ..Habits::default()
    };
    for habits in [Habits::default(), careless] {
        let fmu = Fmu::new(gates());
        let importer = V::model_exchange(&fmu);
        importer.initialize();
        let low = V::reference(&fmu, "trigger.low.on");
        let motion = habits::run(&importer, habits, 1e-8, 1.15, 1);
        assert!(importer.boolean(low));
        assert_told(&told(&importer), &expected());
        // Six switches; a contact that starts and ends.
        assert_eq!(motion.events, 8);
    }
}

fn a_saved_state_has_its_triggers<V: Version>() {
    let fmu = Fmu::new(gates());
    let high = V::reference(&fmu, "trigger.high.on");
    let importer = V::stepping(&fmu);
    importer.whole_step(0.0, 0.3);
    assert!(importer.boolean(high));
    let bytes = importer.bytes();
    importer.whole_step(0.3, 0.55);
    assert!(!importer.boolean(high));
    let first = importer.state_variables();
    let other = V::stepping(&fmu);
    other.restore(&bytes);
    assert!(other.boolean(high));
    other.whole_step(0.3, 0.55);
    assert!(!other.boolean(high));
    assert_eq!(other.state_variables(), first);
}

/// Where the importer handles events, each switch ends a step at its instant; the update changes what is on, and
/// says that neither states nor nominals have changed: nothing has to restart.
#[test]
fn a_step_with_event_mode_ends_at_each_switch() {
    let mut description = steel_scene(vec![ball("ball", [0.0, 0.0, 1.0])]);
    description.triggers = vec![trigger("ball.position[3]", 0.5, CloseFrom::Above)];
    let fmu = Fmu::new(description);
    let on = reference(&fmu, "trigger.gate.on");
    let importer = fmu.event_stepping(true);
    let (status, [is_event, _, is_early], time) = importer.step(0.0, 0.5);
    assert_eq!((status, is_event, is_early), (fmi3OK, true, true));
    assert!((time - f64::sqrt(2.0 * 0.5 / G)).abs() < 1e-12, "{time}");
    assert!(!importer.boolean(on));
    importer.ok(fmi3EnterEventMode);
    let (status, [again, _, nominals, values, _], _) = importer.update();
    assert_eq!(
        (status, again, nominals, values),
        (fmi3OK, false, false, false)
    );
    assert!(importer.boolean(on));
    importer.ok(fmi3EnterStepMode);
    let (_, [is_event, ..], reached) = importer.step(time, 0.5 - time);
    assert_eq!((is_event, reached), (false, 0.5));
    assert_eq!(told(&importer).len(), 1);
}

/// A discrete truth value that depends on what is watched, and an indicator with the unit of that.
#[test]
fn variables_say_what_a_trigger_is() {
    let mut description = oscillator(0.5);
    description.measurements = vec![tip()];
    let named = |name: &str, output| TriggerDescription {
        name: name.into(),
        ..trigger(output, 0.1, CloseFrom::Below)
    };
    let all = vec![
        named("rate", "rail.velocity"),
        named("place", "measure.tip.position[2]"),
    ];
    let scene = valid(watching(description, all));
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        let table = VariableTable::new(&scene, standard);
        let variables = Describer::new(&scene, &table).variables(&[1.0; 2]);
        let find = |name: &str| {
            variables
                .iter()
                .find(|v| v.name == name)
                .expect("a variable")
        };
        let on = find("trigger.rate.on");
        let expected = (
            DataType::Boolean,
            Causality::Output,
            Variability::Discrete,
            None,
        );
        assert_eq!(
            (on.data_type, on.causality, on.variability, on.declared_type),
            expected
        );
        assert_eq!(on.description, "The trigger is on");
        let indicators = ["contact.indicator[1]", "contact.indicator[2]"].map(find);
        let texts = [
            "Event indicator of the trigger rate: distance [m/s]",
            "Event indicator of the trigger place: distance [m]",
        ];
        assert_eq!(indicators.map(|v| v.description.as_str()), texts);
    }
}

/// Each output that can be watched has a unit by its name, which is that of its variable.
#[test]
fn the_unit_of_the_numbers_is_that_of_the_output() {
    let kinds = JointKind::WORDS.iter().map(|(_, kind)| *kind);
    let kinds: Vec<JointKind> = kinds.filter(|kind| kind.rate_count() > 0).collect();
    let mass = || given_mass(1.0, [0.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let mut description = steel_scene(vec![ball("ball", [0.0, 0.0, 5.0])]);
    for (index, kind) in kinds.iter().enumerate() {
        let name = format!("body{index}");
        description
            .bodies
            .push(plain_body(&name, Motion::Joint, mass()));
        description.joints.push(JointDescription {
            pitch: 0.1,
            ..joint(*kind, None, &name)
        });
    }
    description.measurements = vec![MeasurementDescription {
        to: FrameName {
            body: Some("ball".into()),
            frame: LocalFrame::default(),
        },
        ..tip()
    }];
    let scene = valid(description.clone());
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let count = scene.layout().count();
    let variables = Describer::new(&scene, &table).variables(&vec![1.0; count]);
    let mut watched = 0;
    for variable in variables
        .iter()
        .filter(|v| v.causality == Causality::Output)
    {
        let own = trigger(&variable.name, 0.0, CloseFrom::Below);
        let declared = own.declared();
        let scene = Scene::new(watching(description.clone(), vec![own]));
        if scene.is_ok() {
            watched += 1;
            let unit = variable.declared_type.and_then(|known| known.unit);
            assert_eq!(
                declared.and_then(|known| known.unit),
                unit,
                "{}",
                variable.name
            );
        }
    }
    // All states; of each body on a joint position and both velocities, 9; of the measurement these and the
    // distance, 10.
    assert_eq!(watched, count + 9 * kinds.len() + 10);
}
