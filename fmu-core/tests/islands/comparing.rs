//! A scene that is stepped as a whole and island by island, and what both must agree in.

use crate::fixtures::*;
use crate::running::{DividedRun, Run};

/// Tolerance of islands, and of the whole where it is no reference.
pub const TOLERANCE: f64 = 1e-8;
/// Tolerance of a whole that is a reference.
pub const FINE: f64 = 1e-10;
/// Bound of states, as part of (1 + |x|): before chaos sets in.
pub const STATES: f64 = 1e-6;
/// Events up to which both are compared.
pub const EVENTS: usize = 50;
/// Bound of the energy that is neither there nor dissipated, as part of that at start.
pub const ENERGY: f64 = 1e-6;
/// Stiffness of the contacts of [`scene`], K of K delta^1.5 [N/m^1.5].
pub const STIFFNESS: f64 = 1e8;
/// Their restitution.
pub const RESTITUTION: f64 = 0.8;

/// The body with a velocity [m/s].
pub fn at_speed(mut body: BodyDescription, velocity: [f64; 3]) -> BodyDescription {
    body.velocity = velocity;
    body
}

/// A ball of 0.2 m diameter with a velocity [m/s].
pub fn moving(name: &str, position: [f64; 3], velocity: [f64; 3]) -> BodyDescription {
    at_speed(ball(name, position), velocity)
}

/// Softer contacts than of steel, with a balance of energy.
pub fn scene(bodies: Vec<BodyDescription>, friction: Option<FrictionKind>) -> SceneDescription {
    let mut description = steel_scene(bodies);
    description.energy_balance = true;
    description.contact.initial_overlap = InitialOverlap::Accept;
    let mut numbers = vec![
        (Number::Stiffness, STIFFNESS),
        (Number::Exponent, 1.5),
        (Number::Restitution, RESTITUTION),
    ];
    if friction.is_some_and(|friction| friction != FrictionKind::Off) {
        numbers.push((Number::SlidingFriction, 0.3));
    }
    description.material_pairs[0].response = PairResponse::Law(LawChanges {
        normal: Some(NormalKind::Spring),
        friction,
        numbers,
        ..LawChanges::default()
    });
    description
}

/// The scene without gravity.
pub fn without_gravity(mut description: SceneDescription) -> SceneDescription {
    description.gravity = Gravity::None;
    description
}

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    Pair(PairId),
    Stop(StopId),
}

/// A contact that starts or ends, and when [s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    pub touch: Touch,
    pub starts: bool,
    pub time: f64,
}

impl Event {
    /// None for an impulse, which comes with the start of a contact.
    fn of(time: f64, change: &Change) -> Option<Self> {
        let (touch, starts) = match change {
            Change::Contact(change) => (Touch::Pair(change.pair), change.impact_speed.is_some()),
            Change::Stop(change) => (Touch::Stop(change.stop), change.impact_speed.is_some()),
            _ => return None,
        };
        Some(Event {
            touch,
            starts,
            time,
        })
    }

    fn key(&self) -> (Touch, bool) {
        (self.touch, self.starts)
    }
}

/// Events of islands, in the order of their times.
pub fn events_of(run: &DividedRun) -> Vec<Event> {
    let changes = run.changes.iter();
    changes
        .filter_map(|(time, change)| Event::of(*time, change))
        .collect()
}

/// Times at which contacts of a pair of bodies start [s].
pub fn starts_of(run: &DividedRun, one: &str, other: &str) -> Vec<f64> {
    let names = [format!("{one}:{other}"), format!("{other}:{one}")];
    let is_own = |event: &Event| match event.touch {
        Touch::Pair(pair) => event.starts && names.contains(&run.system.scene().pair_name(pair)),
        Touch::Stop(_) => false,
    };
    let events = events_of(run).into_iter().filter(is_own);
    events.map(|event| event.time).collect()
}

/// Both runs of a scene.
pub struct Both {
    name: String,
    pub whole: Run,
    pub divided: DividedRun,
    /// Events of the whole.
    pub expected: Vec<Event>,
    /// Energy at start [J].
    start: f64,
}

impl Both {
    /// From the start of a scene on, with tolerances of the whole and of islands.
    pub fn new(name: &str, description: SceneDescription, tolerances: [f64; 2]) -> Self {
        let mut whole = Run::new(description.clone(), tolerances[0]);
        let start = whole.energy();
        Both {
            name: name.into(),
            divided: DividedRun::new(description, tolerances[1]),
            whole,
            expected: Vec::new(),
            start,
        }
    }

    /// Goes on to a time [s]; islands by communication steps of a length [s].
    pub fn to(&mut self, end: f64, step: f64) {
        let expected = &mut self.expected;
        self.whole.until(end, |system| {
            let time = system.time();
            let changes = system.changes().iter();
            expected.extend(changes.filter_map(|change| Event::of(time, change)));
            false
        });
        self.divided.to(end, step);
    }

    /// Sets all inputs of both from now on; driven bodies move on by their velocities.
    pub fn set_inputs(&mut self, inputs: &[f64]) {
        let since = Some(self.whole.time);
        self.whole.system.set_inputs(inputs, since);
        self.whole.memory.restart();
        self.divided.system.set_inputs(inputs, since);
        self.divided.memories.restart();
        self.divided.memory.restart();
    }

    /// Updates both at a time event.
    pub fn update(&mut self) {
        let (whole, divided) = (&mut self.whole, &mut self.divided);
        update(&mut whole.system, whole.time, &mut whole.states);
        whole.memory.restart();
        let result = divided
            .system
            .update_event(divided.time, &mut divided.states);
        result.expect("an event update");
        divided.memories.restart_after_event();
        divided.memory.restart_after_event();
    }

    /// The first events are the same, each within a time [s] of the other.
    #[track_caller]
    pub fn meet_the_same(&self, within: f64) {
        self.start_and_end_the_same([within, within]);
    }

    /// The same with a time for starts and one for ends [s]. A contact ends as its gap rises above
    /// zero, or at an event of another one as it is above -z_eps; no force acts between these, so
    /// where bodies part slowly, the time of the end says little.
    #[track_caller]
    pub fn start_and_end_the_same(&self, within: [f64; 2]) {
        let name = &self.name;
        let (found, expected) = (events_of(&self.divided), &self.expected);
        assert!(!expected.is_empty(), "{name}: nothing touches");
        if expected.len() < EVENTS {
            assert_eq!(
                found.len(),
                expected.len(),
                "{name}: {found:?} {expected:?}"
            );
        }
        let count = expected.len().min(EVENTS);
        assert!(found.len() >= count, "{name}: {found:?} {expected:?}");
        // Those at one instant have no order between islands.
        let sorted = |list: &[Event]| {
            let mut list = list[..count].to_vec();
            list.sort_by_key(Event::key);
            list
        };
        for (one, other) in sorted(&found).iter().zip(&sorted(expected)) {
            assert_eq!(one.key(), other.key(), "{name}: {found:?} {expected:?}");
            let off = one.time - other.time;
            let [starts, ends] = within;
            let within = if one.starts { starts } else { ends };
            assert!(off.abs() < within, "{name}: {one:?} is {off:e} s off");
        }
    }

    /// The states are the same within a part of (1 + |x|).
    #[track_caller]
    pub fn are_at_the_same(&self, bound: f64) {
        let states = self.whole.states.iter().zip(&self.divided.states);
        for (index, (one, other)) in states.enumerate() {
            let close = (one - other).abs() <= bound * (1.0 + one.abs());
            let state = self.divided.system.scene().state_name(index);
            assert!(close, "{}: {state} is {one} and {other}", self.name);
        }
    }

    /// What bodies lose is what contacts dissipate, within a part of the energy at start.
    #[track_caller]
    pub fn close_the_balance(&mut self, bound: f64) {
        let scale = self.start.abs().max(1.0);
        let work = |states: &[f64]| states.last().copied().unwrap_or(0.0);
        let energy = self.divided.energy();
        let lost = self.start - energy - work(&self.divided.states);
        let lost_as_whole = self.start - self.whole.energy() - work(&self.whole.states);
        let name = &self.name;
        near!(lost, lost_as_whole, ENERGY * scale, "{name}");
        assert!(lost.abs() < bound * scale, "{name}: {lost:e} J are lost");
    }

    /// More than one island was stepped in some window.
    #[track_caller]
    pub fn were_divided(&self) {
        let mut sizes = self.divided.sizes.iter();
        let divided = sizes.any(|(_, count)| *count > 1);
        assert!(divided, "{}: one island only", self.name);
    }
}

/// Steps both ways to a time; `step` is the communication step.
#[track_caller]
pub fn compare(name: &str, description: SceneDescription, end: f64, step: f64) -> Both {
    compare_at(TOLERANCE, name, description, (end, step))
}

/// The same with a tolerance of both.
#[track_caller]
pub fn compare_at(
    tolerance: f64,
    name: &str,
    description: SceneDescription,
    (end, step): (f64, f64),
) -> Both {
    let mut both = Both::new(name, description, [tolerance; 2]);
    both.to(end, step);
    both.meet_the_same(f64::INFINITY);
    both.are_at_the_same(STATES);
    both.were_divided();
    // Of boxes the whole is off by as much.
    let bound = if name == "boxes" {
        10.0 * ENERGY
    } else {
        ENERGY
    };
    both.close_the_balance(bound);
    both
}
