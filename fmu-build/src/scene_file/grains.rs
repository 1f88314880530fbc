//! `[[grains]]`: groups of equal free balls.
//!
//! # Where the balls of a group start
//!
//! Points of a cubic lattice, given by its counts or by the box or cylinder that it fills, and what
//! chance adds. The same file gives the same balls on every machine: numbers come from SplitMix64
//! [Steele et al. 2014], and nothing but sums, products and comparisons of coordinates decides.

use super::material::Library;
use super::walker::{Field, Section};
use contact_laws::quantity::units;
use contact_model::scene::description::world::{FILL, GRAINS, LATTICE, REGION, SIZES};
use contact_model::scene::description::{GrainsDescription, RegionDescription};
use fmu_host::extended_xyz::last_frame;

/// Balls that a scene may have at most: their states are a vector of 13 times as many numbers.
const MOST_BALLS: u64 = 10_000_000;
/// What a group needs.
const NO_PLACES: &str = "lattice, fill or file is missing";
/// What to write there.
const HINT: &str = "write fill = { lower = [0, 0, 0], upper = [0.1, 0.1, 0.2] }, or \
                    lattice = { counts = [10, 10, 20] }";

/// What a file says of the places and sizes of balls.
#[derive(Default)]
struct GroupKeys<'a> {
    diameters: Option<[f64; 2]>,
    lattice: Option<Field<'a>>,
    fill: Option<Field<'a>>,
    file: Option<Field<'a>>,
    jitter: f64,
    seed: u32,
}

/// Reads a group.
pub(super) fn read(mut section: Section<'_>, library: &Library) -> GrainsDescription {
    let mut group = GrainsDescription::default();
    let mut said = GroupKeys {
        seed: 1,
        ..GroupKeys::default()
    };
    section.rows(&GRAINS, &mut group, |section, key, group| match key.key {
        "diameter" => said.diameters = section.key(key).and_then(sizes),
        "material" => {
            let name = section.key(key).and_then(|field| library.name(field));
            group.material = name.unwrap_or_default();
        }
        "lattice" => said.lattice = section.key(key),
        "fill" => said.fill = section.key(key),
        "file" => said.file = section.key(key),
        "jitter" => said.jitter = section.checked_number(key).unwrap_or(0.0),
        "seed" => said.seed = section.key(key).and_then(Field::count).unwrap_or(1),
        "region" => {
            let item = section.item();
            let regions = section.tables("region", |_| item);
            group.regions = regions.into_iter().map(region).collect();
        }
        _ => {}
    });
    place(&section, said, &mut group);
    section.finish();
    group
}

/// A diameter, or the least and the largest.
fn sizes(field: Field<'_>) -> Option<[f64; 2]> {
    let bounds = match field.is_array() {
        true => field
            .clone()
            .quantities::<2>(units::LENGTH, "[\"4 mm\", \"6 mm\"]")?,
        false => [field.clone().quantity(units::LENGTH)?; 2],
    };
    if !(0.0 < bounds[0] && bounds[0] <= bounds[1]) {
        field.fail(format!(
            "is {} m to {} m; must be > 0 and ascend",
            bounds[0], bounds[1]
        ));
        return None;
    }
    Some(bounds)
}

fn region(mut section: Section<'_>) -> RegionDescription {
    let mut region = RegionDescription::default();
    section.rows(&REGION, &mut region, |_, _, _| {});
    section.finish();
    region
}

/// Finds where the balls start and how large they are.
fn place(section: &Section<'_>, said: GroupKeys<'_>, group: &mut GrainsDescription) {
    let given = [&said.lattice, &said.fill, &said.file].map(Clone::clone);
    let mut given = given.into_iter().flatten();
    let Some(first) = given.next() else {
        section.missing("fill", (NO_PLACES, HINT));
        return;
    };
    if let Some(other) = given.next() {
        other.refuse_beside(&first, "keep one: a group has one of them", "the first one");
        return;
    }
    if let Some(field) = said.file.clone() {
        from_file(section, field, &said, group);
        return;
    }
    let Some(bounds) = said.diameters else {
        if !section.has("diameter") {
            let finding = ("diameter is missing", "write diameter = \"5 mm\"");
            section.missing("diameter", finding);
        }
        return;
    };
    let points = match (said.lattice, said.fill) {
        (Some(field), _) => of_lattice(field, bounds[1], said.jitter),
        (_, Some(field)) => of_fill(field, bounds[1], said.jitter),
        _ => None,
    };
    let Some(mut points) = points else { return };
    let mut chance = Chance::new(said.seed);
    group.diameters = diameters(bounds, SIZES, points.len(), &mut chance);
    shake(&mut points, said.jitter, &mut chance);
    group.positions = points;
}

/// One distance for all axes, or one for each.
fn spacing(section: &mut Section<'_>, usual: [f64; 3]) -> Option<[f64; 3]> {
    let Some(field) = section.field("spacing") else {
        return Some(usual);
    };
    let spacing = match field.is_array() {
        true => field.clone().vector(units::LENGTH)?,
        false => [field.clone().quantity(units::LENGTH)?; 3],
    };
    if !spacing.iter().all(|along| *along > 0.0) {
        field.fail("must be > 0 m along each axis");
        return None;
    }
    Some(spacing)
}

fn of_lattice(field: Field<'_>, diameter: f64, jitter: f64) -> Option<Vec<[f64; 3]>> {
    let mut inner = field.clone().table("{ counts = [10, 10, 20] }")?;
    let [counts_key, _, origin_key] = LATTICE;
    let counts = inner.key(counts_key).and_then(|field| {
        let counts = field.elements::<3>(counts_key.example)?.map(Field::count);
        let [x, y, z] = counts;
        Some([x?, y?, z?])
    });
    let spacing = spacing(&mut inner, usual_spacing(diameter, jitter));
    let origin = inner.field(origin_key.key);
    let origin = origin.map_or(Some([0.0; 3]), |field| field.vector(origin_key.declared()));
    inner.finish();
    let (counts, spacing, origin) = (counts?, spacing?, origin?);
    let count = counts
        .iter()
        .try_fold(1_u64, |all, n| all.checked_mul(u64::from(*n)));
    if count.is_none_or(|count| count > MOST_BALLS) {
        field.fail(format!("has more than {MOST_BALLS} points"));
        return None;
    }
    Some(lattice(counts, spacing, origin))
}

fn of_fill(field: Field<'_>, diameter: f64, jitter: f64) -> Option<Vec<[f64; 3]>> {
    let mut inner = field
        .clone()
        .table("{ lower = [0, 0, 0], upper = [0.1, 0.1, 0.2] }")?;
    let [lower_key, upper_key, radius_key, _, count_key] = FILL;
    let corners = [inner.vector(lower_key), inner.vector(upper_key)];
    let has_radius = inner.has("radius");
    let radius = match has_radius {
        true => inner.checked_number(radius_key),
        false => None,
    };
    let spacing = spacing(&mut inner, usual_spacing(diameter, jitter));
    let has_count = inner.has("count");
    let count = inner.field(count_key.key).and_then(Field::count);
    inner.finish();
    if has_radius != radius.is_some() || has_count != count.is_some() {
        return None;
    }
    let (corners, spacing) = ([corners[0]?, corners[1]?], spacing?);
    let extent = |axis: usize| (corners[1][axis] - corners[0][axis]).max(0.0);
    let cells = (0..3).map(|axis| (extent(axis) / spacing[axis]).floor() + 1.0);
    if cells.product::<f64>() > MOST_BALLS as f64 {
        field.fail(format!("has room for more than {MOST_BALLS} balls"));
        return None;
    }
    let room = Room {
        corners,
        radius,
        margins: [1.0, std::f64::consts::SQRT_2].map(|part| 0.5 * diameter + part * jitter),
    };
    let mut points = room.filled(spacing);
    let wanted = count.map_or(points.len().max(1), |count| count as usize);
    if points.len() < wanted {
        field.fail(format!(
            "has room for {} balls of {} m at distances of {:?} m; {wanted} are wanted",
            points.len(),
            diameter,
            spacing
        ));
        return None;
    }
    points.truncate(wanted);
    Some(points)
}

/// Balls of the group's name in the last frame of a file, whose path is relative to the scene file.
fn from_file(
    section: &Section<'_>,
    field: Field<'_>,
    said: &GroupKeys<'_>,
    group: &mut GrainsDescription,
) {
    let Some(name) = field.clone().string() else {
        return;
    };
    for (is_given, key) in [
        (said.diameters.is_some(), "diameter"),
        (said.jitter > 0.0, "jitter"),
    ] {
        if is_given {
            field.fail((
                format!("and {key} are both given"),
                format!("remove {key}: the file has the places and sizes"),
            ));
            return;
        }
    }
    let path = section.notes().folder().join(name);
    let read = std::fs::read_to_string(&path).map_err(|error| {
        format!("cannot be read: {error}; the path is relative to the scene file")
    });
    match read.and_then(|text| last_frame(&text)) {
        Err(reason) => field.fail(format!("{name:?} {reason}")),
        Ok(mut groups) => match groups.remove(&group.name) {
            None => {
                let known: Vec<String> = groups.into_keys().collect();
                field.fail(format!(
                    "{name:?} has no balls of the name {:?}; it has: {}",
                    group.name,
                    known.join(", ")
                ));
            }
            Some(places) => {
                group.diameters = places.radii.iter().map(|radius| 2.0 * radius).collect();
                group.positions = places.positions;
            }
        },
    }
}

/// Part of the largest diameter by which neighbours on a lattice are apart unless said otherwise.
const ROOM: f64 = 1.01;
/// Part of a spacing by which a lattice may exceed its box: rounding.
const ROUNDING: f64 = 1e-9;

/// Numbers by chance: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
/// generators, OOPSLA 2014, with the constants of its Java version.
pub(crate) struct Chance(u64);

impl Chance {
    /// Numbers that follow from a seed.
    pub(crate) fn new(seed: u32) -> Self {
        Chance(u64::from(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in 0..1, evenly spread.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Points of a lattice, x fastest, z slowest [m].
pub(crate) fn lattice(counts: [u32; 3], spacing: [f64; 3], origin: [f64; 3]) -> Vec<[f64; 3]> {
    let along = |axis: usize, i: u32| origin[axis] + f64::from(i) * spacing[axis];
    let count = counts.iter().map(|n| *n as usize).product();
    let mut points = Vec::with_capacity(count);
    for k in 0..counts[2] {
        for j in 0..counts[1] {
            points.extend((0..counts[0]).map(|i| [along(0, i), along(1, j), along(2, k)]));
        }
    }
    points
}

/// What a lattice fills.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Lower and upper corner [m].
    pub corners: [[f64; 3]; 2],
    /// Radius of a vertical cylinder about the middle [m].
    pub radius: Option<f64>,
    /// Distance of centres from plane walls, and from that of the cylinder, along which x and y are
    /// shaken at once [m].
    pub(crate) margins: [f64; 2],
}

impl Room {
    /// Points of a lattice in the room, in the middle of its floor, the lowest layer first.
    pub(crate) fn filled(&self, spacing: [f64; 3]) -> Vec<[f64; 3]> {
        let [lower, upper] = self.corners;
        let (mut counts, mut origin) = ([0; 3], [0.0; 3]);
        for axis in 0..3 {
            let free = upper[axis] - lower[axis] - 2.0 * self.margins[0];
            if free < -ROUNDING * spacing[axis] {
                return Vec::new();
            }
            let steps = (free.max(0.0) / spacing[axis] + ROUNDING).floor();
            let rest = if axis < 2 {
                0.5 * (free - steps * spacing[axis])
            } else {
                0.0
            };
            origin[axis] = lower[axis] + self.margins[0] + rest;
            counts[axis] = steps as u32 + 1;
        }
        let mut points = lattice(counts, spacing, origin);
        if let Some(radius) = self.radius {
            let middle = [0, 1].map(|axis| 0.5 * (lower[axis] + upper[axis]));
            let reach = radius - self.margins[1];
            points.retain(|p| {
                let [x, y] = [p[0] - middle[0], p[1] - middle[1]];
                reach >= 0.0 && x * x + y * y <= reach * reach
            });
        }
        points
    }
}

/// Distance of neighbours where none is given [m].
pub(crate) fn usual_spacing(diameter: f64, jitter: f64) -> [f64; 3] {
    [ROOM * diameter + 2.0 * jitter; 3]
}

/// A diameter of each of so many balls: of `sizes` values evenly spread between the bounds [m].
pub(crate) fn diameters(
    bounds: [f64; 2],
    sizes: usize,
    count: usize,
    chance: &mut Chance,
) -> Vec<f64> {
    let [least, most] = bounds;
    if least == most {
        return vec![least; count];
    }
    let one = |_| {
        let size = (chance.unit() * sizes as f64).floor();
        least + (most - least) * size / (sizes - 1) as f64
    };
    (0..count).map(one).collect()
}

/// Moves each coordinate by at most `most` [m].
pub(crate) fn shake(points: &mut [[f64; 3]], most: f64, chance: &mut Chance) {
    if most > 0.0 {
        for coordinate in points.iter_mut().flatten() {
            *coordinate += most * (2.0 * chance.unit() - 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the reference program of S. Vigna for seed 1234567.
    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut chance = Chance::new(1_234_567);
        let numbers = [(); 5].map(|()| chance.next());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn a_box_holds_as_many_balls_as_fit_side_by_side() {
        let room = Room {
            corners: [[0.0; 3], [1.0, 0.35, 0.3]],
            radius: None,
            margins: [0.05; 2],
        };
        let points = room.filled([0.1; 3]);
        assert_eq!(points.len(), 10 * 3 * 3);
        // In the middle along y, on the floor, from wall to wall along x.
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(points[0][0], 0.05);
        close(points[0][1], 0.075);
        close(points[0][2], 0.05);
        close(points[9][0], 0.95);
        assert!(
            Room {
                margins: [0.2; 2],
                ..room
            }
            .filled([0.1; 3])
            .is_empty()
        );
    }

    #[test]
    fn balls_in_a_cylinder_keep_clear_of_its_wall() {
        let room = Room {
            corners: [[-1.0, -1.0, 0.0], [1.0, 1.0, 0.1]],
            radius: Some(1.0),
            margins: [0.05; 2],
        };
        let points = room.filled([0.1; 3]);
        assert!(
            points
                .iter()
                .all(|[x, y, _]| x.hypot(*y) + 0.05 <= 1.0 + 1e-12)
        );
        // The area of the circle in squares of the lattice, up to the squares at its edge.
        let expected = std::f64::consts::PI * 0.95 * 0.95 / 0.01;
        assert!((points.len() as f64 - expected).abs() < 0.1 * expected);
    }

    #[test]
    fn sizes_and_places_by_chance_keep_their_bounds_and_their_mean() {
        let mut chance = Chance::new(7);
        let found = diameters([1.0, 2.0], 8, 8000, &mut chance);
        for size in 0..8 {
            let wanted = 1.0 + f64::from(size) / 7.0;
            let count = found
                .iter()
                .filter(|d| (**d - wanted).abs() < 1e-12)
                .count();
            // 1000 expected, with a deviation of sqrt(8000 * 1/8 * 7/8) = 30.
            assert!((850..=1150).contains(&count), "{size}: {count}");
        }
        let mut points = vec![[0.0; 3]; 1000];
        shake(&mut points, 0.5, &mut chance);
        let all: Vec<f64> = points.into_iter().flatten().collect();
        assert!(all.iter().all(|c| c.abs() <= 0.5));
        // The mean of 3000 has the deviation 1/sqrt(12)/sqrt(3000) = 0.005.
        assert!((all.iter().sum::<f64>() / 3000.0).abs() < 0.025);
        assert!(all.iter().any(|c| *c > 0.49) && all.iter().any(|c| *c < -0.49));
    }
}
