//! Sets of nominal values that events alternate between.
//!
//! FMI has one way to make an importer restart its integrator where the derivatives jump but no
//! state does: nominal values that change ([FMI 3.0] section 2.3.5,
//! `nominalsOfContinuousStatesChanged`). In set k of 0, 1, 2 every nominal value is (1 + k/1024)
//! times that of the model, so that the flag is true whenever it is set. Three sets and not two:
//! after two updates at one event the values still are others than before it. A part in a thousand
//! of an absolute tolerance changes no result by more than the tolerance does. Only in the first
//! Event Mode, before any integrator starts, the set stays: there the flag says that parameters
//! were set, from which nominal values follow.

use serde::{Deserialize, Serialize};

/// Number of sets.
const SETS: u8 = 3;
/// Part by which a set differs from the one before [1], a power of two so that the factors are
/// exact.
const PART: f64 = 1.0 / 1024.0;

/// Which set of nominal values holds.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct NominalSet(u8);

impl NominalSet {
    /// Goes on to the next set.
    pub fn advance(&mut self) {
        self.0 = (self.0 + 1) % SETS;
    }

    /// Factor on the nominal values of the model [1].
    pub fn factor(self) -> f64 {
        1.0 + f64::from(self.0) * PART
    }

    /// True if there is such a set; bytes from elsewhere may name another one.
    pub fn is_known(self) -> bool {
        self.0 < SETS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_two_changes_leave_other_values_and_all_stay_within_two_thousandths() {
        let mut set = NominalSet::default();
        let mut factors = Vec::new();
        for _ in 0..5 {
            factors.push(set.factor());
            assert!(set.is_known());
            set.advance();
        }
        assert_eq!(
            factors,
            [1.0, 1025.0 / 1024.0, 1026.0 / 1024.0, 1.0, 1025.0 / 1024.0]
        );
        assert!(!NominalSet(SETS).is_known());
    }
}
