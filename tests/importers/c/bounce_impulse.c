/*
 * The bouncing ball of a report whose velocity jumps: free flight z'' = g is known, impulses come from
 * the direct interface.
 *
 *   bounce_impulse SCENE GRAVITY MASS HEIGHT IMPACTS
 *
 * HEIGHT is that of the centre of the ball. An event is where the indicator changes its domain between
 * looks 1 ms apart; bisection finds it. Prints the time of each impact and the velocity after it.
 */

#include "contact_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOK 1e-3

static struct ContactScene *scene;
static double gravity, start, height, velocity;

static void check(int32_t status)
{
    if (status != CONTACT_SCENE_OK) {
        fprintf(stderr, "%s\n", contact_scene_message(scene));
        exit(1);
    }
}

/* The row of the ball in free flight. */
static void row(double t, double motion[CONTACT_SCENE_QUATERNION_COLUMNS])
{
    double passed = t - start;
    for (int i = 0; i < CONTACT_SCENE_QUATERNION_COLUMNS; i++) {
        motion[i] = 0;
    }
    motion[2] = height + passed * (velocity + 0.5 * gravity * passed);
    motion[3] = 1;
    motion[9] = velocity + gravity * passed;
}

static int apart(double t)
{
    double motion[CONTACT_SCENE_QUATERNION_COLUMNS], z;
    row(t, motion);
    check(contact_scene_indicators(scene, t, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, &z, 1));
    return z > 0;
}

int main(int count, char **arguments)
{
    double motion[CONTACT_SCENE_QUATERNION_COLUMNS], jumps[CONTACT_SCENE_JUMP_COLUMNS], never;
    double mass[CONTACT_SCENE_MASS_COLUMNS] = {0, 0, 0, 0, 0.004, 0.004, 0.004, 0, 0, 0};
    char message[1000];
    if (count != 6) {
        return 2;
    }
    scene = contact_scene_create(arguments[1], message, sizeof message);
    if (scene == NULL) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    gravity = atof(arguments[2]);
    mass[0] = atof(arguments[3]);
    height = atof(arguments[4]);
    int left = atoi(arguments[5]);
    row(0, motion);
    check(contact_scene_update(scene, 0, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, &never));
    while (left > 0) {
        double low = start, high = start;
        int known = apart(start);
        while (apart(high) == known) {
            low = high;
            high += LOOK;
        }
        while (nextafter(low, high) < high) {
            double middle = 0.5 * (low + high);
            *(apart(middle) == known ? &low : &high) = middle;
        }
        row(high, motion);
        check(contact_scene_impulses(scene, high, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, mass,
                                     jumps, &never));
        start = high;
        height = motion[2];
        velocity = motion[9] + jumps[2];
        if (jumps[2] != 0) {
            printf("%.15g %.15g\n", start, velocity);
            left--;
        }
    }
    contact_scene_destroy(scene);
    return 0;
}
