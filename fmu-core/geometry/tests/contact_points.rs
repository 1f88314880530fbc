//! Contact points where a face lies on a face, or an edge on one, in closed form.

use crate::random::{at, posed};
use contact_geometry::math::{Mat3, Pose, Vec3, rotation_matrix};
use contact_geometry::narrow_phase::{Feature, query};
use contact_geometry::shapes::{Hull, RoundedShape};

/// Gaps [m] at which the shapes lie on each other.
const GAPS: [f64; 3] = [1e-5, 0.0, -1e-5];

/// Contact point of two shapes at a gap along z, in both orders; the gap is asked of both.
fn contact_point(shapes: [(&RoundedShape, &Pose); 2], gap: f64) -> [Vec3; 2] {
    let [lower, upper] = shapes;
    [[lower, upper], [upper, lower]].map(|[(s1, p1), (s2, p2)]| {
        let found = query(s1, p1, s2, p2, &Feature::None);
        assert!((found.gap - gap).abs() < 1e-14, "{} {gap}", found.gap);
        found.contact_point_w()
    })
}

/// The polyhedron that a cube of this half side [m] is.
fn cube(a: f64) -> RoundedShape {
    let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { a } else { -a });
    let faces: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let halves = |[p, q, r, s]: [u32; 4]| [[p, q, r], [p, r, s]];
    let triangles = faces.into_iter().flat_map(halves).collect();
    let hull = Hull::new((0..8).map(corner).collect(), triangles).expect("a convex hull");
    RoundedShape::hull(hull, 0.0)
}

/// A frustum that lies on the middle of a large face touches it along a ruling, and the point is
/// the middle of the ruling; its own origin is the centre of its base.
#[test]
fn a_frustum_lying_on_a_face_is_carried_in_the_middle_of_its_ruling() {
    let (base, top, length) = (0.2, 0.15, 0.6);
    let frustum = RoundedShape::cone(2.0 * base, 2.0 * top, length, 0.0);
    let plate = RoundedShape::cuboid(&[4.0, 4.0, 0.2], 0.0);
    let below = at(0.0, 0.0, -0.1);
    // The ruling and the outward normal there, in axes of the frustum, go along x and -z.
    let ruling = Vec3::new(top - base, 0.0, length).normalize();
    let outward = Vec3::new(length, 0.0, base - top).normalize();
    let axes: Mat3 = Mat3::from_columns(&[ruling, outward.cross(&ruling), outward]);
    let rotation = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0)) * axes.transpose();
    let middle = Vec3::new(0.5 * (base + top), 0.0, 0.5 * length);
    for gap in GAPS {
        let pose = posed(Vec3::new(0.0, 0.0, gap) - rotation * middle, rotation);
        for point in contact_point([(&plate, &below), (&frustum, &pose)], gap) {
            let off = point - Vec3::new(0.0, 0.0, 0.5 * gap);
            assert!(off.amax() < 1e-12, "{off:?}");
        }
    }
}

/// Two faces of one extent share the point, half way between their middles. That of a polyhedron
/// with a square face of the half side a is the covariance of the corners, a^2 in either direction,
/// over the root of its trace, sqrt(2) a; that of a disc is its radius.
#[test]
fn a_disc_on_a_square_face_of_the_same_extent_is_carried_half_way_between_their_middles() {
    let a = 0.1;
    let cube = cube(a);
    let disc = RoundedShape::cylinder(2.0 * a * 0.5_f64.sqrt(), 0.2, 0.0);
    let place = |x: f64, y: f64, z: f64| at(x, y, z);
    for gap in GAPS {
        let poses = [place(0.0, 0.0, -a), place(0.04, -0.02, 0.1 + gap)];
        for point in contact_point([(&cube, &poses[0]), (&disc, &poses[1])], gap) {
            let off = point - Vec3::new(0.02, -0.01, 0.5 * gap);
            assert!(off.amax() < 1e-9, "{off:?}");
        }
    }
}

/// Where two edges cross, one of them nearly in the plane of a face, the surfaces part slowly and
/// the point is not at the crossing alone. It does not depend on the axis of the cube that the edge
/// is along, nor on whether the cube is a polyhedron.
#[test]
fn edges_that_cross_in_a_nearly_flat_place_are_carried_alike_along_all_axes_and_as_polyhedra() {
    let turn = |axis: Vec3, angle: f64| -> Mat3 {
        let (s, c) = (0.5 * angle).sin_cos();
        rotation_matrix(&[c, s * axis.x, s * axis.y, s * axis.z])
    };
    let (tilt, steep) = (3e-4_f64, 0.8_f64);
    for (half, angle) in [(0.1, 1e-3_f64), (10.0, 1e-3), (10.0, 1e-2)] {
        let solids = [RoundedShape::cuboid(&[2.0 * half; 3], 0.0), cube(half)];
        // The upper edge of the lower cube, the lower one of the upper, and where they cross.
        let top = half * Vec3::new(0.0, tilt.cos() - tilt.sin(), tilt.cos() + tilt.sin());
        let bottom = half * Vec3::new(0.0, steep.sin() - steep.cos(), -steep.cos() - steep.sin());
        let crossing = Vec3::new(0.5 * half, 0.0, 0.0);
        for gap in [1e-6, -1e-6] {
            let mut points = Vec::new();
            for axis in 0..3 {
                let next = |i: usize| Vec3::ith((axis + i) % 3, 1.0);
                let axes: Mat3 = Mat3::from_columns(&[next(0), next(1), next(2)]);
                let across = turn(Vec3::z(), angle);
                let lower = posed(-top, turn(Vec3::x(), tilt) * axes.transpose());
                let upper = posed(
                    crossing + Vec3::new(0.0, 0.0, gap) - across * bottom,
                    across * turn(Vec3::x(), steep) * axes.transpose(),
                );
                for one in &solids {
                    for other in &solids {
                        let found = query(one, &lower, other, &upper, &Feature::None);
                        points.push(found.contact_point_w());
                    }
                }
            }
            let off = points.iter().map(|point| (point - points[0]).amax());
            let off = off.fold(0.0, f64::max);
            assert!(off < 1e-8 * half, "{off:e}");
            assert!((points[0] - crossing).amax() > 0.01 * half);
        }
    }
}

/// A cube on a far larger one is carried under its middle, also as a polyhedron.
#[test]
fn a_cube_on_a_far_larger_one_is_carried_under_its_middle() {
    let place = |x: f64, y: f64, z: f64| at(x, y, z);
    for small in [RoundedShape::cuboid(&[0.2; 3], 0.0), cube(0.1)] {
        for large in [RoundedShape::cuboid(&[4.0; 3], 0.0), cube(2.0)] {
            for gap in GAPS {
                let poses = [place(0.0, 0.0, -2.0), place(0.7, -0.4, 0.1 + gap)];
                for point in contact_point([(&large, &poses[0]), (&small, &poses[1])], gap) {
                    let off = point - Vec3::new(0.7, -0.4, 0.5 * gap);
                    assert!(off.amax() < 1e-9, "{off:?}");
                }
            }
        }
    }
}

/// The wheel of a cart at the edge of a step, parallel to it but for an angle e of rounding, is carried in
/// its middle: the surface of the box falls off from the edge with a slope of at most tan 70 deg to the
/// plane across the normal, so the least of phi = e slope |y| + BLEND/(2 L) y^2 is within
/// e slope L/BLEND of it, 5.5e-8 m at e = 1e-10 and L = 0.02 m.
#[test]
fn a_capsule_along_an_edge_is_carried_in_its_middle_at_any_angle_of_rounding() {
    let step = RoundedShape::cuboid(&[2.0, 1.0, 0.01], 0.0);
    let wheel = RoundedShape::capsule(0.1, 0.02);
    let at = at(1.6, 0.0, 0.005);
    let lying = rotation_matrix(&[0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0, 0.0]);
    for place in 0..40 {
        let steepness = (20.0 + 1.3 * f64::from(place)).to_radians();
        let middle = 0.13 + 1e-3 * f64::from(place);
        let outward = Vec3::new(-steepness.sin(), 0.0, steepness.cos());
        let position = Vec3::new(0.6, middle, 0.01) + outward * (0.05 - 1e-5);
        for power in 20..32 {
            let angle = 0.5 * 10_f64.powf(-0.5 * f64::from(power));
            let yaw = outward * angle;
            let turned = rotation_matrix(&[1.0, 0.3 * angle + yaw.x, yaw.y, yaw.z]);
            let pose = posed(position, turned * lying);
            let found = query(&step, &at, &wheel, &pose, &Feature::None);
            let off = found.contact_point_w().y - middle;
            assert!(off.abs() < 2e-7, "{off:e} m at {angle:e} rad, {place}");
        }
    }
}
