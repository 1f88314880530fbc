//! Where each quantity is among the outputs of which there are derivatives, in the order of
//! [`each_output`](crate::dynamics::outputs::each_output).

use crate::dynamics::Model;
use crate::dynamics::intersections::NUMBERS;
use contact_laws::index::{BodyId, IntersectionId, NamedPairId, OutputId, ReportId};

/// Numbers of the load on a body: force (3) and torque (3).
const OF_LOAD: usize = 6;
/// Kinetic, potential and elastic energy.
const ENERGIES: usize = 3;
/// Numbers of a report.
const OF_REPORT: usize = 19;

/// A number of the report of a pair; vectors by component 0..3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportNumber {
    /// Gap [m].
    Gap,
    /// Its time derivative [m/s].
    GapRate,
    /// Contact point [m].
    Point(usize),
    /// Normal.
    Normal(usize),
    /// Force along the normal [N].
    NormalForce,
    /// Force across the normal [N].
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

/// The first place of each kind of output of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputPlaces {
    energies: usize,
    loads: usize,
    reports: usize,
    named: usize,
    closest: usize,
    intersections: usize,
    count: usize,
}

impl OutputPlaces {
    /// Those of a model.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let energies = scene.outputs().len();
        let loads = energies + ENERGIES;
        let reports = loads + OF_LOAD * model.bodies.len();
        let named = reports + OF_REPORT * scene.reported().len();
        let closest = named + scene.named_pairs().len();
        let intersections = closest + scene.contact().closest_distances as usize;
        OutputPlaces {
            energies,
            loads,
            reports,
            named,
            closest,
            intersections,
            count: intersections + NUMBERS * scene.intersections().len(),
        }
    }

    /// Number of places.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A pose, reaction or measurement.
    pub fn output(&self, index: OutputId) -> usize {
        index.into()
    }

    /// Kinetic energy; potential and elastic energy follow.
    pub fn kinetic_energy(&self) -> usize {
        self.energies
    }

    /// Component 0..3 of the contact force on a body, or 3..6 for its torque.
    pub fn load(&self, body: BodyId, component: usize) -> usize {
        self.loads + OF_LOAD * usize::from(body) + component
    }

    /// A number of the report of a pair.
    pub fn report(&self, report: ReportId, number: ReportNumber) -> usize {
        self.reports + OF_REPORT * usize::from(report) + number.place()
    }

    /// The distance of a named pair.
    pub fn named(&self, pair: NamedPairId) -> usize {
        self.named + usize::from(pair)
    }

    /// One of the closest distances, ascending.
    pub fn closest(&self, index: usize) -> usize {
        self.closest + index
    }

    /// A number of an intersection, in the order of
    /// [`Intersection::for_each`](crate::dynamics::intersections::Intersection::for_each).
    pub fn intersection(&self, index: IntersectionId, number: usize) -> usize {
        self.intersections + NUMBERS * usize::from(index) + number
    }
}
