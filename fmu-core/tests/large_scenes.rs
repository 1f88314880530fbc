//! What thousands of bodies take: pairs are bound by classes, and memory grows as the bodies do.

use crate::counting::held;
use crate::fixtures::*;
use crate::granular::stepping;
use contact_model::dynamics::pressing;

/// Distance of neighbours [m]; the balls have 0.2 m.
const PITCH: f64 = 0.3;

/// Equal balls in a cube over a floor.
fn scene(count: usize) -> SceneDescription {
    let edge = (1..).find(|edge: &usize| edge.pow(3) >= count).unwrap();
    let place = |index: usize| {
        let steps = [index % edge, index / edge % edge, 1 + index / edge / edge];
        steps.map(|step| PITCH * step as f64)
    };
    let floor = body("floor", Motion::Fixed, Form::HalfSpace, [0.0; 3]);
    let balls = (0..count).map(|index| ball(&format!("ball_{index}"), place(index)));
    steel_scene(std::iter::once(floor).chain(balls).collect())
}

#[test]
fn ten_thousand_equal_balls_on_a_floor_are_two_classes_of_pairs() {
    let count = 10_000;
    let scene = valid(scene(count));
    let functions = UserFunctions::not_loaded(&scene);
    let model = pressing::bind(&scene, &Parameters::start(&scene), &functions);
    let model = model.expect("good parameters");
    let classes = model.pair_classes();
    let mut pairs: Vec<usize> = classes.iter().map(|class| class.count()).collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [count, count * (count - 1) / 2]);
}

/// Bytes that an instance for Co-Simulation holds, with its scene, after a communication step.
fn bytes(count: usize) -> i64 {
    let before = held();
    let mut instance = stepping(scene(count));
    instance.do_step(0.0, 1e-3).expect("a step");
    held() - before
}

#[test]
fn a_thousand_balls_take_less_than_20_megabytes_and_four_times_as_many_four_times_as_much() {
    let [some, many] = [1000, 4000].map(bytes);
    assert!(some < 20_000_000, "{some}");
    assert!(many < 5 * some, "{many}, {some}");
}
