//! Mesh files by their ending.

use super::hull::Surface;
use super::{obj, stl};
use std::path::Path;

/// Most triangles of a file: indices and memory stay small, and contact needs a hull only.
const MOST_TRIANGLES: usize = 5_000_000;

/// Reads the triangles of a file, in its unit. Vertices may be given several times.
///
/// # Errors
/// What is wrong and what to do, to follow the name of the file.
pub fn read(path: &Path) -> Result<Surface, String> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let reader = match ending.as_deref() {
        Some("stl") => stl::read,
        Some("obj") => obj::read,
        _ => {
            return Err(
                "has an ending that is not known; .stl (ASCII or binary) and .obj are read"
                    .to_owned(),
            );
        }
    };
    let bytes = std::fs::read(path).map_err(|error| {
        format!("cannot be read: {error}; the path is relative to the scene file")
    })?;
    let surface = reader(&bytes)?;
    match surface.triangles.len() {
        0 => Err("has no triangle; export the file again".to_owned()),
        count if count > MOST_TRIANGLES => Err(format!(
            "has {count} triangles; {MOST_TRIANGLES} are allowed, simplify the mesh"
        )),
        _ => Ok(surface),
    }
}
