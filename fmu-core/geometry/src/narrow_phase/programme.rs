//! Linear programme of two cells: the largest depth that is equal in both.

use crate::math::{Pose, Real, Vec3, norm};
use crate::narrow_phase::area::{Linear, face_count, middle, plane};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Aabb, Core};

/// Slope of the depth [1] along a plane or a line up to which it is constant there.
const LEVEL: f64 = 1e-12;
/// Violation of a constraint, relative to the coordinates, that is rounding.
const ROUNDING: f64 = 4e-15;
/// Square of the sine of the angle up to which two planes are parallel.
const PARALLEL: f64 = 1e-22;
/// Square of the difference of two slopes of depths below which their bound would amplify rounding.
const NEARLY_SAME: f64 = 1e-2;
/// Number of passes over the constraints for a bound.
const PASSES: usize = 2;
/// Number of constraints kept during a solution; those beyond are made again where they are needed.
const KEPT: usize = 64;
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
/// Constraints are taken one by one (Seidel 1991): where one is violated the solution lies on its plane, there
/// again by those before it, on a line of two planes, at most on three. The start is a ball around the cell.
/// Where the depth is level along a plane or a line, the point nearest to the middle is taken.
pub(super) struct Programme<'a> {
    pub(super) a: &'a Cells,
    pub(super) b: Partner<'a>,
    pub(super) cells: [[u32; 2]; 2],
}

pub(super) struct Deepest {
    pub(super) value: f64,
    /// Numbers of the planes on which the point lies, in order; [`NONE`] behind the last.
    pub(super) planes: [u32; 3],
}

/// Point and planes of a solution.
type Place = (Vec3, [u32; 3]);

/// What each step of a solution needs.
struct Enclosing<'a> {
    pose: &'a Pose,
    center: Vec3,
    radius: f64,
    /// Gradient of d_a.
    slope: Vec3,
    rounding: f64,
    /// The first constraints, as unit functions.
    units: [Linear; KEPT],
    kept: u32,
}

impl Programme<'_> {
    fn depth_a(&self) -> Linear {
        let [face, part] = self.cells[0].map(|n| n as usize);
        self.a.depth(face, part)
    }

    /// Calls `look` with depths of b, and with functions that are not negative in its cell, in the frame of a.
    #[inline(always)]
    fn for_each_of_b<T: Real>(&self, pose: &Pose<T>, mut look: impl FnMut(bool, Linear<T>)) {
        let [face, part] = self.cells[1].map(|n| n as usize);
        match self.b {
            Partner::Mesh(cells) => {
                look(true, placed(&cells.depth(face, part), pose));
                cells.for_each_plane(face, part, |plane| look(false, placed(&plane, pose)));
            }
            Partner::Convex(core) => {
                for face in 0..face_count(core) {
                    let of = plane(core, face, pose, 0.0);
                    let depth = Linear {
                        gradient: -of.normal,
                        at_0: of.offset,
                    };
                    look(true, depth);
                }
            }
        }
    }

    /// Returns true if a bound shows that no point in a box, of frame a, is deeper than `most` in both cells: d_a
    /// plus multiples of the constraints that are not negative. Each in turn gets the one that makes the sum most
    /// level, if this lowers its largest value in the box.
    pub(super) fn is_shallow(&self, pose: &Pose, around: &Aabb, most: f64) -> bool {
        let (center, half) = middle(around);
        let highest = |of: &Linear| of.at(&center) + of.gradient.abs().dot(&half);
        let mut above = self.depth_a();
        let mut bound = highest(&above);
        let depths = match self.b {
            Partner::Mesh(_) => 1,
            Partner::Convex(core) => face_count(core) as u32,
        };
        for _ in 0..PASSES {
            self.for_each(pose, |number, plane| {
                let squared = plane.gradient.norm_squared();
                let share = -above.gradient.dot(&plane.gradient);
                if share <= 0.0 || number < depths && squared < NEARLY_SAME {
                    return;
                }
                let share = share / squared;
                let next = Linear {
                    gradient: above.gradient + plane.gradient * share,
                    at_0: above.at_0 + plane.at_0 * share,
                };
                let of_next = highest(&next);
                if of_next < bound {
                    (above, bound) = (next, of_next);
                }
            });
            if bound <= most {
                return true;
            }
        }
        self.a.is_under(self.cells[0][0] as usize, &above, most)
    }

    /// Returns true if a plane of one shows that no point of the other's cell is deeper than `most` in it.
    pub(super) fn is_outside(&self, pose: &Pose, most: f64) -> bool {
        let faces = self.cells.map(|[face, _]| face as usize);
        let mut is_outside = false;
        self.for_each_of_b(pose, |is_depth, plane| {
            let level = if is_depth { most } else { 0.0 };
            is_outside = is_outside || self.a.is_under(faces[0], &plane, level);
        });
        if let Partner::Mesh(cells) = self.b
            && !is_outside
        {
            let mut look = |plane: Linear, level: f64| {
                // In the frame of b.
                let seen = Linear {
                    gradient: pose.rotation.tr_mul(&plane.gradient),
                    at_0: plane.at(&pose.position),
                };
                is_outside = is_outside || cells.is_under(faces[1], &seen, level);
            };
            look(self.depth_a(), most);
            let part = self.cells[0][1] as usize;
            self.a
                .for_each_plane(faces[0], part, |plane| look(plane, 0.0));
        }
        is_outside
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
        self.for_each_of_b(pose, |is_depth, plane| {
            next(if is_depth { plane.less(&own) } else { plane });
        });
        let [face, part] = self.cells[0].map(|n| n as usize);
        self.a
            .for_each_plane(face, part, |plane| next(lifted(&plane)));
    }

    /// The constraints before number `end`, as unit functions.
    #[inline(always)]
    fn before(&self, around: &Enclosing<'_>, end: u32, mut look: impl FnMut(u32, &Linear)) {
        let kept = around.kept.min(end);
        for (number, unit) in (0..kept).zip(&around.units) {
            look(number, unit);
        }
        if end > kept && kept == KEPT as u32 {
            self.for_each(around.pose, |number, plane| {
                if number >= kept && number < end {
                    look(number, &unit(&plane));
                }
            });
        }
    }

    /// `None` if it is not more than `most`.
    pub(super) fn solve(&self, pose: &Pose, most: f64) -> Option<Deepest> {
        let depth = self.depth_a();
        let (center, radius) = self.middle();
        let nothing = Linear {
            gradient: Vec3::zeros(),
            at_0: 0.0,
        };
        let mut around = Enclosing {
            pose,
            center,
            radius,
            slope: depth.gradient,
            rounding: ROUNDING * (center.amax() + radius),
            units: [nothing; KEPT],
            kept: 0,
        };
        self.for_each(pose, |number, plane| {
            if let Some(place) = around.units.get_mut(number as usize) {
                *place = unit(&plane);
                around.kept = number + 1;
            }
        });
        let around = around;
        let start = center + depth.gradient * (radius / depth.gradient.norm());
        let mut place = Some((start, [NONE; 3]));
        self.before(&around, NONE, |number, plane| {
            if let Some((point, _)) = place
                && plane.at(&point) < -around.rounding
            {
                let new = self.on_plane(&around, number, plane);
                place = new.filter(|(point, _)| depth.at(point) > most);
            }
        });
        place.map(|(point, planes)| Deepest {
            value: depth.at(&point),
            planes,
        })
    }

    fn on_plane(&self, around: &Enclosing<'_>, number: u32, plane: &Linear) -> Option<Place> {
        let normal = &plane.gradient;
        let height = plane.at(&around.center);
        let radius = (around.radius * around.radius - height * height)
            .max(0.0)
            .sqrt();
        if normal.norm_squared() < 0.5 || height.abs() > around.radius {
            return None;
        }
        let middle = around.center - normal * height;
        let slope = around.slope - normal * normal.dot(&around.slope);
        let start = if slope.norm() > LEVEL {
            middle + slope * (radius / slope.norm())
        } else {
            middle
        };
        let mut place = Some((start, [number, NONE, NONE]));
        self.before(around, number, |other, by| {
            if let Some((point, _)) = place
                && by.at(&point) < -around.rounding
            {
                place = self.on_line(around, [other, number], [by, plane]);
            }
        });
        place
    }

    /// On the line of two planes, of which the constraints before the first are taken.
    fn on_line(
        &self,
        around: &Enclosing<'_>,
        numbers: [u32; 2],
        planes: [&Linear; 2],
    ) -> Option<Place> {
        let [m, n] = planes.map(|plane| plane.gradient);
        let along = m.cross(&n);
        let squared = along.norm_squared();
        if squared < PARALLEL {
            return None;
        }
        let [below_m, below_n] = planes.map(|plane| plane.at(&around.center));
        let off = (n.cross(&along) * below_m + along.cross(&m) * below_n) / squared;
        let (middle, along) = (around.center - off, along / squared.sqrt());
        let half = (around.radius * around.radius - off.norm_squared())
            .max(0.0)
            .sqrt();
        let (mut lower, mut upper) = ((-half, NONE), (half, NONE));
        let mut is_empty = off.norm() > around.radius;
        self.before(around, numbers[0], |number, plane| {
            let (slope, value) = (plane.gradient.dot(&along), plane.at(&middle));
            if slope.abs() <= LEVEL {
                is_empty |= value < -around.rounding;
            } else if slope > 0.0 && -value / slope > lower.0 {
                lower = (-value / slope, number);
            } else if slope < 0.0 && -value / slope < upper.0 {
                upper = (-value / slope, number);
            }
        });
        if is_empty || lower.0 > upper.0 + around.rounding {
            return None;
        }
        let slope = around.slope.dot(&along);
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

/// A function of a body at a pose.
pub(super) fn placed<T: Real>(plane: &Linear, pose: &Pose<T>) -> Linear<T> {
    let gradient = pose.rotation * plane.gradient.map(T::from);
    Linear {
        gradient,
        at_0: T::from(plane.at_0) - gradient.dot(&pose.position),
    }
}
