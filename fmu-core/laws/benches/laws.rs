//! Cost of the force law of one contact: normal force, friction and rolling resistance, as one
//! evaluation of the derivatives asks for them. The geometry of the contact is not part of it.

use contact_geometry::math::{Dual, Real, Vec3, vec3};
use contact_laws::response::choice::{Damping, FrictionKind, LawOptions, NormalKind};
use contact_laws::response::damping::DampingLaw;
use contact_laws::response::inferred::Tables;
use contact_laws::response::law::{ContactMotion, PairSurface};
use contact_laws::response::stick::Bristle;
use contact_laws::response::{LawChoice, LawKinds, Number, PairLaw};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Laws of a ball of 0.1 m radius on a plate, both of steel.
fn law(options: LawOptions, exponent: f64) -> PairLaw {
    let given = |number| match number {
        Number::Exponent => Some(exponent),
        Number::Stiffness => Some(1e8),
        Number::Restitution => Some(0.7),
        Number::SlidingFriction => Some(0.3),
        Number::StaticFriction => Some(0.5),
        Number::RollingResistance => Some(0.001),
        Number::LargestDamping => Some(100.0),
        Number::DampingDepth => Some(1e-4),
        Number::LayerDepth1 => Some(1e-3),
        _ => None,
    };
    let choice = LawChoice::new(LawKinds::of_scene(&options), given).expect("all numbers");
    let surface = PairSurface {
        youngs_moduli: [2e11; 2],
        poissons_ratios: [0.3; 2],
        contact_radii: [f64::INFINITY, 0.1],
        flat: [true, false],
        spheres: [None, Some(0.1)],
        over_area: false,
        round: None,
        thickness: [f64::INFINITY, 0.2],
        flat_area: [f64::INFINITY, 0.04],
        effective_mass: 1.0,
        gravity: 9.81,
    };
    let damping = DampingLaw::new(&choice, options.d_max, &mut Tables::default());
    PairLaw::new(&choice, &surface, options.rule, 1.0, damping)
}

/// A sliding, spinning, compressing contact.
fn motion<T: Real>(gap: T, slip: f64) -> ContactMotion<T> {
    ContactMotion {
        gap,
        normal: vec3(&[0.48, 0.6, 0.64]),
        velocity: vec3(&[slip, -0.6 * slip, -0.2]),
        angular_velocity: vec3(&[1.0, 2.0, 3.0]),
        point: Vec3::zeros(),
        time: T::zero(),
    }
}

fn laws(criterion: &mut Criterion) {
    use FrictionKind::{Coulomb, CoulombDynamic, Regularized};
    let of = |normal, friction, exponent| {
        let options = LawOptions {
            normal,
            friction,
            ..LawOptions::DEFAULT
        };
        law(options, exponent)
    };
    let latched = |normal| {
        let options = LawOptions {
            normal,
            damping: Damping::Exact,
            ..LawOptions::DEFAULT
        };
        law(options, 1.5)
    };
    let cases = [
        ("hertz, exact, regularized", latched(NormalKind::Hertz)),
        (
            "hertz, regularized",
            of(NormalKind::Hertz, Regularized, 1.5),
        ),
        (
            "spring^1, regularized",
            of(NormalKind::Spring, Regularized, 1.0),
        ),
        (
            "spring^1.3, regularized",
            of(NormalKind::Spring, Regularized, 1.3),
        ),
        ("spring^1.3, coulomb", of(NormalKind::Spring, Coulomb, 1.3)),
        ("spring^2.2, coulomb", of(NormalKind::Spring, Coulomb, 2.2)),
        ("impact^1.5, coulomb", of(NormalKind::Impact, Coulomb, 1.5)),
        ("impact^1.3, coulomb", of(NormalKind::Impact, Coulomb, 1.3)),
        (
            "impact^1.5, coulomb-dynamic",
            of(NormalKind::Impact, CoulombDynamic, 1.5),
        ),
        (
            "poisson, regularized",
            of(NormalKind::Poisson, Regularized, 1.0),
        ),
        ("poisson, coulomb", of(NormalKind::Poisson, Coulomb, 1.0)),
        ("volume, coulomb", of(NormalKind::Volume, Coulomb, 1.0)),
    ];
    let mut group = criterion.benchmark_group("force law");
    for (name, law) in cases {
        // Below both transition speeds, between them, above them.
        for (regime, slip) in [("stick", 0.004), ("between", 0.05), ("slip", 0.8)] {
            let start = motion(-1e-5, slip);
            group.bench_function(format!("{name}, {regime}"), |b| {
                let mut state = start;
                b.iter(|| {
                    // Never the same state twice.
                    state.gap -= 1e-18;
                    let force = black_box(&law).force(black_box(&state), 0.1);
                    (force.on_2(&state.normal), force.torque)
                });
            });
        }
    }
    let law = of(NormalKind::Hertz, FrictionKind::Stick, 1.5);
    let stick = law.friction.stick().expect("friction that holds");
    for (regime, slip, deflection) in [("holds", 1e-6, 1e-9), ("slides", 0.05, 1e-6)] {
        let start = motion(-1e-5, slip);
        let bristle = Bristle {
            deflection: start.velocity * (deflection / slip),
            spin: 0.5,
        };
        group.bench_function(format!("hertz, stick, {regime}"), |b| {
            let mut state = start;
            b.iter(|| {
                state.gap -= 1e-18;
                let (law, stick) = black_box((&law, stick));
                let (force, rate) =
                    law.force_of_bristle(stick, black_box(&state), 0.1.into(), black_box(&bristle));
                (force.on_2(&state.normal), force.torque, rate)
            });
        });
    }
    // At rest under a weight: the rate swings about zero.
    for (regime, depth, rate) in [
        ("loading", 1e-5, 0.2),
        ("parting", 1e-5, -0.2),
        ("at rest", 5e-7, 1e-3),
        ("at rest, rising", 5e-7, -1e-3),
        ("slow", 1e-7, 2e-4),
    ] {
        let law = of(NormalKind::Hertz, Regularized, 1.5);
        let mut start = motion(-depth - 2e-8, 0.0);
        start.velocity = start.normal * -rate;
        group.bench_function(format!("hertz, regularized, {regime}"), |b| {
            let mut state = start;
            b.iter(|| {
                state.gap -= 1e-18;
                let force = black_box(&law).force(black_box(&state), 1.0);
                (force.on_2(&state.normal), force.torque)
            });
        });
    }
    let law = of(NormalKind::Hertz, Regularized, 1.5);
    let start = motion(Dual::new(-1e-5, 1.0), 0.8);
    group.bench_function("hertz, regularized, with a derivative", |b| {
        let mut state = start;
        b.iter(|| {
            state.gap -= Dual::from(1e-18);
            let force = black_box(&law).force(black_box(&state), 0.1);
            let sum: Vec3<Dual> = force.on_2(&state.normal);
            (sum, force.torque)
        });
    });
    group.finish();
    criterion.bench_function("table of an inferred damping", |b| {
        b.iter(|| Tables::default().of(black_box(0.7), true));
    });
    criterion.bench_function("damping of a new contact, exact", |b| {
        let mut e = 0.3;
        b.iter(|| {
            e += 1e-12;
            Damping::Exact.relative(black_box(e))
        });
    });
}

criterion_group!(benches, laws);
criterion_main!(benches);
