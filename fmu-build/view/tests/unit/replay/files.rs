//! Page, glTF and places of impacts of a made-up run.

use super::visual::{Balls, Body, FORMAT, Geometry, Placement, Shape, VERSION, Visual};
use super::{gltf, page, table};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use contact_geometry::math::Vec3;
use flate2::read::ZlibDecoder;
use fmu_build::scene_file;
use fmu_core::instance::record::Record;
use fmu_host::ContactEvent;
use fmu_host::frames::{BodyPose, Frame, FrameContact, Frames};
use fmu_host::{Column, Trajectory};
use serde_json::Value;
use std::io::Read;

const START: Placement = Placement {
    position: [0.0; 3],
    orientation: [1.0, 0.0, 0.0, 0.0],
};

/// A ball that moves, a half-space and a group of two balls.
fn visual(name: &str) -> Visual {
    let body = |name: &str, fixed, geometry| Body {
        name: name.into(),
        fixed,
        color: [255, 128, 0],
        pose: START,
        position: None,
        orientation: None,
        rotation: None,
        shapes: vec![Shape {
            name: "shape".into(),
            geometry,
            pose: START,
        }],
    };
    Visual {
        format: FORMAT.into(),
        version: VERSION,
        up: [0.0, 0.0, 1.0],
        geometries: vec![Geometry::Sphere { radius: 0.5 }, Geometry::Plane],
        bodies: vec![body(name, false, 0), body("floor", true, 1)],
        balls: vec![Balls {
            name: "sand".into(),
            color: [1, 2, 3],
            radii: vec![0.1, 0.2],
            position: None,
        }],
        joints: Vec::new(),
        contacts: Vec::new(),
    }
}

fn frames() -> Frames {
    let mut frames = Frames::new(3);
    frames.pairs = vec!["ball:floor".into()];
    let pose = |x: f64| BodyPose {
        position: [x, 0.0, 0.0],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    for row in 0..3 {
        let frame = Frame {
            time: 0.1 * row as f64,
            row,
            poses: vec![
                pose(row as f64),
                pose(0.0),
                pose(0.25),
                pose(10.0 * row as f64),
            ],
            contacts: (0..row)
                .map(|i| FrameContact {
                    pair: 0,
                    point: Vec3::new(i as f64, 0.0, 0.0),
                    force: Vec3::new(0.0, 0.0, 7.0),
                })
                .collect(),
            energies: Some([1.0, 2.0 + row as f64, 3.5]),
        };
        assert_eq!(frames.next_row(), Some(row));
        frames.push(frame);
    }
    frames
}

fn trajectory() -> Trajectory {
    let column = Column {
        name: "<b>h".into(),
        unit: Some("m".into()),
        description: None,
    };
    let mut trajectory = Trajectory::new(vec![column]);
    for row in 0..3 {
        trajectory.push(0.1 * row as f64, &[row as f64 * 0.125]);
    }
    trajectory
}

/// JSON and blob of a page.
fn parts(page: &str) -> (Value, Vec<u8>) {
    let inner = |id: &str| {
        let start = page.find(&format!("id=\"{id}\"")).unwrap();
        let start = start + page[start..].find('>').unwrap() + 1;
        page[start..start + page[start..].find("</script>").unwrap()].trim()
    };
    let blob = STANDARD.decode(inner("replay-blob")).unwrap();
    let mut bytes = Vec::new();
    ZlibDecoder::new(&blob[..]).read_to_end(&mut bytes).unwrap();
    (serde_json::from_str(inner("replay-json")).unwrap(), bytes)
}

fn f32s(list: &Value, blob: &[u8]) -> Vec<f32> {
    let [offset, count] = ["offset", "count"].map(|key| list[key].as_u64().unwrap() as usize);
    assert_eq!(list["type"], "f32");
    let bytes = blob[offset..offset + 4 * count].chunks(4);
    bytes
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

#[test]
fn a_page_has_the_numbers_of_the_run_and_names_cannot_end_its_elements() {
    let name = "ball</script><script>alert(1)";
    let event = ContactEvent::read("contact start: t=0.05 pair=ball:floor speed=2")
        .unwrap()
        .unwrap();
    let (frames, trajectory) = (frames(), trajectory());
    let page = page::page(&page::Content {
        title: "a < b & \"c\"",
        generator: "test",
        visual: &visual(name),
        frames: &frames,
        trajectory: &trajectory,
        events: &[event],
        places: &[Some([1.0, 2.0, 3.0])],
        notes: vec!["said".into()],
    });
    let page = page.unwrap();
    assert!(page.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    let (json, blob) = parts(&page);
    assert_eq!(json["visual"]["bodies"][0]["name"], name);
    assert_eq!(json["frames"], 3);
    // The floor does not move, so it has no poses.
    assert_eq!(json["poses"].as_array().unwrap().len(), 1);
    let moved = f32s(&json["poses"][0]["position"], &blob);
    assert_eq!(moved, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let balls = f32s(&json["balls"][0]["position"], &blob);
    assert_eq!(balls[12..], [0.25, 0.0, 0.0, 20.0, 0.0, 0.0]);
    let force = f32s(&json["contacts"]["force"], &blob);
    assert_eq!(force, [0.0, 0.0, 7.0].repeat(3));
    let variables = json["variables"].as_array().unwrap();
    let names: Vec<&str> = variables
        .iter()
        .map(|v| v["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "kinetic energy",
            "potential energy",
            "elastic energy",
            "mechanical energy",
            "<b>h"
        ]
    );
    assert_eq!(f32s(&variables[1]["values"], &blob), [0.0, 1.0, 2.0]);
    assert_eq!(f32s(&variables[3]["values"], &blob), [4.5, 5.5, 6.5]);
    assert_eq!(f32s(&variables[4]["values"], &blob), [0.0, 0.125, 0.25]);
    assert_eq!(json["events"][0]["point"][2], 3.0);
    assert_eq!(json["notes"][0], "said");
}

/// The chunks of a file, and its document.
fn document(file: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(
        (&file[..4], word(4), word(8)),
        (&b"glTF"[..], 2, file.len())
    );
    let text = word(12);
    let document = serde_json::from_slice(&file[20..20 + text]).unwrap();
    assert_eq!(&file[20 + text + 4..20 + text + 8], b"BIN\0");
    (document, file[28 + text..].to_vec())
}

#[test]
fn a_gltf_file_moves_each_body_and_has_y_up() {
    let file = gltf::glb("run", "test", &visual("ball"), &frames()).unwrap();
    let (document, bytes) = document(&file);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    // Minus a quarter turn about x takes z into y.
    let root = document["nodes"][0]["rotation"].as_array().unwrap();
    let expected = [-half, 0.0, 0.0, half];
    for (c, expected) in root.iter().zip(expected) {
        assert!((c.as_f64().unwrap() - expected).abs() < 1e-15, "{root:?}");
    }
    let channels = document["animations"][0]["channels"].as_array().unwrap();
    // The ball and both balls of the group, place and turn; not the floor.
    assert_eq!(channels.len(), 6);
    let sampler = &document["animations"][0]["samplers"][0];
    let accessor = &document["accessors"][sampler["output"].as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let at = view["byteOffset"].as_u64().unwrap() as usize + 12;
    assert_eq!(
        f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()),
        1.0
    );
    let names: Vec<&str> = document["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"sand[2]") && names.contains(&"ball.shape"));
}

/// Two balls fly at each other along x and touch at the origin, between the frames.
#[test]
fn an_impact_between_two_frames_has_its_place() {
    let ball = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmotion = \"free\"\nposition = [{x}, 0, 0]\nshape = [{{ sphere = {{ diameter = 0.2 }}, \
             material = \"Steel\" }}]\n"
        )
    };
    let text = format!(
        "format = 1\nname = \"scene\"\nworld.gravity = [0, 0, 0]\nexperiment.stop_time = 1\n{}{}",
        ball("a", -1.1),
        ball("b", 1.1)
    );
    let scene = scene_file::parse(&text, "scene.toml").unwrap().scene;
    let mut frames = Frames::new(2);
    let pose = |x: f64| BodyPose {
        position: [x, 0.0, 0.0],
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    for x in [1.1, 0.5, 0.1, 0.6] {
        let row = frames.next_row().unwrap();
        frames.push(Frame {
            time: row as f64,
            row,
            poses: vec![pose(-x), pose(x)],
            contacts: Vec::new(),
            energies: None,
        });
    }
    let event = |text: &str| ContactEvent::read(text).unwrap().unwrap();
    let events = [
        event("contact start: t=1.9 pair=a:b speed=1"),
        event("contact end: t=2.1 pair=a:b"),
        event("stop start: t=2 joint=j side=lower speed=1"),
        event("contact start: t=2 pair=a:other speed=1"),
    ];
    let places = table::places(&scene, &frames, &events);
    assert!(places[0].is_some_and(|p| p.iter().all(|c| c.abs() < 1e-12)));
    assert_eq!(places[1..], [None, None, None]);
}
