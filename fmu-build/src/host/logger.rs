//! Collects what an FMU logs. The FMU gets a pointer to a [`Logger`] as its instance environment
//! and [`receive`] as its callback.
#![allow(unsafe_code)]

use super::c_api::Status;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Messages kept at most; an FMU that logs without end must not fill the memory.
const MOST_MESSAGES: usize = 1_000_000;
/// Messages that an error repeats at most.
const MOST_REPEATED: usize = 5;

/// A message of an FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Status that the FMU gave it.
    pub status: Status,
    /// Log category.
    pub category: String,
    /// Text.
    pub text: String,
}

/// Messages of one instance. An FMU may log from threads of its own, hence the lock.
#[derive(Default)]
pub struct Logger(Mutex<Store>);

#[derive(Default)]
struct Store {
    messages: Vec<Message>,
    /// Messages that were not kept.
    dropped: usize,
    /// Messages before this index belong to calls that succeeded.
    mark: usize,
}

impl Logger {
    fn store(&self) -> MutexGuard<'_, Store> {
        // The store is whole after every single change, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, message: Message) {
        let mut store = self.store();
        if store.messages.len() < MOST_MESSAGES {
            store.messages.push(message);
        } else {
            store.dropped += 1;
        }
    }

    /// Says that the last call succeeded: its messages explain no later failure.
    pub fn call_succeeded(&self) {
        let mut store = self.store();
        store.mark = store.messages.len();
    }

    /// The texts that explain why the last call failed: its messages with a bad status, or all of
    /// its messages where none has one. The last few of them.
    pub fn last_reasons(&self) -> Vec<String> {
        let store = self.store();
        let of_call = &store.messages[store.mark.min(store.messages.len())..];
        let is_bad = |m: &&Message| m.status != Status::Ok;
        let bad: Vec<&Message> = of_call.iter().filter(is_bad).collect();
        let chosen = if bad.is_empty() {
            of_call.iter().collect()
        } else {
            bad
        };
        let first = chosen.len().saturating_sub(MOST_REPEATED);
        chosen[first..].iter().map(|m| m.text.clone()).collect()
    }

    /// Takes all messages out, with the number of those that were not kept.
    pub fn take(&self) -> (Vec<Message>, usize) {
        let mut store = self.store();
        store.mark = 0;
        let messages = std::mem::take(&mut store.messages);
        (messages, std::mem::take(&mut store.dropped))
    }
}

/// `fmi3LogMessageCallback`: keeps a message.
///
/// # Safety
/// `environment` is null or points to a live [`Logger`]; `category` and `text` are null or
/// null-terminated strings.
pub unsafe extern "C" fn receive(
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
        status: Status::from_number(status),
        // SAFETY: null or null-terminated, see above.
        category: unsafe { text_at(category) },
        // SAFETY: as for the category.
        text: unsafe { text_at(text) },
    });
}

/// A copy of a C string, empty for null; what is not UTF-8 is replaced.
///
/// # Safety
/// `pointer` is null or points to a null-terminated string.
pub unsafe fn text_at(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null, and null-terminated as the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    fn log(logger: &Logger, status: c_int, text: &CStr) {
        let environment = ptr::from_ref(logger).cast_mut().cast();
        // SAFETY: the logger lives, the texts are C strings.
        unsafe { receive(environment, status, c"c".as_ptr(), text.as_ptr()) };
    }

    #[test]
    fn messages_are_kept_in_order_with_status_and_category() {
        let logger = Logger::default();
        log(&logger, 0, c"first");
        log(&logger, 3, c"second");
        let (messages, dropped) = logger.take();
        assert_eq!((messages.len(), dropped), (2, 0));
        assert_eq!(messages[1].status, Status::Error);
        assert_eq!(
            (messages[1].category.as_str(), messages[1].text.as_str()),
            ("c", "second")
        );
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
            receive(ptr::null_mut(), 0, ptr::null(), ptr::null());
            receive(environment, 77, ptr::null(), c"\xff".as_ptr());
        }
        let (messages, _) = logger.take();
        assert_eq!(messages[0].status, Status::Unknown(77));
        assert_eq!(messages[0].text, "\u{fffd}");
    }
}
