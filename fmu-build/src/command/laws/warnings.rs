//! Warnings about the contact laws of a scene. Each kind of warning is given for a few laws, and the others
//! are counted.

use super::area::{AreaFacts, Pressed};
use super::{LawFacts, Laws, Meeting};
use crate::scene_file::LoadedScene;
use contact_laws::response::Number;
use contact_laws::response::choice::{ContactRule, Damping, DepthRule};
use contact_laws::response::normal::NormalLaw;
use contact_laws::response::restitution::obtained;
use contact_model::scene::Scene;
use fmu_view::number::rounded;

/// Default impact speed at which laws are judged [m/s].
pub(crate) const USUAL_SPEED: f64 = 1.0;
/// Maximum number of laws named by a kind of warning.
const NAMED: usize = 3;
/// Difference between desired and resulting restitution that causes a warning [1].
const RESTITUTION_ERROR: f64 = 0.025;
/// Rest depth over the half-width of the hysteresis below which a body with the depth rule `Whole` never
/// rests [1].
const LEAST_REST_DEPTH: f64 = 5.0;
/// Rest depth over the smaller contact sphere radius from which on shapes pass through each other [1].
const DEEP: f64 = 0.1;
/// Depth of a face over the inradius of the thinner body from which on its pressure is no longer valid [1]:
/// the field ends at the middle.
const DEEP_OVER_AREA: f64 = 0.25;
/// Rest depth [m] that no solver resolves: a relative tolerance of 1e-10 on a position of 1 m is a tenth of
/// it.
const UNRESOLVED: f64 = 1e-9;
/// Largest `k_red` [1] that Modia3D allows.
const LARGEST_K_RED: f64 = 1.1;
/// `k_red` [1] as printed in the text of Modia3D.
const MISPRINTED_K_RED: f64 = 1e4;

/// Ratio of static to sliding friction that is probably a mistake [1].
const STATIC_PER_SLIDING: f64 = 3.0;

/// Adds the warnings about the laws of a scene, judged at these impact speeds [m/s].
pub(crate) fn add(loaded: &mut LoadedScene, laws: &Laws, speeds: &[f64]) {
    let messages = warnings(&loaded.scene, laws, speeds);
    loaded.warn(messages);
}

/// Warning texts, without prefix.
pub(crate) fn warnings(scene: &Scene, laws: &Laws, speeds: &[f64]) -> Vec<String> {
    let mut out = Vec::new();
    let bounded = |out: &mut Vec<String>, texts| bounded(out, texts, "laws");
    out.extend(stiffness_factor(scene.contact().k_red));
    bounded(
        &mut out,
        laws.list.iter().filter_map(far_frictions).collect(),
    );
    let met = |of: &dyn Fn(&str, &Meeting) -> Option<String>| -> Vec<String> {
        let met = laws.list.iter();
        let met = met.filter_map(|facts| of(&facts.name, facts.meeting.as_ref()?));
        met.collect()
    };
    bounded(&mut out, met(&never_rests));
    bounded(&mut out, met(&passes_through));
    let over_area = laws.areas.iter();
    let deep = over_area.filter_map(|facts| nears_the_middle(facts, speeds));
    self::bounded(&mut out, deep.collect(), "kinds of pairs");
    bounded(&mut out, met(&sinks_too_little));
    let asking = |of: &dyn Fn(&LawFacts, &Meeting) -> Option<String>| -> Vec<String> {
        let asking = laws.list.iter().filter(|facts| facts.asks_restitution());
        let texts = asking.filter_map(|facts| of(facts, facts.meeting.as_ref()?));
        texts.collect()
    };
    for speed in speeds {
        bounded(
            &mut out,
            asking(&|facts, m| hindered(&facts.name, m, *speed)),
        );
    }
    // What a formula gives does not depend on the speed; where restitution is regularized, the
    // asked one does, and the fastest impact shows it best.
    if let Some(speed) = speeds.iter().copied().reduce(f64::max) {
        bounded(&mut out, asking(&|facts, m| approximate(facts, m, speed)));
    }
    out
}

/// Takes the first few of a kind and counts the rest.
fn bounded(out: &mut Vec<String>, texts: Vec<String>, word: &str) {
    let count = texts.len();
    out.extend(texts.into_iter().take(NAMED));
    if count > NAMED {
        out.push(format!("and the same of {} more {word}", count - NAMED));
    }
}

fn stiffness_factor(k_red: f64) -> Option<String> {
    let text = if k_red == MISPRINTED_K_RED {
        "the documentation of Modia3D names 1e4 as a value that softens, a sign error of the exponent; for \
         softer contacts write k_red = 1e-4"
    } else if k_red > LARGEST_K_RED {
        "a value below 1 softens them; Modia3D 0.12 allows 0 to 1.1"
    } else {
        return None;
    };
    Some(format!(
        "k_red = {k} makes all contacts {k} times as stiff, for it multiplies the normal force; {text}",
        k = rounded(k_red, 6)
    ))
}

fn far_frictions(facts: &LawFacts) -> Option<String> {
    let choice = &facts.choice;
    let [of_rest, sliding] =
        [Number::StaticFriction, Number::SlidingFriction].map(|number| choice.number(number));
    let is_far = of_rest < sliding || of_rest > STATIC_PER_SLIDING * sliding;
    (choice.kinds.uses(Number::StaticFriction) && is_far).then(|| {
        format!(
            "{}: static_friction {} does not fit sliding_friction {}: it is usually 1 to {STATIC_PER_SLIDING} times as \
             large. Leave static_friction out to have both alike, or change one of them",
            facts.name,
            rounded(of_rest, 6),
            rounded(sliding, 6),
        )
    })
}

/// With the depth rule `Whole` the force is off on the way in until 2 z_eps and on all the way out.
fn never_rests(name: &str, meeting: &Meeting) -> Option<String> {
    let ContactRule::Hysteresis {
        z_eps,
        depth: DepthRule::Whole,
    } = meeting.law.rule
    else {
        return None;
    };
    let depth = meeting.rest_depth()?;
    (depth < LEAST_REST_DEPTH * z_eps).then(|| {
        format!(
            "{name}: the rest depth of {} is {} m, less than 5 z_eps = {} m. As preset modia3d-document has it, its force \
             is off on the way in until 2 z_eps and on all the way out, so every contact adds energy, and a body \
             this light may never rest: its contacts start and end without end, in ever shorter steps. Write preset = \
             \"default\", or a smaller z_eps or k_red",
            meeting.pair,
            rounded(depth, 3),
            rounded(LEAST_REST_DEPTH * z_eps, 3),
        )
    })
}

/// For point contact; over an area [`nears_the_middle`].
fn passes_through(name: &str, meeting: &Meeting) -> Option<String> {
    let depth = meeting.rest_depth().filter(|_| meeting.area.is_none())?;
    (depth > DEEP * meeting.radius).then(|| {
        format!(
            "{name}: the rest depth of {} is {} m under a weight of {} N, {} % of the smaller contact radius of {} m; the \
             shapes pass through each other. Make the contact stiffer",
            meeting.pair,
            rounded(depth, 3),
            rounded(meeting.weight, 3),
            rounded(100.0 * depth / meeting.radius, 3),
            rounded(meeting.radius, 3),
        )
    })
}

/// At rest, or in an impact in which no more than the faces touches.
fn nears_the_middle(facts: &AreaFacts, speeds: &[f64]) -> Option<String> {
    let (thinner, inradius) = &facts.thinner;
    let limit = DEEP_OVER_AREA * inradius;
    let (flat, pressed) = (facts.flat.as_ref(), facts.pressed.as_ref());
    let on_faces = flat.and_then(|flat| Some((&flat.body, flat.rest_depth()?, flat.load)));
    let rest = on_faces.or(pressed.map(|rest| (&rest.body, rest.depth, rest.load)));
    let at_rest = rest.map(|(body, depth, load)| {
        let load = rounded(load, 3);
        (body, depth, format!("at rest under {load} N"))
    });
    let impacts = speeds.iter().filter_map(|speed| {
        let flat = flat.filter(|flat| flat.impact_depth(*speed) <= flat.holds_to)?;
        let text = format!("in an impact of the faces at {} m/s", rounded(*speed, 4));
        Some((&flat.body, flat.impact_depth(*speed), text))
    });
    let mut all = at_rest.into_iter().chain(impacts);
    let (body, depth, when) = all.find(|(_, depth, _)| *depth > limit)?;
    let least = pressed.map_or("", Pressed::least);
    Some(format!(
        "{}: {body} is {least}{} m deep {when}, beyond a quarter of the inradius of {thinner}, {} m; over an area pressure \
         grows only down to the middle of a body. Make the contact stiffer",
        facts.pair,
        rounded(depth, 3),
        rounded(*inradius, 3)
    ))
}

fn sinks_too_little(name: &str, meeting: &Meeting) -> Option<String> {
    let depth = meeting.rest_depth()?;
    (depth < UNRESOLVED).then(|| {
        format!(
            "{name}: the rest depth of {} is {} m, less than 1e-9 m, which no solver resolves. Make the contact softer, \
             with k_red for instance",
            meeting.pair,
            rounded(depth, 3),
        )
    })
}

/// Desired and resulting restitution, if they differ.
fn difference(name: &str, asked: f64, found: f64, speed: f64) -> Option<String> {
    ((found - asked).abs() > RESTITUTION_ERROR).then(|| {
        format!(
            "{name}: restitution {} is asked and {} obtained at {} m/s",
            rounded(asked, 3),
            rounded(found, 4),
            rounded(speed, 4)
        )
    })
}

fn is_capped(meeting: &Meeting, speed: f64) -> bool {
    let damping = &meeting.law.damping;
    let is_bounded = meeting.is_power_law() && damping.kind != Damping::Inferred;
    is_bounded && damping.coefficient(speed) >= damping.d_max
}

/// An impact too slow for the bound d_max, or for the transition speed of Poisson's law.
fn hindered(name: &str, meeting: &Meeting, speed: f64) -> Option<String> {
    let asked = meeting.asked(speed);
    let law = &meeting.law.damping;
    if let NormalLaw::Poisson { transition, .. } = meeting.law.normal {
        let start = difference(name, asked, meeting.obtained(speed)?, speed)?;
        return Some(format!(
            "{start}; the law poisson gives what is asked far above its transition speed of {} m/s only",
            rounded(transition, 4)
        ));
    }
    if !is_capped(meeting, speed) {
        return None;
    }
    let found = obtained(law.d_max * speed);
    let start = difference(name, asked, found, speed)?;
    let needed = law.kind.relative(asked);
    Some(format!(
        "{start}; it needs a damping of {} s/m, and d_max = {} s/m allows it from {} m/s on",
        rounded(needed / speed, 4),
        rounded(law.d_max, 6),
        rounded(needed / law.d_max, 4)
    ))
}

/// A damping formula that does not reproduce the desired restitution.
fn approximate(facts: &LawFacts, meeting: &Meeting, speed: f64) -> Option<String> {
    let law = &meeting.law.damping;
    let is_exact = matches!(law.kind, Damping::Exact | Damping::Inferred);
    if !meeting.is_power_law() || is_exact || is_capped(meeting, speed) {
        return None;
    }
    let found = obtained(law.coefficient(speed) * speed);
    let start = difference(&facts.name, meeting.asked(speed), found, speed)?;
    Some(format!(
        "{start}; that is what damping = {:?} gives, damping = \"exact\" gives what is asked",
        facts.damping_word().unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file;

    /// A ball with a radius of 0.1 m on a plate, both of steel, k = 4/3 sqrt(R) E/(2 (1 - nu^2)).
    fn scene(mass: f64, contact: &str, pair: &str) -> String {
        format!(
            "format = 1\nname = \"fall\"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 1\n\
             [contact]\n{contact}\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\nsliding_friction = 0.3\n\
             rolling_resistance = 0\n{pair}\n\
             [[body]]\nname = \"plate\"\nmotion = \"fixed\"\n\
             shape = [{{ half_space = {{}}, material = \"Steel\" }}]\n\
             [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 1]\nmass = {mass}\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        )
    }

    fn stiffness() -> f64 {
        4.0 / 3.0 * 0.1_f64.sqrt() * 2e11 / (2.0 * 0.91)
    }

    fn warnings_of(text: &str, speeds: &[f64]) -> Vec<String> {
        let loaded = scene_file::parse(text, "scene.toml").unwrap();
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        warnings(&loaded.scene, &laws, speeds)
    }

    #[test]
    fn an_ordinary_scene_has_nothing_to_be_said() {
        let text = scene(33.5, "", "restitution = 0.7");
        assert_eq!(warnings_of(&text, &[USUAL_SPEED]), [""; 0]);
        for example in [
            include_str!("../../../../examples/bouncing_ball/scene.toml"),
            include_str!("../../../../examples/two_balls/scene.toml"),
        ] {
            assert_eq!(warnings_of(example, &[USUAL_SPEED]), [""; 0]);
        }
    }

    #[test]
    fn under_the_rule_of_the_document_a_light_body_is_warned_about_and_a_heavy_one_is_not() {
        let text = scene(1e-3, "preset = \"modia3d-document\"", "restitution = 1");
        let depth = (1e-3 * 9.81 / stiffness()).powf(2.0 / 3.0);
        assert_eq!(
            warnings_of(&text, &[USUAL_SPEED]),
            [format!(
                "Steel-Steel: the rest depth of plate:ball is {} m, less than 5 z_eps = 5e-8 m. As preset \
                 modia3d-document has it, its force is off on the way in until 2 z_eps and on all the way out, so \
                 every contact adds energy, and a body this light may never rest: its contacts start and end without \
                 end, in ever shorter steps. Write preset = \"default\", or a smaller z_eps or k_red",
                rounded(depth, 3)
            )]
        );
        // 5 z_eps under m g = k (5e-8)^1.5: 0.0528 kg.
        let limit = stiffness() * 5e-8_f64.powf(1.5) / 9.81;
        for (mass, count) in [(0.99 * limit, 1), (1.01 * limit, 0)] {
            let text = scene(mass, "preset = \"modia3d-document\"", "restitution = 1");
            assert_eq!(warnings_of(&text, &[USUAL_SPEED]).len(), count);
        }
        let default = scene(1e-3, "", "restitution = 1");
        assert_eq!(warnings_of(&default, &[USUAL_SPEED]), [""; 0]);
    }

    #[test]
    fn the_bound_of_the_damping_is_named_where_it_keeps_restitution_from_being_obtained() {
        // e = 0.01 needs u = d v0 = 100; with d = 1000 s/m that is from 0.1 m/s on. At 0.02 m/s
        // u = 20 obtains 1/20.
        let text = scene(33.5, "damping = \"exact\"", "restitution = 0.01");
        assert_eq!(
            warnings_of(&text, &[0.02, 0.11]),
            [
                "Steel-Steel: restitution 0.01 is asked and 0.05 obtained at 0.02 m/s; it needs a damping of 5000 s/m, \
              and d_max = 1000 s/m allows it from 0.1 m/s on"
            ]
        );
    }

    #[test]
    fn a_published_damping_is_named_with_what_it_gives() {
        let text = scene(33.5, "damping = \"flores\"", "restitution = 0.5");
        // u = 8 (1 - e)/(5 e) = 1.6 obtains 0.4704.
        assert_eq!(
            warnings_of(&text, &[0.5, 1.0]),
            [
                "Steel-Steel: restitution 0.5 is asked and 0.4704 obtained at 1 m/s; that is what damping = \"flores\" \
              gives, damping = \"exact\" gives what is asked"
            ]
        );
    }

    #[test]
    fn poissons_law_is_named_near_its_transition_speed() {
        let pair = "law = \"poisson\"\nstiffness = 1e6\nrestitution = 0.5\nrestitution_rule = \"constant\"\n\
                    transition_speed = 0.5";
        // v0/v_n = 2 gives 0.5506, 20 gives 0.5005.
        assert_eq!(
            warnings_of(&scene(2.0, "", pair), &[1.0, 10.0]),
            [
                "Steel-Steel: restitution 0.5 is asked and 0.5506 obtained at 1 m/s; the law poisson gives what is asked \
              far above its transition speed of 0.5 m/s only"
            ]
        );
    }

    #[test]
    fn contacts_too_soft_and_too_stiff_for_their_weight_are_named() {
        let spring = |k: &str| format!("law = \"spring\"\nrestitution = 0.7\nstiffness = {k}");
        // 2 kg sink in by m g/k.
        let soft = warnings_of(&scene(2.0, "", &spring("1000")), &[USUAL_SPEED]);
        assert_eq!(
            soft,
            [
                "Steel-Steel: the rest depth of plate:ball is 0.0196 m under a weight of 19.6 N, 19.6 % of the smaller \
              contact radius of 0.1 m; the shapes pass through each other. Make the contact stiffer"
            ]
        );
        let stiff = warnings_of(&scene(2.0, "", &spring("2e10")), &[USUAL_SPEED]);
        assert_eq!(
            stiff,
            [
                "Steel-Steel: the rest depth of plate:ball is 9.81e-10 m, less than 1e-9 m, which no solver resolves. Make \
              the contact softer, with k_red for instance"
            ]
        );
    }

    /// A crate of 0.2 m and 8 kg on the ground, k = 1e5 N/m3 over 0.04 m2.
    #[test]
    fn a_face_deeper_than_a_quarter_of_the_inradius_is_named() {
        let of = |stiffness: f64, speed: f64| {
            let pair = format!("restitution = 0.7\nstiffness_per_area = {stiffness}");
            let text = scene(8.0, "", &pair)
                .replace("sphere.radius = 0.1", "box.lengths = [0.2, 0.2, 0.2]");
            warnings_of(&text, &[speed])
        };
        // The limit is 0.025 m: m g/(k A) = 1.962e-3 m/(k/1e6), v root(m/(k A)) = 0.01414 m at 1 m/s.
        assert_eq!(of(1e6, 1.0), [""; 0]);
        let end = "beyond a quarter of the inradius of ball, 0.1 m; over an area pressure grows only down to the middle \
                   of a body. Make the contact stiffer";
        assert_eq!(
            of(1e6, 2.0),
            [format!(
                "plate:ball: ball is 0.0283 m deep in an impact of the faces at 2 m/s, {end}"
            )]
        );
        assert_eq!(
            of(7.5e4, 0.001),
            [format!(
                "plate:ball: ball is 0.0262 m deep at rest under 78.5 N, {end}"
            )]
        );
        assert_eq!(of(8e4, 0.001), [""; 0]);
        // All of a pyramid on its cut tip, k 0.2 m/3 (0.0444 m2) = 30 N, carries less than 78.5 N.
        let corners = [0.01, 0.1].map(|r: f64| {
            let z = if r < 0.1 { -0.1 } else { 0.1 };
            format!("[-{r}, -{r}, {z}], [{r}, -{r}, {z}], [{r}, {r}, {z}], [-{r}, {r}, {z}]")
        });
        let pyramid = format!("hull.points = [{}]", corners.join(", "));
        let text = scene(8.0, "", "restitution = 0.7\nstiffness_per_area = 1e4");
        assert_eq!(
            warnings_of(&text.replace("sphere.radius = 0.1", &pyramid), &[0.001]),
            [format!(
                "plate:ball: ball is at least 0.1 m deep at rest under 78.5 N, {end}"
            )]
        );
    }

    /// A ball with a radius of 0.1 m of facets of 2 degrees, in an OBJ file.
    fn ball_of_facets() -> String {
        let mut text = String::new();
        let angle = |i: u32| f64::from(2 * i).to_radians();
        for (row, column) in (0..=90).flat_map(|row| (0..180).map(move |column| (row, column))) {
            let ((s, c), (y, x)) = (angle(row).sin_cos(), angle(column).sin_cos());
            let s = if row == 90 { 0.0 } else { s };
            text += &format!("v {} {} {}\n", 0.1 * s * x, 0.1 * s * y, -0.1 * c);
        }
        for (i, j) in (0..90).flat_map(|i| (0..180).map(move |j| (i, j))) {
            let [a, b, c, d] = [[i, j], [i, j + 1], [i + 1, j + 1], [i + 1, j]]
                .map(|[row, column]| 1 + row * 180 + column % 180);
            text += &match i {
                0 => format!("f {a} {c} {d}\n"),
                89 => format!("f {a} {b} {c}\n"),
                _ => format!("f {a} {b} {c} {d}\n"),
            };
        }
        text
    }

    /// Part of a ball of radius r at depth d: pi d^2 (r - d/3), times k the force. The facets reach in by
    /// r (1 - cos 2 deg) at most.
    #[test]
    fn a_mesh_of_small_facets_is_pressed_until_its_patch_carries_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ball.obj"), ball_of_facets()).unwrap();
        let of = |stiffness: f64| {
            let pair = format!("restitution = 0.7\nstiffness_per_area = {stiffness}");
            let mesh = "mesh = { file = \"ball.obj\", unit = \"m\", contact = \"mesh\" }";
            // On a facet near the equator: those at a pole are slivers.
            let start =
                "position = [0, 0, 1]\nrotation = { axis = [1, 0.1, 0], angle = \"85 deg\" }";
            let text = scene(33.5, "", &pair).replace("sphere.radius = 0.1", mesh);
            let path = folder.path().join("scene.toml");
            std::fs::write(&path, text.replace("position = [0, 0, 1]", start)).unwrap();
            let loaded = scene_file::read(&path).unwrap_or_else(|problems| panic!("{problems}"));
            let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
            let pressed = laws.areas[0].pressed.clone().unwrap();
            (pressed, warnings(&loaded.scene, &laws, &[USUAL_SPEED]))
        };
        let load = 33.5 * 9.81;
        let inwards = 0.1 * (1.0 - 2_f64.to_radians().cos());
        for (stiffness, is_deep) in [(1e9, false), (1e8, true)] {
            let (pressed, warnings) = of(stiffness);
            assert!((pressed.load - load).abs() < 1e-9 * load);
            let force = |r: f64, d: f64| stiffness * std::f64::consts::PI * d * d * (r - d / 3.0);
            let least = force(0.1 - inwards, pressed.depth - inwards);
            let most = force(0.1, pressed.depth + inwards);
            assert!((least..most).contains(&load), "{load} in {least}..{most}");
            let deep = format!(
                "is {} m deep at rest under 329 N",
                rounded(pressed.depth, 3)
            );
            assert_eq!(
                warnings.iter().any(|w| w.contains(&deep)),
                is_deep,
                "{warnings:?}"
            );
            assert_eq!(warnings.len(), usize::from(is_deep), "{warnings:?}");
        }
    }

    #[test]
    fn a_factor_that_hardens_is_named_and_the_misprint_of_the_document() {
        let of = |k_red: &str| {
            let contact = format!("k_red = {k_red}");
            warnings_of(&scene(33.5, &contact, "restitution = 0.7"), &[USUAL_SPEED])
        };
        assert_eq!(of("1.1"), [""; 0]);
        assert_eq!(of("1e-4"), [""; 0]);
        assert_eq!(
            of("2"),
            [
                "k_red = 2 makes all contacts 2 times as stiff, for it multiplies the normal force; a value below 1 \
              softens them; Modia3D 0.12 allows 0 to 1.1"
            ]
        );
        let document = &of("1e4")[0];
        assert!(document.ends_with(
            "the documentation of Modia3D names 1e4 as a value that softens, a sign error of the exponent; for softer \
             contacts write k_red = 1e-4"
        ));
    }

    #[test]
    fn static_friction_far_from_sliding_friction_is_named() {
        let of = |of_rest: &str, sliding: &str, of_pair: &str| {
            let pair = format!(
                "restitution = 0.7\nsliding_friction = {sliding}\n{of_rest}\n[[pair]]\nbetween = \"plate:ball\"\n\
                 {of_pair}"
            );
            let text = scene(33.5, "friction = \"stick\"", &pair);
            let text = text.replacen("sliding_friction = 0.3\n", "", 1);
            warnings_of(&text, &[USUAL_SPEED])
        };
        let nothing = [""; 0];
        assert_eq!(of("", "0.8", "sliding_friction = 0.02"), nothing);
        assert_eq!(
            of("static_friction = 0.85", "0.3", "distance = true"),
            nothing
        );
        let text = &of("static_friction = 0.91", "0.3", "distance = true")[0];
        assert!(
            text.starts_with("Steel-Steel: static_friction 0.91 does not fit sliding_friction 0.3"),
            "{text}"
        );
        let both = "sliding_friction = 0.5\nstatic_friction = 0.4";
        assert_eq!(of("", "0.8", both).len(), 1);
    }

    #[test]
    fn of_many_laws_a_few_are_named_and_the_others_counted() {
        let mut out = vec!["first".to_owned()];
        bounded(&mut out, (0..5).map(|i| i.to_string()).collect(), "laws");
        assert_eq!(out, ["first", "0", "1", "2", "and the same of 2 more laws"]);
    }
}
