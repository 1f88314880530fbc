//! Friction that holds: a slider in series with a spring and a damper.
//!
//! The bodies are joined tangentially by a spring k_t and a damper c in parallel (the bristle, with
//! the deflection s), and these rest on a slider with Coulomb friction. With v_t the slip velocity,
//! f_n the normal force, n the normal, s_t = s - (s.n) n, tau = c/k_t, all at the contact point:
//!
//! - limit R = mu(|v_t|) max(f_n, 0), mu from mu_s at v_s to mu_k at v_d by a step function
//! - trial F = k_t s_t + c v_t, the force of the bristle if the slider held
//! - force on 2: f_t = -F if |F| <= R (the slider holds), -R F/|F| elsewhere (it slides)
//! - s' = (-f_t - k_t s_t)/c - (s.n) n/tau + w n x s_t: the bristle moves at the rate that its
//!   force asks for (s' = v_t while the slider holds), leaves what is no longer tangential, and
//!   turns with the mean spin w = n.(w_1 + w_2)/2 of the bodies
//!
//! A body at rest under its limit does not creep: the force is that of a spring, exactly. Sliding
//! steadily |f_t| = R at any speed. Never |f_t| > R, and nothing is divided by zero: R = 0 gives
//! f_t = 0 and s' = -s/tau.
//!
//! It is passive. With u = v_t - s' (without the last two terms) the speed of the slider,
//! u = F (1 - R/|F|)/c is parallel to -f_t, so the power taken from the bodies is
//! -f_t.v_t = -f_t.s' - f_t.u = k_t s_t.s' + c |s'|^2 + R |u|. The first term is stored: k_t
//! |s|^2/2 also counts the part along n, which it loses by k_t (s.n)^2/tau; turning stores nothing.
//! So the dissipation is c |s'|^2 + R |u| + k_t (s.n)^2/tau, no term of which is negative, whatever
//! f_n, n and mu do meanwhile.
//!
//! It is not stiff. s relaxes to where it slides with 1/tau and no faster, at any speed and load,
//! and the slope of the force over v_t is at most c. The default c = k_t tau with tau =
//! sqrt(m/k_t), m the effective mass, damps one contact with half of the critical damping and four
//! of them, below one body, critically.
//!
//! The default k_t is Mindlin's: tangential over normal stiffness of two bodies that press each
//! other is 2 (1 - nu)/(2 - nu) before anything slides, [Mindlin 1949] Compliance of elastic bodies
//! in contact, J. Appl. Mech. 16, 259-268; the normal stiffness is that under the weight of m.
//! Spring and slider in series are those of [Cundall, Strack 1979] A discrete numerical model for
//! granular assemblies, Geotechnique 29, 47-65; the damper beside the spring makes the deflection a
//! state of a smooth rate instead of a step-wise correction.

use crate::math::{Real, Vec3};
use crate::response::options::Step;
use crate::response::power::PowerLaw;
use crate::response::regularize::magnitude;

/// Gravity under which the default stiffness is taken [m/s2].
const STANDARD_GRAVITY: f64 = 9.81;

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StickLaw {
    /// Coefficients of static and of sliding friction mu_s, mu_k [1].
    pub coefficients: [f64; 2],
    /// Transition speeds v_s, v_d [m/s], ascending.
    pub speeds: [f64; 2],
    /// The step function.
    pub step: Step,
    /// Tangential stiffness k_t [N/m], > 0.
    pub stiffness: f64,
    /// Tangential damping c [N.s/m], > 0.
    pub damping: f64,
}

/// What the law reads beside the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristle<T: Real> {
    /// Deflection s, world axes [m].
    pub deflection: Vec3<T>,
    /// Mean spin of both bodies about the normal [rad/s].
    pub spin: T,
}

/// What the bristle does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BristleForce<T: Real> {
    /// Friction force on 2 [N].
    pub friction: Vec3<T>,
    /// Rate of the deflection [m/s].
    pub deflection_rate: Vec3<T>,
    /// Power that is neither stored nor given back [W], >= 0.
    pub dissipation: T,
}

impl StickLaw {
    /// Force and rate at a slip velocity v_t [m/s] in the plane across `normal`, under the normal
    /// force [N].
    #[inline]
    pub fn force<T: Real>(
        &self,
        slip: &Vec3<T>,
        normal: &Vec3<T>,
        normal_force: T,
        bristle: &Bristle<T>,
    ) -> BristleForce<T> {
        let s = &bristle.deflection;
        let along = s.dot(normal);
        let s_t = s - normal * along;
        let mut held = self.hold(slip, normal_force, &s_t);
        let leak = self.stiffness / self.damping;
        held.deflection_rate += normal.cross(&s_t) * bristle.spin - normal * (along * leak);
        held.dissipation += along * along * (self.stiffness * leak);
        held
    }

    /// The same of a patch that can slip along its face and turn on the spot: slip and deflection
    /// have the parts along the face and, along the normal, that of turning times the arm of the
    /// patch; so has the force, where it is the torque over the arm. The deflection turns with the
    /// angular velocity `turning` [rad/s].
    pub fn force_over_area<T: Real>(
        &self,
        slip: &Vec3<T>,
        normal_force: T,
        deflection: &Vec3<T>,
        turning: &Vec3<T>,
    ) -> BristleForce<T> {
        let mut held = self.hold(slip, normal_force, deflection);
        held.deflection_rate += turning.cross(deflection);
        held
    }

    /// Bristle and slider, whatever directions they have.
    #[inline(always)]
    fn hold<T: Real>(&self, slip: &Vec3<T>, normal_force: T, s: &Vec3<T>) -> BristleForce<T> {
        let (k, c) = (self.stiffness, self.damping);
        let stretched = s * T::from(k);
        let trial = stretched + slip * T::from(c);
        let limit = self.limit(slip, normal_force);
        let square = trial.dot(&trial);
        // Squares below the least normal number hold too: the root has no finite derivative there.
        let holds = (limit.value() * limit.value()).max(f64::MIN_POSITIVE);
        let (held, rate, sliding) = if square.value() <= holds {
            (trial, *slip, T::zero())
        } else {
            let size = square.sqrt();
            let held = trial * (limit / size);
            let rate = (held - stretched) / T::from(c);
            (held, rate, limit * (size - limit) / c)
        };
        BristleForce {
            friction: -held,
            deflection_rate: rate,
            dissipation: rate.dot(&rate) * c + sliding,
        }
    }

    /// Largest friction force [N] at a slip velocity [m/s] and normal force [N].
    #[inline(always)]
    pub fn limit<T: Real>(&self, slip: &Vec3<T>, normal_force: T) -> T {
        let ([mu_s, mu_k], [v_s, v_d]) = (self.coefficients, self.speeds);
        let mu = self.step.between(magnitude(slip), (v_s, mu_s), (v_d, mu_k));
        mu * normal_force.positive_part()
    }

    /// Energy stored at a deflection [J].
    pub fn energy<T: Real>(&self, deflection: &Vec3<T>) -> T {
        deflection.dot(deflection) * (0.5 * self.stiffness)
    }
}

/// k_t [N/m] for the effective mass m [kg] of two bodies with these ratios of Poisson.
pub fn default_stiffness(elastic: &PowerLaw, poissons_ratios: [f64; 2], mass: f64) -> f64 {
    let weight = mass * STANDARD_GRAVITY;
    let normal = elastic.exponent * weight / elastic.depth_under_force(weight);
    let nu = 0.5 * (poissons_ratios[0] + poissons_ratios[1]);
    normal * 2.0 * (1.0 - nu) / (2.0 - nu)
}

/// c [N.s/m] for k_t [N/m] and the effective mass [kg].
pub fn default_damping(stiffness: f64, mass: f64) -> f64 {
    (stiffness * mass).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    const LAW: StickLaw = StickLaw {
        coefficients: [0.5, 0.3],
        speeds: [0.01, 0.1],
        step: Step::Cubic,
        stiffness: 4e6,
        damping: 2e3,
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
            let gained = LAW.energy(&s) - LAW.energy(&start) - taken;
            let scale = LAW.energy(&start) + LAW.energy(&(a * size)) + LAW.energy(&(b * size));
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
        let k_t = default_stiffness(&elastic, [0.2, 0.4], 1.0);
        assert!((k_t / (slope * 1.4 / 1.7) - 1.0).abs() < 1e-14);
        assert!((default_damping(4e6, 0.25) - 1e3).abs() < 1e-12);
    }
}
