//! Every kind of flaw of a scene has a scene that shows it, as far as a scene file can have it.

use super::folder;
use crate::scene_file::messages::message;
use contact_laws::response::flaws::{LawFlaw, OutOfRange};
use contact_laws::response::options::{ContactKind, LawOptions, NormalKind};
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
const RULES: [(&str, Rule, &[&str]); 62] = [
    ("layers/format_is_missing", Rule::NoBody, &[]),
    ("libraries/library_without_a_file", Rule::NoFile, &[]),
    ("forces/neither_force_nor_torque_is_given", Rule::NoForce, &[]),
    ("motions/neither_displacement_nor_angle_is_given", Rule::NoDisplacement, &[]),
    ("forms/compound_has_no_part", Rule::NoPart, &[]),
    ("joints/stop_without_a_limit", Rule::NoLimit, &["angle"]),
    ("contact/sparsification_without_overlap", Rule::NoOverlap, &["sparsification"]),
    ("scene/has_no_mass", Rule::NoMass, &[]),
    ("values/has_mass_but_no_inertia", Rule::NoInertia, &[]),
    ("motions/motion_is_prescribed_but_nothing_says_how_it_moves", Rule::NoMotion, &["bar"]),
    ("joints/motion_is_joint_but_no_joint_has_it_as_child", Rule::NoJoint, &["bar"]),
    ("joints/axis_is_the_zero_vector", Rule::NoDirection, &["axis"]),
    ("forms/thickness_is_0_m", Rule::NoThickness, &["thickness"]),
    ("forms/length_is_0_m", Rule::NoCylinder, &[]),
    ("latches/joint_is_fixed", Rule::LatchOfFixed, &["j"]),
    ("latches/two_latches_of_one_joint_and_of_one_name", Rule::LatchTwice, &["j", "l"]),
    ("latches/close_at_and_close_distance", Rule::LatchTwoTriggers, &[]),
    ("latches/times_beside_an_input", Rule::LatchInputAndTime, &["open_time"]),
    ("latches/coordinate_without_close_at", Rule::LatchWithoutTrigger, &["coordinate"]),
    ("latches/close_distance_of_a_hinge", Rule::LatchNoSlide, &["j", "revolute"]),
    ("latches/close_at_of_a_free_joint", Rule::LatchNoCoordinate, &["close_at", "j", "free"]),
    ("latches/release_direction_of_a_hinge", Rule::LatchNoDirection, &["j", "revolute"]),
    ("latches/release_direction_without_impulse", Rule::LatchNoRelease, &[]),
    ("latches/closed_at_start_and_moves", Rule::LatchMoves, &["j"]),
    ("latches/latches_in_granular_mode", Rule::LatchInDem, &[]),
    ("joints/power_of_a_fixed_joint", Rule::NoPower, &["fixed"]),
    ("forces/times_are_1", Rule::TooFewTimes, &["1"]),
    ("forces/table_the_slopes_between_its_values_are_beyond_1", Rule::TooSteep, &[]),
    ("forces/name_is_a_b", Rule::NotIdentifier, &["a b"]),
    ("scene/name_is_contact", Rule::NameReserved, &["contact"]),
    ("scene/this_name_is_taken_by_another_body", Rule::NameTaken, &["another body"]),
    ("libraries/function_with_a_bad_name", Rule::NotAName, &["a b", "C function"]),
    ("joints/child_baar_is_not_a_body", Rule::NotABody, &["child", "baar", "bar"]),
    ("keys/material_pair_twice", Rule::MaterialsTwice, &[]),
    ("libraries/file_of_two_libraries", Rule::FileTwice, &["text.so", "x86_64-linux", "rubber"]),
    ("motions/the_body_has_a_motion_already", Rule::MotionTwice, &[]),
    ("pairs/distance_twice", Rule::DistanceTwice, &["1"]),
    ("pairs/law_and_law_none_for_the_same_shapes", Rule::LawTwice, &["1"]),
    ("pairs/threshold_set_twice", Rule::SetTwice, &["1", "threshold", "floor.plate", "ball.sphere"]),
    ("joints/child_of_two_joints", Rule::ChildTwice, &["bar", "j"]),
    ("bodies/position_follows_from_the_joint", Rule::FollowsFromJoint, &["position"]),
    ("bodies/velocity_follows_from_the_motion", Rule::FollowsFromMotion, &["velocity"]),
    ("motions/end_speeds_of_what_the_table_lacks", Rule::SpeedAlone, &["velocity", "displacement"]),
    ("pairs/threshold_with_law_none", Rule::NeverTouches, &["threshold"]),
    ("pairs/pair_that_cannot_touch", Rule::NeverTouch, &["wall", "floor"]),
    ("pairs/pair_of_one_body", Rule::OneBody, &["ball", "ball"]),
    ("pairs/law_for_several_pairs_of_materials", Rule::SeveralMaterials, &["Rubber-Steel, Rubber-Rubber"]),
    ("pairs/layer_on_shapes_of_both_materials", Rule::LayerOnBoth, &[]),
    ("pairs/ball_over_an_area", Rule::TouchInAPoint, &["floor.plate", "ball.sphere"]),
    ("pairs/threshold_over_an_area", Rule::RaisedInAPoint, &["floor.plate", "crate.box"]),
    (
        "pairs/stiffness_per_area_in_a_point", Rule::AreaKeyInAPoint,
        &["stiffness_per_area", "floor.plate", "crate.capsule"],
    ),
    ("pairs/area_over_an_area", Rule::AreaOfFaces, &["area", "floor.plate", "crate.box"]),
    ("forms/a_half_space_cannot_be_a_part_of_a_compound", Rule::HalfSpaceInCompound, &[]),
    ("scene/a_half_space_has_no_end", Rule::HalfSpaceMoves, &[]),
    ("joints/parent_is_child", Rule::ParentIsChild, &["bar"]),
    ("joints/parent_is_driven", Rule::ParentDriven, &["hand"]),
    ("joints/parent_whose_surface_moves", Rule::ParentSurface, &["belt"]),
    ("joints/joint_with_fixed_steps", Rule::JointInDem, &["bar"]),
    ("pairs/area_with_fixed_steps", Rule::AreaInDem, &[]),
    ("libraries/user_law_with_fixed_steps", Rule::UserLawInDem, &[]),
    ("pairs/impulse_with_fixed_steps", Rule::ImpulseInDem, &[]),
    ("libraries/compliant_impulses_of_a_user_law", Rule::CompliantUserLaw, &[]),
];

fn out_of_range(quantity: &str, value: f64, allowed: &str) -> OutOfRange {
    OutOfRange::new(quantity, (value, ""), allowed)
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
        ("scene/restitution_is_1_4", range),
        (
            "laws/penetration_and_stiffness_both_say_how_stiff_the",
            LawFlaw::StiffnessTwice(["penetration", "stiffness"]),
        ),
        ("laws/stiffness_has_no_meaning_with_law_hertz", unused),
        (
            "laws/inferred_damping_with_a_threshold",
            LawFlaw::InferredThreshold,
        ),
        (
            "laws/stiffness_is_in_n_m_1_5",
            LawFlaw::StiffnessUnit([1.5, 1.0], spring),
        ),
        (
            "laws/law_spring_over_an_area",
            LawFlaw::ActsInAPoint(over_an_area, None),
        ),
        (
            "laws/stiffness_is_missing",
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
        ("laws/no_contact_data_for_materials_steel_and_steel", ["Steel"; 2], NoMean::Same, Some(spring)),
        ("scene/no_mean_rubber_has_none", both, lacking("Rubber", Lack::Absent), Some(hertz)),
        ("laws/no_mean_steel_never_touches_itself", both, lacking("Steel", Lack::Never), Some(hertz)),
        ("laws/no_mean_that_of_steel_only_observes", both, lacking("Steel", Lack::Observes), None),
        (
            "laws/no_mean_that_of_rubber_has_law_spring_that_of_steel", both,
            NoMean::Laws([spring, hertz]), Some(hertz),
        ),
        ("laws/no_mean_those_of_rubber_and_steel_differ_in_damping", both, NoMean::Kinds, Some(hertz)),
        (
            "laws/no_mean_that_of_rubber_has_exponent_1_that_of_steel", both,
            NoMean::Exponents([1.0, 2.0]), Some(hertz),
        ),
        (
            "laws/no_mean_that_of_rubber_gives_stiffness_per_area", ["Steel", "Rubber"],
            NoMean::OnePerArea(1), Some(hertz),
        ),
        (
            "laws/no_mean_that_of_rubber_gives_one_layer", ["Steel", "Rubber"],
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
        ("scene/k_red_is_0", scene, range),
        (
            "bodies/position_beyond_the_largest_number", scene,
            SceneFlaw::NotFinite("position", vec![0.0, 0.0, 1e200]),
        ),
        (
            "joints/parent_frame_is_the_quaternion", scene,
            SceneFlaw::NotUnit("parent_frame", turned, std::f64::consts::SQRT_2),
        ),
        (
            "joints/second_axis_is_1_0_0_0_0_0", scene,
            SceneFlaw::Oblique([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        ),
        ("joints/angle_stop_restitution_is_2", scene, SceneFlaw::Limits("angle", [1.0, -1.0])),
        ("forces/times_3_is_1_s_after_1_s", force, SceneFlaw::Times(3, [1.0, 1.0])),
        ("motions/times_3_is_1_s_after_1_s", SceneItem::Motion(0), SceneFlaw::Times(3, [1.0, 1.0])),
        ("forces/times_3_is_1_s_after_1_s", scene, SceneFlaw::Counts([("force", 2), ("times", 3)])),
        ("forces/name_is_a_b", scene, SceneFlaw::Unknown("body", "bal".into(), forces())),
        (
            "forces/body_floor_is_fixed_so_no_force_moves_it", force,
            SceneFlaw::Motion("floor".into(), Motion::Fixed, forces()),
        ),
        ("scene/velocity_is_1_0_0_0_0_0", scene, SceneFlaw::FixedMoves("velocity", [1.0, 0.0, 0.0])),
        (
            "motions/end_speeds_clamps_a_spline_and_interpolation_is", scene,
            SceneFlaw::EndSpeeds(Interpolation::Linear),
        ),
        (
            "motions/velocity_of_a_spline_jumps_under_a_joint", scene,
            SceneFlaw::Jump(jump, Interpolation::Spline, "slide".into()),
        ),
        (
            "contact/report_of_more_pairs_than_can_be_reported", scene,
            SceneFlaw::TooManyReported("\"all\" means".into(), 506),
        ),
        (
            "contact/overlap_of_a_ball", scene,
            SceneFlaw::NoPolyhedron("floor:ball".into(), "ball".into()),
        ),
        (
            "scene/principal_moments_of_inertia_are_1_0_1_0_5_0_kg_m2", scene,
            SceneFlaw::Geometry(moments.into()),
        ),
        ("joints/closes_a_loop", scene, SceneFlaw::Broken(Rule::Loop, names.into())),
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
        .join("../fmu-core/src")
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
        let text = fs::read_to_string(folder().join(scene).with_extension("txt")).expect(scene);
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
        ("scene/flaw.rs", "SceneFlaw"),
        ("scene/flaw.rs", "Rule"),
        ("scene/flaw.rs", "NoMean"),
        ("scene/flaw.rs", "Lack"),
        ("response/flaws.rs", "LawFlaw"),
    ];
    for kind in all.iter().flat_map(|(file, name)| variants(file, name)) {
        let unreachable = UNREACHABLE.iter().any(|(name, _)| *name == kind);
        if shown.contains(&kind) == unreachable {
            missing.push(kind);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
