use crate::geometry::Core;
use crate::math::{Pose, Real};
use crate::narrow_phase::area::{Nodes, Plane};
#[derive(Clone, Debug)]
pub struct Work<T> {
    _a: Vec<T>,
}
impl<T> Default for Work<T> {
    fn default() -> Self {
        Work { _a: Vec::new() }
    }
}
pub fn patch<T: Real>(
    _c: &Core,
    _p: &Pose<T>,
    _planes: &[Plane<T>],
    _k: f64,
    _w: &mut Work<T>,
    _n: &mut Nodes<T>,
) -> T {
    T::zero()
}
