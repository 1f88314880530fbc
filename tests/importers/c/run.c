/* run ARGUMENTS: prints the number of contacts and every bit of the trajectory of one instance. */
#include "fmu.h"
#include <stdint.h>

int main(int count, char **values)
{
    struct fmu fmu = fmu_from_arguments(count - 1, values + 1);
    struct api api = load(fmu.library);
    size_t contacts;
    double *rows = trajectory(&fmu, &api, &contacts);
    printf("%zu\n", contacts);
    for (size_t i = 0; i < length(&fmu); i++)
        printf("%a\n", rows[i]);
    free(rows);
    return dlclose(api.handle);
}
