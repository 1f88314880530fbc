//! Bounds and velocities of paths against finite differences of the poses.

use super::{Instant, MotionBound, Path, PathEnd};
use crate::dynamics::Model;
use crate::fixtures::*;
use contact_laws::index::{InputId, MotionId};

/// Chain of joints of all kinds on a prescribed body, free and driven bodies, a tree on a free one.
fn scene() -> SceneDescription {
    let cube = |name: &str, motion| body(name, motion, cuboid([0.1; 3]), [0.0; 3]);
    #[rustfmt::skip]
    let kinds = [
        JointKind::Universal, JointKind::Prismatic, JointKind::Spherical, JointKind::Planar,
        JointKind::Cylindrical, JointKind::Free, JointKind::Revolute, JointKind::Screw,
        JointKind::Fixed,
    ];
    let mut bodies = vec![
        cube("shaker", Motion::Prescribed),
        ball("free", [0.0, 0.0, 30.0]),
        cube("driven", Motion::Driven),
    ];
    for index in 0..=kinds.len() {
        bodies.push(cube(&format!("link_{index}"), Motion::Joint));
    }
    for (index, body) in bodies.iter_mut().enumerate() {
        body.collision_group = None;
        if body.motion != Motion::Joint {
            body.position[0] = 10.0 * index as f64;
        }
    }
    let mut description = steel_scene(bodies);
    description.contact.initial_overlap = InitialOverlap::Accept;
    let mut parent = "shaker".to_owned();
    for (index, kind) in kinds.into_iter().enumerate() {
        let child = format!("link_{index}");
        let mut joint = joint(kind, Some(&parent), &child);
        joint.axis = [1.0, 0.5, 0.2];
        joint.second_axis = [-0.5, 1.0, 0.0];
        joint.pitch = 0.8;
        joint.parent_frame.position = [0.3, 0.0, 0.1];
        joint.child_frame.position = [0.0, -0.2, 0.05];
        description.joints.push(joint);
        parent = child;
    }
    let mut on_free = joint(JointKind::Revolute, Some("free"), "link_9");
    on_free.parent_frame.position = [0.5, 0.0, 0.0];
    description.joints.push(on_free);
    description.motions = vec![motion_of(
        "shaker",
        sine([0.2, 0.1, 0.0], [0.0, 0.3, 0.4], 7.0, 0.3),
    )];
    description
}

fn largest_stretch(m: &Mat3) -> f64 {
    m.singular_values().max()
}

#[test]
fn no_difference_of_poses_exceeds_the_bounds_and_velocities_are_their_limits() {
    let scene = valid(scene());
    let system = start_of(&scene);
    let model: &Model = system.model();
    let mut path = Path::new(model);
    let n = scene.layout().count();
    let inputs = scene.inputs().len();
    for seed in 0..40 {
        let s = |i: usize, k: f64| ((i as f64 + 1.3 * f64::from(seed)) * k).sin();
        let start = scene.start_states();
        let mut from: Vec<f64> = (0..n).map(|i| start[i] + 0.3 * s(i, 1.7)).collect();
        let h = 0.05 * (1.0 + f64::from(seed % 5));
        // Rates of the order of the changes, so that all terms matter.
        let to: Vec<f64> = (0..n).map(|i| from[i] + 0.2 * s(i, 2.9)).collect();
        let given = scene.start_inputs();
        let moved: Vec<f64> = (0..inputs)
            .map(|i| given[InputId::from(i)] + 0.1 * s(i, 3.1))
            .collect();
        from.iter_mut().for_each(|x| *x += 0.01);
        path.join(
            model,
            Instant::new(1.0, &from, &given.raw),
            Instant::new(1.0 + h, &to, &moved),
        );
        let steps = 400;
        let step = h / f64::from(steps);
        for body in 0..scene.bodies().len() {
            let bound: MotionBound = *path.bound(body.into());
            let mut last: Vec<Pose> = Vec::new();
            // That of the hinges too, on their children.
            let axis_b = Vec3::new(1.0, 0.5, 0.2).normalize();
            for i in 0..=steps {
                let (pose, _) = path.place(model, body.into(), f64::from(i) / f64::from(steps));
                if let [.., before, middle] = &last[..] {
                    let (p, q, r) = (before.position, middle.position, pose.position);
                    // Differences are means of derivatives, with rounding of 1e-14 m.
                    let speed = (r - q).norm() / step;
                    assert!(speed <= bound.speed * 1.000_001 + 1e-9, "{speed} {bound:?}");
                    let acceleration = (r - q * 2.0 + p).norm() / (step * step);
                    assert!(acceleration <= bound.acceleration * 1.000_001 + 1e-4);
                    let (a, b, c) = (before.rotation, middle.rotation, pose.rotation);
                    let turning = largest_stretch(&(c - b)) / step;
                    assert!(turning <= bound.turning.speed * 1.000_001 + 1e-9);
                    let curvature = largest_stretch(&(c - b * 2.0 + a)) / (step * step);
                    assert!(
                        curvature <= bound.turning.curvature * 1.000_001 + 1e-4,
                        "{} {curvature} {bound:?}",
                        scene.bodies()[BodyId::from(body)].name
                    );
                    let [speed, curvature] = path.direction_bounds(model, body.into(), &axis_b);
                    let [u, v, w] = [a, b, c].map(|rotation| rotation * axis_b);
                    assert!((w - v).norm() / step <= speed * 1.000_001 + 1e-9);
                    let bend = (w - v * 2.0 + u).norm() / (step * step);
                    assert!(bend <= curvature * 1.000_001 + 1e-4, "{bend} {curvature}");
                    let first = last[0].position;
                    assert!((r - first).norm() <= bound.travel[0] * 1.000_001 + 1e-12);
                }
                if let [.., before, _] = &last[..] {
                    // Central difference about the middle pose, of second order.
                    let theta = f64::from(i - 1) / f64::from(steps);
                    let (_, at_middle) = path.place(model, body.into(), theta);
                    let velocity = (pose.position - before.position) / (2.0 * step);
                    let error = (velocity - at_middle.velocity_w).norm();
                    assert!(error < 1e-3 * (1.0 + bound.speed), "{error}");
                }
                last.push(pose);
            }
        }
    }
}

#[test]
fn a_spin_about_a_direction_leaves_it_where_it_is() {
    let scene = valid(scene());
    let system = start_of(&scene);
    let (model, mut path) = (system.model(), Path::new(system.model()));
    let first = model.links.all.iter().find(|link| link.is_free);
    let free = first.expect("a free body").clone();
    let mut from = scene.start_states();
    // 300 rad/s about the body's z, which stands askew.
    let (q, spin, h): (_, f64, f64) = ([0.8, 0.36, 0.48, 0.0], 300.0, 2e-3);
    from[free.first_state() + 3..free.first_state() + 7].copy_from_slice(&q);
    from[free.first_state() + 12] = spin;
    let mut to = from.clone();
    let (sine, cosine) = (0.5 * spin * h).sin_cos();
    let turned = multiply(&q, &[cosine, 0.0, 0.0, sine]);
    to[free.first_state() + 3..free.first_state() + 7].copy_from_slice(&turned);
    let inputs = scene.start_inputs().raw;
    path.join(
        model,
        Instant::new(0.0, &from, &inputs),
        Instant::new(h, &to, &inputs),
    );
    let [speed, curvature] = path.direction_bounds(model, free.body, &Vec3::z());
    assert!(speed < 1e-9 && curvature < 1e-6, "{speed} {curvature}");
    // So does the shaker about the axis of its sine.
    let shaker = model.prescribed[MotionId::from(0)].body;
    let axis_b = Vec3::new(0.0, 0.6, 0.8);
    let [speed, curvature] = path.direction_bounds(model, shaker, &axis_b);
    assert!(speed < 1e-12 && curvature < 1e-9, "{speed} {curvature}");
    // Across it turns at 300 rad/s, and is bounded above that, not far above.
    let [speed, curvature] = path.direction_bounds(model, free.body, &Vec3::x());
    assert!(spin <= speed && speed < 1.1 * spin, "{speed}");
    assert!(
        spin * spin <= curvature && curvature < 1.5 * spin * spin,
        "{curvature}"
    );
}

/// From states to others far and near, also where positions are large beside the ways.
#[test]
fn no_ball_travels_farther_than_the_bound_that_needs_no_path() {
    let balls = (0..4).map(|i| ball(&format!("ball_{i}"), [f64::from(i), 0.0, 5.0]));
    let scene = valid(steel_scene(balls.collect()));
    let system = start_of(&scene);
    let model: &Model = system.model();
    let mut path = Path::new(model);
    let (n, inputs) = (scene.layout().count(), scene.start_inputs());
    for seed in 0..60 {
        let s = |i: usize, k: f64| ((i as f64 + 1.3 * f64::from(seed)) * k).sin();
        let [place, way] = [0, 3].map(|k| 10.0_f64.powi((seed + k) % 7 - 3));
        let h = 10.0_f64.powi(-(seed % 5));
        let start = scene.start_states();
        let from: Vec<f64> = (0..n).map(|i| start[i] + place * s(i, 1.7)).collect();
        let to: Vec<f64> = (0..n).map(|i| from[i] + way * s(i, 2.9)).collect();
        path.join(
            model,
            Instant::new(0.0, &from, &inputs.raw),
            Instant::new(h, &to, &inputs.raw),
        );
        let bound = path.bound_of_ways(model, h, &from, &to).expect("balls");
        let shapes = scene.shapes().keys();
        let largest = shapes
            .flat_map(|shape| [PathEnd::Start, PathEnd::End].map(|end| path.travel(shape, end)))
            .fold(0.0, f64::max);
        assert!(
            largest <= bound && bound < 10.0 * largest + 1e-12,
            "{largest} {bound}"
        );
        assert!(path.largest_travel() <= bound);
    }
}

#[test]
fn bodies_that_turn_or_hang_on_joints_have_no_such_bound() {
    let scene = valid(scene());
    let system = start_of(&scene);
    let (model, states): (&Model, _) = (system.model(), scene.start_states());
    let path = Path::new(model);
    assert_eq!(path.bound_of_ways(model, 0.1, &states, &states), None);
}
