//! `[[pair]]`: what is set for two bodies or shapes against each other.

use super::contact::pair_name;
use super::law;
use super::walker::Section;
use contact_model::scene::SceneItem;
use contact_model::scene::description::pair::PAIR;
use contact_model::scene::description::{
    BodyDescription, PairDescription, PairResponse, ShapeName,
};

/// Reads all named pairs; the names are left open where not all `bodies` are known.
pub fn read_all(
    root: &mut Section<'_>,
    bodies: Option<&[BodyDescription]>,
) -> Vec<PairDescription> {
    let sections = root.tables("pair", SceneItem::Pair);
    let read = |section| read_pair(section, bodies);
    sections.into_iter().map(read).collect()
}

fn read_pair(mut section: Section<'_>, bodies: Option<&[BodyDescription]>) -> PairDescription {
    let unknown = || ShapeName {
        body: String::new(),
        shape: None,
    };
    let mut pair = PairDescription {
        between: [unknown(), unknown()],
        threshold: None,
        warn_below: None,
        distance: false,
        response: None,
    };
    section.rows(&PAIR, &mut pair, |section, key, pair| {
        if key.key == "between" {
            let given = section.key(key).zip(bodies);
            let names = given.and_then(|(field, bodies)| pair_name(&field, bodies));
            pair.between = names.unwrap_or_else(|| [unknown(), unknown()]);
        }
    });
    pair.response = match law::read(&mut section) {
        PairResponse::Law(changes) if changes.is_empty() => None,
        response => Some(response),
    };
    section.finish();
    pair
}
