//! What `check` says of the contact laws: for each the pair of shapes that asks most of it, what
//! its impacts come to over impact speed, how deep a body rests, how friction holds.

use super::Report;
use crate::command::laws::{LawFacts, Laws};
use crate::command::words::laws::consequences;

/// Laws that are shown one by one.
const LISTED_LAWS: usize = 8;
/// Width of a label and of a cell [characters].
const WIDTHS: (usize, usize) = (20, 11);

/// The lines on all laws.
pub(super) fn report(out: &mut Report, laws: &Laws, speeds: &[f64]) {
    out.heading(format!("contact laws at work ({})", laws.list.len()));
    for facts in laws.list.iter().take(LISTED_LAWS) {
        law(out, facts, speeds);
    }
    if laws.list.len() > LISTED_LAWS {
        out.line(format!("  and {} more", laws.list.len() - LISTED_LAWS));
    }
}

fn law(out: &mut Report, facts: &LawFacts, speeds: &[f64]) {
    let damping = facts.damping_word().map(|word| format!(", damping {word}"));
    out.line(format!(
        "  {}: {}{}, friction {}",
        facts.name,
        facts.normal_word(),
        damping.unwrap_or_default(),
        facts.friction_word()
    ));
    let consequences = match consequences(facts, speeds) {
        Ok(consequences) => consequences,
        Err(reason) => return out.line(format!("    {reason}")),
    };
    out.line(format!("    {}", consequences.at));
    for (label, cells) in consequences.impacts {
        let cells = cells
            .iter()
            .map(|c| format!("{c:>width$}", width = WIDTHS.1));
        let cells: String = cells.collect();
        out.line(format!("    {label:<width$}{cells}", width = WIDTHS.0));
    }
    for note in consequences.notes {
        out.line(format!("    {note}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::words::laws::USUAL_SPEEDS;
    use crate::number::with_unit;
    use crate::scene_file;
    use std::f64::consts::PI;

    /// A ball of the given mass [kg] and a radius of 0.1 m on a plate of its material.
    fn scene(mass: f64, pair: &str) -> String {
        format!(
            "format = 1\nname = \"fall\"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 1\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\nsliding_friction = 0.3\n\
             rolling_resistance = 0\n{pair}\n\
             [[body]]\nname = \"plate\"\nmotion = \"fixed\"\n\
             shape = [{{ half_space = {{}}, material = \"Steel\" }}]\n\
             [[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 1]\nmass = {mass}\n\
             shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n"
        )
    }

    fn report_of(text: &str, speeds: &[f64]) -> String {
        let loaded = scene_file::parse(text, "scene.toml").unwrap_or_else(|e| panic!("{e}"));
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        let mut out = Report::default();
        report(&mut out, &laws, speeds);
        out.0
    }

    /// The cells of a row, and all lines that are no rows.
    fn cell(report: &str, label: &str) -> String {
        let line = report.lines().find(|l| l.trim_start().starts_with(label));
        let line = line.unwrap_or_else(|| panic!("{label} in {report}"));
        line.trim_start()[label.len()..].trim().to_owned()
    }

    #[test]
    fn a_spring_shows_its_closed_forms() {
        let pair =
            "law = \"spring\"\nstiffness = 1e6\nrestitution = 1\nrestitution_rule = \"constant\"";
        let report = report_of(&scene(2.0, pair), &[0.3]);
        let (m, k, v) = (2.0_f64, 1e6, 0.3);
        let root = (m / k).sqrt();
        for (label, expected) in [
            (
                "Steel-Steel:",
                "spring, damping inferred, friction regularized".to_owned(),
            ),
            (
                "at plate:ball,",
                "effective mass 2 kg, stiffness 1e6 N/m".to_owned(),
            ),
            ("impact speed", "0.3 m/s".to_owned()),
            ("restitution asked", "1".to_owned()),
            ("restitution obtained", "1".to_owned()),
            ("contact time", with_unit(PI * root, "s")),
            ("largest penetration", with_unit(v * root, "m")),
            ("largest force", with_unit(v * (k * m).sqrt(), "N")),
            (
                "at rest",
                format!("{} deep under 19.6 N", with_unit(m * 9.81 / k, "m")),
            ),
        ] {
            assert_eq!(cell(&report, label), expected, "{label}");
        }
    }

    #[test]
    fn laws_without_closed_form_show_what_another_program_integrates() {
        // Extrapolation with steps of 1e-7 s: k = 1e8 N/m^1.5, c_max = 1000 N.s/m from 0.1 mm
        // on, 2 kg at 0.5 m/s; and p = 1e5 N/m, e = 0.5, v_n = 0.5 m/s, 1 kg at 1 m/s.
        let pair =
            "law = \"impact\"\nstiffness = 1e8\nlargest_damping = 1000\ndamping_depth = 1e-4";
        let impact = report_of(&scene(2.0, pair), &[0.5]);
        assert!(!impact.contains("asked"), "{impact}");
        assert_eq!(
            cell(&impact, "Steel-Steel:"),
            "impact, friction regularized"
        );
        assert_eq!(cell(&impact, "restitution obtained"), "0.5095");
        assert_eq!(cell(&impact, "contact time"), "3.38 ms");
        assert_eq!(cell(&impact, "largest penetration"), "400 um");
        let pair = "law = \"poisson\"\nstiffness = 1e5\nrestitution = 0.5\nrestitution_rule = \"constant\"\n\
                    transition_speed = 0.5";
        let poisson = report_of(&scene(1.0, pair), &[1.0]);
        assert_eq!(
            cell(&poisson, "Steel-Steel:"),
            "poisson, friction regularized"
        );
        assert_eq!(cell(&poisson, "restitution asked"), "0.5");
        assert_eq!(cell(&poisson, "restitution obtained"), "0.5506");
        assert_eq!(cell(&poisson, "contact time"), "10.6 ms");
        assert_eq!(cell(&poisson, "largest penetration"), "2.53 mm");
    }

    #[test]
    fn layers_rest_where_their_stiffness_bears_the_weight() {
        let pair = "law = \"volume\"\nlayer_depth = 0.01\narea = 0.002\nrestitution = 0.5";
        let report = report_of(&scene(2.0, pair), &[1.0]);
        // Two layers in series, each E (1 - nu)/((1 + nu)(1 - 2 nu))/h per area.
        let k = 0.002 * 2e11 * 0.7 / (1.3 * 0.4) / 0.01 / 2.0;
        // The force sets in 2 z_eps deep.
        let depth = with_unit(2.0 * 9.81 / k + 2e-8, "m");
        assert_eq!(
            cell(&report, "at rest"),
            format!("{depth} deep under 19.6 N")
        );
        assert_eq!(cell(&report, "restitution obtained"), "0.5");
    }

    #[test]
    fn friction_creeps_sticks_or_slides() {
        let friction = |keys: &str| {
            let pair = format!("restitution = 0.5\n{keys}");
            report_of(&scene(2.0, &pair), &[1.0])
                .lines()
                .last()
                .unwrap()
                .trim()
                .to_owned()
        };
        // mu_s (3 r - r^3)/2 = tan 10 deg with mu_s = 0.3: r = 0.4158 of v_s.
        assert_eq!(
            friction(
                "friction = \"coulomb\"\nstatic_speed = \"100 mm/s\"\ndynamic_speed = \"1 m/s\""
            ),
            "creeps at 41.6 mm/s on a slope of 10 deg"
        );
        // Half way from v_s to v_d the step is half way from 0.1 to 0.3: the slope of 0.2.
        let rising = "friction = \"coulomb\"\nstatic_friction = 0.052654\n\
                      static_speed = \"100 mm/s\"\ndynamic_speed = \"300 mm/s\"";
        assert_eq!(friction(rising), "creeps at 200 mm/s on a slope of 10 deg");
        // atan 0.4 = 21.8 deg.
        assert_eq!(
            friction("friction = \"stick\"\nstatic_friction = 0.4\ntangential_stiffness = 1e6"),
            // 2 kg x 9.81 m/s2 x sin(21.8 deg)/1e6 N/m = 7.287 um.
            "sticks without creeping on slopes of up to 21.8 deg; what is round rolls; gives by 7.29 um there"
        );
        let none = scene(2.0, "restitution = 0.5\nfriction = \"off\"");
        let none = report_of(&none.replace("sliding_friction = 0.3\n", ""), &[1.0]);
        assert!(none.ends_with("    slides without friction\n"), "{none}");
        // mu v/reg(v) = mu/2: r/(r^2 (1 - r/3) + 1/3) = 1/2 at r = 0.1830; atan 0.05 = 2.86 deg.
        let slippery = scene(2.0, "restitution = 0.5").replace("friction = 0.3", "friction = 0.1");
        assert_eq!(
            report_of(&slippery, &[1.0]).lines().last().unwrap().trim(),
            "slides on a slope of 10 deg; creeps at 1.82 mm/s on one of 2.86 deg, half the limit"
        );
    }

    #[test]
    fn an_observer_has_no_numbers_and_shapes_with_a_law_of_their_own_have_a_place() {
        let numbers = "sliding_friction = 0.3\nrolling_resistance = 0\n";
        let observer = scene(2.0, "law = \"observer\"").replace(numbers, "");
        let observer = report_of(&observer, &[1.0]);
        assert!(
            observer.ends_with("an event and a line in the log, no force\n"),
            "{observer}"
        );
        let text = scene(2.0, "restitution = 0.7")
            + "[[pair]]\nbetween = \"plate:ball\"\nrestitution = 0.2\n";
        let own = report_of(&text, &[1.0]);
        assert!(own.starts_with("\ncontact laws at work (2)\n"), "{own}");
        assert_eq!(
            cell(&own, "Steel-Steel:"),
            "hertz, damping inferred, friction regularized"
        );
        assert_eq!(own.lines().nth(3), Some("    no two shapes have it"));
        assert_eq!(
            cell(&own, "Steel-Steel at plate:ball:"),
            "hertz, damping inferred, friction regularized"
        );
        assert_eq!(cell(&own, "restitution asked"), "0.2");
    }

    #[test]
    fn of_many_laws_the_first_are_shown_and_the_others_counted() {
        let mut text = scene(2.0, "restitution = 0.7");
        for ball in 0..12 {
            text += &format!(
                "[[body]]\nname = \"b{ball}\"\nmotion = \"free\"\nposition = [{ball}, 9, 9]\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n\
                 [[pair]]\nbetween = \"plate:b{ball}\"\nrestitution = 0.2\n"
            );
        }
        let report = report_of(&text, &USUAL_SPEEDS);
        assert!(report.ends_with("\n  and 5 more\n"), "{report}");
        assert!(report.lines().count() < 90);
    }
}
