//! Communication steps in granular mode: from one point to the next without a stop.
//!
//! There are no events: contacts start and end between communication points, each is logged with
//! its time, and reported ones are counted and summed. An importer that handles events, or watches
//! intermediate steps, sees communication points only; distances are watched there.

use crate::instance::beat::steps_per_beat;
use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::instance::log::{Category, Log};
use contact_geometry::math::{Exact, Vec3};
use contact_laws::index::{PairId, ReportId, TiSlice};
use contact_model::contact::Ledger;
use contact_model::granular::{Granular, Record, Span, Start};
use contact_model::integrator::Settings;
use contact_model::islands::StepLoad;
use contact_model::scene::Scene;

/// What is kept of contacts inside a step.
struct Recorder<'a> {
    scene: &'a Scene,
    ledger: &'a mut Ledger,
    loads: &'a mut TiSlice<ReportId, StepLoad>,
    log: &'a Log,
    /// Contacts are logged.
    is_heard: bool,
    /// Steps from one message about progress to the next, 0 for none; the length of each [s], and the
    /// steps and events before.
    every: u64,
    step: f64,
    before: (u64, u64),
    /// Pair, time [s] and impact speed [m/s] of those that started; none of those that ended.
    changes: Vec<(PairId, f64, Option<f64>)>,
}

impl Record for Recorder<'_> {
    fn started(&mut self, start: Start) {
        let Start { pair, time, speed } = start;
        self.ledger.note_start(self.scene, pair, time, speed);
        if self.is_heard {
            self.changes.push((pair, time, Some(speed)));
        }
    }

    fn ended(&mut self, pair: PairId, time: f64) {
        if self.is_heard {
            self.changes.push((pair, time, None));
        }
    }

    fn pushed(&mut self, report: ReportId, force: &Vec3, time: f64) {
        let load = &mut self.loads[report];
        for (sum, force) in load.impulse.iter_mut().zip(force.iter()) {
            *sum += force * time;
        }
        load.peak_force = load.peak_force.max(force.norm());
    }

    fn stepped(&mut self, steps: u64, time: f64) {
        if self.every != 0 && steps != 0 && steps.is_multiple_of(self.every) {
            let (before, events) = self.before;
            self.log.info(Category::Progress, || {
                format!(
                    "progress: t={time:?} step={:?} steps={} events={events} limit=fixed",
                    self.step,
                    before + steps
                )
            });
        }
    }
}

impl Instance {
    /// Steps from the present time to `until` [s], in a communication step that began at `point`
    /// [s].
    pub(super) fn take_granular_steps(&mut self, point: f64, until: f64) -> Result<(), Failure> {
        if until <= self.run.time {
            return Ok(());
        }
        let settings = *self.integrator.settings();
        let mut granular = match self.granular.take() {
            Some(known) => known,
            None => self.make_granular()?,
        };
        let done = self.step_granular(&mut granular, &settings, until);
        self.granular = Some(granular);
        done.map_err(|failure| {
            Failure::error(format!(
                "the step from {} s to {} s failed: {}",
                Exact(point),
                Exact(until),
                failure.message
            ))
        })
    }

    fn make_granular(&mut self) -> Result<Box<Granular>, Failure> {
        let granular = Granular::new(self.system.model())?;
        self.log.info(Category::Integrator, || {
            format!(
                "granular mode: longest step {:?} s, from the stiffest contact",
                granular.longest_step()
            )
        });
        Ok(Box::new(granular))
    }

    fn step_granular(
        &mut self,
        granular: &mut Granular,
        settings: &Settings,
        until: f64,
    ) -> Result<(), Failure> {
        let span = Span {
            start: self.run.time,
            end: until,
            longest: settings.max_step().unwrap_or(f64::INFINITY),
            threads: self.scene.experiment().threads as usize,
        };
        let (count, length) = granular.steps(&span);
        if count > settings.budget() {
            return Err(Failure::error(format!(
                "{count} steps of {length:e} s are needed; experiment.max_steps allows {}: allow \
                 more, take shorter communication steps, or make the contacts softer",
                settings.budget()
            )));
        }
        let (system, run) = (&self.system, &mut self.run);
        let mut ledger = system.ledger().clone();
        let held = Granular::held(system.model(), &ledger, &run.beyond_ledger, &run.states);
        let work = run.memory.statistics();
        let mut recorder = Recorder {
            every: steps_per_beat(&self.log, run.states.len()),
            step: length,
            before: (work.steps, work.events),
            log: &self.log,
            scene: &self.scene,
            ledger: &mut ledger,
            loads: &mut run.step_loads,
            is_heard: self.log.hears(Category::Contacts),
            changes: Vec::new(),
        };
        let summary = granular.advance(system, &span, &held, &mut run.states, &mut recorder)?;
        let changes = recorder.changes;
        run.beyond_ledger = granular.store(system.model(), &mut ledger, &mut run.states);
        run.memory
            .note_fixed_steps(summary.steps, summary.step, summary.largest_overlap);
        run.time = until;
        self.system.set_ledger(&ledger);
        self.touch();
        for (pair, time, speed) in changes {
            self.log_granular_contact(pair, time, speed);
        }
        self.warn_of_missing_slots(&mut granular.warned);
        Ok(())
    }

    fn log_granular_contact(&self, pair: PairId, time: f64, impact_speed: Option<f64>) {
        self.log.info(Category::Contacts, || {
            let name = self.scene.pair_name(pair);
            match impact_speed {
                Some(speed) => {
                    format!("contact start: t={time:?} pair={name} speed={speed:?}")
                }
                None => format!("contact end: t={time:?} pair={name}"),
            }
        });
    }

    /// Warns where forces on bodies leave contacts out, and again where it is twice as many. Contacts
    /// between balls of `[[grains]]` need no slot: no force on a ball is an output.
    fn warn_of_missing_slots(&mut self, warned: &mut usize) {
        let scene = &self.scene;
        let is_of_body = |pair: PairId| {
            let shapes = scene.pairs().get(pair).shapes;
            !shapes
                .iter()
                .all(|shape| scene.is_grain(scene.shapes()[*shape].body))
        };
        let held = self.run.beyond_ledger.iter().map(|held| held.started.pair);
        let beyond = held.filter(|pair| is_of_body(*pair)).count();
        if beyond > 2 * *warned {
            *warned = beyond;
            let known = self.system.ledger().contacts().iter();
            let known = known.filter(|contact| is_of_body(contact.pair)).count();
            self.log.warning(Category::Contacts, || {
                format!(
                    "t={:?}: {beyond} contacts of bodies have no indicator slot: the motion has them, but not \
                     the outputs of contacts; set nz_max >= {} in [contact]",
                    self.run.time,
                    beyond + known
                )
            });
        }
    }
}
