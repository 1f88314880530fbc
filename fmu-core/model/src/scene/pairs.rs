//! Candidate pairs: two shapes that can touch, ordered by shape 1, then shape 2.
//!
//! A ground of ten thousand convex parts under a thousand bodies has ten million pairs, so they are
//! not listed but numbered: convex parts of one shape form a group; groups that can touch the same
//! others share one set of partners, kept as ranges of shapes; and the pairs of shape 1 are the end
//! of the set of its group behind its own body. Number and pair are found from each other by
//! bisection.
//!
//! Which groups can touch: not of one rigid group (the shapes of a body, or of bodies that never
//! move against each other), not of one collision group, not excluded by name.

use contact_laws::index::{
    BodyId, GroupId, LawId, MaterialId, PairId, ShapeId, TiSlice, TiVec, each, ti_vec,
};
use std::collections::BTreeMap;
use std::ops::Range;

/// A candidate pair: two shapes that can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Shape 1 and shape 2; 1 comes first in the scene.
    pub shapes: [ShapeId; 2],
    /// The law of their materials.
    pub material_pair: LawId,
}

/// The convex parts of one shape, and what decides whom they can touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The parts among the shapes of the scene.
    pub shapes: Range<ShapeId>,
    /// The body.
    pub(crate) body: BodyId,
    /// Number of the rigid group of the body.
    pub(crate) rigid_group: usize,
    /// Number of the collision group of the body.
    pub collision_group: Option<usize>,
    /// The contact material.
    pub material: MaterialId,
}

/// The candidate pairs of a scene.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pairs {
    groups: TiVec<GroupId, Group>,
    rows: TiVec<GroupId, Row>,
    group_of_shape: TiVec<ShapeId, GroupId>,
    /// Number of the first pair with shape 1 at this index; at the end the number of pairs.
    first_pair: TiVec<ShapeId, PairId>,
    sets: Vec<ShapeSet>,
    material_count: usize,
    /// Law of two materials, as a table; none if no pair needs it.
    material_pairs: Vec<Option<LawId>>,
}

/// The partners of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    /// Index of the set.
    set: usize,
    /// Place in the set of the first shape behind the body of the group.
    first: usize,
}

/// What two groups share that can touch the same others: a rigid group of several bodies, a
/// collision group, the groups excluded by name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    rigid_group: Option<usize>,
    collision_group: Option<usize>,
    others: Vec<GroupId>,
}

impl Pairs {
    /// Pairs of these groups, given in the order of their shapes, which leave no shape out.
    /// `excluded` are pairs of groups that never touch.
    pub(super) fn new(
        groups: TiVec<GroupId, Group>,
        excluded: &[[GroupId; 2]],
        material_count: usize,
    ) -> Pairs {
        let mut forbidden: TiVec<GroupId, Vec<GroupId>> = ti_vec![Vec::new(); groups.len()];
        for [a, b] in excluded {
            forbidden[*a].push(*b);
            forbidden[*b].push(*a);
        }
        // Shapes of a lone body need not be left out of its set: they never come after it.
        let mut bodies = BTreeMap::new();
        for group in &groups {
            let known = bodies.entry(group.rigid_group).or_insert(Some(group.body));
            if *known != Some(group.body) {
                *known = None;
            }
        }
        let mut pairs = Pairs {
            material_count,
            material_pairs: vec![None; material_count * material_count],
            ..Pairs::default()
        };
        let mut known: BTreeMap<Class, usize> = BTreeMap::new();
        for (index, group) in groups.iter_enumerated() {
            let lone = bodies.get(&group.rigid_group).is_some_and(Option::is_some);
            let mut others = std::mem::take(&mut forbidden[index]);
            others.sort_unstable();
            others.dedup();
            let class = Class {
                rigid_group: (!lone).then_some(group.rigid_group),
                collision_group: group.collision_group,
                others,
            };
            let set = match known.get(&class) {
                Some(set) => *set,
                None => {
                    let set = pairs.sets.len();
                    pairs.sets.push(partners(&groups, &class));
                    known.insert(class, set);
                    set
                }
            };
            let behind = groups[index..].iter().find(|g| g.body != group.body);
            let partners = &pairs.sets[set];
            let first = match behind {
                Some(next) => partners.place(next.shapes.start),
                None => partners.len,
            };
            pairs.rows.push(Row { set, first });
        }
        let mut first_pair = PairId::FIRST;
        for (index, group) in groups.iter_enumerated() {
            let row = pairs.rows[index];
            for _ in each(group.shapes.clone()) {
                pairs.group_of_shape.push(index);
                pairs.first_pair.push(first_pair);
                first_pair = first_pair.plus(pairs.sets[row.set].len - row.first);
            }
        }
        pairs.first_pair.push(first_pair);
        pairs.groups = groups;
        pairs
    }

    /// Sets the law of two materials.
    pub(super) fn set_material_pair(&mut self, [a, b]: [MaterialId; 2], law: LawId) {
        for place in [self.place(a, b), self.place(b, a)] {
            self.material_pairs[place] = Some(law);
        }
    }

    /// Place of two materials in the table.
    fn place(&self, a: MaterialId, b: MaterialId) -> usize {
        usize::from(a) * self.material_count + usize::from(b)
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.first_pair.last().map_or(0, |end| usize::from(*end))
    }

    /// Returns true if nothing can touch anything.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers of all pairs.
    pub fn ids(&self) -> impl Iterator<Item = PairId> + Clone + use<> {
        (0..self.len()).map(PairId::from)
    }

    /// Returns true if there is a pair with this number.
    pub fn has(&self, pair: PairId) -> bool {
        usize::from(pair) < self.len()
    }

    /// The pair of a number less than [`Self::len`].
    pub fn get(&self, pair: PairId) -> Pair {
        let behind = self.first_pair.raw.partition_point(|first| *first <= pair);
        let shape_1 = ShapeId::from(behind - 1);
        let row = &self.rows[self.group_of_shape[shape_1]];
        let place = row.first + usize::from(pair) - usize::from(self.first_pair[shape_1]);
        self.pair(shape_1, self.sets[row.set].at(place))
    }

    /// The number of the pair of two shapes, given in any order; none if they never touch.
    pub fn index_of(&self, shape_1: ShapeId, shape_2: ShapeId) -> Option<PairId> {
        let (shape_1, shape_2) = (shape_1.min(shape_2), shape_1.max(shape_2));
        let row = self.rows.get(*self.group_of_shape.get(shape_1)?)?;
        let set = &self.sets[row.set];
        let place = set.place_of(shape_2)?;
        (place >= row.first).then(|| self.first_pair[shape_1].plus(place - row.first))
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = Pair> + '_ {
        self.group_of_shape.keys().flat_map(move |shape_1| {
            let row = &self.rows[self.group_of_shape[shape_1]];
            let set = &self.sets[row.set];
            let partners = set.from(row.first);
            partners.map(move |shape_2| self.pair(shape_1, shape_2))
        })
    }

    /// One pair for each two shapes of the description that can touch, of whatever parts they
    /// consist, in order: materials, contact spheres and bodies of the others are the same.
    pub fn of_parts(&self) -> impl Iterator<Item = Pair> + '_ {
        self.groups.iter().zip(&self.rows).flat_map(|(group, row)| {
            let others = self.groups_from(*row);
            others.map(|other| self.pair(group.shapes.start, other.shapes.start))
        })
    }

    /// Those of [`Self::of_parts`] with a given body.
    pub fn of_parts_with(&self, body: BodyId) -> impl Iterator<Item = Pair> + '_ {
        let first = self.groups.partition_point(|group| group.body < body);
        let rows = self.groups[first..].iter().zip(&self.rows[first..]);
        let own = rows.take_while(move |(group, _)| group.body == body);
        own.flat_map(move |(group, row)| {
            let all = Row { first: 0, ..*row };
            let others = self.groups_from(all).filter(move |g| g.body != body);
            others.map(|other| {
                let (a, b) = (group.shapes.start, other.shapes.start);
                self.pair(a.min(b), a.max(b))
            })
        })
    }

    /// Groups among the partners, from the first of the row on.
    fn groups_from(&self, row: Row) -> impl Iterator<Item = &Group> + '_ {
        let ranges = self.sets[row.set].ranges_from(row.first);
        ranges.flat_map(|range| {
            let first = self.group_of_shape[range.start];
            let groups = self.groups[first..].iter();
            groups.take_while(move |group| group.shapes.end <= range.end)
        })
    }

    /// The groups, in the order of their shapes.
    pub(super) fn groups(&self) -> &TiSlice<GroupId, Group> {
        &self.groups
    }

    /// Number of sets of partners.
    pub(super) fn set_count(&self) -> usize {
        self.sets.len()
    }

    /// The set that holds the partners of a group, and shapes before it.
    pub(super) fn set_of(&self, group: GroupId) -> usize {
        self.rows[group].set
    }

    /// The groups of a set in order.
    pub(super) fn groups_of_set(&self, set: usize) -> impl Iterator<Item = GroupId> + '_ {
        self.sets[set].ranges_from(0).flat_map(|range| {
            let [first, last] = [range.start, range.end.minus(1)].map(|s| self.group_of_shape[s]);
            each(first..last.plus(1))
        })
    }

    /// The pair of two shapes that can touch, given in the order of the scene.
    pub(super) fn of_shapes(&self, [shape_1, shape_2]: [ShapeId; 2]) -> Pair {
        self.pair(shape_1, shape_2)
    }

    fn pair(&self, shape_1: ShapeId, shape_2: ShapeId) -> Pair {
        let [a, b] = [shape_1, shape_2].map(|s| self.groups[self.group_of_shape[s]].material);
        let known = self.material_pairs[self.place(a, b)];
        Pair {
            shapes: [shape_1, shape_2],
            material_pair: known.unwrap_or(LawId::FIRST),
        }
    }
}

/// Shapes that those of a class can touch.
fn partners(groups: &TiSlice<GroupId, Group>, class: &Class) -> ShapeSet {
    let mut set = ShapeSet::default();
    for (index, group) in groups.iter_enumerated() {
        let rigid = class.rigid_group == Some(group.rigid_group);
        let together =
            class.collision_group.is_some() && class.collision_group == group.collision_group;
        if !rigid && !together && class.others.binary_search(&index).is_err() {
            set.push(group.shapes.clone());
        }
    }
    set
}

/// A set of shapes, as ranges of their indices.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct ShapeSet {
    /// First shape, shape after the last, and how many are in the ranges before.
    ranges: Vec<(ShapeId, ShapeId, usize)>,
    len: usize,
}

impl ShapeSet {
    /// Adds shapes behind all others.
    fn push(&mut self, shapes: Range<ShapeId>) {
        match self.ranges.last_mut() {
            Some(last) if last.1 == shapes.start => last.1 = shapes.end,
            _ => self.ranges.push((shapes.start, shapes.end, self.len)),
        }
        self.len += usize::from(shapes.end) - usize::from(shapes.start);
    }

    /// How many come before a shape.
    fn place(&self, shape: ShapeId) -> usize {
        match self.ranges[..self.ranges.partition_point(|r| r.0 <= shape)].last() {
            Some((start, end, before)) => {
                before + usize::from(shape.min(*end)) - usize::from(*start)
            }
            None => 0,
        }
    }

    /// The place of a shape of the set.
    fn place_of(&self, shape: ShapeId) -> Option<usize> {
        let (start, end, before) =
            self.ranges[..self.ranges.partition_point(|r| r.0 <= shape)].last()?;
        (shape < *end).then(|| before + usize::from(shape) - usize::from(*start))
    }

    /// The shape at a place less than the length.
    fn at(&self, place: usize) -> ShapeId {
        let (start, _, before) = self.ranges[self.ranges.partition_point(|r| r.2 <= place) - 1];
        start.plus(place - before)
    }

    /// The ranges from a place on.
    fn ranges_from(&self, place: usize) -> impl Iterator<Item = Range<ShapeId>> + '_ {
        let first = self.ranges.partition_point(|r| r.2 <= place).max(1) - 1;
        let ranges = self.ranges.get(first..).unwrap_or_default().iter();
        ranges
            .map(move |(start, end, before)| start.plus(place.saturating_sub(*before))..*end)
            .filter(|range| range.start < range.end)
    }

    /// The shapes from a place on.
    fn from(&self, place: usize) -> impl Iterator<Item = ShapeId> + '_ {
        self.ranges_from(place).flat_map(each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of parts: (body, number of parts, rigid group, collision group).
    fn groups_of(list: &[(usize, usize, usize, Option<usize>)]) -> TiVec<GroupId, Group> {
        let mut start = ShapeId::from(0);
        let groups = list.iter().map(|(body, parts, rigid, together)| {
            let shapes = start..start.plus(*parts);
            start = shapes.end;
            Group {
                shapes,
                body: BodyId::from(*body),
                rigid_group: *rigid,
                collision_group: *together,
                material: MaterialId::from(*body % 2),
            }
        });
        groups.collect()
    }

    /// Every two shapes looked at, as the order of pairs is defined.
    fn listed(groups: &TiSlice<GroupId, Group>, excluded: &[[GroupId; 2]]) -> Vec<[ShapeId; 2]> {
        let shapes: TiVec<ShapeId, GroupId> = groups
            .keys()
            .flat_map(|g| each(groups[g].shapes.clone()).map(move |_| g))
            .collect();
        let mut all = Vec::new();
        for a in shapes.keys() {
            for b in each(a.plus(1)..shapes.next_key()) {
                let (g, h) = (&groups[shapes[a]], &groups[shapes[b]]);
                let together =
                    g.collision_group.is_some() && g.collision_group == h.collision_group;
                let named = [[shapes[a], shapes[b]], [shapes[b], shapes[a]]];
                if g.rigid_group != h.rigid_group
                    && !together
                    && !named.iter().any(|n| excluded.contains(n))
                {
                    all.push([a, b]);
                }
            }
        }
        all
    }

    #[test]
    fn pairs_are_those_of_looking_at_every_two_shapes() {
        let mut seed = 5u64;
        let mut random = |n: u64| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..200 {
            let mut list = Vec::new();
            for body in 0..1 + random(8) as usize {
                let rigid = [0, body + 1][random(2) as usize];
                let together = [None, None, Some(0), Some(1)][random(4) as usize];
                for _ in 0..random(4) {
                    list.push((body, 1 + random(3) as usize, rigid, together));
                }
            }
            let groups = groups_of(&list);
            let excluded: Vec<[GroupId; 2]> = (0..random(4) * u64::from(!groups.is_empty()))
                .map(|_| [(); 2].map(|()| GroupId::from(random(groups.len() as u64) as usize)))
                .collect();
            let expected = listed(&groups, &excluded);
            let shapes = 0.into()..groups.last().map_or(0.into(), |g| g.shapes.end);
            let pairs = Pairs::new(groups.clone(), &excluded, 2);
            assert_eq!(pairs.len(), expected.len());
            let all: Vec<[ShapeId; 2]> = pairs.iter().map(|p| p.shapes).collect();
            assert_eq!(all, expected);
            for (index, shapes) in expected.iter().enumerate() {
                assert_eq!(pairs.get(PairId::from(index)).shapes, *shapes);
            }
            for a in each(shapes.clone()) {
                for b in each(shapes.clone()) {
                    let known = expected.iter().position(|p| *p == [a.min(b), a.max(b)]);
                    assert_eq!(pairs.index_of(a, b), known.map(PairId::from));
                }
            }
            // One pair for each two groups: those of first parts.
            let is_first = |s: &ShapeId| groups.iter().any(|g| g.shapes.start == *s);
            let firsts: Vec<[ShapeId; 2]> = expected
                .iter()
                .filter(|p| p.iter().all(is_first))
                .copied()
                .collect();
            let found: Vec<[ShapeId; 2]> = pairs.of_parts().map(|p| p.shapes).collect();
            assert_eq!(found, firsts);
            for body in (0..8).map(BodyId::from) {
                let touches = |p: &&[ShapeId; 2]| {
                    let mut own = groups.iter().filter(|g| g.body == body);
                    own.any(|g| p.contains(&g.shapes.start))
                };
                let mut own: Vec<[ShapeId; 2]> =
                    pairs.of_parts_with(body).map(|p| p.shapes).collect();
                own.sort_unstable();
                assert_eq!(
                    own,
                    firsts.iter().filter(touches).copied().collect::<Vec<_>>()
                );
            }
        }
    }

    #[test]
    fn ten_million_pairs_are_a_few_numbers() {
        let mut list = vec![(0, 10_000, 0, None)];
        list.extend((1..=1000).map(|body| (body, 1, body, None)));
        let pairs = Pairs::new(groups_of(&list), &[], 2);
        assert_eq!(pairs.len(), 10_000 * 1000 + 1000 * 999 / 2);
        assert_eq!(pairs.sets.iter().map(|s| s.ranges.len()).sum::<usize>(), 1);
        assert_eq!(
            pairs.index_of(3.into(), 10_000.into()),
            Some(PairId::from(3000))
        );
        assert_eq!(
            pairs.get(PairId::from(10_000_000)).shapes,
            [10_000, 10_001].map(ShapeId::from)
        );
    }

    #[test]
    fn pairs_beyond_32_bits_have_numbers_too() {
        let list: Vec<_> = (0..100).map(|body| (body, 1000, body, None)).collect();
        let pairs = Pairs::new(groups_of(&list), &[], 2);
        assert_eq!(pairs.len(), 100 * 99 / 2 * 1_000_000);
        let last = [98_999, 99_999].map(ShapeId::from);
        let number = pairs.index_of(last[0], last[1]).expect("a pair");
        assert_eq!(usize::from(number), pairs.len() - 1);
        assert_eq!(pairs.get(number).shapes, last);
    }
}
