//! Contact detection and the options of all contact laws, as plain data, and their keys.

use contact_geometry::narrow_phase::overlap::{GEOMETRIC_EPSILON, Sparsification};
use contact_laws::quantity;
use contact_laws::quantity::{Feeds, Key, Keyword, ParameterRow, Range, Row, Value, units};
use contact_laws::response::LawChanges;
use contact_laws::response::choice::{DepthRule, Hypothesis, LawOptions, MultiImpact};
use serde::{Deserialize, Serialize};
use std::slice::from_mut;

/// Contact detection and contact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactOptions {
    /// Variants of the law.
    pub law: LawOptions,
    /// Which hypothesis of restitution impulses obey.
    pub impact_law: Hypothesis,
    /// How several contacts share an impact.
    pub multi_impact: MultiImpact,
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
    /// Distance at which faces of intersections count as one [m], >= 0; none for
    /// [`GEOMETRIC_EPSILON`].
    pub overlap_epsilon: Option<f64>,
    /// Which of the intersections of two bodies are kept is an output, by these rules.
    pub sparsification: Option<Sparsification>,
    /// Where a report names several pairs, each of them is reported beside their sum.
    pub report_parts: bool,
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

/// Reported contacts: the two bodies or shapes of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// Contacts of these bodies or shapes.
    Pairs(Vec<[ShapeName; 2]>),
    /// Contacts of all bodies that can touch.
    All,
}

impl Default for Report {
    /// Nobody's.
    fn default() -> Self {
        Report::Pairs(Vec::new())
    }
}

/// Maximum number of reports, each with some thirty numbers.
pub(crate) const MOST_REPORTED: usize = 500;

/// So many smallest distances a scene may ask for, far more than anybody reads.
const MOST_DISTANCES: u32 = 1000;

/// Default smoothing radius of edges [m].
pub const DEFAULT_SMOOTHING_RADIUS: f64 = 1e-3;

impl ContactOptions {
    /// Options of a scene that says nothing of contact.
    pub const DEFAULT: ContactOptions = ContactOptions {
        law: LawOptions::DEFAULT,
        impact_law: Hypothesis::Poisson,
        multi_impact: MultiImpact::Propagate,
        k_red: 1.0,
        nz_max: None,
        closest_distances: 0,
        smoothing_radius: DEFAULT_SMOOTHING_RADIUS,
        initial_overlap: InitialOverlap::Refuse,
        overlap_epsilon: None,
        sparsification: None,
        report_parts: false,
    };

    /// Distance at which faces of intersections count as one [m].
    pub fn epsilon(&self) -> f64 {
        self.overlap_epsilon.unwrap_or(GEOMETRIC_EPSILON)
    }
}

impl Keyword for InitialOverlap {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("refuse", InitialOverlap::Refuse),
        ("accept", InitialOverlap::Accept),
        ("separate", InitialOverlap::Separate),
    ];
}

/// Factors on all stiffnesses that may be asked for [1].
const K_REDS: Range = Range::within(1e-12, 1e12, "in 1e-12..1e12");
/// Factor on all stiffnesses.
pub(crate) const K_RED: Key = Key::new(
    "k_red",
    "Scale factor of all contact stiffnesses",
    Value::Number(units::COEFFICIENT, K_REDS),
    "1e-3",
)
.unless("1");
/// Bound of frozen damping coefficients.
pub const D_MAX: Key = Key::new(
    "d_max",
    "Largest damping coefficient of a contact",
    Value::Number(units::DAMPING, Range::NOT_NEGATIVE),
    "500",
)
.unless("that of the preset");

/// Parameters of all contacts.
#[derive(Clone, Copy, Debug)]
pub struct ContactNumbers {
    /// Elastic contact reduction factor [1].
    pub k_red: f64,
    /// Largest damping coefficient [s/m], where one may be frozen.
    pub d_max: Option<f64>,
}

/// Parameters of all contacts.
pub(crate) static CONTACT_PARAMETERS: [ParameterRow<ContactNumbers>; 2] = [
    ParameterRow::new(&K_RED, Feeds::ELASTIC, |c| Some(from_mut(&mut c.k_red))),
    ParameterRow::new(&D_MAX, Feeds::LAW, |c| c.d_max.as_mut().map(from_mut)),
];

/// `[contact]`, beside the [`KINDS`](contact_laws::response::choice::KINDS) of laws and their functions.
#[rustfmt::skip]
pub const CONTACT: [Row<ContactOptions>; 13] = [
    quantity::word::<_, LawOptions>("preset", "Contact law as a whole; the other keys change single items", "\"default\"",
        |c, v| c.law = LawOptions::WORDS[v].1),
    quantity::own(Key::new("rule", "When a pair is in contact", Value::Word(|| RULES.to_vec()), "").unless(PRESET)),
    quantity::own(Key::new("z_eps", "Half-width of the hysteresis", Value::Number(units::LENGTH, Range::POSITIVE), "\"1e-8 m\"")
        .unless("1e-8 m")),
    quantity::own(Key::new("depth", "Where the depth in the force counts from", Value::Word(DepthRule::words), "").unless(PRESET)),
    quantity::word::<_, Hypothesis>("impact_law", "Hypothesis that says how large impulses of restitution are", "\"poisson\"",
        |c, v| c.impact_law = Hypothesis::WORDS[v].1),
    quantity::word::<_, MultiImpact>("multi_impact", "How several contacts share an impact", "\"propagate\"",
        |c, v| c.multi_impact = MultiImpact::WORDS[v].1),
    quantity::number(D_MAX, |c| Some(c.law.d_max), |c, v| c.law.d_max = v),
    quantity::number(K_RED, |c| Some(c.k_red), |c, v| c.k_red = v),
    quantity::count(
        Key::new("nz_max", "Number of event indicators", Value::Count(AT_LEAST_ONE), "100")
            .unless("min(pairs, max(100, 8 per body that is not fixed))"),
        |c| c.nz_max, |c, v| c.nz_max = Some(v),
    ),
    quantity::count(
        Key::new("closest_distances", "Number of smallest distances that are outputs", Value::Count(DISTANCES), "3")
            .unless("0"),
        |c| Some(c.closest_distances), |c, v| c.closest_distances = v,
    ),
    quantity::number(
        Key::new("smoothing_radius", "Radius of edges; at most 10 % of a shape's smallest dimension is used",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.5 mm\"").unless("1 mm"),
        |c| Some(c.smoothing_radius), |c, v| c.smoothing_radius = v,
    ),
    quantity::word::<_, InitialOverlap>("initial_overlap", "What happens to bodies that overlap at the start", "\"refuse\"",
        |c, v| c.initial_overlap = InitialOverlap::WORDS[v].1),
    quantity::flag("report_parts", "Where `report` names several pairs of shapes, report each pair beside their sum",
        |c, v| c.report_parts = v),
];
const PRESET: &str = "that of the preset";
/// Words for the values of `rule`, those of [`ContactRule`](contact_laws::response::choice::ContactRule).
pub const RULES: [&str; 2] = ["hysteresis", "touching"];
const AT_LEAST_ONE: Range = Range::within(1.0, f64::INFINITY, ">= 1");
const DISTANCES: Range = Range::within(0.0, MOST_DISTANCES as f64, "<= 1000");

/// Keys of `[contact]` that name bodies or shapes.
pub const NAMED: [Key; 3] = [
    Key::new(
        "exclude",
        "Pairs of bodies or shapes that never touch",
        Value::List(&Value::Text),
        "[\"ball:cup.rim\"]",
    )
    .unless("none"),
    Key::new(
        "report",
        "Bodies or shapes whose contact is reported as outputs, or \"all\"; several pairs of shapes by their sum",
        Value::Either(&[Value::Word(|| vec!["all"]), Value::List(&Value::Text)]),
        "[\"ball:ground\"]",
    )
    .unless("none"),
    Key::new(
        "overlap",
        "Pairs of polyhedra, or \"all\", that are reported with volume and surface of their intersection",
        Value::Either(&[Value::Word(|| vec!["all"]), Value::List(&Value::Text)]),
        "[\"crate:floor\"]",
    )
    .unless("none"),
];

/// Keys of `[contact]` about intersections, which have a meaning with `overlap` only.
#[rustfmt::skip]
pub const OVERLAP: [Row<ContactOptions>; 2] = [
    quantity::number(
        Key::new("overlap_epsilon", "Distance at which faces of intersections count as one",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.1 um\"").unless("1 um"),
        |c| c.overlap_epsilon, |c, v| c.overlap_epsilon = Some(v),
    ),
    quantity::own(Key::new("sparsification", "Rules by which small and close intersections of two bodies are dropped",
        Value::Table(|| quantity::keys(&SPARSIFICATION)), "").unless("none")),
];
/// `sparsification`.
#[rustfmt::skip]
pub const SPARSIFICATION: [Row<Sparsification>; 3] = [
    quantity::number(
        Key::new("threshold", "Smallest part of the largest area of the same two bodies",
            Value::Number(units::COEFFICIENT, Range::FRACTION), "0.1").unless("0.01"),
        |r| Some(r.threshold), |r, v| r.threshold = v,
    ),
    quantity::number(
        Key::new("smallest_area", "Smallest area", Value::Number(units::AREA, Range::NOT_NEGATIVE), "\"1 mm2\"").unless("0"),
        |r| Some(r.smallest_area), |r, v| r.smallest_area = v,
    ),
    quantity::number(
        Key::new("smallest_distance", "Smallest distance of two contact points, by the largest coordinate of their difference",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"1 mm\"").unless("2 um"),
        |r| Some(r.smallest_distance), |r, v| r.smallest_distance = v,
    ),
];

// What is set for two bodies or shapes against each other, as plain data, and its keys.

/// Names all shapes of a body, or one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeName {
    /// Name of the body.
    pub body: String,
    /// Name of the shape; all of the body if there is none.
    pub shape: Option<String>,
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

/// `[[pair]]`, without the keys of its law.
#[rustfmt::skip]
pub const PAIR: [Row<PairDescription>; 4] = [
    quantity::own(Key::new("between", "Two bodies, or shapes of them, in any order; a body means all its shapes",
        Value::Text, "\"ball:table.cushion\"")),
    quantity::number(
        Key::new("threshold", "Distance at which they begin to touch",
            Value::Number(units::LENGTH, Range::NOT_NEGATIVE), "\"0.1 mm\"").unless("the sum of their shells"),
        |p| p.threshold, |p, v| p.threshold = Some(v),
    ),
    quantity::number(
        Key::new("warn_below", "Distance below which the log warns", Value::Number(units::LENGTH, Range::ANY), "\"5 mm\"")
            .unless("no warning"),
        |p| p.warn_below, |p, v| p.warn_below = Some(v),
    ),
    quantity::flag("distance", "Their distance is an output", |p, v| p.distance = v),
];

// Shared libraries with contact laws of the user, as plain data, and their keys.

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

/// Platforms that a library can be for, by the names that FMI 3.0 gives their folders.
pub const PLATFORMS: [&str; 6] = [
    "x86_64-linux",
    "aarch64-linux",
    "x86_64-windows",
    "aarch64-windows",
    "x86_64-darwin",
    "aarch64-darwin",
];

/// `[[library]]`: a name, and one of the other two.
#[rustfmt::skip]
pub const LIBRARIES: [Key; 3] = [
    Key::new("name", "Unique name", Value::Name, "\"rubber\""),
    Key::new("file", "Shared library for the platform that builds the FMU, from the folder of the scene file", Value::Text,
        "\"librubber.so\"").unless("files"),
    Key::new("files", "Shared library of each platform", Value::Map(|| PLATFORMS.to_vec()),
        "{ x86_64-linux = \"librubber.so\" }").unless("file"),
];
/// Library of a law of the user.
pub const LIBRARY: Key = Key::new(
    "library",
    "Library of the functions of a law of the user",
    Value::Text,
    "\"rubber\"",
)
.unless("none");
/// Function of a normal force.
pub const NORMAL_FUNCTION: Key = Key::new(
    "normal_function",
    "Function of the normal force",
    Value::Text,
    "\"rubber_force\"",
)
.unless("\"contact_normal_force\"");
/// Function of a friction force.
pub const FRICTION_FUNCTION: Key = Key::new(
    "friction_function",
    "Function of the friction force",
    Value::Text,
    "\"rubber_friction\"",
)
.unless("\"contact_friction_force\"");

// Materials and pairs of materials, as plain data, and their keys.

/// Solid and elastic data of a material.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// Poisson's ratios [1].
const POISSONS_RATIOS: Range = Range::within(0.0, 0.5, "in 0..0.5");
/// Young's modulus of a contact material.
pub(crate) const YOUNGS_MODULUS: Key = Key::new(
    "youngs_modulus",
    "Young's modulus",
    Value::Number(units::MODULUS, Range::NOT_NEGATIVE),
    "\"210 GPa\"",
);
/// Poisson's ratio of a contact material.
pub(crate) const POISSONS_RATIO: Key = Key::new(
    "poissons_ratio",
    "Poisson's ratio",
    Value::Number(units::COEFFICIENT, POISSONS_RATIOS),
    "0.3",
);

/// Parameters of a material.
#[rustfmt::skip]
pub(crate) static MATERIAL_PARAMETERS: [ParameterRow<Material>; 2] = [
    ParameterRow::new(&YOUNGS_MODULUS, Feeds::ELASTIC, |m| Some(from_mut(&mut m.youngs_modulus))),
    ParameterRow::new(&POISSONS_RATIO, Feeds::ELASTIC, |m| Some(from_mut(&mut m.poissons_ratio))),
];

/// `[[material]]`.
#[rustfmt::skip]
pub const MATERIAL: [Row<Material>; 4] = [
    quantity::text(Key::new("name", "Unique name", Value::Name, "\"Rubber\""), |m, v| m.name = v.into()),
    quantity::number(
        Key::new("density", "Density", Value::Number(units::DENSITY, Range::NOT_NEGATIVE), "\"8 g/cm3\""),
        |m| Some(m.density), |m, v| m.density = v,
    ),
    quantity::number(YOUNGS_MODULUS, |m| Some(m.youngs_modulus), |m, v| m.youngs_modulus = v),
    quantity::number(POISSONS_RATIO, |m| Some(m.poissons_ratio), |m, v| m.poissons_ratio = v),
];
/// The materials of a pair.
pub const MATERIALS: Key = Key::new(
    "materials",
    "Names of the two materials",
    Value::Several(&Value::Text, 2),
    "[\"Steel\", \"Rubber\"]",
);
