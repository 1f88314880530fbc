//! Overlaps at the start that are mistakes: deeper than contacts under their loads.
//!
//! Bodies that start at rest in contact overlap by their static depth. So a pair may overlap at the start by
//! max(2 delta(W), delta(v_small)) + 4 z_eps: delta(W) is the depth at which its force is the total weight W
//! of all bodies that forces move, delta(v_small) the maximum depth of its impact at v_small without losses,
//! from which bodies part slowly; the depth is measured from the hysteresis, 2 z_eps, and rounding. A
//! user-defined force is known only where its function is called: for such a law both depths are a fraction
//! of the smaller contact sphere radius.
//!
//! For a pair that touches over an area the effect of a depth depends on how its faces, edges and corners
//! meet: an edge carries its load at a thousand times the depth of a face. So its patch is computed, 4 z_eps
//! smaller, and the pair may press with F <= 2 W or store U <= m v_small^2/2. For faces that meet flat, F = k
//! A delta and U = k A delta^2/2, that is the rule above. F is at least U over the depth, the mean force of
//! separation: the forces on a body inside another one cancel. Inside a mesh, below its layer or out of reach of its
//! faces, a body has neither force nor energy: it is refused there.

use crate::contact::Placement;
use crate::dynamics::{Model, contact_forces, scale};
use crate::scene::Pair;
use contact_geometry::math::Vec3;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::index::{PairId, ShapeId};
use contact_laws::response::PairLaw;
use contact_laws::response::choice::{ContactRule, DEFAULT_Z_EPS};

/// Factor on the static depth: a rest computed differently, or to a few digits, is no mistake.
const REST_DEPTHS: f64 = 2.0;
/// Factor on the half-width of the hysteresis.
const HALF_WIDTHS: f64 = 4.0;
/// Factor on that distance of a depth without energy from which on a body is inside a mesh.
const INSIDE: f64 = 100.0;
/// Fraction of the smaller contact sphere radius, for user-defined laws.
const SHARE_OF_RADIUS: f64 = 0.01;

/// Pair that overlaps too deeply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The pair.
    pub pair: PairId,
    /// Depth of the overlap [m].
    pub depth: f64,
    /// Limit for a loaded contact.
    pub limit: Limit,
}

/// Limit for a loaded contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Point contact: a depth [m].
    Depth(f64),
    /// Inside a mesh, where no force acts.
    Inside,
    /// Over an area: force or energy.
    Load {
        /// Load of the overlap.
        found: OverlapLoad,
        /// Allowed load.
        allowed: OverlapLoad,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapLoad {
    pub force: f64,
    pub energy: f64,
}

/// Pairs among those with these gaps [m] that overlap too deeply, in the order given.
pub fn too_deep(
    model: &Model,
    placement: &Placement<'_>,
    gaps: impl IntoIterator<Item = (PairId, f64)>,
) -> Vec<Overlap> {
    let bodies = model.bodies.keys();
    let dynamic = bodies.filter(|b| model.scene.bodies()[*b].is_dynamic());
    let weight = dynamic.map(|body| scale::weight(model, body)).sum();
    let mut patch = Patch::default();
    let deep = gaps.into_iter().filter_map(|(index, gap)| {
        let pair = model.scene.pairs().get(index);
        let law = model.law_of(&pair);
        let limit = match law.area {
            Some(_) => too_much(model, &law, &pair, placement, -gap, weight, &mut patch)?,
            None => {
                let allowed = allowed_depth(model, &law, &pair, weight)?;
                (-gap > allowed).then_some(Limit::Depth(allowed))?
            }
        };
        Some(Overlap {
            pair: index,
            depth: -gap,
            limit,
        })
    });
    deep.collect()
}

/// Elastic energy [J] stored by a pair with this gap [m] beyond the energy where contacts start.
pub fn stored_energy(model: &Model, placement: &Placement<'_>, index: PairId, gap: f64) -> f64 {
    let pair = model.scene.pairs().get(index);
    let law = model.law_of(&pair);
    if law.area.is_none() {
        return law.energy_at_start(gap);
    }
    let mut patch = Patch::default();
    let without_force = law.rule.overlap_without_force();
    find(model, &law, &pair, placement, without_force, &mut patch);
    patch.energy
}

fn find(
    model: &Model,
    law: &PairLaw,
    pair: &Pair,
    placement: &Placement<'_>,
    hysteresis: f64,
    patch: &mut Patch<f64>,
) {
    let pose = |shape: ShapeId| &placement.frames[placement.shape_frames[shape]];
    let poses = pair.shapes.map(pose);
    contact_forces::find_patch(model, law, pair.shapes, poses, hysteresis, patch);
}

/// Load of a pair that touches over an area at this depth [m], if it exceeds the limit for the total weight
/// `weight` [N].
fn too_much(
    model: &Model,
    law: &PairLaw,
    pair: &Pair,
    placement: &Placement<'_>,
    depth: f64,
    weight: f64,
    patch: &mut Patch<f64>,
) -> Option<Limit> {
    let free = HALF_WIDTHS * z_eps(model);
    find(model, law, pair, placement, free, patch);
    let sum = patch
        .nodes
        .sum(Vec3::zeros(), |node| node.normal * node.force);
    let mean = match depth > free {
        true => patch.energy / (depth - free),
        false => 0.0,
    };
    let found = OverlapLoad {
        force: sum.norm().max(mean),
        energy: patch.energy,
    };
    let mass = model.effective_mass(model.bodies_of(pair));
    let v_small = law.damping.restitution.v_small;
    let allowed = OverlapLoad {
        force: REST_DEPTHS * weight,
        energy: 0.5 * mass * v_small * v_small,
    };
    if depth > INSIDE * free && patch.energy <= 0.0 {
        return Some(Limit::Inside);
    }
    let is_too_much = found.force > allowed.force && found.energy > allowed.energy;
    is_too_much.then_some(Limit::Load { found, allowed })
}

fn z_eps(model: &Model) -> f64 {
    match model.scene.contact().law.rule {
        ContactRule::Hysteresis { z_eps, .. } => z_eps,
        ContactRule::Touching => DEFAULT_Z_EPS,
    }
}

/// Allowed depth [m] of a point contact at the start for the total weight `weight` [N]; `None` if the pair
/// exerts no force.
fn allowed_depth(model: &Model, law: &PairLaw, pair: &Pair, weight: f64) -> Option<f64> {
    let depth = if law.is_user() {
        let radii = pair
            .shapes
            .map(|shape| model.scene.shapes()[shape].contact_sphere_radius);
        SHARE_OF_RADIUS * radii[0].min(radii[1])
    } else {
        let at_rest = REST_DEPTHS * law.depth_under_force(weight)?;
        let mass = model.effective_mass(model.bodies_of(pair));
        let v_small = law.damping.restitution.v_small;
        match law.depth_after_impact(mass, v_small) {
            Some(depth) if mass.is_finite() => at_rest.max(depth),
            _ => at_rest,
        }
    };
    Some(depth + HALF_WIDTHS * z_eps(model))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{AtStart, overlaps_at_start};
    use crate::dynamics::pressing;
    use crate::fixtures::{ball, body, plate, steel_scene};
    use crate::scene::description::{
        BodyDescription, Form, FunctionDescription, Gravity, LibraryDescription, LibraryFile,
        Motion, PairResponse, SceneDescription,
    };
    use crate::scene::{Parameters, Scene, UserFunctions};
    use contact_laws::response::choice::NormalKind;
    use contact_laws::response::{LawChanges, Number};
    use std::sync::Arc;

    fn found(description: SceneDescription) -> Vec<Overlap> {
        let scene = Arc::new(Scene::new(description).unwrap());
        let functions = UserFunctions::not_loaded(&scene);
        let model = pressing::bind(&scene, &Parameters::start(&scene), &functions).unwrap();
        let at_start = AtStart::of(&scene);
        too_deep(&model, &at_start.placement(), overlaps_at_start(&scene))
    }

    /// Depth [m] that is allowed to a pair that touches in a point.
    fn allowed_of(overlap: &Overlap) -> f64 {
        match overlap.limit {
            Limit::Depth(depth) => depth,
            _ => panic!("{overlap:?}"),
        }
    }

    /// Where a ball of 0.1 m radius overlaps the plate by the depth, hysteresis included.
    fn at(depth: f64) -> f64 {
        0.1 - depth
    }

    /// Stiffness [N/m^1.5] of a ball on a plate of steel, K = 4/3 c sqrt(R), 1/c = 2 (1 - nu^2)/E,
    /// and mass [kg] of the ball.
    fn hertz() -> (f64, f64) {
        let c = 2e11 / (2.0 * (1.0 - 0.09));
        let mass = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;
        (4.0 / 3.0 * c * 0.1_f64.sqrt(), mass)
    }

    #[test]
    fn a_ball_may_start_at_rest_and_not_three_times_as_deep() {
        let (stiffness, mass) = hertz();
        let at_rest = (mass * 9.81 / stiffness).powf(2.0 / 3.0);
        let with = |depth| found(steel_scene(vec![plate(), ball("a", [0.0, 0.0, at(depth)])]));
        assert_eq!(with(-1e-17), []);
        assert_eq!(with(0.0), []);
        assert_eq!(with(at_rest + 2e-8), []);
        assert_eq!(with(2.0 * at_rest), []);
        let [overlap] = with(3.0 * at_rest)[..] else {
            panic!("one overlap");
        };
        assert_eq!(overlap.pair, PairId::from(0));
        assert!((overlap.depth / (3.0 * at_rest) - 1.0).abs() < 1e-9);
        assert!((allowed_of(&overlap) / (2.0 * at_rest + 4e-8) - 1.0).abs() < 1e-12);
    }

    /// In an impact without losses m v^2/2 = 2/5 K delta^2.5.
    #[test]
    fn without_weight_the_depth_of_a_slow_impact_is_allowed() {
        let (stiffness, mass) = hertz();
        let slow = (1.25 * mass * 0.01 * 0.01 / stiffness).powf(0.4);
        let with = |depth| {
            let mut scene = steel_scene(vec![plate(), ball("a", [0.0, 0.0, at(depth)])]);
            scene.gravity = Gravity::None;
            found(scene)
        };
        assert_eq!(with(slow), []);
        let [overlap] = with(1.1 * slow)[..] else {
            panic!("one overlap");
        };
        assert!((allowed_of(&overlap) / (slow + 4e-8) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_lowest_ball_of_a_stack_may_start_under_the_weight_of_all() {
        let (stiffness, mass) = hertz();
        let under = |count: f64| (count * mass * 9.81 / stiffness).powf(2.0 / 3.0);
        // Between two balls R is half a radius, so K is smaller by the root of two.
        let between = |count: f64| under(count) * 2f64.powf(1.0 / 3.0);
        let first = at(under(3.0));
        let second = first + 0.2 - between(2.0);
        let third = second + 0.2 - between(1.0);
        let balls = [("a", first), ("b", second), ("c", third)];
        let mut bodies = vec![plate()];
        bodies.extend(balls.map(|(name, height)| ball(name, [0.0, 0.0, height])));
        assert_eq!(found(steel_scene(bodies)), []);
    }

    /// A hundredth of the smaller contact sphere radius and twice the width of the hysteresis.
    #[test]
    fn under_a_law_of_the_user_a_hundredth_of_the_smaller_radius_is_allowed() {
        let with = |radii: [f64; 2], depth: f64| {
            let mut scene = steel_scene(vec![plate(), ball("a", [0.0, 0.0, at(depth)])]);
            for (body, radius) in scene.bodies.iter_mut().zip(radii) {
                body.shapes[0].contact_sphere_radius = Some(radius);
            }
            let file = LibraryFile {
                platform: "x86_64-linux".into(),
                file: "library.so".into(),
            };
            scene.libraries = vec![LibraryDescription {
                name: "library".into(),
                files: vec![file],
            }];
            scene.functions = vec![FunctionDescription {
                library: "library".into(),
                symbol: "law".into(),
            }];
            scene.material_pairs[0].response = PairResponse::Law(LawChanges {
                normal: Some(NormalKind::User(0)),
                numbers: vec![(Number::SlidingFriction, 0.5)],
                ..LawChanges::default()
            });
            found(scene)
        };
        for radii in [[0.02, 0.03], [0.03, 0.02]] {
            let allowed = 0.01 * 0.02 + 4e-8;
            assert_eq!(with(radii, 0.999 * allowed), []);
            let [overlap] = with(radii, 1.001 * allowed)[..] else {
                panic!("one overlap");
            };
            assert!((allowed_of(&overlap) / allowed - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_only_observes_may_overlap_as_it_likes() {
        let mut scene = steel_scene(vec![plate(), ball("a", [0.0, 0.0, 0.0])]);
        assert_eq!(found(scene.clone()).len(), 1);
        scene.material_pairs[0].response = PairResponse::Law(LawChanges {
            normal: Some(NormalKind::Observer),
            ..LawChanges::default()
        });
        assert_eq!(found(scene), []);
    }

    /// A cube of 0.1 m, 8 kg, on a half-space or in another body, k = 1e12 N/m3.
    fn cube(other: BodyDescription, place: [f64; 3], tilt: f64) -> SceneDescription {
        let lengths = [0.1; 3];
        let mut cube = body("cube", Motion::Free, Form::Box { lengths }, place);
        cube.orientation = [(0.5 * tilt).cos(), 0.0, (0.5 * tilt).sin(), 0.0];
        let mut scene = steel_scene(vec![other, cube]);
        let PairResponse::Law(changes) = &mut scene.material_pairs[0].response else {
            panic!("steel touches steel");
        };
        changes.numbers.push((Number::StiffnessPerArea, 1e12));
        scene
    }

    fn ground() -> BodyDescription {
        body("ground", Motion::Fixed, Form::HalfSpace, [0.0; 3])
    }

    /// m v^2/2 = k A delta^2/2; the weight presses it in by 8 nm only.
    #[test]
    fn a_face_over_an_area_may_be_as_deep_as_after_a_slow_impact() {
        let allowed = 0.01 * (8.0_f64 / 1e10).sqrt() + 4e-8;
        let with = |depth: f64| found(cube(ground(), [0.0, 0.0, 0.05 - depth], 0.0));
        assert_eq!(with(0.999 * allowed), []);
        assert_eq!(with(1.001 * allowed).len(), 1);
    }

    /// The least distance from the sides of a right-angled wedge that is d deep, times 2 k, has the
    /// integral 2 k d^3 (root 2 - 1)/3 over its triangle, d^2 with the inscribed radius
    /// d (root 2 - 1): F = 2 k L d^2 (root 2 - 1).
    #[test]
    fn an_edge_over_an_area_may_be_as_deep_as_twice_the_weight_presses_it() {
        let root = 2f64.sqrt();
        let slope = 2e12 * 0.1 * (root - 1.0);
        // Faces begin 2 z_eps inside on both sides.
        let allowed = (2.0 * 8.0 * 9.81 / slope).sqrt() + 2e-8 * (1.0 + root);
        let quarter = std::f64::consts::FRAC_PI_4;
        let with = |depth| found(cube(ground(), [0.0, 0.0, 0.1 / root - depth], quarter));
        // Both ends bear less within the depth: 2e-4 of the force.
        assert_eq!(with(0.999 * allowed), []);
        let [overlap] = with(1.01 * allowed)[..] else {
            panic!("one overlap");
        };
        let Limit::Load { found, allowed } = overlap.limit else {
            panic!("over an area");
        };
        let ratio = found.force / (2.0 * 8.0 * 9.81 * 1.01 * 1.01);
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
        assert!((found.energy / (found.force * overlap.depth / 3.0) - 1.0).abs() < 5e-3);
        assert!((allowed.force / (2.0 * 8.0 * 9.81) - 1.0).abs() < 1e-12);
        assert!((allowed.energy / (0.5 * 8.0 * 1e-4) - 1.0).abs() < 1e-12);
    }

    /// The forces on the smaller one cancel.
    #[test]
    fn a_body_inside_another_one_overlaps_too_deeply() {
        let lengths = [0.3; 3];
        let shell = body("shell", Motion::Fixed, Form::Box { lengths }, [0.0; 3]);
        assert_eq!(found(cube(shell, [0.0; 3], 0.0)).len(), 1);
    }
}
