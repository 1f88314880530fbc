//! Triggers as sources of events: outputs that reach a value.
//!
//! With the output y, the value c, the hysteresis h > 0 and s = 1 from below, -1 from above, the event
//! indicator is z = s (c - y) while the trigger is off and z = s (y - c) + h while it is on. It is positive
//! until the trigger switches, and h right after that, so that a fluctuating output does not cause endless
//! events.
//!
//! The truth value acts on nothing in the scene: triggers are evaluated last at an event, when velocities
//! have their impulses.
//!
//! Over a path z is the polynomial of degree 4 through five of its points: exact for a coordinate, otherwise
//! an interpolant without error bound. In Model Exchange velocities are evaluated at the ends of steps only,
//! since cubics between two steps say little about them inside.

use crate::dynamics::contacts::Mode;
use crate::dynamics::path::Path;
use crate::dynamics::source::{Change, EventSource, Goal, LookAhead, Tangential};
use crate::dynamics::stage::Stage;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, outputs};
use crate::scene::WatchedOutput;
use crate::scene::outputs::Reads;
use contact_geometry::math::{Quartic, Real};
use contact_laws::index::TriggerId;

#[derive(Debug, Default)]
pub(crate) struct Triggers(Vec<Change>);

/// Event indicator where the bodies are placed.
fn indicator<T: Real>(mode: &Mode, work: &Workspace<T>, states: &[T], index: TriggerId) -> T {
    let scene = &mode.model.scene;
    let trigger = &scene.triggers()[index];
    let output = match trigger.watched {
        WatchedOutput::State(state) => states[state],
        WatchedOutput::Output(index) => {
            outputs::value(&mode.model, work, states, scene.outputs()[index])
        }
    };
    trigger.indicator(output, mode.ledger.triggers()[index])
}

fn on_path(mode: &Mode, path: &Path, index: TriggerId) -> Quartic {
    let (model, scene) = (&*mode.model, &mode.model.scene);
    let (trigger, is_on) = (&scene.triggers()[index], mode.ledger.triggers()[index]);
    let link = model.links.of_triggers[index][0];
    let at = |theta: f64| {
        let output = match trigger.watched {
            WatchedOutput::State(state) => {
                let first = model.links.all[link].first_state();
                path.states(model, link, theta)[state - first]
            }
            WatchedOutput::Output(index) => {
                outputs::on_path(model, path, scene.outputs()[index], theta)
            }
        };
        trigger.indicator(output, is_on)
    };
    through([0.0, 0.25, 0.5, 0.75, 1.0].map(at))
}

/// Polynomial with these values at 0, 1/4, 1/2, 3/4 and 1.
fn through([y_0, y_1, y_2, y_3, y_4]: [f64; 5]) -> Quartic {
    // 256 y(1/4) = 81 c_0 + 108 c_1 + 54 c_2 + 12 c_3 + c_4, 16 y(1/2) = c_0 + 4 c_1 + 6 c_2 + 4 c_3 + c_4
    let a = 256.0 * y_1 - 81.0 * y_0 - y_4;
    let b = 16.0 * y_2 - y_0 - y_4;
    let c = 256.0 * y_3 - y_0 - 81.0 * y_4;
    let c_2 = (30.0 * b - a - c) / 72.0;
    let (sum, difference) = (0.25 * (b - 6.0 * c_2), (a - c) / 96.0);
    let [c_1, c_3] = [0.5 * (sum + difference), 0.5 * (sum - difference)];
    Quartic([y_0, c_1, c_2, c_3, y_4])
}

fn watches_rate(model: &Model, index: TriggerId) -> bool {
    let links = &model.links;
    match model.scene.triggers()[index].watched {
        WatchedOutput::State(state) => links.all[links.of_triggers[index][0]]
            .rates
            .contains(&state),
        WatchedOutput::Output(index) => {
            model.scene.outputs()[index].item.row().reads == Reads::Twists
        }
    }
}

impl EventSource for Triggers {
    fn count(&self, mode: &Mode) -> usize {
        mode.scope.triggers.len()
    }

    fn indicators(&self, stage: &mut Stage, indicators: &mut [f64]) {
        let Stage {
            mode, work, states, ..
        } = stage;
        for (own, index) in indicators.iter_mut().zip(&mode.scope.triggers) {
            *own = indicator(mode, work, states, *index);
        }
    }

    fn indicators_along(
        &self,
        mode: &Mode,
        work: &Workspace<Tangential>,
        states: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        for (place, index) in mode.scope.triggers.iter().enumerate() {
            set(place, indicator(mode, work, states, *index));
        }
    }

    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        for (place, index) in mode.scope.triggers.iter().enumerate() {
            let joins = matches!(ahead.goal, Goal::Least(_));
            if joins && watches_rate(&mode.model, *index) {
                continue;
            }
            let mut function = on_path(mode, path, *index);
            if function.at(0.0) > 0.0 {
                ahead.goal.meet(place, &mut function);
            }
        }
    }

    fn settle(&mut self, stage: &mut Stage) {
        self.0.clear();
        if stage.mode.scope.triggers.is_empty() {
            return;
        }
        stage.place();
        let Stage {
            mode, work, states, ..
        } = stage;
        for place in 0..mode.scope.triggers.len() {
            let trigger = mode.scope.triggers[place];
            if indicator(mode, work, states, trigger) <= 0.0 {
                let is_on = &mut mode.ledger.triggers_mut()[trigger];
                *is_on = !*is_on;
                let is_on = *is_on;
                self.0.push(Change::Trigger { trigger, is_on });
            }
        }
    }

    fn log(&self, changes: &mut Vec<Change>) {
        changes.extend_from_slice(&self.0);
    }
}
