//! Damping from the impact speed that a contact has at each instant, inferred from its energy.
//!
//! An impact of the effective mass m on f = f_el(delta) (1 + d delta_dot) with d = u/v0 has a first
//! integral, [Marhefka 1996]: with the depth rate v and the elastic energy E = integral of f_el,
//! integral of w/(1 + d w) dw from v to v0 = E/m.
//! Read backwards it gives at each (E, v) of a contact the one impact speed v0 > 0 whose impact passes
//! through there; d follows from it, with nothing remembered but m. The left side F grows with v0,
//! because d falls with it: v0 is unique. With P = v0/u(e(v0)) = 1/d, in [m/s],
//! F = P (v0 - v) - P^2 ln((P + v0)/(P + v)) = s^2/2, s^2 = 2 E/m, and f = f_el (P + v)/P.
//!
//! - A first impact keeps its v0: it is the impact with the damping `exact` and e(v0), at any speed.
//! - (f - f_el) v = f_el v^2/P >= 0: every motion dissipates. P + v > 0: nothing pulls.
//! - At rest it is a linear dashpot; P -> v0/u at v = 0, where v0^2 = s^2/(2 G), G = (u - ln(1 + u))/u^2.
//! - Where the restitution r falls with the speed it goes to the lesser of r and [`SLOW`] = 1/4, by
//!   e = r + (1/4 - r) 0.01^(v0/v_small): near the damping ratio of 1, the shortest way to rest. With the
//!   1e-3 that damping frozen at the start has, light bodies rest so overdamped, ratio 4 for a steel ball
//!   of 1 g, that an explicit solver needs half as many steps again as it does without.
//!
//! With c = v/V, V^2 = v^2 + s^2, f/f_el = 1 + c M. Where e does not fall, M is a function of c alone,
//! tabulated by polynomials. Elsewhere F = s^2/2 is solved by Halley's formula in r = v0/V, from a table of
//! r over c and V/v_small; u(e) is interpolated, e(v0) computed.
//!
//! - [Marhefka 1996] D. W. Marhefka, D. E. Orin, Simulation of contact using a nonlinear damping model,
//!   IEEE International Conference on Robotics and Automation

use crate::math::Real;
use crate::response::damping::{Restitution, exact};
use crate::response::options::RestitutionRule;
use crate::response::regularize::COR_MIN;
use std::sync::OnceLock;

/// Damping of a restitution below 1.
#[derive(Clone)]
pub struct Inferred {
    /// Restitution of a fast impact [1].
    fast: f64,
    /// 1/u of it [1].
    fast_inverse: f64,
    /// Speed over which the restitution falls [m/s].
    v_small: f64,
    /// v0/v_small from which on the restitution is that of a fast impact; 0 where it is constant.
    fast_from: f64,
    /// Restitution of a very slow one [1].
    slow: f64,
    inverse: &'static InverseDamping,
    /// M of a fast impact: polynomials by intervals of c.
    fast_table: Vec<[f64; TERMS]>,
    /// v0/V by rows of V/v_small and columns of c; empty where the restitution is constant.
    starts: Vec<f32>,
}

/// Restitution that a falling one goes to, where it is less than that of a fast impact [1].
pub const SLOW: f64 = 0.25;
/// 0.01^9 is nothing beside 1.
const FAST_FROM: f64 = 9.0;
/// Intervals of c from -1 to 1: each polynomial is right to some 1e-13 for e >= 0.3, 1e-11 for 0.05.
const FAST_INTERVALS: usize = 512;
/// Coefficients of each.
const TERMS: usize = 8;
/// Rows at even places of w/(w + 1/2), w = V/v_small from 0 to [`FAST_FROM`].
const ROWS: usize = 41;
/// Columns from c = -1 to 1. The table is right to some 1e-3.
const COLUMNS: usize = 65;
/// w at half the rows of an endless table.
const HALF_ROWS: f64 = 0.5;
/// Speeds [m/s] below which nothing moves: their squares have no digits.
const STILL: f64 = 1e-140;
/// A step of Halley's formula of this size relative to v0, or to what is left of the force, leaves its
/// third power as error [1]: in evaluations, where e falls, and in tables.
const LAST_STEPS: [f64; 2] = [2e-3, 3e-6];
/// A step of this size relative to v0 is rounding [1].
const ROUNDING: f64 = 1e-15;
/// Steps at most: one or two from the table, some tens on the way through a corner of small restitution.
const MOST_STEPS: usize = 100;
/// P/V above which its logarithm is computed from the difference, which keeps its digits [1].
const NEARLY_ELASTIC: f64 = 30.0;
/// P/V above which F hardly depends on P, and what it does is lost in rounding [1].
const ELASTIC: f64 = 1e4;

/// P/V and its first and second derivative with respect to r.
struct Scale {
    p: f64,
    p_1: f64,
    p_2: f64,
}

/// F of a state, with what its root needs.
struct Integral {
    /// F - s^2/2 over V^2.
    value: f64,
    /// dF/dr over V^2.
    slope: f64,
    /// d2F/dr2 over V^2.
    curvature: f64,
}

/// v/V, s^2/(2 V^2) and V/v_small.
#[derive(Clone, Copy)]
struct Place {
    c: f64,
    half: f64,
    size: f64,
}

impl PartialEq for Inferred {
    /// The tables follow from the rest.
    fn eq(&self, other: &Self) -> bool {
        let given = |law: &Self| (law.fast, law.v_small, law.fast_from);
        given(self) == given(other)
    }
}

impl std::fmt::Debug for Inferred {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inferred")
            .field("fast", &self.fast)
            .field("v_small", &self.v_small)
            .field("fast_from", &self.fast_from)
            .finish_non_exhaustive()
    }
}

impl Inferred {
    /// The damping for a restitution; none where there is no loss whatever the speed. A restitution
    /// below [`COR_MIN`] counts as that.
    pub fn new(restitution: &Restitution) -> Option<Self> {
        if restitution.given >= 1.0 {
            return None;
        }
        let fast = restitution.given.max(COR_MIN);
        let constant = restitution.rule == RestitutionRule::Constant || fast <= SLOW;
        let mut law = Inferred {
            fast,
            fast_inverse: 1.0 / exact(fast),
            v_small: restitution.v_small,
            fast_from: if constant { 0.0 } else { FAST_FROM },
            slow: fast.min(SLOW),
            inverse: InverseDamping::shared(),
            fast_table: Vec::new(),
            starts: Vec::new(),
        };
        law.fast_table = law.fast_polynomials();
        if law.fast_from > 0.0 {
            law.starts = law.table();
        }
        Some(law)
    }

    /// The restitution [1] of a first impact at a speed [m/s].
    pub fn restitution(&self, v0: f64) -> f64 {
        let missing = (LN_HUNDREDTH * v0 / self.v_small).exp();
        match self.fast_from > 0.0 {
            true => self.fast - (self.fast - self.slow) * missing,
            false => self.fast,
        }
    }

    /// d [s/m] of a first impact at a speed [m/s] > 0; infinite at 0.
    pub fn coefficient(&self, v0: f64) -> f64 {
        1.0 / (v0 * self.scale(1.0, v0 / self.v_small).p)
    }

    /// f/f_el [1] at a depth rate v [m/s], positive while compressing, and s^2 = 2 E/m [m2/s2]. 1 where
    /// nothing moves and nothing is stored.
    #[inline]
    pub fn factor<T: Real>(&self, rate: T, s_2: T) -> T {
        let (v, e) = (rate.value(), s_2.value());
        let square = v * v + e;
        if square < STILL * STILL {
            return T::one();
        }
        let size = square.sqrt();
        let per_size = 1.0 / size;
        let c = v * per_size;
        // dV V = v dv + d(s^2)/2, dc = dv/V - c dV/V.
        let (of_rate, of_s_2) = (rate.derivative() * per_size, s_2.derivative());
        let size_1 = c * of_rate + 0.5 * of_s_2 * per_size * per_size;
        let c_1 = of_rate - c * size_1;
        if size >= self.fast_from * self.v_small {
            let [m, slope] = self.fast(c);
            // Below e = 0.02 the corner is narrower than an interval.
            let value = (1.0 + c * m).max(0.0);
            return T::with_derivative(value, (m + c * slope) * c_1);
        }
        let place = Place {
            c,
            half: 0.5 * e * per_size * per_size,
            size: size / self.v_small,
        };
        let r = self.solve(place, self.start(place), LAST_STEPS[0]);
        let scale = self.scale(r, place.size);
        let value = (scale.p + c) / scale.p;
        if of_rate == 0.0 && of_s_2 == 0.0 {
            return T::from(value);
        }
        // One implicit step of Newton: dF/dv0 dv0 = d(s^2)/2 + v P/(P + v) dv.
        let slope = self.integral(place, r, &scale).slope;
        let half_1 = 0.5 * of_s_2 * per_size * per_size;
        let r_1 = (half_1 + c / value * of_rate) / slope;
        let derivative = (of_rate - c / scale.p * scale.p_1 * r_1) / scale.p;
        T::with_derivative(value, derivative)
    }

    /// M of a fast impact at c, and its slope.
    #[inline]
    fn fast(&self, c: f64) -> [f64; 2] {
        let scaled = (c + 1.0) * (0.5 * FAST_INTERVALS as f64);
        let interval = (scaled as usize).min(FAST_INTERVALS - 1);
        let t = scaled - interval as f64 - 0.5;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.fast_table[interval];
        let (t_2, t_4) = (t * t, t * t * t * t);
        let value =
            (k0 + k1 * t) + t_2 * (k2 + k3 * t) + t_4 * ((k4 + k5 * t) + t_2 * (k6 + k7 * t));
        let slope = (k1 + 2.0 * k2 * t)
            + t_2 * (3.0 * k3 + 4.0 * k4 * t)
            + t_4 * ((5.0 * k5 + 6.0 * k6 * t) + t_2 * (7.0 * k7));
        [value, slope * (0.5 * FAST_INTERVALS as f64)]
    }

    fn fast_polynomials(&self) -> Vec<[f64; TERMS]> {
        let mut r = 1.0 / self.fast;
        let m = |c: f64| {
            let half = 0.5 * (1.0 - c) * (1.0 + c);
            let size = 2.0 * FAST_FROM;
            r = self.solve(Place { c, half, size }, r, LAST_STEPS[1]);
            1.0 / (r * self.fast_inverse)
        };
        polynomials(FAST_INTERVALS, [-1.0, 1.0], m)
    }

    #[inline]
    fn scale(&self, r: f64, size: f64) -> Scale {
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
        let missing = (self.fast - self.slow) * (LN_HUNDREDTH * speed).exp();
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
    #[inline]
    fn integral(&self, place: Place, r: f64, scale: &Scale) -> Integral {
        let &Scale { p, p_1, p_2 } = scale;
        let (before, now, travel) = (p + r, p + place.c, r - place.c);
        let both = 1.0 / (before * now);
        let log = if p < NEARLY_ELASTIC {
            (before * before * both).ln()
        } else {
            (travel * before * both).ln_1p()
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
    #[inline]
    fn solve(&self, place: Place, start: f64, last: f64) -> f64 {
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
                step = -now * (-newton * scale.p_1 / now).exp_m1() / scale.p_1;
            }
            let next = r - step;
            if step.abs() * scale.p_1 <= last * now.min(scale.p) + ROUNDING * scale.p {
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

    /// r from the table, between its nodes.
    #[inline]
    fn start(&self, place: Place) -> f64 {
        let column = (place.c + 1.0) * (0.5 * (COLUMNS - 1) as f64);
        let row = place.size / (place.size + HALF_ROWS) * PER_ROW;
        let (left, low) = (
            (column as usize).min(COLUMNS - 2),
            (row as usize).min(ROWS - 2),
        );
        let (across, along) = (column - left as f64, row - low as f64);
        let at = |row: usize| {
            let place = row * COLUMNS + left;
            let (a, b) = (
                f64::from(self.starts[place]),
                f64::from(self.starts[place + 1]),
            );
            a + across * (b - a)
        };
        let below = at(low);
        below + along * (at(low + 1) - below)
    }

    fn table(&self) -> Vec<f32> {
        let mut table = vec![0.0; ROWS * COLUMNS];
        for (row, starts) in table.chunks_exact_mut(COLUMNS).enumerate() {
            let part = row as f64 / PER_ROW;
            let size = HALF_ROWS * part / (1.0 - part);
            let mut r = 1.0;
            // From v = V on, where r is 1; each root starts the search of the next.
            for (column, start) in starts.iter_mut().enumerate().rev() {
                let c = 2.0 * column as f64 / (COLUMNS - 1) as f64 - 1.0;
                let half = 0.5 * (1.0 - c) * (1.0 + c);
                r = self.solve(Place { c, half, size }, r, LAST_STEPS[1]);
                *start = r as f32;
            }
        }
        table
    }
}

/// Rows for one of w/(w + 1/2): the last is at w = [`FAST_FROM`].
const PER_ROW: f64 = (ROWS - 1) as f64 * (FAST_FROM + HALF_ROWS) / FAST_FROM;

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

/// 1/u as a function of e, from polynomials of (1 - e)/u, which goes from 0 to 2/3 with e from 0 to 1.
struct InverseDamping(Vec<[f64; TERMS]>);

/// Intervals of e: each polynomial is right to some 1e-12.
const INTERVALS: usize = 64;

impl InverseDamping {
    fn shared() -> &'static Self {
        static SHARED: OnceLock<InverseDamping> = OnceLock::new();
        let loss = |e: f64| (1.0 - e) / exact(e);
        SHARED.get_or_init(|| InverseDamping(polynomials(INTERVALS, [0.0, 1.0], loss)))
    }

    /// 1/u and its first two derivatives with respect to e, 0 < e < 1.
    #[inline]
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

/// Coefficients over t = scaled place - interval - 1/2 of the polynomials that meet a function at
/// Chebyshev's points of each of `count` intervals from `low` to `high`.
fn polynomials(
    count: usize,
    [low, high]: [f64; 2],
    mut of: impl FnMut(f64) -> f64,
) -> Vec<[f64; TERMS]> {
    let points: [f64; TERMS] = std::array::from_fn(|i| {
        -0.5 * ((2 * i + 1) as f64 * std::f64::consts::PI / (2 * TERMS) as f64).cos()
    });
    let polynomial = |interval: usize| {
        let mut differences = points.map(|t| {
            let part = (t + 0.5 + interval as f64) / count as f64;
            of(low + (high - low) * part)
        });
        // Newton's divided differences, then the powers of t.
        for order in 1..TERMS {
            for i in (order..TERMS).rev() {
                differences[i] =
                    (differences[i] - differences[i - 1]) / (points[i] - points[i - order]);
            }
        }
        let mut powers = [0.0; TERMS];
        for i in (0..TERMS).rev() {
            for k in (1..TERMS).rev() {
                powers[k] = powers[k - 1] - points[i] * powers[k];
            }
            powers[0] = differences[i] - points[i] * powers[0];
        }
        powers
    };
    (0..count).map(polynomial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    fn law(given: f64, rule: RestitutionRule, v_small: f64) -> Inferred {
        let restitution = Restitution {
            given,
            rule,
            v_small,
        };
        Inferred::new(&restitution).expect("a loss")
    }

    /// s^2 [m2/s2] of an impact at the speed v0 with u where its depth rate is v, by the closed form of
    /// its first integral; by its series where that cancels.
    fn s_2(v0: f64, u: f64, v: f64) -> f64 {
        let part = |z: f64| match z.abs() < 0.02 {
            true => (2..12).map(|k| (-z).powi(k) / f64::from(k)).sum(),
            false => z - z.ln_1p(),
        };
        2.0 * (v0 / u).powi(2) * (part(u) - part(u * v / v0))
    }

    #[test]
    fn along_an_impact_the_force_is_that_with_its_impact_speed_frozen() {
        for e in [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999] {
            let law = law(e, RestitutionRule::Constant, 0.01);
            let u = exact(e);
            for v0 in [1e-9, 1e-3, 1.0, 1e4] {
                for i in 0..=200 {
                    let y = -e + (1.0 + e) * f64::from(i) / 200.0;
                    let found = law.factor(y * v0, s_2(v0, u, y * v0).max(0.0));
                    let error = found - (1.0 + u * y);
                    assert!(error.abs() < 3e-11 * (1.0 + u), "{e} {v0} {y}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn a_slow_impact_keeps_the_impact_speed_that_its_regularized_restitution_belongs_to() {
        let v_small = 0.01;
        for given in [0.05, 0.3, 0.7, 0.95, 0.999] {
            let law = law(given, RestitutionRule::Regularized, v_small);
            for v0 in [1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.08, 0.1] {
                let slow = f64::min(given, 0.25);
                let e = given + (slow - given) * 0.01_f64.powf(v0 / v_small);
                let u = exact(e);
                for i in 0..=100 {
                    let y = -e + (1.0 + e) * f64::from(i) / 100.0;
                    let found = law.factor(y * v0, s_2(v0, u, y * v0).max(0.0));
                    let error = found - (1.0 + u * y);
                    assert!(
                        error.abs() < 3e-8 * (1.0 + u),
                        "{given} {v0} {y}: {error:e}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_derivative_is_the_slope_of_the_factor() {
        for rule in [RestitutionRule::Constant, RestitutionRule::Regularized] {
            let law = law(0.6, rule, 0.01);
            for (v, s) in [
                (0.02, 0.01),
                (-0.02, 0.03),
                (0.0, 0.006),
                (1e-4, 0.006),
                (0.5, 0.2),
                (-0.001, 0.004),
                (-3e-5, 1e-4),
            ] {
                for (of_v, of_s) in [(1.0, 0.0), (0.0, 1.0)] {
                    let at = |h: f64| law.factor(v + h * of_v, (s + h * of_s).powi(2));
                    let h = 1e-4 * (f64::abs(v) + s);
                    let slope = |h: f64| (at(h) - at(-h)) / (2.0 * h);
                    let slope = (4.0 * slope(h) - slope(2.0 * h)) / 3.0;
                    let found = law.factor(Dual::new(v, of_v), Dual::new(s * s, 2.0 * s * of_s));
                    let size = 1.0 / (f64::abs(v) + s);
                    assert!(
                        (found.eps - slope).abs() < 1e-8 * size,
                        "{v} {s}: {} {slope}",
                        found.eps
                    );
                }
            }
        }
    }

    #[test]
    fn damping_never_pulls_and_never_drives_at_any_speed_and_energy() {
        for given in [0.0, 1e-3, 0.01, 0.2, 0.6, 0.99, 1.0 - 1e-9] {
            for rule in [RestitutionRule::Constant, RestitutionRule::Regularized] {
                let law = law(given, rule, 0.01);
                for i in 0..=400 {
                    let angle = std::f64::consts::PI * (f64::from(i) / 400.0 - 0.5);
                    for size in [1e-130, 1e-12, 1e-7, 1e-4, 2e-3, 0.01, 0.07, 0.3, 1e3, 1e100] {
                        let (v, s) = (size * angle.sin(), size * angle.cos());
                        let found = law.factor(v, s * s);
                        // Some 1e-14 is the rounding of 1 + v/P.
                        assert!(found >= -1e-13, "{given} {v} {s}: {found}");
                        assert!((found - 1.0) * v >= 0.0, "{given} {v} {s}: {found}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_that_moves_is_no_damping_and_what_is_no_number_passes() {
        let law = law(0.5, RestitutionRule::Regularized, 0.01);
        assert_eq!(law.factor(0.0, 0.0), 1.0);
        assert!(law.factor(f64::NAN, 1.0).is_nan());
        assert!(law.factor(1.0, f64::NAN).is_nan());
        let elastic = Restitution {
            given: 1.0,
            rule: RestitutionRule::Regularized,
            v_small: 0.01,
        };
        assert_eq!(Inferred::new(&elastic), None);
    }

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
