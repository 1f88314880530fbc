//! The families of variables in document order: all that is said of an element, by its [`Quantity`].
//!
//! A family is a row of [`FAMILIES`]; what most families have in common is [`OUTPUT`].

use super::quantity::{
    AXES, Causality, DataType, FORCE, Family, Initial, NOTHING, Of, Origin, QUATERNION, Quantity,
    Subject, TWIST, Text, Variability, Words, axes,
};
use super::states::{
    StateMeaning, input_text, of_acceleration, of_input, of_parameter, parameter_text,
};
use super::tables::{
    Cell, Grain, KEPT, OF_CONTACT_SUM, OF_REPORT, STATISTICS, SUMS, WRENCH, grain_counts,
    grain_state_name, grain_state_text, of_contact_sum, of_intersection, of_report,
};
use crate::instance::modes::Standard;
use contact_laws::index::{
    BodyId, InputId, IntersectionId, MeasurementId, NamedPairId, OutputId, ParameterId, ReportId,
    StopId, SumId, TiVec, TriggerId,
};
use contact_laws::quantity::Feeds;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::scene::description::Motion;
use contact_model::scene::description::world::SOLVER;
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::outputs::{Output, OutputShape, Owner, Reads};
use contact_model::scene::{
    Address, Body, Element, Grains, GrainsId, Indicator, Input, Parameters, Scene, WatchedOutput,
};
use std::ops::Range;

/// Adds elements: the indices of those that have them, and the elements of each.
type Add<'a> = dyn FnMut(Owners, Range<usize>) + 'a;

/// What is said of the elements of a family.
pub(super) struct FamilyRow {
    pub(super) family: Family,
    /// Adds its elements in a scene.
    pub(super) extents: fn(&Scene, Standard, &mut Add<'_>),
    /// Causality where the scene exposes it.
    causality: Causality,
    initial: Option<Initial>,
    /// The element of a table.
    cell: fn(&Scene, Quantity) -> Cell,
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

    fn cell(self, scene: &Scene) -> Cell {
        (self.row().cell)(scene, self)
    }

    pub(super) fn entry(self, scene: &Scene) -> Option<usize> {
        (self.row().entry)(scene, self)
    }

    /// Structured name of the element.
    pub(super) fn name(self, scene: &Scene) -> String {
        (self.row().name)(scene, self)
    }

    /// What it is, and its declared type.
    pub(super) fn text(self, words: &Words<'_>) -> Text {
        TEXTS[self.family as usize](words, self)
    }

    /// Unit of the element as a scalar; none for a pure number.
    pub fn unit(self, scene: &Scene) -> Option<&'static str> {
        let words = Words { scene, size: None };
        self.text(&words).declared?.unit
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
    cell: |_, _| Cell::NONE,
    data_type: |_, _| DataType::Float64,
    variability: |_, _| Variability::Continuous,
    entry: |_, _| None,
    component: |_, _| None,
    is_list: |_, _| false,
    columns: |_, _| None,
    name: |_, _| String::new(),
    subject: |_, _| Subject::Scene,
    start: |_, _| None,
    origin: |_, _| NOTHING,
};

/// The row of a family that has a table.
const TABLE: FamilyRow = FamilyRow {
    data_type: |scene, q| q.cell(scene).data_type(),
    variability: |scene, q| q.cell(scene).said.variability,
    component: |scene, q| q.cell(scene).component(),
    ..OUTPUT
};

/// One element of each.
const ONE: Range<usize> = 0..1;

/// The families, by [`Family`].
pub(super) static FAMILIES: [FamilyRow; 16] = [
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
        ..OUTPUT
    },
    FamilyRow {
        family: Family::State,
        initial: Some(Initial::Exact),
        name: |scene, q| match group_of(scene, q.of) {
            Some(group) => grain_state_name(group, q.of - group.states.start),
            None => scene.state_name(q.of),
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
        origin: |scene, q| StateMeaning::of(scene, q.of).origin_of_rate(scene),
        ..STATE
    },
    FamilyRow {
        family: Family::Parameter,
        extents: |scene, _, add| {
            let inputs = scene.parameter_inputs();
            let mut inputs: Vec<_> = inputs.filter_map(|own| scene.parameter_at(own)).collect();
            inputs.sort_unstable();
            let mut first = 0;
            for input in inputs
                .into_iter()
                .map(usize::from)
                .chain([scene.parameters().len()])
            {
                add(Owners::All(first..input), ONE);
                first = input + 1;
            }
        },
        causality: Causality::Parameter,
        initial: Some(Initial::Exact),
        data_type: |scene, q| match parameter(scene, q).key() == SOLVER.key {
            true => DataType::Int32,
            false => DataType::Float64,
        },
        // All may change during a run, if the scene says so, but the numbers of motions of bodies that carry others
        // on joints, whose velocity would jump.
        variability: |scene, q| match parameter(scene, q).element {
            Element::Motion(motion) if scene.motions()[motion].carries => Variability::Fixed,
            _ if scene.interface().tunable => Variability::Tunable,
            _ => Variability::Fixed,
        },
        component: |scene, q| parameter(scene, q).component(),
        name: |scene, q| scene.parameter_name(q.of.into()),
        subject: |scene, q| of_parameter(scene, parameter(scene, q)),
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
        subject: |scene, q| of_input(scene, input(scene, q)),
        start: |starts, q| Some(starts.scene.input_start(input(starts.scene, q))),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Wrench,
        extents: |scene, _, add| add(contact_bodies(scene), 0..2 * AXES.len()),
        cell: |_, q| WRENCH[q.item / 3].cell(q.item % 3),
        name: |scene, q| format!("{}.{}", body(scene, q).name, q.cell(scene).name()),
        subject: |_, q| Subject::Body(q.of.into()),
        origin: |_, q| Of::Wrench(q.of.into()).reads(FORCE),
        ..TABLE
    },
    FamilyRow {
        family: Family::Sum,
        extents: |_, _, add| add(Owners::All(ONE), 0..SUMS.len()),
        cell: |_, q| SUMS[q.item].cell(0),
        name: |scene, q| q.cell(scene).name(),
        origin: |_, q| SUMS[q.item].own.origin,
        ..TABLE
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
        origin: |scene, q| of_output(scene, output(scene, q)),
        ..OUTPUT
    },
    FamilyRow {
        family: Family::Report,
        extents: |scene, _, add| add(Owners::All(0..scene.reported().len()), 0..OF_REPORT),
        cell: |_, q| {
            let (row, index) = of_report(q.item);
            row.cell(index)
        },
        origin: |scene, q| {
            let pair = scene.reported()[ReportId::from(q.of)];
            let own = &of_report(q.item).0.own;
            let is_area = scene.is_area(&scene.pairs().get(pair));
            (own.of)(pair).reads(own.reads[usize::from(is_area)])
        },
        ..PAIR
    },
    FamilyRow {
        family: Family::ContactSum,
        extents: |scene, _, add| add(Owners::All(0..scene.sums().len()), 0..OF_CONTACT_SUM),
        cell: |_, q| {
            let (row, index) = of_contact_sum(q.item);
            row.cell(index)
        },
        origin: |_, q| {
            let own = &of_contact_sum(q.item).0.own;
            (own.of)(q.of.into()).reads(own.reads)
        },
        ..PAIR
    },
    FamilyRow {
        family: Family::Intersection,
        extents: |scene, _, add| {
            let is_sparse = scene.contact().sparsification.is_some();
            let items = 0..KEPT + usize::from(is_sparse);
            add(Owners::All(0..scene.intersections().len()), items);
        },
        cell: |_, q| {
            let (row, index) = of_intersection(q.item);
            row.cell(index)
        },
        origin: |scene, q| Of::Pair(scene.reported()[report(scene, q)]).reads(Feeds::POSE),
        ..PAIR
    },
    FamilyRow {
        // They are of the past.
        family: Family::Statistic,
        extents: |scene, _, add| {
            if scene.experiment().statistics {
                add(Owners::All(ONE), 0..STATISTICS.len());
            }
        },
        cell: |_, q| STATISTICS[q.item].cell(0),
        name: |scene, q| format!("experiment.statistics.{}", q.cell(scene).name()),
        ..TABLE
    },
    FamilyRow {
        family: Family::Grain,
        extents: |scene, standard, add| {
            for (index, group) in scene.grains().iter().enumerate() {
                let [arrays, all] = grain_counts(group);
                let sums = arrays..all;
                let items = if standard == Standard::Fmi3 {
                    0..all
                } else {
                    sums
                };
                add(Owners::All(index..index + 1), items);
            }
        },
        cell: |scene, q| grain(scene, q).cell(),
        entry: |scene, q| grain(scene, q).entry(),
        component: |scene, q| grain(scene, q).component(),
        // The radius of the only ball.
        is_list: |item, _| item == 0,
        columns: |scene, q| grain(scene, q).columns(),
        name: |scene, q| grain(scene, q).name(group(scene, q)),
        subject: |_, q| Subject::Grains(q.of.into()),
        ..TABLE
    },
    FamilyRow {
        family: Family::Indicator,
        extents: |scene, _, add| add(Owners::All(0..scene.indicator_count()), ONE),
        causality: Causality::Local,
        entry: |scene, q| (!scene.grains().is_empty()).then_some(q.of),
        component: |_, q| Some(q.of),
        is_list: |_, _| true,
        name: |_, q| format!("contact.indicator[{}]", q.of + 1),
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

/// What reports of pairs, sums of contacts and intersections have in common.
const PAIR: FamilyRow = FamilyRow {
    name: |scene, q| format!("{}.{}", q.subject(scene).name(scene), q.cell(scene).name()),
    subject: |scene, q| Subject::Contact(report(scene, q)),
    ..TABLE
};

/// What an element is, and its declared type.
type TextOf = fn(&Words<'_>, Quantity) -> Text;

/// Texts of the families, by [`Family`]; apart from [`FAMILIES`], so that a library that describes nothing does not
/// hold them.
static TEXTS: [TextOf; FAMILIES.len()] = [
    |_, _| Text::new("Time", units::TIME),
    |words, q| match group_of(words.scene, q.of) {
        Some(_) => grain_state_text(),
        None => StateMeaning::of(words.scene, q.of).text(words),
    },
    |words, q| match group_of(words.scene, q.of) {
        Some(_) => grain_state_text().time_derivative(units::COEFFICIENT),
        None => {
            let state = StateMeaning::of(words.scene, q.of);
            state.text(words).time_derivative(state.kind.rate)
        }
    },
    |words, q| parameter_text(words, parameter(words.scene, q)),
    |words, q| input_text(words, input(words.scene, q)),
    |words, q| {
        let (body, text) = (body(words.scene, q), q.cell(words.scene).text(words));
        text.at("body origin").in_axes(match body.motion {
            Motion::Driven => axes(body.drive.wrench_axes),
            _ => "world axes",
        })
    },
    |words, q| {
        let (joints, stops) = (words.scene.joints(), words.scene.stops());
        let springs = if joints.is_empty() {
            ""
        } else {
            " and of all joint springs"
        };
        let stops = if stops.is_empty() {
            ""
        } else {
            " and joint stops"
        };
        let text = q.cell(words.scene).text(words);
        text.with(&[("{springs}", springs), ("{stops}", stops)])
    },
    |words, q| {
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
    |words, q| {
        let [a, b] = &words.scene.named_pairs()[NamedPairId::from(q.of)].between;
        let what = format!("Distance between {a} and {b}, negative if they overlap");
        Text::new(what, units::LENGTH)
    },
    |words, q| output_text(words, output(words.scene, q)),
    pair_text,
    |words, q| {
        let named = words.scene.sums()[SumId::from(q.of)].named;
        let second = &words.scene.named_pairs()[named].between[1];
        pair_text(words, q).with(&[("{body}", &second.body)])
    },
    pair_text,
    cell_text,
    |words, q| grain(words.scene, q).text(words, group(words.scene, q)),
    |words, q| Text::new(indicators(words, q.of), indicator_type(words, q.of)),
];

/// Text of an element of a table.
fn cell_text(words: &Words<'_>, quantity: Quantity) -> Text {
    quantity.cell(words.scene).text(words)
}

/// Text of what is reported of two bodies or shapes.
fn pair_text(words: &Words<'_>, quantity: Quantity) -> Text {
    let [one, two] = words.scene.report_names(report(words.scene, quantity));
    cell_text(words, quantity).with(&[("{1}", &one), ("{2}", &two)])
}

fn parameter(scene: &Scene, quantity: Quantity) -> Address {
    scene.parameters()[ParameterId::from(quantity.of)]
}

fn input(scene: &Scene, quantity: Quantity) -> Input {
    scene.inputs()[InputId::from(quantity.of)]
}

fn output(scene: &Scene, quantity: Quantity) -> Output {
    scene.outputs()[OutputId::from(quantity.of)]
}

/// Report that a quantity is of.
fn report(scene: &Scene, quantity: Quantity) -> ReportId {
    match quantity.family {
        Family::Intersection => scene.intersections()[IntersectionId::from(quantity.of)],
        Family::ContactSum => scene.report_of(quantity.of.into()),
        _ => quantity.of.into(),
    }
}

fn body(scene: &Scene, quantity: Quantity) -> &Body {
    &scene.bodies()[BodyId::from(quantity.of)]
}

fn group(scene: &Scene, quantity: Quantity) -> &Grains {
    &scene.grains()[GrainsId::from(quantity.of)]
}

fn grain(scene: &Scene, quantity: Quantity) -> Grain {
    Grain::of(group(scene, quantity), quantity.item)
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
