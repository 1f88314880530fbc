//! The families of variables in document order: all that is said of an element, by its [`Quantity`].
//!
//! A family is a row of [`FAMILIES`]; what most families have in common is [`OUTPUT`].

use super::grains::{self, Grain};
use super::quantity::{
    AXES, Causality, DataType, FORCE, Family, Initial, NOTHING, Of, Origin, QUATERNION, Quantity,
    Subject, TWIST, Text, Variability, Words, axes,
};
use super::reports::{KEPT, OF_REPORT, STATISTICS, SUMS, WRENCH, of_intersection, of_report};
use crate::instance::modes::Standard;
use contact_laws::index::{
    BodyId, DeflectionId, InputId, IntersectionId, MeasurementId, NamedPairId, OutputId,
    ParameterId, ReportId, StateLinkId, StopId, TiVec, TriggerId,
};
use contact_laws::quantity::Feeds;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::scene::description::{Coordinate, Motion};
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::layout::Deflections;
use contact_model::scene::outputs::{Output, OutputShape, Owner, Reads};
use contact_model::scene::{
    Grains, GrainsId, Indicator, Input, Parameter, Parameters, Scene, WatchedOutput,
};
use std::ops::Range;

/// What is said of the elements of a family.
pub(super) struct FamilyRow {
    pub(super) family: Family,
    /// Gives the indices of those that have elements, and the elements of each, to a function.
    pub(super) extents: fn(&Scene, Standard, &mut dyn FnMut(Owners, Range<usize>)),
    /// Causality where the scene exposes it.
    causality: Causality,
    initial: Option<Initial>,
    data_type: fn(&Scene, Quantity) -> DataType,
    variability: fn(&Scene, Quantity) -> Variability,
    /// Index in the array that the element always is an entry of, in FMI 3.0.
    pub(super) entry: fn(&Scene, Quantity) -> Option<usize>,
    /// Index in a vector or matrix that is an array where vectors are.
    pub(super) component: fn(&Scene, Quantity) -> Option<usize>,
    /// An array that begins with this item has the dimension 1 if there is one entry only; the second argument
    /// says whether vectors are arrays.
    pub(super) is_list: fn(usize, bool) -> bool,
    /// Columns of the array if it is a matrix, row by row.
    pub(super) columns: fn(&Scene, Quantity) -> Option<usize>,
    /// Structured name.
    name: fn(&Scene, Quantity) -> String,
    subject: fn(&Scene, Quantity) -> Subject,
    /// What it is, and its declared type.
    pub(super) text: fn(&Words<'_>, Quantity) -> Text,
    pub(super) start: fn(&Starts<'_>, Quantity) -> Option<f64>,
    pub(super) origin: fn(&Scene, Quantity) -> Origin,
}

/// Indices of those that have elements of a family, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owners {
    All(Range<usize>),
    These(Vec<usize>),
}

/// Start values of states and parameters.
pub(super) struct Starts<'a> {
    pub(super) scene: &'a Scene,
    pub(super) states: Vec<f64>,
    pub(super) parameters: Parameters,
}

impl Quantity {
    pub(super) fn row(self) -> &'static FamilyRow {
        &FAMILIES[self.family as usize]
    }

    /// Type of the variable.
    pub fn data_type(self, scene: &Scene) -> DataType {
        (self.row().data_type)(scene, self)
    }

    /// When the value may change.
    pub fn variability(self, scene: &Scene) -> Variability {
        (self.row().variability)(scene, self)
    }

    /// Where the value after initialisation comes from; none for the independent variable and for
    /// inputs, which are set. The states of a group are as the scene has them: a million start
    /// values would be most of modelDescription.xml.
    pub fn initial(self, scene: &Scene) -> Option<Initial> {
        match self.row().initial {
            Some(Initial::Exact) if self.entry(scene).is_some() => Some(Initial::Calculated),
            initial => initial,
        }
    }

    /// Causality where the scene exposes it. States are outputs: a pose is what another model asks for. Arrays of
    /// groups are for those who ask for them.
    pub(super) fn causality_if_exposed(self, scene: &Scene) -> Causality {
        match self.row().causality {
            Causality::Output if self.entry(scene).is_some() => Causality::Local,
            causality => causality,
        }
    }

    pub(super) fn entry(self, scene: &Scene) -> Option<usize> {
        (self.row().entry)(scene, self)
    }

    /// Structured name of the element.
    pub(super) fn name(self, scene: &Scene) -> String {
        (self.row().name)(scene, self)
    }

    /// Unit of the element as a scalar; none for a pure number.
    pub fn unit(self, scene: &Scene) -> Option<&'static str> {
        let words = Words { scene, size: None };
        (self.row().text)(&words, self).declared?.unit
    }

    /// What it is of.
    pub(super) fn subject(self, scene: &Scene) -> Subject {
        (self.row().subject)(scene, self)
    }
}

/// The row of a scalar that is computed, of the entire scene.
const OUTPUT: FamilyRow = FamilyRow {
    family: Family::Output,
    extents: |_, _, _| {},
    causality: Causality::Output,
    initial: Some(Initial::Calculated),
    data_type: |_, _| DataType::Float64,
    variability: |_, _| Variability::Continuous,
    entry: |_, _| None,
    component: |_, _| None,
    is_list: |_, _| false,
    columns: |_, _| None,
    name: |_, _| String::new(),
    subject: |_, _| Subject::Scene,
    text: |_, _| Text::new("", None),
    start: |_, _| None,
    origin: |_, _| NOTHING,
};

/// One element of each.
const ONE: Range<usize> = 0..1;

/// The families, by [`Family`].
pub(super) static FAMILIES: [FamilyRow; 15] = [
    FamilyRow {
        family: Family::Time,
        // In FMI 3.0 it must be; in FMI 2.0 it is omitted, since some tools have a variable `time` of their own.
        extents: |_, standard, add| {
            if standard == Standard::Fmi3 {
                add(Owners::All(ONE), ONE);
            }
        },
        causality: Causality::Independent,
        initial: None,
        name: |_, _| "time".into(),
        text: |_, _| Text::new("Time", units::TIME),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::State,
        initial: Some(Initial::Exact),
        name: |scene, q| match group_of(scene, q.of) {
            Some(group) => grains::state_name(group, q.of - group.states.start),
            None => scene.state_name(q.of),
        },
        text: |words, q| match group_of(words.scene, q.of) {
            Some(_) => grains::state_text(),
            None => StateMeaning::of(words.scene, q.of).text(words),
        },
        start: |starts, q| {
            let is_listed = starts.scene.grains_of_state(q.of).is_none();
            is_listed.then(|| starts.states[q.of])
        },
        origin: |_, q| Of::State(q.of).reads(Feeds::NOTHING),
        ..STATE
    },
    FamilyRow {
        family: Family::Derivative,
        causality: Causality::Local,
        name: |scene, q| format!("der({})", Family::State.of(q.of).name(scene)),
        text: |words, q| match group_of(words.scene, q.of) {
            Some(_) => grains::state_text().time_derivative(units::COEFFICIENT),
            None => {
                let state = StateMeaning::of(words.scene, q.of);
                state.text(words).time_derivative(state.kind.rate)
            }
        },
        origin: |scene, q| StateMeaning::of(scene, q.of).origin_of_rate(scene),
        ..STATE
    },
    FamilyRow {
        family: Family::Parameter,
        extents: |scene, _, add| add(Owners::All(0..scene.parameters().len()), ONE),
        causality: Causality::Parameter,
        initial: Some(Initial::Exact),
        data_type: |scene, q| match parameter(scene, q) {
            Parameter::Solver => DataType::Int32,
            _ => DataType::Float64,
        },
        // All may change during a run, if the scene says so, but the numbers of motions of bodies that carry others
        // on joints, whose velocity would jump.
        variability: |scene, q| match parameter(scene, q) {
            Parameter::Motion(motion, ..) if scene.motions()[motion].carries => Variability::Fixed,
            _ if scene.interface().tunable => Variability::Tunable,
            _ => Variability::Fixed,
        },
        component: |scene, q| parameter(scene, q).component(),
        name: |scene, q| scene.parameter_name(q.of.into()),
        subject: |scene, q| of_parameter(scene, parameter(scene, q)),
        text: |words, q| parameter_text(words, parameter(words.scene, q)),
        start: |starts, q| Some(starts.parameters.get(q.of.into())),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Input,
        extents: |scene, _, add| add(Owners::All(0..scene.inputs().len()), ONE),
        causality: Causality::Input,
        initial: None,
        variability: |scene, q| discrete_if(input(scene, q).is_discrete()),
        component: |scene, q| input(scene, q).component(),
        columns: |scene, q| input(scene, q).columns(),
        name: |scene, q| scene.input_name(q.of.into()),
        subject: |scene, q| of_input(input(scene, q)),
        text: |words, q| input_text(words, input(words.scene, q)),
        start: |starts, q| Some(starts.scene.input_start(input(starts.scene, q))),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Wrench,
        extents: |scene, _, add| add(contact_bodies(scene), 0..2 * AXES.len()),
        component: |_, q| Some(q.item % 3),
        name: |scene, q| {
            let body = &scene.bodies()[BodyId::from(q.of)].name;
            format!("{body}.{}", WRENCH[q.item / 3].indexed(q.item % 3))
        },
        subject: |_, q| Subject::Body(q.of.into()),
        text: |words, q| {
            let body = &words.scene.bodies()[BodyId::from(q.of)];
            let text = WRENCH[q.item / 3].text(words, q.item % 3);
            text.at("body origin").in_axes(match body.motion {
                Motion::Driven => axes(body.drive.wrench_axes),
                _ => "world axes",
            })
        },
        origin: |_, q| Of::Wrench(q.of.into()).reads(FORCE),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Sum,
        extents: |_, _, add| add(Owners::All(ONE), 0..SUMS.len()),
        data_type: |_, q| SUMS[q.item].data_type(),
        variability: |_, q| SUMS[q.item].variability,
        name: |_, q| SUMS[q.item].name.into(),
        text: |words, q| {
            let marks = [
                (
                    words.scene.joints().is_empty(),
                    "{springs}",
                    " and of all joint springs",
                ),
                (
                    words.scene.stops().is_empty(),
                    "{stops}",
                    " and joint stops",
                ),
            ];
            let marks =
                marks.map(|(is_without, mark, text)| (mark, if is_without { "" } else { text }));
            SUMS[q.item].text(words, 0).with(&marks)
        },
        origin: |_, q| SUMS[q.item].own.origin,
        ..OUTPUT
    },
    FamilyRow {
        family: Family::ClosestDistance,
        extents: |scene, _, add| {
            let count = scene.contact().closest_distances as usize;
            add(Owners::All(0..count), ONE);
        },
        component: |_, q| Some(q.of),
        is_list: |_, arrays| arrays,
        name: |_, q| format!("contact.closest_distance[{}]", q.of + 1),
        text: |words, q| {
            let what = match words.size {
                None => format!(
                    "Distance between the shapes of the monitored pair of rank {}, nearest first",
                    q.of + 1
                ),
                Some(size) => {
                    format!("Distances of the {size} nearest monitored pairs, ascending")
                }
            };
            Text::new(what, units::LENGTH)
        },
        origin: |_, _| Of::Pairs.reads(Feeds::POSE),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::PairDistance,
        extents: |scene, _, add| {
            let named = scene.named_pairs().iter_enumerated();
            let outputs = named.filter(|(_, pair)| pair.distance);
            add(
                Owners::These(outputs.map(|(index, _)| index.into()).collect()),
                ONE,
            );
        },
        name: |scene, q| {
            let between = &scene.named_pairs()[NamedPairId::from(q.of)].between;
            let [a, b] = between
                .each_ref()
                .map(|name| name.to_string().replace('.', "_"));
            format!("contact.distance.{a}.{b}")
        },
        text: |words, q| {
            let [a, b] = &words.scene.named_pairs()[NamedPairId::from(q.of)].between;
            let what = format!("Distance between {a} and {b}, negative if they overlap");
            Text::new(what, units::LENGTH)
        },
        origin: |_, q| Of::NamedPair(q.of.into()).reads(Feeds::POSE),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Output,
        extents: |scene, _, add| add(Owners::All(0..scene.outputs().len()), ONE),
        data_type: |scene, q| match output(scene, q).is_boolean() {
            true => DataType::Boolean,
            false => DataType::Float64,
        },
        variability: |scene, q| discrete_if(output(scene, q).is_discrete()),
        component: |scene, q| output(scene, q).component(),
        name: |scene, q| scene.output_name(q.of.into()),
        subject: |scene, q| match output(scene, q).owner {
            Owner::Body(body) => Subject::Body(body),
            Owner::Joint(joint) => Subject::Joint(joint),
            Owner::Measurement(measurement) => Subject::Measurement(measurement),
            Owner::Latch(latch) => Subject::Latch(latch),
            Owner::Trigger(_) => Subject::Scene,
        },
        text: |words, q| output_text(words, output(words.scene, q)),
        origin: |scene, q| of_output(scene, output(scene, q)),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Report,
        extents: |scene, _, add| add(Owners::All(0..scene.reported().len()), 0..OF_REPORT),
        data_type: |_, q| of_report(q.item).0.data_type(),
        variability: |_, q| of_report(q.item).0.variability,
        component: |_, q| {
            let (row, index) = of_report(q.item);
            row.component(index)
        },
        name: |scene, q| {
            let (row, index) = of_report(q.item);
            format!("{}.{}", q.subject(scene).name(scene), row.indexed(index))
        },
        subject: |_, q| Subject::Contact(q.of.into()),
        text: |words, q| {
            let (row, index) = of_report(q.item);
            of_pair(words.scene, q.of.into(), row.text(words, index))
        },
        origin: |scene, q| {
            let pair = scene.reported()[ReportId::from(q.of)];
            let own = &of_report(q.item).0.own;
            let is_area = scene.is_area(&scene.pairs().get(pair));
            (own.of)(pair).reads(own.reads[usize::from(is_area)])
        },
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Intersection,
        extents: |scene, _, add| {
            let is_sparse = scene.contact().sparsification.is_some();
            let items = 0..KEPT + usize::from(is_sparse);
            add(Owners::All(0..scene.intersections().len()), items);
        },
        component: |_, q| {
            let (row, index) = of_intersection(q.item);
            row.component(index)
        },
        name: |scene, q| {
            let (row, index) = of_intersection(q.item);
            format!("{}.{}", q.subject(scene).name(scene), row.indexed(index))
        },
        subject: |scene, q| Subject::Contact(report_of(scene, q)),
        text: |words, q| {
            let (row, index) = of_intersection(q.item);
            of_pair(
                words.scene,
                report_of(words.scene, q),
                row.text(words, index),
            )
        },
        origin: |scene, q| Of::Pair(scene.reported()[report_of(scene, q)]).reads(Feeds::POSE),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Statistic,
        // They are of the past.
        extents: |scene, _, add| {
            if scene.experiment().statistics {
                add(Owners::All(ONE), 0..STATISTICS.len());
            }
        },
        data_type: |_, q| STATISTICS[q.item].data_type(),
        variability: |_, _| Variability::Discrete,
        name: |_, q| format!("experiment.statistics.{}", STATISTICS[q.item].name),
        text: |words, q| STATISTICS[q.item].text(words, 0),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Grain,
        extents: |scene, standard, add| {
            for (index, group) in scene.grains().iter().enumerate() {
                let [arrays, all] = grains::counts(group);
                let first = if standard == Standard::Fmi3 {
                    0
                } else {
                    arrays
                };
                add(Owners::All(index..index + 1), first..all);
            }
        },
        data_type: |scene, q| grain(scene, q).row.data_type(),
        variability: |scene, q| grain(scene, q).row.variability,
        entry: |scene, q| grain(scene, q).entry(),
        component: |scene, q| grain(scene, q).component(),
        // The radius of the only ball.
        is_list: |item, _| item == 0,
        columns: |scene, q| grain(scene, q).columns(),
        name: |scene, q| grain(scene, q).name(&scene.grains()[GrainsId::from(q.of)]),
        subject: |_, q| Subject::Grains(q.of.into()),
        text: |words, q| {
            grain(words.scene, q).text(words, &words.scene.grains()[GrainsId::from(q.of)])
        },
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Indicator,
        extents: |scene, _, add| add(Owners::All(0..scene.indicator_count()), ONE),
        causality: Causality::Local,
        entry: |scene, q| (!scene.grains().is_empty()).then_some(q.of),
        component: |_, q| Some(q.of),
        is_list: |_, _| true,
        name: |_, q| format!("contact.indicator[{}]", q.of + 1),
        text: |words, q| Text::new(indicators(words, q.of), indicator_type(words, q.of)),
        origin: |scene, q| of_indicator(scene, scene.indicator(q.of)),
        ..OUTPUT
    },
];

// The rows are in the order of the families.
const _: () = {
    let mut place = 0;
    while place < FAMILIES.len() {
        assert!(FAMILIES[place].family as usize == place);
        place += 1;
    }
};

/// What states and their derivatives have in common.
const STATE: FamilyRow = FamilyRow {
    extents: |scene, _, add| add(Owners::All(0..scene.layout().count()), ONE),
    entry: |scene, q| group_of(scene, q.of).map(|group| q.of - group.states.start),
    component: |scene, q| StateMeaning::of(scene, q.of).component(),
    columns: |scene, q| group_of(scene, q.of).map(|_| GRAIN_STATES),
    subject: |scene, q| match scene.grains_of_state(q.of) {
        Some(group) => Subject::Grains(group),
        None => StateMeaning::of(scene, q.of).subject,
    },
    ..OUTPUT
};

fn parameter(scene: &Scene, quantity: Quantity) -> Parameter {
    scene.parameters()[ParameterId::from(quantity.of)]
}

fn input(scene: &Scene, quantity: Quantity) -> Input {
    scene.inputs()[InputId::from(quantity.of)]
}

fn output(scene: &Scene, quantity: Quantity) -> Output {
    scene.outputs()[OutputId::from(quantity.of)]
}

fn report_of(scene: &Scene, quantity: Quantity) -> ReportId {
    scene.intersections()[IntersectionId::from(quantity.of)]
}

fn grain(scene: &Scene, quantity: Quantity) -> Grain {
    Grain::of(&scene.grains()[GrainsId::from(quantity.of)], quantity.item)
}

/// Group of a state.
fn group_of(scene: &Scene, state: usize) -> Option<&Grains> {
    scene
        .grains_of_state(state)
        .map(|group| &scene.grains()[group])
}

fn discrete_if(is_discrete: bool) -> Variability {
    match is_discrete {
        true => Variability::Discrete,
        false => Variability::Continuous,
    }
}

/// Bodies with contact force and torque: the free ones and those with a shape that can touch.
fn contact_bodies(scene: &Scene) -> Owners {
    let mut has_outputs: TiVec<BodyId, bool> =
        scene.bodies().iter().map(|b| !b.is_fixed()).collect();
    for shape in scene.shapes() {
        has_outputs[shape.body] = true;
    }
    if let Some(first) = scene.grains().first() {
        has_outputs.truncate(first.bodies.start.into());
    }
    let bodies = has_outputs.keys().filter(|b| has_outputs[*b]);
    Owners::These(bodies.map(usize::from).collect())
}

/// The text of a pair, with the names of its shapes.
fn of_pair(scene: &Scene, report: ReportId, text: Text) -> Text {
    let [one, two] = scene.pair_names(scene.reported()[report]);
    text.with(&[("{1}", &one), ("{2}", &two)])
}

// States.

/// A kind of states.
pub(super) struct StateKind {
    text: &'static str,
    /// Names of its components.
    names: &'static [&'static str],
    point: &'static str,
    axes: &'static str,
    declared: DeclaredType,
    /// Type of the time derivative.
    rate: DeclaredType,
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
    fn component(&self) -> Option<usize> {
        match self.item {
            StateItem::Component(i) | StateItem::Deflection(_, i) => Some(i),
            StateItem::Coordinate(..) | StateItem::Work => None,
        }
    }

    fn text(&self, words: &Words<'_>) -> Text {
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
    fn origin_of_rate(&self, scene: &Scene) -> Origin {
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

// Parameters.

/// Entries of an inertia tensor in the order of their parameters.
const INERTIA: &[&str] = &["xx", "yy", "zz", "xy", "xz", "yz"];

fn of_parameter(scene: &Scene, parameter: Parameter) -> Subject {
    match parameter {
        Parameter::FixedPosition(body, _)
        | Parameter::FixedOrientation(body, _)
        | Parameter::Mass(body)
        | Parameter::CenterOfMass(body, _)
        | Parameter::Inertia(body, _) => Subject::Body(body),
        Parameter::Motion(motion, ..) => Subject::Body(scene.motions()[motion].body),
        Parameter::YoungsModulus(material) | Parameter::PoissonsRatio(material) => {
            Subject::Material(material)
        }
        Parameter::Law(law, _) => Subject::Law(law),
        Parameter::Force(force, _)
        | Parameter::Torque(force, _)
        | Parameter::ForceFrequency(force)
        | Parameter::ForcePhase(force) => Subject::Force(force),
        Parameter::Joint(joint, ..) => Subject::Joint(joint),
        Parameter::Gravity(_)
        | Parameter::GravitationalParameter
        | Parameter::GravityCenter(_)
        | Parameter::KRed
        | Parameter::DMax
        | Parameter::MaxSteps
        | Parameter::MaxStep
        | Parameter::Solver => Subject::Scene,
    }
}

fn parameter_text(words: &Words<'_>, parameter: Parameter) -> Text {
    let row = words.scene.parameter_row(parameter);
    let component = parameter.component();
    let (what, names) = match (parameter, component) {
        // Those of a state, which they stand in for.
        (Parameter::FixedPosition(_, i), _) => return VECTORS[0][0].text(words, i),
        (Parameter::FixedOrientation(_, i), _) => return VECTORS[0][1].text(words, i),
        (Parameter::Inertia(..), _) => {
            let after = "{entries} {axis}; scales with the mass unless an entry was changed";
            (format!("{} {after}", row.text), INERTIA)
        }
        (_, Some(_)) => (format!("{} {{axis}}", row.text), AXES),
        (_, None) => (row.text.to_owned(), &[""][..]),
    };
    let is_number = parameter != Parameter::Solver;
    let what = words.fill(&what, names, component.unwrap_or(0));
    let text = Text::new(what, is_number.then_some(row.declared));
    match parameter {
        Parameter::Inertia(..) => text.at("centre of mass").in_axes("body axes"),
        Parameter::Force(f, _) | Parameter::Torque(f, _) => {
            text.in_axes(axes(words.scene.forces()[f].axes))
        }
        _ => text.in_axes(row.frame),
    }
}

// Inputs.

/// Entries of a rotation matrix, row by row.
const MATRIX: &[&str] = &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

fn of_input(input: Input) -> Subject {
    match input {
        Input::Position(body, _)
        | Input::Orientation(body, _)
        | Input::Rotation(body, _)
        | Input::Velocity(body, _)
        | Input::AngularVelocity(body, _) => Subject::Body(body),
        Input::Force(force, _) | Input::Torque(force, _) => Subject::Force(force),
        Input::Joint(joint, _) | Input::BallTorque(joint, _) => Subject::Joint(joint),
        Input::Latch(latch) => Subject::Latch(latch),
    }
}

fn input_text(words: &Words<'_>, input: Input) -> Text {
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
            let [x, y, z] = [0, 1, 2].map(|i| force.point_b[i]);
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
    }
}

// Outputs of bodies, joints, measurements, latches and triggers.

fn output_text(words: &Words<'_>, output: Output) -> Text {
    let row = output.item.row();
    let (after, names) = match row.shape {
        OutputShape::Scalar => ("", &[""][..]),
        OutputShape::Vector => (" {axis}", AXES),
        OutputShape::Quaternion => (", {components} {axis} of the quaternion", QUATERNION),
    };
    let what = words.fill(&format!("{}{after}", row.text), names, output.index);
    let declared = (!output.is_boolean()).then_some(row.declared);
    let text = Text::new(what, declared).at(row.point).in_axes(row.axes);
    match output.owner {
        Owner::Measurement(m) => {
            let [from, to] = ends(words.scene, m);
            text.with(&[("{from}", &from), ("{to}", &to)])
        }
        _ => text,
    }
}

/// Both frames of a measurement: `the frame in ball`, `the frame in the world`.
fn ends(scene: &Scene, measurement: MeasurementId) -> [String; 2] {
    let frames = &scene.measurements()[measurement].frames;
    [&frames[0], &frames[1]].map(|(body, _)| match body {
        Some(body) => format!("the frame in {}", scene.bodies()[*body].name),
        None => "the frame in the world".into(),
    })
}

/// Acceleration of a body: the same for all of a tree.
fn of_acceleration(body: BodyId) -> Origin {
    Of::Tree(body).reads(TWIST | Feeds::MASSES | Feeds::LOAD)
}

fn of_output(scene: &Scene, output: Output) -> Origin {
    let moves = match output.item.row().reads {
        Reads::Poses => Feeds::POSE,
        Reads::Twists => TWIST,
        Reads::Accelerations | Reads::JointForces | Reads::Ledger => Feeds::NOTHING,
    };
    match (output.item.row().reads, output.owner) {
        (Reads::Poses | Reads::Twists | Reads::Ledger, Owner::Body(b)) => Of::Body(b).reads(moves),
        (_, Owner::Body(b)) => of_acceleration(b),
        (Reads::JointForces, Owner::Joint(j)) => {
            let has_quaternion = scene.joints()[j].kind.quaternion().is_some();
            let position = match has_quaternion {
                true => Feeds::NOTHING,
                false => Feeds::POSITION,
            };
            Of::Joint(j).reads(position | Feeds::MOTION | Feeds::JOINT_FORCE)
        }
        (_, Owner::Joint(j)) => of_acceleration(scene.joints()[j].child),
        (_, Owner::Measurement(m)) => Of::Measurement(m).reads(moves),
        (_, Owner::Latch(latch)) => Of::Latch(latch).reads(TWIST | Feeds::MASSES),
        (_, Owner::Trigger(trigger)) => of_watched(scene, trigger),
    }
}

fn of_watched(scene: &Scene, trigger: TriggerId) -> Origin {
    match scene.triggers()[trigger].watched {
        WatchedOutput::State(state) => Of::State(state).reads(Feeds::NOTHING),
        WatchedOutput::Output(output) => of_output(scene, scene.outputs()[output]),
    }
}

// Event indicators.

fn of_indicator(scene: &Scene, indicator: Indicator) -> Origin {
    match indicator {
        Indicator::Stop(stop) => {
            let end = match scene.stops()[stop].is_upper {
                true => Feeds::UPPER_STOP,
                false => Feeds::LOWER_STOP,
            };
            Of::Stop(stop).reads(Feeds::POSITION | end)
        }
        Indicator::Latch(latch) => Of::LatchTrigger(latch).reads(Feeds::POSITION),
        Indicator::Trigger(trigger) => of_watched(scene, trigger),
        Indicator::Slot(slot) => match scene.own_pair(slot) {
            Some(pair) => Of::Pair(pair).reads(Feeds::POSE),
            None => Of::Pairs.reads(Feeds::POSE),
        },
    }
}

/// A gap, the distance of a coordinate from its stop, or of an output from where its trigger switches. An
/// array of several units has none.
fn indicator_type(words: &Words<'_>, first: usize) -> DeclaredType {
    let scene = words.scene;
    let type_of = |index: usize| {
        let is_angle = match scene.indicator(index) {
            Indicator::Slot(_) => false,
            Indicator::Stop(stop) => {
                let stop = scene.stops()[stop];
                let joint = &scene.joints()[stop.joint];
                joint.kind.coordinates()[stop.coordinate].is_angle()
            }
            Indicator::Latch(latch) => {
                let latch = &scene.latches()[latch];
                let joint = &scene.joints()[latch.joint];
                latch.trigger.is_some_and(|trigger| trigger.is_angle(joint))
            }
            Indicator::Trigger(trigger) => {
                let declared = scene.triggers()[trigger].given.declared();
                return declared.unwrap_or(units::COEFFICIENT);
            }
        };
        if is_angle {
            units::ANGLE
        } else {
            units::LENGTH
        }
    };
    let mut all = (first..first + words.size.unwrap_or(1)).map(type_of);
    let own = type_of(first);
    match all.all(|other| other == own) {
        true => own,
        false => units::COEFFICIENT,
    }
}

/// Text of an indicator, or of all of them as an array.
fn indicators(words: &Words<'_>, first: usize) -> String {
    let scene = words.scene;
    let slots = scene.slot_count();
    let stop = |stop: StopId| {
        let stop = scene.stops()[stop];
        let joint = &scene.joints()[stop.joint];
        let side = if stop.is_upper { "upper" } else { "lower" };
        let coordinate = joint.kind.coordinates()[stop.coordinate];
        format!("the {side} stop of {}.{}", joint.name, coordinate.key)
    };
    let one = |index: usize| match scene.indicator(index) {
        Indicator::Stop(id) => stop(id),
        Indicator::Latch(id) => format!("the latch {}", scene.latches()[id].name),
        Indicator::Trigger(id) => format!("the trigger {}", scene.triggers()[id].given.name),
        Indicator::Slot(slot) => match scene.own_pair(slot) {
            Some(pair) => scene.pair_name(pair),
            None => format!("the pair monitored in slot {}", index + 1),
        },
    };
    match (words.size, scene.monitors_all_pairs()) {
        (None, false) if first < slots => format!("Event indicator: gap of {}", one(first)),
        (None, _) if first >= slots => format!("Event indicator of {}: distance", one(first)),
        (None, _) => format!("Event indicator of {}: gap", one(first)),
        (Some(size), true) => {
            let names: Vec<String> = (0..size).map(one).collect();
            format!("Event indicators of ({}): gaps", names.join(", "))
        }
        (Some(size), false) => {
            let stops: Vec<String> = (slots..size).map(one).collect();
            let after = if stops.is_empty() { "" } else { ", then of " };
            format!(
                "Event indicators: gaps of the pairs monitored in slots 1 to {slots}{after}{}",
                stops.join(", ")
            )
        }
    }
}
