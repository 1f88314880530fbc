//! Trees against dense solutions, closed forms and symmetries.

mod contact;
mod cost;
mod dense;
mod nominals;
mod reactions;
mod refusals;
mod symmetry;

use crate::dynamics::{Model, pressing};
use crate::fixtures::*;

/// Up to `most` bodies in up to three trees, on the world, a fixed body and free ones, joints of
/// all kinds at random places and speeds, and a free body by itself.
fn random_scene(random: &mut Random, most: usize) -> SceneDescription {
    let mut ground = plain_body("ground", Motion::Fixed, GivenMass::default());
    ground.position = random.vector();
    ground.orientation = random.quaternion();
    let mut bodies = vec![ground];
    for name in ["float", "alone"] {
        let mut body = plain_body(name, Motion::Free, random.mass(0.5));
        body.position = random.vector();
        body.orientation = random.quaternion();
        body.velocity = random.vector();
        body.angular_velocity = random.vector();
        bodies.push(body);
    }
    let mut joints = Vec::new();
    // Bodies that may be parents; none is the world.
    let mut parents: Vec<Option<String>> = vec![None, Some("ground".into()), Some("float".into())];
    for index in 0..1 + random.below(most - 2) {
        let name = format!("link_{index}");
        // Late ones more often than early ones, so that there are long chains.
        let parent = parents.len() - 1 - random.below(parents.len().min(4));
        let kind = JointKind::ALL[random.below(JointKind::ALL.len())];
        let mut one = joint(kind, parents[parent].as_deref(), &name);
        one.parent_frame = random.placement();
        one.child_frame = random.placement();
        let axes = rotation_matrix::<f64>(&random.quaternion());
        one.axis = axes.column(0).into_owned().into();
        one.second_axis = axes.column(1).into_owned().into();
        one.positions = (0..kind.position_count())
            .map(|_| random.number())
            .collect();
        if kind.has_pitch() {
            one.pitch = 4.0 * random.number();
        }
        if let Some(first) = kind.quaternion() {
            one.positions[first..].copy_from_slice(&random.quaternion());
        }
        one.rates = (0..kind.rate_count()).map(|_| random.number()).collect();
        bodies.push(plain_body(&name, Motion::Joint, random.mass(0.5)));
        joints.push(one);
        parents.push(Some(name));
    }
    let mut description = steel_scene(bodies);
    description.joints = joints;
    description
}

fn bound(description: &SceneDescription) -> Model {
    let scene = valid(description.clone());
    let functions = UserFunctions::not_loaded(&scene);
    pressing::bind(&scene, &Parameters::start(&scene), &functions).expect("good parameters")
}
