//! Model structure of scenes with inputs, trees of joints, driven and prescribed bodies.

use super::*;

fn sphere(name: &str, motion: Motion, position: [f64; 3]) -> BodyDescription {
    let mut body = crate::fixtures::body(name, motion, Form::Sphere { diameter: 0.2 }, position);
    if motion == Motion::Joint {
        body.position = [0.0; 3];
        body.mass = GivenMass::default();
    }
    body
}

/// A joint with an offset on the parent, its forces all there.
fn joint(name: &str, kind: JointKind, parent: Option<&str>, child: &str) -> JointDescription {
    let all = CoordinateForces {
        spring: Some(joint_spring(20.0, 0.1)),
        damping: 0.3,
        friction: Some(joint_friction(0.2, 0.01)),
        stops: Some(joint_stops(Some(-1.0), Some(1.0), 1e4, 0.5)),
        input: true,
    };
    let count = kind.coordinates().len();
    let mut positions = vec![0.2; kind.position_count()];
    if let Some(first) = kind.quaternion() {
        positions[first..].copy_from_slice(&[0.5, 0.5, -0.5, 0.5]);
    }
    JointDescription {
        name: name.into(),
        parent_frame: frame_at([0.3, 0.1, -0.4]),
        child_frame: frame_at([-0.1, 0.0, 0.05]),
        axis: [0.0, 1.0, 0.0],
        positions,
        rates: vec![0.4; kind.rate_count()],
        forces: vec![all; count],
        power: true,
        ..crate::fixtures::joint(kind, parent, child)
    }
}

fn measured(name: &str, from: Option<&str>, to: &str) -> MeasurementDescription {
    let frame = |body: Option<&str>| FrameName {
        body: body.map(str::to_owned),
        frame: frame_at([0.05, -0.02, 0.1]),
    };
    MeasurementDescription {
        name: name.into(),
        from: frame(from),
        to: frame(Some(to)),
    }
}

/// A driven and a prescribed body in a ball each, a force input on one of them.
fn driven_and_prescribed(orientation: OrientationInput) -> SceneDescription {
    let mut bodies = vec![
        sphere("hammer", Motion::Driven, [0.0, 0.0, 0.0]),
        sphere("belt", Motion::Prescribed, [2.0, 0.0, 0.0]),
        sphere("ball", Motion::Free, [0.1999, 0.0, 0.0]),
        sphere("other", Motion::Free, [2.1999, 0.0, 0.0]),
    ];
    bodies[0].drive = Drive {
        orientation,
        wrench_axes: ForceAxes::Body,
    };
    bodies[0].orientation = [0.5, 0.5, -0.5, 0.5];
    bodies[0].velocity = [0.3, 0.1, 0.0];
    bodies[0].angular_velocity = [1.0, 2.0, -3.0];
    let mut description = steel_scene(bodies);
    let shaking = sine([0.01, 0.02, 0.0], [0.0, 0.3, 0.0], 3.0, 0.2);
    description.motions = vec![motion_of("belt", shaking)];
    description.forces = vec![force("push", "ball", input_of(true, true))];
    description.measurements = vec![
        measured("tip", Some("hammer"), "ball"),
        measured("lift", None, "belt"),
    ];
    description.contact.closest_distances = 2;
    description.report = Report::All;
    description.energy_balance = true;
    description
}

#[test]
fn whatever_changes_with_an_input_or_with_a_prescribed_motion_lists_it() {
    for orientation in [OrientationInput::Quaternion, OrientationInput::Matrix] {
        assert_lists_what_it_changes_with(driven_and_prescribed(orientation), 2.0, 500);
    }
}

#[test]
fn inputs_are_known_in_every_mode_and_enter_what_they_push() {
    let mut description = driven_and_prescribed(OrientationInput::Quaternion);
    description.excluded = [("ball", "other"), ("hammer", "other"), ("belt", "ball")]
        .map(|(a, b)| [whole(a), whole(b)])
        .to_vec();
    let scene = Scene::new(description).unwrap();
    let named = named(&scene);
    let of_hammer = motions(&["hammer"]);
    let push = components(&[("force.push.force", 3), ("force.push.torque", 3)]);
    for list in [&named.derivatives, &named.initial] {
        let found = of(list, "der(ball.velocity[1])");
        assert!(of_hammer.iter().all(|name| found.contains(name)));
        assert!(push.iter().all(|name| found.contains(name)));
        // Nothing of the other pair.
        assert!(!found.contains(&"other.position[1]".to_owned()));
        assert!(!found.contains(&"time".to_owned()));
    }
    let of_other = of(&named.derivatives, "der(other.velocity[1])");
    assert_eq!(of_other[0], "time");
    assert!(!of_hammer.iter().any(|name| of_other.contains(name)));
    let wrench = of(&named.outputs, "hammer.contact_torque[2]");
    assert!(of_hammer.iter().all(|name| wrench.contains(name)));
    assert!(!push.iter().any(|name| wrench.contains(name)));
    assert_eq!(of(&named.outputs, "belt.position[3]"), ["time"]);
    // An input is known itself.
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let reference = table.reference(Family::Input.of(0)).unwrap();
    for moment in [Moment::Start, Moment::Run] {
        assert!(dependencies(&scene, &table, reference, moment).is_empty());
    }
}

/// Two links on a free body, the second one in a ball, and a tree on the world.
fn trees() -> SceneDescription {
    let mut description = steel_scene(vec![
        sphere("base", Motion::Free, [0.0, 0.0, 2.0]),
        sphere("first", Motion::Joint, [0.0; 3]),
        sphere("second", Motion::Joint, [0.0; 3]),
        sphere("apart", Motion::Joint, [0.0; 3]),
        sphere("hanging", Motion::Joint, [0.0; 3]),
    ]);
    for body in &mut description.bodies {
        body.shapes[0].collision = body.name == "hanging";
        body.shapes[0].smoothing_radius = None;
    }
    let mut elsewhere = joint("elsewhere", JointKind::Planar, None, "apart");
    elsewhere.parent_frame = frame_at([5.0, 0.0, 0.0]);
    description.joints = vec![
        joint("hinge", JointKind::Revolute, Some("base"), "first"),
        joint("ball_joint", JointKind::Spherical, Some("first"), "second"),
        elsewhere,
        joint("slide", JointKind::Prismatic, Some("apart"), "hanging"),
    ];
    description.measurements = vec![measured("reach", Some("first"), "hanging")];
    description
}

/// Joints with springs, friction and stops on a prescribed body, on a fixed one and on the world;
/// two coordinates are beyond their stops, and two bodies touch.
fn loaded_joints() -> SceneDescription {
    let mut description = steel_scene(vec![
        sphere("shaker", Motion::Prescribed, [0.0, 0.0, 2.0]),
        sphere("base", Motion::Fixed, [9.0, 0.0, 0.0]),
        sphere("first", Motion::Joint, [0.0; 3]),
        sphere("second", Motion::Joint, [0.0; 3]),
        sphere("hanging", Motion::Joint, [0.0; 3]),
        sphere("ball", Motion::Free, [20.0, 0.0, 0.0]),
        sphere("other", Motion::Free, [20.1999, 0.0, 0.0]),
    ]);
    let shaking = sine([0.01, 0.02, 0.0], [0.0, 0.3, 0.1], 3.0, 0.2);
    description.motions = vec![motion_of("shaker", shaking)];
    description.joints = vec![
        joint("hinge", JointKind::Revolute, Some("shaker"), "first"),
        joint("ball_joint", JointKind::Spherical, Some("first"), "second"),
        joint("slide", JointKind::Cylindrical, Some("base"), "hanging"),
    ];
    description.joints[0].positions = vec![1.001];
    description.joints[1].ball.damping = 0.4;
    description.joints[2].positions[0] = -1.001;
    let bodies = description.bodies.iter_mut();
    for body in bodies.filter(|b| b.motion != Motion::Free) {
        body.shapes[0].collision = false;
        body.shapes[0].smoothing_radius = None;
    }
    description.energy_balance = true;
    description
}

#[test]
fn whatever_changes_with_a_joint_or_its_numbers_lists_it() {
    assert_lists_what_it_changes_with(loaded_joints(), 1.0, 300);
}

#[test]
#[ignore = "long: another model of three joints"]
fn whatever_changes_with_a_screw_or_its_numbers_lists_it() {
    let mut on_screw = loaded_joints();
    (on_screw.joints[0].kind, on_screw.joints[0].pitch) = (JointKind::Screw, 0.3);
    assert_lists_what_it_changes_with(on_screw, 1.0, 300);
}

#[test]
fn energies_depend_on_the_joints_that_store_or_take_them_and_on_no_other_number_of_them() {
    let mut description = loaded_joints();
    description.gravity = Gravity::None;
    let named = named(&Scene::new(description).unwrap());
    let of_joints = |name: &str| -> Vec<String> {
        let list = of(&named.initial, name).iter();
        let joints = ["hinge.", "ball_joint.", "slide."];
        let found = list.filter(|known| joints.iter().any(|joint| known.starts_with(joint)));
        found.cloned().collect()
    };
    let coordinates = ["hinge.angle", "slide.displacement", "slide.angle"];
    let with = |endings: &[&str]| -> BTreeSet<String> {
        let of = |name| endings.iter().map(move |ending| format!("{name}{ending}"));
        coordinates.iter().flat_map(of).collect()
    };
    let found = |name: &str| of_joints(name).into_iter().collect::<BTreeSet<_>>();
    let of_springs = with(&["", "_spring_stiffness", "_spring_rest"]);
    assert_eq!(found("energy.potential"), of_springs);
    let of_stops = with(&["", "_stop_lower", "_stop_upper", "_stop_stiffness"]);
    assert_eq!(found("energy.contact_elastic"), of_stops);
    // The work is a state: no damping shows in it but by its rate.
    let rate = found("der(energy.dissipated)");
    for known in [
        "hinge.angular_velocity",
        "slide.velocity",
        "slide.angular_velocity",
        "ball_joint.angular_velocity[2]",
        "ball_joint.damping",
        "hinge.angle_friction_torque",
        "slide.angle_damping",
        "slide.displacement_stop_restitution",
    ] {
        assert!(rate.contains(known), "{known}: {rate:?}");
    }
    assert!(!rate.iter().any(|known| known.contains("spring")));
}

#[test]
fn the_power_of_a_joint_depends_on_its_own_states_inputs_and_numbers_and_on_what_its_stops_froze() {
    let mut description = loaded_joints();
    description.joints[0].forces[0].stops = None;
    let named = named(&Scene::new(description).unwrap());
    // Without stops the inputs enter directly, and nothing of other joints does.
    let expected = ["hinge.angle", "hinge.angular_velocity", "hinge.torque"];
    assert_eq!(of(&named.outputs, "hinge.power"), expected);
    let initial = of(&named.initial, "hinge.power").iter();
    let numbers = initial.filter(|known| known.starts_with("hinge.angle_"));
    assert_eq!(numbers.count(), 5);
    // In FMI 2.0 too.
    let scene = Scene::new(loaded_joints()).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi2);
    let structure = ModelStructure::new(&scene, &table);
    let name = |reference: u32| table.name(&scene, table.quantity(reference).unwrap());
    let mut outputs = structure.outputs.iter();
    let power = outputs.find(|unknown| name(unknown.reference) == "hinge.power");
    let mut knowns = power.unwrap().dependencies.as_ref().unwrap().iter();
    assert!(knowns.any(|known| name(*known) == "hinge.torque"));
    // A quaternion does no work.
    let rates = components(&[("ball_joint.angular_velocity", 3), ("ball_joint.torque", 3)]);
    let of_ball = of(&named.outputs, "ball_joint.power");
    assert!(!of_ball.contains(&"ball_joint.orientation[1]".to_owned()));
    let own = of_ball.iter().filter(|known| rates.contains(known));
    assert_eq!(own.count(), of_ball.len(), "{of_ball:?}");
    let of_slide = of(&named.outputs, "slide.power");
    for known in ["slide.displacement", "slide.force", "slide.torque"] {
        assert!(of_slide.contains(&known.to_owned()), "{of_slide:?}");
    }
}

#[test]
fn accelerations_of_a_tree_depend_on_all_of_it_and_on_nothing_of_another_one() {
    let scene = Scene::new(trees()).unwrap();
    let named = named(&scene);
    #[rustfmt::skip]
    let tree = [
        "base.position[1]", "base.angular_velocity[3]", "hinge.angle", "hinge.angular_velocity",
        "ball_joint.orientation[2]", "ball_joint.angular_velocity[1]", "hinge.torque",
    ];
    let numbers = [
        "base.mass",
        "second.inertia[1,1]",
        "hinge.angle_spring_stiffness",
        "world.gravity[3]",
    ];
    for unknown in [
        "der(base.velocity[2])",
        "der(hinge.angular_velocity)",
        "der(ball_joint.angular_velocity[3])",
    ] {
        let found = of(&named.derivatives, unknown);
        let has = |n: &&str| found.contains(&(*n).into());
        assert!(tree.iter().all(has), "{found:?}");
        let at_start = of(&named.initial, unknown);
        assert!(numbers.iter().all(|n| at_start.contains(&(*n).into())));
        let is_other = |n: &String| n.starts_with("elsewhere") || n.starts_with("slide");
        assert!(!at_start.iter().any(is_other));
    }
    let reaction = of(&named.outputs, "hinge.reaction_force[1]");
    let acceleration = of(&named.derivatives, "der(hinge.angular_velocity)");
    assert_eq!(reaction, acceleration);
    let other = of(&named.derivatives, "der(slide.velocity)");
    assert!(other.contains(&"elsewhere.angle".to_owned()));
    let is_other = |n: &String| n.starts_with("base") || n.starts_with("hinge");
    assert!(!other.iter().any(is_other));
}

#[test]
fn poses_of_links_depend_on_the_joints_above_and_on_the_root() {
    let scene = Scene::new(trees()).unwrap();
    let named = named(&scene);
    let above = [poses(&["base"]), vec!["hinge.angle".to_owned()]].concat();
    assert_eq!(of(&named.outputs, "first.position[1]"), above);
    let rate = of(&named.derivatives, "der(hinge.angle)");
    assert_eq!(rate, ["hinge.angular_velocity"]);
    let [q, w] = ["orientation", "angular_velocity"].map(|of| format!("ball_joint.{of}"));
    let turning = of(&named.derivatives, "der(ball_joint.orientation[1])");
    assert_eq!(turning, components(&[(&q, 4), (&w, 3)]));
    let hanging = of(&named.outputs, "hanging.orientation[1]");
    assert_eq!(hanging.len(), 4, "{hanging:?}");
    let reach = of(&named.outputs, "measure.reach.distance");
    assert!(reach.contains(&"hinge.angle".to_owned()));
    assert!(reach.contains(&"slide.displacement".to_owned()));
    assert!(!reach.contains(&"hinge.angular_velocity".to_owned()));
    let speed = of(&named.outputs, "measure.reach.velocity[1]");
    assert!(speed.contains(&"hinge.angular_velocity".to_owned()));
}

#[test]
fn the_indicator_of_an_end_stop_depends_on_its_coordinate_and_place() {
    let scene = Scene::new(trees()).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let slots = scene.slot_count();
    let reference = table.reference(Family::Indicator.of(slots + 1)).unwrap();
    let name = |d: Dependency| table.name(&scene, table.quantity(d.known).unwrap());
    let of = |moment| -> Vec<String> {
        let list = dependencies(&scene, &table, reference, moment);
        list.into_iter().map(name).collect()
    };
    let expected = ["hinge.angle", "hinge.angle_stop_upper"];
    assert_eq!(of(Moment::Run), expected);
    assert_eq!(of(Moment::Start), expected);
}
