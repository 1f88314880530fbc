//! Classes of pairs against looking at every pair.

use crate::dynamics::{Model, pressing, scale};
use crate::fixtures::*;
use crate::scene::{Pair, StateLayout};

/// Numbers below `n` of a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn named(of: [usize; 2], threshold: Option<f64>, stiffness: Option<f64>) -> PairDescription {
    let [one, other] = of.map(|index| format!("body_{index}"));
    let law = |stiffness| {
        PairResponse::Law(LawChanges {
            normal: Some(contact_laws::response::choice::NormalKind::Spring),
            numbers: vec![(Number::Stiffness, stiffness)],
            ..LawChanges::default()
        })
    };
    PairDescription {
        threshold,
        response: stiffness.map(law),
        ..pair_of(&one, &other)
    }
}

/// Balls and boxes of few sizes, two materials, shells, collision groups and named pairs.
fn scene(random: &mut Random) -> SceneDescription {
    let count = 2 + random.below(8);
    let mut bodies = Vec::new();
    for index in 0..count {
        let place = [10.0 * index as f64, 0.0, random.below(3) as f64];
        let name = format!("body_{index}");
        let motion = [Motion::Free, Motion::Free, Motion::Free, Motion::Fixed][random.below(4)];
        let form = match random.below(3) {
            0 => cuboid([0.2, 0.3, [0.1, 0.4][random.below(2)]]),
            _ => sphere([0.1, 0.2][random.below(2)]),
        };
        let mut made = body(&name, motion, form, place);
        made.mass.mass = [None, Some(2.0)][random.below(2)];
        if random.below(3) == 0 {
            let mut second = ball("second", [0.0; 3]).shapes[0].clone();
            second.position = [0.0, 3.0, 0.0];
            made.shapes.push(second);
        }
        for shape in &mut made.shapes {
            shape.shell = [0.0, 0.0, 1e-3][random.below(3)];
        }
        made.collision_group = [None, None, Some("together".into())][random.below(3)].clone();
        bodies.push(made);
    }
    bodies.push(plate());
    let mut description = steel_scene(bodies);
    let soft = Material {
        name: "Soft".into(),
        youngs_modulus: 1e8,
        ..steel()
    };
    description.materials.push(soft);
    let response = description.material_pairs[0].response.clone();
    for materials in [["Soft", "Soft"], ["Soft", "Steel"]] {
        description.material_pairs.push(MaterialPair {
            materials: materials.map(str::to_owned),
            response: response.clone(),
        });
    }
    let shapes = description.bodies.iter_mut().flat_map(|b| &mut b.shapes);
    for shape in shapes {
        shape.contact_material = [None, Some("Soft".to_owned())][random.below(2)].clone();
    }
    for _ in 0..random.below(4) {
        let of = [random.below(count), random.below(count)];
        let threshold = [None, Some(2e-3)][random.below(2)];
        let stiffness = [None, Some(3e5), Some(4e5)][random.below(3)];
        description.pairs.push(named(of, threshold, stiffness));
    }
    description
}

/// Scenes that the check accepts: not those that name two bodies that never touch, say.
fn models() -> Vec<Model> {
    let mut random = Random(11);
    let descriptions = (0..600).map(|_| scene(&mut random));
    let scenes = descriptions.filter_map(|description| Scene::new(description).ok());
    let models = scenes.map(|scene| {
        let scene = Arc::new(scene);
        let functions = UserFunctions::not_loaded(&scene);
        pressing::bind(&scene, &Parameters::start(&scene), &functions).expect("good numbers")
    });
    models.collect()
}

#[test]
fn every_pair_is_in_one_class_and_has_its_law() {
    let (mut pair_count, mut class_count, mut named) = (0, 0, 0);
    for model in models() {
        let scene = &model.scene;
        let mut found: Vec<Pair> = Vec::new();
        for class in model.pair_classes().iter() {
            let pairs: Vec<Pair> = class.pairs().collect();
            assert_eq!(class.first(), pairs[0]);
            assert_eq!(class.count(), pairs.len());
            let numbers = |pair: &Pair| {
                let law = scene.law_of(pair);
                let bound = model.law_of(pair);
                let mass = model.effective_mass(model.bodies_of(pair));
                let depth = bound.depth_after_impact(mass, 1.0).map(f64::to_bits);
                let threshold = scene.threshold_of(pair.shapes).to_bits();
                (
                    model.kind_of_law(pair, law),
                    threshold,
                    mass.to_bits(),
                    depth,
                )
            };
            let mut of_sides = [Vec::new(), Vec::new()];
            for pair in &pairs {
                assert_eq!(numbers(pair), numbers(&pairs[0]));
                for (side, of_side) in of_sides.iter_mut().enumerate() {
                    let shape = pair.shapes[side];
                    if !of_side.iter().any(|p: &Pair| p.shapes[side] == shape) {
                        of_side.push(*pair);
                    }
                }
            }
            let mut of_shapes = [Vec::new(), Vec::new()];
            class
                .first_of_each()
                .for_each(|(side, pair)| of_shapes[side].push(pair));
            of_sides[1].sort_unstable_by_key(|pair| pair.shapes[1]);
            assert_eq!(of_shapes, of_sides);
            found.extend(pairs);
            class_count += 1;
        }
        found.sort_unstable_by_key(|pair| pair.shapes);
        assert_eq!(found, scene.pairs().of_parts().collect::<Vec<_>>());
        pair_count += found.len();
        named += scene
            .laws()
            .iter()
            .filter(|law| law.between.is_some())
            .count();
    }
    assert!(
        class_count < pair_count && named > 50,
        "{class_count} {pair_count} {named}"
    );
}

#[test]
fn demand_and_penetrations_are_those_of_looking_at_every_pair() {
    for model in models() {
        let mut reach = 1f64;
        let mut least: Option<(f64, BodyId, [ShapeId; 2])> = None;
        let mut penetrations = vec![f64::INFINITY; model.bodies.len()];
        for pair in model.scene.pairs().of_parts() {
            let (law, bodies) = (model.law_of(&pair), model.bodies_of(&pair));
            let mass = model.effective_mass(bodies);
            let depth = law.depth_after_impact(mass, scale::REFERENCE_SPEED);
            for body in bodies {
                let known = &mut penetrations[usize::from(body)];
                *known = known.min(depth.expect("a force"));
                if !model.scene.bodies()[body].is_free() {
                    continue;
                }
                reach = reach.max(model.bodies[body].pose.position.amax());
                let depth = law.depth_under_force(scale::weight(&model, body));
                let depth = depth.expect("a force");
                if least.is_none_or(|(known, ..)| depth < known) {
                    least = Some((depth, body, pair.shapes));
                }
            }
        }
        let found = scale::demand(&model).map(|demand| {
            let reach = demand.reach.to_bits();
            ((demand.depth, demand.body, demand.shapes), reach)
        });
        assert_eq!(found, least.map(|least| (least, reach.to_bits())));
        let nominals = scale::Scales::of(&model).nominals;
        for (index, penetration) in penetrations.into_iter().enumerate() {
            let offset = model.scene.layout().body(BodyId::from(index));
            if let (Some(offset), true) = (offset, penetration.is_finite()) {
                assert_eq!(nominals[StateLayout::position(offset)], [penetration; 3]);
            }
        }
    }
}
