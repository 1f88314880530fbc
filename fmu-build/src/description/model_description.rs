//! modelDescription.xml of FMI 2.0 and FMI 3.0: one set of facts, one template for each version.
//!
//! Choices that real importers ask for: every floating-point variable names a declared type, which
//! carries unit, quantity, display unit and nominal value, since on the variable they break an
//! importer; a type has a numbered sibling for each nominal value that states of the type have;
//! `initial` is left away where it has its default; `dependencies` is written, an empty list too,
//! unless the model structure leaves a long one out; there is no time stamp, so a rebuild is
//! identical to the byte. FMI 2.0 names variables in the model structure by their index, which here
//! is the value reference.
//!
//! # Reference results inside an FMU
//!
//! In `extra/org.fmi-standard.fmi-ls-ref/`, by the draft 1.0.0-alpha.1 of the layered standard
//! FMI-LS-REF of the Modelica Association.
//!
//! # terminalsAndIcons/terminalsAndIcons.xml
//!
//! Inputs and outputs by what they are of, each group a terminal, [FMI 3.0] section 2.4.9; FMI
//! 2.0.4 takes the same file, which says FMI 3.0 there too.
//!
//! A terminal has the name of its body, joint, contact, force or measurement, and a member the rest
//! of the structured name, so that poses and velocities of two FMUs match by `position[1]`. The
//! rule is `bus`: a driven body lacks members that another terminal has. All variables are signals:
//! the standard's `inflow` and `outflow` are for scalars, not for forces in space.

use super::{ModelFacts, number, start, template};
use crate::description::template::{Record, TemplateError};
use contact_laws::quantity::Keyword;
use contact_laws::quantity::units::{DeclaredType, TYPES, UNITS, Unit};
use contact_model::scene::Scene;
use fmu_core::instance::variables::quantity::Subject;
use fmu_core::instance::variables::structure::{ModelStructure, Unknown};
use fmu_core::instance::variables::{Causality, DataType, Variable, VariableTable};
use fmu_core::instance::{Category, Standard};
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE_FMI2: &str =
    include_str!("../../../modelDescription.templates/modelDescription.fmi2.xml");
const TEMPLATE_FMI3: &str =
    include_str!("../../../modelDescription.templates/modelDescription.fmi3.xml");

/// The text of modelDescription.xml for importers of the FMI version that the table is for.
pub(crate) fn model_description(facts: &ModelFacts) -> Result<String, TemplateError> {
    let variables = facts.variables;
    let standard = facts.table.standard();
    let structure = ModelStructure::new(facts.scene, facts.table);
    let nominal_types = NominalTypes::of(variables);
    // A list in FMI 2.0 has an entry at least, or is absent.
    let any = |list: &[Unknown]| (!list.is_empty()).then(String::new);
    let record = facts
        .record()
        .text("token", facts.token)
        .text("naming", facts.scene.interface().naming.word())
        .optional(
            "model_exchange",
            facts.table.has_model_exchange().then(String::new),
        )
        .text(
            "dependencies_by_element",
            facts.scene.grains().is_empty().to_string(),
        )
        .list("units", units())
        .list("types", types(&nominal_types))
        .list("log_categories", log_categories())
        .each("variables", variables, |v| {
            variable(v, &nominal_types, facts.table)
        })
        .optional("has_outputs", any(&structure.outputs))
        .each("outputs", &structure.outputs, unknown)
        .optional("has_derivatives", any(&structure.state_derivatives))
        .each("state_derivatives", &structure.state_derivatives, unknown)
        .optional("has_initial_unknowns", any(&structure.initial_unknowns))
        .each("initial_unknowns", &structure.initial_unknowns, unknown)
        .each("event_indicators", &structure.event_indicators, unknown);
    let template = match standard {
        Standard::Fmi2 => TEMPLATE_FMI2,
        Standard::Fmi3 => TEMPLATE_FMI3,
    };
    template::fill(template, &record)
}

pub(super) fn units() -> Vec<Record<'static>> {
    let exponent = |e: i32| (e != 0).then(|| e.to_string());
    let unit = |unit: &Unit| {
        let display = unit.display.iter().map(|display| {
            Record::new()
                .text("display_unit", display.name)
                .text("factor", number(display.factor))
        });
        Record::new()
            .text("unit", unit.name)
            .optional("kg", exponent(unit.kg))
            .optional("m", exponent(unit.m))
            .optional("s", exponent(unit.s))
            .optional("rad", exponent(unit.rad))
            .list("display_units", display.collect())
    };
    UNITS.iter().map(unit).collect()
}

/// Declared types with a nominal value, in the order of the variables that need them.
struct NominalTypes(Vec<(DeclaredType, f64)>);

impl NominalTypes {
    fn of(variables: &[Variable]) -> Self {
        let mut types = Vec::new();
        for needed in variables.iter().filter_map(needed_type) {
            if !types.contains(&needed) {
                types.push(needed);
            }
        }
        NominalTypes(types)
    }

    /// `Position_2` is the second kind of position.
    fn name(&self, wanted: &DeclaredType, nominal: f64) -> String {
        let siblings = self
            .0
            .iter()
            .filter(|(declared, _)| declared.name == wanted.name);
        let before = siblings
            .take_while(|(known, value)| known != wanted || *value != nominal)
            .count();
        format!("{}_{}", wanted.name, before + 1)
    }
}

/// Type and nominal value of a state; none for other variables.
fn needed_type(variable: &Variable) -> Option<(DeclaredType, f64)> {
    variable.declared_type.zip(variable.nominal)
}

fn types(nominal_types: &NominalTypes) -> Vec<Record<'static>> {
    let record = |name: String, declared: &DeclaredType, nominal: Option<f64>| {
        Record::new()
            .text("type", name)
            .text("quantity", declared.quantity)
            .optional("unit", declared.unit.map(String::from))
            .optional("display_unit", declared.display_unit.map(String::from))
            .optional("nominal", nominal.map(number))
    };
    let plain = TYPES
        .iter()
        .map(|declared| record(declared.name.into(), declared, None));
    let nominal = nominal_types.0.iter().map(|known| {
        let (declared, nominal) = known;
        record(
            nominal_types.name(declared, *nominal),
            declared,
            Some(*nominal),
        )
    });
    plain.chain(nominal).collect()
}

fn log_categories() -> Vec<Record<'static>> {
    let description = |category| match category {
        Category::Events => "Events and what they changed",
        Category::Contacts => "Contacts that start and end",
        Category::Integrator => "Work of the built-in integrator in Co-Simulation",
        Category::Progress => {
            "Time reached inside communication steps and what limits the internal steps"
        }
        Category::States => "Mode changes of the instance",
        Category::Errors => "Calls that failed",
    };
    let record = |category: Category| {
        Record::new()
            .text("category", category.name())
            .text("description", description(category))
    };
    Category::ALL.into_iter().map(record).collect()
}

fn variable(
    variable: &Variable,
    nominal_types: &NominalTypes,
    table: &VariableTable,
) -> Record<'static> {
    let is_array = variable.dimension.is_some();
    let rows = variable
        .dimension
        .map(|count| count / variable.columns.unwrap_or(1));
    let is =
        |data_type, array| (variable.data_type == data_type && is_array == array).then(String::new);
    let declared_type = match needed_type(variable) {
        Some((declared, nominal)) => Some(nominal_types.name(&declared, nominal)),
        None => variable.declared_type.map(|declared| declared.name.into()),
    };
    // FMI 2.0 has one type of integers.
    let (int32, int64) = (is(DataType::Int32, false), is(DataType::Int64, false));
    let (int32, int64) = match table.standard() {
        Standard::Fmi2 => (int32.or(int64), None),
        Standard::Fmi3 => (int32, int64),
    };
    Record::new()
        .optional("float64", is(DataType::Float64, false))
        .optional("float64_array", is(DataType::Float64, true))
        .optional("int32", int32)
        .optional("int64", int64)
        .optional("boolean", is(DataType::Boolean, false))
        .optional("dimension", rows.map(|n| n.to_string()))
        .optional("columns", variable.columns.map(|n| n.to_string()))
        .text("name", &variable.name)
        .text("reference", variable.reference.to_string())
        .text("causality", variable.causality.word())
        .text("variability", variable.variability.word())
        .optional("reinit", variable.reinit.then(|| "true".into()))
        .optional("initial", variable.initial.map(|i| i.word().into()))
        .optional("type", declared_type)
        .optional("start", start(variable))
        .optional("derivative", variable.derivative_of.map(|r| r.to_string()))
        .optional(
            "intermediate",
            variable.intermediate.then(|| String::from("true")),
        )
        .text("description", &variable.description)
}

fn unknown(unknown: &Unknown) -> Record<'static> {
    let dependencies = unknown.dependencies.as_ref().map(|list| {
        let references: Vec<String> = list.iter().map(u32::to_string).collect();
        references.join(" ")
    });
    Record::new()
        .text("reference", unknown.reference.to_string())
        .optional("dependencies", dependencies)
}

const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref/";
/// Name that FMI 3.0 gives the manifest of a layered standard.
const MANIFEST: &str = "fmi-ls-manifest.xml";
const EXPERIMENTS: &str = "experiments.exp";

const MANIFEST_TEMPLATE: &str =
    include_str!("../../../modelDescription.templates/fmi-ls-manifest.xml");
const EXPERIMENTS_TEMPLATE: &str =
    include_str!("../../../modelDescription.templates/experiments.xml");

/// A run of one interface type with its reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reference {
    pub(crate) kind: &'static str,
    pub(crate) start: f64,
    pub stop: f64,
    pub tolerance: f64,
    /// Communication step size, in Model Exchange the time between two rows [s].
    pub(crate) step: f64,
    pub results: (String, String),
}

/// Paths and contents of the files for an FMU; `stimuli` are file name and content of the inputs.
///
/// # Errors
/// A broken template.
pub(crate) fn files(
    model: &str,
    references: &[Reference],
    stimuli: Option<&(String, String)>,
) -> Result<Vec<(String, Vec<u8>)>, TemplateError> {
    let record = |reference: &Reference| {
        Record::new()
            .text("kind", reference.kind)
            .text("start_time", number(reference.start))
            .text("stop_time", number(reference.stop))
            .text("tolerance", number(reference.tolerance))
            .text("step_size", number(reference.step))
            .text("reference", &reference.results.0)
            .optional("stimuli", stimuli.map(|(name, _)| name.clone()))
    };
    let record = Record::new()
        .text("model", model)
        .text("experiments", EXPERIMENTS)
        .list("references", references.iter().map(record).collect());
    let manifest = template::fill(MANIFEST_TEMPLATE, &record)?;
    let experiments = template::fill(EXPERIMENTS_TEMPLATE, &record)?;
    let own = [
        (MANIFEST.to_owned(), manifest),
        (EXPERIMENTS.to_owned(), experiments),
    ];
    let results = references.iter().map(|reference| reference.results.clone());
    let all = own.into_iter().chain(results).chain(stimuli.cloned());
    let inside = |(name, content): (String, String)| (format!("{FOLDER}{name}"), content.into());
    Ok(all.map(inside).collect())
}

const TEMPLATE: &str = include_str!("../../../modelDescription.templates/terminalsAndIcons.xml");

/// Half the side of the icon, which is about the origin.
const ICON: f64 = 100.0;
/// Half the side of a terminal at most.
const TERMINAL: f64 = 8.0;

/// What a terminal is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TerminalKind {
    Driven,
    /// A body that moves or touches.
    Body,
    Force,
    Grains,
    Joint,
    Contact,
    Measurement,
}

impl TerminalKind {
    /// The kind of what variables are of; none where they have no terminal.
    fn of(scene: &Scene, subject: Subject) -> Option<Self> {
        Some(match subject {
            Subject::Body(body) if scene.bodies()[body].is_driven() => TerminalKind::Driven,
            Subject::Body(_) => TerminalKind::Body,
            Subject::Grains(_) => TerminalKind::Grains,
            Subject::Force(_) => TerminalKind::Force,
            Subject::Joint(_) => TerminalKind::Joint,
            Subject::Contact(_) => TerminalKind::Contact,
            Subject::Measurement(_) => TerminalKind::Measurement,
            Subject::Scene | Subject::Latch(_) | Subject::Law(_) | Subject::Material(_) => {
                return None;
            }
        })
    }

    pub(crate) fn icon(self) -> &'static str {
        self.words()[0]
    }

    /// Base name of its picture, and its description.
    fn words(self) -> [&'static str; 2] {
        match self {
            TerminalKind::Driven => [
                "driven",
                "Driven body: pose and velocities in, contact force out",
            ],
            TerminalKind::Body => ["body", "Body: pose, velocities, contact force"],
            TerminalKind::Grains => [
                "grains",
                "Group of balls: number, centre of mass, energy, balls in regions",
            ],
            TerminalKind::Force => ["force", "Force and torque"],
            TerminalKind::Joint => ["joint", "Joint: coordinates, forces, reaction"],
            TerminalKind::Contact => ["contact", "Contact of two shapes"],
            TerminalKind::Measurement => ["measurement", "Motion of one frame relative to another"],
        }
    }
}

/// A group of inputs and outputs.
#[derive(Clone, Debug)]
pub(crate) struct Terminal<'a> {
    pub(crate) name: String,
    pub(crate) kind: TerminalKind,
    pub members: Vec<&'a Variable>,
}

impl Terminal<'_> {
    fn has_inputs(&self) -> bool {
        self.members.iter().any(|v| v.causality == Causality::Input)
    }
}

/// The terminals of an FMU, in the order of the scene.
pub(crate) fn terminals<'a>(facts: &ModelFacts<'a>) -> Vec<Terminal<'a>> {
    let mut groups: BTreeMap<Subject, Vec<&Variable>> = BTreeMap::new();
    for variable in facts.variables {
        if matches!(variable.causality, Causality::Input | Causality::Output) {
            groups.entry(variable.subject).or_default().push(variable);
        }
    }
    let mut names = BTreeSet::new();
    let groups = groups.into_iter().filter_map(|(subject, members)| {
        let kind = TerminalKind::of(facts.scene, subject)?;
        let mut name = subject.name(facts.scene);
        // A body and a joint may share a name.
        if !names.insert(name.clone()) {
            name = format!("{}.{name}", kind.icon());
            names.insert(name.clone());
        }
        Some(Terminal {
            name,
            kind,
            members,
        })
    });
    groups.collect()
}

pub(crate) fn terminals_and_icons(terminals: &[Terminal]) -> Result<String, TemplateError> {
    let (left, right): (Vec<&Terminal>, Vec<&Terminal>) =
        terminals.iter().partition(|terminal| terminal.has_inputs());
    let side = |list: &[&Terminal], x: f64| -> Vec<Record<'static>> {
        let count = list.len() as f64;
        let half = TERMINAL.min(0.8 * ICON / count);
        let records = list.iter().enumerate().map(|(index, terminal)| {
            // From the top downwards, evenly.
            let y = ICON - 2.0 * ICON * (index as f64 + 0.5) / count;
            record(terminal, [x, y], half)
        });
        records.collect()
    };
    let mut records = side(&left, -ICON);
    records.extend(side(&right, ICON));
    let record = Record::new()
        .optional("has_terminals", (!records.is_empty()).then(String::new))
        .list("terminals", records);
    template::fill(TEMPLATE, &record)
}

fn record(terminal: &Terminal, [x, y]: [f64; 2], half: f64) -> Record<'static> {
    let members = terminal.members.iter().map(|variable| {
        Record::new()
            .text("variable", &variable.name)
            .text("member", &variable.member)
    });
    let place = |value: f64| fmu_view::number::rounded(value, 6);
    Record::new()
        .text("terminal", &terminal.name)
        .text("description", terminal.kind.words()[1])
        .list("members", members.collect())
        .text("x1", place(x - half))
        .text("y1", place(y - half))
        .text("x2", place(x + half))
        .text("y2", place(y + half))
        .text("icon", terminal.kind.icon())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::sample::bouncing_ball;
    use contact_laws::response::choice::FrictionKind;
    use contact_model::scene::description::{About, Experiment, Form, Report, Solver};
    use contact_model::scene::{Parameters, Scene};
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::describe::Describer;
    use fmu_core::instance::variables::{Family, VariableTable};
    use quick_xml::events::{BytesStart, Event};
    use quick_xml::{Reader, XmlVersion};
    use std::collections::BTreeMap;

    /// Elements below `parent` in document order: name and attributes.
    type Elements = Vec<(String, BTreeMap<String, String>)>;

    fn children(xml: &str, parent: &str) -> Elements {
        let attributes = |start: &BytesStart| {
            let one = |a: Result<quick_xml::events::attributes::Attribute, _>| {
                let attribute = a.unwrap();
                let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap();
                (attribute.key.as_ref().to_owned(), value.into_owned())
            };
            start.attributes().map(one).collect()
        };
        let mut reader = Reader::from_str(xml);
        let mut path: Vec<String> = Vec::new();
        let mut found = Vec::new();
        loop {
            let event = reader.read_event().unwrap();
            if let Event::Start(start) | Event::Empty(start) = &event {
                let name = start.name().as_ref().to_owned();
                if path.last().is_some_and(|p| p == parent) {
                    found.push((name.clone(), attributes(start)));
                }
                if matches!(event, Event::Start(_)) {
                    path.push(name);
                }
            } else if let Event::End(_) = event {
                path.pop();
            } else if let Event::Eof = event {
                return found;
            }
        }
    }

    fn scene() -> Scene {
        Scene::new(bouncing_ball()).unwrap()
    }

    fn described(scene: &Scene) -> String {
        described_with(scene, &vec![0.5; scene.layout().count()])
    }

    fn described_with(scene: &Scene, nominals: &[f64]) -> String {
        described_for(Standard::Fmi3, scene, nominals)
    }

    fn described_for(standard: Standard, scene: &Scene, nominals: &[f64]) -> String {
        let table = VariableTable::new(scene, standard);
        let variables = Describer::new(scene, &table).variables(nominals);
        model_description(&ModelFacts {
            scene,
            table: &table,
            variables: &variables,
            suggested_tolerance: 1e-7,
            token: "abc",
            about: &About::default(),
        })
        .unwrap()
    }

    /// Attribute values by [XML 1.0] section 3.3.3: an end of a line survives as a reference only.
    #[test]
    fn what_the_scene_says_about_itself_is_in_both_versions() {
        let scene = Scene::new(bouncing_ball()).unwrap();
        let about = About {
            description: Some("A <ball> & \"plate\"\nin two lines".into()),
            author: Some("Jörg Ö.".into()),
            copyright: None,
            license: Some("CC-BY-4.0".into()),
            version: Some("1.2".into()),
        };
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let table = VariableTable::new(&scene, standard);
            let nominals = vec![0.5; scene.layout().count()];
            let xml = model_description(&ModelFacts {
                scene: &scene,
                table: &table,
                variables: &Describer::new(&scene, &table).variables(&nominals),
                suggested_tolerance: 1e-7,
                token: "abc",
                about: &about,
            })
            .unwrap();
            let expected = "description=\"A &lt;ball&gt; &amp; &quot;plate&quot;&#10;in two lines\" \
                            author=\"Jörg Ö.\" version=\"1.2\" license=\"CC-BY-4.0\"";
            let flat = xml.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(expected), "{}", &flat[..800]);
            assert!(!flat.contains("copyright="));
        }
    }

    #[test]
    fn variables_are_those_of_the_table_in_document_order() {
        let scene = scene();
        let xml = described(&scene);
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let states = scene.start_states();
        let parameters = Parameters::start(&scene);
        let variables = children(&xml, "ModelVariables");
        let types = children(&xml, "TypeDefinitions").into_iter();
        let types: BTreeMap<_, _> = types.map(|(_, a)| (a["name"].clone(), a)).collect();
        assert_eq!(variables.len(), table.count());
        for ((element, attributes), (reference, quantity)) in
            variables.iter().zip(table.quantities())
        {
            let number = |key: &str| attributes.get(key).map(|v| v.parse::<f64>().unwrap());
            assert_eq!(attributes["valueReference"], reference.to_string());
            let start = match quantity.family {
                Family::State => Some(states[quantity.of]),
                Family::Parameter => Some(parameters.get(quantity.of.into())),
                _ => None,
            };
            assert_eq!(number("start"), start, "{quantity:?}");
            // The default of `initial` is exact for a parameter, calculated for the others.
            let initial = (quantity.family == Family::State).then_some("exact");
            assert_eq!(attributes.get("initial").map(String::as_str), initial);
            let nominal = (quantity.family == Family::State).then_some("0.5");
            let declared = attributes.get("declaredType").map(|name| &types[name]);
            let found = declared.and_then(|declared| declared.get("nominal"));
            assert_eq!(found.map(String::as_str), nominal, "{quantity:?}");
            let is_integer = matches!(
                attributes["name"].as_str(),
                "contact.count" | "experiment.solver"
            );
            assert_eq!(*element == "Int32", is_integer);
            assert_eq!(attributes.contains_key("declaredType"), !is_integer);
            let intermediate = attributes.get("intermediateUpdate").map(String::as_str);
            let continuous_output =
                attributes["causality"] == "output" && attributes["variability"] == "continuous";
            assert_eq!(intermediate, continuous_output.then_some("true"));
            // On the variable they break an importer; the declared type has them.
            for absent in ["unit", "displayUnit", "quantity", "nominal"] {
                assert!(!attributes.contains_key(absent));
            }
        }
        let independent: Vec<_> = variables
            .iter()
            .filter(|(_, a)| a["causality"] == "independent")
            .collect();
        assert_eq!(independent.len(), 1);
        assert_eq!(independent[0].1["name"], "time");
    }

    #[test]
    fn a_truth_value_is_a_boolean_of_either_fmi_version() {
        let mut description = bouncing_ball();
        description.report = Report::All;
        let scene = Scene::new(description).unwrap();
        let nominals = vec![1.0; scene.layout().count()];
        let name = "contact.ground.ball.in_contact";
        for (standard, parent) in [
            (Standard::Fmi3, "ModelVariables"),
            (Standard::Fmi2, "ScalarVariable"),
        ] {
            let table = VariableTable::new(&scene, standard);
            let variables = Describer::new(&scene, &table).variables(&nominals);
            let xml = model_description(&ModelFacts {
                scene: &scene,
                table: &table,
                variables: &variables,
                suggested_tolerance: 1e-7,
                token: "abc",
                about: &About::default(),
            })
            .unwrap();
            let elements = children(&xml, parent).into_iter();
            let found: Vec<_> = elements
                .filter(|(element, _)| element == "Boolean")
                .collect();
            assert_eq!(found.len(), 1);
            let variables = children(&xml, "ModelVariables");
            let variable = variables.iter().find(|(_, a)| a["name"] == name);
            let attributes = &variable.expect(name).1;
            assert_eq!(attributes["causality"], "output");
            assert_eq!(attributes["variability"], "discrete");
            for absent in ["start", "declaredType", "initial", "intermediateUpdate"] {
                assert!(!attributes.contains_key(absent), "{absent}");
                assert!(!found[0].1.contains_key(absent), "{absent}");
            }
        }
    }

    #[test]
    fn each_nominal_value_of_a_type_has_a_declared_type_of_its_own() {
        let scene = scene();
        let nominals: Vec<f64> = (1..=13).map(|i| f64::from(i / 2)).collect();
        let xml = described_with(&scene, &nominals);
        let of_type: BTreeMap<_, _> = children(&xml, "TypeDefinitions")
            .into_iter()
            .filter_map(|(_, a)| Some((a["name"].clone(), a.get("nominal")?.clone())))
            .collect();
        let states = children(&xml, "ModelVariables").into_iter();
        let states = states.filter(|(_, a)| a["causality"] == "output" && a.contains_key("start"));
        let found: Vec<f64> = states
            .map(|(_, a)| of_type[&a["declaredType"]].parse().unwrap())
            .collect();
        assert_eq!(found, nominals);
        // Position has the nominals 0, 1, 1.
        assert_eq!(
            (&*of_type["Position_1"], &*of_type["Position_2"]),
            ("0.0", "1.0")
        );
    }

    /// 8 slots for each box, with 4 states each: a box more is 45 states more.
    #[test]
    fn the_document_grows_as_the_number_of_boxes_that_stick_does() {
        let size = |standard: Standard, boxes: usize| {
            let mut description = bouncing_ball();
            description.contact.law.friction = FrictionKind::Stick;
            let mut one = description.bodies.pop().expect("a ball");
            let lengths = [0.1; 3];
            one.shapes[0].form = Form::Box { lengths };
            for index in 0..boxes {
                one.name = format!("box_{index}");
                one.position[0] = index as f64;
                description.bodies.push(one.clone());
            }
            let scene = Scene::new(description).unwrap();
            let nominals = vec![0.5; scene.layout().count()];
            assert_eq!(nominals.len(), 45 * boxes);
            described_for(standard, &scene, &nominals).len() / boxes
        };
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let sizes = [30, 60, 120].map(|boxes| size(standard, boxes));
            println!("{standard:?}: {sizes:?} bytes for a box");
            assert!(
                sizes[1..].iter().all(|of_more| *of_more < 5 * sizes[0] / 4),
                "{sizes:?}"
            );
        }
    }

    #[test]
    fn every_unknown_has_ascending_dependencies_even_if_there_are_none() {
        let xml = described(&scene());
        let structure = children(&xml, "ModelStructure");
        let mut names: Vec<_> = structure.iter().map(|(n, _)| n.as_str()).collect();
        names.dedup();
        assert_eq!(
            names,
            [
                "Output",
                "ContinuousStateDerivative",
                "InitialUnknown",
                "EventIndicator"
            ]
        );
        for (_, attributes) in &structure {
            let dependencies: Vec<u32> = attributes["dependencies"]
                .split_whitespace()
                .map(|r| r.parse().unwrap())
                .collect();
            assert!(dependencies.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn declared_types_and_units_are_defined() {
        let xml = described(&scene());
        let names = |parent| -> Vec<String> {
            let elements = children(&xml, parent).into_iter();
            elements
                .map(|(_, mut a)| a.remove("name").unwrap())
                .collect()
        };
        let (units, types) = (names("UnitDefinitions"), names("TypeDefinitions"));
        for (_, attributes) in children(&xml, "ModelVariables") {
            if let Some(declared) = attributes.get("declaredType") {
                assert!(types.contains(declared));
            }
        }
        for (_, attributes) in children(&xml, "TypeDefinitions") {
            if let Some(unit) = attributes.get("unit") {
                assert!(units.contains(unit));
            }
        }
    }

    #[test]
    fn the_default_experiment_is_given_or_suggested() {
        let found = |experiment: Experiment| {
            let mut description = bouncing_ball();
            description.experiment = experiment;
            let xml = described(&Scene::new(description).unwrap());
            let mut elements = children(&xml, "fmiModelDescription");
            elements.retain(|(name, _)| name == "DefaultExperiment");
            let value = |key: &str| elements[0].1[key].parse::<f64>().unwrap();
            ["startTime", "stopTime", "tolerance", "stepSize"].map(value)
        };
        let mut experiment = Experiment {
            start_time: 1.0,
            stop_time: 4.0,
            tolerance: None,
            step_size: None,
            max_steps: 1e6,
            max_step: 0.0,
            solver: Solver::Auto,
            threads: 1.0,
            statistics: false,
        };
        assert_eq!(found(experiment), [1.0, 4.0, 1e-7, 3.0 / 500.0]);
        experiment.tolerance = Some(1e-9);
        experiment.step_size = Some(0.25);
        assert_eq!(found(experiment), [1.0, 4.0, 1e-9, 0.25]);
        // Importers need what contacts ask for.
        experiment.tolerance = Some(1e-6);
        assert_eq!(found(experiment), [1.0, 4.0, 1e-7, 0.25]);
    }

    #[test]
    fn the_version_is_the_one_that_every_importer_takes_and_there_is_no_time_stamp() {
        let xml = described(&scene());
        assert!(xml.contains("fmiVersion=\"3.0\""));
        assert!(xml.contains("instantiationToken=\"abc\""));
        assert!(!xml.contains("generationDateAndTime"));
        assert!(!xml.contains("template"));
    }
}
