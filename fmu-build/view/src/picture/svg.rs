//! A drawing as SVG: integer relative coordinates, one path for successive faces of one colour; and as PNG.

use crate::picture::drawing::{Drawing, LINES, Piece, shaded};
use std::collections::BTreeSet;
use std::fmt::Write;
use tiny_skia::{
    Color, FillRule, GradientStop, Paint, Path, PathBuilder, Pixmap, Point, RadialGradient, Shader,
    SpreadMode, Stroke, Transform,
};

/// Length of an arrow along a world axis [units].
const ARROW: f64 = 46.0;
/// Maximum length of the scale bar, relative to the width [1].
const BAR: f64 = 0.25;

pub(super) const LINE_WIDTH: i32 = 4;
/// Radius of the dot of a joint [units].
pub(super) const DOT_RADIUS: i32 = 7;

/// Title and text, also for those who do not see the picture.
#[derive(Clone, Copy, Debug)]
pub struct Legend<'a> {
    /// Title.
    pub title: &'a str,
    /// Description of the picture.
    pub text: &'a str,
}

/// Drawing as an SVG element, with world axes and a scale bar if there is a legend. Its texts inherit the
/// colour.
pub fn svg(drawing: &Drawing, legend: Option<Legend>) -> String {
    let [width, height] = drawing.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">"
    );
    if let Some(legend) = legend {
        let [title, text] = [legend.title, legend.text].map(quick_xml::escape::escape);
        let _ = write!(out, "<title>{title}</title><desc>{text}</desc>");
    }
    gradients(&mut out, drawing);
    pieces(&mut out, drawing);
    if legend.is_some() {
        axes(&mut out, drawing);
        bar(&mut out, drawing);
    }
    out.push_str("</svg>");
    out
}

/// Colour as in a style sheet.
pub fn hex([r, g, b]: [u8; 3]) -> String {
    let short = [r, g, b].iter().all(|c| c % 17 == 0);
    match short {
        true => format!("#{:x}{:x}{:x}", r / 17, g / 17, b / 17),
        false => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

/// Shading of balls, one gradient for each colour.
fn gradients(out: &mut String, drawing: &Drawing) {
    let colors = drawing.pieces.iter().filter_map(|piece| match piece {
        Piece::Ball { color, .. } => Some(*color),
        Piece::Polygon { .. } | Piece::Line { .. } => None,
    });
    let colors: BTreeSet<[u8; 3]> = colors.collect();
    if colors.is_empty() {
        return;
    }
    out.push_str("<defs>");
    for color in colors {
        let name = hex(color);
        let _ = write!(
            out,
            "<radialGradient id=\"ball{}\" cx=\".36\" cy=\".3\" r=\".75\">",
            &name[1..]
        );
        for (offset, shade) in BALL_SHADES {
            let stop = hex(shaded(color, shade));
            let _ = write!(out, "<stop offset=\"{offset}\" stop-color=\"{stop}\"/>");
        }
        out.push_str("</radialGradient>");
    }
    out.push_str("</defs>");
}

/// Brightness of a ball from the highlight outwards.
pub(super) const BALL_SHADES: [(f32, f64); 3] = [(0.0, 1.0), (0.45, 0.7), (1.0, 0.1)];

fn pieces(out: &mut String, drawing: &Drawing) {
    let mut open: Option<[u8; 3]> = None;
    for piece in &drawing.pieces {
        let color = match piece {
            Piece::Polygon { color, .. } => Some(*color),
            Piece::Ball { .. } | Piece::Line { .. } => None,
        };
        if open.is_some() && open != color {
            out.push_str("\"/>");
        }
        match piece {
            Piece::Polygon { points, color } => {
                if open != Some(*color) {
                    let _ = write!(out, "<path fill=\"{}\" d=\"", hex(*color));
                }
                polygon(out, points);
            }
            Piece::Line {
                ends: [[x, y], [u, v]],
            } => {
                let color = hex(LINES);
                let _ = write!(
                    out,
                    "<path stroke=\"{color}\" stroke-width=\"{LINE_WIDTH}\" d=\"M{x} {y}L{u} {v}\"/>\
                     <circle cx=\"{x}\" cy=\"{y}\" r=\"{DOT_RADIUS}\" fill=\"{color}\"/>"
                );
            }
            Piece::Ball {
                center: [x, y],
                radius,
                color,
            } => {
                let name = hex(*color);
                let _ = write!(
                    out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"url(#ball{})\"/>",
                    &name[1..]
                );
            }
        }
        open = color;
    }
    if open.is_some() {
        out.push_str("\"/>");
    }
}

fn polygon(out: &mut String, points: &[[i32; 2]]) {
    let mut before: Option<[i32; 2]> = None;
    for [x, y] in points.iter().copied() {
        let _ = match before {
            None => write!(out, "M{x} {y}"),
            Some([a, b]) => write!(out, "l{} {}", x - a, y - b),
        };
        before = Some([x, y]);
    }
    out.push('z');
}

fn axes(out: &mut String, drawing: &Drawing) {
    let origin = [ARROW + 24.0, f64::from(drawing.size[1]) - ARROW - 24.0];
    out.push_str(
        "<g stroke=\"currentColor\" fill=\"currentColor\" stroke-width=\"2\" font-size=\"24\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">",
    );
    for (name, [x, y]) in ["x", "y", "z"].iter().zip(drawing.axes) {
        let length = (x * x + y * y).sqrt();
        // An axis that points at the viewer has no direction.
        if length < 0.05 {
            continue;
        }
        let tip = [origin[0] + ARROW * x, origin[1] + ARROW * y];
        let label = [tip[0] + 15.0 * x / length, tip[1] + 15.0 * y / length + 8.0];
        let _ = write!(
            out,
            "<path d=\"M{:.0} {:.0}L{:.0} {:.0}\"/><text paint-order=\"stroke\" stroke=\"var(--band,#fff)\" stroke-width=\"6\" x=\"{:.0}\" \
             y=\"{:.0}\">{name}</text>",
            origin[0], origin[1], tip[0], tip[1], label[0], label[1]
        );
    }
    out.push_str("</g>");
}

/// Scale bar of a round length in the lower right corner.
fn bar(out: &mut String, drawing: &Drawing) {
    let [width, height] = drawing.size.map(f64::from);
    let most = BAR * width / drawing.scale;
    let length = round_length(most);
    let (right, y) = (width - 24.0, height - 24.0);
    let left = right - length * drawing.scale;
    let text = crate::number::with_unit(length, "m");
    let _ = write!(
        out,
        "<g stroke=\"currentColor\" fill=\"none\" stroke-width=\"2\"><path d=\"M{left:.0} \
         {:.0}v8M{left:.0} {y:.0}H{right:.0}M{right:.0} {:.0}v8\"/><text paint-order=\"stroke\" stroke=\"var(--band,#fff)\" stroke-width=\"6\" \
         fill=\"currentColor\" font-size=\"24\" font-family=\"sans-serif\" text-anchor=\"end\" \
         x=\"{right:.0}\" y=\"{:.0}\">{text}</text></g>",
        y - 4.0,
        y - 4.0,
        y - 12.0
    );
}

/// Largest of 1, 2, 5 times a power of ten that is not above `most`.
fn round_length(most: f64) -> f64 {
    let mut power = 1.0;
    while power > most {
        power /= 10.0;
    }
    while power * 10.0 <= most {
        power *= 10.0;
    }
    let fits = [5.0, 2.0].into_iter().find(|digit| digit * power <= most);
    fits.unwrap_or(1.0) * power
}

/// Drawing as a PNG file of this width [px], with transparent background.
///
/// # Errors
/// An impossible width, or an error of the encoder.
pub fn png(drawing: &Drawing, width: u32) -> Result<Vec<u8>, String> {
    let scale = width as f32 / drawing.size[0] as f32;
    let height = (drawing.size[1] as f32 * scale).round() as u32;
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| format!("no picture has {width} x {height} pixels"))?;
    let transform = Transform::from_scale(scale, scale);
    for piece in &drawing.pieces {
        let (path, shader) = match piece {
            Piece::Polygon { points, color } => {
                (polygon_path(points), Shader::SolidColor(rgb(*color)))
            }
            Piece::Line { ends: [from, to] } => {
                let paint = Paint {
                    shader: Shader::SolidColor(rgb(LINES)),
                    ..Paint::default()
                };
                let stroke = Stroke {
                    width: LINE_WIDTH as f32,
                    ..Stroke::default()
                };
                if let Some(path) = polygon_path(&[*from, *to]) {
                    pixels.stroke_path(&path, &paint, &stroke, transform, None);
                }
                let [x, y] = from.map(|c| c as f32);
                (
                    PathBuilder::from_circle(x, y, DOT_RADIUS as f32),
                    paint.shader,
                )
            }
            Piece::Ball {
                center,
                radius,
                color,
            } => ball(*center, *radius, *color),
        };
        let paint = Paint {
            shader,
            ..Paint::default()
        };
        // A polygon without area has no path.
        if let Some(path) = path {
            pixels.fill_path(&path, &paint, FillRule::Winding, transform, None);
        }
    }
    pixels.encode_png().map_err(|error| error.to_string())
}

fn rgb([r, g, b]: [u8; 3]) -> Color {
    Color::from_rgba8(r, g, b, 255)
}

fn polygon_path(points: &[[i32; 2]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut points = points.iter().map(|[x, y]| (*x as f32, *y as f32));
    let (x, y) = points.next()?;
    path.move_to(x, y);
    points.for_each(|(x, y)| path.line_to(x, y));
    path.close();
    path.finish()
}

/// Circle with the gradient of the SVG: about a point above on the left.
fn ball(center: [i32; 2], radius: i32, color: [u8; 3]) -> (Option<Path>, Shader<'static>) {
    let [x, y] = center.map(|c| c as f32);
    let r = radius as f32;
    let stop = |(offset, shade): (f32, f64)| GradientStop::new(offset, rgb(shaded(color, shade)));
    let light = Point::from_xy(x - 0.28 * r, y - 0.4 * r);
    let gradient = RadialGradient::new(
        light,
        0.0,
        light,
        1.5 * r,
        BALL_SHADES.into_iter().map(stop).collect(),
        SpreadMode::Pad,
        Transform::identity(),
    );
    let flat = Shader::SolidColor(rgb(color));
    (PathBuilder::from_circle(x, y, r), gradient.unwrap_or(flat))
}
