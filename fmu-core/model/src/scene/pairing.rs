//! Laws of pairs of shapes that can touch: given for their materials, or the mean of two self
//! pairs.
//!
//! The mean of A-A and B-B is used for a pair A-B that is not given, if both have the same elastic
//! laws of the same exponent: every number is the mean of the two, save that the layer on each
//! material is that of its self pair. Where only one of both gives a stiffness per area there is no
//! mean over an area: the other is that of two layers, and each material has only one of them here.
//!
//! # Who never touches whom
//!
//! Bodies that do not move against each other, bodies that a joint holds together, bodies of one
//! collision group, what is excluded by name, and what has `law = "none"`, of two materials or of a
//! named pair. If several named pairs say something of the same two shapes, the one that names more
//! shapes counts.
//!
//! # Pairs that a scene names
//!
//! By bodies or by shapes of bodies, to set something for them.
//!
//! Threshold T [Engelson 2000, 6.6]: the gap of a pair counts from surfaces that lie T apart, so
//! that contact begins at a distance of T. It is the sum of the shells of both shapes, or the
//! threshold that a named pair gives instead. Either is part of the radius that sweeps the core:
//! each shape by its own shell, or each by T/2 for the pair that has a threshold. So event logic,
//! indicators and forces see gap - T without knowing of T.
//!
//! A name means all shapes of a body, `table`, or one of them, `table.cushion`. If several
//! named pairs give a threshold to the same two shapes, the one that names more shapes counts.

use crate::scene::Scene;
use crate::scene::description::{
    MaterialPair, Motion, PairDescription, PairResponse, SceneDescription, SceneItem, ShapeName,
};
use crate::scene::elements::{Body, ContactLaw, NamedPair, OwnLaw, OwnThreshold, Shape};
use crate::scene::flaw::{SceneError, list, unknown};
use crate::scene::joint::Joint;
use crate::scene::pairs::Group;
use crate::scene::tree::is_rigid;
use contact_geometry::shapes::RoundedShape;
use contact_laws::finding::Finding;
use contact_laws::index::{BodyId, GroupId, JointId, LawId, MaterialId, ShapeId, TiSlice, TiVec};
use contact_laws::response::choice::NormalKind;
use contact_laws::response::flaws::Flaw;
use contact_laws::response::{LawChanges, LawChoice, LawKinds, Number};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Law of two materials: given, or the mean of the two self pairs, if these have the same laws.
///
/// # Errors
/// Numbers of the given law that are missing, or why no mean replaces a law that is not given.
pub(super) fn choice(
    description: &SceneDescription,
    scene: &Scene,
    materials: [MaterialId; 2],
) -> Result<LawChoice, Finding> {
    let names = materials.map(|m| scene.materials()[m].name.as_str());
    let [a, b] = names;
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let given = find(description, names);
    let no_mean = match given.map(|place| &description.material_pairs[place]) {
        Some(MaterialPair {
            materials: [first, _],
            response: PairResponse::Law(changes),
        }) => {
            let ordered = in_order(changes, first == a);
            return LawChoice::of_pair(&of_scene, &ordered).map_err(|numbers| {
                let finding = of_scene.changed(changes).lack(&numbers);
                finding.of(&format!("material pair {a:?}, {b:?}: "))
            });
        }
        // Shapes of materials that are kept apart are no pair: not needed.
        Some(_) => String::new(),
        None => match self_choices(description, &of_scene, names)
            .and_then(|choices| mean(names, &choices))
        {
            Ok(mean) => return Ok(mean),
            Err(reason) => reason,
        },
    };
    let observed = names.iter().any(|m| observes(description, &of_scene, m));
    let lines = match observed {
        true => vec!["law = \"observer\"".to_owned()],
        false => of_scene.example_lines(),
    };
    Err(no_contact_data(names, &no_mean, &lines))
}

/// Says that two materials have no law and, unless it is empty, why no mean replaces it; with lines
/// to write.
fn no_contact_data([a, b]: [&str; 2], no_mean: &str, lines: &[String]) -> Finding {
    let mut message = format!("no contact data for materials {a:?} and {b:?}");
    if !no_mean.is_empty() {
        message += &format!(", and no mean of their self pairs: {no_mean}");
    }
    let pair = format!("add\n  [[material_pair]]\n  materials = [{a:?}, {b:?}]");
    (message, format!("{pair}\n  {}", lines.join("\n  "))).into()
}

/// Changes with the depths of layers in the order of the materials of a law.
pub(super) fn in_order(changes: &LawChanges, same_order: bool) -> LawChanges {
    let mut ordered = changes.clone();
    if !same_order {
        for (number, _) in &mut ordered.numbers {
            *number = match *number {
                Number::LayerDepth1 => Number::LayerDepth2,
                Number::LayerDepth2 => Number::LayerDepth1,
                other => other,
            };
        }
    }
    ordered
}

/// Place of the pair of two materials in a description.
pub(super) fn find(description: &SceneDescription, [a, b]: [&str; 2]) -> Option<usize> {
    description.material_pairs.iter().position(|pair| {
        let [c, d] = pair.materials.each_ref().map(String::as_str);
        [a, b] == [c, d] || [b, a] == [c, d]
    })
}

fn self_response<'d>(
    description: &'d SceneDescription,
    material: &str,
) -> Option<&'d PairResponse> {
    let place = find(description, [material, material])?;
    Some(&description.material_pairs[place].response)
}

/// Why the mean of two self pairs leaves open how stiff the contact is over an area, as the error
/// of a pair that touches so.
pub(super) fn open_mean(
    description: &SceneDescription,
    scene: &Scene,
    materials: [MaterialId; 2],
) -> Option<Finding> {
    let names = materials.map(|m| scene.materials()[m].name.as_str());
    let of_scene = LawKinds::of_scene(&description.contact.law);
    let choices = self_choices(description, &of_scene, names).ok()?;
    let is_given = |index: usize, number| choices[index].number(number) > 0.0;
    let mut lines = of_scene.example_lines();
    let per_area = [0, 1].map(|index| is_given(index, Number::StiffnessPerArea));
    let no_mean = match per_area {
        [true, true] => return None,
        [false, false] => {
            let is_half = |index: &usize| {
                is_given(*index, Number::LayerDepth1) != is_given(*index, Number::LayerDepth2)
            };
            let half = names[[0, 1].into_iter().find(is_half)?];
            format!("over an area that of {half:?} gives layer_depth for one of its shapes only")
        }
        [first, _] => {
            let (gives, other) = match first {
                true => (names[0], names[1]),
                false => (names[1], names[0]),
            };
            lines.push(Number::StiffnessPerArea.line());
            format!(
                "over an area that of {gives:?} gives stiffness_per_area, that of {other:?} does not"
            )
        }
    };
    Some(no_contact_data(names, &no_mean, &lines))
}

/// Returns true if a material has a self pair that only observes.
fn observes(description: &SceneDescription, of_scene: &LawKinds, material: &str) -> bool {
    match self_response(description, material) {
        Some(PairResponse::Law(changes)) => {
            of_scene.changed(changes).normal == NormalKind::Observer
        }
        _ => false,
    }
}

/// The laws of the two self pairs, or why there is no mean; empty where there is one material.
fn self_choices(
    description: &SceneDescription,
    of_scene: &LawKinds,
    [a, b]: [&str; 2],
) -> Result<[LawChoice; 2], String> {
    if a == b {
        return Err(String::new());
    }
    let mut lacking = Vec::new();
    let mut choices = Vec::new();
    for material in [a, b] {
        lacking.push(match self_response(description, material) {
            None => format!("{material:?} has none"),
            Some(PairResponse::None) => format!("{material:?} never touches itself"),
            Some(PairResponse::Law(changes)) => match LawChoice::of_pair(of_scene, changes) {
                Ok(choice) if choice.kinds.normal == NormalKind::Observer => {
                    format!("that of {material:?} only observes")
                }
                Ok(choice) => {
                    choices.push(choice);
                    continue;
                }
                Err(_) => format!("that of {material:?} is incomplete"),
            },
        });
    }
    match choices[..] {
        [x, y] => Ok([x, y]),
        _ => Err(lacking.join(", ")),
    }
}

/// The mean of the laws of two self pairs, or why there is none.
fn mean([a, b]: [&str; 2], [x, y]: &[LawChoice; 2]) -> Result<LawChoice, String> {
    if x.kinds != y.kinds {
        let [law, other] = [x, y].map(LawChoice::law_word);
        return Err(match law == other {
            true => format!("those of {a:?} and {b:?} differ in damping, friction or another kind"),
            false => format!("that of {a:?} has law = {law:?}, that of {b:?} {other:?}"),
        });
    }
    let [n, m] = [x, y].map(|choice| choice.number(Number::Exponent));
    if n != m {
        return Err(format!(
            "that of {a:?} has exponent = {n}, that of {b:?} {m}"
        ));
    }
    let layer = |choice: &LawChoice| {
        0.5 * (choice.number(Number::LayerDepth1) + choice.number(Number::LayerDepth2))
    };
    let mean = LawChoice::new(x.kinds, |number| {
        Some(match number {
            Number::LayerDepth1 => layer(x),
            Number::LayerDepth2 => layer(y),
            _ => 0.5 * (x.number(number) + y.number(number)),
        })
    });
    mean.map_err(|_| "numbers are missing".to_owned())
}

/// The error of a pair of shapes, at the second of them, which needs it.
pub(super) fn error_at(
    description: &SceneDescription,
    scene: &Scene,
    shape: ShapeId,
    finding: Finding,
) -> SceneError {
    let item = item_of(description, scene, shape);
    let own_contact_material = match item {
        SceneItem::Shape(b, s) => description.bodies[b].shapes[s].contact_material.is_some(),
        _ => false,
    };
    let field = if own_contact_material {
        "contact_material"
    } else {
        "material"
    };
    SceneError {
        item,
        field,
        finding,
        first: None,
    }
}

/// The error of a law that cannot work with the moduli of a material: at the one of two shapes of
/// the law that has it, or at the layer that asks for it, in the item `layers` unless that is the
/// pair of materials.
pub(super) fn modulus_error(
    description: &SceneDescription,
    scene: &Scene,
    shapes: [ShapeId; 2],
    choice: &LawChoice,
    layers: Option<SceneItem>,
) -> Option<SceneError> {
    let materials = shapes.map(|shape| scene.shapes()[shape].material);
    let flawed = |shape: ShapeId| {
        let data = &scene.materials()[scene.shapes()[shape].material];
        let (field, allowed) = choice.modulus_flaw(data.youngs_modulus, data.poissons_ratio)?;
        let (value, unit) = match field {
            "poissons_ratio" => (data.poissons_ratio, ""),
            _ => (data.youngs_modulus, "Pa"),
        };
        let [a, b] = materials.map(|m| scene.materials()[m].name.as_str());
        let subject = format!("material {:?}: ", data.name);
        let out_of_range = |why: String| {
            let allowed = format!("{allowed} {why}");
            Finding::out_of_range(field, value, unit, allowed).of(&subject)
        };
        if field == "poissons_ratio" {
            let finding = out_of_range(format!(
                "with the layer_depth of {a:?} and {b:?}: a layer that is given cannot widen; \
                 without layer_depth any up to 0.5 is good"
            ));
            let of_materials = find(description, [a, b]).map(SceneItem::MaterialPair);
            if let Some(item) = layers.or(of_materials) {
                return Some(SceneError {
                    item,
                    field: Number::LayerDepth1.key(),
                    finding,
                    first: None,
                });
            }
            return Some(error_at(description, scene, shape, finding));
        }
        let word = choice.law_word();
        let finding = out_of_range(format!("for law = {word:?} of {a:?} and {b:?}"));
        Some(error_at(description, scene, shape, finding))
    };
    shapes.into_iter().find_map(flawed)
}

/// Item of a collision shape in the description.
pub(super) fn item_of(description: &SceneDescription, scene: &Scene, shape: ShapeId) -> SceneItem {
    let shape = &scene.shapes()[shape];
    if let Some(group) = scene.grains_of(shape.body) {
        return SceneItem::Grains(group.into());
    }
    let index = description.bodies[usize::from(shape.body)]
        .shapes
        .iter()
        .position(|s| s.name == shape.name);
    index.map_or(SceneItem::Body(shape.body.into()), |index| {
        SceneItem::Shape(shape.body.into(), index)
    })
}

impl Scene {
    /// Pairs of groups that never touch though their bodies may.
    pub(super) fn excluded(
        &self,
        description: &SceneDescription,
        groups: &TiSlice<GroupId, Group>,
        errors: &mut Vec<SceneError>,
    ) -> Vec<[GroupId; 2]> {
        let named = |name: &ShapeName| -> Vec<GroupId> {
            let meant = |group: &Group| {
                let body = &self.bodies[group.body].name;
                name.names(body, &self.shapes[group.shapes.start].name)
            };
            groups.keys().filter(|g| meant(&groups[*g])).collect()
        };
        let of_material = |name: &String| -> Vec<GroupId> {
            let is_of = |g: &GroupId| self.materials()[groups[*g].material].name == *name;
            groups.keys().filter(is_of).collect()
        };
        let mut excluded = self.held_by_joints(groups);
        for names in &description.excluded {
            excluded.extend(products(names.each_ref().map(named)));
        }
        for pair in &description.material_pairs {
            if pair.response == PairResponse::None {
                excluded.extend(products(pair.materials.each_ref().map(of_material)));
            }
        }
        // What the most precise named pair says of two groups: its precision, and its index.
        let mut said: BTreeMap<[GroupId; 2], (usize, usize)> = BTreeMap::new();
        let is_none = |index: usize| description.pairs[index].response == Some(PairResponse::None);
        for (index, pair) in description.pairs.iter().enumerate() {
            if pair.response.is_none() {
                continue;
            }
            let precision = pair.between.iter().filter(|n| n.shape.is_some()).count();
            let mut twice = None;
            for two in products(pair.between.each_ref().map(named)) {
                let new = (precision, index);
                let old = said.entry(two).or_insert(new);
                if old.0 == precision && is_none(old.1) != is_none(index) {
                    twice = Some(old.1);
                }
                if precision > old.0 {
                    *old = new;
                }
            }
            if let Some(first) = twice {
                let number = first + 1;
                let finding = (
                    format!(
                        "pair number {number} gives a law to the same shapes, and one of the two is law = \"none\""
                    ),
                    "keep one, or name the shapes in one of them",
                );
                let error = error(description, index, "law", finding);
                errors.push(error.after(SceneItem::Pair(first)));
            }
        }
        let never = said.into_iter().filter(|(_, (_, index))| is_none(*index));
        excluded.extend(never.map(|(two, _)| two));
        excluded
    }
}

impl Scene {
    /// Pairs of groups of the parent and the child of joints that do not let them touch. What fixed
    /// joints hold to one of them counts with it; what is fixed to the world does not.
    fn held_by_joints(&self, groups: &TiSlice<GroupId, Group>) -> Vec<[GroupId; 2]> {
        let rigid = rigid_groups(&self.bodies, self.joints(), self.tree_order());
        let with = |body: BodyId| -> Vec<GroupId> {
            let same = |g: &GroupId| {
                let other = groups[*g].body;
                other == body || (rigid[other] == rigid[body] && rigid[body] < self.bodies.len())
            };
            groups.keys().filter(same).collect()
        };
        let mut excluded = Vec::new();
        for joint in self.joints().iter().filter(|joint| !joint.can_collide) {
            if let Some(parent) = joint.parent {
                excluded.extend(products([with(parent), with(joint.child)]));
            }
        }
        excluded
    }
}

/// Every first with every second, the smaller first.
fn products([ones, others]: [Vec<GroupId>; 2]) -> impl Iterator<Item = [GroupId; 2]> {
    ones.into_iter().flat_map(move |a| {
        let others = others.clone();
        others.into_iter().map(move |b| [a.min(b), a.max(b)])
    })
}

/// Number of the rigid group of each body: bodies of one never move against each other, or their
/// motions are both given. Fixed and prescribed bodies are one group; every other body is one with
/// those that fixed joints hold it to.
pub(super) fn rigid_groups(
    bodies: &TiSlice<BodyId, Body>,
    joints: &TiSlice<JointId, Joint>,
    order: &[JointId],
) -> TiVec<BodyId, usize> {
    let given = bodies.len();
    let own = bodies
        .iter()
        .enumerate()
        .map(|(index, body)| match body.motion {
            Motion::Fixed | Motion::Prescribed => given,
            Motion::Free | Motion::Joint | Motion::Driven => index,
        });
    let mut groups: TiVec<BodyId, usize> = own.collect();
    for joint in order.iter().map(|j| &joints[*j]).filter(|j| is_rigid(j)) {
        groups[joint.child] = joint.parent.map_or(given, |parent| groups[parent]);
    }
    groups
}

/// Number of the collision group of each body.
pub(super) fn collision_groups(description: &SceneDescription) -> TiVec<BodyId, Option<usize>> {
    let mut names: Vec<&str> = Vec::new();
    let bodies = description.bodies.iter();
    let group = bodies.map(|body| {
        let name = body.collision_group.as_deref()?;
        let known = names.iter().position(|known| *known == name);
        Some(known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }))
    });
    group.collect()
}

impl ShapeName {
    /// Returns true if this names a shape of a body, or all of them.
    pub(crate) fn names(&self, body: &str, shape: &str) -> bool {
        self.body == body && self.shape.as_deref().is_none_or(|own| own == shape)
    }
}

impl fmt::Display for ShapeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Some(shape) => write!(f, "{}.{shape}", self.body),
            None => f.write_str(&self.body),
        }
    }
}

/// What is wrong with two names.
pub(super) fn flaw(description: &SceneDescription, names: &[ShapeName; 2]) -> Option<Finding> {
    for name in names {
        let Some(body) = description.bodies.iter().find(|b| b.name == name.body) else {
            let known = description.bodies.iter().map(|body| body.name.as_str());
            return Some(unknown("body", &name.body, known).into());
        };
        if let Some(shape) = &name.shape
            && body.shapes.iter().all(|s| s.name != *shape)
        {
            let known = list(body.shapes.iter().map(|shape| shape.name.as_str()));
            let body = &name.body;
            return Some(
                format!("body {body:?} has no shape {shape:?}; its shapes: {known}").into(),
            );
        }
    }
    let [a, b] = names;
    (a.body == b.body).then(|| {
        let message = format!("{a} and {b} are of one body; its shapes never collide");
        (message, "remove the entry").into()
    })
}

/// Convex parts that belong to one shape of the description.
pub(super) type ShapeRange = Range<ShapeId>;

impl Scene {
    /// Takes over what the description says of named pairs.
    pub(super) fn set_named_pairs(
        &mut self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        let mut groups = Vec::new();
        for (index, named) in description.pairs.iter().enumerate() {
            let own = self.named_groups(&named.between);
            let is_never = named.response == Some(PairResponse::None);
            if own.is_empty() && !is_never {
                let finding = never_touch(&named.between, "law = \"none\"");
                errors.push(error(description, index, "between", finding));
            } else if named.distance || named.warn_below.is_some() {
                self.named_pairs.push(NamedPair {
                    between: named.between.clone(),
                    parts: own.clone(),
                    warn_below: named.warn_below,
                    distance: named.distance,
                });
            }
            groups.push(own);
        }
        self.set_thresholds(description, &groups, errors);
        self.set_own_laws(description, &groups, errors);
    }

    fn set_thresholds(
        &mut self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        errors: &mut Vec<SceneError>,
    ) {
        let given = |named: &PairDescription| named.threshold.is_some();
        let setters = self.setters(description, groups, "threshold", given, errors);
        for ([a, b], index) in setters {
            if let Some(threshold) = description.pairs[index].threshold {
                let forms = [a, b].map(|first| self.raise(first, 0.5 * threshold));
                self.thresholds.push(OwnThreshold {
                    first: [a, b],
                    value: threshold,
                    forms,
                });
            }
        }
    }

    fn set_own_laws(
        &mut self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        errors: &mut Vec<SceneError>,
    ) {
        let changes_of = |named: &PairDescription| match &named.response {
            Some(PairResponse::Law(changes)) => Some(changes.clone()),
            _ => None,
        };
        let given = |named: &PairDescription| changes_of(named).is_some();
        let setters = self.setters(description, groups, "law", given, errors);
        for (index, named) in description.pairs.iter().enumerate() {
            let Some(changes) = changes_of(named) else {
                continue;
            };
            let set: Vec<[ShapeId; 2]> = setters
                .iter()
                .filter(|(_, setter)| **setter == index)
                .map(|(first, _)| *first)
                .collect();
            let mut bases: Vec<LawId> = set.iter().filter_map(|f| self.base_of(*f)).collect();
            bases.sort_unstable();
            bases.dedup();
            let [base] = bases[..] else {
                if bases.len() > 1 {
                    let names: Vec<String> = bases.iter().map(|law| self.law_name(*law)).collect();
                    let names = names.join(", ");
                    let message =
                        format!("the law would be one for several pairs of materials ({names})");
                    let finding = (message, "name the shapes");
                    errors.push(error(description, index, "between", finding));
                }
                continue;
            };
            let Some(same_order) = self.order_of(named, &set) else {
                let message = "the layer of either depth would lie on shapes of both materials";
                let finding = (message, "name the shapes");
                errors.push(error(description, index, "layer_depth_1", finding));
                continue;
            };
            match self.own_choice(base, &in_order(&changes, same_order)) {
                Ok(choice) => {
                    let flaws = self.area_flaws_of(named, &changes, &choice, &set);
                    let flaws = flaws.into_iter();
                    errors.extend(flaws.map(|(field, f)| error(description, index, field, f)));
                    let law = self.laws.next_key();
                    let own = set.iter().map(|first| OwnLaw { first: *first, law });
                    self.own_laws.extend(own);
                    let materials = self.laws[base].materials;
                    let shapes = set.first().copied();
                    let layers = changes.has_layers().then_some(SceneItem::Pair(index));
                    let flaw = |s| modulus_error(description, self, s, &choice, layers);
                    errors.extend(shapes.and_then(flaw));
                    self.laws.push(ContactLaw {
                        materials,
                        between: Some(named.between.clone()),
                        choice,
                    });
                }
                Err(flaws) => {
                    let flaws = flaws.into_iter();
                    errors.extend(flaws.map(|(field, f)| error(description, index, field, f)));
                }
            }
        }
        self.own_laws.sort_unstable_by_key(|own| own.first);
    }

    /// The law of a pair of materials with changes made, or what is wrong with them.
    fn own_choice(&self, base: LawId, changes: &LawChanges) -> Result<LawChoice, Vec<Flaw>> {
        let base = &self.laws[base].choice;
        let kinds = base.kinds.changed(changes);
        let flaws = changes.flaws(&kinds);
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let choice = base
            .changed(changes)
            .map_err(|numbers| vec![("", kinds.lack(&numbers))])?;
        match choice.flaws_of(changes) {
            flaws if flaws.is_empty() => Ok(choice),
            flaws => Err(flaws),
        }
    }

    /// Whether the materials of these shapes, given by their first parts, are in the order of a
    /// named pair as they are in their law, of one material the shapes; none if that differs among
    /// the shapes and matters.
    fn order_of(&self, named: &PairDescription, set: &[[ShapeId; 2]]) -> Option<bool> {
        let mut orders = set.iter().map(|first| {
            let [a, b] = first.map(|shape| &self.shapes[shape]);
            let swapped = self.bodies[a.body].name != named.between[0].body;
            (a.material <= b.material) != swapped
        });
        let first = orders.next().unwrap_or(true);
        let layers = match &named.response {
            Some(PairResponse::Law(changes)) => {
                [Number::LayerDepth1, Number::LayerDepth2].map(|n| changes.number(n))
            }
            _ => [None, None],
        };
        (layers[0] == layers[1] || orders.all(|order| order == first)).then_some(first)
    }

    /// Index of the law that the materials of two shapes have, given by their first parts.
    fn base_of(&self, first: [ShapeId; 2]) -> Option<LawId> {
        let pair = self.pairs().index_of(first[0], first[1])?;
        Some(self.pairs().get(pair).material_pair)
    }

    /// Names of the materials of a law.
    fn law_name(&self, law: LawId) -> String {
        let materials = self.laws[law].materials;
        materials
            .map(|m| self.materials()[m].name.as_str())
            .join("-")
    }

    /// Which named pair sets a field for two shapes, given by their first parts: the one that names
    /// more shapes; two that name as many are an error.
    fn setters(
        &self,
        description: &SceneDescription,
        groups: &[Vec<[ShapeRange; 2]>],
        field: &'static str,
        given: impl Fn(&PairDescription) -> bool,
        errors: &mut Vec<SceneError>,
    ) -> BTreeMap<[ShapeId; 2], usize> {
        // Number of shapes named, and index of the named pair.
        let mut setters: BTreeMap<[ShapeId; 2], (usize, usize)> = BTreeMap::new();
        for (index, named) in description.pairs.iter().enumerate() {
            if !given(named) {
                continue;
            }
            let precision = named.between.iter().filter(|n| n.shape.is_some()).count();
            for [a, b] in &groups[index] {
                let new = (precision, index);
                let old = setters.entry([a.start, b.start]).or_insert(new);
                if old.1 != index && old.0 == precision {
                    let [a, b] = [a, b].map(|parts| self.full_name(&self.shapes[parts.start]));
                    let number = old.1 + 1;
                    let finding = (
                        format!("pair number {number} gives a {field} to {a} and {b} too"),
                        "keep one of the two, or name the shapes in one of them",
                    );
                    let error = error(description, index, field, finding);
                    errors.push(error.after(SceneItem::Pair(old.1)));
                    break;
                }
                if precision > old.0 {
                    *old = new;
                }
            }
        }
        let setters = setters.into_iter();
        setters.map(|(first, (_, index))| (first, index)).collect()
    }

    /// The parts of a shape, raised by `distance` [m] in place of the shell; their bounds are
    /// enlarged to hold these.
    fn raise(&mut self, first: ShapeId, distance: f64) -> Vec<RoundedShape> {
        let parts = parts_from(&self.shapes, first);
        let raised = self.shapes[parts].iter_mut().map(|shape| {
            let mut form = shape.form.clone();
            form.radius = shape.own_radius + distance;
            if form.radius > shape.bounding_form.radius {
                shape.bounding_form = form.clone();
            }
            form
        });
        raised.collect()
    }

    /// Pairs of shapes that can touch among those of two names, each by its parts, in the order of
    /// the scene.
    pub(super) fn named_groups(&self, names: &[ShapeName; 2]) -> Vec<[ShapeRange; 2]> {
        let [parts_1, parts_2] = [self.parts_of(&names[0]), self.parts_of(&names[1])];
        let mut groups = Vec::new();
        for a in &parts_1 {
            for b in &parts_2 {
                let [a, b] = if a.start < b.start { [a, b] } else { [b, a] };
                if self.pairs().index_of(a.start, b.start).is_some() {
                    groups.push([a.clone(), b.clone()]);
                }
            }
        }
        groups
    }

    /// The shapes in contact that a name means.
    fn parts_of(&self, name: &ShapeName) -> Vec<ShapeRange> {
        let wanted = |shape: &Shape| {
            let is_first = shape.part.unwrap_or(0) == 0;
            is_first && name.names(&self.bodies[shape.body].name, &shape.name)
        };
        let shapes = self.shapes.iter_enumerated();
        let firsts = shapes.filter(|(_, shape)| wanted(shape));
        firsts
            .map(|(first, _)| parts_from(&self.shapes, first))
            .collect()
    }

    fn full_name(&self, shape: &Shape) -> String {
        format!("{}.{}", self.bodies[shape.body].name, shape.name)
    }
}

/// The convex parts of the shape whose first one is `first`.
fn parts_from(shapes: &TiSlice<ShapeId, Shape>, first: ShapeId) -> ShapeRange {
    let follows = |shape: &&Shape| shape.part.is_some_and(|part| part > 0);
    let others = shapes[first.plus(1)..].iter().take_while(follows);
    first..first.plus(1 + others.count())
}

/// Says that the shapes of two names never touch; `response` is the one that may be why.
pub(super) fn never_touch([a, b]: &[ShapeName; 2], response: &str) -> Finding {
    format!(
        "{a} and {b} never touch: both are fixed, one takes no part in contact, or their collision_group, exclude or \
         {response} keeps them apart"
    )
    .into()
}

fn error(
    description: &SceneDescription,
    index: usize,
    field: &'static str,
    finding: impl Into<Finding>,
) -> SceneError {
    SceneError::new(description, SceneItem::Pair(index), field, finding)
}
