//! Free flight in closed form.
//!
//! A free body on which nothing but uniform gravity acts, whose origin is its centre of mass and
//! whose inertia is that of a ball, moves on a parabola and turns about a fixed axis:
//!   p(t) = p + v t + 1/2 g t^2,  q(t) = q * (cos(|w| t/2), sin(|w| t/2) w/|w|),
//! with the quaternion q from body to world axes and the angular velocity w in body axes.

use crate::dynamics::Model;
use crate::dynamics::rigid::FREE_STATES;
use crate::scene::description::Gravity;
use contact_geometry::math::real::{cos, sin};
use contact_geometry::math::spatial::multiply;
use contact_geometry::math::{Mat3, Vec3, norm};
use contact_laws::index::LinkId;

/// Returns true if a link on which no contact acts moves so.
pub fn is_closed(model: &Model, link: LinkId) -> bool {
    let known = &model.links.all[link];
    let body = &model.bodies[known.body];
    let inertia = &body.inertia_b;
    let is_ball = *inertia == Mat3::from_diagonal_element(inertia[(0, 0)]);
    let is_uniform = !matches!(model.gravity, Gravity::Point { .. });
    model.links.is_rigid(link) && body.centered && is_ball && is_uniform && known.applied.is_empty()
}

/// The states of such a link after a time [s].
pub fn fly(gravity: &Vec3, states: &mut [f64], time: f64) {
    debug_assert_eq!(states.len(), FREE_STATES);
    for i in 0..3 {
        states[i] += time * (states[7 + i] + 0.5 * time * gravity[i]);
        states[7 + i] += time * gravity[i];
    }
    let omega = Vec3::new(states[10], states[11], states[12]);
    let speed = norm(&omega);
    if speed == 0.0 {
        return;
    }
    let half = 0.5 * speed * time;
    let (w, v) = (cos(half), omega * (sin(half) / speed));
    let start = [states[3], states[4], states[5], states[6]];
    states[3..7].copy_from_slice(&multiply(&start, &[w, v.x, v.y, v.z]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::rotation_matrix;

    #[test]
    fn a_body_falls_on_a_parabola_and_turns_about_its_axis() {
        let mut x = [
            1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0, 0.5, -1.0, 4.0, 0.3, -2.0, 1.1,
        ];
        let start = x;
        let omega = Vec3::new(0.3, -2.0, 1.1);
        fly(&Vec3::new(0.0, 0.0, -10.0), &mut x, 0.4);
        let expected = [1.2, 1.6, 3.8];
        for (found, expected) in x.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!((x[9] - 0.0).abs() < 1e-15);
        // The turn from start to end is one about the axis by its speed times the time.
        let turns = [&start, &x].map(|x| rotation_matrix(&[x[3], x[4], x[5], x[6]]));
        let turn = turns[0].transpose() * turns[1];
        let angle = 0.4 * omega.norm();
        assert!((turn * omega - omega).norm() < 1e-15 * 10.0);
        assert!((0.5 * (turn.trace() - 1.0) - angle.cos()).abs() < 1e-14);
        let sine = Vec3::new(
            turn[(2, 1)] - turn[(1, 2)],
            turn[(0, 2)] - turn[(2, 0)],
            turn[(1, 0)] - turn[(0, 1)],
        );
        assert!((sine - omega * (2.0 * angle.sin() / omega.norm())).norm() < 1e-14);
        let norm: f64 = x[3..7].iter().map(|c| c * c).sum();
        assert!((norm - 1.0).abs() < 1e-15);
    }
}
