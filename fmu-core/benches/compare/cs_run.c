/* Co-Simulation of an FMU. Prints JSON: CPU time of initialisation and of all steps [s], and wall time of these.

   cs_run LIBRARY TOKEN RESOURCES STOP STEP [FILE REFERENCE...]: with the last ones, the values of the
   variables with these value references, those of a time a line. */
#include "fmu.h"

int main(int count, char **arguments)
{
    if (count < 6)
        fail("arguments", "too few");
    double stop = atof(arguments[4]), step = atof(arguments[5]), values[8];
    unsigned references[8], wanted = 0;
    for (int i = 7; i < count && wanted < 8; i++)
        references[wanted++] = strtoul(arguments[i], NULL, 10);
    FILE *file = count > 7 ? fopen(arguments[6], "w") : NULL;
    load(arguments[1]);
    double begin = cpu_time();
    start("cs", arguments[2], arguments[3]);
    double ready = cpu_time(), running = 0, since = wall_time();
    long steps = (long)(stop / step + 0.5);
    for (long i = 0; i <= steps; i++) {
        if (file) {
            CALL(GetFloat64, references, wanted, values, wanted);
            for (unsigned k = 0; k < wanted; k++)
                fprintf(file, "%.17g%c", values[k], k + 1 < wanted ? ' ' : '\n');
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
    printf("{\"init\": %.6g, \"cpu\": %.6g, \"wall\": %.6g}\n", ready - begin, running,
           wall_time() - since);
    return 0;
}
