//! Several contacts at once, in two phases. [Glocker 1995]
//!
//! Compression: the least impulses with u_n >= 0, each contact that still approaches carrying one and
//! friction opposing the slip at the end of the phase. Expansion, [`Hypothesis::Poisson`]: each contact
//! gives e times its normal impulse of compression, and more where it would approach otherwise;
//! [`Hypothesis::Energetic`] is the same here. [`Hypothesis::Newton`]: one phase with u_n >= -e u_n-; if
//! no impulses attain that, as of redundant contacts whose e differ, as [`Hypothesis::Poisson`].
//!
//! A contact that approaches at no more than its rest speed at first may keep its approach; pushed by
//! others it carries what keeps it at that. Its e is that of the approach speed W_nn p_c which its own
//! compression would take alone; a contact that approaches has the e of its approach.
//!
//! Impulses of compression and expansion lie in the cones of friction, and so does any p_c + s p_e, which
//! leaves no approach either: the largest s <= 1 without gain of energy is taken.
//!
//! Without friction each phase is a linear complementarity problem, [`complementarity`]. With friction the
//! contacts are solved one by one, [`cone`], until nothing changes: at first all from the same velocities,
//! which prefers none of them, then, if that converges slowly, in their order.
//!
//! LIMITATION: With friction the solution of redundant contacts is not unique; where sweeps converge
//! slowly which one is found depends on the order of the contacts (of a box on four corners by up to 3e-4
//! of its speed). Friction opposes the slip at the end of a phase: slip that reverses
//! within a phase is not followed. Contacts that friction wedges against each other take ever more impulse
//! without an end of their approach: no solution is found, and they are hit in turn.

use crate::impact::cone::{self, Limits};
use crate::impact::resistance::{Resistance, Six, Six2};
use crate::impact::single::Energy;
use crate::impact::{COMPONENTS, Hypothesis, Impact, Sum, Touch, complementarity};
use nalgebra::{DMatrix, DVector};

/// Contacts that are solved at once.
pub struct Group<'a> {
    /// W of these contacts.
    w: DMatrix<f64>,
    /// Velocities at the start.
    u: DVector<f64>,
    touches: Vec<&'a Touch>,
    resistances: Vec<Resistance>,
}

/// Most sweeps that take all contacts at once.
const SWEEPS_AT_ONCE: usize = 200;
/// Most sweeps over the contacts in their order.
const SWEEPS: usize = 2000;
/// Sweeps that halve the change of a sweep if more of them are to follow.
const ROUND: usize = 100;
/// Change of a sweep, relative to the impulses in the norm p.W p, at which sweeps end [1].
const CHANGE: f64 = 1e-14;
/// Approach that is left by impulses that end it, relative to that before [1]: far above rounding.
const MISSED: f64 = 1e-8;
/// By how much smaller a part of the next sweep is taken if its change is larger than the last [1].
const SMALLER: f64 = 0.8;
/// By how much larger if not [1].
const LARGER: f64 = 1.01;
/// Change with which they may end at [`SWEEPS`] [1].
const CHANGE_AT_LAST: f64 = 1e-11;

impl<'a> Group<'a> {
    /// Of the contacts `members` of an impact, at the velocities `u` of all contacts.
    pub fn new(
        w: &DMatrix<f64>,
        u: &DVector<f64>,
        touches: &'a [Touch],
        members: &[usize],
    ) -> Self {
        let rows: Vec<usize> = members.iter().flat_map(|&i| components(i)).collect();
        let touches: Vec<&Touch> = members.iter().map(|&i| &touches[i]).collect();
        Group {
            w: w.select_rows(&rows).select_columns(&rows),
            u: u.select_rows(&rows),
            resistances: touches.iter().map(|x| Resistance::new(x)).collect(),
            touches,
        }
    }

    /// Impulses of the group; none if none end all approach, which takes bodies whose motion is
    /// prescribed, or if sweeps do not converge, as of wedged contacts.
    pub fn solve(&self, hypothesis: Hypothesis) -> Option<DVector<f64>> {
        let p_c = self.compression()?;
        let newton = match hypothesis {
            Hypothesis::Newton => self.phase(&self.u, |i| self.newton(i)),
            Hypothesis::Poisson | Hypothesis::Energetic => None,
        };
        let p_e = match newton {
            Some(p) => p - &p_c,
            None => self.expansion(&p_c)?,
        };
        let (w_p_c, w_p_e) = (&self.w * &p_c, &self.w * &p_e);
        let s = Energy::of(&self.u, [&p_c, &w_p_c], [&p_e, &w_p_e]).largest();
        Some(p_c + p_e * s)
    }

    /// Impulses without any expansion; none as for [`Group::solve`].
    pub fn compression(&self) -> Option<DVector<f64>> {
        let limits = |i: usize| Limits {
            floor: 0.0,
            bound: self.kept(i),
        };
        self.phase(&self.u, limits)
    }

    fn expansion(&self, p_c: &DVector<f64>) -> Option<DVector<f64>> {
        let u = &self.u + &self.w * p_c;
        self.phase(&u, |i| {
            let n = COMPONENTS * i;
            let speed = match self.approaches(i) {
                true => -self.u[n],
                false => self.w[(n, n)] * p_c[n],
            };
            Limits {
                floor: self.touches[i].restitution.at(speed) * p_c[n],
                bound: self.kept(i),
            }
        })
    }

    fn newton(&self, i: usize) -> Limits {
        let u_n = self.u[COMPONENTS * i];
        Limits {
            floor: 0.0,
            bound: match self.approaches(i) {
                true => -self.touches[i].restitution.at(-u_n) * u_n,
                false => self.kept(i),
            },
        }
    }

    /// Whether a contact approaches faster than its rest speed at first.
    fn approaches(&self, i: usize) -> bool {
        self.u[COMPONENTS * i] < -self.touches[i].rest_speed
    }

    /// Normal velocity that a contact may keep [m/s], <= 0.
    fn kept(&self, i: usize) -> f64 {
        match self.approaches(i) {
            true => 0.0,
            false => self.u[COMPONENTS * i].min(0.0),
        }
    }

    /// Impulses of a phase from the velocities `u`; none if none keep to the limits, or if sweeps do
    /// not converge.
    fn phase(&self, u: &DVector<f64>, limits: impl Fn(usize) -> Limits) -> Option<DVector<f64>> {
        let count = self.touches.len();
        let limits: Vec<Limits> = (0..count).map(limits).collect();
        let mut p = self.without_friction(u, &limits);
        let velocities = u + &self.w * &p;
        if !self.keep_to(&velocities, &limits) {
            return None;
        }
        if self.resistances.iter().all(Resistance::is_none) {
            return Some(p);
        }
        let has_ended =
            self.all_at_once(&mut p, u, &limits) || self.one_after_the_other(&mut p, u, &limits);
        let velocities = u + &self.w * &p;
        (has_ended && self.keep_to(&velocities, &limits)).then_some(p)
    }

    /// Improves impulses by sweeps that take all contacts from the same velocities, so that their order
    /// does not matter (block Jacobi); whether nothing changes any more.
    fn all_at_once(&self, p: &mut DVector<f64>, u: &DVector<f64>, limits: &[Limits]) -> bool {
        let (mut last, mut part) = (f64::INFINITY, 1.0);
        for _ in 0..SWEEPS_AT_ONCE {
            let velocities = u + &self.w * &*p;
            let mut found = p.clone();
            for i in 0..limits.len() {
                let own = self.improved(i, p, &velocities, limits);
                found
                    .fixed_rows_mut::<COMPONENTS>(COMPONENTS * i)
                    .copy_from(&own);
            }
            let by = &found - &*p;
            let change = self.size(&by);
            part = match change > last {
                true => f64::max(part * SMALLER, 1.0 / limits.len() as f64),
                false => f64::min(part * LARGER, 1.0),
            };
            last = change;
            *p += by * part;
            if change <= CHANGE * self.size(&found) {
                return true;
            }
        }
        false
    }

    /// Improves impulses by sweeps in the order of the contacts (block Gauss-Seidel), which converge
    /// faster; whether nothing changes any more.
    fn one_after_the_other(
        &self,
        p: &mut DVector<f64>,
        u: &DVector<f64>,
        limits: &[Limits],
    ) -> bool {
        let (mut change, mut round) = (f64::INFINITY, f64::INFINITY);
        let mut size = 0.0;
        for sweep in 1..=SWEEPS {
            let mut velocities = u + &self.w * &*p;
            let before = p.clone();
            for i in 0..limits.len() {
                let n = COMPONENTS * i;
                let own = self.improved(i, p, &velocities, limits);
                let by = own - p.fixed_rows::<COMPONENTS>(n);
                p.fixed_rows_mut::<COMPONENTS>(n).copy_from(&own);
                velocities += self.w.fixed_columns::<COMPONENTS>(n) * by;
            }
            (change, size) = (self.size(&(&*p - before)), self.size(p));
            if change <= CHANGE * size || (sweep % ROUND == 0 && change > 0.5 * round) {
                break;
            }
            if sweep % ROUND == 0 {
                round = change;
            }
        }
        change <= CHANGE_AT_LAST * size
    }

    /// Whether normal velocities keep to their limits, up to [`MISSED`] of what they were at the start.
    fn keep_to(&self, u: &DVector<f64>, limits: &[Limits]) -> bool {
        let size = |(i, x): (usize, &Limits)| self.u[COMPONENTS * i].abs().max(x.bound.abs());
        let slack = MISSED * limits.iter().enumerate().map(size).fold(0.0, f64::max);
        let mut each = limits.iter().enumerate();
        each.all(|(i, x)| u[COMPONENTS * i] >= x.bound - slack)
    }

    /// Impulses of a contact, those of the others as they are.
    fn improved(&self, i: usize, p: &DVector<f64>, u: &DVector<f64>, limits: &[Limits]) -> Six {
        let n = COMPONENTS * i;
        let w = self.own(i);
        let before: Six = p.fixed_rows::<COMPONENTS>(n).into();
        let u: Six = u.fixed_rows::<COMPONENTS>(n).into();
        cone::solve(&w, &(u - w * before), &self.resistances[i], limits[i])
    }

    /// W of one contact.
    fn own(&self, i: usize) -> Six2 {
        let n = COMPONENTS * i;
        self.w.fixed_view::<COMPONENTS, COMPONENTS>(n, n).into()
    }

    /// Norm of impulses, by the energy that each contact alone has of them.
    fn size(&self, p: &DVector<f64>) -> f64 {
        let each = (0..self.touches.len()).map(|i| {
            let own: Six = p.fixed_rows::<COMPONENTS>(COMPONENTS * i).into();
            own.dot(&(self.own(i) * own))
        });
        each.sum::<f64>().max(0.0).sqrt()
    }

    /// Normal impulses of a phase if nothing resists.
    fn without_friction(&self, u: &DVector<f64>, limits: &[Limits]) -> DVector<f64> {
        let count = limits.len();
        let d = DMatrix::from_fn(count, count, |i, j| {
            self.w[(COMPONENTS * i, COMPONENTS * j)]
        });
        let floor = DVector::from_fn(count, |i, _| limits[i].floor);
        let bound = DVector::from_fn(count, |i, _| limits[i].bound);
        let u_n = DVector::from_fn(count, |i, _| u[COMPONENTS * i]);
        let normal = complementarity::solve(&d, &(u_n + &d * &floor - bound)) + floor;
        let mut p = DVector::zeros(u.len());
        for (i, x) in normal.iter().enumerate() {
            p[COMPONENTS * i] = *x;
        }
        p
    }
}

/// Impulses of an impact, of those contacts whose `least` approach [m/s] to be hit is finite; none as
/// for [`Group::solve`].
pub fn solve(impact: &Impact, least: &[f64]) -> Option<Sum> {
    let members = movable(least);
    let u = DVector::from_column_slice(impact.velocities);
    let group = Group::new(impact.inverse_mass, &u, impact.touches, &members);
    let own = group.solve(impact.hypothesis)?;
    let mut p = DVector::zeros(u.len());
    for (at, &i) in members.iter().enumerate() {
        for (from, to) in components(at).zip(components(i)) {
            p[to] = own[from];
        }
    }
    Some(Sum {
        p,
        hits: 1,
        capped: false,
    })
}

/// Contacts whose approach an impulse changes.
pub fn movable(least: &[f64]) -> Vec<usize> {
    (0..least.len()).filter(|&i| least[i].is_finite()).collect()
}

/// Components of a contact.
pub fn components(contact: usize) -> std::ops::Range<usize> {
    COMPONENTS * contact..COMPONENTS * (contact + 1)
}
