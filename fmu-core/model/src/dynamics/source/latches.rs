//! Latches of joints as sources of events: their states, and the impulses when they close and open.
//!
//! A latch that closes stops the rates v of its joint instantaneously. Momentum is conserved along all free
//! coordinates: the velocities of the tree follow from the jumps -v of the locked rates and no other impulse
//! ([`Jumps`]). One that opens may drive the bodies of its joint apart by an impulse along the coordinates of
//! the joint. The kinetic energy changes by sum lambda_i (v_i + v_i')/2 over these coordinates, with the
//! impulse lambda_i along each and the rates before and after.
//!
//! A latch with an input is closed while the input is above 0.5 and its trigger, if it has one, is not
//! positive or has closed it; all others close and open at the times of their schedule, and close where the
//! indicator of an armed trigger is not positive.

use crate::contact::{LatchState, Ledger};
use crate::dynamics::Model;
use crate::dynamics::contacts::Mode;
use crate::dynamics::path::Path;
use crate::dynamics::search::{Bounded, Known};
use crate::dynamics::source::{
    Change, EventSource, Goal, LatchChange, LookAhead, Struck, Tangential,
};
use crate::dynamics::stage::Stage;
use crate::dynamics::tree::Jumps;
use crate::dynamics::workspace::Workspace;
use crate::hybrid::EvaluationError;
use crate::scene::forces::with_rounding;
use crate::scene::joint::each_slide;
use crate::scene::{Input, Latch, LatchTrigger, Scene};
use contact_geometry::math::{Quartic, Real, Spatial, Vec3};
use contact_laws::index::{InputId, LatchId, TiSlice};

/// Event indicator of a closed latch, which watches nothing.
const CLOSED: f64 = 1.0;
/// Value of an input above which it commands its latch to close.
const COMMANDED: f64 = 0.5;
/// Depth below zero at which an indicator may be missed [m] or [rad].
const PASSED_OVER: f64 = 1e-13;

#[derive(Debug)]
pub(crate) struct Latches {
    jumps: Jumps,
    changes: Vec<LatchChange>,
    energy_change: f64,
}

impl Latches {
    pub(crate) fn new(model: &Model) -> Self {
        let has_any = !model.scene.latches().is_empty();
        Latches {
            jumps: if has_any {
                Jumps::new(model)
            } else {
                Jumps::default()
            },
            changes: Vec::new(),
            energy_change: 0.0,
        }
    }

    /// Switches latches at a time [s]. Returns true if a joint must be stopped or a latch has changed, so
    /// that [`Self::respond`] is due.
    fn turn_all(&mut self, stage: &mut Stage, time: f64) -> bool {
        self.changes.clear();
        let Stage {
            mode, work, states, ..
        } = stage;
        let model = &*mode.model;
        for index in &mode.scope.latches {
            let (index, latch) = (*index, &model.scene.latches()[*index]);
            let state = &mut mode.ledger.latches_mut()[index];
            let was_closed = state.is_closed;
            turn(model, index, state, &work.inputs, time, states);
            let link = &model.links.all[model.links.of_joints[latch.joint]];
            let moves = states[link.rates.clone()].iter().any(|rate| *rate != 0.0);
            if state.is_closed != was_closed || (state.is_closed && moves) {
                self.changes.push(LatchChange {
                    latch: index,
                    is_closed: state.is_closed,
                    was_closed,
                    impulse_w: Vec3::zeros(),
                    moment_w: Vec3::zeros(),
                });
            }
        }
        !self.changes.is_empty()
    }

    /// Adds the velocity jumps to the states. The links are placed, and factored with the present latches.
    /// Returns true if a state has changed.
    fn respond(&mut self, stage: &mut Stage) -> bool {
        let Stage {
            mode, work, states, ..
        } = stage;
        let (model, links) = (&*mode.model, &mode.scope.trees);
        self.jumps.clear(model, links);
        let mut jumps = false;
        for change in &self.changes {
            let latch = &model.scene.latches()[change.latch];
            let index = model.links.of_joints[latch.joint];
            let along = &mut self.jumps.along[model.links.index_in_trees(index)];
            let rates = &states[model.links.all[index].rates.clone()];
            match change.is_closed {
                true => along.iter_mut().zip(rates).for_each(|(a, rate)| *a = -rate),
                false => *along = latch.release,
            }
            jumps |= along.iter().any(|a| *a != 0.0);
        }
        if jumps {
            self.jumps.solve(model, links, work);
            self.energy_change = 0.0;
            for place in 0..self.changes.len() {
                self.note(model, place, work, states);
            }
            self.jumps.write(model, links, states);
            if let Some(lost) = model.scene.layout().work() {
                states[lost] -= self.energy_change;
            }
        }
        for change in &self.changes {
            let state = &mut mode.ledger.latches_mut()[change.latch];
            state.impulse = change.impulse_w.into();
            state.moment = change.moment_w.into();
        }
        jumps
    }

    /// Records impulse and energy of a change; the states are those before.
    fn note(&mut self, model: &Model, place: usize, work: &Workspace<f64>, states: &[f64]) {
        let change = &mut self.changes[place];
        let index = model.links.of_joints[model.scene.latches()[change.latch].joint];
        let in_trees = model.links.index_in_trees(index);
        let motion = &work.tree.motions[in_trees];
        let wrench: Spatial = self.jumps.transmitted(model, index, work);
        let rates = &states[model.links.all[index].rates.clone()];
        let columns = motion.columns.iter().zip(rates);
        for ((column, rate), jump) in columns.zip(&self.jumps.of_rates[index]) {
            self.energy_change += column.dot(&wrench) * (rate + 0.5 * jump);
        }
        let there = wrench.wrench_from(&-motion.arm_w);
        (change.impulse_w, change.moment_w) = (there.linear, there.angular);
    }
}

impl EventSource for Latches {
    /// One for each latch with a trigger.
    fn count(&self, mode: &Mode) -> usize {
        mode.scope.latch_triggers.len()
    }

    fn indicators(&self, stage: &mut Stage, indicators: &mut [f64]) {
        let Stage { mode, states, .. } = stage;
        for (indicator, latch) in indicators.iter_mut().zip(&mode.scope.latch_triggers) {
            *indicator = self::indicator(mode, *latch, states);
        }
    }

    fn indicators_along(
        &self,
        mode: &Mode,
        _: &Workspace<Tangential>,
        states: &[Tangential],
        set: &mut dyn FnMut(usize, Tangential),
    ) {
        for (index, latch) in mode.scope.latch_triggers.iter().enumerate() {
            set(index, self::indicator(mode, *latch, states));
        }
    }

    fn look_ahead(&self, mode: &Mode, path: &mut Path, ahead: &mut LookAhead<'_>) {
        for (index, latch) in mode.scope.latch_triggers.iter().enumerate() {
            if mode.ledger.latches()[*latch].is_closed {
                continue;
            }
            let mut trigger = TriggerPath::new(&mode.model, *latch, path);
            if matches!(ahead.goal, Goal::Entry { .. }) || trigger.value(0.0) > 0.0 {
                ahead.goal.meet(index, &mut trigger);
            }
        }
    }

    fn strike(&mut self, stage: &mut Stage, time: f64) -> Result<Struck, EvaluationError> {
        if !self.turn_all(stage, time) {
            return Ok(Struck::default());
        }
        stage.forget();
        stage.place();
        stage.factor();
        let jumps = self.respond(stage);
        stage.forget();
        Ok(Struck {
            states: jumps,
            velocities: jumps,
        })
    }

    fn log(&self, changes: &mut Vec<Change>) {
        changes.extend(self.changes.iter().copied().map(Change::Latch));
    }
}

/// Zeros the rates of joints whose latches are closed from the start on, at a time [s]: they have never
/// moved, so there is no impulse.
pub(crate) fn hold_at_start(
    model: &Model,
    ledger: &Ledger,
    inputs: &TiSlice<InputId, f64>,
    time: f64,
    states: &mut [f64],
) {
    let latches = model.scene.latches().iter_enumerated();
    for (index, latch) in latches.filter(|(_, latch)| latch.starts_closed) {
        let mut state = ledger.latches()[index];
        turn(model, index, &mut state, inputs, time, states);
        if state.is_closed {
            states[model.scene.layout().joint_rates(latch.joint)].fill(0.0);
        }
    }
}

fn turn(
    model: &Model,
    index: LatchId,
    state: &mut LatchState,
    inputs: &TiSlice<InputId, f64>,
    time: f64,
    states: &[f64],
) {
    let latch = &model.scene.latches()[index];
    let z = latch.trigger.map(|_| plain_indicator(model, index, states));
    match commanded(&model.scene, index, inputs) {
        Some(command) => follow(state, command, z),
        None => run(latch, state, time, z),
    }
}

/// Whether the input of a latch commands it to close; `None` without an input.
fn commanded(scene: &Scene, index: LatchId, inputs: &TiSlice<InputId, f64>) -> Option<bool> {
    if !scene.latches()[index].has_input {
        return None;
    }
    let input = scene
        .inputs()
        .position(|input| *input == Input::Latch(index))?;
    Some(inputs[input] > COMMANDED)
}

/// Follows a command, for the trigger indicator `z`.
fn follow(state: &mut LatchState, command: bool, z: Option<f64>) {
    let is_near = z.is_none_or(|z| z <= 0.0);
    state.is_closed = command && (state.is_closed || is_near);
}

/// Closes and opens by schedule and trigger.
fn run(latch: &Latch, state: &mut LatchState, time: f64, z: Option<f64>) {
    let reached = with_rounding(time);
    while let Some((due, closes)) = latch.schedule.get(state.passed as usize)
        && *due <= reached
    {
        state.is_closed = *closes;
        // A released joint is not caught again where it is.
        state.is_armed &= *closes;
        state.passed += 1;
    }
    let Some(z) = z else { return };
    if z > 0.0 {
        state.is_armed = true;
    } else if state.is_armed && !state.is_closed {
        state.is_closed = true;
    }
    state.is_armed &= !state.is_closed;
}

fn indicator<T: Real>(mode: &Mode, index: LatchId, states: &[T]) -> T {
    match mode.ledger.latches()[index].is_closed {
        true => T::from(CLOSED),
        false => plain_indicator(&mode.model, index, states),
    }
}

fn plain_indicator<T: Real>(model: &Model, index: LatchId, states: &[T]) -> T {
    let latch = &model.scene.latches()[index];
    let link = &model.links.all[model.links.of_joints[latch.joint]];
    let joint = &model.scene.joints()[latch.joint];
    match &latch.trigger {
        Some(trigger) => trigger.indicator(joint, &states[link.positions.clone()]),
        None => T::from(CLOSED),
    }
}

/// Indicator of an open latch over a path.
pub(crate) struct TriggerPath {
    /// Vector whose length is the indicator, or the single value of a coordinate.
    way: [Quartic; 3],
    /// Distance below which it closes [m]; `None` for a coordinate.
    near: Option<f64>,
}

impl TriggerPath {
    /// For a latch with a trigger.
    pub(crate) fn new(model: &Model, index: LatchId, path: &Path) -> Self {
        let latch = &model.scene.latches()[index];
        let link = &model.links.all[model.links.of_joints[latch.joint]];
        let at = |state: usize| path.coordinate(link.positions.start + state).0;
        let mut way = [Quartic::constant(0.0); 3];
        let near = match latch.trigger {
            Some(LatchTrigger::Coordinate {
                coordinate,
                place,
                sign,
            }) => {
                way[0] = Quartic(at(coordinate).map(|q| (q - place) * -sign));
                None
            }
            Some(LatchTrigger::Distance(near)) => {
                each_slide(&model.scene.joints()[latch.joint], |state, direction| {
                    let own = at(state);
                    for (sum, part) in way.iter_mut().zip(direction.iter()) {
                        sum.0.iter_mut().zip(own).for_each(|(s, q)| *s += part * q);
                    }
                });
                Some(near)
            }
            None => {
                way[0] = Quartic::constant(CLOSED);
                None
            }
        };
        TriggerPath { way, near }
    }

    fn at(&self, theta: f64) -> Vec3 {
        Vec3::from_fn(|i, _| self.way[i].at(theta))
    }
}

impl Bounded for TriggerPath {
    /// Position, and direction of the vector there.
    type Look = (f64, Vec3);

    fn value(&mut self, theta: f64) -> f64 {
        match self.near {
            Some(near) => self.at(theta).norm() - near,
            None => self.way[0].at(theta),
        }
    }

    fn look(&mut self, theta: f64) -> Option<Known<(f64, Vec3)>> {
        let direction = match self.near {
            Some(_) => self.at(theta).try_normalize(0.0).unwrap_or_else(Vec3::x),
            None => Vec3::x(),
        };
        Some(Known {
            value: self.value(theta),
            tolerance: PASSED_OVER,
            look: (theta, direction),
        })
    }

    /// A vector is no shorter than its component along any direction.
    fn bound(&self, look: &Self::Look, length: f64) -> f64 {
        let (theta, direction) = look;
        let mut along = Quartic::constant(0.0);
        for (way, part) in self.way.iter().zip(direction.iter()) {
            along
                .0
                .iter_mut()
                .zip(way.0)
                .for_each(|(s, q)| *s += part * q);
        }
        along.part(*theta, theta + length).least() - self.near.unwrap_or(0.0)
    }
}
