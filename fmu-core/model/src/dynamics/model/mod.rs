//! A scene bound to parameter values: all constants that an evaluation reads.
//!
//! - [`driven`]: bodies whose pose and velocities are inputs or prescribed
//!
//! # End stops along the coordinates of joints: compliant, with events
//!
//! With the coordinate q, its rate v and the position of the stop, [m] or [rad] and [m/s] or [rad/s]:
//! gap = q - lower or upper - q. At an event the stop is in contact if gap < -EPS, which is frozen until the next
//! event; the event indicator is the gap in contact, gap + 2 EPS otherwise. So an event comes when the gap
//! falls below -2 EPS or rises above 0, and no indicator is zero after it. In contact the coordinate feels,
//! away from the stop, f = K depth (1 + d depth'), f >= 0, depth = max(0, -gap - 2 EPS): zero at both events,
//! so that the energy is not increased, and the depth under a static force F is F/K. The damping d is the
//! damping `inferred` of contacts, from the effective inertia of the coordinate when the contact started: the
//! desired restitution is reproduced for anything on the joint, also by a hit on a coordinate at rest on its
//! stop, and goes to 1/4 with the speed below [`SMALL_SPEED`]. A restitution of 1 has no damping.

pub(crate) mod driven;

pub use driven::{DrivenBody, PrescribedBody};

use crate::contact::StopContact;
use crate::dynamics::link::Links;
use crate::hybrid::EvaluationError;
use crate::scene::description::contact::ContactNumbers;
use crate::scene::description::{ForceVectors, Gravity, Material};
use crate::scene::forces::ForceTimeProfile;
use crate::scene::pair_classes::PairClasses;
use crate::scene::parameter::INERTIA_ENTRIES;
use crate::scene::{
    Element, ElementNumbers, Force, Input, Pair, Parameters, PrescribedMotion, Scene, Stop,
    UserFunctions,
};
use contact_geometry::math::real::{sin, sin_cos};
use contact_geometry::math::{Exact, Mat3, Pose, Real, Vec3, norm, rotation_matrix, vec3};
use contact_geometry::narrow_phase::PairRoutine;
use contact_geometry::shapes::RoundedShape;
use contact_geometry::shapes::mass::{carried_inertia_flaw, inertia_flaw};
use contact_laws::index::{
    BodyId, DrivenId, ForceId, FrameId, InputId, LawId, MaterialId, MotionId, PairId, ParameterId,
    ShapeId, StopId, SurfaceKindId, TiSlice, TiVec,
};
use contact_laws::response::choice::{FrictionKind, NormalKind, RestitutionRule};
use contact_laws::response::damping::DampingLaw;
use contact_laws::response::inferred::Tables;
use contact_laws::response::law::{AreaPressure, PairSurface};
use contact_laws::response::normal::{NormalLaw, PowerLaw};
use contact_laws::response::restitution::Restitution;
use contact_laws::response::stick::STANDARD_GRAVITY;
use contact_laws::response::user::UserLaw;
use contact_laws::response::{LawChoice, PairLaw};
use std::collections::BTreeMap;
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

/// Effective mass of two bodies without a known mass [kg]: nominal values, defaults of friction and the
/// damping between bodies that no force moves follow from it.
pub(crate) const MASS_UNKNOWN: f64 = 1.0;

/// ElementNumbers of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModel {
    /// Pose of a fixed body in the world; of others at start.
    pub pose: Pose,
    /// Mass [kg]; zero for a fixed body.
    pub mass: f64,
    /// Centre of mass, body frame [m].
    pub center_of_mass_b: Vec3,
    /// Whether the centre of mass is the origin: many terms of the equations of motion are then zero.
    pub(crate) centered: bool,
    /// Inertia tensor about the centre of mass, body axes [kg.m2].
    pub inertia_b: Mat3,
    /// Its inverse [1/(kg.m2)]; zero for a body on a joint, whose inertia may be singular.
    pub inverse_inertia_b: Mat3,
}

/// Frames of bodies and shapes: one for each body, in scene order, then one for each shape with a separate
/// frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// Frame of each shape.
    pub of_shapes: TiVec<ShapeId, FrameId>,
    pub(crate) of_links: Vec<ShapeId>,
    /// Shapes of driven and prescribed bodies with separate frames.
    pub(crate) of_others: Vec<ShapeId>,
    pub(crate) count: usize,
}

/// A scene with numbers.
#[derive(Clone, Debug)]
pub struct Model {
    /// The structure.
    pub scene: Arc<Scene>,
    /// Gravity.
    pub gravity: Gravity,
    /// Bodies in scene order.
    pub bodies: TiVec<BodyId, BodyModel>,
    /// Bodies with states.
    pub links: Links,
    /// Driven bodies in scene order.
    pub driven: TiVec<DrivenId, DrivenBody>,
    /// End stops of joints, in scene order.
    pub stops: TiVec<StopId, StopModel>,
    /// Prescribed bodies, in the order of the scene's motions.
    pub prescribed: TiVec<MotionId, PrescribedBody>,
    /// Frames of bodies and shapes.
    pub frames: Frames,
    pub(crate) applied: TiVec<ForceId, AppliedForce>,
    /// Whether the dissipated work is a state.
    pub energy_balance: bool,
    /// Whether anything depends on time; a property of the structure alone.
    pub depends_on_time: bool,
    /// Whether velocities may jump where contacts start.
    pub has_impulses: bool,
    /// Laws of contact, in the order of [`Scene::laws`].
    pub laws: TiVec<LawId, LawChoice>,
    /// User functions, loaded or not.
    pub functions: Arc<UserFunctions>,
    /// User functions of each law: normal force and friction.
    user_laws: TiVec<LawId, [Option<Arc<UserLaw>>; 2]>,
    /// Contact materials, in the order of the scene's.
    materials: TiVec<MaterialId, Material>,
    /// Damping of each law.
    dampings: TiVec<LawId, DampingLaw>,
    /// Tables of inferred damping, also of the stops.
    tables: Tables,
    /// Class of each shape: shapes of one class have the same law in contact with any third shape.
    surface_kinds: TiVec<ShapeId, SurfaceKindId>,
    contact: ContactNumbers,
}

/// Key that pairs with the same law share: law of the scene, classes of both shapes, and whether they touch
/// over an area.
pub type LawKind = (LawId, [SurfaceKindId; 2], bool);

impl Model {
    /// Binds parameter values; [`start::bind`](crate::dynamics::pressing::bind) checks the start too.
    ///
    /// # Errors
    /// A value out of range: the message names the parameter, the value and the range.
    pub(super) fn bind(
        scene: &Arc<Scene>,
        parameters: &Parameters,
        functions: &Arc<UserFunctions>,
    ) -> Result<Model, EvaluationError> {
        Self::bind_with(scene, parameters, functions, Tables::default())
    }

    /// Binds other values to the same scene, keeping valid tables.
    ///
    /// # Errors
    /// A value out of range: the message names the parameter, the value and the range.
    pub(super) fn rebind(&self, parameters: &Parameters) -> Result<Model, EvaluationError> {
        Self::bind_with(
            &self.scene,
            parameters,
            &self.functions,
            self.tables.again(),
        )
    }

    fn bind_with(
        scene: &Arc<Scene>,
        parameters: &Parameters,
        functions: &Arc<UserFunctions>,
        mut tables: Tables,
    ) -> Result<Model, EvaluationError> {
        let frames = frames(scene);
        let mut model = Model {
            scene: Arc::clone(scene),
            gravity: scene.gravity(),
            bodies: scene.bodies().iter().map(start_body).collect(),
            links: Links::new(scene, &frames.of_links),
            driven: driven::bodies(scene),
            stops: TiVec::new(),
            prescribed: driven::start(scene),
            frames,
            energy_balance: scene.layout().work().is_some(),
            depends_on_time: scene.calls_user_functions()
                || scene.forces().iter().any(Force::depends_on_time)
                || scene
                    .motions()
                    .iter()
                    .any(PrescribedMotion::depends_on_time),
            applied: start(scene),
            has_impulses: scene.has_impulses(),
            laws: scene.laws().iter().map(|law| law.choice).collect(),
            functions: Arc::clone(functions),
            user_laws: TiVec::new(),
            materials: scene.materials().to_owned(),
            dampings: TiVec::new(),
            tables: Tables::default(),
            surface_kinds: TiVec::new(),
            contact: scene.contact_numbers(),
        };
        let mut orientations: TiVec<BodyId, [f64; 4]> =
            scene.bodies().iter().map(|body| body.orientation).collect();
        check_ranges(scene, parameters, scene.parameters().keys())?;
        for (element, _) in scene.by_element() {
            model.set(
                element,
                parameters.numbers(scene, element),
                &mut orientations,
            );
        }
        model.bind_laws(parameters, &mut tables)?;
        model.bind_stops(&mut tables)?;
        tables.bound();
        model.tables = tables;
        model.derive(&orientations)?;
        let laws = model.laws.iter_enumerated();
        model.user_laws = laws
            .map(|(index, law)| functions.of_law(&scene.law_prefix(index), law))
            .collect();
        model.surface_kinds = model.surface_kinds();
        Ok(model)
    }

    /// Binds the values of one element again, in place, without allocating but for tables of restitutions and
    /// numbers of user functions. After an error the model is not to be evaluated before the next good values.
    ///
    /// # Errors
    /// A value out of range: the message names the parameter, the value and the range.
    pub(super) fn rebind_element(
        &mut self,
        element: Element,
        parameters: &Parameters,
    ) -> Result<(), EvaluationError> {
        let scene = Arc::clone(&self.scene);
        let Range { start, end } = scene.parameters_of(element);
        let own = (start.into()..end.into()).map(|i: usize| ParameterId::from(i));
        check_ranges(&scene, parameters, own)?;
        let numbers = match element {
            // Its name stays.
            Element::Material(m) => {
                let mut own = ElementNumbers::Material(take(&mut self.materials[m]));
                parameters.write(&scene, element, &mut own);
                own
            }
            _ => parameters.numbers(&scene, element),
        };
        self.set(element, numbers, TiSlice::from_mut(&mut []));
        let mut tables = take(&mut self.tables);
        tables.drop_unused();
        let bound = match element {
            Element::Body(b) => self.bind_inertia(b),
            Element::Material(_) | Element::Law(_) | Element::Contact => {
                self.bind_laws(parameters, &mut tables)
            }
            Element::Joint(..) => self.bind_stops(&mut tables),
            _ => Ok(()),
        };
        self.tables = tables;
        if let Element::Law(l) = element
            && self.calls_user(l)
        {
            let name = scene.law_prefix(l);
            self.user_laws[l] = self.functions.of_law(&name, &self.laws[l]);
        }
        bound
    }

    /// Sets the parameters of an element; fixed orientations are kept until their norm is checked.
    fn set(
        &mut self,
        element: Element,
        numbers: ElementNumbers,
        orientations: &mut TiSlice<BodyId, [f64; 4]>,
    ) {
        match (element, numbers) {
            (_, ElementNumbers::World(gravity)) => self.gravity = gravity,
            (Element::Body(b), ElementNumbers::Body(numbers)) => {
                let body = &mut self.bodies[b];
                if self.scene.bodies()[b].is_fixed() {
                    body.pose.position = numbers.position.into();
                    orientations[b] = numbers.orientation;
                }
                body.mass = numbers.mass;
                body.center_of_mass_b = numbers.center_of_mass.into();
                for ((row, column), entry) in INERTIA_ENTRIES.into_iter().zip(numbers.inertia) {
                    body.inertia_b[(row, column)] = entry;
                    body.inertia_b[(column, row)] = entry;
                }
            }
            (Element::Material(m), ElementNumbers::Material(material)) => {
                self.materials[m] = material
            }
            (Element::Law(l), ElementNumbers::Law(law)) => self.laws[l] = law,
            (_, ElementNumbers::Contact(contact)) => self.contact = contact,
            (Element::Force(f), ElementNumbers::Force(numbers)) => {
                self.applied[f].profile = numbers
            }
            (Element::Joint(j, c), ElementNumbers::Coordinate(forces)) => {
                let link = &mut self.links.all[self.links.of_joints[j]];
                link.forces[usize::from(c)] = forces;
            }
            (Element::Joint(j, _), ElementNumbers::Ball(ball)) => {
                self.links.all[self.links.of_joints[j]].ball = ball;
            }
            (Element::Motion(m), ElementNumbers::Motion(numbers)) => {
                self.prescribed[m].profile = numbers
            }
            // Those of the experiment are of the integrator.
            _ => {}
        }
    }

    /// Checks the laws of contact and makes their dampings.
    fn bind_laws(
        &mut self,
        parameters: &Parameters,
        tables: &mut Tables,
    ) -> Result<(), EvaluationError> {
        self.check_laws(parameters)?;
        // Nothing is inferred from a mass that the importer alone knows, and one damping holds for
        // the contacts of a scene.
        let is_frozen = self.scene.body_of_unknown_mass().is_some();
        let d_max = self.contact.d_max;
        let d_max = d_max.unwrap_or(self.scene.contact().law.d_max);
        self.dampings.clear();
        self.dampings.extend(self.laws.iter().map(|law| {
            let damping = DampingLaw::new(law, d_max, tables);
            match is_frozen {
                true => damping.latched(),
                false => damping,
            }
        }));
        Ok(())
    }

    /// Refuses numbers of a law that are good each by itself but not together.
    fn check_laws(&self, parameters: &Parameters) -> Result<(), EvaluationError> {
        let check =
            |element, name, allowed: &str| match self.scene.parameter_index(element, name, 0) {
                Some(index) => Err(refused(&self.scene, index, parameters.get(index), allowed)),
                None => Ok(()),
            };
        for ((index, law), choice) in self.scene.laws().iter_enumerated().zip(&self.laws) {
            if let Some((number, text)) = choice.flaw() {
                check(Element::Law(index), number.key(), &text)?;
            }
            for m in law.materials {
                let Material {
                    youngs_modulus,
                    poissons_ratio,
                    ..
                } = self.materials[m];
                if let Some((field, allowed)) = choice.modulus_flaw(youngs_modulus, poissons_ratio)
                {
                    let text = format!("must be {allowed} for law = {:?}", choice.law_word());
                    check(Element::Material(m), field, &text)?;
                }
            }
        }
        Ok(())
    }

    /// Checks the end stops and makes their models.
    fn bind_stops(&mut self, tables: &mut Tables) -> Result<(), EvaluationError> {
        self.check_stops()?;
        self.stops.clear();
        let stops = self.scene.stops().iter();
        let links = &self.links;
        (self.stops).extend(stops.filter_map(|stop| StopModel::new(stop, links, tables)));
        Ok(())
    }

    /// Rejects stops that leave no range between them.
    fn check_stops(&self) -> Result<(), EvaluationError> {
        for (j, link) in self.links.of_joints.iter_enumerated() {
            for (c, forces) in self.links.all[*link].forces.iter().enumerate() {
                let stops = forces.stops.map(|stops| (stops.lower, stops.upper));
                if let Some((Some(lower), Some(upper))) = stops
                    && lower >= upper
                {
                    let name = |stop| {
                        let coordinate = Element::Joint(j, c as u8);
                        let index = self.scene.parameter_index(coordinate, stop, 0);
                        index.map_or(String::new(), |i| self.scene.parameter_name(i))
                    };
                    return Err(EvaluationError::error(format!(
                        "parameter {} is {lower} and {} is {upper}; the upper stop must be above the lower one",
                        name("stop_lower"),
                        name("stop_upper"),
                        lower = Exact(lower),
                        upper = Exact(upper)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Computes derived values: fixed poses, centred masses, inverse inertias.
    fn derive(&mut self, orientations: &TiSlice<BodyId, [f64; 4]>) -> Result<(), EvaluationError> {
        for b in orientations.keys() {
            let (body, q) = (&mut self.bodies[b], &orientations[b]);
            let known = &self.scene.bodies()[b];
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            if !(0.5..=2.0).contains(&norm) {
                return Err(EvaluationError::error(format!(
                    "parameter {}.orientation is the quaternion {q:?} of norm {norm}; must have norm 1",
                    known.name
                )));
            }
            body.pose.rotation = rotation_matrix(q);
            if known.is_driven() {
                let factor = body.inertia_b.cholesky();
                body.inverse_inertia_b = factor.map_or(Mat3::zeros(), |factor| factor.inverse());
            }
            if known.is_dynamic() {
                self.bind_inertia(b)?;
            }
        }
        let start = self.scene.experiment().start_time;
        for prescribed in &self.prescribed {
            self.bodies[prescribed.body].pose = prescribed.motion(&self.scene, start).0;
        }
        for index in self.scene.tree_order() {
            let joint = &self.scene.joints()[*index];
            let parent = joint.parent.map(|body| self.bodies[body].pose);
            let pose = joint.place_child(&parent.unwrap_or(Pose::identity()), &joint.positions);
            self.bodies[joint.child].pose = pose;
        }
        Ok(())
    }

    /// Checks the inertia of a body that forces accelerate, and inverts it.
    fn bind_inertia(&mut self, b: BodyId) -> Result<(), EvaluationError> {
        let (body, known) = (&mut self.bodies[b], &self.scene.bodies()[b]);
        body.centered = body.center_of_mass_b == Vec3::zeros();
        let flaw = |reason: String| {
            EvaluationError::error(format!("parameter {}.inertia: {reason}", known.name))
        };
        if !known.is_free() {
            return match carried_inertia_flaw(&body.inertia_b) {
                Some(reason) => Err(flaw(reason)),
                None => Ok(()),
            };
        }
        if let Some(reason) = inertia_flaw(&body.inertia_b) {
            return Err(flaw(reason));
        }
        // A Cholesky factor exists exactly for a positive definite tensor.
        let Some(factor) = body.inertia_b.cholesky() else {
            return Err(flaw("is not positive definite to rounding".into()));
        };
        body.inverse_inertia_b = factor.inverse();
        Ok(())
    }

    /// Classifies the shapes by the data that [`Self::law_of`] uses.
    fn surface_kinds(&self) -> TiVec<ShapeId, SurfaceKindId> {
        let mut known = BTreeMap::new();
        let shapes = self.scene.shapes().iter();
        // Bodies whose mass may change are alike for now only.
        let inputs = self.scene.parameter_inputs();
        let changing: Vec<Element> = inputs.map(|own| own.element).collect();
        let kind_of = |shape: &crate::scene::Shape| {
            let element = Element::Body(shape.body);
            let own = changing.contains(&element).then_some(element);
            let numbers = [
                shape.contact_sphere_radius,
                shape.own_radius,
                shape.thickness,
                shape.flat_area,
                shape.form.round_radius().unwrap_or(0.0),
                self.bodies[shape.body].mass,
            ];
            let flags = [shape.flat, shape.form.is_ball()];
            (numbers.map(f64::to_bits), flags, shape.material, own)
        };
        let kinds = shapes.map(|shape| {
            let next = SurfaceKindId::from(known.len());
            *known.entry(kind_of(shape)).or_insert(next)
        });
        kinds.collect()
    }

    /// Law of the scene and classes of both shapes of a pair: pairs that share them have the same law with
    /// the same numbers, and the same effective mass, except that a user function gets the pair's index.
    pub fn kind_of_law(&self, pair: &Pair, law: LawId) -> LawKind {
        let kinds = pair.shapes.map(|shape| self.surface_kinds[shape]);
        (law, kinds, self.scene.is_area(pair))
    }

    /// Returns true if a law of the scene calls a user function.
    pub fn calls_user(&self, law: LawId) -> bool {
        let kinds = &self.laws[law].kinds;
        matches!(kinds.normal, NormalKind::User(_))
            || matches!(kinds.friction, FrictionKind::User(_))
    }

    /// Pairs of the scene by classes with one law and one effective mass, except that a user function gets
    /// the pair's index.
    pub fn pair_classes(&self) -> PairClasses<'_> {
        self.scene
            .pair_classes(&|shape| self.surface_kinds[shape].into())
    }

    pub(crate) fn routine_of(&self, pair: &Pair) -> PairRoutine {
        let [kind_1, kind_2] = self.scene.forms_of(pair.shapes).map(RoundedShape::kind);
        PairRoutine::of(kind_1, kind_2)
    }

    /// Law of a pair, by its index.
    pub fn law(&self, pair: PairId) -> PairLaw {
        self.law_of(&self.scene.pairs().get(pair))
    }

    /// Shape and material data of a pair that enter its law.
    pub fn surface_of(&self, pair: &Pair) -> PairSurface {
        let shapes = pair.shapes.map(|s| &self.scene.shapes()[s]);
        let materials = self.scene.laws()[self.scene.law_of(pair)].materials;
        let over_area = self.scene.is_area(pair);
        let rounds = shapes.map(|shape| shape.form.round_radius());
        PairSurface {
            youngs_moduli: materials.map(|m| self.materials[m].youngs_modulus),
            poissons_ratios: materials.map(|m| self.materials[m].poissons_ratio),
            contact_radii: shapes.map(|shape| shape.contact_sphere_radius),
            flat: shapes.map(|shape| shape.flat),
            spheres: shapes.map(|shape| shape.form.is_ball().then_some(shape.own_radius)),
            over_area,
            round: rounds.into_iter().flatten().next().filter(|_| over_area),
            thickness: shapes.map(|shape| shape.thickness),
            flat_area: shapes.map(|shape| shape.flat_area),
            effective_mass: self.effective_mass(shapes.map(|shape| shape.body)),
            gravity: match self.scene.gravity() {
                Gravity::Uniform(g) if g != [0.0; 3] => norm(&g.into()),
                _ => STANDARD_GRAVITY,
            },
        }
    }

    /// Law of a pair.
    pub fn law_of(&self, pair: &Pair) -> PairLaw {
        let shapes = pair.shapes.map(|s| &self.scene.shapes()[s]);
        let law = self.scene.law_of(pair);
        let surface = self.surface_of(pair);
        let rule = self.scene.contact().law.rule;
        let damping = self.dampings[law].clone();
        let mut bound = PairLaw::new(&self.laws[law], &surface, rule, self.contact.k_red, damping);
        // From the order of the materials of the law to that of the shapes.
        if let [one, two] = shapes.map(|shape| shape.material)
            && one > two
            && let Some(AreaPressure::Layers(layers)) = &mut bound.area
        {
            layers.swap(0, 1);
        }
        let [a, b] = pair.shapes;
        if bound.is_user()
            && let Some(number) = self.scene.pairs().index_of(a, b)
        {
            bound.bind_user(&self.user_laws[law], number);
        }
        bound
    }

    /// Effective mass m_1 m_2/(m_1 + m_2) of two bodies [kg]; without a mass a body counts as infinitely
    /// heavy, and two such bodies as [`MASS_UNKNOWN`].
    pub fn effective_mass(&self, bodies: [BodyId; 2]) -> f64 {
        let heavy = bodies.into_iter().filter(|b| self.bodies[*b].mass > 0.0);
        let inverse = heavy.map(|b| 1.0 / self.bodies[b].mass).sum::<f64>();
        match inverse > 0.0 {
            true => 1.0 / inverse,
            false => MASS_UNKNOWN,
        }
    }

    /// Bodies of a pair, by its index.
    pub fn pair_bodies(&self, pair: PairId) -> [BodyId; 2] {
        self.bodies_of(&self.scene.pairs().get(pair))
    }

    /// Bodies of a pair.
    pub fn bodies_of(&self, pair: &Pair) -> [BodyId; 2] {
        pair.shapes.map(|s| self.scene.shapes()[s].body)
    }
}

/// A parameter has a value that is not allowed.
fn refused(scene: &Scene, index: ParameterId, value: f64, allowed: &str) -> EvaluationError {
    EvaluationError::error(format!(
        "parameter {} is {value}; {allowed}",
        scene.parameter_name(index),
        value = Exact(value)
    ))
}

/// Checks the values of parameters one by one.
fn check_ranges(
    scene: &Scene,
    parameters: &Parameters,
    own: impl Iterator<Item = ParameterId>,
) -> Result<(), EvaluationError> {
    for index in own {
        let value = parameters.get(index);
        let range = scene.parameter_row(scene.parameters()[index]).range;
        if let Some(allowed) = range.violated(value) {
            return Err(refused(scene, index, value, &format!("must be {allowed}")));
        }
    }
    Ok(())
}

fn frames(scene: &Scene) -> Frames {
    let mut frames = Frames {
        of_shapes: TiVec::with_capacity(scene.shapes().len()),
        of_links: Vec::new(),
        of_others: Vec::new(),
        count: scene.bodies().len(),
    };
    for (index, shape) in scene.shapes().iter_enumerated() {
        if shape.pose_b == Pose::identity() {
            frames.of_shapes.push(shape.body.frame());
            continue;
        }
        frames.of_shapes.push(FrameId::from(frames.count));
        frames.count += 1;
        let body = &scene.bodies()[shape.body];
        if body.is_dynamic() {
            frames.of_links.push(index);
        } else if !body.is_fixed() {
            frames.of_others.push(index);
        }
    }
    frames
}

fn start_body(body: &crate::scene::Body) -> BodyModel {
    BodyModel {
        pose: body.given_pose(),
        mass: body.mass.mass,
        center_of_mass_b: body.mass.center_of_mass,
        centered: false,
        inertia_b: body.mass.inertia,
        inverse_inertia_b: Mat3::zeros(),
    }
}

// Prescribed forces and those that are inputs, with the numbers that are parameters.

/// The parameters of a force, and where its inputs are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AppliedForce {
    profile: ForceTimeProfile,
    /// Index of the first input of the force and of the torque, if these are inputs.
    inputs: [Option<InputId>; 2],
}

impl AppliedForce {
    /// Force and torque [N, N.m] at a time [s] with these inputs.
    pub(crate) fn at<T: Real>(&self, time: T, inputs: &TiSlice<InputId, T>) -> [Vec3<T>; 2] {
        let both =
            |vectors: &ForceVectors| [vectors.force, vectors.torque].map(Option::unwrap_or_default);
        match &self.profile {
            ForceTimeProfile::Constant(vectors) => both(vectors).map(|vector| vec3(&vector)),
            ForceTimeProfile::Sine {
                amplitude,
                angular_frequency: omega,
                phase,
            } => {
                let angle = omega * time.value() + phase;
                let factor = sin(angle);
                // A plain number has no derivative, and then no cosine is wanted.
                let slope = match time.is_constant() {
                    true => 0.0,
                    false => omega * sin_cos(angle).1,
                };
                let at = |v: f64| {
                    T::with_derivatives(v * factor, |lane| v * slope * time.derivative(lane))
                };
                both(amplitude).map(|vector| Vec3::from(vector.map(at)))
            }
            ForceTimeProfile::Table(curve) => {
                let slopes = match time.is_constant() {
                    true => [0.0; 6],
                    false => curve.derivative_at(1, time.value()),
                };
                let values = curve.at(time.value());
                [0, 3].map(|first| {
                    Vec3::from_fn(|i, _| {
                        let slope = slopes[first + i];
                        T::with_derivatives(values[first + i], |lane| slope * time.derivative(lane))
                    })
                })
            }
            ForceTimeProfile::Input { .. } => self.inputs.map(|first| match first {
                Some(first) => Vec3::from_fn(|i, _| inputs[first.plus(i)]),
                None => Vec3::zeros(),
            }),
        }
    }
}

pub(crate) fn start(scene: &Scene) -> TiVec<ForceId, AppliedForce> {
    let forces = scene.forces().iter_enumerated();
    let first_input = |wanted: Input| scene.inputs().position(|input| *input == wanted);
    let of = |(index, force): (ForceId, &Force)| AppliedForce {
        profile: force.profile.clone(),
        inputs: [Input::Force(index, 0), Input::Torque(index, 0)].map(first_input),
    };
    forces.map(of).collect()
}

/// Half-width of the hysteresis [m] or [rad], as for contacts between bodies.
const EPS: f64 = 1e-8;
/// Speed below which the restitution decreases [m/s] or [rad/s]: the usual value of material pairs.
pub(crate) const SMALL_SPEED: f64 = 0.01;

/// End stop bound to parameter values.
#[derive(Clone, Debug, PartialEq)]
pub struct StopModel {
    position: usize,
    rate: usize,
    /// Index among the forces of all joints.
    pub(crate) force: usize,
    place: f64,
    /// 1 for a lower stop, -1 for an upper one: the direction of its force.
    pub sign: f64,
    /// K [N/m] or [N.m/rad].
    pub elastic: PowerLaw,
    /// Force law in terms of depth [m] or [rad] and its rate.
    pub law: NormalLaw,
    /// Damping of that force.
    pub damping: DampingLaw,
}

impl StopModel {
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn stiffness(&self) -> f64 {
        self.elastic.stiffness
    }

    pub(crate) fn place(&self) -> f64 {
        self.place
    }

    fn gap<T: Real>(&self, states: &[T]) -> T {
        self.gap_at(states[self.position])
    }

    /// Returns true if the stop is in contact after an event update at these states.
    pub(crate) fn touches(&self, states: &[f64]) -> bool {
        self.gap(states) < -EPS
    }

    fn gap_at<T: Real>(&self, position: T) -> T {
        (position - self.place) * self.sign
    }

    pub(crate) fn depth_rate<T: Real>(&self, states: &[T]) -> T {
        states[self.rate] * -self.sign
    }

    /// Depth [m] or [rad], stiffness [N/m] or [N.m/rad] and damping [N.s/m] or [N.m.s/rad] of the contact.
    pub(crate) fn strain(&self, states: &[f64], contact: &StopContact) -> (f64, f64, f64) {
        let (depth, rate) = (self.depth(states), self.depth_rate(states));
        let (stiffness, damping) = self.law.slopes(depth, rate, contact.frozen);
        (depth, stiffness, damping)
    }

    pub(crate) fn depth<T: Real>(&self, states: &[T]) -> T {
        (-self.gap(states) - 2.0 * EPS).positive_part()
    }

    /// Event indicator at these states.
    pub fn indicator<T: Real>(&self, states: &[T], in_contact: bool) -> T {
        self.indicator_at(states[self.position], in_contact)
    }

    pub(crate) fn indicator_at<T: Real>(&self, position: T, in_contact: bool) -> T {
        match in_contact {
            true => self.gap_at(position),
            false => self.gap_at(position) + 2.0 * EPS,
        }
    }
}

impl StopModel {
    fn new(stop: &Stop, links: &Links, tables: &mut Tables) -> Option<Self> {
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
    }
}
