//! Impacts with impulses, solved in contact space: from contact velocities before the impact and the inverse
//! mass follow impulses and velocities after it. Bodies and states are not known here.
//!
//! Each contact i has six components in its own frame, [`COMPONENTS`]; u are all velocities, p all impulses,
//! and u+ = u- + W p with the inverse mass W of the contacts (Delassus matrix) A M^-1 A^T. Along an impact
//! p_n grows, friction follows from the slip at each instant, compression ends where u_n = 0, and a
//! hypothesis defines the end of expansion.
//!
//! - [`resistance`]: contacts; limits of friction, rolling and spinning; stick or slip of a contact at rest
//! - [`path`]: the impulse path of a single contact
//! - [`complementarity`]: normal impulses of several contacts without friction
//! - [`together`]: several contacts in two phases
//! - [`compliant`]: springs in place of impulses, with frozen configuration
//!
//! Sources: [Routh 1905] E. J. Routh, Dynamics of a System of Rigid Bodies; [Keller 1986] J. B. Keller,
//! Impact with friction, Journal of Applied Mechanics 53; [Stronge 2000] W. J. Stronge, Impact Mechanics;
//! [Glocker 1995] C. Glocker, F. Pfeiffer, Multiple impacts with friction in rigid multibody systems,
//! Nonlinear Dynamics 7.

mod complementarity;
mod compliant;
mod path;
mod resistance;
mod together;

pub use crate::response::choice::{Hypothesis, MultiImpact};
pub use compliant::without_gain;
pub use resistance::{COMPONENTS, Impact, Solution, Touch};
pub use together::TIE;

use nalgebra::DVector;
use resistance::{Six, TouchResistance};

#[cfg(test)]
#[path = "../../tests/unit/impact/tests/mod.rs"]
mod tests;

/// Result of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Impulses, [`COMPONENTS`] per contact.
    pub impulses: Vec<f64>,
    /// Velocities after the impact, [`COMPONENTS`] per contact.
    pub velocities: Vec<f64>,
    /// Number of times a contact or a group was solved.
    pub hits: u32,
    /// Whether a limit on hits, sweeps or steps cut the solution short. [`Checks`] then still hold, except
    /// for approach between bodies with prescribed motion.
    pub capped: bool,
    /// Consistency of the result.
    pub checks: Checks,
}

/// Numbers that show whether an impact is physical.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Checks {
    /// Change of kinetic energy [J], p.(u- + u+)/2: not positive, except for rounding.
    pub energy_change: f64,
    /// Largest remaining approach speed [m/s], >= 0.
    pub(crate) deepest_approach: f64,
    /// Largest ratio of a friction, rolling or spinning impulse to its limit [1]: not above 1, except for
    /// rounding.
    pub cone: f64,
}

/// Solves an impact; `None` if no contact approaches faster than its rest speed. A contact whose normal
/// velocity no normal impulse changes gets none.
pub fn solve(impact: &Impact) -> Option<Outcome> {
    let least = least_approaches(impact);
    let mut approaches = least.iter().zip(impact.velocities.chunks(COMPONENTS));
    if !approaches.any(|(least, u)| -u[0] > *least) {
        return None;
    }
    let sum = match impact.multi {
        MultiImpact::Propagate => None,
        MultiImpact::Together => Some(together::solve(impact, &least)),
        MultiImpact::Compliant => Some(compliant::solve(impact, &least)),
    };
    let in_turn = || together::solve_in_turn(impact, &least);
    let sum = match sum {
        None => in_turn(),
        Some(found) => found.unwrap_or_else(|| Solution {
            capped: true,
            ..in_turn()
        }),
    };
    Some(outcome(impact, sum))
}

/// Single simultaneous hit of all contacts that approach faster than their rest speed, as a step of
/// [`MultiImpact::Propagate`]; `None` if there is no such contact.
pub fn hit(impact: &Impact) -> Option<Outcome> {
    let least = least_approaches(impact);
    let approach = |i: &usize| -impact.velocities[COMPONENTS * i];
    let approaching = (0..least.len()).filter(|i| approach(i) > least[*i]);
    let members: Vec<usize> = approaching.collect();
    let sum = (!members.is_empty()).then(|| together::once(impact, &members));
    sum.map(|sum| outcome(impact, sum))
}

/// Solves an impact without expansion: for sequences of hits that do not end.
pub fn stop(impact: &Impact) -> Outcome {
    outcome(impact, together::stop(impact, &least_approaches(impact)))
}

/// Relative approach that is rounding [1]; it causes no hit.
const ROUNDING: f64 = 1e-12;
/// W_nn relative to the largest entry of a direction, below which a normal impulse only changes rounding [1].
const UNMOVED: f64 = 1e-13;

/// Approach speed of each contact [m/s] up to which it is not hit; infinite if no impulse changes it.
pub fn least_approaches(impact: &Impact) -> Vec<f64> {
    let diagonal = impact.inverse_mass.diagonal();
    let movable = diagonal.as_slice().chunks(COMPONENTS);
    let largest = movable.flat_map(|w| &w[..3]).copied().fold(0.0, f64::max);
    let speeds = impact.velocities.chunks(COMPONENTS).map(|u| -u[0]);
    let fastest = speeds.fold(0.0, f64::max);
    let least = |(i, touch): (usize, &Touch)| match diagonal[COMPONENTS * i] > UNMOVED * largest {
        true => touch.rest_speed.max(ROUNDING * fastest),
        false => f64::INFINITY,
    };
    impact.touches.iter().enumerate().map(least).collect()
}

/// Result of a sum of impulses.
pub fn outcome(impact: &Impact, sum: Solution) -> Outcome {
    let before = DVector::from_column_slice(impact.velocities);
    let after = &before + impact.inverse_mass * &sum.p;
    let mut checks = Checks {
        energy_change: 0.5 * sum.p.dot(&(before + &after)),
        ..Checks::default()
    };
    for (i, touch) in impact.touches.iter().enumerate() {
        let n = COMPONENTS * i;
        let p: Six = sum.p.fixed_rows::<COMPONENTS>(n).into();
        checks.deepest_approach = checks.deepest_approach.max(-after[n]);
        checks.cone = checks.cone.max(TouchResistance::new(touch).cone(&p));
    }
    Outcome {
        impulses: sum.p.as_slice().to_vec(),
        velocities: after.as_slice().to_vec(),
        hits: sum.hits,
        capped: sum.capped,
        checks,
    }
}
