//! A rigid round body against the cells of a mesh.
//!
//! In a cell the pressure is k l with l linear and its region {l >= 0, w >= 0 for its walls w}. Where the
//! least of l and of all l + w is l, the body is in this region: so its nodes are those of a polytope with
//! these depths, of which only those with the depth l count. Walls beyond a box around the overlap are left
//! out.
//!
//! The energy of a cell is that of the divergence theorem, integral of l dV = 1/2 sum over its surface of
//! (n.grad l)/|grad l|^2 integral of l^2 dA: over the body by the nodes, over a wall of the cell by chords of
//! the body along lines of equal depth. Walls between cells with one gradient are parallel to it and have no
//! part. The wrench is the gradient of the sum, which gives it its derivative.

use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::area::curved::CurvedWork;
use crate::narrow_phase::area::curved::energy::{Depth, WALL, arc};
use crate::narrow_phase::area::curved::face::for_each;
use crate::narrow_phase::area::nodes::Nodes;
use crate::narrow_phase::area::planes::{Half, Linear, Polygon};
use crate::narrow_phase::area::region::Around;
use crate::narrow_phase::slice::{farthest_on, for_each_rim_point, half_line, on_line};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::{Aabb, Core};
use std::f64::consts::FRAC_PI_2;

/// Cosine of the angle between a wall and the gradient below which they are parallel.
const ALONG: f64 = 1e-9;
/// Error of the integral over a wall, relative to the energy of the cell.
const ACCURACY: f64 = 1e-10;
/// Maximum number of halvings of a wall.
const HALVINGS: u32 = 64;

/// Round body at a pose in the frame of a mesh.
pub(crate) struct Pressed<'a, T: Real> {
    pub(crate) core: &'a Core,
    /// In the frame of the nodes.
    pub(crate) pose: &'a Pose<T>,
    pub(crate) mesh_pose: &'a Pose<T>,
    /// By which faces are moved inwards [m].
    pub(crate) inset: f64,
    /// Pressure per depth [N/m3].
    pub(crate) stiffness: f64,
}

/// Walls of a cell, in the frame of the mesh and then of the body, a polygon and levels, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellWork {
    walls: Vec<Linear>,
    halves: Vec<Half<f64>>,
    polygon: Polygon,
    levels: Vec<f64>,
}

impl CellWork {
    /// Appends the nodes of a cylinder, cone or beam on a mesh, with normals out of the body, and returns the
    /// energy [J].
    pub(crate) fn press_mesh<T: Real>(
        &mut self,
        pressed: &Pressed<'_, T>,
        cells: &Cells,
        curved: &mut CurvedWork<T>,
        nodes: &mut Nodes<T>,
    ) -> T {
        let Pressed {
            pose, mesh_pose, ..
        } = pressed;
        let in_mesh = |x: &Vec3<T>| mesh_pose.rotation.tr_mul(x);
        let local = Pose {
            position: in_mesh(&(pose.position - mesh_pose.position)),
            rotation: mesh_pose.rotation.tr_mul(&pose.rotation),
        };
        let values = local.values();
        let [lower, upper] = pressed.core.solid().bounds(&values.rotation);
        let bounds = Aabb {
            lower: lower + values.position,
            upper: upper + values.position,
        };
        let first = nodes.kept().len();
        let mut energy = 0.0;
        cells.for_each_face_near(&bounds, |face| {
            for part in 0..cells.parts(face) {
                let mut depth = cells.depth(face, part);
                depth.at_0 -= pressed.inset;
                let around = bounds.common(&cells.faces[face].bounds.wide());
                if self.find_walls(cells, [face, part], &depth, &around) {
                    // The cell ends there.
                    let mut below = Vec3::zeros();
                    cells.for_each_point(face, part, |point| below = point);
                    energy += self.press_cell(pressed, &depth, &below, &local, curved, nodes);
                }
            }
        });
        let mut energy = T::from(energy);
        for node in &nodes.kept()[first..] {
            let force = in_mesh(&node.normal).map(Real::value) * node.force.value();
            let x = in_mesh(&(node.point - mesh_pose.position));
            energy += (x - x.map(|c| T::from(c.value()))).dot(&force.map(T::from));
        }
        energy
    }

    /// Finds the walls of a cell that cut a box; returns false if none of it is in the cell.
    fn find_walls(
        &mut self,
        cells: &Cells,
        [face, part]: [usize; 2],
        depth: &Linear,
        around: &Aabb,
    ) -> bool {
        let walls = &mut self.walls;
        walls.clear();
        cells.for_each_plane(face, part, |plane| walls.push(plane.unit()));
        if around.is_empty() {
            return false;
        }
        // Its margin keeps walls in which a side of the box lies.
        let mut within = Around::new(around);
        let all = std::iter::once(*depth).chain(walls.iter().copied());
        if !within.shrink_all(all) {
            return false;
        }
        walls.retain(|wall| within.range(wall)[0] < 0.0);
        true
    }

    /// Nodes and energy [J] of a cell; `depth`, its walls and `below`, its deepest point, are in the frame of the
    /// mesh.
    fn press_cell<T: Real>(
        &mut self,
        pressed: &Pressed<'_, T>,
        depth: &Linear,
        below: &Vec3,
        local: &Pose<T>,
        curved: &mut CurvedWork<T>,
        nodes: &mut Nodes<T>,
    ) -> f64 {
        let values = local.values();
        let lifted = depth.gradient.map(T::from);
        curved.in_body.clear();
        curved.in_body.push(Depth {
            c: lifted.dot(&local.position) + depth.at_0,
            slope: local.rotation.tr_mul(&lifted),
            plane: 0,
        });
        let own = curved.in_body[0].values();
        let most = |gradient: &Vec3| pressed.core.support(gradient).dot(gradient);
        if own.c + most(&own.slope) <= 0.0 {
            return 0.0;
        }
        let mut is_reached = true;
        self.walls.retain_mut(|wall| {
            wall.at_0 = wall.at(&values.position);
            wall.gradient = values.rotation.tr_mul(&wall.gradient);
            is_reached = is_reached && wall.at_0 + most(&wall.gradient) > 0.0;
            is_reached && wall.at_0 < most(&-wall.gradient)
        });
        if !is_reached {
            return 0.0;
        }
        curved.depths.clear();
        curved.depths.push(own);
        curved.depths.extend(self.walls.iter().map(|wall| Depth {
            c: own.c + wall.at_0,
            slope: own.slope + wall.gradient,
            plane: WALL,
        }));
        curved.samples.clear();
        curved.sample(pressed.core);
        // The cell is within the body or outside it.
        if curved.samples.list.is_empty() {
            let below = values.rotation.tr_mul(&(below - values.position));
            let is_within = on_line(pressed.core, &below, &-below)[0] <= 0.0;
            if !is_within {
                return 0.0;
            }
        }
        let mut sum = 0.0;
        for sample in &curved.samples.list {
            let depth = own.at(&sample.point).max(0.0);
            sum += sample.area * depth * depth * own.slope.dot(&sample.normal);
        }
        curved.place(pressed.pose, pressed.stiffness, nodes);
        for wall in 0..self.walls.len() {
            let across = own.slope.dot(&self.walls[wall].gradient);
            if across.abs() > ALONG * own.slope.norm() {
                let known = sum.abs() / across.abs();
                sum -= across * self.over_wall(pressed.core, &own, wall, known);
            }
        }
        sum * pressed.stiffness / (2.0 * own.slope.norm_squared())
    }

    /// Integral of the squared depth [m4] over a wall of a cell in a body, to a part of itself and of what is
    /// `known`.
    fn over_wall(&mut self, core: &Core, depth: &Depth, wall: usize, known: f64) -> f64 {
        let own = self.walls[wall];
        let normal = own.gradient;
        let steep = depth.slope - normal * normal.dot(&depth.slope);
        let up = if steep.norm() > ALONG * depth.slope.norm() {
            steep.normalize()
        } else {
            let mut axis = Vec3::zeros();
            axis[normal.iamin()] = 1.0;
            normal.cross(&axis).normalize()
        };
        let [Some(low), Some(high)] =
            [-up, up].map(|way| farthest_on(core, &way, &own, f64::NEG_INFINITY))
        else {
            return 0.0;
        };
        let origin = (low.point + high.point) * 0.5;
        let axes = [normal.cross(&up), up];
        let depth = Linear {
            gradient: depth.slope,
            at_0: depth.c,
        };
        self.halves.clear();
        self.halves.push(depth.half(&origin, &axes));
        let others = self.walls.iter().enumerate().filter(|(k, _)| *k != wall);
        self.halves
            .extend(others.map(|(_, other)| other.half(&origin, &axes)));
        let size = 2.0 * core.solid().largest_coordinate();
        self.polygon.start(2.0 * size);
        for half in &self.halves {
            if !self.polygon.cut(half, 0) {
                return 0.0;
            }
        }
        self.find_levels(core, &own, &origin, &axes, [&low.point, &high.point]);
        let chord = |t: f64| {
            let mut on = on_line(core, &(origin + up * t), &axes[0]);
            for half in &self.halves {
                let cut = half_line(half.c + half.a[1] * t, half.a[0]);
                on = [on[0].max(cut[0]), on[1].min(cut[1])];
            }
            let half = 0.5 * (on[1] - on[0]);
            // NaN and nothing are no chord.
            if !(half > 0.0 && half.is_finite()) {
                return 0.0;
            }
            let (middle, slope) = (self.halves[0].at([on[0] + half, t]), self.halves[0].a[0]);
            2.0 * half * (middle * middle + slope * slope * half * half / 3.0)
        };
        let parts = || self.levels.windows(2).filter(|part| part[1] > part[0]);
        let rough: f64 = parts().map(|part| gauss(&chord, part[0], part[1])).sum();
        let mut left = Refinement {
            tolerance: ACCURACY * (rough + known),
            halvings: HALVINGS,
        };
        let mut sum = 0.0;
        for part in parts() {
            let whole = gauss(&chord, part[0], part[1]);
            sum += left.refined(&chord, [part[0], part[1]], whole);
        }
        sum
    }

    /// Finds the heights along the second axis at which chords begin, end and change what they end on,
    /// ascending. The polygon is the wall, the halves are its borders.
    fn find_levels(
        &mut self,
        core: &Core,
        wall: &Linear,
        origin: &Vec3,
        axes: &[Vec3; 2],
        ends: [&Vec3; 2],
    ) {
        let ends = ends.map(|x| (x - origin).dot(&axes[1]));
        let levels = &mut self.levels;
        levels.clear();
        levels.extend(ends);
        let mut add = |level: f64| levels.push(level.max(ends[0]).min(ends[1]));
        for_each_rim_point(core, wall, |x| {
            let at = axes.map(|axis| (x - origin).dot(&axis));
            if self.halves.iter().all(|half| half.at(at) >= 0.0) {
                add(at[1]);
            }
        });
        for k in 0..self.polygon.len() {
            let [a, b] = [k, (k + 1) % self.polygon.len()].map(|k| self.polygon.place(k));
            let [start, end] = [a, b].map(|[u, v]| origin + axes[0] * u + axes[1] * v);
            add(a[1]);
            for t in on_line(core, &start, &(end - start)) {
                if t > 0.0 && t < 1.0 {
                    add(a[1] + (b[1] - a[1]) * t);
                }
            }
        }
        levels.sort_unstable_by(f64::total_cmp);
    }
}

/// Integral of a function with roots at the ends.
fn gauss(of: &impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let mut sum = 0.0;
    for_each(arc(FRAC_PI_2), |x, weight| {
        let (sin, cos) = crate::math::real::sin_cos(FRAC_PI_2 * x);
        sum += weight * cos * of(middle + half * sin);
    });
    sum * half * FRAC_PI_2
}

struct Refinement {
    tolerance: f64,
    /// How many are left.
    halvings: u32,
}

impl Refinement {
    /// Halves a part until both halves are the `whole`.
    fn refined(&mut self, of: &impl Fn(f64) -> f64, [low, high]: [f64; 2], whole: f64) -> f64 {
        if self.halvings == 0 {
            return whole;
        }
        self.halvings -= 1;
        let middle = 0.5 * (low + high);
        let halves = [gauss(of, low, middle), gauss(of, middle, high)];
        let sum = halves[0] + halves[1];
        if (sum - whole).abs() <= self.tolerance {
            return sum;
        }
        self.refined(of, [low, middle], halves[0]) + self.refined(of, [middle, high], halves[1])
    }
}
