//! Laws of contact in the scene file: kinds, numbers, penetrations, means.

use super::{BASE, load, problems};
use contact_laws::index::PairId;
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::{
    ContactKind, Damping, FrictionKind, GeometryFactor, ImpactSpeed, LawOptions, NormalKind,
    Pulling, RestitutionRule, Step,
};
use contact_laws::response::{LawChoice, Number};
use contact_model::scene::Scene;
use contact_model::scene::description::PairResponse;

/// The numbers of the pair in [`BASE`].
const NUMBERS: &str = "restitution = 0.4\nsliding_friction = 0.9\nrolling_resistance = 0.01\n";

/// [`BASE`] with other keys in its material pair; its materials can have any law.
fn with_pair(keys: &str) -> String {
    BASE.replace(NUMBERS, keys)
        .replace("poissons_ratio = 0.5", "poissons_ratio = 0.4")
}

/// [`BASE`] with a named pair.
fn with_override(keys: &str) -> String {
    format!("{BASE}[[pair]]\nbetween = \"ball:floor\"\n{keys}")
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
        let Some((_, lines)) = found.split_once("needs\n  help: add\n") else {
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
#[ignore = "long: each law without each of its numbers"]
fn what_an_error_says_to_add_makes_every_law_complete() {
    // Those of the user need a library.
    let known = |word: &&str| *word != "user";
    for (law_word, normal) in NormalKind::WORDS.iter().filter(|(word, _)| known(word)) {
        for (friction_word, friction) in FrictionKind::WORDS.iter().filter(|(word, _)| known(word))
        {
            for (damping_word, _) in Damping::WORDS {
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
        format!("{text}[[pair]]\nbetween = \"ball:floor\"\n{own}")
    };
    fn pick<'w, T: Copy>(words: &[(&'w str, T)]) -> [(&'w str, T); 2] {
        [words[0], words[1]]
    }
    let friction = pick(&FrictionKind::WORDS[1..]);
    let [(one, a), (two, b)] = friction;
    let found = |text: String| law(&text).kinds.friction;
    let key = |word: &str| format!("friction = {word:?}");
    assert_eq!(found(text(&key(two), "", "")), b);
    assert_eq!(found(text(&key(two), &key(one), "")), a);
    assert_eq!(found(text(&key(two), &key(one), &key(two))), b);
    // Each other kind, over the default of the scene.
    for (word, value) in GeometryFactor::WORDS {
        let found = law(&text("", "", &format!("geometry_factor = {word:?}")));
        assert_eq!(found.kinds.geometry_factor, *value);
    }
    for (word, value) in RestitutionRule::WORDS {
        let found = law(&text(
            "",
            "",
            &format!("damping = \"exact\"\nrestitution_rule = {word:?}"),
        ));
        assert_eq!(found.kinds.restitution, *value);
    }
    for (word, value) in ImpactSpeed::WORDS {
        let found = law(&text(
            "",
            "",
            &format!("damping = \"exact\"\nimpact_speed = {word:?}"),
        ));
        assert_eq!(found.kinds.impact_speed, *value);
    }
    for (word, value) in Pulling::WORDS {
        let found = law(&text("", "", &format!("pulling = {word:?}")));
        assert_eq!(found.kinds.pulling, *value);
    }
    // The ball and the plate cannot touch over an area.
    for (word, value) in ContactKind::WORDS
        .iter()
        .filter(|(word, _)| *word != "area")
    {
        let keys = format!("contact = {word:?}\n");
        let loaded = load(&text("", "", &keys));
        let Some(PairResponse::Law(changes)) = &loaded.description.pairs[0].response else {
            panic!("{:?}", loaded.description.pairs);
        };
        assert_eq!(changes.contact, Some(*value));
    }
    for (word, value) in Step::WORDS {
        let keys = format!("friction = \"coulomb\"\nstep = {word:?}");
        assert_eq!(law(&text("", "", &keys)).kinds.step, *value);
    }
}

#[test]
fn contact_sets_every_kind_for_all_pairs() {
    let kinds = "law = \"spring\"\ngeometry_factor = \"document\"\nrestitution_rule = \"constant\"\n\
                 damping = \"flores\"\nimpact_speed = \"regularized\"\npulling = \"signed\"\n\
                 friction = \"coulomb\"\nstep = \"quintic\"\ncontact = \"point\"\n";
    let text = with_pair(&format!("{NUMBERS}stiffness = 3e5\n")).replace("k_red = 1", kinds);
    let loaded = load(&text);
    let options: LawOptions = loaded.description.contact.law;
    assert_eq!(options.normal, NormalKind::Spring);
    assert_eq!(options.friction, FrictionKind::Coulomb);
    assert_eq!(options.step, Step::Quintic);
    assert_eq!(options.contact, ContactKind::Point);
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
            "response = \"impulse\"",
            "rest_speed = \"2 mm/s\"",
            Number::RestSpeed,
            2e-3,
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
            "stiffness_per_area = \"2 N/mm3\"",
            Number::StiffnessPerArea,
            2e9,
        ),
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
    // 1e6/1e-4, and 1e6/1e-8 for an exponent of 2.
    let pressure = "penetration = { depth = \"0.1 mm\", pressure = \"1 MPa\" }\n";
    let per_area = |keys: &str| law(&complete(keys)).number(Number::StiffnessPerArea);
    near(per_area(&format!("law = \"volume\"\n{pressure}")), 1e10);
    near(
        per_area(&format!("law = \"volume\"\nexponent = 2\n{pressure}")),
        1e14,
    );
    // A named pair takes the exponent of its materials.
    let pair = complete("law = \"spring\"\nexponent = 1.5\nstiffness = 7\n");
    let own = format!("{pair}[[pair]]\nbetween = \"ball:floor\"\n{force}");
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
}

#[test]
fn an_observer_meets_steel() {
    let gate = BASE.replace("material = \"Rubber\"", "material = \"Observer\"");
    assert_eq!(law(&gate).kinds.normal, NormalKind::Observer);
}

/// [`BASE`] with a box in place of the ball, and the keys of the pair.
fn box_on_plate(keys: &str) -> String {
    with_pair(&format!("{NUMBERS}{keys}")).replace(
        "sphere = { diameter = \"20 cm\" }",
        "box = { lengths = [0.2, 0.2, 0.2] }",
    )
}

#[test]
fn numbers_of_an_area_are_those_of_a_box_on_a_plate() {
    let number = |keys: &str, number| law(&box_on_plate(keys)).number(number);
    assert_eq!(number("", Number::LayerDepth1), 0.0);
    // Materials of a law are in the order of the scene, here that of the floor's rubber.
    let layers = "layer_depth = [\"2 mm\", \"3 mm\"]\n";
    assert_eq!(number(layers, Number::LayerDepth1), 3e-3);
    assert_eq!(number(layers, Number::LayerDepth2), 2e-3);
    let given = number(
        "stiffness_per_area = \"1 N/mm3\"\n",
        Number::StiffnessPerArea,
    );
    assert_eq!(given, 1e9);
    let pressure = "penetration = { depth = \"0.1 mm\", pressure = \"1 MPa\" }\n";
    let wanted = number(pressure, Number::StiffnessPerArea);
    assert!((wanted / 1e10 - 1.0).abs() < 1e-14);
    // Layers of the shapes are in place of what their materials have.
    let own = format!(
        "{}[[pair]]\nbetween = \"ball:floor\"\nlayer_depth = \"1 mm\"\n",
        box_on_plate("stiffness_per_area = 1e9\n")
    );
    assert_eq!(law(&own).number(Number::StiffnessPerArea), 0.0);
    assert_eq!(law(&own).number(Number::LayerDepth2), 1e-3);
}

/// Rubber (of the floor) and steel by their self pairs: what one of them does not give is 0, which
/// stands for «from moduli and shapes».
#[test]
fn a_mean_over_an_area_leaves_what_one_self_pair_does_not_give_to_the_shapes() {
    let self_pair = |name: &str, keys: &str| {
        format!("[[material_pair]]\nmaterials = [\"{name}\", \"{name}\"]\n{NUMBERS}{keys}")
    };
    let pair = format!("[[material_pair]]\nmaterials = [\"Steel\", \"Rubber\"]\n{NUMBERS}");
    let with = |text: &str, rubber: &str, steel: &str| {
        let pairs = self_pair("Steel", steel) + &self_pair("Rubber", rubber);
        assert_eq!(text.matches(&pair).count(), 1);
        text.replace(&pair, &pairs)
    };
    let (on_plate, in_a_point) = (box_on_plate(""), with_pair(NUMBERS));
    let numbers = |text: &str| {
        use Number::{LayerDepth1, LayerDepth2, StiffnessPerArea};
        let law = law(text);
        [LayerDepth1, LayerDepth2, StiffnessPerArea].map(|number| law.number(number))
    };
    let layer = "layer_depth = \"5 mm\"\n";
    let stiffness = "stiffness_per_area = 1e8\n";
    assert_eq!(numbers(&with(&on_plate, layer, "")), [5e-3, 0.0, 0.0]);
    assert_eq!(numbers(&with(&on_plate, "", layer)), [0.0, 5e-3, 0.0]);
    let stiffer = "stiffness_per_area = 3e8\n";
    assert_eq!(
        numbers(&with(&on_plate, stiffness, stiffer)),
        [0.0, 0.0, 2e8]
    );
    for (rubber, steel) in [(stiffness, ""), ("", stiffness), (stiffness, layer)] {
        let open = with(&on_plate, rubber, steel);
        let found = problems(&open);
        assert!(found.contains("no mean of their self pairs"), "{found}");
        // Data of the shapes, or a contact in a point, need no mean.
        let own = format!("{open}[[pair]]\nbetween = \"ball:floor\"\nstiffness_per_area = 7\n");
        assert_eq!(law(&own).number(Number::StiffnessPerArea), 7.0);
        assert_eq!(numbers(&with(&in_a_point, rubber, steel)), [0.0; 3]);
    }
}
