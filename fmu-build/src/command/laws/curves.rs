//! Contact laws of a scene as pictures, after the figures of [Modia3D collision handling]: regularisation,
//! friction over slip speed, restitution and damping over impact speed, damping over restitution, and the
//! force over the penetration of an impact.

use super::{LawFacts, Laws, Meeting, bounce};
use contact_geometry::math::reg;
use contact_laws::response::choice::Damping;
use fmu_view::number::{rounded, unit_prefix};
use fmu_view::report::figure::{Axis, Figure, Key, Line, MOST_SHOWN, Panel, Scale, Stroke};

const POINTS: usize = 241;
/// Range of impact speeds [m/s].
const SPEEDS: [f64; 2] = [1e-3, 10.0];
/// Visible movement of a line from point to point, relative to the largest value [1].
const VISIBLE: f64 = 2e-3;
/// Maximum number of laws with an impact panel.
const MOST_IMPACTS: usize = 6;
/// Range of slip speeds over the speed of full sliding friction [1].
const BEYOND: f64 = 1.5;
/// Ratio of slip speeds of the laws beyond which the axis is logarithmic [1].
const LINEAR_UP_TO: f64 = 30.0;
/// Range of restitutions for damping [1], which is singular at zero.
const RESTITUTIONS: [f64; 2] = [0.02, 1.0];

/// Names of files and figures, without empty ones; impacts at a speed [m/s].
pub(crate) fn figures(scene: &str, laws: &Laws, speed: f64) -> Vec<(&'static str, Figure)> {
    let met: Vec<MetLaw<'_>> = laws
        .list
        .iter()
        .filter_map(|facts| {
            let meeting = facts.meeting.as_ref().filter(|x| x.has_known_force())?;
            Some(MetLaw { facts, meeting })
        })
        .collect();
    let shown = &met[..met.len().min(MOST_SHOWN)];
    let note = (met.len() > shown.len())
        .then(|| format!("first {} of {} laws shown", shown.len(), met.len()));
    let figure = |title: &str, panels: Vec<Panel>| Figure {
        title: format!("{scene}: {title}"),
        times: Vec::new(),
        panels,
        marks: Vec::new(),
        mark_label: String::new(),
        note: note.clone(),
    };
    let mut impacts = figure(
        &format!("impacts at {} m/s", rounded(speed, 4)),
        met.iter()
            .take(MOST_IMPACTS)
            .map(|law| impact(law, speed))
            .collect(),
    );
    impacts.note = (met.len() > MOST_IMPACTS)
        .then(|| format!("first {MOST_IMPACTS} of {} laws shown", met.len()));
    let all = vec![
        (
            "reg.svg",
            figure("regularization of a speed", regularization(shown)),
        ),
        ("friction.svg", figure("friction", vec![friction(shown)])),
        (
            "restitution.svg",
            figure("restitution", vec![restitution(shown)]),
        ),
        (
            "damping.svg",
            figure(
                "damping d of f = f_el (1 + d \u{3b4}\u{307})",
                vec![
                    damping_over_speed(shown),
                    damping_over_restitution(shown, speed),
                ],
            ),
        ),
        ("impact.svg", impacts),
    ];
    // Where no law has a damping coefficient, for instance, there is no picture of it.
    let has_curves = |figure: &Figure| figure.panels.iter().any(|p| !p.lines.is_empty());
    let figures = all.into_iter();
    figures.filter(|(_, figure)| has_curves(figure)).collect()
}

/// Law with its most demanding pair.
struct MetLaw<'a> {
    facts: &'a LawFacts,
    meeting: &'a Meeting,
}

fn places(scale: Scale, range: [f64; 2]) -> Vec<f64> {
    let [from, to] = range.map(|value| scale.place(value));
    let place = |i: usize| from + (to - from) * i as f64 / (POINTS - 1) as f64;
    (0..POINTS).map(|i| scale.value(place(i))).collect()
}

fn axis(label: &str, scale: Scale, range: [f64; 2]) -> Axis {
    Axis {
        label: label.to_owned(),
        scale,
        places: places(scale, range),
    }
}

fn key(text: impl Into<String>, color: Option<usize>, stroke: Stroke) -> Key {
    Key {
        text: text.into(),
        color,
        stroke,
    }
}

/// Panel with a line for each law that has the value; laws keep their colours in all panels.
fn of_laws(
    laws: &[MetLaw<'_>],
    label: &str,
    axis: Axis,
    value: impl Fn(&MetLaw<'_>, f64) -> Option<f64>,
) -> Panel {
    let mut panel = Panel {
        label: label.to_owned(),
        ..Panel::default()
    };
    for (color, law) in laws.iter().enumerate() {
        let values: Option<Vec<f64>> = axis.places.iter().map(|x| value(law, *x)).collect();
        if let Some(values) = values {
            panel.lines.push(Line {
                color,
                stroke: Stroke::Solid,
                values,
            });
            panel
                .legend
                .push(key(law.facts.short_name(), Some(color), Stroke::Solid));
        }
    }
    panel.axis = Some(axis);
    panel
}

/// reg(v, v_small), and v/reg, the length of the regularised unit vector, for each v_small.
fn regularization(laws: &[MetLaw<'_>]) -> Vec<Panel> {
    let mut speeds: Vec<f64> = Vec::new();
    for MetLaw { meeting, .. } in laws {
        let v_small = meeting.law.damping.restitution.v_small;
        if !speeds.contains(&v_small) {
            speeds.push(v_small);
        }
    }
    let largest = speeds.iter().copied().fold(0.0, f64::max);
    let panel = |label: &str, value: &dyn Fn(f64, f64) -> f64| {
        let axis = axis("speed v [m/s]", Scale::Linear, [0.0, 2.0 * largest]);
        let line = |(color, v_small): (usize, &f64)| Line {
            color,
            stroke: Stroke::Solid,
            values: axis.places.iter().map(|v| value(*v, *v_small)).collect(),
        };
        let text = |v_small: &f64| format!("v_small {}", rounded(*v_small, 4));
        let keys = speeds.iter().enumerate();
        Panel {
            label: label.to_owned(),
            lines: speeds.iter().enumerate().map(line).collect(),
            legend: keys
                .map(|(c, v)| key(text(v), Some(c), Stroke::Solid))
                .collect(),
            axis: Some(axis),
            ..Panel::default()
        }
    };
    vec![
        panel("reg(v, v_small) [m/s]", &|v, v_small| reg(v, v_small)),
        panel("v / reg(v, v_small)", &|v, v_small| v / reg(v, v_small)),
    ]
}

fn friction(laws: &[MetLaw<'_>]) -> Panel {
    let speeds = || laws.iter().map(|law| law.meeting.sliding_speed());
    let largest = BEYOND * speeds().fold(0.0, f64::max);
    let peaks = laws.iter().map(|law| law.meeting.peak_speed());
    let least = peaks.filter(|v| *v > 0.0).fold(largest, f64::min);
    let axis = if largest > LINEAR_UP_TO * least {
        axis(
            "slip speed [m/s]",
            Scale::Logarithmic,
            [0.05 * least, largest],
        )
    } else {
        let largest = if largest > 0.0 { largest } else { 1.0 };
        axis("slip speed [m/s]", Scale::Linear, [0.0, largest])
    };
    of_laws(laws, "friction force / normal force", axis, |law, speed| {
        let meeting = law.meeting;
        meeting
            .has_known_friction()
            .then(|| meeting.friction(speed))
    })
}

/// Resulting restitution, and dashed the desired one if different.
fn restitution(laws: &[MetLaw<'_>]) -> Panel {
    let speeds = axis("impact speed [m/s]", Scale::Logarithmic, SPEEDS);
    let mut panel = of_laws(laws, "restitution", speeds.clone(), |law, speed| {
        Some(law.meeting.obtained(speed).unwrap_or(f64::NAN))
    });
    panel.legend.push(key("obtained", None, Stroke::Solid));
    let asks = |(_, law): &(usize, &MetLaw<'_>)| law.facts.asks_restitution();
    let asked = laws.iter().enumerate().filter(asks);
    if asked.clone().next().is_some() {
        panel.legend.push(key("asked", None, Stroke::Dashed));
    }
    panel.lines.extend(asked.map(|(color, law)| {
        Line {
            color,
            stroke: Stroke::Dashed,
            values: speeds
                .places
                .iter()
                .map(|v| law.meeting.asked(*v))
                .collect(),
        }
    }));
    panel
}

fn damping_over_speed(laws: &[MetLaw<'_>]) -> Panel {
    let axis = axis("impact speed [m/s]", Scale::Logarithmic, SPEEDS);
    let mut panel = of_laws(laws, "d [s/m]", axis, |law, speed| {
        let meeting = law.meeting;
        meeting
            .is_power_law()
            .then(|| meeting.law.damping.coefficient(speed))
    });
    panel.scale = Scale::Logarithmic;
    panel
}

/// Damping formulas of the laws, at one impact speed, with the bound of the scene.
fn damping_over_restitution(laws: &[MetLaw<'_>], speed: f64) -> Panel {
    let mut panel = Panel {
        label: format!("d at {} m/s [s/m]", rounded(speed, 4)),
        scale: Scale::Logarithmic,
        ..Panel::default()
    };
    let axis = axis("restitution asked", Scale::Linear, RESTITUTIONS);
    let mut kinds: Vec<Damping> = Vec::new();
    for MetLaw { facts, meeting } in laws {
        let law = &meeting.law.damping;
        let Some(word) = facts.damping_word().filter(|_| facts.asks_restitution()) else {
            continue;
        };
        if kinds.contains(&law.kind) {
            continue;
        }
        let color = kinds.len();
        kinds.push(law.kind);
        let largest = match law.kind {
            Damping::Inferred => f64::INFINITY,
            _ => law.d_max,
        };
        let value = |e: &f64| largest.min(law.kind.relative(*e) / speed);
        panel.lines.push(Line {
            color,
            stroke: Stroke::Solid,
            values: axis.places.iter().map(value).collect(),
        });
        panel.legend.push(key(word, Some(color), Stroke::Solid));
    }
    panel.axis = Some(axis);
    panel
}

/// Force over penetration in an impact, in units with a prefix.
fn impact(MetLaw { facts, meeting }: &MetLaw<'_>, speed: f64) -> Panel {
    let found = meeting.impact(speed);
    let (depth, force) = found.map_or((1.0, 1.0), |f| (f.largest_depth, f.largest_force));
    let (mut depths, mut forces) = (Vec::new(), Vec::new());
    let mut last = [f64::NEG_INFINITY; 2];
    bounce::follow(&meeting.law, meeting.mass, speed, |moment| {
        // Steps are far shorter at the ends than a picture needs.
        let moved = [
            (moment.depth - last[0]) / depth,
            (moment.force - last[1]) / force,
        ];
        if moved.iter().any(|part| part.abs() > VISIBLE) || moment.depth <= 0.0 {
            last = [moment.depth, moment.force];
            depths.push(moment.depth);
            forces.push(moment.force);
        }
    });
    let (depth_unit, meters) = unit_prefix(depth);
    let (force_unit, newtons) = unit_prefix(force);
    Panel {
        label: format!("force [{force_unit}N]"),
        axis: Some(Axis {
            label: format!(
                "penetration [{depth_unit}m], effective mass {} kg",
                rounded(meeting.mass, 4)
            ),
            scale: Scale::Linear,
            places: depths.iter().map(|d| d / meters).collect(),
        }),
        lines: vec![Line {
            color: 0,
            stroke: Stroke::Solid,
            values: forces.iter().map(|f| f / newtons).collect(),
        }],
        legend: vec![key(facts.short_name(), Some(0), Stroke::Solid)],
        ..Panel::default()
    }
}
