//! Runs a simulation in another thread, while this one shows its progress, writes its rows, and handles
//! Ctrl-C.
//!
//! The first Ctrl-C, or signal to end, requests an end at the next communication point. An FMU that does not
//! reach one within [`GRACE`] is abandoned: its data so far are the result, and the process ends without it.
//! A second Ctrl-C ends the process at once.
//!
//! A line about a slow run, with its reason and a remedy, comes after [`AFTER`] of wall time without a row,
//! or if the rest will take longer than [`LONG`]; repeated rarely. All times are arguments, so nothing here
//! reads a clock.

use fmu_core::instance::record::{Pulse, StepLimit, Strain};
use fmu_host::trajectory::Seen;
use fmu_host::{Fmu, HostError, Interface, Live, Options, Run, STACK};
use fmu_view::number::rounded;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fs, panic, process, thread};

/// Exit code after Ctrl-C: 128 and the number of the signal, as in shells.
pub(crate) const INTERRUPTED: u8 = 130;
/// Interval at which the run is polled.
const TICK: Duration = Duration::from_millis(100);
/// Wall time for a requested end.
const GRACE: Duration = Duration::from_millis(1000);
/// Averaging time of the speed.
const MEMORY: Duration = Duration::from_secs(10);

/// CPU time after which a run that calls user code and reports no progress is given up [s].
const STALL: f64 = 60.0;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reached {
    pub(crate) time: f64,
    pub stop: f64,
    /// Completed fraction in 0..=1.
    pub part: f64,
    /// Time of the last row or communication point [s].
    pub row: Option<f64>,
    pub(crate) step: f64,
    /// Simulated time per wall time [s/s], if known.
    pub speed: Option<f64>,
    pub remaining: Option<f64>,
    /// Progress of the integration, if known.
    pub pulse: Option<Pulse>,
}

impl Reached {
    /// Short text of the limit of the internal steps.
    pub(crate) fn limit(&self) -> Option<String> {
        self.pulse.as_ref()?.limit.as_ref().map(limit_in_words)
    }
}

/// Display of a run's progress.
pub(crate) trait Show {
    fn reached(&mut self, reached: &Reached);
    /// Shows the reason of a slow run.
    fn slow(&mut self, reason: &str);
    /// Ends the display and clears a terminal line.
    fn end(&mut self);
}

/// When a run is shown while it goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal
    #[default]
    Auto,
    /// As a line on a terminal, as lines elsewhere
    Always,
    /// Not at all
    Never,
}

/// Observer of a run.
pub(crate) struct Watcher<'a> {
    pub(crate) show: Option<Box<dyn Show + 'a>>,
    /// Number of requests to end so far.
    pub(crate) ends: Box<dyn Fn() -> u32 + 'a>,
    /// Whether the process does nothing but this, so that its CPU time is that of the run.
    pub(crate) is_alone: bool,
}

pub(crate) trait Rows {
    /// Takes new rows.
    ///
    /// # Errors
    /// They cannot be written.
    fn take(&mut self, seen: &Seen) -> Result<(), String>;
}

pub(crate) enum Outcome {
    Ended(Result<Run, HostError>),
    /// Abandoned, with its data so far.
    Left(Option<Run>),
}

/// Computes progress and speed of a run. Times are arguments.
#[derive(Debug, Default)]
struct Pace {
    samples: VecDeque<(Duration, f64)>,
    latest: f64,
}

impl Pace {
    /// Progress at `now` since its start; `None` before its times are known.
    fn look(&mut self, seen: &Seen, now: Duration) -> Option<Reached> {
        let experiment = seen.experiment?;
        let (start, stop) = (experiment.start, experiment.stop);
        let pulse = seen.pulse.clone();
        let times = [seen.reached, pulse.as_ref().map(|pulse| pulse.time)];
        let time = times.into_iter().flatten().fold(start, f64::max);
        // An FMU may report parts of it that are behind what it reported before.
        self.latest = match self.samples.is_empty() {
            true => time,
            false => self.latest.max(time),
        };
        let time = self.latest.clamp(start, stop);
        self.samples.push_back((now, time));
        while self.samples.len() > 2
            && self
                .samples
                .get(1)
                .is_some_and(|(then, _)| now.saturating_sub(*then) >= MEMORY)
        {
            self.samples.pop_front();
        }
        let speed = self.samples.front().and_then(|(then, from)| {
            let wall = now.saturating_sub(*then).as_secs_f64();
            (wall > 0.0 && time > *from).then(|| (time - from) / wall)
        });
        let remaining = match time >= stop {
            true => Some(0.0),
            false => speed.map(|speed| (stop - time) / speed),
        };
        Some(Reached {
            time,
            stop,
            part: (time - start) / (stop - start),
            row: seen.reached,
            step: experiment.step,
            speed,
            remaining,
            pulse,
        })
    }
}

/// Detector of a stalled run.
#[derive(Debug, Default)]
struct Stall {
    /// Time [s], internal steps and contacts at the last change.
    mark: Option<(Option<f64>, Option<u64>, usize)>,
    /// CPU time then [s].
    since: f64,
}

impl Stall {
    /// Returns true if nothing has changed over [`STALL`]; `cpu` is the CPU time of this process [s].
    fn look(&mut self, seen: &Seen, cpu: f64) -> bool {
        let steps = seen.pulse.as_ref().map(|pulse| pulse.steps);
        let mark = Some((seen.reached, steps, seen.contacts.len()));
        if self.mark != mark {
            (self.mark, self.since) = (mark, cpu);
        }
        cpu - self.since > STALL
    }
}

/// CPU time of a process that is the run's alone, else the wall time since it began [s]; `None` if unknown.
fn used(is_alone: bool, begin: Instant) -> Option<f64> {
    match is_alone {
        true => cpu_time(),
        false => Some(begin.elapsed().as_secs_f64()),
    }
}

/// CPU time of this process [s]; `None` on systems without such a file.
fn cpu_time() -> Option<f64> {
    /// Ticks per second, the same on every Linux.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may have spaces; utime and stime are fields 14 and 15.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

/// Simulates an FMU in another thread. `rows` gets its rows during the run, and the last ones of an abandoned
/// run; those of a completed one are in its result.
///
/// # Errors
/// No thread is available.
pub(crate) fn simulate(
    fmu: &Arc<Fmu>,
    interface: Interface,
    options: Options,
    live: &Arc<Live>,
    rows: &mut dyn Rows,
    watcher: &mut Watcher<'_>,
) -> Result<Outcome, String> {
    let _folder = Leftover::new(fmu.folder());
    let (thread, receiver) = start(fmu, interface, options, live)?;
    let begin = Instant::now();
    let (show, ends, is_alone) = (&mut watcher.show, &watcher.ends, watcher.is_alone);
    // Looks for Ctrl-C from here on.
    ends();
    let (mut pace, mut crawl) = (Pace::default(), Crawl::default());
    let user = fmu.user_libraries();
    let mut stall = Stall::default();
    let mut asked: Option<Instant> = None;
    let mut kept: Vec<Leftover> = Vec::new();
    let mut failed = None;
    let outcome = loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => {
                // It has let go of the FMU then, whose folder goes with its last owner.
                thread
                    .join()
                    .unwrap_or_else(|reason| panic::resume_unwind(reason));
                break Outcome::Ended(result);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(reason) => panic::resume_unwind(reason),
                Ok(()) => return Err("the simulation ended without a word".to_owned()),
            },
        }
        for file in live.temporary_files().iter().skip(kept.len()) {
            kept.push(Leftover::new(file));
        }
        let seen = live.seen();
        let reached = pace.look(&seen, begin.elapsed());
        if failed.is_none() {
            failed = rows.take(&seen).err();
        }
        if failed.is_none()
            && !user.is_empty()
            && used(is_alone, begin).is_some_and(|time| stall.look(&seen, time))
        {
            failed = Some(format!(
                "the run has made no progress over {STALL} s of {} time since {} s: a law in {} does not return, \
                 or takes too long",
                if is_alone { "CPU" } else { "wall" },
                seen.reached.unwrap_or(0.0),
                user.join(", ")
            ));
        }
        drop(seen);
        if let (Some(show), Some(reached)) = (show.as_mut(), &reached) {
            show.reached(reached);
            if let Some(reason) = crawl.look(reached, begin.elapsed()) {
                show.slow(&reason);
            }
        }
        if ends() > 0 || failed.is_some() {
            live.end();
            if asked.get_or_insert_with(Instant::now).elapsed() > GRACE {
                break Outcome::Left(Run::so_far(live));
            }
        }
    };
    if let Some(show) = show {
        if let Outcome::Ended(Ok(run)) = &outcome
            && run.interrupted.is_none()
        {
            live.seen().reached = run.trajectory.times().last().copied();
            if let Some(reached) = pace.look(&live.seen(), begin.elapsed()) {
                show.reached(&reached);
            }
        }
        show.end();
    }
    match failed {
        Some(reason) => {
            if let Outcome::Left(_) = outcome {
                clean_up(fmu, live);
            }
            Err(reason)
        }
        None => Ok(outcome),
    }
}

/// Thread of a run, and the channel of its result.
type Started = (JoinHandle<()>, Receiver<Result<Run, HostError>>);

/// Starts a run in another thread, which sends its result.
fn start(
    fmu: &Arc<Fmu>,
    interface: Interface,
    options: Options,
    live: &Arc<Live>,
) -> Result<Started, String> {
    let (sender, receiver) = mpsc::channel();
    let fmu = Arc::clone(fmu);
    let options = Options {
        live: Some(Arc::clone(live)),
        ..options
    };
    let run = move || {
        // Nobody listens any more where the run is left.
        let _ = sender.send(interface.simulate(&fmu, &options));
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    let thread = thread.map_err(|e| format!("no thread for the simulation: {e}"))?;
    Ok((thread, receiver))
}

/// Removes the files of an abandoned run, whose FMU is not read any more.
pub(crate) fn clean_up(fmu: &Fmu, live: &Live) {
    for file in live.temporary_files() {
        let _ = fs::remove_file(file);
    }
    // Where the binary in it is in use, some systems refuse.
    let _ = fs::remove_dir_all(fmu.folder());
}

/// Files and folders that a second Ctrl-C removes.
static LEFTOVERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn leftovers() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    LEFTOVERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts counting Ctrl-C and signals to end; the second one ends this process.
pub(crate) fn listen() {
    signals::listen();
}

pub(crate) fn interruptions() -> u32 {
    signals::count()
}

/// File or folder that a second Ctrl-C removes during the lifetime of this value.
#[derive(Debug)]
pub(crate) struct Leftover(PathBuf);

impl Leftover {
    pub(crate) fn new(path: &Path) -> Leftover {
        leftovers().push(path.to_owned());
        Leftover(path.to_owned())
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        leftovers().retain(|path| *path != self.0);
    }
}

/// Ctrl-C and the signal to end.
mod signals {
    use super::*;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use std::sync::Once;
    use std::sync::atomic::AtomicBool;

    /// Interval at which the notes of the handlers are polled.
    const LOOK: Duration = Duration::from_millis(20);

    static COUNT: AtomicU32 = AtomicU32::new(0);
    static LISTENING: Once = Once::new();

    pub(crate) fn count() -> u32 {
        COUNT.load(Ordering::Relaxed)
    }

    /// Starts counting them, and ends the process at the second one. If no thread is available, the first one
    /// ends it as usual.
    pub(crate) fn listen() {
        LISTENING.call_once(|| {
            let heard = Arc::new(AtomicBool::new(false));
            let noted = Arc::clone(&heard);
            let thread = thread::Builder::new().spawn(move || watch(&noted));
            if thread.is_ok() {
                for signal in [SIGINT, SIGTERM] {
                    let _ = flag::register(signal, Arc::clone(&heard));
                }
            }
        });
    }

    fn watch(heard: &AtomicBool) {
        loop {
            thread::sleep(LOOK);
            if !heard.swap(false, Ordering::Relaxed) || COUNT.fetch_add(1, Ordering::Relaxed) == 0 {
                continue;
            }
            for path in std::mem::take(&mut *leftovers()) {
                let _ = match path.is_dir() {
                    true => fs::remove_dir_all(&path),
                    false => fs::remove_file(&path),
                };
            }
            process::exit(i32::from(INTERRUPTED));
        }
    }
}

/// Wall time without a row, or from the start on, after which a run may be slow.
const AFTER: Duration = Duration::from_secs(5);
/// Remaining wall time from which on a run is slow [s].
const LONG: f64 = 600.0;
/// Minimum wall time between two lines; it grows with the run.
const PAUSE: Duration = Duration::from_secs(60);
/// Fraction of the maximum step from which internal steps count as limited by it.
const NEARLY: f64 = 0.5;

/// Decides when to report a slow run.
#[derive(Debug, Default)]
pub(crate) struct Crawl {
    /// Time of the last row [s], and its wall time.
    row: Option<(f64, Duration)>,
    /// Earliest wall time of the next report.
    next: Duration,
}

impl Crawl {
    /// Report at `now` since the start of the run, if due.
    pub(crate) fn look(&mut self, reached: &Reached, now: Duration) -> Option<String> {
        let row = reached.row.unwrap_or(f64::NEG_INFINITY);
        let since = match self.row {
            Some((time, since)) if time == row => since,
            _ => {
                self.row = Some((row, now));
                now
            }
        };
        let is_stuck = now.saturating_sub(since) >= AFTER;
        let is_long = reached.remaining.is_some_and(|rest| rest > LONG);
        if now < AFTER.max(self.next) || !(is_stuck || is_long) {
            return None;
        }
        self.next = now + PAUSE.max(now);
        Some(reason(reached))
    }
}

fn reason(reached: &Reached) -> String {
    let head = format!("slow at t = {} s", rounded(reached.time, 6));
    let Some(pulse) = &reached.pulse else {
        return format!(
            "{head}: the FMU does not say why; fewer rows (--step) or a looser --tolerance may help"
        );
    };
    let step = format!("internal steps of {} s", rounded(pulse.step, 3));
    let why = match &pulse.limit {
        _ if pulse.step >= NEARLY * reached.step => {
            let step = rounded(reached.step, 3);
            return format!(
                "{head}: no step is longer than a row, {step} s; take a longer --step, and --every for \
                 fewer rows"
            );
        }
        Some(StepLimit::Contact(strain)) => format!(
            "limited by {}: make it softer (stiffness, k_red) or less damped, let the bodies start apart \
             or slower, or loosen the tolerance",
            of_strain(strain)
        ),
        Some(StepLimit::Error(state, strain)) => {
            // In contact it is mostly friction, whose sense changes within v_small.
            let (beside, cure) = match strain {
                Some(strain) => (
                    format!("; stiffest is {}", of_strain(strain)),
                    "let friction change over larger speeds (v_small, w_small), be regularized rather than \
                     stick, or make contacts softer (k_red)",
                ),
                None => (
                    String::new(),
                    "look for a stiff spring or damper, or a force that jumps",
                ),
            };
            format!(
                "limited by the error of {state}, of {}{beside}: loosen the tolerance, or {cure}",
                owner(state)
            )
        }
        Some(StepLimit::Events(who)) => {
            let who = who
                .as_deref()
                .map_or(String::new(), |who| format!(" of {who}"));
            let events = rounded(pulse.events as f64 / pulse.steps.max(1) as f64, 2);
            format!(
                "cut short by events{who}, {events} a step: something starts and ends again and again; more \
                 damping, less restitution or friction that regularizes over a larger speed calms it"
            )
        }
        Some(StepLimit::LongestStep) => {
            "as long as experiment.max_step allows: set it higher, or to 0 for no \
                                     limit"
                .to_owned()
        }
        Some(StepLimit::Fixed) => {
            "all of the length that the stiffest contact of granular mode needs: make the \
                               contacts softer or the smallest balls larger"
                .to_owned()
        }
        None => {
            "and the FMU does not say what limits them: a looser --tolerance may help".to_owned()
        }
    };
    format!("{head}: {step}, {why}")
}

fn of_strain(strain: &Strain) -> String {
    let is_stop = [":lower", ":upper"]
        .iter()
        .any(|end| strain.name.ends_with(end));
    let what = if is_stop {
        "the end stop"
    } else {
        "the contact"
    };
    let [length, stiffness] = match strain.is_angular {
        true => ["rad", "N.m/rad"],
        false => ["m", "N/m"],
    };
    format!(
        "{what} {}, depth {} {length}, stiffness {} {stiffness}, whose force changes within {} s",
        strain.name,
        rounded(strain.depth, 3),
        rounded(strain.stiffness, 3),
        rounded(strain.duration, 2)
    )
}

/// Name of the body or joint of a state.
fn owner(state: &str) -> String {
    let name = state.split('[').next().unwrap_or(state);
    match name.rsplit_once('.') {
        Some((owner, _)) => owner.to_owned(),
        None => name.to_owned(),
    }
}

/// Limit of the steps as a short text.
pub(crate) fn limit_in_words(limit: &StepLimit) -> String {
    match limit {
        StepLimit::Contact(strain) => strain.name.clone(),
        StepLimit::Error(state, _) => owner(state),
        StepLimit::Events(Some(who)) => format!("events of {who}"),
        StepLimit::Events(None) => "events".to_owned(),
        StepLimit::LongestStep => "max_step".to_owned(),
        StepLimit::Fixed => "granular mode".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_host::Experiment;

    fn seen(reached: Option<f64>, pulse: Option<f64>) -> Live {
        let live = Live::default();
        {
            let mut seen = live.seen();
            seen.experiment = Some(Experiment {
                start: 1.0,
                stop: 3.0,
                step: 0.5,
                tolerance: None,
                steps: 4,
                every: None,
            });
            seen.reached = reached;
            seen.pulse = pulse.map(|time| Pulse {
                time,
                ..Pulse::default()
            });
        }
        live
    }

    #[test]
    fn the_time_left_follows_from_the_speed() {
        let mut pace = Pace::default();
        let at = Duration::from_secs;
        let reached = pace.look(&seen(None, None).seen(), at(0)).unwrap();
        assert_eq!(
            (reached.time, reached.part, reached.remaining),
            (1.0, 0.0, None)
        );
        // A quarter of the run took 10 s, so the rest takes 30 s.
        let reached = pace.look(&seen(Some(1.5), None).seen(), at(10)).unwrap();
        assert_eq!((reached.part, reached.speed), (0.25, Some(0.05)));
        assert_eq!(reached.remaining, Some(30.0));
        // Inside a communication step the FMU tells.
        let reached = pace
            .look(&seen(Some(1.5), Some(1.75)).seen(), at(15))
            .unwrap();
        assert_eq!((reached.time, reached.row), (1.75, Some(1.5)));
        // What is told later of an earlier time does not lead back.
        let reached = pace
            .look(&seen(Some(1.5), Some(1.6)).seen(), at(16))
            .unwrap();
        assert_eq!(reached.time, 1.75);
        let reached = pace.look(&seen(Some(3.0), None).seen(), at(17)).unwrap();
        assert_eq!((reached.part, reached.remaining), (1.0, Some(0.0)));
    }

    #[test]
    fn the_speed_is_that_of_the_last_while() {
        let mut pace = Pace::default();
        for second in 0..=60 {
            let time = if second <= 30 {
                1.0 + 0.03 * f64::from(second)
            } else {
                1.9 + 1e-4 * f64::from(second - 30)
            };
            let wall = Duration::from_secs(second as u64);
            let reached = pace.look(&seen(Some(time), None).seen(), wall).unwrap();
            if second == 60 {
                let speed = reached.speed.unwrap();
                assert!((speed / 1e-4 - 1.0).abs() < 0.01, "{speed}");
            }
        }
    }

    #[test]
    fn a_run_stalls_that_changes_nothing_over_a_minute_of_cpu_time() {
        let mut stall = Stall::default();
        let mut look = |reached, pulse, cpu| stall.look(&seen(reached, pulse).seen(), cpu);
        assert!(!look(None, None, 5.0));
        assert!(!look(None, None, 64.0));
        assert!(!look(Some(1.5), None, 66.0));
        assert!(!look(Some(1.5), None, 126.0));
        assert!(look(Some(1.5), None, 126.5));
        assert!(!look(Some(1.5), Some(1.5), 127.0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_cpu_time_of_this_process_is_known_and_grows() {
        let before = cpu_time().unwrap();
        let start = Instant::now();
        while cpu_time().unwrap() <= before {
            assert!(start.elapsed() < Duration::from_secs(60));
        }
    }

    #[test]
    fn what_is_left_over_is_forgotten_with_its_owner() {
        let path = Path::new("no such file of this test");
        let kept = Leftover::new(path);
        assert!(leftovers().iter().any(|known| known == path));
        drop(kept);
        assert!(!leftovers().iter().any(|known| known == path));
    }
}

#[cfg(test)]
mod crawl_tests {
    use super::*;

    fn reached(row: f64, remaining: Option<f64>, limit: Option<StepLimit>) -> Reached {
        Reached {
            time: row,
            stop: 10.0,
            part: row / 10.0,
            row: Some(row),
            step: 0.01,
            remaining,
            speed: None,
            pulse: Some(Pulse {
                time: row,
                step: 1e-6,
                steps: 1000,
                events: 500,
                limit,
            }),
        }
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_run_that_stands_still_for_five_seconds_says_so_once_a_minute_and_more_rarely_later() {
        let mut crawl = Crawl::default();
        let stuck = reached(1.0, None, None);
        let spoken: Vec<u64> = (0..600)
            .filter(|s| crawl.look(&stuck, at(*s)).is_some())
            .collect();
        assert_eq!(spoken, [5, 65, 130, 260, 520]);
    }

    #[test]
    fn a_run_whose_rows_come_is_slow_only_if_the_rest_takes_long() {
        let mut crawl = Crawl::default();
        for second in 0..100 {
            let row = second as f64 * 0.01;
            assert_eq!(
                crawl.look(&reached(row, Some(500.0), None), at(second)),
                None
            );
        }
        assert!(
            crawl
                .look(&reached(1.0, Some(601.0), None), at(100))
                .is_some()
        );
    }

    #[test]
    fn the_line_names_what_limits_the_steps_and_what_to_change() {
        let strain = Strain {
            name: "ball.ball:ground.plate".into(),
            depth: 2e-5,
            stiffness: 1e9,
            duration: 1e-6,
            is_angular: false,
        };
        let said = |limit| reason(&reached(1.0, None, limit));
        let text = said(Some(StepLimit::Contact(strain.clone())));
        for part in [
            "slow at t = 1 s",
            "internal steps of 1e-6 s",
            "the contact ball.ball:ground.plate, depth 2e-5 m",
            "stiffness 1e9 N/m",
            "softer",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let stop = Strain {
            name: "hinge:lower".into(),
            is_angular: true,
            ..strain.clone()
        };
        let text = said(Some(StepLimit::Contact(stop)));
        assert!(
            text.contains("the end stop hinge:lower") && text.contains("N.m/rad"),
            "{text}"
        );
        let text = said(Some(StepLimit::Error("arm.velocity[3]".into(), None)));
        assert!(text.contains("arm.velocity[3], of arm:"), "{text}");
        assert!(text.contains("spring or damper"), "{text}");
        let touching = StepLimit::Error("ball.angular_velocity[1]".into(), Some(strain.clone()));
        let text = said(Some(touching));
        assert!(
            text.contains("v_small") && text.contains("ball.ball:ground.plate"),
            "{text}"
        );
        let text = said(Some(StepLimit::Events(Some("a.b:c.d".into()))));
        assert!(text.contains("events of a.b:c.d, 0.5 a step"), "{text}");
        assert!(said(Some(StepLimit::LongestStep)).contains("experiment.max_step"));
        let mut tiny = reached(1.0, None, None);
        tiny.step = 1e-6;
        assert!(reason(&tiny).contains("a longer --step"));
    }
}
