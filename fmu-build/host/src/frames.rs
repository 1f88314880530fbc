//! Frames of a run for its replay: poses of all bodies, contact forces and energies at rows of the result.
//! `states` creates them.

use contact_geometry::math::{Vec3, quaternion};

/// Maximum number of poses of moving bodies in all frames: a page of some 10 MB.
const MOST_POSES: usize = 200_000;
/// Minimum and maximum number of frames, for any number of bodies.
const FRAMES: (usize, usize) = (100, 4000);
/// Maximum number of contacts kept per frame, those with the largest forces.
const MOST_CONTACTS: usize = 1000;

/// Pose of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Origin [m].
    pub position: [f64; 3],
    /// Unit quaternion (w, x, y, z), body to world.
    pub orientation: [f64; 4],
}

/// Contact in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameContact {
    /// Index of its pair in [`Frames::pairs`].
    pub pair: usize,
    /// Point of application [m].
    pub point: Vec3,
    /// Force on the second body of the pair, world axes [N].
    pub force: Vec3,
}

/// Scene at one row of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time [s].
    pub time: f64,
    /// Row, from 0.
    pub row: usize,
    /// Poses of all bodies, in scene order.
    pub poses: Vec<BodyPose>,
    /// Contacts with a force.
    pub contacts: Vec<FrameContact>,
    /// Kinetic, potential and elastic energy [J], if known.
    pub energies: Option<[f64; 3]>,
}

/// Frames of a run. A long run keeps every second row, every fourth ..., and the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// Frames, by time.
    pub list: Vec<Frame>,
    /// Names of the pairs that have touched, `body.shape:body.shape`.
    pub pairs: Vec<String>,
    /// Rows from one frame to the next.
    pub stride: usize,
    /// Number of contacts with small forces that were dropped.
    pub left_out: usize,
    most: usize,
    rows: usize,
}

impl Frames {
    /// Empty list for this number of moving bodies.
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

    /// Counts a row. Returns its number for [`Self::push`] if its frame is to be kept.
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

    /// Number of the last row for [`Self::push`], if its frame was not kept.
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

    /// Index of the pair with this name; a new one at its first contact.
    pub(crate) fn pair(&mut self, name: impl FnOnce() -> String, known: Option<usize>) -> usize {
        known.unwrap_or_else(|| {
            self.pairs.push(name());
            self.pairs.len() - 1
        })
    }

    /// Poses at a time [s], interpolated between frames, constant beyond the first and last. `None` without
    /// frames.
    pub fn poses_at(&self, time: f64) -> Option<Vec<BodyPose>> {
        let bodies = 0..self.list.first()?.poses.len();
        bodies.map(|body| self.pose_at(time, body)).collect()
    }

    /// Pose of one body at a time [s], as in [`Self::poses_at`].
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
    pub(crate) fn of(pose: &contact_geometry::math::Pose) -> BodyPose {
        BodyPose {
            position: pose.position.into(),
            orientation: quaternion(&pose.rotation),
        }
    }

    /// Pose interpolated towards another one by a fraction in 0..=1: positions linearly, orientations
    /// linearly along the shorter way and normalised.
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

/// Keeps the contacts with the largest forces. Returns the number of others.
fn keep_strongest(contacts: &mut Vec<FrameContact>) -> usize {
    let left_out = contacts.len().saturating_sub(MOST_CONTACTS);
    if left_out > 0 {
        let size = |contact: &FrameContact| contact.force.norm_squared();
        contacts.sort_by(|a, b| size(b).total_cmp(&size(a)));
        contacts.truncate(MOST_CONTACTS);
    }
    left_out
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
