//! Trees that cannot move, and numbers of joints out of range.

use super::*;

/// A point mass of 1 kg at 0.5 m along y.
fn point_mass() -> GivenMass {
    given_mass(1.0, [0.0, 0.5, 0.0], [0.0; 6])
}

fn refusal(description: SceneDescription) -> String {
    let scene = valid(description);
    let refused = System::new(Arc::clone(&scene), &Parameters::start(&scene));
    refused.err().expect("a refusal").to_string()
}

fn on_joint(mut one: crate::scene::description::JointDescription) -> SceneDescription {
    one.name = "knee".into();
    let mut description = steel_scene(vec![plain_body("bob", Motion::Joint, point_mass())]);
    description.joints = vec![one];
    description
}

#[test]
fn a_point_mass_swings_on_a_hinge_like_a_mathematical_pendulum() {
    let mut hinge = joint(JointKind::Revolute, None, "bob");
    hinge.axis = [1.0, 0.0, 0.0];
    let (mut system, states) = system(on_joint(hinge));
    // The bar lies along y, gravity along -z: -m g l = m l^2 w'.
    assert!((rates(&mut system, 0.0, &states)[1] + 9.81 / 0.5).abs() < 1e-13);
}

#[test]
fn a_coordinate_that_moves_no_inertia_is_refused_with_its_name() {
    let mut hinge = joint(JointKind::Revolute, None, "bob");
    // Through the mass, askew, so that rounding is left.
    hinge.axis = [0.3, 0.7, -0.2];
    hinge.child_frame.position = [-0.3, -0.2, 0.2];
    assert_eq!(
        refusal(on_joint(hinge)),
        "joint \"knee\": coordinate angle moves no inertia at start; give body \"bob\", or one that hangs on it, \
         an inertia that resists it"
    );
    assert_eq!(
        refusal(on_joint(joint(JointKind::Spherical, None, "bob"))),
        "joint \"knee\": turning the child moves no inertia at start; give body \"bob\", or one that hangs on it, \
         an inertia that resists it"
    );
}

/// A point mass 0.5 m along z, where the second axis y of a universal joint brings it onto the
/// first one, x, by a right angle: then nothing resists turning about x.
#[test]
fn a_joint_that_becomes_singular_in_a_run_is_named_and_the_run_goes_on_elsewhere() {
    let mut cardan = joint(JointKind::Universal, None, "bob");
    (cardan.axis, cardan.second_axis) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let mut description = on_joint(cardan);
    description.bodies[0].mass.center_of_mass = Some([0.0, 0.0, 0.5]);
    let (mut system, mut states) = system(description);
    states[0] = 0.3;
    let before = rates(&mut system, 0.0, &states);
    let mut found = vec![0.0; 4];
    states[1] = std::f64::consts::FRAC_PI_2;
    let error = system.derivatives(0.0, &states, &mut found);
    let error = error.expect_err("an undefined acceleration");
    assert_eq!(
        error.to_string(),
        "joint \"knee\": coordinate angle_1 moves no inertia in this position; its acceleration is undefined"
    );
    let of_jacobian = system.jacobian(0.0, &states, &mut [0.0; 16]);
    assert_eq!(
        of_jacobian.expect_err("a refusal").to_string(),
        error.to_string()
    );
    states[1] = 0.0;
    assert_eq!(rates(&mut system, 0.0, &states), before);
}

#[test]
fn a_body_on_a_joint_has_no_negative_inertia() {
    let mut description = on_joint(joint(JointKind::Fixed, None, "bob"));
    description.bodies[0].mass.inertia = Some([1.0, 1.0, -0.5, 0.0, 0.0, 0.0]);
    let errors = Scene::new(description.clone()).expect_err("a refusal");
    assert_eq!(
        errors[0].to_string(),
        "body \"bob\": principal moments of inertia are [-0.5, 1.0, 1.0] kg.m2; none may be negative"
    );
    description.bodies[0].mass.inertia = Some([1.0, 1.0, 2.5, 0.0, 0.0, 0.0]);
    let errors = Scene::new(description).expect_err("a refusal");
    assert_eq!(
        errors[0].to_string(),
        "body \"bob\": principal moments of inertia are [1.0, 1.0, 2.5] kg.m2; none may exceed the sum of the \
         other two"
    );
}

/// A slide with everything that has numbers.
fn slide() -> SceneDescription {
    let mut slide = joint(JointKind::Prismatic, None, "bob");
    slide.forces[0].damping = 0.1;
    slide.forces[0].spring = Some(joint_spring(10.0, 0.0));
    slide.forces[0].friction = Some(joint_friction(0.2, 0.01));
    slide.forces[0].stops = Some(joint_stops(Some(-1.0), Some(1.0), 1e5, 0.5));
    on_joint(slide)
}

#[test]
fn numbers_of_a_joint_are_parameters_that_act() {
    let scene = valid(slide());
    let mut states = scene.start_states();
    (states[0], states[1]) = (0.1, 2.0);
    // Each alone: the rate of the speed changes by what the force says, at 1 kg.
    for (name, value, change) in [
        ("knee.displacement_spring_stiffness", 30.0, -20.0 * 0.1),
        ("knee.displacement_spring_rest", 0.5, 10.0 * 0.5),
        ("knee.displacement_damping", 0.4, -0.3 * 2.0),
        ("knee.displacement_friction_force", 0.7, -0.5),
    ] {
        let mut parameters = Parameters::start(&scene);
        let mut system = System::new(Arc::clone(&scene), &parameters).expect("good parameters");
        let before = rates(&mut system, 0.0, &states)[1];
        let index =
            (0..scene.parameters().len()).find(|i| scene.parameter_name((*i).into()) == name);
        parameters.set(&scene, (index.expect("a parameter")).into(), value);
        system.rebind(&parameters).expect("good parameters");
        let after = rates(&mut system, 0.0, &states)[1];
        assert!((after - before - change).abs() < 1e-13, "{name}");
    }
}

#[test]
fn numbers_of_a_joint_out_of_range_are_refused_with_their_names() {
    let scene = valid(slide());
    for (name, value, text) in [
        (
            "knee.displacement_friction_speed",
            0.0,
            "parameter knee.displacement_friction_speed is 0; must be > 0",
        ),
        (
            "knee.displacement_stop_restitution",
            1.5,
            "parameter knee.displacement_stop_restitution is 1.5; must be in 0..1",
        ),
        (
            "knee.displacement_stop_upper",
            -1.0,
            "parameter knee.displacement_stop_lower is -1 and knee.displacement_stop_upper is -1; the upper \
             stop must be above the lower one",
        ),
    ] {
        let mut parameters = Parameters::start(&scene);
        let index =
            (0..scene.parameters().len()).find(|i| scene.parameter_name((*i).into()) == name);
        parameters.set(&scene, (index.expect("a parameter")).into(), value);
        let refused = System::new(Arc::clone(&scene), &parameters);
        assert_eq!(refused.err().expect("a refusal").to_string(), text);
    }
}
