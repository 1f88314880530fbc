/*
 * Calls contact_modelica.h as the C code that a Modelica tool makes does.
 *
 *   modelica SCENE PARAMETER VALUE ID
 *
 * Prints the force that the call of the report gives for one body 1 mm deep in the ground, and that
 * of the extended call; ModelicaFormatError prints its text and ends with code 3.
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
    contact_modelica_destroy(scene);
    contact_modelica_destroy(NULL);
    return 0;
}
