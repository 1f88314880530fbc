//! Scenes of which derivatives are taken: a ball in flight, sliding, held; inputs; a tree of joints.

use crate::fixtures::*;

/// The example whose restitution is an input; each value has tables of its own.
pub const RESTITUTION: &str = "tuned restitution";
/// Depth of the contacts [m], over which their forces vary.
pub const DEPTH: f64 = 1e-4;

/// A scene with states and scales over which its derivatives vary.
#[derive(Clone)]
pub struct Example {
    pub name: &'static str,
    pub description: SceneDescription,
    /// Of positions and deflections [m], [rad] or [1].
    pub position: f64,
    /// Of velocities [m/s], [rad/s].
    pub speed: f64,
    /// Changes the states after the start.
    pub place: fn(&Scene, &mut [f64]),
}

fn moving(mut body: BodyDescription, velocity: [f64; 3], omega: [f64; 3]) -> BodyDescription {
    (body.velocity, body.angular_velocity) = (velocity, omega);
    body
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / norm)
}

/// Everything is an output, and event indicators are the present gaps.
fn example(name: &'static str, bodies: Vec<BodyDescription>) -> Example {
    let mut description = steel_scene(bodies);
    description.report = Report::All;
    description.energy_balance = true;
    description.contact.closest_distances = 1;
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.interface.guard = Guard::Off;
    Example {
        name,
        description,
        position: 0.1 * DEPTH,
        speed: 0.1,
        place: |_, _| {},
    }
}

/// A ball with its centre of mass off its origin, 1 m above the plate.
pub fn flight() -> Example {
    let at = [0.0, 0.3, 1.0];
    let mut one = moving(ball("one", at), [1.0, 2.0, 3.0], [1.0, -2.0, 0.5]);
    one.orientation = unit([0.5, 0.1, -0.7, 0.5]);
    one.mass.mass = Some(2.0);
    one.mass.center_of_mass = Some([0.1, 0.2, -0.3]);
    one.mass.inertia = Some([0.3, 0.4, 0.5, 0.02, -0.03, 0.01]);
    Example {
        position: 0.01,
        ..example("flight", vec![plate(), one])
    }
}

fn on_the_plate(velocity: [f64; 3], omega: [f64; 3]) -> Vec<BodyDescription> {
    let mut one = moving(ball("one", [0.1, -0.2, 0.1 - DEPTH]), velocity, omega);
    one.orientation = unit([0.3, 0.9, -0.1, 0.3]);
    vec![plate(), one]
}

/// A ball in contact that slides and spins.
pub fn sliding() -> Example {
    example("sliding", on_the_plate([0.3, -0.2, -0.1], [1.0, -2.0, 0.7]))
}

/// A ball that friction holds, with a deflection.
pub fn sticking() -> Example {
    let mut made = example("sticking", on_the_plate([0.0; 3], [0.0; 3]));
    made.description.contact.law.friction = FrictionKind::Stick;
    Example {
        position: 1e-6,
        speed: 1e-3,
        place: |scene, states| {
            let layout = scene.layout();
            let first = layout.body(1.into()).expect("a free ball");
            states[first + 7..first + 13].fill(0.002);
            let deflections = &mut states[layout.contacts()];
            deflections[..3].copy_from_slice(&[2e-6, -1e-6, 0.5e-6]);
        },
        ..made
    }
}

/// A ball whose forces are inputs and a sine, above the plate.
pub fn pushed() -> Example {
    let mut made = flight();
    let input = input_of(true, true);
    let sine = ForceProfile::Sine {
        amplitude: vectors(Some([30.0, -20.0, 10.0]), Some([1.0, 2.0, 3.0])),
        angular_frequency: 7.0,
        phase: 0.3,
    };
    let mut given = force("given", "one", input);
    given.axes = ForceAxes::Body;
    given.point = [0.1, -0.05, 0.2];
    made.description.forces = vec![given, force("sine", "one", sine)];
    Example {
        name: "pushed",
        ..made
    }
}

/// A driven capsule that presses a ball.
pub fn driven() -> Example {
    let at = [0.1, 0.2, 1.0];
    let mut capsule = body("capsule", Motion::Driven, capsule(0.2, 0.4, Axis::Z), at);
    capsule.velocity = [0.02, -0.01, 0.03];
    capsule.angular_velocity = [0.1, 0.2, -0.3];
    let place = [0.3 - DEPTH, 0.2, 1.05];
    let one = moving(ball("one", place), [0.6, 0.3, 0.1], [1.0, 0.7, -0.5]);
    example("driven", vec![one, capsule])
}

/// A slide on the world and a hinge on it, with springs, inputs and a measurement of the end.
pub fn tree() -> Example {
    let inertia = [0.03, 0.04, 0.05, 0.002, -0.003, 0.001];
    let heavy = given_mass(1.5, [0.05, -0.1, 0.2], inertia);
    let slider = plain_body("slider", Motion::Joint, heavy);
    let arm = plain_body("arm", Motion::Joint, heavy);
    let mut slide = joint(JointKind::Prismatic, None, "slider");
    slide.axis = [1.0, 0.0, 0.0];
    slide.second_axis = [0.0, 1.0, 0.0];
    slide.positions = vec![0.3];
    slide.rates = vec![0.2];
    slide.forces[0].spring = Some(joint_spring(500.0, 0.4));
    slide.forces[0].input = true;
    let mut hinge = joint(JointKind::Revolute, Some("slider"), "arm");
    hinge.axis = [0.6, 0.8, 0.0];
    hinge.second_axis = [0.0, 0.0, 1.0];
    hinge.parent_frame.position = [0.1, 0.0, 0.2];
    hinge.positions = vec![0.7];
    hinge.rates = vec![-0.6];
    hinge.forces[0].damping = 0.3;
    hinge.forces[0].input = true;
    let mut made = example("tree", vec![plate(), slider, arm]);
    made.description.joints = vec![slide, hinge];
    for joint in &mut made.description.joints {
        joint.power = true;
    }
    let end = |body: &str| FrameName {
        body: Some(body.into()),
        frame: LocalFrame {
            position: [0.1, -0.2, 0.3],
            orientation: unit([0.5, 0.1, -0.7, 0.5]),
        },
    };
    made.description.measurements = vec![MeasurementDescription {
        name: "from_to".into(),
        from: end("plate"),
        to: end("arm"),
    }];
    Example {
        position: 0.01,
        ..made
    }
}

/// A ball in flight, sliding and held, and the tree, whose parameters are inputs.
pub fn tuned() -> Vec<Example> {
    let pair = |number| format!("material_pair.Steel.Steel.{number}");
    let mut held = sticking();
    let numbers = &mut law_of(&mut held.description).numbers;
    numbers.push((Number::TangentialStiffness, 1e6));
    numbers.push((Number::TangentialDamping, 50.0));
    let mut push = flight();
    let sine = ForceProfile::Sine {
        amplitude: vectors(Some([30.0, -20.0, 10.0]), None),
        angular_frequency: 7.0,
        phase: 0.3,
    };
    push.description.forces = vec![force("sine", "one", sine)];
    let with = |mut made: Example, name, names: Vec<String>| {
        made.name = name;
        made.description.parameter_inputs = names;
        made
    };
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    vec![
        with(
            push,
            "tuned flight",
            named(&[
                "world.gravity",
                "one.mass",
                "one.center_of_mass",
                "force.sine.force",
                "force.sine.angular_frequency",
                "force.sine.phase",
            ]),
        ),
        with(
            flight(),
            "tuned inertia",
            named(&["one.inertia", "one.mass"]),
        ),
        with(
            sliding(),
            "tuned sliding",
            vec![
                "one.mass".into(),
                "material.Steel.youngs_modulus".into(),
                "contact.k_red".into(),
                pair("sliding_friction"),
                pair("rolling_resistance"),
            ],
        ),
        with(sliding(), RESTITUTION, vec![pair("restitution")]),
        with(
            held,
            "tuned sticking",
            vec![
                "one.mass".into(),
                pair("tangential_damping"),
                pair("tangential_stiffness"),
            ],
        ),
        with(
            tree(),
            "tuned tree",
            named(&[
                "joint_slider.displacement_spring_stiffness",
                "joint_slider.displacement_spring_rest",
                "joint_arm.angle_damping",
                "arm.mass",
            ]),
        ),
    ]
}

/// Those without parameters among the inputs.
pub fn plain() -> Vec<Example> {
    vec![flight(), sliding(), sticking(), pushed(), driven(), tree()]
}

/// All of them.
pub fn all() -> Vec<Example> {
    [plain(), tuned()].concat()
}
