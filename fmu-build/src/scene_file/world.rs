//! The head of a scene file: format, `[about]`, `[world]`, `[experiment]` and `[interface]`.
//!
//! # `[interface]`: what an importer sees of the model
//!
//! The command line may override each key, and has sets of them for importers, [`PROFILES`].

use super::walker::Field;
use crate::scene_file::walker::Section;
use contact_laws::finding::Finding;
use contact_laws::quantity::{Access, units};
use contact_model::integrator::settings::{DEFAULT_BUDGET, least_steps};
use contact_model::scene::description::body::{ABOUT, About};
use contact_model::scene::description::world::{
    EXPERIMENT, EXPOSE, INTERFACE, PARAMETER_INPUTS, POINT_GRAVITY,
};
use contact_model::scene::description::{
    Experiment, FORMAT, Gravity, Guard, InterfaceOptions, Motion, Naming, Solver,
};
use contact_model::scene::motions::MOST_TURNS;
use contact_model::scene::{Scene, SceneDescription, SceneItem};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;
use fmu_view::number::rounded;
use std::f64::consts::TAU;

const GRAVITY_HINT: &str = "write gravity = [0, 0, -9.81] (m/s2), gravity = \"none\", or gravity = { mu = 3.986e14, center = [0, 0, 0] }";

/// Checks `format`; false where the file has another one, so that nothing else in it is known.
pub(crate) fn is_known_format(root: &mut Section<'_>) -> bool {
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
pub(crate) fn gravity(root: &mut Section<'_>) -> Gravity {
    let gravity = match root.has("world") {
        true => root.table("world", SceneItem::Scene).and_then(|mut world| {
            let gravity = world.required("gravity", GRAVITY_HINT, read_gravity);
            if let Some(Gravity::Uniform(g)) = gravity {
                warn_of_rise(&world, g);
            }
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

/// Along one axis to its positive side everything would fall up, as a sign left out makes it.
fn warn_of_rise(world: &Section<'_>, gravity: [f64; 3]) {
    let along = gravity.iter().position(|g| *g != 0.0).unwrap_or(0);
    let is_axis = gravity.iter().filter(|g| **g != 0.0).count() == 1;
    if is_axis && gravity[along] > 0.0 {
        let axis = ["x", "y", "z"][along];
        let mut down = gravity;
        down[along] = -gravity[along];
        let message = format!("gravity points along +{axis}: bodies fall up if {axis} is up");
        let help = format!("write gravity = {down:?} then");
        world.notes().warn(world.item(), "gravity", (message, help));
    }
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
pub(crate) fn experiment(root: &mut Section<'_>) -> Experiment {
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
pub(crate) fn too_many_steps(experiment: &Experiment) -> Option<Finding> {
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
pub(crate) fn too_many_turns(scene: &Scene) -> impl Iterator<Item = (usize, Finding)> {
    let experiment = scene.experiment();
    let length = experiment.communication_step();
    let motions = scene.motions().iter().enumerate();
    motions.filter_map(move |(index, motion)| {
        let times = [experiment.start_time, experiment.stop_time];
        let bounds = motion.profile.bounds(times[0], times[1]);
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

/// Options that replace those of a scene file; none keeps what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterfaceOverrides {
    /// Vectors are array variables.
    pub arrays: Option<bool>,
    /// How variables are named.
    pub naming: Option<Naming>,
    /// Parameters may change during a run.
    pub tunable: Option<bool>,
    /// Refuses calls that the standard does not allow.
    pub strict: Option<bool>,
    /// Terminals are in the FMU.
    pub terminals: Option<bool>,
    /// Who sees a contact within a step of Model Exchange.
    pub guard: Option<Guard>,
    /// Parameters are shown only where a pattern of `expose` matches.
    pub expose_parameters: Option<bool>,
    /// `expose` is [`motion`] in a scene without.
    pub(crate) expose_motion: bool,
}

/// Named sets of options, each for an importer.
///
/// OpenModelica stacks the connectors of all outputs beside the icon of an imported FMU, and shows all
/// parameters in one list.
pub(crate) const PROFILES: [(&str, InterfaceOverrides); 1] = [(
    "openmodelica",
    InterfaceOverrides {
        arrays: Some(false),
        naming: Some(Naming::Flat),
        tunable: None,
        strict: None,
        terminals: Some(false),
        guard: None,
        expose_parameters: Some(true),
        expose_motion: true,
    },
)];

impl InterfaceOverrides {
    /// These options, and those of `others` that these leave open.
    pub(crate) fn or(self, others: InterfaceOverrides) -> InterfaceOverrides {
        InterfaceOverrides {
            arrays: self.arrays.or(others.arrays),
            naming: self.naming.or(others.naming),
            tunable: self.tunable.or(others.tunable),
            strict: self.strict.or(others.strict),
            terminals: self.terminals.or(others.terminals),
            guard: self.guard.or(others.guard),
            expose_parameters: self.expose_parameters.or(others.expose_parameters),
            expose_motion: self.expose_motion || others.expose_motion,
        }
    }

    /// The options of a file with these in their place.
    pub(crate) fn over(self, file: InterfaceOptions) -> InterfaceOptions {
        InterfaceOptions {
            arrays: self.arrays.unwrap_or(file.arrays),
            naming: self.naming.unwrap_or(file.naming),
            tunable: self.tunable.unwrap_or(file.tunable),
            strict: self.strict.unwrap_or(file.strict),
            terminals: self.terminals.unwrap_or(file.terminals),
            guard: self.guard.unwrap_or(file.guard),
            expose_parameters: self.expose_parameters.unwrap_or(file.expose_parameters),
        }
    }
}

/// Patterns of `expose` for poses and velocities of bodies and coordinates of joints, and for what acts on
/// driven bodies.
pub(crate) fn motion(description: &SceneDescription, scene: &Scene) -> Vec<String> {
    let outputs = ["position", "orientation", "velocity", "angular_velocity"];
    let outputs = outputs.into_iter().chain(["angle", "displacement"]);
    let mut patterns: Vec<String> = outputs.map(|output| format!("*.{output}")).collect();
    // Parameters of these names.
    patterns.push("!motion.*".to_owned());
    for body in &description.bodies {
        match body.motion {
            Motion::Fixed => patterns.push(format!("!{}.*", body.name)),
            Motion::Driven => {
                let outputs = ["contact_*", "impulse*"];
                patterns.extend(outputs.map(|output| format!("{}.{output}", body.name)));
            }
            Motion::Free | Motion::Joint | Motion::Prescribed => {}
        }
    }
    // A pattern without an output is an error.
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        let table = VariableTable::new(scene, standard);
        patterns.retain(|pattern| {
            let pattern = std::slice::from_ref(pattern);
            table.check_patterns(scene, pattern).is_ok()
        });
    }
    patterns
}

/// Reads `[interface]`: the options, the patterns of `expose`, the names of `parameter_inputs`.
pub(crate) fn read_interface(
    root: &mut Section<'_>,
) -> (InterfaceOptions, Option<Vec<String>>, Vec<String>) {
    let mut options = InterfaceOptions::default();
    let Some(mut section) = root.table("interface", SceneItem::Scene) else {
        return (options, None, Vec::new());
    };
    section.rows(&INTERFACE, &mut options, |_, _, _| {});
    let [expose, inputs] =
        [(EXPOSE, "patterns"), (PARAMETER_INPUTS, "names")].map(|(key, what)| {
            let expected = format!("an array of {what} such as {}", key.example);
            let read = |f: Field<'_>| f.string().map(str::to_owned);
            section.key(key).and_then(|f| f.all(&expected, read))
        });
    section.finish();
    (options, expose, inputs.unwrap_or_default())
}

// What a scene file says about itself: `description`, `author`, `copyright`, `license`, `version`.

/// Reads the keys. XML has no characters of control but tabs and ends of lines, so a text with others is
/// a problem of the file.
pub(crate) fn read_about(root: &mut Section<'_>) -> About {
    let mut about = About::default();
    for row in ABOUT {
        let Some(field) = root.key(row.key) else {
            continue;
        };
        match (field.clone().string(), row.access) {
            (Some(text), _) if text.contains(is_unfit) => {
                field.wrong("a text without characters of control");
            }
            (Some(text), Access::Text(set)) => set(&mut about, text),
            _ => {}
        }
    }
    about
}

/// [XML 1.0] section 2.2, production 2.
fn is_unfit(letter: char) -> bool {
    matches!(letter, '\u{fffe}' | '\u{ffff}')
        || letter < ' ' && !matches!(letter, '\t' | '\n' | '\r')
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
