//! What a form amounts to: the shapes that touch, its mass properties, and the defaults of
//! its contact sphere radius [Modia3D].
//!
//! # Groups of free balls
//!
//! Which bodies, states and shapes they are. In the equations of motion the balls are free bodies
//! like others, the last ones of the scene; they have no parameters, and their variables are those
//! of the group.

use crate::scene::description::{
    CompoundPart, ConvexPart, Form, GrainsDescription, RegionDescription, ShapeDescription,
};
use contact_geometry::math::{Mat3, Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::axis_rotation;
use contact_geometry::shapes::{Aabb, Axis, Hull, MassProperties, Mesh, RoundedShape};
use contact_laws::index::BodyId;
use std::ops::Range;

/// The shapes that a form consists of in contact, each with its pose in the frame of the form; all
/// but a mesh are convex. `smoothing` is the smoothing radius wanted [m]; 0 for sharp edges.
///
/// # Errors
/// A polyhedron that is not one, in words.
pub fn touching_shapes(form: &Form, smoothing: f64) -> Result<Vec<(RoundedShape, Pose)>, String> {
    let along = |axis: &Axis, shape| vec![(shape, turned(*axis))];
    Ok(match form {
        Form::Sphere { diameter } => along(&Axis::Z, RoundedShape::sphere(*diameter)),
        Form::Ellipsoid { lengths } => along(&Axis::Z, RoundedShape::ellipsoid(lengths)),
        Form::Box { lengths } => along(&Axis::Z, RoundedShape::cuboid(lengths, smoothing)),
        Form::Cylinder {
            diameter,
            length,
            axis,
            ..
        } => along(axis, RoundedShape::cylinder(*diameter, *length, smoothing)),
        Form::Cone {
            diameter,
            top_diameter,
            length,
            axis,
        } => along(
            axis,
            RoundedShape::cone(*diameter, *top_diameter, *length, smoothing),
        ),
        Form::Capsule {
            diameter,
            length,
            axis,
        } => along(axis, RoundedShape::capsule(*diameter, *length)),
        Form::TaperedCapsule {
            diameter,
            top_diameter,
            length,
            axis,
        } => along(
            axis,
            RoundedShape::tapered_capsule(*diameter, *top_diameter, *length),
        ),
        Form::Beam {
            length,
            width,
            thickness,
            axis,
        } => along(
            axis,
            RoundedShape::beam(*length, *width, *thickness, smoothing),
        ),
        Form::HalfSpace => along(&Axis::Z, RoundedShape::half_space()),
        Form::Hull { part, .. } => vec![convex_part(part, smoothing)?],
        Form::Mesh { parts, .. } => {
            let parts = parts.iter().map(|part| convex_part(part, smoothing));
            parts.collect::<Result<_, _>>()?
        }
        Form::Surface { surface, .. } => {
            let mesh = Mesh::shared(&surface.vertices, &surface.triangles)?;
            vec![(RoundedShape::mesh(mesh), Pose::identity())]
        }
        Form::Compound { parts } => {
            let mut all = Vec::new();
            for part in parts {
                let outer = part_pose(part);
                for (shape, inner) in touching_shapes(&part.form, smoothing)? {
                    all.push((shape, outer.then(&inner)));
                }
            }
            all
        }
    })
}

/// Mass properties of a form of the given density [kg/m3], in its frame. A half-space has none.
pub fn mass_properties(form: &Form, density: f64) -> MassProperties {
    match form {
        Form::Sphere { diameter } => MassProperties::sphere(*diameter, density),
        Form::Ellipsoid { lengths } => MassProperties::ellipsoid(lengths, density),
        Form::Box { lengths } => MassProperties::cuboid(lengths, density),
        Form::Cylinder {
            diameter,
            length,
            axis,
            inner_diameter,
        } => MassProperties::cylinder(*diameter, *inner_diameter, *length, density)
            .placed(&turned(*axis)),
        Form::Cone {
            diameter,
            top_diameter,
            length,
            axis,
        } => {
            MassProperties::cone(*diameter, *top_diameter, *length, density).placed(&turned(*axis))
        }
        Form::Capsule {
            diameter,
            length,
            axis,
        } => MassProperties::capsule(*diameter, *length, density).placed(&turned(*axis)),
        Form::TaperedCapsule {
            diameter,
            top_diameter,
            length,
            axis,
        } => MassProperties::tapered_capsule(*diameter, *top_diameter, *length, density)
            .placed(&turned(*axis)),
        Form::Beam {
            length,
            width,
            thickness,
            axis,
        } => MassProperties::beam(*length, *width, *thickness, density).placed(&turned(*axis)),
        Form::Hull { solid, .. } | Form::Mesh { solid, .. } | Form::Surface { solid, .. } => {
            let [xx, yy, zz, xy, xz, yz] = solid.inertia;
            let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            MassProperties::solid(solid.volume, Vec3::from(solid.centroid), inertia, density)
        }
        Form::Compound { parts } => parts.iter().fold(MassProperties::zero(), |whole, part| {
            whole.combined(&mass_properties(&part.form, density).placed(&part_pose(part)))
        }),
        Form::HalfSpace => MassProperties::zero(),
    }
}

/// Contact sphere radius [m] and whether the form as a whole counts as flat, unless the scene says
/// otherwise: half the shortest edge of the bounding box if the form has no curvature of its own to
/// name.
pub(super) fn contact_sphere(form: &Form) -> (f64, bool) {
    match form {
        Form::Sphere { diameter } | Form::Capsule { diameter, .. } => (0.5 * diameter, false),
        Form::Ellipsoid { lengths } => (0.5 * smallest(lengths), false),
        Form::Box { lengths } => (0.5 * smallest(lengths), true),
        Form::Cylinder {
            diameter, length, ..
        } => (0.5 * diameter.min(*length), false),
        Form::Cone {
            diameter,
            top_diameter,
            ..
        }
        | Form::TaperedCapsule {
            diameter,
            top_diameter,
            ..
        } => (0.25 * (diameter + top_diameter), false),
        Form::Beam {
            length,
            width,
            thickness,
            ..
        } => (0.5 * smallest(&[*length, *width, *thickness]), true),
        Form::Hull { solid, .. } | Form::Mesh { solid, .. } | Form::Surface { solid, .. } => {
            let edges: [f64; 3] = std::array::from_fn(|i| solid.upper[i] - solid.lower[i]);
            // A ball on a surface of facets touches a plane.
            (0.5 * smallest(&edges), matches!(form, Form::Surface { .. }))
        }
        Form::Compound { .. } => {
            let bounds = bounds(form, &Pose::identity());
            (0.5 * (bounds.upper - bounds.lower).min(), false)
        }
        Form::HalfSpace => (f64::INFINITY, true),
    }
}

/// Bounding box of a form with sharp edges at a pose, along the outer axes.
fn bounds(form: &Form, pose: &Pose) -> Aabb {
    let nothing = Aabb {
        lower: Vec3::repeat(f64::INFINITY),
        upper: Vec3::repeat(f64::NEG_INFINITY),
    };
    let union = |one: Aabb, other: Aabb| Aabb {
        lower: one.lower.inf(&other.lower),
        upper: one.upper.sup(&other.upper),
    };
    match form {
        Form::Compound { parts } => parts.iter().fold(nothing, |whole, part| {
            union(whole, bounds(&part.form, &pose.then(&part_pose(part))))
        }),
        // What touches, with its smoothing: the box of the sharp surface, turned, would be larger
        // than what is in it.
        Form::Hull { part, .. } => part_bounds(&part.vertices, part.radius, pose),
        Form::Surface { surface, .. } => part_bounds(&surface.vertices, 0.0, pose),
        Form::Mesh { parts, .. } => parts.iter().fold(nothing, |whole, part| {
            union(whole, part_bounds(&part.vertices, part.radius, pose))
        }),
        _ => touching_shapes(form, 0.0)
            .into_iter()
            .flatten()
            .fold(nothing, |whole, (shape, inner)| {
                union(whole, Aabb::of(&shape, &pose.then(&inner)))
            }),
    }
}

fn part_bounds(vertices: &[[f64; 3]], radius: f64, pose: &Pose) -> Aabb {
    let mut bounds = Aabb {
        lower: Vec3::repeat(f64::INFINITY),
        upper: Vec3::repeat(f64::NEG_INFINITY),
    };
    for vertex in vertices {
        let vertex = pose.position + pose.rotation * Vec3::from(*vertex);
        bounds.lower = bounds.lower.inf(&vertex.add_scalar(-radius));
        bounds.upper = bounds.upper.sup(&vertex.add_scalar(radius));
    }
    bounds
}

fn smallest(lengths: &[f64; 3]) -> f64 {
    lengths[0].min(lengths[1]).min(lengths[2])
}

fn turned(axis: Axis) -> Pose {
    Pose {
        position: Vec3::zeros(),
        rotation: axis_rotation(axis),
    }
}

fn part_pose(part: &CompoundPart) -> Pose {
    Pose {
        position: Vec3::from(part.position),
        rotation: rotation_matrix(&part.orientation),
    }
}

fn convex_part(part: &ConvexPart, smoothing: f64) -> Result<(RoundedShape, Pose), String> {
    let (vertices, triangles, radius) = match &part.sharp {
        Some(sharp) if smoothing == 0.0 => (&sharp.vertices, &sharp.triangles, 0.0),
        _ => (&part.vertices, &part.triangles, part.radius),
    };
    let hull = Hull::new(vertices.clone(), triangles.clone())?;
    Ok((RoundedShape::hull(hull, radius), Pose::identity()))
}

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
