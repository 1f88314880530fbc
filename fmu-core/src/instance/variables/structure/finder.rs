//! Which knowns enter a quantity.

/// Of what joints do.
mod joints;

use super::elements::ElementSet;
use super::trees::Trees;
use super::{MOST_LISTED, variables};
use crate::index::{
    BodyId, DeflectionId, InputId, JointId, MeasurementId, NamedPairId, PairId, ParameterId,
    StopId, each,
};
use crate::instance::modes::Standard;
use crate::instance::variables::describe::{StateMeaning, state_meanings};
use crate::instance::variables::joints::JointState;
use crate::instance::variables::reports::Item;
use crate::instance::variables::{Quantity, VariableTable};
use crate::response::Number;
use crate::scene::description::{Gravity, Motion};
use crate::scene::layout::Deflections;
use crate::scene::outputs::{Output, Owner, Reads};
use crate::scene::{Indicator, JointItem, Pair, Parameter, Scene, StateLayout};
use std::ops::Range;

/// What a quantity is computed from; quantities of one origin have the same dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Nothing,
    State(usize),
    /// Orientation and angular velocity of a body.
    Rotation(BodyId),
    /// All forces on a body.
    Motion(BodyId),
    /// All forces in a tree.
    Tree(usize),
    /// Orientation and angular velocity of a joint.
    Turn(JointId),
    /// Where a body is.
    Pose(BodyId),
    /// Where it is and how it moves.
    Twist(BodyId),
    /// Where both frames of a measurement are.
    Frames(MeasurementId),
    /// Where they are and how they move.
    FrameTwists(MeasurementId),
    /// Forces along the coordinates of a joint, and the rates of these.
    JointForces(JointId),
    /// Distance of a coordinate from an end stop.
    Stop(StopId),
    /// Contact forces on a body.
    Wrench(BodyId),
    Kinetic,
    Potential,
    Elastic,
    Dissipated,
    /// Rate of a deflection.
    Deflection(DeflectionId),
    /// Gap of a pair.
    Gap(PairId),
    /// Gap of a pair, and the time.
    Start(PairId),
    /// Motion of a pair.
    PairMotion(PairId),
    /// Force of a pair.
    PairForce(PairId),
    /// Gaps of all pairs.
    Gaps,
    /// Distance of a named pair.
    Distance(NamedPairId),
}

/// Elements of time, states, parameters and inputs that a quantity depends on.
#[derive(Default)]
pub(super) struct Knowns {
    /// The independent variable.
    time: Option<u32>,
    states: ElementSet,
    parameters: ElementSet,
    inputs: ElementSet,
}

pub(super) struct Finder<'a> {
    scene: &'a Scene,
    meanings: Vec<StateMeaning>,
    /// Element of the time, which FMI 2.0 has not.
    time: Option<u32>,
    first_state: u32,
    first_parameter: u32,
    /// True if parameters are known once initialisation has ended.
    parameters_stay_known: bool,
    first_input: u32,
    trees: Trees,
}

impl<'a> Finder<'a> {
    pub(super) fn new(scene: &'a Scene, table: &VariableTable) -> Self {
        Finder {
            scene,
            parameters_stay_known: table.standard() == Standard::Fmi3,
            meanings: state_meanings(scene),
            time: table.element(Quantity::Time),
            first_state: table.element(Quantity::State(0)).unwrap_or(0),
            first_parameter: table
                .element(Quantity::Parameter(ParameterId::FIRST))
                .unwrap_or(0),
            first_input: table.element(Quantity::Input(InputId::FIRST)).unwrap_or(0),
            trees: Trees::new(scene),
        }
    }

    /// True if parameters are known at the start or afterwards.
    fn knows_parameters(&self, at_start: bool) -> bool {
        at_start || self.parameters_stay_known
    }

    /// Time, states, inputs, and parameters that are known then, ascending as in the document.
    pub(super) fn list<'k>(
        &'k self,
        knowns: &'k Knowns,
        at_start: bool,
    ) -> impl Iterator<Item = u32> + 'k {
        let parameters = knowns.parameters.iter();
        let time = knowns.time.into_iter();
        time.chain(knowns.states.iter())
            .chain(parameters.filter(move |_| self.knows_parameters(at_start)))
            .chain(knowns.inputs.iter())
    }

    /// The variables of knowns, unless they are nearly all.
    pub(super) fn listed(
        &self,
        table: &VariableTable,
        knowns: &Knowns,
        at_start: bool,
    ) -> Option<Vec<u32>> {
        let varying = knowns.states.len() + knowns.inputs.len();
        let all_varying = self.scene.layout().count() + self.scene.inputs().len();
        let (mut count, mut all) = (varying, all_varying);
        if self.knows_parameters(at_start) {
            count += knowns.parameters.len();
            all += self.scene.parameters().len();
        }
        let too_long = count > MOST_LISTED && (2 * varying > all_varying || 2 * count > all);
        (!too_long).then(|| variables(table, self.list(knowns, at_start)))
    }

    pub(super) fn origin(&self, quantity: Quantity) -> Origin {
        match quantity {
            Quantity::Time | Quantity::Parameter(_) | Quantity::Input(_) => Origin::Nothing,
            Quantity::State(i) => Origin::State(i),
            Quantity::Derivative(i) => match self.meanings[i] {
                StateMeaning::Position(b, i) => match self.scene.layout().body(b) {
                    Some(offset) => Origin::State(StateLayout::velocity(offset).start + i),
                    None => Origin::Nothing,
                },
                StateMeaning::Orientation(b, _) => Origin::Rotation(b),
                StateMeaning::Velocity(b, _) | StateMeaning::AngularVelocity(b, _) => {
                    self.of_acceleration(b)
                }
                StateMeaning::Joint(joint, state, is_rate) => {
                    self.of_joint(i, joint, state, is_rate)
                }
                StateMeaning::Deflection(index, _) => Origin::Deflection(index),
                StateMeaning::Work => Origin::Dissipated,
            },
            Quantity::ContactForce(b, _) | Quantity::ContactTorque(b, _) => Origin::Wrench(b),
            Quantity::ContactCount | Quantity::ClosestDistance(_) => Origin::Gaps,
            Quantity::PairDistance(i) => Origin::Distance(i),
            Quantity::Report(i, item) => self.of_report(self.scene.reported()[i].pair, item),
            Quantity::KineticEnergy => Origin::Kinetic,
            Quantity::PotentialEnergy => Origin::Potential,
            Quantity::ElasticEnergy => Origin::Elastic,
            Quantity::Output(i) => self.of_output(self.scene.outputs()[i]),
            Quantity::Indicator(i) => match self.scene.indicator(i) {
                Indicator::Stop(stop) => Origin::Stop(stop),
                Indicator::Slot(slot) => match self.scene.own_pair(slot) {
                    Some(pair) => Origin::Gap(pair),
                    None => Origin::Gaps,
                },
            },
        }
    }

    /// Derivative of the state with this index, of a joint.
    fn of_joint(&self, index: usize, joint: JointId, state: JointState, is_rate: bool) -> Origin {
        if is_rate {
            return self.of_acceleration(self.scene.joints()[joint].child);
        }
        let layout = self.scene.layout();
        let place = index - layout.joint_positions(joint).start;
        match state {
            JointState::Orientation(_) => Origin::Turn(joint),
            _ => Origin::State(layout.joint_rates(joint).start + place),
        }
    }

    /// Acceleration of a body: of its tree, where it is in one.
    fn of_acceleration(&self, body: BodyId) -> Origin {
        match self.trees.of_body(body) {
            Some(tree) => Origin::Tree(tree),
            None => Origin::Motion(body),
        }
    }

    fn of_output(&self, output: Output) -> Origin {
        match (output.item.row().reads, output.owner) {
            (Reads::Poses, Owner::Body(b)) => Origin::Pose(b),
            (Reads::Twists, Owner::Body(b)) => Origin::Twist(b),
            (Reads::Accelerations | Reads::JointForces, Owner::Body(b)) => self.of_acceleration(b),
            (Reads::JointForces, Owner::Joint(j)) => Origin::JointForces(j),
            (_, Owner::Joint(j)) => self.of_acceleration(self.scene.joints()[j].child),
            (Reads::Poses, Owner::Measurement(m)) => Origin::Frames(m),
            (_, Owner::Measurement(m)) => Origin::FrameTwists(m),
        }
    }

    /// What has happened to a pair depends, at an event, on what makes the event. The sums of a
    /// communication step are of the past.
    fn of_report(&self, pair: PairId, item: Item) -> Origin {
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

    pub(super) fn add(&self, origin: Origin, knowns: &mut Knowns) {
        let k = knowns;
        // What a pair depends on is the same for all convex parts of its shapes.
        let pairs = self.scene.pairs().of_parts();
        match origin {
            Origin::Nothing => {}
            Origin::State(i) => self.states(k, i..i + 1),
            Origin::Rotation(body) => {
                self.states_of(k, body, StateLayout::orientation);
                self.states_of(k, body, StateLayout::angular_velocity);
            }
            Origin::Motion(body) => self.acceleration(k, body),
            Origin::Tree(tree) => self.tree(k, tree),
            Origin::Turn(joint) => self.turn(k, joint),
            Origin::Pose(body) => self.pose(k, body),
            Origin::Twist(body) => {
                self.pose(k, body);
                self.motion(k, body);
            }
            Origin::Frames(measurement) | Origin::FrameTwists(measurement) => {
                let frames = &self.scene.measurements()[measurement].frames;
                for body in frames.iter().filter_map(|(body, _)| *body) {
                    self.pose(k, body);
                    if origin == Origin::FrameTwists(measurement) {
                        self.motion(k, body);
                    }
                }
            }
            Origin::JointForces(joint) => self.joint_forces(k, joint),
            Origin::Stop(index) => self.stop(k, self.scene.stops()[index]),
            Origin::Wrench(body) => self.wrench(k, body),
            Origin::Kinetic => self.kinetic_energy(k),
            Origin::Potential => self.potential_energy(k),
            Origin::Elastic => self.elastic_energy(k, pairs),
            Origin::Dissipated => {
                self.each_pair(k, pairs, Self::moved, Self::law);
                self.states(k, self.scene.layout().contacts());
                self.friction(k);
                self.stopped(k);
            }
            Origin::Deflection(index) => self.deflection(k, index, pairs),
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

    /// What the acceleration of a free body depends on.
    fn acceleration(&self, k: &mut Knowns, body: BodyId) {
        self.pose(k, body);
        self.motion(k, body);
        self.mass(k, body);
        self.inertia(k, body);
        self.gravity(k);
        self.wrench(k, body);
        self.applied(k, body);
    }

    /// Quaternion and angular velocity of a joint.
    fn turn(&self, k: &mut Knowns, joint: JointId) {
        let joint_states = self.scene.layout().joint_positions(joint);
        let first = self.scene.joints()[joint].kind.quaternion().unwrap_or(0);
        self.states(k, joint_states.start + first..joint_states.end);
        let rates = self.scene.layout().joint_rates(joint);
        self.states(k, rates.end.saturating_sub(3)..rates.end);
    }

    fn dynamic_bodies(&self) -> impl Iterator<Item = BodyId> {
        let bodies = self.scene.bodies().iter_enumerated();
        let dynamic = bodies.filter(|(_, body)| body.is_dynamic());
        dynamic.map(|(index, _)| index)
    }

    fn kinetic_energy(&self, k: &mut Knowns) {
        for body in self.dynamic_bodies() {
            self.states_of(k, body, StateLayout::orientation);
            self.motion(k, body);
            self.mass(k, body);
            self.inertia(k, body);
        }
    }

    /// In the gravity field and of the springs.
    fn potential_energy(&self, k: &mut Knowns) {
        self.gravity(k);
        if !matches!(self.scene.gravity(), Gravity::None) {
            for body in self.dynamic_bodies() {
                self.pose(k, body);
                self.mass(k, body);
            }
        }
        self.springs(k);
    }

    /// Of the contacts of `pairs` and of the stops.
    fn elastic_energy(&self, k: &mut Knowns, pairs: impl Iterator<Item = Pair>) {
        self.each_pair(k, pairs, Self::stored, Self::stiffness);
        self.states(k, self.scene.layout().contacts());
        for stop in self.scene.stops() {
            self.stop(k, *stop);
            self.number(k, stop, JointItem::StopStiffness);
        }
    }

    /// What the rate of a deflection depends on: its pair, or any of `pairs` if it belongs to a
    /// slot.
    fn deflection(&self, k: &mut Knowns, index: DeflectionId, pairs: impl Iterator<Item = Pair>) {
        let layout = self.scene.layout();
        match layout.deflections() {
            Deflections::OfContacts(contacts) => {
                let pair = self.scene.pairs().get(contacts[index].pair);
                let pair = std::iter::once(pair);
                self.each_pair(k, pair, Self::moved, Self::law);
            }
            _ => self.each_pair(k, pairs, Self::moved, Self::law),
        }
        self.states(k, layout.deflection(index));
    }

    fn states(&self, knowns: &mut Knowns, states: Range<usize>) {
        let elements = states.map(|i| self.first_state + i as u32);
        elements.for_each(|element| knowns.states.insert(element));
    }

    fn states_of(&self, knowns: &mut Knowns, body: BodyId, which: fn(usize) -> Range<usize>) {
        if let Some(offset) = self.scene.layout().body(body) {
            self.states(knowns, which(offset));
        }
    }

    /// The given parameters, as far as the scene has them.
    fn parameters(&self, knowns: &mut Knowns, list: impl IntoIterator<Item = Parameter>) {
        let indices = list
            .into_iter()
            .filter_map(|parameter| self.scene.parameter_index(parameter));
        let elements = indices.map(|i| self.first_parameter + u32::from(i));
        elements.for_each(|element| knowns.parameters.insert(element));
    }

    /// Inputs by their range in the scene's list.
    fn inputs(&self, knowns: &mut Knowns, inputs: Range<InputId>) {
        let elements = each(inputs).map(|i| self.first_input + u32::from(i));
        elements.for_each(|element| knowns.inputs.insert(element));
    }

    /// What the motion of a prescribed body depends on.
    fn profile(&self, knowns: &mut Knowns, body: BodyId) {
        let motions = self.scene.motions().iter_enumerated();
        for (m, motion) in motions.filter(|(_, motion)| motion.body == body) {
            if motion.depends_on_time() {
                knowns.time = self.time;
            }
            let numbers = motion.numbers().into_iter();
            self.parameters(
                knowns,
                numbers.map(|(item, i, _)| Parameter::Motion(m, item, i)),
            );
        }
    }

    /// Position and orientation of a body.
    fn pose(&self, knowns: &mut Knowns, body: BodyId) {
        match self.scene.bodies()[body].motion {
            Motion::Free => {
                self.states_of(knowns, body, StateLayout::position);
                self.states_of(knowns, body, StateLayout::orientation);
            }
            Motion::Fixed => {
                self.parameters(knowns, (0..3).map(|i| Parameter::FixedPosition(body, i)));
                self.parameters(knowns, (0..4).map(|i| Parameter::FixedOrientation(body, i)));
            }
            Motion::Driven => self.inputs(knowns, self.trees.inputs_of_body(body)),
            Motion::Prescribed => self.profile(knowns, body),
            Motion::Joint => {
                for joint in self.trees.above(self.scene, body) {
                    self.states(knowns, self.scene.layout().joint_positions(joint));
                }
                if let Some(root) = self.trees.root(self.scene, body) {
                    self.pose(knowns, root);
                }
            }
        }
    }

    /// Velocity and angular velocity of a body beside its pose; of a body in a tree with the poses
    /// that turn rates of joints into velocities.
    fn motion(&self, knowns: &mut Knowns, body: BodyId) {
        match self.scene.bodies()[body].motion {
            Motion::Free => {
                self.states_of(knowns, body, StateLayout::velocity);
                self.states_of(knowns, body, StateLayout::angular_velocity);
            }
            Motion::Fixed => {}
            Motion::Driven => self.inputs(knowns, self.trees.inputs_of_body(body)),
            Motion::Prescribed => self.profile(knowns, body),
            Motion::Joint => {
                self.pose(knowns, body);
                for joint in self.trees.above(self.scene, body) {
                    self.states(knowns, self.scene.layout().joint_rates(joint));
                }
                if let Some(root) = self.trees.root(self.scene, body) {
                    self.motion(knowns, root);
                }
            }
        }
    }

    fn mass(&self, knowns: &mut Knowns, body: BodyId) {
        self.parameters(knowns, [Parameter::Mass(body)]);
        self.parameters(knowns, (0..3).map(|i| Parameter::CenterOfMass(body, i)));
    }

    fn inertia(&self, knowns: &mut Knowns, body: BodyId) {
        self.parameters(knowns, (0..6).map(|i| Parameter::Inertia(body, i)));
    }

    fn gravity(&self, knowns: &mut Knowns) {
        self.parameters(knowns, [Parameter::GravitationalParameter]);
        self.parameters(knowns, (0..3).map(Parameter::Gravity));
        self.parameters(knowns, (0..3).map(Parameter::GravityCenter));
    }

    /// What forces on a body that are prescribed or inputs depend on beside its pose.
    fn applied(&self, knowns: &mut Knowns, body: BodyId) {
        let forces = self.scene.forces().iter_enumerated();
        for (f, force) in forces.filter(|(_, force)| force.body == body) {
            self.parameters(knowns, (0..3).map(|i| Parameter::Force(f, i)));
            self.parameters(knowns, (0..3).map(|i| Parameter::Torque(f, i)));
            let of_sine = [Parameter::ForceFrequency(f), Parameter::ForcePhase(f)];
            self.parameters(knowns, of_sine);
            self.inputs(knowns, self.trees.inputs_of_force(f));
            if force.depends_on_time() {
                knowns.time = self.time;
            }
        }
    }

    fn bodies_of(&self, pair: &Pair) -> [BodyId; 2] {
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
        self.effective_mass(knowns, pair);
    }

    /// What the mass depends on that a contact freezes when it starts, at initialisation too.
    fn effective_mass(&self, knowns: &mut Knowns, pair: &Pair) {
        let law = self.scene.law_of(pair);
        if !self.scene.laws()[law].choice.kinds.is_inferred() {
            return;
        }
        for body in self.bodies_of(pair) {
            let own = [body];
            let tree = self.trees.of_body(body);
            for body in tree.map_or(&own[..], |tree| self.trees.bodies(tree)) {
                self.pose(knowns, *body);
                self.mass(knowns, *body);
                self.inertia(knowns, *body);
            }
        }
    }

    fn motion_of_pair(&self, knowns: &mut Knowns, pair: &Pair) {
        self.gap(knowns, pair);
        for body in self.bodies_of(pair) {
            self.motion(knowns, body);
        }
    }

    /// What the force of a pair depends on beside its motion.
    fn law(&self, knowns: &mut Knowns, pair: &Pair) {
        // A user-defined function gets the time.
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

    fn wrench(&self, knowns: &mut Knowns, body: BodyId) {
        let pairs = self.scene.pairs().of_parts_with(body);
        self.each_pair(knowns, pairs, Self::moved, Self::law);
        self.deflections_where(knowns, |pair| {
            let bodies = self.bodies_of(&self.scene.pairs().get(pair));
            bodies.contains(&body)
        });
    }

    /// Deflections of the pairs that are wanted, by their numbers.
    fn deflections_where(&self, knowns: &mut Knowns, wanted: impl Fn(PairId) -> bool) {
        let layout = self.scene.layout();
        match layout.deflections() {
            Deflections::None => {}
            Deflections::OfContacts(contacts) => {
                for (index, contact) in contacts.iter_enumerated() {
                    if wanted(contact.pair) {
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
