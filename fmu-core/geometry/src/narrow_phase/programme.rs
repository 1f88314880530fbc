//! Linear programme of two cells: the largest depth that is equal in both.

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::area::cells::{depth_in, for_each_side};
use crate::narrow_phase::area::{Linear, face_count, plane};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Aabb, Core};

/// Slope of the depth [1] along a plane or a line up to which it is constant there.
const LEVEL: f64 = 1e-12;
/// Violation of a constraint, relative to the coordinates, that is rounding.
const ROUNDING: f64 = 4e-15;
/// Square of the sine of the angle up to which two planes are parallel.
const PARALLEL: f64 = 1e-22;
/// Number of planes kept for a cell; those beyond are made again where they are needed.
const KEPT: usize = 24;
/// Number of corners up to which a cell is compared with the planes of another first.
const CORNERS: usize = 8;
/// Number of constraints a solution remembers as violated; if there are more, it forgets those off the last place.
const VIOLATED: usize = 24;
/// Bound of the steps of a solution, which rounding could make circular.
const STEPS: usize = 1000;
const NONE: u32 = u32::MAX;

/// The other core.
#[derive(Clone, Copy)]
pub(super) enum Partner<'a> {
    Mesh(&'a Cells),
    Convex(&'a Core),
}

/// The largest depth d_a in a cell of a mesh where d_b >= d_a, in a cell of the other body or in a convex
/// core.
///
/// The constraint that is violated most is taken next: the solution lies on its plane, there again by those taken
/// before (Seidel 1991), on a line of two planes, at most on three. The start is a ball around the cell. Where the
/// depth is level along a plane or a line, the point nearest to the middle is taken.
pub(super) struct Programme<'a> {
    pub(super) a: &'a Cells,
    pub(super) b: Partner<'a>,
    pub(super) cells: [[u32; 2]; 2],
}

/// Where a point of cells may be, and how deep it is at most; frame of a.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) bounds: Aabb,
    pub(super) depth: Linear,
}

/// A cell in the frame of a; of a convex core only its box.
#[derive(Clone, Copy)]
pub(super) struct SeenCell {
    /// Its box and its depth.
    pub(super) of: Reach,
    /// The first planes beside its face.
    planes: [Linear; KEPT],
    count: usize,
    corners: [Vec3; CORNERS],
    corner_count: usize,
}

pub(super) struct Deepest {
    pub(super) value: f64,
    /// Numbers of the planes on which the point lies, in order; [`NONE`] behind the last.
    pub(super) planes: [u32; 3],
}

/// Point and planes of a solution.
type Place = (Vec3, [u32; 3]);

/// What each step of a solution needs.
struct Enclosing {
    center: Vec3,
    radius: f64,
    depth: Linear,
    /// Depth that is not enough [m].
    most: f64,
    rounding: f64,
    /// Constraints that were violated, as unit functions.
    violated: [(u32, Linear); VIOLATED],
    count: usize,
}

pub(super) const NOTHING: Linear = Linear {
    gradient: Vec3::new(0.0, 0.0, 0.0),
    at_0: 0.0,
};

impl SeenCell {
    pub(super) fn around(bounds: Aabb) -> SeenCell {
        SeenCell {
            of: Reach {
                bounds,
                depth: NOTHING,
            },
            planes: [NOTHING; KEPT],
            count: 0,
            corners: [Vec3::zeros(); CORNERS],
            corner_count: 0,
        }
    }

    /// Returns true if a plane of one shows that no corner of the other is in it and deeper than `most`.
    pub(super) fn are_apart([one, other]: [&SeenCell; 2], most: f64) -> bool {
        one.is_above(other, most) || other.is_above(one, most)
    }

    fn is_above(&self, other: &SeenCell, most: f64) -> bool {
        let (planes, corners) = (self.count.min(KEPT), other.corner_count);
        if corners == 0 || corners > CORNERS || self.count == 0 {
            return false;
        }
        let is_out =
            |of: &Linear, level: f64| other.corners[..corners].iter().all(|x| of.at(x) <= level);
        is_out(&self.of.depth, most) || self.planes[..planes].iter().any(|plane| is_out(plane, 0.0))
    }

    /// Makes it a cell of a body at a pose.
    pub(super) fn set(&mut self, cells: &Cells, [face, part]: [usize; 2], pose: Option<&Pose>) {
        let placed_point = |x: Vec3| pose.map_or(x, |pose| pose.position + pose.rotation * x);
        let side = self;
        (side.count, side.corner_count, side.of.bounds) = (0, 0, Aabb::EMPTY);
        if cells.parts(face) > 1 {
            let corners = cells.tetrahedron(face, part);
            let corners = corners.map(|(point, depth)| (placed_point(point), depth));
            side.of.depth = depth_in(&corners);
            corners
                .iter()
                .for_each(|(point, _)| side.add_corner(*point));
            for_each_side(&corners, |plane| side.add_plane(plane));
        } else {
            let here = |of: Linear| pose.map_or(of, |pose| placed(&of, pose));
            side.of.depth = here(cells.depth(face, part));
            cells.for_each_point(face, part, |point| side.add_corner(placed_point(point)));
            cells.for_each_plane(face, part, |plane| side.add_plane(here(plane)));
        }
    }

    #[inline(always)]
    fn add_corner(&mut self, corner: Vec3) {
        self.of.bounds = self.of.bounds.with(&corner);
        if let Some(place) = self.corners.get_mut(self.corner_count) {
            *place = corner;
        }
        self.corner_count += 1;
    }

    #[inline(always)]
    fn add_plane(&mut self, plane: Linear) {
        if let Some(place) = self.planes.get_mut(self.count) {
            *place = plane;
        }
        self.count += 1;
    }

    /// Calls `look` with its planes; beyond those kept they are of a cell at a pose.
    #[inline(always)]
    fn for_each(
        &self,
        cells: &Cells,
        [face, part]: [u32; 2],
        pose: Option<&Pose>,
        mut look: impl FnMut(Linear),
    ) {
        let kept = self.count.min(KEPT);
        self.planes[..kept].iter().for_each(|plane| look(*plane));
        if self.count > kept {
            let mut number = 0;
            cells.for_each_plane(face as usize, part as usize, |plane| {
                if number >= kept {
                    look(pose.map_or(plane, |pose| placed(&plane, pose)));
                }
                number += 1;
            });
        }
    }
}

impl Programme<'_> {
    fn depth_a(&self) -> Linear {
        let [face, part] = self.cells[0].map(|n| n as usize);
        self.a.depth(face, part)
    }

    /// Calls `look` with the constraints, in the frame of a: functions that are not negative.
    #[inline(always)]
    fn for_each<T: Real>(&self, pose: &Pose<T>, mut look: impl FnMut(u32, Linear<T>)) {
        let mut number = 0;
        let mut next = |plane: Linear<T>| {
            look(number, plane);
            number += 1;
        };
        let own = lifted(&self.depth_a());
        let [face, part] = self.cells[1].map(|n| n as usize);
        match self.b {
            Partner::Mesh(cells) => {
                next(placed(&cells.depth(face, part), pose).less(&own));
                cells.for_each_plane(face, part, |plane| next(placed(&plane, pose)));
            }
            Partner::Convex(core) => {
                for face in 0..face_count(core) {
                    next(below(core, face, pose).less(&own));
                }
            }
        }
        let [face, part] = self.cells[0].map(|n| n as usize);
        self.a
            .for_each_plane(face, part, |plane| next(lifted(&plane)));
    }

    /// As [`Self::for_each`] of the same cells.
    #[inline(always)]
    fn for_each_of(
        &self,
        [own, of_b]: [&SeenCell; 2],
        pose: &Pose,
        mut look: impl FnMut(u32, &Linear),
    ) {
        let mut number = 0;
        let mut next = |plane: Linear| {
            look(number, &plane);
            number += 1;
        };
        match self.b {
            Partner::Mesh(cells) => {
                next(of_b.of.depth.less(&own.of.depth));
                of_b.for_each(cells, self.cells[1], Some(pose), &mut next);
            }
            Partner::Convex(core) => {
                for face in 0..face_count(core) {
                    next(below(core, face, pose).less(&own.of.depth));
                }
            }
        }
        own.for_each(self.a, self.cells[0], None, next);
    }

    /// `None` if it is not more than `most`, is not a number, or takes too many steps; `sides` are the cells.
    #[inline(never)]
    pub(super) fn solve(&self, sides: [&SeenCell; 2], pose: &Pose, most: f64) -> Option<Deepest> {
        let depth = sides[0].of.depth;
        let (center, radius) = self.middle();
        let mut around = Enclosing {
            center,
            radius,
            depth,
            most,
            rounding: ROUNDING * (center.amax() + radius),
            violated: [(NONE, NOTHING); VIOLATED],
            count: 0,
        };
        let start = center + depth.gradient * (radius / depth.gradient.norm());
        let mut place = (start, [NONE; 3]);
        for _ in 0..STEPS {
            // Squares, as the gradients are of any length.
            let mut worst = around.rounding * around.rounding;
            let (mut next, mut is_number) = (None, true);
            self.for_each_of(sides, pose, |number, plane| {
                let value = plane.at(&place.0);
                if value.is_nan() {
                    is_number = false;
                } else if value < 0.0 {
                    let squared = plane.gradient.norm_squared();
                    let size = if squared > LEVEL * LEVEL {
                        squared
                    } else {
                        1.0
                    };
                    if value * value > worst * size && !around.knows(number) {
                        worst = value * value / size;
                        next = Some((number, *plane));
                    }
                }
            });
            let Some((number, plane)) = next else {
                let value = depth.at(&place.0);
                return (is_number && value > most).then_some(Deepest {
                    value,
                    planes: place.1,
                });
            };
            let plane = unit(&plane);
            place = around.on_plane(number, &plane)?;
            around.add(number, plane, &place.1);
        }
        None
    }

    /// Depth, normal from a to b and point, frame of a. The normal is the gradient of the gap as b moves. With
    /// planes r_k.x = b_k and the gradient of d_a the sum of l_k r_k, the depth changes by that of l_k b_k.
    pub(super) fn deepest<T: Real>(
        &self,
        pose: &Pose<T>,
        planes: &[u32; 3],
    ) -> (T, Vec3<T>, Vec3<T>) {
        let own = lifted(&self.depth_a());
        let center = self.middle().0;
        // Each plane with what moves with b.
        let (mut on, mut count) = ([(Vec3::zeros(), T::zero(), Vec3::zeros()); 3], 0);
        let [depths, all] = self.counts();
        self.for_each(pose, |number, plane| {
            if count < 3 && planes.contains(&number) {
                let with_b = if number < depths {
                    plane.gradient + own.gradient
                } else if number < all {
                    plane.gradient
                } else {
                    Vec3::zeros()
                };
                on[count] = (plane.gradient, -plane.at_0, with_b);
                count += 1;
            }
        });
        // Along directions that no plane tells it is where the search left it.
        let stays = |axis: Vec3| {
            let place = T::from(axis.dot(&center));
            (axis.map(T::from), place, Vec3::zeros())
        };
        let values = |k: usize| on[k].0.map(Real::value);
        match count {
            0 => on = [Vec3::x(), Vec3::y(), Vec3::z()].map(stays),
            1 => {
                let n = values(0);
                let mut axis = Vec3::zeros();
                axis[n.iamin()] = 1.0;
                let axis = n.cross(&axis).normalize();
                (on[1], on[2]) = (stays(axis), stays(n.cross(&axis).normalize()));
            }
            2 => on[2] = stays(values(0).cross(&values(1)).normalize()),
            _ => (),
        }
        let [(p, a, of_p), (q, b, of_q), (r, c, of_r)] = on;
        let across = [q.cross(&r), r.cross(&p), p.cross(&q)];
        let volume = p.dot(&across[0]);
        let point = (across[0] * a + across[1] * b + across[2] * c) / volume;
        let share = across.map(|across| own.gradient.dot(&across) / volume);
        let out = -(of_p * share[0] + of_q * share[1] + of_r * share[2]);
        let squared = out.dot(&out);
        let normal = if squared.value() > LEVEL * LEVEL {
            out / squared.sqrt()
        } else {
            -own.gradient / norm(&own.gradient)
        };
        (own.at(&point), normal, point)
    }

    /// Middle of a box around the cell of a, and its diagonal [m].
    fn middle(&self) -> (Vec3, f64) {
        let bounds = self.a.faces[self.cells[0][0] as usize].bounds.wide();
        let Aabb { lower, upper } = bounds;
        ((lower + upper) * 0.5, (upper - lower).norm())
    }

    /// Number of constraints that compare depths, and of these with the other planes of b.
    fn counts(&self) -> [u32; 2] {
        match self.b {
            Partner::Mesh(cells) => {
                let [face, part] = self.cells[1].map(|n| n as usize);
                let mut all = 1;
                cells.for_each_plane(face, part, |_| all += 1);
                [1, all]
            }
            Partner::Convex(core) => [face_count(core) as u32; 2],
        }
    }
}

impl Enclosing {
    fn knows(&self, number: u32) -> bool {
        self.violated[..self.count]
            .iter()
            .any(|(known, _)| *known == number)
    }

    fn add(&mut self, number: u32, plane: Linear, on: &[u32; 3]) {
        if self.count == VIOLATED {
            let mut kept = 0;
            for k in 0..VIOLATED {
                if on.contains(&self.violated[k].0) {
                    self.violated[kept] = self.violated[k];
                    kept += 1;
                }
            }
            self.count = kept;
        }
        self.violated[self.count] = (number, plane);
        self.count += 1;
    }

    /// On the plane of a constraint, of which those violated before are taken; `None` if it is not more than `most`.
    fn on_plane(&self, number: u32, plane: &Linear) -> Option<Place> {
        let normal = &plane.gradient;
        let height = plane.at(&self.center);
        let radius = (self.radius * self.radius - height * height)
            .max(0.0)
            .sqrt();
        if normal.norm_squared() < 0.5 || height.abs() > self.radius {
            return None;
        }
        let middle = self.center - normal * height;
        let slope = self.depth.gradient - normal * normal.dot(&self.depth.gradient);
        let start = if slope.norm() > LEVEL {
            middle + slope * (radius / slope.norm())
        } else {
            middle
        };
        let mut place = Some((start, [number, NONE, NONE]));
        for (before, (other, by)) in self.violated[..self.count].iter().enumerate() {
            let (point, _) = place?;
            if by.at(&point) < -self.rounding {
                place = self.on_line(before, [*other, number], [by, plane]);
            }
        }
        place.filter(|(point, _)| self.depth.at(point) > self.most)
    }

    /// On the line of two planes, of which the first violated constraints are taken.
    fn on_line(&self, first: usize, numbers: [u32; 2], planes: [&Linear; 2]) -> Option<Place> {
        let [m, n] = planes.map(|plane| plane.gradient);
        let along = m.cross(&n);
        let squared = along.norm_squared();
        if squared < PARALLEL {
            return None;
        }
        let [below_m, below_n] = planes.map(|plane| plane.at(&self.center));
        let off = (n.cross(&along) * below_m + along.cross(&m) * below_n) / squared;
        let (middle, along) = (self.center - off, along / squared.sqrt());
        let half = (self.radius * self.radius - off.norm_squared())
            .max(0.0)
            .sqrt();
        let (mut lower, mut upper) = ((-half, NONE), (half, NONE));
        let mut is_empty = off.norm() > self.radius;
        for (number, plane) in &self.violated[..first] {
            let number = *number;
            let (slope, value) = (plane.gradient.dot(&along), plane.at(&middle));
            if slope.abs() <= LEVEL {
                is_empty |= value < -self.rounding;
            } else if slope > 0.0 && -value / slope > lower.0 {
                lower = (-value / slope, number);
            } else if slope < 0.0 && -value / slope < upper.0 {
                upper = (-value / slope, number);
            }
        }
        if is_empty || lower.0 > upper.0 + self.rounding {
            return None;
        }
        let slope = self.depth.gradient.dot(&along);
        let (at, third) = if slope > LEVEL || upper.0 < 0.0 && slope >= -LEVEL {
            upper
        } else if slope < -LEVEL || lower.0 > 0.0 {
            lower
        } else {
            (0.0, NONE)
        };
        let [one, other] = numbers;
        let planes = if third == NONE {
            [one, other, NONE]
        } else {
            [third, one, other]
        };
        Some((middle + along * at, planes))
    }
}

/// A function with a gradient of unit length; one that is constant to rounding keeps its value.
fn unit(plane: &Linear) -> Linear {
    let size = plane.gradient.norm();
    let scale = if size > LEVEL { 1.0 / size } else { 1.0 };
    Linear {
        gradient: plane.gradient * scale,
        at_0: plane.at_0 * scale,
    }
}

fn lifted<T: Real>(plane: &Linear) -> Linear<T> {
    Linear {
        gradient: plane.gradient.map(T::from),
        at_0: T::from(plane.at_0),
    }
}

/// Depth below a face of a convex core.
#[inline(always)]
pub(super) fn below<T: Real>(core: &Core, face: usize, pose: &Pose<T>) -> Linear<T> {
    let of = plane(core, face, pose, 0.0);
    Linear {
        gradient: -of.normal,
        at_0: of.offset,
    }
}

/// A function of a body at a pose.
pub(super) fn placed<T: Real>(plane: &Linear, pose: &Pose<T>) -> Linear<T> {
    let gradient = pose.rotation * plane.gradient.map(T::from);
    Linear {
        gradient,
        at_0: T::from(plane.at_0) - gradient.dot(&pose.position),
    }
}
