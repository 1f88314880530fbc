/* A steel ball that bounces on a steel plane, in one coordinate: z [m], height of its lowest point,
   and v = dz/dt [m/s]. In flight v' = -g. In contact, with the depth p = -z,

   v' = -g + k/m p^(3/2) (1 - d v),   d = min(d_max, 8 (1 - c) / (5 c v0)),

   v0 the impact speed, c the restitution, 0 below 0.01 m/s. The law of the preset modia3d-0.12. */
#ifndef BALL_H
#define BALL_H

#include <math.h>

#define GRAVITY 9.81
#define RESTITUTION 0.7
#define SMALL_SPEED 0.01
#define LARGEST_DAMPING 2000.0

struct ball {
    double t, z, v, d;
    int contact;
};

static inline struct ball ball_at_start(void)
{
    return (struct ball){.z = 1};
}

static inline double ball_acceleration(const struct ball *ball, double z, double v)
{
    const double pi = 3.14159265358979323846, radius = 0.1;
    if (!ball->contact)
        return -GRAVITY;
    double mass = 7850 * 4.0 / 3 * pi * radius * radius * radius;
    double k = 2.1e11 / (2 * (1 - 0.3 * 0.3)) * 4 / 3 * sqrt(radius);
    return -GRAVITY - k / mass * z * sqrt(fabs(z)) * (1 - ball->d * v);
}

/* Not zero after an event. */
static inline double ball_indicator(const struct ball *ball, double z)
{
    return ball->contact ? z - 1e-16 : z + 1e-16;
}

static inline void ball_event(struct ball *ball)
{
    double indicator = ball_indicator(ball, ball->z);
    if (!ball->contact && indicator <= 0) {
        double speed = fabs(ball->v), c = speed > SMALL_SPEED ? RESTITUTION : 0;
        ball->d = c > 0 ? fmin(LARGEST_DAMPING, 8 * (1 - c) / (5 * c * speed)) : LARGEST_DAMPING;
        ball->contact = 1;
    } else if (ball->contact && indicator >= 0) {
        ball->contact = 0;
    }
}
#endif
