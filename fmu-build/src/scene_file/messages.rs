//! What users read of a flaw of a scene: its facts, and what to write in the scene file.

use super::diagnostics::Finding;
use super::walker::suggestion;
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::{Damping, NormalKind};
use contact_laws::response::flaws::{LawFlaw, stiffness_unit};
use contact_laws::response::{LawChoice, LawKinds, Number};
use contact_model::scene::description::{Interpolation, Motion};
use contact_model::scene::flaw::{Lack, NoMean, Rule, SceneFlaw, filled};
use contact_model::scene::{SceneError, SceneItem};

/// What is wrong and what to do, naming the item.
pub(crate) fn message(error: &SceneError) -> Finding {
    let of_item = |finding: Finding| finding.of(&error.subject);
    let help = match &*error.flaw {
        SceneFlaw::Broken(rule, names) => return of_item(broken(*rule, names, error.field)),
        SceneFlaw::Law(flaw) => return of_item(law(flaw)),
        SceneFlaw::NoContactData(materials, no_mean, kinds) => {
            return no_contact_data(materials, no_mean, kinds.as_ref());
        }
        SceneFlaw::Motion(body, found, needed) => {
            return of_item(motion(error.item, body, *found, needed));
        }
        SceneFlaw::EndSpeeds(interpolation) => return of_item(end_speeds(*interpolation)),
        SceneFlaw::Times(..) => match error.item {
            SceneItem::Force(_) => "where the force jumps, let it rise within a short time",
            _ => "where the body jumps, let it move within a short time",
        },
        SceneFlaw::Mass(_) => "make its shapes smaller or lighter",
        SceneFlaw::CenterOfMass(_) => "make its shapes smaller or lighter, or give center_of_mass",
        SceneFlaw::Jump(_, Interpolation::Linear, _) => {
            "write interpolation = \"quintic\" or \"trapezoid\", or \"spline\" with end_speeds = 0, or jump = \"impulse\" \
             beside the table: then the joints transmit impulses"
        }
        SceneFlaw::Jump(..) => {
            "the body rests before the first and after the last time: write end_speeds = 0 beside \
             interpolation = \"spline\", or jump = \"impulse\" beside the table: then the joints transmit impulses"
        }
        SceneFlaw::TooManyReported(..) => {
            "name fewer bodies or single shapes, such as \"ball:table.cushion\""
        }
        SceneFlaw::NoPolyhedron(..) => {
            "an intersection needs boxes, hulls, parts of meshes or a half-space, without shell or threshold, with \
             smoothing_radius = 0 where they touch in a point"
        }
        _ => return error.to_string().into(),
    };
    (error.to_string(), help).into()
}

/// What is wrong in several places and what to do, a line for each.
pub(crate) fn in_lines(errors: &[SceneError]) -> String {
    let lines = errors.iter().map(|error| message(error).in_one_line());
    lines.collect::<Vec<_>>().join("\n")
}

/// A broken rule: its facts with advice, or another text where these say it without keys.
fn broken(rule: Rule, names: &[String], field: &str) -> Finding {
    if let (Rule::NotWatched, [name, known @ ..]) = (rule, names) {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let finding = Finding::from(filled(rule.facts(), names));
        return match suggestion(name, &known) {
            Some(likely) => finding.with_help(format!("did you mean {likely:?}?")),
            None => finding,
        };
    }
    let (text, help) = match rule {
        Rule::NoMotion => (
            "motion is \"prescribed\", but nothing says how it moves",
            "add a [[motion]] with body = {0:?}",
        ),
        Rule::NoJoint => (
            "motion is \"joint\", but no joint has it as child",
            "add a [[joint]] with child = {0:?}",
        ),
        Rule::HalfSpaceMoves => (
            "a half-space has no end",
            "its body must have motion = \"fixed\"",
        ),
        Rule::NeverTouches => (
            "{0} has no meaning with law = \"none\"",
            "remove one of the two",
        ),
        Rule::NeverTouch if matches!(field, "report" | "overlap") => (
            "{0} and {1} never touch: both are fixed, one takes no part in contact, or their \
             collision_group, exclude or a response of none keeps them apart",
            "",
        ),
        Rule::NeverTouch => (
            "{0} and {1} never touch: both are fixed, one takes no part in contact, or their \
             collision_group, exclude or law = \"none\" keeps them apart",
            "",
        ),
        Rule::LawTwice => (
            "pair number {0} gives a law to the same shapes, and one of the two is law = \"none\"",
            "keep one, or name the shapes in one of them",
        ),
        _ => (rule.facts(), advice(rule)),
    };
    match (filled(text, names), filled(help, names)) {
        (text, help) if help.is_empty() => text.into(),
        both => both.into(),
    }
}

/// What to do about a broken rule.
fn advice(rule: Rule) -> &'static str {
    match rule {
        Rule::NoGrain => "give it a lattice, a fill or a file",
        Rule::NoBody => "add at least one [[body]]",
        Rule::NoFile => "write file = \"...\" or files = { x86_64-linux = \"...\" }",
        Rule::NoForce | Rule::NoDisplacement => "give at least one of them",
        Rule::NoPart => "list at least one",
        Rule::NoLimit => "give at least one",
        Rule::NoMass => "give mass and inertia, or a shape of a material with density > 0",
        Rule::NoInertia => "give inertia [kg.m2] about the centre of mass",
        Rule::NoThickness => "give it a thin one, such as \"1 mm\"",
        Rule::NoCylinder => "write a sphere instead",
        Rule::NoPower => "remove it",
        Rule::NoOverlap => "remove it, or name pairs there: overlap = \"all\"",
        Rule::TooSteep => "give times that lie farther apart",
        Rule::NameReserved => "choose another one",
        Rule::FileTwice => "inside the FMU both would be one file: rename it, or use one library",
        Rule::MotionTwice | Rule::DistanceTwice => "keep one of the two",
        Rule::SetTwice => "keep one of the two, or name the shapes in one of them",
        Rule::ChildTwice => {
            "swap parent and child of one of them (angles and displacements change their sign)"
        }
        Rule::FollowsFromJoint | Rule::FollowsFromMotion => "remove {0}",
        Rule::SpeedAlone => "give {1}, or leave {0} away",
        Rule::OneBody => "remove the entry",
        Rule::SeveralMaterials | Rule::LayerOnBoth => "name the shapes",
        Rule::RaisedInAPoint => "remove contact = \"area\", or the threshold or shell",
        Rule::AreaKeyInAPoint | Rule::AreaOfFaces => "remove it",
        Rule::HalfSpaceInCompound => "make it a shape of its own",
        Rule::CompoundInCompound => "list its parts directly",
        Rule::ParentIsChild => "name two bodies",
        Rule::ParentDriven => "drive the child too, or put both bodies into one model",
        Rule::ParentSurface => "join the child to the world",
        Rule::AreaInDem => "write contact = \"point\" in [contact], or another solver",
        Rule::JointInDem | Rule::LatchInDem | Rule::TriggerInDem | Rule::UserLawInDem => {
            "write another solver"
        }
        Rule::LatchOfFixed => "give the joint another type, such as \"free\"",
        Rule::LatchTwice => "remove one of them",
        Rule::LatchTwoTriggers => "keep one of them",
        Rule::LatchInputAndTime => "remove one of the two",
        Rule::LatchWithoutTrigger
        | Rule::LatchNoSlide
        | Rule::LatchNoCoordinate
        | Rule::LatchNoDirection
        | Rule::LatchNoRelease => "remove it",
        Rule::LatchMoves => "let it start at rest, or write closed = false",
        Rule::ImpulseInDem => "write response = \"force\", or another solver",
        Rule::CompliantUserLaw => "choose multi_impact = \"propagate\" or \"together\"",
        Rule::Loop => {
            "remove one joint of the loop, or hold its bodies together by a contact or by stiff \
             forces"
        }
        _ => "",
    }
}

/// A body that moves otherwise than a force, a motion or a joint needs it.
fn motion(item: SceneItem, body: &str, found: Motion, needed: &str) -> Finding {
    let word = found.word();
    match item {
        SceneItem::Force(_) => {
            let message = format!("body {body:?} is {word}, so no force moves it");
            (message, needed).into()
        }
        SceneItem::Motion(_) => {
            let message = format!("body {body:?} has motion = {word:?}");
            let finding = Finding::from((message, "write motion = \"prescribed\" there"));
            finding.with_help(needed)
        }
        _ => {
            let swap = match found {
                Motion::Free => "",
                _ => ", or swap parent and child",
            };
            (
                format!("its child {body:?} has motion = {word:?}"),
                format!("write motion = \"joint\" there, or leave motion away{swap}"),
            )
                .into()
        }
    }
}

fn end_speeds(interpolation: Interpolation) -> Finding {
    let parts = match interpolation {
        Interpolation::Linear => (
            "end_speeds clamps a spline, and interpolation is \"linear\"",
            "write interpolation = \"spline\" beside it, or remove it",
        ),
        _ => (
            "end_speeds clamps a spline; quintic and trapezoid rest at each time anyway",
            "remove it",
        ),
    };
    parts.into()
}

fn no_contact_data(names: &[String; 2], no_mean: &NoMean, kinds: Option<&LawKinds>) -> Finding {
    let [a, b] = names;
    let reason = match no_mean {
        NoMean::Same => None,
        NoMean::Lacking(materials) => {
            let texts = materials.iter().map(|(material, lack)| match lack {
                Lack::Absent => format!("{material:?} has none"),
                Lack::Never => format!("{material:?} never touches itself"),
                Lack::Observes => format!("that of {material:?} only observes"),
                Lack::Incomplete => format!("that of {material:?} is incomplete"),
            });
            Some(texts.collect::<Vec<_>>().join(", "))
        }
        NoMean::Laws([x, y]) => {
            let [x, y] = [x.word(), y.word()];
            Some(format!(
                "that of {a:?} has law = {x:?}, that of {b:?} {y:?}"
            ))
        }
        NoMean::Kinds => Some(format!(
            "those of {a:?} and {b:?} differ in damping, friction or another kind"
        )),
        NoMean::Exponents([n, m]) => Some(format!(
            "that of {a:?} has exponent = {n}, that of {b:?} {m}"
        )),
        NoMean::Numbers => Some("numbers are missing".to_owned()),
        NoMean::OnePerArea(index) => {
            let (gives, other) = (&names[*index], &names[1 - index]);
            Some(format!(
                "over an area that of {gives:?} gives stiffness_per_area, that of {other:?} does not"
            ))
        }
        NoMean::OneLayer(index) => Some(format!(
            "over an area that of {:?} gives layer_depth for one of its shapes only",
            names[*index]
        )),
    };
    let reason = reason.map_or(String::new(), |reason| {
        format!(", and no mean of their self pairs: {reason}")
    });
    let mut lines = match kinds {
        None => vec!["law = \"observer\"".to_owned()],
        Some(kinds) => example_lines(kinds),
    };
    if matches!(no_mean, NoMean::OnePerArea(_)) {
        lines.push(line(Number::StiffnessPerArea));
    }
    let message = format!("no contact data for materials {a:?} and {b:?}{reason}");
    let pair = format!("add\n  [[material_pair]]\n  materials = [{a:?}, {b:?}]");
    (message, format!("{pair}\n  {}", lines.join("\n  "))).into()
}

/// A flaw of a law.
fn law(flaw: &LawFlaw) -> Finding {
    match flaw {
        LawFlaw::OutOfRange(_) => flaw.to_string().into(),
        LawFlaw::StiffnessTwice(_) => (flaw.to_string(), "keep one").into(),
        LawFlaw::ActsInAPoint(kinds, exponent) => {
            let (law, take) = match exponent {
                Some(n) => (format!(" with exponent = {n}"), "exponent = 1"),
                None => (String::new(), "law = \"hertz\" or \"volume\""),
            };
            (
                format!("law = {:?}{law} acts in a point", kinds.normal.word()),
                format!("take {take}, or contact = \"point\""),
            )
                .into()
        }
        LawFlaw::Unused {
            key,
            number: Some(number),
            kinds,
        } => unused_number(kinds, *number, key),
        LawFlaw::Unused {
            key,
            number: None,
            kinds,
        } => {
            let message = format!("{key} has no meaning with {}", at_fault(key, kinds));
            (message, "remove it").into()
        }
        LawFlaw::InferredThreshold => (
            "restitution_rule = \"threshold\" jumps with the impact speed, so damping = \"inferred\" cannot follow it",
            "write damping = \"exact\", or restitution_rule = \"regularized\" or \"constant\"",
        )
            .into(),
        LawFlaw::StiffnessUnit([found, wanted], kinds) => {
            let [found, unit] = [found, wanted].map(|exponent| stiffness_unit(*exponent));
            let message = format!("stiffness is in {found}");
            match kinds.uses(Number::Exponent) {
                true => Finding::from((
                    format!("{message}; with exponent = {wanted} its unit is {unit}"),
                    "change one of the two",
                )),
                false => {
                    let law = kinds.normal.word();
                    format!("{message}; with law = {law:?} its unit is {unit}").into()
                }
            }
        }
        LawFlaw::Missing(numbers, kinds) => missing(kinds, numbers),
    }
}

/// The setting with which a kind of law has no meaning.
fn at_fault(key: &str, kinds: &LawKinds) -> String {
    let law = format!("law = {:?}", kinds.normal.word());
    match key {
        "impact_speed" if kinds.is_inferred() => "damping = \"inferred\"".to_owned(),
        "impact_speed" | "restitution_rule" if kinds.is_damped() => {
            "damping = \"constant\"".to_owned()
        }
        "step" => format!("{law} and friction = {:?}", kinds.friction.word()),
        _ => law,
    }
}

/// Says that numbers are missing, with the lines to add.
fn missing(kinds: &LawKinds, numbers: &[Number]) -> Finding {
    let keys: Vec<&str> = numbers.iter().map(|number| file_key(*number)).collect();
    let word = if keys.len() == 1 { "is" } else { "are" };
    let (keys, settings) = (keys.join(", "), settings(kinds));
    let mut help = "add".to_owned();
    for number in numbers {
        help.push_str("\n  ");
        help.push_str(&line(*number));
    }
    (
        format!("{keys} {word} missing, which {settings} needs"),
        help,
    )
        .into()
}

/// The lines of a scene file that state a complete law of these kinds, less what has a default.
fn example_lines(kinds: &LawKinds) -> Vec<String> {
    match LawChoice::new(*kinds, |_| None) {
        Ok(_) => Vec::new(),
        Err(missing) => missing.into_iter().map(line).collect(),
    }
}

/// `restitution = 0.5`.
fn line(number: Number) -> String {
    format!("{} = {}", file_key(number), number.file_key().example)
}

/// The key of a scene file that gives a number.
fn file_key(number: Number) -> &'static str {
    match number {
        Number::LayerDepth1 | Number::LayerDepth2 => "layer_depth",
        Number::User(_) => "user",
        _ => number.key(),
    }
}

/// The kinds on which it depends which numbers are needed: `law = "hertz" with damping = "exact"`.
fn settings(kinds: &LawKinds) -> String {
    let mut text = format!("law = {:?}", kinds.normal.word());
    let mut parts = Vec::new();
    if kinds.is_damped() && kinds.damping == Damping::Constant {
        parts.push("damping = \"constant\"".to_owned());
    }
    if kinds.uses(Number::SlidingFriction) {
        parts.push(format!("friction = {:?}", kinds.friction.word()));
    }
    if kinds.has_impulse() {
        parts.push("response = \"impulse\"".to_owned());
    }
    if !parts.is_empty() {
        text.push_str(&format!(" with {}", parts.join(", ")));
    }
    text
}

/// Says that a number has no meaning, and with which words it would have one.
fn unused_number(kinds: &LawKinds, number: Number, key: &'static str) -> Finding {
    let key = match number {
        Number::Stiffness | Number::StiffnessPerArea => key,
        _ => file_key(number),
    };
    fn good<K: Keyword>(uses: impl Fn(K) -> bool) -> Vec<String> {
        let good = K::WORDS.iter().filter(|(_, value)| uses(*value));
        good.map(|(word, _)| format!("{word:?}")).collect()
    }
    let responses = good(|response| LawKinds { response, ..*kinds }.uses(number));
    let contacts = good(|contact| LawKinds { contact, ..*kinds }.uses(number));
    let frictions = good(|friction| LawKinds { friction, ..*kinds }.uses(number));
    let dampings = good(|damping| LawKinds { damping, ..*kinds }.uses(number));
    let laws = good(|normal| LawKinds { normal, ..*kinds }.uses(number));
    // Damping and contact before law: what they change, another law would change by the way.
    let axes = [
        ("response", kinds.response.word(), responses),
        ("contact", kinds.contact.word(), contacts),
        ("friction", kinds.friction.word(), frictions),
        ("damping", kinds.damping.word(), dampings),
        ("law", kinds.normal.word(), laws),
    ];
    let axis = axes.iter().find(|(_, _, good)| !good.is_empty());
    let (message, help) = match axis {
        Some((axis, found, good)) => (
            format!("{key} has no meaning with {axis} = {found:?}"),
            format!("remove it, or choose {axis} = {}", good.join(" or ")),
        ),
        None => (
            format!(
                "{key} has no meaning with law = {:?} and friction = {:?}",
                kinds.normal.word(),
                kinds.friction.word()
            ),
            "remove it".to_owned(),
        ),
    };
    let mut finding = Finding::from((message, help));
    if number == Number::Stiffness && kinds.normal == NormalKind::Hertz {
        finding = finding.with_help(
            "law = \"hertz\" takes the stiffness from moduli and shapes, law = \"spring\" with exponent = 1.5 is a \
             Hertz contact of given stiffness",
        );
    }
    if number == Number::Stiffness && kinds.may_cover_area() {
        finding = finding.with_help(
            "that of pairs over an area is stiffness_per_area, or penetration = { depth, pressure }",
        );
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::response::choice::LawOptions;
    use contact_model::scene::curve::Jump;

    fn of(item: SceneItem, field: &'static str, flaw: SceneFlaw) -> String {
        let error = SceneError {
            item,
            field,
            subject: "it: ".into(),
            flaw: Box::new(flaw),
        };
        message(&error).in_one_line()
    }

    #[test]
    fn a_broken_rule_is_told_with_what_to_do() {
        let (pair, contact) = (SceneItem::Pair(0), SceneItem::Contact);
        let shape = SceneItem::Shape(0, 0);
        let never = "it: a and b never touch: both are fixed, one takes no part in contact, or their \
                     collision_group, exclude or";
        for (item, field, rule, names, text) in [
            (
                shape,
                "compound",
                Rule::NoPart,
                &[][..],
                "it: compound has no part; list at least one",
            ),
            (
                shape,
                "half_space",
                Rule::HalfSpaceInCompound,
                &[],
                "it: a half-space cannot be a part of a compound; make it a shape of its own",
            ),
            (
                shape,
                "compound",
                Rule::CompoundInCompound,
                &[],
                "it: a compound cannot be a part of a compound; list its parts directly",
            ),
            (
                pair,
                "between",
                Rule::NeverTouch,
                &["a", "b"],
                &format!("{never} law = \"none\" keeps them apart"),
            ),
            (
                contact,
                "report",
                Rule::NeverTouch,
                &["a", "b"],
                &format!("{never} a response of none keeps them apart"),
            ),
            (
                pair,
                "between",
                Rule::OneBody,
                &["ball", "ball.ball"],
                "it: ball and ball.ball are of one body; its shapes never collide; remove the entry",
            ),
            (
                pair,
                "threshold",
                Rule::SetTwice,
                &["1", "threshold", "plate.plate", "ball.ball"],
                "it: pair number 1 gives a threshold to plate.plate and ball.ball too; keep one of the \
                 two, or name the shapes in one of them",
            ),
            (
                pair,
                "distance",
                Rule::DistanceTwice,
                &["1"],
                "it: distance is an output of pair number 1 already; keep one of the two",
            ),
            (
                pair,
                "layer_depth_1",
                Rule::LayerOnBoth,
                &[],
                "it: the layer of either depth would lie on shapes of both materials; name the shapes",
            ),
            (
                SceneItem::Motion(0),
                "end_speeds",
                Rule::SpeedAlone,
                &["angular_speed", "angle"],
                "it: end_speeds.angular_speed is not zero and the table has no angle; give angle, or leave \
                 angular_speed away",
            ),
            (
                SceneItem::Library(0),
                "files",
                Rule::FileTwice,
                &["law.so", "x86_64-linux", "rubber"],
                "it: law.so for x86_64-linux is the name of a file of library \"rubber\" too; inside the \
                 FMU both would be one file: rename it, or use one library",
            ),
            (
                SceneItem::Library(0),
                "file",
                Rule::NoFile,
                &[],
                "it: there is no file; write file = \"...\" or files = { x86_64-linux = \"...\" }",
            ),
        ] {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(of(item, field, SceneFlaw::Broken(rule, names)), text);
        }
    }

    #[test]
    fn numbers_are_told_with_what_to_do() {
        let body = SceneItem::Body(0);
        assert_eq!(
            of(body, "", SceneFlaw::Mass(f64::INFINITY)),
            "it: mass is inf kg and inertia not a finite number; make its shapes smaller or lighter"
        );
        assert_eq!(
            of(
                body,
                "center_of_mass",
                SceneFlaw::CenterOfMass([f64::NAN; 3])
            ),
            "it: centre of mass is [NaN, NaN, NaN] m, not finite numbers; make its shapes smaller or \
             lighter, or give center_of_mass"
        );
        let reported = SceneFlaw::TooManyReported("a:hills means".into(), 512);
        assert_eq!(
            of(SceneItem::Contact, "report", reported),
            "it: a:hills means 512 pairs, each two convex parts that can touch; at most 500 can be \
             reported; name fewer bodies or single shapes, such as \"ball:table.cushion\""
        );
        let rounded = SceneFlaw::NoPolyhedron("crate:ball".into(), "ball".into());
        assert_eq!(
            of(SceneItem::Contact, "overlap", rounded),
            "it: crate:ball: ball is not a polyhedron with sharp edges; an intersection needs boxes, \
             hulls, parts of meshes or a half-space, without shell or threshold, with smoothing_radius = 0 \
             where they touch in a point"
        );
        let jump = Jump {
            time: 1.0,
            before: [0.0; 4],
            after: [2.0, 0.0, 0.0, 1.0],
        };
        let jump = |interpolation| SceneFlaw::Jump(jump, interpolation, "hinge".into());
        let what = "it: table: at 1.0 s the velocity jumps from [0.0, 0.0, 0.0] to [2.0, 0.0, 0.0] m/s and \
                    the angular speed jumps from 0.0 to 1.0 rad/s; joint \"hinge\" hangs on the body, so \
                    that what it carries would be dragged along without a force; ";
        let motion = SceneItem::Motion(0);
        assert_eq!(
            of(motion, "table", jump(Interpolation::Linear)),
            format!(
                "{what}write interpolation = \"quintic\" or \"trapezoid\", or \"spline\" with end_speeds = 0, or \
                 jump = \"impulse\" beside the table: then the joints transmit impulses"
            )
        );
        assert_eq!(
            of(motion, "table", jump(Interpolation::Spline)),
            format!(
                "{what}the body rests before the first and after the last time: write end_speeds = 0 \
                 beside interpolation = \"spline\", or jump = \"impulse\" beside the table: then the joints transmit \
                 impulses"
            )
        );
    }

    #[test]
    fn missing_and_idle_numbers_of_laws_are_told_with_lines_and_words() {
        let kinds = |normal| LawKinds {
            normal,
            ..LawKinds::of_scene(&LawOptions::DEFAULT)
        };
        let of_law = |flaw| of(SceneItem::Pair(0), "", SceneFlaw::Law(flaw));
        let numbers = vec![Number::Stiffness];
        assert_eq!(
            of_law(LawFlaw::Missing(numbers, kinds(NormalKind::Spring))),
            "it: stiffness is missing, which law = \"spring\" with friction = \"regularized\" needs; add\n  \
             stiffness = 1e6"
        );
        let unused = LawFlaw::Unused {
            key: "stiffness",
            number: Some(Number::Stiffness),
            kinds: kinds(NormalKind::Hertz),
        };
        assert_eq!(
            of_law(unused),
            "it: stiffness has no meaning with law = \"hertz\"; remove it, or choose law = \"spring\" or \
             \"impact\" or \"poisson\"; law = \"hertz\" takes the stiffness from moduli and shapes, law = \
             \"spring\" with exponent = 1.5 is a Hertz contact of given stiffness; that of pairs over an area is \
             stiffness_per_area, or penetration = { depth, pressure }"
        );
        let lacking = vec![("Tin".to_owned(), Lack::Incomplete)];
        let flaw = SceneFlaw::NoContactData(
            ["Steel".to_owned(), "Tin".to_owned()],
            NoMean::Lacking(lacking),
            None,
        );
        let error = SceneError {
            item: SceneItem::Shape(0, 0),
            field: "material",
            subject: String::new(),
            flaw: Box::new(flaw),
        };
        assert_eq!(
            message(&error).in_one_line(),
            "no contact data for materials \"Steel\" and \"Tin\", and no mean of their self pairs: that \
             of \"Tin\" is incomplete; add\n  [[material_pair]]\n  materials = [\"Steel\", \"Tin\"]\n  \
             law = \"observer\""
        );
    }
}
