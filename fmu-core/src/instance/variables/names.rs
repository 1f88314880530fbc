//! Names of variables and of their elements, and patterns of them.
//!
//! Structured: `ball.position[1]`, `der(ball.position[1])`, `ball.inertia[1,2]`, indices from 1.
//! Flat: the same with underscores, `ball_position_1`, `der_ball_position_1`, `ball_inertia_1_2`;
//! letters, digits and underscores only. An array is named without indices. The distance of a named
//! pair is `contact.distance.ball.table_cushion`, the dot of a shape's name an underscore; what is
//! reported of a pair starts with `contact.ball.table_cushion`, of a convex part `hills_3`.
//!
//! # Which outputs a scene exposes
//!
//! And which parameters where it says so: patterns of structured names, one after the other.
//!
//! In a pattern `*` matches any text, and a leading `!` excludes what matches; a later pattern
//! overrides an earlier one. A list that starts with `!` starts from all outputs, another one from
//! none. A pattern that matches the name of a vector without indices, `ball.position`, matches all
//! its components. Where variables are arrays, one matching component exposes the entire array.

use super::quantity::{Family, Quantity};
use contact_model::scene::Scene;
use contact_model::scene::description::Naming;
use std::collections::BTreeSet;
use std::fmt;

/// `der(ball.position[1])` without `[1]`; `contact.slot[7].deflection[1]` without the last.
pub(super) fn without_indices(name: &str) -> String {
    match name.rsplit_once('[') {
        Some((before, rest)) => {
            let after = rest.split_once(']').map_or("", |(_, after)| after);
            format!("{before}{after}")
        }
        None => name.to_owned(),
    }
}

/// A structured name in a tool that replaces characters its own names may not have.
pub(super) fn replaced(structured: &str) -> String {
    structured.replace(['.', '[', ']', '(', ')', ',', ' '], "_")
}

/// Two variables with names that cannot be distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameClash {
    /// Structured name of the variable that comes first in the document.
    pub first: String,
    /// Structured name of the other variable.
    pub second: String,
    /// What both names become.
    pub becomes: String,
    /// In the flat convention this is their name; in the structured one a tool may make it so.
    pub naming: Naming,
}

impl fmt::Display for NameClash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second, becomes) = (&self.first, &self.second, &self.becomes);
        let reason = match self.naming {
            Naming::Structured => "where a tool replaces `. [ ] ( ) ,` by `_`",
            Naming::Flat => "with flat names",
        };
        write!(
            f,
            "variables {first:?} and {second:?} both become {becomes:?} {reason}; rename a body or \
             a material"
        )
    }
}

impl std::error::Error for NameClash {}

/// Patterns of a scene.
pub(super) struct Exposed<'a> {
    scene: &'a Scene,
    patterns: &'a [String],
}

impl<'a> Exposed<'a> {
    /// `None` if the scene has no patterns: everything is exposed.
    pub(super) fn of(scene: &'a Scene) -> Option<Self> {
        Some(Self::by(scene, scene.expose()?))
    }

    /// By patterns that need not be of the scene.
    pub(super) fn by(scene: &'a Scene, patterns: &'a [String]) -> Self {
        Exposed { scene, patterns }
    }

    /// Returns true if a variable is exposed.
    pub(super) fn shows(&self, quantity: Quantity) -> bool {
        is_shown(self.patterns, &quantity.name(self.scene))
    }

    /// Checks that each pattern matches one of these variables.
    pub(super) fn check(
        &self,
        variables: impl Iterator<Item = Quantity>,
    ) -> Result<(), UnmatchedPattern> {
        let (parameters, outputs): (Vec<_>, Vec<_>) =
            variables.partition(|q| q.family == Family::Parameter);
        let names = |of: Vec<Quantity>| of.into_iter().map(|q| q.name(self.scene));
        let output_count = outputs.len();
        let mut names: Vec<String> = names(outputs).chain(names(parameters)).collect();
        for pattern in self.patterns {
            let (_, text) = split(pattern);
            if !names.iter().any(|name| matches_name(text, name)) {
                // Without it a pattern has no effect on parameters.
                if !self.scene.interface().expose_parameters {
                    names.truncate(output_count);
                }
                return Err(UnmatchedPattern {
                    pattern: pattern.clone(),
                    names: names.iter().map(|name| without_indices(name)).collect(),
                });
            }
        }
        Ok(())
    }
}

/// Returns true if patterns show what has a name.
pub fn is_shown(patterns: &[String], name: &str) -> bool {
    let mut shown = patterns.first().is_some_and(|p| p.starts_with('!'));
    for pattern in patterns {
        let (is_shown, text) = split(pattern);
        if matches_name(text, name) {
            shown = is_shown;
        }
    }
    shown
}

/// Returns true if a pattern exposes, false if it excludes, and the pattern without its sign.
fn split(pattern: &str) -> (bool, &str) {
    match pattern.strip_prefix('!') {
        Some(rest) => (false, rest),
        None => (true, pattern),
    }
}

/// Returns true if a pattern without its sign matches a name, that of a vector without indices too.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    is_match(pattern, name) || name.contains('[') && is_match(pattern, &without_indices(name))
}

/// Returns true if a text matches a pattern: it starts with what precedes the first `*`, ends with
/// what follows the last one, and contains the pieces between in order; the first occurrence of
/// each suffices.
fn is_match(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match text.find(piece) {
            Some(place) => text = &text[place + piece.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

/// A pattern that matches no output or parameter of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// The pattern as the scene has it.
    pub pattern: String,
    /// Names that it could match, vectors without indices.
    pub names: BTreeSet<String>,
}

impl fmt::Display for UnmatchedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pattern = &self.pattern;
        write!(
            f,
            "interface.expose: {pattern:?} matches no output or parameter"
        )
    }
}

impl std::error::Error for UnmatchedPattern {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::VariableTable;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::quantity::{Family, Subject};
    use crate::instance::variables::tests::{scene_with, two_balls};
    use contact_model::scene::SceneDescription;
    use contact_model::scene::description::{InterfaceOptions, MaterialPair};

    fn options(naming: Naming, arrays: bool) -> InterfaceOptions {
        InterfaceOptions {
            naming,
            arrays,
            ..InterfaceOptions::default()
        }
    }

    fn names(naming: Naming, arrays: bool) -> Vec<String> {
        let scene = scene_with(options(naming, arrays));
        let table = VariableTable::new(&scene, Standard::Fmi3);
        assert_eq!(table.check_names(&scene), Ok(()));
        table
            .quantities()
            .map(|(_, q)| table.name(&scene, q))
            .collect()
    }

    #[track_caller]
    fn assert_has(found: &[String], expected: &[&str]) {
        for name in expected {
            let count = found.iter().filter(|n| n == name).count();
            assert_eq!(count, 1, "{name}");
        }
    }

    #[test]
    fn structured_names_follow_the_convention_of_the_standard() {
        assert_has(
            &names(Naming::Structured, false),
            &[
                "time",
                "ball.position[1]",
                "ball.orientation[4]",
                "other.velocity[3]",
                "other.angular_velocity[1]",
                "energy.dissipated",
                "der(ball.position[1])",
                "der(energy.dissipated)",
                "world.gravity[3]",
                "ground.position[3]",
                "ground.orientation[1]",
                "ball.mass",
                "ball.center_of_mass[2]",
                "ball.inertia[1,1]",
                "ball.inertia[2,3]",
                "material.Steel.youngs_modulus",
                "material.Steel.poissons_ratio",
                "material_pair.Steel.Steel.restitution",
                "material_pair.Steel.Steel.sliding_friction",
                "material_pair.Steel.Steel.rolling_resistance",
                "material_pair.Steel.Steel.v_small",
                "material_pair.Steel.Steel.w_small",
                "contact.k_red",
                "experiment.max_steps",
                "experiment.max_step",
                "experiment.solver",
                "ground.contact_force[1]",
                "ball.contact_torque[3]",
                "contact.count",
                "energy.kinetic",
                "energy.potential",
                "energy.contact_elastic",
                "contact.indicator[3]",
            ],
        );
    }

    #[test]
    fn flat_names_are_identifiers_that_no_language_keeps_for_itself() {
        let found = names(Naming::Flat, false);
        assert_has(
            &found,
            &[
                "time",
                "ball_position_1",
                "der_ball_position_1",
                "der_energy_dissipated",
                "ball_inertia_2_3",
                "material_pair_Steel_Steel_restitution",
                "ground_contact_force_1",
                "contact_indicator_3",
            ],
        );
        for name in &found {
            let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(name.chars().all(good), "{name}");
            assert!(!name.starts_with(|c: char| c.is_ascii_digit()), "{name}");
            // [Modelica 3.6] section 2.3.3: no keyword has an underscore.
            assert!(name.contains('_') || name == "time", "{name}");
        }
    }

    #[test]
    fn arrays_are_named_without_indices_and_their_elements_with_them() {
        let expected = [
            (
                Naming::Structured,
                [
                    "ball.position",
                    "der(ball.position)",
                    "ball.inertia",
                    "contact.indicator",
                ],
                "der(ball.position[2])",
            ),
            (
                Naming::Flat,
                [
                    "ball_position",
                    "der_ball_position",
                    "ball_inertia",
                    "contact_indicator",
                ],
                "der_ball_position_2",
            ),
        ];
        for (naming, variables, element) in expected {
            assert_has(&names(naming, true), &variables);
            let scene = scene_with(options(naming, true));
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let found = table.element_name(&scene, Family::Derivative.of(1));
            assert_eq!(found, element);
        }
    }

    /// Material pairs (A_B, C) and (A, B_C).
    fn clashing_materials() -> SceneDescription {
        let mut description = two_balls();
        let steel = description.materials[0].clone();
        let response = description.material_pairs[0].response.clone();
        let names = ["A_B", "C", "A", "B_C"];
        for (name, shape) in names.iter().zip(0..4) {
            let mut material = steel.clone();
            material.name = (*name).into();
            description.materials.push(material);
            if shape >= 2 {
                let copy = description.bodies[1].shapes[0].clone();
                description.bodies[shape - 1].shapes.push(copy);
            }
            description.material_pairs.push(MaterialPair {
                materials: [(*name).into(), (*name).into()],
                response: response.clone(),
            });
        }
        let bodies = &mut description.bodies;
        bodies[1].shapes[0].material = "A_B".into();
        bodies[1].shapes[1].material = "A".into();
        bodies[1].shapes[1].name = "second".into();
        bodies[2].shapes[0].material = "C".into();
        bodies[2].shapes[1].material = "B_C".into();
        bodies[2].shapes[1].name = "second".into();
        description
    }

    #[test]
    fn names_that_would_become_equal_are_named_both() {
        for (naming, reason) in [
            (Naming::Structured, "where a tool replaces"),
            (Naming::Flat, "with flat names"),
        ] {
            let mut description = clashing_materials();
            description.interface.naming = naming;
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let clash = table.check_names(&scene).unwrap_err();
            assert_eq!(
                (clash.first.as_str(), clash.second.as_str()),
                (
                    "material_pair.A_B.C.restitution",
                    "material_pair.A.B_C.restitution"
                )
            );
            assert_eq!(clash.becomes, "material_pair_A_B_C_restitution");
            assert!(clash.to_string().contains(reason), "{clash}");
        }
    }

    #[test]
    fn words_of_modelica_are_names_like_others() {
        for (naming, expected) in [
            (Naming::Structured, ["block.mass", "end.velocity[2]"]),
            (Naming::Flat, ["block_mass", "end_velocity_2"]),
        ] {
            let mut description = two_balls();
            description.bodies[1].name = "block".into();
            description.bodies[2].name = "end".into();
            description.name = "model".into();
            description.interface.naming = naming;
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            assert_eq!(table.check_names(&scene), Ok(()));
            let found: Vec<_> = table
                .quantities()
                .map(|(_, q)| table.name(&scene, q))
                .collect();
            assert_has(&found, &expected);
        }
    }

    #[test]
    fn a_body_called_like_a_derivative_clashes_with_flat_names_only() {
        let mut description = two_balls();
        description.bodies[2].name = "der_ball".into();
        for (naming, clashes) in [(Naming::Structured, false), (Naming::Flat, true)] {
            description.interface.naming = naming;
            let scene = Scene::new(description.clone()).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let check = table.check_names(&scene);
            assert_eq!(check.is_err(), clashes, "{check:?}");
        }
    }

    #[test]
    fn names_of_variables_are_those_of_their_subjects_and_a_member() {
        for (naming, arrays) in [(Naming::Structured, false), (Naming::Flat, true)] {
            let scene = scene_with(InterfaceOptions {
                naming,
                arrays,
                ..InterfaceOptions::default()
            });
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let nominals = vec![1.0; scene.layout().count()];
            let variables = Describer::new(&scene, &table).variables(&nominals);
            let mut members = Vec::new();
            for variable in &variables {
                let subject = variable.subject.name(&scene);
                let flat = |name: &str| {
                    name.replace(['.', '[', ',', '('], "_")
                        .replace([']', ')'], "")
                };
                match variable.quantity.family {
                    // der(ball.position[1]) has the subject in the middle.
                    Family::Derivative => {
                        assert!(flat(&variable.name).contains(&flat(&subject)));
                    }
                    _ if variable.subject == Subject::Scene => {
                        assert_eq!(flat(&variable.member), flat(&variable.name));
                    }
                    _ => {
                        let whole = flat(&format!("{subject}.{}", variable.member));
                        assert_eq!(whole, flat(&variable.name));
                    }
                }
                members.push((subject, variable.member.clone()));
            }
            let vector = if arrays { "position" } else { "position[1]" };
            for (subject, member) in [
                ("ball", vector),
                ("other", "mass"),
                ("material.Steel", "youngs_modulus"),
                ("material_pair.Steel.Steel", "restitution"),
            ] {
                let found = members
                    .iter()
                    .filter(|(s, m)| (s.as_str(), m.as_str()) == (subject, member));
                assert_eq!(found.count(), 1, "{subject}.{member}");
            }
        }
    }
}

#[cfg(test)]
mod pattern_tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::tests::two_balls;
    use crate::instance::variables::{Causality, VariableTable};

    #[test]
    fn a_star_matches_any_text() {
        for (pattern, text, expected) in [
            ("ball.position", "ball.position", true),
            ("ball.position", "ball.positions", false),
            ("ball.*", "ball.mass", true),
            ("ball.*", "other.ball.mass", false),
            ("*.contact_force[3]", "ball.contact_force[3]", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*", "", true),
        ] {
            assert_eq!(is_match(pattern, text), expected, "{pattern} {text}");
        }
    }

    /// Names of outputs, and of states that are local.
    fn shown(patterns: &[&str], arrays: bool) -> (Vec<String>, usize) {
        let mut description = two_balls();
        description.interface.arrays = arrays;
        description.expose = Some(patterns.iter().map(|p| (*p).to_owned()).collect());
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        // References run from 1 and lead back, whatever is left out.
        for (index, (reference, quantity)) in table.quantities().enumerate() {
            assert_eq!(reference as usize, index + 1);
            assert_eq!(table.reference(quantity), Some(reference));
            for element in table.elements(reference) {
                let meaning = table.meaning(element).unwrap();
                assert_eq!(table.element(meaning), Some(element));
            }
        }
        assert_eq!(table.quantity(table.count() as u32 + 1), None);
        let of = |causality| -> Vec<Quantity> {
            let all = table.quantities().map(|(_, quantity)| quantity);
            all.filter(|q| table.causality(&scene, *q) == causality)
                .collect()
        };
        let hidden = of(Causality::Local);
        let states = hidden.iter().filter(|q| q.family == Family::State);
        let outputs = of(Causality::Output);
        let names = outputs.iter().map(|q| q.name(&scene));
        (names.collect(), states.count())
    }

    #[test]
    fn outputs_that_match_stay_and_states_that_do_not_are_local() {
        let (names, hidden) = shown(&["ball.position", "*.contact_force[3]"], false);
        let expected = [
            "ball.position[1]",
            "ball.position[2]",
            "ball.position[3]",
            "ground.contact_force[3]",
            "ball.contact_force[3]",
            "other.contact_force[3]",
        ];
        assert_eq!(names, expected);
        // Two balls with 13 states each and the dissipated work.
        assert_eq!(hidden, 27 - 3);
    }

    #[test]
    fn a_leading_exclamation_mark_takes_away_and_the_last_pattern_wins() {
        let (names, hidden) = shown(&["!ball.*", "!energy.*", "ball.velocity"], false);
        assert!(names.iter().all(|n| !n.starts_with("energy")));
        let of_ball = names.iter().filter(|n| n.starts_with("ball."));
        assert_eq!(of_ball.count(), 3);
        assert!(names.contains(&"contact.count".to_owned()));
        assert_eq!(hidden, 13 - 3 + 1);
        assert_eq!(shown(&["energy.*", "!*.kinetic"], false).0.len(), 3);
    }

    #[test]
    fn one_component_exposes_the_entire_array() {
        let (names, hidden) = shown(&["ball.position[2]", "ball.contact_force[1]"], true);
        assert_eq!(names, ["ball.position[1]", "ball.contact_force[1]"]);
        assert_eq!(hidden, 8);
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error_with_the_names_that_it_could_match() {
        let mut description = two_balls();
        description.expose = Some(vec!["ball.*".into(), "!ball.positoin".into()]);
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let error = table.check_exposed(&scene).unwrap_err();
        assert!(error.names.contains("ball.position"));
        let text = "interface.expose: \"!ball.positoin\" matches no output or parameter";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn parameters_are_exposed_by_the_same_patterns_where_the_scene_says_so() {
        let names = |patterns: Option<&[&str]>, expose_parameters| {
            let mut description = two_balls();
            description.interface.expose_parameters = expose_parameters;
            description.expose = patterns.map(|p| p.iter().map(|p| (*p).to_owned()).collect());
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            assert_eq!(table.check_exposed(&scene), Ok(()));
            let all = table.quantities().map(|(_, quantity)| quantity);
            let parameters = all.filter(|q| table.causality(&scene, *q) == Causality::Parameter);
            let names: Vec<String> = parameters.map(|q| q.name(&scene)).collect();
            assert_eq!(names.len(), table.parameter_count());
            (names, scene.parameters().len())
        };
        let patterns: &[&str] = &["ball.position", "*.mass", "!other.mass"];
        assert_eq!(names(Some(patterns), true).0, ["ball.mass"]);
        assert!(names(None, true).0.is_empty());
        for patterns in [Some(patterns), None] {
            let (shown, all) = names(patterns, false);
            assert_eq!(shown.len(), all);
        }
    }
}
