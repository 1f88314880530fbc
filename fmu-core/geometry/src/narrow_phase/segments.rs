//! Two segments: the cores of two capsules. Closed form.
//!
//! With a and b the unit axes, w from the centre of 1 to that of 2, s and t the coordinates along the axes
//! and r(s, t) = w + t b - s a, the distance is the minimum of |r| over |s| <= half_1, |t| <= half_2: a
//! quadratic form over a rectangle. Without the bounds and with c = a x b it is at s = (w x b).c/c.c, t = (w
//! x a).c/c.c, which loses no digits where the segments are nearly parallel; where they are parallel the
//! middle of the overlap is taken.
//!
//! The normal is r/|r|. Where the segments pass each other so closely that r has no direction it is +-c/|c|,
//! to the side of r. Crossing exactly: +c/|c|. Collinear and overlapping: the x axis of the
//! first. The distance then is n.r, which has a derivative everywhere.
//!
//! Near parallel the nearest points run from end to end of the overlap within hardly any angle, and a contact
//! point must not ([`soft`]). So within [`NEARLY_PARALLEL`] the contact point minimises |r|^2/2 + mu/2 (v -
//! v_m)^2, v = (s +- t)/2, v_m the middle of the overlap and mu = 2 (r_1 + r_2) BLEND/(length of the shorter
//! segment): the middle where parallel, the end of a full overlap from [`BLEND`] on, and never more than that
//! times the overlap less deep than the deepest point. mu fades to zero at [`NEARLY_PARALLEL`]. Gap and
//! normal stay exact.
//!
//! [`soft`]: crate::shapes::strata

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::proximity::Proximity;
use crate::shapes::strata::BLEND;
use crate::shapes::{Core, RoundedShape, Segment};
use serde::{Deserialize, Serialize};

/// Features at which two segments are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meeting {
    ends: EndPair,
    normal: Normal,
}

/// Active bound of each coordinate: -1, 1, or 0 for none.
type EndPair = [i8; 2];

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Normal {
    Difference,
    /// The cross product c, times the sign.
    Cross(f64),
    /// The x axis of 1.
    Aside,
}

/// Sine of the angle between the segments below which the contact point is blended. The nearest points move
/// by |r|/angle^2 [m/rad], so beyond this angle they are slower than within the blend.
const NEARLY_PARALLEL: f64 = 0.03;

/// Sine of the angle below which c is rounding.
const PARALLEL: f64 = 1e-14;

/// Distance below which r is rounding, relative to the sum of the half lengths.
const CROSSING: f64 = 1e-14;

/// Lower bound of the sum of radii in mu, relative to the sum of the half lengths: thinner capsules are
/// blended over a larger angle.
const LEAST_RADIUS: f64 = 1e-3;

#[inline(always)]
pub(super) fn meeting(core_1: &Core, pose_1: &Pose, core_2: &Core, pose_2: &Pose) -> Meeting {
    let halves = [half_length(core_1), half_length(core_2)];
    let lines = Lines::new(pose_1, pose_2);
    let form = lines.distance_form(halves);
    let ends = form.ends(halves);
    let r = lines.difference(form.place(halves, ends));
    let (squared, size) = (r.dot(&r), halves[0] + halves[1]);
    let side = |v: &Vec3| if lines.cross.dot(v) < 0.0 { -1.0 } else { 1.0 };
    let skew = lines.sine_squared > PARALLEL * PARALLEL;
    let normal = if ends == [0, 0] && skew && squared < lines.sine_squared * (size * size) {
        Normal::Cross(side(&r))
    } else if squared > (CROSSING * size) * (CROSSING * size) {
        Normal::Difference
    } else if skew {
        Normal::Cross(side(&lines.between))
    } else {
        Normal::Aside
    };
    Meeting { ends, normal }
}

/// [`solve`] at the [`meeting`], in one function: both begin with the same products.
#[inline(never)]
pub(super) fn query<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
) -> Proximity<T> {
    let values = [pose_1.values(), pose_2.values()];
    let meeting = meeting(&shape_1.core, &values[0], &shape_2.core, &values[1]);
    solve(shape_1, pose_1, shape_2, pose_2, &meeting)
}

#[inline(always)]
pub(super) fn solve<T: Real>(
    shape_1: &RoundedShape,
    pose_1: &Pose<T>,
    shape_2: &RoundedShape,
    pose_2: &Pose<T>,
    meeting: &Meeting,
) -> Proximity<T> {
    let halves = [half_length(&shape_1.core), half_length(&shape_2.core)];
    let radii = shape_1.radius + shape_2.radius;
    let lines = Lines::new(pose_1, pose_2);
    let place = lines.distance_form(halves).place(halves, meeting.ends);
    let r = lines.difference(place);
    let (distance, normal_w) = match meeting.normal {
        Normal::Difference => {
            let distance = norm(&r);
            (distance, r / distance)
        }
        Normal::Cross(side) => {
            let normal = lines.cross * (T::from(side) / lines.sine_squared.sqrt());
            (normal.dot(&r), normal)
        }
        Normal::Aside => {
            let normal: Vec3<T> = pose_1.rotation.column(0).into();
            (normal.dot(&r), normal)
        }
    };
    let gap = distance - radii;
    let mut on_1 = lines.a * place[0] + normal_w * T::from(shape_1.radius);
    if lines.sine_squared.value() < NEARLY_PARALLEL * NEARLY_PARALLEL {
        // The blended contact point, at the height of the exact one.
        let form = lines.blended_form(halves, radii);
        let [s, t] = form.place(halves, form.ends(halves));
        let middle = (lines.a * s + lines.between + lines.b * t) * T::from(0.5);
        let height = normal_w.dot(&(on_1 - middle));
        on_1 = middle + normal_w * height;
    }
    let point_1 = pose_1.position + on_1;
    Proximity {
        gap,
        normal_w,
        points_w: [point_1, point_1 + normal_w * gap],
    }
}

#[inline(always)]
fn half_length(core: &Core) -> f64 {
    match core {
        Core::Segment(Segment { half }) => *half,
        _ => 0.0,
    }
}

/// Two lines seen from the centre of the first segment, in world axes.
struct Lines<T: Real> {
    a: Vec3<T>,
    b: Vec3<T>,
    /// w [m].
    between: Vec3<T>,
    /// c; its length is the sine of the angle.
    cross: Vec3<T>,
    sine_squared: T,
    cosine: T,
    /// a.w and b.w [m].
    along: [T; 2],
}

impl<T: Real> Lines<T> {
    #[inline(always)]
    fn new(pose_1: &Pose<T>, pose_2: &Pose<T>) -> Self {
        let a: Vec3<T> = pose_1.rotation.column(2).into();
        let b: Vec3<T> = pose_2.rotation.column(2).into();
        let between = pose_2.position - pose_1.position;
        let cross = a.cross(&b);
        Lines {
            sine_squared: cross.dot(&cross),
            cosine: a.dot(&b),
            along: [a.dot(&between), b.dot(&between)],
            a,
            b,
            between,
            cross,
        }
    }

    #[inline(always)]
    fn difference(&self, [s, t]: [T; 2]) -> Vec3<T> {
        self.between + self.b * t - self.a * s
    }

    /// |r|^2/2.
    #[inline(always)]
    fn distance_form(&self, halves: [f64; 2]) -> Form<T> {
        let free = if self.sine_squared.value() > PARALLEL * PARALLEL {
            self.between.cross(&self.b).dot(&self.cross) / self.sine_squared
        } else {
            self.middle_of_overlap(halves)[0]
        };
        Form {
            own: T::one(),
            mixed: self.cosine,
            right: [self.along[0], -self.along[1]],
            free,
        }
    }

    /// |r|^2/2 + mu/2 (v - v_m)^2, for nearly parallel segments.
    #[inline(always)]
    fn blended_form(&self, halves: [f64; 2], radii: f64) -> Form<T> {
        let [s, t] = self.middle_of_overlap(halves);
        let fade = T::one() - self.sine_squared / (NEARLY_PARALLEL * NEARLY_PARALLEL);
        let radii = radii.max(LEAST_RADIUS * (halves[0] + halves[1]));
        let mu = fade * fade * (BLEND * radii / halves[0].min(halves[1]));
        // v = (s + sign t)/2.
        let sign = if self.cosine.value() < 0.0 { -1.0 } else { 1.0 };
        let pull = mu * (s + t * sign) * 0.25;
        let (own, mixed) = (mu * 0.25 + 1.0, self.cosine - mu * (0.25 * sign));
        let right = [self.along[0] + pull, pull * sign - self.along[1]];
        // own^2 - mixed^2, as a product and with 1 - |cosine| from the sine.
        let sum = self.cosine * sign + 1.0;
        let determinant = (self.sine_squared / sum + mu * 0.5) * sum;
        Form {
            own,
            mixed,
            right,
            free: (own * right[0] + mixed * right[1]) / determinant,
        }
    }

    /// Middle of each nearly parallel segment's overlap with the other; the nearer end without overlap.
    #[inline(always)]
    fn middle_of_overlap(&self, halves: [f64; 2]) -> [T; 2] {
        let middle = |own: usize, center: T| {
            let reach = self.cosine * halves[1 - own].copysign(self.cosine.value());
            (clamp(center - reach, halves[own]) + clamp(center + reach, halves[own])) * 0.5
        };
        [middle(0, self.along[0]), middle(1, -self.along[1])]
    }
}

/// Quadratic form own (s^2 + t^2)/2 - mixed s t - right.(s, t), own >= |mixed|.
struct Form<T: Real> {
    own: T,
    mixed: T,
    right: [T; 2],
    /// s of the unconstrained minimum.
    free: T,
}

impl<T: Real> Form<T> {
    /// Active bounds of the minimum within |s| <= halves\[0\], |t| <= halves\[1\].
    ///
    /// If t at the bound s is out of bounds too, the form decreases further along the bound of t, on which s
    /// then follows from t.
    #[inline(always)]
    fn ends(&self, halves: [f64; 2]) -> EndPair {
        let (own, mixed) = (self.own.value(), self.mixed.value());
        let [right_s, right_t] = self.right.map(Real::value);
        let free = self.free.value();
        let s = clamp(free, halves[0]);
        let t = (right_t + mixed * s) / own;
        if t.abs() <= halves[1] {
            return [end(free, halves[0]), 0];
        }
        let s = (right_s + mixed * clamp(t, halves[1])) / own;
        [end(s, halves[0]), end(t, halves[1])]
    }

    /// Coordinates of the minimum for these active bounds.
    #[inline(always)]
    fn place(&self, halves: [f64; 2], ends: EndPair) -> [T; 2] {
        let at = |i: usize| T::from(f64::from(ends[i]) * halves[i]);
        match ends {
            [_, 0] => {
                let s = if ends[0] == 0 { self.free } else { at(0) };
                [s, (self.right[1] + self.mixed * s) / self.own]
            }
            [0, _] => [(self.right[0] + self.mixed * at(1)) / self.own, at(1)],
            _ => [at(0), at(1)],
        }
    }
}

/// The bound that a coordinate [m] lies beyond.
#[inline(always)]
fn end(place: f64, half: f64) -> i8 {
    i8::from(place > half) - i8::from(place < -half)
}

#[inline(always)]
fn clamp<T: Real>(place: T, half: f64) -> T {
    if place.value().abs() <= half {
        place
    } else {
        T::from(half.copysign(place.value()))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/segments/tests.rs"]
mod tests;
