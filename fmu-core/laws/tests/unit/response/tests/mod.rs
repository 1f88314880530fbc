//! Laws of contact against closed forms, balances of energy and differences.
//!
//! - [`closed_forms`]: values of the laws
//! - [`impacts`]: what restitution they give, by integration
//! - [`sliding`]: patches that slide and turn
//! - [`energy`]: no law gives energy
//! - [`derivatives`]: dual numbers against differences

use crate::response::choice::{ContactRule, DEFAULT_Z_EPS, Damping, LawOptions};
use crate::response::damping::DampingLaw;
use crate::response::inferred::Tables;
use crate::response::law::{ContactMotion, PairLaw, PairSurface};
use crate::response::{LawChoice, LawKinds, Number};
use contact_geometry::math::{Real, Vec3, vec3};

mod closed_forms;
mod derivatives;
mod energy;
mod impacts;
mod sliding;

/// The default law with the impact speed frozen: forces here are asked for with a damping
/// coefficient.
const LATCHED: LawOptions = LawOptions {
    damping: Damping::Exact,
    ..LawOptions::DEFAULT
};

/// [`LATCHED`] with changes.
fn latched(change: impl FnOnce(&mut LawOptions)) -> LawOptions {
    let mut options = LATCHED;
    change(&mut options);
    options
}

/// Normal of the contacts here, no axis of the world.
const NORMAL: [f64; 3] = [0.48, 0.6, 0.64];
/// Where the depth starts under the default rule [m].
const DEPTH_STARTS: f64 = 2.0 * DEFAULT_Z_EPS;

/// A steel ball of 0.1 m radius on a flat.
fn surface() -> PairSurface {
    PairSurface {
        youngs_moduli: [2e11; 2],
        poissons_ratios: [0.3; 2],
        contact_radii: [f64::INFINITY, 0.1],
        flat: [true, false],
        spheres: [None, Some(0.1)],
        over_area: false,
        round: None,
        thickness: [f64::INFINITY, 0.2],
        flat_area: [f64::INFINITY, 0.04],
        effective_mass: 1.0,
        gravity: 9.81,
    }
}

/// Law of a pair with these numbers; those that are not given have the values here.
fn law_reduced(
    surface: &PairSurface,
    options: LawOptions,
    numbers: &[(Number, f64)],
    k_red: f64,
) -> PairLaw {
    let given = |number| {
        let own = numbers.iter().find(|(n, _)| *n == number);
        own.map(|(_, value)| *value).or(match number {
            Number::Restitution => Some(0.7),
            Number::SlidingFriction => Some(0.3),
            Number::Stiffness => Some(1e6),
            Number::DampingCoefficient => Some(2.0),
            Number::LargestDamping => Some(300.0),
            Number::DampingDepth => Some(1e-4),
            Number::LayerDepth1 => Some(2e-3),
            _ => None,
        })
    };
    let mut kinds = LawKinds::of_scene(&options);
    if numbers
        .iter()
        .any(|(n, _)| *n == Number::SpinningResistance)
    {
        kinds.spinning = crate::response::choice::Spinning::Own;
    }
    let choice = LawChoice::new(kinds, given).expect("all numbers");
    let damping = DampingLaw::new(&choice, options.d_max, &mut Tables::default());
    PairLaw::new(&choice, surface, options.rule, k_red, damping)
}

fn law_on(surface: &PairSurface, options: LawOptions, numbers: &[(Number, f64)]) -> PairLaw {
    law_reduced(surface, options, numbers, 1.0)
}

fn law(options: LawOptions, numbers: &[(Number, f64)]) -> PairLaw {
    law_on(&surface(), options, numbers)
}

/// A motion by gap [m], velocity [m/s] and angular velocity [rad/s].
fn motion<T: Real>(gap: T, velocity: Vec3<T>, angular_velocity: Vec3<T>) -> ContactMotion<T> {
    ContactMotion {
        gap,
        normal: vec3(&NORMAL),
        velocity,
        angular_velocity,
        point: Vec3::zeros(),
        time: T::zero(),
    }
}

/// A motion along the normal with this depth [m] under the default rule and its rate [m/s].
fn pressing(depth: f64, rate: f64) -> ContactMotion<f64> {
    let velocity = Vec3::from(NORMAL) * -rate;
    motion(-depth - DEPTH_STARTS, velocity, Vec3::zeros())
}

/// Numbers in 0..1, the same in each run: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Evenly spread in its logarithm.
    fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.next())
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-size, size))
    }
}
