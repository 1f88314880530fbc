//! Functions of features that the model description does not offer: clocks, configuration
//! modes, scheduled execution. Each logs so and returns fmi3Error.

use super::types::*;
use crate::border::guard::guard;
use crate::instance::Failure;

/// A function that is not supported, for the reason given.
macro_rules! unsupported {
    ($reason:literal: $($name:ident($($argument:ident: $kind:ty),* $(,)?);)+) => {$(
        #[doc = concat!("Not supported: ", $reason, ".")]
        ///
        /// # Safety
        /// As [FMI 3.0] section 2.3.1 says of an importer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(instance: fmi3Instance $(, $argument: $kind)*) -> fmi3Status {
            // No argument beside the instance is looked at.
            $(let _ = $argument;)*
            // SAFETY: section 2.3.1.
            unsafe {
                guard(instance, stringify!($name), |_| {
                    Err(Failure::error(concat!("not supported: ", $reason)))
                })
            }
        }
    )+};
}

unsupported! { "this FMU has no clocks":
    fmi3GetClock(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        values: *mut fmi3Clock,
    );
    fmi3SetClock(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        values: *const fmi3Clock,
    );
    fmi3GetIntervalDecimal(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        intervals: *mut fmi3Float64,
        qualifiers: *mut fmi3IntervalQualifier,
    );
    fmi3GetIntervalFraction(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        counters: *mut fmi3UInt64,
        resolutions: *mut fmi3UInt64,
        qualifiers: *mut fmi3IntervalQualifier,
    );
    fmi3GetShiftDecimal(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        shifts: *mut fmi3Float64,
    );
    fmi3GetShiftFraction(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        counters: *mut fmi3UInt64,
        resolutions: *mut fmi3UInt64,
    );
    fmi3SetIntervalDecimal(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        intervals: *const fmi3Float64,
    );
    fmi3SetIntervalFraction(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        counters: *const fmi3UInt64,
        resolutions: *const fmi3UInt64,
    );
    fmi3SetShiftDecimal(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        shifts: *const fmi3Float64,
    );
    fmi3SetShiftFraction(
        valueReferences: *const fmi3ValueReference,
        nValueReferences: usize,
        counters: *const fmi3UInt64,
        resolutions: *const fmi3UInt64,
    );
}

unsupported! { "this FMU has no structural parameters":
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
}

unsupported! { "this FMU has no Scheduled Execution":
    fmi3ActivateModelPartition(clockReference: fmi3ValueReference, activationTime: fmi3Float64);
}
