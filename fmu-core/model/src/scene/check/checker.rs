//! What all checks share: the problems found so far, and checks of single values.

use crate::scene::description::{SceneDescription, SceneItem};
use crate::scene::flaw::SceneError;
use contact_geometry::math::{LARGEST_NUMBER, LARGEST_NUMBER_IN_WORDS};
use contact_laws::finding::Finding;
use contact_laws::quantity::{Check, Numbers, ParameterRow, Quantity, Range};
use std::collections::BTreeMap;
use std::fmt::Display;

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
    /// How elements fit together is open: some could not be read.
    pub(super) is_partial: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn new(scene: &'a SceneDescription, is_partial: bool) -> Self {
        let mut bodies = BTreeMap::new();
        for (index, body) in scene.bodies.iter().enumerate() {
            bodies.entry(body.name.as_str()).or_insert(index);
        }
        Checker {
            scene,
            errors: Vec::new(),
            bodies,
            is_partial,
        }
    }

    pub(super) fn finish(self) -> Vec<SceneError> {
        self.errors
    }

    pub(super) fn fail(
        &mut self,
        item: SceneItem,
        field: &'static str,
        finding: impl Into<Finding>,
    ) {
        let error = SceneError::new(self.scene, item, field, finding);
        self.errors.push(error);
    }

    pub(super) fn out_of_range(
        &mut self,
        item: SceneItem,
        field: &'static str,
        quantity: impl Display,
        value: f64,
        unit: &'static str,
        allowed: impl Display,
    ) {
        self.fail(
            item,
            field,
            Finding::out_of_range(quantity, value, unit, allowed),
        );
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

    /// The parameters that an element has.
    pub(super) fn parameters<E: Clone>(
        &mut self,
        item: SceneItem,
        rows: &[ParameterRow<E>],
        element: &E,
    ) {
        for row in rows {
            let Quantity {
                key,
                declared,
                range,
                ..
            } = row.facts.quantity;
            match ((row.at)(&mut element.clone()), row.facts.size) {
                (Some([value]), None) => {
                    self.number(item, key, *value, declared.unit_or_empty(), range);
                }
                (Some(vector), _) => self.vector(item, key, vector),
                (None, _) => {}
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
            let allowed = format!("must be a finite number {LARGEST_NUMBER_IN_WORDS}");
            self.fail(
                item,
                field,
                format!("{field} is {value:?}; every entry {allowed}"),
            );
        }
    }

    pub(super) fn quaternion(&mut self, item: SceneItem, field: &'static str, value: &[f64; 4]) {
        let norm = value.iter().map(|c| c * c).sum::<f64>().sqrt();
        if norm.is_nan() || (norm - 1.0).abs() > UNIT_TOLERANCE {
            let found =
                format!("{field} is the quaternion (w, x, y, z) = {value:?} of norm {norm}");
            self.fail(item, field, found + "; must have norm 1");
        }
    }

    pub(super) fn identifier(&mut self, item: SceneItem, name: &str) {
        let mut letters = name.chars();
        let good = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !good {
            let allowed = "an ASCII letter, then letters, digits or underscores";
            self.fail(item, "name", format!("name is {name:?}; must be {allowed}"));
        } else if (RESERVED.contains(&name) || self.is_list_of_variables(name))
            && matches!(
                item,
                SceneItem::Body(_) | SceneItem::Joint(_) | SceneItem::Grains(_)
            )
        {
            let message = format!("name is {name:?}, which the FMU's own variables use");
            self.fail(item, "name", (message, "choose another one"));
        }
    }

    /// Returns true if names of variables of latches or triggers begin with this one.
    fn is_list_of_variables(&self, name: &str) -> bool {
        name == "latch" && !self.scene.latches.is_empty()
            || name == "trigger" && !self.scene.triggers.is_empty()
    }

    /// The name of an element of a list; true if `another` element before it has it too.
    pub(super) fn name<T>(
        &mut self,
        index: usize,
        list: &[T],
        item: impl Fn(usize) -> SceneItem,
        name: impl Fn(&T) -> &str,
        another: &str,
    ) -> bool {
        let own = name(&list[index]);
        self.identifier(item(index), own);
        let first = list[..index].iter().position(|other| name(other) == own);
        if let Some(first) = first {
            let message = format!("this name is taken by {another}");
            let error = SceneError::new(self.scene, item(index), "name", message);
            self.errors.push(error.after(item(first)));
        }
        first.is_some()
    }
}
