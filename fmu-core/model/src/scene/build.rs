//! The scene, made from a description: every invariant is checked here.

use crate::scene::area::{extents, has_flat};
use crate::scene::description::Solver;
use crate::scene::description::{
    ContactOptions, Drive, Form, Motion, SceneDescription, SceneItem, ShapeDescription,
};
use crate::scene::elements::{Body, ContactLaw, Shape, Stop};
use crate::scene::flaw::SceneError;
use crate::scene::forms::Grains;
use crate::scene::joint::Joint;
use crate::scene::layout::{Deflections, StateLayout};
use crate::scene::pairs::{Group, Pairs};
use crate::scene::{
    Scene, check, forces, forms, joint, lists, motions, outputs, pairing, parameters, tree,
};
use contact_geometry::math::{Pose, Vec3, quaternion, rotation_matrix};
use contact_geometry::shapes::{Kind, MassProperties};
use contact_laws::index::{BodyId, GroupId, MaterialId, PairId, ShapeId, TiVec};
use contact_laws::response::flaws::Flaw;
use std::collections::BTreeMap;

/// Event indicators a scene has at least, before their number is cut to the candidate pairs.
const LEAST_INDICATORS: usize = 100;
/// Event indicators per moving body. Equal balls have at most 6 contacts for each (each of the 12
/// neighbours shares one), balls of any sizes fewer than 7.47 (G. Kuperberg, O. Schramm, Average
/// kissing numbers for non-congruent sphere packings, Math. Res. Lett. 1, 1994).
const INDICATORS_PER_BODY: usize = 8;

impl Scene {
    /// Problems of single elements of a description in which some could not be read.
    pub fn problems_of_partial(description: &SceneDescription) -> Vec<SceneError> {
        check::problems(description, true)
    }

    /// Checks a description and builds the scene, or returns all its problems.
    pub fn new(description: SceneDescription) -> Result<Scene, Vec<SceneError>> {
        let mut errors = check::problems(&description, false);
        // What is built from parts is checked too, so that all problems are reported at once; parts
        // with problems of their own are left out, since more of them would only follow from those.
        let has_problem =
            |wanted: &dyn Fn(SceneItem) -> bool| errors.iter().any(|e| wanted(e.item));
        if has_problem(&|item| matches!(item, SceneItem::Material(_) | SceneItem::MaterialPair(_)))
        {
            return Err(errors);
        }
        // So much follows from each ball of a group that a bad one leaves no more to say.
        if has_problem(&|item| matches!(item, SceneItem::Grains(_))) {
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
        scene.set_grains(&description, &mut errors);
        scene.set_joints(&description, &mut errors);
        (scene.motions, scene.kinks) = motions::build(&description, &mut errors);
        scene.find_pairs(&description, &mut errors);
        if errors.is_empty() {
            scene.set_named_pairs(&description, &mut errors);
            scene.check_areas(&description, &mut errors);
            scene.check_meshes(&description, &mut errors);
            scene.set_reported(&description, &mut errors);
        }
        if errors.is_empty() {
            scene.settle_areas();
            let kinks;
            (scene.forces, kinks) = forces::build(&description, &mut errors);
            scene.kinks.extend(kinks);
            scene.set_latches(&description);
            scene.kinks.sort_unstable_by(f64::total_cmp);
            scene.kinks.dedup();
            if scene.asks_for_unknown_stiffness() {
                let finding = (
                    "multi_impact = \"compliant\" needs the stiffness of contacts with response = \"impulse\", and \
                     some law is a function of the user",
                    "choose multi_impact = \"propagate\" or \"together\"",
                );
                let (item, field) = (SceneItem::Contact, "multi_impact");
                errors.push(SceneError::new(&description, item, field, finding));
            }
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
        let has_meshes = scene.has_meshes();
        let turns = scene.laws.iter().any(|law| {
            law.choice.kinds.has_deflection() && (has_meshes || law.choice.may_cover_area())
        });
        scene.layout =
            std::mem::take(&mut scene.layout).with_deflections(scene.deflections(), turns);
        scene.parameters = parameters::list(&scene);
        scene.inputs = lists::inputs(&scene);
        errors.extend(lists::add_parameter_inputs(&mut scene, &description));
        scene.outputs = lists::outputs(&scene);
        errors.extend(lists::add_triggers(&mut scene, &description));
        if scene.experiment.solver == Solver::Dem {
            let flaws = scene.granular_flaws().into_iter();
            errors.extend(
                flaws.map(|(item, field, flaw)| SceneError::new(&description, item, field, flaw)),
            );
        }
        match errors.is_empty() {
            true => Ok(scene),
            false => Err(errors),
        }
    }

    /// A scene with what the description gives as it is; all that is built from that is empty.
    fn of_constants(description: &SceneDescription) -> Scene {
        Scene {
            name: description.name.clone(),
            gravity: description.gravity,
            bodies: TiVec::new(),
            grains: TiVec::new(),
            shapes: TiVec::new(),
            thresholds: Vec::new(),
            named_pairs: TiVec::new(),
            reported: TiVec::new(),
            sums: TiVec::new(),
            intersections: TiVec::new(),
            materials: TiVec::new(),
            laws: TiVec::new(),
            own_laws: Vec::new(),
            pairs: Pairs::default(),
            contact: description.contact,
            experiment: description.experiment,
            interface: description.interface,
            expose: description.expose.clone(),
            layout: StateLayout::new(
                free_of(description),
                description
                    .joints
                    .iter()
                    .map(|joint| [joint.kind.position_count(), joint.kind.rate_count()]),
                description.energy_balance,
            ),
            links: TiVec::new(),
            tree_order: Vec::new(),
            stops: TiVec::new(),
            latches: TiVec::new(),
            latch_triggers: Vec::new(),
            inputs: TiVec::new(),
            outputs: TiVec::new(),
            measurements: outputs::measurements(description),
            triggers: TiVec::new(),
            forces: TiVec::new(),
            motions: TiVec::new(),
            kinks: Vec::new(),
            parameters: TiVec::new(),
            slot_count: 0,
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
                Err((field, flaw))
                    if heavy || body.motion == Motion::Driven && body.mass.mass.is_some() =>
                {
                    let item = SceneItem::Body(index);
                    errors.push(SceneError::new(description, item, field, flaw));
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
                is_mass_given: body.mass.mass.is_some(),
                drive: body.drive,
                shape_count: body.shapes.len(),
            });
            let shapes = body.shapes.iter().enumerate();
            let touching = shapes.filter(|(_, shape)| shape.collision && !left_out[index]);
            for (place, shape) in touching {
                let material = self.material_index(description, shape);
                match collision_shapes(shape, BodyId::from(index), material, &description.contact) {
                    Ok(shapes) => self.shapes.extend(shapes),
                    Err(flaw) => {
                        let item = SceneItem::Shape(index, place);
                        errors.push(SceneError::new(description, item, shape.form.key(), flaw));
                    }
                }
            }
        }
    }

    /// Builds the balls of groups, each a free body with one shape.
    fn set_grains(&mut self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        for (index, group) in description.grains.iter().enumerate() {
            let first = self.bodies.next_key();
            let density = density_of(description, &group.material);
            let mut material = None;
            for (place, (position, diameter)) in
                group.positions.iter().zip(&group.diameters).enumerate()
            {
                let body = self.bodies.push_and_get_key(Body {
                    name: format!("{}[{}]", group.name, place + 1),
                    motion: Motion::Free,
                    position: Vec3::from(*position),
                    orientation: [1.0, 0.0, 0.0, 0.0],
                    velocity: Vec3::from(group.velocity),
                    angular_velocity: Vec3::zeros(),
                    mass: forms::mass_properties(
                        &Form::Sphere {
                            diameter: *diameter,
                        },
                        density,
                    ),
                    is_mass_given: true,
                    drive: Drive::default(),
                    shape_count: 1,
                });
                let shape = forms::shape(group, *diameter);
                let material =
                    *material.get_or_insert_with(|| self.material_index(description, &shape));
                match collision_shapes(&shape, body, material, &description.contact) {
                    Ok(shapes) => self.shapes.extend(shapes),
                    Err(flaw) => {
                        let item = SceneItem::Grains(index);
                        errors.push(SceneError::new(description, item, "diameter", flaw));
                        // The balls that follow keep the places of their states.
                    }
                }
            }
            self.grains.push(Grains {
                name: group.name.clone(),
                bodies: first..self.bodies.next_key(),
                states: 0..0,
                diameters: group.diameters.clone(),
                regions: group.regions.clone(),
            });
        }
        self.place_grains();
    }

    /// Builds the trees and lists their end stops.
    fn set_joints(&mut self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        let bad_joint = |error: &SceneError| matches!(error.item, SceneItem::Joint(_));
        if errors.iter().any(bad_joint) {
            return;
        }
        let joints;
        (joints, self.tree_order) = tree::build(description, errors);
        let free = self.bodies.iter_enumerated();
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
        self.links.extend(joints);
        let mut ends = TiVec::new();
        for (index, joint) in self.joints().iter_enumerated() {
            for (coordinate, forces) in joint.forces.iter().enumerate() {
                let Some(stops) = forces.stops else { continue };
                let sides = [(stops.lower, false), (stops.upper, true)];
                let given = sides.into_iter().filter(|(stop, _)| stop.is_some());
                ends.extend(given.map(|(_, is_upper)| Stop {
                    joint: index,
                    coordinate,
                    is_upper,
                }));
            }
        }
        self.stops = ends;
    }

    /// Latches, and when they open and close.
    fn set_latches(&mut self, description: &SceneDescription) {
        self.latches = joint::build(description, self.joints());
        let latches = self.latches.iter_enumerated();
        let triggered = latches.filter(|(_, latch)| latch.trigger.is_some());
        self.latch_triggers = triggered.map(|(index, _)| index).collect();
        let times = self.latches.iter().flat_map(|latch| &latch.schedule);
        self.kinks.extend(times.map(|(time, _)| *time));
    }

    /// Places the bodies of joints by the coordinates at start.
    fn place_children(&mut self) {
        for index in &self.tree_order {
            let joint = &self.links[self.layout.link_of_joint(*index)];
            let parent = joint.parent.map(|body| self.start_pose(body));
            let pose = joint.place_child(&parent.unwrap_or(Pose::identity()), &joint.positions);
            let child = &mut self.bodies[joint.child];
            child.position = pose.position;
            child.orientation = quaternion(&pose.rotation);
        }
    }

    /// What has a deflection as state, by its law of friction.
    fn deflections(&self) -> Deflections {
        let sticks = |law: &ContactLaw| law.choice.kinds.has_deflection();
        if !self.laws.iter().any(sticks) {
            return Deflections::None;
        }
        if !self.monitors_all_pairs() {
            return Deflections::OfSlots(self.slot_count);
        }
        let of_pair = |pair: PairId| &self.laws[self.law_of(&self.pairs.get(pair))];
        let pairs = self.pairs.ids().filter(|pair| sticks(of_pair(*pair)));
        Deflections::OfPairs(pairs.collect())
    }

    fn material_index(
        &mut self,
        description: &SceneDescription,
        shape: &ShapeDescription,
    ) -> MaterialId {
        let name = shape.contact_material.as_ref().unwrap_or(&shape.material);
        if let Some(index) = self.materials.position(|m| m.name == *name) {
            return index;
        }
        let found = description.materials.iter().filter(|m| m.name == *name);
        self.materials.extend(found.cloned());
        MaterialId::from(self.materials.len().saturating_sub(1))
    }

    /// Numbers the candidate pairs and finds the contact data of their materials, in the order in
    /// which pairs need them.
    fn find_pairs(&mut self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        let groups = self.groups(description);
        let excluded = self.excluded(description, &groups, errors);
        self.pairs = Pairs::new(groups, &excluded, self.materials.len());
        let mut found: BTreeMap<[MaterialId; 2], [ShapeId; 2]> = BTreeMap::new();
        for class in self.pair_classes(&|_| 0).iter() {
            let shapes = class.first().shapes;
            let [a, b] = shapes.map(|shape| self.shapes[shape].material);
            let first = found.entry([a.min(b), a.max(b)]).or_insert(shapes);
            *first = shapes.min(*first);
        }
        let mut in_order = BTreeMap::new();
        for (materials, shapes) in found {
            in_order.insert(shapes, materials);
        }
        for (shapes, materials) in in_order {
            match pairing::choice(description, self, materials) {
                Ok(choice) => {
                    errors.extend(pairing::modulus_error(
                        description,
                        self,
                        shapes,
                        &choice,
                        None,
                    ));
                    let law = self.laws.push_and_get_key(ContactLaw {
                        materials,
                        between: None,
                        choice,
                    });
                    self.pairs.set_material_pair(materials, law);
                }
                Err(flaw) => errors.push(pairing::error_at(description, self, shapes[1], flaw)),
            }
        }
    }

    /// The convex parts of each shape.
    fn groups(&self, description: &SceneDescription) -> TiVec<GroupId, Group> {
        let collision_groups = pairing::collision_groups(description);
        let rigid_groups = pairing::rigid_groups(&self.bodies, self.joints(), &self.tree_order);
        let mut groups: TiVec<GroupId, Group> = TiVec::new();
        for (index, shape) in self.shapes.iter_enumerated() {
            let part = shape.part.is_some_and(|part| part > 0);
            match groups.last_mut() {
                Some(group) if part => group.shapes.end = index.plus(1),
                _ => groups.push(Group {
                    shapes: index..index.plus(1),
                    body: shape.body,
                    rigid_group: rigid_groups[shape.body],
                    collision_group: collision_groups.get(shape.body).copied().flatten(),
                    material: shape.material,
                }),
            }
        }
        groups
    }
}

/// The shapes of a form, in contact.
fn collision_shapes(
    shape: &ShapeDescription,
    body: BodyId,
    material: MaterialId,
    contact: &ContactOptions,
) -> Result<Vec<Shape>, String> {
    let smoothing = shape.smoothing_radius.unwrap_or(contact.smoothing_radius);
    let (contact_sphere_radius, flat) = forms::contact_sphere(&shape.form);
    let pose_b = shape_pose(shape);
    let parts = forms::touching_shapes(&shape.form, smoothing)?;
    let sharp_parts = match parts.iter().any(|(form, _)| form.radius > 0.0) {
        true => forms::touching_shapes(&shape.form, 0.0)?,
        false => parts.clone(),
    };
    let part_count = parts.len();
    let made = parts.into_iter().zip(sharp_parts).enumerate().map(
        |(part, ((mut form, pose), (mut sharp, _)))| {
            let own_radius = form.radius;
            let (thickness, flat_area) = extents(&sharp);
            form.radius += shape.shell;
            sharp.radius += shape.shell;
            let is_rounded = has_flat(form.kind()) && own_radius > 0.0;
            let is_facet = contact.law.flat_meshes
                && matches!(form.kind(), Kind::Hull | Kind::Box | Kind::Beam);
            Shape {
                name: shape.name.clone(),
                body,
                part: (part_count > 1).then_some(part),
                bounding_form: form.clone(),
                form,
                sharp: is_rounded.then_some(sharp),
                thickness,
                flat_area,
                own_radius,
                shell: shape.shell,
                pose_b: pose_b.then(&pose),
                material,
                contact_sphere_radius: shape.contact_sphere_radius.unwrap_or(contact_sphere_radius),
                flat: shape.flat.unwrap_or(flat || is_facet),
            }
        },
    );
    Ok(made.collect())
}

/// For each body, those of groups too, whether it is free.
fn free_of(description: &SceneDescription) -> impl Iterator<Item = bool> {
    let bodies = description.bodies.iter();
    let balls: usize = description.grains.iter().map(|g| g.positions.len()).sum();
    bodies
        .map(|body| body.motion == Motion::Free)
        .chain(std::iter::repeat_n(true, balls))
}

/// Density of a material [kg/m3]; 0 of one that is not known.
fn density_of(description: &SceneDescription, material: &str) -> f64 {
    let mut materials = description.materials.iter();
    let found = materials.find(|known| known.name == material);
    found.map_or(0.0, |material| material.density)
}

fn shape_pose(shape: &ShapeDescription) -> Pose {
    Pose {
        position: Vec3::from(shape.position),
        rotation: rotation_matrix(&shape.orientation),
    }
}

/// Mass properties of a body: those of its shapes, replaced by what is given.
fn mass_properties(description: &SceneDescription, index: usize) -> Result<MassProperties, Flaw> {
    let body = &description.bodies[index];
    let mut computed = MassProperties::zero();
    for shape in &body.shapes {
        let density = density_of(description, &shape.material);
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
        // How far it may turn is the importer's.
        None if body.motion == Motion::Driven && given.mass.is_some() => nalgebra::Matrix3::zeros(),
        None => {
            computed.inertia
                * (if computed.mass > 0.0 {
                    mass / computed.mass
                } else {
                    0.0
                })
        }
    };
    check::mass(
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
