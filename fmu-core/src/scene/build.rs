//! The scene, made from a description. Whoever holds a [`Scene`] knows that names are unique,
//! numbers finite and in range, masses positive, inertias those of real bodies, and that every
//! pair of shapes that can touch has material data and a contact routine.

use crate::geometry::{MassProperties, RoundedShape};
use crate::math::{Pose, Vec3, quaternion, rotation_matrix};
use crate::narrow_phase::capacity;
use crate::response::LawChoice;
use crate::response::options::{FrictionKind, NormalKind};
use crate::scene::check::Checker;
use crate::scene::contact_slots::{ContactKey, ContactSlots};
use crate::scene::description::{
    ContactOptions, Drive, Experiment, FunctionDescription, Gravity, InterfaceOptions,
    LibraryDescription, Motion, SceneDescription, SceneItem, ShapeDescription, ShapeName,
};
use crate::scene::filter;
use crate::scene::flaw::{SceneError, SceneFlaw};
use crate::scene::forces::{self, Force};
use crate::scene::forms;
use crate::scene::inputs::{self, Input, Measurement, Output};
use crate::scene::joint::Joint;
use crate::scene::layout::{CONTACT_STATES, Deflections, StateLayout};
use crate::scene::motions::{self, PrescribedMotion};
use crate::scene::named_pairs::{NamedPair, OwnLaw, OwnThreshold};
use crate::scene::pairing;
use crate::scene::pairs::{Group, Pairs, TooManyPairs};
use crate::scene::parameters::{self, Parameter};
use crate::scene::tree;

/// A checked, immutable scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    name: String,
    gravity: Gravity,
    pub(super) bodies: Vec<Body>,
    pub(super) shapes: Vec<Shape>,
    pub(super) thresholds: Vec<OwnThreshold>,
    pub(super) named_pairs: Vec<NamedPair>,
    pub(super) reported: Vec<ContactKey>,
    materials: Vec<ContactMaterial>,
    pub(super) laws: Vec<ContactLaw>,
    pub(super) own_laws: Vec<OwnLaw>,
    pairs: Pairs,
    contact: ContactOptions,
    experiment: Experiment,
    interface: InterfaceOptions,
    expose: Option<Vec<String>>,
    layout: StateLayout,
    links: Vec<Joint>,
    first_joint: usize,
    /// Joints, parents before children.
    tree_order: Vec<usize>,
    stops: Vec<Stop>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    measurements: Vec<Measurement>,
    pub(super) forces: Vec<Force>,
    pub(super) motions: Vec<PrescribedMotion>,
    /// Times at which a force or a motion has a kink [s], ascending.
    pub(super) kinks: Vec<f64>,
    parameters: Vec<Parameter>,
    slot_count: usize,
    contact_slots: ContactSlots,
    libraries: Vec<LibraryDescription>,
    functions: Vec<FunctionDescription>,
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// How it moves.
    pub motion: Motion,
    /// Origin of the body frame in world axes [m], at start; where a prescribed body moves from.
    pub position: Vec3,
    /// Unit quaternion (w, x, y, z), body to world, at start.
    pub orientation: [f64; 4],
    /// Velocity of the origin, world axes [m/s], at start.
    pub velocity: Vec3,
    /// Angular velocity, body axes [rad/s], at start.
    pub angular_velocity: Vec3,
    /// Mass properties in the body frame; zero for a body that forces do not accelerate, save that a
    /// driven one has the mass of its shapes, or the given one, which scales nominal values.
    pub mass: MassProperties,
    /// What the inputs and outputs of a driven body are.
    pub drive: Drive,
    /// Number of shapes.
    pub shape_count: usize,
}

impl Body {
    /// Pose of the body frame in the world as the scene gives it: at start, save of a prescribed
    /// body, which moves from there, see [`Scene::start_pose`].
    pub fn given_pose(&self) -> Pose {
        Pose {
            position: self.position,
            rotation: rotation_matrix(&self.orientation),
        }
    }

    /// Returns true if the body has states of its own.
    pub fn is_free(&self) -> bool {
        self.motion == Motion::Free
    }

    /// Returns true if forces accelerate the body.
    pub fn is_dynamic(&self) -> bool {
        self.motion.is_dynamic()
    }

    /// Returns true if inputs place the body.
    pub fn is_driven(&self) -> bool {
        self.motion == Motion::Driven
    }

    /// Returns true if the body never moves.
    pub fn is_fixed(&self) -> bool {
        self.motion == Motion::Fixed
    }
}

/// An end stop of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Index of the joint.
    pub joint: usize,
    /// Index of the coordinate among those of its kind.
    pub coordinate: usize,
    /// It keeps the coordinate below its value; above it otherwise.
    pub is_upper: bool,
}

/// A shape that takes part in contact detection.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Unique within its body.
    pub name: String,
    /// Index of its body.
    pub body: usize,
    /// Which part of a shape that consists of several convex ones.
    pub part: Option<u32>,
    /// Form and size, the shell included.
    pub form: RoundedShape,
    /// Radius of the form without the shell [m], >= 0.
    pub own_radius: f64,
    /// Distance from the surface at which the shape begins to touch [m], >= 0.
    pub shell: f64,
    /// The largest form with which the shape touches others.
    pub bounding_form: RoundedShape,
    /// Pose of the core's frame in the body frame.
    pub pose_b: Pose,
    /// Index of its contact material.
    pub material: usize,
    /// Contact sphere radius [m]; infinite for a half-space.
    pub contact_sphere_radius: f64,
    /// Counts as flat in the Hertz factor.
    pub flat: bool,
}

/// Elastic data of a material that a shape in contact detection uses.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactMaterial {
    /// Unique name.
    pub name: String,
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Poisson's ratio [1].
    pub poissons_ratio: f64,
}

/// The law of two materials that can meet, or of two shapes that have their own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLaw {
    /// Indices of the materials, the smaller first.
    pub materials: [usize; 2],
    /// The shapes that have it; none for all of these materials that have none of their own.
    pub between: Option<[ShapeName; 2]>,
    /// Laws and numbers, at start.
    pub choice: LawChoice,
}

/// Event indicators a scene has at least, before their number is cut to the candidate pairs.
const LEAST_INDICATORS: usize = 100;
/// Event indicators per moving body: a sphere among equal spheres touches at most twelve.
const INDICATORS_PER_BODY: usize = 12;

impl Scene {
    /// Checks a description and builds the scene, or returns all its problems.
    pub fn new(description: SceneDescription) -> Result<Scene, Vec<SceneError>> {
        let mut checker = Checker::new(&description);
        checker.check_all();
        let mut errors = checker.finish();
        // What is built from parts is checked too, so that all problems are reported at once; parts
        // with problems of their own are left out, since more of them would only follow from those.
        let has_problem =
            |wanted: &dyn Fn(SceneItem) -> bool| errors.iter().any(|e| wanted(e.item));
        if has_problem(&|item| matches!(item, SceneItem::Material(_) | SceneItem::MaterialPair(_)))
        {
            return Err(errors);
        }
        let left_out: Vec<bool> = (0..description.bodies.len())
            .map(|b| {
                has_problem(
                    &|item| matches!(item, SceneItem::Body(i) | SceneItem::Shape(i, _) | SceneItem::Part(i, _, _) if i == b),
                )
            })
            .collect();
        let mut scene = Scene::of_constants(&description);
        scene.set_bodies(&description, &left_out, &mut errors);
        scene.set_joints(&description, &mut errors);
        (scene.motions, scene.kinks) = motions::build(&description, &mut errors);
        scene.find_pairs(&description, &mut errors);
        if errors.is_empty() {
            scene.set_named_pairs(&description, &mut errors);
            scene.set_reported(&description.report, &mut errors);
        }
        if errors.is_empty() {
            let kinks;
            (scene.forces, kinks) = forces::build(&description, &mut errors);
            scene.kinks.extend(kinks);
            scene.kinks.sort_unstable_by(f64::total_cmp);
            scene.kinks.dedup();
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        scene.place_children();
        let moving = scene.bodies.iter().filter(|b| !b.is_fixed()).count();
        let wanted = match scene.contact.nz_max {
            Some(given) => given as usize,
            None => LEAST_INDICATORS.max(INDICATORS_PER_BODY * moving),
        };
        scene.slot_count = wanted.min(scene.pairs.len());
        scene.contact_slots = scene.find_contact_slots();
        scene.layout = std::mem::take(&mut scene.layout).with_deflections(scene.deflections());
        scene.parameters = parameters::list(&scene);
        scene.inputs = inputs::inputs(&scene);
        scene.outputs = inputs::outputs(&scene);
        Ok(scene)
    }

    /// A scene with what the description gives as it is; all that is built from that is empty.
    fn of_constants(description: &SceneDescription) -> Scene {
        Scene {
            name: description.name.clone(),
            gravity: description.gravity,
            bodies: Vec::new(),
            shapes: Vec::new(),
            thresholds: Vec::new(),
            named_pairs: Vec::new(),
            reported: Vec::new(),
            materials: Vec::new(),
            laws: Vec::new(),
            own_laws: Vec::new(),
            pairs: Pairs::default(),
            contact: description.contact,
            experiment: description.experiment,
            interface: description.interface,
            expose: description.expose.clone(),
            layout: StateLayout::new(
                description.bodies.iter().map(|b| b.motion == Motion::Free),
                description
                    .joints
                    .iter()
                    .map(|joint| [joint.kind.position_count(), joint.kind.rate_count()]),
                description.energy_balance,
            ),
            links: Vec::new(),
            first_joint: 0,
            tree_order: Vec::new(),
            stops: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            measurements: inputs::measurements(description),
            forces: Vec::new(),
            motions: Vec::new(),
            kinks: Vec::new(),
            parameters: Vec::new(),
            slot_count: 0,
            contact_slots: ContactSlots::default(),
            libraries: description.libraries.clone(),
            functions: description.functions.clone(),
        }
    }

    /// Builds the bodies, and the shapes of those that are not left out.
    fn set_bodies(
        &mut self,
        description: &SceneDescription,
        left_out: &[bool],
        errors: &mut Vec<SceneError>,
    ) {
        for (index, body) in description.bodies.iter().enumerate() {
            let heavy = body.motion.is_dynamic() && !left_out[index];
            let mass = match mass_properties(description, index) {
                Ok(mass) if heavy || body.motion == Motion::Driven => mass,
                Err(error) if heavy => {
                    errors.push(error);
                    MassProperties::zero()
                }
                _ => MassProperties::zero(),
            };
            self.bodies.push(Body {
                name: body.name.clone(),
                motion: body.motion,
                position: Vec3::from(body.position),
                orientation: unit(&body.orientation),
                velocity: Vec3::from(body.velocity),
                angular_velocity: Vec3::from(body.angular_velocity),
                mass,
                drive: body.drive,
                shape_count: body.shapes.len(),
            });
            let shapes = body.shapes.iter().enumerate();
            let touching = shapes.filter(|(_, shape)| shape.collision && !left_out[index]);
            for (place, shape) in touching {
                let material = self.material_index(description, shape);
                match collision_shapes(shape, index, material, &description.contact) {
                    Ok(shapes) => self.shapes.extend(shapes),
                    Err(flaw) => {
                        let item = SceneItem::Shape(index, place);
                        let (field, flaw) = (shape.form.key(), SceneFlaw::Geometry(flaw));
                        errors.push(SceneError::new(description, item, field, flaw));
                    }
                }
            }
        }
    }

    /// Builds the trees and lists their end stops.
    fn set_joints(&mut self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        let bad_joint = |error: &SceneError| matches!(error.item, SceneItem::Joint(_));
        if errors.iter().any(bad_joint) {
            return;
        }
        let joints;
        (joints, self.tree_order) = tree::build(description, errors);
        let free = self.bodies.iter().enumerate();
        let free = free.filter(|(_, body)| body.is_free());
        self.links = free
            .map(|(index, body)| {
                let (p, [w, a, b, c]) = (&body.position, body.orientation);
                let (v, omega) = (&body.velocity, &body.angular_velocity);
                let positions = [p.x, p.y, p.z, w, a, b, c];
                let rates = [v.x, v.y, v.z, omega.x, omega.y, omega.z];
                Joint::of_free(&body.name, index, positions, rates)
            })
            .collect();
        self.first_joint = self.links.len();
        self.links.extend(joints);
        for (index, joint) in self.links[self.first_joint..].iter().enumerate() {
            for (coordinate, forces) in joint.forces.iter().enumerate() {
                let Some(stops) = forces.stops else { continue };
                let sides = [(stops.lower, false), (stops.upper, true)];
                let given = sides.into_iter().filter(|(stop, _)| stop.is_some());
                self.stops.extend(given.map(|(_, is_upper)| Stop {
                    joint: index,
                    coordinate,
                    is_upper,
                }));
            }
        }
    }

    /// Places the bodies of joints by the coordinates at start.
    fn place_children(&mut self) {
        for index in &self.tree_order {
            let joint = &self.links[self.first_joint + index];
            let parent = joint.parent.map(|body| self.start_pose(body));
            let pose = joint.place_child(&parent.unwrap_or(Pose::identity()), &joint.positions);
            let child = &mut self.bodies[joint.child];
            child.position = pose.position;
            child.orientation = quaternion(&pose.rotation);
        }
    }

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

    /// Bodies in scene order.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Shapes that take part in contact detection, in scene order.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Materials of those shapes.
    pub fn materials(&self) -> &[ContactMaterial] {
        &self.materials
    }

    /// Laws of contact: those of pairs of materials that can meet, in the order of
    /// [`Pair::material_pair`], then those of named pairs.
    ///
    /// [`Pair::material_pair`]: crate::scene::Pair::material_pair
    pub fn laws(&self) -> &[ContactLaw] {
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
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Index of a parameter; none if the scene does not have it.
    pub fn parameter_index(&self, parameter: Parameter) -> Option<usize> {
        let found = self
            .parameters
            .binary_search_by_key(&parameter.order(), |known| known.order());
        found
            .ok()
            .filter(|index| self.parameters[*index] == parameter)
    }

    /// Number of indicator slots of pairs, nz_max cut to the number of candidate pairs.
    pub fn slot_count(&self) -> usize {
        self.slot_count
    }

    /// Number of event indicators: those of the slots, then one for each of [`Self::stops`].
    pub fn indicator_count(&self) -> usize {
        self.slot_count + self.stops.len()
    }

    /// End stops of joints, each with an event indicator.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Names of the joint and of the side of an end stop: `hinge`, `upper`; a joint with several
    /// coordinates is named with the coordinate, `rod.displacement`.
    pub fn stop_names(&self, stop: usize) -> [String; 2] {
        let stop = &self.stops[stop];
        let joint = &self.joints()[stop.joint];
        let mut name = joint.name.clone();
        let coordinates = joint.kind.coordinates();
        if coordinates.len() > 1 {
            name.push('.');
            name.push_str(coordinates[stop.coordinate].key());
        }
        let side = if stop.is_upper { "upper" } else { "lower" };
        [name, side.into()]
    }

    /// Joints in scene order.
    pub fn joints(&self) -> &[Joint] {
        &self.links[self.first_joint..]
    }

    /// Every body that has states of its own, with the joint that it is the child of: first the free
    /// bodies in scene order, each on a joint of kind `free` to the world that has the name of the body,
    /// then [`Self::joints`].
    pub fn links(&self) -> &[Joint] {
        &self.links
    }

    /// Index of a joint among [`Self::links`].
    pub fn link_of_joint(&self, joint: usize) -> usize {
        self.first_joint + joint
    }

    /// Indices of the joints, parents before children.
    pub fn tree_order(&self) -> &[usize] {
        &self.tree_order
    }

    /// Returns true if a contact may freeze a damping coefficient that follows from a restitution,
    /// which is what the largest one bounds. Pairs of a driven body do, whatever their law has for
    /// others.
    pub fn bounds_damping(&self) -> bool {
        let driven = self.bodies.iter().any(Body::is_driven);
        let frozen = |law: &ContactLaw| law.choice.kinds.freezes_damping(driven);
        !self.pairs.is_empty() && self.laws.iter().any(frozen)
    }

    /// Inputs in their fixed order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Outputs beside states and contact, in their fixed order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Relative motions that are outputs.
    pub fn measurements(&self) -> &[Measurement] {
        &self.measurements
    }

    /// Returns true if every candidate pair has an event indicator for ever.
    pub fn monitors_all_pairs(&self) -> bool {
        self.slot_count == self.pairs.len()
    }

    /// States at start.
    pub fn start_states(&self) -> Vec<f64> {
        let mut states = vec![0.0; self.layout.count()];
        for (index, link) in self.links.iter().enumerate() {
            states[self.layout.positions(index)].copy_from_slice(&link.positions);
            states[self.layout.rates(index)].copy_from_slice(&link.rates);
        }
        states
    }

    /// What has a deflection as state, by its law of friction.
    fn deflections(&self) -> Deflections {
        let sticks = |law: &ContactLaw| law.choice.kinds.has_deflection();
        if !self.laws.iter().any(sticks) {
            return Deflections::None;
        }
        if !self.monitors_all_pairs() {
            return Deflections::OfSlots(self.contact_slots.count());
        }
        let of_pair = |pair: usize| &self.laws[self.law_of(&self.pairs.get(pair))];
        let pairs = (0..self.pairs.len()).filter(|pair| sticks(of_pair(*pair)));
        let contacts = pairs.flat_map(|pair| self.contacts_of(pair as u32));
        Deflections::OfContacts(contacts.collect())
    }

    /// Name of what has the deflection with this index: `contact.ground.ball`, `contact.slot[7]`.
    fn deflection_name(&self, index: usize) -> String {
        match self.layout.deflections() {
            Deflections::OfContacts(contacts) => {
                let key = contacts[index];
                let pair = self.pairs.get(key.pair as usize);
                // As in the names of reported contacts: `hills[3]` is `hills_3`.
                let [a, b] = pair.shapes.map(|s| {
                    let name = self.shape_name(s);
                    name.replace(['.', '['], "_").replace(']', "")
                });
                format!("contact.{a}.{b}{}", self.contact_suffix(key))
            }
            _ => format!("contact.slot[{}]", index + 1),
        }
    }

    /// All contacts that a pair can have.
    pub fn contacts_of(&self, pair: u32) -> impl Iterator<Item = ContactKey> + use<> {
        let count = self.capacity_of(pair as usize) as u32;
        (0..count).map(move |index| ContactKey { pair, index })
    }

    /// Largest number of contacts of a pair.
    pub fn capacity_of(&self, pair: usize) -> usize {
        let [form_1, form_2] = self.forms_of(self.pairs.get(pair).shapes);
        capacity(form_1, form_2)
    }

    /// Contact slots behind the indicator slots.
    pub fn contact_slots(&self) -> &ContactSlots {
        &self.contact_slots
    }

    fn find_contact_slots(&self) -> ContactSlots {
        let mut kinds: Vec<&RoundedShape> = Vec::new();
        for shape in &self.shapes {
            if kinds.iter().all(|known| known.kind() != shape.form.kind()) {
                kinds.push(&shape.form);
            }
        }
        let both = kinds
            .iter()
            .flat_map(|a| kinds.iter().map(move |b| capacity(a, b)));
        let most = both.max().unwrap_or(1);
        match self.monitors_all_pairs() && most > 1 {
            true => ContactSlots::of((0..self.pairs.len()).map(|pair| self.capacity_of(pair))),
            false => ContactSlots::uniform(self.slot_count, most),
        }
    }

    /// `[2]` for the second contact of a pair that can have several, else nothing.
    pub fn contact_suffix(&self, contact: ContactKey) -> String {
        match self.capacity_of(contact.pair as usize) > 1 {
            true => format!("[{}]", contact.index + 1),
            false => String::new(),
        }
    }

    /// Name of a contact for messages: that of its pair, with an index if the pair can have several.
    pub fn contact_name(&self, contact: ContactKey) -> String {
        let pair = self.pair_name(contact.pair as usize);
        format!("{pair}{}", self.contact_suffix(contact))
    }

    /// What has the deflection with this index, for texts: `ground:ball`, or the number of a slot.
    pub fn deflection_owner(&self, index: usize) -> String {
        match self.layout.deflections() {
            Deflections::OfContacts(contacts) => self.contact_name(contacts[index]),
            _ => (index + 1).to_string(),
        }
    }

    /// Name of a state, structured as importers see it: `ball.position[3]`, `hinge.angle`,
    /// `contact.ground.ball.deflection[1]`; `energy.dissipated`.
    pub fn state_name(&self, state: usize) -> String {
        for (index, link) in self.links.iter().enumerate() {
            let (positions, rates) = (self.layout.positions(index), self.layout.rates(index));
            let key = match (positions.contains(&state), rates.contains(&state)) {
                (true, _) => link.state_key(false, state - positions.start),
                (_, true) => link.state_key(true, state - rates.start),
                _ => continue,
            };
            return format!("{}.{key}", link.name);
        }
        let contacts = self.layout.contacts();
        if contacts.contains(&state) {
            let place = state - contacts.start;
            let (index, component) = (place / CONTACT_STATES, place % CONTACT_STATES);
            let name = self.deflection_name(index);
            return format!("{name}.deflection[{}]", component + 1);
        }
        "energy.dissipated".into()
    }

    /// Name of a parameter, structured as importers see it: `ball.mass`, `world.gravity[3]`.
    pub fn parameter_name(&self, index: usize) -> String {
        self.parameters[index].name(self)
    }

    /// Name of a law, as its parameters begin with it: `material_pair.Rubber.Steel`, `pair.ball.box`.
    pub fn law_prefix(&self, index: usize) -> String {
        let law = &self.laws[index];
        match &law.between {
            None => {
                let [a, b] = law.materials.map(|m| &self.materials[m].name);
                format!("material_pair.{a}.{b}")
            }
            Some(between) => {
                // As in the names of distances: two levels, whatever is named.
                let [a, b] = between.each_ref().map(|n| n.to_string().replace('.', "_"));
                format!("pair.{a}.{b}")
            }
        }
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

    /// Name of a pair for messages: `ball:ground`; a body with several shapes is named with the
    /// shape, `table.cushion`.
    pub fn pair_name(&self, pair: usize) -> String {
        let [first, second] = self.pair_names(pair);
        format!("{first}:{second}")
    }

    /// Names of the two shapes of a pair, as [`Self::pair_name`] joins them.
    pub fn pair_names(&self, pair: usize) -> [String; 2] {
        self.pairs.get(pair).shapes.map(|s| self.shape_name(s))
    }

    fn shape_name(&self, shape: usize) -> String {
        let shape = &self.shapes[shape];
        let body = &self.bodies[shape.body];
        let mut name = body.name.clone();
        if body.shape_count > 1 {
            name.push('.');
            name.push_str(&shape.name);
        }
        if let Some(part) = shape.part {
            name.push_str(&format!("[{}]", part + 1));
        }
        name
    }

    fn material_index(
        &mut self,
        description: &SceneDescription,
        shape: &ShapeDescription,
    ) -> usize {
        let name = shape.contact_material.as_ref().unwrap_or(&shape.material);
        if let Some(index) = self.materials.iter().position(|m| m.name == *name) {
            return index;
        }
        for material in description.materials.iter().filter(|m| m.name == *name) {
            self.materials.push(ContactMaterial {
                name: name.clone(),
                youngs_modulus: material.youngs_modulus,
                poissons_ratio: material.poissons_ratio,
            });
        }
        self.materials.len() - 1
    }

    /// Numbers the candidate pairs and finds the contact data of their materials, in the order in
    /// which pairs need them.
    fn find_pairs(&mut self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        let groups = self.groups(description);
        let excluded = self.excluded(description, &groups, errors);
        self.pairs = match Pairs::new(groups, &excluded, self.materials.len()) {
            Ok(pairs) => pairs,
            Err(TooManyPairs(count)) => {
                let flaw = SceneFlaw::TooManyPairs(count);
                errors.push(SceneError::new(description, SceneItem::Scene, "body", flaw));
                return;
            }
        };
        let count = self.materials.len();
        let mut seen = vec![false; count * count];
        let mut unseen = count * (count + 1) / 2;
        let mut found = Vec::new();
        for pair in self.pairs.of_parts() {
            let [a, b] = pair.shapes.map(|shape| self.shapes[shape].material);
            let materials = [a.min(b), a.max(b)];
            let seen = &mut seen[materials[0] * count + materials[1]];
            if std::mem::replace(seen, true) {
                continue;
            }
            found.push((materials, pair.shapes));
            unseen -= 1;
            if unseen == 0 {
                break;
            }
        }
        for (materials, shapes) in found {
            match pairing::choice(description, self, materials) {
                Ok(choice) => {
                    errors.extend(pairing::modulus_error(description, self, shapes, &choice));
                    self.pairs.set_material_pair(materials, self.laws.len());
                    self.laws.push(ContactLaw {
                        materials,
                        between: None,
                        choice,
                    });
                }
                Err(flaw) => {
                    errors.push(pairing::error_at(description, self, shapes[1], flaw));
                }
            }
        }
    }

    /// The convex parts of each shape.
    fn groups(&self, description: &SceneDescription) -> Vec<Group> {
        let collision_groups = filter::collision_groups(description);
        let rigid_groups = filter::rigid_groups(&self.bodies, self.joints(), &self.tree_order);
        let mut groups: Vec<Group> = Vec::new();
        for (index, shape) in self.shapes.iter().enumerate() {
            let part = shape.part.is_some_and(|part| part > 0);
            match groups.last_mut() {
                Some(group) if part => group.shapes.end = index + 1,
                _ => groups.push(Group {
                    shapes: index..index + 1,
                    body: shape.body,
                    rigid_group: rigid_groups[shape.body],
                    collision_group: collision_groups[shape.body],
                    material: shape.material,
                }),
            }
        }
        groups
    }
}

/// The convex shapes of a shape, in contact.
fn collision_shapes(
    shape: &ShapeDescription,
    body: usize,
    material: usize,
    contact: &ContactOptions,
) -> Result<Vec<Shape>, String> {
    let smoothing = shape.smoothing_radius.unwrap_or(contact.smoothing_radius);
    let (contact_sphere_radius, flat) = forms::contact_sphere(&shape.form);
    let pose_b = shape_pose(shape);
    let parts = forms::convex_shapes(&shape.form, smoothing)?;
    let part_count = parts.len();
    let made = parts
        .into_iter()
        .enumerate()
        .map(|(part, (mut form, pose))| {
            let own_radius = form.radius;
            form.radius += shape.shell;
            Shape {
                name: shape.name.clone(),
                body,
                part: (part_count > 1).then_some(part as u32),
                bounding_form: form.clone(),
                form,
                own_radius,
                shell: shape.shell,
                pose_b: pose_b.then(&pose),
                material,
                contact_sphere_radius: shape.contact_sphere_radius.unwrap_or(contact_sphere_radius),
                flat: shape.flat.unwrap_or(flat),
            }
        });
    Ok(made.collect())
}

fn shape_pose(shape: &ShapeDescription) -> Pose {
    Pose {
        position: Vec3::from(shape.position),
        rotation: rotation_matrix(&shape.orientation),
    }
}

/// Mass properties of a body: those of its shapes, replaced by what is given.
fn mass_properties(
    description: &SceneDescription,
    index: usize,
) -> Result<MassProperties, SceneError> {
    let body = &description.bodies[index];
    let mut computed = MassProperties::zero();
    for shape in &body.shapes {
        let density = description
            .materials
            .iter()
            .find(|m| m.name == shape.material)
            .map_or(0.0, |material| material.density);
        let own = forms::mass_properties(&shape.form, density);
        computed = computed.combined(&own.placed(&shape_pose(shape)));
    }
    let given = &body.mass;
    let mass = given.mass.unwrap_or(computed.mass);
    let center_of_mass = given
        .center_of_mass
        .map_or(computed.center_of_mass, Vec3::from);
    let inertia = match given.inertia {
        Some([xx, yy, zz, xy, xz, yz]) => {
            nalgebra::Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
        None => {
            computed.inertia
                * (if computed.mass > 0.0 {
                    mass / computed.mass
                } else {
                    0.0
                })
        }
    };
    crate::scene::check::mass(
        description,
        index,
        MassProperties {
            mass,
            center_of_mass,
            inertia,
        },
    )
}

/// The quaternion made exactly unit; the check has seen that it nearly is.
fn unit(q: &[f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / norm)
}
