//! A query allocates nothing, apart or overlapping, with or without a hint; nor does an intersection
//! whose work arrays have grown.

use crate::counting::count;
use crate::kind::Kind;
use crate::placing::Placing;
use crate::random::Random;
use crate::solid::Solid;
use contact_geometry::narrow_phase::overlap::{GEOMETRIC_EPSILON, Polyhedron, Workspace};
use contact_geometry::narrow_phase::{Feature, find_feature, gap, proximity};

#[test]
fn no_query_of_any_pair_allocates() {
    for kinds in Kind::pairs() {
        let mut random = Random::new(41);
        for _ in 0..10 {
            let placing = Placing::next(kinds, &mut random);
            let [s1, s2] = &placing.solids;
            for exact in [1.0, 1e-3, -1e-5, -1e-2, -1e-1] {
                let (p1, p2) = (placing.pose_1, placing.pose_2(exact));
                let before = count();
                let cold = find_feature(&s1.shape, &p1, &s2.shape, &p2, &Feature::None);
                let warm = find_feature(&s1.shape, &p1, &s2.shape, &p2, &cold);
                let found = proximity(&s1.shape, &p1, &s2.shape, &p2, &warm);
                let alone = gap(&s1.shape, &p1, &s2.shape, &p2, &warm);
                let allocations = count() - before;
                assert_eq!(allocations, 0, "{kinds:?} at gap {exact}");
                assert!(found.gap.is_finite() && alone.is_finite(), "{kinds:?}");
            }
        }
    }
}

#[test]
fn no_intersection_allocates_once_its_arrays_have_grown() {
    let mut random = Random::new(43);
    let shape = |random: &mut Random| {
        let points: Vec<_> = (0..20).map(|_| random.direction()).collect();
        Polyhedron::of(&Solid::hull_of(&points, 0.0).shape.core).unwrap()
    };
    let [one, two] = [(); 2].map(|()| shape(&mut random));
    let poses: Vec<_> = (0..50).map(|_| random.pose(0.8)).collect();
    let mut work = Workspace::<f64>::default();
    let mut all = || {
        let mut volume = 0.0;
        for pair in poses.windows(2) {
            let found = work.overlap([&one, &two], [&pair[0], &pair[1]], GEOMETRIC_EPSILON);
            volume += found.volume;
        }
        volume
    };
    let first = all();
    let before = count();
    let again = all();
    assert_eq!(count() - before, 0);
    assert!(first > 0.0 && first == again);
}
