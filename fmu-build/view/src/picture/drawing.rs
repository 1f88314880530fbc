//! The scene as flat pieces in picture coordinates, farthest first.
//!
//! The bodies that move fill the picture, with what lies below or beside them of those that do not;
//! a half-space is drawn as a plate there. Lines in front of everything lead from each joint to the
//! centres of mass of its bodies, and from these to parts that are elsewhere. Balls are circles. Of
//! any other convex part the outline is drawn first, then each face that the viewer sees, brighter
//! towards the light.
//!
//! # Which part hides which
//!
//! Two convex parts that do not overlap have a plane between them; the part on the viewer's side of
//! it is drawn later. Planes are sought along the faces of either part and across the line between
//! their middles; the one with the widest gap decides.
//!
//! # From where a scene is seen
//!
//! From the front, a little from the right and from above, without perspective. Up is against
//! gravity.

use super::shapes::{box_between, surface};
use crate::picture::shapes::Surface;
use contact_geometry::math::{Pose, Vec3, rotation_matrix};
use contact_geometry::shapes::RoundedShape;
use contact_laws::index::{BodyId, each};
use contact_model::scene::description::{Gravity, JointKind, ShapeDescription};
use contact_model::scene::{GrainsId, Scene, SceneDescription, convex_shapes};

/// A picture in whole units, y downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width and height.
    pub size: [i32; 2],
    /// Pieces in the order in which they are drawn.
    pub pieces: Vec<Piece>,
    /// Directions of the world axes x, y, z: right, down; at most 1 long.
    pub axes: [[f64; 2]; 3],
    /// Units for a metre.
    pub scale: f64,
}

/// A piece of one body.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A convex polygon.
    Polygon {
        /// Corners.
        points: Vec<[i32; 2]>,
        /// Colour.
        color: [u8; 3],
    },
    /// A line of a mechanism, with a dot at its first end.
    Line {
        /// Ends.
        ends: [[i32; 2]; 2],
    },
    /// A ball.
    Ball {
        /// Middle.
        center: [i32; 2],
        /// Radius.
        radius: i32,
        /// Colour of the body; lighter where the light falls.
        color: [u8; 3],
    },
}

/// Colours of bodies that move, which can be told apart with any colour vision and stand out from
/// white and from black, after Okabe and Ito.
pub const COLORS: [[u8; 3]; 6] = [
    [42, 131, 190],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [214, 149, 20],
    [86, 170, 220],
];
/// Colour of bodies that never move.
pub(crate) const FIXED: [u8; 3] = [152, 157, 163];
/// Colour of lines to joints.
pub(super) const LINES: [u8; 3] = [112, 117, 124];

/// Colour of arrows.
const ARROWS: [u8; 3] = [184, 22, 44];
/// Length of the longest arrow, as part of the smaller side of the picture [1].
const LONGEST_ARROW: f64 = 0.22;
/// Width of an arrow [units].
const ARROW_WIDTH: f64 = 6.0;
/// Free space around the bodies, as part of the larger side of the picture.
const MARGIN: f64 = 0.04;
/// A body that does not move belongs to the picture where one that moves is nearer to it than this
/// many times its own radius [1].
const NEAR: f64 = 30.0;
/// By how much bodies that do not move may enlarge the picture [1].
const ENLARGED: f64 = 2.0;
/// Faces drawn at most, the largest ones; the others have the colour of their outline.
const MOST_FACES: usize = 1000;
/// Parts drawn at most, the nearest ones.
const MOST_PARTS: usize = 600;
/// Area of the smallest face that is drawn [units squared].
const LEAST_AREA: f64 = 3.0;
/// How far a surface may be from the true one [units].
const FINENESS: f64 = 1.0;
/// How far from the picture a corner may lie [units]: products of two such places fit in 64 bits.
const FARTHEST: f64 = 1e8;
/// Where the light comes from: right, up, towards the viewer.
const LIGHT: [f64; 3] = [-0.42, 0.74, 0.53];
/// Steps of brightness between dark and light.
const SHADES: f64 = 24.0;

/// Colour of a body, by its place among those of the scene; a group of balls has one.
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

/// Size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As high as it is wide.
    Square(i32),
    /// As high as the bodies need, but neither very low nor very high.
    Wide(i32),
}

impl Format {
    /// Width and height for what is in the frame.
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
    /// The scene at its start.
    pub fn of(scene: &Scene, description: &SceneDescription, format: Format) -> Drawing {
        let start = |body| scene.start_pose(BodyId::from(body));
        let poses: Vec<Pose> = (0..scene.bodies().len()).map(start).collect();
        Drawing::at(scene, description, &poses, &[], format)
    }

    /// The scene with its bodies at these poses, in the order of the scene, and with arrows: each from
    /// a point [m] along a vector, the longest of which has a length of its own, world axes.
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

/// Lines of bodies that move, their first end on a joint or a centre of mass, world axes [m]: from
/// joints to centres of mass, and from these to parts that are elsewhere.
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

/// What the picture is about.
struct Focus {
    camera: Camera,
    /// Around the bodies that move and what is below them.
    frame: Frame,
    /// The same in space: lower and upper corner [m].
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

    /// The larger side [m].
    fn frame_size(&self) -> f64 {
        let [width, height] = self.frame.size();
        width.max(height)
    }

    /// The part of a half-space that is drawn, in its frame.
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

    /// What the picture shows: the focus, and what does not move where it fits in.
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

/// The box about a part along the axes of its own frame [m]; that of a half-space has no end.
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

/// Where points of the scene lie in the picture.
struct View {
    camera: Camera,
    size: [i32; 2],
    frame: Frame,
    /// Units for a metre.
    scale: f64,
}

impl View {
    /// The frame in the middle of a picture, as large as it fits in.
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
                    pieces.push(Piece::Polygon {
                        points: outline(points),
                        color: shaded(solid.color, shades / area.max(1e-9)),
                    });
                    let large = faces.into_iter().filter(|face| face.area > least);
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

    /// Arrows in front of everything, their lengths as those of the vectors.
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

    /// The faces that the viewer sees.
    fn faces(&self, solid: &Solid) -> Vec<Face> {
        let SolidShape::Surface(surface) = &solid.body else {
            return Vec::new();
        };
        let mut faces = Vec::new();
        for face in &surface.faces {
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

/// Corners of a flat arrow between two points of the picture; none of one too short to be seen.
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

/// A face that is seen.
struct Face {
    points: Vec<[i32; 2]>,
    /// Area in the picture [units squared].
    area: f64,
    /// From 0, away from the light, to 1.
    shade: f64,
}

/// How bright a face is whose unit normal the camera sees so, in steps from 0 to 1.
fn brightness(normal: &Vec3) -> f64 {
    let light = Vec3::from(LIGHT).normalize();
    let turned = 0.5 * (1.0 + normal.dot(&light));
    (turned * SHADES).round() / SHADES
}

/// A colour in the light: darker than it is below 0.7, lighter above.
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

/// The convex outline of points, by Andrew's chains of lowest and highest points.
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

// The convex shapes of a scene, those without contact too.

/// A convex shape fixed to a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Its body.
    pub(crate) body: BodyId,
    /// The shape that it is, or is a part of, among those of the body; a ball of a group has none.
    pub of_shape: Option<usize>,
    /// Form and size, without a shell.
    pub(crate) shape: RoundedShape,
    /// Pose of the core's frame in the body frame.
    pub pose_b: Pose,
}

/// All parts in the order of the scene; the description is that of the scene.
pub(crate) fn parts(scene: &Scene, description: &SceneDescription) -> Vec<Part> {
    let smoothing = description.contact.smoothing_radius;
    let mut parts = Vec::new();
    for (index, body) in description.bodies.iter().enumerate() {
        for (place, shape) in body.shapes.iter().enumerate() {
            let smoothing = shape.smoothing_radius.unwrap_or(smoothing);
            let outer = pose(shape);
            // A polyhedron of a checked scene is one.
            let convex = convex_shapes(&shape.form, smoothing).unwrap_or_default();
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

/// A part as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// What is drawn.
    pub(crate) body: SolidShape,
    /// Middle, world axes [m].
    pub center: Vec3,
    /// Where it is in the picture [m].
    pub frame: Frame,
    /// Outward unit normals of its larger faces.
    pub normals: Vec<Vec3>,
    /// Colour.
    pub color: [u8; 3],
}

/// What is drawn of a part.
#[derive(Clone, Debug)]
pub(super) enum SolidShape {
    /// A ball of this radius [m] about the middle.
    Ball(f64),
    /// A surface in world axes.
    Surface(Surface),
}

/// Part of the surface that a face has at least to be asked for a plane [1].
const LARGE_FACE: f64 = 0.03;
/// Cosine [1] between plane and line of sight below which neither side hides the other.
const EDGE_ON: f64 = 1e-6;
/// More parts than this are sorted by depth, apart from those that are no balls.
const MOST_BALLS: usize = 400;

impl Solid {
    /// A surface with what the order asks of it.
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

    /// A ball.
    pub(super) fn of_ball(center: Vec3, radius: f64, camera: &Camera, color: [u8; 3]) -> Solid {
        Solid {
            body: SolidShape::Ball(radius),
            center,
            frame: Frame::empty().with(&camera.seen(&center), radius),
            normals: Vec::new(),
            color,
        }
    }

    /// How far it reaches along a unit vector [m].
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

    /// Whether this part is drawn before another one (less than zero), after it, or as it comes.
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

/// The parts in the order in which they are drawn. Where each of several hides the next, the
/// farthest comes first.
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

/// A view without perspective; right, up and towards the viewer are orthonormal, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// To the right in the picture.
    pub right: Vec3,
    /// Upwards in the picture.
    pub up: Vec3,
    /// To the viewer.
    pub toward: Vec3,
}

/// Where the viewer is: to the right, to the front, up.
const VIEWER: [f64; 3] = [0.45, 1.0, 0.5];

impl Camera {
    /// The camera of a scene with this gravity; without a uniform one z is up.
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

    /// A point as the camera sees it: right, up, towards the viewer [m].
    pub(crate) fn seen(&self, point: &Vec3) -> Vec3 {
        Vec3::new(
            self.right.dot(point),
            self.up.dot(point),
            self.toward.dot(point),
        )
    }
}

/// A rectangle of the picture [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Lower left corner.
    pub lower: [f64; 2],
    /// Upper right corner.
    pub upper: [f64; 2],
}

impl Frame {
    /// Nothing yet.
    pub(crate) fn empty() -> Frame {
        Frame {
            lower: [f64::INFINITY; 2],
            upper: [f64::NEG_INFINITY; 2],
        }
    }

    /// With what lies within `radius` of a point as the camera sees it [m].
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

    /// With another one.
    pub(crate) fn joined(&self, other: &Frame) -> Frame {
        Frame {
            lower: [0, 1].map(|i| self.lower[i].min(other.lower[i])),
            upper: [0, 1].map(|i| self.upper[i].max(other.upper[i])),
        }
    }

    /// Width and height [m].
    pub(crate) fn size(&self) -> [f64; 2] {
        [0, 1].map(|i| self.upper[i] - self.lower[i])
    }

    /// Whether two of them have a point in common.
    pub(crate) fn meets(&self, other: &Frame) -> bool {
        (0..2).all(|i| self.lower[i] <= other.upper[i] && other.lower[i] <= self.upper[i])
    }
}
