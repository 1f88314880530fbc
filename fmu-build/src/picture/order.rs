//! Which part hides which. Two convex parts that do not overlap have a plane between them; the part
//! on the viewer's side of it is drawn later. Planes are sought along the faces of either part and
//! across the line between their middles; the one with the widest gap decides.

use super::camera::{Camera, Frame};
use super::surface::Surface;
use contact_geometry::math::Vec3;

/// A part as it is drawn.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// What is drawn.
    pub body: Body,
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
pub(super) enum Body {
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
            body: Body::Surface(surface),
            color,
        }
    }

    /// A ball.
    pub(super) fn of_ball(center: Vec3, radius: f64, camera: &Camera, color: [u8; 3]) -> Solid {
        Solid {
            body: Body::Ball(radius),
            center,
            frame: Frame::empty().with(&camera.seen(&center), radius),
            normals: Vec::new(),
            color,
        }
    }

    /// How far it reaches along a unit vector [m].
    fn reach(&self, n: &Vec3) -> f64 {
        match &self.body {
            Body::Ball(radius) => self.center.dot(n) + radius,
            Body::Surface(surface) => {
                let along = surface.vertices.iter().map(|v| v.dot(n));
                along.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    fn is_ball(&self) -> bool {
        matches!(self.body, Body::Ball(_))
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
