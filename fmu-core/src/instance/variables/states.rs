//! States, parameters and inputs: what they are of, their texts and types, and what rates are computed from.
//!
//! Pose and velocity of a body are states, inputs or parameters, depending on how it moves; their texts are the
//! same.

use super::quantity::{AXES, FORCE, Of, Origin, QUATERNION, Subject, TWIST, Text, Words, axes};
use contact_laws::index::{BodyId, DeflectionId, StateLinkId};
use contact_laws::quantity::Feeds;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::scene::description::form::ORIENTATION;
use contact_model::scene::description::world::SOLVER;
use contact_model::scene::description::{Coordinate, body};
use contact_model::scene::layout::Deflections;
use contact_model::scene::{Address, Element, Input, Scene};

/// A kind of states.
pub(super) struct StateKind {
    text: &'static str,
    /// Names of its components.
    names: &'static [&'static str],
    point: &'static str,
    axes: &'static str,
    declared: DeclaredType,
    /// Type of the time derivative.
    pub(super) rate: DeclaredType,
    /// What it enters.
    pub(super) feeds: Feeds,
}

impl StateKind {
    fn text(&self, words: &Words<'_>, index: usize) -> Text {
        Text::new(words.fill(self.text, self.names, index), self.declared)
            .at(self.point)
            .in_axes(self.axes)
    }
}

const fn kind(
    text: &'static str,
    names: &'static [&'static str],
    [point, axes]: [&'static str; 2],
    [declared, rate]: [DeclaredType; 2],
    feeds: Feeds,
) -> StateKind {
    StateKind {
        text,
        names,
        point,
        axes,
        declared,
        rate,
        feeds,
    }
}

/// Position, orientation, velocity and angular velocity of a free body, and of a joint.
#[rustfmt::skip]
static VECTORS: [[StateKind; 4]; 2] = {
    const PLACE: [DeclaredType; 2] = [units::POSITION, units::VELOCITY];
    const TURN: [DeclaredType; 2] = [units::QUATERNION, units::QUATERNION_RATE];
    const SPEED: [DeclaredType; 2] = [units::VELOCITY, units::ACCELERATION];
    const SPIN: [DeclaredType; 2] = [units::ANGULAR_VELOCITY, units::ANGULAR_ACCELERATION];
    const ORIENTATION: &str = "Orientation, {components} {axis} of the quaternion";
    const WORLD: [&str; 2] = ["body origin", "world axes"];
    const PARENT: [&str; 2] = ["joint frame of the child", "joint frame of the parent"];
    [
        [
            kind("Position {axis}", AXES, WORLD, PLACE, Feeds::POSITION),
            kind(ORIENTATION, QUATERNION, ["", "body to world axes"], TURN, Feeds::ORIENTATION),
            kind("Velocity along {axis}", AXES, WORLD, SPEED, Feeds::VELOCITY),
            kind("Angular velocity of the body about {axis}", AXES, ["", "body axes"], SPIN, Feeds::ANGULAR_VELOCITY),
        ],
        [
            kind("Position {axis}", AXES, PARENT, PLACE, Feeds::POSITION),
            kind(ORIENTATION, QUATERNION, ["", "joint frame of the child to that of the parent"], TURN,
                Feeds::ORIENTATION),
            kind("Velocity along {axis}", AXES, PARENT, SPEED, Feeds::VELOCITY),
            kind("Angular velocity of the child relative to the parent about {axis}", AXES,
                ["", "joint frame of the child"], SPIN, Feeds::ANGULAR_VELOCITY),
        ],
    ]
};

/// Displacement and angle of a joint, then their rates.
#[rustfmt::skip]
static COORDINATES: [[StateKind; 2]; 2] = [
    [
        kind("Displacement {place}", &[""], ["", ""], [units::POSITION, units::VELOCITY], Feeds::POSITION),
        kind("Angle {place}", &[""], ["", ""], [units::ANGLE, units::ANGULAR_VELOCITY], Feeds::POSITION),
    ],
    [
        kind("Velocity {place}", &[""], ["", ""], [units::VELOCITY, units::ACCELERATION], Feeds::VELOCITY),
        kind("Angular velocity {place}", &[""], ["", ""],
            [units::ANGULAR_VELOCITY, units::ANGULAR_ACCELERATION], Feeds::VELOCITY),
    ],
];

/// Of a deflection; the last of faces that turn on each other, times their arm.
const DEFLECTION: &[&str] = &["x", "y", "z", "of turning"];

/// Deflections of contacts in a point, and of faces that turn on each other.
static DEFLECTIONS: [StateKind; 2] = {
    const TEXT: &str = "Tangential deflection {axis} of {owner}";
    const TYPES: [DeclaredType; 2] = [units::LENGTH, units::VELOCITY];
    [
        kind(TEXT, AXES, ["", "world axes"], TYPES, Feeds::NOTHING),
        kind(TEXT, DEFLECTION, ["", "world axes"], TYPES, Feeds::NOTHING),
    ]
};

static WORK: StateKind = kind(
    "Energy dissipated in all contacts{joints}",
    &[""],
    ["", ""],
    [units::ENERGY, units::POWER],
    Feeds::NOTHING,
);

/// What a state is.
pub(super) struct StateMeaning {
    pub(super) kind: &'static StateKind,
    /// The body or the joint; the scene for deflections and the dissipated work.
    pub(super) subject: Subject,
    pub(super) item: StateItem,
    /// The state is a velocity.
    pub(super) is_rate: bool,
    /// State of the same place among the velocities of the body or joint.
    rate: usize,
}

/// What a state is in its kind.
#[derive(Clone, Copy)]
pub(super) enum StateItem {
    /// A component of a vector or quaternion.
    Component(usize),
    /// A coordinate of a joint, by its place.
    Coordinate(&'static Coordinate, usize),
    Deflection(DeflectionId, usize),
    Work,
}

impl StateMeaning {
    /// The meaning of a state.
    pub(super) fn of(scene: &Scene, state: usize) -> Self {
        let (layout, links) = (scene.layout(), scene.links());
        // The link that has the state.
        let (mut first, mut behind) = (0, links.len());
        while first < behind {
            let middle = usize::midpoint(first, behind);
            match layout.rates(middle.into()).end <= state {
                true => first = middle + 1,
                false => behind = middle,
            }
        }
        if first < links.len() {
            return Self::of_link(scene, first.into(), state);
        }
        let contacts = layout.contacts();
        let (kind, item) = match state < contacts.end {
            true => {
                let (place, each) = (state - contacts.start, layout.contact_states());
                let item = StateItem::Deflection((place / each).into(), place % each);
                (&DEFLECTIONS[usize::from(each > AXES.len())], item)
            }
            false => (&WORK, StateItem::Work),
        };
        StateMeaning {
            kind,
            subject: Subject::Scene,
            item,
            is_rate: false,
            rate: state,
        }
    }

    fn of_link(scene: &Scene, link: StateLinkId, state: usize) -> Self {
        let (joint, layout) = (&scene.links()[link], scene.layout());
        let rates = layout.rates(link);
        let is_rate = state >= rates.start;
        let place = match is_rate {
            true => state - rates.start,
            false => state - layout.positions(link).start,
        };
        let free_bodies = scene.links().len() - scene.joints().len();
        let index = usize::from(link).checked_sub(free_bodies);
        let (kind, item) = match joint.kind.coordinates().get(place) {
            Some(coordinate) => {
                let kinds = &COORDINATES[usize::from(is_rate)];
                let kind = &kinds[usize::from(coordinate.is_angle())];
                (kind, StateItem::Coordinate(coordinate, place))
            }
            None => {
                let vectors = &VECTORS[usize::from(index.is_some())];
                let (is_turn, component) = match joint.kind.is_free() {
                    true if place < AXES.len() => (false, place),
                    true => (true, place - AXES.len()),
                    false => (true, place),
                };
                let kind = &vectors[2 * usize::from(is_rate) + usize::from(is_turn)];
                (kind, StateItem::Component(component))
            }
        };
        StateMeaning {
            kind,
            subject: match index {
                Some(joint) => Subject::Joint(joint.into()),
                None => Subject::Body(joint.child),
            },
            item,
            is_rate,
            rate: rates.start + place,
        }
    }

    /// Index in the vector that the state is an element of; none for a scalar.
    pub(super) fn component(&self) -> Option<usize> {
        match self.item {
            StateItem::Component(i) | StateItem::Deflection(_, i) => Some(i),
            StateItem::Coordinate(..) | StateItem::Work => None,
        }
    }

    pub(super) fn text(&self, words: &Words<'_>) -> Text {
        let scene = words.scene;
        let text = self.kind.text(words, self.component().unwrap_or(0));
        match self.item {
            StateItem::Component(_) => text,
            StateItem::Coordinate(coordinate, _) => text.with(&[("{place}", coordinate.place)]),
            StateItem::Deflection(index, _) => {
                let contact = match scene.layout().deflections() {
                    Deflections::OfSlots(_) => "the contact in slot",
                    _ => "the contact",
                };
                let owner = format!("{contact} {}", scene.deflection_owner(index));
                text.with(&[("{owner}", &owner)])
            }
            StateItem::Work => {
                let joints = if scene.joints().is_empty() {
                    ""
                } else {
                    " and joints"
                };
                text.with(&[("{joints}", joints)])
            }
        }
    }

    /// What the derivative of the state is computed from.
    pub(super) fn origin_of_rate(&self, scene: &Scene) -> Origin {
        let turn = Feeds::ORIENTATION | Feeds::ANGULAR_VELOCITY;
        let (of, body) = match (self.subject, self.item) {
            (Subject::Body(body), _) => (Of::Body(body), body),
            (Subject::Joint(joint), _) => (Of::Joint(joint), scene.joints()[joint].child),
            (_, StateItem::Deflection(index, _)) => {
                return match scene.layout().deflections() {
                    Deflections::OfPairs(pairs) => Of::Pair(pairs[index]).reads(FORCE),
                    _ => Of::Pairs.reads(FORCE),
                };
            }
            _ => return Of::Contacts.reads(FORCE),
        };
        match self.kind.feeds {
            _ if self.is_rate => of_acceleration(body),
            Feeds::ORIENTATION => of.reads(turn),
            _ => Of::State(self.rate).reads(Feeds::NOTHING),
        }
    }
}

/// Acceleration of a body: the same for all of a tree.
pub(super) fn of_acceleration(body: BodyId) -> Origin {
    Of::Tree(body).reads(TWIST | Feeds::MASSES | Feeds::LOAD)
}

// Parameters.

/// Entries of an inertia tensor in the order of their parameters.
const INERTIA: &[&str] = &["xx", "yy", "zz", "xy", "xz", "yz"];

pub(super) fn of_parameter(scene: &Scene, parameter: Address) -> Subject {
    match parameter.element {
        Element::Body(body) => Subject::Body(body),
        Element::Motion(motion) => Subject::Body(scene.motions()[motion].body),
        Element::Material(material) => Subject::Material(material),
        Element::Law(law) => Subject::Law(law),
        Element::Force(force) => Subject::Force(force),
        Element::Joint(joint, _) => Subject::Joint(joint),
        Element::World | Element::Contact | Element::Experiment => Subject::Scene,
    }
}

pub(super) fn parameter_text(words: &Words<'_>, parameter: Address) -> Text {
    let row = words.scene.parameter_row(parameter);
    let component = parameter.component();
    let is_inertia = row.key == body::INERTIA.key;
    let (what, names) = match component {
        // Those of a state, which it stands in for.
        Some(i) if row.key == ORIENTATION.key => return VECTORS[0][1].text(words, i),
        Some(_) if is_inertia => {
            let follows = match words.scene.parameter_inputs().any(|own| own == parameter) {
                true => "",
                false => "; scales with the mass unless an entry was changed",
            };
            (
                format!("{} {{entries}} {{axis}}{follows}", row.text),
                INERTIA,
            )
        }
        Some(_) => (format!("{} {{axis}}", row.text), AXES),
        None => (row.text.to_owned(), &[""][..]),
    };
    let is_number = row.key != SOLVER.key;
    let what = words.fill(&what, names, component.unwrap_or(0));
    let text = Text::new(what, is_number.then_some(row.declared));
    match (parameter.element, component) {
        _ if is_inertia => text.at("centre of mass").in_axes("body axes"),
        (Element::Force(f), Some(_)) => text.in_axes(axes(words.scene.forces()[f].axes)),
        _ => text.in_axes(row.frame),
    }
}

// Inputs.

/// Entries of a rotation matrix, row by row.
const MATRIX: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

pub(super) fn of_input(scene: &Scene, input: Input) -> Subject {
    match input {
        Input::Position(body, _)
        | Input::Orientation(body, _)
        | Input::Rotation(body, _)
        | Input::Velocity(body, _)
        | Input::AngularVelocity(body, _) => Subject::Body(body),
        Input::Force(force, _) | Input::Torque(force, _) => Subject::Force(force),
        Input::Joint(joint, _) | Input::BallTorque(joint, _) => Subject::Joint(joint),
        Input::Latch(latch) => Subject::Latch(latch),
        Input::Parameter(address) => of_parameter(scene, address),
    }
}

pub(super) fn input_text(words: &Words<'_>, input: Input) -> Text {
    let scene = words.scene;
    let body = |body: BodyId| scene.bodies()[body].name.as_str();
    let along = |text: &str, names, declared| {
        Text::new(
            words.fill(text, names, input.component().unwrap_or(0)),
            declared,
        )
    };
    match input {
        Input::Position(_, i) => VECTORS[0][0].text(words, i),
        Input::Orientation(_, i) => VECTORS[0][1].text(words, i),
        Input::Velocity(_, i) => VECTORS[0][2].text(words, i),
        Input::AngularVelocity(_, i) => VECTORS[0][3].text(words, i),
        Input::Rotation(..) => {
            let what = "Orientation, {entries} {axis} of the rotation matrix";
            along(what, MATRIX, units::COEFFICIENT).in_axes("body to world axes")
        }
        Input::Force(f, _) => {
            let force = &scene.forces()[f];
            let [x, y, z] = force.point;
            along("Force on {body} along {axis}", AXES, units::FORCE)
                .with(&[("{body}", body(force.body))])
                .at(format!("point ({x:?}, {y:?}, {z:?}) m in the body"))
                .in_axes(axes(force.axes))
        }
        Input::Torque(f, _) => {
            let force = &scene.forces()[f];
            along("Torque on {body} about {axis}", AXES, units::TORQUE)
                .with(&[("{body}", body(force.body))])
                .in_axes(axes(force.axes))
        }
        Input::Joint(j, c) => {
            let joint = &scene.joints()[j];
            let coordinate = joint.kind.coordinates()[c];
            let (what, declared) = match coordinate.is_angle() {
                true => ("Torque about", units::TORQUE),
                false => ("Force along", units::FORCE),
            };
            let (key, child) = (coordinate.key, body(joint.child));
            Text::new(
                format!("{what} the joint coordinate {key}, on {child}"),
                declared,
            )
        }
        Input::BallTorque(j, _) => along(
            "Torque of the joint on {body} about {axis}",
            AXES,
            units::TORQUE,
        )
        .with(&[("{body}", body(scene.joints()[j].child))])
        .in_axes("joint frame of the child"),
        Input::Latch(_) => Text::new(
            "Command of the latch: above 0.5 to be closed, else open",
            units::COEFFICIENT,
        ),
        Input::Parameter(address) => parameter_text(words, address),
    }
}
