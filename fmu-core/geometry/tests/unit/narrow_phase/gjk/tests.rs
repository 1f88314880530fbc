use super::*;
use crate::math::rotation_matrix;
use crate::narrow_phase::expand::nearest_facet;
use crate::shapes::samples::posed;

/// Box with its half edges.
struct Cuboid(Vec3);

impl Support for Cuboid {
    fn farthest(&self, d: &Vec3, _near: u32) -> (Vec3, u32) {
        let point = self.0.zip_map(d, f64::copysign);
        let number = (0..3).map(|i| u32::from(point[i] > 0.0) << i).sum();
        (point, number)
    }
}

struct Ball(f64);

impl Support for Ball {
    fn farthest(&self, d: &Vec3, _near: u32) -> (Vec3, u32) {
        (d.normalize() * self.0, NO_VERTEX)
    }
}

fn turned(position: [f64; 3], q: [f64; 4]) -> Pose {
    posed(Vec3::from(position), rotation_matrix(&q))
}

const TILT: [f64; 4] = [0.9, 0.1, -0.3, 0.25];

/// A box of half edges 0.5, 0.4, 0.3 that hangs with its lowest corner `gap` over the top face,
/// z = 0.3, of another one.
fn corner_over_face(gap: f64) -> (Cuboid, Cuboid, Pose) {
    let half = Vec3::new(0.5, 0.4, 0.3);
    let mut pose = turned([0.0; 3], TILT);
    // The lowest corner of the turned box, in its own axes and in those of the other.
    let lowest = half.zip_map(&pose.rotation.row(2).transpose(), |h: f64, z: f64| {
        -h.copysign(z)
    });
    pose.position = Vec3::new(0.05, -0.08, 0.3 + gap) - pose.rotation * lowest;
    (Cuboid(half), Cuboid(half), pose)
}

/// The nearest points on set 1 and on set 2 [m], frame of set 1.
fn points(simplex: &Simplex) -> [Vec3; 2] {
    let (mut point_1, mut point_2) = (Vec3::zeros(), Vec3::zeros());
    for (corner, weight) in simplex.corners().iter().zip(simplex.weights()) {
        point_1 += corner.point_1 * *weight;
        point_2 += (corner.point_1 + corner.difference) * *weight;
    }
    [point_1, point_2]
}

#[test]
fn distance_of_a_corner_over_a_face_is_its_height() {
    for gap in [10.0, 0.1, 1e-3, 1e-6, 1e-9, 1e-12] {
        let (set_1, set_2, pose) = corner_over_face(gap);
        let sets = Difference {
            set_1: &set_1,
            set_2: &set_2,
            pose,
        };
        let found = distance(&sets, &[], &pose.position, 0.0);
        assert!(!found.overlapping, "{gap}");
        if gap < 0.2 {
            assert!((found.vector.norm() - gap).abs() < 1e-15, "{gap}");
            assert!((found.vector.normalize() - Vec3::z()).norm() < 1e-15);
        }
        let [point_1, point_2] = points(&found.simplex);
        assert!((point_2 - point_1 - found.vector).norm() < 1e-15 * (1.0 + gap));
        assert!(found.lower_bound >= found.vector.norm() - 1e-15 * (1.0 + gap));
        // The result as the next start is confirmed at once.
        let again = distance(&sets, found.simplex.corners(), &Vec3::x(), 0.0);
        assert!((again.vector - found.vector).norm() < 1e-15);
    }
}

#[test]
fn depth_of_a_corner_in_a_face_is_its_depth() {
    for depth in [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.05] {
        let (set_1, set_2, pose) = corner_over_face(-depth);
        let sets = Difference {
            set_1: &set_1,
            set_2: &set_2,
            pose,
        };
        let found = distance(&sets, &[], &pose.position, 0.0);
        assert!(found.overlapping, "{depth}");
        let facet = nearest_facet(&sets, found.simplex.corners(), 0.0);
        assert!((facet.offset + depth).abs() < 1e-15, "{depth}");
        assert!((facet.normal - Vec3::z()).norm() < 1e-15, "{depth}");
    }
}

#[test]
fn coincident_boxes_part_along_the_shortest_edge() {
    let half = Vec3::new(0.5, 0.4, 0.3);
    let sets = Difference {
        set_1: &Cuboid(half),
        set_2: &Cuboid(half),
        pose: Pose::identity(),
    };
    let found = distance(&sets, &[], &Vec3::x(), 0.0);
    assert!(found.overlapping);
    let facet = nearest_facet(&sets, found.simplex.corners(), 0.0);
    assert!((facet.offset + 0.6).abs() < 1e-15);
    assert!((facet.normal.z.abs() - 1.0).abs() < 1e-15);
}

#[test]
fn balls_meet_the_tolerance() {
    // Balls of 0.5 and 0.4 along a skew line.
    let along = Vec3::new(2.0, -1.0, 3.0).normalize();
    for centres in [3.0, 1.0, 0.91] {
        let sets = Difference {
            set_1: &Ball(0.5),
            set_2: &Ball(0.4),
            pose: turned((along * centres).into(), TILT),
        };
        let found = distance(&sets, &[], &Vec3::x(), 1e-6);
        let expected = centres - 0.9;
        assert!((found.vector.norm() / expected - 1.0).abs() < 1e-6);
        assert!(found.lower_bound <= expected * (1.0 + 1e-12));
    }
    // By symmetry the depth along the centres is the least.
    let sets = Difference {
        set_1: &Ball(0.5),
        set_2: &Ball(0.4),
        pose: turned((along * 0.6).into(), TILT),
    };
    let found = distance(&sets, &[], &Vec3::x(), 0.0);
    assert!(found.overlapping);
    let facet = nearest_facet(&sets, found.simplex.corners(), 1e-4);
    assert!((facet.offset + 0.3).abs() < 1e-4);
    assert!((facet.normal - along).norm() < 0.05);
}

#[test]
fn poses_that_are_not_numbers_end() {
    let (set_1, set_2, mut pose) = corner_over_face(0.1);
    pose.position.x = f64::NAN;
    let sets = Difference {
        set_1: &set_1,
        set_2: &set_2,
        pose,
    };
    let found = distance(&sets, &[], &Vec3::x(), 0.0);
    nearest_facet(&sets, found.simplex.corners(), 0.0);
}
