//! Shapes, poses, sums over nodes and integrals that share no code with the nodes.

use crate::math::{Mat3, Pose, Real, Vec3, exponential};
use crate::narrow_phase::area::curved::{CurvedWork, patch};
use crate::narrow_phase::area::{Nodes, Plane};
use crate::shapes::Beam;
use crate::shapes::Core;
use crate::shapes::{Cone, Cylinder};

/// Pressure per depth [N/m3] of all tests.
pub const K: f64 = 3.0e7;

/// Load and energy of a patch.
#[derive(Clone, Debug)]
pub struct Load<T: Real = f64> {
    pub force: Vec3<T>,
    pub torque: Vec3<T>,
    pub energy: T,
    pub nodes: Nodes<T>,
}

pub fn load<T: Real>(core: &Core, pose: &Pose<T>, planes: &[Plane<T>]) -> Load<T> {
    let mut nodes = Nodes::default();
    let energy = patch(
        core,
        pose,
        planes,
        K,
        &mut CurvedWork::default(),
        &mut nodes,
    );
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for node in nodes.list() {
        assert!(node.force.value() >= 0.0);
        let push = node.normal * -node.force;
        force += push;
        torque += node.point.cross(&push);
    }
    Load {
        force,
        torque,
        energy,
        nodes,
    }
}

pub fn cylinder(radius: f64, half: f64) -> Core {
    Core::Cylinder(Cylinder { radius, half })
}

pub fn cone(z: [f64; 2], radii: [f64; 2]) -> Core {
    Core::Cone(Cone { z, radii })
}

pub fn beam(half: f64, radius: f64, half_thickness: f64) -> Core {
    Core::Beam(Beam {
        half,
        radius,
        half_thickness,
    })
}

/// Inside z <= 0.
pub fn ground() -> Vec<Plane<f64>> {
    vec![Plane {
        normal: Vec3::z(),
        offset: 0.0,
    }]
}

/// Box of half lengths about a centre.
pub fn cuboid(half: [f64; 3], center: [f64; 3]) -> Vec<Plane<f64>> {
    let mut planes = Vec::new();
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let mut normal = Vec3::zeros();
            normal[axis] = side;
            planes.push(Plane {
                normal,
                offset: half[axis] + side * center[axis],
            });
        }
    }
    planes
}

/// Pose from a position and a rotation vector [rad].
pub fn pose(position: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose {
        position: Vec3::from(position),
        rotation: exponential(&Vec3::from(turn)),
    }
}

/// Rotation that takes z to the direction of a polar angle from z toward x.
pub fn tilt(angle: f64) -> Mat3 {
    exponential(&Vec3::new(0.0, angle, 0.0))
}

#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance,
        "{a:e} {b:e}, differ by {:e}, allowed {tolerance:e}",
        (a - b).abs()
    );
}

/// Composite Gauss rule of 5 points.
pub fn integrate(from: f64, to: f64, pieces: usize, mut f: impl FnMut(f64) -> f64) -> f64 {
    let x = [0.0, 0.538_469_310_105_683_1, 0.906_179_845_938_664];
    let w = [
        0.568_888_888_888_888_9,
        0.478_628_670_499_366_47,
        0.236_926_885_056_189_08,
    ];
    let half = 0.5 * (to - from) / pieces as f64;
    let mut sum = 0.0;
    for piece in 0..pieces {
        let middle = from + half * (2 * piece + 1) as f64;
        sum += w[0] * f(middle);
        for k in 1..3 {
            sum += w[k] * (f(middle + half * x[k]) + f(middle - half * x[k]));
        }
    }
    sum * half
}

/// Integral of max(0, min_j (a_j + b_j y)) over an interval, by its break points.
fn integral_of_least(lines: &[[f64; 2]], low: f64, high: f64) -> f64 {
    let at = |y: f64| {
        lines
            .iter()
            .fold(f64::INFINITY, |p, [a, b]| p.min(a + b * y))
            .max(0.0)
    };
    let mut cuts = vec![low, high];
    for (i, one) in lines.iter().enumerate() {
        cuts.push(-one[0] / one[1]);
        for other in &lines[..i] {
            cuts.push((other[0] - one[0]) / (one[1] - other[1]));
        }
    }
    cuts.retain(|y| *y >= low && *y <= high);
    cuts.sort_by(f64::total_cmp);
    cuts.windows(2)
        .map(|w| 0.5 * (w[1] - w[0]) * (at(w[0]) + at(w[1])))
        .sum()
}

/// Energy of a body of revolution as an integral over its volume: chords along y exactly, then
/// x = r sin t and z by composite rules.
pub fn energy_by_volume(
    z: [f64; 2],
    radii: [f64; 2],
    pose: &Pose,
    planes: &[Plane<f64>],
    pieces: usize,
) -> f64 {
    let mut lines = vec![[0.0; 2]; planes.len()];
    K * integrate(z[0], z[1], pieces, |h| {
        let r = radii[0] + (h - z[0]) / (z[1] - z[0]) * (radii[1] - radii[0]);
        let limit = std::f64::consts::FRAC_PI_2;
        integrate(-limit, limit, pieces, |t| {
            let (x, chord) = (r * t.sin(), r * t.cos());
            for (line, plane) in lines.iter_mut().zip(planes) {
                let p = pose.position + pose.rotation * Vec3::new(x, 0.0, h);
                let y = pose.rotation * Vec3::y();
                *line = [plane.offset - plane.normal.dot(&p), -plane.normal.dot(&y)];
            }
            chord * integral_of_least(&lines, -chord, chord)
        })
    })
}
