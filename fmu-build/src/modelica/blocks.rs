//! Modelica text for each body, parameter and input.
//!
//! A frame has position r_0 and the rotation R, whose T maps world to body axes and whose w is the angular
//! velocity in body axes, [Modelica 4.0] `Modelica.Mechanics.MultiBody.Frames`. Its force and torque are flow
//! variables: loads on the body enter with the opposite sign.

use super::{identifier, number, string, vector};
use contact_geometry::math::real::{atan2, hypot};
use contact_geometry::math::{Mat3, rotation_matrix};
use contact_laws::index::{BodyId, InputId};
use contact_model::scene::description::{ForceAxes, Gravity, Naming, OrientationInput};
use contact_model::scene::{Body, Input, Scene};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterFacts {
    pub(crate) name: String,
    /// Unit; `None` for a pure number.
    pub unit: Option<String>,
    pub(crate) start: f64,
    pub description: String,
}

impl ParameterFacts {
    pub(crate) fn identifier(&self, naming: Naming) -> String {
        identifier(&self.name, naming)
    }

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

/// Returns true if a unit conforms to Modelica's grammar of units, [Modelica 3.6] chapter 19: names, integer
/// exponents, up to one division.
fn is_unit(unit: &str) -> bool {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-' | '(' | ')');
    let letter_or_paren = |c: char| c.is_ascii_alphabetic() || c == '(' || c == '1';
    unit.chars().all(sign)
        && unit.matches('/').count() <= 1
        && unit
            .split(['.', '/'])
            .all(|factor| factor.starts_with(letter_or_paren))
}

/// Driven body.
#[derive(Clone, Copy)]
pub(crate) struct Driven<'a> {
    pub scene: &'a Scene,
    pub(crate) index: BodyId,
    /// Index among the driven bodies, from 1.
    pub place: usize,
    pub(crate) count: usize,
}

impl<'a> Driven<'a> {
    fn body(&self) -> &'a Body {
        &self.scene.bodies()[self.index]
    }

    pub(crate) fn frame(&self) -> String {
        format!("frame_{}", self.body().name)
    }

    pub(crate) fn frame_declaration(&self) -> String {
        let y = match self.count {
            1 => 0.0,
            count => 80.0 - 160.0 * (self.place - 1) as f64 / (count - 1) as f64,
        };
        let y = y.round() as i32;
        format!(
            "  Modelica.Mechanics.MultiBody.Interfaces.Frame_a {} \"Frame of body {}\"\n    \
             annotation(Placement(transformation(extent={{{{-116, {}}}, {{-84, {}}}}})));",
            self.frame(),
            self.body().name,
            y - 16,
            y + 16
        )
    }

    /// Declaration of the load on it.
    pub(crate) fn force_declarations(&self, axes: &str) -> String {
        let name = &self.body().name;
        format!(
            "  Modelica.Units.SI.Force force_{name}[3] \"Contact force on {name}, {axes}\";\n  \
             Modelica.Units.SI.Torque torque_{name}[3]\n    \
             \"Contact torque on {name} about the origin of its frame, {axes}\";"
        )
    }

    pub(crate) fn velocity_declaration(&self) -> String {
        let (name, frame) = (&self.body().name, self.frame());
        format!(
            "  Modelica.Units.SI.Velocity velocity_{name}[3] = der({frame}.r_0)\n    \
             \"Velocity of the origin of {frame}, world axes\";"
        )
    }

    /// Declaration of its orientation in the form of the FMU.
    pub(crate) fn orientation_declaration(&self) -> String {
        let (name, frame) = (&self.body().name, self.frame());
        match self.body().drive.orientation {
            OrientationInput::Quaternion => format!(
                "  Real orientation_{name}[4] = Functions.quaternion({frame}.R.T)\n    \
                 \"Quaternion (w, x, y, z), body to world\";"
            ),
            OrientationInput::Matrix => format!(
                "  Real orientation_{name}[3, 3] = Functions.rotation({frame}.R.T)\n    \
                 \"Rotation matrix, body to world\";"
            ),
        }
    }

    /// Row for the C library.
    pub(crate) fn motion_row(&self) -> String {
        let (name, frame) = (&self.body().name, self.frame());
        format!("    Functions.motion({frame}.r_0, {frame}.R.T, velocity_{name}, {frame}.R.w)")
    }

    /// Equations from the row of wrenches of the C library, world axes, to its frame.
    pub(crate) fn wrench_equations(&self) -> String {
        let (name, place) = (&self.body().name, self.place);
        format!(
            "  force_{name} = wrenches[{place}, 1:3];\n  torque_{name} = wrenches[{place}, 4:6];\n{}",
            self.cut_equations(ForceAxes::World)
        )
    }

    /// Equations from the outputs of the FMU to its frame.
    pub(crate) fn fmu_wrench_equations(&self) -> String {
        let (name, naming) = (&self.body().name, self.scene.interface().naming);
        let vector = |field: &str| {
            let element = |i: usize| {
                let output = self.output(field, i);
                format!("fmu.{}", identifier(&output, naming))
            };
            format!("{{{}}}", [0, 1, 2].map(element).join(", "))
        };
        format!(
            "  force_{name} = {};\n  torque_{name} = {};\n{}",
            vector("contact_force"),
            vector("contact_torque"),
            self.cut_equations(self.body().drive.wrench_axes)
        )
    }

    /// Equations of the load through its frame.
    fn cut_equations(&self, axes: ForceAxes) -> String {
        let (name, frame) = (&self.body().name, self.frame());
        let cut = |quantity: &str, flow: &str| match axes {
            ForceAxes::World => format!(
                "  {frame}.{flow} = -Modelica.Mechanics.MultiBody.Frames.resolve2({frame}.R, \
                 {quantity}_{name});"
            ),
            ForceAxes::Body => format!("  {frame}.{flow} = -{quantity}_{name};"),
        };
        format!("{}\n{}", cut("force", "f"), cut("torque", "t"))
    }

    /// Structured names of its FMU outputs.
    pub(crate) fn outputs(&self) -> Vec<String> {
        let fields = ["contact_force", "contact_torque"];
        let names = fields.map(|field| [0, 1, 2].map(|i| self.output(field, i)));
        names.into_iter().flatten().collect()
    }

    fn output(&self, field: &str, component: usize) -> String {
        format!("{}.{field}[{}]", self.body().name, component + 1)
    }

    pub(crate) fn axes(&self) -> &'static str {
        match self.body().drive.wrench_axes {
            ForceAxes::World => "world axes",
            ForceAxes::Body => "axes of the frame",
        }
    }

    /// Mass and inertia; for a body with massless shapes a placeholder for the user.
    fn mass(&self) -> (f64, Mat3) {
        let mass = &self.body().mass;
        match mass.mass > 0.0 {
            true => (mass.mass, mass.inertia),
            false => (1.0, Mat3::identity() * 0.01),
        }
    }

    /// Parameters that impulses need.
    pub(crate) fn mass_parameters(&self) -> String {
        let name = &self.body().name;
        let (mass, i) = self.mass();
        let entries = [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)].map(|place| i[place]);
        format!(
            "  parameter Modelica.Units.SI.Mass mass_{name} = {} \"Mass of {name}; 0: it does not yield\";\n  \
             parameter Modelica.Units.SI.Position center_{name}[3] = {}\n    \
             \"Centre of mass in the frame of {name}\";\n  \
             parameter Modelica.Units.SI.Inertia inertia_{name}[6] = {}\n    \
             \"I_11, I_22, I_33, I_21, I_31, I_32 of {name} about its centre of mass\";",
            number(mass),
            vector(self.body().mass.center_of_mass.into()),
            vector(entries)
        )
    }

    /// Row of masses.
    pub(crate) fn mass_row(&self) -> String {
        let name = &self.body().name;
        let three = |of: &str| [1, 2, 3].map(|i| format!("{of}_{name}[{i}]")).join(", ");
        let rest = [4, 5, 6].map(|i| format!("inertia_{name}[{i}]"));
        format!(
            "    {{mass_{name}, {}, {}, {}}}",
            three("center"),
            three("inertia"),
            rest.join(", ")
        )
    }

    /// Modifiers of these parameters for the body of [`Self::free_body`].
    pub(crate) fn mass_modifiers(&self) -> String {
        let (name, part) = (&self.body().name, self.part());
        let entries = ["11", "22", "33", "21", "31", "32"].map(|ij| format!("{part}.I_{ij}"));
        format!(
            "      mass_{name}={part}.m,\n      center_{name}={part}.r_CM,\n      inertia_{name}={{{}}}",
            entries.join(", ")
        )
    }

    pub(crate) fn jump_declarations(&self) -> String {
        let name = &self.body().name;
        format!(
            "  Modelica.Units.SI.Velocity velocity_jump_{name}[3]\n    \
             \"Jump of the velocity of the origin of {name} at the last event, world axes\";\n  \
             Modelica.Units.SI.AngularVelocity angular_jump_{name}[3]\n    \
             \"Jump of the angular velocity of {name} at the last event, axes of the frame\";\n  \
             Modelica.Units.SI.Impulse impulse_{name}[3]\n    \
             \"Impulse of contacts on {name} at the last event, world axes\";"
        )
    }

    pub(crate) fn jump_equations(&self) -> String {
        let (name, place) = (&self.body().name, self.place);
        format!(
            "  velocity_jump_{name} = jumps[{place}, 1:3];\n  angular_jump_{name} = jumps[{place}, 4:6];\n  \
             impulse_{name} = jumps[{place}, 7:9];"
        )
    }

    /// Reinitialisation of the velocities of the body of [`Self::impulsive_body`] by its jumps.
    pub(crate) fn reinits(&self) -> String {
        let (name, part) = (&self.body().name, self.part());
        let line = |state: &str, jump: &str| {
            format!("      reinit({part}.{state}, pre({part}.{state}) + contact.{jump}_{name});")
        };
        let (v, w) = (line("v_0", "velocity_jump"), line("w_a", "angular_jump"));
        format!("{v}\n{w}")
    }

    /// Body of [`Self::free_body`] with its velocities as states, which jumps need.
    pub(crate) fn impulsive_body(&self) -> String {
        let start = format!("{}(\n", self.part());
        let states = format!("{start}      enforceStates=true,\n      useQuaternions=true,\n");
        self.free_body().replacen(&start, &states, 1)
    }

    pub(crate) fn free_body(&self) -> String {
        let body = self.body();
        let rotation = rotation_matrix(&body.orientation);
        let y = 40 * (self.count as i32 - 1) - 80 * (self.place as i32 - 1);
        let (mass, inertia) = self.mass();
        let entry = |i: usize, j: usize| number(inertia[(i, j)]);
        format!(
            "    Modelica.Mechanics.MultiBody.Parts.Body {}(\n      m={},\n      r_CM={},\n      \
             I_11={}, I_22={}, I_33={},\n      I_21={}, I_31={}, I_32={},\n      \
             r_0(start={}, each fixed=true),\n      v_0(start={}, each fixed=true),\n      \
             angles_fixed=true,\n      angles_start={},\n      w_0_fixed=true,\n      \
             w_0_start={}) annotation(\n        \
             Placement(transformation(extent={{{{-20, {}}}, {{-60, {}}}}})));",
            self.part(),
            number(mass),
            vector(body.mass.center_of_mass.into()),
            entry(0, 0),
            entry(1, 1),
            entry(2, 2),
            entry(1, 0),
            entry(2, 0),
            entry(2, 1),
            vector(body.position.into()),
            vector(body.velocity.into()),
            vector(cardan_angles(&rotation)),
            vector((rotation * body.angular_velocity).into()),
            y - 20,
            y + 20
        )
    }

    /// Name of that body, which is no prefix of another name of the model.
    fn part(&self) -> String {
        format!("body_{}", self.body().name)
    }

    pub(crate) fn connection(&self) -> String {
        format!(
            "    connect({}.frame_a, contact.{});",
            self.part(),
            self.frame()
        )
    }
}

/// Cardan angles [rad] about x, the new y, then the new z, that rotate the world to a body with this
/// rotation, body to world: R = R_x(a) R_y(b) R_z(c).
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

/// Right-hand side for an FMU input given by a frame, if it is one.
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
        | Input::Latch(_) => return None,
    })
}

/// Equations of all inputs of the FMU, and declarations of those that no frame gives.
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
