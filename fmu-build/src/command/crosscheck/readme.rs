//! The readme of an exported FMU, in Markdown.

use super::{Case, Exported};
use crate::description::{TOOL, VERSION};
use crate::host::Interface;
use crate::number::exact;
use std::fmt::Write;

impl Exported {
    /// The readme beside the FMU of a case; `has_own` if the result of the own importer is there.
    pub(super) fn readme(&self, case: &Case, has_own: bool) -> String {
        let (model, plan) = (&self.model, &case.plan);
        let (run, inputs) = match plan.interface {
            Interface::CoSimulation => (
                format!("communication step size {} s", exact(plan.step)),
                "they are set at each communication point",
            ),
            Interface::ModelExchange => (
                "a solver with variable steps".to_owned(),
                "on straight lines between the rows",
            ),
        };
        let mut text = format!(
            "# {model}\n\nRigid bodies in contact, exported by {TOOL} {VERSION} as an FMU of FMI {} with \
             {}. Units and frames are in documentation/index.html inside the FMU.\n\n\
             - `{model}_ref.csv`: reference, by the FMU at a relative tolerance of {:e}\n\
             - `{model}_ref.opt`: settings to run it with: {} s to {} s, relative tolerance {:e}, \
             {run}\n",
            self.version,
            plan.interface.name(),
            case.reference_tolerance,
            exact(plan.start),
            exact(plan.stop),
            plan.tolerance,
        );
        if self.inputs.is_some() {
            text += &format!("- `{model}_in.csv`: inputs; {inputs}\n");
        }
        if has_own {
            text += &format!(
                "- `{model}_cc.csv`: result of the importer of {TOOL} {VERSION} with these settings\n"
            );
        }
        text += &format!(
            "\nRelTol in `{model}_ref.opt` is the tolerance that the FMU suggests, coarser than that of the \
             reference. This departs from section 9.1.4 of the rules, options used to create the \
             reference: importers are compared at the settings that users run the FMU with, and the \
             reference is to have no part in the difference.\n\n| variable | meaning |\n|---|---|\n"
        );
        for variable in &case.variables {
            let meaning = variable.description.as_deref().unwrap_or_default();
            let meaning = meaning.replace('|', "\\|");
            // Writing to a String never fails.
            let _ = writeln!(text, "| `{}` | {meaning} |", variable.name);
        }
        text
    }
}
