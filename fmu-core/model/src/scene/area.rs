//! Which pairs touch over an area, and the shapes that they touch with.
//!
//! The law must act over an area: `hertz`, or `volume` with exponent 1, without `contact =
//! "point"`. The shapes must have flat features that can meet: two polytopes (half-space, box,
//! hull, mesh), or a polytope and a curved shape with flat ends (cylinder, cone, beam). Such a pair
//! touches with sharp edges, so that its gap and its force are those of the same shapes; all others
//! touch with the edges rounded by the smoothing radius, and so does a pair with a shell or a
//! threshold, whose surfaces are round at edges whatever the shapes are.
//!
//! A mesh touches over an area or not at all: polytopes and curved shapes with flat ends by such a law, a ball,
//! capsule or ellipsoid by any power law, whose force on a plane is that of the pressure field of the round shape.
//!
//! Laws whose pairs all touch in a point are made to say so when the scene is built: they have no
//! numbers of an area, and the shapes of a scene without area contact have no sharp form.
//!
//! # What a description says of contact over an area that has no meaning
//!
//! Or leaves open a stiffness:.
//!
//! - a named pair wants an area of shapes that touch in a point, or gives the stiffness of one to
//!   such shapes
//! - `area`, which law `volume` uses in a point, for shapes that all touch over an area
//! - a mean of two self pairs over an area of which one gives a stiffness per area and the other
//!   none: 0 stands for «from moduli and layers», so that a mean with it is nobody's number

use crate::scene::description::{PairDescription, PairResponse, SceneDescription, SceneItem};
use crate::scene::flaw::SceneError;
use crate::scene::pairing::find;
use crate::scene::pairs::Pair;
use crate::scene::{Scene, Shape, pairing};
use contact_geometry::math::{Pose, Real};
use contact_geometry::narrow_phase::area::{Patch, face_count};
use contact_geometry::narrow_phase::{Feature, MeshFeature};
use contact_geometry::shapes::{Aabb, Core, Kind, RoundedShape};
use contact_laws::finding::Finding;
use contact_laws::index::{LawId, ShapeId, TiVec, ti_vec};
use contact_laws::quantity::Keyword;
use contact_laws::response::choice::{ContactKind, FrictionKind, NormalKind};
use contact_laws::response::flaws::Flaw;
use contact_laws::response::{LawChanges, LawChoice, LawKinds, Number};

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
            Kind::Mesh | Kind::Hull | Kind::Box => Flatness::Polytope,
            Kind::Beam | Kind::Cylinder | Kind::Cone => Flatness::Ends,
            Kind::RoundCone | Kind::Ellipsoid | Kind::Segment | Kind::Point => Flatness::None,
        }
    }
}

/// Returns true if two shapes of these kinds can touch over an area.
pub(crate) fn kinds_allow_area(kind_1: Kind, kind_2: Kind) -> bool {
    use Flatness::{Ends, HalfSpace, Polytope};
    let (one, two) = (Flatness::of(kind_1), Flatness::of(kind_2));
    matches!(
        (one.min(two), one.max(two)),
        (HalfSpace, Polytope | Ends) | (Polytope, Polytope | Ends)
    )
}

/// Returns true for a mesh and a round shape with a pressure field of its own.
fn is_round_on_mesh(kinds: [Kind; 2]) -> bool {
    let is_round = |kind| matches!(kind, Kind::Point | Kind::Segment | Kind::Ellipsoid);
    kinds.contains(&Kind::Mesh) && kinds.into_iter().any(is_round)
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
        let choice = &self.laws[self.law_of(pair)].choice;
        let is_able = match is_round_on_mesh([one, two]) {
            true => choice.kinds.can_press_round(),
            false => kinds_allow_area(one, two) && choice.may_cover_area(),
        };
        is_able && self.threshold_of(pair.shapes) == 0.0
    }

    /// Returns true if a pair touches over an area by the layers of both shapes.
    pub fn has_layers(&self, pair: &Pair) -> bool {
        let kinds = pair.shapes.map(|shape| self.shapes[shape].form.kind());
        !is_round_on_mesh(kinds) && self.is_area(pair)
    }

    /// Returns true if a mesh touches with its own surface.
    pub fn has_meshes(&self) -> bool {
        let mut shapes = self.shapes.iter();
        shapes.any(|shape| shape.form.kind() == Kind::Mesh)
    }

    /// Returns true if pairs touch over an area.
    pub(crate) fn has_area(&self) -> bool {
        self.has_meshes() || self.laws.iter().any(|law| law.choice.may_cover_area())
    }

    /// Half of the depth [m] from which a mesh as it is no longer pushes the other shape of a pair back: of the radius
    /// of a round one, else of the layer at the nearest features, or of layers or extents of two that give way. `None`
    /// without a mesh.
    pub fn half_depth(&self, pair: &Pair, nearest: &Feature) -> Option<f64> {
        if !self.is_area(pair) {
            return None;
        }
        let forms = self.forms_of(pair.shapes);
        let nearest = match nearest {
            Feature::Mesh(feature) => Some(feature),
            _ => None,
        };
        let layer = MeshFeature::layer(nearest, forms.map(|form| &form.core))?;
        let other = forms.iter().find(|form| form.kind() != Kind::Mesh);
        Some(match other.map(|form| &form.core) {
            Some(Core::Point | Core::Segment(_)) => 0.5 * other?.radius,
            Some(Core::Ellipsoid(of)) => 0.5 * of.length(),
            Some(Core::Cylinder(_) | Core::Cone(_) | Core::Beam(_)) => 0.5 * layer,
            Some(Core::Box(_) | Core::Hull(_)) => layer.min(0.5 * extents(other?).0),
            _ => layer,
        })
    }

    /// Why steps of a fixed length are impossible: a pair touches over an area and is no ball on a mesh.
    pub(super) fn granular_flaw(&self) -> Option<Finding> {
        let classes = self.has_area().then(|| self.pair_classes(&|_| 0))?;
        let kinds = |pair: &Pair| pair.shapes.map(|shape| self.shapes[shape].form.kind());
        let is_ball =
            |pair: &Pair| is_round_on_mesh(kinds(pair)) && kinds(pair).contains(&Kind::Point);
        let firsts = classes.iter().map(|class| class.first());
        let others = firsts.filter(|pair| self.is_area(pair) && !is_ball(pair));
        let pair = others.min_by_key(|pair| pair.shapes)?;
        let bodies = pair
            .shapes
            .map(|shape| self.bodies[self.shapes[shape].body].name.as_str());
        let bodies = bodies.join(":");
        let cure = match kinds(&pair).contains(&Kind::Mesh) {
            true => format!(
                "put spheres on the mesh or height field, write exclude = [{bodies:?}] in [contact]"
            ),
            false if self.has_meshes() => {
                format!("write a [[pair]] with between = {bodies:?} and contact = \"point\"")
            }
            false => "write contact = \"point\" in [contact]".to_owned(),
        };
        let [a, b] = self.names_of(pair.shapes);
        let message = format!(
            "solver = \"dem\" has contacts in points only, and {a} and {b} touch over an area"
        );
        Some((message, format!("{cure}, or take another solver")).into())
    }

    /// Empty patch, with capacity for its shapes if pairs touch over an area.
    pub(crate) fn patch<T: Real>(&self) -> Patch<T> {
        let count = |shape: &Shape| face_count(&shape.form.core);
        match self.has_area() {
            true => Patch::with_room(self.shapes.iter().map(count).max().unwrap_or(0)),
            false => Patch::default(),
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

impl Scene {
    /// What is wrong with a named pair whose law has become `choice`, for shapes given by their
    /// first parts: fields and flaws.
    pub(super) fn area_flaws_of(
        &self,
        named: &PairDescription,
        changes: &LawChanges,
        choice: &LawChoice,
        set: &[[ShapeId; 2]],
    ) -> Vec<Flaw> {
        if wants_area(named, &choice.kinds)
            && let Some(flaw) = self.no_area_of(set)
        {
            return vec![("contact", flaw)];
        }
        let Some(names) = set.first().map(|first| self.names_of(*first)) else {
            return Vec::new();
        };
        let may = choice.may_cover_area();
        let over_area = |first: &[ShapeId; 2]| may && self.touches_over_area(*first);
        let mut flaws = Vec::new();
        if choice.kinds.normal == NormalKind::Hertz && may && !set.iter().any(over_area) {
            for (field, key) in keys_of_area(changes) {
                flaws.push((field, idle(key, &names, "in a point, not over an area")));
            }
        }
        let gives_area = changes.number(Number::Area) > Some(0.0);
        if gives_area && may && set.iter().all(|first| self.touches_over_area_only(*first)) {
            flaws.push(("area", idle("area", &names, OVER_AN_AREA)));
        }
        flaws
    }

    /// What is wrong with pairs in which a mesh touches with its own surface.
    pub(super) fn check_meshes(
        &self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        if !self.has_meshes() {
            return;
        }
        let classes = self.pair_classes(&|_| 0);
        let mut firsts: Vec<Pair> = classes.iter().map(|class| class.first()).collect();
        firsts.sort_unstable_by_key(|pair| pair.shapes);
        for pair in firsts {
            let is_mesh = |shape: &ShapeId| self.kinds(*shape).any(|kind| kind == Kind::Mesh);
            let Some(mesh) = pair.shapes.into_iter().find(is_mesh) else {
                continue;
            };
            if let Some(flaw) = self.mesh_flaw(&pair) {
                let item = pairing::item_of(description, self, mesh);
                errors.push(SceneError::new(description, item, "mesh", flaw));
            }
        }
    }

    /// The reader of a scene file adds the cure that its form has: a mesh may touch by its hull.
    fn mesh_flaw(&self, pair: &Pair) -> Option<Finding> {
        let [one, two] = pair.shapes;
        let others = |one| self.kinds(two).map(move |two| [one, two]);
        let all = self.kinds(one).flat_map(others);
        let kinds: Vec<[Kind; 2]> = all.filter(|both| both.contains(&Kind::Mesh)).collect();
        let round = |both: &[Kind; 2]| is_round_on_mesh(*both);
        let flat = |both: &[Kind; 2]| kinds_allow_area(both[0], both[1]);
        let [a, b] = self.names_of(pair.shapes);
        if !kinds.iter().all(|both| round(both) || flat(both)) {
            let message = format!(
                "{a} and {b} cannot touch: the surface of a mesh or height field touches all shapes but tapered \
                 capsules"
            );
            let help = "replace the tapered capsule by a capsule and spheres, or keep the two apart by law = \"none\"";
            return Some((message, help).into());
        }
        if self.threshold_of(pair.shapes) != 0.0 {
            let message = format!(
                "{a} and {b} have a threshold or a shell, and the surface of a mesh or height field has sharp edges"
            );
            return Some((message, "remove the threshold or shell").into());
        }
        let choice = &self.laws[self.law_of(pair)].choice;
        let normal = choice.kinds.normal;
        let is_point = choice.kinds.contact == ContactKind::Point;
        let is_flat = kinds.iter().any(flat);
        let acts = match is_flat {
            true => choice.may_cover_area(),
            false => choice.kinds.can_press_round() && !is_point,
        };
        if acts || normal == NormalKind::Observer {
            return None;
        }
        let law = format!("law = {:?}", normal.word());
        let (act, help) = match (choice.kinds.friction, normal) {
            _ if is_point => {
                let help = "write a [[pair]] of the two with contact = \"auto\", or remove contact = \"point\"";
                ("contact = \"point\"".to_owned(), help)
            }
            (FrictionKind::User(_), _) => {
                let help = "take a built-in friction, such as \"regularized\"";
                ("friction = \"user\"".to_owned(), help)
            }
            (_, NormalKind::Volume) => {
                let exponent = choice.number(Number::Exponent);
                let act = format!("{law} with exponent = {exponent}");
                (act, "take exponent = 1")
            }
            (_, NormalKind::Spring) if is_flat => {
                let help = "take law = \"hertz\" and remove stiffness, which follows from the materials, or law = \
                            \"volume\" with stiffness_per_area for it";
                (law, help)
            }
            _ if is_flat => (law, "take law = \"hertz\" or \"volume\""),
            _ => (law, "take law = \"hertz\", \"spring\" or \"volume\""),
        };
        let message = format!(
            "{a} and {b} touch in a point by {act}, and the surface of a mesh or height field over an area"
        );
        Some((message, help).into())
    }

    /// What is wrong with laws of materials.
    pub(super) fn check_areas(&self, description: &SceneDescription, errors: &mut Vec<SceneError>) {
        for (law, of) in self.laws.iter_enumerated() {
            if !of.choice.may_cover_area() && of.choice.kinds.normal != NormalKind::Volume {
                continue;
            }
            let [a, b] = of.materials.map(|m| self.materials[m].name.as_str());
            match find(description, [a, b]) {
                None if !self.gives_layers(description, law) => {
                    errors.extend(self.open_mean(description, law));
                }
                Some(place)
                    if of.between.is_none() && self.has_idle_area(description, place, law) =>
                {
                    let first = self
                        .kinds_of_pairs(law)
                        .iter()
                        .map(|pair| pair.shapes)
                        .min();
                    let names = first.map(|s| self.names_of(s)).unwrap_or_default();
                    let flaw = idle("area", &names, OVER_AN_AREA);
                    let item = SceneItem::MaterialPair(place);
                    errors.push(SceneError::new(description, item, "area", flaw));
                }
                _ => {}
            }
        }
    }

    /// Whether the law of materials gives an area, and all shapes that have the law touch over an
    /// area.
    fn has_idle_area(&self, description: &SceneDescription, place: usize, law: LawId) -> bool {
        let gives = match &description.material_pairs[place].response {
            PairResponse::Law(changes) => changes.number(Number::Area) > Some(0.0),
            PairResponse::None => false,
        };
        let is_area = |pair: &Pair| self.touches_over_area_only(pair.shapes);
        if !gives || !self.laws[law].choice.may_cover_area() {
            return false;
        }
        let pairs = self.kinds_of_pairs(law);
        !pairs.is_empty() && pairs.iter().all(is_area)
    }

    /// Whether a law of a named pair has layers or a stiffness per area of its own.
    fn gives_layers(&self, description: &SceneDescription, law: LawId) -> bool {
        let Some(between) = &self.laws[law].between else {
            return false;
        };
        let own = description.pairs.iter().filter(|p| p.between == *between);
        own.into_iter().any(|named| match &named.response {
            Some(PairResponse::Law(changes)) => keys_of_area(changes).next().is_some(),
            _ => false,
        })
    }

    /// The error of a mean whose stiffness per area is open, where a pair needs it.
    fn open_mean(&self, description: &SceneDescription, law: LawId) -> Option<SceneError> {
        let materials = self.laws[law].materials;
        let flaw = pairing::open_mean(description, self, materials)?;
        let needs = |pair: &Pair| {
            let normal = self.laws[law].choice.kinds.normal;
            normal == NormalKind::Volume || self.touches_over_area(pair.shapes)
        };
        let needing = self.kinds_of_pairs(law).into_iter().filter(needs);
        let pair = needing.min_by_key(|pair| pair.shapes)?;
        Some(pairing::error_at(description, self, pair.shapes[1], flaw))
    }

    /// The first pair of each class of pairs that have a law, in no particular order.
    fn kinds_of_pairs(&self, law: LawId) -> Vec<Pair> {
        let classes = self.pair_classes(&|_| 0);
        let firsts = classes.iter().map(|class| class.first());
        firsts.filter(|pair| self.law_of(pair) == law).collect()
    }

    /// Whether shapes, given by their first parts, can touch over an area, as far as the shapes
    /// decide it.
    fn touches_over_area(&self, first: [ShapeId; 2]) -> bool {
        self.threshold_of(first) == 0.0 && self.shapes_allow_area(first)
    }

    /// Whether they do with all their parts.
    fn touches_over_area_only(&self, first: [ShapeId; 2]) -> bool {
        self.threshold_of(first) == 0.0 && !self.shapes_allow_point(first)
    }

    /// What is wrong with an area that shapes are to touch over, given by their first parts.
    fn no_area_of(&self, set: &[[ShapeId; 2]]) -> Option<Finding> {
        let is_on_mesh = |[one, two]: [ShapeId; 2]| {
            let round = |one| self.kinds(two).any(|two| is_round_on_mesh([one, two]));
            self.kinds(one).any(round)
        };
        let is_unable =
            |first: &&[ShapeId; 2]| !self.touches_over_area(**first) && !is_on_mesh(**first);
        let mut unable = set.iter().filter(is_unable);
        let first = *unable.next()?;
        let [a, b] = self.names_of(first);
        Some(match self.shapes_allow_area(first) {
            true => (
                format!("{a} and {b} have a threshold or a shell, with which they touch in a point"),
                "remove contact = \"area\", or the threshold or shell",
            )
                .into(),
            false => format!(
                "{a} and {b} touch in a point; over an area touch two of half-space, box, hull and mesh, or one of \
                 them and a cylinder, cone or beam"
            )
            .into(),
        })
    }

    fn names_of(&self, first: [ShapeId; 2]) -> [String; 2] {
        first.map(|shape| {
            let shape = &self.shapes[shape];
            format!("{}.{}", self.bodies[shape.body].name, shape.name)
        })
    }
}

/// How two shapes touch that need no area given.
const OVER_AN_AREA: &str = "over an area, that of their overlap";

/// Says that a key has no meaning for two shapes as they touch.
fn idle(key: &str, [a, b]: &[String; 2], touch: &str) -> Finding {
    let message = format!("{key} has no meaning: {a} and {b} touch {touch}");
    (message, "remove it").into()
}

/// What changes give that only an area uses: fields of errors, and keys.
fn keys_of_area(changes: &LawChanges) -> impl Iterator<Item = (&'static str, &'static str)> {
    let per_area = Number::StiffnessPerArea;
    let wanted = changes.penetration.map(|wanted| wanted.number());
    let given = [
        (
            per_area.key(),
            per_area.key(),
            changes.number(per_area).is_some(),
        ),
        (
            Number::LayerDepth1.key(),
            "layer_depth",
            changes.has_layers(),
        ),
        ("penetration", "penetration", wanted == Some(per_area)),
    ];
    let given = given.into_iter().filter(|(.., is_given)| *is_given);
    given.map(|(field, key, _)| (field, key))
}
