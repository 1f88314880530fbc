//! The impact speed v0 of a contact from its depth rate v and s^2 = 2 E/m, where F = s^2/2 with
//! F = P (v0 - v) - P^2 ln((P + v0)/(P + v)), P = v0/u(e(v0)): see [`super`]. All speeds in units
//! of some S, r = v0/S. Halley's formula, kept between bounds; it makes the tables, and no contact
//! asks it.

use crate::response::damping::exact;
use crate::response::inferred::SLOW;
use crate::response::inferred::tables::{TERMS, polynomial};
use contact_geometry::math::transcendental::{exp, exp_m1, ln, ln_1p};
use std::sync::OnceLock;

/// v0/v_small from which on e is that of a fast impact: 0.01^9 is nothing beside 1.
const FAST_FROM: f64 = 9.0;
/// A step of Halley's formula of this size relative to v0, or to what is left of the force, leaves
/// its third power as error, 1e-12 [1].
const LAST_STEP: f64 = 1e-4;
/// A step of this size relative to v0 is rounding [1].
const ROUNDING: f64 = 1e-15;
/// Steps at most: one or two from a near start, some tens on the way through a corner of small
/// restitution.
const MOST_STEPS: usize = 100;
/// P/S above which its logarithm is computed from the difference, which keeps its digits [1].
const NEARLY_ELASTIC: f64 = 30.0;
/// P/S above which F hardly depends on P, and what it does is lost in rounding [1].
const ELASTIC: f64 = 1e4;

/// Finds impact speeds for one restitution.
pub struct Solver {
    /// Restitution of a fast impact [1].
    fast: f64,
    /// 1/u of it [1].
    fast_inverse: f64,
    /// v0/v_small from which on the restitution is that; 0 if it is constant.
    fast_from: f64,
    /// Restitution of a very slow one [1].
    slow: f64,
    inverse: &'static InverseDamping,
}

/// P/S and its first and second derivative with respect to r.
pub struct Scale {
    /// P/S.
    pub p: f64,
    p_1: f64,
    p_2: f64,
}

/// F of a state, with what its root needs.
struct Integral {
    /// F - s^2/2 over S^2.
    value: f64,
    /// dF/dr over S^2.
    slope: f64,
    /// d2F/dr2 over S^2.
    curvature: f64,
}

/// v/S, s^2/(2 S^2) and S/v_small.
#[derive(Clone, Copy)]
pub struct Place {
    /// v/S.
    pub c: f64,
    /// s^2/(2 S^2).
    pub half: f64,
    /// S/v_small.
    pub size: f64,
}

impl Solver {
    /// For a restitution of fast impacts, 0 < e < 1, that falls with the speed or does not.
    pub fn new(fast: f64, falls: bool) -> Self {
        Solver {
            fast,
            fast_inverse: 1.0 / exact(fast),
            fast_from: if falls { FAST_FROM } else { 0.0 },
            slow: fast.min(SLOW),
            inverse: InverseDamping::shared(),
        }
    }

    /// P at r, with S/v_small.
    pub fn scale(&self, r: f64, size: f64) -> Scale {
        let speed = r * size;
        if speed >= self.fast_from {
            let g = self.fast_inverse;
            return Scale {
                p: r * g,
                p_1: g,
                p_2: 0.0,
            };
        }
        // e and its derivatives with respect to r.
        let decay = LN_HUNDREDTH * size;
        let missing = (self.fast - self.slow) * exp(LN_HUNDREDTH * speed);
        let (e, e_1) = (self.fast - missing, -decay * missing);
        let [g, g_e, g_ee] = self.inverse.at(e);
        let g_1 = g_e * e_1;
        Scale {
            p: r * g,
            p_1: g + r * g_1,
            p_2: 2.0 * g_1 + r * (g_ee * e_1 + g_e * decay) * e_1,
        }
    }

    /// With A = 1/(P + v0), B = 1/(P + v) and L = ln(B/A):
    /// F_v0 = v0 P A, F_P = v0 - v - 2 P L - P^2 (A - B), F_v0v0 = P^2 A^2, F_v0P = v0^2 A^2,
    /// F_PP = -2 L - 4 P (A - B) + P^2 (A^2 - B^2).
    fn integral(&self, place: Place, r: f64, scale: &Scale) -> Integral {
        let &Scale { p, p_1, p_2 } = scale;
        let (before, now, travel) = (p + r, p + place.c, r - place.c);
        let both = 1.0 / (before * now);
        let log = if p < NEARLY_ELASTIC {
            ln(before * before * both)
        } else {
            ln_1p(travel * before * both)
        };
        let a = now * both;
        let (of_p, of_pp) = if p < ELASTIC {
            let t = p * travel * both;
            (
                travel - 2.0 * p * log + p * t,
                -2.0 * log + t * (4.0 - p * both * (before + now)),
            )
        } else {
            (0.0, 0.0)
        };
        let (pa, ra) = (p * a, r * a);
        Integral {
            value: p * (travel - p * log) - place.half,
            slope: r * pa + of_p * p_1,
            curvature: pa * pa + 2.0 * ra * ra * p_1 + of_pp * p_1 * p_1 + of_p * p_2,
        }
    }

    /// r with F = s^2/2 from a start, kept between one with less and one with more.
    pub fn solve(&self, place: Place, start: f64) -> f64 {
        let (mut low, mut high) = (place.c.max(0.0), f64::INFINITY);
        let mut r = start;
        for _ in 0..MOST_STEPS {
            let scale = self.scale(r, place.size);
            let now = scale.p + place.c;
            if now <= 0.0 {
                // v0 is larger: this impact parts before it is as fast as v.
                low = r;
                r = between(low, high);
                continue;
            }
            let found = self.integral(place, r, &scale);
            let newton = found.value / found.slope;
            let bend = 0.5 * newton * found.curvature / found.slope;
            let mut step = newton / (1.0 - bend.min(0.5));
            if scale.p_1 * step >= now {
                // Past the end of the logarithm: a step of Newton in ln(P + v), along which F is
                // straight there.
                step = -now * exp_m1(-newton * scale.p_1 / now) / scale.p_1;
            }
            let next = r - step;
            if step.abs() * scale.p_1 <= LAST_STEP * now.min(scale.p) + ROUNDING * scale.p {
                return next;
            }
            if found.value > 0.0 {
                high = r;
            } else {
                low = r;
            }
            r = match low < next && next < high {
                true => next,
                false => between(low, high),
            };
        }
        r
    }
}

/// A place between bounds of r of which the upper may not be known yet.
#[cold]
fn between(low: f64, high: f64) -> f64 {
    match high < f64::INFINITY {
        true => 0.5 * (low + high),
        false => 1.5 * low,
    }
}

/// ln 0.01.
const LN_HUNDREDTH: f64 = -2.0 * std::f64::consts::LN_10;

/// 1/u as a function of e, from polynomials of (1 - e)/u, which goes from 0 to 2/3 with e from 0 to
/// 1.
struct InverseDamping([[f64; TERMS]; INTERVALS]);

/// Intervals of e: each polynomial is right to some 1e-12.
const INTERVALS: usize = 64;

impl InverseDamping {
    /// The same for all restitutions; without heap, which would be lost with the library.
    fn shared() -> &'static Self {
        static SHARED: OnceLock<InverseDamping> = OnceLock::new();
        let loss = |e: f64| match e < 1.0 {
            true => (1.0 - e) / exact(e),
            false => 2.0 / 3.0,
        };
        let of =
            |interval: usize| polynomial(|t| loss((t + 0.5 + interval as f64) / INTERVALS as f64));
        SHARED.get_or_init(|| InverseDamping(std::array::from_fn(of)))
    }

    /// 1/u and its first two derivatives with respect to e, 0 < e < 1.
    fn at(&self, e: f64) -> [f64; 3] {
        let scaled = e * INTERVALS as f64;
        let interval = (scaled as usize).min(INTERVALS - 1);
        let t = scaled - interval as f64 - 0.5;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.0[interval];
        let (t_2, t_4) = (t * t, t * t * t * t);
        let value =
            (k0 + k1 * t) + t_2 * (k2 + k3 * t) + t_4 * ((k4 + k5 * t) + t_2 * (k6 + k7 * t));
        let slope = (k1 + 2.0 * k2 * t)
            + t_2 * (3.0 * k3 + 4.0 * k4 * t)
            + t_4 * ((5.0 * k5 + 6.0 * k6 * t) + t_2 * (7.0 * k7));
        // To lead the search of a root, which needs no more terms of it.
        let bend = 2.0 * k2 + 6.0 * k3 * t + 12.0 * k4 * t_2;
        let (slope, bend) = (
            slope * INTERVALS as f64,
            bend * (INTERVALS * INTERVALS) as f64,
        );
        let per_loss = 1.0 / (1.0 - e);
        let g = value * per_loss;
        let g_1 = (slope + g) * per_loss;
        [g, g_1, (bend + 2.0 * g_1) * per_loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_over_u_is_interpolated_closely() {
        let inverse = InverseDamping::shared();
        for i in 1..5000 {
            let e = f64::from(i) / 5000.0;
            let [g, ..] = inverse.at(e);
            let error = g * exact(e) - 1.0;
            assert!(error.abs() < 3e-12, "{e}: {error:e}");
        }
    }
}
