//! Mesh files, by extension, to triangles in the unit of the file, which only 3MF names.
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
//!
//! # PLY files, ASCII and binary
//!
//! The header names elements (how many, with which properties, single numbers or lists), the body has their
//! numbers in this order. Vertices have `x`, `y`, `z`, faces the list `vertex_indices` from 0; everything
//! else is left out. [Turk 1994: The PLY Polygon File Format]
//!
//! # 3MF files
//!
//! A ZIP archive with a model in XML: objects are meshes or compositions of objects, each with an affine
//! transform; items of `build` name what is made of them. A composition names only objects before it.
//! Supports are left out, and parts that lie in other models of the archive are refused. [3MF Consortium: 3D Manufacturing Format, Core Specification 1.3]
//!
//! Crates for these two formats read more than surfaces, and name neither line nor element.

use super::polygon;
use crate::hull::Surface;
use contact_geometry::math::Vec3;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;
use std::str::FromStr;

/// Maximum number of triangles of a file: indices and memory stay small.
const MOST_TRIANGLES: usize = 5_000_000;

/// Maximum size of the model in a 3MF file [byte]: a hundred for each triangle and its corners.
const LARGEST_MODEL: u64 = 200 * MOST_TRIANGLES as u64;

/// Maximum number of elements in the model of a 3MF file: three vertices for each triangle. An object takes
/// more memory than its text.
const MOST_ELEMENTS: usize = 4 * MOST_TRIANGLES;

/// Content of a mesh file.
#[derive(Clone, Debug)]
pub struct Content {
    /// Triangles in the unit of the file; vertices may be repeated.
    pub surface: Surface,
    /// Unit that the file names [m].
    pub unit: Option<f64>,
}

/// Returns true if files of a name say their unit.
pub fn says_unit(name: &str) -> bool {
    ending(Path::new(name)) == "3mf"
}

pub(crate) fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

/// Reads the triangles of a file.
///
/// # Errors
/// Problem and remedy, to follow the name of the file.
pub fn read(path: &Path) -> Result<Content, String> {
    let reader = match ending(path).as_str() {
        "stl" => |bytes: &[u8]| without_unit(read_stl(bytes)),
        "obj" => |bytes: &[u8]| without_unit(read_obj(bytes)),
        "ply" => |bytes: &[u8]| without_unit(read_ply(bytes)),
        "3mf" => read_3mf,
        _ => {
            return Err(
                "has an ending that is not known; .stl, .obj, .ply (ASCII or binary) and .3mf are read, heights by \
                 height_field"
                    .to_owned(),
            );
        }
    };
    let bytes = std::fs::read(path).map_err(|error| {
        format!("cannot be read: {error}; the path is relative to the scene file")
    })?;
    let content = reader(&bytes)?;
    match content.surface.triangles.len() {
        0 => Err("has no triangle; export the file again, as a mesh of triangles".to_owned()),
        count if count > MOST_TRIANGLES => Err(format!(
            "has {count} triangles; {MOST_TRIANGLES} are allowed, simplify the mesh"
        )),
        _ => Ok(content),
    }
}

fn without_unit(read: Result<Surface, String>) -> Result<Content, String> {
    read.map(|surface| Content {
        surface,
        unit: None,
    })
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
                let corners = corners.and_then(checked).map_err(at)?;
                faces.push((index + 1, corners));
            }
            Some(word) if IGNORED.contains(&word) => {}
            Some(word) => {
                return Err(at(format!(
                    "found {word:?}; only polygons are read (v and f), export the file as a mesh of triangles"
                )));
            }
        }
    }
    add_faces(&mut surface, faces, "line", 1)?;
    Ok(surface)
}

/// Corners of a face, refused as it is read: without corners it has more bytes in memory than in the file.
fn checked(corners: Vec<u32>) -> Result<Vec<u32>, String> {
    match corners.len() {
        count @ 0..3 => Err(format!("a face with {count} corners; it needs 3 at least")),
        _ => Ok(corners),
    }
}

/// Adds the triangles of faces, each with the number of its `place`; vertices are counted from `first` there.
fn add_faces(
    surface: &mut Surface,
    faces: Vec<(usize, Vec<u32>)>,
    place: &str,
    first: u64,
) -> Result<(), String> {
    let count = surface.vertices.len();
    for (number, corners) in faces {
        let at = |message: String| format!("{place} {number}: {message}");
        if let Some(beyond) = corners.iter().find(|corner| **corner as usize >= count) {
            let beyond = u64::from(*beyond) + first;
            return Err(at(format!(
                "a face names vertex {beyond}; the file has {count}"
            )));
        }
        let triangles = face(&surface.vertices, &corners).map_err(at)?;
        surface.triangles.extend(triangles);
    }
    Ok(())
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

/// Bytes of a binary number, and whether it is an integer, signed or not, or a float.
#[derive(Clone, Copy)]
enum NumberKind {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

/// What a PLY file has `count` of.
struct Element {
    name: String,
    count: u64,
    /// Names, each with the kind of its number; of a list also that of its length, before.
    properties: Vec<(String, Vec<NumberKind>)>,
}

/// Numbers of the body of a PLY file.
struct Numbers<'a> {
    left: &'a [u8],
    /// `None` for ASCII; whether the first byte is the least.
    is_little: Option<bool>,
}

impl Numbers<'_> {
    /// The next number; `None` at the end of the file or for a word that is no number.
    fn next(&mut self, kind: NumberKind) -> Option<f64> {
        let Some(is_little) = self.is_little else {
            let text = self.left.trim_ascii_start();
            let end = text.iter().position(u8::is_ascii_whitespace);
            let (word, left) = text.split_at(end.unwrap_or(text.len()));
            self.left = left;
            return std::str::from_utf8(word).ok()?.parse().ok();
        };
        let (NumberKind::Signed(size) | NumberKind::Unsigned(size) | NumberKind::Float(size)) =
            kind;
        let (number, left) = self.left.split_at_checked(size)?;
        self.left = left;
        let byte = |k: usize| u64::from(number[if is_little { k } else { size - 1 - k }]);
        let bits = (0..size).fold(0, |bits, k| bits | byte(k) << (8 * k));
        let unused = 64 - 8 * size;
        Some(match kind {
            NumberKind::Signed(_) => ((bits << unused) as i64 >> unused) as f64,
            NumberKind::Unsigned(_) => bits as f64,
            NumberKind::Float(4) => f64::from(f32::from_bits(bits as u32)),
            NumberKind::Float(_) => f64::from_bits(bits),
        })
    }
}

/// Elements of a PLY file, and its body.
fn ply_header(bytes: &[u8]) -> Result<(Vec<Element>, Numbers<'_>), String> {
    let kind = |word: &str| match word {
        "char" | "int8" => Ok(NumberKind::Signed(1)),
        "uchar" | "uint8" => Ok(NumberKind::Unsigned(1)),
        "short" | "int16" => Ok(NumberKind::Signed(2)),
        "ushort" | "uint16" => Ok(NumberKind::Unsigned(2)),
        "int" | "int32" => Ok(NumberKind::Signed(4)),
        "uint" | "uint32" => Ok(NumberKind::Unsigned(4)),
        "float" | "float32" => Ok(NumberKind::Float(4)),
        "double" | "float64" => Ok(NumberKind::Float(8)),
        _ => Err(format!("{word:?} is no type of a property")),
    };
    let mut body = Numbers {
        left: bytes,
        is_little: None,
    };
    let mut elements: Vec<Element> = Vec::new();
    for number in 1.. {
        let end = body.left.iter().position(|byte| *byte == b'\n');
        let end =
            end.ok_or("does not begin with the header of a PLY file, from ply to end_header")?;
        let line = String::from_utf8_lossy(&body.left[..end]);
        body.left = &body.left[end + 1..];
        let at = |message: String| format!("line {number}: {message}");
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), elements.last_mut()) {
            (["ply"], _) if number == 1 => {}
            _ if number == 1 => return Err("does not begin with ply; it is no PLY file".to_owned()),
            (["format", "ascii", _], _) => body.is_little = None,
            (["format", "binary_little_endian", _], _) => body.is_little = Some(true),
            (["format", "binary_big_endian", _], _) => body.is_little = Some(false),
            ([] | ["comment" | "obj_info", ..], _) => {}
            (["element", name, count], _) => elements.push(Element {
                name: (*name).to_owned(),
                count: count
                    .parse()
                    .map_err(|_| at(format!("{count:?} is no number of elements")))?,
                properties: Vec::new(),
            }),
            (["property", kinds @ .., name], Some(element)) => {
                let kinds = kinds.iter().filter(|word| **word != "list");
                let kinds: Result<_, String> = kinds.map(|word| kind(word)).collect();
                let property = ((*name).to_owned(), kinds.map_err(at)?);
                element.properties.push(property);
            }
            (["end_header"], _) => break,
            _ => {
                return Err(at(format!(
                    "found {:?}; expected element, property or end_header",
                    line.trim()
                )));
            }
        }
    }
    Ok((elements, body))
}

/// Triangles of a PLY file.
///
/// # Errors
/// Problem and location, to follow the name of the file.
pub(crate) fn read_ply(bytes: &[u8]) -> Result<Surface, String> {
    let (elements, mut numbers) = ply_header(bytes)?;
    let mut surface = Surface::default();
    let mut faces: Vec<(usize, Vec<u32>)> = Vec::new();
    for Element {
        name,
        count,
        properties,
    } in &elements
    {
        // Nothing to read, as often as the header likes.
        let is_empty = properties.iter().all(|(_, kinds)| kinds.is_empty());
        let count = if is_empty { 0 } else { *count };
        for number in 1..=count {
            let cut = || {
                format!(
                    "{name} {number} has no number where one must be; the file is cut short or damaged"
                )
            };
            let mut vertex = [f64::NAN; 3];
            let mut corners = Vec::new();
            for (name, kinds) in properties {
                let Some((kind, lengths)) = kinds.split_last() else {
                    continue;
                };
                let mut length = 1;
                for kind in lengths {
                    length = numbers.next(*kind).ok_or_else(cut)? as u64;
                }
                for _ in 0..length {
                    let value = numbers.next(*kind).ok_or_else(cut)?;
                    match name.as_str() {
                        "x" => vertex[0] = value,
                        "y" => vertex[1] = value,
                        "z" => vertex[2] = value,
                        "vertex_indices" | "vertex_index" => {
                            let is_index = value >= 0.0 && value.fract() == 0.0;
                            corners.push(if is_index { value as u32 } else { u32::MAX });
                        }
                        _ => {}
                    }
                }
            }
            match name.as_str() {
                "vertex" if vertex.iter().all(|c| c.is_finite()) => {
                    surface.vertices.push(Vec3::from(vertex))
                }
                "vertex" => {
                    return Err(format!(
                        "vertex {number} is {vertex:?}; x, y and z must be finite numbers"
                    ));
                }
                "face" => {
                    let corners = checked(corners);
                    let corners = corners.map_err(|message| format!("face {number}: {message}"))?;
                    faces.push((number as usize, corners));
                }
                _ => {}
            }
        }
    }
    add_faces(&mut surface, faces, "face", 0)?;
    Ok(surface)
}

/// Images of the three unit vectors, from the origin's, and of the origin.
type Frame = [Vec3; 4];

const IDENTITY: &str = "1 0 0 0 1 0 0 0 1 0 0 0";

fn frame(text: &str) -> Result<Frame, String> {
    let mut words = text.split_whitespace();
    let columns = [(); 4].map(|()| vertex(words.by_ref().take(3)));
    match columns {
        [Ok(x), Ok(y), Ok(z), Ok(origin)] => Ok([x, y, z, origin]),
        _ => Err(format!("transform {text:?} has no 12 numbers")),
    }
}

fn turn([x, y, z, _]: &Frame, vector: &Vec3) -> Vec3 {
    x * vector.x + y * vector.y + z * vector.z
}

/// Object of a 3MF file: a mesh, or others by number.
#[derive(Default)]
struct Object {
    mesh: Surface,
    parts: Vec<(u32, Frame)>,
    is_support: bool,
}

/// Model of a 3MF file while it is read.
#[derive(Default)]
struct Model {
    unit: Option<f64>,
    objects: BTreeMap<u32, Object>,
    items: Vec<(u32, Frame)>,
    /// The object that is being read.
    object: u32,
    /// Number of elements so far.
    elements: usize,
}

/// Attribute of an element by its name without prefix.
fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.local_name().as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return Ok(Some(value.map_err(|error| error.to_string())?.into_owned()));
        }
    }
    Ok(None)
}

fn number<T: FromStr>(element: &BytesStart<'_>, name: &str) -> Result<T, String> {
    let text =
        attribute(element, name)?.ok_or_else(|| format!("the attribute {name} is missing"))?;
    text.trim()
        .parse()
        .map_err(|_| format!("{name} is {text:?}, which is no number of its kind"))
}

impl Model {
    fn here(&mut self) -> &mut Object {
        self.objects.entry(self.object).or_default()
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), String> {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            return Err(format!(
                "the model has more than {MOST_ELEMENTS} elements; simplify the mesh"
            ));
        }
        match element.local_name().as_ref() {
            "model" => {
                let unit = attribute(element, "unit")?;
                self.unit = Some(match unit.as_deref().unwrap_or("millimeter") {
                    "micron" => 1e-6,
                    "millimeter" => 1e-3,
                    "centimeter" => 1e-2,
                    "inch" => 0.0254,
                    "foot" => 0.3048,
                    "meter" => 1.0,
                    other => return Err(format!("{other:?} is no unit of 3MF")),
                });
            }
            "object" => {
                self.object = number(element, "id")?;
                if self.objects.contains_key(&self.object) {
                    return Err("has the number of an object before it".to_owned());
                }
                let kind = attribute(element, "type")?;
                let object = self.objects.entry(self.object).or_default();
                object.is_support = kind.is_some_and(|kind| kind.ends_with("support"));
            }
            "component" | "item" => {
                if attribute(element, "path")?.is_some() {
                    return Err("names an object in another model of the archive, which is not read; export the file \
                                as one model".to_owned());
                }
                let transform = attribute(element, "transform")?;
                let frame = frame(transform.as_deref().unwrap_or(IDENTITY))?;
                let part = (number(element, "objectid")?, frame);
                if element.local_name().as_ref() == "item" {
                    self.items.push(part);
                } else if part.0 == self.object || !self.objects.contains_key(&part.0) {
                    return Err(format!(
                        "names object {}, which does not end before it",
                        part.0
                    ));
                } else {
                    self.here().parts.push(part);
                }
            }
            "vertex" => {
                let [x, y, z] = ["x", "y", "z"].map(|name| number(element, name));
                let vertex = Vec3::new(x?, y?, z?);
                if !vertex.iter().all(|c: &f64| c.is_finite()) {
                    return Err("a coordinate is not finite".to_owned());
                }
                self.here().mesh.vertices.push(vertex);
            }
            "triangle" => {
                let [a, b, c] = ["v1", "v2", "v3"].map(|name| number(element, name));
                let mesh = &mut self.here().mesh;
                let (triangle, count) = ([a?, b?, c?], mesh.vertices.len());
                if let Some(beyond) = triangle.iter().find(|v| **v as usize >= count) {
                    return Err(format!("names vertex {beyond}; its object has {count}"));
                }
                mesh.triangles.push(triangle);
            }
            _ => {}
        }
        Ok(())
    }

    /// The surface of all items.
    fn build(&self) -> Result<Surface, String> {
        let mut surface = Surface::default();
        let mut open: Vec<(u32, Frame)> = self.items.iter().rev().copied().collect();
        let mut parts = 0;
        while let Some((number, place)) = open.pop() {
            let object = self.objects.get(&number);
            let object =
                object.ok_or_else(|| format!("has no object {number}, which is to be built"))?;
            parts += 1;
            let vertices = surface.vertices.len() / 3;
            if surface.triangles.len().max(vertices).max(parts) > MOST_TRIANGLES {
                return Err(format!(
                    "has more than {MOST_TRIANGLES} triangles or placed objects"
                ));
            }
            if object.is_support {
                continue;
            }
            let first = surface.vertices.len() as u32;
            let vertices = object.mesh.vertices.iter();
            let vertices = vertices.map(|v| turn(&place, v) + place[3]);
            surface.vertices.extend(vertices);
            let mut placed = surface.vertices[first as usize..].iter().flatten();
            if !placed.all(|c| c.is_finite()) {
                return Err(format!(
                    "places object {number} so that a coordinate is not finite"
                ));
            }
            let triangles = object.mesh.triangles.iter();
            let triangles = triangles.map(|t| t.map(|v| v + first));
            surface.triangles.extend(triangles);
            for (number, inner) in object.parts.iter().rev() {
                let mut frame = inner.map(|v| turn(&place, &v));
                frame[3] += place[3];
                open.push((*number, frame));
            }
        }
        Ok(surface)
    }
}

/// Calls `start` for each element of an XML file of at most `most` bytes in an archive.
pub(crate) fn each_element(
    bytes: &[u8],
    name: &str,
    most: u64,
    mut start: impl FnMut(&BytesStart<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    let mut archive = archive.map_err(|error| format!("is not a ZIP archive: {error}"))?;
    let file = archive
        .by_name(name)
        .map_err(|error| format!("has no readable entry {name:?}: {error}"))?;
    let mut text = Vec::new();
    let read = file.take(most.saturating_add(1)).read_to_end(&mut text);
    read.map_err(|error| format!("has no readable entry {name:?}: {error}"))?;
    if text.len() as u64 > most {
        return Err(format!(
            "has an entry {name:?} of more than {most} bytes; simplify the mesh"
        ));
    }
    let text = String::from_utf8(text)
        .map_err(|error| format!("has no readable entry {name:?}: {error}"))?;
    let mut reader = Reader::from_str(&text);
    let (mut begun, mut ended) = (0_usize, 0_usize);
    loop {
        let event = reader.read_event();
        let line = |position: u64| {
            let before = text
                .bytes()
                .take(usize::try_from(position).unwrap_or(usize::MAX));
            format!(
                "{name} line {}",
                1 + before.filter(|byte| *byte == b'\n').count()
            )
        };
        let event = event.map_err(|error| format!("{}: {error}", line(reader.error_position())))?;
        begun += usize::from(matches!(event, Event::Start(_) | Event::Empty(_)));
        ended += usize::from(matches!(event, Event::End(_) | Event::Empty(_)));
        match event {
            Event::Start(element) | Event::Empty(element) => {
                start(&element).map_err(|message| {
                    format!(
                        "{}: <{}>: {message}",
                        line(reader.buffer_position()),
                        element.local_name().as_ref()
                    )
                })?
            }
            Event::Eof if begun == 0 || ended < begun => {
                return Err(format!(
                    "{name} ends before its elements do; the file is cut short, export it again"
                ));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Triangles and unit of a 3MF file.
///
/// # Errors
/// Problem and location, to follow the name of the file.
pub(crate) fn read_3mf(bytes: &[u8]) -> Result<Content, String> {
    let mut target = None;
    each_element(bytes, "_rels/.rels", LARGEST_MODEL, |element| {
        if attribute(element, "Type")?.is_some_and(|kind| kind.ends_with("/3dmodel")) {
            target = attribute(element, "Target")?;
        }
        Ok(())
    })?;
    let target = target.ok_or("names no model in _rels/.rels; it is no 3MF file")?;
    let mut model = Model::default();
    let target = target.trim_start_matches('/');
    each_element(bytes, target, LARGEST_MODEL, |element| model.start(element))?;
    Ok(Content {
        surface: model.build()?,
        unit: model.unit,
    })
}
