//! Pairs of shapes whose boxes are nearer than a reach, by cells: the pairs that a Verlet list
//! holds, [Allen, Tildesley 2017] Computer Simulation of Liquids, 2nd edition, section 5.3.
//!
//! Space is divided into cubes as large as the boxes of most moving shapes and the reach together,
//! so that a near pair lies in cubes that touch. Cubes are numbered by a hash of their place, so
//! that one shape far away costs nothing; two cubes of one number are told apart by their places.
//! Shapes with a larger box, half-spaces among them, are looked at one by one against all others.

use crate::broad_phase::Poses;
use crate::scene::Scene;
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Aabb;
use contact_laws::index::{PairId, ShapeId, TiVec};

/// A box is as large as most if it is at most this many times as large as the one of which nine
/// tenths are no larger [1].
const LARGE: f64 = 1.5;

/// A pair of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Number of the pair.
    pub pair: PairId,
    /// Shape 1 and shape 2.
    pub shapes: [ShapeId; 2],
}

/// Place of a cube [cubes].
type Cube = [i64; 3];

/// Work arrays; which pairs are found depends on the poses and the reach alone.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    boxes: TiVec<ShapeId, Aabb>,
    moves: TiVec<ShapeId, bool>,
    small: Vec<ShapeId>,
    large: Vec<ShapeId>,
    /// Edge of a cube without the reach [m].
    edge: f64,
    cubes: Vec<Cube>,
    /// First entry of each number of a cube, and behind the last.
    first: Vec<u32>,
    /// Places in `small` by number of their cube.
    sorted: Vec<u32>,
    found: Vec<ShapeId>,
}

impl Cells {
    /// For the shapes of a scene.
    pub fn new(scene: &Scene, poses: &impl Poses) -> Self {
        let mut cells = Cells::default();
        let shapes = scene.shapes().iter_enumerated();
        for (index, shape) in shapes {
            let aabb = Aabb::of(&shape.bounding_form, poses.pose(index));
            cells.boxes.push(aabb);
            cells.moves.push(!scene.bodies()[shape.body].is_fixed());
        }
        let boxes = cells.boxes.iter().zip(&cells.moves);
        let mut edges: Vec<f64> = boxes
            .filter(|(_, moves)| **moves)
            .map(|(aabb, _)| extent(aabb))
            .collect();
        edges.sort_unstable_by(f64::total_cmp);
        let most = edges.get(edges.len() * 9 / 10).copied().unwrap_or(1.0);
        cells.edge = LARGE * most;
        cells
    }

    /// Half of the median edge of the boxes that a cube has room for [m]: a reach that keeps the
    /// list short and long in use.
    pub fn typical_reach(&self) -> f64 {
        0.5 * self.edge / LARGE
    }

    /// Calls `take` with each pair whose boxes are nearer than `reach` [m], in the order of the
    /// pairs.
    pub fn gather(
        &mut self,
        scene: &Scene,
        poses: &impl Poses,
        reach: f64,
        mut take: impl FnMut(Neighbours),
    ) {
        self.sort(scene, poses, reach);
        let mut found = std::mem::take(&mut self.found);
        let mut place = 0;
        for shape in self.boxes.keys() {
            found.clear();
            if self.small.get(place) == Some(&shape) {
                self.near_small(place, reach, &mut found);
                place += 1;
            } else {
                let all = self.boxes.keys().filter(|other| *other > shape);
                found.extend(all.filter(|other| self.may_meet(shape, *other, reach)));
            }
            found.sort_unstable();
            for other in &found {
                if let Some(pair) = scene.pairs().index_of(shape, *other) {
                    take(Neighbours {
                        pair,
                        shapes: [shape, *other],
                    });
                }
            }
        }
        self.found = found;
    }

    fn sort(&mut self, scene: &Scene, poses: &impl Poses, reach: f64) {
        self.small.clear();
        self.large.clear();
        self.cubes.clear();
        let size = self.edge + reach;
        for (index, aabb) in self.boxes.iter_mut_enumerated() {
            if self.moves[index] {
                let form = &scene.shapes()[index].bounding_form;
                *aabb = Aabb::around(form, poses.pose(index));
            }
            if extent(aabb) <= self.edge {
                let middle = (aabb.lower + aabb.upper) * (0.5 / size);
                self.small.push(index);
                self.cubes
                    .push([middle.x, middle.y, middle.z].map(|x| x.floor() as i64));
            } else {
                self.large.push(index);
            }
        }
        let count = (2 * self.small.len()).next_power_of_two().max(2);
        self.first.clear();
        self.first.resize(count + 1, 0);
        for cube in &self.cubes {
            self.first[number(cube, count) + 1] += 1;
        }
        for i in 0..count {
            self.first[i + 1] += self.first[i];
        }
        self.sorted.clear();
        self.sorted.resize(self.small.len(), 0);
        // From the last to the first, so that those of one number ascend.
        let mut next: Vec<u32> = self.first[1..].to_vec();
        for (place, cube) in self.cubes.iter().enumerate().rev() {
            let end = &mut next[number(cube, count)];
            *end -= 1;
            self.sorted[*end as usize] = place as u32;
        }
    }

    fn near_small(&self, place: usize, reach: f64, found: &mut Vec<ShapeId>) {
        let (shape, cube) = (self.small[place], self.cubes[place]);
        let count = self.first.len() - 1;
        for offset in 0..27 {
            let step = [offset / 9 - 1, offset / 3 % 3 - 1, offset % 3 - 1];
            let other: Cube = std::array::from_fn(|i| cube[i].saturating_add(step[i]));
            let number = number(&other, count);
            let [start, end] = [self.first[number], self.first[number + 1]].map(|i| i as usize);
            for entry in &self.sorted[start..end] {
                let entry = *entry as usize;
                if entry > place
                    && self.cubes[entry] == other
                    && self.may_meet(shape, self.small[entry], reach)
                {
                    found.push(self.small[entry]);
                }
            }
        }
        let large = self.large.iter().copied().filter(|other| *other > shape);
        found.extend(large.filter(|other| self.may_meet(shape, *other, reach)));
    }

    fn may_meet(&self, shape: ShapeId, other: ShapeId, reach: f64) -> bool {
        (self.moves[shape] || self.moves[other])
            && self.boxes[shape].distance(&self.boxes[other]) <= reach
    }
}

/// Longest edge of a box [m].
fn extent(aabb: &Aabb) -> f64 {
    let edges: Vec3 = aabb.upper - aabb.lower;
    edges.amax()
}

/// Number of a cube, less than a power of two.
fn number(cube: &Cube, count: usize) -> usize {
    // Odd numbers of 64 bits whose products spread neighbours.
    const SPREAD: [u64; 3] = [
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
    ];
    let mixed = (0..3).fold(0u64, |sum, i| {
        sum.wrapping_add((cube[i] as u64).wrapping_mul(SPREAD[i]))
    });
    ((mixed ^ (mixed >> 32)) as usize) & (count - 1)
}
