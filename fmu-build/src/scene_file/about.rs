//! What a scene file says about itself: `description`, `author`, `copyright`, `license`, `version`.

use super::walker::Section;
use contact_laws::quantity::row::Access;
use contact_model::scene::description::about::{ABOUT, About};

/// Reads the keys. XML has no characters of control but tabs and ends of lines, so a text with others is
/// a problem of the file.
pub fn read(root: &mut Section<'_>) -> About {
    let mut about = About::default();
    for row in ABOUT {
        let Some(field) = root.key(row.key) else {
            continue;
        };
        match (field.clone().string(), row.access) {
            (Some(text), _) if text.contains(is_unfit) => {
                field.wrong("a text without characters of control");
            }
            (Some(text), Access::Text(set)) => set(&mut about, text),
            _ => {}
        }
    }
    about
}

/// [XML 1.0] section 2.2, production 2.
fn is_unfit(letter: char) -> bool {
    matches!(letter, '\u{fffe}' | '\u{ffff}')
        || letter < ' ' && !matches!(letter, '\t' | '\n' | '\r')
}
