//! What the numbers of a scene that may change after the FMU was built mean.

use crate::scene::coordinate::JointItem;
use crate::scene::description::{body, contact, force, form, world};
use contact_laws::index::{BodyId, ForceId, JointId, LawId, MaterialId, MotionId};
use contact_laws::quantity::{Feeds, Quantity};
use contact_laws::response::Number;

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
    /// Longest internal step of Co-Simulation [s]; 0: accuracy and events limit it.
    MaxStep,
    /// Formula of the internal steps of Co-Simulation, by its place among the words, from 1.
    Solver,
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

impl Parameter {
    /// What is said of it in any scene; of a joint as of an angle.
    #[rustfmt::skip]
    pub(super) fn row(self) -> Quantity {
        use MotionItem as M;
        *match self {
            Parameter::Gravity(_) => const { &Quantity::of(&world::GRAVITY) },
            Parameter::GravitationalParameter => const { &Quantity::of(&world::GRAVITATIONAL_PARAMETER) },
            Parameter::GravityCenter(_) => const { &Quantity::of(&world::GRAVITY_CENTER) },
            Parameter::FixedPosition(..) => const { &Quantity::of(&form::POSITION) },
            Parameter::FixedOrientation(..) => const { &Quantity::of(&form::ORIENTATION) },
            Parameter::Mass(_) => const { &Quantity::of(&body::MASS) },
            Parameter::CenterOfMass(..) => const { &Quantity::of(&body::CENTER_OF_MASS) },
            Parameter::Inertia(..) => const { &Quantity::of(&body::INERTIA_ENTRY) },
            Parameter::YoungsModulus(_) => const { &Quantity::of(&contact::YOUNGS_MODULUS) },
            Parameter::PoissonsRatio(_) => const { &Quantity::of(&contact::POISSONS_RATIO) },
            Parameter::Law(_, number) => number.row(),
            Parameter::KRed => const { &Quantity::of(&contact::K_RED) },
            Parameter::DMax => const { &Quantity::of(&contact::D_MAX) },
            Parameter::MaxSteps => const { &Quantity::of(&world::MAX_STEPS) },
            Parameter::MaxStep => const { &Quantity::of(&world::MAX_STEP) },
            Parameter::Solver => const { &Quantity::of(&world::SOLVER) },
            Parameter::Force(..) => const { &Quantity::of(&force::FORCE) },
            Parameter::Torque(..) => const { &Quantity::of(&force::TORQUE) },
            Parameter::Motion(_, M::Velocity, _) => const { &Quantity::of(&force::VELOCITY) },
            Parameter::Motion(_, M::AngularVelocity, _) => const { &Quantity::of(&force::ANGULAR_VELOCITY) },
            Parameter::Motion(_, M::Displacement, _) => const { &Quantity::of(&force::DISPLACEMENT) },
            Parameter::Motion(_, M::Rotation, _) => const { &Quantity::of(&force::ROTATION_VECTOR) },
            Parameter::ForceFrequency(_) | Parameter::Motion(_, M::AngularFrequency, _) => {
                const { &Quantity::of(&force::ANGULAR_FREQUENCY) }
            }
            Parameter::ForcePhase(_) | Parameter::Motion(_, M::Phase, _) => const { &Quantity::of(&force::PHASE) },
            Parameter::Joint(_, _, item) => return item.row().parameter(true),
        }
    }

    /// Returns true if it is a number of the integrator of Co-Simulation, not of the model.
    pub fn is_of_integrator(self) -> bool {
        matches!(
            self,
            Parameter::MaxSteps | Parameter::MaxStep | Parameter::Solver
        )
    }

    /// What it enters, of the element that it is a number of.
    pub fn feeds(self) -> Feeds {
        match self {
            Parameter::Gravity(_)
            | Parameter::GravitationalParameter
            | Parameter::GravityCenter(_) => Feeds::GRAVITY,
            Parameter::FixedPosition(..) => Feeds::POSITION,
            Parameter::FixedOrientation(..) => Feeds::ORIENTATION,
            Parameter::Mass(_) => Feeds::MASS,
            Parameter::CenterOfMass(..) => Feeds::CENTER_OF_MASS,
            Parameter::Inertia(..) => Feeds::INERTIA,
            Parameter::YoungsModulus(_) | Parameter::PoissonsRatio(_) | Parameter::KRed => {
                Feeds::ELASTIC
            }
            Parameter::Law(_, number) => number.feeds(),
            Parameter::DMax => Feeds::LAW,
            Parameter::Force(..)
            | Parameter::Torque(..)
            | Parameter::ForceFrequency(_)
            | Parameter::ForcePhase(_) => Feeds::LOAD,
            Parameter::Motion(..) => Feeds::POSE | Feeds::MOTION,
            Parameter::Joint(_, _, item) => item.row().feeds,
            Parameter::MaxSteps | Parameter::MaxStep | Parameter::Solver => Feeds::NOTHING,
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
            Parameter::MaxStep => [8, 0, 1, 0],
            Parameter::Solver => [8, 0, 2, 0],
        }
    }
}

/// Row and column of the inertia entries xx, yy, zz, xy, xz, yz.
pub const INERTIA_ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
