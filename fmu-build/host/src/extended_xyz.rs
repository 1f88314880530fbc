//! Balls over time as extended XYZ, a text format of OVITO, ASE and VMD. Each time is a frame: the number of
//! balls, a line of properties with the time, and a line for each ball with the name of its group, position
//! [m], radius [m] and velocity [m/s].
//!
//! Numbers have 9 digits, as `f32` has: enough for pictures, and for a scene that starts from the positions
//! of the last frame.
//!
//! A group of an FMU has arrays `NAME.position` and `NAME.velocity` of three columns and `NAME.radius` with
//! as many entries as these have rows, whichever tool made the FMU. Its frames are written during the run:
//! they are too large to keep.

use super::error::HostError;
use super::instance::LiveInstance;
use super::model_description::{ModelDescription, Variable};
use super::values::Reader;
use super::whole_file::WholeFile;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Column definition of the format.
const PROPERTIES: &str = "species:S:1:pos:R:3:radius:R:1:velo:R:3";

/// Balls of a group at one time; positions and velocities have three entries per ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balls<'a> {
    pub(crate) name: &'a str,
    pub radii: &'a [f64],
    pub positions: &'a [f64],
    pub velocities: &'a [f64],
}

/// Writes a frame at a time [s].
///
/// # Errors
/// Those of the writer.
pub(crate) fn write_frame(out: &mut impl Write, time: f64, groups: &[Balls<'_>]) -> io::Result<()> {
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

/// Balls of each group in the last frame of a text.
///
/// # Errors
/// Deviation from the format of [`write_frame`], with the line.
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

/// Separators between group and variable in the names of both naming conventions.
const SEPARATORS: [char; 2] = ['.', '_'];

struct BallGroup {
    name: String,
    count: usize,
}

/// Writer of a frame for each time.
pub(super) struct BodyWriter {
    groups: Vec<BallGroup>,
    reader: Reader,
    values: Vec<f64>,
    path: PathBuf,
    /// Temporary file until all is written, so that a failed run leaves an older file; `None` afterwards.
    file: Option<BufWriter<WholeFile>>,
}

impl BodyWriter {
    /// Creates a file beside the path; [`Self::finish`] renames it.
    ///
    /// # Errors
    /// The FMU has no group; the file cannot be created.
    pub(crate) fn new(
        instance: &LiveInstance,
        description: &ModelDescription,
        path: &Path,
    ) -> Result<BodyWriter, HostError> {
        let mut groups = Vec::new();
        let mut variables: Vec<&Variable> = Vec::new();
        for radii in &description.variables {
            if let Some((group, of_group)) = group(description, radii) {
                groups.push(group);
                variables.extend(of_group);
            }
        }
        if groups.is_empty() {
            let reason = "the FMU has no group of balls to write: arrays NAME.radius, NAME.position and \
                          NAME.velocity, which [[grains]] has in FMI 3.0";
            return Err(HostError::Run(reason.to_owned()));
        }
        let reader = Reader::without_names(instance.library(), description, &variables)?;
        let file = WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(BodyWriter {
            values: vec![0.0; 7 * groups.iter().map(|group| group.count).sum::<usize>()],
            groups,
            reader,
            path: path.to_owned(),
            file: Some(BufWriter::new(file)),
        })
    }

    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.file.as_ref()?.get_ref().temporary()
    }

    /// Writes the frame of a time [s].
    ///
    /// # Errors
    /// A failed call; a file that cannot be written.
    pub(crate) fn write(&mut self, instance: &LiveInstance, time: f64) -> Result<(), HostError> {
        self.reader.read(instance, time, &mut self.values)?;
        let mut rest = self.values.as_slice();
        let mut take = |count: usize| {
            let (own, others) = rest.split_at(count);
            rest = others;
            own
        };
        let balls = self.groups.iter().map(|group| Balls {
            name: &group.name,
            radii: take(group.count),
            positions: take(3 * group.count),
            velocities: take(3 * group.count),
        });
        let balls: Vec<Balls<'_>> = balls.collect();
        match &mut self.file {
            Some(file) => write_frame(file, time, &balls),
            None => Ok(()),
        }
        .map_err(|error| cannot_write(&self.path, &error))
    }

    /// Flushes the file and renames it to the path.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn finish(&mut self) -> Result<(), HostError> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let file = file.into_inner().map_err(|error| error.into_error());
        file.and_then(WholeFile::finish)
            .map_err(|error| cannot_write(&self.path, &error))
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> HostError {
    HostError::Run(format!("cannot write {}: {error}", path.display()))
}

/// The group with these radii, and its radii, positions and velocities.
fn group<'a>(
    description: &'a ModelDescription,
    radii: &'a Variable,
) -> Option<(BallGroup, [&'a Variable; 3])> {
    let name = SEPARATORS.iter().find_map(|separator| {
        let name = radii
            .name
            .strip_suffix("radius")?
            .strip_suffix(*separator)?;
        Some((name, *separator))
    });
    let (name, separator) = name?;
    let [count] = description.extents(radii).ok()?[..] else {
        return None;
    };
    let of_three = |key: &str| {
        let full = format!("{name}{separator}{key}");
        let found = description.variables.iter().find(|v| v.name == full)?;
        let extents = description.extents(found).ok()?;
        (extents == [count, 3]).then_some(found)
    };
    let vectors = [of_three("position")?, of_three("velocity")?];
    let group = BallGroup {
        name: name.to_owned(),
        count,
    };
    Some((group, [radii, vectors[0], vectors[1]]))
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
