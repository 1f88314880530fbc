//! What of a run is worth plotting: positions and speeds of the bodies, or the outputs by unit.

use super::bodies::{self, Body};
use crate::host::{Run, Trajectory};
use fmu_core::math::transcendental::{log10, powf};

/// Bodies, or lines of a panel, shown at most; more cannot be distinguished.
pub const MOST_SHOWN: usize = 8;
/// Panels of outputs at most.
const MOST_PANELS: usize = 4;
/// A component whose range is below this part of the largest range shown does not move.
const STANDS_STILL: f64 = 1e-4;
/// Contact starts marked at most; more would cover the lines.
const MOST_MARKS: usize = 60;
/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A figure: panels above each other over one time axis.
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
    /// What the marks are.
    pub mark_label: String,
    /// What is not shown.
    pub note: Option<String>,
}

/// One panel.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Panel {
    /// Label of the vertical axis, with unit.
    pub label: String,
    /// Scale of the vertical axis.
    pub scale: Scale,
    /// A horizontal axis of its own; that of the times of the figure where there is none.
    pub axis: Option<Axis>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Legend.
    pub legend: Vec<Key>,
}

/// A horizontal axis that is not the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label, with unit.
    pub label: String,
    /// Scale.
    pub scale: Scale,
    /// Where the values of the lines lie.
    pub places: Vec<f64>,
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal quotients; what is not positive is not shown.
    Logarithmic,
}

impl Scale {
    /// Where a value lies on the axis.
    pub fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Logarithmic => log10(value),
        }
    }

    /// The value at a place of the axis.
    pub fn value(self, place: f64) -> f64 {
        match self {
            Scale::Linear => place,
            Scale::Logarithmic => powf(10.0, place),
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Colour by number.
    pub color: usize,
    /// How it is drawn.
    pub stroke: Stroke,
    /// A value for each time, or for each place of the panel's own axis.
    pub values: Vec<f64>,
}

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Text.
    pub text: String,
    /// Colour by number; none for a neutral one.
    pub color: Option<usize>,
    /// How the line is drawn.
    pub stroke: Stroke,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Solid.
    Solid,
    /// Dashed.
    Dashed,
    /// Dotted.
    Dotted,
}

/// The figure of a run.
pub fn of_run(title: &str, run: &Run) -> Figure {
    let trajectory = &run.trajectory;
    let bodies = bodies::find(trajectory);
    let (panels, note) = match bodies.len() {
        0 => of_outputs(trajectory),
        count => {
            let shown = &bodies[..count.min(MOST_SHOWN)];
            let note =
                (count > MOST_SHOWN).then(|| format!("first {MOST_SHOWN} of {count} bodies shown"));
            (of_bodies(trajectory, shown), note)
        }
    };
    let starts = run.contacts.iter().filter(|c| c.impact_speed.is_some());
    let starts: Vec<f64> = starts.map(|c| c.time).collect();
    let marks_fit = starts.len() <= MOST_MARKS;
    Figure {
        title: title.to_owned(),
        times: trajectory.times().to_vec(),
        panels,
        marks: if marks_fit { starts } else { Vec::new() },
        mark_label: "contact starts".into(),
        note,
    }
}

fn of_bodies(trajectory: &Trajectory, bodies: &[Body]) -> Vec<Panel> {
    let mut panels = vec![positions(trajectory, bodies)];
    let mut speeds = Panel {
        label: "speed [m/s]".into(),
        ..Panel::default()
    };
    for (color, body) in bodies.iter().enumerate() {
        let Some(velocity) = body.velocity else {
            continue;
        };
        let speed = |i| {
            let row = trajectory.row(i);
            velocity
                .iter()
                .map(|c| row[*c] * row[*c])
                .sum::<f64>()
                .sqrt()
        };
        speeds.lines.push(Line {
            color,
            stroke: Stroke::Solid,
            values: (0..trajectory.times().len()).map(speed).collect(),
        });
        speeds.legend.push(Key {
            text: body.name.clone(),
            color: Some(color),
            stroke: Stroke::Solid,
        });
    }
    if !speeds.lines.is_empty() {
        panels.push(speeds);
    }
    panels
}

/// Positions: the components that move. One body: a colour for each component. Several: a colour
/// for each body, a stroke for each component. A component that moves alone needs neither.
fn positions(trajectory: &Trajectory, bodies: &[Body]) -> Panel {
    let range = |column: usize| {
        let values = trajectory.column(column);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        values.fold(f64::NEG_INFINITY, f64::max) - low
    };
    let ranges: Vec<[f64; 3]> = bodies.iter().map(|b| b.position.map(range)).collect();
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

/// Outputs of any model: a panel for each unit, in the order of the variables.
fn of_outputs(trajectory: &Trajectory) -> (Vec<Panel>, Option<String>) {
    let mut panels: Vec<Panel> = Vec::new();
    let mut left_out = 0;
    for (index, column) in trajectory.columns().iter().enumerate() {
        let label = match column.unit.as_deref() {
            None | Some("" | "1") => "value".to_owned(),
            Some(unit) => format!("value [{unit}]"),
        };
        let known = panels.iter().position(|p| p.label == label);
        let panel = match known {
            Some(panel) => panel,
            None if panels.len() < MOST_PANELS => {
                panels.push(Panel {
                    label,
                    ..Panel::default()
                });
                panels.len() - 1
            }
            None => {
                left_out += 1;
                continue;
            }
        };
        let panel = &mut panels[panel];
        let color = panel.lines.len();
        if color == MOST_SHOWN {
            left_out += 1;
            continue;
        }
        panel.lines.push(Line {
            color,
            stroke: Stroke::Solid,
            values: trajectory.column(index).collect(),
        });
        panel.legend.push(Key {
            text: column.name.clone(),
            color: Some(color),
            stroke: Stroke::Solid,
        });
    }
    let all = trajectory.columns().len();
    let note = (left_out > 0).then(|| format!("first {} of {all} outputs shown", all - left_out));
    (panels, note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::messages::Touching;
    use crate::host::{Column, ContactEvent, Experiment};

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
        let figure = of_run("t", &body_run(&["a"], &[1.0, 0.0, 2.0, 3.0, 0.0, -4.0]));
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
        let figure = of_run("t", &body_run(&["a"], &[0.0, 0.0, 2.0, 0.0, 0.0, 0.0]));
        let panel = &figure.panels[0];
        assert_eq!(panel.label, "position z [m]");
        assert_eq!(panel.legend.len(), 1);
        assert_eq!(panel.legend[0].text, "a");
        assert_eq!(panel.lines[0].color, 0);
    }

    #[test]
    fn bodies_at_rest_show_all_components() {
        let figure = of_run("t", &body_run(&["a"], &[0.0; 6]));
        assert_eq!(figure.panels[0].lines.len(), 3);
    }

    #[test]
    fn several_bodies_have_colours_and_components_have_strokes() {
        let second = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let figure = of_run("t", &body_run(&["a", "b"], &second));
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
        let figure = of_run("t", &body_run(&names, &[1.0; 66]));
        assert_eq!(figure.panels[1].lines.len(), 8);
        assert_eq!(figure.note.as_deref(), Some("first 8 of 11 bodies shown"));
    }

    #[test]
    fn outputs_of_any_model_are_grouped_by_unit() {
        let columns = [("h", "m"), ("v", "m/s"), ("d", "m"), ("n", "1")];
        let figure = of_run("t", &run(&columns, &[&[1.0, 2.0, 3.0, 4.0]]));
        let labels: Vec<&str> = figure.panels.iter().map(|p| p.label.as_str()).collect();
        assert_eq!(labels, ["value [m]", "value [m/s]", "value"]);
        assert_eq!(figure.panels[0].legend[1].text, "d");
        let many: Vec<String> = (0..20).map(|i| format!("u{i}")).collect();
        let columns: Vec<(&str, &str)> = many.iter().map(|u| ("x", u.as_str())).collect();
        let figure = of_run("t", &run(&columns, &[&[0.0; 20]]));
        assert_eq!(figure.panels.len(), 4);
        assert_eq!(figure.note.as_deref(), Some("first 4 of 20 outputs shown"));
    }

    #[test]
    fn contact_starts_are_marked_unless_they_are_too_many() {
        let mut run = run(&[("h", "m")], &[&[0.0]]);
        let event = |time, impact_speed| ContactEvent {
            time,
            touching: Touching::Pair,
            pair: "a:b".into(),
            impact_speed,
        };
        run.contacts = vec![event(0.25, Some(1.0)), event(0.5, None)];
        assert_eq!(of_run("t", &run).marks, [0.25]);
        run.contacts = vec![event(0.25, Some(1.0)); 61];
        assert!(of_run("t", &run).marks.is_empty());
    }
}
