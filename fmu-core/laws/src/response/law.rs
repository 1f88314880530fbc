//! Contact law of a pair: normal force, friction, rolling and spinning resistance. Force and torque act on 2,
//! their negatives on 1.
//!
//! Resistance: tau = -mu_r R f_n w_rel/reg(|w_rel|, w_small), [Modia3D collision handling]; if spinning has a
//! separate coefficient, the components of w_rel along and perpendicular to the normal are treated
//! separately.

use crate::index::PairId;
use crate::response::choice::{
    ContactRule, DEFAULT_SMALL, FrictionKind, GeometryFactor, LawChoice, NormalKind, Pulling,
    Spinning,
};
use crate::response::damping::DampingLaw;
use crate::response::friction::FrictionLaw;
use crate::response::normal;
use crate::response::normal::{NormalLaw, PowerLaw};
use crate::response::number::Number;
use crate::response::stick::{self, Bristle, StickLaw};
use crate::response::user::{Arguments, UserForce, UserLaw, force};
use contact_geometry::math::{Dual, Real, Vec3, regularized};
use contact_geometry::narrow_phase::area::{RoundPressure, Stiffness};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Shape and material data of a pair that enter its law; materials in the order of the pair of materials,
/// shapes in the order of the pair of shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairSurface {
    /// Young's moduli of the materials [Pa].
    pub youngs_moduli: [f64; 2],
    /// Poisson's ratios of the materials [1].
    pub poissons_ratios: [f64; 2],
    /// Contact sphere radii of the shapes [m]; infinite for a half-space.
    pub contact_radii: [f64; 2],
    /// Whether the shapes count as flat.
    pub flat: [bool; 2],
    /// Radii of the shapes that are spheres [m].
    pub spheres: [Option<f64>; 2],
    /// Whether the shapes touch over an area.
    pub over_area: bool,
    /// Radius of the round shape that presses a mesh [m], see
    /// [`contact_geometry::shapes::RoundedShape::round_radius`].
    pub round: Option<f64>,
    /// Smallest extents of the shapes along their axes [m]; infinite for a half-space.
    pub thickness: [f64; 2],
    /// Products of the two smallest extents of the shapes [m2]; infinite for a half-space.
    pub flat_area: [f64; 2],
    /// Effective mass m_1 m_2/(m_1 + m_2) of the bodies [kg]; fixed ones have infinite mass.
    pub effective_mass: f64,
    /// Magnitude of the gravity of the scene [m/s2], > 0, independent of its parameter.
    pub gravity: f64,
}

/// Pressures of a contact over an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AreaPressure {
    /// Stiffness per area of both layers [N/m3]; here in the order of the materials, from
    /// `contact_model::dynamics::Model::law_of` in the order of the shapes.
    Layers(Stiffness),
    /// Of a round shape, on a mesh that is rigid.
    Round(RoundPressure),
}

/// Contact law of one pair with all constants.
#[derive(Clone, Debug, PartialEq)]
pub struct PairLaw {
    /// Contact rule: depth from gap.
    pub rule: ContactRule,
    /// Normal force; for contact over an area its damping, and an estimate of its elastic part.
    pub normal: NormalLaw,
    /// Pressures, for contact over an area.
    pub area: Option<AreaPressure>,
    /// Treatment of a normal force that would pull.
    pub pulling: Pulling,
    /// Friction.
    pub friction: FrictionLaw,
    /// Rolling and spinning resistance.
    pub resistance: Resistance,
    /// Damping, frozen when a contact starts or inferred.
    pub damping: DampingLaw,
    /// Impulse law, if velocities jump where a contact starts.
    pub impulse: Option<ImpulseLaw>,
}

/// Data of an impulse in addition to restitution and resistance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseLaw {
    /// Coefficient of friction [1].
    pub friction: f64,
    /// Approach speed below which there is no impulse [m/s].
    pub rest_speed: f64,
}

/// Rolling and spinning resistance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// Rolling resistance times its arm, mu_r R [m].
    pub rolling: f64,
    /// Spinning resistance [m]; `None` if it is part of rolling.
    pub spinning: Option<f64>,
    /// Regularisation angular speed [rad/s].
    pub w_small: f64,
}

/// Relative motion of a pair at its contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMotion<T: Real> {
    /// Gap [m], negative where the shapes overlap.
    pub gap: T,
    /// Normal from 1 to 2.
    pub normal: Vec3<T>,
    /// Velocity of 2 relative to 1 at the contact point [m/s].
    pub velocity: Vec3<T>,
    /// Angular velocity of 2 relative to 1 [rad/s].
    pub angular_velocity: Vec3<T>,
    /// Contact point [m]; used by user functions.
    pub point: Vec3<T>,
    /// Time [s]; used by user functions.
    pub time: T,
}

impl<T: Real> ContactMotion<T> {
    /// delta_dot [m/s], positive while compressing.
    pub fn compression_rate(&self) -> T {
        -self.velocity.dot(&self.normal)
    }
}

/// Values frozen at the start of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Onset {
    /// d [s/m], effective mass m along the normal [kg] or beta [1]; see [`NormalLaw::frozen`].
    pub number: f64,
    /// c = m W_tn [1], world axes, for an effective mass: a unit normal force moves body 2 relative to 1 by W
    /// n = (n + c)/m at the contact point. Zero for a ball, and for other laws.
    pub coupling: [f64; 3],
}

impl From<f64> for Onset {
    fn from(number: f64) -> Self {
        let coupling = [0.0; 3];
        Onset { number, coupling }
    }
}

/// Lower bound of the mobility of a contact [1]. Where friction reduces it further the contact jams or nearly
/// so (Painleve): restitution has no meaning, and the mass must stay finite.
pub(crate) const LEAST_MOBILITY: f64 = 0.05;

impl Onset {
    /// Returns true if all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let [x, y, z] = self.coupling;
        [self.number, x, y, z].iter().all(|x| x.is_finite())
    }

    /// Returns true if friction changes the acceleration along the normal.
    #[inline(always)]
    pub fn couples(&self) -> bool {
        self.coupling != [0.0; 3]
    }

    /// Mobility 1 + c.r [1]: acceleration of the contact along its normal under a normal force with the
    /// friction r per normal force, relative to the normal force alone. m/(1 + c.r) is the mass that the
    /// normal force accelerates, 1/(W_nn - mu t.W_tn) while it slides along t.
    #[inline(always)]
    pub(super) fn mobility<T: Real>(&self, friction: &Vec3<T>) -> T {
        let coupling = Vec3::from(self.coupling.map(T::from));
        let mobility = T::one() + coupling.dot(friction);
        match mobility.value() < LEAST_MOBILITY {
            true => T::from(LEAST_MOBILITY),
            false => mobility,
        }
    }
}

/// Largest damping that steps of fixed length resolve; see [`PairLaw::force_within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Non-elastic normal force over the depth rate [N.s/m].
    pub normal: f64,
    /// Friction force over the slip velocity [N.s/m].
    pub slip: f64,
    /// Torque over the relative angular velocity [N.m.s/rad].
    pub turning: f64,
}

/// Contact load on body 2 at the contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce<T: Real> {
    /// Normal force f_n [N], along the normal.
    pub normal_force: T,
    /// Friction force [N].
    pub friction: Vec3<T>,
    /// Torque of rolling and spinning resistance [N.m].
    pub torque: Vec3<T>,
    /// Dissipated power [W]: power of the load less the rate of the stored elastic energy.
    pub dissipation: T,
}

impl<T: Real> ContactForce<T> {
    /// Total force on 2 [N], for the normal from 1 to 2.
    #[inline(always)]
    pub fn on_2(&self, normal: &Vec3<T>) -> Vec3<T> {
        normal * self.normal_force + self.friction
    }

    /// Replaces the force on 2 [N].
    pub fn replace(&mut self, motion: &ContactMotion<T>, force: &Vec3<T>) {
        let before = self.on_2(&motion.normal);
        self.dissipation -= (force - before).dot(&motion.velocity);
        self.normal_force = force.dot(&motion.normal);
        self.friction = force - motion.normal * self.normal_force;
    }
}

impl PairLaw {
    /// Binds a choice of laws with its damping to a pair. `k_red` [1] multiplies the normal force: the
    /// stiffness, and a separate damping if the law has one.
    pub fn new(
        choice: &LawChoice,
        surface: &PairSurface,
        rule: ContactRule,
        k_red: f64,
        damping: DampingLaw,
    ) -> Self {
        let kinds = &choice.kinds;
        let number = |n| choice.number(n);
        let (own, radius) = hertz_law(kinds.geometry_factor, surface);
        let mut elastic = match kinds.normal {
            NormalKind::Hertz | NormalKind::Volume
                if surface.over_area && surface.round.is_none() =>
            {
                over_flat_area(layer_stiffness(choice, surface), surface)
            }
            NormalKind::Hertz | NormalKind::User(_) | NormalKind::Observer => own,
            NormalKind::Spring | NormalKind::Impact => PowerLaw {
                stiffness: number(Number::Stiffness),
                exponent: number(Number::Exponent),
            },
            NormalKind::Poisson => PowerLaw {
                stiffness: number(Number::Stiffness),
                exponent: 1.0,
            },
            NormalKind::Volume => layers(choice, surface),
        };
        elastic.stiffness *= k_red;
        let area = surface.over_area.then(|| match surface.round {
            Some(radius) => AreaPressure::Round(round_pressure(&elastic, radius)),
            None => AreaPressure::Layers(layer_stiffness(choice, surface).map(|k| k * k_red)),
        });
        let normal = match kinds.normal {
            NormalKind::Hertz | NormalKind::Spring | NormalKind::Volume => {
                NormalLaw::damped(elastic, &damping)
            }
            NormalKind::Impact => NormalLaw::Impact {
                elastic,
                damping: number(Number::LargestDamping) * k_red,
                depth: number(Number::DampingDepth),
                step: kinds.step,
            },
            NormalKind::Poisson => NormalLaw::Poisson {
                elastic,
                transition: number(Number::TransitionSpeed),
                step: kinds.step,
            },
            NormalKind::User(_) => NormalLaw::User(UserForce::unbound()),
            NormalKind::Observer => NormalLaw::Observer,
        };
        let friction = friction_law(choice, surface, &elastic);
        PairLaw {
            rule,
            normal,
            area,
            pulling: kinds.pulling,
            friction,
            resistance: Resistance {
                rolling: number(Number::RollingResistance) * radius,
                spinning: match kinds.spinning {
                    Spinning::AsRolling => None,
                    Spinning::Own => Some(number(Number::SpinningResistance) * radius),
                },
                // An observer has no such number; its torque is zero times what any other makes
                // finite.
                w_small: match kinds.normal {
                    NormalKind::Observer => DEFAULT_SMALL,
                    _ => number(Number::WSmall),
                },
            },
            damping,
            impulse: kinds.has_impulse().then(|| ImpulseLaw {
                friction: number(Number::SlidingFriction),
                rest_speed: number(Number::RestSpeed),
            }),
        }
    }

    /// Law for contact over an area, with the elastic part estimated for faces with this common area [m2].
    pub fn over_faces(mut self, area: f64) -> Self {
        let stiffness = self.stiffness_per_area();
        if let (Some(k), Some(elastic)) = (stiffness, self.normal.elastic_mut()) {
            elastic.stiffness = k * area;
            if let FrictionLaw::Stick(stick) = &mut self.friction {
                *stick = stick.at(k * area);
            }
        }
        self
    }

    /// Stiffness per area [N/m3] of both layers in series, for contact over an area with layers.
    pub fn stiffness_per_area(&self) -> Option<f64> {
        match self.area {
            Some(AreaPressure::Layers(layers)) => Some(in_series(layers)),
            _ => None,
        }
    }

    /// Assigns the user functions of normal force and friction of a pair.
    pub fn bind_user(&mut self, laws: &[Option<Arc<UserLaw>>; 2], pair: PairId) {
        let [normal, friction] = laws;
        if let (NormalLaw::User(force), Some(law)) = (&mut self.normal, normal) {
            *force = UserForce::bound(law, pair);
        }
        if let (FrictionLaw::User(force), Some(law)) = (&mut self.friction, friction) {
            *force = UserForce::bound(law, pair);
        }
    }

    pub(crate) fn user(&self) -> [Option<&UserForce>; 2] {
        let normal = match &self.normal {
            NormalLaw::User(force) => Some(force),
            _ => None,
        };
        let friction = match &self.friction {
            FrictionLaw::User(force) => Some(force),
            _ => None,
        };
        [normal, friction]
    }

    /// Returns true if a user function is part of it.
    pub fn is_user(&self) -> bool {
        self.user().iter().any(Option::is_some)
    }

    /// Passes the impact speed of a contact [m/s] to the user functions.
    pub fn set_impact_speed(&mut self, speed: f64) {
        if let NormalLaw::User(force) = &mut self.normal {
            force.set_impact_speed(speed);
        }
        if let FrictionLaw::User(force) = &mut self.friction {
            force.set_impact_speed(speed);
        }
    }

    /// Elastic energy [J] at a gap [m] beyond the energy at the depth where point contacts start; 0 if less.
    pub fn energy_at_start(&self, gap: f64) -> f64 {
        let at_start = self.rule.depth_at_start();
        let stored = self.normal.elastic().map_or(0.0, |law| {
            law.energy(self.rule.depth(gap).max(at_start)) - law.energy(at_start)
        });
        stored.max(0.0)
    }

    /// Frozen value for this impact speed [m/s] and effective mass along the normal [kg], see
    /// [`NormalLaw::frozen`].
    pub fn frozen(&self, impact_speed: f64, effective_mass: f64) -> f64 {
        self.normal
            .frozen(&self.damping, impact_speed, effective_mass)
    }

    /// Stiffness [N/m] of the elastic part and damping [N.s/m] of the normal force at a depth in the force
    /// [m] and its rate [m/s], also where it pulls; for a user function of its total force.
    pub fn slopes(&self, depth: f64, rate: f64, frozen: f64) -> (f64, f64) {
        if !matches!(self.normal, NormalLaw::User(_)) {
            return self.normal.slopes(depth, rate, frozen);
        }
        let force = |depth, rate| self.normal_force::<Dual>(depth, rate, frozen).1.eps[0];
        let stiffness = force(Dual::new(depth, 1.0), Dual::from(rate));
        (stiffness, force(Dual::from(depth), Dual::new(rate, 1.0)))
    }

    /// Elastic part and normal force [N] at a depth in the force [m] and its rate [m/s], with the values
    /// frozen at the start of the contact.
    #[inline(always)]
    pub fn normal_force<T: Real>(&self, depth: T, rate: T, frozen: f64) -> (T, T) {
        self.normal_of(depth, rate, frozen, T::one(), || {
            Arguments::along_the_normal(depth, self.rule.gap(depth), rate)
        })
    }

    /// [`Self::normal_force`] with `arguments` for a user function, whose elastic part is unknown and counts
    /// as zero.
    #[inline(always)]
    fn normal_of<T: Real>(
        &self,
        depth: T,
        rate: T,
        frozen: f64,
        mobility: T,
        arguments: impl FnOnce() -> Arguments<T>,
    ) -> (T, T) {
        let (elastic, total) = match &self.normal {
            NormalLaw::User(force) => (T::zero(), force.normal_force(&arguments())),
            known => known.forces(depth, rate, frozen, mobility),
        };
        let normal_force = match self.pulling {
            Pulling::Clamped => total.positive_part(),
            Pulling::Signed => total,
        };
        (elastic, normal_force)
    }

    /// Load on 2 in a motion, with the values frozen at the start of the contact.
    #[inline(always)]
    pub fn force<T: Real>(
        &self,
        motion: &ContactMotion<T>,
        frozen: impl Into<Onset>,
    ) -> ContactForce<T> {
        let frozen = frozen.into();
        if let FrictionLaw::User(friction) = &self.friction {
            return self.force_of_user(friction, motion, frozen);
        }
        self.with_friction(motion, frozen, None, |slip, normal_force| {
            let friction = self.friction.force(slip, normal_force);
            (friction, -friction.dot(slip))
        })
    }

    /// [`Self::force`] with user-defined friction, which may give a torque too. Not inlined: it would slow
    /// the other laws.
    #[inline(never)]
    fn force_of_user<T: Real>(
        &self,
        friction: &UserForce,
        motion: &ContactMotion<T>,
        frozen: Onset,
    ) -> ContactForce<T> {
        let mut torque = Vec3::zeros();
        let mut force = self.with_friction(motion, frozen, None, |slip, normal_force| {
            let (friction, own) = friction.friction(&self.arguments(motion, normal_force));
            torque = own;
            (friction, -friction.dot(slip))
        });
        force.torque += torque;
        force.dissipation -= torque.dot(&motion.angular_velocity);
        force
    }

    /// [`Self::force`] with the sticking friction `law` and its deflection; also the rate of the deflection
    /// [m/s].
    #[inline(always)]
    pub fn force_of_bristle<T: Real>(
        &self,
        law: &StickLaw,
        motion: &ContactMotion<T>,
        frozen: Onset,
        bristle: &Bristle<T>,
    ) -> (ContactForce<T>, Vec3<T>) {
        self.bristle_within(law, motion, frozen, None, bristle)
    }

    #[inline(always)]
    fn bristle_within<T: Real>(
        &self,
        law: &StickLaw,
        motion: &ContactMotion<T>,
        frozen: Onset,
        limits: Option<&Limits>,
        bristle: &Bristle<T>,
    ) -> (ContactForce<T>, Vec3<T>) {
        let mut rate = Vec3::zeros();
        let force = self.with_friction(motion, frozen, limits, |slip, normal_force| {
            let held = law.force(slip, &motion.normal, normal_force, bristle);
            rate = held.deflection_rate;
            (held.friction, held.dissipation)
        });
        (force, rate)
    }

    /// [`Self::force`] in steps of fixed length, which cannot resolve a damping that decays a velocity within
    /// a few of them: each part of a force or torque that opposes a velocity is bounded by that velocity
    /// times a limit. Within the limits the law is unchanged.
    #[inline(always)]
    pub fn force_within(
        &self,
        motion: &ContactMotion<f64>,
        frozen: Onset,
        limits: &Limits,
    ) -> ContactForce<f64> {
        self.with_friction(motion, frozen, Some(limits), |slip, normal_force| {
            let mut friction = self.friction.force(slip, normal_force);
            within(&mut friction, slip, limits.slip);
            (friction, -friction.dot(slip))
        })
    }

    /// [`Self::force_within`] with friction in series with a spring of a stiffness [N/m] and the damper of
    /// its limit; the deflection of the bristle is the spring force [N]. Also its rate [N/s].
    #[inline(always)]
    pub fn force_of_spring_within(
        &self,
        motion: &ContactMotion<f64>,
        frozen: Onset,
        limits: &Limits,
        stiffness: f64,
        bristle: &Bristle<f64>,
    ) -> (ContactForce<f64>, Vec3<f64>) {
        let mut rate = Vec3::zeros();
        let spring = [stiffness, limits.slip];
        let force = self.with_friction(motion, frozen, Some(limits), |slip, normal_force| {
            let normal = &motion.normal;
            let held = (self.friction).behind(spring, slip, normal, normal_force, bristle);
            rate = held.deflection_rate;
            (held.friction, held.dissipation)
        });
        (force, rate)
    }

    /// [`Self::force_of_bristle`] with the limits of [`Self::force_within`]; the limit of friction applies to
    /// the damping of the bristle.
    pub fn force_of_bristle_within(
        &self,
        law: &StickLaw,
        motion: &ContactMotion<f64>,
        frozen: Onset,
        limits: &Limits,
        bristle: &Bristle<f64>,
    ) -> (ContactForce<f64>, Vec3<f64>) {
        let damping = law.damping.min(limits.slip);
        let law = StickLaw { damping, ..*law };
        self.bristle_within(&law, motion, frozen, Some(limits), bristle)
    }

    /// `friction` gives friction force [N] and dissipated power [W] for a slip velocity [m/s] and a normal
    /// force [N].
    #[inline(always)]
    fn with_friction<T: Real>(
        &self,
        motion: &ContactMotion<T>,
        frozen: Onset,
        limits: Option<&Limits>,
        mut friction: impl FnMut(&Vec3<T>, T) -> (Vec3<T>, T),
    ) -> ContactForce<T> {
        let rate = motion.compression_rate();
        let depth = self.rule.depth(motion.gap);
        let slip = motion.velocity + motion.normal * rate;
        let mut mobility = T::one();
        if frozen.couples()
            && let Some(elastic) = self.normal.elastic().map(|law| law.force(depth))
            && elastic.value() > f64::MIN_POSITIVE
        {
            mobility = frozen.mobility(&(friction(&slip, elastic).0 / elastic));
        }
        let (elastic, mut normal_force) =
            self.normal_of(depth, rate, frozen.number, mobility, || {
                self.arguments(motion, T::zero())
            });
        if let Some(limits) = limits {
            let most = limits.normal * rate.value().abs();
            let damping = (normal_force - elastic).value();
            if damping.abs() > most {
                normal_force = elastic + most.copysign(damping);
            }
        }
        let (friction, dissipated) = friction(&slip, normal_force);
        let mut torque =
            self.resistance
                .torque(&motion.normal, &motion.angular_velocity, normal_force);
        if let Some(limits) = limits {
            within(&mut torque, &motion.angular_velocity, limits.turning);
        }
        ContactForce {
            normal_force,
            friction,
            torque,
            dissipation: (normal_force - elastic) * rate + dissipated
                - torque.dot(&motion.angular_velocity),
        }
    }

    /// Arguments of user functions: a motion and, for friction, the normal force [N].
    #[inline(never)]
    fn arguments<T: Real>(&self, motion: &ContactMotion<T>, normal_force: T) -> Arguments<T> {
        let rate = motion.compression_rate();
        Arguments {
            flags: 0,
            time: motion.time,
            point: motion.point,
            normal: motion.normal,
            gap: motion.gap,
            depth: self.rule.depth(motion.gap),
            rate,
            slip: motion.velocity + motion.normal * rate,
            angular_velocity: motion.angular_velocity,
            normal_force,
        }
    }

    /// Reason why a user function gives no force in a motion, if one fails.
    #[cold]
    pub fn refusal(&self, motion: &ContactMotion<f64>, frozen: Onset) -> Option<String> {
        let [normal, friction] = self.user();
        if let Some(reason) = normal.and_then(|n| n.refusal(&self.arguments(motion, 0.0))) {
            return Some(reason);
        }
        let normal_force = self.force(motion, frozen).normal_force;
        friction?.refusal(&self.arguments(motion, normal_force))
    }

    /// Depth [m] at which the static force is `force` [N]; `None` without a known force.
    pub fn depth_under_force(&self, force: f64) -> Option<f64> {
        match &self.normal {
            NormalLaw::User(user) => force::depth_under_force(&self.rule, user, force),
            known => Some(known.elastic()?.depth_under_force(force)),
        }
    }

    /// Returns true if the total force starts and ends like the power 3/2 of time or higher, and has no
    /// memory: an integrator then need not stop there.
    pub fn starts_smoothly(&self) -> bool {
        /// Minimum exponent of the depth [1].
        const LEAST: f64 = 1.5;
        let has_no_damper = matches!(
            self.normal,
            NormalLaw::Power(_) | NormalLaw::Inferred { .. }
        );
        has_no_damper
            && self
                .normal
                .elastic()
                .is_some_and(|law| law.exponent >= LEAST)
            && self.area.is_none()
            && self.rule.depth_at_start() == 0.0
            && !matches!(self.rule, ContactRule::Touching)
            && !matches!(self.friction, FrictionLaw::Stick(_) | FrictionLaw::User(_))
    }

    /// Maximum depth [m] of an undamped impact of mass [kg] at speed [m/s]; `None` without a known force.
    pub fn depth_after_impact(&self, mass: f64, speed: f64) -> Option<f64> {
        match &self.normal {
            NormalLaw::User(user) => {
                force::depth_of_energy(&self.rule, user, 0.5 * mass * speed * speed)
            }
            known => Some(known.elastic()?.depth_after_impact(mass, speed)),
        }
    }

    /// Stored elastic energy [J]; unknown for a user function, and then zero.
    pub fn elastic_energy<T: Real>(&self, gap: T) -> T {
        let elastic = self.normal.elastic();
        elastic.map_or(T::zero(), |law| law.energy(self.rule.depth(gap)))
    }
}

impl Resistance {
    /// Torque on 2 [N.m], for the angular velocity of 2 relative to 1 [rad/s].
    #[inline(always)]
    pub(super) fn torque<T: Real>(
        &self,
        normal: &Vec3<T>,
        omega: &Vec3<T>,
        normal_force: T,
    ) -> Vec3<T> {
        let across = |omega: &Vec3<T>, arm: f64| {
            let size = -normal_force * arm;
            // Without resistance the same zeros, without a root and a division.
            match arm == 0.0 {
                true => omega * size,
                false => regularized(omega, self.w_small, size),
            }
        };
        match self.spinning {
            None => across(omega, self.rolling),
            Some(spinning) => {
                let spin = normal * omega.dot(normal);
                across(&(omega - spin), self.rolling) + across(&spin, spinning)
            }
        }
    }
}

/// Friction of a choice of laws, with the elastic part of the normal force.
fn friction_law(choice: &LawChoice, surface: &PairSurface, elastic: &PowerLaw) -> FrictionLaw {
    let kinds = &choice.kinds;
    let number = |n| choice.number(n);
    let sliding = number(Number::SlidingFriction);
    match kinds.friction {
        _ if kinds.normal == NormalKind::Observer => FrictionLaw::Off,
        FrictionKind::Off => FrictionLaw::Off,
        FrictionKind::Regularized => FrictionLaw::Regularized {
            sliding,
            v_small: number(Number::VSmall),
        },
        FrictionKind::Coulomb => FrictionLaw::Coulomb {
            coefficients: [number(Number::StaticFriction), sliding],
            speeds: [number(Number::StaticSpeed), number(Number::DynamicSpeed)],
            step: kinds.step,
        },
        FrictionKind::CoulombDynamic => FrictionLaw::CoulombDynamic {
            sliding,
            speed: number(Number::DynamicSpeed),
            step: kinds.step,
        },
        FrictionKind::Stick => FrictionLaw::Stick(sticking(choice, surface, elastic)),
        FrictionKind::User(_) => FrictionLaw::User(UserForce::unbound()),
    }
}

#[inline(always)]
fn within<T: Real>(force: &mut Vec3<T>, velocity: &Vec3<T>, limit: f64) {
    let most = limit * limit * velocity.dot(velocity).value();
    let square = force.dot(force).value();
    if square > most {
        *force *= T::from((most / square).sqrt());
    }
}

/// Elastic force from the moduli, and the radius [m] that is the arm of rolling resistance.
fn hertz_law(factor: GeometryFactor, surface: &PairSurface) -> (PowerLaw, f64) {
    let modulus = normal::modulus(surface.youngs_moduli, surface.poissons_ratios);
    let curved = |radius: f64| PowerLaw {
        stiffness: normal::stiffness(modulus, radius),
        exponent: 1.5,
    };
    match factor {
        GeometryFactor::ContactSphere => {
            let radius = normal::effective_radius(surface.contact_radii, surface.flat);
            (curved(radius), radius)
        }
        GeometryFactor::Document => match surface.spheres {
            [None, None] => {
                let linear = PowerLaw {
                    stiffness: modulus,
                    exponent: 1.0,
                };
                (linear, 1.0)
            }
            [Some(r), None] | [None, Some(r)] => (curved(r), r),
            [Some(r_1), Some(r_2)] => {
                let radius = r_1 * r_2 / (r_1 + r_2);
                (curved(radius), radius)
            }
        },
    }
}

/// Sticking friction, with values derived for numbers that are zero.
fn sticking(choice: &LawChoice, surface: &PairSurface, elastic: &PowerLaw) -> StickLaw {
    let number = |n| choice.number(n);
    let given = |n| Some(number(n)).filter(|value| *value > 0.0);
    let mass = surface.effective_mass;
    let known = given(Number::TangentialStiffness);
    let stiffness = known.unwrap_or_else(|| {
        stick::default_stiffness(elastic, surface.poissons_ratios, mass * surface.gravity)
    });
    let damping = given(Number::TangentialDamping);
    StickLaw {
        coefficients: [
            number(Number::StaticFriction),
            number(Number::SlidingFriction),
        ],
        speeds: [number(Number::StaticSpeed), number(Number::DynamicSpeed)],
        step: choice.kinds.step,
        stiffness,
        damping: damping.unwrap_or_else(|| stick::default_damping(stiffness, mass)),
        follows: known.is_none().then_some(elastic.stiffness),
        is_damping_derived: known.or(damping).is_none(),
    }
}

/// Depths of the elastic layers [m]: as given, else half of the smaller thickness of the shapes for both.
pub fn layer_depths(choice: &LawChoice, surface: &PairSurface) -> [f64; 2] {
    let [one, two] = surface.thickness;
    [Number::LayerDepth1, Number::LayerDepth2].map(|layer| match choice.number(layer) {
        given if given > 0.0 => given,
        _ => 0.5 * one.min(two),
    })
}

/// Stiffness per area [N/m3] of the layers of both shapes. A given layer is bonded to its body and cannot
/// widen: k_i = E_i (1 - nu_i)/((1 + nu_i)(1 - 2 nu_i))/h_i. Otherwise the shape is a block between its
/// middle and the contact that widens freely, k_i = E_i/h_i. A given stiffness per area is that of both in
/// series.
pub(crate) fn layer_stiffness(choice: &LawChoice, surface: &PairSurface) -> [f64; 2] {
    let given = choice.number(Number::StiffnessPerArea);
    if given > 0.0 {
        return [2.0 * given; 2];
    }
    let depths = layer_depths(choice, surface);
    let layers = [Number::LayerDepth1, Number::LayerDepth2];
    std::array::from_fn(|i| {
        let (e, nu) = (surface.youngs_moduli[i], surface.poissons_ratios[i]);
        match choice.number(layers[i]) > 0.0 {
            true => e * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / depths[i],
            false => e / depths[i],
        }
    })
}

/// Elastic layers in a point contact: pressure k delta^n, 1/k = 1/k_1 + 1/k_2 of [`layer_stiffness`]. That is
/// elasticity for n = 1, k in [N/m^3]; another n keeps the number k in [N/m^(2+n)]. A flat patch of area A
/// has f = A k delta^n. A paraboloid with the radius R penetrates by delta - r^2/(2 R) at the radius r, so f
/// = integral of k (delta - r^2/(2 R))^n 2 pi r dr = 2 pi R k delta^(n+1)/(n + 1); R is that of the contact
/// spheres.
fn layers(choice: &LawChoice, surface: &PairSurface) -> PowerLaw {
    let k = in_series(layer_stiffness(choice, surface));
    let n = choice.number(Number::Exponent);
    let area = choice.number(Number::Area);
    if area > 0.0 {
        PowerLaw {
            stiffness: area * k,
            exponent: n,
        }
    } else {
        let radius = normal::effective_radius(surface.contact_radii, surface.flat);
        PowerLaw {
            stiffness: 2.0 * std::f64::consts::PI * radius * k / (n + 1.0),
            exponent: n + 1.0,
        }
    }
}

/// Pressure field c u^n of a round shape of a radius R [m] whose force on a plane face is K delta^e. The integral
/// of the field of a ball over the plane is 2 pi c delta^(n+1) (R/(n + 1) - delta/(n + 2)); its first term is the
/// law.
fn round_pressure(force: &PowerLaw, radius: f64) -> RoundPressure {
    RoundPressure {
        factor: force.stiffness * force.exponent / (2.0 * std::f64::consts::PI * radius),
        exponent: force.exponent - 1.0,
    }
}

/// Force of faces in contact over the smallest flat area of the two shapes: the estimate for a pair whose
/// patch is not known.
fn over_flat_area(stiffness: Stiffness, surface: &PairSurface) -> PowerLaw {
    let [one, two] = surface.flat_area;
    PowerLaw {
        stiffness: in_series(stiffness) * one.min(two),
        exponent: 1.0,
    }
}

fn in_series([one, two]: Stiffness) -> f64 {
    1.0 / (1.0 / one + 1.0 / two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::response::choice::{Damping, LawKinds, LawOptions};
    use crate::response::inferred::Tables;

    /// The default law with the impact speed frozen: forces here are asked for with d = 0.5 s/m.
    const LATCHED: LawOptions = LawOptions {
        damping: Damping::Exact,
        ..LawOptions::DEFAULT
    };

    fn law(options: LawOptions) -> PairLaw {
        let given = |number| match number {
            Number::Restitution => Some(0.7),
            Number::SlidingFriction => Some(0.5),
            Number::RollingResistance => Some(0.001),
            _ => None,
        };
        let choice = LawChoice::new(LawKinds::of_scene(&options), given).unwrap();
        // 4/3 sqrt(0.1) c_res = 1e9 N/m^1.5 for a ball of radius 0.1 m.
        let c_res = 1e9 / (4.0 / 3.0 * 0.1_f64.sqrt());
        let surface = PairSurface {
            youngs_moduli: [2.0 * c_res; 2],
            poissons_ratios: [0.0; 2],
            contact_radii: [f64::INFINITY, 0.1],
            flat: [true, false],
            spheres: [None, Some(0.1)],
            over_area: false,
            round: None,
            thickness: [f64::INFINITY, 0.2],
            flat_area: [f64::INFINITY, 0.04],
            effective_mass: 1.0,
            gravity: 9.81,
        };
        let damping = DampingLaw::new(&choice, options.d_max, &mut Tables::default());
        PairLaw::new(&choice, &surface, options.rule, 1.0, damping)
    }

    fn motion(gap: f64, velocity: [f64; 3], angular: [f64; 3]) -> ContactMotion<f64> {
        ContactMotion {
            gap,
            normal: Vec3::new(0.0, 0.0, 1.0),
            velocity: Vec3::from(velocity),
            angular_velocity: Vec3::from(angular),
            point: Vec3::zeros(),
            time: 0.0,
        }
    }

    #[test]
    fn normal_force_on_2_points_along_the_normal_and_grows_while_compressing() {
        let law = law(LATCHED);
        let force = |motion| law.force(&motion, 0.5).on_2(&motion.normal);
        let still = force(motion(-1e-5, [0.0; 3], [0.0; 3]));
        // k (delta - 2 z_eps)^1.5 with z_eps = 1e-8 m.
        assert!((still.z / (1e9 * 9.98e-6_f64.powf(1.5)) - 1.0).abs() < 1e-14);
        let compressing = force(motion(-1e-5, [0.0, 0.0, -0.2], [0.0; 3]));
        assert!((compressing.z / still.z - 1.1).abs() < 1e-14);
    }

    #[test]
    fn a_clamped_force_never_pulls_and_a_signed_one_does() {
        let leaving = motion(-1e-5, [0.0, 0.0, 4.0], [0.0; 3]);
        let force = |options| law(options).force(&leaving, 0.5).normal_force;
        assert_eq!(force(LATCHED), 0.0);
        assert!(force(LawOptions::MODIA3D_0_12) < 0.0);
    }

    #[test]
    fn friction_opposes_slip_with_the_coulomb_value_at_speed() {
        let sliding = motion(-1e-5, [3.0, -4.0, 0.0], [0.0; 3]);
        let force = law(LATCHED).force(&sliding, 0.5);
        assert!((force.friction.x / force.normal_force + 0.5 * 0.6).abs() < 1e-15);
        assert!((force.friction.y / force.normal_force - 0.5 * 0.8).abs() < 1e-15);
    }

    #[test]
    fn rolling_resistance_opposes_rotation_with_the_radius_as_arm() {
        let rolling = motion(-1e-5, [0.0; 3], [0.0, 2.0, 0.0]);
        let force = law(LATCHED).force(&rolling, 0.5);
        assert!((force.torque.y / force.normal_force + 0.001 * 0.1).abs() < 1e-18);
    }

    #[test]
    fn at_rest_there_is_no_friction_and_no_rolling_torque() {
        let at_rest = law(LATCHED).force(&motion(-1e-5, [0.0; 3], [0.0; 3]), 0.5);
        assert_eq!(
            (at_rest.friction, at_rest.torque),
            (Vec3::zeros(), Vec3::zeros())
        );
    }

    #[test]
    fn dissipation_is_never_negative_where_the_force_does_not_pull() {
        let law = law(LATCHED);
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
