//! The faces that can matter: a box around all common points of two bodies, and the bound on the
//! pressure in it.
//!
//! The pressure is the least l_i of all faces, so it is nowhere above P, the least over all faces
//! of the largest l_i in the box, and a face whose l_i is above P everywhere in the box is never the
//! least. A common point has l_i >= 0 for every face, so with its best corner in the box, l_i there
//! and the gradient g, the box has no common point farther than l_i/|g_k| from that corner along
//! axis k: the box shrinks face by face, which lowers P, and so on.

use crate::math::{Mat3, Pose, Vec3};
use crate::narrow_phase::area::flush::{Flush, Mixed, Scale};
use crate::narrow_phase::area::planes::{Linear, Stiffness, face_count, plane};
use crate::shapes::{Aabb, Core};

/// A face that can have the least pressure somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionFace {
    /// Of which body.
    pub side: usize,
    /// Which face of that body.
    pub face: usize,
    /// Its pressure [Pa] in the axes of the region.
    pub pressure: Linear,
    /// Of a plane that stands for flush faces of both bodies: which one.
    pub flush: Option<Flush>,
    /// Whether such planes stand for it.
    covered: bool,
}

/// A box that contains all common points of two bodies, and the faces that matter there.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Axes of the box, as columns, in the frame of the poses.
    pub axes: Mat3,
    /// Its centre along its axes [m].
    pub center: Vec3,
    /// Half of its lengths [m].
    pub half: Vec3,
    /// No pressure is above it [Pa].
    pub bound: f64,
    /// Pressure over depth of both bodies [N/m3].
    pub stiffness: Stiffness,
    /// By how much faces are moved inwards [m].
    pub(crate) inset: f64,
    /// The faces, those of the first body first, planes of flush ones last.
    pub faces: Vec<RegionFace>,
    /// Lengths of bodies that have flush faces.
    pub flush: Option<Scale>,
}

/// How often the box shrinks at most.
const SWEEPS: usize = 4;
/// Share of the volume below which other axes are taken. Boxes that lie flat keep those along their
/// common normal, about which rounding is symmetric.
const MUCH: f64 = 0.25;
/// Share of the coordinates by which the box is kept larger: some rounding.
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
    /// Finds box and faces of two bodies, of which one at least is a polytope, whose plane faces
    /// are moved inwards by `inset` [m]. Returns false if they have no point in common.
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
        // Along the direction between both bodies the box is thin, if that is one of its axes; a
        // body without plane faces takes that of the other one. Where it is much smaller along the
        // axes of a body, as of a cylinder that stands on a corner, these are taken.
        let all = self.faces.iter().map(|face| (face.side, &face.pressure));
        let out = self.least_of(all).map(|face| match face {
            Some(face) => self.faces[face].pressure.gradient.normalize(),
            None => Vec3::zeros(),
        });
        let between = axes_along(&(out[1] - out[0]));
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

    /// Puts planes of both bodies in the place of faces that lie flush; returns false if none do.
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

    /// Returns true if a point [m] is in the box, but for rounding. Of bodies that do not overlap, which the box
    /// alone does not say, faces outside of it may be missing that cut off what others have in common elsewhere.
    pub(super) fn contains(&self, point: &Vec3) -> bool {
        let off = self.axes.tr_mul(point) - self.center;
        let rounding = ROUNDING * self.reach();
        off.iter()
            .zip(&self.half)
            .all(|(off, half)| off.abs() <= half + rounding)
    }

    /// No common point is farther from the origin [m].
    pub(super) fn reach(&self) -> f64 {
        self.center.norm() + self.half.norm()
    }

    /// The face of each body with the least pressure in the middle, of faces with their bodies;
    /// none of a body without one.
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

    /// An eighth of the volume [m3].
    fn volume(&self) -> f64 {
        self.half.x * self.half.y * self.half.z
    }

    /// The box of what the boxes around both bodies have in common. Returns false if that is
    /// nothing.
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
        self.half = (common.upper - common.lower) * 0.5;
        self.half.iter().all(|half| *half > 0.0)
    }

    /// Shrinks the box by each face and drops faces that cannot have the least pressure. Returns
    /// false if nothing is left of the box.
    fn shrink(&mut self) -> bool {
        let spare = ROUNDING * self.reach();
        let (center, half, bound) = (&mut self.center, &mut self.half, &mut self.bound);
        for face in &self.faces {
            let (middle, off) = face.pressure.range(center, half);
            let most = middle + off;
            if most <= 0.0 {
                return false;
            }
            *bound = bound.min(most);
            for k in 0..3 {
                let slope = face.pressure.gradient[k];
                // 2 half |slope| > most, with the spare.
                let cut = half[k] - 0.5 * (most / slope.abs() + spare);
                if cut > 0.0 {
                    center[k] += cut.copysign(slope);
                    half[k] -= cut;
                }
            }
        }
        let (center, half, bound) = (*center, *half, *bound);
        self.faces.retain(|face| {
            let (middle, off) = face.pressure.range(&center, &half);
            middle - off < bound
        });
        true
    }
}

/// Axes of which the first is along a vector; none for no direction.
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
