//! Keys as other tools and textbooks name them, and what they are here: MuJoCo, Adams, Simscape,
//! Modia3D, URDF, Modelica. A word stands for a key of the table that it is found in, or of another
//! table.

/// What a word means.
#[derive(Clone, Copy)]
enum Meaning {
    /// A key of the same table.
    Key(&'static str),
    /// A key of `[[material_pair]]` or `[[pair]]`, found in a table that has the first key.
    OfPair(&'static str, &'static str),
    /// What to write instead, in a table that has the first key; `{}` is the value.
    Text(&'static str, &'static str),
}

use Meaning::{Key, OfPair, Text};

/// Where numbers of contact do not belong: a key of each table.
const NOT_OF_PAIRS: [&str; 4] = [
    "youngs_modulus",
    "contact_material",
    "z_eps",
    "collision_group",
];

/// Numbers of contact: the key, and the words for it.
const OF_CONTACT: &[(&str, &[&str])] = &[
    (
        "sliding_friction",
        &[
            "friction",
            "mu",
            "muk",
            "mud",
            "mudynamic",
            "mukinetic",
            "slidingfriction",
            "frictioncoefficient",
            "coefficientoffriction",
            "slidingfrictioncoefficient",
            "kineticfriction",
            "kineticfrictioncoefficient",
            "dynamicfriction",
            "coefficientofdynamicfriction",
            "dynamicfrictioncoefficient",
            "coulombfriction",
        ],
    ),
    (
        "static_friction",
        &[
            "mus",
            "mustatic",
            "staticfriction",
            "staticfrictioncoefficient",
            "coefficientofstaticfriction",
            "stiction",
        ],
    ),
    (
        "restitution",
        &[
            "restitution",
            "cor",
            "restitutioncoefficient",
            "coefficientofrestitution",
            "bounce",
            "bounciness",
        ],
    ),
    (
        "rolling_resistance",
        &[
            "rollingresistance",
            "rollingfriction",
            "rollingfrictioncoefficient",
            "rollingresistancecoefficient",
            "rotationalresistance",
            "rotationalresistancecoefficient",
            "murolling",
            "mur",
        ],
    ),
    (
        "spinning_resistance",
        &[
            "spinningresistance",
            "spinningfriction",
            "torsionalfriction",
            "drillingfriction",
            "mutorsion",
        ],
    ),
];

/// What there is in place of the soft constraints of MuJoCo.
const SOFT: &str =
    "give restitution, or stiffness and damping_coefficient, in a [[material_pair]] or [[pair]]";

/// Words for a key of the table that they are in, and for what is written otherwise.
const WORDS: &[(&str, Meaning)] = &[
    // materials
    ("e", Key("youngs_modulus")),
    ("youngmodulus", Key("youngs_modulus")),
    ("young", Key("youngs_modulus")),
    ("elasticmodulus", Key("youngs_modulus")),
    ("modulusofelasticity", Key("youngs_modulus")),
    ("emodulus", Key("youngs_modulus")),
    ("modulus", Key("youngs_modulus")),
    ("nu", Key("poissons_ratio")),
    ("poisson", Key("poissons_ratio")),
    ("poissonratio", Key("poissons_ratio")),
    ("rho", Key("density")),
    ("massdensity", Key("density")),
    // laws of contact
    ("e", Key("restitution")),
    ("k", Key("stiffness")),
    ("contactstiffness", Key("stiffness")),
    ("forceexponent", Key("exponent")),
    ("n", Key("exponent")),
    ("contactdamping", Key("damping_coefficient")),
    ("penetrationdepth", Key("damping_depth")),
    ("stictiontransitionvelocity", Key("static_speed")),
    ("stictionvelocity", Key("static_speed")),
    ("frictiontransitionvelocity", Key("dynamic_speed")),
    ("criticalvelocity", Key("v_small")),
    ("solref", Text("contact_material", SOFT)),
    ("solimp", Text("contact_material", SOFT)),
    ("solref", Text("restitution", SOFT)),
    ("solimp", Text("restitution", SOFT)),
    ("bodies", Key("between")),
    ("shapes", Key("between")),
    ("geoms", Key("between")),
    // bodies and shapes
    ("m", Key("mass")),
    ("pos", Key("position")),
    ("xyz", Key("position")),
    ("translation", Key("position")),
    ("location", Key("position")),
    ("origin", Key("position")),
    ("quat", Key("orientation")),
    ("quaternion", Key("orientation")),
    (
        "euler",
        Text(
            "rotation",
            "write rotation = { axis = [0, 0, 1], angle = \"30 deg\" }, or the quaternion as orientation",
        ),
    ),
    (
        "rpy",
        Text(
            "rotation",
            "write rotation = { axis = [0, 0, 1], angle = \"30 deg\" }, or the quaternion as orientation",
        ),
    ),
    ("com", Key("center_of_mass")),
    ("cm", Key("center_of_mass")),
    ("cog", Key("center_of_mass")),
    ("centerofgravity", Key("center_of_mass")),
    ("centreofmass", Key("center_of_mass")),
    ("v", Key("velocity")),
    ("vel", Key("velocity")),
    ("linearvelocity", Key("velocity")),
    ("initialvelocity", Key("velocity")),
    ("omega", Key("angular_velocity")),
    ("w", Key("angular_velocity")),
    ("angvel", Key("angular_velocity")),
    ("initialangularvelocity", Key("angular_velocity")),
    ("inertiatensor", Key("inertia")),
    ("momentofinertia", Key("inertia")),
    ("momentsofinertia", Key("inertia")),
    (
        "diaginertia",
        Text(
            "wrench_axes",
            "write inertia = { xx = 1, yy = 1, zz = 1 } with these three numbers",
        ),
    ),
    ("type", Key("motion")),
    ("kind", Key("motion")),
    ("group", Key("collision_group")),
    ("contype", Key("collision_group")),
    (
        "geom",
        Text("wrench_axes", "write a table [[body.shape]] below the body"),
    ),
    (
        "geometry",
        Text("wrench_axes", "write a table [[body.shape]] below the body"),
    ),
    (
        "collider",
        Text("wrench_axes", "write a table [[body.shape]] below the body"),
    ),
    ("ball", Key("sphere")),
    ("cuboid", Key("box")),
    ("block", Key("box")),
    (
        "plane",
        Text(
            "half_space",
            "write half_space, the solid below z = 0, which is an empty table",
        ),
    ),
    ("convexhull", Key("hull")),
    ("trimesh", Key("mesh")),
    (
        "stl",
        Text("half_space", "write mesh = { file = {}, unit = \"mm\" }"),
    ),
    (
        "type",
        Text(
            "half_space",
            "write the form itself, such as sphere = { diameter = 0.2 }",
        ),
    ),
    (
        "geometry",
        Text(
            "half_space",
            "write the form itself, such as sphere = { diameter = 0.2 }",
        ),
    ),
    (
        "size",
        Text(
            "half_space",
            "write the form with its full lengths, such as box = { lengths = [1, 1, 0.1] }",
        ),
    ),
    // forms
    ("r", Key("radius")),
    ("d", Key("diameter")),
    ("dia", Key("diameter")),
    ("l", Key("length")),
    ("h", Key("length")),
    ("height", Key("length")),
    (
        "size",
        Text(
            "lengths",
            "write lengths, the full lengths along x, y, z, such as lengths = [1, 1, 0.1]",
        ),
    ),
    ("dimensions", Key("lengths")),
    ("sides", Key("lengths")),
    (
        "halfextents",
        Text("lengths", "write lengths, twice the half extents"),
    ),
    ("filename", Key("file")),
    ("units", Key("unit")),
    // joints
    ("jointtype", Key("type")),
    ("kind", Key("type")),
    ("bodya", Key("parent")),
    ("framea", Key("parent")),
    ("predecessor", Key("parent")),
    ("base", Key("parent")),
    ("bodyb", Key("child")),
    ("frameb", Key("child")),
    ("follower", Key("child")),
    ("successor", Key("child")),
    ("direction", Key("axis")),
    (
        "limits",
        Text(
            "parent",
            "write it in the coordinate: angle = { stop = { lower = -1, upper = 1, stiffness = 1e4, restitution = 0.5 } }",
        ),
    ),
    (
        "range",
        Text(
            "parent",
            "write it in the coordinate: angle = { stop = { lower = -1, upper = 1, stiffness = 1e4, restitution = 0.5 } }",
        ),
    ),
    (
        "limit",
        Text(
            "parent",
            "write it in the coordinate: angle = { stop = { lower = -1, upper = 1, stiffness = 1e4, restitution = 0.5 } }",
        ),
    ),
    (
        "stiffness",
        Text(
            "parent",
            "write it in the coordinate: angle = { spring = { stiffness = {} } }",
        ),
    ),
    ("initial", Key("start")),
    ("initialvalue", Key("start")),
    ("startvalue", Key("start")),
    ("q", Key("start")),
    ("phi", Key("start")),
    ("velocity", Key("speed")),
    ("rate", Key("speed")),
    ("viscousdamping", Key("damping")),
    ("d", Key("damping")),
    (
        "stiffness",
        Text("spring", "write spring = { stiffness = {} }"),
    ),
    ("k", Text("spring", "write spring = { stiffness = {} }")),
    ("limits", Key("stop")),
    ("range", Key("stop")),
    ("min", Key("lower")),
    ("max", Key("upper")),
    ("k", Key("stiffness")),
    ("equilibrium", Key("rest")),
    ("springref", Key("rest")),
    // experiment and world
    ("end", Key("stop_time")),
    ("stop", Key("stop_time")),
    ("endtime", Key("stop_time")),
    ("tend", Key("stop_time")),
    ("tstop", Key("stop_time")),
    ("finaltime", Key("stop_time")),
    ("duration", Key("stop_time")),
    ("tstart", Key("start_time")),
    ("begin", Key("start_time")),
    ("dt", Key("step_size")),
    ("timestep", Key("step_size")),
    ("interval", Key("step_size")),
    ("outputinterval", Key("step_size")),
    ("communicationstep", Key("step_size")),
    ("rtol", Key("tolerance")),
    ("reltol", Key("tolerance")),
    ("tol", Key("tolerance")),
    ("relativetolerance", Key("tolerance")),
    ("hmax", Key("max_step")),
    ("dtmax", Key("max_step")),
    ("maxstepsize", Key("max_step")),
    ("integrator", Key("solver")),
    ("method", Key("solver")),
    ("g", Key("gravity")),
    (
        "gravity",
        Text("format", "write [world] and below it gravity = {}"),
    ),
    (
        "stoptime",
        Text("format", "write [experiment] and below it stop_time = {}"),
    ),
    ("simulation", Key("experiment")),
    // forces and motions
    ("f", Key("force")),
    ("moment", Key("torque")),
    ("applicationpoint", Key("point")),
    ("time", Key("times")),
    ("t", Key("times")),
    ("freq", Key("frequency")),
];

/// Numbers where a key takes a word: the number has a key of its own.
const NUMBERS: [(&str, &str); 2] = [
    ("friction", "sliding_friction"),
    ("damping", "damping_coefficient"),
];

/// What to write for an unknown key with a value, in a table with these keys, and which of them is meant
/// if one is.
pub fn advice<'k>(word: &str, value: &str, keys: &[&'k str]) -> Option<(String, Option<&'k str>)> {
    let word: String = word.to_lowercase().replace(['_', '-', '\'', ' '], "");
    let of_contact = OF_CONTACT
        .iter()
        .filter(|(_, words)| words.contains(&word.as_str()));
    let of_contact = of_contact.flat_map(|(key, _)| {
        let elsewhere = NOT_OF_PAIRS.iter().map(|table| OfPair(table, key));
        std::iter::once(Key(key)).chain(elsewhere)
    });
    let others = WORDS.iter().filter(|(known, _)| *known == word);
    let meanings = of_contact.chain(others.map(|(_, meaning)| *meaning));
    let known = |wanted: &str| keys.iter().find(|key| **key == wanted).copied();
    let written = |meaning| match meaning {
        Key(key) => known(key).map(|key| (format!("write {key} = {value}"), Some(key))),
        OfPair(table, key) => known(table).map(|_| {
            let text = format!("write {key} = {value} in a [[material_pair]] or [[pair]]");
            (text, None)
        }),
        // The value where there is room for one; braces of TOML stay.
        Text(table, text) => known(table).map(|_| {
            let text = text.replace("= {}", &format!("= {value}"));
            (text, None)
        }),
    };
    meanings.filter_map(written).next()
}

/// What to write where a key that takes a word has a number.
pub fn of_number(key: &str, value: &str, is_of_pair: bool) -> Option<String> {
    let (_, number) = NUMBERS.iter().find(|(known, _)| *known == key)?;
    let place = match is_of_pair {
        true => "",
        false => " in a [[material_pair]] or [[pair]]",
    };
    Some(format!(
        "{key} chooses a law; write its coefficient as {number} = {value}{place}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_synonym_is_of_a_key_that_exists() {
        let schema = include_str!("../../scene.schema.json");
        let is_key = |key: &str| assert!(schema.contains(&format!("{key:?}: {{")), "{key}");
        for (word, meaning) in WORDS {
            assert_eq!(word.to_lowercase().replace('_', ""), *word);
            match meaning {
                Key(key) => is_key(key),
                OfPair(table, key) => [table, key].into_iter().for_each(|key| is_key(key)),
                Text(table, _) => is_key(table),
            }
        }
        OF_CONTACT.iter().for_each(|(key, _)| is_key(key));
        NOT_OF_PAIRS.iter().for_each(|key| is_key(key));
        NUMBERS
            .iter()
            .flat_map(|(a, b)| [a, b])
            .for_each(|key| is_key(key));
    }

    #[test]
    fn a_word_means_the_key_of_its_table() {
        let material = ["name", "density", "youngs_modulus", "poissons_ratio"];
        let pair = ["restitution", "sliding_friction", "stiffness"];
        let of = |word, keys: &[&'static str]| advice(word, "0.3", keys).map(|(text, _)| text);
        assert_eq!(of("E", &material).unwrap(), "write youngs_modulus = 0.3");
        assert_eq!(of("e", &pair).unwrap(), "write restitution = 0.3");
        assert_eq!(of("mu", &pair).unwrap(), "write sliding_friction = 0.3");
        assert_eq!(
            of("friction_coefficient", &material).unwrap(),
            "write sliding_friction = 0.3 in a [[material_pair]] or [[pair]]"
        );
        assert_eq!(of("mu", &["lengths"]), None);
    }
}
