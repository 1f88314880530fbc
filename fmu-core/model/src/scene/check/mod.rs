//! The checks behind [`Scene::new`]: each problem names its item, the field, what was found and
//! what is allowed. All problems of a description are collected.
//!
//! - `checker`: the common part of all checks
//! - `force`: prescribed forces
//! - `form`: sizes of forms and their parts
//! - `joint`: numbers of joints

mod checker;
mod force;
mod form;
mod joint;

use crate::scene::description::body::{BODY, SHAPE};
use crate::scene::description::contact::{CONTACT, MATERIAL, OVERLAP, PAIR, SPARSIFICATION};
use crate::scene::description::world::EXPERIMENT;
use crate::scene::description::{
    Gravity, Motion, PairResponse, Report, SceneDescription, SceneItem, ShapeName,
};
use crate::scene::flaw::{SceneError, unknown};
use crate::scene::pairing;
use checker::Checker;
use contact_geometry::math::Exact;
use contact_geometry::shapes::MassProperties;
use contact_geometry::shapes::mass::{carried_inertia_flaw, inertia_flaw};
use contact_laws::quantity::{Range, checks};
use contact_laws::response::choice::ContactRule;
use contact_laws::response::flaws::Flaw;
use contact_laws::response::{LawChanges, LawChoice, LawKinds};

/// What is said of what moves and weighs nothing.
const NO_MASS: (&str, &str) = (
    "has no mass",
    "give mass and inertia, or a shape of a material with density > 0",
);

/// All problems of a description but those that show when it is built. Of a partial one only those of single
/// elements: how they fit together is open where some could not be read.
pub(super) fn problems(description: &SceneDescription, is_partial: bool) -> Vec<SceneError> {
    let mut checker = Checker::new(description, is_partial);
    checker.check_all();
    checker.finish()
}

impl Checker<'_> {
    fn check_all(&mut self) {
        self.world();
        self.contact();
        (0..self.scene.materials.len()).for_each(|index| self.material(index));
        self.libraries();
        (0..self.scene.material_pairs.len()).for_each(|index| self.material_pair(index));
        (0..self.scene.bodies.len()).for_each(|index| self.body(index));
        (0..self.scene.grains.len()).for_each(|index| self.grains(index));
        (0..self.scene.pairs.len()).for_each(|index| self.pair(index));
        (0..self.scene.joints.len()).for_each(|index| self.joint(index));
        (0..self.scene.latches.len()).for_each(|index| self.latch(index));
        (0..self.scene.forces.len()).for_each(|index| self.force(index));
        (0..self.scene.motions.len()).for_each(|index| self.prescribed_motion(index));
        (0..self.scene.measurements.len()).for_each(|index| self.measurement(index));
        (0..self.scene.triggers.len()).for_each(|index| self.trigger(index));
    }

    fn world(&mut self) {
        let item = SceneItem::Scene;
        self.identifier(item, &self.scene.name);
        match self.scene.gravity {
            Gravity::None => {}
            Gravity::Uniform(g) => self.vector(item, "gravity", &g),
            Gravity::Point { mu, center } => {
                self.number(item, "gravity", mu, "m3/s2", Range::NOT_NEGATIVE);
                self.vector(item, "gravity", &center);
            }
        }
        let time = self.scene.experiment;
        self.rows(item, const { &checks(&EXPERIMENT) }, &time);
        let (start, stop) = (time.start_time, time.stop_time);
        if stop.is_finite() && stop <= start {
            let allowed = format!("> start_time = {} s", Exact(start));
            self.out_of_range(item, "stop_time", "stop_time", stop, "s", allowed);
        }
        if self.scene.bodies.is_empty() {
            self.fail(
                item,
                "body",
                ("there is no body", "add at least one [[body]]"),
            );
        }
    }

    fn contact(&mut self) {
        let (item, contact) = (SceneItem::Contact, self.scene.contact);
        self.rows(item, const { &checks(&CONTACT) }, &contact);
        if let ContactRule::Hysteresis { z_eps, .. } = contact.law.rule {
            self.number(item, "z_eps", z_eps, "m", Range::POSITIVE);
        }
        self.rows(item, const { &checks(&OVERLAP) }, &contact);
        if let Some(rules) = contact.sparsification {
            self.rows(item, const { &checks(&SPARSIFICATION) }, &rules);
        }
        if self.is_partial {
            return;
        }
        if self.scene.overlap == Report::default() {
            for (field, given) in [
                ("overlap_epsilon", contact.overlap_epsilon.is_some()),
                ("sparsification", contact.sparsification.is_some()),
            ] {
                if given {
                    let message = format!("{field} has a meaning only with overlap");
                    let help = "remove it, or name pairs there: overlap = \"all\"";
                    self.fail(item, field, (message, help));
                }
            }
        }
        for names in &self.scene.excluded {
            self.names(item, "exclude", names);
        }
        for (field, report) in [
            ("report", &self.scene.report),
            ("overlap", &self.scene.overlap),
        ] {
            if let Report::Pairs(pairs) = report {
                for names in pairs {
                    self.names(item, field, names);
                }
            }
        }
    }

    /// An entry of a list of pairs in the contact options.
    fn names(&mut self, item: SceneItem, field: &'static str, names: &[ShapeName; 2]) {
        if let Some(flaw) = pairing::flaw(self.scene, names) {
            self.fail(item, field, flaw.of(&format!("{field}: ")));
        }
    }

    fn material(&mut self, index: usize) {
        let (item, list) = (SceneItem::Material, &self.scene.materials);
        self.name(index, list, item, |m| &m.name, "another material");
        self.rows(item(index), const { &checks(&MATERIAL) }, &list[index]);
    }

    /// The law of two materials, complete and with nothing that has no meaning.
    fn law_of_materials(&mut self, item: SceneItem, changes: &LawChanges) {
        let of_scene = LawKinds::of_scene(&self.scene.contact.law);
        let kinds = of_scene.changed(changes);
        let mut flaws = changes.flaws(&kinds);
        if flaws.is_empty() {
            match LawChoice::of_pair(&of_scene, changes) {
                Ok(choice) => flaws = choice.flaws_of(changes),
                Err(missing) => flaws.push(("", kinds.lack(&missing))),
            }
        }
        for (field, flaw) in flaws {
            self.fail(item, field, flaw);
        }
    }

    fn material_pair(&mut self, index: usize) {
        let (item, pair) = (
            SceneItem::MaterialPair(index),
            &self.scene.material_pairs[index],
        );
        let same = |other: &[String; 2]| {
            let [a, b] = &pair.materials;
            (a, b) == (&other[0], &other[1]) || (b, a) == (&other[0], &other[1])
        };
        if self.scene.material_pairs[..index]
            .iter()
            .any(|p| same(&p.materials))
        {
            self.fail(item, "materials", "this pair is given twice");
        }
        if self.is_partial {
            return;
        }
        for name in &pair.materials {
            self.material_name(item, "materials", "material", name);
        }
        if let PairResponse::Law(changes) = &pair.response {
            self.user_law(item, changes);
            self.law_of_materials(item, changes);
        }
    }

    fn pair(&mut self, index: usize) {
        let (item, pair) = (SceneItem::Pair(index), &self.scene.pairs[index]);
        if pair.response == Some(PairResponse::None) {
            for (field, given) in [
                ("threshold", pair.threshold.is_some()),
                ("warn_below", pair.warn_below.is_some()),
                ("distance", pair.distance),
            ] {
                if given {
                    let message = format!("{field} has no meaning with law = \"none\"");
                    self.fail(item, field, (message, "remove one of the two"));
                }
            }
        }
        self.rows(item, const { &checks(&PAIR) }, pair);
        if self.is_partial {
            return;
        }
        if let Some(flaw) = pairing::flaw(self.scene, &pair.between) {
            self.fail(item, "between", flaw);
        }
        let same = |other: &[ShapeName; 2]| {
            let [a, b] = &pair.between;
            *other == pair.between || (&other[0], &other[1]) == (b, a)
        };
        let mut before = self.scene.pairs[..index].iter();
        let twice = before.position(|other| other.distance && same(&other.between));
        if let (true, Some(first)) = (pair.distance, twice) {
            let message = format!("distance is an output of pair number {} already", first + 1);
            let finding = (message, "keep one of the two");
            let error = SceneError::new(self.scene, item, "distance", finding);
            self.errors.push(error.after(SceneItem::Pair(first)));
        }
        if let Some(PairResponse::Law(changes)) = &pair.response {
            self.user_law(item, changes);
        }
    }

    fn body(&mut self, index: usize) {
        let (item, body) = (SceneItem::Body(index), &self.scene.bodies[index]);
        let list = &self.scene.bodies;
        self.name(index, list, SceneItem::Body, |b| &b.name, "another body");
        self.rows(item, const { &checks(&BODY) }, body);
        self.quaternion(item, "orientation", &body.orientation);
        if let Some(inertia) = body.mass.inertia {
            self.vector(item, "inertia", &inertia);
        }
        for shape in 0..body.shapes.len() {
            self.shape(index, shape);
        }
        if !self.is_partial {
            self.has_motion(index);
            self.follows_from_motion(index);
        }
    }

    /// What a body is given fits how it moves.
    fn follows_from_motion(&mut self, index: usize) {
        let (item, body) = (SceneItem::Body(index), &self.scene.bodies[index]);
        if body.motion == Motion::Fixed {
            for (field, value) in [
                ("velocity", body.velocity),
                ("angular_velocity", body.angular_velocity),
            ] {
                if value.iter().any(|v| *v != 0.0) {
                    let message = format!("{field} is {value:?}; a fixed body does not move");
                    self.fail(item, field, message);
                }
            }
        }
        if matches!(body.motion, Motion::Joint | Motion::Prescribed) {
            let from = match body.motion {
                Motion::Joint => "its joint, which has the coordinates at start",
                _ => "its motion",
            };
            let mut given: Vec<(&'static str, bool)> = vec![
                ("velocity", body.velocity != [0.0; 3]),
                ("angular_velocity", body.angular_velocity != [0.0; 3]),
            ];
            if body.motion == Motion::Joint {
                given.push(("position", body.position != [0.0; 3]));
                given.push(("orientation", body.orientation != [1.0, 0.0, 0.0, 0.0]));
            }
            for (field, _) in given.into_iter().filter(|(_, given)| *given) {
                let message = format!("{field} is given, but follows from {from}");
                self.fail(item, field, (message, format!("remove {field}")));
            }
        }
    }

    fn shape(&mut self, body: usize, index: usize) {
        let shapes = &self.scene.bodies[body].shapes;
        let of_body = |index| SceneItem::Shape(body, index);
        let (item, shape) = (of_body(index), &shapes[index]);
        self.name(
            index,
            shapes,
            of_body,
            |s| &s.name,
            "another shape of the body",
        );
        self.rows(item, const { &checks(&SHAPE) }, shape);
        self.quaternion(item, "orientation", &shape.orientation);
        self.form(item, &shape.form);
        self.material_name(item, "material", "material", &shape.material);
        if let Some(name) = &shape.contact_material {
            self.material_name(item, "contact_material", "contact_material", name);
        }
    }

    /// A name of a material that must be there.
    pub(super) fn material_name(
        &mut self,
        item: SceneItem,
        field: &'static str,
        what: &str,
        name: &str,
    ) {
        let materials = &self.scene.materials;
        if !self.is_partial && materials.iter().all(|m| m.name != name) {
            let known = materials.iter().map(|m| m.name.as_str());
            self.fail(item, field, unknown(what, name, known));
        }
    }
}

/// Mass properties that a body can have, or why not. One that hangs on a joint may be a point mass, and
/// so may a driven one whose inertia is not given.
pub(super) fn mass(
    scene: &SceneDescription,
    index: usize,
    properties: MassProperties,
) -> Result<MassProperties, Flaw> {
    if properties.mass <= 0.0 {
        return Err(("", NO_MASS.into()));
    }
    let m = &properties.inertia;
    if !(properties.mass.is_finite() && m.iter().all(|entry| entry.is_finite())) {
        let mass = properties.mass;
        let message = format!("mass is {mass} kg and inertia not a finite number");
        return Err(("", (message, "make its shapes smaller or lighter").into()));
    }
    let center: [f64; 3] = properties.center_of_mass.into();
    if center.iter().any(|c| !c.is_finite()) {
        let message = format!("centre of mass is {center:?} m, not finite numbers");
        let help = "make its shapes smaller or lighter, or give center_of_mass";
        return Err(("center_of_mass", (message, help).into()));
    }
    let body = &scene.bodies[index];
    let stays = body.motion == Motion::Driven && body.mass.inertia.is_none();
    let flaw = if body.motion == Motion::Joint || stays {
        carried_inertia_flaw(m)
    } else if m.amax() == 0.0 {
        let help = "give inertia [kg.m2] about the centre of mass";
        return Err(("inertia", ("has mass but no inertia", help).into()));
    } else {
        inertia_flaw(m)
    };
    flaw.map_or(Ok(properties), |flaw| Err(("inertia", flaw.into())))
}
