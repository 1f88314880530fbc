//! What is wrong with the laws and numbers of a pair, in words, with what to do.
//!
//! - what is given and has no meaning with the chosen laws
//! - numbers that the chosen laws need and nobody gives
//! - numbers that do not fit each other
//! - moduli of materials that a law cannot work with

use crate::math::Exact;
use crate::response::choice::{LawChanges, LawChoice, LawKinds};
use crate::response::number::Number;
use crate::response::options::{Damping, FrictionKind, NormalKind, RestitutionRule};
use crate::response::words::{DAMPINGS, FRICTIONS, LAWS, friction_word, law_word, word_of};

/// A problem of a field, by its key.
pub type Flaw = (&'static str, String);

impl LawChanges {
    /// What is wrong with these changes where they lead to laws of these kinds.
    pub fn flaws(&self, kinds: &LawKinds) -> Vec<Flaw> {
        let mut flaws = self.ranges();
        flaws.extend(self.unused_kinds(kinds));
        for (number, _) in &self.numbers {
            // The second layer is one key with the first.
            if !kinds.uses(*number) && *number != Number::LayerDepth2 {
                flaws.push((number.key(), unused(kinds, *number, number.key())));
            }
        }
        if self.penetration.is_some() {
            if !kinds.uses(Number::Stiffness) {
                let text = unused(kinds, Number::Stiffness, "penetration");
                flaws.push(("penetration", text));
            } else if self.number(Number::Stiffness).is_some() {
                let text = "penetration and stiffness both say how stiff the contact is; keep one";
                flaws.push(("penetration", text.into()));
            }
        }
        flaws
    }

    fn ranges(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for (number, value) in &self.numbers {
            if let Some(allowed) = number.violated_range(*value) {
                let (key, unit) = (number.key(), spaced(number.measure().unit()));
                flaws.push((
                    key,
                    format!(
                        "{key} is {value}{unit}; must be {allowed}",
                        value = Exact(*value)
                    ),
                ));
            }
        }
        if let Some((key, value, unit)) = self.penetration.and_then(|wanted| wanted.flaw()) {
            let text = format!(
                "penetration.{key} is {value} {unit}; must be > 0",
                value = Exact(value)
            );
            flaws.push(("penetration", text));
        }
        flaws
    }

    fn unused_kinds(&self, kinds: &LawKinds) -> Vec<Flaw> {
        let law = format!("law = {:?}", law_word(kinds.normal));
        let damped = kinds.is_damped();
        let mut flaws = Vec::new();
        let mut check = |key: &'static str, given: bool, used: bool, with: &str| {
            if given && !used {
                flaws.push((key, format!("{key} has no meaning with {with}; remove it")));
            }
        };
        let force = kinds.normal != NormalKind::Observer;
        check(
            "geometry_factor",
            self.geometry_factor.is_some(),
            force,
            &law,
        );
        check("pulling", self.pulling.is_some(), force, &law);
        check("friction", self.friction.is_some(), force, &law);
        check("damping", self.damping.is_some(), damped, &law);
        let constant = "damping = \"constant\"";
        let from_restitution = damped && kinds.damping != Damping::Constant;
        let with = if damped { constant } else { &law };
        let by_speed = self.impact_speed.is_some();
        check("impact_speed", by_speed, from_restitution, with);
        let inferred = kinds.is_inferred();
        check(
            "impact_speed",
            by_speed && from_restitution,
            !inferred,
            "damping = \"inferred\"",
        );
        let rule = self.restitution.is_some();
        check(
            "restitution_rule",
            rule,
            kinds.uses(Number::Restitution),
            with,
        );
        let friction = friction_word(kinds.friction);
        let with = format!("{law} and friction = {friction:?}");
        check("step", self.step.is_some(), kinds.has_step(), &with);
        if inferred && kinds.restitution == RestitutionRule::Threshold {
            let text = "restitution_rule = \"threshold\" jumps with the impact speed, so damping = \"inferred\" \
                        cannot follow it; write damping = \"exact\", or restitution_rule = \"regularized\" or \
                        \"constant\"";
            flaws.push(("restitution_rule", text.to_owned()));
        }
        flaws
    }
}

impl LawKinds {
    /// Whether the normal force is damped from restitution or by a given coefficient.
    fn is_damped(&self) -> bool {
        let damping = Damping::Constant;
        LawKinds { damping, ..*self }.uses(Number::DampingCoefficient)
    }

    /// Whether a step function is part of the laws.
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
        let [slow, fast] = [Number::StaticSpeed, Number::DynamicSpeed].map(|n| self.number(n));
        if self.kinds.uses(Number::StaticSpeed) && slow >= fast {
            let text = format!("must be < dynamic_speed = {fast} m/s");
            return Some((Number::StaticSpeed, text));
        }
        None
    }

    /// What is wrong with the changes that led to this choice, beyond what [`LawChanges::flaws`] says.
    pub fn flaws_of(&self, changes: &LawChanges) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        if let Some((number, text)) = self.flaw() {
            let value = self.number(number);
            let (key, unit) = (number.key(), spaced(number.measure().unit()));
            flaws.push((
                key,
                format!("{key} is {value}{unit}; {text}", value = Exact(value)),
            ));
        }
        let exponent = match self.kinds.uses(Number::Exponent) {
            true => self.number(Number::Exponent),
            false => self.kinds.default_exponent(),
        };
        if let Some(unit) = changes.stiffness_unit
            && unit != exponent
        {
            let text = match self.kinds.uses(Number::Exponent) {
                true => format!(
                    "stiffness is in {}; with exponent = {exponent} its unit is {}; change one of the two",
                    stiffness_unit(unit),
                    stiffness_unit(exponent)
                ),
                false => format!(
                    "stiffness is in {}; with law = {:?} its unit is {}",
                    stiffness_unit(unit),
                    law_word(self.kinds.normal),
                    stiffness_unit(exponent)
                ),
            };
            flaws.push((Number::Stiffness.key(), text));
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
        let from_moduli = matches!(self.kinds.normal, NormalKind::Hertz | NormalKind::Volume);
        // A function of the user tells no stiffness that a sticking contact could have its own from.
        let user = matches!(self.kinds.normal, NormalKind::User(_));
        let sticks = self.kinds.uses(Number::TangentialStiffness)
            && self.number(Number::TangentialStiffness) == 0.0;
        if (from_moduli || user && sticks) && youngs_modulus <= 0.0 {
            return Some(("youngs_modulus", "> 0"));
        }
        if self.kinds.normal == NormalKind::Volume && poissons_ratio >= 0.5 {
            return Some(("poissons_ratio", "< 0.5"));
        }
        None
    }

    /// The law in the words of a scene file.
    pub fn law_word(&self) -> &'static str {
        law_word(self.kinds.normal)
    }
}

/// Says that numbers are missing, with the lines to add.
pub fn missing(kinds: &LawKinds, numbers: &[Number]) -> String {
    let keys: Vec<&str> = numbers.iter().map(|number| file_key(*number)).collect();
    let word = if keys.len() == 1 { "is" } else { "are" };
    let mut text = format!(
        "{} {word} missing, which {} needs; add",
        keys.join(", "),
        settings(kinds)
    );
    for number in numbers {
        text.push_str("\n  ");
        text.push_str(&line(*number));
    }
    text
}

/// The lines of a scene file that state a complete law of these kinds, less what has a default.
pub fn example_lines(kinds: &LawKinds) -> Vec<String> {
    match LawChoice::new(*kinds, |_| None) {
        Ok(_) => Vec::new(),
        Err(missing) => missing.into_iter().map(line).collect(),
    }
}

/// `restitution = 0.5`.
fn line(number: Number) -> String {
    format!("{} = {}", file_key(number), example(number))
}

/// A likely value of a number that has no default, as a scene file writes it.
fn example(number: Number) -> &'static str {
    match number {
        Number::Restitution => "0.5",
        Number::SlidingFriction => "0.3",
        Number::Stiffness => "1e6",
        Number::DampingCoefficient => "0.1",
        Number::LargestDamping => "100",
        Number::DampingDepth => "\"0.1 mm\"",
        Number::LayerDepth1 | Number::LayerDepth2 => "\"2 mm\"",
        _ => "1",
    }
}

/// The key of a scene file that gives a number.
fn file_key(number: Number) -> &'static str {
    match number {
        Number::LayerDepth1 | Number::LayerDepth2 => "layer_depth",
        Number::User(_) => "user",
        _ => number.key(),
    }
}

/// The kinds on which it depends which numbers are needed: `law = "hertz" with damping = "exact"`.
fn settings(kinds: &LawKinds) -> String {
    let law = law_word(kinds.normal);
    let mut text = format!("law = {law:?}");
    let mut parts = Vec::new();
    if kinds.is_damped() && kinds.damping == Damping::Constant {
        parts.push("damping = \"constant\"".to_owned());
    }
    if kinds.uses(Number::SlidingFriction) {
        parts.push(format!("friction = {:?}", friction_word(kinds.friction)));
    }
    if !parts.is_empty() {
        text.push_str(&format!(" with {}", parts.join(", ")));
    }
    text
}

/// Says that a key has no meaning, and with which words it would have one.
fn unused(kinds: &LawKinds, number: Number, key: &str) -> String {
    let key = match number {
        Number::LayerDepth1 | Number::LayerDepth2 => "layer_depth",
        Number::User(_) => "user",
        _ => key,
    };
    let laws = LAWS.iter().map(|(word, normal)| {
        let normal = *normal;
        (*word, LawKinds { normal, ..*kinds }.uses(number))
    });
    let frictions = FRICTIONS.iter().map(|(word, friction)| {
        let friction = *friction;
        (*word, LawKinds { friction, ..*kinds }.uses(number))
    });
    let dampings = DAMPINGS.iter().map(|(word, damping)| {
        let damping = *damping;
        (*word, LawKinds { damping, ..*kinds }.uses(number))
    });
    let good = |words: &mut dyn Iterator<Item = (&'static str, bool)>| -> Vec<String> {
        let good = words.filter(|(_, uses)| *uses);
        good.map(|(word, _)| format!("{word:?}")).collect()
    };
    let axes = [
        ("law", law_word(kinds.normal), good(&mut { laws })),
        (
            "friction",
            friction_word(kinds.friction),
            good(&mut { frictions }),
        ),
        (
            "damping",
            word_of(DAMPINGS, &kinds.damping),
            good(&mut { dampings }),
        ),
    ];
    // Damping before law: what a damping changes, another law would change by the way.
    let [law, friction, damping] = &axes;
    let axis = [friction, damping, law]
        .into_iter()
        .find(|(_, _, good)| !good.is_empty());
    let mut text = match axis {
        Some((axis, found, good)) => format!(
            "{key} has no meaning with {axis} = {found:?}; remove it, or choose {axis} = {}",
            good.join(" or ")
        ),
        None => format!(
            "{key} has no meaning with law = {:?} and friction = {:?}; remove it",
            law.1, friction.1
        ),
    };
    if number == Number::Stiffness && kinds.normal == NormalKind::Hertz {
        text.push_str(
            "; law = \"hertz\" takes the stiffness from moduli and shapes, law = \"spring\" with exponent = 1.5 is a \
             Hertz contact of given stiffness",
        );
    }
    text
}

/// Unit of a stiffness by the exponent of its law: `N/m`, `N/m^1.5`.
pub fn stiffness_unit(exponent: f64) -> String {
    match exponent {
        1.0 => "N/m".into(),
        _ => format!("N/m^{exponent}"),
    }
}

fn spaced(unit: &str) -> String {
    match unit {
        "" => String::new(),
        _ => format!(" {unit}"),
    }
}
