//! Pairs whose contact is reported: as outputs, whether or not they have an indicator slot.
//!
//! A name means all shapes of a body, `table`, or one of them, `table.cushion`. Of each two shapes
//! that can touch, every pair of convex parts is reported for itself. Some are reported with their
//! intersection, which only polyhedra with sharp edges have.

use crate::scene::Scene;
use crate::scene::description::{MOST_REPORTED, Report, SceneDescription, SceneItem, ShapeName};
use crate::scene::flaw::SceneError;
use crate::scene::pairing::{ShapeRange, never_touch};
use contact_geometry::narrow_phase::overlap::Polyhedron;
use contact_laws::finding::Finding;
use contact_laws::index::{IntersectionId, PairId, ReportId, TiSlice, each};
use std::collections::BTreeSet;

impl Scene {
    /// Pairs whose contact is reported, ascending.
    pub fn reported(&self) -> &TiSlice<ReportId, PairId> {
        &self.reported
    }

    /// Reported pairs with their intersection, ascending.
    pub fn intersections(&self) -> &TiSlice<IntersectionId, ReportId> {
        &self.intersections
    }

    /// The two polyhedra of a pair; else the first of its shapes that is none with sharp edges.
    ///
    /// # Errors
    /// Name of that shape.
    pub(crate) fn polyhedra_of(&self, pair: PairId) -> Result<[Polyhedron; 2], String> {
        let forms = self.forms_of(self.pairs().get(pair).shapes);
        let [one, two] = forms.map(|form| match form.radius {
            0.0 => Polyhedron::of(&form.core),
            _ => None,
        });
        let [name_1, name_2] = self.pair_names(pair);
        Ok([one.ok_or(name_1)?, two.ok_or(name_2)?])
    }

    /// Takes over what the description says of reported pairs.
    pub(super) fn set_reported(
        &mut self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        let mut of = |field: &'static str, found: Result<Vec<PairId>, Vec<Finding>>| {
            found.unwrap_or_else(|flaws| {
                errors.extend(flaws.into_iter().map(|flaw| SceneError {
                    item: SceneItem::Contact,
                    field,
                    finding: flaw.of(&format!("{field}: ")),
                    first: None,
                }));
                Vec::new()
            })
        };
        let pairs = of("report", self.find_reported(&description.report));
        let intersected = of("overlap", self.find_intersected(&description.overlap));
        let all: BTreeSet<PairId> = pairs.iter().chain(&intersected).copied().collect();
        if all.len() > MOST_REPORTED {
            of(
                "overlap",
                Err(vec![too_many("with those of report it means", all.len())]),
            );
            return;
        }
        self.reported = all.into_iter().collect();
        let reported = self.reported.iter_enumerated();
        let wanted = reported.filter(|(_, pair)| intersected.binary_search(pair).is_ok());
        self.intersections = wanted.map(|(report, _)| report).collect();
    }

    /// Pairs of which the intersection is wanted, ascending; `"all"` are those of polyhedra.
    fn find_intersected(&self, overlap: &Report) -> Result<Vec<PairId>, Vec<Finding>> {
        if *overlap == Report::All {
            let pairs = self.pairs().ids();
            let found: Vec<PairId> = pairs.filter(|p| self.polyhedra_of(*p).is_ok()).collect();
            return match found.len() <= MOST_REPORTED {
                true => Ok(found),
                false => Err(vec![too_many("\"all\" means", found.len())]),
            };
        }
        let found = self.find_reported(overlap)?;
        let flaw = |pair: &PairId| {
            let shape = self.polyhedra_of(*pair).err()?;
            let pair = self.pair_name(*pair);
            let message = format!("{pair}: {shape} is not a polyhedron with sharp edges");
            let help = "an intersection needs boxes, hulls, parts of meshes or a half-space, without shell or \
                        threshold, with smoothing_radius = 0 where they touch in a point";
            Some((message, help).into())
        };
        let flaws: Vec<Finding> = found.iter().filter_map(flaw).collect();
        match flaws.is_empty() {
            true => Ok(found),
            false => Err(flaws),
        }
    }

    fn find_reported(&self, report: &Report) -> Result<Vec<PairId>, Vec<Finding>> {
        let named = match report {
            Report::Pairs(named) => named,
            Report::All => {
                let count = self.pairs().len();
                return match count <= MOST_REPORTED {
                    true => Ok(self.pairs().ids().collect()),
                    false => Err(vec![too_many("\"all\" means", count)]),
                };
            }
        };
        let (mut found, mut flaws) = (BTreeSet::new(), Vec::new());
        for names in named {
            match self.pairs_of_names(names) {
                Ok(pairs) => found.extend(pairs),
                Err(flaw) => flaws.push(flaw),
            }
        }
        if found.len() > MOST_REPORTED {
            flaws.push(too_many("the names mean", found.len()));
        }
        match flaws.is_empty() {
            true => Ok(found.into_iter().collect()),
            false => Err(flaws),
        }
    }

    /// Indices of all pairs that two names mean.
    fn pairs_of_names(&self, names: &[ShapeName; 2]) -> Result<Vec<PairId>, Finding> {
        let [a, b] = names;
        let groups = self.named_groups(names);
        if groups.is_empty() {
            return Err(never_touch(names, "a response of none"));
        }
        let count_of = |[a, b]: &[ShapeRange; 2]| each(a.clone()).len() * each(b.clone()).len();
        let count: usize = groups.iter().map(count_of).sum();
        if count > MOST_REPORTED {
            return Err(too_many(&format!("{a}:{b} means"), count));
        }
        let pairs = groups.into_iter().flat_map(|[first, second]| {
            let pairs = each(first).flat_map(move |a| each(second.clone()).map(move |b| (a, b)));
            pairs.filter_map(|(a, b)| self.pairs().index_of(a, b))
        });
        Ok(pairs.collect())
    }
}

fn too_many(what: &str, count: usize) -> Finding {
    let message = format!(
        "{what} {count} pairs, each two convex parts that can touch; at most {MOST_REPORTED} can be reported"
    );
    let help = "name fewer bodies or single shapes, such as \"ball:table.cushion\"";
    (message, help).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{ball, plate, steel_scene, terrain};
    use crate::scene::SceneDescription;
    use crate::scene::description::Form;
    use contact_laws::response::choice::ContactKind;

    fn name(text: &str) -> ShapeName {
        let (body, shape) = text
            .split_once('.')
            .map_or((text, None), |(b, s)| (b, Some(s)));
        ShapeName {
            body: body.into(),
            shape: shape.map(str::to_owned),
        }
    }

    /// Two balls over a plate with a second shape and a terrain of 2 x 3 x 3 convex parts.
    fn description(report: Report) -> SceneDescription {
        let mut table = plate();
        table.name = "table".into();
        let mut cushion = table.shapes[0].clone();
        cushion.name = "cushion".into();
        table.shapes.push(cushion);
        let bodies = vec![
            table,
            terrain("hills", 3, 0.5),
            ball("a", [0.0, 0.0, 1.0]),
            ball("b", [0.5, 0.0, 1.0]),
        ];
        let mut description = steel_scene(bodies);
        description.report = report;
        description
    }

    /// Names of the reported pairs.
    fn reported(names: &[[&str; 2]]) -> Vec<String> {
        let report = Report::Pairs(names.iter().map(|pair| pair.map(name)).collect());
        let scene = Scene::new(description(report)).expect("a good scene");
        let pairs = scene.reported().iter();
        pairs.map(|pair| scene.pair_name(*pair)).collect()
    }

    fn refusal(report: Report) -> Vec<String> {
        let errors = Scene::new(description(report)).expect_err("a bad report");
        let here = |e: &SceneError| (e.item, e.field) == (SceneItem::Contact, "report");
        assert!(errors.iter().all(here), "{errors:?}");
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_stand_for_shapes_and_convex_parts_whatever_their_order() {
        let both = ["table.plate:a", "table.cushion:a"];
        assert_eq!(reported(&[["a", "table"]]), both);
        assert_eq!(reported(&[["table", "a"], ["a", "table.plate"]]), both);
        assert_eq!(reported(&[["table.cushion", "a"]]), both[1..]);
        assert_eq!(reported(&[["b", "a"]]), ["a:b"]);
        let parts = reported(&[["a", "hills"]]);
        assert_eq!(parts.len(), 18);
        assert_eq!((&*parts[0], &*parts[17]), ("hills[1]:a", "hills[18]:a"));
        assert!(reported(&[]).is_empty());
    }

    #[test]
    fn all_is_every_candidate_pair_and_more_than_500_are_refused() {
        let scene = Scene::new(description(Report::All)).expect("a good scene");
        // Two balls over 20 convex parts, and each other.
        let all = (0..41).map(PairId::from);
        assert!(scene.reported().iter().copied().eq(all));
        let mut many = description(Report::All);
        many.bodies[1] = terrain("hills", 16, 0.5);
        let count = 2 * (2 + 512) + 1;
        let errors = Scene::new(many.clone()).expect_err("too many pairs");
        let text = errors[0].to_string();
        let start = format!("report: \"all\" means {count} pairs");
        assert!(
            text.starts_with(&start) && text.contains("at most 500"),
            "{text}"
        );
        many.report = Report::Pairs(vec![[name("a"), name("hills")]]);
        let text = Scene::new(many).expect_err("too many pairs")[0].to_string();
        assert!(text.contains("a:hills means 512 pairs"), "{text}");
    }

    /// Two boxes with sharp edges, one with rounded ones and a ball, over the plate.
    fn boxes(overlap: Report) -> SceneDescription {
        let mut ground = plate();
        ground.shapes[0].smoothing_radius = Some(0.0);
        let mut bodies = vec![ground];
        for (name, smoothing) in [("a", 0.0), ("b", 0.0), ("round", 1e-3)] {
            let mut body = ball(name, [0.0, 0.0, 1.0]);
            body.shapes[0].form = Form::Box {
                lengths: [0.1, 0.2, 0.3],
            };
            body.shapes[0].smoothing_radius = Some(smoothing);
            bodies.push(body);
        }
        bodies.push(ball("ball", [0.5, 0.0, 1.0]));
        let mut description = steel_scene(bodies);
        description.overlap = overlap;
        // In a point, where shapes have rounded edges if they are given.
        description.contact.law.contact = ContactKind::Point;
        description
    }

    #[test]
    fn pairs_with_their_intersection_are_reported_too() {
        let pair = |a, b| [name(a), name(b)];
        let mut description = boxes(Report::Pairs(vec![pair("b", "a")]));
        description.report = Report::Pairs(vec![pair("ball", "a")]);
        let scene = Scene::new(description).expect("a good scene");
        let names: Vec<String> = scene
            .reported()
            .iter()
            .map(|pair| scene.pair_name(*pair))
            .collect();
        assert_eq!(names, ["a:b", "a:ball"]);
        assert_eq!(scene.intersections().raw, [ReportId::from(0)]);
        // Of all, those of the plate and two boxes: three pairs.
        let scene = Scene::new(boxes(Report::All)).expect("a good scene");
        assert_eq!(scene.intersections().len(), 3);
        assert_eq!(scene.reported().len(), 3);
    }

    #[test]
    fn what_is_no_polyhedron_with_sharp_edges_has_no_intersection() {
        for (other, shape) in [("ball", "ball"), ("round", "round")] {
            let report = Report::Pairs(vec![[name("a"), name(other)]]);
            let errors = Scene::new(boxes(report)).expect_err("no polyhedron");
            let text = format!("overlap: a:{other}: {shape} is not a polyhedron with sharp edges");
            assert_eq!(errors.len(), 1);
            assert_eq!(errors[0].to_string(), text);
        }
        let unknown = Report::Pairs(vec![[name("a"), name("c")]]);
        let errors = Scene::new(boxes(unknown)).expect_err("no such body");
        let text = errors[0].to_string();
        assert!(text.starts_with("contact: overlap: body \"c\""), "{text}");
    }

    #[test]
    fn names_that_are_unknown_or_never_touch_are_refused() {
        let pair = |a, b| Report::Pairs(vec![[name(a), name(b)]]);
        for (report, text) in [
            (pair("a", "tabel"), "body \"tabel\" is not known"),
            (pair("a", "table.edge"), "has no shape \"edge\""),
            (pair("table", "hills"), "table and hills never touch"),
            (pair("a", "a"), "are of one body"),
        ] {
            let found = refusal(report);
            assert!(found.len() == 1 && found[0].contains(text), "{found:?}");
        }
    }
}
