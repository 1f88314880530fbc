/* Co-Simulation of an FMU. Prints JSON: CPU time of initialisation and of all steps [s].

   cs_run LIBRARY TOKEN RESOURCES STOP STEP [FILE REFERENCE]: with the last two, the values of the
   variable with this value reference, one a line. */
#include "fmu.h"

int main(int count, char **arguments)
{
    if (count < 6)
        fail("arguments", "too few");
    double stop = atof(arguments[4]), step = atof(arguments[5]), value;
    unsigned reference = count > 7 ? strtoul(arguments[7], NULL, 10) : 0;
    FILE *file = count > 7 ? fopen(arguments[6], "w") : NULL;
    load(arguments[1]);
    double begin = cpu_time();
    start("cs", arguments[2], arguments[3]);
    double ready = cpu_time(), running = 0;
    long steps = (long)(stop / step + 0.5);
    for (long i = 0; i <= steps; i++) {
        if (file) {
            CALL(GetFloat64, &reference, 1, &value, 1);
            fprintf(file, "%.17g\n", value);
        }
        if (i == steps)
            break;
        bool event, terminate, early;
        double last, before = cpu_time();
        CALL(DoStep, i * step, step, true, &event, &terminate, &early, &last);
        running += cpu_time() - before;
    }
    if (file)
        fclose(file);
    printf("{\"init\": %.6g, \"cpu\": %.6g}\n", ready - begin, running);
    return 0;
}
