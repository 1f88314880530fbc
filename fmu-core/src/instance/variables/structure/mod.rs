//! Dependencies: the model structure of [FMI 3.0] section 2.4.8.
//!
//! Dependencies are structural, from the scene alone. Known in continuous time and at events are
//! inputs and states; in FMI 3.0 also the independent variable and all parameters, fixed ones too.
//! The table of knowns in [FMI 3.0] section 2.4.8 counts these, the text on derivatives beside it
//! leaves out what cannot change in the current mode: the longer list is right by both, since it
//! only says what may enter. [FMI 2.0] section 2.2.8 counts no parameters. The time of an impact
//! and what a force acts on that changes with time depend on the independent variable. Known in
//! Initialization Mode are in both versions inputs, all variables with `initial = exact`, states
//! and parameters, and the independent variable again. The lists are about variables, so an array
//! depends on all that one of its elements depends on; [`dependencies`] distinguishes the elements.
//! Two bodies interact if two of their shapes form a candidate pair. In the formulas q is position
//! and orientation, v velocity and angular velocity:
//!
//! - position' = velocity; orientation' from orientation and angular velocity of the same body or
//!   joint; position' of any other coordinate of a joint is a velocity state
//! - velocity', contact force and torque from q, v of the body and of all it can touch; velocity'
//!   also from time where a force that changes with it acts on the body
//! - indicators, distances, number of contacts and elastic energy from the q of the bodies in the
//!   pairs
//! - kinetic energy from orientation and v, potential energy from q of all free bodies
//! - dissipated power from q, v of all bodies in pairs
//! - what is reported of a pair from q of its bodies, its motion and forces also from v
//!
//! Pose and velocity of a body in a tree of joints follow from those of the tree's root and from
//! the joints above the body; of a driven body from its inputs, which in Co-Simulation move on by
//! the velocities, so that the pose depends on these too; of a prescribed body from the time. The
//! accelerations of a tree depend on all states, loads, masses and joints of it, and so do its
//! reactions. An end stop's indicator depends on its coordinate and place.
//!
//! Where friction has deflections as states, forces of a contact, its dissipation and its elastic
//! energy depend on its deflection too, and the rate of a deflection depends on what the force
//! does. A deflection that belongs to a slot may be that of any pair: all of them depend on the same.

//!
//! - `sources`: what each element of a scene has that may enter a quantity
//! - `finder`: what enters a quantity
//! - this file: the lists of modelDescription.xml, and what depends on what

mod finder;
mod sources;

use super::quantity::Origin;
use super::{Causality, Family, Initial, Quantity, VariableTable};
use contact_model::scene::Scene;
use finder::{Finder, Knowns};

/// An unknown and the value references it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Value reference of the unknown.
    pub reference: u32,
    /// Value references of the knowns that enter it, ascending; may be empty. None where it is not
    /// worth listing: it may depend on all knowns, see [`MOST_LISTED`].
    pub dependencies: Option<Vec<u32>>,
}

/// The four lists of unknowns, each in document order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelStructure {
    /// All outputs.
    pub outputs: Vec<Unknown>,
    /// Derivatives of all states, in state order.
    pub state_derivatives: Vec<Unknown>,
    /// Unknowns of Initialization Mode: outputs and state derivatives that are not known exactly.
    pub initial_unknowns: Vec<Unknown>,
    /// Event indicators, in slot order.
    pub event_indicators: Vec<Unknown>,
}

impl ModelStructure {
    /// The structure of a scene; `table` must be of the same scene.
    pub fn new(scene: &Scene, table: &VariableTable) -> Self {
        let finder = Finder::new(scene, table);
        let mut structure = ModelStructure {
            outputs: Vec::new(),
            state_derivatives: Vec::new(),
            initial_unknowns: Vec::new(),
            event_indicators: Vec::new(),
        };
        // Neighbours in the document, like the components of a force, mostly have one origin.
        let mut last = (Vec::new(), Knowns::default());
        for (reference, quantity) in table.quantities() {
            let list = match quantity.family {
                Family::Derivative => &mut structure.state_derivatives,
                Family::Indicator => &mut structure.event_indicators,
                // A start value that is computed.
                Family::State if is_initial_unknown(scene, quantity) => {
                    structure.initial_unknowns.push(Unknown {
                        reference,
                        dependencies: None,
                    });
                    continue;
                }
                _ if table.causality(scene, quantity) == Causality::Output => {
                    &mut structure.outputs
                }
                _ => continue,
            };
            if !scene.grains().is_empty() {
                // By contact anything may depend on any ball.
                let unknown = Unknown {
                    reference,
                    dependencies: None,
                };
                list.push(unknown.clone());
                if is_initial_unknown(scene, quantity) {
                    structure.initial_unknowns.push(unknown);
                }
                continue;
            }
            let elements = table.elements(reference);
            let origins = elements.filter_map(|e| Some(finder.origin(table.meaning(e)?)));
            let mut origins: Vec<Origin> = origins.collect();
            origins.dedup();
            if origins != last.0 {
                let mut knowns = Knowns::default();
                for origin in &origins {
                    finder.add(*origin, &mut knowns);
                }
                last = (origins, knowns);
            }
            let knowns = &last.1;
            list.push(Unknown {
                reference,
                dependencies: finder.listed(table, knowns, false),
            });
            if is_initial_unknown(scene, quantity) {
                let mut knowns = knowns.clone();
                finder.add_start(&mut knowns);
                structure.initial_unknowns.push(Unknown {
                    reference,
                    dependencies: finder.listed(table, &knowns, true),
                });
            }
        }
        structure
    }
}

/// Returns true if a variable is listed as an unknown of Initialization Mode. Event indicators are for
/// debugging only then and not listed.
fn is_initial_unknown(scene: &Scene, quantity: Quantity) -> bool {
    quantity.initial(scene) == Some(Initial::Calculated) && quantity.family != Family::Indicator
}

/// When dependencies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Before initialisation ends.
    Start,
    /// Afterwards.
    Run,
}

/// An element of a variable, counted from 1; 0 for a scalar.
pub(crate) type ElementIndex = usize;

/// One dependency of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The element that depends.
    pub element: ElementIndex,
    /// Value reference of the variable that it depends on.
    pub known: u32,
    /// The element of that variable.
    pub(crate) known_element: ElementIndex,
}

/// What each element of a variable depends on, in document order; nothing if the variable is
/// known itself at this moment, or unknown to the table. Takes the time of one variable, not that
/// of the entire structure.
pub(crate) fn dependencies(
    scene: &Scene,
    table: &VariableTable,
    reference: u32,
    moment: Moment,
) -> Vec<Dependency> {
    let Some(quantity) = table.quantity(reference) else {
        return Vec::new();
    };
    let is_known = match moment {
        Moment::Start => quantity.initial(scene) != Some(Initial::Calculated),
        Moment::Run => matches!(
            quantity.family,
            Family::Time | Family::Parameter | Family::Input
        ),
    };
    if is_known {
        return Vec::new();
    }
    // The lists of Initialization Mode have no event indicators; their own list is that of the run.
    let at_start = moment == Moment::Start && quantity.family != Family::Indicator;
    let index = |variable: u32, element: u32| match table.dimension(variable) {
        Some(_) => (element - table.elements(variable).start) as usize + 1,
        None => 0,
    };
    let finder = Finder::new(scene, table);
    let mut list = Vec::new();
    for element in table.elements(reference) {
        let mut knowns = Knowns::default();
        if let Some(meaning) = table.meaning(element) {
            finder.add(finder.origin(meaning), &mut knowns);
        }
        if at_start {
            finder.add_start(&mut knowns);
        }
        list.extend(finder.list(&knowns, at_start).map(|known_element| {
            let known = table.variable_of(known_element);
            Dependency {
                element: index(reference, element),
                known,
                known_element: index(known, known_element),
            }
        }));
    }
    list
}

#[cfg(test)]
#[path = "../../../../tests/unit/instance/variables/structure/tests/mod.rs"]
mod tests;
