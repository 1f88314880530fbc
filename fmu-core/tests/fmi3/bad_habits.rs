//! Importers with bad habits get the motion of a careful one.

use crate::fmi3::importer::*;
use crate::habits::{Habits, run};

#[test]
fn a_strict_instance_refuses_the_calls_that_the_standard_does_not_allow() {
    let mut description = falling_ball();
    description.interface.strict = true;
    let importer = Fmu::new(description).model_exchange();
    importer.initialize();
    let refused = importer.call(fmi3EnterEventMode);
    assert_eq!(refused, fmi3Status::fmi3Error);
    let expected = "fmi3EnterEventMode: not allowed in Event Mode; allowed in Continuous-Time Mode";
    assert_eq!(importer.reason(), expected);
    assert_eq!(Importer::set_time(&importer, 0.0), fmi3Status::fmi3Error);
    let careful = run(&importer, Habits::default(), 1e-8, 0.1, 5);
    assert!(careful.events > 2);
}
