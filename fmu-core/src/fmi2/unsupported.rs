//! Functions of features that the model description does not offer: partial derivatives,
//! derivatives of inputs and outputs with respect to time. Each logs so and returns fmi2Error.

use super::types::*;
use crate::border::guard::guard;
use crate::instance::Failure;

/// A function that is not supported, for the reason given.
macro_rules! unsupported {
    ($reason:literal: $name:ident($($argument:ident: $kind:ty),* $(,)?)) => {
        #[doc = concat!("Not supported: ", $reason, ".")]
        ///
        /// # Safety
        /// As [FMI 2.0] section 2.1.5 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(c: fmi2Component $(, $argument: $kind)*) -> fmi2Status {
            // No argument beside the instance is looked at.
            $(let _ = $argument;)*
            // SAFETY: section 2.1.5.
            unsafe {
                guard(c, stringify!($name), |_| {
                    Err(Failure::error(concat!("not supported: ", $reason)))
                })
            }
        }
    };
}

unsupported! { "this FMU does not provide partial derivatives":
    fmi2GetDirectionalDerivative(
        vUnknown_ref: *const fmi2ValueReference,
        nUnknown: usize,
        vKnown_ref: *const fmi2ValueReference,
        nKnown: usize,
        dvKnown: *const fmi2Real,
        dvUnknown: *mut fmi2Real,
    )
}

unsupported! { "canInterpolateInputs of this FMU is false":
    fmi2SetRealInputDerivatives(
        vr: *const fmi2ValueReference,
        nvr: usize,
        order: *const fmi2Integer,
        value: *const fmi2Real,
    )
}

unsupported! { "maxOutputDerivativeOrder of this FMU is 0":
    fmi2GetRealOutputDerivatives(
        vr: *const fmi2ValueReference,
        nvr: usize,
        order: *const fmi2Integer,
        value: *mut fmi2Real,
    )
}
