//! Loads: force and torque on a body, and those of a contact.

use contact_geometry::math::{Real, Vec3};
use contact_laws::response::law::{ContactForce, ContactMotion};

/// What the contacts, or the forces of the scene, do to a body.
#[derive(Clone, Copy, Debug)]
pub struct Load<T: Real> {
    /// Force, world axes [N].
    pub force_w: Vec3<T>,
    /// Torque about the origin of the body, world axes [N.m].
    pub torque_w: Vec3<T>,
    /// Whether anything acts: adding no force would still change the sign of a zero.
    pub acts: bool,
}

impl<T: Real> Load<T> {
    /// Nothing acts.
    pub(crate) fn zero() -> Self {
        Load {
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
            acts: false,
        }
    }

    /// Sum of two loads.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Load {
            force_w: self.force_w + other.force_w,
            torque_w: self.torque_w + other.torque_w,
            acts: self.acts || other.acts,
        }
    }
}

/// What a contact does at one state.
#[derive(Clone, Copy, Debug)]
pub struct ContactWrench<T: Real> {
    /// Gap [m]; zero over an area, where it is not known from the patch.
    pub gap: T,
    /// Power that leaves the mechanical energy [W], if the scene keeps a balance.
    pub dissipation: T,
    /// Where the force acts, world frame [m].
    pub point_w: Vec3<T>,
    /// Force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Torque of rolling resistance on 2, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl<T: Real> ContactWrench<T> {
    /// Before anything was computed.
    pub(crate) fn zero() -> Self {
        ContactWrench {
            gap: T::zero(),
            dissipation: T::zero(),
            point_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
        }
    }

    /// What a law exerts in a motion.
    #[inline(always)]
    pub(crate) fn exerted(
        energy_balance: bool,
        motion: &ContactMotion<T>,
        exerted: &ContactForce<T>,
    ) -> Self {
        ContactWrench {
            gap: motion.gap,
            dissipation: if energy_balance {
                exerted.dissipation
            } else {
                T::zero()
            },
            point_w: motion.point,
            force_w: exerted.on_2(&motion.normal),
            torque_w: exerted.torque,
        }
    }

    /// Returns true if force and torque are finite, in value and derivatives.
    pub(crate) fn is_finite(&self) -> bool {
        let derivatives = |x: &T| (0..T::LANES).all(|lane| x.derivative(lane).is_finite());
        let finite = |v: &Vec3<T>| v.iter().all(|x| x.value().is_finite() && derivatives(x));
        finite(&self.force_w) && finite(&self.torque_w)
    }

    /// Adds what this does to a body at `position` [m]; `sign` is 1 for body 2 and -1 for body 1.
    #[inline(always)]
    pub(crate) fn load(&self, position: &Vec3<T>, sign: f64, load: &mut Load<T>) {
        let force = self.force_w * T::from(sign);
        load.acts = true;
        load.force_w += force;
        load.torque_w += (self.point_w - position).cross(&force) + self.torque_w * T::from(sign);
    }
}
