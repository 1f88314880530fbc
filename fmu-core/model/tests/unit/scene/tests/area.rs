//! Which pairs touch over an area, and the shapes that they touch with.

use super::tetrahedron;
use crate::dynamics::pressing;
use crate::fixtures::*;
use crate::scene::area::kinds_allow_area;
use crate::scene::touching_shapes;
use contact_geometry::narrow_phase::gap;
use contact_geometry::shapes::{Aabb, Kind};
use contact_laws::response::law::AreaPressure;
use std::f64::consts::FRAC_1_SQRT_2;

/// Edge of the crate [m].
const EDGE: f64 = 0.2;

/// A free cube, turned about x by 45 degrees, its centre at this height [m].
fn tilted(height: f64) -> BodyDescription {
    let mut cube = body("crate", Motion::Free, cuboid([EDGE; 3]), [0.0, 0.0, height]);
    let half = std::f64::consts::PI / 8.0;
    cube.orientation = [half.cos(), half.sin(), 0.0, 0.0];
    cube
}

fn ground() -> BodyDescription {
    body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3])
}

fn on_the_ground(change: impl FnOnce(&mut SceneDescription)) -> Scene {
    let mut description = steel_scene(vec![ground(), tilted(0.5)]);
    change(&mut description);
    Scene::new(description).unwrap()
}

/// Changes the law of the only pair of materials.
fn with_law(description: &mut SceneDescription, change: impl FnOnce(&mut LawChanges)) {
    match &mut description.material_pairs[0].response {
        PairResponse::Law(changes) => change(changes),
        PairResponse::None => unreachable!(),
    }
}

/// A named pair with what it changes.
fn named(a: &str, b: &str, changes: LawChanges) -> PairDescription {
    PairDescription {
        response: Some(PairResponse::Law(changes)),
        ..pair_of(a, b)
    }
}

/// Whether the only pair touches over an area, and its gap at start [m].
fn found(scene: &Scene) -> (bool, f64) {
    let pair = scene.pairs().get(PairId::from(0));
    let forms = scene.forms_of(pair.shapes);
    let poses = pair.shapes.map(|shape| {
        let shape = &scene.shapes()[shape];
        scene.start_pose(shape.body).then(&shape.pose_b)
    });
    let gap = gap(forms[0], &poses[0], forms[1], &poses[1], &Feature::None);
    (scene.is_area(&pair), gap)
}

/// Gap [m] of a cube whose lower edge has this radius [m].
fn gap_of_edge(radius: f64) -> f64 {
    0.5 - (0.5 * EDGE - radius) / FRAC_1_SQRT_2 - radius
}

fn numbers(scene: &Scene) -> Vec<Number> {
    let of_laws = scene.parameters().iter().filter_map(|p| p.law_number());
    of_laws.collect()
}

#[test]
fn an_area_needs_two_polytopes_or_a_polytope_and_a_flat_end() {
    use Kind::*;
    let kinds = [
        HalfSpace, Mesh, Hull, Box, Beam, Cylinder, Cone, RoundCone, Ellipsoid, Segment, Point,
    ];
    assert_eq!(kinds.len(), Kind::COUNT);
    // Rows and columns in this order.
    #[rustfmt::skip]
    let table = [
        "-xxxxxx----", "xxxxxxx----", "xxxxxxx----", "xxxxxxx----", "xxxx-------", "xxxx-------",
        "xxxx-------", "-----------", "-----------", "-----------", "-----------",
    ];
    for (one, row) in kinds.iter().zip(table) {
        for (two, cell) in kinds.iter().zip(row.chars()) {
            assert_eq!(kinds_allow_area(*one, *two), cell == 'x', "{one:?} {two:?}");
        }
    }
}

#[test]
fn a_pair_over_an_area_has_the_gap_of_the_sharp_shapes_and_one_in_a_point_that_of_the_rounded() {
    let (is_area, gap) = found(&on_the_ground(|_| {}));
    assert!(is_area);
    assert!((gap - gap_of_edge(0.0)).abs() < 1e-15);
    let point = |law| {
        let scene = on_the_ground(|description| description.contact.law = law);
        let (is_area, gap) = found(&scene);
        assert!(!is_area);
        let radius = scene.contact().smoothing_radius;
        assert!(radius > 0.0 && (gap - gap_of_edge(radius)).abs() < 1e-15);
        assert!(scene.shapes().iter().all(|shape| shape.sharp.is_none()));
    };
    point(LawOptions {
        contact: ContactKind::Point,
        ..LawOptions::DEFAULT
    });
    point(LawOptions::MODIA3D_DOCUMENT);
    point(LawOptions::MODIA3D_0_12);
}

#[test]
fn a_law_that_acts_in_a_point_takes_a_point_by_itself_and_refuses_an_area() {
    let spring = |contact| {
        let mut description = steel_scene(vec![ground(), tilted(0.5)]);
        description.contact.law.contact = contact;
        with_law(&mut description, |changes| {
            changes.normal = Some(NormalKind::Spring);
            changes.numbers.push((Number::Stiffness, 1e6));
        });
        Scene::new(description)
    };
    assert!(!found(&spring(ContactKind::Auto).unwrap()).0);
    assert!(!found(&spring(ContactKind::Point).unwrap()).0);
    let errors = spring(ContactKind::Area).unwrap_err();
    assert_eq!((errors.len(), errors[0].field), (1, "contact"));
    assert!(
        errors[0]
            .to_string()
            .contains("law = \"spring\" acts in a point between flat faces")
    );
    let volume = |exponent| {
        on_the_ground(|description| {
            with_law(description, |changes| {
                changes.normal = Some(NormalKind::Volume);
                changes.numbers.push((Number::Exponent, exponent));
            });
        })
    };
    assert!(found(&volume(1.0)).0);
    assert!(!found(&volume(2.0)).0);
}

#[test]
fn numbers_of_an_area_are_those_of_laws_whose_pairs_can_touch_so() {
    let own = [
        Number::LayerDepth1,
        Number::LayerDepth2,
        Number::StiffnessPerArea,
    ];
    let has_all = |scene: &Scene| own.map(|number| numbers(scene).contains(&number));
    assert_eq!(has_all(&on_the_ground(|_| {})), [true; 3]);
    let balls = Scene::new(steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])])).unwrap();
    assert_eq!(has_all(&balls), [false; 3]);
    assert!(!found(&balls).0);
    // Both fixed: a plate and a ground never meet.
    let fixed = steel_scene(vec![plate(), ground(), ball("ball", [0.0, 0.0, 1.0])]);
    let fixed = Scene::new(fixed).unwrap();
    assert_eq!(has_all(&fixed), [false; 3]);
    assert!(fixed.shapes().iter().all(|shape| shape.sharp.is_none()));
}

#[test]
fn a_shape_is_sharp_for_one_pair_and_rounded_for_another() {
    let bodies = vec![ground(), tilted(0.5), ball("ball", [0.0, 0.0, 2.0])];
    let scene = Scene::new(steel_scene(bodies)).unwrap();
    let cube = ShapeId::from(1);
    for pair in scene.pairs().iter() {
        let forms = scene.forms_of(pair.shapes);
        for (shape, form) in pair.shapes.into_iter().zip(forms) {
            if shape == cube {
                assert_eq!(form.radius == 0.0, scene.is_area(&pair));
            }
        }
    }
    let areas = scene.pairs().iter().filter(|pair| scene.is_area(pair));
    assert_eq!(areas.count(), 1);
    let shape = &scene.shapes()[cube];
    let bounds = Aabb::of(&shape.bounding_form, &Pose::identity());
    assert_eq!(bounds.upper, Vec3::repeat(0.5 * EDGE));
    assert_eq!(shape.bounding_form.radius, 0.0);
}

#[test]
fn a_threshold_or_a_shell_makes_a_contact_in_a_point() {
    let threshold = 0.01;
    let by_pair = on_the_ground(|description| {
        let mut pair = named("ground", "crate", LawChanges::default());
        (pair.response, pair.threshold) = (None, Some(threshold));
        description.pairs.push(pair);
    });
    let by_shell = on_the_ground(|description| {
        description.bodies[1].shapes[0].shell = threshold;
    });
    for scene in [by_pair, by_shell] {
        let (is_area, gap) = found(&scene);
        assert!(!is_area);
        assert!(gap < gap_of_edge(0.0), "{gap}");
    }
}

#[test]
fn a_named_pair_has_its_own_word_and_shapes_that_cannot_refuse_an_area() {
    let with = |contact| LawChanges {
        contact: Some(contact),
        ..LawChanges::default()
    };
    let scene = on_the_ground(|description| {
        let pair = named("ground", "crate", with(ContactKind::Point));
        description.pairs.push(pair);
    });
    assert!(!found(&scene).0);
    let scene = on_the_ground(|description| {
        description.contact.law.contact = ContactKind::Point;
        let pair = named("crate", "ground", with(ContactKind::Area));
        description.pairs.push(pair);
    });
    assert!(found(&scene).0);
    let mut description = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]);
    description
        .pairs
        .push(named("plate", "ball", with(ContactKind::Area)));
    let errors = Scene::new(description).unwrap_err();
    let text = errors[0].to_string();
    let is_said = text.contains("plate.plate and ball.ball touch in a point");
    assert!(errors.len() == 1 && is_said, "{errors:?}");
}

#[test]
fn thickness_is_the_least_extent_whatever_the_smoothing() {
    let of = |form: Form| {
        let bodies = vec![body("thing", Motion::Fixed, form, [0.0; 3])];
        let scene = Scene::new(steel_scene(bodies)).unwrap();
        let shape = &scene.shapes()[ShapeId::FIRST];
        [shape.thickness, shape.flat_area]
    };
    let close = |found: [f64; 2], expected: [f64; 2]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
        }
    };
    assert_eq!(of(Form::HalfSpace), [f64::INFINITY; 2]);
    close(of(cuboid([0.3, 0.2, 0.5])), [0.2, 0.06]);
    close(of(sphere(0.2)), [0.2, 0.04]);
    let disc = cylinder(0.4, 0.1, Axis::X);
    close(of(disc), [0.1, 0.04]);
    let (solid, part) = tetrahedron();
    close(of(Form::Hull { solid, part }), [0.3, 0.12]);
}

/// Ground and a crate of steel, and one of rubber between them in the list.
fn with_rubber() -> SceneDescription {
    let crate_of = |name: &str| body(name, Motion::Free, cuboid([EDGE; 3]), [0.0, 0.0, 9.0]);
    let mut description = steel_scene(vec![ground(), crate_of("soft"), crate_of("hard")]);
    description
        .materials
        .push(material("Rubber", 1000.0, 1e7, 0.25));
    description.bodies[1].shapes[0].material = "Rubber".into();
    let mut mixed = description.material_pairs[0].clone();
    mixed.materials[1] = "Rubber".into();
    description.material_pairs.push(mixed);
    description
}

/// Stiffness per area of the layers on both shapes of a pair [N/m3].
fn layers(description: SceneDescription, pair: usize) -> [f64; 2] {
    let scene = valid(description);
    let functions = UserFunctions::not_loaded(&scene);
    let model = pressing::bind(&scene, &Parameters::start(&scene), &functions).unwrap();
    match model.law(PairId::from(pair)).area {
        Some(AreaPressure::Layers(layers)) => layers,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_layer_is_that_of_its_shape_whatever_the_order_of_the_materials() {
    // ground:soft, ground:hard, soft:hard; the ground is of the first material.
    let (steel, rubber) = (2e11 / 0.1, 1e7 / 0.1);
    assert_eq!(layers(with_rubber(), 0), [steel, rubber]);
    assert_eq!(layers(with_rubber(), 1), [steel, steel]);
    assert_eq!(layers(with_rubber(), 2), [rubber, steel]);
}

#[test]
fn layers_of_a_named_pair_are_in_its_order_where_both_are_of_one_material() {
    let [thin, thick] = [0.01, 0.02];
    let of = |a: &str, b: &str| {
        let mut description = with_rubber();
        description.pairs.push(named(
            a,
            b,
            LawChanges {
                numbers: vec![(Number::LayerDepth1, thin), (Number::LayerDepth2, thick)],
                ..LawChanges::default()
            },
        ));
        layers(description, 1)
    };
    // E (1 - nu)/((1 + nu)(1 - 2 nu))/h.
    let stiff = |depth: f64| 2e11 * (1.0 - 0.3) / ((1.0 + 0.3) * (1.0 - 2.0 * 0.3)) / depth;
    assert_eq!(of("ground", "hard"), [stiff(thin), stiff(thick)]);
    assert_eq!(of("hard", "ground"), [stiff(thick), stiff(thin)]);
}

#[test]
fn a_rounded_hull_keeps_its_sharp_form() {
    let (solid, mut part) = tetrahedron();
    part.sharp = Some(SharpPart {
        vertices: part.vertices.clone(),
        triangles: part.triangles.clone(),
    });
    // The core shrunk about a point inside, so that a ball of 1 mm stays in the box of the solid.
    let center = [1.06, 2.08, 3.1];
    for vertex in &mut part.vertices {
        for (at, center) in vertex.iter_mut().zip(center) {
            *at = center + 0.9 * (*at - center);
        }
    }
    part.radius = 1e-3;
    let form = Form::Hull { solid, part };
    let sharp = touching_shapes(&form, 0.0).unwrap();
    assert_eq!(sharp[0].0.radius, 0.0);
    let bounds = Aabb::of(&sharp[0].0, &Pose::identity());
    assert_eq!(bounds.lower, Vec3::new(1.0, 2.0, 3.0));
    let bodies = vec![ground(), body("thing", Motion::Free, form, [0.0; 3])];
    let scene = Scene::new(steel_scene(bodies)).unwrap();
    let (is_area, gap) = found(&scene);
    assert!(is_area);
    // Its lowest vertices have z = 3 m.
    assert_eq!(gap, 3.0);
}
