//! A figure of panels over time, and that of a run: the panels that fit it, see [`super::panels`], or
//! those that the user names.

use super::panels::{self, Panels};
use crate::host::Run;
use contact_geometry::math::transcendental::{log10, powf};

/// Bodies, or lines of a panel, shown at most; more cannot be distinguished.
pub const MOST_SHOWN: usize = 8;
/// Contact starts marked at most; more would cover the lines.
const MOST_MARKS: usize = 60;

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

/// The figure of a run, with these panels, each by names of columns; with none, those that fit the run.
pub fn of_run(title: &str, run: &Run, chosen: &[Vec<String>]) -> Figure {
    let trajectory = &run.trajectory;
    let Panels { list, notes } = match chosen {
        [] => panels::by_scene(trajectory),
        some => panels::by_names(trajectory, some),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::messages::Touching;
    use crate::host::{Column, ContactEvent, Experiment, Trajectory};

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
            touching: Touching::Pair,
            pair: "a:b".into(),
            impact_speed,
            impulse: None,
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
