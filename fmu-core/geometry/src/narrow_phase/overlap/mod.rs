//! Intersection of two convex polyhedra, exact to rounding: volume, surface, centroids, normals.
//!
//! The boundary of the intersection consists of the parts of the faces of each polyhedron within the other
//! one. Each face is cut as a polygon by the planes of the other; areas, first moments and, with pyramids
//! over a common apex, volumes are summed up over the polygons. Nothing is enlarged, merged or dualised, so
//! thin intersections keep their digits. It works for any scalar: cuts are chosen by values alone, and dual
//! numbers give exact derivatives.
//!
//! With a the area of a polygon and n its outward normal:
//! - contact point: centroid of the surface of the intersection
//! - area: half of that surface, for a thin intersection the area of its cross-section
//! - normal: sum_1 a n - sum_2 a n, scaled to length one. Published are weights a^2 of the triangles instead
//!   (T. Koziara, Solfec-1.0, contact points, 2019); those depend on the triangulation, and here are taken
//!   over whole polygons. Where a sum vanishes, as when one polyhedron contains the other, the direction of
//!   the minimum translation replaces it.
//! - gap: less the length of the minimum translation that separates them, or their distance. The published
//!   one, [`Workspace::gap_along`], is along a normal.
//!
//! A part where faces of both coincide to within the geometric epsilon, the same side outwards, is counted
//! once and enters no normal. Polyhedra that touch to rounding intersect in the common part of the touching
//! faces, seen from both sides: their area is its area, their volume zero. A point outside of one polyhedron,
//! which the published method rejects, does not occur.
//!
//! - [`clip`]: vertices, faces and edges of a core, both cores in one frame, the polygons
//!
//! # Sparsification of the contacts of two bodies that consist of several convex parts
//!
//! Small contacts beside large ones, and coincident points, make the contact of two bodies ill-conditioned.
//! Dropped of the new contacts (T. Koziara, Solfec-1.0, contact sparsification, 2019) are
//! 1. those of less than a smallest area,
//! 2. those of less than a part of the area of an adjacent contact,
//! 3. of those closer than a smallest distance, by the largest coordinate of their difference, all but one.
//!    The published `mindist` is half of this distance.
//!
//! Published is a loop that drops contacts as it runs, so that the result depends on the order. Here the
//! second rule compares with all contacts, dropped or not, and the third one keeps contacts by age, then
//! area, then coordinates. So the set that is kept depends on the contacts alone. Contacts that are not new
//! are always kept, and the rules compare with them like with any other.
//!
//! # Minimum translation that separates two overlapping convex polyhedra
//!
//! The points x2 - x1 of both form a convex polyhedron, the Minkowski difference; the origin is inside while
//! they overlap, and the nearest face gives the minimum translation. Faces have the normal of a face of 1,
//! the opposite normal of a face of 2, or are spanned by an edge of each: those whose arcs on the sphere of
//! normals cross (D. Gregorius, The separating axis test between convex polyhedra, Game Developers Conference
//! 2013). All are compared.

pub(crate) mod clip;

pub use clip::Polyhedron;

use crate::math::{Pose, Real, Vec3, length, norm};
use crate::narrow_phase::{Feature, query};
use clip::{PlacedPolyhedron, Polygons, Tolerance, for_each_piece};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::AddAssign;

/// Default distance at which faces coincide [m], as published.
pub const GEOMETRIC_EPSILON: f64 = 1e-6;
/// Rounding relative to the largest coordinate: of a rotation, a sum and a product, with some margin.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Relative size below which the sum of normals of a closed surface vanishes.
const VANISHING: f64 = 1e-10;

/// Intersection of two convex polyhedra, or their separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap<T: Real = f64> {
    /// The polyhedra have a point in common, to rounding.
    pub intersects: bool,
    /// Volume [m^3].
    pub volume: T,
    /// Centroid of the volume, world frame [m]; of the surface if the volume is zero.
    pub volume_centroid_w: Vec3<T>,
    /// Half of the surface area [m^2].
    pub area: T,
    /// Area of coincident faces [m^2].
    pub shared_area: T,
    /// Contact point: centroid of the surface, world frame [m]. For zero area the mean of its corners, if
    /// separate the middle of the nearest points.
    pub surface_centroid_w: Vec3<T>,
    /// Sum of a n over the surface parts of 1 alone and of 2 alone, world axes [m^2].
    pub vector_areas_w: [Vec3<T>; 2],
    /// Unit normal from 1 to 2 by weights a, world axes.
    pub normal_w: Vec3<T>,
    /// Unit normal from 1 to 2 by weights a^2, world axes.
    pub squared_normal_w: Vec3<T>,
    /// Distance, or less the depth of the minimum translation [m].
    pub gap: T,
    /// Unit vector along which 2 has to move by the depth, world axes; the normal if separate.
    pub direction_w: Vec3<T>,
    /// Faces of 1 and of 2 whose planes are nearest to the contact point; the first of equal ones.
    pub surfaces: [usize; 2],
    /// Whether 1 contains 2, and 2 contains 1.
    pub contains: [bool; 2],
}

/// Work arrays for pairs of polyhedra; they grow to the needs of the largest pair.
#[derive(Clone, Debug)]
pub struct Workspace<T: Real = f64> {
    placed: [PlacedPolyhedron<T>; 2],
    polygons: Polygons<T>,
    /// Corners of the last intersection, world axes, from the origin of 1 [m].
    corners: Vec<Vec3<T>>,
}

impl<T: Real> Default for Workspace<T> {
    fn default() -> Self {
        Workspace {
            placed: [PlacedPolyhedron::new(), PlacedPolyhedron::new()],
            polygons: Polygons::new(),
            corners: Vec::new(),
        }
    }
}

/// Sums over the surface, in the frame of 1, about `apex`.
struct Sums<T: Real> {
    apex: Vec3<T>,
    volume: T,
    volume_moment: Vec3<T>,
    area: T,
    shared_area: T,
    area_moment: Vec3<T>,
    vector_areas: [Vec3<T>; 2],
    squared: Vec3<T>,
    squares: T,
}

impl<T: Real> Workspace<T> {
    /// Intersection of two polyhedra at two poses. Two half-spaces never touch.
    pub fn overlap(
        &mut self,
        shapes: [&Polyhedron; 2],
        poses: [&Pose<T>; 2],
        epsilon: f64,
    ) -> Overlap<T> {
        self.corners.clear();
        let [pose_1, pose_2] = poses;
        let relative = Pose {
            position: pose_1.rotation.tr_mul(&(pose_2.position - pose_1.position)),
            rotation: pose_1.rotation.tr_mul(&pose_2.rotation),
        };
        self.placed[0].place(shapes[0], &Pose::identity());
        self.placed[1].place(shapes[1], &relative);
        if shapes.iter().all(|shape| shape.is_half_space()) {
            return self.apart(shapes, poses);
        }
        let rounding = ROUNDING * self.largest_coordinate();
        let (nearest, contains) = smallest(shapes, &self.placed, rounding);
        if nearest.separation.value() > rounding {
            return self.apart(shapes, poses);
        }
        let small = usize::from(shapes[1].radius() < shapes[0].radius());
        let tolerance = Tolerance {
            center: self.placed[small].center.map(Real::value),
            radius: shapes[small].radius(),
            shared: epsilon.max(rounding),
            touching: rounding,
        };
        let mut sums = self.summed(shapes, &tolerance);
        if nearest.separation.value() >= -rounding {
            sums.volume = T::zero();
        }
        let surface_centroid = self.surface_centroid(&sums);
        let volume_centroid = if sums.volume.value() > 0.0 {
            sums.apex + sums.volume_moment * sums.volume.recip()
        } else {
            surface_centroid
        };
        let turned = |v: &Vec3<T>| pose_1.rotation * v;
        let direction_w = turned(&nearest.direction);
        let difference = sums.vector_areas[0] - sums.vector_areas[1];
        let unit_or_direction = |sum: Vec3<T>, lengths: T| {
            if length(&sum).value() > VANISHING * lengths.value() {
                turned(&(sum * norm(&sum).recip()))
            } else {
                direction_w
            }
        };
        let found = Overlap {
            intersects: true,
            volume: sums.volume.positive_part(),
            volume_centroid_w: turned(&volume_centroid) + pose_1.position,
            area: sums.area * 0.5,
            shared_area: sums.shared_area,
            surface_centroid_w: turned(&surface_centroid) + pose_1.position,
            vector_areas_w: [0, 1].map(|side| turned(&sums.vector_areas[side])),
            normal_w: unit_or_direction(difference, sums.area),
            squared_normal_w: unit_or_direction(sums.squared, sums.squares),
            gap: nearest.separation,
            direction_w,
            surfaces: self.surfaces(&surface_centroid, rounding),
            contains,
        };
        for corner in &mut self.corners {
            *corner = turned(corner);
        }
        found
    }

    /// Published gap [m], <= 0, of the last intersection along a unit normal from 1 to 2, for the same shapes
    /// and poses. With the width w of the intersection along the normal, 2 is moved by 2 w; the gap is the
    /// distance then, less 2 w, or zero if that is positive.
    ///
    /// The published description moves both towards each other, which is a sign error.
    pub fn gap_along(
        &self,
        shapes: [&Polyhedron; 2],
        poses: [&Pose<T>; 2],
        normal_w: &Vec3<T>,
    ) -> T {
        let mut ends: Option<[T; 2]> = None;
        for along in self.corners.iter().map(|corner| corner.dot(normal_w)) {
            let [least, most] = ends.unwrap_or([along; 2]);
            ends = Some([
                if along.value() < least.value() {
                    along
                } else {
                    least
                },
                if along.value() > most.value() {
                    along
                } else {
                    most
                },
            ]);
        }
        let Some([least, most]) = ends else {
            return T::zero();
        };
        let way = (most - least) * 2.0;
        let moved = Pose {
            position: poses[1].position + normal_w * way,
            ..*poses[1]
        };
        let [form_1, form_2] = shapes.map(Polyhedron::form);
        let apart = query(form_1, poses[0], form_2, &moved, &Feature::None).gap;
        let gap = apart.positive_part() - way;
        if gap.value() < 0.0 { gap } else { T::zero() }
    }

    fn largest_coordinate(&self) -> f64 {
        let points = self.placed.iter().flat_map(|placed| &placed.points);
        let walls = self.placed.iter().flat_map(|placed| &placed.walls);
        let largest = points.map(|p| p.amax()).fold(0.0, f64::max);
        walls.map(|w| w.offset.abs()).fold(largest, f64::max)
    }

    /// Sums over the surface of the intersection; keeps its corners.
    fn summed(&mut self, shapes: [&Polyhedron; 2], tolerance: &Tolerance) -> Sums<T> {
        let zero = Vec3::zeros();
        let mut sums = Sums {
            apex: zero,
            volume: T::zero(),
            volume_moment: zero,
            area: T::zero(),
            shared_area: T::zero(),
            area_moment: zero,
            vector_areas: [zero; 2],
            squared: zero,
            squares: T::zero(),
        };
        let Workspace {
            placed,
            polygons,
            corners,
        } = self;
        for side in 0..2 {
            for_each_piece(side, shapes, placed, tolerance, polygons, |piece| {
                // A corner of the intersection as the apex, so that thin ones keep their digits.
                if corners.is_empty() {
                    sums.apex = piece.corners[0].map(|c| T::from(c.value()));
                }
                corners.extend(piece.corners);
                sums.add(side, piece);
            });
        }
        sums
    }

    fn surface_centroid(&self, sums: &Sums<T>) -> Vec3<T> {
        if sums.area.value() > 0.0 {
            return sums.apex + sums.area_moment * sums.area.recip();
        }
        let mut mean = Vec3::zeros();
        for corner in &self.corners {
            mean += (corner - sums.apex) * T::from(1.0 / self.corners.len() as f64);
        }
        sums.apex + mean
    }

    /// Faces whose planes are nearest to a point in the frame of 1.
    fn surfaces(&self, point: &Vec3<T>, rounding: f64) -> [usize; 2] {
        let point = point.map(Real::value);
        [0, 1].map(|side| {
            let mut best = (f64::INFINITY, 0);
            for (number, wall) in self.placed[side].walls.iter().enumerate() {
                let height = wall.height(&point).abs();
                if height < best.0 - rounding {
                    best = (height, number);
                }
            }
            best.1
        })
    }

    fn apart(&self, shapes: [&Polyhedron; 2], poses: [&Pose<T>; 2]) -> Overlap<T> {
        let [form_1, form_2] = shapes.map(Polyhedron::form);
        let near = query(form_1, poses[0], form_2, poses[1], &Feature::None);
        let point_w = near.contact_point_w();
        let point = poses[0].rotation.tr_mul(&(point_w - poses[0].position));
        Overlap {
            intersects: false,
            volume: T::zero(),
            volume_centroid_w: point_w,
            area: T::zero(),
            shared_area: T::zero(),
            surface_centroid_w: point_w,
            vector_areas_w: [Vec3::zeros(); 2],
            normal_w: near.normal_w,
            squared_normal_w: near.normal_w,
            gap: near.gap,
            direction_w: near.normal_w,
            surfaces: self.surfaces(&point, ROUNDING * self.largest_coordinate()),
            contains: [false; 2],
        }
    }
}

fn signed(side: usize) -> f64 {
    if side == 0 { 1.0 } else { -1.0 }
}

impl<T: Real> Sums<T> {
    /// Adds a polygon: pyramid over the apex, of height h and volume h a/3, whose centroid lies at three
    /// quarters of the way from the apex to the polygon's centroid.
    fn add(&mut self, side: usize, piece: &clip::Piece<'_, T>) {
        let Some(corner) = piece.corners.first() else {
            return;
        };
        let (area, moment) = piece.area_and_moment(&self.apex);
        let height = (corner - self.apex).dot(&piece.normal);
        self.volume += height * area * T::from(1.0 / 3.0);
        self.volume_moment += moment * (height * 0.25);
        self.area += area;
        self.area_moment += moment;
        if piece.is_shared {
            self.shared_area += area;
            return;
        }
        let square = area * area;
        self.vector_areas[side] += piece.normal * area;
        self.squared += piece.normal * (square * signed(side));
        self.squares += square;
    }
}

/// Rules for dropping contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sparsification {
    /// Smallest area relative to an adjacent contact [1], 0..1.
    pub threshold: f64,
    /// Smallest area [m^2].
    pub smallest_area: f64,
    /// Distance within which contacts coincide [m].
    pub smallest_distance: f64,
}

impl Sparsification {
    /// A hundredth of the area of an adjacent contact, and coincidence within the geometric epsilon, as
    /// published.
    pub const DEFAULT: Sparsification = Sparsification {
        threshold: 0.01,
        smallest_area: 0.0,
        smallest_distance: 2.0 * GEOMETRIC_EPSILON,
    };
}

/// One of the contacts of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Area [m^2].
    pub area: f64,
    /// Contact point [m], in any common frame.
    pub point: Vec3,
    /// Whether the contact is new.
    pub is_new: bool,
}

/// Numbers of contacts kept and dropped; the first rule that drops a contact counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Kept.
    pub kept: usize,
    /// Dropped by their own area.
    pub small: usize,
    /// Dropped by the area of an adjacent contact.
    pub minor: usize,
    /// Dropped as too close to another contact.
    pub close: usize,
}

impl Statistics {
    /// Total, kept and dropped.
    pub fn found(&self) -> usize {
        self.kept + self.small + self.minor + self.close
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.kept += other.kept;
        self.small += other.small;
        self.minor += other.minor;
        self.close += other.close;
    }
}

/// Writes the indices of the contacts of two bodies that are kept to `kept`, ascending. `adjacent` returns
/// true if the parts of two contacts are neighbours on one of the bodies, or the same.
pub fn sparsify(
    contacts: &[Candidate],
    rules: &Sparsification,
    adjacent: impl Fn(usize, usize) -> bool,
    kept: &mut Vec<usize>,
) -> Statistics {
    let mut found = Statistics::default();
    kept.clear();
    for (i, contact) in contacts.iter().enumerate() {
        let outdone = |(j, other): (usize, &Candidate)| {
            j != i && contact.area < rules.threshold * other.area && adjacent(i, j)
        };
        if !contact.is_new {
            kept.push(i);
        } else if contact.area < rules.smallest_area {
            found.small += 1;
        } else if contacts.iter().enumerate().any(outdone) {
            found.minor += 1;
        } else {
            kept.push(i);
        }
    }
    kept.sort_unstable_by(|i, j| order(&contacts[*i], &contacts[*j]));
    let mut count = 0;
    for place in 0..kept.len() {
        let contact = &contacts[kept[place]];
        let is_close = |other: &usize| {
            (contacts[*other].point - contact.point).amax() < rules.smallest_distance
        };
        if contact.is_new && kept[..count].iter().any(is_close) {
            found.close += 1;
        } else {
            kept[count] = kept[place];
            count += 1;
        }
    }
    kept.truncate(count);
    kept.sort_unstable();
    found.kept = count;
    found
}

fn order(a: &Candidate, b: &Candidate) -> Ordering {
    let by_age = a.is_new.cmp(&b.is_new);
    let by_area = || b.area.total_cmp(&a.area);
    let by_coordinate = |i: usize| a.point[i].total_cmp(&b.point[i]);
    by_age
        .then_with(by_area)
        .then_with(|| by_coordinate(0))
        .then_with(|| by_coordinate(1))
        .then_with(|| by_coordinate(2))
}

/// Nearest face of the Minkowski difference.
#[derive(Clone, Copy, Debug, PartialEq)]
enum NearestFeature {
    /// Face of 1 or 2, by side and index.
    Face(usize, usize),
    /// Edge of each, and the sign that makes the product of their directions point outwards.
    Edges([usize; 2], f64),
}

/// Direction of the largest separation of two polyhedra.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Translation<T: Real> {
    /// Separation along `direction` [m]; negative: depth of the overlap.
    pub separation: T,
    /// Unit vector along which 2 has to move away from 1.
    pub direction: Vec3<T>,
}

fn range(heights: impl Iterator<Item = f64>) -> [f64; 2] {
    heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], h| {
        [least.min(h), most.max(h)]
    })
}

/// Minimum translation, and whether 1 contains 2 and 2 contains 1, to `rounding` [m]. Faces take precedence
/// over edges where translations differ by rounding.
pub(crate) fn smallest<T: Real>(
    shapes: [&Polyhedron; 2],
    placed: &[PlacedPolyhedron<T>; 2],
    rounding: f64,
) -> (Translation<T>, [bool; 2]) {
    let mut best = (f64::NEG_INFINITY, NearestFeature::Face(0, 0));
    let mut contains = [true; 2];
    for side in 0..2 {
        let points = &placed[1 - side].points;
        if points.is_empty() {
            // A half-space reaches to infinity below any face.
            contains[side] = false;
            continue;
        }
        for (number, wall) in placed[side].walls.iter().enumerate() {
            let [least, most] = range(points.iter().map(|p| wall.height(p)));
            contains[side] &= most <= rounding;
            if least > best.0 + rounding {
                best = (least, NearestFeature::Face(side, number));
            }
        }
    }
    for (i, edge_1) in shapes[0].edges().iter().enumerate() {
        let [a, b] = edge_1.faces.map(|f| placed[0].walls[f as usize].normal);
        let [p, end] = edge_1.vertices.map(|v| placed[0].points[v as usize]);
        let along_1 = end - p;
        for (j, edge_2) in shapes[1].edges().iter().enumerate() {
            let [c, d] = edge_2.faces.map(|f| -placed[1].walls[f as usize].normal);
            // Both ends of an arc lie on either side of the plane of the other one.
            let [c_beside, d_beside] = [c.dot(&along_1), d.dot(&along_1)];
            if c_beside * d_beside >= 0.0 {
                continue;
            }
            let [q, end] = edge_2.vertices.map(|v| placed[1].points[v as usize]);
            let along_2 = end - q;
            let [a_beside, b_beside] = [a.dot(&along_2), b.dot(&along_2)];
            // Along 1 is along a x b, along 2 along d x c up to sign: the crossing is on the near
            // side of the sphere where the common normal has part of a and b, and of c and d.
            let cross = along_1.cross(&along_2);
            if a_beside * b_beside >= 0.0 {
                continue;
            }
            let sign = f64::copysign(1.0, cross.dot(&(a + b)));
            let normal = cross * (sign / cross.norm());
            if normal.dot(&(c + d)) <= 0.0 {
                continue;
            }
            let separation = normal.dot(&(q - p));
            if separation > best.0 + rounding {
                best = (separation, NearestFeature::Edges([i, j], sign));
            }
        }
    }
    (along(shapes, placed, best.1), contains)
}

/// Separation along the normal of a face of the Minkowski difference.
fn along<T: Real>(
    shapes: [&Polyhedron; 2],
    placed: &[PlacedPolyhedron<T>; 2],
    nearest: NearestFeature,
) -> Translation<T> {
    match nearest {
        NearestFeature::Face(side, number) => {
            let Some(plane) = placed[side].planes.get(number) else {
                return Translation {
                    separation: T::from(f64::NEG_INFINITY),
                    direction: Vec3::x(),
                };
            };
            let mut separation = T::from(f64::INFINITY);
            for height in placed[1 - side].vertices.iter().map(|v| plane.height(v)) {
                if height.value() < separation.value() {
                    separation = height;
                }
            }
            Translation {
                separation,
                direction: plane.normal * T::from(if side == 0 { 1.0 } else { -1.0 }),
            }
        }
        NearestFeature::Edges([i, j], sign) => {
            let ends = |side: usize, edge: usize| {
                let ends = shapes[side].edges()[edge].vertices;
                ends.map(|v| placed[side].vertices[v as usize])
            };
            let ([p, p_end], [q, q_end]) = (ends(0, i), ends(1, j));
            let cross = (p_end - p).cross(&(q_end - q));
            let direction = cross * (norm(&cross).recip() * sign);
            Translation {
                separation: direction.dot(&(q - p)),
                direction,
            }
        }
    }
}
