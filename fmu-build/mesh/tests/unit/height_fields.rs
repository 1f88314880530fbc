//! Height fields of both formats, the solid below them, and problems with their places.

use super::super::solid::Mesh;
use crate::height_field::{HeightField, Sizes, parse};
use contact_geometry::math::Vec3;
use contact_geometry::shapes::Cells;

const SIZES: Sizes = Sizes {
    unit: 1.0,
    spacing: Some(0.5),
    depth: Some(0.25),
};

const POINTS: &str = "seems to have points x, y, z, one a line; write their heights alone, a row of the grid a line \
                      from the north, and give spacing; if these are heights, save it as .asc, whose numbers are taken \
                      as they are";
const COMMAS: &str = "seems to have commas in decimals and between heights; write decimals with a point, or whole \
                      heights with semicolons between them; if these are heights, save it as .asc, whose numbers are \
                      taken as they are";
const NUMBER: &str = "is not a finite number; a line is a row of heights from west to east, the northern row first, with \
                      one separator between two and points in decimals, without titles, coordinates, quotes and units";
const GAP: &str = "no height; fill the gap in the program it comes from, or remove separators at the ends of rows";

fn csv(text: &str) -> HeightField {
    parse(text.as_bytes(), false).unwrap()
}

#[test]
fn all_separators_and_both_formats_give_the_same_heights() {
    let rows = csv("1,2,3\n4,5,6e0\n");
    assert_eq!((rows.columns, rows.spacing), (3, None));
    assert_eq!(rows.heights, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for same in [
        "\u{feff}# heights\r\n1; 2;3\r\n\r\n4;5; 6\r\n",
        "1 2\t3\n  4 5 6",
    ] {
        assert_eq!(csv(same), rows);
    }
    let grid = b"NCOLS 3\nnrows 2\nxllcorner 1e5\nyllcorner -7\ncellsize 2.5\n1 2 3\n4 5 6\n";
    let grid = parse(grid, true).unwrap();
    assert_eq!((grid.heights, grid.spacing), (rows.heights, Some(2.5)));
}

#[test]
fn equal_dx_and_dy_are_the_cellsize_and_a_grid_may_say_what_stands_for_no_height() {
    let grid = b"dy 2.5\nDX 2.5\nNODATA_value -1\n-9999 2 3\n4 5 6\n";
    let grid = parse(grid, true).unwrap();
    assert_eq!((grid.heights[0], grid.spacing), (-9999.0, Some(2.5)));
}

/// Points of a grid of three by three: x, y and z.
const NINE: &str = "0 0 5\n1 0 5\n2.5 0 5\n0 1 6\n1 1 7\n2.5 1 7\n0 2 8\n1 2 8\n2.5 2 9\n";
/// 101.25, 102.07, 103.00, 102.51, 101.98 and their neighbours, with commas for points.
const TENTHS: &str = "101,25,102,07,103,00,102,51,101,98\n101,20,102,11,103,05,102,60,101,90\n";

#[test]
fn an_esri_grid_holds_what_a_csv_file_may_not() {
    for text in [NINE, TENTHS] {
        assert!(parse(text.as_bytes(), false).is_err());
        assert!(parse(text.as_bytes(), true).is_ok());
    }
}

/// Whole heights between commas: a hill, a slope, and what would be points or decimals if it were longer.
#[test]
fn whole_heights_are_no_points_and_no_decimals() {
    for text in [
        "0,0,0,0\n0,1,1,0\n0,0,0,0\n",
        "100,102,104,106\n101,103,105,107\n",
        "3,1,4,1,5,9\n2,6,5,3,5,8\n9,7,9,3,2,3\n",
        "0,0,1\n0,1,2\n1,1,2\n",
        "0 5 0 5\n1 5 0 6\n",
        "0,0,1\n0,1,2\n1,0,2\n1,1,3\n",
        // Places of a grid, but in no order.
        "0,0,1\n1,1,2\n2,2,3\n1,0,2\n2,1,3\n0,2,4\n2,0,5\n0,1,6\n1,2,7\n",
        "10,20,10,21,10,20\n11,20,11,20,10,22\n",
        "10,20,10,21,10,20,10,22,10,9\n11,20,11,20,10,22,10,20,10,20\n",
    ] {
        csv(text);
    }
}

/// What is read as heights, and may have been meant otherwise.
#[test]
fn few_decimals_with_commas_and_points_out_of_order_are_doubted() {
    let doubt = |text: &str| csv(text).doubt.map(|(message, _)| message);
    let two = "1,25\n1,30\n1,28\n";
    let split = |text, columns, rows| {
        let expected =
            format!("has {columns} heights in each of {rows} rows, whole numbers between commas");
        assert_eq!(doubt(text), Some(expected), "{text}");
    };
    split(two, 2, 3);
    split("1,25,1,30,1,28\n1,26,2,31,2,29\n", 6, 2);
    // Decimals of numbers between 0 and 1, in five columns.
    split(
        "0,15,0,71,0,25,0,93,0,11\n0,25,0,61,0,35,0,13,0,12\n",
        10,
        2,
    );
    let scattered = "0 0 5\n1 0 5\n2.5 1 5\n0 1 6\n1 1 7\n2.5 2 7\n";
    assert_eq!(doubt(scattered).unwrap(), "has 3 heights in each of 6 rows");
    let grid = parse(scattered.as_bytes(), true).unwrap();
    assert_eq!(grid.doubt, None);
    for text in [
        &two.replace(',', ";"),
        "100,102,104,106\n101,103,105,107\n",
        "1,2,3\n4,5,6\n",
        "1.5,2.5\n3.5,4.5\n",
    ] {
        assert_eq!(doubt(text), None, "{text}");
    }
}

#[test]
fn the_first_row_is_in_the_north_and_the_origin_in_the_south_west() {
    let (surface, spacing) = csv("1,2,3\n4,5,6\n").solid(&SIZES).unwrap();
    assert_eq!(spacing, 0.5);
    for corner in [
        [0.0, 0.0, 4.0],
        [1.0, 0.0, 6.0],
        [0.0, 0.5, 1.0],
        [1.0, 0.5, 3.0],
        [0.5, 0.25, 0.75],
    ] {
        assert!(surface.vertices.contains(&Vec3::from(corner)), "{corner:?}");
    }
}

/// Volume under two triangles a cell: their areas times the mean heights of their corners.
#[test]
fn the_solid_is_closed_faces_outwards_and_has_the_volume_under_its_triangles() {
    let (columns, rows) = (7, 5);
    let height = |column: usize, row: usize| ((column * column + 3 * row) as f64).sin();
    let line = |row: usize| {
        let heights: Vec<String> = (0..columns)
            .map(|column| height(column, row).to_string())
            .collect();
        heights.join(",") + "\n"
    };
    let text: String = (0..rows).map(line).collect();
    let (surface, _) = csv(&text).solid(&SIZES).unwrap();
    let (mut mean, mut least) = (0.0, f64::INFINITY);
    for row in 1..rows {
        for column in 1..columns {
            let [nw, ne] = [height(column - 1, row - 1), height(column, row - 1)];
            let [sw, se] = [height(column - 1, row), height(column, row)];
            mean += (sw + se + ne + sw + ne + nw) / 6.0;
            least = [nw, ne, sw, se].into_iter().fold(least, f64::min);
        }
    }
    let cells = ((columns - 1) * (rows - 1)) as f64;
    let expected = 0.5 * 0.5 * (mean + cells * (0.25 - least));
    let mesh = Mesh::new(&surface, 1.0).unwrap();
    assert!((mesh.surface.volume() / expected - 1.0).abs() < 1e-14);
    assert!(mesh.is_closed() && mesh.crossing.is_none());
    assert_eq!(mesh.surface.triangles.len(), 2 * 24 + 3 * 20);
    let changed = mesh.repairs.turned + mesh.repairs.flat + mesh.repairs.joined;
    assert_eq!((changed, mesh.repairs.components), (0, 1));
}

/// A pit two deep beside the north wall, and the same pit with a flat rim.
#[test]
fn outermost_heights_given_twice_cure_what_is_too_steep_at_a_wall() {
    let layer = |text: &str| {
        let sizes = Sizes {
            spacing: Some(1.0),
            depth: None,
            ..SIZES
        };
        let (surface, _) = csv(text).solid(&sizes).unwrap();
        Cells::new(&surface.vertices, &surface.triangles).map(|cells| cells.steepest())
    };
    let flat = "0 0 0 0 0\n";
    let twice = format!("{flat}{flat}0 0 -2 0 0\n{flat}{flat}");
    let error = layer("0 0 0\n0 -2 0\n0 0 0\n").unwrap_err();
    assert!(
        error.contains("too sharp an angle at (1, 2, 0) m"),
        "{error}"
    );
    // Least squares over the six planes at the bottom of the pit.
    let (steepness, at) = layer(&twice).unwrap();
    assert!((steepness - 1.249).abs() < 1e-3, "{steepness}");
    assert_eq!(at, Vec3::new(2.0, 2.0, -2.0));
}

/// Four heights in a plane: a box cut by it.
#[test]
fn the_floor_is_a_tenth_of_the_longer_side_deep_unless_given() {
    let sizes = Sizes {
        unit: 0.01,
        spacing: None,
        depth: None,
    };
    let grid = b"ncols 3\nnrows 2\ncellsize 400\n0 0 0\n100 100 100\n";
    let (surface, spacing) = parse(grid, true).unwrap().solid(&sizes).unwrap();
    assert_eq!(spacing, 4.0);
    assert!((surface.volume() - 8.0 * 4.0 * (0.5 + 0.8)).abs() < 1e-12);
    let (finer, _) = parse(grid, true).unwrap().solid(&SIZES).unwrap();
    assert_eq!(finer.bounds().1.x, 1.0);
}

#[test]
fn problems_have_their_line_and_column() {
    let none = "-9999";
    for (text, is_grid, expected) in [
        (
            "1,2\n3,4,5\n",
            false,
            "line 2: a row of 3 heights; the first has 2, and all must have as many",
        ),
        (
            "1,2\n3,four\n",
            false,
            &format!("line 2: column 2: \"four\" {NUMBER}"),
        ),
        (
            "1,2\n3,inf\n",
            false,
            &format!("line 2: column 2: \"inf\" {NUMBER}"),
        ),
        (
            "# a\n1,,2\n3,4,5\n",
            false,
            &format!("line 2: column 2: {GAP}"),
        ),
        (
            "1;2,5\n",
            false,
            &format!("line 1: column 2: \"2,5\" {NUMBER}"),
        ),
        (
            "1,5\t2\n",
            false,
            &format!("line 1: column 2: \"5\\t2\" {NUMBER}"),
        ),
        ("1,2,\n3,4,\n", false, &format!("line 1: column 3: {GAP}")),
        (
            "1,2,3\n",
            false,
            "has 1 rows and 3 columns of heights; a surface needs 2 of each at least",
        ),
        (
            "",
            false,
            "has 0 rows and 0 columns of heights; a surface needs 2 of each at least",
        ),
        (
            "ncols 2\nnrows 2\ncellsize 0\n",
            true,
            "line 3: cellsize is 0; must be > 0",
        ),
        (
            "ncols 2\nnrows x\n",
            true,
            "line 2: nrows is \"x\"; expected a finite number such as 2.5",
        ),
        (
            "ncols 2\nrows 2\n",
            true,
            "line 2: found \"rows\"; before its rows a grid has ncols, nrows, xllcorner, yllcorner, xllcenter, \
             yllcenter, cellsize, nodata_value, dx, dy",
        ),
        (
            "DX 2\nDY 3\n1 2\n3 4\n",
            true,
            "has cells that are not square, by dx and dy; export it with one cellsize",
        ),
        (
            "dx 2\n1 2\n3 4\n",
            true,
            "has dx without dy; export it with one cellsize",
        ),
        (
            "dy 2\n1 2\n3 4\n",
            true,
            "has dy without dx; export it with one cellsize",
        ),
        ("dy -1\n", true, "line 1: dy is -1; must be > 0"),
        (
            "x;y;z\n0;0;1\n",
            false,
            &format!("line 1: column 1: \"x\" {NUMBER}"),
        ),
        (
            "ncols 2\nnrows 2\n1 2\n3 4\n",
            false,
            &format!("line 1: column 1: \"ncols\" {NUMBER}"),
        ),
        (
            "P\0K\0",
            false,
            "is not plain text; export it as rows of numbers in UTF-8",
        ),
        (NINE, false, POINTS),
        (
            "0,0,5\n0,2.5,5\n0,5,5\n2,0,6\n2,2.5,7\n2,5,7\n3,0,6\n3,2.5,7\n3,5,7\n",
            false,
            POINTS,
        ),
        (TENTHS, false, COMMAS),
        (
            "ncols 3\n1 2\n3 4\n",
            true,
            "has 2 columns of heights, but ncols is 3; export it again with a line for each row",
        ),
        (
            "nrows 3\n1 2\n3 4\n",
            true,
            "has 2 rows of heights, but nrows is 3; export it again with a line for each row",
        ),
        (
            &format!("1 2\n3 {none}\n"),
            true,
            "line 2: column 2: -9999 stands for no height (NODATA); fill the gap in the program it comes from",
        ),
        (
            "1;2\n3;-9999.0\n",
            false,
            "line 2: column 2: -9999.0 stands for no height (NODATA); fill the gap in the program it comes from",
        ),
        (
            "nodata_value nan\n1 NaN\n3 4\n",
            true,
            "line 2: column 2: NaN stands for no height (NODATA); fill the gap in the program it comes from",
        ),
    ] {
        assert_eq!(parse(text.as_bytes(), is_grid).unwrap_err(), expected);
    }
    for least in [
        "-3.4028235e+38",
        "-3.40282346638529e+38",
        "-3.4028234663852886e38",
    ] {
        let text = format!("nodata_value -9999\n1 2\n3 {least}\n");
        let error = parse(text.as_bytes(), true).unwrap_err();
        assert!(error.starts_with(&format!("line 3: column 2: {least} stands for no height")));
    }
    let many = "1,".repeat(600) + "1\n";
    let error = parse(many.repeat(600).as_bytes(), false).unwrap_err();
    assert_eq!(
        error,
        "line 416: more than 250000 heights; thin the grid, or cut out what is touched"
    );
    let sizes = Sizes {
        spacing: None,
        ..SIZES
    };
    let error = csv("1,2\n3,4\n").solid(&sizes).unwrap_err();
    assert_eq!(
        error,
        "has no cellsize; write spacing, the distance of its heights"
    );
}
