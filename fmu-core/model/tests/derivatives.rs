//! Exact derivatives along directions of states and inputs, against central differences, and their
//! sparsity by part.
//!
//! - [`time`]: the same along time

mod time;

use crate::fixtures::*;
use crate::random::Random;
use contact_model::hybrid::{Along, Blocks, Direction};

/// Depth of the contacts [m], over which their forces vary.
const DEPTH: f64 = 1e-4;
/// Step of differences, as a part of the scale of a state or an input.
const STEP: f64 = 1e-2;
/// Largest error of a derivative, as a part of the largest one of the same rate, indicator or output,
/// each taken over the scale of its state or input.
const TOLERANCE: f64 = 1e-6;
/// Size of what results are computed from [SI]: contact forces of some 10 kN.
const INTERMEDIATE: f64 = 1e5;
/// Unit quaternions of no particular turn.
const TURNS: [[f64; 4]; 2] = [[0.5, 0.1, -0.7, 0.5], [0.3, 0.9, -0.1, 0.3]];

/// Changes over which derivatives vary.
#[derive(Clone, Copy)]
struct Scales {
    /// Of a position or deflection [m], [rad] or [1].
    position: f64,
    /// Of a velocity [m/s], [rad/s].
    speed: f64,
}

/// While the contacts of a scene are 0.1 mm deep and slide.
const SLIDING: Scales = Scales {
    position: 0.1 * DEPTH,
    speed: 0.1,
};
/// The same at rest: friction and rolling resistance vary over 0.01 m/s and 0.01 rad/s.
const RESTING: Scales = Scales {
    position: 0.1 * DEPTH,
    speed: 1e-3,
};

/// A system at a time, states and inputs.
pub struct Case {
    pub name: &'static str,
    pub system: System,
    pub time: f64,
    pub states: Vec<f64>,
    pub inputs: Vec<f64>,
    /// When the inputs were set [s]; none if they are those of the present time.
    pub since: Option<f64>,
    /// Number of pairs in contact.
    contacts: usize,
    scales: Scales,
    /// Largest error of a derivative, as [`TOLERANCE`].
    pub tolerance: f64,
}

/// Rates, indicators and outputs, or their derivatives.
type Results = [Vec<f64>; 3];

/// The largest derivatives of each rate, indicator and output.
struct Sizes {
    /// By a state or input.
    steepest: Results,
    /// The same times the scale of that.
    scaled: Results,
}

fn empty(system: &System) -> Results {
    let (states, indicators) = (system.state_count(), system.indicator_count());
    [states, indicators, system.output_count()].map(|count| vec![f64::NAN; count])
}

fn places([rates, indicators, outputs]: &mut Results) -> Along<'_> {
    Along {
        rates,
        indicators,
        outputs,
    }
}

impl Case {
    pub fn new(
        name: &'static str,
        mut description: SceneDescription,
        contacts: usize,
        balance: bool,
    ) -> Self {
        description.energy_balance = balance;
        description.report = Report::All;
        description.contact.report_parts = true;
        description.overlap = Report::All;
        let scene = valid(description);
        let system = start_of(&scene);
        let mut case = Case {
            name,
            system,
            time: 0.0,
            states: scene.start_states(),
            inputs: scene.start_inputs().raw,
            since: None,
            contacts,
            scales: SLIDING,
            tolerance: TOLERANCE,
        };
        for (input, meaning) in case.inputs.iter_mut().zip(scene.inputs()) {
            if meaning.driven_body().is_none() {
                *input = 1.7 * (meaning.component().unwrap_or(0) as f64 - 0.8);
            }
        }
        case.update();
        case
    }

    fn at_rest(mut self) -> Self {
        self.scales = RESTING;
        self
    }

    fn at(mut self, time: f64) -> Self {
        self.time = time;
        self.update();
        self
    }

    /// Takes the contacts of the present states.
    fn update(&mut self) {
        self.system.set_inputs(&self.inputs, self.since);
        update(&mut self.system, self.time, &mut self.states);
        let found = self.system.ledger().contacts().len();
        assert_eq!(found, self.contacts, "{}", self.name);
    }

    /// First states of the free bodies.
    fn free(&self) -> Vec<usize> {
        let scene = self.system.scene();
        let offsets = (0..scene.bodies().len()).filter_map(|body| scene.layout().body(body.into()));
        offsets.collect()
    }

    /// The deflection of each contact, in the order of the ledger.
    fn deflections(&self) -> Vec<DeflectionId> {
        let scene = self.system.scene();
        let of = |contact: &Contact| {
            let deflection = scene.layout().deflection_of(contact.pair, contact.slot);
            deflection.expect("a deflection")
        };
        self.system.ledger().contacts().iter().map(of).collect()
    }

    fn scales(&self) -> (Vec<f64>, Vec<f64>) {
        let scene = self.system.scene();
        let layout = scene.layout();
        let mut states = vec![1.0; self.states.len()];
        for link in 0..scene.links().len() {
            states[layout.positions(link.into())].fill(self.scales.position);
            states[layout.rates(link.into())].fill(self.scales.speed);
        }
        states[layout.contacts()].fill(self.scales.position);
        let inputs = scene.inputs().iter().map(|input| match input {
            Input::Position(..) => self.scales.position,
            // Turns move the surfaces that touch by a small part of this.
            Input::Orientation(..) | Input::Rotation(..) => 100.0 * self.scales.position,
            Input::Velocity(..) | Input::AngularVelocity(..) => self.scales.speed,
            _ => 1.0,
        });
        let inputs = inputs.collect();
        (states, inputs)
    }

    fn values(&mut self, states: &[f64], inputs: &[f64]) -> Results {
        let (system, time) = (&mut self.system, self.time);
        system.set_inputs(inputs, self.since);
        let mut rates = vec![f64::NAN; states.len()];
        let mut indicators = vec![f64::NAN; system.indicator_count()];
        let result = system.derivatives(time, states, &mut rates);
        result.expect("derivatives");
        let result = system.indicators(time, states, &mut indicators);
        result.expect("indicators");
        let outputs = system.scene().outputs().keys();
        let own = |index| system.output_here(index).expect("an output");
        let mut outputs: Vec<f64> = outputs.map(own).collect();
        let known = system.outputs(time, states).expect("outputs");
        let energies = [
            known.kinetic_energy,
            known.potential_energy,
            known.elastic_energy,
        ];
        outputs.extend(energies);
        for (force, torque) in known.contact_forces.iter().zip(&known.contact_torques) {
            outputs.extend(force.iter().chain(torque));
        }
        let closest = known.closest_distances.clone();
        for report in system.reports_here().expect("reports") {
            outputs.extend([report.gap, report.gap_rate]);
            outputs.extend(report.point_w.iter().chain(&report.normal_w));
            outputs.push(report.normal_force);
            outputs.extend(report.tangential_force_w.iter().chain(&report.force_w));
            outputs.push(report.slip_speed);
            outputs.extend(&report.torque_w);
        }
        for sum in system.sums_here().expect("sums") {
            outputs.extend(sum.force_w.iter().chain(&sum.moment_w));
            outputs.push(sum.power);
        }
        let named = 0..system.scene().named_pairs().len();
        outputs.extend(named.map(|index| system.distance_here(index.into())));
        outputs.extend(closest);
        for index in system.scene().intersections().keys() {
            let found = system.intersection_here(index);
            found.for_each(|number| outputs.push(number));
        }
        [rates, indicators, outputs]
    }

    /// The exact derivatives along a direction.
    fn along(&mut self, states: &[f64], inputs: &[f64]) -> Results {
        let system = &mut self.system;
        system.set_inputs(&self.inputs, self.since);
        let mut results = empty(system);
        let along = places(&mut results);
        let direction = Direction {
            time: 0.0,
            states,
            inputs,
        };
        let result = system.derivatives_along(self.time, &self.states, &[direction], &mut [along]);
        result.expect("derivatives along a direction");
        results
    }

    /// Compares both along a direction, with differences extrapolated twice.
    fn check_along(&mut self, of: &str, (states, inputs): (&[f64], &[f64]), sizes: &Sizes) {
        let (state_scales, input_scales) = self.scales();
        let part_of = |changes: &[f64], scales: &[f64]| {
            let parts = changes.iter().zip(scales);
            parts.map(|(d, scale)| d.abs() / scale).fold(0.0, f64::max)
        };
        let part = part_of(states, &state_scales).max(part_of(inputs, &input_scales));
        let h = STEP / part;
        let moved = |from: &[f64], change: &[f64], h: f64| -> Vec<f64> {
            from.iter().zip(change).map(|(x, d)| x + h * d).collect()
        };
        let (from, given) = (self.states.clone(), self.inputs.clone());
        let mut difference = |h: f64| -> Results {
            let ends = [h, -h].map(|h| {
                let (x, u) = (moved(&from, states, h), moved(&given, inputs, h));
                self.values(&x, &u)
            });
            [0, 1, 2].map(|block| {
                let both = ends[0][block].iter().zip(&ends[1][block]);
                both.map(|(up, down)| (up - down) / (2.0 * h)).collect()
            })
        };
        let [d1, d2, d4] = [h, 2.0 * h, 4.0 * h].map(&mut difference);
        let exact = self.along(states, inputs);
        let values = self.values(&from, &given);
        for (block, of_what) in ["rate", "indicator", "output"].iter().enumerate() {
            let entries = &exact[block];
            for row in 0..entries.len() {
                let size = sizes.scaled[block][row] * part;
                // A difference has the rounding of its two values and of what these are made of, and
                // what the rounding of positions of about 1 m makes of them.
                let rounding = 4.0 * values[block][row].abs() + sizes.steepest[block][row];
                let rounding = f64::EPSILON * (rounding + INTERMEDIATE) / h;
                let [d1, d2, d4] = [&d1, &d2, &d4].map(|d| d[block][row]);
                let (a, b) = ((4.0 * d1 - d2) / 3.0, (4.0 * d2 - d4) / 3.0);
                let expected = (16.0 * a - b) / 15.0;
                let error = (entries[row] - expected).abs();
                assert!(
                    error <= self.tolerance * size + rounding,
                    "{}, {of}: derivative of {of_what} {row} is {:e}, not {expected:e}; largest \
                     {size:e}",
                    self.name,
                    entries[row]
                );
            }
        }
    }

    /// The largest derivatives of each rate, indicator and output.
    fn sizes(&mut self) -> Sizes {
        let (state_scales, input_scales) = self.scales();
        let mut inputs = vec![0.0; self.inputs.len()];
        let mut states = vec![0.0; self.states.len()];
        let mut steepest = self.along(&states, &inputs);
        let mut scaled = steepest.clone();
        let mut take = |found: &Results, scale: f64| {
            for block in 0..3 {
                for (row, entry) in found[block].iter().enumerate() {
                    steepest[block][row] = entry.abs().max(steepest[block][row]);
                    scaled[block][row] = (scale * entry.abs()).max(scaled[block][row]);
                }
            }
        };
        for index in 0..states.len() {
            states[index] = 1.0;
            take(&self.along(&states, &inputs), state_scales[index]);
            states[index] = 0.0;
        }
        for index in 0..inputs.len() {
            inputs[index] = 1.0;
            take(&self.along(&states, &inputs), input_scales[index]);
            inputs[index] = 0.0;
        }
        Sizes { steepest, scaled }
    }

    /// Compares both along each state, each input and random directions.
    pub fn check(&mut self) {
        let (state_scales, input_scales) = self.scales();
        let (mut states, mut inputs) =
            (vec![0.0; state_scales.len()], vec![0.0; input_scales.len()]);
        let sizes = self.sizes();
        for index in 0..states.len() {
            states[index] = 1.0;
            let name = self.system.state_name(index);
            self.check_along(&name, (&states, &inputs), &sizes);
            states[index] = 0.0;
        }
        for index in 0..inputs.len() {
            inputs[index] = 1.0;
            let name = self.system.scene().input_name(index.into());
            self.check_along(&name, (&states, &inputs), &sizes);
            inputs[index] = 0.0;
        }
        let mut random = Random::new(7);
        for round in 0..8 {
            let mut draw = |scales: &[f64]| -> Vec<f64> {
                scales
                    .iter()
                    .map(|s| s * random.between(-1.0, 1.0))
                    .collect()
            };
            let (states, inputs) = (draw(&state_scales), draw(&input_scales));
            self.check_along(
                &format!("random direction {round}"),
                (&states, &inputs),
                &sizes,
            );
        }
    }

    /// The dense Jacobian; it equals the one built of derivatives along the states, and is zero
    /// where the blocks say so.
    fn check_jacobian(&mut self) -> Vec<f64> {
        let n = self.states.len();
        let mut dense = vec![f64::NAN; n * n];
        self.system.set_inputs(&self.inputs, self.since);
        let result = self.system.jacobian(self.time, &self.states, &mut dense);
        result.expect("a Jacobian");
        let inputs = vec![0.0; self.inputs.len()];
        for column in 0..n {
            let mut unit = vec![0.0; n];
            unit[column] = 1.0;
            let [rates, ..] = self.along(&unit, &inputs);
            // Zero of either sign is zero.
            let bits = |values: &[f64]| -> Vec<u64> {
                values.iter().map(|v| (v + 0.0).to_bits()).collect()
            };
            assert_eq!(
                bits(&rates),
                bits(&dense[column * n..][..n]),
                "{}",
                self.name
            );
            for row in 0..n {
                if !self.depends(row, column) {
                    assert_eq!(dense[column * n + row], 0.0, "{} {row} {column}", self.name);
                }
            }
        }
        dense
    }
}

impl Case {
    fn blocks(&self) -> Blocks {
        let mut blocks = Blocks::default();
        self.system.blocks(&mut blocks);
        blocks
    }

    /// Returns true if the derivative of a state may depend on another one, by the blocks.
    fn depends(&self, row: usize, column: usize) -> bool {
        let blocks = self.blocks();
        let [row, column] = [row, column].map(|state| blocks.of_states[state]);
        row == column || blocks.depends.contains(&[row, column])
    }
}

/// Its velocity [m/s] and angular velocity [rad/s].
fn moving(mut body: BodyDescription, velocity: [f64; 3], omega: [f64; 3]) -> BodyDescription {
    (body.velocity, body.angular_velocity) = (velocity, omega);
    body
}

/// A quaternion made exactly unit.
fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / norm)
}

/// A body with its centre of mass off its origin, in flight, beside a plain one.
fn flight(balance: bool) -> Case {
    let at = [0.0, 0.3, 5.0];
    let mut one = moving(ball("one", at), [1.0, 2.0, 3.0], [1.0, -2.0, 0.5]);
    one.orientation = unit(TURNS[0]);
    one.mass.mass = Some(2.0);
    one.mass.center_of_mass = Some([0.1, 0.2, -0.3]);
    one.mass.inertia = Some([0.3, 0.4, 0.5, 0.02, -0.03, 0.01]);
    let two = moving(ball("two", [0.0, 2.0, 1.0]), [0.1; 3], [0.2; 3]);
    let mut description = steel_scene(vec![plate(), one, two]);
    description.measurements = vec![measurement(Some("one"), Some("two"))];
    let mut case = Case::new("flight", description, 0, balance);
    case.scales.position = 0.01;
    case
}

/// From a frame on one body to one on another; none for the world.
fn measurement(from: Option<&str>, to: Option<&str>) -> MeasurementDescription {
    let end = |body: Option<&str>, orientation: [f64; 4]| FrameName {
        body: body.map(str::to_owned),
        frame: LocalFrame {
            position: [0.1, -0.2, 0.3],
            orientation: unit(orientation),
        },
    };
    MeasurementDescription {
        name: "from_to".into(),
        from: end(from, TURNS[0]),
        to: end(to, TURNS[1]),
    }
}

/// Asks for the distance of two bodies.
fn distance(one: &str, other: &str) -> PairDescription {
    PairDescription {
        distance: true,
        ..pair_of(one, other)
    }
}

/// A ball that slides, spins and is being pressed into the plate by an impact, and one that is
/// leaving it.
fn impact(balance: bool) -> Case {
    let at = [0.1, -0.2, 0.1 - DEPTH];
    let mut one = moving(ball("one", at), [0.3, -0.2, -0.5], [1.0, -2.0, 0.7]);
    one.orientation = unit(TURNS[0]);
    let place = [0.5, 0.5, 0.1 - 1.3 * DEPTH];
    let two = moving(ball("two", place), [-0.4, 0.3, -1.0], [2.0, 1.0, 0.3]);
    let mut description = steel_scene(vec![plate(), one, two]);
    description.pairs = vec![distance("two", "plate"), distance("one", "two")];
    description.contact.closest_distances = 3;
    let mut case = Case::new("impact", description, 2, balance);
    let last = case.free()[1];
    case.states[last + 9] = 0.4;
    case
}

/// Two balls that touch each other and the plate, and one beside them that touches nothing.
fn pile(moves: bool, friction: FrictionKind, balance: bool) -> Case {
    let x = 0.1 - 0.5 * DEPTH;
    let mut one = ball("one", [-x, 0.0, 0.1 - DEPTH]);
    let mut two = ball("two", [x, 0.0, 0.1 - DEPTH]);
    let lone = ball("lone", [0.7, 0.5, 0.3]);
    if moves {
        one = moving(one, [0.3, 0.4, -0.1], [1.0, 2.0, -0.7]);
        two = moving(two, [-0.2, 0.1, 0.2], [-0.4, 1.0, 1.5]);
    }
    two.orientation = unit(TURNS[1]);
    let lone = moving(lone, [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]);
    let mut description = steel_scene(vec![plate(), one, two, lone]);
    description.contact.law.friction = friction;
    let case = Case::new("pile", description, 3, balance);
    match moves {
        true => case,
        false => case.at_rest(),
    }
}

/// [`pile`] with friction that holds, and with deflections. The first ball is slow enough to be
/// held.
fn sticking(moves: bool, balance: bool) -> Case {
    let mut case = pile(moves, FrictionKind::Stick, balance);
    case.name = "sticking";
    let first = case.free()[0];
    case.states[first + 7..first + 13].fill(match moves {
        true => 0.02,
        false => 0.0,
    });
    let layout = case.system.scene().layout().clone();
    for (k, index) in case.deflections().into_iter().enumerate() {
        let own = &mut case.states[layout.deflection(index)];
        let size = 1e-6 * (k + 1) as f64;
        own.copy_from_slice(&[2.0 * size, -size, 0.5 * size]);
    }
    case.scales.position = 1e-6;
    case
}

/// The pile on a plate that goes to and fro.
fn shaken(balance: bool) -> Case {
    let x = 0.1 - 0.5 * DEPTH;
    let mut ground = plate();
    ground.motion = Motion::Prescribed;
    let one = moving(
        ball("one", [-x, 0.0, 0.1 - DEPTH]),
        [0.9, 0.4, 0.0],
        [0.5; 3],
    );
    let two = moving(
        ball("two", [x, 0.0, 0.1 - DEPTH]),
        [0.7, -0.6, 0.0],
        [-0.5; 3],
    );
    let mut description = steel_scene(vec![ground, one, two]);
    description.contact.law.friction = FrictionKind::Coulomb;
    description.motions = vec![motion_of(
        "plate",
        sine([0.05, 0.0, 0.0], [0.0, 0.0, 0.1], 5.0, 0.1),
    )];
    Case::new("shaken", description, 3, balance).at(0.2)
}

/// A box on a corner, and a ball, on a plate; with sharp edges the intersection of both is known.
fn corner(name: &'static str, smoothing: f64, balance: bool) -> Case {
    let at = [0.0, 0.0, 0.3];
    let mut tilted = body("box", Motion::Free, cuboid([0.3, 0.25, 0.2]), at);
    tilted.orientation = unit([0.8, 0.3, -0.35, 0.1]);
    let tilted = moving(tilted, [0.8, -0.5, -0.1], [0.5, -0.4, 1.0]);
    let other = moving(
        // Less deep than the corner, so that the order of distances does not change.
        ball("ball", [0.5, 0.5, 0.1 - 0.7 * DEPTH]),
        [0.0, 0.3, 0.0],
        [0.5; 3],
    );
    let mut description = steel_scene(vec![plate(), tilted, other]);
    description.pairs = vec![distance("ball", "box"), distance("box", "plate")];
    description.contact.closest_distances = 3;
    for body in &mut description.bodies {
        body.shapes[0].smoothing_radius = Some(smoothing);
    }
    if smoothing > 0.0 {
        description.contact.law.contact = ContactKind::Point;
    }
    let mut high = Case::new(name, description, 1, balance);
    let polyhedra = usize::from(smoothing == 0.0);
    assert_eq!(high.system.scene().intersections().len(), polyhedra);
    let mut z = vec![0.0; high.system.indicator_count()];
    let (time, states) = (high.time, high.states.clone());
    let result = high.system.indicators(time, &states, &mut z);
    result.expect("indicators");
    // The gap to the flat top of the plate, out of contact; that of both bodies is larger.
    let gap = z.iter().copied().filter(|z| *z > 0.0).reduce(f64::min);
    let first = high.free()[0];
    high.states[first + 2] -= gap.expect("a gap") + DEPTH;
    high.contacts = 2;
    high.update();
    high
}

/// A tree on a free ball that lies on the plate, as its first link does: a slide with a spring,
/// friction and a stop in contact, then a hinge and a ball joint.
fn tree(moves: bool, balance: bool) -> Case {
    let mut base = ball("base", [-0.3, 0.1, 0.1 - DEPTH]);
    // About the axis of the slide, so that both balls are equally deep.
    base.orientation = unit([0.9, 0.3, 0.0, 0.0]);
    let mut slider = ball("slider", [0.0; 3]);
    slider.motion = Motion::Joint;
    let inertia = [0.03, 0.04, 0.05, 0.002, -0.003, 0.001];
    let heavy = given_mass(1.5, [0.05, -0.1, 0.2], inertia);
    let arm = plain_body("arm", Motion::Joint, heavy);
    let top = plain_body("top", Motion::Joint, heavy);
    let nut = plain_body("nut", Motion::Joint, heavy);
    let mut slide = joint(JointKind::Prismatic, Some("base"), "slider");
    slide.axis = [1.0, 0.0, 0.0];
    slide.second_axis = [0.0, 1.0, 0.0];
    slide.positions = vec![0.501];
    slide.forces[0].spring = Some(joint_spring(500.0, 0.4));
    slide.forces[0].damping = 3.0;
    slide.forces[0].friction = Some(joint_friction(5.0, 0.01));
    slide.forces[0].stops = Some(joint_stops(Some(0.1), Some(0.5), 1e5, 0.6));
    slide.forces[0].input = true;
    let mut hinge = joint(JointKind::Revolute, Some("slider"), "arm");
    hinge.axis = [0.6, 0.8, 0.0];
    hinge.second_axis = [0.0, 0.0, 1.0];
    hinge.parent_frame.position = [0.1, 0.0, 0.2];
    hinge.positions = vec![0.7];
    hinge.forces[0].friction = Some(joint_friction(0.8, 0.01));
    hinge.forces[0].input = true;
    let mut socket = joint(JointKind::Spherical, Some("arm"), "top");
    socket.parent_frame.position = [0.0, 0.0, 0.3];
    socket.positions = unit(TURNS[1]).to_vec();
    socket.ball.damping = 0.2;
    socket.ball.input = true;
    let mut screw = joint(JointKind::Screw, Some("top"), "nut");
    screw.axis = [0.0, 0.8, -0.6];
    screw.pitch = 0.4;
    screw.child_frame.position = [0.1, 0.0, 0.2];
    screw.positions = vec![-0.4];
    screw.forces[0].damping = 0.3;
    screw.forces[0].input = true;
    if moves {
        base = moving(base, [0.3, 0.2, 0.1], [0.5, 0.4, -0.3]);
        slide.rates = vec![0.2];
        hinge.rates = vec![-0.6];
        socket.rates = vec![0.3, -0.4, 0.5];
        screw.rates = vec![0.8];
    }
    let mut description = steel_scene(vec![plate(), base, slider, arm, top, nut]);
    description.joints = vec![slide, hinge, socket, screw];
    let joints = description.joints.iter_mut();
    joints.for_each(|joint| joint.power = true);
    description.measurements = vec![measurement(Some("plate"), Some("top"))];
    let case = Case::new("tree", description, 2, balance);
    assert!(case.system.ledger().stops()[StopId::from(1)].is_some());
    match moves {
        true => case,
        false => case.at_rest(),
    }
}

/// A driven capsule between two free balls, beside a body without shapes.
fn driven(orientation: OrientationInput, since: Option<f64>, turns: bool, balance: bool) -> Case {
    let at = [0.1, 0.2, 1.0];
    let mut capsule = body("capsule", Motion::Driven, capsule(0.2, 0.4, Axis::Z), at);
    capsule.orientation = unit(TURNS[0]);
    capsule.velocity = [0.02, -0.01, 0.03];
    if turns {
        capsule.angular_velocity = [0.1, 0.2, -0.3];
    }
    capsule.drive = Drive {
        orientation,
        wrench_axes: match orientation {
            OrientationInput::Quaternion => ForceAxes::World,
            OrientationInput::Matrix => ForceAxes::Body,
        },
    };
    let rotation = rotation_matrix(&capsule.orientation);
    // Not along the motion that turning the capsule gives its surface: friction would not change.
    let beside = |name: &str, x: f64, z: f64| {
        let place = Vec3::from(capsule.position) + rotation * Vec3::new(x, 0.0, z);
        moving(ball(name, place.into()), [0.6, 0.3, 0.1], [1.0, 0.7, -0.5])
    };
    let distance = 0.2 - DEPTH;
    let one = beside("one", distance, 0.05);
    let two = beside("two", -distance, -0.1);
    let mass = given_mass(1.0, [0.0, 0.0, -0.5], [0.1, 0.1, 0.02, 0.0, 0.0, 0.0]);
    let plain = plain_body("plain", Motion::Free, mass);
    let mut description = steel_scene(vec![one, capsule, two, plain]);
    description.measurements = vec![measurement(Some("capsule"), Some("two"))];
    let mut case = Case::new("driven", description, 2, balance);
    if let Some(elapsed) = since {
        // The inputs are those of some time ago; the body has gone on since then.
        case.time = 0.7;
        case.since = Some(case.time - elapsed);
    }
    case.name = match (orientation, since) {
        (OrientationInput::Quaternion, None) => "driven by a quaternion",
        (OrientationInput::Quaternion, Some(_)) => "driven by a quaternion of before",
        (OrientationInput::Matrix, None) => "driven by a matrix",
        (OrientationInput::Matrix, Some(_)) => "driven by a matrix of before",
    };
    case.update();
    case
}

/// Balls on the plate with forces that are inputs, constant or a sine, in world and body axes.
fn pushed(balance: bool) -> Case {
    let mut one = moving(
        ball("one", [0.0, 0.0, 0.1 - DEPTH]),
        [0.3, 0.2, 0.1],
        [0.5; 3],
    );
    one.orientation = unit(TURNS[0]);
    let mut two = moving(
        ball("two", [0.5, 0.0, 0.1 - DEPTH]),
        [0.2, 0.2, 0.1],
        [0.7; 3],
    );
    two.orientation = unit(TURNS[1]);
    let mut flying = moving(ball("flying", [0.0, 0.5, 0.9]), [0.3; 3], [0.1; 3]);
    flying.orientation = unit(TURNS[1]);
    let input = input_of(true, true);
    let constant = vectors(Some([30.0, -20.0, 10.0]), Some([1.0, 2.0, 3.0]));
    let sine = ForceProfile::Sine {
        amplitude: constant,
        angular_frequency: 7.0,
        phase: 0.3,
    };
    let mut forces = vec![
        force("in_world_axes", "one", input.clone()),
        force("in_body_axes", "two", input.clone()),
        force("constant", "two", ForceProfile::Constant(constant)),
        force("sine", "one", sine),
        force("on_flying", "flying", input),
    ];
    for (k, force) in forces.iter_mut().enumerate() {
        force.point = [0.1 * k as f64, -0.05, 0.2];
        if k % 2 == 1 {
            force.axes = ForceAxes::Body;
        }
    }
    let mut description = steel_scene(vec![plate(), one, two, flying]);
    description.forces = forces;
    Case::new("pushed", description, 2, balance).at(0.4)
}

/// Two balls that touch each other, and a third, round a centre of gravity.
fn orbit(balance: bool) -> Case {
    let at = Vec3::new(3.0, 1.0, 4.0);
    let way = Vec3::new(0.6, 0.0, 0.8) * (0.2 - DEPTH);
    let one = moving(ball("one", at.into()), [0.3, 0.1, 0.2], [0.4; 3]);
    let two = moving(ball("two", (at + way).into()), [0.1, -0.2, 0.3], [0.9; 3]);
    let third = moving(ball("third", [-3.0, 0.5, 2.0]), [0.1; 3], [0.2; 3]);
    let mut description = steel_scene(vec![one, two, third]);
    description.gravity = Gravity::Point {
        mu: 50.0,
        center: [0.1, 0.2, 0.3],
    };
    Case::new("orbit", description, 1, balance)
}

/// Each kind of scene, in motion and at rest.
pub fn cases(balance: bool) -> Vec<Case> {
    use OrientationInput::{Matrix, Quaternion};
    let since = Some(1e-3);
    vec![
        flight(balance),
        impact(balance),
        pile(true, FrictionKind::Regularized, balance),
        pile(false, FrictionKind::Regularized, balance),
        sticking(true, balance),
        sticking(false, balance),
        shaken(balance),
        corner("corner", 1e-3, balance),
        corner("sharp corner", 0.0, balance),
        tree(true, balance),
        tree(false, balance),
        driven(Quaternion, None, true, balance),
        driven(Quaternion, since, true, balance),
        driven(Quaternion, since, false, balance),
        driven(Matrix, None, true, balance),
        driven(Matrix, since, true, balance),
        pushed(balance),
        orbit(balance),
    ]
}

#[test]
fn derivatives_along_a_direction_equal_central_differences() {
    cases(false).iter_mut().for_each(Case::check);
}

#[test]
fn derivatives_of_the_dissipated_power_too_equal_central_differences() {
    cases(true).iter_mut().for_each(Case::check);
}

#[test]
fn dense_jacobian_is_built_of_columns_and_zero_between_parts() {
    for balance in [false, true] {
        for case in &mut cases(balance) {
            case.check_jacobian();
        }
    }
}

#[test]
fn blocks_are_parts_of_links_trees_and_deflections_and_depend_on_what_touches_them() {
    let resting = sticking(false, true);
    let [one, two, lone] = [0, 1, 2].map(|k| resting.free()[k]);
    let layout = resting.system.scene().layout();
    let held = resting.deflections();
    let blocks = resting.blocks();
    for body in [one, two, lone] {
        // Position, orientation, velocity and angular velocity.
        let own = &blocks.of_states[body..body + 13];
        let counts = [(0, 3), (3, 4), (7, 3), (10, 3)];
        for (first, count) in counts {
            assert!(own[first..first + count].iter().all(|b| *b == own[first]));
        }
        let firsts = counts.map(|(first, _)| own[first]);
        assert!(firsts.windows(2).all(|pair| pair[0] != pair[1]));
        // Whatever touches it, its position changes by its velocity and its orientation by its
        // angular velocity.
        let of_position = [0, 3, 7, 10].map(|k| resting.depends(body, body + k));
        assert_eq!(of_position, [true, false, true, false]);
        let of_orientation = [0, 3, 7, 10].map(|k| resting.depends(body + 3, body + k));
        assert_eq!(of_orientation, [false, true, false, true]);
    }
    let touches = [
        [one, two],
        [two, one],
        [one, lone],
        [lone, one],
        [two, lone],
    ];
    for (row, column) in [(7, 0), (7, 3), (7, 7), (10, 10)] {
        let found = touches.map(|[of, on]| resting.depends(of + row, on + column));
        assert_eq!(found, [true, true, false, false, false], "{row} {column}");
    }
    assert!(!resting.depends(one, two) && !resting.depends(one, two + 7));
    for index in layout.all_deflections() {
        let state = layout.deflection(index).start;
        let of_bodies = [one, two].map(|body| resting.depends(state, body));
        let on_bodies = [one, two].map(|body| resting.depends(body + 7, state));
        assert_eq!(of_bodies.contains(&true), held.contains(&index));
        assert_eq!(of_bodies, on_bodies);
    }
    // The work follows from all states, and nothing follows from it.
    let work = layout.work().expect("a state for the work");
    for state in 0..work {
        assert!(resting.depends(work, state) && !resting.depends(state, work));
    }
    // The driven capsule joins nothing.
    let apart = driven(OrientationInput::Quaternion, None, true, false);
    let offsets = apart.free();
    assert!(
        !apart.depends(offsets[0] + 7, offsets[1]) && !apart.depends(offsets[1] + 7, offsets[2])
    );
    // All links of a tree are one block.
    let whole = tree(true, false);
    assert_eq!(whole.blocks().of_states, vec![0; whole.states.len()]);
}

#[test]
fn events_that_join_and_separate_parts_change_the_sparsity_and_leave_nothing_behind() {
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        let mut case = pile(true, friction, true);
        let [one, two, lone] = [0, 1, 2].map(|k| case.free()[k]);
        let n = case.states.len();
        // Derivative of the velocities of one ball by the positions of another.
        let coupling = |jacobian: &[f64], [of, by]: [usize; 2]| -> f64 {
            let entries = (by..by + 3).flat_map(|column| {
                let rows = of + 7..of + 10;
                rows.map(move |row| jacobian[column * n + row].abs())
            });
            entries.fold(0.0, f64::max)
        };
        let apart = case.check_jacobian();
        assert!(coupling(&apart, [one, two]) > 1e6);
        assert_eq!(coupling(&apart, [lone, two]), 0.0);
        let before = case.states.clone();
        // The lone ball now touches the second one, 0.2 m beside and above it.
        let way = Vec3::new(0.8, 0.0, 0.6) * (0.2 - DEPTH);
        for i in 0..3 {
            case.states[lone + i] = case.states[two + i] + way[i];
        }
        case.contacts = 4;
        case.update();
        assert!(case.depends(lone + 7, two) && case.depends(two + 7, lone));
        assert!(!case.depends(lone + 7, one));
        let joined = case.check_jacobian();
        assert!(coupling(&joined, [lone, two]) > 1e6 && coupling(&joined, [two, lone]) > 1e6);
        assert_eq!(coupling(&joined, [lone, one]), 0.0);
        case.check();
        // It leaves, then all leave the plate and each other.
        case.states.copy_from_slice(&before);
        case.contacts = 3;
        case.update();
        assert!(!case.depends(lone + 7, two) && case.depends(one + 7, two));
        assert_eq!(coupling(&case.check_jacobian(), [lone, two]), 0.0);
        case.check();
        for (k, ball) in [one, two].into_iter().enumerate() {
            case.states[ball] *= 1.5;
            case.states[ball + 2] += 0.1 + 0.3 * k as f64;
        }
        case.contacts = 0;
        case.update();
        assert!(!case.depends(lone + 7, two) && !case.depends(one + 7, two));
        case.check();
        assert_eq!(coupling(&case.check_jacobian(), [one, two]), 0.0);
    }
}

#[test]
fn a_tree_that_has_left_the_plate_feels_nothing_of_it() {
    let mut case = tree(true, true);
    case.check();
    let base = case.free()[0];
    case.states[base + 2] += 0.05;
    case.contacts = 0;
    case.update();
    case.check();
    // Back again by the ledger alone, then without any contact.
    let mut touching = tree(true, true);
    let ledger = touching.system.ledger().clone();
    case.states.copy_from_slice(&touching.states);
    case.system.set_ledger(&ledger);
    case.contacts = 2;
    case.check();
    case.system.clear_ledger();
    case.contacts = 0;
    case.check();
    touching.check();
}
