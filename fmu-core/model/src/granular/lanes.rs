//! Contacts of balls with balls and with fixed planes, several at once: the frequent laws of
//! [`contact_laws::response`] without branches.
//!
//! With the normal n from 1 to 2 and the arms a_i = r_i + gap/2 along it, both bodies meet at the contact
//! point x_1 + a_1 n = x_2 - a_2 n:
//!
//! - v = v_2 - v_1 - (a_1 w_1 + a_2 w_2) x n, the velocity of 2 relative to 1 there
//! - f on 2 at the point, so the torques -a_i n x f act on both, since the arms are opposite
//!
//! Each number of a contact is computed from those of the same contact alone, by the same operations in each
//! lane, so the grouping of contacts does not affect results.

use crate::granular::balls::GrainSet;
use contact_geometry::math::Vec3;
use contact_laws::response::PairLaw;
use contact_laws::response::choice::{ContactRule, DepthRule, Pulling, Step};
use contact_laws::response::friction::{CLOSE, FrictionLaw, MOST_ITERATIONS};
use contact_laws::response::normal::NormalLaw;
use contact_laws::response::stick::StickLaw;
use wide::f64x4 as Lane;

pub(crate) const LANES: usize = 4;
/// Surface of a half-space: normal, and height along it [m].
pub(crate) type Plane = (Vec3, f64);

/// Stiffness of the spring [N/m] through which friction acts, relative to the damper per step [1]: the period
/// of a grain on its contact springs is ten steps.
pub(crate) const SPRING: f64 = 0.3;

/// Data of a contact for each step.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Round {
    /// Ball radii [m].
    pub radii: [f64; 2],
    /// Frozen value of the law.
    pub frozen: f64,
    /// Effective masses along and perpendicular to the normal [kg], effective inertia [kg.m2].
    pub masses: [f64; 3],
    /// Grains; a body that is none has the one behind the last.
    pub grains: [u32; 2],
    /// Index of its [`RoundLaw`], with [`IN_PLANE`] if 1 is a plane; or [`OTHER`].
    pub class: u32,
    /// Index of the plane.
    pub plane: u32,
}

/// Flag of a class: shape 1 is a plane.
pub(crate) const IN_PLANE: u32 = 1 << 31;
/// Class of a contact that is not evaluated here.
pub(crate) const OTHER: u32 = u32::MAX;

/// Timing of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Time by which deflections advance [s].
    pub ahead: f64,
    /// Number of steps per second [1/s].
    pub steps: f64,
}

/// State of a contact from step to step, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stretch {
    /// Deflection of sticking friction [m], spring force of other friction [N].
    pub deflection: Vec3,
    /// Its rate at the last evaluation.
    pub rate: Vec3,
    pub force: Vec3,
}

/// Load of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Force on 2 [N].
    pub force: Vec3,
    /// Torques on 1 and on 2 about their centres of mass, world axes [N.m].
    pub torques: [Vec3; 2],
    /// Gap [m].
    pub gap: f64,
    /// Dissipated power [W].
    pub dissipation: f64,
    /// Rate of the deflection [m/s].
    pub rate: Vec3,
}

impl Stretch {
    /// Stores the load and advances the deflection by `step` [s].
    #[inline(always)]
    pub(crate) fn take(&mut self, push: &Push, step: f64) {
        self.deflection += (self.rate + push.rate) * (0.5 * step);
        self.rate = push.rate;
        self.force = push.force;
    }
}

impl Push {
    pub(crate) const NOTHING: Push = Push {
        force: Vec3::new(0.0, 0.0, 0.0),
        torques: [Vec3::new(0.0, 0.0, 0.0); 2],
        gap: 0.0,
        dissipation: 0.0,
        rate: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// Exponents that need no power function.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Exponent {
    One,
    Half3,
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Friction {
    Off,
    Regularized { sliding: f64, v_small: f64 },
    Stick(StickLaw),
}

/// Law in the form for lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoundLaw {
    /// Overlap without depth [m].
    offset: f64,
    stiffness: f64,
    exponent: Exponent,
    clamped: bool,
    friction: Friction,
    /// Arm of rolling resistance [m] and its regularisation speed [rad/s].
    rolling: f64,
    w_small: f64,
}

/// A vector for each contact, as three lanes.
#[derive(Clone, Copy)]
struct Vector([Lane; 3]);

impl RoundLaw {
    /// Lane form of a law, if it has one.
    pub(crate) fn of(law: &PairLaw) -> Option<Self> {
        let ContactRule::Hysteresis { z_eps, depth } = law.rule else {
            return None;
        };
        let NormalLaw::Power(elastic) = &law.normal else {
            return None;
        };
        let exponent = match elastic.exponent {
            1.0 => Exponent::One,
            1.5 => Exponent::Half3,
            2.0 => Exponent::Two,
            _ => return None,
        };
        let friction = match &law.friction {
            FrictionLaw::Off => Friction::Off,
            FrictionLaw::Regularized { sliding, v_small } => Friction::Regularized {
                sliding: *sliding,
                v_small: *v_small,
            },
            FrictionLaw::Stick(stick) => Friction::Stick(*stick),
            _ => return None,
        };
        if law.area.is_some() || law.resistance.spinning.is_some() {
            return None;
        }
        Some(RoundLaw {
            offset: match depth {
                DepthRule::PastHysteresis => 2.0 * z_eps,
                DepthRule::Whole => 0.0,
            },
            stiffness: elastic.stiffness,
            exponent,
            clamped: law.pulling == Pulling::Clamped,
            friction,
            rolling: law.resistance.rolling,
            w_small: law.resistance.w_small,
        })
    }

    /// Loads of contacts of a class; `kept` [1/s] bounds the decay rate by each. Calls `put` with each lane.
    #[inline(always)]
    pub(crate) fn push(
        &self,
        contacts: [&Round; LANES],
        stretches: [&Stretch; LANES],
        at: &Kinematics,
        sampling: Sampling,
        kept: [f64; LANES],
        mut put: impl FnMut(usize, Push),
    ) {
        let kept = lanes(kept);
        let [m_normal, m_slip, m_turning] =
            three(|i| lanes(each(contacts, |c| c.masses[i])) * kept);
        let rate = -at.velocity.dot(&at.normal);
        let frozen = lanes(each(contacts, |c| c.frozen));
        let (pressing, damping) = self.pressing(at.gap, rate, frozen, m_normal);
        let slip = at.velocity + at.normal.times(rate);
        let deflection = Vector::of(each(stretches, |s| &s.deflection));
        let was = Vector::of(each(stretches, |s| &s.rate));
        let s = deflection + was.times(Lane::splat(sampling.ahead));
        let (friction, rates, rubbed) = match &self.friction {
            Friction::Off => (Vector::zero(), Vector::zero(), Lane::ZERO),
            Friction::Regularized { sliding, v_small } => {
                let limit = positive(pressing) * Lane::splat(*sliding);
                creep(
                    limit,
                    *v_small,
                    at,
                    slip,
                    s,
                    m_slip,
                    Lane::splat(SPRING * sampling.steps),
                )
            }
            Friction::Stick(law) => hold(law, at, slip, pressing, s, m_slip),
        };
        let force = at.normal.times(pressing) + friction;
        let moment = at.normal.cross(&friction);
        let [mut t_1, mut t_2] = [moment.times(-at.arms[0]), moment.times(-at.arms[1])];
        let mut lost = damping * rate + rubbed;
        if self.rolling != 0.0 {
            let square = at.turning.dot(&at.turning);
            let size = -pressing * Lane::splat(self.rolling);
            let factor = within(size / reg(square.sqrt(), self.w_small), m_turning);
            let torque = at.turning.times(factor);
            t_1 = t_1 - torque;
            t_2 = t_2 + torque;
            lost -= factor * square;
        }
        let (force, rates) = (force.apart(), rates.apart());
        let torques = [t_1.apart(), t_2.apart()];
        let (gap, lost) = (at.gap.to_array(), lost.to_array());
        for i in 0..LANES {
            put(
                i,
                Push {
                    force: force[i],
                    torques: [torques[0][i], torques[1][i]],
                    gap: gap[i],
                    dissipation: lost[i],
                    rate: rates[i],
                },
            );
        }
    }

    #[inline(always)]
    fn pressing(&self, gap: Lane, rate: Lane, frozen: Lane, most: Lane) -> (Lane, Lane) {
        let depth = positive(-gap - Lane::splat(self.offset));
        let elastic = Lane::splat(self.stiffness)
            * match self.exponent {
                Exponent::One => depth,
                Exponent::Half3 => depth * depth.sqrt(),
                Exponent::Two => depth * depth,
            };
        let total = elastic * (Lane::ONE + rate * frozen);
        let total = if self.clamped { positive(total) } else { total };
        let damping = within(total - elastic, most * rate.abs());
        (elastic + damping, damping)
    }
}

/// Relative motion at the contact points.
pub(crate) struct Kinematics {
    normal: Vector,
    gap: Lane,
    /// From the centres to the contact point, along the normal and against it [m].
    arms: [Lane; 2],
    /// Velocity of 2 relative to 1 at the contact point [m/s].
    velocity: Vector,
    /// Angular velocity of 2 relative to 1, and the sum of both [rad/s].
    turning: Vector,
    spin: Vector,
}

impl Kinematics {
    #[inline(always)]
    /// Kinematics of contacts of a class.
    pub(crate) fn of(contacts: [&Round; LANES], grains: &GrainSet, planes: &[Plane]) -> Self {
        let second = each(contacts, |c| &grains.now[c.grains[1] as usize]);
        let x_2 = Vector::of(each(second, |now| &now.position));
        let v_2 = Vector::of(each(second, |now| &now.velocity));
        let w_2 = Vector::of(each(second, |now| &now.omega));
        let r_2 = lanes(each(contacts, |c| c.radii[1]));
        let half = Lane::splat(0.5);
        if contacts[0].class & IN_PLANE != 0 {
            let own = each(contacts, |c| &planes[c.plane as usize]);
            let normal = Vector::of(each(own, |plane| &plane.0));
            let gap = normal.dot(&x_2) - lanes(each(own, |plane| plane.1)) - r_2;
            let arm = r_2 + half * gap;
            return Kinematics {
                gap,
                // The torque on the plane is not used.
                arms: [Lane::ZERO, arm],
                velocity: v_2 - w_2.times(arm).cross(&normal),
                turning: w_2,
                spin: w_2,
                normal,
            };
        }
        let first = each(contacts, |c| &grains.now[c.grains[0] as usize]);
        let between = x_2 - Vector::of(each(first, |now| &now.position));
        let square = between.dot(&between);
        let distance = square.sqrt();
        // Of centres that coincide the first axis is the normal.
        let apart = square.simd_gt(Lane::ZERO);
        let per = Lane::ONE / apart.select(distance, Lane::ONE);
        let Vector([x, y, z]) = between.times(per);
        let normal = Vector([apart.select(x, Lane::ONE), y, z]);
        let r_1 = lanes(each(contacts, |c| c.radii[0]));
        let gap = distance - (r_1 + r_2);
        let arms = [r_1 + half * gap, r_2 + half * gap];
        let w_1 = Vector::of(each(first, |now| &now.omega));
        let v_1 = Vector::of(each(first, |now| &now.velocity));
        let turned = w_1.times(arms[0]) + w_2.times(arms[1]);
        Kinematics {
            gap,
            arms,
            velocity: v_2 - v_1 - turned.cross(&normal),
            turning: w_2 - w_1,
            spin: w_1 + w_2,
            normal,
        }
    }
}

/// [`StickLaw::force`]: force, rate of the deflection s, dissipated power. The damper is bounded by `m_slip`
/// times the slip.
#[inline(always)]
fn hold(
    law: &StickLaw,
    at: &Kinematics,
    slip: Vector,
    pressing: Lane,
    s: Vector,
    m_slip: Lane,
) -> (Vector, Vector, Lane) {
    let along = s.dot(&at.normal);
    let s_t = s - at.normal.times(along);
    let (k, c) = (Lane::splat(law.stiffness), Lane::splat(law.damping));
    let c = c.simd_gt(m_slip).select(m_slip, c);
    let per_c = Lane::ONE / c;
    let stretched = s_t.times(k);
    let trial = stretched + slip.times(c);
    let limit = coefficient(law, slip.dot(&slip)) * positive(pressing);
    let square = trial.dot(&trial);
    let least = Lane::splat(f64::MIN_POSITIVE);
    let limit_2 = limit * limit;
    let holds = square.simd_le(limit_2.simd_gt(least).select(limit_2, least));
    let size = holds.select(Lane::ONE, square.sqrt());
    let held = trial.times(holds.select(Lane::ONE, limit / size));
    let way = (held - stretched).times(per_c);
    let way = Vector(three(|i| holds.select(slip.0[i], way.0[i])));
    let sliding = holds.select(Lane::ZERO, limit * (size - limit) * per_c);
    let leak = k * per_c;
    let rates = way + turned(at, &s_t, along * leak);
    let lost = way.dot(&way) * c + sliding + along * along * (k * leak);
    (Vector::zero() - held, rates, lost)
}

/// [`FrictionLaw::behind`] of regularised friction with a limit [N], through a spring with the force s and a
/// stiffness relative to the damper c [1/s].
#[inline(always)]
fn creep(
    limit: Lane,
    v_small: f64,
    at: &Kinematics,
    slip: Vector,
    s: Vector,
    c: Lane,
    per_time: Lane,
) -> (Vector, Vector, Lane) {
    let along = s.dot(&at.normal);
    let s_t = s - at.normal.times(along);
    let trial = s_t + slip.times(c);
    let size = trial.dot(&trial).sqrt();
    let held = in_series(limit, size, c * Lane::splat(v_small));
    let held = trial.times(held / size.simd_gt(Lane::ZERO).select(size, Lane::ONE));
    let rates = (held - s_t).times(per_time) + turned(at, &s_t, along * per_time);
    (Vector::zero() - held, rates, held.dot(&slip))
}

/// Force limit u/reg(u) at the speed u that solves it = size - c u, all non-negative; `per` is c v_small. It
/// is concave, so that Newton's method converges monotonically from 0.
#[inline(always)]
fn in_series(limit: Lane, size: Lane, per: Lane) -> Lane {
    let (three, close) = (Lane::splat(3.0), size * Lane::splat(CLOSE));
    let slow = size.simd_lt(limit + per);
    // Of u/v_small.
    let (mut x, mut force) = (Lane::ZERO, Lane::ZERO);
    for _ in 0..MOST_ITERATIONS {
        let square = x * x;
        let part = Lane::ONE / (Lane::ONE + square * (three - x));
        let asked = limit * three * x * part;
        let slope = limit * three * (Lane::ONE - square * (three - x - x)) * part * part;
        let lacks = size - asked - per * x;
        let step = lacks / (slope + per);
        force = asked + slope * step;
        // A converged lane stays, whatever the others do.
        let goes_on = slow & lacks.simd_gt(close);
        if !goes_on.any() {
            break;
        }
        x = goes_on.select(x + step, x);
    }
    slow.select(force, limit)
}

/// Change of a spring that rotates with both bodies and loses its normal component.
#[inline(always)]
fn turned(at: &Kinematics, s_t: &Vector, leaves: Lane) -> Vector {
    let spin = at.spin.dot(&at.normal) * Lane::splat(0.5);
    at.normal.cross(s_t).times(spin) - at.normal.times(leaves)
}

#[inline(always)]
pub(crate) fn each<A, B>([a, b, c, d]: [A; LANES], of: impl Fn(A) -> B) -> [B; LANES] {
    [of(a), of(b), of(c), of(d)]
}

#[inline(always)]
fn three<B>(of: impl Fn(usize) -> B) -> [B; 3] {
    [of(0), of(1), of(2)]
}

#[inline(always)]
fn lanes(numbers: [f64; LANES]) -> Lane {
    Lane::from(numbers)
}

#[inline(always)]
fn positive(x: Lane) -> Lane {
    x.simd_gt(Lane::ZERO).select(x, Lane::ZERO)
}

/// Number clamped to the magnitude `most`.
#[inline(always)]
fn within(x: Lane, most: Lane) -> Lane {
    let x = x.simd_gt(most).select(most, x);
    (-most).simd_gt(x).select(-most, x)
}

#[inline(always)]
fn reg(v: Lane, v_small: f64) -> Lane {
    let low =
        v * v * Lane::splat(1.0 / v_small) * (Lane::ONE - v * Lane::splat(1.0 / (3.0 * v_small)))
            + Lane::splat(v_small / 3.0);
    v.simd_ge(Lane::splat(v_small)).select(v, low)
}

/// Coefficient of sticking friction, from the square of the slip speed [m2/s2].
#[inline(always)]
fn coefficient(law: &StickLaw, square: Lane) -> Lane {
    let ([mu_s, mu_k], [v_s, v_d]) = (law.coefficients, law.speeds);
    if mu_s == mu_k {
        return Lane::splat(mu_s);
    }
    let v = square.sqrt();
    let z = (v - Lane::splat(v_s)) * Lane::splat(1.0 / (v_d - v_s));
    let unit = match law.step {
        Step::Cubic => z * z * (Lane::splat(3.0) - z * Lane::splat(2.0)),
        Step::Quintic => {
            let inner = Lane::splat(10.0) - z * Lane::splat(15.0) + z * z * Lane::splat(6.0);
            z * z * z * inner
        }
    };
    let mu = unit * Lane::splat(mu_k - mu_s) + Lane::splat(mu_s);
    let mu = v.simd_ge(Lane::splat(v_d)).select(Lane::splat(mu_k), mu);
    v.simd_le(Lane::splat(v_s)).select(Lane::splat(mu_s), mu)
}

impl Vector {
    #[inline(always)]
    fn of(vectors: [&Vec3; LANES]) -> Self {
        Vector(three(|i| lanes(each(vectors, |v| v[i]))))
    }

    #[inline(always)]
    fn zero() -> Self {
        Vector([Lane::ZERO; 3])
    }

    #[inline(always)]
    fn dot(&self, other: &Self) -> Lane {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    #[inline(always)]
    fn cross(&self, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Vector([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    #[inline(always)]
    fn times(&self, factor: Lane) -> Self {
        Vector(three(|i| self.0[i] * factor))
    }

    #[inline(always)]
    fn apart(self) -> [Vec3; LANES] {
        let [x, y, z] = three(|i| self.0[i].to_array());
        each([0, 1, 2, 3], |i| Vec3::new(x[i], y[i], z[i]))
    }
}

impl std::ops::Add for Vector {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Vector(three(|i| self.0[i] + other.0[i]))
    }
}

impl std::ops::Sub for Vector {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Vector(three(|i| self.0[i] - other.0[i]))
    }
}
