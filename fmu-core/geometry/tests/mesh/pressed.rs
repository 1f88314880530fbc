//! Cylinders, cones and beams pressed into a mesh.

use crate::cells::meshes::{Wrench, bumpy, ell, grid_box, notched, prism, sums, wrench};
use crate::counting::count;
use crate::mesh::brute::{shape, torus};
use crate::random::{Random, lifted, moved, posed, soak};
use contact_geometry::math::{Mat3, Pose, Vec3, exponential};
use contact_geometry::narrow_phase::area::Patch;
use contact_geometry::narrow_phase::{Feature, gap, query};
use contact_geometry::shapes::RoundedShape;

const K: [f64; 2] = [3e7, 5e7];

fn rollers() -> [RoundedShape; 5] {
    [
        RoundedShape::cylinder(0.04, 0.05, 0.0),
        RoundedShape::cylinder(0.06, 0.01, 0.0),
        RoundedShape::cone(0.04, 0.0, 0.05, 0.0),
        RoundedShape::cone(0.05, 0.03, 0.04, 0.0),
        RoundedShape::beam(0.05, 0.03, 0.02, 0.0),
    ]
}

/// A pose at which the two overlap by a depth along their normal; `None` if they overlap before.
fn pressed(
    body: &RoundedShape,
    roller: &RoundedShape,
    poses: [Pose; 2],
    depth: f64,
) -> Option<[Pose; 2]> {
    let near = query(body, &poses[0], roller, &poses[1], &Feature::None);
    let [one, mut other] = poses;
    other.position -= near.normal_w * (near.gap + depth);
    (near.gap > 0.0).then_some([one, other])
}

fn off(found: &Wrench, expected: &Wrench) -> [f64; 3] {
    let size = expected.0.norm();
    [
        (found.0 - expected.0).norm() / size,
        (found.1 - expected.1).norm() / (0.1 * size),
        (found.2 - expected.2).abs() / expected.2,
    ]
}

#[test]
fn on_the_mesh_of_a_box_the_wrench_and_the_energy_are_those_on_the_box() {
    let mut random = Random::new(21);
    let lengths = [0.1, 0.08, 0.06];
    let cuboid = RoundedShape::cuboid(&lengths, 0.0);
    let body = shape(&grid_box(lengths, 3, &mut random));
    let mut worst = [0.0_f64; 3];
    let mut compared = 0;
    for round in 0..soak(600) {
        for roller in rollers() {
            let mut poses = [random.pose(0.05), random.pose(0.12)];
            if round % 3 == 0 {
                // Flat faces, lines and edges along each other.
                let axes = exponential(&(Vec3::x() * (0.5 * std::f64::consts::PI)));
                poses[1].rotation = poses[0].rotation * [axes, Mat3::identity()][random.index(2)];
            }
            let depth = 10_f64.powf(random.between(-6.0, -3.0));
            let Some(poses) = pressed(&cuboid, &roller, poses, depth) else {
                continue;
            };
            let expected = wrench([&cuboid, &roller], poses, K);
            let found = wrench([&body, &roller], poses, K);
            compared += 1;
            let off = off(&found, &expected);
            assert!(
                off[0] < 1e-9 && off[1] < 1e-9,
                "{off:?} at {depth}: {:?}",
                roller.core
            );
            for (worst, off) in worst.iter_mut().zip(off) {
                *worst = worst.max(off);
            }
        }
    }
    println!("{compared}: {worst:?}");
    assert!(compared > soak(600) * 2, "{compared}");
    assert!(worst[2] < 1e-8, "{worst:?}");
}

#[test]
fn triangles_of_a_floor_do_not_matter_to_what_rolls_over_it() {
    let mut random = Random::new(22);
    let lengths = [0.4, 0.4, 0.05];
    let ground = RoundedShape::half_space();
    for floor in [1, 8].map(|n| shape(&grid_box(lengths, n, &mut random))) {
        for roller in rollers() {
            for step in 0..40 {
                let way = f64::from(step) / 39.0;
                let turn = exponential(&Vec3::new(0.3, 1.2 + 0.01 * way, 0.2));
                let place = Vec3::new(0.2 * way - 0.1, 0.1 * way - 0.05, 0.1);
                let poses = [Pose::identity(), posed(place, turn)];
                let level = posed(Vec3::new(0.0, 0.0, 0.025), Mat3::identity());
                let near = gap(&ground, &level, &roller, &poses[1], &Feature::None);
                let mut poses = poses;
                poses[1].position.z -= near + 1e-4;
                let expected = wrench([&ground, &roller], [level, poses[1]], K);
                let found = wrench([&floor, &roller], poses, K);
                let off = off(&found, &expected);
                assert!(
                    off.iter().all(|off| *off < 1e-9),
                    "{off:?}: {:?}",
                    roller.core
                );
                let inside = gap(&floor, &poses[0], &roller, &poses[1], &Feature::None);
                assert!((inside + 1e-4).abs() < 1e-15, "{inside}");
            }
        }
    }
}

/// A cylinder in a groove of two faces lies on each up to the edge, wherever the mesh has its origin and axes: where
/// the wall between two cells is a side of the boxes around them, too.
#[test]
fn a_cylinder_in_a_groove_lies_on_each_face_up_to_the_edge() {
    let (radius, length, depth, slope) = (0.05, 0.3, 1.5e-5, 0.012_f64);
    let roller = RoundedShape::cylinder(2.0 * radius, length, 0.0);
    let down = radius - depth;
    let (cos, sin) = (1.0 / slope.hypot(1.0), slope / slope.hypot(1.0));
    // The depth over the place s along a face from the foot, and its integral over s.
    let level = |s: f64| ((radius - s) * (radius + s)).sqrt() - down;
    let area = |s: f64| {
        let root = ((radius - s) * (radius + s)).sqrt();
        0.5 * (s * root + radius * radius * (s / radius).asin()) - down * s
    };
    let (border, edge) = ((radius * radius - down * down).sqrt(), radius * sin);
    let pressed = area(edge) + area(border);
    let force = 2.0 * length * (cos * pressed - sin * 0.5 * level(edge) * level(edge));
    let force = force * K[0] * K[1] / (K[0] + K[1]);
    let outline = [
        [-0.5, -0.1],
        [0.5, -0.1],
        [0.5, 0.5 * slope],
        [0.0, 0.0],
        [-0.5, 0.5 * slope],
    ];
    let face = [[0, 1, 3], [1, 2, 3], [0, 3, 4]];
    let mut energies: Vec<f64> = Vec::new();
    for (x, y, turn) in [
        (0.0, 0.0, 0.0),
        (-0.5, 0.0, 0.0),
        (1.0, 0.5, 0.0),
        (0.01, 0.07, 0.0),
        (5.0, 0.0, 0.0),
        (0.0, 0.0, 0.09),
        (0.0, 0.0, std::f64::consts::FRAC_PI_2),
    ] {
        let own = posed(Vec3::new(x, y, 0.0), exponential(&(Vec3::z() * turn)));
        let moved = outline.map(|[x, y]| {
            let place = own.position + own.rotation * Vec3::new(x, y, 0.0);
            [place.x, place.y]
        });
        let body = shape(&prism(&moved, &face, 1.0));
        for aside in [0.0, 1e-9, -1e-9, 1e-6] {
            let above = Vec3::new(aside, down / cos, 0.0);
            let place = posed(own.position + own.rotation * above, own.rotation);
            let found = wrench([&body, &roller], [Pose::identity(), place], K);
            let up = -(own.rotation.column(1).dot(&found.0));
            let known = if aside.abs() > 1e-8 { 1e-4 } else { 1e-9 };
            assert!(
                (up / force - 1.0).abs() < known,
                "{up} {force} at {x} {y} {turn}"
            );
            energies.push(found.2);
        }
    }
    for of in energies.chunks(4) {
        for (energy, first) in of.iter().zip(&energies) {
            assert!((energy / first - 1.0).abs() < 1e-9, "{energies:?}");
        }
    }
}

/// Rates of the energy along a screw motion of the second body: by differences of two steps, by the wrench on
/// the first body and by dual numbers.
fn rates(bodies: [&RoundedShape; 2], poses: [Pose; 2], linear: &Vec3, angular: &Vec3) -> [f64; 4] {
    let at = |time: f64| {
        let other = moved(&poses[1], linear, angular, time);
        wrench(bodies, [poses[0], other], K)
    };
    let differences = [2e-6, 5e-7].map(|step| {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|times| at(step * times).2);
        (a - d + 8.0 * (c - b)) / (12.0 * step)
    });
    let (force, torque, _) = at(0.0);
    let about = torque - poses[1].position.cross(&force);
    let by_wrench = force.dot(linear) + about.dot(angular);
    let lifted = lifted(&poses[1], linear, angular);
    let by_dual = sums(bodies, [&poses[0].lift(), &lifted], K, 0.0).2.eps[0];
    [differences[0], differences[1], by_wrench, by_dual]
}

#[test]
fn the_wrench_is_the_gradient_of_the_energy() {
    let mut random = Random::new(23);
    let meshes = [
        shape(&ell()),
        shape(&notched()),
        shape(&bumpy()),
        shape(&torus(9, 7)),
        // A rib that is narrower than what presses it.
        shape(&grid_box([0.3, 0.004, 0.05], 1, &mut random)),
    ];
    let (mut compared, mut all, mut worst) = (0, 0, 0.0_f64);
    for _ in 0..soak(200) {
        for roller in rollers() {
            let number = random.index(5);
            let body = &meshes[number];
            let poses = [random.pose(0.05), random.pose(0.2)];
            let depth = 10_f64.powf(random.between(-4.0, -3.2));
            let Some(poses) = pressed(body, &roller, poses, depth) else {
                continue;
            };
            let (linear, angular) = (random.direction(), random.direction() * 20.0);
            let bodies = [body, &roller];
            let [one, other, found, dual] = rates(bodies, poses, &linear, &angular);
            let size = wrench(bodies, poses, K).0.norm();
            all += 1;
            assert!((dual - found).abs() < 1e-9 * size, "{dual} {found}");
            // Not where an edge begins to touch, which the shorter step sees less.
            if (one - other).abs() > 1e-7 * size {
                continue;
            }
            compared += 1;
            worst = worst.max((found - other).abs() / size);
            assert!(
                (found - other).abs() < 1e-8 * size,
                "{number} {:?} at {depth}: {one} {other} {found} of {size}",
                roller.core
            );
        }
    }
    println!("{compared} of {all}: {worst:e}");
    assert!(
        compared > soak(200) && 10 * compared > 8 * all,
        "{compared} of {all}"
    );
}

/// In the inner corner of an L, around a loop of poses: the trapezoidal rule is exact for smooth loops.
#[test]
fn a_closed_path_in_an_inner_corner_takes_no_work() {
    let body = shape(&ell());
    let roller = RoundedShape::cylinder(0.04, 0.05, 0.0);
    let count = 96;
    let (mut work, mut all) = (0.0, 0.0);
    for k in 0..count {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        let (sin, cos) = angle.sin_cos();
        // Both faces are pressed all the way round.
        let position = Vec3::new(
            0.12 - 3e-4 + 1e-4 * cos,
            0.12 - 3e-4 + 1e-4 * sin,
            1e-3 * cos,
        );
        let turn = exponential(&Vec3::new(2e-3 * sin, 3e-3 * cos, 0.2 * sin));
        let found = wrench(
            [&body, &roller],
            [Pose::identity(), posed(position, turn)],
            K,
        );
        let rate = Vec3::new(-1e-4 * sin, 1e-4 * cos, -1e-3 * sin);
        let axis = Vec3::new(2e-3 * sin, 3e-3 * cos, 0.2 * sin);
        let axis_rate = Vec3::new(2e-3 * cos, -3e-3 * sin, 0.2 * cos);
        // The left Jacobian of SO(3).
        let a = axis.norm();
        let k = axis.cross_matrix();
        let jacobian = if a > 1e-9 {
            Mat3::identity()
                + k * ((1.0 - a.cos()) / (a * a))
                + k * k * ((a - a.sin()) / (a * a * a))
        } else {
            Mat3::identity()
        };
        let torque = found.1 - position.cross(&found.0);
        let power = found.0.dot(&rate) + torque.dot(&(jacobian * axis_rate));
        work += power;
        all += power.abs();
    }
    assert!(all > 0.0 && work.abs() < 1e-6 * all, "{work} of {all}");
}

#[test]
fn exchanged_and_mirrored_bodies_have_the_same_wrench() {
    let mut random = Random::new(24);
    let mesh = ell();
    let body = shape(&mesh);
    let mut other = mesh.clone();
    other.vertices.iter_mut().for_each(|v| v.x = -v.x);
    other.triangles.iter_mut().for_each(|t| t.reverse());
    let mirrored = shape(&other);
    let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    let mut compared = 0;
    for _ in 0..soak(200) {
        for roller in rollers() {
            let poses = [Pose::identity(), random.pose(0.2)];
            let Some(poses) = pressed(&body, &roller, poses, 1e-4) else {
                continue;
            };
            compared += 1;
            let found = wrench([&body, &roller], poses, K);
            let size = found.0.norm();
            let back = wrench([&roller, &body], [poses[1], poses[0]], [K[1], K[0]]);
            assert!((back.0 + found.0).norm() < 1e-12 * size);
            assert!((back.1 + found.1).norm() < 1e-12 * size);
            assert!((back.2 - found.2).abs() < 1e-12 * found.2);
            // Bodies of revolution and beams are their own mirror images.
            let [one, two] = poses;
            let turned = posed(mirror * two.position, mirror * two.rotation * mirror);
            let seen = wrench([&mirrored, &roller], [one, turned], K);
            assert!((mirror * seen.0 - found.0).norm() < 1e-9 * size);
            assert!((seen.2 - found.2).abs() < 1e-9 * found.2);
        }
    }
    assert!(compared > soak(200), "{compared}");
}

#[test]
fn the_gap_is_zero_where_the_force_begins_and_moves_no_faster_than_the_bodies() {
    let mut random = Random::new(25);
    let meshes = [ell(), notched(), bumpy(), torus(9, 7)].map(|mesh| shape(&mesh));
    let mut compared = 0;
    for _ in 0..soak(200) {
        for roller in rollers() {
            let body = &meshes[random.index(4)];
            let poses = [random.pose(0.05), random.pose(0.2)];
            let near = query(body, &poses[0], &roller, &poses[1], &Feature::None);
            if near.gap <= 0.0 {
                continue;
            }
            compared += 1;
            let place = |depth: f64| {
                let mut other = poses[1];
                other.position -= near.normal_w * (near.gap + depth);
                other
            };
            let of = |depth| gap(body, &poses[0], &roller, &place(depth), &Feature::None);
            let mut before = of(-1e-12);
            assert!((before - 1e-12).abs() < 1e-14, "{before:e}");
            for depth in [1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 3e-4] {
                let here = of(depth);
                let force = wrench([body, &roller], [poses[0], place(depth)], K)
                    .0
                    .norm();
                assert!(
                    here < 0.0 && (depth < 1e-6 || force > 0.0),
                    "{here} {force}"
                );
                assert!(
                    here >= -1.01 * depth - 1e-14 && here <= before + 1e-14,
                    "{here} {depth}"
                );
                before = here;
            }
            let (linear, angular) = (random.direction(), random.direction() * 5.0);
            let at = |time| {
                let other = moved(&place(1e-4), &linear, &angular, time);
                gap(body, &poses[0], &roller, &other, &Feature::None)
            };
            let differences = [1e-6, 5e-7].map(|step| (at(step) - at(-step)) / (2.0 * step));
            let lifted = lifted(&place(1e-4), &linear, &angular);
            let found = query(body, &poses[0].lift(), &roller, &lifted, &Feature::None);
            if (differences[0] - differences[1]).abs() < 1e-6 {
                let rate = found.gap.eps[0];
                assert!(
                    (rate - differences[1]).abs() < 1e-6,
                    "{rate} {differences:?}"
                );
            }
        }
    }
    assert!(compared > soak(200), "{compared}");
}

#[test]
fn finding_a_patch_does_not_allocate_once_its_arrays_have_grown() {
    let body = shape(&ell());
    let mut patch = Patch::<f64>::with_room(6);
    let mut force = || {
        let mut sum = 0.0;
        for roller in rollers() {
            for turn in 0..8 {
                let turn = exponential(&(Vec3::new(0.3, 0.2, 1.0) * f64::from(turn)));
                let pose = posed(Vec3::new(0.115, 0.115, 0.0), turn);
                patch.find([(&body, &Pose::identity()), (&roller, &pose)], K, 0.0);
                sum += patch.nodes.sum(0.0, |node| node.force);
            }
        }
        sum
    };
    let first = force();
    let before = count();
    let again = force();
    assert_eq!(count() - before, 0);
    assert!(first > 0.0 && first == again);
}

/// With t the depth below the top of a post and below its sides, whose normals are turned by `turn` from the way
/// down of a plate, at the deepest point: t = d - s (r - x), x cos(turn) = r cos(turn) - t, with d the depth of
/// the plate at the distance r of the place from the axis and s its slope.
#[test]
fn a_face_wider_than_one_of_many_edges_has_the_depth_of_all_its_walls() {
    const FACETS: u32 = 48;
    let (radius, tilt) = (0.02, 0.01_f64);
    let step = std::f64::consts::TAU / f64::from(FACETS);
    let outline: Vec<_> = (0..FACETS)
        .map(|k| (step * f64::from(k)).sin_cos())
        .map(|(s, c)| [radius * c, radius * s])
        .collect();
    let fan: Vec<_> = (1..FACETS - 1).map(|k| [0, k, k + 1]).collect();
    let mut mesh = prism(&outline, &fan, 0.03);
    mesh.vertices.iter_mut().for_each(|v| v.z -= 0.015);
    let post = shape(&mesh);
    let plates = [
        (RoundedShape::cylinder(0.2, 0.02, 0.0), 0.01),
        (RoundedShape::cone(0.2, 0.1, 0.02, 0.0), 0.0),
        (RoundedShape::cone(0.2, 0.0, 0.02, 0.0), 0.0),
    ];
    let slope = tilt.tan();
    for (plate, height) in plates {
        for depth in [1e-6, 1e-4] {
            for k in 0..2 * FACETS {
                // Above a corner or the middle of an edge.
                let way = 0.5 * step * f64::from(k);
                let (reach, turn) = match k % 2 {
                    0 => (radius, 0.5 * step),
                    _ => (radius * (0.5 * step).cos(), 0.0),
                };
                let turned = exponential(&(Vec3::z() * way)) * exponential(&(Vec3::y() * tilt));
                let low = Vec3::new(reach * way.cos(), reach * way.sin(), -depth);
                // Beneath its middle.
                let middle = low - turned * Vec3::x() * (reach / tilt.cos());
                let pose = posed(middle + turned * Vec3::z() * height, turned);
                let near = query(&post, &Pose::identity(), &plate, &pose, &Feature::None);
                let expected = -depth / (1.0 + slope / turn.cos());
                assert!(
                    (near.gap - expected).abs() < 1e-15,
                    "{k}: {} is not {expected}",
                    near.gap
                );
            }
        }
    }
}

#[test]
fn places_that_are_no_numbers_end_and_leave_nothing_behind() {
    let body = shape(&ell());
    let others = rollers().into_iter().chain([shape(&torus(7, 5))]);
    let mut patch = Patch::with_room(0);
    for other in others {
        let start = [
            Pose::identity(),
            posed(Vec3::new(0.05, 0.05, 0.05), Mat3::identity()),
        ];
        let mut find = |poses: &[Pose; 2]| {
            let near = query(&body, &poses[0], &other, &poses[1], &Feature::None);
            patch.find([(&body, &poses[0]), (&other, &poses[1])], K, 0.0);
            (near.gap, patch.energy)
        };
        let before = find(&start);
        assert!(before.0 < 0.0 && before.1 > 0.0, "{before:?}");
        for flaw in [f64::NAN, f64::INFINITY] {
            for k in 0..4 {
                let mut poses = start;
                match k {
                    0 | 1 => poses[k].position.y = flaw,
                    _ => poses[k - 2].rotation[(1, 2)] = flaw,
                }
                find(&poses);
            }
        }
        assert_eq!(find(&start), before);
    }
}
