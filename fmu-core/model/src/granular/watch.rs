//! When which pair may touch.
//!
//! The list has all pairs nearer than a reach, [Allen, Tildesley 2017] section 5.3, and is made anew
//! when a point may have moved by half of that. The odometer is the sum of the largest ways of any
//! point over the steps since then: a gap g cannot close before it has gone on by g/2. So a pair
//! out of contact is looked at no sooner: it waits in the bucket of a ring that the odometer
//! reaches then, and is looked at in each step only where it may touch within the present bucket. Balls
//! that fly far from all others cost no look at all. What is found does not depend on when the
//! list was made: a contact starts in the first step in which its rule says so.

use crate::broad_phase::{Cells, Neighbours};
use crate::dynamics::Model;
use crate::granular::grains::NO_GRAIN;
use crate::granular::surroundings::Surroundings;
use contact_laws::index::PairId;

/// Buckets of the way that a list lasts, half of the reach.
const BUCKETS: usize = 128;
/// Added to each way for its rounding [1].
const ROUNDING: f64 = 1e-9;

/// The list and its clock.
#[derive(Clone, Debug)]
pub struct Watch {
    cells: Cells,
    reach: f64,
    /// Way over a bucket [m].
    quantum: f64,
    /// Way since the list was made [m]; infinite before the first.
    odometer: f64,
    list: Vec<Neighbours>,
    /// Round grains of each pair and the sum of their radii [m]; [`NO_GRAIN`] twice of others.
    balls: Vec<([u32; 2], f64)>,
    /// Places in the list of pairs that are looked at in each step.
    near: Vec<u32>,
    /// Those that are looked at now.
    due: Vec<u32>,
    /// Those that wait, by the bucket in which the odometer is when they may touch; behind the last
    /// a new list is made before.
    ring: Vec<Vec<u32>>,
    /// Buckets that the odometer has passed.
    passed: usize,
    /// Lists made so far.
    pub lists: u64,
}

impl Watch {
    /// No list is made yet.
    pub fn new(model: &Model, around: &Surroundings) -> Self {
        let cells = Cells::new(&model.scene, &around.placed(model));
        let reach = cells.typical_reach();
        Watch {
            reach,
            quantum: 0.5 * reach / BUCKETS as f64,
            cells,
            odometer: f64::INFINITY,
            list: Vec::new(),
            balls: Vec::new(),
            near: Vec::new(),
            due: Vec::new(),
            ring: vec![Vec::new(); BUCKETS + 1],
            passed: 0,
            lists: 0,
        }
    }

    /// Notes how far a point has moved at most [m].
    pub fn note_way(&mut self, way: f64) {
        self.odometer += way * (1.0 + ROUNDING);
    }

    /// Forgets the list.
    pub fn forget(&mut self) {
        self.odometer = f64::INFINITY;
    }

    /// Writes the pairs that begin to touch, ascending, with their places in the list. `held` tells
    /// the pairs in contact, ascending; it is asked if a new list is made, and true is returned
    /// then: places are other ones.
    pub fn look(
        &mut self,
        model: &Model,
        around: &Surroundings,
        held: impl FnOnce() -> Vec<PairId>,
        started: &mut Vec<(u32, Neighbours)>,
    ) -> bool {
        // A way that is no number makes it stale, too.
        let stale = !matches!(self.odometer, way if way < 0.5 * self.reach);
        if stale {
            self.make(model, around, &held());
        }
        started.clear();
        let now = (self.odometer / self.quantum) as usize;
        std::mem::swap(&mut self.near, &mut self.due);
        for bucket in self.passed + 1..=now {
            self.due.append(&mut self.ring[bucket]);
        }
        self.passed = now;
        let rule = model.scene.contact().law.rule;
        for place in self.due.drain(..) {
            let gap = match &self.balls[place as usize] {
                ([NO_GRAIN, _], _) => around.gap(model, self.list[place as usize].shapes),
                (grains, radii) => around.gap_of_balls(*grains, *radii),
            };
            if rule.indicator(gap, false) <= 0.0 {
                started.push((place, self.list[place as usize]));
                continue;
            }
            let bucket = ((self.odometer + 0.5 * gap) / self.quantum) as usize;
            if bucket <= now {
                self.near.push(place);
            } else if let Some(waiting) = self.ring.get_mut(bucket) {
                waiting.push(place);
            }
        }
        started.sort_unstable_by_key(|(_, pair)| pair.pair);
        stale
    }

    /// A pair of the list has ended its contact.
    pub fn release(&mut self, place: u32) {
        self.near.push(place);
    }

    /// Place in the list of a pair; none if it is not there.
    pub fn place(&self, pair: PairId) -> Option<u32> {
        let found = self.list.binary_search_by_key(&pair, |other| other.pair);
        found.ok().map(|place| place as u32)
    }

    fn make(&mut self, model: &Model, around: &Surroundings, held: &[PairId]) {
        self.lists += 1;
        (self.odometer, self.passed) = (0.0, 0);
        self.near.clear();
        self.ring.iter_mut().for_each(Vec::clear);
        let (list, balls, near) = (&mut self.list, &mut self.balls, &mut self.near);
        list.clear();
        balls.clear();
        let mut held = held.iter().copied().peekable();
        let (reach, placed) = (self.reach, around.placed(model));
        self.cells.gather(&model.scene, &placed, reach, |pair| {
            while held.next_if(|other| *other < pair.pair).is_some() {}
            if held.next_if_eq(&pair.pair).is_none() {
                near.push(list.len() as u32);
            }
            list.push(pair);
            balls.push(around.balls(model, pair.shapes));
        });
    }
}
