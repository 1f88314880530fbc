/*
 * Contact law of a rubber ball, as functions that an FMU calls.
 *
 * Normal force  f_n = K delta (1 + d delta'), a spring with hysteresis [Engelson 2000], eq. 4.3.
 * Friction      f_t = -mu f_n v_t/|v_t|, below the speed v_s proportional to v_t.
 *
 * user[0] = K [N/m], user[1] = d [s/m], user[2] = mu [1], user[3] = v_s [m/s]
 *
 * cc -O2 -shared -fPIC -I../../fmu-core/include -o librubber.so rubber.c -lm
 */
#include <math.h>
#include <stdio.h>
#include "contact_law.h"

uint32_t contact_law_version(void) { return CONTACT_LAW_VERSION; }

static int32_t refuse(const ContactLawInput *input, ContactLawOutput *output, uint32_t wanted) {
    snprintf(output->message, sizeof output->message,
             "%s gives %u numbers; user = [K, d, mu, v_s] needs %u of them", input->law,
             (unsigned)input->user_count, (unsigned)wanted);
    return 1;
}

int32_t contact_normal_force(const ContactLawInput *input, ContactLawOutput *output) {
    if (input->user_count < 2) return refuse(input, output, 2);
    double stiffness = input->user[0], damping = input->user[1];
    double compression_rate = -input->gap_rate;
    output->normal_force = stiffness * input->penetration * (1.0 + damping * compression_rate);
    return 0;
}

int32_t contact_friction_force(const ContactLawInput *input, ContactLawOutput *output) {
    if (input->user_count < 4) return refuse(input, output, 4);
    double mu = input->user[2], least_speed = input->user[3];
    const double *v = input->slip_velocity;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double per_speed = mu * input->normal_force / fmax(speed, least_speed);
    for (int i = 0; i < 3; i++) output->tangential_force[i] = -per_speed * v[i];
    return 0;
}
