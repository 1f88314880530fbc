//! Bodies that overlap with a mesh.

use crate::cells::meshes::{Mesh, bumpy, ell, grid_box, notched};
use crate::mesh::brute::{corners, shape, terrain, torus};
use crate::random::{Random, at, moved, posed, soak};
use contact_geometry::math::{Pose, Vec3, exponential};
use contact_geometry::narrow_phase::{Feature, find_feature, gap, proximity, query};
use contact_geometry::shapes::{Hull, RoundedShape};

fn of_all(mesh: &Mesh, others: &[RoundedShape], pose: &Pose, expected: f64, tolerance: f64) {
    let body = shape(mesh);
    for other in others {
        let found = query(&body, &Pose::identity(), other, pose, &Feature::None);
        let off = (found.gap - expected).abs();
        assert!(
            off < tolerance,
            "{:?}: {} {expected}",
            other.kind(),
            found.gap
        );
        let back = query(other, pose, &body, &Pose::identity(), &Feature::None);
        assert!((back.gap - found.gap).abs() < 1e-15);
        assert!((back.normal_w + found.normal_w).norm() < 1e-9);
    }
}

/// A cube as box, hull and mesh.
fn cubes(size: f64) -> [RoundedShape; 3] {
    let mesh = grid_box([size; 3], 1, &mut Random::new(0));
    let vertices = mesh.vertices.iter().map(|v| (*v).into()).collect();
    let hull = Hull::new(vertices, mesh.triangles.clone()).expect("a cube");
    [
        RoundedShape::cuboid(&[size; 3], 0.0),
        RoundedShape::hull(hull, 0.0),
        shape(&mesh),
    ]
}

#[test]
fn a_face_on_a_face_has_the_depth() {
    let others = cubes(0.06);
    for depth in [1e-12, 1e-9, 1e-6, 1e-3] {
        // On the upper leg, and in the inner corner deeper at one of its faces.
        let pose = posed(
            Vec3::new(0.05, 0.23 - depth, 0.005),
            exponential(&Vec3::new(0.0, 0.3, 0.0)),
        );
        of_all(&ell(), &others, &pose, -depth, 4e-16);
        let pose = at(0.13 - depth, 0.13 - 0.3 * depth, 0.002);
        of_all(&ell(), &others, &pose, -depth, 4e-16);
    }
}

/// Where the depth below a corner is 1/s of that along the other normal: d = D/(1 + s), gap -2 d.
#[test]
fn an_edge_and_a_corner_have_the_depth_of_equal_pressure() {
    let others = cubes(0.06);
    let turn = std::f64::consts::FRAC_PI_4;
    let depth = 1e-4;
    let root = 2.0_f64.sqrt();
    let pose = posed(
        Vec3::new(0.05, 0.2 + 0.03 * root - depth, 0.01),
        exponential(&Vec3::new(0.0, 0.0, turn)),
    );
    of_all(&ell(), &others, &pose, -2.0 * depth / (1.0 + root), 1e-15);
    let root = 3.0_f64.sqrt();
    // The diagonal along y.
    let diagonal = Vec3::repeat(1.0 / root);
    let axis = diagonal.cross(&Vec3::y());
    let angle = axis.norm().asin();
    let pose = posed(
        Vec3::new(0.05, 0.2 + 0.03 * root - depth, 0.0),
        exponential(&(axis.normalize() * angle)),
    );
    of_all(&ell(), &others, &pose, -2.0 * depth / (1.0 + root), 1e-15);
}

fn bodies(random: &mut Random) -> Vec<RoundedShape> {
    let mut all = cubes(0.06).to_vec();
    let meshes = [ell(), notched(), bumpy(), terrain(random), torus(7, 5)];
    all.extend(meshes.iter().map(shape));
    all
}

#[test]
fn the_gap_moves_by_no_more_than_the_bodies() {
    let mut random = Random::new(6);
    let all = bodies(&mut random);
    let mut crossings = 0;
    for _ in 0..soak(300) {
        let mesh = &all[3 + random.index(5)];
        let other = &all[random.index(8)];
        let poses = [random.pose(0.05), random.pose(0.15)];
        // To where they touch, by bisection along a line that leads apart.
        let way = random.direction();
        let place = |far: f64| moved(&poses[1], &way, &Vec3::zeros(), far);
        let of = |far: f64| gap(mesh, &poses[0], other, &place(far), &Feature::None);
        let (mut touching, mut apart) = (0.0, 1.0);
        if of(touching) > 0.0 {
            continue;
        }
        while apart - touching > 1e-12 {
            let middle = 0.5 * (touching + apart);
            *(if of(middle) > 0.0 {
                &mut apart
            } else {
                &mut touching
            }) = middle;
        }
        crossings += 1;
        let mut before = of(apart);
        assert!(before.abs() < 2e-12, "{before:e}");
        for step in [1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4] {
            let here = of(apart - step);
            assert!(
                (here - before).abs() <= 1.001 * step + 1e-14,
                "{here:e} {before:e}"
            );
            before = here;
        }
    }
    assert!(crossings > soak(300) / 8, "{crossings}");
}

#[test]
fn order_frames_and_hints_do_not_matter() {
    let mut random = Random::new(7);
    let all = bodies(&mut random);
    let (mut hint, mut inside) = (Feature::None, 0);
    for round in 0..soak(600) {
        let mesh = &all[3 + random.index(5)];
        let other = &all[random.index(8)];
        let mut poses = [random.pose(0.05), random.pose(0.2)];
        let of = |poses: &[Pose; 2], hint| query(mesh, &poses[0], other, &poses[1], hint);
        let apart = of(&poses, &Feature::None);
        if round % 3 > 0 && apart.gap > 0.0 {
            // To a small depth where they are nearest.
            let depth = 10_f64.powf(random.between(-7.0, -3.0));
            poses[1].position -= apart.normal_w * (apart.gap + depth);
        }
        let cold = of(&poses, &Feature::None);
        let is_shallow = cold.gap > -2e-3;
        inside += usize::from(cold.gap < 0.0 && is_shallow);
        // A hint of other shapes.
        hint = find_feature(mesh, &poses[0], other, &poses[1], &hint);
        let warm = proximity(mesh, &poses[0], other, &poses[1], &hint);
        let off = (warm.gap - cold.gap).abs();
        assert!(off < 1e-14, "{round}: {} {}", warm.gap, cold.gap);
        let world = random.pose(1.0);
        let turned = of(&poses.map(|pose| world.then(&pose)), &Feature::None);
        let off = (turned.gap - cold.gap).abs();
        assert!(off < 1e-14, "{round}: {} {}", turned.gap, cold.gap);
        if is_shallow {
            let back = query(other, &poses[1], mesh, &poses[0], &hint);
            let off = (back.gap - cold.gap).abs();
            assert!(off < 1e-14, "{round}: {} {}", back.gap, cold.gap);
            let [p, q] = cold.points_w;
            let n = cold.normal_w;
            assert!((n.norm() - 1.0).abs() < 1e-12);
            assert!((q - p - n * cold.gap).norm() < 1e-14);
        }
    }
    assert!(inside > soak(600) / 8, "{inside}");
}

#[test]
fn numbers_of_triangles_and_a_mirror_do_not_matter() {
    let mut random = Random::new(8);
    let cube = &cubes(0.06)[0];
    let mesh = notched();
    let body = shape(&mesh);
    let mut other = mesh.clone();
    other.triangles.rotate_left(5);
    other.triangles.iter_mut().for_each(|t| t.rotate_left(1));
    let mut mirrored = mesh.clone();
    mirrored.vertices.iter_mut().for_each(|v| v.x = -v.x);
    mirrored.triangles.iter_mut().for_each(|t| t.reverse());
    let (renumbered, mirrored) = (shape(&other), shape(&mirrored));
    let mirror = contact_geometry::math::Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    for _ in 0..soak(400) {
        let pose = random.pose(0.15);
        let here = |body, pose| gap(body, &Pose::identity(), cube, pose, &Feature::None);
        let expected = here(&body, &pose);
        assert!((here(&renumbered, &pose) - expected).abs() < 1e-15);
        let pose = posed(mirror * pose.position, mirror * pose.rotation * mirror);
        assert!((here(&mirrored, &pose) - expected).abs() < 1e-15);
    }
}

#[test]
fn a_half_space_has_the_lowest_vertex() {
    let mut random = Random::new(9);
    let ground = RoundedShape::half_space();
    for mesh in [ell(), terrain(&mut random), torus(9, 7)] {
        let body = shape(&mesh);
        for _ in 0..soak(300) {
            let pose = random.pose(0.2);
            let heights = corners(&mesh, &pose).into_iter().flatten().map(|v| v.z);
            let expected = heights.fold(f64::INFINITY, f64::min);
            let found = query(&ground, &Pose::identity(), &body, &pose, &Feature::None);
            assert!((found.gap - expected).abs() < 1e-15);
        }
    }
    // Flat on it, the middle of the face carries.
    let body = shape(&grid_box([0.2, 0.1, 0.06], 3, &mut random));
    let found = query(
        &ground,
        &Pose::identity(),
        &body,
        &at(0.5, 0.3, 0.03),
        &Feature::None,
    );
    let off = found.points_w[0] - Vec3::new(0.5, 0.3, 0.0);
    assert!(off.norm() < 1e-12, "{off:?}");
}
