//! A rigid body with curved surfaces (cylinder, cone, beam) against a convex polytope that carries
//! a pressure field.
//!
//! The polytope B is given by the planes of its faces, one for a half-space. Its field is p = k
//! min_j g_j, g_j = offset_j - normal_j . x the depth below plane j, where that is positive. The
//! stored energy is U = integral of p over A and B. It depends on the relative pose alone, and
//! since p is zero on the surface of B, its gradient is the load on the surface of A inside B: F_A
//! = -integral of p n_A dA, M_A = -integral of p x cross n_A dA.
//!
//! [`patch`] gives nodes on that surface whose sums are these integrals to rounding, also with the
//! slip of a rigid motion and a lever arm in the integrand, as damping has it:
//!
//! - [`cell`]: a mesh in place of the polytope, cell by cell
//! - [`energy`]: depths, rules, and U from the nodes
//! - [`face`]: nodes of a planar face and of a lateral surface
//!
//! Nodes are constant in the frame of A; a dual number differentiates the depth at them and their
//! motion with A. That is the derivative of the integrals too, because p vanishes where the region
//! of integration ends and is continuous where it is divided.

pub(super) mod cell;
pub(super) mod energy;
mod face;

#[cfg(test)]
#[path = "../../../../tests/unit/narrow_phase/area/curved/tests/mod.rs"]
mod tests;

use crate::math::{Pose, Real, Vec2, Vec3};
use crate::narrow_phase::area::nodes::{Extent, Node, Nodes, OutlineCorner};
use crate::narrow_phase::area::planes::Plane;
use crate::shapes::{Beam, Cone, Core, Cylinder};
use energy::{Chart, Depth, Part, Samples, find_active};
use face::{Breaks, Outlines, PlanarFace, Shape, Tube};

#[derive(Clone, Debug)]
pub(super) struct CurvedWork<T: Real> {
    depths: Vec<Depth>,
    active: Vec<Depth>,
    outlines: Outlines,
    breaks: Breaks,
    samples: Samples,
    in_body: Vec<Depth<T>>,
    shares: Vec<f64>,
}

impl<T: Real> Default for CurvedWork<T> {
    fn default() -> Self {
        CurvedWork {
            depths: Vec::new(),
            active: Vec::new(),
            outlines: Outlines::default(),
            breaks: Breaks::default(),
            samples: Samples::default(),
            in_body: Vec::new(),
            shares: Vec::new(),
        }
    }
}

/// Appends the nodes of the patch between a cylinder, cone or beam and a polytope, and returns the
/// energy [J]; no nodes and zero for other cores. `stiffness` is the pressure per depth [N/m3].
///
/// All in one frame, whose origin should be near the contact. Elastic force and torque on the body
/// are -sum force normal and -sum force point cross normal.
pub(super) fn patch<T: Real>(
    core: &Core,
    pose: &Pose<T>,
    planes: &[Plane<T>],
    stiffness: f64,
    work: &mut CurvedWork<T>,
    nodes: &mut Nodes<T>,
) -> T {
    let CurvedWork {
        depths, in_body, ..
    } = work;
    in_body.clear();
    let numbered = planes.iter().enumerate();
    in_body.extend(numbered.map(|(j, plane)| Depth::in_body(plane, pose, j)));
    depths.clear();
    depths.extend(in_body.iter().map(Depth::values));
    work.samples.clear();
    work.sample(core);
    work.shares.clear();
    work.shares.resize(planes.len(), 0.0);
    let first = nodes.kept().len();
    work.place(pose, stiffness, nodes);
    energy::energy(
        planes,
        stiffness,
        &work.shares,
        &work.samples.list,
        &nodes.kept()[first..],
    )
}

const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// Initial capacity: enough for one part of most surfaces.
const SAMPLES: usize = 512;

impl<T: Real> CurvedWork<T> {
    pub(super) fn reserve(&mut self, faces: usize) {
        self.depths.reserve(faces);
        self.active.reserve(faces);
        self.in_body.reserve(faces);
        self.shares.reserve(faces);
        self.outlines.reserve(faces);
        self.breaks.reserve(faces);
        self.samples.list.reserve(SAMPLES);
        self.samples.parts.reserve(SAMPLES);
        self.samples.corners.reserve(SAMPLES);
    }

    fn sample(&mut self, core: &Core) {
        match core {
            Core::Cylinder(cylinder) => self.cylinder(cylinder),
            Core::Cone(cone) => self.cone(cone),
            Core::Beam(beam) => self.beam(beam),
            _ => {}
        }
    }

    fn cylinder(&mut self, cylinder: &Cylinder) {
        let Cylinder { radius, half } = *cylinder;
        self.revolved([-half, half], [radius; 2]);
    }

    fn cone(&mut self, cone: &Cone) {
        self.revolved(cone.z, cone.radii);
    }

    fn revolved(&mut self, z: [f64; 2], radii: [f64; 2]) {
        let ends = [[X, -Y, -Z], [X, Y, Z]];
        for (axes, (z, radius)) in ends.into_iter().zip(z.into_iter().zip(radii)) {
            if radius > 0.0 {
                let origin = Z * z;
                let shape = Shape::Stadium { half: 0.0, radius };
                let chart = Chart { origin, axes };
                self.face(&PlanarFace { chart, shape });
            }
        }
        // About the middle, so that the ends are as exact as can be.
        let half = 0.5 * (z[1] - z[0]);
        self.tube(&Tube {
            chart: Chart {
                origin: Z * (0.5 * (z[0] + z[1])),
                axes: [X, Y, Z],
            },
            z: [-half, half],
            radius: 0.5 * (radii[0] + radii[1]),
            slope: 0.5 * (radii[1] - radii[0]) / half,
            closed: true,
        });
    }

    fn beam(&mut self, beam: &Beam) {
        let Beam {
            half,
            radius,
            half_thickness,
        } = *beam;
        for (axes, side) in [([Z, X, Y], 1.0), ([Z, -X, -Y], -1.0)] {
            let origin = Y * (side * half_thickness);
            self.face(&PlanarFace {
                chart: Chart { origin, axes },
                shape: Shape::Stadium { half, radius },
            });
        }
        for (axes, side) in [([Y, Z, X], 1.0), ([-Y, Z, -X], -1.0)] {
            let origin = X * (side * radius);
            self.face(&PlanarFace {
                chart: Chart { origin, axes },
                shape: Shape::Rectangle([half_thickness, half]),
            });
        }
        for (axes, side) in [([Z, X, Y], 1.0), ([-Z, -X, Y], -1.0)] {
            let origin = Z * (side * half);
            self.tube(&Tube {
                chart: Chart { origin, axes },
                z: [-half_thickness, half_thickness],
                radius,
                slope: 0.0,
                closed: false,
            });
        }
    }

    fn face(&mut self, face: &PlanarFace) {
        let extent = |depth: &Depth| face.extent(depth);
        find_active(&self.depths, &face.chart, extent, &mut self.active);
        face.sample(&self.active, &mut self.outlines, &mut self.samples);
    }

    fn tube(&mut self, tube: &Tube) {
        let extent = |depth: &Depth| tube.extent(depth);
        find_active(&self.depths, &tube.chart, extent, &mut self.active);
        if !self.active.is_empty() {
            tube.sample(&self.active, &mut self.breaks, &mut self.samples);
        }
    }

    /// Converts samples to nodes; those without load go.
    fn place(&mut self, pose: &Pose<T>, stiffness: f64, nodes: &mut Nodes<T>) {
        let turned = |v: &Vec3| {
            let [x, y, z] = [0, 1, 2].map(|i| {
                let r = &pose.rotation;
                r[(i, 0)] * v.x + r[(i, 1)] * v.y + r[(i, 2)] * v.z
            });
            Vec3::new(x, y, z)
        };
        let Samples {
            list,
            parts,
            corners,
        } = &mut self.samples;
        let (mut count, mut whole) = (0, true);
        let mut parts = parts.iter();
        let mut part = parts.next();
        list.retain(|sample| {
            let depth = self.in_body[sample.plane].at(&sample.point);
            let force = depth * (stiffness * sample.area);
            // Not on the borders of the region, where only rounding is left.
            let loaded = force.value() > 0.0 || force.value().is_nan();
            if loaded {
                if let Some(share) = self.shares.get_mut(sample.plane) {
                    *share += force.value();
                }
                nodes.push(Node {
                    point: pose.position + turned(&sample.point),
                    normal: turned(&sample.normal),
                    force,
                });
            }
            count += 1;
            whole &= loaded;
            if let Some((end, kind)) = part
                && *end == count
            {
                let extent = match kind {
                    Part::Line if whole => Extent::Line,
                    Part::Line => Extent::Nodes,
                    Part::Region {
                        chart,
                        middle,
                        corners: (from, to),
                        plane,
                    } => {
                        let (depth, middle) =
                            (&self.in_body[*plane], chart.point(middle.x, middle.y, 0.0));
                        let [u, v, _] = &chart.axes;
                        let slope = |axis: &Vec3| depth.slope.dot(&axis.map(T::from));
                        Extent::Region(nodes.outline(
                            pose.position + turned(&middle),
                            [turned(u), turned(v)],
                            depth.at(&middle) * stiffness,
                            Vec2::new(slope(u), slope(v)) * T::from(stiffness),
                            corners[*from..*to].iter().map(|corner| OutlineCorner {
                                place: corner.place.map(T::from),
                                center: corner.center,
                            }),
                        ))
                    }
                };
                nodes.end_facet(extent);
                whole = true;
                part = parts.next();
            }
            loaded
        });
    }
}
