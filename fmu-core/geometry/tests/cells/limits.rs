//! Work, memory, and what happens at the limits: depth beyond the layer, poses that are no numbers.

use super::meshes::{block, body, bumpy, close, cuboid, ell, prism, slab, sums, wrench};
use crate::counting::count;
use crate::random::{Random, at, posed};
use crate::solid::Solid;
use contact_geometry::math::{Pose, Vec3, exponential};
use contact_geometry::narrow_phase::area::{Patch, face_count, face_side};
use contact_geometry::shapes::RoundedShape;

const K: [f64; 2] = [1e12, 2.5e12];

/// Waves on a slab of 1 m x 1 m with 5,000 triangles on its upper face.
fn waves() -> RoundedShape {
    body(&slab(50, 0.02, 0.05, |i, j| {
        let (i, j) = (f64::from(i), f64::from(j));
        1e-3 * (0.7 * i).sin() * (0.5 * j).cos()
    }))
}

/// Takes seconds, most of them to find the layer of so many triangles.
#[test]
fn pairs_that_are_tried_are_not_many_more_than_those_that_touch() {
    let waves = waves();
    let over = exponential(&Vec3::new(std::f64::consts::PI, 0.0, 0.0));
    let mut patch = Patch::with_room(0);
    for (height, turn) in [(1.8e-3, 0.0), (1.95e-3, 0.7)] {
        let rotation = exponential(&Vec3::new(0.002, 0.001, turn)) * over;
        let pose = posed(Vec3::new(0.003, 0.005, height), rotation);
        patch.find([(&waves, &pose), (&waves, &Pose::identity())], K, 0.0);
        let touching = patch.nodes.facets().count();
        let tried = patch.cell_pairs();
        assert!(
            touching > 10 && tried <= 10 * touching,
            "{tried} {touching}"
        );
    }
}

#[test]
fn hulls_press_a_mesh_as_its_box_at_any_depth() {
    let mut random = Random::new(7);
    let lengths = [0.5, 0.5, 0.4];
    // One leg is a box, its inner corner far off.
    let outline = [
        [-1.75, -0.25],
        [0.25, -0.25],
        [0.25, 0.25],
        [-1.25, 0.25],
        [-1.25, 1.75],
        [-1.75, 1.75],
    ];
    let ell = prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]], 0.4);
    let floors = [
        (cuboid(lengths), Pose::identity(), block(lengths)),
        (cuboid([2.0, 0.5, 0.4]), at(-0.75, 0.0, 0.0), body(&ell)),
    ];
    for number in 0..180 {
        let size = [0.03, 0.08, 0.15][number % 3];
        let (hull, points) = if number % 5 == 4 {
            let half = Vec3::new(size, 0.8 * size, 0.5 * size);
            let corner = |i| Vec3::from([1, 2, 4].map(|bit| if i & bit > 0 { 1.0 } else { -1.0 }));
            let points: Vec<Vec3> = (0..8).map(|i| corner(i).component_mul(&half)).collect();
            (cuboid((half * 2.0).into()), points)
        } else {
            let count = 12 + number % 49;
            let points: Vec<Vec3> = (0..count).map(|_| random.direction() * size).collect();
            (Solid::hull_of(&points, 0.0).shape, points)
        };
        let rotation = random.rotation();
        let turned = points.iter().map(|p| rotation * p);
        let highest = turned
            .clone()
            .fold(f64::NEG_INFINITY, |most, p| most.max(p.z));
        let lowest = turned.reduce(|a, b| if b.z < a.z { b } else { a });
        let lowest = lowest.expect("a point");
        // Down to the middle of the box, and until just its top is above.
        let depth = [1e-4, 1e-2, 0.5, 0.9, 0.97, 0.99][number / 3 % 6] * (highest - lowest.z);
        let [x, y] = [(); 2].map(|()| random.between(-0.24, 0.24));
        let pose = posed(Vec3::new(x, y, 0.2 - depth.min(0.19)) - lowest, rotation);
        let (floor, floor_pose, mesh) = &floors[number % 2];
        let k = [K[0], K[0] * [0.1, 1.0, 2.5, 20.0][number % 4]];
        let expected = wrench([&hull, floor], [pose, *floor_pose], k);
        let found = wrench([&hull, mesh], [pose, Pose::identity()], k);
        close(&found, &expected.0, &expected.1, 0.1, 1e-9);
        let off = (found.2 / expected.2 - 1.0).abs();
        assert!(off < 1e-9, "{number}: energy {off:e}");
    }
}

#[test]
fn bodies_that_lie_along_each_other_have_the_energy_of_boxes() {
    let [small, large] = [[0.1, 0.08, 0.06], [0.1, 0.2, 0.06]];
    for (x, y) in [(0.0, 0.0), (0.0, 0.06), (0.01, 0.06), (0.1 - 1e-4, 0.02)] {
        let pose = at(x, y, 0.06 - 1e-4);
        let [boxes, meshes] = [cuboid, block].map(|shape| {
            let bodies = [small, large].map(shape);
            wrench(bodies.each_ref(), [pose, Pose::identity()], K)
        });
        close(&meshes, &boxes.0, &boxes.1, 0.1, 1e-11);
        let off = (meshes.2 / boxes.2 - 1.0).abs();
        assert!(off < 1e-11, "{x} {y}: energy {off:e}");
    }
}

/// As an impact asks where a tilted face has just touched: by the depth that it will have.
#[test]
fn enlarged_bodies_have_the_patch_of_larger_boxes() {
    let rotation = exponential(&Vec3::new(1e-3, 5e-4, 0.2));
    let corner = rotation * Vec3::new(0.05, -0.05, -0.05);
    let pose = posed(Vec3::new(0.01, 0.02, 0.01 - corner.z - 1e-8), rotation);
    for by in [1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3] {
        let lengths = [[0.1; 3], [0.3, 0.3, 0.02]];
        let found = |shapes: [RoundedShape; 2], hysteresis: f64| {
            sums(shapes.each_ref(), [&pose, &Pose::identity()], K, hysteresis)
        };
        let larger = lengths.map(|of| of.map(|length| length + by));
        let expected = found(larger.map(cuboid), 0.0);
        let ways = [
            lengths.map(cuboid),
            lengths.map(block),
            [cuboid(lengths[0]), block(lengths[1])],
        ];
        for shapes in ways {
            let found = found(shapes, -by);
            close(&found, &expected.0, &expected.1, 0.1, 1e-9);
            let off = (found.2 / expected.2 - 1.0).abs();
            assert!(off < 1e-9, "{by}: energy {off:e}");
        }
    }
}

/// The pressure is the least of both depths and the distance from the sides, times k: with the edge a and the depth
/// d the energy is the integral of k (a - 2 s)^2 (d - 2 s) ds from 0 to d/2, p = k s on the slab that has this volume.
#[test]
fn equal_boxes_one_upon_the_other_have_the_energy_of_their_overlap() {
    let (a, k) = (0.06, 1e13);
    let bodies = [block([a; 3]), block([a; 3])];
    for d in [1e-5, 1e-4, 1e-3] {
        let pose = at(0.0, 0.0, a - d);
        let found = wrench(bodies.each_ref(), [pose, Pose::identity()], [k; 2]);
        let energy = 0.25 * k * d * d * (a * a - 2.0 / 3.0 * a * d + d * d / 6.0);
        let force = 0.5 * k * d * (a * a - a * d + d * d / 3.0);
        let off = [found.0.z / force - 1.0, found.2 / energy - 1.0];
        // Of the energy the walls at the four common edges count twice.
        let allowed = [1e-8, d * d / (a * a)];
        assert!(
            off[0].abs() < allowed[0] && off[1].abs() < allowed[1],
            "{d}: {off:?}"
        );
    }
}

#[test]
fn beside_flush_sides_a_part_of_the_normal_force_acts_along_the_face() {
    let (length, depth) = (0.1, 1e-4);
    let bodies = [(); 2].map(|()| block([length; 3]));
    for offset in [-1e-9, 1e-9] {
        let pose = at(offset, 0.0, length - depth);
        let (force, ..) = wrench(bodies.each_ref(), [pose, Pose::identity()], [1e12; 2]);
        let expected = 0.5 * depth / length * offset.signum();
        let found = force.x / force.z;
        assert!((found / expected - 1.0).abs() < 2e-3, "{found} {expected}");
    }
}

#[test]
fn forces_begin_at_an_overlap_of_the_hysteresis() {
    let (hysteresis, area) = (1e-5, 0.1 * 0.08);
    let brick = block([0.1, 0.08, 0.06]);
    let stiffness = 1.0 / (1.0 / K[0] + 1.0 / K[1]);
    for (below, top) in [
        (block([0.5, 0.5, 0.2]), 0.1),
        (cuboid([0.5, 0.5, 0.2]), 0.1),
        (RoundedShape::half_space(), 0.0),
    ] {
        for depth in [0.9e-5, 1.5e-5, 1e-4] {
            let pose = at(0.02, 0.03, top + 0.03 - depth);
            let poses = [&pose, &Pose::identity()];
            let (force, ..) = sums([&brick, &below], poses, K, hysteresis);
            let expected = stiffness * area * (depth - hysteresis).max(0.0);
            // The sides press too beside the brick, below the floor's surface.
            assert!(
                (force.z - expected).abs() <= 2e-3 * expected,
                "{depth}: {force}"
            );
        }
    }
}

#[test]
fn arrays_grow_once_over_many_poses() {
    let cases = [
        [cuboid([0.06; 3]), body(&bumpy())],
        [body(&ell()), body(&bumpy())],
        [body(&bumpy()), RoundedShape::half_space()],
    ];
    let mut random = Random::new(11);
    let poses: Vec<Pose> = (0..20)
        .map(|_| {
            let turn = random.vector() * 0.02;
            posed(
                random.vector() * 0.01 + Vec3::z() * 0.03,
                exponential(&turn),
            )
        })
        .collect();
    let mut patch = Patch::with_room(0);
    let mut all = || {
        let mut energy = 0.0;
        for [one, two] in &cases {
            for pose in &poses {
                patch.find([(one, pose), (two, &Pose::identity())], K, 0.0);
                energy += patch.energy;
            }
        }
        energy
    };
    let first = all();
    let before = count();
    let again = all();
    assert_eq!(count() - before, 0);
    assert!(first > 0.0 && first == again, "{first} {again}");
}

#[test]
fn no_face_of_two_bounded_bodies_carries_the_contact() {
    let (mesh, cube) = (body(&ell()), cuboid([0.06; 3]));
    let ground = RoundedShape::half_space();
    assert_eq!(face_side([&mesh.core, &cube.core]), None);
    assert_eq!(face_side([&mesh.core, &mesh.core]), None);
    assert_eq!(face_side([&mesh.core, &ground.core]), Some(1));
    assert_eq!(face_count(&mesh.core), 0);
}

#[test]
fn deep_and_undefined_poses_give_numbers_or_nothing() {
    let bodies = [cuboid([0.06; 3]), body(&bumpy())];
    let others = [body(&ell()), body(&bumpy()), RoundedShape::half_space()];
    let mut patch = Patch::with_room(0);
    let mut random = Random::new(12);
    for one in &bodies {
        for two in &others {
            for _ in 0..3 {
                let pose = random.pose(0.05);
                patch.find([(one, &pose), (two, &Pose::identity())], K, 1e-6);
                let nodes = patch.nodes.list().into_iter();
                let forces = nodes.map(|node| node.force);
                let total = forces.chain([patch.energy]).fold(0.0, |sum, x| sum + x);
                assert!(total >= 0.0 && total.is_finite(), "{total}");
            }
            // Not to panic is all that is asked for.
            for bad in [f64::NAN, f64::INFINITY, 1e300] {
                let mut pose = random.pose(0.05);
                pose.position.y = bad;
                patch.find([(one, &pose), (two, &Pose::identity())], K, 1e-6);
                patch.find([(two, &Pose::identity()), (one, &pose)], K, 1e-6);
                pose.position.y = 0.0;
                pose.rotation[(0, 1)] = bad;
                patch.find([(one, &pose), (two, &Pose::identity())], K, 1e-6);
            }
        }
    }
}
