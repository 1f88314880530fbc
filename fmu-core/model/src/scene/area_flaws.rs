//! What a description says of contact over an area that has no meaning, or leaves open a stiffness:
//!
//! - a named pair wants an area of shapes that touch in a point, or gives the stiffness of one to
//!   such shapes
//! - `area`, which law `volume` uses in a point, for shapes that all touch over an area
//! - a mean of two self pairs over an area of which one gives a stiffness per area and the other
//!   none: 0 stands for «from moduli and layers», so that a mean with it is nobody's number

use crate::scene::Scene;
use crate::scene::description::{PairDescription, PairResponse, SceneDescription, SceneItem};
use crate::scene::flaw::{Rule, SceneError, SceneFlaw};
use crate::scene::pairing::{self, find};
use crate::scene::pairs::Pair;
use contact_laws::index::{LawId, ShapeId};
use contact_laws::response::options::NormalKind;
use contact_laws::response::{LawChanges, LawChoice, Number};

impl Scene {
    /// What is wrong with a named pair whose law has become `choice`, for shapes given by their
    /// first parts: fields and flaws.
    pub(super) fn area_flaws_of(
        &self,
        named: &PairDescription,
        (changes, choice): (&LawChanges, &LawChoice),
        set: &[[ShapeId; 2]],
    ) -> Vec<(&'static str, SceneFlaw)> {
        if super::area::wants_area(named, &choice.kinds)
            && let Some(flaw) = self.no_area_of(set)
        {
            return vec![("contact", flaw)];
        }
        let Some(names) = set.first().map(|first| self.names_of(*first)) else {
            return Vec::new();
        };
        let rule = |rule, key: &str| SceneFlaw::broken(rule, [key, &names[0], &names[1]]);
        let may = choice.may_cover_area();
        let over_area = |first: &[ShapeId; 2]| may && self.touches_over_area(*first);
        let mut flaws = Vec::new();
        if choice.kinds.normal == NormalKind::Hertz && may && !set.iter().any(over_area) {
            for (field, key) in keys_of_area(changes) {
                flaws.push((field, rule(Rule::AreaKeyInAPoint, key)));
            }
        }
        let gives_area = changes.number(Number::Area) > Some(0.0);
        if gives_area && may && set.iter().all(|first| self.touches_over_area_only(*first)) {
            flaws.push(("area", rule(Rule::AreaOfFaces, "area")));
        }
        flaws
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
                    let [one, two] = first.map(|s| self.names_of(s)).unwrap_or_default();
                    let flaw = SceneFlaw::broken(Rule::AreaOfFaces, ["area", &one, &two]);
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
        let flaw = (String::new(), Box::new(flaw));
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
    fn no_area_of(&self, set: &[[ShapeId; 2]]) -> Option<SceneFlaw> {
        let mut unable = set.iter().filter(|first| !self.touches_over_area(**first));
        let first = *unable.next()?;
        let [a, b] = self.names_of(first);
        let rule = match self.shapes_allow_area(first) {
            true => Rule::RaisedInAPoint,
            false => Rule::TouchInAPoint,
        };
        Some(SceneFlaw::broken(rule, [&a, &b]))
    }

    fn names_of(&self, first: [ShapeId; 2]) -> [String; 2] {
        first.map(|shape| {
            let shape = &self.shapes[shape];
            format!("{}.{}", self.bodies[shape.body].name, shape.name)
        })
    }
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
