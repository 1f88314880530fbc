use super::*;
use crate::narrow_phase::MeshFeature;
use crate::shapes::Core;
use crate::shapes::samples::grounds;

/// Ring of n times m corners.
fn ring(n: u32, m: u32) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let turn = |k: u32, of: u32| f64::from(k) / f64::from(of) * std::f64::consts::TAU;
    for i in 0..n {
        for j in 0..m {
            let (a, b) = (turn(i, n), turn(j, m));
            let r = 0.1 + 0.04 * b.cos();
            vertices.push([r * a.cos(), r * a.sin(), 0.04 * b.sin()]);
            let at = |i: u32, j: u32| i % n * m + j % m;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.push([corners[0], corners[1], corners[2]]);
            triangles.push([corners[0], corners[2], corners[3]]);
        }
    }
    Mesh::new(vertices, triangles).expect("a ring")
}

/// Two cubes apart, of edges 1 and 1e-3: their layers reach to their middles.
#[test]
fn a_layer_is_as_thick_as_the_mesh_is_where_a_feature_is() {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (start, edge) in [(0.0, 1.0), (3.0, 1e-3)] {
        let first = vertices.len() as u32;
        for k in 0..8 {
            let at = |bit: u32| start + edge * f64::from((k >> bit) & 1);
            vertices.push([at(0), at(1), at(2)]);
        }
        for [a, b, c, d] in [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ] {
            triangles.extend([[a, b, c], [a, c, d]].map(|corners| corners.map(|k| first + k)));
        }
    }
    let core = Core::Mesh(Mesh::new(vertices, triangles).expect("two cubes").into());
    let Core::Mesh(mesh) = &core else {
        unreachable!();
    };
    let cells = mesh.cells();
    for face in 0..cells.faces.len() {
        let thickness = match cells.own_box(face).upper.x {
            ..2.0 => 0.5,
            _ => 0.5e-3,
        };
        let feature = MeshFeature::Face(face as u32);
        for cores in [[&core, &Core::HalfSpace], [&Core::Point, &core]] {
            let found = MeshFeature::layer(Some(&feature), cores).expect("a mesh");
            assert!(
                (found / thickness - 1.0).abs() < 1e-9,
                "{found} {thickness}"
            );
            let least = MeshFeature::layer(None, cores).expect("a mesh");
            assert!((least / 0.5e-3 - 1.0).abs() < 1e-9, "{least}");
        }
    }
    assert_eq!(cells.faces.len(), 12);
    assert_eq!(
        MeshFeature::layer(None, [&Core::Point, &Core::HalfSpace]),
        None
    );
}

#[test]
fn the_tree_finds_the_faces_of_a_search_of_all_in_order() {
    for mesh in [ring(31, 17), ring(3, 3)] {
        let cells = mesh.cells();
        let mut count = 0;
        for k in 0..200 {
            let k = f64::from(k);
            let middle = Vec3::new((1.1 * k).sin(), (1.7 * k).cos(), (0.7 * k).sin()) * 0.12;
            let half = Vec3::new(0.03, 0.01, 0.02) * (1.0 + (0.3 * k).sin());
            let bounds = Aabb {
                lower: middle - half,
                upper: middle + half,
            };
            let mut found = Vec::new();
            cells.for_each_face_near(&bounds, |face| found.push(face));
            let is_near = |face: &usize| {
                let own = cells.faces[*face].bounds.wide();
                !own.common(&bounds).is_empty()
            };
            let all: Vec<usize> = (0..cells.faces.len()).filter(is_near).collect();
            assert_eq!(found, all);
            count += all.len();
            let (reach, mut found) = (half.x, Vec::new());
            cells.for_each_face_within(reach, &bounds, |face| found.push(face));
            let is_near = |face: &usize| cells.own_box(*face).distance(&bounds) <= reach;
            let all: Vec<usize> = (0..cells.faces.len()).filter(is_near).collect();
            assert_eq!(found, all);
            count += all.len();
        }
        assert!(count > 200, "{count}");
    }
}

#[test]
fn boxes_of_the_tree_contain_faces_and_cells() {
    let mesh = ring(23, 11);
    let Cells { tree, faces, .. } = mesh.cells();
    let mut seen = 0;
    for node in 0..tree.nodes().len() {
        let [own, with_cells] = [
            tree.nodes()[node].bounds(),
            tree.nodes()[node].around_cells(),
        ];
        let has = |around: &Aabb, point: &Vec3| {
            (0..3).all(|k| (around.lower[k]..=around.upper[k]).contains(&point[k]))
        };
        for face in tree.faces(node) {
            for number in mesh.cells().corners(face) {
                let vertex = mesh.cells().vertex(*number);
                assert!(has(&own, &vertex.point) && has(&with_cells, &vertex.inner()));
            }
        }
        if tree.children(node).is_none() {
            seen += tree.faces(node).len();
        }
    }
    assert_eq!(seen, faces.len());
    let mut vertices = tree.vertices(0).to_vec();
    vertices.sort_unstable();
    assert!(
        vertices
            .iter()
            .map(|v| *v as usize)
            .eq(0..mesh.cells().vertices.len())
    );
}

#[test]
fn a_fine_mesh_takes_160_bytes_a_triangle() {
    let mesh = ring(60, 40);
    let count = mesh.triangles.len();
    let all = mesh.cells().bytes() + size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
    let each = all as f64 / count as f64;
    assert!(each <= 160.0, "{each}");
}

/// Corners of a cell and the depths there [m].
fn corners_of(cells: &Cells, face: usize, part: usize) -> Vec<(Vec3, f64)> {
    if cells.parts(face) > 1 {
        return cells.tetrahedron(face, part).to_vec();
    }
    let depth = cells.faces[face].depth;
    let vertices = cells.corners(face).iter().map(|v| cells.vertex(*v));
    let ends = vertices.map(|v| [(v.point, 0.0), (v.below(depth), depth)]);
    ends.flatten().collect()
}

#[test]
fn bounds_of_depths_hold_at_all_corners_of_the_cells_below_a_node() {
    const ROUNDING: f64 = 1e-15;
    let mut spare = [f64::INFINITY; 2];
    for mesh in [ring(23, 11)].into_iter().chain(grounds()) {
        let cells = mesh.cells();
        for (number, node) in cells.tree.nodes().iter().enumerate() {
            let (slope, at_0, most) = node.ceiling();
            let faces = cells.tree.faces(number);
            let parts = faces.flat_map(|face| (0..cells.parts(face)).map(move |part| [face, part]));
            for corners in parts.map(|[face, part]| corners_of(cells, face, part)) {
                for (point, depth) in &corners {
                    let over = [slope.dot(point) + at_0, most].map(|bound| bound - depth);
                    assert!(over.iter().all(|over| *over >= -ROUNDING), "{over:?}");
                    spare = [0, 1].map(|k| spare[k].min(over[k]));
                }
                for share in [0.01, 0.1, 0.4, 0.8, 1.0] {
                    // The part of the cell down to a depth is convex, with corners on edges of the cell.
                    let down = share * most;
                    let around = node.around_layer(down).grown(ROUNDING);
                    let is_out = |x: &Vec3| around.common(&Aabb::EMPTY.with(x)).is_empty();
                    for (x, d) in corners.iter().filter(|(_, d)| *d <= down) {
                        assert!(!is_out(x), "{x} at {d}");
                        for (y, e) in corners.iter().filter(|(_, e)| *e > down) {
                            let cut = x + (y - x) * ((down - d) / (e - d));
                            assert!(!is_out(&cut), "{cut} at {down}");
                        }
                    }
                }
            }
        }
    }
    // They are reached, to single precision.
    assert!(spare.iter().all(|spare| *spare < 1e-7), "{spare:?}");
}
