//! Kinds of cores, and what other modules ask of a shape without looking into its core.

use crate::geometry::shape::{Core, RoundedShape};

/// Kind of a core. Routines for two cores take them in this order.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// [`Core::HalfSpace`].
    HalfSpace,
    /// [`Core::Hull`].
    Hull,
    /// [`Core::Box`].
    Box,
    /// [`Core::Beam`].
    Beam,
    /// [`Core::Cylinder`].
    Cylinder,
    /// [`Core::Cone`].
    Cone,
    /// [`Core::Ellipsoid`].
    Ellipsoid,
    /// [`Core::Segment`].
    Segment,
    /// [`Core::Point`].
    Point,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = Kind::Point as usize + 1;
}

impl Core {
    /// Kind of the core.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        match self {
            Core::HalfSpace => Kind::HalfSpace,
            Core::Hull(_) => Kind::Hull,
            Core::Box { .. } => Kind::Box,
            Core::Beam { .. } => Kind::Beam,
            Core::Cylinder { .. } => Kind::Cylinder,
            Core::Cone { .. } => Kind::Cone,
            Core::Ellipsoid { .. } => Kind::Ellipsoid,
            Core::Segment { .. } => Kind::Segment,
            Core::Point => Kind::Point,
        }
    }

    /// Word for messages.
    pub fn word(&self) -> &'static str {
        match self.kind() {
            Kind::HalfSpace => "half-space",
            Kind::Hull => "convex hull",
            Kind::Box => "box",
            Kind::Beam => "beam",
            Kind::Cylinder => "cylinder",
            Kind::Cone => "cone",
            Kind::Ellipsoid => "ellipsoid",
            Kind::Segment => "capsule",
            Kind::Point => "sphere",
        }
    }

    /// Whether a turn about z leaves the core as it is, and others do not.
    pub fn is_revolved(&self) -> bool {
        matches!(self.kind(), Kind::Segment | Kind::Cylinder | Kind::Cone)
    }
}

impl RoundedShape {
    /// Kind of the core.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        self.core.kind()
    }

    /// Whether the shape is a ball about the origin.
    #[inline(always)]
    pub fn is_ball(&self) -> bool {
        self.kind() == Kind::Point
    }

    /// Whether the shape is a half-space.
    #[inline(always)]
    pub fn is_half_space(&self) -> bool {
        self.kind() == Kind::HalfSpace
    }
}
