//! Lines of the package for each body, parameter and input.
//!
//! A frame has position r_0 and rotation R, whose T maps world to body axes and whose w is the angular
//! velocity in body axes, [Modelica 4.0] `Modelica.Mechanics.MultiBody.Frames`. Its force and torque are flow
//! variables: a load on the body has the opposite sign.

use super::{fill, identifier, number, string, vector};
use contact_geometry::math::real::{atan2, hypot};
use contact_geometry::math::{Mat3, rotation_matrix};
use contact_laws::index::{BodyId, InputId};
use contact_model::scene::description::{ForceAxes, Gravity, Naming, OrientationInput};
use contact_model::scene::{Input, Scene};
use fmu_core::direct::forces::driven_bodies;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterFacts {
    /// Structured name.
    pub(crate) name: String,
    /// Unit; `None` for a pure number.
    pub unit: Option<String>,
    /// Start value in the scene.
    pub(crate) start: f64,
    /// Description.
    pub description: String,
}

impl ParameterFacts {
    pub(crate) fn identifier(&self, naming: Naming) -> String {
        identifier(&self.name, naming)
    }

    /// Declaration, indented by two.
    pub(crate) fn declaration(&self, naming: Naming) -> String {
        let unit = self.unit.as_deref().filter(|unit| is_unit(unit));
        let unit = unit.map_or(String::new(), |unit| format!("(unit={})", string(unit)));
        format!(
            "  parameter Real {}{unit} = {}\n    {};",
            self.identifier(naming),
            number(self.start),
            string(&self.description)
        )
    }
}

/// Whether a unit conforms to Modelica's grammar of units, [Modelica 3.6] chapter 19: names, integer
/// exponents, one division or none.
fn is_unit(unit: &str) -> bool {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-' | '(' | ')');
    let letter_or_paren = |c: char| c.is_ascii_alphabetic() || c == '(' || c == '1';
    unit.chars().all(sign)
        && unit.matches('/').count() <= 1
        && unit
            .split(['.', '/'])
            .all(|factor| factor.starts_with(letter_or_paren))
}

/// Texts for driven bodies, each after its name; those whose name is followed by a comma are joined by
/// commas.
const TEXTS: &str = include_str!("../../../modelDescription.templates/modelica/bodies.mo");

/// Texts for the driven bodies of a scene, by name.
///
/// # Errors
/// A key of a text without a value.
pub(crate) fn bodies(scene: &Scene) -> Result<Vec<(&'static str, String)>, String> {
    let count = driven_bodies(scene).count();
    let bodies = driven_bodies(scene).enumerate();
    let words = Vec::from_iter(bodies.map(|(place, index)| body_words(scene, index, place, count)));
    let text = |part: &'static str| {
        let (head, lines) = part.split_once('\n')?;
        let (name, comma) = head.split_once(' ').unwrap_or((head, ""));
        let filled = words.iter().map(|words| fill(lines, words));
        let filled = filled.collect::<Result<Vec<String>, String>>();
        let between = format!("{comma}\n");
        let joined = filled.map(|texts| {
            let texts = texts.iter().map(|text| text.trim_end());
            Vec::from_iter(texts).join(&between)
        });
        Some(joined.map(|text| (name, text)))
    };
    TEXTS.split("@@ ").filter_map(text).collect()
}

/// Replacements in the texts for a body, the `place`-th of `count`; a body with massless shapes gets a
/// placeholder mass for the user to replace.
fn body_words(
    scene: &Scene,
    index: BodyId,
    place: usize,
    count: usize,
) -> Vec<(&'static str, String)> {
    let body = &scene.bodies()[index];
    let naming = scene.interface().naming;
    let [place_of, last] = [place, count.saturating_sub(1)].map(|n| n as f64);
    let frame = match count {
        1 => 0.0,
        _ => 80.0 - 160.0 * place_of / last,
    };
    let [frame, part] = [
        frame.round() as i32,
        40 * (count as i32 - 1) - 80 * place as i32,
    ];
    let (mass, inertia) = match body.mass.mass > 0.0 {
        true => (body.mass.mass, body.mass.inertia),
        false => (1.0, Mat3::identity() * 0.01),
    };
    let output = |field: &str| {
        let output = outputs(scene, index, field).map(|name| identifier(&name, naming));
        format!(
            "{{{}}}",
            output.map(|name| format!("fmu.{name}")).join(", ")
        )
    };
    let (axes, cut, cut_end) = match body.drive.wrench_axes {
        ForceAxes::World => (
            "world axes",
            format!(
                "Modelica.Mechanics.MultiBody.Frames.resolve2(frame_{}.R, ",
                body.name
            ),
            ")",
        ),
        ForceAxes::Body => ("axes of the frame", String::new(), ""),
    };
    let (function, size, text) = match body.drive.orientation {
        OrientationInput::Quaternion => ("quaternion", "4", "Quaternion (w, x, y, z)"),
        OrientationInput::Matrix => ("rotation", "3, 3", "Rotation matrix"),
    };
    let rotation = rotation_matrix(&body.orientation);
    let mut words = vec![
        ("name", body.name.clone()),
        ("place", (place + 1).to_string()),
        ("frame_low", (frame - 16).to_string()),
        ("frame_high", (frame + 16).to_string()),
        ("body_low", (part - 20).to_string()),
        ("body_high", (part + 20).to_string()),
        ("axes", axes.to_owned()),
        ("fmu_force", output("contact_force")),
        ("fmu_torque", output("contact_torque")),
        ("fmu_cut", cut),
        ("fmu_cut_end", cut_end.to_owned()),
        ("orientation", function.to_owned()),
        ("orientation_size", size.to_owned()),
        ("orientation_text", text.to_owned()),
        ("mass", number(mass)),
        ("center", vector(body.mass.center_of_mass.into())),
        ("position", vector(body.position.into())),
        ("velocity", vector(body.velocity.into())),
        ("angles", vector(cardan_angles(&rotation))),
        (
            "angular_velocity",
            vector((rotation * body.angular_velocity).into()),
        ),
    ];
    let entries = ["I_11", "I_22", "I_33", "I_21", "I_31", "I_32"];
    let places = [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)];
    let values = places.map(|place| number(inertia[place]));
    words.extend(entries.into_iter().zip(values));
    words
}

/// Structured names of a vector output of the FMU for a body.
pub(crate) fn outputs(scene: &Scene, body: BodyId, field: &str) -> [String; 3] {
    let name = &scene.bodies()[body].name;
    [1, 2, 3].map(|i| format!("{name}.{field}[{i}]"))
}

/// Cardan angles [rad] of a rotation, body to world, about x, then the new y, then the new z: R = R_x(a)
/// R_y(b) R_z(c).
fn cardan_angles(r: &Mat3) -> [f64; 3] {
    let cos_b = hypot(r[(0, 0)], r[(0, 1)]);
    let b = atan2(r[(0, 2)], cos_b);
    // With b at a right angle only the sum of the other two counts.
    if cos_b < 1e-9 {
        return [atan2(r[(2, 1)], r[(1, 1)]), b, 0.0];
    }
    let a = atan2(-r[(1, 2)], r[(2, 2)]);
    let c = atan2(-r[(0, 1)], r[(0, 0)]);
    [a, b, c].map(|angle| angle + 0.0)
}

/// Arguments of the world of the MultiBody library; a point gravity field is about its origin.
pub(crate) fn world(gravity: Gravity) -> String {
    let types = "Modelica.Mechanics.MultiBody.Types.GravityTypes";
    match gravity {
        Gravity::Uniform(g) if g != [0.0; 3] => {
            let size = g.iter().map(|c| c * c).sum::<f64>().sqrt();
            format!(
                "g={}, n={}",
                number(size),
                vector(g.map(|c| c / size + 0.0))
            )
        }
        Gravity::Point { mu, .. } => {
            format!("gravityType={types}.PointGravity, mu={}", number(mu))
        }
        Gravity::None | Gravity::Uniform(_) => format!("gravityType={types}.NoGravity"),
    }
}

/// Right-hand side for an FMU input given by a frame; `None` for other inputs.
fn of_frame(scene: &Scene, input: Input) -> Option<String> {
    let name = |body: BodyId| &scene.bodies()[body].name;
    Some(match input {
        Input::Position(b, i) => format!("frame_{}.r_0[{}]", name(b), i + 1),
        Input::Orientation(b, i) => format!("orientation_{}[{}]", name(b), i + 1),
        Input::Rotation(b, i) => {
            format!("orientation_{}[{}, {}]", name(b), i / 3 + 1, i % 3 + 1)
        }
        Input::Velocity(b, i) => format!("velocity_{}[{}]", name(b), i + 1),
        Input::AngularVelocity(b, i) => format!("frame_{}.R.w[{}]", name(b), i + 1),
        Input::Force(..)
        | Input::Torque(..)
        | Input::Joint(..)
        | Input::BallTorque(..)
        | Input::Latch(_)
        | Input::Parameter(_) => return None,
    })
}

/// Equations of all FMU inputs, and declarations of inputs that no frame gives.
pub(crate) fn fmu_inputs(scene: &Scene) -> (String, String) {
    let naming = scene.interface().naming;
    let (mut equations, mut declarations) = (Vec::new(), Vec::new());
    for (index, input) in scene.inputs().iter_enumerated() {
        let name = identifier(&scene.input_name(index), naming);
        match of_frame(scene, *input) {
            Some(value) => equations.push(format!("  fmu.{name} = {value};")),
            None => {
                declarations.push(format!(
                    "  Modelica.Blocks.Interfaces.RealInput {name} \"Input of the FMU\";"
                ));
                equations.push(format!("  fmu.{name} = {name};"));
            }
        }
    }
    (equations.join("\n"), declarations.join("\n"))
}

/// Equations of the inputs of `FmuContact` in a model that has it as `contact`: their start values.
pub(crate) fn contact_inputs(scene: &Scene) -> Vec<String> {
    let naming = scene.interface().naming;
    let inputs = scene.inputs().iter_enumerated();
    let free = inputs.filter(|(_, input)| of_frame(scene, **input).is_none());
    let equation = |(index, input): (InputId, &Input)| {
        let name = identifier(&scene.input_name(index), naming);
        format!("  contact.{name} = {};", number(scene.input_start(*input)))
    };
    free.map(equation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cardan_angles_turn_the_world_into_the_body() {
        let turn = |axis: usize, angle: f64| {
            let (s, c) = angle.sin_cos();
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut m = Mat3::identity();
            (m[(j, j)], m[(j, k)], m[(k, j)], m[(k, k)]) = (c, -s, s, c);
            m
        };
        let right = std::f64::consts::FRAC_PI_2;
        for [a, b, c] in [[0.3, -0.7, 2.1], [-2.5, 1.2, 0.4], [0.8, right, 0.0]] {
            let rotation = turn(0, a) * turn(1, b) * turn(2, c);
            let [a, b, c] = cardan_angles(&rotation);
            let found = turn(0, a) * turn(1, b) * turn(2, c);
            assert!((found - rotation).amax() < 1e-15, "{found}");
        }
    }

    #[test]
    fn a_unit_that_modelica_cannot_write_is_left_away() {
        for (unit, good) in [
            ("Pa", true),
            ("kg.m2/s", true),
            ("1/s", true),
            ("N/m^1.5", false),
            ("N.s/m/s", false),
        ] {
            assert_eq!(is_unit(unit), good, "{unit}");
        }
    }
}
