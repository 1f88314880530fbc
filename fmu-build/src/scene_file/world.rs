//! The head of a scene file: format, `[world]` and `[experiment]`.

use super::finding::Finding;
use super::walker::{Field, Section};
use crate::number::rounded;
use contact_laws::quantity::units;
use contact_model::integrator::settings::{DEFAULT_BUDGET, least_steps};
use contact_model::scene::Scene;
use contact_model::scene::SceneItem;
use contact_model::scene::description::world::{EXPERIMENT, POINT_GRAVITY};
use contact_model::scene::description::{Experiment, FORMAT, Gravity, Solver};
use contact_model::scene::motions::MOST_TURNS;
use std::f64::consts::TAU;

const GRAVITY_HINT: &str = "write gravity = [0, 0, -9.81] (m/s2), gravity = \"none\", or gravity = { mu = 3.986e14, center = [0, 0, 0] }";

/// Checks `format`; false where the file has another one, so that nothing else in it is known.
pub fn is_known_format(root: &mut Section<'_>) -> bool {
    let hint = format!("write format = {FORMAT} in the first line");
    let mut known = true;
    root.required("format", &hint, |field| {
        known = field.is_integer(FORMAT);
        if !known {
            field.wrong(&format!(
                "format = {FORMAT}, the one this version of fmu-build reads"
            ));
        }
        Some(())
    });
    known
}

/// Reads `[world]`.
pub fn gravity(root: &mut Section<'_>) -> Gravity {
    let gravity = match root.has("world") {
        true => root.table("world", SceneItem::Scene).and_then(|mut world| {
            let gravity = world.required("gravity", GRAVITY_HINT, read_gravity);
            world.finish();
            gravity
        }),
        false => root.required(
            "world",
            &format!("add [world] and there {GRAVITY_HINT}"),
            |_| None,
        ),
    };
    gravity.unwrap_or(Gravity::None)
}

fn read_gravity(field: Field<'_>) -> Option<Gravity> {
    if field.is_string() {
        let is_none = field.clone().string() == Some("none");
        if !is_none {
            field.wrong("a vector such as [0, 0, -9.81] (m/s2), \"none\", or a table of a point");
        }
        return is_none.then_some(Gravity::None);
    }
    if field.is_table() {
        let mut section = field.table("{ mu = 3.986e14, center = [0, 0, 0] }")?;
        let mu = section.number(POINT_GRAVITY[0]);
        let center = section.vector(POINT_GRAVITY[1]);
        section.finish();
        return Some(Gravity::Point {
            mu: mu?,
            center: center?,
        });
    }
    field
        .quantities(units::ACCELERATION, "[0, 0, -9.81]")
        .map(Gravity::Uniform)
}

/// Reads `[experiment]`.
pub fn experiment(root: &mut Section<'_>) -> Experiment {
    let mut experiment = Experiment {
        start_time: 0.0,
        stop_time: f64::NAN,
        tolerance: None,
        step_size: None,
        max_steps: DEFAULT_BUDGET as f64,
        max_step: 0.0,
        solver: Solver::default(),
        threads: 1.0,
        statistics: false,
    };
    let hint = "add [experiment] and there write stop_time = \"3 s\"";
    if !root.has("experiment") {
        root.required("experiment", hint, |_| None::<()>);
    } else if let Some(mut section) = root.table("experiment", SceneItem::Scene) {
        section.rows(&EXPERIMENT, &mut experiment, |_, _, _| {});
        section.finish();
    }
    if experiment.stop_time.is_nan() {
        // Where the stop time cannot be read, any later one causes no further problem.
        experiment.stop_time = experiment.start_time + 1.0;
    }
    experiment
}

/// What is to be said where no communication step can be done in as many internal steps as are
/// allowed.
pub fn too_many_steps(experiment: &Experiment) -> Option<Finding> {
    let (longest, allowed) = (experiment.max_step, experiment.max_steps);
    let length = experiment.communication_step();
    let steps = least_steps(length, longest);
    (longest > 0.0 && steps > allowed).then(|| {
        let message = format!(
            "max_step is {} s: a communication step of {} s takes at least {} internal steps, but max_steps allows \
             {}, so Co-Simulation fails in its first step",
            rounded(longest, 6),
            rounded(length, 6),
            rounded(steps, 6),
            rounded(allowed, 12),
        );
        let least = rounded(1.05 * length / allowed, 2);
        let help = format!("write max_step = {least} or more, a smaller step_size, or a larger max_steps");
        (message, help).into()
    })
}

/// What is to be said of each prescribed body that turns so often in a communication step that
/// Co-Simulation refuses it.
pub fn too_many_turns(scene: &Scene) -> impl Iterator<Item = (usize, Finding)> {
    let experiment = scene.experiment();
    let length = experiment.communication_step();
    let motions = scene.motions().iter().enumerate();
    motions.filter_map(move |(index, motion)| {
        let times = [experiment.start_time, experiment.stop_time];
        let bounds = motion.bounds(&motion.start_numbers(), times[0], times[1]);
        let turns = bounds.angular_speed * length / TAU;
        let mut shapes = scene.shapes().iter();
        if turns <= MOST_TURNS || !shapes.any(|shape| shape.body == motion.body) {
            return None;
        }
        let message = format!(
            "body {:?} turns at up to {} rad/s, {} times in a communication step of {} s; its contacts are followed \
             over {MOST_TURNS} turns, so Co-Simulation fails there",
            scene.bodies()[motion.body].name,
            rounded(bounds.angular_speed, 3),
            rounded(turns, 2),
            rounded(length, 6),
        );
        let longest = rounded(MOST_TURNS * TAU / bounds.angular_speed, 2);
        let help = format!("let it turn more slowly, or write step_size = {longest} or less");
        Some((index, (message, help).into()))
    })
}

#[cfg(test)]
mod tests {
    use crate::scene_file::parse;

    #[test]
    fn a_prescribed_body_that_turns_too_often_is_warned_of() {
        let warnings = |speed: &str| {
            let text = format!(
                "format = 1\nname = \"s\"\nworld.gravity = \"none\"\n\
                 experiment = {{ stop_time = 1, step_size = 0.001 }}\n\
                 [[body]]\nname = \"rotor\"\nmotion = \"prescribed\"\n\
                 shape = [{{ sphere.radius = 0.1, material = \"Steel\" }}]\n\
                 [[motion]]\nbody = \"rotor\"\nangular_velocity = [0, 0, {speed}]\n"
            );
            parse(&text, "scene.toml").unwrap().warnings.to_string()
        };
        assert_eq!(warnings("6e7"), "");
        let text = warnings("1e9");
        assert!(text.starts_with("scene.toml:10:8: "), "{text}");
        for part in [
            "\"rotor\" turns at up to 1e9 rad/s, 159155 times",
            "step_size = 6.3e-5",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
