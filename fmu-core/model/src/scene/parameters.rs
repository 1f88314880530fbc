//! The numbers of a scene that may change after the FMU was built.
//!
//! The inertia I [kg.m2] of a body follows its mass m [kg], I = I_0 m/m_0 with the values I_0 and
//! m_0 of the scene, until an entry of it is set to another value than that of I_0; then I has the
//! entries as set, and those of I_0 for the rest. Some importers set every parameter, those that
//! the user has not changed to the start value in modelDescription.xml. Therefore that value, up to
//! [`PRINTED`], counts as not set: they obtain what others obtain that set what changed, in any
//! order of the calls. No other parameter depends on which ones were set.

use crate::scene::Scene;
use crate::scene::coordinate::{self, JointItem};
use crate::scene::description::Gravity;
use crate::scene::forces::ForceTimeProfile;
use crate::scene::parameter::{INERTIA_ENTRIES, Parameter};
use contact_laws::index::{BodyId, ForceId, ParameterId, TiVec, ti_vec};
use contact_laws::quantity::{Quantity, units};
use contact_laws::response::Number;
use serde::{Deserialize, Serialize};
use std::array::from_fn;

impl Scene {
    /// What is said of a parameter, as it is in this scene; the name of one of a joint is a part of its
    /// key only.
    pub fn parameter_row(&self, parameter: Parameter) -> Quantity {
        let row = parameter.row();
        let is_sine =
            |f: ForceId| matches!(self.forces()[f].profile, ForceTimeProfile::Sine { .. });
        match parameter {
            Parameter::Law(law, Number::Stiffness) => {
                // FMI has integer powers of units only, so with another exponent than 1 it has none.
                let choice = &self.laws()[law].choice;
                let has_exponent = choice.kinds.uses(Number::Exponent);
                let declared = match has_exponent && choice.number(Number::Exponent) != 1.0 {
                    true => row.declared,
                    false => units::STIFFNESS,
                };
                Quantity { declared, ..row }
            }
            Parameter::Force(f, _) if is_sine(f) => {
                let text = "Amplitude of the prescribed force along";
                Quantity { text, ..row }
            }
            Parameter::Torque(f, _) if is_sine(f) => {
                let text = "Amplitude of the prescribed torque about";
                Quantity { text, ..row }
            }
            Parameter::Joint(j, place, item) => {
                let coordinates = self.joints()[j].kind.coordinates();
                let is_angle = coordinates.get(place).is_none_or(|c| c.is_angle());
                let (key, declared) = (item.row().key(is_angle), item.row().declared(is_angle));
                Quantity {
                    key,
                    declared,
                    ..row
                }
            }
            _ => row,
        }
    }

    /// Name of a parameter, structured as importers see it: `ball.mass`, `world.gravity[3]`.
    pub fn parameter_name(&self, index: ParameterId) -> String {
        let parameter = self.parameters[index];
        let body = |b: BodyId| &self.bodies()[b].name;
        let key = self.parameter_row(parameter).key;
        // What is before the key: the element, and the table in it where several have a key of this
        // name.
        let owner = match parameter {
            Parameter::Gravity(_) => "world.".to_owned(),
            Parameter::GravitationalParameter | Parameter::GravityCenter(_) => {
                "world.gravity_".to_owned()
            }
            Parameter::FixedPosition(b, _)
            | Parameter::FixedOrientation(b, _)
            | Parameter::Mass(b)
            | Parameter::CenterOfMass(b, _)
            | Parameter::Inertia(b, _) => format!("{}.", body(b)),
            Parameter::YoungsModulus(m) | Parameter::PoissonsRatio(m) => {
                format!("material.{}.", self.materials()[m].name)
            }
            Parameter::Law(l, _) => format!("{}.", self.law_prefix(l)),
            Parameter::KRed | Parameter::DMax => "contact.".to_owned(),
            Parameter::MaxSteps | Parameter::MaxStep | Parameter::Solver => {
                "experiment.".to_owned()
            }
            Parameter::Force(f, _)
            | Parameter::Torque(f, _)
            | Parameter::ForceFrequency(f)
            | Parameter::ForcePhase(f) => format!("force.{}.", self.forces()[f].name),
            Parameter::Motion(m, ..) => format!("motion.{}.", body(self.motions()[m].body)),
            Parameter::Joint(j, place, item) => {
                let joint = &self.joints()[j];
                return match joint.kind.coordinates().get(place) {
                    None => format!("{}.{key}", joint.name),
                    Some(coordinate) => format!(
                        "{}.{}_{}",
                        joint.name,
                        coordinate.key,
                        item.row().name(coordinate.is_angle())
                    ),
                };
            }
        };
        match (parameter, parameter.component()) {
            (Parameter::Inertia(_, i), _) => {
                let (row, column) = INERTIA_ENTRIES[i];
                format!("{owner}{key}[{},{}]", row + 1, column + 1)
            }
            (_, Some(i)) => format!("{owner}{key}[{}]", i + 1),
            (_, None) => format!("{owner}{key}"),
        }
    }
}

/// All parameters of a scene in their fixed order.
pub(super) fn list(scene: &Scene) -> TiVec<ParameterId, Parameter> {
    let mut list = TiVec::new();
    match scene.gravity() {
        Gravity::None => {}
        Gravity::Uniform(_) => list.extend((0..3).map(Parameter::Gravity)),
        Gravity::Point { .. } => {
            list.push(Parameter::GravitationalParameter);
            list.extend((0..3).map(Parameter::GravityCenter));
        }
    }
    for (b, body) in scene.bodies().iter_enumerated() {
        if scene.is_grain(b) {
            break;
        }
        if body.is_dynamic() {
            list.push(Parameter::Mass(b));
            list.extend((0..3).map(|i| Parameter::CenterOfMass(b, i)));
            list.extend((0..6).map(|i| Parameter::Inertia(b, i)));
        } else if body.is_fixed() {
            list.extend((0..3).map(|i| Parameter::FixedPosition(b, i)));
            list.extend((0..4).map(|i| Parameter::FixedOrientation(b, i)));
        }
    }
    for m in scene.materials().keys() {
        list.extend([Parameter::YoungsModulus(m), Parameter::PoissonsRatio(m)]);
    }
    for (index, law) in scene.laws().iter_enumerated() {
        list.extend(law.choice.used().map(|n| Parameter::Law(index, n)));
    }
    if !scene.pairs().is_empty() {
        list.push(Parameter::KRed);
    }
    if scene.bounds_damping() {
        list.push(Parameter::DMax);
    }
    for (f, force) in scene.forces().iter_enumerated() {
        let given = force.vectors();
        if given.force.is_some() {
            list.extend((0..3).map(|i| Parameter::Force(f, i)));
        }
        if given.torque.is_some() {
            list.extend((0..3).map(|i| Parameter::Torque(f, i)));
        }
        if matches!(force.profile, ForceTimeProfile::Sine { .. }) {
            list.extend([Parameter::ForceFrequency(f), Parameter::ForcePhase(f)]);
        }
    }
    for (j, joint) in scene.joints().iter_enumerated() {
        for (c, forces) in joint.forces.iter().enumerate() {
            let rows = coordinate::ROWS.iter();
            let own = rows.filter(|row| (row.get)(forces).is_some());
            list.extend(own.map(|row| Parameter::Joint(j, c, row.item)));
        }
        if joint.kind.is_ball() {
            list.push(Parameter::Joint(j, 0, JointItem::BallDamping));
        }
    }
    for (m, motion) in scene.motions().iter_enumerated() {
        let numbers = motion.numbers().into_iter();
        list.extend(numbers.map(|(item, i, _)| Parameter::Motion(m, item, i)));
    }
    list.extend([Parameter::MaxSteps, Parameter::MaxStep, Parameter::Solver]);
    list
}

/// Value of a parameter as the scene gives it.
fn start_value(scene: &Scene, parameter: Parameter) -> f64 {
    let force = |f: ForceId| &scene.forces()[f];
    match parameter {
        Parameter::Gravity(i) => match scene.gravity() {
            Gravity::Uniform(g) => g[i],
            _ => 0.0,
        },
        Parameter::GravitationalParameter => match scene.gravity() {
            Gravity::Point { mu, .. } => mu,
            _ => 0.0,
        },
        Parameter::GravityCenter(i) => match scene.gravity() {
            Gravity::Point { center, .. } => center[i],
            _ => 0.0,
        },
        Parameter::FixedPosition(b, i) => scene.bodies()[b].position[i],
        Parameter::FixedOrientation(b, i) => scene.bodies()[b].orientation[i],
        Parameter::Mass(b) => scene.bodies()[b].mass.mass,
        Parameter::CenterOfMass(b, i) => scene.bodies()[b].mass.center_of_mass[i],
        Parameter::Inertia(b, i) => scene.bodies()[b].mass.inertia[INERTIA_ENTRIES[i]],
        Parameter::YoungsModulus(m) => scene.materials()[m].youngs_modulus,
        Parameter::PoissonsRatio(m) => scene.materials()[m].poissons_ratio,
        Parameter::Law(l, number) => scene.laws()[l].choice.number(number),
        Parameter::KRed => scene.contact().k_red,
        Parameter::DMax => scene.contact().law.d_max,
        Parameter::MaxSteps => scene.experiment().max_steps,
        Parameter::MaxStep => scene.experiment().max_step,
        Parameter::Solver => scene.experiment().solver.number(),
        Parameter::Force(f, i) => force(f).vectors().force.unwrap_or_default()[i],
        Parameter::Torque(f, i) => force(f).vectors().torque.unwrap_or_default()[i],
        Parameter::ForceFrequency(f) => force(f).sine().0,
        Parameter::ForcePhase(f) => force(f).sine().1,
        Parameter::Motion(m, item, i) => {
            let mut numbers = scene.motions()[m].numbers().into_iter();
            let found = numbers.find(|(known, place, _)| (*known, *place) == (item, i));
            found.map_or(0.0, |(_, _, value)| value)
        }
        Parameter::Joint(j, c, item) => {
            let joint = &scene.joints()[j];
            match joint.forces.get(c) {
                Some(forces) => (item.row().get)(forces).unwrap_or(0.0),
                None => joint.ball.damping,
            }
        }
    }
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

impl Parameters {
    /// The values that the scene starts with.
    pub fn start(scene: &Scene) -> Self {
        Parameters {
            values: scene
                .parameters()
                .iter()
                .map(|p| start_value(scene, *p))
                .collect(),
            inertia_given: ti_vec![false; scene.bodies().len()],
        }
    }

    /// Value of the parameter with this index.
    pub fn get(&self, index: ParameterId) -> f64 {
        self.values[index]
    }

    /// Returns true if setting the parameter with this index to this value would change nothing.
    pub fn holds(&self, scene: &Scene, index: ParameterId, value: f64) -> bool {
        match scene.parameters()[index] {
            parameter @ Parameter::Inertia(b, _) if !self.inertia_given[b] => {
                is_stated(value, start_value(scene, parameter))
            }
            _ => self.values[index].to_bits() == value.to_bits(),
        }
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
        match scene.parameters()[index] {
            Parameter::Mass(b) => {
                self.values[index] = value;
                if !self.inertia_given[b] {
                    self.scale_inertia(scene, b, index);
                }
            }
            Parameter::Inertia(b, i) => self.set_inertia(scene, b, index.minus(i), i, value),
            _ => self.values[index] = value,
        }
    }

    /// The inertia of body `b` for its mass, which has the index `mass`.
    fn scale_inertia(&mut self, scene: &Scene, b: BodyId, mass: ParameterId) {
        // From the scene's values, not from the last ones: no rounding piles up.
        let factor = self.values[mass] / scene.bodies()[b].mass.mass;
        let first = mass.plus(INERTIA_AFTER_MASS);
        for i in 0..6 {
            self.values[first.plus(i)] = start_value(scene, Parameter::Inertia(b, i)) * factor;
        }
    }

    /// Sets an entry of the inertia of body `b`, the first of which has the index `first`.
    fn set_inertia(&mut self, scene: &Scene, b: BodyId, first: ParameterId, i: usize, value: f64) {
        let stated: [f64; 6] = from_fn(|i| start_value(scene, Parameter::Inertia(b, i)));
        let entries = &mut self.values[first..first.plus(6)].raw;
        if !self.inertia_given[b] {
            if is_stated(value, stated[i]) {
                return;
            }
            entries.copy_from_slice(&stated);
        }
        entries[i] = value;
        let mut pairs = entries.iter().zip(stated);
        self.inertia_given[b] = !pairs.all(|(value, stated)| is_stated(*value, stated));
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
    use contact_laws::response::Number;

    #[test]
    fn a_value_that_is_held_changes_nothing_when_it_is_set_again() {
        let description = steel_scene(vec![plate(), ball("a", [0.0; 3])]);
        let scene = Scene::new(description).unwrap();
        let index = |parameter| scene.parameter_index(parameter).unwrap();
        let (mass, inertia) = (
            index(Parameter::Mass(1.into())),
            index(Parameter::Inertia(1.into(), 0)),
        );
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
        let index = |parameter| scene.parameter_index(parameter).unwrap();
        let start = Parameters::start(&scene);
        for (b, other) in [(1, 2), (2, 1)] {
            let mass = index(Parameter::Mass(b.into()));
            let entries: [ParameterId; 6] = from_fn(|i| index(Parameter::Inertia(b.into(), i)));
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
                    let untouched = index(Parameter::Inertia(other.into(), 0));
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
                assert_eq!(scene.parameter_index(*parameter), Some(index));
            }
            // Body 0 is fixed; there is one material and one pair of it.
            for missing in [
                Parameter::Mass(0.into()),
                Parameter::FixedPosition(1.into(), 0),
                Parameter::Inertia(1.into(), 6),
                Parameter::YoungsModulus(1.into()),
                Parameter::Law(1.into(), Number::Restitution),
            ] {
                assert_eq!(scene.parameter_index(missing), None, "{missing:?}");
            }
            let uniform = matches!(gravity, Gravity::Uniform(_));
            let found = scene.parameter_index(Parameter::Gravity(0)).is_some();
            assert_eq!(found, uniform);
        }
    }
}
