//! Problems of `[[force]]`; what good ones mean is told in `scenes`.

use super::{BASE, problems};

/// The problems of the base file with a force from line 45 on.
fn problems_with(force: &str) -> String {
    problems(&format!("{BASE}\n[[force]]\n{force}"))
}

#[test]
fn problems_of_forces_stand_at_their_values() {
    let cases = [
        (
            "force = [0, 0, 5]\n",
            "scene.toml:45:1 force number 1: name is missing; write name = \"thrust\"\n\
             scene.toml:45:1 force number 1: body is missing; name the free body it acts on",
        ),
        (
            "name = \"a b\"\nbody = \"bal\"\nforce = [0, 0, 5]\n",
            "scene.toml:46:8 force \"a b\": name is \"a b\"; must be an ASCII letter, then letters, digits or underscores\n\
             scene.toml:47:8 force \"a b\": body \"bal\" is not known; bodies that forces move: ball",
        ),
        (
            "name = \"a\"\nbody = \"floor\"\nforce = [0, 0, 5]\n",
            "scene.toml:47:8 force \"a\": body \"floor\" is fixed, so no force moves it; bodies that forces move: ball",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\n",
            "scene.toml:45:1 force \"a\": says neither force, torque, sine, table nor input; write force = [0, 0, \
             5], a sine or a table, or input = true",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nforce = [0, 0, 5]\nsine = { force = [1, 0, 0], frequency = 1 }\n",
            "scene.toml:45:1 force \"a\": says more than one of constant force or torque, sine, table, input; keep one of \
             them in each [[force]]: several on one body add up",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nforce = [0, 0, \"5 N.m\"]\naxes = \"wold\"\n",
            "scene.toml:48:16 force \"a\": force[3] is \"5 N.m\"; \"N.m\" is a torque unit, expected a force in one \
             of N, mN, kN, MN, lbf\n\
             scene.toml:49:8 force \"a\": axes is \"wold\"; did you mean \"world\"?",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nsine = { force = [1, 0, 0] }\n",
            "scene.toml:48:8 force \"a\": sine.frequency is missing; write frequency = \"2 Hz\", or angular_frequency",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nsine = { frequency = 1, angular_frequency = 1, force = [1, 0, 0] }\n",
            "scene.toml:48:10 force \"a\": sine.frequency and angular_frequency are both given; keep one of the two",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nsine = { frequency = 0, torque = [1, 0, 0], phase = \"1 s\" }\n",
            "scene.toml:48:22 force \"a\": angular_frequency is 0 rad/s; must be > 0\n\
             scene.toml:48:53 force \"a\": sine.phase is \"1 s\"; \"s\" is a time unit, expected an angle in one of \
             rad, mrad, deg, rev",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nsine = { frequency = 1 }\n",
            "scene.toml:48:8 force \"a\": neither force nor torque is given; give at least one of them",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\ntable = { times = [0, 1, 1], force = [[0, 0, 0], [1, 0, 0]] }\n",
            "scene.toml:48:19 force \"a\": times[3] is 1 s after 1 s; times must ascend: where the force jumps, let \
             it rise within a short time\n\
             scene.toml:48:38 force \"a\": force has 2 entries, times has 3; must be as many",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\ntable = { times = [0], interpolation = \"cubic\" }\n",
            "scene.toml:48:9 force \"a\": neither force nor torque is given; give at least one of them\n\
             scene.toml:48:19 force \"a\": times are 1; must be at least 2\n\
             scene.toml:48:40 force \"a\": table.interpolation is the string \"cubic\"; expected one of \"linear\", \"spline\", \"quintic\", \"trapezoid\"",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\ntable = { force = [[0, 0, 0], [1, 0]] }\n",
            "scene.toml:48:9 force \"a\": table.times is missing; write the times, such as times = [0, 1]\n\
             scene.toml:48:31 force \"a\": table.force[2] has 2 entries; expected 3 such as [0, 0, 0.5]",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\ntable = { times = [0, 1e-300], force = [[0, 0, 0], [1e20, 0, 0]] }\n",
            "scene.toml:48:9 force \"a\": table: the slopes between its values are beyond 1.8e308; give times that lie \
             farther apart",
        ),
        (
            "name = \"a\"\nbody = \"ball\"\nforce = [1, 0, 0]\n[[force]]\nname = \"a\"\nbody = \"ball\"\ntorque = [0, 0, 1]\n",
            "scene.toml:50:8 force \"a\": this name is taken by another force",
        ),
    ];
    for (force, expected) in cases {
        assert_eq!(problems_with(force).trim_end(), expected, "{force}");
    }
}

#[test]
fn a_body_whose_name_could_not_be_read_is_no_second_problem() {
    let text = format!("{BASE}\n[[force]]\nname = \"a\"\nbody = \"ball\"\nforce = [0, 0, 5]\n");
    let text = text.replace("name = \"ball\"\nmotion", "name = 5\nmotion");
    assert_eq!(
        problems(&text).trim_end(),
        "scene.toml:35:8 body number 2: name is the number 5; expected a string in quotes"
    );
}
