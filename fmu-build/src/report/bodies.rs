//! Finds the bodies in a trajectory by the names of its columns: `BODY.position[1..3]`,
//! `BODY.orientation[1..4]` (quaternion w, x, y, z), `BODY.velocity[1..3]`, or the same in flat
//! names. A free joint and a measurement have such columns too; their descriptions name the frames.

use crate::host::{Column, Trajectory};

/// Columns of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Columns of the position [m].
    pub position: [usize; 3],
    /// Columns of the orientation.
    pub orientation: Option<[usize; 4]>,
    /// Columns of the velocity [m/s].
    pub velocity: Option<[usize; 3]>,
    /// Columns of the angular velocity [rad/s].
    pub angular_velocity: Option<[usize; 3]>,
}

/// How names are written: before the field, before and after an index. Structured names, flat ones,
/// and elements of an array with a flat name.
const STYLES: [[&str; 3]; 3] = [[".", "[", "]"], ["_", "_", ""], ["_", "[", "]"]];

/// Words of a description by which a position is that of one frame against another.
const OF_FRAMES: [&str; 2] = ["joint frame of the", "axes of the first frame"];

/// All bodies with a position, in the order of their columns.
pub fn find(trajectory: &Trajectory) -> Vec<Body> {
    let columns = trajectory.columns().iter().enumerate();
    let of_frames = |column: &Column| {
        let text = column.description.as_deref();
        text.is_some_and(|text| OF_FRAMES.iter().any(|words| text.contains(words)))
    };
    columns
        .filter(|(_, column)| !of_frames(column))
        .filter_map(|(first, column)| {
            STYLES.iter().find_map(|style| {
                let name = column.name.strip_suffix(&entry(style, "", "position", 1))?;
                body(trajectory, style, name, first)
            })
        })
        .collect()
}

fn entry([dot, open, close]: &[&str; 3], body: &str, field: &str, index: usize) -> String {
    format!("{body}{dot}{field}{open}{index}{close}")
}

/// The body of this name, whose position begins in the column `first`.
fn body(trajectory: &Trajectory, style: &[&str; 3], name: &str, first: usize) -> Option<Body> {
    let columns = trajectory.columns();
    // A vector has its entries side by side.
    let is_vector = |first: usize, field: &str, count: usize| {
        (1..=count).all(|i| {
            let column = columns.get(first + i - 1);
            column.is_some_and(|c| c.name == entry(style, name, field, i))
        })
    };
    let vector = |field: &str, count: usize| {
        let first = trajectory.index_of(&entry(style, name, field, 1))?;
        is_vector(first, field, count).then_some(first)
    };
    is_vector(first, "position", 3).then(|| Body {
        name: name.to_owned(),
        position: [first, first + 1, first + 2],
        orientation: vector("orientation", 4).map(|i| [i, i + 1, i + 2, i + 3]),
        velocity: vector("velocity", 3).map(|i| [i, i + 1, i + 2]),
        angular_velocity: vector("angular_velocity", 3).map(|i| [i, i + 1, i + 2]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trajectory(names: &[&str]) -> Trajectory {
        let column = |name: &&str| Column {
            name: (*name).into(),
            unit: None,
            description: None,
        };
        Trajectory::new(names.iter().map(column).collect())
    }

    #[test]
    fn a_body_is_found_by_its_position_with_what_else_it_has() {
        let t = trajectory(&[
            "x",
            "a.position[1]",
            "a.position[2]",
            "a.position[3]",
            "a.velocity[1]",
            "a.velocity[2]",
            "a.velocity[3]",
            "b.c.position[1]",
            "b.c.position[2]",
            "b.c.position[3]",
        ]);
        let bodies = find(&t);
        assert_eq!(bodies.len(), 2);
        assert_eq!(
            (bodies[0].name.as_str(), bodies[0].position),
            ("a", [1, 2, 3])
        );
        assert_eq!(
            (bodies[0].velocity, bodies[0].orientation),
            (Some([4, 5, 6]), None)
        );
        assert_eq!((bodies[1].name.as_str(), bodies[1].velocity), ("b.c", None));
    }

    #[test]
    fn bodies_with_flat_names_are_found_too() {
        for (open, close) in [("_", ""), ("[", "]")] {
            let name = |field: &str, i: usize| format!("a_b_{field}{open}{i}{close}");
            let position = (1..=3).map(|i| name("position", i));
            let names: Vec<String> = position
                .chain((1..=4).map(|i| name("orientation", i)))
                .collect();
            let texts: Vec<&str> = names.iter().map(String::as_str).collect();
            let expected = Body {
                name: "a_b".into(),
                position: [0, 1, 2],
                orientation: Some([3, 4, 5, 6]),
                velocity: None,
                angular_velocity: None,
            };
            assert_eq!(find(&trajectory(&texts)), [expected]);
        }
    }

    /// Descriptions as the variable table of this project writes them.
    #[test]
    fn a_free_joint_and_a_measurement_are_no_bodies() {
        let of = |description: &str| {
            let column = |i| Column {
                name: format!("a.position[{i}]"),
                unit: None,
                description: Some(description.into()),
            };
            find(&Trajectory::new((1..=3).map(column).collect())).len()
        };
        let joint = "Position x [m], joint frame of the child, joint frame of the parent";
        let measured = "Position of b from the world, x [m], axes of the first frame";
        assert_eq!((of(joint), of(measured)), (0, 0));
        assert_eq!(of("Position x [m], body origin, world axes"), 1);
    }

    #[test]
    fn a_position_of_two_entries_is_no_body() {
        let t = trajectory(&["a.position[1]", "a.position[2]"]);
        assert!(find(&t).is_empty());
    }
}
