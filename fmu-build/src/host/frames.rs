//! Frames of a run for its replay: poses of all bodies, contacts with their forces and energies at
//! rows of the result.
//!
//! Variables of an FMU need not show any of these. So after each row the FMU writes its state as
//! bytes, and an instance of the same scene in this program takes it and is asked: that works with
//! FMUs of this version of the program only. The run itself goes on as without frames.
//!
//! # The balls of groups over time, into a file
//!
//! A group is what has arrays `NAME.position` and `NAME.velocity` of three columns and
//! `NAME.radius` of as many entries as these have rows, whoever made the FMU. Frames are written as
//! the run goes on: they are too large to keep.

use super::states::StateReader;
use crate::extended_xyz::{Balls, write_frame};
use crate::host::error::HostError;
use crate::host::instance::core::LiveInstance;
use crate::host::model_description::{ModelDescription, Variable};
use crate::host::values::Reader;
use crate::whole_file::WholeFile;
use contact_geometry::math::{Vec3, quaternion};
use contact_laws::index::PairId;
use fmu_core::instance::values::ContactForce;
use fmu_core::instance::{Failure, Instance, Kind, Log, Options, lifecycle};
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Poses of moving bodies in all frames at most: what a page of some 10 MB holds.
const MOST_POSES: usize = 200_000;
/// Frames at least and at most, whatever the number of bodies.
const FRAMES: (usize, usize) = (100, 4000);
/// Contacts of a frame that are kept at most, those with the largest forces.
const MOST_CONTACTS: usize = 1000;

/// Pose of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Origin [m].
    pub position: [f64; 3],
    /// Unit quaternion (w, x, y, z), body to world.
    pub orientation: [f64; 4],
}

/// A contact in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameContact {
    /// Its pair, among [`Frames::pairs`].
    pub pair: usize,
    /// Where the force acts [m].
    pub point: Vec3,
    /// Force on the second body of the pair, world axes [N].
    pub force: Vec3,
}

/// The scene at one row of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time [s].
    pub time: f64,
    /// Its row, from 0.
    pub row: usize,
    /// Poses of all bodies, in the order of the scene.
    pub poses: Vec<BodyPose>,
    /// Contacts with a force.
    pub contacts: Vec<FrameContact>,
    /// Kinetic, potential and elastic energy [J], if they are known.
    pub energies: Option<[f64; 3]>,
}

/// Frames of a run. A long run keeps every second row, every fourth ..., and the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// The frames, by time.
    pub list: Vec<Frame>,
    /// Names of the pairs that have touched, `body.shape:body.shape`.
    pub pairs: Vec<String>,
    /// Rows from one frame to the next.
    pub stride: usize,
    /// Contacts with small forces that were left out.
    pub left_out: usize,
    most: usize,
    rows: usize,
}

impl Frames {
    /// Room for frames of so many bodies that move.
    pub fn new(moving: usize) -> Frames {
        Frames {
            list: Vec::new(),
            pairs: Vec::new(),
            stride: 1,
            left_out: 0,
            most: (MOST_POSES / moving.max(1)).clamp(FRAMES.0, FRAMES.1),
            rows: 0,
        }
    }

    /// Counts a row. Returns its number if it is one whose frame is kept, to be given to
    /// [`Self::push`].
    pub fn next_row(&mut self) -> Option<usize> {
        let row = self.rows;
        self.rows += 1;
        if row.is_multiple_of(self.stride) && self.list.len() >= self.most {
            self.stride *= 2;
            let stride = self.stride;
            self.list.retain(|frame| frame.row.is_multiple_of(stride));
        }
        row.is_multiple_of(self.stride).then_some(row)
    }

    /// The number of the last row, if its frame was not kept, to be given to [`Self::push`].
    pub fn last_row(&self) -> Option<usize> {
        let row = self.rows.checked_sub(1)?;
        let is_there = self.list.last().is_some_and(|frame| frame.row == row);
        (!is_there).then_some(row)
    }

    /// Adds a frame. Of very many contacts those with the largest forces are kept.
    pub fn push(&mut self, mut frame: Frame) {
        self.left_out += keep_strongest(&mut frame.contacts);
        self.list.push(frame);
    }

    /// Number of the pair with this name; a new one if it has not touched yet.
    fn pair(&mut self, name: impl FnOnce() -> String, known: Option<usize>) -> usize {
        known.unwrap_or_else(|| {
            self.pairs.push(name());
            self.pairs.len() - 1
        })
    }

    /// The poses at a time [s], on a straight way between the frames around it; those of the first
    /// or last frame beyond them. None without a frame.
    pub fn poses_at(&self, time: f64) -> Option<Vec<BodyPose>> {
        let bodies = 0..self.list.first()?.poses.len();
        bodies.map(|body| self.pose_at(time, body)).collect()
    }

    /// The pose of one body likewise.
    pub fn pose_at(&self, time: f64, body: usize) -> Option<BodyPose> {
        let next = self.list.partition_point(|frame| frame.time < time);
        let after = self.list.get(next).or(self.list.last())?;
        let before = &self.list[next.saturating_sub(1)];
        let span = after.time - before.time;
        let part = if span > 0.0 {
            ((time - before.time) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        Some(before.poses.get(body)?.toward(after.poses.get(body)?, part))
    }
}

impl BodyPose {
    /// The pose of a frame.
    pub fn of(pose: &contact_geometry::math::Pose) -> BodyPose {
        BodyPose {
            position: pose.position.into(),
            orientation: quaternion(&pose.rotation),
        }
    }

    /// The pose a part of the way to another one, in 0..=1; the turn by the shorter way, normalised
    /// after linear interpolation.
    fn toward(&self, other: &BodyPose, part: f64) -> BodyPose {
        let dot: f64 = (0..4)
            .map(|i| self.orientation[i] * other.orientation[i])
            .sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let turned = [0, 1, 2, 3].map(|i| mix(self.orientation[i], sign * other.orientation[i]));
        let norm = turned.iter().map(|c| c * c).sum::<f64>().sqrt();
        BodyPose {
            position: [0, 1, 2].map(|i| mix(self.position[i], other.position[i])),
            orientation: turned.map(|c| c / norm),
        }
    }
}

/// Makes frames of an instance of an FMU.
pub(super) struct FrameMaker {
    states: StateReader,
    twin: Instance,
    known: BTreeMap<PairId, usize>,
}

impl FrameMaker {
    /// Makes frames of an instance of this interface type.
    ///
    /// # Errors
    /// An FMU that is not of this program, or of another version; one that cannot save its state.
    pub fn new(instance: &LiveInstance, kind: Kind) -> Result<FrameMaker, HostError> {
        let library = instance.library();
        let refuse = |reason: String| {
            HostError::Run(format!(
                "a replay shows FMUs of this version of fmu-build only: {reason}"
            ))
        };
        let resources = lifecycle::open(library.folder()).map_err(refuse)?;
        let options = Options {
            standard: library.standard(),
            kind,
            event_mode_used: true,
            early_return_allowed: false,
        };
        let twin = Instance::new(options, resources, Log::new(None, false));
        Ok(FrameMaker {
            states: StateReader::new(library)?,
            twin: twin.map_err(|failure| refuse(failure.message))?,
            known: BTreeMap::new(),
        })
    }

    /// Room for the frames of a run.
    pub fn frames(&self) -> Frames {
        let bodies = self.twin.scene().bodies().iter();
        Frames::new(bodies.filter(|body| !body.is_fixed()).count())
    }

    /// Takes over the present state of an instance.
    ///
    /// # Errors
    /// A call that fails; a state that is not one of this scene.
    pub fn look(&mut self, instance: &LiveInstance, time: f64) -> Result<Look, HostError> {
        let refuse = |failure: Failure| {
            HostError::Run(format!(
                "no frame for the replay at {time} s: {}",
                failure.message
            ))
        };
        let bytes = self.states.read(instance)?;
        let twin = &mut self.twin;
        let state = twin.state_from_bytes(bytes).map_err(refuse)?;
        twin.set_state(&state).map_err(refuse)?;
        let mut poses = Vec::with_capacity(twin.scene().bodies().len());
        twin.each_pose(|pose| poses.push(BodyPose::of(pose)))
            .map_err(refuse)?;
        let mut contacts = Vec::new();
        twin.each_contact_force(|contact| contacts.push(contact))
            .map_err(refuse)?;
        let energies = twin.energies().map_err(refuse)?;
        Ok(Look {
            time,
            poses,
            contacts,
            energies: [energies.kinetic, energies.potential, energies.elastic],
        })
    }

    /// Adds what was seen as the frame of a row.
    pub fn add(&mut self, frames: &mut Frames, look: Look, row: usize) {
        let (scene, known) = (self.twin.scene(), &mut self.known);
        let contacts = look.contacts.into_iter().map(|contact| {
            let name = || scene.pair_name(contact.pair);
            let pair = frames.pair(name, known.get(&contact.pair).copied());
            known.insert(contact.pair, pair);
            FrameContact {
                pair,
                point: contact.point_w,
                force: contact.force_w,
            }
        });
        let contacts = contacts.collect();
        frames.push(Frame {
            time: look.time,
            row,
            poses: look.poses,
            contacts,
            energies: Some(look.energies),
        });
    }
}

/// What is seen of an instance at one time.
pub(super) struct Look {
    time: f64,
    poses: Vec<BodyPose>,
    contacts: Vec<ContactForce>,
    energies: [f64; 3],
}

/// Leaves the contacts with the largest forces. Returns how many are left out.
fn keep_strongest(contacts: &mut Vec<FrameContact>) -> usize {
    let left_out = contacts.len().saturating_sub(MOST_CONTACTS);
    if left_out > 0 {
        let size = |contact: &FrameContact| contact.force.norm_squared();
        contacts.sort_by(|a, b| size(b).total_cmp(&size(a)));
        contacts.truncate(MOST_CONTACTS);
    }
    left_out
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(row: usize) -> Frame {
        Frame {
            time: row as f64,
            row,
            poses: vec![BodyPose {
                position: [row as f64, 0.0, 0.0],
                orientation: [1.0, 0.0, 0.0, 0.0],
            }],
            contacts: Vec::new(),
            energies: None,
        }
    }

    fn of_rows(rows: usize, moving: usize) -> Frames {
        let mut frames = Frames::new(moving);
        for _ in 0..rows {
            if let Some(row) = frames.next_row() {
                frames.push(frame(row));
            }
        }
        if let Some(row) = frames.last_row() {
            frames.push(frame(row));
        }
        frames
    }

    #[test]
    fn a_long_run_keeps_rows_at_equal_distances_and_the_last_one() {
        for (rows, most) in [(1, 200), (200, 200), (201, 200), (1000, 200), (1601, 200)] {
            let frames = of_rows(rows, MOST_POSES / most);
            let kept: Vec<usize> = frames.list.iter().map(|f| f.row).collect();
            assert!(kept.len() <= most + 1, "{rows} rows: {}", kept.len());
            assert!(
                rows <= most || kept.len() > most / 2,
                "{rows} rows: {}",
                kept.len()
            );
            assert_eq!((kept[0], *kept.last().unwrap()), (0, rows - 1));
            let (all, last) = (&kept[..kept.len() - 1], kept[kept.len() - 1]);
            assert!(
                all.windows(2)
                    .all(|pair| pair[1] - pair[0] == frames.stride)
            );
            let gap = last - all.last().copied().unwrap_or(last);
            assert!(gap <= frames.stride);
        }
    }

    #[test]
    fn poses_between_frames_lie_between_and_turn_the_shorter_way() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let mut frames = of_rows(3, 1);
        // A quarter turn about z, written with the other sign.
        frames.list[1].poses[0].orientation = [-half, 0.0, 0.0, -half];
        let pose = frames.poses_at(0.5).unwrap()[0];
        assert_eq!(pose.position, [0.5, 0.0, 0.0]);
        let eighth = std::f64::consts::PI / 8.0;
        assert!((pose.orientation[0] - eighth.cos()).abs() < 1e-15);
        assert!((pose.orientation[3] - eighth.sin()).abs() < 1e-15);
        assert_eq!(frames.poses_at(-1.0).unwrap()[0].position[0], 0.0);
        assert_eq!(frames.poses_at(9.0).unwrap()[0].position[0], 2.0);
        assert_eq!(frames.poses_at(1.0).unwrap()[0].position[0], 1.0);
    }

    #[test]
    fn of_very_many_contacts_the_strongest_are_kept() {
        let contact = |i: usize| FrameContact {
            pair: i,
            point: Vec3::zeros(),
            force: Vec3::new(i as f64, 0.0, 0.0),
        };
        let mut contacts: Vec<FrameContact> = (0..MOST_CONTACTS + 7).map(contact).collect();
        assert_eq!(keep_strongest(&mut contacts), 7);
        assert!(contacts.iter().all(|contact| contact.pair >= 7));
    }
}
