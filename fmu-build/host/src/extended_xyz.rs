//! Balls over time as extended XYZ: text that OVITO, ASE and VMD open and any program can read. For
//! each time a frame: the number of balls, a line of properties with the time, and a line for each
//! ball with name of its group, position [m], radius [m] and velocity [m/s].
//!
//! Numbers have 9 digits, those of `f32`: enough for pictures, and for a scene that starts from the places
//! of the last frame.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// What the columns are, in the words of the format.
const PROPERTIES: &str = "species:S:1:pos:R:3:radius:R:1:velo:R:3";

/// Balls of a group at a time; positions and velocities have three entries for each ball.
#[derive(Clone, Copy, Debug)]
pub struct Balls<'a> {
    /// Name of the group.
    pub name: &'a str,
    /// Radii [m].
    pub radii: &'a [f64],
    /// Centres [m].
    pub positions: &'a [f64],
    /// Velocities [m/s].
    pub velocities: &'a [f64],
}

/// Writes a frame at a time [s].
///
/// # Errors
/// What the writer fails with.
pub fn write_frame(out: &mut impl Write, time: f64, groups: &[Balls<'_>]) -> io::Result<()> {
    let count: usize = groups.iter().map(|group| group.radii.len()).sum();
    writeln!(out, "{count}\nProperties={PROPERTIES} Time={time}")?;
    let mut line = String::new();
    for group in groups {
        let vectors = group
            .positions
            .chunks_exact(3)
            .zip(group.velocities.chunks_exact(3));
        for (radius, (position, velocity)) in group.radii.iter().zip(vectors) {
            line.clear();
            line.push_str(group.name);
            for number in position.iter().chain([radius]).chain(velocity) {
                // Writing to a text does not fail.
                let _ = write!(line, " {number:.8e}");
            }
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Centres and radii [m] of the balls of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Centres.
    pub positions: Vec<[f64; 3]>,
    /// Radii.
    pub radii: Vec<f64>,
}

/// The balls of each group in the last frame of a text.
///
/// # Errors
/// Why it is not a text as [`write_frame`] writes it, with the line.
pub fn last_frame(text: &str) -> Result<BTreeMap<String, Places>, String> {
    let mut lines = text.lines().enumerate();
    let mut last = BTreeMap::new();
    while let Some((index, head)) = lines.next() {
        let bad = |index: usize, what: &str| format!("line {}: {what}", index + 1);
        let count: usize = head
            .trim()
            .parse()
            .map_err(|_| bad(index, "is not the number of balls of a frame"))?;
        let (_, properties) = lines
            .next()
            .ok_or_else(|| bad(index, "the frame ends here"))?;
        if !properties.contains(PROPERTIES) {
            return Err(bad(index + 1, &format!("has not Properties={PROPERTIES}")));
        }
        last.clear();
        for _ in 0..count {
            let (index, line) = lines
                .next()
                .ok_or_else(|| bad(index, "the frame is cut off"))?;
            let (name, position, radius) =
                ball(line).ok_or_else(|| bad(index, "is not a name and seven numbers"))?;
            let places: &mut Places = last.entry(name.to_owned()).or_default();
            places.positions.push(position);
            places.radii.push(radius);
        }
    }
    Ok(last)
}

fn ball(line: &str) -> Option<(&str, [f64; 3], f64)> {
    let mut words = line.split_ascii_whitespace();
    let name = words.next()?;
    let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
    match numbers.ok()?.as_slice() {
        [x, y, z, radius, _, _, _] => Some((name, [*x, *y, *z], *radius)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_the_last_frame_that_was_written() {
        let mut text = Vec::new();
        let sand = |x: f64| [x, 0.0, 0.25, -1.5e-3, 2.0, 1.0 / 3.0];
        for time in [0.0, 0.5] {
            let (sand, velocities) = (sand(time), [0.0; 6]);
            let groups = [
                Balls {
                    name: "sand",
                    radii: &[0.1, 0.2],
                    positions: &sand,
                    velocities: &velocities,
                },
                Balls {
                    name: "salt",
                    radii: &[3.0],
                    positions: &[1.0, 2.0, 3.0],
                    velocities: &[0.0; 3],
                },
            ];
            write_frame(&mut text, time, &groups).unwrap();
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count(), 2 * (2 + 3));
        assert!(text.lines().nth(6).unwrap().ends_with(" Time=0.5"));
        let last = last_frame(&text).unwrap();
        assert_eq!(last["salt"].positions, [[1.0, 2.0, 3.0]]);
        assert_eq!(last["sand"].radii, [0.1, 0.2]);
        assert_eq!(last["sand"].positions[0], [0.5, 0.0, 0.25]);
        assert!((last["sand"].positions[1][2] - 1.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_text_that_is_cut_off_or_of_another_kind_is_refused_with_its_line() {
        let good = format!("1\nProperties={PROPERTIES} Time=0\nsand 0 0 0 1 0 0 0\n");
        assert!(last_frame(&good).is_ok());
        for (text, expected) in [
            (good.replace("1\nP", "2\nP"), "line 1: the frame is cut off"),
            (good.replace("pos", "pox"), "line 2: has not"),
            (good.replace("sand 0", "sand"), "line 3: is not"),
            (good.replace("1\nP", "one\nP"), "line 1: is not"),
        ] {
            let error = last_frame(&text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
