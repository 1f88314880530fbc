use super::*;
use crate::shapes::Cone;
use crate::shapes::samples::{Random, surface};

const GAPS: [f64; 14] = [
    1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-9, -1e-7, -1e-5, -1e-4, -1e-3, -1e-2,
];

#[test]
fn balls_have_the_gap_and_normal_they_were_placed_with() {
    let mut random = Random(1);
    for shape in round_shapes().into_iter().chain(extreme_shapes()) {
        for stratum in 0..60 {
            let (q, direction) = surface(&shape.core, &mut random, stratum);
            for gap in GAPS {
                let pose = random.pose(1.0);
                let normal = pose.rotation * direction;
                let out = q + direction * (shape.radius + BALL_RADIUS + gap);
                let found = near(&shape, &pose, pose.position + pose.rotation * out);
                let word = format!("{:?}", shape.kind());
                let error = (found.gap - gap).abs();
                assert!(
                    error <= 2e-15,
                    "{word} {stratum}: gap off by {error} at {gap}"
                );
                let off = (found.normal_w - normal).norm();
                assert!(
                    off <= 1e-13,
                    "{word} {stratum}: normal off by {off} at {gap}"
                );
                let between = found.points_w[1] - found.points_w[0];
                assert!((between - normal * gap).amax() <= 1e-14, "{word} {stratum}");
            }
        }
    }
}

#[test]
fn distance_is_continuous_through_the_surface_of_the_core() {
    // The distance from the core itself, from well outside to inside along a normal of a face.
    let mut random = Random(2);
    for shape in round_shapes() {
        let core = shape.core.clone();
        // A segment has no inside.
        if matches!(core, Core::Segment(_)) {
            continue;
        }
        for stratum in 0..60 {
            let (q, direction) = surface(&core, &mut random, stratum);
            let on_face = match &core {
                Core::Cylinder(_) => stratum % 3 < 2,
                // Where there is an apex the first stratum may be it.
                Core::Cone(Cone { radii, .. }) => {
                    stratum % 3 == 1 || stratum % 3 == 0 && radii[1] > 0.0
                }
                Core::Beam(_) => stratum / 2 % 3 < 2,
                _ => true,
            };
            if !on_face {
                continue;
            }
            for height in [1e-2, 1e-5, 1e-9, 1e-13, 0.0, -1e-13, -1e-9, -1e-5, -5e-3] {
                let found = near(&shape, &Pose::identity(), q + direction * height);
                let distance = found.gap + shape.radius + BALL_RADIUS;
                let error = (distance - height).abs();
                assert!(
                    error < 1e-15,
                    "{:?} {stratum}: {error} at {height}",
                    core.kind()
                );
                let off = (found.normal_w - direction).norm();
                assert!(
                    off < 1e-13,
                    "{:?} {stratum}: {off} at {height}",
                    core.kind()
                );
            }
        }
    }
}

/// Greatest s(n) = n.c - h(n) over all unit n: the signed distance of c from a convex core, by its
/// support function alone. Search from a grid, refined by compass steps.
fn greatest_separation(core: &Core, c: &Vec3) -> f64 {
    let separation = |n: &Vec3| n.dot(&(c - core.support(n)));
    let mut starts: Vec<(f64, Vec3)> = Vec::new();
    for i in 0..24 {
        for j in 0..48 {
            let (polar, around) = ((f64::from(i) + 0.5) / 24.0, f64::from(j) / 48.0);
            let (s, z) = (polar * std::f64::consts::PI).sin_cos();
            let (y, x) = (around * std::f64::consts::TAU).sin_cos();
            let n = Vec3::new(s * x, s * y, z);
            starts.push((separation(&n), n));
        }
    }
    // Faces, whose normals a search approaches slowly.
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        starts.push((separation(&axis), axis));
        starts.push((separation(&-axis), -axis));
    }
    if let Core::Cone(Cone { z, radii }) = core {
        // Normals of the lateral surface, a ridge that the search climbs badly: along it.
        let lateral = |angle: f64| {
            let (y, x) = angle.sin_cos();
            Vec3::new(x, y, (radii[0] - radii[1]) / (z[1] - z[0])).normalize()
        };
        let (mut angle, mut step) = (c.y.atan2(c.x) + 0.7, 0.3);
        for _ in 0..200 {
            let value = |angle: f64| separation(&lateral(angle));
            let (back, on) = (value(angle - step), value(angle + step));
            if back.max(on) > value(angle) {
                angle += if on > back { step } else { -step };
            } else {
                step *= 0.5;
            }
        }
        starts.push((separation(&lateral(angle)), lateral(angle)));
    }
    starts.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut greatest = f64::NEG_INFINITY;
    for (mut best, mut n) in starts.into_iter().take(6) {
        let mut step = 0.1;
        // Creeping along a ridge is not waited for.
        for _ in 0..300 {
            let u = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
            let v = n.cross(&u);
            let mut better = false;
            for k in 0..8 {
                let (s, c) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
                let to = (n + (u * c + v * s) * step).normalize();
                let value = separation(&to);
                if value > best {
                    (best, n, better) = (value, to, true);
                }
            }
            if !better {
                step *= 0.5;
            }
        }
        greatest = greatest.max(best);
    }
    greatest
}

#[test]
fn no_plane_separates_more_and_no_way_out_is_shorter() {
    let mut random = Random(3);
    for shape in round_shapes() {
        let (mut inside, mut outside) = (0, 0);
        while inside < 40 || outside < 20 {
            let mut c = random.vector() * 0.4;
            if let Core::Cone(Cone { z, .. }) = shape.core {
                c.z += 0.5 * (z[0] + z[1]);
            }
            let found = near(&shape, &Pose::identity(), c);
            let distance = found.gap + shape.radius + BALL_RADIUS;
            if matches!(shape.core, Core::Segment(_)) || distance > 0.0 {
                outside += 1;
                inside += usize::from(matches!(shape.core, Core::Segment(_)));
            } else {
                inside += 1;
            }
            let best = greatest_separation(&shape.core, &c);
            let error = (distance - best).abs();
            assert!(error < 1e-14, "{:?} {c}: {distance}, {best}", shape.kind());
            let separation = found
                .normal_w
                .dot(&(c - shape.core.support(&found.normal_w)));
            assert!((separation - distance).abs() < 1e-14);
        }
    }
}

#[test]
fn nearest_point_of_an_ellipsoid_is_on_it_and_the_way_to_it_normal() {
    // Anywhere, also on and beside planes of symmetry, for flat, thin and nearly round ones.
    let mut random = Random(4);
    let axes = [
        [1.0, 0.7, 0.4],
        [1.0, 1.0, 1e-3],
        [1e-3, 1.0, 1e-3],
        [1.0, 0.25, 1e-4],
        [0.5, 0.5 + 1e-9, 0.5 - 1e-12],
        [0.5, 0.5, 0.5],
    ];
    for semi_axes in axes.map(Vec3::from) {
        for round in 0..3000 {
            let reach = [0.3, 1.0, 3.0, 1e3][round % 4];
            let y = Vec3::from_fn(|i, _| {
                let c = random.next();
                // Off a plane of symmetry by less and less.
                match (round / 4 + i) % 5 {
                    0 => 0.0,
                    1 => c * 10f64.powi(-(round as i32 % 60)),
                    _ => c * reach,
                }
            });
            let root = root(&semi_axes, &y);
            let near = from_ellipsoid(&semi_axes, &y, &root);
            let size = 1.0 + y.amax();
            assert!((near.normal.norm() - 1.0).abs() < 1e-15);
            let on = near.point.component_div(&semi_axes).norm() - 1.0;
            // The surface at this normal; a step along it counts by its distance.
            let gradient = near
                .point
                .component_div(&semi_axes.component_mul(&semi_axes));
            let found = on.abs() / gradient.norm();
            assert!(found < 1e-15, "{on} for {y}, {semi_axes}");
            let foot = near.point + near.normal * near.distance - y;
            assert!(foot.amax() < 1e-12 * size, "{foot} for {y}, {semi_axes}");
            assert!(foot.dot(&near.normal).abs() < 2e-15 * size);
            // Nearest, not farthest or lying between: s >= 0.
            let least = semi_axes.min();
            let s = near.distance / gradient.norm() + least * least;
            assert!(s >= -1e-15 * least, "{s} for {y}, {semi_axes}");
        }
    }
}
