//! The numbers of a scene that may change after the FMU was built.
//!
//! The inertia I [kg.m2] of a body follows its mass m [kg], I = I_0 m/m_0 with the values I_0 and
//! m_0 of the scene, until an entry of it is set to another value than that of I_0; then I has the
//! entries as set, and those of I_0 for the rest. Some importers set every parameter, those that
//! the user has not changed to the start value in modelDescription.xml. Therefore that value, up to
//! [`PRINTED`], counts as not set: they obtain what others obtain that set what changed, in any
//! order of the calls. No other parameter depends on which ones were set.

use crate::scene::Scene;
use crate::scene::coordinate;
use crate::scene::description::Coordinate;
use crate::scene::description::body::{INERTIA, MASS};
use crate::scene::description::contact::ContactNumbers;
use crate::scene::description::world::Integration;
use crate::scene::outputs::Input;
use crate::scene::parameter::{Address, Element, ElementNumbers, INERTIA_ENTRIES};
use contact_laws::index::{BodyId, ParameterId, TiVec, ti_vec};
use contact_laws::quantity::{Feeds, Quantity, units};
use contact_laws::response::Number;
use serde::{Deserialize, Serialize};
use std::iter::once;
use std::ops::Range;

impl Scene {
    /// The elements that may have parameters, in the order of the list.
    fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        let bodies = self.bodies().keys().take_while(|b| !self.is_grain(*b));
        let contact = (!self.pairs().is_empty()).then_some(Element::Contact);
        let joints = self.joints().iter_enumerated().flat_map(|(j, joint)| {
            let count = joint.forces.len().max(usize::from(joint.kind.is_ball()));
            (0..count).map(move |c| Element::Joint(j, c as u8))
        });
        once(Element::World)
            .chain(bodies.map(Element::Body))
            .chain(self.materials().keys().map(Element::Material))
            .chain(self.laws().keys().map(Element::Law))
            .chain(contact)
            .chain(self.forces().keys().map(Element::Force))
            .chain(joints)
            .chain(self.motions().keys().map(Element::Motion))
            .chain(once(Element::Experiment))
    }

    /// The parameters of an element as the scene gives them.
    pub(super) fn numbers(&self, element: Element) -> ElementNumbers {
        match element {
            Element::World => ElementNumbers::World(self.gravity()),
            Element::Body(b) => ElementNumbers::Body(self.bodies()[b].numbers()),
            Element::Material(m) => ElementNumbers::Material(self.materials()[m].clone()),
            Element::Law(l) => ElementNumbers::Law(self.laws()[l].choice),
            Element::Contact => ElementNumbers::Contact(self.contact_numbers()),
            Element::Force(f) => ElementNumbers::Force(self.forces()[f].profile.clone()),
            Element::Joint(j, c) => {
                let joint = &self.joints()[j];
                match joint.forces.get(usize::from(c)) {
                    Some(forces) => ElementNumbers::Coordinate(*forces),
                    None => ElementNumbers::Ball(joint.ball),
                }
            }
            Element::Motion(m) => ElementNumbers::Motion(self.motions()[m].profile.clone()),
            Element::Experiment => ElementNumbers::Experiment(self.experiment().integration()),
        }
    }

    pub(crate) fn contact_numbers(&self) -> ContactNumbers {
        let options = self.contact();
        ContactNumbers {
            k_red: options.k_red,
            d_max: self.bounds_damping().then_some(options.law.d_max),
        }
    }

    /// Value of an input until it is set: pose and velocities of a driven body at start, no force, the parameter of
    /// the scene.
    pub fn input_start(&self, input: Input) -> f64 {
        match input {
            Input::Parameter(address) => start_value(self, address),
            _ => input.start(self.bodies(), self.latches()),
        }
    }

    /// The elements that have parameters, each with these.
    pub(crate) fn by_element(&self) -> impl Iterator<Item = (Element, &[Address])> {
        let all = self
            .parameters
            .raw
            .chunk_by(|one, two| one.element == two.element);
        all.filter_map(|own| Some((own.first()?.element, own)))
    }

    /// Places of the parameters of an element in the list.
    pub(crate) fn parameters_of(&self, element: Element) -> Range<ParameterId> {
        let list = &self.parameters;
        let start = list.partition_point(|known| known.element < element);
        let end = list.partition_point(|known| known.element <= element);
        start..end
    }

    /// Index of a parameter in the list.
    pub fn parameter_at(&self, address: Address) -> Option<ParameterId> {
        let place = self.parameters.raw.binary_search(&address).ok()?;
        Some(ParameterId::from(place))
    }

    /// Index of the parameter with a name of a row, `spring_stiffness`, and a component, 0 for a scalar;
    /// `None` if the scene does not have it.
    pub fn parameter_index(
        &self,
        element: Element,
        name: &str,
        component: usize,
    ) -> Option<ParameterId> {
        let Range { start, end } = self.parameters_of(element);
        let own = &self.parameters[start..end];
        let is_it = |known: &Address| {
            usize::from(known.component) == component && self.parameter_row(*known).key == name
        };
        let place = own.iter().position(is_it);
        place.map(|place| start.plus(place))
    }

    /// Coordinate of a joint that a parameter is of.
    fn coordinate(&self, parameter: Address) -> Option<&'static Coordinate> {
        let Element::Joint(j, c) = parameter.element else {
            return None;
        };
        self.joints()[j].kind.coordinates().get(usize::from(c))
    }

    /// Name, text, type and range of a parameter in this scene.
    pub fn parameter_row(&self, parameter: Address) -> Quantity {
        let row = parameter.facts().quantity;
        match (parameter.element, parameter.law_number()) {
            (Element::Law(law), Some(Number::Stiffness)) => {
                // FMI has integer powers of units only, so with another exponent than 1 it has none.
                let choice = &self.laws()[law].choice;
                let has_exponent = choice.kinds.uses(Number::Exponent);
                let declared = match has_exponent && choice.number(Number::Exponent) != 1.0 {
                    true => row.declared,
                    false => units::STIFFNESS,
                };
                Quantity { declared, ..row }
            }
            (Element::Joint(..), _) => {
                let item = coordinate::ROWS.get(usize::from(parameter.row));
                let is_angle = self.coordinate(parameter).is_none_or(Coordinate::is_angle);
                item.map_or(row, |row| row.parameter(is_angle).quantity)
            }
            _ => row,
        }
    }

    /// Name of a parameter, structured as importers see it: `ball.mass`, `world.gravity[3]`.
    pub fn parameter_name(&self, index: ParameterId) -> String {
        self.address_name(self.parameters[index])
    }

    /// [`Self::parameter_name`] by address.
    pub(super) fn address_name(&self, parameter: Address) -> String {
        let body = |b: BodyId| &self.bodies()[b].name;
        let owner = match parameter.element {
            Element::World => "world.".to_owned(),
            Element::Body(b) => format!("{}.", body(b)),
            Element::Material(m) => format!("material.{}.", self.materials()[m].name),
            Element::Law(l) => format!("{}.", self.law_prefix(l)),
            Element::Contact => "contact.".to_owned(),
            Element::Force(f) => format!("force.{}.", self.forces()[f].name),
            Element::Joint(j, _) => match self.coordinate(parameter) {
                Some(coordinate) => format!("{}.{}_", self.joints()[j].name, coordinate.key),
                None => format!("{}.", self.joints()[j].name),
            },
            Element::Motion(m) => format!("motion.{}.", body(self.motions()[m].body)),
            Element::Experiment => "experiment.".to_owned(),
        };
        let key = self.parameter_row(parameter).key;
        match parameter.component() {
            Some(i) if key == INERTIA.key => {
                let (row, column) = INERTIA_ENTRIES[i];
                format!("{owner}{key}[{},{}]", row + 1, column + 1)
            }
            Some(i) => format!("{owner}{key}[{}]", i + 1),
            None => owner + key,
        }
    }
}

/// All parameters of a scene in their fixed order.
pub(super) fn list(scene: &Scene) -> TiVec<ParameterId, Address> {
    let mut list = TiVec::new();
    for element in scene.elements() {
        let mut numbers = scene.numbers(element);
        for row in (0..u8::MAX).take_while(|row| element.row((*row).into()).is_some()) {
            let count = numbers.row(row.into()).map_or(0, |own| own.len());
            list.extend((0..count).map(|component| Address {
                element,
                row,
                component: component as u8,
            }));
        }
    }
    list
}

/// Value of a parameter as the scene gives it.
fn start_value(scene: &Scene, parameter: Address) -> f64 {
    let mut numbers = scene.numbers(parameter.element);
    numbers.at(parameter).copied().unwrap_or(0.0)
}

/// Bodies whose inertia is an input: it does not follow the mass.
fn input_inertias(scene: &Scene) -> impl Iterator<Item = BodyId> + '_ {
    scene
        .parameter_inputs()
        .filter_map(|own| match own.element {
            Element::Body(b) if own.key() == INERTIA.key => Some(b),
            _ => None,
        })
}

/// Places between the mass of a body and the first entry of its inertia in [`list`]: the mass
/// itself and the centre of mass.
const INERTIA_AFTER_MASS: usize = 4;

/// Values of all parameters of a scene, in the order of [`Scene::parameters`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    values: TiVec<ParameterId, f64>,
    /// For each body: an entry of the inertia was set to a value of its own, so that the inertia
    /// does not follow the mass; [`Parameters::values`] has all entries as they were set then.
    inertia_given: TiVec<BodyId, bool>,
}

/// Relative deviation [1] up to which a value is that of the description: half a unit of the 15th
/// digit, which some importers print, and the rounding of reading it.
const PRINTED: f64 = 5.5e-15;

/// True if an importer that sets `value` sets what the description states.
fn is_stated(value: f64, stated: f64) -> bool {
    (value - stated).abs() <= PRINTED * stated.abs()
}

/// Step of a difference quotient relative to its parameter [1]: its square, the truncation, is some 1e-10, as is
/// the rounding over it.
const PART: f64 = 1.0 / (1 << 17) as f64;
/// The same of the place of a stop.
const SMALL_PART: f64 = 1.0 / (1 << 26) as f64;

impl Parameters {
    /// The values that the scene starts with.
    pub fn start(scene: &Scene) -> Self {
        let mut values = TiVec::with_capacity(scene.parameters().len());
        for (element, own) in scene.by_element() {
            let mut numbers = scene.numbers(element);
            let of = |address: &Address| numbers.at(*address).copied().unwrap_or(0.0);
            values.extend(own.iter().map(of));
        }
        let mut inertia_given = ti_vec![false; scene.bodies().len()];
        input_inertias(scene).for_each(|b| inertia_given[b] = true);
        Parameters {
            values,
            inertia_given,
        }
    }

    /// Value of the parameter with this index.
    pub fn get(&self, index: ParameterId) -> f64 {
        self.values[index]
    }

    /// Returns true if setting the parameter with this index to this value would change nothing.
    pub fn holds(&self, scene: &Scene, index: ParameterId, value: f64) -> bool {
        let address = scene.parameters()[index];
        match address.element {
            Element::Body(b) if address.key() == INERTIA.key && !self.inertia_given[b] => {
                is_stated(value, start_value(scene, address))
            }
            _ => self.values[index].to_bits() == value.to_bits(),
        }
    }

    /// The parameters of an element with these values.
    pub fn numbers(&self, scene: &Scene, element: Element) -> ElementNumbers {
        let mut numbers = scene.numbers(element);
        self.write(scene, element, &mut numbers);
        numbers
    }

    /// Writes the values of an element over its parameters.
    pub(crate) fn write(&self, scene: &Scene, element: Element, numbers: &mut ElementNumbers) {
        let Range { start, end } = scene.parameters_of(element);
        let values = &self.values[start..end];
        for (address, value) in scene.parameters()[start..end].iter().zip(values) {
            if let Some(number) = numbers.at(*address) {
                *number = *value;
            }
        }
    }

    /// The parameters of the integrator of Co-Simulation.
    pub fn integration(&self, scene: &Scene) -> Integration {
        match self.numbers(scene, Element::Experiment) {
            ElementNumbers::Experiment(own) => own,
            _ => scene.experiment().integration(),
        }
    }

    /// Step of a difference quotient by a parameter, a power of two: some 1e-5 of it or of the largest entry of its
    /// array, 1e-5 if all are zero; of a centre of mass some 1e-5 of the radius of gyration, and of the place of a
    /// stop, in which contact is shallow, 1e-8 m or rad.
    pub fn difference_step(&self, scene: &Scene, index: ParameterId) -> f64 {
        let by = scene.parameters()[index];
        let own = scene.parameters_of(by.element);
        let numbers = scene.parameters()[own.clone()].iter();
        let values = numbers.zip(&self.values[own]);
        let largest = |key: &str| {
            let row = values.clone().filter(|(own, _)| own.key() == key);
            row.map(|(_, value)| value.abs()).fold(0.0, f64::max)
        };
        let size = largest(by.key());
        let (size, part) = match by.feeds() {
            Feeds::LOWER_STOP | Feeds::UPPER_STOP => (size.max(1.0), SMALL_PART),
            Feeds::CENTER_OF_MASS => {
                let gyration = (largest(INERTIA.key) / largest(MASS.key)).sqrt();
                (size.max(gyration), PART)
            }
            _ => (size, PART),
        };
        // Its exponent alone.
        let size = if size < f64::MIN_POSITIVE { 1.0 } else { size };
        part * f64::from_bits(size.to_bits() & !(u64::MAX >> 12))
    }

    /// Returns true if all values are those of `other` to the bit: 0 is not -0.
    pub fn equal_to_the_bit(&self, other: &Parameters) -> bool {
        let bits = |parameters: &Parameters| -> Vec<u64> {
            parameters.values.iter().map(|v| v.to_bits()).collect()
        };
        bits(self) == bits(other) && self.inertia_given == other.inertia_given
    }

    /// Sets the parameter with this index; the inertia of a body follows its mass as long as it has
    /// the entries of the scene. Ranges are checked when a model is bound.
    pub fn set(&mut self, scene: &Scene, index: ParameterId, value: f64) {
        let address = scene.parameters()[index];
        match (address.element, address.key(), address.component()) {
            (Element::Body(b), key, None) if key == MASS.key => {
                self.values[index] = value;
                if !self.inertia_given[b] {
                    self.scale_inertia(scene, b, index);
                }
            }
            (Element::Body(b), key, Some(i)) if key == INERTIA.key => {
                self.set_inertia(scene, b, index.minus(i), i, value);
            }
            _ => self.values[index] = value,
        }
    }

    /// The inertia of body `b` for its mass, which has the index `mass`.
    fn scale_inertia(&mut self, scene: &Scene, b: BodyId, mass: ParameterId) {
        // From the scene's values, not from the last ones: no rounding piles up.
        let factor = self.values[mass] / scene.bodies()[b].mass.mass;
        let first = mass.plus(INERTIA_AFTER_MASS);
        let values = &mut self.values[first..first.plus(6)];
        for (value, stated) in values.iter_mut().zip(scene.bodies()[b].numbers().inertia) {
            *value = stated * factor;
        }
    }

    /// Sets an entry of the inertia of body `b`, the first of which has the index `first`.
    fn set_inertia(&mut self, scene: &Scene, b: BodyId, first: ParameterId, i: usize, value: f64) {
        let stated = scene.bodies()[b].numbers().inertia;
        let entries = &mut self.values[first..first.plus(6)].raw;
        if !self.inertia_given[b] {
            if is_stated(value, stated[i]) {
                return;
            }
            entries.copy_from_slice(&stated);
        }
        entries[i] = value;
        let mut pairs = entries.iter().zip(stated);
        let is_stated = pairs.all(|(value, stated)| is_stated(*value, stated));
        self.inertia_given[b] = !is_stated || input_inertias(scene).any(|own| own == b);
        if !self.inertia_given[b] {
            self.scale_inertia(scene, b, first.minus(INERTIA_AFTER_MASS));
        }
    }

    /// Returns true if these can belong to `scene`: as many values and bodies as it has.
    pub fn fits(&self, scene: &Scene) -> bool {
        self.values.len() == scene.parameters().len()
            && self.inertia_given.len() == scene.bodies().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::scene::description::Gravity;

    #[test]
    fn a_value_that_is_held_changes_nothing_when_it_is_set_again() {
        let description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
        let scene = Scene::new(description).unwrap();
        let index = |name| {
            let found = scene.parameter_index(Element::Body(1.into()), name, 0);
            found.unwrap()
        };
        let (mass, inertia) = (index("mass"), index("inertia"));
        let mut parameters = Parameters::start(&scene);
        parameters.set(&scene, mass, 3.0);
        for i in 0..scene.parameters().len() {
            let value = parameters.get(i.into());
            let mut again = parameters.clone();
            again.set(&scene, i.into(), value);
            assert_eq!(
                parameters.holds(&scene, i.into(), value),
                again == parameters
            );
            assert!(!parameters.holds(&scene, i.into(), value + 1.0));
        }
        // The inertia of the mass that was set is not that of the scene: it counts as set.
        let value = parameters.get(inertia);
        assert!(!parameters.holds(&scene, inertia, value));
        parameters.set(&scene, inertia, value);
        assert!(parameters.holds(&scene, inertia, value));
    }

    /// Two bodies with full tensors in general position, and parameters of other kinds.
    fn two_bodies() -> Scene {
        let mut bodies = vec![plate(), ball("a", [0.0; 3]), ball("b", [1.0; 3])];
        bodies[1].mass.inertia = Some([0.4, 0.5, 0.6, 0.01, 0.02, 0.03]);
        bodies[2].mass.inertia = Some([0.1 / 3.0, 0.2 / 7.0, 0.03, 0.0, -1e-4, 1e-18]);
        Scene::new(steel_scene(bodies)).unwrap()
    }

    /// What an importer reads of a number that it, or the description, prints with these digits.
    fn printed(value: f64, digits: usize) -> f64 {
        format!("{value:.*e}", digits - 1).parse().unwrap()
    }

    #[test]
    fn setting_all_parameters_gives_what_setting_the_changed_ones_gives() {
        let scene = two_bodies();
        let start = Parameters::start(&scene);
        let forth: Vec<ParameterId> = scene.parameters().keys().collect();
        let back: Vec<ParameterId> = scene.parameters().keys().rev().collect();
        for changed in scene.parameters().keys() {
            let value = 1.5 * start.get(changed) + 0.25;
            let mut alone = start.clone();
            alone.set(&scene, changed, value);
            for order in [&forth, &back] {
                let mut all = start.clone();
                // Twice: some importers send all of them again with each change.
                for i in order.iter().chain(order.iter()) {
                    let is_changed = *i == changed;
                    all.set(&scene, *i, if is_changed { value } else { start.get(*i) });
                }
                assert!(
                    all.equal_to_the_bit(&alone),
                    "{:?}",
                    scene.parameters()[changed]
                );
            }
        }
    }

    #[test]
    fn the_inertia_follows_the_mass_unless_an_entry_has_a_value_of_its_own() {
        let scene = two_bodies();
        let index = |b: usize, name, component| {
            let found = scene.parameter_index(Element::Body(b.into()), name, component);
            found.unwrap()
        };
        let start = Parameters::start(&scene);
        for (b, other) in [(1, 2), (2, 1)] {
            let mass = index(b, "mass", 0);
            let entries: [ParameterId; 6] = std::array::from_fn(|i| index(b, "inertia", i));
            let inertia = |p: &Parameters| entries.map(|i| p.get(i));
            let stated = inertia(&start);
            let doubled = stated.map(|entry| 2.0 * entry);
            let double = 2.0 * start.get(mass);
            // The values that the description states, as other programs print them.
            for digits in [15, 16, 17] {
                for mass_first in [true, false] {
                    let mut p = start.clone();
                    let mass_now = |p: &mut Parameters, now: bool| {
                        if now {
                            p.set(&scene, mass, double);
                        }
                    };
                    mass_now(&mut p, mass_first);
                    for (i, entry) in entries.iter().zip(stated) {
                        p.set(&scene, *i, printed(entry, digits));
                    }
                    mass_now(&mut p, !mass_first);
                    // A factor of two is exact.
                    assert_eq!(
                        inertia(&p),
                        doubled,
                        "{digits} digits, mass first: {mass_first}"
                    );
                    // A value of its own, and back to the stated one.
                    p.set(&scene, entries[1], 0.7);
                    let mut own = stated;
                    own[1] = 0.7;
                    assert_eq!(inertia(&p), own);
                    p.set(&scene, mass, 3.0);
                    assert_eq!(inertia(&p), own);
                    p.set(&scene, entries[1], printed(stated[1], digits));
                    p.set(&scene, mass, double);
                    assert_eq!(inertia(&p), doubled);
                    let untouched = index(other, "inertia", 0);
                    assert_eq!(p.get(untouched), start.get(untouched));
                }
            }
            // The 14th digit counts.
            let mut p = start.clone();
            p.set(&scene, entries[0], stated[0] * (1.0 + 1e-14));
            p.set(&scene, mass, double);
            assert_eq!(p.get(entries[1]), stated[1]);
        }
    }

    #[test]
    fn each_parameter_is_found_by_its_meaning() {
        let mut description = steel_scene(vec![plate(), ball("a", [0.0; 3]), ball("b", [1.0; 3])]);
        for gravity in [
            Gravity::None,
            Gravity::Uniform([0.0; 3]),
            Gravity::Point {
                mu: 1.0,
                center: [0.0; 3],
            },
        ] {
            description.gravity = gravity;
            let scene = Scene::new(description.clone()).unwrap();
            for (index, parameter) in scene.parameters().iter_enumerated() {
                let (element, component) = (parameter.element, parameter.component());
                let found = scene.parameter_index(element, parameter.key(), component.unwrap_or(0));
                assert_eq!(found, Some(index));
            }
            // Body 0 is fixed; there is one material and one pair of it.
            for (element, name, component) in [
                (Element::Body(0.into()), "mass", 0),
                (Element::Body(1.into()), "position", 0),
                (Element::Body(1.into()), "inertia", 6),
                (Element::Material(1.into()), "youngs_modulus", 0),
                (Element::Law(1.into()), "restitution", 0),
            ] {
                let found = scene.parameter_index(element, name, component);
                assert_eq!(found, None, "{element:?} {name}");
            }
            let uniform = matches!(gravity, Gravity::Uniform(_));
            let found = scene
                .parameter_index(Element::World, "gravity", 0)
                .is_some();
            assert_eq!(found, uniform);
        }
    }
}
