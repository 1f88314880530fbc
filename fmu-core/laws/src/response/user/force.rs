//! User-defined function as the force of a pair.
//!
//! For dual numbers a directional derivative is taken by central differences along each direction of the dual
//! parts: with all arguments of the function shifted by +-h times their derivatives, df = (f(+h) - f(-h))/(2
//! h). h shifts the argument that moves most, relative to its scale, by [`RELATIVE_STEP`].
//!
//! A function that refuses, or returns a value that is not finite, gives NaN forces; a caller that finds
//! these gets the reason from [`UserForce::refusal`]. As the interface demands, results depend on the
//! arguments only.
//!
//! # Depths at which a user function reaches a force or stores an energy
//!
//! Its static force is evaluated at growing depths, once when a model is made. They give solvers the scale of
//! the motion, so a few parts in a thousand are accurate enough; if the function refuses or no depth up to
//! [`LARGEST_DEPTH`] suffices, there is no result.

use crate::index::PairId;
use crate::response::choice::ContactRule;
use crate::response::user::interface::{
    CONTACT_LAW_MESSAGE, CONTACT_LAW_NUMBERS, CONTACT_LAW_PROBE, CONTACT_LAW_VERSION,
    ContactLawInput, ContactLawOutput,
};
use crate::response::user::library::UserFunction;
use contact_geometry::math::real::ln;
use contact_geometry::math::{Real, Vec3};
use std::ffi::{CStr, CString};
use std::sync::Arc;

/// Largest relative shift of an argument [1]: the cube root of the rounding unit balances truncation and
/// rounding.
const RELATIVE_STEP: f64 = 6e-6;
/// Scale of penetrations [m] if there is none.
const LEAST_DEPTH: f64 = 1e-9;
/// Scale of speeds [m/s] and angular speeds [rad/s] near rest: a tenth of the customary regularisation speed
/// of friction.
const LEAST_SPEED: f64 = 1e-3;
/// Scale of times [s]: most forces change with time within it.
const TIME: f64 = 1.0;
/// Scale of positions [m]; penetrations have their own.
const POSITION: f64 = 1.0;
/// Scale of forces [N] if there is none.
const LEAST_FORCE: f64 = 1e-6;

/// User-defined law: a function with its user parameters.
#[derive(Debug)]
pub struct UserLaw {
    /// The function.
    pub function: UserFunction,
    /// Name of the law, the first part of parameter names; without a zero inside.
    pub name: CString,
    /// User parameters, up to [`CONTACT_LAW_NUMBERS`].
    pub numbers: Vec<f64>,
}

/// User-defined function as the force of a pair.
#[derive(Clone, Debug)]
pub struct UserForce {
    law: Option<Arc<UserLaw>>,
    pair: PairId,
    impact_speed: f64,
}

/// Equal if function, parameters and pair are.
impl PartialEq for UserForce {
    fn eq(&self, other: &Self) -> bool {
        let place = |force: &UserForce| force.law.as_ref().map(Arc::as_ptr);
        (place(self), self.pair) == (place(other), other.pair)
            && self.impact_speed == other.impact_speed
    }
}

/// Arguments of a user function; vectors in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<T: Real> {
    /// Flags of the interface.
    pub flags: u32,
    pub(crate) time: T,
    pub(crate) point: Vec3<T>,
    pub(crate) normal: Vec3<T>,
    /// Gap [m].
    pub gap: T,
    /// Depth in the force [m].
    pub depth: T,
    /// Rate of the depth [m/s], positive while compressing.
    pub rate: T,
    /// Slip velocity [m/s].
    pub slip: Vec3<T>,
    /// Angular velocity of 2 relative to 1 [rad/s].
    pub angular_velocity: Vec3<T>,
    /// Normal force [N], for friction functions.
    pub normal_force: T,
}

/// Normal force, tangential force and torque.
type Forces<T> = [T; 7];

enum Refusal {
    Missing,
    /// Nonzero return value, with the message.
    Returned(i32, String),
    /// Name and value of a result that is not finite.
    NotFinite(&'static str, f64),
}

impl UserForce {
    /// Force without a function until one is bound: NaN.
    pub(crate) fn unbound() -> Self {
        UserForce {
            law: None,
            pair: PairId::FIRST,
            impact_speed: 0.0,
        }
    }

    pub(crate) fn bound(law: &Arc<UserLaw>, pair: PairId) -> Self {
        UserForce {
            law: Some(Arc::clone(law)),
            pair,
            impact_speed: 0.0,
        }
    }

    pub(crate) fn set_impact_speed(&mut self, speed: f64) {
        self.impact_speed = speed;
    }

    /// Normal force [N]; NaN if the function refuses.
    #[inline(never)]
    pub(crate) fn normal_force<T: Real>(&self, arguments: &Arguments<T>) -> T {
        self.forces(arguments)[0]
    }

    /// Friction force [N], in the tangent plane, and torque [N.m] on 2; NaN if the function refuses.
    #[inline(never)]
    pub(crate) fn friction<T: Real>(&self, arguments: &Arguments<T>) -> (Vec3<T>, Vec3<T>) {
        let [_, x, y, z, a, b, c] = self.forces(arguments);
        let force = Vec3::new(x, y, z);
        let along = arguments.normal * force.dot(&arguments.normal);
        (force - along, Vec3::new(a, b, c))
    }

    /// Static force [N] at a depth [m] with its `gap` [m]; `None` if the function refuses.
    pub(crate) fn probe(&self, depth: f64, gap: f64) -> Option<f64> {
        let arguments = Arguments::along_the_normal(depth, gap, 0.0);
        self.call(&arguments).ok().map(|forces| forces[0])
    }

    /// Reason why the function gives no force in this motion, with file, symbol and result; `None` if it
    /// does.
    #[cold]
    pub(crate) fn refusal(&self, arguments: &Arguments<f64>) -> Option<String> {
        let refusal = self.call(arguments).err()?;
        let Some(law) = &self.law else {
            return Some("a law of the user has no function".into());
        };
        let (file, symbol) = (law.function.file(), law.function.symbol());
        let found = match refusal {
            Refusal::Missing => return law.function.reason_missing().map(str::to_owned),
            Refusal::Returned(number, message) if message.is_empty() => {
                format!("returned {number}; 0 is wanted")
            }
            Refusal::Returned(number, message) => format!("returned {number}: {message}"),
            Refusal::NotFinite(what, value) => {
                format!("returned {what} = {value}; it must be finite")
            }
        };
        Some(format!(
            "user library {file}, function {symbol} {found} (law {}, time {} s, gap {} m, rate of the \
             gap {} m/s)",
            law.name.to_string_lossy(),
            arguments.time,
            arguments.gap,
            -arguments.rate
        ))
    }

    fn forces<T: Real>(&self, arguments: &Arguments<T>) -> Forces<T> {
        let refused = [T::from(f64::NAN); 7];
        let Ok(value) = self.call(&arguments.values()) else {
            return refused;
        };
        let mut forces = value.map(T::from);
        for lane in 0..T::LANES {
            let Some(step) = arguments.step(lane) else {
                continue;
            };
            let sides = [step, -step].map(|h| self.call(&arguments.shifted(lane, h)));
            let [Ok(up), Ok(down)] = sides else {
                return refused;
            };
            for (i, force) in forces.iter_mut().enumerate() {
                let (known, slope) = (*force, (up[i] - down[i]) / (2.0 * step));
                let of_lane = |other| match other == lane {
                    true => slope,
                    false => known.derivative(other),
                };
                *force = T::with_derivatives(value[i], of_lane);
            }
        }
        forces
    }

    /// Not inlined: it is called from many places.
    #[inline(never)]
    fn call(&self, arguments: &Arguments<f64>) -> Result<Forces<f64>, Refusal> {
        let law = self.law.as_ref().ok_or(Refusal::Missing)?;
        let mut user = [0.0; CONTACT_LAW_NUMBERS];
        for (place, number) in user.iter_mut().zip(&law.numbers) {
            *place = *number;
        }
        let input = ContactLawInput {
            size: size_of::<ContactLawInput>() as u32,
            version: CONTACT_LAW_VERSION,
            flags: arguments.flags,
            pair: u32::try_from(usize::from(self.pair)).unwrap_or(u32::MAX),
            user_count: law.numbers.len().min(CONTACT_LAW_NUMBERS) as u32,
            reserved: 0,
            law: law.name.as_ptr(),
            time: arguments.time,
            user,
            point: arguments.point.into(),
            normal: arguments.normal.into(),
            gap: arguments.gap,
            penetration: arguments.depth,
            gap_rate: -arguments.rate,
            area: 0.0,
            slip_velocity: arguments.slip.into(),
            angular_velocity: arguments.angular_velocity.into(),
            impact_speed: self.impact_speed,
            normal_force: arguments.normal_force,
        };
        let mut output = ContactLawOutput {
            size: size_of::<ContactLawOutput>() as u32,
            reserved: 0,
            normal_force: 0.0,
            tangential_force: [0.0; 3],
            torque: [0.0; 3],
            message: [0; CONTACT_LAW_MESSAGE],
        };
        law.function
            .call(&input, &mut output)
            .map_err(|returned| match returned {
                Some(number) => Refusal::Returned(number, message_of(&output)),
                None => Refusal::Missing,
            })?;
        let [x, y, z] = output.tangential_force;
        let [a, b, c] = output.torque;
        let forces = [output.normal_force, x, y, z, a, b, c];
        match forces.iter().position(|value| !value.is_finite()) {
            None => Ok(forces),
            Some(i) => Err(Refusal::NotFinite(FORCE_NAMES[i], forces[i])),
        }
    }
}

const FORCE_NAMES: [&str; 7] = [
    "normal_force",
    "tangential_force[0]",
    "tangential_force[1]",
    "tangential_force[2]",
    "torque[0]",
    "torque[1]",
    "torque[2]",
];

/// Message up to its terminating zero, or all of it.
fn message_of(output: &ContactLawOutput) -> String {
    let bytes = output.message.map(|c| c as u8);
    match CStr::from_bytes_until_nul(&bytes) {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

impl<T: Real> Arguments<T> {
    /// Probing motion along the normal, at a depth [m] with its gap [m] and depth rate [m/s].
    pub(crate) fn along_the_normal(depth: T, gap: T, rate: T) -> Self {
        Arguments {
            flags: CONTACT_LAW_PROBE,
            time: T::zero(),
            point: Vec3::zeros(),
            normal: Vec3::new(T::zero(), T::zero(), T::one()),
            gap,
            depth,
            rate,
            slip: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            normal_force: T::zero(),
        }
    }

    #[inline(always)]
    fn values(&self) -> Arguments<f64> {
        self.each(Real::value)
    }

    /// Values shifted by `h` times their derivatives in a lane.
    fn shifted(&self, lane: usize, h: f64) -> Arguments<f64> {
        self.each(|x| x.value() + h * x.derivative(lane))
    }

    #[inline(always)]
    fn each(&self, moved: impl Fn(T) -> f64) -> Arguments<f64> {
        Arguments {
            flags: self.flags,
            time: moved(self.time),
            point: self.point.map(&moved),
            normal: self.normal.map(&moved),
            gap: moved(self.gap),
            depth: moved(self.depth),
            rate: moved(self.rate),
            slip: self.slip.map(&moved),
            angular_velocity: self.angular_velocity.map(&moved),
            normal_force: moved(self.normal_force),
        }
    }

    /// Step along the derivatives in a lane; `None` if all are zero.
    fn step(&self, lane: usize) -> Option<f64> {
        let size = |v: &Vec3<T>| v.map(Real::value).amax();
        let slope = |v: &Vec3<T>| v.map(|x| x.derivative(lane)).amax();
        let change = |x: T| x.derivative(lane).abs();
        let depth = self.depth.value().abs().max(LEAST_DEPTH);
        // How fast each moves, relative to its scale.
        let relative = [
            change(self.time) / TIME,
            slope(&self.point) / POSITION,
            slope(&self.normal),
            change(self.gap) / depth,
            change(self.rate) / self.rate.value().abs().max(LEAST_SPEED),
            slope(&self.slip) / size(&self.slip).max(LEAST_SPEED),
            slope(&self.angular_velocity) / size(&self.angular_velocity).max(LEAST_SPEED),
            change(self.normal_force) / self.normal_force.value().abs().max(LEAST_FORCE),
        ];
        let largest = relative.into_iter().fold(0.0, f64::max);
        (largest > 0.0).then(|| RELATIVE_STEP / largest)
    }
}

/// Smallest probed depth [m]: an atom.
const PROBED_DEPTH: f64 = 1e-10;
const LARGEST_DEPTH: f64 = 10.0;
/// Ratio of successive depths [1]: some 120 calls for a law that is never stiff enough.
const GROWTH: f64 = 1.25;

fn force_at(rule: &ContactRule, user: &UserForce, depth: f64) -> Option<f64> {
    user.probe(depth, rule.gap(depth))
}

/// Depth [m] at which the static force is `force` [N], > 0: the first one, by bisection between two probed
/// depths.
pub(crate) fn depth_under_force(rule: &ContactRule, user: &UserForce, force: f64) -> Option<f64> {
    let mut depth = PROBED_DEPTH;
    while force_at(rule, user, depth)? < force {
        depth *= GROWTH;
        if depth > LARGEST_DEPTH {
            return None;
        }
    }
    let (mut low, mut high) = (depth / GROWTH, depth);
    // The ratio of two neighbours to one part in a million.
    for _ in 0..20 {
        let middle = (low * high).sqrt();
        if force_at(rule, user, middle)? < force {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// Depth [m] up to which the static force does this work [J], > 0. Between two depths the force is taken as a
/// power of the depth: exact for power laws.
pub(crate) fn depth_of_energy(rule: &ContactRule, user: &UserForce, energy: f64) -> Option<f64> {
    let mut depth = PROBED_DEPTH;
    let mut force = force_at(rule, user, depth)?;
    // As if the force grew linearly so far.
    let mut stored = 0.5 * force * depth;
    while stored < energy {
        let next = depth * GROWTH;
        if next > LARGEST_DEPTH {
            return None;
        }
        let force_next = force_at(rule, user, next)?;
        let work = work_between([depth, next], [force, force_next]);
        if stored + work >= energy {
            return Some(depth + (next - depth) * ((energy - stored) / work));
        }
        stored += work;
        (depth, force) = (next, force_next);
    }
    Some(depth)
}

/// Work [J] between two depths [m] with these forces [N].
fn work_between([x, y]: [f64; 2], [f, g]: [f64; 2]) -> f64 {
    if f <= 0.0 || g <= 0.0 {
        return 0.5 * (f + g) * (y - x);
    }
    // f (s/x)^n has the integral (g y - f x)/(n + 1).
    let n = ln(g / f) / ln(y / x);
    if n > -1.0 {
        (g * y - f * x) / (n + 1.0)
    } else {
        0.5 * (f + g) * (y - x)
    }
}
