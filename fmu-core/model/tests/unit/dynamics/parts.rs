//! Parts against connected components found by brute force.

use super::*;
use crate::dynamics::link::Link;
use crate::fixtures::Random;
use crate::scene::description::BallForces;
use contact_laws::index::{BodyId, LinkId, PartId, TiVec};

/// Links of the two bodies of a contact; none for a body without states.
type Ends = [Option<usize>; 2];

/// So many rigid links, then links of trees with these parents.
fn links(rigid_count: usize, parents: &[Option<usize>]) -> Links {
    let rigid = std::iter::repeat_n(None, rigid_count);
    let with_parents = rigid.chain(parents.iter().copied());
    let link = |(index, parent): (usize, Option<usize>)| Link {
        joint: index.into(),
        body: index.into(),
        parent: parent.map(LinkId::from),
        parent_body: parent.map(BodyId::from),
        carrier: parent.map(BodyId::from),
        is_free: parent.is_none(),
        is_loose: false,
        latch: None,
        forces: Vec::new(),
        ball: BallForces::default(),
        positions: 0..0,
        rates: 0..0,
        dofs: 0..0,
        inputs: Vec::new(),
        shapes: 0..0,
        applied: 0..0,
        stops: 0.into()..0.into(),
    };
    Links {
        indices: (0..rigid_count + parents.len()).map(LinkId::from).collect(),
        all: with_parents.enumerate().map(link).collect(),
        rigid_count,
        tree_indices: Vec::new(),
        of_bodies: TiVec::new(),
        of_joints: TiVec::new(),
        of_triggers: TiVec::new(),
        roots: TiVec::new(),
        shapes: Vec::new(),
        applied: Vec::new(),
    }
}

/// Rigid links, links of trees and contacts of a part.
type Listed = [Vec<usize>; 3];

/// The lists of each part.
fn listed(parts: &Parts) -> Vec<Listed> {
    let of = |part: &Part| {
        let contacts = parts.contacts(part).iter();
        [
            parts.rigid(part).iter().map(|l| usize::from(*l)).collect(),
            parts.trees(part).iter().map(|l| usize::from(*l)).collect(),
            contacts.map(|c| usize::from(*c)).collect(),
        ]
    };
    parts.list().iter().map(of).collect()
}

fn of_links(contacts: &[Ends]) -> impl Iterator<Item = [Option<LinkId>; 2]> + Clone {
    let contacts = contacts.iter();
    contacts.map(|ends| ends.map(|end| end.map(LinkId::from)))
}

fn divided(links: &Links, contacts: &[Ends]) -> Parts {
    let mut parts = Parts::default();
    parts.divide(links, &links.indices, of_links(contacts));
    parts
}

#[test]
fn rigid_links_that_nothing_connects_are_parts_of_one() {
    let parts = divided(&links(3, &[]), &[]);
    assert_eq!(parts.list().len(), 3);
    for (index, part) in parts.list().iter().enumerate() {
        assert_eq!(part.kind, PartKind::Flight(index.into()));
    }
    assert_eq!(parts.of_links().raw, [0, 1, 2].map(PartId::from));
    let none = divided(&links(0, &[]), &[[None, None]]);
    assert_eq!((none.list().len(), none.idle()), (0, &[0.into()][..]));
}

#[test]
fn a_chain_of_contacts_is_one_part_in_whatever_order_they_come() {
    let links = links(5, &[]);
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let contacts = order.map(|i| [Some(i + 1), Some(i)]);
        let parts = divided(&links, &contacts);
        let all = (0..5).collect();
        assert_eq!(listed(&parts), [[all, vec![], (0..4).collect()]]);
        assert_eq!(parts.list()[PartId::from(0)].kind, PartKind::Links);
    }
}

#[test]
fn a_tree_is_one_part_and_a_contact_joins_two_of_them() {
    // Two rigid links, the tree 2 - 3 - 4 and the tree 5 - 6.
    let links = links(2, &[None, Some(2), Some(3), None, Some(5)]);
    let apart = divided(&links, &[]);
    let expected: [Listed; 4] = [
        [vec![0], vec![], vec![]],
        [vec![1], vec![], vec![]],
        [vec![], vec![2, 3, 4], vec![]],
        [vec![], vec![5, 6], vec![]],
    ];
    assert_eq!(listed(&apart), expected);
    assert_eq!(apart.list()[PartId::from(2)].kind, PartKind::Links);
    let joined = divided(&links, &[[Some(6), Some(3)], [Some(1), Some(4)]]);
    let expected: [Listed; 2] = [
        [vec![0], vec![], vec![]],
        [vec![1], vec![2, 3, 4, 5, 6], vec![0, 1]],
    ];
    assert_eq!(listed(&joined), expected);
    let expected = [0, 1, 1, 1, 1, 1, 1].map(PartId::from);
    assert_eq!(joined.of_links().raw, expected);
}

#[test]
fn bodies_without_states_connect_nothing() {
    let contacts: [Ends; 5] = [
        [None, Some(2)],
        [None, None],
        [Some(0), None],
        [None, Some(2)],
        [None, None],
    ];
    let parts = divided(&links(2, &[None]), &contacts);
    let expected: [Listed; 3] = [
        [vec![0], vec![], vec![2]],
        [vec![1], vec![], vec![]],
        [vec![], vec![2], vec![0, 3]],
    ];
    assert_eq!(listed(&parts), expected);
    assert_eq!(parts.idle(), [1, 4].map(ActiveId::from));
    // A part has one rigid link also where that touches bodies without states.
    let found = parts.list()[PartId::from(0)].kind;
    assert_eq!(found, PartKind::Rigid(0.into()));
    assert_eq!(
        parts.list()[PartId::from(1)].kind,
        PartKind::Flight(1.into())
    );
}

/// The least link that each link is connected with, by going along all edges until nothing changes.
fn least_connected(links: &Links, contacts: &[Ends]) -> Vec<usize> {
    let parents = links.all.iter().enumerate();
    let joints = parents.filter_map(|(index, link)| Some([index, usize::from(link.parent?)]));
    let touching = contacts
        .iter()
        .filter_map(|[one, two]| Some([(*one)?, (*two)?]));
    let edges: Vec<[usize; 2]> = joints.chain(touching).collect();
    let mut least: Vec<usize> = (0..links.all.len()).collect();
    loop {
        let before = least.clone();
        for [one, two] in &edges {
            let low = least[*one].min(least[*two]);
            (least[*one], least[*two]) = (low, low);
        }
        if least == before {
            return least;
        }
    }
}

#[test]
fn parts_of_random_graphs_are_their_connected_components_in_order() {
    let mut random = Random(5);
    // The same lists are used again and again, as from event to event.
    let mut parts = Parts::default();
    let mut most = 0;
    for _ in 0..2000 {
        let [rigid, in_trees] = [random.below(12), random.below(12)];
        let parents: Vec<Option<usize>> = (0..in_trees)
            .map(|place| {
                let with_parent = place > 0 && random.below(3) > 0;
                with_parent.then(|| rigid + random.below(place.max(1)))
            })
            .collect();
        let links = links(rigid, &parents);
        let count = links.all.len();
        let contacts: Vec<Ends> = (0..random.below(20))
            .map(|_| {
                // One more than there are: a body without states.
                [(); 2].map(|()| Some(random.below(count + 1)).filter(|link| *link < count))
            })
            .collect();
        parts.divide(&links, &links.indices, of_links(&contacts));
        let least = least_connected(&links, &contacts);
        let firsts = (0..count).filter(|link| least[*link] == *link);
        let of_part = |first: usize| -> Listed {
            let own = |link: &usize| least[*link] == first;
            let (rigid, trees) = (0..rigid, rigid..count);
            let of_contact = |index: &usize| {
                let [one, two] = contacts[*index];
                one.or(two).is_some_and(|link| least[link] == first)
            };
            [
                rigid.filter(own).collect(),
                trees.filter(own).collect(),
                (0..contacts.len()).filter(of_contact).collect(),
            ]
        };
        let expected: Vec<Listed> = firsts.map(of_part).collect();
        assert_eq!(listed(&parts), expected);
        for (place, part) in expected.iter().enumerate() {
            for link in part[0].iter().chain(&part[1]) {
                assert_eq!(usize::from(parts.of_links()[LinkId::from(*link)]), place);
            }
            let kind = match (&part[0][..], part[1].is_empty(), part[2].is_empty()) {
                ([link], true, true) => PartKind::Flight((*link).into()),
                ([link], true, false) => PartKind::Rigid((*link).into()),
                _ => PartKind::Links,
            };
            assert_eq!(parts.list()[PartId::from(place)].kind, kind);
        }
        let idle = (0..contacts.len()).filter(|i| contacts[*i] == [None; 2]);
        assert_eq!(parts.idle(), idle.map(ActiveId::from).collect::<Vec<_>>());
        most = most.max(expected.len());
    }
    assert!(most > 10, "{most}");
}
