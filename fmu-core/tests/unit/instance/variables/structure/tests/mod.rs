//! Tests of the model structure: its lists by name, and against the model itself.

mod coupled;

use super::*;
use crate::fixtures::*;
use crate::instance::modes::Standard;
use crate::instance::variables::tables::{
    Reported, Summed, of_contact_sum, of_intersection, of_report,
};
use crate::instance::variables::tests::{scene, scene_with, two_balls};
use contact_laws::index::{BodyId, ReportId, SumId};
use contact_model::islands::StepLoad;
use std::collections::{BTreeMap, BTreeSet};

/// The four lists with names instead of references; but for those of the initial unknowns without
/// the parameters, which are the same.
struct Named {
    outputs: Vec<(String, Vec<String>)>,
    derivatives: Vec<(String, Vec<String>)>,
    initial: Vec<(String, Vec<String>)>,
    indicators: Vec<(String, Vec<String>)>,
}

fn named(scene: &Scene) -> Named {
    let table = VariableTable::new(scene, Standard::Fmi3);
    let name = |r: &u32| table.name(scene, table.quantity(*r).unwrap());
    let is_parameter = |r: &u32| {
        table
            .quantity(*r)
            .is_some_and(|q| q.family == Family::Parameter)
    };
    let list = |unknowns: &[Unknown], parameters: bool| {
        let one = |u: &Unknown| {
            let knowns = u.dependencies.iter().flatten();
            let knowns = knowns.filter(|r| parameters || !is_parameter(r));
            (name(&u.reference), knowns.map(name).collect())
        };
        unknowns.iter().map(one).collect()
    };
    let structure = ModelStructure::new(scene, &table);
    Named {
        outputs: list(&structure.outputs, false),
        derivatives: list(&structure.state_derivatives, false),
        initial: list(&structure.initial_unknowns, true),
        indicators: list(&structure.event_indicators, false),
    }
}

fn of<'a>(list: &'a [(String, Vec<String>)], name: &str) -> &'a [String] {
    &list.iter().find(|(n, _)| n == name).expect(name).1
}

fn components(names: &[(&str, usize)]) -> Vec<String> {
    let one = |(name, n): &(&str, usize)| -> Vec<String> {
        (1..=*n).map(|i| format!("{name}[{i}]")).collect()
    };
    names.iter().flat_map(one).collect()
}

/// Position and orientation of these bodies, body by body.
fn poses(bodies: &[&str]) -> Vec<String> {
    let of = |body: &&str| {
        let [position, orientation] = ["position", "orientation"].map(|of| format!("{body}.{of}"));
        components(&[(&position, 3), (&orientation, 4)])
    };
    bodies.iter().flat_map(of).collect()
}

/// All states of these bodies, body by body.
fn motions(bodies: &[&str]) -> Vec<String> {
    let of = |body: &&str| {
        let [velocity, spin] = ["velocity", "angular_velocity"].map(|of| format!("{body}.{of}"));
        [poses(&[body]), components(&[(&velocity, 3), (&spin, 3)])].concat()
    };
    bodies.iter().flat_map(of).collect()
}

fn without_contact() -> SceneDescription {
    let mut description = two_balls();
    for body in &mut description.bodies {
        body.shapes[0].collision = false;
    }
    description
}

#[test]
fn the_lists_hold_what_the_standard_asks_for() {
    let scene = scene();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let structure = ModelStructure::new(&scene, &table);
    let references = |list: &[Unknown]| list.iter().map(|u| u.reference).collect::<Vec<_>>();
    let having = |good: &dyn Fn(Quantity) -> bool| {
        let all = table.quantities().filter(|(_, q)| good(*q));
        all.map(|(r, _)| r).collect::<Vec<_>>()
    };
    let output = |q: Quantity| table.causality(&scene, q) == Causality::Output;
    assert_eq!(references(&structure.outputs), having(&output));
    let derivatives = having(&|q| q.family == Family::Derivative);
    assert_eq!(references(&structure.state_derivatives), derivatives);
    let indicators = having(&|q| q.family == Family::Indicator);
    assert_eq!(references(&structure.event_indicators), indicators);
    // Outputs that are states start exactly; derivatives never do.
    assert_eq!(
        references(&structure.initial_unknowns),
        having(&|q| output(q) && q.family != Family::State || q.family == Family::Derivative)
    );
}

/// A scene like that of the other tests, with an interface.
fn scene_of(arrays: bool, tunable: bool) -> Scene {
    scene_with(InterfaceOptions {
        arrays,
        tunable,
        ..InterfaceOptions::default()
    })
}

#[test]
fn an_array_depends_on_whatever_one_of_its_elements_depends_on() {
    let (scalars, arrays) = (scene(), scene_of(true, false));
    let [of_scalars, of_arrays] = [&scalars, &arrays].map(|scene| {
        let table = VariableTable::new(scene, Standard::Fmi3);
        (ModelStructure::new(scene, &table), table)
    });
    let lists = |structure: &ModelStructure| {
        [
            structure.outputs.clone(),
            structure.state_derivatives.clone(),
            structure.initial_unknowns.clone(),
            structure.event_indicators.clone(),
        ]
    };
    for (small, large) in lists(&of_scalars.0).iter().zip(&lists(&of_arrays.0)) {
        // The elements of the scalar scene are its variables, and those of the array scene.
        let mut expected: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for unknown in small {
            let variable = of_arrays.1.variable_of(unknown.reference);
            let knowns = unknown.dependencies.iter().flatten();
            let knowns = knowns.map(|element| of_arrays.1.variable_of(*element));
            expected.entry(variable).or_default().extend(knowns);
        }
        let found = large.iter().map(|unknown| {
            let knowns = unknown.dependencies.iter().flatten().copied();
            (unknown.reference, knowns.collect::<BTreeSet<_>>())
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
        for unknown in large {
            let found = unknown.dependencies.as_ref().expect("a list");
            assert!(found.windows(2).all(|w| w[0] < w[1]), "{found:?}");
        }
    }
}

#[test]
fn dependencies_of_one_scalar_are_those_of_the_lists() {
    for tunable in [false, true] {
        let scene = scene_of(false, tunable);
        let table = VariableTable::new(&scene, Standard::Fmi3);
        let structure = ModelStructure::new(&scene, &table);
        let whole = |known: &u32| Dependency {
            element: 0,
            known: *known,
            known_element: 0,
        };
        let listed = |lists: &[&Vec<Unknown>], reference| -> Vec<Dependency> {
            let mut unknowns = lists.iter().flat_map(|list| list.iter());
            let found = unknowns.find(|unknown| unknown.reference == reference);
            found.map_or(Vec::new(), |u| {
                u.dependencies.iter().flatten().map(whole).collect()
            })
        };
        let at_start = [&structure.initial_unknowns, &structure.event_indicators];
        let in_run = [
            &structure.outputs,
            &structure.state_derivatives,
            &structure.event_indicators,
        ];
        let mut count = 0;
        for reference in 0..=table.count() as u32 + 1 {
            for (moment, lists) in [(Moment::Start, &at_start[..]), (Moment::Run, &in_run)] {
                let found = dependencies(&scene, &table, reference, moment);
                assert_eq!(found, listed(lists, reference), "{reference}");
                count += found.len();
            }
        }
        assert!(count > 1000, "{count}");
    }
}

#[test]
fn elements_of_arrays_have_the_dependencies_of_the_scalars() {
    let (scalars, arrays) = (scene_of(false, true), scene_of(true, true));
    let [one, many] = [&scalars, &arrays].map(|s| VariableTable::new(s, Standard::Fmi3));
    for moment in [Moment::Start, Moment::Run] {
        for (reference, quantity) in many.quantities() {
            let mut expected = Vec::new();
            for (index, element) in many.elements(reference).enumerate() {
                let is_array = many.dimension(reference).is_some();
                for known in dependencies(&scalars, &one, element, moment) {
                    let variable = many.variable_of(known.known);
                    let first = many.elements(variable).start;
                    let of_array = many.dimension(variable).is_some();
                    expected.push(Dependency {
                        element: if is_array { index + 1 } else { 0 },
                        known: variable,
                        known_element: match of_array {
                            true => (known.known - first) as usize + 1,
                            false => 0,
                        },
                    });
                }
            }
            let found = dependencies(&arrays, &many, reference, moment);
            assert_eq!(found, expected, "{quantity:?}");
        }
    }
    // Each component of a position is driven by that component of the velocity alone.
    let derivative = many.reference(Family::Derivative.of(0)).unwrap();
    let velocity = many.reference(Family::State.of(7)).unwrap();
    let expected = [1, 2, 3].map(|i| Dependency {
        element: i,
        known: velocity,
        known_element: i,
    });
    let found = dependencies(&arrays, &many, derivative, Moment::Run);
    assert_eq!(found, expected);
}

/// [FMI 3.0] section 2.4.8: outputs and derivatives know all parameters; those of [FMI 2.0] section
/// 2.2.8 inputs, states and time only.
#[test]
fn fixed_and_tunable_parameters_are_known_in_every_mode_in_fmi3_only() {
    let names = |standard, tunable| {
        let scene = scene_of(false, tunable);
        let table = VariableTable::new(&scene, standard);
        let structure = ModelStructure::new(&scene, &table);
        let force = Family::Wrench.at(1, 0);
        let force = table.reference(force).unwrap();
        let unknown = structure.outputs.iter().find(|u| u.reference == force);
        let knowns = unknown.unwrap().dependencies.iter().flatten();
        let name = |r: &u32| table.name(&scene, table.quantity(*r).unwrap());
        knowns.map(name).collect::<Vec<String>>()
    };
    let restitution = "material_pair.Steel.Steel.restitution".to_owned();
    for tunable in [false, true] {
        assert!(names(Standard::Fmi3, tunable).contains(&restitution));
        assert!(!names(Standard::Fmi2, tunable).contains(&restitution));
        assert!(!names(Standard::Fmi2, tunable).is_empty());
    }
}

/// The knowns of Initialization Mode and of the others are the same in FMI 3.0; all else is told by
/// the tests of the initial lists. In FMI 2.0 the parameters make the difference.
#[test]
fn lists_of_the_run_are_those_of_the_start_in_fmi3_and_lack_the_parameters_in_fmi2() {
    for arrays in [false, true] {
        let scene = scene_of(arrays, false);
        for standard in [Standard::Fmi2, Standard::Fmi3] {
            let table = VariableTable::new(&scene, standard);
            let structure = ModelStructure::new(&scene, &table);
            let (of_run, mut compared) = ([structure.outputs, structure.state_derivatives], 0);
            for start in structure.initial_unknowns {
                let mut same = of_run.iter().flatten();
                let same = same.find(|unknown| unknown.reference == start.reference);
                let expected = start.dependencies.map(|list| {
                    let is_known = |r: &u32| {
                        standard == Standard::Fmi3
                            || !table
                                .quantity(*r)
                                .is_some_and(|q| q.family == Family::Parameter)
                    };
                    list.into_iter().filter(is_known).collect::<Vec<u32>>()
                });
                assert_eq!(same.expect("listed").dependencies, expected);
                compared += 1;
            }
            assert!(compared > 10, "{compared}");
        }
    }
}

/// Newton and Euler: the acceleration of a body that touches nothing follows from gravity, its mass
/// properties and nothing else, its velocity from itself.
#[test]
fn parameters_of_other_bodies_and_of_contact_do_not_enter_a_free_flight() {
    let scene = Scene::new(without_contact()).unwrap();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let structure = ModelStructure::new(&scene, &table);
    let parameters = |name: &str| {
        let name_of = |r: u32| table.name(&scene, table.quantity(r).unwrap());
        let mut unknowns = structure.state_derivatives.iter();
        let found = unknowns.find(|unknown| name_of(unknown.reference) == name);
        let knowns = found.expect(name).dependencies.clone().expect("a list");
        let is_parameter = |r: &u32| {
            table
                .quantity(*r)
                .is_some_and(|q| q.family == Family::Parameter)
        };
        let list = knowns.into_iter().filter(is_parameter).map(name_of);
        list.collect::<BTreeSet<String>>()
    };
    let mut expected = components(&[("world.gravity", 3), ("ball.center_of_mass", 3)]);
    expected.push("ball.mass".into());
    let entries = ["1,1", "2,2", "3,3", "1,2", "1,3", "2,3"];
    expected.extend(entries.map(|entry| format!("ball.inertia[{entry}]")));
    assert_eq!(
        parameters("der(ball.velocity[3])"),
        expected.into_iter().collect()
    );
    assert!(parameters("der(ball.position[3])").is_empty());
    assert!(parameters("der(ball.orientation[1])").is_empty());
}

#[test]
fn dependencies_ascend_and_name_knowns_only() {
    let scene = scene();
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let structure = ModelStructure::new(&scene, &table);
    let check = |list: &[Unknown]| {
        for unknown in list {
            let found = unknown.dependencies.as_ref().expect("a list");
            assert!(found.windows(2).all(|w| w[0] < w[1]), "{found:?}");
            for reference in found {
                let known = table.quantity(*reference).unwrap();
                assert!(matches!(known.family, Family::State | Family::Parameter));
            }
        }
    };
    check(&structure.outputs);
    check(&structure.state_derivatives);
    check(&structure.event_indicators);
    check(&structure.initial_unknowns);
}

#[test]
fn a_state_that_is_an_output_depends_on_itself() {
    let named = named(&scene());
    assert_eq!(of(&named.outputs, "ball.position[3]"), ["ball.position[3]"]);
}

#[test]
fn kinematics_depend_on_the_own_body_only() {
    let named = named(&scene());
    for list in [&named.derivatives, &named.initial] {
        assert_eq!(of(list, "der(ball.position[2])"), ["ball.velocity[2]"]);
        assert_eq!(
            of(list, "der(other.orientation[1])"),
            components(&[("other.orientation", 4), ("other.angular_velocity", 3)])
        );
    }
}

#[test]
fn forces_depend_on_every_body_that_can_be_touched() {
    let named = named(&scene());
    let every = motions(&["ball", "other"]);
    assert_eq!(of(&named.derivatives, "der(ball.velocity[1])"), every);
    assert_eq!(of(&named.derivatives, "der(energy.dissipated)"), every);
    assert_eq!(of(&named.outputs, "ground.contact_torque[3]"), every);
}

#[test]
fn a_body_that_touches_nothing_depends_on_itself_only() {
    let named = named(&Scene::new(without_contact()).unwrap());
    let found = of(&named.derivatives, "der(ball.angular_velocity[3])");
    assert_eq!(found, motions(&["ball"]));
    assert!(of(&named.outputs, "ball.contact_force[1]").is_empty());
    assert!(of(&named.outputs, "contact.count").is_empty());
    assert!(of(&named.outputs, "energy.contact_elastic").is_empty());
}

#[test]
fn an_indicator_of_a_fixed_slot_depends_on_the_poses_of_its_pair() {
    let named = named(&scene());
    let ball = poses(&["ball"]);
    assert_eq!(of(&named.indicators, "contact.indicator[1]"), ball);
    let both = poses(&["ball", "other"]);
    assert_eq!(of(&named.indicators, "contact.indicator[3]"), both);
    assert_eq!(of(&named.outputs, "contact.count"), both);
}

#[test]
fn an_indicator_of_a_shared_slot_depends_on_all_bodies_it_may_hold() {
    let mut description = two_balls();
    description.contact.nz_max = Some(1);
    let named = named(&Scene::new(description).unwrap());
    let found = of(&named.indicators, "contact.indicator[1]");
    assert_eq!(found, poses(&["ball", "other"]));
}

#[test]
fn reports_depend_on_their_pair_alone_and_sums_of_a_step_on_nothing() {
    let mut description = two_balls();
    description.report = Report::All;
    let scene = Scene::new(description).unwrap();
    let named = named(&scene);
    let (gap, motion) = (poses(&["ball"]), motions(&["ball"]));
    let with_time = [vec!["time".to_owned()], gap.clone()].concat();
    for (name, expected) in [
        ("in_contact", &gap),
        ("gap", &gap),
        ("point[2]", &gap),
        ("count", &gap),
        ("last_impact_time", &with_time),
        ("last_impact_speed", &motion),
        ("gap_rate", &motion),
        ("force[1]", &motion),
        ("torque[3]", &motion),
        ("impulse[3]", &Vec::new()),
        ("peak_force", &Vec::new()),
    ] {
        let name = format!("contact.ground.ball.{name}");
        assert_eq!(of(&named.outputs, &name), expected, "{name}");
    }
    let force = of(&named.outputs, "contact.ball.other.force[2]");
    assert_eq!(force, motions(&["ball", "other"]));
    // At the start also on what the force is made of.
    let force = of(&named.initial, "contact.ground.ball.normal_force");
    for parameter in ["ground.position[3]", "material.Steel.youngs_modulus"] {
        assert!(force.iter().any(|n| n == parameter), "{parameter}");
    }
    let is_other = |n: &String| n == "other.mass" || n == "other.position[1]";
    assert!(!force.iter().any(is_other));
    // FMI 2.0 has no variable for the time.
    let table = VariableTable::new(&scene, Standard::Fmi2);
    let structure = ModelStructure::new(&scene, &table);
    let outputs = structure.outputs.iter();
    let first = outputs.flat_map(|unknown| unknown.dependencies.iter().flatten());
    assert!(first.min() >= table.reference(Family::State.of(0)).as_ref());
}

#[test]
fn initial_unknowns_depend_on_parameters_too() {
    let named = named(&scene());
    let acceleration = of(&named.initial, "der(ball.velocity[3])");
    for parameter in [
        "world.gravity[3]",
        "ball.mass",
        "ball.inertia[2,3]",
        "ground.position[3]",
        "material.Steel.youngs_modulus",
        "material_pair.Steel.Steel.sliding_friction",
    ] {
        assert!(acceleration.iter().any(|n| n == parameter), "{parameter}");
    }
    // The damping of a contact at the start follows from the masses of both bodies.
    let force = of(&named.initial, "ball.contact_force[1]");
    for mass in ["ball.mass", "other.mass", "other.inertia[1,1]"] {
        assert!(acceleration.iter().any(|n| n == mass));
        assert!(force.iter().any(|n| n == mass));
    }
    let gravity = components(&[("world.gravity", 3)]);
    let potential = of(&named.initial, "energy.potential");
    assert_eq!(potential.iter().filter(|n| gravity.contains(n)).count(), 3);
}

#[test]
fn without_gravity_the_potential_energy_depends_on_nothing() {
    let mut description = two_balls();
    description.gravity = Gravity::None;
    let named = named(&Scene::new(description).unwrap());
    assert!(of(&named.outputs, "energy.potential").is_empty());
    assert!(of(&named.initial, "energy.potential").is_empty());
}

/// A sine on the ball, a constant force on the other one.
fn two_forces() -> Vec<ForceDescription> {
    let vectors = vectors(Some([1.0, 2.0, 3.0]), Some([0.5, 0.25, -1.0]));
    let sine = ForceProfile::Sine {
        amplitude: vectors,
        angular_frequency: 2.0,
        phase: 0.5,
    };
    let mut forces = vec![
        force("shaker", "ball", sine),
        force("thrust", "other", ForceProfile::Constant(vectors)),
    ];
    forces[1].axes = ForceAxes::Body;
    forces[1].point = [0.1, 0.0, 0.05];
    forces
}

#[test]
fn accelerations_depend_on_time_and_parameters_of_the_forces_on_their_body() {
    let mut description = without_contact();
    description.forces = two_forces();
    let scene = Scene::new(description.clone()).unwrap();
    let lists = named(&scene);
    for rate in ["velocity[3]", "angular_velocity[1]"] {
        for list in [&lists.derivatives, &lists.initial] {
            let of_ball = of(list, &format!("der(ball.{rate})"));
            assert_eq!(of_ball[0], "time");
            let of_other = of(list, &format!("der(other.{rate})"));
            assert!(!of_other.contains(&"time".to_owned()));
        }
        let of_ball = of(&lists.initial, &format!("der(ball.{rate})"));
        for known in components(&[("force.shaker.force", 3), ("force.shaker.torque", 3)]) {
            assert!(of_ball.contains(&known), "{known}");
        }
        assert!(of_ball.contains(&"force.shaker.angular_frequency".to_owned()));
        assert!(of_ball.contains(&"force.shaker.phase".to_owned()));
        assert!(!of_ball.contains(&"force.thrust.force[1]".to_owned()));
    }
    for still in ["ball.contact_force[1]", "energy.kinetic"] {
        assert!(!of(&lists.outputs, still).contains(&"time".to_owned()));
    }
    // Asked for at run time the answer is the same; in FMI 2.0 time is no variable.
    let rate = Family::Derivative.of(7);
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        let table = VariableTable::new(&scene, standard);
        let reference = table.reference(rate).unwrap();
        let found = dependencies(&scene, &table, reference, Moment::Run);
        let time = table.reference(Family::Time.of(0));
        assert_eq!(time.is_some(), standard == Standard::Fmi3);
        let first = found[0].known;
        assert_eq!(Some(first), time.or(table.reference(Family::State.of(0))));
    }
}

/// Values of all variables of a scene at some time and states, with contacts found there.
fn values(
    scene: &Arc<Scene>,
    parameters: &Parameters,
    at: &[f64],
    (time, states, inputs): (f64, &[f64], &[f64]),
) -> Vec<f64> {
    let mut system = System::new(Arc::clone(scene), parameters).unwrap();
    system.update_event(0.0, &mut at.to_vec()).unwrap();
    system.set_inputs(inputs, None);
    let mut derivatives = vec![0.0; system.state_count()];
    let mut indicators = vec![0.0; system.indicator_count()];
    system.derivatives(time, states, &mut derivatives).unwrap();
    system.indicators(time, states, &mut indicators).unwrap();
    let distances: Vec<f64> = (0..scene.named_pairs().len())
        .map(|named| system.distance_here(named.into()))
        .collect();
    system.go_to(time, states).unwrap();
    let keys = scene.intersections().keys();
    let intersections: Vec<_> = keys
        .map(|i| {
            (
                system.intersection_here(i),
                system.sparsified_here().0.is_kept(i),
            )
        })
        .collect();
    let others: Vec<f64> = (0..scene.outputs().len())
        .map(|output| system.output_here(output.into()).unwrap())
        .collect();
    let reports = system.reports_here().unwrap().to_vec();
    let sums = system.sums_here().unwrap().to_vec();
    let impacts = system.ledger().impacts().to_vec();
    let outputs = system.outputs(time, states).unwrap();
    let value = |Quantity { family, of, item }: Quantity| match family {
        Family::Time => time,
        Family::State => states[of],
        Family::Derivative => derivatives[of],
        Family::Parameter => parameters.get(of.into()),
        Family::Wrench if item < 3 => outputs.contact_forces[BodyId::from(of)][item],
        Family::Wrench => outputs.contact_torques[BodyId::from(of)][item - 3],
        Family::Sum => [
            outputs.contact_count as f64,
            outputs.kinetic_energy,
            outputs.potential_energy,
            outputs.elastic_energy,
        ][item],
        Family::ClosestDistance => outputs.closest_distances[of],
        Family::PairDistance => distances[of],
        Family::Input => inputs[of],
        Family::Output => others[of],
        Family::Report => {
            let reported = Reported {
                report: &reports[ReportId::from(of)],
                impacts: &impacts[ReportId::from(of)],
                load: &StepLoad::default(),
            };
            let (row, index) = of_report(item);
            (row.own.value)(&reported, index)
        }
        Family::ContactSum => {
            let sum = SumId::from(of);
            let report = scene.report_of(sum);
            let summed = Summed {
                report: &sums[sum],
                gap: distances[usize::from(scene.sums()[sum].named)],
                impacts: &impacts[report],
                load: &StepLoad::default(),
            };
            let (row, index) = of_contact_sum(item);
            (row.own.value)(&summed, index)
        }
        Family::Intersection => {
            let (found, is_kept) = &intersections[of];
            let (row, index) = of_intersection(item);
            (row.own)(found, *is_kept, index)
        }
        Family::Statistic => 0.0,
        // No scene of these tests has groups.
        Family::Grain => f64::NAN,
        Family::Indicator => indicators[of],
    };
    let table = VariableTable::new(scene, Standard::Fmi3);
    table.quantities().map(|(_, q)| value(q)).collect()
}

/// Disturbs every state and every parameter of a scene in which everything touches, and asks
/// that whatever changes lists what was disturbed.
fn assert_changes_are_listed(gravity: Gravity, friction: FrictionKind) {
    let mut description = two_balls();
    description.contact.law.friction = friction;
    description.gravity = gravity;
    for (body, x) in [(1, 0.0), (2, 0.1999)] {
        let body = &mut description.bodies[body];
        body.position = [x, 0.01, 0.0999];
        body.orientation = [0.5, 0.5, -0.5, 0.5];
        body.velocity = [0.1, 0.2, -0.3];
        body.angular_velocity = [1.0, -2.0, 3.0];
        body.mass.center_of_mass = Some([0.01, 0.02, -0.01]);
        body.mass.inertia = Some([0.2, 0.3, 0.25, 0.01, -0.02, 0.03]);
    }
    description.bodies[2].velocity = [-0.2, 0.1, -0.4];
    // A second shape 0.3 m above the first one: the contacts of its body are reported as sums.
    let mut twin = description.bodies[1].shapes[0].clone();
    twin.name = "twin".into();
    twin.position = [0.3, 0.0, 0.0];
    description.bodies[1].shapes.push(twin);
    description.contact.report_parts = true;
    description.forces = two_forces();
    description.contact.closest_distances = 2;
    description.report = Report::All;
    description.pairs = vec![PairDescription {
        distance: true,
        ..pair_of("other", "ground")
    }];
    assert_lists_what_it_changes_with(description, 3.0, 500);
}

/// Asks that whatever changes with a state, an input, the time or a parameter of a scene lists it;
/// the scene has so many contacts and at least so many changes are found.
fn assert_lists_what_it_changes_with(
    description: SceneDescription,
    contacts: f64,
    least_changes: usize,
) {
    let scene = valid(description);
    let parameters = Parameters::start(&scene);
    let states = scene.start_states();
    let inputs = scene.start_inputs().raw;
    let table = VariableTable::new(&scene, Standard::Fmi3);
    let structure = ModelStructure::new(&scene, &table);
    let before = values(&scene, &parameters, &states, (0.0, &states, &inputs));
    let count = table.reference(Family::Sum.at(0, 0)).unwrap() as usize - 1;
    assert_eq!(before[count], contacts, "everything touches");

    let later = values(&scene, &parameters, &states, (1e-3, &states, &inputs));
    let mut disturbances = vec![(Family::Time.of(0), later)];
    for i in 0..states.len() {
        let mut moved = states.clone();
        moved[i] += 1e-7;
        let after = values(&scene, &parameters, &states, (0.0, &moved, &inputs));
        disturbances.push((Family::State.of(i), after));
    }
    for i in 0..inputs.len() {
        let mut moved = inputs.clone();
        moved[i] += 1e-7;
        let after = values(&scene, &parameters, &states, (0.0, &states, &moved));
        disturbances.push((Family::Input.of(i), after));
    }
    for i in 0..scene.parameters().len() {
        let mut changed = parameters.clone();
        let value = changed.get(i.into());
        // One of few numbers.
        let is_solver =
            scene.parameters()[contact_laws::index::ParameterId::from(i)].key() == "solver";
        let change = if is_solver {
            -1.0
        } else {
            1e-3 * value.abs().max(1e-4)
        };
        // What is zero may not be negative.
        let value = value + if value == 0.0 { change } else { -change };
        changed.set(&scene, i.into(), value);
        let after = values(&scene, &changed, &states, (0.0, &states, &inputs));
        disturbances.push((Family::Parameter.of(i), after));
    }
    let mut changes = 0;
    for (disturbed, after) in disturbances {
        let known = table.reference(disturbed).unwrap();
        let lists = [
            &structure.outputs,
            &structure.state_derivatives,
            &structure.initial_unknowns,
            &structure.event_indicators,
        ];
        for unknown in lists.into_iter().flatten() {
            let index = unknown.reference as usize - 1;
            if after[index] != before[index] {
                changes += 1;
                assert!(
                    unknown.dependencies.iter().flatten().any(|k| *k == known),
                    "{:?} changes with {disturbed:?}",
                    table.quantity(unknown.reference)
                );
            }
        }
    }
    assert!(changes > least_changes, "{changes}");
}

const POINT: Gravity = Gravity::Point {
    mu: 5.0,
    center: [0.1, 0.2, -3.0],
};

#[test]
fn whatever_changes_with_a_state_or_a_parameter_lists_it() {
    assert_changes_are_listed(POINT, FrictionKind::Stick);
}

#[test]
#[ignore = "long: five models"]
fn whatever_changes_under_another_gravity_or_friction_lists_it() {
    assert_changes_are_listed(POINT, FrictionKind::Regularized);
    for friction in [FrictionKind::Regularized, FrictionKind::Stick] {
        assert_changes_are_listed(Gravity::None, friction);
        assert_changes_are_listed(Gravity::Uniform([1.0, 2.0, -9.81]), friction);
    }
}

/// 60 balls have 780 states and 600 mass properties; each force depends on those of all balls that
/// it can touch.
#[test]
fn lists_of_nearly_all_knowns_are_left_out_where_they_are_long() {
    let structure = |balls: usize, together: bool| {
        let mut bodies = vec![plate()];
        for index in 0..balls {
            let mut one = ball(&format!("ball_{index}"), [index as f64, 0.0, 1.0]);
            one.collision_group = together.then(|| "balls".into());
            bodies.push(one);
        }
        let scene = Scene::new(steel_scene(bodies)).expect("a valid scene");
        let table = VariableTable::new(&scene, Standard::Fmi3);
        (ModelStructure::new(&scene, &table), table)
    };
    let (long, table) = structure(60, false);
    let rate =
        |unknown: &&Unknown| table.quantity(unknown.reference) == Some(Family::Derivative.of(7));
    let velocity = long.state_derivatives.iter().find(rate);
    assert_eq!(velocity.expect("a derivative").dependencies, None);
    // Indicators that any pair may have: 7 of the 13 states of each ball, and few of the
    // parameters.
    let (longer, _) = structure(100, false);
    let mut indicators = longer.event_indicators.iter();
    assert!(indicators.all(|unknown| unknown.dependencies.is_none()));
    // A position still depends on one velocity, and short lists stay.
    let position = long.state_derivatives[0].dependencies.as_ref();
    assert_eq!(position.map(Vec::len), Some(1));
    for (balls, together) in [(20, false), (60, true)] {
        let (short, _) = structure(balls, together);
        let mut rates = short.state_derivatives.iter();
        assert!(rates.all(|unknown| unknown.dependencies.is_some()));
    }
}

/// A ball has 13 states, a deflection in a point 3.
#[test]
fn a_deflection_of_a_pair_lists_two_bodies_and_one_of_a_slot_all_or_nothing() {
    let lists = |balls: usize, nz_max: Option<u32>| -> Vec<Option<usize>> {
        let place = |index: usize| [index as f64, 0.0, 1.0];
        let balls = (0..balls).map(|index| ball(&format!("ball_{index}"), place(index)));
        let mut description = steel_scene(std::iter::once(plate()).chain(balls).collect());
        description.contact.law.friction = FrictionKind::Stick;
        description.contact.nz_max = nz_max;
        let scene = Scene::new(description).expect("a valid scene");
        let table = VariableTable::new(&scene, Standard::Fmi2);
        let rates = ModelStructure::new(&scene, &table).state_derivatives;
        let deflections = &rates[scene.layout().contacts()];
        let listed = deflections.iter().map(|rate| rate.dependencies.as_ref());
        listed.map(|list| list.map(Vec::len)).collect()
    };
    // Each of 4 balls with the plate, and 6 pairs of balls.
    let mut of_pairs = lists(4, None);
    of_pairs.sort_unstable();
    assert_eq!(
        of_pairs,
        [[Some(13 + 3); 12].as_slice(), &[Some(26 + 3); 18]].concat()
    );
    assert_eq!(lists(4, Some(5)), [Some(4 * 13 + 15); 15]);
    // 260 states of bodies and 300 of slots.
    assert_eq!(lists(20, Some(100)), [None; 300]);
}
