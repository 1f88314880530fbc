//! Scopes: index lists of what is evaluated and stepped together, all of a model or an island.

use crate::dynamics::Model;
use contact_geometry::math::same_bits;
use contact_laws::index::{DeflectionId, LatchId, LinkId, PairId, SlotId, StopId, TriggerId, each};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Ascending, complete trees.
    pub links: Vec<LinkId>,
    pub trees: Vec<LinkId>,
    pub stops: Vec<StopId>,
    pub latches: Vec<LatchId>,
    pub latch_triggers: Vec<LatchId>,
    pub triggers: Vec<TriggerId>,
    pub deflections: Vec<DeflectionId>,
    /// Ranges in the state vector of the scene.
    pub states: Vec<Range<usize>>,
    pub slots: Slots,
}

/// Pairs watched by the indicator slots of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slots {
    /// Selected among all pairs of the scene at each event and completed step: for the scope of all.
    Chosen,
    /// Given to the scope; contacts may start and end within a step.
    Given,
}

impl Scope {
    pub(crate) fn all(model: &Model) -> Self {
        let (scene, layout) = (&model.scene, model.scene.layout());
        Scope {
            links: model.links.indices.clone(),
            trees: model.links.tree_indices.clone(),
            stops: model.stops.keys().collect(),
            latches: scene.latches().keys().collect(),
            latch_triggers: scene.latch_triggers().to_vec(),
            triggers: scene.triggers().keys().collect(),
            deflections: layout.all_deflections().collect(),
            states: std::iter::once(0..layout.count()).collect(),
            slots: Slots::Chosen,
        }
    }

    pub(crate) fn nothing() -> Self {
        Scope {
            links: Vec::new(),
            trees: Vec::new(),
            stops: Vec::new(),
            latches: Vec::new(),
            latch_triggers: Vec::new(),
            triggers: Vec::new(),
            deflections: Vec::new(),
            states: Vec::new(),
            slots: Slots::Given,
        }
    }

    /// Takes these links (ascending, complete trees) and these ascending pairs, pair i in slot i. The states
    /// are those of the links, then deflections by slots, then the dissipated work.
    pub(crate) fn take(&mut self, model: &Model, links: &[LinkId], pairs: &[PairId]) {
        let (scene, layout) = (&model.scene, model.scene.layout());
        self.links.clear();
        self.links.extend_from_slice(links);
        self.trees.clear();
        let in_trees = links.iter().filter(|link| !model.links.is_rigid(**link));
        self.trees.extend(in_trees);
        self.stops.clear();
        self.latches.clear();
        for index in &self.trees {
            let link = &model.links.all[*index];
            self.stops.extend(each(link.stops.clone()));
            self.latches.extend(link.latch);
        }
        let latches = self.latches.iter().copied();
        self.latch_triggers.clear();
        self.latch_triggers
            .extend(latches.filter(|latch| scene.latches()[*latch].trigger.is_some()));
        // All links that a trigger watches are in one island.
        let triggers = model.links.of_triggers.iter_enumerated();
        let own = triggers.filter(|(_, watched)| links.binary_search(&watched[0]).is_ok());
        self.triggers.clear();
        self.triggers.extend(own.map(|(index, _)| index));
        self.deflections.clear();
        let slots = (0..).map(SlotId::from).zip(pairs);
        self.deflections
            .extend(slots.filter_map(|(slot, pair)| layout.deflection_of(*pair, slot)));
        self.states.clear();
        for index in links {
            append(&mut self.states, model.links.all[*index].states());
        }
        for index in &self.deflections {
            append(&mut self.states, layout.deflection(*index));
        }
        if let Some(work) = layout.work() {
            append(&mut self.states, work..work + 1);
        }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.slots == Slots::Chosen
    }

    pub(crate) fn state_count(&self) -> usize {
        self.states.iter().map(Range::len).sum()
    }

    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.states.iter().cloned().flatten()
    }

    /// Links with the index of the first state of each in the scope.
    pub(crate) fn first_states<'a>(
        &'a self,
        model: &'a Model,
    ) -> impl Iterator<Item = (LinkId, usize)> + 'a {
        let mut next = 0;
        self.links.iter().map(move |index| {
            let own = model.links.all[*index].states();
            let first = if self.is_all() { own.start } else { next };
            next = first + own.len();
            (*index, first)
        })
    }

    /// Gathers the states of the scope from those of the scene.
    pub(crate) fn read(&self, all: &[f64], own: &mut [f64]) {
        let mut rest = own;
        for range in &self.states {
            let (values, behind) = rest.split_at_mut(range.len());
            values.copy_from_slice(&all[range.clone()]);
            rest = behind;
        }
    }

    /// Scatters the states of the scope into those of the scene.
    #[inline(always)]
    pub(crate) fn write(&self, own: &[f64], all: &mut [f64]) {
        let mut rest = own;
        for range in &self.states {
            let (values, behind) = rest.split_at(range.len());
            all[range.clone()].copy_from_slice(values);
            rest = behind;
        }
    }

    /// Returns true if the states of the scope have these values in the scene.
    #[inline(always)]
    pub(crate) fn is_at(&self, own: &[f64], all: &[f64]) -> bool {
        let mut rest = own;
        self.states.iter().all(|range| {
            let (values, behind) = rest.split_at(range.len());
            rest = behind;
            same_bits(&all[range.clone()], values)
        })
    }
}

fn append(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
