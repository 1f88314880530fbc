//! Velocities after a latch has closed or opened. All momenta along free coordinates are kept; energies
//! and impulses are those of closed forms.

use super::*;

/// Two masses on a rail stick together: with the relative speed u before and the reduced mass
/// m = m1 m2/(m1 + m2) both have the speed of their centre of mass, and m u^2/2 is lost.
#[test]
fn two_masses_on_a_rail_latch_as_in_an_inelastic_impact() {
    let (m1, m2, v1, u) = (2.0, 3.0, 1.5, -4.0);
    let mut close = latch("b");
    close.close_time = Some(0.25);
    let mut description = scene(
        vec![lump("a", m1), lump("b", m2)],
        vec![slide(None, "a", 0.0, v1), slide(Some("a"), "b", 2.0, u)],
        vec![close],
    );
    description.energy_balance = true;
    let mut run = Run::new(description, 1e-10);
    let before = run.energy();
    go(&mut run, 0.25);
    let v = (m1 * v1 + m2 * (v1 + u)) / (m1 + m2);
    // States: coordinates and rates of a, of b, the energy lost.
    let expected = [
        0.25 * v1,
        v,
        2.0 + 0.25 * u,
        0.0,
        0.5 * m1 * m2 / (m1 + m2) * u * u,
    ];
    all_near(&run.states, &expected, 1e-13);
    near(run.energy() + run.states[4], before, 1e-12);
    let change = latch_changes(&run.system)[0];
    assert!(change.is_closed && !change.was_closed);
    let impulse = -m1 * m2 / (m1 + m2) * u;
    all_near(change.impulse_w.as_slice(), &[impulse, 0.0, 0.0], 1e-13);
    go(&mut run, 1.0);
    near(run.states[0], 0.25 * v1 + 0.75 * v, 1e-12);
    near(run.states[2], 2.0 + 0.25 * u, 1e-13);
    assert_eq!(run.states[3], 0.0);
}

/// Two tumbling bodies that are grasped off their centres of mass: momentum and angular momentum about
/// any point stay, and after that both move as one.
#[test]
fn tumbling_bodies_grasped_off_centre_keep_their_momenta() {
    let one = given_mass(2.0, [0.1, -0.2, 0.05], [0.3, 0.4, 0.5, 0.02, -0.03, 0.01]);
    let other = given_mass(0.7, [-0.1, 0.0, 0.2], [0.06, 0.05, 0.04, 0.0, 0.01, 0.0]);
    let mut root = plain_body("one", Motion::Free, one);
    root.position = [3.0, -2.0, 1.0];
    root.velocity = [0.4, 0.1, -0.3];
    root.angular_velocity = [1.0, -0.5, 0.7];
    let mut grasp = joint(JointKind::Free, Some("one"), "other");
    grasp.parent_frame.position = [0.5, 0.0, 0.1];
    grasp.child_frame.position = [0.0, -0.3, 0.0];
    grasp.positions = vec![0.02, 0.01, -0.03, 0.8, 0.0, 0.6, 0.0];
    grasp.rates = vec![0.3, -0.8, 0.2, 2.0, 1.0, -3.0];
    let mut close = latch("other");
    close.close_time = Some(0.1);
    let bodies = vec![root, plain_body("other", Motion::Joint, other)];
    let mut run = Run::new(scene(bodies, vec![grasp], vec![close]), 1e-11);
    go(&mut run, 0.1 - 1e-9);
    run.to(0.1);
    let before = momenta(&mut run);
    let energy = run.energy();
    let outcome = run.system.update_event(run.time, &mut run.states);
    assert!(outcome.expect("an event update").states_changed);
    let after = momenta(&mut run);
    for (before, after) in before.iter().zip(&after) {
        let expected = before.as_slice();
        all_near(after.as_slice(), expected, 1e-13 * before.norm().max(1.0));
    }
    assert!(run.energy() < energy);
    assert!(
        run.states[20..26].iter().all(|rate| *rate == 0.0),
        "{:?}",
        run.states
    );
    run.memory.restart();
    go(&mut run, 2.0);
    let later = momenta(&mut run);
    for (before, later) in before.iter().zip(&later) {
        all_near(later.as_slice(), before.as_slice(), 1e-9);
    }
}

/// A double pendulum whose elbow locks. With the inertia matrix M of the angles q1, q2 (R. Murray, Z. Li,
/// S. Sastry: A Mathematical Introduction to Robotic Manipulation, CRC 1994, section 4.2), momentum along
/// q1 stays: q1'+ = q1' + (M12/M11) q2', and the lock gives M12 q1'+ - M12 q1' - M22 q2' about the elbow.
#[test]
fn a_double_pendulum_locks_its_elbow_by_the_formula_of_two_angles() {
    let (m1, m2, i1, i2) = (1.3, 0.8, 0.11, 0.07);
    let (l1, c1, c2) = (0.9, 0.4, 0.35);
    let rod = |name: &str, m: f64, c: f64, i: f64| {
        let inertia = [1e-3 + i, i, i, 0.0, 0.0, 0.0];
        plain_body(name, Motion::Joint, given_mass(m, [c, 0.0, 0.0], inertia))
    };
    let (q1, q2, v1, v2) = (0.3, 1.1, 0.7, -2.3);
    let hinge = |parent: Option<&str>, child: &str, q: f64, v: f64| {
        let mut hinge = joint(JointKind::Revolute, parent, child);
        (hinge.positions, hinge.rates) = (vec![q], vec![v]);
        hinge
    };
    let mut elbow = hinge(Some("upper"), "lower", q2, v2);
    elbow.parent_frame.position = [l1, 0.0, 0.0];
    let mut close = latch("lower");
    close.closed = Some(false);
    close.close_time = Some(0.0);
    let bodies = vec![rod("upper", m1, c1, i1), rod("lower", m2, c2, i2)];
    let joints = vec![hinge(None, "upper", q1, v1), elbow];
    let run = Run::new(scene(bodies, joints, vec![close]), 1e-10);
    let alpha = i1 + i2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2);
    let (beta, delta) = (m2 * l1 * c2, i2 + m2 * c2 * c2);
    let (m11, m12) = (alpha + 2.0 * beta * q2.cos(), delta + beta * q2.cos());
    let after = v1 + m12 / m11 * v2;
    all_near(&run.states, &[q1, after, q2, 0.0], 1e-14);
    let change = latch_changes(&run.system)[0];
    near(change.moment_w.z, m12 * (after - v1) - delta * v2, 1e-14);
}

/// A chain of three masses whose two joints close at one instant: all get the speed of the centre of mass.
#[test]
fn two_latches_of_a_tree_close_at_one_instant() {
    let (masses, speeds) = ([1.0, 2.0, 4.0], [3.0, -1.0, 0.5]);
    let [mut first, mut second] = ["b", "c"].map(latch);
    (first.close_time, second.close_time) = (Some(0.5), Some(0.5));
    let joints = vec![
        slide(None, "a", 0.0, speeds[0]),
        slide(Some("a"), "b", 1.0, speeds[1] - speeds[0]),
        slide(Some("b"), "c", 1.0, speeds[2] - speeds[1]),
    ];
    let bodies = ["a", "b", "c"].iter().zip(masses).map(|(n, m)| lump(n, m));
    let mut run = Run::new(scene(bodies.collect(), joints, vec![first, second]), 1e-10);
    go(&mut run, 0.5);
    let momentum: f64 = masses.iter().zip(speeds).map(|(m, v)| m * v).sum();
    let v = momentum / masses.iter().sum::<f64>();
    near(run.states[1], v, 1e-14);
    assert_eq!([run.states[3], run.states[5]], [0.0, 0.0]);
    let impulses = latch_changes(&run.system)
        .into_iter()
        .map(|c| c.impulse_w.x);
    let impulses: Vec<f64> = impulses.collect();
    // On c what it takes up; on b what both take up.
    let on_c = masses[2] * (v - speeds[2]);
    let expected = &[on_c + masses[1] * (v - speeds[1]), on_c];
    all_near(&impulses, expected, 1e-14);
}

/// A rocket of two stages. Closed, F/(m1 + m2) - g acts on both; where they separate each gets the
/// impulse J, from then on only the lower one, which goes on with the thrust F.
#[test]
fn a_rocket_of_two_stages_follows_the_closed_forms() {
    let (m1, m2, f, g, j, t0, t1) = (5.0, 2.0, 140.0, 9.81, 6.0, 0.8, 2.0);
    let mut lower = plain_body(
        "lower",
        Motion::Free,
        given_mass(m1, [0.0; 3], [1.0, 1.0, 0.5, 0.0, 0.0, 0.0]),
    );
    lower.position = [0.2, 0.0, 1.0];
    let mut stage = joint(JointKind::Free, Some("lower"), "upper");
    stage.parent_frame.position = [0.0, 0.0, 1.5];
    stage.child_frame.position = [0.0, 0.0, -0.5];
    let mut separation = latch("upper");
    separation.open_time = Some(t0);
    separation.release_impulse = j;
    separation.release_direction = Some([0.0, 0.0, 2.0]);
    let mut description = scene(
        vec![lower, lump("upper", m2)],
        vec![stage],
        vec![separation],
    );
    description.gravity = Gravity::Uniform([0.0, 0.0, -g]);
    let thrust = ForceProfile::Constant(vectors(Some([0.0, 0.0, f]), None));
    description
        .forces
        .push(crate::fixtures::force("thrust", "lower", thrust));
    let mut run = Run::new(description, 1e-11);
    let a = f / (m1 + m2) - g;
    let heights = |run: &mut Run| {
        let result = run.system.go_to(run.time, &run.states);
        result.expect("good states");
        let ids: Vec<_> = run.system.scene().bodies().keys().collect();
        let motion = ids
            .into_iter()
            .map(|id| run.system.body_here(id).expect("a pose"));
        let motion = motion.flat_map(|(pose, twist)| [pose.position.z, twist.velocity_w.z]);
        motion.collect::<Vec<f64>>()
    };
    go(&mut run, 0.5);
    assert!(is_closed(&run, 0));
    let (s, v) = (0.5 * a * 0.25, 0.5 * a);
    all_near(&heights(&mut run), &[1.0 + s, v, 3.0 + s, v], 1e-10);
    let joint = run.system.scene().joints().keys().next().expect("a joint");
    let [force, torque] = run.system.reaction_here(joint).expect("a reaction");
    all_near(force.as_slice(), &[0.0, 0.0, m2 * (a + g)], 1e-10);
    all_near(torque.as_slice(), &[0.0; 3], 1e-10);
    go(&mut run, t1);
    assert!(!is_closed(&run, 0));
    let (s0, v0, t) = (0.5 * a * t0 * t0, a * t0, t1 - t0);
    let (a1, v1, v2) = (f / m1 - g, v0 - j / m1, v0 + j / m2);
    let expected = [
        1.0 + s0 + v1 * t + 0.5 * a1 * t * t,
        v1 + a1 * t,
        3.0 + s0 + v2 * t - 0.5 * g * t * t,
        v2 - g * t,
    ];
    all_near(&heights(&mut run), &expected, 1e-10);
    let [force, _] = run.system.reaction_here(joint).expect("a reaction");
    assert_eq!(force, Vec3::zeros());
}

/// The impulse of release along a slide parts the masses by J/m.
#[test]
fn a_released_slide_is_driven_apart() {
    let (m1, m2, j) = (2.0, 3.0, -1.2);
    let mut open = latch("b");
    open.open_time = Some(0.5);
    open.release_impulse = j;
    let joints = vec![slide(None, "a", 0.0, 1.0), slide(Some("a"), "b", 2.0, 0.0)];
    let mut description = scene(vec![lump("a", m1), lump("b", m2)], joints, vec![open]);
    description.energy_balance = true;
    let mut run = Run::new(description, 1e-10);
    let before = run.energy();
    go(&mut run, 0.5);
    let apart = j / m1 + j / m2;
    let expected = [0.5, 1.0 - j / m1, 2.0, apart];
    all_near(&run.states[..4], &expected, 1e-14);
    near(run.energy() + run.states[4], before, 1e-13);
}

/// A driven ball meets the rider of a cart at the event at which a command joins both: the contact starts
/// with the speed that the rider has when the latch is closed.
#[test]
fn a_latch_closes_at_the_event_at_which_a_contact_starts() {
    let (m1, m2, v, u) = (2.0, 3.0, 0.5, 1.0);
    let mut rider = ball("rider", [0.0; 3]);
    rider.motion = Motion::Joint;
    rider.mass = lump("rider", m2).mass;
    let mut hammer = ball("hammer", [5.0, 0.0, 0.0]);
    hammer.motion = Motion::Driven;
    let mut close = latch("rider");
    close.input = true;
    let joints = vec![
        slide(None, "cart", 0.0, v),
        slide(Some("cart"), "rider", 1.0, u),
    ];
    let bodies = vec![lump("cart", m1), rider, hammer];
    let mut run = Run::new(scene(bodies, joints, vec![close]), 1e-10);
    assert_eq!(run.system.ledger().contacts().len(), 0);
    let mut inputs = run.system.scene().start_inputs();
    // The hammer overlaps the rider, whose radius is 0.1 m, by 10 um; the last input is the command.
    inputs.raw[0] = 1.2 - 1e-5;
    *inputs.raw.last_mut().expect("a command") = 1.0;
    run.system.set_inputs(&inputs.raw, None);
    let outcome = run.system.update_event(0.0, &mut run.states);
    assert!(outcome.expect("an event update").states_changed);
    let after = (m1 * v + m2 * (v + u)) / (m1 + m2);
    all_near(&run.states[..4], &[0.0, after, 1.0, 0.0], 1e-14);
    assert!(is_closed(&run, 0));
    let [contact] = run.system.ledger().contacts() else {
        panic!("one contact");
    };
    near(contact.impact_speed, after, 1e-14);
}
