/*
 * A ball bounces on the ground: this program integrates it, contact forces come from the direct
 * interface. Motion along z only: z'' = g + f/m.
 *
 *   bounce SCENE GRAVITY MASS HEIGHT STOP
 *
 * Runge-Kutta of order 4 with steps of 0.1 ms, a hundredth of the ball's contact period at most. An
 * event is where an indicator changes its domain within a step; bisection of the step finds it.
 * Prints a line for each event: time, and whether the ball touches from there on.
 */

#include "contact_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP 1e-4
/* Width at which a bisection ends [s]: rounding of times around 1 s. */
#define SMALLEST 1e-15

struct state {
    double z, v;
};

static struct ContactScene *scene;
static double gravity, mass;

static void check(int32_t status)
{
    if (status != CONTACT_SCENE_OK) {
        fprintf(stderr, "%s\n", contact_scene_message(scene));
        exit(1);
    }
}

/* The row of the ball. */
static void row(struct state x, double motion[CONTACT_SCENE_QUATERNION_COLUMNS])
{
    for (int i = 0; i < CONTACT_SCENE_QUATERNION_COLUMNS; i++) {
        motion[i] = 0;
    }
    motion[2] = x.z;
    motion[3] = 1;
    motion[9] = x.v;
}

static struct state rate(double t, struct state x)
{
    double motion[CONTACT_SCENE_QUATERNION_COLUMNS], wrench[CONTACT_SCENE_WRENCH_COLUMNS];
    row(x, motion);
    check(contact_scene_evaluate(scene, t, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, wrench));
    struct state answer = {x.v, gravity + wrench[2] / mass};
    return answer;
}

static struct state moved(struct state x, double h, struct state d)
{
    x.z += h * d.z;
    x.v += h * d.v;
    return x;
}

static struct state step(double t, struct state x, double h)
{
    struct state a = rate(t, x);
    struct state b = rate(t + h / 2, moved(x, h / 2, a));
    struct state c = rate(t + h / 2, moved(x, h / 2, b));
    struct state d = rate(t + h, moved(x, h, c));
    struct state mean = {(a.z + 2 * b.z + 2 * c.z + d.z) / 6, (a.v + 2 * b.v + 2 * c.v + d.v) / 6};
    return moved(x, h, mean);
}

static int apart(double t, struct state x)
{
    double motion[CONTACT_SCENE_QUATERNION_COLUMNS], indicator;
    row(x, motion);
    check(contact_scene_indicators(scene, t, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, &indicator,
                                   1));
    return indicator > 0;
}

static void update(double t, struct state x)
{
    double motion[CONTACT_SCENE_QUATERNION_COLUMNS], next;
    row(x, motion);
    check(contact_scene_update(scene, t, motion, 1, CONTACT_SCENE_QUATERNION_COLUMNS, &next));
    if (next != HUGE_VAL) {
        fprintf(stderr, "no time event is in this scene, but %g was told\n", next);
        exit(1);
    }
}

int main(int count, char **arguments)
{
    char message[500];
    if (count != 6) {
        fprintf(stderr, "usage: bounce SCENE GRAVITY MASS HEIGHT STOP\n");
        return 2;
    }
    gravity = atof(arguments[2]);
    mass = atof(arguments[3]);
    struct state x = {atof(arguments[4]), 0};
    double t = 0, stop = atof(arguments[5]);
    scene = contact_scene_create(arguments[1], message, sizeof message);
    if (scene == NULL) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    if (contact_scene_body_count(scene) != 1 || contact_scene_indicator_count(scene) != 1) {
        fprintf(stderr, "one body and one pair are expected\n");
        return 1;
    }
    update(t, x);
    int was_apart = apart(t, x);
    while (t < stop) {
        struct state next = step(t, x, STEP);
        if (apart(t + STEP, next) == was_apart) {
            t += STEP;
            x = next;
            continue;
        }
        double before = 0, after = STEP;
        while (after - before > SMALLEST) {
            double middle = (before + after) / 2;
            if (middle <= before || middle >= after) {
                break;
            }
            if (apart(t + middle, step(t, x, middle)) == was_apart) {
                before = middle;
            } else {
                after = middle;
            }
        }
        x = step(t, x, after);
        t += after;
        was_apart = !was_apart;
        printf("%.12f %s\n", t, was_apart ? "end" : "start");
        update(t, x);
    }
    contact_scene_destroy(scene);
    return 0;
}
