//! The box around all common points of two bodies, and the faces that matter in it.
//!
//! The pressure is the least l_i of all faces, so it is nowhere above P, the least over all faces of the
//! largest l_i in the box, and a face whose l_i is above P everywhere in the box is never the least. A common
//! point has l_i >= 0 for every face, so with its best corner in the box, l_i there and the gradient g, the
//! box has no common point farther than l_i/|g_k| from that corner along axis k: the box shrinks face by
//! face, which lowers P, and so on. Where two faces lie on each other, at an angle to the axes of the box,
//! their mean, which is not below the lesser one, is lower in the box than both.

use crate::math::{Real, Vec3};
use crate::narrow_phase::area::candidates::{NEAR, middle};
use crate::narrow_phase::area::planes::Linear;
use crate::shapes::Aabb;

/// Box by its centre, with a margin for what only touches it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) center: Vec3,
    pub(super) half: Vec3,
    spare: f64,
}

const SWEEPS: usize = 2;

impl Around {
    pub(super) fn new(bounds: &Aabb) -> Self {
        let (center, half) = middle(bounds);
        let spare = NEAR * (center.norm() + half.norm());
        Around {
            center,
            half: half.add_scalar(spare),
            spare,
        }
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb {
            lower: self.center - self.half,
            upper: self.center + self.half,
        }
    }

    /// Shrinks it to the points where a function is not negative; returns false if there are none.
    #[inline(always)]
    pub(super) fn shrink(&mut self, of: &Linear) -> bool {
        of.shrink(&mut self.center, &mut self.half, self.spare) >= 0.0
    }

    /// Shrinks it to the points where no function is negative; returns false if there are none.
    pub(super) fn shrink_all(&mut self, all: impl Iterator<Item = Linear> + Clone) -> bool {
        (0..SWEEPS).all(|_| all.clone().all(|of| self.shrink(&of)))
    }

    /// Range of a function in it.
    #[inline(always)]
    pub(super) fn range(&self, of: &Linear) -> [f64; 2] {
        let (middle, off) = of.range(&self.center, &self.half);
        [middle - off, middle + off]
    }

    /// Upper bound of the least of the pressures of two bodies.
    pub(super) fn bound<T: Real>(&self, faces: [&[Linear<T>]; 2]) -> f64 {
        let mut bound = f64::INFINITY;
        let least = faces.map(|faces| {
            let mut least = None;
            let mut lowest = f64::INFINITY;
            for face in faces.iter().map(Linear::values) {
                bound = bound.min(self.range(&face)[1]);
                let middle = face.at(&self.center);
                if middle < lowest {
                    (least, lowest) = (Some(face), middle);
                }
            }
            least
        });
        if let [Some(one), Some(two)] = least {
            let [k_1, k_2] = [one, two].map(|face| face.gradient.norm());
            let mean = Linear {
                gradient: (one.gradient * k_2 + two.gradient * k_1) / (k_1 + k_2),
                at_0: (one.at_0 * k_2 + two.at_0 * k_1) / (k_1 + k_2),
            };
            bound = bound.min(self.range(&mean)[1]);
        }
        bound
    }

    /// Distance from the origin that contains it.
    pub(super) fn reach(&self) -> f64 {
        self.center.norm() + self.half.norm()
    }

    pub(super) fn contains(&self, point: &Vec3) -> bool {
        let off = (point - self.center).abs() - self.half;
        off.max() <= 0.0
    }
}
