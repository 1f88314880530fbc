//! End stops along the coordinates of joints: compliant, with events.
//!
//! With the coordinate q, its rate v and the place of the stop, [m] or [rad] and [m/s] or [rad/s]:
//! gap = q - lower or upper - q. At an event the stop is in contact if gap < -EPS, which is frozen
//! until the next event; the event indicator is the gap in contact, gap + 2 EPS otherwise. So an
//! event comes when the gap falls below -2 EPS or rises above 0, and no indicator is zero after it.
//! In contact the coordinate feels, away from the stop, f = K depth (1 + d depth'), f >= 0, depth =
//! max(0, -gap - 2 EPS): zero at both events, so that nothing is added to the energy, and the depth
//! under a force F at rest is F/K. The damping d is that of contacts of bodies with the damping
//! `inferred`, from the effective inertia that the coordinate had when the contact started: the
//! wanted restitution is obtained whatever hangs on the joint, by a hit on a coordinate that rests
//! on its stop too, and goes to 1/4 with the speed below [`SMALL_SPEED`]. A restitution of 1 has no
//! damping.

use crate::contact::StopContact;
use crate::dynamics::link::Links;
use crate::scene::{Scene, Stop};
use contact_geometry::math::Real;
use contact_laws::index::{StopId, TiVec};
use contact_laws::response::damping::{DampingLaw, Restitution};
use contact_laws::response::inferred::Tables;
use contact_laws::response::normal::NormalLaw;
use contact_laws::response::options::RestitutionRule;
use contact_laws::response::power::PowerLaw;

/// Half-width of the hysteresis [m] or [rad]: as that of contacts between bodies.
const EPS: f64 = 1e-8;
/// Speed below which the restitution goes to its least value [m/s] or [rad/s]: what pairs of
/// materials usually have.
pub const SMALL_SPEED: f64 = 0.01;

/// A stop bound to parameter values.
#[derive(Clone, Debug, PartialEq)]
pub struct StopModel {
    /// Index of the state q.
    position: usize,
    /// Index of the state v.
    rate: usize,
    /// Its index among the forces of all joints.
    pub force: usize,
    /// Where it is [m] or [rad].
    place: f64,
    /// 1 for a lower stop, -1 for an upper one: the direction in which it pushes.
    pub sign: f64,
    /// K [N/m] or [N.m/rad].
    pub elastic: PowerLaw,
    /// Force of depth [m] or [rad] and its rate.
    pub law: NormalLaw,
    /// Damping of that force.
    pub damping: DampingLaw,
}

impl StopModel {
    /// Index of the state q.
    pub fn position(&self) -> usize {
        self.position
    }

    /// K [N/m] or [N.m/rad].
    pub fn stiffness(&self) -> f64 {
        self.elastic.stiffness
    }

    /// Where it is [m] or [rad].
    pub fn place(&self) -> f64 {
        self.place
    }

    fn gap<T: Real>(&self, states: &[T]) -> T {
        self.gap_at(states[self.position])
    }

    /// Whether the stop is in contact after an event update at these states.
    pub fn touches(&self, states: &[f64]) -> bool {
        self.gap(states) < -EPS
    }

    /// Gap at a value of the coordinate.
    fn gap_at<T: Real>(&self, position: T) -> T {
        (position - self.place) * self.sign
    }

    /// Rate at which the depth grows [m/s] or [rad/s].
    pub fn depth_rate<T: Real>(&self, states: &[T]) -> T {
        states[self.rate] * -self.sign
    }

    /// Depth [m] or [rad], stiffness [N/m] or [N.m/rad] and damping [N.s/m] or [N.m.s/rad] of the
    /// contact.
    pub fn strain(&self, states: &[f64], contact: &StopContact) -> (f64, f64, f64) {
        let (depth, rate) = (self.depth(states), self.depth_rate(states));
        let (stiffness, damping) = self.law.slopes(depth, rate, contact.frozen);
        (depth, stiffness, damping)
    }

    /// Depth [m] or [rad].
    pub fn depth<T: Real>(&self, states: &[T]) -> T {
        (-self.gap(states) - 2.0 * EPS).positive_part()
    }

    /// Event indicator at these states, in contact or not.
    pub fn indicator<T: Real>(&self, states: &[T], in_contact: bool) -> T {
        self.indicator_at(states[self.position], in_contact)
    }

    /// Event indicator at a value of the coordinate, in contact or not.
    pub fn indicator_at<T: Real>(&self, position: T, in_contact: bool) -> T {
        match in_contact {
            true => self.gap_at(position),
            false => self.gap_at(position) + 2.0 * EPS,
        }
    }
}

/// The stops of a scene with the numbers of the joints.
pub fn bind(scene: &Scene, links: &Links, tables: &mut Tables) -> TiVec<StopId, StopModel> {
    let stops = scene.stops().iter();
    let of = |stop: &Stop| {
        let joint = &links.all[links.of_joints[stop.joint]];
        let numbers = joint.forces.get(stop.coordinate)?.stops?;
        let elastic = PowerLaw {
            stiffness: numbers.stiffness,
            exponent: 1.0,
        };
        let restitution = Restitution {
            given: numbers.restitution,
            rule: RestitutionRule::Regularized,
            v_small: SMALL_SPEED,
        };
        let damping = DampingLaw::inferred(restitution, tables);
        Some(StopModel {
            position: joint.positions.start + stop.coordinate,
            rate: joint.rates.start + stop.coordinate,
            force: joint.dofs.start + stop.coordinate,
            place: match stop.is_upper {
                true => numbers.upper?,
                false => numbers.lower?,
            },
            sign: if stop.is_upper { -1.0 } else { 1.0 },
            elastic,
            law: NormalLaw::damped(elastic, &damping),
            damping,
        })
    };
    stops.filter_map(of).collect()
}
