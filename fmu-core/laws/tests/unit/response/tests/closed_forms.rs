//! Values of the laws against their formulas and limits.

use super::*;
use crate::response::choice::{FrictionKind, GeometryFactor, NormalKind, Pulling, Step};

fn normal_force(law: &PairLaw, depth: f64, rate: f64, frozen: f64) -> f64 {
    law.force(&pressing(depth, rate), frozen).normal_force
}

fn of(normal: NormalKind, numbers: &[(Number, f64)]) -> PairLaw {
    let options = LawOptions { normal, ..LATCHED };
    law(options, numbers)
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    let off = (found - expected).abs();
    assert!(off <= 1e-11 * expected.abs(), "{found} for {expected}");
}

#[test]
fn stiffness_of_hertz_has_the_geometry_of_its_rule() {
    // c_res = E/(2 (1 - nu^2)) for equal materials.
    let c = 2e11 / (2.0 * 0.91);
    let force = |factor, surface: &PairSurface| {
        let options = latched(|o| o.geometry_factor = factor);
        normal_force(&law_on(surface, options, &[]), 1e-4, 0.0, 0.0)
    };
    let hertz = |radius: f64| c * 4.0 / 3.0 * (radius * 1e-4).sqrt() * 1e-4;
    let with = |spheres, contact_radii, flat| PairSurface {
        spheres,
        contact_radii,
        flat,
        ..surface()
    };
    let (sphere, other) = (Some(0.1), Some(0.3));
    use GeometryFactor::{ContactSphere, Document};
    let two = with([sphere, other], [0.1, 0.3], [false; 2]);
    for factor in [ContactSphere, Document] {
        assert_close(force(factor, &two), hertz(0.075));
        assert_close(force(factor, &surface()), hertz(0.1));
    }
    // A sphere on a curved body that is no sphere; two bodies that are no spheres.
    let one = with([None, sphere], [0.3, 0.1], [false; 2]);
    assert_close(force(ContactSphere, &one), hertz(0.075));
    assert_close(force(Document, &one), hertz(0.1));
    let none = with([None, None], [0.3, 0.1], [false; 2]);
    assert_close(force(ContactSphere, &none), hertz(0.075));
    assert_close(force(Document, &none), c * 1e-4);
}

#[test]
fn the_reduction_factor_multiplies_the_normal_force_of_every_law() {
    use NormalKind::{Hertz, Impact, Poisson, Spring, Volume};
    for normal in [Hertz, Spring, Impact, Poisson, Volume] {
        let options = LawOptions { normal, ..LATCHED };
        let force = |k_red: f64| {
            let law = law_reduced(&surface(), options, &[], k_red);
            normal_force(&law, 3e-4, 0.2, 0.5)
        };
        assert_close(force(0.25), 0.25 * force(1.0));
    }
}

#[test]
fn impact_law_is_the_spring_and_the_stepped_damper() {
    // At a quarter of its depth the step is 1/16 (3 - 1/2) and 1/64 (10 - 15/4 + 6/16).
    for (step, part) in [(Step::Cubic, 0.15625), (Step::Quintic, 0.103515625)] {
        let options = latched(|o| (o.normal, o.step) = (NormalKind::Impact, step));
        let law = law(options, &[]);
        let elastic = |depth: f64| 1e6 * depth.powf(1.5);
        let expected = elastic(2.5e-5) + part * 300.0 * 0.3;
        assert_close(normal_force(&law, 2.5e-5, 0.3, 0.0), expected);
        let expected = elastic(2e-4) + 300.0 * 0.3;
        assert_close(normal_force(&law, 2e-4, 0.3, 0.0), expected);
        // Clamped where the damper would pull.
        assert_eq!(normal_force(&law, 2e-4, -1e3, 0.0), 0.0);
    }
}

#[test]
fn poisson_law_loads_with_one_slope_and_unloads_with_another() {
    let law = of(
        NormalKind::Poisson,
        &[(Number::TransitionSpeed, 0.1), (Number::Restitution, 0.5)],
    );
    // beta = (1 - 1/4)/(1 + 1/4).
    let beta = law.frozen(10.0, 1.0);
    assert_close(beta, 0.6);
    for (rate, factor) in [(0.1, 1.6), (5.0, 1.6), (0.0, 1.0), (-0.1, 0.4), (-5.0, 0.4)] {
        assert_close(normal_force(&law, 1e-4, rate, beta), 100.0 * factor);
    }
    // Half way to v_n the step is at z = 3/4: z^2 (3 - 2 z) = 27/32, from -1 to 1: 11/16.
    let expected = 100.0 * (1.0 + 0.6 * 0.6875);
    assert_close(normal_force(&law, 1e-4, 0.05, beta), expected);
}

#[test]
fn layers_are_springs_in_series_over_the_patch() {
    // E (1 - nu)/((1 + nu)(1 - 2 nu)) = K + 4/3 G with K = E/(3 (1 - 2 nu)), G = E/(2 (1 + nu)).
    let constrained = |e: f64, nu: f64| e / (3.0 - 6.0 * nu) + 4.0 / 3.0 * e / (2.0 + 2.0 * nu);
    let surface = PairSurface {
        youngs_moduli: [1e7, 3e8],
        poissons_ratios: [0.45, 0.2],
        ..surface()
    };
    let (k_1, k_2) = (constrained(1e7, 0.45) / 2e-3, constrained(3e8, 0.2) / 5e-3);
    let k = k_1 * k_2 / (k_1 + k_2);
    let options = latched(|o| o.normal = NormalKind::Volume);
    let force = |numbers: &[(Number, f64)], depth| {
        let mut all = vec![(Number::LayerDepth1, 2e-3), (Number::LayerDepth2, 5e-3)];
        all.extend(numbers);
        normal_force(&law_on(&surface, options, &all), depth, 0.0, 0.0)
    };
    assert_close(force(&[(Number::Area, 3e-4)], 1e-4), 3e-4 * k * 1e-4);
    assert_close(
        force(&[(Number::Area, 3e-4), (Number::Exponent, 1.5)], 1e-4),
        3e-4 * k * 1e-6,
    );
    // The paraboloid z = r^2/(2 R) as rings of equal height, by the middle rule: its error falls
    // with the number of rings to the power -2.
    for exponent in [1.0_f64, 2.0] {
        let (depth, rings) = (1e-4, 20_000);
        let ring = |i: i32| {
            let height = depth * (f64::from(i) + 0.5) / f64::from(rings);
            // 2 pi r dr = 2 pi R dz.
            let area = std::f64::consts::TAU * 0.1 * depth / f64::from(rings);
            area * k * (depth - height).powf(exponent)
        };
        let sum: f64 = (0..rings).map(ring).sum();
        let found = force(&[(Number::Exponent, exponent)], depth);
        assert!((found / sum - 1.0).abs() < 1e-8, "{exponent}: {found}");
    }
}

#[test]
fn layers_do_not_depend_on_the_geometry_factor_of_hertz() {
    let bodies = PairSurface {
        spheres: [None, None],
        ..surface()
    };
    let force = |factor| {
        let options = LawOptions {
            normal: NormalKind::Volume,
            geometry_factor: factor,
            ..LATCHED
        };
        normal_force(&law_on(&bodies, options, &[]), 1e-4, 0.0, 0.0)
    };
    let found = force(GeometryFactor::ContactSphere);
    assert_eq!(found, force(GeometryFactor::Document));
}

#[test]
fn a_signed_force_is_odd_in_the_depth() {
    for exponent in [1.0, 1.3, 1.5, 2.0] {
        let options = LawOptions {
            normal: NormalKind::Spring,
            pulling: Pulling::Signed,
            rule: LawOptions::MODIA3D_0_12.rule,
            ..LATCHED
        };
        let law = law(options, &[(Number::Exponent, exponent)]);
        let force = |gap| {
            let motion = motion(gap, Vec3::zeros(), Vec3::zeros());
            law.force(&motion, 0.0).normal_force
        };
        assert_close(force(-1e-4), 1e6 * 1e-4_f64.powf(exponent));
        assert_eq!(force(1e-4), -force(-1e-4));
    }
}

const MU_S: f64 = 0.5;
const MU_D: f64 = 0.2;
const V_S: f64 = 0.02;
const V_D: f64 = 0.3;

/// Friction over normal force against slip of this speed, in two directions across the normal.
fn coefficient(friction: FrictionKind, step: Step, speed: f64) -> [f64; 2] {
    let options = latched(|o| (o.friction, o.step) = (friction, step));
    let numbers = [
        (Number::SlidingFriction, MU_D),
        (Number::StaticFriction, MU_S),
        (Number::StaticSpeed, V_S),
        (Number::DynamicSpeed, V_D),
        (Number::VSmall, V_S),
    ];
    let law = law(options, &numbers);
    let normal = Vec3::from(NORMAL);
    let along = Vec3::new(0.8, 0.0, -0.6);
    let across = normal.cross(&along);
    [along, -(along * 0.6 + across * 0.8)].map(|direction| {
        let motion = motion(-1e-4, direction * speed - normal * 0.1, Vec3::zeros());
        let force = law.force(&motion, 0.5);
        assert!(force.friction.dot(&normal).abs() < 1e-12 * force.normal_force);
        let against = -force.friction / force.normal_force;
        assert!((against - direction * against.dot(&direction)).norm() < 1e-13);
        against.dot(&direction)
    })
}

#[test]
fn coulomb_friction_peaks_at_its_static_speed_and_falls_to_sliding() {
    use FrictionKind::Coulomb;
    for step in [Step::Cubic, Step::Quintic] {
        let mu = |v| {
            let [one, other] = coefficient(Coulomb, step, v);
            assert!((one - other).abs() < 1e-14);
            one
        };
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-13, "{found} for {expected}");
        };
        near(mu(0.0), 0.0);
        near(mu(V_S), MU_S);
        near(mu(0.5 * (V_S + V_D)), 0.5 * (MU_S + MU_D));
        near(mu(V_D), MU_D);
        near(mu(10.0), MU_D);
        // Odd polynomial below: r (3 - r^2)/2, r (15 - 10 r^2 + 3 r^4)/8 at r = 1/2.
        let half = match step {
            Step::Cubic => 0.6875,
            Step::Quintic => 0.79296875,
        };
        near(mu(0.5 * V_S), MU_S * half);
        for i in 0..2000 {
            let v = 1e-4 * f64::from(i);
            assert!(mu(v) <= MU_S * (1.0 + 1e-14));
            let (now, next) = (mu(v), mu(v + 1e-4));
            let rises = v + 1e-4 <= V_S;
            assert!(
                if rises {
                    next > now
                } else {
                    v < V_S || next <= now
                },
                "{v}"
            );
        }
    }
}

#[test]
fn coulomb_dynamic_friction_has_no_peak_and_the_lost_minus_sign() {
    for step in [Step::Cubic, Step::Quintic] {
        let mu = |v| coefficient(FrictionKind::CoulombDynamic, step, v)[0];
        assert_eq!(mu(0.0), 0.0);
        assert!((mu(V_D) - MU_D).abs() < 1e-14 && (mu(5.0) - MU_D).abs() < 1e-14);
        let mut last = 0.0;
        for i in 1..=300 {
            let now = mu(1e-3 * f64::from(i));
            assert!(now > last || i == 300 && now >= last * (1.0 - 1e-14));
            last = now;
        }
        // STEP(v_d/2, -v_d, -mu, v_d, mu) at z = 3/4.
        let half = match step {
            Step::Cubic => 27.0 / 32.0,
            Step::Quintic => 27.0 / 64.0 * (10.0 - 11.25 + 3.375),
        };
        assert!((mu(0.5 * V_D) - MU_D * (2.0 * half - 1.0)).abs() < 1e-14);
    }
}

#[test]
fn regularized_friction_is_the_quotient_with_reg() {
    let mu = |v| coefficient(FrictionKind::Regularized, Step::Cubic, v)[0];
    assert_eq!(mu(0.0), 0.0);
    // reg(v_s/2) = v_s (1/4 (1 - 1/6) + 1/3) = v_s 13/24.
    assert!((mu(0.5 * V_S) - MU_D * 12.0 / 13.0).abs() < 1e-14);
    assert!((mu(V_S) - MU_D).abs() < 1e-14 && (mu(3.0) - MU_D).abs() < 1e-14);
}

#[test]
fn a_block_on_a_slope_of_ten_degrees_creeps_at_the_known_part_of_the_static_speed() {
    // tan 10 degrees = mu_s r (3 - r^2)/2 with mu_s = 0.3: r = 0.4158.
    let options = latched(|o| o.friction = FrictionKind::Coulomb);
    let numbers = [(Number::StaticFriction, 0.3), (Number::StaticSpeed, 0.01)];
    let law = law(options, &numbers);
    let velocity = Vec3::new(0.8, 0.0, -0.6) * (0.4158 * 0.01);
    let force = law.force(&motion(-1e-4, velocity, Vec3::zeros()), 0.0);
    let needed = 10f64.to_radians().tan();
    assert!((force.friction.norm() / force.normal_force / needed - 1.0).abs() < 2e-4);
}

#[test]
fn friction_ends_to_change_at_ten_static_speeds_where_nothing_is_said() {
    let options = latched(|o| o.friction = FrictionKind::Coulomb);
    let numbers = [(Number::StaticFriction, 0.6), (Number::StaticSpeed, 0.5)];
    let law = law(options, &numbers);
    let mu = |speed: f64| {
        let velocity = Vec3::new(0.8, 0.0, -0.6) * speed;
        let force = law.force(&motion(-1e-4, velocity, Vec3::zeros()), 0.0);
        force.friction.norm() / force.normal_force
    };
    assert_close(mu(0.5), 0.6);
    assert_close(mu(2.75), 0.45);
    assert_close(mu(5.0), 0.3);
}

#[test]
fn turning_about_the_normal_has_its_own_resistance_where_one_is_given() {
    let normal = Vec3::from(NORMAL);
    let across = Vec3::new(0.8, 0.0, -0.6);
    let turning = motion(-1e-4, Vec3::zeros(), normal * 3.0 - across * 4.0);
    let torque = |numbers: &[(Number, f64)]| {
        let force = law(LATCHED, numbers).force(&turning, 0.0);
        force.torque / force.normal_force
    };
    let rolling = (Number::RollingResistance, 0.01);
    // One coefficient: along the whole angular velocity of 5 rad/s, arm 0.1 m.
    let whole = (normal * -0.6 + across * 0.8) * 1e-3;
    assert!((torque(&[rolling]) - whole).norm() < 1e-16);
    let parts = across * 1e-3 - normal * 3e-3;
    let own = torque(&[rolling, (Number::SpinningResistance, 0.03)]);
    assert!((own - parts).norm() < 1e-16);
}
