//! Bounds of gaps against gaps on a grid, for all shapes on random ways.

use super::{Approach, ShapePair};
use crate::dynamics::path::{Instant, Path, PathEnd};
use crate::dynamics::search::{Bounded, first_entry, least_value};
use crate::fixtures::*;
use nalgebra::{Quaternion, UnitQuaternion};

/// Number of forms that are no meshes.
const CONVEX: usize = 7;

fn forms() -> Vec<Form> {
    vec![
        sphere(0.3),
        cuboid([0.5, 0.1, 0.05]),
        cylinder(0.2, 0.4, Axis::Z),
        capsule(0.1, 0.4, Axis::X),
        ellipsoid([0.4, 0.2, 0.1]),
        cone(0.3, 0.05, 0.3, Axis::Y),
        Form::Beam {
            length: 0.3,
            width: 0.1,
            thickness: 0.05,
            axis: Axis::X,
        },
        cube_of_triangles(0.2),
        notched(0.3),
    ]
}

fn cube_of_triangles(size: f64) -> Form {
    let a = 0.5 * size;
    let outline = [[-a, -a], [a, -a], [a, a], [-a, a]];
    prism_of(&outline, &[[0, 1, 2], [0, 2, 3]], size)
}

/// Two legs under a roof, not convex.
fn notched(size: f64) -> Form {
    let corners = [
        [-1.0, -1.0],
        [-0.4, -1.0],
        [-0.4, 0.5],
        [0.4, 0.5],
        [0.4, -1.0],
        [1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
    ];
    let outline = corners.map(|corner| corner.map(|c| 0.5 * size * c));
    prism_of(&outline, &NOTCHED, size)
}

fn free(name: &str, form: &Form, offset: f64) -> BodyDescription {
    let mut body = body(name, Motion::Free, form.clone(), [0.0; 3]);
    body.shapes[0].position = [offset, 0.0, 0.0];
    body
}

#[test]
fn no_gap_on_the_way_is_below_the_bound_and_the_first_contact_is_found() {
    gaps_are_above_their_bounds(3);
}

#[test]
#[ignore = "long: twelve ways of each pair"]
fn no_gap_on_many_ways_is_below_the_bound_and_the_first_contact_is_found() {
    gaps_are_above_their_bounds(12);
}

/// So many ways of each pair.
fn gaps_are_above_their_bounds(ways: u64) {
    let mut seed = 5;
    let (mut met, mut looks) = (0, 0);
    for (i, form_1) in forms().iter().enumerate() {
        for (j, form_2) in forms().iter().enumerate() {
            let mut one = free("one", form_1, if i % 2 == 0 { 0.0 } else { 0.1 });
            one.position = [-3.0, 0.0, 0.0];
            let two = free("two", form_2, if j % 2 == 0 { 0.0 } else { -0.05 });
            let scene = valid(steel_scene(vec![one, two]));
            let system = start_of(&scene);
            let model = system.model();
            let (mut path, rule) = (Path::new(model), scene.contact().law.rule);
            let shapes = ShapePair::new(model, 0.into());
            for _ in 0..ways {
                let mut state = |distance: f64, spin: f64| {
                    let mut x = vec![0.0; 13];
                    for k in 0..3 {
                        x[k] = 0.2 * signed_fraction(&mut seed);
                        x[7 + k] = 2.0 * signed_fraction(&mut seed);
                        x[10 + k] = spin * signed_fraction(&mut seed);
                    }
                    x[0] += distance;
                    (3..7).for_each(|k| x[k] = signed_fraction(&mut seed));
                    let norm = x[3..7].iter().map(|c| c * c).sum::<f64>().sqrt();
                    (3..7).for_each(|k| x[k] /= norm);
                    x
                };
                // One stays about, two flies past it; both turn on.
                let (one, two) = (state(0.0, 6.0), state(1.2, 6.0));
                let h = 0.25;
                let from = [one, two].concat();
                let mut to = from.clone();
                for body in 0..2 {
                    let at = 13 * body;
                    let q: [f64; 4] = std::array::from_fn(|k| from[at + 3 + k]);
                    let spin: [f64; 3] = std::array::from_fn(|k| 0.5 * h * from[at + 10 + k]);
                    let turned =
                        contact_geometry::math::multiply(&q, &[1.0, spin[0], spin[1], spin[2]]);
                    to[at + 3..at + 7].copy_from_slice(&turned);
                    (0..3).for_each(|k| to[at + k] += h * from[at + 7 + k]);
                }
                to[13] -= 2.4;
                to[13 + 7] = -9.0;
                path.join(
                    model,
                    Instant::new(0.0, &from, &[]),
                    Instant::new(h, &to, &[]),
                );
                let mut count = 0;
                let mut approach = Approach {
                    model,
                    path: &mut path,
                    shapes: &shapes,
                    hint: &Feature::None,
                    rule,
                    looks: &mut count,
                };
                const GRID: u32 = 500;
                let on_grid: Vec<f64> = (0..=GRID)
                    .map(|k| approach.value(f64::from(k) / f64::from(GRID)))
                    .collect();
                let value = |k: usize| on_grid[k];
                for _ in 0..20 {
                    let a = (250.0 * (signed_fraction(&mut seed) + 1.0)) as usize % 480;
                    let b = a + 1 + (120.0 * (signed_fraction(&mut seed) + 1.0)) as usize;
                    let b = b.min(GRID as usize);
                    let theta = a as f64 / f64::from(GRID);
                    let length = (b - a) as f64 / f64::from(GRID);
                    let known = approach.look(theta).unwrap();
                    let bound = approach.bound(&known.look, length);
                    let least = (a..=b).map(value).fold(f64::INFINITY, f64::min);
                    assert!(bound <= least + 1e-12, "{i} {j}: {bound} above {least}");
                }
                let travel = shapes.travel(approach.path, PathEnd::Start);
                let least = on_grid.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(value(0) - travel <= least + 1e-12);
                *approach.looks = 0;
                if value(0) > 0.0 {
                    let first = on_grid.iter().position(|z| *z <= 0.0);
                    match (first, first_entry(&mut approach, 1.0)) {
                        (Some(first), Some(entry)) => {
                            let (before, after) = (first as f64 - 1.0, first as f64);
                            assert!(entry.before * f64::from(GRID) <= after);
                            // A shorter touch may come before the one that the grid shows.
                            assert!(entry.after * f64::from(GRID) <= after + 1e-6, "{before}");
                            assert!(approach.value(entry.after) <= 0.0);
                            met += 1;
                        }
                        (Some(first), None) => panic!("{i} {j}: missed at {first}"),
                        (None, Some(entry)) => assert!(approach.value(entry.after) <= 0.0),
                        (None, None) => {}
                    }
                    looks += *approach.looks;
                    let (end, exact) = (value(GRID as usize), least);
                    let found = least_value(&mut approach, end, f64::INFINITY);
                    // Hulls bound the overlap of a mesh loosely: of that the sign is known.
                    let most = match exact < 0.0 && i.max(j) >= CONVEX {
                        true => 0.0,
                        false => exact + 1e-9 + 0.06 * exact.abs(),
                    };
                    assert!(found <= most, "{i} {j}: {found} {exact}");
                    let least = exact - 0.06 * exact.abs() - 1e-3;
                    assert!(found >= least, "{i} {j}: {found} {exact}");
                }
            }
        }
    }
    let all = forms().len().pow(2) as u64 * ways;
    assert!(met > all / 3, "{met} of {all} meet");
    // Of each way some ten looks, contact located to rounding included.
    assert!(looks < all * 40, "{looks} looks");
}

#[test]
fn cubes_that_slide_along_each_other_with_flush_faces_need_few_looks() {
    let size = 0.1;
    let (forms, mut seed) = ([cube_of_triangles(size), cuboid([size; 3])], 3);
    for [first, second] in [[0, 0], [0, 1], [1, 0]] {
        let one = free("one", &forms[first], 0.0);
        let mut two = free("two", &forms[second], 0.0);
        two.position = [1.0, 0.0, 0.0];
        let scene = valid(steel_scene(vec![one, two]));
        let system = start_of(&scene);
        let model = system.model();
        let (mut path, rule) = (Path::new(model), scene.contact().law.rule);
        let shapes = ShapePair::new(model, 0.into());
        for case in 0..240 {
            let (axis, side) = (case % 3, [-1.0, 1.0][case / 3 % 2]);
            let gap = [0.0, 1e-12, 1e-11, 1e-9, 1e-8, 1e-7, -1e-12, -1e-8][case / 6 % 8];
            let mut random = || signed_fraction(&mut seed);
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(
                random(),
                random(),
                random(),
                random(),
            ));
            // The first lie along the axes, as cubes of a drawing do.
            let turn = if case < 48 {
                UnitQuaternion::identity()
            } else {
                turn
            };
            let mut off: Vec3 = Vec3::from_fn(|_, _| 0.9 * size * random());
            let mut speed: Vec3 = Vec3::from_fn(|_, _| random());
            let mut fall: Vec3 = Vec3::from_fn(|_, _| 10.0 * random());
            (off[axis], speed[axis], fall[axis]) = (side * (size + gap), 0.0, 0.0);
            let at = |x: Vec3, v: Vec3| {
                let (x, v, q) = (turn * x, turn * v, turn.quaternion());
                let spin = [0.0; 3];
                [x.as_slice(), &[q.w, q.i, q.j, q.k], v.as_slice(), &spin].concat()
            };
            let h = 5e-3;
            let still = at(Vec3::zeros(), Vec3::zeros());
            let from = [&still[..], &at(off, speed)].concat();
            let there = off + speed * h + fall * (0.5 * h * h);
            let to = [&still[..], &at(there, speed + fall * h)].concat();
            let (start, end) = (Instant::new(0.0, &from, &[]), Instant::new(h, &to, &[]));
            path.join(model, start, end);
            let mut looks = 0;
            let mut approach = Approach {
                model,
                path: &mut path,
                shapes: &shapes,
                hint: &Feature::None,
                rule,
                looks: &mut looks,
            };
            assert!(approach.value(0.0) > 0.0);
            assert_eq!(first_entry(&mut approach, 1.0), None);
            assert!(looks <= 4, "{first} {second} {case}: {looks} looks");
        }
    }
}

/// Two legs at a right angle.
fn angle(size: f64) -> Form {
    let corners = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 0.3],
        [0.3, 0.3],
        [0.3, 1.0],
        [0.0, 1.0],
    ];
    let outline = corners.map(|corner| corner.map(|c| size * c));
    prism_of(
        &outline,
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
        size,
    )
}

/// Way of a body at rest in another: its position, velocity and angular velocity there.
struct Course {
    position: Vec3,
    speed: Vec3,
    spin: Vec3,
}

impl Course {
    /// States of a body that does not move and of one on this course, after a time [s], all turned.
    fn states(&self, turn: &UnitQuaternion<f64>, after: f64, is_second: bool) -> Vec<f64> {
        let q = turn * UnitQuaternion::from_scaled_axis(self.spin * after);
        let x = turn * (self.position + self.speed * after);
        let state = |x: Vec3, q: &Quaternion<f64>, v: Vec3, spin: Vec3| {
            let q = [q.w, q.i, q.j, q.k];
            [x.as_slice(), &q, v.as_slice(), spin.as_slice()].concat()
        };
        let moving = state(x, &q, turn * self.speed, self.spin);
        let still = state(Vec3::zeros(), turn, Vec3::zeros(), Vec3::zeros());
        match is_second {
            true => [still, moving].concat(),
            false => [moving, still].concat(),
        }
    }
}

/// Bodies that fit into each other with this play [m] at each wall, and where the second is in the first. The walls
/// are along y.
fn fits(play: f64) -> [(Form, Form, Vec3); 3] {
    let (size, wide) = (0.3, 0.12 - 2.0 * play);
    let below = Vec3::new(0.0, 0.0, 0.25 * size - play - 0.5 * wide);
    let beside = Vec3::new(0.3 * size + play, 0.0, 0.3 * size + play);
    [
        (notched(size), cube_of_triangles(wide), below),
        (notched(size), cuboid([wide; 3]), below),
        (angle(size), angle(size), beside),
    ]
}

#[test]
fn bodies_that_fit_exactly_slide_and_part_in_few_looks_and_none_is_below_the_bound() {
    let mut seed = 7;
    for case in 0..480_usize {
        let (is_second, course, turned) = (case % 2 == 0, case / 2 % 4, case > 100);
        let play = [0.0, 1e-9, 5e-7, 1e-5, 1e-4][case / 8 % 5];
        let kind = case / 40 % 3;
        let (outer, inner, position) = &fits(play)[kind];
        let mut random = || signed_fraction(&mut seed);
        let turn = Quaternion::new(random(), random(), random(), random());
        let turn = match turned {
            true => UnitQuaternion::from_quaternion(turn),
            false => UnitQuaternion::identity(),
        };
        let mut way = Course {
            position: position + Vec3::new(0.0, 0.06 * random(), 0.0),
            speed: Vec3::from_fn(|_, _| random()),
            spin: Vec3::from_fn(|_, _| 3.0 * random()),
        };
        // Along the walls, off them, anyhow without and with rotation.
        let v = way.speed;
        way.speed = match course {
            0 => Vec3::y() * v.y,
            1 if kind == 2 => Vec3::new(v.x.abs(), v.y, v.z.abs()),
            1 => Vec3::new(0.0, v.y, -v.z.abs()),
            _ => v,
        };
        if course < 3 {
            way.spin = Vec3::zeros();
        }
        let forms = if is_second {
            [outer, inner]
        } else {
            [inner, outer]
        };
        let one = free("one", forms[0], 0.0);
        let mut two = free("two", forms[1], 0.0);
        two.position = [1.0, 0.0, 0.0];
        let scene = valid(steel_scene(vec![one, two]));
        let system = start_of(&scene);
        let model = system.model();
        let (mut path, shapes) = (Path::new(model), ShapePair::new(model, 0.into()));
        let h = 5e-3;
        let ends = [0.0, h].map(|time| way.states(&turn, time, is_second));
        let [from, to] = [0, 1].map(|k| Instant::new([0.0, h][k], &ends[k], &[]));
        path.join(model, from, to);
        let mut looks = 0;
        let mut approach = Approach {
            model,
            path: &mut path,
            shapes: &shapes,
            hint: &Feature::None,
            rule: scene.contact().law.rule,
            looks: &mut looks,
        };
        const GRID: usize = 100;
        let at = |k: usize| k as f64 / GRID as f64;
        let values: Vec<f64> = (0..=GRID).map(|k| approach.value(at(k))).collect();
        let least = |from: usize, to: usize| values[from..=to].iter().copied().fold(1.0, f64::min);
        for [a, b] in [[0, 1], [0, 7], [0, 100], [1, 3], [30, 80], [99, 100]] {
            let known = approach.look(at(a)).unwrap();
            let bound = approach.bound(&known.look, at(b) - at(a));
            assert!(
                bound <= least(a, b) + 1e-12,
                "{case}: {bound} above {}",
                least(a, b)
            );
        }
        *approach.looks = 0;
        let entry = first_entry(&mut approach, 1.0);
        let first = values.iter().position(|z| *z <= 0.0);
        assert!(first.is_none() || entry.is_some(), "{case}: missed");
        if let Some(entry) = entry {
            assert!(course > 1, "{case}: {entry:?}");
            assert!(approach.value(entry.after) <= 0.0);
            assert!(first.is_none_or(|first| entry.after <= at(first) + 1e-6));
        }
        // With more play the bound of first order does, at each look the gap over the way.
        let most = [2, 2, 8].map(|most| if play > 1e-6 { 1000 } else { most });
        if let Some(most) = most.get(course) {
            assert!(looks <= *most, "{case}: {looks} looks");
        }
    }
}
