//! In which ways shapes and laws touch: over an area, in a point, or both.
//!
//! Convex parts of one kind that belong to one shape touch the same others in the same way; so only
//! the first of each kind is looked at.

use contact_laws::index::{LawId, ShapeId, TiVec, ti_vec};
use contact_model::scene::{Pair, Scene, Shape};

/// Whether something touches over an area, and whether in a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Over an area.
    pub area: bool,
    /// In a point.
    pub point: bool,
}

/// The ways of all shapes and laws of a scene.
#[derive(Clone, Debug)]
pub struct Touching {
    /// Of a convex part the first one of its shape that is of its kind.
    like: TiVec<ShapeId, ShapeId>,
    shapes: TiVec<ShapeId, Ways>,
    laws: TiVec<LawId, Ways>,
}

impl Touching {
    /// Of a scene of whose pairs none is counted yet.
    pub(super) fn none(scene: &Scene) -> Self {
        let shapes = scene.shapes();
        let mut like: TiVec<ShapeId, ShapeId> = TiVec::new();
        let mut kinds: Vec<ShapeId> = Vec::new();
        for (index, shape) in shapes.iter_enumerated() {
            if shape.part.unwrap_or(0) == 0 {
                kinds.clear();
            }
            let same = |other: &&ShapeId| shapes[**other].form.kind() == shape.form.kind();
            let first = kinds.iter().find(same).copied();
            if first.is_none() {
                kinds.push(index);
            }
            like.push(first.unwrap_or(index));
        }
        Touching {
            like,
            shapes: ti_vec![Ways::default(); shapes.len()],
            laws: ti_vec![Ways::default(); scene.laws().len()],
        }
    }

    /// Counts a pair of the first parts of two shapes, for all their parts.
    pub(super) fn count(&mut self, scene: &Scene, pair: &Pair, law: LawId) {
        let [firsts, seconds] = pair.shapes.map(|first| self.kinds_of(scene, first));
        for one in &firsts {
            for two in &seconds {
                let part = Pair {
                    shapes: [*one, *two],
                    ..*pair
                };
                let is_area = scene.is_area(&part);
                self.laws[law].add(is_area);
                self.shapes[*one].add(is_area);
                self.shapes[*two].add(is_area);
            }
        }
    }

    /// The first part of each kind of a shape, given by its first part.
    fn kinds_of(&self, scene: &Scene, first: ShapeId) -> Vec<ShapeId> {
        let rest = scene.shapes()[first..].iter().skip(1);
        let count = 1 + rest
            .take_while(|shape: &&Shape| shape.part > Some(0))
            .count();
        let parts = (0..count).map(|i| first.plus(i));
        parts.filter(|part| self.like[*part] == *part).collect()
    }

    /// Of a shape, or of a convex part of one.
    pub fn of_shape(&self, shape: ShapeId) -> Ways {
        self.shapes[self.like[shape]]
    }

    /// Of a law.
    pub fn of_law(&self, law: LawId) -> Ways {
        self.laws[law]
    }
}

impl Ways {
    fn add(&mut self, is_area: bool) {
        match is_area {
            true => self.area = true,
            false => self.point = true,
        }
    }
}
