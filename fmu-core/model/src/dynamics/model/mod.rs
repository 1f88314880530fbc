//! A scene bound to parameter values: everything an evaluation reads and nothing it writes.
//!
//! - [`driven`]: bodies whose pose and velocities are inputs
//! - [`prescribed`]: bodies that move over time as the scene says
//! - [`applied`]: prescribed forces and those that are inputs
//! - [`stops`]: end stops of joints

pub mod applied;
pub mod driven;
pub mod prescribed;
pub mod stops;

pub use applied::AppliedForce;
pub use driven::DrivenBody;
pub use prescribed::PrescribedBody;
pub use stops::StopModel;

use crate::dynamics::link::Links;
use crate::hybrid::EvaluationError;
use crate::scene::description::Gravity;
use crate::scene::pair_classes::PairClasses;
use crate::scene::parameter::INERTIA_ENTRIES;
use crate::scene::{
    Force, JointItem, Pair, Parameter, Parameters, PrescribedMotion, Scene, UserFunctions,
};
use contact_geometry::math::{Exact, Mat3, Pose, Vec3, norm, rotation_matrix};
use contact_geometry::narrow_phase::PairRoutine;
use contact_geometry::shapes::RoundedShape;
use contact_geometry::shapes::mass::{carried_inertia_flaw, inertia_flaw};
use contact_laws::index::{
    BodyId, DrivenId, ForceId, FrameId, LawId, MaterialId, MotionId, PairId, ShapeId, StopId,
    SurfaceKindId, TiSlice, TiVec, ti_vec,
};
use contact_laws::response::damping::DampingLaw;
use contact_laws::response::inferred::Tables;
use contact_laws::response::law::PairSurface;
use contact_laws::response::options::{FrictionKind, NormalKind};
use contact_laws::response::stick::STANDARD_GRAVITY;
use contact_laws::response::user::UserLaw;
use contact_laws::response::{LawChoice, PairLaw};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Effective mass of two bodies of which the scene knows no mass [kg]: nominal values, defaults of
/// friction and the damping between bodies that no force moves follow from it.
pub const MASS_UNKNOWN: f64 = 1.0;

/// Numbers of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModel {
    /// Pose of a fixed body in the world; of others at start.
    pub pose: Pose,
    /// Mass [kg]; zero for a fixed body.
    pub mass: f64,
    /// Centre of mass, body frame [m].
    pub center_of_mass_b: Vec3,
    /// Whether the centre of mass is the origin: much of the equations of motion is zero then.
    pub centered: bool,
    /// Inertia tensor about the centre of mass, body axes [kg.m2].
    pub inertia_b: Mat3,
    /// Its inverse [1/(kg.m2)]; zero for a body that hangs on a joint, which may have none.
    pub inverse_inertia_b: Mat3,
}

/// Where the frames of bodies and shapes are kept: first one for each body, in scene order, then
/// one for each shape whose frame is not that of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// Frame of each shape.
    pub of_shapes: TiVec<ShapeId, FrameId>,
    /// Shapes of links whose frames are not those of their bodies.
    pub of_links: Vec<ShapeId>,
    /// The same of driven and prescribed bodies.
    pub of_others: Vec<ShapeId>,
    /// Number of frames.
    pub count: usize,
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
    /// End stops of joints, in the order of the scene's.
    pub stops: TiVec<StopId, StopModel>,
    /// Prescribed bodies, in the order of the scene's motions.
    pub prescribed: TiVec<MotionId, PrescribedBody>,
    /// Frames of bodies and shapes.
    pub frames: Frames,
    /// Prescribed forces and those of inputs, in the order of the scene's.
    pub applied: TiVec<ForceId, AppliedForce>,
    /// Whether the dissipated work is a state.
    pub energy_balance: bool,
    /// Whether anything but the time itself depends on time; a matter of the structure alone.
    pub depends_on_time: bool,
    /// Whether velocities may jump where contacts start.
    pub has_impulses: bool,
    /// Laws of contact, in the order of [`Scene::laws`].
    pub laws: TiVec<LawId, LawChoice>,
    /// Functions of the user, loaded or not.
    pub functions: Arc<UserFunctions>,
    /// Those that the normal force and the friction of each law are.
    user_laws: TiVec<LawId, [Option<Arc<UserLaw>>; 2]>,
    /// Young's modulus [Pa] and Poisson's ratio [1] of each material.
    elastic: TiVec<MaterialId, (f64, f64)>,
    /// Damping of each law.
    dampings: TiVec<LawId, DampingLaw>,
    /// Tables of those that are inferred, of the stops' too.
    tables: Tables,
    /// For each shape a number that shapes share which have the same law in contact with a third
    /// one.
    pub surface_kinds: TiVec<ShapeId, SurfaceKindId>,
    k_red: f64,
    d_max: f64,
}

/// What pairs share that have one law: law of the scene, kinds of both shapes, and whether they
/// touch over an area.
pub type LawKind = (LawId, [SurfaceKindId; 2], bool);

impl Model {
    /// Binds parameter values; [`start::bind`](crate::dynamics::start::bind) checks the start too.
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

    /// Binds other values to the same scene; tables that still hold are kept.
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
            prescribed: prescribed::start(scene),
            frames,
            energy_balance: scene.layout().work().is_some(),
            depends_on_time: scene.calls_user_functions()
                || scene.forces().iter().any(Force::depends_on_time)
                || scene
                    .motions()
                    .iter()
                    .any(PrescribedMotion::depends_on_time),
            applied: applied::start(scene),
            has_impulses: scene.has_impulses(),
            laws: scene.laws().iter().map(|law| law.choice).collect(),
            functions: Arc::clone(functions),
            user_laws: TiVec::new(),
            elastic: ti_vec![(0.0, 0.0); scene.materials().len()],
            dampings: TiVec::new(),
            tables: Tables::default(),
            surface_kinds: TiVec::new(),
            k_red: 0.0,
            d_max: scene.contact().law.d_max,
        };
        let mut orientations: TiVec<BodyId, [f64; 4]> =
            scene.bodies().iter().map(|body| body.orientation).collect();
        for (index, parameter) in scene.parameters().iter_enumerated() {
            let value = parameters.get(index);
            let range = scene.parameter_row(*parameter).range;
            if let Some(allowed) = range.violated(value) {
                return Err(EvaluationError::error(format!(
                    "parameter {} is {value}; must be {allowed}",
                    scene.parameter_name(index),
                    value = Exact(value)
                )));
            }
            model.set(*parameter, value, &mut orientations);
        }
        model.check_laws()?;
        model.check_stops()?;
        model.stops = stops::bind(scene, &model.links, &mut tables);
        // Nothing is inferred from a mass that the importer alone knows, and one damping holds for
        // the contacts of a scene.
        let is_frozen = scene.body_of_unknown_mass().is_some();
        let damping = |law| {
            let damping = DampingLaw::new(law, model.d_max, &mut tables);
            if is_frozen {
                damping.latched()
            } else {
                damping
            }
        };
        model.dampings = model.laws.iter().map(damping).collect();
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

    /// Sets a number; fixed orientations are kept until their norm is checked.
    fn set(
        &mut self,
        parameter: Parameter,
        value: f64,
        orientations: &mut TiSlice<BodyId, [f64; 4]>,
    ) {
        match parameter {
            Parameter::Gravity(i) => {
                if let Gravity::Uniform(g) = &mut self.gravity {
                    g[i] = value;
                }
            }
            Parameter::GravitationalParameter => {
                if let Gravity::Point { mu, .. } = &mut self.gravity {
                    *mu = value;
                }
            }
            Parameter::GravityCenter(i) => {
                if let Gravity::Point { center, .. } = &mut self.gravity {
                    center[i] = value;
                }
            }
            Parameter::FixedPosition(b, i) => self.bodies[b].pose.position[i] = value,
            Parameter::FixedOrientation(b, i) => orientations[b][i] = value,
            Parameter::Mass(b) => self.bodies[b].mass = value,
            Parameter::CenterOfMass(b, i) => self.bodies[b].center_of_mass_b[i] = value,
            Parameter::Inertia(b, i) => {
                let (row, column) = INERTIA_ENTRIES[i];
                self.bodies[b].inertia_b[(row, column)] = value;
                self.bodies[b].inertia_b[(column, row)] = value;
            }
            Parameter::YoungsModulus(m) => self.elastic[m].0 = value,
            Parameter::PoissonsRatio(m) => self.elastic[m].1 = value,
            Parameter::Law(l, number) => self.laws[l].set(number, value),
            Parameter::KRed => self.k_red = value,
            Parameter::DMax => self.d_max = value,
            // Of the solver, not of the model.
            Parameter::MaxSteps | Parameter::MaxStep | Parameter::Solver => {}
            Parameter::Force(f, i) => self.applied[f].force[i] = value,
            Parameter::Torque(f, i) => self.applied[f].torque[i] = value,
            Parameter::ForceFrequency(f) => self.applied[f].angular_frequency = value,
            Parameter::ForcePhase(f) => self.applied[f].phase = value,
            Parameter::Joint(j, c, item) => {
                let link = self.links.of_joints[j];
                self.links.all[link].set(c, item, value);
            }
            Parameter::Motion(m, item, i) => self.prescribed[m].numbers.set(item, i, value),
        }
    }

    /// Refuses numbers of a law that are good each by itself but not together.
    fn check_laws(&self) -> Result<(), EvaluationError> {
        let refused = |parameter: Parameter, value: f64, allowed: &str| {
            let index = self.scene.parameter_index(parameter);
            let name = index.map_or(String::new(), |i| self.scene.parameter_name(i));
            EvaluationError::error(format!(
                "parameter {name} is {value}; {allowed}",
                value = Exact(value)
            ))
        };
        for ((index, law), choice) in self.scene.laws().iter_enumerated().zip(&self.laws) {
            if let Some((number, text)) = choice.flaw() {
                let parameter = Parameter::Law(index, number);
                return Err(refused(parameter, choice.number(number), &text));
            }
            for m in law.materials {
                let (youngs_modulus, poissons_ratio) = self.elastic[m];
                let Some((field, allowed)) = choice.modulus_flaw(youngs_modulus, poissons_ratio)
                else {
                    continue;
                };
                let (parameter, value) = match field {
                    "poissons_ratio" => (Parameter::PoissonsRatio(m), poissons_ratio),
                    _ => (Parameter::YoungsModulus(m), youngs_modulus),
                };
                let text = format!("must be {allowed} for law = {:?}", choice.law_word());
                return Err(refused(parameter, value, &text));
            }
        }
        Ok(())
    }

    /// Refuses stops that leave nothing between them.
    fn check_stops(&self) -> Result<(), EvaluationError> {
        for (j, link) in self.links.of_joints.iter_enumerated() {
            for (c, forces) in self.links.all[*link].forces.iter().enumerate() {
                let stops = forces.stops.map(|stops| (stops.lower, stops.upper));
                if let Some((Some(lower), Some(upper))) = stops
                    && lower >= upper
                {
                    let name = |item| {
                        let index = self.scene.parameter_index(Parameter::Joint(j, c, item));
                        index.map_or(String::new(), |i| self.scene.parameter_name(i))
                    };
                    return Err(EvaluationError::error(format!(
                        "parameter {} is {lower} and {} is {upper}; the upper stop must be above the lower one",
                        name(JointItem::LowerStop),
                        name(JointItem::UpperStop),
                        lower = Exact(lower),
                        upper = Exact(upper)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Computes what follows from the values: fixed poses, where the mass is, inverse inertias.
    fn derive(&mut self, orientations: &TiSlice<BodyId, [f64; 4]>) -> Result<(), EvaluationError> {
        for ((body, q), known) in self
            .bodies
            .iter_mut()
            .zip(orientations)
            .zip(self.scene.bodies())
        {
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
            if !known.is_dynamic() {
                continue;
            }
            body.centered = body.center_of_mass_b == Vec3::zeros();
            let flaw = |reason: String| {
                EvaluationError::error(format!("parameter {}.inertia: {reason}", known.name))
            };
            if !known.is_free() {
                match carried_inertia_flaw(&body.inertia_b) {
                    Some(reason) => return Err(flaw(reason)),
                    None => continue,
                }
            }
            if let Some(reason) = inertia_flaw(&body.inertia_b) {
                return Err(flaw(reason));
            }
            // A Cholesky factor exists exactly for a positive definite tensor.
            let Some(factor) = body.inertia_b.cholesky() else {
                return Err(flaw("is not positive definite to rounding".into()));
            };
            body.inverse_inertia_b = factor.inverse();
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

    /// Numbers the shapes by what [`Self::law_of`] takes from them.
    fn surface_kinds(&self) -> TiVec<ShapeId, SurfaceKindId> {
        let mut known = BTreeMap::new();
        let shapes = self.scene.shapes().iter();
        let kind_of = |shape: &crate::scene::Shape| {
            let numbers = [
                shape.contact_sphere_radius,
                shape.own_radius,
                shape.thickness,
                shape.flat_area,
                self.bodies[shape.body].mass,
            ];
            let flags = [shape.flat, shape.form.is_ball()];
            (numbers.map(f64::to_bits), flags, shape.material)
        };
        let kinds = shapes.map(|shape| {
            let next = SurfaceKindId::from(known.len());
            *known.entry(kind_of(shape)).or_insert(next)
        });
        kinds.collect()
    }

    /// Law of the scene and kinds of both shapes of a pair: pairs that share them have the same law
    /// with the same numbers, and the same effective mass, save that a function of the user is told
    /// which pair it is.
    pub fn kind_of_law(&self, pair: &Pair, law: LawId) -> LawKind {
        let kinds = pair.shapes.map(|shape| self.surface_kinds[shape]);
        (law, kinds, self.scene.is_area(pair))
    }

    /// Returns true if a law of the scene calls a function of the user.
    pub fn calls_user(&self, law: LawId) -> bool {
        let kinds = &self.laws[law].kinds;
        matches!(kinds.normal, NormalKind::User(_))
            || matches!(kinds.friction, FrictionKind::User(_))
    }

    /// The pairs of the scene by classes with one law and one effective mass, save that a function of
    /// the user is told which pair it is.
    pub fn pair_classes(&self) -> PairClasses<'_> {
        self.scene
            .pair_classes(&|shape| self.surface_kinds[shape].into())
    }

    /// Routine that finds the nearest points of a pair.
    pub fn routine_of(&self, pair: &Pair) -> PairRoutine {
        let [kind_1, kind_2] = self.scene.forms_of(pair.shapes).map(RoundedShape::kind);
        PairRoutine::of(kind_1, kind_2)
    }

    /// Law of a pair, by its number.
    pub fn law(&self, pair: PairId) -> PairLaw {
        self.law_of(&self.scene.pairs().get(pair))
    }

    /// What shapes and materials of a pair contribute to its law.
    pub fn surface_of(&self, pair: &Pair) -> PairSurface {
        let shapes = pair.shapes.map(|s| &self.scene.shapes()[s]);
        let materials = self.scene.laws()[self.scene.law_of(pair)].materials;
        PairSurface {
            youngs_moduli: materials.map(|m| self.elastic[m].0),
            poissons_ratios: materials.map(|m| self.elastic[m].1),
            contact_radii: shapes.map(|shape| shape.contact_sphere_radius),
            flat: shapes.map(|shape| shape.flat),
            spheres: shapes.map(|shape| shape.form.is_ball().then_some(shape.own_radius)),
            over_area: self.scene.is_area(pair),
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
        let mut bound = PairLaw::new(&self.laws[law], &surface, rule, self.k_red, damping);
        // From the order of the materials of the law to that of the shapes.
        if let [one, two] = shapes.map(|shape| shape.material)
            && one > two
            && let Some(layers) = &mut bound.area
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

    /// Effective mass m_1 m_2/(m_1 + m_2) of two bodies [kg]; those without a mass are infinitely
    /// heavy. Two of these, say a driven body and a fixed one, count as [`MASS_UNKNOWN`].
    pub fn effective_mass(&self, bodies: [BodyId; 2]) -> f64 {
        let heavy = bodies.into_iter().filter(|b| self.bodies[*b].mass > 0.0);
        let inverse = heavy.map(|b| 1.0 / self.bodies[b].mass).sum::<f64>();
        match inverse > 0.0 {
            true => 1.0 / inverse,
            false => MASS_UNKNOWN,
        }
    }

    /// Bodies of a pair, by its number.
    pub fn pair_bodies(&self, pair: PairId) -> [BodyId; 2] {
        self.bodies_of(&self.scene.pairs().get(pair))
    }

    /// Bodies of a pair.
    pub fn bodies_of(&self, pair: &Pair) -> [BodyId; 2] {
        pair.shapes.map(|s| self.scene.shapes()[s].body)
    }
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
