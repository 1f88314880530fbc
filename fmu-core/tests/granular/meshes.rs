//! Grains of groups on meshes that touch as they are, in steps of a fixed length: closed forms, and the same
//! grains on a half-space.

use super::*;
use crate::counting::count;
use crate::running::Run;
use contact_geometry::math::rotation_matrix;
use std::f64::consts::PI;

const G: f64 = 9.81;
const DENSITY: f64 = 2500.0;
const MODULUS: f64 = 5e6;
/// Overlap without force [m].
const STARTS: f64 = 2e-8;

/// Grains of these radii [m] over a fixed ground.
fn grains(ground: Form, radius: f64, positions: Vec<[f64; 3]>) -> SceneDescription {
    let mut ground = body("ground", Motion::Fixed, ground, [0.0; 3]);
    ground.shapes[0].material = "Soft".into();
    let mut description = scene_of(material("Soft", DENSITY, MODULUS, 0.3), 0.5, vec![ground]);
    description.grains = vec![GrainsDescription {
        name: "sand".into(),
        material: "Soft".into(),
        diameters: vec![2.0 * radius; positions.len()],
        positions,
        velocity: [0.0; 3],
        regions: Vec::new(),
    }];
    description
}

fn weight(radius: f64) -> f64 {
    DENSITY * 4.0 / 3.0 * PI * radius.powi(3) * G
}

/// Depth [m] at which a grain on a plane bears its weight, without and with the part of the pressure of a ball
/// beyond Hertz' force: K d^1.5 and K d^1.5 (1 - 0.6 d/R), K = 4/3 E* R^0.5, R without the overlap without force.
fn depths(radius: f64) -> [f64; 2] {
    let stiffness = 4.0 / 3.0 * MODULUS / (2.0 * (1.0 - 0.09)) * radius.sqrt();
    let hertz = (weight(radius) / stiffness).powf(2.0 / 3.0);
    let mut depth = hertz;
    for _ in 0..50 {
        let part = (radius - STARTS) / radius - 0.6 * depth / radius;
        depth = (weight(radius) / stiffness / part).powf(2.0 / 3.0);
    }
    [hertz, depth]
}

/// What the ground bears [N].
fn borne(run: &mut Dem) -> Vec3 {
    let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
    Vec3::from(outputs.contact_forces[BodyId::FIRST])
}

fn energy(run: &mut Dem) -> f64 {
    let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
    outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy
}

#[test]
fn a_grain_rolls_a_metre_over_the_triangles_of_a_floor_as_over_a_half_space() {
    let (radius, speed) = (0.02, 1.0);
    let [hertz, depth] = depths(radius);
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let roll = |ground: Form, depth: f64| {
            let height = radius - STARTS - depth;
            let mut description = grains(ground, radius, vec![[-0.5, 0.013, height]]);
            description.grains[0].velocity = [speed, 0.03, 0.0];
            let law = law_of(&mut description);
            law.friction = Some(friction);
            if friction == FrictionKind::Stick {
                law.numbers.push((Number::StaticFriction, 0.5));
                law.numbers.retain(|(number, _)| *number != Number::VSmall);
            }
            let mut run = Dem::new(description, 2e-4);
            run.states[10..12].copy_from_slice(&[-0.03 / radius, speed / radius]);
            let mut path = Vec::new();
            for step in 1..=50 {
                run.to(0.02 * f64::from(step));
                let force = borne(&mut run).z / -weight(radius);
                assert!((force - 1.0).abs() < 1e-9, "{friction:?} {step}: {force}");
                path.extend_from_slice(&run.states[..2]);
                path.extend_from_slice(&run.states[7..9]);
                near!(run.states[2], height, 1e-12);
            }
            assert_eq!(run.events.starts.len(), 0);
            path
        };
        let plane = roll(Form::HalfSpace, hertz);
        let gone = plane[4 * 49];
        assert!((0.45..0.5).contains(&gone), "{gone}");
        let [two, some, many] = [1, 8, 50].map(|side| roll(floor(side, 1.2, 0.3), depth));
        for (i, own) in two.iter().enumerate() {
            // Its arm is shorter by the part of the depth that is not Hertz'.
            near!(*own, plane[i], 1e-6, "{friction:?} {i}");
            for other in [&some, &many] {
                near!(*own, other[i], 1e-9, "{friction:?} {i}");
            }
        }
    }
}

/// A bowl z = x^2 + y^2 that is 0.3 m wide, of triangles with corners anywhere.
fn bowl(side: usize) -> Form {
    land(side, 0.3, 0.3, |x, y| x * x + y * y)
}

/// Layers of ten by ten grains of 5 mm over the bowl.
fn falling(form: Form, layers: usize, friction: FrictionKind) -> SceneDescription {
    let mut seed = 11;
    let places = (0..100 * layers).map(|i| {
        let place = [i % 10, i / 10 % 10, i / 100].map(|k| 0.0115 * k as f64);
        let [x, y, z] = place.map(|x| x + 5e-4 * signed_fraction(&mut seed));
        [x - 0.05, y - 0.05, z + 0.02]
    });
    let mut description = grains(form, 0.005, places.collect());
    description.contact.nz_max = Some(2000);
    // A tenth, so that steps are longer.
    description.materials[0].youngs_modulus = 0.1 * MODULUS;
    let law = law_of(&mut description);
    law.friction = Some(friction);
    law.numbers.retain(|(number, _)| *number != Number::VSmall);
    match friction {
        FrictionKind::Stick => law.numbers.push((Number::StaticFriction, 0.5)),
        _ => law.numbers.push((Number::VSmall, 0.01)),
    }
    law.numbers
        .retain(|(number, _)| *number != Number::RollingResistance);
    law.numbers.push((Number::RollingResistance, 0.05));
    description
}

#[test]
#[ignore = "long: a second of two hundred grains"]
fn two_hundred_grains_come_to_rest_in_a_bowl_which_bears_their_weight() {
    let mut run = Dem::new(falling(bowl(20), 2, FrictionKind::Stick), f64::INFINITY);
    let mut before = energy(&mut run);
    let scale = 200.0 * weight(0.005) * 0.02;
    for step in 1..=50 {
        run.to(0.02 * f64::from(step));
        let after = energy(&mut run);
        assert!(after < before + 1e-6 * scale, "{step}: {before} {after}");
        before = after;
    }
    for i in 0..200 {
        let [x, y, z] = [0, 1, 2].map(|axis| run.states[13 * i + axis]);
        let height = z - (x * x + y * y);
        assert!(height > 0.004, "{i} at {x} {y} {z}");
    }
    let squares = (0..200).map(|i| run.vector(13 * i + 7).norm_squared());
    let speed = (squares.sum::<f64>() / 200.0).sqrt();
    assert!(speed < 2e-3, "{speed}");
    let (length, steps) = (run.granular.longest_step(), 400);
    let momentum = |run: &Dem| (0..200).map(|i| run.vector(13 * i + 7)).sum::<Vec3>();
    let (mut sum, before) = (Vec3::zeros(), momentum(&run));
    for _ in 0..steps {
        run.to(run.time + length);
        sum += borne(&mut run) / (-200.0 * weight(0.005) * f64::from(steps));
    }
    let inertia = (momentum(&run) - before) / (200.0 * G * f64::from(steps) * length);
    let off = sum - Vec3::z() - inertia;
    assert!(off.norm() < 1e-6, "{off:?}");
}

/// A deflection advances with the step and has no rate between two; before the first one it has that of its law.
#[test]
fn a_deflection_has_no_rate_between_steps_of_a_fixed_length() {
    let (radius, speed) = (0.02, 0.1);
    let [_, depth] = depths(radius);
    let height = radius - STARTS - depth;
    let mut description = grains(floor(1, 1.2, 0.3), radius, vec![[0.0, 0.013, height]]);
    description.grains[0].velocity = [speed, 0.0, 0.0];
    let law = law_of(&mut description);
    law.friction = Some(FrictionKind::Stick);
    law.numbers.retain(|(number, _)| *number != Number::VSmall);
    let mut run = Dem::new(description, 2e-5);
    let own = run.system.model().scene.layout().contacts();
    let rates = |run: &mut Dem| {
        let mut all = vec![f64::NAN; run.states.len()];
        let (time, states) = (run.time, &run.states);
        let done = run.system.derivatives(time, states, &mut all);
        done.expect("finite rates");
        all[own.clone()].to_vec()
    };
    assert!(rates(&mut run)[0] > 1e-3);
    run.to(1e-4);
    assert!(run.states[own.start] > 0.0);
    assert_eq!(rates(&mut run), vec![0.0; own.len()]);
}

#[test]
fn the_order_of_grains_and_triangles_does_not_matter_beyond_rounding() {
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let run = |reverse: bool| {
            let mut description = falling(bowl(20), 1, friction);
            if reverse {
                description.grains[0].positions.reverse();
                if let Form::Surface { surface, .. } = &mut description.bodies[0].shapes[0].form {
                    surface.triangles.reverse();
                    surface.triangles.iter_mut().for_each(|t| t.rotate_left(1));
                }
            }
            let mut run = Dem::new(description, f64::INFINITY);
            run.to(0.06);
            assert!(run.events.starts.len() > 50);
            run.states
        };
        let (one, other) = (run(false), run(true));
        let errors = one[..1300].iter().enumerate().map(|(i, own)| {
            let same = other[13 * (99 - i / 13) + i % 13];
            (own - same).abs() / (1.0 + own.abs())
        });
        let most = errors.fold(0.0, f64::max);
        println!("{friction:?}: {most}");
        assert!(most < 1e-12, "{friction:?}: {most}");
    }
}

/// Grains that fall on the bowl, and one more time from a state saved in between; with several threads.
#[test]
fn threads_and_a_saved_state_change_no_bit_of_grains_on_a_mesh() {
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let run = |threads: usize, anew: bool| {
            let mut run = Dem::new(falling(bowl(20), 6, friction), f64::INFINITY);
            run.threads = threads;
            run.to(0.04);
            if anew {
                run.granular = Granular::new(run.system.model()).expect("free bodies");
            }
            run.to(0.05);
            assert_eq!(run.helpers, threads - 1);
            assert!(run.held.len() > 30, "{}", run.held.len());
            (bits(&run), run.held)
        };
        let one = run(1, false);
        assert!(one == run(4, false) && one == run(1, true), "{friction:?}");
    }
}

#[test]
fn a_grain_that_rests_on_a_mesh_allocates_as_one_on_a_half_space() {
    let allocations = |ground: Form| {
        let [_, depth] = depths(0.02);
        let place = [0.1, 0.013, 0.02 - STARTS - depth];
        let mut run = Dem::new(grains(ground, 0.02, vec![place]), 1e-3);
        run.to(0.1);
        let mut most = |end: f64| {
            let before = count();
            run.to(end);
            count() - before
        };
        let (short, long) = (most(0.2), most(0.4));
        assert_eq!(run.held.len(), 1);
        long - short
    };
    assert_eq!(
        allocations(floor(8, 1.0, 0.3)),
        allocations(Form::HalfSpace)
    );
}

/// Velocities at both ends of a step are half a step of the forces there apart, so what changes them is known.
#[test]
fn the_wrench_on_a_grain_that_outputs_have_is_what_changes_its_momentum() {
    let (radius, step) = (0.02, 2e-5);
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let mut description = grains(bowl(20), radius, vec![[0.03, 0.02, 0.03]]);
        description.grains[0].velocity = [0.1, 0.2, 0.0];
        let law = law_of(&mut description);
        law.friction = Some(friction);
        if friction == FrictionKind::Stick {
            law.numbers.retain(|(number, _)| *number != Number::VSmall);
        }
        let mut run = Dem::new(description, step);
        run.to(0.4);
        let mass = weight(radius) / G;
        let inertia = 0.4 * mass * radius * radius;
        let momenta = |run: &mut Dem| {
            let turn = rotation_matrix(&[3, 4, 5, 6].map(|i| run.states[i]));
            let momenta = [run.vector(7) * mass, turn * run.vector(10) * inertia];
            let outputs = run.system.outputs(run.time, &run.states).expect("outputs");
            let grain = BodyId::from(1);
            let wrench = [
                outputs.contact_forces[grain],
                outputs.contact_torques[grain],
            ];
            (momenta, wrench.map(Vec3::from))
        };
        let (mut before, mut braked) = (momenta(&mut run), 0.0_f64);
        for count in 1..=200 {
            run.to(0.4 + step * f64::from(count));
            let after = momenta(&mut run);
            for (part, scale) in [(0, weight(radius)), (1, weight(radius) * radius)] {
                let mut expected = (before.1[part] + after.1[part]) * (0.5 * step);
                expected.z -= if part == 0 {
                    weight(radius) * step
                } else {
                    0.0
                };
                let off = (after.0[part] - before.0[part] - expected).norm();
                assert!(
                    off < 1e-9 * scale * step,
                    "{friction:?} {count} {part}: {off:e}"
                );
            }
            braked = braked.max(after.1[1].norm());
            before = after;
        }
        assert!(
            braked > 1e-3 * weight(radius) * radius,
            "{friction:?}: {braked:e}"
        );
    }
}

#[test]
fn other_shapes_on_a_mesh_are_refused_in_steps_of_a_fixed_length() {
    for form in [
        cuboid([0.1; 3]),
        capsule(0.1, 0.1, Axis::X),
        ellipsoid([0.1, 0.1, 0.2]),
    ] {
        let ground = body("ground", Motion::Fixed, floor(1, 1.0, 0.3), [0.0; 3]);
        let own = body("own", Motion::Free, form, [0.0, 0.0, 0.5]);
        let mut description = steel_scene(vec![ground, own]);
        description.experiment.solver = Solver::Dem;
        let refused = Scene::new(description).expect_err("contact over an area");
        let text = refused.iter().map(ToString::to_string).collect::<String>();
        assert!(text.contains("touch over an area"), "{text}");
    }
}

/// A ball that hits the facets of a bowl obliquely. Elastic forces are those of the solver with error control.
/// There damping and friction act at the nodes of the patch and have moments about the centre too, so of an
/// impact with both only the motion of the centre is compared; sticking friction of a patch has a stiffness
/// that follows the depth besides.
#[test]
fn a_ball_leaves_facets_as_with_error_control_whether_it_is_the_first_body_or_the_second() {
    for (friction, restitution) in [(FrictionKind::Off, 1.0), (FrictionKind::Regularized, 0.5)] {
        let scene = |is_first: bool| {
            let mut own = body("own", Motion::Free, sphere(0.04), [0.004, 0.003, 0.03]);
            (own.velocity, own.angular_velocity) = ([0.3, 0.1, -1.0], [3.0, -2.0, 0.0]);
            let mut bodies = vec![body("ground", Motion::Fixed, bowl(20), [0.0; 3]), own];
            if is_first {
                bodies.reverse();
            }
            let mut description = scene_of(material("Soft", DENSITY, MODULUS, 0.3), 0.5, bodies);
            let law = law_of(&mut description);
            law.friction = Some(friction);
            law.restitution = Some(RestitutionRule::Constant);
            law.numbers = vec![(Number::Restitution, restitution)];
            if friction != FrictionKind::Off {
                law.numbers.push((Number::SlidingFriction, 0.5));
            }
            description
        };
        let mut exact = Run::new(scene(false), 1e-9);
        exact.to(0.03);
        assert!(exact.memory.statistics().events >= 2);
        let [second, first] = [false, true].map(|is_first| {
            let mut run = Dem::new(scene(is_first), f64::INFINITY);
            run.to(0.03);
            assert_eq!((run.events.starts.len(), run.events.ends), (1, 1));
            run.states
        });
        for (i, own) in second.iter().enumerate() {
            near!(
                *own,
                first[i],
                1e-12 * (1.0 + own.abs()),
                "{friction:?} {i}"
            );
            let off = (own - exact.states[i]).abs();
            let allowed = match (i, friction) {
                (0..3, FrictionKind::Off) => 1e-4,
                (0..3, _) => 5e-4,
                (7..10, FrictionKind::Off) => 5e-3,
                (7..10, _) => 2e-2,
                (_, FrictionKind::Off) => 1e-8,
                _ => continue,
            };
            assert!(off < allowed, "{friction:?} {i}: {off}");
        }
    }
}
