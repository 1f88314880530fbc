//! `--set NAME=VALUE`: start values of parameters and states, by the names that importers see.

use crate::scene_file::{Quantity, suggestion};
use std::str::FromStr;

/// One `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name of the variable, `ball.mass` or `ball.position[3]`.
    pub name: String,
    /// A number in SI units, or a number with a unit as in a scene file; a word where there are some.
    pub value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                Ok(Setting {
                    name: name.trim().to_owned(),
                    value: value.trim().to_owned(),
                })
            }
            _ => Err("must be NAME=VALUE, such as ball.mass=0.5 or \"ball.mass=500 g\"".into()),
        }
    }
}

/// A parameter or state that can be set.
pub struct Known {
    /// Its name.
    pub name: String,
    /// Symbol of its unit; none for a pure number.
    pub unit: Option<String>,
    /// Names of its values and what they stand for; empty for a number.
    pub words: Vec<(String, f64)>,
    /// It takes whole numbers of 32 bits only.
    pub is_integer: bool,
}

/// A variable that cannot be set.
pub struct Other {
    /// Its causality, in the word of FMI.
    pub causality: String,
    /// Whether it is an array, of which entries are named.
    pub is_array: bool,
}

impl Other {
    fn reason(&self, name: &str) -> String {
        match (self.causality.as_str(), self.is_array) {
            ("parameter", true) => format!("is an array; name an entry, such as {name}[1]"),
            ("parameter", false) => {
                "is neither of type Float64 or Int32 nor an enumeration; only such parameters can be set"
                    .into()
            }
            (causality, _) => format!(
                "has causality {causality:?} and no start value; only parameters and states can be set"
            ),
        }
    }
}

/// Index in `known` and value in SI units of each setting. `other` finds variables that are not in
/// `known`. A name that is there twice is an error, as a key in a scene file is: of two values
/// that differ, one is a slip.
///
/// # Errors
/// In words, a line for each setting: the name is not known or is there twice, or the value is
/// none.
pub fn choose(
    settings: &[Setting],
    known: &[Known],
    other: impl Fn(&str) -> Option<Other>,
) -> Result<Vec<(usize, f64)>, String> {
    let mut chosen: Vec<(usize, f64)> = Vec::new();
    let mut problems = Vec::new();
    for Setting { name, value } in settings {
        let Some(index) = known.iter().position(|parameter| parameter.name == *name) else {
            let reason = other(name).map(|other| other.reason(name));
            let reason = reason.unwrap_or_else(|| unknown(name, known));
            problems.push(format!("--set {name}: {reason}"));
            continue;
        };
        if chosen.iter().any(|(other, _)| *other == index) {
            problems.push(format!("--set {name}: is given twice; keep one of the two"));
            continue;
        }
        match known[index].value(value) {
            Ok(value) => chosen.push((index, value)),
            Err(reason) => problems.push(format!("--set {name}: is {value:?}{reason}")),
        }
    }
    match problems.is_empty() {
        true => Ok(chosen),
        false => Err(problems.join("\n")),
    }
}

fn unknown(name: &str, known: &[Known]) -> String {
    let names: Vec<&str> = known
        .iter()
        .map(|parameter| parameter.name.as_str())
        .collect();
    let guess = suggestion(name, &names);
    let guess = guess.map_or(String::new(), |likely| {
        format!("; did you mean {likely:?}?")
    });
    format!(
        "is not known{guess}; fmu-build inspect FILE.fmu lists all {} parameters and states of the FMU",
        known.len()
    )
}

impl Known {
    /// The value that a text means, or what is wrong with it, to follow `is "500 s"`.
    fn value(&self, text: &str) -> Result<f64, String> {
        if self.words.is_empty() {
            let value = si_value(text, self.unit.as_deref())?;
            return match self.is_integer && f64::from(value as i32) != value {
                true => Err("; must be a whole number of 32 bits".to_owned()),
                false => Ok(value),
            };
        }
        let number = text.parse::<f64>().ok();
        let is_meant = |(word, value): &&(String, f64)| word == text || number == Some(*value);
        let meant = self.words.iter().find(is_meant);
        meant.map(|(_, value)| *value).ok_or_else(|| {
            let words = self.words.iter().map(|(word, _)| word.as_str());
            format!("; must be one of {}", words.collect::<Vec<_>>().join(", "))
        })
    }
}

/// SI value of a text, or what is wrong with it, to follow `is "500 s"`.
fn si_value(text: &str, unit: Option<&str>) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err("; must be a finite number".to_owned()),
        Err(_) => match Quantity::of_symbol(unit) {
            Some(quantity) => quantity.parse(text).map_err(|wrong| wrong.in_one_line()),
            None => Err(format!(
                "; expected a number in {} without its unit, which this tool does not know",
                unit.unwrap_or_default()
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(settings: &[&str]) -> Result<Vec<(usize, f64)>, String> {
        let known = [
            ("ball.mass", Some("kg")),
            ("world.gravity[3]", Some("m/s2")),
            ("contact.k_red", None),
            ("pump.torque", Some("Nm")),
            ("pump.side", None),
            ("pump.poles", None),
        ];
        let known = known.map(|(name, unit)| Known {
            name: name.to_owned(),
            unit: unit.map(str::to_owned),
            words: match name {
                "pump.side" => vec![("left".to_owned(), 1.0), ("right".to_owned(), 4.0)],
                _ => Vec::new(),
            },
            is_integer: name == "pump.poles",
        });
        let settings: Vec<Setting> = settings.iter().map(|text| text.parse().unwrap()).collect();
        choose(&settings, &known, |name| {
            let (causality, is_array) = match name {
                "ball.position[3]" => ("output", false),
                "world.gravity" => ("parameter", true),
                "switch" => ("parameter", false),
                _ => return None,
            };
            Some(Other {
                causality: causality.to_owned(),
                is_array,
            })
        })
    }

    #[test]
    fn a_value_is_a_number_or_has_a_unit_of_the_parameter() {
        assert_eq!(
            chosen(&[
                "world.gravity[3]=-1.62",
                "ball.mass = 500 g",
                "contact.k_red=50 %"
            ]),
            Ok(vec![(1, -1.62), (0, 0.5), (2, 0.5)])
        );
    }

    #[test]
    fn a_value_of_an_enumeration_is_a_word_or_its_number() {
        assert_eq!(chosen(&["pump.side=right"]), Ok(vec![(4, 4.0)]));
        assert_eq!(chosen(&["pump.side=1"]), Ok(vec![(4, 1.0)]));
        for wrong in ["2", "up", "left right", "1 mm"] {
            let found = chosen(&[&format!("pump.side={wrong}")]);
            let expected = format!("--set pump.side: is {wrong:?}; must be one of left, right");
            assert_eq!(found.unwrap_err(), expected);
        }
    }

    #[test]
    fn a_value_of_an_integer_is_whole() {
        assert_eq!(chosen(&["pump.poles=8"]), Ok(vec![(5, 8.0)]));
        for wrong in ["2.5", "3e9"] {
            let found = chosen(&[&format!("pump.poles={wrong}")]);
            let expected =
                format!("--set pump.poles: is {wrong:?}; must be a whole number of 32 bits");
            assert_eq!(found.unwrap_err(), expected);
        }
    }

    #[test]
    fn what_is_wrong_is_told_for_each_setting() {
        let found = chosen(&[
            "bal.mass=1",
            "ball.position[3]=1",
            "world.gravity=1",
            "switch=1",
            "ball.mass=500 s",
            "contact.k_red=inf",
            "pump.torque=2 Nm",
            "world.gravity[3]=1",
            "world.gravity[3]=1",
        ]);
        assert_eq!(
            found.unwrap_err(),
            "--set bal.mass: is not known; did you mean \"ball.mass\"?; fmu-build inspect FILE.fmu lists all 6 \
             parameters and states of the FMU\n\
             --set ball.position[3]: has causality \"output\" and no start value; only parameters and states can be \
             set\n\
             --set world.gravity: is an array; name an entry, such as world.gravity[1]\n\
             --set switch: is neither of type Float64 or Int32 nor an enumeration; only such parameters can be set\n\
             --set ball.mass: is \"500 s\"; \"s\" is a time unit, expected a mass; units of a mass: kg, g, mg, ug, t, lb, oz, slug\n\
             --set contact.k_red: is \"inf\"; must be a finite number\n\
             --set pump.torque: is \"2 Nm\"; expected a number in Nm without its unit, which this tool does not \
             know\n\
             --set world.gravity[3]: is given twice; keep one of the two"
        );
    }

    #[test]
    fn a_setting_has_a_name_and_a_value() {
        for text in ["ball.mass", "=1", "ball.mass=", " = "] {
            let error = text.parse::<Setting>().unwrap_err();
            assert!(error.starts_with("must be NAME=VALUE"), "{text}");
        }
    }
}
