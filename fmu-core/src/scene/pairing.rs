//! Contact data of pairs of shapes that can touch.

use crate::scene::Scene;
use crate::scene::description::{PairData, PairResponse, SceneDescription, SceneError, SceneItem};

/// Contact data of two materials: given, or the mean of the two self pairs.
pub(super) fn pair_data(
    description: &SceneDescription,
    scene: &Scene,
    materials: [usize; 2],
) -> Result<PairData, String> {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    let find = |a: &str, b: &str| {
        description.material_pairs.iter().find_map(|pair| {
            let [c, d] = &pair.materials;
            let PairResponse::Elastic(data) = pair.response;
            ((a, b) == (c.as_str(), d.as_str()) || (b, a) == (c.as_str(), d.as_str()))
                .then_some(data)
        })
    };
    if let Some(data) = find(a, b) {
        return Ok(data);
    }
    match (find(a, a), find(b, b)) {
        (Some(x), Some(y)) => Ok(PairData {
            restitution: 0.5 * (x.restitution + y.restitution),
            sliding_friction: 0.5 * (x.sliding_friction + y.sliding_friction),
            rolling_resistance: 0.5 * (x.rolling_resistance + y.rolling_resistance),
            v_small: 0.5 * (x.v_small + y.v_small),
            w_small: 0.5 * (x.w_small + y.w_small),
        }),
        _ => Err(format!(
            "no contact data for materials {a:?} and {b:?}; add\n  [[material_pair]]\n  materials = [{a:?}, {b:?}]\n  \
             restitution = 0.5\n  sliding_friction = 0.3\n  rolling_resistance = 0.0"
        )),
    }
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
