//! Finds the bodies in a trajectory by the names of its columns: `BODY.position[1..3]`,
//! `BODY.orientation[1..4]` (quaternion w, x, y, z), `BODY.velocity[1..3]`.

use crate::host::Trajectory;

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
}

/// All bodies with a position, in the order of their columns.
pub fn find(trajectory: &Trajectory) -> Vec<Body> {
    let columns = trajectory.columns();
    // An array has its entries side by side.
    let entries_at = |first: usize, name: &str, count: usize| {
        (1..=count).all(|i| {
            let column = columns.get(first + i - 1);
            column.is_some_and(|c| c.name.strip_prefix(name) == Some(&format!("[{i}]")))
        })
    };
    let array = |name: String, count: usize| {
        let first = trajectory.index_of(&format!("{name}[1]"))?;
        entries_at(first, &name, count).then_some(first)
    };
    let mut bodies = Vec::new();
    for (first, column) in columns.iter().enumerate() {
        let Some(name) = column.name.strip_suffix(".position[1]") else {
            continue;
        };
        if entries_at(first, &format!("{name}.position"), 3) {
            bodies.push(Body {
                position: [first, first + 1, first + 2],
                orientation: array(format!("{name}.orientation"), 4)
                    .map(|i| [i, i + 1, i + 2, i + 3]),
                velocity: array(format!("{name}.velocity"), 3).map(|i| [i, i + 1, i + 2]),
                name: name.to_owned(),
            });
        }
    }
    bodies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Column;

    fn trajectory(names: &[&str]) -> Trajectory {
        let column = |name: &&str| Column {
            name: (*name).into(),
            unit: None,
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
    fn a_position_of_two_entries_is_no_body() {
        let t = trajectory(&["a.position[1]", "a.position[2]"]);
        assert!(find(&t).is_empty());
    }
}
