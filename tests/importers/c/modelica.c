/*
 * Calls contact_modelica.h as the C code that a Modelica tool makes does.
 *
 *   modelica SCENE PARAMETER VALUE ID
 *
 * Prints the force that the call of the report gives for one body 1 mm deep in the ground, and that
 * of the extended call, then the jumps of its velocity by impulses; ModelicaFormatError prints its text and ends with code 3.
 */

#include "contact_modelica.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ModelicaFormatError(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    exit(3);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        return 2;
    }
    const char *name = arguments[2];
    double value = atof(arguments[3]);
    void *scene = contact_modelica_create(arguments[1], &name, &value, 1);

    double input[CONTACT_SCENE_INPUT_COLUMNS] = {0}, output[CONTACT_SCENE_WRENCH_COLUMNS];
    input[0] = atof(arguments[4]);
    input[17] = 0.099;
    input[18] = input[22] = input[26] = 1;
    contact_modelica_do_collide(scene, 0, input, 1, output);
    printf("%.17g\n", output[2]);

    double motion[CONTACT_SCENE_MATRIX_COLUMNS] = {0}, z, next;
    int updates;
    motion[2] = 0.099;
    motion[3] = motion[7] = motion[11] = 1;
    contact_modelica_update(scene, 0, motion, 1, 4, &updates, &next);
    contact_modelica_evaluate(scene, 0, motion, 1, updates, output);
    contact_modelica_indicators(scene, 0, motion, 1, updates, &z, 1);
    printf("%.17g %.17g %d %g\n", output[2], z, updates, next);

    /* It leaves, comes back at 2 m/s and 1 kg and meets the ground again, twice at one event. */
    double mass[CONTACT_SCENE_MASS_COLUMNS] = {1, 0, 0, 0, 0.01, 0.01, 0.01, 0, 0, 0};
    double jumps[CONTACT_SCENE_JUMP_COLUMNS];
    int impacts;
    motion[2] = 0.2;
    contact_modelica_impulses(scene, 1, motion, 1, mass, updates, 7, &updates, &next, &impacts, jumps);
    printf("%d %d %.17g\n", updates, impacts, jumps[2]);
    motion[2] = 0.1 - 2e-8;
    motion[14] = -2;
    for (int i = 0; i < 2; i++) {
        contact_modelica_impulses(scene, 2, motion, 1, mass, updates, 7, &updates, &next, &impacts,
                                  jumps);
        printf("%d %d %.17g\n", updates, impacts, jumps[2]);
    }
    contact_modelica_destroy(scene);
    contact_modelica_destroy(NULL);
    return 0;
}
