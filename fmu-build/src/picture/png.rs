//! A drawing as PNG, on a transparent ground.

use super::drawing::{Drawing, LINES, Piece, shaded};
use super::svg::{BALL_SHADES, DOT_RADIUS, LINE_WIDTH};
use tiny_skia::{
    Color, FillRule, GradientStop, Paint, Path, PathBuilder, Pixmap, Point, RadialGradient, Shader,
    SpreadMode, Stroke, Transform,
};

/// The drawing as a PNG file so many pixels wide.
///
/// # Errors
/// A width that no picture can have, or what the encoder says.
pub fn png(drawing: &Drawing, width: u32) -> Result<Vec<u8>, String> {
    let scale = width as f32 / drawing.size[0] as f32;
    let height = (drawing.size[1] as f32 * scale).round() as u32;
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| format!("no picture has {width} x {height} pixels"))?;
    let transform = Transform::from_scale(scale, scale);
    for piece in &drawing.pieces {
        let (path, shader) = match piece {
            Piece::Polygon { points, color } => (polygon(points), Shader::SolidColor(rgb(*color))),
            Piece::Line { ends: [from, to] } => {
                let paint = Paint {
                    shader: Shader::SolidColor(rgb(LINES)),
                    ..Paint::default()
                };
                let stroke = Stroke {
                    width: LINE_WIDTH as f32,
                    ..Stroke::default()
                };
                if let Some(path) = polygon(&[*from, *to]) {
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

fn polygon(points: &[[i32; 2]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut points = points.iter().map(|[x, y]| (*x as f32, *y as f32));
    let (x, y) = points.next()?;
    path.move_to(x, y);
    points.for_each(|(x, y)| path.line_to(x, y));
    path.close();
    path.finish()
}

/// A circle with the gradient of the SVG: about a point above on the left.
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
