//! A scene as plain data: the common form of scene files and of the bytes inside an FMU.
//!
//! Nothing here is checked; [`Scene::new`](crate::scene::Scene::new) checks everything and names
//! the item and the field of each problem, so that a reader of files can point at the line.
//!
//! - `joint`: joints between bodies
//! - `force`: prescribed forces and torques
//! - `motion`: bodies whose motion is given

mod force;
mod joint;
mod motion;

pub use crate::geometry::Axis;
use crate::geometry::mass::SolidIntegrals;
use crate::index::BodyId;
use crate::quantity::Range;
pub use crate::response::choice::LawChanges;
use crate::response::options::LawOptions;
pub use force::{
    ForceAxes, ForceDescription, ForceProfile, ForceTable, ForceVectors, Interpolation,
};
pub use joint::{
    BallForces, Coordinate, CoordinateForces, JointDescription, JointFriction, JointKind,
    JointSpring, JointStops, LocalFrame,
};
pub use motion::{
    Drive, EndSpeeds, FrameName, MeasurementDescription, MotionDescription, MotionProfile,
    OrientationInput,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;

/// Everything a scene says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneDescription {
    /// Name of the model: a letter, then letters, digits and underscores.
    pub name: String,
    /// Gravity of the world.
    pub gravity: Gravity,
    /// Bodies in scene order.
    pub bodies: Vec<BodyDescription>,
    /// Materials by name; those no shape uses are allowed.
    pub materials: Vec<Material>,
    /// Data of material pairs; at most one for each unordered pair.
    pub material_pairs: Vec<MaterialPair>,
    /// What is set for named bodies or shapes against each other.
    pub pairs: Vec<PairDescription>,
    /// Joints, which connect bodies in trees.
    pub joints: Vec<JointDescription>,
    /// Motions of prescribed bodies.
    pub motions: Vec<MotionDescription>,
    /// Prescribed forces on bodies.
    pub forces: Vec<ForceDescription>,
    /// Relative motions that are outputs.
    pub measurements: Vec<MeasurementDescription>,
    /// Contact detection and contact law.
    pub contact: ContactOptions,
    /// Shapes that never touch each other, of two different bodies in each entry.
    pub excluded: Vec<[ShapeName; 2]>,
    /// Whose contact is reported.
    pub report: Report,
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
}

impl SceneDescription {
    /// The body with this name, in the scene too: it has the bodies in the same order.
    pub(super) fn body_id(&self, name: &str) -> Option<BodyId> {
        let place = self.bodies.iter().position(|body| body.name == name);
        place.map(BodyId::from)
    }
}

/// Gravity of the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Gravity {
    /// No gravity.
    None,
    /// Acceleration in world axes [m/s2].
    Uniform([f64; 3]),
    /// Towards a point, by the inverse square of the distance.
    Point {
        /// Gravitational parameter G M [m3/s2], >= 0.
        mu: f64,
        /// Attracting point in world axes [m].
        center: [f64; 3],
    },
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// Part of the world.
    Fixed,
    /// Six degrees of freedom.
    Free,
    /// The child of a joint.
    Joint,
    /// Pose and velocities are inputs, contact force and torque outputs.
    Driven,
    /// Pose and velocities are given over time.
    Prescribed,
}

impl Motion {
    /// The word that a scene file gives it.
    pub fn key(self) -> &'static str {
        match self {
            Motion::Fixed => "fixed",
            Motion::Free => "free",
            Motion::Joint => "joint",
            Motion::Driven => "driven",
            Motion::Prescribed => "prescribed",
        }
    }

    /// Returns true if forces accelerate the body: it needs a mass.
    pub fn is_dynamic(self) -> bool {
        matches!(self, Motion::Free | Motion::Joint)
    }
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDescription {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: Motion,
    /// Origin of the body frame in world axes [m], at start.
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), body to world, at start; unit within 1e-6, made exactly unit.
    pub orientation: [f64; 4],
    /// Velocity of the origin in world axes [m/s], at start; zero for a fixed body.
    pub velocity: [f64; 3],
    /// Angular velocity in body axes [rad/s], at start; zero for a fixed body.
    pub angular_velocity: [f64; 3],
    /// Mass properties given instead of those of the shapes.
    pub mass: GivenMass,
    /// What the inputs and outputs of a driven body are.
    pub drive: Drive,
    /// Bodies of one collision group never touch each other; its name.
    pub collision_group: Option<String>,
    /// Shapes fixed to the body; may be none.
    pub shapes: Vec<ShapeDescription>,
}

/// Mass properties that replace those computed from the shapes, each alone or together.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct GivenMass {
    /// Mass [kg], > 0. Alone, it scales the inertia of the shapes.
    pub mass: Option<f64>,
    /// Centre of mass in the body frame [m].
    pub center_of_mass: Option<[f64; 3]>,
    /// Inertia tensor about the centre of mass in body axes [kg.m2]: xx, yy, zz, xy, xz, yz
    /// (tensor entries, with their sign).
    pub inertia: Option<[f64; 6]>,
}

/// A shape fixed to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeDescription {
    /// Unique within the body.
    pub name: String,
    /// Form and size.
    pub form: Form,
    /// Origin of the shape frame in the body frame [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), shape to body; unit within 1e-6.
    pub orientation: [f64; 4],
    /// Material that gives the density; its name.
    pub material: String,
    /// Material that gives elasticity and pair data; the same as `material` unless given.
    pub contact_material: Option<String>,
    /// Takes part in contact detection.
    pub collision: bool,
    /// Distance from the surface at which the shape begins to touch [m], >= 0; mass and Hertz
    /// factor do not depend on it.
    pub shell: f64,
    /// Smoothing radius [m] unless the scene's; of the forms that are shrunk when the scene is
    /// built (hulls and meshes carry theirs).
    pub smoothing_radius: Option<f64>,
    /// Contact sphere radius [m] unless the form's default.
    pub contact_sphere_radius: Option<f64>,
    /// Counts as flat in the Hertz factor, unless the form's default.
    pub flat: Option<bool>,
}

/// Form and size of a shape, in its own frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Form {
    /// Centre in the origin.
    Sphere {
        /// Diameter [m], > 0.
        diameter: f64,
    },
    /// Centre in the origin, axes along those of the frame.
    Ellipsoid {
        /// Diameters along x, y, z [m], > 0.
        lengths: [f64; 3],
    },
    /// Centre in the origin, edges along the axes.
    Box {
        /// Edge lengths along x, y, z [m], > 0.
        lengths: [f64; 3],
    },
    /// Centre in the origin.
    Cylinder {
        /// Outer diameter [m], > 0.
        diameter: f64,
        /// Length along the axis [m], > 0.
        length: f64,
        /// Axis of revolution.
        axis: Axis,
        /// Diameter of a bore along the axis [m], 0 <= inner < outer; for mass and inertia only.
        inner_diameter: f64,
    },
    /// Cone, or frustum if the top has a diameter: centre of the base circle in the origin, axis
    /// towards the top.
    Cone {
        /// Diameter of the base [m], > 0.
        diameter: f64,
        /// Diameter of the top [m], >= 0.
        top_diameter: f64,
        /// Distance from base to top [m], > 0.
        length: f64,
        /// Axis of revolution, from base to top.
        axis: Axis,
    },
    /// Cylinder with a half sphere at either end; centre in the origin.
    Capsule {
        /// Diameter [m], > 0.
        diameter: f64,
        /// Length of the cylinder, without the half spheres [m], > 0.
        length: f64,
        /// Axis of revolution.
        axis: Axis,
    },
    /// Convex hull of two spheres on an axis, the middle between their centres in the origin.
    TaperedCapsule {
        /// Diameter of the sphere before the origin [m], > 0.
        diameter: f64,
        /// Diameter of the sphere behind it along the axis, the top [m], > 0.
        top_diameter: f64,
        /// Distance of the centres [m], > |diameter - top_diameter|/2: neither sphere holds the
        /// other.
        length: f64,
        /// Axis of revolution, towards the top.
        axis: Axis,
    },
    /// Box with half a cylinder at either end; centre in the origin. The length lies along `axis`,
    /// the width along the next axis in cyclic order, the thickness along the third.
    Beam {
        /// Length of the box, without the half cylinders [m], > 0.
        length: f64,
        /// Width, the diameter of the half cylinders [m], > 0.
        width: f64,
        /// Thickness, the length of the half cylinders [m], > 0.
        thickness: f64,
        /// Direction of the length.
        axis: Axis,
    },
    /// Convex hull of given points.
    Hull {
        /// The solid.
        solid: Solid,
        /// What touches.
        part: ConvexPart,
    },
    /// Solid from a mesh file; a set of convex parts in contact.
    Mesh {
        /// The solid that the mesh bounds.
        solid: Solid,
        /// What touches: each part is a shape of its own in contact.
        parts: Vec<ConvexPart>,
    },
    /// Several forms as one shape; the parts must not overlap, or their common mass counts twice.
    Compound {
        /// The parts, at least one; no half-space.
        parts: Vec<CompoundPart>,
    },
    /// All points with z <= 0; the outward normal is +z. Only on a fixed body; has no mass.
    HalfSpace,
}

impl Form {
    /// The key that a scene file gives it.
    pub fn key(&self) -> &'static str {
        match self {
            Form::Sphere { .. } => "sphere",
            Form::Ellipsoid { .. } => "ellipsoid",
            Form::Box { .. } => "box",
            Form::Cylinder { .. } => "cylinder",
            Form::Cone { .. } => "cone",
            Form::Capsule { .. } => "capsule",
            Form::TaperedCapsule { .. } => "tapered_capsule",
            Form::Beam { .. } => "beam",
            Form::Hull { .. } => "hull",
            Form::Mesh { .. } => "mesh",
            Form::Compound { .. } => "compound",
            Form::HalfSpace => "half_space",
        }
    }
}

/// What a polyhedron weighs and where it ends, at density 1; computed from its exact surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Volume [m3], > 0.
    pub volume: f64,
    /// Centroid in the shape frame [m].
    pub centroid: [f64; 3],
    /// Inertia tensor about the centroid over density [m5]: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// Lower corner of the bounding box in the shape frame [m].
    pub lower: [f64; 3],
    /// Upper corner of the bounding box in the shape frame [m].
    pub upper: [f64; 3],
}

impl From<&SolidIntegrals> for Solid {
    /// Takes over the integrals of a closed surface whose triangles face outwards.
    fn from(integrals: &SolidIntegrals) -> Self {
        let i = &integrals.inertia;
        Solid {
            volume: integrals.volume,
            centroid: integrals.centroid.into(),
            inertia: [
                i[(0, 0)],
                i[(1, 1)],
                i[(2, 2)],
                i[(0, 1)],
                i[(0, 2)],
                i[(1, 2)],
            ],
            lower: integrals.lower.into(),
            upper: integrals.upper.into(),
        }
    }
}

/// A convex polyhedron in contact: a core swept by a ball, its outer size that of the sharp one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvexPart {
    /// Vertices of the core in the shape frame [m].
    pub vertices: Vec<[f64; 3]>,
    /// Triangles of the core's surface by vertex, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Radius of the ball [m], >= 0: the smoothing radius used.
    pub radius: f64,
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompoundPart {
    /// Form and size; no compound.
    #[serde(deserialize_with = "form_of_part")]
    pub form: Form,
    /// Origin of the part's frame in the shape frame [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), part to shape; unit within 1e-6.
    pub orientation: [f64; 4],
}

/// Reads the form of a part. Parts of parts are refused while they are read: bytes of compounds in
/// compounds, a hundred thousand deep, would exhaust the stack.
fn form_of_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Form, D::Error> {
    thread_local! {
        static IN_PART: Cell<bool> = const { Cell::new(false) };
    }
    if IN_PART.replace(true) {
        return Err(Error::custom("a compound cannot be a part of a compound"));
    }
    let form = Form::deserialize(deserializer);
    IN_PART.set(false);
    form
}

/// Names all shapes of a body, or one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeName {
    /// Name of the body.
    pub body: String,
    /// Name of the shape; all of the body if there is none.
    pub shape: Option<String>,
}

/// Whose contact is reported as outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Pairs of these bodies or shapes.
    Pairs(Vec<[ShapeName; 2]>),
    /// All candidate pairs.
    All,
}

impl Default for Report {
    /// Nobody's.
    fn default() -> Self {
        Report::Pairs(Vec::new())
    }
}

/// So many pairs a scene may report, each with some thirty numbers.
pub const MOST_REPORTED: usize = 500;

/// Solid and elastic data of a material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Unique name.
    pub name: String,
    /// Density [kg/m3], >= 0.
    pub density: f64,
    /// Young's modulus [Pa], >= 0; > 0 if a law takes its stiffness from it.
    pub youngs_modulus: f64,
    /// Poisson's ratio [1], in 0..0.5; < 0.5 if the law `volume` divides by 1 - 2 nu.
    pub poissons_ratio: f64,
}

/// Contact data of an unordered pair of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialPair {
    /// Names of the two materials.
    pub materials: [String; 2],
    /// What happens at contact; depths of layers in the order of `materials`.
    pub response: PairResponse,
}

/// What happens when two materials touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PairResponse {
    /// A force, or an event at least: what differs from the options of the scene, or from the law
    /// of the materials.
    Law(LawChanges),
    /// They never touch.
    None,
}

/// What is set for two bodies or shapes against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairDescription {
    /// Of two bodies.
    pub between: [ShapeName; 2],
    /// Distance at which they begin to touch [m], >= 0, instead of the sum of their shells.
    pub threshold: Option<f64>,
    /// Distance below which the log warns [m].
    pub warn_below: Option<f64>,
    /// Their distance is an output.
    pub distance: bool,
    /// What happens when they touch, unless what their materials say; depths of layers in the order
    /// of `between`.
    pub response: Option<PairResponse>,
}

/// A shared library of the user, inside the FMU one file for each platform:
/// `resources/<platform>/<file>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryDescription {
    /// Unique name.
    pub name: String,
    /// Its files, at least one, each for another platform.
    pub files: Vec<LibraryFile>,
}

/// A file of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryFile {
    /// Platform by the name that FMI 3.0 gives its folder, `x86_64-linux`.
    pub platform: String,
    /// Name of the file, without a folder.
    pub file: String,
}

/// A function of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionDescription {
    /// Name of the library.
    pub library: String,
    /// Name of the function.
    pub symbol: String,
}

/// Contact detection and contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactOptions {
    /// Variants of the law.
    pub law: LawOptions,
    /// Elastic contact reduction factor [1], > 0: multiplies the stiffness.
    pub k_red: f64,
    /// Number of event indicators, >= 1; computed from the scene unless given.
    pub nz_max: Option<u32>,
    /// How many of the smallest distances among the monitored pairs are outputs; at most
    /// [`MOST_DISTANCES`].
    pub closest_distances: u32,
    /// Smoothing radius of edges [m], >= 0; at most 10 % of a shape's smallest dimension is used.
    pub smoothing_radius: f64,
    /// What happens to shapes that overlap at the start.
    pub initial_overlap: InitialOverlap,
}

/// What happens to shapes that overlap at the start deeper than they would under their loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum InitialOverlap {
    /// No FMU is built; a warning if start values set at run time make it so.
    #[default]
    Refuse,
    /// They part as their law says.
    Accept,
    /// Free bodies are moved apart when the FMU is built.
    Separate,
}

/// So many smallest distances a scene may ask for, far more than anybody reads.
pub const MOST_DISTANCES: u32 = 1000;

/// Default smoothing radius of edges [m].
pub const DEFAULT_SMOOTHING_RADIUS: f64 = 1e-3;

/// Relative tolerances that the integrator of Co-Simulation can keep [1].
pub const TOLERANCES: Range = Range::within(1e-14, 0.1, "in 1e-14..0.1");

/// What an importer sees of the model; the motion does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InterfaceOptions {
    /// Vectors are array variables in FMI 3.0, `ball.position` with 3 elements; FMI 2.0 has scalars
    /// only.
    pub arrays: bool,
    /// How variables are named.
    pub naming: Naming,
    /// Parameters may change during a run, at events.
    pub tunable: bool,
    /// Refuses calls that the standard does not allow but that real importers make.
    pub strict: bool,
    /// Who sees a contact that starts and ends again within one step of Model Exchange.
    pub guard: Guard,
}

/// Who sees, in Model Exchange, a contact that starts and ends again within one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Guard {
    /// Every importer: the event indicators are the smallest gaps since the last step.
    #[default]
    Importer,
    /// Only one that looks inside its steps: the event indicators are the present gaps.
    Off,
}

/// How variables are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Naming {
    /// `ball.position[1]`, `der(ball.position[1])`: the structured naming convention of FMI.
    #[default]
    Structured,
    /// `ball_position_1`, `der_ball_position_1`: letters, digits and underscores only.
    Flat,
}

/// Default experiment; what is not given is computed from the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Start time [s].
    pub start_time: f64,
    /// Stop time [s], > start time.
    pub stop_time: f64,
    /// Relative tolerance [1], in [`TOLERANCES`].
    pub tolerance: Option<f64>,
    /// Communication step size [s], > 0; 1/500 of the duration unless given.
    pub step_size: Option<f64>,
    /// Internal steps of one communication step at most [1], see [`STEP_BUDGETS`](crate::scene::parameter::STEP_BUDGETS).
    pub max_steps: f64,
}

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
    /// Motion of a prescribed body by index.
    Motion(usize),
    /// Measurement by index.
    Measurement(usize),
}
