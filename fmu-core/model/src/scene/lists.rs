//! The inputs and outputs that a scene has, which of them triggers watch, and which bodies its latches may
//! move. An index into a list is the address of a value. Which bodies and states are of groups of balls, and
//! why steps of a fixed length are refused.

use crate::scene::Scene;
use crate::scene::description::{Motion, OrientationInput, SceneDescription, SceneItem};
use crate::scene::flaw::SceneError;
use crate::scene::forces::ForceTimeProfile;
use crate::scene::forms::{GRAIN_STATES, GrainsId};
use crate::scene::outputs::{
    Input, Output, OutputItem, OutputShape, Owner, Presence, ROWS, Reads, Trigger, WatchedOutput,
};
use crate::scene::parameter::Address;
use contact_laws::finding::Finding;
use contact_laws::index::{BodyId, InputId, OutputId, TiVec};

/// Inputs of a scene, in the order of its bodies, forces, joints and latches.
pub(super) fn inputs(scene: &Scene) -> TiVec<InputId, Input> {
    let mut list = TiVec::new();
    for (b, body) in scene.bodies.iter_enumerated() {
        if body.motion != Motion::Driven {
            continue;
        }
        list.extend((0..3).map(|i| Input::Position(b, i)));
        match body.drive.orientation {
            OrientationInput::Quaternion => {
                list.extend((0..4).map(|i| Input::Orientation(b, i)));
            }
            OrientationInput::Matrix => list.extend((0..9).map(|i| Input::Rotation(b, i))),
        }
        list.extend((0..3).map(|i| Input::Velocity(b, i)));
        list.extend((0..3).map(|i| Input::AngularVelocity(b, i)));
    }
    for (f, force) in scene.forces.iter_enumerated() {
        if let ForceTimeProfile::Input { force, torque } = force.profile {
            list.extend((0..3).filter(|_| force).map(|i| Input::Force(f, i)));
            list.extend((0..3).filter(|_| torque).map(|i| Input::Torque(f, i)));
        }
    }
    for (j, joint) in scene.joints().iter_enumerated() {
        let forces = joint.forces.iter().enumerate();
        list.extend(
            forces
                .filter(|(_, f)| f.input)
                .map(|(c, _)| Input::Joint(j, c)),
        );
        if joint.kind.is_ball() && joint.ball.input {
            list.extend((0..3).map(|i| Input::BallTorque(j, i)));
        }
    }
    let latches = scene.latches.iter_enumerated();
    list.extend(
        latches
            .filter(|(_, latch)| latch.has_input)
            .map(|(index, _)| Input::Latch(index)),
    );
    list
}

/// Adds the parameters that a description makes inputs. Returns what is wrong with their names.
pub(super) fn add_parameter_inputs(
    scene: &mut Scene,
    description: &SceneDescription,
) -> Vec<SceneError> {
    let mut errors = Vec::new();
    if description.parameter_inputs.is_empty() {
        return errors;
    }
    let array = |name: String| name.split('[').next().unwrap_or_default().to_owned();
    let known = scene.parameters.iter_enumerated();
    let known: Vec<(String, Address)> = known
        .map(|(index, own)| (array(scene.parameter_name(index)), *own))
        .collect();
    let mut names: Vec<&str> = known.iter().map(|known| &known.0[..]).collect();
    names.dedup();
    for name in &description.parameter_inputs {
        let own = || known.iter().filter(|known| known.0 == *name);
        let mut inputs = scene.inputs.keys().map(|index| scene.input_name(index));
        let (what, help) = match own().next() {
            _ if inputs.any(|input| array(input) == *name) => {
                let help = "remove the name here".to_owned();
                ("which is an input already".to_owned(), Some(help))
            }
            None => {
                let help = advice(name, names.iter().copied());
                let what = "which must be the name of a parameter, of an array as a whole";
                (what.to_owned(), help)
            }
            Some((_, first)) => {
                let value = scene.input_start(Input::Parameter(*first));
                let Some(why) = first.why_no_input(value) else {
                    (scene.inputs).extend(own().map(|known| Input::Parameter(known.1)));
                    continue;
                };
                (format!("which cannot be an input: {why}"), None)
            }
        };
        let message = format!("interface: parameter_inputs names {name:?}, {what}");
        let finding = (help.into_iter()).fold(Finding::from(message), Finding::with_help);
        let (item, field) = (SceneItem::Scene, "parameter_inputs");
        errors.push(SceneError::new(description, item, field, finding));
    }
    errors
}

/// Outputs of a scene beside states and contact, in the order of its bodies, joints, measurements
/// and latches.
pub(super) fn outputs(scene: &Scene) -> TiVec<OutputId, Output> {
    let has_impulses = scene.has_impulses();
    let mut list = TiVec::new();
    let mut push = |owner: Owner, has: &dyn Fn(&Presence) -> bool| {
        for row in ROWS.iter().filter(|row| has(&row.presence)) {
            let count = match row.shape {
                OutputShape::Scalar => 1,
                OutputShape::Vector => 3,
                OutputShape::Quaternion => 4,
            };
            list.extend((0..count).map(|index| Output {
                item: row.item,
                owner,
                index,
            }));
        }
    };
    for (b, body) in scene.bodies.iter_enumerated() {
        if matches!(body.motion, Motion::Joint | Motion::Prescribed) {
            push(Owner::Body(b), &|has| matches!(has, Presence::Bodies));
        }
        if body.is_driven() && has_impulses {
            push(Owner::Body(b), &|has| matches!(has, Presence::Driven));
        }
    }
    for (j, joint) in scene.joints().iter_enumerated() {
        let has = |has: &Presence| matches!(has, Presence::Joints(has) if has(joint));
        push(Owner::Joint(j), &has);
    }
    for m in scene.measurements.keys() {
        let has = |has: &Presence| matches!(has, Presence::Measurements);
        push(Owner::Measurement(m), &has);
    }
    for l in scene.latches.keys() {
        push(Owner::Latch(l), &|has| matches!(has, Presence::Latches));
    }
    list
}

/// Adds the triggers of a description and their outputs to a scene that has all others. Returns what is wrong
/// with the outputs that they watch.
pub(super) fn add_triggers(scene: &mut Scene, description: &SceneDescription) -> Vec<SceneError> {
    let mut errors = Vec::new();
    if description.triggers.is_empty() {
        return errors;
    }
    let known = watchable(scene);
    for (index, given) in description.triggers.iter().enumerate() {
        let Some((_, watched, bodies)) = known.iter().find(|known| known.0 == given.output) else {
            let finding = Finding::from(format!(
                "output is {:?}; must be a component of a position or velocity (of a free body, a body on a joint, \
                 a measurement), or a joint coordinate or its rate",
                given.output
            ));
            let advice = advice(&given.output, known.iter().map(|known| &known.0[..]));
            let finding = advice.into_iter().fold(finding, Finding::with_help);
            let item = SceneItem::Trigger(index);
            errors.push(SceneError::new(description, item, "output", finding));
            continue;
        };
        let trigger = scene.triggers.push_and_get_key(Trigger {
            given: given.clone(),
            watched: *watched,
            bodies: bodies.clone(),
        });
        scene.outputs.push(Output {
            item: OutputItem::On,
            owner: Owner::Trigger(trigger),
            index: 0,
        });
    }
    errors
}

/// What to write for a name that no output has: an entry of the vector that it names, or the name with the
/// longest beginning and end of it, if these are nearly all.
fn advice<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let stem = |name: &'a str| name.split('[').next().unwrap_or_default();
    let own = name.split('[').next().unwrap_or_default();
    let axis = [".x", ".y", ".z"]
        .iter()
        .find_map(|axis| own.strip_suffix(axis));
    let vector = axis.unwrap_or(own);
    let entries = known.clone().filter(|other| stem(other) == vector);
    let entries: Vec<String> = entries.map(|entry| format!("{entry:?}")).collect();
    if !entries.is_empty() {
        return Some(format!("write one of {}", entries.join(", ")));
    }
    let alike = |other: &&str| {
        let from_start = name.bytes().zip(other.bytes());
        let from_end = name.bytes().rev().zip(other.bytes().rev());
        let start = from_start.take_while(|(one, two)| one == two).count();
        let end = from_end.take_while(|(one, two)| one == two).count();
        let unlike = name.len().saturating_sub(start + end);
        (unlike, other.len().abs_diff(name.len()))
    };
    let best = known.min_by_key(alike)?;
    (3 * alike(&best).0 <= name.len()).then(|| format!("did you mean {best:?}?"))
}

/// What a trigger can watch, with its name and its bodies: what follows from poses and velocities of bodies with
/// states, without a jump between events.
fn watchable(scene: &Scene) -> Vec<(String, WatchedOutput, Vec<BodyId>)> {
    let of_state = |state: usize| {
        let link = scene.layout.link_of(state)?;
        let is_grain = scene.grains_of_state(state).is_some();
        let name = (!is_grain).then(|| scene.state_name(state))?;
        Some((
            name,
            WatchedOutput::State(state),
            vec![scene.links[link].child],
        ))
    };
    let states = (0..scene.layout.count()).filter_map(of_state);
    let outputs = scene.outputs.iter_enumerated();
    let outputs = outputs.filter_map(|(index, output)| {
        let (row, mut bodies) = (output.item.row(), Vec::new());
        match output.owner {
            Owner::Body(body) => bodies.push(body),
            Owner::Measurement(index) => {
                let frames = scene.measurements[index].frames.iter();
                bodies.extend(frames.filter_map(|(body, _)| *body));
            }
            _ => {}
        }
        // A quaternion changes its sign past half a turn.
        let is_motion = matches!(row.reads, Reads::Poses | Reads::Twists)
            && row.shape != OutputShape::Quaternion
            && bodies.iter().any(|body| scene.bodies[*body].is_dynamic());
        is_motion.then(|| {
            (
                scene.output_name(index),
                WatchedOutput::Output(index),
                bodies,
            )
        })
    });
    states.chain(outputs).collect()
}

/// Bodies whose velocities a latch may change: those of trees with a latch.
pub fn latched_bodies(scene: &Scene) -> Vec<BodyId> {
    let moves = |body: BodyId| scene.bodies()[body].is_dynamic();
    let mut roots: TiVec<BodyId, BodyId> = scene.bodies().keys().collect();
    for index in scene.tree_order() {
        let joint = &scene.joints()[*index];
        if let Some(parent) = joint.parent.filter(|parent| moves(*parent)) {
            roots[joint.child] = roots[parent];
        }
    }
    let latches = scene.latches().iter();
    let latched = latches.map(|latch| roots[scene.joints()[latch.joint].child]);
    let latched: Vec<BodyId> = latched.collect();
    let all = roots.iter_enumerated();
    all.filter(|(_, root)| latched.contains(root))
        .map(|(body, _)| body)
        .collect()
}

// Groups of balls.

impl Scene {
    /// Returns true if a body is one of a group.
    pub fn is_grain(&self, body: BodyId) -> bool {
        self.grains
            .first()
            .is_some_and(|first| body >= first.bodies.start)
    }

    /// Group that a body is of.
    pub fn grains_of(&self, body: BodyId) -> Option<GrainsId> {
        let first_behind = self
            .grains
            .raw
            .partition_point(|group| group.bodies.end <= body);
        let found = self.is_grain(body).then_some(GrainsId::from(first_behind));
        found.filter(|index| self.grains.get(*index).is_some())
    }

    /// Group that a state is of.
    pub fn grains_of_state(&self, state: usize) -> Option<GrainsId> {
        let first_behind = self
            .grains
            .raw
            .partition_point(|group| group.states.end <= state);
        let found = self.grains.raw.get(first_behind);
        found
            .is_some_and(|group| group.states.contains(&state))
            .then_some(GrainsId::from(first_behind))
    }

    /// Finds where the states of the groups lie, once the layout is made.
    pub(super) fn place_grains(&mut self) {
        for group in &mut self.grains {
            let start = self.layout.body(group.bodies.start).unwrap_or(0);
            group.states = start..start + GRAIN_STATES * group.len();
        }
    }

    /// Why the scene cannot have steps of a fixed length, `solver = "dem"`: items, their keys and
    /// what is wrong; empty if it can.
    pub(crate) fn granular_flaws(&self) -> Vec<(SceneItem, &'static str, Finding)> {
        let mut flaws = Vec::new();
        let mut add = |item, field, does: &str, help: &str| {
            let message = format!("solver = \"dem\" {does}");
            flaws.push((item, field, Finding::from((message, help))));
        };
        for (index, joint) in self.joints().iter_enumerated() {
            let child = &self.bodies[joint.child].name;
            let does = format!("moves free bodies only, and {child:?} is on a joint");
            let item = SceneItem::Joint(index.into());
            add(item, "name", &does, "write another solver");
        }
        for index in 0..self.latches.len() {
            let item = SceneItem::Latch(index);
            add(item, "name", "has no latches", "write another solver");
        }
        for index in 0..self.triggers.len() {
            let item = SceneItem::Trigger(index);
            add(item, "name", "has no triggers", "write another solver");
        }
        for (is_so, does, help) in [
            (
                self.calls_user_functions(),
                "calls no functions of the user, and some law is one",
                "write another solver",
            ),
            (
                self.has_impulses(),
                "has forces only, and some pair has response = \"impulse\"",
                "write response = \"force\", or another solver",
            ),
        ] {
            if is_so {
                add(SceneItem::Scene, "solver", does, help);
            }
        }
        let of_area = self.granular_flaw();
        flaws.extend(of_area.map(|flaw| (SceneItem::Scene, "solver", flaw)));
        flaws
    }
}
