//! Kinds of shape a scene can name, with their aspect ratios by chance.

use crate::random::Random;
use crate::solid::Solid;
use contact_geometry::math::Vec3;

/// Kinds of shape a scene can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sphere,
    Ellipsoid,
    Box,
    Cylinder,
    Cone,
    Frustum,
    Capsule,
    TaperedCapsule,
    Beam,
    Hull,
    MeshPart,
    HalfSpace,
}

impl Kind {
    /// All but the half-space.
    #[rustfmt::skip]
    pub const CONVEX: [Kind; 11] = [
        Kind::Sphere, Kind::Ellipsoid, Kind::Box, Kind::Cylinder, Kind::Cone, Kind::Frustum,
        Kind::Capsule, Kind::TaperedCapsule, Kind::Beam, Kind::Hull, Kind::MeshPart,
    ];

    /// Each convex kind with itself, those after it and the half-space.
    pub fn pairs() -> impl Iterator<Item = [Kind; 2]> {
        Kind::CONVEX.into_iter().flat_map(|kind| {
            kind.and_later()
                .map(move |other| [kind, other])
                .chain([[Kind::HalfSpace, kind]])
        })
    }

    /// The kind and those after it.
    pub fn and_later(self) -> impl Iterator<Item = Kind> {
        Kind::CONVEX
            .into_iter()
            .skip_while(move |kind| *kind != self)
    }

    /// Whether the core is a polytope.
    pub fn is_flat(self) -> bool {
        matches!(
            self,
            Kind::Sphere | Kind::Box | Kind::Capsule | Kind::Hull | Kind::MeshPart
        )
    }

    /// A shape of the kind: aspect ratio and smoothing by chance.
    pub fn solid(self, random: &mut Random) -> Solid {
        let r = [0.0, 0.0, 1e-3, 5e-3][random.index(4)];
        match self {
            Kind::Sphere => Solid::sphere([1.0, 0.5, 0.1][random.index(3)]),
            Kind::Capsule => {
                let (d, l) = [(0.3, 0.8), (0.1, 1.0), (0.6, 0.2)][random.index(3)];
                Solid::capsule(d, l)
            }
            Kind::TaperedCapsule => {
                let (d, t, l) =
                    [(0.6, 0.2, 0.7), (0.1, 0.8, 0.5), (0.3, 0.25, 1.0)][random.index(3)];
                Solid::tapered_capsule(d, t, l)
            }
            Kind::Ellipsoid => Solid::ellipsoid(
                [[1.0, 0.7, 0.4], [0.9, 0.9, 0.3], [0.2, 0.3, 1.0], [0.6; 3]][random.index(4)],
            ),
            Kind::Box => Solid::cuboid(
                [[1.0, 0.7, 0.4], [0.5; 3], [1.0, 0.8, 0.1], [0.1, 0.15, 1.0]][random.index(4)],
                r,
            ),
            Kind::Cylinder => {
                let (d, l) = [(0.6, 0.8), (1.0, 0.1), (0.1, 1.0)][random.index(3)];
                Solid::cylinder(d, l, r)
            }
            Kind::Cone => {
                let (d, l) = [(0.6, 0.8), (1.0, 0.2), (0.2, 1.0)][random.index(3)];
                Solid::cone(d, 0.0, l, r)
            }
            Kind::Frustum => {
                let (d, t, l) =
                    [(0.8, 0.4, 0.5), (0.5, 1.0, 0.2), (0.3, 0.15, 1.0)][random.index(3)];
                Solid::cone(d, t, l, r)
            }
            Kind::Beam => {
                let (l, w, t) =
                    [(0.6, 0.4, 0.2), (0.2, 0.8, 0.1), (0.9, 0.1, 0.3)][random.index(3)];
                Solid::beam(l, w, t, r)
            }
            Kind::Hull => {
                let stretch = [[0.5, 0.5, 0.5], [0.5, 0.3, 0.1], [0.1, 0.15, 0.5]][random.index(3)];
                let count = [6, 12, 30][random.index(3)];
                let points: Vec<Vec3> = (0..count)
                    .map(|_| random.direction().component_mul(&Vec3::from(stretch)))
                    .collect();
                Solid::hull_of(&points, 0.0)
            }
            Kind::MeshPart => Solid::prism(3 + random.index(6), random.between(0.1, 0.5), r),
            Kind::HalfSpace => Solid::half_space(),
        }
    }
}
