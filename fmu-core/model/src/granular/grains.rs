//! Free bodies in arrays, by the velocity Verlet rule: kick, drift, kick.
//!
//! v += h/2 a, x += h v, forces there, v += h/2 a. Forces of damping and friction depend on the
//! velocity; they are evaluated at x and v + h/2 a with the acceleration of the last evaluation,
//! which is the velocity at that time to the second order, so the rule keeps its order 2.
//!
//! A round grain is a body whose shapes are balls about its centre of mass and whose inertia is the
//! same about every axis: its torque changes the angular velocity, in world axes, and its
//! orientation matters to nothing but outputs. Every other body turns by [`super::rotor`].

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::rigid::gravity;
use crate::granular::rotor::{angular_velocity, turn, turned};
use crate::scene::description::Gravity;
use crate::scene::layout::StateLayout;
use contact_geometry::math::{Mat3, Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{BodyId, LinkId, TiVec, ti_vec};

/// No grain has this index.
pub const NO_GRAIN: u32 = u32::MAX;
/// Inertias about the axes of a round grain agree to this part [1].
const EQUAL: f64 = 1e-12;

/// What does not change of a grain.
#[derive(Clone, Debug)]
pub struct Grain {
    /// Its body.
    pub body: BodyId,
    /// Its link.
    pub link: LinkId,
    /// Its first state.
    pub first_state: usize,
    /// Reciprocal of the mass [1/kg].
    pub inverse_mass: f64,
    /// Largest entry of the inverse inertia about an axis [1/(kg.m2)]; of a round one that of all.
    pub inverse_inertia: f64,
    /// The inverse inertia, body axes [1/(kg.m2)].
    pub inverse_inertia_b: Mat3,
    /// Centre of mass, body axes [m].
    pub center_b: Vec3,
    /// It is round.
    pub round: bool,
    /// Distance from the centre of mass of its farthest point [m]; 0 of a round one, whose turning
    /// moves no surface.
    pub reach: f64,
}

/// What the forces on a grain depend on, side by side: contacts read it in no order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    /// Centre of mass [m].
    pub position: Vec3,
    /// Velocity with which forces are evaluated [m/s].
    pub velocity: Vec3,
    /// Angular velocity with which forces are evaluated, world axes [rad/s].
    pub omega: Vec3,
}

/// Sum of what acts on a grain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// Force [N].
    pub force: Vec3,
    /// Torque about the centre of mass, world axes [N.m].
    pub torque: Vec3,
}

/// All grains in scene order.
#[derive(Clone, Debug, Default)]
pub struct Grains {
    /// What does not change.
    pub all: Vec<Grain>,
    /// Grain of each body, or [`NO_GRAIN`].
    pub of_bodies: TiVec<BodyId, u32>,
    /// Those that are not round, ascending.
    pub rotors: Vec<u32>,
    /// Those on which forces of the scene act, ascending.
    pub driven: Vec<u32>,
    /// Reciprocals of mass [1/kg] and of the inertia of a round one [1/(kg.m2)], 0 of another.
    pub inverse: Vec<[f64; 2]>,
    /// What forces depend on.
    pub now: Vec<Now>,
    /// Velocities of these [m/s], half a kick ahead inside a step.
    pub velocity: Vec<Vec3>,
    /// Angular velocity of a round one [rad/s], angular momentum of another [kg.m2/s], world axes.
    pub spin: Vec<Vec3>,
    /// Orientation, body to world.
    pub orientation: Vec<[f64; 4]>,
    /// Sums of forces and torques.
    pub load: Vec<Load>,
}

impl Grains {
    /// The free bodies of a model.
    pub fn new(model: &Model) -> Self {
        let mut grains = Grains {
            of_bodies: ti_vec![NO_GRAIN; model.bodies.len()],
            ..Grains::default()
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
        grains.load.resize(count + 1, Load::default());
        grains.orientation.resize(count, [1.0, 0.0, 0.0, 0.0]);
        grains
    }

    /// Takes the states of all bodies. Returns how far a point of a grain has moved at most from
    /// where it was before [m]; NaN if a state is not finite.
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

    /// Writes the states of all bodies.
    pub fn store(&self, states: &mut [f64]) {
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

    /// Angular velocity of a grain, world axes [rad/s].
    fn omega(&self, g: usize, rotation: &Mat3) -> Vec3 {
        let grain = &self.all[g];
        match grain.round {
            true => self.spin[g],
            false => angular_velocity(rotation, &grain.inverse_inertia_b, &self.spin[g]),
        }
    }

    /// Pose of the body frame of a grain.
    pub fn pose(&self, g: usize) -> Pose {
        let rotation = rotation_matrix(&self.orientation[g]);
        Pose {
            position: self.now[g].position - rotation * self.all[g].center_b,
            rotation,
        }
    }

    /// The first body that is at no finite place or has no finite velocity.
    pub fn first_not_finite(&self) -> Option<BodyId> {
        let is_lost = |g: &usize| {
            let sum = self.velocity[*g].sum() + self.spin[*g].sum() + self.now[*g].position.sum();
            !sum.is_finite()
        };
        let lost = (0..self.all.len()).find(is_lost);
        lost.map(|g| self.all[g].body)
    }

    /// Forgets the forces.
    pub fn clear_forces(&mut self) {
        self.load.fill(Load::default());
    }

    /// Adds what a contact does to the grains, of which each may be the one behind the last.
    #[inline(always)]
    pub fn add(&mut self, [one, two]: [u32; 2], force: &Vec3, torques: &[Vec3; 2]) {
        let load = &mut self.load[one as usize];
        load.force -= force;
        load.torque += torques[0];
        let load = &mut self.load[two as usize];
        load.force += force;
        load.torque += torques[1];
    }

    /// Kicks all velocities by the present forces over `kick` [s], moves all grains over `step` [s]
    /// and takes the velocities for the forces there. Returns how far a point of one has moved at
    /// most [m].
    pub fn kick_and_drift(&mut self, field: &Gravity, kick: f64, step: f64) -> f64 {
        let uniform = match field {
            Gravity::Uniform(g) => Vec3::from(*g),
            _ => Vec3::zeros(),
        };
        let rest = 0.5 * step;
        let (mut fastest, mut farthest): (f64, f64) = (0.0, 0.0);
        let balls = self.inverse.iter().zip(&self.load).zip(&mut self.now);
        let balls = balls.zip(&mut self.velocity).zip(&mut self.spin);
        for (((((inverse, load), now), velocity), spin), orientation) in
            balls.zip(&mut self.orientation)
        {
            let mut acceleration = uniform + load.force * inverse[0];
            if let Gravity::Point { .. } = field {
                acceleration += gravity(field, &now.position);
            }
            *velocity += acceleration * kick;
            now.velocity = *velocity + acceleration * rest;
            now.position += *velocity * step;
            fastest = fastest.max(velocity.norm_squared());
            if inverse[1] > 0.0 {
                let turning = load.torque * inverse[1];
                *spin += turning * kick;
                now.omega = *spin + turning * rest;
                if *spin != Vec3::zeros() {
                    *orientation = turned(orientation, &(*spin * step));
                }
            }
        }
        for g in &self.rotors {
            let g = *g as usize;
            let grain = &self.all[g];
            let momentum = self.spin[g] + self.load[g].torque * kick;
            self.spin[g] = momentum;
            let (q, omega) = turn(
                &self.orientation[g],
                &grain.inverse_inertia_b,
                &momentum,
                step,
            );
            self.orientation[g] = q;
            let ahead = momentum + self.load[g].torque * rest;
            let rotation = rotation_matrix(&q);
            self.now[g].omega = angular_velocity(&rotation, &grain.inverse_inertia_b, &ahead);
            farthest = farthest.max(self.velocity[g].norm() + omega.norm() * grain.reach);
        }
        step * farthest.max(fastest.sqrt())
    }

    /// Kicks all velocities by the present forces over `kick` [s]. Returns false if one is not
    /// finite.
    pub fn kick(&mut self, field: &Gravity, kick: f64) -> bool {
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

/// Distance of the farthest point of each body from its centre of mass [m]; 0 if all its shapes
/// are balls about that.
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
