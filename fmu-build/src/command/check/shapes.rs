//! What `check` says of each shape: its form and sizes, volume and mass by density, and what
//! contact makes of it; under a compound a line for each part.

use super::{Report, short, vector};
use crate::command::laws::touching::{Touching, Ways};
use crate::command::words::forms::form_words;
use crate::mesh::solid::balance;
use crate::scene_file::LoadedScene;
use contact_laws::index::ShapeId;
use contact_model::scene::description::{CompoundPart, Form, Material, ShapeDescription};
use contact_model::scene::{SceneItem, Shape, mass_properties};
use std::fmt::Write;

/// The lines on all shapes.
pub(super) fn report(out: &mut Report, loaded: &LoadedScene, touching: &Touching) {
    let bodies = &loaded.description.bodies;
    let count: usize = bodies.iter().map(|body| body.shapes.len()).sum();
    out.heading(format!("shapes ({count})"));
    // The scene holds those in contact detection only, in the same order, in convex parts.
    let mut left = Contacts {
        shapes: &loaded.scene.shapes().raw,
        first: ShapeId::FIRST,
        touching,
    };
    for (body_index, body) in bodies.iter().enumerate() {
        for (shape_index, shape) in body.shapes.iter().enumerate() {
            let count = if shape.collision {
                convex_count(&shape.form)
            } else {
                0
            };
            let own = left.take(count);
            let matter = matter(shape, &loaded.description.materials);
            let contact = contact_data(shape, own);
            out.line(format!(
                "  {}.{}: {}{matter}{contact}",
                body.name,
                shape.name,
                form_words(&shape.form)
            ));
            if let Form::Hull { solid, .. } | Form::Mesh { solid, .. } = &shape.form {
                let density = density(shape, &loaded.description.materials);
                out.line(format!("    {}", balance(solid, density)));
            }
            for (item, line) in &loaded.remarks {
                match item {
                    SceneItem::Shape(b, s) if (*b, *s) == (body_index, shape_index) => {
                        out.line(format!("    {line}"));
                    }
                    SceneItem::Part(b, s, part) if (*b, *s) == (body_index, shape_index) => {
                        out.line(format!("    part {}: {line}", part + 1));
                    }
                    _ => {}
                }
            }
            if let Form::Compound { parts } = &shape.form {
                part_lines(out, parts, own);
            }
        }
    }
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

fn part_lines(out: &mut Report, parts: &[CompoundPart], mut left: Contacts<'_>) {
    for (index, part) in parts.iter().enumerate() {
        let own = left.take(convex_count(&part.form));
        out.line(format!(
            "    part {}: {}, {} m3, at {} m{}",
            index + 1,
            form_words(&part.form),
            short(mass_properties(&part.form, 1.0).mass),
            vector(&part.position),
            rounding(&part.form, own)
        ));
    }
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
fn matter(shape: &ShapeDescription, materials: &[Material]) -> String {
    let mut text = match shape.form {
        Form::HalfSpace => format!(" of {}", shape.material),
        _ => {
            let density = density(shape, materials);
            let volume = mass_properties(&shape.form, 1.0).mass;
            format!(
                ", {} m3, {} kg of {}",
                short(volume),
                short(density * volume),
                shape.material
            )
        }
    };
    if let Some(name) = &shape.contact_material {
        let _ = write!(text, " (contact as {name})");
    }
    text
}

fn contact_data(shape: &ShapeDescription, touching: Contacts<'_>) -> String {
    let Some(first) = touching.shapes.first() else {
        return ", touches nothing (collision = false)".to_owned();
    };
    let mut text = match shape.form {
        Form::Compound { .. } => String::new(),
        _ => rounding(&shape.form, touching),
    };
    if first.contact_sphere_radius.is_finite() {
        let radius = short(first.contact_sphere_radius);
        let _ = write!(text, ", contact sphere radius {radius} m");
    }
    let flat = touching.shapes.iter().filter(|part| part.flat).count();
    text.push_str(match flat {
        0 => ", curved",
        some if some < touching.shapes.len() => ", flat where plane",
        _ => ", flat",
    });
    if first.shell > 0.0 {
        let _ = write!(text, ", shell {} m", short(first.shell));
    }
    text
}

/// Smoothing of a form that has edges, where it touches in a point: over an area they are sharp.
fn rounding(form: &Form, touching: Contacts<'_>) -> String {
    let ways = touching.ways();
    let place = match ways.area {
        true => " where it touches in a point",
        false => "",
    };
    match (form, touching.shapes) {
        (_, [])
        | (
            Form::Sphere { .. }
            | Form::Ellipsoid { .. }
            | Form::Capsule { .. }
            | Form::TaperedCapsule { .. }
            | Form::HalfSpace,
            _,
        ) => String::new(),
        _ if ways.area && !ways.point => ", sharp edges".to_owned(),
        (_, shapes) => {
            let radii = shapes.iter().map(|shape| shape.own_radius);
            let (least, most) = radii.fold((f64::INFINITY, 0.0_f64), |(least, most), radius| {
                (least.min(radius), most.max(radius))
            });
            let (least, most) = (short(least), short(most));
            if least == most {
                format!(", edges rounded by {most} m{place}")
            } else {
                format!(", edges rounded by {least} m to {most} m{place}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::laws::Laws;
    use contact_model::scene::description::{ConvexPart, Solid};

    fn lines_of(shapes: &str) -> Vec<String> {
        let text = format!(
            "format = 1\nname = \"case\"\nworld.gravity = \"none\"\nexperiment.stop_time = 1\n\
             [[body]]\nname = \"b\"\nmotion = \"free\"\n{shapes}"
        );
        let loaded = crate::scene_file::parse(&text, "scene.toml");
        let loaded = loaded.unwrap_or_else(|problems| panic!("{problems}"));
        let mut out = Report::default();
        let laws = Laws::of(&loaded.scene, &Default::default()).unwrap();
        report(&mut out, &loaded, &laws.touching);
        out.0.lines().skip(2).map(str::to_owned).collect()
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
        let part = ConvexPart {
            vertices: vec![[0.0; 3]; 12],
            triangles: Vec::new(),
            radius: 0.0,
            sharp: None,
        };
        let parts = vec![part.clone(), part.clone()];
        assert_eq!(
            form_words(&Form::Mesh { solid, parts }),
            "mesh of 2 convex parts between (-1, -0.5, 0) m and (1, 0.5, 0.25) m"
        );
        assert_eq!(
            form_words(&Form::Hull { solid, part }),
            "convex hull of 12 vertices between (-1, -0.5, 0) m and (1, 0.5, 0.25) m"
        );
    }
}
