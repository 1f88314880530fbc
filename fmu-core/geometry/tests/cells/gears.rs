//! Two involute gears in mesh: what a contact costs, and that lists of candidates change no bit.

use super::meshes::{Mesh, body, prism};
use crate::counting::count;
use crate::random::posed;
use contact_geometry::math::{Mat3, Pose, Vec3, exponential};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, SearchWork, find_feature, search_work};
use contact_geometry::shapes::{Core, RoundedShape};
use std::array::from_fn;
use std::f64::consts::PI;

const MODULE: f64 = 2e-3;
const K: [f64; 2] = [1e12, 1e12];
/// Overlap where faces begin to press [m].
const HYSTERESIS: f64 = 1e-8;
/// Distance of the axes for 20 and 40 teeth [m].
const CENTRES: f64 = 30.0 * MODULE;
/// Play along the line of action on one side [m]: 20 um that each tooth is thinner on either side.
const PLAY: f64 = 2.0 * 20e-6 * 0.939_692_620_785_908_4;

/// Gear with a tooth on x and 12 points a flank, which begin at an angle of roll [rad].
fn gear(teeth: usize, first: f64, width: f64) -> Mesh {
    const POINTS: usize = 12;
    let pressure = 20_f64.to_radians();
    let pitch = 0.5 * MODULE * teeth as f64;
    let (base, tip) = (pitch * pressure.cos(), pitch + MODULE);
    let last = ((tip / base).powi(2) - 1.0).sqrt();
    let half = (0.5 * PI * MODULE - 40e-6) / (2.0 * pitch) + pressure.tan() - pressure;
    let mut flank: Vec<[f64; 2]> = (0..POINTS)
        .map(|k| {
            let roll = first + (last - first) * k as f64 / (POINTS - 1) as f64;
            [base * roll.hypot(1.0), half - (roll - roll.atan())]
        })
        .collect();
    flank.insert(0, [pitch - 1.25 * MODULE, flank[0][1]]);
    let up = flank.iter().map(|[r, angle]| [*r, -angle]);
    let outline: Vec<[f64; 2]> = up.chain(flank.iter().rev().copied()).collect();
    let each = outline.len() as u32;
    let (mut all, mut face) = (Vec::new(), Vec::new());
    let mut fan = |corners: Vec<u32>| {
        let pairs = corners[1..].windows(2);
        face.extend(pairs.map(|pair| [corners[0], pair[0], pair[1]]));
    };
    for tooth in 0..teeth as u32 {
        let turn = 2.0 * PI * f64::from(tooth) / teeth as f64;
        let place = |[r, a]: &[f64; 2]| [r * (a + turn).cos(), r * (a + turn).sin()];
        all.extend(outline.iter().map(place));
        fan((tooth * each..(tooth + 1) * each).collect());
    }
    let roots = (0..teeth as u32).flat_map(|tooth| [tooth * each, (tooth + 1) * each - 1]);
    fan(roots.collect());
    prism(&all, &face, width)
}

pub fn gears() -> [RoundedShape; 2] {
    let (small, large) = (gear(20, 0.07, 0.012), gear(40, 0.23, 0.01));
    let counts = [&small, &large].map(|mesh| mesh.triangles.len());
    assert_eq!(counts, [2076, 4156]);
    [body(&small), body(&large)]
}

/// Poses with the pinion turned by an angle [rad], and the wheel that overlaps it by a depth along the line of
/// action [m].
pub fn poses(angle: f64, depth: f64) -> [Pose; 2] {
    let turned = |angle: f64| exponential(&Vec3::new(0.0, 0.0, angle));
    let lead = (PLAY + depth) / (2.0 * CENTRES / 3.0 * 20_f64.to_radians().cos());
    let wheel = PI + PI / 40.0 - 0.5 * angle + lead;
    [
        posed(Vec3::zeros(), turned(angle)),
        posed(Vec3::new(CENTRES, 0.0, 0.0), turned(wheel)),
    ]
}

fn found(patch: &Patch<f64>) -> Vec<u64> {
    let nodes = patch.nodes.list().into_iter();
    let numbers = nodes.flat_map(|node| [node.point, node.normal, Vec3::repeat(node.force)]);
    let numbers = numbers.flat_map(|v| [v.x, v.y, v.z]);
    numbers.chain([patch.energy]).map(f64::to_bits).collect()
}

/// A tooth passes in 200 steps, as in a simulation at 60 rpm with steps of 0.25 ms.
#[test]
fn a_list_of_candidates_changes_no_bit_and_holds_for_a_part_of_a_tooth() {
    let [pinion, wheel] = gears();
    let mut kept = Patch::with_room(0);
    let (mut pressed, mut pairs) = (0, 0);
    for step in 0..200 {
        let angle = 2.0 * PI / 20.0 * f64::from(step) / 200.0;
        // The wheel moves to and fro, too.
        let [one, mut two] = poses(angle, 6e-6 + 3e-6 * (0.7 * f64::from(step)).sin());
        two.position.z = 1e-4 * (0.05 * f64::from(step)).sin();
        let bodies = [(&pinion, &one), (&wheel, &two)];
        kept.find(bodies, K, HYSTERESIS);
        let mut new = Patch::with_room(0);
        new.find(bodies, K, HYSTERESIS);
        assert_eq!((new.pair_lists(), new.cell_pairs()), (1, kept.cell_pairs()));
        assert!(found(&kept) == found(&new), "step {step}");
        pressed += usize::from(kept.energy > 0.0);
        pairs = pairs.max(kept.cell_pairs());
    }
    assert_eq!(pressed, 200);
    let lists = kept.pair_lists();
    // Relative turn of 0.47 rad about the pitch point, up to 30 mm away, over the margin of 0.18 mm.
    assert!(lists > 2 && lists < 79, "{lists} lists");
    // 112 found. Boxes alone leave some 230.
    assert!(pairs <= 120, "{pairs} pairs");
}

#[test]
fn two_pairs_in_turn_and_a_reversed_one_keep_lists_of_their_own() {
    let [pinion, wheel] = gears();
    let mut patch = Patch::with_room(0);
    for step in 0..20 {
        let angle = 1e-4 * f64::from(step);
        let [one, two] = poses(angle, 5e-6);
        let away = Pose {
            position: Vec3::new(0.0, 0.0, 3e-3),
            rotation: Mat3::identity(),
        };
        for bodies in [
            [(&pinion, &one), (&wheel, &two)],
            [(&pinion, &one), (&wheel, &two.then(&away))],
            [(&wheel, &two), (&pinion, &one)],
        ] {
            patch.find(bodies, K, HYSTERESIS);
            let mut new = Patch::with_room(0);
            new.find(bodies, K, HYSTERESIS);
            assert!(found(&patch) == found(&new), "step {step}");
        }
    }
    assert_eq!(patch.pair_lists(), 3);
}

#[test]
fn six_pairs_in_turn_keep_their_lists_and_allocate_no_more() {
    let [pinion, wheel] = gears();
    let mut patch = Patch::with_room(0);
    for step in 0..6 {
        let [one, two] = poses(1e-4 * f64::from(step), 5e-6);
        for place in 0..6 {
            let mut away = Pose::identity();
            away.position.z = 2e-3 * f64::from(place) - 5e-3;
            let bodies = [(&pinion, &one), (&wheel, &two.then(&away))];
            let before = count();
            patch.find(bodies, K, HYSTERESIS);
            assert!(step < 2 || count() == before, "step {step}");
            let mut new = Patch::with_room(0);
            new.find(bodies, K, HYSTERESIS);
            assert!(patch.energy > 0.0 && found(&patch) == found(&new));
        }
    }
    assert_eq!(patch.pair_lists(), 6);
}

/// Bounds of work a search, apart and in contact, with the last features as a start: a tenth above what was found.
///
/// In contact boxes alone leave 290 faces and 115 programmes: of flanks that pass the ends of teeth.
#[test]
fn gap_of_gears_has_its_bounds_of_work() {
    let [pinion, wheel] = gears();
    let Core::Mesh(mesh) = &pinion.core else {
        panic!("a mesh");
    };
    let mut last = [Feature::None; 2];
    let mut most = [SearchWork::default(); 2];
    for step in 0..40 {
        let angle = 2.0 * PI / 20.0 * f64::from(step) / 40.0;
        for (side, depth) in [-12e-6, 8e-6].into_iter().enumerate() {
            let [one, two] = poses(angle, depth);
            last[side] = find_feature(&pinion, &one, &wheel, &two, &last[side]);
            let Feature::Mesh(feature) = &last[side] else {
                panic!("a feature of a mesh");
            };
            // A search that starts from it ends with it.
            let again = find_feature(&pinion, &one, &wheel, &two, &last[side]);
            assert!(again == last[side] && again.is_found_again());
            let work = search_work(mesh, &one, &wheel.core, &two, Some(feature));
            let SearchWork {
                nodes,
                faces,
                programmes,
            } = &mut most[side];
            *nodes = work.nodes.max(*nodes);
            *faces = work.faces.max(*faces);
            *programmes = work.programmes.max(*programmes);
        }
    }
    let [apart, inside] = most;
    let within = |work: &SearchWork, [nodes, faces, programmes]: [usize; 3]| {
        work.nodes <= nodes && work.faces <= faces && work.programmes <= programmes
    };
    assert!(within(&apart, [1000, 200, 0]), "{apart:?}");
    assert!(within(&inside, [770, 17, 17]), "{inside:?}");
}

#[test]
fn a_mesh_is_one_copy_for_all_that_have_it_and_freed_with_the_last() {
    let mesh = gear(7, 0.1, 0.01);
    let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(|v| (*v).into()).collect();
    let shared = |vertices: &[[f64; 3]]| {
        let mesh = contact_geometry::shapes::Mesh::shared(vertices, &mesh.triangles);
        mesh.expect("a closed mesh")
    };
    let all: Vec<_> = (0..100).map(|_| shared(&vertices)).collect();
    assert!(all.iter().all(|one| std::sync::Arc::ptr_eq(one, &all[0])));
    // One body more, and none for a surface that differs by the sign of a zero.
    let shape = RoundedShape::mesh(all[0].clone());
    let mut other = vertices.clone();
    let zero = (0..other.len()).find(|v| other[*v][1] == 0.0);
    let moved = zero.unwrap_or(0);
    other[moved][1] = if zero.is_some() {
        -0.0
    } else {
        other[moved][1] + 1e-12
    };
    assert!(!std::sync::Arc::ptr_eq(&shared(&other), &all[0]));
    let last = std::sync::Arc::downgrade(&all[0]);
    drop(all);
    assert_eq!(last.strong_count(), 1);
    drop(shape);
    assert!(last.upgrade().is_none());
    let again: [_; 2] = from_fn(|_| shared(&vertices));
    assert!(std::sync::Arc::ptr_eq(&again[0], &again[1]));
}
