//! What is wrong with the laws and numbers of a pair.
//!
//! - what is given and has no meaning with the chosen laws
//! - numbers that the chosen laws need and that are not given
//! - numbers that do not fit each other
//! - moduli of materials that a law cannot work with
//!
//! # Contact flag
//!
//! Event indicator and depth of a pair, [Modia3D contact detection].
//!
//! Hysteresis: at an event instant contact = gap < -z_eps; between events the indicator is gap in
//! contact and gap + 2 z_eps otherwise, so an event comes when the gap rises above 0 or falls
//! below -2 z_eps, and the indicator is at least z_eps away from zero after an event. The depth
//! max(0, -gap - 2 z_eps) makes the force zero at both events: a contact adds no energy, and a
//! body at rest keeps gap < -2 z_eps, so its flag is stable however light it is.
//!
//! Touching, as Modia3D 0.12 has it: contact = gap <= 1e-13 m, indicator gap - 2e-13 m in contact,
//! gap - 1e-13 m otherwise, moved off zero by 1e-14 m; depth -gap, with its sign.

use crate::quantity::Keyword;
use crate::response::choice::{
    ContactKind, ContactRule, Damping, DepthRule, FrictionKind, LawChanges, LawChoice, LawKinds,
    NormalKind, RestitutionRule,
};
use crate::response::number::Number;
use contact_geometry::math::{Exact, Real};
use std::fmt;

/// A problem of a field, by its key.
pub type Flaw = (&'static str, LawFlaw);

/// What is wrong with a law; as text the facts, without what to do.
#[derive(Clone, Debug, PartialEq)]
pub enum LawFlaw {
    /// A number is out of range.
    OutOfRange(OutOfRange),
    /// Two keys are given, and both say how stiff the contact is.
    StiffnessTwice([&'static str; 2]),
    /// Contact over an area is wanted of laws that act in a point: an exponent other than 1, if
    /// that is why.
    ActsInAPoint(LawKinds, Option<f64>),
    /// Something is given that laws of these kinds do not use.
    Unused {
        /// Its key.
        key: &'static str,
        /// The number that it gives; none for a kind of law.
        number: Option<Number>,
        /// The laws.
        kinds: LawKinds,
    },
    /// The restitution jumps with the impact speed, and the damping follows from an inferred one.
    InferredThreshold,
    /// The unit of the stiffness has another exponent than the law: (found, law's).
    StiffnessUnit([f64; 2], LawKinds),
    /// Numbers are not given that laws of these kinds need.
    Missing(Vec<Number>, LawKinds),
}

/// A number outside of what is allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfRange {
    /// What it is.
    pub quantity: String,
    /// The number found.
    pub value: f64,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// What is allowed: `> 0`.
    pub allowed: String,
}

impl OutOfRange {
    /// A number with its unit, and what is allowed.
    pub fn new(
        quantity: impl Into<String>,
        (value, unit): (f64, &'static str),
        allowed: impl Into<String>,
    ) -> Self {
        OutOfRange {
            quantity: quantity.into(),
            value,
            unit,
            allowed: allowed.into(),
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.quantity, Exact(self.value))?;
        if !self.unit.is_empty() {
            write!(f, " {}", self.unit)?;
        }
        write!(f, "; must be {}", self.allowed)
    }
}

impl fmt::Display for LawFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LawFlaw::OutOfRange(number) => number.fmt(f),
            LawFlaw::StiffnessTwice([one, other]) => {
                write!(f, "{one} and {other} both say how stiff the contact is")
            }
            LawFlaw::ActsInAPoint(kinds, None) => {
                write!(f, "the law {} acts in a point", kinds.normal.word())
            }
            LawFlaw::ActsInAPoint(kinds, Some(exponent)) => {
                let word = kinds.normal.word();
                write!(f, "the law {word} with exponent {exponent} acts in a point")
            }
            LawFlaw::Unused { key, kinds, .. } => {
                write!(f, "{key} has no meaning with the law {}", kinds.normal.word())
            }
            LawFlaw::InferredThreshold => f.write_str(
                "the restitution jumps with the impact speed, and inferred damping cannot follow it",
            ),
            LawFlaw::StiffnessUnit([found, wanted], _) => write!(
                f,
                "stiffness is in {}; its unit is {}",
                stiffness_unit(*found),
                stiffness_unit(*wanted)
            ),
            LawFlaw::Missing(numbers, kinds) => {
                let keys: Vec<&str> = numbers.iter().map(|number| number.key()).collect();
                let keys = keys.join(", ");
                write!(f, "the law {} lacks {keys}", kinds.normal.word())
            }
        }
    }
}

impl LawChanges {
    /// What is wrong with these changes if they lead to laws of these kinds.
    pub fn flaws(&self, kinds: &LawKinds) -> Vec<Flaw> {
        let mut flaws = self.ranges();
        let unused = |key, number| {
            let kinds = *kinds;
            (key, LawFlaw::Unused { key, number, kinds })
        };
        flaws.extend(self.unused_kinds(kinds).map(|key| unused(key, None)));
        if kinds.is_inferred() && kinds.restitution == RestitutionRule::Threshold {
            flaws.push(("restitution_rule", LawFlaw::InferredThreshold));
        }
        for (number, _) in &self.numbers {
            // The second layer is one key with the first.
            if !kinds.uses(*number) && *number != Number::LayerDepth2 {
                flaws.push(unused(number.key(), Some(*number)));
            }
        }
        if let Some(wanted) = &self.penetration {
            let number = wanted.number();
            if !kinds.uses(number) {
                flaws.push(unused("penetration", Some(number)));
            } else if self.number(number).is_some() {
                let keys = ["penetration", number.key()];
                flaws.push(("penetration", LawFlaw::StiffnessTwice(keys)));
            }
        }
        let acts = kinds.can_cover_area() || kinds.normal == NormalKind::Observer;
        if kinds.contact == ContactKind::Area && !acts {
            flaws.push(("contact", LawFlaw::ActsInAPoint(*kinds, None)));
        }
        flaws
    }

    fn ranges(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for (number, value) in &self.numbers {
            let Some(allowed) = number.range().violated(*value) else {
                continue;
            };
            match number {
                // A scene file gives both depths in one key, often as one number.
                Number::LayerDepth1 | Number::LayerDepth2 => {
                    let depth = OutOfRange::new("layer_depth", (*value, number.unit()), allowed);
                    let flaw = (Number::LayerDepth1.key(), LawFlaw::OutOfRange(depth));
                    if !flaws.contains(&flaw) {
                        flaws.push(flaw);
                    }
                }
                _ => flaws.push(out_of_range(*number, *value, allowed)),
            }
        }
        if let Some((key, value, unit)) = self.penetration.and_then(|wanted| wanted.flaw()) {
            let key = format!("penetration.{key}");
            let number = OutOfRange::new(key, (value, unit), "> 0");
            flaws.push(("penetration", LawFlaw::OutOfRange(number)));
        }
        flaws
    }

    /// Keys of the kinds that are given and have no meaning.
    fn unused_kinds(&self, kinds: &LawKinds) -> impl Iterator<Item = &'static str> {
        let force = kinds.normal != NormalKind::Observer;
        let frozen = kinds.is_damped() && kinds.damping != Damping::Constant;
        let kinds = [
            ("geometry_factor", self.geometry_factor.is_some(), force),
            ("pulling", self.pulling.is_some(), force),
            ("friction", self.friction.is_some(), force),
            ("damping", self.damping.is_some(), kinds.is_damped()),
            (
                "impact_speed",
                self.impact_speed.is_some(),
                frozen && !kinds.is_inferred(),
            ),
            (
                "restitution_rule",
                self.restitution.is_some(),
                kinds.uses(Number::Restitution),
            ),
            ("step", self.step.is_some(), kinds.has_step()),
            ("contact", self.contact.is_some(), force),
            ("response", self.response.is_some(), force),
        ];
        let unused = kinds.into_iter().filter(|(_, given, used)| *given && !used);
        unused.map(|(key, ..)| key)
    }
}

/// A number of a law outside of what is allowed.
fn out_of_range(number: Number, value: f64, allowed: impl Into<String>) -> Flaw {
    let (key, unit) = (number.key(), number.unit());
    let flaw = OutOfRange::new(key, (value, unit), allowed);
    (key, LawFlaw::OutOfRange(flaw))
}

impl LawKinds {
    /// Returns true if the normal force is damped from restitution or by a given coefficient.
    pub fn is_damped(&self) -> bool {
        let damping = Damping::Constant;
        LawKinds { damping, ..*self }.uses(Number::DampingCoefficient)
    }

    /// Returns true if a step function is part of the laws.
    fn has_step(&self) -> bool {
        matches!(self.normal, NormalKind::Impact | NormalKind::Poisson)
            || (self.normal != NormalKind::Observer
                && matches!(
                    self.friction,
                    FrictionKind::Coulomb | FrictionKind::CoulombDynamic | FrictionKind::Stick
                ))
    }
}

impl LawChoice {
    /// What is wrong with numbers that are good each by itself: the number at fault, and the text
    /// that follows its value.
    pub fn flaw(&self) -> Option<(Number, String)> {
        // An importer changes numbers, not which pairs touch over an area.
        if self.kinds.may_cover_area() && !self.may_cover_area() {
            let allowed = "must be 1: the law acts over an area";
            return Some((Number::Exponent, allowed.to_owned()));
        }
        let allowed = self.allowed_static_speed()?;
        Some((Number::StaticSpeed, format!("must be {allowed}")))
    }

    /// What the static speed must be, if it is not.
    fn allowed_static_speed(&self) -> Option<String> {
        let [slow, fast] = [Number::StaticSpeed, Number::DynamicSpeed].map(|n| self.number(n));
        (self.kinds.uses(Number::StaticSpeed) && slow >= fast)
            .then(|| format!("< dynamic_speed = {fast} m/s"))
    }

    /// What is wrong with the changes that led to this choice, beyond what [`LawChanges::flaws`]
    /// says.
    pub fn flaws_of(&self, changes: &LawChanges) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        if let Some(allowed) = self.allowed_static_speed() {
            let speed = self.number(Number::StaticSpeed);
            flaws.push(out_of_range(Number::StaticSpeed, speed, allowed));
        }
        let exponent = match self.kinds.uses(Number::Exponent) {
            true => self.number(Number::Exponent),
            false => self.kinds.default_exponent(),
        };
        if let Some(unit) = changes.stiffness_unit
            && unit != exponent
        {
            let flaw = LawFlaw::StiffnessUnit([unit, exponent], self.kinds);
            flaws.push((Number::Stiffness.key(), flaw));
        }
        let kinds = self.kinds;
        if kinds.contact == ContactKind::Area && kinds.can_cover_area() && !self.may_cover_area() {
            flaws.push(("contact", LawFlaw::ActsInAPoint(kinds, Some(exponent))));
        }
        flaws
    }

    /// What makes the moduli of a material useless for this law: the field at fault, and what it
    /// must be.
    pub fn modulus_flaw(
        &self,
        youngs_modulus: f64,
        poissons_ratio: f64,
    ) -> Option<(&'static str, &'static str)> {
        let by_area = self.kinds.normal == NormalKind::Volume || self.may_cover_area();
        let from_layers = by_area && self.number(Number::StiffnessPerArea) == 0.0;
        // Only a layer that is given cannot widen.
        let layers = [Number::LayerDepth1, Number::LayerDepth2];
        let is_bonded = from_layers && layers.iter().any(|layer| self.number(*layer) > 0.0);
        let from_moduli = self.kinds.normal == NormalKind::Hertz || from_layers;
        // A user function gives no stiffness that a sticking contact could have its own from.
        let user = matches!(self.kinds.normal, NormalKind::User(_));
        let sticks = self.kinds.uses(Number::TangentialStiffness)
            && self.number(Number::TangentialStiffness) == 0.0;
        if (from_moduli || user && sticks) && youngs_modulus <= 0.0 {
            return Some(("youngs_modulus", "> 0"));
        }
        if is_bonded && poissons_ratio >= 0.5 {
            return Some(("poissons_ratio", "< 0.5"));
        }
        None
    }

    /// The word for the normal force.
    pub fn law_word(&self) -> &'static str {
        self.kinds.normal.word()
    }
}

/// Unit of a stiffness by the exponent of its law: `N/m`, `N/m^1.5`.
pub fn stiffness_unit(exponent: f64) -> String {
    match exponent {
        1.0 => "N/m".into(),
        _ => format!("N/m^{exponent}"),
    }
}

/// Gap up to which the rule `Touching` sees contact [m].
const TOUCHING_GAP: f64 = 1e-13;
/// Least magnitude of an indicator under the rule `Touching` [m].
const TOUCHING_NUDGE: f64 = 1e-14;

impl ContactRule {
    /// Returns true if a pair with this gap [m] is in contact; asked at event instants only.
    pub fn in_contact(&self, gap: f64) -> bool {
        match self {
            ContactRule::Hysteresis { z_eps, .. } => gap < -z_eps,
            ContactRule::Touching => gap <= TOUCHING_GAP,
        }
    }

    /// Event indicator [m] of a pair with this gap [m] whose flag is `in_contact`: an event is due
    /// when z > 0 changes to z <= 0 or back.
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

    /// Depth [m] that enters the force of a pair in contact.
    pub fn depth<T: Real>(&self, gap: T) -> T {
        match self {
            ContactRule::Hysteresis { z_eps, depth } => match depth {
                DepthRule::PastHysteresis => (-gap - 2.0 * z_eps).positive_part(),
                DepthRule::Whole => (-gap).positive_part(),
            },
            ContactRule::Touching => -gap,
        }
    }

    /// Gap [m] of a depth [m] that is not zero.
    pub fn gap<T: Real>(&self, depth: T) -> T {
        match self {
            ContactRule::Hysteresis {
                z_eps,
                depth: DepthRule::PastHysteresis,
            } => -depth - 2.0 * z_eps,
            _ => -depth,
        }
    }

    /// Overlap [m] from which on the force is not zero.
    pub fn overlap_without_force(&self) -> f64 {
        match self {
            ContactRule::Hysteresis {
                z_eps,
                depth: DepthRule::PastHysteresis,
            } => 2.0 * z_eps,
            _ => 0.0,
        }
    }

    /// Depth [m] with which the force sets in when a contact starts: zero if it starts at zero.
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
