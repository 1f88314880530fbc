/*
 * Functions of contact_scene.h as Modelica calls them: a failure ends the evaluation with its text.
 */

#ifndef CONTACT_MODELICA_H
#define CONTACT_MODELICA_H

#include "ModelicaUtilities.h"
#include "contact_scene.h"

/* Modelica.Constants.inf, for "never". */
#define CONTACT_MODELICA_NEVER 1e60

static void contact_modelica_check(const void *scene, int32_t status)
{
    if (status != CONTACT_SCENE_OK) {
        ModelicaFormatError("%s", contact_scene_message((const struct ContactScene *)scene));
    }
}

static void *contact_modelica_create(const char *file, const char **names, const double *values,
                                     size_t count)
{
    char message[1000];
    struct ContactScene *scene;
    size_t i;
    if (contact_scene_version() != CONTACT_SCENE_VERSION) {
        ModelicaFormatError("library contact_fmu is of version %u of its interface; its header of %u",
                            (unsigned)contact_scene_version(), (unsigned)CONTACT_SCENE_VERSION);
    }
    scene = contact_scene_create(file, message, sizeof message);
    if (scene == NULL) {
        ModelicaFormatError("%s", message);
    }
    for (i = 0; i < count; i++) {
        if (contact_scene_set_parameter(scene, names[i], values[i]) != CONTACT_SCENE_OK) {
            /* The text belongs to the object, which is freed first. */
            const char *reason = contact_scene_message(scene);
            size_t length = 0;
            while (reason[length] != 0 && length + 1 < sizeof message) {
                message[length] = reason[length];
                length++;
            }
            message[length] = 0;
            contact_scene_destroy(scene);
            ModelicaFormatError("%s", message);
        }
    }
    return scene;
}

static void contact_modelica_destroy(void *scene)
{
    contact_scene_destroy((struct ContactScene *)scene);
}

static void contact_modelica_evaluate(void *scene, double time, const double *motions, size_t bodies,
                                      int updates, double *wrenches)
{
    (void)updates;
    contact_modelica_check(scene, contact_scene_evaluate((struct ContactScene *)scene, time, motions,
                                                         bodies, CONTACT_SCENE_MATRIX_COLUMNS,
                                                         wrenches));
}

static void contact_modelica_indicators(void *scene, double time, const double *motions,
                                        size_t bodies, int updates, double *z, size_t count)
{
    (void)updates;
    contact_modelica_check(scene, contact_scene_indicators((struct ContactScene *)scene, time,
                                                           motions, bodies,
                                                           CONTACT_SCENE_MATRIX_COLUMNS, z, count));
}

static void contact_modelica_update(void *scene, double time, const double *motions, size_t bodies,
                                    int before, int *updates, double *next_event)
{
    double next = CONTACT_MODELICA_NEVER;
    contact_modelica_check(scene, contact_scene_update((struct ContactScene *)scene, time, motions,
                                                       bodies, CONTACT_SCENE_MATRIX_COLUMNS, &next));
    *updates = before + 1;
    *next_event = next < CONTACT_MODELICA_NEVER ? next : CONTACT_MODELICA_NEVER;
}

static void contact_modelica_impulses(void *scene, double time, const double *motions, size_t bodies,
                                      const double *masses, int before, int impacts_before,
                                      int *updates, double *next_event, int *impacts, double *jumps)
{
    double next = CONTACT_MODELICA_NEVER;
    size_t i, count = bodies * CONTACT_SCENE_JUMP_COLUMNS;
    contact_modelica_check(scene, contact_scene_impulses((struct ContactScene *)scene, time, motions,
                                                         bodies, CONTACT_SCENE_MATRIX_COLUMNS,
                                                         masses, jumps, &next));
    *impacts = impacts_before;
    for (i = 0; i < count; i++) {
        if (jumps[i] != 0) {
            *impacts = impacts_before + 1;
        }
    }
    *updates = before + 1;
    *next_event = next < CONTACT_MODELICA_NEVER ? next : CONTACT_MODELICA_NEVER;
}

static void contact_modelica_do_collide(void *scene, double time, const double *input, size_t bodies,
                                        double *output)
{
    contact_modelica_check(scene, contact_scene_do_collide((struct ContactScene *)scene, time, input,
                                                           bodies, output));
}

#endif
