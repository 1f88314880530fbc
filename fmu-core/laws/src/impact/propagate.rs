//! Several contacts, one hit after the other.
//!
//! First those that start and approach, at once if they are several. Then, as long as a contact
//! approaches faster than its rest speed, the fastest of them; those whose approach is the same up to
//! [`TIE`] at once, so that a symmetric impact ends symmetrically. Each hit takes the restitution of its
//! own approach. After [`HITS`] hits all contacts end without expansion: small restitutions make hits
//! without end, three balls below 7 - 4 sqrt(3). [McNamara 1992] S. McNamara, W. R. Young, Inelastic
//! collapse and clumping in a one-dimensional granular medium, Physics of Fluids A 4.

use crate::impact::together::{Group, components, movable};
use crate::impact::{COMPONENTS, Impact, Sum, single};
use nalgebra::DVector;

/// Most hits.
pub const HITS: u32 = 1000;
/// Relative difference of approach speeds that are the same [1]: well above rounding.
pub const TIE: f64 = 1e-9;

/// Impulses of an impact in which contact i can be hit if its approach exceeds `least[i]` [m/s].
pub fn solve(impact: &Impact, least: &[f64]) -> Sum {
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

/// Impulses of a single hit of these contacts, at once.
pub fn once(impact: &Impact, members: &[usize]) -> Sum {
    let mut state = State::new(impact);
    state.hit(members);
    state.sum
}

/// Impulses that end all approach without expansion.
pub fn stop(impact: &Impact, least: &[f64]) -> Sum {
    let mut state = State::new(impact);
    state.finish(least);
    state.sum
}

struct State<'a> {
    impact: &'a Impact<'a>,
    u: DVector<f64>,
    sum: Sum,
}

impl<'a> State<'a> {
    fn new(impact: &'a Impact<'a>) -> Self {
        State {
            impact,
            u: DVector::from_column_slice(impact.velocities),
            sum: Sum {
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

    /// Solves contacts by themselves.
    fn hit(&mut self, members: &[usize]) {
        let Impact {
            inverse_mass: w,
            touches,
            hypothesis,
            ..
        } = *self.impact;
        if members.len() > 1
            && let Some(p) = Group::new(w, &self.u, touches, members).solve(hypothesis)
        {
            return self.add(members, &p, false);
        }
        // One of them, if all at once have no solution that is found: the rest follows.
        let Some(&i) = members.first() else {
            return;
        };
        let n = COMPONENTS * i;
        let own = w.fixed_view::<COMPONENTS, COMPONENTS>(n, n).into();
        let u = self.u.fixed_rows::<COMPONENTS>(n).into();
        let (p, capped) = single::hit(&own, &u, &touches[i], hypothesis);
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

    /// Ends all approach that is left, without expansion.
    fn finish(&mut self, least: &[f64]) {
        self.sum.capped = true;
        let all = movable(least);
        let group = Group::new(self.impact.inverse_mass, &self.u, self.impact.touches, &all);
        if let Some(p) = group.compression() {
            self.add(&all, &p, true);
        }
    }
}
