//! Selection against looking at all pairs: random scenes, random motion, fresh work arrays in
//! between.

use super::ledger::{Contact, Ledger};
use super::select::SlotOrder;
use super::{Detection, Found, Placement};
use crate::fixtures::*;
use contact_laws::response::law::Onset;
use std::f64::consts::TAU;

struct Random(u64);

impl Random {
    /// In 0..1.
    fn next(&mut self) -> f64 {
        fraction(&mut self.0)
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }

    fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| size * self.signed())
    }

    fn quaternion(&mut self) -> [f64; 4] {
        let (angle, axis) = (TAU * self.next(), Vec3::from(self.vector(1.0)).normalize());
        let (sin, cos) = (0.5 * angle).sin_cos();
        [cos, sin * axis.x, sin * axis.y, sin * axis.z]
    }
}

/// Moving balls, boxes and capsules among fixed ones, over a terrain and two half-spaces.
fn random_scene(random: &mut Random, bodies: usize, nz_max: u32) -> Scene {
    let mut all = vec![
        body("plane", Motion::Fixed, Form::HalfSpace, [0.0, 0.0, -2.0]),
        body("slope", Motion::Fixed, Form::HalfSpace, [0.0, 0.0, -3.0]),
        terrain("terrain", 4, 1.0),
    ];
    all[1].orientation = [0.96, 0.28, 0.0, 0.0];
    for index in 0..bodies {
        let form = match random.below(4) {
            0 => cuboid(random.vector(0.3).map(|l| l.abs() + 0.1)),
            1 => capsule(0.2, 0.4, contact_geometry::shapes::Axis::X),
            _ => sphere(0.1 + 0.4 * random.next()),
        };
        let motion = match random.below(4) {
            0 => Motion::Fixed,
            _ => Motion::Free,
        };
        let mut new = body(&format!("body_{index}"), motion, form, random.vector(2.0));
        new.orientation = random.quaternion();
        if random.below(3) == 0 {
            // Two shapes, away from the origin of the body.
            let mut second = new.shapes[0].clone();
            second.name = "second".into();
            second.position = random.vector(0.4);
            second.orientation = random.quaternion();
            new.shapes.push(second);
        }
        if random.below(4) == 0 {
            new.collision_group = Some("flock".into());
        }
        all.push(new);
    }
    let mut description = steel_scene(all);
    description.contact.nz_max = Some(nz_max);
    for _ in 0..5 {
        let [a, b] = [(); 2].map(|()| random.below(bodies));
        if a != b {
            let names = [a, b].map(|i| whole(&format!("body_{i}")));
            description.excluded.push(names);
        }
    }
    let named = ["terrain.terrain", "body_0.body_0"].map(whole);
    description.excluded.push(named);
    Scene::new(description).expect("a valid scene")
}

/// Position and orientation of a body.
type BodyPlace = (Vec3, [f64; 4]);

/// Where the bodies of a scene are.
struct Places {
    bodies: TiVec<BodyId, BodyPlace>,
    frames: TiVec<FrameId, Pose>,
    shape_frames: TiVec<ShapeId, FrameId>,
}

impl Places {
    fn start(scene: &Scene) -> Self {
        let bodies = scene.bodies().iter();
        let mut places = Places {
            bodies: bodies.map(|b| (b.position, b.orientation)).collect(),
            frames: TiVec::new(),
            shape_frames: (0..scene.shapes().len()).map(FrameId::from).collect(),
        };
        places.place(scene);
        places
    }

    fn place(&mut self, scene: &Scene) {
        let pose = |body: BodyId| Pose {
            position: self.bodies[body].0,
            rotation: rotation_matrix(&self.bodies[body].1),
        };
        let shapes = scene.shapes().iter();
        self.frames = shapes.map(|s| pose(s.body).then(&s.pose_b)).collect();
    }

    /// Moves and turns the free bodies by about `size`, back towards the middle where they are far.
    fn step(&mut self, scene: &Scene, random: &mut Random, size: f64) {
        for (body, place) in scene.bodies().iter().zip(&mut self.bodies) {
            if !body.is_free() || random.below(8) == 0 {
                continue;
            }
            let pull = if place.0.norm() > 2.5 {
                -0.2 * size
            } else {
                0.0
            };
            place.0 += Vec3::from(random.vector(size)) + place.0 * pull;
            let turn = random.vector(size);
            let q = multiply(&place.1, &[1.0, turn[0], turn[1], turn[2]]);
            let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            place.1 = q.map(|c| c / norm);
        }
        self.place(scene);
    }

    fn placement<'a>(&'a self, scene: &'a Scene) -> Placement<'a> {
        Placement {
            scene,
            frames: &self.frames,
            shape_frames: &self.shape_frames,
        }
    }
}

/// All pairs that `wanted` admits, nearest first.
fn ranked(
    placement: &Placement,
    ledger: &Ledger,
    wanted: impl Fn(PairId) -> bool,
) -> Vec<(f64, PairId)> {
    let mut order = SlotOrder::default();
    order.update(ledger.slots());
    let gap = |pair: PairId| {
        let slot = order.slot_of(pair).filter(|_| ledger.has_hints());
        placement.gap(pair, slot.map_or(&Feature::None, |slot| ledger.hint(slot)))
    };
    let all = placement.scene.pairs().ids().filter(|p| wanted(*p));
    let mut all: Vec<(f64, PairId)> = all.map(|pair| (gap(pair), pair)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

/// The event update by sorting the gaps of all pairs; false where there are too many contacts.
fn event_by_all_pairs(placement: &Placement, ledger: &mut Ledger) -> bool {
    let scene = placement.scene;
    let rule = scene.contact().law.rule;
    let all = ranked(placement, ledger, |_| true);
    let touching = all.iter().filter(|(gap, _)| rule.in_contact(*gap));
    let mut contacts: Vec<Contact> = touching
        .map(|(_, pair)| Contact {
            pair: *pair,
            slot: 0.into(),
            impact_speed: 0.5,
            frozen: frozen(*pair),
            stepped: None,
        })
        .collect();
    contacts.sort_by_key(|contact| contact.pair);
    if contacts.len() > scene.slot_count() {
        return false;
    }
    let nearest = all.iter().take(scene.slot_count());
    let mut watched: Vec<PairId> = nearest.map(|(_, pair)| *pair).collect();
    watched.sort_unstable();
    let mut order = SlotOrder::default();
    order.update(ledger.slots());
    ledger.assign_slots(&watched, &mut order);
    ledger.refresh_hints(placement, &Found::default());
    for contact in &mut contacts {
        contact.slot = order.slot_of(contact.pair).expect("a slot");
    }
    ledger.set_contacts(&contacts);
    true
}

/// The completed step by sorting the gaps of all pairs.
fn step_by_all_pairs(placement: &Placement, ledger: &mut Ledger) -> bool {
    let scene = placement.scene;
    let rule = scene.contact().law.rule;
    let all = ranked(placement, ledger, |pair| ledger.contact(pair).is_none());
    let missed = |(gap, pair): &(f64, PairId)| {
        rule.indicator(*gap, false) <= 0.0 && !ledger.slots().contains(&Some(*pair))
    };
    let asked = all.iter().any(missed);
    if !asked {
        let contacts = ledger.contacts().iter().map(|contact| contact.pair);
        let mut watched: Vec<PairId> = contacts.collect();
        let free = scene.slot_count() - watched.len();
        watched.extend(all.iter().take(free).map(|(_, pair)| *pair));
        watched.sort_unstable();
        let mut order = SlotOrder::default();
        order.update(ledger.slots());
        ledger.assign_slots(&watched, &mut order);
    }
    ledger.refresh_hints(placement, &Found::default());
    asked
}

/// What a law is said to freeze: another number for each pair.
fn frozen(pair: PairId) -> Onset {
    (usize::from(pair) as f64).into()
}

fn event(detection: &mut Detection, placement: &Placement, ledger: &mut Ledger) -> bool {
    detection
        .update_event(placement, ledger, |pair, _| (0.5, frozen(pair)))
        .is_ok()
}

/// The ledger of a run is that of looking at all pairs, and that of work arrays that know nothing
/// of the past, at every step.
fn compare(seed: u64, bodies: usize, nz_max: u32, steps: usize) -> Detection {
    let mut random = Random(seed);
    let scene = random_scene(&mut random, bodies, nz_max);
    assert!(!scene.monitors_all_pairs());
    let mut places = Places::start(&scene);
    let mut detection = Detection::default();
    let mut ledger = Ledger::new(&scene);
    let mut saved: Option<(TiVec<BodyId, BodyPlace>, Ledger)> = None;
    for step in 0..steps {
        let size = 10f64.powi(-(random.below(7) as i32));
        match random.below(20) {
            0 => saved = Some((places.bodies.clone(), ledger.clone())),
            1 => {
                if let Some((bodies, then)) = &saved {
                    places.bodies.clone_from(bodies);
                    places.place(&scene);
                    ledger.copy_from(then);
                }
            }
            2 => {}
            _ => places.step(&scene, &mut random, 0.5 * size),
        }
        let placement = places.placement(&scene);
        let (mut expected, mut anew) = (ledger.clone(), ledger.clone());
        let mut fresh = Detection::default();
        let answers = if random.below(3) == 0 {
            [
                event(&mut detection, &placement, &mut ledger),
                event(&mut fresh, &placement, &mut anew),
                event_by_all_pairs(&placement, &mut expected),
            ]
        } else {
            [
                detection.completed_step(&placement, &mut ledger, &Found::default()),
                fresh.completed_step(&placement, &mut anew, &Found::default()),
                step_by_all_pairs(&placement, &mut expected),
            ]
        };
        assert_eq!(answers, [answers[2]; 3], "seed {seed}, step {step}");
        assert_eq!(ledger, expected, "seed {seed}, step {step}");
        assert_eq!(anew, expected, "seed {seed}, step {step}, from nothing");
        assert!(ledger.fits(&scene));
    }
    detection
}

#[test]
#[ignore = "long: thousands of poses"]
fn the_ledger_is_that_of_looking_at_all_pairs() {
    for seed in 1..=6 {
        // More pairs than a list has: the trees are used.
        let detection = compare(seed, 45, 25 + seed as u32, 150);
        assert!(detection.work().nodes > 0);
        // Few: all pairs are in the list.
        compare(seed + 100, 12, 60, 60);
    }
}

/// 800 tiles of 0.5 m x 0.25 m, a little uneven, from the origin on, as parts of one shape.
fn tiles() -> BodyDescription {
    let tile = |index: usize| CompoundPart {
        form: cuboid([0.5, 0.25, 0.05]),
        position: [
            0.5 * (index % 20) as f64,
            0.25 * (index / 20) as f64,
            0.01 * (index as f64).sin(),
        ],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    let parts = (0..800).map(tile).collect();
    body("tiles", Motion::Fixed, Form::Compound { parts }, [0.0; 3])
}

/// Balls over a ground that all move a little in each step.
#[test]
fn small_steps_compute_few_gaps_and_make_few_lists() {
    let mut bodies: Vec<BodyDescription> = vec![tiles()];
    let mut random = Random(11);
    for index in 0..100 {
        let place = [
            (index % 10) as f64 + 0.3 * random.next(),
            (index / 10) as f64 + 0.3 * random.next(),
            0.15 + 0.2 * random.next(),
        ];
        let form = sphere(0.2);
        bodies.push(body(&format!("ball_{index}"), Motion::Free, form, place));
    }
    let scene = Scene::new(steel_scene(bodies)).expect("a valid scene");
    assert_eq!(scene.pairs().len(), 800 * 100 + 100 * 99 / 2);
    assert_eq!(scene.slot_count(), 800);
    let mut places = Places::start(&scene);
    let (mut detection, mut ledger) = (Detection::default(), Ledger::new(&scene));
    let now = places.placement(&scene);
    assert!(event(&mut detection, &now, &mut ledger));
    let start = detection.work();
    assert!(start.lists < 4 && start.gaps < 4000, "{start:?}");
    for _ in 0..200 {
        places.step(&scene, &mut random, 1e-4);
        detection.completed_step(&places.placement(&scene), &mut ledger, &Found::default());
    }
    let work = detection.work();
    let gaps = (work.gaps - start.gaps) / 200;
    assert!(gaps < 30 && work.lists == start.lists, "{work:?}");
    // The same at rest: nothing is asked that was known.
    for _ in 0..10 {
        detection.completed_step(&places.placement(&scene), &mut ledger, &Found::default());
    }
    let rest = detection.work();
    assert!(rest.gaps - work.gaps <= 40, "{work:?} {rest:?}");
}

/// Balls that all lie on their neighbours, a little unevenly, and 16 slots: all pairs in contact are
/// looked at once, whatever few have slots.
#[test]
fn four_times_the_settled_balls_are_four_times_the_work_where_slots_are_few() {
    let work = |edges: [usize; 3]| {
        let mut random = Random(3);
        let ball = |index: usize| {
            let steps = [
                index % edges[0],
                index / edges[0] % edges[1],
                index / edges[0] / edges[1],
            ];
            let place = steps.map(|step| 0.199 * step as f64 + 4e-4 * random.signed());
            ball(&format!("ball_{index}"), place)
        };
        let balls = (0..edges.iter().product()).map(ball);
        let mut description = steel_scene(balls.collect());
        description.contact.nz_max = Some(16);
        let scene = Scene::new(description).expect("a valid scene");
        let places = Places::start(&scene);
        let now = places.placement(&scene);
        let (mut detection, mut ledger) = (Detection::default(), Ledger::new(&scene));
        detection.surplus = true;
        if edges[2] == 8 {
            let all = ranked(&now, &ledger, |_| true);
            let mut nearest: Vec<_> = all[..16].iter().map(|(_, pair)| Some(*pair)).collect();
            nearest.sort_unstable();
            assert!(event(&mut detection, &now, &mut ledger));
            assert_eq!(ledger.slots().raw, nearest);
        } else {
            assert!(event(&mut detection, &now, &mut ledger));
        }
        assert_eq!(ledger.contacts().len(), 16);
        detection.work()
    };
    let (some, many) = (work([8, 8, 8]), work([16, 16, 8]));
    // 16 x 16 x 8 balls have 5,632 pairs of neighbours, 8 x 8 x 8 have 1,344.
    assert!(many.gaps <= 5 * some.gaps, "{some:?} {many:?}");
    assert!(many.ranked <= 5 * some.ranked, "{some:?} {many:?}");
}

#[test]
fn a_pose_that_is_not_finite_changes_nothing() {
    let mut random = Random(5);
    let scene = random_scene(&mut random, 30, 20);
    let mut places = Places::start(&scene);
    let (mut detection, mut ledger) = (Detection::default(), Ledger::new(&scene));
    let now = places.placement(&scene);
    assert!(event(&mut detection, &now, &mut ledger));
    let before = ledger.slots().to_vec();
    let moving = scene
        .shapes()
        .iter()
        .position(|s| scene.bodies()[s.body].is_free());
    let frame = &mut places.frames[FrameId::from(moving.expect("a moving shape"))];
    let x = std::mem::replace(&mut frame.position.x, f64::NAN);
    assert!(!detection.completed_step(&places.placement(&scene), &mut ledger, &Found::default()));
    let now = places.placement(&scene);
    assert!(event(&mut detection, &now, &mut ledger));
    assert_eq!(ledger.slots(), before);
    // The next finite poses count at once, wherever they are.
    places.frames[FrameId::from(moving.expect("a moving shape"))]
        .position
        .x = x;
    places.step(&scene, &mut random, 0.5);
    let mut anew = ledger.clone();
    let now = places.placement(&scene);
    assert!(event(&mut detection, &now, &mut ledger));
    assert!(event_by_all_pairs(&places.placement(&scene), &mut anew));
    assert_eq!(ledger, anew);
    assert_ne!(ledger.slots(), before);
}

/// Squares of distances are beyond all numbers: gaps are infinite, and so is the travel there and
/// back.
#[test]
fn places_too_far_apart_for_a_number_are_a_place_like_any_other() {
    let balls = (0..3).map(|index| ball(&format!("ball_{index}"), [f64::from(index), 0.0, 0.0]));
    let mut description = steel_scene(balls.collect());
    description.contact.nz_max = Some(1);
    let scene = Scene::new(description).expect("a valid scene");
    let mut places = Places::start(&scene);
    let (mut detection, mut ledger) = (Detection::default(), Ledger::new(&scene));
    for (x, nearest) in [([0.0, 1e200, 3e200], 0), ([0.0, 3.0, 1.0], 1)] {
        for (place, x) in places.bodies.iter_mut().zip(x) {
            place.0.x = x;
        }
        places.place(&scene);
        let now = places.placement(&scene);
        assert!(event(&mut detection, &now, &mut ledger));
        assert_eq!(ledger.slots().raw, [Some(PairId::from(nearest))]);
        assert!(!detection.completed_step(
            &places.placement(&scene),
            &mut ledger,
            &Found::default()
        ));
    }
}
