//! Polytopes against polytopes: closed forms, the potential, third law, symmetry.

use crate::math::{Pose, Real, Vec3, rotation_matrix};
use crate::narrow_phase::area;
use crate::narrow_phase::area::{Extent, Patch, Stiffness};
use crate::shapes::samples::{Random, moving, posed};
use crate::shapes::{Hull, RoundedShape};

mod continuity;
mod layers;

/// Force and torque about the world origin on 1, and the energy.
type Wrench = (Vec3, Vec3, f64);

fn cuboid(lengths: [f64; 3]) -> RoundedShape {
    RoundedShape::cuboid(&lengths, 0.0)
}

fn at(position: impl Into<Vec3>, turn: impl Into<Vec3>) -> Pose {
    let rotation = crate::math::spatial::exponential(&turn.into());
    posed(position.into(), rotation)
}

fn sums<T: Real>(
    patch: &mut Patch<T>,
    shapes: [(&RoundedShape, &Pose<T>); 2],
    k: Stiffness,
) -> (Vec3<T>, Vec3<T>, T) {
    patch.find(shapes, k, 0.0);
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for node in patch.nodes.list() {
        let on_1 = -node.normal * node.force;
        force += on_1;
        torque += (node.point + patch.origin_w).cross(&on_1);
    }
    (force, torque, patch.energy)
}

fn wrench(one: (&RoundedShape, Pose), two: (&RoundedShape, Pose), k: Stiffness) -> Wrench {
    sums(
        &mut Patch::with_room(6),
        [(one.0, &one.1), (two.0, &two.1)],
        k,
    )
}

/// A hull of points on an ellipsoid.
fn stone(random: &mut Random, count: usize) -> RoundedShape {
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            let v = random.vector().normalize();
            [0.5 * v.x, 0.4 * v.y, 0.3 * v.z]
        })
        .collect();
    hull(&points)
}

/// The hull of points in general position: triangles with all points on one side.
fn hull(points: &[[f64; 3]]) -> RoundedShape {
    let at = |i: usize| Vec3::from(points[i]);
    let mut triangles = Vec::new();
    for i in 0..points.len() {
        for j in 0..points.len() {
            for l in 0..points.len() {
                if i < j && i < l && j != l {
                    let normal = (at(j) - at(i)).cross(&(at(l) - at(i)));
                    if (0..points.len()).all(|m| normal.dot(&(at(m) - at(i))) < 1e-12) {
                        triangles.push([i as u32, j as u32, l as u32]);
                    }
                }
            }
        }
    }
    RoundedShape::hull(Hull::new(points.to_vec(), triangles).unwrap(), 0.0)
}

#[test]
fn a_face_an_edge_and_a_corner_on_a_half_space_have_their_closed_forms() {
    let block = cuboid([1.0, 0.8, 0.6]);
    let ground = RoundedShape::half_space();
    // The half-space carries the field of one face; of a rigid block the closed forms hold for
    // k = k_B, so the block is made stiff.
    let k = [1e9, 2e3];
    let series = 1e9 * 2e3 / (1e9 + 2e3);
    let d = 1e-3;
    let close = |found: f64, expected: f64| {
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    };
    let (force, torque, energy) = wrench(
        (&block, at([0.2, 0.1, 0.3 - d], [0.0; 3])),
        (&ground, Pose::identity()),
        k,
    );
    let expected = series * 0.8 * d;
    close(force.z, expected);
    close(energy, 0.5 * expected * d);
    assert!((torque - Vec3::new(0.1, -0.2, 0.0) * expected).norm() < 1e-5 * expected);
    // Edge along y, tilted by t about y: F = k L d^2/sin 2t.
    let t: f64 = 0.3;
    let height = 0.5 * t.sin() + 0.3 * t.cos() - d;
    let (force, _, energy) = wrench(
        (&block, at([0.0, 0.0, height], [0.0, t, 0.0])),
        (&ground, Pose::identity()),
        k,
    );
    let expected = series * 0.8 * d * d / (2.0 * t).sin();
    close(force.z, expected);
    close(energy, expected * d / 3.0);
    // Corner: F = k d^3/(6 n1 n2 n3).
    let pose = at([0.0; 3], [0.5, 0.7, 0.2]);
    let n = pose.rotation.transpose() * Vec3::z();
    let height = Vec3::new(0.5, 0.4, 0.3).dot(&n.abs()) - d;
    let raised = Pose {
        position: Vec3::z() * height,
        ..pose
    };
    let (force, _, energy) = wrench((&block, raised), (&ground, Pose::identity()), k);
    let expected = series * d.powi(3) / (6.0 * (n.x * n.y * n.z).abs());
    close(force.z, expected);
    close(energy, expected * d / 4.0);
}

#[test]
fn equal_layers_have_half_the_force_of_one_at_a_face_and_the_known_parts_at_edge_and_corner() {
    // 0.444 at an edge tilted by 0.3 rad, 0.414 at 45 degrees (own quadrature in Python).
    let block = cuboid([1.0; 3]);
    let ground = RoundedShape::half_space();
    for (t, part) in [(0.3_f64, 0.444), (std::f64::consts::FRAC_PI_4, 0.414)] {
        let d = 1e-4;
        let height = 0.5 * (t.sin() + t.cos()) - d;
        let at = at([0.0, 0.0, height], [0.0, t, 0.0]);
        let (force, ..) = wrench((&block, at), (&ground, Pose::identity()), [1e6; 2]);
        let rigid = 1e6 * d * d / (2.0 * t).sin();
        assert!((force.z / rigid - part).abs() < 1e-3, "{}", force.z / rigid);
    }
}

#[test]
fn energy_is_the_integral_of_the_lesser_field() {
    energies_are_integrals(1);
}

#[test]
#[ignore = "long: a sum over a million points for each of six pairs"]
fn energy_of_stones_is_the_integral_of_the_lesser_field() {
    energies_are_integrals(6);
}

fn energies_are_integrals(cases: usize) {
    let mut random = Random(5);
    for case in 0..cases {
        let (one, two) = match case % 2 {
            0 => (cuboid([1.0, 0.7, 0.5]), cuboid([0.6, 0.9, 0.8])),
            _ => (stone(&mut random, 30), stone(&mut random, 30)),
        };
        let a = at(random.vector() * 0.1, random.vector() * 2.0);
        let b = at([0.45, 0.1, 0.15], random.vector() * 2.0);
        let k = [1.0, 2.5];
        let (.., energy) = wrench((&one, a), (&two, b), k);
        let depth = |shape: &RoundedShape, pose: &Pose, x: &Vec3| {
            let all = 0..area::face_count(&shape.core);
            let planes = all.map(|face| area::plane(&shape.core, face, pose, 0.0));
            let depths = planes.map(|p| p.offset - p.normal.dot(x));
            depths.fold(f64::INFINITY, f64::min)
        };
        let n = 100;
        let mut sum = 0.0;
        for i in 0..n * n * n {
            let cell = |i: usize| 1.6 * ((i % n) as f64 + 0.5) / n as f64 - 0.8;
            let x = Vec3::new(cell(i), cell(i / n), cell(i / n / n));
            let p = (k[0] * depth(&one, &a, &x)).min(k[1] * depth(&two, &b, &x));
            sum += p.max(0.0);
        }
        let expected = sum * (1.6 / n as f64).powi(3);
        assert!(expected > 1e-4);
        let off = (energy / expected - 1.0).abs();
        assert!(off < 3e-3, "{case}: {energy} {expected}");
    }
}

#[test]
fn the_wrench_is_the_gradient_of_the_energy() {
    let mut random = Random(7);
    let (mut worst, mut compared) = (0.0_f64, 0);
    for case in 0..60 {
        let (one, two) = match case % 3 {
            0 => (cuboid([1.0, 0.7, 0.5]), cuboid([0.6, 0.9, 0.8])),
            1 => (stone(&mut random, 20), cuboid([0.6, 0.9, 0.8])),
            _ => (stone(&mut random, 20), RoundedShape::half_space()),
        };
        let a = at(random.vector() * 0.2, random.vector() * 2.0);
        let b = at([0.3, 0.1, 0.15], random.vector() * 2.0);
        let k = [1.0, 2.5];
        let (force, torque, _) = wrench((&one, a), (&two, b), k);
        // A body in the middle of a half-space is not pushed.
        if force.norm() < 1e-3 {
            continue;
        }
        compared += 1;
        for direction in 0..6 {
            let mut way = [0.0; 6];
            way[direction] = 1.0;
            let h = 1e-4;
            let energy_at = |s: f64| {
                let turn =
                    crate::math::spatial::exponential(&(Vec3::new(way[3], way[4], way[5]) * s));
                let moved = posed(
                    turn * a.position + Vec3::new(way[0], way[1], way[2]) * s,
                    turn * a.rotation,
                );
                wrench((&one, moved), (&two, b), k).2
            };
            let slope = |h: f64| (energy_at(h) - energy_at(-h)) / (2.0 * h);
            let slope = (4.0 * slope(0.5 * h) - slope(h)) / 3.0;
            let found = if direction < 3 {
                force[direction]
            } else {
                torque[direction - 3]
            };
            worst = worst.max((found + slope).abs() / force.norm());
        }
    }
    assert!(worst < 1e-8 && compared > 30, "{worst:e} {compared}");
}

/// A box that stands on an equal one at `below`, beside flush by some radii, of 1.4e-4 m, and turned
/// by up to an angle [rad].
fn nearly_flush(lengths: [f64; 3], below: &Pose, angle: f64, random: &mut Random) -> Pose {
    let turn = random.vector() * (angle / 3f64.sqrt());
    let aside = random.vector() * 2e-4;
    let up = Vec3::new(0.0, 0.0, lengths[2] - 0.02);
    below.then(&at(up + aside, turn))
}

#[test]
fn derivatives_by_dual_numbers_are_those_of_the_force() {
    let mut random = Random(11);
    let mut flush = 0;
    for case in 0..120 {
        let lengths = [1.0, 0.7, 0.5];
        let (one, two) = match case % 6 {
            0 => (cuboid(lengths), cuboid([0.6, 0.9, 0.8])),
            1 => (stone(&mut random, 20), cuboid([0.6, 0.9, 0.8])),
            2 => (cuboid(lengths), RoundedShape::half_space()),
            _ => (cuboid(lengths), cuboid(lengths)),
        };
        let a = at(random.vector() * 0.1, random.vector() * 2.0);
        let stands = case % 6 > 2;
        // Below 1e-4 rad two faces are one plane, beyond two that differ little: their line of
        // intersection, and more so its derivative, is known to rounding over the angle.
        let angle = if case % 6 == 3 { 1e-4 } else { 1e-3 };
        let rounding = if case % 6 > 3 { 1e-8 } else { 1e-12 };
        let b = match stands {
            true => nearly_flush(lengths, &a, angle, &mut random),
            false => at([0.3, 0.1, 0.15], random.vector() * 2.0),
        };
        let (v, w) = (random.vector(), random.vector());
        let k = match case % 6 {
            3..6 => [1.0, 1.0],
            _ => [1.0, 2.5],
        };
        let moved = |s: f64| {
            posed(
                a.position + v * s,
                crate::math::spatial::exponential(&(w * s)) * a.rotation,
            )
        };
        let dual = moving(&a, &v, &w);
        let lifted = b.lift();
        let (force, torque, energy) = sums(
            &mut Patch::with_room(6),
            [(&one, &dual), (&two, &lifted)],
            k,
        );
        if energy.re < 1e-6 {
            continue;
        }
        // The power of the elastic wrench is what the energy loses: closed paths return their work.
        let about = torque.map(|c| c.re) - a.position.cross(&force.map(|c| c.re));
        let power = force.map(|c| c.re).dot(&v) + about.dot(&w);
        let size = force.map(|c| c.re).norm() * (v.norm() + w.norm());
        let error = (power + energy.eps[0]).abs();
        let least = if case % 6 > 3 { 1e-5 } else { 1e-13 };
        assert!(error < least * size, "{case}: {error:e} of {size:e}");
        // Each body feels the opposite, whichever comes first.
        let (force_1, torque_1, _) = wrench((&one, a), (&two, b), k);
        let (force_2, torque_2, _) = wrench((&two, b), (&one, a), [k[1], k[0]]);
        let rounding = rounding * force_1.norm();
        assert!((force_1 + force_2).norm() < rounding && (torque_1 + torque_2).norm() < rounding);
        let mut patch = Patch::with_room(6);
        patch.find([(&one, &a), (&two, &b)], k, 0.0);
        flush += usize::from(!patch.layers.list.mixed.is_empty());
        let h = if stands { 1e-8 } else { 1e-5 };
        let [up, down] = [h, -h].map(|h| wrench((&one, moved(h)), (&two, b), k));
        let scale = k[0] * 0.5;
        let off = if stands { 2e-3 } else { 1e-5 };
        let slope = (up.0 - down.0) / (2.0 * h);
        let error = (force.map(|c| c.eps[0]) - slope).norm();
        assert!(error < off * scale, "{case}");
        let slope = (up.1 - down.1) / (2.0 * h);
        let error = (torque.map(|c| c.eps[0]) - slope).norm();
        assert!(error < off * scale, "{case}");
        let off = if case % 6 > 3 { 1e-5 } else { 1e-7 };
        assert!((energy.eps[0] - (up.2 - down.2) / (2.0 * h)).abs() < off * scale);
    }
    assert!(flush > 30, "{flush}");
}

/// Work of a closed path of poses of 1 over the work exchanged.
fn closed_path(
    one: &RoundedShape,
    two: &RoundedShape,
    k: Stiffness,
    path: impl Fn(f64) -> Pose,
) -> f64 {
    // Gauss quadrature of the power between 0 and 1, in pieces.
    const GAUSS: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_47),
        (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
    ];
    let pieces = 6000;
    let (mut sum, mut exchanged) = (0.0, 0.0);
    let mut patch = Patch::with_room(6);
    let other = Pose::identity();
    for i in 0..pieces {
        for (x, w) in GAUSS {
            for sign in [-1.0, 1.0] {
                let t = (i as f64 + 0.5 + 0.5 * sign * x) / pieces as f64;
                let h = 1e-6;
                let pose = path(t);
                let (force, torque, _) = sums(&mut patch, [(one, &pose), (two, &other)], k);
                let ends = [path(t + h), path(t - h)];
                let v = (ends[0].position - ends[1].position) / (2.0 * h);
                let turn =
                    (ends[0].rotation - ends[1].rotation) * pose.rotation.transpose() / (2.0 * h);
                let omega = Vec3::new(turn[(2, 1)], turn[(0, 2)], turn[(1, 0)]);
                let about = torque - pose.position.cross(&force);
                let power = force.dot(&v) + about.dot(&omega);
                sum += 0.5 * w * power / pieces as f64;
                exchanged += 0.5 * w * power.abs() / pieces as f64;
            }
        }
    }
    assert!(exchanged > 0.0);
    (sum / exchanged).abs()
}

#[test]
fn a_closed_path_returns_its_work() {
    let block = cuboid([0.5, 0.4, 0.3]);
    let table = cuboid([1.0, 0.9, 0.5]);
    let full = 2.0 * std::f64::consts::PI;
    // In, slides, tilts through parallel, over the edge of the table, and out.
    let path = |t: f64| {
        let (s, c) = (full * t).sin_cos();
        let (s2, c2) = (2.0 * full * t).sin_cos();
        at(
            [0.3 + 0.2 * s, 0.2 * c2, 0.42 - 0.05 * c],
            [0.2 * s2, 0.15 * s, 0.4 * c],
        )
    };
    for k in [[1.0, 1.0], [1.0, 3.0]] {
        let found = closed_path(&block, &table, k, path);
        assert!(found < 1e-9, "{found:e}");
    }
}

#[test]
fn a_crate_that_stands_exactly_flat_feels_no_torque_at_all() {
    let crate_ = cuboid([0.3, 0.2, 0.1]);
    let floor = cuboid([3.0, 4.0, 1.0]);
    let turns = [(0.0_f64, 0.0, 0.0), (0.3, 0.17, -0.31), (1.1, -0.3, 0.7)];
    // Its side faces get a node, three, or a polygon.
    let cases = [1e-6, 1e-5, 1e-3].map(|depth| turns.map(|turn| (depth, turn)));
    for (depth, (turn, x, y)) in cases.into_iter().flatten() {
        let pose = posed(
            Vec3::new(x, y, 0.55 - depth),
            rotation_matrix(&[(0.5 * turn).cos(), 0.0, 0.0, (0.5 * turn).sin()]),
        );
        for (ground, below) in [
            (floor.clone(), Pose::identity()),
            (RoundedShape::half_space(), at([0.0, 0.0, 0.5], [0.0; 3])),
        ] {
            let mut patch = Patch::with_room(6);
            patch.find([(&ground, &below), (&crate_, &pose)], [1e9, 1e9], 0.0);
            assert_eq!(patch.origin_w, pose.position);
            assert!(!patch.nodes.list().is_empty());
            let torque = patch
                .nodes
                .sum(Vec3::zeros(), |n| n.point.cross(&(n.normal * n.force)));
            assert!(torque.x == 0.0 && torque.y == 0.0, "{torque:?}");
            let loads = patch.nodes.facets().filter_map(|(_, extent)| match extent {
                Extent::Polygon(polygon) => Some(polygon.first.cross(&polygon.normal)),
                _ => None,
            });
            let torque: Vec3 = loads.sum();
            assert!(torque.x == 0.0 && torque.y == 0.0, "{torque:?}");
        }
    }
}

#[test]
fn boxes_whose_side_faces_lie_in_common_planes_have_the_gradient_of_their_energy_too() {
    let block = cuboid([0.1; 3]);
    for shift in [0.0, 0.03] {
        for depth in [1e-3, 1e-5] {
            for k in [[1e9, 1e9], [1e9, 3e9]] {
                let at_depth = |depth: f64| at([0.1 - depth, shift, 0.0], [0.0; 3]);
                let two = |depth| wrench((&block, Pose::identity()), (&block, at_depth(depth)), k);
                let h = 1e-3 * depth;
                let slope = (two(depth + h).2 - two(depth - h).2) / (2.0 * h);
                let (force, ..) = two(depth);
                let error = force.x.abs() / slope.abs() - 1.0;
                assert!(error.abs() < 1e-8, "{shift} {depth} {k:?}: {error:e}");
            }
        }
    }
}

/// Moments of the nodes up to degree 4 on a facet with corners of its own count, in any pose, against sums
/// over its outline by Green's theorem: integral of p x^a y^b.
#[test]
fn nodes_of_a_facet_are_exact_to_degree_four() {
    let mut random = Random(3);
    let ground = RoundedShape::half_space();
    for (count, nodes) in [(3, 18), (4, 24), (5, 30), (6, 36), (7, 42), (8, 48)] {
        let angles = (0..count).map(|k| (f64::from(k) + 0.3 * random.next()) / f64::from(count));
        let ring: Vec<[f64; 2]> = angles
            .map(|turn| {
                let (sin, cos) = (turn * std::f64::consts::TAU).sin_cos();
                [0.1 * cos, 0.08 * sin]
            })
            .collect();
        let prism = layers::over(&ring, 0.05);
        let pose = at([0.0, 0.0, 0.05 - 1e-9], [0.0; 3]);
        let mut patch = Patch::with_room(12);
        patch.find(
            [(&prism, &pose), (&ground, &Pose::identity())],
            [2e9; 2],
            0.0,
        );
        // No list of faces, no pairs of cells.
        assert!(patch.layers.list.faces.is_empty() && patch.cell_pairs() == 0);
        let mut large = patch.nodes.list();
        large.retain(|node| node.normal.z.abs() > 0.9);
        assert_eq!(large.len(), nodes);
        for (a, b) in (0..5).flat_map(|a| (0..5 - a).map(move |b| (a, b))) {
            let found = large
                .iter()
                .map(|node| node.force * node.point.x.powi(a) * node.point.y.powi(b));
            let found: f64 = found.sum();
            // Integral of x^(a+1)/(a+1) y^b dy along each edge, by Gauss points.
            let expected: f64 = (0..ring.len())
                .map(|k| {
                    let (p, q) = (ring[k], ring[(k + 1) % ring.len()]);
                    let rule = [(-0.6_f64.sqrt(), 5.0), (0.0, 8.0), (0.6_f64.sqrt(), 5.0)];
                    let parts = rule.map(|(s, weight)| {
                        let t = 0.5 * (1.0 + s);
                        let [x, y] = [0, 1].map(|i| p[i] + t * (q[i] - p[i]));
                        weight / 18.0 * x.powi(a + 1) * y.powi(b) / f64::from(a + 1)
                    });
                    parts.iter().sum::<f64>() * (q[1] - p[1])
                })
                .sum();
            let size = 0.1_f64.powi(a + b) * 0.03;
            // The cell is narrower than the face by the depth.
            assert!(
                (found - expected).abs() < 1e-7 * size,
                "{count} {a} {b}: {found} {expected}"
            );
        }
    }
}

#[test]
fn the_mean_arm_of_a_square_is_that_of_its_integral() {
    // Integral of the distance from the centre over a unit square, (sqrt 2 + ln(1 + sqrt 2))/6.
    let exact = (2.0_f64.sqrt() + (1.0 + 2.0_f64.sqrt()).ln()) / 6.0;
    let side = 0.1;
    let block = cuboid([side; 3]);
    let ground = RoundedShape::half_space();
    for turn in [0.0, 0.1, 0.5, 0.8, 1.3] {
        let pose = at([0.0, 0.0, 0.05 - 1e-7], [0.0, 0.0, turn]);
        let mut patch = Patch::with_room(6);
        patch.find(
            [(&block, &pose), (&ground, &Pose::identity())],
            [1e9; 2],
            0.0,
        );
        let force = patch.nodes.sum(0.0, |node| node.force);
        let arm = patch.nodes.arm(&Vec3::zeros(), &Vec3::z()) / force;
        // The rule of six points in each quarter leaves 4e-4.
        let error = arm / (exact * side) - 1.0;
        assert!(error.abs() < 5e-4, "{turn}: {error:e}");
    }
}

/// A facet between a side face of a box and the ground: the pressure k d u/2 on the length L - d u over the width
/// d/sqrt 2, u = 0 .. 1.
#[test]
fn three_nodes_have_force_centre_and_second_moment_of_a_thin_trapezoid() {
    let (side, depth, k) = (0.1_f64, 1e-5_f64, 1e9);
    let pose = at([0.0, 0.0, 0.5 * side - depth], [0.0; 3]);
    let ground = (&RoundedShape::half_space(), &Pose::identity());
    let mut patch = Patch::with_room(6);
    patch.find([(&cuboid([side; 3]), &pose), ground], [k; 2], 0.0);
    let scale = k * depth * depth / 8f64.sqrt();
    let force = scale * (side / 2.0 - depth / 3.0);
    let height = scale * depth / 2.0 * (side / 3.0 - depth / 4.0) / force;
    let terms = [
        side.powi(3) / 2.0,
        -side * side * depth,
        0.75 * side * depth * depth,
        -depth.powi(3) / 5.0,
    ];
    let second = scale / 12.0 * terms.iter().sum::<f64>();
    let mut nodes = patch.nodes.list();
    nodes.retain(|node| node.normal.x.abs() > 0.5 && node.point.x > 0.0);
    assert_eq!(nodes.len(), 3);
    let found = |of: &dyn Fn(&Vec3) -> f64| -> f64 {
        nodes.iter().map(|node| node.force * of(&node.point)).sum()
    };
    // What lies below the ground is the depth of the edge, half of it: both bodies yield.
    let off = |point: &Vec3| 0.5 * side - point.x;
    let errors = [
        found(&|_| 1.0) / force - 1.0,
        found(&off) / force / height - 1.0,
        found(&|point| point.y * point.y) / second - 1.0,
    ];
    for (error, most) in errors.into_iter().zip([1e-9, 1e-6, 1e-9]) {
        assert!(error.abs() < most, "{errors:?}");
    }
}
