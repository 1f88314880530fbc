//! Surfaces of revolution, and beams: two halves of one, moved apart.
//!
//! The profile is a list of arcs from the bottom of the axis to its top. An arc has its centre at
//! (rho, z) and a radius r; its points are (rho + r cos a, z + r sin a), where a, the elevation of
//! the outward normal, grows from -pi/2 at the bottom to pi/2 at the top. Arcs are joined by
//! straight lines.

use super::surface::{Surface, pieces, pieces_around};
use contact_geometry::math::Vec3;
use contact_geometry::math::transcendental::{cos, sin};
use std::f64::consts::{FRAC_PI_2, TAU};

/// An arc of a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// Centre: distance from the axis and place along it [m].
    pub center: [f64; 2],
    /// Radius [m], >= 0.
    pub radius: f64,
    /// Elevation of the normal at its end [rad]; it begins where the arc before ends, the first
    /// one at -pi/2.
    pub end: f64,
}

/// Coordinates of a surface that are not along z.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    /// The axis is z.
    Z,
    /// The axis is y, and the halves on either side of z = 0 are moved apart by this much
    /// each [m].
    YMoved(f64),
}

/// The surface of a profile, within `tolerance` [m].
pub(super) fn revolved(profile: &[Arc], axis: Axis, tolerance: f64) -> Surface {
    let points = points(profile, tolerance);
    let largest = points
        .iter()
        .fold(0.0_f64, |most, point| most.max(point[0]));
    let directions = directions(pieces_around(largest, tolerance), axis);
    let mut surface = Surface::default();
    let mut below: Option<Vec<u32>> = None;
    for [rho, z] in points {
        let mut place = |[x, y, shift]: [f64; 3]| {
            surface.add(match axis {
                Axis::Z => Vec3::new(rho * x, rho * y, z),
                Axis::YMoved(_) => Vec3::new(rho * y, z, rho * x + shift),
            })
        };
        // On the axis there is one point only.
        let ring: Vec<u32> = match rho <= 0.0 {
            true => vec![place([0.0, 0.0, 0.0])],
            false => directions
                .iter()
                .map(|direction| place(*direction))
                .collect(),
        };
        match &below {
            Some(below) => join(&mut surface, below, &ring),
            None if ring.len() > 1 => surface.faces.push(ring.iter().rev().copied().collect()),
            None => {}
        }
        below = Some(ring);
    }
    surface.faces.extend(below.filter(|ring| ring.len() > 1));
    surface
}

/// Points of the profile from bottom to top: distance from the axis, place along it [m].
fn points(profile: &[Arc], tolerance: f64) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    let mut start = -FRAC_PI_2;
    for arc in profile {
        let [rho, z] = arc.center;
        let count = match arc.radius > 0.0 {
            true => pieces(arc.radius, arc.end - start, tolerance),
            false => 0,
        };
        for i in 0..=count {
            let angle = match i == count {
                true => arc.end,
                false => start + (arc.end - start) * i as f64 / count as f64,
            };
            // The ends of an arc about a point of the axis are on the axis.
            let across = match angle.abs() >= FRAC_PI_2 {
                true => rho,
                false => rho + arc.radius * cos(angle),
            };
            let point = [across, z + arc.radius * sin(angle)];
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        start = arc.end;
    }
    points
}

/// Cosine and sine around the axis, and how far the point is moved along the first direction [m].
fn directions(count: usize, axis: Axis) -> Vec<[f64; 3]> {
    let at = |i: usize, shift: f64| {
        let angle = TAU * i as f64 / count as f64;
        [cos(angle), sin(angle), shift]
    };
    match axis {
        Axis::Z => (0..count).map(|i| at(i, 0.0)).collect(),
        Axis::YMoved(half) => {
            let quarter = count / 4;
            let right = 3 * quarter..=5 * quarter;
            let left = quarter..=3 * quarter;
            let right = right.map(|i| at(i, half));
            right.chain(left.map(|i| at(i, -half))).collect()
        }
    }
}

/// Adds what lies between two rings, either of which may be a point.
fn join(surface: &mut Surface, below: &[u32], above: &[u32]) {
    let count = below.len().max(above.len());
    let at = |ring: &[u32], i: usize| ring[i % ring.len()];
    for i in 0..count {
        let corners = [
            at(below, i),
            at(below, i + 1),
            at(above, i + 1),
            at(above, i),
        ];
        let mut face: Vec<u32> = corners.into();
        face.dedup();
        if face.len() > 2 {
            surface.faces.push(face);
        }
    }
}

/// A point's profile swept by a ball: the sphere.
pub(super) fn ball(radius: f64) -> [Arc; 1] {
    [Arc {
        center: [0.0, 0.0],
        radius,
        end: FRAC_PI_2,
    }]
}

/// The profile between two circles about the axis, swept by balls: radii [m] of the circles, places
/// [m] along the axis, and radii [m] of the balls; `tilt` is the elevation of the normal between
/// them [rad].
pub(super) fn two_circles(circles: [f64; 2], z: [f64; 2], balls: [f64; 2], tilt: f64) -> [Arc; 2] {
    let arc = |i: usize, end| Arc {
        center: [circles[i], z[i]],
        radius: balls[i],
        end,
    };
    [arc(0, tilt), arc(1, FRAC_PI_2)]
}
