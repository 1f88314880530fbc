//! The replay page: one self-contained HTML file, made of the built page (`page.html`, from
//! `fmu-build/replay-page`), a JSON text and a blob of numbers.

use super::table::Blob;
use super::visual::Visual;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use fmu_host::frames::{FrameContact, Frames};
use fmu_host::{ContactEvent, Trajectory};
use serde_json::{Value, json};
use std::io::Write;

/// Page without a run.
const PAGE: &str = include_str!("page.html");
/// Placeholders for the data of a run.
const MARKS: [&str; 3] = ["/*REPLAY-JSON*/null", "REPLAY-BLOB", "REPLAY-TITLE"];

/// Maximum number of contacts of all frames; the strongest of each frame are kept.
const MOST_CONTACTS: usize = 120_000;
/// Maximum number of values of variables; further variables are left out.
const MOST_VALUES: usize = 400_000;
/// Maximum number of events; those with the highest speeds are kept.
const MOST_EVENTS: usize = 4000;
/// Names of the energies, which no variable has.
const ENERGIES: [(&str, &str); 4] = [
    ("kinetic energy", "of all bodies that forces move"),
    (
        "potential energy",
        "in the field of gravity and in springs of joints, above its lowest value of the run",
    ),
    ("elastic energy", "stored in contacts and end stops"),
    ("mechanical energy", "sum of the three"),
];

/// Content of a page.
pub struct Content<'a> {
    /// Title.
    pub title: &'a str,
    /// Name and version of this program.
    pub generator: &'a str,
    /// The scene.
    pub visual: &'a Visual,
    /// Frames, at rows of the trajectory.
    pub frames: &'a Frames,
    /// Variables over time.
    pub trajectory: &'a Trajectory,
    /// Events, by time.
    pub events: &'a [ContactEvent],
    /// Position of each event [m], if known.
    pub places: &'a [Option<[f64; 3]>],
    /// Remarks to display.
    pub notes: Vec<String>,
}

/// HTML of the page.
///
/// # Errors
/// Failed compression, which does not occur in memory.
pub fn page(content: &Content) -> Result<String, String> {
    let mut notes = content.notes.clone();
    let frames = &content.frames.list;
    let mut blob = Blob::default();
    let times = blob.f64(frames.iter().map(|frame| frame.time));
    let poses = poses(content, &mut blob);
    let balls = balls(content, &mut blob);
    let contacts = contacts(content.frames, &mut blob, &mut notes);
    let (variables, shown) = variables(content, &mut blob, &mut notes);
    let events = events(content);
    if content.frames.stride > 1 {
        notes.push(format!(
            "one frame for {} rows of the result",
            content.frames.stride
        ));
    }
    let data = json!({
        "format": "contact-fmu replay",
        "version": 1,
        "title": content.title,
        "generator": content.generator,
        "visual": content.visual,
        "frames": frames.len(),
        "times": times,
        "poses": poses,
        "balls": balls,
        "contacts": contacts,
        "pairs": content.frames.pairs,
        "variables": variables,
        "shown": shown,
        "events": events,
        "notes": notes,
    });
    // Nothing in the text may end the element that it stands in.
    let data = data.to_string().replace('<', "\\u003c");
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder
        .write_all(&blob.bytes())
        .and_then(|()| encoder.finish())
        .map_err(|error| error.to_string())?;
    let title = quick_xml::escape::escape(content.title);
    filled([&data, &STANDARD.encode(compressed), &title])
}

/// Page with these texts at its placeholders, in the order of [`MARKS`].
fn filled(texts: [&str; 3]) -> Result<String, String> {
    let mut places = Vec::new();
    for (mark, text) in MARKS.iter().zip(texts) {
        match PAGE.match_indices(mark).collect::<Vec<_>>()[..] {
            [(at, mark)] => places.push((at, mark.len(), text)),
            ref found => {
                return Err(format!("the built page has {mark:?} {} times", found.len()));
            }
        }
    }
    places.sort_by_key(|place| place.0);
    let mut page = String::with_capacity(PAGE.len() + texts.iter().map(|t| t.len()).sum::<usize>());
    let mut done = 0;
    for (at, length, text) in places {
        page.push_str(&PAGE[done..at]);
        page.push_str(text);
        done = at + length;
    }
    page.push_str(&PAGE[done..]);
    Ok(page)
}

fn poses(content: &Content, blob: &mut Blob) -> Vec<Value> {
    let frames = &content.frames.list;
    let moves = |body: &usize| {
        let first = frames.first().map(|frame| frame.poses[*body]);
        frames.iter().any(|frame| Some(frame.poses[*body]) != first)
            || first.is_some_and(|pose| {
                let start = content.visual.bodies[*body].pose;
                pose.position != start.position || pose.orientation != start.orientation
            })
    };
    let bodies = (0..content.visual.bodies.len()).filter(moves);
    let of_body = |body: usize| {
        json!({
            "body": body,
            "position": blob.f32(frames.iter().flat_map(|frame| frame.poses[body].position)),
            "orientation": blob.i16(frames.iter().flat_map(|frame| frame.poses[body].orientation)),
        })
    };
    bodies.map(of_body).collect()
}

/// Positions of the balls of groups, whose bodies follow the others.
fn balls(content: &Content, blob: &mut Blob) -> Vec<Value> {
    let frames = &content.frames.list;
    let mut first = content.visual.bodies.len();
    let groups = content.visual.balls.iter().enumerate();
    groups
        .map(|(group, balls)| {
            let own = first..first + balls.radii.len();
            first = own.end;
            let positions = frames.iter().flat_map(|frame| {
                let poses = &frame.poses[own.clone()];
                poses.iter().flat_map(|pose| pose.position)
            });
            json!({"group": group, "position": blob.f32(positions)})
        })
        .collect()
}

fn contacts(frames: &Frames, blob: &mut Blob, notes: &mut Vec<String>) -> Value {
    let most = (MOST_CONTACTS / frames.list.len().max(1)).max(1);
    let mut left_out = frames.left_out;
    let mut first = vec![0];
    let mut kept: Vec<&FrameContact> = Vec::new();
    for frame in &frames.list {
        let mut own: Vec<_> = frame.contacts.iter().collect();
        if own.len() > most {
            let size = |index: &usize| frame.contacts[*index].force.norm_squared();
            let mut order: Vec<usize> = (0..own.len()).collect();
            order.sort_by(|a, b| size(b).total_cmp(&size(a)));
            order.truncate(most);
            left_out += own.len() - most;
            own = order.iter().map(|index| &frame.contacts[*index]).collect();
        }
        kept.extend(own);
        first.push(kept.len());
    }
    if left_out > 0 {
        notes.push(format!(
            "{left_out} contact forces are left out, the smallest of each frame"
        ));
    }
    json!({
        "first": blob.u32(first),
        "pair": blob.u32(kept.iter().map(|contact| contact.pair)),
        "point": blob.f32(kept.iter().flat_map(|contact| <[f64; 3]>::from(contact.point))),
        "force": blob.f32(kept.iter().flat_map(|contact| <[f64; 3]>::from(contact.force))),
    })
}

/// Variables, energies first, and the names of those shown initially.
fn variables(
    content: &Content,
    blob: &mut Blob,
    notes: &mut Vec<String>,
) -> (Vec<Value>, Vec<String>) {
    let frames = &content.frames.list;
    let mut list = Vec::new();
    let energies: Option<Vec<[f64; 3]>> = frames.iter().map(|frame| frame.energies).collect();
    if let Some(mut energies) = energies.filter(|list| !list.is_empty()) {
        // Its zero is anywhere, and beside a large constant no curve shows a change.
        let lowest = energies
            .iter()
            .map(|of| of[1])
            .fold(f64::INFINITY, f64::min);
        energies.iter_mut().for_each(|of| of[1] -= lowest);
        for (place, (name, what)) in ENERGIES.into_iter().enumerate() {
            let value = |of: &[f64; 3]| of.get(place).copied().unwrap_or(of.iter().sum());
            list.push(json!({
                "name": name,
                "unit": "J",
                "description": format!("{name}, {what}"),
                "values": blob.fitting(energies.iter().map(value)),
            }));
        }
    }
    let of_energy: Vec<String> = match list.is_empty() {
        true => Vec::new(),
        false => ENERGIES.map(|(name, _)| name.to_owned()).into(),
    };
    let trajectory = content.trajectory;
    let columns = trajectory.columns();
    let room = MOST_VALUES / frames.len().max(1);
    let value = |column: usize, row: usize| trajectory.row(row)[column];
    let changes = |column: &usize| {
        let first = frames.first().map(|frame| value(*column, frame.row));
        frames
            .iter()
            .any(|frame| Some(value(*column, frame.row)) != first)
    };
    let mut chosen: Vec<usize> = (0..columns.len()).collect();
    if chosen.len() > room {
        chosen.retain(changes);
        chosen.truncate(room);
        notes.push(format!(
            "{} of {} variables are on this page; --only chooses",
            chosen.len(),
            columns.len()
        ));
    }
    for index in &chosen {
        let column = &columns[*index];
        list.push(json!({
            "name": column.name,
            "unit": column.unit,
            "description": column.description,
            "values": blob.fitting(frames.iter().map(|frame| value(*index, frame.row))),
        }));
    }
    let shown = if of_energy.is_empty() {
        chosen
            .into_iter()
            .filter(changes)
            .take(3)
            .map(|index| columns[index].name.clone())
            .collect()
    } else {
        of_energy
    };
    (list, shown)
}

/// Events that fit on a page, those with the highest speeds, and a remark about the others.
pub fn most_events(events: &[ContactEvent]) -> (Vec<ContactEvent>, Option<String>) {
    if events.len() <= MOST_EVENTS {
        return (events.to_vec(), None);
    }
    let speed = |index: &usize| events[*index].impact_speed.unwrap_or(0.0);
    let mut chosen: Vec<usize> = (0..events.len()).collect();
    chosen.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
    chosen.truncate(MOST_EVENTS);
    chosen.sort_unstable();
    let note = format!(
        "{MOST_EVENTS} of {} events are on this page, those with the highest speeds",
        events.len()
    );
    let chosen = chosen.into_iter().map(|index| events[index].clone());
    (chosen.collect(), Some(note))
}

fn events(content: &Content) -> Vec<Value> {
    let events = content.events.iter().enumerate();
    events
        .map(|(index, event)| {
            json!({
                "time": event.time,
                "name": event.kind.name(),
                "what": event.pair,
                "speed": event.impact_speed,
                "impulse": event.impulse,
                "point": content.places.get(index).copied().flatten(),
            })
        })
        .collect()
}
