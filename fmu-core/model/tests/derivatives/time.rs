//! Exact derivatives along time, against differences of what is computed at other times.

use super::*;
use crate::fixtures::*;

/// Step of differences [s]: what moves fastest, the driven capsule, comes 3 um far, of contacts
/// 100 um deep.
const TIME_STEP: f64 = 2e-5;

impl Case {
    /// The exact derivatives along time.
    fn along_time(&mut self) -> Results {
        let system = &mut self.system;
        system.set_inputs(&self.inputs, self.since);
        let place = system.go_to(self.time, &self.states);
        place.expect("a time and states");
        let mut results = empty(system);
        let along = places(&mut results);
        let (states, inputs) = (vec![0.0; self.states.len()], vec![0.0; self.inputs.len()]);
        let direction = Direction {
            time: 1.0,
            states: &states,
            inputs: &inputs,
        };
        let result = system.along_here(&[direction], &mut [along]);
        result.expect("derivatives along time");
        results
    }

    /// Compares both; the largest derivative of each block.
    fn check_time(&mut self) -> [f64; 3] {
        let (time, states, inputs) = (self.time, self.states.clone(), self.inputs.clone());
        let mut at = |time: f64| {
            self.time = time;
            self.values(&states, &inputs)
        };
        let values = at(time);
        let differences = [1.0, 2.0, 4.0].map(|factor| {
            let h = factor * TIME_STEP;
            let ends = [at(time + h), at(time - h)];
            [0, 1, 2].map(|block| -> Vec<f64> {
                let both = ends[0][block].iter().zip(&ends[1][block]);
                both.map(|(up, down)| (up - down) / (2.0 * h)).collect()
            })
        });
        self.time = time;
        let exact = self.along_time();
        [0, 1, 2].map(|block| {
            for (row, entry) in exact[block].iter().enumerate() {
                let [d1, d2, d4] = differences.each_ref().map(|d| d[block][row]);
                let (a, b) = ((4.0 * d1 - d2) / 3.0, (4.0 * d2 - d4) / 3.0);
                let expected = (16.0 * a - b) / 15.0;
                let rounding = 4.0 * values[block][row].abs() + INTERMEDIATE;
                let allowed = TOLERANCE * expected.abs() + f64::EPSILON * rounding / TIME_STEP;
                assert!(
                    (entry - expected).abs() <= allowed,
                    "{}: derivative by time of {row} of block {block} is {entry:e}, not \
                     {expected:e}",
                    self.name
                );
            }
            exact[block].iter().fold(0.0, |most, v| v.abs().max(most))
        })
    }
}

/// A prescribed plate that carries an arm on a hinge, with a ball in contact on it.
fn carrier(name: &'static str, profile: MotionProfile) -> Case {
    let mut ground = plate();
    ground.motion = Motion::Prescribed;
    let one = moving(
        ball("one", [0.2, 0.1, 0.1 - DEPTH]),
        [0.9, 0.4, 0.0],
        [0.5; 3],
    );
    let inertia = [0.03, 0.04, 0.05, 0.002, -0.003, 0.001];
    let heavy = given_mass(1.5, [0.05, -0.1, 0.2], inertia);
    let mut hinge = joint(JointKind::Revolute, Some("plate"), "arm");
    hinge.axis = [0.6, 0.8, 0.0];
    hinge.second_axis = [0.0, 0.0, 1.0];
    hinge.positions = vec![0.7];
    hinge.rates = vec![-0.6];
    let arm = plain_body("arm", Motion::Joint, heavy);
    let mut description = steel_scene(vec![ground, one, arm]);
    description.joints = vec![hinge];
    description.motions = vec![motion_of("plate", profile)];
    description.measurements = vec![measurement(Some("plate"), Some("arm"))];
    Case::new(name, description, 1, true).at(0.2)
}

fn table(interpolation: Interpolation) -> MotionProfile {
    MotionProfile::Table(MotionTable {
        times: vec![0.0, 0.15, 0.4, 0.6],
        displacements: vec![[0.0; 3], [0.02, 0.01, 0.0], [-0.01, 0.03, 0.0], [0.0; 3]],
        axis: [0.0, 0.0, 1.0],
        angles: vec![0.0, 0.1, -0.05, 0.0],
        interpolation,
        // A plate that carries others starts and ends at rest.
        ends: (interpolation == Interpolation::Spline).then_some(EndSpeeds {
            velocities: [[0.0; 3]; 2],
            angular_speeds: [0.0; 2],
        }),
    })
}

#[test]
fn derivatives_along_time_equal_central_differences() {
    for balance in [false, true] {
        for case in &mut cases(balance) {
            case.check_time();
        }
    }
}

/// Sines and tables: rates, indicators of the rest, outputs.
#[test]
fn what_carries_others_changes_their_accelerations_along_time() {
    let sine = sine([0.05, -0.02, 0.0], [0.0, 0.0, 0.1], 5.0, 0.1);
    let mut cases = vec![
        carrier("carried by a sine", sine),
        carrier("carried by a spline", table(Interpolation::Spline)),
        carrier("carried by way-points", table(Interpolation::Quintic)),
        carrier("carried by trapezoids", table(Interpolation::Trapezoid)),
    ];
    for case in &mut cases {
        let [rates, _, outputs] = case.check_time();
        assert!(
            rates > 0.1 && outputs > 0.1,
            "{}: {rates} {outputs}",
            case.name
        );
    }
}

#[test]
fn a_surface_that_moves_in_place_depends_on_no_time_and_a_plate_that_turns_does() {
    for (surface, name) in [(true, "surface"), (false, "turning plate")] {
        let profile = MotionProfile::Constant {
            velocity: [0.3, 0.1, 0.0],
            angular_velocity: [0.0, 0.0, 0.4],
            surface,
        };
        let mut ground = plate();
        ground.motion = Motion::Prescribed;
        let one = moving(
            ball("one", [0.2, 0.1, 0.1 - DEPTH]),
            [0.9, 0.4, 0.0],
            [0.5; 3],
        );
        let mut description = steel_scene(vec![ground, one]);
        description.motions = vec![motion_of("plate", profile)];
        let mut case = Case::new(name, description, 1, false).at(0.2);
        let largest = case.check_time();
        assert_eq!(largest == [0.0; 3], surface, "{name}: {largest:?}");
    }
}

/// Splines and straight lines, in world axes and in those of the body.
#[test]
fn forces_of_tables_change_along_time_as_their_pieces_do() {
    for interpolation in [Interpolation::Linear, Interpolation::Spline] {
        let profile = ForceProfile::Table(ForceTable {
            times: vec![0.0, 0.15, 0.4, 0.6],
            forces: vec![[0.0; 3], [3.0, 2.0, 1.0], [-4.0, 1.0, 2.0], [0.0; 3]],
            torques: vec![[0.0; 3], [0.1, 0.2, 0.3], [0.3, -0.2, 0.1], [0.0; 3]],
            interpolation,
        });
        let mut body_axes = force("in_body_axes", "one", profile.clone());
        body_axes.axes = ForceAxes::Body;
        body_axes.point = [0.1, -0.05, 0.2];
        let mut one = moving(ball("one", [0.0, 0.0, 0.9]), [0.3; 3], [0.1; 3]);
        one.orientation = unit(TURNS[1]);
        let mut description = steel_scene(vec![plate(), one]);
        description.forces = vec![force("in_world_axes", "one", profile), body_axes];
        let mut case = Case::new("table of forces", description, 0, false).at(0.2);
        let [rates, ..] = case.check_time();
        assert!(rates > 1.0, "{rates}");
    }
}
