//! Angles at which the ends of the pieces of the generators change their planes.
//!
//! Four kinds: on a rim a depth is zero, or the two least depths are equal; inside, the edge of B
//! where two depths are zero, or the line where the three least are equal, meets the surface. A
//! rim gives a cos phi + b sin phi = c, a line a quadratic equation.
//!
//! The integral over phi is continuous there, so its derivative by the pose needs no derivative of
//! the angles; they are plain numbers.

use super::field::Depth;
use super::tube::Tube;
use crate::math::Vec3;
use crate::math::transcendental::atan2;
use std::f64::consts::FRAC_PI_2;

/// Found angles, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Breaks {
    angles: Vec<f64>,
}

/// A candidate whose depth is this much [relative to the size of the surface] off the least one, or
/// below zero, is no break: a missed one is no larger than that, a superfluous one does no harm.
const TOLERANCE: f64 = 1e-10;

/// Angles [rad] that differ by less are one: a lying cylinder has the same break on both rims. What
/// is divided at the wrong place by this much is wrong by its square.
const SAME: f64 = 1e-12;

impl Breaks {
    /// Room for those of so many planes.
    pub fn reserve(&mut self, planes: usize) {
        self.angles.reserve(16 * planes);
    }

    /// Angles in ascending order, with both ends of the range where it is not closed.
    pub fn find(&mut self, tube: &Tube, depths: &[Depth]) -> &[f64] {
        self.angles.clear();
        if !tube.closed {
            self.angles.extend([-FRAC_PI_2, FRAC_PI_2]);
        }
        let mut search = Search {
            tube,
            depths,
            tolerance: TOLERANCE * (tube.radius_at(tube.z[0]) + tube.radius_at(tube.z[1])),
            angles: &mut self.angles,
        };
        for (i, one) in depths.iter().enumerate() {
            search.rims(one, None);
            for (j, two) in depths.iter().enumerate().skip(i + 1) {
                let differ = two.beyond(one);
                search.rims(&differ, Some(one));
                search.line(one, two, None);
                for three in &depths[j + 1..] {
                    search.line(&differ, &three.beyond(one), Some(one));
                }
            }
        }
        self.angles.sort_unstable_by(f64::total_cmp);
        self.angles.dedup_by(|next, kept| *next - *kept < SAME);
        &self.angles
    }
}

struct Search<'a> {
    tube: &'a Tube,
    depths: &'a [Depth],
    tolerance: f64,
    angles: &'a mut Vec<f64>,
}

impl Search<'_> {
    /// Adds the angle of a point where the least depth is that of `level`, or zero.
    fn add(&mut self, p: &Vec3, level: Option<&Depth>) {
        let least = level.map_or(0.0, |depth| depth.at(p)).max(0.0) - self.tolerance;
        if level.is_some_and(|depth| depth.at(p) < -self.tolerance) {
            return;
        }
        if self.depths.iter().all(|depth| depth.at(p) >= least) {
            let angle = atan2(p.y, p.x);
            if self.tube.closed || angle.abs() < FRAC_PI_2 - SAME {
                self.angles.push(angle);
            }
        }
    }

    /// Points of both rims where a depth is zero.
    fn rims(&mut self, depth: &Depth, level: Option<&Depth>) {
        let across = depth.across();
        if across == 0.0 {
            return;
        }
        let up = [depth.slope.x / across, depth.slope.y / across];
        for z in self.tube.z {
            let r = self.tube.radius_at(z);
            let (middle, reach) = (depth.c + depth.slope.z * z, r * across);
            if middle.abs() >= reach {
                continue;
            }
            let cos = -middle / reach;
            let sin = ((reach - middle) * (reach + middle)).sqrt() / reach;
            for sin in [sin, -sin] {
                let x = r * (up[0] * cos - up[1] * sin);
                let y = r * (up[1] * cos + up[0] * sin);
                self.add(&Vec3::new(x, y, z), level);
            }
        }
    }

    /// Points of the surface on the line where two depths are zero.
    fn line(&mut self, one: &Depth, two: &Depth, level: Option<&Depth>) {
        let along = one.slope.cross(&two.slope);
        let length2 = along.norm_squared();
        if length2 < f64::EPSILON * one.slope.norm_squared() * two.slope.norm_squared() {
            return;
        }
        let foot = (two.slope.cross(&along) * -one.c + along.cross(&one.slope) * -two.c) / length2;
        let Tube { radius, slope, .. } = *self.tube;
        // x^2 + y^2 = (radius + slope z)^2 along foot + t along.
        let r = radius + slope * foot.z;
        let grows = slope * along.z;
        let a = along.x * along.x + along.y * along.y - grows * grows;
        let b = along.x * foot.x + along.y * foot.y - grows * r;
        let c = foot.x * foot.x + foot.y * foot.y - r * r;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 {
            return;
        }
        let q = -(b + discriminant.sqrt().copysign(b));
        for t in [q / a, c / q] {
            let p = foot + along * t;
            let [low, high] = self.tube.z;
            let inside = p.z > low && p.z < high && self.tube.radius_at(p.z) > 0.0;
            if t.is_finite() && inside {
                self.add(&p, level);
            }
        }
    }
}
