//! Force, torque and friction along random paths have no jumps.
//!
//! Where a difference over a step of a path is largest the step is halved, again and again: what
//! is left at [`FINEST`] is a jump. The wrench is the gradient of an energy whose second
//! derivatives are k times areas, so it changes by no more than k A times the way.

use super::{Random, RoundedShape, at, cuboid, stone, sums};
use crate::math::{Pose, Vec3};
use crate::narrow_phase::area::{Patch, Stiffness, flush_radius};

/// Steps of a path before any is halved.
const COARSE: usize = 400;
/// Length of the step at which halving ends, and way and turn of it [m], [rad].
const FINEST: f64 = 1e-9;

/// Force, torque about the middle of 1, and sum of the forces times the directions of the slip of a
/// motion that turns about a point 2 m away: about a nearer one friction is no sum over nodes.
struct Sums {
    wrench: [Vec3; 2],
    friction: Vec3,
    size: f64,
}

fn sums_at(shapes: [&RoundedShape; 2], pose: &Pose, k: Stiffness, patch: &mut Patch<f64>) -> Sums {
    let other = Pose::identity();
    let (force, torque, _) = sums(patch, [(shapes[0], pose), (shapes[1], &other)], k);
    let mut friction = Vec3::zeros();
    let mut size = 0.0;
    for node in patch.nodes.list() {
        let arm = node.point + patch.origin_w - Vec3::new(0.1, 0.05, 0.2);
        let slip = Vec3::new(0.3, 0.2, -0.1) + Vec3::new(0.03, -0.08, 0.15).cross(&arm);
        friction += slip * (node.force / slip.norm());
        size += node.force;
    }
    Sums {
        wrench: [force, torque - pose.position.cross(&force)],
        friction,
        size,
    }
}

/// Largest change over the finest steps: of force and torque over the way, of friction over the
/// force; and the largest change of a wrench over any way.
fn largest(shapes: [&RoundedShape; 2], k: Stiffness, path: impl Fn(f64) -> Pose) -> [f64; 4] {
    let mut patch = Patch::with_room(40);
    let mut of = |t: f64| sums_at(shapes, &path(t), k, &mut patch);
    let change = |a: &Sums, b: &Sums, which: usize| match which {
        2 => (a.friction - b.friction).norm() / a.size.max(b.size).max(1e-300),
        _ => (a.wrench[which] - b.wrench[which]).norm(),
    };
    let all: Vec<Sums> = (0..=COARSE).map(|i| of(i as f64 / COARSE as f64)).collect();
    let mut found = [0.0_f64; 4];
    for which in 0..3 {
        let mut steps: Vec<usize> = (0..COARSE).collect();
        let size = |i: &usize| {
            let change = change(&all[*i], &all[*i + 1], which);
            // Where little touches, friction over the force is another at each step.
            if which == 2 && all[*i].size.min(all[*i + 1].size) < 1e-6 {
                0.0
            } else {
                change
            }
        };
        steps.sort_by(|i, j| size(j).total_cmp(&size(i)));
        for i in &steps[..3] {
            let mut low = *i as f64 / COARSE as f64;
            let mut h = 1.0 / COARSE as f64;
            if which < 2 {
                found[3] = found[3].max(size(i) / h);
            }
            let mut ends = [of(low), of(low + h)];
            while h > FINEST {
                h *= 0.5;
                let middle = of(low + h);
                let [first, second] =
                    [[&ends[0], &middle], [&middle, &ends[1]]].map(|[a, b]| change(a, b, which));
                if first > second {
                    ends[1] = middle;
                } else {
                    ends[0] = middle;
                    low += h;
                }
            }
            let left = change(&ends[0], &ends[1], which);
            found[which] = found[which].max(if which < 2 { left / h } else { left });
        }
    }
    found
}

/// A shape of about half a metre that overlaps a box of about a metre.
fn smaller(name: &str, random: &mut Random) -> RoundedShape {
    match name {
        "stone" => stone(random, 14),
        "contained" => cuboid([0.3, 0.2, 0.25]),
        "flush" => cuboid([1.0, 0.9, 0.8]),
        "cylinder" | "parallel cylinder" => RoundedShape::cylinder(0.4, 0.5, 0.0),
        "cone" => RoundedShape::cone(0.4, 0.2, 0.5, 0.0),
        "beam" => RoundedShape::beam(0.5, 0.3, 0.2, 0.0),
        _ => cuboid([0.5, 0.4, 0.3]),
    }
}

#[test]
#[ignore = "long: thousands of poses"]
fn wrench_and_friction_have_no_jumps_along_paths_over_faces_edges_and_corners() {
    let mut random = Random(21);
    let large = cuboid([1.0, 0.9, 0.8]);
    let k: Stiffness = [1.0, 2.5];
    // In series, over less than half of the surface of the smaller shapes.
    let (steepest, arm) = (0.7 * 0.5, 0.4);
    #[rustfmt::skip]
    let names = [
        "box", "parallel box", "contained", "stone", "cylinder", "parallel cylinder", "cone",
        "beam", "flush",
    ];
    for name in names {
        // Flush: a force F d/(2 w) = 2e-4 that jumps would be 2e5 over the finest step, and no
        // slope is above F/(w 1e-4 rad) = 150 over 1e-3 m and rad of the path, with the box's
        // diagonal as the largest arm.
        let (k, steepest, arm) = match name {
            "flush" => ([1.0; 2], 0.15, 1.56),
            _ => (k, steepest, arm),
        };
        for _ in 0..5 {
            let shape = smaller(name, &mut random);
            let reach = if name == "contained" { 0.4 } else { 0.6 };
            let from = random.vector() * reach;
            let way = random.vector().normalize() * 0.5;
            let turn = random.vector() * 2.0;
            let omega = random.vector().normalize() * 0.5;
            let path = |t: f64| {
                // All around lying flush, 1.6e-4 m and rad.
                if name == "flush" {
                    let aside = Vec3::new(0.0, 0.0, 0.77) + (from + way * (4.0 * t - 2.0)) * 2e-4;
                    return at(aside, omega * (t - 0.37) * 2e-3);
                }
                // Through parallel somewhere on the way.
                let turn = match name.starts_with("parallel") {
                    true => omega * (t - 0.37),
                    false => turn + omega * t,
                };
                at(from + way * (t - 0.5), turn)
            };
            let [force, torque, friction, coarse] = largest([&shape, &large], k, path);
            assert!(
                force < steepest && torque < steepest * arm,
                "{name}: {force} {torque}"
            );
            // A jump would be larger over 1e-9 of the path than over 2.5e-3 of it.
            let rounding = 1e-14 / FINEST;
            let is_steep = name == "flush" || force < 1.1 * coarse + rounding;
            assert!(is_steep, "{name}: {force} {coarse}");
            // Nodes have another layout where a facet gets or loses a corner, and no rule is exact for a
            // direction that turns: up to 2e-6.
            assert!(friction < 1e-5, "{name}: {friction:e}");
        }
    }
}

#[test]
fn side_faces_that_pass_each_other_turn_the_force_smoothly_by_depth_over_width() {
    // The energy is k A d^2/2, and A = w (w - h(x)) where boxes of equal width w are shifted by x:
    // the force along x is h'(x) F d/(2 (w - |x|)), h' = 18 u^2 - 32 u^3 + 15 u^4 of u = |x|/r up to 1.
    let (w, d) = (0.1, 1e-4);
    let block = cuboid([w; 3]);
    let radius = flush_radius([&block.core; 2]).unwrap();
    // 1e-4 of the diagonal.
    assert!((radius / (1e-4 * w * 3f64.sqrt()) - 1.0).abs() < 1e-12);
    let mut patch = Patch::with_room(6);
    let mut force_at = |x: f64| {
        let upper = at([x, 0.0, w - d], [0.0; 3]);
        let lower = Pose::identity();
        let (force, ..) = sums(&mut patch, [(&block, &upper), (&block, &lower)], [1e10; 2]);
        force.x / (force.z * d / (2.0 * (w - x.abs())))
    };
    assert!(force_at(0.0).abs() < 1e-14);
    assert!(force_at(1e-12).abs() < 1e-12);
    for u in [0.1_f64, 0.25, 0.5, 0.6, 0.9, 0.99, 1.0, 1.01, 2.0, 30.0] {
        let expected = match u < 1.0 {
            true => u * u * (18.0 - 32.0 * u + 15.0 * u * u),
            false => 1.0,
        };
        for sign in [1.0, -1.0] {
            let found = force_at(sign * u * radius);
            // The strip along the edges has d/w of the area.
            assert!((found - sign * expected).abs() < 5e-3, "{u}: {found}");
        }
    }
}
