//! Laws of contact in the scene file: kinds, numbers, penetrations, means, and their problems.

use super::{BASE, check, load, problems};
use crate::scene_file::words::{
    DAMPINGS, FRICTIONS, GEOMETRY_FACTORS, IMPACT_SPEEDS, LAWS, PULLINGS, RESTITUTION_RULES, STEPS,
};
use fmu_core::index::PairId;
use fmu_core::response::options::{FrictionKind, LawOptions, NormalKind, Step};
use fmu_core::response::{LawChoice, Number};
use fmu_core::scene::Scene;
use fmu_core::scene::description::PairResponse;

/// The numbers of the pair in [`BASE`].
const NUMBERS: &str = "restitution = 0.4\nsliding_friction = 0.9\nrolling_resistance = 0.01\n";

/// [`BASE`] with other keys in its material pair; its materials can have any law.
fn with_pair(keys: &str) -> String {
    BASE.replace(NUMBERS, keys)
        .replace("poissons_ratio = 0.5", "poissons_ratio = 0.4")
}

/// [`BASE`] with a named pair.
fn with_override(keys: &str) -> String {
    format!("{BASE}[[pair]]\nbetween = [\"ball\", \"floor\"]\n{keys}")
}

/// The law of the first pair of shapes.
fn law(text: &str) -> LawChoice {
    law_of(&load(text).scene)
}

fn law_of(scene: &Scene) -> LawChoice {
    scene.laws()[scene.law_of(&scene.pairs().get(PairId::from(0)))].choice
}

/// All numbers of a law, so that it is complete whatever else is chosen.
fn complete(kinds: &str) -> String {
    let mut text = with_pair(kinds);
    loop {
        let found = problems(&text);
        let Some((_, lines)) = found.split_once("needs; add\n") else {
            assert_eq!(found, "no problem");
            return text;
        };
        let lines: Vec<&str> = lines.lines().map(str::trim).collect();
        text = text.replace(
            "materials = [\"Steel\", \"Rubber\"]\n",
            &format!(
                "materials = [\"Steel\", \"Rubber\"]\n{}\n",
                lines.join("\n")
            ),
        );
    }
}

#[test]
fn what_an_error_says_to_add_makes_every_law_complete() {
    // Those of the user need a library.
    let known = |word: &&str| *word != "user";
    for (law_word, normal) in LAWS.iter().filter(|(word, _)| known(word)) {
        for (friction_word, friction) in FRICTIONS.iter().filter(|(word, _)| known(word)) {
            for (damping_word, _) in DAMPINGS {
                let with_force = *normal != NormalKind::Observer;
                let damped = matches!(
                    normal,
                    NormalKind::Hertz | NormalKind::Spring | NormalKind::Volume
                );
                let mut kinds = format!("law = {law_word:?}\n");
                if with_force {
                    kinds += &format!("friction = {friction_word:?}\n");
                }
                if damped {
                    kinds += &format!("damping = {damping_word:?}\n");
                }
                let found = law(&complete(&kinds)).kinds;
                assert_eq!(found.normal, *normal);
                assert!(!with_force || found.friction == *friction);
            }
        }
    }
}

#[test]
fn a_kind_is_that_of_the_named_pair_of_the_materials_of_the_scene_in_this_order() {
    // The word in [contact], in the pair of materials, in the named pair.
    let text = |contact: &str, pair: &str, own: &str| {
        let text = with_pair(&format!("{NUMBERS}{pair}")).replace("k_red = 1", contact);
        format!("{text}[[pair]]\nbetween = [\"ball\", \"floor\"]\n{own}")
    };
    fn pick<'w, T: Copy>(words: &[(&'w str, T)]) -> [(&'w str, T); 2] {
        [words[0], words[1]]
    }
    let friction = pick(&FRICTIONS[1..]);
    let [(one, a), (two, b)] = friction;
    let found = |text: String| law(&text).kinds.friction;
    let key = |word: &str| format!("friction = {word:?}");
    assert_eq!(found(text(&key(two), "", "")), b);
    assert_eq!(found(text(&key(two), &key(one), "")), a);
    assert_eq!(found(text(&key(two), &key(one), &key(two))), b);
    // Each other kind, over the default of the scene.
    for (word, value) in GEOMETRY_FACTORS {
        let found = law(&text("", "", &format!("geometry_factor = {word:?}")));
        assert_eq!(found.kinds.geometry_factor, *value);
    }
    for (word, value) in RESTITUTION_RULES {
        let found = law(&text(
            "",
            "",
            &format!("damping = \"exact\"\nrestitution_rule = {word:?}"),
        ));
        assert_eq!(found.kinds.restitution, *value);
    }
    for (word, value) in IMPACT_SPEEDS {
        let found = law(&text(
            "",
            "",
            &format!("damping = \"exact\"\nimpact_speed = {word:?}"),
        ));
        assert_eq!(found.kinds.impact_speed, *value);
    }
    for (word, value) in PULLINGS {
        let found = law(&text("", "", &format!("pulling = {word:?}")));
        assert_eq!(found.kinds.pulling, *value);
    }
    for (word, value) in STEPS {
        let keys = format!("friction = \"coulomb\"\nstep = {word:?}");
        assert_eq!(law(&text("", "", &keys)).kinds.step, *value);
    }
}

#[test]
fn contact_sets_every_kind_for_all_pairs() {
    let kinds = "law = \"spring\"\ngeometry_factor = \"document\"\nrestitution_rule = \"constant\"\n\
                 damping = \"flores\"\nimpact_speed = \"regularized\"\npulling = \"signed\"\n\
                 friction = \"coulomb\"\nstep = \"quintic\"\n";
    let text = with_pair(&format!("{NUMBERS}stiffness = 3e5\n")).replace("k_red = 1", kinds);
    let loaded = load(&text);
    let options: LawOptions = loaded.description.contact.law;
    assert_eq!(options.normal, NormalKind::Spring);
    assert_eq!(options.friction, FrictionKind::Coulomb);
    assert_eq!(options.step, Step::Quintic);
    let found = law_of(&loaded.scene);
    assert_eq!(found.kinds.normal, NormalKind::Spring);
    assert_eq!(found.kinds.geometry_factor, options.geometry_factor);
    assert_eq!(found.kinds.restitution, options.restitution);
    assert_eq!(found.kinds.damping, options.damping);
    assert_eq!(found.kinds.impact_speed, options.impact_speed);
    assert_eq!(found.kinds.pulling, options.pulling);
    assert_eq!(found.number(Number::Stiffness), 3e5);
}

#[test]
fn every_number_is_read_with_a_unit_of_its_measure() {
    // Laws under which each number has a meaning, and a value of it with what it is in SI.
    let cases = [
        ("", "restitution = \"40 %\"", Number::Restitution, 0.4),
        ("", "v_small = \"2 mm/s\"", Number::VSmall, 2e-3),
        ("", "w_small = \"3 mrad/s\"", Number::WSmall, 3e-3),
        (
            "",
            "spinning_resistance = 0.2",
            Number::SpinningResistance,
            0.2,
        ),
        (
            "law = \"spring\"",
            "stiffness = \"20 N/mm\"",
            Number::Stiffness,
            2e4,
        ),
        ("law = \"spring\"", "exponent = 2", Number::Exponent, 2.0),
        (
            "damping = \"constant\"",
            "damping_coefficient = \"1 s/mm\"",
            Number::DampingCoefficient,
            1e3,
        ),
        (
            "law = \"impact\"",
            "largest_damping = \"2 N.s/mm\"",
            Number::LargestDamping,
            2e3,
        ),
        (
            "law = \"impact\"",
            "damping_depth = \"5 um\"",
            Number::DampingDepth,
            5e-6,
        ),
        (
            "law = \"poisson\"",
            "transition_speed = \"4 mm/s\"",
            Number::TransitionSpeed,
            4e-3,
        ),
        (
            "friction = \"coulomb\"",
            "static_friction = 0.95",
            Number::StaticFriction,
            0.95,
        ),
        (
            "friction = \"coulomb\"",
            "static_speed = \"1 mm/s\"",
            Number::StaticSpeed,
            1e-3,
        ),
        (
            "friction = \"coulomb-dynamic\"",
            "dynamic_speed = \"1 m/s\"",
            Number::DynamicSpeed,
            1.0,
        ),
        (
            "friction = \"stick\"",
            "tangential_stiffness = \"9 kN/m\"",
            Number::TangentialStiffness,
            9e3,
        ),
        (
            "friction = \"stick\"",
            "tangential_damping = \"8 N.s/m\"",
            Number::TangentialDamping,
            8.0,
        ),
        ("law = \"volume\"", "area = \"3 cm2\"", Number::Area, 3e-4),
        (
            "law = \"volume\"",
            "layer_depth = \"3 mm\"",
            Number::LayerDepth2,
            3e-3,
        ),
    ];
    for (kind, key, number, value) in cases {
        let found = law(&complete(&format!("{kind}\n{key}\n")));
        assert_eq!(found.number(number), value, "{key}");
    }
    let tested = |number: &Number| cases.iter().any(|case| case.2 == *number);
    let others = [
        Number::SlidingFriction,
        Number::RollingResistance,
        Number::LayerDepth1,
    ];
    for number in Number::all() {
        let user = matches!(number, Number::User(_));
        assert!(
            tested(&number) || others.contains(&number) || user,
            "{number:?}"
        );
    }
}

#[test]
fn a_wanted_penetration_is_the_stiffness_that_has_it() {
    let stiffness = |keys: &str| law(&complete(keys)).number(Number::Stiffness);
    let near = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
    };
    let force = "penetration = { depth = \"0.1 mm\", force = \"500 N\" }\n";
    // 500/1e-4 and 500/1e-6.
    near(stiffness(&format!("law = \"spring\"\n{force}")), 5e6);
    near(stiffness(&format!("law = \"impact\"\n{force}")), 5e8);
    near(stiffness(&format!("law = \"poisson\"\n{force}")), 5e6);
    // (n + 1) m v^2/(2 delta^(n+1)): 2.5 x 2 x 9/(2 x 1e-10).
    let impact = "penetration = { depth = \"0.1 mm\", mass = \"2 kg\", speed = 3 }\n";
    near(
        stiffness(&format!("law = \"spring\"\nexponent = 1.5\n{impact}")),
        2.25e11,
    );
    // A named pair takes the exponent of its materials.
    let pair = complete("law = \"spring\"\nexponent = 1.5\nstiffness = 7\n");
    let own = format!("{pair}[[pair]]\nbetween = [\"ball\", \"floor\"]\n{force}");
    near(law(&own).number(Number::Stiffness), 5e8);
}

#[test]
fn a_hertz_contact_of_given_stiffness_is_a_spring_with_its_exponent() {
    let text = complete("law = \"spring\"\nexponent = 1.5\nstiffness = \"5e8 N/m^1.5\"\n");
    let found = law(&text);
    assert_eq!(found.number(Number::Stiffness), 5e8);
    assert_eq!(found.number(Number::Exponent), 1.5);
}

#[test]
fn pairs_with_law_none_never_touch() {
    assert_eq!(load(&with_pair("law = \"none\"\n")).scene.pairs().len(), 0);
    let loaded = load(&with_override("law = \"none\"\n"));
    assert_eq!(loaded.scene.pairs().len(), 0);
    let [pair] = &loaded.description.pairs[..] else {
        panic!("{:?}", loaded.description.pairs);
    };
    assert_eq!(pair.response, Some(PairResponse::None));
}

#[test]
fn a_built_in_pair_gives_what_the_laws_of_the_scene_use_of_it() {
    let steel = |contact: &str| {
        BASE.replace("k_red = 1", contact)
            .replace("material = \"Rubber\"", "material = \"Steel\"")
            .replace(
                "[[material_pair]]\nmaterials = [\"Steel\", \"Rubber\"]\nrestitution = 0.4\n\
                 sliding_friction = 0.9\nrolling_resistance = 0.01\n",
                "",
            )
    };
    let frictionless = law(&steel("friction = \"off\""));
    assert_eq!(frictionless.kinds.friction, FrictionKind::Off);
    assert_eq!(frictionless.number(Number::Restitution), 0.7);
    assert_eq!(
        problems(&steel("law = \"spring\"")),
        "scene.toml:38:12 no contact data for materials \"Steel\" and \"Steel\"; add\n  [[material_pair]]\n  \
         materials = [\"Steel\", \"Steel\"]\n  restitution = 0.5\n  sliding_friction = 0.3\n  stiffness = 1e6"
    );
}

#[test]
fn the_mean_of_two_self_pairs_is_that_of_every_number() {
    let self_pair = |name: &str, keys: &str| {
        format!("[[material_pair]]\nmaterials = [\"{name}\", \"{name}\"]\n{keys}")
    };
    let pair = "[[material_pair]]\nmaterials = [\"Steel\", \"Rubber\"]\nrestitution = 0.4\n\
                sliding_friction = 0.9\nrolling_resistance = 0.01\n";
    let with = |steel: &str, rubber: &str| {
        let pairs = self_pair("Steel", steel) + &self_pair("Rubber", rubber);
        assert_eq!(BASE.matches(pair).count(), 1);
        BASE.replace(pair, &pairs)
    };
    let spring = "law = \"spring\"\nrestitution = 0.2\nsliding_friction = 0.1\nstiffness = 1e5\n";
    let other = "law = \"spring\"\nrestitution = 0.6\nsliding_friction = 0.4\nstiffness = 3e5\n\
                 rolling_resistance = 0.01\n";
    let mean = law(&with(spring, other));
    assert_eq!(mean.number(Number::Restitution), 0.4);
    assert_eq!(mean.number(Number::SlidingFriction), 0.25);
    assert_eq!(mean.number(Number::Stiffness), 2e5);
    assert_eq!(mean.number(Number::RollingResistance), 0.005);
    let advice = "; add\n  [[material_pair]]\n  materials = [\"Rubber\", \"Steel\"]\n  restitution = 0.5\n  \
                  sliding_friction = 0.3";
    let refused = |text: &str, reason: &str, advice: &str| {
        let found = problems(text);
        let (_, found) = found.split_once(' ').unwrap_or_default();
        let expected = format!(
            "no contact data for materials \"Rubber\" and \"Steel\", and no mean of their self pairs: {reason}{advice}"
        );
        assert_eq!(found, expected);
    };
    let hertz = "restitution = 0.6\nsliding_friction = 0.4\n";
    refused(
        &with(hertz, spring),
        "that of \"Rubber\" has law = \"spring\", that of \"Steel\" \"hertz\"",
        advice,
    );
    refused(
        &with(&format!("{hertz}damping = \"flores\"\n"), hertz),
        "those of \"Rubber\" and \"Steel\" differ in damping, friction or another kind",
        advice,
    );
    refused(
        &with(&format!("{spring}exponent = 2\n"), spring),
        "that of \"Rubber\" has exponent = 1, that of \"Steel\" 2",
        advice,
    );
    refused(
        &with("law = \"none\"\n", hertz),
        "\"Steel\" never touches itself",
        advice,
    );
    refused(
        &with("law = \"observer\"\n", hertz),
        "that of \"Steel\" only observes",
        "; add\n  [[material_pair]]\n  materials = [\"Rubber\", \"Steel\"]\n  law = \"observer\"",
    );
}

#[test]
fn an_observer_meets_steel_and_itself_and_says_what_else_needs() {
    let gate = BASE.replace("material = \"Rubber\"", "material = \"Observer\"");
    assert_eq!(law(&gate).kinds.normal, NormalKind::Observer);
    let wood = gate.replace("material = \"Steel\"", "material = \"DryWood\"");
    assert_eq!(
        problems(&wood),
        "scene.toml:43:12 no contact data for materials \"Observer\" and \"DryWood\", and no mean of their self pairs: \
         that of \"Observer\" only observes; add\n  [[material_pair]]\n  materials = [\"Observer\", \"DryWood\"]\n  \
         law = \"observer\""
    );
    let free = BASE
        .replace("mass = 2\ninertia = { xx = 1, yy = 1, zz = 1 }\n", "")
        .replace("material = \"Steel\"", "material = \"Observer\"")
        .replace("\"Steel\", \"Rubber\"", "\"Observer\", \"Rubber\"");
    assert_eq!(
        problems(&free),
        "scene.toml:34:1 body \"ball\": has no mass; give mass and inertia, or a shape of a material with density > 0\n\
         scene.toml:41:12 material \"Observer\": youngs_modulus is 0 Pa; must be > 0 for law = \"hertz\" of \"Rubber\" and \
         \"Observer\""
    );
}

#[test]
fn problems_of_laws_stand_at_their_keys() {
    let friction = "sliding_friction = 0.9";
    check(&[
        (
            friction,
            "sliding_friction = 0.9\nstiffness = 1e5",
            "scene.toml:23:13 material pair \"Steel\", \"Rubber\": stiffness has no meaning with law = \"hertz\"; remove it, \
             or choose law = \"spring\" or \"impact\" or \"poisson\"; law = \"hertz\" takes the stiffness from moduli and \
             shapes, law = \"spring\" with exponent = 1.5 is a Hertz contact of given stiffness",
        ),
        (
            friction,
            "sliding_friction = 0.9\nstatic_speed = 1",
            "scene.toml:23:16 material pair \"Steel\", \"Rubber\": static_speed has no meaning with \
             friction = \"regularized\"; remove it, or choose friction = \"coulomb\" or \"stick\"",
        ),
        (
            friction,
            "sliding_friction = 0.9\nfriction = \"coulomb\"\nstatic_speed = 1\ndynamic_speed = 0.5",
            "scene.toml:24:16 material pair \"Steel\", \"Rubber\": static_speed is 1 m/s; must be < dynamic_speed = 0.5 m/s",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"",
            "scene.toml:19:1 material pair \"Steel\", \"Rubber\": stiffness is missing, which law = \"spring\" with \
             friction = \"regularized\" needs; add\n  stiffness = 1e6",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"sping\"",
            "scene.toml:23:7 material pair number 1: law is \"sping\"; did you mean \"spring\"?",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\nstifness = 1e5",
            "scene.toml:24:1 material pair number 1: unknown key \"stifness\"; did you mean \"stiffness\"?",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\nstiffness = \"1e5 N/m^1.5\"",
            "scene.toml:24:13 material pair \"Steel\", \"Rubber\": stiffness is in N/m^1.5; with exponent = 1 its unit is \
             N/m; change one of the two",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"poisson\"\nstiffness = \"1e5 N/m^2\"",
            "scene.toml:24:13 material pair \"Steel\", \"Rubber\": stiffness is in N/m^2; with law = \"poisson\" its unit is \
             N/m",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\nstiffness = \"1 kg\"",
            "scene.toml:24:13 material pair number 1: stiffness is \"1 kg\"; the unit \"kg\" is not known, expected a \
             stiffness in N/m^n, with the exponent n of the law, such as 1e6, \"1 kN/mm\" or \"5e8 N/m^1.5\"",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\nstiffness = -1",
            "scene.toml:24:13 material pair \"Steel\", \"Rubber\": stiffness is -1 N/m^n; must be > 0",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\nstiffness = 1\npenetration = { depth = 1, force = 1 }",
            "scene.toml:25:15 material pair \"Steel\", \"Rubber\": penetration and stiffness both say how stiff the contact \
             is; keep one",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\npenetration = { depth = 0, force = 1 }",
            "scene.toml:24:15 material pair \"Steel\", \"Rubber\": penetration.depth is 0 m; must be > 0",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"spring\"\npenetration = { depth = 1, force = 1, mass = 1 }",
            "scene.toml:24:15 material pair number 1: penetration says not what causes the depth, or says it twice; write \
             { depth = \"0.1 mm\", force = \"500 N\" } or { depth = \"0.1 mm\", mass = \"2 kg\", speed = 1 }",
        ),
        (
            friction,
            "law = \"none\"",
            "scene.toml:21:1 material pair number 1: restitution has no meaning with law = \"none\"; remove it\n\
             scene.toml:23:1 material pair number 1: rolling_resistance has no meaning with law = \"none\"; remove it",
        ),
        (
            friction,
            "sliding_friction = 0.9\nstep = \"quintic\"",
            "scene.toml:23:8 material pair \"Steel\", \"Rubber\": step has no meaning with law = \"hertz\" and \
             friction = \"regularized\"; remove it",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlaw = \"volume\"\nlayer_depth = [\"2 mm\", \"3 mm\"]",
            "scene.toml:34:12 material \"Rubber\": poissons_ratio is 0.5; must be < 0.5 for law = \"volume\" of \"Rubber\" and \
             \"Steel\"",
        ),
        (
            friction,
            "sliding_friction = 0.9\nlayer_depth = 1",
            "scene.toml:23:15 material pair \"Steel\", \"Rubber\": layer_depth has no meaning with law = \"hertz\"; remove it, \
             or choose law = \"volume\"",
        ),
        (
            "k_red = 1",
            "restitution = \"constant\"\nrestitution_rule = \"constant\"",
            "scene.toml:9:1 contact: restitution_rule and restitution are one key here; keep one of the two",
        ),
        (
            "k_red = 1",
            "rule = \"touching\"\ndepth = \"whole\"",
            "scene.toml:9:1 contact: depth has a meaning only with rule = \"hysteresis\"; remove it or change the rule",
        ),
        (
            "k_red = 1",
            "law = \"herz\"",
            "scene.toml:8:7 contact: law is \"herz\"; did you mean \"hertz\"?",
        ),
    ]);
}

/// Inferred damping follows from energy at each instant and has no bound; `"exact"` freezes a
/// coefficient, which d_max bounds.
#[test]
fn a_bound_of_damping_that_no_law_uses_is_warned_of() {
    for (options, expected) in [
        ("d_max = 500", 1),
        ("damping = \"inferred\"\nd_max = 500", 1),
        ("damping = \"exact\"\nd_max = 500", 0),
        ("damping = \"inferred\"", 0),
    ] {
        let scene = load(&BASE.replace("k_red = 1", options));
        let found: Vec<_> = scene.warnings.list.iter().collect();
        assert_eq!(found.len(), expected, "{options}: {}", scene.warnings);
        for warning in found {
            assert!(
                warning.message.contains("d_max has no effect"),
                "{}",
                warning.message
            );
            let line = 7 + options.lines().count();
            assert_eq!(warning.position.map(|p| p.line), Some(line));
        }
    }
}
