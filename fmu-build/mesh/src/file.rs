//! Mesh files, by extension, to triangles in the unit of the file.
//!
//! # Wavefront OBJ files
//!
//! `v x y z` gives a vertex, `f` a polygon of vertices by number: from 1, or from -1 backwards from the last
//! vertex given; indices after a slash (texture, normal) are ignored. Polygons are cut into triangles.
//! Everything that is not a surface of polygons is left out (names, groups, materials, lines, points);
//! free-form curves and surfaces are refused.
//!
//! The crate `tobj` is not used: it cuts polygons with a corner inwards into triangles that overlap, and
//! names no line.
//!
//! # STL files, ASCII and binary
//!
//! Binary: 80 bytes of any text, the number of triangles n (u32, little-endian), then n records of 50 bytes:
//! normal and three corners as f32, two unused bytes. ASCII: words, one triangle as `facet normal x y z`,
//! `outer loop`, three `vertex x y z`, `endloop`, `endfacet`, between `solid NAME` and `endsolid`. Normals are
//! ignored: the order of the corners is equivalent.
//!
//! A file is binary where its length is that of its number of triangles, whatever its first bytes say: many
//! programs begin binary files with `solid`. The crate `stl_io` takes such files for ASCII, rounds ASCII
//! numbers to single precision and names no line, so it is not used.

use super::cut;
use crate::hull::Surface;
use contact_geometry::math::Vec3;
use std::path::Path;

/// Maximum number of triangles of a file: indices and memory stay small, and contact needs a hull only.
const MOST_TRIANGLES: usize = 5_000_000;

/// Reads the triangles of a file, in its unit. Vertices may be repeated.
///
/// # Errors
/// Problem and remedy, to follow the name of the file.
pub fn read(path: &Path) -> Result<Surface, String> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let reader = match ending.as_deref() {
        Some("stl") => read_stl,
        Some("obj") => read_obj,
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

/// Keywords without a surface.
#[rustfmt::skip]
const IGNORED: [&str; 22] = [
    "vt", "vn", "vp", "g", "o", "s", "mg", "usemtl", "mtllib", "usemap", "maplib", "l", "p", "bevel",
    "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj", "ctech", "stech", "call",
];

/// Triangles of an OBJ file.
///
/// # Errors
/// Problem and location, to follow the name of the file.
pub(crate) fn read_obj(bytes: &[u8]) -> Result<Surface, String> {
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

/// Index of the vertex of a corner such as `3`, `3/1/2` or `-1`; `count` vertices precede it.
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
            cut::triangulate(vertices, &sides, &area)
                .map_err(|reason| format!("a face of {} corners {reason}", corners.len()))
        }
    }
}

const HEADER: usize = 80;
const RECORD: usize = 50;

/// Triangles of an STL file, each with three separate vertices.
///
/// # Errors
/// Problem and location, to follow the name of the file.
pub(crate) fn read_stl(bytes: &[u8]) -> Result<Surface, String> {
    let count = match bytes.get(HEADER..HEADER + 4) {
        Some(&[a, b, c, d]) => Some(u32::from_le_bytes([a, b, c, d]) as usize),
        _ => None,
    };
    let needed = count.map(|count| HEADER as u64 + 4 + count as u64 * RECORD as u64);
    if needed == Some(bytes.len() as u64) {
        return read_binary(&bytes[HEADER + 4..]);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = text.trim_ascii_start();
    if first.len() >= 5 && first[..5].eq_ignore_ascii_case(b"solid") {
        return read_text(&String::from_utf8_lossy(text));
    }
    Err(match (count, needed) {
        (Some(count), Some(needed)) => format!(
            "has {} bytes; a binary STL file of {count} triangles has {needed}, and an ASCII one begins with solid; \
             the file is damaged or not STL, export it again",
            bytes.len()
        ),
        _ => format!(
            "has {} bytes and does not begin with solid; it is no STL file, export it again",
            bytes.len()
        ),
    })
}

fn read_binary(records: &[u8]) -> Result<Surface, String> {
    let mut surface = Surface::default();
    for (index, record) in records.chunks_exact(RECORD).enumerate() {
        let mut numbers = [0.0; 12];
        for (number, bytes) in numbers.iter_mut().zip(record.chunks_exact(4)) {
            *number = f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        }
        if let Some(bad) = numbers[3..].iter().find(|number| !number.is_finite()) {
            return Err(format!(
                "triangle {} has the coordinate {bad}; every coordinate must be a finite number, export the file again",
                index + 1
            ));
        }
        let corner = |at: usize| Vec3::new(numbers[at], numbers[at + 1], numbers[at + 2]);
        push(&mut surface, [corner(3), corner(6), corner(9)]);
    }
    Ok(surface)
}

fn push(surface: &mut Surface, corners: [Vec3; 3]) {
    let first = surface.vertices.len() as u32;
    surface.vertices.extend(corners);
    surface.triangles.push([first, first + 1, first + 2]);
}

/// Allowed content of a line, given the preceding ones.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    InSolid,
    InFacet,
    InLoop,
    AfterLoop,
}

impl Place {
    fn expected(self) -> &'static str {
        match self {
            Place::Outside => "solid",
            Place::InSolid => "facet or endsolid",
            Place::InFacet => "outer loop",
            Place::InLoop => "vertex x y z or endloop",
            Place::AfterLoop => "endfacet",
        }
    }
}

fn read_text(text: &str) -> Result<Surface, String> {
    let mut surface = Surface::default();
    let mut place = Place::Outside;
    let mut corners: Vec<Vec3> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| format!("line {}: {message}", index + 1);
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            continue;
        };
        let word = first.to_ascii_lowercase();
        place = match (place, word.as_str()) {
            (Place::Outside, "solid") => Place::InSolid,
            (Place::InSolid, "endsolid") => Place::Outside,
            (Place::InSolid, "facet") => Place::InFacet,
            (Place::InFacet, "outer") => Place::InLoop,
            (Place::InLoop, "vertex") => {
                corners.push(vertex(words).map_err(at)?);
                Place::InLoop
            }
            (Place::InLoop, "endloop") => {
                let corners: [Vec3; 3] =
                    std::mem::take(&mut corners)
                        .try_into()
                        .map_err(|found: Vec<Vec3>| {
                            at(format!("a facet with {} vertices; STL has 3", found.len()))
                        })?;
                push(&mut surface, corners);
                Place::AfterLoop
            }
            (Place::AfterLoop, "endfacet") => Place::InSolid,
            _ => {
                let expected = place.expected();
                return Err(at(format!("found {first:?}; expected {expected}")));
            }
        };
    }
    match place {
        Place::Outside => Ok(surface),
        _ => Err(format!(
            "ends after {} triangles where {} must follow; the file is cut short, export it again",
            surface.triangles.len(),
            place.expected()
        )),
    }
}

/// Three numbers.
pub(super) fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let mut numbers = [0.0; 3];
    for number in &mut numbers {
        let word = words
            .next()
            .ok_or("a vertex with fewer than 3 coordinates")?;
        *number = word
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())
            .ok_or_else(|| format!("{word:?} is not a finite number"))?;
    }
    Ok(Vec3::from(numbers))
}
