//! Prescribed motions against closed forms, and what is refused of them.

use crate::dynamics::link::Twist;
use crate::fixtures::*;
use contact_laws::index::MotionId;

/// A third of a turn about (1, 1, 1): x to y to z.
const TURN: [f64; 4] = [0.5, 0.5, 0.5, 0.5];
const PLACE: [f64; 3] = [1.0, 2.0, 3.0];
const START_TIME: f64 = 0.5;

/// A prescribed ball, number 0, and a free one far off.
fn scene_with(profile: MotionProfile) -> SceneDescription {
    let mut moved = ball("mover", PLACE);
    moved.motion = Motion::Prescribed;
    moved.orientation = TURN;
    let mut description = steel_scene(vec![moved, ball("other", [50.0; 3])]);
    description.experiment.start_time = START_TIME;
    description.experiment.stop_time = 2.0;
    description.motions = vec![motion_of("mover", profile)];
    description
}

fn system(profile: MotionProfile) -> System {
    start_of(&valid(scene_with(profile)))
}

/// Pose and velocities of the body at a time.
fn at(system: &mut System, time: f64) -> (Pose, Twist<f64>) {
    let states = system.scene().start_states();
    system.go_to(time, &states).expect("finite states");
    system.body_here(0.into()).expect("a body")
}

fn sine(displacement: [f64; 3], rotation: [f64; 3]) -> MotionProfile {
    MotionProfile::Sine {
        displacement,
        rotation,
        angular_frequency: 3.0,
        phase: 0.4,
    }
}

fn constant(velocity: [f64; 3], angular_velocity: [f64; 3], surface: bool) -> MotionProfile {
    MotionProfile::Constant {
        velocity,
        angular_velocity,
        surface,
    }
}

/// Rotation about z.
fn about_z(angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

fn near(found: Vec3, expected: Vec3) {
    assert!((found - expected).amax() < 1e-13, "{found} {expected}");
}

#[test]
fn a_sine_moves_and_turns_as_its_closed_form_with_two_derivatives() {
    let d = [0.1, -0.2, 0.3];
    let mut system = system(sine(d, [0.0, 0.0, 0.7]));
    for time in [0.5, 1.3, 0.2, 40.0] {
        let (pose, twist) = at(&mut system, time);
        let (s, c) = (3.0 * time + 0.4).sin_cos();
        near(pose.position, Vec3::from(PLACE) + Vec3::from(d) * s);
        near(twist.velocity_w, Vec3::from(d) * 3.0 * c);
        let expected = about_z(0.7 * s) * rotation_matrix(&TURN);
        assert!((pose.rotation - expected).amax() < 1e-14);
        near(twist.omega_w, Vec3::z() * 0.7 * 3.0 * c);
        // R_0 maps y to z, and the turn leaves z.
        near(twist.omega_b, Vec3::y() * 0.7 * 3.0 * c);
        let prescribed = &system.model().prescribed[MotionId::from(0)];
        let [angular, linear] = prescribed.acceleration(system.scene(), time);
        near(linear, Vec3::from(d) * -9.0 * s);
        near(angular, Vec3::z() * 0.7 * -9.0 * s);
    }
}

#[test]
fn constant_velocity_counts_from_the_start_time_and_a_surface_stays_where_it_is() {
    let (v, w) = ([0.5, -1.0, 2.0], [0.0, 0.0, 1.7]);
    let mut moving = system(constant(v, w, false));
    for time in [START_TIME, 2.0, 0.0] {
        let elapsed = time - START_TIME;
        let (pose, twist) = at(&mut moving, time);
        near(pose.position, Vec3::from(PLACE) + Vec3::from(v) * elapsed);
        let expected = about_z(1.7 * elapsed) * rotation_matrix(&TURN);
        assert!((pose.rotation - expected).amax() < 1e-14);
        assert_eq!((twist.velocity_w, twist.omega_w), (v.into(), w.into()));
    }
    assert!(moving.depends_on_time());
    let mut belt = system(constant(v, w, true));
    let (pose, twist) = at(&mut belt, 2.0);
    assert_eq!(pose.position, Vec3::from(PLACE));
    assert!((pose.rotation - rotation_matrix(&TURN)).amax() < 1e-15);
    assert_eq!((twist.velocity_w, twist.omega_w), (v.into(), w.into()));
    assert!(!belt.depends_on_time());
}

#[test]
fn a_spline_table_of_cubics_is_met_exactly_and_the_body_rests_beyond_it() {
    let x = |t: f64| [1.0 + t * t * t, -t, 0.5 * t * t];
    let angle = |t: f64| 0.3 * t - 0.1 * t * t * t;
    let times = [0.0, 0.4, 0.5, 1.1, 2.0];
    let mut system = system(MotionProfile::Table(MotionTable {
        times: times.to_vec(),
        displacements: times.map(x).to_vec(),
        axis: [0.0, 0.0, -2.0],
        angles: times.map(angle).to_vec(),
        interpolation: Interpolation::Spline,
        ends: None,
    }));
    for time in [0.0, 0.3, 0.5, 1.9] {
        let (pose, twist) = at(&mut system, time);
        near(pose.position, Vec3::from(PLACE) + Vec3::from(x(time)));
        near(twist.velocity_w, Vec3::new(3.0 * time * time, -1.0, time));
        let expected = about_z(-angle(time)) * rotation_matrix(&TURN);
        assert!((pose.rotation - expected).amax() < 1e-14);
        near(twist.omega_w, Vec3::z() * -(0.3 - 0.3 * time * time));
        let prescribed = &system.model().prescribed[MotionId::from(0)];
        let [angular, linear] = prescribed.acceleration(system.scene(), time);
        assert!((linear - Vec3::new(6.0 * time, 0.0, 1.0)).amax() < 1e-12);
        assert!((angular - Vec3::z() * 0.6 * time).amax() < 1e-12);
    }
    let (pose, twist) = at(&mut system, 2.5);
    near(pose.position, Vec3::from(PLACE) + Vec3::from(x(2.0)));
    assert_eq!([twist.velocity_w, twist.omega_w], [Vec3::zeros(); 2]);
}

#[test]
fn kinks_of_motions_and_forces_are_time_events_together() {
    let times = vec![0.1, 0.6, 1.5];
    for (interpolation, inner) in [
        (Interpolation::Linear, true),
        (Interpolation::Spline, false),
    ] {
        let mut description = scene_with(MotionProfile::Table(MotionTable {
            times: times.clone(),
            displacements: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]],
            axis: [0.0; 3],
            angles: Vec::new(),
            interpolation,
            ends: None,
        }));
        // Kinks at 0.3, 0.5, 0.75, 1.1, 1.3.
        description.forces = vec![force("push", "other", table_of_x())];
        let scene = Scene::new(description).expect("a valid scene");
        assert_eq!(scene.next_kink(0.0), Some(0.1));
        assert_eq!(scene.next_kink(0.1), Some(0.3));
        assert_eq!(scene.next_kink(0.5), Some(if inner { 0.6 } else { 0.75 }));
        assert_eq!(scene.next_kink(1.3), Some(1.5));
        assert_eq!(scene.next_kink(1.5), None);
    }
}

#[test]
fn parameters_replace_the_numbers_of_a_motion() {
    let set = |profile, changes: &[(&str, usize, &str, f64)]| {
        let scene = valid(scene_with(profile));
        let mut parameters = Parameters::start(&scene);
        for (item, i, name, value) in changes {
            let index = scene.parameter_index(Element::Motion(0.into()), item, *i);
            let index = index.expect(name);
            assert_eq!(scene.parameter_name(index), *name);
            parameters.set(&scene, index, *value);
        }
        System::new(scene, &parameters)
    };
    #[rustfmt::skip]
    let changes = [
        ("velocity", 1, "motion.mover.velocity[2]", 4.0),
        ("angular_velocity", 2, "motion.mover.angular_velocity[3]", -1.0),
    ];
    let found = set(constant([1.0; 3], [0.0; 3], false), &changes);
    let (_, twist) = at(&mut found.expect("a system"), 1.0);
    assert_eq!(twist.velocity_w, Vec3::new(1.0, 4.0, 1.0));
    assert_eq!(twist.omega_w, Vec3::new(0.0, 0.0, -1.0));
    let name = "motion.mover.angular_frequency";
    let frequency = |value| ("angular_frequency", 0, name, value);
    #[rustfmt::skip]
    let changes = [
        ("displacement", 0, "motion.mover.displacement[1]", 2.0),
        ("rotation", 2, "motion.mover.rotation[3]", 0.5),
        frequency(5.0),
        ("phase", 0, "motion.mover.phase", 0.1),
    ];
    let found = set(sine([1.0, 0.0, 0.0], [0.0; 3]), &changes);
    let (pose, twist) = at(&mut found.expect("a system"), 0.7);
    let (s, c) = (5.0 * 0.7 + 0.1_f64).sin_cos();
    near(pose.position, Vec3::from(PLACE) + Vec3::x() * 2.0 * s);
    near(twist.omega_w, Vec3::z() * 0.5 * 5.0 * c);
    let refused = set(sine([1.0; 3], [0.0; 3]), &[frequency(0.0)]).err();
    let expected = "parameter motion.mover.angular_frequency is 0; must be > 0";
    assert_eq!(refused.expect("a refusal").message, expected);
}

/// A point mass on a rod of length l that turns about y, its hinge shaken by x(t) and z(t):
/// l angle'' = -(g + z'') sin angle - x'' cos angle for an angle from -z towards x.
#[test]
fn a_pendulum_feels_the_acceleration_of_its_prescribed_hinge() {
    let mut description = scene_with(sine([0.3, 0.0, -0.2], [0.0; 3]));
    description.bodies[0].orientation = [1.0, 0.0, 0.0, 0.0];
    description.bodies[1].motion = Motion::Joint;
    description.bodies[1].position = [0.0; 3];
    description.bodies[1].shapes[0].collision = false;
    description.bodies[1].mass.mass = Some(2.0);
    description.bodies[1].mass.inertia = Some([0.0; 6]);
    let length = 0.7;
    let mut hinge = crate::fixtures::joint(JointKind::Revolute, Some("mover"), "other");
    hinge.child_frame = frame_at([0.0, 0.0, length]);
    // A turn about -y takes -z towards x.
    hinge.axis = [0.0, -1.0, 0.0];
    (hinge.positions, hinge.rates) = (vec![0.4], vec![1.3]);
    hinge.can_collide = Some(false);
    description.joints = vec![hinge];
    let scene = valid(description);
    let mut system = start_of(&scene);
    let mut rates = [0.0; 2];
    for time in [0.0, 0.6, 1.1] {
        let result = system.derivatives(time, &[0.4, 1.3], &mut rates);
        result.expect("derivatives");
        let s = (3.0 * time + 0.4_f64).sin();
        let (x, z) = (-9.0 * 0.3 * s, 9.0 * 0.2 * s);
        let expected = -((9.81 + z) * 0.4_f64.sin() + x * 0.4_f64.cos()) / length;
        near!(rates[1], expected, 1e-12);
    }
}

/// The Jacobian knows where the plate is at the time: a ball in contact with it against
/// differences.
#[test]
fn exact_jacobian_of_a_ball_on_a_moving_plate_is_that_of_differences() {
    let mut ground = plate();
    ground.motion = Motion::Prescribed;
    let mut description = steel_scene(vec![ground, ball("ball", [0.0, 0.0, 0.1])]);
    description.motions = vec![motion_of("plate", sine([0.1, 0.0, 0.2], [0.0, 0.3, 0.0]))];
    let scene = valid(description);
    let mut system = start_of(&scene);
    let (time, mut states) = (0.2, scene.start_states());
    // 0.1 m above the top of the plate along its normal, less the depth.
    let s = (3.0 * time + 0.4_f64).sin();
    let tilt = 0.3 * s;
    let normal = Vec3::new(tilt.sin(), 0.0, tilt.cos());
    let center = Vec3::new(0.1 * s, 0.0, -0.05 + 0.2 * s);
    let place = center + normal * (0.05 + 0.1 - 1e-4);
    states[..3].copy_from_slice(place.as_slice());
    states[7] = 0.3;
    update(&mut system, time, &mut states);
    assert_eq!(system.ledger().contacts().len(), 1);
    let n = states.len();
    let exact = jacobian(&mut system, time, &states);
    let mut rates = |states: &[f64]| rates(&mut system, time, states);
    let size = exact.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    assert!(size > 1e3);
    for column in 0..n {
        let h = if column < 3 { 1e-9 } else { 1e-5 };
        let (mut up, mut down) = (states.clone(), states.clone());
        up[column] += h;
        down[column] -= h;
        let width = up[column] - down[column];
        for (row, (up, down)) in rates(&up).iter().zip(rates(&down)).enumerate() {
            let entry = exact[column * n + row];
            near!((up - down) / width, entry, 1e-6 * size, "{row} {column}");
        }
    }
}

/// The messages of all problems of a scene.
fn refusals(description: SceneDescription) -> String {
    let errors = Scene::new(description).err().unwrap_or_default();
    let texts: Vec<String> = errors.into_iter().map(|e| e.to_string()).collect();
    texts.join(" | ")
}

#[test]
fn what_a_motion_or_measurement_may_not_be_is_told() {
    let refused = |change: &dyn Fn(&mut SceneDescription)| {
        let mut description = scene_with(sine([0.0; 3], [0.0; 3]));
        change(&mut description);
        refusals(description)
    };
    let profile = |profile: MotionProfile| {
        refused(&move |scene: &mut SceneDescription| scene.motions[0].profile = profile.clone())
    };
    let table = |times: &[f64], displacements: &[[f64; 3]], axis, angles: &[f64]| {
        profile(MotionProfile::Table(MotionTable {
            times: times.to_vec(),
            displacements: displacements.to_vec(),
            axis,
            angles: angles.to_vec(),
            interpolation: Interpolation::Linear,
            ends: None,
        }))
    };
    let end = |body: Option<&str>| FrameName {
        body: body.map(str::to_owned),
        frame: LocalFrame::default(),
    };
    let measure = |name: &str, body: &str| MeasurementDescription {
        name: name.into(),
        from: end(None),
        to: end(Some(body)),
    };
    for (found, expected) in [
        (
            refused(&|scene| scene.motions[0].body = "nobody".into()),
            "motion is \"prescribed\", but nothing says how it moves | motion of \"nobody\": body \"nobody\" is not known; prescribed bodies: mover",
        ),
        (
            refused(&|scene| scene.bodies[0].motion = Motion::Fixed),
            "motion of \"mover\": body \"mover\" has motion = \"fixed\"",
        ),
        (
            refused(&|scene| scene.motions.push(scene.motions[0].clone())),
            "motion of \"mover\": the body has a motion already",
        ),
        (
            profile(constant([0.0, f64::NAN, 0.0], [0.0; 3], false)),
            "velocity is [0.0, NaN, 0.0]; every entry must be a finite number",
        ),
        (
            table(&[0.0, 0.0], &[[0.0; 3]; 2], [0.0; 3], &[]),
            "times[2] is 0 s after 0 s; times must ascend",
        ),
        (
            table(&[0.0, 1.0], &[[0.0; 3]; 3], [0.0; 3], &[]),
            "displacement has 3 entries, times has 2; must be as many",
        ),
        (
            table(&[0.0, 1.0], &[], [0.0; 3], &[0.0, 1.0]),
            "axis is the zero vector, which has no direction",
        ),
        (
            table(&[0.0, 1.0], &[], [1.0; 3], &[]),
            "neither displacement nor angle is given",
        ),
        (
            refused(&|scene| scene.measurements = vec![measure("m", "other"), measure("m", "rod")]),
            "measurement \"m\": this name is taken by another measurement | measurement \"m\": to \"rod\" is not \
             a body; known: mover, other",
        ),
        (
            refused(&|scene| {
                scene.forces = vec![force("push", "mover", table_of_x())];
            }),
            "body \"mover\" is prescribed, so no force moves it",
        ),
    ] {
        assert!(found.contains(expected), "{found}");
    }
}

/// A body on a slide along x on the mover, whose table is given.
fn carrying(
    times: &[f64],
    x: &[f64],
    interpolation: Interpolation,
    ends: Option<EndSpeeds>,
) -> SceneDescription {
    let mut description = scene_with(MotionProfile::Table(MotionTable {
        times: times.to_vec(),
        displacements: x.iter().map(|x| [*x, 0.0, 0.0]).collect(),
        axis: [0.0, 0.0, 1.0],
        angles: x.iter().map(|x| 0.5 * x).collect(),
        interpolation,
        ends,
    }));
    description.bodies[1].motion = Motion::Joint;
    description.bodies[1].position = [0.0; 3];
    let kind = JointKind::Prismatic;
    description.joints = vec![crate::fixtures::joint(kind, Some("mover"), "other")];
    description
}

/// Speeds of y = x(t) by hand. The simulation starts at 0.5 s.
#[test]
fn a_body_that_carries_joints_may_not_jump_to_another_velocity() {
    use Interpolation::{Linear, Quintic, Spline, Trapezoid};
    let refused = |times: &[f64], x: &[f64], interpolation, ends| {
        refusals(carrying(times, x, interpolation, ends))
    };
    let what = |time: &str, v: [&str; 2], w: [&str; 2]| {
        format!(
            "motion of \"mover\": table: at {time} s the velocity jumps from [{}, 0.0, 0.0] to [{}, 0.0, 0.0] m/s and \
             the angular speed jumps from {} to {} rad/s; joint \"joint_other\" hangs on the body, so that what it carries would \
             be dragged along without a force",
            v[0], v[1], w[0], w[1]
        )
    };
    let rows: [f64; 3] = [0.0, 2.0, 0.0];
    let found = refused(&[1.0, 2.0, 3.0], &rows, Linear, None);
    assert_eq!(found, what("1.0", ["0.0", "2.0"], ["0.0", "1.0"]));
    // At 0.5 s the run starts, and before it nothing moves.
    for begin in [0.5, -1.0] {
        assert_eq!(
            refused(&[begin, 1.0, 2.0], &[0.0, 1.0 - begin, 0.0], Linear, None),
            what(
                "1.0",
                ["1.0", if begin == 0.5 { "-0.5" } else { "-2.0" }],
                ["0.5", if begin == 0.5 { "-0.25" } else { "-1.0" }]
            )
        );
    }
    // y = 2 - 2 (t - 2)^2 through (1, 0), (2, 2), (3, 0).
    assert_eq!(
        refused(&[1.0, 2.0, 3.0], &rows, Spline, None),
        what("1.0", ["0.0", "4.0"], ["0.0", "2.0"])
    );
    // After the stop time, 2 s, a run may go on.
    assert_eq!(
        refused(&[0.5, 1.5, 2.5], &rows, Spline, None),
        what("2.5", ["-4.0", "0.0"], ["-2.0", "0.0"])
    );
    // A jump before the start is none.
    for (times, interpolation, ends) in [
        ([-2.0, -1.0, 0.4], Linear, None),
        ([-1.0, 0.0, 0.5], Spline, None),
        ([1.0, 2.0, 3.0], Spline, Some(EndSpeeds::default())),
        ([1.0, 2.0, 3.0], Quintic, None),
        ([1.0, 2.0, 3.0], Trapezoid, None),
    ] {
        assert_eq!(refused(&times, &rows, interpolation, ends), "", "{times:?}");
    }
    // A line that ends before the start, and one that no joint hangs on.
    let mut free = carrying(&[1.0, 2.0, 3.0], &rows, Linear, None);
    free.joints.clear();
    free.bodies[1].motion = Motion::Free;
    assert!(Scene::new(free).is_ok());
}

#[test]
fn end_speeds_without_a_spline_or_without_what_they_belong_to_are_refused() {
    let refused = |interpolation, angles: &[f64], ends| {
        refusals(scene_with(MotionProfile::Table(MotionTable {
            times: vec![1.0, 2.0],
            displacements: vec![[0.0; 3], [1.0, 0.0, 0.0]],
            axis: [0.0, 0.0, 1.0],
            angles: angles.to_vec(),
            interpolation,
            ends: Some(ends),
        })))
    };
    let zero = EndSpeeds::default();
    assert_eq!(refused(Interpolation::Spline, &[], zero), "");
    for (interpolation, why) in [
        (Interpolation::Linear, ", and interpolation is \"linear\""),
        (
            Interpolation::Quintic,
            "; quintic and trapezoid rest at each time anyway",
        ),
    ] {
        let expected = format!("motion of \"mover\": end_speeds clamps a spline{why}");
        assert_eq!(refused(interpolation, &[], zero), expected);
    }
    let turning = EndSpeeds {
        angular_speeds: [1.0, 0.0],
        ..zero
    };
    assert_eq!(refused(Interpolation::Spline, &[0.0, 1.0], turning), "");
    assert_eq!(
        refused(Interpolation::Spline, &[], turning),
        "motion of \"mover\": end_speeds.angular_speed is not zero and the table has no angle"
    );
}

/// A sine with a phase of a right angle is at its largest displacement at time 0, and so is a child
/// that hangs on it, before and after the numbers are bound.
#[test]
fn what_hangs_on_a_prescribed_body_starts_where_its_motion_is_then() {
    let mut description = scene_with(MotionProfile::Sine {
        displacement: [0.1, 0.0, 0.2],
        rotation: [0.0; 3],
        angular_frequency: 3.0,
        phase: std::f64::consts::FRAC_PI_2,
    });
    description.experiment.start_time = 0.0;
    description.bodies[0].orientation = [1.0, 0.0, 0.0, 0.0];
    let mut child = ball("child", [0.0; 3]);
    child.motion = Motion::Joint;
    description.bodies.push(child);
    let kind = JointKind::Revolute;
    description.joints = vec![crate::fixtures::joint(kind, Some("mover"), "child")];
    description.joints[0].parent_frame.position = [0.5, 0.0, 0.0];
    let scene = valid(description);
    let (of_mover, of_child) = (Vec3::new(1.1, 2.0, 3.2), Vec3::new(1.6, 2.0, 3.2));
    near(scene.start_pose(0.into()).position, of_mover);
    near(scene.bodies()[BodyId::from(2)].position, of_child);
    let system = start_of(&scene);
    for (body, place) in [(0, of_mover), (2, of_child)] {
        near(
            system.model().bodies[BodyId::from(body)].pose.position,
            place,
        );
    }
}

/// The time profile of the mover begins 0.3 m above the pose that the scene gives, in a ball there.
#[test]
fn overlap_at_start_is_looked_for_where_a_table_begins() {
    let table = |first: f64| polyline(vec![0.0, 1.0], vec![[0.0, 0.0, first], [0.0, 0.0, 2.0]]);
    let overlaps = |first: f64| {
        let mut description = scene_with(table(first));
        description.experiment.start_time = 0.0;
        description.bodies[1].position = [1.0, 2.0, 3.3];
        let scene = Scene::new(description).expect("a valid scene");
        crate::contact::overlaps_at_start(&scene).len()
    };
    assert_eq!([overlaps(0.3), overlaps(0.0)], [1, 0]);
}
