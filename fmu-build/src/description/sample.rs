//! A scene for the tests of this folder.

use fmu_core::response::options::LawOptions;
use fmu_core::scene::description::*;

/// A steel ball above a steel plate.
pub fn bouncing_ball() -> SceneDescription {
    let body = |name: &str, motion, height, form| BodyDescription {
        name: name.into(),
        motion,
        position: [0.0, 0.0, height],
        orientation: [1.0, 0.0, 0.0, 0.0],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        mass: GivenMass::default(),
        shapes: vec![ShapeDescription {
            name: "shape".into(),
            form,
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            material: "Steel".into(),
            contact_material: None,
            collision: true,
            smoothing_radius: None,
            contact_sphere_radius: None,
            flat: None,
        }],
    };
    let plate = Form::Box {
        lengths: [1.0, 1.0, 0.1],
    };
    let ball = Form::Sphere { diameter: 0.2 };
    SceneDescription {
        name: "bouncing_ball".into(),
        gravity: Gravity::Uniform([0.0, 0.0, -9.81]),
        bodies: vec![
            body("ground", Motion::Fixed, -0.05, plate),
            body("ball", Motion::Free, 1.1, ball),
        ],
        materials: vec![Material {
            name: "Steel".into(),
            density: 8000.0,
            youngs_modulus: 2e11,
            poissons_ratio: 0.3,
        }],
        material_pairs: vec![MaterialPair {
            materials: ["Steel".into(), "Steel".into()],
            response: PairResponse::Elastic(PairData {
                restitution: 0.7,
                sliding_friction: 0.5,
                rolling_resistance: 1e-3,
                v_small: 0.01,
                w_small: 0.01,
            }),
        }],
        contact: ContactOptions {
            law: LawOptions::DEFAULT,
            k_red: 1.0,
            nz_max: None,
            smoothing_radius: DEFAULT_SMOOTHING_RADIUS,
        },
        experiment: Experiment {
            start_time: 0.0,
            stop_time: 3.0,
            tolerance: None,
            step_size: None,
        },
        energy_balance: false,
    }
}
