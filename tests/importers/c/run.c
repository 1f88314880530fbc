/* run ARGUMENTS: prints the number of contacts and every bit of the trajectory of one instance. */
#include "fmu.h"
#include <inttypes.h>

int main(int count, char **values)
{
    values = utf8_arguments(values);
    struct fmu fmu = fmu_from_arguments(count - 1, values + 1);
    struct api api = load(fmu.library);
    size_t contacts;
    double *rows = trajectory(&fmu, &api, &contacts);
    printf("%zu\n", contacts);
    for (size_t i = 0; i < length(&fmu); i++) {
        uint64_t bits;
        memcpy(&bits, rows + i, sizeof bits);
        printf("%016" PRIx64 "\n", bits);
    }
    free(rows);
    return dlclose(api.handle);
}
