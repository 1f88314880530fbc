//! Small scenes for unit tests.

use crate::response::material::PairData;
use crate::response::options::LawOptions;
use crate::scene::description::{
    BodyDescription, ContactOptions, Experiment, Form, GivenMass, Gravity, Material, MaterialPair,
    Motion, PairResponse, SceneDescription, ShapeDescription,
};

/// Steel: E 2e11 Pa, nu 0.3, 8000 kg/m3; steel on steel: cor 0.7, mu_k 0.5, mu_r 0.001.
pub fn steel_scene(bodies: Vec<BodyDescription>) -> SceneDescription {
    SceneDescription {
        name: "test".into(),
        gravity: Gravity::Uniform([0.0, 0.0, -9.81]),
        bodies,
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
                rolling_resistance: 0.001,
                v_small: 0.01,
                w_small: 0.01,
            }),
        }],
        contact: ContactOptions {
            law: LawOptions::DEFAULT,
            k_red: 1.0,
            nz_max: None,
            smoothing_radius: 1e-3,
        },
        experiment: Experiment {
            start_time: 0.0,
            stop_time: 1.0,
            tolerance: None,
            step_size: None,
        },
        energy_balance: false,
    }
}

/// A body with one steel shape of its own name.
pub fn body(name: &str, motion: Motion, form: Form, position: [f64; 3]) -> BodyDescription {
    BodyDescription {
        name: name.into(),
        motion,
        position,
        orientation: [1.0, 0.0, 0.0, 0.0],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        mass: GivenMass::default(),
        shapes: vec![ShapeDescription {
            name: name.into(),
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
    }
}

/// Fixed plate with its top at z = 0, 2 m wide.
pub fn plate() -> BodyDescription {
    body(
        "plate",
        Motion::Fixed,
        Form::Box {
            lengths: [2.0, 2.0, 0.1],
        },
        [0.0, 0.0, -0.05],
    )
}

/// Free ball of 0.2 m diameter with its centre at `position`.
pub fn ball(name: &str, position: [f64; 3]) -> BodyDescription {
    body(name, Motion::Free, Form::Sphere { diameter: 0.2 }, position)
}
