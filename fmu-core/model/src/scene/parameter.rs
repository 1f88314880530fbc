//! Parameters: numbers of the elements of a scene that may change after the FMU was built.
//!
//! Each class of elements has a table of its parameters beside its data. A row has name, text, type and range of
//! a parameter, what it enters, and the place of its numbers in an element, if the element has it. List, names,
//! start values, binding and dependencies follow from the rows.

use crate::scene::coordinate::{self, JointItem};
use crate::scene::description::body::{self, BodyNumbers};
use crate::scene::description::contact::{self, ContactNumbers};
use crate::scene::description::world::{self, Integration};
use crate::scene::description::{BallForces, CoordinateForces, Gravity, Material};
use crate::scene::forces::ForceTimeProfile;
use crate::scene::motions::MotionTimeProfile;
use contact_laws::index::{BodyId, ForceId, JointId, LawId, MaterialId, MotionId};
use contact_laws::quantity::{Feeds, Key, ParameterFacts, ParameterRow, Quantity, Value};
use contact_laws::response::{LawChoice, Number};
use std::slice::from_mut;

/// An element with parameters, in the order of their list; indices are those of [`Scene`](crate::scene::Scene).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// Gravity.
    World,
    /// A body.
    Body(BodyId),
    /// A contact material.
    Material(MaterialId),
    /// A contact law.
    Law(LawId),
    /// All contacts.
    Contact,
    /// A prescribed force.
    Force(ForceId),
    /// A coordinate of a joint by its index in the joint's kind; 0 for a spherical joint itself.
    Joint(JointId, u8),
    /// A prescribed motion.
    Motion(MotionId),
    /// The integrator of Co-Simulation.
    Experiment,
}

/// A parameter: an element, a row of its class and a component. Addresses ascend in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// Whose number it is.
    pub element: Element,
    pub(super) row: u8,
    pub(super) component: u8,
}

/// The parameters of an element, with values.
#[derive(Clone, Debug)]
pub enum ElementNumbers {
    /// Of gravity.
    World(Gravity),
    /// Of a body.
    Body(BodyNumbers),
    /// Of a contact material.
    Material(Material),
    /// Of a contact law.
    Law(LawChoice),
    /// Of all contacts.
    Contact(ContactNumbers),
    /// Of a prescribed force.
    Force(ForceTimeProfile),
    /// Of a coordinate of a joint.
    Coordinate(CoordinateForces),
    /// Of a spherical joint.
    Ball(BallForces),
    /// Of a prescribed motion.
    Motion(MotionTimeProfile),
    /// Of the integrator of Co-Simulation.
    Experiment(Integration),
}

impl ElementNumbers {
    /// Components of the parameter of a row; `None` if the element does not have it.
    pub(super) fn row(&mut self, row: usize) -> Option<&mut [f64]> {
        fn at<'a, E>(
            rows: &[ParameterRow<E>],
            row: usize,
            own: &'a mut E,
        ) -> Option<&'a mut [f64]> {
            rows.get(row).and_then(|row| (row.at)(own))
        }
        match self {
            ElementNumbers::World(own) => at(&world::GRAVITY_PARAMETERS, row, own),
            ElementNumbers::Body(own) => at(&body::PARAMETERS, row, own),
            ElementNumbers::Material(own) => at(&contact::MATERIAL_PARAMETERS, row, own),
            ElementNumbers::Law(own) => own.number_mut(Number::all().nth(row)?).map(from_mut),
            ElementNumbers::Contact(own) => at(&contact::CONTACT_PARAMETERS, row, own),
            ElementNumbers::Force(own) => at(const { &ForceTimeProfile::PARAMETERS }, row, own),
            ElementNumbers::Coordinate(own) => (coordinate::ROWS.get(row)?.at)(own).map(from_mut),
            ElementNumbers::Ball(own) => {
                (row == JointItem::Damping as usize).then_some(from_mut(&mut own.damping))
            }
            ElementNumbers::Motion(own) => at(const { &MotionTimeProfile::PARAMETERS }, row, own),
            ElementNumbers::Experiment(own) => at(&world::INTEGRATION, row, own),
        }
    }

    /// A number; `None` if the element does not have it.
    pub(super) fn at(&mut self, address: Address) -> Option<&mut f64> {
        let row = self.row(address.row.into())?;
        row.get_mut(usize::from(address.component))
    }
}

/// Description where there is no row.
const NOTHING: ParameterFacts = ParameterFacts {
    quantity: Quantity::of(&Key::new("", "", Value::Flag, "")),
    size: None,
    feeds: Feeds::NOTHING,
};

impl Element {
    /// Description of the parameter of a row in any scene, of a joint for an angle; `None` if there is no such row.
    pub(super) fn row(self, row: usize) -> Option<ParameterFacts> {
        fn at<E>(rows: &[ParameterRow<E>], row: usize) -> Option<ParameterFacts> {
            rows.get(row).map(|row| row.facts)
        }
        match self {
            Element::World => at(&world::GRAVITY_PARAMETERS, row),
            Element::Body(_) => at(&body::PARAMETERS, row),
            Element::Material(_) => at(&contact::MATERIAL_PARAMETERS, row),
            Element::Law(_) => Number::all().nth(row).map(|n| *n.parameter()),
            Element::Contact => at(&contact::CONTACT_PARAMETERS, row),
            Element::Force(_) => at(const { &ForceTimeProfile::PARAMETERS }, row),
            Element::Joint(..) => coordinate::ROWS.get(row).map(|row| row.parameter(true)),
            Element::Motion(_) => at(const { &MotionTimeProfile::PARAMETERS }, row),
            Element::Experiment => at(&world::INTEGRATION, row),
        }
    }
}

impl Address {
    /// Its description in any scene, of a joint for an angle.
    pub(super) fn facts(self) -> ParameterFacts {
        self.element.row(self.row.into()).unwrap_or(NOTHING)
    }

    /// Name of its row, unique in an element; of a joint that for an angle.
    pub fn key(self) -> &'static str {
        self.facts().quantity.key
    }

    /// What it enters, of its element.
    pub fn feeds(self) -> Feeds {
        self.facts().feeds
    }

    /// Index in the vector or tensor that the parameter is an element of, from 0; `None` for a scalar.
    pub fn component(self) -> Option<usize> {
        self.facts().size.map(|_| self.component.into())
    }

    /// Why the parameter, with this value in the scene, cannot be an input; `None` if it can.
    pub(super) fn why_no_input(self, value: f64) -> Option<&'static str> {
        use Number::{
            Area, LayerDepth1, LayerDepth2, StiffnessPerArea, TangentialDamping,
            TangentialStiffness,
        };
        let may_derive = self.law_number().is_some_and(|number| {
            matches!(
                number,
                Area | LayerDepth1
                    | LayerDepth2
                    | StiffnessPerArea
                    | TangentialDamping
                    | TangentialStiffness
            )
        });
        match (self.element, self.feeds()) {
            _ if may_derive && value == 0.0 => {
                Some("0 stands for a derived value; give it in the scene")
            }
            (Element::Body(_), Feeds::POSITION | Feeds::ORIENTATION) | (Element::Motion(_), _) => {
                Some("poses would jump; motion = \"driven\" has pose and velocity as inputs")
            }
            (Element::World, _) if self.key() == "gravity_center" => {
                Some("no step of a difference quotient fits bodies at all distances from it")
            }
            (Element::Experiment, _) => Some("it is of the integrator, not of the model"),
            _ => None,
        }
    }

    /// Number of a law.
    pub fn law_number(self) -> Option<Number> {
        let is_of_law = matches!(self.element, Element::Law(_));
        Number::all().nth(self.row.into()).filter(|_| is_of_law)
    }
}

/// Row and column of the inertia entries xx, yy, zz, xy, xz, yz.
pub const INERTIA_ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
