//! Laws of pairs of shapes that can touch: given for their materials, or the mean of two self pairs.
//!
//! The mean of A-A and B-B stands for a pair A-B that nobody gives, where both have the same elastic
//! laws of the same exponent: every number is the mean of the two, save that the layer on each
//! material is that of its self pair.

use crate::math::Exact;
use crate::response::flaws::{example_lines, missing};
use crate::response::options::NormalKind;
use crate::response::{LawChanges, LawChoice, LawKinds, Number};
use crate::scene::Scene;
use crate::scene::description::{
    MaterialPair, PairResponse, SceneDescription, SceneError, SceneItem,
};

/// Law of two materials: given, or the mean of the two self pairs, where these have the same laws.
///
/// # Errors
/// What to add to the scene, and why no mean stands for it.
pub(super) fn choice(
    description: &SceneDescription,
    scene: &Scene,
    materials: [usize; 2],
) -> Result<LawChoice, String> {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let reason = match find(description, [a, b]) {
        Some(MaterialPair {
            materials: [first, _],
            response: PairResponse::Law(changes),
        }) => {
            let ordered = in_order(changes, first == a);
            return LawChoice::of_pair(&of_scene, &ordered).map_err(|numbers| {
                let text = missing(&of_scene.changed(changes), &numbers);
                format!("material pair {a:?}, {b:?}: {text}")
            });
        }
        // Shapes of such materials are no pair, so nobody asks.
        Some(_) => format!("law = \"none\" keeps materials {a:?} and {b:?} apart"),
        None => match self_choices(description, &of_scene, [a, b]) {
            Ok([x, y]) => match mean(&x, &y, [a, b]) {
                Ok(mean) => return Ok(mean),
                Err(reason) => reason,
            },
            Err(reason) => reason,
        },
    };
    let observed = [a, b].iter().any(|m| observes(description, &of_scene, m));
    let lines = match observed {
        true => vec!["law = \"observer\"".to_owned()],
        false => example_lines(&of_scene),
    };
    Err(format!(
        "no contact data for materials {a:?} and {b:?}{reason}; add\n  [[material_pair]]\n  materials = [{a:?}, \
         {b:?}]\n  {}",
        lines.join("\n  ")
    ))
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

fn find<'d>(description: &'d SceneDescription, [a, b]: [&str; 2]) -> Option<&'d MaterialPair> {
    description.material_pairs.iter().find(|pair| {
        let [c, d] = pair.materials.each_ref().map(String::as_str);
        [a, b] == [c, d] || [b, a] == [c, d]
    })
}

/// Whether a material has a self pair that only observes.
fn observes(description: &SceneDescription, of_scene: &LawKinds, material: &str) -> bool {
    match find(description, [material, material]).map(|pair| &pair.response) {
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
) -> Result<[LawChoice; 2], String> {
    if a == b {
        return Err(String::new());
    }
    let no_mean = |reason: String| format!(", and no mean of their self pairs: {reason}");
    let mut lacking = Vec::new();
    let mut choices = Vec::new();
    for material in [a, b] {
        match find(description, [material, material]).map(|pair| &pair.response) {
            None => lacking.push(format!("{material:?} has none")),
            Some(PairResponse::None) => {
                lacking.push(format!("{material:?} never touches itself"));
            }
            Some(PairResponse::Law(changes)) => match LawChoice::of_pair(of_scene, changes) {
                Ok(choice) if choice.kinds.normal == NormalKind::Observer => {
                    lacking.push(format!("that of {material:?} only observes"));
                }
                Ok(choice) => choices.push(choice),
                Err(_) => lacking.push(format!("that of {material:?} is incomplete")),
            },
        }
    }
    match choices[..] {
        [x, y] => Ok([x, y]),
        _ => Err(no_mean(lacking.join(", "))),
    }
}

/// The mean of the laws of two self pairs, or why there is none.
fn mean(x: &LawChoice, y: &LawChoice, [a, b]: [&str; 2]) -> Result<LawChoice, String> {
    let no_mean = |reason: String| Err(format!(", and no mean of their self pairs: {reason}"));
    if x.kinds != y.kinds {
        let laws = [x, y].map(LawChoice::law_word);
        return no_mean(match laws[0] == laws[1] {
            true => format!("those of {a:?} and {b:?} differ in damping, friction or another kind"),
            false => format!(
                "that of {a:?} has law = {:?}, that of {b:?} {:?}",
                laws[0], laws[1]
            ),
        });
    }
    let [n, m] = [x, y].map(|choice| choice.number(Number::Exponent));
    if n != m {
        return no_mean(format!(
            "that of {a:?} has exponent = {n}, that of {b:?} {m}"
        ));
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
    mean.or_else(|_| no_mean("numbers are missing".into()))
}

/// The error of a pair of shapes, at the second of them, which needs it.
pub(super) fn error_at(
    description: &SceneDescription,
    scene: &Scene,
    shape: usize,
    message: String,
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
        message,
    }
}

/// The error of a law that cannot work with the moduli of a material: at the one of two shapes of
/// the law that has it.
pub(super) fn modulus_error(
    description: &SceneDescription,
    scene: &Scene,
    shapes: [usize; 2],
    choice: &LawChoice,
) -> Option<SceneError> {
    let materials = shapes.map(|shape| scene.shapes()[shape].material);
    let flawed = |shape: usize| {
        let data = &scene.materials()[scene.shapes()[shape].material];
        let (field, allowed) = choice.modulus_flaw(data.youngs_modulus, data.poissons_ratio)?;
        let value = match field {
            "poissons_ratio" => Exact(data.poissons_ratio).to_string(),
            _ => format!("{} Pa", Exact(data.youngs_modulus)),
        };
        let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
        let text = format!(
            "material {:?}: {field} is {value}; must be {allowed} for law = {:?} of {a:?} and {b:?}",
            data.name,
            choice.law_word()
        );
        Some(error_at(description, scene, shape, text))
    };
    shapes.into_iter().find_map(flawed)
}

/// Item of a collision shape in the description.
fn item_of(description: &SceneDescription, scene: &Scene, shape: usize) -> SceneItem {
    let shape = &scene.shapes()[shape];
    let index = description.bodies[shape.body]
        .shapes
        .iter()
        .position(|s| s.name == shape.name);
    index.map_or(SceneItem::Body(shape.body), |index| {
        SceneItem::Shape(shape.body, index)
    })
}
