//! The folder terminalsAndIcons of an FMU: the scene as icon; if the scene asks for terminals, these and
//! a picture for each kind of them.

use crate::description::ModelFacts;
use crate::description::template::TemplateError;
use crate::description::terminals::{TerminalKind, terminals, terminals_and_icons};
use crate::package::archive::Archive;
use crate::picture::drawing::{COLORS, Drawing, Format, Piece};
use crate::picture::png::png;
use crate::picture::svg::svg;
use contact_model::scene::{Scene, SceneDescription};
use fmu_core::instance::Standard;
use std::collections::BTreeSet;

/// Side of the icon as it is drawn [units], and as PNG [px].
const ICON: (i32, u32) = (512, 256);
/// Side of the picture of a terminal [units], and as PNG [px].
const TERMINAL: (i32, u32) = (64, 32);

/// What keeps the folder from being made.
pub(super) enum IconError {
    /// The file of the terminals.
    Template(TemplateError),
    /// A picture.
    Picture(String),
}

/// Adds the folder; to an FMU of FMI 2.0 also `model.png`, its own place for an icon.
pub(super) fn add(
    archive: &mut Archive,
    facts: &ModelFacts,
    scene: &Scene,
    description: &SceneDescription,
) -> Result<(), IconError> {
    let mut picture = |name: &str, drawing: &Drawing, width: u32| {
        let pixels = png(drawing, width).map_err(IconError::Picture)?;
        archive.add(format!("terminalsAndIcons/{name}.png"), pixels.clone());
        archive.add(format!("terminalsAndIcons/{name}.svg"), svg(drawing, None));
        Ok(pixels)
    };
    let drawing = Drawing::of(scene, description, Format::Square(ICON.0));
    let icon = picture("icon", &drawing, ICON.1)?;
    if scene.interface().terminals {
        let terminals = terminals(facts);
        let kinds: BTreeSet<TerminalKind> = terminals.iter().map(|t| t.kind).collect();
        for kind in kinds {
            picture(kind.icon(), &terminal(kind), TERMINAL.1)?;
        }
        let text = terminals_and_icons(&terminals).map_err(IconError::Template)?;
        archive.add("terminalsAndIcons/terminalsAndIcons.xml", text);
    }
    if facts.table.standard() == Standard::Fmi2 {
        archive.add("model.png", icon);
    }
    Ok(())
}

/// A driven body is a square, a free one a ball, a force an arrow, a joint two triangles tip to
/// tip, a contact a ball on a line, a measurement two bars with a line between.
fn terminal(kind: TerminalKind) -> Drawing {
    let color = COLORS[kind as usize % COLORS.len()];
    let polygon = |points: &[[i32; 2]]| Piece::Polygon {
        points: points.to_vec(),
        color,
    };
    let bar = |x: [i32; 2], y: [i32; 2]| {
        polygon(&[[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    };
    let ball = |center: [i32; 2], radius: i32| Piece::Ball {
        center,
        radius,
        color,
    };
    let pieces = match kind {
        TerminalKind::Driven => vec![bar([8, 56], [8, 56])],
        TerminalKind::Body => vec![ball([32, 32], 26)],
        TerminalKind::Grains => vec![ball([18, 44], 14), ball([46, 44], 14), ball([32, 20], 14)],
        TerminalKind::Force => vec![
            bar([4, 36], [24, 40]),
            polygon(&[[34, 10], [60, 32], [34, 54]]),
        ],
        TerminalKind::Joint => vec![
            polygon(&[[6, 12], [32, 32], [6, 52]]),
            polygon(&[[58, 12], [58, 52], [32, 32]]),
        ],
        TerminalKind::Contact => vec![ball([32, 26], 20), bar([4, 60], [48, 56])],
        TerminalKind::Measurement => vec![
            bar([6, 12], [8, 56]),
            bar([52, 58], [8, 56]),
            bar([12, 52], [29, 35]),
        ],
    };
    Drawing {
        size: [TERMINAL.0; 2],
        pieces,
        axes: [[0.0; 2]; 3],
        scale: 1.0,
    }
}
