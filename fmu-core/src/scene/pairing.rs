//! Laws of pairs of shapes that can touch.

use crate::response::options::NormalKind;
use crate::response::{LawChanges, LawChoice, LawKinds, Number};
use crate::scene::Scene;
use crate::scene::description::{PairResponse, SceneDescription, SceneError, SceneItem};

/// Law of two materials: given, or the mean of the two self pairs, where these have the same laws.
pub(super) fn choice(
    description: &SceneDescription,
    scene: &Scene,
    materials: [usize; 2],
) -> Result<LawChoice, String> {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    let find = |a: &str, b: &str| {
        description.material_pairs.iter().find_map(|pair| {
            let [c, d] = &pair.materials;
            let PairResponse::Law(changes) = &pair.response else {
                return None;
            };
            ((a, b) == (c.as_str(), d.as_str()) || (b, a) == (c.as_str(), d.as_str()))
                .then_some(changes)
        })
    };
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let choose = |changes: &LawChanges, [a, b]: [&str; 2]| {
        LawChoice::new(of_scene.changed(changes), |number| changes.number(number)).map_err(
            |missing| {
                let keys: Vec<&str> = missing.iter().map(|number| number.key()).collect();
                format!(
                    "the law of materials {a:?} and {b:?} needs {}; add it to their [[material_pair]]",
                    keys.join(", ")
                )
            },
        )
    };
    if let Some(changes) = find(a, b) {
        return choose(changes, [a, b]);
    }
    if let (Some(x), Some(y)) = (find(a, a), find(b, b)) {
        let [x, y] = [choose(x, [a, a])?, choose(y, [b, b])?];
        if x.kinds == y.kinds && x.kinds.normal != NormalKind::Observer {
            let mean = |number: Number| Some(0.5 * (x.number(number) + y.number(number)));
            // Nothing is missing: what one self pair has, the other has too.
            if let Ok(choice) = LawChoice::new(x.kinds, mean) {
                return Ok(choice);
            }
        }
    }
    Err(format!(
        "no contact data for materials {a:?} and {b:?}; add\n  [[material_pair]]\n  materials = [{a:?}, {b:?}]\n  \
         restitution = 0.5\n  sliding_friction = 0.3\n  rolling_resistance = 0.0"
    ))
}

/// The error of a missing material pair, at the second shape that needs it.
pub(super) fn missing_pair(
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
