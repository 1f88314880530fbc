//! An object of the direct interface behind safe functions.

use contact_model::scene::{SceneDescription, checked};
use fmu_core::direct::*;
use fmu_core::instance::lifecycle::SCENE_FILE;
use std::ffi::{CStr, CString, c_char};
use std::path::{Path, PathBuf};

/// An object that frees itself.
pub struct Object(pub *mut ContactScene);

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: made by `create`, used by nobody any more.
        unsafe { contact_scene_destroy(self.0) }
    }
}

/// An object of the scene at a path, or why there is none.
pub fn create(path: &Path) -> Result<Object, String> {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    let mut message = [1 as c_char; 1000];
    // SAFETY: a text and a buffer of the length told.
    let (made, told) = unsafe {
        let made = contact_scene_create(path.as_ptr(), message.as_mut_ptr(), message.len());
        (made, CStr::from_ptr(message.as_ptr()).to_str().unwrap())
    };
    if made.is_null() {
        return Err(told.to_owned());
    }
    assert_eq!(told, "");
    Ok(Object(made))
}

/// The folder of a scene, written under a name that no other test uses.
pub fn folder(name: &str, description: &SceneDescription) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("direct_{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join(SCENE_FILE),
        checked::encode(description).unwrap(),
    )
    .unwrap();
    folder
}

/// The object of a scene, or why there is none.
pub fn open(name: &str, description: &SceneDescription) -> Result<Object, String> {
    create(&folder(name, description))
}

impl Object {
    fn done(&self, status: i32) -> Result<(), String> {
        // SAFETY: the object lives.
        let message = unsafe { CStr::from_ptr(contact_scene_message(self.0)) };
        match status {
            CONTACT_SCENE_OK => Ok(()),
            CONTACT_SCENE_DISCARD => Err(format!("discard: {}", message.to_str().unwrap())),
            CONTACT_SCENE_ERROR => Err(format!("error: {}", message.to_str().unwrap())),
            other => panic!("status {other}"),
        }
    }

    pub fn body_count(&self) -> usize {
        // SAFETY: the object lives.
        unsafe { contact_scene_body_count(self.0) }
    }

    pub fn body_name(&self, body: usize) -> Option<String> {
        // SAFETY: the object lives; a name that is not null is a text.
        unsafe {
            let name = contact_scene_body_name(self.0, body);
            let text = (!name.is_null()).then(|| CStr::from_ptr(name));
            text.map(|text| text.to_str().unwrap().to_owned())
        }
    }

    pub fn indicator_count(&self) -> usize {
        // SAFETY: the object lives.
        unsafe { contact_scene_indicator_count(self.0) }
    }

    pub fn set_parameter(&self, name: &str, value: f64) -> Result<(), String> {
        let name = CString::new(name).unwrap();
        // SAFETY: the object lives; a text.
        self.done(unsafe { contact_scene_set_parameter(self.0, name.as_ptr(), value) })
    }

    /// Force and torque on each body, from rows of `collisionInput`.
    pub fn collide(&self, rows: &[[f64; 27]]) -> Result<Vec<[f64; 6]>, String> {
        let mut output = vec![[f64::NAN; 6]; rows.len()];
        let (input, place) = (rows.as_ptr().cast(), output.as_mut_ptr().cast());
        // SAFETY: the object lives; arrays of the length told.
        self.done(unsafe { contact_scene_do_collide(self.0, 0.0, input, rows.len(), place) })?;
        Ok(output)
    }

    /// Force and torque on each body, from motions with so many columns.
    pub fn evaluate<const N: usize>(
        &self,
        time: f64,
        motions: &[[f64; N]],
    ) -> Result<Vec<[f64; 6]>, String> {
        let mut output = vec![[f64::NAN; 6]; motions.len()];
        let (rows, place) = (motions.as_ptr().cast(), output.as_mut_ptr().cast());
        // SAFETY: the object lives; arrays of the length told.
        self.done(unsafe { contact_scene_evaluate(self.0, time, rows, motions.len(), N, place) })?;
        Ok(output)
    }

    pub fn indicators(&self, time: f64, motions: &[[f64; 13]]) -> Result<Vec<f64>, String> {
        let mut output = vec![f64::NAN; self.indicator_count()];
        let (place, count) = (output.as_mut_ptr(), output.len());
        let rows = motions.as_ptr().cast();
        // SAFETY: the object lives; arrays of the length told.
        self.done(unsafe {
            contact_scene_indicators(self.0, time, rows, motions.len(), 13, place, count)
        })?;
        Ok(output)
    }

    /// Time of the next time event.
    pub fn update(&self, time: f64, motions: &[[f64; 13]]) -> Result<f64, String> {
        let mut next = f64::NAN;
        let rows = motions.as_ptr().cast();
        // SAFETY: the object lives; an array of the length told and a place for a number.
        self.done(unsafe {
            contact_scene_update(self.0, time, rows, motions.len(), 13, &mut next)
        })?;
        Ok(next)
    }

    /// Jumps of the bodies of an event update with impulses, or, `alone`, of bodies that overlap.
    pub fn impulses(
        &self,
        time: f64,
        motions: &[[f64; 13]],
        masses: &[[f64; 10]],
        alone: bool,
    ) -> Result<Vec<[f64; 12]>, String> {
        let (mut output, mut next) = (vec![[f64::NAN; 12]; motions.len()], f64::NAN);
        let (rows, place) = (motions.as_ptr().cast(), output.as_mut_ptr().cast());
        let (count, masses) = (motions.len(), masses.as_ptr().cast());
        // SAFETY: the object lives; arrays of the length told and a place for a number.
        self.done(unsafe {
            match alone {
                true => contact_scene_do_impact(self.0, time, rows, count, 13, masses, place),
                false => {
                    contact_scene_impulses(self.0, time, rows, count, 13, masses, place, &mut next)
                }
            }
        })?;
        assert!(alone || next > time);
        Ok(output)
    }

    pub fn completed_step(&self, time: f64, motions: &[[f64; 13]]) -> Result<bool, String> {
        let mut wanted = -1;
        let rows = motions.as_ptr().cast();
        // SAFETY: as above.
        self.done(unsafe {
            contact_scene_completed_step(self.0, time, rows, motions.len(), 13, &mut wanted)
        })?;
        assert!(wanted == 0 || wanted == 1);
        Ok(wanted == 1)
    }
}

/// A motion at rest, not turned.
pub fn at(position: [f64; 3]) -> [f64; 13] {
    let [x, y, z] = position;
    [x, y, z, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
}

/// A row of `collisionInput`: body `id`, not turned, its visual object told by numbers that mean
/// nothing here.
pub fn row(id: f64, position: [f64; 3]) -> [f64; 27] {
    let mut row = [0.0; 27];
    row[..6].copy_from_slice(&[id, 3.0, 987000.0, 0.7, 20.0, 0.0]);
    row[6..15].copy_from_slice(&[9.0, 8.0, 7.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    row[15..18].copy_from_slice(&position);
    row[18] = 1.0;
    row[22] = 1.0;
    row[26] = 1.0;
    row
}
