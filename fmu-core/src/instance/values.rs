//! Reading and writing variables by value reference; and poses, contact forces and energies for programs that
//! draw the scene, without value references.

use crate::instance::lifecycle::Instance;
use crate::instance::log::{Category, Failure};
use crate::instance::model_exchange;
use crate::instance::modes::{Call, Kind, Mode, Settable, Setting, Standard, setting};
use crate::instance::variables::structure::{self, Dependency, Moment};
use crate::instance::variables::tables::{
    Grain, KEPT, Reported, STATISTICS, SUM_GAP, SUMS, Summed, WRENCH, of_contact_sum,
    of_intersection, of_report,
};
use crate::instance::variables::{DataType, Family, Initial, Quantity, Variability};
use contact_geometry::math::{Exact, Pose, Vec3};
use contact_laws::index::{BodyId, InputId, IntersectionId, PairId, ParameterId, ReportId, SumId};
use contact_model::scene::{Element, GrainsId};
use std::ops::Range;

impl Instance {
    /// Reads variables of type Float64; the values of an array follow each other.
    ///
    /// # Errors
    /// Not allowed now; a number of values other than that of the variables; a reference without a Float64
    /// variable ([FMI 3.0] section 2.2.3: illegal arguments are errors); a failed evaluation.
    pub fn get_float64(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Failure> {
        self.get_all(references, values, DataType::Float64, |value| value)
    }

    /// Reads variables of type Int32.
    ///
    /// # Errors
    /// As [`Self::get_float64`].
    pub(crate) fn get_int32(
        &mut self,
        references: &[u32],
        values: &mut [i32],
    ) -> Result<(), Failure> {
        self.get_all(references, values, DataType::Int32, |value| value as i32)
    }

    /// Reads variables of type Int64.
    ///
    /// # Errors
    /// As [`Self::get_float64`].
    pub(crate) fn get_int64(
        &mut self,
        references: &[u32],
        values: &mut [i64],
    ) -> Result<(), Failure> {
        self.get_all(references, values, DataType::Int64, |value| value as i64)
    }

    /// Reads variables of type Boolean, as the type that represents one in C.
    ///
    /// # Errors
    /// As [`Self::get_float64`].
    pub(crate) fn get_boolean<T: From<bool>>(
        &mut self,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), Failure> {
        let of_number = |value| T::from(value != 0.0);
        self.get_all(references, values, DataType::Boolean, of_number)
    }

    fn get_all<T>(
        &mut self,
        references: &[u32],
        values: &mut [T],
        data_type: DataType,
        of_number: impl Fn(f64) -> T,
    ) -> Result<(), Failure> {
        self.allow(Call::GetVariables)?;
        self.check_intermediate(references)?;
        self.check_count(references, values.len())?;
        let mut values = values.iter_mut();
        for reference in references {
            let (elements, first) = self.find(*reference, data_type)?;
            let mut first = Some(first);
            for (element, value) in elements.zip(&mut values) {
                if let Some(quantity) = first.take().or_else(|| self.table.meaning(element)) {
                    // A count beyond the type stays at its largest number.
                    *value = of_number(self.value(quantity)?);
                }
            }
        }
        Ok(())
    }

    /// Sets variables of type Float64: start values of states and parameters before initialisation ends,
    /// states in Model Exchange, inputs.
    ///
    /// # Errors
    /// Not allowed now; a number of values other than that of the variables; a reference without a Float64
    /// variable; a variable that cannot be set now; a parameter or input that is not finite. A discard for a
    /// state or input that is not finite in a running simulation. Nothing is changed.
    pub fn set_float64(&mut self, references: &[u32], values: &[f64]) -> Result<(), Failure> {
        self.set_all(references, values, DataType::Float64, |value| value)
    }

    /// Sets variables of type Int32.
    ///
    /// # Errors
    /// Not allowed now; a number of values other than that of the variables; a reference without such a
    /// variable; a variable that cannot be set now. Nothing is changed.
    pub(crate) fn set_int32(&mut self, references: &[u32], values: &[i32]) -> Result<(), Failure> {
        self.set_all(references, values, DataType::Int32, f64::from)
    }

    /// Sets variables of type Int64, of which none can be set.
    ///
    /// # Errors
    /// As [`Self::set_int32`].
    pub(crate) fn set_int64(&mut self, references: &[u32], values: &[i64]) -> Result<(), Failure> {
        self.set_all(references, values, DataType::Int64, |value| value as f64)
    }

    /// Sets variables of type Boolean, nonzero for true; none can be set.
    ///
    /// # Errors
    /// Not allowed now; any reference.
    pub(crate) fn set_boolean<T: Copy + Into<i64>>(
        &mut self,
        references: &[u32],
        values: &[T],
    ) -> Result<(), Failure> {
        let of_value = |value: T| f64::from(u8::from(value.into() != 0));
        self.set_all(references, values, DataType::Boolean, of_value)
    }

    fn set_all<T: Copy>(
        &mut self,
        references: &[u32],
        values: &[T],
        data_type: DataType,
        number: impl Fn(T) -> f64,
    ) -> Result<(), Failure> {
        self.allow(match data_type {
            DataType::Float64 => Call::SetVariables,
            _ => Call::SetDiscreteVariables,
        })?;
        self.check_count(references, values.len())?;
        let mut rest = values.iter();
        for reference in references {
            let (elements, _) = self.find(*reference, data_type)?;
            for (element, value) in elements.zip(&mut rest) {
                if let Some(quantity) = self.table.meaning(element) {
                    self.check_set(quantity, *reference, number(*value))?;
                }
            }
        }
        let mut has_inputs = false;
        let mut rest = values.iter();
        for reference in references {
            for (element, value) in self.table.elements(*reference).zip(&mut rest) {
                if let Some(quantity) = self.table.meaning(element) {
                    has_inputs |= quantity.family == Family::Input;
                    self.set(quantity, number(*value));
                }
            }
        }
        if has_inputs {
            self.hold_inputs();
        }
        Ok(())
    }

    /// Rejects references of a type without variables; an empty list is accepted.
    ///
    /// # Errors
    /// Not allowed now; any reference.
    pub(crate) fn no_variables_of_type(
        &self,
        call: Call,
        type_name: &str,
        references: &[u32],
    ) -> Result<(), Failure> {
        self.allow(call)?;
        match references.first() {
            None => Ok(()),
            Some(reference) => Err(self.not_of_type(*reference, type_name)),
        }
    }

    /// Dependencies of the elements of a variable: on states, inputs and parameters before initialisation
    /// ends, on states, inputs and tunable parameters afterwards.
    ///
    /// # Errors
    /// Not allowed now; an unknown reference.
    pub(crate) fn dependencies(&self, reference: u32) -> Result<Vec<Dependency>, Failure> {
        self.allow(Call::GetDependencies)?;
        if self.table.quantity(reference).is_none() {
            return Err(self.unknown(reference));
        }
        if !self.scene.grains().is_empty() {
            return Err(Failure::error(
                "no dependencies by element: in a scene with groups of balls every unknown may depend \
                 on all knowns",
            ));
        }
        let moment = match self.run.mode {
            Mode::Instantiated | Mode::Initialization => Moment::Start,
            _ => Moment::Run,
        };
        Ok(structure::dependencies(
            &self.scene,
            &self.table,
            reference,
            moment,
        ))
    }

    /// Elements of a variable that functions of this type get and set, and the meaning of the first one.
    pub(super) fn find(
        &self,
        reference: u32,
        data_type: DataType,
    ) -> Result<(Range<u32>, Quantity), Failure> {
        let elements = self.table.elements(reference);
        let Some(first) = self.table.meaning(elements.start) else {
            return Err(self.unknown(reference));
        };
        let own = first.data_type(&self.scene);
        match own.of_calls(self.options.standard) == data_type {
            true => Ok((elements, first)),
            false => Err(self.not_of_type(reference, self.type_name(data_type))),
        }
    }

    /// Checks for as many values as the variables have elements. A reference without a variable counts as a
    /// scalar here; its error comes later.
    fn check_count(&self, references: &[u32], values: usize) -> Result<(), Failure> {
        let size = |reference: &u32| self.table.dimension(*reference).unwrap_or(1);
        let needed: usize = references.iter().map(size).sum();
        if needed == values {
            return Ok(());
        }
        Err(Failure::error(format!(
            "{values} values for {} value references, whose variables have {needed} values",
            references.len()
        )))
    }

    pub(super) fn unknown(&self, reference: u32) -> Failure {
        Failure::error(format!(
            "no variable has the value reference {reference}; there are 1..={}",
            self.table.count()
        ))
    }

    fn not_of_type(&self, reference: u32, wanted: &str) -> Failure {
        match self.table.quantity(reference) {
            None => self.unknown(reference),
            Some(quantity) => Failure::error(format!(
                "variable {} (value reference {reference}) is of type {}, not {wanted}",
                self.name(quantity),
                self.type_name(quantity.data_type(&self.scene))
            )),
        }
    }

    /// Value of an element; 1 for true.
    pub(super) fn value(&mut self, quantity: Quantity) -> Result<f64, Failure> {
        let Quantity { family, of, item } = quantity;
        let is_known = matches!(
            family,
            Family::Time | Family::State | Family::Parameter | Family::Input | Family::Statistic
        );
        if !is_known {
            self.set_present_states()?;
        }
        let cache = &mut self.cache;
        let value = match family {
            Family::Time => return Ok(self.run.time),
            Family::State => {
                let has_latches = !self.scene.latches().is_empty();
                if has_latches && self.run.mode == Mode::Initialization {
                    self.ready()?;
                    if self.held_states().any(|(_, held)| held == of) {
                        return Ok(0.0);
                    }
                }
                return Ok(self.run.states[of]);
            }
            Family::Parameter => return Ok(self.parameter(of.into())),
            Family::Input => return Ok(self.run.inputs.values[InputId::from(of)]),
            Family::Statistic => return Ok((STATISTICS[item].own)(&self.run.memory)),
            Family::Derivative => {
                if !cache.derivatives_valid {
                    self.system.derivatives_here(&mut cache.derivatives)?;
                    cache.derivatives_valid = true;
                }
                return Ok(cache.derivatives[of]);
            }
            Family::Indicator => {
                if !cache.indicators_valid {
                    self.system.indicators_here(&mut cache.indicators)?;
                    cache.indicators_valid = true;
                }
                return Ok(cache.indicators[of]);
            }
            Family::Output => self.system.output_here(of.into())?,
            Family::Grain => {
                let states = model_exchange::present_states(&self.run, &self.start);
                let group = &self.scene.grains()[GrainsId::from(of)];
                let Grain { row, index, .. } = Grain::of(group, item);
                (row.own.value)(self.system.model(), group, states, index)
            }
            Family::PairDistance => self.system.distance_here(of.into()),
            Family::Intersection => {
                let place = IntersectionId::from(of);
                let is_kept = item == KEPT && self.system.sparsified_here().0.is_kept(place);
                let (row, index) = of_intersection(item);
                (row.own)(&self.system.intersection_here(place), is_kept, index)
            }
            Family::Report => self.reported(of.into(), item)?,
            Family::ContactSum => self.summed(of.into(), item)?,
            Family::Wrench => {
                let loads = (WRENCH[item / 3].own)(self.system.outputs_here()?);
                loads[BodyId::from(of)][item % 3]
            }
            Family::ClosestDistance => self.system.outputs_here()?.closest_distances[of],
            Family::Sum => (SUMS[item].own.value)(self.system.outputs_here()?),
        };
        self.finite(quantity, value)
    }

    /// # Errors
    /// A discard for a value that is not finite: a sum or square that overflows.
    fn finite(&self, quantity: Quantity, value: f64) -> Result<f64, Failure> {
        match value.is_finite() {
            true => Ok(value),
            false => Err(Failure::discard(format!(
                "{} is {value} at {} s; it must be finite",
                self.element_name(quantity),
                Exact(self.run.time)
            ))),
        }
    }

    /// Item of a pair's report at the current time and state; 1 for true.
    ///
    /// # Errors
    /// A failed user function.
    pub(super) fn reported(&mut self, place: ReportId, item: usize) -> Result<f64, Failure> {
        let (load, impacts) = (
            self.run.step_loads[place],
            self.system.ledger().impacts()[place],
        );
        let reported = Reported {
            report: &self.system.reports_here()?[place],
            impacts: &impacts,
            load: &load,
        };
        let (row, index) = of_report(item);
        Ok((row.own.value)(&reported, index))
    }

    /// Item of a sum of contacts at the current time and state; 1 for true.
    fn summed(&mut self, sum: SumId, item: usize) -> Result<f64, Failure> {
        let (report, named) = (self.scene.report_of(sum), self.scene.sums()[sum].named);
        let gap = match item {
            SUM_GAP => self.system.distance_here(named),
            _ => 0.0,
        };
        let impacts = self.system.ledger().impacts()[report];
        let (row, index) = of_contact_sum(item);
        let summed = Summed {
            report: &self.system.sums_here()?[sum],
            gap,
            impacts: &impacts,
            load: &self.run.step_loads[report],
        };
        Ok((row.own.value)(&summed, index))
    }

    /// Parameter as last set, also if it waits for an event.
    fn parameter(&self, index: ParameterId) -> f64 {
        let waiting = self.waiting(index);
        waiting.unwrap_or_else(|| self.run.parameters.get(index))
    }

    fn waiting(&self, index: ParameterId) -> Option<f64> {
        let mut newest_first = self.run.waiting.iter().rev();
        let found = newest_first.find(|(i, _)| *i == index);
        found.map(|(_, value)| *value)
    }

    fn setting(&self, sort: Settable) -> Setting {
        setting(
            sort,
            self.rules(),
            self.run.mode,
            self.run.first_event_mode,
            self.options.event_mode_used,
        )
    }

    fn sort(&self, quantity: Quantity) -> Option<Settable> {
        match quantity.family {
            Family::State if quantity.initial(&self.scene) != Some(Initial::Exact) => None,
            Family::State => Some(Settable::State),
            Family::Parameter => Some(match quantity.variability(&self.scene) {
                Variability::Tunable => Settable::TunableParameter,
                _ => Settable::FixedParameter,
            }),
            Family::Input => Some(Settable::Input),
            _ => None,
        }
    }

    fn check_set(&self, quantity: Quantity, reference: u32, value: f64) -> Result<(), Failure> {
        let sort = match self.sort(quantity) {
            Some(sort) => sort,
            None => {
                return Err(Failure::error(format!(
                    "variable {} (value reference {reference}) is computed and cannot be set",
                    self.name(quantity)
                )));
            }
        };
        let (kind, mode) = (self.options.kind, self.run.mode);
        if self.setting(sort) == Setting::Refused {
            let what = match sort {
                Settable::State if kind == Kind::CoSimulation => "a state of a Co-Simulation",
                Settable::State => "a state",
                Settable::FixedParameter => "a fixed parameter",
                Settable::TunableParameter => "a tunable parameter",
                Settable::Input => "an input",
            };
            let place = match sort {
                Settable::Input => "before the run is terminated",
                Settable::TunableParameter => "in Event Mode or before initialisation ends",
                _ => "before initialisation ends",
            };
            return Err(Failure::error(format!(
                "variable {} (value reference {reference}) is {what} and cannot be set in {}; set \
                 it {place}",
                self.name(quantity),
                mode.name()
            )));
        }
        match quantity.family {
            Family::Parameter if !value.is_finite() => Err(Failure::error(format!(
                "value of parameter {} is {value}; it must be finite",
                self.element_name(quantity)
            ))),
            Family::Input => self.check_input(quantity.of.into(), value),
            // Start values are checked together when initialisation ends.
            Family::State
                if !value.is_finite()
                    && !matches!(mode, Mode::Instantiated | Mode::Initialization) =>
            {
                Err(self.refused_state(quantity.of, value))
            }
            _ => Ok(()),
        }
    }

    fn set(&mut self, quantity: Quantity, value: f64) {
        match quantity.family {
            Family::Input => {
                self.set_input(quantity.of.into(), value);
                return;
            }
            Family::State => {
                let i = quantity.of;
                if self.run.states[i] != value {
                    self.states_moved();
                }
                self.run.states[i] = value;
            }
            Family::Parameter => {
                let i = quantity.of.into();
                // Some importers set all tunable parameters at each step; only a change is an
                // event.
                let is_running =
                    !matches!(self.run.mode, Mode::Instantiated | Mode::Initialization);
                let waits = !self.run.waiting.is_empty();
                if is_running && !waits && self.run.parameters.holds(&self.scene, i, value) {
                    return;
                }
                let sort = self.sort(quantity);
                if sort.map(|sort| self.setting(sort)) == Some(Setting::AtNextEvent) {
                    if self.waiting(i).map(f64::to_bits) == Some(value.to_bits()) {
                        return;
                    }
                    self.run.waiting.push((i, value));
                    self.log.info(Category::Events, || {
                        let (t, name) = (self.run.time, self.element_name(quantity));
                        format!("parameter waits for an event: t={t:?} name={name} value={value:?}")
                    });
                    return;
                }
                // A state from an instance with Event Mode may have brought some along.
                self.apply_waiting_parameters();
                self.set_parameter(i, value);
            }
            _ => {}
        }
        self.start.valid = false;
        self.touch();
    }
}

impl Instance {
    fn type_name(&self, data_type: DataType) -> &'static str {
        match (self.options.standard, data_type) {
            (Standard::Fmi2, DataType::Float64) => "Real",
            (Standard::Fmi2, DataType::Int32 | DataType::Int64) => "Integer",
            (_, DataType::Boolean) => "Boolean",
            (Standard::Fmi3, DataType::Float64) => "Float64",
            (Standard::Fmi3, DataType::Int32) => "Int32",
            (Standard::Fmi3, DataType::Int64) => "Int64",
        }
    }

    fn set_parameter(&mut self, index: ParameterId, value: f64) {
        self.run.parameters.set(&self.scene, index, value);
        // A number of the integrator changes no contact.
        let of_model = self.scene.parameters()[index].element != Element::Experiment;
        self.run.parameters_changed |=
            of_model && matches!(self.run.mode, Mode::Event | Mode::Step);
        self.bound = false;
        self.touch();
    }

    /// Applies the parameters set since the last event, at an event or at the start of a communication step.
    pub(super) fn apply_waiting_parameters(&mut self) {
        for (index, value) in std::mem::take(&mut self.run.waiting) {
            self.set_parameter(index, value);
        }
    }
}

/// Contact force at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Its pair.
    pub pair: PairId,
    /// Point of application, world frame [m].
    pub point_w: Vec3,
    /// Force on body 2 of the pair, world axes [N].
    pub force_w: Vec3,
}

/// Energies at one state [J], as the outputs of the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity and joint springs.
    pub potential: f64,
    /// Elastic energy of contacts and end stops.
    pub elastic: f64,
}

impl Instance {
    /// Calls `visit` with the world pose of each body, in scene order.
    ///
    /// # Errors
    /// Not allowed now; invalid inputs, by name.
    pub fn each_pose(&mut self, mut visit: impl FnMut(&Pose)) -> Result<(), Failure> {
        self.view()?;
        for body in 0..self.scene.bodies().len() {
            let (pose, _) = self.system.body_here(BodyId::from(body))?;
            visit(&pose);
        }
        Ok(())
    }

    /// Calls `visit` with each contact that has a force, in pair order.
    ///
    /// # Errors
    /// Not allowed now; a failed evaluation.
    pub fn each_contact_force(
        &mut self,
        mut visit: impl FnMut(ContactForce),
    ) -> Result<(), Failure> {
        self.view()?;
        self.system.contact_forces_here(|pair, point_w, force_w| {
            visit(ContactForce {
                pair,
                point_w,
                force_w,
            });
        })?;
        Ok(())
    }

    /// Energies of the scene.
    ///
    /// # Errors
    /// Not allowed now; a failed evaluation.
    pub fn energies(&mut self) -> Result<Energies, Failure> {
        self.view()?;
        let outputs = self.system.outputs_here()?;
        Ok(Energies {
            kinetic: outputs.kinetic_energy,
            potential: outputs.potential_energy,
            elastic: outputs.elastic_energy,
        })
    }

    fn view(&mut self) -> Result<(), Failure> {
        self.allow(Call::GetVariables)?;
        self.set_present_states()
    }
}
