//! What `check` says of each shape: its form and sizes, volume and mass by density, and what
//! contact makes of it; a compound has its parts.
//!
//! # What `check` says of contact over an area
//!
//! For the first pair of each kind where its stiffness comes from, how deep it rests, how fast it
//! swings, how long the faces touch in an impact.

use super::laws;
use crate::command::elements::form;
use crate::command::laws::Laws;
use crate::command::laws::area::{AreaFacts, Lying, Rocking};
use crate::command::laws::bounce::{Touching, Ways};
use crate::description::facts::{Element, Facts, range, vector};
use crate::scene_file::LoadedScene;
use contact_laws::index::ShapeId;
use contact_model::scene::description::{CompoundPart, Form, Material, ShapeDescription};
use contact_model::scene::{Scene, SceneDescription, SceneItem, Shape, mass_properties};
use fmu_mesh::solid::{balance, short};
use fmu_view::number::with_unit;

/// All shapes, each with its index among those of its body.
pub(crate) fn elements(
    scene: &Scene,
    description: &SceneDescription,
    touching: &Touching,
    remarks: &[(SceneItem, String)],
) -> Vec<Element> {
    // The scene holds those in contact detection only, in the same order, in convex parts.
    let mut left = Contacts {
        shapes: &scene.shapes().raw,
        first: ShapeId::FIRST,
        touching,
    };
    let mut elements = Vec::new();
    for (body_index, body) in description.bodies.iter().enumerate() {
        for (shape_index, shape) in body.shapes.iter().enumerate() {
            let own = left.take(if shape.collision {
                convex_count(&shape.form)
            } else {
                0
            });
            let mut element = Element::new(&shape.name, ": ");
            element.owner = Some(body.name.clone());
            form(&mut element.line, &shape.form);
            matter(&mut element.line, shape, &description.materials);
            contact_data(&mut element.line, shape, own);
            if let Form::Hull { solid, .. }
            | Form::Mesh { solid, .. }
            | Form::Surface { solid, .. } = &shape.form
            {
                element
                    .notes
                    .push(balance(solid, density(shape, &description.materials)));
            }
            for (item, line) in remarks {
                match item {
                    SceneItem::Shape(b, s) if (*b, *s) == (body_index, shape_index) => {
                        element.notes.push(line.clone());
                    }
                    SceneItem::Part(b, s, part) if (*b, *s) == (body_index, shape_index) => {
                        element.notes.push(format!("part {}: {line}", part + 1));
                    }
                    _ => {}
                }
            }
            if let Form::Compound { parts } = &shape.form {
                element.parts = part_elements(parts, own);
            }
            elements.push(element);
        }
    }
    elements
}

/// Shapes in contact detection that follow each other, and how they touch.
#[derive(Clone, Copy)]
struct Contacts<'a> {
    shapes: &'a [Shape],
    /// The first of them.
    first: ShapeId,
    touching: &'a Touching,
}

impl<'a> Contacts<'a> {
    /// Takes the first ones away, as many as there are.
    fn take(&mut self, count: usize) -> Contacts<'a> {
        let (taken, left) = self.shapes.split_at(count.min(self.shapes.len()));
        let taken = Contacts {
            shapes: taken,
            ..*self
        };
        self.shapes = left;
        self.first = self.first.plus(taken.shapes.len());
        taken
    }

    /// How they touch, together.
    fn ways(&self) -> Ways {
        let ids = (0..self.shapes.len()).map(|i| self.first.plus(i));
        ids.map(|id| self.touching.of_shape(id))
            .fold(Ways::default(), |one, two| Ways {
                area: one.area || two.area,
                point: one.point || two.point,
            })
    }
}

fn part_elements(parts: &[CompoundPart], mut left: Contacts<'_>) -> Vec<Element> {
    let parts = parts.iter().enumerate().map(|(index, part)| {
        let mut element = Element::new(&format!("part {}", index + 1), ": ");
        form(&mut element.line, &part.form);
        element
            .line
            .number("volume:", mass_properties(&part.form, 1.0).mass, "m3");
        element.line.vector("position: at", &part.position, "m");
        rounding(
            &mut element.line,
            &part.form,
            left.take(convex_count(&part.form)),
        );
        element
    });
    parts.collect()
}

/// Number of convex shapes that a form is in contact.
fn convex_count(form: &Form) -> usize {
    match form {
        Form::Mesh { parts, .. } => parts.len(),
        Form::Compound { parts } => parts.iter().map(|part| convex_count(&part.form)).sum(),
        _ => 1,
    }
}

/// Density of a shape [kg/m3].
fn density(shape: &ShapeDescription, materials: &[Material]) -> f64 {
    let material = materials.iter().find(|m| m.name == shape.material);
    material.map_or(0.0, |material| material.density)
}

/// Volume, mass by density, material.
fn matter(facts: &mut Facts, shape: &ShapeDescription, materials: &[Material]) {
    let contact = shape.contact_material.as_ref();
    let contact = contact.map_or(String::new(), |name| format!(" (contact as {name})"));
    match shape.form {
        Form::HalfSpace => {
            let text = format!("{}{contact}", shape.material);
            facts.other("material: of", text, shape.material.as_str());
        }
        _ => {
            let volume = mass_properties(&shape.form, 1.0).mass;
            let mass = density(shape, materials) * volume;
            facts.number("volume:", volume, "m3");
            facts.number("mass:", mass, &format!("kg of {}{contact}", shape.material));
            facts.data("material", shape.material.as_str());
        }
    }
    if let Some(name) = &shape.contact_material {
        facts.data("contact_material", name.as_str());
    }
}

fn contact_data(facts: &mut Facts, shape: &ShapeDescription, touching: Contacts<'_>) {
    facts.data("collision", shape.collision);
    let Some(first) = touching.shapes.first() else {
        facts.other("flat:", "touches nothing (collision = false)", false);
        return;
    };
    if !matches!(shape.form, Form::Compound { .. }) {
        rounding(facts, &shape.form, touching);
    }
    if first.contact_sphere_radius.is_finite() {
        facts.number("contact_sphere_radius", first.contact_sphere_radius, "m");
    }
    let flat = touching.shapes.iter().filter(|part| part.flat).count();
    let text = match flat {
        0 => "curved",
        some if some < touching.shapes.len() => "flat where plane",
        _ => "flat",
    };
    facts.other("flat:", text, flat > 0);
    if first.shell > 0.0 {
        facts.number("shell", first.shell, "m");
    }
}

/// Smoothing of a form that has edges, where it touches in a point: over an area they are sharp.
fn rounding(facts: &mut Facts, form: &Form, touching: Contacts<'_>) {
    let has_edges = !matches!(
        form,
        Form::Sphere { .. }
            | Form::Ellipsoid { .. }
            | Form::Capsule { .. }
            | Form::TaperedCapsule { .. }
            | Form::HalfSpace
            | Form::Surface { .. }
    );
    let ways = touching.ways();
    if !has_edges || touching.shapes.is_empty() {
    } else if ways.area && !ways.point {
        facts.other("smoothing_radius:", "sharp edges", 0.0);
    } else {
        let place = if ways.area {
            " where it touches in a point"
        } else {
            ""
        };
        let radii = touching.shapes.iter().map(|shape| shape.own_radius);
        let [least, most] = radii.fold([f64::INFINITY, 0.0_f64], |[least, most], radius| {
            [least.min(radius), most.max(radius)]
        });
        let unit = format!("m{place}");
        match range([least, most]) {
            text if text.contains(" to ") => facts.other(
                "smoothing_radius: edges rounded by",
                format!("{text} {unit}"),
                most,
            ),
            _ => facts.number("smoothing_radius: edges rounded by", most, &unit),
        };
    }
}

/// Digits of an axis after the point.
const AXIS: f64 = 1e3;

/// Pairs that touch over an area: stiffness, rest, frequencies, impact of the faces.
pub(super) fn areas(loaded: &LoadedScene, laws: &Laws) -> Vec<Element> {
    laws.areas.iter().map(|facts| area(loaded, facts)).collect()
}

fn area(loaded: &LoadedScene, facts: &AreaFacts) -> Element {
    let mut element = Element::new(&facts.pair, ": ");
    let below = &mut element.below;
    let text = laws::over_area(loaded, facts);
    below.other("stiffness_per_area", text, facts.stiffness);
    if let Some(radius) = facts.flush {
        let text = format!(
            "within {} the force along them changes smoothly",
            with_unit(radius, "m")
        );
        below.other("flush_radius: flush faces", text, radius);
    }
    let Some(flat) = &facts.flat else {
        let text = match &facts.pressed {
            Some(_) => "more than two faces touch at rest",
            None => "no area is known at which it rests: a concave shape, or small facets",
        };
        below.other("body: flat", text.to_owned(), ());
        if let Some(pressed) = &facts.pressed {
            let [depth, load] = [with_unit(pressed.depth, "m"), with_unit(pressed.load, "N")];
            let text = format!("{}{depth} under {load}", pressed.least());
            let known = (!pressed.is_least).then_some(pressed.depth);
            below.other("rest_penetration: at rest", text, known);
            below.data("load", pressed.load);
        }
        return element;
    };
    let round = flat.round.as_ref();
    let round = round.map_or(String::new(), |body| {
        format!(", not on the round side of {body}")
    });
    let name = format!("area: {} flat on", flat.body);
    element.line.number(&name, flat.area, &format!("m2{round}"));
    element.line.data("body", flat.body.as_str());
    if let Some(depth) = flat.rest_depth() {
        let before = match loaded.scene.contact().law.rule.overlap_without_force() {
            0.0 => String::new(),
            overlap => format!(" after 2 z_eps = {} without force", with_unit(overlap, "m")),
        };
        let [text, load] = [with_unit(depth, "m"), with_unit(flat.load, "N")];
        let text = format!("load/(k A) = {text} under {load}{before}");
        below.other("rest_penetration: at rest", text, depth);
        below.data("load", flat.load);
    }
    let text = format!(
        "root(k A/m)/(2 pi) = {} with m = {} kg",
        with_unit(flat.frequency(), "Hz"),
        short(flat.mass)
    );
    below.other("frequency: across the faces", text, flat.frequency());
    below.data("mass", flat.mass);
    if let Some(both) = &flat.rocking {
        let frequencies = both.map(|rocking| rocking.frequency).to_vec();
        below.other("rocking", rocking(flat, both), frequencies);
    }
    let [time, depth] = [
        with_unit(flat.contact_time(), "s"),
        with_unit(flat.impact_depth(1.0), "m"),
    ];
    let more = match flat.impact_depth(1.0) > flat.holds_to {
        true => ", were the faces all that touches",
        false => "",
    };
    let text = format!("pi root(m/(k A)) = {time}, {depth} deep at 1 m/s, without losses{more}");
    below.other("contact_time: impact of faces", text, flat.contact_time());
    element
}

/// Frequencies with their axes.
fn rocking(flat: &Lying, both: &[Rocking; 2]) -> String {
    if both.iter().any(|rocking| rocking.frequency.is_nan()) {
        return "none: it tips over".to_owned();
    }
    let through = "in the face through its centre";
    if Rocking::are_one(both) {
        let frequency = with_unit(both[0].frequency, "Hz");
        return format!("{frequency} without sliding, about any axis {through}");
    }
    let [one, two] = both.map(|rocking| {
        let frequency = with_unit(rocking.frequency, "Hz");
        format!("{frequency} about {}", axis(rocking.axis_b.as_slice()))
    });
    format!(
        "{one}, {two} of {}, without sliding, axes {through}",
        flat.body
    )
}

/// To three digits, the largest component positive.
fn axis(axis: &[f64]) -> String {
    let largest = axis
        .iter()
        .copied()
        .max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let sign = largest.map_or(1.0, f64::signum);
    let rounded = axis.iter().map(|c| (c * sign * AXIS).round() / AXIS + 0.0);
    vector(&rounded.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::laws::Laws;
    use crate::description::facts::Listing;
    use contact_model::scene::description::{ConvexPart, SharpPart, Solid};

    fn lines_of(shapes: &str) -> Vec<String> {
        let text = format!(
            "format = 1\nname = \"case\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             [[body]]\nname = \"b\"\nmotion = \"free\"\n{shapes}"
        );
        let loaded = crate::scene_file::parse(&text, "scene.toml");
        let loaded = loaded.unwrap_or_else(|problems| panic!("{problems}"));
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        let (scene, remarks) = (&loaded.scene, &loaded.remarks);
        let shapes = elements(scene, &loaded.description, &laws.touching, remarks);
        let mut out = Listing::default();
        out.elements(&shapes, false);
        out.text.lines().map(str::to_owned).collect()
    }

    /// Volumes: ellipsoid pi/6 0.1 0.2 0.3, tube pi/4 (0.2^2 - 0.1^2) 0.5, cone pi/12 0.2^2 0.6,
    /// frustum pi/12 0.6 (0.2^2 + 0.2 0.1 + 0.1^2), capsule pi/4 0.2^2 0.5 + pi/6 0.2^3,
    /// beam 1 0.4 0.2 + pi/4 0.4^2 0.2, tapered capsule by the midpoint rule over its radius squared
    /// in 2e6 slices; steel is 8000 kg/m3.
    #[test]
    fn every_form_has_its_sizes_its_volume_and_its_mass() {
        let mut shapes = String::new();
        for form in [
            "ellipsoid = { lengths = [0.1, 0.2, 0.3] }",
            "cylinder = { diameter = 0.2, length = 0.5, axis = \"x\", inner_diameter = 0.1 }",
            "cone = { diameter = 0.2, length = 0.6 }",
            "cone = { diameter = 0.2, top_diameter = 0.1, length = 0.6, axis = \"y\" }",
            "capsule = { diameter = 0.2, length = 0.5 }",
            "tapered_capsule = { diameter = 0.2, top_diameter = 0.1, length = 0.5, axis = \"y\" }",
            "beam = { length = 1, width = 0.4, thickness = 0.2, axis = \"x\" }",
        ] {
            shapes += &format!("[[body.shape]]\nmaterial = \"Steel\"\n{form}\n");
        }
        assert_eq!(
            lines_of(&shapes),
            [
                "  b.ellipsoid: ellipsoid, diameters (0.1, 0.2, 0.3) m, 0.00314159 m3, 25.1327 kg of Steel, \
                 contact sphere radius 0.05 m, curved",
                "  b.cylinder: cylinder along x, diameter 0.2 m, length 0.5 m, bore 0.1 m (without contact), \
                 0.011781 m3, 94.2478 kg of Steel, edges rounded by 0.001 m, contact sphere radius 0.1 m, curved",
                "  b.cone: cone along z, diameter 0.2 m, length 0.6 m, 0.00628319 m3, 50.2655 kg of Steel, \
                 edges rounded by 0.001 m, contact sphere radius 0.05 m, curved",
                "  b.cone_2: frustum along y, diameter 0.2 m, top diameter 0.1 m, length 0.6 m, 0.0109956 m3, \
                 87.9646 kg of Steel, edges rounded by 0.001 m, contact sphere radius 0.075 m, curved",
                "  b.capsule: capsule along z, diameter 0.2 m, length 0.5 m without its ends, 0.0198968 m3, \
                 159.174 kg of Steel, contact sphere radius 0.1 m, curved",
                "  b.tapered_capsule: tapered capsule along y, diameter 0.2 m, top diameter 0.1 m, length 0.5 m between \
                 the centres, 0.0116108 m3, 92.8864 kg of Steel, contact sphere radius 0.075 m, curved",
                "  b.beam: beam along x, length 1 m without its ends, width 0.4 m, thickness 0.2 m, 0.105133 m3, \
                 841.062 kg of Steel, edges rounded by 0.001 m, contact sphere radius 0.1 m, flat",
            ]
        );
    }

    #[test]
    fn a_compound_has_a_line_for_each_part_and_what_follows_its_own() {
        let shapes = "[[body.shape]]\nmaterial = \"Steel\"\n\
             part = [{ sphere.diameter = 0.2 }, { box.lengths = [0.1, 0.1, 0.005], position = [0, 0, 0.5] }]\n\
             [[body.shape]]\nsphere.diameter = 0.4\nmaterial = \"DryWood\"\n\
             [[body.shape]]\nname = \"ballast\"\nmaterial = \"Steel\"\ncollision = false\n\
             part = [{ box.lengths = [0.1, 0.1, 0.1] }]\n";
        // Bounding box 0.2 x 0.2 x 0.6025 m; 10 % of 5 mm are 0.5 mm.
        assert_eq!(
            lines_of(shapes),
            [
                "  b.compound: compound of 2 parts, 0.00423879 m3, 33.9103 kg of Steel, contact sphere radius \
                 0.1 m, flat where plane",
                "    part 1: sphere, diameter 0.2 m, 0.00418879 m3, at (0, 0, 0) m",
                "    part 2: box (0.1, 0.1, 0.005) m, 5e-5 m3, at (0, 0, 0.5) m, edges rounded by 5e-4 m",
                "  b.sphere: sphere, diameter 0.4 m, 0.0335103 m3, 23.4572 kg of DryWood, contact sphere radius \
                 0.2 m, curved",
                "  b.ballast: compound of 1 part, 0.001 m3, 8 kg of Steel, touches nothing (collision = false)",
                "    part 1: box (0.1, 0.1, 0.1) m, 0.001 m3, at (0, 0, 0) m",
            ]
        );
    }

    #[test]
    fn a_hull_has_a_line_on_its_balance_and_one_on_points_within() {
        // A corner of a cube of 0.6 m: V = 0.036 m3, I_xx = m 0.6^2 3/40, I_xy = m 0.6^2/80.
        let shapes = "[[body.shape]]\nmaterial = \"Steel\"\nhull.points = [[0, 0, 0], [0.6, 0, 0], [0, 0.6, 0], \
             [0, 0, 0.6], [0.1, 0.1, 0.1]]\n";
        let lines = lines_of(shapes);
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[1],
            "    centre of mass (0.15, 0.15, 0.15) m, inertia xx 7.776, yy 7.776, zz 7.776, xy 1.296, xz 1.296, \
             yz 1.296 kg.m2 about it"
        );
        assert_eq!(
            lines[2],
            "    4 of 5 points are corners, the others lie within"
        );
    }

    #[test]
    fn polyhedra_are_told_by_their_size_and_number() {
        let solid = Solid {
            volume: 1.0,
            centroid: [0.0; 3],
            inertia: [1.0; 6],
            lower: [-1.0, -0.5, 0.0],
            upper: [1.0, 0.5, 0.25],
        };
        let sharp = SharpPart {
            vertices: vec![[0.0; 3]; 12],
            triangles: Vec::new(),
        };
        let part = ConvexPart {
            vertices: vec![[0.0; 3]; 20],
            triangles: Vec::new(),
            radius: 0.001,
            sharp: Some(sharp),
        };
        let parts = vec![part.clone()];
        let words = |form_of: &Form| {
            let mut facts = Facts::default();
            form(&mut facts, form_of);
            facts.sentence()
        };
        assert_eq!(
            words(&Form::Mesh { solid, parts }),
            "mesh, by its convex hull of 12 vertices between (-1, -0.5, 0) m and (1, 0.5, 0.25) m"
        );
        let surface = SharpPart {
            vertices: vec![[0.0; 3]; 12],
            triangles: vec![[0; 3]; 20],
        };
        assert_eq!(
            words(&Form::Surface { solid, surface }),
            "mesh of 20 triangles between (-1, -0.5, 0) m and (1, 0.5, 0.25) m"
        );
        assert_eq!(
            words(&Form::Hull { solid, part }),
            "convex hull of 12 vertices between (-1, -0.5, 0) m and (1, 0.5, 0.25) m"
        );
    }
}

#[cfg(test)]
mod area_tests {
    use super::*;
    use crate::description::facts::{Chapter, Listing};
    use crate::scene_file;
    use std::f64::consts::PI;

    /// Lines on contact over an area of a shape of steel (E 2e11 Pa, nu 0.3, 8000 kg/m3) above
    /// another, with keys of their pair of materials.
    fn lines(below: &str, above: &str, pair: &str, more: &str) -> Vec<String> {
        let text = format!(
            "format = 1\nname = \"s\"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 1\n\
             [[material_pair]]\nmaterials = [\"Steel\", \"Steel\"]\nrestitution = 0.7\nsliding_friction = 0.5\n{pair}\n\
             [[body]]\nname = \"low\"\n{below}\n\
             [[body]]\nname = \"high\"\nmotion = \"free\"\nposition = [0, 0, 1]\n{above}\n{more}"
        );
        let loaded = scene_file::parse(&text, "scene.toml").unwrap_or_else(|e| panic!("{e}"));
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        let mut out = Listing::default();
        let title = "contact over an area";
        out.list(&Chapter::new("areas", title, areas(&loaded, &laws)), true);
        out.text
            .lines()
            .skip(1)
            .map(|line| line.trim().to_owned())
            .collect()
    }

    fn shape(form: &str) -> String {
        format!("shape = [{{ {form}, material = \"Steel\" }}]")
    }

    fn ground() -> String {
        format!("motion = \"fixed\"\n{}", shape("half_space = {}"))
    }

    const BRICK: &str = "box.lengths = [0.4, 0.2, 0.1]";

    /// k A = 2e12 N/m3 x 0.08 m2 = 1.6e11 N/m, 64 kg: 6.28 kN/1.6e11 N/m, 1/(2 pi) root(2.5e9) Hz.
    /// About x I = 0.4 x 0.2^3/12, J = 64 (0.2^2 + 0.1^2)/12 + 64 x 0.05^2; about y
    /// I = 0.2 x 0.4^3/12, J = 64 (0.4^2 + 0.1^2)/12 + 64 x 0.05^2.
    #[test]
    fn a_brick_on_the_ground_has_layers_of_half_its_thickness() {
        let frequency = |second: f64, width: f64| {
            let inertia = 64.0 * (width * width + 0.01) / 12.0 + 64.0 * 0.0025;
            with_unit((2e12 * second / inertia).sqrt() / (2.0 * PI), "Hz")
        };
        let slow = frequency(0.4 * 0.008 / 12.0, 0.2);
        let fast = frequency(0.2 * 0.064 / 12.0, 0.4);
        // Tilted by 20 deg it comes to lie on the same face, turned about z its axes stay its own.
        for turn in [
            "axis = [1, 0, 0], angle = \"20 deg\"",
            "axis = [0, 0, 1], angle = \"30 deg\"",
        ] {
            let above = format!("rotation = {{ {turn} }}\n{}", shape(BRICK));
            assert_eq!(
                lines(&ground(), &above, "", ""),
                [
                    "contact over an area (1)".to_owned(),
                    "low:high: high flat on 0.08 m2".to_owned(),
                    "stiffness per area  k = 2e12 N/m^3 = k_1 k_2/(k_1 + k_2), k_1 = 2e11 Pa/(0.05 m) of low, \
                     k_2 = 2e11 Pa/(0.05 m) of high; without a layer_depth E/h, h half of the smaller thickness"
                        .to_owned(),
                    "at rest             load/(k A) = 3.92 nm under 628 N after 2 z_eps = 20 nm without force".to_owned(),
                    "across the faces    root(k A/m)/(2 pi) = 7.96 kHz with m = 64 kg".to_owned(),
                    format!(
                        "rocking             {slow} about (1, 0, 0), {fast} about (0, 1, 0) of high, without sliding, axes \
                         in the face through its centre"
                    ),
                    "impact of faces     pi root(m/(k A)) = 62.8 us, 20 um deep at 1 m/s, without losses".to_owned(),
                ]
            );
        }
    }

    /// k_i = 2e11 (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/0.002 N/m3, half of it together; the upper box
    /// has 8 kg and an area of 0.01 m2, the lower one of 64 kg is free too: m = 64/9 kg.
    #[test]
    fn a_box_on_a_box_has_the_layers_that_are_given_and_the_reduced_mass() {
        let k: f64 = 0.5 * 2e11 * 0.7 / (1.3 * 0.4) / 0.002;
        let below = format!("motion = \"free\"\n{}", shape(BRICK));
        let above = shape("box.lengths = [0.1, 0.1, 0.1]");
        let found = lines(&below, &above, "layer_depth = \"2 mm\"", "");
        let stiffness = k * 0.01;
        let mass: f64 = 64.0 / 9.0;
        // I = 0.1^4/12, J = 8 (0.1^2/6 + 0.05^2).
        let rocking = (k * 1e-4 / 12.0 / (8.0 * (0.01 / 6.0 + 0.0025))).sqrt() / (2.0 * PI);
        assert_eq!(found[1], "low:high: high flat on 0.01 m2");
        assert_eq!(
            found[2],
            format!(
                "stiffness per area  k = {} N/m^3 = k_1 k_2/(k_1 + k_2), \
                 k_1 = 2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m) of low, \
                 k_2 = 2e11 Pa (1 - 0.3)/((1 + 0.3)(1 - 2 x 0.3))/(0.002 m) of high",
                short(k)
            )
        );
        // 1e-4 x 2 D d/(D + d) of their diagonals D and d.
        let [far, near] = [0.21, 0.03].map(f64::sqrt);
        let radius = with_unit(2e-4 * far * near / (far + near), "m");
        assert_eq!(
            found[3],
            format!("flush faces         within {radius} the force along them changes smoothly")
        );
        let depth = with_unit(8.0 * 9.81 / stiffness, "m");
        assert_eq!(
            found[4],
            format!(
                "at rest             load/(k A) = {depth} under 78.5 N after 2 z_eps = 20 nm without force"
            )
        );
        let frequency = with_unit((stiffness / mass).sqrt() / (2.0 * PI), "Hz");
        assert_eq!(
            found[5],
            format!("across the faces    root(k A/m)/(2 pi) = {frequency} with m = 7.11111 kg")
        );
        let rocking = with_unit(rocking, "Hz");
        assert_eq!(
            found[6],
            format!(
                "rocking             {rocking} without sliding, about any axis in the face through its centre"
            )
        );
        let [time, deep] = [PI, 1.0].map(|factor| factor * (mass / stiffness).sqrt());
        assert_eq!(
            found[7],
            format!(
                "impact of faces     pi root(m/(k A)) = {}, {} deep at 1 m/s, without losses",
                with_unit(time, "s"),
                with_unit(deep, "m")
            )
        );
    }

    /// A pyramid of 0.2 m on its cut tip, half of that the limit: at k = 1e4 N/m3 all of it carries less than
    /// k V = 30 N of 232 N. At 1e7 N/m3 the tip alone carries it at 58 mm.
    #[test]
    fn a_body_that_its_layer_does_not_carry_is_at_least_as_deep() {
        let corner = |k: u32| {
            let [x, y] = [k & 1, k >> 1 & 1].map(|bit| 2.0 * f64::from(bit) - 1.0);
            let (r, z) = [(0.01, -0.1), (0.1, 0.1)][k as usize / 4];
            format!("[{}, {}, {z}]", r * x, r * y)
        };
        let points: Vec<String> = (0..8).map(corner).collect();
        let above = shape(&format!("hull.points = [{}]", points.join(", ")));
        let rest = |k: &str| {
            let found = lines(&ground(), &above, &format!("stiffness_per_area = {k}"), "");
            let rest = found.into_iter().find(|line| line.starts_with("at rest"));
            rest.unwrap()
        };
        let load = with_unit(8000.0 * 9.81 * 0.2 / 3.0 * 0.0444, "N");
        assert_eq!(
            rest("1e4"),
            format!("at rest             at least 100 mm under {load}")
        );
        let carried = rest("1e7");
        assert!(carried.ends_with(&format!(" mm under {load}")), "{carried}");
        assert!(!carried.contains("at least"), "{carried}");
    }

    /// 8000 pi 0.05^2 x 0.2 kg on pi 0.05^2 m2, I = pi 0.05^4/4, J = m (3 x 0.05^2 + 0.2^2)/12 + m 0.1^2;
    /// k = 1e9 N/m3, 1 GPa/m, of a wanted depth 1 mm under 1 MPa. The weight takes m g 0.1 m from
    /// k I = 4909 N.m: 12.3 N.m.
    #[test]
    fn a_standing_cylinder_rocks_about_any_axis_and_its_weight_makes_it_slower() {
        let above = shape("cylinder = { diameter = 0.1, length = 0.2 }");
        let pair = "penetration = { depth = \"1 mm\", pressure = \"1 MPa\" }";
        let found = lines(&ground(), &above, pair, "");
        let area = PI * 0.0025;
        let mass = 8000.0 * area * 0.2;
        let second = PI * 0.05_f64.powi(4) / 4.0;
        let inertia = mass * (0.0475 / 12.0 + 0.01);
        let slow = ((1e9 * second - mass * 9.81 * 0.1) / inertia).sqrt() / (2.0 * PI);
        assert_eq!(
            found[1],
            format!(
                "low:high: high flat on {} m2, not on the round side of high",
                short(area)
            )
        );
        assert_eq!(
            found[2],
            "stiffness per area  k = p/depth^n = 1e6 Pa/(0.001 m)^1 = 1e9 N/m^3"
        );
        assert_eq!(
            found[3],
            format!(
                "at rest             load/(k A) = {} under {} after 2 z_eps = 20 nm without force",
                with_unit(mass * 9.81 / (1e9 * area), "m"),
                with_unit(mass * 9.81, "N")
            )
        );
        assert_eq!(
            found[5],
            format!(
                "rocking             {} without sliding, about any axis in the face through its centre",
                with_unit(slow, "Hz")
            )
        );
    }

    #[test]
    fn a_factor_on_all_stiffnesses_is_shown_with_what_it_makes_of_them() {
        let above = shape("box.lengths = [0.1, 0.1, 0.1]");
        let more = "[contact]\nk_red = 0.01";
        let found = lines(&ground(), &above, "stiffness_per_area = \"1 GPa/m\"", more);
        assert_eq!(
            found[2],
            "stiffness per area  k = 1e9 N/m^3, given; times k_red = 0.01: 1e7 N/m^3"
        );
        // 8 kg x 9.81 m/s2/(1e7 N/m3 x 0.01 m2).
        assert_eq!(
            found[3],
            "at rest             load/(k A) = 785 um under 78.5 N after 2 z_eps = 20 nm without force"
        );
    }

    #[test]
    fn what_is_not_known_is_not_shown() {
        // A body of two shapes does not rock on one of them; beside a wall nothing presses.
        let legs = "shape = [{ box.lengths = [0.1, 0.1, 0.1], material = \"Steel\" }, \
                    { name = \"b\", box.lengths = [0.1, 0.1, 0.1], position = [0.3, 0, 0], material = \"Steel\" }]";
        let found = lines(&ground(), legs, "", "");
        assert!(
            found.iter().any(|line| line.starts_with("at rest")),
            "{found:#?}"
        );
        assert!(
            found.iter().all(|line| !line.starts_with("rocking")),
            "{found:#?}"
        );
        let beside = lines(
            &format!(
                "motion = \"fixed\"\nrotation = {{ axis = [1, 0, 0], angle = \"90 deg\" }}\nposition = [0, 1, 0]\n{}",
                shape("half_space = {}")
            ),
            &format!("velocity = [0, 0, 0]\n{}", shape(BRICK)),
            "",
            "",
        );
        assert!(
            beside.iter().all(|line| !line.starts_with("at rest")),
            "{beside:#?}"
        );
        assert_eq!(
            lines(&ground(), &shape("sphere.radius = 0.1"), "", ""),
            [""; 0]
        );
    }

    /// What touches how: a box and a ball on the ground, and the box with a threshold.
    #[test]
    fn pairs_shapes_and_laws_say_whether_they_touch_over_an_area_or_in_a_point() {
        let of = |more: &str| {
            let text = format!(
                "format = 1\nname = \"s\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
                 [[body]]\nname = \"low\"\n{}\n\
                 [[body]]\nname = \"high\"\nmotion = \"free\"\nposition = [0, 0, 1]\n{}\n{more}",
                ground(),
                shape(BRICK)
            );
            crate::command::check::tests::report_of(&text)
        };
        let ball = format!(
            "[[body]]\nname = \"ball\"\nmotion = \"free\"\nposition = [0, 0, 2]\n{}\n",
            shape("sphere.radius = 0.1")
        );
        let threshold = "[[pair]]\nbetween = \"low:high\"\nthreshold = 0.001\n";
        let moduli = "stiffness 4/3 c sqrt(R); c = 1/((1 - 0.3^2)/(2e11 Pa) + (1 - 0.3^2)/(2e11 Pa)) = 1.0989e11 Pa";
        let edges = "edges rounded by 0.001 m";
        for (more, pair, edges, stiffness) in [
            (
                "",
                "over an area",
                "sharp edges",
                "all its pairs touch over an area, see below",
            ),
            (
                ball.as_str(),
                "over an area",
                &format!("{edges} where it touches in a point"),
                &format!("{moduli} in a point; over an area see below"),
            ),
            (threshold, "in a point, touch from 0.001 m", edges, moduli),
        ] {
            let report = of(more);
            for line in [
                format!("  low:high  Steel-Steel, {pair}"),
                format!(
                    "  high.box: box (0.4, 0.2, 0.1) m, 0.008 m3, 64 kg of Steel, {edges}, contact sphere \
                     radius 0.05 m, flat"
                ),
                format!("    {stiffness}"),
            ] {
                assert!(report.lines().any(|l| l == line), "{line}\n{report}");
            }
        }
        assert!(
            of(&ball).contains("low:ball  Steel-Steel, in a point\n"),
            "{}",
            of(&ball)
        );
    }
}
