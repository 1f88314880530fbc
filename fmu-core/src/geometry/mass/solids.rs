//! Mass properties of homogeneous solids in closed form, about the frames that
//! [`Form`](crate::scene::description::Form) states: the centre in the origin (cone: the centre of
//! the base circle), the axis along z.
//!
//! Every solid here is symmetric about its planes through z, so the tensor is diagonal and follows
//! from the second moments of mass q = (int x^2 dm, int y^2 dm, int z^2 dm) about the centre of
//! mass: I_xx = q_y + q_z and cyclic. Parts that end off centre (half spheres, half discs) have
//! their own centroids: 3/8 r above the flat face of a half sphere, 4 r/(3 pi) above that of a half
//! disc.

use crate::geometry::mass::MassProperties;
use crate::math::{Mat3, Vec3};
use std::f64::consts::PI;

impl MassProperties {
    /// Homogeneous sphere of `diameter` [m] and `density` [kg/m3]: I = 2/5 m r^2.
    pub fn sphere(diameter: f64, density: f64) -> Self {
        let r = 0.5 * diameter;
        let mass = density * 4.0 / 3.0 * PI * (r * r * r);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::identity() * (0.4 * mass * r * r),
        }
    }

    /// Homogeneous ellipsoid of `lengths` [m], its diameters: q_x = m a^2/5 with the semi-axis a.
    pub fn ellipsoid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = lengths.map(|length| 0.5 * length);
        let mass = density * 4.0 / 3.0 * PI * a * b * c;
        let moments = Vec3::new(a * a, b * b, c * c) * (mass / 5.0);
        from_moments(mass, 0.0, &moments)
    }

    /// Homogeneous box of edge `lengths` [m]: I_xx = m (b^2 + c^2)/12.
    pub fn cuboid(lengths: &[f64; 3], density: f64) -> Self {
        let [a, b, c] = *lengths;
        let mass = density * a * b * c;
        let inertia = Vec3::new(b * b + c * c, c * c + a * a, a * a + b * b) * (mass / 12.0);
        MassProperties {
            mass,
            center_of_mass: Vec3::zeros(),
            inertia: Mat3::from_diagonal(&inertia),
        }
    }

    /// Homogeneous cylinder with a bore along its axis: with radii R and r,
    /// q_x = q_y = m (R^2 + r^2)/4, q_z = m L^2/12.
    pub fn cylinder(diameter: f64, inner_diameter: f64, length: f64, density: f64) -> Self {
        let (outer, inner) = (0.5 * diameter, 0.5 * inner_diameter);
        let mass = density * PI * (outer - inner) * (outer + inner) * length;
        let across = mass * (outer * outer + inner * inner) / 4.0;
        let along = mass * length * length / 12.0;
        from_moments(mass, 0.0, &Vec3::new(across, across, along))
    }

    /// Homogeneous cone or frustum from the base about the origin to the top at z = L. With radii R
    /// of the base and r of the top and S = R^2 + R r + r^2:
    /// m = density pi L S/3, z_c = L/4 (R^2 + 2 R r + 3 r^2)/S,
    /// q_x = q_y = 3 m/20 (R^4 + R^3 r + R^2 r^2 + R r^3 + r^4)/S,
    /// q_z = 3 m L^2/80 (R^4 + 4 R^3 r + 10 R^2 r^2 + 4 R r^3 + r^4)/S^2.
    ///
    /// Differences of powers are divided out, so that R = r is no special case.
    pub fn cone(diameter: f64, top_diameter: f64, length: f64, density: f64) -> Self {
        // Relative to the larger radius, so that no fourth power over- or underflows.
        let scale = 0.5 * diameter.max(top_diameter);
        let (base, top) = (0.5 * diameter / scale, 0.5 * top_diameter / scale);
        let powers = |c: [f64; 5]| {
            // c0 R^4 + c1 R^3 r + c2 R^2 r^2 + c3 R r^3 + c4 r^4
            let [b2, t2] = [base * base, top * top];
            c[0] * b2 * b2
                + c[1] * b2 * base * top
                + c[2] * b2 * t2
                + c[3] * base * t2 * top
                + c[4] * t2 * t2
        };
        let section = base * base + base * top + top * top;
        let mass = density * PI * length / 3.0 * section * scale * scale;
        let center = length / 4.0 * (base * base + 2.0 * base * top + 3.0 * top * top) / section;
        let across = 3.0 * mass / 20.0 * powers([1.0; 5]) / section * scale * scale;
        let along = 3.0 * mass * length * length / 80.0 * powers([1.0, 4.0, 10.0, 4.0, 1.0])
            / (section * section);
        from_moments(mass, center, &Vec3::new(across, across, along))
    }

    /// Homogeneous capsule: cylinder of length L (mass m_c) with two half spheres of radius r
    /// (together m_s). q_x = q_y = m_c r^2/4 + m_s r^2/5,
    /// q_z = m_c L^2/12 + m_s (r^2/5 + L^2/4 + 3 r L/8).
    pub fn capsule(diameter: f64, length: f64, density: f64) -> Self {
        let r = 0.5 * diameter;
        let cylinder = density * PI * r * r * length;
        let ends = density * 4.0 / 3.0 * PI * r * r * r;
        let across = (cylinder / 4.0 + ends / 5.0) * r * r;
        let along = cylinder * length * length / 12.0
            + ends * (r * r / 5.0 + length * length / 4.0 + 3.0 / 8.0 * r * length);
        from_moments(cylinder + ends, 0.0, &Vec3::new(across, across, along))
    }

    /// Homogeneous beam: box of length L along z, width 2 r along x and thickness t along y (mass
    /// m_b) with two half cylinders of radius r about y at its ends in z (together m_c).
    /// q_x = m_b r^2/3 + m_c r^2/4, q_y = (m_b + m_c) t^2/12,
    /// q_z = m_b L^2/12 + m_c (r^2/4 + L^2/4 + 4 r L/(3 pi)).
    pub fn beam(length: f64, width: f64, thickness: f64, density: f64) -> Self {
        let r = 0.5 * width;
        let middle = density * length * width * thickness;
        let ends = density * PI * r * r * thickness;
        let moments = Vec3::new(
            (middle / 3.0 + ends / 4.0) * r * r,
            (middle + ends) * thickness * thickness / 12.0,
            middle * length * length / 12.0
                + ends * (r * r / 4.0 + length * length / 4.0 + 4.0 / (3.0 * PI) * r * length),
        );
        from_moments(middle + ends, 0.0, &moments)
    }
}

/// Mass properties from second moments of mass [kg.m2] about a centre on the z axis [m].
fn from_moments(mass: f64, center_z: f64, moments: &Vec3) -> MassProperties {
    let [x, y, z] = [moments.x, moments.y, moments.z];
    MassProperties {
        mass,
        center_of_mass: Vec3::new(0.0, 0.0, center_z),
        inertia: Mat3::from_diagonal(&Vec3::new(y + z, z + x, x + y)),
    }
}
