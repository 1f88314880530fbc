//! Free bodies in arrays, by the velocity Verlet rule: kick, drift, kick.
//!
//! v += h/2 a, x += h v, forces there, v += h/2 a. Damping and friction forces depend on the velocity; they
//! are evaluated at x and v + h/2 a with the acceleration of the last evaluation, which is the velocity at
//! that time to second order, so the rule keeps its order 2.
//!
//! A round grain is a body whose shapes are balls about its centre of mass and whose inertia is the same
//! about every axis: its torque changes the angular velocity, in world axes, and its orientation affects
//! outputs only. Every other body turns as below.
//!
//! # Free rotation of a body with any inertia
//!
//! By its angular momentum L about the centre of mass in world axes, which is constant in free motion.
//!
//! Over a step h the orientation q turns by the angular velocity at the middle of the step: w(q) = R J R^T L
//! with the inverse inertia J in body axes, q_m = q turned by h/2 w(q), q' = q turned by h w(q_m). Second
//! order. With half-step kicks of the torque before and after it, this is the leapfrog rule for rotations;
//! without load L is conserved to the bit.

use crate::broad_phase::Poses;
use crate::dynamics::link::{Link, Twist};
use crate::dynamics::rigid::gravity;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pipeline, prescribed};
use crate::scene::description::Gravity;
use crate::scene::layout::StateLayout;
use crate::threads::Crew;
use contact_geometry::math::{Mat3, Pose, Vec3, multiply, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, PairRoutine, Proximity, points};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{BodyId, LinkId, ShapeId, TiVec, ti_vec};

pub(crate) const NO_GRAIN: u32 = u32::MAX;
/// Minimum number of grains per work item: one is summed in some 0.02 us and moved in 0.1.
pub(crate) const GRAINS: usize = 64;
/// Number of grains up to which one thread moves all: a second one would save less time than it waits.
pub(crate) const ALONE: usize = 512;
/// Relative difference of the principal inertias of a round grain [1].
const EQUAL: f64 = 1e-12;

/// Constant data of a grain.
#[derive(Clone, Debug)]
pub struct Grain {
    pub(crate) body: BodyId,
    /// Its link.
    pub link: LinkId,
    /// Its first state.
    pub first_state: usize,
    /// Reciprocal of the mass [1/kg].
    pub inverse_mass: f64,
    /// Largest entry of the inverse inertia about an axis [1/(kg.m2)]; for a round grain, any.
    pub inverse_inertia: f64,
    /// The inverse inertia, body axes [1/(kg.m2)].
    pub inverse_inertia_b: Mat3,
    /// Centre of mass, body axes [m].
    pub center_b: Vec3,
    /// It is round.
    pub round: bool,
    /// Distance of its farthest point from the centre of mass [m]; 0 if round, since rotation moves no
    /// surface.
    pub reach: f64,
}

/// State of a grain that forces depend on, in one place: contacts access grains in random order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    pub(crate) position: Vec3,
    /// Velocity for the evaluation of forces [m/s].
    pub velocity: Vec3,
    /// Angular velocity for the evaluation of forces, world axes [rad/s].
    pub omega: Vec3,
}

/// Total load on a grain.
#[derive(Clone, Copy, Debug, Default)]
pub struct GrainLoad {
    pub(crate) force: Vec3,
    /// Torque about the centre of mass, world axes [N.m].
    pub torque: Vec3,
}

/// All grains in scene order.
#[derive(Clone, Debug, Default)]
pub struct GrainSet {
    /// Constant data.
    pub all: Vec<Grain>,
    /// Grain of each body, or [`NO_GRAIN`].
    pub of_bodies: TiVec<BodyId, u32>,
    rotors: Vec<u32>,
    /// Grains with applied forces, ascending.
    pub driven: Vec<u32>,
    /// Inverse mass [1/kg] and, for round grains, inverse inertia [1/(kg.m2)], else 0.
    pub inverse: Vec<[f64; 2]>,
    /// States that forces depend on.
    pub now: Vec<Now>,
    /// Velocities [m/s], half a kick ahead inside a step.
    pub velocity: Vec<Vec3>,
    /// Angular velocity of a round grain [rad/s], angular momentum of others [kg.m2/s], world axes.
    pub spin: Vec<Vec3>,
    /// Orientation, body to world.
    pub orientation: Vec<[f64; 4]>,
    /// Sums of forces and torques.
    pub load: Vec<GrainLoad>,
}

impl GrainSet {
    pub(crate) fn new(model: &Model) -> Self {
        let mut grains = GrainSet {
            of_bodies: ti_vec![NO_GRAIN; model.bodies.len()],
            ..GrainSet::default()
        };
        let reaches = reaches(model);
        for (index, link) in model.links.all.iter_enumerated() {
            let grain = grains.all.len() as u32;
            grains.of_bodies[link.body] = grain;
            let own = grain_of(model, index, link, reaches[link.body]);
            if !own.round {
                grains.rotors.push(grain);
            }
            if !link.applied.is_empty() {
                grains.driven.push(grain);
            }
            let inverse_inertia = if own.round { own.inverse_inertia } else { 0.0 };
            grains.inverse.push([own.inverse_mass, inverse_inertia]);
            grains.all.push(own);
        }
        let count = grains.all.len();
        for vectors in [&mut grains.velocity, &mut grains.spin] {
            vectors.resize(count, Vec3::zeros());
        }
        // One more, at rest at the origin, for bodies that are no grains: forces on it go nowhere.
        grains.now.resize(count + 1, Now::default());
        grains.load.resize(count + 1, GrainLoad::default());
        grains.orientation.resize(count, [1.0, 0.0, 0.0, 0.0]);
        grains
    }

    /// Takes the states of all bodies. Returns the largest displacement of a point of a grain [m]; NaN if a
    /// state is not finite.
    pub fn load(&mut self, states: &[f64]) -> f64 {
        let mut moved: f64 = 0.0;
        for (g, grain) in self.all.iter().enumerate() {
            let vector = |range: std::ops::Range<usize>| Vec3::from_column_slice(&states[range]);
            let first = grain.first_state;
            let q = &states[StateLayout::orientation(first)];
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            let q: [f64; 4] = std::array::from_fn(|i| q[i] / norm);
            let rotation = rotation_matrix(&q);
            let omega = rotation * vector(StateLayout::angular_velocity(first));
            let arm = rotation * grain.center_b;
            let position = vector(StateLayout::position(first)) + arm;
            let velocity = vector(StateLayout::velocity(first)) + omega.cross(&arm);
            let mut way = (position - self.now[g].position).norm();
            if grain.reach > 0.0 {
                let old = rotation_matrix(&self.orientation[g]);
                way += grain.reach * (rotation - old).norm();
            }
            moved = if way > moved || way.is_nan() {
                way
            } else {
                moved
            };
            self.now[g] = Now {
                position,
                velocity,
                omega,
            };
            self.velocity[g] = velocity;
            self.orientation[g] = q;
            self.spin[g] = match grain.round {
                true => omega,
                false => {
                    let inertia = grain.inverse_inertia_b.try_inverse();
                    let inertia_b = inertia.unwrap_or_else(Mat3::zeros);
                    rotation * (inertia_b * rotation.tr_mul(&omega))
                }
            };
        }
        moved
    }

    pub(crate) fn store(&self, states: &mut [f64]) {
        for (g, grain) in self.all.iter().enumerate() {
            let q = &self.orientation[g];
            let rotation = rotation_matrix(q);
            let omega = self.omega(g, &rotation);
            let arm = rotation * grain.center_b;
            let first = grain.first_state;
            let mut put = |range: std::ops::Range<usize>, vector: &Vec3| {
                states[range].copy_from_slice(vector.as_slice());
            };
            put(StateLayout::position(first), &(self.now[g].position - arm));
            put(
                StateLayout::velocity(first),
                &(self.velocity[g] - omega.cross(&arm)),
            );
            put(
                StateLayout::angular_velocity(first),
                &rotation.tr_mul(&omega),
            );
            states[StateLayout::orientation(first)].copy_from_slice(q);
        }
    }

    fn omega(&self, g: usize, rotation: &Mat3) -> Vec3 {
        let grain = &self.all[g];
        match grain.round {
            true => self.spin[g],
            false => angular_velocity(rotation, &grain.inverse_inertia_b, &self.spin[g]),
        }
    }

    pub(crate) fn pose(&self, g: usize) -> Pose {
        let rotation = rotation_matrix(&self.orientation[g]);
        Pose {
            position: self.now[g].position - rotation * self.all[g].center_b,
            rotation,
        }
    }

    /// First body whose position or velocity is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<BodyId> {
        let is_lost = |g: &usize| {
            let sum = self.velocity[*g].sum() + self.spin[*g].sum() + self.now[*g].position.sum();
            !sum.is_finite()
        };
        let lost = (0..self.all.len()).find(is_lost);
        lost.map(|g| self.all[g].body)
    }

    /// Kicks all velocities by the present forces over `kick` [s], moves all grains over `step` [s] and
    /// predicts the velocities for the forces there. Returns the largest displacement of a point [m].
    pub(crate) fn kick_and_drift(
        &mut self,
        crew: &Crew,
        field: &Gravity,
        kick: f64,
        step: f64,
    ) -> f64 {
        let uniform = match field {
            Gravity::Uniform(g) => Vec3::from(*g),
            _ => Vec3::zeros(),
        };
        let (rest, all) = (0.5 * step, &self.all);
        let (inverse, load) = (&self.inverse, &self.load);
        let places = (&mut self.now[..all.len()], &mut self.velocity[..]);
        let turning = (&mut self.spin[..], &mut self.orientation[..]);
        // Square of the largest speed of a centre, and largest speed of a point of a rotor.
        let mut most = vec![[0.0_f64; 2]; crew.threads()];
        let rows = (places, turning);
        crew.each(
            &mut most,
            rows,
            GRAINS,
            |[fastest, farthest], first, rows| {
                let ((now, velocity), (spin, orientation)) = rows;
                let known = (first..).zip(&inverse[first..]).zip(&load[first..]);
                let balls = known.zip(now).zip(velocity);
                for ((((((g, inverse), load), now), velocity), spin), orientation) in
                    balls.zip(spin).zip(orientation)
                {
                    let mut acceleration = uniform + load.force * inverse[0];
                    if let Gravity::Point { .. } = field {
                        acceleration += gravity(field, &now.position);
                    }
                    *velocity += acceleration * kick;
                    now.velocity = *velocity + acceleration * rest;
                    now.position += *velocity * step;
                    *fastest = fastest.max(velocity.norm_squared());
                    if inverse[1] > 0.0 {
                        let turning = load.torque * inverse[1];
                        *spin += turning * kick;
                        now.omega = *spin + turning * rest;
                        if *spin != Vec3::zeros() {
                            *orientation = turned(orientation, &(*spin * step));
                        }
                        continue;
                    }
                    let (inverse_b, reach) = (&all[g].inverse_inertia_b, all[g].reach);
                    *spin += load.torque * kick;
                    let (q, omega) = turn(orientation, inverse_b, spin, step);
                    *orientation = q;
                    let ahead = *spin + load.torque * rest;
                    now.omega = angular_velocity(&rotation_matrix(&q), inverse_b, &ahead);
                    *farthest = farthest.max(velocity.norm() + omega.norm() * reach);
                }
            },
        );
        let ways = most.iter().map(|[fast, far]| far.max(fast.sqrt()));
        step * ways.fold(0.0, f64::max)
    }

    pub(crate) fn kick(&mut self, field: &Gravity, kick: f64) -> bool {
        let mut sum = 0.0;
        for (g, grain) in self.all.iter().enumerate() {
            let own = gravity(field, &self.now[g].position);
            let acceleration = own + self.load[g].force * grain.inverse_mass;
            self.velocity[g] += acceleration * kick;
            self.spin[g] += match grain.round {
                true => self.load[g].torque * (grain.inverse_inertia * kick),
                false => self.load[g].torque * kick,
            };
            sum += 0.0 * (self.velocity[g].sum() + self.spin[g].sum() + self.now[g].position.sum());
        }
        sum == 0.0
    }
}

fn grain_of(model: &Model, index: LinkId, link: &Link, reach: f64) -> Grain {
    let numbers = &model.bodies[link.body];
    let inertia = &numbers.inertia_b;
    let mean = inertia.trace() / 3.0;
    let same = (inertia - Mat3::identity() * mean).amax() <= EQUAL * mean;
    let round = same && reach == 0.0;
    Grain {
        body: link.body,
        link: index,
        first_state: link.first_state(),
        inverse_mass: 1.0 / numbers.mass,
        inverse_inertia: match round {
            true => 1.0 / mean,
            false => numbers.inverse_inertia_b.norm(),
        },
        inverse_inertia_b: numbers.inverse_inertia_b,
        center_b: numbers.center_of_mass_b,
        round,
        reach,
    }
}

/// Distance of each body's farthest point from its centre of mass [m]; 0 if all its shapes are balls about
/// that.
fn reaches(model: &Model) -> TiVec<BodyId, f64> {
    let mut reaches = ti_vec![0.0; model.bodies.len()];
    for shape in model.scene.shapes() {
        let center = model.bodies[shape.body].center_of_mass_b;
        let arm = shape.pose_b.position - center;
        if shape.bounding_form.is_ball() && arm == Vec3::zeros() {
            continue;
        }
        let bounds = Aabb::of(&shape.bounding_form, &shape.pose_b);
        let far = (bounds.lower - center)
            .abs()
            .sup(&(bounds.upper - center).abs());
        let own: &mut f64 = &mut reaches[shape.body];
        *own = own.max(far.norm());
    }
    reaches
}

/// Quaternion turned by a rotation vector in world axes [rad], to second order; the norm is preserved to
/// rounding.
#[inline(always)]
pub(crate) fn turned(q: &[f64; 4], angle: &Vec3) -> [f64; 4] {
    let half = angle * 0.5;
    let turn = [1.0 - 0.5 * half.norm_squared(), half.x, half.y, half.z];
    let q = multiply(&turn, q);
    // One step of Newton for 1/|q|: the error of the norm is within |angle|^4/128.
    let square = q.iter().map(|c| c * c).sum::<f64>();
    let factor = 1.5 - 0.5 * square;
    [q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor]
}

/// Angular velocity in world axes [rad/s] of a body with this orientation matrix, inverse inertia in body
/// axes [1/(kg.m2)] and angular momentum in world axes [kg.m2/s].
#[inline]
pub(crate) fn angular_velocity(rotation: &Mat3, inverse_b: &Mat3, momentum: &Vec3) -> Vec3 {
    rotation * (inverse_b * rotation.tr_mul(momentum))
}

/// Orientation after a step [s], and the angular velocity over it [rad/s].
pub(crate) fn turn(q: &[f64; 4], inverse_b: &Mat3, momentum: &Vec3, step: f64) -> ([f64; 4], Vec3) {
    let start = angular_velocity(&rotation_matrix(q), inverse_b, momentum);
    let middle = turned(q, &(start * (0.5 * step)));
    let omega = angular_velocity(&rotation_matrix(&middle), inverse_b, momentum);
    (turned(q, &(omega * step)), omega)
}

/// Grains and all other bodies, with poses, velocities and nearest points for pairs of shapes.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The grains.
    pub grains: GrainSet,
    /// Frames and velocities of all but round grains; time and inputs.
    pub work: Workspace<f64>,
    /// Round grain of each shape, or [`NO_GRAIN`].
    pub round: TiVec<ShapeId, u32>,
    /// Largest reach of a shape of each other moving body [m].
    others: Vec<(BodyId, f64)>,
    /// Whether any body that is no grain moves.
    moving: bool,
    /// Their frames at the previous step.
    before: Vec<Pose>,
}

pub(crate) struct Placed {
    poses: TiVec<ShapeId, Pose>,
}

impl Poses for Placed {
    fn pose(&self, shape: ShapeId) -> &Pose {
        &self.poses[shape]
    }
}

impl Surroundings {
    /// Surroundings of a model at its start.
    pub fn new(model: &Model) -> Self {
        let grains = GrainSet::new(model);
        let shapes = model.scene.shapes().iter();
        let round = shapes.map(|shape| match grains.of_bodies[shape.body] {
            NO_GRAIN => NO_GRAIN,
            grain if grains.all[grain as usize].round => grain,
            _ => NO_GRAIN,
        });
        let bodies = model.prescribed.iter().map(|body| body.body);
        let bodies = bodies.chain(model.driven.iter().map(|body| body.body));
        let others: Vec<(BodyId, f64)> = bodies
            .map(|body| (body, reach_about_origin(model, body)))
            .collect();
        Surroundings {
            round: round.collect(),
            moving: !others.is_empty(),
            before: Vec::with_capacity(others.len()),
            others,
            work: Workspace::new(model),
            grains,
        }
    }

    /// Places the grains that are not round; round ones are in place already.
    pub(crate) fn place_rotors(&mut self, model: &Model) {
        for g in 0..self.grains.rotors.len() {
            let g = self.grains.rotors[g] as usize;
            self.place(model, g);
        }
    }

    pub(crate) fn place(&mut self, model: &Model, g: usize) {
        let grain = &self.grains.all[g];
        let (body, omega) = (grain.body, self.grains.now[g].omega);
        let pose = self.grains.pose(g);
        let arm = pose.position - self.grains.now[g].position;
        self.work.frames[body.frame()] = pose;
        self.work.twists[body] = Twist {
            velocity_w: self.grains.now[g].velocity + omega.cross(&arm),
            omega_b: pose.rotation.tr_mul(&omega),
            omega_w: omega,
        };
        let shapes = model.links.all[grain.link].shapes.clone();
        self.work.place_shapes(model, &model.links.shapes[shapes]);
    }

    /// Places the bodies that are no grains at a time [s]. Returns the largest displacement of a point [m].
    pub(crate) fn place_others(&mut self, model: &Model, time: f64) -> f64 {
        self.work.time = time;
        if !self.moving {
            return 0.0;
        }
        let frame = |work: &Workspace<f64>, body: BodyId| work.frames[body.frame()];
        let mut before = std::mem::take(&mut self.before);
        before.clear();
        before.extend(self.others.iter().map(|(b, _)| frame(&self.work, *b)));
        pipeline::place_others(model, &mut self.work);
        let ways = self.others.iter().zip(&before).map(|((body, reach), old)| {
            let new = frame(&self.work, *body);
            let turned = (new.rotation - old.rotation).norm();
            // A half-space reaches to infinity.
            let turned = if turned == 0.0 { 0.0 } else { reach * turned };
            (new.position - old.position).norm() + turned
        });
        let way = ways.fold(0.0, f64::max);
        self.before = before;
        way
    }

    pub(crate) fn apply_forces(&mut self, model: &Model) {
        for g in 0..self.grains.driven.len() {
            let g = self.grains.driven[g] as usize;
            let grain = &self.grains.all[g];
            let rotation = rotation_matrix(&self.grains.orientation[g]);
            self.work.frames[grain.body.frame()].rotation = rotation;
            prescribed::apply(model, &model.links.all[grain.link], &mut self.work);
            let load = &self.work.applied[grain.body];
            let arm = rotation * grain.center_b;
            self.grains.load[g].force += load.force_w;
            self.grains.load[g].torque += load.torque_w - arm.cross(&load.force_w);
        }
    }

    /// Pose of a shape; for a ball of a round grain without its rotation.
    #[inline(always)]
    pub(crate) fn pose(&self, model: &Model, shape: ShapeId) -> Pose {
        match self.round[shape] {
            NO_GRAIN => self.work.frames[model.frames.of_shapes[shape]],
            grain => Pose {
                position: self.grains.now[grain as usize].position,
                rotation: Mat3::identity(),
            },
        }
    }

    pub(crate) fn placed(&self, model: &Model) -> Placed {
        let shapes = model.scene.shapes().keys();
        Placed {
            poses: shapes.map(|shape| self.pose(model, shape)).collect(),
        }
    }

    /// Round grains of two shapes and the sum of their radii [m]; [`NO_GRAIN`] twice if one is another shape.
    pub(crate) fn balls(&self, model: &Model, shapes: [ShapeId; 2]) -> ([u32; 2], f64) {
        let grains = shapes.map(|shape| self.round[shape]);
        match grains.contains(&NO_GRAIN) {
            true => ([NO_GRAIN; 2], 0.0),
            false => {
                let radii = model.scene.forms_of(shapes).map(|form| form.radius);
                (grains, radii[0] + radii[1])
            }
        }
    }

    #[inline(always)]
    pub(crate) fn gap_of_balls(&self, grains: [u32; 2], radii: f64) -> f64 {
        let position = |grain: u32| &self.grains.now[grain as usize].position;
        (position(grains[1]) - position(grains[0])).norm() - radii
    }

    #[inline]
    pub(crate) fn gap(&self, model: &Model, shapes: [ShapeId; 2]) -> f64 {
        let (grains, radii) = self.balls(model, shapes);
        if grains[0] != NO_GRAIN {
            return self.gap_of_balls(grains, radii);
        }
        let [form_1, form_2] = model.scene.forms_of(shapes);
        let [pose_1, pose_2] = shapes.map(|shape| self.pose(model, shape));
        let routine = PairRoutine::of(form_1.kind(), form_2.kind());
        routine.gap(form_1, &pose_1, form_2, &pose_2, || &Feature::None)
    }

    /// Nearest points of two shapes; the search starts from `hint`.
    #[inline(always)]
    pub(crate) fn nearest(
        &self,
        model: &Model,
        shapes: [ShapeId; 2],
        routine: PairRoutine,
        radii: [f64; 2],
        hint: &Feature,
    ) -> Proximity {
        let rounds = shapes.map(|shape| self.round[shape]);
        let at = |grain: u32| Pose {
            position: self.grains.now[grain as usize].position,
            rotation: Mat3::identity(),
        };
        let frame = |side: usize| &self.work.frames[model.frames.of_shapes[shapes[side]]];
        // Each branch for itself: of balls no rotation is ever made, and no frame is copied.
        match rounds {
            [NO_GRAIN, NO_GRAIN] => {
                let [form_1, form_2] = model.scene.forms_of(shapes);
                routine.query(form_1, frame(0), form_2, frame(1), hint)
            }
            [NO_GRAIN, two] => {
                let [form_1, form_2] = model.scene.forms_of(shapes);
                routine.query(form_1, frame(0), form_2, &at(two), hint)
            }
            [one, NO_GRAIN] => {
                let [form_1, form_2] = model.scene.forms_of(shapes);
                routine.query(form_1, &at(one), form_2, frame(1), hint)
            }
            [one, two] => points(radii[0], &at(one), radii[1], &at(two)),
        }
    }

    #[inline(always)]
    pub(crate) fn motion(&self, grain: u32, body: BodyId, point: &Vec3) -> (Vec3, Vec3) {
        if grain == NO_GRAIN {
            let twist = &self.work.twists[body];
            let origin = &self.work.frames[body.frame()].position;
            return (twist.velocity_at(origin, point), twist.omega_w);
        }
        let (g, grains) = (grain as usize, &self.grains);
        let omega = grains.now[g].omega;
        let velocity = grains.now[g].velocity + omega.cross(&(point - grains.now[g].position));
        (velocity, omega)
    }
}

fn reach_about_origin(model: &Model, body: BodyId) -> f64 {
    let shapes = model
        .scene
        .shapes()
        .iter()
        .filter(|shape| shape.body == body);
    let reach = shapes.map(|shape| {
        shape.pose_b.position.norm()
            + shape.bounding_form.core.solid().reach()
            + shape.bounding_form.radius
    });
    reach.fold(0.0, f64::max)
}
