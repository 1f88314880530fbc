//! Forms of shapes and frames in bodies and shapes, as plain data, and their keys.

use contact_geometry::shapes::Axis;
use contact_geometry::shapes::mass::SolidIntegrals;
use contact_laws::quantity;
use contact_laws::quantity::{Key, Keyword, Range, Row, Value, units};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::cell::Cell;

/// Form and size of a shape, in its own frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Form {
    /// Centre in the origin.
    Sphere {
        /// Diameter [m], > 0.
        diameter: f64,
    },
    /// Centre in the origin, axes along those of the frame.
    Ellipsoid {
        /// Diameters along x, y, z [m], > 0.
        lengths: [f64; 3],
    },
    /// Centre in the origin, edges along the axes.
    Box {
        /// Edge lengths along x, y, z [m], > 0.
        lengths: [f64; 3],
    },
    /// Centre in the origin.
    Cylinder {
        /// Outer diameter [m], > 0.
        diameter: f64,
        /// Length along the axis [m], > 0.
        length: f64,
        /// Axis of revolution.
        axis: Axis,
        /// Diameter of a bore along the axis [m], 0 <= inner < outer; for mass and inertia only.
        inner_diameter: f64,
    },
    /// Cone, or frustum if the top has a diameter: centre of the base circle in the origin, axis
    /// towards the top.
    Cone {
        /// Diameter of the base [m], > 0.
        diameter: f64,
        /// Diameter of the top [m], >= 0.
        top_diameter: f64,
        /// Distance from base to top [m], > 0.
        length: f64,
        /// Axis of revolution, from base to top.
        axis: Axis,
    },
    /// Cylinder with a half sphere at either end; centre in the origin.
    Capsule {
        /// Diameter [m], > 0.
        diameter: f64,
        /// Length of the cylinder, without the half spheres [m], > 0.
        length: f64,
        /// Axis of revolution.
        axis: Axis,
    },
    /// Convex hull of two spheres on an axis, the middle between their centres in the origin.
    TaperedCapsule {
        /// Diameter of the sphere before the origin [m], > 0.
        diameter: f64,
        /// Diameter of the sphere behind it along the axis, the top [m], > 0.
        top_diameter: f64,
        /// Distance of the centres [m], > |diameter - top_diameter|/2: neither sphere holds the
        /// other.
        length: f64,
        /// Axis of revolution, towards the top.
        axis: Axis,
    },
    /// Box with half a cylinder at either end; centre in the origin. The length lies along `axis`,
    /// the width along the next axis in cyclic order, the thickness along the third.
    Beam {
        /// Length of the box, without the half cylinders [m], > 0.
        length: f64,
        /// Width, the diameter of the half cylinders [m], > 0.
        width: f64,
        /// Thickness, the length of the half cylinders [m], > 0.
        thickness: f64,
        /// Direction of the length.
        axis: Axis,
    },
    /// Convex hull of given points.
    Hull {
        /// The solid.
        solid: Solid,
        /// What touches.
        part: ConvexPart,
    },
    /// Solid from a mesh file that touches with its own surface.
    Surface {
        /// The solid that gives mass and inertia.
        solid: Solid,
        /// The surface: closed, convex or not.
        surface: SharpPart,
    },
    /// Solid from a mesh file; convex in contact. A scene file gives one part, the hull.
    Mesh {
        /// The solid that the mesh bounds.
        solid: Solid,
        /// What touches: each part is a shape of its own in contact.
        parts: Vec<ConvexPart>,
    },
    /// Several forms as one shape; the parts must not overlap, or their common mass counts twice.
    Compound {
        /// The parts, at least one; no half-space.
        parts: Vec<CompoundPart>,
    },
    /// All points with z <= 0; the outward normal is +z. Only on a fixed body; has no mass.
    HalfSpace,
}

impl Form {
    /// The key that a scene file gives it.
    pub fn key(&self) -> &'static str {
        match self {
            Form::Sphere { .. } => "sphere",
            Form::Ellipsoid { .. } => "ellipsoid",
            Form::Box { .. } => "box",
            Form::Cylinder { .. } => "cylinder",
            Form::Cone { .. } => "cone",
            Form::Capsule { .. } => "capsule",
            Form::TaperedCapsule { .. } => "tapered_capsule",
            Form::Beam { .. } => "beam",
            Form::Hull { .. } => "hull",
            Form::Mesh { .. } | Form::Surface { .. } => "mesh",
            Form::Compound { .. } => "compound",
            Form::HalfSpace => "half_space",
        }
    }
}

/// What a polyhedron weighs and where it ends, at density 1; computed from its exact surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Volume [m3], > 0.
    pub volume: f64,
    /// Centroid in the shape frame [m].
    pub centroid: [f64; 3],
    /// Inertia tensor about the centroid over density [m5]: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// Lower corner of the bounding box in the shape frame [m].
    pub lower: [f64; 3],
    /// Upper corner of the bounding box in the shape frame [m].
    pub upper: [f64; 3],
}

impl From<&SolidIntegrals> for Solid {
    /// Takes over the integrals of a closed surface whose triangles face outwards.
    fn from(integrals: &SolidIntegrals) -> Self {
        let i = &integrals.inertia;
        Solid {
            volume: integrals.volume,
            centroid: integrals.centroid.into(),
            inertia: [
                i[(0, 0)],
                i[(1, 1)],
                i[(2, 2)],
                i[(0, 1)],
                i[(0, 2)],
                i[(1, 2)],
            ],
            lower: integrals.lower.into(),
            upper: integrals.upper.into(),
        }
    }
}

/// A convex polyhedron in contact: a core swept by a ball, its outer size that of the sharp one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvexPart {
    /// Vertices of the core in the shape frame [m].
    pub vertices: Vec<[f64; 3]>,
    /// Triangles of the core's surface by vertex, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Radius of the ball [m], >= 0: the smoothing radius used.
    pub radius: f64,
    /// The polyhedron with sharp edges, for contact over an area; none if the core is it.
    pub sharp: Option<SharpPart>,
}

/// A polyhedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharpPart {
    /// Vertices in the shape frame [m].
    pub vertices: Vec<[f64; 3]>,
    /// Triangles of the surface by vertex, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompoundPart {
    /// Form and size; no compound.
    #[serde(deserialize_with = "form_of_part")]
    pub form: Form,
    /// Origin of the part's frame in the shape frame [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z), part to shape; unit within 1e-6.
    pub orientation: [f64; 4],
}

/// Reads the form of a part. Parts of parts are refused while they are read: bytes of compounds in
/// compounds, a hundred thousand deep, would exhaust the stack.
fn form_of_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Form, D::Error> {
    thread_local! {
        static IN_PART: Cell<bool> = const { Cell::new(false) };
    }
    if IN_PART.replace(true) {
        return Err(Error::custom("a compound cannot be a part of a compound"));
    }
    let form = Form::deserialize(deserializer);
    IN_PART.set(false);
    form
}

/// What a scene file gives of a form that is a few sizes [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Diameters or edges along x, y, z.
    pub lengths: [f64; 3],
    /// Diameter.
    pub diameter: f64,
    /// Diameter of a bore.
    pub inner_diameter: f64,
    /// Diameter at the top.
    pub top_diameter: f64,
    /// Length along the axis.
    pub length: f64,
    /// Width.
    pub width: f64,
    /// Thickness.
    pub thickness: f64,
    /// Direction of the length.
    pub axis: Axis,
}

/// A form that is a few sizes.
#[derive(Clone, Copy, Debug)]
pub struct SizedForm {
    /// The key of the shape.
    pub key: &'static str,
    /// Where it is in its frame.
    pub text: &'static str,
    /// Sizes that it must have, by their keys in [`SIZES`].
    pub sizes: &'static [&'static str],
    /// Sizes that are 0 unless given, and an axis.
    pub options: &'static [&'static str],
    /// The form of these sizes.
    pub make: fn(&Sizes) -> Form,
}

/// A size, and the key of a radius that may be given in its place.
#[derive(Clone, Copy, Debug)]
pub struct SizeRow {
    /// The size.
    pub row: Row<Sizes>,
    /// Half a diameter.
    pub radius: Option<Key>,
}

/// All sizes.
#[rustfmt::skip]
pub(crate) const SIZES: [SizeRow; 8] = [
    SizeRow { radius: None, row: quantity::vector(
        Key::new("lengths", "Diameters or edge lengths along",
            Value::Several(&Value::Number(units::LENGTH, Range::POSITIVE), 3), "[1, 1, 0.1]"),
        |s| Some(s.lengths), |s, v| s.lengths = v,
    ) },
    diameter("diameter", "Diameter; of a cone that of the base", ["0.2", "radius", "0.1"], |s| Some(s.diameter), |s, v| s.diameter = v),
    SizeRow { radius: None, row: quantity::number(
        length("length", "Length along the axis, without half spheres or half cylinders; of a tapered capsule between the centres of the spheres", "0.5"), |s| Some(s.length), |s, v| s.length = v,
    ) },
    SizeRow { radius: None, row: quantity::number(
        length("width", "Width along the next axis, the diameter of the half cylinders", "0.4"), |s| Some(s.width), |s, v| s.width = v,
    ) },
    SizeRow { radius: None, row: quantity::number(
        length("thickness", "Thickness along the third axis", "0.2"), |s| Some(s.thickness), |s, v| s.thickness = v,
    ) },
    SizeRow { radius: None, row: quantity::word::<_, Axis>("axis", "Direction of the length", "\"z\"", |s, v| s.axis = Axis::WORDS[v].1) },
    diameter("inner_diameter", "Diameter of a bore, for the mass only", ["0.1", "inner_radius", "0.05"],
        |s| Some(s.inner_diameter), |s, v| s.inner_diameter = v),
    diameter("top_diameter", "Diameter of the top", ["0.1", "top_radius", "0.05"], |s| Some(s.top_diameter), |s, v| s.top_diameter = v),
];

/// All forms that are a few sizes.
#[rustfmt::skip]
pub const SIZED_FORMS: [SizedForm; 8] = [
    SizedForm { key: "sphere", text: "Sphere, centre in the origin", sizes: &["diameter"], options: &[],
        make: |s| Form::Sphere { diameter: s.diameter } },
    SizedForm { key: "ellipsoid", text: "Ellipsoid, centre in the origin", sizes: &["lengths"], options: &[],
        make: |s| Form::Ellipsoid { lengths: s.lengths } },
    SizedForm { key: "box", text: "Box, centre in the origin", sizes: &["lengths"], options: &[],
        make: |s| Form::Box { lengths: s.lengths } },
    SizedForm { key: "cylinder", text: "Cylinder, centre in the origin", sizes: &["diameter", "length"],
        options: &["axis", "inner_diameter"],
        make: |s| Form::Cylinder { diameter: s.diameter, length: s.length, axis: s.axis, inner_diameter: s.inner_diameter } },
    SizedForm { key: "cone", text: "Cone or frustum, centre of the base in the origin, the top at +length on the axis",
        sizes: &["diameter", "length"], options: &["top_diameter", "axis"],
        make: |s| Form::Cone { diameter: s.diameter, top_diameter: s.top_diameter, length: s.length, axis: s.axis } },
    SizedForm { key: "capsule", text: "Cylinder with half spheres at its ends, centre in the origin",
        sizes: &["diameter", "length"], options: &["axis"],
        make: |s| Form::Capsule { diameter: s.diameter, length: s.length, axis: s.axis } },
    SizedForm { key: "tapered_capsule",
        text: "Convex hull of two spheres, the middle between their centres in the origin, the top at +length/2 on the axis",
        sizes: &["diameter", "top_diameter", "length"], options: &["axis"],
        make: |s| Form::TaperedCapsule { diameter: s.diameter, top_diameter: s.top_diameter, length: s.length, axis: s.axis } },
    SizedForm { key: "beam", text: "Box with half cylinders at its ends, centre in the origin",
        sizes: &["length", "width", "thickness"], options: &["axis"],
        make: |s| Form::Beam { length: s.length, width: s.width, thickness: s.thickness, axis: s.axis } },
];

const fn length(key: &'static str, text: &'static str, example: &'static str) -> Key {
    Key::new(
        key,
        text,
        Value::Number(units::LENGTH, Range::POSITIVE),
        example,
    )
}

const fn diameter(
    key: &'static str,
    text: &'static str,
    [example, radius, half]: [&'static str; 3],
    get: fn(&Sizes) -> Option<f64>,
    set: fn(&mut Sizes, f64),
) -> SizeRow {
    SizeRow {
        row: quantity::number(length(key, text, example), get, set),
        radius: Some(length(radius, "Radius, instead of a diameter", half).unless(key)),
    }
}

impl SizedForm {
    /// Its sizes.
    pub fn sizes(&self) -> impl Iterator<Item = SizeRow> {
        let find = |key: &str| SIZES.iter().find(|size| size.row.key.key == key).copied();
        let required = self.sizes.iter().filter_map(move |key| find(key));
        let options = self.options.iter().filter_map(move |key| find(key));
        required.chain(options.map(|mut size| {
            if let Value::Number(declared, _) = size.row.key.value {
                let value = Value::Number(declared, Range::NOT_NEGATIVE);
                size.row.key = Key {
                    value,
                    ..size.row.key.unless("0")
                };
                size.radius = size.radius.map(|key| Key { value, ..key });
            }
            size
        }))
    }

    /// Its keys, radii too.
    pub fn keys(&self) -> Vec<Key> {
        let keys = |size: SizeRow| [Some(size.row.key), size.radius];
        self.sizes().flat_map(keys).flatten().collect()
    }
}

/// Points of a hull.
pub const POINTS: Key = Key::new(
    "points",
    "Points; interior ones are allowed",
    Value::List(&Value::Numbers(units::POSITION, 3)),
    "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
);
/// An example of a mesh.
pub const MESH_EXAMPLE: &str = "{ file = \"part.stl\", unit = \"mm\" }";
/// Keys of a mesh.
#[rustfmt::skip]
pub const MESH: [Key; 6] = [
    Key::new("file", "STL, OBJ, PLY or 3MF file, from the folder of the scene file", Value::Text, "\"part.stl\""),
    Key::new("unit", "Unit of length of the file; a 3MF file says its own", Value::Text, "\"mm\""),
    Key::new("scale", "Factor on the coordinates", Value::Number(units::COEFFICIENT, Range::POSITIVE), "0.5").unless("1"),
    Key::new("contact", "What touches: the convex hull, or the mesh itself", Value::Word(|| CONTACTS.to_vec()), "\"hull\"")
        .unless("\"mesh\" if it is concave, else \"hull\""),
    Key::new("solid", "What gives mass and inertia", Value::Word(|| SOLIDS.to_vec()), "\"mesh\"").unless("\"mesh\""),
    Key::new("thickness", "Thickness of the shell below an open mesh", Value::Number(units::LENGTH, Range::POSITIVE), "\"2 mm\"")
        .unless("none: the mesh must be closed"),
];
/// An example of a height field.
pub const HEIGHT_FIELD_EXAMPLE: &str = "{ file = \"hills.csv\", spacing = \"0.5 m\" }";
/// Keys of a height field.
#[rustfmt::skip]
pub const HEIGHT_FIELD: [Key; 4] = [
    Key::new("file", "CSV file of heights, or ESRI ASCII grid (.asc), from the folder of the scene file", Value::Text, "\"hills.csv\""),
    Key::new("spacing", "Distance of neighbouring heights; needed for a CSV file", Value::Number(units::LENGTH, Range::POSITIVE), "\"0.5 m\"")
        .unless("cellsize of the grid"),
    Key::new("unit", "Unit of length of the heights, and of cellsize", Value::Text, "\"ft\"").unless("\"m\""),
    Key::new("depth", "Depth of the floor below the least height", Value::Number(units::LENGTH, Range::POSITIVE), "\"2 m\"")
        .unless("a tenth of the longer side"),
];
/// Words for what touches of a mesh.
pub const CONTACTS: [&str; 2] = ["hull", "mesh"];
/// Words for what gives the mass of a mesh.
pub const SOLIDS: [&str; 2] = ["mesh", "hull"];
/// `[[body.shape.part]]`, without its form.
pub const PART: [Key; 3] = [POSITION, ORIENTATION, ROTATION];

// Frames in bodies and shapes.

/// Pose of a frame in another one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalFrame {
    /// Origin [m].
    pub position: [f64; 3],
    /// Quaternion (w, x, y, z); unit within 1e-6, made exactly unit.
    pub orientation: [f64; 4],
}

impl Default for LocalFrame {
    /// The frame itself.
    fn default() -> Self {
        LocalFrame {
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

/// Position of a frame, in the frame of what carries it.
pub const POSITION: Key = Key::new(
    "position",
    "Position",
    Value::Numbers(units::POSITION, 3),
    "[0, 0, \"10 cm\"]",
)
.at("origin of this frame in the one that carries it")
.unless("[0, 0, 0]");
/// Orientation of a frame in the frame of what carries it.
pub const ORIENTATION: Key = Key::new(
    "orientation",
    "Quaternion",
    Value::Numbers(units::QUATERNION, 4),
    "[1, 0, 0, 0]",
)
.at("from this frame to the one that carries it")
.unless("[1, 0, 0, 0]");
/// Orientation by axis and angle.
pub(crate) const ROTATION: Key = Key::new(
    "rotation",
    "Rotation about an axis, instead of orientation",
    Value::Table(|| TURN.to_vec()),
    "",
)
.unless("orientation");
/// Axis and angle of a rotation.
#[rustfmt::skip]
pub const TURN: [Key; 2] = [
    Key::new("axis", "Axis, of any length", Value::Numbers(units::DIRECTION, 3), "[0, 0, 1]"),
    Key::new("angle", "Angle", Value::Number(units::ANGLE, Range::ANY), "\"30 deg\""),
];
/// A frame in a body.
pub(crate) const FRAME: [Key; 3] = [POSITION, ORIENTATION, ROTATION];
