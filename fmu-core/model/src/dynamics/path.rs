//! Motion of the bodies over an interval of time, with bounds.
//!
//! The coordinates of free bodies and joints are polynomials of degree 4 over the interval ([`Quartic`]): a
//! step of the integrator, or the cubic interpolants of two states and their rates. Fixed and prescribed
//! bodies move as usual, driven ones by their velocities or in a straight line. With theta in [0, 1] along
//! the interval, a body can be placed at any theta, with the velocities of this path. Bounds over the
//! interval, for its origin p and its rotation R, are
//!   V >= |p'|, A >= |p''|, W >= |omega|, C >= |R''|, the spectral norm [1/s2],
//! so that no point at the distance r from the origin has a second derivative above A + r C.
//!
//! - Polynomial p: V and A are the largest coefficients of p' and p''.
//! - Quaternion q, a polynomial, u = q/|q|, m <= |q|, |u'| <= |q'|/m, W = 2 |u'|. R b = u b u* gives |R''| <=
//!   2 |u''| + 2 |u'|^2; u'' has the component |u'|^2 along u and perpendicular to it no more than (|q''| + 2
//!   |q'| |u'|)/m. m is the smallest coefficient of q along a mean unit quaternion. - A rotation by the angle
//!   phi about an axis fixed in both bodies: W = |phi'|, C = |phi''| + phi'^2.
//! - A child c on the parent p by a joint with the rotation J and the arm u from p's origin to c's joint
//!   frame in axes of p, k from c's origin to there: R_c = R_p J K, o_c = o_p + R_p u - R_c k, so W_c = W_p +
//!   W_J, C_c = C_p + 2 W_p W_J + C_J, V_c = V_p + |u'| + W_p |u| + W_c |k|, A_c = A_p + |u''| + 2 W_p |u'| +
//!   C_p |u| + C_c |k|.
//! - Successive rotations compose in the same way.
//! - A direction a with a_0 at the start: a - a_0 = z/S with z = |q|^2 R e - S a_0 and S = |q|^2, polynomials
//!   of degree 8, so |a'| <= |z'|/S + |z| |S'|/S^2 and |a''| <= |z''|/S + (2 |z'| |S'| + |z| |S''|)/S^2 + 2
//!   |z| S'^2/S^3. Along the axis of a joint it is one of the parent; for rotation about a fixed axis it has
//!   the sine of its angle to the axis as factor.

use crate::dynamics::link::{Link, Twist};
use crate::dynamics::workspace::{JointMotion, Workspace};
use crate::dynamics::{Model, tree};
use crate::scene::description::{CoordinateMotion, Freedom};
use crate::scene::{Joint, Shape};
use contact_geometry::math::dense::DenseStep;
use contact_geometry::math::real::hypot;
use contact_geometry::math::{Pose, Quartic, Vec3, norm, quaternion_rate, rotation_matrix};
use contact_laws::index::{
    BodyId, DrivenId, InputId, LinkId, MotionId, ShapeId, TiSlice, TiVec, ti_vec,
};
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MotionBound {
    /// V: speed of the origin [m/s].
    pub speed: f64,
    /// A: second derivative of the origin [m/s2].
    pub acceleration: f64,
    pub turning: TurningBound,
    /// Distance of the origin from its positions at the start and at the end of the interval [m].
    pub travel: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TurningBound {
    pub speed: f64,
    /// C: spectral norm of the second derivative of the rotation matrix [1/s2].
    pub curvature: f64,
}

impl TurningBound {
    const NONE: TurningBound = TurningBound {
        speed: 0.0,
        curvature: 0.0,
    };

    /// Rotation about a fixed axis with these bounds of the angle's derivatives [rad/s], [rad/s2].
    fn about_axis(speed: f64, acceleration: f64) -> Self {
        TurningBound {
            speed,
            curvature: acceleration + speed * speed,
        }
    }

    /// Composition: this rotation after another one.
    fn after(&self, outer: &Self) -> Self {
        TurningBound {
            speed: outer.speed + self.speed,
            curvature: outer.curvature + 2.0 * outer.speed * self.speed + self.curvature,
        }
    }
}

impl MotionBound {
    const AT_REST: MotionBound = MotionBound {
        speed: 0.0,
        acceleration: 0.0,
        turning: TurningBound::NONE,
        travel: [0.0; 2],
    };

    /// Bound of the second derivative due to rotation of a point at the distance `reach` [m] from the origin
    /// [m/s2].
    pub(crate) fn turning_acceleration(&self, reach: f64) -> f64 {
        match self.turning.curvature == 0.0 || reach == 0.0 {
            true => 0.0,
            false => reach * self.turning.curvature,
        }
    }

    /// Bound of the distance [m] that the rotation moves a point at the distance `reach` [m] from the origin
    /// in a time [s].
    pub(crate) fn turning_travel(&self, reach: f64, time: f64) -> f64 {
        match self.turning.speed == 0.0 || reach == 0.0 {
            true => 0.0,
            false => reach * self.turning.speed * time,
        }
    }
}

/// Kind of motion of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mover {
    Fixed,
    /// Index of the first of seven coordinates.
    Coordinates(usize),
    /// By inputs with the time when they were set.
    Held(DrivenId),
    Prescribed(MotionId),
    /// By the joint of this link.
    Child(LinkId),
}

/// Motion of the bodies over an interval of time.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    start: f64,
    duration: f64,
    /// Polynomials of all states, filled in for coordinates; then position and orientation of each driven
    /// body, if the inputs change.
    coordinates: Vec<Quartic>,
    movers: TiVec<BodyId, Mover>,
    /// Bodies whose rotation matters: a shape reaches beyond the origin, joints hang on them, or a trigger
    /// watches them. Others have an arbitrary rotation.
    turns: TiVec<BodyId, bool>,
    /// Whether all moving bodies are free and their rotations do not matter.
    is_plain: bool,
    bounds: TiVec<BodyId, MotionBound>,
    /// rho of each shape: largest distance of its core's points from the origin of its body [m].
    reach: TiVec<ShapeId, f64>,
    /// Bounds of the distance of each shape's points from their positions at the start, and at the end [m].
    travel: TiVec<ShapeId, [f64; 2]>,
    /// Inputs of driven bodies that are extrapolated, and their time [s].
    inputs: TiVec<InputId, f64>,
    inputs_since: Option<f64>,
    others: Vec<BodyId>,
    shapes_of: TiVec<BodyId, Vec<ShapeId>>,
    scope: PathScope,
}

#[derive(Clone, Copy)]
pub(super) struct Instant<'a> {
    pub(crate) time: f64,
    pub(crate) states: &'a [f64],
    pub inputs: &'a [f64],
}

impl<'a> Instant<'a> {
    pub(crate) fn new(time: f64, states: &'a [f64], inputs: &'a [f64]) -> Self {
        Instant {
            time,
            states,
            inputs,
        }
    }
}

/// Links and shapes that a path follows.
#[derive(Clone, Debug, Default)]
struct PathScope {
    /// Links, parents before children, and the index of the first state of each among the states of a step.
    links: Vec<(LinkId, usize)>,
    /// Shapes of their bodies and of moving bodies without states.
    shapes: Vec<ShapeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathEnd {
    Start = 0,
    End = 1,
}

/// Relative rounding of a distance [1].
const ROUNDING: f64 = 1e-12;
/// Rounding of a coefficient relative to a position [1].
const COEFFICIENT: f64 = 16.0 * f64::EPSILON;
/// Relative rounding of a sum of distances, including [`ROUNDING`] [1].
const SLACK: f64 = 1e-9;
/// Number of coordinates of a free body, the maximum of all joints.
const POSE_COORDINATES: usize = 7;
/// Maximum number of states of a joint.
const MOST_STATES: usize = POSE_COORDINATES + 6;

impl Path {
    pub(crate) fn new(model: &Model) -> Self {
        let mut movers: TiVec<BodyId, Mover> = ti_vec![Mover::Fixed; model.bodies.len()];
        for (index, link) in model.links.all.iter_enumerated() {
            movers[link.body] = match link.is_free {
                true => Mover::Coordinates(link.first_state()),
                false => Mover::Child(index),
            };
        }
        for (index, driven) in model.driven.iter_enumerated() {
            movers[driven.body] = Mover::Held(index);
        }
        for (index, prescribed) in model.prescribed.iter_enumerated() {
            movers[prescribed.body] = Mover::Prescribed(index);
        }
        let shapes = model.scene.shapes();
        let reach: TiVec<ShapeId, f64> = shapes.iter().map(reach).collect();
        let mut turns: TiVec<BodyId, bool> = ti_vec![false; model.bodies.len()];
        for (shape, reach) in shapes.iter().zip(&reach) {
            turns[shape.body] |= *reach > 0.0;
        }
        for link in model.links.of_trees() {
            turns[link.body] |= link.is_free;
        }
        for link in model.links.of_triggers.iter().flatten() {
            turns[model.links.all[*link].body] = true;
        }
        let states = model.scene.layout().count();
        let driven = POSE_COORDINATES * model.driven.len();
        let mut coordinates = vec![Quartic::constant(0.0); states + driven];
        for link in model.links.all.iter().filter(|link| link.is_free) {
            // Of one that does not turn, for good.
            coordinates[link.first_state() + 3] = Quartic::constant(1.0);
        }
        let mut free = model.links.all.iter().filter(|link| link.is_free);
        let driven = model.driven.iter().map(|driven| driven.body);
        let prescribed = model.prescribed.iter().map(|prescribed| prescribed.body);
        let others: Vec<BodyId> = driven.chain(prescribed).collect();
        let all_free = others.is_empty() && model.links.all.iter().all(|link| link.is_free);
        let is_plain = all_free && !free.any(|link| turns[link.body]);
        let mut shapes_of: TiVec<BodyId, Vec<ShapeId>> = ti_vec![Vec::new(); model.bodies.len()];
        for (index, shape) in shapes.iter_enumerated() {
            shapes_of[shape.body].push(index);
        }
        let mut path = Path {
            start: 0.0,
            duration: 0.0,
            coordinates,
            is_plain,
            turns,
            travel: ti_vec![[0.0; 2]; shapes.len()],
            reach,
            movers,
            bounds: ti_vec![MotionBound::AT_REST; model.bodies.len()],
            inputs: model.scene.start_inputs(),
            inputs_since: None,
            others,
            shapes_of,
            scope: PathScope::default(),
        };
        let all = model.links.all.iter_enumerated();
        path.set_scope(model, all.map(|(index, link)| (index, link.first_state())));
        path
    }

    /// Sets the links to follow (parents before children, complete trees), each with the index of its first
    /// state among the states of a step. All other links stay unknown.
    pub(crate) fn set_scope(
        &mut self,
        model: &Model,
        links: impl Iterator<Item = (LinkId, usize)>,
    ) {
        let PathScope { links: own, shapes } = &mut self.scope;
        own.clear();
        own.extend(links);
        shapes.clear();
        let bodies = own.iter().map(|(link, _)| model.links.all[*link].body);
        for body in bodies.chain(self.others.iter().copied()) {
            shapes.extend_from_slice(&self.shapes_of[body]);
        }
    }

    pub(crate) fn shapes_of(&self, body: BodyId) -> &[ShapeId] {
        &self.shapes_of[body]
    }

    /// Bound of [`Self::largest_travel`], and of the reverse travel, after [`Self::join`] with the same
    /// states [m], without joining them; `None` unless all bodies are free and their rotations do not matter.
    ///
    /// With the distance D of the states and v the larger speed, the coefficients of the cubic are within D +
    /// h v/3 of both ends.
    pub(crate) fn bound_of_ways(
        &self,
        model: &Model,
        duration: f64,
        from: &[f64],
        to: &[f64],
    ) -> Option<f64> {
        if !self.is_plain {
            return None;
        }
        let (mut way, mut speed, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
        for link in &model.links.all {
            let (at, rates) = (link.positions.start, link.rates.start);
            let point = |states: &[f64], at: usize| Vec3::from_fn(|i, _| states[at + i]);
            let (start, end) = (point(from, at), point(to, at));
            way = way.max((end - start).norm_squared());
            let speeds = [from, to].map(|states| point(states, rates).norm_squared());
            speed = speed.max(speeds[0]).max(speeds[1]);
            size = size.max(start.norm_squared()).max(end.norm_squared());
        }
        let sum = way.sqrt() + duration * speed.sqrt() / 3.0 + COEFFICIENT * size.sqrt();
        Some(sum * (1.0 + SLACK))
    }

    pub(crate) fn duration(&self) -> f64 {
        self.duration
    }

    pub(crate) fn coordinate(&self, state: usize) -> &Quartic {
        &self.coordinates[state]
    }

    pub(crate) fn bound(&self, body: BodyId) -> &MotionBound {
        &self.bounds[body]
    }

    pub(crate) fn reach(&self, shape: ShapeId) -> f64 {
        self.reach[shape]
    }

    /// Bound of the distance of a shape's points from their positions at an end of the path [m].
    #[inline(always)]
    pub(crate) fn travel(&self, shape: ShapeId, end: PathEnd) -> f64 {
        self.travel[shape][end as usize]
    }

    pub(crate) fn largest_travel(&self) -> f64 {
        self.travel
            .iter()
            .fold(0.0, |most, [start, _]| start.max(most))
    }

    /// Follows a step of the integrator; driven bodies are extrapolated from the inputs of `work`.
    pub(crate) fn follow(&mut self, model: &Model, step: &DenseStep<'_>, work: &Workspace<f64>) {
        (self.start, self.duration) = (step.t0(), step.t1() - step.t0());
        for (index, place) in &self.scope.links {
            let link = &model.links.all[*index];
            for state in followed(link, self.turns[link.body]) {
                self.coordinates[state] = step.quartic(state - link.first_state() + place);
            }
        }
        self.hold_driven(model, work);
        self.bind(model);
    }

    /// Follows only the bodies without states over a time [s] from a start [s] on; driven ones are
    /// extrapolated from the inputs of `work`.
    pub(crate) fn follow_others(
        &mut self,
        model: &Model,
        start: f64,
        duration: f64,
        work: &Workspace<f64>,
    ) {
        (self.start, self.duration) = (start, duration);
        self.set_scope(model, std::iter::empty());
        self.hold_driven(model, work);
        self.bind(model);
    }

    fn hold_driven(&mut self, model: &Model, work: &Workspace<f64>) {
        for (index, driven) in model.driven.iter_enumerated() {
            self.movers[driven.body] = Mover::Held(index);
        }
        self.inputs.copy_from_slice(&work.inputs);
        self.inputs_since = work.inputs_since;
    }

    /// Follows the cubic interpolants from the states of a time [s] to those of a later one, with the rates
    /// given by the velocities there; driven bodies move in a straight line between the poses of both inputs.
    pub(super) fn join(&mut self, model: &Model, from: Instant<'_>, to: Instant<'_>) {
        (self.start, self.duration) = (from.time, to.time - from.time);
        let h = self.duration;
        let (coordinates, turns) = (&mut self.coordinates, &self.turns);
        for (index, _) in &self.scope.links {
            each_rate(
                model,
                *index,
                turns,
                from.states,
                to.states,
                |at, from, to| {
                    coordinates[at] = Quartic::hermite(from.0, h * from.1, to.0, h * to.1);
                },
            );
        }
        let behind = model.scene.layout().count();
        for (index, driven) in model.driven.iter_enumerated() {
            let at = behind + POSE_COORDINATES * usize::from(index);
            self.movers[driven.body] = Mover::Coordinates(at);
            let ends = [from.inputs, to.inputs]
                .map(|inputs| driven.coordinates(TiSlice::from_ref(inputs)));
            let [Some(from), Some(mut to)] = ends else {
                // Invalid inputs are refused where they are evaluated.
                continue;
            };
            // q and -q are one orientation: the shorter way.
            if (3..7).map(|i| from[i] * to[i]).sum::<f64>() < 0.0 {
                to[3..].iter_mut().for_each(|c| *c = -*c);
            }
            // By the poses alone: importers hold inputs over a step, and a body with a velocity but a
            // constant position would oscillate about it.
            for i in 0..POSE_COORDINATES {
                self.coordinates[at + i] = Quartic::line(from[i], to[i]);
            }
        }
        self.bind(model);
    }

    pub(crate) fn place(&self, model: &Model, body: BodyId, theta: f64) -> (Pose, Twist<f64>) {
        let time = self.start + theta * self.duration;
        match self.movers[body] {
            Mover::Fixed => (model.bodies[body].pose, Twist::at_rest()),
            Mover::Coordinates(at) => self.place_by_coordinates(at, theta),
            Mover::Held(index) => {
                let elapsed = self.inputs_since.map_or(0.0, |since| time - since);
                let held = model.driven[index].motion(&self.inputs, elapsed);
                held.unwrap_or((model.bodies[body].pose, Twist::at_rest()))
            }
            Mover::Prescribed(index) => self.place_prescribed(model, index, time),
            Mover::Child(joint) => self.place_child(model, joint, theta),
        }
    }

    /// Position of a body's origin along `direction` over the interval [m], if it is a polynomial there.
    pub(crate) fn along(&self, model: &Model, body: BodyId, direction: &Vec3) -> Option<Quartic> {
        match self.movers[body] {
            Mover::Fixed => Some(Quartic::constant(
                direction.dot(&model.bodies[body].pose.position),
            )),
            Mover::Coordinates(at) => {
                let [x, y, z] = [0, 1, 2].map(|i| &self.coordinates[at + i].0);
                Some(Quartic(std::array::from_fn(|k| {
                    direction.x * x[k] + direction.y * y[k] + direction.z * z[k]
                })))
            }
            Mover::Held(_) | Mover::Prescribed(_) | Mover::Child(_) => None,
        }
    }

    fn place_by_coordinates(&self, at: usize, theta: f64) -> (Pose, Twist<f64>) {
        let own = &self.coordinates[at..at + POSE_COORDINATES];
        let value = |i: usize| own[i].at(theta);
        let per_second = 1.0 / self.duration;
        let rate = |i: usize| own[i].rate_at(theta) * per_second;
        let q = [value(3), value(4), value(5), value(6)];
        let rotation = rotation_matrix(&q);
        let omega_b = angular_velocity(&q, &[rate(3), rate(4), rate(5), rate(6)]);
        let pose = Pose {
            position: Vec3::new(value(0), value(1), value(2)),
            rotation,
        };
        let twist = Twist {
            velocity_w: Vec3::new(rate(0), rate(1), rate(2)),
            omega_b,
            omega_w: rotation * omega_b,
        };
        (pose, twist)
    }

    /// Velocities are the derivatives of the pose, also for a moving surface.
    fn place_prescribed(&self, model: &Model, index: MotionId, time: f64) -> (Pose, Twist<f64>) {
        let prescribed = &model.prescribed[index];
        let (pose, twist) = prescribed.motion(&model.scene, time);
        match prescribed.moves(&model.scene) {
            true => (pose, twist),
            false => (pose, Twist::at_rest()),
        }
    }

    fn place_child(&self, model: &Model, link: LinkId, theta: f64) -> (Pose, Twist<f64>) {
        let numbers = &model.links.all[link];
        let joint = &model.scene.links()[numbers.joint];
        let parent = match joint.parent {
            Some(parent) => self.place(model, parent, theta),
            None => (Pose::identity(), Twist::at_rest()),
        };
        let states = self.states(model, link, theta);
        let (positions, rates) = states.split_at(numbers.positions.len());
        let rates = &rates[..numbers.rates.len()];
        let motion = &mut JointMotion::zero();
        tree::place_child(joint, &parent.0, &parent.1, positions, rates, motion)
    }

    /// States of a link at theta, padded with zeros.
    pub(crate) fn states(&self, model: &Model, link: LinkId, theta: f64) -> [f64; MOST_STATES] {
        let numbers = &model.links.all[link];
        let joint = &model.scene.links()[numbers.joint];
        let own = &self.coordinates[numbers.positions.clone()];
        let per_second = 1.0 / self.duration;
        let mut states = [0.0; MOST_STATES];
        let (positions, rates) = states.split_at_mut(own.len());
        for ((position, rate), coordinate) in positions.iter_mut().zip(&mut *rates).zip(own) {
            (*position, *rate) = (coordinate.at(theta), coordinate.rate_at(theta) * per_second);
        }
        if let Some(first) = joint.kind.quaternion() {
            let of = |f: &dyn Fn(&Quartic) -> f64| std::array::from_fn(|i| f(&own[first + i]));
            let q = of(&|c| c.at(theta));
            let omega = angular_velocity(&q, &of(&|c| c.rate_at(theta) * per_second));
            positions[first..first + 4].copy_from_slice(&q);
            rates[first..first + 3].copy_from_slice(omega.as_slice());
        }
        states
    }

    /// Bounds of the bodies followed, parents first.
    fn bind(&mut self, model: &Model) {
        for place in 0..self.others.len() {
            let body = self.others[place];
            self.bounds[body] = self.bound_alone(model, body);
        }
        for place in 0..self.scope.links.len() {
            let link = &model.links.all[self.scope.links[place].0];
            self.bounds[link.body] = match link.is_free {
                true => self.bound_alone(model, link.body),
                false => self.bound_child(&model.scene.links()[link.joint], link.first_state()),
            };
        }
        for index in &self.scope.shapes {
            let (shape, reach) = (&model.scene.shapes()[*index], self.reach[*index]);
            let bound = &self.bounds[shape.body];
            // A rotation moves no point farther than to the opposite side.
            let turned = bound.turning_travel(reach, self.duration).min(2.0 * reach);
            self.travel[*index] = bound.travel.map(|way| (way + turned) * (1.0 + ROUNDING));
        }
    }

    fn bound_alone(&self, model: &Model, body: BodyId) -> MotionBound {
        match self.movers[body] {
            Mover::Fixed | Mover::Child(_) => MotionBound::AT_REST,
            Mover::Coordinates(at) => self.bound_by_coordinates(at, self.turns[body]),
            Mover::Held(index) => self.bound_held(model, index),
            Mover::Prescribed(index) => {
                let end = self.start + self.duration;
                let known = model.prescribed[index].profile.bounds(self.start, end);
                self.bound_of(
                    known.speed,
                    known.acceleration,
                    TurningBound::about_axis(known.angular_speed, known.angular_acceleration),
                )
            }
        }
    }

    fn bound_of(&self, speed: f64, acceleration: f64, turning: TurningBound) -> MotionBound {
        MotionBound {
            speed,
            acceleration,
            turning,
            travel: [speed * self.duration; 2],
        }
    }

    fn bound_held(&self, model: &Model, index: DrivenId) -> MotionBound {
        let held = model.driven[index].motion(&self.inputs, 0.0);
        held.map_or(MotionBound::AT_REST, |(_, twist)| {
            let turning = TurningBound::about_axis(twist.omega_w.norm(), 0.0);
            self.bound_of(twist.velocity_w.norm(), 0.0, turning)
        })
    }

    fn bound_by_coordinates(&self, at: usize, turns: bool) -> MotionBound {
        let own = &self.coordinates[at..at + POSE_COORDINATES];
        let [x, y, z] = [&own[0], &own[1], &own[2]];
        let point = |k: usize| Vec3::new(x.0[k], y.0[k], z.0[k]);
        let farthest = |from: usize| {
            let distances = (0..5).map(|k| (point(k) - point(from)).norm_squared());
            distances.fold(0.0, f64::max).sqrt()
        };
        let [speed, acceleration] = self.rates_of(own[..3].iter());
        MotionBound {
            speed,
            acceleration,
            turning: match turns {
                true => self.turning_of(&own[3..]),
                false => TurningBound::NONE,
            },
            travel: [farthest(0), farthest(4)],
        }
    }

    /// Bounds of the first and the second derivative [1/s], [1/s2] of a body-fixed direction `axis_b`. A spin
    /// about it does not enter.
    pub(crate) fn direction_bounds(&self, model: &Model, body: BodyId, axis_b: &Vec3) -> [f64; 2] {
        let turning = &self.bounds[body].turning;
        if turning.speed == 0.0 {
            return [0.0; 2];
        }
        match self.movers[body] {
            Mover::Fixed => [0.0; 2],
            Mover::Coordinates(at) => self.direction_by_quaternion(at + 3, axis_b),
            Mover::Held(index) => match model.driven[index].motion(&self.inputs, 0.0) {
                Some((pose, twist)) => {
                    let across = twist.omega_w.cross(&(pose.rotation * axis_b)).norm();
                    [across, across * twist.omega_w.norm()]
                }
                None => [0.0; 2],
            },
            Mover::Child(joint) => {
                let joint = &model.scene.links()[model.links.all[joint].joint];
                let on_joint = joint.child_frame.rotation.tr_mul(axis_b);
                let is_along = |axis: &Vec3| axis.cross(&on_joint).norm() < PARALLEL;
                let carried = match joint.kind.row().freedom {
                    Freedom::Coordinates(list) => {
                        let mut turns = list.iter().filter(|coordinate| coordinate.is_angle());
                        turns.all(|turn| is_along(&joint.axes[turn.axis as usize]))
                    }
                    Freedom::Quaternion { .. } => false,
                };
                match (carried, joint.parent) {
                    (true, None) => [0.0; 2],
                    (true, Some(parent)) => {
                        let on_parent = joint.parent_frame.rotation * on_joint;
                        self.direction_bounds(model, parent, &on_parent)
                    }
                    (false, _) => [turning.speed, turning.curvature],
                }
            }
            Mover::Prescribed(index) => {
                let across = model.prescribed[index].across(&model.scene, axis_b);
                [across * turning.speed, across * turning.curvature]
            }
        }
    }

    fn direction_by_quaternion(&self, at: usize, axis_b: &Vec3) -> [f64; 2] {
        let q: [&Quartic; 4] = std::array::from_fn(|i| &self.coordinates[at + i]);
        let product = |i: usize, j: usize| q[i].times(q[j]);
        let squares = [0, 1, 2, 3].map(|i| product(i, i));
        let mut y = [[0.0; 9]; 3];
        let mut size = [0.0; 9];
        for k in 0..9 {
            let [ww, xx, yy, zz] = squares.map(|square| square[k]);
            size[k] = ww + xx + yy + zz;
            y[0][k] = (ww + xx - yy - zz) * axis_b.x;
            y[1][k] = (ww - xx + yy - zz) * axis_b.y;
            y[2][k] = (ww - xx - yy + zz) * axis_b.z;
        }
        let [wx, wy, wz] = [1, 2, 3].map(|i| product(0, i));
        let [xy, xz, yz] = [product(1, 2), product(1, 3), product(2, 3)];
        for k in 0..9 {
            y[0][k] += 2.0 * ((xy[k] - wz[k]) * axis_b.y + (xz[k] + wy[k]) * axis_b.z);
            y[1][k] += 2.0 * ((xy[k] + wz[k]) * axis_b.x + (yz[k] - wx[k]) * axis_b.z);
            y[2][k] += 2.0 * ((xz[k] - wy[k]) * axis_b.x + (yz[k] + wx[k]) * axis_b.y);
        }
        let least = size.iter().copied().fold(f64::INFINITY, f64::min);
        if least.is_nan() || least <= LEAST_NORM * LEAST_NORM {
            return [f64::INFINITY; 2];
        }
        // Relative to the start, so that a spin contributes nothing.
        let start = [0, 1, 2].map(|i| y[i][0] / size[0]);
        for (part, start) in y.iter_mut().zip(start) {
            for (c, size) in part.iter_mut().zip(size) {
                *c -= start * size;
            }
        }
        let h = self.duration;
        let largest = |of: &dyn Fn(&[f64; 9], usize) -> f64, parts: &[[f64; 9]], count: usize| {
            let square = |v: f64| v * v;
            let length = |k| parts.iter().map(|part| square(of(part, k))).sum::<f64>();
            (0..count).map(length).fold(0.0, f64::max).sqrt()
        };
        let value = |c: &[f64; 9], k: usize| c[k];
        let first = |c: &[f64; 9], k: usize| 8.0 * (c[k + 1] - c[k]) / h;
        let second = |c: &[f64; 9], k: usize| 56.0 * (c[k + 2] - 2.0 * c[k + 1] + c[k]) / (h * h);
        let [s_1, s_2] = [largest(&first, &[size], 8), largest(&second, &[size], 7)];
        let [z, z_1, z_2] = [
            largest(&value, &y, 9),
            largest(&first, &y, 8),
            largest(&second, &y, 7),
        ];
        [
            (z_1 + z * s_1 / least) / least,
            (z_2 + (2.0 * z_1 * s_1 + z * (s_2 + 2.0 * s_1 * s_1 / least)) / least) / least,
        ]
    }

    /// Bounds of the first and the second derivative of a vector of polynomials.
    fn rates_of<'q>(&self, components: impl Iterator<Item = &'q Quartic>) -> [f64; 2] {
        let (mut first, mut second) = ([0.0; 4], [0.0; 3]);
        for component in components {
            for (sum, d) in first.iter_mut().zip(component.differences()) {
                *sum += d * d;
            }
            for (sum, d) in second.iter_mut().zip(component.second_differences()) {
                *sum += d * d;
            }
        }
        let largest = |squares: &[f64]| squares.iter().fold(0.0, |a: f64, b| a.max(*b)).sqrt();
        let h = self.duration;
        [4.0 * largest(&first) / h, 12.0 * largest(&second) / (h * h)]
    }

    /// Bounds of the rotation by a quaternion of polynomials.
    fn turning_of(&self, q: &[Quartic]) -> TurningBound {
        let [first, second] = self.rates_of(q.iter());
        if first == 0.0 {
            return TurningBound::NONE;
        }
        let middle: [f64; 4] = std::array::from_fn(|i| q[i].0[0] + q[i].0[4]);
        let length = middle.iter().map(|c| c * c).sum::<f64>().sqrt();
        let along = |k: usize| (0..4).map(|i| middle[i] * q[i].0[k]).sum::<f64>();
        let least = (0..5).map(along).fold(f64::INFINITY, f64::min) / length;
        if least.is_nan() || least <= LEAST_NORM {
            return TurningBound {
                speed: f64::INFINITY,
                curvature: f64::INFINITY,
            };
        }
        let unit_rate = first / least;
        let across = (second + 2.0 * first * unit_rate) / least;
        let along = unit_rate * unit_rate;
        TurningBound {
            speed: 2.0 * unit_rate,
            curvature: 2.0 * hypot(across, along) + 2.0 * along,
        }
    }

    /// Bound of the child of a joint whose first coordinate has the index `at`.
    fn bound_child(&self, joint: &Joint, at: usize) -> MotionBound {
        let parent = joint.parent.map(|body| self.bounds[body]);
        let parent = parent.unwrap_or(MotionBound::AT_REST);
        let own = &self.coordinates[at..at + joint.positions.len()];
        let moving = own.iter().enumerate();
        let moving = moving.map(|(index, q)| (joint.kind.motion(index), q));
        let turns = moving.clone();
        let turns = turns.filter(|(motion, _)| *motion != CoordinateMotion::Slide);
        let turning = match joint.kind.quaternion() {
            Some(first) => self.turning_of(&own[first..]),
            None => turns.fold(TurningBound::NONE, |outer, (_, turn)| {
                let [speed, acceleration] = self.rates_of(std::iter::once(turn));
                TurningBound::about_axis(speed, acceleration).after(&outer)
            }),
        };
        // Slides are along axes at right angles, or one.
        let slid = moving.clone();
        let slid = slid.filter(|(motion, _)| *motion == CoordinateMotion::Slide);
        let slid = slid.map(|(_, q)| q);
        let [mut slide_speed, mut slide_acceleration] = self.rates_of(slid.clone());
        let mut reach = (0..5)
            .map(|k| slid.clone().map(|s| s.0[k] * s.0[k]).sum::<f64>().sqrt())
            .fold(0.0, f64::max);
        for (_, screw) in moving.filter(|(motion, _)| *motion == CoordinateMotion::Screw) {
            let lead = joint.lead.abs();
            let [speed, acceleration] = self.rates_of(std::iter::once(screw));
            slide_speed += lead * speed;
            slide_acceleration += lead * acceleration;
            reach += lead * screw.0.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
        }
        let arm = norm(&joint.parent_frame.position) + reach;
        let own_arm = norm(&joint.child_frame.position);
        let sum = turning.after(&parent.turning);
        let speed = parent.speed
            + slide_speed
            + times(arm, parent.turning.speed)
            + times(own_arm, sum.speed);
        let acceleration = parent.acceleration
            + slide_acceleration
            + 2.0 * times(slide_speed, parent.turning.speed)
            + times(arm, parent.turning.curvature)
            + times(own_arm, sum.curvature);
        self.bound_of(speed, acceleration, sum)
    }
}

/// Sine of the angle up to which two directions are equal [1].
const PARALLEL: f64 = 1e-12;
/// Norm of a quaternion along a step below which its rotation is unbounded [1].
const LEAST_NORM: f64 = 0.1;

/// Product that is zero if the first factor is, even if the second is infinite.
fn times(length: f64, rate: f64) -> f64 {
    if length == 0.0 { 0.0 } else { length * rate }
}

/// Angular velocity in body axes of q/|q|: 2 Im(q* q')/|q|^2.
fn angular_velocity(q: &[f64; 4], rate: &[f64; 4]) -> Vec3 {
    let [w, x, y, z] = *q;
    let [a, b, c, d] = *rate;
    let two = 2.0 / (w * w + x * x + y * y + z * z);
    Vec3::new(
        w * b - x * a - y * d + z * c,
        w * c - y * a - z * b + x * d,
        w * d - z * a - x * c + y * b,
    ) * two
}

/// rho of a shape; infinite for a half-space.
fn reach(shape: &Shape) -> f64 {
    shape.pose_b.position.norm() + shape.bounding_form.core.solid().reach()
}

/// Coordinate states of a link, without the orientation of a free body that does not turn.
fn followed(link: &Link, turns: bool) -> Range<usize> {
    match link.is_free && !turns {
        true => link.first_state()..link.first_state() + 3,
        false => link.positions.clone(),
    }
}

/// Calls `join` with the index, value and rate of each state of [`followed`] at two states.
fn each_rate(
    model: &Model,
    link: LinkId,
    turns: &TiSlice<BodyId, bool>,
    from: &[f64],
    to: &[f64],
    mut join: impl FnMut(usize, (f64, f64), (f64, f64)),
) {
    let link = &model.links.all[link];
    let (at, rates) = (link.positions.start, link.rates.start);
    let joint = &model.scene.links()[link.joint];
    let quaternion = joint.kind.quaternion();
    let plain = quaternion.unwrap_or(link.positions.len());
    for i in 0..plain {
        let of = |states: &[f64]| (states[at + i], states[rates + i]);
        join(at + i, of(from), of(to));
    }
    if quaternion.is_some() && (turns[link.body] || !link.is_free) {
        let of = |states: &[f64]| {
            let q: [f64; 4] = std::array::from_fn(|i| states[at + plain + i]);
            let omega = Vec3::from_fn(|i, _| states[rates + plain + i]);
            (q, quaternion_rate(&q, &omega))
        };
        let (from, to) = (of(from), of(to));
        for i in 0..4 {
            join(at + plain + i, (from.0[i], from.1[i]), (to.0[i], to.1[i]));
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/path/tests.rs"]
mod tests;
