//! Gauss-Legendre quadrature over mapped cubes: nodes are the roots of the Legendre polynomial P_n,
//! weights 2/((1 - x^2) P_n'(x)^2).

use super::MassProperties;
use crate::math::{Mat3, Vec3};
use std::f64::consts::PI;

/// Nodes and weights on 0..1.
pub struct Rule(Vec<(f64, f64)>);

impl Rule {
    /// The rule of `count` nodes, exact for polynomials of degree 2 count - 1.
    pub fn new(count: usize) -> Self {
        let legendre = |x: f64| {
            let (mut last, mut value) = (1.0, x);
            for k in 2..=count {
                let k = k as f64;
                (last, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * last) / k);
            }
            let slope = count as f64 * (last - x * value) / (1.0 - x * x);
            (value, slope)
        };
        let node = |index: usize| {
            let mut x = (PI * (index as f64 + 0.75) / (count as f64 + 0.5)).cos();
            for _ in 0..20 {
                let (value, slope) = legendre(x);
                x -= value / slope;
            }
            let (_, slope) = legendre(x);
            let weight = 2.0 / ((1.0 - x * x) * slope * slope);
            (0.5 + 0.5 * x, 0.5 * weight)
        };
        Rule((0..count).map(node).collect())
    }

    /// Mass properties of the solid that `map` makes of the unit cube; it gives the place [m] and
    /// the volume per volume of the cube [m3].
    pub fn solid(&self, density: f64, map: impl Fn([f64; 3]) -> ([f64; 3], f64)) -> MassProperties {
        let mut points = Vec::new();
        for (s, ws) in &self.0 {
            for (u, wu) in &self.0 {
                for (v, wv) in &self.0 {
                    let (place, jacobian) = map([*s, *u, *v]);
                    points.push((Vec3::from(place), density * jacobian * ws * wu * wv));
                }
            }
        }
        let mass: f64 = points.iter().map(|(_, m)| m).sum();
        let first: Vec3 = points.iter().map(|(x, m)| x * *m).sum();
        let center = first / mass;
        let inertia: Mat3 = points
            .iter()
            .map(|(x, m)| {
                let r = x - center;
                (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m
            })
            .sum();
        MassProperties {
            mass,
            center_of_mass: center,
            inertia,
        }
    }
}

#[test]
fn the_rule_is_exact_up_to_its_degree() {
    let rule = Rule::new(5);
    for power in 0..10 {
        let sum: f64 = rule.0.iter().map(|(x, w)| w * x.powi(power)).sum();
        assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-14, "{power}");
    }
}
