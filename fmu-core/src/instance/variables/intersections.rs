//! Variables of the intersection of a reported pair of polyhedra: name, type and description.
//!
//! The elements of a pair follow each other in the order of [`items`]; 1 and 2 are those of its
//! report. Where the polyhedra are apart, volume and area are zero, centroids the middle of the
//! nearest points, normals the direction of the distance, and gaps the distance.

use super::indexed;
use contact_laws::quantity::units::{self, DeclaredType};
use contact_model::dynamics::intersections::Intersection;
use contact_model::scene::Scene;

/// One element of an intersection; vectors by component 0..3, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
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

use Item::*;

/// Elements of an intersection in document order.
#[rustfmt::skip]
const ITEMS: [Item; 19] = [
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
pub fn items(scene: &Scene) -> &'static [Item] {
    match scene.contact().sparsification {
        Some(_) => &ITEMS,
        None => &ITEMS[..ITEMS.len() - 1],
    }
}

impl Item {
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
    use contact_geometry::narrow_phase::overlap::sparsify::Sparsification;
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
