//! Energy through an impact, for every way by which the code gets from a contact to a force: what
//! moves (ball, ball with its mass aside, box, tree of joints) times what it hits (fixed, driven,
//! prescribed, free) times the law of the normal force times that of friction.
//!
//! Seen from a body that moves at a constant velocity V nothing does work but the contact itself,
//! so
//!   T - V.p + M V^2/2 + E + W = const,
//! with T the kinetic energy, p the momentum and M the mass of what forces move, E what the contact
//! stores and W the dissipated work [J]. A ball that hits a plane head on without friction loses
//! W = (1 - e^2) m v^2/2 with the restitution e.

use crate::fixtures::*;

/// Velocity of the driven and of the prescribed partner [m/s].
const SPEED: [f64; 3] = [0.3, -0.2, 0.4];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mover {
    /// A ball about its origin: alone with fixed bodies it has a path of its own.
    Ball,
    /// The same before its partner in the scene, so that it is body 1 of the pair.
    BallFirst,
    /// The mass of the ball is not in its middle.
    Lopsided,
    /// A box that comes down on a corner.
    Box,
    /// A tapered capsule that comes down on its larger end.
    TaperedCapsule,
    /// A ball on a joint that leaves it all six motions.
    OnFreeJoint,
    /// A ball at the end of an arm of 0.5 m.
    Pendulum,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Partner {
    Fixed,
    HalfSpace,
    Driven,
    Prescribed,
    Free,
}

#[rustfmt::skip]
const MOVERS: [Mover; 7] = [
    Mover::Ball, Mover::BallFirst, Mover::Lopsided, Mover::Box, Mover::TaperedCapsule,
    Mover::OnFreeJoint, Mover::Pendulum,
];
const PARTNERS: [Partner; 5] = [
    Partner::Fixed,
    Partner::HalfSpace,
    Partner::Driven,
    Partner::Prescribed,
    Partner::Free,
];
const FRICTIONS: [(FrictionKind, &[(Number, f64)]); 5] = [
    (FrictionKind::Off, &[]),
    (FrictionKind::Regularized, &[(Number::SlidingFriction, 0.3)]),
    (
        FrictionKind::Coulomb,
        &[
            (Number::SlidingFriction, 0.3),
            (Number::StaticFriction, 0.4),
            (Number::StaticSpeed, 0.01),
            (Number::DynamicSpeed, 0.1),
        ],
    ),
    (
        FrictionKind::CoulombDynamic,
        &[(Number::SlidingFriction, 0.3), (Number::DynamicSpeed, 0.1)],
    ),
    (FrictionKind::Stick, &[(Number::SlidingFriction, 0.3)]),
];
#[rustfmt::skip]
const NORMALS: [(NormalKind, &[(Number, f64)]); 5] = [
    (NormalKind::Hertz, &[(Number::Restitution, 0.7)]),
    (
        NormalKind::Spring,
        &[(Number::Restitution, 0.7), (Number::Stiffness, 1e6), (Number::Exponent, 1.3)],
    ),
    (
        NormalKind::Impact,
        &[
            (Number::Stiffness, 1e7),
            (Number::Exponent, 1.5),
            (Number::LargestDamping, 2e3),
            (Number::DampingDepth, 1e-3),
        ],
    ),
    (
        NormalKind::Poisson,
        &[(Number::Restitution, 0.7), (Number::Stiffness, 1e6), (Number::TransitionSpeed, 0.1)],
    ),
    (
        NormalKind::Volume,
        &[(Number::Restitution, 0.7), (Number::LayerDepth1, 0.01), (Number::LayerDepth2, 0.02)],
    ),
];

/// The mover, 1 cm over z = 0, down at 1 m/s, sliding and spinning, and its joint.
fn mover(kind: Mover) -> (BodyDescription, Option<JointDescription>) {
    let (v, w) = ([0.5, -0.3, -1.0], [2.0, -1.0, 3.0]);
    let mut moving = ball("mover", [0.0, 0.0, 0.11]);
    (moving.velocity, moving.angular_velocity) = (v, w);
    let joint = match kind {
        Mover::Ball | Mover::BallFirst => None,
        Mover::Lopsided => {
            moving.mass.mass = Some(30.0);
            moving.mass.center_of_mass = Some([0.01, 0.02, -0.03]);
            moving.mass.inertia = Some([0.1, 0.12, 0.14, 0.0, 0.01, 0.0]);
            None
        }
        Mover::Box => {
            moving = body("mover", Motion::Free, cuboid([0.2; 3]), [0.0, 0.0, 0.18]);
            (moving.velocity, moving.angular_velocity) = (v, w);
            // Unit, and no edge or face of the box is level.
            moving.orientation = [0.8, 0.4, 0.4, 0.2];
            None
        }
        Mover::TaperedCapsule => {
            // Its axis along (0.8, -0.48, 0.36): the larger end is 1 cm over z = 0.
            moving = body(
                "mover",
                Motion::Free,
                tapered_capsule(0.2, 0.1, 0.2, Axis::Z),
                [0.0, 0.0, 0.146],
            );
            (moving.velocity, moving.angular_velocity) = (v, w);
            moving.orientation = [0.8, 0.4, 0.4, 0.2];
            None
        }
        Mover::OnFreeJoint => {
            moving = body(
                "mover",
                Motion::Joint,
                moving.shapes[0].form.clone(),
                [0.0; 3],
            );
            let mut free = joint(JointKind::Free, None, "mover");
            free.positions[..3].copy_from_slice(&[0.0, 0.0, 0.11]);
            free.rates = [v, w].concat();
            Some(free)
        }
        Mover::Pendulum => {
            moving = body(
                "mover",
                Motion::Joint,
                moving.shapes[0].form.clone(),
                [0.0; 3],
            );
            let mut hinge = joint(JointKind::Revolute, None, "mover");
            // Not along the plane: the ball slides.
            hinge.axis = [0.3, 1.0, 0.3];
            hinge.parent_frame.position = [-0.5, 0.0, 0.11];
            hinge.child_frame.position = [-0.5, 0.0, 0.0];
            hinge.rates = vec![2.0];
            Some(hinge)
        }
    };
    (moving, joint)
}

fn scene(kind: Mover, partner: Partner) -> SceneDescription {
    let (moving, joint) = mover(kind);
    let mut hit = plate();
    hit.name = "hit".into();
    match partner {
        Partner::Fixed => {}
        Partner::HalfSpace => {
            hit = body("hit", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
        }
        Partner::Driven => (hit.motion, hit.velocity) = (Motion::Driven, SPEED),
        Partner::Prescribed => hit.motion = Motion::Prescribed,
        Partner::Free => {
            (hit.motion, hit.velocity) = (Motion::Free, SPEED);
            hit.angular_velocity = [0.1, 0.2, -0.3];
        }
    }
    let mut bodies = vec![hit, moving];
    if kind == Mover::BallFirst {
        bodies.reverse();
    }
    let mut description = steel_scene(bodies);
    description.joints.extend(joint);
    description.gravity = Gravity::None;
    description.energy_balance = true;
    if partner == Partner::Prescribed {
        description.motions = vec![motion_of("hit", uniform(SPEED, [0.0; 3]))];
    }
    description
}

fn with_law(
    description: &mut SceneDescription,
    (normal, of_normal): (NormalKind, &[(Number, f64)]),
    (friction, of_friction): (FrictionKind, &[(Number, f64)]),
) {
    description.contact.law.normal = normal;
    description.contact.law.friction = friction;
    let law = law_of(description);
    law.numbers = vec![
        (Number::RollingResistance, 0.01),
        (Number::VSmall, 0.01),
        (Number::WSmall, 0.01),
    ];
    law.numbers.extend_from_slice(of_normal);
    law.numbers.extend_from_slice(of_friction);
}

struct Run {
    system: System,
    states: Vec<f64>,
    time: f64,
    /// Contacts found on the way.
    touched: bool,
}

impl Run {
    fn new(description: SceneDescription) -> Self {
        let scene = valid(description);
        let mut system = start_of(&scene);
        system.set_inputs(&scene.start_inputs().raw, Some(0.0));
        let mut states = scene.start_states();
        system.update_event(0.0, &mut states).expect("an event");
        Run {
            system,
            states,
            time: 0.0,
            touched: false,
        }
    }

    /// Integrates from event to event.
    fn to(&mut self, end: f64, case: &str) {
        let settings = Settings::new(1e-10).expect("a tolerance");
        let mut integrator =
            Integrator::new(self.states.len(), self.system.indicator_count(), settings);
        let mut memory = Memory::default();
        loop {
            let (time, states) = (&mut self.time, &mut self.states);
            let stop = integrator
                .advance(&mut self.system, &mut memory, time, states, end, None)
                .unwrap_or_else(|error| panic!("{case}: {}", error.message));
            if stop == LegEnd::End {
                return;
            }
            update(&mut self.system, self.time, &mut self.states);
            self.touched |= !self.system.ledger().contacts().is_empty();
            memory.restart();
        }
    }

    fn dissipated(&self) -> f64 {
        let work = self.system.scene().layout().work();
        self.states[work.expect("a balance")]
    }

    /// T - V.p + M V^2/2 + E + W of the body "mover", whose mass is in its origin unless V is zero.
    fn total(&mut self, v: [f64; 3]) -> f64 {
        let outputs = self.system.outputs(self.time, &self.states).unwrap();
        assert_eq!(outputs.potential_energy, 0.0);
        let mechanical = outputs.kinetic_energy + outputs.elastic_energy;
        let scene = Arc::clone(self.system.scene());
        let index = scene.bodies().iter().position(|b| b.name == "mover");
        let index = index.expect("a mover");
        let mass = self.system.model().bodies[BodyId::from(index)].mass;
        let (_, twist) = self.system.body_here(index.into()).expect("a body");
        let v = Vec3::from(v);
        let seen = mass * (0.5 * v.norm_squared() - v.dot(&twist.velocity_w));
        mechanical + seen + self.dissipated()
    }
}

/// Velocity of the frame in which nothing but the contact does work.
fn frame(partner: Partner) -> [f64; 3] {
    match partner {
        Partner::Driven | Partner::Prescribed => SPEED,
        Partner::Fixed | Partner::HalfSpace | Partner::Free => [0.0; 3],
    }
}

#[test]
#[ignore = "long: an impact on each of 290 paths"]
fn the_energy_total_is_constant_through_an_impact_on_every_path() {
    let mut runs = 0;
    for kind in MOVERS {
        for partner in PARTNERS {
            // Seen from the partner, the bearing of a pendulum moves and does work; mass aside from
            // the origin has another momentum than m v.
            let at_rest = frame(partner) == [0.0; 3];
            let aside = matches!(
                kind,
                Mover::Pendulum | Mover::Lopsided | Mover::TaperedCapsule
            );
            if aside && !at_rest {
                continue;
            }
            // Each law of the normal force with one friction, each friction with one law.
            let with_one = NORMALS.map(|normal| (normal, FRICTIONS[1]));
            let one_with = FRICTIONS.map(|friction| (NORMALS[0], friction));
            for (normal, friction) in with_one.into_iter().chain(one_with) {
                let mut description = scene(kind, partner);
                with_law(&mut description, normal, friction);
                let mut run = Run::new(description);
                let start = run.total(frame(partner));
                let case = format!("{kind:?} {partner:?} {:?} {:?}", normal.0, friction.0);
                // Before, in the middle of it and after.
                for end in [0.011, 0.013, 0.06] {
                    run.to(end, &case);
                    let lost = run.total(frame(partner)) - start;
                    let off = lost.abs();
                    assert!(off < 1e-7 * start, "{case} at {end} s: {lost} of {start} J");
                }
                assert!(run.touched, "{case} does not touch");
                let share = run.dissipated() / start;
                assert!((0.01..0.9).contains(&share), "{case}: lost {share}");
                runs += 1;
            }
        }
    }
    assert_eq!(runs, (7 * 5 - 6) * 10);
}

#[test]
fn a_ball_that_hits_head_on_loses_what_its_restitution_says() {
    let e = 0.7;
    for kind in [Mover::Ball, Mover::BallFirst, Mover::OnFreeJoint] {
        for partner in [
            Partner::Fixed,
            Partner::HalfSpace,
            Partner::Driven,
            Partner::Prescribed,
        ] {
            let mut description = scene(kind, partner);
            with_law(&mut description, NORMALS[0], FRICTIONS[0]);
            description.contact.law.restitution = RestitutionRule::Constant;
            let moving = usize::from(kind != Mover::BallFirst);
            description.bodies[moving].angular_velocity = [0.0; 3];
            if let Some(joint) = description.joints.first_mut() {
                joint.rates[3..].fill(0.0);
            }
            let mut run = Run::new(description);
            let mass = run.system.model().bodies[BodyId::from(moving)].mass;
            run.to(0.06, &format!("{kind:?} {partner:?}"));
            let speed = 1.0 + frame(partner)[2];
            let expected = 0.5 * mass * speed * speed * (1.0 - e * e);
            let error = run.dissipated() / expected - 1.0;
            assert!(error.abs() < 1e-6, "{kind:?} {partner:?}: off by {error}");
        }
    }
}
