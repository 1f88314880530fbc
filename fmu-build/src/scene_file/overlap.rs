//! Overlap at the start: refused, accepted, or removed by moving free bodies apart.
//!
//! Bodies are moved apart pair by pair, in the order of the pairs and again until none overlaps:
//! along the normal, each by the share that the mass of the other has in the sum of both, so that
//! their common centre of mass stays; all of it where the other is not free. No body turns.

use contact_geometry::math::{Pose, Vec3};
use contact_geometry::narrow_phase::Feature;
use contact_geometry::shapes::{Aabb, Kind};
use contact_laws::finding::Finding;
use contact_laws::index::{BodyId, FrameId, PairId, ShapeId, TiSlice, TiVec, ti_vec};
use contact_laws::response::choice::NormalKind;
use contact_model::contact::{AtStart, Placement, overlaps, overlaps_at_start};
use contact_model::dynamics::{self, Limit, Model, Overlap, stored_energy, too_deep};
use contact_model::scene::description::{InitialOverlap, SceneItem};
use contact_model::scene::{Parameters, Scene, SceneDescription, UserFunctions};
use fmu_view::number::{rounded, with_unit};
use std::sync::Arc;

/// Overlap at the start that deserves a word where it is accepted, as part of the smaller contact
/// sphere radius: from there on a hard contact throws the bodies apart.
const DEEP: f64 = 0.01;
/// Gap that bodies are moved to [m]: without one a pile would only approach its goal.
const MARGIN: f64 = 1e-8;
/// Move [m] up to which a body is moved in silence: twice the gap, so that no more than the gap was overlap.
const SILENT: f64 = 2.0 * MARGIN;
/// Component of a move, relative to its length, that is rounding [1].
const ROUNDING: f64 = 1e-9;
/// How often all pairs are looked at before a pile counts as one that does not come apart.
const MOST_SWEEPS: usize = 3000;
const MOST_NAMED: usize = 20;
const ADVICE: [&str; 2] = [
    "move them apart, or write initial_overlap = \"accept\" or \"separate\" in [contact]",
    // Inside a mesh.
    "move it out, or write initial_overlap = \"separate\" in [contact]",
];

type Findings = Vec<(SceneItem, Finding)>;

/// A scene as it starts, and what is to be said of it.
pub(super) struct Start {
    /// The scene, with free bodies where they were moved to.
    pub scene: Scene,
    pub description: SceneDescription,
    /// What is allowed but deserves a word.
    pub warnings: Findings,
}

/// The scene with the overlap at its start handled as it asks for.
///
/// # Errors
/// Pairs that overlap deeper than their loads explain, where that is refused, or where they cannot
/// be moved apart.
pub(crate) fn start(scene: Scene, description: SceneDescription) -> Result<Start, Findings> {
    let choice = scene.contact().initial_overlap;
    let overlapping = overlaps_at_start(&scene);
    let mut start = Start {
        warnings: match choice {
            InitialOverlap::Accept => deep(&scene, &overlapping),
            _ => Vec::new(),
        },
        scene,
        description,
    };
    if choice == InitialOverlap::Accept || overlapping.is_empty() {
        return Ok(start);
    }
    let found = found(&start.scene, overlapping);
    match choice {
        _ if found.is_empty() => Ok(start),
        InitialOverlap::Separate => {
            start.separate(&found)?;
            Ok(start)
        }
        _ => Err(refusals(&start.scene, &found)),
    }
}

fn found(scene: &Scene, overlapping: Vec<(PairId, f64)>) -> Vec<Overlap> {
    match bound(scene) {
        Some(model) => too_deep(&model, &AtStart::of(scene).placement(), overlapping),
        None => Vec::new(),
    }
}

/// The model of a checked scene, which can be bound; who builds the model says it where not.
fn bound(scene: &Scene) -> Option<Model> {
    let scene = Arc::new(scene.clone());
    let functions = UserFunctions::not_loaded(&scene);
    dynamics::pressing::bind(&scene, &Parameters::start(&scene), &functions).ok()
}

fn refusals(scene: &Scene, found: &[Overlap]) -> Findings {
    let named = found.iter().take(MOST_NAMED).map(|overlap| {
        let bodies = bodies_of(scene, overlap.pair);
        let mut joints = scene.joints().iter();
        let between = joints.find(|joint| {
            let parent = joint.parent.unwrap_or(joint.child);
            bodies == [parent, joint.child] || bodies == [joint.child, parent]
        });
        let advice = ADVICE[usize::from(overlap.limit == Limit::Inside)];
        let advice = match between {
            Some(joint) => format!(
                "write can_collide = false in joint {:?} if that is meant so, or {advice}",
                joint.name
            ),
            None => advice.to_owned(),
        };
        let message = format!(
            "{} overlap by {} at the start, {}{}",
            scene.pair_name(overlap.pair),
            with_unit(overlap.depth, "m"),
            limit(&overlap.limit),
            sizes(scene, overlap)
        );
        (body_to_move(scene, overlap.pair), (message, advice).into())
    });
    let mut said: Findings = named.collect();
    if let Some(last) = said.last_mut()
        && found.len() > MOST_NAMED
    {
        let more = found.len() - MOST_NAMED;
        let message = &mut last.1.message;
        message.push_str(&format!("; {more} more pairs overlap too"));
    }
    said
}

fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Depth(depth) => {
            let depth = with_unit(*depth, "m");
            format!("where a contact under load would overlap by at most {depth}")
        }
        Limit::Inside => "one inside the other, where a mesh exerts no force".to_owned(),
        Limit::Load { found, allowed } => {
            let [found, allowed] = [found, allowed]
                .map(|load| [with_unit(load.force, "N"), with_unit(load.energy, "J")]);
            format!(
                "press on each other with {} and store {}, where a contact under load would press with at most {} or store \
                 at most {}",
                found[0], found[1], allowed[0], allowed[1]
            )
        }
    }
}

/// Sizes of both shapes of a deep overlap with a mesh, of which the unit may be wrong.
fn sizes(scene: &Scene, overlap: &Overlap) -> String {
    let shapes = scene.pairs().get(overlap.pair).shapes;
    let of = |shape: &ShapeId| &scene.shapes()[*shape];
    let is_mesh = |shape: &ShapeId| matches!(of(shape).form.kind(), Kind::Mesh | Kind::Hull);
    let [one, two] = shapes
        .each_ref()
        .map(|shape| DEEP * of(shape).contact_sphere_radius);
    if overlap.depth < one.min(two) || !shapes.iter().any(is_mesh) {
        return String::new();
    }
    let size = |shape: ShapeId| {
        let (name, form) = (scene.shape_name(shape), &of(&shape).form);
        if form.is_half_space() {
            return format!("{name} is a half-space");
        }
        let bounds = Aabb::of(form, &Pose::identity());
        let size: [f64; 3] = (bounds.upper - bounds.lower).into();
        format!(
            "{name} is {} large",
            size.map(|length| with_unit(length, "m")).join(" x ")
        )
    };
    format!("; {}", shapes.map(size).join(", "))
}

/// The body of a pair that is likeliest to be moved: the second one unless only the first can.
fn body_to_move(scene: &Scene, pair: PairId) -> SceneItem {
    let bodies = bodies_of(scene, pair);
    let [a, b] = bodies.map(|body| scene.bodies()[body].is_fixed());
    item(scene, if b && !a { bodies[0] } else { bodies[1] })
}

fn item(scene: &Scene, body: BodyId) -> SceneItem {
    match scene.grains_of(body) {
        Some(group) => SceneItem::Grains(group.into()),
        None => SceneItem::Body(body.into()),
    }
}

fn bodies_of(scene: &Scene, pair: PairId) -> [BodyId; 2] {
    let shapes = scene.pairs().get(pair).shapes;
    shapes.map(|shape| scene.shapes()[shape].body)
}

/// Observers exert no force: bodies may start in them.
fn exerts_force(scene: &Scene, pair: PairId) -> bool {
    let law = &scene.laws()[scene.law_of(&scene.pairs().get(pair))];
    law.choice.kinds.normal != NormalKind::Observer
}

/// What to say of pairs that overlap deeply and may.
fn deep(scene: &Scene, overlapping: &[(PairId, f64)]) -> Findings {
    let model = bound(scene);
    let at_start = AtStart::of(scene);
    let said = overlapping.iter().filter_map(|(index, gap)| {
        let pair = scene.pairs().get(*index);
        let radius = pair
            .shapes
            .map(|shape| scene.shapes()[shape].contact_sphere_radius);
        let is_deep = *gap < -DEEP * radius[0].min(radius[1]) && exerts_force(scene, *index);
        is_deep.then(|| {
            let speed = model.as_ref().map_or(0.0, |model| {
                let mass = model.effective_mass(model.bodies_of(&pair));
                let stored = stored_energy(model, &at_start.placement(), *index, *gap);
                (2.0 * stored / mass).sqrt()
            });
            let kinds = scene.laws()[scene.law_of(&pair)].choice.kinds;
            let here = [(*index, *gap)];
            let deep = model
                .as_ref()
                .map(|model| too_deep(model, &at_start.placement(), here));
            let is_inside = deep.is_some_and(|deep| deep.iter().any(|o| o.limit == Limit::Inside));
            let follows = kinds.freezes_damping(true) || kinds.normal == NormalKind::Poisson;
            let parting = match (follows, speed > 0.0) {
                _ if is_inside => {
                    "no force acts inside a mesh, so that they stay in each other".into()
                }
                (false, _) => {
                    "they part as slowly as the damping coefficient lets them, which may be endless"
                        .into()
                }
                (true, true) => {
                    format!(
                        "contact throws them apart, with up to {} m/s",
                        rounded(speed, 3)
                    )
                }
                (true, false) => "contact throws them apart".to_owned(),
            };
            let message = format!(
                "{} overlap by {} at the start; {parting}",
                scene.pair_name(*index),
                with_unit(-gap, "m")
            );
            (
                body_to_move(scene, *index),
                (message, "start them apart").into(),
            )
        })
    });
    said.collect()
}

impl Start {
    /// Moves free bodies until no pair with a force overlaps.
    fn separate(&mut self, found: &[Overlap]) -> Result<(), Findings> {
        let scene = &self.scene;
        let stuck = found.iter().filter(|overlap| {
            let bodies = bodies_of(scene, overlap.pair);
            bodies.iter().all(|body| !scene.bodies()[*body].is_free())
        });
        let stuck: Findings = stuck
            .map(|overlap| {
                let message = format!(
                    "{} overlap by {} at the start, and neither is a free body, which could be moved",
                    scene.pair_name(overlap.pair),
                    with_unit(overlap.depth, "m")
                );
                let help = match overlap.limit {
                    Limit::Inside => "change where they start",
                    _ => "change where they start, or write initial_overlap = \"accept\" in [contact]",
                };
                (body_to_move(scene, overlap.pair), (message, help).into())
            })
            .collect();
        if !stuck.is_empty() {
            return Err(stuck);
        }
        let moves = moves(scene).map_err(|(pair, depth)| {
            let message = format!(
                "the bodies cannot be moved apart: after {MOST_SWEEPS} attempts the pair {} still overlaps by {}",
                scene.pair_name(pair),
                with_unit(depth, "m")
            );
            let help = "give them room, or write initial_overlap = \"accept\" in [contact]";
            vec![(body_to_move(scene, pair), (message, help).into())]
        })?;
        let mut moved_balls = vec![Vec::new(); scene.grains().len()];
        for (index, by) in moves.iter_enumerated() {
            if *by == Vec3::zeros() {
                continue;
            }
            if let Some(group) = scene.grains_of(index) {
                let place = usize::from(index) - usize::from(scene.grains()[group].bodies.start);
                let center = &mut self.description.grains[usize::from(group)].positions[place];
                add(center, by);
                moved_balls[usize::from(group)].push(by.norm());
                continue;
            }
            let body = &mut self.description.bodies[usize::from(index)];
            add(&mut body.position, by);
            if by.norm() <= SILENT {
                continue;
            }
            let [way, place] = [(*by).into(), body.position].map(|v| list(v, by.norm()));
            let name = &body.name;
            let message = format!(
                "body {name:?} overlaps others at the start and is moved by ({way}) m to ({place}) m"
            );
            let said = (SceneItem::Body(index.into()), message.into());
            self.warnings.push(said);
        }
        for (group, ways) in moved_balls
            .iter()
            .enumerate()
            .filter(|(_, ways)| ways.iter().any(|way| *way > SILENT))
        {
            let message = format!(
                "grains {:?}: {} balls overlap others at the start and are moved, by {} m at most",
                self.description.grains[group].name,
                ways.len(),
                rounded(ways.iter().copied().fold(0.0, f64::max), 3)
            );
            self.warnings
                .push((SceneItem::Grains(group), message.into()));
        }
        self.scene = Scene::new(self.description.clone()).map_err(|errors| {
            let said = errors.into_iter();
            said.map(|error| (SceneItem::Body(0), error.finding))
                .collect::<Findings>()
        })?;
        Ok(())
    }
}

/// Components of a vector of a move of this length [m].
fn list(v: [f64; 3], length: f64) -> String {
    let shown = v.map(|c| match c.abs() < ROUNDING * length {
        true => rounded(0.0, 6),
        false => rounded(c, 6),
    });
    shown.join(", ")
}

fn add(place: &mut [f64; 3], by: &Vec3) {
    for (place, by) in place.iter_mut().zip(by.iter()) {
        *place += by;
    }
}

fn placed<'a>(
    scene: &'a Scene,
    frames: &'a TiSlice<FrameId, Pose>,
    shape_frames: &'a TiSlice<ShapeId, FrameId>,
) -> Placement<'a> {
    Placement {
        scene,
        frames,
        shape_frames,
    }
}

/// By how much each body is moved [m], or the pair that overlaps most in the end, and its depth.
fn moves(scene: &Scene) -> Result<TiVec<BodyId, Vec3>, (PairId, f64)> {
    let bodies = scene.bodies();
    let mut moves: TiVec<BodyId, Vec3> = ti_vec![Vec3::zeros(); bodies.len()];
    let shapes = scene.shapes();
    let own: TiVec<ShapeId, FrameId> = (0..shapes.len()).map(FrameId::from).collect();
    let frame = |shape: ShapeId, moves: &TiSlice<BodyId, Vec3>| {
        let body = shapes[shape].body;
        let mut pose = scene.start_pose(body);
        pose.position += moves[body];
        pose.then(&shapes[shape].pose_b)
    };
    let poses = shapes.keys().map(|shape| frame(shape, &moves));
    let mut frames: TiVec<FrameId, Pose> = poses.collect();
    // Share in a move: the inverse of the mass, 0 of what is not free.
    let share = |body: BodyId| match bodies[body].is_free() {
        true => 1.0 / bodies[body].mass.mass,
        false => 0.0,
    };
    let mut left = Vec::new();
    for _ in 0..MOST_SWEEPS {
        left = overlaps(&placed(scene, &frames, &own));
        left.retain(|(pair, _)| exerts_force(scene, *pair));
        if left.is_empty() {
            return Ok(moves);
        }
        for (pair, _) in &left {
            let near = placed(scene, &frames, &own).proximity(*pair, &Feature::None);
            let two = bodies_of(scene, *pair);
            let shares = two.map(share);
            let sum = shares[0] + shares[1];
            if near.gap >= 0.0 || sum == 0.0 {
                continue;
            }
            for (body, part) in [(two[0], -shares[0] / sum), (two[1], shares[1] / sum)] {
                if part != 0.0 {
                    moves[body] += near.normal_w * (part * (MARGIN - near.gap));
                    // Shapes are in the order of their bodies.
                    let first = shapes.raw.partition_point(|shape| shape.body < body);
                    let of_body = (first..).map(ShapeId::from);
                    let is_own = |s: &ShapeId| shapes.get(*s).is_some_and(|s| s.body == body);
                    for shape in of_body.take_while(is_own) {
                        frames[own[shape]] = frame(shape, &moves);
                    }
                }
            }
        }
    }
    let deepest = left.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
    match deepest {
        Some((pair, gap)) => Err((pair, -gap)),
        None => Ok(moves),
    }
}
