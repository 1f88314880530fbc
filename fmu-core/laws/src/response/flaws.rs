//! Checks of the laws and numbers of a pair:
//!
//! - given keys without a meaning for the chosen laws
//! - missing numbers that the chosen laws need
//! - numbers that contradict each other
//! - moduli of materials that a law cannot use

use crate::finding::Finding;
use crate::quantity::Keyword;
use crate::response::choice::{
    ContactKind, Damping, FrictionKind, LawChanges, LawChoice, LawKinds, NormalKind,
    RestitutionRule,
};
use crate::response::number::Number;
use std::fmt::Display;

/// Problem of a field, by its key.
pub type Flaw = (&'static str, Finding);

/// What a law does that has no contact over an area; a ball on a mesh has one by more laws.
const IN_A_POINT: &str = "acts in a point between flat faces";

impl LawChanges {
    /// Findings about these changes if they lead to laws of these kinds.
    pub fn flaws(&self, kinds: &LawKinds) -> Vec<Flaw> {
        let mut flaws = self.ranges();
        flaws.extend(self.unused_kinds(kinds).map(|key| {
            let message = format!("{key} has no meaning with {}", at_fault(key, kinds));
            (key, (message, "remove it").into())
        }));
        if kinds.is_inferred() && kinds.restitution == RestitutionRule::Threshold {
            let finding = (
                "restitution_rule = \"threshold\" jumps with the impact speed, so damping = \"inferred\" cannot follow it",
                "write damping = \"exact\", or restitution_rule = \"regularized\" or \"constant\"",
            );
            flaws.push(("restitution_rule", finding.into()));
        }
        for (number, _) in &self.numbers {
            // The second layer is one key with the first.
            if !kinds.uses(*number) && *number != Number::LayerDepth2 {
                flaws.push((number.key(), unused(kinds, *number, number.key())));
            }
        }
        if let Some(wanted) = &self.penetration {
            let (key, number) = ("penetration", wanted.number());
            if !kinds.uses(number) {
                flaws.push((key, unused(kinds, number, key)));
            } else if self.number(number).is_some() {
                let other = number.key();
                let message = format!("{key} and {other} both say how stiff the contact is");
                flaws.push((key, (message, "keep one").into()));
            }
        }
        let acts = kinds.can_cover_area() || kinds.normal == NormalKind::Observer;
        if kinds.contact == ContactKind::Area && !acts {
            let law = kinds.normal.word();
            let (cause, help) = match kinds.friction {
                FrictionKind::User(_) => ("friction = \"user\"".to_owned(), "a built-in friction"),
                _ => (format!("law = {law:?}"), "law = \"hertz\" or \"volume\""),
            };
            let message = format!("{cause} {IN_A_POINT}");
            let help = format!("take {help}, or contact = \"auto\"");
            flaws.push(("contact", (message, help).into()));
        }
        flaws
    }

    fn ranges(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for (number, value) in &self.numbers {
            let Some(allowed) = number.parameter().quantity.range.violated(*value) else {
                continue;
            };
            match number {
                // A scene file gives both depths in one key, often as one number.
                Number::LayerDepth1 | Number::LayerDepth2 => {
                    let unit = number.unit();
                    let finding = Finding::out_of_range("layer_depth", *value, unit, allowed);
                    let flaw = (Number::LayerDepth1.key(), finding);
                    if !flaws.contains(&flaw) {
                        flaws.push(flaw);
                    }
                }
                _ => flaws.push(out_of_range(*number, *value, allowed)),
            }
        }
        if let Some((key, value, unit)) = self.penetration.and_then(|wanted| wanted.flaw()) {
            let key = format!("penetration.{key}");
            let finding = Finding::out_of_range(key, value, unit, "> 0");
            flaws.push(("penetration", finding));
        }
        flaws
    }

    /// Given keys of kinds without a meaning.
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

fn out_of_range(number: Number, value: f64, allowed: impl Display) -> Flaw {
    let key = number.key();
    (
        key,
        Finding::out_of_range(key, value, number.unit(), allowed),
    )
}

impl LawKinds {
    /// Returns true if the normal force is damped from restitution or by a given coefficient.
    pub fn is_damped(&self) -> bool {
        let damping = Damping::Constant;
        LawKinds { damping, ..*self }.uses(Number::DampingCoefficient)
    }

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
    /// First contradiction between numbers that are each valid: the number at fault, and the text that
    /// follows its value.
    pub fn flaw(&self) -> Option<(Number, String)> {
        // An importer changes numbers, not which pairs touch over an area.
        if self.kinds.may_cover_area() && !self.may_cover_area() {
            let allowed = "must be 1: the law acts over an area";
            return Some((Number::Exponent, allowed.to_owned()));
        }
        let allowed = self.allowed_static_speed()?;
        Some((Number::StaticSpeed, format!("must be {allowed}")))
    }

    /// Allowed range of the static speed if it is outside.
    fn allowed_static_speed(&self) -> Option<String> {
        let [slow, fast] = [Number::StaticSpeed, Number::DynamicSpeed].map(|n| self.number(n));
        (self.kinds.uses(Number::StaticSpeed) && slow >= fast)
            .then(|| format!("< dynamic_speed = {fast} m/s"))
    }

    /// Findings about the changes that led to this choice, in addition to [`LawChanges::flaws`].
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
            let [found, wanted] = [unit, exponent].map(stiffness_unit);
            let message = format!("stiffness is in {found}");
            let finding: Finding = match self.kinds.uses(Number::Exponent) {
                true => (
                    format!("{message}; with exponent = {exponent} its unit is {wanted}"),
                    "change one of the two",
                )
                    .into(),
                false => {
                    let law = self.law_word();
                    format!("{message}; with law = {law:?} its unit is {wanted}").into()
                }
            };
            flaws.push((Number::Stiffness.key(), finding));
        }
        let kinds = self.kinds;
        if kinds.contact == ContactKind::Area && kinds.can_cover_area() && !self.may_cover_area() {
            let law = self.law_word();
            let finding = (
                format!("law = {law:?} with exponent = {exponent} {IN_A_POINT}"),
                "take exponent = 1, or contact = \"auto\"",
            );
            flaws.push(("contact", finding.into()));
        }
        flaws
    }

    /// Invalid modulus of a material for this law: the field at fault, and its allowed values.
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
        // A user function gives no stiffness from which the tangential stiffness could follow.
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

    /// Word of the normal force.
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

impl LawKinds {
    /// Finding about missing numbers, with the lines to add.
    pub fn lack(&self, numbers: &[Number]) -> Finding {
        let keys: Vec<&str> = numbers.iter().map(|number| number.key_in_file()).collect();
        let word = if keys.len() == 1 { "is" } else { "are" };
        let (keys, settings) = (keys.join(", "), self.settings());
        let lines = numbers
            .iter()
            .map(|number| format!("\n  {}", number.line()));
        let help = format!("add{}", lines.collect::<String>());
        let message = format!("{keys} {word} missing, which {settings} needs");
        (message, help).into()
    }

    /// Lines of a scene file that give a complete law, without those that have defaults.
    pub fn example_lines(&self) -> Vec<String> {
        let missing = LawChoice::new(*self, |_| None).err().unwrap_or_default();
        missing.into_iter().map(Number::line).collect()
    }

    /// The kinds that determine which numbers are needed: `law = "hertz" with friction = "regularized"`.
    fn settings(&self) -> String {
        let mut text = format!("law = {:?}", self.normal.word());
        let mut parts = Vec::new();
        if self.is_damped() && self.damping == Damping::Constant {
            parts.push("damping = \"constant\"".to_owned());
        }
        if self.uses(Number::SlidingFriction) {
            parts.push(format!("friction = {:?}", self.friction.word()));
        }
        if self.has_impulse() {
            parts.push("response = \"impulse\"".to_owned());
        }
        if !parts.is_empty() {
            text.push_str(&format!(" with {}", parts.join(", ")));
        }
        text
    }
}

impl Number {
    /// Example line, such as `restitution = 0.5`.
    pub fn line(self) -> String {
        format!("{} = {}", self.key_in_file(), self.file_key().example)
    }

    /// Scene-file key that gives it.
    fn key_in_file(self) -> &'static str {
        match self {
            Number::LayerDepth1 | Number::LayerDepth2 => "layer_depth",
            Number::User(_) => "user",
            _ => self.key(),
        }
    }
}

/// The setting that makes a kind of law meaningless.
fn at_fault(key: &str, kinds: &LawKinds) -> String {
    let law = format!("law = {:?}", kinds.normal.word());
    match key {
        "impact_speed" if kinds.is_inferred() => "damping = \"inferred\"".to_owned(),
        "impact_speed" | "restitution_rule" if kinds.is_damped() => {
            "damping = \"constant\"".to_owned()
        }
        "step" => format!("{law} and friction = {:?}", kinds.friction.word()),
        _ => law,
    }
}

/// Finding about a number without a meaning, with the words that would give it one.
fn unused(kinds: &LawKinds, number: Number, key: &'static str) -> Finding {
    let key = match number {
        Number::Stiffness | Number::StiffnessPerArea => key,
        _ => number.key_in_file(),
    };
    fn good<K: Keyword>(uses: impl Fn(K) -> bool) -> Vec<String> {
        let good = K::WORDS.iter().filter(|(_, value)| uses(*value));
        good.map(|(word, _)| format!("{word:?}")).collect()
    }
    let responses = good(|response| LawKinds { response, ..*kinds }.uses(number));
    let contacts = good(|contact| LawKinds { contact, ..*kinds }.uses(number));
    let frictions = good(|friction| LawKinds { friction, ..*kinds }.uses(number));
    let dampings = good(|damping| LawKinds { damping, ..*kinds }.uses(number));
    let laws = good(|normal| LawKinds { normal, ..*kinds }.uses(number));
    // Damping and contact before law: what they change, another law would change by the way.
    let axes = [
        ("response", kinds.response.word(), responses),
        ("contact", kinds.contact.word(), contacts),
        ("friction", kinds.friction.word(), frictions),
        ("damping", kinds.damping.word(), dampings),
        ("law", kinds.normal.word(), laws),
    ];
    let axis = axes.iter().find(|(_, _, good)| !good.is_empty());
    let (message, help) = match axis {
        Some((axis, found, good)) => (
            format!("{key} has no meaning with {axis} = {found:?}"),
            format!("remove it, or choose {axis} = {}", good.join(" or ")),
        ),
        None => (
            format!(
                "{key} has no meaning with law = {:?} and friction = {:?}",
                kinds.normal.word(),
                kinds.friction.word()
            ),
            "remove it".to_owned(),
        ),
    };
    let mut finding = Finding::from((message, help));
    if number == Number::Stiffness && kinds.normal == NormalKind::Hertz {
        finding = finding.with_help(
            "law = \"hertz\" takes the stiffness from moduli and shapes, law = \"spring\" with exponent = 1.5 is a \
             Hertz contact of given stiffness",
        );
    }
    if number == Number::Stiffness && kinds.may_cover_area() {
        finding = finding.with_help(
            "that of pairs over an area is stiffness_per_area, or penetration = { depth, pressure }",
        );
    }
    finding
}
