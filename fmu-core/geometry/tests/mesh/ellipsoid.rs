//! An ellipsoid that meets a mesh, in the space where it is a ball.

use crate::cells::meshes::{bumpy, ell, holed, notched};
use crate::mesh::brute::{corners, shape, signed};
use crate::random::{Random, lifted, moved, soak};
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::{Feature, find_feature, proximity, query};
use contact_geometry::shapes::RoundedShape;

#[test]
fn the_gap_is_that_of_a_ball_in_scaled_space() {
    let mut random = Random::new(51);
    let meshes = [ell(), notched(), holed(), bumpy()];
    let bodies = meshes.each_ref().map(shape);
    let axes = Vec3::new(0.02, 0.03, 0.05);
    let round = RoundedShape::ellipsoid(&(axes * 2.0).into());
    let length = (0.02_f64 * 0.05).powf(0.3) * (0.03_f64 * 0.05).powf(0.2);
    let (mut meeting, mut inside) = (0, 0);
    let mut hint = Feature::None;
    for _ in 0..soak(2000) {
        let number = random.index(4);
        let (mesh, body) = (&meshes[number], &bodies[number]);
        let poses = [random.pose(0.05), random.pose(0.12)];
        let triangles = corners(mesh, &poses[0]);
        let scaled = |v: Vec3| {
            let own = poses[1].rotation.tr_mul(&(v - poses[1].position));
            own.component_div(&axes)
        };
        let scaled: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(scaled)).collect();
        let wanted = signed(&scaled, &Vec3::zeros());
        let near = query(body, &poses[0], &round, &poses[1], &Feature::None);
        if wanted >= 1.0 {
            assert!(near.gap >= 0.0);
            continue;
        }
        if wanted <= -1.0 {
            assert!(near.gap <= -2.0 * length);
            continue;
        }
        meeting += 1;
        inside += u32::from(wanted < 0.0);
        let off = near.gap - length * (wanted - 1.0);
        assert!(off.abs() < 1e-12, "{number}: {} off by {off:e}", near.gap);
        assert!((near.normal_w.norm() - 1.0).abs() < 1e-12);
        hint = find_feature(&round, &poses[1], body, &poses[0], &hint);
        let warm = proximity(&round, &poses[1], body, &poses[0], &hint);
        assert!((warm.gap - near.gap).abs() < 1e-14);
        // The gap grows along the normal, and its rate is that of dual numbers.
        let feature = find_feature(body, &poses[0], &round, &poses[1], &Feature::None);
        let (linear, angular) = (random.vector(), random.vector());
        let gap = |time: f64| {
            let pose = moved(&poses[1], &linear, &angular, time);
            proximity(body, &poses[0], &round, &pose, &feature).gap
        };
        let slope = (gap(1e-6) - gap(-1e-6)) / 2e-6;
        let pair: [Pose<_>; 2] = [
            lifted(&poses[0], &Vec3::zeros(), &Vec3::zeros()),
            lifted(&poses[1], &linear, &angular),
        ];
        let rate = proximity(body, &pair[0], &round, &pair[1], &feature)
            .gap
            .eps[0];
        assert!((rate - slope).abs() < 1e-6, "{rate} {slope}");
    }
    assert!(meeting > soak(400) && inside > 5, "{meeting} {inside}");
}
