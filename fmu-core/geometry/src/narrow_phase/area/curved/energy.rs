//! The energy from the nodes.
//!
//! About a point v where all depths are zero p is homogeneous of degree 1, (x - v) . grad p = p, so
//! div(p (x - v)) = 4 p and
//!
//!   U = 1/4 integral of p (x - v) . n_A dA
//!
//! over the surface of A inside B: p is zero on the rest of the boundary. The nodes integrate it
//! exactly. v exists for one plane, an edge, a corner of three faces and the tip of a pyramid.
//!
//! For other planes U = -integral of (integral of p along the ray from x along e) e . n_A dA. That
//! is exact to the rule over the nodes, 1 % on the side of a prism of 16 faces, while no ray enters
//! B, which is so when no normal of a loaded plane points away from e: not of a body right through
//! B.

use super::field::Sample;
use crate::math::{Real, Vec3};
use crate::narrow_phase::area::{Node, Plane};

/// How much farther from the nodes than they are from each other v may be: rounding grows with it.
const FARTHEST: f64 = 1e3;

/// Energy [J]. `shares` is the load on each plane [N].
pub(super) fn energy<T: Real>(
    planes: &[Plane<T>],
    stiffness: f64,
    shares: &[f64],
    samples: &[Sample],
    nodes: &[Node<T>],
) -> T {
    let Some(first) = nodes.first() else {
        return T::zero();
    };
    let (most, count) = most_loaded(shares);
    let depth = |j: usize, x: &Vec3<T>| planes[j].offset - planes[j].normal.dot(x);
    if let Some(v) = common_point(planes, &most[..count.min(3)], &first.point)
        && is_near(&v, first, nodes, count)
    {
        let deepest = nodes
            .iter()
            .zip(samples)
            .fold(0.0, |most: f64, (node, sample)| {
                most.max(depth(sample.plane, &node.point).value())
            });
        let mut loaded = (0..planes.len()).filter(|j| shares[*j] > 0.0);
        if loaded.all(|j| depth(j, &v).value().abs() <= COMMON * deepest) {
            let mut sum = T::zero();
            for node in nodes {
                sum += node.force * (node.point - v).dot(&node.normal);
            }
            return sum * 0.25;
        }
    }
    let e = way_out(planes, (shares, most[0]), nodes);
    let mut sum = T::zero();
    for (node, sample) in nodes.iter().zip(samples) {
        let ray = along_ray(planes, sample.plane, &node.point, &e);
        sum -= ray * e.dot(&node.normal) * (stiffness * sample.area);
    }
    sum
}

/// A direction from which no normal of a loaded plane points away, if there is one: the normal of
/// the plane with the largest share, along which faces across it are seen edge on, or else against
/// the whole load.
fn way_out<T: Real>(
    planes: &[Plane<T>],
    (shares, largest): (&[f64], usize),
    nodes: &[Node<T>],
) -> Vec3<T> {
    let normal = planes[largest].normal;
    let values = normal.map(Real::value);
    let faces = shares.iter().zip(planes);
    let mut loaded = faces.filter(|(share, _)| **share > 0.0);
    if loaded.all(|(_, plane)| plane.normal.map(Real::value).dot(&values) > -ACROSS) {
        return normal;
    }
    let load = nodes.iter().fold(Vec3::zeros(), |sum, node| {
        sum + node.normal.map(Real::value) * node.force.value()
    });
    let size = load.norm();
    match size > 0.0 {
        true => (load / -size).map(T::from),
        false => normal,
    }
}

/// The three planes with the largest shares, the largest first, and how many have one.
fn most_loaded(shares: &[f64]) -> ([usize; 3], usize) {
    let (mut most, mut count) = ([0; 3], 0);
    for (j, share) in shares.iter().enumerate() {
        if *share > 0.0 {
            // Place it, then the one it takes the place of.
            let mut own = j;
            for (place, other) in most.iter_mut().enumerate() {
                if place >= count {
                    *other = own;
                    break;
                }
                if shares[own] > shares[*other] {
                    std::mem::swap(&mut own, other);
                }
            }
            count += 1;
        }
    }
    (most, count)
}

/// Depth of v below a plane, over the largest depth of the nodes, that counts as none.
const COMMON: f64 = 1e-9;
/// Cosine of a normal below which a plane counts as seen edge on: some rounding.
const ACROSS: f64 = 1e-9;

/// The point of the planes nearest to x.
fn common_point<T: Real>(planes: &[Plane<T>], loaded: &[usize], x: &Vec3<T>) -> Option<Vec3<T>> {
    let normal = |i: usize| planes[loaded[i]].normal;
    let depth = |i: usize| planes[loaded[i]].offset - planes[loaded[i]].normal.dot(x);
    match loaded.len() {
        1 => Some(x + normal(0) * depth(0)),
        2 => {
            let (m, n) = (normal(0), normal(1));
            let along = m.cross(&n);
            let length2 = along.dot(&along);
            let step = n.cross(&along) * depth(0) + along.cross(&m) * depth(1);
            (length2.value() > 0.0).then(|| x + step / length2)
        }
        3 => {
            let (l, m, n) = (normal(0), normal(1), normal(2));
            let (mn, nl, lm) = (m.cross(&n), n.cross(&l), l.cross(&m));
            let volume = l.dot(&mn);
            let step = mn * depth(0) + nl * depth(1) + lm * depth(2);
            (volume.value() != 0.0).then(|| x + step / volume)
        }
        _ => None,
    }
}

fn is_near<T: Real>(v: &Vec3<T>, first: &Node<T>, nodes: &[Node<T>], count: usize) -> bool {
    let squared = |d: Vec3<T>| d.dot(&d).value();
    let size = |node: &Node<T>| squared(node.point - first.point);
    let extent = nodes.iter().map(size).fold(0.0, f64::max);
    count == 1 || squared(v - first.point) <= FARTHEST * FARTHEST * extent
}

/// Integral of min_j g_j [m2] along the ray from x along e, to where it leaves B. x is nearest to
/// plane `now`.
fn along_ray<T: Real>(planes: &[Plane<T>], mut now: usize, x: &Vec3<T>, e: &Vec3<T>) -> T {
    let line = |j: usize| {
        let plane = &planes[j];
        (plane.offset - plane.normal.dot(x), -plane.normal.dot(e))
    };
    let (mut sum, mut s) = (T::zero(), T::zero());
    for _ in planes {
        let (a, b) = line(now);
        // Where the ray leaves B, or comes nearer to another plane.
        let mut end = (b.value() < 0.0).then(|| (-a / b, None));
        for m in 0..planes.len() {
            let (a_m, b_m) = line(m);
            if b_m.value() < b.value() {
                let meets = (a_m - a) / (b - b_m);
                if end.is_none_or(|(end, _)| meets.value() < end.value()) {
                    end = Some((meets, Some(m)));
                }
            }
        }
        let Some((to, then)) = end else {
            return sum;
        };
        if to.value() > s.value() {
            sum += (a + b * (s + to) * 0.5) * (to - s);
            s = to;
        }
        match then {
            Some(m) => now = m,
            None => break,
        }
    }
    sum
}
