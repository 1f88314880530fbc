//! Model Exchange: the importer sets time and states and evaluates derivatives and indicators.
//!
//! Nothing is allocated here, and evaluations at the same time and states share their work inside the system.

use crate::instance::lifecycle::{Instance, Start};
use crate::instance::log::Failure;
use crate::instance::modes::{Call, Mode, Standard};
use crate::instance::state::Run;
use crate::instance::variables::Family;
use contact_geometry::math::Exact;
use contact_model::hybrid::HybridSystem;

impl Instance {
    /// Sets the time [s]; it may go back.
    ///
    /// A time past the stop time is accepted: integrators try such times and come back.
    ///
    /// # Errors
    /// Not allowed now; a time that is not finite; in Event Mode of FMI 3.0 another time after the update. In
    /// FMI 2.0 that is another event, section 3.2.3.
    pub(crate) fn set_time(&mut self, time: f64) -> Result<(), Failure> {
        self.allow(Call::SetTime)?;
        if !time.is_finite() {
            return Err(Failure::error(format!(
                "time is {time} s; it must be finite",
                time = Exact(time)
            )));
        }
        if time == self.run.time {
            return Ok(());
        }
        if self.run.mode == Mode::Event && self.run.updated {
            if self.options.standard == Standard::Fmi3 {
                return Err(Failure::error(format!(
                    "time is {time} s in Event Mode, where the event at {} s was handled already; \
                     enter Continuous-Time Mode first",
                    self.run.time,
                    time = Exact(time)
                )));
            }
            // Another event; the contacts that the one before has left are those it starts from.
            self.run.updated = false;
            self.run.first_event_mode = false;
            self.entry.copy_from(self.system.ledger());
        }
        self.run.time = time;
        if self.run.mode != Mode::ContinuousTime || self.system.depends_on_time() {
            self.start.valid = false;
            self.touch();
        } else {
            self.system.note_time(time);
            // Those that hold the minimum since the last step depend on time.
            self.cache.indicators_valid = false;
        }
        Ok(())
    }

    /// Sets all states.
    ///
    /// # Errors
    /// Not allowed now; another number of states. A discard for a state that is not finite, as required by
    /// [FMI 3.0] section 3.2.1; nothing is changed.
    #[inline(always)]
    pub(crate) fn set_continuous_states(&mut self, states: &[f64]) -> Result<(), Failure> {
        self.allow(Call::SetContinuousStates)?;
        self.check_length("states", states.len(), self.run.states.len())?;
        if let Err(i) = self.system.set_time_and_states(self.run.time, states) {
            return Err(self.refused_state(i, states[i]));
        }
        if self.run.mode == Mode::Event && self.run.states != states {
            self.states_moved();
        }
        self.run.states.copy_from_slice(states);
        self.touch();
        if self.bound && self.unbound.is_empty() && !self.run.parameters_changed {
            self.cache.ready_at = self.system.moves();
        }
        Ok(())
    }

    /// Reads all states.
    ///
    /// # Errors
    /// Not allowed now; another number of states.
    pub(crate) fn continuous_states(&mut self, states: &mut [f64]) -> Result<(), Failure> {
        self.allow(Call::GetContinuousStates)?;
        self.check_length("states", states.len(), self.run.states.len())?;
        states.copy_from_slice(&self.run.states);
        if self.run.mode == Mode::Initialization && !self.scene.latches().is_empty() {
            self.ready()?;
            self.held_states().for_each(|(_, held)| states[held] = 0.0);
        }
        Ok(())
    }

    /// Nominal values of all states, from the set that alternates with events.
    ///
    /// # Errors
    /// Not allowed now; another number of states; parameters out of range.
    pub(crate) fn nominals(&mut self, nominals: &mut [f64]) -> Result<(), Failure> {
        self.allow(Call::GetNominals)?;
        self.check_length("states", nominals.len(), self.run.states.len())?;
        self.ready()?;
        let factor = self.run.nominal_set.factor();
        for (nominal, known) in nominals.iter_mut().zip(self.system.importer_nominals()) {
            *nominal = known * factor;
        }
        Ok(())
    }

    /// Derivatives of all states.
    ///
    /// # Errors
    /// Not allowed now; another number of states. A discard if they cannot be computed at the current states,
    /// as required by [FMI 3.0] section 3.2.1.
    #[inline(always)]
    pub(crate) fn derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        self.allow(Call::GetDerivatives)?;
        self.check_length("states", derivatives.len(), self.run.states.len())?;
        self.set_present_states()?;
        Ok(self.system.derivatives_here(derivatives)?)
    }

    /// Event indicators.
    ///
    /// # Errors
    /// Not allowed now; another number of indicators. A discard if they cannot be computed.
    #[inline(always)]
    pub(crate) fn indicators(&mut self, indicators: &mut [f64]) -> Result<(), Failure> {
        self.allow(Call::GetIndicators)?;
        let count = self.cache.indicators.len();
        self.check_length("event indicators", indicators.len(), count)?;
        self.set_present_states()?;
        self.system.indicators_here(indicators)?;
        Ok(())
    }

    /// # Errors
    /// Not allowed now.
    pub(crate) fn state_count(&self) -> Result<usize, Failure> {
        self.allow(Call::GetCounts)?;
        Ok(self.run.states.len())
    }

    /// # Errors
    /// Not allowed now.
    pub(crate) fn indicator_count(&self) -> Result<usize, Failure> {
        self.allow(Call::GetCounts)?;
        Ok(self.cache.indicators.len())
    }

    /// To be called when the integrator of the importer has accepted a step that ends at the current time and
    /// states. Returns true if Event Mode must be entered. May be called more than once.
    ///
    /// # Errors
    /// Not allowed now; invalid states.
    pub(crate) fn completed_integrator_step(&mut self) -> Result<bool, Failure> {
        self.allow(Call::CompletedStep)?;
        self.ready()?;
        let asked = self
            .system
            .completed_step(self.run.time, &self.run.states)?;
        // Slots of indicators may have been given to other pairs.
        self.touch();
        self.beat_of_importer();
        self.watch_distances()?;
        self.watch_driven_bodies();
        // For an importer that passes over the time event.
        let jump_due = self.system.motion_jumps().is_due(self.run.time);
        Ok(asked || jump_due || !self.run.waiting.is_empty())
    }

    /// Prepares the system for evaluations at the current time and states.
    #[inline(always)]
    pub(super) fn set_present_states(&mut self) -> Result<(), Failure> {
        if self.cache.ready_at == self.system.moves() {
            return Ok(());
        }
        self.go_here()
    }

    #[cold]
    fn go_here(&mut self) -> Result<(), Failure> {
        self.ready()?;
        self.system
            .go_to(self.run.time, present_states(&self.run, &self.start))?;
        self.cache.ready_at = self.system.moves();
        Ok(())
    }

    #[inline(always)]
    pub(super) fn check_length(
        &self,
        what: &str,
        found: usize,
        expected: usize,
    ) -> Result<(), Failure> {
        if found == expected {
            return Ok(());
        }
        Err(refuse_length(what, found, expected))
    }

    #[cold]
    pub(super) fn refused_state(&self, index: usize, value: f64) -> Failure {
        let name = self.element_name(Family::State.of(index));
        Failure::discard(format!("state {name} is {value}; it must be finite"))
    }
}

#[cold]
fn refuse_length(what: &str, found: usize, expected: usize) -> Failure {
    Failure::error(format!(
        "vector of {found} {what}; this model has {expected}"
    ))
}

/// States used by evaluations: before initialisation ends, those derived from the start values.
pub(super) fn present_states<'a>(run: &'a Run, start: &'a Start) -> &'a [f64] {
    match run.mode {
        Mode::Instantiated | Mode::Initialization => &start.states,
        _ => &run.states,
    }
}
