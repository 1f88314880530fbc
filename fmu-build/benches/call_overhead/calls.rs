//! The three functions of an evaluation, behind pointers as an importer has them.

use std::ffi::{c_int, c_void};

/// States of a free body.
pub const STATES: usize = 13;

type Set = unsafe extern "C" fn(*mut c_void, *const f64, usize) -> c_int;
type Get = unsafe extern "C" fn(*mut c_void, *mut f64, usize) -> c_int;

/// An instance with its functions.
#[derive(Clone, Copy)]
pub struct Calls {
    instance: *mut c_void,
    set_states: Set,
    derivatives: Get,
    indicators: Get,
}

impl Calls {
    /// Looks up the functions that set states, get derivatives and get indicators.
    ///
    /// # Safety
    /// The names are those of functions with the prototypes above; library and instance live as
    /// long as the answer is used.
    pub unsafe fn find(
        library: &libloading::Library,
        instance: *mut c_void,
        [set_states, derivatives, indicators]: [&str; 3],
    ) -> Calls {
        // SAFETY: the contract of this function.
        unsafe {
            Calls {
                instance,
                set_states: *library.get(set_states).expect(set_states),
                derivatives: *library.get(derivatives).expect(derivatives),
                indicators: *library.get(indicators).expect(indicators),
            }
        }
    }

    /// One evaluation: derivatives and indicator at `states`.
    pub fn evaluate(&self, states: &[f64; STATES], rates: &mut [f64; STATES]) -> f64 {
        let mut indicator = 0.0;
        // SAFETY: the instance lives; arrays have the lengths told.
        let statuses = unsafe {
            [
                (self.set_states)(self.instance, states.as_ptr(), STATES),
                (self.derivatives)(self.instance, rates.as_mut_ptr(), STATES),
                (self.indicators)(self.instance, &raw mut indicator, 1),
            ]
        };
        assert_eq!(statuses, [0; 3]);
        indicator
    }
}
