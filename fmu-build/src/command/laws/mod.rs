//! Evaluation of the contact laws of a scene: for each law the most demanding pair of shapes, with its masses
//! and weight.
//!
//! - [`area`]: estimates for contact over an area
//! - [`bounce`]: one impact by a law
//! - `warnings`: suspicious data
//! - `curves`: the laws as pictures

pub(crate) mod area;
pub(crate) mod bounce;
pub(crate) mod curves;
pub(crate) mod warnings;

use crate::command::laws::area::{AreaFacts, AreaKinds, Pressed};
use crate::command::laws::bounce::Touching;
use contact_geometry::math::Vec3;
use contact_laws::index::{LawId, MaterialId, ShapeId, TiVec, ti_vec};
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::NormalKind;
use contact_laws::response::friction::FrictionLaw;
use contact_laws::response::normal::NormalLaw;
use contact_laws::response::restitution::obtained;
use contact_laws::response::{LawChoice, Number, PairLaw};
use contact_model::dynamics::{Model, pressing, scale};
use contact_model::hybrid::EvaluationError;
use contact_model::scene::description::ShapeName;
use contact_model::scene::{Pair, Parameters, Scene, UserFunctions};
use fmu_view::report::plot::{LEGEND_CHARACTERS, shortened};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct Laws {
    pub(crate) list: TiVec<LawId, LawFacts>,
    /// Pairs that touch over an area: the first of each kind, up to [`area::MOST_AREAS`].
    pub areas: Vec<AreaFacts>,
    pub(crate) area_pairs: usize,
    pub touching: Touching,
    pub tolerance: f64,
    /// Pair, body and depth [m] that require it.
    pub demand: Option<(String, String, f64)>,
    /// End stop that requires it instead, and its deflection [m] or [rad].
    pub stop_demand: Option<(String, f64, &'static str)>,
}

#[derive(Clone, Debug)]
pub(crate) struct LawFacts {
    /// The materials, and the shapes of a special law: `Steel-Steel`, `Steel-Steel at ball:ground`.
    pub(crate) name: String,
    pub choice: LawChoice,
    pub meeting: Option<Meeting>,
}

/// Most demanding pair of shapes of a law: smallest penetration at 1 m/s.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// The law bound to the shapes.
    pub law: PairLaw,
    pub(crate) pair: String,
    pub mass: f64,
    /// Weight of the lighter free body [N]; zero without gravity.
    pub weight: f64,
    /// Estimates over an area; the law has the area of flat contact.
    pub area: Option<AreaFacts>,
    pub radius: f64,
}

/// Impact speed at which penetrations are compared [m/s].
const COMPARED_AT: f64 = 1.0;

impl Laws {
    /// Laws of a scene with its start values and their user functions.
    ///
    /// # Errors
    /// Start values that contradict each other; the message names the parameter.
    pub(crate) fn of(
        scene: &Scene,
        functions: &Arc<UserFunctions>,
    ) -> Result<Laws, EvaluationError> {
        let scene = Arc::new(scene.clone());
        let model = pressing::bind(&scene, &Parameters::start(&scene), functions)?;
        let mut list: TiVec<LawId, LawFacts> = scene
            .laws()
            .iter()
            .map(|law| LawFacts {
                name: name_of(&scene, law.materials, law.between.as_ref()),
                choice: law.choice,
                meeting: None,
            })
            .collect();
        let mut touching = Touching::none(&scene);
        let mut least: TiVec<LawId, Option<(f64, Pair)>> = ti_vec![None; list.len()];
        let mut kinds = AreaKinds::default();
        for class in model.pair_classes().iter() {
            let first = class.first();
            let index = scene.law_of(&first);
            for (_, pair) in class.first_of_each() {
                touching.count(&scene, &pair, index);
            }
            // A user function gets the index of the pair.
            let pairs = match model.calls_user(index) {
                true => class.pairs().collect(),
                false => vec![first],
            };
            for pair in pairs {
                let mass = model.effective_mass(model.bodies_of(&pair));
                let depth = model.law_of(&pair).depth_after_impact(mass, COMPARED_AT);
                let depth = depth.unwrap_or(f64::MAX);
                let is_less = least[index].is_none_or(|(known, of)| {
                    depth < known || (depth == known && pair.shapes < of.shapes)
                });
                if is_less {
                    least[index] = Some((depth, pair));
                }
            }
            if scene.has_layers(&first) {
                kinds.add(&model, &class);
            }
        }
        let area_pairs = kinds.pair_count;
        let areas = kinds.first_pairs().into_iter().filter_map(|pair| {
            let name = pair_name(&scene, pair.shapes);
            AreaFacts::of(&model, &pair, name)
        });
        let areas = areas.collect();
        for (facts, least) in list.iter_mut().zip(&least) {
            facts.meeting = least.map(|(_, pair)| meeting(&scene, &model, &pair));
        }
        let tolerance = scale::suggested_tolerance(&model);
        let asking = scale::stop_demand(&model).filter(|stop| stop.tolerance() <= tolerance);
        let of_pairs = scale::demand(&model).map(|demand| demand.tolerance());
        let asking = asking.filter(|_| of_pairs.is_none_or(|of_pairs| tolerance < of_pairs));
        let stop_demand = asking.map(|demand| {
            let stop = scene.stops()[demand.stop];
            let joint = &scene.joints()[stop.joint];
            let coordinate = joint.kind.coordinates()[stop.coordinate];
            let side = if stop.is_upper { "upper" } else { "lower" };
            let unit = if coordinate.is_angle() { "rad" } else { "m" };
            let name = format!("the {side} stop of {}.{}", joint.name, coordinate.key);
            (name, demand.depth, unit)
        });
        let demand = scale::demand(&model).map(|demand| {
            let pair = pair_name(&scene, demand.shapes);
            let body = scene.bodies()[demand.body].name.clone();
            (pair, body, demand.depth)
        });
        Ok(Laws {
            list,
            areas,
            area_pairs,
            touching,
            tolerance,
            demand,
            stop_demand,
        })
    }
}

impl LawFacts {
    pub(crate) fn asks_restitution(&self) -> bool {
        self.choice.kinds.uses(Number::Restitution)
    }

    /// Name for a legend: long materials are shortened, a law of two shapes has the materials.
    pub(crate) fn short_name(&self) -> String {
        if let Some((_, shapes)) = self.name.split_once(" at ") {
            return shapes.to_owned();
        }
        if self.name.chars().count() <= LEGEND_CHARACTERS {
            return self.name.clone();
        }
        let cut = |material: &str| shortened(material, (LEGEND_CHARACTERS - 1) / 2);
        match self.name.split_once('-') {
            Some((one, other)) => format!("{}-{}", cut(one), cut(other)),
            None => self.name.clone(),
        }
    }

    pub(crate) fn normal_word(&self) -> &'static str {
        self.choice.law_word()
    }

    /// Word of the damping; `None` if the normal force has its own.
    pub(crate) fn damping_word(&self) -> Option<&'static str> {
        let damped = self.asks_restitution() && self.choice.kinds.normal != NormalKind::Poisson;
        let shown = damped || self.choice.kinds.uses(Number::DampingCoefficient);
        shown.then(|| self.choice.kinds.damping.word())
    }

    pub(crate) fn friction_word(&self) -> &'static str {
        self.choice.kinds.friction.word()
    }
}

impl Meeting {
    /// Returns true if there is a known force: a user function may be for another platform, or refuse
    /// probing.
    pub(crate) fn has_known_force(&self) -> bool {
        let depth = self.law.depth_after_impact(self.mass, COMPARED_AT);
        depth.is_some()
    }

    pub(crate) fn has_known_friction(&self) -> bool {
        !matches!(self.law.friction, FrictionLaw::User(_))
    }

    /// Desired restitution [1] of an impact at this speed [m/s].
    pub(crate) fn asked(&self, speed: f64) -> f64 {
        self.law.damping.asked(speed)
    }

    /// Resulting restitution [1] of an impact at this speed [m/s]; `None` if the bodies creep apart
    /// endlessly, or without a force.
    pub(crate) fn obtained(&self, speed: f64) -> Option<f64> {
        if self.is_power_law() && self.law.rule.depth_at_start() == 0.0 {
            return Some(obtained(self.law.damping.coefficient(speed) * speed));
        }
        self.impact(speed)?.restitution
    }

    /// Returns true if the normal force is K delta^n (1 + d delta_dot).
    pub(crate) fn is_power_law(&self) -> bool {
        let normal = &self.law.normal;
        matches!(normal, NormalLaw::Power(_) | NormalLaw::Inferred { .. })
    }

    /// Impact at this speed [m/s]; `None` without a force.
    pub(crate) fn impact(&self, speed: f64) -> Option<bounce::Impact> {
        bounce::impact(&self.law, self.mass, speed)
    }

    /// Depth under the weight [m]; `None` without weight or force, and over an area that is not known.
    pub(crate) fn rest_depth(&self) -> Option<f64> {
        if let Some(AreaFacts { flat: None, .. }) = self.area {
            let pressed = self.pressed().filter(|pressed| !pressed.is_least);
            return pressed.map(|pressed| pressed.depth);
        }
        let depth = self.law.depth_under_force(self.load());
        depth.filter(|_| self.load() > 0.0)
    }

    /// Weight, over an area its component normal to the faces [N].
    pub(crate) fn load(&self) -> f64 {
        let flat = self.area.as_ref().and_then(|area| area.flat.as_ref());
        let else_load = self.pressed().map_or(self.weight, |pressed| pressed.load);
        flat.map_or(else_load, |flat| flat.load)
    }

    fn pressed(&self) -> Option<&Pressed> {
        self.area.as_ref()?.pressed.as_ref()
    }

    /// Penetration [m] for a depth in the force [m].
    pub(crate) fn penetration(&self, depth: f64) -> f64 {
        -self.law.rule.gap(depth)
    }

    /// Friction force over normal force [1] at a slip speed [m/s]; for sticking friction in steady sliding.
    pub(crate) fn friction(&self, speed: f64) -> f64 {
        let slip = Vec3::new(speed, 0.0, 0.0);
        self.law.friction.force(&slip, 1.0).norm()
    }

    /// Slip speed [m/s] of the largest friction, for a law that rises from zero.
    pub(crate) fn peak_speed(&self) -> f64 {
        match &self.law.friction {
            FrictionLaw::Regularized { v_small, .. } => *v_small,
            // Static friction may be set below that of sliding: then it rises up to there.
            FrictionLaw::Coulomb {
                coefficients: [mu_s, mu_d],
                speeds: [v_s, v_d],
                ..
            } => {
                if mu_s < mu_d {
                    *v_d
                } else {
                    *v_s
                }
            }
            FrictionLaw::CoulombDynamic { speed, .. } => *speed,
            _ => 0.0,
        }
    }

    /// Slip speed [m/s] above which friction is sliding friction.
    pub(crate) fn sliding_speed(&self) -> f64 {
        match &self.law.friction {
            FrictionLaw::Regularized { v_small, .. } => *v_small,
            FrictionLaw::Coulomb { speeds, .. } => speeds[1],
            FrictionLaw::CoulombDynamic { speed, .. } => *speed,
            FrictionLaw::Stick(law) => law.speeds[1],
            _ => 0.0,
        }
    }

    /// Creep speed [m/s] of a body under a tangential load, given over the normal force; `None` if friction
    /// does not balance it.
    pub(crate) fn creep_speed(&self, load: f64) -> Option<f64> {
        let (mut low, mut high) = (0.0, self.peak_speed());
        if self.friction(high) <= load {
            return None;
        }
        while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if self.friction(middle) < load {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(high)
    }
}

fn meeting(scene: &Scene, model: &Model, pair: &Pair) -> Meeting {
    let bodies = model.bodies_of(pair);
    let free = bodies
        .into_iter()
        .filter(|b| scene.bodies()[*b].mass.mass > 0.0);
    let weights = free.map(|b| scale::weight(model, b));
    let radii = pair.shapes.map(|s| scene.shapes()[s].contact_sphere_radius);
    let name = pair_name(scene, pair.shapes);
    let area = AreaFacts::of(model, pair, name.clone());
    let flat = area.as_ref().and_then(|area| area.flat.as_ref());
    let law = model.law_of(pair);
    Meeting {
        law: match flat {
            Some(flat) => law.over_faces(flat.area),
            None => law,
        },
        pair: name,
        area,
        mass: model.effective_mass(bodies),
        weight: weights.fold(f64::INFINITY, f64::min),
        radius: radii[0].min(radii[1]),
    }
}

fn pair_name(scene: &Scene, [a, b]: [ShapeId; 2]) -> String {
    let index = scene.pairs().index_of(a, b);
    index.map_or(String::new(), |index| scene.pair_name(index))
}

fn name_of(scene: &Scene, materials: [MaterialId; 2], between: Option<&[ShapeName; 2]>) -> String {
    let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
    match between {
        None => format!("{a}-{b}"),
        Some([c, d]) => format!("{a}-{b} at {}:{}", shape(c), shape(d)),
    }
}

fn shape(name: &ShapeName) -> String {
    match &name.shape {
        None => name.body.clone(),
        Some(shape) => format!("{}.{shape}", name.body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;

    fn laws_of(text: &str) -> Laws {
        let scene = scene_file::parse(text, "scene.toml").unwrap().scene;
        Laws::of(&scene, &Arc::default()).unwrap()
    }

    fn near(value: f64, expected: f64) {
        assert!(
            (value / expected - 1.0).abs() < 1e-12,
            "{value:e} is not {expected:e}"
        );
    }

    /// Three balls of wood with 0.1, 1 and 5 kg over a half-space of wood.
    const BALLS: &str = "format = 1\nname = \"balls\"\nworld.gravity = [0, 0, -10]\n\
        experiment.stop_time = 1\n\
        [[body]]\nname = \"floor\"\nmotion = \"fixed\"\n\
        shape = [{ half_space = {}, material = \"DryWood\" }]\n\
        [[body]]\nname = \"a\"\nmotion = \"free\"\nposition = [0, 0, 1]\nmass = 1\n\
        shape = [{ sphere.radius = 0.1, material = \"DryWood\" }]\n\
        [[body]]\nname = \"b\"\nmotion = \"free\"\nposition = [1, 0, 1]\nmass = 0.1\n\
        shape = [{ sphere.radius = 0.1, material = \"DryWood\" }]\n\
        [[body]]\nname = \"c\"\nmotion = \"free\"\nposition = [2, 0, 1]\nmass = 5\n\
        shape = [{ sphere.radius = 0.1, material = \"DryWood\" }]\n";

    #[test]
    fn a_law_is_shown_where_a_body_sinks_in_least() {
        let laws = laws_of(BALLS);
        assert_eq!(laws.list.len(), 1);
        let meeting = laws.list[LawId::FIRST].meeting.as_ref().unwrap();
        // On the floor 0.1 kg meet a radius of 0.1 m; of a and b 1/11 kg meet one
        // of 0.05 m, of b and c 5/51 kg; at one speed the depth goes with (m/sqrt(R))^(2/5), least
        // on the floor.
        assert_eq!(meeting.pair, "floor:b");
        near(meeting.mass, 0.1);
        near(meeting.weight, 1.0);
        near(meeting.radius, 0.1);
        // c_res = E/(2 (1 - nu^2)) of equal materials, k = 4/3 c_res sqrt(R).
        let k = 4.0 / 3.0 * 1.1e10 / (2.0 * 0.84) * 0.1_f64.sqrt();
        near(meeting.rest_depth().unwrap(), (1.0 / k).powf(2.0 / 3.0));
        assert_eq!(laws.demand.as_ref().unwrap().1, "b");
    }

    #[test]
    fn creep_balances_the_load_and_a_steep_slope_is_not_held() {
        let laws = laws_of(BALLS);
        let meeting = laws.list[LawId::FIRST].meeting.as_ref().unwrap();
        // mu v/reg(v) = tan 10 deg with mu = 0.3 and v_small = 0.01 m/s: r/(r^2 (1 - r/3) + 1/3) = c
        // with r = v/v_small; the root of c r^3/3 - c r^2 + r - c/3 = 0 by Newton.
        let c = 10f64.to_radians().tan() / 0.3;
        let mut r: f64 = 0.2;
        for _ in 0..20 {
            let value = c * r * r * r / 3.0 - c * r * r + r - c / 3.0;
            r -= value / (c * r * r - 2.0 * c * r + 1.0);
        }
        near(
            meeting.creep_speed(10f64.to_radians().tan()).unwrap(),
            0.01 * r,
        );
        assert_eq!(meeting.creep_speed(0.3), None);
        assert_eq!(meeting.creep_speed(0.31), None);
    }

    #[test]
    fn names_of_legends_tell_long_materials_apart() {
        let mut facts = laws_of(BALLS).list.remove(LawId::FIRST);
        for (name, short) in [
            ("Steel-Steel", "Steel-Steel"),
            (
                "BilliardTable-BilliardBall",
                "Bil\u{2026}able-Bil\u{2026}Ball",
            ),
            ("BilliardBall-BilliardBall at table:ball", "table:ball"),
        ] {
            facts.name = name.to_owned();
            assert_eq!(facts.short_name(), short);
        }
    }
}
