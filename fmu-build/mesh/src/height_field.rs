//! Height fields: heights over a grid of points, and the solid below them.
//!
//! A CSV file has a row of heights a line, separated by commas, semicolons or white space; lines that begin
//! with # are left out. An ESRI ASCII grid (.asc) has lines of a word and a number before its rows: `ncols`,
//! `nrows`, `cellsize` or equal `dx` and `dy`, `NODATA_value`, and the place on the map, which is left out
//! [Esri: ASCII raster format].
//!
//! Both are maps seen from above: the first row is the northern one, the first height of a row the western
//! one. x points east, y north, and the origin is below the south-western height at height 0. The heights of
//! four neighbours are the corners of two triangles, which meet from south-west to north-east. Walls and a
//! flat floor close the solid.

use crate::file::ending;
use crate::hull::Surface;
use contact_geometry::math::Vec3;
use std::collections::BTreeSet;
use std::path::Path;

/// Maximum number of heights: the cells of so many take some 100 MB in each FMU.
const MOST_HEIGHTS: usize = 250_000;
/// Depth of the floor below the least height unless given, relative to the longer side [1].
const DEPTH: f64 = 0.1;
/// Heights that stand for none in a file that does not name another; the least number of single precision always does.
const NO_DATA: [f64; 3] = [-9999.0, -32768.0, -99999.0];
/// Number of decimals in a row from which on their halves are told from heights.
const DECIMALS: usize = 5;
/// Number of different x and y from which on a list of points is told from heights.
const POINTS: usize = 3;
/// Ratio of the differences of neighbours to those of every other height from which these are integer parts.
const ALTERNATING: f64 = 2.0;
/// Words before the rows of an ESRI grid.
#[rustfmt::skip]
const WORDS: [&str; 10] = [
    "ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value", "dx", "dy",
];

/// Heights over a grid, in the unit of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    /// Number of heights in a row, from west to east.
    pub columns: usize,
    /// Row by row from the north.
    pub heights: Vec<f64>,
    /// Distance of neighbours that the file names.
    pub spacing: Option<f64>,
    /// Why the numbers may be no heights, and what to do.
    pub doubt: Option<(String, &'static str)>,
}

/// Sizes that a file of heights does not have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Unit of the heights [m].
    pub unit: f64,
    /// Distance of neighbours [m]; `None` if the file names it.
    pub spacing: Option<f64>,
    /// Depth of the floor below the least height [m].
    pub depth: Option<f64>,
}

/// Returns true unless files of a name need the distance of their heights.
pub fn says_spacing(name: &str) -> bool {
    ending(Path::new(name)) != "csv"
}

/// Reads the heights of a file.
///
/// # Errors
/// Problem and remedy, to follow the name of the file.
pub fn read(path: &Path) -> Result<HeightField, String> {
    let is_grid = match ending(path).as_str() {
        "asc" => true,
        "csv" => false,
        _ => {
            return Err(
                "has an ending that is not known; .csv (rows of heights) and .asc (ESRI ASCII grid) are read, \
                 triangles by mesh"
                    .to_owned(),
            );
        }
    };
    let bytes = std::fs::read(path).map_err(|error| {
        format!("cannot be read: {error}; the path is relative to the scene file")
    })?;
    parse(&bytes, is_grid)
}

/// Heights of a CSV file or of an ESRI grid.
pub(crate) fn parse(bytes: &[u8], is_grid: bool) -> Result<HeightField, String> {
    if bytes.contains(&0) {
        return Err("is not plain text; export it as rows of numbers in UTF-8".to_owned());
    }
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut given = [None; WORDS.len()];
    let (mut heights, mut columns, mut rows) = (Vec::new(), 0, 0);
    // Lengths of every other word; 0 for one that is more than digits.
    let mut digits = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        let at = |message: String| format!("line {}: {message}", index + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if is_grid && rows == 0 && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (word, number) = header(line).map_err(at)?;
            given[word] = Some(number);
            continue;
        }
        let before = heights.len();
        for (index, word) in cells(line).enumerate() {
            let height = height(word, given[7])
                .map_err(|message| at(format!("column {}: {message}", index + 1)))?;
            heights.push(height);
            if index % 2 == 1 {
                let is_plain = word.bytes().all(|c| c.is_ascii_digit());
                digits.insert(if is_plain { word.len() } else { 0 });
            }
        }
        let count = heights.len() - before;
        if rows == 0 {
            columns = count;
        }
        if count != columns {
            return Err(at(format!(
                "a row of {count} heights; the first has {columns}, and all must have as many"
            )));
        }
        if heights.len() > MOST_HEIGHTS {
            return Err(at(format!(
                "more than {MOST_HEIGHTS} heights; thin the grid, or cut out what is touched"
            )));
        }
        rows += 1;
    }
    for (word, found, what) in [(0, columns, "columns"), (1, rows, "rows")] {
        if let Some(expected) = given[word].filter(|number| *number != found as f64) {
            let word = WORDS[word];
            return Err(format!(
                "has {found} {what} of heights, but {word} is {expected}; export it again with a line for each row"
            ));
        }
    }
    if rows < 2 || columns < 2 {
        return Err(format!(
            "has {rows} rows and {columns} columns of heights; a surface needs 2 of each at least"
        ));
    }
    if given[8] != given[9] {
        return Err(match (given[8], given[9]) {
            (Some(_), None) => "has dx without dy; export it with one cellsize",
            (None, Some(_)) => "has dy without dx; export it with one cellsize",
            _ => "has cells that are not square, by dx and dy; export it with one cellsize",
        }
        .to_owned());
    }
    let is_split = text.contains(',') && !text.contains('.') && digits.len() == 1;
    let is_split = is_split && !digits.contains(&0) && columns.is_multiple_of(2);
    if !is_grid && let Some(flaw) = flaw(&heights, columns, is_split) {
        return Err(format!(
            "seems to have {flaw}; if these are heights, save it as .asc, whose numbers are taken as they are"
        ));
    }
    Ok(HeightField {
        columns,
        doubt: doubt(&heights, columns, is_split).filter(|_| !is_grid),
        heights,
        spacing: given[6].or(given[8]),
    })
}

/// Place in [`WORDS`] and number of a line before the rows.
fn header(line: &str) -> Result<(usize, f64), String> {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let known = WORDS
        .iter()
        .position(|word| word.eq_ignore_ascii_case(first));
    let word = known.ok_or_else(|| {
        let words = WORDS.join(", ");
        format!("found {first:?}; before its rows a grid has {words}")
    })?;
    let text = words.next().unwrap_or_default();
    let number: Result<f64, _> = text.parse();
    // A height that is none may be NaN.
    let is_right = |number: &f64| WORDS[word] == "nodata_value" || number.is_finite();
    match number.ok().filter(is_right) {
        Some(number) if matches!(WORDS[word], "cellsize" | "dx" | "dy") && number <= 0.0 => {
            Err(format!("{first} is {number}; must be > 0"))
        }
        Some(number) => Ok((word, number)),
        None => Err(format!(
            "{first} is {text:?}; expected a finite number such as 2.5"
        )),
    }
}

/// Why the numbers of a CSV file are no heights: points of a grid in its order, or the two parts of decimals with a
/// comma; `may_split` for whole numbers between commas, every other one of them with as many digits.
fn flaw(heights: &[f64], columns: usize, may_split: bool) -> Option<&'static str> {
    let rows = || heights.chunks_exact(columns);
    let count = rows().len();
    let different = |part: fn(&[f64]) -> [u64; 2]| rows().map(part).collect::<BTreeSet<_>>().len();
    let x = different(|row| [row[0].to_bits(), 0]);
    let y = different(|row| [0, row[1].to_bits()]);
    let places = different(|row| [row[0].to_bits(), row[1].to_bits()]);
    let runs = |k: usize| {
        1 + rows()
            .zip(rows().skip(1))
            .filter(|(a, b)| a[k] != b[k])
            .count()
    };
    let is_grid = x.min(y) >= POINTS && x * y == count && places == count;
    if columns == 3 && is_grid && (runs(0) == x || runs(1) == y) {
        return Some(
            "points x, y, z, one a line; write their heights alone, a row of the grid a line from the \
             north, and give spacing",
        );
    }
    let is_split = may_split
        && columns >= 2 * DECIMALS
        && roughness(heights, columns, 2) > 0.0
        && alternates(heights, columns);
    is_split.then_some(
        "commas in decimals and between heights; write decimals with a point, or whole heights with \
         semicolons between them",
    )
}

/// Why the numbers of a CSV file that are read as heights may be others, and what to do; `may_split` as before.
fn doubt(heights: &[f64], columns: usize, may_split: bool) -> Option<(String, &'static str)> {
    let rows = heights.len() / columns;
    let message = format!("has {columns} heights in each of {rows} rows");
    if columns == 3 && rows >= 2 * POINTS {
        let help = "of points x, y, z write the heights alone, a row of the grid a line from the north; heights that are \
                    right are not doubted in a .asc file";
        return Some((message, help));
    }
    let is_split = may_split && (columns == 2 || alternates(heights, columns));
    is_split.then_some((
        format!("{message}, whole numbers between commas"),
        "write decimals with a point; whole heights are not doubted with semicolons between them",
    ))
}

/// Whether every other number differs from its neighbours as the decimals of numbers in a row do from their wholes.
fn alternates(heights: &[f64], columns: usize) -> bool {
    roughness(heights, columns, 2) < roughness(heights, columns, 1) / ALTERNATING
}

/// Sum of the differences of heights that are a number of columns apart, for each of these.
fn roughness(heights: &[f64], columns: usize, step: usize) -> f64 {
    let of_row = |row: &[f64]| -> f64 {
        let parts = row.iter().step_by(step);
        let next = parts.clone().skip(1);
        parts.zip(next).map(|(a, b)| (b - a).abs()).sum()
    };
    let rows = heights.chunks_exact(columns);
    rows.map(of_row).sum::<f64>() / (columns / step - 1) as f64
}

/// Heights of a row as text.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = [';', ','].into_iter().find(|c| line.contains(*c));
    let between = separator.map(|c| line.split(c).map(str::trim));
    let apart = separator.is_none().then(|| line.split_whitespace());
    between
        .into_iter()
        .flatten()
        .chain(apart.into_iter().flatten())
}

fn height(word: &str, none: Option<f64>) -> Result<f64, String> {
    let number: Option<f64> = word.parse().ok();
    let is_none = |number: f64| match none {
        _ if number as f32 == f32::MIN => true,
        Some(none) => number == none,
        None => NO_DATA.contains(&number),
    };
    match number {
        _ if word.is_empty() => Err(
            "no height; fill the gap in the program it comes from, or remove separators at the ends of rows".to_owned(),
        ),
        Some(number) if number.is_nan() || is_none(number) => Err(format!(
            "{word} stands for no height (NODATA); fill the gap in the program it comes from"
        )),
        Some(number) if number.is_finite() => Ok(number),
        _ => Err(format!(
            "{word:?} is not a finite number; a line is a row of heights from west to east, the northern row first, \
             with one separator between two and points in decimals, without titles, coordinates, quotes and units"
        )),
    }
}

impl HeightField {
    /// Surface of the solid [m], and the distance of its heights [m].
    ///
    /// # Errors
    /// The distance is not known.
    pub fn solid(&self, sizes: &Sizes) -> Result<(Surface, f64), String> {
        let spacing = sizes.spacing.or(self.spacing.map(|s| s * sizes.unit));
        let spacing =
            spacing.ok_or("has no cellsize; write spacing, the distance of its heights")?;
        let (columns, rows) = (self.columns, self.heights.len() / self.columns);
        let place = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            [column as f64 * spacing, (rows - 1 - row) as f64 * spacing]
        };
        let mut surface = Surface::default();
        for (index, height) in self.heights.iter().enumerate() {
            let [x, y] = place(index);
            surface.vertices.push(Vec3::new(x, y, height * sizes.unit));
        }
        for row in 1..rows {
            for column in 1..columns {
                let [se, ne] = [row, row - 1].map(|row| (row * columns + column) as u32);
                let [sw, nw] = [se - 1, ne - 1];
                surface.triangles.extend([[sw, se, ne], [sw, ne, nw]]);
            }
        }
        // Floor and walls, around the rim from the south-west to the east.
        let [longer, least] = [
            spacing * (columns.max(rows) - 1) as f64,
            sizes.unit * self.heights.iter().copied().fold(f64::INFINITY, f64::min),
        ];
        let floor = least - sizes.depth.unwrap_or(DEPTH * longer);
        let south = (0..columns - 1).map(|column| (rows - 1) * columns + column);
        let east = (1..rows).rev().map(|row| row * columns + columns - 1);
        let north = (1..columns).rev();
        let west = (0..rows - 1).map(|row| row * columns);
        let rim: Vec<usize> = south.chain(east).chain(north).chain(west).collect();
        let first = surface.vertices.len() as u32;
        for index in &rim {
            let [x, y] = place(*index);
            surface.vertices.push(Vec3::new(x, y, floor));
        }
        let middle = [columns, rows].map(|count| 0.5 * spacing * (count - 1) as f64);
        surface
            .vertices
            .push(Vec3::new(middle[0], middle[1], floor));
        let count = rim.len() as u32;
        for k in 0..count {
            let next = (k + 1) % count;
            let [a, b] = [k, next].map(|k| rim[k as usize] as u32);
            let [c, d] = [first + next, first + k];
            surface
                .triangles
                .extend([[d, c, b], [d, b, a], [first + count, c, d]]);
        }
        Ok((surface, spacing))
    }
}
