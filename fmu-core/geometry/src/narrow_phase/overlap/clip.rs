//! The faces of one polyhedron cut by the planes of another: polygons on the surface of the
//! intersection, and what is summed up over them.

use super::placed::{Placed, Plane};
use super::polyhedron::Polyhedron;
use crate::math::{Real, Vec3};

/// How a face lies to a plane of the other polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Across it, or at a distance.
    Free,
    /// In it to within the geometric epsilon, with the same side outwards.
    Shared,
    /// In it to rounding, with the other side outwards: the face touches.
    Touching,
}

/// Lengths by which faces and planes are told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// A point in the smaller of both polyhedra [m].
    pub center: Vec3,
    /// Radius about it that holds it [m].
    pub radius: f64,
    /// Distance at which faces coincide [m].
    pub shared: f64,
    /// Distance at which faces touch [m]: rounding.
    pub touching: f64,
}

impl Tolerance {
    fn lie(&self, face: &Plane<f64>, plane: &Plane<f64>) -> Lie {
        let aligned = face.normal.dot(&plane.normal);
        let within = |turn: Vec3, shift: f64, limit: f64| {
            turn.norm() * self.radius <= limit && (turn.dot(&self.center) - shift).abs() <= limit
        };
        if aligned > 0.5 {
            let turn = plane.normal - face.normal;
            if within(turn, plane.offset - face.offset, self.shared) {
                return Lie::Shared;
            }
        } else if aligned < -0.5 {
            let turn = plane.normal + face.normal;
            if within(turn, plane.offset + face.offset, self.touching) {
                return Lie::Touching;
            }
        }
        Lie::Free
    }
}

/// Work arrays.
#[derive(Clone, Debug)]
pub struct Polygons<T: Real> {
    polygon: Vec<Vec3<T>>,
    cut: Vec<Vec3<T>>,
}

impl<T: Real> Default for Polygons<T> {
    fn default() -> Self {
        Polygons {
            polygon: Vec::new(),
            cut: Vec::new(),
        }
    }
}

/// A polygon on the surface of the intersection: the part of one face.
pub struct Piece<'a, T: Real> {
    /// Corners [m].
    pub corners: &'a [Vec3<T>],
    /// Outward unit normal of its face.
    pub normal: Vec3<T>,
    /// Whether it lies in a face of the other polyhedron, too.
    pub is_shared: bool,
}

/// Calls `visit` with the part of each face of `side` within the other polyhedron.
pub fn for_each_piece<T: Real>(
    side: usize,
    shapes: [&Polyhedron; 2],
    placed: &[Placed<T>; 2],
    tolerance: &Tolerance,
    work: &mut Polygons<T>,
    mut visit: impl FnMut(&Piece<'_, T>),
) {
    let [own, other] = [&placed[side], &placed[1 - side]];
    for (number, face) in shapes[side].faces().iter().enumerate() {
        let (plane, wall) = (&own.planes[number], &own.walls[number]);
        work.polygon.clear();
        if shapes[side].is_half_space() {
            let radius = shapes[1 - side].radius();
            work.polygon.extend(square(plane, &other.center, radius));
        } else {
            let corners = shapes[side].corners(face).iter();
            work.polygon
                .extend(corners.map(|c| own.vertices[*c as usize]));
        }
        let mut is_shared = false;
        for (cutting, cutting_wall) in other.planes.iter().zip(&other.walls) {
            match tolerance.lie(wall, cutting_wall) {
                Lie::Touching => continue,
                Lie::Free => work.cut_by(|p| cutting.height(p)),
                // On one of both planes the height over the other is the difference of both
                // heights. Taken from 1 to 2 both times it cuts both faces along one line, so that
                // together they make the common face once; where they are equal it goes to 1.
                Lie::Shared => {
                    is_shared = true;
                    let [first, second] = match side {
                        0 => [plane, cutting],
                        _ => [cutting, plane],
                    };
                    let turn = second.normal - first.normal;
                    let shift = second.offset - first.offset;
                    let over = |p: &Vec3<T>| turn.dot(p) - shift;
                    if side == 0 {
                        work.cut_by(over);
                    } else if work.polygon.iter().any(|p| over(p).value() > 0.0) {
                        work.cut_by(|p| -over(p));
                    } else {
                        work.polygon.clear();
                    }
                }
            }
            if work.polygon.is_empty() {
                break;
            }
        }
        if !work.polygon.is_empty() {
            visit(&Piece {
                corners: &work.polygon,
                normal: plane.normal,
                is_shared,
            });
        }
    }
}

/// A square in a plane that holds the shadow of a ball.
fn square<T: Real>(plane: &Plane<T>, center: &Vec3<T>, radius: f64) -> [Vec3<T>; 4] {
    let normal = plane.normal.map(Real::value);
    let mut axis = Vec3::zeros();
    axis[normal.iamin()] = 1.0;
    let u = plane.normal.cross(&axis.map(T::from));
    let u = u * u.dot(&u).sqrt().recip();
    let v = plane.normal.cross(&u);
    let middle = center - plane.normal * plane.height(center);
    // Half a side of twice the radius keeps its edges clear of what they hold.
    let half = T::from(2.0 * radius);
    [[-half, -half], [half, -half], [half, half], [-half, half]]
        .map(|[x, y]| middle + u * x + v * y)
}

impl<T: Real> Polygons<T> {
    /// Cuts off what has a positive height (Sutherland, Hodgman 1974).
    fn cut_by(&mut self, height: impl Fn(&Vec3<T>) -> T) {
        let Some(last) = self.polygon.last() else {
            return;
        };
        if self.polygon.iter().all(|p| height(p).value() <= 0.0) {
            return;
        }
        self.cut.clear();
        let (mut before, mut before_height) = (*last, height(last));
        for p in &self.polygon {
            let h = height(p);
            let crosses = (h.value() < 0.0 && before_height.value() > 0.0)
                || (h.value() > 0.0 && before_height.value() < 0.0);
            if crosses {
                let share = before_height * (before_height - h).recip();
                self.cut.push(before + (p - before) * share);
            }
            if h.value() <= 0.0 {
                self.cut.push(*p);
            }
            (before, before_height) = (*p, h);
        }
        std::mem::swap(&mut self.polygon, &mut self.cut);
    }
}

impl<T: Real> Piece<'_, T> {
    /// Area [m^2] and first moment of area about `origin` [m^3].
    pub fn area_and_moment(&self, origin: &Vec3<T>) -> (T, Vec3<T>) {
        let (mut area, mut moment) = (T::zero(), Vec3::zeros());
        let Some((apex, rest)) = self.corners.split_first() else {
            return (area, moment);
        };
        let third = T::from(1.0 / 3.0);
        for pair in rest.windows(2) {
            let part = (pair[0] - apex).cross(&(pair[1] - apex)).dot(&self.normal) * 0.5;
            area += part;
            moment += ((apex - origin) + (pair[0] - origin) + (pair[1] - origin)) * (part * third);
        }
        (area, moment)
    }
}
