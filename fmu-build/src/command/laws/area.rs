//! Estimates for contact over an area where one shape lies flat on the other, as they start: k the stiffness
//! per area, A the common area of both faces, m the effective mass.
//!
//! - at rest: the load L, the weight normal to the faces, presses them L/(k A) deep; facets of which more touch
//!   there are pressed until the force of the patch is L
//! - normal vibration: f = root(k A/m)/(2 pi)
//! - impact of the faces without losses: half a period pi root(m/(k A)), v root(m/(k A)) deep
//! - rocking about axes in the faces through their centre, with the other body at rest: (k I - L h) phi = (2
//!   pi f)^2 J phi, I the second moments of area, J the moments of inertia about these axes, m h^2 included,
//!   h the height of the centre of mass

use contact_geometry::math::{Mat3, Pose, Vec3};
use contact_geometry::narrow_phase::area::{FlatContact, flush_radius};
use contact_geometry::shapes::{Core, Kind, RoundedShape};
use contact_laws::index::{BodyId, LawId, ShapeId};
use contact_laws::response::Number;
use contact_laws::response::law::layer_depths;
use contact_model::dynamics::model::LawKind;
use contact_model::dynamics::{Model, scale};
use contact_model::scene::pair_classes::PairClass;
use contact_model::scene::{Pair, Scene, Shape};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Relative difference of frequencies [1] whose squares count as equal: the area is known to 1e-6.
const ONE: f64 = 1e-5;

/// Fraction of the weight [1] normal to faces that is rounding for upright ones.
const UPRIGHT: f64 = 1e-9;

/// Force over that of the two faces [1] up to which these carry a body.
const CARRIED: f64 = 1.1;
/// Speed of an impact [m/s] in which faces without load have to carry a body.
const IMPACT_SPEED: f64 = 1.0;
/// Relative accuracy of a depth [1].
const NEAR: f64 = 1e-3;
/// Least depth over the largest one [1] at which a force is measured.
const SHALLOW: f64 = 1e-6;
/// Ratio of the depths [1] between which an end is looked for.
const STRIDE: f64 = 4.0;

/// Maximum number of kinds of pairs over an area that are examined.
pub(crate) const MOST_AREAS: usize = 100;

#[derive(Debug, Default)]
pub(super) struct AreaKinds {
    pub pair_count: usize,
    /// First pair of each kind, up to a maximum.
    firsts: BTreeMap<LawKind, Pair>,
}

impl AreaKinds {
    pub(super) fn add(&mut self, model: &Model, class: &PairClass) {
        self.pair_count += class.count();
        let first = class.first();
        let kind = model.kind_of_law(&first, model.scene.law_of(&first));
        let known = self.firsts.entry(kind).or_insert(first);
        if first.shapes < known.shapes {
            *known = first;
        }
        if self.firsts.len() > 2 * MOST_AREAS {
            let mut firsts: Vec<_> = self.firsts.values().map(|pair| pair.shapes).collect();
            let (_, last, _) = firsts.select_nth_unstable(MOST_AREAS - 1);
            self.firsts.retain(|_, pair| pair.shapes <= *last);
        }
    }

    /// First pair of each kind in order, up to [`MOST_AREAS`].
    pub(super) fn first_pairs(self) -> Vec<Pair> {
        let mut firsts: Vec<Pair> = self.firsts.into_values().collect();
        firsts.sort_unstable_by_key(|pair| pair.shapes);
        firsts.truncate(MOST_AREAS);
        firsts
    }
}

#[derive(Clone, Debug)]
pub(crate) struct AreaFacts {
    pub(crate) pair: String,
    pub law: LawId,
    /// Stiffness per area of both layers in series [N/m3].
    pub stiffness: f64,
    /// Layers in the order of the materials of the law; `None` if their stiffness is given.
    pub layers: Option<[Layer; 2]>,
    /// Body of the thinner shape, and half of its thickness [m]; of a mesh the depth of its layer, if less.
    pub thinner: (String, f64),
    /// Radius within which faces count as flush [m]; `None` unless both are boxes or hulls.
    pub flush: Option<f64>,
    /// Shape in flat contact; `None` if it meets the other one elsewhere, or more than the faces carries it.
    pub flat: Option<Lying>,
    /// Rest on more than two faces; `None` without load.
    pub pressed: Option<Pressed>,
}

/// Rest of facets, of which more than one touches under the load.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pressed {
    pub body: String,
    /// Weight normal to the face that touches first [N].
    pub load: f64,
    /// Depth of that face [m].
    pub depth: f64,
    /// Whether more is needed: the largest depth of the thinner layer carries less.
    pub is_least: bool,
}

impl Pressed {
    /// Words before the depth.
    pub(crate) fn least(&self) -> &'static str {
        if self.is_least { "at least " } else { "" }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    /// Material; for two shapes of one material the name of the shape.
    pub(crate) name: String,
    pub youngs_modulus: f64,
    pub poissons_ratio: f64,
    pub depth: f64,
    /// Whether the depth is given, so that the layer cannot widen.
    pub is_given: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lying {
    pub(crate) body: String,
    /// Common area of both faces [m2].
    pub area: f64,
    /// Body of the pair that could lie on a round side instead, a cylinder, cone or beam.
    pub round: Option<String>,
    /// Weight normal to the faces [N]; zero if it does not press.
    pub load: f64,
    pub mass: f64,
    pub stiffness: f64,
    /// Depth down to which no more than the faces carries it [m].
    pub holds_to: f64,
    /// Rocking modes, the slower one first; `None` if the other body is lighter, or if the body has more
    /// shapes or a joint.
    pub rocking: Option<[Rocking; 2]>,
}

/// Rocking about an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rocking {
    /// Frequency [Hz]; NaN if the body tips over.
    pub frequency: f64,
    /// Axis in the faces through their centre, body axes.
    pub axis_b: Vec3,
}

impl AreaFacts {
    /// Estimates for a pair, with its name; `None` if it touches at a point.
    pub(crate) fn of(model: &Model, pair: &Pair, name: String) -> Option<Self> {
        let scene = &model.scene;
        let stiffness = model.law_of(pair).stiffness_per_area()?;
        let law = scene.law_of(pair);
        let choice = &model.laws[law];
        let surface = model.surface_of(pair);
        let depths = layer_depths(choice, &surface);
        let numbers = [Number::LayerDepth1, Number::LayerDepth2];
        let shapes = scene.pairs().index_of(pair.shapes[0], pair.shapes[1]);
        let names = match scene.laws()[law].materials {
            [one, two] if one == two => shapes.map(|index| scene.pair_names(index)),
            materials => Some(materials.map(|m| scene.materials()[m].name.clone())),
        };
        let names = names.unwrap_or_default();
        let layers = std::array::from_fn(|i| Layer {
            name: names[i].clone(),
            youngs_modulus: surface.youngs_moduli[i],
            poissons_ratio: surface.poissons_ratios[i],
            depth: depths[i],
            is_given: choice.number(numbers[i]) > 0.0,
        });
        let shapes = pair.shapes.map(|shape| &scene.shapes()[shape]);
        let half = shapes.map(|shape| match &shape.form.core {
            Core::Mesh(mesh) => mesh.cells().thickness().min(0.5 * shape.thickness),
            _ => 0.5 * shape.thickness,
        });
        let thinner = usize::from(half[1] < half[0]);
        let body = scene.bodies()[shapes[thinner].body].name.clone();
        let found = candidates(model, pair);
        let depth = half[thinner];
        let lying = found
            .as_ref()
            .map(|found| Lying::of(model, pair, stiffness, found, depth));
        let (flat, pressed) = match (lying, &found) {
            (Some(lying), Some(found)) if !lying.is_carried() => {
                (None, found.pressed(&lying, depth))
            }
            (lying, _) => (lying, None),
        };
        Some(AreaFacts {
            pair: name,
            law,
            stiffness,
            layers: (choice.number(Number::StiffnessPerArea) <= 0.0).then_some(layers),
            thinner: (body, depth),
            flush: flush_radius(scene.forms_of(pair.shapes).map(|form| &form.core)),
            flat,
            pressed,
        })
    }
}

impl Lying {
    /// Facts of a candidate; more than faces is looked for down to `limit` [m].
    fn of(
        model: &Model,
        pair: &Pair,
        stiffness: f64,
        found: &FlatCandidate<'_>,
        limit: f64,
    ) -> Lying {
        let scene = &model.scene;
        let mass = |body: BodyId| model.bodies[body].mass;
        let bodies = model.bodies_of(pair);
        let other = bodies[usize::from(bodies[0] == found.body)];
        let stays = !scene.bodies()[other].is_dynamic() || mass(other) >= mass(found.body);
        let body = &scene.bodies()[found.body];
        let alone = body.is_free() && body.shape_count == 1;
        let curved = |shape: &ShapeId| {
            let shape = &scene.shapes()[*shape];
            let is_round = matches!(shape.form.kind(), Kind::Cylinder | Kind::Cone | Kind::Beam);
            is_round.then(|| scene.bodies()[shape.body].name.clone())
        };
        Lying {
            round: pair.shapes.iter().find_map(curved),
            body: body.name.clone(),
            area: found.contact.area,
            load: found.load.max(0.0),
            mass: model.effective_mass(bodies),
            stiffness: stiffness * found.contact.area,
            holds_to: found.holds_to(limit),
            rocking: (stays && alone).then(|| rocking(model, found, stiffness)),
        }
    }

    /// Returns true if no more than the faces carries it at rest, or without load in an impact.
    fn is_carried(&self) -> bool {
        let depth = self.rest_depth();
        depth.unwrap_or_else(|| self.impact_depth(IMPACT_SPEED)) <= self.holds_to
    }

    /// Depth under the load [m]; `None` without pressure.
    pub(crate) fn rest_depth(&self) -> Option<f64> {
        (self.load > 0.0).then(|| self.load / self.stiffness)
    }

    pub(crate) fn frequency(&self) -> f64 {
        (self.stiffness / self.mass).sqrt() / (2.0 * PI)
    }

    /// Duration of a lossless impact of the faces [s].
    pub(crate) fn contact_time(&self) -> f64 {
        PI * (self.mass / self.stiffness).sqrt()
    }

    /// Maximum depth of such an impact at a speed [m/s], [m].
    pub(crate) fn impact_depth(&self, speed: f64) -> f64 {
        speed * (self.mass / self.stiffness).sqrt()
    }
}

/// Body that may lie on the other one of a pair.
struct FlatCandidate<'a> {
    body: BodyId,
    forms: [&'a RoundedShape; 2],
    poses: [Pose; 2],
    /// Index of the body's shape.
    moving: usize,
    contact: FlatContact,
    /// Pose of the body in flat contact.
    pose: Pose,
    /// Weight normal to the faces, negative where it pulls [N].
    load: f64,
}

impl FlatCandidate<'_> {
    fn volume(&self, depth: f64) -> f64 {
        let shapes = [0, 1].map(|i| (self.forms[i], &self.poses[i]));
        self.contact.volume(shapes, self.moving, depth)
    }

    /// Depth [m] down to which no more than the faces carries the body; infinite beyond a limit.
    fn holds_to(&self, limit: f64) -> f64 {
        let has_facets = |form: &&RoundedShape| matches!(form.core, Core::Hull(_) | Core::Mesh(_));
        let holds = |depth: f64| self.volume(depth) <= CARRIED * self.contact.area * depth;
        let end = match self.forms.iter().any(has_facets) {
            true => end([SHALLOW * limit, limit], holds),
            false => None,
        };
        end.unwrap_or(f64::INFINITY)
    }

    /// Rest on more than the faces, down to a limit [m].
    fn pressed(&self, lying: &Lying, limit: f64) -> Option<Pressed> {
        let volume = lying.load * self.contact.area / lying.stiffness;
        let depth = || end([lying.holds_to, limit], |depth| self.volume(depth) < volume);
        (volume > 0.0).then(depth).map(|depth| Pressed {
            body: lying.body.clone(),
            load: lying.load,
            depth: depth.unwrap_or(limit),
            is_least: depth.is_none(),
        })
    }
}

/// Where a property of depths between two ends, to a relative accuracy of [`NEAR`]; `None` if it does not. From the
/// lower one on, where few facets are pressed.
fn end([mut low, limit]: [f64; 2], holds: impl Fn(f64) -> bool) -> Option<f64> {
    let deeper = |depth: f64| (STRIDE * depth).min(limit);
    let mut high = deeper(low);
    while holds(high) {
        if high >= limit {
            return None;
        }
        (low, high) = (high, deeper(high));
    }
    while high > (1.0 + NEAR) * low {
        let middle = (low * high).sqrt();
        match holds(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}

/// Body of a pair that presses the other one, the lighter one where neither does.
fn candidates<'a>(model: &'a Model, pair: &Pair) -> Option<FlatCandidate<'a>> {
    let scene = &model.scene;
    if pair.shapes.iter().any(|first| has_parts(scene, *first)) {
        return None;
    }
    let both = (0..2).filter_map(|moving| candidate(model, pair, moving));
    let mass = |body: BodyId| model.bodies[body].mass;
    let order = |one: &FlatCandidate, two: &FlatCandidate| {
        let presses = |of: &FlatCandidate| of.load.max(0.0);
        let by_mass = mass(two.body).total_cmp(&mass(one.body));
        presses(one).total_cmp(&presses(two)).then(by_mass)
    };
    both.max_by(order)
}

fn has_parts(scene: &Scene, first: ShapeId) -> bool {
    let next: Option<&Shape> = scene.shapes()[first..].iter().nth(1);
    next.is_some_and(|shape| shape.part > Some(0))
}

/// `None` if the body with this index does not move, or its shape has no flat face.
fn candidate<'a>(model: &'a Model, pair: &Pair, moving: usize) -> Option<FlatCandidate<'a>> {
    let scene = &model.scene;
    let shapes = pair.shapes.map(|shape| &scene.shapes()[shape]);
    let (shape, body) = (shapes[moving], shapes[moving].body);
    if !scene.bodies()[body].is_dynamic() || shape.form.is_half_space() {
        return None;
    }
    let poses = shapes.map(|shape| scene.start_pose(shape.body).then(&shape.pose_b));
    let forms = scene.forms_of(pair.shapes);
    let contact = FlatContact::of([0, 1].map(|i| (forms[i], &poses[i])), moving)?;
    let rotation = contact.pose.rotation * shape.pose_b.rotation.transpose();
    let pose = Pose {
        position: contact.pose.position - rotation * shape.pose_b.position,
        rotation,
    };
    let weight = scale::gravity_at(model, body) * model.bodies[body].mass;
    let load = weight.dot(&contact.normal_w);
    let presses = load.abs() > UPRIGHT * weight.norm();
    Some(FlatCandidate {
        body,
        forms,
        poses,
        moving,
        load: if presses { load } else { 0.0 },
        contact,
        pose,
    })
}

/// Both solutions of (k I - L h) phi = (2 pi f)^2 J phi.
fn rocking(model: &Model, found: &FlatCandidate<'_>, stiffness: f64) -> [Rocking; 2] {
    let body = &model.bodies[found.body];
    let (contact, rotation) = (&found.contact, &found.pose.rotation);
    let center = found.pose.position + rotation * body.center_of_mass_b;
    let arm = center - contact.center_w;
    let about_center: Mat3 = rotation * body.inertia_b * rotation.transpose();
    let [one, two] = &contact.axes_w;
    let inertia = |a: &Vec3, b: &Vec3| {
        let steiner = arm.norm_squared() * a.dot(b) - arm.dot(a) * arm.dot(b);
        a.dot(&(about_center * b)) + body.mass * steiner
    };
    let [m_11, m_22, m_12] = [inertia(one, one), inertia(two, two), inertia(one, two)];
    let height = -arm.dot(&contact.normal_w);
    let [i_11, i_22, i_12] = contact.second.map(|moment| stiffness * moment);
    let tipping = found.load * height;
    let [k_11, k_22, k_12] = [i_11 - tipping, i_22 - tipping, i_12];
    let square = m_11 * m_22 - m_12 * m_12;
    let half = 0.5 * (k_11 * m_22 + k_22 * m_11 - 2.0 * k_12 * m_12) / square;
    let product = (k_11 * k_22 - k_12 * k_12) / square;
    let root = (half * half - product).max(0.0).sqrt();
    let length = |[a, b]: [f64; 2]| (a * a + b * b).sqrt();
    let is_one = root <= ONE * half.abs();
    [(half - root, 0), (half + root, 1)].map(|(value, index)| {
        let rows = [
            [k_11 - value * m_11, k_12 - value * m_12],
            [k_12 - value * m_12, k_22 - value * m_22],
        ];
        let [x, y] = match length(rows[0]) > length(rows[1]) {
            true => [-rows[0][1], rows[0][0]],
            false => [-rows[1][1], rows[1][0]],
        };
        let axis = match is_one {
            true => contact.axes_w[index],
            false => (one * x + two * y).normalize(),
        };
        Rocking {
            frequency: value.sqrt() / (2.0 * PI),
            axis_b: rotation.transpose() * axis,
        }
    })
}

impl Rocking {
    /// Returns true if both have one frequency, and so any axis.
    pub(crate) fn are_one(both: &[Rocking; 2]) -> bool {
        let [slow, fast] = both.map(|rocking| rocking.frequency * rocking.frequency);
        fast - slow <= 2.0 * ONE * fast
    }
}
