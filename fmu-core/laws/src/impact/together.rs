//! Several contacts at once, in two phases. [Glocker 1995]
//!
//! Compression: the smallest impulses with u_n >= 0; each contact that still approaches carries one, and
//! friction opposes the slip at the end of the phase. Expansion, [`Hypothesis::Poisson`]: each contact gives
//! e times its normal impulse of compression, and more if it would approach otherwise;
//! [`Hypothesis::Energetic`] is the same here. [`Hypothesis::Newton`]: one phase with u_n >= -e u_n-; if no
//! impulses attain that, as for redundant contacts whose e differ, like [`Hypothesis::Poisson`].
//!
//! A contact that initially approaches no faster than its rest speed may keep its approach; pushed by others
//! it carries what keeps it at that. Its e belongs to the approach speed W_nn p_c that its own compression
//! would take alone; for any other contact e belongs to its approach.
//!
//! Impulses of compression and expansion lie in the friction cones, and so does any p_c + s p_e, which leaves
//! no approach either: the largest s <= 1 without gain of energy is taken.
//!
//! Without friction each phase is a linear complementarity problem, [`complementarity`]. With friction the
//! contacts are solved one by one, [`complementarity::solve_cone`], until convergence: first by block Jacobi
//! sweeps, which prefer no contact, then, if these converge slowly, by block Gauss-Seidel sweeps in the order
//! of the contacts.
//!
//! LIMITATION: With friction the solution of redundant contacts is not unique; if sweeps converge slowly it
//! depends on the order of the contacts (for a box on four corners by up to 3e-4 of its speed). Friction
//! opposes the slip at the end of a phase; slip reversal within a phase is not followed. Contacts wedged by
//! friction take ever more impulse without an end of their approach: no solution is found, and they are hit
//! in turn.
//!
//! # Several contacts, one hit after the other
//!
//! First those that start and approach, simultaneously. Then, as long as a contact approaches faster than its
//! rest speed, the fastest of them; approaches equal up to [`TIE`] are hit simultaneously, so that a
//! symmetric impact ends symmetrically. Each hit takes the restitution of its own approach. After [`HITS`]
//! hits all contacts end without expansion: small restitutions cause infinitely many hits, three balls below
//! 7 - 4 sqrt(3). [McNamara 1992] S. McNamara, W. R. Young, Inelastic collapse and clumping in a
//! one-dimensional granular medium, Physics of Fluids A 4.
//!
//! # A single contact
//!
//! Its impulse path to the end defined by a hypothesis, reduced until it creates no energy.
//!
//! Newton's hypothesis may create energy where slip changes, [Kane & Levinson 1985] T. R. Kane, D. A.
//! Levinson, Dynamics: Theory and Applications. Of p = p_c + s (p_end - p_c) the largest s <= 1 is taken with
//! p.(u- + u+)/2 <= 0: limits of friction hold for any s, and no contact approaches at the end.

use crate::impact::complementarity;
use crate::impact::complementarity::NormalLimits;
use crate::impact::path::{End, Path, Point};
use crate::impact::resistance::{COMPONENTS, Impact, Six, Six2, Solution, Touch, TouchResistance};
use crate::response::choice::Hypothesis;
use nalgebra::{DMatrix, DVector};

pub(super) struct ContactGroup<'a> {
    w: DMatrix<f64>,
    u: DVector<f64>,
    touches: Vec<&'a Touch>,
    resistances: Vec<TouchResistance>,
}

const SWEEPS_AT_ONCE: usize = 200;
const SWEEPS: usize = 2000;
/// Number of sweeps that must halve the change of a sweep for more to follow.
const ROUND: usize = 100;
/// Change of a sweep, relative to the impulses in the norm p.W p, that ends the iteration [1].
const CHANGE: f64 = 1e-14;
/// Relative approach left by impulses that end it [1]: far above rounding.
const MISSED: f64 = 1e-8;
/// Factor on the relaxation of the next sweep if its change is larger than the last [1].
const SMALLER: f64 = 0.8;
/// Factor on it otherwise [1].
const LARGER: f64 = 1.01;
/// Change accepted at [`SWEEPS`] [1].
const CHANGE_AT_LAST: f64 = 1e-11;

impl<'a> ContactGroup<'a> {
    /// Contacts `members` of an impact, at the velocities `u` of all contacts.
    pub(super) fn new(
        w: &DMatrix<f64>,
        u: &DVector<f64>,
        touches: &'a [Touch],
        members: &[usize],
    ) -> Self {
        let rows: Vec<usize> = members.iter().flat_map(|&i| components(i)).collect();
        let touches: Vec<&Touch> = members.iter().map(|&i| &touches[i]).collect();
        ContactGroup {
            w: w.select_rows(&rows).select_columns(&rows),
            u: u.select_rows(&rows),
            resistances: touches.iter().map(|x| TouchResistance::new(x)).collect(),
            touches,
        }
    }

    /// Impulses of the group; `None` if none end all approach, as for bodies with prescribed motion, or if
    /// sweeps do not converge, as for wedged contacts.
    pub(super) fn solve(&self, hypothesis: Hypothesis) -> Option<DVector<f64>> {
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

    /// Impulses without expansion; `None` as for [`ContactGroup::solve`].
    pub(super) fn compression(&self) -> Option<DVector<f64>> {
        let limits = |i: usize| NormalLimits {
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
            NormalLimits {
                floor: self.touches[i].restitution.at(speed) * p_c[n],
                bound: self.kept(i),
            }
        })
    }

    fn newton(&self, i: usize) -> NormalLimits {
        let u_n = self.u[COMPONENTS * i];
        NormalLimits {
            floor: 0.0,
            bound: match self.approaches(i) {
                true => -self.touches[i].restitution.at(-u_n) * u_n,
                false => self.kept(i),
            },
        }
    }

    /// Returns true if a contact initially approaches faster than its rest speed.
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

    /// Impulses of a phase from the velocities `u`; `None` if the limits cannot be met, or if sweeps do not
    /// converge.
    fn phase(
        &self,
        u: &DVector<f64>,
        limits: impl Fn(usize) -> NormalLimits,
    ) -> Option<DVector<f64>> {
        let count = self.touches.len();
        let limits: Vec<NormalLimits> = (0..count).map(limits).collect();
        let mut p = self.without_friction(u, &limits);
        let velocities = u + &self.w * &p;
        if !self.keep_to(&velocities, &limits) {
            return None;
        }
        if self.resistances.iter().all(TouchResistance::is_none) {
            return Some(p);
        }
        let has_ended =
            self.all_at_once(&mut p, u, &limits) || self.one_after_the_other(&mut p, u, &limits);
        let velocities = u + &self.w * &p;
        (has_ended && self.keep_to(&velocities, &limits)).then_some(p)
    }

    /// Improves impulses by block Jacobi sweeps, independent of the order of contacts; returns true if
    /// converged.
    fn all_at_once(&self, p: &mut DVector<f64>, u: &DVector<f64>, limits: &[NormalLimits]) -> bool {
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

    /// Improves impulses by block Gauss-Seidel sweeps, which converge faster; returns true if converged.
    fn one_after_the_other(
        &self,
        p: &mut DVector<f64>,
        u: &DVector<f64>,
        limits: &[NormalLimits],
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

    /// Returns true if normal velocities meet their limits, up to [`MISSED`] of their initial values.
    fn keep_to(&self, u: &DVector<f64>, limits: &[NormalLimits]) -> bool {
        let size = |(i, x): (usize, &NormalLimits)| self.u[COMPONENTS * i].abs().max(x.bound.abs());
        let slack = MISSED * limits.iter().enumerate().map(size).fold(0.0, f64::max);
        let mut each = limits.iter().enumerate();
        each.all(|(i, x)| u[COMPONENTS * i] >= x.bound - slack)
    }

    fn improved(
        &self,
        i: usize,
        p: &DVector<f64>,
        u: &DVector<f64>,
        limits: &[NormalLimits],
    ) -> Six {
        let n = COMPONENTS * i;
        let w = self.own(i);
        let before: Six = p.fixed_rows::<COMPONENTS>(n).into();
        let u: Six = u.fixed_rows::<COMPONENTS>(n).into();
        complementarity::solve_cone(&w, &(u - w * before), &self.resistances[i], limits[i])
    }

    fn own(&self, i: usize) -> Six2 {
        let n = COMPONENTS * i;
        self.w.fixed_view::<COMPONENTS, COMPONENTS>(n, n).into()
    }

    /// Norm of impulses by the energy that each contact alone receives.
    fn size(&self, p: &DVector<f64>) -> f64 {
        let each = (0..self.touches.len()).map(|i| {
            let own: Six = p.fixed_rows::<COMPONENTS>(COMPONENTS * i).into();
            own.dot(&(self.own(i) * own))
        });
        each.sum::<f64>().max(0.0).sqrt()
    }

    /// Normal impulses of a phase without friction.
    fn without_friction(&self, u: &DVector<f64>, limits: &[NormalLimits]) -> DVector<f64> {
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

/// Impulses of an impact on contacts with finite `least` approach [m/s]; `None` as for
/// [`ContactGroup::solve`].
pub(super) fn solve(impact: &Impact, least: &[f64]) -> Option<Solution> {
    let members = movable(least);
    let u = DVector::from_column_slice(impact.velocities);
    let group = ContactGroup::new(impact.inverse_mass, &u, impact.touches, &members);
    let own = group.solve(impact.hypothesis)?;
    let mut p = DVector::zeros(u.len());
    for (at, &i) in members.iter().enumerate() {
        for (from, to) in components(at).zip(components(i)) {
            p[to] = own[from];
        }
    }
    Some(Solution {
        p,
        hits: 1,
        capped: false,
    })
}

/// Contacts whose approach an impulse changes.
pub(super) fn movable(least: &[f64]) -> Vec<usize> {
    (0..least.len()).filter(|&i| least[i].is_finite()).collect()
}

pub(super) fn components(contact: usize) -> std::ops::Range<usize> {
    COMPONENTS * contact..COMPONENTS * (contact + 1)
}

pub(super) const HITS: u32 = 1000;
/// Relative difference up to which approach speeds are equal [1]: well above rounding.
pub const TIE: f64 = 1e-9;

/// Impulses of an impact whose contact i is hit if its approach exceeds `least[i]` [m/s].
pub(super) fn solve_in_turn(impact: &Impact, least: &[f64]) -> Solution {
    let mut state = State::new(impact);
    let starting = |i: &usize| impact.touches[*i].starts;
    let first: Vec<usize> = state.approaching(least).filter(starting).collect();
    state.hit(&first);
    while state.sum.hits < HITS {
        let approaching: Vec<usize> = state.approaching(least).collect();
        let speeds = approaching.iter().map(|&i| state.approach(i));
        let fastest = speeds.fold(0.0, f64::max);
        let tied = |i: &usize| state.approach(*i) >= fastest * (1.0 - TIE);
        let next: Vec<usize> = approaching.into_iter().filter(tied).collect();
        if next.is_empty() {
            return state.sum;
        }
        state.hit(&next);
    }
    state.finish(least);
    state.sum
}

/// Impulses of a single simultaneous hit of these contacts.
pub(super) fn once(impact: &Impact, members: &[usize]) -> Solution {
    let mut state = State::new(impact);
    state.hit(members);
    state.sum
}

/// Impulses that end all approach without expansion.
pub(super) fn stop(impact: &Impact, least: &[f64]) -> Solution {
    let mut state = State::new(impact);
    state.finish(least);
    state.sum
}

struct State<'a> {
    impact: &'a Impact<'a>,
    u: DVector<f64>,
    sum: Solution,
}

impl<'a> State<'a> {
    fn new(impact: &'a Impact<'a>) -> Self {
        State {
            impact,
            u: DVector::from_column_slice(impact.velocities),
            sum: Solution {
                p: DVector::zeros(impact.velocities.len()),
                hits: 0,
                capped: false,
            },
        }
    }

    fn approach(&self, i: usize) -> f64 {
        -self.u[COMPONENTS * i]
    }

    fn approaching(&self, least: &[f64]) -> impl Iterator<Item = usize> {
        (0..least.len()).filter(|&i| self.approach(i) > least[i])
    }

    fn hit(&mut self, members: &[usize]) {
        let Impact {
            inverse_mass: w,
            touches,
            hypothesis,
            ..
        } = *self.impact;
        if members.len() > 1
            && let Some(p) = ContactGroup::new(w, &self.u, touches, members).solve(hypothesis)
        {
            return self.add(members, &p, false);
        }
        // One of them, if no simultaneous solution is found: the rest follows.
        let Some(&i) = members.first() else {
            return;
        };
        let n = COMPONENTS * i;
        let own = w.fixed_view::<COMPONENTS, COMPONENTS>(n, n).into();
        let u = self.u.fixed_rows::<COMPONENTS>(n).into();
        let (p, capped) = hit(&own, &u, &touches[i], hypothesis);
        self.add(&[i], &DVector::from_column_slice(p.as_slice()), capped);
    }

    fn add(&mut self, members: &[usize], p: &DVector<f64>, capped: bool) {
        for (at, &i) in members.iter().enumerate() {
            for (from, to) in components(at).zip(components(i)) {
                self.sum.p[to] += p[from];
                self.u += self.impact.inverse_mass.column(to) * p[from];
            }
        }
        self.sum.hits += 1;
        self.sum.capped |= capped;
    }

    fn finish(&mut self, least: &[f64]) {
        self.sum.capped = true;
        let all = movable(least);
        let group = ContactGroup::new(self.impact.inverse_mass, &self.u, self.impact.touches, &all);
        if let Some(p) = group.compression() {
            self.add(&all, &p, true);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Impulses {
    pub compression: Six,
    pub end: Six,
    /// Whether the path had no end, so that the impulses are frictionless.
    pub capped: bool,
}

/// Impulses of the path from the velocities `u` with u_n < 0, for an inverse mass with W_nn > 0, to the end
/// defined by the hypothesis, whatever the energy.
pub(super) fn path(w: &Six2, u: &Six, touch: &Touch, hypothesis: Hypothesis) -> Impulses {
    let e = touch.restitution.at(-u[0]);
    let resistance = TouchResistance::new(touch);
    let path = Path::new(w, &resistance, u);
    follow(&path, u, e, hypothesis).unwrap_or_else(|| {
        let mut compression = Six::zeros();
        compression[0] = -u[0] / w[(0, 0)];
        Impulses {
            compression,
            end: compression * (1.0 + e),
            capped: true,
        }
    })
}

fn follow(path: &Path, u: &Six, e: f64, hypothesis: Hypothesis) -> Option<Impulses> {
    let start = Point {
        u: *u,
        p: Six::zeros(),
        work: 0.0,
    };
    let compressed = path.follow(start, End::Speed(0.0))?;
    let end = match hypothesis {
        Hypothesis::Newton => End::Speed(-e * u[0]),
        Hypothesis::Poisson => End::Impulse((1.0 + e) * compressed.p[0]),
        Hypothesis::Energetic => End::Work((1.0 - e * e) * compressed.work),
    };
    // Where friction holds whatever the normal impulse, nothing parts the contact.
    let end = match e > 0.0 {
        true => path.follow(compressed, end).unwrap_or(compressed),
        false => compressed,
    };
    Some(Impulses {
        compression: compressed.p,
        end: end.p,
        capped: false,
    })
}

/// Impulses of a contact that create no energy, and whether its path had no end.
pub(super) fn hit(w: &Six2, u: &Six, touch: &Touch, hypothesis: Hypothesis) -> (Six, bool) {
    let found = path(w, u, touch, hypothesis);
    let expansion = found.end - found.compression;
    let energy = Energy {
        compression: change(w, u, &found.compression),
        slope: expansion.dot(&(u + w * found.compression)),
        curvature: expansion.dot(&(w * expansion)),
    };
    (
        found.compression + expansion * energy.largest(),
        found.capped,
    )
}

/// p.(u- + u+)/2 [J].
fn change(w: &Six2, u: &Six, p: &Six) -> f64 {
    p.dot(&(u + w * p * 0.5))
}

/// Change of kinetic energy by p_c + s p_e: a + b s + c s^2/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Energy {
    pub compression: f64,
    /// b = p_e.u_c [J].
    pub slope: f64,
    /// c = p_e.W p_e [J], >= 0.
    pub curvature: f64,
}

impl Energy {
    /// From the initial velocities of several contacts and the impulses of both phases.
    pub(super) fn of(
        velocities: &DVector<f64>,
        compression: [&DVector<f64>; 2],
        expansion: [&DVector<f64>; 2],
    ) -> Self {
        let ([p_c, w_p_c], [p_e, w_p_e]) = (compression, expansion);
        Energy {
            compression: p_c.dot(velocities) + 0.5 * p_c.dot(w_p_c),
            slope: p_e.dot(velocities) + p_e.dot(w_p_c),
            curvature: p_e.dot(w_p_e),
        }
    }

    pub(super) fn largest(self) -> f64 {
        let (a, b, c) = (self.compression.min(0.0), self.slope, 0.5 * self.curvature);
        if a + b + c <= 0.0 {
            return 1.0;
        }
        // The larger root of c s^2 + b s + a, which lies below 1.
        let root = (b * b - 4.0 * a * c).sqrt();
        let s = match b > 0.0 {
            true => -2.0 * a / (b + root),
            false => (root - b) / (2.0 * c),
        };
        match s.is_finite() {
            true => s.clamp(0.0, 1.0),
            false => 0.0,
        }
    }
}
