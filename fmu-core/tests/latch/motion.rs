//! Motion while latches are closed.

use super::*;
use contact_model::hybrid::{Along, Direction};
use contact_model::integrator::Solver;

/// Principal data of the two parts of the pair: masses [kg], centres [m], inertias [kg.m2].
fn parts() -> [GivenMass; 2] {
    [
        given_mass(2.0, [0.1, -0.2, 0.05], [0.3, 0.4, 0.5, 0.02, -0.03, 0.01]),
        given_mass(0.7, [-0.1, 0.0, 0.2], [0.06, 0.05, 0.04, 0.0, 0.01, 0.0]),
    ]
}

/// A tumbling pair, held by a joint of this kind with these position states.
fn pair(kind: JointKind, positions: Vec<f64>) -> SceneDescription {
    let [one, other] = parts();
    let mut root = plain_body("one", Motion::Free, one);
    root.angular_velocity = [2.0, -1.0, 3.0];
    root.velocity = [0.5, 0.0, -0.2];
    let mut hold = joint(kind, Some("one"), "other");
    hold.parent_frame.position = [0.5, 0.0, 0.1];
    hold.positions = positions;
    let bodies = vec![root, plain_body("other", Motion::Joint, other)];
    let mut description = scene(bodies, vec![hold], vec![latch("other")]);
    description.gravity = Gravity::Uniform([0.0, 1.0, -9.81]);
    description
}

/// One body with the mass of both: masses, centres and inertias of the second part moved and added by the
/// rules of Steiner.
fn whole(rotation: nalgebra::Matrix3<f64>, offset: Vec3) -> SceneDescription {
    let number = |part: &GivenMass| {
        let [xx, yy, zz, xy, xz, yz] = part.inertia.expect("given");
        let inertia = nalgebra::Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        (
            part.mass.expect("given"),
            Vec3::from(part.center_of_mass.expect("given")),
            inertia,
        )
    };
    let [(m1, c1, i1), (m2, c2, i2)] = parts().each_ref().map(number);
    let (c2, i2) = (offset + rotation * c2, rotation * i2 * rotation.transpose());
    let center = (c1 * m1 + c2 * m2) / (m1 + m2);
    let moved = |m: f64, c: Vec3, i: nalgebra::Matrix3<f64>| {
        let r = c - center;
        i + (nalgebra::Matrix3::identity() * r.norm_squared() - r * r.transpose()) * m
    };
    let sum = moved(m1, c1, i1) + moved(m2, c2, i2);
    let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| sum[at]);
    let mut body = plain_body(
        "one",
        Motion::Free,
        given_mass(m1 + m2, center.into(), entries),
    );
    body.angular_velocity = [2.0, -1.0, 3.0];
    body.velocity = [0.5, 0.0, -0.2];
    let mut description = scene(vec![body], Vec::new(), Vec::new());
    description.gravity = Gravity::Uniform([0.0, 1.0, -9.81]);
    description
}

#[test]
fn a_held_pair_tumbles_as_one_body_with_the_inertia_of_both() {
    let turned = nalgebra::Rotation3::from_axis_angle(&Vec3::y_axis(), 2.0 * 0.6_f64.atan2(0.8));
    let about_z = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.4);
    let at = Vec3::new(0.5, 0.0, 0.1);
    let shift = Vec3::new(0.02, 0.3, -0.1);
    let free = vec![shift.x, shift.y, shift.z, 0.8, 0.0, 0.6, 0.0];
    #[rustfmt::skip]
    let cases = [
        (JointKind::Free, free, turned, at + shift),
        (JointKind::Spherical, vec![0.8, 0.0, 0.6, 0.0], turned, at),
        (JointKind::Revolute, vec![0.4], about_z, at),
        (JointKind::Cylindrical, vec![0.2, 0.4], about_z, at + Vec3::new(0.0, 0.0, 0.2)),
    ];
    for (kind, positions, rotation, offset) in cases {
        let mut held = Run::new(pair(kind, positions), 1e-11);
        let mut one = Run::new(whole(rotation.into_inner(), offset), 1e-11);
        held.to(3.0);
        one.to(3.0);
        all_near(&held.states[..13], &one.states, 1e-8);
        let implicit = Run::new(
            pair(kind, held.system.scene().joints().raw[0].positions.clone()),
            1e-8,
        );
        let mut implicit = implicit.with_solver(Solver::Implicit);
        implicit.to(0.3);
        let rates = implicit.system.scene().layout().joint_rates(0.into());
        assert!(implicit.states[rates].iter().all(|rate| *rate == 0.0));
    }
}

/// A chain with a latch in the middle and one at the end of a free joint: derivatives by dual numbers
/// against differences, closed and open.
#[test]
fn derivatives_are_exact_while_joints_are_held() {
    let mut description = pair(JointKind::Free, vec![0.1, 0.2, 0.3, 0.8, 0.0, 0.6, 0.0]);
    let mut third = lump("third", 0.4);
    third.mass.center_of_mass = Some([0.2, 0.1, 0.0]);
    description.bodies.push(third);
    let mut hinge = joint(JointKind::Revolute, Some("other"), "third");
    hinge.parent_frame.position = [0.0, 0.4, 0.0];
    hinge.rates = vec![0.9];
    description.joints.push(hinge);
    let mut near_latch = latch("third");
    near_latch.close_at = Some(2.0);
    description.latches.push(near_latch);
    description.latches[0].open_time = Some(0.2);
    let mut run = Run::new(description, 1e-9);
    for time in [0.1, 0.3] {
        go(&mut run, time);
        let (n, z) = (run.states.len(), run.system.indicator_count());
        assert_eq!(z, 1);
        let direction: Vec<f64> = (0..n).map(|i| ((i * i) as f64).sin()).collect();
        let direction = Direction {
            time: 0.0,
            states: &direction,
            inputs: &[],
        };
        let (mut exact, mut near_to) = (vec![0.0; n + z], vec![0.0; n + z]);
        let along = |numbers: &mut [f64], run: &mut Run, is_exact: bool| {
            let (rates, indicators) = numbers.split_at_mut(n);
            let mut along = Along {
                rates,
                indicators,
                outputs: &mut [],
            };
            let (time, states) = (run.time, run.states.clone());
            let result = match is_exact {
                true => run
                    .system
                    .derivatives_along(time, &states, &[direction], &mut [along]),
                false => run
                    .system
                    .differences_along(time, &states, &direction, &mut along),
            };
            result.expect("derivatives");
        };
        along(&mut exact, &mut run, true);
        along(&mut near_to, &mut run, false);
        for (exact, near_to) in exact.iter().zip(&near_to) {
            near(*near_to, *exact, 1e-6 * exact.abs().max(1.0));
        }
    }
}

/// The force in a held slide is what accelerates the child: m2 a for a force F on the parent, with
/// a = F/(m1 + m2).
#[test]
fn a_held_joint_transmits_what_newtons_law_says() {
    let mut description = scene(
        vec![lump("a", 2.0), lump("b", 3.0)],
        vec![slide(None, "a", 0.0, 0.0), slide(Some("a"), "b", 1.0, 0.0)],
        vec![latch("b")],
    );
    let push = contact_model::scene::description::ForceProfile::Input {
        force: true,
        torque: false,
    };
    description
        .forces
        .push(crate::fixtures::force("push", "a", push));
    let mut run = Run::new(description, 1e-10);
    run.system.set_inputs(&[10.0, 0.0, 0.0], None);
    run.to(1.0);
    near(run.states[0], 0.5 * 10.0 / 5.0, 1e-12);
    run.system.go_to(1.0, &run.states).expect("good states");
    let joints: Vec<_> = run.system.scene().joints().keys().collect();
    let [force, _] = run.system.reaction_here(joints[1]).expect("a reaction");
    near(force.x, 6.0, 1e-12);
}
