//! A single contact: its impulse path to the end that a hypothesis says, and what of it no energy is
//! made by.
//!
//! Newton's hypothesis may make energy where slip changes, [Kane & Levinson 1985] T. R. Kane, D. A.
//! Levinson, Dynamics: Theory and Applications. Of p = p_c + s (p_end - p_c) the largest s <= 1 is taken
//! with p.(u- + u+)/2 <= 0: limits of friction hold for any s, and no contact approaches at the end.

use crate::impact::path::{End, Path, Point};
use crate::impact::resistance::{Resistance, Six, Six2};
use crate::impact::{Hypothesis, Touch};
use nalgebra::DVector;

/// Impulses of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulses {
    /// At the end of compression.
    pub compression: Six,
    /// At the end.
    pub end: Six,
    /// Whether the path came to no end, so that the impulses are those without friction.
    pub capped: bool,
}

/// Impulses of the path from the velocities `u` with u_n < 0 under an inverse mass with W_nn > 0, to the
/// end that the hypothesis says, whatever the energy.
pub fn path(w: &Six2, u: &Six, touch: &Touch, hypothesis: Hypothesis) -> Impulses {
    let e = touch.restitution.at(-u[0]);
    let resistance = Resistance::new(touch);
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

/// Impulses of a contact that make no energy, and whether its path came to no end.
pub fn hit(w: &Six2, u: &Six, touch: &Touch, hypothesis: Hypothesis) -> (Six, bool) {
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

/// Change of the kinetic energy by p_c + s p_e: a + b s + c s^2/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// a, of compression [J], <= 0 but for rounding.
    pub compression: f64,
    /// b = p_e.u_c [J].
    pub slope: f64,
    /// c = p_e.W p_e [J], >= 0.
    pub curvature: f64,
}

impl Energy {
    /// Of several contacts, from velocities at the start and the impulses of both phases.
    pub fn of(
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

    /// The largest s in [0, 1] with no gain.
    pub fn largest(self) -> f64 {
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
