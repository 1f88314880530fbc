//! Variants of the contact law and the presets that choose them together.

use serde::{Deserialize, Serialize};

/// How the shapes enter the Hertz factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeometryFactor {
    /// Contact sphere radius and flatness of each shape: R = r1 r2/(r1 + r2), or the curved one's
    /// radius where the other is flat; factor 4/3 sqrt(R), exponent 3/2.
    ContactSphere,
}

/// Which coefficient of restitution the damping is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestitutionRule {
    /// cor_reg(v0), going to 1e-3 with the impact speed.
    Regularized,
    /// The given one above v_small, zero below.
    Threshold,
}

/// Damping coefficient as a function of restitution e and impact speed v0: d = u(e)/v0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Damping {
    /// u solves (1 + e) u = ln((1 + u)/(1 - e u)): the requested restitution is obtained.
    Exact,
    /// u = 8 (1 - e)/(5 e), [Flores 2011].
    Flores,
}

/// What happens to a normal force that would pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pulling {
    /// f_n >= 0: contact never pulls.
    Clamped,
    /// The law's value with its sign, as in Modia3D 0.12.
    Signed,
}

/// When a pair is in contact, what its event indicator is, and which depth enters the force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContactRule {
    /// Contact where gap < -z_eps; indicator gap in contact, gap + 2 z_eps otherwise; depth
    /// max(0, -gap - 2 z_eps), so that the force is zero at both events.
    Hysteresis {
        /// Half-width of the hysteresis [m], > 0.
        z_eps: f64,
    },
    /// Modia3D 0.12: contact where gap <= 1e-13 m (touching counts), depth -gap.
    Touching,
}

/// The variants of the contact law; one set for a scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawOptions {
    /// How the shapes enter the Hertz factor.
    pub geometry_factor: GeometryFactor,
    /// Which restitution the damping is computed from.
    pub restitution: RestitutionRule,
    /// Damping from restitution.
    pub damping: Damping,
    /// What happens to a normal force that would pull.
    pub pulling: Pulling,
    /// Contact flag, indicator and depth.
    pub rule: ContactRule,
    /// Upper bound of the damping coefficient [s/m], >= 0.
    pub d_max: f64,
}

/// Half-width of the contact hysteresis [m] unless a scene says otherwise.
pub const DEFAULT_Z_EPS: f64 = 1e-8;

impl LawOptions {
    /// Exact restitution, clamped force, force continuous at both events.
    pub const DEFAULT: LawOptions = LawOptions {
        geometry_factor: GeometryFactor::ContactSphere,
        restitution: RestitutionRule::Regularized,
        damping: Damping::Exact,
        pulling: Pulling::Clamped,
        rule: ContactRule::Hysteresis {
            z_eps: DEFAULT_Z_EPS,
        },
        d_max: 1000.0,
    };

    /// The law of Modia3D 0.12 with true distances.
    pub const MODIA3D_0_12: LawOptions = LawOptions {
        geometry_factor: GeometryFactor::ContactSphere,
        restitution: RestitutionRule::Threshold,
        damping: Damping::Flores,
        pulling: Pulling::Signed,
        rule: ContactRule::Touching,
        d_max: 2000.0,
    };

    /// Names of the presets as a scene file writes them, with their values.
    pub const PRESETS: [(&'static str, LawOptions); 2] = [
        ("default", Self::DEFAULT),
        ("modia3d-0.12", Self::MODIA3D_0_12),
    ];
}
