//! Results are held against the definition of the gap, evaluated over all vertices: no plane
//! separates better than by the gap, and the normal found does.

use crate::math::{Dual, Mat3, Pose, Vec3, rotation_matrix};
use crate::narrow_phase::expand::nearest_facet;
use crate::narrow_phase::gjk::{self, Corner, Corners, Difference};
use crate::narrow_phase::polytope::supports::vertex_of;
use crate::narrow_phase::{Feature, Proximity, find_feature, proximity, query};
use crate::shapes::samples::{Random, at, lift, pose_of, posed, pyramid};
use crate::shapes::{Core, Cuboid, Hull, RoundedShape, Segment};
use std::cell::Cell;

fn vertices(core: &Core) -> Vec<Vec3> {
    let count = match core {
        Core::Hull(hull) => hull.vertices().len(),
        Core::Box(_) => 8,
        Core::Segment(_) => 2,
        _ => 1,
    };
    (0..count as u32).map(|i| vertex_of(core, i)).collect()
}

/// Corners of the Minkowski difference, axes of 1, from the pose of 2 in 1.
fn differences(a: &Core, b: &Core, pose: &Pose) -> Vec<Vec3> {
    let on_2: Vec<Vec3> = vertices(b)
        .iter()
        .map(|v| pose.rotation * v + pose.position)
        .collect();
    let on_1 = vertices(a);
    on_1.iter()
        .flat_map(|p| on_2.iter().map(move |q| q - p))
        .collect()
}

/// s(n): the gap of the cores along n.
fn along(corners: &[Vec3], n: &Vec3) -> f64 {
    corners
        .iter()
        .map(|w| n.dot(w))
        .fold(f64::INFINITY, f64::min)
}

/// Directions along which the Minkowski difference may have faces: normals of faces, and cross
/// products of edges of 1 and 2.
fn face_normals(a: &Core, b: &Core, pose: &Pose) -> Vec<Vec3> {
    let parts = |core: &Core| {
        let v = vertices(core);
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        match core {
            Core::Hull(hull) => {
                for t in hull.triangles() {
                    let [p, q, r] = t.map(|i| v[i as usize]);
                    normals.push((q - p).cross(&(r - p)).normalize());
                    let sides = [(0, 1, q - p), (1, 2, r - q), (2, 0, p - r)];
                    // Each edge once, of the two triangles at it.
                    let once = sides.into_iter().filter(|(i, j, _)| t[*i] < t[*j]);
                    edges.extend(once.map(|(.., edge)| edge));
                }
            }
            Core::Box(_) => {
                normals.extend([Vec3::x(), Vec3::y(), Vec3::z()]);
                edges.extend([Vec3::x(), Vec3::y(), Vec3::z()]);
            }
            Core::Segment(_) => edges.push(Vec3::z()),
            _ => (),
        }
        (normals, edges)
    };
    let (mut normals, edges_1) = parts(a);
    let (normals_2, edges_2) = parts(b);
    normals.extend(normals_2.iter().map(|n| pose.rotation * n));
    for e in &edges_1 {
        for f in &edges_2 {
            let n = e.cross(&(pose.rotation * f));
            if n.norm() > 1e-6 {
                normals.push(n.normalize());
            }
        }
    }
    normals.iter().flat_map(|n| [*n, -n]).collect()
}

fn relative(pose_1: &Pose, pose_2: &Pose) -> Pose {
    posed(
        pose_1.rotation.transpose() * (pose_2.position - pose_1.position),
        pose_1.rotation.transpose() * pose_2.rotation,
    )
}

/// Checks one result against the definition; `tolerance` in [m].
fn certify(a: &RoundedShape, pose_1: &Pose, b: &RoundedShape, pose_2: &Pose, tolerance: f64) {
    let found = query(a, pose_1, b, pose_2, &Feature::None);
    let pose = relative(pose_1, pose_2);
    let corners = differences(&a.core, &b.core, &pose);
    let normal = pose_1.rotation.transpose() * found.normal_w;
    let core_gap = found.gap + a.radius + b.radius;
    let name = (a.kind(), b.kind(), found.gap);
    assert!((normal.norm() - 1.0).abs() < 1e-14, "{name:?}");
    // A lower bound of the gap.
    let lower = along(&corners, &normal);
    assert!((lower - core_gap).abs() <= tolerance, "{name:?} {lower}");
    if core_gap <= 0.0 {
        let best = face_normals(&a.core, &b.core, &pose)
            .iter()
            .map(|n| along(&corners, n))
            .fold(f64::NEG_INFINITY, f64::max);
        assert!((best - core_gap).abs() <= tolerance, "{name:?} {best}");
    }
    // An upper bound: the distance of two points of the shapes.
    let across = found.points_w[1] - found.points_w[0];
    let off = (across - found.normal_w * found.gap).norm();
    assert!(off <= tolerance, "{name:?}");
    for (shape, pose, side, point) in [
        (a, pose_1, 1.0, found.points_w[0]),
        (b, pose_2, -1.0, found.points_w[1]),
    ] {
        let outward = found.normal_w * side;
        let on_core = point - outward * shape.radius;
        let local = pose.rotation.transpose() * (on_core - pose.position);
        let outside = distance_outside(&shape.core, &local);
        assert!(outside <= 10.0 * tolerance, "{name:?} {outside}");
    }
}

/// How far [m] a point lies outside a core at most.
fn distance_outside(core: &Core, point: &Vec3) -> f64 {
    match core {
        Core::Box(Cuboid { half }) => (point.abs() - half).max(),
        Core::Segment(Segment { half }) => point.x.hypot(point.y).max(point.z.abs() - half),
        Core::Hull(hull) => hull
            .triangles()
            .iter()
            .map(|t| {
                let [p, q, r] = t.map(|i| hull.vertices()[i as usize]);
                (q - p).cross(&(r - p)).normalize().dot(&(point - p))
            })
            .fold(f64::NEG_INFINITY, f64::max),
        _ => point.norm(),
    }
}

/// A prism over a regular polygon, along z.
fn prism(sides: u32, radius: f64, half: f64) -> Hull {
    let corner = |i: u32| {
        let (s, c) = (std::f64::consts::TAU * f64::from(i % sides) / f64::from(sides)).sin_cos();
        [radius * c, radius * s, if i < sides { -half } else { half }]
    };
    let mut triangles = Vec::new();
    for i in 0..sides {
        let j = (i + 1) % sides;
        triangles.extend([[i, j, sides + j], [i, sides + j, sides + i]]);
        if i > 0 && j > 0 {
            triangles.extend([[0, j, i], [sides, sides + i, sides + j]]);
        }
    }
    Hull::new((0..2 * sides).map(corner).collect(), triangles).expect("a prism is convex")
}

/// Hull of random points of an ellipsoid: the triangles with all other points on one side.
fn ellipsoid(count: usize, random: &mut Random) -> Hull {
    let axes = Vec3::new(0.5, 0.49, 0.48);
    let points: Vec<Vec3> = (0..count)
        .map(|_| random.vector().normalize().component_mul(&axes))
        .collect();
    let mut triangles = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let normal = (points[j] - points[i]).cross(&(points[k] - points[i]));
                let others = (0..count).filter(|l| ![i, j, k].contains(l));
                let heights = others.map(|l| normal.dot(&(points[l] - points[i])));
                let (lower, upper) = heights.fold((0f64, 0f64), |(lower, upper), height| {
                    (lower.min(height), upper.max(height))
                });
                let [i, j, k] = [i, j, k].map(|i| i as u32);
                if upper == 0.0 {
                    triangles.push([i, j, k]);
                } else if lower == 0.0 {
                    triangles.push([i, k, j]);
                }
            }
        }
    }
    let vertices = points.iter().map(|p| [p.x, p.y, p.z]).collect();
    Hull::new(vertices, triangles).expect("a convex hull")
}

/// Corners of a Minkowski difference with the number of those asked for.
struct Counted<'a> {
    corners: &'a dyn Corners,
    count: Cell<usize>,
}

impl Corners for Counted<'_> {
    fn corner(&self, direction: &Vec3, near: [u32; 2]) -> Corner {
        self.count.set(self.count.get() + 1);
        self.corners.corner(direction, near)
    }
}

fn shapes(smoothing: f64) -> Vec<RoundedShape> {
    vec![
        RoundedShape::hull(pyramid(), smoothing),
        RoundedShape::hull(prism(7, 0.4, 0.3), smoothing),
        RoundedShape::cuboid(&[1.0, 0.8, 0.6], smoothing),
        RoundedShape::capsule(0.2, 0.8),
        RoundedShape::sphere(0.3),
    ]
}

/// All pairs of this family.
fn pairs(smoothing: f64) -> Vec<(RoundedShape, RoundedShape)> {
    let shapes = shapes(smoothing);
    let mut pairs = Vec::new();
    for (i, a) in shapes.iter().enumerate().take(3) {
        for b in &shapes[i..] {
            if !matches!((&a.core, &b.core), (Core::Box(_), Core::Point)) {
                pairs.push((a.clone(), b.clone()));
            }
        }
    }
    pairs
}

/// The pose of 2 moved along the normal until the gap is `gap`.
fn placed(a: &RoundedShape, pose_1: &Pose, b: &RoundedShape, pose_2: &Pose, gap: f64) -> Pose {
    let found = query(a, pose_1, b, pose_2, &Feature::None);
    posed(
        pose_2.position + found.normal_w * (gap - found.gap),
        pose_2.rotation,
    )
}

#[test]
fn gap_is_the_largest_separation_of_all_planes() {
    let mut random = Random(7);
    for smoothing in [0.0, 1e-3] {
        for (a, b) in pairs(smoothing) {
            for _ in 0..4 {
                let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.5));
                certify(&a, &pose_1, &b, &pose_2, 4e-15);
                for gap in [0.1, 1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -1e-3, -1e-2] {
                    let pose_2 = placed(&a, &pose_1, &b, &pose_2, gap);
                    certify(&a, &pose_1, &b, &pose_2, 4e-15);
                }
            }
        }
    }
}

#[test]
fn shift_along_the_normal_is_the_change_of_gap() {
    let mut random = Random(8);
    for smoothing in [0.0, 1e-3] {
        for (a, b) in pairs(smoothing) {
            for _ in 0..40 {
                let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.5));
                for gap in [1e-1, 1e-4, 1e-6, 1e-9, -1e-9, -1e-6, -1e-4] {
                    let pose_2 = placed(&a, &pose_1, &b, &pose_2, gap);
                    let here = query(&a, &pose_1, &b, &pose_2, &Feature::None);
                    let mut moved = pose_2;
                    moved.position += here.normal_w * 1e-7;
                    let there = query(&a, &pose_1, &b, &moved, &Feature::None);
                    let noise = (there.gap - here.gap - 1e-7).abs();
                    // From apart into touching the normal of sharp corners turns.
                    if !(-2e-7..=0.0).contains(&gap) {
                        assert!(
                            noise <= 2e-15,
                            "{:?} {:?} {gap} {noise}",
                            a.kind(),
                            b.kind()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn gap_does_not_depend_on_the_hint_or_on_the_order() {
    let mut random = Random(9);
    for (a, b) in pairs(1e-3).into_iter().chain(pairs(0.0)) {
        let mut last = Feature::None;
        for _ in 0..60 {
            let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.6));
            let cold = query(&a, &pose_1, &b, &pose_2, &Feature::None);
            // The hint is of another pose altogether.
            let warm = query(&a, &pose_1, &b, &pose_2, &last);
            assert!((cold.gap - warm.gap).abs() < 2e-15);
            assert!((cold.normal_w - warm.normal_w).norm() < 1e-9);
            last = find_feature(&a, &pose_1, &b, &pose_2, &last);
            let swapped = query(&b, &pose_2, &a, &pose_1, &Feature::None);
            assert!((cold.gap - swapped.gap).abs() < 2e-15);
            assert!((cold.normal_w + swapped.normal_w).norm() < 1e-9);
        }
        // Nor on a hint of another pair.
        let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.6));
        let large = RoundedShape::hull(prism(40, 0.4, 0.3), 0.0);
        let strange = find_feature(&large, &pose_1, &large, &pose_2, &Feature::None);
        let cold = query(&a, &pose_1, &b, &pose_2, &Feature::None);
        let warm = query(&a, &pose_1, &b, &pose_2, &strange);
        assert!((cold.gap - warm.gap).abs() < 2e-15);
    }
}

#[test]
fn coincident_boxes_overlap_by_their_smallest_edge() {
    for smoothing in [0.0, 1e-3] {
        let a = RoundedShape::cuboid(&[1.0, 0.8, 0.6], smoothing);
        let mut random = Random(3);
        for _ in 0..20 {
            let pose = random.pose(1.0);
            let found = query(&a, &pose, &a, &pose, &Feature::None);
            assert!((found.gap + 0.6).abs() < 1e-15, "{}", found.gap);
            let across = pose.rotation.column(2).dot(&found.normal_w).abs();
            assert!((across - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn box_deep_in_a_box_leaves_by_the_nearest_face() {
    let outer = RoundedShape::cuboid(&[2.0, 2.0, 2.0], 0.0);
    let inner = RoundedShape::cuboid(&[0.2, 0.3, 0.4], 0.0);
    // 0.5 from the face at x = 1 to the centre, and half of the edge of 0.2.
    let found = query(
        &outer,
        &at(0.0, 0.0, 0.0),
        &inner,
        &at(0.5, 0.1, -0.2),
        &Feature::None,
    );
    assert!((found.gap + 0.6).abs() < 1e-15);
    assert!((found.normal_w - Vec3::x()).norm() < 1e-15);
}

#[test]
fn hulls_deep_in_each_other_leave_by_the_shortest_way() {
    let mut random = Random(11);
    let [a, b] = [0, 1].map(|_| ellipsoid(90, &mut random));
    let cores = [&a, &b].map(|hull| RoundedShape::hull(hull.clone(), 0.0).core);
    let mut most = 0;
    for _ in 0..4 {
        let pose = random.pose(0.02);
        let sets = Difference {
            set_1: &a,
            set_2: &b,
            pose,
        };
        let start = gjk::distance(&sets, &[], &Vec3::x(), 0.0);
        assert!(start.overlapping);
        let counted = Counted {
            corners: &sets,
            count: Cell::new(0),
        };
        let facet = nearest_facet(&counted, start.simplex.corners(), 0.0);
        let separation = |n: &Vec3| {
            let on_1 = a.vertices().iter().map(|p| n.dot(p));
            let on_2 = b
                .vertices()
                .iter()
                .map(|p| n.dot(&(pose.rotation * p + pose.position)));
            on_2.fold(f64::INFINITY, f64::min) - on_1.fold(f64::NEG_INFINITY, f64::max)
        };
        let normals = face_normals(&cores[0], &cores[1], &pose);
        let best = normals
            .iter()
            .map(separation)
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(
            (facet.offset - best).abs() < 4e-15,
            "{} {best}",
            facet.offset
        );
        most = most.max(counted.count.get());
    }
    // More corners than the first store of the expanding polytope holds.
    assert!(most > 34, "{most}");
}

#[test]
fn faces_above_a_plane_have_a_vertex_there() {
    let mut random = Random(12);
    let hulls = [pyramid(), prism(7, 0.4, 0.3), ellipsoid(48, &mut random)];
    for hull in &hulls {
        for _ in 0..50 {
            let direction = random.vector().normalize();
            let along = |v: u32| hull.vertices()[v as usize].dot(&direction);
            let top = along(hull.farthest(&direction) as u32);
            let height = top - 0.1 * random.weight();
            let (mut expected, mut number) = (Vec::new(), 0);
            hull.faces().for_each(|_, rim| {
                if rim.iter().any(|edge| along(edge[0]) >= height) {
                    expected.push(number);
                }
                number += 1;
            });
            let (found, count) = hull.faces_above(&direction, height).expect("few faces");
            assert_eq!(found[..count], expected);
        }
    }
    let cap = prism(100, 0.4, 0.3);
    assert!(cap.faces_above(&Vec3::z(), 0.29).is_none());
}

#[test]
fn small_parts_beside_large_ground_and_far_from_the_origin() {
    let ground = RoundedShape::cuboid(&[2e3, 2e3, 1.0], 0.0);
    let part = RoundedShape::cuboid(&[1e-3, 2e-3, 1e-3], 0.0);
    let mut random = Random(5);
    for _ in 0..100 {
        for gap in [1e-4, 1e-6, -1e-6, -1e-5] {
            let mut pose = random.pose(0.0);
            let reach = (pose.rotation.row(2).abs() * Vec3::new(0.5e-3, 1e-3, 0.5e-3)).x;
            pose.position = Vec3::new(
                300.0 * random.next(),
                300.0 * random.next(),
                0.5 + reach + gap,
            );
            let found = query(&ground, &Pose::identity(), &part, &pose, &Feature::None);
            assert!((found.gap - gap).abs() < 2e-16 * 1e3, "{gap} {}", found.gap);
            assert!((found.normal_w - Vec3::z()).norm() < 1e-9);
        }
    }
    // The same pair at the origin and 1e4 m away.
    for (a, b) in pairs(1e-3) {
        let (pose_1, mut pose_2) = (random.pose(0.0), random.pose(0.0));
        pose_2.position = Vec3::new(0.75, 0.5, 0.25);
        let mut far = [pose_1, pose_2];
        for pose in &mut far {
            pose.position += Vec3::new(8192.0, -4096.0, 8192.0);
        }
        let near = query(&a, &pose_1, &b, &pose_2, &Feature::None);
        let far = query(&a, &far[0], &b, &far[1], &Feature::None);
        assert!((near.gap - far.gap).abs() < 1e-15);
        assert!((near.normal_w - far.normal_w).norm() < 1e-14);
    }
}

#[test]
fn nearly_parallel_edges_keep_their_gap() {
    // Two cubes edge to edge, each turned by 45 degrees, at height d between the edges, the upper
    // one turned by theta about z: the edges cross in the middle, the gap is d.
    let half = 0.5;
    let cube = RoundedShape::cuboid(&[2.0 * half; 3], 0.0);
    let eighth = std::f64::consts::FRAC_PI_8;
    let edge_up: Mat3 = rotation_matrix(&[eighth.cos(), eighth.sin(), 0.0, 0.0]);
    let reach = half * 2f64.sqrt();
    for exponent in 3..=17 {
        for d in [0.1, 1e-3, 1e-6, 1e-9, -1e-9, -1e-6, -1e-3] {
            let theta: f64 = 10f64.powi(-exponent);
            // Deeper than this the edges part sideways, along the faces.
            if d < -0.1 * theta {
                continue;
            }
            let (s, c) = (0.5 * theta).sin_cos();
            let turn: Mat3 = rotation_matrix(&[c, 0.0, 0.0, s]);
            let pose_1 = posed(Vec3::zeros(), edge_up);
            let pose_2 = posed(Vec3::z() * (2.0 * reach + d), turn * edge_up);
            let found = query(&cube, &pose_1, &cube, &pose_2, &Feature::None);
            assert!((found.gap - d).abs() < 2e-15, "{theta} {d} {}", found.gap);
            let off = (found.normal_w - Vec3::z()).norm();
            assert!(off < 1e-3, "{theta} {d} {}", found.normal_w);
        }
    }
}

#[test]
fn sweep_through_touching_has_no_jump() {
    let mut random = Random(11);
    for (a, b) in pairs(0.0) {
        for _ in 0..10 {
            let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.5));
            let touching = placed(&a, &pose_1, &b, &pose_2, 0.0);
            let normal = query(&a, &pose_1, &b, &pose_2, &Feature::None).normal_w;
            let gap_at = |step: i32| {
                let mut pose = touching;
                pose.position += normal * (1e-9 * f64::from(step));
                query(&a, &pose_1, &b, &pose, &Feature::None).gap
            };
            for step in -20..20 {
                let change = gap_at(step + 1) - gap_at(step);
                // Corners apart draw a little less than they are moved.
                assert!(change < 1e-9 + 1e-14 && change > -1e-14, "{change}");
            }
        }
    }
}

/// The pose of a rigid motion away from `pose` in time t.
fn moving(pose: &Pose, velocity: &Vec3, spin: &Vec3, t: f64) -> Pose {
    let half = spin * (0.5 * t);
    let angle = half.norm();
    let v = half
        * if angle > 0.0 {
            angle.sin() / angle
        } else {
            1.0
        };
    posed(
        pose.position + velocity * t,
        rotation_matrix::<f64>(&[angle.cos(), v.x, v.y, v.z]) * pose.rotation,
    )
}

#[test]
fn dual_numbers_give_the_derivatives_of_the_closed_form() {
    let mut random = Random(12);
    for (a, b) in pairs(1e-3).into_iter().chain(pairs(0.0)) {
        for gap in [0.05, 1e-4, -1e-3] {
            let (pose_1, pose_2) = (random.pose(0.5), random.pose(0.5));
            let pose_2 = placed(&a, &pose_1, &b, &pose_2, gap);
            let (velocity, spin) = (random.vector(), random.vector());
            let feature = find_feature(&a, &pose_1, &b, &pose_2, &Feature::None);
            let mut dual = lift(&pose_2);
            let rate = spin.cross_matrix() * pose_2.rotation;
            for i in 0..3 {
                dual.position[i].eps[0] = velocity[i];
                for j in 0..3 {
                    dual.rotation[(i, j)].eps[0] = rate[(i, j)];
                }
            }
            let exact: Proximity<Dual> = proximity(&a, &lift(&pose_1), &b, &dual, &feature);
            let h = 1e-6;
            let at = |t| {
                let pose = moving(&pose_2, &velocity, &spin, t);
                proximity(&a, &pose_1, &b, &pose, &feature)
            };
            let (before, after) = (at(-h), at(h));
            let slope = (after.gap - before.gap) / (2.0 * h);
            assert!((exact.gap.eps[0] - slope).abs() < 1e-7 * (1.0 + slope.abs()));
            let turn = (after.normal_w - before.normal_w) / (2.0 * h);
            let exact_turn = exact.normal_w.map(|c| c.eps[0]);
            assert!((exact_turn - turn).norm() < 1e-5 * (1.0 + turn.norm()));
            for i in 0..2 {
                let drift = (after.points_w[i] - before.points_w[i]) / (2.0 * h);
                let exact_drift = exact.points_w[i].map(|c| c.eps[0]);
                assert!((exact_drift - drift).norm() < 1e-5 * (1.0 + drift.norm()));
            }
        }
    }
}

#[test]
fn poses_that_are_not_numbers_end() {
    for (a, b) in pairs(1e-3) {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut pose = Pose::identity();
            pose.position.y = bad;
            query(&a, &Pose::identity(), &b, &pose, &Feature::None);
            pose.position.y = 0.1;
            pose.rotation[(1, 2)] = bad;
            query(&a, &Pose::identity(), &b, &pose, &Feature::None);
        }
    }
}

/// Contact points of boxes on boxes while one turns through parallel about a skew axis.
#[test]
fn contact_point_moves_continuously_through_parallel() {
    #[rustfmt::skip]
    let pairs = [
        // Face on face, edge on face, edge along edge; the tilt of 2 about x.
        (
            RoundedShape::cuboid(&[2.0, 2.0, 0.5], 1e-3),
            RoundedShape::cuboid(&[0.6, 0.4, 0.3], 1e-3),
            0.0,
        ),
        (
            RoundedShape::cuboid(&[2.0, 2.0, 0.5], 0.0),
            RoundedShape::cuboid(&[0.6, 0.4, 0.3], 0.0),
            0.0,
        ),
        (
            RoundedShape::cuboid(&[2.0, 2.0, 0.5], 1e-3),
            RoundedShape::cuboid(&[0.6, 0.4, 0.3], 1e-3),
            0.7,
        ),
        (
            RoundedShape::hull(prism(7, 0.6, 0.4), 1e-3),
            RoundedShape::cuboid(&[0.6, 0.4, 0.3], 1e-3),
            0.0,
        ),
        (
            RoundedShape::hull(prism(7, 0.6, 0.4), 0.0),
            RoundedShape::hull(prism(7, 0.3, 0.4), 0.0),
            0.3,
        ),
        (RoundedShape::hull(prism(7, 0.6, 0.4), 1e-3), lying_capsule(), 0.0),
    ];
    let axis = Vec3::new(0.8, 0.6, 0.1);
    for (a, b, tilt) in &pairs {
        let height = |gap: f64| {
            let (s, c) = (0.5f64 * tilt).sin_cos();
            let pose = pose_of([0.12, -0.07, 3.0], [c, s, 0.0, 0.0]);
            placed_down(a, b, &pose, gap)
        };
        for gap in [1e-5, -1e-5] {
            let pose = height(gap);
            let mut last: Option<(Vec3, f64)> = None;
            let steps = 4000;
            for step in -steps..=steps {
                // Through the blend and beyond: 4e-4 rad either way.
                let angle = 1e-7 * f64::from(step);
                let turned = moving(&pose, &Vec3::zeros(), &axis, angle);
                let found = query(a, &Pose::identity(), b, &turned, &Feature::None);
                let here = found.contact_point_w();
                if let Some((point, gap)) = last {
                    // A lever of 1 m in 1e-4 rad is 1e-3 m in a step of 1e-7 rad.
                    let moved = (here - point).norm();
                    assert!(
                        moved < 2e-3,
                        "{:?} on {:?} tilt {tilt} gap {gap}: {moved} at {angle}",
                        b.kind(),
                        a.kind()
                    );
                    assert!((found.gap - gap).abs() < 2e-7);
                }
                last = Some((here, found.gap));
            }
        }
    }
}

fn lying_capsule() -> RoundedShape {
    let mut capsule = RoundedShape::capsule(0.2, 0.8);
    capsule.radius = 0.1;
    capsule
}

/// The pose with its height changed so that the gap to `a` at the origin is as wanted.
fn placed_down(a: &RoundedShape, b: &RoundedShape, pose: &Pose, gap: f64) -> Pose {
    let mut pose = *pose;
    if matches!(b.core, Core::Segment(_)) {
        pose.rotation = Mat3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
    }
    for _ in 0..20 {
        let found = query(a, &Pose::identity(), b, &pose, &Feature::None);
        pose.position.z += gap - found.gap;
    }
    pose
}

#[test]
fn box_at_rest_is_supported_below_its_centre() {
    let plate = RoundedShape::cuboid(&[8.0, 8.0, 1.0], 1e-3);
    let crate_ = RoundedShape::cuboid(&[0.5, 0.4, 0.3], 1e-3);
    let pose = pose_of([1.25, -2.5, 0.65 - 1e-6], [0.9, 0.0, 0.0, 0.3]);
    let found = query(&plate, &Pose::identity(), &crate_, &pose, &Feature::None);
    assert!((found.gap + 1e-6).abs() < 1e-15);
    let point = found.contact_point_w();
    // The plate is 16 times larger: its centre draws by 16^-4 of the distance.
    let off = (point - Vec3::new(1.25, -2.5, 0.5)).norm();
    assert!(off < 1e-4, "{point}");
}

#[test]
fn contact_point_far_from_parallel_is_that_of_the_features() {
    // Turned by more than the blend the corner that touches is the contact point.
    let plate = RoundedShape::cuboid(&[4.0, 4.0, 1.0], 0.0);
    let half = Vec3::new(0.25, 0.2, 0.15);
    let cube = RoundedShape::cuboid(&[0.5, 0.4, 0.3], 0.0);
    for angle in [1.5e-4, 1e-3, 0.1] {
        let rotation: Mat3 = rotation_matrix(&[1.0, angle, 1.1 * angle, 0.2]);
        let lowest = half.zip_map(&rotation.row(2).transpose(), |h: f64, z: f64| {
            -h.copysign(z)
        });
        let pose = posed(
            Vec3::new(0.3, 0.4, 0.5 - 1e-6) - rotation * lowest,
            rotation,
        );
        let found = query(&plate, &Pose::identity(), &cube, &pose, &Feature::None);
        let point = found.contact_point_w();
        let off = (point - Vec3::new(0.3, 0.4, 0.5 - 0.5e-6)).norm();
        assert!(off < 1e-12, "{angle} {point}");
    }
}
