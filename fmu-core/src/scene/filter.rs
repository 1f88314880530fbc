//! Who never touches whom: bodies that do not move against each other, bodies of one collision
//! group, and what is excluded by name.

use crate::scene::build::Body;
use crate::scene::description::{Motion, SceneDescription, ShapeName};
use std::fmt;

/// Number of the rigid group of a body: bodies of one never move against each other. All fixed
/// bodies are one group, each free body is one.
pub(super) fn rigid_group(bodies: &[Body], body: usize) -> usize {
    match bodies[body].motion {
        Motion::Fixed => bodies.len(),
        Motion::Free => body,
    }
}

/// Number of the collision group of each body.
pub(super) fn collision_groups(description: &SceneDescription) -> Vec<Option<usize>> {
    let mut names: Vec<&str> = Vec::new();
    let bodies = description.bodies.iter();
    let group = bodies.map(|body| {
        let name = body.collision_group.as_deref()?;
        let known = names.iter().position(|known| *known == name);
        Some(known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        }))
    });
    group.collect()
}

impl ShapeName {
    /// Whether this names a shape of a body, or all of them.
    pub fn names(&self, body: &str, shape: &str) -> bool {
        self.body == body && self.shape.as_deref().is_none_or(|own| own == shape)
    }
}

impl fmt::Display for ShapeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Some(shape) => write!(f, "{}.{shape}", self.body),
            None => f.write_str(&self.body),
        }
    }
}

/// What is wrong with an exclusion.
pub(super) fn flaw(description: &SceneDescription, names: &[ShapeName; 2]) -> Option<String> {
    for name in names {
        let Some(body) = description.bodies.iter().find(|b| b.name == name.body) else {
            let known = list(description.bodies.iter().map(|body| body.name.as_str()));
            return Some(format!("body {:?} is not known; known: {known}", name.body));
        };
        if let Some(shape) = &name.shape
            && body.shapes.iter().all(|s| s.name != *shape)
        {
            let known = list(body.shapes.iter().map(|shape| shape.name.as_str()));
            return Some(format!(
                "body {:?} has no shape {shape:?}; its shapes: {known}",
                name.body
            ));
        }
    }
    (names[0].body == names[1].body).then(|| {
        format!(
            "{} and {} are of one body; its shapes never collide, so remove the entry",
            names[0], names[1]
        )
    })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.is_empty() {
        true => "none".into(),
        false => names.join(", "),
    }
}
