//! The whole law of a pair in contact, [Modia3D collision handling]:
//! f_n = k delta^(3/2) (1 + d delta_dot), f_t = -mu_k f_n v_t/reg(|v_t|, v_small),
//! tau = -mu_r R f_n w_rel/reg(|w_rel|, w_small). Force and torque act on 2, their negatives on 1.

use crate::math::{Real, Vec3};
use crate::response::hertz;
use crate::response::material::PairData;
use crate::response::options::{LawOptions, Pulling};
use crate::response::{damping, regularize};

/// Law of one pair with all constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLaw {
    /// Variants.
    pub options: LawOptions,
    /// Contact data of the two materials.
    pub data: PairData,
    /// Hertz stiffness k [N/m^1.5], reduction factor included.
    pub stiffness: f64,
    /// Effective radius R [m], the arm of rolling resistance.
    pub radius: f64,
}

/// Motion of a pair in contact, at its contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMotion<T: Real> {
    /// Gap [m], negative where the shapes overlap.
    pub gap: T,
    /// Normal from 1 to 2.
    pub normal: Vec3<T>,
    /// Velocity of 2 less that of 1 at the contact point [m/s].
    pub velocity: Vec3<T>,
    /// Angular velocity of 2 less that of 1 [rad/s].
    pub angular_velocity: Vec3<T>,
}

impl<T: Real> ContactMotion<T> {
    /// delta_dot [m/s], positive while compressing.
    pub fn compression_rate(&self) -> T {
        -self.velocity.dot(&self.normal)
    }
}

/// What a contact exerts on body 2 at the contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce<T: Real> {
    /// Force [N].
    pub force: Vec3<T>,
    /// Torque of rolling resistance [N.m].
    pub torque: Vec3<T>,
    /// Power that leaves the mechanical energy [W]: what the force takes less what the elastic
    /// part stores.
    pub dissipation: T,
}

impl PairLaw {
    /// Damping coefficient [s/m] of a contact that starts with this speed [m/s].
    pub fn damping(&self, impact_speed: f64) -> f64 {
        damping::coefficient(
            &self.options,
            self.data.restitution,
            self.data.v_small,
            impact_speed,
        )
    }

    /// Force and torque on 2 in a motion, with the damping coefficient [s/m] frozen at the start
    /// of the contact.
    #[inline(always)]
    pub fn force<T: Real>(&self, motion: &ContactMotion<T>, damping: f64) -> ContactForce<T> {
        let rate = motion.compression_rate();
        let elastic = hertz::force(self.stiffness, self.options.rule.depth(motion.gap));
        let damped = elastic * (T::one() + rate * damping);
        let normal_force = match self.options.pulling {
            Pulling::Clamped => damped.positive_part(),
            Pulling::Signed => damped,
        };
        let slip = motion.velocity + motion.normal * rate;
        let friction = regularize::unit_vector(&slip, self.data.v_small)
            * (-normal_force * self.data.sliding_friction);
        let torque = regularize::unit_vector(&motion.angular_velocity, self.data.w_small)
            * (-normal_force * (self.data.rolling_resistance * self.radius));
        ContactForce {
            force: motion.normal * normal_force + friction,
            torque,
            dissipation: (normal_force - elastic) * rate
                - friction.dot(&slip)
                - torque.dot(&motion.angular_velocity),
        }
    }

    /// Energy stored in the elastic part [J].
    pub fn elastic_energy(&self, gap: f64) -> f64 {
        hertz::energy(self.stiffness, self.options.rule.depth(gap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(options: LawOptions) -> PairLaw {
        let data = PairData {
            restitution: 0.7,
            sliding_friction: 0.5,
            rolling_resistance: 0.001,
            v_small: 0.01,
            w_small: 0.01,
        };
        PairLaw {
            options,
            data,
            stiffness: 1e9,
            radius: 0.1,
        }
    }

    fn motion(gap: f64, velocity: [f64; 3], angular: [f64; 3]) -> ContactMotion<f64> {
        ContactMotion {
            gap,
            normal: Vec3::new(0.0, 0.0, 1.0),
            velocity: Vec3::from(velocity),
            angular_velocity: Vec3::from(angular),
        }
    }

    #[test]
    fn normal_force_on_2_points_along_the_normal_and_grows_while_compressing() {
        let law = law(LawOptions::DEFAULT);
        let still = law.force(&motion(-1e-5, [0.0; 3], [0.0; 3]), 0.5).force;
        // k (delta - 2 z_eps)^1.5 with z_eps = 1e-8 m.
        assert!((still.z / (1e9 * 9.98e-6_f64.powf(1.5)) - 1.0).abs() < 1e-14);
        let compressing = law
            .force(&motion(-1e-5, [0.0, 0.0, -0.2], [0.0; 3]), 0.5)
            .force;
        assert!((compressing.z / still.z - 1.1).abs() < 1e-14);
    }

    #[test]
    fn a_clamped_force_never_pulls_and_a_signed_one_does() {
        let leaving = motion(-1e-5, [0.0, 0.0, 4.0], [0.0; 3]);
        assert_eq!(law(LawOptions::DEFAULT).force(&leaving, 0.5).force.z, 0.0);
        assert!(law(LawOptions::MODIA3D_0_12).force(&leaving, 0.5).force.z < 0.0);
    }

    #[test]
    fn friction_opposes_slip_with_the_coulomb_value_at_speed() {
        let law = law(LawOptions::DEFAULT);
        let sliding = law
            .force(&motion(-1e-5, [3.0, -4.0, 0.0], [0.0; 3]), 0.5)
            .force;
        assert!((sliding.x / sliding.z + 0.5 * 0.6).abs() < 1e-15);
        assert!((sliding.y / sliding.z - 0.5 * 0.8).abs() < 1e-15);
    }

    #[test]
    fn rolling_resistance_opposes_rotation_with_the_radius_as_arm() {
        let law = law(LawOptions::DEFAULT);
        let rolling = law.force(&motion(-1e-5, [0.0; 3], [0.0, 2.0, 0.0]), 0.5);
        assert!((rolling.torque.y / rolling.force.z + 0.001 * 0.1).abs() < 1e-18);
    }

    #[test]
    fn at_rest_there_is_no_friction_and_no_rolling_torque() {
        let at_rest = law(LawOptions::DEFAULT).force(&motion(-1e-5, [0.0; 3], [0.0; 3]), 0.5);
        assert_eq!(
            (at_rest.force.x, at_rest.force.y, at_rest.torque),
            (0.0, 0.0, Vec3::zeros())
        );
    }

    #[test]
    fn dissipation_is_never_negative_where_the_force_does_not_pull() {
        let law = law(LawOptions::DEFAULT);
        for i in 0..2000 {
            let s = |k: f64| (f64::from(i) * k).sin();
            let m = motion(
                -1e-5 * s(0.7).abs(),
                [s(1.1), s(2.3), s(3.7)],
                [s(5.1), s(0.3), s(1.9)],
            );
            assert!(law.force(&m, 0.9).dissipation >= 0.0);
        }
    }
}
