//! Polygons from the corners of faces, and the energy of walls from facets, against polygons that are cut
//! out of their planes.

use super::{Random, RoundedShape, Wrench, at, cuboid, stone};
use crate::math::{Pose, Vec3};
use crate::narrow_phase::area::{Patch, Stiffness};
use crate::shapes::{Core, Hull, Mesh};

/// Prism over a regular polygon with this circumscribed circle.
fn prism(count: u32, radius: f64, half: f64) -> RoundedShape {
    let angle = |k: u32| f64::from(k) * std::f64::consts::TAU / f64::from(count);
    let corner = |k: u32| [radius * angle(k).cos(), radius * angle(k).sin()];
    over(&(0..count).map(corner).collect::<Vec<_>>(), half)
}

/// Prism over a convex polygon, counter-clockwise.
pub(super) fn over(polygon: &[[f64; 2]], half: f64) -> RoundedShape {
    let count = polygon.len() as u32;
    let ring = |z: f64| polygon.iter().map(move |[x, y]| [*x, *y, z]);
    let sides = (0..count).map(|k| (k, (k + 1) % count));
    let sides = sides.flat_map(|(k, l)| [[k, l, count + l], [k, count + l, count + k]]);
    let ends = (1..count - 1).flat_map(|k| [[0, k + 1, k], [count, count + k, count + k + 1]]);
    let vertices = ring(-half).chain(ring(half)).collect();
    RoundedShape::hull(
        Hull::new(vertices, sides.chain(ends).collect()).unwrap(),
        0.0,
    )
}

/// Wrench and energy; those of bodies enlarged by nothing come from the list of all faces.
fn sums(shapes: [(&RoundedShape, &Pose); 2], k: Stiffness, hysteresis: f64) -> Wrench {
    let mut patch = Patch::with_room(12);
    patch.find(shapes, k, hysteresis);
    let zero = (Vec3::zeros(), Vec3::zeros());
    let (mut force, mut torque) = zero;
    for node in patch.nodes.list() {
        let on_1 = -node.normal * node.force;
        force += on_1;
        torque += node.point.cross(&on_1);
    }
    (force, torque, patch.energy)
}

/// Compares both ways; `None` for bodies that do not overlap.
fn off(shapes: [(&RoundedShape, &Pose); 2], k: Stiffness) -> Option<f64> {
    let (force, torque, energy) = sums(shapes, k, 0.0);
    let (cut_force, cut_torque, cut_energy) = sums(shapes, k, -1e-300);
    let by_force = (force - cut_force).norm() + (torque - cut_torque).norm();
    let scale = cut_force.norm();
    (energy > 1e-13).then(|| (by_force / scale).max((energy / cut_energy - 1.0).abs()))
}

#[test]
fn polygons_from_corners_are_those_cut_out_of_planes() {
    let mut random = Random(11);
    let shapes = [
        cuboid([0.5, 0.4, 0.3]),
        cuboid([1.0, 0.9, 0.5]),
        prism(3, 0.4, 0.3),
        prism(7, 0.3, 0.2),
        stone(&mut random, 12),
        RoundedShape::half_space(),
    ];
    let mut found = 0;
    for case in 0..4000 {
        let one = at(random.vector() * 0.1, random.vector() * 2.0);
        // Half of them with faces that are nearly parallel.
        let turn = match case % 2 {
            0 => random.vector() * 3.0,
            _ => {
                Vec3::z() * random.next() * 3.0
                    + random.vector() * 10f64.powf(-3.0 - 3.0 * random.next())
            }
        };
        let between = at(random.vector().normalize() * random.weight() * 0.9, turn);
        let two = Pose {
            position: one.position + one.rotation * between.position,
            rotation: one.rotation * between.rotation,
        };
        let pair = [&shapes[case / 2 % 5], &shapes[case / 10 % 6]];
        let k = [1.0, [1.0, 2.5][case / 60 % 2]];
        let Some(off) = off([(pair[0], &one), (pair[1], &two)], k) else {
            continue;
        };
        found += 1;
        assert!(off < 1e-8, "{case}: {off:e}");
    }
    assert!(found > 2500, "{found}");
}

#[test]
fn a_hull_of_many_faces_presses_a_plane_as_if_all_faces_were_looked_at() {
    let mut random = Random(13);
    let (ground, rock) = (RoundedShape::half_space(), stone(&mut random, 60));
    let mut found = 0;
    for case in 0..400 {
        let turn = at([0.0; 3], random.vector() * 3.0);
        let Core::Hull(hull) = &rock.core else {
            unreachable!()
        };
        let heights = hull.vertices().iter().map(|v| (turn.rotation * v).z);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let depth = 0.1 * 10f64.powf(-4.0 * random.weight());
        let pose = at([0.2, 0.1, -lowest - depth], [0.0; 3]).then(&turn);
        let below = Pose::identity();
        let mut patch = Patch::with_room(12);
        patch.find([(&ground, &below), (&rock, &pose)], [1.0, 2.5], 0.0);
        // No list of faces, no pairs of cells.
        if !patch.layers.list.faces.is_empty() || patch.cell_pairs() > 0 {
            continue;
        }
        let Some(off) = off([(&ground, &below), (&rock, &pose)], [1.0, 2.5]) else {
            continue;
        };
        found += 1;
        assert!(off < 1e-8, "{case}: {off:e}");
    }
    assert!(found > 200, "{found}");
}

/// Ball of 0.1 m with bumps: more than three planes meet at its vertices.
fn bumpy(rows: u32, columns: u32) -> RoundedShape {
    let mut points = vec![[0.0, 0.0, -0.1]];
    for (i, j) in (1..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        let a = std::f64::consts::PI * f64::from(i) / f64::from(rows);
        let b = std::f64::consts::TAU * f64::from(j) / f64::from(columns);
        let r = 0.1 * (1.0 + 0.05 * (2.0 * b + a).sin() * (3.0 * a).cos());
        points.push([r * a.sin() * b.cos(), r * a.sin() * b.sin(), -r * a.cos()]);
    }
    points.push([0.0, 0.0, 0.1]);
    let number = |i: u32, j: u32| match i {
        0 => 0,
        _ if i == rows => 1 + (rows - 1) * columns,
        _ => 1 + (i - 1) * columns + j % columns,
    };
    let mut triangles = Vec::new();
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        let [a, b, c, d] =
            [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| number(i, j));
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    RoundedShape::mesh(Mesh::new(points, triangles).unwrap())
}

/// Prism over an L.
fn ell() -> RoundedShape {
    let outline = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let ring = |z: f64| outline.map(|at| [0.05 * f64::from(at[0]), 0.05 * f64::from(at[1]), z]);
    let ends = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let sides = (0..6).map(|k| (k, (k + 1) % 6));
    let sides = sides.flat_map(|(k, l)| [[k, l, 6 + l], [k, 6 + l, 6 + k]]);
    let ends = ends
        .into_iter()
        .flat_map(|[a, b, c]| [[a, c, b], [6 + a, 6 + b, 6 + c]]);
    let points = [ring(-0.03), ring(0.04)].concat();
    RoundedShape::mesh(Mesh::new(points, sides.chain(ends).collect()).unwrap())
}

#[test]
fn cells_of_a_mesh_on_a_plane_have_the_polygons_of_pairs_of_cells() {
    let mut random = Random(31);
    let meshes = [bumpy(8, 11), bumpy(20, 24), ell()];
    let floors = [RoundedShape::half_space(), cuboid([2.0, 2.0, 1.0])];
    let mut found = [0; 2];
    for case in 0..1200 {
        let (mesh, which) = (&meshes[case % 3], case / 3 % 2);
        let Core::Mesh(of) = &mesh.core else {
            unreachable!()
        };
        let turn = at([0.0; 3], random.vector() * 3.0);
        let heights = of.vertices().iter().map(|v| (turn.rotation * v).z);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let depth = 0.01 * 10f64.powf(-4.0 * random.weight());
        let pose = at([0.2, 0.1, 0.5 * which as f64 - lowest - depth], [0.0; 3]).then(&turn);
        let (k, inset) = ([1.0, 2.5], [0.0, 0.2 * depth][case / 6 % 2]);
        let bodies = [(&floors[which], &Pose::identity()), (mesh, &pose)];
        let mut patch = Patch::with_room(12);
        patch.find(bodies, k, 2.0 * inset);
        let pairs = patch.cell_pairs();
        let of = |patch: &Patch<f64>, energy: f64| {
            let nodes = patch.nodes.list();
            let force = nodes.iter().map(|node| node.normal * node.force);
            let torque = nodes
                .iter()
                .map(|node| node.point.cross(&node.normal) * node.force);
            (force.sum::<Vec3>(), torque.sum::<Vec3>(), energy)
        };
        let (force, torque, energy) = of(&patch, patch.energy);
        if force.norm() == 0.0 || pairs > 0 {
            continue;
        }
        patch.nodes.clear();
        let poses = bodies.map(|(_, pose)| Pose {
            position: pose.position - patch.origin_w,
            rotation: pose.rotation,
        });
        let cores = bodies.map(|(shape, _)| &shape.core);
        // Pairs of cells make the second body stiffer by this part.
        let k = [k[0], k[1] / (1.0 + 1e-11)];
        let energy_2 = patch.layers.find(cores, &poses, k, inset, &mut patch.nodes);
        let (force_2, torque_2, _) = of(&patch, 0.0);
        found[which] += 1;
        let off = (force - force_2).norm() + (torque - torque_2).norm() / 0.1;
        let off = (off / force_2.norm()).max((energy / energy_2 - 1.0).abs());
        // Places are of 1 m, their rounding is some 1e-16 m; the force of a tip has three times its part.
        assert!(
            off < 1e-12 + 3e-15 / depth,
            "{case}: {off:e} at {depth:e}, {inset:e}"
        );
    }
    assert!(found.iter().all(|found| *found > 300), "{found:?}");
}

/// Force [N] on a cube with the half edge a = 0.1 m along the axis of a face of a softer cube, `depth` [m] below it and
/// `other` below the nearest face beside it: the integral of the gradient of min(p_A, p_B) over the points nearer to
/// that face than to the other one where p_B = k_B (depth - u) is less. There |v|, |w| < h(u) = a - r (depth - u) with
/// r = k_B/k_A, u + a > r (depth - u), u - a < -r (depth - u) and v < u + other - depth. Simpson's rule is exact.
fn pressed_out(k: [f64; 2], depth: f64, other: f64) -> f64 {
    let (r, beyond) = (k[1] / k[0], other - depth);
    let room = 0.1 - r * depth;
    let section = |u: f64| {
        let h = room + r * u;
        2.0 * h * (h + h.min(u + beyond)).max(0.0)
    };
    let [first, last] = [-room / (1.0 + r), room / (1.0 - r)];
    // Where the points that are nearer begin, and where all are.
    let begin = (-(room + beyond) / (1.0 + r)).max(first);
    let full = ((room - beyond) / (1.0 - r)).min(last);
    let simpson =
        |[a, b]: [f64; 2]| (b - a) / 6.0 * (section(a) + 4.0 * section(0.5 * (a + b)) + section(b));
    k[1] * (simpson([begin, full]) + simpson([full, last]))
}

/// A cube deep inside a softer one, nearly as far from two of its faces, moves out along both.
#[test]
fn a_body_inside_of_another_one_is_pressed_by_all_near_faces() {
    let cube = cuboid([0.2; 3]);
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|n| [1, 2, 4].map(|bit| if n & bit > 0 { 0.1 } else { -0.1 }))
        .collect();
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = sides
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let mesh = RoundedShape::mesh(Mesh::new(corners, triangles.collect()).unwrap());
    let around = cuboid([10.0; 3]);
    let k = [1e12, 1e10];
    for inner in [cube, mesh] {
        for [x, y] in [
            [3.5, 3.5],
            [3.501, 3.5],
            [3.5, 3.501],
            [3.46, 3.5],
            [3.6, 3.5],
        ] {
            let pose = at([x, y, 0.0], [0.0; 3]);
            let mut patch = Patch::with_room(12);
            patch.find([(&inner, &pose), (&around, &Pose::identity())], k, 0.0);
            let nodes = patch.nodes.list();
            let force = nodes.iter().map(|node| node.normal * -node.force);
            let force = force.sum::<Vec3>();
            let depths = [5.0 - x, 5.0 - y];
            let along = [0, 1].map(|axis| pressed_out(k, depths[axis], depths[1 - axis]));
            let expected = Vec3::new(along[0], along[1], 0.0);
            let off = (force - expected).norm() / expected.norm();
            assert!(off < 1e-9, "{x} {y}: {force} {expected}");
        }
    }
}

#[test]
fn polygons_beside_flush_faces_are_those_cut_out_of_planes() {
    let mut random = Random(12);
    let shapes = [
        cuboid([0.5, 0.4, 0.3]),
        prism(3, 0.4, 0.15),
        prism(7, 0.3, 0.15),
    ];
    let mut found = 0;
    for case in 0..1500 {
        let shape = &shapes[case % 3];
        let one = at(random.vector() * 0.1, random.vector() * 2.0);
        let size = 10f64.powf(-7.0 - 4.0 * random.next());
        let depth = 10f64.powf(-3.0 - 2.0 * random.next());
        let off_edge = [0.0, 0.1][case / 3 % 2];
        let way = random.vector() * size + Vec3::new(off_edge, 0.0, 0.3 - depth);
        let between = at(way, random.vector() * [0.0, size][case / 6 % 2]);
        let two = Pose {
            position: one.position + one.rotation * between.position,
            rotation: one.rotation * between.rotation,
        };
        let Some(off) = off([(shape, &one), (shape, &two)], [1.0; 2]) else {
            continue;
        };
        found += 1;
        assert!(off < 1e-7, "{case}: {off:e}");
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn the_layer_of_a_hull_ends_where_an_edge_has_no_length() {
    let layer = |shape: &RoundedShape| super::area::planes::layer(&shape.core);
    let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12);
    near(layer(&cuboid([0.5, 0.4, 0.3])), 0.15);
    // The prism's height; the radius of the circle inscribed in a triangle of this circumscribed one.
    near(layer(&prism(7, 0.3, 0.2)), 0.2);
    near(layer(&prism(3, 0.4, 0.3)), 0.2);
    // A regular tetrahedron with edges of length 2 sqrt 2: the radius of its inscribed sphere.
    let corners = vec![
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let hull = RoundedShape::hull(Hull::new(corners, triangles).unwrap(), 0.0);
    near(layer(&hull), 1.0 / 3f64.sqrt());
}

#[test]
fn boxes_whose_inner_walls_coincide_have_the_energy_of_their_overlap() {
    let cube = cuboid([1.0; 3]);
    let mut random = Random(13);
    for (a, c) in [(0.1, 0.9), (0.1, 0.7), (0.1, 0.2), (0.3, 0.3), (1e-3, 0.5)] {
        // The distance to the nearest face, integrated over the common cuboid with the edges a, a, c: the
        // integral of the volume (a - 2 t)^2 (c - 2 t) farther away than t.
        let expected = 0.5 * (a * a * a * a / 4.0 + (c - a) * a * a * a / 3.0);
        for off in [0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9] {
            for axis in 0..3 {
                let mut way = Vec3::repeat(1.0 - a) + random.vector() * (off * a);
                way[axis] += a - c;
                let one = at(random.vector() * 0.3, random.vector() * 2.0);
                let two = Pose {
                    position: one.position + one.rotation * way,
                    rotation: one.rotation,
                };
                let (.., energy) = sums([(&cube, &one), (&cube, &two)], [1.0, 1.0], 0.0);
                let error = (energy / expected - 1.0).abs();
                assert!(
                    error < 1e-7 + 10.0 * off,
                    "{a} {c} {off:e} {axis}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn a_box_on_a_plane_has_the_energy_of_its_overlap() {
    let [a, b] = [0.3, 0.2];
    for depth in [1e-6, 1e-4, 0.01, 0.05] {
        // As above with edges of three lengths: the integral of (a - 2 t)(b - 2 t)(d - 2 t) to t = d/2.
        let d: f64 = depth;
        let expected = d * d * (a * b / 4.0 - (a + b) * d / 12.0 + d * d / 24.0);
        let pose = at([0.1, 0.2, 0.05 - d], [0.0, 0.0, 0.4]);
        let (ground, origin) = (RoundedShape::half_space(), Pose::identity());
        let shapes = [(&cuboid([a, b, 0.1]), &pose), (&ground, &origin)];
        let (force, _, energy) = sums(shapes, [1.0, 1.0], 0.0);
        assert!((energy / expected - 1.0).abs() < 1e-9, "{d}: {energy:e}");
        // dU/dd.
        let slope = d * (a * b / 2.0 - (a + b) * d / 4.0 + d * d / 6.0);
        assert!((force.z / slope - 1.0).abs() < 1e-9, "{d}: {force}");
    }
}

#[test]
fn a_vertex_on_a_straight_edge_changes_nothing() {
    // A box of 1 m with one more vertex in the middle of two edges.
    let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2 & 1].map(|bit| f64::from(bit) - 0.5);
    let mut vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
    vertices.extend([[0.5, 0.0, -0.5], [0.5, 0.0, 0.5]]);
    let triangles = [
        [[0, 2, 8], [0, 8, 1], [2, 3, 8]],
        [[4, 5, 9], [4, 9, 6], [6, 9, 7]],
        [[0, 1, 5], [0, 5, 4], [2, 6, 7]],
        [[2, 7, 3], [0, 4, 6], [0, 6, 2]],
        [[1, 8, 9], [1, 9, 5], [8, 3, 7]],
    ];
    let mut triangles = triangles.concat();
    triangles.push([8, 7, 9]);
    let split = RoundedShape::hull(Hull::new(vertices, triangles).unwrap(), 0.0);
    let (cube, ground) = (cuboid([1.0; 3]), Pose::identity());
    for (depth, tilt) in [(1e-6, 0.0), (0.01, 0.01), (0.1, 0.3), (0.3, 0.0)] {
        let pose = at([0.05, 0.03, 1.0 - depth], [tilt, 0.4 * tilt, 0.2]);
        let [one, two] =
            [&split, &cube].map(|shape| sums([(shape, &pose), (&cube, &ground)], [1.0, 2.0], 0.0));
        let error = (one.0 - two.0).norm() / two.0.norm() + (one.2 / two.2 - 1.0).abs();
        assert!(error < 1e-9, "{depth} {tilt}: {error:e}");
    }
}
