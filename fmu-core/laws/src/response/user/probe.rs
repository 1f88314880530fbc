//! Depths at which a function of the user holds a force or stores an energy: its static force is
//! asked for at growing depths, once when a model is made. They give the scale of the motion to
//! solvers, so a few parts in a thousand are good enough; if the function refuses or no depth up
//! to [`LARGEST_DEPTH`] is enough, there is no result.

use crate::response::options::ContactRule;
use crate::response::user::UserForce;
use contact_geometry::math::transcendental::ln;

/// Least depth that is tried [m]: an atom.
const LEAST_DEPTH: f64 = 1e-10;
/// Largest depth that is tried [m].
const LARGEST_DEPTH: f64 = 10.0;
/// Each depth over the one before [1]: some 120 calls for a law that is never hard enough.
const GROWTH: f64 = 1.25;

/// Static force [N] at a depth [m].
fn force_at(rule: &ContactRule, user: &UserForce, depth: f64) -> Option<f64> {
    user.probe(depth, rule.gap(depth))
}

/// Depth [m] at which the static force is `force` [N], > 0: the first one, between two depths that
/// enclose it by bisection.
pub fn depth_under_force(rule: &ContactRule, user: &UserForce, force: f64) -> Option<f64> {
    let mut depth = LEAST_DEPTH;
    while force_at(rule, user, depth)? < force {
        depth *= GROWTH;
        if depth > LARGEST_DEPTH {
            return None;
        }
    }
    let (mut low, mut high) = (depth / GROWTH, depth);
    // The ratio of two neighbours to one part in a million.
    for _ in 0..20 {
        let middle = (low * high).sqrt();
        if force_at(rule, user, middle)? < force {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// Depth [m] up to which the static force does this work [J], > 0. Between two depths the force
/// counts as a power of the depth: exact for power laws.
pub fn depth_of_energy(rule: &ContactRule, user: &UserForce, energy: f64) -> Option<f64> {
    let mut depth = LEAST_DEPTH;
    let mut force = force_at(rule, user, depth)?;
    // As if the force grew linearly so far.
    let mut stored = 0.5 * force * depth;
    while stored < energy {
        let next = depth * GROWTH;
        if next > LARGEST_DEPTH {
            return None;
        }
        let force_next = force_at(rule, user, next)?;
        let work = work_between([depth, next], [force, force_next]);
        if stored + work >= energy {
            return Some(depth + (next - depth) * ((energy - stored) / work));
        }
        stored += work;
        (depth, force) = (next, force_next);
    }
    Some(depth)
}

/// Work [J] between two depths [m] with these forces [N].
fn work_between([x, y]: [f64; 2], [f, g]: [f64; 2]) -> f64 {
    if f <= 0.0 || g <= 0.0 {
        return 0.5 * (f + g) * (y - x);
    }
    // f (s/x)^n has the integral (g y - f x)/(n + 1).
    let n = ln(g / f) / ln(y / x);
    if n > -1.0 {
        (g * y - f * x) / (n + 1.0)
    } else {
        0.5 * (f + g) * (y - x)
    }
}
