//! Friction `stick` in scenes, against closed forms: what is at rest stays there.

mod motion;
mod states;

use crate::fixtures::*;
use contact_laws::index::BodyId;
use contact_model::dynamics::System;
use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{Integrator, LegEnd, Memory, Settings, Statistics};

/// Half-width of the contact hysteresis [m]: a resting body is deeper by twice that.
const Z_EPS: f64 = 1e-8;
/// Hertz modulus 1/(2 (1 - nu^2)/E) of steel on steel [Pa].
const STEEL: f64 = 2e11 / (2.0 * 0.91);
/// Radius of the corner spheres of a block [m].
const CORNER: f64 = 0.01;

fn ground() -> BodyDescription {
    body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3])
}

/// Depth at which a steel ball of a radius [m] on a plane carries a weight [N].
fn rest_depth(radius: f64, weight: f64) -> f64 {
    let stiffness = 4.0 / 3.0 * radius.sqrt() * STEEL;
    (weight / stiffness).powf(2.0 / 3.0) + 2.0 * Z_EPS
}

/// A block of 0.3 m x 0.3 m x 0.1 m and 1 kg on four spheres at its lower corners, at rest on z = 0
/// under a gravity of `g` [m/s2] along -z.
fn block(position: [f64; 2], g: f64) -> BodyDescription {
    let [x, y] = position;
    let z = 0.05 - rest_depth(CORNER, 0.25 * g);
    let diameter = 2.0 * CORNER;
    let mut block = ball("brick", [x, y, z]);
    let corner = block.shapes.remove(0);
    for (name, x, y) in [
        ("a", -0.15, -0.15),
        ("b", -0.15, 0.15),
        ("c", 0.15, -0.15),
        ("d", 0.15, 0.15),
    ] {
        let mut shape = corner.clone();
        shape.name = name.into();
        shape.form = sphere(diameter);
        shape.position = [x, y, CORNER - 0.05];
        block.shapes.push(shape);
    }
    block.mass.mass = Some(1.0);
    block.mass.center_of_mass = Some([0.0; 3]);
    let (flat, tall) = (0.09 + 0.01, 0.09 + 0.09);
    block.mass.inertia = Some([flat / 12.0, flat / 12.0, tall / 12.0, 0.0, 0.0, 0.0]);
    block
}

/// Bodies of steel with a law of friction and some numbers of the law.
fn scene(
    bodies: Vec<BodyDescription>,
    friction: FrictionKind,
    numbers: &[(Number, f64)],
) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.contact.law.friction = friction;
    description.energy_balance = true;
    let law = law_of(&mut description);
    law.numbers
        .retain(|(known, _)| numbers.iter().all(|(number, _)| number != known));
    law.numbers.extend_from_slice(numbers);
    description
}

fn tilted(mut description: SceneDescription, degrees: f64) -> SceneDescription {
    let (sin, cos) = degrees.to_radians().sin_cos();
    description.gravity = Gravity::Uniform([9.81 * sin, 0.0, -9.81 * cos]);
    description
}

/// Force [N] on the last free body at a time [s] and its states, world axes.
type Push = fn(f64, &[f64]) -> [f64; 3];

/// A system with a force on the last body, which acts at its centre or below.
struct Pushed {
    system: System,
    push: Push,
    /// Height of the centre over the line of action [m].
    arm: f64,
    /// Moment of inertia about the horizontal axes [kg.m2].
    inertia: f64,
    /// First state and mass of the body.
    offset: usize,
    mass: f64,
}

impl HybridSystem for Pushed {
    fn state_count(&self) -> usize {
        self.system.state_count()
    }

    fn indicator_count(&self) -> usize {
        self.system.indicator_count()
    }

    fn nominals(&self, nominals: &mut [f64]) {
        self.system.nominals(nominals);
    }

    fn derivatives(&mut self, t: f64, x: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        self.system.derivatives(t, x, f)?;
        let own = self.offset..self.offset + 13;
        let force = (self.push)(t, &x[own.clone()]);
        let f = &mut f[own];
        for (rate, force) in f[7..10].iter_mut().zip(force) {
            *rate += force / self.mass;
        }
        f[10] += self.arm * force[1] / self.inertia;
        f[11] -= self.arm * force[0] / self.inertia;
        Ok(())
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), EvaluationError> {
        self.system.indicators(t, x, z)
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, EvaluationError> {
        self.system.completed_step(t, x)
    }

    fn update_event(&mut self, t: f64, x: &mut [f64]) -> Result<EventOutcome, EvaluationError> {
        self.system.update_event(t, x)
    }
}

/// An integration from the start of a scene.
struct Run {
    pushed: Pushed,
    integrator: Integrator,
    memory: Memory,
    time: f64,
    states: Vec<f64>,
}

impl Run {
    fn new(description: SceneDescription, tolerance: f64) -> Self {
        Self::pushed(description, tolerance, |_, _| [0.0; 3])
    }

    fn pushed(description: SceneDescription, tolerance: f64, push: Push) -> Self {
        let scene = valid(description);
        let mut system = start_of(&scene);
        let mut states = scene.start_states();
        system.update_event(0.0, &mut states).expect("contacts");
        let last = scene.bodies().len() - 1;
        let settings = Settings::new(tolerance).expect("a tolerance");
        Run {
            integrator: Integrator::new(states.len(), scene.indicator_count(), settings),
            pushed: Pushed {
                offset: scene.layout().body(last.into()).expect("a free body"),
                mass: system.model().bodies[BodyId::from(last)].mass,
                inertia: system.model().bodies[BodyId::from(last)].inertia_b[(0, 0)],
                arm: 0.0,
                system,
                push,
            },
            memory: Memory::default(),
            time: 0.0,
            states,
        }
    }

    fn to(&mut self, end: f64) {
        loop {
            let stop = self
                .integrator
                .advance(
                    &mut self.pushed,
                    &mut self.memory,
                    &mut self.time,
                    &mut self.states,
                    end,
                    None,
                )
                .expect("an integration");
            if stop == LegEnd::End {
                return;
            }
            self.pushed
                .update_event(self.time, &mut self.states)
                .expect("an event");
            self.memory.restart();
        }
    }

    /// State of the last body.
    fn own(&self, index: usize) -> f64 {
        self.states[self.pushed.offset + index]
    }

    fn work(&self) -> &Statistics {
        self.memory.statistics()
    }

    /// Kinetic, potential and elastic energy, and what is dissipated [J].
    fn energies(&mut self) -> (f64, f64) {
        let work = self.pushed.system.scene().layout().work();
        let dissipated = work.map_or(0.0, |work| self.states[work]);
        let outputs = self.pushed.system.outputs(self.time, &self.states).unwrap();
        let mechanical = outputs.kinetic_energy + outputs.potential_energy + outputs.elastic_energy;
        (mechanical, dissipated)
    }
}
