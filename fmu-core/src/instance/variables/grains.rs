//! Variables of groups of balls. A ball has no variables of its own. In FMI 3.0 a group has its
//! states as one array, `sand.state` with a row of 13 for each ball, and their derivatives as
//! another; radii, positions and velocities are arrays for those who draw or count. What is meant
//! for other models are sums, scalars in both FMI versions: how many balls, where their centre of
//! mass is, their kinetic energy, and number and mass of those in each region.
//!
//! FMI 2.0 has no arrays: there a group has the sums only. In both versions such an FMU is for
//! Co-Simulation alone: of the 26,000 states of 2,000 balls no importer's solver makes a run.

use super::words::{AXES, Text, Words};
use super::{Causality, DataType, Variability};
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::dynamics::{Model, grains as sums};
use contact_model::scene::grains::GRAIN_STATES;
use contact_model::scene::{Grains, StateLayout};
use std::ops::Range;

/// What there is of a group, beside its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrainItem {
    /// Radius of a ball [m], by its place.
    Radius(usize),
    /// Entry of the positions of all balls, row by row, world axes [m].
    Position(usize),
    /// Entry of their velocities, world axes [m/s].
    Velocity(usize),
    /// Number of balls.
    Count,
    /// Component of the position of their common centre of mass, world axes [m].
    Center(usize),
    /// Kinetic energy [J].
    KineticEnergy,
    /// Number of balls in a region, by its place.
    RegionCount(usize),
    /// Mass of the balls in a region [kg].
    RegionMass(usize),
}

use GrainItem::*;

/// Scalars of a group without regions.
const SCALARS: usize = 5;
/// Scalars of a region.
const OF_REGION: usize = 2;
/// Components of a vector.
const VECTOR: usize = 3;

/// Which variables of a group there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GrainPlaces {
    /// States of its balls.
    pub states: Range<usize>,
    /// Balls that the arrays list: all, or none in FMI 2.0.
    listed: usize,
    regions: usize,
}

impl GrainPlaces {
    pub fn new(group: &Grains, has_arrays: bool) -> Self {
        GrainPlaces {
            states: group.states.clone(),
            listed: if has_arrays { group.len() } else { 0 },
            regions: group.regions.len(),
        }
    }

    fn array_entries(&self) -> usize {
        (1 + 2 * VECTOR) * self.listed
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.array_entries() + SCALARS + OF_REGION * self.regions
    }

    /// Meaning of the element at a place below [`Self::len`].
    pub fn item(&self, place: usize) -> GrainItem {
        let entries = VECTOR * self.listed;
        let Some(scalar) = place.checked_sub(self.array_entries()) else {
            return match place.checked_sub(self.listed) {
                None => Radius(place),
                Some(entry) if entry < entries => Position(entry),
                Some(entry) => Velocity(entry - entries),
            };
        };
        match scalar {
            0 => Count,
            1..=3 => Center(scalar - 1),
            4 => KineticEnergy,
            _ => {
                let region = (scalar - SCALARS) / OF_REGION;
                match (scalar - SCALARS) % OF_REGION {
                    0 => RegionCount(region),
                    _ => RegionMass(region),
                }
            }
        }
    }

    /// Place of the element with a meaning; none if there is no such element.
    pub fn place(&self, item: GrainItem) -> Option<usize> {
        let scalars = self.array_entries();
        let (place, is_there) = match item {
            Radius(i) => (i, i < self.listed),
            Position(i) => (self.listed + i, i < VECTOR * self.listed),
            Velocity(i) => ((1 + VECTOR) * self.listed + i, i < VECTOR * self.listed),
            Count => (scalars, true),
            Center(i) => (scalars + 1 + i, i < VECTOR),
            KineticEnergy => (scalars + 4, true),
            RegionCount(i) => (scalars + SCALARS + OF_REGION * i, i < self.regions),
            RegionMass(i) => (scalars + SCALARS + OF_REGION * i + 1, i < self.regions),
        };
        is_there.then_some(place)
    }
}

impl GrainItem {
    /// Index in the array that the item always is an entry of.
    pub(super) fn entry(self) -> Option<usize> {
        match self {
            Radius(i) | Position(i) | Velocity(i) => Some(i),
            _ => None,
        }
    }

    /// Index in a vector that is an array where vectors are.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            Center(i) => Some(i),
            _ => self.entry(),
        }
    }

    /// Columns of the array.
    pub(super) fn columns(self) -> Option<usize> {
        match self {
            Position(_) | Velocity(_) => Some(VECTOR),
            _ => None,
        }
    }

    /// The arrays are for those who ask for them, the sums for other models.
    pub(super) fn causality(self) -> Causality {
        match self.entry() {
            Some(_) => Causality::Local,
            None => Causality::Output,
        }
    }

    pub(super) fn variability(self) -> Variability {
        match self {
            Radius(_) => Variability::Fixed,
            Count => Variability::Discrete,
            _ => Variability::Continuous,
        }
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Count => DataType::Int32,
            _ => DataType::Float64,
        }
    }

    pub(super) fn declared_type(self) -> Option<DeclaredType> {
        Some(match self {
            Radius(_) => units::LENGTH,
            Position(_) | Center(_) => units::POSITION,
            Velocity(_) => units::VELOCITY,
            KineticEnergy => units::ENERGY,
            RegionCount(_) => units::COEFFICIENT,
            RegionMass(_) => units::MASS,
            Count => return None,
        })
    }

    /// What follows the name of the group: `center[3]`, `out.mass`.
    pub(super) fn name(self, group: &Grains) -> String {
        let in_row = |key: &str, i: usize| format!("{key}[{},{}]", i / VECTOR + 1, i % VECTOR + 1);
        let region = |i: usize| group.regions[i].name.as_str();
        match self {
            Radius(i) => format!("radius[{}]", i + 1),
            Position(i) => in_row("position", i),
            Velocity(i) => in_row("velocity", i),
            Count => "count".into(),
            Center(i) => format!("center[{}]", i + 1),
            KineticEnergy => "kinetic_energy".into(),
            RegionCount(i) => format!("{}.count", region(i)),
            RegionMass(i) => format!("{}.mass", region(i)),
        }
    }

    pub(super) fn text(self, words: &Words<'_>, group: &Grains) -> Text {
        match self {
            Radius(_) => Text::scalar("Radius of each ball"),
            Position(_) => Text::scalar("Position of each ball, a row (x, y, z) for each")
                .at("centre")
                .in_axes("world axes"),
            Velocity(_) => Text::scalar("Velocity of each ball, a row (x, y, z) for each")
                .at("centre")
                .in_axes("world axes"),
            Count => Text::scalar("Number of balls"),
            Center(i) => Text::new(format!(
                "Position {} of the centre of mass of all balls",
                words.component(AXES, i)
            ))
            .in_axes("world axes"),
            KineticEnergy => Text::scalar("Kinetic energy of the balls"),
            RegionCount(i) => Text::new(format!(
                "Number of balls with their centre in {}",
                group.regions[i].name
            )),
            RegionMass(i) => Text::new(format!(
                "Mass of the balls with their centre in {}",
                group.regions[i].name
            )),
        }
    }

    /// The value at states.
    pub(in crate::instance) fn value(self, model: &Model, group: &Grains, states: &[f64]) -> f64 {
        let in_region = |i: usize| sums::in_region(model, group, &group.regions[i], states);
        match self {
            Radius(i) => 0.5 * group.diameters[i],
            Position(i) | Velocity(i) => states[self.state(group, i)],
            Count => group.len() as f64,
            Center(i) => sums::center(model, group, states)[i],
            KineticEnergy => sums::kinetic_energy(model, group, states),
            RegionCount(i) => in_region(i).0 as f64,
            RegionMass(i) => in_region(i).1,
        }
    }

    /// The derivative at states along changes of them; 0 of what is counted.
    pub(in crate::instance) fn slope(
        self,
        model: &Model,
        group: &Grains,
        [states, changes]: [&[f64]; 2],
    ) -> f64 {
        match self {
            Position(i) | Velocity(i) => changes[self.state(group, i)],
            Center(i) => sums::center(model, group, changes)[i],
            KineticEnergy => sums::energy_change(model, group, states, changes),
            Radius(_) | Count | RegionCount(_) | RegionMass(_) => 0.0,
        }
    }

    /// The state that entry `i` of the positions or velocities is.
    fn state(self, group: &Grains, i: usize) -> usize {
        let offset = group.state(i / VECTOR);
        let of_ball = match self {
            Velocity(_) => StateLayout::velocity(offset),
            _ => StateLayout::position(offset),
        };
        of_ball.start + i % VECTOR
    }
}

/// Name of an entry of the states of a group, `sand.state[17,9]`; `place` counts from its first state.
pub(super) fn state_name(group: &Grains, place: usize) -> String {
    let (row, column) = (place / GRAIN_STATES + 1, place % GRAIN_STATES + 1);
    format!("{}.state[{row},{column}]", group.name)
}

/// What the states of a group are.
pub(super) fn state_text() -> Text {
    Text::scalar(
        "States of each ball, a row for each: position (3), quaternion (4) and velocity (3) in \
         world axes, angular velocity (3) in body axes",
    )
}
