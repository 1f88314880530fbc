//! Hertz contact of two curved bodies: f = k delta^(3/2), k = c_res 4/3 sqrt(R).

use crate::math::Real;

/// Resulting modulus c_res [Pa] of two materials: c_i = E_i/(1 - nu_i^2), 1/c_res = 1/c_1 + 1/c_2.
///
/// `youngs_moduli` [Pa] > 0, `poissons_ratios` [1] in 0..1.
pub fn modulus(youngs_moduli: [f64; 2], poissons_ratios: [f64; 2]) -> f64 {
    let [c_1, c_2] =
        [0, 1].map(|i| youngs_moduli[i] / (1.0 - poissons_ratios[i] * poissons_ratios[i]));
    1.0 / (1.0 / c_1 + 1.0 / c_2)
}

/// Effective radius R [m] of two contact spheres of radius `radii` [m]: r1 r2/(r1 + r2) where both
/// are curved or both flat; the curved one's radius where one is flat. An infinite radius (a
/// half-space) leaves the other's.
pub fn effective_radius(radii: [f64; 2], flat: [bool; 2]) -> f64 {
    let [r_1, r_2] = radii;
    match flat {
        [true, false] => r_2,
        [false, true] => r_1,
        _ if r_1.is_infinite() => r_2,
        _ if r_2.is_infinite() => r_1,
        _ => r_1 * r_2 / (r_1 + r_2),
    }
}

/// Stiffness k [N/m^1.5] from modulus [Pa] and effective radius [m].
pub fn stiffness(modulus: f64, radius: f64) -> f64 {
    modulus * 4.0 / 3.0 * radius.sqrt()
}

/// Elastic force k delta sqrt|delta| [N]; odd in the depth [m], so that a law that does not clamp
/// stays finite on the wrong side.
pub fn force<T: Real>(stiffness: f64, depth: T) -> T {
    if depth.value() == 0.0 {
        // The root has no derivative here, the product has: zero.
        return T::zero();
    }
    depth * depth.abs().sqrt() * stiffness
}

/// Energy stored at a depth [J]: 2/5 k |delta|^(5/2).
pub fn energy(stiffness: f64, depth: f64) -> f64 {
    0.4 * stiffness * depth * depth * depth.abs().sqrt()
}

/// Depth [m] at which the elastic force is `force` [N].
pub fn depth_under_force(stiffness: f64, force: f64) -> f64 {
    (force / stiffness).powf(2.0 / 3.0)
}

/// Largest depth [m] of an undamped impact of mass [kg] at speed [m/s]: (5 m v^2/(4 k))^(2/5).
pub fn depth_after_impact(stiffness: f64, mass: f64, speed: f64) -> f64 {
    (1.25 * mass * speed * speed / stiffness).powf(0.4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;

    #[test]
    fn steel_on_steel_has_the_textbook_modulus() {
        // E/(2 (1 - nu^2)) for equal materials.
        let c = modulus([2e11, 2e11], [0.3, 0.3]);
        assert!((c / (2e11 / (2.0 * 0.91)) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn force_doubles_when_modulus_doubles_and_is_the_slope_of_the_energy() {
        let (k, x) = (3e9, 2e-5);
        assert_eq!(force(2.0 * k, x), 2.0 * force(k, x));
        let h = 1e-9;
        let slope = (energy(k, x + h) - energy(k, x - h)) / (2.0 * h);
        assert!((slope / force(k, x) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn a_flat_partner_leaves_the_curved_radius() {
        assert_eq!(effective_radius([0.1, 0.3], [false, true]), 0.1);
        assert_eq!(effective_radius([0.1, 0.3], [true, false]), 0.3);
        assert!((effective_radius([0.1, 0.3], [false, false]) - 0.075).abs() < 1e-17);
        assert_eq!(effective_radius([f64::INFINITY, 0.3], [true, true]), 0.3);
    }

    #[test]
    fn force_has_a_zero_derivative_at_touching() {
        let f = force(1e9, Dual::new(0.0, 1.0));
        assert_eq!((f.re, f.eps), (0.0, 0.0));
    }

    #[test]
    fn all_kinetic_energy_is_stored_at_the_largest_depth() {
        let (k, m, v) = (4.6e10, 1.0, 2.0);
        assert!((energy(k, depth_after_impact(k, m, v)) / (0.5 * m * v * v) - 1.0).abs() < 1e-14);
        assert!((force(k, depth_under_force(k, 9.81)) / 9.81 - 1.0).abs() < 1e-14);
    }
}
