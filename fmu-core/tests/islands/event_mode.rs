//! Co-Simulation where the importer handles events: a step returns at the earliest event of any
//! island, with all of them at that time.

use crate::fixtures::*;
use crate::fmi3::importer::{Fmu, Importer, Interface, Wish, reference};
use crate::islands::comparing::*;
use fmu_core::fmi3::fmi3EnterStepMode;
use fmu_core::fmi3::fmi3Status::fmi3OK;

const G: f64 = 9.81;
/// Overlap from which on there is contact [m].
const STARTS: f64 = 2e-8;

fn with_event_mode(fmu: &Fmu, early_return: bool) -> Importer {
    let importer = fmu.with_event_mode(early_return);
    importer.initialize();
    assert_eq!(importer.update().0, fmi3OK);
    importer.ok(fmi3EnterStepMode);
    importer
}

/// An event at which a step returned: its time, and the values of variables there.
struct Returned {
    time: f64,
    values: Vec<f64>,
}

/// Steps from the start to an end [s], handles the events at which steps return; `watch` are the
/// variables that are read at each.
fn returns(importer: &Importer, watch: &[u32], end: f64, step: f64) -> Vec<Returned> {
    returns_from(importer, watch, [0.0, end], step)
}

/// The same from a time [s] on.
fn returns_from(
    importer: &Importer,
    watch: &[u32],
    [from, end]: [f64; 2],
    step: f64,
) -> Vec<Returned> {
    let mut found = Vec::new();
    let mut time = from;
    let mut next = (from / step).floor() as u32 + 1;
    while time < end {
        let point = (f64::from(next) * step).min(end);
        let (status, [event, terminate, early], last) = importer.step(time, point - time);
        assert_eq!((status, terminate), (fmi3OK, false), "{:?}", importer.log());
        assert!(last > time || event, "no way from {time} s");
        assert_eq!(early, last < point);
        assert!(
            event || last == point,
            "returned at {last} s without an event"
        );
        assert_eq!(importer.value(1), last);
        if event {
            let values = watch.iter().map(|name| importer.value(*name)).collect();
            found.push(Returned { time: last, values });
            importer.event(fmi3EnterStepMode);
        }
        time = last;
        next += u32::from(time == point);
    }
    found
}

/// Lines of the log that say that contacts start and end, with their times.
fn contacts(importer: &Importer) -> Vec<(f64, String)> {
    let lines = importer.logged("contacts").into_iter();
    let parse = |line: String| {
        let (what, rest) = line.split_once(": t=")?;
        let (time, rest) = rest.split_once(' ')?;
        let pair = rest.split(' ').next()?;
        Some((time.parse().ok()?, format!("{what} {pair}")))
    };
    lines.filter_map(parse).collect()
}

/// The same scene without event mode: contacts that start and end until an end [s].
fn inside(fmu: &Fmu, end: f64, step: f64) -> Vec<(f64, String)> {
    let importer = fmu.stepping();
    let count = (end / step).round() as u32;
    for index in 0..count {
        let point = f64::from(index) * step;
        importer.whole_step(point, (f64::from(index + 1) * step).min(end) - point);
    }
    contacts(&importer)
}

fn names(events: &[(f64, String)]) -> Vec<&str> {
    let mut names: Vec<_> = events.iter().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    names
}

/// Balls at these heights over a plate [m], far apart, with these speeds upwards [m/s].
fn falling(heights: &[(f64, f64)]) -> SceneDescription {
    let mut bodies = vec![plate_of(6.0)];
    for (index, (height, speed)) in heights.iter().enumerate() {
        let at = [0.5 * index as f64, 0.1, 0.1 + height];
        bodies.push(moving(&format!("b{index}"), at, [0.0, 0.2, *speed]));
    }
    scene(bodies, Some(FrictionKind::Off))
}

/// Time at which a ball from there lands [s]: h + v t - g t^2/2 = -2e-8 m.
fn landing((height, speed): (f64, f64)) -> f64 {
    (speed + (speed * speed + 2.0 * G * (height + STARTS)).sqrt()) / G
}

const HEIGHTS: [(f64, f64); 4] = [(0.05, 0.0), (0.08, 0.0), (0.02, 0.9), (0.2, -0.5)];

/// Variables of a ball: height, speed upwards, way along y.
fn of_ball(fmu: &Fmu, index: usize) -> [u32; 3] {
    ["position[3]", "velocity[3]", "position[2]"]
        .map(|name| reference(fmu, &format!("b{index}.{name}")))
}

#[test]
fn a_step_returns_at_the_landing_of_each_ball_with_all_others_at_that_time() {
    for (step, heights) in [
        (0.25, &HEIGHTS[..]),
        (1.0 / 256.0, &HEIGHTS[..]),
        // Two that land at one instant.
        (0.25, &[(0.05, 0.0), (0.2, 0.0), (0.05, 0.0)]),
    ] {
        let fmu = Fmu::new(falling(heights));
        let watch: Vec<u32> = (0..heights.len()).flat_map(|i| of_ball(&fmu, i)).collect();
        let importer = with_event_mode(&fmu, true);
        let end = 0.25;
        let found = returns(&importer, &watch, end, step);
        let told = contacts(&importer);
        // Every landing, and no event but those that are told.
        for (index, start) in heights.iter().enumerate() {
            let lands = landing(*start);
            let first = found.iter().find(|event| (event.time - lands).abs() < 1e-9);
            assert!(first.is_some(), "no return at {lands} s, step {step}");
            let name = format!("contact start pair=plate:b{index}");
            let own = told.iter().find(|(_, told)| *told == name);
            assert!(own.is_some_and(|(time, _)| (time - lands).abs() < 1e-9));
        }
        for event in &found {
            assert!(told.iter().any(|(time, _)| *time == event.time));
            for (index, start) in heights.iter().enumerate() {
                let t = event.time;
                if t > landing(*start) + 1e-9 {
                    continue;
                }
                let [z, v, y] = [0, 1, 2].map(|i| event.values[3 * index + i]);
                let expected = [
                    0.1 + start.0 + start.1 * t - 0.5 * G * t * t,
                    start.1 - G * t,
                    0.1 + 0.2 * t,
                ];
                for (found, expected) in [z, v, y].into_iter().zip(expected) {
                    let off = found - expected;
                    assert!(off.abs() < 1e-9, "ball {index} at {t} s is {off:e} off");
                }
            }
        }
        // As many as without event mode.
        let inside = inside(&fmu, end, step);
        assert_eq!(names(&told), names(&inside), "step {step}");
        for (time, name) in &told {
            let other = inside
                .iter()
                .any(|(t, n)| n == name && (t - time).abs() < 1e-6);
            assert!(other, "{name} at {time} s");
        }
    }
}

/// Two pairs of balls that meet at two times, and then the second ones of each; a ball that meets
/// no other one.
fn meeting() -> SceneDescription {
    let bodies = vec![
        moving("a", [-1.0, 0.0, 0.0], [4.0, 0.0, 0.0]),
        ball("b", [-0.5, 0.0, 0.0]),
        moving("c", [0.6, 0.0, 0.0], [-5.0, 0.0, 0.0]),
        ball("d", [0.3, 0.0, 0.0]),
        moving("past", [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]),
    ];
    without_gravity(scene(bodies, Some(FrictionKind::Off)))
}

/// A time before one of them meets another one again [s].
const MEETING: f64 = 0.140_625;

/// The first impacts come at (gap + 2e-8 m)/speed.
#[test]
fn a_step_returns_where_islands_meet() {
    let fmu = Fmu::new(meeting());
    let way = reference(&fmu, "past.position[2]");
    for step in [MEETING, 1.0 / 128.0] {
        let importer = with_event_mode(&fmu, true);
        let found = returns(&importer, &[way], MEETING, step);
        for expected in [(0.1 + STARTS) / 5.0, (0.3 + STARTS) / 4.0] {
            let at = found
                .iter()
                .any(|event| (event.time - expected).abs() < 1e-9);
            assert!(at, "no return at {expected} s");
        }
        for event in &found {
            assert!((event.values[0] - 1.0 - 0.5 * event.time).abs() < 1e-12);
        }
        let told = contacts(&importer);
        assert_eq!(names(&told), names(&inside(&fmu, MEETING, step)));
        // a and b, c and d, b and d: each starts and ends.
        assert_eq!(told.len(), 6, "{told:?}");
        assert_eq!(found.len(), 6);
    }
}

/// A state that is saved where a step returned at an event, before and after that is handled, is
/// that of a run which goes on to the bit, here and in another instance.
#[test]
fn a_state_saved_at_an_event_goes_on_to_the_bit() {
    let fmu = Fmu::new(meeting());
    let watch: Vec<u32> = (2..67).collect();
    let step = MEETING;
    for (events, handled) in [(1, false), (1, true), (3, false), (4, true), (5, true)] {
        let importer = with_event_mode(&fmu, true);
        let mut time = 0.0;
        for index in 0..events {
            let (status, [event, ..], last) = importer.step(time, step - time);
            assert_eq!((status, event), (fmi3OK, true));
            time = last;
            if handled || index + 1 < events {
                importer.event(fmi3EnterStepMode);
            }
        }
        let saved = importer.state();
        let bytes = importer.serialize(saved);
        let go_on = |importer: &Importer| {
            let found = returns_from(importer, &watch, [time, MEETING], step);
            let rows = found.into_iter().map(|event| (event.time, event.values));
            (rows.collect::<Vec<_>>(), importer.state_variables())
        };
        let expected = go_on(&importer);
        importer.fine(importer.set_state(saved));
        assert!(go_on(&importer) == expected, "{events} {handled}");
        let other = fmu.with_event_mode(true);
        other.restore(&bytes);
        assert!(go_on(&other) == expected, "{events} {handled}");
        importer.free_state(saved);
    }
}

/// A kink of a force on one ball is an event of all, at its time.
#[test]
fn a_step_returns_at_the_kinks_of_a_force() {
    let mut description = without_gravity(scene(
        vec![
            ball("b0", [0.0, 0.0, 0.0]),
            moving("b1", [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ],
        Some(FrictionKind::Off),
    ));
    let mass = 8000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let times = vec![0.05, 0.110_3, 0.2];
    // A triangle of height 1 N times the mass.
    let profile = ForceProfile::Table(ForceTable {
        times: times.clone(),
        forces: vec![[0.0; 3], [0.0, mass, 0.0], [0.0; 3]],
        torques: Vec::new(),
        interpolation: Interpolation::Linear,
    });
    description.forces = vec![force("push", "b0", profile)];
    let fmu = Fmu::new(description);
    let watch = [
        reference(&fmu, "b0.velocity[2]"),
        reference(&fmu, "b1.position[3]"),
    ];
    let importer = with_event_mode(&fmu, true);
    let found = returns(&importer, &watch, 0.25, 0.25);
    let at: Vec<f64> = found.iter().map(|event| event.time).collect();
    assert_eq!(at, times);
    // Half of the base times the height.
    let gained = [0.0, 0.5 * 0.060_3, 0.5 * 0.15];
    for (event, gained) in found.iter().zip(gained) {
        near!(event.values[0], gained, 1e-9, "{:?}", event.values);
        assert!((event.values[1] - event.time).abs() < 1e-12);
    }
}

/// Without leave to return early events are handled inside, as without event mode.
#[test]
fn without_early_return_the_steps_are_those_without_event_mode() {
    let fmu = Fmu::new(falling(&HEIGHTS));
    let (one, other) = (with_event_mode(&fmu, false), fmu.co_simulation());
    other.initialize();
    for index in 0..32 {
        for importer in [&one, &other] {
            importer.whole_step(f64::from(index) / 64.0, 1.0 / 64.0);
        }
        assert_eq!(one.state_variables(), other.state_variables());
    }
    assert_eq!(contacts(&one), contacts(&other));
}

/// A listener is told of times at which all balls are, and a step that it ends is over at one of
/// them: the ball that meets no other one has gone v t, the momentum of all is that of the start.
#[test]
fn a_step_that_a_listener_ends_is_over_with_all_balls_at_that_time() {
    let fmu = Fmu::new(meeting());
    let interface = Interface::CoSimulation {
        event_mode: false,
        early_return: true,
    };
    let importer = Importer::watched(&fmu, interface, Some(&[])).expect("an instance");
    importer.initialize();
    let number = |name: &str| importer.value(reference(&fmu, name));
    let check = |time: f64| {
        assert_eq!(importer.value(1), time);
        let off = number("past.position[2]") - 1.0 - 0.5 * time;
        assert!(off.abs() < 1e-12, "{off:e} m at {time} s");
        let speeds = ["a", "b", "c", "d"].map(|name| number(&format!("{name}.velocity[1]")));
        let momentum: f64 = speeds.iter().sum();
        assert!((momentum + 1.0).abs() < 1e-12, "{speeds:?} at {time} s");
    };
    let (mut asked, mut ended) = (0, 0);
    let mut time = 0.0;
    while time < MEETING {
        let (status, _, last) = importer.step_with(time, MEETING - time, &mut |told| {
            asked += 1;
            check(told.time);
            match told.can_return_early && asked % 2 == 0 {
                true => Wish::Return,
                false => Wish::GoOn,
            }
        });
        importer.fine(status);
        check(last);
        ended += u32::from(last < MEETING);
        time = last;
    }
    assert!(asked > ended && ended > 3, "{asked} {ended}");
    // That it ends changes no contact.
    let told = contacts(&importer);
    assert_eq!(names(&told), names(&inside(&fmu, MEETING, MEETING)));
}
