//! Names of inputs, outputs, states, stops, laws and pairs, as importers see them.

use crate::scene::Scene;
use crate::scene::layout::Deflections;
use crate::scene::outputs::{Input, Output, Owner};
use contact_laws::index::{
    BodyId, DeflectionId, ForceId, InputId, JointId, LawId, OutputId, PairId, ShapeId, StopId,
};

impl Input {
    /// Name, structured as importers see it: `hammer.position[1]`, `force.push.torque[3]`,
    /// `hinge.torque`.
    pub(super) fn name(self, scene: &Scene) -> String {
        let body = |b: BodyId| &scene.bodies[b].name;
        let force = |f: ForceId| &scene.forces[f].name;
        let joint = |j: JointId| &scene.joints()[j];
        match self {
            Input::Position(b, i) => format!("{}.position[{}]", body(b), i + 1),
            Input::Orientation(b, i) => format!("{}.orientation[{}]", body(b), i + 1),
            Input::Rotation(b, i) => {
                format!("{}.rotation[{},{}]", body(b), i / 3 + 1, i % 3 + 1)
            }
            Input::Velocity(b, i) => format!("{}.velocity[{}]", body(b), i + 1),
            Input::AngularVelocity(b, i) => format!("{}.angular_velocity[{}]", body(b), i + 1),
            Input::Force(f, i) => format!("force.{}.force[{}]", force(f), i + 1),
            Input::Torque(f, i) => format!("force.{}.torque[{}]", force(f), i + 1),
            Input::Joint(j, c) => {
                let coordinate = joint(j).kind.coordinates()[c];
                format!("{}.{}", joint(j).name, coordinate.force_key)
            }
            Input::BallTorque(j, i) => format!("{}.torque[{}]", joint(j).name, i + 1),
            Input::Latch(l) => format!("latch.{}.command", scene.latches[l].name),
            Input::Parameter(address) => scene.address_name(address),
        }
    }
}

impl Output {
    /// Name, structured as importers see it: `link.position[1]`,
    /// `hinge.reaction_force[2]`, `measure.tip.distance`.
    pub(super) fn name(self, scene: &Scene) -> String {
        let (prefix, owner) = match self.owner {
            Owner::Body(b) => ("", &scene.bodies[b].name),
            Owner::Joint(j) => ("", &scene.joints()[j].name),
            Owner::Measurement(m) => ("measure.", &scene.measurements[m].name),
            Owner::Latch(l) => ("latch.", &scene.latches[l].name),
            Owner::Trigger(t) => ("trigger.", &scene.triggers[t].given.name),
        };
        let component = self.component().map(|i| format!("[{}]", i + 1));
        let key = self.item.row().key;
        format!("{prefix}{owner}.{key}{}", component.unwrap_or_default())
    }
}

impl Scene {
    /// Name of an input, structured as importers see it: `hammer.position[1]`,
    /// `force.push.torque[3]`, `hinge.torque`.
    pub fn input_name(&self, index: InputId) -> String {
        self.inputs[index].name(self)
    }

    /// Name of an output, structured as importers see it: `link.position[1]`,
    /// `hinge.reaction_force[2]`, `measure.tip.distance`.
    pub fn output_name(&self, index: OutputId) -> String {
        self.outputs[index].name(self)
    }

    /// Name of a state, structured as importers see it: `ball.position[3]`, `hinge.angle`,
    /// `contact.ground.ball.deflection[1]`; `energy.dissipated`.
    pub fn state_name(&self, state: usize) -> String {
        if let Some(index) = self.layout().link_of(state) {
            let link = &self.links()[index];
            let (positions, rates) = (self.layout().positions(index), self.layout().rates(index));
            let key = match state.checked_sub(rates.start) {
                Some(place) => link.state_key(true, place),
                None => link.state_key(false, state - positions.start),
            };
            return format!("{}.{key}", link.name);
        }
        if let Some(deflection) = self.layout.deflection_of_state(state) {
            let name = self.deflection_name(deflection);
            let component = state - self.layout.deflection(deflection).start;
            return format!("{name}.deflection[{}]", component + 1);
        }
        "energy.dissipated".into()
    }

    /// What has this deflection, for texts: `ground:ball`, or the number of a slot.
    pub fn deflection_owner(&self, deflection: DeflectionId) -> String {
        match self.layout.deflections() {
            Deflections::OfPairs(pairs) => self.pair_name(pairs[deflection]),
            _ => (usize::from(deflection) + 1).to_string(),
        }
    }

    /// Name of what has this deflection: `contact.ground.ball`, `contact.slot[7]`.
    fn deflection_name(&self, deflection: DeflectionId) -> String {
        match self.layout.deflections() {
            Deflections::OfPairs(pairs) => {
                // As in the names of reported contacts: `hills[3]` is `hills_3`.
                let names = self.pair_names(pairs[deflection]);
                let [a, b] = names.map(|name| name.replace(['.', '['], "_").replace(']', ""));
                format!("contact.{a}.{b}")
            }
            _ => format!("contact.slot[{}]", usize::from(deflection) + 1),
        }
    }

    /// Name of a pair for messages: `ball:ground`; a body with several shapes is named with the
    /// shape, `table.cushion`.
    pub fn pair_name(&self, pair: PairId) -> String {
        let [first, second] = self.pair_names(pair);
        format!("{first}:{second}")
    }

    /// Names of the two shapes of a pair, as [`Self::pair_name`] joins them.
    pub fn pair_names(&self, pair: PairId) -> [String; 2] {
        self.pairs.get(pair).shapes.map(|s| self.shape_name(s))
    }

    /// Name of a shape, as [`Self::pair_name`] joins two of them.
    pub fn shape_name(&self, shape: ShapeId) -> String {
        let shape = &self.shapes[shape];
        let body = &self.bodies[shape.body];
        let mut name = body.name.clone();
        if body.shape_count > 1 {
            name.push('.');
            name.push_str(&shape.name);
        }
        if let Some(part) = shape.part {
            name.push_str(&format!("[{}]", part + 1));
        }
        name
    }

    /// Names of the joint and of the side of an end stop: `hinge`, `upper`; a joint with several
    /// coordinates is named with the coordinate, `rod.displacement`.
    pub fn stop_names(&self, stop: StopId) -> [String; 2] {
        let stop = &self.stops[stop];
        let joint = &self.joints()[stop.joint];
        let mut name = joint.name.clone();
        let coordinates = joint.kind.coordinates();
        if coordinates.len() > 1 {
            name.push('.');
            name.push_str(coordinates[stop.coordinate].key);
        }
        let side = if stop.is_upper { "upper" } else { "lower" };
        [name, side.into()]
    }

    /// Name of a law, as its parameters begin with it: `material_pair.Rubber.Steel`,
    /// `pair.ball.box`.
    pub fn law_prefix(&self, law: LawId) -> String {
        let law = &self.laws[law];
        match &law.between {
            None => {
                let [a, b] = law.materials.map(|m| &self.materials[m].name);
                format!("material_pair.{a}.{b}")
            }
            Some(between) => {
                // As in the names of distances: two levels, whatever is named.
                let [a, b] = between.each_ref().map(|n| n.to_string().replace('.', "_"));
                format!("pair.{a}.{b}")
            }
        }
    }
}
