//! Faces that meet flat: the area over which one shape rests on another.
//!
//! 1. the two faces: the most opposite ones as the shapes are placed, of these the farthest apart
//! 2. one shape turns by the smallest angle about the middle of its face until the faces are
//!    parallel, and moves along their normal to the depth [`DEPTH`]; if they have less than half of
//!    the smaller face in common there, its face is centred on the other one, if that overlaps more
//! 3. area, centre and second moments of area are sums over the nodes of the patch

use crate::math::real::atan2;
use crate::math::spatial::exponential;
use crate::math::{Pose, Vec3};
use crate::narrow_phase::area::{Patch, Placed};
use crate::shapes::{Core, RoundedShape};
use std::f64::consts::PI;

/// Depth over the length of an edge [1]: this part of area and second moments is lost at the edges;
/// rounding of positions is smaller.
const DEPTH: f64 = 1e-7;
/// Energy of a patch over force times depth, up to which it is the flat contact of faces, with 1/2.
const FLAT: f64 = 0.6;
/// Cosines of angles between faces that differ by less are equal [1].
const SAME: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FlatFace {
    pub(crate) normal: Vec3,
    pub center: Vec3,
    pub area: f64,
}

/// Two faces in flat contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatContact {
    /// Common area [m2].
    pub area: f64,
    /// Pose of the shape that was moved.
    pub pose: Pose,
    /// Depth there [m].
    depth: f64,
    /// Centroid of the area [m].
    pub center_w: Vec3,
    /// Unit normal, out of the shape that was moved.
    pub normal_w: Vec3,
    /// Perpendicular unit vectors in the plane of the area.
    pub axes_w: [Vec3; 2],
    /// Integrals of y^2, x^2 and -x y over the area [m4], x and y along the axes from the centroid:
    /// times the stiffness per area, the rotational stiffness about both axes.
    pub second: [f64; 3],
}

pub(super) fn faces(core: &Core) -> Vec<FlatFace> {
    let both = |axis: usize, offset: f64, area: f64| {
        [1.0, -1.0].map(|side| {
            let mut normal = Vec3::zeros();
            normal[axis] = side;
            FlatFace {
                normal,
                center: normal * offset,
                area,
            }
        })
    };
    match core {
        Core::HalfSpace => vec![both(2, 0.0, f64::INFINITY)[0]],
        Core::Box(cuboid) => {
            let half = &cuboid.half;
            let of = |axis: usize| {
                let area = 4.0 * half[(axis + 1) % 3] * half[(axis + 2) % 3];
                both(axis, half[axis], area)
            };
            (0..3).flat_map(of).collect()
        }
        Core::Cylinder(cylinder) => {
            let area = PI * cylinder.radius * cylinder.radius;
            both(2, cylinder.half, area).to_vec()
        }
        Core::Cone(cone) => {
            let ends = cone.z.into_iter().zip(cone.radii).zip([-1.0, 1.0]);
            let flat = ends.filter(|((_, radius), _)| *radius > 0.0);
            let flat = flat.map(|((z, radius), side)| FlatFace {
                normal: Vec3::new(0.0, 0.0, side),
                center: Vec3::new(0.0, 0.0, z),
                area: PI * radius * radius,
            });
            flat.collect()
        }
        Core::Beam(beam) => {
            let (r, half) = (beam.radius, beam.half);
            let stadium = both(1, beam.half_thickness, PI * r * r + 4.0 * r * half);
            let sides = both(0, r, 4.0 * beam.half_thickness * half);
            stadium.into_iter().chain(sides).collect()
        }
        Core::Hull(hull) => {
            let mut list = Vec::new();
            hull.faces().for_each(|normal, edges| {
                let corner = |index: u32| hull.vertices()[index as usize];
                list.push(polygon(normal, edges.iter().map(|edge| edge.map(corner))));
            });
            list
        }
        Core::Mesh(mesh) => {
            let cells = mesh.cells();
            let face = |face: usize| {
                let corners = cells.corners(face);
                let at = |k: usize| cells.vertex(corners[k % corners.len()]).point;
                let edges = (0..corners.len()).map(|k| [at(k), at(k + 1)]);
                polygon(&cells.faces[face].normal, edges)
            };
            (0..cells.faces.len()).map(face).collect()
        }
        _ => Vec::new(),
    }
}

/// Face between its edges, counter-clockwise about the normal.
fn polygon(normal: &Vec3, mut edges: impl Iterator<Item = [Vec3; 2]>) -> FlatFace {
    // The first edge spans nothing with its own start.
    let first = edges.next().map_or(Vec3::zeros(), |edge| edge[0]);
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    for [a, b] in edges {
        let (a, b) = (a - first, b - first);
        let part = 0.5 * a.cross(&b).dot(normal);
        area += part;
        moment += (a + b) * (part / 3.0);
    }
    FlatFace {
        normal: *normal,
        center: first + moment / area,
        area,
    }
}

impl FlatContact {
    /// Flat contact of two shapes, of which shape `moving` is moved; `None` without flat faces on
    /// both, and for concave bodies that overlap elsewhere where these meet.
    pub fn of(shapes: [Placed<'_, f64>; 2], moving: usize) -> Option<Self> {
        let [own, other] = [shapes[moving], shapes[1 - moving]];
        let (face, target) = most_opposite(own, other)?;
        let (to, pose) = (-target.normal, turned(own.1, &face, &-target.normal));
        let depth = DEPTH * face.area.min(target.area).sqrt();
        let way = target.center - face.center;
        let along = to * (to.dot(&way) + depth);
        let across = way - to * to.dot(&way);
        let at = |by: Vec3| {
            let mut pose = pose;
            pose.position += by;
            measure(own.0, pose, other, &to, depth)
        };
        let below = at(along);
        let common = below.map_or(0.0, |contact| contact.area);
        // Half of it in common is a half that rounding may have taken from.
        if common > 0.499 * face.area.min(target.area) {
            return below;
        }
        at(along + across)
            .filter(|middle| middle.area > common)
            .or(below)
    }

    /// Force along the normal over stiffness per area [m3] of the same shapes, the moved one `depth` [m] deep along it:
    /// `area` times `depth` while nothing but the faces touches.
    pub fn volume(&self, shapes: [Placed<'_, f64>; 2], moving: usize, depth: f64) -> f64 {
        let mut pose = self.pose;
        pose.position += self.normal_w * (depth - self.depth);
        let patch = pressed(shapes[moving].0, &pose, shapes[1 - moving]);
        let along = |normal: &Vec3| normal.dot(&self.normal_w);
        patch
            .nodes
            .sum(0.0, |node| node.force * along(&node.normal))
    }
}

/// The two most opposite faces, placed.
fn most_opposite(own: Placed<'_, f64>, other: Placed<'_, f64>) -> Option<(FlatFace, FlatFace)> {
    let placed = |(shape, pose): Placed<'_, f64>| {
        let mut list = faces(&shape.core);
        for face in &mut list {
            face.normal = pose.rotation * face.normal;
            face.center = pose.position + pose.rotation * face.center;
        }
        list
    };
    let targets = placed(other);
    let mut best: Option<(f64, f64, FlatFace, FlatFace)> = None;
    for face in placed(own) {
        for target in &targets {
            let opposite = -face.normal.dot(&target.normal);
            let apart = target.normal.dot(&(face.center - target.center));
            let is_better = best.is_none_or(|(least, gap, ..)| {
                opposite > least + SAME || (opposite > least - SAME && apart > gap)
            });
            if is_better {
                best = Some((opposite, apart, face, *target));
            }
        }
    }
    best.map(|(_, _, face, target)| (face, target))
}

/// Pose after the smallest rotation about the middle of a face that turns its normal to `to`.
fn turned(pose: &Pose, face: &FlatFace, to: &Vec3) -> Pose {
    let cross = face.normal.cross(to);
    let (sine, cosine) = (cross.norm(), face.normal.dot(to));
    let angle = atan2(sine, cosine);
    let axis = match sine > 1e-12 {
        true => cross / sine,
        // Half a turn, about any perpendicular axis.
        false => axes_across(to)[0],
    };
    let turn = exponential(&(axis * angle));
    Pose {
        position: face.center + turn * (pose.position - face.center),
        rotation: turn * pose.rotation,
    }
}

/// Two unit vectors that form an orthonormal basis with a normal.
fn axes_across(normal: &Vec3) -> [Vec3; 2] {
    let mut axis = Vec3::zeros();
    axis[normal.abs().imin()] = 1.0;
    let first = (axis - normal * normal.dot(&axis)).normalize();
    [first, normal.cross(&first)]
}

/// Patch of a shape at a pose, with a stiffness per area of 1 N/m3 of both in series.
fn pressed(shape: &RoundedShape, pose: &Pose, other: Placed<'_, f64>) -> Patch<f64> {
    let mut patch = Patch::default();
    patch.find([(shape, pose), other], [2.0; 2], 0.0);
    patch
}

/// Sums over the patch of a shape at a pose; `None` without a force.
fn measure(
    shape: &RoundedShape,
    pose: Pose,
    other: Placed<'_, f64>,
    normal: &Vec3,
    depth: f64,
) -> Option<FlatContact> {
    let patch = pressed(shape, &pose, other);
    let nodes = &patch.nodes;
    let force = nodes.sum(0.0, |node| node.force);
    // What is no number is none. Concave bodies may overlap elsewhere too, and deeper.
    let is_flat = patch.energy <= FLAT * force * depth;
    if force.is_nan() || force <= 0.0 || !is_flat {
        return None;
    }
    let first = nodes.sum(Vec3::zeros(), |node| node.point * node.force);
    let center = first / force;
    let axes = axes_across(normal);
    let moment = |of: &dyn Fn([f64; 2]) -> f64| {
        nodes.sum(0.0, |node| {
            let off = node.point - center;
            node.force * of(axes.map(|axis| axis.dot(&off)))
        }) / depth
    };
    Some(FlatContact {
        area: force / depth,
        pose,
        depth,
        center_w: patch.origin_w + center,
        normal_w: *normal,
        axes_w: axes,
        second: [
            moment(&|[_, y]| y * y),
            moment(&|[x, _]| x * x),
            moment(&|[x, y]| -x * y),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::shapes::{Hull, Mesh};

    /// The edges of a patch lose 1e-7 of their length.
    fn near(found: f64, expected: f64) {
        let off = (found - expected).abs();
        let scale = expected.abs().max(1e-12);
        assert!(off <= 2e-6 * scale, "{found:e} is not {expected:e}");
    }

    fn at(position: [f64; 3], turn: [f64; 3]) -> Pose {
        Pose {
            position: Vec3::from(position),
            rotation: exponential(&Vec3::from(turn)),
        }
    }

    /// Both second moments about axes of the world [m4].
    fn seconds(contact: &FlatContact, axes: [Vec3; 2]) -> [f64; 2] {
        let [i_11, i_22, i_12] = contact.second;
        axes.map(|axis| {
            let [x, y] = contact.axes_w.map(|own| own.dot(&axis));
            i_11 * x * x + i_22 * y * y + 2.0 * i_12 * x * y
        })
    }

    #[test]
    fn a_tilted_brick_comes_to_lie_on_its_nearest_face() {
        let brick = RoundedShape::cuboid(&[0.3, 0.2, 0.1], 0.0);
        let (ground, origin) = (RoundedShape::half_space(), Pose::identity());
        let contact = |turn| {
            let pose = at([1.0, 2.0, 3.0], turn);
            FlatContact::of([(&ground, &origin), (&brick, &pose)], 1).unwrap()
        };
        let flat = contact([0.0, 0.4, 0.0]);
        near(flat.area, 0.06);
        let [about_x, about_y] = seconds(&flat, [Vec3::x(), Vec3::y()]);
        near(about_x, 0.3 * 0.2_f64.powi(3) / 12.0);
        near(about_y, 0.2 * 0.3_f64.powi(3) / 12.0);
        near(flat.normal_w.z, -1.0);
        assert!((flat.pose.rotation - Mat3::identity()).norm() < 1e-9);
        // On the face of 0.2 m x 0.1 m, whose normal is along -x of the brick or along x.
        near(contact([0.0, 1.2, 0.0]).area, 0.02);
        near(contact([1.2, 0.0, 0.0]).area, 0.03);
    }

    #[test]
    fn an_overhanging_brick_has_the_common_area_and_one_beside_comes_to_the_middle() {
        let [below, above] =
            [[0.4, 0.4, 0.1], [0.2, 0.1, 0.05]].map(|l| RoundedShape::cuboid(&l, 0.0));
        let contact = |x: f64| {
            let poses = [at([0.0; 3], [0.0; 3]), at([x, 0.0, 0.08], [0.0; 3])];
            FlatContact::of([(&below, &poses[0]), (&above, &poses[1])], 1).unwrap()
        };
        let over = contact(0.15);
        near(over.area, 0.015);
        near(over.center_w.x, 0.125);
        near(over.center_w.z, 0.05);
        let [about_x, about_y] = seconds(&over, [Vec3::x(), Vec3::y()]);
        near(about_x, 0.15 * 1e-3 / 12.0);
        near(about_y, 0.1 * 0.15_f64.powi(3) / 12.0);
        // Beside it, and higher, the faces of the sides are the farthest apart.
        let beside = contact(0.35);
        near(beside.area, 0.1 * 0.05);
        near(beside.center_w.x, 0.2);
        assert!(beside.center_w.z.abs() < 1e-9);
        // With a fifth of its face above the other one it would fall.
        near(contact(0.26).area, 0.02);
        // Half of it stays.
        near(contact(0.2).area, 0.01);
    }

    /// A ball with facets of 2 degrees lies between the balls through its vertices and within its faces; the part of
    /// a ball cut off at depth d has the volume pi d^2 (r - d/3).
    #[test]
    fn a_ball_of_facets_presses_with_the_volume_cut_off() {
        let (n, r) = (180_u32, 0.1_f64);
        let angle = |i: u32| 2.0 * PI * f64::from(i) / f64::from(n);
        let mut corners = vec![[0.0, 0.0, -r]];
        for (row, column) in (1..n / 2).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let (s, c) = angle(row).sin_cos();
            let (y, x) = angle(column).sin_cos();
            corners.push([r * s * x, r * s * y, -r * c]);
        }
        corners.push([0.0, 0.0, r]);
        let corner = |row: u32, column: u32| match row {
            0 => 0,
            _ if row == n / 2 => 1 + (n / 2 - 1) * n,
            _ => 1 + (row - 1) * n + column % n,
        };
        let cells = (0..n / 2).flat_map(|row| (0..n).map(move |column| (row, column)));
        let triangles = cells.flat_map(|(i, j)| {
            let [a, b, c, d] = [
                corner(i, j),
                corner(i, j + 1),
                corner(i + 1, j + 1),
                corner(i + 1, j),
            ];
            [[a, b, c], [a, c, d]]
        });
        let triangles = triangles.filter(|[a, b, c]| a != b && b != c && c != a);
        let triangles = triangles.collect();
        let mesh = Mesh::new(corners, triangles).unwrap();
        let ball = RoundedShape::mesh(mesh);
        let (ground, origin) = (RoundedShape::half_space(), Pose::identity());
        let pose = at([0.0, 0.0, 0.2], [1.5, 0.1, 0.0]);
        let shapes = [(&ground, &origin), (&ball, &pose)];
        let flat = FlatContact::of(shapes, 1).unwrap();
        // The middle of a face is less than 2 degrees from its corners.
        let inner = r * angle(1).cos();
        let cap = |r: f64, d: f64| PI * d * d * (r - d / 3.0);
        for depth in [1e-3, 2e-3, 4e-3] {
            let volume = flat.volume(shapes, 1, depth);
            let [least, most] = [cap(inner, depth + inner - r), cap(r, depth + r - inner)];
            assert!(
                (least..most).contains(&volume),
                "{depth}: {volume} in {least}..{most}"
            );
        }
        // A facet of length l, and strips of width d/tan 2 deg of its neighbours: 2 d/(l tan 2 deg) more.
        let share = flat.volume(shapes, 1, 1e-7) / (1e-7 * flat.area);
        assert!((1.0005..1.003).contains(&share), "{share}");
    }

    #[test]
    fn round_ends_and_hulls_have_their_areas() {
        let r = 0.05_f64;
        let ground = RoundedShape::half_space();
        let stand = |shape: &RoundedShape| {
            let (origin, pose) = (Pose::identity(), at([0.0, 0.0, 1.0], [0.1, 0.2, 0.0]));
            FlatContact::of([(shape, &pose), (&ground, &origin)], 0).unwrap()
        };
        let cylinder = stand(&RoundedShape::cylinder(2.0 * r, 0.1, 0.0));
        near(cylinder.area, PI * r * r);
        near(cylinder.second[0], PI * r.powi(4) / 4.0);
        near(cylinder.second[1], PI * r.powi(4) / 4.0);
        assert!(cylinder.second[2].abs() < 1e-6 * r.powi(4));
        let cone = stand(&RoundedShape::cone(2.0 * r, 0.0, 0.1, 0.0));
        near(cone.area, PI * r * r);
        // A tetrahedron stands on a right-angled triangle.
        let corners = vec![[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let hull = RoundedShape::hull(Hull::new(corners, triangles).unwrap(), 0.0);
        let tetrahedron = stand(&hull);
        near(tetrahedron.area, 0.045);
        let [i_11, i_22, _] = tetrahedron.second;
        // b h^3/36 about each leg's parallel.
        near(i_11 + i_22, 2.0 * 0.3_f64.powi(4) / 36.0);
        let list = faces(&hull.core);
        assert_eq!(list.len(), 4);
        let slanted = list.iter().find(|face| face.normal.min() > 0.0).unwrap();
        near(slanted.area, 0.5 * 3f64.sqrt() * 0.09);
        near(slanted.center.x, 0.1);
        near(slanted.center.z, 0.1);
    }
}
