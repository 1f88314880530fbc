//! An instance of FMI 3.0 as the runs of `habits` see it.

use super::importer::Importer;
use crate::habits::Exchange;
use fmu_core::fmi3::*;

impl Exchange for Importer {
    fn set_time(&self, time: f64) {
        assert_eq!(Importer::set_time(self, time), fmi3Status::fmi3OK);
    }

    fn set_states(&self, states: &[f64]) {
        assert_eq!(Importer::set_states(self, states), fmi3Status::fmi3OK);
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
        Importer::completed_step(self)
    }

    fn enter_event_mode(&self) {
        self.ok(fmi3EnterEventMode);
    }

    fn update(&self, once: bool) {
        loop {
            let (status, [again, ..], _) = Importer::update(self);
            assert_eq!(status, fmi3Status::fmi3OK);
            if once || !again {
                return;
            }
        }
    }

    fn enter_continuous_time_mode(&self) {
        self.ok(fmi3EnterContinuousTimeMode);
    }
}
