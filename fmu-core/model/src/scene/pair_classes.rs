//! Pairs that are alike, so that what has one answer for all of them is asked once: ten thousand
//! equal balls on a floor have fifty million pairs and two classes.
//!
//! Shapes are alike if they agree in material, shell, kinds of their convex parts, in what named
//! pairs say of them, and in a key of the caller. Shapes that can touch the same others share a set
//! of partners; a class of pairs is such a set with a class of shapes 1 that have it and a class of
//! shapes 2 in it. As for [`Pairs::of_parts`], a shape is its first convex part.

use crate::scene::Scene;
use crate::scene::pairs::{Group, Pair, Pairs};
use contact_geometry::shapes::Kind;
use contact_laws::index::{GroupId, LawId, MaterialId, ShapeId, TiSlice, TiVec, each};
use std::collections::BTreeMap;

/// The pairs of a scene by classes.
#[derive(Clone, Debug)]
pub struct PairClasses<'s> {
    pairs: &'s Pairs,
    /// Of each group the first one that belongs to a later body.
    behind: TiVec<GroupId, GroupId>,
    sets: Vec<SetClasses>,
}

/// Groups by classes, each list in the order of the scene.
#[derive(Clone, Debug, Default)]
struct SetClasses {
    /// Those whose partners are the set.
    ones: BTreeMap<usize, Vec<GroupId>>,
    /// Those in the set.
    others: BTreeMap<usize, Vec<GroupId>>,
}

/// Pairs that are alike: every shape of `ones` with those of `others` that are of a later body, of
/// which each has at least one.
#[derive(Clone, Copy, Debug)]
pub struct PairClass<'c> {
    pairs: &'c Pairs,
    behind: &'c TiSlice<GroupId, GroupId>,
    ones: &'c [GroupId],
    others: &'c [GroupId],
}

/// What shapes that are alike have in common: material, shell [m] by its bits, kinds of parts, laws
/// and thresholds of named pairs by the other shape, and the key of the caller.
type Key = (MaterialId, u64, Vec<Kind>, Vec<(ShapeId, Special)>, usize);

/// What a named pair says: its law, or its threshold [m] by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Special {
    Law(LawId),
    Threshold(u64),
}

impl Scene {
    /// The pairs by classes of shapes for which `key`, given their first convex part, is equal too.
    pub fn pair_classes(&self, key: &dyn Fn(ShapeId) -> usize) -> PairClasses<'_> {
        let groups = self.pairs.groups();
        let mut special = self.specials();
        let mut known: BTreeMap<Key, usize> = BTreeMap::new();
        let mut classes: TiVec<GroupId, usize> = TiVec::with_capacity(groups.len());
        for group in groups {
            let first = group.shapes.start;
            let mut kinds: Vec<Kind> = self.kinds(first).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let shell = self.shapes[first].shell.to_bits();
            let said = special.remove(&first).unwrap_or_default();
            let class = (group.material, shell, kinds, said, key(first));
            let next = known.len();
            classes.push(*known.entry(class).or_insert(next));
        }
        PairClasses {
            pairs: &self.pairs,
            behind: behind(groups),
            sets: set_classes(&self.pairs, &classes),
        }
    }

    /// What named pairs say of each shape.
    fn specials(&self) -> BTreeMap<ShapeId, Vec<(ShapeId, Special)>> {
        let laws = self.own_laws.iter();
        let laws = laws.map(|own| (own.first, Special::Law(own.law)));
        let thresholds = self.thresholds.iter();
        let thresholds = thresholds.map(|own| (own.first, Special::Threshold(own.value.to_bits())));
        let mut all: BTreeMap<ShapeId, Vec<(ShapeId, Special)>> = BTreeMap::new();
        for ([a, b], special) in laws.chain(thresholds) {
            all.entry(a).or_default().push((b, special));
            all.entry(b).or_default().push((a, special));
        }
        all
    }
}

/// Of each group the first one that belongs to a later body.
fn behind(groups: &TiSlice<GroupId, Group>) -> TiVec<GroupId, GroupId> {
    let mut behind = TiVec::with_capacity(groups.len());
    let mut next = GroupId::FIRST;
    for group in groups {
        while groups.get(next).is_some_and(|g| g.body <= group.body) {
            next = next.plus(1);
        }
        behind.push(next);
    }
    behind
}

fn set_classes(pairs: &Pairs, classes: &TiSlice<GroupId, usize>) -> Vec<SetClasses> {
    let mut sets = vec![SetClasses::default(); pairs.set_count()];
    for (group, class) in classes.iter_enumerated() {
        let ones = &mut sets[pairs.set_of(group)].ones;
        ones.entry(*class).or_default().push(group);
    }
    for (index, set) in sets.iter_mut().enumerate() {
        for group in pairs.groups_of_set(index) {
            set.others.entry(classes[group]).or_default().push(group);
        }
    }
    sets
}

impl PairClasses<'_> {
    /// The classes, none of them empty, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = PairClass<'_>> {
        self.sets.iter().flat_map(move |set| {
            let ones = set.ones.values();
            ones.flat_map(move |ones| {
                let others = set.others.values();
                others.filter_map(move |others| self.class(ones, others))
            })
        })
    }

    fn class<'c>(&'c self, ones: &'c [GroupId], others: &'c [GroupId]) -> Option<PairClass<'c>> {
        let (first, last) = (self.behind[*ones.first()?], *others.last()?);
        let others = &others[others.partition_point(|other| *other < first)..];
        let ones = &ones[..ones.partition_point(|one| self.behind[*one] <= last)];
        (!others.is_empty()).then_some(PairClass {
            pairs: self.pairs,
            behind: &self.behind,
            ones,
            others,
        })
    }
}

impl<'c> PairClass<'c> {
    /// The first pair.
    pub fn first(&self) -> Pair {
        self.pair(self.ones[0], self.others[0])
    }

    /// Number of pairs of first convex parts.
    pub fn count(&self) -> usize {
        let ones = self.ones.iter();
        ones.map(|one| self.others_of(*one).len()).sum()
    }

    /// Number of pairs of all convex parts.
    pub fn count_of_parts(&self) -> usize {
        let groups = self.pairs.groups();
        let parts = |group: &GroupId| each(groups[*group].shapes.clone()).len();
        // Of the others before each place.
        let mut before = vec![0];
        for other in self.others {
            before.push(before[before.len() - 1] + parts(other));
        }
        let all = before[self.others.len()];
        let ones = self.ones.iter();
        ones.map(|one| {
            let behind = self.others.len() - self.others_of(*one).len();
            parts(one) * (all - before[behind])
        })
        .sum()
    }

    /// The first pair of every shape, as shape 1 or as shape 2: the side, and the pair.
    pub fn first_of_each(&self) -> impl Iterator<Item = (usize, Pair)> + 'c {
        let class = *self;
        let ones = self.ones.iter();
        let ones = ones.map(move |one| (0, class.pair(*one, class.others_of(*one)[0])));
        let others = self.others.iter();
        ones.chain(others.map(move |other| (1, class.pair(class.ones[0], *other))))
    }

    /// All pairs of first convex parts, in order.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + 'c {
        let class = *self;
        self.ones.iter().flat_map(move |one| {
            let others = class.others_of(*one).iter();
            others.map(move |other| class.pair(*one, *other))
        })
    }

    fn others_of(&self, one: GroupId) -> &'c [GroupId] {
        let behind = self.behind[one];
        let first = self.others.partition_point(|other| *other < behind);
        &self.others[first..]
    }

    fn pair(&self, one: GroupId, other: GroupId) -> Pair {
        let groups = self.pairs.groups();
        let firsts = [one, other].map(|group| groups[group].shapes.start);
        self.pairs.of_shapes(firsts)
    }
}
