//! Effective mass of two bodies along a line, and of a coordinate: how hard a sudden force finds it
//! to change their motion, with everything that hangs on them.
//!
//! With the unit forces f on body 2 and -f on body 1 along the normal at the contact point, and A
//! the map from velocities to the rate of the gap, 1/m = A M^-1 A^T. The articulated-body algorithm
//! factors M, so that 1/m is a sum over the velocity states on the way from the bodies to the root:
//! a state with the column s and the pivot D adds u^2/D, where u = tau - s.p, p is what has come up
//! from the force, -f at first, and p + U u/D goes on. tau is 1 for the coordinate whose effective
//! mass is wanted, else 0. Bodies of one tree meet where their ways join. A free body adds f^2/m +
//! t.I^-1 t, with the moment t of the force about its centre of mass, and a driven one whose mass is
//! given f^2/m, with its inertia all of it; other bodies that are moved, and fixed ones, add nothing.
//! R. Featherstone: Rigid Body Dynamics Algorithms, Springer 2008, chapter 7.

use crate::dynamics::Model;
use crate::dynamics::model::MASS_UNKNOWN;
use crate::dynamics::tree::articulated;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Spatial, Vec3, norm};
use contact_laws::index::{BodyId, JointId};

/// A wrench that has come up to a body, its negative about the origin of the body.
#[derive(Clone, Copy)]
struct End {
    body: BodyId,
    bias: Spatial,
}

/// Effective mass [kg] of two bodies along the unit vector `normal_w` at `point_w`, where inertias
/// and eliminations of trees are those of [`articulated::factor`]. [`MASS_UNKNOWN`] where neither
/// moves.
pub fn along_normal(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> f64 {
    mass(inverse_mass(model, work, bodies, point_w, normal_w))
}

/// n.W n [1/kg] of a vector n at a point; see [`along_normal`].
fn inverse_mass(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> f64 {
    let end = |body: BodyId, force: Vec3| {
        let arm = point_w - work.frames[body.frame()].position;
        let bias = Spatial {
            angular: -arm.cross(&force),
            linear: -force,
        };
        Some(End { body, bias })
    };
    let [one, two] = bodies;
    let mut inverse = 0.0;
    let mut ends = [end(one, -normal_w), end(two, *normal_w)];
    // Parents have lower indices than their children.
    let rank = |end: &End| model.links.of_bodies[end.body];
    loop {
        ends = match ends {
            [Some(a), Some(mut b)] if a.body == b.body => {
                b.bias.add(&a.bias);
                [None, Some(b)]
            }
            // Leaves first: so the ways of one tree meet.
            [Some(a), b] if b.is_none_or(|b| rank(&b) <= rank(&a)) => {
                [rise(model, work, a, None, &mut inverse), b]
            }
            [a, Some(b)] => [a, rise(model, work, b, None, &mut inverse)],
            _ => return inverse,
        };
    }
}

/// Motion across the normal below which a normal force moves the contact along it [1]: rounding.
const STRAIGHT: f64 = 1e-9;

/// c = m W_tn [1], world axes: W n = (n + c)/m is the relative motion of the contact point of which
/// [`along_normal`] is the part along the unit vector n. By 4 a.W n = (n + a).W (n + a) - (n - a).W (n -
/// a) along each axis a. Zero where it is rounding, as of a ball.
pub fn coupling(
    model: &Model,
    work: &Workspace<f64>,
    bodies: [BodyId; 2],
    point_w: &Vec3,
    normal_w: &Vec3,
) -> [f64; 3] {
    let along = |direction: Vec3| inverse_mass(model, work, bodies, point_w, &direction);
    let motion = Vec3::from_fn(|i, _| {
        let axis = Vec3::ith(i, 1.0);
        0.25 * (along(normal_w + axis) - along(normal_w - axis))
    });
    let straight = motion.dot(normal_w);
    let coupling = motion / straight - normal_w;
    match straight > 0.0 && norm(&coupling) > STRAIGHT {
        true => coupling.into(),
        false => [0.0; 3],
    }
}

/// Effective mass [kg] or inertia [kg.m2] along a coordinate of a joint; see [`along_normal`].
pub fn along_coordinate(
    model: &Model,
    work: &Workspace<f64>,
    joint: JointId,
    coordinate: usize,
) -> f64 {
    let mut inverse = 0.0;
    let mut end = Some(End {
        body: model.scene.joints()[joint].child,
        bias: Spatial::zero(),
    });
    let mut pushed = Some(coordinate);
    while let Some(known) = end {
        end = rise(model, work, known, pushed.take(), &mut inverse);
    }
    mass(inverse)
}

fn mass(inverse: f64) -> f64 {
    match inverse > 0.0 && inverse.is_finite() {
        true => 1.0 / inverse,
        false => MASS_UNKNOWN,
    }
}

/// Carries a wrench from a body to the one that it hangs on, with a unit force along the coordinate
/// `pushed` of its joint, and adds what yields on the way.
fn rise(
    model: &Model,
    work: &Workspace<f64>,
    end: End,
    pushed: Option<usize>,
    inverse: &mut f64,
) -> Option<End> {
    let End { body, mut bias } = end;
    let Some(index) = model.links.of_bodies[body] else {
        let known = &model.scene.bodies()[body];
        if known.is_driven() && known.is_mass_given {
            *inverse += of_rigid(model, work, body, &bias);
        }
        return None;
    };
    let link = &model.links.all[index];
    if model.links.is_rigid(index) {
        *inverse += of_rigid(model, work, body, &bias);
        return None;
    }
    let in_trees = model.links.index_in_trees(index);
    let motion = &work.tree.motions[in_trees];
    let is_locked = work.tree.locked[in_trees];
    let free = if is_locked { 0 } else { link.rates.len() };
    let columns = motion.columns.iter().zip(&work.tree.eliminations[in_trees]);
    for (dof, (column, known)) in columns.take(free).enumerate().rev() {
        let mut known = *known;
        let force = if pushed == Some(dof) { 1.0 } else { 0.0 };
        articulated::eliminate(&mut known, column, force, &mut bias);
        *inverse += known.force * known.force / known.pivot;
    }
    Some(End {
        body: link.carrier_if(is_locked)?,
        bias: bias.wrench_from(&motion.offset_w),
    })
}

/// What a rigid body adds.
fn of_rigid(model: &Model, work: &Workspace<f64>, body: BodyId, bias: &Spatial) -> f64 {
    let (numbers, pose) = (&model.bodies[body], &work.frames[body.frame()]);
    let center_w = pose.rotation * numbers.center_of_mass_b;
    let moment_b = pose
        .rotation
        .tr_mul(&(bias.angular - center_w.cross(&bias.linear)));
    bias.linear.norm_squared() / numbers.mass
        + moment_b.dot(&(numbers.inverse_inertia_b * moment_b))
}
