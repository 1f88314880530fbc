//! Results of a simulation as text for users.

use super::table;
use crate::number::rounded;
use fmu_core::instance::record::EventKind;
use fmu_host::{ContactEvent, ModelDescription, Run};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum number of contacts printed; all of them are in the file of contacts.
const MOST_CONTACTS: usize = 40;
/// Maximum number of bodies whose final pose is printed.
const MOST_BODIES: usize = 40;
/// Maximum number of values printed for a model without bodies.
const MOST_VALUES: usize = 40;
const MOST_WARNINGS: usize = 10;

/// Content of a summary.
pub struct Summary<'a> {
    /// Model description of the FMU.
    pub description: &'a ModelDescription,
    /// Interface type as text.
    pub interface: &'static str,
    /// The simulation.
    pub run: &'a Run,
    /// Files written.
    pub files: &'a [PathBuf],
    /// Duration of the simulation.
    pub wall_time: Duration,
}

impl Summary<'_> {
    /// Summary, ending with a newline.
    pub fn text(&self) -> String {
        let mut text = self.head();
        text += "\nfiles\n";
        for file in self.files {
            put(&mut text, format_args!("  {}", file.display()));
        }
        text += &self.contacts();
        text += &self.final_values();
        text += &self.work();
        text += &self.warnings();
        text
    }

    fn head(&self) -> String {
        let (run, description) = (self.run, self.description);
        let experiment = &run.experiment;
        let mut text = format!(
            "{}: {}, {} s to {} s",
            description.model_name,
            self.interface,
            rounded(experiment.start, 9),
            rounded(experiment.stop, 9)
        );
        if let Some(tolerance) = experiment.tolerance {
            put(
                &mut text,
                format_args!(", tolerance {}", rounded(tolerance, 3)),
            );
        } else {
            text.push('\n');
        }
        let states = description.state_count();
        let indicators = description.indicator_count;
        put(
            &mut text,
            format_args!("{states} states, {indicators} event indicators"),
        );
        if let Some(time) = run.ended_by_fmu {
            put(
                &mut text,
                format_args!(
                    "the FMU asked to end the simulation at {} s",
                    rounded(time, 9)
                ),
            );
        }
        if let Some(time) = run.interrupted {
            put(
                &mut text,
                format_args!("interrupted at {} s", rounded(time, 9)),
            );
        }
        text
    }

    fn contacts(&self) -> String {
        let contacts = &self.run.contacts;
        if contacts.is_empty() {
            return String::new();
        }
        let count = |kind| contacts.iter().filter(|c| c.kind == kind).count();
        let counted = |what: &str, start, end| {
            let (starts, ends) = (count(start), count(end));
            (starts + ends > 0).then(|| format!("{what}: {starts} starts, {ends} ends"))
        };
        let other = |what: &str, kinds: &[EventKind]| {
            let count: usize = kinds.iter().map(|kind| count(*kind)).sum();
            (count > 0).then(|| format!("{what}: {count}"))
        };
        let latches = [
            EventKind::LatchCloses,
            EventKind::LatchOpens,
            EventKind::LatchStops,
        ];
        let triggers = [EventKind::TriggerOn, EventKind::TriggerOff];
        let others = [
            other("impulses", &[EventKind::Impulse]),
            other("changes of latches", &latches),
            other("changes of triggers", &triggers),
            other("jumps of motions", &[EventKind::Jump]),
        ];
        let stops = counted("end stops", EventKind::StopStart, EventKind::StopEnd);
        let speed = match stops {
            None => "impact speed [m/s]",
            Some(_) => "speed [m/s], [rad/s]",
        };
        let heads = counted("contacts", EventKind::ContactStart, EventKind::ContactEnd)
            .into_iter()
            .chain(stops);
        let heads: Vec<String> = heads.chain(others.into_iter().flatten()).collect();
        let mut text = format!("\n{}\n", heads.join("; "));
        let mut rows = vec![["time [s]", "", speed, "pair"].map(str::to_owned)];
        rows.extend(contacts.iter().take(MOST_CONTACTS).map(contact_row));
        text += &aligned(&rows, [true, false, true, false]);
        if contacts.len() > MOST_CONTACTS {
            let rest = contacts.len() - MOST_CONTACTS;
            put(&mut text, format_args!("  and {rest} more in events.csv"));
        }
        text
    }

    fn final_values(&self) -> String {
        let trajectory = &self.run.trajectory;
        let Some(last) = trajectory.times().len().checked_sub(1) else {
            return String::new();
        };
        let (time, row) = (trajectory.times()[last], trajectory.row(last));
        let bodies = table::find(trajectory);
        if bodies.is_empty() {
            return self.final_outputs(time, row);
        }
        let mut text = format!("\nfinal pose at {} s\n", rounded(time, 9));
        // Beside each other they are wider than a terminal.
        let mut places = vec![["body", "x [m]", "y [m]", "z [m]"].map(str::to_owned)];
        let mut turns = vec![["body", "q_w", "q_x", "q_y", "q_z"].map(str::to_owned)];
        for body in bodies.iter().take(MOST_BODIES) {
            let [x, y, z] = body.position.map(|c| fixed(row[c]));
            places.push([body.name.clone(), x, y, z]);
            if let Some(columns) = body.orientation {
                let [w, x, y, z] = columns.map(|c| fixed(row[c]));
                turns.push([body.name.clone(), w, x, y, z]);
            }
        }
        text += &aligned(&places, [false, true, true, true]);
        if turns.len() > 1 {
            text.push('\n');
            text += &aligned(&turns, [false, true, true, true, true]);
        }
        if bodies.len() > MOST_BODIES {
            let rest = bodies.len() - MOST_BODIES;
            put(
                &mut text,
                format_args!("  and {rest} more bodies, see the last row of the CSV file"),
            );
        }
        text
    }

    fn final_outputs(&self, time: f64, row: &[f64]) -> String {
        let columns = self.run.trajectory.columns();
        if columns.is_empty() {
            return "\nthe FMU has no outputs that are numbers\n".into();
        }
        let mut text = format!("\noutputs at {} s\n", rounded(time, 9));
        let unit = |i: usize| columns[i].unit.clone().unwrap_or_default();
        let shown = 0..columns.len().min(MOST_VALUES);
        let rows: Vec<[String; 3]> = shown
            .map(|i| [columns[i].name.clone(), rounded(row[i], 10), unit(i)])
            .collect();
        text += &aligned(&rows, [false, true, false]);
        if columns.len() > MOST_VALUES {
            let rest = columns.len() - MOST_VALUES;
            put(
                &mut text,
                format_args!("  and {rest} more, see the last row of the CSV file"),
            );
        }
        text
    }

    fn work(&self) -> String {
        let mut rows = Vec::new();
        match &self.run.work {
            Some(work) => rows.extend([
                ["steps".to_owned(), work.steps.to_string()],
                ["rejected steps".to_owned(), work.rejected_steps.to_string()],
                [
                    "derivative calls".to_owned(),
                    work.derivative_calls.to_string(),
                ],
                [
                    "columns of the Jacobian".to_owned(),
                    work.direction_calls.to_string(),
                ],
                [
                    "indicator calls".to_owned(),
                    work.indicator_calls.to_string(),
                ],
                ["state events".to_owned(), work.events.to_string()],
            ]),
            None if self.run.interrupted.is_some() => {}
            None => rows.push([
                "communication steps".into(),
                self.run.experiment.steps.to_string(),
            ]),
        }
        let seconds = rounded(self.wall_time.as_secs_f64(), 3);
        rows.push(["wall time".to_owned(), format!("{seconds} s")]);
        format!("\nwork\n{}", aligned(&rows, [false, false]))
    }

    fn warnings(&self) -> String {
        let warnings = &self.run.warnings;
        if warnings.is_empty() {
            return String::new();
        }
        let mut text = format!("\nwarnings of the FMU: {}\n", warnings.len());
        for warning in warnings.iter().take(MOST_WARNINGS) {
            put(&mut text, format_args!("  {warning}"));
        }
        text
    }
}

fn contact_row(contact: &ContactEvent) -> [String; 4] {
    let speed = contact.impact_speed;
    [
        format!("{:.7}", contact.time),
        contact.kind.name().into(),
        speed.map_or(String::new(), |speed| rounded(speed, 5)),
        match contact.impulse {
            Some([x, y, z]) => {
                let size = (x * x + y * y + z * z).sqrt();
                format!("{}, {} N.s", contact.pair, rounded(size, 5))
            }
            None => contact.pair.clone(),
        },
    ]
}

/// Eight decimals, enough to show the penetration of a resting body; without a sign on zero.
fn fixed(value: f64) -> String {
    let text = format!("{value:.8}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| b == b'0' || b == b'.') => rest.to_owned(),
        _ => text,
    }
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String never fails.
    let _ = writeln!(text, "{line}");
}

/// Table with aligned columns; `right` aligns a column right.
pub fn aligned<const N: usize>(rows: &[[String; N]], right: [bool; N]) -> String {
    let width = |s: &String| s.chars().count();
    let mut widths = [0; N];
    for row in rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(width(cell));
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for ((cell, w), right) in row.iter().zip(widths).zip(right) {
            let space = " ".repeat(w - width(cell));
            line.push(' ');
            line += &if right {
                space + cell
            } else {
                cell.clone() + &space
            };
            line.push(' ');
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_host::{Column, Experiment, Trajectory};

    const DOCUMENT: &str = "<fmiModelDescription fmiVersion='3.0' modelName='ball' \
        instantiationToken='t'><ModelVariables><Float64 name='h' valueReference='1'/>\
        <Float64 name='v' valueReference='2'/></ModelVariables><ModelStructure>\
        <ContinuousStateDerivative valueReference='2'/><EventIndicator valueReference='1'/>\
        <EventIndicator valueReference='1'/></ModelStructure></fmiModelDescription>";

    fn text(columns: &[&str], row: &[f64], contacts: usize) -> String {
        let column = |name: &&str| Column {
            name: (*name).into(),
            unit: Some("m".into()),
            description: None,
        };
        let mut trajectory = Trajectory::new(columns.iter().map(column).collect());
        trajectory.push(1.5, row);
        let contact = |i| ContactEvent {
            time: f64::from(i) * 0.25,
            kind: [EventKind::ContactStart, EventKind::ContactEnd][i as usize % 2],
            pair: "a.b:c.d".into(),
            impact_speed: (i % 2 == 0).then_some(1.23456789),
            ..ContactEvent::default()
        };
        let run = Run {
            experiment: Experiment {
                start: 0.0,
                stop: 1.5,
                step: 0.5,
                tolerance: Some(1e-8),
                steps: 3,
                every: None,
            },
            trajectory,
            contacts: (0..contacts as u32).map(contact).collect(),
            work: None,
            ended_by_fmu: None,
            interrupted: None,
            warnings: vec!["careful".into()],
        };
        let description = ModelDescription::parse(DOCUMENT).unwrap();
        let summary = Summary {
            description: &description,
            interface: "Co-Simulation",
            run: &run,
            files: &["out/a.csv".into()],
            wall_time: Duration::from_millis(1234),
        };
        summary.text()
    }

    #[test]
    fn a_summary_tells_sizes_files_contacts_poses_and_work() {
        let columns = [
            "b.position[1]",
            "b.position[2]",
            "b.position[3]",
            "b.orientation[1]",
            "b.orientation[2]",
            "b.orientation[3]",
            "b.orientation[4]",
        ];
        let text = text(&columns, &[1.0, -1e-11, -2.5, 1.0, 0.0, 0.0, 0.0], 2);
        let expected = "\
ball: Co-Simulation, 0 s to 1.5 s, tolerance 1e-8
1 states, 2 event indicators

files
  out/a.csv

contacts: 1 starts, 1 ends
   time [s]         impact speed [m/s]  pair
  0.0000000  start              1.2346  a.b:c.d
  0.2500000  end                        a.b:c.d

final pose at 1.5 s
  body       x [m]       y [m]        z [m]
  b     1.00000000  0.00000000  -2.50000000

  body         q_w         q_x         q_y         q_z
  b     1.00000000  0.00000000  0.00000000  0.00000000

work
  communication steps  3
  wall time            1.23 s

warnings of the FMU: 1
  careful
";
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.len() <= 80));
    }

    #[test]
    fn of_many_contacts_the_first_are_printed_and_the_rest_counted() {
        let text = text(&["h"], &[0.5], 100);
        assert_eq!(text.matches("a.b:c.d").count(), 40);
        assert!(text.contains("  and 60 more in events.csv\n"), "{text}");
        assert!(text.contains("outputs at 1.5 s\n  h  0.5  m\n"), "{text}");
    }
}
