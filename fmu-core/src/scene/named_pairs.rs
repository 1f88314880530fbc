//! Pairs that a scene names, by bodies or by shapes of bodies, to set something for them.
//!
//! Threshold T [Engelson 2000, 6.6]: the gap of a pair counts from surfaces that lie T apart, so
//! that contact begins at a distance of T. It is the sum of the shells of both shapes, or the
//! threshold that a named pair gives instead. Either is part of the radius that sweeps the core:
//! each shape by its own shell, or each by T/2 for the pair that has a threshold. So event logic,
//! indicators and forces see gap - T without knowing of T.
//!
//! A name stands for all shapes of a body, `table`, or for one, `table.cushion`. Where several
//! named pairs give a threshold to the same two shapes, the one that names more shapes counts.

use crate::geometry::RoundedShape;
use crate::scene::check::subject;
use crate::scene::description::{SceneDescription, SceneError, SceneItem, ShapeName};
use crate::scene::{Scene, Shape};
use std::collections::BTreeMap;
use std::ops::Range;

/// The shapes of two groups of convex parts as they touch each other under a threshold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OwnThreshold {
    /// First shape of either group.
    first: [usize; 2],
    /// The threshold [m].
    value: f64,
    /// Shapes of either group, raised by half the threshold.
    forms: [Vec<RoundedShape>; 2],
}

/// Convex parts that belong to one shape of the description.
type Parts = Range<usize>;

/// Bodies or shapes whose distance somebody wants to know.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPair {
    /// The names, as the description has them.
    pub between: [ShapeName; 2],
    /// The shapes that can touch each other, each by its convex parts among the shapes of the scene.
    pub parts: Vec<[Range<usize>; 2]>,
    /// Distance below which the log warns [m].
    pub warn_below: Option<f64>,
    /// Their distance is an output.
    pub distance: bool,
}

impl Scene {
    /// The two shapes of a pair as they touch each other.
    #[inline(always)]
    pub fn forms_of(&self, shapes: [usize; 2]) -> [&RoundedShape; 2] {
        if self.thresholds.is_empty() {
            return shapes.map(|shape| &self.shapes[shape].form);
        }
        self.forms_by_pair(shapes)
    }

    /// Bodies or shapes whose distance is wanted, as an output or for a warning.
    pub fn named_pairs(&self) -> &[NamedPair] {
        &self.named_pairs
    }

    /// Distance at which the two shapes of a pair begin to touch [m].
    pub fn threshold_of(&self, shapes: [usize; 2]) -> f64 {
        match self.own_threshold(shapes) {
            Some((own, _)) => own.value,
            None => self.shapes[shapes[0]].shell + self.shapes[shapes[1]].shell,
        }
    }

    fn forms_by_pair(&self, shapes: [usize; 2]) -> [&RoundedShape; 2] {
        match self.own_threshold(shapes) {
            Some((own, parts)) => [&own.forms[0][parts[0]], &own.forms[1][parts[1]]],
            None => shapes.map(|shape| &self.shapes[shape].form),
        }
    }

    /// The threshold of a named pair that holds for two shapes, and which parts these are.
    fn own_threshold(&self, shapes: [usize; 2]) -> Option<(&OwnThreshold, [usize; 2])> {
        let parts = shapes.map(|shape| self.shapes[shape].part.unwrap_or(0) as usize);
        let first = [shapes[0] - parts[0], shapes[1] - parts[1]];
        let found = self
            .thresholds
            .binary_search_by_key(&first, |own| own.first);
        found.ok().map(|index| (&self.thresholds[index], parts))
    }

    /// Takes over what the description says of named pairs.
    pub(super) fn set_named_pairs(
        &mut self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        // Threshold, number of shapes named and index of the pair that gives it.
        let mut thresholds: BTreeMap<[usize; 2], (f64, usize, usize)> = BTreeMap::new();
        for (index, named) in description.pairs.iter().enumerate() {
            let mut fail = |field, text: String| {
                let item = SceneItem::Pair(index);
                let message = format!("{}{text}", subject(description, item));
                errors.push(SceneError {
                    item,
                    field,
                    message,
                });
            };
            let groups = self.named_groups(&named.between);
            if groups.is_empty() {
                let [a, b] = &named.between;
                fail(
                    "between",
                    format!(
                        "{a} and {b} never touch: both are fixed, one takes no part in contact, or their collision_group or exclude keeps them apart"
                    ),
                );
                continue;
            }
            if named.distance || named.warn_below.is_some() {
                self.named_pairs.push(NamedPair {
                    between: named.between.clone(),
                    parts: groups.clone(),
                    warn_below: named.warn_below,
                    distance: named.distance,
                });
            }
            let Some(threshold) = named.threshold else {
                continue;
            };
            let precision = named.between.iter().filter(|n| n.shape.is_some()).count();
            for [a, b] in groups {
                let new = (threshold, precision, index);
                let old = thresholds.entry([a.start, b.start]).or_insert(new);
                if old.2 != index && old.1 == precision {
                    let [a, b] = [a, b].map(|parts| self.full_name(&self.shapes[parts.start]));
                    fail(
                        "threshold",
                        format!(
                            "pair number {} gives a threshold to {a} and {b} too; keep one of the \
                             two, or name the shapes in one of them",
                            old.2 + 1
                        ),
                    );
                    break;
                }
                if precision > old.1 {
                    *old = new;
                }
            }
        }
        for ([a, b], (threshold, ..)) in thresholds {
            let forms = [a, b].map(|first| self.raise(first, 0.5 * threshold));
            self.thresholds.push(OwnThreshold {
                first: [a, b],
                value: threshold,
                forms,
            });
        }
    }

    /// The parts of a shape, raised by `distance` [m] in place of the shell; their bounds are
    /// enlarged to hold these.
    fn raise(&mut self, first: usize, distance: f64) -> Vec<RoundedShape> {
        let parts = parts_from(&self.shapes, first);
        let raised = self.shapes[parts].iter_mut().map(|shape| {
            let mut form = shape.form.clone();
            form.radius = shape.own_radius + distance;
            if form.radius > shape.bounding_form.radius {
                shape.bounding_form = form.clone();
            }
            form
        });
        raised.collect()
    }

    /// Pairs of shapes that can touch among those of two names, each by its parts, in the order of
    /// the scene.
    fn named_groups(&self, names: &[ShapeName; 2]) -> Vec<[Parts; 2]> {
        let [parts_1, parts_2] = [self.parts_of(&names[0]), self.parts_of(&names[1])];
        let mut groups = Vec::new();
        for a in &parts_1 {
            for b in &parts_2 {
                let [a, b] = if a.start < b.start { [a, b] } else { [b, a] };
                if self.pairs().index_of(a.start, b.start).is_some() {
                    groups.push([a.clone(), b.clone()]);
                }
            }
        }
        groups
    }

    /// The shapes in contact that a name stands for.
    fn parts_of(&self, name: &ShapeName) -> Vec<Parts> {
        let wanted = |shape: &Shape| {
            let is_first = shape.part.unwrap_or(0) == 0;
            is_first && name.names(&self.bodies[shape.body].name, &shape.name)
        };
        let shapes = self.shapes.iter().enumerate();
        let firsts = shapes.filter(|(_, shape)| wanted(shape));
        firsts
            .map(|(first, _)| parts_from(&self.shapes, first))
            .collect()
    }

    fn full_name(&self, shape: &Shape) -> String {
        format!("{}.{}", self.bodies[shape.body].name, shape.name)
    }
}

/// The convex parts of the shape whose first one is `first`.
fn parts_from(shapes: &[Shape], first: usize) -> Parts {
    let follows = |shape: &&Shape| shape.part.is_some_and(|part| part > 0);
    first..first + 1 + shapes[first + 1..].iter().take_while(follows).count()
}
