//! Contact flag, event indicator and depth of a pair, [Modia3D contact detection].
//!
//! Hysteresis: at an event instant contact = gap < -z_eps; between events the indicator is gap in contact and
//! gap + 2 z_eps otherwise, so an event comes when the gap rises above 0 or falls below -2 z_eps, and the
//! indicator is at least z_eps away from zero after an event. The depth max(0, -gap - 2 z_eps) makes the
//! force zero at both events: a contact adds no energy, and a body at rest keeps gap < -2 z_eps, so its flag
//! is stable for any mass. Touching, as in Modia3D 0.12: contact = gap <= 1e-13 m, indicator gap - 2e-13 m in
//! contact, gap - 1e-13 m otherwise, moved off zero by 1e-14 m; depth -gap, with its sign.

use crate::response::choice::{ContactRule, DepthRule};
use contact_geometry::math::Real;

/// Gap up to which the rule `Touching` detects contact [m].
const TOUCHING_GAP: f64 = 1e-13;
/// Minimum magnitude of an indicator under the rule `Touching` [m].
const TOUCHING_NUDGE: f64 = 1e-14;

impl ContactRule {
    /// Returns true if a pair with this gap [m] is in contact; for event instants only.
    pub fn in_contact(&self, gap: f64) -> bool {
        match self {
            ContactRule::Hysteresis { z_eps, .. } => gap < -z_eps,
            ContactRule::Touching => gap <= TOUCHING_GAP,
        }
    }

    /// Event indicator [m] of a pair with this gap [m] and contact flag: an event is due when z > 0 changes
    /// to z <= 0 or back.
    pub fn indicator<T: Real>(&self, gap: T, in_contact: bool) -> T {
        match self {
            ContactRule::Hysteresis { z_eps, .. } => match in_contact {
                true => gap,
                false => gap + 2.0 * z_eps,
            },
            ContactRule::Touching => {
                let factor = if in_contact { 2.0 } else { 1.0 };
                let z = gap - factor * TOUCHING_GAP;
                match z.value().abs() < TOUCHING_NUDGE {
                    true => T::from(TOUCHING_NUDGE.copysign(z.value())),
                    false => z,
                }
            }
        }
    }

    /// Depth [m] in the force of a pair in contact.
    pub fn depth<T: Real>(&self, gap: T) -> T {
        match self {
            ContactRule::Hysteresis { z_eps, depth } => match depth {
                DepthRule::PastHysteresis => (-gap - 2.0 * z_eps).positive_part(),
                DepthRule::Whole => (-gap).positive_part(),
            },
            ContactRule::Touching => -gap,
        }
    }

    /// Gap [m] for a nonzero depth [m].
    pub fn gap<T: Real>(&self, depth: T) -> T {
        match self {
            ContactRule::Hysteresis {
                z_eps,
                depth: DepthRule::PastHysteresis,
            } => -depth - 2.0 * z_eps,
            _ => -depth,
        }
    }

    /// Overlap [m] up to which the force is zero.
    pub fn overlap_without_force(&self) -> f64 {
        match self {
            ContactRule::Hysteresis {
                z_eps,
                depth: DepthRule::PastHysteresis,
            } => 2.0 * z_eps,
            _ => 0.0,
        }
    }

    /// Depth [m] at which the force sets in when a contact starts; zero for a continuous force.
    pub fn depth_at_start(&self) -> f64 {
        match self {
            ContactRule::Hysteresis { z_eps, .. } => self.depth(-2.0 * z_eps),
            ContactRule::Touching => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [ContactRule; 2] = [
        ContactRule::Hysteresis {
            z_eps: 1e-8,
            depth: DepthRule::PastHysteresis,
        },
        ContactRule::Touching,
    ];

    #[test]
    fn indicator_is_never_zero_after_an_event_and_has_the_sign_of_the_flag() {
        for rule in RULES {
            for step in -2000..2000 {
                for scale in [1e-16, 1e-14, 1e-13, 1e-11, 1e-8] {
                    let gap = f64::from(step) * 1e-3 * scale * 10.0;
                    let contact = rule.in_contact(gap);
                    let z = rule.indicator(gap, contact);
                    assert!(
                        if contact { z < 0.0 } else { z > 0.0 },
                        "{rule:?} gap {gap} z {z}"
                    );
                }
            }
        }
    }

    #[test]
    fn hysteresis_events_are_at_minus_two_z_eps_and_at_zero_where_the_force_vanishes() {
        let rule = RULES[0];
        assert!(rule.indicator(-1.99e-8, false) > 0.0 && rule.indicator(-2.01e-8, false) < 0.0);
        assert!(rule.indicator(-1e-12, true) < 0.0 && rule.indicator(1e-12, true) > 0.0);
        assert_eq!(rule.depth(-2e-8), 0.0);
        assert_eq!(rule.depth(0.0), 0.0);
        assert!((rule.depth(-3e-8) - 1e-8).abs() < 1e-23);
        assert_eq!(rule.depth_at_start(), 0.0);
        let full = ContactRule::Hysteresis {
            z_eps: 1e-8,
            depth: DepthRule::Whole,
        };
        assert_eq!(full.depth_at_start(), 2e-8);
    }

    #[test]
    fn touching_counts_as_contact_under_the_rule_of_modia3d() {
        assert!(
            RULES[1].in_contact(0.0)
                && RULES[1].in_contact(1e-13)
                && !RULES[1].in_contact(1.01e-13)
        );
        assert!(!RULES[0].in_contact(0.0));
    }
}
