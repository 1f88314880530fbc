//! From where a scene is seen: from the front, a little from the right and from above, without
//! perspective. Up is against gravity.

use contact_geometry::math::Vec3;
use contact_model::scene::description::Gravity;

/// A view without perspective; right, up and towards the viewer are orthonormal, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
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
    pub fn new(gravity: Gravity) -> Camera {
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
    pub fn seen(&self, point: &Vec3) -> Vec3 {
        Vec3::new(
            self.right.dot(point),
            self.up.dot(point),
            self.toward.dot(point),
        )
    }
}

/// A rectangle of the picture [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Lower left corner.
    pub lower: [f64; 2],
    /// Upper right corner.
    pub upper: [f64; 2],
}

impl Frame {
    /// Nothing yet.
    pub fn empty() -> Frame {
        Frame {
            lower: [f64::INFINITY; 2],
            upper: [f64::NEG_INFINITY; 2],
        }
    }

    /// With what lies within `radius` of a point as the camera sees it [m].
    pub fn with(&self, seen: &Vec3, radius: f64) -> Frame {
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
    pub fn joined(&self, other: &Frame) -> Frame {
        Frame {
            lower: [0, 1].map(|i| self.lower[i].min(other.lower[i])),
            upper: [0, 1].map(|i| self.upper[i].max(other.upper[i])),
        }
    }

    /// Width and height [m].
    pub fn size(&self) -> [f64; 2] {
        [0, 1].map(|i| self.upper[i] - self.lower[i])
    }

    /// Whether two of them have a point in common.
    pub fn meets(&self, other: &Frame) -> bool {
        (0..2).all(|i| self.lower[i] <= other.upper[i] && other.lower[i] <= self.upper[i])
    }
}
