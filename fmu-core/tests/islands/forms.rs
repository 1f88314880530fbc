//! Shapes whose nearest features are searched for from hints, and shapes beside the origin of their
//! body, against a whole at a tolerance of 1e-10.

use crate::fixtures::*;
use crate::islands::comparing::*;

#[track_caller]
fn agree(name: &str, description: SceneDescription, end: f64, step: f64) -> Both {
    let mut both = Both::new(name, description, [FINE, TOLERANCE]);
    both.to(end, step);
    both.were_divided();
    both.meet_the_same(1e-6);
    both.are_at_the_same(STATES);
    both.close_the_balance(ENERGY);
    both
}

/// The octahedron |x| + |y| + |z| <= r as a convex part: volume 4/3 r^3, moments of inertia r^2/5
/// of it about each axis.
pub fn octahedron(r: f64) -> Form {
    let vertices = [0, 1, 2]
        .into_iter()
        .flat_map(|axis| {
            [r, -r].map(|x| {
                let mut corner = [0.0; 3];
                corner[axis] = x;
                corner
            })
        })
        .collect();
    let mut triangles = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                let odd = (x + y + z) % 2 == 1;
                triangles.push(if odd { [x, z, y] } else { [x, y, z] });
            }
        }
    }
    // Outwards: (+x, +y, +z) is 0 + 2 + 4, even.
    let volume = 4.0 / 3.0 * r * r * r;
    let moment = volume * r * r / 5.0;
    let solid = Solid {
        volume,
        centroid: [0.0; 3],
        inertia: [moment, moment, moment, 0.0, 0.0, 0.0],
        lower: [-r; 3],
        upper: [r; 3],
    };
    let part = ConvexPart {
        vertices,
        triangles,
        radius: 0.0,
        sharp: None,
    };
    Form::Mesh {
        solid,
        parts: vec![part],
    }
}

/// A mesh of one part that touches with its own surface.
pub fn touching(form: Form) -> Form {
    let Form::Mesh { solid, mut parts } = form else {
        panic!("{form:?} is no mesh");
    };
    let part = parts.swap_remove(0);
    let surface = SharpPart {
        vertices: part.vertices,
        triangles: part.triangles,
    };
    Form::Surface { solid, surface }
}

/// Bodies of a form, which reaches 0.15 m, that tumble onto a plate and into each other.
pub fn tumbling(form: &Form, friction: FrictionKind) -> SceneDescription {
    let one = |name: &str, x: f64, speed: f64, spin: [f64; 3]| {
        let at = [x, 0.01 * x, 0.17];
        let mut one = body(name, Motion::Free, form.clone(), at);
        one.angular_velocity = spin;
        at_speed(one, [speed, 0.0, 0.0])
    };
    let bodies = vec![
        plate(),
        one("one", -0.2, 1.5, [2.0, -3.0, 1.0]),
        one("two", 0.2, -0.5, [-1.0, 2.0, 4.0]),
        one("aside", 0.7, 0.1, [0.5, 1.0, -2.0]),
    ];
    scene(bodies, Some(friction))
}

#[test]
fn hulls_and_ellipsoids_that_tumble_meet_as_the_whole_says() {
    let lengths = [0.3, 0.24, 0.2];
    for (name, form) in [
        ("ellipsoids", ellipsoid(lengths)),
        ("octahedra", octahedron(0.15)),
        ("meshes", touching(octahedron(0.15))),
    ] {
        let mut description = tumbling(&form, FrictionKind::Regularized);
        if name == "meshes" {
            // These touch over an area.
            description.material_pairs[0].response = PairResponse::Law(LawChanges {
                normal: Some(NormalKind::Hertz),
                friction: Some(FrictionKind::Regularized),
                numbers: vec![
                    (Number::StiffnessPerArea, 1e9),
                    (Number::Restitution, RESTITUTION),
                    (Number::SlidingFriction, 0.3),
                ],
                ..LawChanges::default()
            });
        }
        let both = agree(name, description, 0.1, 0.01);
        assert!(!starts_of(&both.divided, "one", "two").is_empty(), "{name}");
    }
}

/// Dumb-bells whose origin is beside the centre of mass, and which spin: the origin of a body then
/// does not fly on a parabola.
#[test]
fn bodies_off_their_origins_meet_as_the_whole_says() {
    let bell = |name: &str, position: [f64; 3], velocity: [f64; 3]| {
        let mut bell = moving(name, position, velocity);
        let mut second = bell.shapes[0].clone();
        second.name = format!("{name}_far");
        second.form = sphere(0.14);
        second.position = [0.3, 0.0, 0.0];
        bell.shapes.push(second);
        bell.angular_velocity = [0.0, 1.0, 9.0];
        bell
    };
    let bodies = vec![
        bell("one", [-0.6, 0.0, 0.0], [2.0, 0.0, 0.0]),
        bell("two", [0.1, 0.0, 0.0], [0.0, 0.2, 0.0]),
        bell("three", [0.2, 0.8, 0.0], [0.1, -2.0, 0.0]),
        ball("four", [-0.2, -0.5, 0.0]),
    ];
    let description = without_gravity(scene(bodies, Some(FrictionKind::Regularized)));
    agree("dumb-bells", description, 0.5, 0.02);
}

/// Where balls fall to [m].
const CENTER: [f64; 3] = [0.0, 0.02, -0.05];

/// Gravity towards a point is another one at another place: the reference motion has that of the
/// start of the window.
#[test]
fn balls_that_fall_to_a_point_meet_as_the_whole_says() {
    let bodies = vec![
        body("planet", Motion::Fixed, sphere(0.6), CENTER),
        moving("one", [0.55, 0.0, 0.0], [0.0, 0.5, 0.0]),
        moving("two", [0.45, 0.45, 0.0], [0.0, -1.0, 0.2]),
        moving("three", [-0.1, 0.5, 0.3], [1.0, 0.0, 0.0]),
        ball("four", [0.05, -0.7, 0.1]),
    ];
    let mut description = scene(bodies, Some(FrictionKind::Off));
    description.gravity = Gravity::Point {
        mu: 4.0,
        center: CENTER,
    };
    agree("to a point", description, 0.3, 0.05);
}
