//! A figure as SVG.
//!
//! The drawing library uses integer pixels, so everything is drawn [`FINE`] times as large and the picture is
//! scaled afterwards, for smooth lines.

use super::figure::{Figure, Key, Line, Panel, Scale, Stroke};
use crate::number::rounded;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Drawing units per pixel.
const FINE: u32 = 8;
const WIDTH: u32 = 860;
const PANEL_HEIGHT: u32 = 270;
const TITLE_HEIGHT: u32 = 44;
/// Height of the line below the panels [px].
const FOOT_HEIGHT: u32 = 26;
/// Width of the legends, right of the panels [px].
const LEGEND_WIDTH: u32 = 165;
const LEGEND_LINE: i32 = 19;
/// Maximum number of characters of a legend; longer ones are shortened.
pub const LEGEND_CHARACTERS: usize = 17;
/// Intervals of the time axis; a line has its lowest and highest value in each.
const BUCKETS: usize = 1200;
/// Intervals in a small picture: every seventh pixel.
const SMALL_BUCKETS: usize = 100;
/// Width left of the panels [px]: minimum, and without the texts of the ticks.
const LEFT_WIDTHS: (i32, i32) = (62, 26);
/// Maximum width of a character of a tick [px]: a digit.
const DIGIT_WIDTH: i32 = 7;
const TICKS: usize = 6;
/// Free space above and below the lines, relative to their range.
const HEADROOM: f64 = 0.06;

/// Colours distinguishable with any colour vision, after Okabe and Ito.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 94, 60),
    RGBColor(70, 70, 70),
];
const TEXT: RGBColor = RGBColor(40, 40, 40);
const FRAME: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(228, 228, 228);
const MARK: RGBColor = RGBColor(190, 190, 190);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawResult = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Figure as an SVG document.
///
/// # Errors
/// The text of the drawing library.
pub fn svg(figure: &Figure) -> Result<String, String> {
    svg_of(figure, BUCKETS)
}

/// Figure with fewer points, for a small page.
///
/// # Errors
/// The text of the drawing library.
pub fn small_svg(figure: &Figure) -> Result<String, String> {
    svg_of(figure, SMALL_BUCKETS)
}

fn svg_of(figure: &Figure, buckets: usize) -> Result<String, String> {
    let panels = figure.panels.len().max(1) as u32;
    let height = TITLE_HEIGHT + panels * PANEL_HEIGHT + FOOT_HEIGHT;
    let mut text = String::new();
    {
        let backend = SVGBackend::with_string(&mut text, (WIDTH * FINE, height * FINE));
        draw(figure, buckets, &backend.into_drawing_area()).map_err(|e| e.to_string())?;
    }
    let fine = format!("width=\"{}\" height=\"{}\" ", WIDTH * FINE, height * FINE);
    let real = format!("width=\"{WIDTH}\" height=\"{height}\" ");
    Ok(text.replacen(&fine, &real, 1))
}

const fn px(pixels: i32) -> i32 {
    pixels * FINE as i32
}

fn draw(figure: &Figure, buckets: usize, root: &Area<'_>) -> DrawResult {
    root.fill(&WHITE)?;
    let title = font(17, &TEXT).pos(Pos::new(HPos::Left, VPos::Center));
    root.draw(&Text::new(
        figure.title.clone(),
        (px(20), px(TITLE_HEIGHT as i32 / 2)),
        title,
    ))?;
    let (_, body) = root.split_vertically(px(TITLE_HEIGHT as i32));
    let (_, size) = body.dim_in_pixel();
    let (body, foot) = body.split_vertically(size as i32 - px(FOOT_HEIGHT as i32));
    if let Some(note) = &figure.note {
        let style = font(11, &FRAME).pos(Pos::new(HPos::Left, VPos::Center));
        foot.draw(&Text::new(
            note.clone(),
            (px(20), px(FOOT_HEIGHT as i32 / 2 - 4)),
            style,
        ))?;
    }
    let areas = body.split_evenly((figure.panels.len().max(1), 1));
    let widths = figure.panels.iter().map(tick_width);
    let left = LEFT_WIDTHS.0.max(LEFT_WIDTHS.1 + widths.max().unwrap_or(0));
    for (index, (panel, area)) in figure.panels.iter().zip(&areas).enumerate() {
        let (chart, legend) = area.split_horizontally(px((WIDTH - LEGEND_WIDTH) as i32));
        let is_last = index + 1 == figure.panels.len();
        draw_panel(figure, buckets, panel, &chart, left, is_last)?;
        let marks = (index == 0 && !figure.marks.is_empty()).then_some(&*figure.mark_label);
        draw_legend(&panel.legend, marks, &legend)?;
    }
    root.present()
}

/// Plotted values of the lines of a panel, and their range.
fn heights(panel: &Panel) -> (Vec<Vec<f64>>, Range<f64>) {
    let heights = |line: &Line| -> Vec<f64> {
        let values = line.values.iter();
        values.map(|v| panel.scale.place(*v)).collect()
    };
    let lines: Vec<Vec<f64>> = panel.lines.iter().map(heights).collect();
    let heights = lines.iter().flatten().copied();
    let range = match panel.scale {
        Scale::Linear => range(heights, HEADROOM),
        Scale::Logarithmic => decades(range(heights, 0.0)),
    };
    (lines, range)
}

fn tick_width(panel: &Panel) -> i32 {
    let (_, range) = heights(panel);
    let axis: RangedCoordf64 = range.clone().into();
    let places = axis.key_points(ticks(panel.scale, &range, TICKS));
    let texts = places.iter().map(|v| tick(panel.scale, &range, *v));
    DIGIT_WIDTH * texts.map(|text| text.len() as i32).max().unwrap_or(0)
}

/// Draws a panel; `left` is the width left of it [px].
fn draw_panel(
    figure: &Figure,
    buckets: usize,
    panel: &Panel,
    area: &Area<'_>,
    left: i32,
    is_last: bool,
) -> DrawResult {
    let (across, places) = match &panel.axis {
        Some(axis) => (axis.scale, &axis.places),
        None => (Scale::Linear, &figure.times),
    };
    let places: Vec<f64> = places.iter().map(|p| across.place(*p)).collect();
    let (lines, y) = heights(panel);
    let x = range(places.iter().copied(), 0.0);
    let mut chart = ChartBuilder::on(area)
        .margin_left(px(12))
        .margin_right(px(12))
        .margin_top(px(6))
        .margin_bottom(px(6))
        .x_label_area_size(px(42))
        .y_label_area_size(px(left))
        .build_cartesian_2d(x.clone(), y.clone())?;
    let tick_x = |v: &f64| tick(across, &x, *v);
    let tick_y = |v: &f64| tick(panel.scale, &y, *v);
    let mut mesh = chart.configure_mesh();
    mesh.bold_line_style(GRID.stroke_width(FINE))
        .light_line_style(TRANSPARENT)
        .axis_style(FRAME.stroke_width(FINE))
        .label_style(font(12, &TEXT))
        .axis_desc_style(font(13, &TEXT))
        .set_all_tick_mark_size(px(4))
        .x_labels(ticks(across, &x, 9))
        .y_labels(ticks(panel.scale, &y, TICKS))
        .x_label_formatter(&tick_x)
        .y_label_formatter(&tick_y)
        .y_desc(panel.label.clone());
    match &panel.axis {
        Some(axis) => {
            mesh.x_desc(axis.label.clone());
        }
        None if is_last => {
            mesh.x_desc("time [s]");
        }
        None => {}
    }
    mesh.draw()?;
    for mark in &figure.marks {
        let line = [(*mark, y.start), (*mark, y.end)];
        chart.draw_series(LineSeries::new(line, MARK.stroke_width(FINE)))?;
    }
    for (line, heights) in panel.lines.iter().zip(&lines) {
        let points = thinned(&places, heights, buckets);
        let points: Vec<(f64, f64)> = points.into_iter().filter(|p| p.1.is_finite()).collect();
        let style = COLORS[line.color % COLORS.len()].stroke_width(2 * FINE);
        match dashes(line.stroke) {
            None => chart.draw_series(LineSeries::new(points, style))?,
            Some((dash, gap)) => {
                chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?
            }
        };
    }
    Ok(())
}

/// Text of a tick on an axis with this range.
fn tick(scale: Scale, range: &Range<f64>, place: f64) -> String {
    // Ticks are sums of steps: what the one at zero has is rounding.
    let is_zero = place.abs() < 1e-9 * (range.end - range.start);
    let place = if is_zero { 0.0 } else { place };
    let digits = match scale {
        Scale::Linear => 6,
        Scale::Logarithmic => 2,
    };
    rounded(scale.value(place), digits)
}

/// Number of ticks that gives decades on a logarithmic axis, unless there is hardly one.
fn ticks(scale: Scale, range: &Range<f64>, usual: usize) -> usize {
    let decades = range.end.floor() - range.start.ceil();
    match scale {
        Scale::Logarithmic if (1.0..16.0).contains(&decades) => decades as usize + 1,
        _ => usual,
    }
}

fn draw_legend(keys: &[Key], marks: Option<&str>, area: &Area<'_>) -> DrawResult {
    let mut y = px(20);
    let mut entry = |text: &str, color: RGBColor, stroke: Stroke, width: u32| {
        let style = color.stroke_width(width * FINE);
        let line = [(px(4), y), (px(30), y)];
        match dashes(stroke) {
            None => area.draw(&PathElement::new(line, style))?,
            Some((dash, gap)) => area.draw(&plotters::element::DashedPathElement::new(
                line, dash, gap, style,
            ))?,
        };
        let style = font(12, &TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(
            shortened(text, LEGEND_CHARACTERS),
            (px(37), y),
            style,
        ))?;
        y += px(LEGEND_LINE);
        DrawResult::Ok(())
    };
    for key in keys {
        let color = key.color.map_or(FRAME, |c| COLORS[c % COLORS.len()]);
        entry(&key.text, color, key.stroke, 2)?;
    }
    match marks {
        Some(text) => entry(text, MARK, Stroke::Solid, 1),
        None => Ok(()),
    }
}

fn font<'a>(size: i32, color: &'a RGBColor) -> TextStyle<'a> {
    ("sans-serif", f64::from(px(size)) * FONT_SCALE)
        .into_font()
        .color(color)
}

/// Factor by which the drawing library divides font sizes in an SVG.
const FONT_SCALE: f64 = 1.24;

/// Lengths of dashes and gaps in drawing units.
fn dashes(stroke: Stroke) -> Option<(i32, i32)> {
    match stroke {
        Stroke::Solid => None,
        Stroke::Dashed => Some((px(7), px(4))),
        Stroke::Dotted => Some((px(2), px(3))),
    }
}

/// Text shortened to `most` characters by cutting the middle, as names often differ at their ends only.
pub fn shortened(text: &str, most: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= most || most == 0 {
        return text.to_owned();
    }
    let kept = most - 1;
    let head: String = characters[..kept / 2].iter().collect();
    let tail: String = characters[characters.len() - (kept - kept / 2)..]
        .iter()
        .collect();
    format!("{head}\u{2026}{tail}")
}

/// Complete decades around a range of logarithms.
fn decades(range: Range<f64>) -> Range<f64> {
    let (low, high) = (range.start.floor(), range.end.ceil());
    if low < high {
        low..high
    } else {
        low - 1.0..high + 1.0
    }
}

/// Range of values with some headroom; never empty, so that a constant is in its middle.
fn range(values: impl Iterator<Item = f64> + Clone, headroom: f64) -> Range<f64> {
    let finite = values.filter(|v| v.is_finite());
    let low = finite.clone().fold(f64::INFINITY, f64::min);
    let high = finite.fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return 0.0..1.0;
    }
    // Differences that are rounding are no motion.
    let size = low.abs().max(high.abs());
    let width = high - low;
    if width <= 1e-9 * size || width == 0.0 {
        let half = if size > 0.0 { 0.1 * size } else { 1.0 };
        return low - half..high + half;
    }
    low - headroom * width..high + headroom * width
}

/// Points of a line; of a long one the minimum and the maximum in each interval of the time axis, which look
/// the same.
fn thinned(times: &[f64], values: &[f64], buckets: usize) -> Vec<(f64, f64)> {
    let point = |i: usize| (times[i], values[i]);
    let count = times.len().min(values.len());
    if count <= 4 * buckets {
        return (0..count).map(point).collect();
    }
    let mut points = Vec::with_capacity(2 * buckets + 2);
    points.push(point(0));
    for bucket in 0..buckets {
        let part = bucket * count / buckets..(bucket + 1) * count / buckets;
        let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let extremes = (part.clone().min_by(by_value), part.max_by(by_value));
        if let (Some(low), Some(high)) = extremes {
            points.push(point(low.min(high)));
            points.push(point(low.max(high)));
        }
    }
    points.push(point(count - 1));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::Axis;

    fn figure() -> Figure {
        let line = |color, stroke, values: &[f64]| Line {
            color,
            stroke,
            values: values.to_vec(),
        };
        let panel = Panel {
            label: "position [m]".into(),
            scale: Scale::Linear,
            axis: None,
            lines: vec![
                line(0, Stroke::Solid, &[0.0, 1.0, 4.0]),
                line(1, Stroke::Dashed, &[1.0, 1.0, 1.0]),
            ],
            legend: vec![Key {
                text: "ball <z> & a very long name".into(),
                color: Some(0),
                stroke: Stroke::Solid,
            }],
        };
        Figure {
            title: "a title".into(),
            times: vec![0.0, 1.0, 2.0],
            panels: vec![panel.clone(), panel],
            marks: vec![0.5],
            mark_label: "contact starts".into(),
            note: Some("first 8 of 9 bodies shown".into()),
        }
    }

    #[test]
    fn a_tick_that_rounding_keeps_from_zero_is_zero() {
        // Five steps of 0.2 up from -1.
        let place = [0.2; 5].iter().fold(-1.0, |sum: f64, step| sum + step);
        assert!(place != 0.0 && place.abs() < 1e-15);
        assert_eq!(tick(Scale::Linear, &(-1.05..0.05), place), "0");
        assert_eq!(tick(Scale::Linear, &(-1e-15..1e-15), 1e-16), "1e-16");
    }

    #[test]
    fn the_picture_is_well_formed_and_has_all_texts_and_its_size() {
        let text = svg(&figure()).unwrap();
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut lines = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Empty(e) => {
                    lines += usize::from(e.name().as_ref() == "polyline");
                }
                _ => {}
            }
        }
        assert!(lines > 4, "{lines}");
        for part in [
            "a title",
            "position [m]",
            "time [s]",
            "ball &lt;z&gt;\u{2026}ong name",
            "contact starts",
            "first 8 of 9 bodies shown",
        ] {
            assert!(text.contains(part), "{part}");
        }
        let head = "<svg width=\"860\" height=\"610\" viewBox=\"0 0 6880 4880\"";
        assert!(text.starts_with(head), "{}", &text[..80]);
    }

    /// Ticks end at the left of the panel, at the same x in all panels; the title of the axis is
    /// written upwards there, 13 px high.
    #[test]
    fn long_ticks_leave_room_for_the_title_of_the_axis() {
        let mut f = figure();
        let usual = svg(&f).unwrap();
        f.panels[0].lines.truncate(1);
        f.panels[0].lines[0].values = vec![0.099997, 0.1, 0.100003];
        let text = svg(&f).unwrap();
        // x of what is written with these words, in pixels.
        let place = |text: &str, words: &str| -> f64 {
            let lines: Vec<&str> = text.lines().collect();
            let at = lines.iter().position(|line| line.trim() == words);
            let tag = lines[at.unwrap_or_else(|| panic!("{words}")) - 1];
            let x = tag.split_once("x=\"").unwrap().1.split_once('"').unwrap().0;
            x.parse::<f64>().unwrap() / f64::from(FINE)
        };
        let ends = place(&text, "0.099998");
        // A digit of 12 px is at most 7 px wide.
        assert!(
            ends - 8.0 * 7.0 >= place(&text, "position [m]") + 13.0,
            "{ends}"
        );
        assert!(ends > place(&usual, "4") + 15.0, "{ends}");
        assert_eq!(ends, place(&text, "4"));
    }

    #[test]
    fn constants_infinities_and_empty_figures_are_drawn() {
        let mut f = figure();
        f.times = vec![1.0];
        f.panels[0].lines[0].values = vec![f64::INFINITY];
        f.panels[1].lines[0].values = vec![-3.0];
        svg(&f).unwrap();
        f.panels.clear();
        f.times.clear();
        svg(&f).unwrap();
    }

    #[test]
    fn a_panel_may_have_an_axis_of_its_own_with_decades() {
        let mut f = figure();
        f.panels[1].axis = Some(Axis {
            label: "impact speed [m/s]".into(),
            scale: Scale::Logarithmic,
            places: vec![0.01, 1.0, 100.0],
        });
        f.panels[1].scale = Scale::Logarithmic;
        // Zero has no place on this axis.
        f.panels[1].lines[0].values = vec![0.0, 10.0, 1000.0];
        let text = svg(&f).unwrap();
        for part in [
            "impact speed [m/s]",
            "\n0.01\n",
            "\n0.1\n",
            "\n100\n",
            "\n1000\n",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("inf") && !text.contains("NaN"));
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(shortened("seventeen_letters", 17), "seventeen_letters");
        assert_eq!(shortened("a_ball_of_many_12", 17), "a_ball_of_many_12");
        assert_eq!(
            shortened("a_ball_of_a_great_many_12", 17),
            "a_ball_o\u{2026}_many_12"
        );
    }

    #[test]
    fn a_range_is_never_empty() {
        assert_eq!(range([2.0, 2.0].into_iter(), 0.1), 1.8..2.2);
        assert_eq!(range([0.0].into_iter(), 0.1), -1.0..1.0);
        assert_eq!(range([f64::NAN].into_iter(), 0.1), 0.0..1.0);
        assert_eq!(range([0.0, 10.0].into_iter(), 0.1), -1.0..11.0);
    }

    #[test]
    fn a_thinned_line_keeps_ends_and_extremes() {
        let count = 100_000;
        let times: Vec<f64> = (0..count).map(f64::from).collect();
        let mut values = vec![0.0; count as usize];
        values[33_333] = 5.0;
        values[66_666] = -7.0;
        let points = thinned(&times, &values, BUCKETS);
        assert!(points.len() <= 2 * BUCKETS + 2);
        assert!(points.contains(&(33_333.0, 5.0)) && points.contains(&(66_666.0, -7.0)));
        assert_eq!((points[0].0, points[points.len() - 1].0), (0.0, 99_999.0));
        assert!(points.windows(2).all(|w| w[0].0 <= w[1].0));
    }
}
