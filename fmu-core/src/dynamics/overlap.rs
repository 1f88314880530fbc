//! Which overlaps at the start are mistakes: those deeper than contacts are under their loads.
//!
//! Bodies that start at rest in contact overlap by their static depth. So a pair may overlap at the
//! start by max(2 delta(W), delta(v_small)) + 4 z_eps: delta(W) is the depth at which its force is
//! the weight W of all bodies that forces move, delta(v_small) the largest depth of its impact at
//! v_small without losses, from which bodies part slowly; the depth counts from the hysteresis on,
//! 2 z_eps, and rounding. The force of a law of the user is known only where its function is
//! called: for such a law both depths are a share of the smaller contact sphere radius.

use crate::dynamics::{Model, scale};
use crate::index::PairId;
use crate::response::options::{ContactRule, DEFAULT_Z_EPS};

/// Times the static depth: a rest that was computed otherwise, or to a few digits, is no mistake.
const REST_DEPTHS: f64 = 2.0;
/// Times the half-width of the hysteresis.
const HALF_WIDTHS: f64 = 4.0;
/// Share of the smaller contact sphere radius, of laws of the user.
const SHARE_OF_RADIUS: f64 = 0.01;

/// A pair that overlaps too deeply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The pair.
    pub pair: PairId,
    /// Depth of the overlap [m].
    pub depth: f64,
    /// Depth that is taken for a loaded contact [m].
    pub allowed: f64,
}

/// Those of the pairs with these gaps [m] that overlap too deeply, in the order given.
pub fn too_deep(model: &Model, gaps: impl IntoIterator<Item = (PairId, f64)>) -> Vec<Overlap> {
    let bodies = model.bodies.keys();
    let dynamic = bodies.filter(|b| model.scene.bodies()[*b].is_dynamic());
    let load = dynamic.map(|body| scale::weight(model, body)).sum();
    let deep = gaps.into_iter().filter_map(|(pair, gap)| {
        let allowed = allowed_depth(model, pair, load)?;
        let depth = -gap;
        (depth > allowed).then_some(Overlap {
            pair,
            depth,
            allowed,
        })
    });
    deep.collect()
}

/// Depth [m] that a pair may have at the start where everything weighs `load` [N]; none if the
/// pair exerts no force.
fn allowed_depth(model: &Model, pair: PairId, load: f64) -> Option<f64> {
    let pair = model.scene.pairs().get(pair);
    let law = model.law_of(&pair);
    let z_eps = match model.scene.contact().law.rule {
        ContactRule::Hysteresis { z_eps, .. } => z_eps,
        ContactRule::Touching => DEFAULT_Z_EPS,
    };
    let depth = if law.is_user() {
        let radii = pair
            .shapes
            .map(|shape| model.scene.shapes()[shape].contact_sphere_radius);
        SHARE_OF_RADIUS * radii[0].min(radii[1])
    } else {
        let at_rest = REST_DEPTHS * law.depth_under_force(load)?;
        let mass = model.effective_mass(model.bodies_of(&pair));
        let v_small = law.damping.restitution.v_small;
        match law.depth_after_impact(mass, v_small) {
            Some(depth) if mass.is_finite() => at_rest.max(depth),
            _ => at_rest,
        }
    };
    Some(depth + HALF_WIDTHS * z_eps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::overlaps_at_start;
    use crate::dynamics::start;
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::response::options::NormalKind;
    use crate::response::{LawChanges, Number};
    use crate::scene::description::{
        FunctionDescription, Gravity, LibraryDescription, LibraryFile, PairResponse,
        SceneDescription,
    };
    use crate::scene::{Parameters, Scene, UserFunctions};
    use std::sync::Arc;

    fn found(description: SceneDescription) -> Vec<Overlap> {
        let scene = Arc::new(Scene::new(description).unwrap());
        let functions = UserFunctions::not_loaded(&scene);
        let model = start::bind(&scene, &Parameters::start(&scene), &functions).unwrap();
        too_deep(&model, overlaps_at_start(&scene))
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
        assert!((overlap.allowed / (2.0 * at_rest + 4e-8) - 1.0).abs() < 1e-12);
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
        assert!((overlap.allowed / (slow + 4e-8) - 1.0).abs() < 1e-12);
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
            assert!((overlap.allowed / allowed - 1.0).abs() < 1e-12);
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
}
