//! The lines of `check` on forces.

use super::{Report, short, vector};
use contact_laws::quantity::Keyword;
use contact_model::scene::Scene;
use contact_model::scene::description::ForceVectors;
use contact_model::scene::forces::{Force, ForceTimeProfile};

/// One line for each force, where there are any.
pub(super) fn report(out: &mut Report, scene: &Scene) {
    if scene.forces().is_empty() {
        return;
    }
    out.heading(format!("forces ({})", scene.forces().len()));
    for force in scene.forces() {
        out.line(format!(
            "  {}",
            words(force, &scene.bodies()[force.body].name)
        ));
    }
}

fn words(force: &Force, body: &str) -> String {
    let profile = match &force.profile {
        ForceTimeProfile::Constant(vectors) => vectors_in_words(vectors),
        ForceTimeProfile::Input { force, torque } => match (force, torque) {
            (true, true) => "force and torque are inputs".to_owned(),
            (true, false) => "force is an input".to_owned(),
            _ => "torque is an input".to_owned(),
        },
        ForceTimeProfile::Sine {
            amplitude,
            angular_frequency,
            phase,
        } => format!(
            "sine of amplitude {}, {} rad/s, phase {} rad",
            vectors_in_words(amplitude),
            short(*angular_frequency),
            short(*phase)
        ),
        ForceTimeProfile::Table(curve) => {
            let [first, last] = curve.span();
            format!(
                "{} table of {} times from {} s to {} s, {} time events",
                curve.interpolation().word(),
                curve.count(),
                short(first),
                short(last),
                curve.kinks(1).len()
            )
        }
    };
    format!(
        "{} on {body} at {} m of the body, {} axes: {profile}",
        force.name,
        vector(force.point_b.as_slice()),
        force.axes.word()
    )
}

fn vectors_in_words(given: &ForceVectors) -> String {
    let force = given.force.map(|f| format!("force {} N", vector(&f)));
    let torque = given.torque.map(|t| format!("torque {} N.m", vector(&t)));
    let both: Vec<String> = [force, torque].into_iter().flatten().collect();
    both.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::report_of;

    #[test]
    fn each_force_has_a_line_with_body_point_axes_and_profile() {
        let text = "format = 1\nname = \"a\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
            [[body]]\nname = \"b\"\nmotion = \"free\"\nshape = [{ sphere = { diameter = 1 }, material = \"Steel\" }]\n\
            [[force]]\nname = \"one\"\nbody = \"b\"\nforce = [0, 0, \"5 kN\"]\ntorque = [1, 0, 0]\npoint = [0, 0, \"-10 cm\"]\n\
            [[force]]\nname = \"two\"\nbody = \"b\"\naxes = \"body\"\nsine = { torque = [8, 0, 0], frequency = 0.5 }\n\
            [[force]]\nname = \"three\"\nbody = \"b\"\ntable = { times = [0, 1, 2, 4], force = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 0]] }\n\
            [[force]]\nname = \"four\"\nbody = \"b\"\ntable = { times = [0, 1, 2], force = [[0, 0, 0], [1, 0, 0], [0, 0, 0]], interpolation = \"spline\" }\n";
        let report = report_of(text);
        let (_, rest) = report.split_once("\nforces (4)\n").unwrap();
        let (lines, _) = rest.split_once("\n\n").unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines,
            [
                "  one on b at (0, 0, -0.1) m of the body, world axes: force (0, 0, 5000) N, torque (1, 0, 0) N.m",
                "  two on b at (0, 0, 0) m of the body, body axes: sine of amplitude torque (8, 0, 0) N.m, \
                 3.14159 rad/s, phase 0 rad",
                "  three on b at (0, 0, 0) m of the body, world axes: linear table of 4 times from 0 s to 4 s, \
                 2 time events",
                "  four on b at (0, 0, 0) m of the body, world axes: spline table of 3 times from 0 s to 2 s, \
                 2 time events",
            ]
        );
    }
}
