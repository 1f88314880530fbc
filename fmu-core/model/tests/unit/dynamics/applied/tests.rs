//! Prescribed forces against the Newton-Euler equations written out here.

use crate::fixtures::*;
use contact_laws::index::{ForceId, TiSlice};

const MASS: f64 = 2.0;
const CENTER: [f64; 3] = [0.1, 0.2, -0.3];
/// A third of a turn about (1, 1, 1): x to y to z.
const TURN: [f64; 4] = [0.5, 0.5, 0.5, 0.5];

/// Two balls far apart without gravity; forces act on the second, whose mass is off its origin.
fn scene_with(forces: Vec<ForceDescription>) -> SceneDescription {
    let mut moving = ball("moving", [1.0, 2.0, 3.0]);
    moving.orientation = TURN;
    moving.mass.mass = Some(MASS);
    moving.mass.center_of_mass = Some(CENTER);
    moving.mass.inertia = Some([0.3, 0.4, 0.5, 0.02, -0.03, 0.01]);
    let mut description = steel_scene(vec![ball("other", [9.0; 3]), moving]);
    description.gravity = Gravity::None;
    description.forces = forces;
    description
}

fn constant(force: Option<[f64; 3]>, torque: Option<[f64; 3]>) -> ForceProfile {
    ForceProfile::Constant(vectors(force, torque))
}

fn cosine(force: [f64; 3]) -> ForceProfile {
    ForceProfile::Sine {
        amplitude: vectors(Some(force), None),
        angular_frequency: 3.0,
        phase: std::f64::consts::FRAC_PI_2,
    }
}

/// At rest: I w' = (p - c) x F + M, a_c = F/m, a_o = a_c - w' x c; all turned by R where they are
/// given in body axes.
#[test]
fn force_and_torque_at_a_point_accelerate_as_newton_and_euler_say() {
    let (f, m, p) = ([1.0, -2.0, 0.5], [0.3, 0.1, -0.2], [0.4, -0.1, 0.2]);
    let r = rotation_matrix(&TURN);
    let inertia = Mat3::new(0.3, 0.02, -0.03, 0.02, 0.4, 0.01, -0.03, 0.01, 0.5);
    let inverse = inertia.try_inverse().expect("an inverse");
    for axes in [ForceAxes::World, ForceAxes::Body] {
        let mut given = force("push", "moving", constant(Some(f), Some(m)));
        (given.point, given.axes) = (p, axes);
        let (mut system, states) = system(scene_with(vec![given]));
        let found = rates(&mut system, 0.0, &states);
        let [f, m] = [f, m].map(Vec3::from).map(|vector| match axes {
            ForceAxes::World => vector,
            ForceAxes::Body => r * vector,
        });
        let (c, p) = (r * Vec3::from(CENTER), r * Vec3::from(p));
        let alpha = r * inverse * r.transpose() * ((p - c).cross(&f) + m);
        let acceleration = f / MASS - alpha.cross(&c);
        let alpha_b = r.transpose() * alpha;
        assert!(found[..13].iter().all(|rate| *rate == 0.0), "{axes:?}");
        for i in 0..3 {
            assert!((found[20 + i] - acceleration[i]).abs() < 1e-14, "{axes:?}");
            assert!((found[23 + i] - alpha_b[i]).abs() < 1e-14, "{axes:?}");
        }
    }
}

#[test]
fn forces_on_one_body_add_up_and_are_no_contact_forces() {
    let [a, b] = [[1.0, 0.0, 2.0], [0.5, -4.0, 0.0]];
    let push = |name: &str, vector| force(name, "moving", constant(Some(vector), None));
    let (mut both, states) = system(scene_with(vec![push("a", a), push("b", b)]));
    let (mut one, _) = system(scene_with(vec![push("sum", [1.5, -4.0, 2.0])]));
    let (found, expected) = (
        rates(&mut both, 0.0, &states),
        rates(&mut one, 0.0, &states),
    );
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14);
    }
    let outputs = both.outputs(0.0, &states).expect("outputs");
    assert_eq!(outputs.contact_forces.raw, [[0.0; 3]; 2]);
    assert_eq!(outputs.contact_torques.raw, [[0.0; 3]; 2]);
}

/// 8 cos 3 t along x, at the origin of a body whose mass is there too.
#[test]
fn a_sine_with_a_phase_of_90_degrees_is_a_cosine_of_the_present_time() {
    let mut description = scene_with(vec![force("shaker", "moving", cosine([8.0, 0.0, 0.0]))]);
    description.bodies[1].mass.center_of_mass = None;
    let (mut system, states) = system(description);
    for time in [0.0, 0.7, -0.2, 0.7, 1e3] {
        let found = rates(&mut system, time, &states)[20];
        let expected = 8.0 * (3.0 * time).cos() / MASS;
        near!(found, expected, 1e-12, "{time}");
    }
}

#[test]
fn parameters_replace_the_numbers_of_the_scene() {
    let mut torque = cosine([8.0, 0.0, 0.0]);
    if let ForceProfile::Sine { amplitude, .. } = &mut torque {
        amplitude.torque = Some([0.0; 3]);
    }
    let description = scene_with(vec![force("shaker", "moving", torque)]);
    let scene = valid(description);
    let mut parameters = Parameters::start(&scene);
    #[rustfmt::skip]
    let cases = [
        ("force", 1, "force.shaker.force[2]", 5.0),
        ("torque", 2, "force.shaker.torque[3]", 0.25),
        ("angular_frequency", 0, "force.shaker.angular_frequency", 2.0),
        ("phase", 0, "force.shaker.phase", 0.5),
    ];
    let shaker = Element::Force(0.into());
    for (key, component, name, value) in cases {
        let index = scene.parameter_index(shaker, key, component).expect(name);
        assert_eq!(scene.parameter_name(index), name);
        parameters.set(&scene, index, value);
    }
    let system = System::new(Arc::clone(&scene), &parameters).expect("valid parameters");
    let [force, torque] = system.model().applied[ForceId::from(0)].at(3.0, TiSlice::from_ref(&[]));
    let factor = (2.0 * 3.0 + 0.5_f64).sin();
    assert_eq!(force, Vec3::new(8.0 * factor, 5.0 * factor, 0.0));
    assert_eq!(torque, Vec3::new(0.0, 0.0, 0.25 * factor));
    let index = scene.parameter_index(shaker, "angular_frequency", 0);
    parameters.set(&scene, index.expect("a parameter"), 0.0);
    let refused = System::new(scene, &parameters).err().expect("a refusal");
    let expected = "parameter force.shaker.angular_frequency is 0; must be > 0";
    assert_eq!(refused.message, expected);
}

/// The input stands for the constant of the same value, to the bit.
#[test]
fn a_force_input_does_what_the_same_constant_force_does() {
    let (f, m) = ([0.7, -2.1, 0.3], [0.05, 0.11, -0.2]);
    let rates_with = |profile: ForceProfile, axes| {
        let mut other = force("other", "other", input_of(false, true));
        other.axes = ForceAxes::Body;
        let mut push = force("push", "moving", profile);
        (push.point, push.axes) = ([0.4, -0.1, 0.2], axes);
        let (mut system, states) = system(scene_with(vec![other, push]));
        let mut inputs = vec![0.0; 3];
        if system.scene().inputs().len() > 3 {
            let names: Vec<String> = (3..9)
                .map(|i| system.scene().input_name(i.into()))
                .collect();
            let expected = ("force.push.force[2]", "force.push.torque[3]");
            assert_eq!((&*names[1], &*names[5]), expected);
            inputs.extend(f.iter().chain(&m));
        }
        system.set_inputs(&inputs, None);
        let rates = rates(&mut system, 0.0, &states);
        rates.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    for axes in [ForceAxes::World, ForceAxes::Body] {
        let (force, torque) = (true, true);
        let found = rates_with(input_of(force, torque), axes);
        assert_eq!(found, rates_with(constant(Some(f), Some(m)), axes));
    }
}

#[test]
fn a_force_input_that_is_no_number_is_refused_by_name() {
    let (mut system, states) = system(scene_with(vec![force(
        "push",
        "moving",
        input_of(true, false),
    )]));
    system.set_inputs(&[0.0, f64::INFINITY, 0.0], None);
    let refused = system.derivatives(0.0, &states, &mut [0.0; 26]).err();
    let expected = "input force.push.force[2] is inf; must be finite";
    assert_eq!(refused.expect("a refusal").message, expected);
}

#[test]
fn another_time_is_another_place_only_where_a_force_changes() {
    let still = constant(Some([1.0, 0.0, 0.0]), None);
    for (profile, depends) in [
        (still, false),
        (cosine([1.0; 3]), true),
        (table_of_x(), true),
    ] {
        let (mut system, states) = system(scene_with(vec![force("push", "moving", profile)]));
        assert_eq!(system.depends_on_time(), depends);
        system.go_to(0.4, &states).expect("finite states");
        let before = system.moves();
        system.go_to(0.4, &states).expect("finite states");
        assert_eq!(system.moves(), before);
        system.go_to(0.6, &states).expect("finite states");
        assert_eq!(system.moves() != before, depends);
    }
}

#[test]
fn the_next_time_event_is_the_first_kink_after_the_present_time() {
    let given = vec![
        force("one", "moving", table_of_x()),
        force("two", "other", cosine([1.0; 3])),
    ];
    let (mut system, mut states) = system(scene_with(given));
    let [a, b, c, d, e] = TABLE.map(|[time, _]| time);
    for (time, next) in [
        (-1.0, Some(a)),
        (a.next_down(), Some(b)),
        (a, Some(b)),
        (a + 1e-12, Some(b)),
        (b - 1e-12, Some(b)),
        (c, Some(d)),
        (d, Some(e)),
        (e, None),
        (7.0, None),
    ] {
        let outcome = system.update_event(time, &mut states).expect("an update");
        assert_eq!(outcome.next_event_time, next, "at {time}");
        assert!(!outcome.states_changed);
    }
}

/// The Jacobian by dual numbers against central differences, of a force that turns with the body.
#[test]
fn exact_jacobian_knows_prescribed_forces_and_the_time() {
    let mut given = force("push", "moving", cosine([20.0, -5.0, 3.0]));
    (given.point, given.axes) = ([0.05, 0.02, -0.03], ForceAxes::Body);
    let mut description = scene_with(vec![given]);
    description.bodies[1].angular_velocity = [0.5, -1.0, 2.0];
    let (mut system, states) = system(description);
    let n = states.len();
    let mut exact = vec![0.0; n * n];
    let time = 0.2;
    let result = system.jacobian(time, &states, &mut exact);
    result.expect("a Jacobian");
    let mut forced = 0;
    for column in 0..n {
        let h = 1e-6;
        let mut moved = states.clone();
        moved[column] = states[column] + h;
        let up = rates(&mut system, time, &moved);
        moved[column] = states[column] - h;
        let down = rates(&mut system, time, &moved);
        for row in 0..n {
            let difference = (up[row] - down[row]) / (2.0 * h);
            let entry = exact[column * n + row];
            let scale = entry.abs().max(1.0);
            near!(entry, difference, 1e-8 * scale, "{row} {column}");
            let turns_acceleration = (16..20).contains(&column) && (20..23).contains(&row);
            forced += u32::from(turns_acceleration && entry.abs() > 1.0);
        }
    }
    assert!(forced > 3, "{forced}");
}
