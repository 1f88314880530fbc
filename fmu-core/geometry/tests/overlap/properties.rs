//! What holds for all intersections: invariance, additivity, limits.

use super::{at, cuboid, overlap, polyhedron};
use crate::random::{Random, posed};
use crate::solid::Solid;
use contact_geometry::math::{Mat3, Pose, Vec3};
use contact_geometry::narrow_phase::overlap::{Overlap, Polyhedron, Workspace};
use contact_geometry::shapes::RoundedShape;

/// A box, tetrahedron or hull of half a metre.
fn some_polyhedron(random: &mut Random) -> Polyhedron {
    if random.unit() < 0.4 {
        return cuboid([(); 3].map(|()| random.between(0.2, 1.0)));
    }
    let count = 4 + random.index(12);
    let points: Vec<Vec3> = (0..count).map(|_| random.direction() * 0.5).collect();
    polyhedron(&Solid::hull_of(&points, 0.0).shape)
}

fn turned(by: &Pose, pose: &Pose) -> Pose {
    posed(
        by.position + by.rotation * pose.position,
        by.rotation * pose.rotation,
    )
}

/// Largest difference of two results, the second in a frame at a pose, to lengths of one metre.
fn difference(a: &Overlap, b: &Overlap, pose: &Pose) -> f64 {
    let point = |p: &Vec3| pose.position + pose.rotation * p;
    let turn = |v: &Vec3| pose.rotation * v;
    assert_eq!(a.intersects, b.intersects);
    assert_eq!(a.contains, b.contains);
    [
        (a.volume - b.volume).abs(),
        (a.area - b.area).abs(),
        (a.gap - b.gap).abs(),
        (point(&b.surface_centroid_w) - a.surface_centroid_w).norm() * a.area,
        (point(&b.volume_centroid_w) - a.volume_centroid_w).norm() * a.volume,
        (turn(&b.vector_areas_w[0]) - a.vector_areas_w[0]).norm(),
        (turn(&b.vector_areas_w[1]) - a.vector_areas_w[1]).norm(),
    ]
    .into_iter()
    .fold(0.0, f64::max)
}

fn swapped(found: &Overlap) -> Overlap {
    let [one, two] = found.vector_areas_w;
    Overlap {
        vector_areas_w: [two, one],
        normal_w: -found.normal_w,
        contains: [found.contains[1], found.contains[0]],
        ..*found
    }
}

/// Random pairs that overlap.
fn for_each_pair(seed: u64, mut look: impl FnMut(&mut Random, [&Polyhedron; 2], [&Pose; 2])) {
    let mut random = Random::new(seed);
    let mut count = 0;
    while count < 200 {
        let shapes = [(); 2].map(|()| some_polyhedron(&mut random));
        let poses = [(); 2].map(|()| random.pose(0.4));
        let [s1, s2] = &shapes;
        let [p1, p2] = &poses;
        if overlap([s1, s2], [p1, p2]).intersects {
            look(&mut random, [s1, s2], [p1, p2]);
            count += 1;
        }
    }
}

/// Rounding of sums of tens of products of numbers about one.
const ROUNDING: f64 = 1e-13;

#[test]
fn an_intersection_moves_and_turns_with_the_world_and_swaps_with_its_shapes() {
    for_each_pair(101, |random, [s1, s2], [p1, p2]| {
        let found = overlap([s1, s2], [p1, p2]);
        let world = random.pose(1.0);
        let moved = overlap([s1, s2], [&turned(&world, p1), &turned(&world, p2)]);
        let off = difference(&moved, &found, &world);
        assert!(off < ROUNDING, "moved: {off:e}");
        let other = swapped(&overlap([s2, s1], [p2, p1]));
        let off = difference(&other, &found, &Pose::identity());
        assert!(off < ROUNDING, "swapped: {off:e}");
        assert!((moved.normal_w - world.rotation * found.normal_w).norm() < 1e-9);
        assert!((other.normal_w - found.normal_w).norm() < 1e-9);
    });
}

/// The boundary is closed: the vector areas of both parts cancel.
#[test]
fn vector_areas_of_both_parts_are_opposite() {
    for_each_pair(102, |_, shapes, poses| {
        let found = overlap(shapes, poses);
        let sum = found.vector_areas_w[0] + found.vector_areas_w[1];
        assert!(sum.norm() < ROUNDING, "{:e}", sum.norm());
        assert!(found.volume > 0.0 && found.gap < 0.0);
    });
}

/// Halves of a box along a plane, or a box against a half-space and its opposite.
#[test]
fn volumes_of_both_sides_of_a_plane_add_up() {
    let half_space = polyhedron(&RoundedShape::half_space());
    let flip = Mat3::new(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0);
    for_each_pair(103, |random, [s1, s2], [p1, p2]| {
        let below = random.pose(0.3);
        let above = Pose {
            rotation: below.rotation * flip,
            ..below
        };
        let whole = s1.faces().iter().map(|face| {
            let corners = s1.corners(face);
            let fan = corners.windows(2).map(|pair| {
                let [a, b, c] = [corners[0], pair[0], pair[1]].map(|i| s1.vertices()[i as usize]);
                a.dot(&b.cross(&c)) / 6.0
            });
            fan.sum::<f64>()
        });
        let whole: f64 = whole.sum();
        let part = |pose: &Pose| overlap([s1, &half_space], [p1, pose]);
        let (lower, upper) = (part(&below), part(&above));
        assert!((lower.volume + upper.volume - whole).abs() < ROUNDING);
        // Along the cut the normals are opposite.
        if lower.volume > 1e-3 && upper.volume > 1e-3 {
            let normal = below.rotation.column(2).into_owned();
            let off = (lower.normal_w + normal).norm();
            assert!(off < 1e-9, "{}", lower.normal_w);
        }
        // A box cut in two along z.
        let size = [1.0, 0.8, 0.6];
        let cut = random.between(0.1, 0.5);
        let rest = size[2] - cut;
        let along = |z: f64| turned(p2, &at(0.0, 0.0, z));
        let measure = |lengths, z| overlap([s2, &cuboid(lengths)], [p1, &along(z)]).volume;
        let sum = measure([size[0], size[1], cut], 0.5 * (cut - size[2]))
            + measure([size[0], size[1], rest], 0.5 * (size[2] - rest));
        let whole = measure(size, 0.0);
        assert!((sum - whole).abs() < ROUNDING, "{sum} {whole}");
    });
}

/// A box of 0.2 x 0.3 m on one of 2 x 2 m, turned about the normal, everything turned at random.
#[test]
fn touching_boxes_share_the_common_face_and_no_volume() {
    let [plate, small] = [cuboid([2.0, 2.0, 0.1]), cuboid([0.2, 0.3, 0.4])];
    let mut random = Random::new(104);
    for round in 0..100 {
        let world = match round {
            0 => Pose::identity(),
            _ => random.pose(1.0),
        };
        let (sine, cosine) = random.between(0.0, 6.3).sin_cos();
        let turn = Mat3::new(cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0);
        let on_top = posed(Vec3::new(0.3, -0.4, 0.25), turn);
        let found = overlap([&plate, &small], [&world, &turned(&world, &on_top)]);
        let normal = world.rotation.column(2).into_owned();
        assert!(found.intersects);
        assert!((found.area - 0.06).abs() < 1e-13, "{}", found.area);
        assert!(found.volume < 1e-15 && found.gap.abs() < 1e-14);
        assert!((found.normal_w - normal).norm() < 1e-12);
        assert!((found.squared_normal_w - normal).norm() < 1e-12);
        let middle = world.position + world.rotation * Vec3::new(0.3, -0.4, 0.05);
        assert!((found.surface_centroid_w - middle).norm() < 1e-13);
        assert!((found.volume_centroid_w - middle).norm() < 1e-13);
        assert_eq!(found.surfaces, [5, 4]);
    }
}

/// The overhang does not count: 0.05 x 0.3 m remain.
#[test]
fn of_touching_boxes_only_the_common_part_counts() {
    let [one, two] = [cuboid([1.0, 1.0, 1.0]), cuboid([0.2, 0.3, 0.4])];
    let found = overlap([&one, &two], [&at(0.0, 0.0, 0.0), &at(0.55, 0.1, 0.7)]);
    assert!((found.area - 0.015).abs() < 1e-15, "{}", found.area);
    let middle = Vec3::new(0.475, 0.1, 0.5);
    assert!((found.surface_centroid_w - middle).norm() < 1e-14);
    assert!((found.normal_w - Vec3::z()).norm() < 1e-14);
}

/// Volume a b d, half surface a b + (a + b) d, depth d, at depths down to a nanometre.
#[test]
fn thin_intersections_keep_their_digits() {
    let [plate, small] = [cuboid([2.0, 2.0, 0.1]), cuboid([0.2, 0.3, 0.4])];
    let mut random = Random::new(105);
    for exponent in 4..=9 {
        let depth = 10f64.powi(-exponent);
        for _ in 0..20 {
            let world = random.pose(0.5);
            let pose = turned(&world, &at(0.3, -0.4, 0.25 - depth));
            let found = overlap([&plate, &small], [&world, &pose]);
            // Rounding of coordinates about one, to the depth.
            let allowed = 3e-15 / depth;
            let off = (found.volume / (0.06 * depth) - 1.0).abs();
            assert!(off < allowed, "volume at {depth:e}: {off:e}");
            assert!((found.gap / -depth - 1.0).abs() < allowed);
            let area = 0.06 + 0.5 * depth;
            assert!((found.area - area).abs() < 1e-13);
            let normal = world.rotation.column(2).into_owned();
            assert!((found.normal_w - normal).norm() < 1e-12);
        }
    }
}

/// Corner of a cube d below the plane: V = d^3 sqrt(3)/2, cut of d^2 3 sqrt(3)/2.
#[test]
fn a_corner_in_a_half_space_is_a_tetrahedron() {
    let [cube, ground] = [cuboid([1.0; 3]), polyhedron(&RoundedShape::half_space())];
    let up = Vec3::new(1.0, 1.0, 1.0).normalize();
    let side = Vec3::new(1.0, -1.0, 0.0).normalize();
    let rotation = Mat3::from_rows(&[
        side.transpose(),
        up.cross(&side).transpose(),
        up.transpose(),
    ]);
    for depth in [1e-1, 1e-4, 1e-7] {
        let pose = posed(Vec3::new(0.0, 0.0, 0.75f64.sqrt() - depth), rotation);
        let found = overlap([&ground, &cube], [&Pose::identity(), &pose]);
        let root = 3f64.sqrt();
        let allowed = 1e-14 / depth;
        let relative = |found: f64, exact: f64| (found / exact - 1.0).abs();
        assert!(relative(found.volume, 0.5 * root * depth.powi(3)) < allowed);
        // Three faces with legs of d sqrt(3), and the cut.
        let faces = 4.5 * depth * depth;
        let cut = 1.5 * root * depth * depth;
        assert!(relative(found.area, 0.5 * (faces + cut)) < allowed);
        assert!((found.volume_centroid_w - Vec3::new(0.0, 0.0, -0.25 * depth)).norm() < 1e-14);
        assert!((found.normal_w - Vec3::z()).norm() < 10.0 * allowed);
        assert!(relative(found.gap, -depth) < allowed);
        assert!(!found.contains[0] && !found.contains[1]);
    }
}

#[test]
fn what_is_contained_counts_whole_and_leaves_by_the_smallest_translation() {
    let [large, small] = [cuboid([2.0, 2.0, 2.0]), cuboid([0.2, 0.3, 0.4])];
    let mut random = Random::new(106);
    for _ in 0..50 {
        let world = random.pose(1.0);
        let inside = turned(&world, &at(0.1, -0.2, 0.5));
        let found = overlap([&large, &small], [&world, &inside]);
        assert_eq!(found.contains, [true, false]);
        assert!((found.volume - 0.024).abs() < 1e-15);
        assert!((found.area - 0.26).abs() < 1e-14);
        // Nearest to the top, 0.3 m above, which it has to leave with its whole height.
        let normal = world.rotation.column(2).into_owned();
        assert!((found.gap + 0.7).abs() < 1e-14);
        assert!((found.normal_w - normal).norm() < 1e-14);
        assert!((found.squared_normal_w - normal).norm() < 1e-14);
        let found = overlap([&small, &large], [&inside, &world]);
        assert_eq!(found.contains, [false, true]);
        assert!((found.normal_w + normal).norm() < 1e-14);
    }
}

/// Faces that coincide on both count once, whatever rounding makes of them.
#[test]
fn a_shape_intersects_itself_in_itself() {
    let mut random = Random::new(107);
    for _ in 0..50 {
        let shape = some_polyhedron(&mut random);
        let pose = random.pose(1.0);
        let found = overlap([&shape, &shape], [&pose, &pose]);
        let alone = overlap([&shape, &cuboid([9.0; 3])], [&pose, &pose]);
        assert!((found.volume - alone.volume).abs() < 1e-14);
        assert!((found.area - alone.area).abs() < 1e-13);
        assert!((found.shared_area - 2.0 * alone.area).abs() < 1e-13);
        assert_eq!(found.contains, [true, true]);
        // Almost the same: shifted by less than the epsilon, by rounding or by a nanometre.
        for shift in [1e-16, 1e-15, 1e-9] {
            let near = Pose {
                position: pose.position + random.direction() * shift,
                ..pose
            };
            let found = overlap([&shape, &shape], [&pose, &near]);
            // It holds the shape shrunk by 1 - shift/r about the centre of an inscribed ball; the
            // radius r is at least volume over surface, and surfaces of convex shapes grow.
            let shrunk = shift * 2.0 * alone.area / alone.volume;
            let off = (found.area - alone.area).abs();
            let most = 1e-13 + 2.0 * shrunk * alone.area;
            assert!(off < most, "{shift:e}: {off:e}");
            let off = (found.volume - alone.volume).abs();
            let most = 1e-14 + 3.0 * shrunk * alone.volume;
            assert!(off < most, "{shift:e}: {off:e}");
            assert!((found.shared_area - 2.0 * found.area).abs() < 1e-12);
        }
    }
}

/// The side faces of a box that stands flush with another one enter the normal beyond the epsilon.
#[test]
fn the_geometric_epsilon_decides_which_faces_are_common_and_moves_none() {
    let cube = cuboid([1.0; 3]);
    let offset = 1e-5;
    let poses = [&at(0.0, 0.0, 0.0), &at(0.0, offset, 0.9)];
    let mut work = Workspace::default();
    let coarse = work.overlap([&cube, &cube], poses, 1e-4);
    let fine = work.overlap([&cube, &cube], poses, 1e-6);
    for found in [&coarse, &fine] {
        assert!((found.volume - 0.1 * (1.0 - offset)).abs() < 1e-15);
    }
    assert!((coarse.normal_w - Vec3::z()).norm() < 1e-15);
    // By hand: sides of 0.1 m^2 at +y of 1 and -y of 2, against the faces of 1 - offset.
    let exact = Vec3::new(0.0, 0.2, 2.0 * (1.0 - offset)).normalize();
    assert!((fine.normal_w - exact).norm() < 1e-12);
}

#[test]
fn what_is_apart_has_no_volume_and_its_distance_as_the_gap() {
    let [one, two] = [cuboid([1.0; 3]), cuboid([0.2; 3])];
    let found = overlap([&one, &two], [&at(0.0, 0.0, 0.0), &at(1.0, 1.0, 0.0)]);
    assert!(!found.intersects);
    assert_eq!((found.volume, found.area), (0.0, 0.0));
    assert!((found.gap - 0.4 * 2f64.sqrt()).abs() < 1e-15);
    let normal = Vec3::new(1.0, 1.0, 0.0).normalize();
    assert!((found.normal_w - normal).norm() < 1e-15);
    let ground = polyhedron(&RoundedShape::half_space());
    let both = overlap(
        [&ground, &ground],
        [&at(0.0, 0.0, 0.0), &at(0.0, 0.0, -1.0)],
    );
    assert!(!both.intersects && both.gap == f64::INFINITY);
}

/// Vertex on a face and edge on edge: a point, no area.
#[test]
fn touching_corners_and_edges_meet_in_a_point() {
    let cube = cuboid([1.0; 3]);
    let found = overlap([&cube, &cube], [&at(0.0, 0.0, 0.0), &at(1.0, 1.0, 1.0)]);
    assert!(found.intersects && found.volume == 0.0 && found.area < 1e-15);
    assert!((found.surface_centroid_w - Vec3::repeat(0.5)).norm() < 1e-15);
    assert!(found.normal_w.iter().all(|c| c.is_finite()));
    assert_eq!(found.gap, 0.0);
}
