//! The C functions of the direct interface; the text of their header follows from here.
#![allow(unsafe_code)]

use super::forces::DirectForces;
use super::rows::{
    INPUT_COLUMNS, JUMP_COLUMNS, MASS_COLUMNS, MATRIX_COLUMNS, QUATERNION_COLUMNS, WRENCH_COLUMNS,
    wrong_columns,
};
use crate::SOURCE;
use crate::border::{panic_text, place, text, values, values_out};
use crate::instance::{Degree, Failure, lifecycle};
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Version of this interface; contact_scene_version() returns that of the library.
pub const CONTACT_SCENE_VERSION: u32 = 2;

/// The call did its work.
pub const CONTACT_SCENE_OK: i32 = 0;

/// The call changed nothing: numbers are not usable, others, of a smaller step, may be.
pub const CONTACT_SCENE_DISCARD: i32 = 1;

/// The call failed; other arguments or another scene are needed.
pub const CONTACT_SCENE_ERROR: i32 = 2;

/// Columns of collisionInput.
pub const CONTACT_SCENE_INPUT_COLUMNS: usize = 27;

/// Columns of collisionOutput and of wrenches.
pub const CONTACT_SCENE_WRENCH_COLUMNS: usize = 6;

/// Columns of motions with a quaternion.
pub const CONTACT_SCENE_QUATERNION_COLUMNS: usize = 13;

/// Columns of motions with a rotation matrix.
pub const CONTACT_SCENE_MATRIX_COLUMNS: usize = 18;

/// Columns of masses.
pub const CONTACT_SCENE_MASS_COLUMNS: usize = 10;

/// Columns of jumps.
pub const CONTACT_SCENE_JUMP_COLUMNS: usize = 12;

// The header shows numbers, so they stand here once more.
const _: () = assert!(
    CONTACT_SCENE_INPUT_COLUMNS == INPUT_COLUMNS
        && CONTACT_SCENE_WRENCH_COLUMNS == WRENCH_COLUMNS
        && CONTACT_SCENE_QUATERNION_COLUMNS == QUATERNION_COLUMNS
        && CONTACT_SCENE_MATRIX_COLUMNS == MATRIX_COLUMNS
        && CONTACT_SCENE_MASS_COLUMNS == MASS_COLUMNS
        && CONTACT_SCENE_JUMP_COLUMNS == JUMP_COLUMNS
);

/// A scene and which of its bodies touch.
pub struct ContactScene {
    forces: DirectForces,
    names: Vec<CString>,
    message: CString,
    /// A panic left it in any condition.
    broken: bool,
}

/// Returns the version of the library, CONTACT_SCENE_VERSION of the header it was made with.
#[unsafe(no_mangle)]
pub extern "C" fn contact_scene_version() -> u32 {
    CONTACT_SCENE_VERSION
}

/// Returns "contact-fmu source " and eight digits that follow from the sources of the library: those
/// of several platforms that have the same ones give the same numbers.
#[unsafe(no_mangle)]
pub extern "C" fn contact_scene_source() -> *const c_char {
    SOURCE.as_ptr().cast()
}

/// Makes an object of a scene. `scene` is the path (UTF-8) of scene.bin, of the folder that holds
/// it, such as the resources of an unpacked FMU, or of an unpacked FMU. Null where that fails: then
/// `message`, of `message_size` bytes, holds why, with a zero at its end and cut where it is too
/// long; it is empty otherwise. `message` may be null.
///
/// # Safety
/// `scene` is null or ends with a zero; `message` is null or has `message_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_create(
    scene: *const c_char,
    message: *mut c_char,
    message_size: usize,
) -> *mut ContactScene {
    // SAFETY: the contract of this function.
    let path = unsafe { text(scene) };
    let made = catch_unwind(AssertUnwindSafe(|| create(path.as_deref())));
    let reason = match made {
        Ok(Ok(object)) => {
            // SAFETY: the contract of this function.
            unsafe { tell(message, message_size, "") };
            return Box::into_raw(Box::new(object));
        }
        Ok(Err(reason)) => reason,
        Err(payload) => format!(
            "failed inside this library, please report it: {}",
            panic_text(&*payload)
        ),
    };
    // SAFETY: the contract of this function.
    unsafe { tell(message, message_size, &reason) };
    std::ptr::null_mut()
}

fn create(path: Option<&str>) -> Result<ContactScene, String> {
    let path = path.ok_or("argument scene is a null pointer")?;
    let found = lifecycle::open(Path::new(path))?;
    let forces = DirectForces::new(&found).map_err(|failure| failure.message)?;
    let names = (0..forces.body_count()).filter_map(|place| forces.body_name(place));
    Ok(ContactScene {
        names: names.map(c_text).collect(),
        forces,
        message: CString::default(),
        broken: false,
    })
}

/// Frees an object; null is ignored.
///
/// # Safety
/// `object` is null or comes from contact_scene_create and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_destroy(object: *mut ContactScene) {
    if object.is_null() {
        return;
    }
    // SAFETY: made by `Box::into_raw` in `contact_scene_create`, by the contract above.
    let object = unsafe { Box::from_raw(object) };
    // Whatever happens, it must not unwind into the caller.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(object)));
}

/// Why the last call with this object that did not return CONTACT_SCENE_OK failed; empty before.
/// Valid until the next call with the object.
///
/// # Safety
/// `object` is null or comes from contact_scene_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_message(object: *const ContactScene) -> *const c_char {
    // SAFETY: the contract of this function.
    match unsafe { object.as_ref() } {
        Some(object) => object.message.as_ptr(),
        None => c"the object is a null pointer".as_ptr(),
    }
}

/// Number n of bodies that take part: the driven bodies of the scene, in its order. 0 for null.
///
/// # Safety
/// `object` is null or comes from contact_scene_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_body_count(object: *const ContactScene) -> usize {
    // SAFETY: the contract of this function.
    unsafe { object.as_ref() }.map_or(0, |object| object.names.len())
}

/// Name of a body by its place among them, from 0; null where there is none. Valid as long as the
/// object.
///
/// # Safety
/// `object` is null or comes from contact_scene_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_body_name(
    object: *const ContactScene,
    body: usize,
) -> *const c_char {
    // SAFETY: the contract of this function.
    let name = unsafe { object.as_ref() }.and_then(|object| object.names.get(body));
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// Number of event indicators. 0 for null.
///
/// # Safety
/// `object` is null or comes from contact_scene_create.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_indicator_count(object: *const ContactScene) -> usize {
    // SAFETY: the contract of this function.
    unsafe { object.as_ref() }.map_or(0, |object| object.forces.indicator_count())
}

/// Sets a parameter by the name that an FMU of the scene shows, such as
/// material_pair.Steel.Steel.restitution; units are those there. Contacts stay what they are.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; `name` is null or ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_set_parameter(
    object: *mut ContactScene,
    name: *const c_char,
    value: f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let name = text(name).ok_or_else(|| null("name"))?;
            forces.set_parameter(&name, value)
        })
    }
}

/// Elastic forces between bodies at rest, the function doCollide of [Engelson 2000] section 7.3.
/// Which bodies touch follows from these numbers alone; the other functions neither see nor change
/// it.
///
/// `collision_input` has `bodies` rows of 27 numbers, row by row: id (1 to n, the place of the
/// body, once each), shape, Form, extra, parmStlIndex, noCollision (not 0: the body touches
/// nothing), size[3], rxvisobj[3], ryvisobj[3], rvisobj[3] (position of the body's origin in the
/// world [m]), Sa[1,:], Sa[2,:], Sa[3,:] (rotation matrix, body to world). Other columns are
/// ignored: the scene has shapes of its own, in the body's frame.
///
/// `collision_output` has `bodies` rows of 6 numbers: force [N] and torque about the body's origin
/// [N.m] that the contacts exert on the body, in the axes of the body, as fb and tb of a cut in the
/// library of the report.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_do_collide(
    object: *mut ContactScene,
    time: f64,
    collision_input: *const f64,
    bodies: usize,
    collision_output: *mut f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            check_bodies(forces, bodies)?;
            let count = bodies * INPUT_COLUMNS;
            let input = values(collision_input, count, "collision_input")?;
            let output = values_out(
                collision_output,
                bodies * WRENCH_COLUMNS,
                "collision_output",
            )?;
            forces.collide(time, input, output)
        })
    }
}

/// Contact forces on bodies that move: the extended call. Which bodies touch is what the last
/// contact_scene_update found, so between two events forces are smooth; call that first.
///
/// `motions` has `bodies` rows of `columns` numbers, row by row: position of the body's origin in
/// the world (3) [m]; orientation, body to world: quaternion w, x, y, z with 13 columns, rotation
/// matrix row by row with 18; velocity of the origin in world axes (3) [m/s]; angular velocity in
/// body axes (3) [rad/s].
///
/// `wrenches` has `bodies` rows of 6 numbers: force [N] and torque about the body's origin [N.m]
/// that the contacts exert on the body, in world axes.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_evaluate(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    wrenches: *mut f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            let wrenches = values_out(wrenches, bodies * WRENCH_COLUMNS, "wrenches")?;
            forces.evaluate(time, motions, wrenches)
        })
    }
}

/// Event indicators [m] of the same bodies. An event is due where one changes between > 0 and <= 0:
/// find the time, then call contact_scene_update there. `count` is that of
/// contact_scene_indicator_count.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_indicators(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    indicators: *mut f64,
    count: usize,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            if count != forces.indicator_count() {
                return Err(Failure::error(format!(
                    "count is {count}; this scene has {} indicators",
                    forces.indicator_count()
                )));
            }
            let indicators = values_out(indicators, count, "indicators")?;
            forces.indicators(time, motions, indicators)
        })
    }
}

/// Event update: finds which bodies touch and how fast they met, which holds until the next one.
/// Call it at the start, at each event and where contact_scene_completed_step asks for it.
/// `next_event_time` becomes the time of the next event that depends on time alone [s], HUGE_VAL
/// where there is none: call this function there too.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_update(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    next_event_time: *mut f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            let next = place(next_event_time, "next_event_time")?;
            next.write(forces.update(time, motions)?.unwrap_or(f64::INFINITY));
            Ok(())
        })
    }
}

/// Event update with impulses, in place of contact_scene_update: the velocities of bodies whose
/// contact starts here jump, [Engelson 2000] section 2. Restitution, friction and resistance to
/// rolling are those of the scene; bodies that touch already pass impulses on. An approach slower
/// than rest_speed of the pair is left to the force of contact_scene_evaluate, which also holds what
/// stays in contact.
///
/// `motions` are those of contact_scene_evaluate, with the velocities before. `masses` has `bodies`
/// rows of 10 numbers: mass [kg], 0 for a body that does not yield, whose other numbers are not
/// used; centre of mass in the body's frame (3) [m]; inertia tensor about the centre of mass in
/// body axes xx, yy, zz, xy, xz, yz [kg.m2]. A body that joints of the caller hold is taken for
/// free.
///
/// `jumps` has `bodies` rows of 12 numbers: jump of the velocity of the origin in world axes (3)
/// [m/s], and of the angular velocity in body axes (3) [rad/s], to be added to those of motions;
/// the impulse on the body (3) [N.s] and its moment about the centre of mass (3) [N.m.s], both in
/// world axes. Zeros where no contact starts. Called again with the same numbers at the same time,
/// it answers the same. `next_event_time` as of contact_scene_update.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "arrays as C has them")]
pub unsafe extern "C" fn contact_scene_impulses(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    masses: *const f64,
    jumps: *mut f64,
    next_event_time: *mut f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            let masses = values(masses, bodies * MASS_COLUMNS, "masses")?;
            let jumps = values_out(jumps, bodies * JUMP_COLUMNS, "jumps")?;
            let place = place(next_event_time, "next_event_time")?;
            let (next, told) = forces.update_with_impulses(time, motions, masses, jumps)?;
            place.write(next.unwrap_or(f64::INFINITY));
            told
        })
    }
}

/// Jumps of velocities of bodies that overlap and approach each other. Which bodies touch follows
/// from these numbers alone, as for contact_scene_do_collide; the other functions neither see nor
/// change it. Arguments are those of contact_scene_impulses. Bodies that do not approach faster than
/// rest_speed of their pair get zeros: the jumps added, it answers zeros for what it has parted.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_do_impact(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    masses: *const f64,
    jumps: *mut f64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            let masses = values(masses, bodies * MASS_COLUMNS, "masses")?;
            let jumps = values_out(jumps, bodies * JUMP_COLUMNS, "jumps")?;
            forces.impact(time, motions, masses, jumps)
        })
    }
}

/// To be called after a step of the caller. `update_wanted` becomes 1 if contact_scene_update
/// must be called before the next one, 0 otherwise. Scenes with an indicator for each pair of
/// shapes (nz_max) can do without this function.
///
/// # Safety
/// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn contact_scene_completed_step(
    object: *mut ContactScene,
    time: f64,
    motions: *const f64,
    bodies: usize,
    columns: usize,
    update_wanted: *mut i32,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe {
        guard(object, |forces| {
            let motions = rows(forces, motions, bodies, columns)?;
            let wanted = place(update_wanted, "update_wanted")?;
            wanted.write(i32::from(forces.completed_step(time, motions)?));
            Ok(())
        })
    }
}

fn null(argument: &str) -> Failure {
    Failure::error(format!("argument {argument} is a null pointer"))
}

fn check_bodies(forces: &DirectForces, bodies: usize) -> Result<(), Failure> {
    if bodies == forces.body_count() {
        return Ok(());
    }
    Err(Failure::error(format!(
        "bodies is {bodies}; this scene has {} driven bodies, each needs a row",
        forces.body_count()
    )))
}

/// The rows of motions behind a pointer.
///
/// # Safety
/// The pointer is null or that of `bodies * columns` numbers that stay unchanged for 'a.
unsafe fn rows<'a>(
    forces: &DirectForces,
    motions: *const f64,
    bodies: usize,
    columns: usize,
) -> Result<&'a [f64], Failure> {
    check_bodies(forces, bodies)?;
    if columns != QUATERNION_COLUMNS && columns != MATRIX_COLUMNS {
        return Err(wrong_columns(columns));
    }
    // SAFETY: the contract of this function.
    unsafe { values(motions, bodies * columns, "motions") }
}

/// Runs `body` on an object, catches panics and keeps the message of a failure.
///
/// # Safety
/// `object` is null or comes from contact_scene_create, and nobody else uses it meanwhile.
unsafe fn guard(
    object: *mut ContactScene,
    body: impl FnOnce(&mut DirectForces) -> Result<(), Failure>,
) -> i32 {
    // SAFETY: the contract of this function.
    let Some(object) = (unsafe { object.as_mut() }) else {
        return CONTACT_SCENE_ERROR;
    };
    if object.broken {
        return CONTACT_SCENE_ERROR;
    }
    let forces = &mut object.forces;
    let failure = match catch_unwind(AssertUnwindSafe(|| body(forces))) {
        Ok(Ok(())) => return CONTACT_SCENE_OK,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            object.broken = true;
            Failure::error(format!(
                "failed inside this library, please report it: {}; this object can only be destroyed",
                panic_text(&*payload)
            ))
        }
    };
    object.message = c_text(&failure.message);
    match failure.degree {
        Degree::Warning => CONTACT_SCENE_OK,
        Degree::Discard => CONTACT_SCENE_DISCARD,
        Degree::Error => CONTACT_SCENE_ERROR,
    }
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// Writes a text into a buffer, cut where it is too long.
///
/// # Safety
/// `message` is null or has `size` bytes.
unsafe fn tell(message: *mut c_char, size: usize, text: &str) {
    if message.is_null() || size == 0 {
        return;
    }
    let mut length = text.len().min(size - 1);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    // SAFETY: not null, has at least length + 1 bytes by the contract of this function.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), message, length);
        message.add(length).write(0);
    }
}
