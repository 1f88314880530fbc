//! The variables of a reference, ten at most: the outputs that move, lengths and angles first, then
//! forces, then speeds. Among those of one kind the ones with the largest range are taken; they
//! stay in the order of modelDescription.xml. Where nothing moves, the first lengths and angles.
//!
//! A force that the rows do not resolve is left away: an impact between two rows shows in a row or
//! does not, by a rounding of its time. Torques are left away: those about the origin of a large
//! body are differences of products that a tolerance of 1e-8 leaves 0.4 % of.

use crate::crosscheck::rules::MOST_VARIABLES;
use crate::host::model_description::Variable;
use crate::host::{ModelDescription, Trajectory};

/// Units of each kind, the most important first.
const KINDS: [&[&str]; 3] = [&["m", "rad"], &["N"], &["m/s", "rad/s"]];
/// Kind of forces.
const FORCES: usize = 1;
/// A signal moves if its range is more than this part of the largest range of its kind.
const MOVES: f64 = 1e-3;
/// It is at rest if its range is no more than this part of its largest size, or of a unit: what the
/// tolerance of a solver leaves of one that stays.
const AT_REST: f64 = 1e-5;
/// A row may leave the range of the rows around it by this part of the range of the signal.
const RESOLVED: f64 = 0.1;

struct Candidate<'a> {
    place: usize,
    variable: &'a Variable,
    kind: usize,
    /// Difference of the largest and the smallest value.
    range: f64,
    is_at_rest: bool,
    is_resolved: bool,
}

/// The variables to put into the reference, of a run that has recorded all outputs.
///
/// # Errors
/// In words: there is no output to choose.
pub fn choose<'a>(
    description: &'a ModelDescription,
    run: &Trajectory,
) -> Result<Vec<&'a Variable>, String> {
    let mut candidates = Vec::new();
    for (place, variable) in description.variables.iter().enumerate() {
        let unit = variable.unit.as_deref().unwrap_or("");
        let kind = KINDS.iter().position(|units| units.contains(&unit));
        let (true, Some(kind)) = (variable.causality == "output", kind) else {
            continue;
        };
        let entries = description.entry_names(variable)?;
        let columns = entries.iter().filter_map(|name| run.index_of(name));
        let columns: Vec<Vec<f64>> = columns.map(|c| run.column(c).collect()).collect();
        candidates.push(Candidate {
            place,
            variable,
            kind,
            range: columns.iter().map(|c| range(c)).fold(0.0, f64::max),
            is_at_rest: columns.iter().all(|column| is_at_rest(column)),
            is_resolved: columns.iter().all(|column| is_resolved(column)),
        });
    }
    let largest = |kind: usize| {
        let of_kind = candidates.iter().filter(|c| c.kind == kind);
        of_kind.map(|c| c.range).fold(0.0, f64::max)
    };
    let largest: Vec<f64> = (0..KINDS.len()).map(largest).collect();
    let moves = |c: &Candidate| {
        let is_moving = !c.is_at_rest && c.range > MOVES * largest[c.kind];
        is_moving && (c.is_resolved || c.kind != FORCES)
    };
    match candidates.iter().any(moves) {
        true => candidates.retain(moves),
        false => candidates.retain(|c| c.kind == 0),
    }
    candidates.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.range.total_cmp(&a.range)));
    candidates.truncate(MOST_VARIABLES);
    candidates.sort_by_key(|candidate| candidate.place);
    match candidates.is_empty() {
        true => Err(
            "no output moves, and none is a length or an angle; name variables with --output"
                .into(),
        ),
        false => Ok(candidates.iter().map(|c| c.variable).collect()),
    }
}

/// The variables with these names.
///
/// # Errors
/// In words: a name is no variable of the FMU, or has no numbers; there are too many.
pub fn by_name<'a>(
    description: &'a ModelDescription,
    named: &[String],
) -> Result<Vec<&'a Variable>, String> {
    if named.len() > MOST_VARIABLES {
        return Err(format!(
            "--output names {} variables; a reference has {MOST_VARIABLES} at most",
            named.len()
        ));
    }
    let find = |name: &String| {
        let variables = || description.variables.iter();
        match variables().find(|variable| variable.name == *name) {
            Some(variable) if variable.data_type.is_numeric() => Ok(variable),
            Some(_) => Err(format!("--output {name}: is no number")),
            None => {
                let near = |v: &&Variable| strsim::jaro_winkler(name, &v.name);
                let nearest = variables().max_by(|a, b| near(a).total_cmp(&near(b)));
                Err(format!(
                    "--output {name}: there is no such variable; the nearest name is {:?}",
                    nearest.map_or("", |v| v.name.as_str())
                ))
            }
        }
    };
    named.iter().map(find).collect()
}

fn range(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high - low
}

fn is_at_rest(values: &[f64]) -> bool {
    let size = values
        .iter()
        .fold(1.0, |size: f64, value| size.max(value.abs()));
    range(values) <= AT_REST * size
}

/// Whether each row lies within the range of the two rows on either side of it that remain when
/// every second row is left away.
fn is_resolved(values: &[f64]) -> bool {
    let margin = RESOLVED * range(values);
    let around = |row: usize| {
        let rows = [row.wrapping_sub(3), row - 1, row + 1, row + 3];
        let known: Vec<f64> = rows
            .iter()
            .filter_map(|r| values.get(*r).copied())
            .collect();
        let low = known.iter().copied().fold(f64::INFINITY, f64::min);
        let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        low - margin..=high + margin
    };
    let last = values.len().saturating_sub(1);
    (1..last).all(|row| around(row).contains(&values[row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_in_one_row_is_not_resolved_and_a_slow_one_is() {
        let wave: Vec<f64> = (0..100).map(|i| (f64::from(i) * 0.1).sin()).collect();
        assert!(is_resolved(&wave));
        for row in [40, 41] {
            let mut peak = vec![0.0; 100];
            peak[row] = 1.0;
            assert!(!is_resolved(&peak), "{row}");
        }
        let step: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i > 50))).collect();
        assert!(is_resolved(&step));
    }
}
