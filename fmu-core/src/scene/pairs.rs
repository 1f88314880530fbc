//! Candidate pairs: two shapes that can touch, ordered by shape 1, then shape 2.
//!
//! A ground of ten thousand convex parts under a thousand bodies has ten million pairs, so they are
//! not listed but numbered: convex parts of one shape form a group; groups that can touch the same
//! others share one set of partners, kept as ranges of shapes; and the pairs of shape 1 are the end
//! of the set of its group behind its own body. Number and pair are found from each other by
//! bisection.
//!
//! Which groups can touch: not of one rigid group (the shapes of a body, or of bodies that never move
//! against each other), not of one collision group, not excluded by name.

use crate::index::PairId;
use std::collections::BTreeMap;
use std::ops::Range;

/// A candidate pair: two shapes that can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Indices of shape 1 and shape 2; 1 comes first in the scene.
    pub shapes: [usize; 2],
    /// Index of their material pair.
    pub material_pair: usize,
}

/// The convex parts of one shape, and what decides whom they can touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The parts among the shapes of the scene.
    pub shapes: Range<usize>,
    /// Index of the body.
    pub body: usize,
    /// Number of the rigid group of the body.
    pub rigid_group: usize,
    /// Number of the collision group of the body.
    pub collision_group: Option<usize>,
    /// Index of the contact material.
    pub material: usize,
}

/// More pairs than there are numbers for them: how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyPairs(pub u64);

/// The candidate pairs of a scene.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pairs {
    groups: Vec<Group>,
    rows: Vec<Row>,
    group_of_shape: Vec<u32>,
    /// Number of the first pair with shape 1 at this index; at the end the number of pairs.
    first_pair: Vec<PairId>,
    sets: Vec<ShapeSet>,
    material_count: usize,
    /// Material pair of two materials, as a table; none if no pair needs it.
    material_pairs: Vec<Option<u32>>,
}

/// The partners of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    set: u32,
    /// Place in the set of the first shape behind the body of the group.
    first: u32,
}

/// What two groups share that can touch the same others: a rigid group of several bodies, a
/// collision group, the groups excluded by name.
type Class = (Option<usize>, Option<usize>, Vec<usize>);

impl Pairs {
    /// Pairs of these groups, given in the order of their shapes, which leave no shape out.
    /// `excluded` are pairs of groups that never touch.
    pub(super) fn new(
        groups: Vec<Group>,
        excluded: &[[usize; 2]],
        material_count: usize,
    ) -> Result<Pairs, TooManyPairs> {
        let mut forbidden = vec![Vec::new(); groups.len()];
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
        let mut known: BTreeMap<Class, u32> = BTreeMap::new();
        let mut count: u64 = 0;
        let mut counts = Vec::with_capacity(groups.len());
        for (index, group) in groups.iter().enumerate() {
            let lone = bodies.get(&group.rigid_group).is_some_and(Option::is_some);
            let mut others = std::mem::take(&mut forbidden[index]);
            others.sort_unstable();
            others.dedup();
            let class = (
                (!lone).then_some(group.rigid_group),
                group.collision_group,
                others,
            );
            let set = match known.get(&class) {
                Some(set) => *set,
                None => {
                    let set = pairs.sets.len() as u32;
                    pairs.sets.push(partners(&groups, &class));
                    known.insert(class, set);
                    set
                }
            };
            let behind = groups[index..].iter().find(|g| g.body != group.body);
            let partners = &pairs.sets[set as usize];
            let first = match behind {
                Some(next) => partners.place(next.shapes.start),
                None => partners.len,
            };
            pairs.rows.push(Row { set, first });
            counts.push(partners.len - first);
            count += group.shapes.len() as u64 * u64::from(partners.len - first);
        }
        if count > u64::from(u32::MAX) {
            return Err(TooManyPairs(count));
        }
        let mut first_pair = PairId::from(0);
        for (index, (group, count)) in groups.iter().zip(counts).enumerate() {
            for _ in group.shapes.clone() {
                pairs.group_of_shape.push(index as u32);
                pairs.first_pair.push(first_pair);
                first_pair = first_pair.plus(count as usize);
            }
        }
        pairs.first_pair.push(first_pair);
        pairs.groups = groups;
        Ok(pairs)
    }

    /// Sets the material pair of two materials.
    pub(super) fn set_material_pair(&mut self, [a, b]: [usize; 2], index: usize) {
        self.material_pairs[a * self.material_count + b] = Some(index as u32);
        self.material_pairs[b * self.material_count + a] = Some(index as u32);
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
        let shape_1 = self.first_pair.partition_point(|first| *first <= pair) - 1;
        let row = &self.rows[self.group_of_shape[shape_1] as usize];
        let place = row.first + (usize::from(pair) - usize::from(self.first_pair[shape_1])) as u32;
        self.pair(shape_1, self.sets[row.set as usize].at(place))
    }

    /// The number of the pair of two shapes, given in any order; none if they never touch.
    pub fn index_of(&self, shape_1: usize, shape_2: usize) -> Option<PairId> {
        let (shape_1, shape_2) = (shape_1.min(shape_2), shape_1.max(shape_2));
        let row = self.rows.get(*self.group_of_shape.get(shape_1)? as usize)?;
        let set = &self.sets[row.set as usize];
        let place = set.place_of(shape_2)?;
        (place >= row.first).then(|| self.first_pair[shape_1].plus((place - row.first) as usize))
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = Pair> + '_ {
        (0..self.group_of_shape.len()).flat_map(move |shape_1| {
            let row = &self.rows[self.group_of_shape[shape_1] as usize];
            let set = &self.sets[row.set as usize];
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
    pub fn of_parts_with(&self, body: usize) -> impl Iterator<Item = Pair> + '_ {
        let first = self.groups.partition_point(|g| g.body < body);
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
        let ranges = self.sets[row.set as usize].ranges_from(row.first);
        ranges.flat_map(|range| {
            let first = self.group_of_shape[range.start] as usize;
            let groups = self.groups[first..].iter();
            groups.take_while(move |group| group.shapes.end <= range.end)
        })
    }

    fn pair(&self, shape_1: usize, shape_2: usize) -> Pair {
        let [a, b] =
            [shape_1, shape_2].map(|s| self.groups[self.group_of_shape[s] as usize].material);
        let known = self.material_pairs[a * self.material_count + b];
        Pair {
            shapes: [shape_1, shape_2],
            material_pair: known.unwrap_or_default() as usize,
        }
    }
}

/// Shapes that those of a class can touch.
fn partners(groups: &[Group], (rigid_group, collision_group, others): &Class) -> ShapeSet {
    let mut set = ShapeSet::default();
    for (index, group) in groups.iter().enumerate() {
        let rigid = *rigid_group == Some(group.rigid_group);
        let together = collision_group.is_some() && *collision_group == group.collision_group;
        if !rigid && !together && others.binary_search(&index).is_err() {
            set.push(group.shapes.clone());
        }
    }
    set
}

/// A set of shapes, as ranges of their indices.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct ShapeSet {
    /// First shape, shape after the last, and how many are in the ranges before.
    ranges: Vec<(u32, u32, u32)>,
    len: u32,
}

impl ShapeSet {
    /// Adds shapes behind all others.
    fn push(&mut self, shapes: Range<usize>) {
        let (start, end) = (shapes.start as u32, shapes.end as u32);
        match self.ranges.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => self.ranges.push((start, end, self.len)),
        }
        self.len += end - start;
    }

    /// How many come before a shape.
    fn place(&self, shape: usize) -> u32 {
        let shape = shape as u32;
        match self.ranges[..self.ranges.partition_point(|r| r.0 <= shape)].last() {
            Some((start, end, before)) => before + shape.min(*end) - start,
            None => 0,
        }
    }

    /// The place of a shape of the set.
    fn place_of(&self, shape: usize) -> Option<u32> {
        let shape = shape as u32;
        let (start, end, before) =
            self.ranges[..self.ranges.partition_point(|r| r.0 <= shape)].last()?;
        (shape < *end).then(|| before + shape - start)
    }

    /// The shape at a place less than the length.
    fn at(&self, place: u32) -> usize {
        let (start, _, before) = self.ranges[self.ranges.partition_point(|r| r.2 <= place) - 1];
        (start + (place - before)) as usize
    }

    /// The ranges from a place on.
    fn ranges_from(&self, place: u32) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self.ranges.partition_point(|r| r.2 <= place).max(1) - 1;
        let ranges = self.ranges.get(first..).unwrap_or_default().iter();
        ranges
            .map(move |(start, end, before)| (start + place.saturating_sub(*before), *end))
            .filter(|(start, end)| start < end)
            .map(|(start, end)| start as usize..end as usize)
    }

    /// The shapes from a place on.
    fn from(&self, place: u32) -> impl Iterator<Item = usize> + '_ {
        self.ranges_from(place).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of parts: (body, number of parts, rigid group, collision group).
    fn groups_of(list: &[(usize, usize, usize, Option<usize>)]) -> Vec<Group> {
        let mut start = 0;
        let groups = list.iter().map(|(body, parts, rigid, together)| {
            let shapes = start..start + parts;
            start += parts;
            Group {
                shapes,
                body: *body,
                rigid_group: *rigid,
                collision_group: *together,
                material: *body % 2,
            }
        });
        groups.collect()
    }

    /// Every two shapes looked at, as the order of pairs is defined.
    fn listed(groups: &[Group], excluded: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let shapes: Vec<usize> = (0..groups.len())
            .flat_map(|g| groups[g].shapes.clone().map(move |_| g))
            .collect();
        let mut all = Vec::new();
        for a in 0..shapes.len() {
            for b in a + 1..shapes.len() {
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
            let excluded: Vec<[usize; 2]> = (0..random(4) * u64::from(!groups.is_empty()))
                .map(|_| [0; 2].map(|_| random(groups.len() as u64) as usize))
                .collect();
            let expected = listed(&groups, &excluded);
            let shape_count = groups.last().map_or(0, |g| g.shapes.end);
            let pairs = Pairs::new(groups.clone(), &excluded, 2).expect("few pairs");
            assert_eq!(pairs.len(), expected.len());
            let all: Vec<[usize; 2]> = pairs.iter().map(|p| p.shapes).collect();
            assert_eq!(all, expected);
            for (index, shapes) in expected.iter().enumerate() {
                assert_eq!(pairs.get(PairId::from(index)).shapes, *shapes);
            }
            for a in 0..shape_count {
                for b in 0..shape_count {
                    let known = expected.iter().position(|p| *p == [a.min(b), a.max(b)]);
                    assert_eq!(pairs.index_of(a, b), known.map(PairId::from));
                }
            }
            // One pair for each two groups: those of first parts.
            let is_first = |s: &usize| groups.iter().any(|g| g.shapes.start == *s);
            let firsts: Vec<[usize; 2]> = expected
                .iter()
                .filter(|p| p.iter().all(is_first))
                .copied()
                .collect();
            let found: Vec<[usize; 2]> = pairs.of_parts().map(|p| p.shapes).collect();
            assert_eq!(found, firsts);
            for body in 0..8 {
                let touches = |p: &&[usize; 2]| {
                    let mut own = groups.iter().filter(|g| g.body == body);
                    own.any(|g| p.contains(&g.shapes.start))
                };
                let mut own: Vec<[usize; 2]> =
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
        let pairs = Pairs::new(groups_of(&list), &[], 2).expect("few enough pairs");
        assert_eq!(pairs.len(), 10_000 * 1000 + 1000 * 999 / 2);
        assert_eq!(pairs.sets.iter().map(|s| s.ranges.len()).sum::<usize>(), 1);
        assert_eq!(pairs.index_of(3, 10_000), Some(PairId::from(3000)));
        assert_eq!(pairs.get(PairId::from(10_000_000)).shapes, [10_000, 10_001]);
    }

    #[test]
    fn more_pairs_than_numbers_are_counted() {
        let list: Vec<_> = (0..100).map(|body| (body, 1000, body, None)).collect();
        let refused = Pairs::new(groups_of(&list), &[], 2);
        assert_eq!(refused, Err(TooManyPairs(100 * 99 / 2 * 1_000_000)));
    }
}
