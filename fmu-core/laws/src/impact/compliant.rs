//! Several contacts as springs, with frozen configuration.
//!
//! delta_i' = -u_n,i from 0 on, u = u- + W p, p' = f: the force of a contact is its elastic force times the
//! damping factor of its restitution at each instant, [`Inferred`], with the mass that it feels alone under a
//! force with its friction: 1/(W r)_n for the impulse r per normal impulse; resistance is -m f_n u/reg(|u|)
//! with the small speed [`SLIP`] of each group. Integrated by the formula of Dormand and Prince until all
//! contacts have separated. Wave propagation through chains depends on stiffness ratios alone. The hypothesis
//! is that of the damping: energy. If integration errors create energy, p.(u- + u+)/2 > 0, all impulses are
//! scaled down to zero gain.
//!
//! LIMITATION: Sticking contacts creep at up to [`SLIP`] of the fastest approach. Persistent contacts start
//! without load, as if at zero depth. A restitution below 1e-3 is raised to that.

use crate::impact::resistance::{COMPONENTS, Impact, Six, Solution, TouchResistance};
use crate::response::inferred::{Inferred, Tables};
use crate::response::law::LEAST_MOBILITY;
use crate::response::normal::PowerLaw;
use contact_geometry::math::real::powf;
use contact_geometry::math::reg;
use contact_geometry::math::{A2, A3, A4, A5, A6, B, E};
use nalgebra::DVector;

/// Speed below which resistance is regularised, relative to the speed that the fastest approach gives it [1].
const SLIP: f64 = 1e-3;
/// Error of a step relative to depths and impulses of a single contact at the fastest approach [1].
const TOLERANCE: f64 = 1e-10;
/// Longest step relative to the depth of a contact over the present speed [1]: a contact cannot begin and end
/// within it.
const LONGEST: f64 = 0.1;
/// Maximum number of steps, also repeated ones; some hundreds are usual, some thousands with friction.
const STEPS: usize = 20_000;

/// Impulses of an impact whose contact i has separated when its approach is within `least[i]` [m/s]; `None`
/// if the steps run out before that.
pub(super) fn solve(impact: &Impact, least: &[f64]) -> Option<Solution> {
    let springs = Springs::new(impact, least);
    let count = least.len();
    let mut y = DVector::zeros(count * (1 + COMPONENTS));
    let mut longest = 0.01 * springs.time();
    let mut has_parted = false;
    for _ in 0..STEPS {
        let u = springs.velocities(&y);
        if springs.have_parted(&y, &u) {
            has_parted = true;
            break;
        }
        let h = longest.min(springs.longest(&u));
        let (next, error) = springs.step(&y, h);
        longest = h * (0.9 * powf(error.max(1e-5), -0.2)).clamp(0.2, 5.0);
        if error <= 1.0 {
            y = next;
        } else if !error.is_finite() {
            break;
        }
    }
    has_parted.then(|| Solution {
        p: without_gain(impact, y.rows(count, COMPONENTS * count).into_owned()),
        hits: 1,
        capped: false,
    })
}

/// Scales the impulses p by s so that s p.u- + s^2 p.W p/2 = 0, if this energy gain is positive for s = 1.
pub fn without_gain(impact: &Impact, p: DVector<f64>) -> DVector<f64> {
    let first: f64 = p.iter().zip(impact.velocities).map(|(p, u)| p * u).sum();
    let second = p.dot(&(impact.inverse_mass * &p));
    if first + 0.5 * second > 0.0 && first < 0.0 {
        return p * (-2.0 * first / second);
    }
    p
}

struct Spring {
    elastic: PowerLaw,
    damping: Option<Inferred>,
    /// 1/W_nn [kg].
    mass: f64,
    /// Row n of W over W_nn.
    row: Six,
    resistance: TouchResistance,
    /// Small speed of each component.
    slip: Six,
    /// Depth at the fastest approach [m].
    depth: f64,
    least: f64,
}

struct Springs<'a> {
    impact: &'a Impact<'a>,
    before: DVector<f64>,
    /// `None` for a contact whose approach no impulse changes.
    each: Vec<Option<Spring>>,
    scales: DVector<f64>,
    /// Fastest approach [m/s].
    fastest: f64,
}

impl<'a> Springs<'a> {
    fn new(impact: &'a Impact<'a>, least: &[f64]) -> Self {
        let count = least.len();
        let before = DVector::from_column_slice(impact.velocities);
        let fastest = (0..count)
            .map(|i| -before[COMPONENTS * i])
            .fold(0.0, f64::max);
        let mut tables = Tables::default();
        let mut scales = DVector::from_element(count * (1 + COMPONENTS), f64::INFINITY);
        let mut each = Vec::with_capacity(count);
        for (i, (touch, &least)) in impact.touches.iter().zip(least).enumerate() {
            let n = COMPONENTS * i;
            let w = |j: usize| impact.inverse_mass[(n + j, n + j)];
            if !least.is_finite() {
                each.push(None);
                continue;
            }
            let mass = 1.0 / w(0);
            let resistance = TouchResistance::new(touch);
            let depth = touch.elastic.depth_after_impact(mass, fastest);
            scales[i] = depth;
            scales[count + n] = mass * fastest;
            let mut slip = Six::zeros();
            for group in resistance.groups() {
                let square: f64 = group.place().map(w).sum();
                for j in group.place() {
                    slip[j] = SLIP * fastest * (square * mass).sqrt();
                    scales[count + n + j] = group.limit * mass * fastest;
                }
            }
            each.push(Some(Spring {
                elastic: touch.elastic,
                damping: Inferred::new(&touch.restitution, &mut tables),
                mass,
                row: impact
                    .inverse_mass
                    .fixed_view::<1, COMPONENTS>(n, n)
                    .transpose()
                    * mass,
                resistance,
                slip,
                depth,
                least,
            }));
        }
        Springs {
            impact,
            before,
            each,
            scales,
            fastest,
        }
    }

    /// Shortest compression time of a contact [s].
    fn time(&self) -> f64 {
        let depths = self.each.iter().flatten().map(|x| x.depth);
        depths.fold(f64::INFINITY, f64::min) / self.fastest
    }

    fn velocities(&self, y: &DVector<f64>) -> DVector<f64> {
        let count = self.each.len();
        &self.before + self.impact.inverse_mass * y.rows(count, COMPONENTS * count)
    }

    fn have_parted(&self, y: &DVector<f64>, u: &DVector<f64>) -> bool {
        self.each.iter().enumerate().all(|(i, x)| match x {
            Some(x) => y[i] <= 0.0 && -u[COMPONENTS * i] <= x.least,
            None => true,
        })
    }

    /// Longest step at the velocities u [s].
    fn longest(&self, u: &DVector<f64>) -> f64 {
        let mut longest = f64::INFINITY;
        for (i, spring) in self.each.iter().enumerate() {
            if let Some(spring) = spring {
                longest = longest.min(LONGEST * spring.depth / u[COMPONENTS * i].abs());
            }
        }
        longest
    }

    fn rates(&self, y: &DVector<f64>) -> DVector<f64> {
        let count = self.each.len();
        let u = self.velocities(y);
        let mut rates = DVector::zeros(y.len());
        for (i, spring) in self.each.iter().enumerate() {
            let n = COMPONENTS * i;
            rates[i] = -u[n];
            if let Some(spring) = spring {
                let own: Six = u.fixed_rows::<COMPONENTS>(n).into();
                let force = spring.force(y[i], &own);
                rates
                    .fixed_rows_mut::<COMPONENTS>(count + n)
                    .copy_from(&force);
            }
        }
        rates
    }

    /// State after a step h [s], and its error relative to the tolerance.
    fn step(&self, y: &DVector<f64>, h: f64) -> (DVector<f64>, f64) {
        let rows: [&[f64]; 7] = [&[], &A2, &A3, &A4, &A5, &A6, &B];
        let mut slopes: Vec<DVector<f64>> = Vec::with_capacity(rows.len());
        let mut at = y.clone();
        for row in rows {
            at.copy_from(y);
            for (a, k) in row.iter().zip(&slopes) {
                at.axpy(h * a, k, 1.0);
            }
            slopes.push(self.rates(&at));
        }
        let mut estimate = DVector::zeros(y.len());
        for (e, k) in E.iter().zip(&slopes) {
            estimate.axpy(h * e, k, 1.0);
        }
        let each = estimate.iter().zip(self.scales.iter());
        let error = each.map(|(x, scale)| x.abs() / (TOLERANCE * scale));
        (at, error.fold(0.0, f64::max))
    }
}

impl Spring {
    fn force(&self, depth: f64, u: &Six) -> Six {
        let mut force = Six::zeros();
        if depth <= 0.0 {
            return force;
        }
        force[0] = 1.0;
        for group in self.resistance.groups() {
            let size = group.size(u);
            force -= group.of(u) * (group.limit / reg(size, self.slip[group.first]));
        }
        let (elastic, s_2) = self.elastic.force_and_speed(depth, self.mass);
        let s_2 = s_2 * self.row.dot(&force).max(LEAST_MOBILITY);
        let factor = self.damping.as_ref().map_or(1.0, |x| x.factor(-u[0], s_2));
        force * (elastic * factor.max(0.0))
    }
}
