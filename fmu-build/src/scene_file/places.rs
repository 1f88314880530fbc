//! Where items of a scene and their fields are in its file.

use contact_model::scene::SceneItem;
use std::collections::HashMap;

/// A place, a byte range or a position, of each item (field "") and of the fields that the file
/// has.
#[derive(Clone, Debug, PartialEq)]
pub struct Places<T>(HashMap<(SceneItem, &'static str), T>);

impl<T> Default for Places<T> {
    fn default() -> Self {
        Places(HashMap::new())
    }
}

impl<T: Clone> Places<T> {
    /// Sets the place of a field, or with "" of the item.
    pub fn insert(&mut self, item: SceneItem, field: &'static str, place: T) {
        self.0.insert((item, field), place);
    }

    /// True if the file has the field, or with "" the item.
    pub fn has(&self, item: SceneItem, field: &'static str) -> bool {
        self.0.contains_key(&(item, field))
    }

    /// Place of a field, of its item where the file does not have the field, or of what the item is
    /// part of where it does not have the item.
    pub fn find(&self, item: SceneItem, field: &'static str) -> Option<T> {
        let own = self
            .0
            .get(&(item, field))
            .or_else(|| self.0.get(&(item, "")));
        match own {
            Some(place) => Some(place.clone()),
            None => self.find(whole_of(item)?, ""),
        }
    }

    /// The same places in other units.
    pub fn map<U>(&self, convert: impl Fn(&T) -> U) -> Places<U> {
        let places = self.0.iter();
        Places(places.map(|(key, place)| (*key, convert(place))).collect())
    }
}

/// The item that another one is part of; none for the scene.
fn whole_of(item: SceneItem) -> Option<SceneItem> {
    match item {
        SceneItem::Scene => None,
        SceneItem::Shape(body, _) => Some(SceneItem::Body(body)),
        SceneItem::Part(body, shape, _) => Some(SceneItem::Shape(body, shape)),
        _ => Some(SceneItem::Scene),
    }
}
