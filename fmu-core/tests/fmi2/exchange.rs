//! An instance as the runs of `habits` see it.

use super::importer::Importer;
use crate::habits::Exchange;
use fmu_core::fmi2::fmi2Status::fmi2OK;
use fmu_core::fmi2::*;

impl Exchange for Importer {
    fn set_time(&self, time: f64) {
        assert_eq!(Importer::set_time(self, time), fmi2OK);
    }

    fn set_states(&self, states: &[f64]) {
        assert_eq!(Importer::set_states(self, states), fmi2OK);
    }

    fn states(&self) -> Vec<f64> {
        self.continuous_states()
    }

    fn nominals(&self) -> Vec<f64> {
        Importer::nominals(self)
    }

    fn derivatives(&self) -> Vec<f64> {
        Importer::derivatives(self)
    }

    fn indicators(&self) -> Vec<f64> {
        self.event_indicators()
    }

    fn completed_step(&self) -> bool {
        let (status, [enter, terminate]) = Importer::completed_step(self);
        assert_eq!((status, terminate), (fmi2OK, fmi2False));
        enter == fmi2True
    }

    fn enter_event_mode(&self) {
        self.ok(fmi2EnterEventMode);
    }

    fn update(&self, once: bool) {
        while Importer::update(self).newDiscreteStatesNeeded != fmi2False && !once {}
    }

    fn enter_continuous_time_mode(&self) {
        self.ok(fmi2EnterContinuousTimeMode);
    }
}
