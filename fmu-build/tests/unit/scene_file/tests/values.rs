//! Problems of values that the reader finds: type, unit, length, name, meaning.

use super::check;

#[test]
fn values_of_the_wrong_type_say_what_is_expected() {
    check(&[
        (
            r#"format = 1
"#,
            r#"format = 2
"#,
            "scene.toml:1:10 format is the number 2; expected format = 1, the one this version of fmu-build reads",
        ),
        (
            r#"format = 1
"#,
            r#"format = "1"
"#,
            r#"scene.toml:1:10 format is the string "1"; expected format = 1, the one this version of fmu-build reads"#,
        ),
        (
            r#"format = 1
"#,
            r#"format = 1.0
"#,
            "scene.toml:1:10 format is the number 1.0; expected format = 1, the one this version of fmu-build reads",
        ),
        (
            r#"name = "case""#,
            "name = 3",
            "scene.toml:2:8 name is the number 3; expected a string in quotes",
        ),
        (
            r#"name = "case""#,
            r#"name = "case"
energy_balance = "yes""#,
            r#"scene.toml:3:18 energy_balance is the string "yes"; expected true or false"#,
        ),
        (
            "gravity = [0, 0, -9.81]",
            "gravity = 9.81",
            "scene.toml:5:11 world: gravity is the number 9.81; expected an array of 3 such as [0, 0, -9.81]",
        ),
        (
            "gravity = [0, 0, -9.81]",
            r#"gravity = "earth""#,
            r#"scene.toml:5:11 world: gravity is the string "earth"; expected "none""#,
        ),
        (
            "k_red = 1",
            r#"preset = "nasa""#,
            r#"scene.toml:8:10 contact: preset is the string "nasa"; expected one of "default", "modia3d-document", "modia3d-0.12""#,
        ),
        (
            "k_red = 1",
            "restitution = 0.5",
            r#"scene.toml:8:15 contact: restitution is the number 0.5; expected one of "regularized", "threshold", "constant""#,
        ),
        (
            "k_red = 1",
            r#"damping = "hunt""#,
            r#"scene.toml:8:11 contact: damping is "hunt"; did you mean "hunt-crossley"?"#,
        ),
        (
            "k_red = 1",
            r#"geometry_factor = "balls""#,
            r#"scene.toml:8:19 contact: geometry_factor is the string "balls"; expected one of "contact_sphere", "document""#,
        ),
        (
            "k_red = 1",
            r#"k_red = 1
[interface]
arrays = 1
naming = "short"
tunable = "yes""#,
            r#"scene.toml:10:10 interface: arrays is the number 1; expected true or false
scene.toml:11:10 interface: naming is the string "short"; expected one of "structured", "flat"
scene.toml:12:11 interface: tunable is the string "yes"; expected true or false"#,
        ),
        (
            "k_red = 1",
            "nz_max = -3",
            "scene.toml:8:10 contact: nz_max is the number -3; expected a whole number in 0..4294967295",
        ),
        (
            "k_red = 1",
            "nz_max = 2.5",
            "scene.toml:8:10 contact: nz_max is the number 2.5; expected a whole number in 0..4294967295",
        ),
        (
            r#"stop_time = "3 s""#,
            "stop_time = 1979-05-27",
            r#"scene.toml:11:13 experiment: stop_time is the date 1979-05-27; expected a time in s such as 0.01 or "10 ms""#,
        ),
        (
            "[[material]]",
            "[material]",
            "scene.toml:13:1 material is a table; write [[material]]",
        ),
        (
            r#"materials = ["Steel", "Rubber"]"#,
            r#"materials = ["Steel", 3]"#,
            "scene.toml:20:23 material pair number 1: materials[2] is the number 3; expected a string in quotes",
        ),
        (
            r#"motion = "fixed""#,
            r#"motion = "static""#,
            r#"scene.toml:27:10 body "floor": motion is the string "static"; expected one of "free", "fixed", "joint", "driven", "prescribed""#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            "box = 3",
            r#"scene.toml:31:7 body "floor", shape "plate": box is the number 3; expected a table such as { lengths = [1, 1, 0.1] }"#,
        ),
        (
            r#"material = "Rubber""#,
            r#"material = "Rubber"
collision = 1"#,
            r#"scene.toml:33:13 body "floor", shape "plate": collision is the number 1; expected true or false"#,
        ),
        (
            "position = [0, 0, 2]",
            "position = [0, 0, true]",
            r#"scene.toml:37:19 body "ball": position[3] is true; expected a length in m such as 0.2 or "200 mm""#,
        ),
        (
            "position = [0, 0, 2]",
            "position = [0, 0, [2]]",
            r#"scene.toml:37:19 body "ball": position[3] is an array of 1; expected a length in m such as 0.2 or "200 mm""#,
        ),
        (
            "position = [0, 0, 2]",
            "position = 2",
            r#"scene.toml:37:12 body "ball": position is the number 2; expected an array of 3 such as [0, 0, 0.5]"#,
        ),
        (
            "position = [0, 0, 2]",
            "rotation = 30",
            r#"scene.toml:37:12 body "ball": rotation is the number 30; expected a table such as { axis = [0, 0, 1], angle = "30 deg" }"#,
        ),
        (
            "mass = 2",
            r#"mass = "abc""#,
            r#"scene.toml:38:8 body "ball": mass is "abc"; expected a mass in kg such as 2 or "500 g""#,
        ),
        (
            "mass = 2",
            "mass = true",
            r#"scene.toml:38:8 body "ball": mass is true; expected a mass in kg such as 2 or "500 g""#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = 3",
            r#"scene.toml:39:11 body "ball": inertia is the number 3; expected an array of 3 such as [[1, 0, 0], [0, 1, 0], [0, 0, 1]], or { xx = 1, yy = 1, zz = 1 }"#,
        ),
        (
            r#"[contact]
k_red = 1"#,
            r#"[[contact]]
k_red = 1"#,
            "scene.toml:7:1 contact is an array of 1; expected a table such as [contact]",
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = 3
start_time = "x""#,
            r#"scene.toml:12:14 experiment: start_time is "x"; expected a time in s such as 0.01 or "10 ms""#,
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = -3
start_time = "x""#,
            r#"scene.toml:12:14 experiment: start_time is "x"; expected a time in s such as 0.01 or "10 ms""#,
        ),
    ]);
}

#[test]
fn units_that_do_not_fit_list_those_that_do() {
    check(&[
        (
            "gravity = [0, 0, -9.81]",
            r#"gravity = [0, 0, "-9.81 m/s"]"#,
            r#"scene.toml:5:18 world: gravity[3] is "-9.81 m/s"; "m/s" is a velocity unit, expected an acceleration in one of m/s2, mm/s2, cm/s2"#,
        ),
        (
            "k_red = 1",
            r#"d_max = "5 m/s""#,
            r#"scene.toml:8:9 contact: d_max is "5 m/s"; "m/s" is a velocity unit, expected a damping coefficient in one of s/m, s/mm"#,
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = "3 kg""#,
            r#"scene.toml:11:13 experiment: stop_time is "3 kg"; "kg" is a mass unit, expected a time in one of s, ms, us, min, h"#,
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = "3 sec""#,
            r#"scene.toml:11:13 experiment: stop_time is "3 sec"; the unit "sec" is not known, expected a time in one of s, ms, us, min, h"#,
        ),
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = "3""#,
            r#"scene.toml:11:13 experiment: stop_time is "3", which has no unit; write 3 without quotes, or add one of s, ms, us, min, h"#,
        ),
        (
            "density = 1100",
            r#"density = "1.1 g/m3""#,
            r#"scene.toml:15:11 material "Rubber": density is "1.1 g/m3"; the unit "g/m3" is not known, expected a density in one of kg/m3, kg/dm3, g/cm3, t/m3"#,
        ),
        (
            "position = [0, 0, 2]",
            r#"position = [0, "1 kg", "x"]"#,
            r#"scene.toml:37:16 body "ball": position[2] is "1 kg"; "kg" is a mass unit, expected a length in one of m, km, cm, mm, um, nm, in, ft
scene.toml:37:24 body "ball": position[3] is "x"; expected a length in m such as 0.2 or "200 mm""#,
        ),
        (
            "position = [0, 0, 2]",
            r#"rotation = { axis = [0, 0, 1], angle = "30 m" }"#,
            r#"scene.toml:37:40 body "ball": rotation.angle is "30 m"; "m" is a length unit, expected an angle in one of rad, mrad, deg, rev"#,
        ),
        (
            "position = [0, 0, 2]",
            r#"angular_velocity = ["1 m/s", 0, 0]"#,
            r#"scene.toml:37:21 body "ball": angular_velocity[1] is "1 m/s"; "m/s" is a velocity unit, expected an angular velocity in one of rad/s, mrad/s, deg/s, rpm"#,
        ),
    ]);
}

#[test]
fn arrays_of_the_wrong_length_show_the_right_one() {
    check(&[
        (
            "gravity = [0, 0, -9.81]",
            "gravity = [0, -9.81]",
            "scene.toml:5:11 world: gravity has 2 entries; expected 3 such as [0, 0, -9.81]",
        ),
        (
            r#"materials = ["Steel", "Rubber"]"#,
            r#"materials = ["Steel"]"#,
            r#"scene.toml:20:13 material pair number 1: materials has 1 entry; expected 2 such as ["Steel", "Rubber"]"#,
        ),
        (
            "box = { lengths = [1, 1, 0.1] }",
            "box = { lengths = [1, 1] }",
            r#"scene.toml:31:19 body "floor", shape "plate": box.lengths has 2 entries; expected 3 such as [1, 1, 0.1]"#,
        ),
        (
            "position = [0, 0, 2]",
            "orientation = [1, 0, 0]",
            r#"scene.toml:37:15 body "ball": orientation has 3 entries; expected 4 such as [1, 0, 0, 0] (w, x, y, z)"#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = [[1, 0, 0], [0, 1, 0]]",
            r#"scene.toml:39:11 body "ball": inertia has 2 entries; expected 3 such as [[1, 0, 0], [0, 1, 0], [0, 0, 1]], or { xx = 1, yy = 1, zz = 1 }"#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = [[1, 0, 0], [0, 1], [0, 0, 1]]",
            r#"scene.toml:39:23 body "ball": inertia[2] has 2 entries; expected 3 such as [1, 0, 0]"#,
        ),
        (
            r#"inertia = { xx = 1, yy = 1, zz = 1 }

[[body.shape]]
sphere = { diameter = "20 cm" }
material = "Steel"
"#,
            "",
            r#"scene.toml:34:1 body "ball": has mass but no inertia; give inertia [kg.m2] about the centre of mass"#,
        ),
    ]);
}

#[test]
fn unknown_names_suggest_or_list_known_ones() {
    check(&[
        (
            "gravity = [0, 0, -9.81]",
            r#"gravity = "None""#,
            r#"scene.toml:5:11 world: gravity is "None"; did you mean "none"?"#,
        ),
        (
            "k_red = 1",
            r#"preset = "modia3d""#,
            r#"scene.toml:8:10 contact: preset is "modia3d"; did you mean "modia3d-0.12"?"#,
        ),
        (
            "k_red = 1",
            r#"rule = "toch"
z_eps = 1e-8"#,
            r#"scene.toml:8:8 contact: rule is "toch"; did you mean "touching"?"#,
        ),
        (
            r#"materials = ["Steel", "Rubber"]"#,
            r#"materials = ["Steel", "Ruber"]"#,
            r#"scene.toml:20:23 material pair number 1: materials[2] "Ruber" is not known; did you mean "Rubber"? known: Rubber, Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]"#,
        ),
        (
            r#"material = "Rubber""#,
            r#"material = "Air""#,
            r#"scene.toml:32:12 body "floor", shape "plate": material "Air" is not known; known: Rubber, Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]"#,
        ),
        (
            r#"material = "Rubber""#,
            r#"material = "Rubbr""#,
            r#"scene.toml:32:12 body "floor", shape "plate": material "Rubbr" is not known; did you mean "Rubber"? known: Rubber, Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]"#,
        ),
        (
            r#"material = "Rubber""#,
            r#"material = "Rubber"
contact_material = "steel""#,
            r#"scene.toml:33:20 body "floor", shape "plate": contact_material "steel" is not known; did you mean "Steel"? known: Rubber, Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]"#,
        ),
        (
            r#"mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }

[[body.shape]]
sphere = { diameter = "20 cm" }
material = "Steel""#,
            r#"[[body.shape]]
sphere = { diameter = "20 cm" }
material = "Stel""#,
            r#"scene.toml:40:12 body "ball", shape number 1: material "Stel" is not known; did you mean "Steel"? known: Rubber, Steel, Aluminium, DryWood, BilliardBall, BilliardCushion, BilliardTable, BilliardCue, Observer, StructuralSteel, Concrete, Glass, WhiteOak; define others with [[material]]"#,
        ),
    ]);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    check(&[
        (
            r#"stop_time = "3 s""#,
            r#"stop_time = 1
start_time = inf"#,
            "scene.toml:12:14 experiment: start_time is inf; must be a finite number",
        ),
        (
            r#"stop_time = "3 s""#,
            "stop_time = nan",
            "scene.toml:11:13 experiment: stop_time is nan; must be a finite number",
        ),
        (
            r#"stop_time = "3 s""#,
            "stop_time = 1e999",
            "scene.toml:11:13 experiment: stop_time is 1e999; must be a finite number",
        ),
        (
            "position = [0, 0, 2]",
            "position = [0, 0, -inf]",
            r#"scene.toml:37:19 body "ball": position[3] is -inf; must be a finite number"#,
        ),
    ]);
}

#[test]
fn values_without_meaning_are_refused_by_the_reader() {
    check(&[
        (
            "position = [0, 0, 2]",
            "rotation = { axis = [0, 0, 0], angle = 1 }",
            r#"scene.toml:37:21 body "ball": rotation.axis is the zero vector, which has no direction"#,
        ),
        (
            "inertia = { xx = 1, yy = 1, zz = 1 }",
            "inertia = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]",
            r#"scene.toml:39:11 body "ball": inertia is not symmetric: xy and yx are 2 and 0 kg.m2; must be equal"#,
        ),
    ]);
}

#[test]
fn names_of_what_never_touches_must_be_known() {
    check(&[
        (
            "k_red = 1",
            r#"exclude = [["bal", "floor"]]"#,
            r#"scene.toml:8:13 contact: exclude[1][1] is "bal"; there is no body "bal"; did you mean "ball"? known: floor, ball"#,
        ),
        (
            "k_red = 1",
            r#"exclude = [["ball", "floor.plat"], ["wall.a", 3]]"#,
            r#"scene.toml:8:21 contact: exclude[1][2] is "floor.plat"; there is no shape of body "floor" named "plat"; did you mean "plate"? known: plate
scene.toml:8:37 contact: exclude[2][1] is "wall.a"; there is no body "wall"; known: floor, ball
scene.toml:8:47 contact: exclude[2][2] is the number 3; expected a string in quotes"#,
        ),
        (
            "k_red = 1",
            r#"exclude = ["ball", "floor"]"#,
            r#"scene.toml:8:12 contact: exclude[1] is the string "ball"; expected an array of 2 such as ["ball", "cup"]
scene.toml:8:20 contact: exclude[2] is the string "floor"; expected an array of 2 such as ["ball", "cup"]"#,
        ),
        (
            "k_red = 1",
            r#"exclude = [["ball", "ball.sphere"]]"#,
            "scene.toml:8:11 contact: exclude: ball and ball.sphere are of one body; its shapes never collide, so remove the entry",
        ),
        (
            "k_red = 1",
            r#"exclude = "ball""#,
            r#"scene.toml:8:11 contact: exclude is the string "ball"; expected an array such as [["ball", "cup"], ["arm.hand", "table"]]"#,
        ),
    ]);
}

#[test]
fn reported_pairs_are_all_or_known_names_with_a_colon_between_them() {
    check(&[
        (
            "k_red = 1",
            r#"report = "al""#,
            r#"scene.toml:8:10 contact: report is "al"; must be "all" or an array of pairs such as ["ball:ground", "ball:table.cushion"]"#,
        ),
        (
            "k_red = 1",
            r#"report = "ball:floor""#,
            r#"scene.toml:8:10 contact: report is "ball:floor"; must be "all" or an array of pairs such as ["ball:ground", "ball:table.cushion"]; write ["ball:floor"] for one pair"#,
        ),
        (
            "k_red = 1",
            "report = 3",
            r#"scene.toml:8:10 contact: report is the number 3; expected "all" or an array of pairs such as ["ball:ground", "ball:table.cushion"]"#,
        ),
        (
            "k_red = 1",
            r#"report = ["ball", "bal:floor.plat", "floor:ball"]"#,
            r#"scene.toml:8:11 contact: report[1] is "ball"; must be two names with a colon between them, such as "ball:ground"
scene.toml:8:19 contact: report[2] is "bal"; there is no body "bal"; did you mean "ball"? known: floor, ball
scene.toml:8:19 contact: report[2] is "floor.plat"; there is no shape of body "floor" named "plat"; did you mean "plate"? known: plate"#,
        ),
        (
            "k_red = 1",
            r#"report = ["ball:ball"]"#,
            "scene.toml:8:10 contact: report: ball and ball are of one body; its shapes never collide, so remove the entry",
        ),
    ]);
}
