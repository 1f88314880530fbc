//! Problems that the scene finds, and problems of all layers together.

use super::super::{parse, read};
use super::{BASE, check, problems};

#[test]
fn errors_of_the_scene_stand_at_the_value_or_its_table() {
    check(&[
        (
            r#"name = "case""#,
            r#"name = "a b""#,
            r#"scene.toml:2:8 name is "a b"; must be an ASCII letter, then letters, digits or underscores"#,
        ),
        (
            "k_red = 1",
            "k_red = 0",
            "scene.toml:8:9 contact: k_red is 0; must be in 1e-12..1e12",
        ),
        (
            "k_red = 1",
            "z_eps = 0",
            "scene.toml:8:9 contact: z_eps is 0 m; must be > 0",
        ),
        (
            "k_red = 1",
            "nz_max = 0",
            "scene.toml:8:10 contact: nz_max is 0; must be >= 1",
        ),
        (
            "k_red = 1",
            "closest_distances = 1001",
            "scene.toml:8:21 contact: closest_distances is 1001; must be <= 1000",
        ),
        (
            r#"stop_time = "3 s""#,
            "stop_time = -1",
            "scene.toml:11:13 stop_time is -1 s; must be > start_time = 0 s",
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = 3
step_size = 0"#,
            "scene.toml:12:13 step_size is 0 s; must be > 0",
        ),
        (
            "density = 1100",
            "density = -1",
            r#"scene.toml:15:11 material "Rubber": density is -1 kg/m3; must be >= 0"#,
        ),
        (
            "restitution = 0.4",
            "restitution = 1.4",
            r#"scene.toml:21:15 material pair "Steel", "Rubber": restitution is 1.4; must be in 0..1"#,
        ),
        (
            r#"[[material_pair]]
materials = ["Steel", "Rubber"]
restitution = 0.4
sliding_friction = 0.9
rolling_resistance = 0.01
"#,
            "",
            r#"scene.toml:38:12 no contact data for materials "Rubber" and "Steel", and no mean of their self pairs: "Rubber" has none; add
  [[material_pair]]
  materials = ["Rubber", "Steel"]
  restitution = 0.5
  sliding_friction = 0.3"#,
        ),
        (
            r#"motion = "fixed""#,
            r#"motion = "fixed"
velocity = [1, 0, 0]"#,
            r#"scene.toml:28:12 body "floor": velocity is [1.0, 0.0, 0.0]; a fixed body does not move"#,
        ),
        (
            r#"name = "floor""#,
            r#"name = "ball""#,
            r#"scene.toml:35:8 body "ball": this name is taken by another body"#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            "box = { lengths = [1, -1, 0.1] }",
            r#"scene.toml:31:19 body "floor", shape "plate": lengths[2] is -1 m; must be > 0"#,
        ),
        (
            r#"material = "Rubber""#,
            r#"material = "Rubber"
smoothing_radius = -1"#,
            r#"scene.toml:33:20 body "floor", shape "plate": smoothing_radius is -1 m; must be >= 0"#,
        ),
        (
            "position = [0, 0, 2]",
            "orientation = [1, 1, 0, 0]",
            r#"scene.toml:37:15 body "ball": orientation is the quaternion (w, x, y, z) = [1.0, 1.0, 0.0, 0.0] of norm 1.4142135623730951; must have norm 1"#,
        ),
        (
            "mass = 2",
            "mass = -0.2",
            r#"scene.toml:38:8 body "ball": mass is -0.2 kg; must be >= 1e-40"#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = { xx = 1, yy = 1, zz = 5 }",
            r#"scene.toml:39:11 body "ball": principal moments of inertia are [1.0, 1.0, 5.0] kg.m2; none may exceed the sum of the other two"#,
        ),
        (
            r#"sphere = { diameter = "20 cm" }"#,
            r#"sphere = { diameter = "-20 cm" }"#,
            r#"scene.toml:42:23 body "ball", shape "sphere": diameter is -0.2 m; must be > 0"#,
        ),
        (
            r#"sphere = { diameter = "20 cm" }"#,
            "sphere = { radius = -1 }",
            r#"scene.toml:42:21 body "ball", shape "sphere": diameter is -2 m; must be > 0"#,
        ),
        (
            r#"sphere = { diameter = "20 cm" }"#,
            "half_space = {}",
            r#"scene.toml:42:14 body "ball", shape "half_space": a half-space has no end; its body must have motion = "fixed""#,
        ),
        (
            r#"mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }

[[body.shape]]
sphere = { diameter = "20 cm" }
material = "Steel"
"#,
            "",
            r#"scene.toml:34:1 body "ball": has no mass; give mass and inertia, or a shape of a material with density > 0"#,
        ),
        (
            r#"name = "plate""#,
            r#"name = "a.b""#,
            r#"scene.toml:30:8 body "floor", shape "a.b": name is "a.b"; must be an ASCII letter, then letters, digits or underscores"#,
        ),
        (
            r#"stop_time = "3 s""#,
            "stop_time = 3\ntolerance = 0.5",
            "scene.toml:12:13 tolerance is 0.5; must be in 1e-14..0.1",
        ),
        (
            r#"name = "ball""#,
            r#"name = "contact""#,
            r#"scene.toml:35:8 body "contact": name is "contact", which the FMU's own variables use; choose another one"#,
        ),
    ]);
}

#[test]
fn what_follows_from_a_bad_value_is_not_reported_too() {
    let one_problem = |text: String| {
        let found = problems(&text);
        assert_eq!(found.lines().count(), 1, "{found}");
    };
    // The motion is unknown: that a fixed body has a velocity, a free one no mass, is not known.
    one_problem(BASE.replace(
        "motion = \"fixed\"",
        "motion = \"fix\"\nvelocity = [1, 0, 0]",
    ));
    // No material has this name, as long as the name of one cannot be read.
    one_problem(BASE.replace("name = \"Rubber\"", "name = 3"));
    // The pair might be the missing one.
    one_problem(BASE.replace("[\"Steel\", \"Rubber\"]", "[\"Steel\", true]"));
    // What the plate touches with, and whether it does, is not known.
    let plate = "material = \"Rubber\"";
    one_problem(BASE.replace(
        plate,
        "material = \"BilliardTable\"\ncontact_material = \"Rub\"",
    ));
    one_problem(BASE.replace(plate, "material = \"BilliardTable\"\ncollision = \"false\""));
    // The mass might have come from this shape or from this density.
    let massless = BASE.replace("mass = 2\ninertia = { xx = 1, yy = 1, zz = 1 }\n", "");
    one_problem(massless.replace("\"20 cm\"", "\"20 kg\""));
    one_problem(massless.replace("\"Steel\"\n", "\"Stel\"\n"));
    // Only the given start time makes the stop time too early.
    one_problem(BASE.replace("stop_time = \"3 s\"", "stop_time = -3\nstart_time = \"-5\""));
}

#[test]
fn problems_of_all_layers_come_together_in_source_order() {
    let text = r#"format = 1
name = "many things"

[world]
gravity = [0, 0, "-9.81 m"]

[contact]
presett = "default"

[experiment]
stop_time = -1

[[body]]
name = "floor"
motion = "fixed"
orientation = [2, 0, 0, 0]

[[body.shape]]
box = { lengths = [1, 0, 0.1] }
material = "Stone"

[[body]]
  name = "floor"
  motion = "free"
  mass = -0.2
  position = [0, 0]
"#;
    assert_eq!(
        problems(text),
        r#"scene.toml:2:8 name is "many things"; must be an ASCII letter, then letters, digits or underscores
scene.toml:5:18 world: gravity[3] is "-9.81 m"; "m" is a length unit, expected an acceleration in one of m/s2, mm/s2, cm/s2
scene.toml:8:1 contact: unknown key "presett"; did you mean "preset"?
scene.toml:11:13 stop_time is -1 s; must be > start_time = 0 s
scene.toml:16:15 body "floor": orientation is the quaternion (w, x, y, z) = [2.0, 0.0, 0.0, 0.0] of norm 2; must have norm 1
scene.toml:19:19 body "floor", shape "box": lengths[2] is 0 m; must be > 0: a shape without thickness has no inside; give it a thin one, such as "1 mm"
scene.toml:20:12 body "floor", shape number 1: material "Stone" is not known; known: Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]
scene.toml:23:10 body "floor": this name is taken by another body
scene.toml:25:10 body "floor": mass is -0.2 kg; must be >= 1e-40
scene.toml:26:14 body "floor": position has 2 entries; expected 3 such as [0, 0, 0.5]"#
    );
}

#[test]
fn problems_before_a_grammar_error_are_reported_with_it() {
    let text = BASE
        .replace("k_red = 1", "kred = 1")
        .replace("motion = \"free\"", "motion = free")
        .replace("mass = 2", "mas = 2")
        .replace("material = \"Steel\"", "material = \"Steel");
    assert_eq!(
        problems(&text),
        "scene.toml:8:1 contact: unknown key \"kred\"; did you mean \"k_red\"?\n\
         scene.toml:36:10 not valid TOML: free is not a value; write a string in quotes, true or false\n\
         scene.toml:43:18 not valid TOML: invalid basic string, expected `\"`"
    );
}

#[test]
fn a_bracket_that_is_never_closed_gives_two_lines_not_a_list_of_echoes() {
    let text = format!("{BASE}position = [1, 2\nflat = true\nsmoothing_radius = 0\n");
    assert_eq!(
        problems(&text),
        "scene.toml:45:1 not valid TOML: missing comma between array elements, expected `,`\n\
         scene.toml:46:21 not valid TOML: unclosed array, expected `]`"
    );
}

#[test]
fn a_key_given_twice_does_not_hide_other_problems() {
    let text = BASE.replace("mass = 2", "mass = -2\nmass = 2\nmas = 1");
    assert_eq!(
        problems(&text),
        "scene.toml:38:8 body \"ball\": mass is -2 kg; must be >= 1e-40\n\
         scene.toml:39:1 the key mass is given twice; keep one of the two\n\
         scene.toml:40:1 body \"ball\": unknown key \"mas\"; did you mean \"mass\"?"
    );
}

#[test]
fn another_format_is_the_only_problem() {
    assert_eq!(
        problems("format = 2\nworlds = 3\nname = 4\n"),
        "scene.toml:1:10 format is the number 2; expected format = 1, the one this version of fmu-build reads"
    );
}

#[test]
fn an_empty_file_lacks_everything() {
    let found = problems("");
    let heads: Vec<&str> = found
        .lines()
        .map(|l| l.split(';').next().unwrap())
        .collect();
    assert_eq!(
        heads,
        [
            "scene.toml:1:1 format is missing",
            "scene.toml:1:1 name is missing",
            "scene.toml:1:1 world is missing",
            "scene.toml:1:1 experiment is missing",
            "scene.toml:1:1 there is no body",
        ]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named_as_the_user_named_it() {
    let error = read("no/such/scene.toml".as_ref()).unwrap_err();
    assert_eq!(error.list.len(), 1);
    assert_eq!(error.list[0].position, None);
    let text = error.to_string();
    assert!(
        text.starts_with("no/such/scene.toml: cannot be read: "),
        "{text}"
    );
}

#[test]
fn a_byte_that_is_not_utf8_has_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, b"format = 1\n# \xc3\xa4 \xe4\n").unwrap();
    let expected = format!(
        "{}:2:5 byte 0xe4 is not UTF-8; save the file as UTF-8",
        path.display()
    );
    assert_eq!(read(&path).unwrap_err().to_string(), expected);
}

#[test]
fn diagnostics_are_data_too() {
    let error = parse("format = 1\nnam = 1\n", "a.toml").unwrap_err();
    assert_eq!(error.file, "a.toml");
    let places: Vec<(usize, usize)> = error
        .list
        .iter()
        .filter_map(|d| d.position.map(|p| (p.line, p.column)))
        .collect();
    assert_eq!(places, [(1, 1), (1, 1), (1, 1), (1, 1), (2, 1)]);
}
