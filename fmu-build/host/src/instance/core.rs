//! What an instance of any version is made of: the pointer with its library and log. Checks the
//! status of each call, frees the instance.
#![allow(unsafe_code)]

use crate::c_api::{
    FreeInstance, Function, Getter, InstancePointer, Plain, ReadVector, Setter, Status, WriteVector,
};
use crate::error::HostError;
use crate::library::Library;
use crate::logger::{Logger, Message};
use crate::messages;
use fmu_core::instance::Standard;
use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::rc::Rc;

/// A live instance. Freed when dropped.
pub struct LiveInstance {
    pointer: InstancePointer,
    free: Function<FreeInstance>,
    fatal: Cell<bool>,
    // Fields are dropped in this order: a library may still log while it is unloaded.
    library: Library,
    // The FMU has a pointer to it: it must not move, and outlive instance and library.
    logger: Rc<Logger>,
}

impl LiveInstance {
    /// Takes over what the function `name` gives `instantiate`, which gets a pointer to a logger as
    /// the environment of the instance.
    ///
    /// # Safety
    /// The pointer that `instantiate` returns is null or an instance of `library`, which `free`
    /// frees and which logs to the environment.
    ///
    /// # Errors
    /// There is no instance.
    pub unsafe fn new(
        library: Library,
        name: &'static str,
        free: Function<FreeInstance>,
        instantiate: impl FnOnce(*mut c_void) -> InstancePointer,
    ) -> Result<LiveInstance, HostError> {
        let logger = Rc::<Logger>::default();
        let pointer = instantiate(ptr::from_ref::<Logger>(&logger).cast_mut().cast());
        if pointer.is_null() {
            return Err(HostError::Call {
                function: name,
                standard: library.standard(),
                status: None,
                messages: logger.last_reasons(),
            });
        }
        logger.call_succeeded();
        Ok(LiveInstance {
            pointer,
            free,
            fatal: Cell::new(false),
            logger,
            library,
        })
    }

    /// The instance for a call; it lives as long as this value.
    pub fn pointer(&self) -> InstancePointer {
        self.pointer
    }

    /// FMI version of the instance.
    pub fn standard(&self) -> Standard {
        self.library.standard()
    }

    /// The loaded binary.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// What the FMU logs; can be asked after the instance is freed.
    pub fn logger(&self) -> Rc<Logger> {
        Rc::clone(&self.logger)
    }

    /// Takes out all messages so far, with the number of those that were too many to keep.
    pub fn take_messages(&self) -> (Vec<Message>, usize) {
        self.logger.take()
    }

    /// Judges the status of a call: OK and Warning are good.
    ///
    /// # Errors
    /// Any other status, with the function's name and what the FMU logged.
    pub fn check(&self, function: &'static str, number: c_int) -> Result<(), HostError> {
        let status = Status::from_number(self.standard(), number);
        if matches!(status, Status::Ok | Status::Warning) {
            self.logger.call_succeeded();
            return Ok(());
        }
        if status == Status::Fatal {
            self.fatal.set(true);
        }
        Err(HostError::Call {
            function,
            standard: self.standard(),
            status: Some(status),
            messages: self.logger.last_reasons(),
        })
    }

    /// Calls a function of this library that takes the instance only.
    pub fn call(&self, function: Function<Plain>) -> Result<(), HostError> {
        // SAFETY: the instance lives.
        let status = unsafe { (function.call)(self.pointer) };
        self.check(function.name, status)
    }

    /// Calls a function of this library that fills a vector.
    pub fn read_vector(
        &self,
        function: Function<ReadVector>,
        values: &mut [f64],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU writes the given number of values.
        let status = unsafe { (function.call)(self.pointer, values.as_mut_ptr(), values.len()) };
        self.check(function.name, status)
    }

    /// Calls a function of this library that takes a vector.
    pub fn write_vector(
        &self,
        function: Function<WriteVector>,
        values: &[f64],
    ) -> Result<(), HostError> {
        // SAFETY: the instance lives, the FMU reads the given number of values.
        let status = unsafe { (function.call)(self.pointer, values.as_ptr(), values.len()) };
        self.check(function.name, status)
    }

    /// Reads the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `getter` is the function of the standard called `name`, found in [`Self::library`].
    pub unsafe fn get<T>(
        &self,
        name: &'static str,
        getter: &Getter<T>,
        references: &[u32],
        values: &mut [T],
    ) -> Result<(), HostError> {
        let (list, count) = (references.as_ptr(), references.len());
        let (place, size) = (values.as_mut_ptr(), values.len());
        // SAFETY: the instance lives; the FMU reads and writes the given number of items. In
        // FMI 2.0 these are as many values as references, since every variable is a scalar.
        let status = unsafe {
            match getter {
                Getter::Fmi2(getter) => getter(self.pointer, list, count, place),
                Getter::Fmi3(getter) => getter(self.pointer, list, count, place, size),
            }
        };
        self.check(name, status)
    }

    /// Sets the values of some variables, whose total size is that of `values`.
    ///
    /// # Safety
    /// `setter` is the function of the standard called `name`, found in [`Self::library`].
    pub unsafe fn set<T>(
        &self,
        name: &'static str,
        setter: &Setter<T>,
        references: &[u32],
        values: &[T],
    ) -> Result<(), HostError> {
        let (list, count) = (references.as_ptr(), references.len());
        let (place, size) = (values.as_ptr(), values.len());
        // SAFETY: the instance lives; the FMU reads the given number of items. In FMI 2.0 these
        // are as many values as references, since every variable is a scalar.
        let status = unsafe {
            match setter {
                Setter::Fmi2(setter) => setter(self.pointer, list, count, place),
                Setter::Fmi3(setter) => setter(self.pointer, list, count, place, size),
            }
        };
        self.check(name, status)
    }

    /// Instantiated with all categories on, so that a refusal is explained; from here on only those
    /// that this tool reads, and those of failures. `set`, which calls the function `name`, gets
    /// the instance, on or off, the number of categories and their names.
    pub fn select_categories(
        &self,
        (declared, is_watched): (&[String], bool),
        name: &'static str,
        set: impl Fn(InstancePointer, bool, usize, *const *const c_char) -> c_int,
    ) -> Result<(), HostError> {
        let is_read = |name: &&String| {
            let name = name.to_ascii_lowercase();
            [messages::CONTACTS, messages::INTEGRATOR].contains(&name.as_str())
                || is_watched && name == messages::PROGRESS
                || ["error", "fatal", "discard", "warning"]
                    .iter()
                    .any(|w| name.contains(w))
        };
        let wanted = declared.iter().filter(is_read);
        let texts: Result<Vec<CString>, _> = wanted.map(|c| CString::new(c.as_str())).collect();
        let texts = texts.map_err(|_| HostError::Run("a log category has a null in it".into()))?;
        let list: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
        if list.is_empty() {
            return Ok(());
        }
        // No categories mean all of them.
        self.check(name, set(self.pointer, false, 0, ptr::null()))?;
        self.check(name, set(self.pointer, true, list.len(), list.as_ptr()))
    }
}

impl Drop for LiveInstance {
    fn drop(&mut self) {
        // [FMI 2.0] 2.1.3, [FMI 3.0] 2.2.3: after Fatal no function may be called, this one
        // included.
        if !self.fatal.get() {
            // SAFETY: the instance lives until here, and nobody has its pointer.
            unsafe { (self.free.call)(self.pointer) };
        }
    }
}
