//! Intersections of pairs of polyhedra as results, see [`contact_geometry::narrow_phase::overlap`].

use crate::dynamics::Model;
use crate::dynamics::workspace::Workspace;
use contact_geometry::math::{Pose, Real, Vec3};
use contact_geometry::narrow_phase::overlap::{self, Overlap, Polyhedron};
use contact_laws::index::{IntersectionId, TiVec};

/// The intersection of a pair at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intersection<T: Real = f64> {
    /// Volume, surface, centroids and normals.
    pub overlap: Overlap<T>,
    /// Gap along the normal by squares of areas, as published [m].
    pub published_gap: T,
}

/// Number of numbers of [`Intersection::for_each`].
pub const NUMBERS: usize = 16;

impl<T: Real> Intersection<T> {
    /// Calls `visit` with volume, area, both gaps, both centroids and both normals.
    pub fn for_each(&self, mut visit: impl FnMut(T)) {
        let found = &self.overlap;
        for number in [found.volume, found.area, found.gap, self.published_gap] {
            visit(number);
        }
        for vector in [
            &found.volume_centroid_w,
            &found.surface_centroid_w,
            &found.normal_w,
            &found.squared_normal_w,
        ] {
            vector.iter().for_each(|number| visit(*number));
        }
    }
}

/// The polyhedra of the pairs of
/// [`Scene::intersections`](crate::scene::Scene::intersections), and work arrays.
#[derive(Clone, Debug)]
pub struct Intersections<T: Real> {
    shapes: TiVec<IntersectionId, Option<[Polyhedron; 2]>>,
    /// Distance at which faces count as one [m].
    epsilon: f64,
    work: overlap::Workspace<T>,
}

impl<T: Real> Intersections<T> {
    /// Those of a model; the scene has checked that there are polyhedra.
    pub fn new(model: &Model) -> Self {
        let scene = &model.scene;
        let reports = scene.intersections().iter();
        let pairs = reports.map(|report| scene.reported()[*report]);
        Intersections {
            shapes: pairs.map(|pair| scene.polyhedra_of(pair).ok()).collect(),
            epsilon: scene.contact().epsilon(),
            work: overlap::Workspace::default(),
        }
    }

    /// The intersection with this index, from a workspace with the poses of the shapes.
    pub fn find(
        &mut self,
        model: &Model,
        work: &Workspace<T>,
        index: IntersectionId,
    ) -> Intersection<T> {
        let Some([one, two]) = &self.shapes[index] else {
            return Intersection::nothing();
        };
        let scene = &model.scene;
        let pair = scene.reported()[scene.intersections()[index]];
        let frame = |shape| -> &Pose<T> { &work.frames[model.frames.of_shapes[shape]] };
        let poses = scene.pairs().get(pair).shapes.map(frame);
        let overlap = self.work.overlap([one, two], poses, self.epsilon);
        let normal = &overlap.squared_normal_w;
        Intersection {
            published_gap: match overlap.intersects {
                true => self.work.gap_along([one, two], poses, normal),
                false => overlap.gap,
            },
            overlap,
        }
    }
}

impl<T: Real> Intersection<T> {
    /// Of shapes that are no polyhedra.
    fn nothing() -> Self {
        Intersection {
            overlap: Overlap {
                intersects: false,
                volume: T::zero(),
                volume_centroid_w: Vec3::zeros(),
                area: T::zero(),
                shared_area: T::zero(),
                surface_centroid_w: Vec3::zeros(),
                vector_areas_w: [Vec3::zeros(); 2],
                normal_w: Vec3::zeros(),
                squared_normal_w: Vec3::zeros(),
                gap: T::zero(),
                direction_w: Vec3::zeros(),
                surfaces: [0; 2],
                contains: [false; 2],
            },
            published_gap: T::zero(),
        }
    }
}
