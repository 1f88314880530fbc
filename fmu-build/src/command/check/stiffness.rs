//! Where the stiffness of a law comes from: the formula, with its numbers.
//!
//! - moduli: K = 4/3 c sqrt(R) with 1/c = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2
//! - elastic layers: k = k_1 k_2/(k_1 + k_2) with k_i = E_i (1 - nu_i)/((1 + nu_i)(1 - 2 nu_i))/h_i
//! - over an area the same of layers that are given, k_i = E_i/h of those that are not
//! - a stiffness that is given
//! - a wanted penetration: K = F/depth^n, or K = (n + 1) m v^2/(2 depth^(n+1)), or k = p/depth^n

use super::short;
use crate::command::laws::area::{AreaFacts, Layer};
use crate::command::laws::touching::Ways;
use crate::scene_file::LoadedScene;
use contact_laws::index::LawId;
use contact_laws::response::options::{GeometryFactor, NormalKind};
use contact_laws::response::penetration::{Load, Penetration};
use contact_laws::response::{LawChanges, LawChoice, Number, hertz};
use contact_model::scene::ContactLaw;
use contact_model::scene::Scene;
use contact_model::scene::description::PairResponse;

/// How the stiffness of a law of the scene was computed whose pairs touch in these ways; none for a
/// law without force, and of Hertz for one without pairs.
pub fn origin(loaded: &LoadedScene, law: LawId, ways: Ways) -> Option<String> {
    let law = &loaded.scene.laws()[law];
    let text = match law.choice.kinds.normal {
        NormalKind::Hertz if !ways.point => {
            let below = "all its pairs touch over an area, see below";
            return ways.area.then(|| below.to_owned());
        }
        NormalKind::Hertz if ways.area => format!(
            "{} in a point; over an area see below",
            from_moduli(&loaded.scene, law)
        ),
        NormalKind::Hertz => from_moduli(&loaded.scene, law),
        NormalKind::Volume => from_layers(loaded, law),
        _ if law.choice.kinds.uses(Number::Stiffness) => from_numbers(loaded, law),
        _ => return None,
    };
    let k_red = loaded.scene.contact().k_red;
    Some(match k_red == 1.0 {
        true => text,
        false => format!("{text}; multiplied by k_red = {}", short(k_red)),
    })
}

/// The same of a pair that touches over an area, with its number.
pub fn over_area(loaded: &LoadedScene, facts: &AreaFacts) -> String {
    let law = &loaded.scene.laws()[facts.law];
    let k_red = loaded.scene.contact().k_red;
    let text = match &facts.layers {
        None => {
            let origin = per_area(loaded, law, law.choice.number(Number::StiffnessPerArea));
            origin.replace("stiffness per area", "k =")
        }
        Some(layers) => {
            let [one, two] = layers.each_ref().map(layer_in_numbers);
            let default = match layers.iter().all(|layer| layer.is_given) {
                true => "",
                false => "; without a layer_depth E/h, h half of the smaller thickness",
            };
            let k = short(facts.stiffness / k_red);
            format!("k = {k} N/m^3 = k_1 k_2/(k_1 + k_2), k_1 = {one}, k_2 = {two}{default}")
        }
    };
    match k_red {
        1.0 => text,
        k_red => {
            let product = short(facts.stiffness);
            format!("{text}; times k_red = {}: {product} N/m^3", short(k_red))
        }
    }
}

/// `2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m) of Steel`, or `2e11 Pa/(0.05 m) of Steel`.
fn layer_in_numbers(layer: &Layer) -> String {
    let [e, nu, h] = [layer.youngs_modulus, layer.poissons_ratio, layer.depth].map(short);
    let name = &layer.name;
    match layer.is_given {
        true => format!("{e} Pa (1 - {nu})/((1 + {nu})(1 - 2 x {nu}))/({h} m) of {name}"),
        false => format!("{e} Pa/({h} m) of {name}"),
    }
}

fn from_moduli(scene: &Scene, law: &ContactLaw) -> String {
    let materials = law.materials.map(|m| &scene.materials()[m]);
    let c = hertz::modulus(
        materials.map(|m| m.youngs_modulus),
        materials.map(|m| m.poissons_ratio),
    );
    let [one, two] = materials.map(|m| {
        format!(
            "(1 - {}^2)/({} Pa)",
            short(m.poissons_ratio),
            short(m.youngs_modulus)
        )
    });
    let stiffness = match law.choice.kinds.geometry_factor {
        GeometryFactor::ContactSphere => "4/3 c sqrt(R)",
        GeometryFactor::Document => "4/3 c sqrt(R), or c where no shape is a sphere",
    };
    format!(
        "stiffness {stiffness}; c = 1/({one} + {two}) = {} Pa",
        short(c)
    )
}

fn from_layers(loaded: &LoadedScene, law: &ContactLaw) -> String {
    let scene = &loaded.scene;
    let given_k = law.choice.number(Number::StiffnessPerArea);
    if given_k > 0.0 {
        return per_area(loaded, law, given_k);
    }
    let depths = [Number::LayerDepth1, Number::LayerDepth2].map(|n| law.choice.number(n));
    if depths.contains(&0.0) {
        return "layers k_i = E_i/h, h half of the smaller thickness of the two shapes".to_owned();
    }
    let layer = |i: usize| {
        let material = &scene.materials()[law.materials[i]];
        let (e, nu, h) = (material.youngs_modulus, material.poissons_ratio, depths[i]);
        let k = e * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) / h;
        let [e, nu, h] = [e, nu, h].map(short);
        let text = format!("{e} Pa (1 - {nu})/((1 + {nu})(1 - 2 x {nu}))/({h} m)");
        (k, text)
    };
    let [(k_1, one), (k_2, two)] = [layer(0), layer(1)];
    let n = law.choice.number(Number::Exponent);
    format!(
        "layers k = k_1 k_2/(k_1 + k_2) = {} {}; k_1 = {one}, k_2 = {two}",
        short(k_1 * k_2 / (k_1 + k_2)),
        unit(n + 2.0)
    )
}

/// A stiffness per area that is given, or that follows from a wanted penetration.
fn per_area(loaded: &LoadedScene, law: &ContactLaw, k: f64) -> String {
    let n = exponent(&law.choice);
    let value = format!("{} {}", short(k), unit(n + 2.0));
    match given(loaded, law).and_then(|changes| changes.penetration.as_ref()) {
        Some(wanted) if wanted.number() == Number::StiffnessPerArea => {
            format!("stiffness per area {} = {value}", formula(wanted, n))
        }
        _ => format!("stiffness per area {value}, given"),
    }
}

fn from_numbers(loaded: &LoadedScene, law: &ContactLaw) -> String {
    let exponent = exponent(&law.choice);
    let stiffness = law.choice.number(Number::Stiffness);
    let value = format!("{} {}", short(stiffness), unit(exponent));
    match given(loaded, law) {
        Some(LawChanges {
            penetration: Some(wanted),
            ..
        }) if wanted.number() == Number::Stiffness => {
            format!("stiffness {} = {value}", formula(wanted, exponent))
        }
        Some(_) => format!("stiffness {value}, given"),
        None => format!("stiffness {value}, the mean of those of the self pairs"),
    }
}

/// The changes that say how stiff a law is: of its named pair, or of its materials.
fn given<'l>(loaded: &'l LoadedScene, law: &ContactLaw) -> Option<&'l LawChanges> {
    let says = |changes: &&LawChanges| {
        let keys = [Number::Stiffness, Number::StiffnessPerArea];
        changes.penetration.is_some() || keys.iter().any(|key| changes.number(*key).is_some())
    };
    let changes = |response: &'l PairResponse| match response {
        PairResponse::Law(changes) => Some(changes),
        PairResponse::None => None,
    };
    let description = &loaded.description;
    let own = description.pairs.iter().filter_map(|pair| {
        let is_own = law.between.as_ref() == Some(&pair.between);
        changes(pair.response.as_ref()?).filter(|_| is_own)
    });
    let names = law.materials.map(|m| &loaded.scene.materials()[m].name);
    let of_materials = description.material_pairs.iter().filter_map(|pair| {
        let [one, two] = &pair.materials;
        let is_theirs = names == [one, two] || names == [two, one];
        changes(&pair.response).filter(|_| is_theirs)
    });
    own.chain(of_materials).find(says)
}

/// `F/depth^n = (500 N)/(0.0001 m)^1.5`.
fn formula(wanted: &Penetration, n: f64) -> String {
    let depth = short(wanted.depth);
    match wanted.load {
        Load::Force { force } => {
            format!("F/depth^n = {} N/({depth} m)^{}", short(force), short(n))
        }
        Load::Impact { mass, speed } => format!(
            "(n + 1) m v^2/(2 depth^(n+1)) = {} x {} kg x ({} m/s)^2/(2 ({depth} m)^{})",
            short(n + 1.0),
            short(mass),
            short(speed),
            short(n + 1.0)
        ),
        Load::Pressure { pressure } => {
            let pressure = short(pressure);
            format!("p/depth^n = {pressure} Pa/({depth} m)^{}", short(n))
        }
    }
}

fn exponent(choice: &LawChoice) -> f64 {
    match choice.kinds.uses(Number::Exponent) {
        true => choice.number(Number::Exponent),
        false => choice.kinds.default_exponent(),
    }
}

fn unit(exponent: f64) -> String {
    match exponent {
        1.0 => "N/m".to_owned(),
        _ => format!("N/m^{}", short(exponent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;

    /// What is said of a ball of steel on rubber, with keys of their pair.
    fn of(pair: &str) -> String {
        let text = format!(
            "format = 1\nname = \"s\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             [[material]]\nname = \"Soft\"\ndensity = 1000\nyoungs_modulus = 1e7\npoissons_ratio = 0.25\n\
             [[material_pair]]\nmaterials = [\"Soft\", \"Steel\"]\nrestitution = 0.5\nsliding_friction = 0.1\n{pair}\n\
             [[body]]\nname = \"floor\"\nmotion = \"fixed\"\nshape = [{{ half_space = {{}}, material = \"Soft\" }}]\n\
             [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 1]\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        );
        let loaded = scene_file::parse(&text, "scene.toml").unwrap();
        let in_a_point = Ways {
            area: false,
            point: true,
        };
        origin(&loaded, 0.into(), in_a_point).unwrap_or_default()
    }

    #[test]
    fn the_stiffness_is_shown_with_its_formula_and_its_numbers() {
        // 1/c = 0.9375e-7 + 0.455e-11 per Pa.
        assert_eq!(
            of(""),
            "stiffness 4/3 c sqrt(R); c = 1/((1 - 0.25^2)/(1e7 Pa) + (1 - 0.3^2)/(2e11 Pa)) = 1.06661e7 Pa"
        );
        assert_eq!(
            of("law = \"spring\"\nstiffness = \"200 N/mm\""),
            "stiffness 200000 N/m, given"
        );
        assert_eq!(
            of(
                "law = \"spring\"\nexponent = 1.5\npenetration = { depth = \"0.1 mm\", force = 500 }"
            ),
            "stiffness F/depth^n = 500 N/(1e-4 m)^1.5 = 5e8 N/m^1.5"
        );
        assert_eq!(
            of("law = \"spring\"\npenetration = { depth = 0.001, mass = 2, speed = 3 }"),
            "stiffness (n + 1) m v^2/(2 depth^(n+1)) = 2 x 2 kg x (3 m/s)^2/(2 (0.001 m)^2) = 1.8e7 N/m"
        );
        // 1e7 x 0.75/(1.25 x 0.5)/0.002 = 6e9, 2e11 x 0.7/(1.3 x 0.4)/0.002 = 1.346154e14.
        assert_eq!(
            of("law = \"volume\"\nlayer_depth = \"2 mm\""),
            "layers k = k_1 k_2/(k_1 + k_2) = 5.99973e9 N/m^3; k_1 = 1e7 Pa (1 - 0.25)/((1 + 0.25)(1 - 2 x 0.25))/(0.002 m), \
             k_2 = 2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m)"
        );
    }
}
