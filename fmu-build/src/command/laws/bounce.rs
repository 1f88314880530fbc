//! Impact along the normal by a law, for an effective mass and an impact speed.
//!
//! m x'' = -f(x, x'), x(0) = the depth at which the force sets in, x'(0) = v0, until x = 0 again, where the
//! resulting restitution is e = -x'/v0. m is the effective mass [kg] of the two bodies, 1/m = 1/m_1 + 1/m_2;
//! x is the depth in the force [m]. Dissipated work w: w' = (f - f_el) x'.
//!
//! The integration variables are x/L, x'/v0 and w/(m v0^2/2) over v0 t/L, with the length L at which the
//! static force has stored the energy of the impact, and events at x' = 0 and x = 0.
//!
//! # Kinds of contact of shapes and laws: over an area, at a point, or both
//!
//! Convex parts of one kind that belong to one shape touch the same others in the same way; so only the first
//! of each kind is examined.

use contact_geometry::math::real::powf;
use contact_laws::index::{LawId, ShapeId, TiVec, ti_vec};
use contact_laws::response::law::PairLaw;
use contact_laws::response::normal::NormalLaw;
use contact_model::hybrid::{EvaluationError, EventOutcome, HybridSystem};
use contact_model::integrator::{DenseStep, Integrator, LegEnd, Memory, Settings};
use contact_model::scene::{Pair, Scene, Shape};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Impact {
    /// Resulting restitution [1]: speed after over speed before; `None` if the bodies still touch at the end
    /// of the computation, as under a damping that makes them creep apart.
    pub restitution: Option<f64>,
    /// Contact time [s]; up to the end of the computation if the bodies still touch.
    pub duration: f64,
    pub(crate) largest_depth: f64,
    pub(crate) largest_force: f64,
    /// Dissipated energy [J].
    pub dissipated: f64,
    /// Elastic energy at the start of the contact [J]: zero if the force starts at zero.
    pub given: f64,
}

/// State of an impact at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// Time since the force set in [s].
    pub(crate) time: f64,
    pub depth: f64,
    pub rate: f64,
    pub(crate) force: f64,
}

/// Error of a step, relative to L, to the impact speed and to the energy of the impact: some hundred steps
/// make an impact, and its results are needed to 1e-9.
const TOLERANCE: f64 = 1e-13;
/// Maximum attempts at a step to one end. The explicit formula needs them in proportion to d v0 where damping
/// makes the bodies creep apart and the force may pull; clamped, it ends as soon as their speed is 1/d.
const MOST_STEPS: u64 = 100_000;
/// First end of the integration, in units of L/v0: elastic impacts are over by then. Later ends are ten times
/// as late each.
const FIRST_END: f64 = 10.0;
const ENDS: i32 = 18;
/// Range of L [m].
const LENGTHS: (f64, f64) = (1e-30, 1e10);
/// Halvings of the range of ln L: an accuracy of some per mille.
const HALVINGS: usize = 16;
/// Iterations of the search for the largest force in a step, by 0.618 each: 1e-9 of the step, and the force
/// is flat there.
const NARROWINGS: usize = 44;
/// Fraction of the largest force so far from which on a step is searched for a larger one.
const NEAR_LARGEST: f64 = 0.9;

/// Impact of an effective mass [kg] > 0 at a speed [m/s] > 0; `None` without a force.
pub(crate) fn impact(law: &PairLaw, mass: f64, speed: f64) -> Option<Impact> {
    follow(law, mass, speed, |_| {})
}

/// [`impact`] that visits the state after each step, from the first to the last.
pub(crate) fn follow(
    law: &PairLaw,
    mass: f64,
    speed: f64,
    mut visit: impl FnMut(Moment),
) -> Option<Impact> {
    if law.normal == NormalLaw::Observer {
        return None;
    }
    let mut law = law.clone();
    law.set_impact_speed(speed);
    let start = law.rule.depth_at_start();
    let given = law.normal.elastic().map_or(0.0, |e| e.energy(start));
    let mut motion = Motion::new(&law, mass, speed);
    let mut states = [start / motion.length, 1.0, 0.0];
    visit(motion.moment(0.0, &states));
    let mut largest_depth = start;
    let mut largest_force = motion.force(&states);
    let mut observe = |motion: &mut Motion<'_>, step: &DenseStep<'_>| {
        let moment = motion.moment(step.t1(), step.end());
        let forces = [motion.force(step.start()), moment.force];
        if forces[0].max(forces[1]) >= NEAR_LARGEST * largest_force {
            largest_force = largest_force
                .max(motion.largest_force(step))
                .max(moment.force);
        }
        largest_depth = largest_depth.max(moment.depth);
        visit(moment);
        Ok(())
    };
    let settings = Settings::new(TOLERANCE).ok()?.with_budget(MOST_STEPS);
    let mut integrator = Integrator::new(3, 1, settings);
    let (mut memory, mut time) = (Memory::default(), 0.0);
    let mut until_event = |motion: &mut Motion<'_>, states: &mut [f64; 3]| {
        for end in (0..ENDS).map(|i| FIRST_END * powf(10.0, f64::from(i))) {
            if end <= time {
                continue;
            }
            let observer = Some(&mut observe as _);
            match integrator.advance(motion, &mut memory, &mut time, states, end, observer) {
                Ok(LegEnd::Event) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        false
    };
    let mut parts = until_event(&mut motion, &mut states);
    if parts {
        motion.compressing = false;
        parts = until_event(&mut motion, &mut states);
    }
    Some(Impact {
        restitution: parts.then_some(-states[1]),
        duration: time * motion.time_unit(),
        largest_depth,
        largest_force,
        dissipated: states[2] * motion.energy(),
        given,
    })
}

/// The two bodies in units of the impact: depth, its rate and dissipated work.
struct Motion<'a> {
    law: &'a PairLaw,
    mass: f64,
    speed: f64,
    /// L [m].
    length: f64,
    frozen: f64,
    /// Whether the maximum depth has not been reached yet.
    compressing: bool,
}

impl<'a> Motion<'a> {
    fn new(law: &'a PairLaw, mass: f64, speed: f64) -> Self {
        let frozen = law.frozen(speed, mass);
        let mut motion = Motion {
            law,
            mass,
            speed,
            length: 1.0,
            frozen,
            compressing: true,
        };
        let stores = |length: f64| {
            let force = law.normal_force(length, 0.0, frozen).1;
            0.5 * force * length >= motion.energy()
        };
        let (mut low, mut high) = LENGTHS;
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            match stores(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        motion.length = high;
        motion
    }

    fn energy(&self) -> f64 {
        0.5 * self.mass * self.speed * self.speed
    }

    /// L/v0 [s].
    fn time_unit(&self) -> f64 {
        self.length / self.speed
    }

    fn forces(&self, states: &[f64]) -> (f64, f64) {
        let depth = (states[0] * self.length).max(0.0);
        let rate = states[1] * self.speed;
        self.law.normal_force(depth, rate, self.frozen)
    }

    fn force(&self, states: &[f64]) -> f64 {
        self.forces(states).1
    }

    fn moment(&self, time: f64, states: &[f64]) -> Moment {
        Moment {
            time: time * self.time_unit(),
            depth: states[0] * self.length,
            rate: states[1] * self.speed,
            force: self.force(states),
        }
    }

    /// Largest force [N] within a step, by golden section.
    fn largest_force(&self, step: &DenseStep<'_>) -> f64 {
        let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
        let force = |time| {
            let mut states = [0.0; 3];
            step.interpolate(time, &mut states);
            self.force(&states)
        };
        let (mut low, mut high) = (step.t0(), step.t1());
        let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
        let (mut at_left, mut at_right) = (force(left), force(right));
        for _ in 0..NARROWINGS {
            if at_left >= at_right {
                (high, right, at_right) = (right, left, at_left);
                left = high - ratio * (high - low);
                at_left = force(left);
            } else {
                (low, left, at_left) = (left, right, at_right);
                right = low + ratio * (high - low);
                at_right = force(right);
            }
        }
        at_left.max(at_right)
    }
}

impl HybridSystem for Motion<'_> {
    fn state_count(&self) -> usize {
        3
    }

    fn indicator_count(&self) -> usize {
        1
    }

    fn nominals(&self, nominals: &mut [f64]) {
        nominals.fill(1.0);
    }

    fn derivatives(
        &mut self,
        _: f64,
        states: &[f64],
        derivatives: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let (elastic, force) = self.forces(states);
        let per_energy = self.length / self.energy();
        derivatives[0] = states[1];
        derivatives[1] = -0.5 * force * per_energy;
        derivatives[2] = (force - elastic) * states[1] * per_energy;
        Ok(())
    }

    fn indicators(
        &mut self,
        _: f64,
        states: &[f64],
        indicators: &mut [f64],
    ) -> Result<(), EvaluationError> {
        indicators[0] = states[usize::from(self.compressing)];
        Ok(())
    }

    fn completed_step(&mut self, _: f64, _: &[f64]) -> Result<bool, EvaluationError> {
        Ok(false)
    }

    fn update_event(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, EvaluationError> {
        Ok(EventOutcome::default())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    pub area: bool,
    pub(crate) point: bool,
}

/// Kinds of contact of all shapes and laws of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Touching {
    /// First equal part of the shape of each convex part.
    like: TiVec<ShapeId, ShapeId>,
    shapes: TiVec<ShapeId, Ways>,
    laws: TiVec<LawId, Ways>,
}

impl Touching {
    pub(super) fn none(scene: &Scene) -> Self {
        let shapes = scene.shapes();
        let mut like: TiVec<ShapeId, ShapeId> = TiVec::new();
        let mut kinds: Vec<ShapeId> = Vec::new();
        for (index, shape) in shapes.iter_enumerated() {
            if shape.part.unwrap_or(0) == 0 {
                kinds.clear();
            }
            let same = |other: &&ShapeId| shapes[**other].form.kind() == shape.form.kind();
            let first = kinds.iter().find(same).copied();
            if first.is_none() {
                kinds.push(index);
            }
            like.push(first.unwrap_or(index));
        }
        Touching {
            like,
            shapes: ti_vec![Ways::default(); shapes.len()],
            laws: ti_vec![Ways::default(); scene.laws().len()],
        }
    }

    /// Counts a pair of the first parts of two shapes, for all their parts.
    pub(super) fn count(&mut self, scene: &Scene, pair: &Pair, law: LawId) {
        let [firsts, seconds] = pair.shapes.map(|first| self.kinds_of(scene, first));
        for one in &firsts {
            for two in &seconds {
                let part = Pair {
                    shapes: [*one, *two],
                    ..*pair
                };
                let is_area = scene.has_layers(&part);
                self.laws[law].add(is_area);
                self.shapes[*one].add(is_area);
                self.shapes[*two].add(is_area);
            }
        }
    }

    /// First part of each kind of a shape, given by its first part.
    fn kinds_of(&self, scene: &Scene, first: ShapeId) -> Vec<ShapeId> {
        let rest = scene.shapes()[first..].iter().skip(1);
        let count = 1 + rest
            .take_while(|shape: &&Shape| shape.part > Some(0))
            .count();
        let parts = (0..count).map(|i| first.plus(i));
        parts.filter(|part| self.like[*part] == *part).collect()
    }

    /// For a shape, or a convex part of one.
    pub(crate) fn of_shape(&self, shape: ShapeId) -> Ways {
        self.shapes[self.like[shape]]
    }

    pub(crate) fn of_law(&self, law: LawId) -> Ways {
        self.laws[law]
    }
}

impl Ways {
    fn add(&mut self, is_area: bool) {
        match is_area {
            true => self.area = true,
            false => self.point = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contact_laws::response::choice::{
        ContactRule, Damping, DepthRule, ImpactSpeed, Pulling, RestitutionRule, Step,
    };
    use contact_laws::response::damping::DampingLaw;
    use contact_laws::response::friction::FrictionLaw;
    use contact_laws::response::law::Resistance;
    use contact_laws::response::normal::PowerLaw;
    use contact_laws::response::restitution::Restitution;

    fn law(normal: NormalLaw, kind: Damping, given: f64, d: f64) -> PairLaw {
        PairLaw {
            impulse: None,
            rule: ContactRule::Hysteresis {
                z_eps: 1e-8,
                depth: DepthRule::PastHysteresis,
            },
            normal,
            area: None,
            pulling: Pulling::Clamped,
            friction: FrictionLaw::Off,
            resistance: Resistance {
                rolling: 0.0,
                spinning: None,
                w_small: 0.01,
            },
            damping: DampingLaw {
                kind,
                impact_speed: ImpactSpeed::Plain,
                restitution: Restitution {
                    given,
                    rule: RestitutionRule::Constant,
                    v_small: 0.01,
                },
                constant: d,
                d_max: 1e9,
                inferred: None,
            },
        }
    }

    fn power(stiffness: f64, exponent: f64, d: f64) -> PairLaw {
        let normal = NormalLaw::Power(PowerLaw {
            stiffness,
            exponent,
        });
        law(normal, Damping::Constant, 0.0, d)
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value / expected - 1.0).abs() < tolerance,
            "{value:e} is not {expected:e}"
        );
    }

    #[test]
    fn without_damping_an_impact_has_the_time_and_the_depth_of_its_beta_integral() {
        // T = 2 x_m/v0 integral of dy/sqrt(1 - y^(n+1)) over 0..1 = 2 x_m/(v0 (n+1)) B(1/(n+1), 1/2),
        // evaluated with 30 digits; x_m = ((n+1) m v0^2/(2 k))^(1/(n+1)).
        let integrals = [
            (1.0, std::f64::consts::PI),
            (1.5, 2.943275184324705),
            (2.0, 2.8043642106509085),
            (3.0, 2.62205755429212),
        ];
        let (m, v0) = (33.5, 0.7);
        for (n, integral) in integrals {
            for k in [1e3, 4e10] {
                let found = impact(&power(k, n, 0.0), m, v0).unwrap();
                let depth = (0.5 * (n + 1.0) * m * v0 * v0 / k).powf(1.0 / (n + 1.0));
                near(found.restitution.unwrap(), 1.0, 1e-9);
                near(found.largest_depth, depth, 1e-9);
                near(found.largest_force, k * depth.powf(n), 1e-9);
                near(found.duration, integral * depth / v0, 1e-9);
                assert_eq!((found.dissipated, found.given), (0.0, 0.0));
            }
        }
    }

    #[test]
    fn hertz_and_spring_have_the_contact_times_of_the_textbooks() {
        let (m, k, v0) = (1.3, 4.6e10, 2.0_f64);
        let hertz = impact(&power(k, 1.5, 0.0), m, v0).unwrap();
        near(
            hertz.duration,
            3.218_065_459_719_043 * (m * m / (k * k * v0)).powf(0.2),
            1e-9,
        );
        let spring = impact(&power(k, 1.0, 0.0), m, v0).unwrap();
        near(spring.duration, std::f64::consts::PI * (m / k).sqrt(), 1e-9);
    }

    #[test]
    fn with_damping_restitution_time_depth_and_force_are_those_of_the_first_integral() {
        // With m = K = v0 = 1 and u = d: depth x(v) from x^(n+1)/(n+1) = (1 - v)/u - ln((1+u)/(1+u v))/u^2,
        // force x^n (1 + u v), time = integral of dv/force, e by Lambert's function: 15 digits from
        // an evaluation with 60. Columns: n, u, e, time, largest depth, largest force.
        let table = [
            (
                1.0,
                1.0,
                0.59362426004004,
                3.22239931552394,
                0.783393667883593,
                0.980067669156757,
            ),
            (
                1.5,
                1.0,
                0.59362426004004,
                3.47568352706797,
                0.899389992119601,
                1.03899174242199,
            ),
            (
                2.0,
                3.0,
                0.306896798290962,
                4.43583811591902,
                0.813269254072509,
                1.22595981309294,
            ),
        ];
        let (m, k, v0) = (0.2, 3e7, 1.7);
        for (n, u, e, time, depth, force) in table {
            let found = impact(&power(k, n, u / v0), m, v0).unwrap();
            // Lengths are in units of (m v0^2/k)^(1/(n+1)).
            let length = (m * v0 * v0 / k).powf(1.0 / (n + 1.0));
            near(found.restitution.unwrap(), e, 1e-9);
            near(found.duration, time * length / v0, 1e-9);
            near(found.largest_depth, depth * length, 1e-9);
            near(found.largest_force, force * k * length.powf(n), 1e-9);
        }
    }

    #[test]
    fn exact_damping_gives_what_is_asked_and_what_is_lost_is_the_work_of_the_force() {
        for e in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0] {
            for (n, m) in [(1.0, 1e-3), (1.5, 1.0), (2.0, 1e3)] {
                let normal = NormalLaw::Power(PowerLaw {
                    stiffness: 1e9,
                    exponent: n,
                });
                let found = impact(&law(normal, Damping::Exact, e, 0.0), m, 1.0).unwrap();
                let obtained = found.restitution.unwrap();
                assert!((obtained - e).abs() < 1e-9, "{e} gives {obtained}");
                let lost = 0.5 * m * (1.0 - obtained * obtained);
                assert!((found.dissipated - lost).abs() < 1e-9 * 0.5 * m);
            }
        }
    }

    #[test]
    fn poisson_gives_the_asked_restitution_only_far_above_its_transition_speed() {
        // e = 0.5 asked: an integration by extrapolation with steps of 3e-7 s in another program.
        let table = [
            (1.0, 0.651956062044),
            (2.0, 0.550604376764),
            (5.0, 0.508435274891),
        ];
        for (ratio, e) in table {
            let normal = NormalLaw::Poisson {
                elastic: PowerLaw {
                    stiffness: 1e5,
                    exponent: 1.0,
                },
                transition: 1.0 / ratio,
                step: Step::Cubic,
            };
            let found = impact(&law(normal, Damping::Exact, 0.5, 0.0), 1.0, 1.0).unwrap();
            near(found.restitution.unwrap(), e, 1e-9);
        }
    }

    #[test]
    fn a_force_that_starts_at_a_depth_gives_the_energy_stored_there() {
        // Depth rule of Modia3D's document: on the way in the force is off until 2 z_eps.
        let mut law = power(4e10, 1.5, 0.0);
        law.rule = ContactRule::Hysteresis {
            z_eps: 1e-8,
            depth: DepthRule::Whole,
        };
        let (m, v0) = (1e-3, 0.01);
        let found = impact(&law, m, v0).unwrap();
        let energy = 4e10 * 2e-8_f64.powf(2.5) / 2.5;
        near(found.given, energy, 1e-12);
        let kinetic = 0.5 * m * v0 * v0;
        near(
            found.restitution.unwrap(),
            ((kinetic + energy) / kinetic).sqrt(),
            1e-10,
        );
    }

    #[test]
    fn bodies_that_creep_apart_end_with_a_clear_answer() {
        // e is 1/u for large u. Where the force is clamped it ends as soon as the speed is 1/d; one
        // that may pull is followed along all of its way.
        let found = impact(&power(1e9, 1.5, 1e3), 1.0, 1.0).unwrap();
        assert!((found.restitution.unwrap() - 1e-3).abs() < 1e-9);
        let mut pulling = power(1e9, 1.5, 1e7);
        near(
            impact(&pulling, 1.0, 1.0).unwrap().restitution.unwrap(),
            1e-7,
            1e-6,
        );
        pulling.pulling = Pulling::Signed;
        near(
            impact(&pulling, 1.0, 1.0).unwrap().restitution.unwrap(),
            1e-7,
            1e-6,
        );
        let mut slowest = power(1e9, 1.5, 1e13);
        slowest.pulling = Pulling::Signed;
        let slowest = impact(&slowest, 1.0, 1.0).unwrap();
        near(slowest.restitution.unwrap(), 1e-13, 1e-6);
        let none = law(NormalLaw::Observer, Damping::Constant, 0.0, 0.0);
        assert_eq!(impact(&none, 1.0, 1.0), None);
    }

    #[test]
    fn the_moments_shown_start_at_the_speed_and_end_at_separation() {
        let mut moments = Vec::new();
        let found = follow(&power(1e9, 1.5, 0.5), 2.0, 1.0, |m| moments.push(m)).unwrap();
        let (first, last) = (moments[0], moments[moments.len() - 1]);
        assert_eq!((first.time, first.depth, first.rate), (0.0, 0.0, 1.0));
        assert_eq!(last.time, found.duration);
        assert!(last.depth <= 0.0 && -last.rate == found.restitution.unwrap());
        assert!(moments.iter().all(|m| m.depth <= found.largest_depth));
        assert!(moments.iter().all(|m| m.force <= found.largest_force));
        assert!(moments.windows(2).all(|w| w[0].time < w[1].time));
    }
}
