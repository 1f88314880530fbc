//! Files in all formats give the same solid; damaged ones say what is wrong.

use super::super::hull::Surface;
use super::super::solid::{Mesh, balance, solid_of};
use super::{ascii_stl, binary_stl, cuboid, join, l_shape, obj_text, ring, tetrahedron};
use crate::file;
use contact_geometry::math::Vec3;
use std::fs;

fn error(found: Result<Surface, String>) -> String {
    found.unwrap_err()
}

fn mesh(surface: &Surface) -> Mesh {
    Mesh::new(surface, 1.0).unwrap()
}

#[test]
fn every_format_gives_the_same_solid() {
    let folder = tempfile::tempdir().unwrap();
    // Coordinates that single precision holds exactly.
    for solid in [cuboid([2.0, 1.0, 0.5]), tetrahedron(), l_shape()] {
        let files = [
            ("a.stl", ascii_stl(&solid).into_bytes()),
            ("b.STL", binary_stl(&solid, "solid though binary")),
            ("c.obj", obj_text(&solid).into_bytes()),
            (
                "d.stl",
                ascii_stl(&solid).replace('\n', "\r\n").into_bytes(),
            ),
            ("e.obj", obj_text(&solid).replace('\n', "\r\n").into_bytes()),
        ];
        let expected = solid_of(&solid).unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let mesh = mesh(&file::read(&path).unwrap());
            assert!(mesh.is_closed(), "{name}");
            assert_eq!(mesh.surface.vertices.len(), solid.vertices.len());
            let found = solid_of(&mesh.surface).unwrap();
            assert!((found.volume / expected.volume - 1.0).abs() < 1e-15);
            for (one, two) in found.inertia.iter().zip(expected.inertia) {
                assert!((one - two).abs() < 1e-15, "{name}: {one} {two}");
            }
        }
    }
}

#[test]
fn solids_have_the_volume_centre_and_inertia_of_their_closed_forms() {
    // Box about the origin: V = a b c, I_xx/rho = V (b^2 + c^2)/12.
    let solid = solid_of(&cuboid([2.0, 1.0, 0.5])).unwrap();
    assert!((solid.volume - 1.0).abs() < 1e-15);
    let expected = [1.25 / 12.0, 4.25 / 12.0, 5.0 / 12.0, 0.0, 0.0, 0.0];
    for (one, two) in solid.inertia.iter().zip(expected) {
        assert!((one - two).abs() < 1e-15);
    }
    // L of 2 x 1 and 1 x 2 squares, 0.5 thick: V = 2, centre by the two rectangles.
    let solid = solid_of(&l_shape()).unwrap();
    assert!((solid.volume - 2.0).abs() < 1e-15);
    let center = [
        (2.0 * 1.0 + 2.0 * 0.5) / 4.0,
        (2.0 * 0.5 + 2.0 * 2.0) / 4.0,
        0.25,
    ];
    for (one, two) in solid.centroid.iter().zip(center) {
        assert!((one - two).abs() < 1e-15);
    }
    // Corner tetrahedron (0,0,0), e_x, e_y, e_z: V = 1/6, I_xx/rho about the centre = 1/80,
    // I_xy/rho = 1/480 (Tonon 2004).
    let solid = solid_of(&tetrahedron()).unwrap();
    assert!((solid.volume - 1.0 / 6.0).abs() < 1e-16);
    assert!((solid.inertia[0] - 1.0 / 80.0).abs() < 1e-16);
    assert!((solid.inertia[3] - 1.0 / 480.0).abs() < 1e-17);
}

#[test]
fn units_and_scale_multiply_lengths_exactly() {
    let mut read = cuboid([9.0, 7.0, 3.0]);
    for vertex in &mut read.vertices {
        *vertex *= 2.0;
    }
    let scaled = Mesh::new(&read, 0.001).unwrap();
    let (lower, upper) = scaled.surface.bounds();
    assert_eq!(<[f64; 3]>::from(upper), [0.009, 0.007, 0.003]);
    assert_eq!(lower, -upper);
    let inch = Mesh::new(&read, 0.0254).unwrap();
    assert_eq!(inch.surface.bounds().1.x, 9.0 * 0.0254);
}

#[test]
fn polygons_of_an_obj_file_may_have_corners_inwards() {
    // The L as two faces of six corners and six quads, one with negative numbers and one of each
    // form of reference, one line continued.
    let text = "# an L\nmtllib x.mtl\no L\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n\
        v 0 0 .5\nv 2 0 5e-1\nv 2 1 0.5\nv 1 1 0.5 1.0\nv 1 3 0.5 0.1 0.2 0.3\nv 0 3 0.5\nvn 0 0 1\n\
        f 6 5 4 3 2 1\nf 7/1/1 8//1 9/3 10 \\\n 11 12\nf 1 2 8 7\nf 2 3 9 8\nf -10 -9 -3 -4\nf 4 5 11 10\nf 5 6 12 11\n\
        usemtl steel\nf 6 1 7 12 # last\n";
    let mesh = mesh(&file::read_obj(text.as_bytes()).unwrap());
    assert!(mesh.is_closed());
    assert_eq!(mesh.repairs.turned, 0);
    assert_eq!(mesh.surface.triangles.len(), 20);
    assert!((mesh.surface.volume() - 2.0).abs() < 1e-15);
    // The face with the corner inwards is covered once: the areas of its triangles add up.
    let area: f64 = mesh
        .surface
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = mesh.surface.corners(t);
            0.5 * (b - a).cross(&(c - a)).norm()
        })
        .sum();
    assert!((area - (2.0 * 4.0 + 0.5 * 10.0)).abs() < 1e-14);
}

#[test]
fn a_ring_is_closed_and_its_hull_has_a_known_excess() {
    // A ring of n quadrilateral prisms between radii 1 and 2, height 1: V = n/2 sin(2 pi/n) (4 - 1).
    let n = 24;
    let mesh = mesh(&ring(n));
    let wedge = 0.5 * n as f64 * (std::f64::consts::TAU / n as f64).sin();
    assert!((mesh.surface.volume() - 3.0 * wedge).abs() < 1e-14);
    let (excess, share) = mesh.excess();
    assert!((excess - wedge).abs() < 1e-14);
    assert!((share - 1.0 / 3.0).abs() < 1e-14);
    assert_eq!(mesh.repairs.components, 1);
}

#[test]
fn the_hull_of_the_l_has_half_a_triangle_more() {
    // The hull of the L fills the triangle (2,1), (1,3), (1,1): area 1, volume 0.5 = 25 %.
    let (excess, share) = mesh(&l_shape()).excess();
    assert!((excess - 0.5).abs() < 1e-15);
    assert!((share - 0.25).abs() < 1e-15);
    assert_eq!(mesh(&cuboid([1.0, 1.0, 1.0])).excess(), (0.0, 0.0));
}

#[test]
fn reports_say_what_was_found_and_done() {
    let cube = cuboid([1.0, 1.0, 1.0]);
    assert_eq!(
        mesh(&cube).report(),
        [
            "12 triangles, 8 vertices",
            "closed, facing outwards",
            "convex"
        ]
    );
    let mut inside_out = cube.clone();
    for triangle in &mut inside_out.triangles {
        triangle.swap(0, 1);
    }
    assert_eq!(
        mesh(&inside_out).report()[1],
        "closed, facing inwards, turned outwards"
    );
    let mut mixed = cube.clone();
    mixed.triangles[3].swap(0, 1);
    mixed.triangles[7].swap(0, 1);
    assert_eq!(
        mesh(&mixed).report()[1],
        "closed, facing mixed, 2 triangles turned outwards"
    );
    assert!((mesh(&mixed).surface.volume() - 1.0).abs() < 1e-15);
    let mut open = cube.clone();
    open.triangles.pop();
    assert_eq!(
        mesh(&open).report()[1],
        "open: 3 edges without a second triangle"
    );
    let mut messy = cube.clone();
    messy.triangles.push([0, 0, 1]);
    messy.triangles.push(cube.triangles[2]);
    assert_eq!(
        mesh(&messy).report()[2..4],
        [
            "1 triangles with two corners in one place dropped",
            "1 triangles given twice dropped"
        ]
    );
    assert_eq!(
        mesh(&l_shape()).report()[2],
        "concave: the hull has 0.5 m3 more (25 %)"
    );
    // Box 2 x 1 x 0.5: I_xx = m (1 + 0.25)/12.
    assert_eq!(
        balance(&solid_of(&cuboid([2.0, 1.0, 0.5])).unwrap(), 1200.0),
        "centre of mass (0, 0, 0) m, inertia xx 125, yy 425, zz 500 kg.m2 about it"
    );
}

/// Joins surfaces, the second moved and turned inside out on demand.
fn with(one: &Surface, two: &Surface, by: [f64; 3], inside_out: bool) -> Surface {
    let mut two = two.clone();
    for vertex in &mut two.vertices {
        *vertex += Vec3::from(by);
    }
    for triangle in two.triangles.iter_mut().filter(|_| inside_out) {
        triangle.swap(0, 1);
    }
    join(one, &two)
}

#[test]
fn cavities_components_and_components_inside_out_are_told_apart() {
    let (big, small) = (cuboid([4.0, 4.0, 4.0]), cuboid([1.0, 1.0, 1.0]));
    let hollow = mesh(&with(&big, &small, [0.5, 0.0, 0.0], true));
    assert!((hollow.surface.volume() - 63.0).abs() < 1e-13);
    assert_eq!((hollow.repairs.cavities, hollow.repairs.components), (1, 2));
    assert_eq!(hollow.repairs.turned, 0);
    let apart = mesh(&with(&big, &small, [5.0, 0.0, 0.0], true));
    assert!((apart.surface.volume() - 65.0).abs() < 1e-13);
    assert_eq!((apart.repairs.cavities, apart.repairs.turned), (0, 12));
    let nested = mesh(&with(&big, &small, [0.5, 0.0, 0.0], false));
    assert_eq!((nested.repairs.nested, nested.repairs.turned), (1, 0));
    // Two that overlap without one inside the other stay as they are.
    let overlapping = mesh(&with(&big, &small, [2.0, 0.0, 0.0], false));
    assert_eq!(
        (overlapping.repairs.nested, overlapping.repairs.turned),
        (0, 0)
    );
    // A hollow body that is inside out as a whole.
    let mut turned = with(&big, &small, [0.5, 0.0, 0.0], true);
    for triangle in &mut turned.triangles {
        triangle.swap(1, 2);
    }
    let turned = mesh(&turned);
    assert!((turned.surface.volume() - 63.0).abs() < 1e-13);
    assert_eq!(turned.repairs.turned, 24);
}

#[test]
fn corners_that_rounding_tore_apart_are_joined() {
    let cube = cuboid([1.0, 1.0, 1.0]);
    let mut torn = Surface::default();
    for (number, triangle) in cube.triangles.iter().enumerate() {
        let first = torn.vertices.len() as u32;
        let noise = 1e-8 * number as f64;
        torn.vertices
            .extend(cube.corners(triangle).map(|v| v.add_scalar(noise)));
        torn.triangles.push([first, first + 1, first + 2]);
    }
    let mesh = mesh(&torn);
    assert!(mesh.is_closed());
    assert_eq!(mesh.surface.vertices.len(), 8);
    assert!(
        mesh.report()
            .iter()
            .any(|line| line
                == "28 vertices joined with another within 1e-6 of the largest coordinate"),
        "{:?}",
        mesh.report()
    );
}

#[test]
fn a_band_with_one_side_is_refused() {
    // The projective plane of six vertices: every edge has two triangles, no orientation exists.
    let triangles = [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 5],
        [0, 5, 1],
        [1, 2, 4],
        [2, 3, 5],
        [3, 4, 1],
        [4, 5, 2],
        [5, 1, 3],
    ];
    let points = [
        [0., 0., 0.],
        [1., 0., 0.],
        [0., 1., 0.],
        [0., 0., 1.],
        [1., 1., 1.],
        [2., 1., 3.],
    ];
    let surface = Surface {
        vertices: points.map(Vec3::from).to_vec(),
        triangles: triangles.to_vec(),
    };
    let message = Mesh::new(&surface, 1.0).unwrap_err();
    assert!(message.contains("cannot all face outwards"), "{message}");
}

#[test]
fn damaged_stl_files_say_what_is_wrong() {
    let cube = cuboid([1.0, 1.0, 1.0]);
    let binary = binary_stl(&cube, "made by hand");
    assert_eq!(
        error(file::read_stl(&binary[..600])),
        "has 600 bytes; a binary STL file of 12 triangles has 684, and an ASCII one begins with solid; the file is damaged or not STL, export it again"
    );
    let mut huge = binary.clone();
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(error(file::read_stl(&huge)).contains("4294967295 triangles has 214748364834,"));
    assert_eq!(
        error(file::read_stl(b"hello")),
        "has 5 bytes and does not begin with solid; it is no STL file, export it again"
    );
    let mut nan = binary.clone();
    nan[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        error(file::read_stl(&nan)),
        "triangle 2 has the coordinate NaN; every coordinate must be a finite number, export the file again"
    );
    let text = ascii_stl(&cube);
    let cases = [
        (
            text.replacen("vertex", "vertx", 1),
            "line 4: found \"vertx\"; expected vertex x y z or endloop",
        ),
        (
            text.replacen("endloop", "vertex 1 2 3\nendloop", 1),
            "line 8: a facet with 4 vertices; STL has 3",
        ),
        (
            text.replacen("outer loop\n", "outer loop\nvertex 1 2\n", 1),
            "line 4: a vertex with fewer than 3 coordinates",
        ),
        (
            text.replacen("vertex ", "vertex 1,5 ", 1),
            "line 4: \"1,5\" is not a finite number",
        ),
        (
            text.replacen("vertex ", "vertex nan ", 1),
            "line 4: \"nan\" is not a finite number",
        ),
        (
            text.replacen("facet normal", "facette", 1),
            "line 2: found \"facette\"; expected facet or endsolid",
        ),
        (text[..400].to_owned(), "ends after 3 triangles where"),
        (
            text.replace("endsolid cube", ""),
            "ends after 12 triangles where facet or endsolid must follow; the file is cut short, export it again",
        ),
    ];
    for (text, expected) in cases {
        let message = error(file::read_stl(text.as_bytes()));
        assert!(message.starts_with(expected), "{message}");
    }
    // Names in other alphabets, none at all, capital letters.
    for start in [
        "solid W\u{fc}rfel\nfacet",
        "solid\nfacet",
        "SOLID cube\nFACET",
    ] {
        let text = text.replacen("solid cube\nfacet", start, 1);
        assert_eq!(file::read_stl(text.as_bytes()).unwrap().triangles.len(), 12);
    }
}

#[test]
fn damaged_obj_files_say_what_is_wrong() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let cases = [
        ("f 1 2 3 5", "line 5: a face names vertex 5; the file has 4"),
        (
            "f 1 2 0",
            "line 5: a face with the corner \"0\"; expected the number of a vertex, from 1, or from -1 backwards",
        ),
        (
            "f 1 2 -5",
            "line 5: a face with the corner \"-5\"; expected the number of a vertex, from 1, or from -1 backwards",
        ),
        (
            "f 1 2 x",
            "line 5: a face with the corner \"x\"; expected the number of a vertex, from 1, or from -1 backwards",
        ),
        (
            "f 1 2",
            "line 5: a face with 2 corners; it needs 3 at least",
        ),
        ("f 1 3 2 4", "line 5: a face of 4 corners has no area"),
        (
            "f 1 3 2 4 2",
            "line 5: a face of 5 corners has sides that cross each other",
        ),
        ("v 1 inf 3", "line 5: \"inf\" is not a finite number"),
        (
            "curv2 1 2",
            "line 5: found \"curv2\"; only polygons are read (v and f), export the file as a mesh of triangles",
        ),
    ];
    for (line, expected) in cases {
        let text = format!("{square}{line}\n");
        assert_eq!(error(file::read_obj(text.as_bytes())), expected);
    }
}

#[test]
fn files_that_are_missing_empty_or_of_another_kind_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.step");
    assert_eq!(
        error(file::read(&path)),
        "has an ending that is not known; .stl (ASCII or binary) and .obj are read"
    );
    let missing = error(file::read(&folder.path().join("none.stl")));
    assert!(
        missing.starts_with("cannot be read: ")
            && missing.ends_with("; the path is relative to the scene file")
    );
    let empty = folder.path().join("empty.stl");
    fs::write(&empty, "solid\nendsolid\n").unwrap();
    assert_eq!(
        error(file::read(&empty)),
        "has no triangle; export the file again"
    );
    let flat = Surface {
        triangles: vec![[0, 1, 2]],
        vertices: tetrahedron().vertices,
    };
    let message = Mesh::new(&flat, 1.0).unwrap_err();
    assert_eq!(message, "has 3 different points; a solid has at least 4");
}
