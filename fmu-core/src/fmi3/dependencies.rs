//! What depends on what, at run time: [FMI 3.0] section 2.2.8. All variables are scalars, so the
//! element indices are 0, all elements; no dependency is claimed to be linear.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values_out, write};
use crate::instance::Failure;

/// Number of variables that a variable depends on.
///
/// # Safety
/// As [FMI 3.0] section 2.2.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfVariableDependencies(
    instance: fmi3Instance,
    valueReference: fmi3ValueReference,
    nDependencies: *mut usize,
) -> fmi3Status {
    // SAFETY: section 2.2.8: the pointer is that of a variable of the importer.
    unsafe {
        guard(
            instance,
            "fmi3GetNumberOfVariableDependencies",
            |instance| {
                let count = instance.dependencies(valueReference)?.len();
                write(nDependencies, count, "nDependencies")
            },
        )
    }
}

/// The variables that a variable depends on.
///
/// # Safety
/// As [FMI 3.0] section 2.2.8 says of an importer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetVariableDependencies(
    instance: fmi3Instance,
    dependent: fmi3ValueReference,
    elementIndicesOfDependent: *mut usize,
    independents: *mut fmi3ValueReference,
    elementIndicesOfIndependents: *mut usize,
    dependencyKinds: *mut fmi3DependencyKind,
    nDependencies: usize,
) -> fmi3Status {
    // SAFETY: section 2.2.8: the arrays have the length told.
    unsafe {
        guard(instance, "fmi3GetVariableDependencies", |instance| {
            let known = instance.dependencies(dependent)?;
            if known.len() != nDependencies {
                return Err(Failure::error(format!(
                    "nDependencies is {nDependencies}; the variable with value reference \
                     {dependent} has {} dependencies",
                    known.len()
                )));
            }
            let n = nDependencies;
            let of_dependent =
                values_out(elementIndicesOfDependent, n, "elementIndicesOfDependent")?;
            let references = values_out(independents, n, "independents")?;
            let of_known = values_out(
                elementIndicesOfIndependents,
                n,
                "elementIndicesOfIndependents",
            )?;
            let kinds = values_out(dependencyKinds.cast::<i32>(), n, "dependencyKinds")?;
            of_dependent.fill(0);
            references.copy_from_slice(&known);
            of_known.fill(0);
            // As integers: what the importer's array holds before need not be a valid kind.
            kinds.fill(fmi3DependencyKind::fmi3Dependent as i32);
            Ok(())
        })
    }
}
