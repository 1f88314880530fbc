//! Work of the rule.

use super::{Ball, RoundPressure, Smoothness};
use crate::math::{Mat3, Vec3};
use crate::narrow_phase::area::nodes::Nodes;
use crate::shapes::samples::ground;
use crate::shapes::{Aabb, Mesh};

/// Pyramid with its apex at the origin and this slope, over a regular polygon.
fn pyramid(sides: u32, slope: f64) -> Mesh {
    let mut vertices = vec![[0.0; 3], [0.0, 0.0, -1.0]];
    let mut triangles = Vec::new();
    for k in 0..sides {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(sides);
        vertices.push([angle.cos(), angle.sin(), -slope]);
        let [a, b] = [k, (k + 1) % sides].map(|k| k + 2);
        triangles.extend([[0, a, b], [1, b, a]]);
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// Evaluations and nodes of a Hertz ball of 0.1 m.
fn work(mesh: &Mesh, center: [f64; 3]) -> (usize, usize) {
    let pressure = RoundPressure {
        factor: 1e11,
        exponent: 0.5,
    };
    let (mut ball, mut nodes) = (Ball::new(center.into(), 0.1, pressure), Nodes::default());
    ball.press(mesh, &Mat3::identity(), &mut nodes);
    (ball.evaluations, nodes.list().len())
}

#[test]
fn a_ball_on_one_face_needs_no_rule_and_one_on_a_vertex_sixteen_points_an_edge_of_each_face() {
    let mesh = pyramid(6, 1e-5);
    let normal = Vec3::new(1e-5 * (3.0_f64.sqrt() / 2.0).recip(), 0.0, 1.0);
    let turn = std::f64::consts::FRAC_PI_6;
    let on_face = Vec3::new(0.4 * turn.cos(), 0.4 * turn.sin(), -0.4 * normal.x);
    let up = Vec3::new(normal.x * turn.cos(), normal.x * turn.sin(), 1.0).normalize();
    assert_eq!(work(&mesh, (on_face + up * (0.1 - 1e-5)).into()), (0, 1));
    // Six faces with two edges each.
    for depth in [1e-6, 1e-5, 1e-4] {
        assert_eq!(work(&mesh, [0.0, 0.0, 0.1 - depth]), (12 * 16, 6));
        let (evaluations, nodes) = work(&mesh, [1e-4 * depth, 0.0, 0.1 - depth]);
        assert!(evaluations <= 2 * 12 * 16 && nodes == 6, "{evaluations}");
    }
}

#[test]
fn a_range_that_is_not_a_number_ends() {
    for is_rough in [false, true] {
        let smoothness = Smoothness {
            pole: 0.1,
            is_rough,
        };
        for range in [[0.0, f64::NAN], [f64::NAN, 1.0], [f64::NAN; 2]] {
            let mut count = 0;
            smoothness.integrate(range, |_, _| count += 1);
            assert!(count < 100, "{range:?}: {count}");
        }
    }
}

/// A hundred and sixty times as many triangles, none of them nearer.
#[test]
fn a_ball_costs_by_the_triangles_in_its_reach_however_many_there_are() {
    let [few, many] = [8, 104].map(|side| {
        let hills = |i: f64, j: f64| 0.2 * ((0.9 * i).sin() + (1.1 * j).cos());
        let mesh = ground(side, hills);
        let center = [0.003, 0.001, 0.1 + 0.005];
        let mut looked = 0;
        let bounds = Aabb::EMPTY.with(&center.into());
        let cells = mesh.cells();
        cells.for_each_face_within(0.1, &bounds, |_| looked += 1);
        let (evaluations, nodes) = work(&mesh, center);
        (looked, evaluations, nodes)
    });
    assert_eq!(few, many);
    assert!(few.0 <= 2 * 5 * 5 && few.1 > 0 && few.2 > 2, "{few:?}");
}
