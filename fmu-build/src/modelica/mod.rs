//! A Modelica package around the driven bodies of a scene, generated from the templates in
//! `modelDescription.templates/modelica/`.
//!
//! - [`blocks`]: text for each body, parameter and input
//! - [`package`]: the files of the package
//!
//! A template is Modelica (or C, or Markdown) text. `@key@` in a line becomes a word; a line that consists of
//! `@key@` becomes lines, or is removed if there are none. Modelica has no `@`.

pub(crate) mod blocks;
pub(crate) mod package;

use contact_model::scene::description::Naming;

/// Keys of a template with their replacements.
pub(crate) type Words<'a> = [(&'a str, String)];

/// Fills a template.
///
/// # Errors
/// A key of the template that `words` does not have.
pub(crate) fn fill(template: &str, words: &Words<'_>) -> Result<String, String> {
    let mut filled = String::with_capacity(2 * template.len());
    for line in template.lines() {
        let parts: Vec<&str> = line.split('@').collect();
        // Between the first and the second sign stands a key, between the third and the fourth.
        let mut text = String::new();
        let mut only_key = parts.len() == 3;
        for (place, part) in parts.iter().enumerate() {
            if place % 2 == 0 || place + 1 == parts.len() {
                only_key &= part.trim().is_empty();
                text.push_str(part);
                continue;
            }
            let known = words.iter().find(|(key, _)| key == part);
            let (_, word) = known.ok_or_else(|| format!("template: {part:?} is not known"))?;
            text.push_str(word);
        }
        if only_key && text.trim().is_empty() {
            continue;
        }
        filled.push_str(text.trim_end());
        filled.push('\n');
    }
    Ok(filled)
}

/// Name of an FMU variable as an identifier: with an underscore for each of `. [ ] ( ) ,` and space if the
/// FMU has structured names, as imported by OpenModelica; the FMU's own flat name otherwise.
pub(crate) fn identifier(structured: &str, naming: Naming) -> String {
    match naming {
        Naming::Structured => structured.replace(['.', '[', ']', '(', ')', ',', ' '], "_"),
        Naming::Flat => {
            let kept = structured.chars().filter(|c| !matches!(c, ']' | ')'));
            let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            kept.map(letter).collect()
        }
    }
}

/// Keywords, [Modelica 3.6] section 2.3.3.
#[rustfmt::skip]
const KEYWORDS: [&str; 59] = [
    "algorithm", "and", "annotation", "block", "break", "class", "connect", "connector", "constant",
    "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen", "encapsulated", "end",
    "enumeration", "equation", "expandable", "extends", "external", "false", "final", "flow", "for",
    "function", "if", "import", "impure", "in", "initial", "inner", "input", "loop", "model", "not",
    "operator", "or", "outer", "output", "package", "parameter", "partial", "protected", "public",
    "pure", "record", "redeclare", "replaceable", "return", "stream", "then", "true", "type", "when",
    "while", "within",
];

pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Top-level names that a package must not have: libraries it uses and predefined names, [Modelica 3.6]
/// section 4.9 and chapters 9, 12 and 16. Keywords start with a small letter.
#[rustfmt::skip]
const TAKEN: [&str; 12] = [
    "AssertionLevel", "Boolean", "Clock", "Complex", "Connections", "ExternalObject", "Integer",
    "Modelica", "ModelicaServices", "Real", "StateSelect", "String",
];

/// Name of a package: `driven_hammer` as `DrivenHammer`; with the suffix `Scene` if that is taken.
pub(crate) fn package_name(scene: &str) -> String {
    match taken_name(scene) {
        Some(taken) => format!("{taken}Scene"),
        None => in_capitals(scene),
    }
}

/// The taken name, if the package of a scene got another one for it.
pub(crate) fn taken_name(scene: &str) -> Option<String> {
    Some(in_capitals(scene)).filter(|name| TAKEN.contains(&name.as_str()))
}

fn in_capitals(scene: &str) -> String {
    let words = scene.split('_').filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        // Two numbers side by side stay apart: ball_1_2 is not ball_12.
        if first.starts_with(|c: char| c.is_ascii_digit())
            && name.ends_with(|c: char| c.is_ascii_digit())
        {
            name.push('_');
        }
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

pub(crate) fn string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

/// Shortest literal that reads back as the same number.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

pub(crate) fn vector<const N: usize>(values: [f64; N]) -> String {
    format!("{{{}}}", values.map(number).join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_with_words_and_lines() {
        let template = "model @name@\n@lines@\n@none@\nend @name@; // a@name@b@name@c\n";
        let words = [
            ("name", "M".to_owned()),
            ("lines", "  Real x;\n  Real y;".to_owned()),
            ("none", String::new()),
        ];
        assert_eq!(
            fill(template, &words).unwrap(),
            "model M\n  Real x;\n  Real y;\nend M; // aMbMc\n"
        );
        assert!(fill("@other@", &words).unwrap_err().contains("other"));
    }

    #[test]
    fn names_become_identifiers_as_importing_tools_make_them() {
        let of = |naming| identifier("der(ball.inertia[1,2])", naming);
        assert_eq!(of(Naming::Structured), "der_ball_inertia_1_2__");
        assert_eq!(of(Naming::Flat), "der_ball_inertia_1_2");
    }

    #[test]
    fn a_package_is_named_after_the_scene_and_never_as_a_library_or_type() {
        for (scene, name) in [
            ("driven_hammer", "DrivenHammer"),
            ("ball_1_2", "Ball1_2"),
            ("a__b_", "AB"),
            ("modelica", "ModelicaScene"),
            ("Complex", "ComplexScene"),
            ("real", "RealScene"),
            ("state_select", "StateSelectScene"),
            ("block", "Block"),
        ] {
            assert_eq!(package_name(scene), name);
            let taken = name.strip_suffix("Scene").map(str::to_owned);
            assert_eq!(taken_name(scene), taken);
        }
    }

    #[test]
    fn strings_and_numbers_are_literals() {
        assert_eq!(string("a \"b\" \\ c\nd"), r#""a \"b\" \\ c\nd""#);
        assert_eq!(vector([0.1, -2.0, 1e-8]), "{0.1, -2.0, 1e-8}");
    }
}
