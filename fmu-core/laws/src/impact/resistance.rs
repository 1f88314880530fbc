//! The contacts of an impact, and the friction, rolling and spinning resistance of each: impulses r against
//! relative motion, bounded by a limit times the normal impulse.
//!
//! Each [`Group`] of components has a limit m: along dp_n a moving group has dp/dp_n = -m u/|u|. Groups at
//! rest minimise r.W r/2 + r.b over |r| <= m, b being the acceleration, per p_n, from all else: inside the
//! limit nothing moves, W r + b = 0; at the limit W r + b = -lambda r, so the group starts to move exactly
//! against its impulse. The minimum is unique in W r + b.

use crate::response::choice::{Hypothesis, MultiImpact};
use crate::response::normal::PowerLaw;
use crate::response::restitution::Restitution;
use nalgebra::{DMatrix, DVector, SMatrix, SVector};

/// Components of a contact in its own frame: [n, t1, t2, spin about n, roll about t1, roll about t2].
/// Velocities [m/s, rad/s] are of body 2 relative to body 1, n points from 1 to 2, impulses [N s, N m s] act
/// on 2.
pub const COMPONENTS: usize = 6;

/// Contact that can transmit impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Coefficient of restitution.
    pub restitution: Restitution,
    /// Coefficient of friction [1], >= 0.
    pub friction: f64,
    /// Rolling resistance: largest torque impulse per normal impulse [m], >= 0.
    pub rolling: f64,
    /// Spinning resistance: largest torque impulse per normal impulse [m], >= 0; if `None`, spinning is part
    /// of rolling.
    pub spinning: Option<f64>,
    /// Approach speed [m/s] up to which there is no impulse, >= 0.
    pub rest_speed: f64,
    /// Whether the contact starts at this impact.
    pub starts: bool,
    /// Elastic force, for [`MultiImpact::Compliant`].
    pub elastic: PowerLaw,
}

/// Impact to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Impact<'a> {
    /// W [1/kg, 1/(kg m), 1/(kg m2)], square with [`COMPONENTS`] rows per contact, symmetric and positive
    /// semidefinite.
    pub inverse_mass: &'a DMatrix<f64>,
    /// Velocities before the impact, [`COMPONENTS`] per contact.
    pub velocities: &'a [f64],
    /// The contacts.
    pub touches: &'a [Touch],
    /// Restitution hypothesis: end of expansion.
    pub hypothesis: Hypothesis,
    /// How several contacts share the impact.
    pub multi: MultiImpact,
}

/// Impulses of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Impulses of all contacts.
    pub p: DVector<f64>,
    /// Number of times a contact or a group was solved.
    pub hits: u32,
    /// Whether a solve was cut short.
    pub capped: bool,
}

pub(super) type Six = SVector<f64, COMPONENTS>;
/// W of one contact.
pub(super) type Six2 = SMatrix<f64, COMPONENTS, COMPONENTS>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    pub first: usize,
    /// Number of components, 1 to 3.
    pub(crate) count: usize,
    /// Largest impulse per normal impulse [1] or [m], > 0.
    pub limit: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TouchResistance {
    groups: [Option<Group>; 3],
}

impl TouchResistance {
    /// Groups of a contact: friction along t1 and t2, spinning about n, rolling about t1 and t2; the last two
    /// form one group if they share a coefficient.
    pub(super) fn new(touch: &Touch) -> Self {
        let group = |first, count, limit: f64| {
            let group = Group {
                first,
                count,
                limit,
            };
            (limit > 0.0).then_some(group)
        };
        let friction = group(1, 2, touch.friction);
        let groups = match touch.spinning {
            None => [friction, group(3, 3, touch.rolling), None],
            Some(spinning) => [friction, group(3, 1, spinning), group(4, 2, touch.rolling)],
        };
        TouchResistance { groups }
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        self.groups.iter().flatten().copied()
    }

    pub(super) fn is_none(&self) -> bool {
        self.groups.iter().all(Option::is_none)
    }

    /// r of the groups that are `free`, zero elsewhere, under the accelerations b: the minimum of r.W r/2 +
    /// r.b with |r| bounded by `scale` times the limit of each group.
    ///
    /// Groups are solved in turn; each sweep is followed by an attempt of Newton's method for all at once.
    pub(super) fn holding(
        &self,
        w: &Six2,
        b: &Six,
        scale: f64,
        free: impl Fn(&Group) -> bool,
    ) -> Six {
        let mut r = Six::zeros();
        let free = self.groups.map(|x| x.filter(|x| free(x)));
        let groups = || free.iter().flatten();
        if groups().count() == 1 {
            return groups().map(|x| x.resist(w, b, scale * x.limit)).sum();
        }
        for _ in 0..HOLDING_SWEEPS {
            let before = r;
            for group in groups() {
                let own = group.of(&r);
                let rest = b + w * (r - own);
                r += group.resist(w, &rest, scale * group.limit) - own;
            }
            let scaled = |x: Six| groups().map(|g| g.size(&x) / g.limit).sum::<f64>();
            if scaled(r - before) <= HOLDING_CHANGE * scaled(r) {
                break;
            }
            if let Some(found) = at_once(&free, w, b, scale, &r) {
                return found;
            }
        }
        r
    }

    /// Largest ratio of an impulse to its limit [1]; zero without impulses.
    pub(super) fn cone(&self, p: &Six) -> f64 {
        let ratio = |group: Group| match group.size(p) {
            0.0 => 0.0,
            size => size / (group.limit * p[0]),
        };
        self.groups().map(ratio).fold(0.0, f64::max)
    }
}

/// Maximum sweeps over coupled groups at rest; each reduces the objective, one is usual.
const HOLDING_SWEEPS: usize = 50;
/// Maximum steps of Newton's method for all groups at once; four are usual.
const HOLDING_STEPS: usize = 8;
/// Relative change of a sweep that ends the iteration [1]: rounding.
const HOLDING_CHANGE: f64 = 1e-15;

/// Minimum by Newton's method from an approximate one; `None` if the method fails or leads elsewhere.
///
/// (W + L) r = -b, L diagonal with a lambda_g >= 0 for each group at its limit m_g there, so that 1/|r_g| =
/// 1/m_g. With K = (W + L)^-1 d|r_g|/d lambda_h = -r_g.K r_h/|r_g|.
fn at_once(groups: &[Option<Group>; 3], w: &Six2, b: &Six, scale: f64, near: &Six) -> Option<Six> {
    let slope = b + w * near;
    let most = groups.map(|x| x.map_or(0.0, |x| scale * x.limit));
    let mut lambda = [0.0; 3];
    let mut limited = [false; 3];
    for (i, group) in groups.iter().enumerate() {
        let Some(group) = group else { continue };
        limited[i] = group.size(near) >= most[i] * (1.0 - NEAR_LIMIT);
        if limited[i] {
            lambda[i] = (-slope.dot(&group.of(near)) / (most[i] * most[i])).max(0.0);
        }
    }
    for _ in 0..HOLDING_STEPS {
        let l = shifted(groups, w, &lambda);
        let r = -solve(&l, &masked(groups, b));
        let sizes = groups.map(|x| x.map_or(0.0, |x| x.size(&r)));
        let is_off = |i: &usize| (sizes[*i] - most[*i]).abs() > 4.0 * f64::EPSILON * most[*i];
        if !(0..3).any(|i| limited[i] && is_off(&i)) {
            let is_least = (0..3).all(|i| match limited[i] {
                true => lambda[i] >= 0.0,
                false => sizes[i] <= most[i],
            });
            let each = groups.iter().zip(lambda);
            let held: Six = each.flat_map(|(g, x)| g.map(|g| g.of(&r) * x)).sum();
            let rest = masked(groups, &(w * r + b)) + held;
            let is_exact = rest.norm() <= LEFT * masked(groups, b).norm();
            return (is_least && is_exact).then_some(r);
        }
        let mut jacobian = nalgebra::Matrix3::identity();
        let mut rest = nalgebra::Vector3::zeros();
        for h in 0..3 {
            let (true, Some(group_h)) = (limited[h], groups[h]) else {
                continue;
            };
            rest[h] = 1.0 / most[h] - 1.0 / sizes[h];
            let k_r = solve(&l, &group_h.of(&r));
            for g in 0..3 {
                if let (true, Some(group_g)) = (limited[g], groups[g]) {
                    let size = sizes[g];
                    jacobian[(g, h)] = group_g.of(&r).dot(&k_r) / (size * size * size);
                }
            }
        }
        let step = jacobian.try_inverse()? * rest;
        for i in 0..3 {
            lambda[i] += step[i];
        }
    }
    None
}

/// Relative residual of b that a singular W may leave [1].
const LEFT: f64 = 1e-11;
/// Relative distance below a limit that counts as at the limit [1].
const NEAR_LIMIT: f64 = 1e-6;

fn masked(groups: &[Option<Group>; 3], x: &Six) -> Six {
    groups.iter().flatten().map(|g| g.of(x)).sum()
}

/// L with L L^T = W + lambda on the components of groups, 1 on the diagonal elsewhere; pivots that are zero
/// except for rounding are set to that rounding.
fn shifted(groups: &[Option<Group>; 3], w: &Six2, lambda: &[f64; 3]) -> Six2 {
    let mut free = [false; COMPONENTS];
    let mut l = Six2::identity();
    for (group, lambda) in groups.iter().zip(lambda) {
        for i in group.iter().flat_map(Group::place) {
            free[i] = true;
            l[(i, i)] = w[(i, i)] + lambda;
        }
    }
    let trace = (0..COMPONENTS).filter(|&i| free[i]).map(|i| l[(i, i)]);
    let least = (SINGULAR * trace.fold(0.0, f64::max)).max(f64::MIN_POSITIVE);
    for i in 0..COMPONENTS {
        for j in 0..=i {
            let between = free[i] && free[j];
            let own = match i == j {
                true => l[(i, i)],
                false if between => w[(i, j)],
                false => 0.0,
            };
            let known: f64 = (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum();
            let rest = own - known;
            l[(i, j)] = match i == j {
                true => rest.max(if free[i] { least } else { 1.0 }).sqrt(),
                false => rest / l[(j, j)],
            };
        }
    }
    l
}

/// (L L^T)^-1 x.
fn solve(l: &Six2, x: &Six) -> Six {
    let mut x = *x;
    for i in 0..COMPONENTS {
        let known: f64 = (0..i).map(|k| l[(i, k)] * x[k]).sum();
        x[i] = (x[i] - known) / l[(i, i)];
    }
    for i in (0..COMPONENTS).rev() {
        let known: f64 = (i + 1..COMPONENTS).map(|k| l[(k, i)] * x[k]).sum();
        x[i] = (x[i] - known) / l[(i, i)];
    }
    x
}

impl Group {
    pub(super) fn place(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }

    pub(super) fn of(&self, x: &Six) -> Six {
        let mut part = Six::zeros();
        for i in self.place() {
            part[i] = x[i];
        }
        part
    }

    pub(super) fn size(&self, x: &Six) -> f64 {
        self.of(x).norm()
    }

    /// Minimum of r.W r/2 + r.b over |r| <= `most`, with b without the contribution of r.
    ///
    /// With lambda >= 0: (W + lambda) r = -b, lambda = 0 or |r| = `most`. 1/|r| is almost linear in lambda,
    /// and Newton's method from below converges monotonically, [More 1983] J. J. More, D. C. Sorensen,
    /// Computing a trust region step, SIAM J. Sci. Stat. Comput. 4.
    fn resist(&self, w: &Six2, b: &Six, most: f64) -> Six {
        let size = self.size(b);
        if size == 0.0 || most <= 0.0 {
            return Six::zeros();
        }
        let trace: f64 = self.place().map(|i| w[(i, i)]).sum();
        if let Some((r, _)) = self.shifted(w, b, 0.0, SINGULAR * trace)
            && r.norm() <= most
        {
            return r;
        }
        let mut lambda = (size / most - trace)
            .max(SLIGHT * trace)
            .max(f64::MIN_POSITIVE);
        let mut r = self.of(b) * (-most / size);
        for _ in 0..ROOT_STEPS {
            let Some((found, slope)) = self.shifted(w, b, lambda, 0.0) else {
                break;
            };
            r = found;
            let norm = r.norm();
            let more = (norm - most) / most * norm * norm / slope;
            // Below the limit with a slight lambda: W has a direction without inertia.
            if norm <= most || !more.is_finite() || more <= SLIGHT * lambda {
                break;
            }
            lambda += more;
        }
        let norm = r.norm();
        match norm > most || lambda > 2.0 * SLIGHT * trace {
            true => r * (most / norm),
            false => r,
        }
    }

    /// r = -(W + lambda)^-1 b and r.(W + lambda)^-1 r; `None` if a pivot is not above `least`.
    fn shifted(&self, w: &Six2, b: &Six, lambda: f64, least: f64) -> Option<(Six, f64)> {
        let n = self.count;
        let mut l = [[0.0; 3]; 3];
        for i in 0..n {
            for j in 0..=i {
                let mut rest = w[(self.first + i, self.first + j)];
                if i == j {
                    rest += lambda;
                }
                rest -= (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
                l[i][j] = match i == j {
                    true if rest > least => rest.sqrt(),
                    true => return None,
                    false => rest / l[j][j],
                };
            }
        }
        let forward = |x: &mut [f64; 3]| {
            for i in 0..n {
                let known: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
                x[i] = (x[i] - known) / l[i][i];
            }
        };
        let mut r = [0.0; 3];
        for (i, x) in r.iter_mut().enumerate().take(n) {
            *x = -b[self.first + i];
        }
        forward(&mut r);
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| l[k][i] * r[k]).sum();
            r[i] = (r[i] - known) / l[i][i];
        }
        let mut full = Six::zeros();
        for i in 0..n {
            full[self.first + i] = r[i];
        }
        forward(&mut r);
        Some((full, r.iter().map(|x| x * x).sum()))
    }
}

/// Pivot, relative to the trace of W, below which W is singular [1]: some digits above rounding.
const SINGULAR: f64 = 1e-13;
/// Fraction of the trace or of lambda that is rounding [1].
const SLIGHT: f64 = 1e-15;
/// Maximum steps of Newton's method; five are usual.
const ROOT_STEPS: usize = 100;
