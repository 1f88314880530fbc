//! An open surface with a thickness, as the closed surface of a shell.
//!
//! Each vertex has an offset vector m with n.m = 1 for the normals n of its triangles, by least squares where
//! no vector fits all of them. The lower side of the shell has a vertex v - t m for each v, so it lies the
//! thickness t below every triangle; walls close the shell along open edges.

use super::crossing::Crossing;
use super::hull::{Surface, normal};
use super::repair::{Repairs, Side, make_consistent, no_common_side, sides};
use super::solid::{Mesh, place, repaired, short};
use contact_geometry::math::{Mat3, Vec3};

/// Squared length of the difference of two unit normals below which they are one.
const SAME: f64 = 1e-18;
/// Singular value of the sum of n n^T below which a direction is free [1].
const FREE: f64 = 1e-9;
/// Least n.m at a vertex: below, no direction leads under all triangles there.
const LEAST: f64 = 0.3;

impl Mesh {
    /// Shell of this thickness [m] below the open surface of a file; `factor` as for [`Mesh::new`].
    ///
    /// # Errors
    /// Text to follow the name of the file: it is closed, or the shell crosses itself.
    pub fn shell(read: &Surface, factor: f64, thickness: f64) -> Result<Mesh, String> {
        let (surface, repairs) = repaired(read, factor)?;
        let mut mesh = Mesh::new(&thicken(&surface, &repairs, thickness)?, 1.0)?;
        mesh.repairs.add(&repairs);
        match &mesh.crossing {
            Some(Crossing { at, .. }) => Err(too_thick(at, thickness)),
            None => Ok(mesh),
        }
    }
}

/// Shell below a repaired open surface, both in metres.
///
/// # Errors
/// Text to follow the name of the file: sides that cannot be told apart, or a shell that turns inside out.
fn thicken(open: &Surface, repairs: &Repairs, thickness: f64) -> Result<Surface, String> {
    let at = |vertex: u32| open.vertices[vertex as usize];
    let mut triangles = open.triangles.clone();
    make_consistent(&mut triangles);
    let sides = sides(&triangles);
    let edges = || sides.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1));
    let is_bad = |edge: &&[Side]| match edge {
        [(.., one), (.., two)] => one == two,
        edge => edge.len() > 2,
    };
    if let Some(edge) = edges().find(is_bad) {
        let middle = (at(edge[0].0) + at(edge[0].1)) * 0.5;
        return Err(no_common_side(edge.len(), &place(&middle)));
    }
    if repairs.open_edges == 0 {
        return Err("is closed; leave out thickness".to_owned());
    }
    let walls: Vec<[u32; 2]> = edges()
        .filter(|edge| edge.len() == 1)
        .map(|edge| match edge[0] {
            (low, high, _, true) => [low, high],
            (low, high, ..) => [high, low],
        })
        .collect();
    let mut starts: Vec<u32> = walls.iter().map(|[a, _]| *a).collect();
    starts.sort_unstable();
    if let Some(two) = starts.windows(2).find(|two| two[0] == two[1]) {
        return Err(format!(
            "has parts that meet in one vertex at {} only, so that walls would share an edge there; join or part them \
             in the program it comes from",
            place(&at(two[0]))
        ));
    }
    let count = open.vertices.len() as u32;
    let mut shell = Surface {
        vertices: open.vertices.clone(),
        triangles,
    };
    for (vertex, normals) in open.vertices.iter().zip(&normals(&shell)) {
        let m = offset(normals).filter(|m| normals.iter().all(|n| n.dot(m) > LEAST));
        let m = m.ok_or_else(|| {
            format!(
                "has triangles that meet at too sharp an angle at {}: no direction leads below all of \
                 them; mesh it finer there",
                place(vertex)
            )
        })?;
        shell.vertices.push(vertex - m * thickness);
    }
    for index in 0..shell.triangles.len() {
        let [a, b, c] = shell.triangles[index];
        let lower = [a + count, c + count, b + count];
        let [up, down] = [[a, b, c], lower].map(|triangle| {
            let [a, b, c] = shell.corners(&triangle);
            normal(&a, &b, &c)
        });
        if up.dot(&down) >= 0.0 {
            return Err(too_thick(&at(a), thickness));
        }
        shell.triangles.push(lower);
    }
    for [a, b] in walls {
        shell
            .triangles
            .extend([[b, a, a + count], [b, a + count, b + count]]);
    }
    Ok(shell)
}

/// Different normals of the triangles at each vertex.
fn normals(surface: &Surface) -> Vec<Vec<Vec3>> {
    let mut normals: Vec<Vec<Vec3>> = vec![Vec::new(); surface.vertices.len()];
    for triangle in &surface.triangles {
        let [a, b, c] = surface.corners(triangle);
        let normal = normal(&a, &b, &c).normalize();
        for vertex in triangle {
            let known = &mut normals[*vertex as usize];
            if !known.iter().any(|n| (n - normal).norm_squared() < SAME) {
                known.push(normal);
            }
        }
    }
    normals
}

/// Why a shell is refused.
fn too_thick(at: &Vec3, thickness: f64) -> String {
    format!(
        "crosses itself at {} with a thickness of {} m below it; make it thinner, or turn its triangles to \
         the other side",
        place(at),
        short(thickness)
    )
}

/// Least vector of the least squares of n.m - 1.
fn offset(normals: &[Vec3]) -> Option<Vec3> {
    let squares: Mat3 = normals.iter().map(|n| n * n.transpose()).sum();
    let inverse = squares.pseudo_inverse(FREE).ok()?;
    Some(inverse * normals.iter().sum::<Vec3>())
}
