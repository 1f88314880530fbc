//! Reading and writing variables by value reference; and poses, contact forces and energies for programs that
//! draw the scene, without value references.

use crate::instance::lifecycle::Instance;
use crate::instance::log::{Category, Failure};
use crate::instance::model_exchange;
use crate::instance::modes::{Call, Kind, Mode, Settable, Setting, Standard, setting};
use crate::instance::variables::grains::IntersectionItem::Kept;
use crate::instance::variables::reports::ReportItem;
use crate::instance::variables::structure::{self, Dependency, Moment};
use crate::instance::variables::{DataType, Initial, Quantity, Variability};
use contact_geometry::math::{Exact, Pose, Vec3};
use contact_laws::index::{BodyId, PairId, ParameterId, ReportId};
use std::ops::Range;

impl Instance {
    /// Reads variables of type Float64; the values of an array follow each other.
    ///
    /// # Errors
    /// Not allowed now; a number of values other than that of the variables; a reference without a Float64
    /// variable ([FMI 3.0] section 2.2.3: illegal arguments are errors); a failed evaluation.
    pub fn get_float64(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Failure> {
        self.allow(Call::GetVariables)?;
        self.check_intermediate(references)?;
        self.check_count(references, values.len())?;
        let mut values = values.iter_mut();
        for reference in references {
            let elements = self.find(*reference, DataType::Float64)?;
            for (element, value) in elements.zip(&mut values) {
                if let Some(quantity) = self.table.meaning(element) {
                    *value = self.value(quantity)?;
                }
            }
        }
        Ok(())
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
        self.get_scalars(references, values, DataType::Int32, |value| value as i32)
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
        self.get_scalars(references, values, DataType::Int64, |value| value as i64)
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
        self.get_scalars(references, values, DataType::Boolean, of_number)
    }

    /// Reads variables that are no floating-point numbers, which are always scalars.
    fn get_scalars<T>(
        &mut self,
        references: &[u32],
        values: &mut [T],
        data_type: DataType,
        of_number: impl Fn(f64) -> T,
    ) -> Result<(), Failure> {
        self.allow(Call::GetVariables)?;
        self.check_intermediate(references)?;
        self.check_count(references, values.len())?;
        for (reference, value) in references.iter().zip(values) {
            let elements = self.find(*reference, data_type)?;
            if let Some(quantity) = self.table.meaning(elements.start) {
                // A count beyond the type stays at its largest number.
                *value = of_number(self.value(quantity)?);
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
        self.allow(Call::SetVariables)?;
        self.check_count(references, values.len())?;
        let mut rest = values.iter();
        for reference in references {
            let elements = self.find(*reference, DataType::Float64)?;
            for (element, value) in elements.zip(&mut rest) {
                if let Some(quantity) = self.table.meaning(element) {
                    self.check_set(quantity, *reference, *value)?;
                }
            }
        }
        let mut has_inputs = false;
        let mut rest = values.iter();
        for reference in references {
            for (element, value) in self.table.elements(*reference).zip(&mut rest) {
                if let Some(quantity) = self.table.meaning(element) {
                    has_inputs |= matches!(quantity, Quantity::Input(_));
                    self.set(quantity, *value);
                }
            }
        }
        if has_inputs {
            self.hold_inputs();
        }
        Ok(())
    }

    /// Sets variables of type Int32.
    ///
    /// # Errors
    /// Not allowed now; a number of values other than that of the variables; a reference without such a
    /// variable; a variable that cannot be set now. Nothing is changed.
    pub(crate) fn set_int32(&mut self, references: &[u32], values: &[i32]) -> Result<(), Failure> {
        self.set_scalars(references, values, DataType::Int32, f64::from)
    }

    /// Sets variables of type Int64, of which none can be set.
    ///
    /// # Errors
    /// As [`Self::set_int32`].
    pub(crate) fn set_int64(&mut self, references: &[u32], values: &[i64]) -> Result<(), Failure> {
        self.set_scalars(references, values, DataType::Int64, |value| value as f64)
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
        self.set_scalars(references, values, DataType::Boolean, of_value)
    }

    /// Sets variables that are no floating-point numbers, which are always scalars and no inputs.
    fn set_scalars<T: Copy>(
        &mut self,
        references: &[u32],
        values: &[T],
        data_type: DataType,
        number: impl Fn(T) -> f64,
    ) -> Result<(), Failure> {
        self.allow(Call::SetDiscreteVariables)?;
        self.check_count(references, values.len())?;
        for (reference, value) in references.iter().zip(values) {
            let elements = self.find(*reference, data_type)?;
            if let Some(quantity) = self.table.meaning(elements.start) {
                self.check_set(quantity, *reference, number(*value))?;
            }
        }
        for (reference, value) in references.iter().zip(values) {
            if let Some(quantity) = self.table.quantity(*reference) {
                self.set(quantity, number(*value));
            }
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

    /// Elements of a variable that functions of this type get and set.
    pub(super) fn find(&self, reference: u32, data_type: DataType) -> Result<Range<u32>, Failure> {
        let of_calls = |quantity| {
            let own = self.table.data_type(quantity);
            own.of_calls(self.options.standard)
        };
        match self.table.quantity(reference) {
            Some(quantity) if of_calls(quantity) == data_type => Ok(self.table.elements(reference)),
            Some(_) => Err(self.not_of_type(reference, self.type_name(data_type))),
            None => Err(self.unknown(reference)),
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
                self.type_name(self.table.data_type(quantity))
            )),
        }
    }

    fn value(&mut self, quantity: Quantity) -> Result<f64, Failure> {
        match quantity {
            Quantity::Time => return Ok(self.run.time),
            Quantity::State(i) => {
                let has_latches = !self.scene.latches().is_empty();
                if has_latches && self.run.mode == Mode::Initialization {
                    self.ready()?;
                    if self.held_states().any(|(_, held)| held == i) {
                        return Ok(0.0);
                    }
                }
                return Ok(self.run.states[i]);
            }
            Quantity::Parameter(i) => return Ok(self.parameter(i)),
            Quantity::Input(i) => return Ok(self.run.inputs.values[i]),
            Quantity::Statistic(statistic) => return Ok(statistic.value(&self.run.memory)),
            _ => self.set_present_states()?,
        }
        let cache = &mut self.cache;
        match quantity {
            Quantity::Derivative(i) => {
                if !cache.derivatives_valid {
                    self.system.derivatives_here(&mut cache.derivatives)?;
                    cache.derivatives_valid = true;
                }
                return Ok(cache.derivatives[i]);
            }
            Quantity::Indicator(i) => {
                if !cache.indicators_valid {
                    self.system.indicators_here(&mut cache.indicators)?;
                    cache.indicators_valid = true;
                }
                return Ok(cache.indicators[i]);
            }
            Quantity::Output(i) => {
                let value = self.system.output_here(i)?;
                return self.finite(quantity, value);
            }
            Quantity::Grain(group, item) => {
                let states = model_exchange::present_states(&self.run, &self.start);
                let group = &self.scene.grains()[group];
                let value = item.value(self.system.model(), group, states);
                return self.finite(quantity, value);
            }
            Quantity::PairDistance(i) => {
                let value = self.system.distance_here(i);
                return self.finite(quantity, value);
            }
            Quantity::Intersection(index, item) => {
                let is_kept = item == Kept && self.system.sparsified_here().0.is_kept(index);
                let value = item.value(&self.system.intersection_here(index), is_kept);
                return self.finite(quantity, value);
            }
            Quantity::Report(place, item) => {
                let value = self.reported(place, item)?;
                return self.finite(quantity, value);
            }
            _ => {}
        }
        let outputs = self.system.outputs_here()?;
        let value = match quantity {
            Quantity::ContactForce(body, i) => outputs.contact_forces[body][i],
            Quantity::ContactTorque(body, i) => outputs.contact_torques[body][i],
            Quantity::ContactCount => outputs.contact_count as f64,
            Quantity::KineticEnergy => outputs.kinetic_energy,
            Quantity::PotentialEnergy => outputs.potential_energy,
            Quantity::ClosestDistance(i) => outputs.closest_distances[i],
            _ => outputs.elastic_energy,
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
    pub(super) fn reported(&mut self, place: ReportId, item: ReportItem) -> Result<f64, Failure> {
        let (load, impacts) = (
            self.run.step_loads[place],
            self.system.ledger().impacts()[place],
        );
        let reports = self.system.reports_here()?;
        Ok(item.value(&reports[place], &impacts, &load))
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
        match quantity {
            Quantity::State(_) if self.table.initial(quantity) != Some(Initial::Exact) => None,
            Quantity::State(_) => Some(Settable::State),
            Quantity::Parameter(_) => Some(match self.table.variability(quantity) {
                Variability::Tunable => Settable::TunableParameter,
                _ => Settable::FixedParameter,
            }),
            Quantity::Input(_) => Some(Settable::Input),
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
        match quantity {
            Quantity::Parameter(_) if !value.is_finite() => Err(Failure::error(format!(
                "value of parameter {} is {value}; it must be finite",
                self.element_name(quantity)
            ))),
            Quantity::Input(i) => self.check_input(i, value),
            // Start values are checked together when initialisation ends.
            Quantity::State(i)
                if !value.is_finite()
                    && !matches!(mode, Mode::Instantiated | Mode::Initialization) =>
            {
                Err(self.refused_state(i, value))
            }
            _ => Ok(()),
        }
    }

    fn set(&mut self, quantity: Quantity, value: f64) {
        match quantity {
            Quantity::Input(i) => {
                self.set_input(i, value);
                return;
            }
            Quantity::State(i) => {
                if self.run.states[i] != value {
                    self.states_moved();
                }
                self.run.states[i] = value;
            }
            Quantity::Parameter(i) => {
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
        let of_model = !self.scene.parameters()[index].is_of_integrator();
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
