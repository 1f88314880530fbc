//! What is wrong with the laws and numbers of a pair.
//!
//! - what is given and has no meaning with the chosen laws
//! - numbers that the chosen laws need and that are not given
//! - numbers that do not fit each other
//! - moduli of materials that a law cannot work with

use crate::quantity::Keyword;
use crate::response::choice::{
    ContactKind, Damping, FrictionKind, LawChanges, LawChoice, LawKinds, NormalKind,
    RestitutionRule,
};
use crate::response::number::Number;
use contact_geometry::math::Exact;
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
    pub(crate) value: f64,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// What is allowed: `> 0`.
    pub allowed: String,
}

impl OutOfRange {
    /// A number with its unit, and what is allowed.
    pub fn new(
        quantity: impl Into<String>,
        value: f64,
        unit: &'static str,
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
                    let depth = OutOfRange::new("layer_depth", *value, number.unit(), allowed);
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
            let number = OutOfRange::new(key, value, unit, "> 0");
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
    let flaw = OutOfRange::new(number.key(), value, number.unit(), allowed);
    (number.key(), LawFlaw::OutOfRange(flaw))
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
