//! Quantities beside the state derivatives: forces on bodies, energies, distances, reports of contacts.

use crate::dynamics::distances::{self, NO_PAIR};
use crate::dynamics::frozen::Frozen;
use crate::dynamics::report::{self, ContactReport};
use crate::dynamics::watchers::Watchers;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, energy, observed, stops, tree};
use crate::geometry::Aabb;
use crate::index::{BodyId, NamedPairId, ReportId, TiSlice, TiVec, ti_vec};
use crate::math::{Real, Vec3};
use crate::scene::description::ForceAxes;
use crate::scene::{NamedPair, Output};

/// Quantities computed from a state beside its derivative.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    /// Contact force on each body, world axes; on a driven one in the axes that it states [N].
    pub contact_forces: TiVec<BodyId, [f64; 3]>,
    /// Contact torque on each body about its origin, in the same axes [N.m].
    pub contact_torques: TiVec<BodyId, [f64; 3]>,
    /// Number of pairs in contact.
    pub contact_count: usize,
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy in the gravity field and of the springs of joints [J].
    pub potential_energy: f64,
    /// Energy stored in the contacts and end stops [J].
    pub elastic_energy: f64,
    /// The smallest distances among the monitored pairs [m], ascending; [`NO_PAIR`] for those that are
    /// missing.
    pub closest_distances: Vec<f64>,
}

/// Outputs and reports at one state.
#[derive(Debug)]
pub struct Results {
    outputs: Outputs,
    reports: TiVec<ReportId, ContactReport>,
    /// What is known at the present state.
    known: Known,
    /// Gaps of the slots, while the smallest are looked for.
    gaps: Vec<f64>,
    /// Boxes of shapes, while the distance of a named pair is looked for.
    bounds: Vec<Aabb>,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Known {
    Nothing,
    Outputs,
    Reports,
}

impl Results {
    /// Room for the results of a model.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let bodies = scene.bodies().len();
        Results {
            outputs: Outputs {
                contact_forces: ti_vec![[0.0; 3]; bodies],
                contact_torques: ti_vec![[0.0; 3]; bodies],
                closest_distances: vec![0.0; scene.contact().closest_distances as usize],
                ..Outputs::default()
            },
            reports: ti_vec![ContactReport::zero(); scene.reported().len()],
            known: Known::Nothing,
            gaps: Vec::with_capacity(scene.slot_count()),
            bounds: Vec::new(),
        }
    }

    /// Forgets what is known: the state is another one.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.known = Known::Nothing;
    }

    /// Outputs of a workspace that holds forces and accelerations.
    pub fn outputs(
        &mut self,
        frozen: &Frozen<'_>,
        watchers: &Watchers,
        work: &mut Workspace<f64>,
        states: &[f64],
    ) -> &Outputs {
        if self.known < Known::Outputs {
            self.write_loads(frozen, work);
            let model = frozen.model;
            let outputs = &mut self.outputs;
            outputs.contact_count = frozen.contacts.list().len();
            outputs.kinetic_energy = energy::kinetic(model, work);
            outputs.potential_energy =
                energy::potential(model, work) + tree::forces::spring_energy(model, states);
            outputs.elastic_energy = energy::elastic(model, frozen.contacts, work, states)
                + stops::energy(model, frozen.ledger.stops(), states);
            self.find_closest_distances(frozen, watchers, work);
            self.known = Known::Outputs;
        }
        &self.outputs
    }

    fn write_loads(&mut self, frozen: &Frozen<'_>, work: &mut Workspace<f64>) {
        contact_forces::load_others(frozen, work);
        for body in work.loads.keys() {
            let [force, torque] = load_on(frozen.model, work, body);
            self.outputs.contact_forces[body] = force.into();
            self.outputs.contact_torques[body] = torque.into();
        }
    }

    fn find_closest_distances(
        &mut self,
        frozen: &Frozen<'_>,
        watchers: &Watchers,
        work: &Workspace<f64>,
    ) {
        if self.outputs.closest_distances.is_empty() {
            return;
        }
        self.gaps.clear();
        let contacts = frozen.contacts.list().iter();
        self.gaps
            .extend(contacts.map(|contact| contact_forces::gap_of(contact, work)));
        let hints = frozen.ledger.hints();
        let gaps = &mut self.gaps;
        watchers.each_gap(frozen.model, &work.frames, hints, |_, gap| gaps.push(gap));
        distances::smallest(&mut self.gaps, &mut self.outputs.closest_distances);
    }

    /// Reports of [`Scene::reported`](crate::scene::Scene::reported), from a workspace of which the
    /// outputs are known.
    pub fn reports(
        &mut self,
        frozen: &Frozen<'_>,
        work: &Workspace<f64>,
    ) -> &TiSlice<ReportId, ContactReport> {
        if self.known < Known::Reports {
            for (report, key) in self.reports.iter_mut().zip(frozen.model.scene.reported()) {
                *report = report::of_contact(frozen, work, *key);
            }
            self.known = Known::Reports;
        }
        &self.reports
    }

    /// Distance of a pair of [`Scene::named_pairs`](crate::scene::Scene::named_pairs) [m]; [`NO_PAIR`]
    /// if there is no such pair.
    pub fn distance(&mut self, placement: &crate::contact::Placement, named: NamedPairId) -> f64 {
        let pairs: &TiSlice<NamedPairId, NamedPair> = placement.scene.named_pairs();
        match pairs.get(named) {
            Some(named) => distances::of_named_pair(placement, named, &mut self.bounds),
            None => NO_PAIR,
        }
    }
}

/// Contact force [N] and torque about the origin [N.m] on a body: world axes, or its own if it is a driven
/// body that states these.
fn load_on<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> [Vec3<T>; 2] {
    let load = &work.loads[body];
    let known = &model.scene.bodies()[body];
    let both = [load.force_w, load.torque_w];
    match known.is_driven() && known.drive.wrench_axes == ForceAxes::Body {
        true => both.map(|vector| work.frames[body.frame()].rotation.tr_mul(&vector)),
        false => both,
    }
}

/// Number of quantities that [`each_output`] visits.
pub fn output_count(model: &Model) -> usize {
    model.scene.outputs().len() + 3 + 6 * model.bodies.len()
}

/// Calls `visit` with each output that is a smooth function of states and inputs between events, from a
/// workspace that holds forces and accelerations: those of [`Scene::outputs`](crate::scene::Scene::outputs),
/// kinetic, potential and elastic energy [J], then contact force [N] and torque [N.m] of each body.
pub fn each_output<T: Real>(
    frozen: &Frozen<'_>,
    work: &mut Workspace<T>,
    states: &[T],
    mut visit: impl FnMut(T),
) {
    let model = frozen.model;
    contact_forces::load_others(frozen, work);
    for output in model.scene.outputs() {
        visit(match *output {
            Output::ReactionForce(joint, i) => tree::reaction::on_child(model, work, joint)[0][i],
            Output::ReactionTorque(joint, i) => tree::reaction::on_child(model, work, joint)[1][i],
            other => observed::value(model, work, other).unwrap_or_else(T::zero),
        });
    }
    visit(energy::kinetic(model, work));
    visit(energy::potential(model, work) + tree::forces::spring_energy(model, states));
    let stops = stops::energy(model, frozen.ledger.stops(), states);
    visit(energy::elastic(model, frozen.contacts, work, states) + stops);
    for body in model.bodies.keys() {
        for vector in load_on(model, work, body) {
            vector.iter().for_each(|component| visit(*component));
        }
    }
}
