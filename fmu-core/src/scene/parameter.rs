//! What the numbers of a scene that may change after the FMU was built mean.

use crate::index::{BodyId, ForceId, JointId, LawId, MaterialId, MotionId};
use crate::response::Number;
use crate::scene::description::CoordinateForces;

/// Meaning of one parameter. Indices are those of [`Scene`](crate::scene::Scene).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Component of uniform gravity, world axes [m/s2].
    Gravity(usize),
    /// Gravitational parameter of point gravity [m3/s2].
    GravitationalParameter,
    /// Component of the attracting point, world axes [m].
    GravityCenter(usize),
    /// Component of the position of a fixed body, world axes [m].
    FixedPosition(BodyId, usize),
    /// Component (w, x, y, z) of the orientation of a fixed body.
    FixedOrientation(BodyId, usize),
    /// Mass of a free body [kg].
    Mass(BodyId),
    /// Component of the centre of mass of a free body, body frame [m].
    CenterOfMass(BodyId, usize),
    /// Entry xx, yy, zz, xy, xz, yz of the inertia of a free body about its centre of mass,
    /// body axes [kg.m2].
    Inertia(BodyId, usize),
    /// Young's modulus of a contact material [Pa].
    YoungsModulus(MaterialId),
    /// Poisson's ratio of a contact material [1].
    PoissonsRatio(MaterialId),
    /// Number of the law with this index.
    Law(LawId, Number),
    /// Elastic contact reduction factor [1].
    KRed,
    /// Largest damping coefficient [s/m].
    DMax,
    /// Component of a prescribed force, constant or amplitude, in the axes of the force [N].
    Force(ForceId, usize),
    /// Component of a prescribed torque, constant or amplitude, in the axes of the force [N.m].
    Torque(ForceId, usize),
    /// Angular frequency of a prescribed force [rad/s].
    ForceFrequency(ForceId),
    /// Phase of a prescribed force [rad].
    ForcePhase(ForceId),
    /// A number of a prescribed motion (its index), or a component of a vector of it.
    Motion(MotionId, MotionItem, usize),
    /// A number of a joint (its index): of a coordinate (its index among those of the kind), or of
    /// the joint itself (index 0).
    Joint(JointId, usize, JointItem),
    /// Internal steps of one communication step at most [1].
    MaxSteps,
}

/// What a number of a prescribed motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionItem {
    /// Velocity, world axes [m/s].
    Velocity,
    /// Angular velocity, world axes [rad/s].
    AngularVelocity,
    /// Largest displacement, world axes [m].
    Displacement,
    /// Largest rotation about a fixed axis, world axes [rad].
    Rotation,
    /// Angular frequency [rad/s].
    AngularFrequency,
    /// Phase [rad].
    Phase,
}

impl MotionItem {
    /// The last part of the name.
    pub fn key(self) -> &'static str {
        match self {
            MotionItem::Velocity => "velocity",
            MotionItem::AngularVelocity => "angular_velocity",
            MotionItem::Displacement => "displacement",
            MotionItem::Rotation => "rotation",
            MotionItem::AngularFrequency => "angular_frequency",
            MotionItem::Phase => "phase",
        }
    }

    /// Returns true if it is a vector.
    pub fn is_vector(self) -> bool {
        !matches!(self, MotionItem::AngularFrequency | MotionItem::Phase)
    }
}

/// What a number of a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointItem {
    /// Stiffness of the spring [N/m], [N.m/rad].
    SpringStiffness,
    /// Rest coordinate of the spring (zero force) [m], [rad].
    SpringRest,
    /// Viscous friction [N.s/m], [N.m.s/rad].
    Damping,
    /// Coulomb friction while sliding [N], [N.m].
    Friction,
    /// Speed above which that has its full value [m/s], [rad/s].
    FrictionSpeed,
    /// Position of the lower stop [m], [rad].
    LowerStop,
    /// Position of the upper stop [m], [rad].
    UpperStop,
    /// Stiffness of the stops [N/m], [N.m/rad].
    StopStiffness,
    /// Coefficient of restitution of the stops [1].
    StopRestitution,
    /// Viscous friction of a spherical joint [N.m.s/rad].
    BallDamping,
}

impl JointItem {
    /// All items.
    pub const ALL: [JointItem; 10] = [
        JointItem::SpringStiffness,
        JointItem::SpringRest,
        JointItem::Damping,
        JointItem::Friction,
        JointItem::FrictionSpeed,
        JointItem::LowerStop,
        JointItem::UpperStop,
        JointItem::StopStiffness,
        JointItem::StopRestitution,
        JointItem::BallDamping,
    ];

    /// The last part of the name.
    pub fn key(self) -> &'static str {
        match self {
            JointItem::SpringStiffness => "spring_stiffness",
            JointItem::SpringRest => "spring_rest",
            JointItem::Damping | JointItem::BallDamping => "damping",
            JointItem::Friction => "friction",
            JointItem::FrictionSpeed => "friction_speed",
            JointItem::LowerStop => "lower_stop",
            JointItem::UpperStop => "upper_stop",
            JointItem::StopStiffness => "stop_stiffness",
            JointItem::StopRestitution => "stop_restitution",
        }
    }

    /// The numbers that a coordinate has as parameters. Viscous friction is one wherever anything
    /// else acts or it is not zero itself.
    pub(super) fn of(forces: &CoordinateForces) -> Vec<(JointItem, f64)> {
        let mut list = Vec::new();
        if let Some(spring) = forces.spring {
            list.push((JointItem::SpringStiffness, spring.stiffness));
            list.push((JointItem::SpringRest, spring.rest));
        }
        if *forces != CoordinateForces::default() {
            list.push((JointItem::Damping, forces.damping));
        }
        if let Some(friction) = forces.friction {
            list.push((JointItem::Friction, friction.limit));
            list.push((JointItem::FrictionSpeed, friction.speed));
        }
        if let Some(stops) = forces.stops {
            list.extend(stops.lower.map(|lower| (JointItem::LowerStop, lower)));
            list.extend(stops.upper.map(|upper| (JointItem::UpperStop, upper)));
            list.push((JointItem::StopStiffness, stops.stiffness));
            list.push((JointItem::StopRestitution, stops.restitution));
        }
        list
    }
}

impl Parameter {
    /// Index in the vector or tensor that the parameter is an element of, from 0; none for a
    /// scalar.
    pub fn component(self) -> Option<usize> {
        match self {
            Parameter::Gravity(i)
            | Parameter::GravityCenter(i)
            | Parameter::FixedPosition(_, i)
            | Parameter::FixedOrientation(_, i)
            | Parameter::CenterOfMass(_, i)
            | Parameter::Inertia(_, i)
            | Parameter::Force(_, i)
            | Parameter::Torque(_, i) => Some(i),
            Parameter::Motion(_, item, i) if item.is_vector() => Some(i),
            _ => None,
        }
    }

    /// Ascends in the list of parameters; parameters that no scene has together may share a value.
    pub(super) fn order(self) -> [usize; 4] {
        match self {
            Parameter::GravitationalParameter => [0, 0, 0, 0],
            Parameter::Gravity(i) | Parameter::GravityCenter(i) => [0, 0, 1, i],
            Parameter::Mass(b) => [1, b.into(), 0, 0],
            Parameter::FixedPosition(b, i) => [1, b.into(), 0, i],
            Parameter::CenterOfMass(b, i) | Parameter::FixedOrientation(b, i) => {
                [1, b.into(), 1, i]
            }
            Parameter::Inertia(b, i) => [1, b.into(), 2, i],
            Parameter::YoungsModulus(m) => [2, m.into(), 0, 0],
            Parameter::PoissonsRatio(m) => [2, m.into(), 1, 0],
            Parameter::Law(law, number) => [3, law.into(), number.index(), 0],
            Parameter::KRed => [4, 0, 0, 0],
            Parameter::DMax => [4, 0, 1, 0],
            Parameter::Force(f, i) => [5, f.into(), 0, i],
            Parameter::Torque(f, i) => [5, f.into(), 1, i],
            Parameter::ForceFrequency(f) => [5, f.into(), 2, 0],
            Parameter::ForcePhase(f) => [5, f.into(), 3, 0],
            Parameter::Joint(j, c, item) => [6, j.into(), c, item as usize],
            Parameter::Motion(m, item, i) => [7, m.into(), item as usize, i],
            Parameter::MaxSteps => [8, 0, 0, 0],
        }
    }
}

/// Row and column of the inertia entries xx, yy, zz, xy, xz, yz.
pub const INERTIA_ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
