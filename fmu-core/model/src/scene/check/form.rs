//! Checks of forms: sizes, what a polyhedron brings along, and the parts of a compound.

use super::NO_MASS;
use super::checker::Checker;
use crate::scene::description::world::GRAINS;
use crate::scene::description::{CompoundPart, ConvexPart, Form, Motion, SceneItem, Solid};
use contact_geometry::math::{Exact, Mat3};
use contact_geometry::shapes::mass::inertia_flaw;
use contact_laws::quantity::{Range, checks};

/// How far a convex part may reach out of the bounding box of its hull, relative to the largest
/// edge of the box [1]: rounding of a hull made elsewhere.
const HULL_OVERHANG: f64 = 1e-6;
/// The same for the parts of a mesh: several, which only a description made by hand has, follow it to within a
/// resolution.
const MESH_OVERHANG: f64 = 0.1;
/// What is said of a capsule of length 0.
const NO_CYLINDER: (&str, &str) = (
    "length is 0 m; must be > 0, without the half spheres at the ends",
    "write a sphere instead",
);

impl Checker<'_> {
    /// Sizes and ranges of a form of a shape, or of a part of one.
    pub(super) fn form(&mut self, item: SceneItem, form: &Form) {
        match form {
            Form::Sphere { diameter } => self.size(item, "diameter", *diameter),
            Form::Ellipsoid { lengths } | Form::Box { lengths } => self.sizes(item, lengths),
            Form::Cylinder {
                diameter,
                length,
                inner_diameter,
                ..
            } => {
                self.size(item, "diameter", *diameter);
                self.size(item, "length", *length);
                if *diameter > 0.0 {
                    let good = (0.0..*diameter).contains(inner_diameter);
                    self.dependent(item, "inner_diameter", *inner_diameter, "m", good, || {
                        format!(">= 0 and < diameter = {diameter} m")
                    });
                }
            }
            Form::Cone {
                diameter,
                top_diameter,
                length,
                ..
            } => {
                self.size(item, "diameter", *diameter);
                self.number(
                    item,
                    "top_diameter",
                    *top_diameter,
                    "m",
                    Range::NOT_NEGATIVE,
                );
                self.size(item, "length", *length);
            }
            Form::Capsule {
                diameter, length, ..
            } => {
                self.size(item, "diameter", *diameter);
                let allowed = Range::POSITIVE.called("> 0, without the half spheres at the ends");
                match *length {
                    0.0 => self.fail(item, "length", NO_CYLINDER),
                    _ => self.number(item, "length", *length, "m", allowed),
                }
            }
            Form::TaperedCapsule {
                diameter,
                top_diameter,
                length,
                ..
            } => self.tapered_capsule(item, [*diameter, *top_diameter], *length),
            Form::Beam {
                length,
                width,
                thickness,
                ..
            } => {
                self.size(item, "length", *length);
                self.size(item, "width", *width);
                self.size(item, "thickness", *thickness);
            }
            Form::Hull { solid, part } => {
                self.solid(item, "hull", solid);
                self.convex_parts(
                    item,
                    "hull",
                    solid,
                    std::slice::from_ref(part),
                    HULL_OVERHANG,
                );
            }
            Form::Mesh { solid, parts } => {
                self.solid(item, "mesh", solid);
                self.convex_parts(item, "mesh", solid, parts, MESH_OVERHANG);
            }
            // Its surface is checked where the shape is built.
            Form::Surface { solid, .. } => self.solid(item, "mesh", solid),
            Form::Compound { parts } => self.compound(item, parts),
            Form::HalfSpace => self.half_space(item),
        }
    }

    fn tapered_capsule(&mut self, item: SceneItem, diameters: [f64; 2], length: f64) {
        let [diameter, top_diameter] = diameters;
        self.size(item, "diameter", diameter);
        self.size(item, "top_diameter", top_diameter);
        self.size(item, "length", length);
        let least = 0.5 * (diameter - top_diameter).abs();
        if diameters.iter().all(|size| *size > 0.0) && length > 0.0 && length <= least {
            let allowed = format!(
                "> {} m, half the difference of the diameters: else one sphere holds the other",
                Exact(least)
            );
            self.out_of_range(item, "length", "length", length, "m", allowed);
        }
    }

    fn size(&mut self, item: SceneItem, field: &'static str, value: f64) {
        self.size_called(item, field, field, value);
    }

    fn sizes(&mut self, item: SceneItem, lengths: &[f64; 3]) {
        for (name, length) in ["lengths[1]", "lengths[2]", "lengths[3]"]
            .iter()
            .zip(lengths)
        {
            self.size_called(item, "lengths", name, *length);
        }
    }

    /// A size must be > 0: a shape without thickness has no inside, so that neither a depth nor an
    /// outward normal exists; no smoothing can give it one, since smoothing keeps the outer size.
    fn size_called(&mut self, item: SceneItem, field: &'static str, name: &str, value: f64) {
        if value == 0.0 {
            let why = "must be > 0: a shape without thickness has no inside";
            let help = "give it a thin one, such as \"1 mm\"";
            self.fail(item, field, (format!("{name} is 0 m; {why}"), help));
        } else if !(value.is_finite() && value > 0.0) {
            self.out_of_range(item, field, name, value, "m", "> 0");
        }
    }

    fn half_space(&mut self, item: SceneItem) {
        let finding = match item {
            SceneItem::Part(..) => (
                "a half-space cannot be a part of a compound",
                "make it a shape of its own",
            ),
            SceneItem::Shape(body, _)
                if self.motion(body) != Some(Motion::Fixed) && !self.is_partial =>
            {
                (
                    "a half-space has no end",
                    "its body must have motion = \"fixed\"",
                )
            }
            _ => return,
        };
        self.fail(item, "half_space", finding);
    }

    fn motion(&self, body: usize) -> Option<Motion> {
        self.scene.bodies.get(body).map(|body| body.motion)
    }

    fn compound(&mut self, item: SceneItem, parts: &[CompoundPart]) {
        let SceneItem::Shape(body, shape) = item else {
            let message = "a compound cannot be a part of a compound";
            self.fail(item, "compound", (message, "list its parts directly"));
            return;
        };
        if parts.is_empty() {
            self.fail(
                item,
                "compound",
                ("compound has no part", "list at least one"),
            );
        }
        for (index, part) in parts.iter().enumerate() {
            let item = SceneItem::Part(body, shape, index);
            self.vector(item, "position", &part.position);
            self.quaternion(item, "orientation", &part.orientation);
            self.form(item, &part.form);
        }
    }

    fn solid(&mut self, item: SceneItem, field: &'static str, solid: &Solid) {
        let Solid {
            volume,
            centroid,
            inertia,
            lower,
            upper,
        } = solid;
        let numbers = [centroid, lower, upper].into_iter().flatten();
        let mut numbers = numbers.chain(inertia).chain([volume]);
        if numbers.any(|v| !v.is_finite()) {
            let text = format!("{field} is {solid:?}; every number must be finite");
            self.fail(item, field, text);
            return;
        }
        if *volume <= 0.0 {
            let quantity = format!("volume of the {field}");
            let allowed = "> 0: a closed surface whose triangles face outwards";
            self.out_of_range(item, field, quantity, *volume, "m3", allowed);
        }
        for axis in 0..3 {
            let (lower, upper, at) = (lower[axis], upper[axis], centroid[axis]);
            let name = ["x", "y", "z"][axis];
            let [low, high] = [lower, upper].map(Exact);
            if lower >= upper {
                let text = format!(
                    "{field} reaches from {name} = {low} m to {high} m; must have a thickness"
                );
                self.fail(item, field, text);
            } else if !(lower..=upper).contains(&at) {
                let text = format!(
                    "centroid of the {field} is at {name} = {} m; must lie inside its bounding box, {low} m to {high} m",
                    Exact(at)
                );
                self.fail(item, field, text);
            }
        }
        let [xx, yy, zz, xy, xz, yz] = *inertia;
        let tensor = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        if let Some(flaw) = inertia_flaw(&tensor) {
            let text = format!("{field} at density 1 kg/m3: {flaw}");
            self.fail(item, field, text);
        }
    }

    /// The outer size of the parts is that of the solid: nothing reaches out of its bounding box.
    fn convex_parts(
        &mut self,
        item: SceneItem,
        field: &'static str,
        solid: &Solid,
        parts: &[ConvexPart],
        overhang: f64,
    ) {
        if parts.is_empty() {
            self.fail(item, field, format!("{field} has no convex part"));
        }
        let edges = (0..3).map(|axis| solid.upper[axis] - solid.lower[axis]);
        let allowed = overhang * edges.fold(0.0, f64::max);
        for (index, part) in parts.iter().enumerate() {
            let radius = part.radius;
            if !(radius.is_finite() && radius >= 0.0) {
                let quantity = format!("smoothing radius of convex part {}", index + 1);
                self.out_of_range(item, field, quantity, radius, "m", ">= 0");
                continue;
            }
            let mut outside: f64 = 0.0;
            let rounded = part.vertices.iter().map(|vertex| (vertex, radius));
            let sharp = part.sharp.iter().flat_map(|sharp| &sharp.vertices);
            for (vertex, radius) in rounded.chain(sharp.map(|vertex| (vertex, 0.0))) {
                let box_edges = solid.lower.iter().zip(&solid.upper);
                for (at, (lower, upper)) in vertex.iter().zip(box_edges) {
                    outside = outside.max(at + radius - upper).max(lower + radius - at);
                }
            }
            if outside > allowed {
                let text = format!(
                    "convex part {} with its smoothing radius of {radius} m reaches {outside} m out of the bounding \
                     box of the {field}; must stay inside",
                    index + 1
                );
                self.fail(item, field, text);
            }
        }
    }
}

// Groups of free balls: names, sizes, places, regions.

impl Checker<'_> {
    pub(super) fn grains(&mut self, index: usize) {
        let (item, group) = (SceneItem::Grains(index), &self.scene.grains[index]);
        let list = &self.scene.grains;
        let mut joints = self.scene.joints.iter();
        if self.name(index, list, SceneItem::Grains, |g| &g.name, "another group") {
        } else if self.bodies.contains_key(group.name.as_str()) {
            self.fail(item, "name", "this name is taken by a body");
        } else if joints.any(|joint| joint.name == group.name) {
            self.fail(item, "name", "this name is taken by a joint");
        }
        self.rows(item, const { &checks(&GRAINS) }, group);
        let bad_size = |d: &&f64| Range::POSITIVE.violated(**d).is_some();
        if let Some(diameter) = group.diameters.iter().find(bad_size) {
            self.number(item, "diameter", *diameter, "m", Range::POSITIVE);
        }
        let is_bad = |p: &&[f64; 3]| !p.iter().all(|c| c.is_finite());
        let bad_place = group.positions.iter().find(is_bad);
        self.vector(item, "", bad_place.unwrap_or(&[0.0; 3]));
        self.regions(index);
        if self.is_partial {
            return;
        }
        let (places, sizes) = (group.positions.len(), group.diameters.len());
        if places == 0 {
            self.fail(
                item,
                "",
                ("has no ball", "give it a lattice, a fill or a file"),
            );
        } else {
            let counts = [("positions", places), ("diameters", sizes)];
            self.counts(item, "diameter", counts);
        }
        self.material_name(item, "material", "material", &group.material);
        let mut materials = self.scene.materials.iter();
        if materials.any(|m| m.name == group.material && m.density <= 0.0) {
            self.fail(item, "material", NO_MASS);
        }
    }

    fn regions(&mut self, index: usize) {
        let (item, group) = (SceneItem::Grains(index), &self.scene.grains[index]);
        for (place, region) in group.regions.iter().enumerate() {
            self.identifier(item, &region.name);
            let mut before = group.regions[..place].iter();
            if before.any(|other| other.name == region.name) {
                self.fail(item, "region", "this name is taken by another region");
            }
            for [lower, upper] in region.bounds {
                if lower.is_nan() || upper.is_nan() || lower >= upper {
                    self.limits(item, "region", lower, upper);
                }
            }
        }
    }
}
