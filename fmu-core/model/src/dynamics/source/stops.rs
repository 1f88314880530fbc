//! End stops of joints as sources of events: stops in contact, and the values frozen by their laws.

use crate::contact::StopContact;
use crate::dynamics::contacts::Mode;
use crate::dynamics::model::StopModel;
use crate::dynamics::path::Path;
use crate::dynamics::source::{Change, EventSource, LookAhead, StopChange, Tangential};
use crate::dynamics::stage::Stage;
use crate::dynamics::tree;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::EvaluationError;
use contact_geometry::math::Quartic;

#[derive(Debug, Default)]
pub(crate) struct StopEvents(Vec<StopChange>);

/// Indicator of a stop out of contact over a path.
fn on_path(path: &Path, stop: &StopModel) -> Quartic {
    let coordinate = path.coordinate(stop.position());
    Quartic(coordinate.0.map(|q| stop.indicator_at(q, false)))
}

impl EventSource for StopEvents {
    fn count(&self, mode: &Mode) -> usize {
        mode.scope.stops.len()
    }

    fn indicators(&self, stage: &mut Stage, indicators: &mut [f64]) {
        let Stage { mode, states, .. } = stage;
        for (indicator, stop) in indicators.iter_mut().zip(&mode.scope.stops) {
            let in_contact = mode.ledger.stops()[*stop].is_some();
            *indicator = mode.model.stops[*stop].indicator(states, in_contact);
        }
    }

    fn indicators_along(
        &self,
        mode: &Mode,
        _: &Workspace<Tangential>,
        states: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        for (index, stop) in mode.scope.stops.iter().enumerate() {
            let in_contact = mode.ledger.stops()[*stop].is_some();
            set(index, mode.model.stops[*stop].indicator(states, in_contact));
        }
    }

    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        for (index, stop) in mode.scope.stops.iter().enumerate() {
            if mode.ledger.stops()[*stop].is_none() {
                let mut function = on_path(path, &mode.model.stops[*stop]);
                ahead.goal.meet(index, &mut function);
            }
        }
    }

    /// A stop that stays in contact keeps its frozen values.
    fn switch(&mut self, stage: &mut Stage, _: f64) -> Result<(), EvaluationError> {
        self.0.clear();
        let Stage {
            mode, work, states, ..
        } = stage;
        let model = &*mode.model;
        for index in mode.scope.stops.iter().copied() {
            let (stop, contact) = (&model.stops[index], &mut mode.ledger.stops_mut()[index]);
            let touches = stop.touches(states);
            if touches == contact.is_some() {
                continue;
            }
            let speed = stop.depth_rate(states).abs();
            *contact = touches.then(|| {
                let known = model.scene.stops()[index];
                let inertia = tree::along_coordinate(model, work, known.joint, known.coordinate);
                StopContact {
                    impact_speed: speed,
                    frozen: stop.law.frozen(&stop.damping, speed, inertia),
                }
            });
            self.0.push(StopChange {
                stop: index,
                impact_speed: touches.then_some(speed),
            });
        }
        Ok(())
    }

    fn log(&self, changes: &mut Vec<Change>) {
        changes.extend(self.0.iter().copied().map(Change::Stop));
    }
}
