//! Impulse and peak force of reported contacts over a communication step.
//!
//! Each accepted step of the integrator adds its part, from the force on 2 at the nodes of the Gauss-Lobatto
//! rule with five points [Abramowitz and Stegun, 25.4.32], at states of the dense output and with the
//! contacts of the step. The rule is exact to degree 7; a contact starts like t^(3/2), for which its error is
//! 2.3e-4 of the first step, less than that of the momentum of the states. The peak is the largest magnitude
//! at a node, or that of the parabola through the three nodes about the largest one.

use crate::dynamics::System;
use crate::hybrid::EvaluationError;
use crate::integrator::DenseStep;
use contact_geometry::math::Vec3;
use contact_laws::index::{ReportId, TiSlice, TiVec, ti_vec};
use serde::{Deserialize, Serialize};

/// Load of a pair's contact since the last communication point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepLoad {
    /// Integral of the force on 2, world axes [N.s].
    pub impulse: [f64; 3],
    /// Largest magnitude of the force [N].
    pub peak_force: f64,
}

impl StepLoad {
    /// Adds the load of another part of the step.
    pub(crate) fn add(&mut self, other: &StepLoad) {
        for (sum, impulse) in self.impulse.iter_mut().zip(other.impulse) {
            *sum += impulse;
        }
        self.peak_force = self.peak_force.max(other.peak_force);
    }

    /// Adds an instantaneous impulse, which has no force [N.s].
    pub fn strike(&mut self, impulse_w: &Vec3) {
        for (sum, impulse) in self.impulse.iter_mut().zip(impulse_w.iter()) {
            *sum += impulse;
        }
    }
}

const POINTS: usize = 5;
/// 1/2 sqrt(3/7): distance of the inner nodes from the middle.
const INNER: f64 = 0.327_326_835_353_988_57;
/// Nodes as fractions of the step.
const NODES: [f64; POINTS] = [0.0, 0.5 - INNER, 0.5, 0.5 + INNER, 1.0];
/// Weights of the nodes, of sum 1.
const WEIGHTS: [f64; POINTS] = [
    1.0 / 20.0,
    49.0 / 180.0,
    16.0 / 45.0,
    49.0 / 180.0,
    1.0 / 20.0,
];

/// Integrator of reported forces; its arrays do not outlive a step.
pub struct Recorder {
    states: Vec<f64>,
    forces: TiVec<ReportId, [Vec3; POINTS]>,
}

impl Recorder {
    /// Arrays for this number of reports.
    pub fn new(reported: usize) -> Self {
        Recorder {
            states: Vec::new(),
            forces: ti_vec![[Vec3::zeros(); POINTS]; reported],
        }
    }

    /// Adds the loads of the contacts in an accepted step.
    ///
    /// # Errors
    /// Those of the system.
    pub fn add(
        &mut self,
        system: &mut System,
        step: &DenseStep<'_>,
        loads: &mut TiSlice<ReportId, StepLoad>,
    ) -> Result<(), EvaluationError> {
        if !system.reports_contact() {
            return Ok(());
        }
        let length = step.t1() - step.t0();
        self.states.resize(step.start().len(), 0.0);
        self.forces.fill([Vec3::zeros(); POINTS]);
        for (node, part) in NODES.into_iter().enumerate() {
            let time = match part {
                1.0 => step.t1(),
                _ => step.t0() + part * length,
            };
            step.interpolate(time, &mut self.states);
            let forces = &mut self.forces;
            system.go_to(time, &self.states)?;
            system.reported_forces_here(|place, force| forces[place][node] += force)?;
        }
        for (load, forces) in loads.iter_mut().zip(&self.forces) {
            let weighted = forces.iter().zip(WEIGHTS).map(|(force, w)| force * w);
            let mean = weighted.fold(Vec3::zeros(), std::ops::Add::add);
            for (sum, mean) in load.impulse.iter_mut().zip(mean.iter()) {
                *sum += mean * length;
            }
            load.peak_force = load.peak_force.max(peak(&forces.map(|force| force.norm())));
        }
        Ok(())
    }
}

/// Largest of these values at the nodes, or the vertex of the parabola through the three nodes about it if
/// that is higher and between them.
fn peak(values: &[f64; POINTS]) -> f64 {
    let mut at = 0;
    for (node, value) in values.iter().enumerate() {
        if *value > values[at] {
            at = node;
        }
    }
    let middle = at.clamp(1, POINTS - 2);
    // y(x) = b + slope x + 1/2 curvature x^2 with x from the middle node.
    let [x_a, x_c] = [middle - 1, middle + 1].map(|node| NODES[node] - NODES[middle]);
    let [a, b, c] = [values[middle - 1], values[middle], values[middle + 1]];
    let (rise_a, rise_c) = ((a - b) / x_a, (c - b) / x_c);
    let curvature = 2.0 * (rise_c - rise_a) / (x_c - x_a);
    let slope = rise_a - 0.5 * curvature * x_a;
    let vertex = -slope / curvature;
    if curvature < 0.0 && x_a < vertex && vertex < x_c {
        values[at].max(b + 0.5 * slope * vertex)
    } else {
        values[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_exact_to_degree_7_and_no_further() {
        let integral = |degree: i32| -> f64 {
            let terms = NODES.iter().zip(WEIGHTS);
            terms.map(|(x, w)| w * x.powi(degree)).sum()
        };
        for degree in 0..=7 {
            let exact = 1.0 / f64::from(degree + 1);
            assert!((integral(degree) - exact).abs() < 1e-15, "{degree}");
        }
        assert!((integral(8) - 1.0 / 9.0).abs() > 1e-5);
    }

    #[test]
    fn the_peak_of_a_parabola_is_found_between_the_nodes() {
        for top in [0.05, 0.3, 0.5, 0.61, 0.97] {
            let found = peak(&NODES.map(|x| 7.0 - 40.0 * (x - top) * (x - top)));
            assert!((found - 7.0).abs() < 1e-14, "{top}: {found}");
        }
    }

    #[test]
    fn where_no_vertex_is_inside_the_peak_is_the_largest_value() {
        assert_eq!(peak(&[1.0, 2.0, 3.0, 4.0, 9.0]), 9.0);
        assert_eq!(peak(&[9.0, 4.0, 3.0, 2.0, 1.0]), 9.0);
        assert_eq!(peak(&[0.0; POINTS]), 0.0);
        assert_eq!(peak(&[5.0; POINTS]), 5.0);
    }
}
