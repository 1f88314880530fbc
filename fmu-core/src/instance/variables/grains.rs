//! Variables of groups of balls. A ball has no variables of its own. In FMI 3.0 a group has its
//! states as one array, `sand.state` with a row of 13 for each ball, and their derivatives as
//! another; radii, positions and velocities are arrays for those who draw or count. What is meant
//! for other models are sums, scalars in both FMI versions: how many balls, where their centre of
//! mass is, their kinetic energy, and number and mass of those in each region.
//!
//! FMI 2.0 has no arrays: there a group has the sums only. In both versions such an FMU is for
//! Co-Simulation alone: of the 26,000 states of 2,000 balls no importer's solver makes a run.
//!
//! # Variables of the intersection of a reported pair of polyhedra
//!
//! Name, type and description.
//!
//! The elements of a pair follow each other in the order of [`items`]; 1 and 2 are those of its
//! report. Where the polyhedra are apart, volume and area are zero, centroids the middle of the
//! nearest points, normals the direction of the distance, and gaps the distance.

use super::words::{AXES, Causality, DataType, Text, Variability, Words, indexed};
use GrainItem::*;
use IntersectionItem::*;
use contact_laws::quantity::units;
use contact_laws::quantity::units::DeclaredType;
use contact_model::dynamics::{Intersection, Model, pipeline as sums};
use contact_model::scene::forms::GRAIN_STATES;
use contact_model::scene::{Grains, Scene, StateLayout};
use std::ops::Range;

/// What there is of a group, beside its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrainItem {
    /// Radius of a ball [m], by its place.
    Radius(usize),
    /// Entry of the positions of all balls, row by row, world axes [m].
    Position(usize),
    /// Entry of their velocities, world axes [m/s].
    Velocity(usize),
    /// Number of balls.
    Count,
    /// Component of the position of their common centre of mass, world axes [m].
    Center(usize),
    /// Kinetic energy [J].
    KineticEnergy,
    /// Number of balls in a region, by its place.
    RegionCount(usize),
    /// Mass of the balls in a region [kg].
    RegionMass(usize),
}

/// Scalars of a group without regions.
const SCALARS: usize = 5;
/// Scalars of a region.
const OF_REGION: usize = 2;
/// Components of a vector.
const VECTOR: usize = 3;

/// Which variables of a group there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GrainPlaces {
    /// States of its balls.
    pub(crate) states: Range<usize>,
    /// Balls that the arrays list: all, or none in FMI 2.0.
    listed: usize,
    regions: usize,
}

impl GrainPlaces {
    pub(crate) fn new(group: &Grains, has_arrays: bool) -> Self {
        GrainPlaces {
            states: group.states.clone(),
            listed: if has_arrays { group.len() } else { 0 },
            regions: group.regions.len(),
        }
    }

    fn array_entries(&self) -> usize {
        (1 + 2 * VECTOR) * self.listed
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.array_entries() + SCALARS + OF_REGION * self.regions
    }

    /// Meaning of the element at a place below [`Self::len`].
    pub(crate) fn item(&self, place: usize) -> GrainItem {
        let entries = VECTOR * self.listed;
        let Some(scalar) = place.checked_sub(self.array_entries()) else {
            return match place.checked_sub(self.listed) {
                None => Radius(place),
                Some(entry) if entry < entries => Position(entry),
                Some(entry) => Velocity(entry - entries),
            };
        };
        match scalar {
            0 => Count,
            1..=3 => Center(scalar - 1),
            4 => KineticEnergy,
            _ => {
                let region = (scalar - SCALARS) / OF_REGION;
                match (scalar - SCALARS) % OF_REGION {
                    0 => RegionCount(region),
                    _ => RegionMass(region),
                }
            }
        }
    }

    /// Place of the element with a meaning; none if there is no such element.
    pub(crate) fn place(&self, item: GrainItem) -> Option<usize> {
        let scalars = self.array_entries();
        let (place, is_there) = match item {
            Radius(i) => (i, i < self.listed),
            Position(i) => (self.listed + i, i < VECTOR * self.listed),
            Velocity(i) => ((1 + VECTOR) * self.listed + i, i < VECTOR * self.listed),
            Count => (scalars, true),
            Center(i) => (scalars + 1 + i, i < VECTOR),
            KineticEnergy => (scalars + 4, true),
            RegionCount(i) => (scalars + SCALARS + OF_REGION * i, i < self.regions),
            RegionMass(i) => (scalars + SCALARS + OF_REGION * i + 1, i < self.regions),
        };
        is_there.then_some(place)
    }
}

impl GrainItem {
    /// Index in the array that the item always is an entry of.
    pub(super) fn entry(self) -> Option<usize> {
        match self {
            Radius(i) | Position(i) | Velocity(i) => Some(i),
            _ => None,
        }
    }

    /// Index in a vector that is an array where vectors are.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            Center(i) => Some(i),
            _ => self.entry(),
        }
    }

    /// Columns of the array.
    pub(super) fn columns(self) -> Option<usize> {
        match self {
            Position(_) | Velocity(_) => Some(VECTOR),
            _ => None,
        }
    }

    /// The arrays are for those who ask for them, the sums for other models.
    pub(super) fn causality(self) -> Causality {
        match self.entry() {
            Some(_) => Causality::Local,
            None => Causality::Output,
        }
    }

    pub(super) fn variability(self) -> Variability {
        match self {
            Radius(_) => Variability::Fixed,
            Count => Variability::Discrete,
            _ => Variability::Continuous,
        }
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Count => DataType::Int32,
            _ => DataType::Float64,
        }
    }

    pub(super) fn declared_type(self) -> Option<DeclaredType> {
        Some(match self {
            Radius(_) => units::LENGTH,
            Position(_) | Center(_) => units::POSITION,
            Velocity(_) => units::VELOCITY,
            KineticEnergy => units::ENERGY,
            RegionCount(_) => units::COEFFICIENT,
            RegionMass(_) => units::MASS,
            Count => return None,
        })
    }

    /// What follows the name of the group: `center[3]`, `out.mass`.
    pub(super) fn name(self, group: &Grains) -> String {
        let in_row = |key: &str, i: usize| format!("{key}[{},{}]", i / VECTOR + 1, i % VECTOR + 1);
        let region = |i: usize| group.regions[i].name.as_str();
        match self {
            Radius(i) => format!("radius[{}]", i + 1),
            Position(i) => in_row("position", i),
            Velocity(i) => in_row("velocity", i),
            Count => "count".into(),
            Center(i) => format!("center[{}]", i + 1),
            KineticEnergy => "kinetic_energy".into(),
            RegionCount(i) => format!("{}.count", region(i)),
            RegionMass(i) => format!("{}.mass", region(i)),
        }
    }

    pub(super) fn text(self, words: &Words<'_>, group: &Grains) -> Text {
        match self {
            Radius(_) => Text::scalar("Radius of each ball"),
            Position(_) => Text::scalar("Position of each ball, a row (x, y, z) for each")
                .at("centre")
                .in_axes("world axes"),
            Velocity(_) => Text::scalar("Velocity of each ball, a row (x, y, z) for each")
                .at("centre")
                .in_axes("world axes"),
            Count => Text::scalar("Number of balls"),
            Center(i) => Text::new(format!(
                "Position {} of the centre of mass of all balls",
                words.component(AXES, i)
            ))
            .in_axes("world axes"),
            KineticEnergy => Text::scalar("Kinetic energy of the balls"),
            RegionCount(i) => Text::new(format!(
                "Number of balls with their centre in {}",
                group.regions[i].name
            )),
            RegionMass(i) => Text::new(format!(
                "Mass of the balls with their centre in {}",
                group.regions[i].name
            )),
        }
    }

    /// The value at states.
    pub(in crate::instance) fn value(self, model: &Model, group: &Grains, states: &[f64]) -> f64 {
        let in_region = |i: usize| sums::in_region(model, group, &group.regions[i], states);
        match self {
            Radius(i) => 0.5 * group.diameters[i],
            Position(i) | Velocity(i) => states[self.state(group, i)],
            Count => group.len() as f64,
            Center(i) => sums::center(model, group, states)[i],
            KineticEnergy => sums::kinetic_energy(model, group, states),
            RegionCount(i) => in_region(i).0 as f64,
            RegionMass(i) => in_region(i).1,
        }
    }

    /// The derivative at states along changes of them; 0 of what is counted.
    pub(in crate::instance) fn slope(
        self,
        model: &Model,
        group: &Grains,
        [states, changes]: [&[f64]; 2],
    ) -> f64 {
        match self {
            Position(i) | Velocity(i) => changes[self.state(group, i)],
            Center(i) => sums::center(model, group, changes)[i],
            KineticEnergy => sums::energy_change(model, group, states, changes),
            Radius(_) | Count | RegionCount(_) | RegionMass(_) => 0.0,
        }
    }

    /// The state that entry `i` of the positions or velocities is.
    fn state(self, group: &Grains, i: usize) -> usize {
        let offset = group.state(i / VECTOR);
        let of_ball = match self {
            Velocity(_) => StateLayout::velocity(offset),
            _ => StateLayout::position(offset),
        };
        of_ball.start + i % VECTOR
    }
}

/// Name of an entry of the states of a group, `sand.state[17,9]`; `place` counts from its first state.
pub(super) fn state_name(group: &Grains, place: usize) -> String {
    let (row, column) = (place / GRAIN_STATES + 1, place % GRAIN_STATES + 1);
    format!("{}.state[{row},{column}]", group.name)
}

/// What the states of a group are.
pub(super) fn state_text() -> Text {
    Text::scalar(
        "States of each ball, a row for each: position (3), quaternion (4) and velocity (3) in \
         world axes, angular velocity (3) in body axes",
    )
}

/// One element of an intersection; vectors by component 0..3, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntersectionItem {
    /// Volume [m^3].
    Volume,
    /// Half of the surface area [m^2].
    Area,
    /// Less the depth of the smallest translation that parts both [m].
    Gap,
    /// Gap along the normal by squares of areas, as published [m].
    PublishedGap,
    /// Centroid of the volume, world frame [m].
    VolumeCentroid(usize),
    /// Centroid of the surface, world frame [m].
    SurfaceCentroid(usize),
    /// Unit normal from 1 to 2 by vector areas.
    Normal(usize),
    /// Unit normal from 1 to 2 by squares of the areas of faces.
    SquaredNormal(usize),
    /// Number from 1 of the face of 1 or 2 whose plane is nearest to the centroid of the surface.
    Surface(usize),
    /// 1 if the intersection is kept among those of its two bodies, else 0.
    Kept,
}

/// Elements of an intersection in document order.
#[rustfmt::skip]
const ITEMS: [IntersectionItem; 19] = [
    Volume,
    Area,
    Gap,
    PublishedGap,
    VolumeCentroid(0), VolumeCentroid(1), VolumeCentroid(2),
    SurfaceCentroid(0), SurfaceCentroid(1), SurfaceCentroid(2),
    Normal(0), Normal(1), Normal(2),
    SquaredNormal(0), SquaredNormal(1), SquaredNormal(2),
    Surface(0), Surface(1),
    Kept,
];

/// Elements of an intersection of a scene in document order: the last one where it sparsifies.
pub(crate) fn items(scene: &Scene) -> &'static [IntersectionItem] {
    match scene.contact().sparsification {
        Some(_) => &ITEMS,
        None => &ITEMS[..ITEMS.len() - 1],
    }
}

impl IntersectionItem {
    /// The value at the current state; `is_kept` counts for [`Kept`] only.
    pub(in crate::instance) fn value(self, found: &Intersection, is_kept: bool) -> f64 {
        let overlap = &found.overlap;
        match self {
            Volume => overlap.volume,
            Area => overlap.area,
            Gap => overlap.gap,
            PublishedGap => found.published_gap,
            VolumeCentroid(i) => overlap.volume_centroid_w[i],
            SurfaceCentroid(i) => overlap.surface_centroid_w[i],
            Normal(i) => overlap.normal_w[i],
            SquaredNormal(i) => overlap.squared_normal_w[i],
            Surface(side) => (overlap.surfaces[side] + 1) as f64,
            Kept => f64::from(u8::from(is_kept)),
        }
    }

    /// Place in [`Intersection::for_each`]; none for what is constant where it is smooth.
    pub(in crate::instance) fn number(self) -> Option<usize> {
        Some(match self {
            Volume => 0,
            Area => 1,
            Gap => 2,
            PublishedGap => 3,
            VolumeCentroid(i) => 4 + i,
            SurfaceCentroid(i) => 7 + i,
            Normal(i) => 10 + i,
            SquaredNormal(i) => 13 + i,
            Surface(_) | Kept => return None,
        })
    }

    /// Index in the vector that this is an element of; none for a scalar.
    pub(super) fn component(self) -> Option<usize> {
        match self {
            VolumeCentroid(i) | SurfaceCentroid(i) | Normal(i) | SquaredNormal(i) => Some(i),
            _ => None,
        }
    }

    /// Last part of the name, with the index of an element.
    pub(super) fn name(self) -> String {
        let name = match self {
            Volume => "overlap_volume",
            Area => "overlap_area",
            Gap => "overlap_gap",
            PublishedGap => "overlap_published_gap",
            VolumeCentroid(_) => "overlap_volume_centroid",
            SurfaceCentroid(_) => "overlap_surface_centroid",
            Normal(_) => "overlap_normal",
            SquaredNormal(_) => "overlap_squared_normal",
            Surface(0) => "overlap_surface_1",
            Surface(_) => "overlap_surface_2",
            Kept => "overlap_kept",
        };
        indexed(name, self.component())
    }

    /// The declared type.
    pub(super) fn declared_type(self) -> DeclaredType {
        match self {
            Volume => units::VOLUME,
            Area => units::AREA,
            Gap | PublishedGap => units::LENGTH,
            VolumeCentroid(_) | SurfaceCentroid(_) => units::POSITION,
            Normal(_) | SquaredNormal(_) => units::DIRECTION,
            Surface(_) => units::FACE,
            Kept => units::TRUTH,
        }
    }

    /// Description for the shapes `one` and `two`; `axis` names the components.
    pub(super) fn text(self, names: [&str; 2], axis: &str) -> String {
        let [one, two] = names;
        let of = format!("the intersection of {one} and {two}");
        match self {
            Volume => format!("Volume of {of}"),
            Area => format!("Half of the surface area of {of}"),
            Gap => format!(
                "Distance between {one} and {two}, or less the smallest translation that parts them"
            ),
            PublishedGap => format!(
                "Distance between {one} and {two}, or gap along the normal by squares of areas"
            ),
            VolumeCentroid(_) => format!("Centroid {axis} of the volume of {of}"),
            SurfaceCentroid(_) => format!("Centroid {axis} of the surface of {of}"),
            Normal(_) => {
                format!("Normal by vector areas from {one} to {two}, component {axis}")
            }
            SquaredNormal(_) => {
                format!("Normal by squares of areas from {one} to {two}, component {axis}")
            }
            Surface(side) => format!(
                "Number of the face of {} nearest to the centroid of the surface of {of}",
                names[side.min(1)]
            ),
            Kept => format!("1 if {of} is kept among those of their two bodies, else 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{ball, plate, steel_scene};
    use crate::instance::modes::Standard;
    use crate::instance::variables::describe::Describer;
    use crate::instance::variables::{DataType, Quantity, Variability, Variable, VariableTable};
    use contact_geometry::narrow_phase::overlap::Sparsification;
    use contact_model::scene::description::{Form, InterfaceOptions, Report};
    use contact_model::scene::{Scene, SceneDescription};

    /// Two boxes over a plate, all with sharp edges, and a ball; all pairs are reported.
    fn description(interface: InterfaceOptions) -> SceneDescription {
        let mut bodies = vec![
            plate(),
            ball("one", [0.0, 0.0, 1.0]),
            ball("two", [1.0, 0.0, 1.0]),
        ];
        for body in &mut bodies[1..] {
            body.shapes[0].form = Form::Box { lengths: [0.1; 3] };
        }
        for body in &mut bodies {
            body.shapes[0].smoothing_radius = Some(0.0);
        }
        bodies.push(ball("ball", [0.0, 1.0, 1.0]));
        let mut description = steel_scene(bodies);
        description.report = Report::All;
        description.overlap = Report::All;
        description.interface = interface;
        description
    }

    fn scene(interface: InterfaceOptions) -> Scene {
        Scene::new(description(interface)).expect("a good scene")
    }

    fn variables(scene: &Scene, standard: Standard) -> Vec<Variable> {
        let table = VariableTable::new(scene, standard);
        let describer = Describer::new(scene, &table);
        describer.check_names().expect("distinct names");
        let all = describer.variables(&vec![1.0; scene.layout().count()]);
        let wanted = |v: &Variable| matches!(v.quantity, Quantity::Intersection(..));
        all.into_iter().filter(wanted).collect()
    }

    #[test]
    fn pairs_of_polyhedra_have_their_variables_beside_those_of_their_report() {
        let scene = scene(InterfaceOptions::default());
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let found = variables(&scene, standard);
            assert_eq!(found.len(), 3 * 18);
            let volume = &found[2 * 18];
            assert_eq!(volume.name, "contact.one.two.overlap_volume");
            assert_eq!(
                volume.description,
                "Volume of the intersection of one and two [m3]"
            );
            let face = &found[3 * 18 - 1];
            assert_eq!(face.name, "contact.one.two.overlap_surface_2");
            assert!(face.description.starts_with("Number of the face of two"));
            let normal = &found[2 * 18 + 10];
            assert_eq!(normal.name, "contact.one.two.overlap_normal[1]");
            assert!(normal.description.ends_with("component x [1], world axes"));
            for variable in &found {
                assert_eq!(variable.data_type, DataType::Float64);
                assert_eq!(variable.variability, Variability::Continuous);
            }
            let table = VariableTable::new(&scene, standard);
            for (reference, quantity) in table.quantities() {
                assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
            }
        }
    }

    #[test]
    fn a_scene_that_sparsifies_has_what_is_kept_as_the_last_element_of_each_pair() {
        let mut description = description(InterfaceOptions::default());
        description.contact.sparsification = Some(Sparsification::DEFAULT);
        let scene = Scene::new(description).expect("a good scene");
        let found = variables(&scene, Standard::Fmi2);
        assert_eq!(found.len(), 3 * 19);
        let kept = &found[3 * 19 - 1];
        assert_eq!(kept.name, "contact.one.two.overlap_kept");
        assert_eq!(
            kept.description,
            "1 if the intersection of one and two is kept among those of their two bodies, else 0 [1]"
        );
        assert_eq!(kept.data_type, DataType::Float64);
        let table = VariableTable::new(&scene, Standard::Fmi2);
        for (reference, quantity) in table.quantities() {
            assert_eq!(table.reference(quantity), Some(reference), "{quantity:?}");
        }
    }

    #[test]
    fn centroids_and_normals_are_arrays_where_asked_for() {
        let interface = InterfaceOptions {
            arrays: true,
            ..InterfaceOptions::default()
        };
        let found = variables(&scene(interface), Standard::Fmi3);
        assert_eq!(found.len(), 3 * 10);
        let vectors = found.iter().filter(|v| v.dimension == Some(3));
        assert_eq!(vectors.count(), 3 * 4);
    }
}
