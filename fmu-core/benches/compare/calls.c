/* CPU time of the calls of Model Exchange of an FMU. Prints JSON: initialisation [s], memory that
   it took [B], and, each the median of 15 samples [s], `derivatives`: SetContinuousStates and
   GetContinuousStateDerivatives, and `all`: SetTime, these two and GetEventIndicators.

   calls LIBRARY TOKEN RESOURCES */
#include "fmu.h"

#define SAMPLES 15
/* CPU time of a sample [s]. */
#define SAMPLE 0.02

static double resident(void)
{
    long pages = 0, unused;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &unused, &pages) != 2)
        fail("statm", "not readable");
    fclose(file);
    return pages * 4096.0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *numbers(size_t count)
{
    double *memory = calloc(count + 1, sizeof *memory);
    if (!memory)
        fail("calloc", "out of memory");
    return memory;
}

static double measure(bool all, size_t state_count, size_t indicator_count)
{
    double *x = numbers(state_count), *rates = numbers(state_count), *z = numbers(indicator_count);
    double samples[SAMPLES];
    long repeats = 1;
    CALL(GetContinuousStates, x, state_count);
    for (int i = -1; i < SAMPLES; i++) {
        double begin = cpu_time();
        for (long k = 0; k < repeats; k++) {
            x[0] += 1e-15; /* never the same states twice, so that nothing comes from memory */
            if (all)
                CALL(SetTime, 1e-9 * k);
            CALL(SetContinuousStates, x, state_count);
            CALL(GetContinuousStateDerivatives, rates, state_count);
            if (all)
                CALL(GetEventIndicators, z, indicator_count);
        }
        double each = (cpu_time() - begin) / repeats;
        if (i >= 0)
            samples[i] = each;
        else
            repeats = (long)(SAMPLE / each) + 1;
    }
    qsort(samples, SAMPLES, sizeof *samples, compare);
    return samples[SAMPLES / 2];
}

int main(int count, char **arguments)
{
    if (count < 4)
        fail("arguments", "too few");
    load(arguments[1]);
    double memory = resident(), begin = cpu_time();
    start("me", arguments[2], arguments[3]);
    double init = cpu_time() - begin;
    update_events();
    size_t state_count, indicator_count;
    CALL(GetNumberOfContinuousStates, &state_count);
    CALL(GetNumberOfEventIndicators, &indicator_count);
    double derivatives = measure(false, state_count, indicator_count);
    double all = measure(true, state_count, indicator_count);
    printf("{\"init\": %.6g, \"memory\": %.0f, \"derivatives\": %.6g, \"all\": %.6g, "
           "\"nx\": %zu, \"nz\": %zu}\n",
           init, resident() - memory, derivatives, all, state_count, indicator_count);
    return 0;
}
