//! Files in all formats give the same solid; damaged ones say what is wrong.

use super::super::hull::Surface;
use super::super::solid::{Mesh, balance, solid_of};
use super::{ascii_stl, binary_stl, cuboid, join, l_shape, obj_text, ring, tetrahedron};
use crate::file;
use contact_geometry::math::Vec3;
use std::fs;
use std::io::Write;

fn error<T: std::fmt::Debug>(found: Result<T, String>) -> String {
    found.unwrap_err()
}

fn mesh(surface: &Surface) -> Mesh {
    Mesh::new(surface, 1.0).unwrap()
}

/// A PLY file with properties and elements beside the surface.
fn ply(surface: &Surface, format: &str) -> Vec<u8> {
    let header = format!(
        "ply\nformat {format} 1.0\ncomment by hand\nelement vertex {}\nproperty uchar red\nproperty double x\n\
         property float y\nproperty float32 z\nelement marker 1\nproperty list uint8 short places\n\
         element face {}\nproperty list uchar int vertex_indices\nproperty int16 group\nend_header\n",
        surface.vertices.len(),
        surface.triangles.len()
    );
    let mut bytes = header.into_bytes();
    let is_ascii = format == "ascii";
    // A number with its bytes, least first.
    let mut put = |text: String, little: &[u8]| match format {
        "ascii" => bytes.extend(format!("{text} ").as_bytes()),
        "binary_little_endian" => bytes.extend(little),
        _ => bytes.extend(little.iter().rev()),
    };
    for v in &surface.vertices {
        put("255".into(), &[255]);
        put(format!("{:e}", v.x), &v.x.to_le_bytes());
        put(v.y.to_string(), &(v.y as f32).to_le_bytes());
        put(format!("{}\n", v.z), &(v.z as f32).to_le_bytes());
    }
    put("2".into(), &[2]);
    put("-3".into(), &(-3_i16).to_le_bytes());
    put("7\n".into(), &7_i16.to_le_bytes());
    for triangle in &surface.triangles {
        put("3".into(), &[3]);
        triangle
            .iter()
            .for_each(|v| put(v.to_string(), &v.to_le_bytes()));
        put("-1\n".into(), &(-1_i16).to_le_bytes());
    }
    assert_eq!(is_ascii, bytes.is_ascii() && format == "ascii");
    bytes
}

/// The model of a 3MF file with one object.
fn model_text(surface: &Surface) -> String {
    let vertex = |v: &Vec3| format!("<vertex x=\"{}\" y=\"{}\" z=\"{}\"/>", v.x, v.y, v.z);
    let triangle = |[a, b, c]: &[u32; 3]| format!("<triangle v1=\"{a}\" v2=\"{b}\" v3=\"{c}\"/>\n");
    let vertices: String = surface.vertices.iter().map(vertex).collect();
    let triangles: String = surface.triangles.iter().map(triangle).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<model unit=\"inch\" xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">\
         <resources><object id=\"4\" type=\"model\"><mesh><vertices>{vertices}</vertices>\n<triangles>{triangles}</triangles>\
         </mesh></object></resources><build><item objectid=\"4\"/></build></model>"
    )
}

fn three_mf(model: &str) -> Vec<u8> {
    let rels = "<Relationships><Relationship Target=\"/3D/part.model\" Id=\"r\" \
                Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>";
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("_rels/.rels", rels), ("3D/part.model", model)] {
        archive
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_3mf_file_says_its_unit_and_places_its_objects() {
    let text = model_text(&cuboid([2.0, 1.0, 0.5]));
    for (unit, metres) in [
        ("micron", 1e-6),
        ("millimeter", 1e-3),
        ("centimeter", 0.01),
        ("foot", 0.3048),
        ("meter", 1.0),
    ] {
        let text = text.replace("\"inch\"", &format!("\"{unit}\""));
        assert_eq!(file::read_3mf(&three_mf(&text)).unwrap().unit, Some(metres));
    }
    assert_eq!(file::read_3mf(&three_mf(&text)).unwrap().unit, Some(0.0254));
    let unnamed = file::read_3mf(&three_mf(&text.replace(" unit=\"inch\"", ""))).unwrap();
    assert_eq!(unnamed.unit, Some(1e-3));
    // Twice in an object, mirrored and twice as long, which is turned about z and moved; and a support.
    let composed = text.replace(
        "</resources>",
        "<object id=\"7\"><components><component objectid=\"4\" transform=\"1 0 0 0 1 0 0 0 1 10 0 0\"/>\
         <component objectid=\"4\" transform=\"-2 0 0 0 1 0 0 0 1 0 0 0\"/></components></object>\
         <object id=\"8\" type=\"support\"><components><component objectid=\"4\"/></components></object></resources>",
    );
    let items =
        "<item objectid=\"8\"/><item objectid=\"7\" transform=\"0 1 0 -1 0 0 0 0 1 0 0 3\"/>";
    let composed = composed.replace("<item objectid=\"4\"/>", items);
    let surface = file::read_3mf(&three_mf(&composed)).unwrap().surface;
    let mesh = mesh(&surface);
    assert_eq!((mesh.repairs.components, mesh.repairs.turned), (2, 12));
    assert!((mesh.surface.volume() - 3.0).abs() < 1e-14);
    // x from -2 to 11 becomes y, y from -1/2 to 1/2 becomes -x.
    let (lower, upper) = mesh.surface.bounds();
    assert_eq!(<[f64; 3]>::from(lower), [-0.5, -2.0, 2.75]);
    assert_eq!(<[f64; 3]>::from(upper), [0.5, 11.0, 3.25]);
}

#[test]
fn damaged_3mf_files_say_what_is_wrong() {
    let text = model_text(&tetrahedron());
    let cases = [
        (
            "v1=\"0\"",
            "v1=\"9\"",
            "3D/part.model line 3: <triangle>: names vertex 9; its object has 4",
        ),
        (
            "v1=\"0\"",
            "v1=\"-1\"",
            "3D/part.model line 3: <triangle>: v1 is \"-1\", which is no number of its kind",
        ),
        (
            "x=\"1\"",
            "w=\"1\"",
            "3D/part.model line 2: <vertex>: the attribute x is missing",
        ),
        (
            "x=\"1\"",
            "x=\"nan\"",
            "3D/part.model line 2: <vertex>: a coordinate is not finite",
        ),
        (
            "inch",
            "mile",
            "3D/part.model line 2: <model>: \"mile\" is no unit of 3MF",
        ),
        (
            "item objectid=\"4\"",
            "item objectid=\"5\"",
            "has no object 5, which is to be built",
        ),
        (
            "item objectid=\"4\"",
            "item objectid=\"4\" transform=\"1 2 3\"",
            "3D/part.model line 7: <item>: transform \"1 2 3\" has no 12 numbers",
        ),
        (
            "item objectid",
            "item p:path=\"/3D/b.model\" objectid",
            "3D/part.model line 7: <item>: names an object in another model of the archive",
        ),
        (
            "</mesh>",
            "</mesh><components><component objectid=\"4\"/></components>",
            "3D/part.model line 7: <component>: names object 4, which does not end before it",
        ),
        (
            "</object>",
            "</object><object id=\"4\"/>",
            "3D/part.model line 7: <object>: has the number of an object before it",
        ),
        ("</vertices>", "</vertexes>", "3D/part.model line 2: "),
    ];
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{from}");
        let message = error(file::read_3mf(&three_mf(&text.replacen(from, to, 1))));
        assert!(message.starts_with(expected), "{message}");
    }
    assert!(error(file::read_3mf(b"solid")).starts_with("is not a ZIP archive: "));
}

#[test]
fn cut_3mf_models_are_not_taken_for_smaller_ones() {
    let text = model_text(&tetrahedron());
    let cut = "3D/part.model ends before its elements do; the file is cut short, export it again";
    for end in ["</model>", "</mesh>", "<triangle ", "<model "] {
        let start = &text[..text.find(end).unwrap()];
        assert_eq!(error(file::read_3mf(&three_mf(start))), cut, "{end}");
    }
    let size = text.len() as u64;
    let read = |most| file::each_element(&three_mf(&text), "3D/part.model", most, |_| Ok(()));
    assert_eq!(read(size), Ok(()));
    assert_eq!(
        error(read(size - 1)),
        format!(
            "has an entry \"3D/part.model\" of more than {} bytes; simplify the mesh",
            size - 1
        )
    );
}

#[test]
fn placed_3mf_vertices_must_be_finite() {
    let text = model_text(&cuboid([2.0, 1.0, 0.5]));
    let far = "transform=\"1e200 0 0 0 1 0 0 0 1 0 0 0\"";
    let outer = format!(
        "<object id=\"5\"><components><component objectid=\"4\" {far}/></components></object></resources>"
    );
    let text = text.replace("</resources>", &outer);
    let text = text.replace(
        "<item objectid=\"4\"/>",
        &format!("<item objectid=\"5\" {far}/>"),
    );
    assert_eq!(
        error(file::read_3mf(&three_mf(&text))),
        "places object 4 so that a coordinate is not finite"
    );
}

#[test]
fn objects_within_themselves_are_refused_where_they_are_named() {
    let text = model_text(&tetrahedron());
    let component = |of: u32| format!("<component objectid=\"{of}\"/>");
    for count in [1, 10, 100] {
        let inner = format!(
            "</mesh><components>{}</components>",
            component(4).repeat(count)
        );
        let message = error(file::read_3mf(&three_mf(&text.replace("</mesh>", &inner))));
        let expected =
            "3D/part.model line 7: <component>: names object 4, which does not end before it";
        assert_eq!(message, expected);
    }
    // Each object is the one before it twice: 2^40 tetrahedra.
    let double = |id: u32| {
        let twice = component(id - 1).repeat(2);
        format!("<object id=\"{id}\"><components>{twice}</components></object>")
    };
    let doubles: String = (5..=44).map(double).collect();
    let text = text.replace("</resources>", &format!("{doubles}</resources>"));
    let text = text.replace("<item objectid=\"4\"/>", "<item objectid=\"44\"/>");
    assert_eq!(
        error(file::read_3mf(&three_mf(&text))),
        "has more than 5000000 triangles or placed objects"
    );
}

#[test]
fn damaged_ply_files_say_what_is_wrong() {
    let text = String::from_utf8(ply(&tetrahedron(), "ascii")).unwrap();
    let cases = [
        (
            "ply\n",
            "plx\n",
            "does not begin with ply; it is no PLY file",
        ),
        (
            "uchar red",
            "colour red",
            "line 5: \"colour\" is no type of a property",
        ),
        (
            "format ascii",
            "format text",
            "line 2: found \"format text 1.0\"; expected element, property or end_header",
        ),
        (
            "vertex 4",
            "vertex four",
            "line 4: \"four\" is no number of elements",
        ),
        ("end_header", "", "line 15: found"),
        (
            "255 1e0",
            "255 one",
            "vertex 2 has no number where one must be",
        ),
        (
            "255 1e0",
            "255 inf",
            "vertex 2 is [inf, 0.0, 0.0]; x, y and z must be finite numbers",
        ),
        (
            "3 0 2 1",
            "3 0 2 4",
            "face 1: a face names vertex 4; the file has 4",
        ),
        (
            "3 0 2 1",
            "3 0 2 -1",
            "face 1: a face names vertex 4294967295; the file has 4",
        ),
        (
            "3 0 2 1",
            "2 0 2",
            "face 1: a face with 2 corners; it needs 3 at least",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{from}");
        let message = error(file::read_ply(text.replacen(from, to, 1).as_bytes()));
        assert!(message.starts_with(expected), "{message}");
    }
    // Refused at the first empty face, before the file ends.
    let empty = "ply\nformat ascii 1.0\nelement face 9\nproperty list uchar int vertex_index\nend_header\n0\n";
    assert_eq!(
        error(file::read_ply(empty.as_bytes())),
        "face 1: a face with 0 corners; it needs 3 at least"
    );
    let binary = ply(&tetrahedron(), "binary_big_endian");
    let message = error(file::read_ply(&binary[..binary.len() - 1]));
    assert_eq!(
        message,
        "face 4 has no number where one must be; the file is cut short or damaged"
    );
    let endless = "ply\nformat ascii 1.0\nelement face 18446744073709551615\nend_header\n";
    assert_eq!(
        file::read_ply(endless.as_bytes()).unwrap(),
        Surface::default()
    );
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
            ("f.ply", ply(&solid, "ascii")),
            ("g.ply", ply(&solid, "binary_little_endian")),
            ("h.PLY", ply(&solid, "binary_big_endian")),
            ("i.3mf", three_mf(&model_text(&solid))),
        ];
        let expected = solid_of(&solid).unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let mesh = mesh(&file::read(&path).unwrap().surface);
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
fn a_ring_is_closed_and_has_a_known_volume() {
    // A ring of n quadrilateral prisms between radii 1 and 2, height 1: V = n/2 sin(2 pi/n) (4 - 1).
    let n = 24;
    let mesh = mesh(&ring(n));
    let wedge = 0.5 * n as f64 * (std::f64::consts::TAU / n as f64).sin();
    assert!((mesh.surface.volume() - 3.0 * wedge).abs() < 1e-14);
    assert_eq!(mesh.repairs.components, 1);
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
        "open: 3 edges without a second triangle, one at (-0.5, 0, 0) m"
    );
    let mut messy = cube.clone();
    messy.triangles.push([0, 0, 1]);
    messy.triangles.push(cube.triangles[2]);
    assert_eq!(
        mesh(&messy).report()[2..4],
        [
            "triangles dropped that have two corners in one place: 1",
            "triangles dropped that are given twice: 1"
        ]
    );
    let concave = &mesh(&l_shape()).report()[2];
    let [start, end] = [
        "concave: the hull stands out by up to 0.66",
        " m, with 0.5 m3 more (25 %)",
    ];
    assert!(
        concave.starts_with(start) && concave.ends_with(end),
        "{concave}"
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
    let last = "concave: the hull stands out nowhere, but fills 1 m3 of closed cavities (1.5873 %)";
    assert_eq!(hollow.report().last().unwrap(), last);
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
    assert!(
        message.starts_with(
            "has one side only, like a Moebius strip: a way over the surface through the edge at ("
        ),
        "{message}"
    );
}

#[test]
fn an_inner_wall_is_no_hole() {
    // Two tetrahedra and the triangle between them: three of its edges have three triangles.
    let points = [
        [0., 0., 0.],
        [1., 0., 0.],
        [0., 1., 0.],
        [0., 0., 1.],
        [0., 0., -1.],
    ];
    let mut triangles = vec![[0, 1, 2]];
    for [a, b] in [[0, 1], [1, 2], [2, 0]] {
        triangles.extend([[a, b, 3], [b, a, 4]]);
    }
    let mut surface = Surface {
        vertices: points.map(Vec3::from).to_vec(),
        triangles,
    };
    let open = |surface: &Surface| Mesh::new(surface, 1.0).unwrap().open_edges();
    let inner = "3 edges with an odd number of triangles, as where an inner wall meets the surface, one at (";
    assert!(open(&surface).starts_with(inner), "{}", open(&surface));
    // Without a triangle of the upper one the hole has two edges more, and is what is told.
    surface.triangles.remove(1);
    let hole = "2 edges without a second triangle, one at (0";
    assert!(open(&surface).starts_with(hole), "{}", open(&surface));
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
        "has an ending that is not known; .stl, .obj, .ply (ASCII or binary) and .3mf are read, heights by height_field"
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
        "has no triangle; export the file again, as a mesh of triangles"
    );
    let flat = Surface {
        triangles: vec![[0, 1, 2]],
        vertices: tetrahedron().vertices,
    };
    let message = Mesh::new(&flat, 1.0).unwrap_err();
    assert_eq!(message, "has 3 different points; a solid has at least 4");
}
