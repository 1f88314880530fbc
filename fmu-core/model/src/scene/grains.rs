//! Groups of free balls: which bodies, states and shapes they are. In the equations of motion the
//! balls are free bodies like others, the last ones of the scene; they have no parameters, and their
//! variables are those of the group.

use crate::scene::description::{Form, GrainsDescription, RegionDescription, ShapeDescription};
use contact_laws::index::BodyId;
use std::ops::Range;

/// Number of states of a ball: position (3), orientation (4), velocity (3), angular velocity (3).
pub const GRAIN_STATES: usize = 13;
/// Name of the only shape of a ball.
const SHAPE: &str = "sphere";

/// Group of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GrainsId(usize);

impl From<usize> for GrainsId {
    fn from(index: usize) -> Self {
        GrainsId(index)
    }
}

impl From<GrainsId> for usize {
    fn from(index: GrainsId) -> usize {
        index.0
    }
}

/// A group of free balls.
#[derive(Clone, Debug, PartialEq)]
pub struct Grains {
    /// Unique name.
    pub name: String,
    /// Its bodies.
    pub bodies: Range<BodyId>,
    /// States of its bodies, [`GRAIN_STATES`] of each.
    pub states: Range<usize>,
    /// Diameter of each ball [m].
    pub diameters: Vec<f64>,
    /// Boxes in which balls are counted.
    pub regions: Vec<RegionDescription>,
}

impl Grains {
    /// Number of balls.
    pub fn len(&self) -> usize {
        self.diameters.len()
    }

    /// Returns true if there is no ball in the group; a checked scene has no such group.
    pub fn is_empty(&self) -> bool {
        self.diameters.is_empty()
    }

    /// Index of the first state of a ball, by its place in the group from 0.
    pub fn state(&self, place: usize) -> usize {
        self.states.start + GRAIN_STATES * place
    }
}

/// The shape of a ball as a scene file would have it.
pub(super) fn shape(group: &GrainsDescription, diameter: f64) -> ShapeDescription {
    ShapeDescription {
        name: SHAPE.into(),
        form: Form::Sphere { diameter },
        position: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
        material: group.material.clone(),
        contact_material: None,
        collision: true,
        shell: 0.0,
        smoothing_radius: None,
        contact_sphere_radius: None,
        flat: None,
    }
}
