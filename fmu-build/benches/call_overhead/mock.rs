//! The C mock: compiled when the benchmark starts, with the parameters of the scene.

use crate::calls::Calls;
use contact_geometry::math::Mat3;
use contact_geometry::shapes::{Core, Cuboid};
use contact_laws::index::{BodyId, ShapeId};
use contact_laws::response::choice::ContactRule;
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::normal::NormalLaw;
use contact_model::dynamics::System;
use contact_model::scene::description::Gravity;
use std::ffi::c_void;
use std::path::Path;
use std::process::Command;

/// Source of the mock.
const SOURCE: &str = include_str!("mock.c");

/// The mock's `parameters`; fields as there.
#[repr(C)]
pub struct Parameters {
    mass: f64,
    center_of_mass: [f64; 3],
    inertia: [f64; 9],
    inverse_inertia: [f64; 9],
    gravity: [f64; 3],
    box_position: [f64; 3],
    box_rotation: [f64; 9],
    half: [f64; 3],
    r_box: f64,
    r_ball: f64,
    z_eps: f64,
    stiffness: f64,
    damping: f64,
    mu: f64,
    v_small: f64,
    mu_r_arm: f64,
    w_small: f64,
    contact: f64,
}

impl Parameters {
    /// Those of a system whose body 0 is a box and body 1 a ball, with its present contact.
    pub fn of(system: &System) -> Result<Self, &'static str> {
        let (model, scene) = (system.model(), system.scene());
        let [ground, ball] = [
            &model.bodies[BodyId::from(0)],
            &model.bodies[BodyId::from(1)],
        ];
        let [plate, sphere] = [0, 1].map(|shape| &scene.shapes()[ShapeId::from(shape)].form);
        let Core::Box(Cuboid { half }) = plate.core else {
            return Err("shape 0 is not a box");
        };
        let Gravity::Uniform(gravity) = model.gravity else {
            return Err("gravity is not uniform");
        };
        let law = model.law(0.into());
        let ContactRule::Hysteresis { z_eps, .. } = law.rule else {
            return Err("the contact rule is not that of the default law");
        };
        let NormalLaw::Power(elastic) = law.normal else {
            return Err("the normal law is not that of Hertz");
        };
        let FrictionLaw::Regularized { sliding, v_small } = law.friction else {
            return Err("friction is not regularized");
        };
        let contact = system.ledger().contact(0.into());
        Ok(Parameters {
            mass: ball.mass,
            center_of_mass: ball.center_of_mass_b.into(),
            inertia: rows(&ball.inertia_b),
            inverse_inertia: rows(&ball.inverse_inertia_b),
            gravity,
            box_position: ground.pose.position.into(),
            box_rotation: rows(&ground.pose.rotation),
            half: half.into(),
            r_box: plate.radius,
            r_ball: sphere.radius,
            z_eps,
            stiffness: elastic.stiffness,
            damping: contact.map_or(0.0, |contact| contact.frozen.number),
            mu: sliding,
            v_small,
            mu_r_arm: law.resistance.rolling,
            w_small: law.resistance.w_small,
            contact: f64::from(u8::from(contact.is_some())),
        })
    }
}

fn rows(matrix: &Mat3) -> [f64; 9] {
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| matrix[(i / 3, i % 3)])
}

/// The mock, loaded, with the memory of one instance.
pub struct Mock {
    memory: Vec<u64>,
    library: libloading::Library,
}

impl Mock {
    /// Compiles the mock into `folder`, loads it and gives it its parameters.
    pub fn new(folder: &Path, parameters: &Parameters) -> Self {
        let source = folder.join("mock.c");
        let file = folder.join("mock.so");
        std::fs::write(&source, SOURCE).expect("the source is written");
        let status = Command::new("cc")
            .args([
                "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
            ])
            .args([&file, &source])
            .arg("-lm")
            .status()
            .expect("a C compiler named cc");
        assert!(status.success(), "cc fails on {}", source.display());
        // SAFETY: the library is the one just made; its functions have the prototypes of mock.c,
        // and the memory is as large and as aligned as a `model` there needs.
        unsafe {
            let library = libloading::Library::new(&file).expect("the mock is loaded");
            let size = library
                .get::<unsafe extern "C" fn() -> usize>("mock_size")
                .expect("mock_size")();
            let mut memory = vec![0; size.div_ceil(8)];
            let init = library
                .get::<unsafe extern "C" fn(*mut c_void, *const Parameters)>("mock_init")
                .expect("mock_init");
            init(memory.as_mut_ptr().cast(), parameters);
            Mock { memory, library }
        }
    }

    /// Its functions.
    pub fn calls(&mut self) -> Calls {
        let instance = self.memory.as_mut_ptr().cast();
        // SAFETY: prototypes as in mock.c.
        unsafe {
            Calls::find(
                &self.library,
                instance,
                ["mock_set_states", "mock_derivatives", "mock_indicators"],
            )
        }
    }
}
