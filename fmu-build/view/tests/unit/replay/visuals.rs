//! The visual description against the variables of the FMU, and frames from tables of these.

use super::table;
use super::visual::{Geometry, Visual};
use fmu_build::scene_file::{self, LoadedScene};
use fmu_core::instance::Standard;
use fmu_core::instance::variables::VariableTable;
use fmu_core::instance::variables::describe::Describer;
use std::collections::BTreeSet;
use std::path::Path;

/// A free ball, a bar on a joint, a driven plate and a fixed floor of two shapes.
fn scene(interface: &str) -> LoadedScene {
    let text = format!(
        r#"
format = 1
name = "scene"
world.gravity = [0, -9.81, 0]
experiment.stop_time = 1
contact.report = "all"
{interface}
[[body]]
name = "ball"
motion = "free"
position = [0, 1, 0]
shape = [{{ sphere = {{ diameter = 0.2 }}, material = "Steel" }}]
[[body]]
name = "twin"
motion = "free"
position = [1, 1, 0]
shape = [{{ sphere = {{ diameter = 0.2 }}, material = "Steel" }}]
[[body]]
name = "bar"
shape = [{{ box = {{ lengths = [0.1, 0.4, 0.1] }}, smoothing_radius = 0, material = "Steel" }}]
[[joint]]
name = "hinge"
type = "revolute"
parent = "world"
child = "bar"
axis = [0, 0, 1]
parent_frame.position = [3, 0, 0]
[[body]]
name = "plate"
motion = "driven"
position = [5, 0, 0]
shape = [{{ box = {{ lengths = [0.5, 0.1, 0.5] }}, material = "Steel" }}]
[[body]]
name = "floor"
motion = "fixed"
position = [0, -9, 0]
shape = [
    {{ name = "low", box = {{ lengths = [9, 1, 9] }}, material = "Steel" }},
    {{ name = "high", cylinder = {{ length = 1, diameter = 1 }}, position = [3, 1, 0], material = "Steel" }},
]
"#
    );
    scene_file::parse(&text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// The description, and the columns that a table of all variables has.
fn described(loaded: &LoadedScene, standard: Standard) -> (Visual, BTreeSet<String>) {
    let table = VariableTable::new(&loaded.scene, standard);
    let describer = Describer::new(&loaded.scene, &table);
    let variables = describer.variables(&vec![1.0; loaded.scene.layout().count()]);
    let visual = Visual::of(&loaded.scene, &loaded.description, &variables);
    let columns = variables.iter().flat_map(|variable| {
        let entry = |i: usize| match (variable.dimension, variable.columns) {
            (None, _) => variable.name.clone(),
            (Some(_), None) => format!("{}[{}]", variable.name, i + 1),
            (Some(_), Some(n)) => format!("{}[{},{}]", variable.name, i / n + 1, i % n + 1),
        };
        (0..variable.dimension.unwrap_or(1)).map(entry)
    });
    (visual, columns.collect())
}

#[test]
fn each_body_that_moves_has_variables_of_the_fmu_in_all_conventions() {
    for interface in ["", "interface.naming = \"flat\"", "interface.arrays = true"] {
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let (visual, columns) = described(&scene(interface), standard);
            let names: Vec<&str> = visual
                .bodies
                .iter()
                .map(|body| body.name.as_str())
                .collect();
            assert_eq!(names, ["ball", "twin", "bar", "plate", "floor"]);
            for body in &visual.bodies {
                let position = body.position.iter().flatten();
                let turned = body.orientation.iter().flatten();
                let matrix = body.rotation.iter().flatten();
                let all: Vec<&String> = position.chain(turned).chain(matrix).collect();
                let expected = if body.fixed { 0 } else { 7 };
                assert!(all.len() >= expected, "{interface} {}: {all:?}", body.name);
                assert_eq!(body.fixed, all.is_empty());
                for name in all {
                    assert!(columns.contains(name), "{interface} {standard:?}: {name}");
                }
            }
            assert!(!visual.contacts.is_empty());
            let names = visual
                .contacts
                .iter()
                .flat_map(|c| c.point.iter().chain(&c.force));
            names.for_each(|name| assert!(columns.contains(name), "{name}"));
        }
    }
}

#[test]
fn equal_shapes_share_a_geometry_and_shapes_stand_where_the_scene_has_them() {
    let (visual, _) = described(&scene(""), Standard::Fmi3);
    let [ball, twin, bar, _, floor] = &visual.bodies[..] else {
        panic!("{:?}", visual.bodies)
    };
    assert_eq!(ball.shapes[0].geometry, twin.shapes[0].geometry);
    let sphere = &visual.geometries[ball.shapes[0].geometry];
    assert_eq!(*sphere, Geometry::Sphere { radius: 0.1 });
    assert_eq!(floor.shapes[1].name, "high");
    assert_eq!(floor.shapes[1].pose.position, [3.0, 1.0, 0.0]);
    assert_eq!(visual.up, [0.0, 1.0, 0.0]);
    assert_eq!(
        (visual.joints[0].kind.as_str(), visual.joints[0].axis),
        ("revolute", Some([0.0, 0.0, 1.0]))
    );
    assert_eq!(visual.joints[0].frame.position, [3.0, 0.0, 0.0]);
    // A box: eight corners at half its size, all edges and no more.
    let Geometry::Mesh {
        vertices,
        triangles,
    } = &visual.geometries[bar.shapes[0].geometry]
    else {
        panic!("no mesh")
    };
    let far = |axis: usize| {
        vertices
            .iter()
            .skip(axis)
            .step_by(3)
            .fold(0.0_f32, |m, v| m.max(v.abs()))
    };
    assert_eq!([far(0), far(1), far(2)], [0.05, 0.2, 0.05]);
    assert_eq!(triangles.len(), 36);
}

/// The volume under each triangle sums up to that of the cylinder, whose circle is a polygon within
/// the fineness, only if all look outwards.
#[test]
fn meshes_are_closed_and_look_outwards() {
    let (visual, _) = described(&scene(""), Standard::Fmi3);
    let high = &visual.bodies[4].shapes[1];
    let Geometry::Mesh {
        vertices,
        triangles,
    } = &visual.geometries[high.geometry]
    else {
        panic!("no mesh")
    };
    let corner = |i: u32| [0, 1, 2].map(|axis| f64::from(vertices[3 * i as usize + axis]));
    let volume: f64 = triangles
        .chunks(3)
        .map(|of| {
            let [a, b, c] = [corner(of[0]), corner(of[1]), corner(of[2])];
            let cross = [
                b[1] * c[2] - b[2] * c[1],
                b[2] * c[0] - b[0] * c[2],
                b[0] * c[1] - b[1] * c[0],
            ];
            (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0
        })
        .sum();
    let exact = std::f64::consts::PI * 0.25;
    assert!(
        volume < exact && volume > 0.985 * exact,
        "{volume} of {exact}"
    );
}

#[test]
fn the_file_reads_back_and_what_is_none_is_refused() {
    let (visual, _) = described(&scene(""), Standard::Fmi3);
    let text = visual.to_json().unwrap();
    assert_eq!(Visual::from_json(&text).unwrap(), visual);
    let newer = text.replace("\"version\":1", "\"version\":2");
    assert!(Visual::from_json(&newer).unwrap_err().contains("version 2"));
    let geometry = text.replace("\"geometry\":0", "\"geometry\":99");
    assert!(
        Visual::from_json(&geometry)
            .unwrap_err()
            .contains("geometry 99")
    );
    let corner = text.replacen("\"triangles\":[", "\"triangles\":[1000000,0,0,", 1);
    assert!(
        Visual::from_json(&corner)
            .unwrap_err()
            .contains("is no mesh")
    );
    assert!(Visual::from_json("{}").unwrap_err().contains("format"));
}

/// A table of two rows that moves the ball and the driven plate; the bar has no column.
#[test]
fn a_table_moves_the_bodies_that_it_has_and_says_which_it_lacks() {
    let (mut visual, _) = described(&scene(""), Standard::Fmi3);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.csv");
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let ball = ["ball.position[1]", "ball.position[2]", "ball.position[3]"];
    let turn = [
        "ball.orientation[1]",
        "ball.orientation[2]",
        "ball.orientation[3]",
        "ball.orientation[4]",
    ];
    let plate = visual.bodies[3].position.clone().unwrap();
    let header: Vec<String> = ["time".to_owned()]
        .into_iter()
        .chain(ball.map(String::from))
        .chain(turn.map(String::from))
        .chain(plate)
        .map(|name| format!("\"{name}\""))
        .collect();
    let rows = format!("0,1,2,3,1,0,0,0,5,0,0\n1,4,5,6,{half},0,{half},0,7,0,0\n");
    std::fs::write(&file, format!("{}\n{rows}", header.join(","))).unwrap();
    let trajectory = table::read(&file).unwrap();
    let (frames, notes) = table::frames(&mut visual, &trajectory).unwrap();
    assert_eq!(frames.list.len(), 2);
    assert_eq!(frames.list[1].poses[0].position, [4.0, 5.0, 6.0]);
    let turned = frames.list[1].poses[0].orientation;
    assert!((turned[2] - half).abs() < 1e-15 && turned[1] == 0.0);
    assert_eq!(frames.list[1].poses[3].position[0], 7.0);
    assert_eq!(frames.list[1].poses[1].position, [1.0, 1.0, 0.0]);
    assert_eq!(
        notes,
        ["the table has no pose of twin, bar: drawn where it starts"]
    );
}

/// As `simulate` writes it.
#[test]
fn events_beside_a_table_are_read_with_what_belongs_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("events.csv");
    let head = "time,event,pair,impact_speed,impulse[1],impulse[2],impulse[3]\n";
    let rows = "0.5,start,a.b:c.d,4.25,,,\n1,stop end,hinge:lower,,,,\n2,impulse,a:b,,0,0.5,-2\n";
    std::fs::write(&file, format!("{head}{rows}")).unwrap();
    let events = table::read_events(&file).unwrap();
    let names: Vec<&str> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(names, ["start", "stop end", "impulse"]);
    assert_eq!((events[0].time, events[0].impact_speed), (0.5, Some(4.25)));
    assert_eq!(
        (events[1].pair.as_str(), events[1].impulse),
        ("hinge:lower", None)
    );
    assert_eq!(events[2].impulse, Some([0.0, 0.5, -2.0]));
    for (text, words) in [
        (format!("{head}0.5,begin,a:b,1,,,\n"), "line 2"),
        ("t,x\n".to_owned(), "no table of events"),
    ] {
        std::fs::write(&file, text).unwrap();
        assert!(table::read_events(&file).unwrap_err().contains(words));
    }
}

#[test]
fn a_table_that_is_of_no_use_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.csv");
    let refused = |text: &str| {
        std::fs::write(&file, text).unwrap();
        table::read(&file).unwrap_err()
    };
    for (text, words) in [
        ("t,x\n0,1\n", "the first column is \"t\""),
        ("time,x\n", "no rows"),
        ("time,x\n0,1\n1,one\n", "line 3: \"one\" in column \"x\""),
        ("time,x\n0,1\n1,nan\n", "line 3"),
        (
            "time,x\n0,1\n2,1\n1,1\n",
            "line 4: time goes back from 2 s to 1 s",
        ),
        ("time,x\n0,1\n1\n", "found record with 1 fields"),
    ] {
        let reason = refused(text);
        assert!(
            reason.contains(words) && reason.contains("result.csv"),
            "{reason}"
        );
    }
    std::fs::write(&file, "time,x\n0,1\n0,2\n1,3\n").unwrap();
    let trajectory = table::read(&file).unwrap();
    assert_eq!(
        (trajectory.times(), trajectory.row(0)),
        (&[0.0, 1.0][..], &[2.0][..])
    );
    let (mut visual, _) = described(&scene(""), Standard::Fmi3);
    let reason = table::frames(&mut visual, &trajectory).unwrap_err();
    assert!(reason.contains("\"ball.position[1]\""), "{reason}");
    assert!(
        table::read(Path::new("none.csv"))
            .unwrap_err()
            .contains("cannot be read")
    );
}
