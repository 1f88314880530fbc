//! Where a scene stands in the world, and how it is turned, does not matter.

use super::contact::leg_scene;
use super::*;

/// The scene turned about the world origin by q, then moved.
fn moved(description: &SceneDescription, q: &[f64; 4], shift: &[f64; 3]) -> SceneDescription {
    let pose = Pose {
        position: Vec3::from(*shift),
        rotation: rotation_matrix(q),
    };
    let mut moved = description.clone();
    let place = |position: &mut [f64; 3], orientation: &mut [f64; 4]| {
        *position = (pose.position + pose.rotation * Vec3::from(*position)).into();
        *orientation = multiply(q, orientation);
    };
    for body in &mut moved.bodies {
        if body.motion != Motion::Joint {
            place(&mut body.position, &mut body.orientation);
            body.velocity = (pose.rotation * Vec3::from(body.velocity)).into();
        }
    }
    for joint in moved.joints.iter_mut().filter(|j| j.parent.is_none()) {
        let frame = &mut joint.parent_frame;
        place(&mut frame.position, &mut frame.orientation);
    }
    if let Gravity::Uniform(g) = &mut moved.gravity {
        *g = (pose.rotation * Vec3::from(*g)).into();
    }
    moved
}

/// What does not change when the whole scene is turned and moved, and what turns with it.
struct Observed {
    scalars: Vec<f64>,
    vectors: Vec<Vec3>,
}

fn observed(description: &SceneDescription) -> Observed {
    let (mut system, states) = at_event(description.clone());
    let rates = rates(&mut system, 0.0, &states);
    let (mut scalars, mut vectors) = (Vec::new(), Vec::new());
    let model = system.model().clone();
    for link in model.links.all.iter().filter(|link| !link.is_free) {
        scalars.extend_from_slice(&rates[link.positions.start..link.rates.end]);
    }
    let vector = |at: usize| Vec3::new(rates[at], rates[at + 1], rates[at + 2]);
    for link in model.links.all.iter().filter(|link| link.is_free) {
        let first = link.first_state();
        vectors.extend([vector(first), vector(first + 7)]);
        scalars.extend_from_slice(vector(first + 10).as_slice());
    }
    for joint in 0..model.scene.joints().len() {
        vectors.extend(system.reaction_here(joint.into()).expect("a reaction"));
    }
    for body in 0..model.bodies.len() {
        let (_, twist) = system.body_here(body.into()).expect("a body");
        vectors.extend([twist.velocity_w, twist.omega_w]);
        scalars.extend_from_slice(twist.omega_b.as_slice());
    }
    let outputs = system.outputs_here().expect("outputs");
    scalars.extend([outputs.kinetic_energy, outputs.contact_count as f64]);
    let [forces, torques] = [&outputs.contact_forces, &outputs.contact_torques];
    vectors.extend(forces.iter().chain(torques).map(|v| Vec3::from(*v)));
    Observed { scalars, vectors }
}

/// The largest change over twenty scenes, as part of the largest number of each.
fn worst_change(seed: u64, distance: f64, scene: impl Fn(&mut Random) -> SceneDescription) -> f64 {
    let mut random = Random(seed);
    let mut worst = 0.0_f64;
    for _ in 0..20 {
        let description = scene(&mut random);
        let q = random.quaternion();
        let shift = random.vector().map(|v| distance * v);
        let rotation = rotation_matrix(&q);
        let here = observed(&description);
        let there = observed(&moved(&description, &q, &shift));
        let size = here
            .scalars
            .iter()
            .copied()
            .chain(here.vectors.iter().map(|v| v.norm()))
            .fold(0.0, |m: f64, v| m.max(v.abs()));
        for (a, b) in here.scalars.iter().zip(&there.scalars) {
            worst = worst.max((a - b).abs() / size);
        }
        for (a, b) in here.vectors.iter().zip(&there.vectors) {
            worst = worst.max((rotation * a - b).norm() / size);
        }
    }
    worst
}

#[test]
fn a_scene_turned_and_moved_moves_alike() {
    let worst = worst_change(2, 1.0, |random| random_scene(random, 20));
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn a_scene_a_thousand_kilometres_away_loses_nothing() {
    let worst = worst_change(3, 1e6, |random| random_scene(random, 20));
    assert!(worst < 1e-12, "{worst:e}");
}

/// A spring of 1e5 N/m pressed in by 1 cm, with damping, friction and rolling resistance: a depth
/// that rounding of positions does not reach.
#[test]
fn a_leg_in_contact_turned_and_moved_feels_the_same_forces() {
    let worst = worst_change(4, 1.0, |_| {
        let mut description = leg_scene(0.01);
        let changes = law_of(&mut description);
        changes.normal = Some(NormalKind::Spring);
        changes.numbers.push((Number::Stiffness, 1e5));
        let touching = observed(&description);
        assert!(touching.scalars.last() == Some(&1.0), "one contact");
        description
    });
    assert!(worst < 1e-12, "{worst:e}");
}
