//! Hertz contact of two curved bodies: f = k delta^(3/2), k = c_res 4/3 sqrt(R).

/// Resulting modulus c_res [Pa] of two materials: c_i = E_i/(1 - nu_i^2), 1/c_res = 1/c_1 + 1/c_2.
///
/// `youngs_moduli` [Pa] > 0, `poissons_ratios` [1] in 0..1.
pub fn modulus(youngs_moduli: [f64; 2], poissons_ratios: [f64; 2]) -> f64 {
    let [c_1, c_2] =
        [0, 1].map(|i| youngs_moduli[i] / (1.0 - poissons_ratios[i] * poissons_ratios[i]));
    1.0 / (1.0 / c_1 + 1.0 / c_2)
}

/// Effective radius R [m] of two contact spheres of radius `radii` [m]: r1 r2/(r1 + r2) if both
/// are curved or both flat; the curved one's radius if one is flat. An infinite radius (a
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steel_on_steel_has_the_textbook_modulus() {
        // E/(2 (1 - nu^2)) for equal materials.
        let c = modulus([2e11, 2e11], [0.3, 0.3]);
        assert!((c / (2e11 / (2.0 * 0.91)) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_flat_partner_leaves_the_curved_radius() {
        assert_eq!(effective_radius([0.1, 0.3], [false, true]), 0.1);
        assert_eq!(effective_radius([0.1, 0.3], [true, false]), 0.3);
        assert!((effective_radius([0.1, 0.3], [false, false]) - 0.075).abs() < 1e-17);
        assert_eq!(effective_radius([f64::INFINITY, 0.3], [true, true]), 0.3);
    }
}
