use super::blocks::{ParameterFacts, bodies, contact_inputs, fmu_inputs, outputs, world};
use super::{fill, identifier, number, package_name, string};
use contact_model::scene::Scene;
use fmu_core::direct::forces::driven_bodies;
use std::collections::BTreeMap;

macro_rules! template {
    ($file:literal) => {
        include_str!(concat!(
            "../../../modelDescription.templates/modelica/",
            $file
        ))
    };
}

/// Prefix of the description of a package of this program.
pub(crate) const MADE_BY: &str = "Made by fmu-build";

pub(crate) struct PackageFacts<'a> {
    /// Scene in the FMU.
    pub scene: &'a Scene,
    /// Scene in the C library, or the reason why it cannot be used there.
    pub direct: Result<&'a Scene, String>,
    /// Parameters of materials and contact.
    pub parameters: Vec<ParameterFacts>,
    /// Relative tolerance of the example [1].
    pub tolerance: f64,
    /// Platforms with the C library.
    pub platforms: Vec<String>,
}

/// Path in the package and content of each text file.
pub(crate) type Files = Vec<(String, String)>;

/// Writes the texts of a package.
///
/// # Errors
/// Two names that coincide, or a broken template.
pub(crate) fn files(facts: &PackageFacts) -> Result<Files, String> {
    check_names(facts)?;
    let mut words = words(facts)?;
    // Contact forces alone would let bodies through whose law is an impulse.
    let (contact, example) = match has_impulses(facts) {
        false => (
            ("Contact.mo", template!("Contact.mo")),
            template!("FreeBodies.mo"),
        ),
        true => (
            ("ImpulseContact.mo", template!("ImpulseContact.mo")),
            template!("ImpulsiveBodies.mo"),
        ),
    };
    words.push(("example", fill(example, &words)?.trim_end().to_owned()));
    let mut files = vec![("package.mo", template!("package.mo"))];
    if facts.direct.is_ok() {
        files.push(contact);
    }
    files.push(("FmuContact.mo", template!("FmuContact.mo")));
    if facts.direct.is_ok() {
        files.push(("Examples.mo", template!("Examples.mo")));
    }
    files.push(("Functions.mo", template!("Functions.mo")));
    files.push(("Interfaces.mo", template!("Interfaces.mo")));
    if facts.direct.is_ok() {
        files.push(("Direct.mo", template!("Direct.mo")));
    }
    let classes = files.iter().skip(1);
    let order: Vec<&str> = classes
        .filter_map(|(name, _)| name.strip_suffix(".mo"))
        .collect();
    let order = order.join("\n") + "\n";
    files.push(("README.md", template!("README.md")));
    let mut texts = Vec::new();
    for (name, template) in files {
        texts.push((name.to_owned(), fill(template, &words)?));
    }
    texts.push(("package.order".into(), order));
    if facts.direct.is_ok() {
        let include = |name: &str| format!("Resources/Include/{name}");
        texts.push((
            include("contact_modelica.h"),
            template!("contact_modelica.h").to_owned(),
        ));
        let header = include_str!("../../../fmu-core/include/contact_scene.h");
        texts.push((include("contact_scene.h"), header.to_owned()));
    }
    Ok(texts)
}

type WordList = Vec<(&'static str, String)>;

/// All fields of the templates.
fn words(facts: &PackageFacts) -> Result<WordList, String> {
    let scene = facts.scene;
    let package = package_name(scene.name());
    let experiment = scene.experiment();
    let direct = facts.direct.as_ref().ok();
    let indicators = direct.map_or(0, |scene| scene.indicator_count());
    let mut words = vec![
        ("scene", scene.name().to_owned()),
        ("tool", MADE_BY_TOOL.to_owned()),
        (
            "contents",
            listed_contents(facts, |name, text| {
                format!("<li><b>{name}</b>: {text}</li>")
            }),
        ),
        (
            "list",
            listed_contents(facts, |name, text| format!("- `{name}`: {text}")),
        ),
        ("indicator_count", indicators.to_string()),
        ("events", events(indicators)),
        ("world", world(scene.gravity())),
        ("start_time", number(experiment.start_time)),
        ("stop_time", number(experiment.stop_time)),
        ("tolerance", number(facts.tolerance)),
        ("library", direct.map_or(String::new(), |_| library(facts))),
        (
            "direct_functions",
            direct
                .map_or("", |_| template!("DirectFunctions.mo"))
                .to_owned(),
        ),
        (
            "direct_use",
            direct.map_or(String::new(), |_| direct_use(&package, facts)),
        ),
        ("package", package),
    ];
    let (motions, inputs) = fmu_inputs(scene);
    words.extend([
        ("body_count", driven_bodies(scene).count().to_string()),
        ("fmu_motions", motions),
        ("inputs", inputs),
        ("fmu_inputs", connectors(scene, "Input", all_inputs(scene))),
        (
            "fmu_outputs",
            connectors(scene, "Output", all_outputs(scene)),
        ),
    ]);
    words.extend(parameter_words(facts));
    let bodies = bodies(scene)?;
    words.extend(readme_words(facts, &bodies));
    words.extend(bodies);
    Ok(words)
}

/// Returns true if the package has a model with impulses: the C library accepts the scene, and some of its
/// laws have impulses.
fn has_impulses(facts: &PackageFacts) -> bool {
    facts
        .direct
        .as_ref()
        .is_ok_and(|scene| scene.has_impulses())
}

/// Declarations, names and values of the parameters.
fn parameter_words(facts: &PackageFacts) -> WordList {
    let naming = facts.scene.interface().naming;
    let parameters = |line: &dyn Fn(&ParameterFacts) -> String, between: &str| {
        let lines: Vec<String> = facts.parameters.iter().map(line).collect();
        lines.join(between)
    };
    let list = |line: &dyn Fn(&ParameterFacts) -> String| {
        format!("    {{{}}}", parameters(line, ",\n     "))
    };
    let declarations = parameters(&|p| p.declaration(naming), "\n");
    let nested = declarations.replace("\n  ", "\n    ");
    let of_fmu = match facts.parameters.len() {
        0 => String::new(),
        _ => {
            let pass = |p: &ParameterFacts| {
                let name = p.identifier(naming);
                format!("{name}={name}")
            };
            format!("(\n    {})", parameters(&pass, ",\n    "))
        }
    };
    vec![
        ("parameters", declarations),
        ("interface_parameters", nested.replacen("  ", "    ", 1)),
        ("names", list(&|p| string(&p.name))),
        ("values", list(&|p| p.identifier(naming))),
        ("fmu_parameters", of_fmu),
    ]
}

/// Remarks of README.md about this scene.
fn readme_words(facts: &PackageFacts, bodies: &[(&'static str, String)]) -> WordList {
    let scene = facts.scene;
    let of_bodies = |key: &str| {
        let found = bodies.iter().find(|(known, _)| *known == key);
        found.map_or(String::new(), |(_, text)| outdented(text))
    };
    let own_inputs = contact_inputs(scene);
    let has_states = scene.layout().count() > 0;
    let inputs_need = match own_inputs.is_empty() {
        true => "",
        false => {
            "Each input of the FMU that no frame gives needs an equation or a connection; those above have the\n\
             start values."
        }
    };
    let openmodelica_states = match has_states {
        true => "setCommandLineOptions(\"--allowNonStandardModelica=reinitInAlgorithms\");",
        false => "",
    };
    let states_note = match has_states {
        true => {
            "The FMU has states, which that model sets at events in an algorithm: hence the line with\n\
             `reinitInAlgorithms`. Start values of these states cannot be changed there; change the scene\n\
             and build the FMU again."
        }
        false => "",
    };
    vec![
        ("masses", masses(facts).to_owned()),
        ("readme_bodies", of_bodies("bodies")),
        ("readme_connections", of_bodies("connections")),
        ("readme_inputs", own_inputs.join("\n")),
        ("inputs_need", inputs_need.to_owned()),
        ("openmodelica_states", openmodelica_states.to_owned()),
        ("states_note", states_note.to_owned()),
    ]
}

/// Instructions for the example of a package with the C library.
fn direct_use(package: &str, facts: &PackageFacts) -> String {
    let example = match has_impulses(facts) {
        true => "ImpulsiveBodies",
        false => "FreeBodies",
    };
    format!(
        "\n## Without the FMU\n\nIn OpenModelica:\n\n```\nloadModel(Modelica, {{\"4.0.0\"}});\n\
         loadFile(\"{package}/package.mo\");\nsimulate({package}.Examples.{example});\n```\n\n\
         In Dymola: open `{package}/package.mo`, then simulate `Examples.{example}`."
    )
}

/// Text with two spaces less at the start of each line.
fn outdented(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let lines = lines
        .iter()
        .map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Remark about the C library and its platforms.
fn library(facts: &PackageFacts) -> String {
    format!(
        "\nThe package finds its C library in `Resources/Library/<platform>`, which holds it for: {}. For another\n\
         platform, put `contact_fmu` built for it there.",
        facts.platforms.join(", ")
    )
}

/// Remark about gravity and masses.
fn masses(facts: &PackageFacts) -> &'static str {
    match facts.direct {
        Ok(_) => "Gravity and masses are those of your model.",
        Err(_) => {
            "Gravity and masses of the driven bodies are those of your model; the other bodies of\n\
             the scene move inside the FMU, with the masses and the gravity of the scene."
        }
    }
}

/// Name and version of this tool.
const MADE_BY_TOOL: &str = concat!("fmu-build ", env!("CARGO_PKG_VERSION"));

/// Update condition: at the start, at a time event, at a domain change of an indicator.
fn events(indicators: usize) -> String {
    let mut events = vec!["initial()".to_owned(), "time >= pre(nextEvent)".to_owned()];
    events.extend((1..=indicators).map(|i| format!("change(apart[{i}])")));
    let rows: Vec<String> = events.chunks(4).map(|row| row.join(", ")).collect();
    rows.join(",\n        ")
}

fn all_inputs(scene: &Scene) -> Vec<String> {
    let inputs = scene.inputs().keys();
    inputs.map(|index| scene.input_name(index)).collect()
}

fn all_outputs(scene: &Scene) -> Vec<String> {
    let of_body = |body| {
        let fields = ["contact_force", "contact_torque"];
        fields.map(|field| outputs(scene, body, field)).concat()
    };
    driven_bodies(scene).flat_map(of_body).collect()
}

/// Connectors of the FMU with these structured names.
fn connectors(scene: &Scene, kind: &str, names: Vec<String>) -> String {
    let naming = scene.interface().naming;
    let line = |name: &String| {
        let name = identifier(name, naming);
        format!("    Modelica.Blocks.Interfaces.Real{kind} {name};")
    };
    let lines: Vec<String> = names.iter().map(line).collect();
    lines.join("\n")
}

/// Name and purpose of each model in the package.
fn contents(facts: &PackageFacts) -> Vec<(&'static str, String)> {
    let fmu = "the same from the FMU of the scene, as your tool imports it";
    match &facts.direct {
        Ok(_) if has_impulses(facts) => vec![
            (
                "ImpulseContact",
                "from the C library of the package, no FMU needed, with jumps of velocities where bodies meet; for free bodies".into(),
            ),
            (
                "FmuContact",
                "contact forces alone from the FMU of the scene: bodies whose law is an impulse go through each other".into(),
            ),
            (
                "Examples.ImpulsiveBodies",
                "each body flies free, and velocities jump where it meets another one".into(),
            ),
        ],
        Ok(_) => vec![
            (
                "Contact",
                "from the C library of the package, no FMU needed".into(),
            ),
            ("FmuContact", fmu.into()),
            (
                "Examples.FreeBodies",
                "each body flies free and meets the others".into(),
            ),
        ],
        Err(reason) => {
            let fmu = "contact forces from the FMU of the scene, as your tool imports it";
            vec![(
                "FmuContact",
                format!("{fmu}; there is no model without it: {reason}"),
            )]
        }
    }
}

fn listed_contents(facts: &PackageFacts, line: impl Fn(&str, &str) -> String) -> String {
    let lines = contents(facts).into_iter();
    let lines: Vec<String> = lines.map(|(name, text)| line(name, &text)).collect();
    lines.join("\n")
}

/// Prefixes of body names in names of the models.
#[rustfmt::skip]
const PREFIXES: [&str; 11] = [
    "frame", "force", "torque", "velocity", "orientation", "mass", "center", "inertia", "velocity_jump",
    "angular_jump", "impulse",
];

/// Rejects a package with two elements of one name.
fn check_names(facts: &PackageFacts) -> Result<(), String> {
    let naming = facts.scene.interface().naming;
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |identifier: String, what: String| match seen.insert(identifier, what.clone()) {
        Some(first) => Err(format!(
            "{first} and {what} would have one name in Modelica; rename a body, a material or a force"
        )),
        None => Ok(()),
    };
    for body in driven_bodies(facts.scene) {
        let name = &facts.scene.bodies()[body].name;
        for prefix in PREFIXES {
            add(
                format!("{prefix}_{name}"),
                format!("{prefix} of body {name:?}"),
            )?;
        }
    }
    let parameters = facts.parameters.iter().map(|p| p.name.clone());
    let inputs = facts.scene.inputs().iter_enumerated();
    let free_inputs = inputs.filter(|(_, input)| input.driven_body().is_none());
    let free_inputs = free_inputs.map(|(index, _)| facts.scene.input_name(index));
    for name in parameters.chain(free_inputs) {
        add(identifier(&name, naming), format!("variable {name:?}"))?;
    }
    Ok(())
}
