//! CSV files: comma, a header line, numbers that read back to the bit.

use crate::host::{ContactEvent, Trajectory};
use crate::number::exact;
use std::io;

/// Name of the first column.
const TIME: &str = "time";

/// A trajectory: `time` [s] and the variables, one row for each time. Units are those of the
/// variables.
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn trajectory(trajectory: &Trajectory) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = trajectory.columns().iter().map(|c| c.name.as_str());
    writer.write_record([TIME].into_iter().chain(names))?;
    for (index, time) in trajectory.times().iter().enumerate() {
        let values = trajectory.row(index).iter().map(|v| exact(*v));
        writer.write_record([exact(*time)].into_iter().chain(values))?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

/// Contacts and end stops of joints that start and end: `time` [s], `event` (`start`, `end`,
/// `stop start`, `stop end`), `pair` (the shapes, or joint and side), `impact_speed` [m/s] or
/// [rad/s] (empty where it ends).
///
/// # Errors
/// None in memory; the type is that of the CSV writer.
pub fn contacts(contacts: &[ContactEvent]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([TIME, "event", "pair", "impact_speed"])?;
    for contact in contacts {
        let speed = contact.impact_speed.map_or(String::new(), exact);
        writer.write_record([&exact(contact.time), contact.name(), &contact.pair, &speed])?;
    }
    writer.into_inner().map_err(|e| e.into_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Column;
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
        let text = String::from_utf8(trajectory(&t).unwrap()).unwrap();
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
        };
        let text = contacts(&[
            event(0.5, Touching::Pair, "a.b:c.d", Some(4.25)),
            event(0.75, Touching::Pair, "a.b:c.d", None),
            event(1.0, Touching::Stop, "hinge:lower", Some(2.0)),
            event(1.5, Touching::Stop, "hinge:lower", None),
        ]);
        let text = text.unwrap();
        let expected = "time,event,pair,impact_speed\n0.5,start,a.b:c.d,4.25\n0.75,end,a.b:c.d,\n\
                        1,stop start,hinge:lower,2\n1.5,stop end,hinge:lower,\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
