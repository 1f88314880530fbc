//! The head of a scene file: format, name, `[world]` and `[experiment]`.

use super::units::Quantity;
use super::walker::{Field, Section};
use fmu_core::integrator::settings::DEFAULT_BUDGET;
use fmu_core::scene::SceneItem;
use fmu_core::scene::description::{Experiment, Gravity};

/// The version of the format that this reader knows.
pub const FORMAT: u32 = 1;

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
        return field.choice(&[("none", Gravity::None)]);
    }
    if field.is_table() {
        let mut section = field.table("{ mu = 3.986e14, center = [0, 0, 0] }")?;
        let mu = section.required("mu", "write G M in m3/s2, such as mu = 3.986e14", |f| {
            f.quantity(Quantity::GravitationalParameter)
        });
        let center = section.required(
            "center",
            "write the attracting point, such as center = [0, 0, 0]",
            |f| f.vector(Quantity::Length),
        );
        section.finish();
        return Some(Gravity::Point {
            mu: mu?,
            center: center?,
        });
    }
    field
        .quantities(Quantity::Acceleration, "[0, 0, -9.81]")
        .map(Gravity::Uniform)
}

/// Reads `[experiment]`.
pub fn experiment(root: &mut Section<'_>) -> Experiment {
    const HINT: &str = "write stop_time = \"3 s\"";
    let mut experiment = Experiment {
        start_time: 0.0,
        stop_time: 1.0,
        tolerance: None,
        step_size: None,
        max_steps: DEFAULT_BUDGET as f64,
    };
    if !root.has("experiment") {
        root.required(
            "experiment",
            &format!("add [experiment] and there {HINT}"),
            |_| None::<()>,
        );
        return experiment;
    }
    let Some(mut section) = root.table("experiment", SceneItem::Scene) else {
        return experiment;
    };
    let start = section.optional("start_time", |f| f.quantity(Quantity::Time));
    let stop = section.required("stop_time", HINT, |f| f.quantity(Quantity::Time));
    experiment.tolerance = section.optional("tolerance", |f| f.quantity(Quantity::Number));
    experiment.step_size = section.optional("step_size", |f| f.quantity(Quantity::Time));
    let max_steps = section.optional("max_steps", |f| f.quantity(Quantity::Number));
    section.finish();
    experiment.max_steps = max_steps.unwrap_or(experiment.max_steps);
    experiment.start_time = start.unwrap_or(experiment.start_time);
    // Where the stop time cannot be read, any later one causes no further problem.
    experiment.stop_time = stop.unwrap_or(experiment.start_time + 1.0);
    experiment
}
