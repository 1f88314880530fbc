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
#[rustfmt::skip]
const OF_CONTACT: &[(&str, &str)] = &[
    ("sliding_friction", "friction mu muk mud mudynamic mukinetic slidingfriction frictioncoefficient \
      coefficientoffriction slidingfrictioncoefficient kineticfriction kineticfrictioncoefficient \
      dynamicfriction coefficientofdynamicfriction dynamicfrictioncoefficient coulombfriction"),
    ("static_friction", "mus mustatic staticfriction staticfrictioncoefficient coefficientofstaticfriction \
      stiction"),
    ("restitution", "restitution cor restitutioncoefficient coefficientofrestitution bounce bounciness"),
    ("rolling_resistance", "rollingresistance rollingfriction rollingfrictioncoefficient \
      rollingresistancecoefficient rotationalresistance rotationalresistancecoefficient murolling mur"),
    ("spinning_resistance", "spinningresistance spinningfriction torsionalfriction drillingfriction mutorsion"),
];

/// What there is in place of the soft constraints of MuJoCo.
const SOFT: &str =
    "give restitution, or stiffness and damping_coefficient, in a [[material_pair]] or [[pair]]";

/// Words for a key of the table that they are in, and for what is written otherwise.
#[rustfmt::skip]
const WORDS: &[(Meaning, &str)] = &[
    // materials
    (Key("youngs_modulus"), "e youngmodulus young elasticmodulus modulusofelasticity emodulus modulus"),
    (Key("poissons_ratio"), "nu poisson poissonratio"),
    (Key("density"), "rho massdensity"),
    // laws of contact
    (Key("restitution"), "e"),
    (Key("stiffness"), "k contactstiffness"),
    (Key("exponent"), "forceexponent n"),
    (Key("damping_coefficient"), "contactdamping"),
    (Key("damping_depth"), "penetrationdepth"),
    (Key("static_speed"), "stictiontransitionvelocity stictionvelocity"),
    (Key("dynamic_speed"), "frictiontransitionvelocity"),
    (Key("v_small"), "criticalvelocity"),
    (Text("contact_material", SOFT), "solref solimp"),
    (Text("restitution", SOFT), "solref solimp"),
    (Key("between"), "bodies shapes geoms"),
    // bodies and shapes
    (Key("mass"), "m"),
    (Key("position"), "pos xyz translation location origin"),
    (Key("orientation"), "quat quaternion"),
    (Text("rotation",
      "write rotation = { axis = [0, 0, 1], angle = \"30 deg\" }, or the quaternion as orientation"), "euler rpy"),
    (Key("center_of_mass"), "com cm cog centerofgravity centreofmass"),
    (Key("velocity"), "v vel linearvelocity initialvelocity"),
    (Key("angular_velocity"), "omega w angvel initialangularvelocity"),
    (Key("inertia"), "inertiatensor momentofinertia momentsofinertia"),
    (Text("wrench_axes", "write inertia = { xx = 1, yy = 1, zz = 1 } with these three numbers"), "diaginertia"),
    (Key("motion"), "type kind"),
    (Key("collision_group"), "group contype"),
    (Text("wrench_axes", "write a table [[body.shape]] below the body"), "geom geometry collider"),
    (Key("sphere"), "ball"),
    (Key("box"), "cuboid block"),
    (Text("half_space", "write half_space, the solid below z = 0, which is an empty table"), "plane"),
    (Key("hull"), "convexhull"),
    (Key("mesh"), "trimesh stl obj ply"),
    (Key("height_field"), "heightfield hfield heightmap terrain gridsurface"),
    (Text("half_space", "write the form itself, such as sphere = { diameter = 0.2 }"), "type geometry"),
    (Text("half_space", "write the form with its full lengths, such as box = { lengths = [1, 1, 0.1] }"), "size"),
    // forms
    (Key("radius"), "r"),
    (Key("diameter"), "d dia"),
    (Key("length"), "l h height"),
    (Text("lengths", "write lengths, the full lengths along x, y, z, such as lengths = [1, 1, 0.1]"), "size"),
    (Key("lengths"), "dimensions sides"),
    (Text("lengths", "write lengths, twice the half extents"), "halfextents"),
    (Key("file"), "filename"),
    (Key("spacing"), "cellsize dx dy resolution"),
    (Text("spacing", "remove it: a height field is a solid and touches with its own surface"), "contact solid thickness"),
    (Text("contact_material", "write it inside mesh = { }, if it has one, or in a [[pair]] or [[material_pair]]"), "contact"),
    (Text("solid", "write position or rotation = { axis = [1, 0, 0], angle = \"90 deg\" } in the [[body.shape]]"),
      "up upaxis rotation orientation position"),
    (Key("unit"), "units"),
    (Text("solid", "remove it: meshes are not cut into parts; a concave one touches as it is, or by its hull with contact = \"hull\""),
      "maxparts maxoutside tolerance decomposition vhacd coacd"),
    // joints
    (Key("type"), "jointtype kind"),
    (Key("parent"), "bodya framea predecessor base"),
    (Key("child"), "bodyb frameb follower successor"),
    (Key("axis"), "direction"),
    (Text("parent",
      "write it in the coordinate: angle = { stop = { lower = -1, upper = 1, stiffness = 1e4, restitution = 0.5 } }"), "limits range limit"),
    (Text("parent", "write it in the coordinate: angle = { spring = { stiffness = {} } }"), "stiffness"),
    (Key("start"), "initial initialvalue startvalue q phi"),
    (Key("speed"), "velocity rate"),
    (Key("damping"), "viscousdamping d"),
    (Text("spring", "write spring = { stiffness = {} }"), "stiffness k"),
    (Key("stop"), "limits range"),
    (Key("lower"), "min"),
    (Key("upper"), "max"),
    (Key("rest"), "equilibrium springref"),
    // experiment and world
    (Key("stop_time"), "end stop endtime tend tstop finaltime duration"),
    (Key("start_time"), "tstart begin"),
    (Key("step_size"), "dt timestep interval outputinterval communicationstep"),
    (Key("tolerance"), "rtol reltol tol relativetolerance"),
    (Key("max_step"), "hmax dtmax maxstepsize"),
    (Key("solver"), "integrator method"),
    (Key("gravity"), "g"),
    (Text("format", "write [world] and below it gravity = {}"), "gravity"),
    (Text("format", "write [experiment] and below it stop_time = {}"), "stoptime"),
    (Key("experiment"), "simulation"),
    // forces and motions
    (Key("force"), "f"),
    (Key("torque"), "moment"),
    (Key("point"), "applicationpoint"),
    (Key("times"), "time t"),
    (Key("frequency"), "freq"),
];

/// Words that a key takes, and what stands for them elsewhere.
const VALUES: &[(&str, &str)] = &[
    ("revolute", "hinge pin continuous rotational rotary"),
    ("prismatic", "slider slide sliding translational linear"),
    ("spherical", "ball balljoint"),
    ("fixed", "weld welded rigid static clamped locked"),
    ("universal", "cardan hooke"),
    ("screw", "helical leadscrew"),
    ("free", "floating freejoint dynamic movable"),
    ("prescribed", "kinematic"),
    ("mesh", "decomposition concave trimesh exact surface"),
    ("hull", "convex convexhull"),
];

/// Numbers where a key takes a word: the number has a key of its own.
const NUMBERS: [(&str, &str); 2] = [
    ("friction", "sliding_friction"),
    ("damping", "damping_coefficient"),
];

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn plain(word: &str) -> String {
    word.to_lowercase().replace(['_', '-', '\'', ' '], "")
}

/// What to write for an unknown key with a value, in a table with these keys, and which of them is meant
/// if one is.
pub(crate) fn advice<'k>(
    word: &str,
    value: &str,
    keys: &[&'k str],
) -> Option<(String, Option<&'k str>)> {
    let word = plain(word);
    let of_contact = OF_CONTACT.iter().filter(|(_, words)| has(words, &word));
    let of_contact = of_contact.flat_map(|(key, _)| {
        let elsewhere = NOT_OF_PAIRS.iter().map(|table| OfPair(table, key));
        std::iter::once(Key(key)).chain(elsewhere)
    });
    let others = WORDS.iter().filter(|(_, words)| has(words, &word));
    let meanings = of_contact.chain(others.map(|(meaning, _)| *meaning));
    let known = |wanted: &str| keys.iter().find(|key| **key == wanted).copied();
    let written = |meaning| match meaning {
        Key("mesh") => {
            known("mesh").map(|key| (format!("write mesh = {}", mesh(value)), Some(key)))
        }
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

/// What `mesh` takes, from a file or a table of one: it needs a unit, which only a 3MF file says.
fn mesh(value: &str) -> String {
    let table = match value.starts_with('{') {
        true => value.to_owned(),
        false => format!("{{ file = {value} }}"),
    };
    let has_unit = table.contains("unit") || table.to_lowercase().contains(".3mf\"");
    match table.trim_end().strip_suffix('}') {
        Some(keys) if table.contains("file") && !has_unit => {
            format!(
                "{}, unit = \"mm\" }} with the unit of the file",
                keys.trim_end()
            )
        }
        _ => table,
    }
}

/// The word among those of a key that another one stands for.
pub(crate) fn of_word<'k>(word: &str, words: &[&'k str]) -> Option<&'k str> {
    let word = plain(word);
    let mut meanings = VALUES.iter().filter(|(_, others)| has(others, &word));
    let meant = meanings.find_map(|(meant, _)| words.iter().find(|known| *known == meant));
    meant.copied()
}

/// What else may be meant by a word of a key that [`of_word`] found.
pub(crate) fn or_else(key: &str, word: &str) -> &'static str {
    match (key, word) {
        ("contact", "mesh") => {
            ", which touches as it is with all hollows, or \"hull\" if its convex hull is good enough"
        }
        _ => "",
    }
}

/// What to write where a key that takes a word has a number.
pub(crate) fn of_number(key: &str, value: &str, is_of_pair: bool) -> Option<String> {
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
        for (meaning, words) in WORDS {
            assert_eq!(words.to_lowercase().replace('_', ""), *words);
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
    fn every_word_stands_for_one_that_a_key_takes() {
        let schema = include_str!("../../scene.schema.json");
        for (word, _) in VALUES {
            assert!(schema.contains(&format!("{word:?}")), "{word}");
        }
        assert_eq!(
            of_word("Ball_Joint", &["revolute", "spherical"]),
            Some("spherical")
        );
        assert_eq!(
            of_word("static", &["free", "fixed", "driven"]),
            Some("fixed")
        );
        assert_eq!(of_word("hinge", &["free", "fixed", "driven"]), None);
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
