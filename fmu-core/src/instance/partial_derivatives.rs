//! Partial derivatives of unknowns with respect to knowns, and derivatives of outputs with respect to time.
//! Exact: each is a derivative along a direction of states, inputs and time, by dual numbers. By a parameter that
//! is an input it is a difference quotient.
//!
//! Unknowns are state derivatives, outputs and event indicators; knowns are states, inputs and the
//! independent variable ([FMI 3.0] section 2.2.11, [FMI 2.0] section 2.1.9). With the Jacobian J a
//! directional derivative is J times a seed, one evaluation; an adjoint one is the transpose of J times a
//! seed, one evaluation for each element of the knowns.
//!
//! Constants between two events are constant here: pairs in contact with their frozen values, also at the
//! start; discrete outputs; the minimum since the last step in an event indicator. In Initialization Mode the
//! known orientation is the start value q, while the model uses u = q/|q|, du = (dq - u (u . dq))/|q|. An
//! input of Co-Simulation is differentiated as if set at the current time.
//!
//! # By parameters that are inputs
//!
//! The numbers of a model are plain ones, so it is bound to neighbouring values of a parameter p. The quotient
//! (f(p + h) - f(p - h))/2h has the truncation f''' h^2/6 and the rounding of f over h: with h of some 1e-5 p
//! ([`Parameters::difference_step`]) the relative error is some 1e-10. Where p - h or p + h is out of range it is
//! that of second order to the other side. Event indicators depend on places of stops alone, and are exact.
//!
//! [`Parameters::difference_step`]: contact_model::scene::Parameters::difference_step
//!
//! With x' = f the derivative of an output with respect to time is that along the states f, time 1 and inputs
//! 0; driven bodies are extrapolated.

use crate::instance::initialization::{norm, orientations};
use crate::instance::lifecycle::{Instance, PartialWork};
use crate::instance::log::Failure;
use crate::instance::model_exchange;
use crate::instance::modes::{Call, Mode};
use crate::instance::variables::tables::{
    Grain, PENETRATION, SMOOTH, SUM_GAP, of_contact_sum, of_report,
};
use crate::instance::variables::{
    Causality, DataType, Family, Quantity, Variability, VariableTable,
};
use contact_geometry::math::Exact;
use contact_laws::index::{InputId, SumId, ti_vec};
use contact_laws::quantity::Feeds;
use contact_model::hybrid::{Along, Direction, HybridSystem};
use contact_model::scene::{Address, Element, GrainsId, Indicator, Input};

/// Highest order of output derivatives, as in modelDescription.xml.
const HIGHEST_ORDER: i32 = 1;

impl PartialWork {
    fn new(instance: &Instance) -> Self {
        let (system, inputs) = (&instance.system, instance.scene.inputs().len());
        let [given, states, rates] = [(); 3].map(|()| vec![0.0; system.state_count()]);
        let places = system.output_places();
        PartialWork {
            places,
            time: 0.0,
            given,
            states,
            inputs: ti_vec![0.0; inputs],
            moved: ti_vec![0.0; inputs],
            rates,
            indicators: vec![0.0; system.indicator_count()],
            outputs: vec![0.0; places.count()],
            values: Vec::new(),
            slopes: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.time = 0.0;
        self.given.fill(0.0);
        self.inputs.fill(0.0);
    }

    fn add(&mut self, known: Quantity, change: f64) {
        match known.family {
            Family::State => self.given[known.of] += change,
            Family::Input => self.inputs[InputId::from(known.of)] += change,
            Family::Time => self.time += change,
            _ => {}
        }
    }
}

/// Difference quotients of second order, the first where all values are in range: places [steps] and weights of the
/// changes there.
const DIFFERENCES: [[(f64, f64); 2]; 3] = [
    [(1.0, 0.5), (-1.0, -0.5)],
    [(1.0, 2.0), (2.0, -0.5)],
    [(-1.0, -2.0), (-2.0, 0.5)],
];

#[derive(Clone, Copy)]
struct Wanted {
    indicators: bool,
    outputs: bool,
}

impl Wanted {
    fn by(unknowns: impl Iterator<Item = Quantity>) -> Self {
        let mut wanted = Wanted {
            indicators: false,
            outputs: false,
        };
        for unknown in unknowns {
            match unknown.family {
                Family::Derivative | Family::State | Family::Grain => {}
                Family::Indicator => wanted.indicators = true,
                _ => wanted.outputs = true,
            }
        }
        wanted
    }
}

/// Quantities of all elements of these variables.
fn quantities<'a>(
    table: &'a VariableTable,
    references: &'a [u32],
) -> impl Iterator<Item = Quantity> + 'a {
    let elements = references.iter().flat_map(|r| table.elements(*r));
    elements.filter_map(|element| table.meaning(element))
}

impl Instance {
    /// Writes the product of the Jacobian with `seed`, which has a value for each element of the knowns, to
    /// `sensitivity`, which has one for each element of the unknowns.
    ///
    /// # Errors
    /// Not allowed now; other numbers of values; references that are no unknowns or knowns; a parameter,
    /// unless its seed is 0; a seed that is not finite. A discard if nothing can be computed at the current
    /// states.
    pub(crate) fn directional_derivative(
        &mut self,
        [unknowns, knowns]: [&[u32]; 2],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), Failure> {
        self.allow(Call::GetPartialDerivatives)?;
        self.check_partial([unknowns, knowns])?;
        self.check_values("seed", seed.len(), "knowns", knowns)?;
        self.check_values("sensitivity", sensitivity.len(), "unknowns", unknowns)?;
        check_seed(seed)?;
        for (known, change) in quantities(&self.table, knowns).zip(seed) {
            if known.family == Family::Parameter && *change != 0.0 {
                return Err(self.no_derivative_by(known));
            }
        }
        self.with_work(|instance, work| {
            work.clear();
            for (known, change) in quantities(&instance.table, knowns).zip(seed) {
                work.add(known, *change);
            }
            instance.go_along(work, Wanted::by(quantities(&instance.table, unknowns)))?;
            instance.each_derivative(work, unknowns, |i, slope| sensitivity[i] = slope)?;
            let mut seed = seed.iter();
            instance.each_element(knowns, |instance, _, known| {
                let change = seed.next().copied().unwrap_or(0.0);
                let parameter = instance.parameter_input(known).filter(|_| change != 0.0);
                let Some(parameter) = parameter else {
                    return Ok(());
                };
                instance.find_slopes(work, parameter, unknowns)?;
                let slopes = sensitivity.iter_mut().zip(&work.slopes);
                slopes.for_each(|(sum, slope)| *sum += change * slope);
                Ok(())
            })
        })
    }

    /// Writes the product of the transposed Jacobian with `seed`, which has a value for each element of the
    /// unknowns, to `sensitivity`, which has one for each element of the knowns.
    ///
    /// # Errors
    /// As [`Self::directional_derivative`]; any parameter.
    pub(crate) fn adjoint_derivative(
        &mut self,
        [unknowns, knowns]: [&[u32]; 2],
        seed: &[f64],
        sensitivity: &mut [f64],
    ) -> Result<(), Failure> {
        self.allow(Call::GetPartialDerivatives)?;
        self.check_partial([unknowns, knowns])?;
        self.check_values("seed", seed.len(), "unknowns", unknowns)?;
        self.check_values("sensitivity", sensitivity.len(), "knowns", knowns)?;
        check_seed(seed)?;
        let is_parameter = |known: &Quantity| known.family == Family::Parameter;
        if let Some(known) = quantities(&self.table, knowns).find(is_parameter) {
            return Err(self.no_derivative_by(known));
        }
        let wanted = Wanted::by(quantities(&self.table, unknowns));
        self.with_work(|instance, work| {
            instance.each_element(knowns, |instance, place, known| {
                let mut sum = 0.0;
                let mut add = |i: usize, slope: f64| sum += seed[i] * slope;
                if let Some(parameter) = instance.parameter_input(known) {
                    instance.find_slopes(work, parameter, unknowns)?;
                    work.slopes
                        .iter()
                        .enumerate()
                        .for_each(|(i, slope)| add(i, *slope));
                } else {
                    work.clear();
                    work.add(known, 1.0);
                    instance.go_along(work, wanted)?;
                    instance.each_derivative(work, unknowns, add)?;
                }
                sensitivity[place] = sum;
                Ok(())
            })
        })
    }

    /// Writes the time derivative of each element of these continuous outputs; each order is 1.
    ///
    /// # Errors
    /// Not allowed now; another number of values; a reference that is no continuous output; another order. A
    /// discard if nothing can be computed at the current states.
    pub(crate) fn output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &mut [f64],
    ) -> Result<(), Failure> {
        self.allow(Call::GetOutputDerivatives)?;
        self.check_intermediate(references)?;
        for reference in references {
            self.find(*reference, DataType::Float64)?;
        }
        for quantity in quantities(&self.table, references) {
            let causality = self.table.causality(&self.scene, quantity);
            let variability = quantity.variability(&self.scene);
            if (causality, variability) != (Causality::Output, Variability::Continuous) {
                return Err(Failure::error(format!(
                    "variable {} is {} {}; there are derivatives by time of continuous outputs",
                    self.element_name(quantity),
                    variability.word(),
                    causality.word()
                )));
            }
        }
        self.check_values("values", values.len(), "valueReferences", references)?;
        if let Some(order) = orders.iter().find(|order| **order != HIGHEST_ORDER) {
            return Err(Failure::error(format!(
                "order {order} of an output derivative; this FMU has order {HIGHEST_ORDER}"
            )));
        }
        let wanted = Wanted::by(quantities(&self.table, references));
        self.with_work(|instance, work| {
            work.clear();
            work.time = 1.0;
            instance.set_present_states()?;
            instance.system.derivatives_here(&mut work.given)?;
            instance.go_along(work, wanted)?;
            instance.each_derivative(work, references, |i, slope| values[i] = slope)
        })
    }

    /// Calls `body` with the work arrays, which are allocated once.
    fn with_work(
        &mut self,
        body: impl FnOnce(&mut Instance, &mut PartialWork) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut work = match self.partial.take() {
            Some(work) => work,
            None => Box::new(PartialWork::new(self)),
        };
        let result = body(self, &mut work);
        self.partial = Some(work);
        result
    }

    fn go_along(&mut self, work: &mut PartialWork, wanted: Wanted) -> Result<(), Failure> {
        self.set_present_states()?;
        self.take_changes(work);
        let moves = self.inputs_have_moved() && work.inputs.iter().any(|change| *change != 0.0);
        if moves {
            self.write_moved_inputs(&mut work.moved);
            self.system.set_inputs(&work.moved.raw, Some(self.run.time));
        }
        let direction = Direction {
            time: work.time,
            states: &work.states,
            inputs: &work.inputs.raw,
        };
        let along = Along {
            rates: &mut work.rates,
            indicators: match wanted.indicators {
                true => &mut work.indicators,
                false => &mut [],
            },
            outputs: match wanted.outputs {
                true => &mut work.outputs,
                false => &mut [],
            },
        };
        let result = self.system.along_here(&[direction], &mut [along]);
        if moves {
            self.hold_inputs();
        }
        Ok(result?)
    }

    /// Changes of the states that the model uses, from the given ones.
    fn take_changes(&self, work: &mut PartialWork) {
        work.states.copy_from_slice(&work.given);
        if self.run.mode != Mode::Initialization {
            return;
        }
        for (_, q) in orientations(self.scene.layout(), self.scene.bodies().len()) {
            let (length, u) = (
                norm(&self.run.states[q.clone()]),
                &self.start.states[q.clone()],
            );
            let changes = &mut work.states[q];
            let along: f64 = u.iter().zip(&*changes).map(|(u, dq)| u * dq).sum();
            for (change, u) in changes.iter_mut().zip(u) {
                *change = (*change - u * along) / length;
            }
        }
        for (_, state) in self.held_states() {
            work.states[state] = 0.0;
        }
    }

    /// Calls `visit` with the place of each element of these variables and its derivative.
    fn each_derivative(
        &mut self,
        work: &PartialWork,
        references: &[u32],
        mut visit: impl FnMut(usize, f64),
    ) -> Result<(), Failure> {
        self.each_element(references, |instance, place, quantity| {
            visit(place, instance.derivative_of(work, quantity)?);
            Ok(())
        })
    }

    /// Calls `visit` with the place and meaning of each element of these variables.
    fn each_element(
        &mut self,
        references: &[u32],
        mut visit: impl FnMut(&mut Instance, usize, Quantity) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut place = 0;
        for reference in references {
            for element in self.table.elements(*reference) {
                if let Some(quantity) = self.table.meaning(element) {
                    visit(self, place, quantity)?;
                    place += 1;
                }
            }
        }
        Ok(())
    }

    fn parameter_input(&self, known: Quantity) -> Option<Address> {
        let index = (known.family == Family::Input).then_some(known.of)?;
        match self.scene.inputs()[InputId::from(index)] {
            Input::Parameter(address) => Some(address),
            _ => None,
        }
    }

    /// Writes the derivative of each element of these unknowns by a parameter to [`PartialWork::slopes`].
    fn find_slopes(
        &mut self,
        work: &mut PartialWork,
        by: Address,
        unknowns: &[u32],
    ) -> Result<(), Failure> {
        let PartialWork { values, slopes, .. } = work;
        let Some(index) = self.scene.parameter_at(by) else {
            return Ok(());
        };
        values.clear();
        self.each_element(unknowns, |instance, _, unknown| {
            values.push(match unknown.family {
                Family::Indicator => 0.0,
                _ => instance.value(unknown)?,
            });
            Ok(())
        })?;
        let value = self.run.parameters.get(index);
        let step = self.run.parameters.difference_step(&self.scene, index);
        let mut found = Ok(());
        for points in &DIFFERENCES {
            slopes.clear();
            slopes.resize(values.len(), 0.0);
            found = points.iter().try_for_each(|(place, weight)| {
                let moved = value + place * step;
                self.run.parameters.set(&self.scene, index, moved);
                self.system
                    .rebind_element(by.element, &self.run.parameters)?;
                self.touch();
                self.each_element(unknowns, |instance, i, unknown| {
                    if unknown.family == Family::Indicator {
                        slopes[i] = instance.indicator_slope(unknown.of, by);
                        return Ok(());
                    }
                    let change = instance.value(unknown)? - values[i];
                    slopes[i] += weight * change / step;
                    Ok(())
                })
            });
            if found.is_ok() {
                break;
            }
        }
        self.run.parameters.set(&self.scene, index, value);
        self.unbound.push(by.element);
        self.touch();
        found
    }

    /// Derivative of an event indicator by a parameter: the place of a stop alone is in one.
    fn indicator_slope(&self, indicator: usize, by: Address) -> f64 {
        let Indicator::Stop(stop) = self.scene.indicator(indicator) else {
            return 0.0;
        };
        let stop = self.scene.stops()[stop];
        let (feeds, slope) = match stop.is_upper {
            true => (Feeds::UPPER_STOP, 1.0),
            false => (Feeds::LOWER_STOP, -1.0),
        };
        let is_own = by.element == Element::Joint(stop.joint, stop.coordinate as u8);
        match is_own && by.feeds() == feeds {
            true => slope,
            false => 0.0,
        }
    }

    fn derivative_of(&mut self, work: &PartialWork, unknown: Quantity) -> Result<f64, Failure> {
        let (places, Quantity { family, of, item }) = (&work.places, unknown);
        let place = match family {
            Family::Derivative => return Ok(work.rates[of]),
            Family::Indicator => return Ok(work.indicators[of]),
            Family::State => return Ok(work.given[of]),
            Family::Grain => {
                let states = model_exchange::present_states(&self.run, &self.start);
                let group = &self.scene.grains()[GrainsId::from(of)];
                let Grain { row, index, .. } = Grain::of(group, item);
                let both = [states, work.states.as_slice()];
                return Ok((row.own.slope)(self.system.model(), group, both, index));
            }
            Family::Wrench => places.load(of.into(), item),
            // The number of contacts comes before the energies.
            Family::Sum if item > 0 => places.kinetic_energy() + item - 1,
            Family::ClosestDistance => places.closest(of),
            Family::PairDistance => places.named(of.into()),
            Family::Output => places.output(of.into()),
            Family::Report => {
                let (row, index) = of_report(item);
                let Some(number) = (row.own.number)(index) else {
                    return Ok(0.0);
                };
                let place = places.report(of.into(), number);
                if item == PENETRATION {
                    // Less the gap where the shapes overlap, else zero.
                    let overlaps = self.reported(of.into(), item)? > 0.0;
                    return Ok(if overlaps { -work.outputs[place] } else { 0.0 });
                }
                place
            }
            Family::ContactSum if item == SUM_GAP => {
                places.named(self.scene.sums()[SumId::from(of)].named)
            }
            Family::ContactSum => {
                let (row, index) = of_contact_sum(item);
                let Some(first) = row.own.number else {
                    return Ok(0.0);
                };
                places.sum(of.into(), first + index)
            }
            Family::Intersection if item < SMOOTH => places.intersection(of.into(), item),
            _ => return Ok(0.0),
        };
        Ok(work.outputs[place])
    }

    fn check_partial(&self, [unknowns, knowns]: [&[u32]; 2]) -> Result<(), Failure> {
        for reference in unknowns {
            self.find(*reference, DataType::Float64)?;
        }
        for unknown in quantities(&self.table, unknowns) {
            let is_one = match unknown.family {
                Family::Time | Family::Parameter | Family::Input => false,
                Family::State | Family::Grain => {
                    self.table.causality(&self.scene, unknown) == Causality::Output
                }
                _ => true,
            };
            if !is_one {
                return Err(Failure::error(format!(
                    "variable {} is no unknown; unknowns are state derivatives, outputs and event \
                     indicators",
                    self.element_name(unknown)
                )));
            }
        }
        for reference in knowns {
            self.find(*reference, DataType::Float64)?;
        }
        for known in quantities(&self.table, knowns) {
            let is_one = matches!(
                known.family,
                Family::Time | Family::State | Family::Parameter | Family::Input
            );
            if !is_one {
                return Err(Failure::error(format!(
                    "variable {} is computed, so it is no known; knowns are states, inputs and the \
                     independent variable",
                    self.element_name(known)
                )));
            }
        }
        Ok(())
    }

    /// Checks the length of an array with a value for each element of variables.
    fn check_values(
        &self,
        array: &str,
        found: usize,
        of: &str,
        references: &[u32],
    ) -> Result<(), Failure> {
        let needed = quantities(&self.table, references).count();
        if found == needed {
            return Ok(());
        }
        Err(Failure::error(format!(
            "argument {array} has {found} values; the variables of argument {of} have {needed}"
        )))
    }

    fn no_derivative_by(&self, parameter: Quantity) -> Failure {
        Failure::error(format!(
            "variable {} is a parameter; there are no derivatives by parameters but those that \
             parameter_inputs of the scene makes inputs: knowns are states, inputs and the independent variable",
            self.element_name(parameter)
        ))
    }
}

/// # Errors
/// A number that is not finite.
fn check_seed(seed: &[f64]) -> Result<(), Failure> {
    match seed.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(i) => Err(Failure::error(format!(
            "seed[{i}] is {}; it must be finite",
            Exact(seed[i])
        ))),
    }
}
