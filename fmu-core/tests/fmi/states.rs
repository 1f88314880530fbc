//! The state as one value: copied, written to bytes, damaged.

use super::importer::*;
use crate::fixtures::*;
use contact_geometry::shapes::mass::solid_integrals;
use fmu_core::instance::Standard;
use std::ops::Range;
use std::ptr::null_mut;

in_each_version!(
    a_co_simulation_runs_on_to_the_bit,
    a_model_exchange_runs_on_to_the_bit,
    a_mesh_that_rests_runs_on_to_the_bit,
    a_warning_of_depth_is_given_once_and_the_state_remembers_it,
    bytes_move_a_run_to_another_instance,
    a_copy_is_reused_when_given,
    damaged_bytes_are_refused_wherever_the_damage_is,
    refusals_of_bytes_say_why,
    a_state_of_another_scene_or_interface_is_refused,
    null_states_are_refused_and_freeing_null_is_ignored,
    a_buffer_of_another_size_is_refused_with_the_right_one,
);

/// Middle of the first contact, in steps of 1 ms.
pub const IN_CONTACT: u32 = 145;

pub fn in_contact<V: Version>(importer: &Importer<V>, fmu: &Fmu) -> bool {
    importer.value(V::reference(fmu, "energy.contact_elastic")) > 0.0
}

/// Runs on to the bit from the middle of the first contact.
pub fn runs_on_to_the_bit<V: Version>(
    fmu: &Fmu,
    importer: &Importer<V>,
    mut run: impl FnMut(u32, u32) -> Vec<Vec<f64>>,
) {
    run(0, IN_CONTACT);
    importer.runs_on_alike(|| {
        assert!(in_contact(importer, fmu));
        run(IN_CONTACT, 300)
    });
}

fn a_co_simulation_runs_on_to_the_bit<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::stepping(&fmu);
    runs_on_to_the_bit(&fmu, &importer, |first, count| {
        importer.steps(1e-3, first, count)
    });
}

fn a_model_exchange_runs_on_to_the_bit<V: Version>() {
    let fmu = Fmu::falling_ball();
    let importer = V::integrating(&fmu);
    runs_on_to_the_bit(&fmu, &importer, |first, count| {
        Runge::new(&importer, 1e-3, first).run(count)
    });
}

fn a_mesh_that_rests_runs_on_to_the_bit<V: Version>() {
    let corners = [[-0.1, -0.1, 0.1], [0.2, -0.1, 0.1], [-0.1, 0.2, 0.1]];
    let ConvexPart {
        vertices,
        triangles,
        ..
    } = prism(corners, 0.1);
    let form = Form::Surface {
        solid: Solid::from(&solid_integrals(&vertices, &triangles).unwrap()),
        surface: SharpPart {
            vertices,
            triangles,
        },
    };
    let mut wedge = body("wedge", Motion::Free, form, [0.0, 0.0, 5e-4]);
    wedge.velocity = [1.0, 0.0, 0.0];
    let mut description = steel_scene(vec![plate(), wedge]);
    law_of(&mut description).friction = Some(FrictionKind::Stick);
    let fmu = Fmu::new(description);
    let importer = V::stepping(&fmu);
    runs_on_to_the_bit(&fmu, &importer, |first, count| {
        importer.steps(1e-3, first, count)
    });
}

/// A ball of 0.1 m radius and 33.5 kg that sinks without loss from 45 mm to some 75 mm into a mesh as soft as foam:
/// its elastic force 4/3 E* sqrt(R) d^1.5 (1 - 0.6 d/R) is its weight at 60 mm.
fn a_warning_of_depth_is_given_once_and_the_state_remembers_it<V: Version>() {
    let sinking = |solver: Solver| {
        let ground = body("ground", Motion::Fixed, floor(2, 1.0, 0.5), [0.0; 3]);
        let foam = material("Foam", 8000.0, 1.5e5, 0.3);
        let mut description = scene_of(foam, 1.0, vec![ground, ball("ball", [0.1, 0.07, 0.055])]);
        description.contact.initial_overlap = InitialOverlap::Accept;
        description.experiment.solver = solver;
        Fmu::new(description)
    };
    for fmu in [Solver::Auto, Solver::Dem].map(sinking) {
        let importer = V::stepping(&fmu);
        let depths = |steps: Range<u32>| -> Vec<f64> {
            importer.log();
            importer.steps(1e-3, steps.start, steps.len() as u32);
            let said = importer.logged("contacts").into_iter();
            let said = said.filter(|text| text.starts_with("deep in a mesh: "));
            let depth = |text: String| {
                assert!(text.contains(" pair=ground:ball ") && text.contains(" limit=0.1; "));
                let (_, rest) = text.split_once("depth=").unwrap();
                rest.split(' ').next().unwrap().parse().unwrap()
            };
            said.map(depth).collect()
        };
        let before = importer.state();
        let first = depths(0..100);
        // From half of the radius on, at no more than 0.5 m/s looked at each millisecond.
        assert_eq!(first.len(), 1);
        assert!((0.05..0.0505).contains(&first[0]), "{first:?}");
        let after = importer.state();
        assert_eq!(depths(100..110), []);
        importer.fine(importer.set_state(after));
        assert_eq!(depths(100..110), []);
        importer.fine(importer.set_state(before));
        assert_eq!(depths(0..100), first);
        for state in [before, after] {
            importer.free_state(state);
        }
    }
}

fn bytes_move_a_run_to_another_instance<V: Version>() {
    let fmu = Fmu::falling_ball();
    let (one, other) = (V::co_simulation(&fmu), V::co_simulation(&fmu));
    one.initialize();
    one.steps(1e-3, 0, IN_CONTACT);
    let bytes = one.bytes();
    let read = other.deserialize(&bytes).unwrap();
    assert_eq!(other.serialize(read), bytes);
    // The other one was never initialised; the state brings it into Step Mode.
    other.fine(other.set_state(read));
    other.free_state(read);
    let [expected, found] = [&one, &other].map(|i| i.steps(1e-3, IN_CONTACT, 300));
    assert_eq!(expected, found);
}

fn a_copy_is_reused_when_given<V: Version>() {
    let importer = V::stepping(&Fmu::falling_ball());
    let mut saved = importer.state();
    let pointer = saved;
    let before = importer.serialize(saved);
    importer.whole_step(0.0, 0.1);
    assert_eq!(importer.serialize(saved), before);
    // SAFETY: the copy was not freed.
    let status = unsafe { V::GET_STATE(importer.instance, &raw mut saved) };
    assert_eq!((status, saved), (V::OK, pointer));
    assert_ne!(importer.serialize(saved), before);
    importer.free_state(saved);
}

fn damaged_bytes_are_refused_wherever_the_damage_is<V: Version>() {
    let importer = V::stepping(&Fmu::falling_ball());
    importer.whole_step(0.0, 0.145);
    let saved = importer.state();
    let good = importer.serialize(saved);
    let before = importer.state_variables();
    importer.log();
    for place in 0..good.len() {
        let mut bytes = good.clone();
        bytes[place] ^= 0x10;
        assert_eq!(importer.deserialize(&bytes), Err(V::ERROR), "byte {place}");
        importer.reason();
    }
    for length in 0..good.len() {
        assert_eq!(importer.deserialize(&good[..length]), Err(V::ERROR));
        importer.reason();
    }
    let longer = [&good[..], &[0]].concat();
    assert_eq!(importer.deserialize(&longer), Err(V::ERROR));
    assert_eq!(importer.state_variables(), before);
    importer.free_state(saved);
}

fn refusals_of_bytes_say_why<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    let saved = importer.state();
    let good = importer.serialize(saved);
    importer.log();
    let reason = |bytes: &[u8]| {
        assert_eq!(importer.deserialize(bytes), Err(V::ERROR));
        let reason = importer.reason();
        let name = match V::STANDARD {
            Standard::Fmi2 => "fmi2DeSerializeFMUstate: ",
            Standard::Fmi3 => "fmi3DeserializeFMUState: ",
        };
        assert!(reason.starts_with(name), "{reason}");
        reason
    };
    assert!(reason(b"").contains("not a state"));
    assert!(reason(b"FMUSTATE").contains("8"));
    let mut newer = good.clone();
    newer[8] = 77;
    assert!(reason(&newer).contains("format 77"));
    assert!(reason(&good[..good.len() - 3]).contains("announces"));
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(reason(&damaged).contains("corrupt"));
    importer.free_state(saved);
}

fn a_state_of_another_scene_or_interface_is_refused<V: Version>() {
    let fmu = Fmu::falling_ball();
    let mut other = falling_ball();
    other.name = "other".into();
    let other = Fmu::new(other);
    let importer = V::co_simulation(&fmu);
    importer.log();
    let foreign = V::co_simulation(&other);
    let saved = foreign.state();
    let bytes = foreign.serialize(saved);
    assert_eq!(importer.deserialize(&bytes), Err(V::ERROR));
    importer.says(&[&other.token, &fmu.token]);
    foreign.free_state(saved);
    let exchange = V::model_exchange(&fmu);
    let saved = exchange.state();
    let bytes = exchange.serialize(saved);
    assert_eq!(importer.deserialize(&bytes), Err(V::ERROR));
    importer.says(&["Model Exchange"]);
    importer.refused(importer.set_state(saved), &["Model Exchange"]);
    exchange.free_state(saved);
}

fn null_states_are_refused_and_freeing_null_is_ignored<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    importer.log();
    let (c, mut none, mut size) = (importer.instance, null_mut(), 0);
    let refused = |status| {
        importer.refused(status, &[]);
    };
    assert_eq!(importer.set_state(null_mut()), V::ERROR);
    importer.says(&[if V::STANDARD == Standard::Fmi2 {
        "FMUstate"
    } else {
        "FMUState"
    }]);
    // SAFETY: null is refused or ignored; the other pointers are those of local variables.
    unsafe {
        refused(V::GET_STATE(c, null_mut()));
        refused(V::STATE_SIZE(c, none, &raw mut size));
        assert_eq!(V::FREE_STATE(c, null_mut()), V::OK);
        assert_eq!(V::FREE_STATE(c, &raw mut none), V::OK);
    }
    refused(V::serialize(c, null_mut(), &mut [0]));
    let saved = importer.state();
    // SAFETY: null is refused.
    refused(unsafe { V::STATE_SIZE(c, saved, null_mut()) });
    importer.free_state(saved);
}

fn a_buffer_of_another_size_is_refused_with_the_right_one<V: Version>() {
    let importer = V::co_simulation(&Fmu::falling_ball());
    let saved = importer.state();
    let size = importer.serialize(saved).len();
    importer.log();
    let mut bytes = vec![0; size + 1];
    for wrong in [size - 1, size + 1] {
        let status = V::serialize(importer.instance, saved, &mut bytes[..wrong]);
        importer.refused(status, &[&size.to_string(), &wrong.to_string()]);
    }
    importer.free_state(saved);
}
