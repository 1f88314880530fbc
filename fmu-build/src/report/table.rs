//! CSV files: comma, a header line, numbers that read back to the bit.

use crate::host::{Column, ContactEvent, Trajectory};
use crate::number::exact;
use std::io;

/// Name of the first column.
const TIME: &str = "time";

/// The line of names: `time` [s] and the variables. Units are those of the variables.
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn head(columns: &[Column]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = columns.iter().map(|c| c.name.as_str());
    writer.write_record([TIME].into_iter().chain(names))?;
    writer.into_inner().map_err(|e| e.into_error())
}

/// The rows of a trajectory from one on.
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn rows(trajectory: &Trajectory, from: usize) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (index, time) in trajectory.times().iter().enumerate().skip(from) {
        let values = trajectory.row(index).iter().map(|v| exact(*v));
        writer.write_record([exact(*time)].into_iter().chain(values))?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

/// The line of names of the table of contacts.
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn contacts_head() -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let vector = ["impulse[1]", "impulse[2]", "impulse[3]"];
    let scalars = [TIME, "event", "pair", "impact_speed"];
    writer.write_record(scalars.into_iter().chain(vector))?;
    writer.into_inner().map_err(|e| e.into_error())
}

/// Contacts and end stops of joints that start and end, impulses, latches and jumps: `time` [s], `event`
/// (`start`, `end`, `stop start`, `stop end`, `impulse`, `latch closes`, `latch opens`, `latch stops`,
/// `jump`), `pair` (the shapes, joint and side, the latch, or the body), `impact_speed` [m/s] or [rad/s]
/// (empty unless something starts), `impulse` [N.s] (empty where there is none).
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
            contact.name().to_owned(),
            contact.pair.clone(),
            number(contact.impact_speed),
        ];
        writer.write_record(scalars.into_iter().chain(impulse))?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::messages::Touching;

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
        let event = |time, touching, pair: &str, impact_speed| ContactEvent {
            time,
            touching,
            pair: pair.into(),
            impact_speed,
            impulse: None,
        };
        let struck = ContactEvent {
            impulse: Some([0.0, 1e-3, -2.5]),
            ..event(2.0, Touching::Impulse, "a.b:c.d", None)
        };
        let rows = contact_rows(&[
            event(0.5, Touching::Pair, "a.b:c.d", Some(4.25)),
            event(0.75, Touching::Pair, "a.b:c.d", None),
            event(1.0, Touching::Stop, "hinge:lower", Some(2.0)),
            event(1.5, Touching::Stop, "hinge:lower", None),
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
