//! Impulse path of a single contact: velocities u as functions of the normal impulse p_n.
//!
//! du/dp_n = W r with r_n = 1: a moving group of components has r = -m u/|u|, a group at rest follows
//! [`TouchResistance::holding`]: it sticks if the limit m allows that, otherwise it starts to slip in a
//! unique direction, in the plane the reversal of slip. Compression ends where u_n = 0; the work of the
//! normal impulse until then, integral of u_n dp_n, is W_c < 0. [Stronge 2000] ch. 4 and 5.
//!
//! Where all directions of motion are constant the path is a straight line with ends in closed form: always
//! in the plane, and after slip has stopped once. Else the formula of Dormand and Prince takes steps limited
//! to a fraction of |u|/|du/dp_n|, so that the direction, which turns ever faster as the speed goes to zero,
//! turns little in each; below [`STANDS`] of its scale a speed is zero. Ends within a step are found to the
//! last digits by repeating it with other lengths.
//!
//! With W positive semidefinite r.W r >= 0: while slip drives the contact together, du_n/dp_n < 0, slip slows
//! down by at least as much over m. So compression ends, even where it deepens at first (jamming).

use crate::impact::resistance::{Group, Six, Six2, TouchResistance};
use contact_geometry::math::real::powf;
use contact_geometry::math::{A2, A3, A4, A5, A6, B, E};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    Speed(f64),
    Impulse(f64),
    /// Work of the normal impulse since the start [J].
    Work(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub u: Six,
    pub p: Six,
    pub work: f64,
}

pub(super) struct Path<'a> {
    w: &'a Six2,
    resistance: &'a TouchResistance,
    /// Scale of the normal impulse [N s].
    impulse: f64,
    speeds: Six,
    rates: Six,
}

/// Speed of a group below which it is at rest, relative to its scale [1]; the relative error of impulses is
/// the same.
const STANDS: f64 = 1e-14;
/// Relative rate perpendicular to the direction of motion that is rounding [1].
const STRAIGHT: f64 = 1e-13;
/// Error of velocities in a step, relative to their scales [1].
const TOLERANCE: f64 = 1e-12;
/// Longest step relative to |u|/|du/dp_n| of any group [1].
const TURN: f64 = 0.3;
/// Step with which a group leaves rest while others turn, relative to their steps [1]; the initial relative
/// error of its direction.
const LEAVING: f64 = 1e-9;
/// Maximum number of steps of a path; some hundreds are usual.
const PATH_STEPS: usize = 20_000;
/// Maximum number of repetitions of a step to find its end; six are usual.
const END_STEPS: usize = 100;

impl<'a> Path<'a> {
    /// Path from the velocities `u` with u_n < 0, for an inverse mass with W_nn > 0.
    pub(super) fn new(w: &'a Six2, resistance: &'a TouchResistance, u: &Six) -> Self {
        let impulse = -u[0] / w[(0, 0)];
        let mut rates = Six::zeros();
        let normal = |g: Group| g.limit * g.size(&w.column(0).into_owned());
        rates[0] = w[(0, 0)] + resistance.groups().map(normal).sum::<f64>();
        let mut speeds = Six::zeros();
        speeds[0] = -u[0];
        for group in resistance.groups() {
            let along = |other: Group| {
                let part: f64 = group
                    .place()
                    .flat_map(|i| other.place().map(move |j| w[(i, j)] * w[(i, j)]))
                    .sum();
                part.sqrt() * other.limit
            };
            let own = group.size(&w.column(0).into_owned());
            let rate = own + resistance.groups().map(along).sum::<f64>();
            for i in group.place() {
                rates[i] = rate;
                speeds[i] = group.size(u) + rate * impulse;
            }
        }
        Path {
            w,
            resistance,
            impulse,
            speeds,
            rates,
        }
    }

    /// First end of a phase from `start` on; `None` if there is none, which takes a direction without
    /// inertia.
    pub(super) fn follow(&self, start: Point, end: End) -> Option<Point> {
        let mut point = start;
        let mut longest = 0.1 * self.impulse;
        for _ in 0..PATH_STEPS {
            // Where friction alone stops the contact, u_n and all else stop at the same instant.
            let slack = match end {
                End::Speed(_) => STANDS * self.speeds[0],
                End::Impulse(_) | End::Work(_) => 0.0,
            };
            if end.value(&point) >= -slack {
                end.snap(&mut point);
                return Some(point);
            }
            self.settle(&mut point.u);
            let r = self.impulses(&point.u, &point.u);
            let rate = self.w * r;
            if self.is_straight(&point.u, &rate) {
                point = self.along_line(&point, end, &r, &rate)?;
                continue;
            }
            let h = longest.min(self.longest(&point.u, &rate));
            let (next, error) = self.step(&point, h);
            let factor = 0.9 * powf(error.max(1e-5), -0.2);
            longest = h * factor.clamp(0.2, 5.0);
            if !error.is_finite() {
                return None;
            }
            if error > 1.0 {
                continue;
            }
            if end.value(&next) >= 0.0 {
                return Some(self.end_within(&point, h, end));
            }
            point = next;
        }
        None
    }

    /// Sets velocities to zero that are rounding.
    fn settle(&self, u: &mut Six) {
        for group in self.resistance.groups() {
            if group.size(u) <= STANDS * self.speeds[group.first] {
                for i in group.place() {
                    u[i] = 0.0;
                }
            }
        }
    }

    /// r at the velocities `u`; groups at rest in `start` remain so.
    fn impulses(&self, u: &Six, start: &Six) -> Six {
        let rests = |group: &Group| group.size(start) == 0.0;
        let mut r = Six::zeros();
        r[0] = 1.0;
        for group in self.resistance.groups().filter(|x| !rests(x)) {
            let size = group.size(u);
            if size > 0.0 {
                r -= group.of(u) * (group.limit / size);
            }
        }
        let b = self.w * r;
        r + self.resistance.holding(self.w, &b, 1.0, rests)
    }

    /// Returns true if no group changes its direction of motion.
    fn is_straight(&self, u: &Six, rate: &Six) -> bool {
        self.resistance.groups().all(|group| {
            let (u, rate) = (group.of(u), group.of(rate));
            let square = u.norm_squared();
            let across = match square > 0.0 {
                true => rate - u * (u.dot(&rate) / square),
                false => return true,
            };
            across.norm() <= STRAIGHT * self.rates[group.first]
        })
    }

    /// Straight line to the end of the phase or to where the next group comes to rest.
    fn along_line(&self, point: &Point, end: End, r: &Six, rate: &Six) -> Option<Point> {
        let normal = match rate[0].abs() > STRAIGHT * self.rates[0] {
            true => rate[0],
            false => 0.0,
        };
        let mut x = end.distance(point, normal);
        let mut stops = None;
        for group in self.resistance.groups() {
            let u = group.of(&point.u);
            let square = u.norm_squared();
            let until_rest = -square / u.dot(rate);
            if square > 0.0 && until_rest > 0.0 && until_rest < x {
                (x, stops) = (until_rest, Some(group));
            }
        }
        if !x.is_finite() {
            return None;
        }
        let mut next = Point {
            u: point.u + rate * x,
            p: point.p + r * x,
            work: point.work + (point.u[0] + 0.5 * rate[0] * x) * x,
        };
        match stops {
            Some(group) => {
                for i in group.place() {
                    next.u[i] = 0.0;
                }
            }
            None => end.snap(&mut next),
        }
        Some(next)
    }

    fn longest(&self, u: &Six, rate: &Six) -> f64 {
        let mut longest = f64::INFINITY;
        let mut leaves = false;
        for group in self.resistance.groups() {
            let (size, change) = (group.size(u), group.size(rate));
            if size > 0.0 {
                longest = longest.min(TURN * size / change);
            } else {
                leaves |= change > STRAIGHT * self.rates[group.first];
            }
        }
        match leaves {
            true => longest * LEAVING,
            false => longest,
        }
    }

    /// Point after a step h of the normal impulse, and its error relative to the tolerance.
    fn step(&self, point: &Point, h: f64) -> (Point, f64) {
        let start = &point.u;
        let mut slopes = [Six::zeros(); 7];
        let mut r = Six::zeros();
        let mut normal = 0.0;
        let rows: [&[f64]; 7] = [&[], &A2, &A3, &A4, &A5, &A6, &B];
        let mut u = *start;
        let mut p = point.p;
        for (stage, row) in rows.iter().enumerate() {
            u = *start;
            for (a, k) in row.iter().zip(&slopes) {
                u += k * (h * a);
            }
            let here = self.impulses(&u, start);
            slopes[stage] = self.w * here;
            if let Some(b) = B.get(stage) {
                r += here * *b;
                normal += u[0] * b;
            }
        }
        p += r * h;
        let mut error: f64 = 0.0;
        let mut estimate = Six::zeros();
        for (e, k) in E.iter().zip(&slopes) {
            estimate += k * (h * e);
        }
        for (x, scale) in estimate.iter().zip(&self.speeds) {
            if *scale > 0.0 {
                error = error.max(x.abs() / (TOLERANCE * scale));
            }
        }
        let work = point.work + normal * h;
        (Point { u, p, work }, error)
    }

    fn end_within(&self, point: &Point, h: f64, end: End) -> Point {
        let (mut found, _) = self.step(point, h);
        let mut ends = Bracket::new([0.0, h], [end.value(point), end.value(&found)]);
        for _ in 0..END_STEPS {
            if ends.values[1] == 0.0 {
                break;
            }
            let Some(x) = ends.next() else { break };
            let (next, _) = self.step(point, x);
            if ends.put(x, end.value(&next)) {
                found = next;
            }
        }
        end.snap(&mut found);
        found
    }
}

/// Bracket of a root for the Illinois rule, the lower value negative.
pub(super) struct Bracket {
    places: [f64; 2],
    /// A value retained twice is halved.
    pub(crate) values: [f64; 2],
    was_below: Option<bool>,
}

impl Bracket {
    pub(super) fn new(places: [f64; 2], values: [f64; 2]) -> Self {
        Bracket {
            places,
            values,
            was_below: None,
        }
    }

    /// Next abscissa; `None` if the bracket is down to rounding.
    pub(super) fn next(&self) -> Option<f64> {
        let ([low, high], [f_low, f_high]) = (self.places, self.values);
        let (width, last) = (high - low, 2.0 * f64::EPSILON * high);
        if width <= last {
            return None;
        }
        let x = high - f_high * width / (f_high - f_low);
        Some(x.clamp(low + 0.5 * last, high - 0.5 * last))
    }

    /// Replaces one end of the bracket; returns true if it is the upper one.
    pub(super) fn put(&mut self, x: f64, value: f64) -> bool {
        let is_below = value < 0.0;
        let [own, other] = if is_below { [0, 1] } else { [1, 0] };
        (self.places[own], self.values[own]) = (x, value);
        if self.was_below == Some(is_below) {
            self.values[other] *= 0.5;
        }
        self.was_below = Some(is_below);
        !is_below
    }
}

impl End {
    /// Negative before the end of the phase.
    fn value(self, point: &Point) -> f64 {
        match self {
            End::Speed(end) => point.u[0] - end,
            End::Impulse(end) => point.p[0] - end,
            End::Work(end) => point.work - end,
        }
    }

    /// Normal impulse until the end along a line with the given du_n/dp_n; infinite if it is never reached.
    fn distance(self, point: &Point, rate: f64) -> f64 {
        let u_n = point.u[0];
        let x = match self {
            End::Speed(end) => (end - u_n) / rate,
            End::Impulse(end) => end - point.p[0],
            // u_n x + rate x^2/2 = c
            End::Work(end) => {
                let c = end - point.work;
                let root = (u_n * u_n + 2.0 * rate * c).sqrt();
                2.0 * c / (u_n + root)
            }
        };
        match x >= 0.0 {
            true => x,
            false => f64::INFINITY,
        }
    }

    /// Removes the rounding of a point at the end.
    fn snap(self, point: &mut Point) {
        match self {
            End::Speed(end) => point.u[0] = end,
            End::Impulse(end) => point.p[0] = end,
            End::Work(end) => point.work = end,
        }
    }
}
