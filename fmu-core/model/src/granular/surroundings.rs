//! What grains and other bodies look like to a pair of shapes: poses, velocities, nearest points.

use crate::broad_phase::Poses;
use crate::dynamics::twist::Twist;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, applied, pipeline};
use crate::granular::grains::{Grains, NO_GRAIN};
use contact_geometry::math::{Mat3, Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, PairRoutine, Proximity, point};
use contact_laws::index::{BodyId, ShapeId, TiVec};

/// Grains and all other bodies.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The grains.
    pub grains: Grains,
    /// Frames and velocities of bodies that are no round grains; time and inputs.
    pub work: Workspace<f64>,
    /// Round grain of each shape, or [`NO_GRAIN`].
    pub round: TiVec<ShapeId, u32>,
    /// Largest reach of a shape of each other body that moves [m].
    others: Vec<(BodyId, f64)>,
    /// Some body that is no grain moves.
    moving: bool,
    /// Frames of these at the step before.
    before: Vec<Pose>,
}

/// Poses for the lists of neighbours.
pub struct Placed {
    poses: TiVec<ShapeId, Pose>,
}

impl Poses for Placed {
    fn pose(&self, shape: ShapeId) -> &Pose {
        &self.poses[shape]
    }
}

impl Surroundings {
    /// Those of a model at its start.
    pub fn new(model: &Model) -> Self {
        let grains = Grains::new(model);
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

    /// Places the grains that are not round. Round ones have their place already.
    pub fn place_rotors(&mut self, model: &Model) {
        for g in 0..self.grains.rotors.len() {
            let g = self.grains.rotors[g] as usize;
            self.place(model, g);
        }
    }

    /// Writes frames and velocities of a grain for what asks for those of bodies.
    pub fn place(&mut self, model: &Model, g: usize) {
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

    /// Places the bodies that are no grains at a time [s]. Returns how far a point of one has moved
    /// at most [m].
    pub fn place_others(&mut self, model: &Model, time: f64) -> f64 {
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
            // A half-space reaches without end.
            let turned = if turned == 0.0 { 0.0 } else { reach * turned };
            (new.position - old.position).norm() + turned
        });
        let way = ways.fold(0.0, f64::max);
        self.before = before;
        way
    }

    /// Adds the forces of the scene to those on the grains.
    pub fn apply_forces(&mut self, model: &Model) {
        for g in 0..self.grains.driven.len() {
            let g = self.grains.driven[g] as usize;
            let grain = &self.grains.all[g];
            let rotation = rotation_matrix(&self.grains.orientation[g]);
            self.work.frames[grain.body.frame()].rotation = rotation;
            applied::apply(model, &model.links.all[grain.link], &mut self.work);
            let load = &self.work.applied[grain.body];
            let arm = rotation * grain.center_b;
            self.grains.load[g].force += load.force_w;
            self.grains.load[g].torque += load.torque_w - arm.cross(&load.force_w);
        }
    }

    /// Pose of a shape, of a ball of a round grain without its rotation.
    #[inline(always)]
    pub fn pose(&self, model: &Model, shape: ShapeId) -> Pose {
        match self.round[shape] {
            NO_GRAIN => self.work.frames[model.frames.of_shapes[shape]],
            grain => Pose {
                position: self.grains.now[grain as usize].position,
                rotation: Mat3::identity(),
            },
        }
    }

    /// Poses of all shapes.
    pub fn placed(&self, model: &Model) -> Placed {
        let shapes = model.scene.shapes().keys();
        Placed {
            poses: shapes.map(|shape| self.pose(model, shape)).collect(),
        }
    }

    /// Round grains of two shapes and the sum of their radii [m]; [`NO_GRAIN`] twice if one is
    /// another shape.
    pub fn balls(&self, model: &Model, shapes: [ShapeId; 2]) -> ([u32; 2], f64) {
        let grains = shapes.map(|shape| self.round[shape]);
        match grains.contains(&NO_GRAIN) {
            true => ([NO_GRAIN; 2], 0.0),
            false => {
                let radii = model.scene.forms_of(shapes).map(|form| form.radius);
                (grains, radii[0] + radii[1])
            }
        }
    }

    /// Gap of two round grains [m], by the sum of their radii [m].
    #[inline(always)]
    pub fn gap_of_balls(&self, grains: [u32; 2], radii: f64) -> f64 {
        let [a, b] = grains.map(|grain| &self.grains.now[grain as usize].position);
        (b - a).norm() - radii
    }

    /// Gap of two shapes [m].
    #[inline]
    pub fn gap(&self, model: &Model, shapes: [ShapeId; 2]) -> f64 {
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
    pub fn nearest(
        &self,
        model: &Model,
        shapes: [ShapeId; 2],
        (routine, radii): (PairRoutine, [f64; 2]),
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
            [one, two] => point::points(radii[0], &at(one), radii[1], &at(two)),
        }
    }

    /// Velocity of a body at a point [m/s], and its angular velocity [rad/s].
    #[inline(always)]
    pub fn motion(&self, (grain, body): (u32, BodyId), point: &Vec3) -> (Vec3, Vec3) {
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
