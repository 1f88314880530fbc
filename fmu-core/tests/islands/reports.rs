//! Reported pairs: impulse, peak force and history, against closed forms and the whole.

use crate::fixtures::*;
use crate::islands::comparing::*;

fn reported(mut description: SceneDescription, restitution: f64) -> SceneDescription {
    description.report = Report::All;
    let law = law_of(&mut description);
    law.restitution = Some(RestitutionRule::Constant);
    law.numbers
        .retain(|(number, _)| *number != Number::Restitution);
    law.numbers.push((Number::Restitution, restitution));
    description
}

/// What an impact without loss by K d^1.5 lasts, in units of depth over speed of approach:
/// 2 int_0^1 dx/sqrt(1 - x^2.5) = 4 sqrt(pi) Gamma(2/5)/(5 Gamma(9/10)).
const LASTS: f64 = 2.943_275_184_324_704_3;

fn pair_of(both: &Both, one: &str, other: &str) -> Touch {
    let report = ReportId::from(place(both, one, other));
    Touch::Pair(both.divided.system.scene().reported()[report])
}

/// Place of a pair of bodies among the reported ones.
fn place(both: &Both, one: &str, other: &str) -> usize {
    let scene = both.divided.system.scene();
    let is_it = |pair: &PairId| scene.pair_name(*pair) == format!("{one}:{other}");
    let found = scene.reported().iter().position(is_it);
    found.unwrap_or_else(|| panic!("{one}:{other} is not reported"))
}

/// Impulses and peak forces are those of the whole, and so are the number of contacts, the last
/// time and the last speed.
#[track_caller]
fn report_the_same(both: &Both, name: &str) {
    let loads = both.whole.loads.iter().zip(&both.divided.loads);
    let largest = |of: fn([f64; 3]) -> f64| {
        let all = both.whole.loads.iter().map(|load| of(load.impulse));
        all.fold(0.0, f64::max)
    };
    let scale = largest(|impulse| impulse.iter().fold(0.0, |max: f64, x| max.max(x.abs())));
    let peak = both.whole.loads.iter().map(|load| load.peak_force);
    let peak = peak.fold(0.0, f64::max);
    assert!(scale > 0.0 && peak > 0.0, "{name}");
    for (one, other) in loads {
        for (a, b) in one.impulse.iter().zip(other.impulse) {
            assert!((a - b).abs() < 1e-6 * scale, "{name}: {one:?} {other:?}");
        }
        let off = one.peak_force - other.peak_force;
        assert!(off.abs() < 1e-3 * peak, "{name}: {one:?} {other:?}");
    }
    let impacts = [&both.whole.system, &both.divided.system].map(|s| s.ledger().impacts());
    for (one, other) in impacts[0].iter().zip(impacts[1]) {
        assert_eq!(one.count, other.count, "{name}");
        let off = (one.last_time - other.last_time).abs();
        assert!(off < 1e-7, "{name}: {one:?} {other:?}");
        let off = (one.last_speed - other.last_speed).abs();
        assert!(off < 1e-6, "{name}: {one:?} {other:?}");
    }
}

/// Two balls of mass m run into each other with v each: the impulse is (1 + e) m v, and without loss
/// the peak is K d^1.5 where 1/2 m v^2 + 1/2 m v^2 = K d^2.5/2.5.
#[test]
fn the_impulse_of_an_impact_is_that_of_restitution_and_its_peak_that_of_the_energy() {
    for (e, step) in [(1.0, 1e-3), (1.0, 0.05), (0.6, 7e-4), (0.6, 0.05)] {
        let bodies = vec![
            moving("one", [-0.12, 0.0, 0.0], [2.0, 0.0, 0.0]),
            moving("two", [0.12, 0.0, 0.0], [-2.0, 0.0, 0.0]),
            moving("aside", [0.0, 0.9, 0.0], [-3.0, 0.0, 0.0]),
            ball("hit", [-0.3, 0.9, 0.0]),
        ];
        let description = without_gravity(scene(bodies, Some(FrictionKind::Off)));
        let mut both = Both::new("impact", reported(description, e), [FINE, TOLERANCE]);
        both.to(0.05, step);
        both.were_divided();
        report_the_same(&both, "impact");
        let mass = both.whole.system.model().bodies[BodyId::from(0)].mass;
        let starts_deeper = 2e-8;
        for (pair, speed) in [(["one", "two"], 4.0), (["aside", "hit"], 3.0)] {
            // Force on the second body of the pair.
            let [first, second] = pair;
            let load = both.divided.loads[ReportId::from(place(&both, first, second))];
            // Reduced mass m/2.
            let impulse = 0.5 * (1.0 + e) * mass * speed;
            let sign = if first == "one" { 1.0 } else { -1.0 };
            let off = load.impulse[0] / (sign * impulse) - 1.0;
            assert!(off.abs() < 1e-6, "{pair:?}: {load:?}, not {impulse}");
            assert!(load.impulse[1].abs() + load.impulse[2].abs() < 1e-9);
            if e == 1.0 {
                let energy = 0.25 * mass * speed * speed;
                let depth = (2.5 * energy / STIFFNESS).powf(0.4);
                let peak = STIFFNESS * depth.powf(1.5);
                let off = load.peak_force / peak - 1.0;
                assert!(off.abs() < 2e-3, "{pair:?}: {load:?}, not {peak}");
                assert!(depth > 1e3 * starts_deeper);
                let events = events_of(&both.divided);
                let touch = pair_of(&both, first, second);
                let own: Vec<_> = events.iter().filter(|event| event.touch == touch).collect();
                let [start, end] = own[..] else {
                    panic!("{own:?}");
                };
                assert!(start.starts && !end.starts);
                let (lasts, expected) = (end.time - start.time, LASTS * depth / speed);
                let off = lasts - expected;
                assert!(
                    off.abs() < 1e-7,
                    "{pair:?} touch {off:e} s longer than {expected} s"
                );
            }
        }
    }
}

#[test]
fn pairs_of_balls_that_bounce_and_meet_report_what_the_whole_does() {
    for (friction, step) in [
        (FrictionKind::Regularized, 0.01),
        (FrictionKind::Stick, 2e-3),
    ] {
        let bodies = vec![
            plate(),
            moving("one", [-0.2, 0.0, 0.12], [1.5, 0.0, 0.0]),
            moving("two", [0.15, 0.02, 0.15], [-0.5, 0.1, 0.0]),
            moving("three", [0.7, 0.0, 0.11], [0.0, 0.2, -0.5]),
        ];
        let name = format!("bounce, {friction:?}");
        let description = reported(scene(bodies, Some(friction)), 0.8);
        let mut both = Both::new(&name, description, [FINE, TOLERANCE]);
        both.to(0.2, step);
        both.were_divided();
        both.meet_the_same(1e-6);
        report_the_same(&both, &name);
    }
}
