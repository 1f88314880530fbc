//! Open surfaces with a thickness: shells with the volumes of closed forms, and problems with their places.

use super::super::hull::Surface;
use super::super::repair::Repairs;
use super::super::solid::Mesh;
use super::{join, turned};
use contact_geometry::math::Vec3;

/// A grid of n by n cells over the unit square.
fn sheet(n: u32, height: impl Fn(f64, f64) -> f64) -> Surface {
    let mut surface = Surface::default();
    for j in 0..=n {
        for i in 0..=n {
            let [x, y] = [i, j].map(|k| f64::from(k) / f64::from(n));
            surface.vertices.push(Vec3::new(x, y, height(x, y)));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let [a, b] = [j * (n + 1) + i, (j + 1) * (n + 1) + i];
            surface.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        }
    }
    surface
}

/// Three faces of a cube that meet in a corner, from outside.
fn corner() -> Surface {
    let at = |x: u8, y: u8, z: u8| Vec3::new(f64::from(x), f64::from(y), f64::from(z));
    Surface {
        vertices: vec![
            at(1, 1, 1),
            at(0, 1, 1),
            at(0, 0, 1),
            at(1, 0, 1),
            at(1, 0, 0),
            at(1, 1, 0),
            at(0, 1, 0),
        ],
        triangles: vec![
            [0, 1, 2],
            [0, 2, 3],
            [0, 3, 4],
            [0, 4, 5],
            [0, 5, 6],
            [0, 6, 1],
        ],
    }
}

#[test]
fn a_flat_sheet_becomes_a_plate_below_it() {
    let mesh = Mesh::shell(&sheet(3, |_, _| 0.0), 2.0, 0.125).unwrap();
    let (lower, upper) = mesh.surface.bounds();
    assert!((lower - Vec3::new(0.0, 0.0, -0.125)).amax() < 1e-15);
    assert!((upper - Vec3::new(2.0, 2.0, 0.0)).amax() < 1e-15);
    assert!((mesh.surface.volume() - 0.5).abs() < 1e-15);
    assert!(mesh.is_closed());
}

/// Two planes that meet in a ridge: the lower sides are as far below each.
#[test]
fn a_ridge_is_as_thick_under_both_planes() {
    for sign in [1.0, -1.0] {
        let mesh = Mesh::shell(&sheet(2, |x, _| sign * (x - 0.5).abs()), 1.0, 0.05).unwrap();
        // Sections of a plane of length sqrt(1/2) and thickness t, cut at the ridge along its bisector and at the
        // outer ends across: the areas of both are t (sqrt(1/2) +- t/2).
        let area = 2.0 * 0.05 * (0.5_f64.sqrt() + sign * 0.5 * 0.05);
        let error = mesh.surface.volume() / area - 1.0;
        assert!(error.abs() < 1e-12, "{error}");
    }
}

/// What three walls of thickness t leave of the unit cube's corner: 1 - (1 - t)^3.
#[test]
fn three_walls_of_a_cube_are_a_cube_without_a_smaller_one() {
    let rotation = turned();
    let mut surface = corner();
    for vertex in &mut surface.vertices {
        *vertex = rotation * *vertex;
    }
    // Two of six the wrong way round: the majority is right.
    surface.triangles[3].swap(0, 1);
    surface.triangles[4].swap(0, 1);
    let mesh = Mesh::shell(&surface, 1.0, 0.2).unwrap();
    // The rim is cut across each wall, so that the volume is that of the walls within the cube.
    let volume = mesh.surface.volume();
    assert!(
        (volume - (1.0 - 0.8_f64 * 0.8 * 0.8)).abs() < 1e-12,
        "{volume}"
    );
}

#[test]
fn a_shell_that_would_cross_itself_is_refused_with_a_place() {
    let refused = |surface: &Surface, thickness| Mesh::shell(surface, 1.0, thickness).unwrap_err();
    let cube = super::cuboid([1.0; 3]);
    assert_eq!(refused(&cube, 0.1), "is closed; leave out thickness");
    // The top has a radius of 1/8.
    let hump = sheet(8, |x, _| -4.0 * (x - 0.5) * (x - 0.5));
    let text = refused(&hump, 0.4);
    assert!(text.starts_with("crosses itself at (0."), "{text}");
    // The lower side of one sheet is in the other.
    let mut below = sheet(1, |x, y| -0.1 + 0.01 * (x - y));
    for vertex in &mut below.vertices {
        *vertex += Vec3::new(0.25, 0.25, 0.0);
    }
    let text = refused(&join(&sheet(1, |_, _| 0.0), &below), 0.15);
    assert!(text.starts_with("crosses itself at ("), "{text}");
    // Three walls at one edge.
    let mut walls = sheet(1, |_, _| 0.0);
    walls.vertices.push(Vec3::new(0.5, 0.5, 1.0));
    walls.triangles.push([0, 3, 4]);
    let text = refused(&walls, 0.1);
    assert_eq!(
        text,
        "has an edge at (0.5, 0.5, 0) m where 3 triangles meet, which cannot all face outwards; part the walls that \
         meet there in the program it comes from"
    );
}

/// Two triangles in one plane that share the vertex in the origin.
#[test]
fn sheets_that_meet_in_one_vertex_are_refused_with_its_place() {
    let corners = [
        [0.0, 0.0],
        [1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [-1.0, -1.0],
    ];
    let bow = Surface {
        vertices: corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec(),
        triangles: vec![[0, 1, 2], [0, 3, 4]],
    };
    let text = Mesh::shell(&bow, 1.0, 0.1).unwrap_err();
    assert!(
        text.starts_with("has parts that meet in one vertex at (0, 0, 0) m only"),
        "{text}"
    );
}

/// Of the eight triangles of a sheet one is given twice and one has a corner twice; a ninth vertex lies 1e-8
/// beside another.
#[test]
fn a_shell_reports_the_repairs_of_its_file() {
    let mut file = sheet(2, |_, _| 0.0);
    file.triangles.extend([file.triangles[3], [0, 1, 1]]);
    let beside = file.vertices[4] + Vec3::new(1e-8, 0.0, 0.0);
    file.vertices.push(beside);
    file.triangles[0] = file.triangles[0].map(|v| if v == 4 { 9 } else { v });
    let mesh = Mesh::shell(&file, 1.0, 0.1).expect("a shell");
    let Repairs {
        degenerate,
        doubled,
        joined,
        open_edges,
        ..
    } = mesh.repairs;
    assert_eq!([degenerate, doubled, joined, open_edges], [1, 1, 1, 0]);
    let volume = mesh.surface.volume();
    assert!((volume - 0.1).abs() < 1e-9, "{volume}");
}
