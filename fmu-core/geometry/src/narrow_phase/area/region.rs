//! The faces that can matter: a box around all common points of two bodies, and the bound on the pressure in
//! it.
//!
//! The pressure is the least l_i of all faces, so it is nowhere above P, the least over all faces of the
//! largest l_i in the box, and a face whose l_i is above P everywhere in the box is never the least. A common
//! point has l_i >= 0 for every face, so with its best corner in the box, l_i there and the gradient g, the
//! box has no common point farther than l_i/|g_k| from that corner along axis k: the box shrinks face by
//! face, which lowers P, and so on.

use crate::math::{Mat3, Pose, Vec3};
use crate::narrow_phase::area::flush::{Flush, Mixed, Scale};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, plane};
use crate::shapes::{Aabb, Core};

/// Face that can have the smallest pressure somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionFace {
    pub side: usize,
    pub face: usize,
    pub pressure: Linear,
    /// The plane it is, if it represents flush faces of both bodies.
    pub flush: Option<Flush>,
    /// Whether such planes replace it.
    covered: bool,
}

/// Box that contains all common points of two bodies, and the faces that matter there.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Axes of the box, as columns, in the frame of the poses.
    pub axes: Mat3,
    pub center: Vec3,
    pub half: Vec3,
    /// Upper bound of the pressure [Pa].
    pub bound: f64,
    pub stiffness: Stiffness,
    /// Inward shift of the faces [m].
    pub(crate) inset: f64,
    /// Faces of the first body, of the second, then planes of flush ones.
    pub faces: Vec<RegionFace>,
    /// Dimensions of bodies that have flush faces.
    pub flush: Option<Scale>,
}

const SWEEPS: usize = 4;
/// Share of the volume below which other axes are taken. Boxes that lie flat keep their common normal as an
/// axis, about which rounding is symmetric.
const MUCH: f64 = 0.25;
/// Relative margin of the box: some rounding.
const ROUNDING: f64 = 1e-14;

impl Default for Region {
    fn default() -> Self {
        Region {
            axes: Mat3::identity(),
            center: Vec3::zeros(),
            half: Vec3::zeros(),
            bound: 0.0,
            stiffness: [0.0; 2],
            inset: 0.0,
            faces: Vec::new(),
            flush: None,
        }
    }
}

impl Region {
    /// Finds box and faces of two bodies, at least one a polytope, whose plane faces are moved inwards by
    /// `inset` [m]. Returns false if they have no point in common.
    pub(super) fn find(
        &mut self,
        cores: [&Core; 2],
        poses: &[Pose; 2],
        stiffness: Stiffness,
        inset: f64,
    ) -> bool {
        (self.stiffness, self.inset) = (stiffness, inset);
        self.axes = Mat3::identity();
        if !self.enclose(cores, poses) {
            return false;
        }
        self.faces.clear();
        for side in 0..2 {
            let k = stiffness[side];
            for face in 0..face_count(cores[side]) {
                let plane = plane(cores[side], face, &poses[side], inset);
                let pressure = Linear {
                    gradient: plane.normal * -k,
                    at_0: plane.offset * k,
                };
                self.faces.push(RegionFace {
                    side,
                    face,
                    pressure,
                    flush: None,
                    covered: false,
                });
            }
        }
        self.flush = Scale::of(cores, stiffness);
        if !self.join(poses) {
            self.flush = None;
        }
        // Along the direction between both bodies the box is thin, if that is one of its axes; a body without
        // plane faces takes that of the other one. Where it is much smaller along the axes of a body, as of a
        // cylinder that stands on a corner, these are taken.
        let all = self.faces.iter().map(|face| (face.side, &face.pressure));
        let out = self.least_of(all).map(|face| match face {
            Some(face) => self.faces[face].pressure.gradient.normalize(),
            None => Vec3::zeros(),
        });
        let half_space = cores
            .iter()
            .position(|core| matches!(core, Core::HalfSpace));
        let between = axes_along(&half_space.map_or(out[1] - out[0], |side| out[side]));
        let own = poses.iter().map(|pose| pose.rotation);
        let (mut axes, mut least) = (self.axes, f64::INFINITY);
        for other in between.into_iter().chain(own) {
            self.axes = other;
            if !self.enclose(cores, poses) {
                return false;
            }
            if self.volume() < MUCH * least {
                (axes, least) = (other, self.volume());
            }
        }
        self.axes = axes;
        self.enclose(cores, poses);
        if let Some(scale) = &self.flush {
            self.half.add_scalar_mut(scale.radius());
        }
        for face in &mut self.faces {
            face.pressure.gradient = axes.tr_mul(&face.pressure.gradient);
        }
        self.bound = f64::INFINITY;
        for _ in 0..SWEEPS {
            let count = self.faces.len();
            if !self.shrink() {
                return false;
            }
            if self.faces.len() == count {
                break;
            }
        }
        self.bound > 0.0
    }

    /// Replaces flush faces by planes of both bodies; returns false if there are none.
    fn join(&mut self, poses: &[Pose; 2]) -> bool {
        let Some(scale) = self.flush else {
            return false;
        };
        let middles = scale.middles(poses);
        let count = self.faces.len();
        let first = self.faces.iter().filter(|face| face.side == 0).count();
        for i in 0..first {
            for j in first..count {
                let pair = [i, j].map(|k| &self.faces[k].pressure);
                let ends = scale.ends(pair, &middles);
                if ends.is_empty() {
                    continue;
                }
                let (pair, faces) = (pair.map(|one| *one), [i, j].map(|k| self.faces[k].face));
                for end in ends {
                    let flush = Flush { faces, end: *end };
                    self.faces.push(RegionFace {
                        side: 0,
                        face: faces[0],
                        pressure: Mixed::new(pair, &middles, scale, flush).pressure,
                        flush: Some(flush),
                        covered: false,
                    });
                }
                for k in [i, j] {
                    self.faces[k].covered = true;
                }
            }
        }
        let found = self.faces.len() > count;
        if found {
            self.faces.retain(|face| !face.covered);
        }
        found
    }

    /// Returns true if a point [m] is in the box, up to rounding. For bodies that do not overlap, which the
    /// box alone does not show, faces outside of it may be missing that cut the common part elsewhere.
    pub(super) fn contains(&self, point: &Vec3) -> bool {
        let off = self.axes.tr_mul(point) - self.center;
        let rounding = ROUNDING * self.reach();
        off.iter()
            .zip(&self.half)
            .all(|(off, half)| off.abs() <= half + rounding)
    }

    /// Largest distance of a common point from the origin [m].
    pub(super) fn reach(&self) -> f64 {
        self.center.norm() + self.half.norm()
    }

    /// The face of each body with the smallest pressure in the middle; `None` for a body without faces.
    pub(super) fn least_of<'a>(
        &self,
        faces: impl Iterator<Item = (usize, &'a Linear)>,
    ) -> [Option<usize>; 2] {
        let mut least = [(None, f64::INFINITY); 2];
        for (index, (side, pressure)) in faces.enumerate() {
            let (middle, _) = pressure.range(&self.center, &self.half);
            if middle < least[side].1 {
                least[side] = (Some(index), middle);
            }
        }
        least.map(|(index, _)| index)
    }

    fn volume(&self) -> f64 {
        self.half.x * self.half.y * self.half.z
    }

    /// Starts with the intersection of both bounding boxes. Returns false if it is empty.
    fn enclose(&mut self, cores: [&Core; 2], poses: &[Pose; 2]) -> bool {
        let mut common = Aabb {
            lower: Vec3::repeat(f64::NEG_INFINITY),
            upper: Vec3::repeat(f64::INFINITY),
        };
        for (core, pose) in cores.iter().zip(poses) {
            if matches!(core, Core::HalfSpace) {
                continue;
            }
            let place = self.axes.tr_mul(&pose.position);
            let turned = self.axes.tr_mul(&pose.rotation);
            let [lower, upper] = core.solid().bounds(&turned);
            common.lower = common.lower.sup(&(place + lower));
            common.upper = common.upper.inf(&(place + upper));
        }
        self.center = (common.lower + common.upper) * 0.5;
        // Enlarged bodies reach farther, at corners by the most.
        let outset = 4.0 * (-self.inset).max(0.0);
        self.half = ((common.upper - common.lower) * 0.5).add_scalar(outset);
        self.half.iter().all(|half| *half > 0.0)
    }

    /// Shrinks the box by each face and drops faces that cannot have the smallest pressure. Returns false if
    /// nothing is left of the box.
    fn shrink(&mut self) -> bool {
        let spare = ROUNDING * self.reach();
        let (center, half, bound) = (&mut self.center, &mut self.half, &mut self.bound);
        for face in &self.faces {
            let most = face.pressure.shrink(center, half, spare);
            if most <= 0.0 {
                return false;
            }
            *bound = bound.min(most);
        }
        let (center, half, bound) = (*center, *half, *bound);
        self.faces.retain(|face| {
            let (middle, off) = face.pressure.range(&center, &half);
            middle - off < bound
        });
        true
    }
}

/// Orthonormal axes, the first along a vector; `None` for the zero vector.
fn axes_along(vector: &Vec3) -> Option<Mat3> {
    let size = vector.norm();
    if size < 0.5 {
        return None;
    }
    let first = vector / size;
    let mut axis = Vec3::zeros();
    axis[first.abs().imin()] = 1.0;
    let second = first.cross(&axis).normalize();
    Some(Mat3::from_columns(&[first, second, first.cross(&second)]))
}
