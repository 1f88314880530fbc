//! The force on a face inside a ball by integration in the plane: along lines across a convex polygon, cut at
//! its corners, beside the foot and where its edges meet the rim, by the double exponential rule [Takahasi, Mori 1974].

use super::pressed::{body, patch};
use crate::cells::meshes::prism;
use crate::errors::raise;
use crate::random::{Random, soak};
use contact_geometry::math::Vec2;
use contact_geometry::narrow_phase::area::RoundPressure;

/// Integral over a range; `of` takes the distances from both ends, too.
pub fn integral(range: [f64; 2], mut of: impl FnMut(f64) -> f64) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    let half = 0.5 * (range[1] - range[0]);
    let mut sum = 0.0;
    for k in -54..=54 {
        let t = STEP * f64::from(k);
        let along = std::f64::consts::FRAC_PI_2 * t.sinh();
        let weight = std::f64::consts::FRAC_PI_2 * t.cosh() / along.cosh().powi(2);
        // From the nearer end, without cancellation.
        let off = half * (-along.abs()).exp() / along.cosh();
        let at = match k < 0 {
            true => range[0] + off,
            false => range[1] - off,
        };
        if off > 0.0 && at > range[0] && at < range[1] {
            sum += weight * of(at);
        }
    }
    sum * half * STEP
}

/// Integral of u^n over a convex polygon, counter-clockwise about the foot, inside a ball of radius R at the
/// height z.
fn force(polygon: &[Vec2], z: f64, radius: f64, exponent: f64) -> f64 {
    let square = (radius - z.abs()) * (radius + z.abs());
    let a = square.sqrt();
    let edges = || (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()]));
    let mut cuts: Vec<f64> = polygon.iter().map(|p| p.x).chain([-a, 0.0, a]).collect();
    for (p, q) in edges() {
        let along = (q - p).normalize();
        let middle = p - along * along.dot(&p);
        let rest = square - middle.norm_squared();
        if rest > 0.0 {
            cuts.extend([-1.0, 1.0].map(|side| middle.x + side * rest.sqrt() * along.x));
        }
    }
    let [least, most] = [f64::min, f64::max].map(|of| {
        let x = polygon.iter().map(|p| p.x);
        x.reduce(of).expect("a polygon")
    });
    cuts.iter_mut()
        .for_each(|cut| *cut = cut.clamp(least.max(-a), most.min(a).max(least.max(-a))));
    cuts.sort_by(f64::total_cmp);
    let strip = |x: f64| {
        let rim = ((a - x) * (a + x)).sqrt();
        let (mut low, mut high) = (-rim, rim);
        for (p, q) in edges().filter(|(p, q)| p.x != q.x) {
            let y = p.y + (q.y - p.y) * ((x - p.x) / (q.x - p.x));
            match p.x < q.x {
                true => low = low.max(y),
                false => high = high.min(y),
            }
        }
        match low < high {
            false => 0.0,
            true => {
                let zero = 0.0_f64.clamp(low, high);
                let depth = |y: f64| {
                    let rest = (rim - y) * (rim + y);
                    let r = (z * z + x * x + y * y).sqrt();
                    (rest.max(0.0) / (radius + r)).powf(exponent)
                };
                integral([low, zero], depth) + integral([zero, high], depth)
            }
        }
    };
    let pieces = cuts.windows(2).filter(|cut| cut[0] < cut[1]);
    pieces.map(|cut| integral([cut[0], cut[1]], strip)).sum()
}

/// Error of the force on the upper face of a prism over a polygon.
fn error(polygon: &[[f64; 2]], place: [f64; 3], radius: f64, exponent: f64) -> f64 {
    let count = polygon.len() as u32;
    let fan: Vec<[u32; 3]> = (1..count - 1).map(|k| [0, k, k + 1]).collect();
    let mut mesh = prism(polygon, &fan, 4.0 * radius);
    mesh.vertices.iter_mut().for_each(|v| v.z -= 2.0 * radius);
    let [x, y, z] = place;
    let own = polygon.iter().map(|p| Vec2::new(p[0] - x, p[1] - y));
    let wanted = force(&own.collect::<Vec<_>>(), z, radius, exponent);
    let pressure = RoundPressure {
        factor: 1.0,
        exponent,
    };
    let patch = patch(&body(&mesh), place.into(), radius, &pressure);
    let nodes = patch.nodes.facets().flat_map(|(nodes, _)| nodes);
    let upper = nodes.filter(|node| node.normal.z > 0.5);
    let found: f64 = upper.map(|node| node.force).sum();
    match wanted == 0.0 {
        true => found,
        false => (found / wanted - 1.0).abs(),
    }
}

#[test]
fn a_face_has_the_integral_of_the_pressure_wherever_the_ball_is() {
    let mut random = Random::new(11);
    let mut worst = [0.0; 4];
    for number in 0..soak(600) {
        let exponent = [0.5, 1.0, 1.0 / 9.0, 1.7][number % 4];
        // Depths from 1e-6 of the radius to centres in the plane and below it.
        let radius = 0.05;
        let depth: f64 = radius * 10f64.powf(random.between(-6.0, 0.2));
        let z = radius - depth;
        let a = (radius * radius - z * z).sqrt();
        // Triangles of about the size of the patch, some as slivers, some with the foot on an edge or near
        // it, or on a vertex.
        let size = a * 10f64.powf(random.between(-1.0, 1.0));
        let thin = [1.0, 0.1, 1e-2, 1e-3][random.index(4)];
        let triangle = [[-1.0, 0.0], [1.0, 0.1], [0.3, thin]].map(|p| p.map(|c| c * size));
        let triangle = match thin < 0.1 {
            true => [triangle[0], [triangle[1][0], 0.0], triangle[2]],
            false => triangle,
        };
        let share = random.unit();
        let [x, y] = [0, 1].map(|k| triangle[0][k] + share * (triangle[1][k] - triangle[0][k]));
        let off = [0.0, 1e-15, -1e-9, 1e-4, -0.01, 0.1, 0.5, -0.9][random.index(8)] * a;
        let place = match random.index(8) {
            0 => [triangle[2][0], triangle[2][1] + off, z],
            _ => [x, y + off, z],
        };
        let off = error(&triangle, place, radius, exponent);
        raise(&mut worst[number % 4], off);
    }
    assert!(worst.iter().all(|worst| *worst <= 1e-10), "{worst:?}");
}
