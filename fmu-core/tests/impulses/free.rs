//! Free bodies.

use super::*;
use crate::running::Run;

/// Two ellipsoids with masses of their own that fly at each other, turning.
fn tumbling(random: &mut Random, law: Law) -> (SceneDescription, Vec<GivenMass>) {
    let lengths = [0.3, 0.2, 0.15];
    let mut bodies = Vec::new();
    for (name, side) in [("one", -1.0), ("two", 1.0)] {
        let place = [0.4 * side, 0.05 * random.number(), 0.05 * random.number()];
        let mut own = body(name, Motion::Free, ellipsoid(lengths), place);
        own.orientation = random.quaternion();
        own.velocity = random.vector().map(|v| 0.3 * v);
        own.velocity[0] = side * (-2.0 + own.velocity[0]);
        own.angular_velocity = random.vector().map(|w| 5.0 * w);
        own.mass = random.mass(0.05);
        bodies.push(own);
    }
    let masses = bodies.iter().map(|body| body.mass).collect();
    (scene(bodies, law), masses)
}

/// Runs to the first impulse. Returns the states before and after.
fn first_impulse(run: &mut Run) -> [Vec<f64>; 2] {
    while run.reach_event(1.0) {
        let before = run.states.clone();
        run.handle_event();
        if !run.system.impulses().list().is_empty() {
            return [before, run.states.clone()];
        }
    }
    panic!("no impulse");
}

/// The largest sizes of a momentum and an angular momentum that cancel in the sums.
fn sizes(masses: &[GivenMass], states: &[f64]) -> [f64; 2] {
    let parts = masses.iter().zip(states.chunks(13));
    let parts = parts.map(|(mass, own)| totals(&[*mass], own));
    parts.fold([0.0; 2], |[p, l], (momentum, angular, _)| {
        [p + momentum.norm(), l + angular.norm()]
    })
}

#[test]
fn momentum_and_angular_momentum_stay_in_all_impacts() {
    let mut random = Random(3);
    let mut impacts = 0;
    for (friction, rolling) in [(0.0, 0.0), (0.3, 0.0), (0.8, 0.01)] {
        for _ in 0..20 {
            let law = Law {
                restitution: 0.5 + 0.5 * random.number(),
                friction,
                rolling,
                rest_speed: 1e-3,
            };
            let (description, masses) = tumbling(&mut random, law);
            let mut run = Run::new(description, 1e-9);
            if !run.reach_event(0.5) {
                continue;
            }
            let before = run.states.clone();
            run.handle_event();
            let (momentum, angular, energy) = totals(&masses, &before);
            let after = totals(&masses, &run.states);
            let [p, l] = sizes(&masses, &before);
            assert!((after.0 - momentum).norm() < 1e-13 * p);
            assert!((after.1 - angular).norm() < 1e-13 * l);
            assert!(after.2 <= energy * (1.0 + 1e-12));
            impacts += 1;
        }
    }
    assert!(impacts > 40, "{impacts}");
}

/// [Engelson 2000] section 2.1 with the sign of the second angular velocity mended:
/// J = -(1 + e) v_n/(1/m_1 + 1/m_2 + n.(I_1^-1 (r_1 x n)) x r_1 + n.(I_2^-1 (r_2 x n)) x r_2), and the
/// kinetic energy falls by (1 - e^2)/2 v_n^2 over that sum.
#[test]
fn impulse_and_loss_of_bodies_without_friction_are_those_of_the_formula() {
    let mut random = Random(4);
    let mut impacts = 0;
    for hypothesis in [
        Hypothesis::Poisson,
        Hypothesis::Newton,
        Hypothesis::Energetic,
    ] {
        for _ in 0..15 {
            let law = law(0.5 + 0.5 * random.number(), 0.0);
            let (mut description, masses) = tumbling(&mut random, law);
            description.contact.impact_law = hypothesis;
            let mut run = Run::new(description, 1e-9);
            if !run.reach_event(0.5) {
                continue;
            }
            let before = run.states.clone();
            run.handle_event();
            let [impulse] = run.system.impulses().list() else {
                panic!("one impulse");
            };
            let (j, normal) = (impulse.impulse_w.norm(), impulse.impulse_w.normalize());
            let (mut inverse, mut approach) = (0.0, 0.0);
            for ((given, x), sign) in masses.iter().zip(before.chunks(13)).zip([-1.0, 1.0]) {
                let (mass, center_b, inertia_b) = mass_of(given);
                let rotation = rotation_matrix(&[x[3], x[4], x[5], x[6]]);
                let omega = rotation * Vec3::new(x[10], x[11], x[12]);
                let origin = Vec3::new(x[0], x[1], x[2]);
                let center = origin + rotation * center_b;
                let r = impulse.point_w - center;
                let inertia = rotation * inertia_b * rotation.transpose();
                let turning = inertia.try_inverse().expect("an inertia") * r.cross(&normal);
                inverse += 1.0 / mass + normal.dot(&turning.cross(&r));
                let at_point =
                    Vec3::new(x[7], x[8], x[9]) + omega.cross(&(impulse.point_w - origin));
                approach += sign * at_point.dot(&normal);
            }
            let e = law.restitution;
            assert!((j * inverse / (-(1.0 + e) * approach) - 1.0).abs() < 1e-12);
            let loss = totals(&masses, &before).2 - totals(&masses, &run.states).2;
            let expected = 0.5 * (1.0 - e * e) * approach * approach / inverse;
            let energy = totals(&masses, &before).2;
            near!(loss, expected, 1e-12 * energy);
            impacts += 1;
        }
    }
    assert!(impacts > 30, "{impacts}");
}

/// The rod of [`a_rod_slides_sticks_and_reverses_by_all_hypotheses`] as a body whose end is a ball.
fn rod_at(speed: [f64; 3]) -> BodyDescription {
    let (radius, half) = (0.01, 0.5 * 0.5_f64.sqrt());
    let at = [0.0, 0.0, half + 1e-3];
    let mut rod = body("rod", Motion::Free, sphere(2.0 * radius), at);
    rod.shapes[0].position = [-half, 0.0, radius - half];
    rod.velocity = speed;
    rod.mass = given_mass(
        1.0,
        [0.0; 3],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 24.0, 0.0, 0.0, 0.0],
    );
    rod
}

/// A slender rod, m = 1 kg, L = 1 m, 45 degrees to the ground, whose lower end hits it, with the centre
/// at (0.3, -1) m/s, no spin and restitution 0.5. The rows are those of the planar impulse path
/// (Routh; Stronge) worked out for this rod by hand: with t along the ground to the right, r from the
/// centre to the end and I = 1/12, W = [1 + r_n^2/I, -r_t r_n/I; ., 1 + r_t^2/I] = [2.5, -1.5; -1.5, 2.5],
/// and u- = (0.3, -1). With mu = 0.1 the end slides, stops where 0.3 = (2.5 mu + 1.5) p_n, ...
#[test]
fn a_rod_slides_sticks_and_reverses_by_all_hypotheses() {
    // mu, hypothesis, p_n, p_t.
    let rows = [
        (0.1, Hypothesis::Newton, 0.616413, 0.027356),
        (0.1, Hypothesis::Poisson, 0.605471, 0.026261),
        (0.1, Hypothesis::Energetic, 0.607781, 0.026492),
        (0.3, Hypothesis::Newton, 0.673171, 0.121951),
        (0.3, Hypothesis::Poisson, 0.643902, 0.113171),
        (0.3, Hypothesis::Energetic, 0.648401, 0.114520),
        (0.8, Hypothesis::Newton, 0.825, 0.375),
        (0.8, Hypothesis::Poisson, 0.768750, 0.341250),
        (0.8, Hypothesis::Energetic, 0.773411, 0.344047),
    ];
    for (friction, hypothesis, normal, tangential) in rows {
        let law = law(0.5, friction);
        // The end is a ball whose lowest point is where the end of the rod would be.
        let rod = rod_at([0.3, 0.0, -1.0]);
        let mut description = scene(vec![plate(), rod], law);
        description.gravity = Gravity::None;
        description.contact.impact_law = hypothesis;
        let mut run = Run::new(description, 1e-9);
        first_impulse(&mut run);
        let found = run.system.impulses().list()[0].impulse_w;
        // The arm is longer by the overlap of 2e-8 m at which contacts start.
        let bar = 1e-6;
        near!(found.z, normal, bar, "{friction} {hypothesis:?} {found}");
        let off = (found.x - tangential).abs();
        assert!(off < bar, "{friction} {hypothesis:?} {found}");
    }
}

/// Both balls have the same restitution at any speed; the harder the force, the nearer is what it does to
/// the impulse: u+ = -e u- and no time.
#[test]
fn compliant_impacts_come_to_the_impulse_as_the_stiffness_grows() {
    for restitution in [0.3, 0.8] {
        let law = law(restitution, 0.0);
        let balls = || {
            let mut one = ball_of("one", 0.2, 1.0, [-0.101, 0.0, 0.0]);
            one.velocity[0] = 1.0;
            vec![one, ball_of("two", 0.2, 2.0, [0.101, 0.0, 0.0])]
        };
        let ends = |description: SceneDescription| {
            let mut run = Run::new(description, 1e-10);
            run.to(0.2);
            [run.states[7], run.states[20], run.states[0], run.states[13]]
        };
        let by_impulse = ends(scene(balls(), law));
        // m_1 v_1 + m_2 v_2 = 1 and v_2 - v_1 = e.
        let expected = [(1.0 - 2.0 * restitution) / 3.0, (1.0 + restitution) / 3.0];
        assert!((by_impulse[0] - expected[0]).abs() < 1e-12);
        assert!((by_impulse[1] - expected[1]).abs() < 1e-12);
        let mut compliant = scene(balls(), law);
        by_force(&mut compliant);
        let by_force = ends(compliant);
        for (force, impulse) in by_force.iter().zip(by_impulse) {
            near!(*force, impulse, 1e-3, "{by_force:?} {by_impulse:?}");
        }
    }
}

/// The force of a law that has impulses, in place of them.
fn by_force(description: &mut SceneDescription) {
    let changes = law_of(description);
    changes.response = None;
    changes.numbers.retain(|(n, _)| *n != Number::RestSpeed);
}

/// While it slides one way, or holds, a normal force f_n moves the end of the rod along the normal by (W_nn -
/// mu t.W_nt) f_n: the mass of its damping, so that the normal velocity comes back with the restitution.
/// Only that the slip turns round takes a part, by 0.3 m/s and mu = 0.3 the energetic hypothesis, -0.449222, and
/// what an impact with this damping does, -0.451632, by an integration over the impulse with scipy.
#[test]
fn an_eccentric_end_that_slides_obtains_its_restitution_by_force() {
    let rows = [
        (5.0, 0.3, 0.3, 0.3),
        (-5.0, 0.3, 0.3, 0.3),
        (-5.0, 0.9, 0.3, 0.3),
        (5.0, 0.9, 0.7, 0.7),
        (-5.0, 0.6, 0.7, 0.7),
        (0.3, 0.3, 0.5, 0.451_632),
    ];
    for kind in [
        FrictionKind::Regularized,
        FrictionKind::CoulombDynamic,
        FrictionKind::Stick,
    ] {
        for (slip, friction, restitution, expected) in rows {
            if slip == 0.3 && kind == FrictionKind::Stick {
                // What is stretched along the face comes back there.
                continue;
            }
            let law = law(restitution, friction);
            let mut description = scene(vec![plate(), rod_at([slip, 0.0, -1.0])], law);
            by_force(&mut description);
            description.contact.k_red = 1e4;
            let changes = law_of(&mut description);
            changes.friction = Some(kind);
            // Full friction from here on.
            let small = match kind {
                FrictionKind::CoulombDynamic => Number::DynamicSpeed,
                _ => Number::VSmall,
            };
            changes
                .numbers
                .extend((kind != FrictionKind::Stick).then_some((small, 2e-3)));
            let mut run = Run::new(description, 1e-9);
            run.to(1.2e-3);
            // At the contact point, 1/sqrt(8) m aside.
            let speed = run.states[9] + run.states[11] * 0.125_f64.sqrt();
            // The friction of `stick` is not full before its bristle is stretched.
            let bar = if kind == FrictionKind::Stick {
                3e-3
            } else {
                1e-3
            };
            assert!(
                (speed - expected).abs() < bar,
                "{kind:?} {slip} {friction} {restitution}: {speed}"
            );
        }
    }
}

/// A block that slides at 2 m/s lands flat at 1 m/s with e = 0.5: friction leans it on its leading edge, and
/// the pressure that moves there holds it. Speeds after by an integration with scipy of a face of 600 strips
/// on a linear foundation with the damping of the law; they do not depend on its stiffness.
#[test]
fn a_face_that_slides_as_it_lands_is_held_by_its_pressure() {
    let (low, tall) = ([0.2, 0.2, 0.1], [0.1, 0.1, 0.2]);
    // Lengths, mu, v_x, v_z [m/s], w_y [rad/s].
    let rows = [
        (low, 0.1, 1.8497, 0.5027, 0.1157),
        (low, 0.3, 1.5423, 0.5257, 0.4592),
        (low, 0.6, 1.0309, 0.6152, 1.4689),
        (tall, 0.1, 1.8487, 0.5133, 2.1478),
        (tall, 0.3, 1.5073, 0.6423, 7.1362),
        (tall, 0.6, 1.1550, 0.8972, 11.5285),
    ];
    for (lengths, friction, along, up, turning) in rows {
        let height = 0.5 * lengths[2] + 1e-6;
        let mut block = body("block", Motion::Free, cuboid(lengths), [0.0, 0.0, height]);
        block.velocity = [2.0, 0.0, -1.0];
        let law = law(0.5, friction);
        let mut run = Run::new(scene(vec![plate(), block], law), 1e-9);
        let [_, after] = first_impulse(&mut run);
        let found = [after[7], after[9], after[11]];
        for (found, expected) in found.iter().zip([along, up, turning]) {
            let bar = 2e-3 * expected + 1e-3;
            assert!((found - expected).abs() < bar, "{friction} {after:?}");
        }
        // By symmetry nothing goes aside.
        assert!(after[8].abs() + after[10].abs() + after[12].abs() < 1e-9);
    }
}

/// A box that lands on a face hits with all of it, as by its force, while its tilt is small beside the depth
/// that the force reaches over the width: m v^2/2 = k A d^2/2 with k = E/(2 h) over half of the thickness h
/// = 0.05 m of each body, A = 0.04 m2, m = 32 kg, v = 3.1 m/s is d = 6e-5 m.
#[test]
fn a_face_that_lands_almost_flat_does_not_spin() {
    for (tilt, spin) in [(0.0, 1e-9), (1e-8, 1e-3), (1e-6, 0.1)] {
        let at = [0.0, 0.0, 0.55];
        let mut crate_ = body("crate", Motion::Free, cuboid([0.2, 0.2, 0.1]), at);
        let half: f64 = 0.5 * tilt;
        crate_.orientation = [half.cos(), 0.0, half.sin(), 0.0];
        let law = law(0.5, 0.0);
        let mut description = scene(vec![plate(), crate_], law);
        description.gravity = Gravity::Uniform([0.0, 0.0, -9.81]);
        let mut run = Run::new(description, 1e-9);
        let [before, after] = first_impulse(&mut run);
        let off = (after[9] + 0.5 * before[9]).abs();
        assert!(off < 0.01, "{tilt} {}", after[9]);
        assert!(after[11].abs() < spin, "{tilt} {}", after[11]);
    }
}
