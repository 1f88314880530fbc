//! Laws of pairs of shapes that can touch: given for their materials, or the mean of two self
//! pairs.
//!
//! The mean of A-A and B-B is used for a pair A-B that is not given, if both have the same elastic
//! laws of the same exponent: every number is the mean of the two, save that the layer on each
//! material is that of its self pair. Where only one of both gives a stiffness per area there is no
//! mean over an area: the other is that of two layers, and each material has only one of them here.

use crate::scene::Scene;
use crate::scene::description::{MaterialPair, PairResponse, SceneDescription, SceneItem};
use crate::scene::flaw::{Lack, NoMean, SceneError, SceneFlaw};
use contact_laws::index::{MaterialId, ShapeId};
use contact_laws::response::flaws::{LawFlaw, OutOfRange};
use contact_laws::response::options::NormalKind;
use contact_laws::response::{LawChanges, LawChoice, LawKinds, Number};

/// Law of two materials: given, or the mean of the two self pairs, if these have the same laws.
///
/// # Errors
/// The head of the message, and what is wrong: numbers of the given law that are missing, or why no
/// mean replaces a law that is not given.
pub(super) fn choice(
    description: &SceneDescription,
    scene: &Scene,
    materials: [MaterialId; 2],
) -> Result<LawChoice, (String, Box<SceneFlaw>)> {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let given = find(description, [a, b]);
    let no_mean = match given.map(|place| &description.material_pairs[place]) {
        Some(MaterialPair {
            materials: [first, _],
            response: PairResponse::Law(changes),
        }) => {
            let ordered = in_order(changes, first == a);
            return LawChoice::of_pair(&of_scene, &ordered).map_err(|numbers| {
                let flaw = LawFlaw::Missing(numbers, of_scene.changed(changes));
                let subject = format!("material pair {a:?}, {b:?}: ");
                (subject, Box::new(SceneFlaw::Law(flaw)))
            });
        }
        // Shapes of materials that are kept apart are no pair: not needed.
        Some(_) => NoMean::Same,
        None => {
            match self_choices(description, &of_scene, [a, b]).and_then(|[x, y]| mean(&x, &y)) {
                Ok(mean) => return Ok(mean),
                Err(reason) => reason,
            }
        }
    };
    let observed = [a, b].iter().any(|m| observes(description, &of_scene, m));
    let kinds = (!observed).then_some(of_scene);
    let names = [a, b].map(str::to_owned);
    let flaw = SceneFlaw::NoContactData(names, no_mean, kinds);
    Err((String::new(), Box::new(flaw)))
}

/// Changes with the depths of layers in the order of the materials of a law.
pub(super) fn in_order(changes: &LawChanges, same_order: bool) -> LawChanges {
    let mut ordered = changes.clone();
    if !same_order {
        for (number, _) in &mut ordered.numbers {
            *number = match *number {
                Number::LayerDepth1 => Number::LayerDepth2,
                Number::LayerDepth2 => Number::LayerDepth1,
                other => other,
            };
        }
    }
    ordered
}

/// Place of the pair of two materials in a description.
pub(super) fn find(description: &SceneDescription, [a, b]: [&str; 2]) -> Option<usize> {
    description.material_pairs.iter().position(|pair| {
        let [c, d] = pair.materials.each_ref().map(String::as_str);
        [a, b] == [c, d] || [b, a] == [c, d]
    })
}

fn self_response<'d>(
    description: &'d SceneDescription,
    material: &str,
) -> Option<&'d PairResponse> {
    let place = find(description, [material, material])?;
    Some(&description.material_pairs[place].response)
}

/// Why the mean of two self pairs leaves open how stiff the contact is over an area, as the error
/// of a pair that touches so.
pub(super) fn open_mean(
    description: &SceneDescription,
    scene: &Scene,
    materials: [MaterialId; 2],
) -> Option<SceneFlaw> {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let choices = self_choices(description, &of_scene, [a, b]).ok()?;
    let is_given = |index: usize, number| choices[index].number(number) > 0.0;
    let per_area = [0, 1].map(|index| is_given(index, Number::StiffnessPerArea));
    let no_mean = match per_area {
        [true, true] => return None,
        [true, false] => NoMean::OnePerArea(0),
        [false, true] => NoMean::OnePerArea(1),
        [false, false] => NoMean::OneLayer([0, 1].into_iter().find(|index| {
            is_given(*index, Number::LayerDepth1) != is_given(*index, Number::LayerDepth2)
        })?),
    };
    let names = [a, b].map(str::to_owned);
    Some(SceneFlaw::NoContactData(names, no_mean, Some(of_scene)))
}

/// Returns true if a material has a self pair that only observes.
fn observes(description: &SceneDescription, of_scene: &LawKinds, material: &str) -> bool {
    match self_response(description, material) {
        Some(PairResponse::Law(changes)) => {
            of_scene.changed(changes).normal == NormalKind::Observer
        }
        _ => false,
    }
}

/// The laws of the two self pairs, or why there is no mean.
fn self_choices(
    description: &SceneDescription,
    of_scene: &LawKinds,
    [a, b]: [&str; 2],
) -> Result<[LawChoice; 2], NoMean> {
    if a == b {
        return Err(NoMean::Same);
    }
    let mut lacking = Vec::new();
    let mut choices = Vec::new();
    for material in [a, b] {
        let lack = match self_response(description, material) {
            None => Lack::Absent,
            Some(PairResponse::None) => Lack::Never,
            Some(PairResponse::Law(changes)) => match LawChoice::of_pair(of_scene, changes) {
                Ok(choice) if choice.kinds.normal == NormalKind::Observer => Lack::Observes,
                Ok(choice) => {
                    choices.push(choice);
                    continue;
                }
                Err(_) => Lack::Incomplete,
            },
        };
        lacking.push((material.to_owned(), lack));
    }
    match choices[..] {
        [x, y] => Ok([x, y]),
        _ => Err(NoMean::Lacking(lacking)),
    }
}

/// The mean of the laws of two self pairs, or why there is none.
fn mean(x: &LawChoice, y: &LawChoice) -> Result<LawChoice, NoMean> {
    if x.kinds != y.kinds {
        let laws = [x, y].map(|choice| choice.kinds.normal);
        return Err(match x.law_word() == y.law_word() {
            true => NoMean::Kinds,
            false => NoMean::Laws(laws),
        });
    }
    let exponents = [x, y].map(|choice| choice.number(Number::Exponent));
    if exponents[0] != exponents[1] {
        return Err(NoMean::Exponents(exponents));
    }
    let layer = |choice: &LawChoice| {
        0.5 * (choice.number(Number::LayerDepth1) + choice.number(Number::LayerDepth2))
    };
    let mean = LawChoice::new(x.kinds, |number| {
        Some(match number {
            Number::LayerDepth1 => layer(x),
            Number::LayerDepth2 => layer(y),
            _ => 0.5 * (x.number(number) + y.number(number)),
        })
    });
    mean.map_err(|_| NoMean::Numbers)
}

/// The error of a pair of shapes, at the second of them, which needs it.
pub(super) fn error_at(
    description: &SceneDescription,
    scene: &Scene,
    shape: ShapeId,
    (subject, flaw): (String, Box<SceneFlaw>),
) -> SceneError {
    let item = item_of(description, scene, shape);
    let own_contact_material = match item {
        SceneItem::Shape(b, s) => description.bodies[b].shapes[s].contact_material.is_some(),
        _ => false,
    };
    let field = if own_contact_material {
        "contact_material"
    } else {
        "material"
    };
    SceneError {
        item,
        field,
        subject,
        flaw,
    }
}

/// The error of a law that cannot work with the moduli of a material: at the one of two shapes of
/// the law that has it, or at the layer that asks for it, in the item `layers` unless that is the
/// pair of materials.
pub(super) fn modulus_error(
    description: &SceneDescription,
    scene: &Scene,
    shapes: [ShapeId; 2],
    (choice, layers): (&LawChoice, Option<SceneItem>),
) -> Option<SceneError> {
    let materials = shapes.map(|shape| scene.shapes()[shape].material);
    let flawed = |shape: ShapeId| {
        let data = &scene.materials()[scene.shapes()[shape].material];
        let (field, allowed) = choice.modulus_flaw(data.youngs_modulus, data.poissons_ratio)?;
        let number = match field {
            "poissons_ratio" => (data.poissons_ratio, ""),
            _ => (data.youngs_modulus, "Pa"),
        };
        let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
        let subject = format!("material {:?}: ", data.name);
        let out_of_range = |why: String| {
            SceneFlaw::OutOfRange(OutOfRange::new(field, number, format!("{allowed} {why}")))
        };
        if field == "poissons_ratio" {
            let flaw = out_of_range(format!(
                "with the layer_depth of {a:?} and {b:?}: a layer that is given cannot widen; \
                 without layer_depth any up to 0.5 is good"
            ));
            let of_materials = find(description, [a, b]).map(SceneItem::MaterialPair);
            if let Some(item) = layers.or(of_materials) {
                return Some(SceneError {
                    item,
                    field: Number::LayerDepth1.key(),
                    subject,
                    flaw: Box::new(flaw),
                });
            }
            return Some(error_at(
                description,
                scene,
                shape,
                (subject, Box::new(flaw)),
            ));
        }
        let word = choice.law_word();
        let flaw = out_of_range(format!("for law = {word:?} of {a:?} and {b:?}"));
        Some(error_at(
            description,
            scene,
            shape,
            (subject, Box::new(flaw)),
        ))
    };
    shapes.into_iter().find_map(flawed)
}

/// Item of a collision shape in the description.
fn item_of(description: &SceneDescription, scene: &Scene, shape: ShapeId) -> SceneItem {
    let shape = &scene.shapes()[shape];
    if let Some(group) = scene.grains_of(shape.body) {
        return SceneItem::Grains(group.into());
    }
    let index = description.bodies[usize::from(shape.body)]
        .shapes
        .iter()
        .position(|s| s.name == shape.name);
    index.map_or(SceneItem::Body(shape.body.into()), |index| {
        SceneItem::Shape(shape.body.into(), index)
    })
}
