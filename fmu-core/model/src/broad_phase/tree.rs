//! Bounding-volume tree: the boxes that intersect a given box.
//!
//! The tree is parry's; no other file knows its types. Query results do not depend on how the tree grew. A
//! query allocates only in a tree deeper than 32 levels.
//!
//! # Travel of the moving shapes
//!
//! Between two poses of a shape no point of it moves farther than |p' - p| + |R' - R| r, with p the origin of
//! its frame, R the rotation, r the distance of its farthest point from that origin, and |R' - R| the
//! spectral norm, for rotations the root of half the sum of squares. The sum over the poses in between is the
//! travel of the shape. The gap of two shapes changes by no more than the sum of their travels, like their
//! support functions.

use contact_geometry::math::{Mat3, Pose};
use contact_geometry::shapes::{Aabb, RoundedShape};
use contact_laws::index::{MoverId, ShapeId, TiVec, ti_vec};
use parry3d_f64::bounding_volume::Aabb as Bounds;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, TraversalAction};

/// Boxes numbered from 0.
#[derive(Clone, Default)]
pub(crate) struct Tree(Bvh);

impl Tree {
    pub(crate) fn new<'a>(boxes: impl Iterator<Item = &'a Aabb>) -> Self {
        Tree(Bvh::from_iter(
            BvhBuildStrategy::Binned,
            boxes.map(bounds).enumerate(),
        ))
    }

    /// Refits the tree to moved boxes, all of them in the same order; its topology is unchanged.
    pub(crate) fn refit<'a>(&mut self, boxes: impl Iterator<Item = &'a Aabb>) {
        for (index, aabb) in boxes.enumerate() {
            self.0
                .insert_or_update_partially(bounds(aabb), index as u32, 0.0);
        }
        self.0.refit_without_opt();
    }

    /// Calls `found` with the number of each box that intersects `query`, in any order. Returns the number of
    /// nodes visited.
    pub(crate) fn visit(&self, query: &Aabb, mut found: impl FnMut(usize)) -> u64 {
        let (lower, upper): ([f64; 3], [f64; 3]) = (query.lower.into(), query.upper.into());
        let mut nodes = 0;
        self.0.traverse(|node| {
            nodes += 1;
            let (low, high) = (node.mins().to_array(), node.maxs().to_array());
            if (0..3).any(|i| low[i] > upper[i] || high[i] < lower[i]) {
                return TraversalAction::Prune;
            }
            if let Some(index) = node.leaf_data() {
                found(index as usize);
            }
            TraversalAction::Continue
        });
        nodes
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree of {} boxes", self.0.leaf_count())
    }
}

fn bounds(aabb: &Aabb) -> Bounds {
    let (lower, upper): ([f64; 3], [f64; 3]) = (aabb.lower.into(), aabb.upper.into());
    Bounds::new(lower.into(), upper.into())
}

/// Relative margin of a step of travel [1]: above the rounding of its formula.
const STEP_ROUNDING: f64 = 1e-12;
/// Relative rounding of a sum [1].
const SUM_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Noise of a gap relative to the coordinates it is computed from [1]: a thousand roundings.
const NOISE: f64 = 1e3 * f64::EPSILON;
/// Noise of a gap near the world origin [m]: far above that of any search, far below what matters.
const LEAST_NOISE: f64 = 1e-9;

pub(crate) const STILL: MoverId = MoverId::FIRST;

/// Travel of shapes, by mover.
#[derive(Clone, Debug, Default)]
pub(crate) struct Travel {
    movers: Vec<MovingShape>,
    travel: TiVec<MoverId, f64>,
    /// Contribution of each to the noise of a gap at the last poses [m].
    noise: TiVec<MoverId, f64>,
    step: f64,
}

#[derive(Clone, Debug)]
struct MovingShape {
    shape: ShapeId,
    /// Distance of the core's farthest point from the origin of its frame [m].
    radius: f64,
    last: Pose,
}

impl Travel {
    /// Moving shapes at their present poses. `extent` is the largest coordinate of the others [m].
    pub(crate) fn new<'a>(
        shapes: impl Iterator<Item = (ShapeId, &'a RoundedShape, &'a Pose)>,
        extent: f64,
    ) -> Self {
        let mover = |(shape, form, pose): (ShapeId, &RoundedShape, &Pose)| MovingShape {
            shape,
            radius: form.core.solid().reach(),
            last: *pose,
        };
        let movers: Vec<MovingShape> = shapes.map(mover).collect();
        let mut noise: TiVec<MoverId, f64> = ti_vec![NOISE * extent];
        noise.extend(movers.iter().map(MovingShape::noise));
        Travel {
            travel: ti_vec![0.0; 1 + movers.len()],
            noise,
            movers,
            step: 0.0,
        }
    }

    /// Takes new poses. Returns false if one is not finite. If the travel is not finite, because of a pose or
    /// a huge distance, all travel restarts at zero and [`Self::step`] is infinite.
    pub(crate) fn update<'a>(&mut self, pose: impl Fn(ShapeId) -> &'a Pose) -> bool {
        self.step = 0.0;
        let mut known = true;
        let numbers = self.travel.raw[1..]
            .iter_mut()
            .zip(&mut self.noise.raw[1..]);
        for (mover, (travel, noise)) in self.movers.iter_mut().zip(numbers) {
            let now = pose(mover.shape);
            let mut step = (now.position - mover.last.position).norm();
            if mover.radius > 0.0 {
                step += mover.radius * stretch(&(now.rotation - mover.last.rotation));
            }
            mover.last = *now;
            *noise = mover.noise();
            if step != 0.0 {
                *travel += step * (1.0 + STEP_ROUNDING) + SUM_ROUNDING * *travel;
            }
            known &= travel.is_finite() && noise.is_finite();
            self.step = self.step.max(step);
        }
        if known {
            return true;
        }
        self.travel.fill(0.0);
        self.step = f64::INFINITY;
        self.movers.iter().all(MovingShape::is_finite)
    }

    #[inline(always)]
    pub(crate) fn of(&self, movers: [MoverId; 2]) -> f64 {
        self.travel[movers[0]] + self.travel[movers[1]]
    }

    #[inline(always)]
    pub(crate) fn noise_of(&self, movers: [MoverId; 2]) -> f64 {
        LEAST_NOISE + self.noise[movers[0]] + self.noise[movers[1]]
    }

    pub(crate) fn all(&self) -> &[f64] {
        &self.travel.raw
    }

    /// Upper bound of the noise of gaps [m].
    pub(crate) fn largest_noise(&self) -> f64 {
        LEAST_NOISE + 2.0 * self.noise.iter().fold(0.0, |most, noise| noise.max(most))
    }

    pub(crate) fn step(&self) -> f64 {
        self.step
    }

    pub(crate) fn shape(&self, place: usize) -> ShapeId {
        self.movers[place].shape
    }

    pub(crate) fn shapes(&self) -> impl Iterator<Item = ShapeId> + '_ {
        self.movers.iter().map(|mover| mover.shape)
    }
}

impl MovingShape {
    fn noise(&self) -> f64 {
        let p = &self.last.position;
        NOISE * (p.x.abs() + p.y.abs() + p.z.abs() + self.radius)
    }

    fn is_finite(&self) -> bool {
        self.noise().is_finite() && self.last.rotation.iter().all(|c| c.is_finite())
    }
}

/// Spectral norm of the difference of two rotations.
fn stretch(difference: &Mat3) -> f64 {
    (0.5 * difference.norm_squared()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::Vec3;

    #[test]
    fn a_visit_finds_what_looking_at_every_box_finds() {
        let mut seed = 3u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut some_box = |size: f64| {
            let lower = Vec3::new(random(), random(), random());
            Aabb {
                lower,
                upper: lower + Vec3::new(random(), random(), random()) * size,
            }
        };
        for count in [0, 1, 2, 3, 50, 1000] {
            let mut boxes: Vec<Aabb> = (0..count).map(|_| some_box(0.1)).collect();
            let mut tree = Tree::new(boxes.iter());
            for round in 0..4 {
                for _ in 0..20 {
                    let query = some_box(0.2);
                    let mut found = Vec::new();
                    let nodes = tree.visit(&query, |index| found.push(index));
                    found.sort_unstable();
                    let met: Vec<usize> = (0..count)
                        .filter(|i| boxes[*i].distance(&query) == 0.0)
                        .collect();
                    assert_eq!(found, met, "{count} boxes, round {round}");
                    if count == 1000 && round == 0 {
                        assert!(nodes < 600, "{nodes} nodes");
                    }
                }
                boxes.fill_with(|| some_box(0.1));
                tree.refit(boxes.iter());
            }
        }
    }
}

#[cfg(test)]
mod travel_tests {
    use super::*;
    use contact_geometry::math::{Vec3, rotation_matrix};

    /// A half turn about the middle of a box moves its corners by twice their distance to the axis.
    #[test]
    fn a_half_turn_moves_a_box_by_its_diagonal() {
        let form = RoundedShape::cuboid(&[6.0, 8.0, 0.0], 0.0);
        let at = |q: [f64; 4]| Pose {
            position: Vec3::zeros(),
            rotation: rotation_matrix(&q),
        };
        let start = at([1.0, 0.0, 0.0, 0.0]);
        let mut travel = Travel::new([(ShapeId::FIRST, &form, &start)].into_iter(), 0.0);
        assert!(travel.update(|_| &start));
        assert_eq!(travel.of([STILL, 1.into()]), 0.0);
        let turned = at([0.0, 0.0, 0.0, 1.0]);
        assert!(travel.update(|_| &turned));
        assert!((travel.of([STILL, 1.into()]) - 10.0).abs() < 1e-10);
    }

    #[test]
    fn a_pose_that_is_not_finite_is_reported_and_forgotten_at_once() {
        let form = RoundedShape::sphere(1.0);
        let mut pose = Pose::identity();
        let mut travel = Travel::new([(ShapeId::FIRST, &form, &pose)].into_iter(), 0.0);
        pose.position.x = f64::NAN;
        assert!(!travel.update(|_| &pose));
        assert_eq!(travel.of([1.into(), STILL]), 0.0);
        // The first finite pose is good, though it is unknown how far it is from the last; so is
        // one whose distance is beyond all numbers.
        for x in [1.0, 1e300, 2.0] {
            pose.position.x = x;
            assert!(travel.update(|_| &pose));
            assert_eq!(
                (travel.of([1.into(), STILL]), travel.step()),
                (0.0, f64::INFINITY)
            );
        }
        pose.position.x = 5.0;
        assert!(travel.update(|_| &pose));
        assert!((travel.of([1.into(), STILL]) - 3.0).abs() < 1e-10);
    }

    /// A gap is a difference of coordinates; a thousand of their roundings and 1e-9 m are allowed.
    #[test]
    fn noise_grows_with_the_coordinates_and_none_is_larger_than_the_largest() {
        let form = RoundedShape::cuboid(&[6.0, 8.0, 0.0], 0.0);
        let places = [[3e6, -2e6, -1e6], [-4e5, 0.0, 0.0], [0.0, 0.0, 0.0]];
        let poses = places.map(|place| Pose {
            position: Vec3::from(place),
            rotation: Mat3::identity(),
        });
        let moving = poses
            .iter()
            .enumerate()
            .map(|(i, pose)| (i.into(), &form, pose));
        // What never moves lies up to 5e4 m away.
        let mut travel = Travel::new(moving, 5e4);
        let part = |size: f64| 1e3 * f64::EPSILON * size;
        let parts = [5e4, 6e6 + 5.0, 4e5 + 5.0, 5.0].map(part);
        let assert_noise = |travel: &Travel, parts: &[f64; 4]| {
            for (i, a) in (0..).zip(parts) {
                for (j, b) in (0..).zip(parts) {
                    let noise = travel.noise_of([i.into(), j.into()]);
                    assert!((noise / (1e-9 + a + b) - 1.0).abs() < 1e-12, "{noise:e}");
                    assert!(noise <= travel.largest_noise());
                }
            }
            let largest = parts.iter().fold(0.0, |most: f64, part| most.max(*part));
            let expected = 1e-9 + 2.0 * largest;
            assert!((travel.largest_noise() / expected - 1.0).abs() < 1e-12);
        };
        assert_noise(&travel, &parts);
        // The noise is that of the present position.
        let mut moved = poses;
        moved[0].position = Vec3::new(0.0, 7e7, -1e7);
        assert!(travel.update(|i| &moved[usize::from(i)]));
        assert_noise(&travel, &[parts[0], part(8e7 + 5.0), parts[2], parts[3]]);
    }
}
