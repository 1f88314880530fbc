//! Sticking friction: a slider in series with a spring and a damper.
//!
//! The bodies are joined tangentially by a spring k_t and a damper c in parallel (the bristle, with the
//! deflection s), and these rest on a slider with Coulomb friction. With v_t the slip velocity, f_n the
//! normal force, n the normal, s_t = s - (s.n) n, tau = c/k_t, all at the contact point:
//!
//! - limit R = mu(|v_t|) max(f_n, 0), mu from mu_s at v_s to mu_k at v_d by a step function
//! - trial F = k_t s_t + c v_t, the force of the bristle in stick
//! - force on 2: f_t = -F if |F| <= R (stick), else -R F/|F| (slip)
//! - s' = (-f_t - k_t s_t)/c - (s.n) n/tau + w n x s_t: the bristle moves at the rate that its force requires
//!   (s' = v_t while it sticks), its normal part decays, and it rotates with the mean spin w = n.(w_1 +
//!   w_2)/2 of the bodies
//!
//! A body at rest below the limit does not creep: the force is exactly that of a spring. In steady sliding
//! |f_t| = R at any speed. |f_t| > R never occurs, and there is no division by zero: R = 0 gives f_t = 0 and
//! s' = -s/tau.
//!
//! It is passive. With u = v_t - s' (without the last two terms) the speed of the slider, u = F (1 - R/|F|)/c
//! is parallel to -f_t, so the power taken from the bodies is -f_t.v_t = -f_t.s' - f_t.u = k_t s_t.s' + c
//! |s'|^2 + R |u|. The first term is stored: k_t
//! |s|^2/2 also counts the part along n, which it loses by k_t (s.n)^2/tau; rotation stores nothing.
//! So the dissipation is c |s'|^2 + R |u| + k_t (s.n)^2/tau, with no negative term for any f_n, n and mu.
//!
//! It is not stiff. s relaxes to where it slides with 1/tau and no faster, at any speed and load, and the
//! slope of the force over v_t is at most c. The default c = k_t tau with tau = sqrt(m/k_t), m the effective
//! mass, damps one contact with half of the critical damping and four of them, below one body, critically.
//!
//! The default k_t is Mindlin's: tangential over normal stiffness of two bodies that press each other is
//! 2 (1 - nu)/(2 - nu) before anything slides, [Mindlin 1949] Compliance of elastic bodies in contact,
//! J. Appl. Mech. 16, 259-268, with the normal stiffness under the weight of m. Spring and slider in series are
//! those of [Cundall, Strack 1979] A discrete numerical model for granular assemblies, Geotechnique 29,
//! 47-65; the damper beside the spring makes the deflection a state of a smooth rate instead of a step-wise
//! correction.
//!
//! Over an area, with c_p the centre of pressure, v_t the slip there, w_n the relative turning about the
//! normal and a the mean distance of the pressure from c_p:
//!
//! - slip, deflection and force get a spin component, a w_n, s_n and torque/a, and F, s_t, v_t above have
//!   three components. s_n is a state of its own: it is a pseudoscalar and s a vector, so no vector that
//!   turns while the normal moves otherwise keeps them apart
//! - P(d) is the friction of unit load of a patch that moves by d without a bristle, p v/|v| integrated over
//!   it. All P(d) are the limit surface, convex and with the normal d at P(d), as P is the gradient of the
//!   integral of p |v|: [Goyal, Ruina, Papadopoulos 1991] Planar sliding with dry friction, part 1, Wear 143,
//!   307-330. The ellipsoid f.M^-1 f <= 1 that touches it there takes its place, M = 1 - d d^T + P P^T with
//!   |d| = 1. M d = (P.d) P, so with the damper c M instead of c what slides steadily along d has the force R
//!   P(d)
//! - d is that of c v_t + k_t s_t R^2/(R^2 + c^2 v_t^2): of the slip, and of the spring where slip is slow.
//!   At a limit that is reached from rest, where the spring and not d is known, the ellipsoid is off by 0.5 %
//!   for a disc or a square and 4 % for a strip (a sphere by 7 and 12 %). Below R/4 it is a sphere, which
//!   takes no integral
//! - of a ball or an ellipsoid on a mesh, whose nodes are few and have a P that jumps, M = 1: right for pure
//!   sliding and pure turning; of both, along a groove with two equal sides, it holds up to 1.4 times too much
//! - a patch far narrower than it is deep, as that of a ball on one face, does not turn: below the arms
//!   `NARROW` over the mean depth 2 U/f_n the arm goes to zero, M to 1, and s_n relaxes with 1/tau. So an arm
//!   that is rounding has no effect, and what a ball keeps of s_n where it leaves a second face goes
//! - for any M, -f_t.v_t = k_t s_t.s' + c s'.M s' + R sqrt(u.M u): passive as above
//! - a k_t derived from the normal stiffness varies with it: f_n^2/(2 U), which is k A for faces in contact,
//!   at any depth and area A. With x^2 the stiffness over the one that k_t is of, the force is x k_t s, s' =
//!   x v_t in stick, and c grows with x: a spring of x^2 k_t whose energy k_t |s|^2/2 no change of x alters,
//!   so that this is passive, too

use crate::response::choice::Step;
use crate::response::normal::PowerLaw;
use contact_geometry::math::{Real, Vec3, magnitude};

/// Gravity for the default stiffness of a scene without uniform gravity [m/s2].
pub const STANDARD_GRAVITY: f64 = 9.81;

/// Sticking friction with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickLaw {
    /// Static and sliding coefficients mu_s, mu_k [1].
    pub coefficients: [f64; 2],
    /// Transition speeds v_s, v_d [m/s], ascending.
    pub speeds: [f64; 2],
    /// The step function.
    pub step: Step,
    /// Tangential stiffness k_t [N/m], > 0; if derived, over an area at the normal stiffness `follows`.
    pub stiffness: f64,
    /// Tangential damping c [N.s/m], > 0.
    pub damping: f64,
    /// Normal stiffness [N/m] for which k_t holds, if k_t is derived: over an area both vary.
    pub follows: Option<f64>,
    pub(crate) is_damping_derived: bool,
}

/// State and motion that the law needs in addition to the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle<T: Real> {
    /// Deflection s, world axes [m].
    pub deflection: Vec3<T>,
    /// Mean spin of both bodies about the normal [rad/s].
    pub spin: T,
}

/// Deflection of a contact, or its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deflection<T: Real> {
    /// Tangential part, world axes [m].
    pub along: Vec3<T>,
    /// Rotation about the normal times the arm of the patch [m]; zero for a point contact.
    pub turning: T,
}

impl<T: Real> Deflection<T> {
    /// Zero deflection.
    pub fn zero() -> Self {
        Vec3::zeros().into()
    }

    /// Reads it from its states, with or without rotation.
    #[inline(always)]
    pub fn read(states: &[T]) -> Self {
        Deflection {
            along: Vec3::from_fn(|i, _| states[i]),
            turning: states.get(3).copied().unwrap_or(T::zero()),
        }
    }

    /// Writes its states.
    #[inline(always)]
    pub fn write(&self, states: &mut [T]) {
        for (state, value) in states
            .iter_mut()
            .zip(self.along.iter().chain([&self.turning]))
        {
            *state = *value;
        }
    }
}

impl<T: Real> From<Vec3<T>> for Deflection<T> {
    fn from(along: Vec3<T>) -> Self {
        Deflection {
            along,
            turning: T::zero(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Face<T: Real> {
    pub(crate) normal: Vec3<T>,
    /// Slip velocity at the centre of pressure [m/s].
    pub slip: Vec3<T>,
    /// Angular velocity about the normal [rad/s].
    pub spin: T,
    /// Mean distance of the pressure from its centre [m].
    pub arm: T,
    /// Mean depth [m].
    pub depth: T,
    /// Whether the patch has a limit surface: its nodes are an area or lines.
    pub is_spread: bool,
    pub normal_force: T,
    pub stiffness: T,
    pub deflection: Deflection<T>,
    /// Angular velocity of the deflection [rad/s].
    pub turning: Vec3<T>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceForce<T: Real> {
    pub friction: Vec3<T>,
    pub torque: T,
    pub(crate) deflection_rate: Deflection<T>,
    pub dissipation: T,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BristleForce<T: Real> {
    pub friction: Vec3<T>,
    pub(crate) deflection_rate: Vec3<T>,
    pub dissipation: T,
}

impl StickLaw {
    /// Force and rate at a slip velocity v_t [m/s] perpendicular to `normal`, under the normal force [N].
    #[inline]
    pub(crate) fn force<T: Real>(
        &self,
        slip: &Vec3<T>,
        normal: &Vec3<T>,
        normal_force: T,
        bristle: &Bristle<T>,
    ) -> BristleForce<T> {
        let s = &bristle.deflection;
        let along = s.dot(normal);
        let s_t = s - normal * along;
        let limit = self.limit(slip, normal_force);
        let stretched = s_t * T::from(self.stiffness);
        let mut held = Self::hold(slip, limit, &stretched, T::from(self.damping), None);
        let leak = self.stiffness / self.damping;
        held.deflection_rate += normal.cross(&s_t) * bristle.spin - normal * (along * leak);
        held.dissipation += along * along * (self.stiffness * leak);
        held
    }

    /// Force and rate for a patch that can slide along its face and spin. `slide` gives the friction of unit
    /// load in a motion with velocity [m/s] and angular velocity [rad/s] at the centre of pressure: the
    /// integral of v/|v| over the pressure, along v, and its torque [m].
    pub(crate) fn force_over_area<T: Real>(
        &self,
        face: &Face<T>,
        slide: impl FnOnce(&Vec3<T>, T) -> (Vec3<T>, T),
    ) -> FaceForce<T> {
        let (n, s) = (&face.normal, &face.deflection.along);
        let share = match self.follows {
            Some(normal) => (face.stiffness / normal).sqrt(),
            None => T::one(),
        };
        let damping = match self.is_damping_derived {
            true => share * self.damping,
            false => T::from(self.damping),
        };
        let along = s.dot(n);
        let stretched = (s + n * (face.deflection.turning - along)) * (share * self.stiffness);
        let turns = Step::Cubic.between(face.arm / face.depth, NARROW, [0.0, 1.0]);
        let arm = face.arm * turns;
        let slip = face.slip + n * (face.spin * arm);
        let limit = self.limit(&slip, face.normal_force);
        let surface = match face.is_spread && turns.value() > 0.0 {
            true => Surface::near(&(slip * damping), &stretched, limit, turns, |d| {
                let turning = d.dot(n);
                let (force, torque) = slide(&(d - n * turning), turning / face.arm);
                force + n * (torque / face.arm)
            }),
            false => None,
        };
        let held = Self::hold(&slip, limit, &stretched, damping, surface.as_ref());
        let rate = held.deflection_rate * share;
        let leak = share * share * self.stiffness / damping;
        let [turning, torque] = [&rate, &held.friction].map(|v| v.dot(n));
        let left = face.deflection.turning;
        let relaxing = left * leak * (-turns + 1.0);
        FaceForce {
            friction: held.friction - n * torque,
            torque: torque * arm,
            deflection_rate: Deflection {
                along: rate + face.turning.cross(s) - n * (turning + along * leak),
                turning: turning - relaxing,
            },
            dissipation: held.dissipation
                + (along * along * leak + left * relaxing) * self.stiffness,
        }
    }

    /// Rate of a deflection [m/s] without pressure, and the dissipated power [W]: it relaxes.
    pub fn relax<T: Real>(&self, deflection: &Deflection<T>) -> (Deflection<T>, T) {
        let leak = self.stiffness / self.damping;
        let rate = Deflection {
            along: deflection.along * T::from(-leak),
            turning: deflection.turning * -leak,
        };
        (rate, self.energy(deflection) * (2.0 * leak))
    }

    /// Bristle and slider in any number of directions at a limit [N], with the spring force and c.
    #[inline(always)]
    fn hold<T: Real>(
        slip: &Vec3<T>,
        limit: T,
        stretched: &Vec3<T>,
        c: T,
        surface: Option<&Surface<T>>,
    ) -> BristleForce<T> {
        let to_force = |slip: &Vec3<T>| surface.map_or(*slip, |surface| surface.force(slip));
        let to_slip = |force: &Vec3<T>| surface.map_or(*force, |surface| surface.slip(force));
        let trial = stretched + to_force(slip) * c;
        let square = trial.dot(&to_slip(&trial));
        // Squares below the smallest normal number stick too: the root has no finite derivative there.
        let holds = (limit.value() * limit.value()).max(f64::MIN_POSITIVE);
        let (held, rate, sliding) = if square.value() <= holds {
            (trial, *slip, T::zero())
        } else {
            let size = square.sqrt();
            let held = trial * (limit / size);
            let rate = to_slip(&(held - stretched)) / c;
            (held, rate, limit * (size - limit) / c)
        };
        BristleForce {
            friction: -held,
            deflection_rate: rate,
            dissipation: rate.dot(&to_force(&rate)) * c + sliding,
        }
    }

    /// The law with derived values for a normal stiffness [N/m].
    pub(crate) fn at(mut self, normal: f64) -> Self {
        if let Some(known) = &mut self.follows {
            let ratio = normal / *known;
            *known = normal;
            self.stiffness *= ratio;
            if self.is_damping_derived {
                self.damping *= ratio.sqrt();
            }
        }
        self
    }

    /// Largest friction force [N] at a slip velocity [m/s] and normal force [N].
    #[inline(always)]
    pub(crate) fn limit<T: Real>(&self, slip: &Vec3<T>, normal_force: T) -> T {
        let mu = (self.step).between(magnitude(slip), self.speeds, self.coefficients);
        mu * normal_force.positive_part()
    }

    /// Energy stored at a deflection [J].
    pub fn energy<T: Real>(&self, deflection: &Deflection<T>) -> T {
        let Deflection { along, turning } = deflection;
        (along.dot(along) + *turning * *turning) * (0.5 * self.stiffness)
    }
}

/// Ellipsoid f.M^-1 f <= 1 of friction of unit load over a patch, tangent to its limit surface at the normal
/// d: M = 1 - d d^T + p p^T, p the friction of the slip d, so M d = (p.d) p.
#[derive(Clone, Copy, Debug)]
struct Surface<T: Real> {
    direction: Vec3<T>,
    force: Vec3<T>,
    /// p.d > 0.44, as the integral of p |v| is at least |d_t| and |d_n| - |d_t|.
    support: T,
}

/// Fraction of the limit below which a sphere is used, which sticks as well, and above which the ellipsoid.
const SPHERE: [f64; 2] = [0.25, 0.5];

/// Arm over mean depth up to which a patch does not turn, and above which it does: of a cone on its apex this is
/// the tangent of its half-angle or so, and far above rounding.
const NARROW: [f64; 2] = [1.0 / 16.0, 1.0 / 8.0];

impl<T: Real> Surface<T> {
    /// At the forces of damper and spring [N] under a limit [N]; `None` for a sphere. d is along the slip if
    /// that is fast, and else along the spring, whose direction is close to the normal. `part` is that of the
    /// ellipsoid, the rest a sphere.
    #[inline(always)]
    fn near(
        damped: &Vec3<T>,
        stretched: &Vec3<T>,
        limit: T,
        part: T,
        slide: impl FnOnce(&Vec3<T>) -> Vec3<T>,
    ) -> Option<Self> {
        let square = limit * limit;
        let both = square + damped.dot(damped);
        if both.value() < f64::MIN_POSITIVE {
            return None;
        }
        let along = damped + stretched * (square / both);
        let size = along.dot(&along);
        let [least, most] = SPHERE;
        if size.value() <= (square.value() * least * least).max(f64::MIN_POSITIVE) {
            return None;
        }
        let size = size.sqrt();
        let direction = along / size;
        let share = match size.value() < most * limit.value() {
            true => Step::Cubic.between(size / limit, SPHERE, [0.0, 1.0]),
            false => T::one(),
        };
        let force = slide(&direction);
        let force = direction + (force - direction) * (share * part);
        Some(Surface {
            direction,
            force,
            support: force.dot(&direction),
        })
    }

    #[inline(always)]
    fn force(&self, slip: &Vec3<T>) -> Vec3<T> {
        slip - self.direction * self.direction.dot(slip) + self.force * self.force.dot(slip)
    }

    #[inline(always)]
    fn slip(&self, force: &Vec3<T>) -> Vec3<T> {
        let along = self.direction.dot(force) / self.support;
        let across = force - self.force * along;
        across + self.direction * ((along - self.force.dot(&across)) / self.support)
    }
}

/// k_t [N/m] under the weight [N] of the effective mass of two bodies with these Poisson's ratios.
pub(crate) fn default_stiffness(elastic: &PowerLaw, poissons_ratios: [f64; 2], weight: f64) -> f64 {
    let normal = elastic.exponent * weight / elastic.depth_under_force(weight);
    let nu = 0.5 * (poissons_ratios[0] + poissons_ratios[1]);
    normal * 2.0 * (1.0 - nu) / (2.0 - nu)
}

/// c [N.s/m] for k_t [N/m] and the effective mass [kg].
pub(crate) fn default_damping(stiffness: f64, mass: f64) -> f64 {
    (stiffness * mass).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_geometry::math::Dual;

    const LAW: StickLaw = StickLaw {
        coefficients: [0.5, 0.3],
        speeds: [0.01, 0.1],
        step: Step::Cubic,
        stiffness: 4e6,
        damping: 2e3,
        follows: None,
        is_damping_derived: false,
    };
    const TAU: f64 = 5e-4;
    const NORMAL: Vec3 = Vec3::new(0.0, 0.0, 1.0);

    fn bristle(deflection: Vec3) -> Bristle<f64> {
        Bristle {
            deflection,
            spin: 0.0,
        }
    }

    /// The deflection and the work taken after `time` of motion, by Runge-Kutta of order four.
    fn after(
        law: &StickLaw,
        start: Vec3,
        time: f64,
        steps: usize,
        motion: impl Fn(f64) -> (Vec3, f64),
    ) -> (Vec3, f64) {
        let h = time / steps as f64;
        let (mut s, mut taken) = (start, 0.0);
        let rate = |t: f64, s: Vec3| {
            let (v, f_n) = motion(t);
            let f = law.force(&v, &NORMAL, f_n, &bristle(s));
            (f.deflection_rate, -f.friction.dot(&v))
        };
        for i in 0..steps {
            let t = i as f64 * h;
            let (a, p_a) = rate(t, s);
            let (b, p_b) = rate(t + 0.5 * h, s + a * (0.5 * h));
            let (c, p_c) = rate(t + 0.5 * h, s + b * (0.5 * h));
            let (d, p_d) = rate(t + h, s + c * h);
            s += (a + (b + c) * 2.0 + d) * (h / 6.0);
            taken += (p_a + 2.0 * (p_b + p_c) + p_d) * (h / 6.0);
        }
        (s, taken)
    }

    /// Numbers in -1..1 (a linear congruence, Knuth's MMIX constants).
    fn random(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    #[test]
    fn below_the_limit_it_is_a_spring_with_a_damper_and_keeps_its_deflection_at_rest() {
        let s = Vec3::new(3e-7, -4e-7, 0.0);
        let at_rest = LAW.force(&Vec3::zeros(), &NORMAL, 10.0, &bristle(s));
        assert_eq!(at_rest.friction, -s * 4e6);
        assert_eq!(at_rest.deflection_rate, Vec3::zeros());
        assert_eq!(at_rest.dissipation, 0.0);
        let v = Vec3::new(1e-4, 2e-4, 0.0);
        let moving = LAW.force(&v, &NORMAL, 10.0, &bristle(s));
        assert_eq!(moving.friction, -(s * 4e6 + v * 2e3));
        assert_eq!(moving.deflection_rate, v);
    }

    #[test]
    fn sliding_steadily_the_force_is_that_of_coulomb_at_any_speed() {
        for (v, mu) in [(1e-6, 0.5), (5e-3, 0.5), (0.2, 0.3), (30.0, 0.3)] {
            let velocity = Vec3::new(0.6 * v, 0.8 * v, 0.0);
            let time = 2e-6 / v + 40.0 * TAU;
            let steps = (time / (0.2 * TAU)) as usize + 40;
            let (s, _) = after(&LAW, Vec3::zeros(), time, steps, |_| (velocity, 10.0));
            let f = LAW.force(&velocity, &NORMAL, 10.0, &bristle(s));
            assert!((f.friction + velocity * (mu * 10.0 / v)).norm() < 1e-12 * mu * 10.0);
            assert!((s.norm() / (mu * 10.0 / 4e6) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn friction_is_never_above_the_limit_nor_is_a_pulling_normal_force_felt() {
        let mut seed = 1;
        for i in 0..100_000 {
            let mut r = || random(&mut seed);
            let v = Vec3::new(r(), r(), 0.0) * 10f64.powf(4.0 * r() - 4.0);
            let s = Vec3::new(r(), r(), 0.1 * r()) * 10f64.powf(2.0 * r() - 6.0);
            let f_n = 20.0 * r();
            let f = LAW.force(&v, &NORMAL, f_n, &bristle(s));
            assert!(
                f.friction.norm() <= 0.5 * f_n.max(0.0) * (1.0 + 1e-15),
                "{i}"
            );
        }
        let s = Vec3::new(1e-6, 0.0, 0.0);
        for f_n in [0.0, -5.0] {
            let loose = LAW.force(&Vec3::zeros(), &NORMAL, f_n, &bristle(s));
            assert_eq!(loose.friction, Vec3::zeros());
            assert!((loose.deflection_rate + s / TAU).norm() < 1e-17);
            let idle = LAW.force(&Vec3::zeros(), &NORMAL, f_n, &bristle(Vec3::zeros()));
            assert_eq!(idle.deflection_rate, Vec3::zeros());
        }
    }

    #[test]
    fn power_taken_is_stored_or_dissipated_and_dissipation_is_never_negative() {
        let mut seed = 2;
        for _ in 0..100_000 {
            let mut r = || random(&mut seed);
            let normal = Vec3::new(r(), r(), r()).normalize();
            let across = |v: Vec3| v - normal * v.dot(&normal);
            let v = across(Vec3::new(r(), r(), r())) * 10f64.powf(3.0 * r() - 3.0);
            let s = Vec3::new(r(), r(), r()) * 1e-6;
            let bristle = Bristle {
                deflection: s,
                spin: 100.0 * r(),
            };
            let f = LAW.force(&v, &normal, 10.0 * r(), &bristle);
            let taken = -f.friction.dot(&v);
            let stored = LAW.stiffness * s.dot(&f.deflection_rate);
            let scale = LAW.damping * (v.norm_squared() + s.norm_squared() / (TAU * TAU));
            assert!((taken - stored - f.dissipation).abs() < 1e-14 * scale);
            assert!(f.dissipation >= 0.0);
        }
    }

    #[test]
    fn no_closed_path_of_slip_and_load_gains_energy() {
        // Slip along random closed curves of up to two deflections at the limit, in times about
        // tau, under a load that falls to zero and rises again; what is stored at the end is given
        // back.
        let mut seed = 3;
        for path in 0..100_000 {
            let mut r = || random(&mut seed);
            let size = 1e-6 * 10f64.powf(r());
            let rate = 2.0 * std::f64::consts::PI / (TAU * 10f64.powf(0.5 * r()) * 4.0);
            let (a, b) = (Vec3::new(r(), r(), 0.0), Vec3::new(r(), r(), 0.0));
            let (load, phase) = (5.0 * (1.0 + r()), 3.0 * r());
            let motion = |t: f64| {
                let (sin, cos) = (rate * t).sin_cos();
                let v = (a * cos + b * (2.0 * (2.0 * rate * t).cos())) * (size * rate);
                (v, (load * (1.0 + 1.2 * (sin * cos + phase).sin())).max(0.0))
            };
            let time = 2.0 * std::f64::consts::PI / rate;
            let start = Vec3::new(r(), r(), 0.0) * 1e-6;
            let (s, taken) = after(&LAW, start, time, 60, motion);
            let gained = LAW.energy(&s.into()) - LAW.energy(&start.into()) - taken;
            let scale = LAW.energy(&start.into())
                + LAW.energy(&(a * size).into())
                + LAW.energy(&(b * size).into());
            assert!(gained < 1e-6 * scale, "path {path}: {gained} of {scale}");
        }
    }

    #[test]
    fn a_deflection_turns_with_the_bodies_and_leaves_what_is_not_tangential() {
        let s = Vec3::new(3e-7, 0.0, 2e-7);
        let turning = Bristle {
            deflection: s,
            spin: 7.0,
        };
        let f = LAW.force(&Vec3::zeros(), &NORMAL, 10.0, &turning);
        let expected = Vec3::new(0.0, 7.0 * 3e-7, -2e-7 / TAU);
        assert!((f.deflection_rate - expected).norm() < 1e-18);
    }

    #[test]
    fn rates_are_those_of_tau_at_any_speed_and_load() {
        // The slope of the force over the velocity, and of the rate over the deflection, by dual
        // numbers; sliding changes their directions, never their size.
        let mut seed = 4;
        for _ in 0..20_000 {
            let mut r = || random(&mut seed);
            let v = Vec3::new(r(), r(), 0.0) * 0.005 * 10f64.powf(2.0 * r() - 2.0);
            let s = Vec3::new(r(), r(), 0.0) * 10f64.powf(2.0 * r() - 6.0);
            let f_n = 10f64.powf(4.0 * r());
            let angle = 3.0 * r();
            let side = Vec3::new(angle.cos(), angle.sin(), 0.0);
            let dual = |v: Vec3, d: f64| Vec3::from_fn(|i, _| Dual::new(v[i], d * side[i]));
            let at = |d_v: f64, d_s: f64| {
                let bristle = Bristle {
                    deflection: dual(s, d_s),
                    spin: Dual::from(0.0),
                };
                LAW.force(&dual(v, d_v), &dual(NORMAL, 0.0), Dual::from(f_n), &bristle)
            };
            let slope = at(1.0, 0.0).friction.map(|x| x.eps[0]).norm();
            assert!(slope <= LAW.damping * (1.0 + 1e-12));
            let rate = at(0.0, 1.0).deflection_rate.map(|x| x.eps[0]).norm();
            assert!(rate <= (1.0 + 1e-12) / TAU);
        }
    }

    #[test]
    fn numbers_near_the_smallest_give_finite_forces_and_derivatives() {
        let tinies = [
            0.0, 5e-324, 1e-310, 1e-200, 1e-169, 1e-162, 1e-158, 1e-154, 1e-100,
        ];
        let dual = |x: f64| Vec3::new(Dual::new(x, 1.0), Dual::from(0.0), Dual::new(0.0, 0.5));
        let normal = Vec3::new(Dual::from(0.0), Dual::new(0.0, 0.1), Dual::from(1.0));
        for deflection in tinies {
            for slip in tinies {
                for normal_force in tinies {
                    for load in [-1.0, 0.0, 1.0] {
                        let bristle = Bristle {
                            deflection: dual(deflection),
                            spin: Dual::new(0.1, 1.0),
                        };
                        let normal_force = Dual::new(normal_force, load);
                        let f = LAW.force(&dual(slip), &normal, normal_force, &bristle);
                        let numbers = f.friction.iter().chain(f.deflection_rate.iter());
                        for x in numbers.chain([&f.dissipation]) {
                            assert!(
                                x.re.is_finite() && x.eps[0].is_finite(),
                                "{deflection} {slip} {normal_force:?}: {f:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn default_stiffness_has_mindlins_ratio_to_the_slope_of_the_normal_force() {
        // f = 1e9 delta^1.5 under 9.81 N: delta = 9.81e-9^(2/3) = 4.5826e-6 m, slope 1.5 f/delta.
        let elastic = PowerLaw {
            stiffness: 1e9,
            exponent: 1.5,
        };
        let depth = (9.81e-9_f64).powf(2.0 / 3.0);
        let slope = 1.5 * 9.81 / depth;
        let k_t = default_stiffness(&elastic, [0.2, 0.4], 9.81);
        assert!((k_t / (slope * 1.4 / 1.7) - 1.0).abs() < 1e-14);
        assert!((default_damping(4e6, 0.25) - 1e3).abs() < 1e-12);
    }

    /// Places of a ring, a disc or a strip about their centre, equally loaded [m].
    fn places(lengths: [f64; 2], round: bool) -> Vec<Vec3> {
        let at = |i: usize| (i as f64 + 0.5) / 20.0 - 1.0;
        let all = (0..40).flat_map(|i| (0..40).map(move |j| [at(i), at(j)]));
        let inside = all.filter(|[x, y]| !round || x * x + y * y < 1.0);
        let [a, b] = lengths;
        inside
            .map(|[x, y]| Vec3::new(0.5 * a * x, 0.5 * b * y, 0.0))
            .collect()
    }

    /// Friction of unit load and its torque.
    fn slide(places: &[Vec3], velocity: &Vec3, spin: f64) -> (Vec3, f64) {
        let (mut force, mut torque) = (Vec3::zeros(), 0.0);
        for place in places {
            let slip = velocity + NORMAL.cross(place) * spin;
            let own = slip / (slip.norm() * places.len() as f64);
            force += own;
            torque += place.cross(&own).z;
        }
        (force, torque)
    }

    fn face(places: &[Vec3], motion: (Vec3, f64), deflection: Deflection<f64>) -> Face<f64> {
        let arms = places.iter().map(Vec3::norm);
        Face {
            normal: NORMAL,
            slip: motion.0,
            spin: motion.1,
            arm: arms.sum::<f64>() / places.len() as f64,
            depth: 1e-3,
            is_spread: true,
            normal_force: 10.0,
            stiffness: 9.0,
            deflection,
            turning: Vec3::zeros(),
        }
    }

    #[test]
    fn a_patch_that_slides_and_turns_steadily_has_the_friction_of_its_points_at_any_speed() {
        let shapes = [([0.2, 0.2], true), ([0.4, 0.1], false)];
        for (places, follows) in shapes
            .map(|(lengths, round)| places(lengths, round))
            .iter()
            .flat_map(|p| [(p, None), (p, Some(1.0))])
        {
            let law = StickLaw {
                speeds: [1e3, 1e4],
                follows,
                is_damping_derived: true,
                ..LAW
            };
            for (speed, spin) in [(0.3, 4.0), (1.0, 1.0), (0.0, 7.0), (0.02, 3.0)] {
                let motion = (Vec3::new(0.6, 0.8, 0.0) * speed, spin);
                let mut s = Deflection::zero();
                let held = |s: Deflection<f64>| {
                    law.force_over_area(&face(places, motion, s), |v, w| slide(places, v, w))
                };
                for _ in 0..400 {
                    // It relaxes with 1/tau, which a stiffness of nine shortens to a third.
                    let rate = held(s).deflection_rate;
                    s.along += rate.along * (0.2 * TAU);
                    s.turning += rate.turning * (0.2 * TAU);
                }
                let (found, (force, torque)) = (held(s), slide(places, &motion.0, spin));
                assert!(
                    (found.friction + force * 5.0).norm() < 1e-5 * 5.0,
                    "{speed} {spin}: {found:?} {force}"
                );
                assert!((found.torque + torque * 5.0).abs() < 1e-5 * 0.1);
            }
        }
    }

    #[test]
    fn a_patch_holds_what_its_points_can_hold_and_no_more() {
        // At rest the deflection is that of a load on the limit surface, more or less.
        let cases = [
            ([0.2, 0.2], true, 4e-3),
            ([0.2, 0.2], false, 5e-3),
            ([0.5, 0.02], false, 4e-2),
        ];
        for (lengths, round, off) in cases {
            let places = places(lengths, round);
            let mut seed = 5;
            for _ in 0..50 {
                let mut r = || random(&mut seed);
                let (force, torque) = slide(&places, &(Vec3::new(r(), r(), 0.0) * 0.1), r());
                for part in [1.0 - off, 1.0 + off] {
                    let limit = 5.0 * part / LAW.stiffness;
                    let mut at = face(&places, (Vec3::zeros(), 0.0), Deflection::zero());
                    at.deflection = Deflection {
                        along: force * limit,
                        turning: torque / at.arm * limit,
                    };
                    let held = LAW.force_over_area(&at, |v, w| slide(&places, v, w));
                    let rate = held.deflection_rate;
                    let slides = rate.along.norm() + rate.turning.abs() > 0.0;
                    assert_eq!(slides, part > 1.0, "{force} {torque}");
                }
            }
        }
    }

    #[test]
    fn power_taken_over_an_area_is_stored_or_dissipated_whatever_the_patch_does() {
        let places = places([0.4, 0.1], false);
        let mut seed = 6;
        for _ in 0..2_000 {
            let mut r = || random(&mut seed);
            let follows = (r() > 0.0).then_some(10f64.powf(r()));
            let law = StickLaw {
                follows,
                is_damping_derived: r() > 0.0,
                ..LAW
            };
            let size = 1e-6 * 10f64.powf(r());
            let motion = (Vec3::new(r(), r(), 0.0) * 10f64.powf(2.0 * r() - 3.0), r());
            let along = Vec3::new(r(), r(), 0.1 * r()) * size;
            let mut at = face(
                &places,
                motion,
                Deflection {
                    along,
                    turning: size * r(),
                },
            );
            at.turning = Vec3::new(r(), r(), r()) * 10.0;
            let f = law.force_over_area(&at, |v, w| slide(&places, v, w));
            let (s, rate) = (at.deflection, f.deflection_rate);
            let taken = -f.friction.dot(&motion.0) - f.torque * motion.1;
            let stored = law.stiffness * (s.along.dot(&rate.along) + s.turning * rate.turning);
            let scale = taken.abs() + stored.abs() + f.dissipation;
            assert!((taken - stored - f.dissipation).abs() < 1e-12 * scale);
            assert!(f.dissipation >= 0.0);
        }
    }
}
