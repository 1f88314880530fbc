//! The forms with plane faces: `hull`, the convex hull of points, and `mesh`, a file of triangles.
//!
//! A reader gives hulls with sharp edges; [`smooth`] rounds them once the shape's smoothing radius
//! is known. The same mesh read in the same way by several shapes is read once.

use super::notes::{Doubt, ReadMesh};
use super::units::Quantity;
use super::walker::{Field, Section};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Cells;
use contact_laws::finding::Finding;
use contact_laws::quantity::{Key, units};
use contact_model::scene::description::form::{CONTACTS, MESH, POINTS, SOLIDS};
use contact_model::scene::description::{ConvexPart, Form, SharpPart};
use fmu_mesh::crossing::Crossing;
use fmu_mesh::file;
use fmu_mesh::hull::{EXACT, Surface, convex_hull};
use fmu_mesh::solid::{Mesh, excess, place, round, short, solid_of};
use std::path::Path;

/// What touches of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TouchingForm {
    Hull,
    Mesh,
}

/// What [`CONTACTS`] stand for.
const TOUCHING: [TouchingForm; 2] = [TouchingForm::Hull, TouchingForm::Mesh];

/// What the mass comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Matter {
    Mesh,
    Hull,
}

/// What [`SOLIDS`] stand for.
const MATTERS: [Matter; 2] = [Matter::Mesh, Matter::Hull];

/// What to write where the unit is missing.
const UNIT_HINT: &str =
    "write the unit of the file, such as unit = \"mm\"; only a 3MF file says it";

/// How a mesh is to be read.
#[derive(Clone, Copy, Debug)]
struct MeshOptions {
    /// Unit of the file [m]; `None` if it says its own.
    unit: Option<f64>,
    scale: f64,
    /// `None`: the mesh if it is concave, else its hull.
    contact: Option<TouchingForm>,
    matter: Matter,
    /// Thickness of the shell below an open mesh [m].
    thickness: Option<f64>,
}

/// Factor on the pressures of a layer from which on it is worth a warning [1].
const STEEP: f64 = 1.1;

/// Thickness of a shell that tells whether an open surface can have one, relative to the largest coordinate [1].
const THIN: f64 = 1e-4;
const FILL: &str =
    "fill the hole there in the program it comes from, or delete the sheet if it is left over";

/// Longest side [m] of the bounding box of a mesh on a moving body beyond which the unit is doubted: longer than a
/// machine part, and of one of 50 mm in metres.
const LARGEST: f64 = 50.0;
/// Longest side [m] below which it is doubted on any body: a part of 1 m in millimetres has 1 mm.
const SMALLEST: f64 = 1e-3;

/// Relative difference [1] of two units below which they are equal.
const ROUNDING: f64 = 1e-12;

/// Reads `hull`.
pub(crate) fn hull(inner: &mut Section<'_>) -> Option<Form> {
    let field = inner.key(POINTS)?;
    let expected = format!("an array of points such as {}", POINTS.example);
    let points = field.clone().all(&expected, |point| {
        point.vector(units::LENGTH).map(Vec3::from)
    })?;
    let made = convex_hull(&points, EXACT)
        .map_err(|error| error.to_string())
        .and_then(|hull| Ok((solid_of(&hull)?, hull)));
    match made {
        Ok((solid, hull)) => {
            if hull.vertices.len() < points.len() {
                inner.tell(vec![format!(
                    "{} of {} points are corners, the others lie within",
                    hull.vertices.len(),
                    points.len()
                )]);
            }
            let part = sharp(&hull);
            Some(Form::Hull { solid, part })
        }
        Err(reason) => {
            field.fail(reason);
            None
        }
    }
}

/// Reads `mesh`.
pub(crate) fn mesh(inner: &mut Section<'_>) -> Option<Form> {
    let [file, unit, scale, contact, matter, thickness] = MESH;
    let file = inner.key(file);
    let name = file.clone().and_then(Field::string);
    let says_unit = name.is_some_and(file::says_unit);
    let unit = match says_unit {
        true => Some(inner.optional(unit.key, read_unit)),
        false => inner.required(unit.key, UNIT_HINT, read_unit).map(Some),
    };
    let [scale, thickness] = [scale, thickness].map(|key| size(inner, key));
    let contact = inner
        .field(contact.key)
        .map_or(Some(None), |f| Some(Some(TOUCHING[f.word(&CONTACTS)?])));
    let matter = inner
        .field(matter.key)
        .map_or(Some(Matter::Mesh), |f| Some(MATTERS[f.word(&SOLIDS)?]));
    let file = file?;
    name?;
    let options = MeshOptions {
        unit: unit?,
        scale: scale?.unwrap_or(1.0),
        contact: contact?,
        matter: matter?,
        thickness: thickness?,
    };
    let read = |path: &Path| read_mesh(path, &options);
    let form = once(inner, file, &format!("{options:?}"), read);
    inner.notes().note_mesh(inner.item());
    form
}

/// A number that may be left out; `None` if it cannot be read.
pub(super) fn size(inner: &mut Section<'_>, key: Key) -> Option<Option<f64>> {
    let is_given = inner.has(key.key);
    let size = inner.checked_number(key);
    (size.is_some() || !is_given).then_some(size)
}

/// Form of the named file, read with these options unless it was before.
pub(super) fn once(
    inner: &mut Section<'_>,
    file: Field<'_>,
    options: &str,
    read: impl FnOnce(&Path) -> Result<ReadMesh, String>,
) -> Option<Form> {
    let name = file.clone().string()?;
    let notes = inner.notes();
    let key = format!("{name} {options}");
    let known = notes.meshes.borrow().get(&key).cloned();
    let read = known.unwrap_or_else(|| {
        let read = read(&notes.folder().join(name));
        notes.meshes.borrow_mut().insert(key, read.clone());
        read
    });
    match read {
        Ok(ReadMesh {
            form,
            lines,
            warnings,
            concave,
            doubt,
        }) => {
            let key = inner.path().trim_end_matches('.');
            let head = format!("{}{key} {name:?} ", inner.subject());
            notes.doubts.borrow_mut().extend(doubt.map(|mut doubt| {
                doubt.finding = doubt.finding.of(&head);
                (inner.item(), doubt)
            }));
            if let Some(difference) = concave {
                notes.note_concave(inner.item(), format!("{name:?} is concave: {difference}"));
            }
            for warning in warnings {
                notes.warn(inner.item(), "mesh", warning.of(&head));
            }
            inner.tell(lines);
            Some(form)
        }
        Err(reason) => {
            file.fail(format!("{name:?} {reason}"));
            None
        }
    }
}

/// Metres of a unit of length.
pub(super) fn read_unit(field: Field<'_>) -> Option<f64> {
    let unit = field.clone().string()?;
    let parsed = match unit.trim() {
        "" => Err("; expected the unit of the file, such as \"mm\"".into()),
        unit => Quantity::of(units::LENGTH).parse(&format!("1 {unit}")),
    };
    parsed
        .map_err(|wrong: Finding| field.fail(wrong.of(&format!("is {unit:?}"))))
        .ok()
}

/// Why a mesh is refused; `shell` is what is wrong with a thin shell below it.
fn is_open(mesh: &Mesh, shell: Option<String>) -> String {
    let cure = match (mesh.repairs.lone_edges, shell) {
        (0, _) => "remove the inner wall".to_owned(),
        (_, Some(why)) => format!("{FILL}; a thickness does not help: the surface {why}"),
        _ => format!("{FILL}; for a wall that is meant to be one sheet write thickness = \"2 mm\""),
    };
    format!(
        "is open: it has {}, so that it bounds no volume; {cure}, or let its hull stand for it with solid = \"hull\" \
         and contact = \"hull\" (mass, center_of_mass and inertia of the body can be given instead)",
        mesh.open_edges()
    )
}

fn read_mesh(path: &Path, options: &MeshOptions) -> Result<ReadMesh, String> {
    let content = file::read(path)?;
    let unit = match (options.unit, content.unit) {
        (Some(given), Some(own)) if (given / own - 1.0).abs() > ROUNDING => {
            return Err(format!(
                "has coordinates in units of {} m, but unit is {} m; leave out unit",
                short(own),
                short(given)
            ));
        }
        (given, own) => given
            .or(own)
            .ok_or("says no unit; write unit = \"mm\" or another")?,
    };
    let factor = unit * options.scale;
    let (mesh, mut lines) = match options.thickness {
        Some(thickness) => {
            let line = format!("a shell {} m thick below an open surface", short(thickness));
            let mesh = Mesh::shell(&content.surface, factor, thickness)?;
            (mesh, vec![line])
        }
        None => (Mesh::new(&content.surface, factor)?, Vec::new()),
    };
    let is_hull = options.matter == Matter::Hull && options.contact != Some(TouchingForm::Mesh);
    if !mesh.is_closed() && !is_hull {
        let thin = THIN * mesh.surface.largest();
        return Err(is_open(
            &mesh,
            Mesh::shell(&content.surface, factor, thin).err(),
        ));
    }
    lines.extend(mesh.report());
    let mut warnings = flaws(&mesh);
    let solid = match options.matter {
        Matter::Mesh => solid_of(&mesh.surface)?,
        Matter::Hull => {
            lines.push("mass is that of the convex hull".to_owned());
            solid_of(&mesh.hull)?
        }
    };
    let is_free = options.contact.is_none();
    let mut concave = mesh.concavity.as_ref().filter(|_| is_free).map(excess);
    if mesh.is_closed() && mesh.repairs.branched_edges > 0 {
        warnings.extend(concave.take().map(|excess| branches(&mesh, &excess)));
    }
    let form = match (options.contact, &concave) {
        (Some(TouchingForm::Mesh), _) | (None, Some(_)) => {
            let surface = sharp_part(&mesh.surface);
            refuse_crossing(&mesh)?;
            let refused = |why: String| refused(concave.as_deref(), &why);
            let smoother = "mesh it finer there, or with fewer faces at a vertex";
            let (line, steep) = layer(&surface, smoother).map_err(refused)?;
            let line = match &concave {
                Some(_) => format!("concave, so that {line}"),
                None => line,
            };
            lines.push(line);
            warnings.extend(steep);
            Form::Surface { solid, surface }
        }
        (Some(TouchingForm::Hull), _) | (None, None) => {
            let what = match is_free && mesh.is_closed() && mesh.concavity.is_none() {
                true => "convex, so that its hull touches:",
                false => "its convex hull touches,",
            };
            lines.push(format!("{what} {} vertices", mesh.hull.vertices.len()));
            let parts = vec![sharp(&mesh.hull)];
            Form::Mesh { solid, parts }
        }
    };
    Ok(ReadMesh {
        form,
        lines,
        warnings,
        concave,
        doubt: doubt(&mesh.surface, unit).filter(|_| content.unit.is_none()),
    })
}

/// What is said of the size of a mesh that is likely where the unit [m] is not that of the file.
fn doubt(surface: &Surface, unit: f64) -> Option<Doubt> {
    let (lower, upper) = surface.bounds();
    let size = (upper - lower).max();
    let (name, meant, other) = match size {
        _ if size > LARGEST && unit > 1e-3 => ("mm", "millimetres", 1e-3),
        _ if size < SMALLEST && unit < 1.0 => ("m", "metres", 1.0),
        _ => return None,
    };
    let [size_then, size] = [size / unit * other, size].map(short);
    let message = format!("is {size} m large with a unit of {} m", short(unit));
    let help =
        format!("write unit = {name:?} if the file is in {meant}: it is {size_then} m large then");
    Some(Doubt {
        is_large: name == "mm",
        finding: (message, help).into(),
    })
}

/// Warnings of a surface that crosses itself, and of a component within another.
fn flaws(mesh: &Mesh) -> Vec<Finding> {
    let overlaps = |crossing: &Crossing| {
        let message = format!(
            "{}; what is enclosed twice has twice the mass",
            crosses(crossing)
        );
        Finding::from((message, unite(crossing)))
    };
    let nested = (mesh.repairs.nested > 0).then(|| {
        let message = "has a component within another, so that its volume counts twice";
        let help =
            "delete one of the two, or turn the triangles of the inner one over if it is a cavity";
        Finding::from((message, help))
    });
    mesh.crossing.iter().map(overlaps).chain(nested).collect()
}

/// Where a surface crosses itself, to follow the name of its file.
fn crosses(crossing: &Crossing) -> String {
    let start = match crossing.solids {
        0 => "crosses itself".to_owned(),
        count => format!("has {count} solids that overlap"),
    };
    let (count, place) = (crossing.triangles, place(&crossing.at));
    format!("{start}: {count} triangles cross others, one at {place}")
}

/// Refuses a surface that crosses itself: it cannot touch as it is.
fn refuse_crossing(mesh: &Mesh) -> Result<(), String> {
    let Some(crossing) = &mesh.crossing else {
        return Ok(());
    };
    let (crosses, cure) = (crosses(crossing), unite(crossing));
    let apart = match crossing.solids {
        0 => "",
        _ => ", give each a file and a shape",
    };
    Err(format!(
        "{crosses}, and so cannot touch with its own surface; {cure}{apart}, or write contact = \"hull\""
    ))
}

/// What to do about a surface that crosses itself.
fn unite(crossing: &Crossing) -> &'static str {
    match crossing.solids {
        0 => "mend it there in the program it comes from",
        _ => "unite them to one solid in the program it comes from",
    }
}

/// Warning of a mesh whose hull touches since some of its edges have more than two triangles.
fn branches(mesh: &Mesh, excess: &str) -> Finding {
    let message = format!(
        "has edges with more than two triangles{}, and so cannot touch with its own surface: \
         its hull touches, and {excess}",
        mesh.middle(mesh.repairs.branched_at)
    );
    let help =
        "part or unite what meets there in the program it comes from, or write contact = \"hull\"";
    Finding::from((message, help))
}

/// Why a mesh cannot touch as it is; `concave` is how its hull differs if it does since it is concave.
fn refused(concave: Option<&str>, why: &str) -> String {
    let start = concave.map_or(String::new(), |concave| {
        format!("is concave: {concave}; it ")
    });
    format!(
        "{start}cannot touch with its own surface: it {why}; mend it there in the program it comes from, or write \
         contact = \"hull\""
    )
}

/// What to say, and to warn, of the layer under a surface that touches as it is; `smoother` is the cure of the warning.
///
/// # Errors
/// It has no layer, in words.
pub(super) fn layer(
    surface: &SharpPart,
    smoother: &str,
) -> Result<(String, Option<Finding>), String> {
    let points: Vec<Vec3> = surface.vertices.iter().map(|v| Vec3::from(*v)).collect();
    let cells = Cells::new(&points, &surface.triangles)?;
    let line = format!(
        "the mesh itself touches: {} cells, pressures exact to a depth of {} m, {} kB",
        cells.count(),
        short(cells.thickness()),
        cells.bytes().div_ceil(1000)
    );
    let (steepness, at) = cells.steepest();
    let steep = (steepness > STEEP).then(|| {
        let message = format!(
            "has a vertex where more than three faces meet, at {}: pressures there are up to {} times too large",
            place(&at),
            short(steepness)
        );
        Finding::from((message, smoother))
    });
    Ok((line, steep))
}

pub(super) fn sharp_part(surface: &Surface) -> SharpPart {
    SharpPart {
        vertices: surface.vertices.iter().map(|v| (*v).into()).collect(),
        triangles: surface.triangles.clone(),
    }
}

fn sharp(hull: &Surface) -> ConvexPart {
    let SharpPart {
        vertices,
        triangles,
    } = sharp_part(hull);
    ConvexPart {
        vertices,
        triangles,
        radius: 0.0,
        sharp: None,
    }
}

/// Rounds the sharp parts of a form by a radius [m], at most a tenth of the smallest dimension of
/// each.
///
/// # Errors
/// In words, where rounding errors forbid it.
pub(crate) fn smooth(form: &mut Form, radius: f64) -> Result<(), String> {
    let parts = match form {
        Form::Hull { part, .. } => std::slice::from_mut(part),
        Form::Mesh { parts, .. } => parts.as_mut_slice(),
        Form::Compound { parts } => {
            return parts
                .iter_mut()
                .try_for_each(|part| smooth(&mut part.form, radius));
        }
        _ => return Ok(()),
    };
    for part in parts {
        let hull = Surface {
            vertices: part.vertices.iter().map(|v| Vec3::from(*v)).collect(),
            triangles: std::mem::take(&mut part.triangles),
        };
        let rounded = round(&hull, radius)?;
        *part = sharp(&rounded.core);
        if rounded.radius > 0.0 {
            part.radius = rounded.radius;
            part.sharp = Some(sharp_part(&hull));
        }
    }
    Ok(())
}
