//! Random poses, and points of the surfaces of cores with normals known by construction.

use crate::math::{Dual, Mat3, Pose, Real, Vec3, rotation_matrix};
use crate::shapes::{
    Beam, Cone, Core, Cuboid, Cylinder, Ellipsoid, Hull, Mesh, RoundCone, RoundedShape, Segment,
};
use std::f64::consts::PI;

/// Deterministic numbers in -1..1 (a linear congruential generator; Knuth's constants).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// From 0.05 to 1.05: a weight that is not nearly zero.
    pub fn weight(&mut self) -> f64 {
        0.05 + self.next().abs()
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    /// Cosine and sine of a random angle.
    pub fn on_circle(&mut self) -> [f64; 2] {
        let (s, c) = (PI * self.next()).sin_cos();
        [c, s]
    }

    pub fn pose(&mut self, reach: f64) -> Pose {
        let q = [self.next(), self.next(), self.next(), self.next()];
        posed(self.vector() * reach, rotation_matrix(&q))
    }
}

pub fn posed<T: Real>(position: Vec3<T>, rotation: Mat3<T>) -> Pose<T> {
    Pose { position, rotation }
}

/// A pose of a position and a quaternion.
pub fn pose_of(position: [f64; 3], quaternion: [f64; 4]) -> Pose {
    posed(Vec3::from(position), rotation_matrix(&quaternion))
}

/// A pose that turns nothing.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    posed(Vec3::new(x, y, z), Mat3::identity())
}

pub fn lift(pose: &Pose) -> Pose<Dual> {
    posed(pose.position.map(Dual::from), pose.rotation.map(Dual::from))
}

/// A pose that has moved for a time [s] at a velocity and an angular velocity, to second order.
pub fn moved(pose: &Pose, rate: &Vec3, spin: &Vec3, time: f64) -> Pose {
    let v = spin * (0.5 * time);
    let turn = rotation_matrix(&[1.0, v.x, v.y, v.z]);
    posed(pose.position + rate * time, turn * pose.rotation)
}

/// A pose with the derivatives that this motion gives it.
pub fn moving(pose: &Pose, rate: &Vec3, spin: &Vec3) -> Pose<Dual> {
    let turning = spin.cross_matrix() * pose.rotation;
    let position = pose.position.zip_map(rate, Dual::new);
    posed(position, pose.rotation.zip_map(&turning, Dual::new))
}

/// A square pyramid with its base in z = -0.2, cut into triangles.
pub fn pyramid() -> Hull {
    let (b, t) = (-0.2, 0.5);
    let vertices = vec![
        [-0.4, -0.4, b],
        [0.4, -0.4, b],
        [0.4, 0.4, b],
        [-0.4, 0.4, b],
        [0.0, 0.0, t],
    ];
    let triangles = vec![
        [0, 2, 1],
        [0, 3, 2],
        [0, 1, 4],
        [1, 2, 4],
        [2, 3, 4],
        [3, 0, 4],
    ];
    Hull::new(vertices, triangles).expect("a pyramid is convex")
}

/// Ground of 2 `side`^2 triangles with legs of 0.05 m over a pyramid, its middle at the origin; heights and places
/// relative to the legs.
pub fn ground(side: u32, height: impl Fn(f64, f64) -> f64) -> Mesh {
    let (half, row) = (0.5 * f64::from(side), side + 1);
    let mut vertices = Vec::new();
    for k in 0..row * row {
        let [i, j] = [k % row, k / row].map(|k| f64::from(k) - half);
        // The rim, and so the pyramid, is below the reach of what lies on the ground.
        let height = match i.abs().max(j.abs()) == half {
            true => -1.0,
            false => height(i, j),
        };
        vertices.push([i, j, height].map(|x| 0.05 * x));
    }
    let mut triangles = Vec::new();
    for k in 0..side * side {
        let a = k / side * row + k % side;
        triangles.extend([[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]);
    }
    let apex = row * row;
    vertices.push([0.0, 0.0, -0.2 * half]);
    for k in 0..side {
        let far = side * row;
        triangles.push([apex, k + 1, k]);
        triangles.push([apex, far + k, far + k + 1]);
        triangles.push([apex, k * row, (k + 1) * row]);
        triangles.push([apex, (k + 1) * row + side, k * row + side]);
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// Grounds with bumps, with hills and a wall, and with spikes.
pub fn grounds() -> [Mesh; 3] {
    let waves = |i: f64, j: f64| (1.3 * i).sin() * (0.9 * j + 0.3 * i).cos();
    [
        ground(6, |i, j| 0.03 * waves(i, j)),
        ground(6, |i, j| match i == 1.0 && j.abs() < 2.0 {
            true => 0.7,
            false => 0.2 * waves(i, j),
        }),
        ground(6, |i, j| if (i + j) % 2.0 == 0.0 { 0.8 } else { -0.3 }),
    ]
}

/// One shape of each bounded kind with a core of its own, about 1 m large, two cones.
pub fn shapes() -> Vec<RoundedShape> {
    vec![
        RoundedShape::capsule(0.3, 0.8),
        RoundedShape::cuboid(&[1.0, 0.7, 0.4], 1e-3),
        RoundedShape::cylinder(0.8, 0.6, 1e-3),
        RoundedShape::cone(0.8, 0.5, 0.7, 1e-3),
        RoundedShape::cone(0.8, 0.0, 0.7, 1e-3),
        RoundedShape::tapered_capsule(0.5, 0.2, 0.6),
        RoundedShape::tapered_capsule(0.2, 0.7, 0.4),
        RoundedShape::ellipsoid(&[1.0, 0.7, 0.4]),
        RoundedShape::beam(0.7, 0.4, 0.3, 1e-3),
        RoundedShape::hull(pyramid(), 1e-3),
    ]
}

/// A point of the surface of a core and a unit vector out of its normal cone there. `stratum`
/// counts through the faces, edges and corners.
pub fn surface(core: &Core, random: &mut Random, stratum: usize) -> (Vec3, Vec3) {
    let side = random.next().signum();
    let [c, s] = random.on_circle();
    let (around, up) = (Vec3::new(c, s, 0.0), Vec3::z() * side);
    let (a, b) = (random.weight(), random.weight());
    let (q, normal) = match core {
        Core::Segment(Segment { half }) if stratum.is_multiple_of(2) => {
            (Vec3::z() * (0.99 * half * random.next()), around)
        }
        Core::Segment(Segment { half }) => (up * *half, around * a + up * b),
        Core::Box(Cuboid { half }) => {
            let mut q = half.map(|h| 0.9 * h * random.next());
            let mut normal = Vec3::zeros();
            for i in 0..=(stratum % 3) {
                let side = random.next().signum();
                q[i] = side * half[i];
                normal[i] = side * random.weight();
            }
            (q, normal)
        }
        Core::Cylinder(Cylinder { radius, half }) => match stratum % 3 {
            0 => (around * (radius * random.next().abs()) + up * *half, up),
            1 => (
                around * *radius + Vec3::z() * (0.99 * half * random.next()),
                around,
            ),
            _ => (around * *radius + up * *half, around * a + up * b),
        },
        Core::Cone(Cone { z, radii }) => {
            let slant = Vec3::new(radii[1] - radii[0], 0.0, z[1] - z[0]).normalize();
            let lateral = around * slant.z - Vec3::z() * slant.x;
            let end = usize::from(side > 0.0);
            let rim = around * radii[end] + Vec3::z() * z[end];
            match stratum % 3 {
                // An apex has no flat end: the cone of normals about the axis instead.
                0 if radii[end] == 0.0 => {
                    let steep = up.dot(&lateral);
                    (rim, up * (a + steep) + around * (slant.z * a * 0.9))
                }
                0 => (around * (radii[end] * a / 1.1) + Vec3::z() * z[end], up),
                1 => {
                    let t = 0.5 + 0.49 * random.next();
                    let other = around * radii[1 - end] + Vec3::z() * z[1 - end];
                    (rim * t + other * (1.0 - t), lateral)
                }
                _ => (rim, lateral * a + up * b),
            }
        }
        Core::RoundCone(RoundCone { radius, z }) => {
            // The normal of the circle is that of the ball and that of the ruling.
            let along = z[1] - z[0];
            let sine = radius / along;
            let lateral = around * (1.0 - sine * sine).sqrt() + Vec3::z() * sine;
            let [middle, apex] = z.map(|z| Vec3::z() * z);
            let circle = middle + lateral * *radius;
            match stratum % 3 {
                0 => {
                    let t = 0.5 + 0.49 * random.next();
                    (circle * t + apex * (1.0 - t), lateral)
                }
                1 => (apex, lateral * a + Vec3::z() * (b * along.signum())),
                _ => {
                    let out = random.vector().normalize();
                    let out = match out.z * along > 0.9 * sine * along {
                        true => around,
                        false => out,
                    };
                    (middle + out * *radius, out)
                }
            }
        }
        Core::Ellipsoid(Ellipsoid { semi_axes }) => {
            let u = random.vector().normalize();
            (semi_axes.component_mul(&u), u.component_div(semi_axes))
        }
        Core::Beam(Beam {
            half,
            radius,
            half_thickness,
        }) => {
            // On the half disc of one end, or beside the rectangle.
            let straight = stratum % 2 == 1;
            let around = if straight {
                Vec3::x() * side
            } else {
                Vec3::new(c, 0.0, s)
            };
            let along = if straight {
                0.99 * half * random.next()
            } else {
                half.copysign(s)
            };
            let middle = Vec3::z() * along;
            let out = Vec3::y() * random.next().signum();
            match (stratum / 2) % 3 {
                0 => (
                    middle + around * (radius * a / 1.1) + out * *half_thickness,
                    out,
                ),
                1 => (
                    middle + around * *radius + out * (half_thickness * random.next()),
                    around,
                ),
                _ => (
                    middle + around * *radius + out * *half_thickness,
                    around * a + out * b,
                ),
            }
        }
        Core::Hull(hull) => {
            let triangles = hull.triangles();
            let triangle = triangles[stratum / 3 % triangles.len()];
            let outward = |t: &[u32; 3]| {
                let [p, q, r] = t.map(|v| hull.vertices()[v as usize]);
                (q - p).cross(&(r - p)).normalize()
            };
            let shared = |ends: &[u32]| -> Vec3 {
                let around = triangles
                    .iter()
                    .filter(|t| ends.iter().all(|e| t.contains(e)));
                around.map(outward).sum()
            };
            let [p, q, r] = triangle.map(|v| hull.vertices()[v as usize]);
            match stratum % 3 {
                0 => (p * 0.3 + q * 0.3 + r * 0.4, outward(&triangle)),
                1 => (p * 0.3 + q * 0.7, shared(&triangle[..2])),
                _ => (p, shared(&triangle[..1])),
            }
        }
        Core::Point | Core::HalfSpace | Core::Mesh(_) => panic!("no surface to sample"),
    };
    (q, normal.normalize())
}
