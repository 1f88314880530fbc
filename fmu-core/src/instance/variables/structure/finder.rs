//! What enters a quantity: what it reads of elements of the scene, and which knowns of these feed that.

use super::sources::{ElementSet, Source, Sources, Trees};
use crate::instance::modes::Standard;
use crate::instance::variables::VariableTable;
use crate::instance::variables::quantity::{FORCE, Family, Of, Origin, Quantity, Subject, TWIST};
use contact_laws::index::{BodyId, JointId, PairId, SumId};
use contact_laws::quantity::Feeds;
use contact_model::scene::description::{Gravity, Motion};
use contact_model::scene::layout::Deflections;
use contact_model::scene::{Input, LatchTrigger, Pair, Scene, StateLayout};
use std::ops::Range;

/// What the mass reads that a contact or stop freezes when it starts.
const FROZEN_MASS: Feeds = Feeds::POSE.and(Feeds::MASSES);

/// A list of more elements than this which has more than half of all knowns, or of all states and
/// inputs, is left out: a thousand bodies that can all touch each other would fill gigabytes with it. What
/// is left out says by the standard that all knowns may enter. Deflections of slots, each of which may be
/// that of any pair, do not count among all.
pub(crate) const MOST_LISTED: usize = 512;

/// What a latch holds.
#[derive(Clone, Copy)]
struct Latched {
    tree: Option<usize>,
    /// Element of its input.
    command: Option<u32>,
}

/// Elements of time, states, parameters and inputs that a quantity depends on.
#[derive(Clone, Default)]
pub(super) struct Knowns {
    /// The independent variable.
    time: Option<u32>,
    states: ElementSet,
    parameters: ElementSet,
    inputs: ElementSet,
}

pub(super) struct Finder<'a> {
    scene: &'a Scene,
    /// Element of the time, which FMI 2.0 has not.
    time: Option<u32>,
    first_state: u32,
    /// True if parameters are known once initialisation has ended.
    parameters_stay_known: bool,
    sources: Sources,
    trees: Trees,
    /// By latch.
    latches: Vec<Latched>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(scene: &'a Scene, table: &VariableTable) -> Self {
        let trees = Trees::new(scene);
        let latches = scene.latches().iter_enumerated().map(|(index, latch)| {
            let mut inputs = scene.inputs().iter_enumerated();
            let own = inputs.find(|(_, input)| **input == Input::Latch(index));
            let command = own.and_then(|(input, _)| table.element(Family::Input.of(input.into())));
            Latched {
                tree: trees.of_body(scene.joints()[latch.joint].child),
                command,
            }
        });
        Finder {
            scene,
            parameters_stay_known: table.standard() == Standard::Fmi3,
            time: table.element(Family::Time.of(0)),
            first_state: table.element(Family::State.of(0)).unwrap_or(0),
            sources: Sources::new(scene, table),
            latches: latches.collect(),
            trees,
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
        let layout = self.scene.layout();
        let slots = match layout.deflections() {
            Deflections::OfSlots(_) => layout.contacts().len(),
            _ => 0,
        };
        let all_varying = layout.count() - slots + self.scene.inputs().len();
        let (mut count, mut all) = (varying, all_varying);
        if self.knows_parameters(at_start) {
            count += knowns.parameters.len();
            all += self.scene.parameters().len();
        }
        let too_long = count > MOST_LISTED && (2 * varying > all_varying || 2 * count > all);
        (!too_long).then(|| variables(table, self.list(knowns, at_start)))
    }

    /// What a quantity is computed from. The accelerations of a tree are from the same.
    pub(super) fn origin(&self, quantity: Quantity) -> Origin {
        let origin = (quantity.row().origin)(self.scene, quantity);
        match origin.of {
            Of::Tree(body) => Of::Tree(self.accelerated_with(&[body])[0]).reads(origin.reads),
            _ => origin,
        }
    }

    pub(super) fn add(&self, origin: Origin, k: &mut Knowns) {
        let (scene, reads) = (self.scene, origin.reads);
        // What a pair depends on is the same for all convex parts of its shapes.
        let pairs = scene.pairs().of_parts();
        match origin.of {
            Of::Nothing => {}
            Of::State(i) => self.states(k, i..i + 1),
            Of::Body(body) => self.body(k, body, reads),
            Of::Tree(body) => self.accelerated(k, body, reads),
            Of::Joint(joint) => self.joint(k, joint, reads),
            Of::Stop(stop) => {
                let stop = &scene.stops()[stop];
                let sources = self.sources.of(Subject::Joint(stop.joint)).iter();
                let own = sources.filter(|source| source.coordinate == stop.coordinate);
                take(k, own, reads);
            }
            Of::LatchTrigger(latch) => {
                let latch = &scene.latches()[latch];
                let sources = self.sources.of(Subject::Joint(latch.joint)).iter();
                let own = sources.filter(|source| match latch.trigger {
                    Some(LatchTrigger::Coordinate { coordinate, .. }) => {
                        source.coordinate == coordinate
                    }
                    _ => true,
                });
                take(k, own, reads);
            }
            Of::Latch(latch) => self.latch(k, self.latches[usize::from(latch)], reads),
            Of::Measurement(measurement) => {
                let frames = &scene.measurements()[measurement].frames;
                let bodies = frames.iter().filter_map(|(body, _)| *body);
                bodies.for_each(|body| self.body(k, body, reads));
            }
            Of::Wrench(body) => self.wrench(k, body, reads),
            Of::Bodies => self.bodies(k, reads),
            Of::Fields => {
                self.element(k, Subject::Scene, Feeds::GRAVITY);
                if !matches!(scene.gravity(), Gravity::None) {
                    self.bodies(k, reads);
                }
                self.coordinates(k, Feeds::SPRING, Feeds::POSITION);
            }
            Of::Contacts => {
                self.pairs(k, pairs, reads);
                self.states(k, scene.layout().contacts());
                self.coordinates(k, Feeds::STOPS, reads);
                if reads.meets(Feeds::LAW) {
                    self.coordinates(k, Feeds::FRICTION, Feeds::MOTION);
                }
            }
            Of::Pair(pair) => {
                self.pairs(k, [scene.pairs().get(pair)], reads);
                if reads.meets(Feeds::CONTACT) {
                    self.deflections_where(k, |known| known == pair);
                }
            }
            Of::PairAtEvent(pair) => {
                self.pairs(k, [scene.pairs().get(pair)], reads);
                k.time = self.time;
            }
            Of::Pairs => {
                self.pairs(k, pairs, reads);
                if reads.meets(Feeds::CONTACT) {
                    self.states(k, scene.layout().contacts());
                }
            }
            Of::ContactSum(sum) => self.contact_sum(k, sum, reads),
            Of::ContactSumAtEvent(sum) => {
                self.contact_sum(k, sum, reads);
                k.time = self.time;
            }
            Of::NamedPair(named) => {
                let shapes = scene.named_pairs()[named].parts.iter().flatten();
                shapes.for_each(|parts| self.body(k, scene.shapes()[parts.start].body, reads));
            }
        }
    }

    /// Adds what enters before initialisation ends alone: where a velocity of a tree with a latch is read,
    /// all of the tree, since a latch may close or open at the start.
    pub(super) fn add_start(&self, knowns: &mut Knowns) {
        let layout = self.scene.layout();
        for latch in &self.latches {
            let Some(tree) = latch.tree else { continue };
            let of_joints = self.trees.joints(tree).iter();
            let bodies = self.trees.bodies(tree).iter();
            let of_root = bodies
                .filter_map(|body| layout.body(*body))
                .flat_map(|root| {
                    StateLayout::velocity(root).chain(StateLayout::angular_velocity(root))
                });
            let rates = of_joints.flat_map(|joint| layout.joint_rates(*joint));
            let is_known = |rate| knowns.states.contains(self.first_state + rate as u32);
            if rates.chain(of_root).any(is_known) {
                self.latch(knowns, *latch, TWIST | Feeds::MASSES);
            }
        }
    }

    fn latch(&self, knowns: &mut Knowns, latch: Latched, reads: Feeds) {
        let tree = latch.tree.into_iter();
        tree.flat_map(|tree| self.trees.bodies(tree))
            .for_each(|body| self.body(knowns, *body, reads));
        latch
            .command
            .iter()
            .for_each(|input| knowns.inputs.insert(*input));
        knowns.time = self.time;
    }

    fn element(&self, knowns: &mut Knowns, element: Subject, reads: Feeds) {
        take(knowns, self.sources.of(element), reads);
    }

    fn states(&self, knowns: &mut Knowns, states: Range<usize>) {
        let elements = states.map(|i| self.first_state + i as u32);
        elements.for_each(|element| knowns.states.insert(element));
    }

    /// A body in a tree moves as the joints above it and the tree's root do; poses turn rates of
    /// joints into velocities.
    fn body(&self, knowns: &mut Knowns, body: BodyId, reads: Feeds) {
        self.element(knowns, Subject::Body(body), reads);
        if self.scene.bodies()[body].motion != Motion::Joint || !reads.meets(TWIST) {
            return;
        }
        let moves = match reads.meets(Feeds::MOTION) {
            true => TWIST,
            false => Feeds::POSE,
        };
        for joint in self.trees.above(self.scene, body) {
            self.element(knowns, Subject::Joint(joint), moves);
        }
        if let Some(root) = self.trees.root(self.scene, body) {
            self.body(knowns, root, moves);
        }
    }

    /// All bodies that forces accelerate.
    fn bodies(&self, knowns: &mut Knowns, reads: Feeds) {
        let bodies = self.scene.bodies().iter_enumerated();
        for (body, _) in bodies.filter(|(_, body)| body.is_dynamic()) {
            self.body(knowns, body, reads);
        }
    }

    /// The bodies of the tree of the only body in `own`; it alone where it is in none.
    fn accelerated_with<'b>(&'b self, own: &'b [BodyId; 1]) -> &'b [BodyId] {
        let tree = self.trees.of_body(own[0]);
        tree.map_or(own, |tree| self.trees.bodies(tree))
    }

    fn accelerated(&self, knowns: &mut Knowns, body: BodyId, reads: Feeds) {
        self.element(knowns, Subject::Scene, Feeds::GRAVITY);
        for body in self.accelerated_with(&[body]) {
            self.body(knowns, *body, reads);
            self.wrench(knowns, *body, FORCE);
        }
        let tree = self.trees.of_body(body).into_iter();
        for joint in tree.flat_map(|tree| self.trees.joints(tree)) {
            self.element(knowns, Subject::Joint(*joint), Feeds::JOINT_FORCE);
        }
    }

    /// The mass that a contact with a body or a stop freezes when it starts, at initialisation too.
    fn frozen_mass(&self, knowns: &mut Knowns, body: BodyId) {
        for body in self.accelerated_with(&[body]) {
            self.body(knowns, *body, FROZEN_MASS);
        }
    }

    fn joint(&self, knowns: &mut Knowns, joint: JointId, reads: Feeds) {
        let sources = self.sources.of(Subject::Joint(joint));
        take(knowns, sources, reads);
        let has_stops = sources.iter().any(|known| known.feeds.meets(Feeds::STOPS));
        if has_stops && reads.meets(Feeds::LAW) {
            self.frozen_mass(knowns, self.scene.joints()[joint].child);
        }
    }

    /// The coordinates of all joints that have numbers which feed `acts`: these, and what `reads`
    /// asks for of the same coordinate.
    fn coordinates(&self, knowns: &mut Knowns, acts: Feeds, reads: Feeds) {
        for (index, joint) in self.scene.joints().iter_enumerated() {
            let sources = self.sources.of(Subject::Joint(index));
            let mut acting = sources
                .iter()
                .filter(|known| known.feeds.meets(acts))
                .peekable();
            if acts == Feeds::STOPS && reads.meets(Feeds::LAW) && acting.peek().is_some() {
                self.frozen_mass(knowns, joint.child);
            }
            for place in acting.map(|known| known.coordinate) {
                let own = sources.iter().filter(|known| known.coordinate == place);
                take(knowns, own, acts | reads);
            }
        }
    }

    fn bodies_of(&self, pair: &Pair) -> [BodyId; 2] {
        pair.shapes.map(|shape| self.scene.shapes()[shape].body)
    }

    /// Both bodies of each pair, and the numbers of its law, which mostly is that of the pair before.
    fn pairs(&self, knowns: &mut Knowns, pairs: impl IntoIterator<Item = Pair>, reads: Feeds) {
        let mut last = None;
        let mut last_bodies = None;
        for pair in pairs {
            let bodies = self.bodies_of(&pair);
            let before: Option<[BodyId; 2]> = last_bodies.replace(bodies);
            let is_new = |body: &BodyId| before.is_none_or(|before| !before.contains(body));
            for body in bodies.into_iter().filter(is_new) {
                self.body(knowns, body, reads.common(TWIST));
            }
            if !reads.meets(Feeds::CONTACT) {
                continue;
            }
            let law = self.scene.law_of(&pair);
            let kinds = &self.scene.laws()[law].choice.kinds;
            for body in bodies {
                // The tangential stiffness may follow from masses.
                if kinds.has_deflection() {
                    self.element(knowns, Subject::Body(body), Feeds::MASS);
                }
                if kinds.is_inferred() && reads.meets(Feeds::LAW) {
                    self.frozen_mass(knowns, body);
                }
            }
            let materials = pair.shapes.map(|shape| self.scene.shapes()[shape].material);
            if last.replace((law, materials)) != Some((law, materials)) {
                self.element(knowns, Subject::Law(law), reads);
                for material in materials {
                    self.element(knowns, Subject::Material(material), reads);
                }
                self.element(knowns, Subject::Scene, reads);
            }
        }
        // A user-defined function gets the time.
        if last.is_some() && reads.meets(Feeds::LAW) && self.scene.calls_user_functions() {
            knowns.time = self.time;
        }
    }

    fn contact_sum(&self, knowns: &mut Knowns, sum: SumId, reads: Feeds) {
        let named = &self.scene.named_pairs()[self.scene.sums()[sum].named];
        let firsts = named
            .parts
            .iter()
            .map(|parts| parts.clone().map(|part| part.start));
        let ids = firsts.filter_map(|[a, b]| self.scene.pairs().index_of(a, b));
        self.pairs(knowns, ids.map(|pair| self.scene.pairs().get(pair)), reads);
        if reads.meets(Feeds::CONTACT) {
            self.deflections_where(knowns, |pair| self.scene.is_in_sum(pair, sum));
        }
    }

    fn wrench(&self, knowns: &mut Knowns, body: BodyId, reads: Feeds) {
        self.pairs(knowns, self.scene.pairs().of_parts_with(body), reads);
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
            Deflections::OfPairs(pairs) => {
                for (index, pair) in pairs.iter_enumerated() {
                    if wanted(*pair) {
                        self.states(knowns, layout.deflection(index));
                    }
                }
            }
            Deflections::OfSlots(_) => self.states(knowns, layout.contacts()),
        }
    }
}

/// Adds the knowns of sources that feed what is read.
fn take<'s>(knowns: &mut Knowns, sources: impl IntoIterator<Item = &'s Source>, reads: Feeds) {
    for source in sources {
        if source.feeds.meets(reads) {
            let known = source.known.clone();
            match source.family {
                Family::Time => knowns.time = Some(known.start),
                Family::State => known.for_each(|element| knowns.states.insert(element)),
                Family::Parameter => known.for_each(|element| knowns.parameters.insert(element)),
                _ => known.for_each(|element| knowns.inputs.insert(element)),
            }
        }
    }
}

/// References of the variables that have these elements, given in ascending order.
fn variables(table: &VariableTable, elements: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut references: Vec<u32> = elements.map(|e| table.variable_of(e)).collect();
    references.dedup();
    references
}
