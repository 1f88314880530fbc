//! Animated glTF 2.0 file in binary form (.glb), [glTF 2.0] of the Khronos Group: each body is a node with a
//! translation and a rotation over time, each of its shapes a child node with a mesh. The root turns the axis
//! against gravity into glTF's y. Half-spaces are plates about the bodies.

use super::visual::{Geometry, Placement, Visual};
use contact_geometry::math::Vec3;
use contact_geometry::math::real::powf;
use fmu_host::frames::Frames;
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Pieces of a meridian and of a circle of a ball.
const BALL: (usize, usize) = (16, 32);
/// Component types and targets of [glTF 2.0] section 5.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// Header and chunk types of section 4.4.
const MAGIC: u32 = 0x4654_6C67;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// Content of the file.
///
/// # Errors
/// More bytes than the format allows.
pub fn glb(
    title: &str,
    generator: &str,
    visual: &Visual,
    frames: &Frames,
) -> Result<Vec<u8>, String> {
    let mut file = File::default();
    let half = reach(visual, frames);
    let materials = file.materials(visual);
    let times = file.times(frames);
    let mut nodes = vec![json!({"name": title, "rotation": upright(visual), "children": []})];
    let mut children = Vec::new();
    let mut meshes = Meshes::default();
    for (index, body) in visual.bodies.iter().enumerate() {
        let node = nodes.len();
        children.push(node);
        nodes.push(json!({"name": body.name}));
        place(&mut nodes[node], &body.pose);
        let mut own = Vec::new();
        for shape in &body.shapes {
            let material = materials[index];
            let mesh = meshes.index(&mut file, visual, shape.geometry, material, half);
            own.push(nodes.len());
            let mut inner = json!({"name": format!("{}.{}", body.name, shape.name), "mesh": mesh});
            place(&mut inner, &shape.pose);
            nodes.push(inner);
        }
        if !own.is_empty() {
            nodes[node]["children"] = json!(own);
        }
        if !body.fixed {
            file.animate(node, times, frames, index);
        }
    }
    let mut first = visual.bodies.len();
    for (group, balls) in visual.balls.iter().enumerate() {
        let material = materials[visual.bodies.len() + group];
        let mesh = file.ball(1.0, material);
        for (number, radius) in balls.radii.iter().enumerate() {
            let node = nodes.len();
            children.push(node);
            let at = frames
                .list
                .first()
                .map(|frame| frame.poses[first + number].position);
            nodes.push(json!({
                "name": format!("{}[{}]", balls.name, number + 1),
                "mesh": mesh,
                "translation": at.unwrap_or_default(),
                "scale": [radius, radius, radius],
            }));
            file.animate(node, times, frames, first + number);
        }
        first += balls.radii.len();
    }
    nodes[0]["children"] = json!(children);
    file.finish(title, generator, nodes)
}

/// Smallest rotation that turns the direction against gravity into y.
fn upright(visual: &Visual) -> [f64; 4] {
    let up = Vec3::from(visual.up);
    let y = Vec3::y();
    let (cosine, axis) = (up.dot(&y), up.cross(&y));
    if cosine < -1.0 + 1e-12 {
        return [1.0, 0.0, 0.0, 0.0];
    }
    // q = (1 + cos, sin axis), normalised, is the half of the turn.
    let w = 1.0 + cosine;
    let norm = (w * w + axis.norm_squared()).sqrt();
    [axis.x / norm, axis.y / norm, axis.z / norm, w / norm]
}

/// Half the side of the plate that represents a half-space [m]: contains all bounded bodies.
fn reach(visual: &Visual, frames: &Frames) -> f64 {
    let radii = visual.balls.iter().flat_map(|balls| &balls.radii);
    let moving = visual.bodies.iter().filter(|body| !body.fixed).count() + radii.clone().count();
    let poses = frames.list.iter().flat_map(|frame| &frame.poses);
    let far = poses
        .map(|pose| {
            pose.position
                .iter()
                .fold(0.0_f64, |most, c| most.max(c.abs()))
        })
        .fold(0.0_f64, f64::max);
    let sizes = visual.geometries.iter().map(|geometry| match geometry {
        Geometry::Sphere { radius } => *radius,
        Geometry::Plane => 0.0,
        Geometry::Mesh { vertices, .. } => vertices
            .iter()
            .fold(0.0_f64, |most, c| most.max(f64::from(c.abs()))),
    });
    let size = sizes.chain(radii.copied()).fold(0.0_f64, f64::max);
    match moving {
        0 => size.max(1.0),
        _ => 1.2 * far + 2.0 * size,
    }
}

fn place(node: &mut Value, pose: &Placement) {
    let [w, x, y, z] = pose.orientation;
    node["translation"] = json!(pose.position);
    node["rotation"] = json!([x, y, z, w]);
}

/// Meshes by geometry and material.
#[derive(Default)]
struct Meshes {
    known: Vec<((usize, usize), usize)>,
}

impl Meshes {
    fn index(
        &mut self,
        file: &mut File,
        visual: &Visual,
        geometry: usize,
        material: usize,
        half: f64,
    ) -> usize {
        if let Some((_, mesh)) = self
            .known
            .iter()
            .find(|(key, _)| *key == (geometry, material))
        {
            return *mesh;
        }
        let mesh = match &visual.geometries[geometry] {
            Geometry::Sphere { radius } => file.ball(*radius, material),
            Geometry::Plane => file.plate(half, material),
            Geometry::Mesh {
                vertices,
                triangles,
            } => {
                let corner = |index: u32| {
                    let at = 3 * index as usize;
                    Vec3::from_fn(|i, _| f64::from(vertices[at + i]))
                };
                let triangles = triangles.chunks_exact(3);
                let triangles: Vec<[Vec3; 3]> = triangles
                    .map(|of| [corner(of[0]), corner(of[1]), corner(of[2])])
                    .collect();
                file.flat(&triangles, material)
            }
        };
        self.known.push(((geometry, material), mesh));
        mesh
    }
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl File {
    /// Material for each body, then for each group; shared by equal colours.
    fn materials(&mut self, visual: &Visual) -> Vec<usize> {
        let bodies = visual.bodies.iter().map(|body| body.color);
        let colors = bodies.chain(visual.balls.iter().map(|balls| balls.color));
        let mut known: Vec<[u8; 3]> = Vec::new();
        let of_color = |color: [u8; 3]| {
            known.iter().position(|k| *k == color).unwrap_or_else(|| {
                known.push(color);
                known.len() - 1
            })
        };
        let indices: Vec<usize> = colors.map(of_color).collect();
        self.materials = known.into_iter().map(material).collect();
        indices
    }

    fn accessor(&mut self, values: &[f32], kind: &str, target: Option<u32>, bounds: bool) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let mut accessor = json!({
            "bufferView": self.view(&bytes, target),
            "componentType": FLOAT,
            "count": values.len() / width,
            "type": kind,
        });
        if bounds {
            let fold = |f: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                let of = |i| values.iter().skip(i).step_by(width).copied().fold(start, f);
                (0..width).map(of).collect()
            };
            accessor["min"] = json!(fold(f32::min, f32::INFINITY));
            accessor["max"] = json!(fold(f32::max, f32::NEG_INFINITY));
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    fn mesh(
        &mut self,
        positions: &[f32],
        normals: &[f32],
        indices: &[u32],
        material: usize,
    ) -> usize {
        let position = self.accessor(positions, "VEC3", Some(ARRAY_BUFFER), true);
        let normal = self.accessor(normals, "VEC3", Some(ARRAY_BUFFER), false);
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(ELEMENT_ARRAY_BUFFER));
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": UNSIGNED_INT,
            "count": indices.len(),
            "type": "SCALAR",
        }));
        self.meshes.push(json!({"primitives": [{
            "attributes": {"POSITION": position, "NORMAL": normal},
            "indices": self.accessors.len() - 1,
            "material": material,
        }]}));
        self.meshes.len() - 1
    }

    /// Triangles with a normal each, without degenerate ones.
    fn flat(&mut self, triangles: &[[Vec3; 3]], material: usize) -> usize {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        for [a, b, c] in triangles {
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else {
                continue;
            };
            for corner in [a, b, c] {
                positions.extend(corner.iter().map(|v| *v as f32));
                normals.extend(normal.iter().map(|v| *v as f32));
            }
        }
        let indices: Vec<u32> = (0..positions.len() as u32 / 3).collect();
        self.mesh(&positions, &normals, &indices, material)
    }

    /// Square z = 0 with this half side [m].
    fn plate(&mut self, half: f64, material: usize) -> usize {
        let corner = |x: f64, y: f64| Vec3::new(x * half, y * half, 0.0);
        let [a, b, c, d] = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        self.flat(&[[a, b, c], [a, c, d]], material)
    }

    fn ball(&mut self, radius: f64, material: usize) -> usize {
        let (rows, around) = BALL;
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..=rows {
            let polar = PI * row as f64 / rows as f64;
            for column in 0..=around {
                let angle = 2.0 * PI * column as f64 / around as f64;
                let [sine, cosine] = sin_cos(polar);
                let [y, x] = sin_cos(angle);
                let normal = [sine * x, sine * y, cosine];
                positions.extend(normal.map(|c| (c * radius) as f32));
                normals.extend(normal.map(|c| c as f32));
            }
        }
        let at = |row: usize, column: usize| (row * (around + 1) + column) as u32;
        for row in 0..rows {
            for column in 0..around {
                let [a, b] = [at(row, column), at(row, column + 1)];
                let [c, d] = [at(row + 1, column), at(row + 1, column + 1)];
                if row > 0 {
                    indices.extend([a, c, b]);
                }
                if row + 1 < rows {
                    indices.extend([b, c, d]);
                }
            }
        }
        self.mesh(&positions, &normals, &indices, material)
    }

    /// Times of the frames relative to the first one; `None` for a single frame, which is no animation.
    fn times(&mut self, frames: &Frames) -> Option<usize> {
        let start = frames.list.first()?.time;
        let mut times: Vec<f32> = Vec::new();
        for frame in &frames.list {
            let time = (frame.time - start) as f32;
            // Strictly increasing also where 32 bits do not tell two times apart.
            let after = times.last().map_or(0.0, |last: &f32| last.next_up());
            times.push(time.max(after));
        }
        (times.len() > 1).then(|| self.accessor(&times, "SCALAR", None, true))
    }

    fn animate(&mut self, node: usize, times: Option<usize>, frames: &Frames, body: usize) {
        let Some(times) = times else { return };
        let poses: Vec<_> = frames.list.iter().map(|frame| frame.poses[body]).collect();
        let positions = poses
            .iter()
            .flat_map(|pose| pose.position.map(|c| c as f32));
        let positions: Vec<f32> = positions.collect();
        let mut before = [1.0, 0.0, 0.0, 0.0];
        let mut turns: Vec<f32> = Vec::new();
        for pose in &poses {
            let q = pose.orientation;
            let dot: f64 = q.iter().zip(before).map(|(a, b)| a * b).sum();
            // The way between two keys is the shorter one.
            let q = if dot < 0.0 { q.map(|c| -c) } else { q };
            before = q;
            turns.extend([q[1], q[2], q[3], q[0]].map(|c| c as f32));
        }
        for (path, values, kind) in [
            ("translation", positions, "VEC3"),
            ("rotation", turns, "VEC4"),
        ] {
            let output = self.accessor(&values, kind, None, false);
            self.samplers
                .push(json!({"input": times, "output": output, "interpolation": "LINEAR"}));
            self.channels.push(json!({
                "sampler": self.samplers.len() - 1,
                "target": {"node": node, "path": path},
            }));
        }
    }

    fn finish(self, title: &str, generator: &str, nodes: Vec<Value>) -> Result<Vec<u8>, String> {
        let mut document = json!({
            "asset": {"version": "2.0", "generator": generator},
            "scene": 0,
            "scenes": [{"name": title, "nodes": [0]}],
            "nodes": nodes,
        });
        let lists = [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ];
        // Empty lists are not allowed.
        for (name, list) in lists {
            if !list.is_empty() {
                document[name] = json!(list);
            }
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{"name": "run", "samplers": self.samplers, "channels": self.channels}]);
        }
        if !self.bytes.is_empty() {
            document["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = self.bytes;
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let chunks = [(JSON_CHUNK, text), (BINARY_CHUNK, bytes)];
        let chunks = chunks
            .into_iter()
            .filter(|(_, content)| !content.is_empty());
        let chunks: Vec<(u32, Vec<u8>)> = chunks.collect();
        let all: usize = 12
            + chunks
                .iter()
                .map(|(_, content)| 8 + content.len())
                .sum::<usize>();
        let too_long =
            |_| format!("the glTF file would have {all} bytes, more than the format can say");
        let mut file = Vec::with_capacity(all);
        for word in [MAGIC, 2, u32::try_from(all).map_err(too_long)?] {
            file.extend_from_slice(&word.to_le_bytes());
        }
        for (kind, content) in chunks {
            let length = u32::try_from(content.len()).map_err(too_long)?;
            file.extend_from_slice(&length.to_le_bytes());
            file.extend_from_slice(&kind.to_le_bytes());
            file.extend_from_slice(&content);
        }
        Ok(file)
    }
}

/// Display colour as a material in linear light: the transfer function of sRGB, IEC 61966-2-1.
fn material(color: [u8; 3]) -> Value {
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        match c <= 0.04045 {
            true => c / 12.92,
            false => powf((c + 0.055) / 1.055, 2.4),
        }
    };
    let [r, g, b] = color.map(linear);
    json!({"pbrMetallicRoughness": {
        "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.6,
    }})
}

fn sin_cos(angle: f64) -> [f64; 2] {
    let (sine, cosine) = contact_geometry::math::real::sin_cos(angle);
    [sine, cosine]
}
