//! The variable table: every variable of the FMU, produced once from the scene. The writer of
//! modelDescription.xml, the C API and the tests read this table; nothing else knows a value
//! reference.
//!
//! The elements of all variables are 1, 2, 3 ... in document order:
//! [time (FMI 3.0) | states | state derivatives | parameters | inputs | contact force and torque of
//! each body | number of contacts | kinetic, potential, elastic energy | smallest distances |
//! distances of named pairs | poses, reactions, measurements | reports of pairs |
//! sums of contacts | intersections of pairs | statistics of Co-Simulation | groups of balls | event
//! indicators]. So an element and its meaning are found from each other by arithmetic, and an
//! instance is made without touching a string; names and texts are made on demand. Where the scene
//! exposes only some outputs, what is left out has no element; arithmetic then gives the place
//! among all, and a list of the places that are kept leads from one to the other. Value references
//! are 1, 2, 3 ... in document order, too: each element is a variable of its own, with its number
//! as reference, unless FMI 3.0 is asked for arrays. Then the elements of a vector, which follow
//! each other, are one variable. So are, without being asked for, the states of a group of balls, and
//! in its scene the event indicators. FMI 2.0 leaves the states of groups out, and the indicators then.
//!
//! - [`quantity`]: [`Quantity`]: what an element means; words of FMI, texts
//! - [`states`]: states, parameters and inputs
//! - [`tables`]: tables of numbers: contact loads, sums, reports of pairs, intersections, statistics, groups of balls
//! - [`families`]: the families of variables: all that is said of an element
//! - [`names`]: clashes and patterns of names
//! - this file: [`VariableTable`], reference <-> elements <-> [`Quantity`], names
//! - [`describe`]: types, start values, texts
//! - [`structure`]: dependencies of variables

pub mod describe;
pub(crate) mod families;
pub mod names;
pub mod quantity;
pub(crate) mod states;
pub mod structure;
pub(crate) mod tables;

use crate::instance::modes::Standard;
use contact_model::scene::Scene;
use contact_model::scene::description::Naming;
use families::{FAMILIES, Owners};
use names::{Exposed, NameClash, UnmatchedPattern, replaced, without_indices};
use quantity::flat;
use std::collections::BTreeMap;
use std::ops::Range;

pub use describe::Variable;
pub use quantity::{Causality, DataType, Family, Initial, Quantity, Variability};

/// Elements of a family that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    family: Family,
    places: Range<u32>,
    owners: Owners,
    /// Elements of each.
    items: Range<usize>,
}

impl Span {
    /// Meaning of the element at a place; none before the first one.
    #[inline]
    fn meaning(&self, place: u32) -> Option<Quantity> {
        let index = place.checked_sub(self.places.start)?;
        let (owner, item) = match self.items.len() as u32 {
            1 => (index, 0),
            each => (index / each, index % each),
        };
        let of = match &self.owners {
            Owners::All(all) => all.start + owner as usize,
            Owners::These(list) => list[owner as usize],
        };
        Some(self.family.at(of, self.items.start + item as usize))
    }

    /// Place of the element with a meaning; none if it is not one of these.
    fn place(&self, quantity: Quantity) -> Option<u32> {
        let owner = match &self.owners {
            Owners::All(all) => all
                .contains(&quantity.of)
                .then(|| quantity.of - all.start)?,
            Owners::These(list) => list.binary_search(&quantity.of).ok()?,
        };
        let is_one = self.family == quantity.family && self.items.contains(&quantity.item);
        let item = is_one.then(|| quantity.item - self.items.start)?;
        Some(self.places.start + (owner * self.items.len() + item) as u32)
    }
}

/// References and meanings of all variables of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableTable {
    standard: Standard,
    /// All places, ascending.
    spans: Vec<Span>,
    has_groups: bool,
    /// Vectors are arrays.
    arrays: bool,
    /// Place of each element, ascending, where the scene leaves outputs out; empty where all places
    /// are elements.
    kept: Vec<u32>,
    /// States that are no outputs, ascending.
    hidden: Vec<u32>,
    /// First element of each variable, ascending; empty where every variable is a scalar.
    firsts: Vec<u32>,
}

impl VariableTable {
    /// The table of a scene for importers of an FMI version.
    pub fn new(scene: &Scene, standard: Standard) -> Self {
        let mut table = VariableTable {
            standard,
            spans: Vec::with_capacity(FAMILIES.len()),
            has_groups: !scene.grains().is_empty(),
            arrays: scene.interface().arrays && standard == Standard::Fmi3,
            kept: Vec::new(),
            hidden: Vec::new(),
            firsts: Vec::new(),
        };
        for row in &FAMILIES {
            (row.extents)(scene, standard, &mut |owners, items| {
                table.push(row.family, owners, items);
            });
        }
        let exposed = Exposed::of(scene);
        let hides_parameters = scene.interface().expose_parameters;
        if exposed.is_some() || hides_parameters || table.leaves_states_out() {
            table.leave_out(scene, exposed.as_ref());
        }
        if standard == Standard::Fmi3 && (table.arrays || table.has_groups) {
            table.join_vectors(scene);
        }
        table
    }

    fn push(&mut self, family: Family, owners: Owners, items: Range<usize>) {
        let count = match &owners {
            Owners::All(all) => all.len(),
            Owners::These(list) => list.len(),
        };
        let count = (count * items.len()) as u32;
        if count > 0 {
            let first = self.place_count() + 1;
            self.spans.push(Span {
                family,
                places: first..first + count,
                owners,
                items,
            });
        }
    }

    /// Number of places: of elements, if the scene left none out.
    fn place_count(&self) -> u32 {
        self.spans.last().map_or(0, |span| span.places.end - 1)
    }

    /// Returns true if states have no variable: those of groups in FMI 2.0, which then have no
    /// event indicators either.
    fn leaves_states_out(&self) -> bool {
        self.standard == Standard::Fmi2 && self.has_groups
    }

    /// Returns true if the importer can have Model Exchange: not with groups, whose thousands of
    /// states no importer's solver brings to an end.
    pub fn has_model_exchange(&self) -> bool {
        !self.has_groups
    }

    /// Number of elements of the variable that begins at a place. Its elements have the indices 0, 1, ..., and
    /// what follows a smaller index or none: so the end is found in few steps, also of a million balls.
    fn length(&self, scene: &Scene, meaning: impl Fn(u32) -> Option<Quantity>) -> u32 {
        let has = |offset: u32| {
            let quantity = meaning(offset);
            let component = |q: Quantity| (q.row().component)(scene, q).filter(|_| self.arrays);
            quantity.and_then(|q| q.entry(scene).or_else(|| component(q))) == Some(offset as usize)
        };
        let mut inside = 0;
        let mut step = 1;
        while has(inside + step) {
            inside += step;
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            inside += if has(inside + step) { step } else { 0 };
        }
        inside + 1
    }

    /// Leaves out what the scene does not expose, where it says so; states stay and are local. And
    /// what the FMI version has no variables for.
    fn leave_out(&mut self, scene: &Scene, exposed: Option<&Exposed>) {
        let mut kept = Vec::new();
        let mut hidden = Vec::new();
        let mut place = 1;
        let nothing = Exposed::by(scene, &[]);
        while let Some(first) = self.meaning_of_place(place) {
            let end = place + self.length(scene, |offset| self.meaning_of_place(place + offset));
            // The importer gets no variable of this meaning.
            if self.leaves_states_out() && first.entry(scene).is_some() {
                place = end;
                continue;
            }
            let mut elements = (place..end).filter_map(|p| self.meaning_of_place(p));
            let patterns = match self.causality(scene, first) {
                Causality::Output => exposed,
                Causality::Parameter if scene.interface().expose_parameters => {
                    exposed.or(Some(&nothing))
                }
                _ => None,
            };
            let is_shown =
                patterns.is_none_or(|exposed| elements.any(|quantity| exposed.shows(quantity)));
            let is_state = first.family == Family::State;
            if is_state && !is_shown {
                hidden.extend((first.of as u32..).take((end - place) as usize));
            }
            if is_state || is_shown {
                kept.extend(place..end);
            }
            place = end;
        }
        if kept.len() < self.place_count() as usize {
            self.kept = kept;
        }
        self.hidden = hidden;
    }

    /// Checks that each pattern of what the scene exposes matches an output or parameter.
    ///
    /// # Errors
    /// The first one that matches none, with similar names.
    pub fn check_exposed(&self, scene: &Scene) -> Result<(), UnmatchedPattern> {
        self.check_patterns(scene, scene.expose().unwrap_or_default())
    }

    /// Checks that each of these patterns matches an output or parameter.
    ///
    /// # Errors
    /// The first one that matches none, with similar names.
    pub fn check_patterns(
        &self,
        scene: &Scene,
        patterns: &[String],
    ) -> Result<(), UnmatchedPattern> {
        if patterns.is_empty() {
            return Ok(());
        }
        let all = (1..=self.place_count()).filter_map(|place| self.meaning_of_place(place));
        Exposed::by(scene, patterns).check(all.filter(|quantity| {
            let causality = quantity.causality_if_exposed(scene);
            matches!(causality, Causality::Output | Causality::Parameter)
        }))
    }

    /// Makes one variable of the elements of each vector.
    fn join_vectors(&mut self, scene: &Scene) {
        let mut element = 1;
        while element <= self.element_count() {
            self.firsts.push(element);
            element += self.length(scene, |offset| self.meaning(element + offset));
        }
    }

    /// FMI version of the importers that the table is for.
    pub fn standard(&self) -> Standard {
        self.standard
    }

    /// Number of variables; the largest reference.
    pub fn count(&self) -> usize {
        match self.firsts.len() {
            0 => self.element_count() as usize,
            variables => variables,
        }
    }

    /// Number of elements of all variables; the last element.
    fn element_count(&self) -> u32 {
        match self.kept.len() {
            0 => self.place_count(),
            kept => kept as u32,
        }
    }

    /// Elements of a variable; empty where no variable has the reference.
    pub fn elements(&self, reference: u32) -> Range<u32> {
        if reference == 0 || reference as usize > self.count() {
            return 0..0;
        }
        if self.firsts.is_empty() {
            return reference..reference + 1;
        }
        let index = reference as usize;
        let end = self.firsts.get(index).copied();
        self.firsts[index - 1]..end.unwrap_or(self.element_count() + 1)
    }

    /// Reference of the variable that has an element.
    pub(crate) fn variable_of(&self, element: u32) -> u32 {
        match self.firsts.is_empty() {
            true => element,
            false => self.firsts.partition_point(|first| *first <= element) as u32,
        }
    }

    /// Number of elements of an array; none for a scalar or an unknown reference.
    pub fn dimension(&self, reference: u32) -> Option<usize> {
        if self.firsts.is_empty() {
            return None;
        }
        let count = self.elements(reference).len();
        let is_list = |first: Quantity| (first.row().is_list)(first.item, self.arrays);
        let is_array = count > 1 || self.quantity(reference).is_some_and(is_list);
        is_array.then_some(count)
    }

    /// Number of parameters that have a variable.
    pub fn parameter_count(&self) -> usize {
        let all = (1..=self.element_count()).filter_map(|element| self.meaning(element));
        all.filter(|quantity| quantity.family == Family::Parameter)
            .count()
    }

    /// Meaning of a variable, for an array that of its first element; none where no variable has
    /// the reference.
    pub fn quantity(&self, reference: u32) -> Option<Quantity> {
        if self.firsts.is_empty() {
            return self.meaning(reference);
        }
        self.meaning(self.elements(reference).start)
    }

    /// Meaning of an element; none where there is no such element.
    #[inline]
    pub fn meaning(&self, element: u32) -> Option<Quantity> {
        if self.kept.is_empty() {
            return self.meaning_of_place(element);
        }
        let index = (element as usize).checked_sub(1)?;
        self.meaning_of_place(*self.kept.get(index)?)
    }

    fn meaning_of_place(&self, place: u32) -> Option<Quantity> {
        let span = self.spans.iter().find(|span| place < span.places.end)?;
        span.meaning(place)
    }

    /// Reference of the variable with this meaning among its elements; none where the scene has no
    /// such variable.
    pub fn reference(&self, quantity: Quantity) -> Option<u32> {
        Some(self.variable_of(self.element(quantity)?))
    }

    /// Element with a meaning; none where the scene has no such element.
    pub fn element(&self, quantity: Quantity) -> Option<u32> {
        let place = self.spans.iter().find_map(|span| span.place(quantity))?;
        if self.kept.is_empty() {
            return Some(place);
        }
        let index = self.kept.binary_search(&place).ok()?;
        u32::try_from(index + 1).ok()
    }

    /// All variables in document order: reference and meaning, for an array that of its first
    /// element.
    pub fn quantities(&self) -> impl Iterator<Item = (u32, Quantity)> + '_ {
        (1..=self.count() as u32).filter_map(|r| Some((r, self.quantity(r)?)))
    }

    /// Causality of a variable. What the scene leaves out of its outputs is local.
    pub fn causality(&self, scene: &Scene, quantity: Quantity) -> Causality {
        let is_state = quantity.family == Family::State;
        match is_state && self.hidden.binary_search(&(quantity.of as u32)).is_ok() {
            true => Causality::Local,
            false => quantity.causality_if_exposed(scene),
        }
    }

    /// Returns true if the importer may read the variable between communication points: continuous
    /// outputs, [FMI 3.0] section 2.3.1 (requiredIntermediateVariables).
    pub(crate) fn has_intermediate_values(&self, scene: &Scene, quantity: Quantity) -> bool {
        let is_output = self.causality(scene, quantity) == Causality::Output;
        is_output && quantity.variability(scene) != Variability::Discrete
    }

    /// Name of the variable that has a meaning among its elements.
    pub fn name(&self, scene: &Scene, quantity: Quantity) -> String {
        in_convention(scene, self.structured(scene, quantity))
    }

    /// Name of an element: that of the variable, for an array with the indices of the element.
    pub fn element_name(&self, scene: &Scene, quantity: Quantity) -> String {
        in_convention(scene, quantity.name(scene))
    }

    fn structured(&self, scene: &Scene, quantity: Quantity) -> String {
        let name = quantity.name(scene);
        let reference = self.reference(quantity).unwrap_or(0);
        match self.dimension(reference) {
            Some(_) => without_indices(&name),
            None => name,
        }
    }

    /// Checks that flat names are distinct, and that structured names remain so if a tool replaces
    /// each of `. [ ] ( ) ,` and space by an underscore.
    ///
    /// # Errors
    /// The first two variables with names that cannot be distinguished.
    pub fn check_names(&self, scene: &Scene) -> Result<(), NameClash> {
        let naming = scene.interface().naming;
        let mut seen = BTreeMap::new();
        for (_, quantity) in self.quantities() {
            let second = self.structured(scene, quantity);
            let becomes = match naming {
                Naming::Structured => replaced(&second),
                Naming::Flat => flat(&second),
            };
            if let Some(first) = seen.insert(becomes.clone(), second.clone()) {
                return Err(NameClash {
                    first,
                    second,
                    becomes,
                    naming,
                });
            }
        }
        Ok(())
    }
}

fn in_convention(scene: &Scene, structured: String) -> String {
    match scene.interface().naming {
        Naming::Structured => structured,
        Naming::Flat => flat(&structured),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/instance/variables/tests.rs"]
pub(crate) mod tests;
