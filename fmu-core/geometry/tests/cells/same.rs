//! Other triangulations, numbers, frames and routines give the same; sizes of the data.

use super::meshes::{
    Mesh, Wrench, block, body, bumpy, close, cuboid, ell, holed, notched, prism, slab, wrench,
};
use crate::counting::count;
use crate::random::{Random, posed};
use contact_geometry::math::{Mat3, Pose, Vec3, exponential};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::shapes::{Cells, Hull, RoundedShape};

const K: [f64; 2] = [1e12, 2.5e12];

fn cells(mesh: &Mesh) -> Cells {
    Cells::new(&mesh.vertices, &mesh.triangles).expect("a closed mesh")
}

/// Prism over a random convex polygon, with a slanted upper face: three faces at each vertex.
fn slanted(random: &mut Random) -> Mesh {
    let n = 5;
    let outline: Vec<[f64; 2]> = (0..n)
        .map(|k| std::f64::consts::TAU * (f64::from(k) + random.between(-0.3, 0.3)) / f64::from(n))
        .map(|angle| [0.04 * angle.cos(), 0.05 * angle.sin()])
        .collect();
    let face: Vec<[u32; 3]> = (1..n as u32 - 1).map(|k| [0, k, k + 1]).collect();
    let mut mesh = prism(&outline, &face, 0.06);
    let slope = [0.3, -0.3].map(|most| random.between(0.0, most));
    for point in mesh.vertices.iter_mut().filter(|point| point.z > 0.0) {
        point.z += slope[0] * point.x + slope[1] * point.y;
    }
    mesh
}

#[test]
fn convex_bodies_have_the_patch_of_polytopes() {
    let mut random = Random::new(2);
    let floor = RoundedShape::cuboid(&[0.5, 0.5, 0.2], 0.0);
    let ground = RoundedShape::half_space();
    for number in 0..40 {
        let mesh = slanted(&mut random);
        let points = mesh.vertices.iter().map(|v| (*v).into()).collect();
        let hull = RoundedShape::hull(Hull::new(points, mesh.triangles.clone()).unwrap(), 0.0);
        let (below, top) = [(&floor, 0.1), (&ground, 0.0)][number % 2];
        let flat = if number % 3 == 0 { 1.0 } else { 0.01 };
        let rotation = exponential(&(random.vector() * 3.0 * flat));
        let lowest = mesh.vertices.iter().map(|v| (rotation * v).z);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let depth = random.between(1e-5, 2e-3);
        let [x, y] = [(); 2].map(|()| random.between(-0.25, 0.25));
        let pose = posed(Vec3::new(x, y, top - lowest - depth), rotation);
        let mut patch = Patch::with_room(0);
        patch.find([(&hull, &pose), (below, &Pose::identity())], K, 0.0);
        let force = patch
            .nodes
            .sum(Vec3::zeros(), |node| -node.normal * node.force);
        let torque = patch.nodes.sum(Vec3::zeros(), |node| {
            (node.point + patch.origin_w).cross(&node.normal) * -node.force
        });
        let (mesh, floor) = (body(&mesh), block([0.5, 0.5, 0.2]));
        let pairs = [[&mesh, below], [&mesh, &floor], [&hull, &floor]];
        let count = if top > 0.0 { 3 } else { 1 };
        for bodies in &pairs[..count] {
            let found = wrench(*bodies, [pose, Pose::identity()], K);
            close(&found, &force, &torque, 0.1, 1e-9);
            let off = (found.2 / patch.energy - 1.0).abs();
            assert!(off < 1e-11, "{number}: energy {off:e}");
        }
    }
}

fn pose() -> Pose {
    let rotation = exponential(&Vec3::new(0.01, -0.02, 0.015));
    posed(Vec3::new(0.1295, 0.1292, 0.001), rotation)
}

fn in_the_corner(mesh: &Mesh, k: [f64; 2]) -> Wrench {
    wrench(
        [&cuboid([0.06; 3]), &body(mesh)],
        [pose(), Pose::identity()],
        k,
    )
}

#[test]
fn a_turned_world_turns_the_wrench_and_exchanged_bodies_feel_the_opposite() {
    let bodies = [cuboid([0.06; 3]), body(&ell())];
    let (force, torque, energy) = in_the_corner(&ell(), K);
    let world = Random::new(3).pose(2.0);
    let poses = [world.then(&pose()), world];
    let (turned, moment) = (world.rotation * force, world.rotation * torque);
    let moment = moment + world.position.cross(&turned);
    let found = wrench(bodies.each_ref(), poses, K);
    // The arm is the distance of the world's origin.
    close(&found, &turned, &moment, 3.0, 1e-9);
    assert!((found.2 / energy - 1.0).abs() < 1e-9);
    let found = wrench([&bodies[1], &bodies[0]], [poses[1], poses[0]], [K[1], K[0]]);
    close(&found, &-turned, &-moment, 3.0, 1e-9);
}

#[test]
fn a_mirrored_mesh_has_the_mirrored_wrench() {
    let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    for mesh in [ell(), bumpy()] {
        let pose = match mesh.vertices.len() {
            12 => pose(),
            _ => posed(
                Vec3::new(0.004, -0.007, 0.0302),
                exponential(&Vec3::new(0.012, -0.008, 0.3)),
            ),
        };
        let mut mirrored = mesh.clone();
        mirrored.vertices.iter_mut().for_each(|v| v.x = -v.x);
        mirrored.triangles.iter_mut().for_each(|t| t.reverse());
        let cube = cuboid([0.06; 3]);
        let (force, torque, _) = wrench([&cube, &body(&mesh)], [pose, Pose::identity()], K);
        let pose = posed(mirror * pose.position, mirror * pose.rotation * mirror);
        let found = wrench([&cube, &body(&mirrored)], [pose, Pose::identity()], K);
        close(&found, &(mirror * force), &-(mirror * torque), 0.1, 1e-9);
    }
}

#[test]
fn numbers_of_vertices_and_triangles_do_not_matter() {
    let mut random = Random::new(4);
    let mut mesh = ell();
    let (force, torque, _) = in_the_corner(&mesh, K);
    for _ in 0..5 {
        let count = mesh.vertices.len();
        for k in (1..count).rev() {
            let other = random.index(k + 1);
            mesh.vertices.swap(k, other);
            for v in mesh.triangles.iter_mut().flatten() {
                *v = match *v as usize {
                    v if v == k => other as u32,
                    v if v == other => k as u32,
                    _ => *v,
                };
            }
        }
        for k in 1..mesh.triangles.len() {
            let other = random.index(k + 1);
            mesh.triangles.swap(k, other);
            mesh.triangles[k].rotate_left(random.index(3));
        }
        close(&in_the_corner(&mesh, K), &force, &torque, 0.1, 1e-9);
    }
}

/// A vertex above the plane keeps all triangles of a floor as they are.
fn floor(random: &mut Random) -> Mesh {
    let raised = |i, j| if (i, j) == (1, 1) { 1e-3 } else { 0.0 };
    let mut mesh = slab(8, 0.05, 0.1, raised);
    let is_inner = |v: &&mut Vec3| v.z == 0.0 && v.x.abs() < 0.19 && v.y.abs() < 0.19;
    for vertex in mesh.vertices.iter_mut().filter(is_inner) {
        vertex.x += random.between(-0.0085, 0.0085);
        vertex.y += random.between(-0.0085, 0.0085);
    }
    mesh
}

#[test]
fn seams_of_a_floor_are_not_felt() {
    let floor = floor(&mut Random::new(5));
    assert!(cells(&floor).count() > 3 * 128);
    let floor = body(&floor);
    let (brick, depth) = (cuboid([0.1, 0.08, 0.06]), 1e-4);
    // A face on a face: both layers in series.
    let expected = 0.1 * 0.08 * depth / (1.0 / K[0] + 1.0 / K[1]);
    for n in 0..200 {
        let along = f64::from(n) * 5e-4;
        let place = Vec3::new(0.02 + along, 0.06 - 0.3 * along, 0.03 - depth);
        let pose = posed(place, exponential(&Vec3::new(0.0, 0.0, 0.3)));
        let (force, ..) = wrench([&brick, &floor], [pose, Pose::identity()], K);
        let side = force.x.hypot(force.y) / expected;
        let off = (force.z / expected - 1.0).abs();
        // Along the edges of the brick its sides press too.
        assert!(off < 2e-3 && side < 1e-9, "{n}: {off:e} {side:e}");
        let first = posed(Vec3::new(0.02, 0.06, 0.03 - depth), pose.rotation);
        let (start, ..) = wrench([&brick, &floor], [first, Pose::identity()], K);
        let ripple = (force.z / start.z - 1.0).abs();
        assert!(ripple < 1e-9, "{n}: {ripple:e}");
    }
}

#[test]
fn the_second_evaluation_allocates_nothing() {
    let bodies = [cuboid([0.06; 3]), body(&bumpy())];
    let pose = posed(
        Vec3::new(0.004, -0.007, 0.0302),
        exponential(&Vec3::new(0.012, -0.008, 0.3)),
    );
    let mut patch = Patch::with_room(0);
    let poses = [&pose, &Pose::identity()];
    let placed = [0, 1].map(|side| (&bodies[side], poses[side]));
    let mut find = || patch.find(placed, K, 0.0);
    find();
    let before = count();
    find();
    assert_eq!(count() - before, 0);
}

#[test]
fn cells_are_few_and_small() {
    let outline = [[0.0, 0.0], [0.5, 0.0], [0.5, 0.4], [0.0, 0.4]];
    let cuboid = cells(&prism(&outline, &[[0, 1, 2], [0, 2, 3]], 0.2));
    let thickness = cuboid.thickness();
    assert!((thickness - 0.1).abs() < 1e-12, "{thickness}");
    let counts =
        [cuboid, cells(&ell()), cells(&notched()), cells(&holed())].map(|body| body.count());
    // The faces of the L have a notch each, those of the H and of the plate four. The first cut from a hole
    // joins two loops.
    assert_eq!(counts, [6, 6 + 2 * 2, 12 + 2 * 5, 8 + 2 * 4]);
    let wave = |i: u32, j: u32| 1e-3 * (f64::from(i) * 1.3).sin() * (f64::from(j) * 0.9).cos();
    let mesh = slab(30, 0.02, 0.05, wave);
    let bytes = cells(&mesh).bytes() as f64 / mesh.triangles.len() as f64;
    assert!(bytes <= 160.0, "{bytes}");
}

/// Vertices inside a face have one normal, those on an edge two.
#[test]
fn a_ramp_of_triangles_has_the_layer_of_a_slab_in_any_direction() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let [a, b, turn] = [0; 3].map(|_| random.between(-0.5, 0.5));
        let ramp = |i: u32, j: u32| 1.0 + a * 0.05 * f64::from(i) + b * 0.05 * f64::from(j);
        let mut mesh = slab(4, 0.05, 0.1, ramp);
        let rotation = exponential(&(Vec3::new(1.0, turn, 2.0 * turn) * (3.0 * turn)));
        for vertex in &mut mesh.vertices {
            *vertex = rotation * *vertex;
        }
        let (steepness, _) = cells(&mesh).steepest();
        assert!((steepness - 1.0).abs() < 1e-9, "{steepness}");
    }
}

#[test]
fn meshes_that_are_no_closed_surface_are_refused() {
    let mut mesh = ell();
    let flaw = |mesh: &Mesh| Cells::new(&mesh.vertices, &mesh.triangles).unwrap_err();
    let twice = mesh.triangles[0];
    mesh.triangles[0].swap(0, 1);
    assert_eq!(flaw(&mesh), "has a surface that is not closed");
    mesh.triangles[0] = twice;
    mesh.triangles.pop();
    assert_eq!(flaw(&mesh), "has a surface that is not closed");
    mesh.triangles[0][0] = 99;
    assert_eq!(flaw(&mesh), "names vertex 99 in triangle 0");
    mesh.vertices[3].y = f64::NAN;
    assert_eq!(flaw(&mesh), "has a coordinate that is not a finite number");
}

/// Two tetrahedra that share the edge from (0, 0, 0) to (0, 0, 1).
#[test]
fn an_edge_of_four_triangles_is_refused_with_its_place() {
    let corners = |[c, d]: [u32; 2]| [[0, d, c], [0, c, 1], [0, 1, d], [c, d, 1]];
    let axes = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let others = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let vertices: Vec<Vec3> = axes.into_iter().chain(others).map(Vec3::from).collect();
    assert!(Cells::new(&vertices, &corners([2, 3])).is_ok());
    assert_eq!(
        Cells::new(&vertices, &[corners([2, 3]), corners([4, 5])].concat()).unwrap_err(),
        "has an edge at (0, 0, 0.5) m with 4 triangles"
    );
}
