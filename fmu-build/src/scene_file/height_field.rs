//! `height_field`: a file of heights over a grid as a solid that touches with its own surface.

use super::notes::ReadMesh;
use super::polyhedron::{layer, once, read_unit, sharp_part, size};
use super::walker::{Field, Section};
use contact_laws::finding::Finding;
use contact_model::scene::description::Form;
use contact_model::scene::description::form::HEIGHT_FIELD;
use fmu_mesh::height_field::{HeightField, Sizes, read as read_heights, says_spacing};
use fmu_mesh::solid::{short, solid_of};
use std::path::Path;

/// Reads `height_field`.
pub(super) fn read(inner: &mut Section<'_>) -> Option<Form> {
    let [file, spacing, unit, depth] = HEIGHT_FIELD;
    let file = inner.key(file);
    let name = file.clone().and_then(Field::string);
    let unit = inner.field(unit.key).map_or(Some(1.0), read_unit);
    let [spacing, depth] = [spacing, depth].map(|key| size(inner, key));
    if !says_spacing(name?) && spacing == Some(None) {
        let help = "write the distance of neighbouring heights, such as spacing = \"0.5 m\"";
        let message = format!("{}spacing is missing", inner.path());
        inner.missing("spacing", (message, help));
        return None;
    }
    let sizes = Sizes {
        unit: unit?,
        spacing: spacing?,
        depth: depth?,
    };
    let read = |path: &Path| read_solid(&read_heights(path)?, &sizes);
    once(inner, file?, &format!("{sizes:?}"), read)
}

fn read_solid(field: &HeightField, sizes: &Sizes) -> Result<ReadMesh, String> {
    let (surface, spacing) = field.solid(sizes)?;
    let (lower, upper) = surface.bounds();
    let solid = solid_of(&surface)?;
    let surface = sharp_part(&surface);
    let steep = |why| {
        format!(
            "{why}; it is too steep there for its spacing: smooth it or give it more heights, and where it meets a \
             wall of the solid give the outermost heights twice"
        )
    };
    let (line, warning) = layer(&surface, "smooth it, or give it more heights").map_err(steep)?;
    let heights = field.heights.iter().map(|height| height * sizes.unit);
    let (least, most) = heights.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), height| (height.min(least), height.max(most)),
    );
    let [x, y] = [upper.x - lower.x, upper.y - lower.y].map(short);
    let rows = field.heights.len() / field.columns;
    let lines = vec![
        format!(
            "{} heights to the east and {rows} to the north, {} m apart: {x} m by {y} m",
            field.columns,
            short(spacing)
        ),
        format!(
            "heights from {} to {} m, floor at {} m",
            short(least),
            short(most),
            short(lower.z)
        ),
        line,
    ];
    let doubt = field.doubt.clone().map(Finding::from);
    Ok(ReadMesh {
        form: Form::Surface { solid, surface },
        lines,
        warnings: doubt.into_iter().chain(warning).collect(),
        concave: None,
        doubt: None,
    })
}
