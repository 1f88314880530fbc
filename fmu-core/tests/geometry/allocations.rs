//! A query allocates nothing, apart or overlapping, with or without a hint.

use crate::counting::count;
use crate::geometry::kind::Kind;
use crate::geometry::placing::Placing;
use crate::geometry::random::Random;
use fmu_core::narrow_phase::{Feature, find_feature, gap, proximity};

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
