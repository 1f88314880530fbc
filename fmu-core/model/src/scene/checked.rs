//! A checked, immutable scene. In a [`Scene`] names are unique, numbers finite and in range, masses
//! positive, inertias those of real bodies, and every pair of shapes that can touch has material
//! data and a contact routine.
//!
//! # A scene as bytes, and the token that names them
//!
//! Layout: magic, format version (u32, little-endian), length of the body (u64, little-endian),
//! body (the description in postcard's format). The token is the SHA-256 of all of it and of the
//! version of this library, so binaries of several platforms agree on it and a changed byte does
//! not.

use crate::scene::SceneDescription;
use crate::scene::description::{
    ContactOptions, Experiment, FunctionDescription, Gravity, InterfaceOptions, LibraryDescription,
    Material, VelocityJump,
};
use crate::scene::elements::{
    Body, ContactLaw, ContactSum, Indicator, NamedPair, OwnLaw, OwnThreshold, Shape, Stop,
};
use crate::scene::forces::{Force, with_rounding};
use crate::scene::forms::{Grains, GrainsId};
use crate::scene::joint::{Joint, Latch};
use crate::scene::layout::StateLayout;
use crate::scene::motions::{PrescribedMotion, moved};
use crate::scene::outputs::{Input, Measurement, Output, Trigger};
use crate::scene::pairs::{Pair, Pairs};
use crate::scene::parameter::Address;
use contact_geometry::math::Pose;
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{
    BodyId, ForceId, InputId, IntersectionId, JointId, LatchId, LawId, MaterialId, MeasurementId,
    MotionId, NamedPairId, OutputId, PairId, ParameterId, ReportId, ShapeId, SlotId, StateLinkId,
    StopId, SumId, TiSlice, TiVec, TriggerId,
};
use contact_laws::response::LawKinds;
use contact_laws::response::choice::{FrictionKind, MultiImpact, NormalKind};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A checked, immutable scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub(super) name: String,
    pub(super) gravity: Gravity,
    pub(super) bodies: TiVec<BodyId, Body>,
    pub(super) grains: TiVec<GrainsId, Grains>,
    pub(super) shapes: TiVec<ShapeId, Shape>,
    pub(super) thresholds: Vec<OwnThreshold>,
    pub(super) named_pairs: TiVec<NamedPairId, NamedPair>,
    pub(super) reported: TiVec<ReportId, PairId>,
    pub(super) sums: TiVec<SumId, ContactSum>,
    pub(super) intersections: TiVec<IntersectionId, ReportId>,
    pub(super) materials: TiVec<MaterialId, Material>,
    pub(super) laws: TiVec<LawId, ContactLaw>,
    pub(super) own_laws: Vec<OwnLaw>,
    pub(super) pairs: Pairs,
    pub(super) contact: ContactOptions,
    pub(super) experiment: Experiment,
    pub(super) interface: InterfaceOptions,
    pub(super) expose: Option<Vec<String>>,
    pub(super) layout: StateLayout,
    pub(super) links: TiVec<StateLinkId, Joint>,
    /// Joints, parents before children.
    pub(super) tree_order: Vec<JointId>,
    pub(super) stops: TiVec<StopId, Stop>,
    pub(super) latches: TiVec<LatchId, Latch>,
    /// Latches with a trigger, ascending.
    pub(super) latch_triggers: Vec<LatchId>,
    pub(super) inputs: TiVec<InputId, Input>,
    pub(super) outputs: TiVec<OutputId, Output>,
    pub(super) measurements: TiVec<MeasurementId, Measurement>,
    pub(super) triggers: TiVec<TriggerId, Trigger>,
    pub(super) forces: TiVec<ForceId, Force>,
    pub(super) motions: TiVec<MotionId, PrescribedMotion>,
    /// Times at which a force or a motion has a kink or a latch opens or closes [s], ascending.
    pub(super) kinks: Vec<f64>,
    pub(super) parameters: TiVec<ParameterId, Address>,
    pub(super) slot_count: usize,
    pub(super) libraries: Vec<LibraryDescription>,
    pub(super) functions: Vec<FunctionDescription>,
}

impl Scene {
    /// Patterns of the names of outputs that are exposed; none if all are.
    pub fn expose(&self) -> Option<&[String]> {
        self.expose.as_deref()
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gravity of the world, at start.
    pub fn gravity(&self) -> Gravity {
        self.gravity
    }

    /// Groups of balls, whose bodies are the last ones of the scene.
    pub fn grains(&self) -> &TiSlice<GrainsId, Grains> {
        &self.grains
    }

    /// Bodies in scene order.
    pub fn bodies(&self) -> &TiSlice<BodyId, Body> {
        &self.bodies
    }

    /// Shapes that take part in contact detection, in scene order.
    pub fn shapes(&self) -> &TiSlice<ShapeId, Shape> {
        &self.shapes
    }

    /// Contact materials of those shapes.
    pub fn materials(&self) -> &TiSlice<MaterialId, Material> {
        &self.materials
    }

    /// Laws of contact: those of pairs of materials that can meet, in the order of
    /// [`Pair::material_pair`], then those of named pairs.
    ///
    /// [`Pair::material_pair`]: crate::scene::Pair::material_pair
    pub fn laws(&self) -> &TiSlice<LawId, ContactLaw> {
        &self.laws
    }

    /// Candidate pairs, ordered by shape 1, then shape 2.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Contact detection and contact law.
    pub fn contact(&self) -> &ContactOptions {
        &self.contact
    }

    /// Default experiment.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// What an importer sees of the model.
    pub fn interface(&self) -> &InterfaceOptions {
        &self.interface
    }

    /// Where the states lie.
    pub fn layout(&self) -> &StateLayout {
        &self.layout
    }

    /// Parameters in their fixed order.
    pub fn parameters(&self) -> &TiSlice<ParameterId, Address> {
        &self.parameters
    }

    /// The parameters that are inputs, the last ones of these, from the last one on.
    pub fn parameter_inputs(&self) -> impl Iterator<Item = Address> + '_ {
        self.inputs.iter().rev().map_while(|input| match input {
            Input::Parameter(address) => Some(*address),
            _ => None,
        })
    }

    /// Number of indicator slots of pairs, nz_max cut to the number of candidate pairs.
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// Number of event indicators: those of the slots, then one for each of [`Self::stops`], of
    /// [`Self::latch_triggers`] and of [`Self::triggers`].
    pub fn indicator_count(&self) -> usize {
        let later = self.stops.len() + self.latch_triggers.len() + self.triggers.len();
        self.slot_count + later
    }

    /// What an event indicator watches.
    pub fn indicator(&self, index: usize) -> Indicator {
        match index.checked_sub(self.slot_count) {
            None => Indicator::Slot(SlotId::from(index)),
            Some(later) => match later.checked_sub(self.stops.len()) {
                Some(place) => match place.checked_sub(self.latch_triggers.len()) {
                    Some(trigger) => Indicator::Trigger(TriggerId::from(trigger)),
                    None => Indicator::Latch(self.latch_triggers[place]),
                },
                None => Indicator::Stop(StopId::from(later)),
            },
        }
    }

    /// End stops of joints, each with an event indicator.
    pub fn stops(&self) -> &TiSlice<StopId, Stop> {
        &self.stops
    }

    /// Latches of joints.
    pub fn latches(&self) -> &TiSlice<LatchId, Latch> {
        &self.latches
    }

    /// Latches with a trigger, ascending: each has an event indicator.
    pub(crate) fn latch_triggers(&self) -> &[LatchId] {
        &self.latch_triggers
    }

    /// Triggers, each with an event indicator.
    pub fn triggers(&self) -> &TiSlice<TriggerId, Trigger> {
        &self.triggers
    }

    /// Joints in scene order.
    pub fn joints(&self) -> &TiSlice<JointId, Joint> {
        let first = self.layout.link_of_joint(JointId::FIRST);
        // Of joints with problems there are no links, while free bodies have their place.
        let links = self.links.raw.get(usize::from(first)..);
        TiSlice::from_ref(links.unwrap_or_default())
    }

    /// Every body that has states of its own, with the joint that it is the child of: first the
    /// free bodies in scene order, each on a joint of kind `free` to the world that has the name of
    /// the body, then [`Self::joints`].
    pub fn links(&self) -> &TiSlice<StateLinkId, Joint> {
        &self.links
    }

    /// Joints, parents before children.
    pub fn tree_order(&self) -> &[JointId] {
        &self.tree_order
    }

    /// Returns true if a contact may freeze a damping coefficient that follows from a restitution,
    /// which is what the largest one bounds. All do beside a body of unknown mass.
    pub(crate) fn bounds_damping(&self) -> bool {
        let unknown = self.body_of_unknown_mass().is_some();
        let frozen = |law: &ContactLaw| law.choice.kinds.freezes_damping(unknown);
        !self.pairs.is_empty() && self.laws.iter().any(frozen)
    }

    /// Inputs in their fixed order.
    pub fn inputs(&self) -> &TiSlice<InputId, Input> {
        &self.inputs
    }

    /// Outputs beside states and contact, in their fixed order.
    pub fn outputs(&self) -> &TiSlice<OutputId, Output> {
        &self.outputs
    }

    /// Relative motions that are outputs.
    pub fn measurements(&self) -> &TiSlice<MeasurementId, Measurement> {
        &self.measurements
    }

    /// Values of all inputs until they are set.
    pub fn start_inputs(&self) -> TiVec<InputId, f64> {
        let inputs = self.inputs().iter();
        inputs.map(|input| self.input_start(*input)).collect()
    }

    /// Returns true if every candidate pair has an event indicator for ever.
    pub fn monitors_all_pairs(&self) -> bool {
        self.slot_count == self.pairs.len()
    }

    /// The event indicator that a pair has for ever, if every pair has one: slots are in pair
    /// order.
    pub(crate) fn own_slot(&self, pair: PairId) -> Option<SlotId> {
        let all = self.monitors_all_pairs();
        all.then(|| SlotId::from(usize::from(pair)))
    }

    /// The pair that a slot watches for ever, if every pair has one.
    pub fn own_pair(&self, slot: SlotId) -> Option<PairId> {
        let all = self.monitors_all_pairs();
        all.then(|| PairId::from(usize::from(slot)))
    }

    /// States at start.
    pub fn start_states(&self) -> Vec<f64> {
        let mut states = vec![0.0; self.layout.count()];
        for (index, link) in self.links.iter_enumerated() {
            states[self.layout.positions(index)].copy_from_slice(&link.positions);
            states[self.layout.rates(index)].copy_from_slice(&link.rates);
        }
        states
    }

    /// Libraries with functions of the user.
    pub fn libraries(&self) -> &[LibraryDescription] {
        &self.libraries
    }

    /// Functions of the user, by the place that laws name them with.
    pub fn user_functions(&self) -> &[FunctionDescription] {
        &self.functions
    }

    /// Returns true if some law calls a function of the user.
    pub fn calls_user_functions(&self) -> bool {
        let kinds = self.laws.iter().map(|law| law.choice.kinds);
        kinds.into_iter().any(|kinds| {
            matches!(kinds.normal, NormalKind::User(_))
                || matches!(kinds.friction, FrictionKind::User(_))
        })
    }

    /// The first driven body that touches others whose mass is not given: the scene then freezes the
    /// impact speed where damping would be inferred.
    pub fn body_of_unknown_mass(&self) -> Option<BodyId> {
        let bodies = self.shapes.iter().map(|shape| shape.body);
        let mut driven = bodies.filter(|b| self.bodies[*b].is_driven());
        driven.find(|b| !self.bodies[*b].is_mass_given)
    }

    /// Returns true if velocities may jump where contacts start.
    pub fn has_impulses(&self) -> bool {
        self.laws.iter().any(|law| law.choice.kinds.has_impulse())
    }

    /// Returns true if impulses follow from the stiffness of laws, and some law does not know it.
    pub(super) fn asks_for_unknown_stiffness(&self) -> bool {
        let unknown =
            |kinds: LawKinds| kinds.has_impulse() && matches!(kinds.normal, NormalKind::User(_));
        self.contact.multi_impact == MultiImpact::Compliant
            && self.laws.iter().any(|law| unknown(law.choice.kinds))
    }

    /// The two shapes of a pair as they touch each other: with sharp edges if that is over an area.
    #[inline(always)]
    pub fn forms_of(&self, shapes: [ShapeId; 2]) -> [&RoundedShape; 2] {
        let [one, two] = shapes.map(|shape| &self.shapes[shape]);
        let rounded = one.sharp.is_none() && two.sharp.is_none();
        if rounded && self.thresholds.is_empty() {
            return [&one.form, &two.form];
        }
        self.forms_by_pair(shapes)
    }

    /// Bodies or shapes whose distance is wanted, as an output or for a warning.
    pub fn named_pairs(&self) -> &TiSlice<NamedPairId, NamedPair> {
        &self.named_pairs
    }

    /// Distance at which the two shapes of a pair begin to touch [m].
    pub fn threshold_of(&self, shapes: [ShapeId; 2]) -> f64 {
        match self.own_threshold(shapes) {
            Some((own, _)) => own.value,
            None => self.shapes[shapes[0]].shell + self.shapes[shapes[1]].shell,
        }
    }

    /// Index of the law of a pair among [`Scene::laws`].
    #[inline]
    pub fn law_of(&self, pair: &Pair) -> LawId {
        if self.own_laws.is_empty() {
            return pair.material_pair;
        }
        let (first, _) = self.first_parts(pair.shapes);
        let found = self.own_laws.binary_search_by_key(&first, |own| own.first);
        found.map_or(pair.material_pair, |index| self.own_laws[index].law)
    }

    fn forms_by_pair(&self, shapes: [ShapeId; 2]) -> [&RoundedShape; 2] {
        if let Some((own, parts)) = self.own_threshold(shapes) {
            return [0, 1].map(|side| &own.forms[side][parts[side]]);
        }
        let own = shapes.map(|shape| &self.shapes[shape]);
        let is_sharp = own.iter().any(|shape| shape.sharp.is_some()) && self.is_area_of(shapes);
        own.map(|shape| match &shape.sharp {
            Some(sharp) if is_sharp => sharp,
            _ => &shape.form,
        })
    }

    /// The threshold of a named pair that holds for two shapes, and which parts these are.
    fn own_threshold(&self, shapes: [ShapeId; 2]) -> Option<(&OwnThreshold, [usize; 2])> {
        let (first, parts) = self.first_parts(shapes);
        let found = self
            .thresholds
            .binary_search_by_key(&first, |own| own.first);
        found.ok().map(|index| (&self.thresholds[index], parts))
    }

    /// The first parts of the shapes that two convex parts belong to, and which parts these are.
    fn first_parts(&self, shapes: [ShapeId; 2]) -> ([ShapeId; 2], [usize; 2]) {
        let parts = shapes.map(|shape| self.shapes[shape].part.unwrap_or(0));
        let first = |side: usize| shapes[side].minus(parts[side]);
        ([first(0), first(1)], parts)
    }

    /// Prescribed forces.
    pub fn forces(&self) -> &TiSlice<ForceId, Force> {
        &self.forces
    }

    /// The first kink of a prescribed force or motion, or time at which a latch opens or closes, after
    /// `time` [s]: a time event.
    pub fn next_kink(&self, time: f64) -> Option<f64> {
        let reached = with_rounding(time);
        let next = self.kinks.partition_point(|kink| *kink <= reached);
        self.kinks.get(next).copied()
    }

    /// Returns true if a prescribed force or motion has a kink, or a latch opens or closes, at `time`
    /// [s].
    pub fn has_kink_at(&self, time: f64) -> bool {
        let reached = with_rounding(time);
        let next = self.kinks.partition_point(|kink| *kink <= reached);
        next.checked_sub(1)
            .is_some_and(|last| time - self.kinks[last] <= reached - time)
    }

    /// Motions of prescribed bodies, in the order of the description.
    pub fn motions(&self) -> &TiSlice<MotionId, PrescribedMotion> {
        &self.motions
    }

    /// The last time after `time` [s] at which the velocity of a body that carries others on joints
    /// jumps without impulses, with the index of that body. There is none after the start time of
    /// the default experiment.
    pub fn last_carried_jump(&self, time: f64) -> Option<(f64, BodyId)> {
        let refused =
            |motion: &&PrescribedMotion| motion.carries && motion.jump == VelocityJump::Error;
        let jumps = self.motions.iter().filter(refused).flat_map(|motion| {
            let times = motion.velocity_jumps();
            times.map(|(time, _)| (time, motion.body))
        });
        let later = jumps.filter(|(jump, _)| *jump > with_rounding(time));
        later.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Pose of a body at the start time, with the numbers that the scene gives: a prescribed body
    /// is where its motion is then.
    pub fn start_pose(&self, body: BodyId) -> Pose {
        let given = self.bodies()[body].given_pose();
        let Some(motion) = self.motions.iter().find(|motion| motion.body == body) else {
            return given;
        };
        let time = self.experiment().start_time;
        let [displacement, turning] = motion.profile.ways(time, time, f64::INFINITY);
        moved(&given, &displacement, &turning)
    }
}

const MAGIC: [u8; 8] = *b"FMUSCENE";

/// Version of the byte format; raised whenever [`SceneDescription`] or its encoding changes.
const SCENE_FORMAT: u32 = 25;

const HEADER: usize = 8 + 4 + 8;

/// Why bytes are not a scene.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SceneBytesError {
    /// The bytes do not start like a scene.
    #[error("not a scene: it does not start with \"FMUSCENE\"")]
    NotAScene,
    /// Fewer bytes than a header has: (found).
    #[error("a scene has at least {own} bytes; there are {0}", own = HEADER)]
    Short(usize),
    /// Another format version.
    #[error("scene format {0}; this binary reads format {own}; build the FMU again", own = SCENE_FORMAT)]
    Version(u32),
    /// The header announces another length than there is: (announced, found).
    #[error("scene has {1} bytes after its header, which announces {0}")]
    Length(u64, u64),
    /// The body cannot be decoded.
    #[error("scene bytes are corrupt: {0}")]
    Corrupt(String),
    /// The scene is decodable but not valid.
    #[error("scene is not valid: {0}")]
    Invalid(String),
}

/// Writes a scene.
pub fn encode(description: &SceneDescription) -> Result<Vec<u8>, SceneBytesError> {
    let body =
        postcard::to_stdvec(description).map_err(|e| SceneBytesError::Corrupt(e.to_string()))?;
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&SCENE_FORMAT.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Reads a scene and checks every invariant of it.
pub fn decode(bytes: &[u8]) -> Result<Scene, SceneBytesError> {
    Scene::new(decode_description(bytes)?).map_err(|errors| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        SceneBytesError::Invalid(texts.join("; "))
    })
}

/// Reads what a scene was made of, unchecked.
pub fn decode_description(bytes: &[u8]) -> Result<SceneDescription, SceneBytesError> {
    let (magic, rest) = bytes
        .split_at_checked(8)
        .ok_or(SceneBytesError::NotAScene)?;
    if magic != MAGIC {
        return Err(SceneBytesError::NotAScene);
    }
    let short = || SceneBytesError::Short(bytes.len());
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let version = u32::from_le_bytes(*version);
    if version != SCENE_FORMAT {
        return Err(SceneBytesError::Version(version));
    }
    let (length, body) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let announced = u64::from_le_bytes(*length);
    if announced != body.len() as u64 {
        return Err(SceneBytesError::Length(announced, body.len() as u64));
    }
    postcard::from_bytes(body).map_err(|e| SceneBytesError::Corrupt(e.to_string()))
}

/// Token of a scene for `instantiationToken`: 64 hexadecimal digits.
pub fn token(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update([0]);
    hash.update(bytes);
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, steel_scene};
    use crate::scene::description::{Form, Motion};

    #[test]
    fn bytes_that_end_inside_the_header_are_told_with_their_number() {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&SCENE_FORMAT.to_le_bytes());
        for found in [8, 12] {
            let refused = decode(&bytes[..found]).unwrap_err();
            assert_eq!(refused, SceneBytesError::Short(found));
        }
        assert_eq!(
            SceneBytesError::Short(12).to_string(),
            "a scene has at least 20 bytes; there are 12"
        );
    }

    #[test]
    fn compounds_in_compounds_end_at_the_second_however_deep_they_go() {
        let parts = Vec::new();
        let form = Form::Compound { parts };
        let thing = body("thing", Motion::Fixed, form.clone(), [0.0; 3]);
        let bytes = encode(&steel_scene(vec![thing])).unwrap();
        let flat = postcard::to_stdvec(&form).unwrap();
        let at = bytes.windows(7).position(|w| w == b"\x05thing\x0b");
        let at = at.unwrap() + 6;
        assert_eq!(bytes[at..at + 2], flat);
        // A compound of one part, whose form comes first, that is a compound of one part ...
        let mut deep = bytes[HEADER..at].to_vec();
        deep.extend([flat[0], 1].repeat(1_000_000));
        deep.extend(&bytes[at..]);
        let mut all = bytes[..12].to_vec();
        all.extend((deep.len() as u64).to_le_bytes());
        all.extend(deep);
        let refused = decode(&all).unwrap_err();
        assert!(matches!(refused, SceneBytesError::Corrupt(_)), "{refused}");
    }
}
