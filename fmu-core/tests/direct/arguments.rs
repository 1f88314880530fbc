//! What the functions refuse, and how they say it.

use crate::direct::object::{at, create, folder, open, row};
use crate::fixtures::*;
use fmu_core::direct::*;
use fmu_core::instance::lifecycle::SCENE_FILE;
use std::ffi::{CStr, c_char};
use std::path::Path;
use std::ptr::{null, null_mut};

/// Two driven balls of radius 0.1 m above a plate, a fixed one between them in the list.
fn two_driven() -> SceneDescription {
    let mut bodies = vec![
        plate(),
        ball("left", [-1.0, 0.0, 1.0]),
        ball("post", [0.0, 5.0, 1.0]),
        ball("right", [1.0, 0.0, 1.0]),
    ];
    bodies[1].motion = Motion::Driven;
    bodies[2].motion = Motion::Fixed;
    bodies[3].motion = Motion::Driven;
    steel_scene(bodies)
}

#[test]
fn the_driven_bodies_take_part_in_the_order_of_the_scene() {
    let object = open("order", &two_driven()).unwrap();
    assert_eq!(object.body_count(), 2);
    assert_eq!(object.body_name(0).as_deref(), Some("left"));
    assert_eq!(object.body_name(1).as_deref(), Some("right"));
    assert_eq!(object.body_name(2), None);
    // Each of the two with the plate and the post, and with the other.
    assert_eq!(object.indicator_count(), 5);
    assert_eq!(contact_scene_version(), CONTACT_SCENE_VERSION);
}

#[test]
fn a_scene_is_found_by_its_file_its_folder_and_the_fmu_around_it() {
    let place = folder("found", &two_driven());
    assert!(create(&place.join(SCENE_FILE)).is_ok());
    assert!(create(&place).is_ok());
    let fmu = place.join("fmu");
    std::fs::create_dir_all(fmu.join("resources")).unwrap();
    std::fs::copy(
        place.join(SCENE_FILE),
        fmu.join("resources").join(SCENE_FILE),
    )
    .unwrap();
    assert!(create(&fmu).is_ok());
}

#[test]
fn a_scene_that_cannot_be_used_is_refused_with_a_reason() {
    let refused = |path: &Path| create(path).err().unwrap();
    let message = refused(Path::new("/nowhere/scene.bin"));
    assert!(message.contains("/nowhere/scene.bin"), "{message}");
    let place = folder("broken", &two_driven());
    std::fs::write(place.join(SCENE_FILE), b"FMUSCENE").unwrap();
    let message = refused(&place);
    assert!(message.contains("scene.bin"), "{message}");
    let nothing = steel_scene(vec![plate(), ball("ball", [0.0, 0.0, 1.0])]);
    let message = open("nothing_driven", &nothing).err().unwrap();
    assert!(message.contains("driven"), "{message}");
    let mut mixed = two_driven();
    mixed.bodies[3].motion = Motion::Free;
    let message = open("mixed", &mixed).err().unwrap();
    assert!(message.contains("right.position[1]"), "{message}");
}

#[test]
fn a_reason_is_cut_where_the_buffer_ends() {
    let mut message = [1 as c_char; 8];
    // SAFETY: a text, and a buffer of the length told or null.
    unsafe {
        let path = c"/nowhere".as_ptr();
        assert!(contact_scene_create(path, message.as_mut_ptr(), 8).is_null());
        assert_eq!(CStr::from_ptr(message.as_ptr()).to_bytes().len(), 7);
        assert!(contact_scene_create(path, null_mut(), 8).is_null());
        assert!(contact_scene_create(null(), message.as_mut_ptr(), 0).is_null());
        assert!(contact_scene_create(null(), message.as_mut_ptr(), 8).is_null());
        assert_eq!(CStr::from_ptr(message.as_ptr()).to_bytes(), b"argumen");
    }
}

#[test]
fn null_is_an_error_and_never_followed() {
    let nobody: *mut ContactScene = null_mut();
    let object = open("null", &two_driven()).unwrap();
    let motions = [at([0.0, 0.0, 1.0]), at([1.0, 0.0, 1.0])];
    let (rows, mut next, mut z) = (motions.as_ptr().cast(), 0.0, [0.0; 5]);
    let mut wrenches = [0.0; 12];
    // SAFETY: null, or arrays of the length told.
    unsafe {
        contact_scene_destroy(nobody);
        assert_eq!(contact_scene_body_count(nobody), 0);
        assert_eq!(contact_scene_indicator_count(nobody), 0);
        assert!(contact_scene_body_name(nobody, 0).is_null());
        assert!(!contact_scene_message(nobody).is_null());
        let statuses = [
            contact_scene_update(nobody, 0.0, rows, 2, 13, &mut next),
            contact_scene_update(object.0, 0.0, null(), 2, 13, &mut next),
            contact_scene_update(object.0, 0.0, rows, 2, 13, null_mut()),
            contact_scene_evaluate(object.0, 0.0, rows, 2, 13, null_mut()),
            contact_scene_evaluate(object.0, 0.0, null(), 2, 13, wrenches.as_mut_ptr()),
            contact_scene_indicators(object.0, 0.0, rows, 2, 13, null_mut(), 5),
            contact_scene_completed_step(object.0, 0.0, rows, 2, 13, null_mut()),
            contact_scene_do_collide(object.0, 0.0, null(), 2, wrenches.as_mut_ptr()),
            contact_scene_set_parameter(object.0, null(), 1.0),
        ];
        assert_eq!(statuses, [CONTACT_SCENE_ERROR; 9]);
        let status = contact_scene_indicators(object.0, 0.0, rows, 2, 13, z.as_mut_ptr(), 4);
        assert_eq!(status, CONTACT_SCENE_ERROR);
        let message = CStr::from_ptr(contact_scene_message(object.0));
        assert!(message.to_str().unwrap().contains("5 indicators"));
    }
}

#[test]
fn wrong_numbers_are_refused_by_name() {
    let object = open("wrong", &two_driven()).unwrap();
    let far = [0.0, 0.0, 1.0];
    let message = object.collide(&[row(1.0, far)]).unwrap_err();
    assert!(message.contains("2 driven bodies"), "{message}");
    let twice = object.collide(&[row(2.0, far), row(2.0, far)]);
    assert!(twice.unwrap_err().contains("rows 1 and 2 both have id 2"));
    let unknown = object.collide(&[row(2.0, far), row(3.0, far)]);
    assert!(
        unknown
            .unwrap_err()
            .starts_with("error: collisionInput row 2")
    );
    let columns = object.evaluate(0.0, &[[0.0; 14]; 2]).unwrap_err();
    assert!(columns.contains("columns is 14"), "{columns}");
    let mut broken = [at(far), at(far)];
    broken[1][7] = f64::NAN;
    let message = object.evaluate(0.0, &broken).unwrap_err();
    assert!(message.starts_with("discard: right: velocity"), "{message}");
    let telling = [
        object.update(0.0, &broken).err(),
        object.indicators(0.0, &broken).err(),
        object.completed_step(0.0, &broken).err(),
    ];
    assert_eq!(telling, [(); 3].map(|()| Some(message.clone())));
    let message = object.update(f64::NAN, &[at(far); 2]).unwrap_err();
    assert!(message.contains("time"), "{message}");
}

#[test]
fn a_parameter_is_set_by_its_name_and_within_its_range() {
    let object = open("parameters", &two_driven()).unwrap();
    let name = "material_pair.Steel.Steel.restitution";
    assert_eq!(object.set_parameter(name, 0.5), Ok(()));
    let message = object.set_parameter(name, 2.0).unwrap_err();
    assert!(message.contains("restitution"), "{message}");
    let message = object.set_parameter("restitution", 0.5).unwrap_err();
    assert!(
        message.contains("no parameter \"restitution\""),
        "{message}"
    );
}
