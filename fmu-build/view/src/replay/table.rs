//! Frames from a table of results of any program: columns are variables of the FMU, as named in its visual
//! description. A body without columns stays at its start, a group of balls without columns is not drawn.
//!
//! # Positions of events
//!
//! An impact of stiff bodies is shorter than the time between two frames, so that no frame shows it; its
//! position is that of the nearest points at the time of the event, with body motions interpolated linearly
//! between the frames.

use super::visual::{Balls, Body, Contact, Visual};
use contact_geometry::math::{Mat3, Pose, Vec3, nearest_rotation, quaternion, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, query};
use contact_laws::index::ShapeId;
use contact_model::scene::Scene;
use fmu_core::instance::record::EventKind;
use fmu_host::frames::{BodyPose, Frame, FrameContact, Frames};
use fmu_host::{Column, ContactEvent, Trajectory};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const TIME: &str = "time";

/// Reads a table with the time in its first column.
///
/// # Errors
/// Text with file and line: unreadable, no times, a field that is no number, descending time.
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

/// Parses a number, or a truth value of another tool.
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
/// Text with file and line: unreadable, or another table.
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
                kind: EventKind::of_name(field(event))?,
                pair: field(pair).to_owned(),
                impact_speed: number(field(speed)),
                impulse: match vector.map(entry) {
                    [Some(x), Some(y), Some(z)] => Some([x, y, z]),
                    _ => None,
                },
                ..ContactEvent::default()
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

/// Frames of a table, with remarks about missing columns. Groups of balls without columns are removed from
/// the description.
///
/// # Errors
/// Text if no column moves a body.
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

fn columns(trajectory: &Trajectory) -> BTreeMap<&str, usize> {
    let columns = trajectory.columns().iter().enumerate();
    columns
        .map(|(index, column)| (column.name.as_str(), index))
        .collect()
}

/// Columns of everything in a table.
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

    /// Moving bodies without a pose in the table.
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

/// Position [m] of each event at which two shapes begin to touch or exert an impulse; `None` for other
/// events.
pub fn places(scene: &Scene, frames: &Frames, events: &[ContactEvent]) -> Vec<Option<[f64; 3]>> {
    let shapes = scene.shapes().keys();
    let shapes: BTreeMap<String, ShapeId> = shapes
        .map(|shape| (scene.shape_name(shape), shape))
        .collect();
    let place = |event: &ContactEvent| {
        if !matches!(event.kind, EventKind::ContactStart | EventKind::Impulse) {
            return None;
        }
        let (one, two) = event.pair.split_once(':')?;
        let pair = [*shapes.get(one)?, *shapes.get(two)?];
        let placed = |shape: ShapeId| {
            let known = &scene.shapes()[shape];
            let body = frames.pose_at(event.time, usize::from(known.body))?;
            Some(pose(&body).then(&known.pose_b))
        };
        let [pose_1, pose_2] = [placed(pair[0])?, placed(pair[1])?];
        let [form_1, form_2] = scene.forms_of(pair);
        let near = query(form_1, &pose_1, form_2, &pose_2, &Feature::None);
        let point: Vec3 = near.contact_point_w();
        point.iter().all(|c| c.is_finite()).then(|| point.into())
    };
    events.iter().map(place).collect()
}

/// Converts a pose of a frame to a rotation matrix.
pub fn pose(of: &BodyPose) -> Pose {
    Pose {
        position: Vec3::from(of.position),
        rotation: rotation_matrix(&of.orientation),
    }
}

/// Alignment of lists [bytes]: the size of the largest number.
const ALIGNMENT: usize = 8;

/// Binary lists of numbers, little-endian, each aligned.
#[derive(Debug, Default)]
pub(crate) struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// Adds 64-bit numbers; returns their location for the accompanying JSON.
    pub(crate) fn f64(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("f64", values, |bytes, value| {
            bytes.extend_from_slice(&value.to_le_bytes());
        })
    }

    /// Adds numbers rounded to 32 bits.
    pub(crate) fn f32(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("f32", values, |bytes, value| {
            bytes.extend_from_slice(&(value as f32).to_le_bytes());
        })
    }

    /// Adds numbers in -1..=1, rounded to multiples of 1/32767.
    pub(crate) fn i16(&mut self, values: impl IntoIterator<Item = f64>) -> Value {
        self.add("i16", values, |bytes, value| {
            let rounded = (value * f64::from(i16::MAX)).round() as i16;
            bytes.extend_from_slice(&rounded.to_le_bytes());
        })
    }

    pub(crate) fn u32(&mut self, values: impl IntoIterator<Item = usize>) -> Value {
        self.add("u32", values, |bytes, value| {
            let value = u32::try_from(value).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&value.to_le_bytes());
        })
    }

    fn add<T>(
        &mut self,
        kind: &str,
        values: impl IntoIterator<Item = T>,
        write: impl Fn(&mut Vec<u8>, T),
    ) -> Value {
        self.bytes
            .resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        let offset = self.bytes.len();
        let mut count = 0usize;
        for value in values {
            write(&mut self.bytes, value);
            count += 1;
        }
        json!({"type": kind, "offset": offset, "count": count})
    }

    /// Adds numbers by [`Self::f32`], or by [`Self::f64`] if the rounding would be visible in a plot, as for
    /// a small motion far from zero.
    pub(crate) fn fitting(&mut self, values: impl Iterator<Item = f64> + Clone) -> Value {
        let fold = |f: fn(f64, f64) -> f64, start| values.clone().fold(start, f);
        let (low, high) = (
            fold(f64::min, f64::INFINITY),
            fold(f64::max, f64::NEG_INFINITY),
        );
        let rounding = f64::from(f32::EPSILON) * low.abs().max(high.abs());
        match high - low < VISIBLE * rounding && high > low {
            true => self.f64(values),
            false => self.f32(values),
        }
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Minimum number of visible steps in a plotted range [1].
const VISIBLE: f64 = 1e4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_begin_at_multiples_of_eight_and_read_back() {
        let mut blob = Blob::default();
        let one = blob.i16([1.0, -1.0, 0.5]);
        let two = blob.f64([0.1]);
        let three = blob.u32([7, 70_000]);
        assert_eq!(one, json!({"type": "i16", "offset": 0, "count": 3}));
        assert_eq!(two, json!({"type": "f64", "offset": 8, "count": 1}));
        assert_eq!(three, json!({"type": "u32", "offset": 16, "count": 2}));
        let bytes = blob.bytes();
        assert_eq!(i16::from_le_bytes(bytes[0..2].try_into().unwrap()), 32767);
        assert_eq!(i16::from_le_bytes(bytes[2..4].try_into().unwrap()), -32767);
        assert_eq!(f64::from_le_bytes(bytes[8..16].try_into().unwrap()), 0.1);
        assert_eq!(
            u32::from_le_bytes(bytes[20..24].try_into().unwrap()),
            70_000
        );
    }

    #[test]
    fn a_small_motion_far_from_zero_keeps_all_its_digits() {
        let kind = |values: [f64; 2]| {
            let found = Blob::default().fitting(values.into_iter());
            found["type"].as_str().unwrap().to_owned()
        };
        assert_eq!(kind([0.0, 1.0]), "f32");
        assert_eq!(kind([1000.0, 1000.001]), "f64");
        assert_eq!(kind([1000.0, 1000.0]), "f32");
    }
}
