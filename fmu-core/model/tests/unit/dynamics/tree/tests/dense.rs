//! The articulated-body algorithm against a dense mass matrix that knows nothing of it.
//!
//! Only the positions of the bodies are used: virtual displacements are their derivatives along
//! each degree of freedom, accelerations their second derivatives along a motion with given rates
//! and accelerations of the coordinates, both exact by numbers that carry derivatives. With r_c the
//! centre of mass and E = 1/2 tr(I) 1 - I the second moment of the mass about it in body axes, the
//! principle of d'Alembert asks for every virtual displacement
//! sum m dr_c.(r_c'' - g) + tr(dR E R''^T) = sum F.do + M.dtheta + tau dq.
//! The sum is linear in the accelerations of the coordinates: unit ones give the columns of the
//! mass matrix, which is solved by LU.

use super::*;
use crate::dynamics::tree::Jumps;
use crate::dynamics::workspace::{Load, Workspace};
use crate::dynamics::{pipeline, tree};
use contact_geometry::math::{Dual, Real, Spatial};
use nalgebra::{DMatrix, DVector};
use num_dual::Dual2;

/// Value, first and second derivative.
type Twice = Dual2<f64>;

/// A degree of freedom: the states that it moves.
#[derive(Clone, Copy)]
enum Freedom {
    /// A state that is its own coordinate.
    Plain(usize),
    /// An angular velocity about an axis of the turned frame, of the quaternion from this state on.
    Turn(usize, usize),
}

/// The degrees of freedom of the links of all trees.
fn freedoms(model: &Model) -> Vec<Freedom> {
    let mut list = Vec::new();
    for link in model.links.of_trees() {
        let joint = &model.scene.links()[link.joint];
        let first = link.positions.start;
        let plain = joint
            .kind
            .quaternion()
            .unwrap_or(joint.kind.position_count());
        list.extend((first..first + plain).map(Freedom::Plain));
        if let Some(start) = joint.kind.quaternion() {
            list.extend((0..3).map(|axis| Freedom::Turn(first + start, axis)));
        }
    }
    list
}

/// Rates of the degrees of freedom.
fn speeds(model: &Model, states: &[f64]) -> Vec<f64> {
    let mut list = Vec::new();
    for link in model.links.of_trees() {
        list.extend_from_slice(&states[link.rates.clone()]);
    }
    list
}

/// 1/2 q (0, w).
fn half_product(q: [f64; 4], w: [f64; 3]) -> [f64; 4] {
    contact_geometry::math::multiply(&q, &[0.0, w[0], w[1], w[2]]).map(|c| 0.5 * c)
}

/// First and second derivative of the states for these rates and accelerations.
fn motion(
    freedoms: &[Freedom],
    states: &[f64],
    speeds: &[f64],
    accelerations: &[f64],
) -> [Vec<f64>; 2] {
    let mut first = vec![0.0; states.len()];
    let mut second = first.clone();
    for (place, freedom) in freedoms.iter().enumerate() {
        match *freedom {
            Freedom::Plain(state) => {
                first[state] = speeds[place];
                second[state] = accelerations[place];
            }
            Freedom::Turn(start, 0) => {
                let three = |list: &[f64]| [list[place], list[place + 1], list[place + 2]];
                let (w, a) = (three(speeds), three(accelerations));
                let q: [f64; 4] = std::array::from_fn(|i| states[start + i]);
                let rate = half_product(q, w);
                // q'' = 1/2 (q' (0, w) + q (0, w')).
                let (once, twice) = (half_product(rate, w), half_product(q, a));
                for i in 0..4 {
                    first[start + i] = rate[i];
                    second[start + i] = once[i] + twice[i];
                }
            }
            Freedom::Turn(..) => {}
        }
    }
    [first, second]
}

fn poses<T: Real>(model: &Model, states: &[T]) -> Vec<Pose<T>> {
    let bodies = model.scene.bodies().iter();
    let mut poses: Vec<Pose<T>> = bodies
        .map(|body| Pose {
            position: body.position.map(T::from),
            rotation: body.given_pose().rotation.map(T::from),
        })
        .collect();
    for link in model.links.of_trees() {
        let joint = &model.scene.links()[link.joint];
        let parent = match joint.parent {
            Some(parent) => poses[usize::from(parent)],
            None => Pose::identity(),
        };
        let q = &states[link.positions.clone()];
        poses[usize::from(joint.child)] = joint.place_child(&parent, q);
    }
    poses
}

/// A body that moves with a tree: its mass, centre of mass, E and load.
struct Carried {
    body: usize,
    mass: f64,
    center_b: Vec3,
    second_moment: Mat3,
    load: Load<f64>,
}

/// Derivatives of places and axes of all bodies along each degree of freedom.
fn displacements(model: &Model, states: &[f64], freedoms: &[Freedom]) -> Vec<Vec<Pose<f64>>> {
    (0..freedoms.len())
        .map(|place| {
            let mut unit = vec![0.0; freedoms.len()];
            unit[place] = 1.0;
            let [first, _] = motion(freedoms, states, &unit, &vec![0.0; freedoms.len()]);
            let x: Vec<Dual> = states
                .iter()
                .zip(&first)
                .map(|(x, d)| Dual::new(*x, *d))
                .collect();
            let derivative = |pose: &Pose<Dual>| Pose {
                position: pose.position.map(|v| v.eps[0]),
                rotation: pose.rotation.map(|v| v.eps[0]),
            };
            poses(model, &x).iter().map(derivative).collect()
        })
        .collect()
}

/// Generalized forces of inertia, gravity and loads along each degree of freedom.
fn needed(
    model: &Model,
    carried: &[Carried],
    states: &[f64],
    displacements: &[Vec<Pose<f64>>],
    [first, second]: [Vec<f64>; 2],
    gravity: Vec3,
) -> DVector<f64> {
    let x: Vec<Twice> = (0..states.len())
        .map(|i| Dual2::new(states[i], first[i], second[i]))
        .collect();
    let moving = poses(model, &x);
    let force_along = |displaced: &Vec<Pose<f64>>| -> f64 {
        let mut sum = 0.0;
        for one in carried {
            let (pose, shift) = (&moving[one.body], &displaced[one.body]);
            let center = pose.position + pose.rotation * one.center_b.map(Twice::from);
            let acceleration = center.map(|v| v.v2);
            let center_shift = shift.position + shift.rotation * one.center_b;
            let rotation = pose.rotation.map(|v| v.re);
            let turning = pose.rotation.map(|v| v.v2);
            let turned = shift.rotation * rotation.transpose();
            let theta = Vec3::new(turned[(2, 1)], turned[(0, 2)], turned[(1, 0)]);
            sum += one.mass * center_shift.dot(&(acceleration - gravity))
                + (shift.rotation * one.second_moment * turning.transpose()).trace()
                - one.load.force_w.dot(&shift.position)
                - one.load.torque_w.dot(&theta);
        }
        sum
    };
    DVector::from_iterator(displacements.len(), displacements.iter().map(force_along))
}

/// The bodies of all trees, with random loads.
fn carried(model: &Model, random: &mut Random) -> Vec<Carried> {
    let bodies = model.links.of_trees().iter().map(|link| link.body);
    let of = |body: contact_laws::index::BodyId| {
        let numbers = &model.bodies[body];
        Carried {
            body: usize::from(body),
            mass: numbers.mass,
            center_b: numbers.center_of_mass_b,
            second_moment: Mat3::identity() * (0.5 * numbers.inertia_b.trace()) - numbers.inertia_b,
            load: Load {
                force_w: random.vector().into(),
                torque_w: random.vector().into(),
                acts: true,
            },
        }
    };
    bodies.map(of).collect()
}

/// Mass matrix of the degrees of freedom.
fn mass_matrix(along: &impl Fn(&[f64], &[f64]) -> DVector<f64>, count: usize) -> DMatrix<f64> {
    let zero = vec![0.0; count];
    let at_rest = along(&zero, &zero);
    let mut mass = DMatrix::zeros(count, count);
    for column in 0..count {
        let mut unit = zero.clone();
        unit[column] = 1.0;
        mass.set_column(column, &(along(&zero, &unit) - &at_rest));
    }
    mass
}

#[test]
fn accelerations_are_those_of_a_dense_mass_matrix() {
    let mut random = Random(1);
    let (mut worst, mut kinds) = (0.0_f64, Vec::new());
    for _ in 0..60 {
        let description = random_scene(&mut random, 20);
        kinds.extend(description.joints.iter().map(|joint| joint.kind));
        let model = bound(&description);
        let states = model.scene.start_states();
        let mut work: Workspace<f64> = Workspace::new(&model);
        pipeline::place(&model, &model.links.indices, &mut work, &states);
        let freedoms = freedoms(&model);
        if freedoms.is_empty() {
            continue;
        }
        let carried = carried(&model, &mut random);
        for (own, link) in carried.iter().zip(model.links.of_trees()) {
            work.loads[link.body] = own.load;
        }
        for link in model.links.of_trees() {
            if model.scene.links()[link.joint].kind != JointKind::Free {
                work.joint_forces[link.dofs.clone()].fill_with(|| random.number());
            }
        }
        let ledger = Ledger::new(&model.scene);
        pipeline::factor(
            &model,
            &model.links.tree_indices,
            ledger.latches(),
            &mut work,
        );
        tree::load(&model, &model.links.tree_indices, &mut work);
        tree::solve(&model, &model.links.tree_indices, &mut work);

        let n = freedoms.len();
        let (displacements, speeds) = (
            displacements(&model, &states, &freedoms),
            speeds(&model, &states),
        );
        let gravity = Vec3::new(0.0, 0.0, -9.81);
        let along = |speeds: &[f64], accelerations: &[f64]| {
            let profile = motion(&freedoms, &states, speeds, accelerations);
            needed(&model, &carried, &states, &displacements, profile, gravity)
        };
        let mass = mass_matrix(&along, n);
        let mut force = -along(&speeds, &vec![0.0; n]);
        for (place, own) in work.joint_forces.iter().enumerate() {
            force[place] += own;
        }
        let expected = mass.lu().solve(&force).expect("a regular mass matrix");

        let found = work.joint_accelerations.clone();
        let difference = (DVector::from_vec(found) - &expected).amax();
        worst = worst.max(difference / expected.amax());
    }
    assert!(JointKind::ALL.iter().all(|kind| kinds.contains(kind)));
    assert!(worst < 1e-12, "{worst:e}");
}

/// With M the mass matrix and Q what impulses and moments do along the virtual displacements,
/// the rates of the degrees of freedom jump by M^-1 Q.
#[test]
fn jumps_under_impulses_are_those_of_a_dense_mass_matrix() {
    let mut random = Random(2);
    let mut worst = 0.0_f64;
    for _ in 0..60 {
        let model = bound(&random_scene(&mut random, 20));
        let states = model.scene.start_states();
        let mut work: Workspace<f64> = Workspace::new(&model);
        pipeline::place(&model, &model.links.indices, &mut work, &states);
        let freedoms = freedoms(&model);
        if freedoms.is_empty() {
            continue;
        }
        let carried = carried(&model, &mut random);
        let ledger = Ledger::new(&model.scene);
        pipeline::factor(
            &model,
            &model.links.tree_indices,
            ledger.latches(),
            &mut work,
        );
        let mut jumps = Jumps::new(&model);
        for (own, link) in carried.iter().zip(model.links.of_trees()) {
            jumps.impulses[link.body] = Spatial {
                angular: own.load.torque_w,
                linear: own.load.force_w,
            };
        }
        jumps.solve(&model, &model.links.indices, &work);
        let mut after = states.clone();
        jumps.write(&model, &model.links.indices, &mut after);

        let n = freedoms.len();
        let displacements = displacements(&model, &states, &freedoms);
        let zero = vec![0.0; n];
        let along = |speeds: &[f64], accelerations: &[f64]| {
            let profile = motion(&freedoms, &states, speeds, accelerations);
            needed(
                &model,
                &carried,
                &states,
                &displacements,
                profile,
                Vec3::zeros(),
            )
        };
        let mass = mass_matrix(&along, n);
        // At rest and without gravity only the impulses are left.
        let expected = mass.lu().solve(&-along(&zero, &zero)).unwrap();
        let [before, after] = [&states, &after].map(|x| DVector::from_vec(speeds(&model, x)));
        worst = worst.max((after - before - &expected).amax() / expected.amax());
    }
    assert!(worst < 1e-12, "{worst:e}");
}
