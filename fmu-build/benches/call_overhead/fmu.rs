//! The FMU binary with one Model Exchange instance in Continuous-Time Mode.

use crate::calls::Calls;
use contact_model::scene::{SceneDescription, checked};
use fmu_build::package::binaries::{self, Choice, library_name};
use fmu_build::package::platform::Platform;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

type Instance = *mut c_void;
type Instantiate = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    bool,
    bool,
    *mut c_void,
    Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>,
) -> Instance;
type Plain = unsafe extern "C" fn(Instance) -> c_int;
type EnterInitialization = unsafe extern "C" fn(Instance, bool, f64, f64, bool, f64) -> c_int;

/// The binary of this build, loaded, and a resources folder for it.
pub struct Fmu {
    library: libloading::Library,
    instantiate: Instantiate,
    free: unsafe extern "C" fn(Instance),
    token: CString,
    resources: CString,
}

impl Fmu {
    /// Writes binary and scene into `folder` and loads the binary.
    pub fn new(folder: &Path, description: &SceneDescription) -> Self {
        let own = Platform::host().expect("a platform of FMI");
        let choice = Choice {
            platforms: vec![own.name.into()],
            ..Choice::default()
        };
        let binary = &binaries::find(&choice).expect("an FMU binary").binaries[0];
        let bytes = binary.content.bytes().expect("a whole binary");
        let file = folder.join(library_name());
        std::fs::write(&file, &bytes).expect("the binary is written");
        let scene = checked::encode(description).expect("a scene");
        std::fs::write(folder.join("scene.bin"), &scene).expect("the scene is written");
        let path = folder.to_str().expect("a path in UTF-8");
        // SAFETY: the binary is ours; prototypes as in fmi3FunctionTypes.h.
        unsafe {
            let library = libloading::Library::new(&file).expect("the FMU is loaded");
            Fmu {
                instantiate: *library
                    .get("fmi3InstantiateModelExchange")
                    .expect("a function of the standard"),
                free: *library
                    .get("fmi3FreeInstance")
                    .expect("a function of the standard"),
                token: CString::new(checked::token(&scene)).expect("hexadecimal digits"),
                resources: CString::new(path).expect("a path without zero"),
                library,
            }
        }
    }

    /// A new instance.
    pub fn instantiate(&self) -> Instance {
        // SAFETY: texts live as long as `self`; there is no environment.
        let instance = unsafe {
            (self.instantiate)(
                c"benchmark".as_ptr(),
                self.token.as_ptr(),
                self.resources.as_ptr(),
                false,
                false,
                null_mut(),
                Some(tell),
            )
        };
        assert!(!instance.is_null(), "no instance");
        instance
    }

    /// Frees an instance.
    pub fn free(&self, instance: Instance) {
        // SAFETY: the instance comes from `instantiate` and is not used any more.
        unsafe { (self.free)(instance) }
    }

    /// The functions of `instance` after it was brought to Continuous-Time Mode.
    pub fn start(&self, instance: Instance) -> Calls {
        // SAFETY: prototypes as in fmi3FunctionTypes.h; the instance lives.
        unsafe {
            let enter = self
                .library
                .get::<EnterInitialization>("fmi3EnterInitializationMode");
            let status =
                enter.expect("a function of the standard")(instance, false, 0.0, 0.0, false, 0.0);
            assert_eq!(status, 0);
            for name in ["fmi3ExitInitializationMode", "fmi3EnterContinuousTimeMode"] {
                let function = self.library.get::<Plain>(name);
                assert_eq!(function.expect("a function of the standard")(instance), 0);
            }
            Calls::find(
                &self.library,
                instance,
                [
                    "fmi3SetContinuousStates",
                    "fmi3GetContinuousStateDerivatives",
                    "fmi3GetEventIndicators",
                ],
            )
        }
    }
}

unsafe extern "C" fn tell(_: *mut c_void, _: c_int, _: *const c_char, message: *const c_char) {
    if !message.is_null() {
        // SAFETY: the message ends with zero.
        eprintln!("{}", unsafe { CStr::from_ptr(message) }.to_string_lossy());
    }
}
