//! A query allocates nothing, apart or overlapping, with or without a hint.
#![allow(unsafe_code)]

use crate::kind::Kind;
use crate::placing::Placing;
use crate::random::Random;
use fmu_core::narrow_phase::{Feature, find_feature, gap, proximity};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Other tests run in other threads.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with the calls of each thread counted.
struct Counting;

// SAFETY: all calls go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the contract of this function.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the contract of this function.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_query_of_any_pair_allocates() {
    for kinds in Kind::pairs() {
        let mut random = Random::new(41);
        for _ in 0..10 {
            let placing = Placing::next(kinds, &mut random);
            let [s1, s2] = &placing.solids;
            for exact in [1.0, 1e-3, -1e-5, -1e-2, -1e-1] {
                let (p1, p2) = (placing.pose_1, placing.pose_2(exact));
                let before = COUNT.with(Cell::get);
                let cold = find_feature(&s1.shape, &p1, &s2.shape, &p2, &Feature::None);
                let warm = find_feature(&s1.shape, &p1, &s2.shape, &p2, &cold);
                let found = proximity(&s1.shape, &p1, &s2.shape, &p2, &warm);
                let alone = gap(&s1.shape, &p1, &s2.shape, &p2, &warm);
                let count = COUNT.with(Cell::get) - before;
                assert_eq!(count, 0, "{kinds:?} at gap {exact}");
                assert!(found.gap.is_finite() && alone.is_finite(), "{kinds:?}");
            }
        }
    }
}
