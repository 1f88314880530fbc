//! Deterministic random numbers, directions, rotations and poses.
#![allow(dead_code, reason = "each of them uses its part")]

use contact_geometry::math::{Dual, Mat3, Pose, Real, Vec3, rotation_matrix};

pub fn posed<T: Real>(position: Vec3<T>, rotation: Mat3<T>) -> Pose<T> {
    Pose { position, rotation }
}

/// A pose that turns nothing.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    posed(Vec3::new(x, y, z), Mat3::identity())
}

/// A pose that has moved for a time [s] at this velocity [m/s] and angular velocity [rad/s], world axes.
pub fn moved(pose: &Pose, linear: &Vec3, angular: &Vec3, time: f64) -> Pose {
    let v = angular * (0.5 * time);
    // The quaternion of the turn by angle |2v|: exact to rounding at small angles.
    let (sine, cosine) = v.norm().sin_cos();
    let part = if sine > 0.0 { v * (sine / v.norm()) } else { v };
    let turn = rotation_matrix(&[cosine, part.x, part.y, part.z]);
    posed(pose.position + linear * time, turn * pose.rotation)
}

/// A pose with the derivatives that this motion gives it.
pub fn lifted(pose: &Pose, linear: &Vec3, angular: &Vec3) -> Pose<Dual> {
    let spin = angular.cross_matrix() * pose.rotation;
    let position = pose.position.zip_map(linear, Dual::new);
    posed(position, pose.rotation.zip_map(&spin, Dual::new))
}

/// Number of rounds of a soak that has so many in whole: a tenth, or as many tenths as CONTACT_FMU_SOAK says.
pub fn soak(rounds: usize) -> usize {
    let tenths = std::env::var("CONTACT_FMU_SOAK").unwrap_or("1".into());
    let tenths: usize = tenths
        .parse()
        .expect("CONTACT_FMU_SOAK is a number of tenths");
    (rounds * tenths).div_ceil(10)
}

/// SplitMix64 [Steele, Lea, Flood 2014].
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In `low`..`high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// In 0..`count`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Each component in -1..1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
        )
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            let length = v.norm();
            if (0.1..1.0).contains(&length) {
                return v / length;
            }
        }
    }

    /// Uniform rotation.
    pub fn rotation(&mut self) -> Mat3 {
        loop {
            let q = [(); 4].map(|()| self.between(-1.0, 1.0));
            let square: f64 = q.iter().map(|c| c * c).sum();
            if (0.01..1.0).contains(&square) {
                return rotation_matrix(&q);
            }
        }
    }

    /// Within a cube of half edge `reach` [m].
    pub fn pose(&mut self, reach: f64) -> Pose {
        posed(self.vector() * reach, self.rotation())
    }
}
