//! Curved regions of a closed surface: cylinders, cones and spheres of which the file keeps facets.
//!
//! From each triangle its neighbours across blunt edges give a first fit. The region grows over blunt edges
//! to all triangles with their corners on the fit, which is repeated until neither changes; of the three forms
//! the one that covers most triangles counts. A form is named if it runs all around or turns far: any smooth
//! surface has a circle or sphere that fits a small part of it. A sphere has vertices inside of its region: two
//! circles, as the rims of a cylinder or a polygon of a prism, always lie on one.
//!
//! A form is (rho - r - k h) cos = 0, with h along the axis from a point, rho the distance from the axis, k =
//! 0 but for a cone, r = 0 for a cone, no axis for a sphere. Facets of cylinder and cone are plane, and their
//! normals n make one angle with the axis, which is the direction in which they vary least; all planes of a
//! cone run through its apex: n . x = n . p. Circle and sphere: |q|^2 = 2 c . q + d, least squares about the
//! mean of the points q.
//!
//! Two facets at a turn beta on a radius r lie s = r beta^2 / 8 off a cylinder or cone; off a sphere the point of a
//! facet that is nearest to the centre lies farthest. A speed v across their edge makes the normal speed jump by
//! v beta.

use super::hull::{Surface, distance_to_triangle, extent, normal};
use super::repair::sides;
use contact_geometry::math::real::atan2;
use contact_geometry::math::{Mat3, Vec3};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

/// Turn [rad] of an edge from which it bounds a region: a cylinder has 10 facets at least.
const SHARP: f64 = 0.65;
/// Visits of triangles, over their number, after which no more regions are looked for.
const MOST_VISITS: usize = 300;
/// Turn [rad] up to which two triangles are one facet: above the rounding of coordinates.
const FLAT_TURN: f64 = 1e-4;
/// Distance [1] of vertices from a form, relative to the extent.
const NEAR: f64 = 1e-6;
/// Radius of a form, relative to the extent, and slope at most: what is flatter is a plane with rounded corners.
const FLATTEST: f64 = 1e3;
/// Triangles of a first fit.
const FIRST: usize = 8;
/// Facets of a region at least.
const LEAST: usize = 5;
/// Angle [rad] from the mean normal that a region reaches unless it runs all around: half of 45 degrees.
const HALF_TURN: f64 = 0.125 * PI;
/// Vertices of a sphere at least that are not on the border of its region; a pyramid has one.
const INSIDE: usize = 2;
/// Fits of a region at most.
const ROUNDS: usize = 30;
/// Lines of the report at most.
const LINES: usize = 10;

/// Curved form: a cylinder, cone or sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    /// A point of the axis [m], the apex of a cone, the centre of a sphere.
    pub point: Vec3,
    /// Direction of the axis, from the apex of a cone to its base; zero for a sphere.
    pub axis: Vec3,
    /// Radius [m], zero for a cone.
    pub radius: f64,
    /// Radius of a cone per length [1], else zero.
    pub slope: f64,
}

impl Form {
    fn distance(&self, point: &Vec3) -> f64 {
        let offset = point - self.point;
        let along = self.axis.dot(&offset);
        let rho = (offset - self.axis * along).norm();
        (rho - self.radius - self.slope * along) / (1.0 + self.slope * self.slope).sqrt()
    }

    /// Circle about the direction of the axis, or sphere for none.
    fn circle(corners: &[Vec3], axis: Vec3) -> Option<Form> {
        let count = corners.len() as f64;
        let mean = corners.iter().sum::<Vec3>() / count;
        let flat = |p: &Vec3| {
            let q = p - mean;
            q - axis * axis.dot(&q)
        };
        let points: Vec<Vec3> = corners.iter().map(flat).collect();
        let square = points.iter().map(Vec3::norm_squared).sum::<f64>() / count;
        let second: Mat3 = points.iter().map(|q| q * q.transpose()).sum();
        let third: Vec3 = points.iter().map(|q| q * q.norm_squared()).sum();
        let solvable = second + axis * axis.transpose() * (count * square);
        let center = solvable.lu().solve(&(third * 0.5))?;
        Some(Form {
            point: mean + center,
            axis,
            radius: (square + center.norm_squared()).sqrt(),
            slope: 0.0,
        })
    }

    fn cone(corners: &[Vec3], planes: &[[Vec3; 2]], axis: Vec3) -> Option<Form> {
        let matrix: Mat3 = planes.iter().map(|[n, _]| n * n.transpose()).sum();
        let right: Vec3 = planes.iter().map(|[n, p]| n * n.dot(p)).sum();
        let apex = matrix.lu().solve(&right)?;
        let height = corners.iter().map(|p| axis.dot(&(p - apex))).sum::<f64>();
        let axis = axis * height.signum();
        let (mut product, mut square) = (0.0, 0.0);
        for corner in corners {
            let offset = corner - apex;
            let along = axis.dot(&offset);
            product += along * (offset - axis * along).norm();
            square += along * along;
        }
        Some(Form {
            point: apex,
            axis,
            radius: 0.0,
            slope: product / square,
        })
    }
}

/// Part of a surface that stands for a curved form.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The form.
    pub form: Form,
    /// Its triangles, by index.
    pub triangles: Vec<usize>,
    /// Number of plane facets.
    pub facets: usize,
    /// Area [m2].
    pub area: f64,
    /// Largest turn between two of them [rad].
    pub turn: f64,
    /// Largest radius [m].
    pub radius: f64,
    /// Largest distance of a facet from the form [m].
    pub sagitta: f64,
    /// Largest distance of a vertex from the form [m].
    pub deviation: f64,
    /// Whether the material is outside of the form, as about a bore.
    pub is_hollow: bool,
    /// Whether the region runs all around.
    pub is_whole: bool,
}

impl Region {
    /// Line of the report.
    pub fn report(&self) -> String {
        let is_sphere = self.form.axis == Vec3::zeros();
        let name = match (
            self.form.slope > 0.0,
            is_sphere,
            self.is_hollow,
            self.is_whole,
        ) {
            (true, _, true, _) => "conical bore of at most",
            (true, _, false, _) => "cone of at most",
            (_, true, true, _) => "spherical hollow of",
            (_, true, false, _) => "ball of",
            (_, _, true, true) => "bore of",
            (_, _, false, true) => "pin of",
            (_, _, true, false) => "fillet of a diameter of",
            (_, _, false, false) => "rounding of a diameter of",
        };
        format!(
            "{name} {:.3} mm, {} facets: sagitta {:.4} mm, speed jumps of {:.0} mm/s at 1 m/s, vertices within {:.0e} mm",
            2e3 * self.radius,
            self.facets,
            1e3 * self.sagitta,
            1e3 * self.turn,
            1e3 * self.deviation
        )
    }
}

/// Triangles with their neighbours.
struct Facets<'a> {
    surface: &'a Surface,
    normals: Vec<Vec3>,
    /// Triangles across blunt edges, with the turn.
    neighbours: Vec<Vec<(usize, f64)>>,
    /// Number of triangles at each vertex.
    counts: Vec<usize>,
    /// Number of triangles looked at so far.
    visits: Cell<usize>,
}

impl Facets<'_> {
    fn new(surface: &Surface) -> Facets<'_> {
        let corners = surface.triangles.iter().map(|t| surface.corners(t));
        let normals: Vec<Vec3> = corners
            .map(|[a, b, c]| normal(&a, &b, &c).normalize())
            .collect();
        let mut neighbours = vec![Vec::new(); normals.len()];
        for edge in sides(&surface.triangles).chunk_by(|one, two| (one.0, one.1) == (two.0, two.1))
        {
            let [one, two] = edge else {
                continue;
            };
            let [a, b] = [normals[one.2], normals[two.2]];
            let turn = atan2(a.cross(&b).norm(), a.dot(&b));
            if turn < SHARP {
                neighbours[one.2].push((two.2, turn));
                neighbours[two.2].push((one.2, turn));
            }
        }
        let mut counts = vec![0; surface.vertices.len()];
        let all = surface.triangles.iter().flatten();
        all.for_each(|vertex| counts[*vertex as usize] += 1);
        Facets {
            surface,
            normals,
            neighbours,
            counts,
            visits: Cell::new(0),
        }
    }

    /// Triangles about one, nearest first, as far as they are wanted, up to `most`.
    fn around(&self, start: usize, most: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![start];
        let mut seen = BTreeSet::from([start]);
        let mut next = 0;
        while let Some(triangle) = found.get(next).copied() {
            next += 1;
            self.visits.update(|visits| visits + 1);
            for (other, _) in &self.neighbours[triangle] {
                if found.len() < most && wanted(*other) && seen.insert(*other) {
                    found.push(*other);
                }
            }
        }
        found
    }

    fn corners(&self, triangles: &[usize]) -> Vec<Vec3> {
        let vertices = triangles.iter().flat_map(|t| self.surface.triangles[*t]);
        let vertices: BTreeSet<u32> = vertices.collect();
        vertices
            .iter()
            .map(|v| self.surface.vertices[*v as usize])
            .collect()
    }

    /// Number of vertices all of whose triangles are among these.
    fn inside(&self, triangles: &[usize]) -> usize {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for vertex in triangles.iter().flat_map(|t| self.surface.triangles[*t]) {
            *counts.entry(vertex).or_default() += 1;
        }
        let is_inside =
            |(vertex, count): &(&u32, &usize)| self.counts[**vertex as usize] == **count;
        counts.iter().filter(is_inside).count()
    }

    /// Cylinder, cone and sphere through triangles.
    fn fit(&self, triangles: &[usize], kind: usize) -> Option<Form> {
        let corners = self.corners(triangles);
        if kind == 2 {
            return Form::circle(&corners, Vec3::zeros());
        }
        let normals = || triangles.iter().map(|t| self.normals[*t]);
        let mean = match kind {
            0 => Vec3::zeros(),
            _ => normals().sum::<Vec3>() / triangles.len() as f64,
        };
        let spread: Mat3 = normals().map(|n| (n - mean) * (n - mean).transpose()).sum();
        let eigen = spread.symmetric_eigen();
        let axis = eigen
            .eigenvectors
            .column(eigen.eigenvalues.imin())
            .into_owned();
        if kind == 0 {
            return Form::circle(&corners, axis);
        }
        let point = |t: &usize| self.surface.corners(&self.surface.triangles[*t])[0];
        let planes: Vec<[Vec3; 2]> = triangles
            .iter()
            .map(|t| [self.normals[*t], point(t)])
            .collect();
        Form::cone(&corners, &planes, axis)
    }

    /// Triangles about one on a form that fits them.
    fn grow(
        &self,
        start: usize,
        kind: usize,
        reach: f64,
        is_free: impl Fn(usize) -> bool,
    ) -> Option<(Form, Vec<usize>)> {
        let mut triangles = self.around(start, FIRST, &is_free);
        for _ in 0..ROUNDS {
            let form = self.fit(&triangles, kind)?;
            if form.radius * NEAR > FLATTEST * reach || form.slope > FLATTEST {
                return None;
            }
            let is_on = |t: usize| {
                let corners = self.surface.corners(&self.surface.triangles[t]);
                corners
                    .iter()
                    .all(|corner| form.distance(corner).abs() <= reach)
            };
            if !is_on(start) {
                return None;
            }
            let grown = self.around(start, usize::MAX, |t| is_free(t) && is_on(t));
            if grown.len() == triangles.len() {
                return triangles
                    .iter()
                    .all(|t| is_on(*t))
                    .then_some((form, triangles));
            }
            if grown.len() < FIRST.min(triangles.len()) {
                return None;
            }
            triangles = grown;
        }
        None
    }

    /// `None` for too few facets, or a small part of a circle.
    fn region(&self, form: Form, triangles: &[usize]) -> Option<Region> {
        let inside: BTreeSet<usize> = triangles.iter().copied().collect();
        let mut left = inside.clone();
        let (mut facets, mut turn) = (0, 0.0_f64);
        while let Some(first) = left.pop_first() {
            facets += 1;
            let mut open = vec![first];
            while let Some(triangle) = open.pop() {
                for (other, angle) in &self.neighbours[triangle] {
                    match *angle < FLAT_TURN {
                        true if left.remove(other) => open.push(*other),
                        false if inside.contains(other) => turn = turn.max(*angle),
                        _ => {}
                    }
                }
            }
        }
        let (mut sum, mut area, mut outwards) = (Vec3::zeros(), 0.0, 0.0);
        let mut least = f64::INFINITY;
        let across = |v: Vec3| v - form.axis * form.axis.dot(&v);
        for triangle in triangles {
            let [a, b, c] = self.surface.corners(&self.surface.triangles[*triangle]);
            let n = normal(&a, &b, &c);
            let offset = (a + b + c) / 3.0 - form.point;
            least = least.min(distance_to_triangle(&form.point, &a, &b, &c));
            sum += across(n);
            area += n.norm();
            outwards += n.dot(&across(offset));
        }
        let is_whole = sum.norm() < 1e-3 * area;
        let reaches = |t: &usize| {
            let n = across(self.normals[*t]);
            atan2(n.cross(&sum).norm(), n.dot(&sum)) >= HALF_TURN
        };
        if facets < LEAST || !(is_whole || triangles.iter().any(reaches)) {
            return None;
        }
        let corners = self.corners(triangles);
        let distances = corners.iter().map(|corner| form.distance(corner).abs());
        let radii = corners
            .iter()
            .map(|corner| form.radius + form.slope * form.axis.dot(&(corner - form.point)));
        let radius = radii.fold(0.0, f64::max);
        Some(Region {
            form,
            facets,
            area: 0.5 * area,
            turn,
            radius,
            sagitta: match form.axis == Vec3::zeros() {
                true => radius - least,
                false => radius * turn * turn / 8.0,
            },
            deviation: distances.fold(0.0, f64::max),
            is_hollow: outwards < 0.0,
            is_whole,
            triangles: triangles.to_vec(),
        })
    }
}

/// Curved regions of a closed surface, in the order of their first triangles.
pub fn regions(surface: &Surface) -> Vec<Region> {
    regions_and_visits(surface).0
}

/// Curved regions, and the number of triangles looked at.
pub(crate) fn regions_and_visits(surface: &Surface) -> (Vec<Region>, usize) {
    let facets = Facets::new(surface);
    let reach = NEAR * extent(&surface.vertices);
    let mut is_free = vec![true; surface.triangles.len()];
    // Another start on a part of too few facets would find the same part again.
    let mut is_start = is_free.clone();
    let mut regions = Vec::new();
    for start in 0..is_free.len() {
        // The search is for help, not for a result: it may not take longer than reading a large file.
        if facets.visits.get() > MOST_VISITS * is_free.len() {
            break;
        }
        if !is_free[start] || !is_start[start] {
            continue;
        }
        // A plane has no form, but rounding gives it one that grows far.
        let turn = |t: usize| facets.normals[start].cross(&facets.normals[t]).norm();
        let first = facets.around(start, FIRST, |t| is_free[t]);
        if first.iter().all(|t| turn(*t) < FLAT_TURN) {
            continue;
        }
        let mut best: Option<(Form, Vec<usize>)> = None;
        for kind in 0..3 {
            let grown = facets.grow(start, kind, reach, |t| is_free[t]);
            let count = best.as_ref().map_or(0, |(_, triangles)| triangles.len());
            best = grown
                .filter(|(_, triangles)| triangles.len() > count)
                .filter(|(_, triangles)| kind != 2 || facets.inside(triangles) >= INSIDE)
                .or(best);
        }
        if let Some((form, triangles)) = best {
            triangles.iter().for_each(|t| is_start[*t] = false);
            if let Some(region) = facets.region(form, &triangles) {
                triangles.iter().for_each(|t| is_free[*t] = false);
                regions.push(region);
            }
        }
    }
    (regions, facets.visits.get())
}

/// Lines of the report, the largest region first; equal ones once, with their number.
pub(crate) fn report(surface: &Surface) -> Vec<String> {
    let mut regions = regions(surface);
    regions.sort_by(|one, two| two.area.total_cmp(&one.area));
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut more = 0;
    for line in regions.iter().map(Region::report) {
        match lines.iter().position(|(known, _)| *known == line) {
            Some(index) => lines[index].1 += 1,
            None if lines.len() < LINES => lines.push((line, 1)),
            None => more += 1,
        }
    }
    let line = |(line, count)| match count {
        1 => line,
        _ => format!("{count} times: {line}"),
    };
    let rest = (more > 0).then(|| format!("and {more} smaller curved regions"));
    lines.into_iter().map(line).chain(rest).collect()
}
