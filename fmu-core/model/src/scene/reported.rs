//! Reported contacts: outputs of pairs and sums over several pairs, with or without an indicator slot.
//!
//! A name means all shapes of a body, `table`, or one of them, `table.cushion`. Two names that mean
//! one pair of convex parts report this pair; two that mean several report the sum over them, and
//! each pair where the scene asks for parts. Some pairs are reported with their intersection, which
//! only polyhedra with sharp edges have.

use crate::scene::Scene;
use crate::scene::description::{MOST_REPORTED, Report, SceneDescription, SceneItem, ShapeName};
use crate::scene::elements::{ContactSum, NamedPair};
use crate::scene::flaw::SceneError;
use crate::scene::pairing::{ShapeRange, never_touch};
use contact_geometry::narrow_phase::overlap::Polyhedron;
use contact_laws::finding::Finding;
use contact_laws::index::{
    BodyId, IntersectionId, NamedPairId, PairId, ReportId, SumId, TiSlice, each,
};

/// Reports that names ask for.
#[derive(Default)]
struct Wanted {
    pairs: Vec<PairId>,
    sums: Vec<Several>,
}

/// Two names that mean several pairs.
struct Several {
    between: [ShapeName; 2],
    groups: Vec<[ShapeRange; 2]>,
}

impl Scene {
    /// Pairs whose contact is reported, ascending.
    pub fn reported(&self) -> &TiSlice<ReportId, PairId> {
        &self.reported
    }

    /// Reported sums of contacts.
    pub fn sums(&self) -> &TiSlice<SumId, ContactSum> {
        &self.sums
    }

    /// Number of reports: of pairs, then sums.
    pub fn report_count(&self) -> usize {
        self.reported.len() + self.sums.len()
    }

    /// The report of a sum.
    pub fn report_of(&self, sum: SumId) -> ReportId {
        ReportId::from(self.reported.len() + usize::from(sum))
    }

    /// Names of both sides of a reported contact, in the order of the scene.
    pub fn report_names(&self, report: ReportId) -> [String; 2] {
        match self.reported.get(report) {
            Some(pair) => self.pair_names(*pair),
            None => {
                let sum = &self.sums[SumId::from(usize::from(report) - self.reported.len())];
                self.named_pairs[sum.named]
                    .between
                    .each_ref()
                    .map(ToString::to_string)
            }
        }
    }

    /// Returns true if a sum has a pair.
    pub fn is_in_sum(&self, pair: PairId, sum: SumId) -> bool {
        self.sums[sum].has(self.pairs().get(pair).shapes)
    }

    /// Reports that the contact of a pair is part of: its own and sums.
    pub fn reports_with(&self, pair: PairId) -> impl Iterator<Item = ReportId> {
        let own = self.reported.binary_search(&pair).ok();
        own.into_iter()
            .chain(self.sums_with(pair).map(|sum| self.report_of(sum)))
    }

    /// Sums that the contact of a pair is part of.
    pub(crate) fn sums_with(&self, pair: PairId) -> impl Iterator<Item = SumId> {
        let mut shapes = None;
        let all = self.sums.iter_enumerated();
        all.filter(move |(_, sum)| {
            sum.has(*shapes.get_or_insert_with(|| self.pairs().get(pair).shapes))
        })
        .map(|(index, _)| index)
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

    /// Takes over what the description says of reported contacts.
    pub(super) fn set_reported(
        &mut self,
        description: &SceneDescription,
        errors: &mut Vec<SceneError>,
    ) {
        let mut refuse = |field: &'static str, flaws: Vec<Finding>| {
            errors.extend(flaws.into_iter().map(|flaw| SceneError {
                item: SceneItem::Contact,
                field,
                finding: flaw.of(&format!("{field}: ")),
                first: None,
            }));
        };
        let wanted = self.find_reported(&description.report);
        let wanted = wanted.unwrap_or_else(|flaws| {
            refuse("report", flaws);
            Wanted::default()
        });
        let intersected = self.find_intersected(&description.overlap);
        let intersected = intersected.unwrap_or_else(|flaws| {
            refuse("overlap", flaws);
            Vec::new()
        });
        let all = ascending(wanted.pairs.iter().chain(&intersected).copied());
        let count = all.len() + wanted.sums.len();
        if count > MOST_REPORTED {
            let flaw = too_many("with those of report it means", count);
            refuse("overlap", vec![flaw]);
            return;
        }
        self.reported = all.into();
        let reported = self.reported.iter_enumerated();
        let wanted_of = reported.filter(|(_, pair)| intersected.binary_search(pair).is_ok());
        self.intersections = wanted_of.map(|(report, _)| report).collect();
        for several in wanted.sums {
            self.add_sum(several);
        }
    }

    /// Adds a sum, unless there is one over the same shapes.
    fn add_sum(&mut self, several: Several) {
        let Several { between, groups } = several;
        let sides = [0, 1].map(|side| {
            let mut ranges: Vec<ShapeRange> = Vec::new();
            let all = groups.iter().map(|group| &group[side]);
            for [start, end] in ascending(all.map(|range| [range.start, range.end])) {
                match ranges.last_mut().filter(|last| last.end == start) {
                    Some(last) => last.end = end,
                    None => ranges.push(start..end),
                }
            }
            ranges
        });
        if self.sums.iter().any(|known| known.sides == sides) {
            return;
        }
        let named = NamedPairId::from(self.named_pairs.len());
        self.named_pairs.push(NamedPair {
            between,
            parts: groups,
            warn_below: None,
            distance: false,
        });
        self.sums.push(ContactSum { named, sides });
    }

    /// Pairs of which the intersection is wanted; `"all"` are those of polyhedra.
    fn find_intersected(&self, overlap: &Report) -> Result<Vec<PairId>, Vec<Finding>> {
        let Report::Pairs(named) = overlap else {
            let pairs = self.pairs().ids();
            let found: Vec<PairId> = pairs.filter(|p| self.polyhedra_of(*p).is_ok()).collect();
            return match found.len() <= MOST_REPORTED {
                true => Ok(found),
                false => Err(vec![too_many("\"all\" means", found.len())]),
            };
        };
        let mut found = Vec::new();
        let mut flaws = Vec::new();
        for names in named {
            match self
                .groups_of_names(names)
                .and_then(|groups| self.pairs_of(names, &groups))
            {
                Ok(pairs) => found.extend(pairs),
                Err(flaw) => flaws.push(flaw),
            }
        }
        let found = ascending(found.into_iter());
        if found.len() > MOST_REPORTED {
            flaws.push(too_many("the names mean", found.len()));
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let flaw = |pair: &PairId| {
            let shape = self.polyhedra_of(*pair).err()?;
            let pair = self.pair_name(*pair);
            let message = format!("{pair}: {shape} is not a polyhedron with sharp edges");
            let help = "an intersection needs boxes, hulls, meshes with contact = \"hull\" or a half-space, without shell or \
                        threshold, with smoothing_radius = 0 where they touch in a point";
            Some((message, help).into())
        };
        let flaws: Vec<Finding> = found.iter().filter_map(flaw).collect();
        match flaws.is_empty() {
            true => Ok(found),
            false => Err(flaws),
        }
    }

    fn find_reported(&self, report: &Report) -> Result<Wanted, Vec<Finding>> {
        let every;
        let named = match report {
            Report::Pairs(named) => named,
            Report::All => {
                every = self.bodies_that_touch().map_err(|flaw| vec![flaw])?;
                &every
            }
        };
        let (mut wanted, mut flaws) = (Wanted::default(), Vec::new());
        for names in named {
            if let Err(flaw) = self.want(names, &mut wanted) {
                flaws.push(flaw);
            }
        }
        wanted.pairs = ascending(wanted.pairs.into_iter());
        let count = wanted.pairs.len() + wanted.sums.len();
        if count > MOST_REPORTED {
            let what = match report {
                Report::Pairs(_) => "the names mean",
                Report::All => "\"all\" means",
            };
            flaws.push(too_many(what, count));
        }
        match flaws.is_empty() {
            true => Ok(wanted),
            false => Err(flaws),
        }
    }

    /// Names of each two bodies that can touch.
    fn bodies_that_touch(&self) -> Result<Vec<[ShapeName; 2]>, Finding> {
        let pairs = self.pairs().of_parts();
        let bodies = pairs.map(|pair| pair.shapes.map(|s| self.shapes()[s].body));
        let found = ascending(bodies);
        if found.len() > MOST_REPORTED {
            return Err(too_many("\"all\" means", found.len()));
        }
        let name = |body: BodyId| ShapeName {
            body: self.bodies()[body].name.clone(),
            shape: None,
        };
        Ok(found.into_iter().map(|pair| pair.map(name)).collect())
    }

    /// Adds what two names ask for.
    fn want(&self, names: &[ShapeName; 2], wanted: &mut Wanted) -> Result<(), Finding> {
        let groups = self.groups_of_names(names)?;
        let is_single = count_of(&groups) == 1;
        if is_single || self.contact().report_parts {
            wanted.pairs.extend(self.pairs_of(names, &groups)?);
        }
        if !is_single {
            let [a, b] = names.clone();
            let first = &self.shapes()[groups[0][0].start];
            let is_first = a.names(&self.bodies()[first.body].name, &first.name);
            wanted.sums.push(Several {
                between: if is_first { [a, b] } else { [b, a] },
                groups,
            });
        }
        Ok(())
    }

    /// Convex parts of the shapes that two names mean and that can touch.
    fn groups_of_names(&self, names: &[ShapeName; 2]) -> Result<Vec<[ShapeRange; 2]>, Finding> {
        let groups = self.named_groups(names);
        match groups.is_empty() {
            true => Err(never_touch(names, "a response of none")),
            false => Ok(groups),
        }
    }

    /// All pairs of these parts, which two names mean.
    fn pairs_of(
        &self,
        [a, b]: &[ShapeName; 2],
        groups: &[[ShapeRange; 2]],
    ) -> Result<Vec<PairId>, Finding> {
        let count = count_of(groups);
        if count > MOST_REPORTED {
            return Err(too_many(&format!("{a}:{b} means"), count));
        }
        let pairs = groups.iter().flat_map(|[first, second]| {
            let pairs = each(first.clone()).flat_map(|a| each(second.clone()).map(move |b| (a, b)));
            pairs.filter_map(|(a, b)| self.pairs().index_of(a, b))
        });
        Ok(pairs.collect())
    }
}

/// The different ones, in ascending order.
fn ascending<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Number of pairs of convex parts.
fn count_of(groups: &[[ShapeRange; 2]]) -> usize {
    let pairs = groups.iter();
    pairs
        .map(|[a, b]| each(a.clone()).len() * each(b.clone()).len())
        .sum()
}

fn too_many(what: &str, count: usize) -> Finding {
    let message = format!("{what} {count} contacts; at most {MOST_REPORTED} can be reported");
    let help = "name fewer bodies or single shapes, such as \"ball:table.cushion\"; without report_parts two bodies \
                count as one contact";
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

    /// Names of the reported pairs, then of the sums.
    fn reports_of(description: SceneDescription) -> Vec<String> {
        let scene = Scene::new(description).expect("a good scene");
        let pairs = scene.reported().iter().map(|pair| scene.pair_name(*pair));
        let sums = scene.sums().iter().map(|sum| {
            let [a, b] = &scene.named_pairs()[sum.named].between;
            format!("sum {a}:{b}")
        });
        pairs.chain(sums).collect()
    }

    /// Reports of these names, each pair beside a sum if `parts`.
    fn reported(names: &[[&str; 2]], parts: bool) -> Vec<String> {
        let report = Report::Pairs(names.iter().map(|pair| pair.map(name)).collect());
        let mut description = description(report);
        description.contact.report_parts = parts;
        reports_of(description)
    }

    fn refusal(report: Report) -> Vec<String> {
        let errors = Scene::new(description(report)).expect_err("a bad report");
        let here = |e: &SceneError| (e.item, e.field) == (SceneItem::Contact, "report");
        assert!(errors.iter().all(here), "{errors:?}");
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_of_several_pairs_report_their_sum_and_of_one_the_pair() {
        assert_eq!(reported(&[["b", "a"]], false), ["a:b"]);
        assert_eq!(
            reported(&[["table.cushion", "a"]], true),
            ["table.cushion:a"]
        );
        // One sum for the same shapes, by the names that come first.
        let names = [
            ["a", "table"],
            ["table", "a"],
            ["a", "hills.hills"],
            ["hills", "a"],
        ];
        assert_eq!(
            reported(&names, false),
            ["sum table:a", "sum hills.hills:a"]
        );
        let found = reported(&[["table", "a"], ["a", "table.plate"]], true);
        assert_eq!(found, ["table.plate:a", "table.cushion:a", "sum table:a"]);
        let parts = reported(&[["a", "hills"]], true);
        assert_eq!(parts.len(), 19);
        assert_eq!((&*parts[0], &*parts[17]), ("hills[1]:a", "hills[18]:a"));
        assert!(reported(&[], true).is_empty());
    }

    #[test]
    fn each_pair_knows_its_report_and_its_sums() {
        let names = [["a", "table"], ["table.cushion", "a"], ["hills", "b"]];
        let report = Report::Pairs(names.iter().map(|pair| pair.map(name)).collect());
        let scene = Scene::new(description(report)).expect("a good scene");
        // The pair table.cushion:a, then the sums table:a and hills:b.
        assert_eq!(scene.report_count(), 3);
        for pair in scene.pairs().ids() {
            let text = scene.pair_name(pair);
            let expected = match text.as_str() {
                "table.cushion:a" => vec![0, 1],
                "table.plate:a" => vec![1],
                of_hills if of_hills.starts_with("hills[") && of_hills.ends_with(":b") => vec![2],
                _ => vec![],
            };
            let found: Vec<usize> = scene.reports_with(pair).map(usize::from).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn all_is_each_two_bodies_that_touch_and_more_than_500_reports_are_refused() {
        let found = reports_of(description(Report::All));
        let sums = ["sum table:a", "sum table:b", "sum hills:a", "sum hills:b"];
        assert_eq!(found, [&["a:b"][..], &sums].concat());
        let mut parts = description(Report::All);
        parts.contact.report_parts = true;
        // Two balls over 20 convex parts, and each other; four sums.
        assert_eq!(reports_of(parts.clone()).len(), 41 + 4);
        parts.bodies[1] = terrain("hills", 16, 0.5);
        let refusals = |description: SceneDescription| -> Vec<String> {
            let errors = Scene::new(description).expect_err("too many reports");
            errors.iter().map(ToString::to_string).collect()
        };
        let text = "report: a:hills means 512 contacts; at most 500 can be reported";
        parts.report = Report::Pairs(vec![[name("a"), name("hills")]]);
        assert!(refusals(parts.clone())[0].contains(text));
        parts.contact.report_parts = false;
        assert_eq!(reports_of(parts), ["sum hills:a"]);
        let mut many = steel_scene(
            (0..33)
                .map(|i| ball(&format!("b{i}"), [f64::from(i), 0.0, 0.0]))
                .collect(),
        );
        many.report = Report::All;
        let text = format!("report: \"all\" means {} contacts", 33 * 32 / 2);
        assert!(refusals(many)[0].contains(&text));
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
