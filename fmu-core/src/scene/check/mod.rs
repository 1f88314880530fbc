//! The checks behind [`Scene::new`]: each problem names its item, the field, what was found and
//! what is allowed. All problems of a description are collected.
//!
//! - `force`: prescribed forces
//! - `form`: sizes of forms and their parts
//! - `joint`: numbers of joints
//! - `motion`: prescribed motions, measurements
//! - `user`: libraries and functions of the user

mod force;
mod form;
mod joint;
mod motion;
mod user;

use crate::geometry::MassProperties;
use crate::geometry::mass::{carried_inertia_flaw, inertia_flaw};
use crate::math::{Exact, LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
use crate::response::flaws::{LawFlaw, OutOfRange};
use crate::response::options::ContactRule;
use crate::response::{LawChanges, LawChoice, LawKinds};
use crate::scene::description::{
    Gravity, K_REDS, K_REDS_IN_WORDS, LEAST_MASS, LEAST_MASS_IN_WORDS, MOST_DISTANCES, Motion,
    PairResponse, Report, STEP_BUDGETS, SceneDescription, SceneItem, ShapeName, TOLERANCES,
    is_step_budget,
};
use crate::scene::filter;
use crate::scene::flaw::{Rule, SceneError, SceneFlaw};

/// How far |q| of a given quaternion may be from 1.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Names that would hide others in the list of variables.
const RESERVED: [&str; 11] = [
    "contact",
    "energy",
    "force",
    "material",
    "material_pair",
    "measure",
    "motion",
    "pair",
    "solver",
    "time",
    "world",
];

/// Collects the problems of a description.
pub(super) struct Checker<'a> {
    scene: &'a SceneDescription,
    errors: Vec<SceneError>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(scene: &'a SceneDescription) -> Self {
        Checker {
            scene,
            errors: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Vec<SceneError> {
        self.errors
    }

    pub(super) fn check_all(&mut self) {
        self.world();
        self.contact();
        for index in 0..self.scene.materials.len() {
            self.material(index);
        }
        self.libraries();
        for index in 0..self.scene.material_pairs.len() {
            self.material_pair(index);
        }
        for index in 0..self.scene.bodies.len() {
            self.body(index);
        }
        for index in 0..self.scene.pairs.len() {
            self.pair(index);
        }
        for index in 0..self.scene.joints.len() {
            self.joint(index);
        }
        for index in 0..self.scene.forces.len() {
            self.force(index);
        }
        for index in 0..self.scene.motions.len() {
            self.prescribed_motion(index);
        }
        for index in 0..self.scene.measurements.len() {
            self.measurement(index);
        }
    }

    fn fail(&mut self, item: SceneItem, field: &'static str, flaw: SceneFlaw) {
        let error = SceneError::new(self.scene, item, field, flaw);
        self.errors.push(error);
    }

    fn broken<const N: usize>(
        &mut self,
        item: SceneItem,
        field: &'static str,
        rule: Rule,
        names: [&str; N],
    ) {
        self.fail(item, field, SceneFlaw::broken(rule, names));
    }

    fn out_of_range(
        &mut self,
        item: SceneItem,
        field: &'static str,
        quantity: impl Into<String>,
        number: (f64, &'static str),
        allowed: impl Into<String>,
    ) {
        let number = OutOfRange::new(quantity, number, allowed);
        self.fail(item, field, SceneFlaw::OutOfRange(number));
    }

    /// A number that must be finite and satisfy `good`; `allowed` says so in words.
    fn number(
        &mut self,
        item: SceneItem,
        field: &'static str,
        value: f64,
        unit: &'static str,
        good: impl Fn(f64) -> bool,
        allowed: &str,
    ) {
        let is_good = value.is_finite() && good(value);
        let allowed = if is_good {
            LARGEST_NUMBER_IN_WORDS
        } else {
            allowed
        };
        if !(is_good && value.abs() <= LARGEST_NUMBER) {
            self.out_of_range(item, field, field, (value, unit), allowed);
        }
    }

    fn vector(&mut self, item: SceneItem, field: &'static str, value: &[f64]) {
        let is_good = |v: &f64| v.is_finite() && v.abs() <= LARGEST_NUMBER;
        if !value.iter().all(is_good) {
            self.fail(item, field, SceneFlaw::NotFinite(field, value.to_vec()));
        }
    }

    fn quaternion(&mut self, item: SceneItem, field: &'static str, value: &[f64; 4]) {
        let norm = value.iter().map(|c| c * c).sum::<f64>().sqrt();
        if norm.is_nan() || (norm - 1.0).abs() > UNIT_TOLERANCE {
            self.fail(item, field, SceneFlaw::NotUnit(field, *value, norm));
        }
    }

    fn identifier(&mut self, item: SceneItem, name: &str) {
        let mut letters = name.chars();
        let good = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !good {
            self.broken(item, "name", Rule::NotIdentifier, [name]);
        } else if RESERVED.contains(&name)
            && matches!(item, SceneItem::Body(_) | SceneItem::Joint(_))
        {
            self.broken(item, "name", Rule::NameReserved, [name]);
        }
    }

    fn world(&mut self) {
        let item = SceneItem::Scene;
        self.identifier(item, &self.scene.name);
        match self.scene.gravity {
            Gravity::None => {}
            Gravity::Uniform(g) => self.vector(item, "gravity", &g),
            Gravity::Point { mu, center } => {
                self.number(item, "gravity", mu, "m3/s2", |v| v >= 0.0, ">= 0");
                self.vector(item, "gravity", &center);
            }
        }
        let time = self.scene.experiment;
        self.number(item, "start_time", time.start_time, "s", |_| true, "finite");
        let start = time.start_time;
        self.number(
            item,
            "stop_time",
            time.stop_time,
            "s",
            |v| v > start,
            &format!("> start_time = {start} s", start = Exact(start)),
        );
        if let Some(tolerance) = time.tolerance {
            self.number(
                item,
                "tolerance",
                tolerance,
                "",
                |v| TOLERANCES.contains(&v),
                "in 1e-14..0.1",
            );
        }
        if let Some(step) = time.step_size {
            self.number(item, "step_size", step, "s", |v| v > 0.0, "> 0");
        }
        self.number(
            item,
            "max_steps",
            time.max_steps,
            "",
            is_step_budget,
            STEP_BUDGETS,
        );
        if self.scene.bodies.is_empty() {
            self.broken(item, "body", Rule::NoBody, []);
        }
    }

    fn contact(&mut self) {
        let (item, contact) = (SceneItem::Contact, self.scene.contact);
        let good = |v| K_REDS.contains(&v);
        self.number(item, "k_red", contact.k_red, "", good, K_REDS_IN_WORDS);
        self.number(
            item,
            "d_max",
            contact.law.d_max,
            "s/m",
            |v| v >= 0.0,
            ">= 0",
        );
        self.number(
            item,
            "smoothing_radius",
            contact.smoothing_radius,
            "m",
            |v| v >= 0.0,
            ">= 0",
        );
        if let ContactRule::Hysteresis { z_eps, .. } = contact.law.rule {
            self.number(item, "z_eps", z_eps, "m", |v| v > 0.0, "> 0");
        }
        if contact.nz_max == Some(0) {
            self.out_of_range(item, "nz_max", "nz_max", (0.0, ""), ">= 1");
        }
        let distances = contact.closest_distances;
        if distances > MOST_DISTANCES {
            let (field, allowed) = ("closest_distances", format!("<= {MOST_DISTANCES}"));
            self.out_of_range(item, field, field, (f64::from(distances), ""), allowed);
        }
        for names in &self.scene.excluded {
            self.names(item, "exclude", names);
        }
        if let Report::Pairs(pairs) = &self.scene.report {
            for names in pairs {
                self.names(item, "report", names);
            }
        }
    }

    /// An entry of a list of pairs in the contact options.
    fn names(&mut self, item: SceneItem, field: &'static str, names: &[ShapeName; 2]) {
        if let Some(flaw) = filter::flaw(self.scene, names) {
            let mut error = SceneError::new(self.scene, item, field, flaw);
            error.subject.push_str(&format!("{field}: "));
            self.errors.push(error);
        }
    }

    fn material(&mut self, index: usize) {
        let (item, material) = (SceneItem::Material(index), &self.scene.materials[index]);
        self.identifier(item, &material.name);
        self.number(
            item,
            "density",
            material.density,
            "kg/m3",
            |v| v >= 0.0,
            ">= 0",
        );
        self.number(
            item,
            "youngs_modulus",
            material.youngs_modulus,
            "Pa",
            |v| v >= 0.0,
            ">= 0",
        );
        self.number(
            item,
            "poissons_ratio",
            material.poissons_ratio,
            "",
            |v| (0.0..=0.5).contains(&v),
            "in 0..0.5",
        );
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
                let flaw = unknown("material", name, material_names(self.scene));
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
        if let Some(flaw) = filter::flaw(self.scene, &pair.between) {
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
        if let Some(threshold) = pair.threshold {
            self.number(item, "threshold", threshold, "m", |v| v >= 0.0, ">= 0");
        }
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
        if let Some(limit) = pair.warn_below {
            self.number(item, "warn_below", limit, "m", |_| true, "finite");
        }
    }

    fn body(&mut self, index: usize) {
        let (item, body) = (SceneItem::Body(index), &self.scene.bodies[index]);
        self.identifier(item, &body.name);
        if self.scene.bodies[..index]
            .iter()
            .any(|b| b.name == body.name)
        {
            self.broken(item, "name", Rule::NameTaken, ["another body"]);
        }
        self.vector(item, "position", &body.position);
        self.quaternion(item, "orientation", &body.orientation);
        self.vector(item, "velocity", &body.velocity);
        self.vector(item, "angular_velocity", &body.angular_velocity);
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
        if let Some(mass) = body.mass.mass {
            let good = |v| v >= LEAST_MASS;
            self.number(item, "mass", mass, "kg", good, LEAST_MASS_IN_WORDS);
        }
        if let Some(center) = body.mass.center_of_mass {
            self.vector(item, "center_of_mass", &center);
        }
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
        self.vector(item, "position", &shape.position);
        self.quaternion(item, "orientation", &shape.orientation);
        self.form(item, &shape.form);
        self.number(item, "shell", shape.shell, "m", |v| v >= 0.0, ">= 0");
        if let Some(radius) = shape.smoothing_radius {
            self.number(item, "smoothing_radius", radius, "m", |v| v >= 0.0, ">= 0");
        }
        if let Some(radius) = shape.contact_sphere_radius {
            self.number(
                item,
                "contact_sphere_radius",
                radius,
                "m",
                |v| v > 0.0,
                "> 0",
            );
        }
        for (field, name) in [
            ("material", Some(&shape.material)),
            ("contact_material", shape.contact_material.as_ref()),
        ] {
            let Some(name) = name else { continue };
            if !self.scene.materials.iter().any(|m| m.name == *name) {
                let flaw = unknown(field, name, material_names(self.scene));
                self.fail(item, field, flaw);
            }
        }
    }
}

fn material_names(scene: &SceneDescription) -> impl Iterator<Item = &str> {
    scene.materials.iter().map(|m| m.name.as_str())
}

/// What is not known, and what is.
pub(super) fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> SceneFlaw {
    SceneFlaw::Unknown(what, name.into(), format!("known: {}", list(known)))
}

/// Names in a row, or `none`.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}

/// Mass properties that a body can have, or why not. One that hangs on a joint may be a point mass.
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
    if scene.bodies[index].motion == Motion::Joint {
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
