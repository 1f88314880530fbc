//! Which outputs a scene exposes, and which parameters where it says so: patterns of structured names, one after
//! the other.
//!
//! In a pattern `*` matches any text, and a leading `!` excludes what matches; a later pattern
//! overrides an earlier one. A list that starts with `!` starts from all outputs, another one from
//! none. A pattern that matches the name of a vector without indices, `ball.position`, matches all
//! its components. Where variables are arrays, one matching component exposes the entire array.

use super::families::without_indices;
use super::quantity::{Family, Quantity};
use contact_model::scene::Scene;
use std::fmt;

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
                    nearest: nearest(text, &names),
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

/// Names, without indices, with the fewest changes of letters from the pattern.
fn nearest(pattern: &str, names: &[String]) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for name in names {
        let name = without_indices(name);
        if found.iter().all(|(_, known)| *known != name) {
            found.push((changes(pattern, &name), name));
        }
    }
    let mut nearest = Vec::new();
    for _ in 0..SUGGESTIONS.min(found.len()) {
        let least = (0..found.len()).min_by_key(|i| &found[*i]).unwrap_or(0);
        nearest.push(found.swap_remove(least).1);
    }
    nearest
}

/// Names that an error suggests.
const SUGGESTIONS: usize = 3;

/// Letters to insert, remove or replace to make one text of the other [Levenshtein distance].
fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i;
        let mut left = i + 1;
        for (y, above) in b.iter().zip(&mut row[1..]) {
            let replaced = before + usize::from(x != *y);
            before = *above;
            left = replaced.min(before + 1).min(left + 1);
            *above = left;
        }
        row[0] = i + 1;
    }
    row.last().copied().unwrap_or(0)
}

/// A pattern that matches no output or parameter of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// The pattern as the scene has it.
    pub pattern: String,
    /// Outputs and parameters with the most similar names, vectors without indices.
    pub nearest: Vec<String>,
}

impl fmt::Display for UnmatchedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "interface.expose: {:?} matches no output or parameter",
            self.pattern
        )?;
        if !self.nearest.is_empty() {
            write!(f, "; nearest names: {}", self.nearest.join(", "))?;
        }
        f.write_str("; `*` matches any text, a leading `!` excludes outputs")
    }
}

impl std::error::Error for UnmatchedPattern {}

#[cfg(test)]
mod tests {
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

    #[test]
    fn changes_are_those_of_the_textbook() {
        // The example of the usual definition: k -> s, e -> i, + g.
        assert_eq!(changes("kitten", "sitting"), 3);
        assert_eq!(changes("", "abc"), 3);
        assert_eq!(changes("flaw", "lawn"), 2);
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
    fn a_pattern_that_matches_nothing_is_an_error_with_the_nearest_names() {
        let mut description = two_balls();
        description.expose = Some(vec!["ball.*".into(), "!ball.positoin".into()]);
        let scene = Scene::new(description).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let error = table.check_exposed(&scene).unwrap_err();
        assert_eq!(error.nearest[0], "ball.position");
        let text = error.to_string();
        assert!(text.starts_with(
            "interface.expose: \"!ball.positoin\" matches no output or parameter; nearest"
        ));
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
