//! What bounds, searches and contact ask of a core: one implementation for each kind, beside the
//! sizes of the kind.
//!
//! With d a direction in the core frame, the support function is h(d) = max over the core of d.x.
//! The strata of a core are the parts of its boundary, see [`strata`](crate::shapes::strata). The
//! defaults are those of a core that is one point in the origin.
//!
//! What is generic over the scalar, and the support mapping, is called for a known kind, so that it
//! inlines; the rest also through `dyn Solid`.

use crate::math::{Mat3, Real, Vec3};
use crate::shapes::soft::Footprint;
use crate::shapes::strata::{Element, Ends, Stratum};
use std::ops::Range;

/// A convex core, in its own frame.
pub trait Solid {
    /// Whether a turn about z leaves the core as it is, and others do not.
    fn is_revolved(&self) -> bool {
        false
    }

    /// A point of the core farthest along `d` (any length > 0) [m]. Where an entire edge or face is
    /// farthest, the middle of a flat round end is taken and a fixed corner of the others.
    fn support(&self, d: &Vec3) -> Vec3;

    /// h(d) [m] for the unit vector `d`. Where d is normal to a face or an edge its derivative is
    /// that of the middle.
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T
    where
        Self: Sized;

    /// The soft support point for the unit vector `d` [m], see [`soft`](crate::shapes::soft).
    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T>
    where
        Self: Sized;

    /// The edge or face that the core shows along the unit vector `d`, in a tangent basis across
    /// it; none for a single point.
    fn footprint<T: Real>(&self, _d: &Vec3<T>, _basis: &[Vec3<T>; 2]) -> Option<Footprint<T>>
    where
        Self: Sized,
    {
        None
    }

    /// The point p [m] moved into the edge or face farthest along the unit vector `d`, where d is
    /// nearly normal to one; its height over it stays.
    fn clamped<T: Real>(&self, _d: &Vec3<T>, p: Vec3<T>) -> Vec3<T>
    where
        Self: Sized,
    {
        p
    }

    /// No less than the distance of any point of the core from the origin of its frame [m].
    fn reach(&self) -> f64 {
        let [lower, upper] = bounds(&|d| self.support(d), &Mat3::identity());
        upper.sup(&-lower).norm()
    }

    /// Largest of the coordinates of all points of the core by their absolute value [m].
    fn largest_coordinate(&self) -> f64;

    /// Lower and upper corner [m] of the box about the core along the axes of an outer frame with
    /// the same origin; `rotation` maps to that frame.
    fn bounds(&self, rotation: &Mat3) -> [Vec3; 2] {
        bounds(&|d| self.support(d), rotation)
    }

    /// Lower and upper corner [m] of the box about the core along its own axes, of a core whose
    /// [`Self::bounds`] take long.
    fn own_box(&self) -> Option<[Vec3; 2]> {
        None
    }

    /// The axes along which the core has a segment, or for which a ruling counts as one.
    fn segments(&self) -> Range<usize> {
        0..0
    }

    /// The axis of the disc that the core has.
    fn disc_axis(&self) -> Option<usize> {
        None
    }

    /// Kink function of the segment along `axis`: cosine [1] of the angle between d and it.
    fn kink(&self, axis: usize, d: &Vec3) -> f64 {
        d[axis]
    }

    /// Whether the core has the stratum with these ends, all of them -1, 0 or 1.
    fn has_ends(&self, ends: &Ends) -> bool {
        *ends == Ends::default()
    }

    /// Ends that only a face has, made those of that face, near direction d.
    fn settled(&self, ends: Ends, _d: &Vec3) -> Ends {
        ends
    }

    /// The ends of the stratum to which a point x [m] near the surface and direction d belong.
    fn ends_near(&self, _x: &Vec3, _d: &Vec3) -> Ends {
        Ends::default()
    }

    /// The ends of the neighbour over which a point y [m] lies that is not over the face with
    /// these; the same where it is.
    fn ends_below(&self, ends: &Ends, _y: &Vec3) -> Ends {
        *ends
    }

    /// Whether a straight edge with these ends lies on the far side of the flat face next to it,
    /// seen along d, so that the face is nearer.
    fn hides(&self, _ends: &Ends, _d: &Vec3) -> bool {
        false
    }

    /// The point [m] nearest to another one on the stratum with these ends, of a core where it
    /// takes more than one parameter.
    fn nearest_on_border(&self, _ends: &Ends, _to: &Vec3) -> Option<Vec3> {
        None
    }

    /// The numbers of the stratum with these ends.
    fn element_of_ends(&self, _ends: &Ends) -> Element {
        Element::point(Vec3::zeros())
    }

    /// Radius [m] of a ball inside the core that touches its surface in x, a point of the stratum
    /// or over it; zero where none is known. A simple lower bound will do.
    fn inner_radius(&self, _ends: &Ends, _x: &Vec3) -> f64 {
        0.0
    }

    /// Whether the core has this stratum: that of another kind of core, or of a polyhedron with
    /// other vertices, is of no use.
    fn has(&self, part: &Stratum) -> bool {
        match part {
            Stratum::Ends(ends) => {
                ends.along.iter().all(|end| (-1..=1).contains(end)) && self.has_ends(ends)
            }
            _ => false,
        }
    }

    /// The farthest stratum along d: all of an edge or a face to which d is normal within the angle
    /// `parallel` [rad].
    fn farthest_stratum(&self, d: &Vec3, parallel: f64) -> Stratum {
        let mut ends = Ends::default();
        for axis in self.segments() {
            ends.along[axis] = Ends::by_kink(self.kink(axis, d), parallel);
        }
        let is_across = |axis| Element::across(d, axis) <= parallel;
        ends.flat = self.disc_axis().is_some_and(is_across);
        Stratum::Ends(self.settled(ends, d))
    }

    /// The numbers of a stratum.
    fn element(&self, part: &Stratum) -> Element {
        match part {
            Stratum::Ends(ends) => self.element_of_ends(ends),
            _ => Element::point(Vec3::zeros()),
        }
    }

    /// The neighbour of a face over which a point y [m] lies that is not over the face; none where
    /// it is.
    fn exit(&self, part: &Stratum, y: &Vec3) -> Option<Stratum> {
        let Stratum::Ends(ends) = part else {
            return None;
        };
        let new = self.ends_below(ends, y);
        (new != *ends).then_some(Stratum::Ends(new))
    }
}

/// [`Solid::bounds`] by the support mapping: one function for all kinds.
fn bounds(support: &dyn Fn(&Vec3) -> Vec3, rotation: &Mat3) -> [Vec3; 2] {
    let (mut lower, mut upper) = (Vec3::zeros(), Vec3::zeros());
    for i in 0..3 {
        // The outer axis in the axes of the core.
        let axis = rotation.row(i).transpose();
        upper[i] = axis.dot(&support(&axis));
        lower[i] = axis.dot(&support(&-axis));
    }
    [lower, upper]
}
