//! Threads that have ended when a function returns, and leave nothing behind.
//!
//! An importer may unload an FMU after a call. On unix the standard library's way to start a thread
//! leaves destructors of thread-local variables with the thread that starts it: the caller's, whose
//! life goes on. They keep the library loaded, or run when its code is gone. Threads of the system,
//! joined, run their destructors before they end, and the caller has none.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Calls `lead` on this thread while other threads run `helpers`, with the number of helpers that run:
/// the system may refuse threads, and the last helpers are then left out. All have ended afterwards.
///
/// A panic goes on here, the leader's before a helper's.
pub(crate) fn share<R, F: FnOnce() + Send>(
    helpers: impl Iterator<Item = F>,
    lead: impl FnOnce(usize) -> R,
) -> R {
    let mut tasks: Vec<Helper<F>> = helpers.map(|help| Helper(Some(help), None)).collect();
    let (led, helped) = system::run(&mut tasks, lead);
    match (led, helped) {
        (Err(panic), _) | (_, Some(panic)) => resume_unwind(panic),
        (Ok(result), None) => result,
    }
}

type Panic = Box<dyn Any + Send>;

/// The work of a helper, until it has begun, and its panic.
struct Helper<F>(Option<F>, Option<Panic>);

impl<F: FnOnce()> Helper<F> {
    fn run(&mut self) {
        let work = self.0.take();
        self.1 = work.and_then(|work| catch_unwind(AssertUnwindSafe(work)).err());
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod system {
    use super::{AssertUnwindSafe, Helper, Panic, catch_unwind};
    use std::ffi::c_void;
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;

    /// Stack of a helper [bytes]: the standard library's; some systems give less.
    const STACK: usize = 2 << 20;

    extern "C" fn enter<F: FnOnce() + Send>(task: *mut c_void) -> *mut c_void {
        // SAFETY: a task of `run`, which joins this thread before it looks at it again.
        let task = unsafe { &mut *task.cast::<Helper<F>>() };
        task.run();
        null_mut()
    }

    /// What `lead` returned, and the first panic of a helper.
    pub(crate) fn run<R, F: FnOnce() + Send>(
        tasks: &mut [Helper<F>],
        lead: impl FnOnce(usize) -> R,
    ) -> (Result<R, Panic>, Option<Panic>) {
        let mut threads = Vec::with_capacity(tasks.len());
        let mut attributes = MaybeUninit::uninit();
        // SAFETY: pthread_attr_init(3) fills attributes, which the others take if it returns 0.
        // A thread gets a task of its own; it is borrowed here until all threads are joined below,
        // also after a panic of `lead`. `F` may be sent to another thread.
        unsafe {
            if libc::pthread_attr_init(attributes.as_mut_ptr()) == 0 {
                libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
                for task in tasks.iter_mut() {
                    let (task, mut thread) = (&raw mut *task, MaybeUninit::uninit());
                    let with = attributes.as_ptr();
                    if libc::pthread_create(thread.as_mut_ptr(), with, enter::<F>, task.cast()) != 0
                    {
                        break;
                    }
                    threads.push(thread.assume_init());
                }
                libc::pthread_attr_destroy(attributes.as_mut_ptr());
            }
        }
        let led = catch_unwind(AssertUnwindSafe(|| lead(threads.len())));
        for thread in threads {
            // SAFETY: it was created above, is joined once and never detached.
            unsafe { libc::pthread_join(thread, null_mut()) };
        }
        (led, tasks.iter_mut().find_map(|task| task.1.take()))
    }
}

#[cfg(not(unix))]
mod system {
    use super::{AssertUnwindSafe, Helper, Panic, catch_unwind};
    use std::thread::Builder;

    /// What `lead` returned, and the first panic of a helper.
    pub(crate) fn run<R, F: FnOnce() + Send>(
        tasks: &mut [Helper<F>],
        lead: impl FnOnce(usize) -> R,
    ) -> (Result<R, Panic>, Option<Panic>) {
        let led = std::thread::scope(|scope| {
            let start = |task| {
                Builder::new()
                    .spawn_scoped(scope, || Helper::run(task))
                    .ok()
            };
            let threads: Vec<_> = tasks.iter_mut().map_while(start).collect();
            let led = catch_unwind(AssertUnwindSafe(|| lead(threads.len())));
            for thread in threads {
                // The task has caught its panic.
                let _ = thread.join();
            }
            led
        });
        (led, tasks.iter_mut().find_map(|task| task.1.take()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn helpers_have_ended_when_it_returns_also_after_a_panic() {
        for is_broken in [false, true] {
            let ended = AtomicUsize::new(0);
            let count = &ended;
            let helpers = (1..5).map(|helper| {
                move || {
                    std::thread::sleep(std::time::Duration::from_millis(helper));
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
            let led = catch_unwind(AssertUnwindSafe(|| {
                share(helpers, |running| {
                    assert!(!is_broken, "broken");
                    running
                })
            }));
            assert_eq!(led.ok(), (!is_broken).then_some(4));
            assert_eq!(ended.load(Ordering::Relaxed), 4);
        }
    }

    #[test]
    fn the_panic_of_a_helper_goes_on_in_the_caller() {
        let helpers = [1, 2]
            .into_iter()
            .map(|helper| move || assert!(helper != 2, "helper {helper}"));
        let panic = catch_unwind(AssertUnwindSafe(|| share(helpers, |_| ()))).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "helper 2");
    }
}
