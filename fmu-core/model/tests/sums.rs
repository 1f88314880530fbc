//! Sums over the contacts of two bodies, against the loads on the bodies and their kinetic energy.

use crate::fixtures::*;
use contact_model::dynamics::SumReport;

const G: [f64; 3] = [0.1, -0.2, 0.3];

/// A free body of balls of 0.1 m at these places, which flies and spins.
fn cluster(
    name: &str,
    places: &[[f64; 3]],
    position: [f64; 3],
    omega: [f64; 3],
) -> BodyDescription {
    let mut own = body(name, Motion::Free, sphere(0.1), position);
    let shape = own.shapes.remove(0);
    own.shapes = (places.iter().enumerate())
        .map(|(index, place)| ShapeDescription {
            name: format!("s{index}"),
            position: *place,
            ..shape.clone()
        })
        .collect();
    own.velocity = G.map(|g| g * position[2].signum());
    own.angular_velocity = omega;
    own
}

/// Three balls in a row on three others, two of which they overlap; a lone ball far away.
fn description(exchanged: bool) -> SceneDescription {
    let row = [[-0.12, 0.0, 0.0], [0.0, 0.0, 0.0], [0.12, 0.0, 0.0]];
    let bent = [[-0.12, 0.0, 0.0], [0.0, 0.0, -0.03], [0.12, 0.01, 0.0]];
    let lower = cluster("lower", &row, [0.01, 0.02, -0.0499], [1.0, 0.5, -2.0]);
    let upper = cluster("upper", &bent, [0.0, 0.03, 0.048], [0.3, -0.4, 0.8]);
    let mut bodies = vec![lower, upper, ball("lone", [0.0, 0.0, 5.0])];
    if exchanged {
        bodies.reverse();
    }
    let mut description = steel_scene(bodies);
    description.gravity = Gravity::None;
    description.contact.initial_overlap = InitialOverlap::Accept;
    description.report = Report::Pairs(vec![["upper", "lower"].map(whole)]);
    description
}

/// The sum and the contact force and torque on the body whose name comes second in the scene.
fn sum_of(description: SceneDescription) -> (SumReport, [f64; 6], System, Vec<f64>) {
    let (mut system, states) = at_event(description);
    let result = system.outputs(0.0, &states);
    let outputs = result.expect("outputs").clone();
    let sums = system.sums_here().expect("sums");
    assert_eq!(sums.len(), 1);
    let sum = *sums.first().expect("a sum");
    let named = system.scene().sums().first().expect("a sum").named;
    let names = &system.scene().named_pairs()[named].between;
    let second = system
        .scene()
        .bodies()
        .position(|body| body.name == names[1].body);
    let second = second.expect("a body");
    let [force, torque] = [
        outputs.contact_forces[second],
        outputs.contact_torques[second],
    ];
    let load = std::array::from_fn(|i| if i < 3 { force[i] } else { torque[i - 3] });
    (sum, load, system, states)
}

#[test]
fn force_and_moment_of_a_sum_are_what_the_bodies_do_to_each_other() {
    let mut sums = Vec::new();
    for exchanged in [false, true] {
        let (sum, load, system, _) = sum_of(description(exchanged));
        assert_eq!(sum.contacts, 2);
        assert_eq!(system.ledger().contacts().len(), 2);
        // The only partner: what acts on the second body is the sum.
        let found = sum.force_w.iter().chain(&sum.moment_w);
        for (found, expected) in found.zip(load) {
            assert!(
                (found - expected).abs() <= 1e-13 * sum.force_w.norm(),
                "{found} {expected}"
            );
        }
        assert!(sum.force_w.norm() > 1e3 && sum.moment_w.norm() > 10.0);
        sums.push(sum);
    }
    // Who is second does not matter: opposite forces, the same power.
    let [one, other] = [&sums[0], &sums[1]];
    assert!((one.force_w + other.force_w).norm() <= 1e-12 * one.force_w.norm());
    assert!((one.power - other.power).abs() <= 1e-12 * one.power.abs());
}

/// Without gravity nothing but the contacts changes the kinetic energy T, and dT/dt is a difference along
/// the rates of the states, of fourth order.
#[test]
fn the_power_of_a_sum_is_the_rate_of_the_kinetic_energy() {
    let (sum, _, mut system, states) = sum_of(description(false));
    let rates = rates(&mut system, 0.0, &states);
    let mut kinetic = |h: f64| {
        let moved: Vec<f64> = states
            .iter()
            .zip(&rates)
            .map(|(x, rate)| x + h * rate)
            .collect();
        system.outputs(0.0, &moved).expect("outputs").kinetic_energy
    };
    let h = 1e-7;
    let difference =
        (8.0 * (kinetic(h) - kinetic(-h)) - (kinetic(2.0 * h) - kinetic(-2.0 * h))) / (12.0 * h);
    assert!(sum.power.abs() > 100.0, "{}", sum.power);
    assert!(
        (difference - sum.power).abs() <= 1e-6 * sum.power.abs(),
        "{difference} {}",
        sum.power
    );
}
