//! Forces know neither left nor right, neither the axes of the world nor the order of bodies.
//!
//! Two bodies that touch, slip, turn and are deflected in random ways; then their mirror image, the
//! same in a turned world, and in a scene that lists the bodies the other way round behind a third
//! one. Accelerations and rates of deflections must be images of each other to rounding. With r, v,
//! a deflection along the face vectors and angular velocities pseudovectors, the mirror M turns
//! them into M r, -M w; turning about the normal times an arm is a pseudoscalar, and stays where
//! bodies 1 and 2 change places, as both the normal and the motion of 2 against 1 change sign.

use crate::fixtures::*;

/// Rounding of places of 0.2 m in the force of a depth of 1e-4 m, over that force.
const ROUNDING: f64 = 1e-11;
/// The same of hulls in a point, whose gap a search finds within 1e-12 m.
const OF_SEARCH: f64 = 1e-8;

/// Numbers in -1..1 (a linear congruence, Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        signed_fraction(&mut self.0)
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }
}

/// How a scene is seen.
#[derive(Clone, Copy)]
struct View {
    /// Rotation or reflection.
    matrix: Mat3,
    /// Whether the bodies are listed the other way round.
    exchanged: bool,
}

impl View {
    fn of_pseudovector(&self, v: &Vec3) -> Vec3 {
        self.matrix * v * self.matrix.determinant()
    }

    /// The body frame is reflected, too, along y, in which each shape is its own mirror image.
    fn of_rotation(&self, r: &Mat3) -> Mat3 {
        self.matrix * r * self.of_body()
    }

    fn of_body(&self) -> Mat3 {
        Mat3::from_diagonal(&Vec3::new(1.0, self.matrix.determinant(), 1.0))
    }
}

/// Where a body is and how it moves, world axes.
#[derive(Clone, Copy)]
struct State {
    position: Vec3,
    rotation: Mat3,
    velocity: Vec3,
    omega_w: Vec3,
}

/// What a scene does: accelerations of both bodies, rate of the deflection.
type Rates = ([[Vec3; 2]; 2], [f64; 4]);

fn solid() -> Solid {
    Solid {
        volume: 1.0,
        centroid: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        lower: [-0.1; 3],
        upper: [0.1; 3],
    }
}

fn cuboid() -> Form {
    let lengths = [0.2, 0.12, 0.1];
    Form::Box { lengths }
}

/// A prism of 0.2 m with a triangle above and below, z from -0.05 to 0.05 m.
fn wedge() -> Form {
    let part = prism(
        [[0.1, -0.1, 0.05], [0.1, 0.1, 0.05], [-0.1, 0.0, 0.05]],
        0.1,
    );
    Form::Hull {
        solid: solid(),
        part,
    }
}

fn cylinder(axis: Axis) -> Form {
    Form::Cylinder {
        diameter: 0.1,
        length: 0.1,
        axis,
        inner_diameter: 0.0,
    }
}

/// Two shapes, the second of which touches the first at its top z = 0.05 m with its lowest point at
/// z = -0.05 m of its own.
fn pairs() -> Vec<[Form; 2]> {
    let cone = cone(0.12, 0.05, 0.05, Axis::Z);
    let beam = Form::Beam {
        length: 0.1,
        width: 0.1,
        thickness: 0.1,
        axis: Axis::X,
    };
    let sphere = sphere(0.1);
    let ellipsoid = ellipsoid([0.2, 0.15, 0.1]);
    let capsule = capsule(0.1, 0.1, Axis::X);
    vec![
        [cuboid(), cuboid()],
        [cuboid(), wedge()],
        [wedge(), wedge()],
        [cuboid(), cylinder(Axis::Z)],
        [wedge(), cylinder(Axis::Y)],
        [cuboid(), cone],
        [cuboid(), beam],
        [sphere.clone(), sphere.clone()],
        [cuboid(), sphere],
        [cuboid(), ellipsoid],
        [capsule.clone(), capsule],
    ]
}

fn described(form: &Form, state: &State, name: &str) -> BodyDescription {
    let mut own = body(name, Motion::Free, form.clone(), state.position.into());
    own.orientation = quaternion(&state.rotation);
    own.velocity = state.velocity.into();
    own.angular_velocity = (state.rotation.transpose() * state.omega_w).into();
    if let Form::Cone { .. } = form {
        // The middle of its base is its origin.
        own.shapes[0].position = [0.0, 0.0, -0.05];
    }
    own.mass.mass = Some(2.0);
    own.mass.center_of_mass = Some([0.0; 3]);
    own.mass.inertia = Some([0.01, 0.02, 0.03, 0.0, 0.0, 0.0]);
    own
}

/// The rates of a scene that is seen so, with a deflection along the face and one of turning,
/// turned back.
fn rates(
    forms: &[Form; 2],
    states: &[State; 2],
    (along, turning): (Vec3, f64),
    (law, view): (&LawChanges, View),
) -> Rates {
    let seen = states.map(|state| State {
        position: view.matrix * state.position,
        rotation: view.of_rotation(&state.rotation),
        velocity: view.matrix * state.velocity,
        omega_w: view.of_pseudovector(&state.omega_w),
    });
    let mut bodies = vec![
        described(&forms[0], &seen[0], "one"),
        described(&forms[1], &seen[1], "two"),
    ];
    let mut sign = 1.0;
    if view.exchanged {
        let far = State {
            position: Vec3::new(9.0, 9.0, 9.0),
            ..seen[0]
        };
        bodies.push(described(&forms[0], &far, "far"));
        bodies.reverse();
        sign = -1.0;
    }
    let mut description: SceneDescription = steel_scene(bodies);
    description.gravity = Gravity::None;
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.material_pairs[0].response = PairResponse::Law(law.clone());
    let scene = valid(description);
    let mut system = start_of(&scene);
    let mut states = scene.start_states();
    let layout = scene.layout();
    // The last one is that of both bodies.
    let own = layout
        .deflection_count()
        .checked_sub(1)
        .map(DeflectionId::from);
    let own = own.map(|own| layout.deflection(own));
    let mirrored = view.matrix.determinant();
    if let Some(own) = &own {
        let along = view.matrix * along * sign;
        states[own.start..own.start + 3].copy_from_slice(along.as_slice());
        if own.len() > 3 {
            states[own.start + 3] = turning * mirrored;
        }
    }
    system.update_event(0.0, &mut states).expect("contacts");
    let found = crate::fixtures::rates(&mut system, 0.0, &states);
    let back = view.matrix.transpose();
    let vector = |at: usize| Vec3::new(found[at], found[at + 1], found[at + 2]);
    let accelerations = ["one", "two"].map(|name| {
        let index = scene.bodies().iter().position(|body| body.name == name);
        let offset = layout.body(index.expect("a body").into()).unwrap();
        let of_body = view.of_body() * vector(offset + 10) * mirrored;
        [back * vector(offset + 7), of_body]
    });
    let mut deflection = [0.0; 4];
    if let Some(own) = own {
        let along = back * vector(own.start) * sign;
        deflection[..3].copy_from_slice(along.as_slice());
        if own.len() > 3 {
            deflection[3] = found[own.start + 3] * mirrored;
        }
    }
    (accelerations, deflection)
}

/// Largest component of what two scenes do differently, over the largest of what one does, of
/// accelerations and of rates of deflections.
fn difference(one: &Rates, other: &Rates) -> [f64; 2] {
    let list = |rates: &Rates| {
        let parts = rates.0.as_flattened().iter();
        parts.flat_map(|v| v.iter().copied()).collect::<Vec<f64>>()
    };
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let (a, b) = (list(one), list(other));
    let scale = largest(&mut a.iter().map(|x| x.abs()));
    let off = largest(&mut a.iter().zip(&b).map(|(a, b)| (a - b).abs()));
    let own = largest(&mut one.1.iter().map(|x| x.abs())).max(1e-9);
    let rate = largest(&mut one.1.iter().zip(&other.1).map(|(a, b)| (a - b).abs()));
    assert!(scale > 1e-4, "they do not touch");
    [off / scale, rate / own]
}

#[test]
fn mirrored_turned_and_renumbered_scenes_do_the_same_by_every_law_and_pair_of_shapes() {
    let mut random = Random(7);
    let turned = exponential(&Vec3::new(0.7, -1.1, 0.4));
    let mirror = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 1.0));
    let views = [
        (mirror, false),
        (turned, false),
        (Mat3::identity(), true),
        (turned * mirror, true),
    ];
    for friction in [
        FrictionKind::Regularized,
        FrictionKind::Coulomb,
        FrictionKind::Stick,
    ] {
        for normal in [NormalKind::Hertz, NormalKind::Volume, NormalKind::Spring] {
            for (pair, forms) in pairs().into_iter().enumerate() {
                let law = LawChanges {
                    normal: Some(normal),
                    friction: Some(friction),
                    numbers: vec![
                        (Number::Restitution, 0.5),
                        (Number::SlidingFriction, 0.4),
                        match normal {
                            NormalKind::Spring => (Number::Stiffness, 1e6),
                            _ => (Number::StiffnessPerArea, 1e9),
                        },
                    ],
                    ..LawChanges::default()
                };
                // Tilted by up to 1e-3, 1e-4 m deep; slow and fast.
                let speed = 10f64.powf(2.0 * random.next() - 2.0);
                let state = |position: Vec3, random: &mut Random| State {
                    position,
                    rotation: exponential(&(random.vector() * 1e-3 + Vec3::z() * random.next())),
                    velocity: random.vector() * speed,
                    omega_w: random.vector() * (speed / 0.05),
                };
                let over = Vec3::new(2e-3, 1e-3, 0.1 - 1e-4);
                let states = [state(Vec3::zeros(), &mut random), state(over, &mut random)];
                let deflection = (random.vector() * 1e-6, random.next() * 1e-6);
                let seen = |matrix, exchanged| {
                    let view = View { matrix, exchanged };
                    rates(&forms, &states, deflection, (&law, view))
                };
                let plain = seen(Mat3::identity(), false);
                let is_hull = |form: &Form| matches!(form, Form::Hull { .. });
                let rounding = match normal == NormalKind::Spring && forms.iter().any(is_hull) {
                    true => OF_SEARCH,
                    false => ROUNDING,
                };
                for (view, (matrix, exchanged)) in views.into_iter().enumerate() {
                    let off = difference(&plain, &seen(matrix, exchanged));
                    assert!(
                        off.iter().all(|off| *off < rounding),
                        "{friction:?} {normal:?} pair {pair} view {view}: {off:?}"
                    );
                }
            }
        }
    }
}
