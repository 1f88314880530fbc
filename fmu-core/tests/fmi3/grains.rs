//! Groups of balls through the C functions: the same motion as bodies one by one, what their
//! variables say, and what each FMI version has of them.

use crate::fixtures::*;
use crate::fmi3::importer::*;
use fmu_core::instance::Standard;
use fmu_core::instance::variables::describe::Describer;
use fmu_core::instance::variables::structure::ModelStructure;
use fmu_core::instance::variables::{Causality, Family, Initial, VariableTable};

/// Places of three balls of 0.2 m over a plate, the second one beside the first.
const PLACES: [[f64; 3]; 3] = [[0.0, 0.0, 0.11], [0.05, 0.0, 0.35], [-0.3, 0.1, 0.6]];

/// The plate and a group of balls at [`PLACES`], with a region below 0.4 m.
fn group() -> SceneDescription {
    let mut description = steel_scene(vec![plate()]);
    let everywhere = RegionDescription::default();
    let mut low = RegionDescription {
        name: "low".into(),
        ..everywhere
    };
    low.bounds[2][1] = 0.4;
    description.grains = vec![GrainsDescription {
        name: "sand".into(),
        material: "Steel".into(),
        positions: PLACES.to_vec(),
        diameters: vec![0.2; 3],
        velocity: [0.0, 0.0, -1.0],
        regions: vec![low],
    }];
    description
}

/// The same as bodies.
fn bodies() -> SceneDescription {
    let mut bodies = vec![plate()];
    bodies.extend(PLACES.iter().enumerate().map(|(i, place)| {
        let mut one = ball(&format!("ball{i}"), *place);
        one.velocity = [0.0, 0.0, -1.0];
        one
    }));
    steel_scene(bodies)
}

/// Values of a variable by its name.
fn values(fmu: &Fmu, importer: &Importer, name: &str) -> Vec<f64> {
    let table = VariableTable::new(&fmu.scene, Standard::Fmi3);
    let reference = reference(fmu, name);
    let mut values = vec![f64::NAN; table.elements(reference).len()];
    assert_eq!(
        importer.get(&[reference], &mut values),
        fmi3OK,
        "{:?}",
        importer.log()
    );
    values
}

#[test]
fn a_group_moves_as_the_same_bodies_do_to_the_bit() {
    move_as_bodies(plate());
}

#[test]
fn a_group_moves_on_a_mesh_as_the_same_bodies_do_to_the_bit() {
    let bowl = land(8, 2.0, 2.0, |x, y| 0.3 * (x * x + y * y) - 0.05);
    move_as_bodies(body("bowl", Motion::Fixed, bowl, [0.0; 3]));
}

fn move_as_bodies(ground: BodyDescription) {
    let (mut group, mut bodies) = (group(), bodies());
    group.bodies[0] = ground.clone();
    bodies.bodies[0] = ground;
    let (group, bodies) = (Fmu::new(group), Fmu::new(bodies));
    let (one, other) = (group.co_simulation(), bodies.co_simulation());
    for importer in [&one, &other] {
        importer.initialize();
        importer.whole_step(0.0, 0.25);
        importer.whole_step(0.25, 0.25);
    }
    let positions = values(&group, &one, "sand.position");
    let velocities = values(&group, &one, "sand.velocity");
    for i in 0..3 {
        for axis in 0..3 {
            let of_body = |key: &str| {
                let name = format!("ball{i}.{key}[{}]", axis + 1);
                values(&bodies, &other, &name)[0].to_bits()
            };
            assert_eq!(positions[3 * i + axis].to_bits(), of_body("position"));
            assert_eq!(velocities[3 * i + axis].to_bits(), of_body("velocity"));
        }
    }
    // They have fallen on the plate and on each other.
    assert_ne!(velocities[0], 0.0);
}

#[test]
fn sums_over_a_group_are_those_of_its_balls() {
    let fmu = Fmu::new(group());
    let importer = fmu.stepping();
    let value = |name: &str| values(&fmu, &importer, name)[0];
    let close = |found: f64, expected: f64| {
        let off = (found - expected).abs();
        assert!(off <= 1e-12 * expected.abs(), "{found} {expected}");
    };
    // Steel of 8000 kg/m3, pi/6 d^3.
    let mass = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;
    close(value("sand.center[1]"), (0.05 - 0.3) / 3.0);
    close(value("sand.center[3]"), (0.11 + 0.35 + 0.6) / 3.0);
    close(value("sand.kinetic_energy"), 1.5 * mass);
    close(value("sand.low.count"), 2.0);
    close(value("sand.low.mass"), 2.0 * mass);
    assert_eq!(values(&fmu, &importer, "sand.radius"), [0.1; 3]);
    assert_eq!(values(&fmu, &importer, "sand.position"), PLACES.concat());
    // The third falls below 0.4 m within 0.2 s at 1 m/s.
    importer.whole_step(0.0, 0.25);
    close(value("sand.low.count"), 3.0);
}

#[test]
fn the_states_of_a_group_are_one_array_in_the_order_of_the_state_vector() {
    let fmu = Fmu::new(group());
    let importer = fmu.stepping();
    let states = values(&fmu, &importer, "sand.state");
    assert_eq!(states.len(), 3 * 13);
    assert_eq!(states[13..16], PLACES[1]);
    // In free flight the third ball falls.
    let found = values(&fmu, &importer, "der(sand.state)")[2 * 13 + 9];
    assert_eq!(found, -9.81);
    assert!(!values(&fmu, &importer, "contact.indicator").is_empty());
    // An array of states that are computed cannot be set.
    let status = importer.set(&[reference(&fmu, "sand.state")], &states);
    assert_eq!(status, fmi3Error);
    assert!(
        importer.reason().contains("sand.state"),
        "states are not start values"
    );
}

#[test]
fn a_group_has_no_model_exchange_in_either_version() {
    let fmu = Fmu::new(group());
    let told = Importer::new(&fmu, Interface::ModelExchange).map(drop);
    let told = told.unwrap_err().remove(0).2;
    assert!(told.contains("for Co-Simulation"), "{told}");
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        assert!(!VariableTable::new(&fmu.scene, standard).has_model_exchange());
        let bodies = Scene::new(bodies()).unwrap();
        assert!(VariableTable::new(&bodies, standard).has_model_exchange());
    }
}

#[test]
fn derivatives_of_sums_along_states_are_those_of_the_formulas() {
    let fmu = Fmu::new(group());
    let importer = fmu.stepping();
    let knowns = [reference(&fmu, "sand.state")];
    let unknowns = ["sand.center[3]", "sand.kinetic_energy", "sand.low.mass"];
    let unknowns = unknowns.map(|name| reference(&fmu, name));
    // The first ball rises by 0.3 m and gains 2 m/s upwards.
    let mut seed = vec![0.0; 39];
    (seed[2], seed[9]) = (0.3, 2.0);
    let mut found = [f64::NAN; 3];
    importer.fine(importer.directional(&unknowns, &knowns, &seed, &mut found));
    let mass = 8000.0 * std::f64::consts::PI / 6.0 * 0.008;
    for (found, expected) in found.into_iter().zip([0.1, -2.0 * mass, 0.0]) {
        assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
    }
}

#[test]
fn references_and_meanings_of_groups_lead_back_to_each_other() {
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        for expose in [None, Some(vec!["sand.center".to_owned()])] {
            let mut description = group();
            description.expose = expose;
            let scene = Scene::new(description).unwrap();
            let table = VariableTable::new(&scene, standard);
            let describer = Describer::new(&scene, &table);
            assert_eq!(table.check_names(&scene), Ok(()));
            let nominals = vec![1.0; scene.layout().count()];
            for (index, variable) in describer.variables(&nominals).iter().enumerate() {
                assert_eq!(variable.reference as usize, index + 1);
                assert_eq!(table.reference(variable.quantity), Some(variable.reference));
                for element in table.elements(variable.reference) {
                    let meaning = table.meaning(element).unwrap();
                    assert_eq!(table.element(meaning), Some(element));
                }
                let is_array = variable.dimension.is_some();
                assert!(!is_array || standard == Standard::Fmi3, "{}", variable.name);
            }
        }
    }
}

#[test]
fn fmi_2_has_the_sums_of_a_group() {
    let scene = Scene::new(group()).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi2);
    let names: Vec<String> = table
        .quantities()
        .map(|(_, q)| table.name(&scene, q))
        .collect();
    for name in ["sand.count", "sand.center[3]", "sand.low.mass"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    let hidden = ["sand.state", "sand.position", "contact.indicator", "der("];
    let is_hidden = |name: &&String| hidden.iter().any(|h| name.starts_with(h));
    assert_eq!(names.iter().find(is_hidden), None);
    use crate::fmi2::importer as fmi2;
    let fmu = Fmu::new(group());
    let importer = fmi2::co_simulation(&fmu);
    importer.initialize();
    let (center, _) = table
        .quantities()
        .find(|(_, q)| table.name(&scene, *q) == "sand.center[1]")
        .unwrap();
    let expected = (0.05 - 0.3) / 3.0;
    assert!((importer.value(center) - expected).abs() < 1e-15);
}

#[test]
fn a_computed_start_is_an_unknown_of_initialization() {
    let scene = Scene::new(group()).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let structure = ModelStructure::new(&scene, &table);
    let state = table.reference(Family::State.of(0)).unwrap();
    let rate = table.reference(Family::Derivative.of(0)).unwrap();
    assert_eq!(
        Family::State.of(0).initial(&scene),
        Some(Initial::Calculated)
    );
    assert_eq!(
        table.causality(&scene, Family::State.of(0)),
        Causality::Local
    );
    let listed = |list: &[fmu_core::instance::variables::structure::Unknown], reference| {
        list.iter().any(|unknown| unknown.reference == reference)
    };
    assert!(listed(&structure.initial_unknowns, state));
    assert!(listed(&structure.initial_unknowns, rate));
    assert!(listed(&structure.state_derivatives, rate));
    assert_eq!(structure.state_derivatives.len(), 1);
    assert!(!listed(&structure.outputs, state));
}

#[test]
fn what_is_wrong_with_a_group_is_said_of_it() {
    type Change = fn(&mut GrainsDescription);
    let cases: [(Change, &str, &str); 7] = [
        (|g| g.name = "plate".into(), "name", "taken by a body"),
        (|g| g.name = "2".into(), "name", "ASCII letter"),
        (|g| g.positions.clear(), "", "has no ball"),
        (|g| g.diameters[1] = 0.0, "diameter", "must be > 0"),
        (|g| g.positions[2][1] = f64::NAN, "", "NaN"),
        (|g| g.material = "Stone".into(), "material", "Stone"),
        (|g| g.regions[0].bounds[0] = [1.0, 0.0], "region", "0"),
    ];
    for (change, field, text) in cases {
        let mut description = group();
        change(&mut description.grains[0]);
        let errors = Scene::new(description).unwrap_err();
        let found = errors.iter().find(|error| error.field == field);
        let found = found.unwrap_or_else(|| panic!("{field}: {errors:?}"));
        assert_eq!(found.item, SceneItem::Grains(0));
        assert!(found.to_string().contains(text), "{found}");
    }
}
