//! Sparsification of the contacts of two bodies that consist of several convex parts.
//!
//! Parts of a large contact beside small ones, and points at the same place, make the contact of
//! two bodies ill-conditioned. Of the new contacts (T. Koziara, Solfec-1.0, contact sparsification,
//! 2019) are dropped
//! 1. those of less than a smallest area,
//! 2. those of less than a part of the area of an adjacent contact,
//! 3. of those closer than a smallest distance, by the largest coordinate of their difference, all
//!    but one. The published `mindist` is half of this distance.
//!
//! Published is a loop that drops while it goes on, so that the result depends on the order. Here
//! the second rule compares with all contacts, dropped or not, and the third one keeps contacts by
//! age, then area, then coordinates. So the set that is kept depends on the contacts alone. Contacts
//! that are not new stay; for the rules they are as good as others.

use super::GEOMETRIC_EPSILON;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::AddAssign;

/// When contacts are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sparsification {
    /// Smallest area relative to that of an adjacent contact [1], 0..1.
    pub threshold: f64,
    /// Smallest area [m^2].
    pub smallest_area: f64,
    /// Distance within which there is one contact [m].
    pub smallest_distance: f64,
}

impl Sparsification {
    /// Less than a hundredth of an adjacent contact, and the same place to the geometric epsilon,
    /// as published.
    pub const DEFAULT: Sparsification = Sparsification {
        threshold: 0.01,
        smallest_area: 0.0,
        smallest_distance: 2.0 * GEOMETRIC_EPSILON,
    };
}

/// One of the contacts of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Area [m^2].
    pub area: f64,
    /// Contact point [m], in any frame that all share.
    pub point: Vec3,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// How many contacts are kept and dropped; one that more than one rule drops counts for the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Kept.
    pub kept: usize,
    /// Dropped by their own area.
    pub small: usize,
    /// Dropped by the area of an adjacent one.
    pub minor: usize,
    /// Dropped as close to another one.
    pub close: usize,
}

impl Statistics {
    /// Number of all, kept and dropped.
    pub fn found(&self) -> usize {
        self.kept + self.small + self.minor + self.close
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.kept += other.kept;
        self.small += other.small;
        self.minor += other.minor;
        self.close += other.close;
    }
}

/// Finds which contacts of two bodies are kept; `adjacent` tells of two indices whether their parts
/// are neighbours on one of the bodies, or the same. Writes the kept indices to `kept`, ascending.
pub fn sparsify(
    contacts: &[Candidate],
    rules: &Sparsification,
    adjacent: impl Fn(usize, usize) -> bool,
    kept: &mut Vec<usize>,
) -> Statistics {
    let mut found = Statistics::default();
    kept.clear();
    for (i, contact) in contacts.iter().enumerate() {
        let outdone = |(j, other): (usize, &Candidate)| {
            j != i && contact.area < rules.threshold * other.area && adjacent(i, j)
        };
        if !contact.is_new {
            kept.push(i);
        } else if contact.area < rules.smallest_area {
            found.small += 1;
        } else if contacts.iter().enumerate().any(outdone) {
            found.minor += 1;
        } else {
            kept.push(i);
        }
    }
    kept.sort_unstable_by(|i, j| order(&contacts[*i], &contacts[*j]));
    let mut count = 0;
    for place in 0..kept.len() {
        let contact = &contacts[kept[place]];
        let is_close = |other: &usize| {
            (contacts[*other].point - contact.point).amax() < rules.smallest_distance
        };
        if contact.is_new && kept[..count].iter().any(is_close) {
            found.close += 1;
        } else {
            kept[count] = kept[place];
            count += 1;
        }
    }
    kept.truncate(count);
    kept.sort_unstable();
    found.kept = count;
    found
}

/// Which of two contacts is kept first. Two that are equal by this are equal.
fn order(a: &Candidate, b: &Candidate) -> Ordering {
    let by_age = a.is_new.cmp(&b.is_new);
    let by_area = || b.area.total_cmp(&a.area);
    let by_coordinate = |i: usize| a.point[i].total_cmp(&b.point[i]);
    by_age
        .then_with(by_area)
        .then_with(|| by_coordinate(0))
        .then_with(|| by_coordinate(1))
        .then_with(|| by_coordinate(2))
}
