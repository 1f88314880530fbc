//! Wavefront OBJ files to triangles in the unit of the file.
//!
//! `v x y z` gives a vertex, `f` a polygon of vertices by number: from 1, or from -1 backwards from
//! the last vertex given; what follows a slash (texture, normal) is not used. Polygons are cut into
//! triangles. Everything that is not a surface of polygons is left out (names, groups, materials,
//! lines, points); free-form curves and surfaces are refused.
//!
//! The crate `tobj` is not used: it cuts polygons with a corner inwards into triangles that
//! overlap, and names no line.

use super::hull::Surface;
use super::polygon;
use super::stl::vertex;
use contact_geometry::math::Vec3;

/// Keywords with no surface in them.
const IGNORED: [&str; 22] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "l",
    "p",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "call",
];

/// The triangles of a file.
///
/// # Errors
/// What is wrong and where, to follow the name of the file.
pub fn read(bytes: &[u8]) -> Result<Surface, String> {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut surface = Surface::default();
    let mut faces: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut line = line.split('#').next().unwrap_or_default().to_owned();
        // A backslash at the end goes on in the next line.
        while let Some(start) = line.trim_end().strip_suffix('\\') {
            let more = lines.next().map_or("", |(_, more)| more);
            line = format!("{start} {}", more.split('#').next().unwrap_or_default());
        }
        let at = |message: String| format!("line {}: {message}", index + 1);
        let mut words = line.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => surface.vertices.push(vertex(words).map_err(at)?),
            Some("f") => {
                let count = surface.vertices.len();
                let corners: Result<Vec<u32>, String> =
                    words.map(|word| corner(word, count)).collect();
                faces.push((index + 1, corners.map_err(at)?));
            }
            Some(word) if IGNORED.contains(&word) => {}
            Some(word) => {
                return Err(at(format!(
                    "found {word:?}; only polygons are read (v and f), export the file as a mesh of triangles"
                )));
            }
        }
    }
    for (line, corners) in faces {
        let count = surface.vertices.len();
        let at = |message: String| format!("line {line}: {message}");
        if let Some(beyond) = corners.iter().find(|corner| **corner as usize >= count) {
            return Err(at(format!(
                "a face names vertex {}; the file has {count}",
                beyond + 1
            )));
        }
        let triangles = face(&surface.vertices, &corners).map_err(at)?;
        surface.triangles.extend(triangles);
    }
    Ok(surface)
}

/// Index of the vertex of a corner such as `3`, `3/1/2` or `-1`; `count` vertices stand before.
fn corner(word: &str, count: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or_default();
    let index = match number.parse::<i64>() {
        Ok(number) if number > 0 => Some(number - 1),
        Ok(number) if number < 0 => Some(number + count as i64).filter(|index| *index >= 0),
        _ => None,
    };
    index
        .and_then(|index| u32::try_from(index).ok())
        .ok_or_else(|| {
            format!("a face with the corner {word:?}; expected the number of a vertex, from 1, or from -1 backwards")
        })
}

/// Triangles of a face.
fn face(vertices: &[Vec3], corners: &[u32]) -> Result<Vec<[u32; 3]>, String> {
    match corners {
        [a, b, c] => Ok(vec![[*a, *b, *c]]),
        [] | [_] | [_, _] => Err(format!(
            "a face with {} corners; it needs 3 at least",
            corners.len()
        )),
        _ => {
            let following = corners.iter().cycle().skip(1);
            let sides: Vec<(u32, u32)> = corners.iter().copied().zip(following.copied()).collect();
            // Newell: the vector area, whatever the corners.
            let area: Vec3 = sides
                .iter()
                .map(|(from, to)| {
                    let origin = vertices[corners[0] as usize];
                    (vertices[*from as usize] - origin).cross(&(vertices[*to as usize] - origin))
                })
                .sum();
            polygon::triangulate(vertices, &sides, &area)
                .map_err(|reason| format!("a face of {} corners {reason}", corners.len()))
        }
    }
}
