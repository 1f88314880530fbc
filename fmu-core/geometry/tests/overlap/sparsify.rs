//! Sparsification keeps what the rules say, whatever the order of the contacts.

use crate::random::Random;
use contact_geometry::math::Vec3;
use contact_geometry::narrow_phase::overlap::{Candidate, Sparsification, Statistics, sparsify};

fn candidate(area: f64, x: f64) -> Candidate {
    Candidate {
        area,
        point: Vec3::new(x, 0.0, 0.0),
        is_new: true,
    }
}

const RULES: Sparsification = Sparsification {
    threshold: 0.1,
    smallest_area: 1e-4,
    smallest_distance: 2e-3,
};

fn kept(contacts: &[Candidate], adjacent: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut kept = Vec::new();
    let found = sparsify(contacts, &RULES, adjacent, &mut kept);
    assert_eq!(found.kept, kept.len());
    let dropped = found.small + found.minor + found.close;
    assert_eq!(found.kept + dropped, contacts.len());
    kept
}

#[test]
fn small_minor_and_close_contacts_are_dropped() {
    let contacts = [
        candidate(1.0, 0.0),
        candidate(0.09, 0.1),
        candidate(0.11, 0.2),
        candidate(0.99e-4, 0.3),
        candidate(0.5, 0.0019),
        candidate(0.5, 0.0021),
    ];
    assert_eq!(kept(&contacts, |_, _| true), [0, 2, 5]);
    // Nothing is minor beside what is not adjacent.
    assert_eq!(kept(&contacts, |_, _| false), [0, 1, 2, 5]);
    let mut list = Vec::new();
    let found = sparsify(&contacts, &RULES, |_, _| true, &mut list);
    let expected = Statistics {
        kept: 3,
        small: 1,
        minor: 1,
        close: 1,
    };
    assert_eq!(found, expected);
}

/// A contact that is dropped itself still outdoes a smaller one: 0.09 by 1, 0.008 by 0.09.
#[test]
fn what_is_dropped_counts_for_the_area_of_others() {
    let contacts = [
        candidate(1.0, 0.0),
        candidate(0.09, 0.1),
        candidate(0.008, 0.2),
    ];
    let next = |i: usize, j: usize| i.abs_diff(j) == 1;
    assert_eq!(kept(&contacts, next), [0]);
}

#[test]
fn contacts_that_were_there_before_stay_and_keep_others_away() {
    let old = |area: f64, x: f64| Candidate {
        is_new: false,
        ..candidate(area, x)
    };
    let contacts = [
        old(1e-6, 0.0),
        old(1e-6, 0.001),
        candidate(1.0, 0.001),
        candidate(1.0, 0.1),
    ];
    assert_eq!(kept(&contacts, |_, _| true), [0, 1, 3]);
}

#[test]
fn the_contacts_that_are_kept_do_not_depend_on_their_order() {
    let mut random = Random::new(301);
    for _ in 0..200 {
        // On a coarse lattice, so that many are close, equal in area or the same.
        let count = 2 + random.index(30);
        let contacts: Vec<(usize, Candidate)> = (0..count)
            .map(|part| {
                let mut along = || 0.7e-3 * random.index(8) as f64;
                let point = Vec3::new(along(), along(), along());
                let area = [2.0, 1.0, 0.15, 0.05, 1e-3, 1e-5][random.index(6)];
                let is_new = random.unit() < 0.8;
                let contact = Candidate {
                    area,
                    point,
                    is_new,
                };
                (part, contact)
            })
            .collect();
        let of_kept = |contacts: &[(usize, Candidate)]| {
            let plain: Vec<Candidate> = contacts.iter().map(|(_, contact)| *contact).collect();
            let next = |i: usize, j: usize| contacts[i].0.abs_diff(contacts[j].0) <= 2;
            let kept = kept(&plain, next);
            // As text, which also orders them; without the part, since equal ones may stand in for
            // each other.
            let mut found: Vec<String> = kept.iter().map(|i| format!("{:?}", plain[*i])).collect();
            found.sort();
            found
        };
        let expected = of_kept(&contacts);
        let mut shuffled = contacts;
        for _ in 0..5 {
            for i in (1..shuffled.len()).rev() {
                let j = random.index(i + 1);
                shuffled.swap(i, j);
            }
            assert_eq!(of_kept(&shuffled), expected);
        }
    }
}
