//! Forms of shapes: what each key means.

use super::fixtures::*;
use super::{BASE, load, parse};
use crate::scene_file::form::keys;
use contact_laws::index::ShapeId;

/// The form that replaces the sphere of [`BASE`].
const SPHERE: &str = r#"sphere = { diameter = "20 cm" }"#;

fn form_of(text: &str) -> Form {
    let loaded = load(&BASE.replace(SPHERE, text));
    loaded.description.bodies[1].shapes[0].form.clone()
}

#[test]
fn every_form_is_read_with_its_defaults_and_units() {
    let cylinder = |diameter, length, axis, inner_diameter| Form::Cylinder {
        diameter,
        length,
        axis,
        inner_diameter,
    };
    let tapered = |diameter, top_diameter, axis| tapered_capsule(diameter, top_diameter, 2.0, axis);
    let beam = |axis| Form::Beam {
        length: 1.0,
        width: 0.4,
        thickness: 0.25,
        axis,
    };
    for (text, form) in [
        (
            r#"ellipsoid = { lengths = [1, "20 cm", 0.5] }"#,
            ellipsoid([1.0, 0.2, 0.5]),
        ),
        (
            "cylinder = { diameter = 0.5, length = 2 }",
            cylinder(0.5, 2.0, Axis::Z, 0.0),
        ),
        (
            r#"cylinder = { radius = "250 mm", length = "2 m", axis = "x", inner_diameter = "25 cm" }"#,
            cylinder(0.5, 2.0, Axis::X, 0.25),
        ),
        (
            r#"cylinder = { diameter = 0.5, inner_radius = 0.125, length = 2, axis = "y" }"#,
            cylinder(0.5, 2.0, Axis::Y, 0.25),
        ),
        (
            "cone = { diameter = 0.5, length = 2 }",
            cone(0.5, 0.0, 2.0, Axis::Z),
        ),
        (
            r#"cone = { radius = 0.25, top_diameter = "0.1 m", length = 2, axis = "y" }"#,
            cone(0.5, 0.1, 2.0, Axis::Y),
        ),
        (
            r#"cone = { diameter = 0.5, top_radius = "50 cm", length = 2, axis = "x" }"#,
            cone(0.5, 1.0, 2.0, Axis::X),
        ),
        (
            "capsule = { diameter = 0.5, length = 2 }",
            capsule(0.5, 2.0, Axis::Z),
        ),
        (
            r#"capsule = { radius = "25 cm", length = "2000 mm", axis = "x" }"#,
            capsule(0.5, 2.0, Axis::X),
        ),
        (
            "tapered_capsule = { diameter = 0.5, top_diameter = 0.25, length = 2 }",
            tapered(0.5, 0.25, Axis::Z),
        ),
        (
            r#"tapered_capsule = { radius = "25 cm", top_radius = 0.5, length = "2000 mm", axis = "y" }"#,
            tapered(0.5, 1.0, Axis::Y),
        ),
        (
            "beam = { length = 1, width = 0.4, thickness = 0.25 }",
            beam(Axis::Z),
        ),
        (
            r#"beam = { length = "1 m", width = "40 cm", thickness = "250 mm", axis = "y" }"#,
            beam(Axis::Y),
        ),
    ] {
        assert_eq!(form_of(text), form, "{text}");
    }
}

#[test]
fn a_compound_is_read_from_tables_or_from_an_array() {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let expected = Form::Compound {
        parts: vec![
            CompoundPart {
                form: sphere(0.5),
                position: [0.0, 0.0, -0.25],
                orientation: [1.0, 0.0, 0.0, 0.0],
            },
            CompoundPart {
                form: capsule(0.125, 1.0, Axis::X),
                position: [0.0; 3],
                orientation: [h, 0.0, 0.0, h],
            },
        ],
    };
    let tables = BASE.replace(
        SPHERE,
        r#"name = "dumb_bell"
[[body.shape.part]]
sphere = { diameter = 0.5 }
position = [0, 0, "-25 cm"]
[[body.shape.part]]
capsule = { diameter = 0.125, length = 1, axis = "x" }
orientation = [0.7071067811865476, 0, 0, 0.7071067811865476]
[[body.shape]]
sphere = { diameter = 1 }"#,
    );
    // The material after the last table belongs to the second shape.
    let tables = tables.replace(
        "name = \"dumb_bell\"",
        "name = \"dumb_bell\"\nmaterial = \"Steel\"",
    );
    let array = BASE.replace(
        SPHERE,
        r#"part = [
  { sphere = { radius = 0.25 }, position = [0, 0, -0.25] },
  { capsule = { radius = "62.5 mm", length = 1, axis = "x" }, orientation = [0.7071067811865476, 0, 0, 0.7071067811865476] },
]"#,
    );
    for (text, name) in [(tables, "dumb_bell"), (array, "compound")] {
        let loaded = load(&text);
        let shape = &loaded.description.bodies[1].shapes[0];
        assert_eq!((&shape.form, shape.name.as_str()), (&expected, name));
        let parts = loaded.scene.shapes().iter().filter(|s| s.name == name);
        let parts: Vec<Option<usize>> = parts.map(|s| s.part).collect();
        assert_eq!(parts, [Some(0), Some(1)]);
    }
}

#[test]
fn a_part_turned_by_axis_and_angle_stands_where_the_quaternion_puts_it() {
    let Form::Compound { parts } = form_of(
        r#"part = [{ cone = { diameter = 1, length = 1 }, rotation = { axis = [0, 2, 0], angle = "90 deg" } }]"#,
    ) else {
        panic!("a compound");
    };
    // cos and sin of 45 degrees, to an ulp.
    let expected = std::f64::consts::FRAC_1_SQRT_2;
    let [w, x, y, z] = parts[0].orientation;
    assert!((w - expected).abs() <= f64::EPSILON && (y - expected).abs() <= f64::EPSILON);
    assert_eq!([x, z], [0.0; 2]);
}

/// The page of the book on shapes.
const SHAPES_PAGE: &str = include_str!("../../../../book/src/reference/scene/shapes.md");

/// Rows of the table of forms in the documentation: form, what to write, contact sphere radius.
fn documented_forms() -> Vec<[&'static str; 3]> {
    let (_, table) = SHAPES_PAGE
        .split_once("| form | written |")
        .expect("a table");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let columns = rows.map(|row| row.trim_matches('|').split(" | ").collect::<Vec<_>>());
    columns
        .map(|row| [row[0].trim(), row[1].trim_matches('`'), row[3].trim()])
        .collect()
}

#[test]
fn the_documentation_lists_every_form_as_it_is_read() {
    let documented = documented_forms();
    let names: Vec<&str> = documented.iter().map(|row| row[0]).collect();
    assert_eq!(names, keys().collect::<Vec<_>>());
    // The mesh of the table: a box 1 x 1 x 0.1 m in mm.
    let folder = tempfile::tempdir().unwrap();
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| [i & 1, i >> 1 & 1, i >> 2]);
    let vertices = corners.map(|[x, y, z]| format!("v {} {} {}\n", 1000 * x, 1000 * y, 100 * z));
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(folder.path().join("part.obj"), vertices.concat() + faces).unwrap();
    // The ground of the table: 1 x 1 m, its floor a tenth of that below.
    std::fs::write(folder.path().join("hills.csv"), "0,0,0\n0,0,0\n0,0,0\n").unwrap();
    let scene = folder.path().join("scene.toml").display().to_string();
    let load = |text: &str| parse(text, &scene).unwrap_or_else(|problems| panic!("{problems}"));
    for [name, written, contact_sphere] in documented {
        let fixed = BASE.replace("motion = \"free\"", "motion = \"fixed\"");
        let loaded = load(&fixed.replace(SPHERE, written));
        let form = &loaded.description.bodies[1].shapes[0].form;
        let is_mesh = name == "height_field";
        assert_eq!(form.key(), if is_mesh { "mesh" } else { name });
        // What the table shows as 0 or "z" is the default.
        let mut short = written.to_owned();
        for default in [
            ", axis = \"z\"",
            ", scale = 1",
            ", contact = \"hull\"",
            ", solid = \"mesh\"",
            ", inner_diameter = 0",
            " top_diameter = 0,",
        ] {
            short = short.replace(default, "");
        }
        let again = load(&fixed.replace(SPHERE, &short));
        assert_eq!(again.description.bodies[1].shapes[0].form, *form);
        let touching = &loaded.scene.shapes()[ShapeId::from(1)];
        assert_eq!(touching.flat, contact_sphere.ends_with("flat"), "{name}");
        // The sizes in the table are 0.2, 0.5; 0.1, 0.2, 0.3; 1, 1, 0.1; 1, 0.4, 0.2 [m].
        let radius = match contact_sphere.trim_end_matches(", flat") {
            "diameter/2" | "the shorter of diameter and length, /2" => 0.1,
            "(diameter + top_diameter)/4" if name == "tapered_capsule" => (0.2 + 0.1) / 4.0,
            "(diameter + top_diameter)/4" => 0.05,
            "shortest/2" if name == "beam" => 0.1,
            "shortest edge of the bounding box, /2" if name == "hull" => 0.5,
            "shortest/2" | "shortest edge of the bounding box, /2" => 0.05,
            "infinite" => f64::INFINITY,
            other => panic!("{other}"),
        };
        assert_eq!(touching.contact_sphere_radius, radius, "{name}");
    }
}

#[test]
fn the_compound_of_the_documentation_is_read() {
    let (_, rest) = SHAPES_PAGE
        .split_once("a compound,")
        .and_then(|(_, rest)| rest.split_once("```toml\n"))
        .expect("a compound");
    let (compound, _) = rest.split_once("```").expect("its end");
    let loaded = load(&BASE.replace(
        "[[body.shape]]\nsphere = { diameter = \"20 cm\" }\nmaterial = \"Steel\"\n",
        compound,
    ));
    let Form::Compound { parts } = &loaded.description.bodies[1].shapes[0].form else {
        panic!("a compound");
    };
    assert_eq!(parts.len(), 3);
    // Half the shortest edge of 0.2 x 0.2 x 1.2 m.
    assert_eq!(
        loaded.scene.shapes()[ShapeId::from(1)].contact_sphere_radius,
        0.1
    );
}
