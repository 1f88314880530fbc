//! Certified bounds of the time at which two shapes may touch on a path.
//!
//! For any unit vector n the gap of two convex shapes is no less than their distance along n,
//!   gap(t) >= min over b in 2, a in 1 of n.(b(t) - a(t)) - r_1 - r_2,
//! with the points a and b of the cores and r the radii about them. With a point b = p + R b_0 of a body,
//! |R''| <= C and |b_0| <= rho,
//!   n.R(t) b_0 >= n.R(t_0) b_0 + (t - t_0) n.(omega x R(t_0) b_0) - 1/2 (t - t_0)^2 rho C,
//! and n.(omega x r) = (n x omega).r, so the minimum of the first two terms over a core is a support query
//! with n at t_0 and one with n + h n x omega at t_0 + h. The minimum of linear functions is concave: between
//! the two ends it lies above the line through its values there. The position n.(p_2 - p_1) is a polynomial,
//! or, in trees, its tangent less 1/2 (t - t_0)^2 A. The sum of polynomial and line is bounded below by its
//! smallest Bernstein coefficient. So the error of the bound is quadratic in the length of the interval, and
//! common translation of both bodies does not matter. (B. Mirtich, Impulse-based dynamic simulation of rigid
//! body systems, thesis, Berkeley 1996, has the bound of first order in it.) A half-space has only its own
//! normal; where it turns, and where no second derivative is known, the bound of first order holds:
//!   gap(t) >= gap(t_0) - (t - t_0) (V_1 + V_2 + rho_1 W_1 + rho_2 W_2).
//!
//! A mesh lies in its convex hull, so the bound of the hulls along the normal holds for it. It overlaps no deeper than
//! they do times its largest ratio of depth and distance from a face, its steepness. Where the hulls overlap along
//! the normal and touching meshes do not, the bound is the least of all pairs of convex parts, each along a normal
//! of its own ([`least_of_parts`]). Farther apart the bound of first order does; it is all that is known with an
//! ellipsoid, whose depth in a mesh is scaled.
//!
//! A core of revolution is invariant under a spin about its axis a: its omega and C are those of a rotation
//! without spin, a x a' and |a''| + |a'|^2, except for the offset of the core from the origin of its body.
//! The searches of [`search`](crate::dynamics::search) use the bound. They may miss a penetration below the
//! threshold of contact of [`PASSED_OVER`] of the hysteresis plus the rounding of coordinates.
//!
//! # Distances as results: the smallest of the monitored pairs, and of named pairs
//!
//! A distance is the gap of contact detection without thresholds, negative for overlap.

use crate::broad_phase::Poses;
use crate::contact::{Hints, Placement};
use crate::dynamics::Model;
use crate::dynamics::link::Twist;
use crate::dynamics::path::{Path, PathEnd};
use crate::dynamics::search::{Bounded, Known};
use crate::scene::NamedPair;
use contact_geometry::math::{Pose, Quartic, Real, Vec3};
use contact_geometry::narrow_phase::{Convex, Feature, PairRoutine, least_of_parts};
use contact_geometry::shapes::{Aabb, Core, Kind, RoundedShape};
use contact_laws::index::{BodyId, FrameId, PairId, ShapeId, SlotId, TiSlice, each};
use contact_laws::response::choice::ContactRule;
use std::iter::once;

/// Depth that may be missed, relative to the gap at which contact starts [1]: it lets the search end in few
/// steps if a gap approaches the threshold without reaching it.
const PASSED_OVER: f64 = 1e-3;
/// Depth that may be missed if contact starts at zero gap [m].
const LEAST_PASSED_OVER: f64 = 1e-13;
/// Rounding of a gap relative to the coordinates it is computed from [1]: some roundings of each.
const ROUNDING: f64 = 32.0 * f64::EPSILON;
/// Looks along a path that cost as much as a bound by the parts of meshes [1]: farther apart than such a part of the
/// way, the bound of first order does.
const CHEAPER: f64 = 256.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapePair {
    shapes: [ShapeId; 2],
    frames: [FrameId; 2],
    bodies: [BodyId; 2],
    routine: PairRoutine,
    radii: f64,
}

impl ShapePair {
    pub(crate) fn new(model: &Model, pair: PairId) -> Self {
        let pair = model.scene.pairs().get(pair);
        let radii = model.scene.forms_of(pair.shapes).map(|form| form.radius);
        ShapePair {
            shapes: pair.shapes,
            frames: pair.shapes.map(|shape| model.frames.of_shapes[shape]),
            bodies: model.bodies_of(&pair),
            routine: model.routine_of(&pair),
            radii: radii[0] + radii[1],
        }
    }

    pub(crate) fn uses_warm_start(&self) -> bool {
        self.routine.uses_warm_start()
    }

    /// Gap [m] with the shapes in these frames; the search starts from the hint of `slot`.
    #[inline(always)]
    pub(crate) fn gap(
        &self,
        model: &Model,
        frames: &TiSlice<FrameId, Pose>,
        hints: &Hints,
        slot: SlotId,
    ) -> f64 {
        let (pose_1, pose_2) = (&frames[self.frames[0]], &frames[self.frames[1]]);
        if let Some(gap) = self.routine.gap_of_balls(self.radii, pose_1, pose_2) {
            return gap;
        }
        let [form_1, form_2] = model.scene.forms_of(self.shapes);
        let hint = || hints.of(slot);
        self.routine.gap(form_1, pose_1, form_2, pose_2, hint)
    }

    /// [`Self::gap`] with derivatives.
    pub(crate) fn gap_along<T: Real>(
        &self,
        model: &Model,
        frames: &TiSlice<FrameId, Pose<T>>,
        hints: &Hints,
        slot: SlotId,
    ) -> T {
        let [pose_1, pose_2] = self.frames.map(|frame| &frames[frame]);
        let [form_1, form_2] = model.scene.forms_of(self.shapes);
        let hint = hints.of(slot);
        let near = self.routine.query(form_1, pose_1, form_2, pose_2, hint);
        near.gap
    }

    /// Bound of the change of the gap along the path from one end [m].
    #[inline(always)]
    pub(crate) fn travel(&self, path: &Path, end: PathEnd) -> f64 {
        path.travel(self.shapes[0], end) + path.travel(self.shapes[1], end)
    }
}

pub(crate) struct Approach<'a> {
    pub model: &'a Model,
    pub path: &'a mut Path,
    pub(crate) shapes: &'a ShapePair,
    pub hint: &'a Feature,
    pub rule: ContactRule,
    pub looks: &'a mut u64,
}

pub(crate) struct Look {
    theta: f64,
    indicator: f64,
    gap: f64,
    placed: [(Pose, Twist<f64>); 2],
    /// Bound of the second derivative of the points of both due to rotation [m/s2].
    turning_acceleration: f64,
    way: Projection,
    /// Gap [m] that is enough for each pair of parts, if the bound is theirs.
    enough: Option<f64>,
}

/// Two shapes or parts of them along a direction.
struct Projection {
    normal_w: Vec3,
    /// Position of 2 relative to 1 along the normal over the path, if both are polynomials.
    along: Option<Quartic>,
    /// Minimum of 2 along the normal less the maximum of 1, relative to the origins of the bodies [m].
    extent: f64,
}

impl Bounded for Approach<'_> {
    type Look = Look;

    fn value(&mut self, theta: f64) -> f64 {
        *self.looks += 1;
        let placed = [self.place(0, theta), self.place(1, theta)];
        let poses = [0, 1].map(|side| self.shape_pose(side, &placed[side].0));
        let [form_1, form_2] = self.forms();
        let routine = self.shapes.routine;
        let gap = routine.gap(form_1, &poses[0], form_2, &poses[1], || self.hint);
        self.rule.indicator(gap, false)
    }

    fn look(&mut self, theta: f64) -> Option<Known<Look>> {
        *self.looks += 1;
        let placed = [self.place(0, theta), self.place(1, theta)];
        let poses = [0, 1].map(|side| self.shape_pose(side, &placed[side].0));
        let [form_1, form_2] = self.forms();
        let routine = self.shapes.routine;
        let near = routine.query(form_1, &poses[0], form_2, &poses[1], self.hint);
        // Two half-spaces, for example; NaN is no bound either.
        if near.gap == f64::INFINITY {
            return None;
        }
        let normal_w = match self.half_space() {
            Some(side) => poses[side].rotation.column(2) * [1.0, -1.0][side],
            None => near.normal_w,
        };
        let reach = self.reach();
        let sizes = [0, 1].map(|side| placed[side].0.position.amax() + reach[side]);
        let indicator = self.rule.indicator(near.gap, false);
        let mut look = Look {
            theta,
            indicator,
            gap: near.gap,
            placed,
            turning_acceleration: self.turning_acceleration(0) + self.turning_acceleration(1),
            way: Projection {
                normal_w,
                along: None,
                extent: 0.0,
            },
            enough: None,
        };
        look.way = self.way(&look, self.entire(), normal_w);
        let tolerance = passed_over(&self.rule) + ROUNDING * (sizes[0] + sizes[1]);
        if self.has_mesh() {
            // The hulls overlap more than the meshes.
            let lowest = indicator.min(0.0) - tolerance;
            let overlap = self.rule.indicator(self.apart(&look), false) < lowest;
            let scales_depth = [form_1, form_2].map(|form| form.kind() == Kind::Ellipsoid);
            let enough = near.gap - 0.5 * tolerance;
            let is_near = CHEAPER * near.gap < self.shapes.travel(self.path, PathEnd::Start);
            if scales_depth.contains(&true) {
                look.way.extent = f64::NEG_INFINITY;
            } else if overlap {
                // Parts that no normal parts even here are of no use.
                match is_near && self.least_of_parts(&look, enough, 0.0, 0.0) >= enough {
                    true => look.enough = Some(enough),
                    false => look.way.extent = f64::NEG_INFINITY,
                }
            }
        }
        Some(Known {
            value: indicator,
            tolerance,
            look,
        })
    }

    fn bound(&self, look: &Look, length: f64) -> f64 {
        let time = length * self.path.duration();
        let bounds = self.shapes.bodies.map(|body| *self.path.bound(body));
        let reach = self.reach();
        let mut speed = 0.0;
        for side in 0..2 {
            // The way in a second.
            speed += bounds[side].speed + bounds[side].turning_travel(reach[side], 1.0);
        }
        let mut exact = look.way.extent > f64::NEG_INFINITY;
        if let Some(side) = self.half_space()
            && bounds[side].turning.speed != 0.0
        {
            let [one, two] = [0, 1].map(|i| look.placed[i].0.position);
            let speeds = bounds[0].speed + bounds[1].speed;
            let distance = (two - one).norm() + reach[1 - side] + speeds * time;
            speed += bounds[side].turning.speed * distance;
            exact = false;
        }
        let first_order = look.indicator - speed * time;
        if !exact {
            return first_order;
        }
        let least_gap = match look.enough {
            None => self.least_along(look, &look.way, self.entire(), length),
            Some(enough) => self.least_of_parts(look, enough, speed * time, length),
        };
        let second_order = self.rule.indicator(least_gap, false);
        // Where no second derivative is known the second bound is no number.
        second_order.max(first_order)
    }
}

impl Approach<'_> {
    fn forms(&self) -> [&RoundedShape; 2] {
        self.model.scene.forms_of(self.shapes.shapes)
    }

    fn entire(&self) -> [Convex<'_>; 2] {
        self.forms().map(|form| Convex::Core(&form.core))
    }

    fn way(&self, look: &Look, parts: [Convex<'_>; 2], normal_w: Vec3) -> Projection {
        let bodies = self.shapes.bodies;
        let paths = bodies.map(|body| self.path.along(self.model, body, &normal_w));
        let along = match paths {
            [Some(one), Some(two)] => Some(Quartic(std::array::from_fn(|k| two.0[k] - one.0[k]))),
            _ => None,
        };
        Projection {
            normal_w,
            along,
            extent: self.extent(look, parts, &normal_w, 0.0),
        }
    }

    /// Least gap [m] of two parts along a way over a length from a look on.
    fn least_along(
        &self,
        look: &Look,
        way: &Projection,
        parts: [Convex<'_>; 2],
        length: f64,
    ) -> f64 {
        let time = length * self.path.duration();
        let mut curvature = look.turning_acceleration;
        let position = match &way.along {
            Some(along) => along.part(look.theta, look.theta + length),
            None => {
                let bounds = self.shapes.bodies.map(|body| self.path.bound(body));
                curvature += bounds[0].acceleration + bounds[1].acceleration;
                let [(one, twist_1), (two, twist_2)] = &look.placed;
                let start = way.normal_w.dot(&(two.position - one.position));
                let rate = way.normal_w.dot(&(twist_2.velocity_w - twist_1.velocity_w));
                Quartic::line(start, start + rate * time)
            }
        };
        let line = Quartic::line(way.extent, self.extent(look, parts, &way.normal_w, time));
        let sum = Quartic(std::array::from_fn(|k| position.0[k] + line.0[k]));
        let gap = sum.least() - self.shapes.radii - 0.5 * curvature * time * time;
        gap * self.steepness(gap)
    }

    /// Least gap [m] of all pairs of parts over a length from a look on, on which they come nearer by up to `travel`.
    fn least_of_parts(&self, look: &Look, enough: f64, travel: f64, length: f64) -> f64 {
        let cores = self.forms().map(|form| &form.core);
        let poses = [0, 1].map(|side| self.shape_pose(side, &look.placed[side].0));
        let travel = travel + self.shapes.radii;
        least_of_parts(cores, poses.each_ref(), travel, look.gap, |parts| {
            let normals = [0, 1].map(|side| {
                let outward = poses[side].rotation * [1.0, -1.0][side];
                parts[side].normals().map(move |normal| outward * normal)
            });
            let mut best = f64::NEG_INFINITY;
            for normal_w in normals.into_iter().flatten().chain(once(look.way.normal_w)) {
                let way = self.way(look, parts, normal_w);
                best = best.max(self.least_along(look, &way, parts, length));
                if best >= enough {
                    break;
                }
            }
            best
        })
    }

    fn half_space(&self) -> Option<usize> {
        let forms = self.forms();
        [0, 1].into_iter().find(|side| forms[*side].is_half_space())
    }

    /// Returns true for a mesh and a shape that is bounded: their hulls may overlap where they do not.
    fn has_mesh(&self) -> bool {
        let is_mesh = self.forms().map(|form| form.kind() == Kind::Mesh);
        is_mesh.contains(&true) && self.half_space().is_none()
    }

    /// Largest ratio of a gap like this to that of the convex hulls [1].
    fn steepness(&self, gap: f64) -> f64 {
        let of = |form: &RoundedShape| match &form.core {
            Core::Mesh(mesh) if gap < 0.0 => mesh.cells().steepest().0,
            _ => 1.0,
        };
        let [one, two] = self.forms().map(of);
        one.max(two)
    }

    /// Gap [m] along the normal of a look, not more than that of the convex hulls.
    fn apart(&self, look: &Look) -> f64 {
        let [one, two] = [0, 1].map(|side| look.placed[side].0.position);
        look.way.normal_w.dot(&(two - one)) + look.way.extent - self.shapes.radii
    }

    fn pose_b(&self, side: usize) -> &Pose {
        &self.model.scene.shapes()[self.shapes.shapes[side]].pose_b
    }

    fn axis_b(&self, side: usize) -> Option<Vec3> {
        let axis = self.pose_b(side).rotation.column(2).into_owned();
        self.forms()[side]
            .core
            .solid()
            .is_revolved()
            .then_some(axis)
    }

    /// rho of both shapes, zero for a half-space [m].
    fn reach(&self) -> [f64; 2] {
        [0, 1].map(|side| match self.half_space() == Some(side) {
            true => 0.0,
            false => self.path.reach(self.shapes.shapes[side]),
        })
    }

    fn place(&self, side: usize, theta: f64) -> (Pose, Twist<f64>) {
        self.path.place(self.model, self.shapes.bodies[side], theta)
    }

    /// Bound of the second derivative of a shape's points due to rotation [m/s2].
    fn turning_acceleration(&self, side: usize) -> f64 {
        let body = self.shapes.bodies[side];
        let bound = self.path.bound(body);
        let Some(axis_b) = &self.axis_b(side) else {
            return bound.turning_acceleration(self.reach()[side]);
        };
        let [speed, curvature] = self.path.direction_bounds(self.model, body, axis_b);
        let offset = self.pose_b(side).position.norm();
        let core = &self.forms()[side].core;
        bound.turning_acceleration(offset) + core.solid().reach() * (curvature + speed * speed)
    }

    fn shape_pose(&self, side: usize, body: &Pose) -> Pose {
        match self.shapes.frames[side] == self.shapes.bodies[side].frame() {
            true => *body,
            false => body.then(self.pose_b(side)),
        }
    }

    /// Minimum of n.R_2 b_0 less maximum of n.R_1 a_0 over two parts, both extrapolated by their velocities
    /// over a time [s].
    fn extent(&self, look: &Look, parts: [Convex<'_>; 2], normal_w: &Vec3, time: f64) -> f64 {
        let support = |side: usize, sign: f64| {
            let (pose, twist) = &look.placed[side];
            let n = normal_w * sign;
            let omega = match self.half_space() == Some(side) {
                true => Vec3::zeros(),
                false => twist.omega_w,
            };
            let turned_b = |omega: &Vec3| pose.rotation.tr_mul(&(n + n.cross(omega) * time));
            let without_spin = match &self.axis_b(side) {
                Some(axis_b) => {
                    let axis = pose.rotation * axis_b;
                    omega - axis * axis.dot(&omega)
                }
                None => omega,
            };
            let shape = self.pose_b(side);
            let direction = shape.rotation.tr_mul(&turned_b(&without_spin));
            turned_b(&omega).dot(&shape.position) + parts[side].highest(&direction)
        };
        -support(1, -1.0) - support(0, 1.0)
    }
}

/// Depth below zero at which an indicator may be missed [m].
fn passed_over(rule: &ContactRule) -> f64 {
    (PASSED_OVER * rule.indicator(0.0, false)).max(LEAST_PASSED_OVER)
}

/// Distance [m] reported for a nonexistent pair, if fewer pairs exist than requested: farther than any real
/// one.
pub(crate) const NO_PAIR: f64 = 1e9;

/// The `count` smallest of `gaps`, ascending; fewer if there are fewer. Reorders `gaps`.
pub(crate) fn smallest<T: Real>(gaps: &mut [T], count: usize) -> &[T] {
    let order = |a: &T, b: &T| a.value().total_cmp(&b.value());
    let count = count.min(gaps.len());
    if 0 < count && count < gaps.len() {
        gaps.select_nth_unstable_by(count - 1, order);
    }
    gaps[..count].sort_unstable_by(order);
    &gaps[..count]
}

/// Distance of a named pair [m], the smallest over its shapes and their parts, with the two shapes that have
/// it; [`NO_PAIR`] and `None` without shapes. `bounds` is scratch.
pub(crate) fn of_named_pair(
    placement: &Placement,
    named: &NamedPair,
    bounds: &mut Vec<Aabb>,
) -> (f64, Option<[ShapeId; 2]>) {
    let shapes = placement.scene.shapes();
    let mut least = (NO_PAIR, None);
    for [first, second] in &named.parts {
        bounds.clear();
        let bound = |shape: ShapeId| Aabb::of(&shapes[shape].bounding_form, placement.pose(shape));
        bounds.extend(each(second.clone()).map(bound));
        for a in each(first.clone()) {
            let bound_a = bound(a);
            for (b, bound_b) in each(second.clone()).zip(bounds.iter()) {
                // Parts whose boxes are farther apart than others are cannot be the nearest.
                if bound_a.distance(bound_b) > least.0.max(0.0) {
                    continue;
                }
                let gap = placement.gap_between([a, b], &Feature::None);
                if gap < least.0 {
                    least = (gap, Some([a, b]));
                }
            }
        }
    }
    least
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/approach/tests.rs"]
mod tests;

#[cfg(test)]
mod distances_tests {
    use super::*;

    #[test]
    fn the_smallest_come_in_order_and_no_more_than_there_are() {
        for (gaps, count, expected) in [
            (&[3.0, -1.0, 2.0, 0.5][..], 2, &[-1.0, 0.5][..]),
            (&[3.0, -1.0], 2, &[-1.0, 3.0]),
            (&[3.0], 3, &[3.0]),
            (&[], 1, &[]),
            (&[1.0], 0, &[]),
        ] {
            assert_eq!(smallest(&mut gaps.to_vec(), count), expected);
        }
    }
}
