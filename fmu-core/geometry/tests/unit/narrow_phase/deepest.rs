//! The deepest cells against a search of all cells.

use super::*;
use crate::math::spatial::exponential;
use crate::math::{Mat3, Pose};
use crate::narrow_phase::{Feature, query};
use crate::shapes::samples::{Random, grounds, pyramid};
use crate::shapes::{Core, RoundedShape};
use std::sync::Arc;

/// Cells of all faces of a body, with their numbers.
fn all(pair: &Bodies<'_>, side: usize) -> Vec<([u32; 2], SeenCell)> {
    let count = [pair.a.faces.len(), pair.b.count()][side];
    let (mut all, mut sides) = (Vec::new(), [SeenCell::around(Aabb::EMPTY); 3]);
    for face in 0..count {
        let made = pair.make_sides(side, face, &mut sides);
        let numbered = sides[..made].iter().zip(0..);
        all.extend(numbered.map(|(cell, part)| ([face as u32, part], *cell)));
    }
    all
}

/// Depth [m] of each two cells that have one; cells have none where the boxes around their corners do not meet.
fn depths(pair: &Bodies<'_>) -> Vec<([[u32; 2]; 2], f64)> {
    let [ones, others] = [0, 1].map(|side| all(pair, side));
    let (a, b, mut depths) = (pair.a, pair.b, Vec::new());
    for (one, own) in &ones {
        for (other, of_b) in &others {
            if !own.of.bounds.common(&of_b.of.bounds).is_empty() {
                let cells = [*one, *other];
                let found = Programme { a, b, cells }.solve([own, of_b], &pair.pose, 0.0);
                depths.extend(found.map(|found| (cells, found.value)));
            }
        }
    }
    depths
}

/// At depths from a tenth of a micrometre to a centimetre, without a start and from the cells of another pose.
#[test]
fn the_deepest_cells_are_those_of_a_search_of_all() {
    let mut random = Random(3);
    let meshes = grounds();
    assert!(meshes[2].cells().steepest().0 > 1.0);
    let others = [
        RoundedShape::hull(pyramid(), 0.0),
        RoundedShape::cuboid(&[0.11, 0.07, 0.05], 0.0),
    ];
    let bodies = meshes.map(RoundedShape::mesh).into_iter().chain(others);
    let bodies: Vec<RoundedShape> = bodies.collect();
    let (mut last, mut deep) = (None, 0);
    for round in 0..120 {
        let (body, other) = (&bodies[round % 3], &bodies[round / 3 % 5]);
        let Core::Mesh(mesh) = &body.core else {
            panic!("a mesh");
        };
        // Upside down above it, then down to a depth.
        let upside_down = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, -1.0));
        let mut pose = Pose {
            position: random.vector() * 0.05 + Vec3::z() * 0.9,
            rotation: exponential(&(random.vector() * 0.5)) * upside_down,
        };
        let apart = query(body, &Pose::identity(), other, &pose, &Feature::None);
        let down = 10_f64.powf(-4.5 + 2.5 * random.next());
        pose.position -= apart.normal_w * (apart.gap + down);
        let pair = Bodies::new(mesh, &Pose::identity(), &other.core, &pose);
        let depths = depths(&pair);
        let most = depths
            .iter()
            .fold(0.0, |most, (_, depth)| f64::max(most, *depth));
        for hint in [None, last] {
            let found = match pair.deepest(hint, [0, 0]) {
                MeshFeature::Overlap { cells, .. } => {
                    last = Some(cells);
                    depths.iter().find(|(of, _)| *of == cells)
                }
                _ => None,
            };
            let found = found.map_or(0.0, |(_, depth)| *depth);
            assert!(most - found <= 1e-15, "{round}: {found:e} of {most:e}");
        }
        deep += usize::from(most > 1e-8);
    }
    assert!(deep > 60, "{deep}");
}

#[test]
fn a_pose_that_is_not_a_number_has_no_depth() {
    let [mesh, ..] = grounds().map(Arc::new);
    let cube = RoundedShape::cuboid(&[0.1; 3], 0.0).core;
    let mut pose = Pose::identity();
    pose.position.y = f64::NAN;
    for core in [Core::Mesh(mesh.clone()), cube] {
        let pair = Bodies::new(&mesh, &Pose::identity(), &core, &pose);
        let found = pair.deepest(Some([[0; 2]; 2]), [0, 0]);
        assert_eq!(found, MeshFeature::Touch([0, 0]));
    }
}
