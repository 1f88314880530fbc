use super::*;
use crate::shapes::samples::pose_of;

/// Distance of the core from a point given in its frame, and the normal there; through a pose that
/// is not level.
fn at(shape: &RoundedShape, c: Vec3) -> (f64, Vec3) {
    let pose = pose_of([0.3, -0.2, 0.1], [0.5, 0.5, -0.5, 0.5]);
    let found = near(shape, &pose, pose.position + pose.rotation * c);
    let finite = |p: &Vec3| p.iter().all(|c| c.is_finite());
    assert!(found.points_w.iter().all(finite));
    let normal = pose.rotation.transpose() * found.normal_w;
    (found.gap + shape.radius + BALL_RADIUS, normal)
}

/// The point at `c` has this distance and normal.
fn leaves(shape: &RoundedShape, c: [f64; 3], distance: f64, normal: [f64; 3]) {
    let (found, along) = at(shape, c.into());
    let error = (found - distance).abs();
    assert!(error < 5e-16, "{c:?}: {found} for {distance}");
    let off = (along - Vec3::from(normal)).amax();
    assert!(off < 1e-15, "{c:?}: {along}");
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

#[test]
fn a_point_on_a_capsules_axis_leaves_along_x() {
    let capsule = RoundedShape::capsule(0.2, 1.0);
    for z in [-0.5, 0.0, 0.3, 0.5] {
        leaves(&capsule, [0.0, 0.0, z], 0.0, X);
    }
    leaves(&capsule, [0.0, 0.0, -0.75], 0.25, [0.0, 0.0, -1.0]);
    leaves(&capsule, [0.0, 0.0, 0.75], 0.25, Z);
}

#[test]
fn a_point_inside_a_cylinder_leaves_by_the_shortest_way() {
    let long = RoundedShape::cylinder(1.0, 4.0, 0.0);
    leaves(&long, [0.0; 3], -0.5, X);
    leaves(&long, [0.0, -0.25, 0.5], -0.25, [0.0, -1.0, 0.0]);
    let flat = RoundedShape::cylinder(4.0, 1.0, 0.0);
    leaves(&flat, [0.0; 3], -0.5, Z);
    leaves(&flat, [0.5, 0.5, -0.25], -0.25, [0.0, 0.0, -1.0]);
    // As far from the top as from bottom and side: by the top.
    leaves(&RoundedShape::cylinder(2.0, 2.0, 0.0), [0.0; 3], -1.0, Z);
}

#[test]
fn a_point_on_the_axis_of_a_cone_leaves_by_base_or_lateral_surface() {
    // Radius 0.75 at z = 0, apex at z = 1: the lateral normal is (0.8, 0, 0.6).
    let cone = RoundedShape::cone(1.5, 0.0, 1.0, 0.0);
    leaves(&cone, [0.0, 0.0, 0.1], -0.1, [0.0, 0.0, -1.0]);
    leaves(&cone, [0.0, 0.0, 0.8], -0.2 * 0.6, [0.8, 0.0, 0.6]);
    // Over the apex, on it and beside it.
    leaves(&cone, [0.0, 0.0, 1.5], 0.5, Z);
    leaves(&cone, [0.0, 0.0, 1.0], 0.0, Z);
    leaves(&cone, [0.3, 0.0, 1.4], 0.5, [0.6, 0.0, 0.8]);
    // On the rim any way out of the normal cone will do.
    let (distance, normal) = at(&cone, Vec3::new(0.45, 0.6, 0.0));
    assert!(distance.abs() < 5e-16 && (normal.norm() - 1.0).abs() < 1e-15);
    // Standing on its apex.
    let top = RoundedShape::cone(0.0, 1.5, 1.0, 0.0);
    leaves(&top, [0.0; 3], 0.0, [0.0, 0.0, -1.0]);
    leaves(&top, [0.0, 0.0, 0.2], -0.2 * 0.6, [0.8, 0.0, -0.6]);
    leaves(&top, [0.0, 0.0, 1.1], 0.1, Z);
}

#[test]
fn a_point_in_the_middle_of_a_beam_leaves_by_its_nearest_side() {
    // Width (x) and thickness (y) of 0.5 and 0.25 m.
    leaves(
        &RoundedShape::beam(2.0, 0.5, 0.25, 0.0),
        [0.0; 3],
        -0.125,
        Y,
    );
    let thick = RoundedShape::beam(2.0, 0.25, 0.5, 0.0);
    leaves(&thick, [0.0; 3], -0.125, X);
    leaves(&thick, [-0.05, 0.01, 0.9], -0.075, [-1.0, 0.0, 0.0]);
    // The rectangle ends at z = 1; there the half disc of radius 0.125 begins.
    leaves(&thick, [0.03, 0.0, 1.04], -0.075, [0.6, 0.0, 0.8]);
}

#[test]
fn a_point_in_the_middle_of_an_ellipsoid_leaves_along_its_smallest_axis() {
    let lengths = [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0], [2.0, 1.0, 1.0], [1.0; 3]];
    for (lengths, normal) in lengths.iter().zip([Z, X, Y, X]) {
        leaves(&RoundedShape::ellipsoid(lengths), [0.0; 3], -0.5, normal);
    }
    // Prolate with semi-axes 2 and 1: from beyond the centre of curvature of the tip, 1/2 from it,
    // the way out is by the tip.
    let prolate = RoundedShape::ellipsoid(&[4.0, 2.0, 2.0]);
    leaves(&prolate, [1.75, 0.0, 0.0], -0.25, X);
    // From x = 0.75 the foot is at x = 0.75 * 4/3 = 1 and sqrt(3)/2 off the axis.
    let distance = 13f64.sqrt() / 4.0;
    let foot = [0.25 / distance, 0.75f64.sqrt() / distance, 0.0];
    leaves(&prolate, [0.75, 0.0, 0.0], -distance, foot);
    // Beside the axis by anything the way is as long within that.
    for off in [1e-3, 1e-8, 1e-30, 1e-99, 1e-101, 1e-300, 5e-324] {
        for side in [-1.0, 1.0] {
            let (near, _) = at(&prolate, Vec3::new(0.75, 0.0, side * off));
            let error = (near + distance).abs();
            assert!(error <= off + 1e-15, "{near} off by {off}");
        }
    }
}

#[test]
fn nan_gives_an_answer() {
    for shape in round_shapes() {
        for bad in [f64::NAN, f64::INFINITY] {
            let found = near(&shape, &Pose::identity(), Vec3::new(0.1, bad, 0.2));
            let touches = found.gap < 0.0;
            assert!(!touches, "{:?}", shape.kind());
        }
    }
}
