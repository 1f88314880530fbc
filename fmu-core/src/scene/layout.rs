//! Where each body's states lie in the state vector.
//!
//! Order: [free bodies in scene order | dissipated work]. A free body has 13 states:
//! position (3), orientation (4), velocity (3), angular velocity (3).

use std::ops::Range;

/// Number of states of a free body.
pub const FREE_BODY_STATES: usize = 13;

/// Offsets of the states; fixed when the scene is built.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StateLayout {
    offsets: Vec<Option<usize>>,
    work: Option<usize>,
    count: usize,
}

impl StateLayout {
    /// Layout of bodies, `free[i]` for each in scene order, with or without the work state.
    pub fn new(free: impl Iterator<Item = bool>, energy_balance: bool) -> Self {
        let mut count = 0;
        let offsets = free
            .map(|is_free| {
                is_free.then(|| {
                    let offset = count;
                    count += FREE_BODY_STATES;
                    offset
                })
            })
            .collect();
        let work = energy_balance.then_some(count);
        StateLayout {
            offsets,
            work,
            count: count + usize::from(energy_balance),
        }
    }

    /// Number of continuous states.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Index of the first state of a body; none for a fixed one.
    pub fn body(&self, body: usize) -> Option<usize> {
        self.offsets[body]
    }

    /// Position states of a free body whose first state is `offset`.
    pub fn position(offset: usize) -> Range<usize> {
        offset..offset + 3
    }

    /// Orientation states (w, x, y, z) of a free body whose first state is `offset`.
    pub fn orientation(offset: usize) -> Range<usize> {
        offset + 3..offset + 7
    }

    /// Velocity states of a free body whose first state is `offset`.
    pub fn velocity(offset: usize) -> Range<usize> {
        offset + 7..offset + 10
    }

    /// Angular velocity states (body axes) of a free body whose first state is `offset`.
    pub fn angular_velocity(offset: usize) -> Range<usize> {
        offset + 10..offset + 13
    }

    /// Index of the dissipated work, where the scene keeps an energy balance.
    pub fn work(&self) -> Option<usize> {
        self.work
    }
}
