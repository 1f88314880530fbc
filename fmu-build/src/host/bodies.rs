//! The balls of groups over time, into a file. A group is what has arrays `NAME.position` and
//! `NAME.velocity` of three columns and `NAME.radius` of as many entries as these have rows, whoever
//! made the FMU. Frames are written as the run goes on: they are too large to keep.

use super::error::HostError;
use super::instance::core::LiveInstance;
use super::model_description::{ModelDescription, Variable};
use super::values::Reader;
use crate::extended_xyz::{Balls, write_frame};
use crate::whole_file::WholeFile;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// What of a variable's name follows that of the group, in both naming conventions.
const SEPARATORS: [char; 2] = ['.', '_'];

/// A group of balls.
struct Group {
    name: String,
    count: usize,
}

/// Writes a frame for each time.
pub(super) struct BodyWriter {
    groups: Vec<Group>,
    /// Of each group radii, positions, velocities.
    reader: Reader,
    values: Vec<f64>,
    path: PathBuf,
    /// Beside the path until all is written: a run that fails leaves what was there. None afterwards.
    file: Option<BufWriter<WholeFile>>,
}

impl BodyWriter {
    /// Creates a file beside the path, which [`Self::finish`] gives its name.
    ///
    /// # Errors
    /// The FMU has no group; the file cannot be created.
    pub fn new(
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

    /// The file that is written to, before it has its name.
    pub fn temporary(&self) -> Option<&Path> {
        self.file.as_ref()?.get_ref().temporary()
    }

    /// Writes the frame of a time [s].
    ///
    /// # Errors
    /// A failed call; a file that cannot be written.
    pub fn write(&mut self, instance: &LiveInstance, time: f64) -> Result<(), HostError> {
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

    /// Writes what is left, and replaces what is at the path.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(&mut self) -> Result<(), HostError> {
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

/// The group that these are the radii of, with its radii, positions and velocities.
fn group<'a>(
    description: &'a ModelDescription,
    radii: &'a Variable,
) -> Option<(Group, [&'a Variable; 3])> {
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
    let group = Group {
        name: name.to_owned(),
        count,
    };
    Some((group, [radii, vectors[0], vectors[1]]))
}
