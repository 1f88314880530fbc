//! Derivatives by dual numbers.

use super::{cuboid, polyhedron};
use crate::random::{Random, lifted, moved};
use crate::solid::Solid;
use contact_geometry::math::{Dual, Pose, Real, Vec3};
use contact_geometry::narrow_phase::overlap::{GEOMETRIC_EPSILON, Overlap, Polyhedron, Workspace};

/// Step of position [m] and angle [rad].
const STEP: f64 = 1e-5;

fn numbers<T: Real>(o: &Overlap<T>) -> [T; 15] {
    let (s, v, n, d) = (
        o.surface_centroid_w,
        o.volume_centroid_w,
        o.normal_w,
        o.direction_w,
    );
    [
        o.volume, o.area, o.gap, s.x, s.y, s.z, v.x, v.y, v.z, n.x, n.y, n.z, d.x, d.y, d.z,
    ]
}

/// Pairs that overlap, well away from a change of the smallest translation.
fn for_each_pair(seed: u64, mut look: impl FnMut(&mut Random, [&Polyhedron; 2], [&Pose; 2])) {
    let mut random = Random::new(seed);
    let mut work = Workspace::default();
    let mut count = 0;
    while count < 100 {
        let points: Vec<Vec3> = (0..10).map(|_| random.direction() * 0.5).collect();
        let hull = polyhedron(&Solid::hull_of(&points, 0.0).shape);
        let shape = cuboid([(); 3].map(|()| random.between(0.2, 1.0)));
        let [p1, p2] = [(); 2].map(|()| random.pose(0.4));
        let found = work.overlap([&hull, &shape], [&p1, &p2], GEOMETRIC_EPSILON);
        if found.volume > 1e-4 {
            look(&mut random, [&hull, &shape], [&p1, &p2]);
            count += 1;
        }
    }
}

/// dV = integral of n.v over the part of the surface that moves with v: for a translation of 2 the
/// vector area of 2.
#[test]
fn the_volume_grows_by_the_vector_area_along_a_translation() {
    let mut work = Workspace::<Dual>::default();
    for_each_pair(201, |random, shapes, [p1, p2]| {
        let along = random.direction();
        let moving = lifted(p2, &along, &Vec3::zeros());
        let found = work.overlap(shapes, [&p1.lift(), &moving], GEOMETRIC_EPSILON);
        let area = found.vector_areas_w[1].map(Real::value).dot(&along);
        let off = (found.volume.eps[0] - area).abs();
        assert!(off < 1e-13, "{off:e}");
    });
}

#[test]
fn dual_numbers_give_the_derivatives_of_all_results() {
    let mut work = Workspace::<Dual>::default();
    let mut plain = Workspace::<f64>::default();
    let (mut compared, mut left_out) = (0, 0);
    for_each_pair(202, |random, shapes, [p1, p2]| {
        let (linear, angular) = (random.direction(), random.direction());
        let moving = lifted(p2, &linear, &angular);
        let dual = numbers(&work.overlap(shapes, [&p1.lift(), &moving], GEOMETRIC_EPSILON));
        let mut at = |time: f64| {
            let pose = moved(p2, &linear, &angular, time);
            numbers(&plain.overlap(shapes, [p1, &pose], GEOMETRIC_EPSILON))
        };
        let [h, l, hh, ll] = [STEP, -STEP, 0.5 * STEP, -0.5 * STEP].map(&mut at);
        let here = at(0.0);
        for i in 0..dual.len() {
            assert_eq!(dual[i].value().to_bits(), here[i].to_bits());
            let [coarse, fine] = [(h[i] - l[i]) / (2.0 * STEP), (hh[i] - ll[i]) / STEP];
            // Not smooth within the step: a corner of one passes a face of the other.
            if (coarse - fine).abs() > 1e-5 * (1.0 + fine.abs()) {
                left_out += 1;
                continue;
            }
            let exact = (4.0 * fine - coarse) / 3.0;
            let off = (dual[i].eps[0] - exact).abs() / (1.0 + exact.abs());
            assert!(off < 1e-6, "number {i}: {off:e}");
            compared += 1;
        }
    });
    assert!(left_out * 20 < compared, "{left_out} of {compared}");
}
