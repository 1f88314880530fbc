//! What is wrong with a description, as data. A tool words it for its users, with what to do; the
//! text here states the facts, for the log of an FMU whose bytes are broken.

use crate::scene::curve::Jump;
use crate::scene::description::{
    Interpolation, MOST_REPORTED, Motion, SceneDescription, SceneItem,
};
use contact_geometry::math::{Exact, LARGEST_NUMBER_IN_WORDS};
use contact_laws::quantity::Keyword;
use contact_laws::response::LawKinds;
use contact_laws::response::choice::NormalKind;
use contact_laws::response::flaws::{LawFlaw, OutOfRange};
use std::fmt;
use thiserror::Error;

/// One problem of a description.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{subject}{flaw}")]
pub struct SceneError {
    /// What it is about.
    pub item: SceneItem,
    /// The field of the item, by its key; empty if the item itself is meant.
    pub field: &'static str,
    /// Names the item, as the head of a message: `body "ball": `; empty for the scene.
    pub subject: String,
    /// What is wrong.
    pub flaw: Box<SceneFlaw>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneFlaw {
    /// A number is out of range.
    OutOfRange(OutOfRange),
    /// A number of a vector is not finite or too large: the field, the vector.
    NotFinite(&'static str, Vec<f64>),
    /// The norm of a quaternion (w, x, y, z) is not 1: the field, the quaternion, the norm.
    NotUnit(&'static str, [f64; 4], f64),
    /// Two axes, the first and the second, are not at right angles.
    Oblique([[f64; 3]; 2]),
    /// The lower and the upper limit along a coordinate are not in this order [m or rad].
    Limits(&'static str, [f64; 2]),
    /// A time of a table, by its number from 1, is not after the one before: (before, time) [s].
    Times(usize, [f64; 2]),
    /// So many entries of one thing, so many of another, which must be as many.
    Counts([(&'static str, usize); 2]),
    /// There is nothing of this kind and name; then what there is, in words.
    Unknown(&'static str, String, String),
    /// A body of this name moves otherwise than the item needs it; then what it needs, in words.
    Motion(String, Motion, String),
    /// A fixed body has a velocity: the field, the vector.
    FixedMoves(&'static str, [f64; 3]),
    /// The mass [kg] of a body is so large that its inertia is not finite.
    Mass(f64),
    /// The centre of mass [m] is not finite.
    CenterOfMass([f64; 3]),
    /// Speeds at the ends clamp a spline, and the interpolation is another one.
    EndSpeeds(Interpolation),
    /// The velocity of a body jumps, and a joint of this name hangs on it.
    Jump(Jump<4>, Interpolation, String),
    /// What is to be reported means too many pairs: what, and how many.
    TooManyReported(String, usize),
    /// An intersection is wanted of a pair, by its name, of which the shape of this name is no
    /// polyhedron with sharp edges.
    NoPolyhedron(String, String),
    /// A law or its numbers.
    Law(LawFlaw),
    /// No law for two materials, and why no mean of their self pairs replaces it; the kinds that
    /// one would have by default, none if one of the materials is only observed.
    NoContactData([String; 2], NoMean, Option<LawKinds>),
    /// What geometry says of a shape, in words.
    Geometry(String),
    /// A rule is broken; then the names and keys that it is about, in the order of its text.
    Broken(Rule, Vec<String>),
}

/// Why two self pairs have no mean.
#[derive(Clone, Debug, PartialEq)]
pub enum NoMean {
    /// The materials are the same.
    Same,
    /// Self pairs, by their materials, that give no law, and why.
    Lacking(Vec<(String, Lack)>),
    /// The normal forces differ.
    Laws([NormalKind; 2]),
    /// Other kinds differ.
    Kinds,
    /// The exponents differ [1].
    Exponents([f64; 2]),
    /// Numbers are missing.
    Numbers,
    /// Only one self pair, of this index, gives a stiffness per area.
    OnePerArea(usize),
    /// The self pair of this index gives a layer for one of its two shapes only.
    OneLayer(usize),
}

/// Why a self pair gives no law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// There is none.
    Absent,
    /// The material never touches itself.
    Never,
    /// It only observes.
    Observes,
    /// Its numbers are not complete.
    Incomplete,
}

/// Rules of a description that are about names and keys only; [`Rule::facts`] says what each
/// refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts beside them say it")]
pub enum Rule {
    NoBody,
    NoFile,
    NoForce,
    NoDisplacement,
    NoPart,
    NoConvexPart,
    NoLimit,
    NoMass,
    NoGrain,
    NoInertia,
    NoMotion,
    NoJoint,
    NoDirection,
    NoThickness,
    NoCylinder,
    NoOverlap,
    /// The power of a joint that does no work is asked for; word of its kind.
    NoPower,
    TooFewTimes,
    TimeNotFinite,
    TooSteep,
    NotIdentifier,
    NameReserved,
    NameTaken,
    NotAName,
    NotABody,
    NoShape,
    MaterialsTwice,
    PlatformTwice,
    FileTwice,
    MotionTwice,
    DistanceTwice,
    LawTwice,
    SetTwice,
    ChildTwice,
    FollowsFromJoint,
    FollowsFromMotion,
    SpeedAlone,
    NeverTouches,
    NeverTouch,
    OneBody,
    SeveralMaterials,
    LayerOnBoth,
    TouchInAPoint,
    RaisedInAPoint,
    AreaKeyInAPoint,
    AreaOfFaces,
    HalfSpaceInCompound,
    HalfSpaceMoves,
    CompoundInCompound,
    ParentIsChild,
    ParentDriven,
    ParentSurface,
    Loop,
    JointInDem,
    LatchInDem,
    TriggerInDem,
    /// Name of an output that cannot be watched; then those that can.
    NotWatched,
    LatchOfFixed,
    LatchTwice,
    LatchTwoTriggers,
    LatchInputAndTime,
    LatchWithoutTrigger,
    LatchNoSlide,
    LatchNoCoordinate,
    LatchNoDirection,
    LatchNoRelease,
    LatchMoves,
    AreaInDem,
    UserLawInDem,
    /// Velocities jump in contacts, and the solver takes fixed steps.
    ImpulseInDem,
    /// The stiffness of a law of the user is asked for, which nobody knows.
    CompliantUserLaw,
}

impl Rule {
    /// What is wrong, as a text for [`filled`].
    pub fn facts(self) -> &'static str {
        match self {
            Rule::NoBody => "there is no body",
            Rule::NoFile => "there is no file",
            Rule::NoForce => "neither force nor torque is given",
            Rule::NoDisplacement => "neither displacement nor angle is given",
            Rule::NoPart => "compound has no part",
            Rule::NoConvexPart => "{0} has no convex part",
            Rule::NoLimit => "{0}: the stop has neither lower nor upper",
            Rule::NoMass => "has no mass",
            Rule::NoGrain => "has no ball",
            Rule::NoInertia => "has mass but no inertia",
            Rule::NoMotion => "is prescribed, but nothing says how it moves",
            Rule::NoJoint => "moves on a joint, but no joint has it as child",
            Rule::NoDirection => "{0} is the zero vector, which has no direction",
            Rule::NoThickness => "{0} is 0 m; must be > 0: a shape without thickness has no inside",
            Rule::NoPower => "power of a {0} joint is always 0",
            Rule::NoCylinder => "length is 0 m; must be > 0, without the half spheres at the ends",
            Rule::NoOverlap => "{0} has a meaning only with overlap",
            Rule::TooFewTimes => "times are {0}; must be at least 2",
            Rule::TimeNotFinite => "times has {0} s in it; must be finite",
            Rule::TooSteep => "table: the slopes between its values are beyond 1.8e308",
            Rule::NotIdentifier => {
                "name is {0:?}; must be an ASCII letter, then letters, digits or underscores"
            }
            Rule::NameReserved => "name is {0:?}, which the FMU's own variables use",
            Rule::NameTaken => "this name is taken by {0}",
            Rule::NotAName => "{0:?} is not the name of a {1}",
            Rule::NotABody => "{0} {1:?} is not a body; known: {2}",
            Rule::NoShape => "body {0:?} has no shape {1:?}; its shapes: {2}",
            Rule::MaterialsTwice => "this pair is given twice",
            Rule::PlatformTwice => "platform {0:?} is given twice",
            Rule::FileTwice => "{0} for {1} is the name of a file of library {2:?} too",
            Rule::MotionTwice => "the body has a motion already",
            Rule::DistanceTwice => "distance is an output of pair number {0} already",
            Rule::LawTwice => {
                "pair number {0} gives a law to the same shapes, and one of the two keeps them apart"
            }
            Rule::SetTwice => "pair number {0} gives a {1} to {2} and {3} too",
            Rule::FollowsFromJoint => {
                "{0} is given, but follows from its joint, which has the coordinates at start"
            }
            Rule::FollowsFromMotion => "{0} is given, but follows from its motion",
            Rule::SpeedAlone => "end_speeds.{0} is not zero and the table has no {1}",
            Rule::NeverTouches => "{0} has no meaning for shapes that never touch",
            Rule::NeverTouch => "{0} and {1} never touch",
            Rule::OneBody => "{0} and {1} are of one body; its shapes never collide",
            Rule::SeveralMaterials => "the law would be one for several pairs of materials ({0})",
            Rule::LayerOnBoth => "the layer of either depth would lie on shapes of both materials",
            Rule::TouchInAPoint => {
                "{0} and {1} touch in a point; over an area touch two of half-space, box, hull and \
                 mesh, or one of them and a cylinder, cone or beam"
            }
            Rule::RaisedInAPoint => {
                "{0} and {1} have a threshold or a shell, with which they touch in a point"
            }
            Rule::AreaKeyInAPoint => {
                "{0} has no meaning: {1} and {2} touch in a point, not over an area"
            }
            Rule::AreaOfFaces => {
                "{0} has no meaning: {1} and {2} touch over an area, that of their overlap"
            }
            Rule::HalfSpaceInCompound => "a half-space cannot be a part of a compound",
            Rule::HalfSpaceMoves => "a half-space has no end; its body must be fixed",
            Rule::CompoundInCompound => "a compound cannot be a part of a compound",
            Rule::JointInDem
            | Rule::LatchInDem
            | Rule::AreaInDem
            | Rule::UserLawInDem
            | Rule::ImpulseInDem => self.facts_in_dem(),
            Rule::CompliantUserLaw => {
                "multi_impact = \"compliant\" needs the stiffness of contacts with response = \"impulse\", and some law is a \
                 function of the user"
            }
            Rule::ChildTwice
            | Rule::ParentIsChild
            | Rule::ParentDriven
            | Rule::ParentSurface
            | Rule::Loop => self.facts_of_trees(),
            _ => self.facts_of_switches(),
        }
    }

    /// What a tree of joints cannot be.
    fn facts_of_trees(self) -> &'static str {
        match self {
            Rule::ChildTwice => {
                "its child {0:?} is the child of joint {1:?} too; a body has one joint above it"
            }
            Rule::ParentIsChild => "parent and child are both {0:?}",
            Rule::ParentDriven => {
                "its parent {0:?} is driven: its acceleration is not among its inputs, so nothing can \
                 hang on it"
            }
            Rule::ParentSurface => "its parent {0:?} is prescribed: only its surface moves",
            _ => "closes a loop through the bodies {0}; joints must form trees",
        }
    }

    /// What a latch or a trigger cannot be.
    fn facts_of_switches(self) -> &'static str {
        match self {
            Rule::NotWatched => {
                "output is {0:?}; must be a number of the position or velocity of a free body, a body on a joint or a \
                 measurement of one, or a coordinate of a joint or its rate"
            }
            Rule::TriggerInDem => "solver = \"dem\" has no triggers",
            Rule::LatchOfFixed => "joint {0:?} is fixed and has nothing to hold",
            Rule::LatchTwice => "joint {0:?} has latch {1:?} already; a joint has one latch",
            Rule::LatchTwoTriggers => "close_at and close_distance are both given",
            Rule::LatchInputAndTime => "{0} has no meaning beside input, which commands the latch",
            Rule::LatchWithoutTrigger => "{0} has no meaning without close_at",
            Rule::LatchNoSlide => {
                "close_distance has no meaning: joint {0:?} is {1}, and the origins of its frames keep together"
            }
            Rule::LatchNoCoordinate => {
                "{0} has no meaning: joint {1:?} is {2} and has no coordinate"
            }
            Rule::LatchNoDirection => {
                "release_direction has no meaning: joint {0:?} is {1}, not free"
            }
            Rule::LatchNoRelease => "release_direction has no meaning without release_impulse",
            _ => "is closed at start, but joint {0:?}, which it holds, moves then",
        }
    }

    /// What granular mode does not do.
    fn facts_in_dem(self) -> &'static str {
        match self {
            Rule::JointInDem => "solver = \"dem\" moves free bodies only, and {0:?} is on a joint",
            Rule::LatchInDem => "solver = \"dem\" has no latches",
            Rule::AreaInDem => {
                "solver = \"dem\" has contacts in points only, and some pair touches over an area"
            }
            Rule::ImpulseInDem => {
                "solver = \"dem\" has forces only, and some pair has response = \"impulse\""
            }
            _ => "solver = \"dem\" calls no functions of the user, and some law is one",
        }
    }
}

/// A text with names in place of their numbers in braces: `{0}` plain, `{0:?}` in quotes.
pub fn filled(text: &str, names: &[String]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let place = after.split_once('}').and_then(|(place, after)| {
            let number = place.strip_suffix(":?").unwrap_or(place);
            let name = names.get(number.parse::<usize>().ok()?)?;
            Some((name, place != number, after))
        });
        let Some((name, quoted, after)) = place else {
            filled.push('{');
            rest = after;
            continue;
        };
        match quoted {
            true => filled.push_str(&format!("{name:?}")),
            false => filled.push_str(name),
        }
        rest = after;
    }
    filled + rest
}

impl SceneError {
    /// A problem of an item of a description.
    pub(super) fn new(
        description: &SceneDescription,
        item: SceneItem,
        field: &'static str,
        flaw: SceneFlaw,
    ) -> Self {
        SceneError {
            item,
            field,
            subject: subject(description, item),
            flaw: Box::new(flaw),
        }
    }
}

/// Names the item at the head of a message.
fn subject(scene: &SceneDescription, item: SceneItem) -> String {
    match item {
        SceneItem::Scene => String::new(),
        SceneItem::Contact => "contact: ".into(),
        SceneItem::Body(b) => format!("body {:?}: ", scene.bodies[b].name),
        SceneItem::Grains(g) => format!("grains {:?}: ", scene.grains[g].name),
        SceneItem::Shape(b, s) => {
            format!(
                "body {:?}, shape {:?}: ",
                scene.bodies[b].name, scene.bodies[b].shapes[s].name
            )
        }
        SceneItem::Part(b, s, p) => {
            let shape = subject(scene, SceneItem::Shape(b, s));
            format!("{}, part number {}: ", shape.trim_end_matches(": "), p + 1)
        }
        SceneItem::Material(m) => format!("material {:?}: ", scene.materials[m].name),
        SceneItem::MaterialPair(p) => {
            let [a, b] = &scene.material_pairs[p].materials;
            format!("material pair {a:?}, {b:?}: ")
        }
        SceneItem::Pair(p) => {
            let [a, b] = &scene.pairs[p].between;
            format!("pair {a}:{b}: ")
        }
        SceneItem::Library(l) => format!("library {:?}: ", scene.libraries[l].name),
        SceneItem::Force(f) => format!("force {:?}: ", scene.forces[f].name),
        SceneItem::Joint(j) => format!("joint {:?}: ", scene.joints[j].name),
        SceneItem::Latch(l) => format!("latch {:?}: ", scene.latches[l].name),
        SceneItem::Motion(m) => format!("motion of {:?}: ", scene.motions[m].body),
        SceneItem::Measurement(m) => format!("measurement {:?}: ", scene.measurements[m].name),
        SceneItem::Trigger(t) => format!("trigger {:?}: ", scene.triggers[t].name),
    }
}

impl SceneFlaw {
    /// What is not known, and what is.
    pub(super) fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        SceneFlaw::Unknown(what, name.into(), format!("known: {}", list(known)))
    }

    /// A broken rule.
    pub(super) fn broken<const N: usize>(rule: Rule, names: [&str; N]) -> Self {
        SceneFlaw::Broken(rule, names.map(str::to_owned).into())
    }
}

/// Velocity and angular speed before and after a jump.
fn in_words(jump: &Jump<4>) -> String {
    let Jump {
        time,
        before,
        after,
    } = *jump;
    let mut what = Vec::new();
    if before[..3] != after[..3] {
        let (from, to) = (&before[..3], &after[..3]);
        what.push(format!("the velocity jumps from {from:?} to {to:?} m/s"));
    }
    if before[3] != after[3] {
        let (from, to) = (before[3], after[3]);
        what.push(format!(
            "the angular speed jumps from {from:?} to {to:?} rad/s"
        ));
    }
    format!("at {time:?} s {}", what.join(" and "))
}

impl fmt::Display for SceneFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneFlaw::OutOfRange(number) => number.fmt(f),
            SceneFlaw::NotFinite(field, values) => write!(
                f,
                "{field} is {values:?}; every entry must be a finite number {LARGEST_NUMBER_IN_WORDS}"
            ),
            SceneFlaw::NotUnit(field, q, norm) => write!(
                f,
                "{field} is the quaternion (w, x, y, z) = {q:?} of norm {norm}; must have norm 1"
            ),
            SceneFlaw::Oblique([first, second]) => write!(
                f,
                "second_axis is {second:?}; it must be at right angles to axis = {first:?}"
            ),
            SceneFlaw::Limits(coordinate, [lower, upper]) => write!(
                f,
                "{coordinate}: lower is {} and upper {}; the upper stop must be above the lower one",
                Exact(*lower),
                Exact(*upper)
            ),
            SceneFlaw::Times(number, [before, time]) => write!(
                f,
                "times[{number}] is {time} s after {before} s; times must ascend"
            ),
            SceneFlaw::Counts([(what, found), (other, wanted)]) => write!(
                f,
                "{what} has {found} entries, {other} has {wanted}; must be as many"
            ),
            SceneFlaw::Unknown(what, name, known) => {
                write!(f, "{what} {name:?} is not known; {known}")
            }
            SceneFlaw::Motion(body, found, needed) => {
                write!(f, "body {body:?} is {}; {needed}", found.word())
            }
            SceneFlaw::FixedMoves(field, value) => {
                write!(f, "{field} is {value:?}; a fixed body does not move")
            }
            SceneFlaw::Mass(mass) => {
                write!(f, "mass is {mass} kg and inertia not a finite number")
            }
            SceneFlaw::CenterOfMass(center) => {
                write!(f, "centre of mass is {center:?} m, not finite numbers")
            }
            SceneFlaw::EndSpeeds(_) => f.write_str("end_speeds clamps a spline, which this is not"),
            SceneFlaw::Jump(jump, _, joint) => write!(
                f,
                "table: {}; joint {joint:?} hangs on the body, so that what it carries would be \
                 dragged along without a force",
                in_words(jump)
            ),
            SceneFlaw::TooManyReported(what, count) => write!(
                f,
                "{what} {count} pairs, each two convex parts that can touch; at most {MOST_REPORTED} \
                 can be reported"
            ),
            SceneFlaw::NoPolyhedron(pair, shape) => {
                write!(f, "{pair}: {shape} is not a polyhedron with sharp edges")
            }
            SceneFlaw::Law(flaw) => flaw.fmt(f),
            SceneFlaw::NoContactData([a, b], ..) => {
                write!(f, "no contact data for materials {a:?} and {b:?}")
            }
            SceneFlaw::Geometry(text) => f.write_str(text),
            SceneFlaw::Broken(rule, names) => f.write_str(&filled(rule.facts(), names)),
        }
    }
}

/// Names in a row, or `none`.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
