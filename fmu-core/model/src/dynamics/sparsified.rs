//! Which of the intersections of two bodies are kept, see
//! [`contact_geometry::narrow_phase::overlap::sparsify`].
//!
//! Compared are the intersections that the scene reports, of each two bodies for themselves, and at
//! one state: none is older than another one, so that the result has no memory. All shapes and parts
//! of two bodies count as adjacent.

use crate::dynamics::Model;
use crate::dynamics::intersections::Intersection;
use crate::scene::Scene;
use contact_geometry::narrow_phase::overlap::sparsify::{
    Candidate, Sparsification, Statistics, sparsify,
};
use contact_laws::index::{IntersectionId, TiVec, ti_vec};
use std::collections::BTreeMap;

/// What is kept at a state, and work arrays.
#[derive(Clone, Debug)]
pub struct Sparsified {
    rules: Option<Sparsification>,
    /// Intersections of each two bodies.
    groups: Vec<Vec<IntersectionId>>,
    is_kept: TiVec<IntersectionId, bool>,
    /// Sums over all bodies; none if the state is another one since they were found.
    statistics: Option<Statistics>,
    /// Those of two bodies that there are at the state, and as candidates.
    present: Vec<IntersectionId>,
    candidates: Vec<Candidate>,
    /// Indices in `candidates`.
    kept: Vec<usize>,
}

impl Sparsified {
    /// Room for the intersections of a model.
    pub fn new(model: &Model) -> Self {
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

    /// Forgets what is kept: the state is another one.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.statistics = None;
    }

    /// True if the intersection is there and kept, once [`Self::find`] was called.
    pub fn is_kept(&self, index: IntersectionId) -> bool {
        self.is_kept[index]
    }

    /// Finds what is kept, from the intersections at the state; how many are kept and dropped, none
    /// if the scene has no rules.
    pub fn find(
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

/// The intersections of each two bodies.
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
