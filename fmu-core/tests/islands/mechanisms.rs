//! Trees, end stops, grippers, and bodies that move as they are told, against closed forms and a
//! whole at a tolerance of 1e-10.

use crate::fixtures::*;
use crate::islands::comparing::*;
use std::f64::consts::PI;

/// Overlap from which on there is force [m].
const STARTS: f64 = 2e-8;

/// Chains of five links, each with a ball of 0.1 m at its end, hanging side by side from hinges on
/// a bar along y.
pub fn net(kind: JointKind, chains: usize) -> SceneDescription {
    const LINKS: usize = 5;
    const PITCH: f64 = 0.13;
    let name = |chain: usize, link: usize| format!("c{chain}{link}");
    let mut bodies = Vec::new();
    for chain in 0..chains {
        for link in 0..LINKS {
            let form = sphere(0.1);
            bodies.push(body(&name(chain, link), Motion::Joint, form, [0.0; 3]));
        }
    }
    let hitting = body("ball", Motion::Free, sphere(0.25), [-0.28, 0.02, -0.35]);
    bodies.push(at_speed(hitting, [4.0, 0.3, 1.0]));
    let mut description = scene(bodies, Some(FrictionKind::Regularized));
    for chain in 0..chains {
        for link in 0..LINKS {
            let parent = link.checked_sub(1).map(|above| name(chain, above));
            let mut hinge = joint(kind, parent.as_deref(), &name(chain, link));
            hinge.axis = [0.0, 1.0, 0.0];
            hinge.child_frame.position = [0.0, 0.0, 0.06];
            hinge.parent_frame.position = match link {
                0 => [0.0, PITCH * (chain as f64 - 0.5 * (chains - 1) as f64), 0.0],
                _ => [0.0, 0.0, -0.06],
            };
            description.joints.push(hinge);
        }
    }
    description
}

/// The ball runs into two chains one after the other, and chains that can swing to their sides into
/// their neighbours.
#[test]
#[ignore = "long: a net of many joints"]
fn a_net_that_a_ball_hits_gives_way_as_the_whole_says() {
    for (kind, end) in [(JointKind::Revolute, 0.12), (JointKind::Universal, 0.1)] {
        let name = format!("net, {kind:?}");
        // At ten times the tolerance a picometre at start moves the end between 0.2 and 1.2 of the bound.
        let mut both = Both::new(&name, net(kind, 4), [FINE, 0.1 * TOLERANCE]);
        both.to(end, 0.01);
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        both.close_the_balance(ENERGY);
        both.were_divided();
        let hit: Vec<_> = (0..4)
            .filter(|chain| {
                (0..5).any(|link| {
                    !starts_of(&both.divided, "ball", &format!("c{chain}{link}")).is_empty()
                })
            })
            .collect();
        assert!(hit.len() > 1, "{name}: hits {hit:?}");
    }
}

/// A body of 2 kg on a rail along x through `y` that starts at x = 0 with a speed [m/s] between
/// stops that give all back.
fn slider(name: &str) -> BodyDescription {
    let mut slider = ball(name, [0.0; 3]);
    slider.motion = Motion::Joint;
    slider.mass.mass = Some(MASS);
    slider.mass.inertia = Some([0.05, 0.05, 0.05, 0.0, 0.0, 0.0]);
    slider
}

const MASS: f64 = 2.0;
const STOP_STIFFNESS: f64 = 1e6;

fn rails(sliders: &[(f64, f64)], restitution: f64) -> SceneDescription {
    let names: Vec<_> = (0..sliders.len()).map(|i| format!("s{i}")).collect();
    let bodies = names.iter().map(|name| slider(name)).collect();
    let mut description = without_gravity(scene(bodies, Some(FrictionKind::Off)));
    for (index, (speed, reach)) in sliders.iter().enumerate() {
        let mut rail = joint(JointKind::Prismatic, None, &names[index]);
        rail.axis = [1.0, 0.0, 0.0];
        rail.parent_frame.position = [0.0, 0.5 * index as f64, 0.0];
        rail.rates = vec![*speed];
        rail.forces[0].stops = Some(joint_stops(
            Some(-reach),
            Some(*reach),
            STOP_STIFFNESS,
            restitution,
        ));
        description.joints.push(rail);
    }
    description
}

/// A slider flies 2 (reach + 2e-8 m) between its stops at its speed, and is in contact for
/// pi sqrt(m/k), half a swing of mass and stop. Three beside each other keep their own times.
#[test]
fn sliders_meet_their_stops_at_the_times_of_the_closed_form() {
    let sliders = [(3.0, 0.05), (2.0, 0.07), (5.0, 0.05)];
    let held = PI * (MASS / STOP_STIFFNESS).sqrt();
    for step in [1e-3, 0.013, 0.4] {
        let mut both = Both::new("sliders", rails(&sliders, 1.0), [FINE, TOLERANCE]);
        let end = 0.4;
        both.to(end, step);
        both.were_divided();
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        both.close_the_balance(ENERGY);
        let events = events_of(&both.divided);
        let starts: Vec<_> = events.iter().filter(|event| event.starts).collect();
        let mut expected = Vec::new();
        for (speed, reach) in sliders {
            let flight = 2.0 * (reach + STARTS) / speed;
            let nth = |n: u32| 0.5 * flight + f64::from(n) * (flight + held);
            expected.extend((0..).map(nth).take_while(|time| *time < end));
        }
        expected.sort_by(f64::total_cmp);
        assert_eq!(starts.len(), expected.len(), "{starts:?} {expected:?}");
        for (found, expected) in starts.iter().zip(&expected) {
            let off = found.time - expected;
            assert!(off.abs() < 1e-7, "{found:?} is {off:e} s off");
            assert!(matches!(found.touch, Touch::Stop(_)));
        }
    }
}

/// A slider between stops that lose half of its speed runs into a free ball, which takes the rest of
/// it to another slider.
#[test]
fn sliders_between_stops_meet_balls_as_the_whole_says() {
    for (restitution, step) in [(0.5, 0.01), (0.9, 0.2)] {
        let mut description = rails(&[(3.0, 0.05), (0.0, 0.08)], restitution);
        description.joints[1].parent_frame.position = [0.6, 0.0, 0.0];
        // Both at x = 0 and at x = 0.6 m, the ball between them.
        description
            .bodies
            .push(moving("ball", [0.24, 0.02, 0.0], [0.0; 3]));
        let name = format!("stops, {restitution}");
        let mut both = Both::new(&name, description, [FINE, TOLERANCE]);
        both.to(0.3, step);
        both.were_divided();
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        both.close_the_balance(ENERGY);
        let has = |what: fn(&Event) -> bool| events_of(&both.divided).iter().any(what);
        assert!(has(|event| matches!(event.touch, Touch::Stop(_))));
        assert!(has(|event| matches!(event.touch, Touch::Pair(_))));
    }
}

/// Two jaws on rails that forces push at a ball from both sides, while it falls; another ball falls
/// beside.
fn gripper(push: f64, gaps: [f64; 2]) -> SceneDescription {
    let jaw = |name: &str| body(name, Motion::Joint, cuboid([0.04, 0.3, 0.3]), [0.0; 3]);
    let bodies = vec![
        jaw("left"),
        jaw("right"),
        ball("load", [0.0; 3]),
        ball("aside", [0.0, 0.8, 0.0]),
    ];
    let mut description = scene(bodies, Some(FrictionKind::Stick));
    let law = law_of(&mut description);
    law.numbers
        .retain(|(number, _)| *number != Number::Restitution);
    law.numbers.push((Number::Restitution, 0.3));
    for (name, side, gap) in [("left", -1.0, gaps[0]), ("right", 1.0, gaps[1])] {
        let mut rail = joint(JointKind::Prismatic, None, name);
        rail.axis = [1.0, 0.0, 0.0];
        rail.positions = vec![side * (0.12 + gap)];
        description.joints.push(rail);
        let vectors = vectors(Some([-side * push, 0.0, 0.0]), None);
        let profile = ForceProfile::Constant(vectors);
        description
            .forces
            .push(force(&format!("push_{name}"), name, profile));
    }
    description
}

/// The jaws come when s = F t^2/(2 m) is their gap; the load then falls no further than it slips.
#[test]
fn a_gripper_grasps_a_falling_ball_as_the_whole_says() {
    let push = 2000.0;
    let mass = 8000.0 * 0.04 * 0.3 * 0.3;
    let gaps = [0.01, 0.012];
    for step in [1e-3, 0.01] {
        let mut both = Both::new("gripper", gripper(push, gaps), [FINE, TOLERANCE]);
        both.to(0.06, step);
        both.were_divided();
        both.meet_the_same(1e-6);
        both.are_at_the_same(STATES);
        let came = starts_of(&both.divided, "left", "load")[0];
        let expected = (2.0 * (gaps[0] + STARTS) * mass / push).sqrt();
        assert!((came - expected).abs() < 1e-8, "{came} {expected}");
        let names =
            (0..both.divided.states.len()).map(|i| both.divided.system.scene().state_name(i));
        let speed = |body: &str| {
            let name = format!("{body}.velocity[3]");
            let index = names.clone().position(|state| state == name);
            both.divided.states[index.expect("a state")]
        };
        assert!((speed("aside") + 9.81 * 0.06).abs() < 1e-9);
        assert!(speed("load") > 0.5 * speed("aside"), "the load falls");
    }
}

/// Jaws that tables move squeeze two balls at two places; kinks of the tables are time events of
/// both islands.
#[test]
fn jaws_that_tables_move_hold_two_balls_as_the_whole_says() {
    let mut bodies = Vec::new();
    let mut motions = Vec::new();
    for (place, y, closes) in [("one", 0.0, 0.0104), ("two", 0.7, 0.0056)] {
        bodies.push(ball(&format!("load_{place}"), [0.0, y, 0.0]));
        for (side, x) in [("left", -1.0), ("right", 1.0)] {
            let name = format!("{side}_{place}");
            let gap = closes - 4e-4;
            let at = [x * (0.12 + gap), y, 0.0];
            bodies.push(body(
                &name,
                Motion::Prescribed,
                cuboid([0.04, 0.3, 0.3]),
                at,
            ));
            motions.push(MotionDescription {
                body: name,
                profile: polyline(
                    vec![0.0, 0.02, 0.031],
                    vec![[0.0; 3], [-x * closes, 0.0, 0.0], [-x * closes, 0.0, 0.0]],
                ),
                jump: VelocityJump::Error,
            });
        }
    }
    let mut description = scene(bodies, Some(FrictionKind::Stick));
    description.motions = motions;
    let mut both = Both::new("prescribed jaws", description, [FINE, TOLERANCE]);
    // Windows end at the kinks of the tables, as a communication step has them end.
    for (end, step) in [(0.02, 5e-3), (0.031, 0.011), (0.05, 5e-3)] {
        both.to(end, step);
    }
    both.were_divided();
    both.meet_the_same(1e-6);
    both.are_at_the_same(STATES);
    // Both jaws of a place come at once: gap/(closes/0.02 s).
    for (place, closes) in [("one", 0.0104), ("two", 0.0056)] {
        let expected = 0.02 * (closes - 4e-4 + STARTS) / closes;
        for side in ["left", "right"] {
            let pair = [format!("{side}_{place}"), format!("load_{place}")];
            let came = starts_of(&both.divided, &pair[0], &pair[1])[0];
            near!(came, expected, 1e-9, "{pair:?}");
        }
    }
}
