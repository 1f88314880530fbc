//! Impacts in contact space against closed forms, independent computations and symmetries.

mod balls;
mod compliant;
mod corners;
mod normal;
mod pendulum;
mod properties;
mod rod;
mod rolling;
mod spatial;

use super::{COMPONENTS, Hypothesis, Impact, MultiImpact, Outcome, Touch, solve};
use crate::response::choice::RestitutionRule;
use crate::response::normal::PowerLaw;
use crate::response::restitution::Restitution;
use contact_geometry::math::Vec3;
use nalgebra::{DMatrix, DVector};

const HYPOTHESES: [Hypothesis; 3] = [
    Hypothesis::Newton,
    Hypothesis::Poisson,
    Hypothesis::Energetic,
];

/// Numbers that look random: SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    /// In 0..1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// A contact that starts, of a constant restitution, without rolling resistance and rest speed.
fn touch(e: f64, friction: f64) -> Touch {
    Touch {
        restitution: Restitution {
            given: e,
            rule: RestitutionRule::Constant,
            v_small: 0.01,
        },
        friction,
        rolling: 0.0,
        spinning: None,
        rest_speed: 0.0,
        starts: true,
        elastic: PowerLaw {
            stiffness: 1e3,
            exponent: 1.5,
        },
    }
}

/// Contacts, their inverse mass and velocities.
struct Case {
    w: DMatrix<f64>,
    u: Vec<f64>,
    touches: Vec<Touch>,
}

impl Case {
    fn solve(&self, hypothesis: Hypothesis, multi: MultiImpact) -> Option<Outcome> {
        solve(&Impact {
            inverse_mass: &self.w,
            velocities: &self.u,
            touches: &self.touches,
            hypothesis,
            multi,
        })
    }

    /// One contact in the plane of n and t1, from [[tt, tn], [tn, nn]] and (t, n).
    fn planar(w: [[f64; 2]; 2], u: [f64; 2], touch: Touch) -> Case {
        let mut full = DMatrix::zeros(COMPONENTS, COMPONENTS);
        full[(0, 0)] = w[1][1];
        full[(0, 1)] = w[0][1];
        full[(1, 0)] = w[1][0];
        full[(1, 1)] = w[0][0];
        full[(2, 2)] = 1.0;
        Case {
            w: full,
            u: vec![u[1], u[0], 0.0, 0.0, 0.0, 0.0],
            touches: vec![touch],
        }
    }

    /// Balls of 1 kg in a row, touching, the first one with 1 m/s.
    fn row(count: usize, e: f64) -> Case {
        let contacts = count - 1;
        let mut w = DMatrix::zeros(COMPONENTS * contacts, COMPONENTS * contacts);
        for i in 0..contacts {
            w[(COMPONENTS * i, COMPONENTS * i)] = 2.0;
            if i > 0 {
                w[(COMPONENTS * i, COMPONENTS * (i - 1))] = -1.0;
                w[(COMPONENTS * (i - 1), COMPONENTS * i)] = -1.0;
            }
        }
        let mut u = vec![0.0; COMPONENTS * contacts];
        u[0] = -1.0;
        let lasting = Touch {
            starts: false,
            ..touch(e, 0.0)
        };
        let mut touches = vec![lasting; contacts];
        touches[0].starts = true;
        Case { w, u, touches }
    }
}

/// Velocities of balls in a row after.
fn of_row(outcome: &Outcome, count: usize) -> Vec<f64> {
    let p = |i: usize| match i {
        0 => 0.0,
        i if i == count => 0.0,
        i => outcome.impulses[COMPONENTS * (i - 1)],
    };
    let first = |i: usize| if i == 0 { 1.0 } else { 0.0 };
    (0..count).map(|i| first(i) + p(i) - p(i + 1)).collect()
}

/// A rigid body with contacts against the world, n = z, t1 = x, t2 = y.
#[derive(Debug)]
struct Body {
    mass: f64,
    /// About x, y and z.
    inertia: [f64; 3],
    velocity: Vec3,
    spin: Vec3,
}

impl Body {
    /// Velocity of each contact per velocity of the body.
    fn rows(points: &[Vec3]) -> DMatrix<f64> {
        let mut a = DMatrix::zeros(COMPONENTS * points.len(), 6);
        for (i, r) in points.iter().enumerate() {
            let n = COMPONENTS * i;
            for (row, axis) in [Vec3::z(), Vec3::x(), Vec3::y()].iter().enumerate() {
                // axis.(v + spin x r) = axis.v + (r x axis).spin
                let turn = r.cross(axis);
                for k in 0..3 {
                    a[(n + row, k)] = axis[k];
                    a[(n + row, 3 + k)] = turn[k];
                    a[(n + 3 + row, 3 + k)] = axis[k];
                }
            }
        }
        a
    }

    fn case(&self, points: &[Vec3], touches: Vec<Touch>) -> Case {
        let a = Body::rows(points);
        let [x, y, z] = self.inertia;
        let m = self.mass;
        let inverse = DMatrix::from_diagonal(&DVector::from_vec(vec![
            1.0 / m,
            1.0 / m,
            1.0 / m,
            1.0 / x,
            1.0 / y,
            1.0 / z,
        ]));
        let (v, s) = (self.velocity, self.spin);
        let motion = DVector::from_vec(vec![v.x, v.y, v.z, s.x, s.y, s.z]);
        Case {
            w: &a * inverse * a.transpose(),
            u: (&a * motion).as_slice().to_vec(),
            touches,
        }
    }

    /// Velocity and spin after impulses.
    fn after(&self, points: &[Vec3], impulses: &[f64]) -> (Vec3, Vec3) {
        let load = Body::rows(points).transpose() * DVector::from_column_slice(impulses);
        let along = Vec3::new(load[0], load[1], load[2]);
        let about = Vec3::new(load[3], load[4], load[5]);
        let inertia = Vec3::from(self.inertia);
        (
            self.velocity + along / self.mass,
            self.spin + about.component_div(&inertia),
        )
    }
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let is_near = |(x, y): (&f64, &f64)| (x - y).abs() <= tolerance;
    assert!(
        found.iter().zip(expected).all(is_near),
        "{found:?}, expected {expected:?}"
    );
}
