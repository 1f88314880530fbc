//! Names of variables and of their elements; the scene names states and parameters.
//!
//! Structured: `ball.position[1]`, `der(ball.position[1])`, `ball.inertia[1,2]`, indices from 1.
//! Flat: the same with underscores, `ball_position_1`, `der_ball_position_1`, `ball_inertia_1_2`;
//! letters, digits and underscores only. An array is named without indices. The distance of a named
//! pair is `contact.distance.ball.table_cushion`, the dot of a shape's name an underscore; what is
//! reported of a pair starts with `contact.ball.table_cushion`, of a convex part `hills_3`.

use super::VariableTable;
use super::families::without_indices;
use super::quantity::{Quantity, flat};
use contact_model::scene::Scene;
use contact_model::scene::description::Naming;
use std::collections::BTreeMap;
use std::fmt;

/// Names the variables of a scene.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    scene: &'a Scene,
    table: &'a VariableTable,
}

impl<'a> Names<'a> {
    /// Names for a scene; `table` must be of the same scene.
    pub fn new(scene: &'a Scene, table: &'a VariableTable) -> Self {
        Names { scene, table }
    }

    /// Name of the variable that has a meaning among its elements.
    pub fn variable(&self, quantity: Quantity) -> String {
        self.in_convention(self.structured_variable(quantity))
    }

    /// Name of an element: that of the variable, for an array with the indices of the element.
    pub fn element(&self, quantity: Quantity) -> String {
        self.in_convention(quantity.name(self.scene))
    }

    fn in_convention(&self, structured: String) -> String {
        match self.scene.interface().naming {
            Naming::Structured => structured,
            Naming::Flat => flat(&structured),
        }
    }

    /// Structured name of a variable within its subject, `position[1]`; all of it where it does not
    /// begin with the name of the subject.
    pub(crate) fn member(&self, quantity: Quantity, subject: &str) -> String {
        let name = self.structured_variable(quantity);
        let member = name
            .strip_prefix(subject)
            .and_then(|rest| rest.strip_prefix('.'));
        member.map_or(name.clone(), str::to_owned)
    }

    fn structured_variable(&self, quantity: Quantity) -> String {
        let name = quantity.name(self.scene);
        let reference = self.table.reference(quantity).unwrap_or(0);
        match self.table.dimension(reference) {
            Some(_) => without_indices(&name),
            None => name,
        }
    }

    /// Checks that flat names are distinct, and that structured names remain so if a tool replaces
    /// each of `. [ ] ( ) ,` and space by an underscore.
    ///
    /// # Errors
    /// The first two variables with names that cannot be distinguished.
    pub(crate) fn check(&self) -> Result<(), NameClash> {
        let naming = self.scene.interface().naming;
        let mut seen = BTreeMap::new();
        for (_, quantity) in self.table.quantities() {
            let second = self.structured_variable(quantity);
            let becomes = match naming {
                Naming::Structured => replaced(&second),
                Naming::Flat => flat(&second),
            };
            if let Some(first) = seen.insert(becomes.clone(), second.clone()) {
                return Err(NameClash {
                    first,
                    second,
                    becomes,
                    naming,
                });
            }
        }
        Ok(())
    }
}

/// A structured name in a tool that replaces characters its own names may not have.
fn replaced(structured: &str) -> String {
    structured.replace(['.', '[', ']', '(', ')', ',', ' '], "_")
}

/// Two variables with names that cannot be distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameClash {
    /// Structured name of the variable that comes first in the document.
    pub first: String,
    /// Structured name of the other variable.
    pub second: String,
    /// What both names become.
    pub becomes: String,
    /// In the flat convention this is their name; in the structured one a tool may make it so.
    pub naming: Naming,
}

impl fmt::Display for NameClash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second, becomes) = (&self.first, &self.second, &self.becomes);
        let reason = match self.naming {
            Naming::Structured => "where a tool replaces `. [ ] ( ) ,` by `_`",
            Naming::Flat => "with flat names",
        };
        write!(
            f,
            "variables {first:?} and {second:?} both become {becomes:?} {reason}; rename a body or \
             a material"
        )
    }
}

impl std::error::Error for NameClash {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::modes::Standard;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::quantity::{Family, Subject};
    use crate::instance::variables::tests::{scene_with, two_balls};
    use contact_model::scene::SceneDescription;
    use contact_model::scene::description::{InterfaceOptions, MaterialPair};

    fn options(naming: Naming, arrays: bool) -> InterfaceOptions {
        InterfaceOptions {
            naming,
            arrays,
            ..InterfaceOptions::default()
        }
    }

    fn names(naming: Naming, arrays: bool) -> Vec<String> {
        let scene = scene_with(options(naming, arrays));
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let names = Names::new(&scene, &table);
        assert_eq!(names.check(), Ok(()));
        table.quantities().map(|(_, q)| names.variable(q)).collect()
    }

    #[track_caller]
    fn assert_has(found: &[String], expected: &[&str]) {
        for name in expected {
            let count = found.iter().filter(|n| n == name).count();
            assert_eq!(count, 1, "{name}");
        }
    }

    #[test]
    fn structured_names_follow_the_convention_of_the_standard() {
        assert_has(
            &names(Naming::Structured, false),
            &[
                "time",
                "ball.position[1]",
                "ball.orientation[4]",
                "other.velocity[3]",
                "other.angular_velocity[1]",
                "energy.dissipated",
                "der(ball.position[1])",
                "der(energy.dissipated)",
                "world.gravity[3]",
                "ground.position[3]",
                "ground.orientation[1]",
                "ball.mass",
                "ball.center_of_mass[2]",
                "ball.inertia[1,1]",
                "ball.inertia[2,3]",
                "material.Steel.youngs_modulus",
                "material.Steel.poissons_ratio",
                "material_pair.Steel.Steel.restitution",
                "material_pair.Steel.Steel.sliding_friction",
                "material_pair.Steel.Steel.rolling_resistance",
                "material_pair.Steel.Steel.v_small",
                "material_pair.Steel.Steel.w_small",
                "contact.k_red",
                "experiment.max_steps",
                "experiment.max_step",
                "experiment.solver",
                "ground.contact_force[1]",
                "ball.contact_torque[3]",
                "contact.count",
                "energy.kinetic",
                "energy.potential",
                "energy.contact_elastic",
                "contact.indicator[3]",
            ],
        );
    }

    #[test]
    fn flat_names_are_identifiers_that_no_language_keeps_for_itself() {
        let found = names(Naming::Flat, false);
        assert_has(
            &found,
            &[
                "time",
                "ball_position_1",
                "der_ball_position_1",
                "der_energy_dissipated",
                "ball_inertia_2_3",
                "material_pair_Steel_Steel_restitution",
                "ground_contact_force_1",
                "contact_indicator_3",
            ],
        );
        for name in &found {
            let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
            assert!(name.chars().all(good), "{name}");
            assert!(!name.starts_with(|c: char| c.is_ascii_digit()), "{name}");
            // [Modelica 3.6] section 2.3.3: no keyword has an underscore.
            assert!(name.contains('_') || name == "time", "{name}");
        }
    }

    #[test]
    fn arrays_are_named_without_indices_and_their_elements_with_them() {
        let expected = [
            (
                Naming::Structured,
                [
                    "ball.position",
                    "der(ball.position)",
                    "ball.inertia",
                    "contact.indicator",
                ],
                "der(ball.position[2])",
            ),
            (
                Naming::Flat,
                [
                    "ball_position",
                    "der_ball_position",
                    "ball_inertia",
                    "contact_indicator",
                ],
                "der_ball_position_2",
            ),
        ];
        for (naming, variables, element) in expected {
            assert_has(&names(naming, true), &variables);
            let scene = scene_with(options(naming, true));
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let found = Names::new(&scene, &table).element(Family::Derivative.of(1));
            assert_eq!(found, element);
        }
    }

    /// Material pairs (A_B, C) and (A, B_C).
    fn clashing_materials() -> SceneDescription {
        let mut description = two_balls();
        let steel = description.materials[0].clone();
        let response = description.material_pairs[0].response.clone();
        let names = ["A_B", "C", "A", "B_C"];
        for (name, shape) in names.iter().zip(0..4) {
            let mut material = steel.clone();
            material.name = (*name).into();
            description.materials.push(material);
            if shape >= 2 {
                let copy = description.bodies[1].shapes[0].clone();
                description.bodies[shape - 1].shapes.push(copy);
            }
            description.material_pairs.push(MaterialPair {
                materials: [(*name).into(), (*name).into()],
                response: response.clone(),
            });
        }
        let bodies = &mut description.bodies;
        bodies[1].shapes[0].material = "A_B".into();
        bodies[1].shapes[1].material = "A".into();
        bodies[1].shapes[1].name = "second".into();
        bodies[2].shapes[0].material = "C".into();
        bodies[2].shapes[1].material = "B_C".into();
        bodies[2].shapes[1].name = "second".into();
        description
    }

    #[test]
    fn names_that_would_become_equal_are_named_both() {
        for (naming, reason) in [
            (Naming::Structured, "where a tool replaces"),
            (Naming::Flat, "with flat names"),
        ] {
            let mut description = clashing_materials();
            description.interface.naming = naming;
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let clash = Names::new(&scene, &table).check().unwrap_err();
            assert_eq!(
                (clash.first.as_str(), clash.second.as_str()),
                (
                    "material_pair.A_B.C.restitution",
                    "material_pair.A.B_C.restitution"
                )
            );
            assert_eq!(clash.becomes, "material_pair_A_B_C_restitution");
            assert!(clash.to_string().contains(reason), "{clash}");
        }
    }

    #[test]
    fn words_of_modelica_are_names_like_others() {
        for (naming, expected) in [
            (Naming::Structured, ["block.mass", "end.velocity[2]"]),
            (Naming::Flat, ["block_mass", "end_velocity_2"]),
        ] {
            let mut description = two_balls();
            description.bodies[1].name = "block".into();
            description.bodies[2].name = "end".into();
            description.name = "model".into();
            description.interface.naming = naming;
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let names = Names::new(&scene, &table);
            assert_eq!(names.check(), Ok(()));
            let found: Vec<_> = table.quantities().map(|(_, q)| names.variable(q)).collect();
            assert_has(&found, &expected);
        }
    }

    #[test]
    fn a_body_called_like_a_derivative_clashes_with_flat_names_only() {
        let mut description = two_balls();
        description.bodies[2].name = "der_ball".into();
        for (naming, clashes) in [(Naming::Structured, false), (Naming::Flat, true)] {
            description.interface.naming = naming;
            let scene = Scene::new(description.clone()).unwrap();
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let check = Names::new(&scene, &table).check();
            assert_eq!(check.is_err(), clashes, "{check:?}");
        }
    }

    #[test]
    fn names_of_variables_are_those_of_their_subjects_and_a_member() {
        for (naming, arrays) in [(Naming::Structured, false), (Naming::Flat, true)] {
            let scene = scene_with(InterfaceOptions {
                naming,
                arrays,
                ..InterfaceOptions::default()
            });
            let table = VariableTable::new(&scene, Standard::Fmi3);
            let nominals = vec![1.0; scene.layout().count()];
            let variables = Describer::new(&scene, &table).variables(&nominals);
            let mut members = Vec::new();
            for variable in &variables {
                let subject = variable.subject.name(&scene);
                let flat = |name: &str| {
                    name.replace(['.', '[', ',', '('], "_")
                        .replace([']', ')'], "")
                };
                match variable.quantity.family {
                    // der(ball.position[1]) has the subject in the middle.
                    Family::Derivative => {
                        assert!(flat(&variable.name).contains(&flat(&subject)));
                    }
                    _ if variable.subject == Subject::Scene => {
                        assert_eq!(flat(&variable.member), flat(&variable.name));
                    }
                    _ => {
                        let whole = flat(&format!("{subject}.{}", variable.member));
                        assert_eq!(whole, flat(&variable.name));
                    }
                }
                members.push((subject, variable.member.clone()));
            }
            let vector = if arrays { "position" } else { "position[1]" };
            for (subject, member) in [
                ("ball", vector),
                ("other", "mass"),
                ("material.Steel", "youngs_modulus"),
                ("material_pair.Steel.Steel", "restitution"),
            ] {
                let found = members
                    .iter()
                    .filter(|(s, m)| (s.as_str(), m.as_str()) == (subject, member));
                assert_eq!(found.count(), 1, "{subject}.{member}");
            }
        }
    }
}
