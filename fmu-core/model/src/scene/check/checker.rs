//! What all checks share: the problems found so far, and checks of single values.

use crate::scene::description::{SceneDescription, SceneItem};
use crate::scene::flaw::{Rule, SceneError, SceneFlaw};

use contact_geometry::math::LARGEST_NUMBER;

use contact_laws::quantity::{Check, Numbers, Range};

use contact_laws::response::flaws::OutOfRange;

use std::collections::BTreeMap;

/// How far |q| of a given quaternion may be from 1.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Names that would hide others in the list of variables.
const RESERVED: [&str; 11] = [
    "contact",
    "energy",
    "experiment",
    "force",
    "material",
    "material_pair",
    "measure",
    "motion",
    "pair",
    "time",
    "world",
];

/// Collects the problems of a description.
pub(super) struct Checker<'a> {
    pub(super) scene: &'a SceneDescription,
    pub(super) errors: Vec<SceneError>,
    /// The first body of each name.
    pub(super) bodies: BTreeMap<&'a str, usize>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(scene: &'a SceneDescription) -> Self {
        let mut bodies = BTreeMap::new();
        for (index, body) in scene.bodies.iter().enumerate() {
            bodies.entry(body.name.as_str()).or_insert(index);
        }
        Checker {
            scene,
            errors: Vec::new(),
            bodies,
        }
    }

    pub(super) fn finish(self) -> Vec<SceneError> {
        self.errors
    }

    pub(super) fn fail(&mut self, item: SceneItem, field: &'static str, flaw: SceneFlaw) {
        let error = SceneError::new(self.scene, item, field, flaw);
        self.errors.push(error);
    }

    pub(super) fn broken<const N: usize>(
        &mut self,
        item: SceneItem,
        field: &'static str,
        rule: Rule,
        names: [&str; N],
    ) {
        self.fail(item, field, SceneFlaw::broken(rule, names));
    }

    pub(super) fn out_of_range(
        &mut self,
        item: SceneItem,
        field: &'static str,
        quantity: impl Into<String>,
        value: f64,
        unit: &'static str,
        allowed: impl Into<String>,
    ) {
        let number = OutOfRange::new(quantity, value, unit, allowed);
        self.fail(item, field, SceneFlaw::OutOfRange(number));
    }

    /// A number that must be in a range.
    pub(super) fn number(
        &mut self,
        item: SceneItem,
        field: &'static str,
        value: f64,
        unit: &'static str,
        range: Range,
    ) {
        if let Some(allowed) = range.violated(value) {
            self.out_of_range(item, field, field, value, unit, allowed);
        }
    }

    /// All numbers and vectors that an element has.
    pub(super) fn rows<E>(&mut self, item: SceneItem, checks: &[Option<Check<E>>], element: &E) {
        for check in checks.iter().flatten() {
            let number = match check.get {
                Numbers::One(get) => get(element),
                Numbers::Count(get) => get(element).map(f64::from),
                Numbers::Vector(get) => {
                    if let Some(value) = get(element) {
                        self.vector(item, check.key, &value);
                    }
                    None
                }
            };
            if let Some(value) = number {
                self.number(item, check.key, value, check.unit, check.range);
            }
        }
    }

    /// The same for a range that depends on other numbers, which says `good`.
    pub(super) fn dependent(
        &mut self,
        item: SceneItem,
        field: &'static str,
        value: f64,
        unit: &'static str,
        good: bool,
        allowed: impl FnOnce() -> String,
    ) {
        match good || !value.is_finite() {
            true => self.number(item, field, value, unit, Range::ANY),
            false => self.out_of_range(item, field, field, value, unit, allowed()),
        }
    }

    pub(super) fn vector(&mut self, item: SceneItem, field: &'static str, value: &[f64]) {
        let is_good = |v: &f64| v.is_finite() && v.abs() <= LARGEST_NUMBER;
        if !value.iter().all(is_good) {
            self.fail(item, field, SceneFlaw::NotFinite(field, value.to_vec()));
        }
    }

    pub(super) fn quaternion(&mut self, item: SceneItem, field: &'static str, value: &[f64; 4]) {
        let norm = value.iter().map(|c| c * c).sum::<f64>().sqrt();
        if norm.is_nan() || (norm - 1.0).abs() > UNIT_TOLERANCE {
            self.fail(item, field, SceneFlaw::NotUnit(field, *value, norm));
        }
    }

    pub(super) fn identifier(&mut self, item: SceneItem, name: &str) {
        let mut letters = name.chars();
        let good = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !good {
            self.broken(item, "name", Rule::NotIdentifier, [name]);
        } else if RESERVED.contains(&name)
            && matches!(
                item,
                SceneItem::Body(_) | SceneItem::Joint(_) | SceneItem::Grains(_)
            )
        {
            self.broken(item, "name", Rule::NameReserved, [name]);
        }
    }
}

/// Names of the materials of a scene.
pub(super) fn material_names(scene: &SceneDescription) -> impl Iterator<Item = &str> {
    scene.materials.iter().map(|m| m.name.as_str())
}
