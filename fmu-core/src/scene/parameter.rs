//! What the numbers of a scene that may change after the FMU was built mean.

use crate::index::{BodyId, ForceId, JointId, LawId, MaterialId, MotionId};
use crate::quantity::{DeclaredType, Range, units};
use crate::response::Number;
use crate::scene::coordinate::JointItem;

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

/// Budgets of internal steps that may be asked for [1].
pub const STEP_BUDGETS: Range = Range::whole(1.0, 1e12, "a whole number in 1..1e12");
/// Factors on all stiffnesses that may be asked for [1].
pub const K_REDS: Range = Range::within(1e-12, 1e12, "in 1e-12..1e12");
/// Masses of a body [kg]; an electron has 9e-31 kg.
pub const MASSES: Range = Range::within(1e-40, f64::INFINITY, ">= 1e-40");
/// Poisson's ratios [1].
pub const POISSONS_RATIOS: Range = Range::within(0.0, 0.5, "in 0..0.5");

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

/// What is said of a parameter, whatever it is a parameter of: once for the scene file, for FMI and for
/// checks.
#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    /// The last part of the name.
    pub key: &'static str,
    /// What it is, as the text of the FMI parameter; of a vector what comes before its component.
    pub text: &'static str,
    /// Its type, with the unit.
    pub declared: DeclaredType,
    /// Allowed values.
    pub range: Range,
}

const fn scalar(
    key: &'static str,
    text: &'static str,
    declared: DeclaredType,
    range: Range,
) -> ParameterRow {
    ParameterRow {
        key,
        text,
        declared,
        range,
    }
}

/// An element of a vector: any number.
const fn element(key: &'static str, text: &'static str, declared: DeclaredType) -> ParameterRow {
    scalar(key, text, declared, Range::ANY)
}

impl MotionItem {
    /// What is said of it.
    pub fn row(self) -> ParameterRow {
        match self {
            MotionItem::Velocity => element(
                "velocity",
                "Velocity of the prescribed motion along",
                units::VELOCITY,
            ),
            MotionItem::AngularVelocity => element(
                "angular_velocity",
                "Angular velocity of the prescribed motion about",
                units::ANGULAR_VELOCITY,
            ),
            MotionItem::Displacement => element(
                "displacement",
                "Amplitude of the prescribed displacement along",
                units::POSITION,
            ),
            MotionItem::Rotation => element(
                "rotation",
                "Amplitude of the prescribed rotation about",
                units::ANGLE,
            ),
            MotionItem::AngularFrequency => scalar(
                "angular_frequency",
                "Angular frequency of the prescribed motion",
                units::ANGULAR_VELOCITY,
                Range::POSITIVE,
            ),
            MotionItem::Phase => scalar(
                "phase",
                "Phase at time 0 of the prescribed sinusoidal motion",
                units::ANGLE,
                Range::ANY,
            ),
        }
    }
}

impl Parameter {
    /// What is said of it in any scene; of a joint as of an angle.
    #[rustfmt::skip]
    pub(super) fn row(self) -> ParameterRow {
        use Range as R;
        match self {
            Parameter::Gravity(_) => element(
                "gravity", "Gravitational acceleration along", units::ACCELERATION,
            ),
            Parameter::GravitationalParameter => scalar(
                "gravitational_parameter", "Gravitational parameter of the attracting point",
                units::GRAVITATIONAL_PARAMETER, R::NOT_NEGATIVE,
            ),
            Parameter::GravityCenter(_) => element("gravity_center", "Position", units::POSITION),
            Parameter::FixedPosition(..) => element("position", "Position", units::POSITION),
            Parameter::FixedOrientation(..) => element("orientation", "Orientation", units::QUATERNION),
            Parameter::Mass(_) => scalar(
                "mass", "Mass of the body; its inertia scales with it unless an entry was changed",
                units::MASS, MASSES,
            ),
            Parameter::CenterOfMass(..) => element("center_of_mass", "Position", units::POSITION),
            Parameter::Inertia(..) => element("inertia", "Inertia tensor", units::INERTIA),
            Parameter::YoungsModulus(_) => scalar(
                "youngs_modulus", "Young's modulus", units::MODULUS, R::NOT_NEGATIVE,
            ),
            Parameter::PoissonsRatio(_) => scalar(
                "poissons_ratio", "Poisson's ratio", units::COEFFICIENT, POISSONS_RATIOS,
            ),
            Parameter::Law(_, number) => {
                let row = number.row();
                scalar(row.key, row.text, row.declared, row.range)
            }
            Parameter::KRed => scalar(
                "k_red", "Scale factor of all contact stiffnesses", units::COEFFICIENT, K_REDS,
            ),
            Parameter::DMax => scalar(
                "d_max", "Largest damping coefficient of a contact", units::DAMPING, R::NOT_NEGATIVE,
            ),
            Parameter::MaxSteps => scalar(
                "max_steps", "Maximum number of internal steps per communication step in Co-Simulation",
                units::COEFFICIENT, STEP_BUDGETS,
            ),
            Parameter::Force(..) => element("force", "Prescribed force along", units::FORCE),
            Parameter::Torque(..) => element("torque", "Prescribed torque about", units::TORQUE),
            Parameter::ForceFrequency(_) => scalar(
                "angular_frequency", "Angular frequency of the prescribed force",
                units::ANGULAR_VELOCITY, R::POSITIVE,
            ),
            Parameter::ForcePhase(_) => scalar(
                "phase", "Phase at time 0 of the prescribed sinusoidal force", units::ANGLE, R::ANY,
            ),
            Parameter::Motion(_, item, _) => item.row(),
            Parameter::Joint(_, _, item) => {
                let row = item.row();
                scalar(row.key(true), row.text, row.declared(true), row.range)
            }
        }
    }

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
            Parameter::Motion(_, MotionItem::AngularFrequency | MotionItem::Phase, _) => None,
            Parameter::Motion(_, _, i) => Some(i),
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
