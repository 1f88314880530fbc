//! What the page in an FMU shows of its scene.

use super::laws::{LawFacts, Laws};
use super::settings::Setting;
use super::words::forms::{form_words, group_words};
use super::words::joints::{coordinate_in_words, joint_details};
use super::words::laws::{USUAL_SPEEDS, consequences};
use crate::description::page::{BodyNote, JointNote, LawNote, Page};
use crate::picture::drawing::{Drawing, Format, color_of};
use crate::picture::svg::{Legend, hex, svg};
use contact_laws::quantity::Keyword;
use contact_model::scene::description::{BodyDescription, ShapeDescription};
use contact_model::scene::{Joint, Scene, SceneDescription};

/// Width of the picture [units].
const WIDTH: i32 = 1200;
/// Bodies that are named where the picture is put in words.
const NAMED: usize = 20;

/// The scene with what its laws mean, the text of its file if there is one, and what was set
/// otherwise.
pub(super) fn page(
    scene: &Scene,
    description: &SceneDescription,
    laws: &Laws,
    text: Option<&str>,
    settings: &[Setting],
) -> Page {
    let setting = |setting: &Setting| format!("{}={}", setting.name, setting.value);
    Page {
        picture: picture(scene, description),
        bodies: description
            .bodies
            .iter()
            .enumerate()
            .map(|(index, body)| body_note(scene, index, body))
            .chain(
                scene
                    .grains()
                    .iter()
                    .zip(&description.grains)
                    .map(|(group, given)| BodyNote {
                        color: Some(hex(color_of(scene, group.bodies.start.into()))),
                        shapes: vec![format!("{}, {}", group_words(group), given.material)],
                    }),
            )
            .collect(),
        joints: scene.joints().iter().map(joint_note).collect(),
        laws: laws.list.iter().map(law_note).collect(),
        plot: None,
        scene_text: text.map(str::to_owned),
        settings: settings.iter().map(setting).collect(),
    }
}

fn picture(scene: &Scene, description: &SceneDescription) -> String {
    let drawing = Drawing::of(scene, description, Format::Wide(WIDTH));
    let bodies = description.bodies.iter().map(|body| body.name.as_str());
    let groups = description.grains.iter().map(|group| group.name.as_str());
    let mut named: Vec<&str> = bodies.chain(groups).collect();
    if named.len() > NAMED {
        named.truncate(NAMED);
        named.push("and others");
    }
    let legend = Legend {
        title: &format!("The scene {} at its start", scene.name()),
        text: &format!("Bodies: {}", named.join(", ")),
    };
    svg(&drawing, Some(legend))
}

fn body_note(scene: &Scene, index: usize, body: &BodyDescription) -> BodyNote {
    let is_drawn = !body.shapes.is_empty();
    let shape = |shape: &ShapeDescription| {
        let contact = match shape.collision {
            true => "",
            false => ", without contact",
        };
        // A shape without a name of its own has that of its form.
        let name = match shape.name == shape.form.key() {
            true => String::new(),
            false => format!("{}: ", shape.name),
        };
        let words = form_words(&shape.form);
        format!("{name}{words}, {}{contact}", shape.material)
    };
    BodyNote {
        color: is_drawn.then(|| hex(color_of(scene, index))),
        shapes: body.shapes.iter().map(shape).collect(),
    }
}

fn joint_note(joint: &Joint) -> JointNote {
    let coordinates = joint.kind.coordinates().iter().enumerate();
    JointNote {
        text: format!("{}{}", joint.kind.word(), joint_details(joint)),
        coordinates: coordinates
            .map(|(index, coordinate)| coordinate_in_words(joint, index, coordinate))
            .collect(),
    }
}

fn law_note(facts: &LawFacts) -> LawNote {
    let name = facts.name.clone();
    match consequences(facts, &USUAL_SPEEDS) {
        Ok(found) => LawNote {
            name,
            at: found.at,
            impacts: found
                .impacts
                .into_iter()
                .map(|(label, cells)| (label.to_owned(), cells))
                .collect(),
            notes: found.notes,
        },
        Err(reason) => LawNote {
            name,
            at: reason,
            ..LawNote::default()
        },
    }
}
