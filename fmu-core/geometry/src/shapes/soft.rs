//! The soft support point that represents an entire face or edge, and the footprint of a core.
//!
//! The farthest point of a core along a unit direction d jumps from one end of an edge or a face to
//! the other as d passes through its normal; its distance h(d) = max d.x, the support function,
//! does not. A contact point that jumps makes a solver take ever smaller steps, so within [`BLEND`]
//! of such a normal the soft support point wanders along the edge or across the face, in its middle
//! where d is normal to it. With the odd cubic s(x) = x (3 - x^2)/2, held at -1 and 1 beyond:
//!
//! - segment of half length a along e: a s(d.e/BLEND) e ([`step`])
//! - disc of radius R: R s(|t|/BLEND) t/|t|, t the part of d in the plane of the disc ([`on_disc`])
//! - sums of these (box, cylinder, beam): the sums
//! - cone: s of the cosine between d and the ruling blends between the two end circles, and the
//!   radius there is that of a disc
//! - polyhedron: mean of the vertices, each with weight (1 - depth/band)^2, depth [m] how far it
//!   lies behind the farthest one and band = BLEND times the largest extent. Across an edge shorter
//!   than the polyhedron that is an angle wider than BLEND, by the ratio of the two: the facets of
//!   a finely cut surface are crossed as smoothly as its long edges
//! - ellipsoid: the farthest point itself
//!
//! The soft point lies at most BLEND times the size of the face behind the farthest one, of a
//! polyhedron less than the band: no more than a loaded contact is deep, so the resultant of the
//! real pressure wanders as well. The price: within the band the force is not the exact gradient of
//! the elastic energy; a crate that tumbles to rest gains 1.3e-4 of its energy by it while it
//! rocks.

use crate::math::{Real, Vec3};

/// Angle [rad] from the normal of an edge or a face within which its soft point wanders.
pub const BLEND: f64 = 1e-4;

/// s(cosine/BLEND), for the cosine of the angle between d and an edge.
#[inline(always)]
pub fn step<T: Real>(cosine: T) -> T {
    let x = cosine.value() / BLEND;
    if x.abs() < 1.0 {
        let x = cosine / BLEND;
        x * (T::from(3.0) - x * x) * 0.5
    } else {
        T::from(x.signum())
    }
}

/// Point of a circle farthest along (x, y); its centre where that is no direction.
#[inline(always)]
pub fn on_circle(radius: f64, x: f64, y: f64) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 {
        [radius * x / length, radius * y / length]
    } else {
        [0.0; 2]
    }
}

/// Soft point of a disc of the given radius [m] in the plane of (x, y), parts of d.
#[inline(always)]
pub fn on_disc<T: Real>(radius: f64, x: T, y: T) -> [T; 2] {
    let squared = x * x + y * y;
    // s(|t|/BLEND)/|t|, without dividing by zero.
    let scale = if squared.value() < BLEND * BLEND {
        (T::from(3.0) - squared / (BLEND * BLEND)) * (0.5 * radius / BLEND)
    } else {
        T::from(radius) / squared.sqrt()
    };
    [x * scale, y * scale]
}

/// |v|; at zero its derivative is zero, that of the middle.
#[inline(always)]
pub fn size<T: Real>(v: T) -> T {
    if v.value() == 0.0 {
        T::zero()
    } else if v.value() < 0.0 {
        -v
    } else {
        v
    }
}

/// Length of (x, y); at zero its derivative is zero, that of the middle.
#[inline(always)]
pub fn length<T: Real>(x: T, y: T) -> T {
    let squared = x * x + y * y;
    if squared.value() == 0.0 {
        T::zero()
    } else {
        squared.sqrt()
    }
}

/// a.d of constants and scalars.
#[inline(always)]
pub fn dot<T: Real>(a: &Vec3, d: &Vec3<T>) -> T {
    d.x * a.x + d.y * a.y + d.z * a.z
}

/// (1 - x^2)^2 with x = angle/BLEND, none beyond.
pub fn fade<T: Real>(sine: T) -> Option<T> {
    let x = sine / BLEND;
    (x.value().abs() < 1.0).then(|| {
        let rest = T::from(1.0) - x * x;
        rest * rest
    })
}

/// Whether an edge or a face lies across d, to within [`BLEND`], by the sine of the angle.
#[inline(always)]
pub fn is_flat<T: Real>(sine: T) -> bool {
    sine.value().abs() < BLEND
}

/// v moved into -half..half [m].
#[inline(always)]
pub fn within<T: Real>(v: T, half: f64) -> T {
    if v.value() > half {
        T::from(half)
    } else if v.value() < -half {
        T::from(-half)
    } else {
        v
    }
}

/// (x, y) moved into the circle of radius r [m].
#[inline(always)]
pub fn within_circle<T: Real>(x: T, y: T, r: f64) -> [T; 2] {
    let length = length(x, y);
    if length.value() > r {
        [x / length * r, y / length * r]
    } else {
        [x, y]
    }
}

/// The edge or face that a core shows along a direction d, in a tangent basis across d: for each
/// segment of half length a along u the dyad a u u', for a disc of radius R the unit matrix times
/// R, each faded out ([`fade`]) as it turns away from lying across d.
pub struct Footprint<T: Real> {
    /// The sum of these matrices (xx, xy, yy) [m].
    pub extents: [T; 3],
    /// How much of an edge or a face it is [1]: 1 where d is normal to it.
    pub edge: T,
    /// The same for a face alone [1].
    pub face: T,
}

impl<T: Real> Footprint<T> {
    /// Of a single point.
    pub fn nothing() -> Self {
        Footprint {
            extents: [T::zero(); 3],
            edge: T::zero(),
            face: T::zero(),
        }
    }

    /// Adds a segment of half length `half` [m] along the unit vector u; `cosine` = d.u.
    pub fn add_segment(&mut self, cosine: T, half: f64, u: &Vec3<T>, basis: &[Vec3<T>; 2]) {
        let Some(fade) = fade(cosine) else {
            return;
        };
        let [x, y] = [basis[0].dot(u), basis[1].dot(u)];
        let length = fade * half;
        self.extents[0] += length * x * x;
        self.extents[1] += length * x * y;
        self.extents[2] += length * y * y;
        // The second of two edges makes a face.
        let both = self.edge * fade;
        if both.value() > self.face.value() {
            self.face = both;
        }
        if fade.value() > self.edge.value() {
            self.edge = fade;
        }
    }

    /// Adds the segment of half length `half` [m] along an axis of the core frame.
    pub fn add_along(&mut self, axis: usize, half: f64, d: &Vec3<T>, basis: &[Vec3<T>; 2]) {
        let mut u = Vec3::zeros();
        u[axis] = T::one();
        self.add_segment(d[axis], half, &u, basis);
    }

    /// Adds a disc of this radius [m], after all segments; `sine` is the length of the part of d in
    /// its plane.
    pub fn add_disc(&mut self, sine: T, radius: f64) {
        let Some(fade) = fade(sine) else {
            return;
        };
        self.extents[0] += fade * radius;
        self.extents[2] += fade * radius;
        self.face = fade;
        if fade.value() > self.edge.value() {
            self.edge = fade;
        }
    }

    /// None for a single point.
    pub fn shown(self) -> Option<Self> {
        (self.edge.value() > 0.0).then_some(self)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/shapes/soft/tests.rs"]
mod tests;
