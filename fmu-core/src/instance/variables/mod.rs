//! The variable table: every variable of the FMU, produced once from the scene. The writer of
//! modelDescription.xml, the C API and the tests read this table; nothing else knows a value
//! reference.
//!
//! The elements of all variables are 1, 2, 3 ... in document order:
//! [time (FMI 3.0) | states | state derivatives | parameters | inputs | contact force and torque of
//! each body | number of contacts | kinetic, potential, elastic energy | smallest distances |
//! distances of named pairs | poses, reactions, measurements | reports of pairs |
//! sums of contacts | intersections of pairs | statistics of Co-Simulation | groups of balls | event
//! indicators]. So an element and its meaning are found from each other by arithmetic, and an
//! instance is made without touching a string; names and texts are made on demand. Where the scene
//! exposes only some outputs, what is left out has no element; arithmetic then gives the place
//! among all, and a list of the places that are kept leads from one to the other. Value references
//! are 1, 2, 3 ... in document order, too: each element is a variable of its own, with its number
//! as reference, unless FMI 3.0 is asked for arrays. Then the elements of a vector, which follow
//! each other, are one variable. So are, without being asked for, the states of a group of balls, and
//! in its scene the event indicators. FMI 2.0 leaves the states of groups out, and the indicators then.
//!
//! - [`words`]: words of FMI, texts
//! - [`reports`]: variables of reported pairs
//! - [`sums`]: variables of sums of contacts
//! - [`grains`]: variables of groups of balls
//! - [`quantity`]: [`Quantity`]: what a variable means, its structured name, what is exposed
//! - this file: [`VariableTable`], reference <-> elements <-> [`Quantity`]
//! - [`names`]: names of variables and of elements
//! - [`describe`]: types, start values, texts
//! - [`structure`]: dependencies of variables

pub mod describe;
pub(crate) mod grains;
pub mod names;
pub mod quantity;
pub mod reports;
pub mod structure;
pub(crate) mod sums;
pub(crate) mod words;

use crate::instance::modes::Standard;
use contact_laws::index::{
    BodyId, InputId, IntersectionId, NamedPairId, OutputId, ParameterId, ReportId, TiVec,
};
use contact_model::scene::description::world::SOLVER;
use contact_model::scene::{Address, Element, GrainsId, Output, Scene};
use grains::{GrainPlaces, IntersectionItem};
use quantity::{Exposed, StateMeaning, UnmatchedPattern, component, state_meanings};
use reports::{ITEMS, STATISTICS, Statistic};
use std::ops::Range;
use sums::{SUM_ITEMS, SumItem};

pub use describe::Variable;
pub use quantity::Quantity;
pub use words::{Causality, DataType, Initial, Variability};

/// Number of contact outputs of a body: force (3) and torque (3).
const WRENCH: usize = 6;
/// Number of outputs about the entire scene: contacts and three energies.
const SUMS: usize = 4;

/// Which parameters may change during a run: all, if the scene says so, but the numbers of motions
/// of bodies that carry others on joints, whose velocity would jump.
fn tunable(scene: &Scene) -> TiVec<ParameterId, bool> {
    let parameters = scene.parameters().iter();
    let may_change = |parameter: &Address| match parameter.element {
        Element::Motion(motion) => !scene.motions()[motion].carries,
        _ => true,
    };
    parameters
        .map(|parameter| scene.interface().tunable && may_change(parameter))
        .collect()
}

/// References and meanings of all variables of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableTable {
    standard: Standard,
    /// Which parameters may change during a run.
    tunable: TiVec<ParameterId, bool>,
    /// The parameter that is an integer.
    solver: Option<ParameterId>,
    states: usize,
    parameters: usize,
    /// Which inputs have an effect at events only.
    inputs: TiVec<InputId, bool>,
    /// Bodies with contact force and torque: the free ones and those with a shape that can touch.
    contact_bodies: Vec<BodyId>,
    closest_distances: usize,
    /// Named pairs whose distance is an output.
    distance_pairs: Vec<NamedPairId>,
    /// Poses, reactions, measurements, latches and triggers.
    outputs: TiVec<OutputId, Output>,
    /// Number of reported pairs.
    reports: usize,
    /// Number of sums of contacts.
    sums: usize,
    /// Number of reported pairs with their intersection.
    intersections: usize,
    /// What there is of each of these.
    intersection_items: &'static [IntersectionItem],
    /// Statistics of Co-Simulation: all or none.
    statistics: &'static [Statistic],
    /// Groups of balls.
    groups: TiVec<GrainsId, GrainPlaces>,
    indicators: usize,
    /// Vectors are arrays.
    arrays: bool,
    /// Place of each element, ascending, where the scene leaves outputs out; empty where all places
    /// are elements.
    kept: Vec<u32>,
    /// States that are no outputs, ascending.
    hidden: Vec<u32>,
    /// First element of each variable, ascending; empty where every variable is a scalar.
    firsts: Vec<u32>,
}

impl VariableTable {
    /// The table of a scene for importers of an FMI version.
    pub fn new(scene: &Scene, standard: Standard) -> Self {
        let mut has_outputs: TiVec<BodyId, bool> =
            scene.bodies().iter().map(|b| !b.is_fixed()).collect();
        for shape in scene.shapes() {
            has_outputs[shape.body] = true;
        }
        if let Some(first) = scene.grains().first() {
            has_outputs.truncate(first.bodies.start.into());
        }
        let mut table = VariableTable {
            standard,
            tunable: tunable(scene),
            solver: scene.parameter_index(Element::Experiment, SOLVER.key, 0),
            states: scene.layout().count(),
            parameters: scene.parameters().len(),
            inputs: scene.inputs().iter().map(|i| i.is_discrete()).collect(),
            contact_bodies: has_outputs.keys().filter(|b| has_outputs[*b]).collect(),
            closest_distances: scene.contact().closest_distances as usize,
            distance_pairs: {
                let named = scene.named_pairs().iter_enumerated();
                let outputs = named.filter(|(_, pair)| pair.distance);
                outputs.map(|(index, _)| index).collect()
            },
            outputs: scene.outputs().to_owned(),
            reports: scene.reported().len(),
            sums: scene.sums().len(),
            intersections: scene.intersections().len(),
            intersection_items: grains::items(scene),
            statistics: match scene.experiment().statistics {
                true => &STATISTICS,
                false => &[],
            },
            groups: {
                let groups = scene.grains().iter();
                groups
                    .map(|group| GrainPlaces::new(group, standard == Standard::Fmi3))
                    .collect()
            },
            indicators: scene.indicator_count(),
            arrays: scene.interface().arrays && standard == Standard::Fmi3,
            kept: Vec::new(),
            hidden: Vec::new(),
            firsts: Vec::new(),
        };
        let exposed = Exposed::of(scene);
        let hides_parameters = scene.interface().expose_parameters;
        if exposed.is_some() || hides_parameters || table.leaves_states_out() {
            table.leave_out(scene, exposed.as_ref());
        }
        if standard == Standard::Fmi3 && (table.arrays || !table.groups.is_empty()) {
            table.join_vectors(scene);
        }
        table
    }

    /// Returns true if states have no variable: those of groups in FMI 2.0, which then have no
    /// event indicators either.
    fn leaves_states_out(&self) -> bool {
        self.standard == Standard::Fmi2 && !self.groups.is_empty()
    }

    /// Returns true if the importer can have Model Exchange: not with groups, whose thousands of
    /// states no importer's solver brings to an end.
    pub fn has_model_exchange(&self) -> bool {
        self.groups.is_empty()
    }

    /// Group of a state.
    fn group_of_state(&self, state: usize) -> Option<&GrainPlaces> {
        let behind = self
            .groups
            .raw
            .partition_point(|group| group.states.end <= state);
        let group = self.groups.raw.get(behind)?;
        group.states.contains(&state).then_some(group)
    }

    /// Returns true if an element belongs to the variable of the element before.
    fn continues(&self, scene: &Scene, states: &[StateMeaning], quantity: Quantity) -> bool {
        let of_group = match quantity {
            Quantity::State(i) | Quantity::Derivative(i) => {
                self.group_of_state(i).map(|group| i - group.states.start)
            }
            Quantity::Grain(_, item) => item.entry(),
            Quantity::Indicator(i) if !self.groups.is_empty() => Some(i),
            _ => None,
        };
        match (of_group, self.arrays) {
            (Some(place), _) => place > 0,
            (None, true) => component(scene, states, quantity).is_some_and(|index| index > 0),
            (None, false) => false,
        }
    }

    /// Returns true if an importer of this FMI version gets no variable of this meaning.
    fn is_beyond(&self, quantity: Quantity) -> bool {
        self.leaves_states_out()
            && match quantity {
                Quantity::State(i) | Quantity::Derivative(i) => self.group_of_state(i).is_some(),
                Quantity::Indicator(_) => true,
                _ => false,
            }
    }

    /// Leaves out what the scene does not expose, where it says so; states stay and are local. And
    /// what the FMI version has no variables for.
    fn leave_out(&mut self, scene: &Scene, exposed: Option<&Exposed>) {
        let states = state_meanings(scene);
        let mut kept = Vec::new();
        let mut hidden = Vec::new();
        let mut place = 1;
        let nothing = Exposed::by(scene, &[]);
        while let Some(first) = self.meaning_of_place(place) {
            let continues = |place: u32| {
                let meaning = self.meaning_of_place(place);
                meaning.is_some_and(|q| self.continues(scene, &states, q))
            };
            let mut end = place + 1;
            if self.is_beyond(first) {
                place = end;
                continue;
            }
            while continues(end) {
                end += 1;
            }
            let mut elements = (place..end).filter_map(|p| self.meaning_of_place(p));
            let patterns = match self.causality(first) {
                Causality::Output => exposed,
                Causality::Parameter if scene.interface().expose_parameters => {
                    exposed.or(Some(&nothing))
                }
                _ => None,
            };
            let is_shown =
                patterns.is_none_or(|exposed| elements.any(|quantity| exposed.shows(quantity)));
            match first {
                Quantity::State(_) if !is_shown => {
                    let first = self.first_state() as u32;
                    hidden.extend((place..end).map(|p| p - first));
                    kept.extend(place..end);
                }
                _ if is_shown => kept.extend(place..end),
                _ => {}
            }
            place = end;
        }
        if kept.len() < self.place_count() as usize {
            self.kept = kept;
        }
        self.hidden = hidden;
    }

    /// Checks that each pattern of what the scene exposes matches an output or parameter.
    ///
    /// # Errors
    /// The first one that matches none, with similar names.
    pub fn check_exposed(&self, scene: &Scene) -> Result<(), UnmatchedPattern> {
        self.check_patterns(scene, scene.expose().unwrap_or_default())
    }

    /// Checks that each of these patterns matches an output or parameter.
    ///
    /// # Errors
    /// The first one that matches none, with similar names.
    pub fn check_patterns(
        &self,
        scene: &Scene,
        patterns: &[String],
    ) -> Result<(), UnmatchedPattern> {
        if patterns.is_empty() {
            return Ok(());
        }
        let all = (1..=self.place_count()).filter_map(|place| self.meaning_of_place(place));
        Exposed::by(scene, patterns).check(all.filter(|q| match *q {
            Quantity::State(i) => self.group_of_state(i).is_none(),
            quantity => matches!(
                quantity.causality_if_exposed(),
                Causality::Output | Causality::Parameter
            ),
        }))
    }

    /// Makes one variable of the elements of each vector.
    fn join_vectors(&mut self, scene: &Scene) {
        let states = state_meanings(scene);
        let starts_here = |element: &u32| {
            let meaning = self.meaning(*element);
            meaning.is_some_and(|quantity| !self.continues(scene, &states, quantity))
        };
        self.firsts = (1..=self.element_count()).filter(starts_here).collect();
    }

    /// FMI version of the importers that the table is for.
    pub fn standard(&self) -> Standard {
        self.standard
    }

    /// Returns true if the independent variable is one of the variables: in FMI 3.0 it must be; in
    /// FMI 2.0 it is omitted, since some tools have a variable `time` of their own.
    fn has_time(&self) -> bool {
        self.standard == Standard::Fmi3
    }

    /// Number of variables; the largest reference.
    pub fn count(&self) -> usize {
        match self.firsts.len() {
            0 => self.element_count() as usize,
            variables => variables,
        }
    }

    /// Number of elements of all variables; the last element.
    fn element_count(&self) -> u32 {
        match self.kept.len() {
            0 => self.place_count(),
            kept => kept as u32,
        }
    }

    /// Number of places: of elements, if the scene left none out.
    fn place_count(&self) -> u32 {
        (self.first_indicator() + self.indicators - 1) as u32
    }

    /// Elements of a variable; empty where no variable has the reference.
    pub fn elements(&self, reference: u32) -> Range<u32> {
        if reference == 0 || reference as usize > self.count() {
            return 0..0;
        }
        if self.firsts.is_empty() {
            return reference..reference + 1;
        }
        let index = reference as usize;
        let end = self.firsts.get(index).copied();
        self.firsts[index - 1]..end.unwrap_or(self.element_count() + 1)
    }

    /// Reference of the variable that has an element.
    pub(crate) fn variable_of(&self, element: u32) -> u32 {
        match self.firsts.is_empty() {
            true => element,
            false => self.firsts.partition_point(|first| *first <= element) as u32,
        }
    }

    /// Number of elements of an array; none for a scalar or an unknown reference.
    pub fn dimension(&self, reference: u32) -> Option<usize> {
        if self.firsts.is_empty() {
            return None;
        }
        let count = self.elements(reference).len();
        // Indicators, smallest distances and the arrays of groups are arrays even where there is one
        // entry only.
        let is_array = count > 1
            || match self.quantity(reference) {
                Some(Quantity::Indicator(_)) => true,
                Some(Quantity::ClosestDistance(_)) => self.arrays,
                Some(Quantity::Grain(_, item)) => item.entry().is_some(),
                _ => false,
            };
        is_array.then_some(count)
    }

    /// Number of parameters that have a variable.
    pub fn parameter_count(&self) -> usize {
        let all = (0..self.parameters).map(|index| Quantity::Parameter(index.into()));
        all.filter(|parameter| self.element(*parameter).is_some())
            .count()
    }

    /// Meaning of a variable, for an array that of its first element; none where no variable has
    /// the reference.
    pub fn quantity(&self, reference: u32) -> Option<Quantity> {
        if self.firsts.is_empty() {
            return self.meaning(reference);
        }
        self.meaning(self.elements(reference).start)
    }

    /// Meaning of an element; none where there is no such element.
    #[inline]
    pub fn meaning(&self, element: u32) -> Option<Quantity> {
        if self.kept.is_empty() {
            return self.meaning_of_place(element);
        }
        let index = (element as usize).checked_sub(1)?;
        self.meaning_of_place(*self.kept.get(index)?)
    }

    fn meaning_of_place(&self, place: u32) -> Option<Quantity> {
        let mut index = (place as usize).checked_sub(1)?;
        if self.has_time() {
            if index == 0 {
                return Some(Quantity::Time);
            }
            index -= 1;
        }
        if index < self.states {
            return Some(Quantity::State(index));
        }
        index -= self.states;
        if index < self.states {
            return Some(Quantity::Derivative(index));
        }
        index -= self.states;
        if index < self.parameters {
            return Some(Quantity::Parameter(index.into()));
        }
        index -= self.parameters;
        if index < self.inputs.len() {
            return Some(Quantity::Input(index.into()));
        }
        index -= self.inputs.len();
        if let Some(body) = self.contact_bodies.get(index / WRENCH) {
            let component = index % WRENCH;
            return Some(match component.checked_sub(3) {
                None => Quantity::ContactForce(*body, component),
                Some(component) => Quantity::ContactTorque(*body, component),
            });
        }
        index -= WRENCH * self.contact_bodies.len();
        match index {
            0 => return Some(Quantity::ContactCount),
            1 => return Some(Quantity::KineticEnergy),
            2 => return Some(Quantity::PotentialEnergy),
            3 => return Some(Quantity::ElasticEnergy),
            _ => index -= SUMS,
        }
        if index < self.closest_distances {
            return Some(Quantity::ClosestDistance(index));
        }
        index -= self.closest_distances;
        if let Some(pair) = self.distance_pairs.get(index) {
            return Some(Quantity::PairDistance(*pair));
        }
        index -= self.distance_pairs.len();
        if index < self.outputs.len() {
            return Some(Quantity::Output(index.into()));
        }
        index -= self.outputs.len();
        if index < ITEMS.len() * self.reports {
            let item = ITEMS[index % ITEMS.len()];
            return Some(Quantity::Report(ReportId::from(index / ITEMS.len()), item));
        }
        index -= ITEMS.len() * self.reports;
        if index < SUM_ITEMS * self.sums {
            let item = SumItem::at(index % SUM_ITEMS);
            return Some(Quantity::Sum((index / SUM_ITEMS).into(), item));
        }
        index -= SUM_ITEMS * self.sums;
        let all = self.intersection_items;
        if index < all.len() * self.intersections {
            let place = IntersectionId::from(index / all.len());
            return Some(Quantity::Intersection(place, all[index % all.len()]));
        }
        index -= all.len() * self.intersections;
        if let Some(statistic) = self.statistics.get(index) {
            return Some(Quantity::Statistic(*statistic));
        }
        index -= self.statistics.len();
        for (group, places) in self.groups.iter_enumerated() {
            if index < places.len() {
                return Some(Quantity::Grain(group, places.item(index)));
            }
            index -= places.len();
        }
        (index < self.indicators).then_some(Quantity::Indicator(index))
    }

    /// Reference of the variable with this meaning among its elements; none where the scene has no
    /// such variable.
    pub fn reference(&self, quantity: Quantity) -> Option<u32> {
        Some(self.variable_of(self.element(quantity)?))
    }

    /// Element with a meaning; none where the scene has no such element.
    pub fn element(&self, quantity: Quantity) -> Option<u32> {
        let place = self.place(quantity)?;
        if self.kept.is_empty() {
            return Some(place);
        }
        let index = self.kept.binary_search(&place).ok()?;
        u32::try_from(index + 1).ok()
    }

    /// Place of a meaning; none where the scene has no such thing.
    fn place(&self, quantity: Quantity) -> Option<u32> {
        let place = match quantity {
            Quantity::Time if self.has_time() => 1,
            Quantity::State(i) if i < self.states => self.first_state() + i,
            Quantity::Derivative(i) if i < self.states => self.first_state() + self.states + i,
            Quantity::Parameter(i) if usize::from(i) < self.parameters => {
                self.first_parameter() + usize::from(i)
            }
            Quantity::Input(i) if usize::from(i) < self.inputs.len() => {
                self.first_input() + usize::from(i)
            }
            Quantity::ContactForce(body, component) if component < 3 => {
                self.first_wrench(body)? + component
            }
            Quantity::ContactTorque(body, component) if component < 3 => {
                self.first_wrench(body)? + 3 + component
            }
            Quantity::ContactCount => self.first_sum(),
            Quantity::KineticEnergy => self.first_sum() + 1,
            Quantity::PotentialEnergy => self.first_sum() + 2,
            Quantity::ElasticEnergy => self.first_sum() + 3,
            Quantity::ClosestDistance(i) if i < self.closest_distances => {
                self.first_sum() + SUMS + i
            }
            Quantity::PairDistance(pair) => {
                let index = self.distance_pairs.binary_search(&pair).ok()?;
                self.first_sum() + SUMS + self.closest_distances + index
            }
            Quantity::Output(i) if usize::from(i) < self.outputs.len() => {
                self.first_output() + usize::from(i)
            }
            Quantity::Report(report, item) if usize::from(report) < self.reports => {
                self.first_report() + ITEMS.len() * usize::from(report) + item.place()?
            }
            Quantity::Sum(sum, item) if usize::from(sum) < self.sums => {
                self.first_contact_sum() + SUM_ITEMS * usize::from(sum) + item.place()
            }
            Quantity::Intersection(index, item) if usize::from(index) < self.intersections => {
                let all = self.intersection_items;
                let before = all.len() * usize::from(index);
                self.first_intersection() + before + all.iter().position(|one| *one == item)?
            }
            Quantity::Statistic(statistic) => {
                let place = self.statistics.iter().position(|one| *one == statistic)?;
                self.first_statistic() + place
            }
            Quantity::Grain(group, item) => {
                let before = self.groups.raw[..group.into()].iter();
                let before: usize = before.map(GrainPlaces::len).sum();
                self.first_group() + before + self.groups[group].place(item)?
            }
            Quantity::Indicator(i) if i < self.indicators => self.first_indicator() + i,
            _ => return None,
        };
        u32::try_from(place).ok()
    }

    /// All variables in document order: reference and meaning, for an array that of its first
    /// element.
    pub fn quantities(&self) -> impl Iterator<Item = (u32, Quantity)> + '_ {
        (1..=self.count() as u32).filter_map(|r| Some((r, self.quantity(r)?)))
    }

    /// Type of a variable.
    pub fn data_type(&self, quantity: Quantity) -> DataType {
        match quantity {
            Quantity::Parameter(i) if Some(i) == self.solver => DataType::Int32,
            Quantity::ContactCount => DataType::Int32,
            Quantity::Output(i) if self.outputs[i].is_boolean() => DataType::Boolean,
            Quantity::Report(_, item) => item.data_type(),
            Quantity::Sum(_, item) => item.data_type(),
            Quantity::Statistic(statistic) => statistic.data_type(),
            Quantity::Grain(_, item) => item.data_type(),
            _ => DataType::Float64,
        }
    }

    /// Where the value after initialisation comes from; none for the independent variable and for
    /// inputs, which are set. The states of a group are as the scene has them: a million start
    /// values would be most of modelDescription.xml.
    pub fn initial(&self, quantity: Quantity) -> Option<Initial> {
        match quantity {
            Quantity::Time | Quantity::Input(_) => None,
            Quantity::State(i) if self.group_of_state(i).is_some() => Some(Initial::Calculated),
            Quantity::State(_) | Quantity::Parameter(_) => Some(Initial::Exact),
            _ => Some(Initial::Calculated),
        }
    }

    /// Value of `initial` if modelDescription.xml omits it [FMI 3.0], table "Definition of
    /// initial".
    pub fn default_initial(&self, quantity: Quantity) -> Option<Initial> {
        match self.causality(quantity) {
            Causality::Independent | Causality::Input => None,
            Causality::Parameter => Some(Initial::Exact),
            Causality::Output | Causality::Local => Some(Initial::Calculated),
        }
    }

    /// Causality of a variable. What the scene leaves out of its outputs is local.
    pub fn causality(&self, quantity: Quantity) -> Causality {
        match quantity {
            Quantity::State(i) if self.hidden.binary_search(&(i as u32)).is_ok() => {
                Causality::Local
            }
            Quantity::State(i) if self.group_of_state(i).is_some() => Causality::Local,
            _ => quantity.causality_if_exposed(),
        }
    }

    /// Returns true if the importer may read the variable between communication points: continuous
    /// outputs, [FMI 3.0] section 2.3.1 (requiredIntermediateVariables).
    pub(crate) fn has_intermediate_values(&self, quantity: Quantity) -> bool {
        self.causality(quantity) == Causality::Output && !self.is_discrete(quantity)
    }

    /// Returns true if the value changes at events and communication points only.
    fn is_discrete(&self, quantity: Quantity) -> bool {
        match quantity {
            Quantity::ContactCount | Quantity::Statistic(_) => true,
            Quantity::Grain(_, item) => item.variability() == Variability::Discrete,
            Quantity::Report(_, item) => item.variability() == Variability::Discrete,
            Quantity::Sum(_, item) => item.is_discrete(),
            Quantity::Output(i) => self.outputs.get(i).is_some_and(|o| o.is_discrete()),
            Quantity::Input(i) => self.inputs.get(i) == Some(&true),
            _ => false,
        }
    }

    /// Variability of a variable.
    pub fn variability(&self, quantity: Quantity) -> Variability {
        match quantity {
            Quantity::Parameter(i) if self.tunable.get(i) == Some(&true) => Variability::Tunable,
            Quantity::Parameter(_) => Variability::Fixed,
            Quantity::Grain(_, item) => item.variability(),
            _ if self.is_discrete(quantity) => Variability::Discrete,
            _ => Variability::Continuous,
        }
    }

    fn first_state(&self) -> usize {
        1 + usize::from(self.has_time())
    }

    fn first_parameter(&self) -> usize {
        self.first_state() + 2 * self.states
    }

    fn first_wrench(&self, body: BodyId) -> Option<usize> {
        let index = self.contact_bodies.binary_search(&body).ok()?;
        Some(self.first_input() + self.inputs.len() + WRENCH * index)
    }

    fn first_input(&self) -> usize {
        self.first_parameter() + self.parameters
    }

    fn first_sum(&self) -> usize {
        self.first_input() + self.inputs.len() + WRENCH * self.contact_bodies.len()
    }

    fn first_output(&self) -> usize {
        self.first_sum() + SUMS + self.closest_distances + self.distance_pairs.len()
    }

    fn first_report(&self) -> usize {
        self.first_output() + self.outputs.len()
    }

    fn first_contact_sum(&self) -> usize {
        self.first_report() + ITEMS.len() * self.reports
    }

    fn first_intersection(&self) -> usize {
        self.first_contact_sum() + SUM_ITEMS * self.sums
    }

    fn first_statistic(&self) -> usize {
        self.first_intersection() + self.intersection_items.len() * self.intersections
    }

    fn first_group(&self) -> usize {
        self.first_statistic() + self.statistics.len()
    }

    fn first_indicator(&self) -> usize {
        let groups = self.groups.iter().map(GrainPlaces::len);
        self.first_group() + groups.sum::<usize>()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/instance/variables/tests.rs"]
pub(crate) mod tests;
