/* Laws that fail: which one, and with which version, the macros say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "contact_law.h"

#ifndef VERSION
#define VERSION CONTACT_LAW_VERSION
#endif
#ifndef ANSWER
#define ANSWER 1.0e4 * input->penetration
#endif

#ifdef MARK
/* Says that the library was loaded. */
__attribute__((constructor)) static void mark(void) { fclose(fopen(MARK, "w")); }
#endif

CONTACT_LAW_EXPORT uint32_t contact_law_version(void) { return VERSION; }

CONTACT_LAW_EXPORT int32_t push(const ContactLawInput *input, ContactLawOutput *output) {
#ifdef REFUSE
    if (input->penetration > 1.0e-3) {
        snprintf(output->message, sizeof output->message, "%g m is too deep", 1.0e-3);
        return REFUSE;
    }
#endif
    output->normal_force = ANSWER;
    return 0;
}
