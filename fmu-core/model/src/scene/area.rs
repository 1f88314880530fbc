//! Which pairs touch over an area, and the shapes that they touch with.
//!
//! The law must act over an area: `hertz`, or `volume` with exponent 1, without `contact =
//! "point"`. The shapes must have flat features that can meet: two polytopes (half-space, box,
//! hull), or a polytope and a curved shape with flat ends (cylinder, cone, beam). Such a pair
//! touches with sharp edges, so that its gap and its force are those of the same shapes; all others
//! touch with the edges rounded by the smoothing radius, and so does a pair with a shell or a
//! threshold, whose surfaces are round at edges whatever the shapes are.
//!
//! Laws whose pairs all touch in a point are made to say so when the scene is built: they have no
//! numbers of an area, and the shapes of a scene without area contact have no sharp form.

use crate::scene::description::{PairDescription, PairResponse};
use crate::scene::pairs::Pair;
use crate::scene::{Scene, Shape};
use contact_geometry::math::Pose;
use contact_geometry::narrow_phase::area::face_count;
use contact_geometry::shapes::{Aabb, Kind, RoundedShape};
use contact_laws::index::{LawId, ShapeId, TiVec, ti_vec};
use contact_laws::response::options::ContactKind;
use contact_laws::response::{LawChanges, LawKinds};

/// What a shape offers to a contact over an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Flatness {
    HalfSpace,
    Polytope,
    /// Curved, with flat ends.
    Ends,
    None,
}

impl Flatness {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::HalfSpace => Flatness::HalfSpace,
            Kind::Hull | Kind::Box => Flatness::Polytope,
            Kind::Beam | Kind::Cylinder | Kind::Cone => Flatness::Ends,
            Kind::RoundCone | Kind::Ellipsoid | Kind::Segment | Kind::Point => Flatness::None,
        }
    }
}

/// Returns true if two shapes of these kinds can touch over an area.
pub fn kinds_allow_area(kind_1: Kind, kind_2: Kind) -> bool {
    use Flatness::{Ends, HalfSpace, Polytope};
    let (one, two) = (Flatness::of(kind_1), Flatness::of(kind_2));
    matches!(
        (one.min(two), one.max(two)),
        (HalfSpace, Polytope | Ends) | (Polytope, Polytope | Ends)
    )
}

/// Returns true if a shape of this kind can be part of a contact over an area.
pub(super) fn has_flat(kind: Kind) -> bool {
    Flatness::of(kind) != Flatness::None
}

/// Smallest extent [m] of a shape along the axes of its core, and the product [m2] of the two
/// smallest ones; infinite for a half-space.
pub(super) fn extents(form: &RoundedShape) -> (f64, f64) {
    if form.is_half_space() {
        return (f64::INFINITY, f64::INFINITY);
    }
    let bounds = Aabb::of(form, &Pose::identity());
    let size = bounds.upper - bounds.lower;
    let mut edges = [size.x, size.y, size.z];
    edges.sort_unstable_by(f64::total_cmp);
    (edges[0], edges[0] * edges[1])
}

impl Scene {
    /// Returns true if a pair touches over an area.
    #[inline]
    pub fn is_area(&self, pair: &Pair) -> bool {
        let [one, two] = pair.shapes.map(|shape| self.shapes[shape].form.kind());
        kinds_allow_area(one, two)
            && self.laws[self.law_of(pair)].choice.may_cover_area()
            && self.threshold_of(pair.shapes) == 0.0
    }

    /// Returns true if pairs touch over an area.
    pub fn has_area(&self) -> bool {
        self.laws.iter().any(|law| law.choice.may_cover_area())
    }

    /// Largest number of plane faces of a shape, if pairs touch over an area; 0 else.
    pub fn most_faces(&self) -> usize {
        let count = |shape: &Shape| face_count(&shape.form.core);
        match self.has_area() {
            true => self.shapes.iter().map(count).max().unwrap_or(0),
            false => 0,
        }
    }

    /// The same of two shapes that can touch, one of them with a sharp form of its own.
    #[inline(never)]
    pub(super) fn is_area_of(&self, shapes: [ShapeId; 2]) -> bool {
        self.is_area(&self.pairs.of_shapes(shapes))
    }

    /// Returns true if convex parts of two shapes, given by their first parts, can touch over an
    /// area.
    pub(super) fn shapes_allow_area(&self, [one, two]: [ShapeId; 2]) -> bool {
        let others = |one| self.kinds(two).any(|two| kinds_allow_area(one, two));
        self.kinds(one).any(others)
    }

    /// Returns true if some of these parts can only touch in a point.
    pub(super) fn shapes_allow_point(&self, [one, two]: [ShapeId; 2]) -> bool {
        let others = |one| self.kinds(two).any(|two| !kinds_allow_area(one, two));
        self.kinds(one).any(others)
    }

    /// Kinds of the convex parts of a shape, given by its first part.
    pub(super) fn kinds(&self, first: ShapeId) -> impl Iterator<Item = Kind> + '_ {
        let parts = self.shapes[first..].iter().enumerate();
        let parts = parts.take_while(|(i, shape)| *i == 0 || shape.part > Some(0));
        parts.map(|(_, shape)| shape.form.kind())
    }

    /// Makes laws whose pairs all touch in a point say so, and lets the bounds of the shapes that
    /// touch over an area hold the sharp forms.
    pub(super) fn settle_areas(&mut self) {
        let covering = self.laws_that_cover();
        for (law, covers) in self.laws.iter_mut().zip(&covering) {
            if !covers {
                law.choice = law.choice.in_a_point();
            }
        }
        if !covering.iter().any(|covers| *covers) {
            self.shapes.iter_mut().for_each(|shape| shape.sharp = None);
            return;
        }
        for shape in &mut self.shapes {
            if let Some(sharp) = &shape.sharp {
                // Raised by a threshold, the sharp form encloses the rounded one too.
                let raised = shape.bounding_form.radius - shape.own_radius;
                shape.bounding_form = RoundedShape {
                    radius: sharp.radius.max(raised),
                    ..sharp.clone()
                };
            }
        }
    }

    /// Whether some pair of each law touches over an area.
    fn laws_that_cover(&self) -> TiVec<LawId, bool> {
        let mut covering = ti_vec![false; self.laws.len()];
        for class in self.pair_classes(&|_| 0).iter() {
            let pair = class.first();
            let law = self.law_of(&pair);
            if self.laws[law].choice.may_cover_area() && self.shapes_allow_area(pair.shapes) {
                covering[law] = true;
            }
        }
        covering
    }
}

/// Returns true if a named pair has contact over an area for itself, by a law that can.
pub(super) fn wants_area(named: &PairDescription, kinds: &LawKinds) -> bool {
    let contact = match &named.response {
        Some(PairResponse::Law(LawChanges { contact, .. })) => *contact,
        _ => None,
    };
    contact == Some(ContactKind::Area) && kinds.can_cover_area()
}
