//! A crew of threads that share work and have ended when a call returns.
//!
//! - A [`Crew`] lives for a communication step and joins its threads at the end of it. Threads are started
//!   when there is work for them, so a scene with few contacts has none.
//! - Work is rows of arrays, cut into pieces. A thread has one span of them, where it finds its data of the
//!   previous step, and takes pieces of the others when that is done.
//! - A piece belongs to the thread that took it: no two threads write one row, and a row is computed from
//!   rows that nobody writes, so the bits depend neither on the number of threads nor on which thread took
//!   what.
//! - Helpers enter a job by a gate. It is closed when no piece is left, and only those inside are waited for:
//!   a helper that sleeps, or is preempted, delays nobody.
//! - Waiting threads poll the gate for [`AWAKE`] and then sleep.
//!
//! An importer may unload an FMU after a call. On unix the standard library's way to start a thread leaves
//! destructors of thread-local variables with the starting thread: the caller's, which lives on. They keep
//! the library loaded, or run when its code is gone. Native threads, joined, run their destructors before
//! they end, and the caller has none.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
#[cfg(unix)]
use system::PosixThread as Thread;
#[cfg(not(unix))]
use system::StandardThread as Thread;

/// Time for which a thread polls for work before it sleeps: some times what it takes to wake one.
const AWAKE: Duration = Duration::from_micros(50);
/// Number of pieces per thread, unless too small: the wait for the last piece is this fraction of the work
/// [1].
const PIECES: usize = 16;
/// Minimum number of smallest pieces for which a thread takes part.
const FEW: usize = 4;
/// Maximum number of rows of a piece: its data stay in the nearest cache.
const MOST_ROWS: usize = 256;

/// Rows that can be cut in two.
pub(crate) trait Cut: Sized {
    fn rows(&self) -> usize;
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T> Cut for &mut [T] {
    fn rows(&self) -> usize {
        self.len()
    }
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// Parallel arrays of the same length.
impl<A: Cut, B: Cut> Cut for (A, B) {
    fn rows(&self) -> usize {
        self.0.rows()
    }
    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, rest_a), (b, rest_b)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (rest_a, rest_b))
    }
}

/// Pieces of `size` rows, each with the index of its first one.
struct Pieces<R> {
    first: usize,
    rest: Option<R>,
    size: usize,
}

impl<R: Cut> Pieces<R> {
    fn new(first: usize, rows: R, size: usize) -> Self {
        let rest = Some(rows);
        Pieces { first, rest, size }
    }
}

impl<R: Cut> Iterator for Pieces<R> {
    type Item = (usize, R);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take().filter(|rest| rest.rows() > 0)?;
        let size = self.size.min(rest.rows());
        let (piece, rest) = rest.cut(size);
        self.rest = Some(rest);
        self.first += size;
        Some((self.first - size, piece))
    }
}

/// Division of rows: threads, rows of the span of each, rows of a piece.
#[derive(Clone, Copy, Debug)]
struct Sharing {
    threads: usize,
    span: usize,
    piece: usize,
}

impl Sharing {
    /// Division of rows among up to `threads`; pieces smaller than `least` are not worthwhile.
    fn new(rows: usize, threads: usize, least: usize) -> Self {
        let threads = (rows / (FEW * least)).min(threads).max(1);
        // Four contacts are computed at once.
        let piece = (rows / (PIECES * threads)).next_multiple_of(4);
        let piece = piece.clamp(least, MOST_ROWS.max(least));
        let span = rows.div_ceil(piece).div_ceil(threads) * piece;
        Sharing {
            threads,
            span,
            piece,
        }
    }

    fn pieces<R: Cut>(self, rows: R) -> Vec<Pieces<R>> {
        let spans = Pieces::new(0, rows, self.span);
        let queue = |(first, span)| Pieces::new(first, span, self.piece);
        spans.map(queue).collect()
    }
}

/// Threads that share work with the owner of the crew.
#[derive(Debug)]
pub struct Crew {
    threads: usize,
    helpers: Mutex<Vec<Thread>>,
    gate: Arc<Gate>,
}

impl Crew {
    /// Crew of up to `threads`; none is started yet.
    pub fn new(threads: usize) -> Self {
        Crew {
            threads: threads.max(1),
            helpers: Mutex::default(),
            gate: Arc::default(),
        }
    }

    /// Maximum number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Number of threads started so far.
    pub fn started(&self) -> usize {
        lock(&self.helpers).len()
    }

    /// Calls `work` with all rows, in pieces of `least` or more, each with the thread's entry of `own`, which
    /// limits the number of threads, and the index of its first row. Few rows are left to this thread.
    pub(crate) fn each<S: Send, R: Cut + Send>(
        &self,
        own: &mut [S],
        rows: R,
        least: usize,
        work: impl Fn(&mut S, usize, R) + Sync,
    ) {
        let sharing = Sharing::new(rows.rows(), self.threads.min(own.len()), least);
        let work = |own: &mut S, (first, rows)| work(own, first, rows);
        match &mut own[..sharing.threads] {
            [own] => Pieces::new(0, rows, MOST_ROWS).for_each(|piece| work(own, piece)),
            own => self.share(own, sharing.pieces(rows), work, work),
        }
    }

    /// [`Self::each`] without thread data.
    pub(crate) fn pieces<R: Cut + Send>(
        &self,
        rows: R,
        least: usize,
        work: impl Fn(usize, R) + Sync,
    ) {
        let mut own = vec![(); self.threads];
        self.each(&mut own, rows, least, |(), first, rows| work(first, rows));
    }

    /// Calls `lead` on this thread and `help` on others with each item of the queues, once, and with the
    /// thread's entry of `own`. A thread begins with the queue of its number.
    ///
    /// A panic is resumed here when all have ended, the leader's before a helper's.
    pub(crate) fn share<S: Send, Q: Iterator<Item: Send> + Send>(
        &self,
        own: &mut [S],
        queues: Vec<Q>,
        mut lead: impl FnMut(&mut S, Q::Item),
        help: impl Fn(&mut S, Q::Item) + Sync,
    ) {
        let queues: Vec<Mutex<Q>> = queues.into_iter().map(Mutex::new).collect();
        let next = |first: usize| {
            let mut order = queues[first.min(queues.len())..].iter().chain(&queues);
            order.find_map(|queue| lock(queue).next())
        };
        let Some((own, others)) = own.split_first_mut() else {
            return;
        };
        let others: Vec<Mutex<&mut S>> = others.iter_mut().map(Mutex::new).collect();
        // Whoever comes first helps: of those that sleep any may be woken.
        let come = AtomicUsize::new(0);
        let help = || {
            let place = come.fetch_add(1, Relaxed);
            let Some(own) = others.get(place) else {
                return;
            };
            let mut own = lock(own);
            while let Some(item) = next(place + 1) {
                help(&mut own, item);
            }
        };
        self.run(others.len(), &|_| help(), || {
            while let Some(item) = next(0) {
                lead(own, item);
            }
        });
    }

    /// Calls `lead` here, and `help` on up to `helpers` threads with the number of each.
    fn run(&self, helpers: usize, help: &(dyn Fn(usize) + Sync), lead: impl FnOnce()) {
        // Who asks for help while others help does the work alone.
        let mut threads = match self.helpers.try_lock() {
            Ok(threads) => threads,
            // A panic that went on to the caller leaves the crew as it was.
            Err(TryLockError::Poisoned(held)) => held.into_inner(),
            Err(TryLockError::WouldBlock) => return lead(),
        };
        // Where the system gives no thread, those that are there do its share.
        while threads.len() < helpers
            && let Some(thread) = Thread::start(&self.gate, threads.len())
        {
            threads.push(thread);
        }
        if helpers == 0 || threads.is_empty() {
            return lead();
        }
        self.gate.open(&help, helpers);
        let led = catch_unwind(AssertUnwindSafe(lead));
        let helped = self.gate.close();
        if let Some(panic) = led.err().or(helped) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.gate.state.store(OVER, SeqCst);
        self.gate.helpers.ring(usize::MAX);
        let threads = std::mem::take(&mut *lock(&self.helpers));
        threads.into_iter().for_each(Thread::join);
    }
}

type Panic = Box<dyn Any + Send>;
type Help<'a> = &'a (dyn Fn(usize) + Sync);

/// Flag of [`Gate::state`]: a job takes helpers.
const OPEN: u64 = 1;
/// Increment for a helper inside.
const ONE: u64 = 2;
const INSIDE: u64 = (1 << 32) - ONE;
/// No job follows.
const OVER: u64 = u64::MAX;

#[derive(Debug, Default)]
struct Gate {
    /// Number of the job in the upper half, below it the number of helpers inside and [`OPEN`].
    state: AtomicU64,
    /// The job while it is open or somebody is inside.
    help: AtomicPtr<Help<'static>>,
    panic: Mutex<Option<Panic>>,
    helpers: Bell,
    leader: Bell,
}

impl Gate {
    fn open(&self, help: &Help<'_>, helpers: usize) {
        let help = std::ptr::from_ref(help).cast_mut();
        self.help.store(help.cast(), Relaxed);
        let number = (self.state.load(Relaxed) >> 32) + 1;
        self.state.store((number << 32) | OPEN, SeqCst);
        self.helpers.ring(helpers);
    }

    /// Closes the gate and waits for helpers inside; first panic of one.
    fn close(&self) -> Option<Panic> {
        self.state.fetch_and(!OPEN, SeqCst);
        let is_empty = || self.state.load(SeqCst) & INSIDE == 0;
        self.leader.wait(is_empty);
        lock(&self.panic).take()
    }

    /// Work of a helper.
    fn help(&self, helper: usize) {
        let mut seen = 0;
        loop {
            self.helpers.wait(|| self.state.load(SeqCst) >> 32 != seen);
            let enter = |state| (state & OPEN != 0 && state != OVER).then(|| state + ONE);
            let entered = self.state.fetch_update(SeqCst, SeqCst, enter);
            if entered == Err(OVER) {
                return;
            }
            seen = entered.unwrap_or_else(|state| state) >> 32;
            if entered.is_err() {
                continue;
            }
            // SAFETY: `open` stored it before this thread could enter, and it is borrowed by `Crew::run`, which
            // returns after `close`: when this thread has left.
            #[allow(unsafe_code)]
            let help = unsafe { *self.help.load(Relaxed) };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| help(helper))) {
                lock(&self.panic).get_or_insert(panic);
            }
            if self.state.fetch_sub(ONE, SeqCst) & (INSIDE | OPEN) == ONE {
                self.leader.ring(1);
            }
        }
    }
}

/// Wake-up signal of waiting threads.
#[derive(Debug, Default)]
struct Bell {
    asleep: AtomicUsize,
    mutex: Mutex<()>,
    rung: Condvar,
}

impl Bell {
    /// Waits until a condition is true; who makes it true rings.
    fn wait(&self, is_due: impl Fn() -> bool) {
        /// Polls between two readings of the clock.
        const LOOKS: u32 = 16;
        let start = Instant::now();
        while start.elapsed() < AWAKE {
            for _ in 0..LOOKS {
                if is_due() {
                    return;
                }
                std::hint::spin_loop();
            }
        }
        let mut guard = lock(&self.mutex);
        self.asleep.fetch_add(1, SeqCst);
        while !is_due() {
            guard = self
                .rung
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.asleep.fetch_sub(1, SeqCst);
    }

    fn ring(&self, most: usize) {
        // In one order for all: who is not counted yet sees what has become true.
        let asleep = self.asleep.load(SeqCst);
        if asleep == 0 {
            return;
        }
        drop(lock(&self.mutex));
        match asleep <= most {
            true => self.rung.notify_all(),
            false => (0..most).for_each(|_| self.rung.notify_one()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod system {
    use super::{Arc, Gate};
    use std::ffi::c_void;
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;

    /// Stack of a helper [bytes]: the standard library's; some systems give less.
    const STACK: usize = 2 << 20;

    #[derive(Debug)]
    pub(super) struct PosixThread(libc::pthread_t);

    extern "C" fn enter(task: *mut c_void) -> *mut c_void {
        // SAFETY: boxed by `start` for this thread.
        let task = unsafe { Box::from_raw(task.cast::<(Arc<Gate>, usize)>()) };
        task.0.help(task.1);
        null_mut()
    }

    impl PosixThread {
        pub(super) fn start(gate: &Arc<Gate>, helper: usize) -> Option<Self> {
            let task = Box::into_raw(Box::new((Arc::clone(gate), helper)));
            let (mut attributes, mut thread) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            // SAFETY: pthread_attr_init(3) fills attributes, which the others take if it returns 0, and so
            // does pthread_create(3) with `thread`. Only then the task belongs to the thread.
            unsafe {
                if libc::pthread_attr_init(attributes.as_mut_ptr()) == 0 {
                    libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), STACK);
                    let with = attributes.as_ptr();
                    let made = libc::pthread_create(thread.as_mut_ptr(), with, enter, task.cast());
                    libc::pthread_attr_destroy(attributes.as_mut_ptr());
                    if made == 0 {
                        return Some(PosixThread(thread.assume_init()));
                    }
                }
                drop(Box::from_raw(task));
            }
            None
        }

        pub(super) fn join(self) {
            // SAFETY: it was created by `start`, is joined once and never detached.
            unsafe { libc::pthread_join(self.0, null_mut()) };
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Arc, Gate};
    use std::thread::{Builder, JoinHandle};

    #[derive(Debug)]
    pub(super) struct StandardThread(JoinHandle<()>);

    impl StandardThread {
        pub(super) fn start(gate: &Arc<Gate>, helper: usize) -> Option<Self> {
            let gate = Arc::clone(gate);
            let started = Builder::new().spawn(move || gate.help(helper));
            started.ok().map(StandardThread)
        }

        pub(super) fn join(self) {
            // It has caught its panics.
            let _ = self.0.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::Barrier;

    /// Counts threads that end, a while after the rest of a thread.
    struct Ended(Arc<AtomicUsize>);

    impl Drop for Ended {
        fn drop(&mut self) {
            std::thread::sleep(Duration::from_millis(5));
            self.0.fetch_add(1, SeqCst);
        }
    }

    thread_local!(static ENDED: Cell<Option<Ended>> = const { Cell::new(None) });

    /// An item for each of `threads`; all are in the middle of one at once.
    fn meet(crew: &Crew, threads: usize, lead: impl Fn(), help: impl Fn(usize) + Sync) {
        let barrier = Barrier::new(threads);
        let queues = (0..threads).map(std::iter::once).collect();
        let lead = |(): &mut (), _| {
            barrier.wait();
            lead();
        };
        crew.share(&mut vec![(); threads], queues, lead, |(), _| {
            barrier.wait();
            help(threads);
        });
    }

    #[test]
    fn helpers_have_ended_when_the_crew_is_gone_also_after_a_panic() {
        for is_broken in [false, true] {
            let ended = Arc::new(AtomicUsize::new(0));
            let led = catch_unwind(|| {
                let crew = Crew::new(5);
                let lead = || assert!(!is_broken, "broken");
                let last = |_| ENDED.set(Some(Ended(Arc::clone(&ended))));
                meet(&crew, 5, lead, last);
                crew.started()
            });
            assert_eq!(led.ok(), (!is_broken).then_some(4));
            assert_eq!(ended.load(SeqCst), 4);
        }
    }

    #[test]
    fn the_panic_of_a_helper_goes_on_in_the_caller_and_the_crew_works_on() {
        let crew = Crew::new(2);
        let broken = || {
            meet(
                &crew,
                2,
                || (),
                |threads| assert!(threads != 2, "of {threads}"),
            )
        };
        let panic = catch_unwind(AssertUnwindSafe(broken)).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().unwrap(), "of 2");
        // Two meet again, which one alone cannot.
        meet(&crew, 2, || (), |_| ());
    }

    /// Jobs one after the other, and after helpers have gone to sleep; one job in another.
    #[test]
    fn each_row_is_taken_once() {
        for threads in [1, 2, 3, 7] {
            let crew = Crew::new(threads);
            for count in (0..100).chain([1000, 4001]) {
                let mut rows = vec![0; count];
                crew.pieces(&mut rows[..], 1, |first, rows| {
                    for (number, row) in (first..).zip(rows) {
                        let sum = AtomicUsize::new(0);
                        crew.pieces(&mut [(); 8][..], 1, |first, rows| {
                            sum.fetch_add((first..first + rows.len()).sum(), SeqCst);
                        });
                        *row += number * sum.into_inner();
                    }
                });
                let mut rows = rows.iter().enumerate();
                assert!(rows.all(|(number, row)| *row == 28 * number));
                if count % 30 == 0 {
                    std::thread::sleep(2 * AWAKE);
                }
            }
            assert_eq!(crew.started(), threads - 1);
        }
    }

    /// Who has least to do takes the next piece, as threads do that are equally fast: of the rows of
    /// 10,000 balls none of 16 has more than 1.1 of the mean.
    #[test]
    fn sixteen_threads_have_equal_shares_within_a_tenth() {
        for (rows, least) in [(10_000, 32), (23_000, 32), (7_000, 32), (625, 1)] {
            // Some rows take twice as long as others.
            let work = |rows: &[usize]| rows.iter().map(|row| 2 + row * 7919 % 3).sum::<usize>();
            let mut all: Vec<usize> = (0..rows).collect();
            let mean = work(&all) / 16;
            let sharing = Sharing::new(rows, 16, least);
            assert_eq!(sharing.threads, 16);
            let mut queues = sharing.pieces(&mut all[..]);
            let mut done = [0; 16];
            loop {
                let next = (0..16).min_by_key(|thread| done[*thread]).unwrap();
                let mut order = (next..queues.len()).chain(0..queues.len());
                let Some((_, piece)) = order.find_map(|queue| queues[queue].next()) else {
                    break;
                };
                done[next] += work(piece);
            }
            let most = done.into_iter().max().unwrap();
            assert_eq!(done.iter().sum::<usize>() / 16, mean);
            assert!(10 * most <= 11 * mean, "{rows}: {done:?}");
        }
    }

    #[test]
    fn few_rows_are_left_to_one_thread() {
        let crew = Crew::new(4);
        let mut rows = [(); 4 * 2 * 32];
        crew.pieces(&mut rows[1..], 32, |_, _| ());
        assert_eq!(crew.started(), 0);
        crew.pieces(&mut rows[..], 32, |_, _| ());
        assert_eq!(crew.started(), 1);
    }
}
