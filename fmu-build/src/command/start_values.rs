//! Writes start values of parameters and states back to the description of a scene, so that an FMU has them
//! from the start.
//!
//! They have the same meaning as for an importer: the inertia of a body follows its mass unless an entry is
//! given, and only the law itself is set, not those derived from it (means of self pairs, pairs of shapes
//! that start from those of their materials).

use contact_laws::index::{BodyId, LawId, ParameterId};
use contact_laws::quantity::Key;
use contact_laws::response::{LawChanges, Number};
use contact_model::scene::description::body::{CENTER_OF_MASS, INERTIA, MASS};
use contact_model::scene::description::form::{ORIENTATION, POSITION};
use contact_model::scene::description::{BodyDescription, MaterialPair, PairResponse, ShapeName};
use contact_model::scene::{
    Address, Element, ElementNumbers, Parameters, Scene, SceneDescription, SceneError, StateLayout,
};

/// Deviation of the norm of a quaternion from 1 above which it is normalised.
const NORM_ROUNDING: f64 = 1e-12;

/// Description and scene with the values of `wanted`. `given` are the parameters that were set; the others
/// are unchanged or derived.
///
/// # Errors
/// Text: the values break an invariant of the scene, or cannot be expressed in a description.
pub(crate) fn described(
    description: &SceneDescription,
    scene: &Scene,
    wanted: &Parameters,
    given: &[ParameterId],
) -> Result<(SceneDescription, Scene), String> {
    let (mut description, mut scene) = (description.clone(), scene.clone());
    for index in given {
        let b = body_of(&scene, *index, MASS).or(body_of(&scene, *index, INERTIA));
        if let Some(b) = b {
            set_inertia(&mut description, &scene, wanted, given, b);
        }
    }
    // A law from which others start moves these along in the first round; the second one puts them back.
    for _ in 0..2 {
        let element = |index: &ParameterId| scene.parameters()[*index].element;
        let changed = deviating(&scene, wanted);
        for own in changed.chunk_by(|one, two| element(one) == element(two)) {
            set(&mut description, &scene, wanted, own);
        }
        normalize(&mut description, &scene, given);
        let next = checked(&description)?;
        if next.parameters() != scene.parameters() {
            return Err(
                "--set would change which parameters there are; edit the scene file".into(),
            );
        }
        scene = next;
    }
    let is_other = |index: &&ParameterId| body_of(&scene, **index, ORIENTATION).is_none();
    match deviating(&scene, wanted).iter().find(is_other) {
        None => Ok((description, scene)),
        Some(index) => Err(format!(
            "--set cannot give {} another value in this scene; edit the scene file",
            scene.parameter_name(*index)
        )),
    }
}

fn checked(description: &SceneDescription) -> Result<Scene, String> {
    Scene::new(description.clone()).map_err(|errors| in_lines(&errors))
}

/// Problems of a description with remedies, one per line.
pub(crate) fn in_lines(errors: &[SceneError]) -> String {
    let lines = errors.iter().map(|error| error.finding.in_one_line());
    lines.collect::<Vec<_>>().join("\n")
}

/// States with start values in the description, ascending: states of friction and the energy balance start at
/// 0, and groups of balls have separate positions.
pub(crate) fn stated(scene: &Scene) -> Vec<usize> {
    let layout = scene.layout();
    let of_bodies = scene
        .bodies()
        .keys()
        .filter_map(|b| layout.body(b))
        .map(body_states);
    let joints = scene.joints().keys();
    let of_joints = joints.flat_map(|j| [layout.joint_positions(j), layout.joint_rates(j)]);
    let all = of_bodies.chain(of_joints).flatten();
    let mut states: Vec<usize> = all
        .filter(|s| scene.grains_of_state(*s).is_none())
        .collect();
    states.sort_unstable();
    states
}

fn body_states(start: usize) -> std::ops::Range<usize> {
    start..StateLayout::angular_velocity(start).end
}

/// Description and scene with other start values of states in [`stated`].
///
/// # Errors
/// Text: the values break an invariant of the scene.
pub(crate) fn with_states(
    description: &SceneDescription,
    scene: &Scene,
    values: &[StateStart],
) -> Result<(SceneDescription, Scene), String> {
    let mut description = description.clone();
    let mut states = scene.start_states();
    for start in values {
        states[start.state] = start.value;
    }
    let layout = scene.layout();
    for (b, body) in scene.bodies().iter_enumerated() {
        let Some(start) = layout.body(b) else {
            continue;
        };
        if values.iter().any(|v| body_states(start).contains(&v.state)) {
            let own = description
                .bodies
                .iter_mut()
                .find(|own| own.name == body.name);
            own.into_iter()
                .for_each(|own| set_states(own, start, &states));
        }
    }
    for (j, joint) in scene.joints().iter_enumerated() {
        let (positions, rates) = (layout.joint_positions(j), layout.joint_rates(j));
        let is_set = |v: &StateStart| positions.contains(&v.state) || rates.contains(&v.state);
        if values.iter().any(is_set) {
            let own = description
                .joints
                .iter_mut()
                .find(|own| own.name == joint.name);
            own.into_iter().for_each(|own| {
                own.positions = states[positions.clone()].to_vec();
                own.rates = states[rates.clone()].to_vec();
            });
        }
    }
    let scene = checked(&description)?;
    Ok((description, scene))
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateStart {
    pub(crate) state: usize,
    pub(crate) value: f64,
}

fn set_states(body: &mut BodyDescription, start: usize, states: &[f64]) {
    body.position
        .copy_from_slice(&states[StateLayout::position(start)]);
    let orientation = &states[StateLayout::orientation(start)];
    let norm = norm(orientation);
    body.orientation = std::array::from_fn(|i| orientation[i] / norm);
    body.velocity
        .copy_from_slice(&states[StateLayout::velocity(start)]);
    body.angular_velocity
        .copy_from_slice(&states[StateLayout::angular_velocity(start)]);
}

/// Parameters that start with values other than those wanted, without inertias, which follow masses up to
/// rounding.
fn deviating(scene: &Scene, wanted: &Parameters) -> Vec<ParameterId> {
    let start = Parameters::start(scene);
    let is_deviating = |index: &ParameterId| {
        body_of(scene, *index, INERTIA).is_none()
            && start.get(*index).to_bits() != wanted.get(*index).to_bits()
    };
    scene.parameters().keys().filter(is_deviating).collect()
}

/// The body that a parameter with this key is of.
fn body_of(scene: &Scene, index: ParameterId, key: Key) -> Option<BodyId> {
    let address = scene.parameters()[index];
    match address.element {
        Element::Body(b) if address.key() == key.key => Some(b),
        _ => None,
    }
}

/// Sets the inertia of body `b`, if an entry is given, or if the description gives it and the mass changes.
/// The inertia of shapes follows the mass anyway.
fn set_inertia(
    description: &mut SceneDescription,
    scene: &Scene,
    wanted: &Parameters,
    given: &[ParameterId],
    b: BodyId,
) {
    let mass = &mut description.bodies[usize::from(b)].mass;
    let is_entry = |index: &ParameterId| body_of(scene, *index, INERTIA) == Some(b);
    if (mass.inertia.is_some() || given.iter().any(is_entry))
        && let ElementNumbers::Body(numbers) = wanted.numbers(scene, Element::Body(b))
    {
        mass.inertia = Some(numbers.inertia);
    }
}

/// Normalises the orientations of fixed bodies of which a component was given.
fn normalize(description: &mut SceneDescription, scene: &Scene, given: &[ParameterId]) {
    for index in given {
        let Some(b) = body_of(scene, *index, ORIENTATION) else {
            continue;
        };
        let q = &mut description.bodies[usize::from(b)].orientation;
        let norm = norm(q);
        *q = q.map(|c| c / norm);
    }
}

fn norm(quaternion: &[f64]) -> f64 {
    let norm = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
    match (norm - 1.0).abs() > NORM_ROUNDING {
        true => norm,
        false => 1.0,
    }
}

/// Sets parameters of one element; of an inertia see [`set_inertia`].
fn set(
    description: &mut SceneDescription,
    scene: &Scene,
    wanted: &Parameters,
    changed: &[ParameterId],
) {
    let addresses = changed.iter().map(|index| scene.parameters()[*index]);
    let Some(element) = addresses.clone().next().map(|address| address.element) else {
        return;
    };
    match (element, wanted.numbers(scene, element)) {
        (_, ElementNumbers::World(gravity)) => description.gravity = gravity,
        (Element::Body(b), ElementNumbers::Body(numbers)) => {
            let body = &mut description.bodies[usize::from(b)];
            for address in addresses {
                let i = address.component().unwrap_or(0);
                match address.key() {
                    key if key == MASS.key => body.mass.mass = Some(numbers.mass),
                    key if key == CENTER_OF_MASS.key => {
                        body.mass.center_of_mass = Some(numbers.center_of_mass);
                    }
                    key if key == POSITION.key => body.position[i] = numbers.position[i],
                    _ => body.orientation[i] = numbers.orientation[i],
                }
            }
        }
        (_, ElementNumbers::Material(material)) => {
            let mut all = description.materials.iter_mut();
            let own = all.find(|own| own.name == material.name);
            own.into_iter().for_each(|own| *own = material.clone());
        }
        (Element::Law(l), ElementNumbers::Law(law)) => {
            for number in addresses.filter_map(Address::law_number) {
                set_law(description, scene, l, number, law.number(number));
            }
        }
        (_, ElementNumbers::Contact(contact)) => {
            description.contact.k_red = contact.k_red;
            let d_max = &mut description.contact.law.d_max;
            *d_max = contact.d_max.unwrap_or(*d_max);
        }
        (Element::Force(f), ElementNumbers::Force(profile)) => {
            let own = &mut description.forces[usize::from(f)].profile;
            // A table has no parameters.
            *own = profile.with_table(|_| None).unwrap_or(own.clone());
        }
        (Element::Joint(j, c), ElementNumbers::Coordinate(forces)) => {
            description.joints[usize::from(j)].forces[usize::from(c)] = forces;
        }
        (Element::Joint(j, _), ElementNumbers::Ball(ball)) => {
            description.joints[usize::from(j)].ball = ball;
        }
        (Element::Motion(m), ElementNumbers::Motion(profile)) => {
            let own = &mut description.motions[usize::from(m)].profile;
            *own = profile.with_table(|_| None).unwrap_or(own.clone());
        }
        (_, ElementNumbers::Experiment(own)) => description.experiment.set_integration(own),
        _ => {}
    }
}

/// Sets a number of a law, in the pair that gives it; a mean of two self pairs becomes a pair.
fn set_law(
    description: &mut SceneDescription,
    scene: &Scene,
    law: LawId,
    number: Number,
    value: f64,
) {
    let [a, b] = scene.laws()[law]
        .materials
        .map(|m| scene.materials()[m].name.clone());
    let Some(between) = &scene.laws()[law].between else {
        let place = place_of_pair(description, [&a, &b]);
        let place = place.unwrap_or_else(|| {
            let response = PairResponse::Law(changes_of_mean(description, scene, law));
            description.material_pairs.push(MaterialPair {
                materials: [a.clone(), b],
                response,
            });
            description.material_pairs.len() - 1
        });
        let pair = &mut description.material_pairs[place];
        let is_turned = pair.materials[0] != a;
        set_number(Some(&mut pair.response), number, value, is_turned);
        return;
    };
    let [first, second] = between
        .each_ref()
        .map(|name| materials_of(description, name));
    let is_turned = first.iter().any(|name| *name != a) && second.iter().any(|name| *name != b);
    let mut pairs = description.pairs.iter_mut();
    let pair = pairs.find(|pair| pair.between == *between && pair.response.is_some());
    set_number(
        pair.and_then(|pair| pair.response.as_mut()),
        number,
        value,
        is_turned,
    );
}

fn place_of_pair(description: &SceneDescription, [a, b]: [&String; 2]) -> Option<usize> {
    let mut pairs = description.material_pairs.iter();
    pairs.position(|pair| {
        let [c, d] = &pair.materials;
        [a, b] == [c, d] || [b, a] == [c, d]
    })
}

/// Kinds of a self pair, as for the mean, and all numbers of the mean.
fn changes_of_mean(description: &SceneDescription, scene: &Scene, law: LawId) -> LawChanges {
    let law = &scene.laws()[law];
    let name = &scene.materials()[law.materials[0]].name;
    let own = place_of_pair(description, [name, name]);
    let kinds = match own.map(|place| &description.material_pairs[place].response) {
        Some(PairResponse::Law(changes)) => changes.clone(),
        _ => LawChanges::default(),
    };
    LawChanges {
        numbers: law
            .choice
            .used()
            .map(|n| (n, law.choice.number(n)))
            .collect(),
        stiffness_unit: None,
        penetration: None,
        ..kinds
    }
}

/// Contact materials of the shapes with a name.
fn materials_of(description: &SceneDescription, name: &ShapeName) -> Vec<String> {
    let bodies = description
        .bodies
        .iter()
        .filter(|body| body.name == name.body);
    let shapes = bodies.flat_map(|body| &body.shapes);
    let shapes = shapes.filter(|shape| name.shape.as_ref().is_none_or(|n| shape.name == *n));
    let material = shapes.map(|shape| shape.contact_material.as_ref().unwrap_or(&shape.material));
    material.cloned().collect()
}

/// Sets a number of a law, with exchanged layer depths for exchanged materials.
fn set_number(response: Option<&mut PairResponse>, number: Number, value: f64, is_turned: bool) {
    let Some(PairResponse::Law(changes)) = response else {
        return;
    };
    let number = match (number, is_turned) {
        (Number::LayerDepth1, true) => Number::LayerDepth2,
        (Number::LayerDepth2, true) => Number::LayerDepth1,
        (number, _) => number,
    };
    if changes
        .penetration
        .is_some_and(|wanted| wanted.number() == number)
    {
        changes.penetration = None;
    }
    if number == Number::Stiffness {
        changes.stiffness_unit = None;
    }
    match changes
        .numbers
        .iter_mut()
        .find(|(known, _)| *known == number)
    {
        Some((_, known)) => *known = value,
        None => changes.numbers.push((number, value)),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/command/start_values/tests.rs"]
mod tests;
