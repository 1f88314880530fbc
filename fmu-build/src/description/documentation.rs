//! documentation/index.html: the model, its bodies, units and frames, and every variable.

use super::template::{self, Record, TemplateError};
use super::{ModelFacts, number, start};
use fmu_core::instance::variables::Causality;
use fmu_core::instance::variables::Variable;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::quantity::Keyword;
use fmu_core::scene::description::Guard;
use fmu_core::scene::{Body, Joint, Scene};

const TEMPLATE: &str = include_str!("../../../modelDescription.templates/documentation.html");

/// So many variables the page lists; nobody reads a list of more.
const LISTED: usize = 2000;

/// The text of documentation/index.html.
pub fn documentation(facts: &ModelFacts) -> Result<String, TemplateError> {
    let describer = Describer::new(facts.scene, facts.table);
    let variables = describer.variables(facts.nominals);
    let interface = facts.scene.interface();
    let tunable = interface.tunable;
    let waits = tunable && !interface.strict;
    let count = |n: usize| n.to_string();
    let any = |is_empty: bool| (!is_empty).then(String::new);
    let scene = facts.scene;
    let record = facts
        .record()
        .optional("has_fixed_parameters", (!tunable).then(String::new))
        .optional("has_tunable_parameters", tunable.then(String::new))
        .optional("has_waiting_parameters", waits.then(String::new))
        .optional("is_strict", interface.strict.then(String::new))
        .optional(
            "is_guarded",
            (interface.guard == Guard::Importer).then(String::new),
        )
        .text("parameter_count", count(scene.parameters().len()))
        .text("input_count", count(scene.inputs().len()))
        .list("bodies", scene.bodies().iter().map(body).collect())
        .optional("has_joints", any(scene.joints().is_empty()))
        .list(
            "joints",
            scene.joints().iter().map(|j| joint(scene, j)).collect(),
        )
        .optional("has_inputs", any(scene.inputs().is_empty()))
        .list(
            "inputs",
            variables
                .iter()
                .filter(|v| v.causality == Causality::Input)
                .map(variable)
                .collect(),
        )
        .list(
            "variables",
            variables.iter().take(LISTED).map(variable).collect(),
        )
        .optional(
            "more_variables",
            variables
                .len()
                .checked_sub(LISTED + 1)
                .map(|more| (more + 1).to_string()),
        );
    template::fill(TEMPLATE, &record)
}

fn body(body: &Body) -> Record {
    Record::new()
        .text("body", &body.name)
        .text("motion", body.motion.word())
        .optional("mass", body.is_dynamic().then(|| number(body.mass.mass)))
        .text("shapes", body.shape_count.to_string())
}

fn joint(scene: &Scene, joint: &Joint) -> Record {
    let parent = joint.parent.map(|body| scene.bodies()[body].name.as_str());
    let states: Vec<String> = match joint.kind.coordinates() {
        [] => Vec::new(),
        coordinates => coordinates.iter().map(|c| c.key.to_owned()).collect(),
    };
    Record::new()
        .text("joint", &joint.name)
        .text("kind", joint.kind.word())
        .text("parent", parent.unwrap_or("world"))
        .text("child", &scene.bodies()[joint.child].name)
        .text("coordinates", states.join(", "))
}

fn variable(variable: &Variable) -> Record {
    Record::new()
        .text("reference", variable.reference.to_string())
        .text("name", &variable.name)
        .text("causality", variable.causality.word())
        .text("variability", variable.variability.word())
        .optional("start", start(variable))
        .text("description", &variable.description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::sample::bouncing_ball;
    use fmu_core::instance::Standard;
    use fmu_core::instance::variables::VariableTable;
    use fmu_core::scene::Scene;

    fn page_of(scene: &Scene, table: &VariableTable) -> String {
        documentation(&ModelFacts {
            scene,
            table,
            nominals: &vec![1.0; scene.layout().count()],
            suggested_tolerance: 1e-8,
            token: "abc",
            about: &fmu_core::scene::description::About::default(),
        })
        .unwrap()
    }

    #[test]
    fn the_page_names_the_fmi_version_and_when_parameters_may_be_set() {
        for (standard, tunable, version, words) in [
            (
                Standard::Fmi3,
                false,
                "for FMI 3.0.",
                "<p>Parameters, initial poses",
            ),
            (
                Standard::Fmi2,
                true,
                "for FMI 2.0.",
                "parameters also at events",
            ),
        ] {
            let mut description = bouncing_ball();
            description.interface.tunable = tunable;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, standard));
            assert!(page.contains(version) && page.contains(words), "{page}");
            assert_eq!(page.matches("may be set until").count(), 1);
        }
    }

    #[test]
    fn the_page_of_a_strict_fmu_promises_no_leniency() {
        for strict in [false, true] {
            let mut description = bouncing_ball();
            description.interface.tunable = true;
            description.interface.strict = strict;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, Standard::Fmi3));
            assert_eq!(page.contains("takes effect at the next event"), !strict);
            assert_eq!(page.contains("is strict"), strict);
        }
    }

    #[test]
    fn the_page_tells_what_guarded_indicators_ask_of_an_importer() {
        for guard in [Guard::Importer, Guard::Off] {
            let mut description = bouncing_ball();
            description.interface.guard = guard;
            let scene = Scene::new(description).unwrap();
            let page = page_of(&scene, &VariableTable::new(&scene, Standard::Fmi3));
            let asked = "Call CompletedIntegratorStep after each step";
            assert_eq!(page.contains(asked), guard == Guard::Importer);
        }
    }

    #[test]
    fn the_page_has_a_row_for_each_body_and_each_variable() {
        let scene = Scene::new(bouncing_ball()).unwrap();
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let page = page_of(&scene, &table);
        assert!(page.starts_with("<!DOCTYPE html>"));
        // A head row in each of the two lists, four rows of the experiment.
        let rows = page.matches("<tr>").count();
        assert_eq!(rows, 4 + 1 + scene.bodies().len() + 1 + table.count());
        let describer = Describer::new(&scene, &table);
        for (_, quantity) in table.quantities() {
            let cell = format!("<td>{}</td>", describer.name(quantity));
            assert!(page.contains(&cell), "{cell}");
        }
        // A browser reads a cell without end tag as open.
        assert!(!page.contains("<td/>") && !page.contains("<td class=\"number\"/>"));
    }
}
