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
use crate::scene::flaw::{Rule, SceneError, SceneFlaw};
use crate::scene::pairing;
use checker::{Checker, material_names};
use contact_geometry::math::Exact;
use contact_geometry::shapes::MassProperties;
use contact_geometry::shapes::mass::{carried_inertia_flaw, inertia_flaw};
use contact_laws::quantity::{Range, checks};
use contact_laws::response::choice::ContactRule;
use contact_laws::response::flaws::LawFlaw;
use contact_laws::response::{LawChanges, LawChoice, LawKinds};

/// All problems of a description but those that show when it is built.
pub(super) fn problems(description: &SceneDescription) -> Vec<SceneError> {
    let mut checker = Checker::new(description);
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
            self.broken(item, "body", Rule::NoBody, []);
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
        if self.scene.overlap == Report::default() {
            for (field, given) in [
                ("overlap_epsilon", contact.overlap_epsilon.is_some()),
                ("sparsification", contact.sparsification.is_some()),
            ] {
                if given {
                    self.broken(item, field, Rule::NoOverlap, [field]);
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
            let mut error = SceneError::new(self.scene, item, field, flaw);
            error.subject.push_str(&format!("{field}: "));
            self.errors.push(error);
        }
    }

    fn material(&mut self, index: usize) {
        let (item, material) = (SceneItem::Material(index), &self.scene.materials[index]);
        self.identifier(item, &material.name);
        self.rows(item, const { &checks(&MATERIAL) }, material);
        if self.scene.materials[..index]
            .iter()
            .any(|m| m.name == material.name)
        {
            self.broken(item, "name", Rule::NameTaken, ["another material"]);
        }
    }

    /// The law of two materials, complete and with nothing that has no meaning.
    fn law_of_materials(&mut self, item: SceneItem, changes: &LawChanges) {
        let of_scene = LawKinds::of_scene(&self.scene.contact.law);
        let kinds = of_scene.changed(changes);
        let mut flaws = changes.flaws(&kinds);
        if flaws.is_empty() {
            match LawChoice::of_pair(&of_scene, changes) {
                Ok(choice) => flaws = choice.flaws_of(changes),
                Err(missing) => flaws.push(("", LawFlaw::Missing(missing, kinds))),
            }
        }
        for (field, flaw) in flaws {
            self.fail(item, field, SceneFlaw::Law(flaw));
        }
    }

    fn material_pair(&mut self, index: usize) {
        let (item, pair) = (
            SceneItem::MaterialPair(index),
            &self.scene.material_pairs[index],
        );
        for name in &pair.materials {
            if !self.scene.materials.iter().any(|m| m.name == *name) {
                let flaw = SceneFlaw::unknown("material", name, material_names(self.scene));
                self.fail(item, "materials", flaw);
            }
        }
        if let PairResponse::Law(changes) = &pair.response {
            self.user_law(item, changes);
            self.law_of_materials(item, changes);
        }
        let same = |other: &[String; 2]| {
            let [a, b] = &pair.materials;
            (a, b) == (&other[0], &other[1]) || (b, a) == (&other[0], &other[1])
        };
        if self.scene.material_pairs[..index]
            .iter()
            .any(|p| same(&p.materials))
        {
            self.broken(item, "materials", Rule::MaterialsTwice, []);
        }
    }

    fn pair(&mut self, index: usize) {
        let (item, pair) = (SceneItem::Pair(index), &self.scene.pairs[index]);
        if let Some(flaw) = pairing::flaw(self.scene, &pair.between) {
            self.fail(item, "between", flaw);
        }
        if pair.response == Some(PairResponse::None) {
            for (field, given) in [
                ("threshold", pair.threshold.is_some()),
                ("warn_below", pair.warn_below.is_some()),
                ("distance", pair.distance),
            ] {
                if given {
                    self.broken(item, field, Rule::NeverTouches, [field]);
                }
            }
        }
        self.rows(item, const { &checks(&PAIR) }, pair);
        let same = |other: &[ShapeName; 2]| {
            let [a, b] = &pair.between;
            *other == pair.between || (&other[0], &other[1]) == (b, a)
        };
        let mut before = self.scene.pairs[..index].iter();
        let twice = before.position(|other| other.distance && same(&other.between));
        if let (true, Some(first)) = (pair.distance, twice) {
            let first = (first + 1).to_string();
            self.broken(item, "distance", Rule::DistanceTwice, [&first]);
        }
        if let Some(PairResponse::Law(changes)) = &pair.response {
            self.user_law(item, changes);
        }
    }

    fn body(&mut self, index: usize) {
        let (item, body) = (SceneItem::Body(index), &self.scene.bodies[index]);
        self.identifier(item, &body.name);
        let first = self.bodies.get(body.name.as_str());
        if first.is_some_and(|first| *first < index) {
            self.broken(item, "name", Rule::NameTaken, ["another body"]);
        }
        self.rows(item, const { &checks(&BODY) }, body);
        self.quaternion(item, "orientation", &body.orientation);
        if body.motion == Motion::Fixed {
            for (field, value) in [
                ("velocity", body.velocity),
                ("angular_velocity", body.angular_velocity),
            ] {
                if value.iter().any(|v| *v != 0.0) {
                    self.fail(item, field, SceneFlaw::FixedMoves(field, value));
                }
            }
        }
        if matches!(body.motion, Motion::Joint | Motion::Prescribed) {
            let rule = match body.motion {
                Motion::Joint => Rule::FollowsFromJoint,
                _ => Rule::FollowsFromMotion,
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
                self.broken(item, field, rule, [field]);
            }
        }
        self.has_motion(index);
        if let Some(inertia) = body.mass.inertia {
            self.vector(item, "inertia", &inertia);
        }
        for shape in 0..body.shapes.len() {
            self.shape(index, shape);
        }
    }

    fn shape(&mut self, body: usize, index: usize) {
        let item = SceneItem::Shape(body, index);
        let shapes = &self.scene.bodies[body].shapes;
        let shape = &shapes[index];
        self.identifier(item, &shape.name);
        if shapes[..index].iter().any(|s| s.name == shape.name) {
            let another = "another shape of the body";
            self.broken(item, "name", Rule::NameTaken, [another]);
        }
        self.rows(item, const { &checks(&SHAPE) }, shape);
        self.quaternion(item, "orientation", &shape.orientation);
        self.form(item, &shape.form);
        for (field, name) in [
            ("material", Some(&shape.material)),
            ("contact_material", shape.contact_material.as_ref()),
        ] {
            let Some(name) = name else { continue };
            if !self.scene.materials.iter().any(|m| m.name == *name) {
                let flaw = SceneFlaw::unknown(field, name, material_names(self.scene));
                self.fail(item, field, flaw);
            }
        }
    }
}

/// Mass properties that a body can have, or why not. One that hangs on a joint may be a point mass, and
/// so may a driven one whose inertia is not given.
pub(super) fn mass(
    scene: &SceneDescription,
    index: usize,
    properties: MassProperties,
) -> Result<MassProperties, SceneError> {
    let fail = |field, flaw| {
        let item = SceneItem::Body(index);
        Err(SceneError::new(scene, item, field, flaw))
    };
    let broken = |field, rule| fail(field, SceneFlaw::broken(rule, []));
    if properties.mass <= 0.0 {
        return broken("", Rule::NoMass);
    }
    let m = &properties.inertia;
    if !(properties.mass.is_finite() && m.iter().all(|entry| entry.is_finite())) {
        return fail("", SceneFlaw::Mass(properties.mass));
    }
    let center = &properties.center_of_mass;
    if center.iter().any(|c| !c.is_finite()) {
        return fail("center_of_mass", SceneFlaw::CenterOfMass((*center).into()));
    }
    let body = &scene.bodies[index];
    let stays = body.motion == Motion::Driven && body.mass.inertia.is_none();
    if body.motion == Motion::Joint || stays {
        return match carried_inertia_flaw(m) {
            Some(flaw) => fail("inertia", SceneFlaw::Geometry(flaw)),
            None => Ok(properties),
        };
    }
    if m.amax() == 0.0 {
        return broken("inertia", Rule::NoInertia);
    }
    if let Some(flaw) = inertia_flaw(m) {
        return fail("inertia", SceneFlaw::Geometry(flaw));
    }
    Ok(properties)
}
