//! Frames from a table of results that any program has written: columns are variables of the FMU, as
//! its visual description names them. A body that the table lacks stays where it starts, a group of balls
//! is not drawn.

use super::visual::{Balls, Body, Contact, Visual};
use crate::host::frames::{BodyPose, Frame, FrameContact, Frames};
use crate::host::messages::Touching;
use crate::host::{Column, ContactEvent, Trajectory};
use contact_geometry::math::{Mat3, Vec3, nearest_rotation, quaternion};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the first column.
const TIME: &str = "time";

/// Reads a table with the time in its first column.
///
/// # Errors
/// In words, with file and line: it cannot be read, has no times, a field is no number, time goes
/// back.
pub fn read(path: &Path) -> Result<Trajectory, String> {
    let in_file = |reason: String| format!("{}: {reason}", path.display());
    let file = std::fs::File::open(path).map_err(|e| in_file(format!("cannot be read: {e}")))?;
    parse(file).map_err(in_file)
}

fn parse(source: impl std::io::Read) -> Result<Trajectory, String> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(source);
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let first = headers
        .get(0)
        .unwrap_or_default()
        .trim_start_matches('\u{feff}');
    if first != TIME {
        return Err(format!(
            "the first column is {first:?}; it must be {TIME:?}, as in a CSV file of fmu-build, FMPy or \
             OpenModelica"
        ));
    }
    let columns = headers.iter().skip(1).map(|name| Column {
        name: name.to_owned(),
        unit: None,
        description: None,
    });
    let mut trajectory = Trajectory::new(columns.collect());
    let mut row = vec![0.0; headers.len()];
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((text, value), name) in record.iter().zip(&mut row).zip(&headers) {
            *value = number(text).ok_or_else(|| {
                format!("line {line}: {text:?} in column {name:?} is no finite number")
            })?;
        }
        match trajectory.times().last() {
            Some(last) if row[0] < *last => {
                return Err(format!(
                    "line {line}: time goes back from {last} s to {} s",
                    row[0]
                ));
            }
            // Tools write the values before and after an event at one time; the later ones count.
            Some(last) if row[0] == *last => trajectory.replace_last(&row[1..]),
            _ => trajectory.push(row[0], &row[1..]),
        }
    }
    match trajectory.times().is_empty() {
        true => Err("has no rows".to_owned()),
        false => Ok(trajectory),
    }
}

/// A number; truth values of some tools are words.
fn number(text: &str) -> Option<f64> {
    match text {
        "true" | "True" => Some(1.0),
        "false" | "False" => Some(0.0),
        _ => text.parse().ok().filter(|value: &f64| value.is_finite()),
    }
}

/// Reads the events that `simulate` has written beside a table of results.
///
/// # Errors
/// In words, with file and line: it cannot be read, or is another table.
pub fn read_events(path: &Path) -> Result<Vec<ContactEvent>, String> {
    let in_file = |reason: String| format!("{}: {reason}", path.display());
    let mut reader =
        csv::Reader::from_path(path).map_err(|e| in_file(format!("cannot be read: {e}")))?;
    let headers = reader.headers().map_err(|e| in_file(e.to_string()))?;
    let index = |name: &str| headers.iter().position(|header| header == name);
    let known = ["time", "event", "pair", "impact_speed"].map(index);
    let vector = ["impulse[1]", "impulse[2]", "impulse[3]"].map(index);
    let [Some(time), Some(event), Some(pair), Some(speed)] = known else {
        return Err(in_file(
            "is no table of events: it lacks one of the columns time, event, pair, impact_speed"
                .to_owned(),
        ));
    };
    let mut events = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| in_file(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |index: usize| record.get(index).unwrap_or_default();
        let entry = |index: Option<usize>| number(field(index?));
        let read = || {
            Some(ContactEvent {
                time: number(field(time))?,
                touching: Touching::of_name(field(event))?,
                pair: field(pair).to_owned(),
                impact_speed: number(field(speed)),
                impulse: match vector.map(entry) {
                    [Some(x), Some(y), Some(z)] => Some([x, y, z]),
                    _ => None,
                },
            })
        };
        events.push(read().ok_or_else(|| {
            in_file(format!(
                "line {line}: is no event with a time and a known name"
            ))
        })?);
    }
    Ok(events)
}

/// The frames of a table, and what to say of what it lacks. Groups of balls without columns are taken
/// out of the description: they are not drawn.
///
/// # Errors
/// No column is one that moves a body, in words.
pub fn frames(
    visual: &mut Visual,
    trajectory: &Trajectory,
) -> Result<(Frames, Vec<String>), String> {
    let columns = columns(trajectory);
    let has_columns = |balls: &Balls| {
        let name = balls.position.as_deref();
        name.is_some_and(|name| ball_columns(name, balls.radii.len(), &columns).is_some())
    };
    let lacking = visual.balls.iter().filter(|balls| !has_columns(balls));
    let groups: Vec<String> = lacking.map(|balls| balls.name.clone()).collect();
    visual.balls.retain(has_columns);
    let sources = Sources::of(visual, &columns);
    if !sources.are_any() {
        let wanted = visual.bodies.iter().find_map(|body| body.position.as_ref());
        let wanted = wanted.map_or(String::new(), |names| format!(", from {:?} on", names[0]));
        return Err(format!(
            "the columns of no body are complete: a position has three, an orientation four variables\
             {wanted}"
        ));
    }
    let count = visual.balls.iter().map(|balls| balls.radii.len());
    let mut frames = Frames::new(visual.bodies.len() + count.sum::<usize>());
    let pairs = visual.contacts.iter().map(|contact| contact.pair.clone());
    frames.pairs = pairs.collect();
    for _ in trajectory.times() {
        if let Some(row) = frames.next_row() {
            frames.push(sources.frame(trajectory, row));
        }
    }
    if let Some(row) = frames.last_row() {
        frames.push(sources.frame(trajectory, row));
    }
    let still = sources.lacking(visual);
    let mut notes = Vec::new();
    if !still.is_empty() {
        let names = still.join(", ");
        notes.push(format!(
            "the table has no pose of {names}: drawn where it starts"
        ));
    }
    notes.extend(groups.iter().map(|name| {
        format!(
            "the table has no positions of {name}, which is not drawn; of an FMU of FMI 3.0 \
             simulate --only \"{name}.*\" records them"
        )
    }));
    Ok((frames, notes))
}

const UNTURNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Columns by name.
fn columns(trajectory: &Trajectory) -> BTreeMap<&str, usize> {
    let columns = trajectory.columns().iter().enumerate();
    columns
        .map(|(index, column)| (column.name.as_str(), index))
        .collect()
}

/// Where in a table everything is.
struct Sources {
    bodies: Vec<Source>,
    /// Columns of the positions of each group, ball by ball.
    balls: Vec<Vec<usize>>,
    /// Columns of point and force of each reported contact.
    contacts: Vec<Option<[[usize; 3]; 2]>>,
}

impl Sources {
    fn of(visual: &Visual, columns: &BTreeMap<&str, usize>) -> Sources {
        let of_group = |balls: &Balls| {
            let name = balls.position.as_deref()?;
            ball_columns(name, balls.radii.len(), columns)
        };
        let of_contact = |contact: &Contact| {
            Some([
                find(&contact.point, columns)?,
                find(&contact.force, columns)?,
            ])
        };
        let bodies = visual.bodies.iter();
        Sources {
            bodies: bodies.map(|body| Source::of(body, columns)).collect(),
            balls: visual.balls.iter().filter_map(of_group).collect(),
            contacts: visual.contacts.iter().map(of_contact).collect(),
        }
    }

    fn are_any(&self) -> bool {
        self.bodies.iter().any(|source| source.position.is_some()) || !self.balls.is_empty()
    }

    /// Bodies that move and of which the table has no pose.
    fn lacking<'a>(&self, visual: &'a Visual) -> Vec<&'a str> {
        let bodies = visual.bodies.iter().zip(&self.bodies);
        let bodies = bodies
            .filter(|(body, source)| !body.fixed && source.position.is_none())
            .map(|(body, _)| body.name.as_str());
        bodies.collect()
    }

    fn frame(&self, trajectory: &Trajectory, row: usize) -> Frame {
        let values = trajectory.row(row);
        let vector = |columns: &[usize; 3]| columns.map(|column| values[column]);
        let mut poses: Vec<BodyPose> = self.bodies.iter().map(|body| body.pose(values)).collect();
        for own in &self.balls {
            poses.extend(own.chunks_exact(3).map(|columns| BodyPose {
                position: [0, 1, 2].map(|axis| values[columns[axis]]),
                orientation: UNTURNED,
            }));
        }
        let contacts = self.contacts.iter().enumerate();
        let contacts = contacts.filter_map(|(pair, columns)| {
            let [point, force] = columns.as_ref()?;
            Some(FrameContact {
                pair,
                point: Vec3::from(vector(point)),
                force: Vec3::from(vector(force)),
            })
        });
        Frame {
            time: trajectory.times()[row],
            row,
            poses,
            contacts: contacts
                .filter(|contact| contact.force != Vec3::zeros())
                .collect(),
            energies: None,
        }
    }
}

/// Where the pose of a body comes from.
struct Source {
    start: BodyPose,
    position: Option<[usize; 3]>,
    orientation: Option<[usize; 4]>,
    rotation: Option<[usize; 9]>,
}

impl Source {
    fn of(body: &Body, columns: &BTreeMap<&str, usize>) -> Source {
        let known =
            |names: &Option<[String; 4]>| names.as_ref().and_then(|names| find(names, columns));
        Source {
            start: BodyPose {
                position: body.pose.position,
                orientation: body.pose.orientation,
            },
            position: body
                .position
                .as_ref()
                .and_then(|names| find(names, columns)),
            orientation: known(&body.orientation),
            rotation: body
                .rotation
                .as_ref()
                .and_then(|names| find(names, columns)),
        }
    }

    fn pose(&self, values: &[f64]) -> BodyPose {
        let turned = self.orientation.map(|own| own.map(|column| values[column]));
        let turned = turned.or_else(|| {
            let own = self.rotation?.map(|column| values[column]);
            Some(quaternion(&nearest_rotation(&Mat3::from_row_slice(&own))))
        });
        let norm = |q: [f64; 4]| q.iter().map(|c| c * c).sum::<f64>().sqrt();
        let unit = turned.map(|q| (q, norm(q))).filter(|(_, norm)| *norm > 0.0);
        BodyPose {
            position: match self.position {
                Some(own) => own.map(|column| values[column]),
                None => self.start.position,
            },
            orientation: match unit {
                Some((q, norm)) => q.map(|c| c / norm),
                None => self.start.orientation,
            },
        }
    }
}

fn find<const N: usize>(
    names: &[String; N],
    columns: &BTreeMap<&str, usize>,
) -> Option<[usize; N]> {
    let found: Option<Vec<usize>> = names
        .iter()
        .map(|name| columns.get(name.as_str()).copied())
        .collect();
    found?.try_into().ok()
}

/// Columns of the positions of a group, ball by ball.
fn ball_columns(name: &str, count: usize, columns: &BTreeMap<&str, usize>) -> Option<Vec<usize>> {
    let entries = (0..3 * count).map(|i| format!("{name}[{},{}]", i / 3 + 1, i % 3 + 1));
    entries
        .map(|entry| columns.get(entry.as_str()).copied())
        .collect()
}
