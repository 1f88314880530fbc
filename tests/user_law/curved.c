/*
 * A contact law for tests of its derivatives: each result is curved in each of its inputs.
 *
 * Normal force  f_n = delta^2 + delta'^3 + sin(5 x) + sin(3 t), x the first coordinate of the contact
 *               point, t the time.
 * Friction      f_t = -f_n^2 |v_t|^2 v_t
 * Torque        -w_x^3 about x, w the relative angular velocity.
 */
#include <math.h>
#include "contact_law.h"

uint32_t contact_law_version(void) { return CONTACT_LAW_VERSION; }

int32_t contact_normal_force(const ContactLawInput *input, ContactLawOutput *output) {
    double depth = input->penetration, rate = -input->gap_rate;
    output->normal_force = depth * depth + rate * rate * rate + sin(5.0 * input->point[0])
        + sin(3.0 * input->time);
    return 0;
}

int32_t contact_friction_force(const ContactLawInput *input, ContactLawOutput *output) {
    const double *v = input->slip_velocity, *w = input->angular_velocity;
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    double f = input->normal_force;
    for (int i = 0; i < 3; i++) output->tangential_force[i] = -f * f * square * v[i];
    output->torque[0] = -w[0] * w[0] * w[0];
    return 0;
}
