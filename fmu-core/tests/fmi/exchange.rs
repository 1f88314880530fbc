//! An instance as the runs of `habits` see it.

use super::importer::{Importer, Version};
use crate::habits::Exchange;

impl<V: Version> Exchange for Importer<V> {
    fn set_time(&self, time: f64) {
        self.fine(Importer::set_time(self, time));
    }

    fn set_states(&self, states: &[f64]) {
        self.fine(Importer::set_states(self, states));
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
        self.ok(V::ENTER_EVENT);
    }

    fn update(&self, once: bool) {
        loop {
            let (status, again) = V::update(self.instance);
            self.fine(status);
            if once || !again {
                return;
            }
        }
    }

    fn enter_continuous_time_mode(&self) {
        self.ok(V::ENTER_CONTINUOUS_TIME);
    }
}
