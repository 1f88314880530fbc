//! What depends on what: the model structure as [FMI 3.0] section 2.4.8 asks for it.
//!
//! Dependencies are structural, from the scene alone. Known in continuous time and at events are
//! the states and the independent variable, as far as it is a variable (FMI 3.0), there also
//! parameters where they are tunable. The time of an impact and what a force acts on that changes
//! with time depend on the independent variable. Known in Initialization Mode are all variables with
//! `initial = exact`, states and parameters, and the independent variable again. The lists are about
//! whole variables, so an array depends on whatever one of its elements depends on;
//! [`dependencies`] tells the elements apart. Two bodies feel each other where two of their shapes
//! form a candidate pair. In the formulas q is position and orientation, v velocity and angular
//! velocity:
//!
//! - position' = velocity; orientation' from orientation and angular velocity of the same body
//! - velocity', contact force and torque from q, v of the body and of all it can touch; velocity'
//!   also from time where a force that changes with it acts on the body
//! - indicators, distances, number of contacts and elastic energy from the q of the bodies in the pairs
//! - kinetic energy from orientation and v, potential energy from q of all free bodies
//! - dissipated power from q, v of all bodies in pairs
//! - what is reported of a pair from q of its bodies, its motion and forces also from v
//!
//! Where friction has deflections as states, forces of a contact, its dissipation and its elastic
//! energy depend on its deflection too, and the rate of a deflection depends on what the force
//! does. A deflection that belongs to a slot may be that of any pair.

mod elements;

use super::describe::{StateMeaning, state_meanings};
use super::reports::Item;
use super::{Causality, Initial, Quantity, Variability, VariableTable};
use crate::instance::modes::Standard;
use crate::response::Number;
use crate::scene::description::Gravity;
use crate::scene::layout::Deflections;
use crate::scene::{Pair, Parameter, Scene, StateLayout};
use elements::ElementSet;
use std::ops::Range;

/// An unknown and the value references it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Value reference of the unknown.
    pub reference: u32,
    /// Value references of the knowns that enter it, ascending; may be empty. None where it is not
    /// worth listing: it may depend on all knowns, see [`MOST_LISTED`].
    pub dependencies: Option<Vec<u32>>,
}

/// A list of more elements than this which has more than half of all knowns is left out: a thousand
/// bodies that can all touch each other would fill gigabytes with it. What is left out says by the
/// standard that all knowns may enter.
pub const MOST_LISTED: usize = 512;

/// The four lists of unknowns, each in document order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelStructure {
    /// All outputs.
    pub outputs: Vec<Unknown>,
    /// Derivatives of all states, in state order.
    pub state_derivatives: Vec<Unknown>,
    /// Unknowns of Initialization Mode: outputs and state derivatives that are not known exactly.
    pub initial_unknowns: Vec<Unknown>,
    /// Event indicators, in slot order.
    pub event_indicators: Vec<Unknown>,
}

impl ModelStructure {
    /// The structure of a scene; `table` must be of the same scene.
    pub fn new(scene: &Scene, table: &VariableTable) -> Self {
        let finder = Finder::new(scene, table);
        let mut structure = ModelStructure {
            outputs: Vec::new(),
            state_derivatives: Vec::new(),
            initial_unknowns: Vec::new(),
            event_indicators: Vec::new(),
        };
        let tunable = has_tunable_knowns(table);
        // Neighbours in the document, like the components of a force, mostly have one origin.
        let mut last = (Vec::new(), Knowns::default());
        for (reference, quantity) in table.quantities() {
            let list = match quantity {
                Quantity::Derivative(_) => &mut structure.state_derivatives,
                Quantity::Indicator(_) => &mut structure.event_indicators,
                _ if quantity.causality() == Causality::Output => &mut structure.outputs,
                _ => continue,
            };
            let elements = table.elements(reference);
            let origins = elements.filter_map(|e| Some(finder.origin(table.meaning(e)?)));
            let mut origins: Vec<Origin> = origins.collect();
            origins.dedup();
            if origins != last.0 {
                let mut knowns = Knowns::default();
                for origin in &origins {
                    finder.add(*origin, &mut knowns);
                }
                last = (origins, knowns);
            }
            let knowns = &last.1;
            list.push(Unknown {
                reference,
                dependencies: finder.listed(table, knowns, tunable),
            });
            // Event indicators are for debugging only in Initialization Mode and not listed there.
            if quantity.initial() == Some(Initial::Calculated)
                && !matches!(quantity, Quantity::Indicator(_))
            {
                structure.initial_unknowns.push(Unknown {
                    reference,
                    dependencies: finder.listed(table, knowns, true),
                });
            }
        }
        structure
    }
}

/// [FMI 3.0] section 2.4.8 counts parameters that may be changed in the present mode among the
/// knowns; in [FMI 2.0] section 2.2.8 they never are, outside Initialization Mode.
fn has_tunable_knowns(table: &VariableTable) -> bool {
    let tunable = table.variability(Quantity::Parameter(0)) == Variability::Tunable;
    tunable && table.standard() == Standard::Fmi3
}

/// References of the variables that have these elements, given in ascending order.
fn variables(table: &VariableTable, elements: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut references: Vec<u32> = elements.map(|e| table.variable_of(e)).collect();
    references.dedup();
    references
}

/// When dependencies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before initialisation ends.
    Start,
    /// Afterwards.
    Run,
}

/// An element of a variable, counted from 1; 0 for a scalar.
pub type ElementIndex = usize;

/// One dependency of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The element that depends.
    pub element: ElementIndex,
    /// Value reference of the variable that it depends on.
    pub known: u32,
    /// The element of that variable.
    pub known_element: ElementIndex,
}

/// What each element of a variable depends on, in document order; nothing where the variable is
/// known itself at this moment, or unknown to the table. Takes the time that one variable asks for,
/// not that of the whole structure.
pub fn dependencies(
    scene: &Scene,
    table: &VariableTable,
    reference: u32,
    moment: Moment,
) -> Vec<Dependency> {
    let Some(quantity) = table.quantity(reference) else {
        return Vec::new();
    };
    let is_known = match moment {
        Moment::Start => quantity.initial() != Some(Initial::Calculated),
        Moment::Run => matches!(quantity, Quantity::Time | Quantity::Parameter(_)),
    };
    if is_known {
        return Vec::new();
    }
    // The lists of Initialization Mode have no event indicators; their own list is that of the run.
    let at_start = moment == Moment::Start && !matches!(quantity, Quantity::Indicator(_));
    let parameters = at_start || has_tunable_knowns(table);
    let index = |variable: u32, element: u32| match table.dimension(variable) {
        Some(_) => (element - table.elements(variable).start) as usize + 1,
        None => 0,
    };
    let finder = Finder::new(scene, table);
    let mut list = Vec::new();
    for element in table.elements(reference) {
        let mut knowns = Knowns::default();
        if let Some(meaning) = table.meaning(element) {
            finder.add(finder.origin(meaning), &mut knowns);
        }
        list.extend(knowns.list(parameters).map(|known_element| {
            let known = table.variable_of(known_element);
            Dependency {
                element: index(reference, element),
                known,
                known_element: index(known, known_element),
            }
        }));
    }
    list
}

/// What a quantity is computed from; quantities of one origin have the same dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Nothing,
    State(usize),
    /// Orientation and angular velocity of a body.
    Rotation(usize),
    /// All forces on a body.
    Motion(usize),
    /// Contact forces on a body.
    Wrench(usize),
    Kinetic,
    Potential,
    Elastic,
    Dissipated,
    /// Rate of a deflection.
    Deflection(usize),
    /// Gap of a pair.
    Gap(usize),
    /// Gap of a pair, and the time.
    Start(usize),
    /// Motion of a pair.
    PairMotion(usize),
    /// Force of a pair.
    PairForce(usize),
    /// Gaps of all pairs.
    Gaps,
    /// Distance of a named pair.
    Distance(usize),
}

/// Elements of time, states and parameters that a quantity depends on.
#[derive(Default)]
struct Knowns {
    /// The independent variable.
    time: Option<u32>,
    states: ElementSet,
    parameters: ElementSet,
}

impl Knowns {
    /// Time, states, and parameters where they count, ascending as in the document.
    fn list(&self, parameters: bool) -> impl Iterator<Item = u32> + '_ {
        let parameters = self.parameters.iter().filter(move |_| parameters);
        let time = self.time.into_iter();
        time.chain(self.states.iter()).chain(parameters)
    }
}

struct Finder<'a> {
    scene: &'a Scene,
    meanings: Vec<StateMeaning>,
    /// Element of the time, which FMI 2.0 has not.
    time: Option<u32>,
    first_state: u32,
    first_parameter: u32,
}

impl<'a> Finder<'a> {
    fn new(scene: &'a Scene, table: &VariableTable) -> Self {
        Finder {
            scene,
            meanings: state_meanings(scene),
            time: table.element(Quantity::Time),
            first_state: table.element(Quantity::State(0)).unwrap_or(0),
            first_parameter: table.element(Quantity::Parameter(0)).unwrap_or(0),
        }
    }

    /// The variables of knowns, unless they are nearly all.
    fn listed(&self, table: &VariableTable, knowns: &Knowns, parameters: bool) -> Option<Vec<u32>> {
        let [mut count, mut all] = [knowns.states.len(), self.scene.layout().count()];
        if parameters {
            count += knowns.parameters.len();
            all += self.scene.parameters().len();
        }
        let too_long = count > MOST_LISTED && 2 * count > all;
        (!too_long).then(|| variables(table, knowns.list(parameters)))
    }

    fn origin(&self, quantity: Quantity) -> Origin {
        match quantity {
            Quantity::Time | Quantity::Parameter(_) => Origin::Nothing,
            Quantity::State(i) => Origin::State(i),
            Quantity::Derivative(i) => match self.meanings[i] {
                StateMeaning::Position(b, i) => match self.scene.layout().body(b) {
                    Some(offset) => Origin::State(StateLayout::velocity(offset).start + i),
                    None => Origin::Nothing,
                },
                StateMeaning::Orientation(b, _) => Origin::Rotation(b),
                StateMeaning::Velocity(b, _) | StateMeaning::AngularVelocity(b, _) => {
                    Origin::Motion(b)
                }
                StateMeaning::Joint(..) => Origin::Nothing,
                StateMeaning::Deflection(index, _) => Origin::Deflection(index),
                StateMeaning::Work => Origin::Dissipated,
            },
            Quantity::ContactForce(b, _) | Quantity::ContactTorque(b, _) => Origin::Wrench(b),
            Quantity::ContactCount | Quantity::ClosestDistance(_) => Origin::Gaps,
            Quantity::PairDistance(i) => Origin::Distance(i),
            Quantity::Report(i, item) => self.of_report(self.scene.reported()[i] as usize, item),
            Quantity::KineticEnergy => Origin::Kinetic,
            Quantity::PotentialEnergy => Origin::Potential,
            Quantity::ElasticEnergy => Origin::Elastic,
            Quantity::Indicator(i) if self.scene.monitors_all_pairs() => Origin::Gap(i),
            Quantity::Indicator(_) => Origin::Gaps,
        }
    }

    /// What has happened to a pair depends, at an event, on what makes the event. The sums of a
    /// communication step are of the past.
    fn of_report(&self, pair: usize, item: Item) -> Origin {
        match item {
            Item::InContact
            | Item::Gap
            | Item::Penetration
            | Item::Point(_)
            | Item::Normal(_)
            | Item::Count => Origin::Gap(pair),
            Item::LastImpactTime => Origin::Start(pair),
            Item::GapRate | Item::SlipSpeed | Item::LastImpactSpeed => Origin::PairMotion(pair),
            Item::NormalForce | Item::TangentialForce(_) | Item::Force(_) | Item::Torque(_) => {
                Origin::PairForce(pair)
            }
            Item::Impulse(_) | Item::PeakForce => Origin::Nothing,
        }
    }

    fn add(&self, origin: Origin, knowns: &mut Knowns) {
        let k = knowns;
        let bodies = 0..self.scene.bodies().len();
        // What a pair depends on is the same for all convex parts of its shapes.
        let pairs = self.scene.pairs().of_parts();
        match origin {
            Origin::Nothing => {}
            Origin::State(i) => self.states(k, i..i + 1),
            Origin::Rotation(body) => {
                self.states_of(k, body, StateLayout::orientation);
                self.states_of(k, body, StateLayout::angular_velocity);
            }
            Origin::Motion(body) => {
                self.pose(k, body);
                self.motion(k, body);
                self.mass(k, body);
                self.inertia(k, body);
                self.gravity(k);
                self.wrench(k, body);
                self.applied(k, body);
            }
            Origin::Wrench(body) => self.wrench(k, body),
            Origin::Kinetic => {
                for body in bodies.filter(|b| self.scene.bodies()[*b].is_free()) {
                    self.states_of(k, body, StateLayout::orientation);
                    self.motion(k, body);
                    self.mass(k, body);
                    self.inertia(k, body);
                }
            }
            Origin::Potential => {
                self.gravity(k);
                if !matches!(self.scene.gravity(), Gravity::None) {
                    for body in bodies.filter(|b| self.scene.bodies()[*b].is_free()) {
                        self.pose(k, body);
                        self.mass(k, body);
                    }
                }
            }
            Origin::Elastic => {
                self.each_pair(k, pairs, Self::stored, Self::stiffness);
                self.states(k, self.scene.layout().contacts());
            }
            Origin::Dissipated => {
                self.each_pair(k, pairs, Self::moved, Self::law);
                self.states(k, self.scene.layout().contacts());
            }
            Origin::Deflection(index) => {
                let layout = self.scene.layout();
                match layout.deflections() {
                    Deflections::OfPairs(pairs) => {
                        let pair = self.scene.pairs().get(pairs[index] as usize);
                        let pair = std::iter::once(pair);
                        self.each_pair(k, pair, Self::moved, Self::law);
                    }
                    _ => self.each_pair(k, pairs, Self::moved, Self::law),
                }
                self.states(k, layout.deflection(index));
            }
            Origin::Gap(pair) => self.gap(k, &self.scene.pairs().get(pair)),
            Origin::Start(pair) => {
                self.gap(k, &self.scene.pairs().get(pair));
                k.time = self.time;
            }
            Origin::PairMotion(pair) => self.motion_of_pair(k, &self.scene.pairs().get(pair)),
            Origin::PairForce(pair) => {
                self.moved(k, &self.scene.pairs().get(pair));
                self.law(k, &self.scene.pairs().get(pair));
                self.deflections_where(k, |known| known == pair);
            }
            Origin::Gaps => pairs.for_each(|pair| self.gap(k, &pair)),
            Origin::Distance(named) => {
                let shapes = self.scene.named_pairs()[named].parts.iter().flatten();
                for parts in shapes {
                    self.pose(k, self.scene.shapes()[parts.start].body);
                }
            }
        }
    }

    fn states(&self, knowns: &mut Knowns, states: Range<usize>) {
        let elements = states.map(|i| self.first_state + i as u32);
        elements.for_each(|element| knowns.states.insert(element));
    }

    fn states_of(&self, knowns: &mut Knowns, body: usize, which: fn(usize) -> Range<usize>) {
        if let Some(offset) = self.scene.layout().body(body) {
            self.states(knowns, which(offset));
        }
    }

    /// The given parameters, as far as the scene has them.
    fn parameters(&self, knowns: &mut Knowns, list: impl IntoIterator<Item = Parameter>) {
        let indices = list
            .into_iter()
            .filter_map(|parameter| self.scene.parameter_index(parameter));
        let elements = indices.map(|i| self.first_parameter + i as u32);
        elements.for_each(|element| knowns.parameters.insert(element));
    }

    /// Position and orientation of a body, states or parameters.
    fn pose(&self, knowns: &mut Knowns, body: usize) {
        self.states_of(knowns, body, StateLayout::position);
        self.states_of(knowns, body, StateLayout::orientation);
        if !self.scene.bodies()[body].is_free() {
            self.parameters(knowns, (0..3).map(|i| Parameter::FixedPosition(body, i)));
            self.parameters(knowns, (0..4).map(|i| Parameter::FixedOrientation(body, i)));
        }
    }

    /// Velocity and angular velocity of a body.
    fn motion(&self, knowns: &mut Knowns, body: usize) {
        self.states_of(knowns, body, StateLayout::velocity);
        self.states_of(knowns, body, StateLayout::angular_velocity);
    }

    fn mass(&self, knowns: &mut Knowns, body: usize) {
        self.parameters(knowns, [Parameter::Mass(body)]);
        self.parameters(knowns, (0..3).map(|i| Parameter::CenterOfMass(body, i)));
    }

    fn inertia(&self, knowns: &mut Knowns, body: usize) {
        self.parameters(knowns, (0..6).map(|i| Parameter::Inertia(body, i)));
    }

    fn gravity(&self, knowns: &mut Knowns) {
        self.parameters(knowns, [Parameter::GravitationalParameter]);
        self.parameters(knowns, (0..3).map(Parameter::Gravity));
        self.parameters(knowns, (0..3).map(Parameter::GravityCenter));
    }

    /// What the prescribed forces on a body depend on beside its pose.
    fn applied(&self, knowns: &mut Knowns, body: usize) {
        let forces = self.scene.forces().iter().enumerate();
        for (f, force) in forces.filter(|(_, force)| force.body == body) {
            self.parameters(knowns, (0..3).map(|i| Parameter::Force(f, i)));
            self.parameters(knowns, (0..3).map(|i| Parameter::Torque(f, i)));
            let of_sine = [Parameter::ForceFrequency(f), Parameter::ForcePhase(f)];
            self.parameters(knowns, of_sine);
            if force.depends_on_time() {
                knowns.time = self.time;
            }
        }
    }

    fn bodies_of(&self, pair: &Pair) -> [usize; 2] {
        pair.shapes.map(|shape| self.scene.shapes()[shape].body)
    }

    fn gap(&self, knowns: &mut Knowns, pair: &Pair) {
        for body in self.bodies_of(pair) {
            self.pose(knowns, body);
        }
    }

    /// What the elastic force of a pair depends on beside the gap.
    fn stiffness(&self, knowns: &mut Knowns, pair: &Pair) {
        let law = self.scene.law_of(pair);
        let used = [
            Number::Stiffness,
            Number::Exponent,
            Number::Area,
            Number::TangentialStiffness,
        ];
        let used = used
            .into_iter()
            .chain([Number::LayerDepth1, Number::LayerDepth2]);
        self.parameters(knowns, used.map(|number| Parameter::Law(law, number)));
        for shape in pair.shapes {
            let material = self.scene.shapes()[shape].material;
            let list = [
                Parameter::YoungsModulus(material),
                Parameter::PoissonsRatio(material),
                Parameter::KRed,
            ];
            self.parameters(knowns, list);
        }
    }

    /// What the elastic energy of a pair depends on beside its law and deflection.
    fn stored(&self, knowns: &mut Knowns, pair: &Pair) {
        self.gap(knowns, pair);
        self.tangential(knowns, pair);
    }

    /// What the force of a pair depends on beside its law and deflection.
    fn moved(&self, knowns: &mut Knowns, pair: &Pair) {
        self.motion_of_pair(knowns, pair);
        self.tangential(knowns, pair);
    }

    fn motion_of_pair(&self, knowns: &mut Knowns, pair: &Pair) {
        self.gap(knowns, pair);
        for body in self.bodies_of(pair) {
            self.motion(knowns, body);
        }
    }

    /// What the force of a pair depends on beside its motion.
    fn law(&self, knowns: &mut Knowns, pair: &Pair) {
        // A function of the user is told the time.
        if self.scene.calls_user_functions() {
            knowns.time = self.time;
        }
        self.stiffness(knowns, pair);
        let law = self.scene.law_of(pair);
        let numbers = self.scene.laws()[law].choice.used();
        self.parameters(knowns, numbers.map(|number| Parameter::Law(law, number)));
        self.parameters(knowns, [Parameter::DMax]);
    }

    /// What the tangential stiffness of a pair may follow from, beside the normal stiffness.
    fn tangential(&self, knowns: &mut Knowns, pair: &Pair) {
        let law = self.scene.law_of(pair);
        if self.scene.laws()[law].choice.kinds.has_deflection() {
            let masses = self.bodies_of(pair).map(Parameter::Mass);
            self.parameters(knowns, masses);
        }
    }

    fn wrench(&self, knowns: &mut Knowns, body: usize) {
        let pairs = self.scene.pairs().of_parts_with(body);
        self.each_pair(knowns, pairs, Self::moved, Self::law);
        self.deflections_where(knowns, |pair| {
            let bodies = self.bodies_of(&self.scene.pairs().get(pair));
            bodies.contains(&body)
        });
    }

    /// Deflections of the pairs that are wanted, by their numbers.
    fn deflections_where(&self, knowns: &mut Knowns, wanted: impl Fn(usize) -> bool) {
        let layout = self.scene.layout();
        match layout.deflections() {
            Deflections::None => {}
            Deflections::OfPairs(pairs) => {
                for (index, pair) in pairs.iter().enumerate() {
                    if wanted(*pair as usize) {
                        self.states(knowns, layout.deflection(index));
                    }
                }
            }
            Deflections::OfSlots(_) => self.states(knowns, layout.contacts()),
        }
    }

    /// Adds what depends on the bodies of each pair, and what depends on its law, which mostly is
    /// that of the pair before.
    fn each_pair(
        &self,
        knowns: &mut Knowns,
        pairs: impl Iterator<Item = Pair>,
        of_bodies: fn(&Self, &mut Knowns, &Pair),
        of_laws: fn(&Self, &mut Knowns, &Pair),
    ) {
        let mut last = None;
        for pair in pairs {
            of_bodies(self, knowns, &pair);
            let law = self.scene.law_of(&pair);
            if last.replace(law) != Some(law) {
                of_laws(self, knowns, &pair);
            }
        }
    }
}

#[cfg(test)]
mod tests;
