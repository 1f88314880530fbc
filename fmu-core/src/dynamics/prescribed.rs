//! Prescribed bodies in an evaluation: placed by the time.

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::math::Real;

/// Places the prescribed bodies by the time, and writes their accelerations if there are joints.
pub fn place<T: Real>(model: &Model, work: &mut Workspace<T>) {
    for prescribed in &model.prescribed {
        let (pose, twist) = prescribed.motion_along(&model.scene, work.time);
        work.frames[prescribed.body.frame()] = pose;
        work.twists[prescribed.body] = twist;
        if let Some(acceleration) = work.accelerations.get_mut(prescribed.body) {
            let [angular, linear] = prescribed.acceleration_along(&model.scene, work.time);
            (acceleration.angular, acceleration.linear) = (angular, linear);
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/prescribed/tests.rs"]
mod tests;
