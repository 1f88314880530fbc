//! Damping from the impact speed that a contact has at each instant, inferred from its energy.
//!
//! An impact of the effective mass m on f = f_el(delta) (1 + d delta_dot) with d = u/v0 has a first integral,
//! [Marhefka 1996]: with the depth rate v and the elastic energy E = integral of f_el, integral of w/(1 + d
//! w) dw from v to v0 = E/m. Inverted, it gives at each (E, v) of a contact the unique impact speed v0 > 0
//! whose impact passes through that state; d follows from it, with m as the only memory. The left side F
//! grows with v0, because d falls with it: v0 is unique. With P = v0/u(e(v0)) = 1/d, in [m/s],
//! F = P (v0 - v) - P^2 ln((P + v0)/(P + v)) = s^2/2, s^2 = 2 E/m, and f = f_el (P + v)/P.
//!
//! - A first impact keeps its v0: it is the impact with the damping `exact` and e(v0), at any speed.
//! - (f - f_el) v = f_el v^2/P >= 0: every motion dissipates. P + v > 0: nothing pulls.
//! - At rest it is a linear dashpot; P -> v0/u at v = 0, where v0^2 = s^2/(2 G), G = (u - ln(1 + u))/u^2.
//! - A speed-dependent restitution r decreases to the smaller of r and [`SLOW`] = 1/4, by e = r + (1/4 - r)
//!   0.01^(v0/v_small): near the damping ratio of 1, the shortest way to rest. The limit 1e-3 used by frozen
//!   damping would overdamp light bodies at rest (damping ratio 4 for a steel ball of 1 g) and cost an
//!   explicit solver 50 % more steps.
//!
//! In units of a norm S of v and s, f/f_el depends only on v/S and, for speed-dependent e, on S/v_small: it
//! is tabulated, [`tables`], from the roots of F = s^2/2. An evaluation takes a square root and a division to
//! look up, one of each more for speed-dependent e, and a polynomial.
//!
//! - [Marhefka 1996] D. W. Marhefka, D. E. Orin, Simulation of contact using a nonlinear damping model, IEEE
//!   International Conference on Robotics and Automation

mod tables;

pub use tables::Tables;

use crate::response::choice::RestitutionRule;
use crate::response::restitution::{COR_MIN, Restitution, exact};
use contact_geometry::math::Real;
use contact_geometry::math::real::powf;
use std::sync::Arc;
use tables::{FAST_FROM, HALF, SLOW, Side, Slopes, Table};

/// Inferred damping for a restitution below 1.
#[derive(Clone)]
pub struct Inferred {
    /// Restitution of a fast impact [1].
    fast: f64,
    /// Whether the restitution decreases with the speed.
    falls: bool,
    v_small: f64,
    /// S [m/s] from which on the restitution is constant; 0 if it does not depend on speed.
    fast_from: f64,
    table: Arc<Table>,
}

/// Speeds [m/s] below which nothing moves: their squares underflow.
const STILL: f64 = 1e-140;

impl PartialEq for Inferred {
    fn eq(&self, other: &Self) -> bool {
        let given = |law: &Self| (law.fast, law.v_small, law.falls);
        given(self) == given(other)
    }
}

impl std::fmt::Debug for Inferred {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inferred")
            .field("fast", &self.fast)
            .field("v_small", &self.v_small)
            .field("falls", &self.falls)
            .finish_non_exhaustive()
    }
}

impl Inferred {
    /// Damping for a restitution, with its table; `None` without loss at any speed. A restitution below
    /// [`COR_MIN`] is raised to that.
    pub(crate) fn new(restitution: &Restitution, tables: &mut Tables) -> Option<Self> {
        if restitution.given >= 1.0 {
            return None;
        }
        let fast = restitution.given.max(COR_MIN);
        let falls = restitution.rule != RestitutionRule::Constant && fast > SLOW;
        Some(Inferred {
            fast,
            falls,
            v_small: restitution.v_small,
            fast_from: if falls {
                FAST_FROM * restitution.v_small
            } else {
                0.0
            },
            table: tables.of(fast, falls),
        })
    }

    /// Creates the table unless it exists: before a contact starts, so that no evaluation allocates.
    pub(crate) fn make_table(&self) {
        self.table.make();
    }

    /// Restitution [1] of a first impact at a speed [m/s].
    pub(crate) fn restitution(&self, v0: f64) -> f64 {
        match self.falls {
            true => self.fast - (self.fast - SLOW) * powf(0.01, v0 / self.v_small),
            false => self.fast,
        }
    }

    /// d [s/m] of a first impact at a speed [m/s] > 0; infinite at 0.
    pub(crate) fn coefficient(&self, v0: f64) -> f64 {
        exact(self.restitution(v0)) / v0
    }

    /// f/f_el [1] at a depth rate v [m/s], positive while compressing, and s^2 = 2 E/m [m2/s2]; 1 if both are
    /// zero.
    #[inline(always)]
    pub(crate) fn factor<T: Real>(&self, rate: T, s_2: T) -> T {
        let Some(found) = self.look_up(rate, s_2) else {
            return T::one();
        };
        let TablePlace { g, m, .. } = found;
        T::with_derivatives(damped(g, m), |lane| {
            let of_rate = rate.derivative(lane);
            let [g_1, m_1, _] = found.derivatives(of_rate, s_2.derivative(lane));
            m * g_1 + g * m_1
        })
    }

    /// d = (f/f_el - 1)/v [s/m], for a patch whose points have different speeds; 0 if both arguments are
    /// zero.
    #[inline]
    pub(crate) fn coefficient_at<T: Real>(&self, rate: T, s_2: T) -> T {
        let Some(found) = self.look_up(rate, s_2) else {
            return T::zero();
        };
        // An error of the table must not drive the motion, see [`damped`].
        let m = if found.m < 0.0 { 0.0 } else { found.m };
        T::with_derivatives(m * found.per_size, |lane| {
            let of_rate = rate.derivative(lane);
            let [_, m_1, size_1] = found.derivatives(of_rate, s_2.derivative(lane));
            (m_1 - m * size_1) * found.per_size
        })
    }

    /// Table values at a depth rate and s^2; `None` if both are zero.
    #[inline(always)]
    fn look_up<T: Real>(&self, rate: T, s_2: T) -> Option<TablePlace> {
        let (v, e) = (rate.value(), s_2.value());
        let side = Side::of(v);
        let square = e + v * v * side.per_lambda();
        if square < STILL * STILL {
            return None;
        }
        // The division does not wait for the root.
        let size = square.sqrt();
        let per_size = size * (1.0 / square);
        let g = v * per_size;
        let is_slow = size < self.fast_from;
        // x^2 of the table.
        let part = || size / (size + HALF * self.v_small);
        if rate.is_constant() && s_2.is_constant() {
            let m = match is_slow {
                true => self.table.falling(side, g, part()),
                false => self.table.constant(side, g),
            };
            return Some(TablePlace {
                g,
                m,
                per_size,
                per_lambda: 0.0,
                along_g: 0.0,
                of_size: 0.0,
            });
        }
        let Slopes {
            m,
            along_g,
            along_x,
        } = match is_slow {
            true => self.table.falling_slopes(side, g, part()),
            false => self.table.constant_slopes(side, g),
        };
        Some(TablePlace {
            g,
            m,
            per_size,
            per_lambda: side.per_lambda(),
            along_g,
            of_size: along_x * 0.5 * (1.0 - part()),
        })
    }
}

struct TablePlace {
    g: f64,
    m: f64,
    /// 1/S [s/m].
    per_size: f64,
    /// 1/lambda on this side [1]; zero, like the following fields, if there is no derivative.
    per_lambda: f64,
    /// dM/dg.
    along_g: f64,
    /// dM/(dS/S) at constant g.
    of_size: f64,
}

impl TablePlace {
    /// dg, dM and dS/S for dv [m/s] and d(s^2) [m2/s2]:
    /// dS/S = (v dv/lambda + d(s^2)/2)/S^2, dg = dv/S - g dS/S, and dx/x = (1 - x^2)/2 dS/S in dM.
    #[inline(always)]
    fn derivatives(&self, of_rate: f64, of_s_2: f64) -> [f64; 3] {
        let turning = self.g * self.per_lambda * of_rate;
        let size_1 = (turning + 0.5 * of_s_2 * self.per_size) * self.per_size;
        let g_1 = of_rate * self.per_size - self.g * size_1;
        [g_1, self.along_g * g_1 + self.of_size * size_1, size_1]
    }
}

/// 1 + g M, limited so that table errors neither drive nor pull: below e = 0.02 there is a corner narrower
/// than a cell.
#[inline(always)]
fn damped(g: f64, m: f64) -> f64 {
    // NaN passes.
    let factor = 1.0 + g * if m < 0.0 { 0.0 } else { m };
    if factor < 0.0 { 0.0 } else { factor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::Dual;

    fn law(given: f64, rule: RestitutionRule, v_small: f64) -> Inferred {
        let restitution = Restitution {
            given,
            rule,
            v_small,
        };
        Inferred::new(&restitution, &mut Tables::default()).expect("a loss")
    }

    /// s^2 [m2/s2] of an impact at the speed v0 with u where its depth rate is v, by the closed
    /// form of its first integral; by its series where that cancels.
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
                        (found.eps[0] - slope).abs() < 1e-8 * size,
                        "{v} {s}: {} {slope}",
                        found.eps[0]
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
    fn damping_neither_pulls_nor_drives_at_random_states() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        for given in [0.26, 0.5, 0.7, 0.95, 0.9999] {
            let law = law(given, RestitutionRule::Regularized, 0.01);
            for _ in 0..20_000 {
                let angle = std::f64::consts::PI * (random() - 0.5);
                let size = 10_f64.powf(6.0 * random() - 6.0);
                let (v, s) = (size * angle.sin(), size * angle.cos());
                let found = law.factor(v, s * s);
                assert!(found > 0.0, "{given} {v} {s}: {found}");
                assert!((found - 1.0) * v >= 0.0, "{given} {v} {s}: {found}");
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
        assert_eq!(Inferred::new(&elastic, &mut Tables::default()), None);
    }
}
