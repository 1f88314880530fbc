//! Reads the complete state of an instance as bytes: [FMI 2.0] section 2.1.8, [FMI 3.0] section 2.2.6.4.
#![allow(unsafe_code)]

use super::c_api::{Function, fmi2, fmi3};
use super::error::HostError;
use super::instance::core::LiveInstance;
use super::library::Library;
use fmu_core::instance::Standard;
use std::ffi::{c_int, c_void};
use std::ptr;

/// `fmi2FMUstate` and `fmi3FMUState`.
pub type StatePointer = *mut c_void;
/// `fmi3GetFMUState`.
pub type GetState = unsafe extern "C" fn(*mut c_void, *mut StatePointer) -> c_int;
/// `fmi3SerializedFMUStateSize`.
pub type StateSize = unsafe extern "C" fn(*mut c_void, StatePointer, *mut usize) -> c_int;
/// `fmi3SerializeFMUState`.
pub type SerializeState = unsafe extern "C" fn(*mut c_void, StatePointer, *mut u8, usize) -> c_int;

/// The functions, whose prototypes are those of both versions.
#[derive(Clone, Copy)]
struct StateFunctions {
    get: Function<GetState>,
    free: Function<GetState>,
    size: Function<StateSize>,
    serialize: Function<SerializeState>,
}

/// Reads states of instances of one library.
pub(super) struct StateReader {
    functions: StateFunctions,
    bytes: Vec<u8>,
}

impl StateReader {
    /// A reader for instances of this library.
    ///
    /// # Errors
    /// A function that the library lacks.
    pub fn new(library: &Library) -> Result<StateReader, HostError> {
        let functions = match library.standard() {
            Standard::Fmi2 => {
                let table: fmi2::StateFunctions = library.table()?;
                StateFunctions {
                    get: table.get,
                    free: table.free,
                    size: table.size,
                    serialize: table.serialize,
                }
            }
            Standard::Fmi3 => {
                let table: fmi3::StateFunctions = library.table()?;
                StateFunctions {
                    get: table.get,
                    free: table.free,
                    size: table.size,
                    serialize: table.serialize,
                }
            }
        };
        Ok(StateReader {
            functions,
            bytes: Vec::new(),
        })
    }

    /// The present state of an instance.
    ///
    /// # Errors
    /// A call that fails.
    pub fn read(&mut self, instance: &LiveInstance) -> Result<&[u8], HostError> {
        let StateFunctions {
            get,
            free,
            size,
            serialize,
        } = self.functions;
        let pointer = instance.pointer();
        let mut state: StatePointer = ptr::null_mut();
        // SAFETY: the instance lives; a null state asks for a new one.
        instance.check(get.name, unsafe { (get.call)(pointer, &raw mut state) })?;
        let mut count = 0;
        // SAFETY: the state is one of the instance, until it is freed below.
        let status = unsafe { (size.call)(pointer, state, &raw mut count) };
        let mut result = instance.check(size.name, status);
        if result.is_ok() {
            self.bytes.resize(count, 0);
            // SAFETY: as above; the FMU writes `count` bytes.
            let status =
                unsafe { (serialize.call)(pointer, state, self.bytes.as_mut_ptr(), count) };
            result = instance.check(serialize.name, status);
        }
        // SAFETY: as above; it is not used again.
        let freed = unsafe { (free.call)(pointer, &raw mut state) };
        result.and_then(|()| instance.check(free.name, freed))?;
        Ok(&self.bytes)
    }
}
