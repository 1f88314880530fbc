//! Meshes that touch with their own surface, against closed forms and the same bodies as boxes and hulls.

use super::*;
use contact_geometry::shapes::Axis;
use std::f64::consts::PI;

/// Box whose faces are two triangles each.
fn block([x, y, z]: [f64; 3]) -> Form {
    let [a, c] = [0.5 * x, 0.5 * z];
    let outline = [[-a, -c], [a, -c], [a, c], [-a, c]];
    prism_of(&outline, &[[0, 1, 2], [0, 2, 3]], y)
}

pub(super) fn fixed(form: Form) -> BodyDescription {
    body("ground", Motion::Fixed, form, [0.0; 3])
}

/// Factor of the pressure c u^(1/2) of round steel whose stiffness on a plane is 4/3 E* r^(1/2), r its contact
/// sphere, and whose radius is R [m]: c = 2 E* r^(1/2)/(2 pi R), E* = 2e11/(2 (1 - 0.09)).
fn factor(sphere: f64, radius: f64) -> f64 {
    0.5 * 2e11 / (1.0 - 0.09) * sphere.sqrt() / (PI * radius)
}

/// Integral of u^(1/2) over a plane at the depth d [m] in a ball of a radius [m].
fn of_ball(radius: f64, d: f64) -> f64 {
    2.0 * PI * d.powf(1.5) * (radius / 1.5 - d / 2.5)
}

/// Depth [m] at which a force is a load [N].
fn depth_of(load: f64, most: f64, force: impl Fn(f64) -> f64) -> f64 {
    let [mut low, mut high] = [0.0, most];
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        match force(middle) < load {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Depth at which a ball of steel of the radius R [m] on a plane carries a load [N], beyond the overlap without
/// force.
fn ball_depth(radius: f64, load: f64) -> f64 {
    let force = |d: f64| factor(radius, radius) * of_ball(radius - STARTS, d);
    depth_of(load, 1e-2 * radius, force)
}

#[test]
fn a_ball_rolls_over_the_triangles_of_a_floor_without_feeling_them() {
    let (radius, speed): (f64, f64) = (0.05, 0.5);
    let weight = 8000.0 * 4.0 / 3.0 * PI * radius.powi(3) * G;
    let height = radius - STARTS - ball_depth(radius, weight);
    for side in [1, 8] {
        let mut ball = body(
            "ball",
            Motion::Free,
            sphere(2.0 * radius),
            [-0.4, 0.013, height],
        );
        ball.velocity = [speed, 0.03, 0.0];
        ball.angular_velocity = [-0.03 / radius, speed / radius, 0.0];
        let description = steel_scene(vec![fixed(floor(side, 1.0, 0.3)), ball]);
        let description = without_rolling_resistance(description);
        let (mut system, states) = at_event(description.clone());
        assert_eq!(system.ledger().contacts().len(), 1);
        for step in 0..60 {
            let mut moved = states.clone();
            moved[0] += 0.8 * f64::from(step) / 60.0;
            near!(
                rates(&mut system, 0.0, &moved)[9],
                0.0,
                1e-9 * G,
                "side {side}, step {step}"
            );
        }
        rolls_on(description, height, speed);
    }
}

/// A body that starts at x = -0.4 m rolls for 1.6 s at this height and speed, without an event.
#[track_caller]
fn rolls_on(description: SceneDescription, height: f64, speed: f64) {
    let mut run = Run::new(description, 1e-8);
    let mut events = 0;
    run.until(1.6, |_| {
        events += 1;
        false
    });
    assert_eq!(events, 0);
    near!(run.states[2], height, 1e-12);
    near!(run.states[0], -0.4 + 1.6 * speed, 1e-5);
}

#[test]
fn a_ball_on_the_seam_of_two_flush_meshes_presses_both_as_it_presses_one() {
    let (radius, half): (f64, f64) = (0.05, 0.5);
    let weight = 8000.0 * 4.0 / 3.0 * PI * radius.powi(3) * G;
    let depth = ball_depth(radius, weight);
    // Half the width of the contact.
    let reach = (2.0 * radius * depth).sqrt();
    for step in -12_i32..=12 {
        let place = [
            f64::from(step) * 0.1 * reach,
            0.013,
            radius - STARTS - depth,
        ];
        let mut bodies = vec![fixed(block([2.0 * half, 1.0, 0.2])); 2];
        for (body, (name, side)) in bodies.iter_mut().zip([("left", -1.0), ("right", 1.0)]) {
            body.name = name.into();
            body.position = [side * half, 0.0, -0.1];
        }
        bodies.push(body("ball", Motion::Free, sphere(2.0 * radius), place));
        let (mut system, states) = at_event(steel_scene(bodies));
        let count = system.ledger().contacts().len();
        assert!(count == 2 || step.abs() > 8, "{count} at step {step}");
        let rates = rates(&mut system, 0.0, &states);
        for (state, rate) in (7..13).zip(&rates[7..13]) {
            near!(*rate, 0.0, 1e-9 * G, "state {state}, step {step}");
        }
    }
}

/// Largest acceleration [m/s2, rad/s2] up and about x and z of a free body while it is moved by 0.8 m along x.
fn most_rate(description: SceneDescription) -> f64 {
    let (mut system, states) = at_event(description);
    assert_eq!(system.ledger().contacts().len(), 1);
    let mut most = 0.0_f64;
    for step in 0..60 {
        let mut moved = states.clone();
        moved[0] += 0.8 * f64::from(step) / 60.0;
        let rates = rates(&mut system, 0.0, &moved);
        let own = [9, 10, 12].map(|state| rates[state].abs());
        most = own.into_iter().fold(most, f64::max);
    }
    most
}

fn without_rolling_resistance(mut description: SceneDescription) -> SceneDescription {
    let numbers = &mut law_of(&mut description).numbers;
    numbers.retain(|(number, _)| *number != Number::RollingResistance);
    numbers.push((Number::RollingResistance, 0.0));
    description
}

#[test]
fn a_capsule_rolls_over_the_triangles_of_a_floor_without_feeling_them() {
    let (radius, length, speed): (f64, f64, f64) = (0.05, 0.2, 0.5);
    let volume = PI * radius.powi(2) * (length + 4.0 / 3.0 * radius);
    let inner = radius - STARTS;
    // The middle by the midpoint rule along y = Y sin phi, which is exact for periodic functions.
    let section = |d: f64| {
        let square = d * (2.0 * inner - d);
        let points = (0..64).map(|k| ((f64::from(k) + 0.5) / 64.0 - 0.5) * PI);
        let sum: f64 = points
            .map(|phi| {
                let rest = square * phi.cos().powi(2);
                let r = (inner * inner - rest).sqrt();
                (rest / (inner + r)).sqrt() * square.sqrt() * phi.cos()
            })
            .sum();
        sum * PI / 64.0
    };
    let force = |d: f64| factor(radius, radius) * (length * section(d) + of_ball(inner, d));
    let height = inner - depth_of(8000.0 * volume * G, 1e-3 * radius, force);
    for side in [1, 8] {
        let form = Form::Capsule {
            diameter: 2.0 * radius,
            length,
            axis: Axis::Y,
        };
        let mut rod = body("rod", Motion::Free, form, [-0.4, 0.013, height]);
        rod.velocity = [speed, 0.0, 0.0];
        rod.angular_velocity = [0.0, speed / radius, 0.0];
        let description =
            without_rolling_resistance(steel_scene(vec![fixed(floor(side, 1.0, 0.3)), rod]));
        let most = most_rate(description.clone());
        assert!(most < 1e-9 * G / radius, "side {side}: {most:e}");
        rolls_on(description, height, speed);
    }
}

#[test]
fn an_ellipsoid_lies_on_triangles_as_deep_as_its_pressure_says() {
    // Up along the shortest semi-axis.
    let [a, b, c]: [f64; 3] = [0.08, 0.06, 0.04];
    let length = (c * a).powf(0.3) * (b * a).powf(0.2);
    let share = a * b * c / (length * length);
    let force = |d: f64| factor(c, share) * share / c * of_ball(length - STARTS, d);
    let weight = 8000.0 * 4.0 / 3.0 * PI * a * b * c * G;
    let scaled = length - STARTS - depth_of(weight, 1e-3 * c, force);
    let lengths = [2.0 * a, 2.0 * b, 2.0 * c];
    for side in [1, 8] {
        let stone = body(
            "stone",
            Motion::Free,
            Form::Ellipsoid { lengths },
            [-0.4, 0.013, scaled * c / length],
        );
        let most = most_rate(steel_scene(vec![fixed(floor(side, 1.0, 0.3)), stone]));
        assert!(most < 1e-8 * G, "side {side}: {most:e}");
    }
}

#[test]
fn a_capsule_and_an_ellipsoid_tumble_on_triangles_with_their_energy_and_all_their_impacts() {
    let capsule = Form::Capsule {
        diameter: 0.1,
        length: 0.2,
        axis: Axis::X,
    };
    let stone = Form::Ellipsoid {
        lengths: [0.16, 0.12, 0.08],
    };
    for form in [capsule, stone] {
        let mut moving = body("body", Motion::Free, form, [0.02, 0.01, 0.25]);
        moving.orientation = [0.6, 0.48, 0.64, 0.0];
        moving.angular_velocity = [1.0, 2.0, -1.0];
        let bodies = vec![fixed(floor(8, 1.0, 0.3)), moving];
        let numbers = [(Number::Restitution, 1.0)];
        let mut run = Run::new(scene(bodies, FrictionKind::Off, &numbers), 1e-9);
        let before = run.energy();
        run.to(0.6);
        assert!(run.states[9] > -0.6 * G, "it has bounced");
        assert!(run.states[2] > 0.03, "{}", run.states[2]);
        near!(run.energy(), before, 1e-6 * before.abs());
    }
}

/// No face is in its reach, or it lies below the layer: it has no force, and nothing would lead it out.
#[test]
fn a_body_inside_a_mesh_may_not_start_there() {
    let at = [0.03, -0.02, -0.3];
    let ball = body("ball", Motion::Free, sphere(0.1), at);
    let mut above = ball.clone();
    above.position = [0.03, -0.02, 0.05 - 1e-7];
    let crate_ = crate_of("crate", [0.1, 0.05, 0.08], at);
    for (moving, deep) in [(ball, 1), (crate_, 1), (above, 0)] {
        let description = steel_scene(vec![fixed(floor(2, 1.0, 1.0)), moving]);
        let (mut system, states) = at_event(description);
        system.go_to(0.0, &states).unwrap();
        assert_eq!(system.deep_overlaps_here().len(), deep);
    }
}

/// States of a scene of two bodies at some times.
fn states_of(
    ground: Form,
    moving: BodyDescription,
    times: &[f64],
    tolerance: f64,
) -> Vec<Vec<f64>> {
    let numbers = [(Number::SlidingFriction, 0.3), (Number::Restitution, 0.5)];
    let bodies = vec![fixed(ground), moving];
    let mut run = Run::new(
        scene(bodies, FrictionKind::Regularized, &numbers),
        tolerance,
    );
    let at = |time: &f64| {
        run.to(*time);
        run.states.clone()
    };
    times.iter().map(at).collect()
}

pub(super) fn apart(one: &[Vec<f64>], other: &[Vec<f64>]) -> f64 {
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Where the centre of the motion is some four times the size of the face away, friction is between a sum over
/// nodes and an integral, both right to 1e-5: its share there depends on the polygons of the floor.
#[test]
fn a_box_slides_over_triangles_as_over_a_plane() {
    for (turn, bound) in [(0.0, 1e-9), (0.5, 1e-9), (2.0, 5e-7), (8.0, 1e-9)] {
        let moving = || {
            let mut moving = crate_of("crate", [0.2, 0.1, 0.1], [-0.3, 0.02, 0.05 - 1e-8]);
            moving.velocity = [1.0, 0.1, 0.0];
            moving.angular_velocity = [0.0, 0.0, turn];
            moving
        };
        let times = [0.05, 0.1, 0.2];
        let over = |ground| states_of(ground, moving(), &times, 1e-9);
        let (plane, triangles) = (over(Form::HalfSpace), over(floor(8, 2.0, 0.5)));
        let off = apart(&plane, &triangles);
        assert!(off < bound, "{turn}: {off}");
    }
}

#[test]
fn cylinders_cones_and_beams_bounce_and_roll_on_triangles_as_on_a_plane() {
    let beam = Form::Beam {
        length: 0.1,
        width: 0.06,
        thickness: 0.04,
        axis: Axis::X,
    };
    let forms = [
        cylinder(0.1, 0.08, Axis::Y),
        cone(0.1, 0.06, 0.08, Axis::Z),
        beam,
    ];
    for (form, height) in forms.into_iter().zip([0.05, 0.0, 0.02]) {
        let moving = || {
            let place = [-0.1, 0.02, height + 1e-3];
            let mut moving = body("roller", Motion::Free, form.clone(), place);
            moving.velocity = [0.5, 0.05, 0.0];
            moving.angular_velocity = [0.1, 3.0, 0.5];
            moving
        };
        let times = [0.02, 0.05, 0.1];
        let over = |ground| states_of(ground, moving(), &times, 1e-11);
        let (plane, triangles) = (over(Form::HalfSpace), over(floor(8, 2.0, 0.5)));
        assert!(plane[2][9] > -0.5 * G, "it has touched");
        let off = apart(&plane, &triangles);
        assert!(off < 1e-8, "{off} of {form:?}");
    }
}

#[test]
fn a_cylinder_stands_as_deep_as_its_end_gives() {
    let length = 0.1;
    let standing = body(
        "pin",
        Motion::Free,
        cylinder(0.06, length, Axis::Z),
        [0.03, -0.02, 0.1 + 0.5 * length],
    );
    let found = states_of(block([1.0, 1.0, 0.2]), standing, &[2.0], 1e-8);
    let depth = 8000.0 * length * G / STIFFNESS + STARTS;
    near!(0.1 + 0.5 * length - found[0][2], depth, 1e-9 * 0.1);
}

#[test]
fn a_mesh_that_tumbles_onto_a_plane_moves_as_the_hull_of_its_corners() {
    let vertices = vec![[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.25]];
    let triangles: Triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let part = ConvexPart {
        vertices: vertices.clone(),
        triangles: triangles.clone(),
        radius: 0.0,
        sharp: None,
    };
    let touching = mesh(vertices, triangles);
    let Form::Surface { solid, .. } = touching else {
        panic!("no surface")
    };
    let states = [Form::Hull { solid, part }, touching].map(|form| {
        let mut moving = body("stone", Motion::Free, form, [0.0, 0.0, 0.1]);
        moving.angular_velocity = [3.0, -2.0, 1.0];
        states_of(Form::HalfSpace, moving, &[0.1, 0.2, 0.3], 1e-10)
    });
    assert!(states[0][2][9] > -2.0, "it has bounced");
    assert!(
        apart(&states[0], &states[1]) < 1e-8,
        "{}",
        apart(&states[0], &states[1])
    );
}

#[test]
fn a_cube_rests_as_deep_as_its_faces_give() {
    let weight = 8000.0 * 0.1_f64.powi(3) * G;
    let depth = weight / (STIFFNESS * 0.01) + STARTS;
    for ground in [
        Form::HalfSpace,
        cuboid([1.0, 1.0, 0.2]),
        block([1.0, 1.0, 0.2]),
    ] {
        let top = if ground == Form::HalfSpace { 0.0 } else { 0.1 };
        let cube = body(
            "cube",
            Motion::Free,
            block([0.1; 3]),
            [0.0, 0.0, top + 0.05],
        );
        let found = states_of(ground, cube, &[2.0], 1e-8);
        near!(top + 0.05 - found[0][2], depth, 1e-9 * 0.1);
    }
}

#[test]
fn a_staple_hangs_over_a_bar_by_the_roof_of_its_notch() {
    // Legs of 0.02 m beside a notch of 0.06 m, under a roof of 0.02 m.
    let outline = [
        [-0.05, -0.1],
        [-0.03, -0.1],
        [-0.03, 0.0],
        [0.03, 0.0],
        [0.03, -0.1],
        [0.05, -0.1],
        [0.05, 0.02],
        [-0.05, 0.02],
    ];
    let staple = prism_of(&outline, &NOTCHED, 0.04);
    let volume = 0.04 * (2.0 * 0.02 * 0.1 + 0.1 * 0.02);
    let bar = cuboid([0.04, 0.5, 0.02]);
    let above = body("staple", Motion::Free, staple, [0.0, 0.0, 0.01]);
    let found = states_of(bar, above, &[2.0], 1e-8);
    let depth = 8000.0 * volume * G / (STIFFNESS * 0.04 * 0.04) + STARTS;
    near!(0.01 - found[0][2], depth, 1e-9 * 0.1);
    near!(found[0][3], 1.0, 1e-9);
}

#[test]
fn a_lossless_bounce_of_a_concave_body_keeps_its_energy() {
    let outline = [
        [0.0, 0.0],
        [0.2, 0.0],
        [0.2, 0.05],
        [0.05, 0.05],
        [0.05, 0.3],
        [0.0, 0.3],
    ];
    let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let mut ell = body(
        "ell",
        Motion::Free,
        prism_of(&outline, &faces, 0.05),
        [0.0, 0.0, 0.2],
    );
    ell.orientation = [0.6, 0.48, 0.64, 0.0];
    ell.angular_velocity = [1.0, 2.0, -1.0];
    let bodies = vec![fixed(Form::HalfSpace), ell];
    let numbers = [(Number::Restitution, 1.0)];
    let mut run = Run::new(scene(bodies, FrictionKind::Off, &numbers), 1e-9);
    let before = run.energy();
    run.to(0.6);
    assert!(run.states[9] > -0.6 * G, "it has bounced");
    near!(run.energy(), before, 1e-6 * before.abs());
}

/// Indicators keep the nearest features of meshes for a second look at one pose, and only there.
#[test]
fn gaps_of_meshes_follow_a_body_or_a_parameter_that_moves() {
    let step = [
        [-0.3, -0.1],
        [0.3, -0.1],
        [0.3, 0.0],
        [0.0, 0.0],
        [0.0, 0.1],
        [-0.3, 0.1],
    ];
    let ground = prism_of(&step, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 1.0);
    let corners = vec![
        [0.0; 3],
        [0.1, 0.0, 0.1],
        [-0.05, 0.08, 0.1],
        [-0.05, -0.08, 0.1],
    ];
    let stone = mesh(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    let place = [-0.1, 0.02, 0.1 - 1e-5];
    let stone = body("stone", Motion::Free, stone, place);
    let (mut system, states) = at_event(steel_scene(vec![fixed(ground), stone]));
    let gap = |system: &mut System, states: &[f64]| indicators(system, 0.0, states)[0];
    assert_eq!(system.ledger().contacts().len(), 1);
    // Of a corner the depth of equal pressures, less than it is deep.
    let pressed = gap(&mut system, &states);
    assert!((-1e-5..-5e-6).contains(&pressed), "{pressed:e}");
    // Upside down, its face 1 mm over the step.
    let mut over = states.clone();
    over[2] = 0.1 + 0.1 + 1e-3;
    over[3..7].copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
    near!(gap(&mut system, &over), 1e-3, 1e-7);
    // The step moves aside, and the corner is over the lower part.
    let scene = std::sync::Arc::clone(system.scene());
    let mut parameters = Parameters::start(&scene);
    let x = scene.parameter_index(Element::Body(BodyId::FIRST), "position", 0);
    parameters.set(&scene, x.expect("a position"), -0.3);
    assert_eq!(gap(&mut system, &states).to_bits(), pressed.to_bits());
    system.rebind(&parameters).expect("a place");
    near!(gap(&mut system, &states), 0.1 - 1e-5, 1e-7);
}
