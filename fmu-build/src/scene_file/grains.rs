//! `[[grains]]`: groups of equal free balls.

use super::finding::Finding;
use super::material::Library;
use super::packing::{Chance, Room, diameters, lattice, shake, usual_spacing};
use super::walker::{Field, Section};
use crate::extended_xyz::last_frame;
use contact_laws::quantity::units;
use contact_model::scene::SceneItem;
use contact_model::scene::description::grains::{FILL, GRAINS, LATTICE, REGION, SIZES};
use contact_model::scene::description::{GrainsDescription, RegionDescription};

/// Balls that a scene may have at most: their states are a vector of 13 times as many numbers.
const MOST_BALLS: u64 = 10_000_000;
/// What a group needs.
const NO_PLACES: &str = "lattice, fill or file is missing";
/// What to write there.
const HINT: &str = "write fill = { lower = [0, 0, 0], upper = [0.1, 0.1, 0.2] }, or \
                    lattice = { counts = [10, 10, 20] }";

/// Reads all groups.
pub fn read_all(root: &mut Section<'_>, library: &Library) -> Vec<GrainsDescription> {
    let sections = root.tables("grains", SceneItem::Grains);
    let read = |section| read_group(section, library);
    sections.into_iter().map(read).collect()
}

/// What a file says of the places and sizes of balls.
#[derive(Default)]
struct Said<'a> {
    diameters: Option<[f64; 2]>,
    lattice: Option<Field<'a>>,
    fill: Option<Field<'a>>,
    file: Option<Field<'a>>,
    jitter: f64,
    seed: u32,
}

fn read_group(mut section: Section<'_>, library: &Library) -> GrainsDescription {
    let mut group = GrainsDescription::default();
    let mut said = Said {
        seed: 1,
        ..Said::default()
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
fn place(section: &Section<'_>, said: Said<'_>, group: &mut GrainsDescription) {
    let given = [&said.lattice, &said.fill, &said.file].map(Clone::clone);
    let mut given = given.into_iter().flatten();
    let Some(first) = given.next() else {
        section.missing("fill", (NO_PLACES, HINT));
        return;
    };
    if let Some(other) = given.next() {
        let message = format!("and {} are both given", first.name());
        let finding = Finding::from((message, "keep one: a group has one of them"));
        let first = first.key_span();
        other.fail_at(
            other.key_span(),
            finding.with_related(first, "the first one"),
        );
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
    let origin = match inner.has("origin") {
        true => inner.vector(origin_key),
        false => Some([0.0; 3]),
    };
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
    said: &Said<'_>,
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
