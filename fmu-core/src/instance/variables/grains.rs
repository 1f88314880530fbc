//! Variables of groups of balls. A ball has no variables of its own. In FMI 3.0 a group has its
//! states as one array, `sand.state` with a row of 13 for each ball, and their derivatives as
//! another; radii, positions and velocities are arrays for those who draw or count. What is meant
//! for other models are sums, scalars in both FMI versions: how many balls, where their centre of
//! mass is, their kinetic energy, and number and mass of those in each region.
//!
//! FMI 2.0 has no arrays: there a group has the sums only. In both versions such an FMU is for
//! Co-Simulation alone: of the 26,000 states of 2,000 balls no importer's solver makes a run.

use super::quantity::{DataType, Text, Variability, Words};
use super::reports::Kind::{Other, Real};
use super::reports::{Row, row};
use Variability::{Continuous, Discrete, Fixed};
use contact_laws::quantity::units;
use contact_model::dynamics::{Model, pipeline as sums};
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::{Grains, StateLayout};

/// Components of a vector.
const VECTOR: usize = 3;

/// How a number of a group is read.
#[derive(Clone, Copy)]
pub(crate) struct OfGroup {
    /// The value at states; the last argument is the index in the row.
    pub(crate) value: fn(&Model, &Grains, &[f64], usize) -> f64,
    /// The derivative at states along changes of them; 0 of what is counted.
    pub(crate) slope: fn(&Model, &Grains, [&[f64]; 2], usize) -> f64,
    /// Numbers of the array for each ball; 0 for a sum.
    each: usize,
}

const fn array(each: usize, value: fn(&Model, &Grains, &[f64], usize) -> f64) -> OfGroup {
    OfGroup {
        value,
        slope: |_, _, _, _| 0.0,
        each,
    }
}

const fn counted(value: fn(&Model, &Grains, &[f64], usize) -> f64) -> OfGroup {
    array(0, value)
}

/// What there is of a group beside its states, in document order. The last two rows are those of each region, by
/// its index.
#[rustfmt::skip]
static ROWS: [Row<OfGroup>; 8] = [
    row("radius", 1, Fixed, Real(units::LENGTH), "Radius of each ball",
        array(1, |_, group, _, i| 0.5 * group.diameters[i])),
    row("position", 1, Continuous, Real(units::POSITION), "Position of each ball, a row (x, y, z) for each", OfGroup {
        slope: |_, group, [_, changes], i| changes[position(group, i)],
        ..array(VECTOR, |_, group, states, i| states[position(group, i)])
    }),
    row("velocity", 1, Continuous, Real(units::VELOCITY), "Velocity of each ball, a row (x, y, z) for each", OfGroup {
        slope: |_, group, [_, changes], i| changes[velocity(group, i)],
        ..array(VECTOR, |_, group, states, i| states[velocity(group, i)])
    }),
    row("count", 1, Discrete, Other(DataType::Int32), "Number of balls", counted(|_, group, _, _| group.len() as f64)),
    row("center", VECTOR, Continuous, Real(units::POSITION), "Position {axis} of the centre of mass of all balls", OfGroup {
        slope: |model, group, [_, changes], i| sums::center(model, group, changes)[i],
        ..counted(|model, group, states, i| sums::center(model, group, states)[i])
    }),
    row("kinetic_energy", 1, Continuous, Real(units::ENERGY), "Kinetic energy of the balls", OfGroup {
        slope: |model, group, [states, changes], _| sums::energy_change(model, group, states, changes),
        ..counted(|model, group, states, _| sums::kinetic_energy(model, group, states))
    }),
    row("count", 1, Continuous, Real(units::COEFFICIENT), "Number of balls with their centre in {region}",
        counted(|model, group, states, i| sums::in_region(model, group, &group.regions[i], states).0 as f64)),
    row("mass", 1, Continuous, Real(units::MASS), "Mass of the balls with their centre in {region}",
        counted(|model, group, states, i| sums::in_region(model, group, &group.regions[i], states).1)),
];

/// Rows of a region.
const REGION: usize = 2;
/// First row of a region.
const FIRST_OF_REGION: usize = ROWS.len() - REGION;

/// State that entry `i` of the positions is.
fn position(group: &Grains, i: usize) -> usize {
    StateLayout::position(group.state(i / VECTOR)).start + i % VECTOR
}

fn velocity(group: &Grains, i: usize) -> usize {
    StateLayout::velocity(group.state(i / VECTOR)).start + i % VECTOR
}

/// Elements of the arrays of a group, and of all.
pub(super) fn counts(group: &Grains) -> [usize; 2] {
    let size = |row: &Row<OfGroup>| row.own.each * group.len();
    let arrays = ROWS.iter().map(size).sum();
    let sums = ROWS[..FIRST_OF_REGION]
        .iter()
        .filter(|row| row.own.each == 0);
    let sums: usize = sums.map(|row| row.size).sum();
    [arrays, arrays + sums + REGION * group.regions.len()]
}

/// An element of a group: its row and its index in that, or the index of its region.
#[derive(Clone, Copy)]
pub(crate) struct Grain {
    pub(crate) row: &'static Row<OfGroup>,
    pub(crate) index: usize,
    is_of_region: bool,
}

impl Grain {
    /// The element at a place.
    pub(crate) fn of(group: &Grains, mut item: usize) -> Self {
        for row in &ROWS[..FIRST_OF_REGION] {
            let size = row.size.max(row.own.each * group.len());
            if item < size {
                return Grain {
                    row,
                    index: item,
                    is_of_region: false,
                };
            }
            item -= size;
        }
        Grain {
            row: &ROWS[FIRST_OF_REGION + item % REGION],
            index: item / REGION,
            is_of_region: true,
        }
    }

    /// Index in the array that the element always is an entry of.
    pub(super) fn entry(self) -> Option<usize> {
        (self.row.own.each > 0).then_some(self.index)
    }

    /// Index in a vector that is an array where vectors are.
    pub(super) fn component(self) -> Option<usize> {
        self.entry().or(self.row.component(self.index))
    }

    /// Columns of the array.
    pub(super) fn columns(self) -> Option<usize> {
        (self.row.own.each > 1).then_some(self.row.own.each)
    }

    /// Name, with that of the group: `sand.center[3]`, `sand.out.mass`.
    pub(super) fn name(self, group: &Grains) -> String {
        let (name, place) = (&group.name, self.row.indexed(self.index));
        match self.columns() {
            _ if self.is_of_region => {
                let region = &group.regions[self.index].name;
                format!("{name}.{region}.{place}")
            }
            Some(columns) => entry(&format!("{name}.{place}"), self.index, columns),
            None => match self.entry() {
                Some(i) => format!("{name}.{place}[{}]", i + 1),
                None => format!("{name}.{place}"),
            },
        }
    }

    pub(super) fn text(self, words: &Words<'_>, group: &Grains) -> Text {
        let text = self.row.text(words, self.index.min(VECTOR - 1));
        match self.columns() {
            Some(_) => text.at("centre").in_axes("world axes"),
            None if self.is_of_region => {
                text.with(&[("{region}", &group.regions[self.index].name)])
            }
            None => text,
        }
    }
}

/// Name of an entry of a matrix, `sand.position[17,3]`.
fn entry(matrix: &str, index: usize, columns: usize) -> String {
    format!("{matrix}[{},{}]", index / columns + 1, index % columns + 1)
}

/// Name of an entry of the states of a group, `sand.state[17,9]`; `place` counts from its first state.
pub(super) fn state_name(group: &Grains, place: usize) -> String {
    entry(&format!("{}.state", group.name), place, GRAIN_STATES)
}

/// What the states of a group are, of several units.
pub(super) fn state_text() -> Text {
    let what = "States of each ball, a row for each: position (3), quaternion (4) and velocity (3) in \
                world axes, angular velocity (3) in body axes";
    Text::new(what, units::COEFFICIENT)
}
