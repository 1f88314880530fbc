//! Quantities beside the state derivatives: forces on bodies, energies, distances, reports of
//! contacts.

use crate::contact::Placement;
use crate::dynamics::distances::{self, NO_PAIR};
use crate::dynamics::frozen::Frozen;
use crate::dynamics::intersections::{Intersection, Intersections};
use crate::dynamics::report::{self, ContactReport};
use crate::dynamics::sparsified::Sparsified;
use crate::dynamics::watchers::Watchers;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, contact_forces, energy, observed, stops, tree};
use crate::scene::description::ForceAxes;
use contact_geometry::math::{Real, Vec3};
use contact_geometry::narrow_phase::overlap::sparsify::Statistics;
use contact_geometry::narrow_phase::{Feature, query};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{
    BodyId, IntersectionId, NamedPairId, ReportId, ShapeId, TiSlice, TiVec, ti_vec,
};

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
    /// The smallest distances among the monitored pairs [m], ascending; [`NO_PAIR`] for those that
    /// are missing.
    pub closest_distances: Vec<f64>,
}

/// Outputs and reports at one state.
#[derive(Debug)]
pub struct Results {
    outputs: Outputs,
    reports: TiVec<ReportId, ContactReport>,
    /// Those known at the present state.
    intersections: TiVec<IntersectionId, Option<Intersection>>,
    sparsified: Sparsified,
    /// What is known at the present state.
    known: Known,
    search: DistanceSearch<f64>,
}

/// Work arrays of the search for distances and intersections.
#[derive(Clone, Debug)]
pub struct DistanceSearch<T: Real> {
    /// Gaps of the slots.
    gaps: Vec<T>,
    /// Boxes of shapes.
    bounds: Vec<Aabb>,
    intersections: Intersections<T>,
}

impl<T: Real> DistanceSearch<T> {
    /// Room for the slots of a model.
    pub fn new(model: &Model) -> Self {
        DistanceSearch {
            gaps: Vec::with_capacity(model.scene.slot_count()),
            bounds: Vec::new(),
            intersections: Intersections::new(model),
        }
    }

    /// The smallest distances among the monitored pairs, ascending, at most as many as the scene
    /// asks for [m].
    fn closest(&mut self, frozen: &Frozen<'_>, watchers: &Watchers, work: &Workspace<T>) -> &[T] {
        let model = frozen.model;
        let wanted = model.scene.contact().closest_distances as usize;
        self.gaps.clear();
        if wanted > 0 {
            let contacts = frozen.contacts.list().keys();
            let gaps = contacts.map(|contact| contact_forces::gap_of(frozen, contact, work));
            self.gaps.extend(gaps);
            let (hints, gaps) = (frozen.ledger.hints(), &mut self.gaps);
            watchers.each_gap_along(model, &work.frames, hints, |_, gap| gaps.push(gap));
        }
        distances::smallest(&mut self.gaps, wanted)
    }
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
            intersections: ti_vec![None; scene.intersections().len()],
            sparsified: Sparsified::new(model),
            known: Known::Nothing,
            search: DistanceSearch::new(model),
        }
    }

    /// Forgets what is known: the state is another one.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.known = Known::Nothing;
        self.intersections
            .iter_mut()
            .for_each(|found| *found = None);
        self.sparsified.forget();
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
            let outputs = &mut self.outputs;
            outputs.contact_count = frozen.contacts.list().len();
            let [kinetic, potential, elastic] = energies(frozen, work, states);
            outputs.kinetic_energy = kinetic;
            outputs.potential_energy = potential;
            outputs.elastic_energy = elastic;
            outputs.closest_distances.fill(NO_PAIR);
            let closest = self.search.closest(frozen, watchers, work);
            outputs.closest_distances[..closest.len()].copy_from_slice(closest);
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

    /// Reports of [`Scene::reported`](crate::scene::Scene::reported), from a workspace of which the
    /// outputs are known.
    pub fn reports(
        &mut self,
        frozen: &Frozen<'_>,
        work: &Workspace<f64>,
    ) -> &TiSlice<ReportId, ContactReport> {
        if self.known < Known::Reports {
            for (report, pair) in self.reports.iter_mut().zip(frozen.model.scene.reported()) {
                *report = report::of_pair(frozen, work, *pair);
            }
            self.known = Known::Reports;
        }
        &self.reports
    }

    /// Intersection of a pair of
    /// [`Scene::intersections`](crate::scene::Scene::intersections), from a workspace with the
    /// poses of the shapes.
    pub fn intersection(
        &mut self,
        model: &Model,
        work: &Workspace<f64>,
        index: IntersectionId,
    ) -> Intersection {
        let search = &mut self.search.intersections;
        *self.intersections[index].get_or_insert_with(|| search.find(model, work, index))
    }

    /// Which intersections are kept by the rules of the scene, and how many; none if it has no
    /// rules. From a workspace with the poses of the shapes.
    pub fn sparsified(
        &mut self,
        model: &Model,
        work: &Workspace<f64>,
    ) -> (&Sparsified, Option<Statistics>) {
        let search = &mut self.search.intersections;
        let known = &mut self.intersections;
        let statistics = self
            .sparsified
            .find(|index| *known[index].get_or_insert_with(|| search.find(model, work, index)));
        (&self.sparsified, statistics)
    }

    /// Distance of a pair of [`Scene::named_pairs`](crate::scene::Scene::named_pairs) [m];
    /// [`NO_PAIR`] if there is no such pair.
    pub fn distance(&mut self, placement: &Placement<'_>, named: NamedPairId) -> f64 {
        match placement.scene.named_pairs().get(named) {
            Some(named) => distances::of_named_pair(placement, named, &mut self.search.bounds).0,
            None => NO_PAIR,
        }
    }
}

/// Kinetic, potential and elastic energy [J], the second with that of the springs of joints, the
/// last with that of end stops.
fn energies<T: Real>(frozen: &Frozen<'_>, work: &Workspace<T>, states: &[T]) -> [T; 3] {
    let model = frozen.model;
    let stops = stops::energy(model, frozen.ledger.stops(), states);
    [
        energy::kinetic(model, work),
        energy::potential(model, work) + tree::forces::spring_energy(model, states),
        energy::elastic(model, frozen.contacts, work, states) + stops,
    ]
}

/// Contact force [N] and torque about the origin [N.m] on a body: world axes, or its own if it is a
/// driven body that states these.
fn load_on<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> [Vec3<T>; 2] {
    let load = &work.loads[body];
    let known = &model.scene.bodies()[body];
    let both = [load.force_w, load.torque_w];
    match known.is_driven() && known.drive.wrench_axes == ForceAxes::Body {
        true => both.map(|vector| work.frames[body.frame()].rotation.tr_mul(&vector)),
        false => both,
    }
}

/// Calls `visit` with each output that is a smooth function of states and inputs between events,
/// from a workspace that holds forces and accelerations: those of
/// [`Scene::outputs`](crate::scene::Scene::outputs); kinetic, potential and elastic energy [J];
/// contact force [N] and torque [N.m] of each body; of each reported pair gap [m], gap rate
/// [m/s], point [m], normal, normal force, tangential force, force [N], slip speed [m/s] and torque
/// [N.m]; the distances of named pairs and the closest distances [m]; the numbers of each
/// intersection. `placement` has the shapes at the same states.
/// [`OutputPlaces`](crate::dynamics::output_places::OutputPlaces) finds them again.
pub fn each_output<T: Real>(
    (frozen, watchers): (&Frozen<'_>, &Watchers),
    placement: &Placement<'_>,
    (work, states): (&mut Workspace<T>, &[T]),
    search: &mut DistanceSearch<T>,
    mut visit: impl FnMut(T),
) {
    let model = frozen.model;
    let scene = &model.scene;
    contact_forces::load_others(frozen, work);
    let mut each = |numbers: &[T]| numbers.iter().for_each(|number| visit(*number));
    for output in scene.outputs() {
        each(&[observed::value(model, (work, states), *output)]);
    }
    each(&energies(frozen, work, states));
    for body in model.bodies.keys() {
        let [force, torque] = load_on(model, work, body);
        each(force.as_slice());
        each(torque.as_slice());
    }
    for pair in scene.reported() {
        let report = report::of_pair(frozen, work, *pair);
        each(&[report.gap, report.gap_rate]);
        each(report.point_w.as_slice());
        each(report.normal_w.as_slice());
        each(&[report.normal_force]);
        each(report.tangential_force_w.as_slice());
        each(report.force_w.as_slice());
        each(&[report.slip_speed]);
        each(report.torque_w.as_slice());
    }
    for named in scene.named_pairs() {
        let (_, nearest) = distances::of_named_pair(placement, named, &mut search.bounds);
        let gap = nearest.map(|shapes| gap_of_shapes(model, work, shapes));
        each(&[gap.unwrap_or(T::from(NO_PAIR))]);
    }
    let closest = search.closest(frozen, watchers, work);
    each(closest);
    let wanted = scene.contact().closest_distances as usize;
    (closest.len()..wanted).for_each(|_| each(&[T::from(NO_PAIR)]));
    for index in scene.intersections().keys() {
        let found = search.intersections.find(model, work, index);
        found.for_each(|number| each(&[number]));
    }
}

/// Gap of two shapes [m].
fn gap_of_shapes<T: Real>(model: &Model, work: &Workspace<T>, shapes: [ShapeId; 2]) -> T {
    let [form_1, form_2] = model.scene.forms_of(shapes);
    let [pose_1, pose_2] = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
    query(form_1, pose_1, form_2, pose_2, &Feature::None).gap
}
