//! Nodes on the lateral surface of a cylinder or a cone.
//!
//! The surface is ruled by generators: phi fixed, radius rho + s z. Along one, min_j g_j is concave
//! and piecewise linear, so the part of B on it is an interval of straight pieces, exactly. Between
//! the angles at which an end of a piece changes its plane ([`breaks`](super::breaks)) the integral
//! along the generator is a polynomial in sine and cosine of phi (cylinder) or has poles where a
//! generator is parallel to a plane that ends a piece (cone): Gauss points in phi, more of them or
//! shorter arcs where a pole is near.

use super::breaks::Breaks;
use super::face::for_each;
use super::field::{Chart, Depth, Part, Sample, Samples};
use super::rules::{SMALLEST_ELLIPSE, THREE, TWO, arc, arc_with_poles};
use crate::math::transcendental::{atan2, ln, sin_cos};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Lateral surface about the third axis of a chart: (r cos phi, r sin phi, z), r = radius + slope
/// z.
pub(super) struct Tube {
    /// Its chart.
    pub chart: Chart,
    /// Least and largest z [m].
    pub z: [f64; 2],
    /// Radius at z = 0 [m].
    pub radius: f64,
    /// How much the radius grows with z.
    pub slope: f64,
    /// Whether phi runs over all angles, or from -pi/2 to pi/2 only.
    pub closed: bool,
}

/// Shorter arcs than this [rad] have nothing on them that is more than a rounding error.
const SHORTEST: f64 = 1e-15;
/// Arcs are halved at most so often to get away from poles.
const HALVINGS: u32 = 40;

impl Tube {
    /// Radius at a height [m].
    pub fn radius_at(&self, z: f64) -> f64 {
        self.radius + self.slope * z
    }

    /// Least and largest depth on the surface [m], at least.
    pub fn extent(&self, depth: &Depth) -> [f64; 2] {
        let across = depth.across();
        let ends = self.z.map(|z| {
            let middle = depth.c + depth.slope.z * z;
            let reach = across * self.radius_at(z);
            [middle - reach, middle + reach]
        });
        [ends[0][0].min(ends[1][0]), ends[0][1].max(ends[1][1])]
    }

    /// Runs over the straight pieces of min_j g_j > 0 on a generator: index of the depth, both
    /// ends.
    fn pieces(&self, depths: &[Depth], e: [f64; 2], mut f: impl FnMut(usize, f64, f64)) {
        // g = c + x cos r + y sin r + e z = a + b z.
        let line = |depth: &Depth| {
            let toward = depth.slope.x * e[0] + depth.slope.y * e[1];
            let a = depth.c + self.radius * toward;
            (a, depth.slope.z + self.slope * toward)
        };
        let [mut z, top] = self.z;
        let mut now: Option<(usize, f64, f64)> = None;
        for (j, depth) in depths.iter().enumerate() {
            let (a, b) = line(depth);
            let least = now.is_none_or(|(_, a_now, b_now)| {
                let (g, g_now) = (a + b * z, a_now + b_now * z);
                g < g_now || g == g_now && b < b_now
            });
            if least {
                now = Some((j, a, b));
            }
        }
        while let Some((j, a, b)) = now {
            let mut end = top;
            let mut then = None;
            for (m, depth) in depths.iter().enumerate() {
                let (a_m, b_m) = line(depth);
                if m != j && b_m < b {
                    let meets = ((a_m - a) / (b - b_m)).max(z);
                    if meets < end {
                        end = meets;
                        then = Some((m, a_m, b_m));
                    }
                }
            }
            let (mut from, mut to) = (z, end);
            if b > 0.0 {
                from = from.max(-a / b);
            } else if b < 0.0 {
                to = to.min(-a / b);
            } else if a <= 0.0 {
                to = from;
            }
            if to > from {
                f(j, from, to);
            }
            z = end;
            now = then;
        }
    }

    /// Pushes the nodes of the surface. `active` are the depths over its chart.
    pub fn sample(&self, active: &[Depth], breaks: &mut Breaks, samples: &mut Samples) {
        let angles = breaks.find(self, active);
        if self.closed && angles.is_empty() {
            self.whole(active, samples);
            return;
        }
        let count = angles.len();
        for i in 0..count {
            let end = match angles.get(i + 1) {
                Some(end) => *end,
                None if self.closed => angles[0] + TAU,
                None => break,
            };
            let half = 0.5 * (end - angles[i]);
            if half > SHORTEST {
                self.piece(active, angles[i] + half, half, HALVINGS, samples);
            }
        }
    }

    /// Nodes of a surface whose generators all have pieces that end on the same planes.
    fn whole(&self, active: &[Depth], samples: &mut Samples) {
        // exp(-count y) is lost in rounding, for poles at a distance y from the real axis.
        let cosh = self.poles(active, [1.0, 0.0], |[kappa, _]| kappa.abs());
        let count = match cosh {
            12.0.. => 12,
            2.6.. => 24,
            1.35.. => 48,
            _ => {
                for middle in [-FRAC_PI_2, FRAC_PI_2] {
                    self.piece(active, middle, FRAC_PI_2, HALVINGS, samples);
                }
                return;
            }
        };
        let weight = TAU / f64::from(count);
        for k in 0..count / 4 {
            let (sin, cos) = sin_cos(weight * f64::from(k));
            for e in [[cos, sin], [-cos, -sin], [-sin, cos], [sin, -cos]] {
                self.generator(active, e, weight, samples);
            }
        }
    }

    /// Nodes of an arc.
    fn piece(
        &self,
        active: &[Depth],
        middle: f64,
        half: f64,
        halvings: u32,
        samples: &mut Samples,
    ) {
        let (sin, cos) = sin_cos(middle);
        let mut rule = arc(half);
        if self.slope != 0.0 {
            let ellipse = self.poles(active, [cos, sin], |pole| ellipse(pole, middle, half));
            if ellipse < SMALLEST_ELLIPSE && halvings > 0 {
                let quarter = 0.5 * half;
                for middle in [middle - quarter, middle + quarter] {
                    self.piece(active, middle, quarter, halvings - 1, samples);
                }
                return;
            }
            rule = arc_with_poles(half, ellipse);
        }
        for_each(rule, |t, weight| {
            let (sin_t, cos_t) = sin_cos(half * t);
            let e = [cos * cos_t - sin * sin_t, sin * cos_t + cos * sin_t];
            self.generator(active, e, half * weight, samples);
        });
    }

    /// Least value of a measure over the poles of the ends of the pieces on a generator. A pole is
    /// the cosine and the angle in cos(phi - angle) = kappa.
    fn poles(&self, active: &[Depth], e: [f64; 2], measure: impl Fn([f64; 2]) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        if self.slope == 0.0 {
            return least;
        }
        let mut look = |depth: &Depth| {
            let across = self.slope * depth.across();
            if across != 0.0 {
                let angle = atan2(depth.slope.y, depth.slope.x);
                least = least.min(measure([-depth.slope.z / across, angle]));
            }
        };
        let mut before: Option<(usize, f64)> = None;
        let [low, high] = self.z;
        self.pieces(active, e, |j, from, to| {
            let depth = &active[j];
            match before {
                Some((i, _)) => look(&depth.beyond(&active[i])),
                None if from > low => look(depth),
                None => {}
            }
            before = Some((j, to));
        });
        match before {
            Some((j, to)) if to < high => look(&active[j]),
            _ => {}
        }
        least
    }

    /// Nodes of a generator; `angle` is how much of the circle it stands for [rad].
    fn generator(&self, active: &[Depth], e: [f64; 2], angle: f64, samples: &mut Samples) {
        let slant = (1.0 + self.slope * self.slope).sqrt();
        let out = self.chart.direction(e[0], e[1], -self.slope) / slant;
        // Radius, pressure, slip and arm are linear in z; the radius of a cylinder is constant.
        let rule = if self.slope == 0.0 { TWO } else { THREE };
        self.pieces(active, e, |j, from, to| {
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
            for_each(rule, |t, weight| {
                let z = middle + half * t;
                let r = self.radius_at(z);
                samples.push(Sample {
                    point: self.chart.point(r * e[0], r * e[1], z),
                    normal: out,
                    area: weight * half * slant * r * angle,
                    plane: active[j].plane,
                });
            });
            samples.end(Part::Line);
        });
    }
}

/// Size of the largest ellipse with foci in the ends of an arc without a pole inside: the sum of
/// its
/// half axes over half the distance of the foci.
fn ellipse([kappa, angle]: [f64; 2], middle: f64, half: f64) -> f64 {
    let size = |x: f64, y: f64| {
        let [one, other] = [x - half, x + half].map(|x| (x * x + y * y).sqrt());
        let axis = 0.5 * (one + other) / half;
        axis + (axis * axis - 1.0).max(0.0).sqrt()
    };
    let near = |phi: f64| {
        let (sin, cos) = sin_cos(phi - middle);
        atan2(sin, cos)
    };
    if kappa.abs() > 1.0 {
        let y = ln(kappa.abs() + (kappa * kappa - 1.0).sqrt());
        let real = if kappa > 0.0 { angle } else { angle + PI };
        size(near(real), y)
    } else {
        let alpha = atan2((1.0 - kappa * kappa).sqrt(), kappa);
        size(near(angle - alpha), 0.0).min(size(near(angle + alpha), 0.0))
    }
}
