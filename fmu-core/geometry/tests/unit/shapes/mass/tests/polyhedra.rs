use super::*;
use crate::shapes::samples::posed;

/// A surface of triangles.
#[derive(Clone)]
pub struct Surface {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Box between two corners.
    fn cuboid(lower: [f64; 3], upper: [f64; 3]) -> Self {
        let vertices = (0..8).map(|corner| {
            std::array::from_fn(|i| {
                if corner >> i & 1 == 0 {
                    lower[i]
                } else {
                    upper[i]
                }
            })
        });
        let quads: [[u32; 4]; 6] = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
        Surface {
            vertices: vertices.collect(),
            triangles: quads.into_iter().flat_map(halves).collect(),
        }
    }

    pub fn tetrahedron(corners: [[f64; 3]; 4]) -> Self {
        Surface {
            vertices: corners.to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        }
    }

    /// Both surfaces, without a common vertex.
    fn and(mut self, other: Self) -> Self {
        let offset = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        let moved = other.triangles.into_iter();
        self.triangles.extend(moved.map(|t| t.map(|v| v + offset)));
        self
    }

    fn inside_out(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    fn map(mut self, place: impl Fn(Vec3) -> Vec3) -> Self {
        for vertex in &mut self.vertices {
            *vertex = place(Vec3::from(*vertex)).into();
        }
        self
    }

    fn integrals(&self) -> SolidIntegrals {
        solid_integrals(&self.vertices, &self.triangles).unwrap()
    }

    pub fn properties(&self, density: f64) -> MassProperties {
        let found = self.integrals();
        MassProperties::solid(found.volume, found.centroid, found.inertia, density)
    }

    fn edges(&self) -> SurfaceEdges {
        surface_edges(&self.triangles)
    }
}

fn cube() -> Surface {
    Surface::cuboid([0.0; 3], [1.0; 3])
}

#[test]
fn box_of_triangles_weighs_what_the_closed_form_says() {
    let (lower, upper) = ([-0.2, 0.1, 0.3], [0.5, 0.4, 1.5]);
    let surface = Surface::cuboid(lower, upper);
    let lengths: [f64; 3] = std::array::from_fn(|i| upper[i] - lower[i]);
    let expected = MassProperties::cuboid(&lengths, 700.0).placed(&posed(
        (Vec3::from(lower) + Vec3::from(upper)) * 0.5,
        Mat3::identity(),
    ));
    assert_close(&surface.properties(700.0), &expected, 1e-15, "box");
    let found = surface.integrals();
    let expected = (Vec3::from(lower), Vec3::from(upper));
    assert_eq!((found.lower, found.upper), expected);
    let area = 2.0 * (0.7 * 0.3 + 0.3 * 1.2 + 1.2 * 0.7);
    assert!((found.area - area).abs() < 1e-15);
}

#[test]
fn corner_tetrahedron_has_the_integrals_of_the_simplex() {
    // Over x, y, z >= 0, x + y + z <= 1: volume 1/6, centroid 1/4 each, int x^2 = 1/60 and
    // int x y = 1/120 about the corner (Dirichlet integrals).
    let unit = Surface::tetrahedron([
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ]);
    let found = unit.properties(1.0);
    assert!((found.mass - 1.0 / 6.0).abs() < 1e-16);
    assert!((found.center_of_mass - Vec3::repeat(0.25)).amax() < 1e-16);
    let about_corner = found.inertia_about(&Vec3::zeros());
    let (diagonal, product) = (2.0 / 60.0, -1.0 / 120.0);
    let expected = Mat3::repeat(product) + Mat3::identity() * (diagonal - product);
    assert!((about_corner - expected).amax() < 1e-16);
}

#[test]
fn any_tetrahedron_agrees_with_quadrature() {
    let rule = Rule::new(8);
    #[rustfmt::skip]
    let cases = [
        [[0.3, -0.2, 0.5], [1.1, 0.4, 0.2], [-0.3, 0.9, 0.1], [0.2, 0.3, 1.7]],
        [[0.0, 0.0, 0.0], [5.0, 0.1, 0.0], [4.0, 0.2, 0.3], [2.0, -0.1, 0.02]],
    ];
    for corners in cases {
        let surface = Surface::tetrahedron(corners);
        let [o, a, b, c] = corners.map(Vec3::from);
        let (a, b, c) = (a - o, b - o, c - o);
        let size = a.dot(&b.cross(&c)).abs();
        // The cube collapsed to the simplex: (s, (1 - s) u, (1 - s) (1 - u) v).
        let numerical = rule.solid(700.0, |[s, u, v]| {
            let [p, q, r] = [s, (1.0 - s) * u, (1.0 - s) * (1.0 - u) * v];
            let jacobian = size * (1.0 - s) * (1.0 - s) * (1.0 - u);
            ((o + a * p + b * q + c * r).into(), jacobian)
        });
        let turned = surface.integrals().volume < 0.0;
        let surface = if turned {
            surface.inside_out()
        } else {
            surface
        };
        assert_close(&surface.properties(700.0), &numerical, 1e-13, "tetrahedron");
    }
}

#[test]
fn hollow_and_concave_solids_are_sums_and_differences() {
    let outer = Surface::cuboid([0.0; 3], [3.0, 2.0, 1.0]);
    let hole = Surface::cuboid([0.5, 0.5, 0.25], [1.5, 1.0, 0.75]);
    let hollow = outer.clone().and(hole.clone().inside_out());
    assert!(hollow.edges().is_closed());
    let whole = hollow.properties(10.0).combined(&hole.properties(10.0));
    assert_close(&whole, &outer.properties(10.0), 1e-15, "hollow box");
    // A box with a notch: the box x < 1 beside the lower box.
    let profile = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 0.5],
        [1.0, 0.5],
        [1.0, 1.0],
        [0.0, 1.0],
    ];
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for y in [0.0, 0.7] {
        vertices.extend(profile.iter().map(|[x, z]| [*x, y, *z]));
    }
    let mut triangles = Vec::new();
    for face in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push(face);
        triangles.push([face[0] + 6, face[2] + 6, face[1] + 6]);
    }
    for i in 0..6 {
        let next = (i + 1) % 6;
        triangles.push([i, i + 6, next]);
        triangles.push([next, i + 6, next + 6]);
    }
    let notched = Surface {
        vertices,
        triangles,
    };
    assert!(notched.edges().is_closed());
    let boxes = Surface::cuboid([0.0; 3], [1.0, 0.7, 1.0])
        .properties(10.0)
        .combined(&Surface::cuboid([1.0, 0.0, 0.0], [2.0, 0.7, 0.5]).properties(10.0));
    assert_close(&notched.properties(10.0), &boxes, 1e-15, "notched box");
}

#[test]
fn finer_triangles_of_the_same_surface_change_nothing() {
    let mut fine = cube().map(|v| Mat3::new(1.0, 0.2, 0.0, 0.1, 0.7, 0.3, 0.0, -0.4, 0.5) * v);
    let coarse = fine.properties(1.0);
    for _ in 0..4 {
        let mut triangles = Vec::new();
        for [a, b, c] in fine.triangles {
            let centroid: Vec3 = [a, b, c]
                .iter()
                .map(|v| Vec3::from(fine.vertices[*v as usize]))
                .sum();
            let middle = fine.vertices.len() as u32;
            fine.vertices.push((centroid / 3.0).into());
            triangles.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
        }
        fine.triangles = triangles;
    }
    assert_eq!(fine.triangles.len(), 972);
    assert_close(&fine.properties(1.0), &coarse, 1e-15, "fine");
}

#[test]
fn ten_kilometres_from_the_origin_costs_the_rounding_of_the_vertices_only() {
    // A coordinate of 1e4 m is rounded to 2e-12 m.
    let near = Surface::cuboid([0.0; 3], [0.5, 0.25, 0.125]);
    let shift = Vec3::new(1e4, -2e4, 3e4);
    let exact = near.clone().map(|v| v + shift).properties(700.0);
    let expected = near.properties(700.0);
    assert!((exact.mass / expected.mass - 1.0).abs() < 1e-15);
    assert!((exact.center_of_mass - shift - expected.center_of_mass).amax() < 4e-12);
    assert!((exact.inertia - expected.inertia).amax() < 1e-15 * expected.inertia.amax());
    let rounded = near.map(|v| v * 1.1 + shift).properties(700.0);
    let expected = Surface::cuboid([0.0; 3], [0.55, 0.275, 0.1375]).properties(700.0);
    assert!((rounded.mass / expected.mass - 1.0).abs() < 1e-10);
    assert!((rounded.inertia - expected.inertia).amax() < 1e-10 * expected.inertia.amax());
}

#[test]
fn inside_out_surface_has_the_negative_volume_and_the_same_centroid() {
    let surface = Surface::cuboid([1.0; 3], [2.0, 3.0, 1.5]);
    let (out, inside) = (surface.integrals(), surface.inside_out().integrals());
    assert_eq!(inside.volume, -out.volume);
    assert!((inside.centroid - out.centroid).amax() < 1e-15);
    assert!((inside.inertia + out.inertia).amax() < 1e-15);
}

#[test]
fn edges_tell_holes_turned_triangles_and_bodies_that_touch() {
    assert_eq!(cube().edges(), SurfaceEdges::default());
    let mut holed = cube();
    holed.triangles.pop();
    assert_eq!((holed.edges().open, holed.edges().turned), (3, 0));
    assert!(!holed.edges().is_closed());
    let mut turned = cube();
    turned.triangles[4].swap(0, 1);
    assert_eq!((turned.edges().open, turned.edges().turned), (0, 3));
    assert!(!turned.edges().is_closed());
    // Two tetrahedra that share an edge and nothing else: closed, and their volumes add.
    let corners = [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    let one = Surface::tetrahedron(corners);
    let mut touching = one.clone();
    touching
        .vertices
        .extend([[-1.0, 0.0, 0.0], [-1.0, -1.0, 0.0]]);
    for triangle in one.triangles.clone() {
        touching
            .triangles
            .push(triangle.map(|v| if v < 2 { v } else { v + 2 }));
    }
    let found = touching.edges();
    assert_eq!((found.open, found.turned, found.branched), (0, 0, 1));
    assert!(found.is_closed());
    let volume = one.integrals().volume;
    assert!((touching.integrals().volume / volume - 2.0).abs() < 1e-15);
    // A triangle that is a mere edge changes nothing.
    let mut flat = cube();
    flat.triangles.push([0, 1, 1]);
    assert!(flat.edges().is_closed());
}

#[test]
fn surface_without_volume_has_a_place_and_no_inertia() {
    let flat = Surface {
        vertices: vec![[0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    let found = flat.integrals();
    assert_eq!(found.volume, 0.0);
    assert_eq!(found.centroid, Vec3::new(0.5, 0.5, 2.0));
    assert_eq!(found.inertia, Mat3::zeros());
    assert!(flat.edges().is_closed());
}

#[test]
fn flaws_of_the_lists_are_told_in_words() {
    let flaw =
        |surface: &Surface| solid_integrals(&surface.vertices, &surface.triangles).unwrap_err();
    let mut surface = cube();
    surface.triangles[3][1] = 8;
    assert_eq!(flaw(&surface), "triangle 3 names vertex 8; there are 8");
    let mut surface = cube();
    surface.vertices[2][1] = f64::NAN;
    let expected = "vertex 2 is [0.0, NaN, 0.0]; every coordinate must be a finite number";
    assert_eq!(flaw(&surface), expected);
    surface.triangles.clear();
    assert_eq!(flaw(&surface), "has no triangle");
}
