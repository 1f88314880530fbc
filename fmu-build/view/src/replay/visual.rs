//! Visual description of a scene: bodies, their shapes as meshes, and the variables of the FMU that move
//! them. An FMU contains it as `extra/io.github.contact-fmu.visual/visual.json`, so that any program can draw
//! the scene from the variables.
//!
//! Lengths in [m], orientations as unit quaternions (w, x, y, z). A variable is named like a column of a
//! result table: a scalar by its name, an entry of an array as `NAME[i]`.

use crate::picture::drawing::{color_of, parts};
use crate::picture::shapes::surface;
use contact_geometry::math::{Pose, Vec3, quaternion};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::BodyId;
use contact_model::scene::description::{Gravity, JointKind};
use contact_model::scene::{GrainsId, Scene, SceneDescription};
use fmu_core::instance::variables::Variable;
use fmu_core::instance::variables::quantity::Subject;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Path inside the FMU by [FMI 3.0] section 2.5 and [FMI 2.0] section 2.3: a folder with the reverse domain
/// of its author.
pub const FILE: &str = "extra/io.github.contact-fmu.visual/visual.json";
/// Format identifier of the file.
pub(crate) const FORMAT: &str = "contact-fmu visual description";
pub(crate) const VERSION: u32 = 1;

/// Maximum deviation of a mesh from the exact surface, relative to half the size of the shape.
const FINENESS: f64 = 0.004;

/// Drawable scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visual {
    /// See [`FORMAT`].
    pub format: String,
    /// See [`VERSION`].
    pub version: u32,
    /// Unit vector against gravity; z without uniform gravity.
    pub up: [f64; 3],
    pub(crate) geometries: Vec<Geometry>,
    /// Bodies in scene order, without those of groups.
    pub bodies: Vec<Body>,
    /// Groups of balls.
    pub balls: Vec<Balls>,
    /// Joints except free ones.
    pub joints: Vec<Joint>,
    /// Contacts reported as outputs.
    pub contacts: Vec<Contact>,
}

/// Geometry in its own frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Geometry {
    /// Ball about the origin.
    Sphere {
        radius: f64,
    },
    Plane,
    Mesh {
        /// x, y, z of each corner.
        vertices: Vec<f32>,
        /// Three corners each, counter-clockwise seen from outside.
        triangles: Vec<u32>,
    },
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Whether the body never moves.
    pub fixed: bool,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Pose at the start.
    pub pose: Placement,
    /// Variables of its position; `None` if it is fixed or the FMU does not expose them.
    pub position: Option<[String; 3]>,
    /// Variables of its orientation (w, x, y, z), likewise.
    pub orientation: Option<[String; 4]>,
    /// Variables of its rotation matrix, row by row, if it has these instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[String; 9]>,
    pub(crate) shapes: Vec<Shape>,
}

/// Pose in the world or in a body frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Origin.
    pub position: [f64; 3],
    /// Orientation.
    pub orientation: [f64; 4],
}

/// Convex shape, or convex part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Name of the shape within its body.
    pub name: String,
    /// Index of its geometry.
    pub geometry: usize,
    /// Pose in the body frame.
    #[serde(flatten)]
    pub pose: Placement,
}

/// A group of balls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balls {
    /// Name.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Radius of each ball.
    pub radii: Vec<f64>,
    /// Array variable of their positions, three columns; `None` in FMI 2.0.
    pub position: Option<String>,
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Kind, as in scene files.
    pub kind: String,
    /// Parent body; `None` for the world.
    pub parent: Option<String>,
    /// Child body.
    pub child: String,
    /// Joint frame in the parent's frame.
    #[serde(flatten)]
    pub frame: Placement,
    /// Joint axis in that frame, if it has one.
    pub axis: Option<[f64; 3]>,
}

/// Reported contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The two shapes, `body.shape:body.shape`.
    pub pair: String,
    /// Variables of the contact point.
    pub(crate) point: [String; 3],
    /// Variables of the force on the second body, world axes.
    pub(crate) force: [String; 3],
}

impl Visual {
    /// Visual description of a scene with its `description` and the `variables` of the FMU.
    pub fn of(scene: &Scene, description: &SceneDescription, variables: &[Variable]) -> Visual {
        let names = Names::of(variables);
        let mut geometries = Geometries::default();
        let of_groups = scene.grains().first().map(|group| group.bodies.start);
        let count = of_groups.map_or(scene.bodies().len(), usize::from);
        let mut bodies: Vec<Body> = (0..count)
            .map(|index| body(scene, BodyId::from(index), &names))
            .collect();
        for part in parts(scene, description) {
            let index = usize::from(part.body);
            let Some(place) = part.of_shape else { continue };
            bodies[index].shapes.push(Shape {
                name: description.bodies[index].shapes[place].name.clone(),
                geometry: geometries.index(&part.shape),
                pose: placement(&part.pose_b),
            });
        }
        let up = match scene.gravity() {
            Gravity::Uniform(g) if Vec3::from(g).norm() > 0.0 => -Vec3::from(g).normalize(),
            _ => Vec3::z(),
        };
        Visual {
            format: FORMAT.into(),
            version: VERSION,
            up: up.into(),
            geometries: geometries.list,
            bodies,
            balls: (0..scene.grains().len())
                .map(|group| balls(scene, GrainsId::from(group), &names))
                .collect(),
            joints: joints(scene),
            contacts: contacts(scene, &names),
        }
    }

    /// Content of the file.
    ///
    /// # Errors
    /// Never for the result of [`Self::of`].
    pub fn to_json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Text: no visual description, another version, or an invalid reference.
    pub fn from_json(text: &str) -> Result<Visual, String> {
        let visual: Visual = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if visual.format != FORMAT || visual.version != VERSION {
            return Err(format!(
                "is {:?} of version {}; this program reads {FORMAT:?} of version {VERSION}",
                visual.format, visual.version
            ));
        }
        let is_whole = |geometry: &Geometry| match geometry {
            Geometry::Sphere { .. } | Geometry::Plane => true,
            Geometry::Mesh {
                vertices,
                triangles,
            } => {
                let corners = vertices.len() / 3;
                vertices.len() % 3 == 0
                    && triangles.len() % 3 == 0
                    && triangles.iter().all(|corner| (*corner as usize) < corners)
            }
        };
        if let Some(bad) = visual
            .geometries
            .iter()
            .position(|geometry| !is_whole(geometry))
        {
            return Err(format!(
                "geometry {bad} is no mesh of triangles between its corners"
            ));
        }
        let mut shapes = visual.bodies.iter().flat_map(|body| &body.shapes);
        match shapes.find(|shape| shape.geometry >= visual.geometries.len()) {
            Some(shape) => Err(format!(
                "shape {:?} refers to geometry {}, and there are {}",
                shape.name,
                shape.geometry,
                visual.geometries.len()
            )),
            None => Ok(visual),
        }
    }
}

/// Names of entries by subject and member: `position[1]`.
struct Names(BTreeMap<(Subject, String), String>);

impl Names {
    fn of(variables: &[Variable]) -> Names {
        let mut names = BTreeMap::new();
        let mut add = |variable: &Variable, member: String, name: String| {
            names.insert((variable.subject, member), name);
        };
        for variable in variables {
            let (member, name) = (&variable.member, &variable.name);
            match (variable.dimension, variable.columns) {
                (None, _) => add(variable, member.clone(), name.clone()),
                (Some(count), None) => (1..=count).for_each(|i| {
                    add(variable, format!("{member}[{i}]"), format!("{name}[{i}]"));
                }),
                (Some(_), Some(_)) => add(variable, member.clone(), name.clone()),
            }
        }
        Names(names)
    }

    fn get(&self, subject: Subject, member: &str) -> Option<String> {
        self.0.get(&(subject, member.to_owned())).cloned()
    }

    fn vector<const N: usize>(&self, subject: Subject, member: &str) -> Option<[String; N]> {
        let name = |i: usize| self.get(subject, &format!("{member}[{}]", i + 1));
        let found: Option<Vec<String>> = (0..N).map(name).collect();
        found?.try_into().ok()
    }

    /// Entries of a 3 x 3 matrix, an array variable or scalars.
    fn matrix(&self, subject: Subject, member: &str) -> Option<[String; 9]> {
        let whole = self.get(subject, member);
        let name = |i: usize| {
            let indices = format!("[{},{}]", i / 3 + 1, i % 3 + 1);
            match &whole {
                Some(whole) => Some(whole.clone() + &indices),
                None => self.get(subject, &format!("{member}{indices}")),
            }
        };
        let found: Option<Vec<String>> = (0..9).map(name).collect();
        found?.try_into().ok()
    }
}

fn placement(pose: &Pose) -> Placement {
    Placement {
        position: pose.position.into(),
        orientation: quaternion(&pose.rotation),
    }
}

fn body(scene: &Scene, index: BodyId, names: &Names) -> Body {
    let known = &scene.bodies()[index];
    let subject = Subject::Body(index);
    let moving = !known.is_fixed();
    Body {
        name: known.name.clone(),
        fixed: known.is_fixed(),
        color: color_of(scene, index.into()),
        pose: placement(&scene.start_pose(index)),
        position: names.vector(subject, "position").filter(|_| moving),
        orientation: names.vector(subject, "orientation").filter(|_| moving),
        rotation: names.matrix(subject, "rotation").filter(|_| moving),
        shapes: Vec::new(),
    }
}

fn balls(scene: &Scene, group: GrainsId, names: &Names) -> Balls {
    let known = &scene.grains()[group];
    Balls {
        name: known.name.clone(),
        color: color_of(scene, known.bodies.start.into()),
        radii: known.diameters.iter().map(|d| 0.5 * d).collect(),
        position: names.get(Subject::Grains(group), "position"),
    }
}

fn joints(scene: &Scene) -> Vec<Joint> {
    let name = |body: BodyId| scene.bodies()[body].name.clone();
    let joints = scene.joints().iter();
    joints
        .filter(|joint| joint.kind != JointKind::Free)
        .map(|joint| Joint {
            name: joint.name.clone(),
            kind: joint.kind.row().key.to_owned(),
            parent: joint.parent.map(name),
            child: name(joint.child),
            frame: placement(&joint.parent_frame),
            axis: match joint.kind {
                JointKind::Fixed | JointKind::Spherical | JointKind::Free => None,
                _ => Some(joint.axes[0].into()),
            },
        })
        .collect()
}

fn contacts(scene: &Scene, names: &Names) -> Vec<Contact> {
    let reported = scene.reported().iter_enumerated();
    reported
        .filter_map(|(index, pair)| {
            let subject = Subject::Contact(index);
            Some(Contact {
                pair: scene.pair_name(*pair),
                point: names.vector(subject, "point")?,
                force: names.vector(subject, "force")?,
            })
        })
        .collect()
}

#[derive(Default)]
struct Geometries {
    list: Vec<Geometry>,
    known: BTreeMap<String, usize>,
}

impl Geometries {
    fn index(&mut self, shape: &RoundedShape) -> usize {
        let geometry = geometry(shape);
        // Two are alike if they read alike.
        let key = serde_json::to_string(&geometry).unwrap_or_default();
        *self.known.entry(key).or_insert_with(|| {
            self.list.push(geometry);
            self.list.len() - 1
        })
    }
}

fn geometry(shape: &RoundedShape) -> Geometry {
    if shape.is_ball() {
        return Geometry::Sphere {
            radius: shape.radius,
        };
    }
    let size = |axis: usize| {
        let mut direction = Vec3::zeros();
        direction[axis] = 1.0;
        let ends = [direction, -direction].map(|d| shape.core.support(&d)[axis]);
        0.5 * (ends[0] - ends[1]) + shape.radius
    };
    let tolerance = match shape.is_half_space() {
        true => 1.0,
        false => FINENESS * size(0).min(size(1)).min(size(2)),
    };
    let Some(surface) = surface(shape, tolerance) else {
        return Geometry::Plane;
    };
    let corners = surface.vertices.iter();
    Geometry::Mesh {
        vertices: corners
            .flat_map(|v| [v.x as f32, v.y as f32, v.z as f32])
            .collect(),
        triangles: surface.triangles().flatten().collect(),
    }
}
