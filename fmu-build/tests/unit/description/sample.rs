//! A scene for the tests of this folder.

#[path = "../../../../fmu-core/model/tests/fixtures/mod.rs"]
mod fixtures;

use contact_model::scene::SceneDescription;

/// A steel ball above a steel plate.
pub fn bouncing_ball() -> SceneDescription {
    let mut ground = fixtures::plate_of(1.0);
    ground.name = "ground".into();
    let ball = fixtures::ball("ball", [0.0, 0.0, 1.1]);
    let mut description = fixtures::steel_scene(vec![ground, ball]);
    description.name = "bouncing_ball".into();
    description.experiment.stop_time = 3.0;
    description
}
