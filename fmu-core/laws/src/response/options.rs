//! Variants of the contact law and the presets that choose them together.

use crate::quantity::Keyword;
use crate::quantity::keyword::listed_word;
use serde::{Deserialize, Serialize};

/// Law of the normal force; delta is the depth, d the damping coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NormalKind {
    /// Stiffness from the moduli and the shapes, k delta^n (1 + d delta_dot).
    Hertz,
    /// Given stiffness, K delta^n (1 + d delta_dot).
    Spring,
    /// Spring and damper in parallel, K delta^n + c_max STEP(delta, 0, 0, depth, 1) delta_dot.
    Impact,
    /// Penalty with a stiffer loading than unloading.
    Poisson,
    /// Elastic layers, in the closed form of a paraboloid or a flat patch.
    Volume,
    /// A function of the user, by its place among those of the scene.
    User(u16),
    /// Events and log, no force.
    Observer,
}

/// Law of friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrictionKind {
    /// None.
    Off,
    /// mu_k v/reg(|v|), [Modia3D collision handling].
    Regularized,
    /// Static and dynamic Coulomb friction by step functions, [MotionSolve].
    Coulomb,
    /// Dynamic Coulomb friction by a step function, [MotionSolve].
    CoulombDynamic,
    /// Coulomb friction that holds at rest: a spring and a damper on a slider.
    Stick,
    /// A function of the user, by its place among those of the scene.
    User(u16),
}

/// Whether a pair touches in one point or over an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactKind {
    /// Over an area where law and shapes can, in a point otherwise.
    Auto,
    /// In one point.
    Point,
    /// Over an area; a law that cannot is an error, and so are shapes that have this for
    /// themselves and cannot.
    Area,
}

/// What happens when bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Response {
    /// The force of the law acts, from the first touch on.
    Force,
    /// Their velocities jump at the first touch, if they approach faster than a rest speed; the force
    /// of the law holds what stays in contact.
    Impulse,
}

/// Which hypothesis says how large the impulse of restitution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// Normal impulses of restitution and compression: p_r = e p_c.
    Poisson,
    /// Normal velocities after and before: u_n+ = -e u_n-, less where that would create energy.
    Newton,
    /// Work of the normal impulse in restitution and compression: W_r = -e^2 W_c, by Stronge.
    Energetic,
}

/// How several contacts share an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MultiImpact {
    /// One after the other, as bodies that touch pass an impact on.
    Propagate,
    /// All at once.
    Together,
    /// By springs with the stiffness of the laws, while no body moves.
    Compliant,
}

/// The step function of laws that have one: f and two or three derivatives are continuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// z^2 (3 - 2 z): C1.
    Cubic,
    /// z^3 (10 - 15 z + 6 z^2): C2.
    Quintic,
}

/// Resistance to turning about the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spinning {
    /// Part of rolling resistance: one coefficient for all of the relative angular velocity.
    AsRolling,
    /// A coefficient of its own.
    Own,
}

/// How the shapes enter the Hertz factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeometryFactor {
    /// Contact sphere radius and flatness of each shape: R = r1 r2/(r1 + r2), or the curved one's
    /// radius if the other is flat; factor 4/3 sqrt(R), exponent 3/2.
    ContactSphere,
    /// Spheres by their radii, factor 4/3 sqrt(R) and exponent 3/2; factor 1 and exponent 1 if
    /// neither is a sphere, [Modia3D collision handling].
    Document,
}

/// Which coefficient of restitution the damping is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestitutionRule {
    /// cor_reg(v0), going to 1e-3 with the impact speed.
    Regularized,
    /// The given one above v_small, zero below.
    Threshold,
    /// The given one.
    Constant,
}

/// Which impact speed the damping coefficient is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImpactSpeed {
    /// v0.
    Plain,
    /// reg(v0, v_small), which is larger below v_small.
    Regularized,
}

/// Damping coefficient as a function of restitution e and impact speed v0: d = u(e)/v0. All but
/// `Inferred` freeze v0 when the contact starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Damping {
    /// u of `exact`, with the impact speed that follows from energy and depth rate at each instant.
    Inferred,
    /// u solves (1 + e) u = ln((1 + u)/(1 - e u)): the requested restitution is obtained.
    Exact,
    /// u = 8 (1 - e)/(5 e), [Flores 2011].
    Flores,
    /// A given coefficient, whatever the impact speed.
    Constant,
    /// u = (1 - e)/e, [Engelson 2000] section 4.6.
    EngelsonFraction,
    /// u = exp(s(e)) with s from a cubic through four points of e(exp(s)), [Engelson 2000] section
    /// 4.7. Obtains e within 0.05 from e = 0.069 on; 0.952 where 1 is requested.
    EngelsonPolynomial,
    /// u = 3 (1 - e)/2, [Hunt 1975]; made for e near 1.
    HuntCrossley,
    /// u = 3 (1 - e^2)/4, [Lankarani 1990]; made for e near 1.
    LankaraniNikravesh,
    /// u = (1 - e^2)/e, [Gonthier 2004].
    Gonthier,
    /// u = 3 (1 - e)/(2 e), [Hu 2015].
    HuGuo,
    /// u = 6 (1 - e)/((2 e - 1)^2 + 3), [Herbert 1977].
    HerbertMcWhannell,
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
    /// Contact where gap < -z_eps; indicator gap in contact, gap + 2 z_eps otherwise.
    Hysteresis {
        /// Half-width of the hysteresis [m], > 0.
        z_eps: f64,
        /// Where the depth counts from.
        depth: DepthRule,
    },
    /// Modia3D 0.12: contact where gap <= 1e-13 m (touching counts), depth -gap.
    Touching,
}

/// Where the depth in the force counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DepthRule {
    /// max(0, -gap - 2 z_eps): the force is zero at both events.
    PastHysteresis,
    /// max(0, -gap), [Modia3D collision handling]: the force is off on the way in until 2 z_eps,
    /// and on all the way out.
    Whole,
}

/// The variants of the contact law; what pairs of a scene have unless they say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawOptions {
    /// Law of the normal force.
    pub normal: NormalKind,
    /// How the shapes enter the Hertz factor.
    pub geometry_factor: GeometryFactor,
    /// Plane faces of hulls, of meshes and of parts of compounds count as flat in the Hertz factor,
    /// unless a shape says otherwise; the same for all pairs.
    pub flat_meshes: bool,
    /// Which restitution the damping is computed from.
    pub restitution: RestitutionRule,
    /// Damping from restitution.
    pub damping: Damping,
    /// Which impact speed the damping is computed from.
    pub impact_speed: ImpactSpeed,
    /// What happens to a normal force that would pull.
    pub pulling: Pulling,
    /// Law of friction.
    pub friction: FrictionKind,
    /// The step function of laws that have one.
    pub step: Step,
    /// Contact in a point or over an area.
    pub contact: ContactKind,
    /// What happens when bodies meet.
    pub response: Response,
    /// Contact flag, indicator and depth; the same for all pairs.
    pub rule: ContactRule,
    /// Upper bound of a damping coefficient that is frozen [s/m], >= 0; the same for all pairs.
    pub d_max: f64,
}

/// Half-width of the contact hysteresis [m] unless a scene says otherwise.
pub const DEFAULT_Z_EPS: f64 = 1e-8;

impl LawOptions {
    /// Exact restitution, at rest too; clamped force, force continuous at both events.
    pub const DEFAULT: LawOptions = LawOptions {
        normal: NormalKind::Hertz,
        geometry_factor: GeometryFactor::ContactSphere,
        flat_meshes: true,
        restitution: RestitutionRule::Regularized,
        damping: Damping::Inferred,
        impact_speed: ImpactSpeed::Plain,
        pulling: Pulling::Clamped,
        friction: FrictionKind::Regularized,
        step: Step::Cubic,
        contact: ContactKind::Auto,
        response: Response::Force,
        rule: ContactRule::Hysteresis {
            z_eps: DEFAULT_Z_EPS,
            depth: DepthRule::PastHysteresis,
        },
        d_max: 1000.0,
    };

    /// The law as Modia3D's documentation has it.
    pub const MODIA3D_DOCUMENT: LawOptions = LawOptions {
        geometry_factor: GeometryFactor::Document,
        damping: Damping::Flores,
        impact_speed: ImpactSpeed::Regularized,
        contact: ContactKind::Point,
        rule: ContactRule::Hysteresis {
            z_eps: DEFAULT_Z_EPS,
            depth: DepthRule::Whole,
        },
        ..Self::DEFAULT
    };

    /// The law of Modia3D 0.12 with true distances.
    pub const MODIA3D_0_12: LawOptions = LawOptions {
        flat_meshes: false,
        restitution: RestitutionRule::Threshold,
        damping: Damping::Flores,
        pulling: Pulling::Signed,
        contact: ContactKind::Point,
        rule: ContactRule::Touching,
        d_max: 2000.0,
        ..Self::DEFAULT
    };
}

impl Keyword for LawOptions {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("default", Self::DEFAULT),
        ("modia3d-document", Self::MODIA3D_DOCUMENT),
        ("modia3d-0.12", Self::MODIA3D_0_12),
    ];
}

impl Keyword for NormalKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("hertz", NormalKind::Hertz),
        ("spring", NormalKind::Spring),
        ("impact", NormalKind::Impact),
        ("poisson", NormalKind::Poisson),
        ("volume", NormalKind::Volume),
        ("user", NormalKind::User(0)),
        ("observer", NormalKind::Observer),
    ];

    /// The word for it, whichever function of the user it is.
    fn word(self) -> &'static str {
        match self {
            NormalKind::User(_) => "user",
            known => listed_word(known),
        }
    }
}

impl Keyword for FrictionKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("off", FrictionKind::Off),
        ("regularized", FrictionKind::Regularized),
        ("coulomb", FrictionKind::Coulomb),
        ("coulomb-dynamic", FrictionKind::CoulombDynamic),
        ("stick", FrictionKind::Stick),
        ("user", FrictionKind::User(0)),
    ];

    /// The word for it, whichever function of the user it is.
    fn word(self) -> &'static str {
        match self {
            FrictionKind::User(_) => "user",
            known => listed_word(known),
        }
    }
}

impl Keyword for GeometryFactor {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("contact_sphere", GeometryFactor::ContactSphere),
        ("document", GeometryFactor::Document),
    ];
}

impl Keyword for RestitutionRule {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("regularized", RestitutionRule::Regularized),
        ("threshold", RestitutionRule::Threshold),
        ("constant", RestitutionRule::Constant),
    ];
}

impl Keyword for Damping {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("inferred", Damping::Inferred),
        ("exact", Damping::Exact),
        ("flores", Damping::Flores),
        ("engelson-fraction", Damping::EngelsonFraction),
        ("engelson-polynomial", Damping::EngelsonPolynomial),
        ("hunt-crossley", Damping::HuntCrossley),
        ("lankarani-nikravesh", Damping::LankaraniNikravesh),
        ("gonthier", Damping::Gonthier),
        ("hu-guo", Damping::HuGuo),
        ("herbert-mcwhannell", Damping::HerbertMcWhannell),
        ("constant", Damping::Constant),
    ];
}

impl Keyword for ImpactSpeed {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("plain", ImpactSpeed::Plain),
        ("regularized", ImpactSpeed::Regularized),
    ];
}

impl Keyword for Pulling {
    const WORDS: &'static [(&'static str, Self)] =
        &[("clamped", Pulling::Clamped), ("signed", Pulling::Signed)];
}

impl Keyword for Step {
    const WORDS: &'static [(&'static str, Self)] =
        &[("cubic", Step::Cubic), ("quintic", Step::Quintic)];
}

impl Keyword for ContactKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", ContactKind::Auto),
        ("point", ContactKind::Point),
        ("area", ContactKind::Area),
    ];
}

impl Keyword for Response {
    const WORDS: &'static [(&'static str, Self)] =
        &[("force", Response::Force), ("impulse", Response::Impulse)];
}

impl Keyword for Hypothesis {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("poisson", Hypothesis::Poisson),
        ("newton", Hypothesis::Newton),
        ("energetic", Hypothesis::Energetic),
    ];
}

impl Keyword for MultiImpact {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("propagate", MultiImpact::Propagate),
        ("together", MultiImpact::Together),
        ("compliant", MultiImpact::Compliant),
    ];
}

impl Keyword for DepthRule {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("past_hysteresis", DepthRule::PastHysteresis),
        ("whole", DepthRule::Whole),
    ];
}
