//! Scales for solvers: nominal values of states, and a relative tolerance.
//!
//! Importers use nominal x relative tolerance as absolute tolerance. Contact happens on the scale of the
//! penetration, so the nominal of a position is the penetration expected in an impact at [`REFERENCE_SPEED`];
//! with a nominal of 1 m an importer at 1e-5 would step over impacts. For importers the nominal of an angular
//! velocity moves the surface of a body at a speed matching the nominal velocity (`Speeds`): with a much
//! smaller one CVODE spends most of its steps of an impact with friction on it. The solver of Co-Simulation
//! has no limit of steps, and is more accurate with [`ANGULAR_VELOCITY`].
//!
//! # Nominal magnitudes of the states of joints
//!
//! A slide moves the bodies on it by the change of its coordinate, a rotation by that times the arm: the
//! distance of the farthest surface of a body from the joint. The nominal of a slide is the smallest
//! penetration expected of the bodies on it, of a rotation the smallest penetration over arm. With a stop the
//! depth of an impact there is an upper bound.
//!
//! # Loads of the end stops of a scene, at start
//!
//! A unit rate of the coordinate moves the centres of mass of the bodies on it by v_i and turns them by w_i,
//! with all other joints fixed, so that it carries the mass M = sum m_i with the inertia J = sum m_i v_i^2 +
//! w_i.I_i w_i, and F = sum m_i g_i |v_i| bounds the gravity load in any orientation. A stop of stiffness K
//! yields by F/K under this load, and by v sqrt(J/K) in an impact at the rate v; for a rotation the rate is
//! the speed over the radius of gyration sqrt(J/M), which gives sqrt(M/K) for a speed of 1 m/s.

use crate::dynamics::model::SMALL_SPEED;
use crate::dynamics::rigid::gravity;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pipeline};
use crate::hybrid::Role;
use crate::scene::description::{CoordinateMotion, Gravity};
use crate::scene::pair_classes::PairClass;
use crate::scene::{Pair, Scene, StateLayout};
use contact_geometry::math::Vec3;
use contact_geometry::math::real::{log10, powf};
use contact_geometry::shapes::Aabb;
use contact_laws::index::{
    BodyId, JointId, LinkId, ShapeId, StateLinkId, StopId, TiSlice, TiVec, ti_vec,
};
use contact_laws::response::PairLaw;

/// Speeds [m/s] that define the importers' nominal velocities of a free body that can touch something.
#[derive(Clone, Copy)]
struct Speeds {
    body: f64,
    /// Speed of its surface at the nominal angular velocity.
    surface: f64,
}

/// For a fast start. With it 100 random impacts, at points, took up to 500 steps of FMPy's CVODE in any
/// output interval of their span, and one more over 1 s; positions are as accurate as with a surface speed of
/// 1 m/s.
const FAST: Speeds = Speeds {
    body: REFERENCE_SPEED,
    surface: 3.0,
};
/// For any other start, for which a finer tolerance is suggested. With the values for a fast one FMPy's CVODE
/// at 1e-8 had errors of 4.9e-5 m after 2 s of a tumbling ellipsoid, in 547 steps for one impact, and 3e-5 m
/// after 2.5 s of four billiard balls; with these 4e-6 to 1e-5 m in 380 to 460 steps, and 8e-7 m. With half
/// of them some impacts take 500 steps.
const SLOW: Speeds = Speeds {
    body: 0.2,
    surface: 0.3,
};
/// Fraction of the resting penetration that a solver should resolve [1].
const RESOLVED_PART: f64 = 1e-2;
/// Range of suggested tolerances if bodies can touch. FMPy allows CVODE 500 steps for each output interval,
/// which one impact with friction may take at 1e-9; a body at rest is resolved by its nominals. At 1e-6 a
/// soft body of 1 m has an error of up to 7e-5 m after an impact, at 1e-7 3e-6 m.
const TOLERANCES: (f64, f64) = (1e-8, 1e-7);
/// Surface speed at the start [m/s] above which the coarsest tolerance is suggested: friction reverses within
/// v_small/(mu f/m), the faster the harder the impact. Of 100 random impacts three took more than 500 steps
/// at 1e-8 over their span, all of them faster than this; none did at 1e-7.
const FAST_SPEED: f64 = 5.0;

#[derive(Debug)]
pub(crate) struct Scales {
    pub nominals: Vec<f64>,
    /// Nominal magnitudes for solvers of importers: the same, except for velocities of free bodies that can
    /// touch something, which follow from `Speeds`.
    pub of_importers: Vec<f64>,
    pub roles: Vec<Role>,
}

impl Scales {
    pub(crate) fn of(model: &Model) -> Self {
        let penetrations = expected_penetrations(model);
        let nominals = of_penetrations(model, &penetrations);
        Scales {
            of_importers: for_importers(model, &penetrations, nominals.clone()),
            roles: roles(model, &nominals),
            nominals,
        }
    }
}

fn of_penetrations(model: &Model, penetrations: &TiSlice<BodyId, Option<f64>>) -> Vec<f64> {
    let layout = model.scene.layout();
    let mut nominals = vec![0.0; layout.count()];
    for (body, penetration) in penetrations.iter_enumerated() {
        let Some(offset) = layout.body(body) else {
            continue;
        };
        nominals[StateLayout::position(offset)].fill(penetration.unwrap_or(FREE_POSITION));
        nominals[StateLayout::orientation(offset)].fill(ORIENTATION);
        nominals[StateLayout::velocity(offset)].fill(REFERENCE_SPEED);
        nominals[StateLayout::angular_velocity(offset)].fill(ANGULAR_VELOCITY);
    }
    write(model, penetrations, &mut nominals);
    let deflection = penetrations.iter().flatten().copied().reduce(f64::min);
    nominals[layout.contacts()].fill(deflection.unwrap_or(FREE_POSITION));
    if let Some(work) = layout.work() {
        let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
        nominals[work] = if mass > 0.0 {
            0.5 * mass * REFERENCE_SPEED * REFERENCE_SPEED
        } else {
            1.0
        };
    }
    nominals
}

fn roles(model: &Model, nominals: &[f64]) -> Vec<Role> {
    let layout = model.scene.layout();
    let mut roles = vec![Role::Other; nominals.len()];
    for link in (0..layout.free_count() + layout.joint_count()).map(StateLinkId::from) {
        let (positions, rates) = (layout.positions(link), layout.rates(link));
        let more = positions.len() - rates.len();
        roles[positions.clone()].fill(Role::Position);
        for (i, rate) in rates.clone().enumerate() {
            // A quaternion follows the translations, and has one number more than its velocity.
            let turns = more > 0 && i + 3 >= rates.len();
            let own = nominals[positions.start + i + if turns { more } else { 0 }];
            roles[rate] = Role::Velocity(if turns { 2.0 * own } else { own });
        }
    }
    roles
}

fn for_importers(
    model: &Model,
    penetrations: &TiSlice<BodyId, Option<f64>>,
    mut nominals: Vec<f64>,
) -> Vec<f64> {
    let radii = radii(model);
    let speeds = match starts_fast(model) {
        true => FAST,
        false => SLOW,
    };
    for (body, penetration) in penetrations.iter_enumerated() {
        if let (Some(offset), Some(_)) = (model.scene.layout().body(body), penetration) {
            let spin = (speeds.surface / radii[body]).max(ANGULAR_VELOCITY);
            nominals[StateLayout::velocity(offset)].fill(speeds.body);
            nominals[StateLayout::angular_velocity(offset)].fill(spin);
        }
    }
    nominals
}

/// Most demanding body for a solver: the one with the smallest penetration at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Shapes of its pair.
    pub shapes: [ShapeId; 2],
    /// The demanding body.
    pub body: BodyId,
    /// Depth [m] under its weight, or without gravity in an impact at v_small.
    pub depth: f64,
    /// Largest start coordinate [m] of the bodies that can touch something, at least 1 m.
    pub reach: f64,
}

impl Demand {
    /// Relative tolerance [1] that resolves it: one hundredth of the depth, relative to the reach, as a power
    /// of ten.
    pub fn tolerance(&self) -> f64 {
        tolerance(self.depth, self.reach)
    }
}

fn tolerance(depth: f64, reach: f64) -> f64 {
    let wanted = RESOLVED_PART * depth / reach;
    powf(10.0, log10(wanted).floor()).clamp(TOLERANCES.0, TOLERANCES.1)
}

/// Most demanding end stop for a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopDemand {
    /// Index among [`Scene::stops`](crate::scene::Scene::stops).
    pub stop: StopId,
    /// Deflection [m] or [rad] under the weight it carries, or without gravity in an impact at the speed
    /// below which bodies come to rest.
    pub depth: f64,
    /// Distance of the stop from zero [m] or [rad], at least 1.
    pub reach: f64,
}

impl StopDemand {
    /// Relative tolerance [1] that resolves it, like [`Demand::tolerance`].
    pub fn tolerance(&self) -> f64 {
        tolerance(self.depth, self.reach)
    }
}

/// Most demanding end stop for a solver, if any.
pub fn stop_demand(model: &Model) -> Option<StopDemand> {
    let stops = model.stops.iter_enumerated().zip(carried_by_stops(model));
    let demands = stops.map(|((index, stop), carried)| {
        let depth = match carried.load > 0.0 {
            true => carried.load / stop.stiffness(),
            false => SMALL_SPEED * (carried.inertia / stop.stiffness()).sqrt(),
        };
        StopDemand {
            stop: index,
            depth,
            reach: stop.place().abs().max(1.0),
        }
    });
    demands.min_by(|a, b| a.tolerance().total_cmp(&b.tolerance()))
}

/// Most demanding body for a solver; `None` without forces. Of bodies with equal penetration the one of the
/// first pair.
pub fn demand(model: &Model) -> Option<Demand> {
    let mut least: Option<(Demand, usize)> = None;
    let mut reach: f64 = 1.0;
    for class in model.pair_classes().iter() {
        each_of_class(model, &class, |law, pair, side| {
            let body = model.bodies_of(&pair)[side];
            if !model.scene.bodies()[body].is_dynamic() {
                return;
            }
            let weight = weight(model, body);
            let depth = if weight > 0.0 {
                law.depth_under_force(weight)
            } else {
                let speed = law.damping.restitution.v_small;
                law.depth_after_impact(model.bodies[body].mass, speed)
            };
            let Some(depth) = depth else {
                return;
            };
            reach = reach.max(model.bodies[body].pose.position.amax());
            let is_less = least.is_none_or(|(known, of_side)| {
                let is_before = (pair.shapes, side) < (known.shapes, of_side);
                depth < known.depth || (depth == known.depth && is_before)
            });
            if is_less {
                let shapes = pair.shapes;
                let demand = Demand {
                    shapes,
                    body,
                    depth,
                    reach,
                };
                least = Some((demand, side));
            }
        });
    }
    least.map(|(demand, _)| Demand { reach, ..demand })
}

/// Calls `take` with the law, a pair and a side for each body of a class of pairs; with the first pair of the
/// body if all pairs of the class have one law.
fn each_of_class(model: &Model, class: &PairClass, mut take: impl FnMut(&PairLaw, Pair, usize)) {
    let first = class.first();
    if !model.calls_user(model.scene.law_of(&first)) {
        let law = model.law_of(&first);
        return class
            .first_of_each()
            .for_each(|(side, pair)| take(&law, pair, side));
    }
    // A user function gets the index of the pair.
    for pair in class.pairs() {
        let law = model.law_of(&pair);
        for side in [0, 1] {
            take(&law, pair, side);
        }
    }
}

/// Relative tolerance [1] that resolves the resting penetration of every body and every end stop, see
/// [`Demand::tolerance`]; the coarsest one for a fast start.
pub fn suggested_tolerance(model: &Model) -> f64 {
    let of_pairs = demand(model).map(|demand| demand.tolerance());
    let of_stops = stop_demand(model).map(|demand| demand.tolerance());
    // If nothing touches, the motion is smooth, for which this is customary.
    let least = of_pairs.into_iter().chain(of_stops).reduce(f64::min);
    match least {
        Some(_) if starts_fast(model) => TOLERANCES.1,
        Some(least) => least,
        None => 1e-6,
    }
}

fn starts_fast(model: &Model) -> bool {
    let radii = radii(model);
    let bodies = model.scene.bodies().iter_enumerated();
    let mut free = bodies.filter(|(index, _)| model.scene.layout().body(*index).is_some());
    free.any(|(index, body)| {
        let turning = body.angular_velocity.norm() * radii[index];
        body.velocity.norm() + turning > FAST_SPEED
    })
}

/// Largest distance [m] of each body's shapes from its centre of mass along one of its axes.
fn radii(model: &Model) -> TiVec<BodyId, f64> {
    let mut radii: TiVec<BodyId, f64> = ti_vec![0.0; model.bodies.len()];
    for shape in model.scene.shapes() {
        let center = model.bodies[shape.body].center_of_mass_b;
        let bounds = Aabb::of(&shape.form, &shape.pose_b);
        let distance = |corner: Vec3| (corner - center).amax();
        let far = distance(bounds.lower).max(distance(bounds.upper));
        radii[shape.body] = radii[shape.body].max(far);
    }
    radii
}

/// Weight of a body at start [N]; zero without gravity.
pub fn weight(model: &Model, body: BodyId) -> f64 {
    model.bodies[body].mass * gravity_magnitude(model, body)
}

/// Smallest penetration [m] of each body in an impact at the reference speed, over its pairs.
fn expected_penetrations(model: &Model) -> TiVec<BodyId, Option<f64>> {
    let mut least: TiVec<BodyId, Option<f64>> = ti_vec![None; model.bodies.len()];
    for class in model.pair_classes().iter() {
        // The one of the last pair, if all pairs of the class have one law.
        let mut known: Option<Option<f64>> = None;
        let is_shared = !model.calls_user(model.scene.law_of(&class.first()));
        each_of_class(model, &class, |law, pair, side| {
            let bodies = model.bodies_of(&pair);
            let depth_of = || law.depth_after_impact(model.effective_mass(bodies), REFERENCE_SPEED);
            let depth = match known {
                Some(depth) if is_shared => depth,
                _ => depth_of(),
            };
            known = Some(depth);
            if let Some(depth) = depth {
                let least = &mut least[bodies[side]];
                *least = Some(least.map_or(depth, |known| known.min(depth)));
            }
        });
    }
    least
}

/// Acceleration of gravity at the start of a body [m/s2].
pub fn gravity_at(model: &Model, body: BodyId) -> Vec3 {
    match &model.gravity {
        Gravity::None => Vec3::zeros(),
        Gravity::Uniform(g) => Vec3::from(*g),
        Gravity::Point { center, .. } => {
            let way = Vec3::from(*center) - model.bodies[body].pose.position;
            way * (gravity_magnitude(model, body) / way.norm())
        }
    }
}

fn gravity_magnitude(model: &Model, body: BodyId) -> f64 {
    match &model.gravity {
        Gravity::None => 0.0,
        Gravity::Uniform(g) => contact_geometry::math::Vec3::from(*g).norm(),
        Gravity::Point { mu, center } => {
            mu / (model.bodies[body].pose.position - contact_geometry::math::Vec3::from(*center))
                .norm_squared()
        }
    }
}

#[derive(Clone, Copy)]
struct Expected {
    depth: f64,
    /// Smallest penetration over arm [rad].
    angle: f64,
    arm: f64,
}

/// Writes the nominals of all joints. `penetrations` are expected of each body [m], `None` for one that
/// touches nothing.
pub(crate) fn write(
    model: &Model,
    penetrations: &TiSlice<BodyId, Option<f64>>,
    nominals: &mut [f64],
) {
    let expected = expected(model, penetrations);
    let numbers = model.links.of_joints.iter();
    let numbers = numbers.map(|link| &model.links.all[*link]);
    let joints = model.scene.joints().iter().zip(numbers);
    for ((joint, numbers), expected) in joints.zip(expected) {
        let (depth, angle, speed) = match expected {
            Some(Expected { depth, angle, arm }) => (
                depth,
                angle.min(ORIENTATION),
                (REFERENCE_SPEED / arm).max(ANGULAR_VELOCITY),
            ),
            None => (FREE_POSITION, ORIENTATION, ANGULAR_VELOCITY),
        };
        let mut write = |range: &std::ops::Range<usize>, slide: f64, turn: f64| {
            for (index, nominal) in nominals[range.clone()].iter_mut().enumerate() {
                *nominal = match joint.kind.motion(index) {
                    CoordinateMotion::Slide => slide,
                    _ => turn,
                };
            }
        };
        write(&numbers.positions, depth, angle);
        write(&numbers.rates, REFERENCE_SPEED, speed);
    }
    for (stop, carried) in model.stops.iter().zip(carried_by_stops(model)) {
        let depth = REFERENCE_SPEED * (carried.mass / stop.stiffness()).sqrt();
        let nominal = &mut nominals[stop.position()];
        *nominal = nominal.min(depth);
    }
}

fn expected(
    model: &Model,
    penetrations: &TiSlice<BodyId, Option<f64>>,
) -> TiVec<JointId, Option<Expected>> {
    let scene = &model.scene;
    let mut joint_of: TiVec<BodyId, _> = ti_vec![None; scene.bodies().len()];
    for (index, joint) in scene.joints().iter_enumerated() {
        joint_of[joint.child] = Some(index);
    }
    let mut list: TiVec<JointId, Option<Expected>> = ti_vec![None; scene.joints().len()];
    for (body, depth) in penetrations.iter_enumerated() {
        let Some(depth) = *depth else { continue };
        let mut above = joint_of[body];
        while let Some(index) = above {
            let joint = &scene.joints()[index];
            let frame = model.bodies[joint.child].pose.then(&joint.child_frame);
            // A screw moves all points by its lead too.
            let arm = arm(model, scene, body, &frame.position).max(joint.lead.abs());
            let angle = match arm > 0.0 {
                true => depth / arm,
                false => ORIENTATION,
            };
            let known = list[index].get_or_insert(Expected { depth, angle, arm });
            known.depth = known.depth.min(depth);
            known.angle = known.angle.min(angle);
            known.arm = known.arm.max(arm);
            // A joint with six degrees of freedom alone moves its child.
            above = match joint.kind.is_free() {
                true => None,
                false => joint.parent.and_then(|body| joint_of[body]),
            };
        }
    }
    list
}

/// Distance of the farthest corner of the boxes about a body's shapes from a point at start [m]; of its
/// origin, if all shapes are unbounded.
fn arm(model: &Model, scene: &Scene, body: BodyId, point: &Vec3) -> f64 {
    let pose = &model.bodies[body].pose;
    let mut arm = (pose.position - point).norm();
    for shape in scene.shapes().iter().filter(|shape| shape.body == body) {
        let bounds = Aabb::of(&shape.form, &pose.then(&shape.pose_b));
        let far = (bounds.lower - point)
            .abs()
            .sup(&(bounds.upper - point).abs());
        if far.iter().all(|c| c.is_finite()) {
            arm = arm.max(far.norm());
        }
    }
    arm
}

pub(crate) const REFERENCE_SPEED: f64 = 1.0;
/// Nominal position of a body that touches nothing [m].
const FREE_POSITION: f64 = 1.0;
/// Nominal orientation [1], and nominal angular velocity [rad/s] except for importers' values of bodies that
/// can touch: a hundredth, because components of a quaternion pass through zero, where the absolute tolerance
/// alone decides. Measured with CVODE's BDF on a free axisymmetric top against its closed form, relative
/// tolerance 1e-8: error 3.1e-5 rad/s after 5 s with nominals of 1, 4.5e-6 rad/s with these; smaller ones
/// gain nothing.
pub(crate) const ORIENTATION: f64 = 1e-2;
pub(crate) const ANGULAR_VELOCITY: f64 = 1e-2;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Carried {
    /// Mass carried by the coordinate [kg].
    mass: f64,
    /// Its inertia along the coordinate [kg] or [kg.m2].
    inertia: f64,
    load: f64,
}

fn carried_by_stops(model: &Model) -> Vec<Carried> {
    let scene = &model.scene;
    if scene.stops().is_empty() {
        return Vec::new();
    }
    let mut work: Workspace<f64> = Workspace::new(model);
    pipeline::place(
        model,
        &model.links.indices,
        &mut work,
        &scene.start_states(),
    );
    let links = &model.links;
    let hangs_on = |body: BodyId, link: LinkId| {
        let above = |known: &LinkId| links.all[*known].parent;
        std::iter::successors(links.of_bodies[body], above).any(|known| known == link)
    };
    let stops = scene.stops().iter();
    let of = stops.map(|stop| {
        let link = links.of_joints[stop.joint];
        let motion = &work.tree.motions[links.index_in_trees(link)];
        let column = &motion.columns[stop.coordinate];
        let origin = work.frames[scene.joints()[stop.joint].child.frame()].position;
        let mut sum = Carried {
            mass: 0.0,
            inertia: 0.0,
            load: 0.0,
        };
        for (body, numbers) in model.bodies.iter_enumerated() {
            if !hangs_on(body, link) {
                continue;
            }
            let pose = &work.frames[body.frame()];
            let center: Vec3 = pose.position + pose.rotation * numbers.center_of_mass_b;
            let velocity = column.linear + column.angular.cross(&(center - origin));
            let turning = pose.rotation.tr_mul(&column.angular);
            sum.mass += numbers.mass;
            sum.inertia += numbers.mass * velocity.norm_squared()
                + turning.dot(&(numbers.inertia_b * turning));
            sum.load += numbers.mass * gravity(&model.gravity, &center).norm() * velocity.norm();
        }
        sum
    });
    of.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::pressing;
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::scene::description::{Form, PairResponse, SceneDescription};
    use crate::scene::{Parameters, Scene, UserFunctions};
    use contact_laws::response::Number;
    use contact_laws::response::choice::NormalKind;
    use std::sync::Arc;

    /// A ball of 1 kg and one of 4 kg over a plate.
    fn scene() -> SceneDescription {
        let mut bodies = vec![
            plate(),
            ball("light", [0.0, 0.0, 2.0]),
            ball("heavy", [5.0; 3]),
        ];
        bodies[1].mass.mass = Some(1.0);
        bodies[2].mass.mass = Some(4.0);
        steel_scene(bodies)
    }

    fn with_law(normal: NormalKind, numbers: &[(Number, f64)]) -> SceneDescription {
        let mut description = scene();
        let PairResponse::Law(changes) = &mut description.material_pairs[0].response else {
            panic!("steel touches steel");
        };
        changes.normal = Some(normal);
        // A number that a law does not use is refused.
        changes.numbers.retain(|(number, _)| match normal {
            NormalKind::Observer => false,
            NormalKind::Impact => *number != Number::Restitution,
            _ => true,
        });
        changes.numbers.extend_from_slice(numbers);
        description
    }

    fn model(description: SceneDescription) -> Model {
        let scene = Arc::new(Scene::new(description).expect("a valid scene"));
        let functions = UserFunctions::not_loaded(&scene);
        pressing::bind(&scene, &Parameters::start(&scene), &functions).expect("good parameters")
    }

    fn near(value: f64, expected: f64) {
        assert!(
            (value / expected - 1.0).abs() < 1e-12,
            "{value:e} is not {expected:e}"
        );
    }

    #[test]
    fn each_law_has_the_nominals_and_the_demand_of_its_elastic_part() {
        // Layers: k = 1/(1/k_1 + 1/k_2), k_i = E (1 - nu)/((1 + nu)(1 - 2 nu))/h_i; a patch of area
        // A has A k delta.
        let modulus = 2e11 * 0.7 / (1.3 * 0.4);
        let layer = modulus / 0.002 / 2.0;
        let cases = [
            (
                NormalKind::Spring,
                vec![(Number::Stiffness, 3e6), (Number::Exponent, 2.0)],
                (3e6, 2.0),
            ),
            (
                NormalKind::Impact,
                vec![
                    (Number::Stiffness, 1e8),
                    (Number::LargestDamping, 50.0),
                    (Number::DampingDepth, 1e-4),
                ],
                (1e8, 1.5),
            ),
            (
                NormalKind::Poisson,
                vec![(Number::Stiffness, 2e6)],
                (2e6, 1.0),
            ),
            (
                NormalKind::Volume,
                vec![(Number::LayerDepth1, 0.002), (Number::Area, 1e-4)],
                (1e-4 * layer, 1.0),
            ),
        ];
        for (normal, numbers, (k, n)) in cases {
            let model = model(with_law(normal, &numbers));
            // The light ball meets the plate with its own mass, the other with 4/5 kg.
            let depth = |mass: f64| (0.5 * (n + 1.0) * mass / k).powf(1.0 / (n + 1.0));
            let nominals = Scales::of(&model).nominals;
            near(nominals[2], depth(0.8));
            near(nominals[13 + 2], depth(0.8));
            let demand = demand(&model).expect("something touches");
            near(demand.depth, (9.81 / k).powf(1.0 / n));
            assert_eq!((demand.body, demand.reach), (BodyId::from(1), 5.0));
        }
    }

    #[test]
    fn a_factor_on_the_stiffness_counts() {
        let mut description = scene();
        let stiff = demand(&model(description.clone())).expect("something touches");
        description.contact.k_red = 1e-3;
        let soft = demand(&model(description)).expect("something touches");
        // depth = (m g/k)^(2/3).
        near(soft.depth / stiff.depth, 100.0);
    }

    #[test]
    fn angular_velocity_of_a_box_is_counted_at_its_farthest_face() {
        let mut description = scene();
        let block = &mut description.bodies[1];
        block.shapes[0].form = Form::Box {
            lengths: [0.1, 0.4, 0.2],
        };
        // The centre of mass is 0.05 m beside the middle: 0.25 m to the far face.
        block.mass.center_of_mass = Some([0.0, -0.05, 0.0]);
        let nominals = Scales::of(&model(description)).of_importers;
        near(nominals[7], 0.2);
        // 0.3 m/s at 0.25 m.
        near(nominals[10], 1.2);
    }

    #[test]
    fn each_velocity_has_the_nominal_magnitude_of_its_position() {
        let model = model(scene());
        let Scales {
            nominals: own,
            roles: found,
            ..
        } = Scales::of(&model);
        for body in [0, 13] {
            assert_eq!(found[body..body + 7], [Role::Position; 7]);
            for i in 0..3 {
                assert_eq!(found[body + 7 + i], Role::Velocity(own[body + i]));
                assert_eq!(found[body + 10 + i], Role::Velocity(2.0 * ORIENTATION));
            }
        }
    }

    #[test]
    fn a_fast_start_suggests_the_coarsest_tolerance_turning_included() {
        let tolerance = |speed: f64, spin: f64| {
            let mut description = scene();
            description.bodies[1].velocity = [0.0, 0.0, -speed];
            description.bodies[1].angular_velocity = [spin, 0.0, 0.0];
            suggested_tolerance(&model(description))
        };
        // The radius is 0.1 m.
        assert_eq!(tolerance(4.0, 9.0), 1e-8);
        assert_eq!(tolerance(4.0, 11.0), 1e-7);
        assert_eq!(tolerance(5.1, 0.0), 1e-7);
    }

    #[test]
    fn pairs_without_a_force_ask_nothing() {
        let model = model(with_law(NormalKind::Observer, &[]));
        assert_eq!(demand(&model), None);
        assert_eq!(suggested_tolerance(&model), 1e-6);
        assert_eq!(Scales::of(&model).nominals[2], FREE_POSITION);
    }
}
