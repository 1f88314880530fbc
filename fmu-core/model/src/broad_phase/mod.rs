//! Broad phase: pairs that may be close, from bounding boxes and from the travel of shapes.
//!
//! - [`tree`]: bounding-volume tree, and travel of the moving shapes
//!
//! # Candidates: the pairs that may be among the nearest, with bounds of their gaps
//!
//! The list holds every pair whose boxes were closer than `reach` when it was made, found by a tree of the
//! fixed boxes and one of the moving ones; half-spaces have no box and are tested one by one. It stays valid
//! while shapes move: a pair that is not listed has a gap of at least `reach` minus the travel of its shapes
//! since ([`Candidates::outside`]). A computed gap bounds the gap at later poses by the same travel. So new
//! lists are rare, and few gaps are recomputed; and since bounds only exclude gaps that need no evaluation,
//! the selection does not depend on earlier poses.
//!
//! # Pairs of shapes whose boxes are closer than a reach, by cells
//!
//! The pairs of a Verlet list, [Allen, Tildesley 2017] Computer Simulation of Liquids, 2nd edition, section
//! 5.3.
//!
//! Space is divided into cubes with the size of most moving boxes plus the reach, so that a close pair lies
//! in adjacent cubes. Cubes are numbered by a hash of their position, so that one distant shape costs
//! nothing; positions distinguish cubes with equal numbers. Shapes with a larger box, half-spaces among them,
//! are tested against all others.

pub(crate) mod tree;

use crate::broad_phase::tree::{STILL, Travel, Tree};
use crate::scene::Scene;
use crate::threads::Crew;
use contact_geometry::math::{Pose, Vec3};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{MoverId, PairId, ShapeId, TiSlice, TiVec, ti_vec};

/// Distance of boxes [m] below which they count as touching, and nothing is known of the gap: far above
/// rounding and above the gap at which the rule of Modia3D 0.12 still detects contact, so no contact hides
/// behind a bound.
pub(crate) const TOUCHING: f64 = 1e-9;

/// A list should have at least 3/2 as many pairs as are requested, and is cut to twice as many if it has more
/// than three times: long enough to last, short enough to scan.
const LEAST: (usize, usize) = (3, 2);
const MOST: usize = 3;
const CUT: usize = 2;
/// A list that grows beyond this multiple of the requested pairs is restarted with a smaller reach.
const OVERFLOW: usize = 8;
/// Up to this multiple of the requested pairs, all pairs of the scene are listed permanently.
const ALL: usize = 5;
/// Additional candidates for scenes with few pairs.
const SOME: usize = 200;
const TRIES: usize = 40;
/// Relative margin of the reach [1], so that the list lasts.
const SLACK: f64 = 0.25;

pub(crate) trait Poses {
    fn pose(&self, shape: ShapeId) -> &Pose;
}

/// Pair with the available information on its gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) pair: PairId,
    pub(crate) shapes: [ShapeId; 2],
    /// Movers of its shapes, see [`Travel`].
    movers: [MoverId; 2],
    /// Count of poses at which the gap was computed; 0: never.
    computed: u32,
    /// Computed gap [m], or a lower bound.
    gap: f64,
    /// Travel of the shapes at those poses, less the noise of the gap [m].
    travel: f64,
}

/// Work counters for tests and benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Work {
    /// Lists created.
    pub lists: u64,
    /// Tree nodes visited.
    pub nodes: u64,
    /// Gaps computed.
    pub gaps: u64,
    /// Candidates ranked, in each selection.
    pub ranked: u64,
}

/// The list, with the data to make the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    travel: Travel,
    movers: TiVec<ShapeId, MoverId>,
    still: Vec<ShapeId>,
    still_tree: Tree,
    moving_tree: Tree,
    /// Fixed shapes without a finite box.
    endless: Vec<ShapeId>,
    /// Boxes of all shapes; of moving ones at the poses of the list.
    boxes: TiVec<ShapeId, Aabb>,
    /// Count of poses taken, identifying the last ones.
    place: u32,
    list: Vec<Candidate>,
    /// Previous list, while a new one is made.
    before: Vec<Candidate>,
    distances: Vec<f64>,
    generation: u64,
    complete: bool,
    reach: f64,
    travel_of_list: Vec<f64>,
    /// Largest travel of a mover since the list was made [m].
    travelled: f64,
    pub work: Work,
}

impl Candidates {
    /// Starts with the present poses of the shapes. Poses of fixed bodies remain constant.
    pub(crate) fn new(scene: &Scene, poses: &impl Poses) -> Self {
        let mut new = Candidates {
            movers: ti_vec![STILL; scene.shapes().len()],
            ..Candidates::default()
        };
        let mut extent: f64 = 0.0;
        let mut moving = Vec::new();
        for (index, shape) in scene.shapes().iter_enumerated() {
            let pose = poses.pose(index);
            let aabb = Aabb::of(&shape.bounding_form, pose);
            new.boxes.push(aabb);
            if !scene.bodies()[shape.body].is_fixed() {
                moving.push((index, &shape.bounding_form, pose));
                new.movers[index] = MoverId::from(moving.len());
            } else {
                extent = extent.max(pose.position.amax());
                if is_finite(&aabb) {
                    extent = extent.max(aabb.lower.amax()).max(aabb.upper.amax());
                    new.still.push(index);
                } else {
                    new.endless.push(index);
                }
            }
        }
        new.still_tree = Tree::new(new.still.iter().map(|s| &new.boxes[*s]));
        new.moving_tree = Tree::new(moving.iter().map(|(s, ..)| &new.boxes[*s]));
        new.travel = Travel::new(moving.into_iter(), extent);
        new
    }

    /// Takes the poses of a state. Returns false if one is not finite; gaps are then unknown.
    pub(crate) fn take_place(&mut self, poses: &impl Poses) -> bool {
        self.place = self.place.wrapping_add(1).max(1);
        let finite = self.travel.update(|shape| poses.pose(shape));
        if self.travel.step() == f64::INFINITY || self.place == 1 {
            // Gap information refers to travel that is forgotten, or to poses whose numbers recur.
            self.generation += 1;
            self.list.clear();
            self.complete = false;
            self.travel_of_list.clear();
        }
        let now = self.travel.all().iter().zip(&self.travel_of_list);
        self.travelled = now.map(|(now, then)| now - then).fold(0.0, f64::max);
        finite
    }

    pub(crate) fn list(&self) -> &[Candidate] {
        &self.list
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Upper bound of the noise of gaps at these poses [m].
    pub(crate) fn largest_noise(&self) -> f64 {
        self.travel.largest_noise()
    }

    /// Largest travel of a shape between the last two poses taken [m].
    pub(crate) fn step(&self) -> f64 {
        self.travel.step()
    }

    /// Bounds of the gap of a candidate [m], equal if it was computed at these poses.
    #[inline(always)]
    pub(crate) fn bounds(&self, candidate: &Candidate) -> (f64, f64) {
        let gap = candidate.gap;
        if candidate.computed == self.place {
            return (gap, gap);
        }
        let moved = self.travel.of(candidate.movers) + self.travel.noise_of(candidate.movers)
            - candidate.travel;
        let upper = match candidate.computed {
            0 => f64::INFINITY,
            _ => gap + moved,
        };
        (gap - moved, upper)
    }

    /// Gap of the listed pair `index` [m], evaluated unless known at these poses; infinite instead of NaN.
    pub(crate) fn gap(&mut self, index: usize, gap: impl FnOnce(&Candidate) -> f64) -> f64 {
        let candidate = &mut self.list[index];
        if candidate.computed != self.place {
            let gap = gap(candidate);
            candidate.gap = if gap.is_nan() { f64::INFINITY } else { gap };
            candidate.computed = self.place;
            candidate.travel =
                self.travel.of(candidate.movers) - self.travel.noise_of(candidate.movers);
            self.work.gaps += 1;
        }
        candidate.gap
    }

    /// Lower bound of the gaps of pairs that are not listed [m].
    pub(crate) fn outside(&self) -> f64 {
        if self.complete {
            return f64::INFINITY;
        }
        if self.list.is_empty() {
            return f64::NEG_INFINITY;
        }
        self.reach - 2.0 * self.travelled - self.travel.largest_noise()
    }

    /// Makes a new list, from which `count` pairs are to be selected, with all pairs whose gap may be
    /// `needed` or less [m].
    pub(crate) fn gather(&mut self, scene: &Scene, poses: &impl Poses, count: usize, needed: f64) {
        self.work.lists += 1;
        self.generation += 1;
        std::mem::swap(&mut self.list, &mut self.before);
        self.travel_of_list.clear();
        self.travel_of_list.extend_from_slice(self.travel.all());
        self.travelled = 0.0;
        self.place_boxes(scene, poses);
        self.complete = needed == f64::INFINITY || scene.pairs().len() <= ALL * count + SOME;
        if self.complete {
            self.list_all(scene);
        } else {
            self.moving_tree
                .refit(self.travel.shapes().map(|s| &self.boxes[s]));
            self.list_near(scene, count, needed);
            self.list.sort_unstable_by_key(|candidate| candidate.pair);
            self.complete = self.list.len() == scene.pairs().len();
        }
        self.remember();
    }

    fn place_boxes(&mut self, scene: &Scene, poses: &impl Poses) {
        for shape in self.travel.shapes() {
            let form = &scene.shapes()[shape].bounding_form;
            self.boxes[shape] = Aabb::around(form, poses.pose(shape));
        }
    }

    fn list_all(&mut self, scene: &Scene) {
        self.list.clear();
        let boxes = &self.boxes;
        let all = scene
            .pairs()
            .ids()
            .zip(scene.pairs().iter())
            .map(|(id, pair)| {
                let [a, b] = pair.shapes;
                let distance = boxes[a].distance(&boxes[b]);
                fresh(&self.travel, &self.movers, id, pair.shapes, distance)
            });
        self.list.extend(all);
    }

    /// Lists pairs within a reach that gives a list of suitable length.
    fn list_near(&mut self, scene: &Scene, count: usize, needed: f64) {
        let least = TOUCHING.max(needed) + self.travel.largest_noise();
        let least = least + SLACK * least.abs();
        let mut reach = match self.reach > 0.0 {
            true => self.reach.max(least),
            false => least.max(self.typical_size()),
        };
        let (mut too_short, mut too_long) = (least, f64::INFINITY);
        for attempt in 0..=TRIES {
            let limit = match attempt {
                TRIES => usize::MAX,
                _ if reach <= least => usize::MAX,
                _ => OVERFLOW * count + SOME,
            };
            if !self.list_within(scene, reach, limit) {
                too_long = reach;
                reach = 0.5 * (too_short + reach);
            } else if self.list.len() * LEAST.1 < count * LEAST.0 && attempt < TRIES {
                too_short = reach;
                reach = match too_long.is_finite() {
                    true => 0.5 * (too_short + too_long),
                    false => 2.0 * reach,
                };
                if reach == f64::INFINITY {
                    self.list_all(scene);
                    break;
                }
            } else {
                break;
            }
        }
        self.reach = reach;
        if self.list.len() > MOST * count + SOME {
            self.cut(CUT * count, least);
        }
    }

    /// Cuts a new list to the `count` pairs with the closest boxes, and those closer than `least` [m].
    fn cut(&mut self, count: usize, least: f64) {
        self.distances.clear();
        self.distances.extend(self.list.iter().map(|c| c.gap));
        let (_, farthest, _) = self.distances.select_nth_unstable_by(count, f64::total_cmp);
        let reach = farthest.max(least);
        self.list.retain(|candidate| candidate.gap <= reach);
        self.reach = reach;
    }

    pub(crate) fn typical_size(&self) -> f64 {
        let size = |shape: ShapeId| (self.boxes[shape].upper - self.boxes[shape].lower).norm();
        let (sum, count) = self
            .travel
            .shapes()
            .fold((0.0, 0.0), |(sum, count), shape| {
                (sum + size(shape), count + 1.0)
            });
        let mean = sum / count;
        if mean > 0.0 && f64::is_finite(mean) {
            mean
        } else {
            1.0
        }
    }

    /// Lists the pairs whose boxes are within `reach` [m]. Stops and returns false beyond `limit`.
    fn list_within(&mut self, scene: &Scene, reach: f64, limit: usize) -> bool {
        self.list.clear();
        let (travel, movers, boxes) = (&self.travel, &self.movers, &self.boxes);
        for shape in travel.shapes() {
            let own = &boxes[shape];
            let mut meet = |other: ShapeId| {
                // Two that move meet once.
                if movers[other] != STILL && other <= shape {
                    return;
                }
                let distance = own.distance(&boxes[other]);
                if distance <= reach
                    && let Some(pair) = scene.pairs().index_of(shape, other)
                {
                    let shapes = [shape, other];
                    self.list
                        .push(fresh(travel, movers, pair, shapes, distance));
                }
            };
            let around = grown(own, reach);
            self.work.nodes += self
                .still_tree
                .visit(&around, |number| meet(self.still[number]));
            self.work.nodes += self
                .moving_tree
                .visit(&around, |number| meet(travel.shape(number)));
            self.endless.iter().for_each(|other| meet(*other));
            if self.list.len() > limit {
                return false;
            }
        }
        true
    }

    fn remember(&mut self) {
        let mut known = self.before.iter().filter(|c| c.computed != 0).peekable();
        for candidate in &mut self.list {
            while known.next_if(|old| old.pair < candidate.pair).is_some() {}
            if let Some(old) = known.next_if(|old| old.pair == candidate.pair) {
                *candidate = *old;
            }
        }
        self.before.clear();
    }
}

/// Pair with only the distance of the boxes known [m].
fn fresh(
    travel: &Travel,
    movers: &TiSlice<ShapeId, MoverId>,
    pair: PairId,
    shapes: [ShapeId; 2],
    distance: f64,
) -> Candidate {
    let movers = shapes.map(|shape| movers[shape]);
    Candidate {
        pair,
        shapes: [shapes[0].min(shapes[1]), shapes[0].max(shapes[1])],
        movers,
        computed: 0,
        gap: if distance > TOUCHING {
            distance
        } else {
            f64::NEG_INFINITY
        },
        travel: travel.of(movers) - travel.noise_of(movers),
    }
}

fn grown(aabb: &Aabb, by: f64) -> Aabb {
    // Rounding must not lose a box that is just within reach.
    let by =
        by * (1.0 + 4.0 * f64::EPSILON) + f64::EPSILON * (aabb.lower.amax() + aabb.upper.amax());
    Aabb {
        lower: aabb.lower.add_scalar(-by),
        upper: aabb.upper.add_scalar(by),
    }
}

fn is_finite(aabb: &Aabb) -> bool {
    let mut corners = aabb.lower.iter().chain(&aabb.upper);
    corners.all(|c| c.is_finite())
}

/// Size up to which boxes use the cells, over the size that nine tenths of the boxes do not exceed [1].
const LARGE: f64 = 1.5;

const SHAPES_PER_LIST: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neighbours {
    pub(crate) pair: PairId,
    pub(crate) shapes: [ShapeId; 2],
}

type Cube = [i64; 3];

/// Work arrays; the result depends on the poses and the reach alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    boxes: TiVec<ShapeId, Aabb>,
    moves: TiVec<ShapeId, bool>,
    small: Vec<ShapeId>,
    large: Vec<ShapeId>,
    /// Edge of a cube without the reach [m].
    edge: f64,
    cubes: Vec<Cube>,
    /// First entry of each cube number, and the end of the last.
    first: Vec<u32>,
    /// Indices in `small`, sorted by cube number.
    sorted: Vec<u32>,
}

impl Cells {
    pub(crate) fn new(scene: &Scene, poses: &impl Poses) -> Self {
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

    /// Half of the median edge of the boxes in cubes [m]: a reach that keeps the list short and long in use.
    pub(crate) fn typical_reach(&self) -> f64 {
        0.5 * self.edge / LARGE
    }

    /// Applies `of` to each pair whose boxes are closer than `reach` [m]; pair order across the returned
    /// lists.
    pub(crate) fn gather<T: Send>(
        &mut self,
        crew: &Crew,
        scene: &Scene,
        poses: &impl Poses,
        reach: f64,
        of: impl Fn(Neighbours) -> T + Sync,
    ) -> Vec<Vec<T>> {
        self.sort(scene, poses, reach);
        let (cells, count) = (&*self, self.boxes.len());
        let mut all: Vec<Vec<T>> = Vec::new();
        all.resize_with(count.div_ceil(SHAPES_PER_LIST), Vec::new);
        crew.pieces(&mut all[..], 1, |first, lists| {
            let mut found = Vec::new();
            for (number, list) in (first..).zip(lists) {
                let first = number * SHAPES_PER_LIST;
                for shape in (first..count.min(first + SHAPES_PER_LIST)).map(ShapeId::from) {
                    cells.near(shape, reach, &mut found);
                    let pairs = found.iter().filter_map(|other| {
                        let pair = scene.pairs().index_of(shape, *other)?;
                        let shapes = [shape, *other];
                        Some(of(Neighbours { pair, shapes }))
                    });
                    list.extend(pairs);
                }
            }
        });
        all
    }

    /// Shapes after `shape` whose boxes are closer than `reach` [m], ascending.
    fn near(&self, shape: ShapeId, reach: f64, found: &mut Vec<ShapeId>) {
        found.clear();
        if let Ok(place) = self.small.binary_search(&shape) {
            self.near_small(place, reach, found);
        } else {
            let all = self.boxes.keys().filter(|other| *other > shape);
            found.extend(all.filter(|other| self.may_meet(shape, *other, reach)));
        }
        found.sort_unstable();
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
        // From the last to the first, so that entries of one number ascend.
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
            let (start, end) = (self.first[number], self.first[number + 1]);
            for entry in &self.sorted[start as usize..end as usize] {
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

fn extent(aabb: &Aabb) -> f64 {
    let edges: Vec3 = aabb.upper - aabb.lower;
    edges.amax()
}

/// Number of a cube, below `count`, a power of two.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ball, steel_scene};
    use contact_geometry::math::{Mat3, Vec3};

    struct Places(TiVec<ShapeId, Pose>);

    impl Poses for Places {
        fn pose(&self, shape: ShapeId) -> &Pose {
            &self.0[shape]
        }
    }

    /// A gap is computed with the noise of its position, and so is the next one, elsewhere.
    #[test]
    fn a_gap_computed_at_the_last_place_bounds_the_next_up_to_the_noise_of_both() {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let balls = [0, 1].map(|i| ball(&format!("ball_{i}"), positions[i]));
        let scene = Scene::new(steel_scene(balls.into())).expect("a valid scene");
        let mut places = Places(TiVec::from_iter(positions.map(|position| Pose {
            position: Vec3::from(position),
            rotation: Mat3::identity(),
        })));
        let mut candidates = Candidates::new(&scene, &places);
        candidates.take_place(&places);
        candidates.gather(&scene, &places, 1, f64::INFINITY);
        assert_eq!(candidates.gap(0, |_| 0.8), 0.8);
        assert_eq!(candidates.bounds(&candidates.list()[0]), (0.8, 0.8));
        for travelled in [0.0, 0.25] {
            places.0.raw[1].position.y = travelled;
            candidates.take_place(&places);
            let (lower, upper) = candidates.bounds(&candidates.list()[0]);
            // 1e-9 m at either position; roundings of coordinates of 1 m are far less.
            let expected = travelled + 2e-9;
            assert!((upper - 0.8 - expected).abs() < 1e-11, "{upper}");
            assert!((0.8 - lower - expected).abs() < 1e-11, "{lower}");
        }
    }
}
