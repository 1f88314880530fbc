//! CSV files: comma, a header line, numbers that read back to the bit.
//!
//! Bodies are found by the names of columns: `BODY.position[1..3]`, `BODY.orientation[1..4]` (quaternion w,
//! x, y, z), `BODY.velocity[1..3]`, or the same in flat names. A free joint and a measurement have such
//! columns too; their descriptions name the frames.

use crate::number::exact;
use fmu_host::{Column, ContactEvent, Trajectory};
use std::io;

const TIME: &str = "time";

/// Header line: `time` [s] and the variables, in their units.
///
/// # Errors
/// None in memory; the type comes from the CSV writer.
pub fn head(columns: &[Column]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = columns.iter().map(|c| c.name.as_str());
    writer.write_record([TIME].into_iter().chain(names))?;
    writer.into_inner().map_err(|e| e.into_error())
}

/// Rows of a trajectory from row `from` on.
///
/// # Errors
/// None in memory; the type comes from the CSV writer.
pub fn rows(trajectory: &Trajectory, from: usize) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (index, time) in trajectory.times().iter().enumerate().skip(from) {
        let values = trajectory.row(index).iter().map(|v| exact(*v));
        writer.write_record([exact(*time)].into_iter().chain(values))?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

/// Header line of the table of contacts.
///
/// # Errors
/// None in memory; the type comes from the CSV writer.
pub fn contacts_head() -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let vector = ["impulse[1]", "impulse[2]", "impulse[3]"];
    let scalars = [TIME, "event", "pair", "impact_speed"];
    writer.write_record(scalars.into_iter().chain(vector))?;
    writer.into_inner().map_err(|e| e.into_error())
}

/// Rows of the table of events: `time` [s], `event` (`start`, `end`, `stop start`, `stop end`, `impulse`,
/// `latch closes`, `latch opens`, `latch stops`, `trigger on`, `trigger off`, `jump`), `pair` (the shapes,
/// joint and side, the latch, the trigger, or the body), `impact_speed` [m/s] or [rad/s] (empty unless
/// something starts), `impulse` [N.s] (empty without one).
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn contact_rows(contacts: &[ContactEvent]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for contact in contacts {
        let number = |value: Option<f64>| value.map_or(String::new(), exact);
        let impulse = [0, 1, 2].map(|i| number(contact.impulse.map(|impulse| impulse[i])));
        let scalars = [
            exact(contact.time),
            contact.kind.name().to_owned(),
            contact.pair.clone(),
            number(contact.impact_speed),
        ];
        writer.write_record(scalars.into_iter().chain(impulse))?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyColumns {
    pub(crate) name: String,
    pub(crate) position: [usize; 3],
    pub orientation: Option<[usize; 4]>,
    pub velocity: Option<[usize; 3]>,
    pub angular_velocity: Option<[usize; 3]>,
}

/// Spelling of names: before the field, before and after an index. Structured names, flat ones, and elements
/// of an array with a flat name.
const STYLES: [[&str; 3]; 3] = [[".", "[", "]"], ["_", "_", ""], ["_", "[", "]"]];

/// Phrases in a description that mark a position of one frame relative to another.
const OF_FRAMES: [&str; 2] = ["joint frame of the", "axes of the first frame"];

/// All bodies with a position, in the order of their columns.
pub(crate) fn find(trajectory: &Trajectory) -> Vec<BodyColumns> {
    let columns = trajectory.columns().iter().enumerate();
    let of_frames = |column: &Column| {
        let text = column.description.as_deref();
        text.is_some_and(|text| OF_FRAMES.iter().any(|words| text.contains(words)))
    };
    columns
        .filter(|(_, column)| !of_frames(column))
        .filter_map(|(first, column)| {
            STYLES.iter().find_map(|style| {
                let name = column.name.strip_suffix(&entry(style, "", "position", 1))?;
                body(trajectory, style, name, first)
            })
        })
        .collect()
}

fn entry([dot, open, close]: &[&str; 3], body: &str, field: &str, index: usize) -> String {
    format!("{body}{dot}{field}{open}{index}{close}")
}

/// Body with this name, whose position begins in the column `first`.
fn body(
    trajectory: &Trajectory,
    style: &[&str; 3],
    name: &str,
    first: usize,
) -> Option<BodyColumns> {
    let columns = trajectory.columns();
    // A vector has its entries side by side.
    let is_vector = |first: usize, field: &str, count: usize| {
        (1..=count).all(|i| {
            let column = columns.get(first + i - 1);
            column.is_some_and(|c| c.name == entry(style, name, field, i))
        })
    };
    let vector = |field: &str, count: usize| {
        let first = trajectory.index_of(&entry(style, name, field, 1))?;
        is_vector(first, field, count).then_some(first)
    };
    is_vector(first, "position", 3).then(|| BodyColumns {
        name: name.to_owned(),
        position: [first, first + 1, first + 2],
        orientation: vector("orientation", 4).map(|i| [i, i + 1, i + 2, i + 3]),
        velocity: vector("velocity", 3).map(|i| [i, i + 1, i + 2]),
        angular_velocity: vector("angular_velocity", 3).map(|i| [i, i + 1, i + 2]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_core::instance::record::EventKind;

    #[test]
    fn a_trajectory_has_a_header_and_a_row_for_each_time() {
        let column = |name: &str| Column {
            name: name.into(),
            unit: None,
            description: None,
        };
        let mut t = Trajectory::new(vec![column("a.b[1]"), column("m[1,2]")]);
        t.push(0.0, &[1.0, -0.1]);
        t.push(0.1 + 0.2, &[1e-20, 2.0]);
        let text = [head(t.columns()).unwrap(), rows(&t, 0).unwrap()].concat();
        let text = String::from_utf8(text).unwrap();
        let last = String::from_utf8(rows(&t, 1).unwrap()).unwrap();
        assert!(text.ends_with(&last) && last.lines().count() == 1);
        let expected = "time,a.b[1],\"m[1,2]\"\n0,1,-0.1\n0.30000000000000004,1e-20,2\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn contacts_and_stops_have_a_speed_where_they_start() {
        let event = |time, kind, pair: &str, impact_speed| ContactEvent {
            time,
            kind,
            pair: pair.into(),
            impact_speed,
            ..ContactEvent::default()
        };
        let struck = ContactEvent {
            impulse: Some([0.0, 1e-3, -2.5]),
            ..event(2.0, EventKind::Impulse, "a.b:c.d", None)
        };
        let rows = contact_rows(&[
            event(0.5, EventKind::ContactStart, "a.b:c.d", Some(4.25)),
            event(0.75, EventKind::ContactEnd, "a.b:c.d", None),
            event(1.0, EventKind::StopStart, "hinge:lower", Some(2.0)),
            event(1.5, EventKind::StopEnd, "hinge:lower", None),
            struck,
        ]);
        let text = [contacts_head().unwrap(), rows.unwrap()].concat();
        let expected = "time,event,pair,impact_speed,impulse[1],impulse[2],impulse[3]\n\
                        0.5,start,a.b:c.d,4.25,,,\n0.75,end,a.b:c.d,,,,\n\
                        1,stop start,hinge:lower,2,,,\n1.5,stop end,hinge:lower,,,,\n\
                        2,impulse,a.b:c.d,,0,0.001,-2.5\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}

#[cfg(test)]
mod bodies_tests {
    use super::*;

    fn trajectory(names: &[&str]) -> Trajectory {
        let column = |name: &&str| Column {
            name: (*name).into(),
            unit: None,
            description: None,
        };
        Trajectory::new(names.iter().map(column).collect())
    }

    #[test]
    fn a_body_is_found_by_its_position_with_what_else_it_has() {
        let t = trajectory(&[
            "x",
            "a.position[1]",
            "a.position[2]",
            "a.position[3]",
            "a.velocity[1]",
            "a.velocity[2]",
            "a.velocity[3]",
            "b.c.position[1]",
            "b.c.position[2]",
            "b.c.position[3]",
        ]);
        let bodies = find(&t);
        assert_eq!(bodies.len(), 2);
        assert_eq!(
            (bodies[0].name.as_str(), bodies[0].position),
            ("a", [1, 2, 3])
        );
        assert_eq!(
            (bodies[0].velocity, bodies[0].orientation),
            (Some([4, 5, 6]), None)
        );
        assert_eq!((bodies[1].name.as_str(), bodies[1].velocity), ("b.c", None));
    }

    #[test]
    fn bodies_with_flat_names_are_found_too() {
        for (open, close) in [("_", ""), ("[", "]")] {
            let name = |field: &str, i: usize| format!("a_b_{field}{open}{i}{close}");
            let position = (1..=3).map(|i| name("position", i));
            let names: Vec<String> = position
                .chain((1..=4).map(|i| name("orientation", i)))
                .collect();
            let texts: Vec<&str> = names.iter().map(String::as_str).collect();
            let expected = BodyColumns {
                name: "a_b".into(),
                position: [0, 1, 2],
                orientation: Some([3, 4, 5, 6]),
                velocity: None,
                angular_velocity: None,
            };
            assert_eq!(find(&trajectory(&texts)), [expected]);
        }
    }

    /// Descriptions as the variable table of this project writes them.
    #[test]
    fn a_free_joint_and_a_measurement_are_no_bodies() {
        let of = |description: &str| {
            let column = |i| Column {
                name: format!("a.position[{i}]"),
                unit: None,
                description: Some(description.into()),
            };
            find(&Trajectory::new((1..=3).map(column).collect())).len()
        };
        let joint = "Position x [m], joint frame of the child, joint frame of the parent";
        let measured = "Position of b from the world, x [m], axes of the first frame";
        assert_eq!((of(joint), of(measured)), (0, 0));
        assert_eq!(of("Position x [m], body origin, world axes"), 1);
    }

    #[test]
    fn a_position_of_two_entries_is_no_body() {
        let t = trajectory(&["a.position[1]", "a.position[2]"]);
        assert!(find(&t).is_empty());
    }
}
