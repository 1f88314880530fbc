use super::{part, sized_forms, tetrahedron};
use crate::fixtures::*;
use crate::scene::SceneError;

/// The problems of a scene with one body "thing" that has the form.
fn problems(motion: Motion, form: Form) -> Vec<SceneError> {
    let thing = body("thing", motion, form, [0.0; 3]);
    Scene::new(steel_scene(vec![thing]))
        .err()
        .unwrap_or_default()
}

/// The one problem: its place, and its message without the name of the shape.
fn problem(form: Form) -> (SceneItem, &'static str, String) {
    let found = problems(Motion::Free, form);
    let [one] = found.as_slice() else {
        panic!("one problem: {found:?}");
    };
    let subject = "body \"thing\", shape \"thing\"";
    let message = one.to_string();
    let message = message.strip_prefix(subject).expect("names the shape");
    let message = message.strip_prefix(": ").unwrap_or(message);
    (one.item, one.field, message.to_owned())
}

#[test]
fn every_good_form_is_accepted_on_a_free_body() {
    for form in sized_forms(Axis::Y) {
        assert_eq!(problems(Motion::Free, form), []);
    }
    let (solid, convex) = tetrahedron();
    let hull = Form::Hull {
        solid,
        part: convex.clone(),
    };
    assert_eq!(problems(Motion::Free, hull.clone()), []);
    let parts = vec![convex];
    assert_eq!(problems(Motion::Free, Form::Mesh { solid, parts }), []);
    let parts = vec![part(hull, [0.0; 3]), part(sphere(1.0), [1.0; 3])];
    assert_eq!(problems(Motion::Free, Form::Compound { parts }), []);
    assert_eq!(problems(Motion::Fixed, Form::HalfSpace), []);
}

#[test]
fn sizes_out_of_range_are_refused() {
    let cylinder = |diameter, length, inner_diameter| Form::Cylinder {
        diameter,
        length,
        axis: Axis::Z,
        inner_diameter,
    };
    let cone = |diameter, top_diameter, length| cone(diameter, top_diameter, length, Axis::Z);
    let capsule = |diameter, length| capsule(diameter, length, Axis::Z);
    let tapered =
        |diameter, top_diameter, length| tapered_capsule(diameter, top_diameter, length, Axis::Z);
    let beam = |length, width, thickness| Form::Beam {
        length,
        width,
        thickness,
        axis: Axis::Z,
    };
    const THIN: &str = "must be > 0: a shape without thickness has no inside";
    #[rustfmt::skip]
    let cases = [
        (sphere(0.0), "diameter", format!("diameter is 0 m; {THIN}")),
        (sphere(f64::NAN), "diameter", "diameter is NaN m; must be > 0".into()),
        (
            ellipsoid([1.0, f64::INFINITY, 1.0]),
            "lengths",
            "lengths[2] is inf m; must be > 0".into(),
        ),
        (cuboid([1.0, 1.0, 0.0]), "lengths", format!("lengths[3] is 0 m; {THIN}")),
        (cuboid([-1.0, 1.0, 1.0]), "lengths", "lengths[1] is -1 m; must be > 0".into()),
        (cylinder(1.0, 0.0, 0.0), "length", format!("length is 0 m; {THIN}")),
        (
            cylinder(1.0, 1.0, 1.0),
            "inner_diameter",
            "inner_diameter is 1 m; must be >= 0 and < diameter = 1 m".into(),
        ),
        (
            cylinder(1.0, 1.0, -0.1),
            "inner_diameter",
            "inner_diameter is -0.1 m; must be >= 0 and < diameter = 1 m".into(),
        ),
        (cone(0.0, 1.0, 1.0), "diameter", format!("diameter is 0 m; {THIN}")),
        (cone(1.0, -1.0, 1.0), "top_diameter", "top_diameter is -1 m; must be >= 0".into()),
        (cone(1.0, 0.0, -1.0), "length", "length is -1 m; must be > 0".into()),
        (
            capsule(1.0, 0.0),
            "length",
            "length is 0 m; must be > 0, without the half spheres at the ends".into(),
        ),
        (
            capsule(1.0, -1.0),
            "length",
            "length is -1 m; must be > 0, without the half spheres at the ends".into(),
        ),
        (tapered(1.0, 0.0, 1.0), "top_diameter", format!("top_diameter is 0 m; {THIN}")),
        (
            tapered(1.0, 0.4, 0.3),
            "length",
            "length is 0.3 m; must be > 0.3 m, half the difference of the diameters: else one sphere \
             holds the other"
                .into(),
        ),
        (
            tapered(0.5, 1.0, 0.125),
            "length",
            "length is 0.125 m; must be > 0.25 m, half the difference of the diameters: else one sphere \
             holds the other"
                .into(),
        ),
        (beam(1.0, 1.0, 0.0), "thickness", format!("thickness is 0 m; {THIN}")),
        (beam(1.0, -1.0, 1.0), "width", "width is -1 m; must be > 0".into()),
        (Form::HalfSpace, "half_space", "a half-space has no end".into()),
        (Form::Compound { parts: vec![] }, "compound", "compound has no part".into()),
    ];
    for (form, field, expected) in cases {
        let found = problem(form.clone());
        assert_eq!(found, (SceneItem::Shape(0, 0), field, expected), "{form:?}");
    }
}

#[test]
fn every_bad_size_of_a_form_is_told() {
    let beam = Form::Beam {
        length: 0.0,
        width: -1.0,
        thickness: f64::NAN,
        axis: Axis::Z,
    };
    let found = problems(Motion::Free, beam);
    let fields: Vec<&str> = found.iter().map(|e| e.field).collect();
    assert_eq!(fields, ["length", "width", "thickness"]);
}

#[test]
fn parts_of_a_compound_are_named_by_their_number() {
    let good = part(sphere(1.0), [0.0; 3]);
    let second = |bad| Form::Compound {
        parts: vec![good.clone(), bad],
    };
    let mut askew = good.clone();
    askew.orientation = [1.0, 1.0, 0.0, 0.0];
    for (bad, field, expected) in [
        (
            part(sphere(-1.0), [0.0; 3]),
            "diameter",
            ", part number 2: diameter is -1 m; must be > 0",
        ),
        (
            part(sphere(1.0), [0.0, f64::NAN, 0.0]),
            "position",
            ", part number 2: position is [0.0, NaN, 0.0]; every entry must be a finite number of a size up to 1e40",
        ),
        (
            askew,
            "orientation",
            ", part number 2: orientation is the quaternion (w, x, y, z) = [1.0, 1.0, 0.0, 0.0] of norm \
             1.4142135623730951; must have norm 1",
        ),
        (
            part(Form::HalfSpace, [0.0; 3]),
            "half_space",
            ", part number 2: a half-space cannot be a part of a compound",
        ),
        (
            part(second(good.clone()), [0.0; 3]),
            "compound",
            ", part number 2: a compound cannot be a part of a compound",
        ),
    ] {
        let found = problem(second(bad));
        assert_eq!(found, (SceneItem::Part(0, 0, 1), field, expected.into()));
    }
}

#[test]
fn polyhedra_that_contradict_themselves_are_refused() {
    let (solid, convex) = tetrahedron();
    let hull = |change: &dyn Fn(&mut crate::scene::description::Solid)| {
        let mut solid = solid;
        change(&mut solid);
        let part = convex.clone();
        problem(Form::Hull { solid, part }).2
    };
    assert_eq!(
        hull(&|s| s.volume = -0.01),
        "volume of the hull is -0.01 m3; must be > 0: a closed surface whose triangles face outwards"
    );
    assert_eq!(
        hull(&|s| s.centroid[1] = 5.0),
        "centroid of the hull is at y = 5 m; must lie inside its bounding box, 2 m to 2.4 m"
    );
    let inertia = hull(&|s| s.inertia = [1.0, 1.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        inertia,
        "hull at density 1 kg/m3: principal moments of inertia are [1.0, 1.0, 3.0] kg.m2; none may \
         exceed the sum of the other two"
    );
    assert!(hull(&|s| s.upper[2] = f64::NAN).ends_with("every number must be finite"));
    assert!(hull(&|s| s.volume = f64::NAN).ends_with("every number must be finite"));
    assert!(hull(&|s| s.volume = f64::INFINITY).ends_with("every number must be finite"));
    // The inside of a rounded polyhedron keeps its outer size.
    let grown = |radius| {
        let mut part = convex.clone();
        part.radius = radius;
        part
    };
    let rounded = |radius| {
        let part = grown(radius);
        problem(Form::Hull { solid, part }).2
    };
    assert_eq!(
        rounded(0.01),
        "convex part 1 with its smoothing radius of 0.01 m reaches 0.010000000000000009 m out of the \
         bounding box of the hull; must stay inside"
    );
    let expected = "smoothing radius of convex part 1 is -0.01 m; must be >= 0";
    assert_eq!(rounded(-0.01), expected);
    let mut parts = vec![convex.clone(), grown(0.01)];
    let mesh = Form::Mesh {
        solid,
        parts: parts.clone(),
    };
    assert_eq!(problems(Motion::Free, mesh), []);
    parts[1].vertices[3][0] = -1.0;
    let found = problem(Form::Mesh { solid, parts });
    let start = "convex part 2 with its smoothing radius of 0.01 m reaches 2.01";
    assert!(found.2.starts_with(start));
    assert_eq!(found.1, "mesh");
    let empty = Form::Mesh {
        solid,
        parts: vec![],
    };
    assert_eq!(problem(empty).2, "mesh has no convex part");
    let mut part = convex.clone();
    part.triangles.pop();
    let surface = SharpPart {
        vertices: part.vertices.clone(),
        triangles: part.triangles.clone(),
    };
    for (form, key) in [
        (Form::Hull { solid, part }, "hull"),
        (Form::Surface { solid, surface }, "mesh"),
    ] {
        let (_, field, message) = problem(form);
        assert_eq!(field, key);
        assert_eq!(message, "has a surface that is not closed");
    }
    // Both sides of a square; a line.
    let square = [[0, 1, 2], [0, 2, 3], [3, 2, 1], [3, 1, 0]];
    for (corners, triangles) in [
        (
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            &square[..],
        ),
        (
            [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
            &convex.triangles,
        ),
    ] {
        let part = ConvexPart {
            vertices: corners
                .map(|[x, y]| [1.0 + 0.1 * x, 2.0 + 0.1 * y, 3.0])
                .into(),
            triangles: triangles.to_vec(),
            radius: 0.0,
            sharp: None,
        };
        let expected = "bounds nothing: its vertices lie in a plane or a line";
        assert_eq!(problem(Form::Hull { solid, part }).2, expected);
    }
}

#[test]
fn bodies_beyond_all_numbers_are_refused() {
    let found = problems(Motion::Free, sphere(1e120));
    let exact = "body \"thing\": mass is inf kg and inertia not a finite number";
    assert_eq!(found[0].to_string(), exact);
    // Where mass and inertia are given, the centre still is that of the shapes.
    let sphere = sphere(1e120);
    let mut thing = body("thing", Motion::Free, sphere, [0.0; 3]);
    thing.mass.mass = Some(1.0);
    thing.mass.inertia = Some([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let found = Scene::new(steel_scene(vec![thing.clone()])).unwrap_err();
    assert_eq!((found.len(), found[0].field), (1, "center_of_mass"));
    let expected = "body \"thing\": centre of mass is [NaN, NaN, NaN] m, not finite numbers";
    assert_eq!(found[0].to_string(), expected);
    thing.mass.center_of_mass = Some([0.0; 3]);
    assert!(Scene::new(steel_scene(vec![thing])).is_ok());
}

#[test]
fn a_distance_is_one_output() {
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]);
    let pair = |[a, b]: [&str; 2]| PairDescription {
        distance: true,
        ..pair_of(a, b)
    };
    let ground = plate().name;
    description.pairs = vec![pair(["ball", &ground]), pair([&ground, "ball"])];
    let found = Scene::new(description.clone()).unwrap_err();
    let [one] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((one.item, one.field), (SceneItem::Pair(1), "distance"));
    let end = "distance is an output of pair number 1 already";
    assert!(one.to_string().ends_with(end));
    description.pairs[0].distance = false;
    description.pairs[0].warn_below = Some(0.1);
    assert!(Scene::new(description).is_ok());
}
