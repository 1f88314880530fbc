//! What depends on what, at run time: [FMI 3.0] section 2.2.8. Elements of arrays count from 1; 0
//! means the variable itself, here for each scalar. No dependency is claimed to be linear.

use super::types::*;
use crate::border::guard::guard;
use crate::border::pointers::{values_out, write};
use crate::instance::Failure;

/// Number of dependencies of the elements of a variable.
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

/// The elements that the elements of a variable depend on.
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
    // SAFETY: section 2.2.8: the arrays have the given length.
    unsafe {
        guard(instance, "fmi3GetVariableDependencies", |instance| {
            let found = instance.dependencies(dependent)?;
            if found.len() != nDependencies {
                return Err(Failure::error(format!(
                    "nDependencies is {nDependencies}; the variable with value reference \
                     {dependent} has {} dependencies",
                    found.len()
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
            for (i, dependency) in found.iter().enumerate() {
                of_dependent[i] = dependency.element;
                references[i] = dependency.known;
                of_known[i] = dependency.known_element;
            }
            // As integers: what the importer's array holds before need not be a valid kind.
            kinds.fill(fmi3DependencyKind::fmi3Dependent as i32);
            Ok(())
        })
    }
}
