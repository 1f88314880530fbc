//! Threads that share the islands of a window.
//!
//! An island does not see the others, and threads have work arrays of their own, so the bits do not
//! depend on their number nor on who steps which. Threads live no longer than a window, see
//! [`crate::threads`].

use crate::dynamics::System;
use crate::dynamics::island::Island;
use crate::dynamics::island::deviation::Reference;
use crate::hybrid::EvaluationError;
use crate::islands::stepper::{Hear, Progress, Stepper, Task};
use crate::threads;
use contact_laws::index::{LinkId, TiSlice};
use std::sync::{Mutex, PoisonError};

/// Links to be stepped for which another thread pays: one is started in some 20 us, and a link in
/// contact takes some 10 us a window at least.
const LINKS_PER_THREAD: usize = 16;

/// An island to be stepped, and how far it has come.
pub struct Job<'a> {
    /// The island.
    pub island: &'a mut Island,
    /// Its progress, with the memory to begin with.
    pub progress: &'a mut Progress,
}

/// Steps islands over a window, with a stepper for each thread. `hear` gets how those go on that this
/// thread steps.
///
/// # Errors
/// Those of [`Stepper::step`], of one island if several have one, always the same.
pub fn share(
    steppers: &mut Vec<Stepper>,
    system: &System,
    references: &TiSlice<LinkId, Reference>,
    task: &Task<'_>,
    mut jobs: Vec<Job<'_>>,
    hear: Hear<'_>,
) -> Result<(), EvaluationError> {
    let links: usize = jobs.iter().map(|job| job.island.links.len()).sum();
    let most = (links / LINKS_PER_THREAD).min(jobs.len());
    let threads = task.threads.min(most).max(1);
    while steppers.len() < threads {
        steppers.push(Stepper::new(system));
    }
    // The long ones first, so that none is left alone at the end.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.island.pairs.len()));
    let queue = Mutex::new(jobs.into_iter().enumerate());
    let first: Mutex<Option<(usize, EvaluationError)>> = Mutex::new(None);
    let work = |stepper: &mut Stepper, mut hear: Option<Hear<'_>>| {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, Job { island, progress })) = next else {
                return;
            };
            let hear = hear.as_mut().map(|hear| &mut **hear as _);
            if let Err(failure) = stepper.step(system, island, references, task, progress, hear) {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(other, _)| place < *other) {
                    *first = Some((place, failure));
                }
            }
        }
    };
    if let Some((own, others)) = steppers[..threads].split_first_mut() {
        let work = &work;
        let helpers = others.iter_mut().map(|other| move || work(other, None));
        // Where the system gives no thread, those that are there do its share.
        threads::share(helpers, |_| work(own, Some(hear)));
    }
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, failure)) => Err(failure),
        None => Ok(()),
    }
}
