//! A scene as plain data: the common form of scene files and of the bytes inside an FMU.
//!
//! Nothing here is checked; [`Scene::new`](crate::scene::Scene::new) checks everything and names
//! the item and the field of each problem, so that a reader of files can point at the line.
//!
//! Each element has its data and the table of its keys in a file of its own;
//! [`row`](contact_laws::quantity) says what a table of keys holds.
//!
//! - [`form`]: forms and parts of compounds, frames
//! - [`contact`]: contact detection and options of all laws
//! - [`force`]: forces on bodies
//! - [`body`]: bodies and their mass
//! - [`joint`]: joints between bodies
//! - [`world`]: gravity, experiment, interface

pub mod body;
pub mod contact;
pub mod force;
pub mod form;
pub mod joint;
pub mod world;

pub use body::ShapeDescription;
pub use body::{About, BodyDescription, GivenMass, Motion};
pub(super) use contact::MOST_REPORTED;
pub use contact::{ContactOptions, InitialOverlap, Report};
pub use contact::{
    FunctionDescription, LibraryDescription, LibraryFile, Material, MaterialPair, PairDescription,
    PairResponse, ShapeName,
};
pub use contact_geometry::shapes::Axis;
use contact_laws::index::BodyId;
use contact_laws::quantity;
use contact_laws::quantity::{Key, Range, Row, Value};
pub use contact_laws::response::choice::LawChanges;
pub use force::{
    Drive, EndSpeeds, FrameName, MeasurementDescription, MotionDescription, MotionProfile,
    MotionTable, OrientationInput, VelocityJump,
};
pub use force::{
    ForceAxes, ForceDescription, ForceProfile, ForceTable, ForceVectors, Interpolation,
};
pub use form::{CompoundPart, ConvexPart, Form, LocalFrame, SharpPart, Solid};
pub use joint::{
    BallForces, CoordinateForces, JointDescription, JointFriction, JointSpring, JointStops,
};
pub use joint::{
    CloseFrom, Coordinate, CoordinateMotion, Freedom, JointAxis, JointKind, JointKindRow,
    LatchDescription, TriggerDescription,
};
use serde::{Deserialize, Serialize};
pub use world::{Experiment, Gravity, Guard, InterfaceOptions, Naming, Solver};
pub use world::{GrainsDescription, RegionDescription};

/// Everything a scene says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneDescription {
    /// Name of the model: a letter, then letters, digits and underscores.
    pub name: String,
    /// Gravity of the world.
    pub gravity: Gravity,
    /// Bodies in scene order.
    pub bodies: Vec<BodyDescription>,
    /// Groups of free balls; they follow the bodies.
    pub grains: Vec<GrainsDescription>,
    /// Materials by name; those no shape uses are allowed.
    pub materials: Vec<Material>,
    /// Data of material pairs; at most one for each unordered pair.
    pub material_pairs: Vec<MaterialPair>,
    /// What is set for named bodies or shapes against each other.
    pub pairs: Vec<PairDescription>,
    /// Joints, which connect bodies in trees.
    pub joints: Vec<JointDescription>,
    /// Latches of joints.
    pub latches: Vec<LatchDescription>,
    /// Motions of prescribed bodies.
    pub motions: Vec<MotionDescription>,
    /// Prescribed forces on bodies.
    pub forces: Vec<ForceDescription>,
    /// Relative motions that are outputs.
    pub measurements: Vec<MeasurementDescription>,
    /// Outputs that are watched.
    pub triggers: Vec<TriggerDescription>,
    /// Contact detection and contact law.
    pub contact: ContactOptions,
    /// Shapes that never touch each other, of two different bodies in each entry.
    pub excluded: Vec<[ShapeName; 2]>,
    /// Whose contact is reported.
    pub report: Report,
    /// Pairs whose intersection is an output; their contact is reported, too.
    pub overlap: Report,
    /// Shared libraries with contact laws of the user.
    pub libraries: Vec<LibraryDescription>,
    /// Functions of these, in the order of the places that laws name them with.
    pub functions: Vec<FunctionDescription>,
    /// Default experiment.
    pub experiment: Experiment,
    /// Adds the work lost in contacts as a state.
    pub energy_balance: bool,
    /// What an importer sees of the model.
    pub interface: InterfaceOptions,
    /// Patterns of the names of outputs that are shown; all that are shown by default unless given.
    pub expose: Option<Vec<String>>,
    /// Names of the parameters that are inputs, arrays as a whole.
    pub parameter_inputs: Vec<String>,
}

impl SceneDescription {
    /// The body with this name, in the scene too: it has the bodies in the same order.
    pub(super) fn body_id(&self, name: &str) -> Option<BodyId> {
        let place = self.bodies.iter().position(|body| body.name == name);
        place.map(BodyId::from)
    }
}

/// The version of the format of scene files.
pub const FORMAT: u32 = 1;

/// Keys of a scene file itself, beside its tables.
#[rustfmt::skip]
pub const SCENE: [Row<SceneDescription>; 3] = [
    quantity::own(Key::new("format", "Version of the format of scene files", Value::Count(FORMATS), "1")),
    quantity::text(Key::new("name", "Name of the model: a letter, then letters, digits and underscores", Value::Name, "\"demo\""),
        |s, v| s.name = v.into()),
    quantity::flag("energy_balance", "Adds the energy lost in contacts as a state, energy.dissipated", |s, v| s.energy_balance = v),
];
const FORMATS: Range = Range::within(FORMAT as f64, FORMAT as f64, "1");

/// The part of a description that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneItem {
    /// The scene itself, its world or experiment.
    Scene,
    /// The contact options.
    Contact,
    /// Body by index.
    Body(usize),
    /// Shape by body index and index within the body.
    Shape(usize, usize),
    /// Part of a compound by body index, shape index and index within the compound.
    Part(usize, usize, usize),
    /// Group of balls by index.
    Grains(usize),
    /// Material by index.
    Material(usize),
    /// Material pair by index.
    MaterialPair(usize),
    /// Named pair by index.
    Pair(usize),
    /// Library of the user by index.
    Library(usize),
    /// Prescribed force by index.
    Force(usize),
    /// Joint by index.
    Joint(usize),
    /// Latch by index.
    Latch(usize),
    /// Motion of a prescribed body by index.
    Motion(usize),
    /// Measurement by index.
    Measurement(usize),
    /// Trigger by index.
    Trigger(usize),
}
