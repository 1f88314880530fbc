/*
 * Contacts without FMI: the direct interface of contact-fmu. Generated from
 * fmu-core/src/direct/interface.rs by cbindgen; do not edit.
 *
 * A program, or a Modelica model, that integrates bodies itself asks a scene for the contact forces
 * and impulses on them. The functions are in the shared library that is also the binary of each
 * FMU. Bodies are the driven bodies of the scene, in its order.
 *
 *   contact_scene_create(path, ...)          an object of a scene
 *   contact_scene_update(...)                at the start: which bodies touch
 *   contact_scene_evaluate(...)              contact forces, as often as an integrator likes
 *   contact_scene_indicators(...)            where one changes its sign, find the time, and
 *   contact_scene_update(...)                there
 *   contact_scene_destroy(object)
 *
 * Where velocities are to jump at impacts, contact_scene_impulses takes the place of
 * contact_scene_update: bodies then have masses, and their jumps are added to the velocities.
 *
 * Units are SI. Arrays are row by row. Functions return CONTACT_SCENE_OK, _DISCARD or _ERROR unless
 * they say otherwise; contact_scene_message returns why. Objects share nothing: two threads may use
 * two of them at once, but not the same one.
 */

#ifndef CONTACT_SCENE_H
#define CONTACT_SCENE_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface; contact_scene_version() returns that of the library.
#define CONTACT_SCENE_VERSION 2

// The call did its work.
#define CONTACT_SCENE_OK 0

// The call changed nothing: numbers are not usable, others, of a smaller step, may be.
#define CONTACT_SCENE_DISCARD 1

// The call failed; other arguments or another scene are needed.
#define CONTACT_SCENE_ERROR 2

// Columns of collisionInput.
#define CONTACT_SCENE_INPUT_COLUMNS 27

// Columns of collisionOutput and of wrenches.
#define CONTACT_SCENE_WRENCH_COLUMNS 6

// Columns of motions with a quaternion.
#define CONTACT_SCENE_QUATERNION_COLUMNS 13

// Columns of motions with a rotation matrix.
#define CONTACT_SCENE_MATRIX_COLUMNS 18

// Columns of masses.
#define CONTACT_SCENE_MASS_COLUMNS 10

// Columns of jumps.
#define CONTACT_SCENE_JUMP_COLUMNS 12

// A scene and which of its bodies touch.
typedef struct ContactScene ContactScene;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library, CONTACT_SCENE_VERSION of the header it was made with.
uint32_t contact_scene_version(void);

// Returns "contact-fmu source " and eight digits that follow from the sources of the library: those
// of several platforms that have the same ones give the same numbers.
const char *contact_scene_source(void);

// Makes an object of a scene. `scene` is the path (UTF-8) of scene.bin, of the folder that holds
// it, such as the resources of an unpacked FMU, or of an unpacked FMU. Null where that fails: then
// `message`, of `message_size` bytes, holds why, with a zero at its end and cut where it is too
// long; it is empty otherwise. `message` may be null.
//
// `scene` is null or ends with a zero; `message` is null or has `message_size` bytes.
struct ContactScene *contact_scene_create(const char *scene, char *message, size_t message_size);

// Frees an object; null is ignored.
//
// `object` is null or comes from contact_scene_create and is not used any more.
void contact_scene_destroy(struct ContactScene *object);

// Why the last call with this object that did not return CONTACT_SCENE_OK failed; empty before.
// Valid until the next call with the object.
//
// `object` is null or comes from contact_scene_create.
const char *contact_scene_message(const struct ContactScene *object);

// Number n of bodies that take part: the driven bodies of the scene, in its order. 0 for null.
//
// `object` is null or comes from contact_scene_create.
size_t contact_scene_body_count(const struct ContactScene *object);

// Name of a body by its place among them, from 0; null where there is none. Valid as long as the
// object.
//
// `object` is null or comes from contact_scene_create.
const char *contact_scene_body_name(const struct ContactScene *object, size_t body);

// Number of event indicators. 0 for null.
//
// `object` is null or comes from contact_scene_create.
size_t contact_scene_indicator_count(const struct ContactScene *object);

// Sets a parameter by the name that an FMU of the scene shows, such as
// material_pair.Steel.Steel.restitution; units are those there. Contacts stay what they are.
//
// `object` is null or comes from contact_scene_create; `name` is null or ends with a zero.
int32_t contact_scene_set_parameter(struct ContactScene *object, const char *name, double value);

// Elastic forces between bodies at rest, the function doCollide of [Engelson 2000] section 7.3.
// Which bodies touch follows from these numbers alone; the other functions neither see nor change
// it.
//
// `collision_input` has `bodies` rows of 27 numbers, row by row: id (1 to n, the place of the
// body, once each), shape, Form, extra, parmStlIndex, noCollision (not 0: the body touches
// nothing), size[3], rxvisobj[3], ryvisobj[3], rvisobj[3] (position of the body's origin in the
// world [m]), Sa[1,:], Sa[2,:], Sa[3,:] (rotation matrix, body to world). Other columns are
// ignored: the scene has shapes of its own, in the body's frame.
//
// `collision_output` has `bodies` rows of 6 numbers: force [N] and torque about the body's origin
// [N.m] that the contacts exert on the body, in the axes of the body, as fb and tb of a cut in the
// library of the report.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_do_collide(struct ContactScene *object,
                                 double time,
                                 const double *collision_input,
                                 size_t bodies,
                                 double *collision_output);

// Contact forces on bodies that move: the extended call. Which bodies touch is what the last
// contact_scene_update found, so between two events forces are smooth; call that first.
//
// `motions` has `bodies` rows of `columns` numbers, row by row: position of the body's origin in
// the world (3) [m]; orientation, body to world: quaternion w, x, y, z with 13 columns, rotation
// matrix row by row with 18; velocity of the origin in world axes (3) [m/s]; angular velocity in
// body axes (3) [rad/s].
//
// `wrenches` has `bodies` rows of 6 numbers: force [N] and torque about the body's origin [N.m]
// that the contacts exert on the body, in world axes.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_evaluate(struct ContactScene *object,
                               double time,
                               const double *motions,
                               size_t bodies,
                               size_t columns,
                               double *wrenches);

// Event indicators [m] of the same bodies. An event is due where one changes between > 0 and <= 0:
// find the time, then call contact_scene_update there. `count` is that of
// contact_scene_indicator_count.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_indicators(struct ContactScene *object,
                                 double time,
                                 const double *motions,
                                 size_t bodies,
                                 size_t columns,
                                 double *indicators,
                                 size_t count);

// Event update: finds which bodies touch and how fast they met, which holds until the next one.
// Call it at the start, at each event and where contact_scene_completed_step asks for it.
// `next_event_time` becomes the time of the next event that depends on time alone [s], HUGE_VAL
// where there is none: call this function there too.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_update(struct ContactScene *object,
                             double time,
                             const double *motions,
                             size_t bodies,
                             size_t columns,
                             double *next_event_time);

// Event update with impulses, in place of contact_scene_update: the velocities of bodies whose
// contact starts here jump, [Engelson 2000] section 2. Restitution, friction and resistance to
// rolling are those of the scene; bodies that touch already pass impulses on. An approach slower
// than rest_speed of the pair is left to the force of contact_scene_evaluate, which also holds what
// stays in contact.
//
// `motions` are those of contact_scene_evaluate, with the velocities before. `masses` has `bodies`
// rows of 10 numbers: mass [kg], 0 for a body that does not yield, whose other numbers are not
// used; centre of mass in the body's frame (3) [m]; inertia tensor about the centre of mass in
// body axes xx, yy, zz, xy, xz, yz [kg.m2]. A body that joints of the caller hold is taken for
// free.
//
// `jumps` has `bodies` rows of 12 numbers: jump of the velocity of the origin in world axes (3)
// [m/s], and of the angular velocity in body axes (3) [rad/s], to be added to those of motions;
// the impulse on the body (3) [N.s] and its moment about the centre of mass (3) [N.m.s], both in
// world axes. Zeros where no contact starts. Called again with the same numbers at the same time,
// it answers the same. `next_event_time` as of contact_scene_update.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_impulses(struct ContactScene *object,
                               double time,
                               const double *motions,
                               size_t bodies,
                               size_t columns,
                               const double *masses,
                               double *jumps,
                               double *next_event_time);

// Jumps of velocities of bodies that overlap and approach each other. Which bodies touch follows
// from these numbers alone, as for contact_scene_do_collide; the other functions neither see nor
// change it. Arguments are those of contact_scene_impulses. Bodies that do not approach faster than
// rest_speed of their pair get zeros: the jumps added, it answers zeros for what it has parted.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_do_impact(struct ContactScene *object,
                                double time,
                                const double *motions,
                                size_t bodies,
                                size_t columns,
                                const double *masses,
                                double *jumps);

// To be called after a step of the caller. `update_wanted` becomes 1 if contact_scene_update
// must be called before the next one, 0 otherwise. Scenes with an indicator for each pair of
// shapes (nz_max) can do without this function.
//
// `object` is null or comes from contact_scene_create; arrays are null or of the given sizes.
int32_t contact_scene_completed_step(struct ContactScene *object,
                                     double time,
                                     const double *motions,
                                     size_t bodies,
                                     size_t columns,
                                     int32_t *update_wanted);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CONTACT_SCENE_H */
