/*
 * Contact laws in C for FMUs of contact-fmu. Generated from fmu-core/laws/src/response/user/interface.rs
 * by cbindgen; do not edit.
 *
 * A shared library exports contact_law_version() and functions for normal and friction forces, under
 * names of your choice; a scene names library and functions:
 *
 *   [[library]]
 *   name = "rubber"
 *   file = "librubber.so"
 *
 *   [[material_pair]]
 *   materials = ["Rubber", "Steel"]
 *   law = "user"
 *   library = "rubber"
 *   user = [1.0e5, 0.3]
 *
 * Units are SI, vectors in world axes. Shape 1 is the first of the pair; its force is the opposite of
 * that on shape 2.
 *
 * A function must be pure: it answers the same whenever it is told the same, remembers nothing from
 * one call to the next and changes nothing but its output. Solvers ask at any time and state in any
 * order, of the past too, and ask for states that never come to be; derivatives are taken from
 * answers close by. Functions are called by several threads at once if several instances of the FMU
 * are. They should be smooth in what they are told, and fast.
 *
 * Compile with -DCONTACT_LAW_EXPORT=... where symbols need another word to be exported.
 */

#ifndef CONTACT_LAW_H
#define CONTACT_LAW_H

#include <stdint.h>

#ifndef CONTACT_LAW_EXPORT
#ifdef _WIN32
#define CONTACT_LAW_EXPORT __declspec(dllexport)
#else
#define CONTACT_LAW_EXPORT __attribute__((visibility("default")))
#endif
#endif

// Version of this interface: a library exports it as `contact_law_version`.
#define CONTACT_LAW_VERSION 1

// So many numbers of a law can be given in the scene and changed as parameters of the FMU.
#define CONTACT_LAW_NUMBERS 8

// Length of a message in bytes, with the zero at its end.
#define CONTACT_LAW_MESSAGE 200

// Bit of `flags`: no simulation asks. The force is explored along the normal, at growing
// penetrations when a model is made, for the scale of the motion, and in impacts where laws are
// reported; a function may refuse.
#define CONTACT_LAW_PROBE 1

// What a function is given of a contact. Vectors are in world axes.
typedef struct ContactLawInput {
  // Size of this structure in bytes.
  uint32_t size;
  // CONTACT_LAW_VERSION of the caller.
  uint32_t version;
  // Sum of flags such as CONTACT_LAW_PROBE.
  uint32_t flags;
  // Number of the pair of shapes, from 0, in the order of the scene; 4294967295 for all beyond.
  uint32_t pair;
  // How many of `user` are given, 0 to CONTACT_LAW_NUMBERS.
  uint32_t user_count;
  // Zero.
  uint32_t reserved;
  // Name of the law, with a zero at its end, as the FMU's parameters begin with it:
  // material_pair.Rubber.Steel or pair.ball.plate. Never null; valid during the call.
  const char *law;
  // Time [s].
  double time;
  // Numbers of the law, `user` in the scene; those not given are zero. Units are yours.
  double user[CONTACT_LAW_NUMBERS];
  // Contact point [m], the middle between the nearest points of the two shapes.
  double point[3];
  // Unit normal [1] from shape 1 to shape 2.
  double normal[3];
  // Gap [m], negative where the shapes overlap.
  double gap;
  // Penetration [m], the depth that the laws of the FMU count with: by default -gap less the
  // hysteresis of contact (2e-8 m), never negative, so that a force of it starts at zero.
  double penetration;
  // Rate of the gap [m/s], negative while the shapes approach.
  double gap_rate;
  // Area of the contact patch [m2]; 0: not known, as of every contact in one point.
  double area;
  // Slip velocity [m/s]: velocity of 2 relative to 1 at the point, less its part along the
  // normal.
  double slip_velocity[3];
  // Angular velocity of 2 relative to 1 [rad/s].
  double angular_velocity[3];
  // |gap_rate| when the contact started [m/s], frozen until it ends.
  double impact_speed;
  // For a friction function, the normal force [N] of whatever law the pair has; for a normal
  // function 0.
  double normal_force;
} ContactLawInput;

// What a function returns. All fields are zero before the call; leave those that you do not set.
typedef struct ContactLawOutput {
  // Size of this structure in bytes, set by the caller.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // Result of a normal function: force along the normal [N], >= 0 pushes the shapes apart. A
  // negative one counts as 0, unless the scene says pulling = "signed". Ignored from a friction
  // function.
  double normal_force;
  // Result of a friction function: force on 2 [N], that on 1 is the opposite; both act at the
  // point. Its part along the normal is left away. Ignored from a normal function.
  double tangential_force[3];
  // Result of a friction function: torque on 2 [N.m], that on 1 is the opposite; it comes on top
  // of the pair's rolling resistance. Ignored from a normal function.
  double torque[3];
  // Why the function refuses, with a zero at its end; read where it does.
  char message[CONTACT_LAW_MESSAGE];
} ContactLawOutput;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns CONTACT_LAW_VERSION of the header that the library was compiled with. Any other
// version is refused when the library is loaded.
CONTACT_LAW_EXPORT uint32_t contact_law_version(void);

// A normal function, under its default name; `normal_function` in the scene names another one.
// Returns 0, or any other number to refuse: the call into the FMU then ends with an error that
// holds file, function, number and message.
//
// Both pointers are valid during the call only.
CONTACT_LAW_EXPORT int32_t contact_normal_force(const struct ContactLawInput *input, struct ContactLawOutput *output);

// A friction function, under its default name; `friction_function` in the scene names another
// one. Returns the same as a normal function.
CONTACT_LAW_EXPORT int32_t contact_friction_force(const struct ContactLawInput *input, struct ContactLawOutput *output);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CONTACT_LAW_H */
