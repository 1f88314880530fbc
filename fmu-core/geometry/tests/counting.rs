//! The allocator of all integration tests: the system's, with the calls of each thread counted,
//! since tests run beside each other.
#![allow(unsafe_code)]
#![allow(dead_code, reason = "each of them uses its part")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub fn count() -> u64 {
    COUNT.with(Cell::get)
}

/// Bytes that this thread has allocated and not freed; what other threads freed of them counts.
pub fn held() -> i64 {
    HELD.with(Cell::get)
}

fn add_one() {
    COUNT.with(|count| count.set(count.get() + 1));
}

/// No object has more bytes than `isize` holds.
fn hold(bytes: usize, sign: i64) {
    HELD.with(|held| held.set(held.get() + sign * bytes as i64));
}

struct Counting;

// SAFETY: all calls go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add_one();
        hold(layout.size(), 1);
        // SAFETY: the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(layout.size(), -1);
        // SAFETY: the contract of this function.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add_one();
        hold(layout.size(), -1);
        hold(size, 1);
        // SAFETY: the contract of this function.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
