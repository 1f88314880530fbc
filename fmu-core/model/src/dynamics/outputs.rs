//! Results beside the state derivatives: forces on bodies, energies, distances, reports of contacts.
//!
//! # Reports of contacts
//!
//! With v the velocity of 2 relative to 1 at the contact point, n the normal from 1 to 2 and F the force on 2
//! as it entered the motion: gap rate v.n, slip |v - (v.n) n|, normal force F.n, tangential force F - (F.n)
//! n; also for pairs out of contact. Computed on demand: evaluations keep nothing for it.
//!
//! # Poses of bodies without states, reactions and power of joints, relative motions
//!
//! A measurement is taken of a frame B relative to a frame A. With p and R their poses in the world, v the
//! velocities of their origins and w their angular velocities, world axes:
//! - position r = R_A^T (p_B - p_A), orientation R_A^T R_B
//! - velocity r' = R_A^T (v_B - v_A - w_A x (p_B - p_A)), as seen by an observer on A
//! - angular velocity R_A^T (w_B - w_A)
//! - distance |p_B - p_A|
//!
//! An orientation is written as the quaternion with w >= 0. A rotation past half a turn changes the sign of
//! all four numbers, not the rotation: without a memory no choice is continuous.

use crate::contact::{LatchState, Ledger, Placement};
use crate::dynamics::approach::NO_PAIR;
use crate::dynamics::contact_forces::motion_of;
use crate::dynamics::contacts::Mode;
use crate::dynamics::intersections::{Intersection, Intersections, NUMBERS, Sparsified};
use crate::dynamics::link::Twist;
use crate::dynamics::path::Path;
use crate::dynamics::workspace::{ContactWrench, Workspace};
use crate::dynamics::{Model, approach, contact_forces, pipeline, tree};
use crate::scene::description::ForceAxes;
use crate::scene::outputs::{Output, OutputItem, Owner};
use contact_geometry::math::{Pose, Real, Vec3, length, quaternion};
use contact_geometry::narrow_phase::overlap::Statistics;
use contact_geometry::narrow_phase::{Feature, Proximity, query};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{
    BodyId, IntersectionId, JointId, NamedPairId, OutputId, PairId, ReportId, ShapeId, SumId,
    TiSlice, TiVec, ti_vec,
};

/// Results of a state beside its derivative.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outputs {
    /// Contact force on each body, world axes; on a driven one in its chosen axes [N].
    pub contact_forces: TiVec<BodyId, [f64; 3]>,
    /// Contact torque on each body about its origin, in the same axes [N.m].
    pub contact_torques: TiVec<BodyId, [f64; 3]>,
    /// Number of pairs in contact.
    pub contact_count: usize,
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy of gravity and of joint springs [J].
    pub potential_energy: f64,
    /// Energy stored in the contacts and end stops [J].
    pub elastic_energy: f64,
    /// Smallest distances of the monitored pairs [m], ascending; [`NO_PAIR`] for missing ones.
    pub closest_distances: Vec<f64>,
}

#[derive(Debug)]
pub(crate) struct Results {
    outputs: Outputs,
    reports: TiVec<ReportId, ContactReport>,
    sums: TiVec<SumId, SumReport>,
    /// Those known at the present state.
    intersections: TiVec<IntersectionId, Option<Intersection>>,
    sparsified: Sparsified,
    known: KnownResults,
    search: DistanceSearch<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct DistanceSearch<T: Real> {
    gaps: Vec<T>,
    bounds: Vec<Aabb>,
    intersections: Intersections<T>,
    sums: TiVec<SumId, SumReport<T>>,
}

impl<T: Real> DistanceSearch<T> {
    pub(crate) fn new(model: &Model) -> Self {
        DistanceSearch {
            gaps: Vec::with_capacity(model.scene.slot_count()),
            bounds: Vec::new(),
            intersections: Intersections::new(model),
            sums: ti_vec![SumReport::zero(); model.scene.sums().len()],
        }
    }

    /// Smallest distances of the monitored pairs [m], ascending, up to the number requested by the scene.
    fn closest(&mut self, mode: &Mode, work: &Workspace<T>) -> &[T] {
        let model = &*mode.model;
        let wanted = model.scene.contact().closest_distances as usize;
        self.gaps.clear();
        if wanted > 0 {
            let contacts = mode.contacts.list().keys();
            let gaps = contacts.map(|contact| contact_forces::gap_of(mode, contact, work));
            self.gaps.extend(gaps);
            let (hints, gaps) = (mode.ledger.hints(), &mut self.gaps);
            mode.watchers
                .each_gap_along(model, &work.frames, hints, |_, gap| gaps.push(gap));
        }
        approach::smallest(&mut self.gaps, wanted)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum KnownResults {
    Nothing,
    Outputs,
    Reports,
}

impl Results {
    pub(crate) fn new(model: &Model) -> Self {
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
            sums: ti_vec![SumReport::zero(); scene.sums().len()],
            intersections: ti_vec![None; scene.intersections().len()],
            sparsified: Sparsified::new(model),
            known: KnownResults::Nothing,
            search: DistanceSearch::new(model),
        }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.known = KnownResults::Nothing;
        self.intersections
            .iter_mut()
            .for_each(|found| *found = None);
        self.sparsified.forget();
    }

    /// Outputs of a workspace that holds forces and accelerations.
    pub(crate) fn outputs(
        &mut self,
        mode: &Mode,
        work: &mut Workspace<f64>,
        states: &[f64],
    ) -> &Outputs {
        if self.known < KnownResults::Outputs {
            self.write_loads(mode, work);
            let outputs = &mut self.outputs;
            outputs.contact_count = mode.contacts.list().len();
            let [kinetic, potential, elastic] = energies(mode, work, states);
            outputs.kinetic_energy = kinetic;
            outputs.potential_energy = potential;
            outputs.elastic_energy = elastic;
            outputs.closest_distances.fill(NO_PAIR);
            let closest = self.search.closest(mode, work);
            outputs.closest_distances[..closest.len()].copy_from_slice(closest);
            self.known = KnownResults::Outputs;
        }
        &self.outputs
    }

    fn write_loads(&mut self, mode: &Mode, work: &mut Workspace<f64>) {
        contact_forces::load_others(mode, work);
        for body in work.loads.keys() {
            let [force, torque] = load_on(&mode.model, work, body);
            self.outputs.contact_forces[body] = force.into();
            self.outputs.contact_torques[body] = torque.into();
        }
    }

    /// Computes the reports of pairs and sums from a workspace with known outputs.
    fn know_reports(&mut self, mode: &Mode, work: &Workspace<f64>) {
        if self.known < KnownResults::Reports {
            for (report, pair) in self.reports.iter_mut().zip(mode.model.scene.reported()) {
                *report = of_pair(mode, work, *pair);
            }
            sum_contacts(mode, work, &mut self.sums);
            self.known = KnownResults::Reports;
        }
    }

    /// Reports of [`Scene::reported`](crate::scene::Scene::reported), from a workspace with known outputs.
    pub(crate) fn reports(
        &mut self,
        mode: &Mode,
        work: &Workspace<f64>,
    ) -> &TiSlice<ReportId, ContactReport> {
        self.know_reports(mode, work);
        &self.reports
    }

    /// Reports of [`Scene::sums`](crate::scene::Scene::sums), likewise.
    pub(crate) fn sums(
        &mut self,
        mode: &Mode,
        work: &Workspace<f64>,
    ) -> &TiSlice<SumId, SumReport> {
        self.know_reports(mode, work);
        &self.sums
    }

    /// Intersection of a pair of [`Scene::intersections`](crate::scene::Scene::intersections), from a
    /// workspace with the poses of the shapes.
    pub(crate) fn intersection(
        &mut self,
        model: &Model,
        work: &Workspace<f64>,
        index: IntersectionId,
    ) -> Intersection {
        let search = &mut self.search.intersections;
        *self.intersections[index].get_or_insert_with(|| search.find(model, work, index))
    }

    /// Intersections kept by the rules of the scene, with their numbers; `None` without rules. From a
    /// workspace with the poses of the shapes.
    pub(crate) fn sparsified(
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

    /// Distance of a pair of [`Scene::named_pairs`](crate::scene::Scene::named_pairs) [m]; [`NO_PAIR`] if
    /// there is no such pair.
    pub(crate) fn distance(&mut self, placement: &Placement<'_>, named: NamedPairId) -> f64 {
        match placement.scene.named_pairs().get(named) {
            Some(named) => approach::of_named_pair(placement, named, &mut self.search.bounds).0,
            None => NO_PAIR,
        }
    }
}

/// Kinetic, potential and elastic energy [J]; potential with joint springs, elastic with end stops.
fn energies<T: Real>(mode: &Mode, work: &Workspace<T>, states: &[T]) -> [T; 3] {
    let model = &*mode.model;
    let stops = tree::stop_energy(model, mode.ledger.stops(), states);
    [
        pipeline::kinetic(model, work),
        pipeline::potential(model, work) + tree::spring_energy(model, states),
        pipeline::elastic(model, &mode.contacts, work, states) + stops,
    ]
}

/// Contact force [N] and torque about the origin [N.m] on a body: world axes, or body axes for a driven body
/// that chooses them.
fn load_on<T: Real>(model: &Model, work: &Workspace<T>, body: BodyId) -> [Vec3<T>; 2] {
    let load = &work.loads[body];
    let known = &model.scene.bodies()[body];
    let both = [load.force_w, load.torque_w];
    match known.is_driven() && known.drive.wrench_axes == ForceAxes::Body {
        true => both.map(|vector| work.frames[body.frame()].rotation.tr_mul(&vector)),
        false => both,
    }
}

/// Calls `visit` with each output that is a smooth function of states and inputs between events, from a
/// workspace that holds forces and accelerations: those of [`Scene::outputs`](crate::scene::Scene::outputs);
/// kinetic, potential and elastic energy [J]; contact force [N] and torque [N.m] of each body; of each
/// reported pair gap [m], gap rate [m/s], point [m], normal, normal force, tangential force, force [N], slip
/// speed [m/s] and torque [N.m]; force [N], moment [N.m] and power [W] of each sum; the distances of named
/// pairs and the closest distances [m]; the numbers of each intersection. `placement` has the shapes at the
/// same states. [`OutputPlaces`] gives their indices.
pub(crate) fn each_output<T: Real>(
    mode: &Mode,
    placement: &Placement<'_>,
    work: &mut Workspace<T>,
    states: &[T],
    search: &mut DistanceSearch<T>,
    mut visit: impl FnMut(T),
) {
    let model = &*mode.model;
    let scene = &model.scene;
    contact_forces::load_others(mode, work);
    let mut each = |numbers: &[T]| numbers.iter().for_each(|number| visit(*number));
    for output in scene.outputs() {
        each(&[value(model, work, states, *output)]);
    }
    each(&energies(mode, work, states));
    for body in model.bodies.keys() {
        let [force, torque] = load_on(model, work, body);
        each(force.as_slice());
        each(torque.as_slice());
    }
    for pair in scene.reported() {
        let report = of_pair(mode, work, *pair);
        each(&[report.gap, report.gap_rate]);
        each(report.point_w.as_slice());
        each(report.normal_w.as_slice());
        each(&[report.normal_force]);
        each(report.tangential_force_w.as_slice());
        each(report.force_w.as_slice());
        each(&[report.slip_speed]);
        each(report.torque_w.as_slice());
    }
    sum_contacts(mode, work, &mut search.sums);
    for sum in &search.sums {
        each(sum.force_w.as_slice());
        each(sum.moment_w.as_slice());
        each(&[sum.power]);
    }
    for named in scene.named_pairs() {
        let (_, nearest) = approach::of_named_pair(placement, named, &mut search.bounds);
        let gap = nearest.map(|shapes| gap_of_shapes(model, work, shapes));
        each(&[gap.unwrap_or(T::from(NO_PAIR))]);
    }
    let closest = search.closest(mode, work);
    each(closest);
    let wanted = scene.contact().closest_distances as usize;
    (closest.len()..wanted).for_each(|_| each(&[T::from(NO_PAIR)]));
    for index in scene.intersections().keys() {
        let found = search.intersections.find(model, work, index);
        found.for_each(|number| each(&[number]));
    }
}

fn gap_of_shapes<T: Real>(model: &Model, work: &Workspace<T>, shapes: [ShapeId; 2]) -> T {
    let [form_1, form_2] = model.scene.forms_of(shapes);
    let [pose_1, pose_2] = shapes.map(|shape| &work.frames[model.frames.of_shapes[shape]]);
    query(form_1, pose_1, form_2, pose_2, &Feature::None).gap
}

const OF_LOAD: usize = 6;
const ENERGIES: usize = 3;
const OF_REPORT: usize = 19;
const OF_SUM: usize = 7;

/// Component of a pair's report; vectors by component 0..3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportNumber {
    /// Gap [m].
    Gap,
    /// Gap rate [m/s].
    GapRate,
    /// Contact point [m].
    Point(usize),
    /// Normal.
    Normal(usize),
    /// Force along the normal [N].
    NormalForce,
    /// Tangential force [N].
    TangentialForce(usize),
    /// Total force [N].
    Force(usize),
    /// Sliding speed [m/s].
    SlipSpeed,
    /// Torque of rolling and spinning resistance [N.m].
    Torque(usize),
}

impl ReportNumber {
    fn place(self) -> usize {
        match self {
            ReportNumber::Gap => 0,
            ReportNumber::GapRate => 1,
            ReportNumber::Point(i) => 2 + i,
            ReportNumber::Normal(i) => 5 + i,
            ReportNumber::NormalForce => 8,
            ReportNumber::TangentialForce(i) => 9 + i,
            ReportNumber::Force(i) => 12 + i,
            ReportNumber::SlipSpeed => 15,
            ReportNumber::Torque(i) => 16 + i,
        }
    }
}

/// Indices of the differentiable outputs of a model, in the order of [`each_output`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputPlaces {
    energies: usize,
    loads: usize,
    reports: usize,
    sums: usize,
    named: usize,
    closest: usize,
    intersections: usize,
    count: usize,
}

impl OutputPlaces {
    pub(crate) fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let energies = scene.outputs().len();
        let loads = energies + ENERGIES;
        let reports = loads + OF_LOAD * model.bodies.len();
        let sums = reports + OF_REPORT * scene.reported().len();
        let named = sums + OF_SUM * scene.sums().len();
        let closest = named + scene.named_pairs().len();
        let intersections = closest + scene.contact().closest_distances as usize;
        OutputPlaces {
            energies,
            loads,
            reports,
            sums,
            named,
            closest,
            intersections,
            count: intersections + NUMBERS * scene.intersections().len(),
        }
    }

    /// Number of outputs.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Index of a pose, reaction or measurement.
    pub fn output(&self, index: OutputId) -> usize {
        index.into()
    }

    /// Index of the kinetic energy; potential and elastic energy follow.
    pub fn kinetic_energy(&self) -> usize {
        self.energies
    }

    /// Index of a component of the contact load on a body: force 0..3, torque 3..6.
    pub fn load(&self, body: BodyId, component: usize) -> usize {
        self.loads + OF_LOAD * usize::from(body) + component
    }

    /// Index of a component of a pair's report.
    pub fn report(&self, report: ReportId, number: ReportNumber) -> usize {
        self.reports + OF_REPORT * usize::from(report) + number.place()
    }

    /// Index of a sum's force (`number` 0..3), moment (3..6) or power (6).
    pub fn sum(&self, sum: SumId, number: usize) -> usize {
        self.sums + OF_SUM * usize::from(sum) + number
    }

    /// Index of a named pair's distance.
    pub fn named(&self, pair: NamedPairId) -> usize {
        self.named + usize::from(pair)
    }

    /// Index of one of the closest distances, ascending.
    pub fn closest(&self, index: usize) -> usize {
        self.closest + index
    }

    /// Index of a number of an intersection, in the order of
    /// [`Intersection::for_each`](crate::dynamics::intersections::Intersection::for_each).
    pub fn intersection(&self, index: IntersectionId, number: usize) -> usize {
        self.intersections + NUMBERS * usize::from(index) + number
    }
}

/// Contact of a reported pair at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport<T: Real = f64> {
    /// Whether the pair is in contact.
    pub in_contact: bool,
    /// Gap [m], negative where the shapes overlap.
    pub gap: T,
    /// Gap rate [m/s].
    pub gap_rate: T,
    /// Middle of the nearest points of both shapes, world frame [m].
    pub point_w: Vec3<T>,
    /// Unit normal from 1 to 2, world axes.
    pub normal_w: Vec3<T>,
    /// Force on 2 along the normal [N].
    pub normal_force: T,
    /// Tangential force on 2, world axes [N].
    pub tangential_force_w: Vec3<T>,
    /// Total force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Slip speed of 2 relative to 1 at the contact point [m/s].
    pub slip_speed: T,
    /// Torque of rolling and spinning resistance on 2, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl ContactReport {
    pub(crate) fn zero() -> Self {
        ContactReport {
            in_contact: false,
            gap: 0.0,
            gap_rate: 0.0,
            point_w: Vec3::zeros(),
            normal_w: Vec3::zeros(),
            normal_force: 0.0,
            tangential_force_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            slip_speed: 0.0,
            torque_w: Vec3::zeros(),
        }
    }
}

/// Sums over the contacts of two bodies or shapes at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SumReport<T: Real = f64> {
    /// Number of pairs in contact.
    pub contacts: usize,
    /// Force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Moment about the origin of body 2, world axes [N.m].
    pub moment_w: Vec3<T>,
    /// Power that the contacts deliver to both bodies [W].
    pub power: T,
}

impl<T: Real> SumReport<T> {
    pub(crate) fn zero() -> Self {
        SumReport {
            contacts: 0,
            force_w: Vec3::zeros(),
            moment_w: Vec3::zeros(),
            power: T::zero(),
        }
    }
}

/// Sums the contacts of a workspace that holds kinematics and forces.
///
/// A contact that exerts the force F and the torque M on 2 at a point p has the moment
/// (p - o) x F + M about the origin o of body 2. Its power is F.v + M.w, with the velocity v at p and the
/// angular velocity w of 2 relative to 1; the sum over all contacts is the rate at which they change the
/// kinetic energy.
fn sum_contacts<T: Real>(
    mode: &Mode,
    work: &Workspace<T>,
    sums: &mut TiSlice<SumId, SumReport<T>>,
) {
    sums.iter_mut().for_each(|sum| *sum = SumReport::zero());
    let model = &*mode.model;
    if sums.is_empty() {
        return;
    }
    for (index, contact) in mode.contacts.list().iter_enumerated() {
        let wrench = &work.wrenches[index];
        let bodies = model.bodies_of(&model.scene.pairs().get(contact.pair));
        let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
        let (velocity, omega) = contact_forces::relative(&wrench.point_w, bodies, fixed, work);
        let arm = wrench.point_w - work.frames[bodies[1].frame()].position;
        let moment = arm.cross(&wrench.force_w) + wrench.torque_w;
        let power = wrench.force_w.dot(&velocity) + wrench.torque_w.dot(&omega);
        for sum in model.scene.sums_with(contact.pair) {
            let sum = &mut sums[sum];
            sum.contacts += 1;
            sum.force_w += wrench.force_w;
            sum.moment_w += moment;
            sum.power += power;
        }
    }
}

/// Report of a pair, from a workspace that holds kinematics and forces.
pub(crate) fn of_pair<T: Real>(mode: &Mode, work: &Workspace<T>, pair: PairId) -> ContactReport<T> {
    let model = &*mode.model;
    let index = mode.contacts.of_pair(pair);
    let contact = index.map(|index| (index, &mode.contacts.list()[index]));
    let slot = match contact {
        Some((_, contact)) => Some(contact.slot),
        // Elsewhere a hint would only save time.
        None => model.scene.own_slot(pair),
    };
    let hint = slot.map_or(&Feature::None, |slot| mode.ledger.hint(slot));
    let pair = model.scene.pairs().get(pair);
    let [form_1, form_2] = model.scene.forms_of(pair.shapes);
    let frame = |shape: ShapeId| &work.frames[model.frames.of_shapes[shape]];
    let [pose_1, pose_2] = pair.shapes.map(frame);
    let routine = model.routine_of(&pair);
    let mut near = routine.query(form_1, pose_1, form_2, pose_2, hint);
    let wrench = match index {
        Some(index) => work.wrenches[index],
        None => ContactWrench::zero(),
    };
    if let Some((index, _)) = contact.filter(|(_, contact)| contact.over_area) {
        let normal_w = work.areas[index].normal_w;
        if normal_w.iter().any(|c| c.value() != 0.0) {
            near = Proximity::at(near.gap, wrench.point_w, normal_w);
        }
    }
    let bodies = model.bodies_of(&pair);
    let fixed = bodies.map(|body| model.scene.bodies()[body].is_fixed());
    let motion = motion_of(&near, bodies, fixed, work);
    let normal_w = near.normal_w;
    let gap_rate = motion.velocity.dot(&normal_w);
    let slip = motion.velocity - normal_w * gap_rate;
    let normal_force = wrench.force_w.dot(&normal_w);
    ContactReport {
        in_contact: contact.is_some(),
        gap: near.gap,
        gap_rate,
        point_w: near.contact_point_w(),
        normal_w,
        normal_force,
        tangential_force_w: wrench.force_w - normal_w * normal_force,
        force_w: wrench.force_w,
        slip_speed: length(&slip),
        torque_w: wrench.torque_w,
    }
}

/// Moving frame: pose, velocity of its origin [m/s] and angular velocity [rad/s], world axes.
struct Moving<T: Real> {
    pose: Pose<T>,
    velocity_w: Vec3<T>,
    omega_w: Vec3<T>,
}

/// Motion of an end of a measurement: a frame of a body, or of the world.
fn moving<T: Real>(body: Option<(Pose<T>, Twist<T>)>, frame: &Pose) -> Moving<T> {
    let Some((own, twist)) = body else {
        return Moving {
            pose: frame.lift(),
            velocity_w: Vec3::zeros(),
            omega_w: Vec3::zeros(),
        };
    };
    let pose = own.then(frame);
    Moving {
        velocity_w: twist.velocity_at(&own.position, &pose.position),
        omega_w: twist.omega_w,
        pose,
    }
}

/// Value of an output, with bodies placed and, for one that [reads](crate::scene::outputs::Reads)
/// accelerations or forces, accelerated.
pub(crate) fn value<T: Real>(
    model: &Model,
    work: &Workspace<T>,
    states: &[T],
    output: Output,
) -> T {
    let i = output.index;
    match output.owner {
        Owner::Joint(j) => of_joint(model, work, states, j, output.item)[i],
        _ => of_bodies(model, output, |body| {
            (work.frames[body.frame()], work.twists[body])
        }),
    }
}

/// Value of an output of a body or a measurement at a point of a path.
pub(crate) fn on_path(model: &Model, path: &Path, output: Output, theta: f64) -> f64 {
    of_bodies(model, output, |body| path.place(model, body, theta))
}

/// Value of an output that depends on poses and velocities of bodies; zero for others.
fn of_bodies<T: Real>(
    model: &Model,
    output: Output,
    place: impl Fn(BodyId) -> (Pose<T>, Twist<T>),
) -> T {
    let (item, i) = (output.item, output.index);
    match output.owner {
        Owner::Body(body) => {
            let (pose, twist) = place(body);
            of_body(&pose, &twist, item)[i]
        }
        Owner::Measurement(m) => {
            let ends = model.scene.measurements()[m].frames.each_ref();
            let [from, to] = ends.map(|(body, frame)| moving(body.map(&place), frame));
            of_measurement(&from, &to, item)[i]
        }
        _ => T::zero(),
    }
}

/// Value of an output that depends on the ledger: impulses on driven bodies, latches, triggers.
pub(crate) fn of_ledger(model: &Model, ledger: &Ledger, output: Output) -> f64 {
    let body = match output.owner {
        Owner::Body(body) => body,
        Owner::Latch(latch) => return of_latch(&ledger.latches()[latch], output),
        Owner::Trigger(trigger) => return f64::from(u8::from(ledger.triggers()[trigger])),
        _ => return 0.0,
    };
    let driven = model.driven.position(|driven| driven.body == body);
    let strike = driven.and_then(|driven| ledger.strikes().get(driven));
    strike.map_or(0.0, |strike| match output.item {
        OutputItem::Impulse => strike.impulse[output.index],
        OutputItem::ImpulseMoment => strike.moment[output.index],
        _ => strike.time,
    })
}

fn of_latch(latch: &LatchState, output: Output) -> f64 {
    match output.item {
        OutputItem::LatchImpulse => latch.impulse[output.index],
        OutputItem::LatchMoment => latch.moment[output.index],
        _ => f64::from(u8::from(latch.is_closed)),
    }
}

/// Components of an output, padded with zeros.
type Components<T> = [T; 4];

fn scalar<T: Real>(number: T) -> Components<T> {
    [number, T::zero(), T::zero(), T::zero()]
}

fn vector<T: Real>(v: Vec3<T>) -> Components<T> {
    [v.x, v.y, v.z, T::zero()]
}

fn of_body<T: Real>(pose: &Pose<T>, twist: &Twist<T>, item: OutputItem) -> Components<T> {
    match item {
        OutputItem::Position => vector(pose.position),
        OutputItem::Orientation => quaternion(&pose.rotation),
        OutputItem::Velocity => vector(twist.velocity_w),
        OutputItem::AngularVelocity => vector(twist.omega_b),
        _ => [T::zero(); 4],
    }
}

fn of_joint<T: Real>(
    model: &Model,
    work: &Workspace<T>,
    states: &[T],
    joint: JointId,
    item: OutputItem,
) -> Components<T> {
    match item {
        OutputItem::ReactionForce => vector(tree::on_child(model, work, joint)[0]),
        OutputItem::ReactionTorque => vector(tree::on_child(model, work, joint)[1]),
        OutputItem::Power => {
            let link = &model.links.all[model.links.of_joints[joint]];
            scalar(tree::power(link, work, states))
        }
        _ => [T::zero(); 4],
    }
}

fn of_measurement<T: Real>(from: &Moving<T>, to: &Moving<T>, item: OutputItem) -> Components<T> {
    let axes = &from.pose.rotation;
    let way = to.pose.position - from.pose.position;
    match item {
        OutputItem::MeasuredPosition => vector(axes.tr_mul(&way)),
        OutputItem::MeasuredOrientation => quaternion(&axes.tr_mul(&to.pose.rotation)),
        OutputItem::MeasuredVelocity => {
            let seen = to.velocity_w - from.velocity_w - from.omega_w.cross(&way);
            vector(axes.tr_mul(&seen))
        }
        OutputItem::MeasuredAngularVelocity => vector(axes.tr_mul(&(to.omega_w - from.omega_w))),
        OutputItem::MeasuredDistance => scalar(length(&way)),
        _ => [T::zero(); 4],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/observed/tests.rs"]
mod tests;
