//! The C interface of contact laws that a user writes; the text of the header follows from here.
//!
//! One structure goes in, one comes out, as plain data. Compare MotionSolve's CNFSUB, which gets
//! markers instead and asks back for their displacements, [MotionSolve].
#![allow(unsafe_code)]

use std::ffi::c_char;

/// Version of this interface: a library exports it as `contact_law_version`.
pub const CONTACT_LAW_VERSION: u32 = 1;

/// So many numbers of a law can be given in the scene and changed as parameters of the FMU.
pub const CONTACT_LAW_NUMBERS: usize = 8;

/// Length of a message in bytes, with the zero at its end.
pub const CONTACT_LAW_MESSAGE: usize = 200;

/// Bit of `flags`: no simulation asks. The force is explored along the normal, at growing
/// penetrations when a model is made, for the scale of the motion, and in impacts where laws are
/// reported; a function may refuse.
pub const CONTACT_LAW_PROBE: u32 = 1;

/// What a function is given of a contact. Vectors are in world axes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ContactLawInput {
    /// Size of this structure in bytes.
    pub size: u32,
    /// CONTACT_LAW_VERSION of the caller.
    pub version: u32,
    /// Sum of flags such as CONTACT_LAW_PROBE.
    pub flags: u32,
    /// Number of the pair of shapes, from 0, in the order of the scene; 4294967295 for all beyond.
    pub pair: u32,
    /// How many of `user` are given, 0 to CONTACT_LAW_NUMBERS.
    pub user_count: u32,
    /// Zero.
    pub reserved: u32,
    /// Name of the law, with a zero at its end, as the FMU's parameters begin with it:
    /// material_pair.Rubber.Steel or pair.ball.plate. Never null; valid during the call.
    pub law: *const c_char,
    /// Time [s].
    pub time: f64,
    /// Numbers of the law, `user` in the scene; those not given are zero. Units are yours.
    pub user: [f64; CONTACT_LAW_NUMBERS],
    /// Contact point [m], the middle between the nearest points of the two shapes.
    pub point: [f64; 3],
    /// Unit normal [1] from shape 1 to shape 2.
    pub normal: [f64; 3],
    /// Gap [m], negative where the shapes overlap.
    pub gap: f64,
    /// Penetration [m], the depth that the laws of the FMU count with: by default -gap less the
    /// hysteresis of contact (2e-8 m), never negative, so that a force of it starts at zero.
    pub penetration: f64,
    /// Rate of the gap [m/s], negative while the shapes approach.
    pub gap_rate: f64,
    /// Area of the contact patch [m2]; 0: not known, as of every contact in one point.
    pub area: f64,
    /// Slip velocity [m/s]: velocity of 2 relative to 1 at the point, less its part along the
    /// normal.
    pub slip_velocity: [f64; 3],
    /// Angular velocity of 2 relative to 1 [rad/s].
    pub angular_velocity: [f64; 3],
    /// |gap_rate| when the contact started [m/s], frozen until it ends.
    pub impact_speed: f64,
    /// For a friction function, the normal force [N] of whatever law the pair has; for a normal
    /// function 0.
    pub normal_force: f64,
}

/// What a function returns. All fields are zero before the call; leave those that you do not set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ContactLawOutput {
    /// Size of this structure in bytes, set by the caller.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Result of a normal function: force along the normal [N], >= 0 pushes the shapes apart. A
    /// negative one counts as 0, unless the scene says pulling = "signed". Ignored from a friction
    /// function.
    pub normal_force: f64,
    /// Result of a friction function: force on 2 [N], that on 1 is the opposite; both act at the
    /// point. Its part along the normal is left away. Ignored from a normal function.
    pub tangential_force: [f64; 3],
    /// Result of a friction function: torque on 2 [N.m], that on 1 is the opposite; it comes on top
    /// of the pair's rolling resistance. Ignored from a normal function.
    pub torque: [f64; 3],
    /// Why the function refuses, with a zero at its end; read where it does.
    pub message: [c_char; CONTACT_LAW_MESSAGE],
}

unsafe extern "C" {
    /// Returns CONTACT_LAW_VERSION of the header that the library was compiled with. Any other
    /// version is refused when the library is loaded.
    pub fn contact_law_version() -> u32;

    /// A normal function, under its default name; `normal_function` in the scene names another one.
    /// Returns 0, or any other number to refuse: the call into the FMU then ends with an error that
    /// holds file, function, number and message.
    ///
    /// Both pointers are valid during the call only.
    pub fn contact_normal_force(
        input: *const ContactLawInput,
        output: *mut ContactLawOutput,
    ) -> i32;

    /// A friction function, under its default name; `friction_function` in the scene names another
    /// one. Returns the same as a normal function.
    pub fn contact_friction_force(
        input: *const ContactLawInput,
        output: *mut ContactLawOutput,
    ) -> i32;
}
