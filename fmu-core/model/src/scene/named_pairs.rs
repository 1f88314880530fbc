//! Pairs that a scene names, by bodies or by shapes of bodies, to set something for them.
//!
//! Threshold T [Engelson 2000, 6.6]: the gap of a pair counts from surfaces that lie T apart, so
//! that contact begins at a distance of T. It is the sum of the shells of both shapes, or the
//! threshold that a named pair gives instead. Either is part of the radius that sweeps the core:
//! each shape by its own shell, or each by T/2 for the pair that has a threshold. So event logic,
//! indicators and forces see gap - T without knowing of T.
//!
//! A name means all shapes of a body, `table`, or one of them, `table.cushion`. If several
//! named pairs give a threshold to the same two shapes, the one that names more shapes counts.

use crate::scene::Scene;
use crate::scene::description::{
    PairDescription, PairResponse, SceneDescription, SceneItem, ShapeName,
};
use crate::scene::elements::{ContactLaw, NamedPair, OwnLaw, OwnThreshold, Shape};
use crate::scene::flaw::{Rule, SceneError, SceneFlaw};
use crate::scene::pairing::{in_order, modulus_error};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{LawId, ShapeId, TiSlice};
use contact_laws::response::flaws::{Flaw, LawFlaw};
use contact_laws::response::{LawChanges, LawChoice, Number};
use std::collections::BTreeMap;
use std::ops::Range;

/// Convex parts that belong to one shape of the description.
pub(super) type ShapeRange = Range<ShapeId>;

impl Scene {
    /// Takes over what the description says of named pairs.
    pub(super) fn set_named_pairs(
        &mut self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        let mut groups = Vec::new();
        for (index, named) in description.pairs.iter().enumerate() {
            let own = self.named_groups(&named.between);
            let is_never = named.response == Some(PairResponse::None);
            if own.is_empty() && !is_never {
                errors.push(error(
                    description,
                    index,
                    "between",
                    never_touch(&named.between),
                ));
            } else if named.distance || named.warn_below.is_some() {
                self.named_pairs.push(NamedPair {
                    between: named.between.clone(),
                    parts: own.clone(),
                    warn_below: named.warn_below,
                    distance: named.distance,
                });
            }
            groups.push(own);
        }
        self.set_thresholds(description, &groups, errors);
        self.set_own_laws(description, &groups, errors);
    }

    fn set_thresholds(
        &mut self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        errors: &mut Vec<SceneError>,
    ) {
        let given = |named: &PairDescription| named.threshold.is_some();
        let setters = self.setters(description, groups, ("threshold", given), errors);
        for ([a, b], index) in setters {
            if let Some(threshold) = description.pairs[index].threshold {
                let forms = [a, b].map(|first| self.raise(first, 0.5 * threshold));
                self.thresholds.push(OwnThreshold {
                    first: [a, b],
                    value: threshold,
                    forms,
                });
            }
        }
    }

    fn set_own_laws(
        &mut self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        errors: &mut Vec<SceneError>,
    ) {
        let changes_of = |named: &PairDescription| match &named.response {
            Some(PairResponse::Law(changes)) => Some(changes.clone()),
            _ => None,
        };
        let given = |named: &PairDescription| changes_of(named).is_some();
        let setters = self.setters(description, groups, ("law", given), errors);
        for (index, named) in description.pairs.iter().enumerate() {
            let Some(changes) = changes_of(named) else {
                continue;
            };
            let set: Vec<[ShapeId; 2]> = setters
                .iter()
                .filter(|(_, setter)| **setter == index)
                .map(|(first, _)| *first)
                .collect();
            let mut bases: Vec<LawId> = set.iter().filter_map(|f| self.base_of(*f)).collect();
            bases.sort_unstable();
            bases.dedup();
            let [base] = bases[..] else {
                if bases.len() > 1 {
                    let names: Vec<String> = bases.iter().map(|law| self.law_name(*law)).collect();
                    let flaw = SceneFlaw::broken(Rule::SeveralMaterials, [&names.join(", ")]);
                    errors.push(error(description, index, "between", flaw));
                }
                continue;
            };
            let Some(same_order) = self.order_of(named, &set) else {
                let flaw = SceneFlaw::broken(Rule::LayerOnBoth, []);
                errors.push(error(description, index, "layer_depth_1", flaw));
                continue;
            };
            match self.own_choice(base, &in_order(&changes, same_order)) {
                Ok(choice) => {
                    let flaws = self.area_flaws_of(named, (&changes, &choice), &set);
                    let flaws = flaws.into_iter();
                    errors.extend(flaws.map(|(field, f)| error(description, index, field, f)));
                    let law = self.laws.next_key();
                    let own = set.iter().map(|first| OwnLaw { first: *first, law });
                    self.own_laws.extend(own);
                    let materials = self.laws[base].materials;
                    let shapes = set.first().copied();
                    let layers = changes.has_layers().then_some(SceneItem::Pair(index));
                    let flaw = |s| modulus_error(description, self, s, (&choice, layers));
                    errors.extend(shapes.and_then(flaw));
                    self.laws.push(ContactLaw {
                        materials,
                        between: Some(named.between.clone()),
                        choice,
                    });
                }
                Err(flaws) => {
                    errors.extend(flaws.into_iter().map(|(field, flaw)| {
                        error(description, index, field, SceneFlaw::Law(flaw))
                    }))
                }
            }
        }
        self.own_laws.sort_unstable_by_key(|own| own.first);
    }

    /// The law of a pair of materials with changes made, or what is wrong with them.
    fn own_choice(&self, base: LawId, changes: &LawChanges) -> Result<LawChoice, Vec<Flaw>> {
        let base = &self.laws[base].choice;
        let kinds = base.kinds.changed(changes);
        let flaws = changes.flaws(&kinds);
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let choice = base
            .changed(changes)
            .map_err(|numbers| vec![("", LawFlaw::Missing(numbers, kinds))])?;
        match choice.flaws_of(changes) {
            flaws if flaws.is_empty() => Ok(choice),
            flaws => Err(flaws),
        }
    }

    /// Whether the materials of these shapes, given by their first parts, are in the order of a
    /// named pair as they are in their law, of one material the shapes; none if that differs among
    /// the shapes and matters.
    fn order_of(&self, named: &PairDescription, set: &[[ShapeId; 2]]) -> Option<bool> {
        let mut orders = set.iter().map(|first| {
            let [a, b] = first.map(|shape| &self.shapes[shape]);
            let swapped = self.bodies[a.body].name != named.between[0].body;
            (a.material <= b.material) != swapped
        });
        let first = orders.next().unwrap_or(true);
        let layers = match &named.response {
            Some(PairResponse::Law(changes)) => {
                [Number::LayerDepth1, Number::LayerDepth2].map(|n| changes.number(n))
            }
            _ => [None, None],
        };
        (layers[0] == layers[1] || orders.all(|order| order == first)).then_some(first)
    }

    /// Index of the law that the materials of two shapes have, given by their first parts.
    fn base_of(&self, first: [ShapeId; 2]) -> Option<LawId> {
        let pair = self.pairs().index_of(first[0], first[1])?;
        Some(self.pairs().get(pair).material_pair)
    }

    /// Names of the materials of a law.
    fn law_name(&self, law: LawId) -> String {
        let materials = self.laws[law].materials;
        materials
            .map(|m| self.materials()[m].name.as_str())
            .join("-")
    }

    /// Which named pair sets a field for two shapes, given by their first parts: the one that names
    /// more shapes; two that name as many are an error.
    fn setters(
        &self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        (field, given): (&'static str, impl Fn(&PairDescription) -> bool),
        errors: &mut Vec<SceneError>,
    ) -> BTreeMap<[ShapeId; 2], usize> {
        // Number of shapes named, and index of the named pair.
        let mut setters: BTreeMap<[ShapeId; 2], (usize, usize)> = BTreeMap::new();
        for (index, named) in description.pairs.iter().enumerate() {
            if !given(named) {
                continue;
            }
            let precision = named.between.iter().filter(|n| n.shape.is_some()).count();
            for [a, b] in &groups[index] {
                let new = (precision, index);
                let old = setters.entry([a.start, b.start]).or_insert(new);
                if old.1 != index && old.0 == precision {
                    let [a, b] = [a, b].map(|parts| self.full_name(&self.shapes[parts.start]));
                    let first = (old.1 + 1).to_string();
                    let flaw = SceneFlaw::broken(Rule::SetTwice, [&first, field, &a, &b]);
                    errors.push(error(description, index, field, flaw));
                    break;
                }
                if precision > old.0 {
                    *old = new;
                }
            }
        }
        let setters = setters.into_iter();
        setters.map(|(first, (_, index))| (first, index)).collect()
    }

    /// The parts of a shape, raised by `distance` [m] in place of the shell; their bounds are
    /// enlarged to hold these.
    fn raise(&mut self, first: ShapeId, distance: f64) -> Vec<RoundedShape> {
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
    pub(super) fn named_groups(&self, names: &[ShapeName; 2]) -> Vec<[ShapeRange; 2]> {
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

    /// The shapes in contact that a name means.
    fn parts_of(&self, name: &ShapeName) -> Vec<ShapeRange> {
        let wanted = |shape: &Shape| {
            let is_first = shape.part.unwrap_or(0) == 0;
            is_first && name.names(&self.bodies[shape.body].name, &shape.name)
        };
        let shapes = self.shapes.iter_enumerated();
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
fn parts_from(shapes: &TiSlice<ShapeId, Shape>, first: ShapeId) -> ShapeRange {
    let follows = |shape: &&Shape| shape.part.is_some_and(|part| part > 0);
    let others = shapes[first.plus(1)..].iter().take_while(follows);
    first..first.plus(1 + others.count())
}

/// Two names whose shapes never touch.
pub(super) fn never_touch(names: &[ShapeName; 2]) -> SceneFlaw {
    let [a, b] = names.each_ref().map(ShapeName::to_string);
    SceneFlaw::broken(Rule::NeverTouch, [&a, &b])
}

fn error(
    description: &SceneDescription,
    index: usize,
    field: &'static str,
    flaw: SceneFlaw,
) -> SceneError {
    SceneError::new(description, SceneItem::Pair(index), field, flaw)
}
