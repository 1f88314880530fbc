//! Points and bodies that are apart from a mesh.

use crate::cells::meshes::{Mesh, bumpy, ell, grid_box, holed, notched};
use crate::mesh::brute::{between, corners, shape, signed, terrain, torus};
use crate::random::{Random, at, lifted, moved, soak};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, find_feature, gap, proximity, query};
use contact_geometry::shapes::{Core, RoundedShape};

fn meshes(random: &mut Random) -> Vec<Mesh> {
    vec![
        ell(),
        notched(),
        holed(),
        bumpy(),
        terrain(random),
        torus(9, 7),
    ]
}

const POINT: RoundedShape = RoundedShape {
    core: Core::Point,
    radius: 0.0,
};

#[test]
fn a_point_has_the_distance_of_all_triangles_and_the_sign_of_the_winding_number() {
    let mut random = Random::new(1);
    for (number, mesh) in meshes(&mut random).iter().enumerate() {
        let body = shape(mesh);
        let own = corners(mesh, &Pose::identity());
        let mut hint = Feature::None;
        for round in 0..soak(20_000) {
            let pose = random.pose(1.0);
            let mut point = random.vector() * 0.25;
            if round % 3 > 0 {
                // Close to a vertex, an edge or a face.
                let triangle = own[random.index(own.len())];
                let weights = [(); 3].map(|()| random.unit());
                let weights = match random.index(3) {
                    0 => [1.0, 0.0, 0.0],
                    1 => [weights[0], 1.0 - weights[0], 0.0],
                    _ => weights.map(|w| w / weights.iter().sum::<f64>()),
                };
                let on: Vec3 = triangle.iter().zip(weights).map(|(v, w)| v * w).sum();
                let far = 10_f64.powf(random.between(-9.0, -2.0));
                point = on + random.direction() * far;
            }
            let expected = signed(&own, &point);
            let place = pose.then(&at(point.x, point.y, point.z));
            let cold = gap(&body, &pose, &POINT, &place, &Feature::None);
            assert!(
                (cold - expected).abs() < 4e-15,
                "mesh {number}, {point:?}: {cold:e} is not {expected:e}"
            );
            hint = find_feature(&POINT, &place, &body, &pose, &hint);
            let warm = proximity(&POINT, &place, &body, &pose, &hint);
            assert!((warm.gap - expected).abs() < 4e-15);
            assert!((warm.normal_w.norm() - 1.0).abs() < 1e-12);
            let [p, q] = warm.points_w;
            let off = q - p - warm.normal_w * warm.gap;
            assert!(off.norm() < 4e-15, "{off:?}");
        }
    }
}

#[test]
fn a_ball_has_its_radius_less() {
    let body = shape(&ell());
    let ball = RoundedShape::sphere(0.02);
    // Over the inner corner, at equal distance from both faces.
    let found = query(
        &body,
        &Pose::identity(),
        &ball,
        &at(0.13, 0.13, 0.0),
        &Feature::None,
    );
    assert!((found.gap - 0.02).abs() < 1e-15);
    // Beside the outer edge at (0.2, 0.1).
    let found = query(
        &body,
        &Pose::identity(),
        &ball,
        &at(0.23, 0.14, 0.0),
        &Feature::None,
    );
    assert!((found.gap - 0.04).abs() < 1e-15);
    assert!((found.normal_w - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-12);
}

#[test]
fn a_mesh_of_a_box_has_the_distance_of_the_box() {
    let mut random = Random::new(2);
    let sizes = [[0.1, 0.08, 0.06], [0.5, 0.5, 0.2]];
    let boxes = sizes.map(|lengths| RoundedShape::cuboid(&lengths, 0.0));
    let meshes = sizes.map(|lengths| shape(&grid_box(lengths, 2, &mut random)));
    let mut hints = [Feature::None; 3];
    let mut apart = 0;
    for _ in 0..soak(2000) {
        let [one, other] = [random.pose(0.05), random.pose(0.5)];
        let expected = gap(&boxes[0], &one, &boxes[1], &other, &Feature::None);
        let pairs = [
            [&meshes[0], &boxes[1]],
            [&boxes[0], &meshes[1]],
            [&meshes[0], &meshes[1]],
        ];
        for (pair, hint) in pairs.iter().zip(&mut hints) {
            *hint = find_feature(pair[0], &one, pair[1], &other, hint);
            let found = proximity(pair[0], &one, pair[1], &other, hint);
            let cold = gap(pair[0], &one, pair[1], &other, &Feature::None);
            assert!((found.gap - cold).abs() < 1e-14, "{} {cold}", found.gap);
            if expected > 0.0 {
                apart += 1;
                assert!((cold - expected).abs() < 1e-14, "{cold} {expected}");
            } else {
                assert!(cold < 0.0 && cold > 2.0 * expected, "{cold} {expected}");
            }
        }
    }
    assert!(apart > 100, "{apart}");
}

#[test]
fn meshes_have_the_distance_of_all_pairs_of_triangles() {
    let mut random = Random::new(3);
    let pairs = [
        [ell(), notched()],
        [holed(), ell()],
        [terrain(&mut random), torus(6, 4)],
    ];
    let mut hint = Feature::None;
    let (mut apart, mut meeting) = (0, 0);
    for pair in &pairs {
        let shapes = pair.each_ref().map(shape);
        for _ in 0..soak(200) {
            let poses = [random.pose(0.1), random.pose(0.15)];
            let [one, other] = [0, 1].map(|k| corners(&pair[k], &poses[k]));
            let expected = between(&one, &other);
            hint = find_feature(&shapes[0], &poses[0], &shapes[1], &poses[1], &hint);
            let warm = proximity(&shapes[0], &poses[0], &shapes[1], &poses[1], &hint);
            let cold = gap(&shapes[1], &poses[1], &shapes[0], &poses[0], &Feature::None);
            assert!((warm.gap - cold).abs() < 1e-14, "{} {cold}", warm.gap);
            if expected == 0.0 || signed(&one, &other[0][0]) < 0.0 {
                meeting += 1;
                assert!(cold < 0.0, "{cold}");
            } else {
                apart += 1;
                assert!((cold - expected).abs() < 1e-14, "{cold} {expected}");
            }
        }
    }
    assert!(apart > 20 && meeting > 20, "{apart} {meeting}");
}

#[test]
fn a_body_in_the_material_of_another_is_inside() {
    let mut random = Random::new(4);
    let outer = shape(&grid_box([0.5, 0.5, 0.2], 2, &mut random));
    for inner in [shape(&ell()), RoundedShape::cuboid(&[0.02; 3], 0.0)] {
        let pose = at(-0.05, -0.05, 0.0);
        let found = gap(&outer, &Pose::identity(), &inner, &pose, &Feature::None);
        assert!(found < -0.05, "{found}");
    }
    // In the hole of a plate it is outside.
    let pin = RoundedShape::cuboid(&[0.02, 0.02, 0.5], 0.0);
    let pose = at(0.075, 0.075, 0.0);
    let found = gap(
        &shape(&holed()),
        &Pose::identity(),
        &pin,
        &pose,
        &Feature::None,
    );
    assert!((found - 0.015).abs() < 1e-14, "{found}");
}

#[test]
fn derivatives_of_the_gap_are_differences() {
    let mut random = Random::new(5);
    let bodies = [shape(&ell()), shape(&notched())];
    let others = [
        RoundedShape::cuboid(&[0.06; 3], 0.0),
        shape(&torus(6, 4)),
        RoundedShape::sphere(0.05),
        RoundedShape::half_space(),
    ];
    let mut compared = 0;
    for _ in 0..soak(400) {
        let body = &bodies[random.index(2)];
        let other = &others[random.index(4)];
        let poses = [random.pose(0.05), random.pose(0.15)];
        let motions = [(); 2].map(|()| [random.vector(), random.vector() * 5.0]);
        let [one, two] = [0, 1].map(|k| lifted(&poses[k], &motions[k][0], &motions[k][1]));
        let found = query(body, &one, other, &two, &Feature::None);
        let step = 1e-6;
        let gaps = [-1.0, -0.5, 0.5, 1.0].map(|times| {
            let [one, two] =
                [0, 1].map(|k| moved(&poses[k], &motions[k][0], &motions[k][1], step * times));
            gap(body, &one, other, &two, &Feature::None)
        });
        let rates = [
            (gaps[3] - gaps[0]) / (2.0 * step),
            (gaps[2] - gaps[1]) / step,
        ];
        // Not across a change of the nearest features.
        if (rates[0] - rates[1]).abs() < 1e-6 {
            compared += 1;
            assert!(
                (found.gap.eps[0] - rates[1]).abs() < 1e-6,
                "{:?} {} is not {rates:?}",
                other.kind(),
                found.gap.eps[0]
            );
        }
    }
    assert!(compared > soak(400) * 3 / 4, "{compared}");
}
