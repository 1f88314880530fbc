//! Contact law over a patch: pressure with damping at each node, and friction.
//!
//! With the elastic force p of a node, its normal n and the velocity v of 2 relative to 1 there:
//!
//! - the part of p n along N, the direction of the total elastic force, is damped: p (n.N) max(0, 1 + d v_N),
//!   v_N = -v.N. d is common to the patch: frozen, or inferred from its energy U, the mass that a normal
//!   force with the friction at the centre accelerates ([`Onset::mobility`]) and its mean speed of
//!   compression, the power of the elastic wrench over its force: [`crate::response::inferred`]. So faces,
//!   edges and corners that come in along N part with the same restitution, and the damping dissipates p
//!   (n.N) d v_N^2 >= 0 at each node
//! - a body of revolution may spin about its axis a without changing the overlap: this spin is excluded from
//!   v_N, and the damping has no torque about the axis, so that a drum that rolls on a face or spins in place
//!   is not braked; the dissipation is still p (n.N) d v_N^2. Rotation about N has no v_N, so a body rolling
//!   on its rim turns by spin a + turning N + tilting, of which only the last approaches; with c = a.N and
//!   the part N_a = N - c a perpendicular to the axis, spin = w.(a - g N_a), g = c/|N_a|^2. A body lying on
//!   its face has no rim to roll on: there g = c/(|N_a|^2 + (depth/radius)^2), radius the distance of the
//!   pressure from the axis, depth = 2 U/(sum of p), so that the face counts as tilted where its edge has
//!   lifted off
//! - friction of the law by the slip perpendicular to N and the force along N, integrated over the patch,
//!   [`crate::response::sliding`]: a face that spins on the spot is braked by the integral of mu p r, and
//!   friction has no component along N
//! - sticking friction has one deflection for the patch, [`crate::response::stick`], by the motion at the
//!   centre of pressure: along the face, and c times the rotation about the normal, c the mean distance of
//!   the pressure from its centre, so that the energy is k_t |s|^2/2 for any change of c. Its limit is that
//!   of the friction at each node. The part along the face rotates about the normal with the mean of both
//!   bodies and perpendicular to it with the body whose face gives the normal, if a half-space or a curved
//!   body decides that, else with the mean; any part along the normal relaxes
//! - resistance of the pair to rolling and spinning by the total normal force

use crate::response::law::{Onset, PairLaw};
use crate::response::normal::NormalLaw;
pub use crate::response::sliding::AreaMotion;
use crate::response::sliding::{Over, PatchLoad, Profile, Sliding, sliding};
use crate::response::stick::{Bristle, Deflection, Face, FaceForce, StickLaw};
use contact_geometry::math::{Real, Vec3, length};
use contact_geometry::narrow_phase::area::{Line, Patch, in_pairs};
use std::ops::Add;

/// Sticking friction of a patch: law and state.
#[derive(Clone, Copy, Debug)]
pub struct AreaBristle<'a, T: Real> {
    /// Its law.
    pub law: &'a StickLaw,
    /// Its deflection.
    pub deflection: Deflection<T>,
    /// Mean angular velocity of both bodies [rad/s]: rotates the deflection about the normal.
    pub mean: Vec3<T>,
    /// Angular velocity of the body whose face carries the contact [rad/s]: rotates the deflection
    /// perpendicular to the normal.
    pub of_face: Vec3<T>,
}

/// Load of a patch on body 2.
#[derive(Clone, Copy, Debug)]
pub struct AreaForce<T: Real> {
    /// Centre of the elastic pressure, from the origin of the patch [m].
    pub center: Vec3<T>,
    /// Direction of the elastic force, from 1 to 2.
    pub normal: Vec3<T>,
    /// Force [N].
    pub force: Vec3<T>,
    /// Torque about the centre [N.m].
    pub torque: Vec3<T>,
    /// Dissipated power [W].
    pub dissipation: T,
}

#[derive(Clone, Copy)]
struct Sum<T: Real> {
    force: Vec3<T>,
    moment: Vec3<T>,
    size: T,
    /// First moment of the normal forces.
    first: Vec3<T>,
    /// Torque of the damping about the axis of revolution.
    axial: T,
    dissipation: T,
}

impl<T: Real> Sum<T> {
    fn zero() -> Self {
        Sum {
            force: Vec3::zeros(),
            moment: Vec3::zeros(),
            size: T::zero(),
            first: Vec3::zeros(),
            axial: T::zero(),
            dissipation: T::zero(),
        }
    }
}

impl<T: Real> Add for Sum<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Sum {
            force: self.force + other.force,
            moment: self.moment + other.moment,
            size: self.size + other.size,
            first: self.first + other.first,
            axial: self.axial + other.axial,
            dissipation: self.dissipation + other.dissipation,
        }
    }
}

/// Ratio of the resultant to the sum of forces below which they cancel and the direction is rounding: a body
/// that passes through another one, far deeper than faces may be.
const CANCELLED: f64 = 1e-9;

/// Elastic part of a patch.
struct Elastic<T: Real> {
    center: Vec3<T>,
    normal: Vec3<T>,
    /// Sum of the nodes' forces [N].
    size: T,
    /// Resultant [N].
    along: T,
    /// Mean speed of compression along the normal [m/s].
    rate: T,
}

fn elastic<T: Real>(patch: &Patch<T>, motion: &AreaMotion<T>) -> Option<Elastic<T>> {
    let sum = patch.nodes.sum(Sum::zero(), |node| {
        let force = node.normal * node.force;
        Sum {
            force,
            moment: node.point.cross(&force),
            size: node.force,
            first: node.point * node.force,
            ..Sum::zero()
        }
    });
    let size = length(&sum.force);
    // Where the overlap is rounding, so is the energy, of any sign.
    let pressed = sum.size.value() > 0.0 && patch.energy.value() > 0.0;
    if !pressed || size.value() <= CANCELLED * sum.size.value() {
        return None;
    }
    let power = sum.force.dot(&motion.velocity) + sum.moment.dot(&motion.angular_velocity);
    Some(Elastic {
        center: sum.first / sum.size,
        normal: sum.force / size,
        size: sum.size,
        along: size,
        rate: -power / size,
    })
}

/// Vector a - g N_a, whose product with the angular velocity is the spin of a rolling body of revolution.
fn rolling_spin<T: Real>(axis: &Line<T>, patch: &Patch<T>, elastic: &Elastic<T>) -> Vec3<T> {
    let a = &axis.direction;
    let cosine = a.dot(&elastic.normal);
    let across = elastic.normal - a * cosine;
    let squares = patch.nodes.sum(T::zero(), |node| {
        let off = a.cross(&(node.point - axis.point));
        off.dot(&off) * node.force
    });
    // |N_a|^2 + (depth/radius)^2, radius^2 = squares/size, times squares.
    let depths = patch.energy * patch.energy * T::from(4.0) / elastic.size;
    let scale = across.dot(&across) * squares + depths;
    a - across * (cosine * squares / (scale + T::from(f64::MIN_POSITIVE)))
}

/// Centre of the elastic pressure, from the origin of the patch [m], and direction of its force from 1 to 2;
/// `None` without pressure.
pub fn center<T: Real>(patch: &Patch<T>) -> Option<(Vec3<T>, Vec3<T>)> {
    let still = AreaMotion {
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
    };
    let elastic = elastic(patch, &still)?;
    Some((elastic.center, elastic.normal))
}

/// Sums over a patch under a load, with friction that depends on the slip alone.
fn pressed<T: Real>(
    patch: &Patch<T>,
    load: &PatchLoad<'_, T>,
    profile: Option<&Profile<'_>>,
) -> Sum<T> {
    let motion = &load.motion;
    let over = profile.map(|profile| Over::new(load, motion, profile));
    patch
        .nodes
        .facets()
        .fold(Sum::zero(), |all, (facet, extent)| {
            let (exact, rest) = match &over {
                Some(over) => over.facet(patch, facet, extent),
                None => (Sliding::none(), T::zero()),
            };
            let nodes = in_pairs(facet, Sum::zero(), |node| {
                let on = load.on(node);
                let mut force = node.normal * node.force + load.normal * on.damped;
                let mut dissipation = on.damped * on.rate;
                if let Some(over) = &over
                    && rest.value() != 0.0
                {
                    let friction = over.node(&on.velocity, on.size * rest);
                    force += friction;
                    dissipation -= friction.dot(&on.velocity);
                }
                Sum {
                    force,
                    moment: node.point.cross(&force),
                    size: on.size,
                    axial: on.lever * on.damped,
                    dissipation,
                    ..Sum::zero()
                }
            });
            let power =
                exact.force.dot(&motion.velocity) + exact.moment.dot(&motion.angular_velocity);
            all + (nodes
                + Sum {
                    force: exact.force,
                    moment: exact.moment,
                    dissipation: -power,
                    ..Sum::zero()
                })
        })
}

/// Sticking friction of a patch under a load with a normal force [N].
fn held<T: Real>(
    patch: &Patch<T>,
    elastic: &Elastic<T>,
    load: &PatchLoad<'_, T>,
    normal_force: T,
    bristle: &AreaBristle<'_, T>,
) -> FaceForce<T> {
    let (center, normal) = (&elastic.center, &elastic.normal);
    let turning = bristle.of_face + normal * (bristle.mean - bristle.of_face).dot(normal);
    let arm = patch.nodes.sum(T::zero(), |node| {
        let off = node.point - center;
        node.force * length(&(off - normal * off.dot(normal)))
    });
    let velocity = load.motion.at(center);
    let face = Face {
        normal: *normal,
        slip: velocity - normal * velocity.dot(normal),
        spin: load.motion.angular_velocity.dot(normal),
        arm: arm / elastic.size,
        normal_force,
        stiffness: elastic.along * elastic.along / (patch.energy * 2.0),
        deflection: bristle.deflection,
        turning,
    };
    let still = PatchLoad {
        damping: T::zero(),
        ..*load
    };
    bristle.law.force_over_area(&face, |velocity, spin| {
        let angular_velocity = normal * spin;
        let slip = AreaMotion {
            velocity: velocity - angular_velocity.cross(center),
            angular_velocity,
        };
        let found = sliding(patch, &still, &slip, &Profile::constant(-1.0));
        let moment = found.moment - center.cross(&found.force);
        (
            found.force / elastic.along,
            moment.dot(normal) / elastic.along,
        )
    })
}

impl PairLaw {
    /// Load of a patch on 2 in a motion, with the values frozen at the start of the contact, and the rate of
    /// the deflection [m/s], zero without sticking friction; `None` if the patch is empty.
    pub fn force_over_area<T: Real>(
        &self,
        patch: &Patch<T>,
        motion: &AreaMotion<T>,
        frozen: Onset,
        bristle: Option<&AreaBristle<'_, T>>,
    ) -> Option<(AreaForce<T>, Deflection<T>)> {
        let elastic = elastic(patch, motion)?;
        let spin = patch.axis.as_ref().map(|axis| {
            let spins = rolling_spin(axis, patch, &elastic);
            (axis, spins, spins.dot(&motion.angular_velocity))
        });
        let load = PatchLoad {
            normal: elastic.normal,
            damping: self.damping_over_area(patch, &elastic, motion, frozen, bristle),
            motion: *motion,
            spin: spin.map(|(axis, _, about)| (axis, about)),
        };
        let profile = match bristle {
            None => self.friction.profile(),
            Some(_) => None,
        };
        let sum = pressed(patch, &load, profile.as_ref());
        let resistance =
            self.resistance
                .torque(&elastic.normal, &motion.angular_velocity, sum.size);
        let mut exerted = AreaForce {
            center: elastic.center,
            normal: elastic.normal,
            force: sum.force,
            torque: sum.moment - elastic.center.cross(&sum.force) + resistance,
            dissipation: sum.dissipation - resistance.dot(&motion.angular_velocity),
        };
        if let Some((_, spins, _)) = &spin {
            exerted.torque -= spins * sum.axial;
        }
        let mut rate = Deflection::zero();
        if let Some(bristle) = bristle {
            let held = held(patch, &elastic, &load, sum.size, bristle);
            exerted.force += held.friction;
            exerted.torque += elastic.normal * held.torque;
            exerted.dissipation += held.dissipation;
            rate = held.deflection_rate;
        }
        Some((exerted, rate))
    }

    fn damping_over_area<T: Real>(
        &self,
        patch: &Patch<T>,
        elastic: &Elastic<T>,
        motion: &AreaMotion<T>,
        frozen: Onset,
        bristle: Option<&AreaBristle<'_, T>>,
    ) -> T {
        let NormalLaw::Inferred { damping, .. } = &self.normal else {
            return T::from(frozen.number);
        };
        let mobility = match frozen.couples() {
            true => frozen.mobility(&self.friction_at_center(elastic, motion, bristle)),
            false => T::one(),
        };
        let s_2 = patch.energy * mobility * (2.0 / frozen.number);
        damping.coefficient_at(elastic.rate, s_2)
    }

    /// Friction per normal force [1] at the centre of the elastic pressure: the friction of the patch without
    /// the effect of its rotation about the normal.
    fn friction_at_center<T: Real>(
        &self,
        elastic: &Elastic<T>,
        motion: &AreaMotion<T>,
        bristle: Option<&AreaBristle<'_, T>>,
    ) -> Vec3<T> {
        let (normal, size) = (&elastic.normal, elastic.along);
        let velocity = motion.at(&elastic.center);
        let slip = velocity - normal * velocity.dot(normal);
        let Some(held) = bristle else {
            return self.friction.force(&slip, T::one());
        };
        let bristle = Bristle {
            deflection: held.deflection.along,
            spin: T::zero(),
        };
        held.law.force(&slip, normal, size, &bristle).friction / size
    }
}
