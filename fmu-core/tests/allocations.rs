//! The path of an importer's integrator allocates nothing once initialisation is over.
#![allow(unsafe_code)]

use crate::counting::count;
use crate::fixtures::*;
use crate::fmi3::importer::{self, Fmu, POSITION, VELOCITY, falling_ball, reference};
use fmu_core::fmi3::fmi3Status::*;
use fmu_core::fmi3::*;

/// Evaluates at a height of the ball in every way a solver does; the number of allocations.
fn evaluate(
    importer: &importer::Importer,
    references: [u32; 3],
    states: &mut [f64],
    height: f64,
) -> u64 {
    let mut rates = [0.0; 13];
    let mut indicators = [0.0; 1];
    let mut values = [0.0; 3];
    let (mut enter, mut terminate) = (false, false);
    states[POSITION + 2] = height;
    states[VELOCITY] = 0.5;
    let before = count();
    // SAFETY: pointers and lengths are those of local arrays.
    let status = unsafe {
        let instance = importer.instance;
        [
            fmi3SetTime(instance, height),
            fmi3SetContinuousStates(instance, states.as_ptr(), states.len()),
            fmi3GetContinuousStateDerivatives(instance, rates.as_mut_ptr(), rates.len()),
            fmi3GetEventIndicators(instance, indicators.as_mut_ptr(), indicators.len()),
            fmi3GetContinuousStates(instance, states.as_mut_ptr(), states.len()),
            fmi3GetFloat64(instance, references.as_ptr(), 3, values.as_mut_ptr(), 3),
            fmi3CompletedIntegratorStep(instance, true, &raw mut enter, &raw mut terminate),
        ]
    };
    let allocations = count() - before;
    assert_eq!(status, [fmi3OK; 7]);
    allocations
}

/// Ball on a plane, and bodies on a box whose nearest features are searched for.
#[test]
fn evaluations_in_flight_and_in_contact_allocate_nothing() {
    allocate_nothing(&Fmu::falling_ball(), [2, 15, 16]);
    let mut description = falling_ball();
    description.report = Report::All;
    description.bodies[0].shapes[0].form = cuboid([2.0, 2.0, 0.1]);
    description.bodies[0].position = [0.0, 0.0, -0.05];
    let lengths = [0.3, 0.25, 0.2];
    for form in [ellipsoid(lengths), cuboid(lengths)] {
        description.bodies[1].shapes[0].form = form;
        let fmu = Fmu::new(description.clone());
        let reported = ["gap", "force[3]"];
        let [gap, force] =
            reported.map(|name| reference(&fmu, &format!("contact.ground.ball.{name}")));
        allocate_nothing(&fmu, [2, gap, force]);
    }
}

/// A mass, a modulus and a friction that an importer sets at each evaluation.
#[test]
fn parameters_that_are_inputs_allocate_nothing() {
    let mut description = falling_ball();
    let names = [
        "ball.mass",
        "world.gravity",
        "material.Rubber.youngs_modulus",
    ];
    description.parameter_inputs = names.map(str::to_owned).to_vec();
    let fmu = Fmu::new(description);
    let names = [
        "ball.mass",
        "world.gravity[3]",
        "material.Rubber.youngs_modulus",
    ];
    let references = names.map(|name| reference(&fmu, name));
    let importer = fmu.integrating();
    let mut states = importer.continuous_states();
    let mut rates = [0.0; 13];
    for (step, height) in [0.5, 0.3, 0.0999, 0.0998, 0.0995].into_iter().enumerate() {
        if height == 0.0999 {
            evaluate(&importer, [2, 3, 4], &mut states, height);
            importer.event(fmi3EnterContinuousTimeMode);
        }
        states[POSITION + 2] = height;
        let values = [1.0 + step as f64, -9.0 - height, 1e7 * (1.0 + height)];
        let before = count();
        importer.fine(importer.set_states(&states));
        importer.fine(importer.set(&references, &values));
        // SAFETY: pointer and length are those of a local array.
        let status = unsafe {
            fmi3GetContinuousStateDerivatives(importer.instance, rates.as_mut_ptr(), rates.len())
        };
        assert_eq!(count() - before, 0, "at {height} m");
        assert_eq!(status, fmi3OK);
        let free = -9.0 - height;
        assert_eq!(rates[VELOCITY + 2] > free, height < 0.1, "at {height} m");
    }
}

/// Asks for evaluations of a body 0.1 m over a plane, and in contact with it, and for variables.
fn allocate_nothing(fmu: &Fmu, references: [u32; 3]) {
    let importer = fmu.integrating();
    let mut states = importer.continuous_states();
    for height in [0.5, 0.3, 0.11] {
        assert_eq!(
            evaluate(&importer, references, &mut states, height),
            0,
            "at {height} m"
        );
    }
    evaluate(&importer, references, &mut states, 0.0999);
    importer.event(fmi3EnterContinuousTimeMode);
    assert!(importer.event_indicators()[0] < 0.0);
    for height in [0.0998, 0.099, 0.0995] {
        assert_eq!(
            evaluate(&importer, references, &mut states, height),
            0,
            "at {height} m"
        );
    }
}

/// Position, quaternion, velocity and angular velocity of a driven ball as an importer sets them:
/// its way is watched, and all fits.
#[test]
fn watching_a_driven_body_allocates_nothing() {
    let mut description = falling_ball();
    description.bodies[1].motion = Motion::Driven;
    let fmu = Fmu::new(description);
    let inputs = [
        ("position", 3),
        ("orientation", 4),
        ("velocity", 3),
        ("angular_velocity", 3),
    ];
    let elements = inputs
        .into_iter()
        .flat_map(|(of, count)| (1..=count).map(move |i| (of, i)));
    let elements = elements.map(|(of, i)| reference(&fmu, &format!("ball.{of}[{i}]")));
    let references: Vec<u32> = elements.collect();
    let importer = fmu.integrating();
    for step in 0..100 {
        let time = 0.01 * f64::from(step);
        let half = 0.5 * time;
        let values = [
            time,
            0.0,
            1.0,
            half.cos(),
            0.0,
            0.0,
            half.sin(),
            1.0,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
        ];
        let (mut enter, mut terminate) = (false, false);
        let before = count();
        // SAFETY: pointers and lengths are those of local arrays.
        let status = unsafe {
            let (instance, from, n) = (importer.instance, values.as_ptr(), values.len());
            [
                fmi3SetTime(instance, time),
                fmi3SetFloat64(instance, references.as_ptr(), references.len(), from, n),
                fmi3CompletedIntegratorStep(instance, true, &raw mut enter, &raw mut terminate),
            ]
        };
        assert_eq!((status, count() - before), ([fmi3OK; 3], 0), "{time} s");
    }
    assert!(importer.log().iter().all(|(status, ..)| *status == fmi3OK));
}
