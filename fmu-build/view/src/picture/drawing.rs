//! The scene as flat pieces in picture coordinates, farthest first.
//!
//! The moving bodies fill the picture, together with fixed bodies below or close to them; a half-space is
//! drawn as a plate there. Lines in front of everything connect each joint to the centres of mass of its
//! bodies, and these to distant parts. Balls are circles. For any other convex part the outline is drawn
//! first, then each visible face, brighter towards the light. A concave mesh has no outline, and its farthest
//! face comes first; only one of very many faces is drawn as if it were convex.
//!
//! # Hidden parts
//!
//! Two convex parts that do not overlap have a separating plane; the part on the viewer's side of it is drawn
//! later. Planes are sought along the faces of either part and normal to the line between their middles; the
//! one with the widest gap decides.
//!
//! # Camera
//!
//! From the front, slightly from the right and from above, without perspective. Up is against gravity.

use super::shapes::{box_between, surface};
use crate::picture::shapes::Surface;
use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{BodyId, each};
use contact_model::scene::description::{Gravity, JointKind, ShapeDescription};
use contact_model::scene::{GrainsId, Scene, SceneDescription, touching_shapes};

/// Picture in integer units, y downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width and height.
    pub size: [i32; 2],
    /// Pieces in drawing order.
    pub pieces: Vec<Piece>,
    /// Directions of the world axes x, y, z in the picture (right, down), of length <= 1.
    pub axes: [[f64; 2]; 3],
    /// Units per metre.
    pub scale: f64,
}

/// Piece of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Convex polygon.
    Polygon {
        /// Corners.
        points: Vec<[i32; 2]>,
        /// Fill colour.
        color: [u8; 3],
    },
    /// Line of a mechanism, with a dot at its first end.
    Line {
        /// Ends.
        ends: [[i32; 2]; 2],
    },
    /// Shaded ball.
    Ball {
        /// Centre.
        center: [i32; 2],
        /// Radius.
        radius: i32,
        /// Colour of the body; lighter where the light falls.
        color: [u8; 3],
    },
}

/// Colours of moving bodies, distinguishable with any colour vision and on white and black, after Okabe and
/// Ito.
pub const COLORS: [[u8; 3]; 6] = [
    [42, 131, 190],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [214, 149, 20],
    [86, 170, 220],
];
pub(crate) const FIXED: [u8; 3] = [152, 157, 163];
pub(super) const LINES: [u8; 3] = [112, 117, 124];

const ARROWS: [u8; 3] = [184, 22, 44];
/// Length of the longest arrow, relative to the smaller side of the picture [1].
const LONGEST_ARROW: f64 = 0.22;
/// Width of an arrow [units].
const ARROW_WIDTH: f64 = 6.0;
/// Margin around the bodies, relative to the larger side of the picture.
const MARGIN: f64 = 0.04;
/// Distance from a moving body, in its radii, within which a fixed body belongs to the picture [1].
const NEAR: f64 = 30.0;
/// Factor by which fixed bodies may enlarge the picture [1].
const ENLARGED: f64 = 2.0;
/// Maximum number of faces drawn, the largest ones; others have the colour of their outline.
const MOST_FACES: usize = 1000;
const MOST_PARTS: usize = 600;
/// Smallest face that is drawn [units squared].
const LEAST_AREA: f64 = 3.0;
/// Maximum deviation of a surface from the exact one [units].
const FINENESS: f64 = 1.0;
/// Maximum distance of a corner from the picture [units]: products of two coordinates fit in 64 bits.
const FARTHEST: f64 = 1e8;
/// Direction to the light: right, up, towards the viewer.
const LIGHT: [f64; 3] = [-0.42, 0.74, 0.53];
/// Steps of brightness between dark and light.
const SHADES: f64 = 24.0;

/// Colour of a body of the scene by its index; a group of balls has one.
pub fn color_of(scene: &Scene, body: usize) -> [u8; 3] {
    if let Some(group) = scene.grains_of(body.into()) {
        let first: usize = scene.grains()[GrainsId::from(0)].bodies.start.into();
        let before = scene.bodies().iter().take(first);
        let moving = before.filter(|b| !b.is_fixed()).count();
        return COLORS[(moving + usize::from(group)) % COLORS.len()];
    }
    let mut moving = scene
        .bodies()
        .iter()
        .take(body + 1)
        .filter(|b| !b.is_fixed());
    let is_fixed = scene.bodies().iter().nth(body).is_none_or(|b| b.is_fixed());
    let place = moving.by_ref().count();
    match is_fixed {
        true => FIXED,
        false => COLORS[(place - 1) % COLORS.len()],
    }
}

/// Shape of a picture; the numbers are its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As high as wide.
    Square(i32),
    /// As high as the bodies need, within limits.
    Wide(i32),
}

impl Format {
    /// Width and height for the contents of the frame.
    fn size(self, frame: &Frame) -> [i32; 2] {
        match self {
            Format::Square(side) => [side, side],
            Format::Wide(width) => {
                let [wide, high] = frame.size();
                let height = (high / wide).clamp(0.4, 0.75) * f64::from(width);
                [width, height.round() as i32]
            }
        }
    }
}

impl Drawing {
    /// Drawing of a scene at its start.
    pub fn of(scene: &Scene, description: &SceneDescription, format: Format) -> Drawing {
        let start = |body| scene.start_pose(BodyId::from(body));
        let poses: Vec<Pose> = (0..scene.bodies().len()).map(start).collect();
        Drawing::at(scene, description, &poses, &[], format)
    }

    /// Drawing of a scene with its bodies at these poses, in scene order, and with arrows: each from a point
    /// [m] along a vector, scaled to the longest, world axes.
    pub fn at(
        scene: &Scene,
        description: &SceneDescription,
        poses: &[Pose],
        arrows: &[[Vec3; 2]],
        format: Format,
    ) -> Drawing {
        let camera = Camera::new(scene.gravity());
        let placed: Vec<(Part, Pose)> = parts(scene, description)
            .into_iter()
            .map(|part| {
                let pose = poses[usize::from(part.body)].then(&part.pose_b);
                (part, pose)
            })
            .collect();
        let lines = lines(scene, poses, &placed);
        let focus = Focus::of(scene, &placed, &lines, &camera);
        let (Format::Square(side) | Format::Wide(side)) = format;
        let mut solids = Vec::new();
        for (part, pose) in &placed {
            let color = color_of(scene, usize::from(part.body));
            if part.shape.is_ball() {
                let radius = part.shape.radius;
                solids.push(Solid::of_ball(pose.position, radius, &camera, color));
                continue;
            }
            let fine = FINENESS * focus.frame_size() / f64::from(side);
            let made = surface(&part.shape, fine).unwrap_or_else(|| focus.plate(pose));
            solids.push(Solid::of_surface(made.placed(pose), &camera, color));
        }
        let frame = focus.frame(scene, &placed, &solids);
        let view = View::new(&frame, format.size(&frame), camera);
        solids.retain(|solid| view.shows(&solid.frame));
        if solids.len() > MOST_PARTS {
            let depth = |solid: &Solid| solid.center.dot(&camera.toward);
            solids.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
            solids.truncate(MOST_PARTS);
        }
        let mut drawing = view.drawing(&solids, &lines);
        drawing.pieces.extend(view.arrows(arrows));
        drawing
    }
}

/// Lines of moving bodies, starting at a joint or a centre of mass, world axes [m]: from joints to centres of
/// mass, and from these to distant parts.
fn lines(scene: &Scene, poses: &[Pose], placed: &[(Part, Pose)]) -> Vec<[Vec3; 2]> {
    let center = |body: BodyId| {
        let pose = &poses[usize::from(body)];
        pose.position + pose.rotation * scene.bodies()[body].mass.center_of_mass
    };
    let mut lines = Vec::new();
    for joint in scene.joints().iter().filter(|j| j.kind != JointKind::Free) {
        let parent = joint.parent.map(|parent| poses[usize::from(parent)]);
        let frame = parent
            .unwrap_or_else(Pose::identity)
            .then(&joint.parent_frame);
        let moving = joint
            .parent
            .filter(|parent| !scene.bodies()[*parent].is_fixed());
        let bodies = [Some(joint.child), moving].into_iter().flatten();
        lines.extend(bodies.map(|body| [frame.position, center(body)]));
    }
    for (part, pose) in placed {
        let body = &scene.bodies()[part.body];
        let [lower, upper] = own_box(part);
        let middle = pose.position + pose.rotation * ((lower + upper) * 0.5);
        let from = center(part.body);
        if body.is_dynamic() && (middle - from).norm() > 0.5 * (upper - lower).norm() {
            lines.push([from, middle]);
        }
    }
    lines
}

/// Region of interest.
struct Focus {
    camera: Camera,
    /// Around the moving bodies and what is below them.
    frame: Frame,
    /// Box in space: lower and upper corner [m].
    space: [Vec3; 2],
}

impl Focus {
    fn of(scene: &Scene, placed: &[(Part, Pose)], lines: &[[Vec3; 2]], camera: &Camera) -> Focus {
        let is_fixed = |part: &Part| scene.bodies()[part.body].is_fixed();
        let any_moves = placed.iter().any(|(part, _)| !is_fixed(part));
        let mut focus = Focus {
            camera: *camera,
            frame: Frame::empty(),
            space: [f64::INFINITY, f64::NEG_INFINITY].map(Vec3::repeat),
        };
        let moving = placed
            .iter()
            .filter(|(part, _)| !any_moves || !is_fixed(part));
        lines.iter().flatten().for_each(|end| focus.add(end));
        let mut movers = Vec::new();
        for (part, pose) in moving.filter(|(part, _)| !part.shape.is_half_space()) {
            let [lower, upper] = own_box(part);
            let center = pose.position + pose.rotation * ((lower + upper) * 0.5);
            let radius = (upper - lower).norm() * 0.5;
            for corner in box_between(lower, upper).vertices {
                focus.add(&(pose.position + pose.rotation * corner));
            }
            movers.push((center, radius));
        }
        for (part, pose) in placed.iter().filter(|(part, _)| is_fixed(part)) {
            let [lower, upper] = own_box(part);
            for (center, radius) in &movers {
                let own = pose.rotation.transpose() * (center - pose.position);
                let nearest = pose.position + pose.rotation * own.sup(&lower).inf(&upper);
                if (nearest - center).norm() <= NEAR * radius {
                    focus.add(&nearest);
                }
            }
        }
        if focus.frame_size() <= 0.0 {
            for corner in box_between(Vec3::repeat(-0.5), Vec3::repeat(0.5)).vertices {
                focus.add(&corner);
            }
        }
        focus
    }

    fn add(&mut self, point: &Vec3) {
        self.frame = self.frame.with(&self.camera.seen(point), 0.0);
        self.space = [self.space[0].inf(point), self.space[1].sup(point)];
    }

    /// Larger side [m].
    fn frame_size(&self) -> f64 {
        let [width, height] = self.frame.size();
        width.max(height)
    }

    /// Visible part of a half-space, in its frame.
    fn plate(&self, pose: &Pose) -> crate::picture::shapes::Surface {
        let [lower, upper] = self.space;
        let turned = pose.rotation.transpose();
        let center = turned * ((lower + upper) * 0.5 - pose.position);
        let extent = turned.map(f64::abs) * (upper - lower) * 0.5;
        let larger = extent.x.max(extent.y);
        let half = larger * 1.05 + 0.12 * extent.norm();
        box_between(
            Vec3::new(center.x - half, center.y - half, -0.05 * half),
            Vec3::new(center.x + half, center.y + half, 0.0),
        )
    }

    /// Frame of the picture: the focus, and fixed bodies that fit in.
    fn frame(&self, scene: &Scene, placed: &[(Part, Pose)], solids: &[Solid]) -> Frame {
        let most = self
            .frame
            .size()
            .map(|side| side * side)
            .iter()
            .sum::<f64>();
        let mut frame = self.frame;
        for ((part, _), solid) in placed.iter().zip(solids) {
            let joined = frame.joined(&solid.frame);
            let square = joined.size().map(|side| side * side).iter().sum::<f64>();
            let fits = square <= ENLARGED * ENLARGED * most;
            if !scene.bodies()[part.body].is_fixed() || fits {
                frame = joined;
            }
        }
        frame
    }
}

/// Bounding box of a part along the axes of its frame [m]; infinite for a half-space.
fn own_box(part: &Part) -> [Vec3; 2] {
    if part.shape.is_half_space() {
        let end = f64::INFINITY;
        return [Vec3::repeat(-end), Vec3::new(end, end, 0.0)];
    }
    let axis = |i: usize, sign: f64| {
        let mut direction = Vec3::zeros();
        direction[i] = sign;
        part.shape.core.support(&direction)[i] + sign * part.shape.radius
    };
    [-1.0, 1.0].map(|sign| Vec3::new(axis(0, sign), axis(1, sign), axis(2, sign)))
}

/// Projection from the scene to the picture.
struct View {
    camera: Camera,
    size: [i32; 2],
    frame: Frame,
    scale: f64,
}

impl View {
    /// Centres the frame in a picture, as large as possible.
    fn new(frame: &Frame, size: [i32; 2], camera: Camera) -> View {
        let [width, height] = frame.size();
        let free = 1.0 - 2.0 * MARGIN;
        let scale = (f64::from(size[0]) / width).min(f64::from(size[1]) / height) * free;
        let middle = [0, 1].map(|i| (frame.lower[i] + frame.upper[i]) * 0.5);
        let half = size.map(|side| f64::from(side) * 0.5 / scale);
        View {
            camera,
            size,
            frame: Frame {
                lower: [0, 1].map(|i| middle[i] - half[i]),
                upper: [0, 1].map(|i| middle[i] + half[i]),
            },
            scale,
        }
    }

    fn shows(&self, frame: &Frame) -> bool {
        self.frame.meets(frame)
    }

    fn place(&self, point: &Vec3) -> [i32; 2] {
        let seen = self.camera.seen(point);
        let x = (seen.x - self.frame.lower[0]) * self.scale;
        let y = (self.frame.upper[1] - seen.y) * self.scale;
        [x, y].map(|place| place.round().clamp(-FARTHEST, FARTHEST) as i32)
    }

    fn drawing(&self, solids: &[Solid], lines: &[[Vec3; 2]]) -> Drawing {
        let order = back_to_front(solids, &self.camera);
        let drawn = |i: &usize| self.faces(&solids[*i]);
        let faces: Vec<Vec<Face>> = order.iter().map(drawn).collect();
        let mut areas: Vec<f64> = faces.iter().flatten().map(|face| face.area).collect();
        areas.sort_by(|a, b| b.total_cmp(a));
        let least = areas
            .get(MOST_FACES)
            .map_or(LEAST_AREA, |a| a.max(LEAST_AREA));
        let mut pieces = Vec::new();
        for (i, faces) in order.iter().zip(faces) {
            let solid = &solids[*i];
            match &solid.body {
                SolidShape::Ball(radius) => pieces.push(Piece::Ball {
                    center: self.place(&solid.center),
                    radius: ((radius * self.scale).round() as i32).max(1),
                    color: solid.color,
                }),
                SolidShape::Surface(surface) => {
                    let points = surface.vertices.iter().map(|v| self.place(v)).collect();
                    let shades = faces.iter().map(|f| f.shade * f.area).sum::<f64>();
                    let area: f64 = faces.iter().map(|f| f.area).sum();
                    let has_outline = !surface.is_concave || faces.len() > MOST_FACES;
                    if has_outline {
                        pieces.push(Piece::Polygon {
                            points: outline(points),
                            color: shaded(solid.color, shades / area.max(1e-9)),
                        });
                    }
                    let is_drawn = |face: &Face| !has_outline || face.area > least;
                    let large = faces.into_iter().filter(is_drawn);
                    pieces.extend(large.map(|face| Piece::Polygon {
                        points: face.points,
                        color: shaded(solid.color, face.shade),
                    }));
                }
            }
        }
        pieces.extend(lines.iter().map(|ends| Piece::Line {
            ends: ends.map(|end| self.place(&end)),
        }));
        let direction = |axis: Vec3| {
            let seen = self.camera.seen(&axis);
            [seen.x, -seen.y]
        };
        Drawing {
            size: self.size,
            pieces,
            axes: [Vec3::x(), Vec3::y(), Vec3::z()].map(direction),
            scale: self.scale,
        }
    }

    /// Arrows in front of everything, scaled by the lengths of the vectors.
    fn arrows(&self, arrows: &[[Vec3; 2]]) -> Vec<Piece> {
        let lengths = arrows.iter().map(|[_, vector]| vector.norm());
        let largest = lengths.fold(0.0, f64::max);
        let [width, height] = self.size.map(f64::from);
        let unit = LONGEST_ARROW * width.min(height) / (self.scale * largest);
        let arrow = |[point, vector]: &[Vec3; 2]| {
            let ends = [*point, point + vector * unit].map(|end| {
                let [x, y] = self.place(&end);
                [f64::from(x), f64::from(y)]
            });
            outline_of_arrow(ends).map(|points| Piece::Polygon {
                points: points.into(),
                color: ARROWS,
            })
        };
        arrows.iter().filter_map(arrow).collect()
    }

    fn faces(&self, solid: &Solid) -> Vec<Face> {
        let SolidShape::Surface(surface) = &solid.body else {
            return Vec::new();
        };
        let depth = |face: &Vec<u32>| {
            let corners = face.iter().map(|v| surface.vertices[*v as usize]);
            corners.sum::<Vec3>().dot(&self.camera.toward) / face.len() as f64
        };
        let mut order: Vec<&Vec<u32>> = surface.faces.iter().collect();
        if surface.is_concave {
            order.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        }
        let mut faces = Vec::new();
        for face in order {
            let normal = surface.normal(face);
            let seen = self.camera.seen(&normal);
            if seen.z <= 0.0 {
                continue;
            }
            let corners = face
                .iter()
                .map(|v| self.place(&surface.vertices[*v as usize]));
            let mut points: Vec<[i32; 2]> = corners.collect();
            points.dedup();
            faces.push(Face {
                area: 0.5 * seen.z * self.scale * self.scale,
                shade: brightness(&seen.normalize()),
                points,
            });
        }
        faces
    }
}

/// Corners of a flat arrow between two points of the picture; `None` if too short to be visible.
fn outline_of_arrow([from, to]: [[f64; 2]; 2]) -> Option<[[i32; 2]; 7]> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    if length < 1.0 {
        return None;
    }
    let (half, wide) = (0.5 * ARROW_WIDTH, ARROW_WIDTH * 1.8);
    let neck = (length - 2.0 * wide).max(0.4 * length);
    let corner = |along: f64, across: f64| {
        let place = |axis: usize, side: f64| {
            from[axis] + (way[axis] * along + side * way[1 - axis] * across) / length
        };
        [place(0, -1.0), place(1, 1.0)].map(|c| c.round() as i32)
    };
    Some([
        corner(0.0, -half),
        corner(neck, -half),
        corner(neck, -wide),
        corner(length, 0.0),
        corner(neck, wide),
        corner(neck, half),
        corner(0.0, half),
    ])
}

struct Face {
    points: Vec<[i32; 2]>,
    area: f64,
    shade: f64,
}

/// Brightness of a face with this unit normal in camera axes, in steps from 0 to 1.
fn brightness(normal: &Vec3) -> f64 {
    let light = Vec3::from(LIGHT).normalize();
    let turned = 0.5 * (1.0 + normal.dot(&light));
    (turned * SHADES).round() / SHADES
}

/// Colour in the light: darkened below 0.7, lightened above.
pub(super) fn shaded(color: [u8; 3], shade: f64) -> [u8; 3] {
    let mixed = |channel: u8| {
        let own = f64::from(channel);
        let value = match shade < 0.7 {
            true => own * (0.5 + 0.5 * shade / 0.7),
            false => own + (255.0 - own) * 0.45 * (shade - 0.7) / 0.3,
        };
        value.round().clamp(0.0, 255.0) as u8
    };
    color.map(mixed)
}

/// Convex outline of points (Andrew's monotone chain).
fn outline(mut points: Vec<[i32; 2]>) -> Vec<[i32; 2]> {
    points.sort_unstable();
    points.dedup();
    let turn = |a: [i32; 2], b: [i32; 2], c: [i32; 2]| {
        let [a, b, c] = [a, b, c].map(|p| p.map(i64::from));
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let chain = |points: &mut dyn Iterator<Item = [i32; 2]>| {
        let mut chain: Vec<[i32; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut low = chain(&mut points.iter().copied());
    low.extend(chain(&mut points.iter().rev().copied()));
    low
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) body: BodyId,
    /// Index among the shapes of the body; `None` for a ball of a group.
    pub of_shape: Option<usize>,
    /// Form and size, without a shell.
    pub(crate) shape: RoundedShape,
    pub pose_b: Pose,
}

/// Convex shapes of a scene in its order, including those without contact; `description` is that of the
/// scene.
pub(crate) fn parts(scene: &Scene, description: &SceneDescription) -> Vec<Part> {
    let smoothing = description.contact.smoothing_radius;
    let mut parts = Vec::new();
    for (index, body) in description.bodies.iter().enumerate() {
        for (place, shape) in body.shapes.iter().enumerate() {
            let smoothing = shape.smoothing_radius.unwrap_or(smoothing);
            let outer = pose(shape);
            let convex = touching_shapes(&shape.form, smoothing).unwrap_or_default();
            parts.extend(convex.into_iter().map(|(shape, inner)| Part {
                body: BodyId::from(index),
                of_shape: Some(place),
                shape,
                pose_b: outer.then(&inner),
            }));
        }
    }
    for (group, known) in description.grains.iter().zip(scene.grains()) {
        for (body, diameter) in each(known.bodies.clone()).zip(&group.diameters) {
            parts.push(Part {
                body,
                of_shape: None,
                shape: RoundedShape::sphere(*diameter),
                pose_b: Pose::identity(),
            });
        }
    }
    parts
}

fn pose(shape: &ShapeDescription) -> Pose {
    Pose {
        position: Vec3::from(shape.position),
        rotation: rotation_matrix(&shape.orientation),
    }
}

#[derive(Clone, Debug)]
pub(super) struct Solid {
    pub(crate) body: SolidShape,
    pub center: Vec3,
    /// Bounds in the picture [m].
    pub frame: Frame,
    /// Outward unit normals of its larger faces.
    pub normals: Vec<Vec3>,
    pub color: [u8; 3],
}

#[derive(Clone, Debug)]
pub(super) enum SolidShape {
    /// Ball of this radius [m] about the middle.
    Ball(f64),
    /// Surface in world axes.
    Surface(Surface),
}

/// Minimum fraction of the surface for a face that is tried as a separating plane [1].
const LARGE_FACE: f64 = 0.03;
/// Cosine [1] between plane and line of sight below which neither side hides the other.
const EDGE_ON: f64 = 1e-6;
/// Number of parts beyond which balls are sorted by depth.
const MOST_BALLS: usize = 400;

impl Solid {
    pub(super) fn of_surface(surface: Surface, camera: &Camera, color: [u8; 3]) -> Solid {
        let [lower, upper] = surface.bounds();
        let frame = surface
            .vertices
            .iter()
            .fold(Frame::empty(), |frame, v| frame.with(&camera.seen(v), 0.0));
        let normals: Vec<Vec3> = surface.faces.iter().map(|f| surface.normal(f)).collect();
        let area: f64 = normals.iter().map(|normal| normal.norm()).sum();
        let large = |normal: &&Vec3| normal.norm() > LARGE_FACE * area;
        Solid {
            center: (lower + upper) * 0.5,
            frame,
            normals: normals
                .iter()
                .filter(large)
                .map(|n| n.normalize())
                .collect(),
            body: SolidShape::Surface(surface),
            color,
        }
    }

    pub(super) fn of_ball(center: Vec3, radius: f64, camera: &Camera, color: [u8; 3]) -> Solid {
        Solid {
            body: SolidShape::Ball(radius),
            center,
            frame: Frame::empty().with(&camera.seen(&center), radius),
            normals: Vec::new(),
            color,
        }
    }

    /// Largest extent along a unit vector [m].
    fn reach(&self, n: &Vec3) -> f64 {
        match &self.body {
            SolidShape::Ball(radius) => self.center.dot(n) + radius,
            SolidShape::Surface(surface) => {
                let along = surface.vertices.iter().map(|v| v.dot(n));
                along.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    fn is_ball(&self) -> bool {
        matches!(self.body, SolidShape::Ball(_))
    }

    /// Order of this part relative to another one: negative if drawn before, positive after, zero if either.
    fn before(&self, other: &Solid, camera: &Camera) -> f64 {
        let between = other.center - self.center;
        let between = (between.norm() > 0.0).then(|| between.normalize());
        let others = other.normals.iter().map(|n| -n);
        let all = self.normals.iter().copied().chain(others).chain(between);
        let gap = |n: &Vec3| -other.reach(&-n) - self.reach(n);
        let best = all
            .map(|n| (gap(&n), n))
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        match best.map(|(_, n)| n.dot(&camera.toward)) {
            Some(side) if side.abs() > EDGE_ON => -side,
            _ => 0.0,
        }
    }
}

/// Parts in drawing order. Where each of several hides the next, the farthest comes first.
pub(super) fn back_to_front(solids: &[Solid], camera: &Camera) -> Vec<usize> {
    let count = solids.len();
    let depth = |i: usize| solids[i].center.dot(&camera.toward);
    let mut by_depth: Vec<usize> = (0..count).collect();
    by_depth.sort_by(|a, b| depth(*a).total_cmp(&depth(*b)));
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut waits_for = vec![0_usize; count];
    for a in 0..count {
        for b in a + 1..count {
            let [one, other] = [&solids[a], &solids[b]];
            let sorted = count > MOST_BALLS && one.is_ball() && other.is_ball();
            if sorted || !one.frame.meets(&other.frame) {
                continue;
            }
            let side = one.before(other, camera);
            let (first, then) = if side < 0.0 { (a, b) } else { (b, a) };
            if side != 0.0 {
                after[first].push(then);
                waits_for[then] += 1;
            }
        }
    }
    let mut order = Vec::with_capacity(count);
    while !by_depth.is_empty() {
        let free = by_depth.iter().position(|i| waits_for[*i] == 0);
        let next = by_depth.remove(free.unwrap_or(0));
        for later in &after[next] {
            waits_for[*later] = waits_for[*later].saturating_sub(1);
        }
        order.push(next);
    }
    order
}

/// View without perspective; right, up and towards the viewer are orthonormal, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    pub right: Vec3,
    pub up: Vec3,
    pub toward: Vec3,
}

/// Direction to the viewer: to the right, to the front, up.
const VIEWER: [f64; 3] = [0.45, 1.0, 0.5];

impl Camera {
    pub(crate) fn new(gravity: Gravity) -> Camera {
        let up = match gravity {
            Gravity::Uniform(g) if Vec3::from(g).norm() > 0.0 => -Vec3::from(g).normalize(),
            _ => Vec3::z(),
        };
        // The world axis that is nearest to horizontal, the first of several.
        let across = (0..3).min_by(|a, b| up[*a].abs().total_cmp(&up[*b].abs()));
        let mut axis = Vec3::zeros();
        axis[across.unwrap_or(0)] = 1.0;
        let across = (axis - up * axis.dot(&up)).normalize();
        let front = across.cross(&up);
        let [right, near, above] = VIEWER;
        let toward = (across * right + front * near + up * above).normalize();
        let right = up.cross(&toward).normalize();
        Camera {
            right,
            up: toward.cross(&right),
            toward,
        }
    }

    /// Camera coordinates of a point: right, up, towards the viewer [m].
    pub(crate) fn seen(&self, point: &Vec3) -> Vec3 {
        Vec3::new(
            self.right.dot(point),
            self.up.dot(point),
            self.toward.dot(point),
        )
    }
}

/// Rectangle of the picture [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub lower: [f64; 2],
    pub upper: [f64; 2],
}

impl Frame {
    pub(crate) fn empty() -> Frame {
        Frame {
            lower: [f64::INFINITY; 2],
            upper: [f64::NEG_INFINITY; 2],
        }
    }

    /// Extends it by a disc of `radius` about a point in camera coordinates [m].
    pub(crate) fn with(&self, seen: &Vec3, radius: f64) -> Frame {
        let side = |axis: usize| {
            [
                self.lower[axis].min(seen[axis] - radius),
                self.upper[axis].max(seen[axis] + radius),
            ]
        };
        let [x, y] = [side(0), side(1)];
        Frame {
            lower: [x[0], y[0]],
            upper: [x[1], y[1]],
        }
    }

    pub(crate) fn joined(&self, other: &Frame) -> Frame {
        Frame {
            lower: [0, 1].map(|i| self.lower[i].min(other.lower[i])),
            upper: [0, 1].map(|i| self.upper[i].max(other.upper[i])),
        }
    }

    pub(crate) fn size(&self) -> [f64; 2] {
        [0, 1].map(|i| self.upper[i] - self.lower[i])
    }

    pub(crate) fn meets(&self, other: &Frame) -> bool {
        (0..2).all(|i| self.lower[i] <= other.upper[i] && other.lower[i] <= self.upper[i])
    }
}
