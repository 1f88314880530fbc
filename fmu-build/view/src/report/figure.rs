//! A figure of panels over time, and the figure of a run with automatic or chosen panels.
//!
//! # Automatic panels of a run
//!
//! Panels of the quantities that move, up to [`MOST_PANELS`], in this order: positions and speeds of moving
//! bodies, angles and displacements of joints, normal forces of reported contacts, energies. If there are too
//! many, energies are dropped first, then speeds, then forces. A constant quantity is not shown, unless
//! nothing moves at all. A model without any of these has a panel for each unit.

use super::table;
use crate::report::table::BodyColumns;
use contact_geometry::math::real::{log10, powf};
use fmu_host::{Run, Trajectory};

/// Maximum number of bodies, or lines of a panel; more cannot be distinguished.
pub const MOST_SHOWN: usize = 8;
/// Maximum number of marked contact starts; more would cover the lines.
const MOST_MARKS: usize = 60;

/// Figure: panels above each other over one time axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Times of all lines [s].
    pub times: Vec<f64>,
    /// Panels from top to bottom.
    pub panels: Vec<Panel>,
    /// Times marked in all panels [s].
    pub marks: Vec<f64>,
    /// Meaning of the marks.
    pub mark_label: String,
    /// Remark about quantities that are not shown.
    pub note: Option<String>,
}

/// Panel of a figure.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Panel {
    /// Label of the vertical axis, with unit.
    pub label: String,
    /// Scale of the vertical axis.
    pub scale: Scale,
    /// Horizontal axis; `None` for the times of the figure.
    pub axis: Option<Axis>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Legend.
    pub legend: Vec<Key>,
}

/// Horizontal axis other than time.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label, with unit.
    pub label: String,
    /// Scale.
    pub scale: Scale,
    /// Abscissas of the values of the lines.
    pub places: Vec<f64>,
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios; non-positive values are not shown.
    Logarithmic,
}

impl Scale {
    /// Position of a value on the axis.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => log10(value),
        }
    }

    /// Value at a position on the axis.
    pub fn value(self, place: f64) -> f64 {
        match self {
            Scale::Linear => place,
            Scale::Logarithmic => powf(10.0, place),
        }
    }
}

/// Line of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Index of the colour.
    pub color: usize,
    /// Stroke style.
    pub stroke: Stroke,
    /// Value for each time, or for each abscissa of the panel's own axis.
    pub values: Vec<f64>,
}

/// Entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Text.
    pub text: String,
    /// Index of the colour; `None` for a neutral one.
    pub color: Option<usize>,
    /// Stroke style.
    pub stroke: Stroke,
}

/// Stroke style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Solid.
    Solid,
    /// Dashed.
    Dashed,
    /// Dotted.
    Dotted,
}

/// Figure of a run, with these panels, each by names of columns; automatic ones if empty.
pub fn of_run(title: &str, run: &Run, chosen: &[Vec<String>]) -> Figure {
    let trajectory = &run.trajectory;
    let Panels { list, notes } = match chosen {
        [] => by_scene(trajectory),
        some => by_names(trajectory, some),
    };
    let starts = run.contacts.iter().filter(|c| c.impact_speed.is_some());
    // A run that was ended may have some after its last row.
    let last = trajectory.times().last().copied().unwrap_or(0.0);
    let starts: Vec<f64> = starts
        .map(|c| c.time)
        .filter(|time| *time <= last)
        .collect();
    let marks_fit = starts.len() <= MOST_MARKS;
    Figure {
        title: title.to_owned(),
        times: trajectory.times().to_vec(),
        panels: list,
        marks: if marks_fit { starts } else { Vec::new() },
        mark_label: "contact starts".into(),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    }
}

pub(crate) const MOST_PANELS: usize = 4;
/// Range of a component, relative to the largest range shown, below which it counts as constant.
const STANDS_STILL: f64 = 1e-4;
/// Relative range that is rounding.
const ROUNDING: f64 = 1e-12;
const AXES: [&str; 3] = ["x", "y", "z"];
/// Last parts of the names of joint coordinates.
const ANGLES: [&str; 3] = ["angle", "angle_1", "angle_2"];
const DISPLACEMENTS: [&str; 3] = ["displacement", "displacement_1", "displacement_2"];
/// The potential energy is shown as its change since the first row: its zero is arbitrary, and the other
/// curves would be flat beside it.
const POTENTIAL: &str = "potential, change";
/// Energies with their legend texts.
const ENERGIES: [(&str, &str); 4] = [
    ("kinetic", "kinetic"),
    ("potential", POTENTIAL),
    ("contact_elastic", "elastic, contact"),
    ("dissipated", "dissipated"),
];

/// Panels, and remarks about quantities that are not shown.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    pub(crate) list: Vec<Panel>,
    pub notes: Vec<String>,
}

/// Panel that may be shown; the lowest rank is dropped first.
struct Candidate {
    rank: u8,
    what: &'static str,
    panel: Panel,
}

/// Automatic panels of a run.
pub(crate) fn by_scene(trajectory: &Trajectory) -> Panels {
    let mut notes = Vec::new();
    let has_joints = [ANGLES, DISPLACEMENTS].map(|keys| !ending_with(trajectory, &keys).is_empty());
    if table::find(trajectory).is_empty() && !has_joints.contains(&true) {
        return by_unit(trajectory);
    }
    let mut candidates = of_bodies(trajectory, &mut notes);
    let kinds = [
        (6, "angles of joints", "angle [rad]", ANGLES),
        (
            5,
            "displacements of joints",
            "displacement [m]",
            DISPLACEMENTS,
        ),
    ];
    for (rank, what, label, keys) in kinds {
        let columns = ending_with(trajectory, &keys);
        let panel = of_columns(trajectory, columns, what, label, &mut notes);
        candidates.extend(panel.map(|panel| Candidate { rank, what, panel }));
    }
    let forces = ending_with(trajectory, &["normal_force"]);
    let forces = forces
        .into_iter()
        .map(|(column, name)| (column, pair(&name)))
        .collect();
    let (what, label) = ("normal forces", "normal force [N]");
    let panel = of_columns(trajectory, forces, what, label, &mut notes);
    candidates.extend(panel.map(|panel| Candidate {
        rank: 3,
        what,
        panel,
    }));
    let energies = ENERGIES.iter().filter_map(|(key, text)| {
        let named = ['.', '_'].map(|dot| trajectory.index_of(&format!("energy{dot}{key}")));
        let column = named.into_iter().flatten().next()?;
        Some((column, (*text).to_owned()))
    });
    let energies: Vec<(usize, String)> = energies.collect();
    // Where nothing else moves, they are rounding.
    if !candidates.is_empty() {
        let (what, label) = ("energies", "energy [J]");
        let panel = of_columns(trajectory, energies, what, label, &mut notes);
        candidates.extend(panel.map(|panel| Candidate {
            rank: 1,
            what,
            panel,
        }));
    }
    for candidate in &mut candidates {
        let lines = candidate.panel.lines.iter_mut();
        for (line, _) in lines
            .zip(&candidate.panel.legend)
            .filter(|(_, key)| key.text == POTENTIAL)
        {
            let first = line.values.first().copied().unwrap_or(0.0);
            line.values.iter_mut().for_each(|value| *value -= first);
        }
    }
    if candidates.is_empty() {
        return match table::find(trajectory).as_slice() {
            [] => by_unit(trajectory),
            // Where nothing moves at all everything is shown.
            all => Panels {
                list: vec![positions(trajectory, &all[..all.len().min(MOST_SHOWN)])],
                notes,
            },
        };
    }
    while candidates.len() > MOST_PANELS {
        let lowest = (0..candidates.len()).min_by_key(|i| candidates[*i].rank);
        let left = candidates.remove(lowest.unwrap_or(0));
        notes.push(format!("{} not shown", left.what));
    }
    Panels {
        list: candidates.into_iter().map(|known| known.panel).collect(),
        notes,
    }
}

/// Panel of the columns that move, with their names; `None` if all are constant.
fn of_columns(
    trajectory: &Trajectory,
    columns: Vec<(usize, String)>,
    what: &str,
    label: &str,
    notes: &mut Vec<String>,
) -> Option<Panel> {
    let ranges = columns.iter().map(|(column, _)| range(trajectory, *column));
    let least = STANDS_STILL * ranges.fold(0.0, f64::max);
    let stays = |column: usize| range(trajectory, column) < least || !moves(trajectory, column);
    let moving: Vec<_> = columns
        .into_iter()
        .filter(|(column, _)| !stays(*column))
        .collect();
    if moving.is_empty() {
        return None;
    }
    if moving.len() > MOST_SHOWN {
        notes.push(format!(
            "first {MOST_SHOWN} of {} {what} shown",
            moving.len()
        ));
    }
    let mut panel = Panel {
        label: label.to_owned(),
        ..Panel::default()
    };
    for (column, name) in moving.into_iter().take(MOST_SHOWN) {
        add(&mut panel, name, trajectory.column(column).collect());
    }
    Some(panel)
}

/// Adds a line of the next colour.
fn add(panel: &mut Panel, text: String, values: Vec<f64>) {
    let color = panel.lines.len();
    panel.lines.push(Line {
        color,
        stroke: Stroke::Solid,
        values,
    });
    panel.legend.push(Key {
        text,
        color: Some(color),
        stroke: Stroke::Solid,
    });
}

/// Columns whose names end with one of these keys, with the preceding part; the second of several coordinates
/// keeps its number.
fn ending_with(trajectory: &Trajectory, keys: &[&str]) -> Vec<(usize, String)> {
    let columns = trajectory.columns().iter().enumerate();
    let named = columns.filter_map(|(index, column)| {
        let owner = |key: &&str| {
            let rest = column.name.strip_suffix(*key)?;
            let owner = rest.strip_suffix('.').or_else(|| rest.strip_suffix('_'))?;
            Some(match key.rsplit_once('_') {
                Some((_, number)) if number.len() == 1 => format!("{owner} {number}"),
                _ => owner.to_owned(),
            })
        };
        keys.iter().find_map(owner).map(|name| (index, name))
    });
    named.collect()
}

/// `ground:ball` from `contact.ground.ball`.
fn pair(name: &str) -> String {
    match name.strip_prefix("contact.") {
        Some(pair) => pair.replacen('.', ":", 1),
        None => name.strip_prefix("contact_").unwrap_or(name).to_owned(),
    }
}

fn range(trajectory: &Trajectory, column: usize) -> f64 {
    let values = trajectory.column(column);
    let low = values.clone().fold(f64::INFINITY, f64::min);
    values.fold(f64::NEG_INFINITY, f64::max) - low
}

/// Returns true if a column changes by more than rounding.
fn moves(trajectory: &Trajectory, column: usize) -> bool {
    let size = trajectory
        .column(column)
        .fold(0.0, |size: f64, v| size.max(v.abs()));
    range(trajectory, column) > ROUNDING * size
}

/// Positions and speeds of the moving bodies; angular speeds of bodies that only rotate, without joints.
fn of_bodies(trajectory: &Trajectory, notes: &mut Vec<String>) -> Vec<Candidate> {
    let all = table::find(trajectory);
    let reach = |body: &BodyColumns| {
        let ranges = body.position.map(|column| range(trajectory, column));
        ranges.into_iter().fold(0.0, f64::max)
    };
    let largest = all.iter().map(reach).fold(0.0, f64::max);
    let moving: Vec<BodyColumns> = all
        .iter()
        .filter(|body| largest > 0.0 && reach(body) >= STANDS_STILL * largest)
        .cloned()
        .collect();
    let mut candidates = Vec::new();
    if moving.is_empty() {
        if ending_with(trajectory, &ANGLES).is_empty() {
            let turning: Vec<&BodyColumns> = all.iter().filter(|b| turns(trajectory, b)).collect();
            let spins = turning.iter().map(|body| (*body, body.angular_velocity));
            let panel = sizes(trajectory, "angular speed [rad/s]", spins);
            candidates.extend(panel.map(|panel| Candidate {
                rank: 4,
                what: "angular speeds",
                panel,
            }));
        }
        return candidates;
    }
    if moving.len() > MOST_SHOWN {
        notes.push(format!(
            "first {MOST_SHOWN} of {} bodies shown",
            moving.len()
        ));
    }
    let shown = &moving[..moving.len().min(MOST_SHOWN)];
    candidates.push(Candidate {
        rank: 4,
        what: "positions",
        panel: positions(trajectory, shown),
    });
    let speeds = shown.iter().map(|body| (body, body.velocity));
    let panel = sizes(trajectory, "speed [m/s]", speeds);
    candidates.extend(panel.map(|panel| Candidate {
        rank: 2,
        what: "speeds",
        panel,
    }));
    candidates
}

fn turns(trajectory: &Trajectory, body: &BodyColumns) -> bool {
    let columns = body.angular_velocity.into_iter().flatten();
    let sizes = columns.flat_map(|column| trajectory.column(column));
    sizes.fold(0.0, |size: f64, v| size.max(v.abs())) > 0.0
}

/// Panel of the lengths of vectors of bodies, if there are any.
fn sizes<'a>(
    trajectory: &Trajectory,
    label: &str,
    vectors: impl Iterator<Item = (&'a BodyColumns, Option<[usize; 3]>)>,
) -> Option<Panel> {
    let mut panel = Panel {
        label: label.to_owned(),
        ..Panel::default()
    };
    for (color, (body, vector)) in vectors.take(MOST_SHOWN).enumerate() {
        let Some(vector) = vector else { continue };
        let size = |i| {
            let row = trajectory.row(i);
            vector.iter().map(|c| row[*c] * row[*c]).sum::<f64>().sqrt()
        };
        panel.lines.push(Line {
            color,
            stroke: Stroke::Solid,
            values: (0..trajectory.times().len()).map(size).collect(),
        });
        panel.legend.push(Key {
            text: body.name.clone(),
            color: Some(color),
            stroke: Stroke::Solid,
        });
    }
    (!panel.lines.is_empty()).then_some(panel)
}

/// Positions: the components that move. One body: a colour for each component. Several: a colour for each
/// body, a stroke for each component. A single component needs neither.
fn positions(trajectory: &Trajectory, bodies: &[BodyColumns]) -> Panel {
    let ranges: Vec<[f64; 3]> = bodies
        .iter()
        .map(|b| b.position.map(|column| range(trajectory, column)))
        .collect();
    let largest = ranges.iter().flatten().copied().fold(0.0, f64::max);
    // Where nothing moves at all everything is shown.
    let moves = |range: f64| range >= STANDS_STILL * largest;
    let shown = [0, 1, 2].map(|axis| ranges.iter().any(|r| moves(r[axis])));

    let axes: Vec<usize> = (0..3).filter(|axis| shown[*axis]).collect();
    let (label, by_axis) = match axes.as_slice() {
        // The only axis is named by the label of the panel, as if it were a quantity of its own.
        [axis] => (format!("position {} [m]", AXES[*axis]), false),
        _ => ("position [m]".to_owned(), bodies.len() == 1),
    };
    let strokes = strokes_of(shown);
    let mut panel = Panel {
        label,
        ..Panel::default()
    };
    for (number, body) in bodies.iter().enumerate() {
        for axis in &axes {
            panel.lines.push(Line {
                color: if by_axis { *axis } else { number },
                stroke: if by_axis {
                    Stroke::Solid
                } else {
                    strokes[*axis]
                },
                values: trajectory.column(body.position[*axis]).collect(),
            });
        }
        if !by_axis {
            panel.legend.push(Key {
                text: body.name.clone(),
                color: Some(number),
                stroke: Stroke::Solid,
            });
        }
    }
    if axes.len() > 1 {
        panel.legend.extend(axes.iter().map(|axis| match by_axis {
            true => Key {
                text: format!("{} {}", bodies[0].name, AXES[*axis]),
                color: Some(*axis),
                stroke: Stroke::Solid,
            },
            false => Key {
                text: AXES[*axis].to_owned(),
                color: None,
                stroke: strokes[*axis],
            },
        }));
    }
    panel
}

/// Strokes of the axes: the last one shown is solid, so that a single one is.
fn strokes_of(shown: [bool; 3]) -> [Stroke; 3] {
    let mut free = [Stroke::Solid, Stroke::Dashed, Stroke::Dotted].into_iter();
    let mut strokes = [Stroke::Solid; 3];
    for axis in (0..3).rev().filter(|axis| shown[*axis]) {
        strokes[axis] = free.next().unwrap_or(Stroke::Dotted);
    }
    strokes
}

fn label_of(unit: Option<&str>) -> String {
    match unit {
        None | Some("" | "1") => "value".to_owned(),
        Some(unit) => format!("value [{unit}]"),
    }
}

/// Outputs of any model: a panel for each unit, in the order of the variables.
fn by_unit(trajectory: &Trajectory) -> Panels {
    let mut list: Vec<Panel> = Vec::new();
    let mut left_out = 0;
    for (index, column) in trajectory.columns().iter().enumerate() {
        let label = label_of(column.unit.as_deref());
        let known = list.iter().position(|p| p.label == label);
        let panel = match known {
            Some(panel) => panel,
            None if list.len() < MOST_PANELS => {
                list.push(Panel {
                    label,
                    ..Panel::default()
                });
                list.len() - 1
            }
            None => {
                left_out += 1;
                continue;
            }
        };
        let panel = &mut list[panel];
        if panel.lines.len() == MOST_SHOWN {
            left_out += 1;
            continue;
        }
        add(
            panel,
            column.name.clone(),
            trajectory.column(index).collect(),
        );
    }
    let all = trajectory.columns().len();
    let note = (left_out > 0).then(|| format!("first {} of {all} outputs shown", all - left_out));
    Panels {
        list,
        notes: note.into_iter().collect(),
    }
}

/// Columns of a variable: one, or one for each element of an array.
fn columns_of(trajectory: &Trajectory, name: &str) -> Vec<usize> {
    if let Some(column) = trajectory.index_of(name) {
        return vec![column];
    }
    let columns = trajectory.columns().iter().enumerate();
    let is_element = |full: &str| full.strip_prefix(name).is_some_and(|x| x.starts_with('['));
    columns
        .filter(|(_, column)| is_element(&column.name))
        .map(|(index, _)| index)
        .collect()
}

/// Chosen panels, each by columns; one without a recorded column is left out.
pub(crate) fn by_names(trajectory: &Trajectory, panels: &[Vec<String>]) -> Panels {
    let mut shown = Panels::default();
    for names in panels {
        let columns: Vec<usize> = names
            .iter()
            .flat_map(|n| columns_of(trajectory, n))
            .collect();
        let units: Vec<Option<&str>> = columns
            .iter()
            .map(|column| trajectory.columns()[*column].unit.as_deref())
            .collect();
        let label = match (columns.as_slice(), units.as_slice()) {
            ([], _) => continue,
            ([column], [unit]) => {
                let name = &trajectory.columns()[*column].name;
                label_of(*unit).replacen("value", name, 1)
            }
            (_, [first, rest @ ..]) if rest.iter().all(|unit| unit == first) => label_of(*first),
            _ => "value".to_owned(),
        };
        let mut panel = Panel {
            label,
            ..Panel::default()
        };
        for column in columns.iter().take(MOST_SHOWN) {
            let name = trajectory.columns()[*column].name.clone();
            add(&mut panel, name, trajectory.column(*column).collect());
        }
        if columns.len() > MOST_SHOWN {
            let count = columns.len();
            shown.notes.push(format!(
                "first {MOST_SHOWN} of {count} variables of panel {} shown",
                shown.list.len() + 1
            ));
        }
        shown.list.push(panel);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_core::instance::record::EventKind;
    use fmu_host::{Column, ContactEvent, Experiment, Trajectory};

    fn run(columns: &[(&str, &str)], rows: &[&[f64]]) -> Run {
        let column = |(name, unit): &(&str, &str)| Column {
            name: (*name).into(),
            unit: Some((*unit).into()),
            description: None,
        };
        let mut trajectory = Trajectory::new(columns.iter().map(column).collect());
        for (i, row) in rows.iter().enumerate() {
            trajectory.push(i as f64, row);
        }
        Run {
            experiment: Experiment {
                start: 0.0,
                stop: 1.0,
                step: 1.0,
                tolerance: None,
                steps: 1,
                every: None,
            },
            trajectory,
            contacts: Vec::new(),
            work: None,
            ended_by_fmu: None,
            interrupted: None,
            warnings: Vec::new(),
        }
    }

    fn body_run(names: &[&str], second: &[f64]) -> Run {
        let part = |name: &str, what: &str, i: usize| format!("{name}.{what}[{i}]");
        let names: Vec<String> = names
            .iter()
            .flat_map(|n| {
                let parts = (1..4).map(move |i| part(n, "position", i));
                parts.chain((1..4).map(move |i| part(n, "velocity", i)))
            })
            .collect();
        let columns: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "m")).collect();
        run(&columns, &[&vec![0.0; columns.len()], second])
    }

    #[test]
    fn one_body_has_a_colour_for_each_component_that_moves_and_its_speed() {
        let figure = of_run(
            "t",
            &body_run(&["a"], &[1.0, 0.0, 2.0, 3.0, 0.0, -4.0]),
            &[],
        );
        assert_eq!(figure.panels.len(), 2);
        let texts: Vec<&str> = figure.panels[0]
            .legend
            .iter()
            .map(|k| k.text.as_str())
            .collect();
        assert_eq!(texts, ["a x", "a z"]);
        assert_eq!(figure.panels[0].lines[1].values, [0.0, 2.0]);
        assert_eq!(figure.panels[1].lines[0].values, [0.0, 5.0]);
        assert_eq!(figure.note, None);
    }

    #[test]
    fn the_only_component_that_moves_is_named_by_the_axis() {
        let figure = of_run("t", &body_run(&["a"], &[0.0, 0.0, 2.0, 0.0, 0.0, 0.0]), &[]);
        let panel = &figure.panels[0];
        assert_eq!(panel.label, "position z [m]");
        assert_eq!(panel.legend.len(), 1);
        assert_eq!(panel.legend[0].text, "a");
        assert_eq!(panel.lines[0].color, 0);
    }

    #[test]
    fn bodies_at_rest_show_all_components() {
        let figure = of_run("t", &body_run(&["a"], &[0.0; 6]), &[]);
        assert_eq!(figure.panels[0].lines.len(), 3);
    }

    #[test]
    fn several_bodies_have_colours_and_components_have_strokes() {
        let second = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let figure = of_run("t", &body_run(&["a", "b"], &second), &[]);
        let lines = &figure.panels[0].lines;
        let looks: Vec<_> = lines.iter().map(|l| (l.color, l.stroke)).collect();
        let (solid, dashed) = (Stroke::Solid, Stroke::Dashed);
        assert_eq!(looks, [(0, dashed), (0, solid), (1, dashed), (1, solid)]);
        let texts: Vec<&str> = figure.panels[0]
            .legend
            .iter()
            .map(|k| k.text.as_str())
            .collect();
        assert_eq!(texts, ["a", "b", "x", "z"]);
    }

    #[test]
    fn of_many_bodies_the_first_are_shown_and_the_note_says_so() {
        let names: Vec<String> = (0..11).map(|i| format!("b{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let figure = of_run("t", &body_run(&names, &[1.0; 66]), &[]);
        assert_eq!(figure.panels[1].lines.len(), 8);
        assert_eq!(figure.note.as_deref(), Some("first 8 of 11 bodies shown"));
    }

    #[test]
    fn outputs_of_any_model_are_grouped_by_unit() {
        let columns = [("h", "m"), ("v", "m/s"), ("d", "m"), ("n", "1")];
        let figure = of_run("t", &run(&columns, &[&[1.0, 2.0, 3.0, 4.0]]), &[]);
        let labels: Vec<&str> = figure.panels.iter().map(|p| p.label.as_str()).collect();
        assert_eq!(labels, ["value [m]", "value [m/s]", "value"]);
        assert_eq!(figure.panels[0].legend[1].text, "d");
        let many: Vec<String> = (0..20).map(|i| format!("u{i}")).collect();
        let columns: Vec<(&str, &str)> = many.iter().map(|u| ("x", u.as_str())).collect();
        let figure = of_run("t", &run(&columns, &[&[0.0; 20]]), &[]);
        assert_eq!(figure.panels.len(), 4);
        assert_eq!(figure.note.as_deref(), Some("first 4 of 20 outputs shown"));
    }

    fn labels(figure: &Figure) -> Vec<&str> {
        figure.panels.iter().map(|p| p.label.as_str()).collect()
    }

    #[test]
    fn joints_are_shown_by_their_coordinates_and_what_stands_still_is_not() {
        let columns = [
            ("wheel.position[1]", "m"),
            ("wheel.position[2]", "m"),
            ("wheel.position[3]", "m"),
            ("wheel.velocity[1]", "m/s"),
            ("wheel.velocity[2]", "m/s"),
            ("wheel.velocity[3]", "m/s"),
            ("axle.angle", "rad"),
            ("other.angle", "rad"),
            ("guide.displacement_2", "m"),
            ("contact.a.b.normal_force", "N"),
            ("energy.kinetic", "J"),
            ("energy.potential", "J"),
        ];
        let still = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 7.0];
        let moved = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 2.5, 0.5, 0.1, 4.0, 1.0, 7.0];
        let figure = of_run("t", &run(&columns, &[&still, &moved]), &[]);
        let expected = [
            "angle [rad]",
            "displacement [m]",
            "normal force [N]",
            "energy [J]",
        ];
        assert_eq!(labels(&figure), expected);
        let legends: Vec<Vec<&str>> = figure
            .panels
            .iter()
            .map(|p| p.legend.iter().map(|key| key.text.as_str()).collect())
            .collect();
        let expected = [vec!["axle"], vec!["guide 2"], vec!["a:b"], vec!["kinetic"]];
        assert_eq!(legends, expected);
        assert_eq!(figure.note, None);
    }

    #[test]
    fn what_has_no_room_is_named() {
        let mut columns: Vec<(String, &str)> = Vec::new();
        for (key, unit) in [("position", "m"), ("velocity", "m/s")] {
            columns.extend((1..4).map(|i| (format!("ball.{key}[{i}]"), unit)));
        }
        for name in ["hinge.angle", "slide.displacement", "energy.kinetic"] {
            columns.push((name.into(), "1"));
        }
        let columns: Vec<(&str, &str)> = columns.iter().map(|c| (c.0.as_str(), c.1)).collect();
        let figure = of_run("t", &run(&columns, &[&[0.0; 9], &[1.0; 9]]), &[]);
        let expected = [
            "position [m]",
            "speed [m/s]",
            "angle [rad]",
            "displacement [m]",
        ];
        assert_eq!(labels(&figure), expected);
        assert_eq!(figure.note.as_deref(), Some("energies not shown"));
    }

    #[test]
    fn the_potential_energy_is_shown_by_its_change_and_energies_alone_are_not_shown() {
        let columns = [
            ("slide.displacement", "m"),
            ("energy.kinetic", "J"),
            ("energy.potential", "J"),
        ];
        let figure = of_run(
            "t",
            &run(&columns, &[&[0.0, 0.0, 440.0], &[1.0, 1.5, 438.5]]),
            &[],
        );
        assert_eq!(labels(&figure), ["displacement [m]", "energy [J]"]);
        let energies = &figure.panels[1];
        assert_eq!(energies.legend[1].text, "potential, change");
        assert_eq!(energies.lines[1].values, [0.0, -1.5]);
        let mut columns: Vec<String> = (1..4).map(|i| format!("ball.position[{i}]")).collect();
        columns.push("energy.kinetic".into());
        let columns: Vec<(&str, &str)> = columns.iter().map(|name| (name.as_str(), "1")).collect();
        let rows: [&[f64]; 2] = [&[1.0, 1.0, 1.0, 1e-32], &[1.0, 1.0, 1.0, 3e-32]];
        let figure = of_run("t", &run(&columns, &rows), &[]);
        assert_eq!(labels(&figure), ["position [m]"]);
    }

    #[test]
    fn a_body_that_only_turns_is_shown_by_how_fast() {
        let mut columns: Vec<String> = (1..4).map(|i| format!("top.position[{i}]")).collect();
        columns.extend((1..4).map(|i| format!("top.angular_velocity[{i}]")));
        let columns: Vec<(&str, &str)> = columns.iter().map(|name| (name.as_str(), "1")).collect();
        let rows: [&[f64]; 2] = [
            &[1.0, 1.0, 1.0, 0.0, 3.0, 4.0],
            &[1.0, 1.0, 1.0, 0.0, 0.0, 2.0],
        ];
        let figure = of_run("t", &run(&columns, &rows), &[]);
        assert_eq!(labels(&figure), ["angular speed [rad/s]"]);
        assert_eq!(figure.panels[0].lines[0].values, [5.0, 2.0]);
    }

    #[test]
    fn panels_that_are_asked_for_are_those_shown() {
        let run = run(
            &[("h", "m"), ("v", "m/s"), ("d", "m")],
            &[&[1.0, 2.0, 3.0], &[1.5, 2.5, 3.5]],
        );
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let chosen = [names(&["d", "h"]), names(&["v"]), names(&["h", "v"])];
        let figure = of_run("t", &run, &chosen);
        assert_eq!(labels(&figure), ["value [m]", "v [m/s]", "value"]);
        assert_eq!(figure.panels[0].lines[0].values, [3.0, 3.5]);
        let many = vec!["h".to_owned(); 9];
        let figure = of_run("t", &run, &[many]);
        assert_eq!(figure.panels[0].lines.len(), 8);
        let note = "first 8 of 9 variables of panel 1 shown";
        assert_eq!(figure.note.as_deref(), Some(note));
    }

    #[test]
    fn contact_starts_are_marked_unless_they_are_too_many() {
        let mut run = run(&[("h", "m")], &[&[0.0], &[0.0]]);
        let event = |time, impact_speed| ContactEvent {
            time,
            kind: match impact_speed {
                Some(_) => EventKind::ContactStart,
                None => EventKind::ContactEnd,
            },
            pair: "a:b".into(),
            impact_speed,
            ..ContactEvent::default()
        };
        run.contacts = vec![
            event(0.25, Some(1.0)),
            event(0.5, None),
            event(1.5, Some(1.0)),
        ];
        assert_eq!(of_run("t", &run, &[]).marks, [0.25]);
        run.contacts = vec![event(0.25, Some(1.0)); 61];
        assert!(of_run("t", &run, &[]).marks.is_empty());
    }
}
