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
//!   lifted off. No spin of a ball changes the overlap: its v_N is that of its centre, about which the
//!   damping has no torque, so that it rolls as freely on many small faces as on one
//! - friction of the law by the slip perpendicular to N and the force along N, integrated over the patch,
//!   [`crate::response::sliding`]: a face that spins on the spot is braked by the integral of mu p r, and
//!   friction has no component along N
//! - sticking friction has one deflection for the patch, [`crate::response::stick`], by the motion at the
//!   centre of pressure: along the face, and c times the rotation about the normal, c the mean distance of
//!   the pressure from its centre ([`Patch::arm`]), so that the energy is k_t |s|^2/2 for any change of c.
//!   Its limit is that of the friction at each node. The part along the face rotates about the normal with
//!   the mean of both bodies and perpendicular to it with the body whose face gives the normal, if a
//!   half-space or a curved body decides that, else with the mean; any part along the normal relaxes
//! - resistance of the pair to rolling and spinning by the total normal force

use crate::response::law::{Onset, PairLaw};
use crate::response::normal::NormalLaw;
pub use crate::response::sliding::AreaMotion;
use crate::response::sliding::{Over, PatchLoad, Profile, Sliding, SlipSum, sliding};
use crate::response::stick::{Bristle, Deflection, Face, FaceForce, StickLaw};
use contact_geometry::math::{Real, Vec3, length};
use contact_geometry::narrow_phase::area::{Extent, Line, Node, Patch, in_pairs};
use std::ops::Add;

/// Sticking friction of a patch: law and state.
#[derive(Clone, Copy, Debug)]
pub struct AreaBristle<'a, T: Real> {
    /// Law of sticking friction.
    pub law: &'a StickLaw,
    /// Deflection of the contact.
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

/// Sums of the loads of nodes without their elastic forces.
#[derive(Clone, Copy)]
struct Sum<T: Real> {
    /// Force of the damping along N [N], and its first moment.
    damped: Pressure<T>,
    /// Force along N [N].
    size: T,
    dissipation: T,
    friction: SlipSum<T>,
}

impl<T: Real> Sum<T> {
    fn zero() -> Self {
        Sum {
            damped: Pressure::zero(),
            size: T::zero(),
            dissipation: T::zero(),
            friction: SlipSum::zero(),
        }
    }
}

impl<T: Real> Add for Sum<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Sum {
            damped: self.damped + other.damped,
            size: self.size + other.size,
            dissipation: self.dissipation + other.dissipation,
            friction: self.friction + other.friction,
        }
    }
}

/// Forces of nodes in one direction, and their first moment.
#[derive(Clone, Copy)]
struct Pressure<T: Real> {
    size: T,
    first: Vec3<T>,
}

impl<T: Real> Pressure<T> {
    fn zero() -> Self {
        Pressure {
            size: T::zero(),
            first: Vec3::zeros(),
        }
    }

    #[inline(always)]
    fn of(node: &Node<T>, size: T) -> Self {
        Pressure {
            size,
            first: node.point * size,
        }
    }
}

impl<T: Real> Add for Pressure<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Pressure {
            size: self.size + other.size,
            first: self.first + other.first,
        }
    }
}

/// Ratio of the resultant to the sum of forces below which they cancel and the direction is rounding: a body
/// that passes through another one, far deeper than faces may be.
pub const CANCELLED: f64 = 1e-9;

/// Elastic part of a patch.
struct Elastic<T: Real> {
    center: Vec3<T>,
    normal: Vec3<T>,
    /// Sum of the nodes' forces [N].
    size: T,
    /// Resultant [N].
    along: T,
    /// Its moment about the origin of the patch [N.m].
    moment: Vec3<T>,
    /// Mean speed of compression along the normal [m/s].
    rate: T,
}

fn elastic<T: Real>(patch: &Patch<T>, motion: &AreaMotion<T>) -> Option<Elastic<T>> {
    let none = Pressure::zero();
    let (mut all, mut sum, mut moment) = (none, Vec3::zeros(), Vec3::zeros());
    for (nodes, extent) in patch.nodes.facets() {
        let facet = match extent {
            Extent::Polygon(polygon) => Pressure {
                size: polygon.force,
                first: polygon.first,
            },
            _ => in_pairs(nodes, none, |node| Pressure::of(node, node.force)),
        };
        all = all + facet;
        match extent {
            Extent::Polygon(polygon) => {
                sum += polygon.normal * facet.size;
                moment += facet.first.cross(&polygon.normal);
            }
            // All have its normal.
            Extent::Region(_) => {
                sum += nodes[0].normal * facet.size;
                moment += facet.first.cross(&nodes[0].normal);
            }
            _ => {
                let of = |node: &Node<T>| {
                    let force = node.normal * node.force;
                    Sliding {
                        force,
                        moment: node.point.cross(&force),
                    }
                };
                let force = in_pairs(nodes, Sliding::none(), of);
                sum += force.force;
                moment += force.moment;
            }
        }
    }
    let size = length(&sum);
    // Where the overlap is rounding, so is the energy, of any sign.
    let pressed = all.size.value() > 0.0 && patch.energy.value() > 0.0;
    if !pressed || size.value() <= CANCELLED * all.size.value() {
        return None;
    }
    let power = sum.dot(&motion.velocity) + moment.dot(&motion.angular_velocity);
    Some(Elastic {
        center: all.first / all.size,
        normal: sum / size,
        size: all.size,
        along: size,
        moment,
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

/// Sums over the nodes of a patch under a load, and friction that depends on the slip alone.
fn pressed<T: Real>(
    patch: &Patch<T>,
    load: &PatchLoad<T>,
    motion: &AreaMotion<T>,
    profile: Option<&Profile<'_>>,
) -> (Sum<T>, Sliding<T>) {
    let over = profile.map(|profile| Over::new(load, motion, profile));
    let (mut sum, mut friction) = (Sum::zero(), Sliding::none());
    for (facet, extent) in patch.nodes.facets() {
        if let Extent::Polygon(polygon) = extent {
            let own = load.over_polygon(patch, polygon, over.as_ref());
            let damped = Pressure {
                size: own.damped,
                first: own.first,
            };
            sum.damped = sum.damped + damped;
            sum.size += own.size;
            sum.dissipation += own.dissipation;
            friction = friction + own.friction;
            continue;
        }
        let (exact, rest) = match &over {
            Some(over) => over.facet(patch, facet, extent),
            None => (Sliding::none(), T::zero()),
        };
        friction = friction + exact;
        let flat = match extent {
            Extent::Region(_) => Some(load.along(&facet[0].normal)),
            _ => None,
        };
        let slides = over.as_ref().filter(|_| rest.value() != 0.0);
        let nodes = in_pairs(facet, Sum::zero(), |node| {
            let along = flat.unwrap_or_else(|| load.along(&node.normal));
            let on = load.on(node, along);
            Sum {
                damped: Pressure::of(node, on.damped),
                size: on.size,
                dissipation: on.damped * on.rate,
                friction: match slides {
                    Some(over) => over.node(&node.point, on.size * rest),
                    None => SlipSum::zero(),
                },
            }
        });
        sum = sum + nodes;
    }
    sum.dissipation += sum.friction.dissipation - friction.power(motion);
    if let Some(over) = &over {
        friction = friction + over.of_nodes(&sum.friction);
    }
    (sum, friction)
}

/// Sticking friction of a patch under a load with a normal force [N].
fn held<T: Real>(
    patch: &Patch<T>,
    elastic: &Elastic<T>,
    load: &PatchLoad<T>,
    motion: &AreaMotion<T>,
    normal_force: T,
    bristle: &AreaBristle<'_, T>,
) -> FaceForce<T> {
    let (center, normal) = (&elastic.center, &elastic.normal);
    let turning = bristle.of_face + normal * (bristle.mean - bristle.of_face).dot(normal);
    let arm = patch.arm(center, normal);
    let velocity = motion.at(center);
    let face = Face {
        normal: *normal,
        slip: velocity - normal * velocity.dot(normal),
        spin: motion.angular_velocity.dot(normal),
        arm: arm / elastic.size,
        depth: patch.energy * 2.0 / elastic.along,
        is_spread: !patch.has_node_for_face(),
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
        let normal = elastic.normal;
        let pressing = match patch.has_ball {
            true => AreaMotion {
                angular_velocity: Vec3::zeros(),
                ..*motion
            },
            false => *motion,
        };
        let load = PatchLoad::new(
            normal,
            self.damping_over_area(patch, &elastic, motion, frozen, bristle),
            &pressing,
            spin.map(|(axis, _, about)| (axis, about)),
        );
        let profile = match bristle {
            None => self.friction.profile(),
            Some(_) => None,
        };
        let (mut sum, friction) = pressed(patch, &load, motion, profile.as_ref());
        if patch.has_ball {
            sum.damped.first = Vec3::zeros();
        }
        let resistance = self
            .resistance
            .torque(&normal, &motion.angular_velocity, sum.size);
        let force = normal * (elastic.along + sum.damped.size) + friction.force;
        let moment = elastic.moment + sum.damped.first.cross(&normal) + friction.moment;
        let mut exerted = AreaForce {
            center: elastic.center,
            normal,
            force,
            torque: moment - elastic.center.cross(&force) + resistance,
            dissipation: sum.dissipation - resistance.dot(&motion.angular_velocity),
        };
        if let Some((axis, spins, _)) = &spin {
            let off = sum.damped.first - axis.point * sum.damped.size;
            exerted.torque -= spins * axis.direction.cross(&off).dot(&normal);
        }
        let mut rate = Deflection::zero();
        if let Some(bristle) = bristle {
            let held = held(patch, &elastic, &load, motion, sum.size, bristle);
            exerted.force += held.friction;
            exerted.torque += normal * held.torque;
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
