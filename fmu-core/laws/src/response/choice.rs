//! Choice of laws for a pair of materials or shapes, with all numbers; and changes to it.
//!
//! A scene starts from the options of all contacts ([`LawOptions`]); a pair of materials changes some of
//! them, a pair of shapes some more. [`LawChoice::uses`] returns true for the numbers that the chosen laws
//! use: only these are parameters.

use crate::keywords;
use crate::quantity::{Key, Keyword, Value, listed_word};
use crate::response::number::Number;
use crate::response::penetration::Penetration;
use serde::{Deserialize, Serialize};

/// Chosen laws of a pair with their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawChoice {
    /// The laws.
    pub kinds: LawKinds,
    /// Numbers by [`Number::index`]; zero if unused.
    numbers: [f64; Number::COUNT],
}

/// Chosen laws of a pair, without numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawKinds {
    /// Normal force.
    pub normal: NormalKind,
    /// How the shapes enter the Hertz factor.
    pub geometry_factor: GeometryFactor,
    /// Damping from restitution.
    pub damping: Damping,
    /// Rule for the restitution that gives the damping.
    pub restitution: RestitutionRule,
    /// Rule for the impact speed that gives the damping.
    pub impact_speed: ImpactSpeed,
    /// Treatment of a normal force that would pull.
    pub pulling: Pulling,
    /// Friction.
    pub friction: FrictionKind,
    /// Resistance to spinning about the normal.
    pub spinning: Spinning,
    /// Step function of laws that have one.
    pub step: Step,
    /// Contact at a point or over an area.
    pub contact: ContactKind,
    /// Response when bodies meet.
    pub response: Response,
    /// Number of user parameters, up to [`USER_NUMBERS`].
    pub user_numbers: u8,
}

/// Changes of a pair to the laws it starts from.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LawChanges {
    /// See [`LawKinds::normal`].
    pub normal: Option<NormalKind>,
    /// See [`LawKinds::geometry_factor`].
    pub geometry_factor: Option<GeometryFactor>,
    /// See [`LawKinds::damping`].
    pub damping: Option<Damping>,
    /// See [`LawKinds::restitution`].
    pub restitution: Option<RestitutionRule>,
    /// See [`LawKinds::impact_speed`].
    pub impact_speed: Option<ImpactSpeed>,
    /// See [`LawKinds::pulling`].
    pub pulling: Option<Pulling>,
    /// See [`LawKinds::friction`].
    pub friction: Option<FrictionKind>,
    /// See [`LawKinds::step`].
    pub step: Option<Step>,
    /// See [`LawKinds::contact`].
    pub contact: Option<ContactKind>,
    /// See [`LawKinds::response`].
    pub response: Option<Response>,
    /// Given numbers, without duplicates.
    pub numbers: Vec<(Number, f64)>,
    /// Exponent n of the given unit of stiffness, `N/m^n`, which must match the law.
    pub stiffness_unit: Option<f64>,
    /// Desired penetration, which determines the stiffness, or stiffness per area.
    pub penetration: Option<Penetration>,
}

/// Kind of law that a scene and a pair may choose.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// The key.
    pub key: Key,
    /// Word chosen for all contacts.
    pub word: fn(&LawOptions) -> &'static str,
    /// Sets it for all contacts, by the index of the word.
    pub of_scene: fn(&mut LawOptions, usize),
    /// Sets it for a pair.
    pub of_pair: fn(&mut LawChanges, usize),
}

/// Row of a field of [`LawOptions`] and [`LawChanges`].
macro_rules! kind {
    ($field:ident: $type:ty, $key:literal, $text:literal) => {
        KindRow {
            key: Key::new($key, $text, Value::Word(<$type>::words), "")
                .unless("that of the materials or of the scene"),
            word: |options| options.$field.word(),
            of_scene: |options, i| options.$field = <$type>::WORDS[i].1,
            of_pair: |changes, i| changes.$field = Some(<$type>::WORDS[i].1),
        }
    };
}

/// All kinds of laws.
#[rustfmt::skip]
pub static KINDS: [KindRow; 10] = [
    kind!(normal: NormalKind, "law", "Normal force"),
    kind!(geometry_factor: GeometryFactor, "geometry_factor", "How the shapes enter the Hertz factor"),
    kind!(restitution: RestitutionRule, "restitution_rule", "Coefficient of restitution at small impact speeds"),
    kind!(damping: Damping, "damping", "Damping coefficient from restitution and impact speed"),
    kind!(impact_speed: ImpactSpeed, "impact_speed", "Speed by which the damping is divided"),
    kind!(pulling: Pulling, "pulling", "What happens to a normal force that would pull"),
    kind!(friction: FrictionKind, "friction", "Friction"),
    kind!(step: Step, "step", "Step function of laws that have one"),
    kind!(contact: ContactKind, "contact", "Contact in a point or over an area"),
    kind!(response: Response, "response", "A force from the first touch on, or a jump of the velocities there"),
];

impl KindRow {
    /// Words to choose from.
    pub fn words(&self) -> Vec<&'static str> {
        match self.key.value {
            Value::Word(words) => words(),
            _ => Vec::new(),
        }
    }
}

impl LawChanges {
    /// Given value of a number.
    pub fn number(&self, number: Number) -> Option<f64> {
        let found = self.numbers.iter().find(|(n, _)| *n == number);
        found.map(|(_, value)| *value)
    }

    /// Stiffness [N/m^n], given or from the desired penetration, for the law's exponent n.
    pub(crate) fn stiffness(&self, exponent: f64) -> Option<f64> {
        let wanted = || self.penetration?.stiffness(exponent);
        self.number(Number::Stiffness).or_else(wanted)
    }

    /// Stiffness per area [N/m^(2+n)], given or from the desired penetration, for the law's exponent n.
    pub(crate) fn stiffness_per_area(&self, exponent: f64) -> Option<f64> {
        let wanted = || self.penetration?.stiffness_per_area(exponent);
        self.number(Number::StiffnessPerArea).or_else(wanted)
    }

    /// Returns true if the depth of a layer is given.
    pub fn has_layers(&self) -> bool {
        let mut layers = [Number::LayerDepth1, Number::LayerDepth2].into_iter();
        layers.any(|layer| self.number(layer).is_some())
    }

    /// Number of user parameters, up to the last one given.
    fn user_numbers(&self) -> u8 {
        let ends = self.numbers.iter().filter_map(|(number, _)| match number {
            Number::User(i) => Some(i + 1),
            _ => None,
        });
        ends.max().unwrap_or(0)
    }

    /// Returns true if nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == LawChanges::default()
    }
}

impl LawKinds {
    /// Laws that the options of a scene choose for all its pairs.
    pub fn of_scene(options: &LawOptions) -> Self {
        LawKinds {
            normal: options.normal,
            geometry_factor: options.geometry_factor,
            damping: options.damping,
            restitution: options.restitution,
            impact_speed: options.impact_speed,
            pulling: options.pulling,
            friction: options.friction,
            spinning: Spinning::AsRolling,
            step: options.step,
            contact: options.contact,
            response: options.response,
            user_numbers: 0,
        }
    }

    /// Applies changes.
    pub fn changed(&self, changes: &LawChanges) -> Self {
        LawKinds {
            normal: changes.normal.unwrap_or(self.normal),
            geometry_factor: changes.geometry_factor.unwrap_or(self.geometry_factor),
            damping: changes.damping.unwrap_or(self.damping),
            restitution: changes.restitution.unwrap_or(self.restitution),
            impact_speed: changes.impact_speed.unwrap_or(self.impact_speed),
            pulling: changes.pulling.unwrap_or(self.pulling),
            friction: changes.friction.unwrap_or(self.friction),
            spinning: match changes.number(Number::SpinningResistance) {
                Some(_) => Spinning::Own,
                None => self.spinning,
            },
            step: changes.step.unwrap_or(self.step),
            contact: changes.contact.unwrap_or(self.contact),
            response: changes.response.unwrap_or(self.response),
            user_numbers: changes.user_numbers().max(self.user_numbers),
        }
    }

    /// Exponent of a power law without a given one [1].
    pub fn default_exponent(&self) -> f64 {
        match self.normal {
            NormalKind::Impact => 1.5,
            _ => 1.0,
        }
    }

    /// Returns true if the laws can act over an area: `volume` with exponent 1 only, and no user-defined
    /// friction.
    pub fn can_cover_area(&self) -> bool {
        let of_user = matches!(self.friction, FrictionKind::User(_));
        matches!(self.normal, NormalKind::Hertz | NormalKind::Volume) && !of_user
    }

    /// Returns true if a ball, capsule or ellipsoid can press a mesh by it: the normal force is a power law, and
    /// friction that of a patch.
    pub fn can_press_round(&self) -> bool {
        use NormalKind::{Hertz, Spring, Volume};
        let of_user = matches!(self.friction, FrictionKind::User(_));
        matches!(self.normal, Hertz | Spring | Volume) && !of_user
    }

    /// Returns true if pairs may touch over an area, as far as the kinds decide it.
    pub fn may_cover_area(&self) -> bool {
        self.can_cover_area() && self.contact != ContactKind::Point
    }

    /// Returns true if a contact has a deflection as state.
    pub fn has_deflection(&self) -> bool {
        self.friction == FrictionKind::Stick && self.normal != NormalKind::Observer
    }

    /// Returns true if the damping follows from the impact speed inferred at each instant.
    pub fn is_inferred(&self) -> bool {
        use NormalKind::{Hertz, Spring, Volume};
        self.damping == Damping::Inferred && matches!(self.normal, Hertz | Spring | Volume)
    }

    /// Returns true if a contact freezes a damping coefficient computed from a restitution; `driven`: with a
    /// body of unknown mass.
    pub fn freezes_damping(&self, driven: bool) -> bool {
        use NormalKind::{Hertz, Spring, Volume};
        let follows = matches!(self.normal, Hertz | Spring | Volume);
        follows && self.damping != Damping::Constant && (driven || !self.is_inferred())
    }

    /// Returns true if velocities jump when bodies meet.
    pub fn has_impulse(&self) -> bool {
        self.response == Response::Impulse && self.normal != NormalKind::Observer
    }

    /// Returns true if the laws use a number.
    pub fn uses(&self, number: Number) -> bool {
        use NormalKind::*;
        if self.normal == Observer {
            return false;
        }
        let damped = matches!(self.normal, Hertz | Spring | Volume);
        match number {
            Number::Restitution => {
                (damped && self.damping != Damping::Constant)
                    || self.normal == Poisson
                    || self.has_impulse()
            }
            Number::RestSpeed => self.has_impulse(),
            // An impulse needs a coefficient where a user function gives the force.
            Number::SlidingFriction => match self.friction {
                FrictionKind::Off => false,
                FrictionKind::User(_) => self.has_impulse(),
                _ => true,
            },
            Number::StaticFriction | Number::StaticSpeed => {
                matches!(self.friction, FrictionKind::Coulomb | FrictionKind::Stick)
            }
            Number::DynamicSpeed => matches!(
                self.friction,
                FrictionKind::Coulomb | FrictionKind::CoulombDynamic | FrictionKind::Stick
            ),
            Number::SpinningResistance => self.spinning == Spinning::Own,
            Number::RollingResistance | Number::VSmall | Number::WSmall => true,
            Number::Stiffness => matches!(self.normal, Spring | Impact | Poisson),
            Number::Exponent => matches!(self.normal, Spring | Impact | Volume),
            Number::DampingCoefficient => damped && self.damping == Damping::Constant,
            Number::LargestDamping | Number::DampingDepth => self.normal == Impact,
            Number::TransitionSpeed => self.normal == Poisson,
            Number::LayerDepth1 | Number::LayerDepth2 | Number::StiffnessPerArea => {
                self.normal == Volume || self.may_cover_area()
            }
            Number::Area => self.normal == Volume,
            Number::TangentialStiffness | Number::TangentialDamping => {
                self.friction == FrictionKind::Stick
            }
            Number::User(i) => {
                i < self.user_numbers
                    && (matches!(self.normal, User(_))
                        || matches!(self.friction, FrictionKind::User(_)))
            }
        }
    }
}

impl LawChoice {
    /// Choice of laws with the numbers of `given`; missing ones take the default that follows from the
    /// others.
    ///
    /// # Errors
    /// Required numbers that are missing.
    pub fn new(
        kinds: LawKinds,
        given: impl Fn(Number) -> Option<f64>,
    ) -> Result<Self, Vec<Number>> {
        let mut choice = LawChoice {
            kinds,
            numbers: [0.0; Number::COUNT],
        };
        let mut missing = Vec::new();
        // In this order a default may follow from a number before it.
        for number in Number::all() {
            if !kinds.uses(number) {
                continue;
            }
            match given(number).or_else(|| choice.default(number)) {
                Some(value) => choice.numbers[number.index()] = value,
                None => missing.push(number),
            }
        }
        if missing.is_empty() {
            Ok(choice)
        } else {
            Err(missing)
        }
    }

    /// Choice of a pair that changes the laws of the scene.
    ///
    /// # Errors
    /// Required numbers that are missing.
    pub fn of_pair(of_scene: &LawKinds, changes: &LawChanges) -> Result<Self, Vec<Number>> {
        LawChoice::with(of_scene.changed(changes), changes, |_| None)
    }

    /// Applies changes. Numbers that are not given stay if the laws still use them. A number with its default
    /// value follows the number it derives from, and static friction follows a given sliding friction; an
    /// exponent stays, since the unit of stiffness depends on it.
    ///
    /// # Errors
    /// Numbers that the changed laws require and that are missing.
    pub fn changed(&self, changes: &LawChanges) -> Result<Self, Vec<Number>> {
        let slides_anew = changes.number(Number::SlidingFriction).is_some();
        let follows = |number| match number {
            Number::Exponent => false,
            Number::StaticFriction if slides_anew => true,
            _ => self.default(number) == Some(self.number(number)),
        };
        let stays = |number| self.kinds.uses(number) && !follows(number);
        let kept = |number| stays(number).then(|| self.number(number));
        LawChoice::with(self.kinds.changed(changes), changes, kept)
    }

    /// Returns true if pairs may touch over an area, as far as the law decides it.
    pub fn may_cover_area(&self) -> bool {
        let linear = match self.kinds.uses(Number::Exponent) {
            true => self.number(Number::Exponent) == 1.0,
            false => true,
        };
        self.kinds.may_cover_area() && linear
    }

    /// Reduction to point contact, without numbers that only areas need.
    pub fn in_a_point(&self) -> Self {
        let mut point = *self;
        point.kinds.contact = ContactKind::Point;
        for number in Number::all().filter(|number| !point.kinds.uses(*number)) {
            point.numbers[number.index()] = 0.0;
        }
        point
    }

    fn with(
        kinds: LawKinds,
        changes: &LawChanges,
        kept: impl Fn(Number) -> Option<f64>,
    ) -> Result<Self, Vec<Number>> {
        // Layers that are given make a stiffness per area from before void.
        let layers = changes.has_layers();
        let kept = |number| match number {
            Number::StiffnessPerArea if layers => None,
            _ => kept(number),
        };
        let given = |number| changes.number(number).or_else(|| kept(number));
        let exponent = given(Number::Exponent).unwrap_or(kinds.default_exponent());
        LawChoice::new(kinds, |number| match number {
            Number::Stiffness => changes.stiffness(exponent).or_else(|| kept(number)),
            Number::StiffnessPerArea => {
                let given = changes.stiffness_per_area(exponent);
                given.or_else(|| kept(number))
            }
            _ => given(number),
        })
    }

    fn default(&self, number: Number) -> Option<f64> {
        match number {
            Number::StaticFriction => Some(self.number(Number::SlidingFriction)),
            Number::VSmall | Number::WSmall => Some(DEFAULT_SMALL),
            Number::StaticSpeed => Some(self.number(Number::VSmall)),
            Number::DynamicSpeed if self.kinds.uses(Number::StaticSpeed) => {
                Some(DYNAMIC_PER_STATIC * self.number(Number::StaticSpeed))
            }
            Number::DynamicSpeed => Some(DYNAMIC_PER_STATIC * self.number(Number::VSmall)),
            Number::TransitionSpeed | Number::RestSpeed => Some(self.number(Number::VSmall)),
            Number::Exponent => Some(self.kinds.default_exponent()),
            Number::Area | Number::TangentialStiffness | Number::TangentialDamping => Some(0.0),
            Number::RollingResistance => Some(0.0),
            Number::LayerDepth1 | Number::StiffnessPerArea => Some(0.0),
            Number::LayerDepth2 => Some(self.number(Number::LayerDepth1)),
            _ => None,
        }
    }

    /// Value of a number; zero if the laws do not use it.
    #[inline(always)]
    pub fn number(&self, number: Number) -> f64 {
        self.numbers[number.index()]
    }

    /// A number to be set; `None` if the laws do not use it.
    pub fn number_mut(&mut self, number: Number) -> Option<&mut f64> {
        let place = &mut self.numbers[number.index()];
        self.kinds.uses(number).then_some(place)
    }

    /// Numbers that the laws use, in their order.
    pub fn used(&self) -> impl Iterator<Item = Number> + '_ {
        Number::all().filter(|n| self.kinds.uses(*n))
    }
}

/// Default regularisation speeds [m/s], [rad/s], as in the palettes of Modia3D.
pub(crate) const DEFAULT_SMALL: f64 = 0.01;
/// Default ratio of the transition speeds of sliding and sticking [1]: the customary 1000 mm/s and 100 mm/s.
const DYNAMIC_PER_STATIC: f64 = 10.0;

/// Law of the normal force; delta is the depth, d the damping coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NormalKind {
    /// Hertz: stiffness from moduli and shapes, k delta^n (1 + d delta_dot).
    Hertz,
    /// Given stiffness: K delta^n (1 + d delta_dot).
    Spring,
    /// Spring and damper in parallel, K delta^n + c_max STEP(delta, 0, 0, depth, 1) delta_dot.
    Impact,
    /// Penalty law, stiffer in loading than in unloading.
    Poisson,
    /// Elastic layers, in the closed form of a paraboloid or a flat patch.
    Volume,
    /// User-defined function, by its index in the scene.
    User(u16),
    /// Observer: events and log without force.
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
    /// Coulomb friction that sticks: a spring and a damper in series with a slider.
    Stick,
    /// User-defined function, by its index in the scene.
    User(u16),
}

/// Contact at a point or over an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactKind {
    /// Over an area where law and shapes permit, else at a point.
    Auto,
    /// At a point.
    Point,
    /// Over an area; an error if the law cannot, or shapes with this setting.
    Area,
}

/// Response when bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Response {
    /// The force of the law acts from first contact on.
    Force,
    /// Velocities jump at first contact if bodies approach faster than a rest speed; the force of the law
    /// supports persistent contacts.
    Impulse,
}

/// Restitution hypothesis: size of the impulse of restitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// Normal impulses of restitution and compression: p_r = e p_c.
    Poisson,
    /// Normal velocities after and before: u_n+ = -e u_n-, less if that would create energy.
    Newton,
    /// Work of the normal impulse in restitution and compression: W_r = -e^2 W_c (Stronge).
    Energetic,
}

/// Method for several contacts in one impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MultiImpact {
    /// Sequential hits, as bodies in contact pass an impact on.
    Propagate,
    /// Simultaneous.
    Together,
    /// Springs with the stiffnesses of the laws, with frozen configuration.
    Compliant,
}

/// Step function, with continuous first or second derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// z^2 (3 - 2 z): C1.
    Cubic,
    /// z^3 (10 - 15 z + 6 z^2): C2.
    Quintic,
}

/// Resistance to spinning about the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spinning {
    /// Part of rolling resistance: one coefficient for the complete relative angular velocity.
    AsRolling,
    /// Separate coefficient.
    Own,
}

/// How the shapes enter the Hertz factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeometryFactor {
    /// Contact sphere radius and flatness of each shape: R = r1 r2/(r1 + r2), or the curved one's radius if
    /// the other is flat; factor 4/3 sqrt(R), exponent 3/2.
    ContactSphere,
    /// Sphere radii, factor 4/3 sqrt(R) and exponent 3/2; factor 1 and exponent 1 if neither is a sphere,
    /// [Modia3D collision handling].
    Document,
}

/// Rule for the coefficient of restitution that gives the damping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestitutionRule {
    /// cor_reg(v0): decreases to 1e-3 with the impact speed.
    Regularized,
    /// The given value above v_small, zero below.
    Threshold,
    /// The given value.
    Constant,
}

/// Impact speed in the damping coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImpactSpeed {
    /// v0.
    Plain,
    /// reg(v0, v_small), which is larger below v_small.
    Regularized,
}

/// Damping coefficient as a function of restitution e and impact speed v0: d = u(e)/v0. All except `Inferred`
/// freeze v0 when the contact starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Damping {
    /// u of `exact`, with the impact speed that follows from energy and depth rate at each instant.
    Inferred,
    /// u solves (1 + e) u = ln((1 + u)/(1 - e u)): reproduces the requested restitution.
    Exact,
    /// u = 8 (1 - e)/(5 e), [Flores 2011].
    Flores,
    /// A given coefficient, independent of the impact speed.
    Constant,
    /// u = (1 - e)/e, [Engelson 2000] section 4.6.
    EngelsonFraction,
    /// u = exp(s(e)) with s from a cubic through four points of e(exp(s)), [Engelson 2000] section 4.7.
    /// Reproduces e within 0.05 from e = 0.069 on; 0.952 where 1 is requested.
    EngelsonPolynomial,
    /// u = 3 (1 - e)/2, [Hunt 1975]; for e near 1.
    HuntCrossley,
    /// u = 3 (1 - e^2)/4, [Lankarani 1990]; for e near 1.
    LankaraniNikravesh,
    /// u = (1 - e^2)/e, [Gonthier 2004].
    Gonthier,
    /// u = 3 (1 - e)/(2 e), [Hu 2015].
    HuGuo,
    /// u = 6 (1 - e)/((2 e - 1)^2 + 3), [Herbert 1977].
    HerbertMcWhannell,
}

/// Treatment of a normal force that would pull.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pulling {
    /// f_n >= 0: contact never pulls.
    Clamped,
    /// Signed value of the law, as in Modia3D 0.12.
    Signed,
}

/// Contact condition, event indicator, and depth in the force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ContactRule {
    /// Contact where gap < -z_eps; indicator gap in contact, gap + 2 z_eps otherwise.
    Hysteresis {
        /// Half-width of the hysteresis [m], > 0.
        z_eps: f64,
        /// Zero point of the depth.
        depth: DepthRule,
    },
    /// Modia3D 0.12: contact where gap <= 1e-13 m (touching counts), depth -gap.
    Touching,
}

/// Zero point of the depth in the force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DepthRule {
    /// max(0, -gap - 2 z_eps): the force is zero at both events.
    PastHysteresis,
    /// max(0, -gap), [Modia3D collision handling]: the force sets in at 2 z_eps on the way in, and acts all
    /// the way out.
    Whole,
}

/// Variants of the contact law that apply to all pairs of a scene by default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawOptions {
    /// Law of the normal force.
    pub normal: NormalKind,
    /// How the shapes enter the Hertz factor.
    pub geometry_factor: GeometryFactor,
    /// Plane faces of hulls, meshes and parts of compounds count as flat in the Hertz factor, unless a shape
    /// overrides it; the same for all pairs.
    pub flat_meshes: bool,
    /// Rule for the restitution that gives the damping.
    pub restitution: RestitutionRule,
    /// Damping from restitution.
    pub damping: Damping,
    /// Rule for the impact speed that gives the damping.
    pub impact_speed: ImpactSpeed,
    /// Treatment of a normal force that would pull.
    pub pulling: Pulling,
    /// Law of friction.
    pub friction: FrictionKind,
    /// Step function of laws that have one.
    pub step: Step,
    /// Contact at a point or over an area.
    pub contact: ContactKind,
    /// Response when bodies meet.
    pub response: Response,
    /// Contact condition, indicator and depth; the same for all pairs.
    pub rule: ContactRule,
    /// Upper bound of a frozen damping coefficient [s/m], >= 0; the same for all pairs.
    pub d_max: f64,
}

/// Default half-width of the contact hysteresis [m].
pub const DEFAULT_Z_EPS: f64 = 1e-8;

impl LawOptions {
    /// Exact restitution, also at rest; clamped force, continuous at both events.
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

    /// The law as documented by Modia3D.
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

    fn word(self) -> &'static str {
        match self {
            FrictionKind::User(_) => "user",
            known => listed_word(known),
        }
    }
}

keywords! {
    GeometryFactor { ContactSphere "contact_sphere", Document "document" }
    RestitutionRule { Regularized "regularized", Threshold "threshold", Constant "constant" }
    Damping {
        Inferred "inferred", Exact "exact", Flores "flores", EngelsonFraction "engelson-fraction",
        EngelsonPolynomial "engelson-polynomial", HuntCrossley "hunt-crossley",
        LankaraniNikravesh "lankarani-nikravesh", Gonthier "gonthier", HuGuo "hu-guo",
        HerbertMcWhannell "herbert-mcwhannell", Constant "constant"
    }
    ImpactSpeed { Plain "plain", Regularized "regularized" }
    Pulling { Clamped "clamped", Signed "signed" }
    Step { Cubic "cubic", Quintic "quintic" }
    ContactKind { Auto "auto", Point "point", Area "area" }
    Response { Force "force", Impulse "impulse" }
    Hypothesis { Poisson "poisson", Newton "newton", Energetic "energetic" }
    MultiImpact { Propagate "propagate", Together "together", Compliant "compliant" }
    DepthRule { PastHysteresis "past_hysteresis", Whole "whole" }
}
