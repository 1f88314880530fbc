//! Random scenes in which a body may pass through another one within a step.

use crate::fixtures::*;

/// Numbers from a linear congruential generator (Knuth's MMIX constants).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
        random.within(0.0, 1.0);
        random
    }

    pub fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * fraction(&mut self.0)
    }

    fn unit(&mut self) -> [f64; 3] {
        loop {
            let v = [0; 3].map(|_| self.within(-1.0, 1.0));
            let n = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if 0.1 < n && n < 1.0 {
                return v.map(|x| x / n);
            }
        }
    }
}

/// What passes through what.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Walls,
    Shelf,
    Bars,
    Bullet,
    Crossing,
    Drawer,
    Paddle,
    Arm,
    Driven,
    Table,
    Concave,
    FewIndicators,
    Notches,
}

#[rustfmt::skip]
pub const KINDS: [Kind; 13] = [
    Kind::Walls, Kind::Shelf, Kind::Bars, Kind::Bullet, Kind::Crossing, Kind::Drawer, Kind::Paddle,
    Kind::Arm, Kind::Driven, Kind::Table, Kind::Concave, Kind::FewIndicators, Kind::Notches,
];

fn plate(name: &str, lengths: [f64; 3], position: [f64; 3]) -> BodyDescription {
    body(name, Motion::Fixed, cuboid(lengths), position)
}

fn ball(name: &str, diameter: f64, position: [f64; 3], velocity: [f64; 3]) -> BodyDescription {
    let mut ball = body(name, Motion::Free, sphere(diameter), position);
    ball.velocity = velocity;
    ball
}

/// A scene, and the spacing in time that shows every passage [s].
pub fn random_scene(kind: Kind, random: &mut Random) -> (SceneDescription, f64) {
    match kind {
        Kind::Walls => walls(random),
        Kind::Shelf => shelf(random),
        Kind::Bars => bars(random),
        Kind::Bullet => bullet(random),
        Kind::Crossing => crossing(random, None),
        Kind::Drawer => drawer(random),
        Kind::Paddle => paddle(random),
        Kind::Arm => arm(random),
        Kind::Driven => driven(random),
        Kind::Table => table(random),
        Kind::Concave => concave(random),
        Kind::FewIndicators => crossing(random, Some(2)),
        Kind::Notches => notches(random),
    }
}

fn without_gravity(mut description: SceneDescription, stop: f64) -> SceneDescription {
    description.gravity = Gravity::None;
    description.experiment.stop_time = stop;
    description
}

/// A ball or a box between two or three thin walls.
fn walls(random: &mut Random) -> (SceneDescription, f64) {
    let mut bodies = Vec::new();
    let mut x = random.within(0.2, 3.0);
    let thickness = random.within(2e-3, 2e-2);
    for i in 0..2 + usize::from(random.within(0.0, 1.0) < 0.5) {
        bodies.push(plate(
            &format!("wall_{i}"),
            [thickness, 2.0, 2.0],
            [x, 0.0, 0.0],
        ));
        x += random.within(0.3, 2.0);
    }
    let speed = random.within(1.0, 60.0);
    let size = random.within(0.02, 0.1);
    let velocity = [
        speed,
        random.within(-0.05, 0.05),
        random.within(-0.05, 0.05),
    ];
    if random.within(0.0, 1.0) < 0.5 {
        bodies.push(ball("ball", size, [0.0; 3], velocity));
    } else {
        let mut brick = body(
            "brick",
            Motion::Free,
            cuboid([size, 0.7 * size, 0.5 * size]),
            [0.0; 3],
        );
        brick.velocity = velocity;
        brick.angular_velocity = random.unit().map(|c| 20.0 * c);
        bodies.push(brick);
    }
    let description = without_gravity(steel_scene(bodies), 0.3);
    (description, 0.3 * (size + thickness) / speed)
}

/// A ball over a shelf over the floor.
fn shelf(random: &mut Random) -> (SceneDescription, f64) {
    let height = random.within(0.15, 0.6);
    let bodies = vec![
        plate("floor", [4.0, 4.0, 0.1], [0.0, 0.0, -0.05]),
        plate("shelf", [2.0, 2.0, 0.02], [0.0, 0.0, height]),
        ball(
            "ball",
            random.within(0.04, 0.2),
            [0.0, 0.0, random.within(2.0, 8.0)],
            [0.0; 3],
        ),
    ];
    let mut description = steel_scene(bodies);
    description.experiment.stop_time = 1.6;
    (description, 1e-3)
}

/// Two thin bars that turn fast past each other.
fn bars(random: &mut Random) -> (SceneDescription, f64) {
    let bar = |name: &str, position: [f64; 3], random: &mut Random| {
        let mut bar = body(name, Motion::Free, cuboid([0.6, 0.02, 0.02]), position);
        bar.angular_velocity = random.unit().map(|c| 40.0 * c);
        bar
    };
    let one = bar("one", [0.0; 3], random);
    let side = random.unit();
    let mut two = bar("two", side.map(|c| random.within(0.7, 1.5) * c), random);
    two.velocity = side.map(|c| -10.0 * c);
    (without_gravity(steel_scene(vec![one, two]), 0.3), 2e-4)
}

/// A small fast ball and a thin sheet.
fn bullet(random: &mut Random) -> (SceneDescription, f64) {
    let speed = random.within(100.0, 400.0);
    #[rustfmt::skip]
    let bodies = vec![
        plate("sheet", [2e-3, 1.0, 1.0], [random.within(0.5, 20.0), 0.0, 0.0]),
        ball("bullet", 0.01, [0.0; 3], [speed, 0.0, 0.0]),
    ];
    (without_gravity(steel_scene(bodies), 0.1), 3e-3 / speed)
}

/// Balls and capsules that cross each other's ways.
fn crossing(random: &mut Random, nz_max: Option<u32>) -> (SceneDescription, f64) {
    let mut bodies = Vec::new();
    for i in 0..6 {
        let side = random.unit();
        let distance = 1.0 + 0.5 * f64::from(i);
        let speed = random.within(2.0, 15.0);
        let position = side.map(|c| distance * c);
        // All but at the middle.
        let aim = random.unit().map(|c| 0.05 * c);
        let velocity = [0, 1, 2].map(|k| -speed * side[k] + aim[k]);
        let name = format!("body_{i}");
        if i % 2 == 0 {
            bodies.push(ball(&name, 0.12, position, velocity));
        } else {
            let form = capsule(0.06, 0.3, Default::default());
            let mut tube = body(&name, Motion::Free, form, position);
            tube.velocity = velocity;
            tube.angular_velocity = random.unit().map(|c| 5.0 * c);
            bodies.push(tube);
        }
    }
    let mut description = without_gravity(steel_scene(bodies), 1.0);
    description.contact.nz_max = nz_max;
    (description, 1e-3)
}

/// A drawer on a rail with end stops that carries a peg past a thin fixed plate.
fn drawer(random: &mut Random) -> (SceneDescription, f64) {
    let speed = random.within(2.0, 20.0);
    let drawer = body("drawer", Motion::Joint, cuboid([0.1, 0.1, 0.1]), [0.0; 3]);
    let bodies = vec![
        plate("fin", [5e-3, 0.5, 0.5], [random.within(0.5, 1.5), 0.0, 0.0]),
        drawer,
        ball(
            "ball",
            0.05,
            [random.within(1.7, 2.5), 0.0, 0.0],
            [-random.within(1.0, 30.0), 0.0, 0.0],
        ),
    ];
    let mut description = without_gravity(steel_scene(bodies), 0.5);
    let mut rail = joint(JointKind::Prismatic, None, "drawer");
    rail.axis = [1.0, 0.0, 0.0];
    rail.rates = vec![speed];
    rail.forces = vec![CoordinateForces {
        stops: Some(joint_stops(
            Some(-0.2),
            Some(random.within(0.3, 3.0)),
            1e7,
            0.7,
        )),
        ..CoordinateForces::default()
    }];
    description.joints.push(rail);
    (description, 1e-3 / speed)
}

/// A thin paddle that a sine moves through the place of a free ball.
fn paddle(random: &mut Random) -> (SceneDescription, f64) {
    let mut paddle = plate("paddle", [5e-3, 0.4, 0.4], [0.0; 3]);
    paddle.motion = Motion::Prescribed;
    let omega = random.within(5.0, 60.0);
    let bodies = vec![
        paddle,
        ball("ball", 0.04, [random.within(0.1, 0.5), 0.0, 0.0], [0.0; 3]),
        ball(
            "other",
            0.04,
            [-random.within(0.1, 0.5), 0.0, 0.0],
            [0.0; 3],
        ),
    ];
    let mut description = without_gravity(steel_scene(bodies), 0.4);
    let turns = random.within(0.0, 1.0) < 0.3;
    description.motions = vec![motion_of(
        "paddle",
        sine(
            [0.45, 0.0, 0.0],
            [0.0, 0.0, if turns { 0.5 } else { 0.0 }],
            omega,
            0.0,
        ),
    )];
    (description, 5e-3 / (0.45 * omega + 1.0))
}

/// A double arm on hinges whose tip flies past a thin post.
fn arm(random: &mut Random) -> (SceneDescription, f64) {
    let link = |name: &str| {
        let mut link = body(name, Motion::Joint, cuboid([0.5, 0.02, 0.02]), [0.0; 3]);
        link.shapes[0].position = [0.25, 0.0, 0.0];
        link
    };
    // Not where the arm begins, along x.
    let (y, x) = random.within(0.7, 5.5).sin_cos();
    let away = random.within(0.6, 0.95);
    let bodies = vec![
        plate("post", [0.01, 0.01, 0.5], [away * x, away * y, 0.0]),
        link("upper"),
        link("lower"),
    ];
    let mut description = without_gravity(steel_scene(bodies), 0.5);
    let speed = random.within(5.0, 25.0);
    let mut shoulder = match random.within(0.0, 1.0) < 0.5 {
        true => joint(JointKind::Revolute, None, "upper"),
        false => joint(JointKind::Spherical, None, "upper"),
    };
    // A spherical joint turns about z first, too.
    *shoulder.rates.last_mut().expect("a rate") = speed;
    let mut elbow = joint(JointKind::Revolute, Some("upper"), "lower");
    elbow.parent_frame.position = [0.5, 0.0, 0.0];
    elbow.positions = vec![random.within(-0.5, 0.5)];
    elbow.rates = vec![random.within(-25.0, 25.0)];
    description.joints.extend([shoulder, elbow]);
    (description, 2e-4)
}

/// A driven plate, turning, that flies by its velocities through the place of a ball.
fn driven(random: &mut Random) -> (SceneDescription, f64) {
    let speed = random.within(5.0, 60.0);
    let mut plate = plate(
        "plate",
        [5e-3, 0.4, 0.4],
        [-random.within(0.5, 2.0), 0.0, 0.0],
    );
    plate.motion = Motion::Driven;
    plate.velocity = [speed, 0.0, 0.0];
    plate.angular_velocity = [random.within(0.0, 10.0), random.within(-1.0, 1.0), 0.0];
    let bodies = vec![plate, ball("ball", 0.04, [0.0; 3], [0.0; 3])];
    (without_gravity(steel_scene(bodies), 0.2), 5e-3 / speed)
}

/// A paddle that a table moves, straight with kinks or along a spline, past two balls.
fn table(random: &mut Random) -> (SceneDescription, f64) {
    let mut paddle = plate("paddle", [5e-3, 0.4, 0.4], [0.0; 3]);
    paddle.motion = Motion::Prescribed;
    let bodies = vec![
        paddle,
        ball("ball", 0.04, [random.within(0.1, 0.5), 0.0, 0.0], [0.0; 3]),
        ball(
            "other",
            0.04,
            [-random.within(0.1, 0.5), 0.0, 0.0],
            [0.0; 3],
        ),
    ];
    let mut description = without_gravity(steel_scene(bodies), 0.4);
    let kinds = [
        Interpolation::Linear,
        Interpolation::Spline,
        Interpolation::Quintic,
        Interpolation::Trapezoid,
    ];
    let times: Vec<f64> = (0..6).map(|i| 0.07 * f64::from(i)).collect();
    let way = |i: usize| if i.is_multiple_of(2) { -0.55 } else { 0.55 };
    description.motions = vec![motion_of(
        "paddle",
        MotionProfile::Table(MotionTable {
            displacements: (0..6)
                .map(|i| [if i == 0 { 0.0 } else { way(i) }, 0.0, 0.0])
                .collect(),
            times,
            axis: [0.0, 0.0, 1.0],
            angles: Vec::new(),
            interpolation: kinds[random.within(0.0, 3.999) as usize],
            ends: None,
        }),
    )];
    (description, 1e-4)
}

/// A tumbling dumb-bell of three shapes and a frame of four bars in its way.
fn concave(random: &mut Random) -> (SceneDescription, f64) {
    let mut bell = body("bell", Motion::Free, sphere(0.06), [0.0; 3]);
    let bar = body("bar", Motion::Free, capsule(0.02, 0.3, Axis::X), [0.0; 3]);
    let mut other = bell.shapes[0].clone();
    other.name = "other".into();
    (bell.shapes[0].position, other.position) = ([0.15, 0.0, 0.0], [-0.15, 0.0, 0.0]);
    bell.shapes.extend([other, bar.shapes[0].clone()]);
    let speed = random.within(3.0, 40.0);
    bell.velocity = [speed, 0.0, 0.0];
    bell.angular_velocity = random.unit().map(|c| 25.0 * c);
    let away = random.within(0.4, 2.0);
    let mut bodies = vec![bell];
    for i in 0..4 {
        let across = 0.12 * f64::from(i) - 0.18;
        bodies.push(plate(
            &format!("bar_{i}"),
            [6e-3, 1.0, 0.02],
            [away, 0.0, across],
        ));
    }
    (
        without_gravity(steel_scene(bodies), 0.3),
        2e-3 / (speed + 4.0),
    )
}

/// A leg of a mesh with a notch, or a ball, that flies into the notch of another one, close beside its walls.
fn notches(random: &mut Random) -> (SceneDescription, f64) {
    let size = random.within(0.1, 0.3);
    let outline = NOTCH.map(|corner| corner.map(|c| size * c));
    let notched = || prism_of(&outline, &NOTCHED, 1.5 * size);
    let side = size * random.within(-1.0, 1.0) * (1.0 - 10f64.powf(random.within(-4.0, 0.0)));
    let above = size * random.within(2.1, 4.0);
    let mut entering = if random.within(0.0, 1.0) < 0.5 {
        let radius = size * random.within(0.2, 0.399);
        let play = 0.4 - radius / size;
        body(
            "in",
            Motion::Free,
            sphere(2.0 * radius),
            [play * side, 0.0, above],
        )
    } else {
        // Upside down, a leg of 0.6 in a notch of 0.8.
        let mut other = body(
            "in",
            Motion::Free,
            notched(),
            [0.7 * size + 0.1 * side, 0.0, above],
        );
        other.orientation = [0.0, 0.0, 1.0, 0.0];
        other
    };
    let speed = random.within(1.0, 20.0);
    entering.velocity = [0.0, random.within(-0.2, 0.2) * speed, -speed];
    entering.angular_velocity = random.unit().map(|c| random.within(0.0, 0.1) * speed * c);
    let mut open = body("open", Motion::Free, notched(), [0.0; 3]);
    open.velocity = [0.0, 0.0, random.within(-0.5, 0.5) * speed];
    let description = without_gravity(steel_scene(vec![open, entering]), 4.0 * above / speed);
    (description, 0.02 * size / speed)
}
