//! Comparison of the velocity inputs of driven bodies with the change of their pose inputs.
//!
//! Damping and friction follow the velocity inputs, so a velocity that was left at zero, or has the wrong
//! sign, unit or axes, gives a wrong force and no other symptom. Samples of the inputs, each with the time
//! t_k at which it was set, are joined to stretches. Over a stretch from p_a, R_a to p_b, R_b the body has
//! moved by d = p_b - p_a and rotated by R_b R_a^T; its velocities give
//!
//!   J = sum of v_k h_k, exp(sum of w_k h_k),     h_k = t_k - t_(k-1), world axes.
//!
//! A correct importer may give the velocities at the start of a step, at its end, or the mean of both, which
//! is the trapezoid rule; and an importer that sets inputs a step late has moved by the length of the
//! previous step. The best of the four counts. A stretch is a misfit if |d - J| > 1/5 max(|d|, |J|), and five
//! consecutive misfits are logged, once for each body.
//! - A stretch ends as soon as d or J is 1 % of the size of the body, or 0.01 rad, the same distance at its
//!   rim: rounded numbers (float32 at 10 m: 1e-6 m) do not reach that in a body at rest.
//! - The error of the trapezoid rule on a sine is 1/5 at 4 samples a period, 1/30 at 10. Fewer than 4 are
//!   logged, and rightly so: in between the body moves in a straight line.
//! - Pose and velocity interpolated linearly from a table differ by (v_1 - v_0)/2 inside an interval and
//!   agree over an entire one. Such samples have one slope of the pose while the velocity changes; a stretch
//!   does not end between them.
//! - A repositioned body is one misfit, and at an event none: a pose that changes at an instant says nothing
//!   about velocities. One that moves by jumps only has five.
//! - A body at rest with a velocity, such as a belt, is logged too.

use contact_geometry::math::{
    Mat3, Vec3, exponential, quaternion, rotation_matrix, rotation_vector,
};
use contact_laws::index::{InputId, TiSlice};
use contact_model::dynamics::model::DrivenBody;
use serde::{Deserialize, Serialize};

/// Minimum length of a stretch, relative to the size of the body [1], and angle [rad].
const STRETCH: f64 = 0.01;
/// Relative difference of a misfit [1].
const MISFIT: f64 = 0.2;
/// Number of consecutive misfits that are logged.
const MISFITS: u32 = 5;
/// Relative difference up to which two slopes of the pose inputs are equal [1]: a smooth motion with samples
/// each 0.01 ms changes its slope by more.
const SAME_SLOPE: f64 = 1e-6;
/// Roundings of a coordinate in the difference of two.
const ROUNDINGS: f64 = 16.0;
const ORIENTATION: usize = 9;

/// Inputs of a body with the time when they were set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Sample {
    time: f64,
    position: [f64; 3],
    /// Orientation as given, padded with zeros.
    given: [f64; ORIENTATION],
    orientation: [f64; 4],
    velocities: [[f64; 3]; 2],
}

/// Displacement [m] or rotation vector [rad] given by velocities since a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Stretch {
    begin: Sample,
    /// By the velocity at the start of each step, at its end, and by the mean of both over the length of the
    /// previous step.
    ways: [[f64; 3]; 3],
    /// Consecutive misfits before this one.
    misfits: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    length: f64,
    /// Changes of position [m] and orientation as given, and the rotation vector [rad].
    position: [f64; 3],
    given: [f64; ORIENTATION],
    turn: [f64; 3],
}

impl Step {
    fn new(from: &Sample, to: &Sample) -> Self {
        Step {
            length: to.time - from.time,
            position: std::array::from_fn(|i| to.position[i] - from.position[i]),
            given: std::array::from_fn(|i| to.given[i] - from.given[i]),
            turn: rotation_vector(&turn(from, to)).into(),
        }
    }

    /// Returns true if position or orientation changes as in the previous step: linearly in its numbers, or
    /// by a rotation at constant speed.
    fn goes_on(&self, before: &Step, turning: bool, sample: &Sample) -> bool {
        let ratio = self.length / before.length;
        let same = |now: &[f64], before: &[f64], size: &[f64]| {
            let largest = now.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
            let mut all = now.iter().zip(before).zip(size);
            all.all(|((now, before), size)| {
                let rounding = ROUNDINGS * f64::EPSILON * size.abs() * (1.0 + ratio);
                (now - before * ratio).abs() <= SAME_SLOPE * largest + rounding
            })
        };
        match turning {
            false => same(&self.position, &before.position, &sample.position),
            true => {
                same(&self.given, &before.given, &sample.given)
                    || same(&self.turn, &before.turn, &[1.0; 3])
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct VelocityFit {
    last: Option<Sample>,
    /// Of the translation and of the rotation.
    stretches: Option<[Stretch; 2]>,
    step: Option<Step>,
    logged: bool,
}

/// Last of five consecutive misfits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Misfit {
    /// Whether it is in the angular velocity.
    turning: bool,
    /// Times of its ends [s].
    span: [f64; 2],
    /// Mean velocity [m/s] in world axes or angular velocity [rad/s] in body axes, from the pose and as
    /// given.
    of_pose: Vec3,
    given: Vec3,
}

impl Stretch {
    fn new(begin: Sample, misfits: u32) -> Self {
        Stretch {
            begin,
            ways: [[0.0; 3]; 3],
            misfits,
        }
    }

    /// Mean of the first two ways: the trapezoid rule.
    fn mean(&self) -> Vec3 {
        (Vec3::from(self.ways[0]) + Vec3::from(self.ways[1])) * 0.5
    }

    /// Sizes of the displacements by the pose and by velocities; and the difference of the best of the
    /// latter.
    fn compare(&self, turning: bool, end: &Sample) -> [f64; 3] {
        let [first, second, late] = self.ways.map(Vec3::from);
        let mean = self.mean();
        let ways = [first, second, late, mean];
        let (way, misses) = match turning {
            false => {
                let way = Vec3::from(end.position) - Vec3::from(self.begin.position);
                (way.norm(), ways.map(|said| (way - said).norm()))
            }
            true => {
                let turn = turn(&self.begin, end);
                let miss = |said: Vec3| rotation_vector(&(exponential(&said).transpose() * turn));
                (
                    rotation_vector(&turn).norm(),
                    ways.map(|said| miss(said).norm()),
                )
            }
        };
        [
            way,
            mean.norm(),
            misses.into_iter().fold(f64::INFINITY, f64::min),
        ]
    }

    fn misfit(&self, turning: bool, end: &Sample) -> Misfit {
        let duration = end.time - self.begin.time;
        let (way, axes) = match turning {
            false => {
                let way = Vec3::from(end.position) - Vec3::from(self.begin.position);
                (way, Mat3::identity())
            }
            true => {
                let axes = rotation_matrix(&self.begin.orientation);
                (rotation_vector(&turn(&self.begin, end)), axes)
            }
        };
        Misfit {
            turning,
            span: [self.begin.time, end.time],
            of_pose: axes.tr_mul(&way) / duration,
            given: axes.tr_mul(&self.mean()) / duration,
        }
    }
}

/// Rotation from one sample to another, world axes.
fn turn(from: &Sample, to: &Sample) -> Mat3 {
    let [from, to] = [from, to].map(|sample| rotation_matrix(&sample.orientation));
    to * from.transpose()
}

impl VelocityFit {
    /// Takes the inputs of a body, set at `time` [s]; the first misfit as text. Samples are not rolled back,
    /// but all are dropped if time goes back.
    pub(super) fn watch(
        &mut self,
        body: &DrivenBody,
        inputs: &TiSlice<InputId, f64>,
        time: f64,
        name: &str,
    ) -> Option<String> {
        let sample = (body.reach > 0.0).then(|| sample(body, inputs, time));
        let Some(sample) = sample.flatten() else {
            self.forget();
            return None;
        };
        let misfit = self.add(sample, body.reach)?;
        (!std::mem::replace(&mut self.logged, true)).then(|| misfit.in_words(name))
    }

    /// Drops the samples, but not the record of what was logged.
    fn forget(&mut self) {
        (self.last, self.stretches, self.step) = (None, None, None);
    }

    /// Adds a sample of a body of this size [m].
    fn add(&mut self, sample: Sample, size: f64) -> Option<Misfit> {
        let Some(last) = self.last.filter(|last| last.time <= sample.time) else {
            self.forget();
            self.last = Some(sample);
            return None;
        };
        if sample == last {
            return None;
        }
        self.last = Some(sample);
        if sample.time == last.time {
            // At an instant anything may change.
            let counts = self.stretches.map(|both| both.map(|s| s.misfits));
            self.stretches = counts.map(|counts| counts.map(|n| Stretch::new(sample, n)));
            self.step = None;
            return None;
        }
        let step = Step::new(&last, &sample);
        let before = self.step.replace(step);
        let late = before.map_or(step.length, |before| before.length);
        let mut stretches = self
            .stretches
            .unwrap_or([Stretch::new(last, 0), Stretch::new(last, 0)]);
        let mut found = None;
        for (stretch, turning) in stretches.iter_mut().zip([false, true]) {
            let least = match turning {
                false => STRETCH * size,
                true => STRETCH,
            };
            let part = usize::from(turning);
            let straight = sample.velocities[part] != last.velocities[part]
                && before.is_some_and(|before| step.goes_on(&before, turning, &sample));
            if !straight && last.time > stretch.begin.time {
                let [way, said, miss] = stretch.compare(turning, &last);
                let longer = way.max(said);
                if longer >= least {
                    let misfits = match miss > MISFIT * longer {
                        true => stretch.misfits + 1,
                        false => 0,
                    };
                    if misfits >= MISFITS && found.is_none() {
                        found = Some(stretch.misfit(turning, &last));
                    }
                    *stretch = Stretch::new(last, misfits.min(MISFITS));
                }
            }
            let [v0, v1] = [last, sample].map(|s| Vec3::from(s.velocities[part]));
            let steps = [v0 * step.length, v1 * step.length, (v0 + v1) * (0.5 * late)];
            for (way, step) in stretch.ways.iter_mut().zip(steps) {
                *way = (Vec3::from(*way) + step).into();
            }
        }
        self.stretches = Some(stretches);
        found
    }
}

fn sample(body: &DrivenBody, inputs: &TiSlice<InputId, f64>, time: f64) -> Option<Sample> {
    let (place, twist) = body.motion(inputs, 0.0)?;
    let mut given = [0.0; ORIENTATION];
    for (to, from) in given.iter_mut().zip(body.orientation(inputs)) {
        *to = *from;
    }
    Some(Sample {
        time,
        position: place.position.into(),
        given,
        orientation: quaternion(&place.rotation),
        velocities: [twist.velocity_w.into(), twist.omega_w.into()],
    })
}

impl Misfit {
    fn in_words(&self, body: &str) -> String {
        let [what, of, unit] = match self.turning {
            false => ["velocity", "position", "m/s"],
            true => ["angular_velocity", "orientation", "rad/s in body axes"],
        };
        let [of_pose, given]: [[f64; 3]; 2] = [self.of_pose.into(), self.given.into()];
        let [from, to] = self.span;
        format!(
            "inputs do not fit: t={to:?} body={body} from={from:?} {of} changes by {of_pose:?} {unit}, {what} says \
             {given:?}; damping and friction follow {body}.{what}: set it to the derivative of {of}, and both often \
             enough"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: f64 = 0.1;

    fn sample(time: f64, [p, v, r, w]: [Vec3; 4]) -> Sample {
        let orientation = quaternion(&exponential(&r));
        let mut given = [0.0; ORIENTATION];
        given[..4].copy_from_slice(&orientation);
        Sample {
            time,
            position: p.into(),
            given,
            orientation,
            velocities: [v.into(), w.into()],
        }
    }

    fn told_of(samples: impl Iterator<Item = Sample>) -> Option<Misfit> {
        let mut fit = VelocityFit::default();
        let found = samples.map(|sample| fit.add(sample, SIZE));
        found.fold(None, |first, next| first.or(next))
    }

    /// The misfit logged of samples (time, [position, velocity, rotation vector, angular velocity
    /// in world axes]).
    fn logged(samples: impl Iterator<Item = (f64, [Vec3; 4])>) -> Option<Misfit> {
        told_of(samples.map(|(time, values)| sample(time, values)))
    }

    /// x = 0.05 sin 8 t, turning about z by the angle 0.7 sin 8 t.
    fn swing(t: f64) -> [Vec3; 4] {
        let (s, c) = (8.0 * t).sin_cos();
        let [x, z] = [Vec3::x() * 0.05, Vec3::z() * 0.7];
        [x * s, x * (8.0 * c), z * s, z * (8.0 * c)]
    }

    fn times(step: f64) -> impl Iterator<Item = f64> {
        (0..)
            .map(move |i| f64::from(i) * step)
            .take_while(|t| *t < 3.0)
    }

    /// From 8 samples of a period on, wherever they begin, even or with lengths from 1 to 9.
    #[test]
    fn the_derivative_of_the_pose_fits() {
        let period = std::f64::consts::TAU / 8.0;
        for samples in [8.0, 11.0, 50.0, 1000.0] {
            let step = period / samples;
            for begin in [0.0, 0.1, 0.2, 0.3] {
                let even = times(step).map(|t| (t, swing(begin + t)));
                assert_eq!(logged(even), None, "{samples} {begin}");
            }
            let uneven = (0..400).map(|i| f64::from(i) + f64::from(i % 3) * 0.4);
            let uneven = uneven.map(|i| (i * step, swing(i * step)));
            assert_eq!(logged(uneven), None, "{samples}");
        }
    }

    #[test]
    fn velocities_by_differences_forward_or_backward_fit() {
        let step = 0.01;
        for (from, to) in [(0.0, step), (-step, 0.0)] {
            let samples = times(step).map(|t| {
                let [p, _, r, _] = swing(t);
                let ([a, _, b, _], [c, _, d, _]) = (swing(t + from), swing(t + to));
                (t, [p, (c - a) / step, r, (d - b) / step])
            });
            assert_eq!(logged(samples), None);
        }
    }

    /// Numbers from halves of a stretch of x' = 0.3 m/s and 2 rad/s about z by hand.
    #[test]
    fn velocities_left_at_zero_reversed_or_in_another_unit_are_logged() {
        for (factor, swinging) in [
            (0.0, true),
            (-1.0, true),
            (57.3, true),
            (1e-3, true),
            (0.5, true),
            (0.0, false),
            (-1.0, false),
        ] {
            for turning in [false, true] {
                let samples = times(0.01).map(|t| {
                    let even = [
                        Vec3::x() * 0.3 * t,
                        Vec3::x() * 0.3,
                        Vec3::z() * 2.0 * t,
                        Vec3::z() * 2.0,
                    ];
                    let [p, v, r, w] = if swinging { swing(t) } else { even };
                    match turning {
                        true => (t, [p, v, r, w * factor]),
                        false => (t, [p, v * factor, r, w]),
                    }
                });
                let misfit = logged(samples).expect("a misfit");
                assert_eq!(misfit.turning, turning);
                if !swinging {
                    let [pose, given] = match turning {
                        true => [Vec3::z() * 2.0, Vec3::z() * 2.0 * factor],
                        false => [Vec3::x() * 0.3, Vec3::x() * 0.3 * factor],
                    };
                    assert!((misfit.of_pose - pose).amax() < 1e-12);
                    assert!((misfit.given - given).amax() < 1e-12);
                }
            }
        }
    }

    /// 6 rad between two samples look like a quarter of a radian back, and still fit.
    #[test]
    fn a_fast_spindle_fits_and_one_that_is_told_in_other_axes_does_not() {
        let spin = |speed: f64, axis: Vec3| {
            let zero = Vec3::zeros();
            times(0.01).map(move |t| (t, [zero, zero, Vec3::z() * speed * t, axis * speed]))
        };
        assert_eq!(logged(spin(600.0, Vec3::z())), None);
        assert!(logged(spin(100.0, Vec3::x())).is_some());
    }

    /// From rest and through turning points, 10 table times a period and 37 or 3.7 samples in
    /// between; angles interpolated, or the numbers of the quaternion.
    #[test]
    fn straight_lines_between_the_times_of_a_table_fit() {
        let interval = std::f64::consts::TAU / 80.0;
        for samples in [37.0, 3.7] {
            for begin in [0.0, 0.11, 0.19] {
                let at = |t: f64, of_quaternions: bool| {
                    let (i, part) = ((t / interval).floor(), (t / interval).fract());
                    let [a, b] = [i, i + 1.0].map(|i| swing(begin + i * interval));
                    let mut made = sample(t, std::array::from_fn(|k| a[k] + (b[k] - a[k]) * part));
                    if of_quaternions {
                        let [a, b] = [a, b].map(|values| sample(t, values).given);
                        made.given = std::array::from_fn(|k| a[k] + (b[k] - a[k]) * part);
                        let norm = made.given.iter().map(|c| c * c).sum::<f64>().sqrt();
                        made.orientation = std::array::from_fn(|k| made.given[k] / norm);
                    }
                    made
                };
                for of_quaternions in [false, true] {
                    let found = told_of(times(interval / samples).map(|t| at(t, of_quaternions)));
                    assert_eq!(found, None, "{samples} {begin} {of_quaternions}");
                }
            }
        }
    }

    /// What was true a step ago is set now, while the steps grow by a quarter each and shrink
    /// again.
    #[test]
    fn inputs_that_lag_by_a_step_fit() {
        let mut time = 0.0;
        let mut before = 0.0;
        let samples = (0..300).map(|i| {
            let step = 1e-3 * 1.25_f64.powi(if i % 20 < 10 { i % 20 } else { 20 - i % 20 });
            (before, time) = (time, time + step);
            (time, swing(before))
        });
        assert_eq!(logged(samples), None);
    }

    #[test]
    fn a_body_put_elsewhere_is_not_told_and_one_moved_by_jumps_alone_is() {
        let jumping = |at_instants: bool, jumps: usize| {
            let samples = times(0.01).enumerate().flat_map(move |(i, t)| {
                let [p, v, r, w] = swing(t);
                let jumped = |i: usize| Vec3::y() * (i / 20).min(jumps) as f64;
                let now = (t, [p + jumped(i), v, r, w]);
                let before = (t, [p + jumped(i.saturating_sub(1)), v, r, w]);
                [if at_instants { before } else { now }, now]
            });
            logged(samples)
        };
        assert_eq!([jumping(true, 9), jumping(false, 9)], [None, None]);
        let hops = times(0.01).map(|t| {
            (
                t,
                [
                    Vec3::x() * (t / 0.1).floor(),
                    Vec3::zeros(),
                    Vec3::zeros(),
                    Vec3::zeros(),
                ],
            )
        });
        assert!(logged(hops).is_some());
    }

    /// Positions in float32 10 m off, velocities of a body at rest and of a slow one.
    #[test]
    fn rounded_inputs_are_not_logged() {
        for speed in [0.0, 1e-3] {
            let samples = (0..100_000).map(|i| {
                let t = f64::from(i) * 1e-4;
                let jitter = if i % 2 == 0 { 1e-6 } else { -1e-6 };
                let x = f64::from((10.0 + speed * t + jitter) as f32);
                (
                    t,
                    [
                        Vec3::x() * x,
                        Vec3::x() * speed,
                        Vec3::zeros(),
                        Vec3::zeros(),
                    ],
                )
            });
            assert_eq!(logged(samples), None);
        }
    }

    #[test]
    fn a_time_that_goes_back_restarts() {
        let still = [Vec3::zeros(); 4];
        let moved = [Vec3::x(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        let samples = (0..100).map(|i| match i % 2 {
            0 => (1.0, still),
            _ => (0.5, moved),
        });
        assert_eq!(logged(samples), None);
    }
}
