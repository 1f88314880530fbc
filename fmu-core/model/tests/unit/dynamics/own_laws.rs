//! Laws of material pairs and of named pairs: who has which, and what is refused.

use crate::fixtures::*;

fn spring(stiffness: f64) -> LawChanges {
    LawChanges {
        normal: Some(NormalKind::Spring),
        numbers: vec![(Number::Stiffness, stiffness)],
        ..LawChanges::default()
    }
}

fn with_stiffness(stiffness: f64) -> PairResponse {
    PairResponse::Law(LawChanges {
        numbers: vec![(Number::Stiffness, stiffness)],
        ..LawChanges::default()
    })
}

fn named(one: &str, two: &str, response: PairResponse) -> PairDescription {
    PairDescription {
        response: Some(response),
        ..pair_of(one, two)
    }
}

/// A plate with a second shape of a material beside the first, 4 m off.
fn two_plates(second: &str) -> BodyDescription {
    let mut both = plate();
    let mut other = both.shapes[0].clone();
    other.name = "other".into();
    other.position = [4.0, 0.0, 0.0];
    other.contact_material = Some(second.to_owned());
    both.shapes.push(other);
    both
}

/// Steel bodies whose contacts are springs of 1e5 N/m.
fn spring_scene(bodies: Vec<BodyDescription>) -> SceneDescription {
    let mut description = steel_scene(bodies);
    let changes = law_of(&mut description);
    changes.normal = Some(NormalKind::Spring);
    changes.numbers.push((Number::Stiffness, 1e5));
    description
}

fn add_pair(description: &mut SceneDescription, materials: [&str; 2], response: PairResponse) {
    description.material_pairs.push(MaterialPair {
        materials: materials.map(str::to_owned),
        response,
    });
}

fn add_material(description: &mut SceneDescription, name: &str) {
    description.materials.push(Material {
        name: name.into(),
        ..steel()
    });
}

fn scene(description: SceneDescription) -> Scene {
    Scene::new(description).unwrap_or_else(|errors| panic!("{errors:?}"))
}

#[track_caller]
fn refused(description: SceneDescription, field: &str, message: &str) {
    let errors = Scene::new(description).err().unwrap_or_default();
    let found: Vec<(&str, String)> = errors.iter().map(|e| (e.field, e.to_string())).collect();
    assert_eq!(found, [(field, message.to_owned())]);
}

/// Stiffness [N/m] of each pair of shapes, in their order.
fn stiffnesses(scene: &Scene) -> Vec<f64> {
    let number = |pair| {
        let law = &scene.laws()[scene.law_of(&pair)];
        law.choice.number(Number::Stiffness)
    };
    scene.pairs().iter().map(number).collect()
}

/// Mass of a ball of the fixtures: 8000 kg/m3, 0.2 m.
const MASS: f64 = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;

#[test]
fn a_named_pair_changes_the_law_of_its_shapes_alone() {
    // At rest K delta = m g, delta = -gap - 2e-8 m: each ball has its own K.
    let depths = [1e5, 1e6].map(|stiffness| MASS * 9.81 / stiffness + 2e-8);
    let mut description = spring_scene(vec![
        plate(),
        ball("a", [-0.5, 0.0, 0.1 - depths[0]]),
        ball("b", [0.5, 0.0, 0.1 - depths[1]]),
    ]);
    description
        .pairs
        .push(named("b", "plate", with_stiffness(1e6)));
    let scene = Arc::new(scene(description));
    let mut states = scene.start_states();
    let mut system = start_of(&scene);
    system.update_event(0.0, &mut states).unwrap();
    assert_eq!(system.ledger().contacts().len(), 2);
    let rates = rates(&mut system, 0.0, &states);
    for body in [1, 2] {
        let offset = scene.layout().body(body.into()).unwrap();
        let acceleration = rates[offset + 9];
        assert!(acceleration.abs() < 1e-10, "body {body}: {acceleration}");
    }
}

#[test]
fn numbers_of_a_named_pair_are_parameters_of_its_name() {
    let mut description = spring_scene(vec![plate(), ball("a", [0.0; 3])]);
    description
        .pairs
        .push(named("a", "plate.plate", with_stiffness(2e5)));
    let scene = scene(description);
    let value = |wanted: &str| {
        let names = 0..scene.parameters().len();
        let mut found = names.filter(|index| scene.parameter_name((*index).into()) == wanted);
        let index = found.next().unwrap_or_else(|| panic!("no {wanted}"));
        Parameters::start(&scene).get(index.into())
    };
    assert_eq!(value("pair.a.plate_plate.stiffness"), 2e5);
    assert_eq!(value("material_pair.Steel.Steel.stiffness"), 1e5);
    // What the pair does not change it takes over.
    assert_eq!(value("pair.a.plate_plate.sliding_friction"), 0.5);
}

#[test]
fn the_named_pair_that_names_more_shapes_counts_whatever_comes_first() {
    let pairs = [
        named("a", "plate", with_stiffness(2e5)),
        named("a.a", "plate.plate", with_stiffness(4e5)),
        named("plate.plate", "a", with_stiffness(3e5)),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut description = spring_scene(vec![two_plates("Steel"), ball("a", [0.0; 3])]);
        description.pairs = order.map(|index| pairs[index].clone()).to_vec();
        // The plate, then the other shape of its body.
        assert_eq!(stiffnesses(&scene(description)), [4e5, 2e5]);
    }
}

#[test]
fn one_law_for_shapes_of_several_pairs_of_materials_is_refused() {
    let mut description = spring_scene(vec![two_plates("Tin"), ball("a", [0.0; 3])]);
    add_material(&mut description, "Tin");
    let own = description.material_pairs[0].response.clone();
    add_pair(&mut description, ["Tin", "Steel"], own);
    description
        .pairs
        .push(named("a", "plate", with_stiffness(2e5)));
    refused(
        description.clone(),
        "between",
        "pair a:plate: the law would be one for several pairs of materials (Steel-Steel, Steel-Tin)",
    );
    description.pairs = vec![
        named("a", "plate.plate", with_stiffness(2e5)),
        named("a", "plate.other", with_stiffness(3e5)),
    ];
    assert_eq!(stiffnesses(&scene(description)), [2e5, 3e5]);
}

#[test]
fn a_named_pair_without_response_never_touches_save_where_a_more_precise_one_has_a_law() {
    let never = || named("plate", "a", PairResponse::None);
    let mut description = spring_scene(vec![
        two_plates("Steel"),
        ball("a", [0.0; 3]),
        ball("b", [1.0; 3]),
    ]);
    description.pairs = vec![never()];
    // b with both plates, a with b.
    assert_eq!(scene(description.clone()).pairs().len(), 3);
    description.pairs = vec![never(), named("a", "plate.other", with_stiffness(7e5))];
    let expected = [1e5, 7e5, 1e5, 1e5];
    assert_eq!(stiffnesses(&scene(description.clone())), expected);
    description.pairs = vec![never(), named("a", "plate", with_stiffness(7e5))];
    refused(
        description.clone(),
        "law",
        "pair a:plate: pair number 1 gives a law to the same shapes, and one of the two is law = \"none\"",
    );
    let mut contradiction = never();
    contradiction.threshold = Some(0.1);
    description.pairs = vec![contradiction];
    refused(
        description,
        "threshold",
        "pair plate:a: threshold has no meaning with law = \"none\"",
    );
}

#[test]
fn materials_without_response_never_touch_and_their_shapes_have_no_law() {
    let mut description = spring_scene(vec![two_plates("Air"), ball("a", [0.0; 3])]);
    add_material(&mut description, "Air");
    add_pair(&mut description, ["Steel", "Air"], PairResponse::None);
    assert_eq!(scene(description.clone()).pairs().len(), 1);
    description
        .pairs
        .push(named("a", "plate.other", with_stiffness(2e5)));
    refused(
        description,
        "between",
        "pair a:plate.other: a and plate.other never touch: both are fixed, one takes no part in contact, or \
         their collision_group, exclude or law = \"none\" keeps them apart",
    );
}

#[test]
fn two_named_pairs_of_one_precision_cannot_both_give_a_law() {
    let mut description = spring_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.pairs = vec![
        named("a", "plate", with_stiffness(2e5)),
        named("plate", "a", with_stiffness(3e5)),
    ];
    refused(
        description,
        "law",
        "pair plate:a: pair number 1 gives a law to plate.plate and a.a too",
    );
}

#[test]
fn a_law_of_a_named_pair_must_be_complete_and_without_idle_numbers() {
    let with = |response| {
        let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
        description.pairs.push(named("a", "plate", response));
        description
    };
    let mut changes = spring(1e5);
    changes.numbers.clear();
    refused(
        with(PairResponse::Law(changes)),
        "",
        "pair a:plate: stiffness is missing, which law = \"spring\" with friction = \"regularized\" needs",
    );
    refused(
        with(with_stiffness(1e5)),
        "stiffness",
        "pair a:plate: stiffness has no meaning with law = \"hertz\"",
    );
    let friction = LawChanges {
        friction: Some(FrictionKind::Coulomb),
        numbers: vec![(Number::StaticSpeed, 0.1), (Number::DynamicSpeed, 0.1)],
        ..LawChanges::default()
    };
    refused(
        with(PairResponse::Law(friction)),
        "static_speed",
        "pair a:plate: static_speed is 0.1 m/s; must be < dynamic_speed = 0.1 m/s",
    );
}

#[test]
fn depths_of_layers_follow_the_names_however_the_materials_are_numbered() {
    let layers = |first, second| LawChanges {
        normal: Some(NormalKind::Volume),
        numbers: vec![
            (Number::Restitution, 0.5),
            (Number::SlidingFriction, 0.1),
            (Number::LayerDepth1, first),
            (Number::LayerDepth2, second),
        ],
        ..LawChanges::default()
    };
    let depths = |scene: &Scene, law: usize| {
        let choice = &scene.laws()[LawId::from(law)].choice;
        [Number::LayerDepth1, Number::LayerDepth2].map(|number| choice.number(number))
    };
    // The plate comes first, so Tin is the first material of the law.
    let mut rubber = plate();
    rubber.shapes[0].contact_material = Some("Tin".into());
    let base = || {
        let mut description = steel_scene(vec![rubber.clone(), ball("a", [0.0; 3])]);
        add_material(&mut description, "Tin");
        description
    };
    for (materials, [first, second]) in [
        (["Tin", "Steel"], [0.002, 0.003]),
        (["Steel", "Tin"], [0.003, 0.002]),
    ] {
        let mut description = base();
        let response = PairResponse::Law(layers(first, second));
        add_pair(&mut description, materials, response);
        assert_eq!(depths(&scene(description), 0), [0.002, 0.003]);
    }
    for (between, [first, second]) in [
        (["plate", "a"], [0.004, 0.005]),
        (["a", "plate"], [0.005, 0.004]),
    ] {
        let mut description = base();
        let response = PairResponse::Law(layers(0.002, 0.003));
        add_pair(&mut description, ["Tin", "Steel"], response);
        let response = PairResponse::Law(layers(first, second));
        let [one, two] = between;
        description.pairs.push(named(one, two, response));
        assert_eq!(depths(&scene(description), 1), [0.004, 0.005]);
    }
    // A mean has on each material the layer of its own pair.
    let mut description = base();
    description.material_pairs.clear();
    for (material, depth) in [("Steel", 0.002), ("Tin", 0.006)] {
        let response = PairResponse::Law(layers(depth, depth));
        add_pair(&mut description, [material; 2], response);
    }
    assert_eq!(depths(&scene(description), 0), [0.006, 0.002]);
}

#[test]
fn moduli_that_a_law_cannot_work_with_are_refused_at_a_shape_or_at_the_layer() {
    let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.materials[0].youngs_modulus = 0.0;
    refused(
        description,
        "material",
        "material \"Steel\": youngs_modulus is 0 Pa; must be > 0 for law = \"hertz\" of \"Steel\" and \"Steel\"",
    );
    let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.materials[0].poissons_ratio = 0.5;
    let changes = law_of(&mut description);
    changes.normal = Some(NormalKind::Volume);
    changes.numbers.push((Number::LayerDepth1, 0.002));
    refused(
        description,
        "layer_depth_1",
        "material \"Steel\": poissons_ratio is 0.5; must be < 0.5 with the layer_depth of \"Steel\" and \"Steel\": a \
             layer that is given cannot widen; without layer_depth any up to 0.5 is good",
    );
    // A given stiffness needs no modulus.
    let mut description = spring_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.materials[0].youngs_modulus = 0.0;
    assert!(Scene::new(description).is_ok());
}

#[test]
fn parameters_that_do_not_fit_each_other_are_refused_by_name() {
    let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.contact.law.friction = FrictionKind::Coulomb;
    let scene = Arc::new(scene(description));
    let set = |element, name, value: f64| {
        let mut parameters = Parameters::start(&scene);
        let index = scene.parameter_index(element, name, 0).unwrap();
        parameters.set(&scene, index, value);
        System::new(Arc::clone(&scene), &parameters)
            .err()
            .map(|e| e.to_string())
    };
    let static_speed = |value| set(Element::Law(0.into()), "static_speed", value);
    assert_eq!(static_speed(0.05), None);
    assert_eq!(
        static_speed(0.1).as_deref(),
        Some(
            "parameter material_pair.Steel.Steel.static_speed is 0.1; must be < dynamic_speed = 0.1 m/s"
        )
    );
    assert_eq!(
        set(Element::Material(0.into()), "youngs_modulus", 0.0).as_deref(),
        Some("parameter material.Steel.youngs_modulus is 0; must be > 0 for law = \"hertz\"")
    );
}

#[test]
fn an_observer_is_in_contact_without_force() {
    let mut gate = plate();
    gate.name = "gate".into();
    gate.shapes[0].contact_material = Some("Observer".into());
    for (velocity, spin) in [([1.0, 0.0, -2.0], 3.0), ([0.0; 3], 0.0)] {
        let mut falling = ball("a", [0.0, 0.0, 0.05]);
        falling.velocity = velocity;
        falling.angular_velocity = [spin, 0.0, 0.0];
        observed(vec![gate.clone(), falling]);
    }
}

/// A ball inside a gate is in contact and falls freely.
fn observed(bodies: Vec<BodyDescription>) {
    let mut description = steel_scene(bodies);
    description
        .materials
        .push(material("Observer", 0.0, 0.0, 0.0));
    let observer = LawChanges {
        normal: Some(NormalKind::Observer),
        ..LawChanges::default()
    };
    add_pair(
        &mut description,
        ["Steel", "Observer"],
        PairResponse::Law(observer),
    );
    let scene = Arc::new(scene(description));
    let mut states = scene.start_states();
    let mut system = start_of(&scene);
    system.update_event(0.0, &mut states).unwrap();
    assert_eq!(contact_changes(&system).len(), 1);
    assert_eq!(system.ledger().contacts().len(), 1);
    let rates = rates(&mut system, 0.0, &states);
    // Velocities and angular velocities change as in free flight of a ball.
    assert_eq!(rates[7..], [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
}

#[test]
fn a_free_body_of_a_material_without_density_has_no_mass() {
    let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
    description.materials[0].density = 0.0;
    refused(description, "", "body \"a\": has no mass");
}
