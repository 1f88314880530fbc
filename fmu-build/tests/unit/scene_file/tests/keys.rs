//! Problems of grammar and of keys: unknown, missing, excluding each other.

use super::check;

#[test]
fn grammar_errors_are_shown_where_they_are() {
    check(&[
        (
            "k_red = 1",
            r#"smoothing_radius = "1 mm"#,
            r#"scene.toml:8:25 not valid TOML: invalid basic string, expected `"`"#,
        ),
        (
            "mass = 2",
            r#"mass = 1
mass = 2"#,
            "scene.toml:39:1 the key mass is given twice; keep one of the two",
        ),
        (
            r#"[[body]]
name = "ball""#,
            r#"[body]
name = "ball""#,
            r#"scene.toml:34:1 body is a table; write [[body]]
scene.toml:34:2 the key body is given twice; keep one of the two"#,
        ),
        (
            r#"[[body]]
name = "ball""#,
            r#"[[body]
name = "ball""#,
            "scene.toml:34:8 not valid TOML: unclosed array table, expected `]`",
        ),
        (
            r#"[[body]]
name = "ball""#,
            r#"[[body]]
name ="#,
            "scene.toml:35:7 not valid TOML: there is no value after =",
        ),
        (
            "position = [0, 0, 2]",
            "position = [0, 0, 2",
            r#"scene.toml:38:1 not valid TOML: missing comma between array elements, expected `,`
scene.toml:43:19 not valid TOML: unclosed array, expected `]`"#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = { xx = 1, yy = 1, zz = 1",
            r#"scene.toml:41:1 not valid TOML: missing key for inline table element, expected `,`
scene.toml:43:19 not valid TOML: unclosed inline table, expected `}`"#,
        ),
        (
            r#"motion = "fixed""#,
            "motion = fixed",
            "scene.toml:27:10 not valid TOML: fixed is not a value; write a string in quotes, true or false",
        ),
        (
            r#"name = "case""#,
            r#"name = "case"
energy_balance = tru"#,
            "scene.toml:3:18 not valid TOML: tru is not a value; write a string in quotes, true or false",
        ),
        (
            "poissons_ratio = 0.5",
            "poissons_ratio = 0,5",
            "scene.toml:17:19 not valid TOML: unexpected key or value, expected newline, `#`",
        ),
        (
            "poissons_ratio = 0.5",
            "poissons_ratio 0.5",
            "scene.toml:17:16 not valid TOML: key with no value, expected `=`",
        ),
        (
            "poissons_ratio = 0.5",
            r#""poissons_ratio = 0.5"#,
            "scene.toml:17:22 not valid TOML: key with no value, expected `=`",
        ),
        (
            r#"[contact]
k_red = 1"#,
            r#"[contact
k_red = 1"#,
            "scene.toml:7:9 not valid TOML: unclosed table, expected `]`",
        ),
    ]);
}

#[test]
fn unknown_keys_suggest_or_list_known_ones() {
    check(&[
        (
            r#"name = "case""#,
            r#"name = "case"
bodies = 3"#,
            r#"scene.toml:3:1 unknown key "bodies"; known keys: format, name, energy_balance, library, world, contact, experiment, interface, material, material_pair, joint, body, pair, motion, force, measurement"#,
        ),
        (
            r#"name = "case""#,
            r#"name = "case"
colour = 3"#,
            r#"scene.toml:3:1 unknown key "colour"; known keys: format, name, energy_balance, library, world, contact, experiment, interface, material, material_pair, joint, body, pair, motion, force, measurement"#,
        ),
        (
            "gravity = [0, 0, -9.81]",
            "gravity = { mu = -1, center = [0, 0, 0], x = 3 }",
            r#"scene.toml:5:11 gravity is -1 m3/s2; must be >= 0
scene.toml:5:42 world: unknown key "x" in gravity; known keys: mu, center"#,
        ),
        (
            "gravity = [0, 0, -9.81]",
            r#"gravity = [0, 0, -9.81]
wind = 1"#,
            r#"scene.toml:6:1 world: unknown key "wind"; known keys: gravity"#,
        ),
        (
            "poissons_ratio = 0.5",
            "poisson_ratio = 0.5",
            r#"scene.toml:13:1 material "Rubber": poissons_ratio is missing; write it, such as poissons_ratio = 0.3
scene.toml:17:1 material "Rubber": unknown key "poisson_ratio"; did you mean "poissons_ratio"?"#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            "box = { length = [1, 1, 0.1] }",
            r#"scene.toml:31:7 body "floor", shape "plate": box.lengths is missing; write the edge lengths, such as lengths = [1, 1, 0.1]
scene.toml:31:9 body "floor", shape "plate": unknown key "length" in box; did you mean "lengths"?"#,
        ),
        (
            "mass = 2",
            "mas = 2",
            r#"scene.toml:38:1 body "ball": unknown key "mas"; did you mean "mass"?"#,
        ),
        (
            "k_red = 1",
            r#"k_red = 1
[interface]
vectors = true"#,
            r#"scene.toml:10:1 interface: unknown key "vectors"; known keys: arrays, naming, tunable, strict, guard, expose"#,
        ),
        (
            r#"[contact]
k_red = 1"#,
            r#"[world.contact]
k_red = 1"#,
            r#"scene.toml:7:8 world: unknown key "contact"; known keys: gravity"#,
        ),
        (
            r#"name = "plate""#,
            r#"name = "plate"
box_ = 2"#,
            r#"scene.toml:31:1 body "floor", shape "plate": unknown key "box_"; did you mean "box"?"#,
        ),
    ]);
}

#[test]
fn missing_keys_say_what_to_write() {
    check(&[
        (
            "format = 1",
            "",
            "scene.toml:1:1 format is missing; write format = 1 in the first line",
        ),
        (
            r#"name = "case""#,
            "",
            r#"scene.toml:1:1 name is missing; write name = "my_scene""#,
        ),
        (
            r#"[world]
gravity = [0, 0, -9.81]"#,
            "",
            r#"scene.toml:1:1 world is missing; add [world] and there write gravity = [0, 0, -9.81] (m/s2), gravity = "none", or gravity = { mu = 3.986e14, center = [0, 0, 0] }"#,
        ),
        (
            "gravity = [0, 0, -9.81]",
            "",
            r#"scene.toml:4:1 world: gravity is missing; write gravity = [0, 0, -9.81] (m/s2), gravity = "none", or gravity = { mu = 3.986e14, center = [0, 0, 0] }"#,
        ),
        (
            "gravity = [0, 0, -9.81]",
            "gravity = { mu = 1 }",
            "scene.toml:5:11 world: gravity.center is missing; write the attracting point, such as center = [0, 0, 0]",
        ),
        (
            r#"[experiment]
stop_time = "3 s""#,
            "",
            r#"scene.toml:1:1 experiment is missing; add [experiment] and there write stop_time = "3 s""#,
        ),
        (
            r#"stop_time = "3 s""#,
            "tolerance = 1e-6",
            r#"scene.toml:10:1 experiment: stop_time is missing; write stop_time = "3 s""#,
        ),
        (
            "density = 1100",
            "",
            r#"scene.toml:13:1 material "Rubber": density is missing; write it in kg/m3, such as density = 8000"#,
        ),
        (
            r#"name = "Rubber""#,
            "",
            r#"scene.toml:13:1 material number 1: name is missing; write name = "...""#,
        ),
        (
            "restitution = 0.4",
            "",
            "scene.toml:19:1 material pair \"Steel\", \"Rubber\": restitution is missing, which law = \"hertz\" with \
             friction = \"regularized\" needs; add\n  restitution = 0.5",
        ),
        (
            r#"name = "floor""#,
            "",
            r#"scene.toml:25:1 body number 1: name is missing; write name = "...""#,
        ),
        (
            r#"motion = "fixed""#,
            "",
            r#"scene.toml:25:1 body "floor": motion is missing; write motion = "free", "fixed", "driven" or "prescribed", or name the body as child of a [[joint]]"#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            "",
            r#"scene.toml:29:1 body "floor", shape "plate": has no form; write one of sphere, ellipsoid, box, cylinder, cone, capsule, tapered_capsule, beam, hull, mesh, half_space, such as sphere = { diameter = 0.2 }, or tables [[body.shape.part]]"#,
        ),
        (
            r#"material = "Rubber""#,
            "",
            r#"scene.toml:29:1 body "floor", shape "plate": material is missing; write material = "Steel" or another"#,
        ),
        (
            "position = [0, 0, 2]",
            "rotation = { axis = [0, 0, 1] }",
            r#"scene.toml:37:12 body "ball": rotation.angle is missing; write the angle, such as angle = "30 deg""#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = { xx = 1, yy = 1 }",
            r#"scene.toml:39:11 body "ball": inertia.zz is missing; write xx, yy and zz; xy, xz and yz are 0 unless given"#,
        ),
        (
            r#"sphere = { diameter = "20 cm" }"#,
            "sphere = {}",
            r#"scene.toml:42:10 body "ball", shape number 1: sphere.diameter is missing; write diameter = 0.2 or radius = 0.1"#,
        ),
        (
            r#"motion = "fixed""#,
            "velocity = [1, 0, 0]",
            r#"scene.toml:25:1 body "floor": motion is missing; write motion = "free", "fixed", "driven" or "prescribed", or name the body as child of a [[joint]]"#,
        ),
    ]);
}

#[test]
fn keys_that_exclude_each_other_are_named() {
    check(&[
        (
            "k_red = 1",
            r#"rule = "touching"
z_eps = 1e-8"#,
            r#"scene.toml:9:1 contact: z_eps has a meaning only with rule = "hysteresis"; remove it or change the rule"#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            r#"box = { lengths = [1, 1, 0.1] }
sphere = { diameter = 1 }"#,
            r#"scene.toml:32:1 body "floor", shape "plate": sphere and box are both given; a shape has one form"#,
        ),
        (
            "position = [0, 0, 2]",
            r#"orientation = [1, 0, 0, 0]
rotation = { axis = [1, 0, 0], angle = 1 }"#,
            r#"scene.toml:38:1 body "ball": rotation and orientation are both given; keep one of the two"#,
        ),
        (
            r#"sphere = { diameter = "20 cm" }"#,
            "sphere = { radius = 1, diameter = 2 }",
            r#"scene.toml:42:12 body "ball", shape number 1: sphere.radius and sphere.diameter are both given; keep one of the two"#,
        ),
    ]);
}
