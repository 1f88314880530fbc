//! Length of a step, from the stiffest contact.
//!
//! A pair with the effective mass m [kg] that meets at [`REFERENCE_SPEED`] stores all energy at the
//! depth delta of its law; with the stiffness k = df/d(delta) there, its contact lasts about
//! T = pi sqrt(m/k), longer where the force starts softly: 1.28 T with Hertz. The step is T over
//! [`STEPS_PER_CONTACT`], the least of all pairs. Of a body whose contact point is not in line with
//! its centre of mass m is that of the farthest point of its shape, the least that it can be.
//! Friction that holds is a spring too, with the effective mass across the normal, 2/7 m for balls:
//! a step is at most pi sqrt(m/k) of that over [`STEPS_IN_SHEAR`].
//!
//! The velocity Verlet rule is stable up to sqrt(4 m/k) = 0.64 T. Customary are a tenth to a fifth
//! of the time in which a Rayleigh wave passes a grain, [Ning, Ghadiri 2006] Distinct element
//! analysis of attrition of granular solids under shear deformation, Chemical Engineering Science
//! 61, 5991-6001, or a twentieth to a fiftieth of the contact time. The first says what an elastic
//! body can follow; what a law of contact asks for is the second, which holds for springs too.

use crate::dynamics::Model;
use crate::dynamics::magnitudes::REFERENCE_SPEED;
use crate::scene::Pair;
use contact_laws::index::ShapeId;

/// Steps in pi sqrt(m/k) of the stiffest contact. With 25 the largest penetration of an impact is
/// within 3e-4 of the one that the motion has, and its sample within 2e-3 of it.
pub const STEPS_PER_CONTACT: f64 = 25.0;
/// Steps in pi sqrt(m/k) of the stiffest tangential spring: half as many, for no impact loads it at
/// once. The stiffness that is derived from the normal one asks for no shorter step than that.
pub const STEPS_IN_SHEAR: f64 = 12.5;
/// Step where nothing exerts a force on anything [s].
const FREE_STEP: f64 = 1e-3;

/// Longest step [s] that resolves each contact of a model.
pub fn longest(model: &Model) -> f64 {
    let classes = model.pair_classes();
    let of_pair = |pair: Pair| {
        let law = model.law_of(&pair);
        let [mass, across] = least_masses(model, &pair);
        let depth = law.depth_after_impact(mass, REFERENCE_SPEED)?;
        let (stiffness, _) = law.slopes(depth, 0.0, law.frozen(REFERENCE_SPEED, mass));
        let period = |mass: f64, stiffness: f64| std::f64::consts::PI * (mass / stiffness).sqrt();
        let normal = period(mass, stiffness) / STEPS_PER_CONTACT;
        let held = law
            .friction
            .stick()
            .map(|stick| period(across, stick.stiffness) / STEPS_IN_SHEAR);
        let step = held.map_or(normal, |held| normal.min(held));
        (step > 0.0 && step.is_finite()).then_some(step)
    };
    let steps = classes.iter().filter_map(|class| of_pair(class.first()));
    steps.reduce(f64::min).unwrap_or(FREE_STEP)
}

/// Least effective masses [kg] with which a pair can meet, along the normal and across it.
fn least_masses(model: &Model, pair: &Pair) -> [f64; 2] {
    let inverse = |shape: ShapeId| {
        let body = model.scene.shapes()[shape].body;
        let numbers = &model.bodies[body];
        if !model.scene.bodies()[body].is_free() {
            return [0.0; 2];
        }
        let form = &model.scene.shapes()[shape];
        let off = (form.pose_b.position - numbers.center_of_mass_b).norm();
        let reach = off + form.form.core.solid().reach();
        let arm = if form.form.is_ball() { off } else { reach };
        let turning = numbers.inverse_inertia_b.norm();
        // Of a ball about its centre the norm is sqrt(3) times the inverse about one axis.
        let axis = if arm == 0.0 {
            turning / 3f64.sqrt()
        } else {
            turning
        };
        let lever = reach + form.form.radius;
        let own = 1.0 / numbers.mass;
        [own + arm * arm * turning, own + lever * lever * axis]
    };
    let [one, two] = pair.shapes.map(inverse);
    [0, 1].map(|i| match one[i] + two[i] {
        0.0 => crate::dynamics::model::MASS_UNKNOWN,
        sum => 1.0 / sum,
    })
}
