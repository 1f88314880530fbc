//! The deepest point of a cylinder, cone or beam in a cell of a mesh.
//!
//! The largest depth d of a convex core where the walls w_k of the cell are not negative: walls are taken one
//! by one (Seidel 1991). Where one is violated the solution lies on its plane, there again by those before it,
//! on a line of two planes. With l_k >= 0 the multipliers of the walls that it lies on, it is the largest
//! value of f = d + sum of l_k w_k in the core alone, whose first derivatives by the l_k and by the point in
//! the core are zero: so f at this point of the core is the depth in any scalar, and -grad f the direction in
//! which the gap grows. Without a wall the support function has it, also where a face or an edge is deepest.

use crate::math::{Mat3, Pose, Real, Vec3};
use crate::narrow_phase::area::Linear;
use crate::narrow_phase::programme::placed;
use crate::narrow_phase::proximity::{Nearest, in_core};
use crate::narrow_phase::slice::{farthest_on, half_line, normal_at, on_line};
use crate::shapes::Core;
use crate::shapes::mesh::cells::Cells;
use serde::{Deserialize, Serialize};

/// Number of walls kept that cut a core; those beyond are made again where they are needed.
const KEPT: usize = 24;
/// Violation of a wall, relative to the size of the core, that is rounding.
const ROUNDING: f64 = 4e-15;
/// Square of the sine of the angle up to which two walls are parallel.
const PARALLEL: f64 = 1e-22;
/// Length of a gradient [1] that has no direction.
const LEVEL: f64 = 1e-12;
const NONE: u32 = u32::MAX;

/// Cell and the walls on which the deepest point of a core lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellFeature {
    /// Face of the cell, and its part.
    pub(super) cell: [u32; 2],
    /// Numbers of the walls, behind the last one [`NONE`].
    walls: [u32; 3],
    /// Multipliers [1].
    shares: [f64; 3],
    /// Frame of the core [m].
    point: [f64; 3],
}

/// A core and a cell, whose functions are in the frame of the core.
struct Inside<'a> {
    core: &'a Core,
    cells: &'a Cells,
    cell: [u32; 2],
    pose: &'a Pose,
    depth: Linear,
    /// The first walls that cut the core, with their numbers.
    walls: &'a [(u32, Linear)],
    /// Number of the first wall that cuts it and is not kept.
    left: u32,
    /// What is not deeper does not count [m].
    most: f64,
    rounding: f64,
}

/// Deepest point, and the numbers of the walls it lies on with their multipliers.
struct Solution {
    point: Vec3,
    walls: [u32; 3],
    shares: [f64; 3],
}

/// Largest depth [m] of a core in a cell, of face and part, and where; `None` if it is not more than `most`.
pub(super) fn deepest(
    cells: &Cells,
    cell: [u32; 2],
    core: &Core,
    pose: &Pose,
    most: f64,
) -> Option<(f64, CellFeature)> {
    let [face, part] = cell.map(|n| n as usize);
    let depth = seen(&cells.depth(face, part), pose);
    let highest = |of: &Linear| of.at_0 + core.support(&of.gradient).dot(&of.gradient);
    if highest(&depth) <= most {
        return None;
    }
    let (mut walls, mut count) = ([(NONE, depth); KEPT], 0);
    let (mut left, mut is_out) = (NONE, false);
    for_each_wall(cells, cell, pose, |number, wall| {
        is_out = is_out || highest(wall) <= 0.0;
        let lowest = wall.at_0 + core.support(&-wall.gradient).dot(&wall.gradient);
        if lowest < 0.0 {
            match walls.get_mut(count) {
                Some(place) => (*place, count) = ((number, *wall), count + 1),
                None => left = left.min(number),
            }
        }
    });
    let inside = Inside {
        core,
        cells,
        cell,
        pose,
        depth,
        walls: &walls[..count],
        left,
        most,
        rounding: ROUNDING * core.solid().largest_coordinate(),
    };
    let found = if is_out { None } else { inside.solve() }?;
    let value = depth.at(&found.point);
    // NaN is not deeper.
    let is_deeper = value > most;
    is_deeper.then_some((
        value,
        CellFeature {
            cell,
            walls: found.walls,
            shares: found.shares,
            point: found.point.into(),
        },
    ))
}

impl Inside<'_> {
    /// The walls that cut the core before number `end`.
    fn before(&self, end: u32, mut look: impl FnMut(u32, &Linear)) {
        for (number, wall) in self.walls.iter().take_while(|(number, _)| *number < end) {
            look(*number, wall);
        }
        if self.left < end {
            for_each_wall(self.cells, self.cell, self.pose, |number, wall| {
                if number >= self.left && number < end {
                    look(number, wall);
                }
            });
        }
    }

    fn violates(&self, wall: &Linear, at: &Solution) -> bool {
        wall.at(&at.point) < -self.rounding
    }

    fn solve(&self) -> Option<Solution> {
        let mut best = Some(Solution {
            point: self.core.support(&self.depth.gradient),
            walls: [NONE; 3],
            shares: [0.0; 3],
        });
        self.before(NONE, |number, wall| {
            if best.as_ref().is_some_and(|at| self.violates(wall, at)) {
                best = self.on_wall(number, wall);
            }
        });
        best
    }

    /// By the walls before this one.
    fn on_wall(&self, number: u32, wall: &Linear) -> Option<Solution> {
        let found = farthest_on(
            self.core,
            &self.depth.gradient,
            wall,
            self.most - self.depth.at_0,
        )?;
        let mut best = Some(Solution {
            point: found.point,
            walls: [number, NONE, NONE],
            shares: [found.share, 0.0, 0.0],
        });
        self.before(number, |other, by| {
            if best.as_ref().is_some_and(|at| self.violates(by, at)) {
                best = self.on_both([other, number], [by, wall]);
            }
        });
        best
    }

    /// By the walls before the first of two.
    fn on_both(&self, numbers: [u32; 2], walls: [&Linear; 2]) -> Option<Solution> {
        let [m, n] = walls.map(|wall| wall.gradient);
        let along = m.cross(&n);
        let squared = along.norm_squared();
        if squared < PARALLEL {
            return None;
        }
        let [at_m, at_n] = walls.map(|wall| wall.at_0);
        let middle = -(n.cross(&along) * at_m + along.cross(&m) * at_n) / squared;
        let along = along / squared.sqrt();
        let [mut low, mut high] = on_line(self.core, &middle, &along).map(|t| (t, None));
        self.before(numbers[0], |number, wall| {
            let cut = half_line(wall.at(&middle), wall.gradient.dot(&along));
            if cut[0] > low.0 {
                low = (cut[0], Some((number, wall.gradient)));
            }
            if cut[1] < high.0 {
                high = (cut[1], Some((number, wall.gradient)));
            }
        });
        if low.0 > high.0 {
            return None;
        }
        let is_up = self.depth.gradient.dot(&along) >= 0.0;
        let (t, third) = if is_up { high } else { low };
        let point = middle + along * t;
        let last = third.map_or_else(|| -normal_at(self.core, &point), |(_, gradient)| gradient);
        let shares = Mat3::from_columns(&[m, n, last])
            .try_inverse()
            .map_or_else(Vec3::zeros, |inverse| -inverse * self.depth.gradient);
        let is_corner = third.is_some();
        Some(Solution {
            point,
            walls: [
                numbers[0],
                numbers[1],
                third.map_or(NONE, |(number, _)| number),
            ],
            shares: [shares.x, shares.y, if is_corner { shares.z } else { 0.0 }],
        })
    }
}

/// Calls `look` with the walls of a cell and their numbers, in the frame of a core at a pose.
fn for_each_wall(
    cells: &Cells,
    [face, part]: [u32; 2],
    pose: &Pose,
    mut look: impl FnMut(u32, &Linear),
) {
    let mut number = 0;
    cells.for_each_plane(face as usize, part as usize, |plane| {
        look(number, &seen(&plane, pose).unit());
        number += 1;
    });
}

/// A function of the mesh in the frame of a core at a pose.
fn seen(plane: &Linear, pose: &Pose) -> Linear {
    Linear {
        gradient: pose.rotation.tr_mul(&plane.gradient),
        at_0: plane.at(&pose.position),
    }
}

/// The surface of a mesh nearest to a core at the feature: the depth as a negative distance, frame of the mesh.
pub(super) fn at_deepest<T: Real>(
    cells: &Cells,
    pose: &Pose<T>,
    core: &Core,
    core_pose: &Pose<T>,
    feature: &CellFeature,
) -> Nearest<T> {
    let [face, part] = feature.cell.map(|n| n as usize);
    let depth = cells.depth(face, part);
    let (mut sum, mut number) = (depth, 0);
    cells.for_each_plane(face, part, |plane| {
        let on = feature.walls.iter().position(|wall| *wall == number);
        if let Some(k) = on {
            let wall = plane.unit();
            sum.gradient += wall.gradient * feature.shares[k];
            sum.at_0 += wall.at_0 * feature.shares[k];
        }
        number += 1;
    });
    let at = in_core(pose, core_pose);
    let rotation: Mat3<T> = pose.rotation.tr_mul(&core_pose.rotation);
    let of = placed::<T>(&sum, &Pose::identity());
    let size = sum.gradient.norm();
    let point = at + rotation * Vec3::from(feature.point).map(T::from);
    if feature.walls[0] != NONE {
        // At a corner of the cell it does not change.
        let out = if size > LEVEL {
            sum.gradient / -size
        } else {
            -depth.gradient.normalize()
        };
        return Nearest {
            distance: -of.at(&point),
            normal: out.map(T::from),
            point,
        };
    }
    let own = rotation.tr_mul(&(of.gradient / T::from(size)));
    Nearest {
        distance: -(of.at(&at) + core.support_function(&own) * size),
        normal: -of.gradient / T::from(size),
        point: at + rotation * core.soft_support(&own),
    }
}
