/* reload COUNT ARGUMENTS: loads the library, computes a trajectory and unloads the library, again
   and again.

   Each time the bits must be the same; afterwards the library must not be loaded, nor mapped, and
   no thread may be left. */
#include "fmu.h"
#include <dirent.h>

static bool is_mapped(const char *library)
{
    char line[8192];
    bool found = false;
    FILE *file = fopen("/proc/self/maps", "r");
    if (!file)
        fail("/proc/self/maps", "unreadable");
    while (fgets(line, sizeof line, file))
        found |= strstr(line, library) != NULL;
    fclose(file);
    return found;
}

static int number_of_threads(void)
{
    int number = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        fail("/proc/self/task", "unreadable");
    for (struct dirent *entry; (entry = readdir(folder));)
        number += entry->d_name[0] != '.';
    closedir(folder);
    return number;
}

int main(int count, char **values)
{
    if (count < 2)
        fail("arguments", "too few");
    struct fmu fmu = fmu_from_arguments(count - 2, values + 2);
    double *expected = NULL;
    size_t contacts = 0;
    for (long i = strtol(values[1], NULL, 10); i > 0; i--) {
        struct api api = load(fmu.library);
        if (!is_mapped(fmu.library))
            fail("/proc/self/maps", "the loaded library is not found");
        double *rows = trajectory(&fmu, &api, &contacts);
        if (dlclose(api.handle) != 0)
            fail("dlclose", dlerror());
        if (dlopen(fmu.library, RTLD_NOW | RTLD_NOLOAD) || is_mapped(fmu.library))
            fail("dlclose", "the library is still loaded");
        if (number_of_threads() != 1)
            fail("dlclose", "a thread is left");
        if (!expected)
            expected = rows;
        else if (!same_bits(&fmu, rows, expected))
            fail("trajectory", "other bits after loading again");
        if (rows != expected)
            free(rows);
    }
    printf("%zu\n", contacts);
    free(expected);
    return 0;
}
