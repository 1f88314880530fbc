/* cycles COUNT free|keep ARGUMENTS: lives and deaths of instances, one after the other.

   Each is instantiated, initialised, stepped, its state copied out, set and freed, terminated and
   freed. Prints the resident memory [bytes] after a tenth of them and at the end. With "keep" no
   instance is freed: what a leak looks like. */
#include "fmu.h"
#include <unistd.h>

static long resident(void)
{
    long size, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &pages) != 2)
        fail("/proc/self/statm", "unreadable");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void forget(void *component)
{
    (void)component;
}

int main(int count, char **values)
{
    if (count < 3)
        fail("arguments", "too few");
    long cycles = strtol(values[1], NULL, 10);
    struct fmu fmu = fmu_from_arguments(count - 3, values + 3);
    struct api api = load(fmu.library);
    if (strcmp(values[2], "keep") == 0)
        api.FreeInstance = forget;
    double *x = numbers(fmu.n);
    long early = 0;
    for (long i = 1; i <= cycles; i++) {
        struct instance instance;
        start(&instance, &fmu, &api);
        step(&instance, 0, x);
        copy_state_and_back(&instance);
        end(&instance);
        if (i == cycles / 10)
            early = resident();
    }
    printf("%ld %ld\n", early, resident());
    free(x);
    free((void *)fmu.state_references);
    return 0;
}
