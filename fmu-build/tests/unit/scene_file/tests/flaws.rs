//! Every kind of flaw of a scene has a case on the book's pages on messages, as far as a scene file
//! can have it.

use crate::scene_file::messages::message;
use contact_laws::response::choice::{ContactKind, LawOptions, NormalKind};
use contact_laws::response::flaws::{LawFlaw, OutOfRange};
use contact_laws::response::{LawKinds, Number};
use contact_model::scene::curve::Jump;
use contact_model::scene::description::{Interpolation, Motion};
use contact_model::scene::flaw::{Lack, NoMean, Rule, SceneFlaw};
use contact_model::scene::{SceneError, SceneItem};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Kinds of flaws that no scene file has, and why.
const UNREACHABLE: [(&str, &str); 10] = [
    (
        "Rule::NoGrain",
        "the reader asks for places, and refuses a fill and a file without a ball",
    ),
    ("SceneFlaw::Mass", "sizes and densities are at most 1e40"),
    (
        "SceneFlaw::CenterOfMass",
        "sizes and positions are at most 1e40",
    ),
    (
        "Rule::NoConvexPart",
        "the reader makes hulls and meshes of at least one part",
    ),
    (
        "Rule::TimeNotFinite",
        "the reader refuses numbers that are not finite",
    ),
    (
        "Rule::NoShape",
        "the reader knows the shapes and names them itself",
    ),
    ("Rule::PlatformTwice", "a key cannot be given twice"),
    ("Rule::CompoundInCompound", "a part has no key part"),
    (
        "Lack::Incomplete",
        "an incomplete self pair is a problem of its own, a built-in one counts as absent",
    ),
    (
        "NoMean::Numbers",
        "self pairs of the same kinds have the same numbers",
    ),
];

/// A scene with a broken rule, and the names in its message.
#[rustfmt::skip]
const RULES: [(&str, Rule, &[&str]); 64] = [
    ("together::format is missing", Rule::NoBody, &[]),
    ("libraries::Library without a file", Rule::NoFile, &[]),
    ("forces::neither force nor torque is given", Rule::NoForce, &[]),
    ("motions::neither displacement nor angle is given", Rule::NoDisplacement, &[]),
    ("forms::compound has no part", Rule::NoPart, &[]),
    ("joints::Stop without a limit", Rule::NoLimit, &["angle"]),
    ("contact::Sparsification without overlap", Rule::NoOverlap, &["sparsification"]),
    ("scene::body \"ball\" has no mass", Rule::NoMass, &[]),
    ("values::body \"ball\" has mass but no inertia", Rule::NoInertia, &[]),
    ("motions::motion is \"prescribed\", but nothing says how it moves", Rule::NoMotion, &["bar"]),
    ("joints::motion is \"joint\", but no joint has it as child", Rule::NoJoint, &["bar"]),
    ("joints::axis is the zero vector", Rule::NoDirection, &["axis"]),
    ("forms::thickness is 0 m", Rule::NoThickness, &["thickness"]),
    ("forms::length is 0 m", Rule::NoCylinder, &[]),
    ("latches::Joint is fixed", Rule::LatchOfFixed, &["j"]),
    ("latches::Two latches of one joint and of one name", Rule::LatchTwice, &["j", "l"]),
    ("latches::close_at and close_distance", Rule::LatchTwoTriggers, &[]),
    ("latches::Times beside an input", Rule::LatchInputAndTime, &["open_time"]),
    ("latches::Coordinate without close_at", Rule::LatchWithoutTrigger, &["coordinate"]),
    ("latches::close_distance of a hinge", Rule::LatchNoSlide, &["j", "revolute"]),
    ("latches::close_at of a free joint", Rule::LatchNoCoordinate, &["close_at", "j", "free"]),
    ("latches::release_direction of a hinge", Rule::LatchNoDirection, &["j", "revolute"]),
    ("latches::release_direction without impulse", Rule::LatchNoRelease, &[]),
    ("latches::Closed at start and moves", Rule::LatchMoves, &["j"]),
    ("latches::Latches in granular mode", Rule::LatchInDem, &[]),
    ("latches::Triggers in granular mode", Rule::TriggerInDem, &[]),
    (
        "latches::Output with another name", Rule::NotWatched,
        &[
            "j.angel", "j.angle", "j.angular_velocity",
            "bar.position[1]", "bar.position[2]", "bar.position[3]",
            "bar.velocity[1]", "bar.velocity[2]", "bar.velocity[3]",
            "bar.angular_velocity[1]", "bar.angular_velocity[2]", "bar.angular_velocity[3]",
        ],
    ),
    ("joints::power of a fixed joint", Rule::NoPower, &["fixed"]),
    ("forces::times are 1", Rule::TooFewTimes, &["1"]),
    ("forces::table: the slopes between its values are beyond 1.8e308", Rule::TooSteep, &[]),
    ("forces::name is \"a b\"", Rule::NotIdentifier, &["a b"]),
    ("scene::name is \"contact\"", Rule::NameReserved, &["contact"]),
    ("scene::this name is taken by another body", Rule::NameTaken, &["another body"]),
    ("libraries::Function with a bad name", Rule::NotAName, &["a b", "C function"]),
    ("joints::child \"baar\" is not a body", Rule::NotABody, &["child", "baar", "bar"]),
    ("keys::material_pair twice", Rule::MaterialsTwice, &[]),
    ("libraries::File of two libraries", Rule::FileTwice, &["text.so", "x86_64-linux", "rubber"]),
    ("motions::the body has a motion already", Rule::MotionTwice, &[]),
    ("pairs::Distance twice", Rule::DistanceTwice, &["1"]),
    ("pairs::Law and law none for the same shapes", Rule::LawTwice, &["1"]),
    ("pairs::Threshold set twice", Rule::SetTwice, &["1", "threshold", "floor.plate", "ball.sphere"]),
    ("joints::Child of two joints", Rule::ChildTwice, &["bar", "j"]),
    ("bodies::Position follows from the joint", Rule::FollowsFromJoint, &["position"]),
    ("bodies::Velocity follows from the motion", Rule::FollowsFromMotion, &["velocity"]),
    ("motions::end_speeds of what the table lacks", Rule::SpeedAlone, &["velocity", "displacement"]),
    ("pairs::Threshold with law none", Rule::NeverTouches, &["threshold"]),
    ("pairs::Pair that cannot touch", Rule::NeverTouch, &["wall", "floor"]),
    ("pairs::Pair of one body", Rule::OneBody, &["ball", "ball"]),
    ("pairs::Law for several pairs of materials", Rule::SeveralMaterials, &["Rubber-Steel, Rubber-Rubber"]),
    ("pairs::Layer on shapes of both materials", Rule::LayerOnBoth, &[]),
    ("pairs::Ball over an area", Rule::TouchInAPoint, &["floor.plate", "ball.sphere"]),
    ("pairs::Threshold over an area", Rule::RaisedInAPoint, &["floor.plate", "crate.box"]),
    (
        "pairs::stiffness_per_area in a point", Rule::AreaKeyInAPoint,
        &["stiffness_per_area", "floor.plate", "crate.capsule"],
    ),
    ("pairs::Area over an area", Rule::AreaOfFaces, &["area", "floor.plate", "crate.box"]),
    ("forms::a half-space cannot be a part of a compound", Rule::HalfSpaceInCompound, &[]),
    ("scene::a half-space has no end", Rule::HalfSpaceMoves, &[]),
    ("joints::Parent is child", Rule::ParentIsChild, &["bar"]),
    ("joints::Parent is driven", Rule::ParentDriven, &["hand"]),
    ("joints::Parent whose surface moves", Rule::ParentSurface, &["belt"]),
    ("joints::Joint with fixed steps", Rule::JointInDem, &["bar"]),
    ("pairs::Area with fixed steps", Rule::AreaInDem, &[]),
    ("libraries::User law with fixed steps", Rule::UserLawInDem, &[]),
    ("pairs::Impulse with fixed steps", Rule::ImpulseInDem, &[]),
    ("libraries::Compliant impulses of a user law", Rule::CompliantUserLaw, &[]),
];

fn out_of_range(quantity: &str, value: f64, allowed: &str) -> OutOfRange {
    OutOfRange::new(quantity, value, "", allowed)
}

fn kinds_of(normal: NormalKind) -> LawKinds {
    LawKinds {
        normal,
        ..LawKinds::of_scene(&LawOptions::DEFAULT)
    }
}

/// Scenes with flaws of laws.
fn law_flaws() -> Vec<(&'static str, LawFlaw)> {
    let [hertz, spring] = [NormalKind::Hertz, NormalKind::Spring].map(kinds_of);
    let contact = ContactKind::Area;
    let over_an_area = LawKinds { contact, ..spring };
    let unused = LawFlaw::Unused {
        key: "stiffness",
        number: Some(Number::Stiffness),
        kinds: hertz,
    };
    let range = LawFlaw::OutOfRange(out_of_range("restitution", 1.4, "in 0..1"));
    vec![
        ("scene::restitution is 1.4", range),
        (
            "laws::penetration and stiffness both say how stiff the contact is",
            LawFlaw::StiffnessTwice(["penetration", "stiffness"]),
        ),
        (
            "laws::stiffness has no meaning with law = \"hertz\"",
            unused,
        ),
        (
            "laws::Inferred damping with a threshold",
            LawFlaw::InferredThreshold,
        ),
        (
            "laws::stiffness is in N/m^1.5",
            LawFlaw::StiffnessUnit([1.5, 1.0], spring),
        ),
        (
            "laws::Law spring over an area",
            LawFlaw::ActsInAPoint(over_an_area, None),
        ),
        (
            "laws::stiffness is missing",
            LawFlaw::Missing(vec![Number::Stiffness], spring),
        ),
    ]
}

/// Scenes without contact data for two materials, and the law for which they would have to be.
fn means() -> Vec<(&'static str, [&'static str; 2], NoMean, Option<NormalKind>)> {
    let (hertz, spring) = (NormalKind::Hertz, NormalKind::Spring);
    let both = ["Rubber", "Steel"];
    let lacking = |name: &str, lack| NoMean::Lacking(vec![(name.to_owned(), lack)]);
    #[rustfmt::skip]
    let means = vec![
        ("laws::no contact data for materials \"Steel\" and \"Steel\"", ["Steel"; 2], NoMean::Same, Some(spring)),
        ("scene::No mean rubber has none", both, lacking("Rubber", Lack::Absent), Some(hertz)),
        ("laws::No mean steel never touches itself", both, lacking("Steel", Lack::Never), Some(hertz)),
        ("laws::No mean that of steel only observes", both, lacking("Steel", Lack::Observes), None),
        (
            "laws::No mean that of rubber has law spring that of steel", both,
            NoMean::Laws([spring, hertz]), Some(hertz),
        ),
        ("laws::No mean those of rubber and steel differ in damping", both, NoMean::Kinds, Some(hertz)),
        (
            "laws::No mean: that of Rubber has exponent 1, that of Steel 2", both,
            NoMean::Exponents([1.0, 2.0]), Some(hertz),
        ),
        (
            "laws::No mean that of rubber gives stiffness_per_area", ["Steel", "Rubber"],
            NoMean::OnePerArea(1), Some(hertz),
        ),
        (
            "laws::No mean that of rubber gives one layer", ["Steel", "Rubber"],
            NoMean::OneLayer(1), Some(hertz),
        ),
    ];
    means
}

/// Scenes with flaws of other kinds, and the item that these are about.
fn other_flaws() -> Vec<(&'static str, SceneItem, SceneFlaw)> {
    let scene = SceneItem::Scene;
    let force = SceneItem::Force(0);
    let forces = || "bodies that forces move: ball".to_owned();
    let jump = Jump {
        time: 1.0,
        before: [0.0; 4],
        after: [4.0, 0.0, 0.0, 0.0],
    };
    let range = SceneFlaw::OutOfRange(out_of_range("k_red", 0.0, "in 1e-12..1e12"));
    let moments = "principal moments of inertia are [1.0, 1.0, 5.0] kg.m2; none may exceed the sum of the \
                   other two";
    let names = ["world, bar, rod".to_owned()];
    let turned = [1.0, 1.0, 0.0, 0.0];
    #[rustfmt::skip]
    let flaws = vec![
        ("scene::k_red is 0", scene, range),
        (
            "bodies::Position beyond the largest number", scene,
            SceneFlaw::NotFinite("position", vec![0.0, 0.0, 1e200]),
        ),
        (
            "joints::parent_frame is the quaternion", scene,
            SceneFlaw::NotUnit("parent_frame", turned, std::f64::consts::SQRT_2),
        ),
        (
            "joints::second_axis is [1.0, 0.0, 0.0]", scene,
            SceneFlaw::Oblique([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        ),
        ("joints::angle.stop.restitution is 2", scene, SceneFlaw::Limits("angle", [1.0, -1.0])),
        ("forces::times[3] is 1 s after 1 s", force, SceneFlaw::Times(3, [1.0, 1.0])),
        ("motions::times[3] is 1 s after 1 s", SceneItem::Motion(0), SceneFlaw::Times(3, [1.0, 1.0])),
        ("forces::times[3] is 1 s after 1 s", scene, SceneFlaw::Counts([("force", 2), ("times", 3)])),
        ("forces::name is \"a b\"", scene, SceneFlaw::Unknown("body", "bal".into(), forces())),
        (
            "forces::body \"floor\" is fixed, so no force moves it", force,
            SceneFlaw::Motion("floor".into(), Motion::Fixed, forces()),
        ),
        ("scene::velocity is [1.0, 0.0, 0.0]", scene, SceneFlaw::FixedMoves("velocity", [1.0, 0.0, 0.0])),
        (
            "motions::end_speeds clamps a spline, and interpolation is \"linear\"", scene,
            SceneFlaw::EndSpeeds(Interpolation::Linear),
        ),
        (
            "motions::Velocity of a spline jumps under a joint", scene,
            SceneFlaw::Jump(jump, Interpolation::Spline, "slide".into()),
        ),
        (
            "contact::Report of more pairs than can be reported", scene,
            SceneFlaw::TooManyReported("\"all\" means".into(), 506),
        ),
        (
            "contact::Overlap of a ball", scene,
            SceneFlaw::NoPolyhedron("floor:ball".into(), "ball".into()),
        ),
        (
            "scene::principal moments of inertia are [1.0, 1.0, 5.0] kg.m2", scene,
            SceneFlaw::Geometry(moments.into()),
        ),
        ("joints::joint \"l\" closes a loop", scene, SceneFlaw::Broken(Rule::Loop, names.into())),
    ];
    flaws
}

/// Name of a variant, of its debug output.
fn variant(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    let end = text.find(|c: char| !c.is_ascii_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// `Enum::Variant` of all variants of an enum of fmu-core.
fn variants(file: &str, name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fmu-core")
        .join(file);
    let source = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let found = source.items.iter().find_map(|item| match item {
        syn::Item::Enum(found) if found.ident == name => Some(found),
        _ => None,
    });
    let variants = found
        .unwrap_or_else(|| panic!("no enum {name}"))
        .variants
        .iter();
    variants.map(|v| format!("{name}::{}", v.ident)).collect()
}

/// All names of kinds of flaws that a flaw has, from the outer to the inner ones.
fn kinds(flaw: &SceneFlaw) -> Vec<String> {
    let mut kinds = vec![format!("SceneFlaw::{}", variant(flaw))];
    match flaw {
        SceneFlaw::Broken(rule, _) => kinds.push(format!("Rule::{}", variant(rule))),
        SceneFlaw::Law(flaw) => kinds.push(format!("LawFlaw::{}", variant(flaw))),
        SceneFlaw::NoContactData(_, no_mean, _) => {
            kinds.push(format!("NoMean::{}", variant(no_mean)));
            if let NoMean::Lacking(materials) = no_mean {
                let lacks = materials
                    .iter()
                    .map(|(_, lack)| format!("Lack::{}", variant(lack)));
                kinds.extend(lacks);
            }
        }
        _ => {}
    }
    kinds
}

/// A case of the book's pages on messages, by `TOPIC::TITLE`.
fn case(name: &str) -> String {
    let (topic, title) = name.split_once("::").expect("a topic");
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/reference/messages");
    let page = fs::read_to_string(pages.join(topic).with_extension("md")).expect(name);
    let heading = format!("\n### {title}\n");
    let (_, case) = page.split_once(&heading).expect(name);
    case.split("\n### ").next().unwrap_or_default().to_owned()
}

#[test]
fn every_kind_of_flaw_has_a_scene() {
    let rules = RULES.iter().map(|(scene, rule, names)| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        (*scene, SceneItem::Scene, SceneFlaw::Broken(*rule, names))
    });
    let mut shown = BTreeSet::new();
    let laws = law_flaws().into_iter();
    let laws = laws.map(|(scene, flaw)| (scene, SceneItem::Scene, SceneFlaw::Law(flaw)));
    let means = means().into_iter().map(|(scene, names, why, law)| {
        let names = names.map(str::to_owned);
        let flaw = SceneFlaw::NoContactData(names, why, law.map(kinds_of));
        (scene, SceneItem::Scene, flaw)
    });
    let mut missing = Vec::new();
    for (scene, item, flaw) in rules.chain(laws).chain(means).chain(other_flaws()) {
        shown.extend(kinds(&flaw));
        let wanted = message(&SceneError {
            item,
            field: "",
            subject: String::new(),
            flaw: Box::new(flaw),
        });
        let text = case(scene);
        let has_line = |wanted: &str| text.lines().any(|line| line.ends_with(wanted));
        let help = wanted.help.iter().flat_map(|help| help.lines());
        let first = wanted.help.iter().filter_map(|help| help.lines().next());
        let is_told = has_line(&wanted.message)
            && help.clone().all(has_line)
            && first
                .clone()
                .all(|line| has_line(&format!("= help: {line}")));
        if !is_told {
            missing.push(format!("{scene}: {}", wanted.in_one_line()));
        }
    }
    let all = [
        ("model/src/scene/flaw.rs", "SceneFlaw"),
        ("model/src/scene/flaw.rs", "Rule"),
        ("model/src/scene/flaw.rs", "NoMean"),
        ("model/src/scene/flaw.rs", "Lack"),
        ("laws/src/response/flaws.rs", "LawFlaw"),
    ];
    for kind in all.iter().flat_map(|(file, name)| variants(file, name)) {
        let unreachable = UNREACHABLE.iter().any(|(name, _)| *name == kind);
        if shown.contains(&kind) == unreachable {
            missing.push(kind);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
