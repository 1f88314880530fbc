//! What an island does does not depend on the others.

use crate::fixtures::*;
use crate::running::DividedRun;

fn bouncing(name: &str, x: f64) -> BodyDescription {
    let mut ball = ball(name, [x, 0.0, 0.15]);
    ball.velocity = [0.2, 0.1, 0.0];
    ball
}

fn scene(bodies: Vec<BodyDescription>) -> SceneDescription {
    let mut all = vec![plate()];
    all.extend(bodies);
    steel_scene(all)
}

/// States of a body after some bounces, as bits, and steps of all.
fn after(bodies: Vec<BodyDescription>, body: usize) -> (Vec<u64>, u64) {
    let mut run = DividedRun::new(scene(bodies), 1e-8);
    run.to(0.5, 0.01);
    let states = &run.states[13 * body..13 * (body + 1)];
    let bits = states.iter().map(|x| x.to_bits()).collect();
    (bits, run.memory.statistics().steps)
}

#[test]
fn neither_the_order_nor_what_is_beside_an_island_enters_its_bits() {
    let other = |x: f64| {
        let mut one = ball("other", [x, 0.5, 0.3]);
        one.angular_velocity = [1.0, 2.0, 3.0];
        one
    };
    let far = ball("far", [0.5, 0.5, 0.9]);
    let (alone, few) = after(vec![bouncing("one", -0.7), far], 0);
    let (beside, many) = after(vec![bouncing("one", -0.7), other(0.4)], 0);
    assert_eq!(alone, beside);
    assert!(many > few);
    let (last, _) = after(vec![other(0.4), bouncing("one", -0.7)], 1);
    assert_eq!(alone, last);
}

/// An event restarts its island alone: another ball takes no step more, whatever bounces beside it.
#[test]
fn the_steps_of_islands_add_up() {
    let steps = |bodies: Vec<BodyDescription>| after(bodies, 0).1;
    let far = || ball("far", [0.6, 0.6, 50.0]);
    let one = steps(vec![bouncing("one", -0.7), far()]);
    let two = steps(vec![bouncing("one", 0.0), far()]);
    let both = steps(vec![bouncing("one", -0.7), bouncing("two", 0.0), far()]);
    assert!(both.abs_diff(one + two) <= 2, "{one} {two} {both}");
}
