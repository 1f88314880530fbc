//! Intersections of reported pairs as an importer reads them, and which of them are kept.

use crate::fixtures::*;
use crate::fmi3::importer::*;
use contact_geometry::narrow_phase::overlap::Sparsification;

/// A box of 0.2 x 0.3 x 0.4 m turned by 45 degrees about y, its edge 0.01 m deep in the ground: a
/// prism of V = d^2 l with half a surface of (d^2 + l d (1 + sqrt 2)), centroid of the volume d/3
/// below the ground.
#[test]
fn polyhedra_are_reported_with_their_intersection_where_asked_for() {
    let root = 0.5f64.sqrt();
    let half_angle = std::f64::consts::PI / 8.0;
    let (depth, length) = (0.01, 0.3);
    let mut ground = plate();
    let height = root * (0.1 + 0.2) - depth;
    let at = [0.1, 0.2, height];
    let mut crate_ = body("crate", Motion::Free, cuboid([0.2, length, 0.4]), at);
    crate_.orientation = [half_angle.cos(), 0.0, half_angle.sin(), 0.0];
    for body in [&mut ground, &mut crate_] {
        body.shapes[0].smoothing_radius = Some(0.0);
    }
    let mut description = steel_scene(vec![ground, crate_]);
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.overlap = Report::All;
    let name = description.bodies[0].name.clone();
    let fmu = Fmu::new(description);
    for importer in [fmu.model_exchange(), fmu.co_simulation()] {
        importer.initialize();
        let of = |item: &str| {
            let name = format!("contact.{name}.crate.overlap_{item}");
            importer.value(reference(&fmu, &name))
        };
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-13, "{found} for {expected}");
        };
        near(of("volume"), depth * depth * length);
        let expected = depth * depth + length * depth * (1.0 + 2f64.sqrt());
        near(of("area"), expected);
        near(of("gap"), -depth);
        near(of("volume_centroid[3]"), -depth / 3.0);
        near(of("volume_centroid[2]"), 0.2);
        for normal in ["normal", "squared_normal"] {
            near(of(&format!("{normal}[1]")), 0.0);
            near(of(&format!("{normal}[3]")), 1.0);
        }
        near(of("published_gap"), -depth);
        assert_eq!(of("surface_1"), 6.0);
    }
}

const DEPTH: f64 = 0.01;

/// Rules by which everything is kept.
const NO_RULES: Sparsification = Sparsification {
    threshold: 0.0,
    smallest_area: 0.0,
    smallest_distance: 0.0,
};

/// Half the surface of a prism of `DEPTH` over a face with an area and a perimeter.
fn half_surface(area: f64, perimeter: f64) -> f64 {
    area + 0.5 * perimeter * DEPTH
}

/// Area of the overlap of a foot of a x b with a plane.
fn foot_area(a: f64, b: f64) -> f64 {
    half_surface(a * b, 2.0 * (a + b))
}

/// Feet of the rack: name, sizes across and position along x. The last one is above the plate.
const FEET: [(&str, [f64; 2], f64); 4] = [
    ("large", [0.4, 0.3], 0.0),
    ("middle", [0.1, 0.1], 0.5),
    ("small", [0.02, 0.01], -0.5),
    ("raised", [0.2, 0.2], -0.7),
];

fn sharp(mut body: BodyDescription) -> BodyDescription {
    for shape in &mut body.shapes {
        shape.smoothing_radius = Some(0.0);
    }
    body
}

fn overlapping(bodies: Vec<BodyDescription>, rules: Sparsification) -> SceneDescription {
    let mut description = steel_scene(bodies.into_iter().map(sharp).collect());
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.contact.sparsification = Some(rules);
    description.overlap = Report::All;
    description
}

/// A rack whose feet are 0.01 m deep in a plate, in this order; a brick of 0.02 x 0.02 m beside it
/// as deep.
fn rack_on_plate(order: [usize; 4], rules: Sparsification) -> Fmu {
    let form = |[a, b]: [f64; 2]| cuboid([a, b, 0.1]);
    let place = [0.0, 0.1, 0.05 - DEPTH];
    let mut rack = body("rack", Motion::Free, form(FEET[0].1), place);
    let shape = rack.shapes[0].clone();
    rack.shapes = order
        .map(|foot| {
            let (name, across, x) = FEET[foot];
            ShapeDescription {
                name: name.into(),
                form: form(across),
                position: [x, 0.0, if name == "raised" { 0.3 } else { 0.0 }],
                ..shape.clone()
            }
        })
        .into();
    let at = [0.0, -0.8, 0.05 - DEPTH];
    let brick = body("brick", Motion::Free, form([0.02; 2]), at);
    Fmu::new(overlapping(vec![plate(), rack, brick], rules))
}

/// Whether the overlaps of the feet, in the order of [`FEET`], and of the brick are kept.
fn kept(fmu: &Fmu, importer: &Importer) -> [bool; 5] {
    let [large, middle, small, raised] = FEET.map(|(name, ..)| format!("rack_{name}"));
    [large, middle, small, raised, "brick".into()].map(|name| {
        let name = format!("contact.plate.{name}.overlap_kept");
        match importer.value(reference(fmu, &name)) {
            1.0 => true,
            0.0 => false,
            other => panic!("{name} is {other}"),
        }
    })
}

/// Rules, which of the feet and the brick are kept by them, and the end of the line in the log.
/// The areas are 0.127, 0.012, 0.0005 and 0.0008 m^2, the points at x = 0, 0.5 and -0.5 m.
#[rustfmt::skip]
fn cases() -> Vec<(Sparsification, [bool; 5], &'static str)> {
    let rules = |threshold, smallest_area, smallest_distance| Sparsification {
        threshold, smallest_area, smallest_distance,
    };
    vec![
        (NO_RULES, [true, true, true, false, true],
            "found=4 kept=4 smallest_area=0 threshold=0 smallest_distance=0"),
        // 0.012 of 0.127 are 0.0945. The brick is alone with the plate.
        (rules(0.095, 0.0, 0.0), [true, false, false, false, true],
            "found=4 kept=2 smallest_area=0 threshold=2 smallest_distance=0"),
        (rules(0.094, 0.0, 0.0), [true, true, false, false, true],
            "found=4 kept=3 smallest_area=0 threshold=1 smallest_distance=0"),
        (rules(0.0, 0.000_51, 0.0), [true, true, false, false, true],
            "found=4 kept=3 smallest_area=1 threshold=0 smallest_distance=0"),
        (rules(0.095, 0.000_81, 0.0), [true, false, false, false, false],
            "found=4 kept=1 smallest_area=2 threshold=1 smallest_distance=0"),
        (rules(0.0, 0.0, 0.51), [true, false, false, false, true],
            "found=4 kept=2 smallest_area=0 threshold=0 smallest_distance=2"),
        (rules(0.0, 0.0, 0.49), [true, true, true, false, true],
            "found=4 kept=4 smallest_area=0 threshold=0 smallest_distance=0"),
    ]
}

#[test]
fn overlaps_of_two_bodies_are_kept_by_the_rules_of_the_scene_and_counted_in_the_log() {
    for (rules, expected, counts) in cases() {
        let fmu = rack_on_plate([0, 1, 2, 3], rules);
        for importer in [fmu.model_exchange(), fmu.co_simulation()] {
            importer.initialize();
            let lines = importer.logged("contacts");
            let about = |line: &&String| line.starts_with("overlaps: ");
            let lines: Vec<&String> = lines.iter().filter(about).collect();
            assert_eq!(lines, [&format!("overlaps: t=0.0 {counts}")]);
            assert_eq!(kept(&fmu, &importer), expected, "{rules:?}");
            for (name, [a, b], _) in &FEET[..3] {
                let name = format!("contact.plate.rack_{name}.overlap_area");
                let found = importer.value(reference(&fmu, &name));
                assert!((found - foot_area(*a, *b)).abs() < 1e-13, "{name}: {found}");
            }
        }
    }
}

/// The first Event Mode of an importer is an event, too, at which nothing changes.
#[test]
fn each_event_logs_the_overlaps_and_a_scene_without_rules_none() {
    let (rules, _, counts) = cases().remove(1);
    let fmu = rack_on_plate([0, 1, 2, 3], rules);
    let importer = fmu.model_exchange();
    importer.initialize();
    importer.logged("contacts");
    assert_eq!(importer.update().0, fmi3OK);
    let expected = [format!("overlaps: t=0.0 {counts}")];
    assert_eq!(importer.logged("contacts"), expected);
    let cube = body(
        "cube",
        Motion::Free,
        cuboid([0.2; 3]),
        [0.0, 0.0, 0.1 - DEPTH],
    );
    let mut description = overlapping(vec![plate(), cube], NO_RULES);
    description.contact.sparsification = None;
    let importer = Fmu::new(description).model_exchange();
    importer.initialize();
    let lines = importer.logged("contacts");
    assert!(
        lines.iter().all(|line| !line.starts_with("overlaps")),
        "{lines:?}"
    );
}

#[test]
#[ignore = "long: each order"]
fn what_is_kept_does_not_depend_on_the_order_of_the_shapes() {
    let each = || 0..4usize;
    for (rules, expected, _) in cases() {
        for (a, b, c) in
            each().flat_map(|a| each().flat_map(move |b| each().map(move |c| (a, b, c))))
        {
            let Some(d) = each().find(|d| ![a, b, c].contains(d)) else {
                continue;
            };
            if a == b || b == c || a == c {
                continue;
            }
            let fmu = rack_on_plate([a, b, c, d], rules);
            let importer = fmu.model_exchange();
            importer.initialize();
            assert_eq!(
                kept(&fmu, &importer),
                expected,
                "{rules:?}, {:?}",
                [a, b, c, d]
            );
        }
    }
}

/// A slab of two prisms that meet in the plane x = y, and a crate over 0.5..0.9 x 0.2..0.52 m: a
/// triangle with legs of 0.02 m is over the second one.
#[test]
fn parts_of_a_mesh_are_compared_as_those_of_one_body() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    let [a, b, c, d] = corners;
    let form = Form::Mesh {
        solid: Solid {
            volume: 0.1,
            centroid: [0.5, 0.5, -0.05],
            inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            lower: [0.0, 0.0, -0.1],
            upper: [1.0, 1.0, 0.0],
        },
        parts: vec![prism([a, b, c], 0.1), prism([a, c, d], 0.1)],
    };
    let leg = 0.02;
    let small = half_surface(0.5 * leg * leg, leg * (2.0 + 2f64.sqrt()));
    let large = half_surface(
        0.4 * 0.32 - 0.5 * leg * leg,
        2.0 * (0.4 + 0.32) + leg * (2f64.sqrt() - 2.0),
    );
    for (threshold, is_kept) in [(0.999 * small / large, 1.0), (1.001 * small / large, 0.0)] {
        let slab = body("slab", Motion::Fixed, form.clone(), [0.0; 3]);
        let at = [0.7, 0.36, 0.05 - DEPTH];
        let crate_ = body("crate", Motion::Free, cuboid([0.4, 0.32, 0.1]), at);
        let rules = Sparsification {
            threshold,
            ..NO_RULES
        };
        let fmu = Fmu::new(overlapping(vec![slab, crate_], rules));
        let importer = fmu.model_exchange();
        importer.initialize();
        let of = |part: usize, item: &str| {
            let name = format!("contact.slab_{part}.crate.overlap_{item}");
            importer.value(reference(&fmu, &name))
        };
        assert!((of(1, "area") - large).abs() < 1e-13);
        assert!((of(2, "area") - small).abs() < 1e-13);
        assert_eq!([of(1, "kept"), of(2, "kept")], [1.0, is_kept]);
    }
}

/// A cube of 1 m and a crate 0.1 m deep on it, faces flush but for one 0.5 um beyond that of the
/// cube. The normal is the sum of area times normal, (0, 0, 2) m^2 if that face counts as flush,
/// else (0.1, 0, 2) m^2.
#[test]
fn faces_within_the_epsilon_of_the_scene_count_as_one() {
    let beyond = 5e-7;
    for (epsilon, x) in [(None, 0.0), (Some(1e-6), 0.0), (Some(1e-7), 0.1)] {
        let cube = body("cube", Motion::Fixed, cuboid([1.0; 3]), [0.5; 3]);
        let at = [0.5 + 0.5 * beyond, 0.5, 1.4];
        let lid = body("lid", Motion::Free, cuboid([1.0 + beyond, 1.0, 1.0]), at);
        let mut description = overlapping(vec![cube, lid], NO_RULES);
        description.contact.overlap_epsilon = epsilon;
        let fmu = Fmu::new(description);
        let importer = fmu.model_exchange();
        importer.initialize();
        let normal = [1, 2, 3].map(|i| {
            let name = format!("contact.cube.lid.overlap_normal[{i}]");
            importer.value(reference(&fmu, &name))
        });
        let length = 2f64.hypot(x);
        for (found, expected) in normal.into_iter().zip([x / length, 0.0, 2.0 / length]) {
            assert!((found - expected).abs() < 1e-12, "{epsilon:?}: {normal:?}");
        }
    }
}
