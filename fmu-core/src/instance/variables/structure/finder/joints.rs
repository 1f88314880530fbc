//! What accelerations, energies and indicators of joints depend on.

use super::{Finder, Knowns};
use crate::index::JointId;
use crate::scene::Parameter;
use crate::scene::Stop;
use crate::scene::coordinate::{JointItem, ROWS};

impl Finder<'_> {
    /// All that accelerates a tree.
    pub(super) fn tree(&self, knowns: &mut Knowns, tree: usize) {
        self.gravity(knowns);
        for body in self.trees.bodies(tree) {
            self.pose(knowns, *body);
            self.motion(knowns, *body);
            self.mass(knowns, *body);
            self.inertia(knowns, *body);
            self.wrench(knowns, *body);
            self.applied(knowns, *body);
        }
        for joint in self.trees.joints(tree) {
            self.numbers_of_joint(knowns, *joint);
            self.inputs(knowns, self.trees.inputs_of_joint(*joint));
        }
    }

    /// What the springs of all joints store energy by.
    pub(super) fn springs(&self, knowns: &mut Knowns) {
        for (index, joint) in self.scene.joints().iter_enumerated() {
            let first = self.scene.layout().joint_positions(index).start;
            for (place, forces) in joint.forces.iter().enumerate() {
                if forces.spring.is_some() {
                    self.states(knowns, first + place..first + place + 1);
                    let items = [JointItem::SpringStiffness, JointItem::SpringRest];
                    self.parameters(
                        knowns,
                        items.map(|item| Parameter::Joint(index, place, item)),
                    );
                }
            }
        }
    }

    /// What viscous and Coulomb friction in all joints take energy by.
    pub(super) fn friction(&self, knowns: &mut Knowns) {
        let items = [
            JointItem::Damping,
            JointItem::Friction,
            JointItem::FrictionSpeed,
            JointItem::BallDamping,
        ];
        for (index, joint) in self.scene.joints().iter_enumerated() {
            let coordinates = joint.kind.coordinates().len();
            for (place, state) in self.scene.layout().joint_rates(index).enumerate() {
                // The numbers of a joint without coordinates stand at the first place.
                let place = if coordinates == 0 { 0 } else { place };
                let numbers = items.map(|item| Parameter::Joint(index, place, item));
                let is_there = |parameter| self.scene.parameter_index(parameter).is_some();
                if numbers.into_iter().any(is_there) {
                    self.states(knowns, state..state + 1);
                    self.parameters(knowns, numbers);
                }
            }
        }
    }

    /// What all end stops take energy by.
    pub(super) fn stopped(&self, knowns: &mut Knowns) {
        for stop in self.scene.stops() {
            self.stop(knowns, *stop);
            let rate = self.scene.layout().joint_rates(stop.joint).start + stop.coordinate;
            self.states(knowns, rate..rate + 1);
            self.number(knowns, stop, JointItem::StopStiffness);
            self.number(knowns, stop, JointItem::StopRestitution);
            self.frozen_inertia(knowns, stop.joint);
        }
    }

    /// The inertia that a stop freezes when its contact starts: that of the whole tree.
    fn frozen_inertia(&self, knowns: &mut Knowns, joint: JointId) {
        if let Some(tree) = self.trees.of_body(self.scene.joints()[joint].child) {
            for body in self.trees.bodies(tree) {
                self.pose(knowns, *body);
                self.mass(knowns, *body);
                self.inertia(knowns, *body);
            }
        }
    }

    /// Forces along the coordinates of a joint, and the rates of these.
    pub(super) fn joint_forces(&self, knowns: &mut Knowns, joint: JointId) {
        let (known, layout) = (&self.scene.joints()[joint], self.scene.layout());
        if known.kind.quaternion().is_none() {
            self.states(knowns, layout.joint_positions(joint));
        }
        self.states(knowns, layout.joint_rates(joint));
        self.numbers_of_joint(knowns, joint);
        self.inputs(knowns, self.trees.inputs_of_joint(joint));
        if known.forces.iter().any(|forces| forces.stops.is_some()) {
            self.frozen_inertia(knowns, joint);
        }
    }

    fn numbers_of_joint(&self, knowns: &mut Knowns, joint: JointId) {
        let places = self.scene.joints()[joint].kind.coordinates().len().max(1);
        for place in 0..places {
            let items = ROWS
                .iter()
                .map(|row| row.item)
                .chain([JointItem::BallDamping]);
            self.parameters(
                knowns,
                items.map(|item| Parameter::Joint(joint, place, item)),
            );
        }
    }

    pub(super) fn stop(&self, knowns: &mut Knowns, stop: Stop) {
        let first = self.scene.layout().joint_positions(stop.joint).start;
        let state = first + stop.coordinate;
        self.states(knowns, state..state + 1);
        let place = match stop.is_upper {
            true => JointItem::UpperStop,
            false => JointItem::LowerStop,
        };
        self.number(knowns, &stop, place);
    }

    /// A number of the coordinate of a stop.
    pub(super) fn number(&self, knowns: &mut Knowns, stop: &Stop, item: JointItem) {
        let number = Parameter::Joint(stop.joint, stop.coordinate, item);
        self.parameters(knowns, [number]);
    }
}
