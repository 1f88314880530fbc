//! The forms with plane faces: `hull`, the convex hull of points, and `mesh`, a file of triangles.
//!
//! A reader gives parts with sharp edges; [`smooth`] rounds them once the shape's smoothing radius
//! is known. The same mesh read in the same way by several shapes is read once.

use super::notes::ReadMesh;
use super::units::Quantity;
use super::walker::{Field, Section};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Cells;
use contact_laws::finding::Finding;
use contact_laws::quantity::units;
use contact_model::scene::description::form::{CONTACTS, POINTS, SOLIDS};
use contact_model::scene::description::{ConvexPart, Form, SharpPart};
use fmu_mesh::crossing::Crossing;
use fmu_mesh::decompose::{self, Limits};
use fmu_mesh::file;
use fmu_mesh::hull::{EXACT, Surface, convex_hull};
use fmu_mesh::solid::{Mesh, Pieces, place, round, short, solid_of};
use std::path::Path;

/// What touches of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TouchingForm {
    Hull,
    Decomposition,
    Mesh,
}

/// What [`CONTACTS`] stand for.
const TOUCHING: [TouchingForm; 3] = [
    TouchingForm::Hull,
    TouchingForm::Decomposition,
    TouchingForm::Mesh,
];

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
    contact: TouchingForm,
    matter: Matter,
    limits: Limits,
}

/// Distance of parts from the mesh that is worth a warning where nothing bounds it, as a share of
/// its extent [1]: below it the distance is not measured.
const FAR: f64 = 1e-3;

/// Factor on the pressures of a layer from which on it is worth a warning [1].
const STEEP: f64 = 1.1;

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
    let file = inner.required(
        "file",
        "write the path from the folder of the scene file, such as file = \"part.stl\"",
        Some,
    );
    let name = file.clone().and_then(Field::string);
    let says_unit = name.is_some_and(file::says_unit);
    let unit = match says_unit {
        true => Some(inner.optional("unit", read_unit)),
        false => inner.required("unit", UNIT_HINT, read_unit).map(Some),
    };
    let scale = inner
        .field("scale")
        .map_or(Some(1.0), |f| positive(f, f64::MIN_POSITIVE));
    let contact = inner
        .field("contact")
        .map_or(Some(TouchingForm::Hull), |f| {
            Some(TOUCHING[f.word(&CONTACTS)?])
        });
    let matter = inner
        .field("solid")
        .map_or(Some(Matter::Mesh), |f| Some(MATTERS[f.word(&SOLIDS)?]));
    let limits = read_limits(inner, contact);
    let file = file?;
    let name = name?;
    let options = MeshOptions {
        unit: unit?,
        scale: scale?,
        contact: contact?,
        matter: matter?,
        limits: limits?,
    };
    let notes = inner.notes();
    let key = format!("{name} {options:?}");
    let known = notes.meshes.borrow().get(&key).cloned();
    let read = known.unwrap_or_else(|| {
        let read = read_mesh(&notes.folder().join(name), &options);
        notes.meshes.borrow_mut().insert(key, read.clone());
        read
    });
    match read {
        Ok(ReadMesh {
            form,
            lines,
            warnings,
        }) => {
            for warning in warnings {
                let finding = warning.of(&format!("{}mesh {name:?} ", inner.subject()));
                notes.warn(inner.item(), "mesh", finding);
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

/// The options of a decomposition; a problem where something else touches.
fn read_limits(inner: &mut Section<'_>, contact: Option<TouchingForm>) -> Option<Limits> {
    let parts = inner.field("max_parts");
    let tolerance = inner.field("tolerance");
    let outside = inner.field("max_outside");
    let other = match contact {
        Some(TouchingForm::Hull) => Some("is given, but the hull touches"),
        Some(TouchingForm::Mesh) => Some("is given, but the mesh itself touches"),
        _ => None,
    };
    if let Some(message) = other {
        for field in [&parts, &tolerance, &outside].into_iter().flatten() {
            field.refuse((message, "write contact = \"decomposition\" too"));
        }
    }
    let max_parts = parts.map_or(Some(decompose::MAX_PARTS), |field| {
        let count = field.clone().count()? as usize;
        if count == 0 {
            field.fail("is 0; must be at least 1");
            return None;
        }
        Some(count)
    });
    let tolerance = tolerance.map_or(Some(decompose::TOLERANCE), |f| positive(f, 0.0));
    let max_outside = outside.map_or(Some(None), |field| {
        let most = field.clone().quantity(units::LENGTH)?;
        if most.is_nan() || most <= 0.0 {
            field.fail(format!("is {most} m; must be > 0"));
            return None;
        }
        Some(Some(most))
    });
    Some(Limits {
        max_parts: max_parts?,
        tolerance: tolerance?,
        max_outside: max_outside?,
    })
}

/// Metres of a unit of length.
fn read_unit(field: Field<'_>) -> Option<f64> {
    let unit = field.clone().string()?;
    let parsed = match unit.trim() {
        "" => Err("; expected the unit of the file, such as \"mm\"".into()),
        unit => Quantity::of(units::LENGTH).parse(&format!("1 {unit}")),
    };
    parsed
        .map_err(|wrong: Finding| field.fail(wrong.of(&format!("is {unit:?}"))))
        .ok()
}

/// A number of at least `least`.
fn positive(field: Field<'_>, least: f64) -> Option<f64> {
    let value = field.clone().quantity(units::COEFFICIENT)?;
    if value < least {
        let allowed = if least > 0.0 { "> 0" } else { ">= 0" };
        field.fail(format!("is {value}; must be {allowed}"));
        return None;
    }
    Some(value)
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
    let mesh = Mesh::new(&content.surface, unit * options.scale)?;
    if !mesh.is_closed() && (options.matter, options.contact) != (Matter::Hull, TouchingForm::Hull)
    {
        return Err(format!(
            "is open: {} edges have no second triangle{}, so that it bounds no volume; close it in the program it \
             comes from, or let its hull stand for it with solid = \"hull\" and contact = \"hull\" (mass, \
             center_of_mass and inertia of the body can be given instead)",
            mesh.repairs.open_edges,
            mesh.middle(mesh.repairs.open_at)
        ));
    }
    let mut lines = mesh.report();
    let mut warnings: Vec<_> = mesh.crossing.iter().map(crosses).collect();
    let solid = match options.matter {
        Matter::Mesh => solid_of(&mesh.surface)?,
        Matter::Hull => {
            lines.push("mass is that of the convex hull".to_owned());
            solid_of(&mesh.hull)?
        }
    };
    let parts = match options.contact {
        TouchingForm::Hull => {
            lines.push(format!(
                "its convex hull touches, {} vertices",
                mesh.hull.vertices.len()
            ));
            let (beyond, share) = mesh.excess();
            if mesh.is_closed() && share > 0.0 {
                let message = format!(
                    "is concave, and its convex hull touches: {} m3 ({} %) more than the mesh",
                    short(beyond),
                    short(100.0 * share)
                );
                let help = "write contact = \"mesh\" for its own form, or \"decomposition\" for convex parts";
                warnings.push(Finding::from((message, help)));
            }
            vec![sharp(&mesh.hull)]
        }
        TouchingForm::Decomposition => {
            let pieces = mesh.decompose(&options.limits);
            lines.push(pieces.report());
            warnings.extend(judge(&pieces, &options.limits)?.map(Finding::from));
            pieces.hulls.iter().map(sharp).collect()
        }
        TouchingForm::Mesh => {
            let surface = sharp_part(&mesh.surface);
            let (line, steep) = layer(&mesh, &surface)?;
            lines.push(line);
            warnings.extend(steep);
            return Ok(ReadMesh {
                form: Form::Surface { solid, surface },
                lines,
                warnings,
            });
        }
    };
    let form = Form::Mesh { solid, parts };
    Ok(ReadMesh {
        form,
        lines,
        warnings,
    })
}

/// Warning of a surface that crosses itself.
fn crosses(crossing: &Crossing) -> Finding {
    let Crossing { triangles, at } = crossing;
    let message = format!(
        "crosses itself: {triangles} triangles cross others, one at {}; what is enclosed twice has twice the mass",
        place(at)
    );
    let help = "unite its parts in the program it comes from";
    Finding::from((message, help))
}

/// What to say, and to warn, of the layer under the surface of a mesh that touches as it is.
///
/// # Errors
/// It has no layer, in words.
fn layer(mesh: &Mesh, surface: &SharpPart) -> Result<(String, Option<Finding>), String> {
    let refused = |why: String| {
        format!(
            "cannot touch with its own surface: it {why}; mend it there in the program it comes from, or write \
             contact = \"decomposition\""
        )
    };
    if let Some(Crossing { at, .. }) = &mesh.crossing {
        return Err(refused(format!("crosses itself at {}", place(at))));
    }
    let points: Vec<Vec3> = surface.vertices.iter().map(|v| Vec3::from(*v)).collect();
    let cells = Cells::new(&points, &surface.triangles).map_err(refused)?;
    let line = format!(
        "the mesh itself touches: {} cells, pressures exact to a depth of {} m, {} kB",
        cells.count(),
        short(cells.thickness()),
        cells.bytes().div_ceil(1000)
    );
    let (steepness, at) = cells.steepest();
    let steep = (steepness > STEEP).then(|| {
        let message = format!(
            "has faces at {} that differ so much that pressures there are up to {} times too large",
            place(&at),
            short(steepness)
        );
        let help = "mesh it finer there, or with fewer faces at a vertex";
        Finding::from((message, help))
    });
    Ok((line, steep))
}

/// What to warn of in a decomposition.
///
/// # Errors
/// The parts reach farther out of the mesh than they may.
fn judge(pieces: &Pieces, limits: &Limits) -> Result<Option<String>, String> {
    let Limits {
        max_parts,
        tolerance,
        max_outside,
    } = *limits;
    let count = pieces.hulls.len();
    let parts = format!(
        "{count} convex {}",
        if count == 1 { "part" } else { "parts" }
    );
    let outside = short(pieces.deviation);
    if let (Some(most), true) = (max_outside, pieces.exceeds_bound) {
        let reach = match pieces.found > most {
            true => format!("reach {} m", short(pieces.found)),
            false => format!("may reach up to {outside} m"),
        };
        return Err(format!(
            "comes apart into {parts} that {reach} out of it; max_outside is {} m: raise \
             max_parts, which is {max_parts}, or max_outside",
            short(most)
        ));
    }
    let mut texts = Vec::new();
    if pieces.share > tolerance.max(1e-6) {
        texts.push(format!(
            "comes apart into {parts} with up to {} % more volume; the tolerance is {} %, max_parts = {max_parts} \
             allows no better",
            short(100.0 * pieces.share),
            short(100.0 * tolerance)
        ));
    }
    if max_outside.is_none() && pieces.deviation > FAR * pieces.size {
        texts.push(format!(
            "is touched up to {outside} m outside of its surface, where its {parts} reach out of it; write \
             max_outside = \"{outside} m\" or less to bound that"
        ));
    }
    Ok((!texts.is_empty()).then(|| texts.join("; it ")))
}

fn sharp_part(surface: &Surface) -> SharpPart {
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
