//! Trees against dense solutions, closed forms and symmetries.

mod contact;
mod cost;
mod dense;
mod nominals;
mod reactions;
mod refusals;
mod symmetry;

use crate::dynamics::{Model, pressing};
use crate::fixtures::*;

/// Numbers that look random: SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Between -1 and 1.
    fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Below `count`.
    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    fn vector(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.number())
    }

    fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.number());
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            if norm > 0.1 && norm < 1.0 {
                return q.map(|c| c / norm);
            }
        }
    }

    fn placement(&mut self) -> LocalFrame {
        LocalFrame {
            position: self.vector(),
            orientation: self.quaternion(),
        }
    }

    /// Mass 0.5 to 1.5 kg off the origin, moments as of a cloud of points.
    fn mass(&mut self) -> GivenMass {
        let [a, b, c] = self.vector().map(|v| 0.2 + 0.1 * v);
        let r = rotation_matrix(&self.quaternion());
        let m = r * Mat3::from_diagonal(&Vec3::new(b + c, c + a, a + b)) * r.transpose();
        given_mass(
            1.0 + 0.5 * self.number(),
            self.vector().map(|v| 0.5 * v),
            [
                m[(0, 0)],
                m[(1, 1)],
                m[(2, 2)],
                m[(0, 1)],
                m[(0, 2)],
                m[(1, 2)],
            ],
        )
    }
}

/// Up to `most` bodies in up to three trees, on the world, a fixed body and free ones, joints of
/// all kinds at random places and speeds, and a free body by itself.
fn random_scene(random: &mut Random, most: usize) -> SceneDescription {
    let mut ground = plain_body("ground", Motion::Fixed, GivenMass::default());
    ground.position = random.vector();
    ground.orientation = random.quaternion();
    let mut bodies = vec![ground];
    for name in ["float", "alone"] {
        let mut body = plain_body(name, Motion::Free, random.mass());
        body.position = random.vector();
        body.orientation = random.quaternion();
        body.velocity = random.vector();
        body.angular_velocity = random.vector();
        bodies.push(body);
    }
    let mut joints = Vec::new();
    // Bodies that may be parents; none is the world.
    let mut parents: Vec<Option<String>> = vec![None, Some("ground".into()), Some("float".into())];
    for index in 0..1 + random.below(most - 2) {
        let name = format!("link_{index}");
        // Late ones more often than early ones, so that there are long chains.
        let parent = parents.len() - 1 - random.below(parents.len().min(4));
        let kind = JointKind::ALL[random.below(JointKind::ALL.len())];
        let mut one = joint(kind, parents[parent].as_deref(), &name);
        one.parent_frame = random.placement();
        one.child_frame = random.placement();
        let axes = rotation_matrix::<f64>(&random.quaternion());
        one.axis = axes.column(0).into_owned().into();
        one.second_axis = axes.column(1).into_owned().into();
        one.positions = (0..kind.position_count())
            .map(|_| random.number())
            .collect();
        if kind.has_pitch() {
            one.pitch = 4.0 * random.number();
        }
        if let Some(first) = kind.quaternion() {
            one.positions[first..].copy_from_slice(&random.quaternion());
        }
        one.rates = (0..kind.rate_count()).map(|_| random.number()).collect();
        bodies.push(plain_body(&name, Motion::Joint, random.mass()));
        joints.push(one);
        parents.push(Some(name));
    }
    let mut description = steel_scene(bodies);
    description.joints = joints;
    description
}

fn bound(description: &SceneDescription) -> Model {
    let scene = valid(description.clone());
    let functions = UserFunctions::not_loaded(&scene);
    pressing::bind(&scene, &Parameters::start(&scene), &functions).expect("good parameters")
}
