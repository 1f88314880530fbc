//! Tangential stiffness and damping of friction that sticks: where they are not given they follow
//! from the normal stiffness and the masses, so each pair of bodies has its own. Over an area a
//! stiffness that is not given is one per area that touches.

use super::{Report, short};
use crate::scene_file::LoadedScene;
use contact_laws::index::{LawId, TiVec, ti_vec};
use contact_laws::response::Number;
use contact_model::dynamics::start;
use contact_model::scene::{Pair, Parameters, Scene, UserFunctions};
use std::sync::Arc;

/// Tangential numbers of the laws of a scene.
pub struct Tangential {
    /// By law: the least and the largest k_t [N/m] and c [N.s/m] of its pairs.
    ranges: TiVec<LawId, Option<[[f64; 2]; 2]>>,
    /// By law: the least and the largest k_t over the area [N/m3] of those that touch over one.
    per_area: TiVec<LawId, Option<[f64; 2]>>,
}

impl Tangential {
    /// Those of a scene with its start values.
    pub fn of(scene: &Scene) -> Self {
        let mut ranges: TiVec<LawId, _> = ti_vec![None; scene.laws().len()];
        let mut per_area: TiVec<LawId, _> = ti_vec![None; scene.laws().len()];
        let scene = Arc::new(scene.clone());
        // What cannot be bound is refused elsewhere; functions of the user have no part in this.
        let functions = UserFunctions::not_loaded(&scene);
        let bound = start::bind(&scene, &Parameters::start(&scene), &functions).ok();
        let classes = bound.iter().map(|model| (model, model.pair_classes()));
        let firsts = classes.flat_map(|(model, classes)| {
            let firsts: Vec<Pair> = classes.iter().map(|class| class.first()).collect();
            firsts.into_iter().map(move |pair| (model, pair))
        });
        for (model, pair) in firsts {
            let law = model.law_of(&pair);
            let Some(stick) = law.friction.stick() else {
                continue;
            };
            if let (Some(k), Some(normal)) = (law.stiffness_per_area(), stick.follows) {
                let value: f64 = k * stick.stiffness / normal;
                let range: &mut [f64; 2] = per_area[scene.law_of(&pair)].get_or_insert([value; 2]);
                *range = [range[0].min(value), range[1].max(value)];
                continue;
            }
            let values = [stick.stiffness, stick.damping];
            let range = ranges[scene.law_of(&pair)].get_or_insert(values.map(|value| [value; 2]));
            for ([least, largest], value) in range.iter_mut().zip(values) {
                *least = least.min(value);
                *largest = largest.max(value);
            }
        }
        Tangential { ranges, per_area }
    }

    /// The line on a law, where its friction sticks.
    pub fn report(&self, out: &mut Report, loaded: &LoadedScene, law: LawId) {
        let choice = &loaded.scene.laws()[law].choice;
        if let Some(stiffness) = self.per_area[law] {
            let damping = match choice.number(Number::TangentialDamping) {
                given if given > 0.0 => format!("{} N.s/m, given", short(given)),
                _ => "sqrt(k_t m)".to_owned(),
            };
            out.line(format!(
                "    sticks over an area with k_t = {} N/m^3 x what touches, 2 (1 - nu)/(2 - nu) of the normal \
                 stiffness; c = {damping}",
                range(stiffness),
            ));
        }
        let Some([stiffness, damping]) = self.ranges[law] else {
            return;
        };
        let origin = |number, formula: &'static str| match choice.number(number) > 0.0 {
            true => "given",
            false => formula,
        };
        let stiffness_origin = origin(
            Number::TangentialStiffness,
            "2 (1 - nu)/(2 - nu) of the normal stiffness under m g",
        );
        let damping_origin = origin(Number::TangentialDamping, "sqrt(k_t m)");
        out.line(format!(
            "    sticks with k_t = {} N/m, {stiffness_origin}; c = {} N.s/m, {damping_origin}",
            range(stiffness),
            range(damping)
        ));
    }
}

fn range([least, largest]: [f64; 2]) -> String {
    match least == largest {
        true => short(least),
        false => format!("{} to {}", short(least), short(largest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;

    /// The line on balls of 1 kg and 4 kg over a floor, with keys of their pair.
    fn line(keys: &str) -> String {
        of_law("law = \"spring\"\nstiffness = 8.5e5", "\"none\"", keys)
    }

    fn of_law(law: &str, gravity: &str, keys: &str) -> String {
        let ball = |name: &str, x: f64, mass: f64| {
            format!(
                "[[body]]\nname = \"{name}\"\nmotion = \"free\"\nposition = [{x}, 0, 1]\nmass = {mass}\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
            )
        };
        let text = format!(
            "format = 1\nname = \"s\"\nworld.gravity = {gravity}\nexperiment.stop_time = 1\n\
             contact.friction = \"stick\"\ncontact.exclude = [\"one:two\"]\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\n{law}\nrestitution = 0.5\n\
             sliding_friction = 0.1\n{keys}\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\nshape = [{{ half_space = {{}}, material = \"Steel\" }}]\n\
             {}{}",
            ball("one", 0.0, 1.0),
            ball("two", 1.0, 4.0)
        );
        let loaded = scene_file::parse(&text, "scene.toml").unwrap();
        let mut out = Report::default();
        Tangential::of(&loaded.scene).report(&mut out, &loaded, 0.into());
        out.0
    }

    #[test]
    fn stiffness_and_damping_are_shown_with_where_they_come_from() {
        // 8.5e5 x 1.4/1.7 = 7e5 N/m; its root is 836.66, and twice that for 4 kg.
        assert_eq!(
            line(""),
            "    sticks with k_t = 700000 N/m, 2 (1 - nu)/(2 - nu) of the normal stiffness under m g; \
             c = 836.66 to 1673.32 N.s/m, sqrt(k_t m)\n"
        );
        assert_eq!(
            line("tangential_stiffness = \"9 kN/m\"\ntangential_damping = 8"),
            "    sticks with k_t = 9000 N/m, given; c = 8 N.s/m, given\n"
        );
    }

    /// Hertz: depth goes with the weight to 2/3, and the stiffness with it to 1/3.
    #[test]
    fn stiffness_is_that_under_the_gravity_of_the_scene() {
        let least = |gravity: &str| {
            let line = of_law("law = \"hertz\"", gravity, "");
            let number = line
                .split("k_t = ")
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap();
            number.parse::<f64>().unwrap()
        };
        let moon = least("[0, -1.62, 0]") / least("[0, 0, -9.81]");
        assert!(
            (moon / (1.62_f64 / 9.81).cbrt() - 1.0).abs() < 1e-5,
            "{moon}"
        );
        assert_eq!(least("\"none\""), least("[0, 0, -9.81]"));
    }
}
