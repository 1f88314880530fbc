//! How far the shapes of an island are off their reference motions.
//!
//! The origin of a free body has the reference motion p + v t + 1/2 a t^2 from the start of the
//! window on, its rotation none; a body that hangs on a joint stays where it is. Over a step the
//! origin is a polynomial ([`Path`]), so the Bernstein coefficients of the difference bound its
//! deviation; what it turned is bounded by the sum of the bounds of the steps.

use crate::dynamics::Model;
use crate::dynamics::link::Link;
use crate::dynamics::path::{Path, PathEnd};
use contact_geometry::math::Vec3;
use contact_laws::index::{LinkId, ShapeId};

/// Rounding of a position as part of it [1].
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// Reference motion of the origin of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reference {
    /// Position at the start of the window [m].
    pub position: Vec3,
    /// Velocity there [m/s]; zero for a link that hangs on a joint.
    pub velocity: Vec3,
    /// Acceleration [m/s2].
    pub acceleration: Vec3,
}

/// How far a link has come off its reference motion at most.
#[derive(Clone, Debug, Default)]
pub struct Deviation {
    /// Of the origin of a free body [m].
    origin: f64,
    /// Angle that it has turned [rad].
    angle: f64,
    /// Travel of each shape of a link that hangs on a joint [m].
    travel: Vec<f64>,
}

impl Deviation {
    /// None yet, of a link with so many shapes.
    pub fn start(&mut self, shapes: usize) {
        (self.origin, self.angle) = (0.0, 0.0);
        self.travel.clear();
        self.travel.resize(shapes, 0.0);
    }

    /// Adds the step that `path` follows, which starts a time `since` [s] after the window.
    pub fn add(&mut self, model: &Model, path: &Path, link: &Link, known: (&Reference, f64)) {
        if !link.is_free {
            for (travel, shape) in self.travel.iter_mut().zip(path.shapes_of(link.body)) {
                *travel += path.travel(*shape, PathEnd::Start);
            }
            return;
        }
        debug_assert!(model.links.of_bodies[link.body].is_some());
        let (reference, since) = known;
        let h = path.duration();
        let first = link.first_state();
        let [x, y, z] = [0, 1, 2].map(|i| &path.coordinate(first + i).0);
        let Reference {
            position,
            velocity,
            acceleration,
        } = reference;
        let constant = position + velocity * since + acceleration * (0.5 * since * since);
        let linear = (velocity + acceleration * since) * h;
        let square = acceleration * (0.5 * h * h);
        // theta and theta^2 in Bernstein form of degree 4.
        const LINEAR: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
        const SQUARE: [f64; 5] = [0.0, 0.0, 1.0 / 6.0, 0.5, 1.0];
        for k in 0..5 {
            let expected = constant + linear * LINEAR[k] + square * SQUARE[k];
            let off = (Vec3::new(x[k], y[k], z[k]) - expected).norm();
            self.origin = self.origin.max(off + ROUNDING * expected.amax());
        }
        self.angle += path.bound(link.body).turning.speed * h;
    }

    /// Deviation of the shape in this place among those of the link [m].
    pub fn of_shape(&self, path: &Path, link: &Link, place: usize) -> f64 {
        if !link.is_free {
            return self.travel[place];
        }
        let reach = path.reach(path.shapes_of(link.body)[place]);
        self.origin + turned(reach, self.angle)
    }
}

/// How far a turn by an angle [rad] moves a point at the distance `reach` [m] from the origin at
/// most [m].
pub fn turned(reach: f64, angle: f64) -> f64 {
    match reach == 0.0 || angle == 0.0 {
        true => 0.0,
        false => (reach * angle).min(2.0 * reach),
    }
}

/// Deviations of the shapes of links, in their order.
pub fn of_shapes<'a>(
    model: &'a Model,
    path: &'a Path,
    links: &'a [LinkId],
    deviations: &'a [Deviation],
) -> impl Iterator<Item = (ShapeId, f64)> + 'a {
    links.iter().zip(deviations).flat_map(|(index, deviation)| {
        let link = &model.links.all[*index];
        let shapes = path.shapes_of(link.body).iter().enumerate();
        shapes.map(|(place, shape)| (*shape, deviation.of_shape(path, link, place)))
    })
}
