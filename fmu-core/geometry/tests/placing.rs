//! Two shapes placed so that gap, normal and points are known to rounding.
//!
//! [`crate::oracle`] finds the direction n of largest separation at a random place c of
//! body 2. Its value is as good as the tolerance asked of it; n, where s is smooth, to the root of
//! that. So the place is moved instead of the result: n is put exactly on the conditions that the
//! exposed lines and faces set (n.axis = sine, n = normal), x1 and x2 are points of the bodies
//! farthest along n and -n, and c = x1 - x2 + d n. Then
//! - for d >= 0 the distance of the bodies is d: s(n) = d bounds it below, |c + x2 - x1| = d above;
//! - for d < 0, if s(n) = d is the global maximum at depth d = lowest, as branch and bound shows
//!   once more, it is so at all smaller depths: the ball about c that fits into the difference of
//!   the bodies holds those of smaller depth, which touch its surface at the same point only.
//!
//! Rounding: places and points are sums of a few numbers below 2 m, so a stated gap is that of the
//! poses handed out to about 5e-16 m, and 1e-15 m is allowed for it.

use crate::kind::Kind;
use crate::oracle::{Best, difference, largest_separation, separation};
use crate::random::{Random, posed};
use crate::solid::{Body, Exposed, Solid, Turned};
use contact_geometry::math::{Mat3, Pose, Vec3};

/// Closer than this [rad] to an exposed line or face, n is put onto it.
const SNAP: f64 = 1e-4;
/// Certified accuracy of the separation before n is put in place [m].
const SEARCH: f64 = 1e-9;
/// Depths come no closer than this [m] to that of the certificate, where the next best direction
/// might be just as good.
/// Rounding of the poses handed out, as it shows in the gap [m].
pub const POSE_ROUNDING: f64 = 1e-15;
const MARGIN: f64 = 1e-3;

/// Two solids whose relative place is known up to the distance along the normal.
pub struct Placing {
    pub solids: [Solid; 2],
    pub pose_1: Pose,
    rotation_2: Mat3,
    /// From the origin of 1 to that of 2 where the bodies touch [m].
    touching: Vec3,
    /// Unit normal from 1 to 2.
    pub normal: Vec3,
    /// Separation of the bodies from which on everything is known [m].
    lowest: f64,
    /// Smallest radius of curvature of the difference of the bodies at its touching point [m].
    pub curvature_radius: f64,
}

impl Placing {
    /// Radii of both balls [m].
    pub fn radii(&self) -> f64 {
        self.solids[0].radius + self.solids[1].radius
    }

    /// Whether shapes at this gap are covered.
    pub fn covers(&self, gap: f64) -> bool {
        gap + self.radii() >= self.lowest
    }

    /// Whether at this gap two lines cross, so that either side of the crossing is as near.
    pub fn is_crossing(&self, gap: f64) -> bool {
        self.solids.iter().all(is_thin) && (gap + self.radii()).abs() < 1e-12
    }

    /// How far the normal turns per distance that shape 2 moves across it, at this gap [rad/m].
    pub fn normal_sensitivity(&self, gap: f64) -> f64 {
        1.0 / (gap + self.radii() + self.curvature_radius).max(0.0)
    }

    pub fn pose_2(&self, gap: f64) -> Pose {
        posed(
            self.pose_1.position + (self.touching + self.normal * (gap + self.radii())),
            self.rotation_2,
        )
    }

    pub fn turned(&self) -> [Turned<'_>; 2] {
        [
            Turned {
                solid: &self.solids[0],
                rotation: self.pose_1.rotation,
            },
            Turned {
                solid: &self.solids[1],
                rotation: self.rotation_2,
            },
        ]
    }

    /// The next random pair that can be decided, as [`Placing::random`].
    pub fn next(kinds: [Kind; 2], random: &mut Random) -> Placing {
        (0..100)
            .find_map(|_| Self::random(kinds, random))
            .expect("most poses can be decided")
    }

    /// Two solids of these kinds at random; none where the direction cannot be distinguished from
    /// another.
    pub fn random(kinds: [Kind; 2], random: &mut Random) -> Option<Placing> {
        let solids = kinds.map(|kind| kind.solid(random));
        Self::of(solids, random)
    }

    /// These solids at random; the second one convex.
    pub fn of(solids: [Solid; 2], random: &mut Random) -> Option<Placing> {
        let pose_1 = random.pose(1.0);
        let rotation_2 = random.rotation();
        if let Body::HalfSpace = solids[0].body {
            return Self::over_half_space(solids, pose_1, rotation_2, random);
        }
        let a = Turned {
            solid: &solids[0],
            rotation: pose_1.rotation,
        };
        let b = Turned {
            solid: &solids[1],
            rotation: rotation_2,
        };
        let c = place_of_2(&a, &b, random);
        let rough = largest_separation(&a, &b, &c, SEARCH, None)?;
        let boundary = c - rough.normal * rough.separation;
        let Edge {
            normal,
            touching,
            lines,
        } = on_exposed(&a, &b, &rough.normal, &boundary)?;
        // Both points are farthest along the normal, or the certificate is worth nothing.
        let short = normal.dot(&(difference(&a, &b, &normal) - touching));
        if short.abs() > 1e-15 {
            return None;
        }
        let mut lowest = 0.0;
        if rough.separation < 0.0 {
            let deep = touching + normal * rough.separation;
            let known = Best {
                normal,
                separation: separation(&a, &b, &deep, &normal),
            };
            let found = largest_separation(&a, &b, &deep, SEARCH, Some(known))?;
            if (found.normal - normal).norm() > 1e-3 {
                return None;
            }
            lowest = (rough.separation + MARGIN).min(0.0);
            // No better direction nearby, where the certificate is too coarse to decide.
            let place = touching + normal * lowest;
            for k in 0..60 {
                let aside = random.vector() * 10f64.powf(-2.0 - 0.1 * f64::from(k));
                let n = (normal + aside).normalize();
                if separation(&a, &b, &place, &n) > lowest + 4e-16 {
                    return None;
                }
            }
        }
        let curvature_radius = smallest_curvature_radius(&a, &b, &normal, &lines);
        Some(Placing {
            solids,
            pose_1,
            rotation_2,
            touching,
            normal,
            lowest,
            curvature_radius,
        })
    }

    /// The half-space as 1: its normal is that of the pair, whatever the other does. None where a
    /// face or an edge is parallel to it, or the vertices of one come about as near: the contact
    /// point is not the farthest one then.
    fn over_half_space(
        solids: [Solid; 2],
        pose_1: Pose,
        rotation_2: Mat3,
        random: &mut Random,
    ) -> Option<Placing> {
        let normal: Vec3 = pose_1.rotation.column(2).into();
        let along = pose_1.rotation * Vec3::new(random.unit(), random.unit(), 0.0);
        let b = Turned {
            solid: &solids[1],
            rotation: rotation_2,
        };
        if !matches!(b.exposed(&-normal, 2.0 * SNAP), Exposed::Point)
            || b.has_other_vertex_within(&-normal, 2.0 * SNAP)
        {
            return None;
        }
        // Free of the rounding of the pose's axes: along is put into the plane once more.
        let along = along - normal * normal.dot(&along);
        let touching = along - b.farthest(&-normal);
        Some(Placing {
            pose_1,
            rotation_2,
            touching,
            normal,
            lowest: f64::NEG_INFINITY,
            curvature_radius: f64::INFINITY,
            solids,
        })
    }
}

/// Whether a body is a point or a line.
fn is_thin(solid: &Solid) -> bool {
    matches!(solid.body, Body::Point | Body::Segment { .. })
}

/// Inside or outside of the difference of the bodies, about as often; outside if it has no inside.
fn place_of_2(a: &Turned, b: &Turned, random: &mut Random) -> Vec3 {
    let middle = [Vec3::x(), Vec3::y(), Vec3::z()]
        .map(|axis| difference(a, b, &axis) + difference(a, b, &-axis))
        .iter()
        .sum::<Vec3>()
        / 6.0;
    let mut edge = Vec3::zeros();
    for weight in [0.6, 0.3, 0.1] {
        edge += (difference(a, b, &random.direction()) - middle) * weight;
    }
    let stretch = if random.index(2) == 0 {
        random.between(0.3, 1.0)
    } else {
        random.between(1.2, 3.0)
    };
    if stretch > 1.0 || (is_thin(a.solid) && is_thin(b.solid)) {
        middle + edge * stretch + random.vector() * 0.3
    } else {
        middle + edge * stretch
    }
}

/// Where the difference of the bodies is touched.
struct Edge {
    normal: Vec3,
    /// A point of its boundary that is farthest along the normal.
    touching: Vec3,
    /// Directions of all lines and faces exposed to the normal.
    lines: Vec<Vec3>,
}

/// The direction near `rough` on the conditions of what is exposed to it, and a point of the
/// boundary of the difference there, near `boundary`.
fn on_exposed(a: &Turned, b: &Turned, rough: &Vec3, boundary: &Vec3) -> Option<Edge> {
    let shown = [a.exposed(rough, SNAP), b.exposed(&-rough, SNAP)];
    // The conditions of 2 hold for -n.
    let for_normal = [shown[0], reversed(&shown[1])];
    let normal = match for_normal {
        [Exposed::Point, Exposed::Point] => *rough,
        [Exposed::Face(n), Exposed::Point] | [Exposed::Point, Exposed::Face(n)] => n,
        [Exposed::Line { axis, sine }, Exposed::Point]
        | [Exposed::Point, Exposed::Line { axis, sine }] => {
            let across = rough - axis * axis.dot(rough);
            axis * sine + across.normalize() * (1.0 - sine * sine).sqrt()
        }
        [
            Exposed::Line { axis: p, sine: s },
            Exposed::Line { axis: q, sine: t },
        ] => on_two(&p, s, &q, t, rough)?,
        // A face along a face or a line: not among random attitudes.
        _ => return None,
    };
    let normal = normal.normalize();
    if (normal - rough).norm() > 10.0 * SNAP {
        return None;
    }
    let (base_1, along_1) = a.spanned(&normal, &shown[0]);
    let (base_2, along_2) = b.spanned(&-normal, &shown[1]);
    let lines = along_1.iter().chain(&along_2).copied().collect();
    let (x1, x2) = nearest(&(base_1, along_1), &(base_2, along_2), boundary)?;
    if a.outside(&x1) > 1e-15 || b.outside(&x2) > 1e-15 {
        return None;
    }
    Some(Edge {
        normal,
        touching: x1 - x2,
        lines,
    })
}

fn reversed(exposed: &Exposed) -> Exposed {
    match exposed {
        Exposed::Point => Exposed::Point,
        Exposed::Line { axis, sine } => Exposed::Line {
            axis: -axis,
            sine: *sine,
        },
        Exposed::Face(normal) => Exposed::Face(-normal),
    }
}

/// The unit vector with n.p = s and n.q = t on the side of `rough`; none where p and q are so near
/// to parallel that rounding shows.
fn on_two(p: &Vec3, s: f64, q: &Vec3, t: f64, rough: &Vec3) -> Option<Vec3> {
    let cross = p.cross(q);
    let square = cross.norm_squared();
    if square < 0.05 {
        return None;
    }
    let cosine = p.dot(q);
    let flat = p * ((s - t * cosine) / square) + q * ((t - s * cosine) / square);
    let rest = 1.0 - flat.norm_squared();
    (rest > 0.01).then(|| flat + cross * ((rest / square).sqrt() * cross.dot(rough).signum()))
}

type Span = (Vec3, Vec<Vec3>);

/// Points of two spans whose difference comes nearest to `wanted`.
fn nearest(span_1: &Span, span_2: &Span, wanted: &Vec3) -> Option<(Vec3, Vec3)> {
    let miss = wanted - (span_1.0 - span_2.0);
    let mut columns: Vec<Vec3> = span_1.1.clone();
    columns.extend(span_2.1.iter().map(|v| -v));
    let steps: Vec<f64> = match columns.as_slice() {
        [] => vec![],
        [p] => vec![miss.dot(p)],
        [p, q] => {
            let (cosine, along_p, along_q) = (p.dot(q), miss.dot(p), miss.dot(q));
            let scale = 1.0 - cosine * cosine;
            vec![
                (along_p - cosine * along_q) / scale,
                (along_q - cosine * along_p) / scale,
            ]
        }
        _ => return None,
    };
    let (mut x1, mut x2) = (span_1.0, span_2.0);
    for (k, step) in steps.iter().enumerate() {
        match span_1.1.get(k) {
            Some(v) => x1 += v * *step,
            None => x2 += span_2.1[k - span_1.1.len()] * *step,
        }
    }
    Some((x1, x2))
}

/// From how far the farthest point moves when the direction turns. Across a line it may not move at
/// all, however far it jumps along it.
fn smallest_curvature_radius(a: &Turned, b: &Turned, normal: &Vec3, lines: &[Vec3]) -> f64 {
    const TURN: f64 = 1e-6;
    let first = normal.cross(&Vec3::new(0.3, -0.5, 0.7)).normalize();
    let second = normal.cross(&first);
    let toward = |along: Vec3| {
        let ahead = difference(a, b, &(normal + along * TURN).normalize());
        let behind = difference(a, b, &(normal - along * TURN).normalize());
        along.dot(&(ahead - behind)) / (2.0 * TURN)
    };
    let at = |angle: f64| toward(first * angle.cos() + second * angle.sin());
    // The smallest of some angles, then a search between its neighbours.
    let apart = std::f64::consts::PI / 32.0;
    let (mut angle, mut smallest) = (0.0, f64::INFINITY);
    for k in 0..32 {
        let radius = at(apart * f64::from(k));
        if radius < smallest {
            (angle, smallest) = (apart * f64::from(k), radius);
        }
    }
    let mut step = 0.5 * apart;
    for _ in 0..24 {
        for side in [-step, step] {
            let radius = at(angle + side);
            if radius < smallest {
                (angle, smallest) = (angle + side, radius);
            }
        }
        step *= 0.5;
    }
    let smallest = lines
        .iter()
        .map(|line| toward(line.cross(normal)))
        .fold(smallest, f64::min);
    // Less than the rounding of the differences: a corner.
    if smallest < 1e-8 { 0.0 } else { smallest }
}
