//! Intersections of pairs of polyhedra as results, and their sparsification; see
//! [`contact_geometry::narrow_phase::overlap`].
//!
//! Sparsification compares the intersections reported for each two bodies at one state: all are new, so that
//! the result has no memory. All shapes and parts of two bodies count as adjacent.

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use crate::scene::Scene;
use contact_geometry::math::{Pose, Real, Vec3};
use contact_geometry::narrow_phase::overlap;
use contact_geometry::narrow_phase::overlap::{
    Candidate, Overlap, Polyhedron, Sparsification, Statistics, sparsify,
};
use contact_laws::index::{IntersectionId, TiVec, ti_vec};
use std::collections::BTreeMap;

/// Intersection of a pair at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intersection<T: Real = f64> {
    /// Volume, surface, centroids and normals.
    pub overlap: Overlap<T>,
    /// Published gap along the normal weighted by squared areas [m].
    pub published_gap: T,
}

/// Number of values visited by [`Intersection::for_each`].
pub(crate) const NUMBERS: usize = 16;

impl<T: Real> Intersection<T> {
    /// Calls `visit` with volume, area, both gaps, both centroids and both normals.
    pub fn for_each(&self, mut visit: impl FnMut(T)) {
        let found = &self.overlap;
        for number in [found.volume, found.area, found.gap, self.published_gap] {
            visit(number);
        }
        for vector in [
            &found.volume_centroid_w,
            &found.surface_centroid_w,
            &found.normal_w,
            &found.squared_normal_w,
        ] {
            vector.iter().for_each(|number| visit(*number));
        }
    }
}

/// Polyhedra of the pairs of [`Scene::intersections`](crate::scene::Scene::intersections), and work arrays.
#[derive(Clone, Debug)]
pub(crate) struct Intersections<T: Real> {
    shapes: TiVec<IntersectionId, Option<[Polyhedron; 2]>>,
    epsilon: f64,
    work: overlap::Workspace<T>,
}

impl<T: Real> Intersections<T> {
    pub(crate) fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let reports = scene.intersections().iter();
        let pairs = reports.map(|report| scene.reported()[*report]);
        Intersections {
            shapes: pairs.map(|pair| scene.polyhedra_of(pair).ok()).collect(),
            epsilon: scene.contact().epsilon(),
            work: overlap::Workspace::default(),
        }
    }

    /// Intersection of a pair, from a workspace with the poses of the shapes.
    pub(crate) fn find(
        &mut self,
        model: &Model,
        work: &Workspace<T>,
        index: IntersectionId,
    ) -> Intersection<T> {
        let Some([one, two]) = &self.shapes[index] else {
            return Intersection::nothing();
        };
        let scene = &model.scene;
        let pair = scene.reported()[scene.intersections()[index]];
        let frame = |shape| -> &Pose<T> { &work.frames[model.frames.of_shapes[shape]] };
        let poses = scene.pairs().get(pair).shapes.map(frame);
        let overlap = self.work.overlap([one, two], poses, self.epsilon);
        let normal = &overlap.squared_normal_w;
        Intersection {
            published_gap: match overlap.intersects {
                true => self.work.gap_along([one, two], poses, normal),
                false => overlap.gap,
            },
            overlap,
        }
    }
}

impl<T: Real> Intersection<T> {
    fn nothing() -> Self {
        Intersection {
            overlap: Overlap {
                intersects: false,
                volume: T::zero(),
                volume_centroid_w: Vec3::zeros(),
                area: T::zero(),
                shared_area: T::zero(),
                surface_centroid_w: Vec3::zeros(),
                vector_areas_w: [Vec3::zeros(); 2],
                normal_w: Vec3::zeros(),
                squared_normal_w: Vec3::zeros(),
                gap: T::zero(),
                direction_w: Vec3::zeros(),
                surfaces: [0; 2],
                contains: [false; 2],
            },
            published_gap: T::zero(),
        }
    }
}

/// Kept intersections at a state, and work arrays.
#[derive(Clone, Debug)]
pub struct Sparsified {
    rules: Option<Sparsification>,
    groups: Vec<Vec<IntersectionId>>,
    is_kept: TiVec<IntersectionId, bool>,
    /// Sums over all bodies; `None` if the state has changed since.
    statistics: Option<Statistics>,
    /// Existing intersections of two bodies, also as candidates.
    present: Vec<IntersectionId>,
    candidates: Vec<Candidate>,
    kept: Vec<usize>,
}

impl Sparsified {
    pub(crate) fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let rules = scene.contact().sparsification;
        let groups = rules.map_or_else(Vec::new, |_| by_bodies(scene));
        let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
        Sparsified {
            rules,
            groups,
            is_kept: ti_vec![false; scene.intersections().len()],
            statistics: None,
            present: Vec::with_capacity(largest),
            candidates: Vec::with_capacity(largest),
            kept: Vec::with_capacity(largest),
        }
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.statistics = None;
    }

    pub fn is_kept(&self, index: IntersectionId) -> bool {
        self.is_kept[index]
    }

    /// Finds the kept intersections at the state; numbers of kept and dropped ones, `None` if the scene has
    /// no rules.
    pub(crate) fn find(
        &mut self,
        mut intersection: impl FnMut(IntersectionId) -> Intersection,
    ) -> Option<Statistics> {
        let rules = self.rules?;
        if self.statistics.is_some() {
            return self.statistics;
        }
        let mut sum = Statistics::default();
        self.is_kept.iter_mut().for_each(|kept| *kept = false);
        for group in &self.groups {
            self.present.clear();
            self.candidates.clear();
            for index in group {
                let overlap = intersection(*index).overlap;
                if overlap.intersects {
                    self.present.push(*index);
                    self.candidates.push(Candidate {
                        area: overlap.area,
                        point: overlap.surface_centroid_w,
                        is_new: true,
                    });
                }
            }
            sum += sparsify(&self.candidates, &rules, |_, _| true, &mut self.kept);
            for place in &self.kept {
                self.is_kept[self.present[*place]] = true;
            }
        }
        self.statistics = Some(sum);
        self.statistics
    }
}

fn by_bodies(scene: &Scene) -> Vec<Vec<IntersectionId>> {
    let mut groups: BTreeMap<_, Vec<IntersectionId>> = BTreeMap::new();
    for (index, report) in scene.intersections().iter_enumerated() {
        let shapes = scene.pairs().get(scene.reported()[*report]).shapes;
        let mut bodies = shapes.map(|shape| scene.shapes()[shape].body);
        bodies.sort_unstable();
        groups.entry(bodies).or_default().push(index);
    }
    groups.into_values().collect()
}
