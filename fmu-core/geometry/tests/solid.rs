//! The shapes once more, written from their outer definition and apart from the library: support
//! points, distance of a point outside, and what is exposed towards a direction.

use contact_geometry::math::{Mat3, Vec3};
use contact_geometry::shapes::{Hull, RoundedShape};

/// A core in its own frame; axes as in the library.
#[derive(Clone, Debug)]
pub enum Body {
    Point,
    Segment {
        half: f64,
    },
    Box {
        half: Vec3,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Cone {
        z: [f64; 2],
        radii: [f64; 2],
    },
    /// Hull of a ball about z\[0\] and the point z\[1\].
    RoundCone {
        radius: f64,
        z: [f64; 2],
    },
    Ellipsoid {
        semi_axes: Vec3,
    },
    Beam {
        half: f64,
        radius: f64,
        thick: f64,
    },
    Hull {
        points: Vec<Vec3>,
        faces: Vec<(Vec3, f64)>,
    },
    HalfSpace,
}

/// A shape of the test and what the library makes of it.
#[derive(Clone)]
pub struct Solid {
    pub body: Body,
    /// Radius of the ball that sweeps the body [m].
    pub radius: f64,
    pub shape: RoundedShape,
}

/// What a body shows to a direction: constraints that direction fulfils within a tolerance.
#[derive(Clone, Copy, Debug)]
pub enum Exposed {
    /// One point, for all directions nearby.
    Point,
    /// A line, for the directions n with n.axis = sine.
    Line { axis: Vec3, sine: f64 },
    /// A flat face with this normal.
    Face(Vec3),
}

impl Solid {
    fn of(body: Body, radius: f64, shape: RoundedShape) -> Self {
        Solid {
            body,
            radius,
            shape,
        }
    }

    pub fn sphere(diameter: f64) -> Self {
        let shape = RoundedShape::sphere(diameter);
        Self::of(Body::Point, diameter / 2.0, shape)
    }

    pub fn capsule(diameter: f64, length: f64) -> Self {
        let body = Body::Segment { half: length / 2.0 };
        let shape = RoundedShape::capsule(diameter, length);
        Self::of(body, diameter / 2.0, shape)
    }

    /// The larger sphere below where `diameter` is larger than `top`, else above.
    pub fn tapered_capsule(diameter: f64, top: f64, length: f64) -> Self {
        let side = if diameter > top { -0.5 } else { 0.5 };
        let z = [side * length, -side * length];
        let radius = (diameter - top).abs() / 2.0;
        let shape = RoundedShape::tapered_capsule(diameter, top, length);
        Self::of(
            Body::RoundCone { radius, z },
            diameter.min(top) / 2.0,
            shape,
        )
    }

    pub fn ellipsoid(lengths: [f64; 3]) -> Self {
        let semi_axes = Vec3::from(lengths) / 2.0;
        let shape = RoundedShape::ellipsoid(&lengths);
        Self::of(Body::Ellipsoid { semi_axes }, 0.0, shape)
    }

    /// Smoothing `r` of this and the next ones must be at most a tenth of the smallest dimension.
    pub fn cuboid(lengths: [f64; 3], r: f64) -> Self {
        let half = Vec3::from(lengths) / 2.0 - Vec3::new(r, r, r);
        Self::of(Body::Box { half }, r, RoundedShape::cuboid(&lengths, r))
    }

    pub fn cylinder(diameter: f64, length: f64, r: f64) -> Self {
        let (radius, half) = (diameter / 2.0 - r, length / 2.0 - r);
        let shape = RoundedShape::cylinder(diameter, length, r);
        Self::of(Body::Cylinder { radius, half }, r, shape)
    }

    /// The shrunk lateral surface is the outer one moved inwards by r along its normal, so its
    /// radius is less by r/cos(slope angle) at the same height.
    pub fn cone(diameter: f64, top: f64, length: f64, r: f64) -> Self {
        let slope = (top - diameter) / (2.0 * length);
        let less = r / slope.atan().cos();
        let radius_at = |z: f64| diameter / 2.0 + slope * z - less;
        let (bottom, mut end) = (r, length - r);
        let mut radii = [radius_at(bottom), radius_at(end)];
        if top == 0.0 {
            end = (less - diameter / 2.0) / slope;
            radii[1] = 0.0;
        }
        let z = [bottom, end];
        let shape = RoundedShape::cone(diameter, top, length, r);
        Self::of(Body::Cone { z, radii }, r, shape)
    }

    pub fn beam(length: f64, width: f64, thickness: f64, r: f64) -> Self {
        let (half, radius, thick) = (length / 2.0, width / 2.0 - r, thickness / 2.0 - r);
        let shape = RoundedShape::beam(length, width, thickness, r);
        let body = Body::Beam {
            half,
            radius,
            thick,
        };
        Self::of(body, r, shape)
    }

    pub fn half_space() -> Self {
        Self::of(Body::HalfSpace, 0.0, RoundedShape::half_space())
    }

    /// Hull of points of which no four lie in a plane, by trying each triple of them.
    pub fn hull_of(points: &[Vec3], r: f64) -> Self {
        let mut triangles = Vec::new();
        let count = points.len();
        for i in 0..count {
            for j in i + 1..count {
                for k in j + 1..count {
                    let normal = (points[j] - points[i]).cross(&(points[k] - points[i]));
                    let side = |p: &Vec3| normal.dot(&(p - points[i]));
                    let others = || (0..count).filter(|&m| m != i && m != j && m != k);
                    if others().all(|m| side(&points[m]) < 0.0) {
                        triangles.push([i as u32, j as u32, k as u32]);
                    } else if others().all(|m| side(&points[m]) > 0.0) {
                        triangles.push([i as u32, k as u32, j as u32]);
                    }
                }
            }
        }
        Self::polyhedron(points, &triangles, r)
    }

    /// Polyhedron of vertices and outward triangles, swept by a ball.
    pub fn polyhedron(points: &[Vec3], triangles: &[[u32; 3]], r: f64) -> Self {
        let used = |index: usize| triangles.iter().flatten().any(|&v| v as usize == index);
        let kept: Vec<usize> = (0..points.len()).filter(|&i| used(i)).collect();
        let renumbered = |v: u32| kept.iter().position(|&k| k == v as usize).unwrap() as u32;
        let points: Vec<Vec3> = kept.iter().map(|&k| points[k]).collect();
        let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(renumbered)).collect();
        let faces = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| points[v as usize]);
                let normal = (b - a).cross(&(c - a)).normalize();
                (normal, normal.dot(&a))
            })
            .collect();
        let vertices = points.iter().map(|p| [p.x, p.y, p.z]).collect();
        let shape = RoundedShape::hull(Hull::new(vertices, triangles).unwrap(), r);
        Self::of(Body::Hull { points, faces }, r, shape)
    }

    /// Prism over a regular polygon of circumscribed radius 0.4 m.
    pub fn prism(sides: usize, half: f64, r: f64) -> Self {
        Self::prism_of(sides, 0.4, half, r)
    }

    /// Prism over a regular polygon, its faces cut in triangles as a mesh has them: many coplanar
    /// triangles, parallel edges.
    pub fn prism_of(sides: usize, reach: f64, half: f64, r: f64) -> Self {
        let corner = |i: usize, z: f64| {
            let (s, c) = (std::f64::consts::TAU * i as f64 / sides as f64).sin_cos();
            Vec3::new(reach * c, reach * s, z)
        };
        let mut points: Vec<Vec3> = (0..sides).map(|i| corner(i, -half)).collect();
        points.extend((0..sides).map(|i| corner(i, half)));
        let n = sides as u32;
        let mut triangles = Vec::new();
        for i in 0..n {
            let j = (i + 1) % n;
            triangles.push([i, j, n + j]);
            triangles.push([i, n + j, n + i]);
        }
        for i in 1..n - 1 {
            triangles.push([0, i + 1, i]);
            triangles.push([n, n + i, n + i + 1]);
        }
        Self::polyhedron(&points, &triangles, r)
    }

    /// Point of the body farthest along `d`.
    pub fn farthest(&self, d: &Vec3) -> Vec3 {
        let sign = |v: f64| if v < 0.0 { -1.0 } else { 1.0 };
        let ring = |radius: f64, a: f64, b: f64| {
            let length = a.hypot(b);
            if length == 0.0 {
                (0.0, 0.0)
            } else {
                (radius * (a / length), radius * (b / length))
            }
        };
        match &self.body {
            Body::Point | Body::HalfSpace => Vec3::zeros(),
            Body::Segment { half } => Vec3::new(0.0, 0.0, sign(d.z) * half),
            Body::Box { half } => {
                Vec3::new(sign(d.x) * half.x, sign(d.y) * half.y, sign(d.z) * half.z)
            }
            Body::Cylinder { radius, half } => {
                let (x, y) = ring(*radius, d.x, d.y);
                Vec3::new(x, y, sign(d.z) * half)
            }
            Body::Cone { z, radii } => {
                let at = |end: usize| {
                    let (x, y) = ring(radii[end], d.x, d.y);
                    Vec3::new(x, y, z[end])
                };
                let (bottom, top) = (at(0), at(1));
                if d.dot(&(top - bottom)) > 0.0 {
                    top
                } else {
                    bottom
                }
            }
            Body::RoundCone { radius, z } => {
                let [ball, apex] = z.map(|z| Vec3::z() * z);
                let ball = ball + d.normalize() * *radius;
                if d.dot(&(apex - ball)) > 0.0 {
                    apex
                } else {
                    ball
                }
            }
            Body::Ellipsoid { semi_axes } => {
                let scaled = d.component_mul(semi_axes);
                scaled.component_mul(semi_axes) / scaled.norm()
            }
            Body::Beam {
                half,
                radius,
                thick,
            } => {
                let (x, z) = ring(*radius, d.x, d.z);
                Vec3::new(x, sign(d.y) * thick, z + sign(d.z) * half)
            }
            Body::Hull { points, .. } => {
                let mut best = points[0];
                for p in points {
                    if p.dot(d) > best.dot(d) {
                        best = *p;
                    }
                }
                best
            }
        }
    }

    /// How far a point lies outside the body, by the largest violation of what bounds it [m]: zero
    /// or less inside, at most the distance outside.
    pub fn outside(&self, p: &Vec3) -> f64 {
        let round = p.x.hypot(p.y);
        match &self.body {
            Body::Point => p.norm(),
            Body::HalfSpace => p.z,
            Body::Segment { half } => round.max(p.z.abs() - half),
            Body::Box { half } => (p.abs() - half).max(),
            Body::Cylinder { radius, half } => (round - radius).max(p.z.abs() - half),
            Body::Cone { z, radii } => {
                let slope = (radii[1] - radii[0]) / (z[1] - z[0]);
                let lateral = (round - radii[0] - slope * (p.z - z[0])) / slope.hypot(1.0);
                lateral.max(z[0] - p.z).max(p.z - z[1])
            }
            // In the plane through the axis, seen from the centre of the ball: beyond the ball, and
            // beyond the tangent from the apex on that side.
            Body::RoundCone { radius, z } => {
                let (along, beside) = ((p.z - z[0]) * (z[1] - z[0]).signum(), round);
                let apex = (z[1] - z[0]).abs();
                let tangent = (radius / apex).acos();
                if beside.atan2(along) >= tangent {
                    along.hypot(beside) - radius
                } else {
                    along * tangent.cos() + beside * tangent.sin() - radius
                }
            }
            // First order: (f - 1)/|grad f| with f = |A^-1 p|.
            Body::Ellipsoid { semi_axes } => {
                let scaled = p.component_div(semi_axes);
                let f = scaled.norm();
                (f - 1.0) * f / scaled.component_div(semi_axes).norm()
            }
            Body::Beam {
                half,
                radius,
                thick,
            } => {
                let end = (p.z.abs() - half).max(0.0);
                (p.x.hypot(end) - radius).max(p.y.abs() - thick)
            }
            Body::Hull { faces, .. } => faces
                .iter()
                .map(|(normal, offset)| normal.dot(p) - offset)
                .fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Whether a hull has a vertex less than `share` of its size behind the one farthest along the
    /// unit vector `d`. Its contact point is a mean of the vertices in a band of this kind: across
    /// an edge that is short beside the hull that is a wider angle than across a long one.
    pub fn has_other_vertex_within(&self, d: &Vec3, share: f64) -> bool {
        let Body::Hull { points, .. } = &self.body else {
            return false;
        };
        let top = self.farthest(d);
        let from_top = |p: &Vec3| (top - p).norm();
        // No more than twice the largest extent.
        let size = 2.0 * points.iter().map(from_top).fold(0.0, f64::max);
        let is_near = |p: &Vec3| from_top(p) > 0.0 && d.dot(&(top - p)) < share * size;
        points.iter().any(is_near)
    }

    /// What the body shows to directions within `angle` [rad] of the unit vector `d`.
    pub fn exposed(&self, d: &Vec3, angle: f64) -> Exposed {
        let across = |sine: f64| Exposed::Line {
            axis: Vec3::z(),
            sine,
        };
        let upright = Exposed::Face(Vec3::new(0.0, 0.0, if d.z < 0.0 { -1.0 } else { 1.0 }));
        let level = |v: f64| v.abs() <= angle;
        match &self.body {
            Body::Point | Body::Ellipsoid { .. } => Exposed::Point,
            Body::HalfSpace => Exposed::Face(Vec3::z()),
            Body::Segment { .. } if level(d.z) => across(0.0),
            Body::Segment { .. } => Exposed::Point,
            Body::Box { .. } => axes_exposed(d, [level(d.x), level(d.y), level(d.z)]),
            Body::Cylinder { .. } if level(d.z) => across(0.0),
            Body::Cylinder { .. } if level(d.x.hypot(d.y)) => upright,
            Body::Cylinder { .. } => Exposed::Point,
            Body::Cone { z, radii } => {
                let slope = (radii[1] - radii[0]) / (z[1] - z[0]);
                let sine = -slope / slope.hypot(1.0);
                let end = if d.z < 0.0 { radii[0] } else { radii[1] };
                if level(d.z - sine) {
                    across(sine)
                } else if level(d.x.hypot(d.y)) && end > 0.0 {
                    upright
                } else {
                    Exposed::Point
                }
            }
            Body::RoundCone { radius, z } => {
                let sine = radius / (z[1] - z[0]);
                match level(d.z - sine) {
                    true => across(sine),
                    false => Exposed::Point,
                }
            }
            Body::Beam { .. } if level(d.x.hypot(d.z)) => axes_exposed(d, [true, false, true]),
            Body::Beam { .. } => axes_exposed(d, [false, level(d.y), level(d.z)]),
            Body::Hull { points, .. } => {
                let top = self.farthest(d);
                let near: Vec<Vec3> = points
                    .iter()
                    .map(|p| p - top)
                    .filter(|p| p.norm() > 0.0 && d.dot(p) >= -angle * p.norm())
                    .collect();
                let mut widest = Vec3::zeros();
                for a in &near {
                    for b in &near {
                        let cross = a.cross(b);
                        if cross.norm() > widest.norm() {
                            widest = cross;
                        }
                    }
                }
                match near.as_slice() {
                    [] => Exposed::Point,
                    [edge] => Exposed::Line {
                        axis: edge.normalize(),
                        sine: 0.0,
                    },
                    _ => Exposed::Face(widest.normalize() * widest.dot(d).signum()),
                }
            }
        }
    }

    /// A point of what is exposed to exactly `d`, and the directions within it.
    pub fn spanned(&self, d: &Vec3, exposed: &Exposed) -> (Vec3, Vec<Vec3>) {
        match exposed {
            Exposed::Point => (self.farthest(d), vec![]),
            Exposed::Line { axis, .. } => {
                // Beside the line on either side are its two ends.
                let tilted = |side: f64| self.farthest(&(d + axis * (side * 1e-3)).normalize());
                let (mut a, mut b) = (tilted(-1.0), tilted(1.0));
                if let Body::Cone { z, radii } = &self.body {
                    let round = Vec3::new(d.x, d.y, 0.0).normalize();
                    a = round * radii[0] + Vec3::z() * z[0];
                    b = round * radii[1] + Vec3::z() * z[1];
                } else if let Body::RoundCone { radius, z } = &self.body {
                    // d is the normal of ball and ruling alike.
                    a = Vec3::z() * z[0] + d * *radius;
                    b = Vec3::z() * z[1];
                } else if !matches!(self.body, Body::Hull { .. }) {
                    // The point of the exact direction, moved to the middle along the axis.
                    let middle = self.farthest(d);
                    a = middle - axis * axis.dot(&(middle - a));
                    b = middle - axis * axis.dot(&(middle - b));
                }
                ((a + b) / 2.0, vec![(b - a).normalize()])
            }
            Exposed::Face(normal) => {
                let first = normal.cross(&most_across(normal)).normalize();
                let second = normal.cross(&first);
                let base = match &self.body {
                    Body::Hull { points, .. } => {
                        let top = self.farthest(d);
                        let on: Vec<&Vec3> = points
                            .iter()
                            .filter(|p| normal.dot(&(top - *p)) < 1e-9)
                            .collect();
                        on.iter().fold(Vec3::zeros(), |sum, p| sum + *p) / on.len() as f64
                    }
                    Body::Box { .. } | Body::Beam { .. } => {
                        normal.component_mul(&normal.component_mul(&self.farthest(d)))
                    }
                    _ => Vec3::new(0.0, 0.0, self.farthest(d).z),
                };
                (base, vec![first, second])
            }
        }
    }
}

/// A coordinate axis far from parallel to `v`.
fn most_across(v: &Vec3) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[v.abs().imin()] = 1.0;
    axis
}

/// A box that is flat along some of its axes.
fn axes_exposed(d: &Vec3, flat: [bool; 3]) -> Exposed {
    let axis = |i: usize| Vec3::from_fn(|k, _| if k == i { 1.0 } else { 0.0 });
    let steep: Vec<usize> = (0..3).filter(|&i| !flat[i]).collect();
    match steep.as_slice() {
        [i] => Exposed::Face(axis(*i) * d[*i].signum()),
        [_, _] => Exposed::Line {
            axis: axis(flat.iter().position(|f| *f).unwrap()),
            sine: 0.0,
        },
        _ => Exposed::Point,
    }
}

/// A solid at an attitude; its place is given by others.
pub struct Turned<'a> {
    pub solid: &'a Solid,
    pub rotation: Mat3,
}

impl Turned<'_> {
    pub fn farthest(&self, d: &Vec3) -> Vec3 {
        self.rotation * self.solid.farthest(&self.rotation.tr_mul(d))
    }

    /// [`Solid::outside`] of a point relative to the solid's origin, world axes.
    pub fn outside(&self, p: &Vec3) -> f64 {
        self.solid.outside(&self.rotation.tr_mul(p))
    }

    /// [`Solid::has_other_vertex_within`] of the turned body.
    pub fn has_other_vertex_within(&self, d: &Vec3, share: f64) -> bool {
        let d = self.rotation.tr_mul(d);
        self.solid.has_other_vertex_within(&d, share)
    }

    pub fn exposed(&self, d: &Vec3, angle: f64) -> Exposed {
        match self.solid.exposed(&self.rotation.tr_mul(d), angle) {
            Exposed::Point => Exposed::Point,
            Exposed::Line { axis, sine } => Exposed::Line {
                axis: self.rotation * axis,
                sine,
            },
            Exposed::Face(normal) => Exposed::Face(self.rotation * normal),
        }
    }

    pub fn spanned(&self, d: &Vec3, exposed: &Exposed) -> (Vec3, Vec<Vec3>) {
        let back = |v: &Vec3| self.rotation.tr_mul(v);
        let local = match exposed {
            Exposed::Point => Exposed::Point,
            Exposed::Line { axis, sine } => Exposed::Line {
                axis: back(axis),
                sine: *sine,
            },
            Exposed::Face(normal) => Exposed::Face(back(normal)),
        };
        let (base, along) = self.solid.spanned(&back(d), &local);
        (
            self.rotation * base,
            along.iter().map(|v| self.rotation * v).collect(),
        )
    }
}
