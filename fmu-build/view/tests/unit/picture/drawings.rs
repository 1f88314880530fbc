//! What a picture shows, and in which order.

use super::drawing::{COLORS, Drawing, FIXED, Format, Piece};
use super::svg::{Legend, png, svg};
use fmu_build::scene_file;
use quick_xml::Reader;
use quick_xml::events::Event;

fn drawn(bodies: &str, format: Format) -> Drawing {
    let text = format!(
        "format = 1\nname = \"scene\"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 1\n\
         {bodies}"
    );
    let loaded = scene_file::parse(&text, "scene.toml").unwrap();
    Drawing::of(&loaded.scene, &loaded.description, format)
}

fn body(name: &str, motion: &str, position: [f64; 3], shape: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nmotion = \"{motion}\"\nposition = {position:?}\n\
         shape = [{{ {shape}, material = \"Steel\" }}]\n"
    )
}

/// Balls of a drawing: middle and radius.
fn balls(drawing: &Drawing) -> Vec<([i32; 2], i32)> {
    let ball = |piece: &Piece| match piece {
        Piece::Ball { center, radius, .. } => Some((*center, *radius)),
        _ => None,
    };
    drawing.pieces.iter().filter_map(ball).collect()
}

/// The colours in the order in which they are drawn, each run once; faces by their body.
fn runs(drawing: &Drawing) -> Vec<usize> {
    let near = |color: &[u8; 3]| {
        let known = COLORS.iter().chain([&FIXED]);
        // Shades of a colour keep the order and nearly the ratio of its channels.
        let off = |own: &[u8; 3]| {
            let unit = |c: &[u8; 3]| {
                let v = c.map(f64::from);
                let mean = v.iter().sum::<f64>() / 3.0;
                let spread = v.map(|x| x - mean);
                let size = spread.iter().map(|x| x * x).sum::<f64>().sqrt();
                spread.map(|x| x / size)
            };
            let [a, b] = [unit(own), unit(color)];
            (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>()
        };
        let all = known.enumerate();
        all.min_by(|a, b| off(a.1).total_cmp(&off(b.1))).unwrap().0
    };
    let mut runs = Vec::new();
    for piece in &drawing.pieces {
        if let Piece::Polygon { color, .. } | Piece::Ball { color, .. } = piece {
            let own = near(color);
            if runs.last() != Some(&own) {
                runs.push(own);
            }
        }
    }
    runs
}

#[test]
fn a_huge_ground_does_not_make_a_dot_of_a_ball() {
    let ball = body("ball", "free", [0.0, 0.0, 0.2], "sphere.radius = 0.1");
    for ground in ["half_space = {}", "box.lengths = [1000, 1000, 2e-3]"] {
        let drawing = drawn(
            &(body("ground", "fixed", [0.0; 3], ground) + &ball),
            Format::Wide(1200),
        );
        let [([x, y], radius)] = balls(&drawing)[..] else {
            panic!("{drawing:?}");
        };
        assert!(radius > 120, "{ground}: {radius}");
        assert!((0..1200).contains(&x) && (0..drawing.size[1]).contains(&y));
        // The ball stands on the ground, which is drawn first.
        assert_eq!(runs(&drawing), [COLORS.len(), 0]);
    }
}

#[test]
fn a_ground_of_a_planet_and_a_grain_of_dust_are_drawn() {
    let scene = body("ground", "fixed", [0.0, 0.0, -1e7], "sphere.radius = 1e7")
        + &body("plain", "fixed", [0.0; 3], "box.lengths = [1e9, 1e9, 1e-9]")
        + &body("dust", "free", [0.0, 0.0, 1e-5], "sphere.radius = 1e-6");
    let drawing = drawn(&scene, Format::Wide(1200));
    assert!(
        balls(&drawing)
            .iter()
            .any(|(_, radius)| (20..600).contains(radius))
    );
    assert!(png(&drawing, 64).is_ok());
}

#[test]
fn a_scene_without_shapes_is_an_empty_picture() {
    let scene = "[[body]]\nname = \"point\"\nmotion = \"free\"\nmass = 1\n\
                 inertia = { xx = 1, yy = 1, zz = 1 }\n";
    let drawing = drawn(scene, Format::Wide(1200));
    assert_eq!(drawing.pieces, []);
    assert!(svg(&drawing, None).ends_with("</svg>"));
}

#[test]
fn what_is_nearer_to_the_viewer_is_drawn_later() {
    // The viewer stands at negative y. Boxes of very different sizes, one behind the other.
    let shapes = ["box.lengths = [4, 0.1, 4]", "box.lengths = [0.2, 0.2, 0.2]"];
    for order in [[0, 1], [1, 0]] {
        let [behind, before] = order.map(|i| shapes[i]);
        let near = body("a", "free", [0.0, -1.0, 0.0], before);
        let far = body("b", "free", [0.0, 1.0, 0.0], behind);
        let drawing = drawn(&(near.clone() + &far), Format::Wide(1200));
        assert_eq!(runs(&drawing), [1, 0], "{order:?}");
        // The order of the bodies in the file does not count.
        let drawing = drawn(&(far + &near), Format::Wide(1200));
        assert_eq!(runs(&drawing), [0, 1], "{order:?}");
    }
}

#[test]
fn up_is_against_gravity_and_x_is_to_the_right() {
    let text = |gravity: &str| {
        format!(
            "format = 1\nname = \"scene\"\nworld.gravity = {gravity}\nexperiment.stop_time = 1\n{}",
            body("ball", "free", [0.0; 3], "sphere.radius = 0.1")
        )
    };
    for (gravity, up) in [
        ("[0, 0, -9.81]", 2),
        ("[0, -9.81, 0]", 1),
        ("[0, 9.81, 0]", 1),
    ] {
        let loaded = scene_file::parse(&text(gravity), "scene.toml").unwrap();
        let drawing = Drawing::of(&loaded.scene, &loaded.description, Format::Square(100));
        let [right, down] = drawing.axes[up];
        let sign = if gravity.contains("-") { -1.0 } else { 1.0 };
        assert!(
            right.abs() < 1e-12 && down * sign > 0.5,
            "{gravity}: {right} {down}"
        );
        assert!(drawing.axes[0][0] > 0.5, "{gravity}");
    }
}

#[test]
fn a_drawing_is_an_svg_with_a_name_and_the_same_bytes_each_time() {
    let scene = body("ground", "fixed", [0.0; 3], "half_space = {}")
        + &body("ball", "free", [0.0, 0.0, 1.0], "sphere.radius = 0.1")
        + &body(
            "can",
            "free",
            [1.0, 0.0, 1.0],
            "cylinder = { diameter = 0.2, length = 0.3 }",
        );
    let make = || {
        let legend = Legend {
            title: "a < b & c",
            text: "three bodies",
        };
        svg(&drawn(&scene, Format::Wide(1200)), Some(legend))
    };
    let picture = make();
    assert_eq!(picture, make());
    assert!(picture.len() < 6000, "{}", picture.len());
    assert!(picture.contains("<title>a &lt; b &amp; c</title><desc>three bodies</desc>"));
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    let mut reader = Reader::from_str(&picture);
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
}

#[test]
#[ignore = "long: a thousand bodies"]
fn a_thousand_bodies_are_a_picture_of_bounded_size() {
    let place = |i: usize| {
        [
            0.3 * (i % 10) as f64,
            0.3 * (i / 10 % 10) as f64,
            0.3 * (i / 100) as f64,
        ]
    };
    let boxes = (0..1200).map(|i| {
        body(
            &format!("b{i}"),
            "free",
            place(i),
            "box.lengths = [0.2, 0.2, 0.2]",
        )
    });
    let drawing = drawn(&boxes.collect::<String>(), Format::Wide(1200));
    let picture = svg(&drawing, None);
    assert!(drawing.pieces.len() > 600);
    assert!(picture.len() < 100_000, "{}", picture.len());
}

#[test]
fn a_png_has_its_size_and_shows_the_bodies_on_a_transparent_ground() {
    let scene = body("ball", "free", [0.0; 3], "sphere.radius = 0.1");
    let drawing = drawn(&scene, Format::Square(256));
    let file = png(&drawing, 64).unwrap();
    assert_eq!(file, png(&drawing, 64).unwrap());
    let pixels = tiny_skia::Pixmap::decode_png(&file).unwrap();
    assert_eq!((pixels.width(), pixels.height()), (64, 64));
    let at = |x, y| pixels.pixel(x, y).unwrap().demultiply();
    assert_eq!(at(0, 0).alpha(), 0);
    let middle = at(32, 32);
    let [r, g, b] = COLORS[0];
    let near = |own: u8, wanted: u8| own.abs_diff(wanted) < 60;
    assert!(middle.alpha() == 255 && near(middle.red(), r), "{middle:?}");
    assert!(
        near(middle.green(), g) && near(middle.blue(), b),
        "{middle:?}"
    );
}
