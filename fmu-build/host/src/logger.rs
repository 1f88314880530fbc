//! Collects what an FMU logs. The FMU gets a pointer to a [`Logger`] as its instance environment
//! and [`receive_fmi2`] or [`receive_fmi3`] as its callback.
//!
//! The callback of FMI 2.0 takes a format of printf and what it asks for. Formats that ask for
//! nothing or for one text are filled in, `%s` above all; any other is shown as it is, because its
//! arguments cannot be reached: see [`receive_fmi2`].
#![allow(unsafe_code)]

use super::c_api::{CallbackLogger, text_at};
use super::error::Status;
use super::trajectory::{Live, Seen};
use contact_model::integrator::Statistics;
use fmu_core::instance::record::{ContactEvent, Pulse, Record};
use fmu_core::instance::{Category, Standard};
use std::ffi::{c_char, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Messages kept at most; an FMU that logs without end must not fill the memory.
const MOST_MESSAGES: usize = 1_000_000;
/// Messages that an error repeats at most.
const MOST_REPEATED: usize = 5;

/// A message of an FMU.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    /// Status that the FMU gave it.
    pub status: Status,
    /// Log category.
    pub category: String,
    /// Text.
    pub(crate) text: String,
}

/// Messages of one instance. An FMU may log from threads of its own, hence the locks.
#[derive(Default)]
pub(crate) struct Logger {
    /// Of the last call.
    messages: Mutex<Vec<Message>>,
    /// Gets at once what belongs to the result and what shows how the run goes on.
    live: Mutex<Arc<Live>>,
}

impl Logger {
    /// Of a run.
    pub(crate) fn new(live: Arc<Live>) -> Logger {
        Logger {
            messages: Mutex::default(),
            live: Mutex::new(live),
        }
    }

    /// The run.
    pub(crate) fn live(&self) -> Arc<Live> {
        Arc::clone(&self.live.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins another run.
    pub(crate) fn follow(&self, live: Arc<Live>) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
    }

    fn messages(&self) -> MutexGuard<'_, Vec<Message>> {
        // The list is whole after every single change, so a panic elsewhere does not spoil it.
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, mut message: Message) {
        // In both FMI versions `#` begins a reference to a variable, and two mean one.
        if message.text.contains("##") {
            message.text = message.text.replace("##", "#");
        }
        if note(&mut self.live().seen(), &message) {
            keep(&mut self.messages(), message);
        }
    }

    /// Says that the last call succeeded: its messages explain no later failure.
    pub(crate) fn call_succeeded(&self) {
        self.messages().clear();
    }

    /// The texts that explain why the last call failed: its messages with a bad status, or all of
    /// its messages where none has one. The last few of them.
    pub(crate) fn last_reasons(&self) -> Vec<String> {
        let messages = self.messages();
        let is_bad = |m: &Message| m.status != Status::Ok;
        let any = messages.iter().any(is_bad);
        let chosen = messages.iter().filter(|m| !any || is_bad(m));
        let mut chosen: Vec<String> = chosen.map(|m| m.text.clone()).collect();
        chosen.split_off(chosen.len().saturating_sub(MOST_REPEATED))
    }
}

/// Adds an item unless there are too many; returns how many were left out.
fn keep<T>(list: &mut Vec<T>, item: T) -> usize {
    if list.len() >= MOST_MESSAGES {
        return 1;
    }
    list.push(item);
    0
}

/// Notes warnings and records of a run. Returns false if the message is for nothing else.
fn note(seen: &mut Seen, message: &Message) -> bool {
    if message.status != Status::Ok {
        seen.dropped += keep(&mut seen.warnings, message.text.clone());
        return true;
    }
    let text = &message.text;
    let read = match Category::from_name(&message.category) {
        Some(Category::Progress) => {
            let pulse = Pulse::read(text).ok().flatten();
            let is_other = pulse.is_none();
            seen.pulse = pulse.or(seen.pulse.take());
            return is_other;
        }
        Some(Category::Contacts) => ContactEvent::read(text).map(|event| {
            if let Some(event) = event {
                seen.dropped += keep(&mut seen.contacts, event);
            }
        }),
        Some(Category::Integrator) => Statistics::read(text).map(|work| {
            seen.work = work.or(seen.work);
        }),
        _ => Ok(()),
    };
    if let Err(reason) = read {
        seen.unreadable.get_or_insert(reason);
    }
    true
}

/// `fmi3LogMessageCallback`: keeps a message.
///
/// # Safety
/// `environment` is null or points to a live [`Logger`]; `category` and `text` are null or
/// null-terminated strings.
pub(crate) unsafe extern "C" fn receive_fmi3(
    environment: *mut c_void,
    status: c_int,
    category: *const c_char,
    text: *const c_char,
) {
    // SAFETY: the environment is the one given at instantiation, see above.
    let Some(logger) = (unsafe { environment.cast::<Logger>().as_ref() }) else {
        return;
    };
    logger.add(Message {
        status: Status::from_number(Standard::Fmi3, status),
        // SAFETY: null or null-terminated, see above.
        category: unsafe { text_at(category) },
        // SAFETY: as for the category.
        text: unsafe { text_at(text) },
    });
}

/// Whether the place of the first variadic argument is known, see [`receive_fmi2`].
const ARGUMENT_IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// `fmi2CallbackLogger`: keeps a message.
///
/// C calls it as the variadic function `(environment, name, status, category, format, ...)`, which
/// Rust cannot define; the first variadic argument arrives in `argument`, as the calling
/// conventions put a pointer there in a variadic call and in this one:
/// - x86-64 System V: register r9, the sixth for integers and pointers. A variadic caller also
///   says in al how many vector registers it fills, which any callee may pass over.
/// - x86-64 Windows: the second stack slot above the home space of the four register arguments;
///   floating-point numbers are no matter before it.
/// - AArch64 on Linux and Windows: register x5.
/// - AArch64 of Apple: variadic arguments are on the stack from its first slot on, where a fixed
///   argument comes only after x0 to x7 are taken; three further parameters take x5 to x7.
///
/// In all of them the caller clears the stack, so that a call with fewer or more arguments than
/// parameters leaves nothing unbalanced. Where the format asks for no text, `argument` is whatever
/// the register or the slot of the caller's stack held; nobody looks at it then. On other
/// architectures nobody ever does.
///
/// # Safety
/// `environment` is null or points to a live [`Logger`]; `category` and `format` are null or
/// null-terminated strings; if `format` is one of printf that asks for a text, the first variadic
/// argument is null or a null-terminated string.
pub(crate) unsafe extern "C" fn receive_fmi2(
    environment: *mut c_void,
    _instance_name: *const c_char,
    status: c_int,
    category: *const c_char,
    format: *const c_char,
    #[cfg(all(target_vendor = "apple", target_arch = "aarch64"))] _x5: usize,
    #[cfg(all(target_vendor = "apple", target_arch = "aarch64"))] _x6: usize,
    #[cfg(all(target_vendor = "apple", target_arch = "aarch64"))] _x7: usize,
    argument: *const c_char,
) {
    // SAFETY: the environment is the one given at instantiation, see above.
    let Some(logger) = (unsafe { environment.cast::<Logger>().as_ref() }) else {
        return;
    };
    // SAFETY: null or null-terminated, see above.
    let format = unsafe { text_at(format) };
    logger.add(Message {
        status: Status::from_number(Standard::Fmi2, status),
        // SAFETY: null or null-terminated, see above.
        category: unsafe { text_at(category) },
        // SAFETY: called only where the format asks for a text, so that the caller passed one.
        text: fill(&format, || unsafe { text_at(argument) }),
    });
}

/// [`receive_fmi2`] as the variadic function that the standard asks for.
pub(crate) fn fmi2_callback() -> CallbackLogger {
    let function = receive_fmi2 as *const ();
    // SAFETY: a pointer to a function of this program. It is called from C only, for which
    // `receive_fmi2` says where the arguments are.
    unsafe { std::mem::transmute::<*const (), CallbackLogger>(function) }
}

/// A format of printf with its text filled in. One that asks for more than one text, or for
/// anything else, stays as it is.
fn fill(format: &str, argument: impl FnOnce() -> String) -> String {
    let mut argument = ARGUMENT_IS_KNOWN.then_some(argument);
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text += before;
        match (after.chars().next(), argument.take()) {
            (Some('%'), kept) => {
                text.push('%');
                argument = kept;
            }
            (Some('s'), Some(argument)) => text += &argument(),
            _ => return format.to_owned(),
        }
        rest = &after[1..];
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;
    use std::ptr;

    fn log(logger: &Logger, status: c_int, text: &CStr) {
        let environment = ptr::from_ref(logger).cast_mut().cast();
        // SAFETY: the logger lives, the texts are C strings.
        unsafe { receive_fmi3(environment, status, c"c".as_ptr(), text.as_ptr()) };
    }

    #[test]
    fn messages_are_kept_in_order_with_status_and_category() {
        let logger = Logger::default();
        log(&logger, 0, c"first");
        log(&logger, 3, c"second");
        let messages = logger.messages();
        assert_eq!((messages.len(), logger.live().seen().dropped), (2, 0));
        assert_eq!(messages[1].status, Status::Error);
        assert_eq!(
            (messages[1].category.as_str(), messages[1].text.as_str()),
            ("c", "second")
        );
    }

    #[test]
    fn what_shows_a_run_is_shown_at_once_and_progress_is_not_kept() {
        let logger = Logger::default();
        let say = |status, category: &CStr, text: &CStr| {
            let environment = ptr::from_ref(&logger).cast_mut().cast();
            // SAFETY: the logger lives, the texts are C strings.
            unsafe { receive_fmi3(environment, status, category.as_ptr(), text.as_ptr()) };
        };
        say(
            0,
            c"progress",
            c"progress: t=0.5 step=1e-3 steps=7 events=1",
        );
        say(0, c"progress", c"progress: t=what");
        say(0, c"contacts", c"contact end: t=0.25 pair=a:b");
        say(1, c"contacts", c"too close");
        let live = logger.live();
        let seen = live.seen();
        assert_eq!(seen.pulse.as_ref().map(|pulse| pulse.steps), Some(7));
        assert_eq!(seen.contacts.len(), 1);
        assert_eq!(seen.warnings, ["too close"]);
        let kept = logger.messages();
        let texts: Vec<&str> = kept.iter().map(|m| m.text.as_str()).collect();
        let expected = [
            "progress: t=what",
            "contact end: t=0.25 pair=a:b",
            "too close",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn two_hashes_stand_for_one() {
        let logger = Logger::default();
        log(&logger, 0, c"pair=plate:bracket##2");
        assert_eq!(logger.messages()[0].text, "pair=plate:bracket#2");
    }

    #[test]
    fn reasons_are_the_bad_messages_of_the_last_call() {
        let logger = Logger::default();
        log(&logger, 3, c"older call");
        logger.call_succeeded();
        log(&logger, 0, c"information");
        assert_eq!(logger.last_reasons(), ["information"]);
        log(&logger, 3, c"reason");
        assert_eq!(logger.last_reasons(), ["reason"]);
    }

    #[test]
    fn nulls_and_broken_text_do_no_harm() {
        let logger = Logger::default();
        let environment = ptr::from_ref(&logger).cast_mut().cast();
        // SAFETY: null is allowed for each pointer.
        unsafe {
            receive_fmi3(ptr::null_mut(), 0, ptr::null(), ptr::null());
            receive_fmi3(environment, 77, ptr::null(), c"\xff".as_ptr());
        }
        let messages = logger.messages();
        assert_eq!(messages[0].status, Status::Unknown(77));
        assert_eq!(messages[0].text, "\u{fffd}");
    }

    /// What printf makes of these formats, as far as one text is all that can be reached.
    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn a_format_takes_one_text_and_is_shown_as_it_is_where_it_asks_for_more() {
        for (format, expected) in [
            ("%s", "it is 5 % off"),
            ("at %s!", "at it is 5 % off!"),
            ("50 %% of %s", "50 % of it is 5 % off"),
            ("plain", "plain"),
            ("100 %%", "100 %"),
            ("", ""),
            ("%d steps", "%d steps"),
            ("%s: %d", "%s: %d"),
            ("%s and %s", "%s and %s"),
            ("%5s", "%5s"),
            ("% s", "% s"),
            ("to 100 %", "to 100 %"),
            ("%\u{e9}", "%\u{e9}"),
        ] {
            assert_eq!(fill(format, || "it is 5 % off".into()), expected);
        }
    }

    #[test]
    fn no_argument_is_read_that_the_format_does_not_ask_for_first() {
        for format in ["plain", "100 %%", "%d: %s", "%f", "%"] {
            fill(format, || panic!("read for {format:?}"));
        }
    }
}
