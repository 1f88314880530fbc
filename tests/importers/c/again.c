/* again COUNT ARGUMENTS: loads the library, computes a trajectory and unloads the library, again and
   again; the bits must be the same each time. Afterwards the library is not loaded: its file, which
   Windows keeps as long as it is, can be removed. Runs on all systems; reload.c looks deeper on Linux. */
#include "fmu.h"

int main(int count, char **values)
{
    values = utf8_arguments(values);
    if (count < 2)
        fail("arguments", "too few");
    struct fmu fmu = fmu_from_arguments(count - 2, values + 2);
    double *expected = NULL;
    size_t contacts = 0;
    for (long i = strtol(values[1], NULL, 10); i > 0; i--) {
        struct api api = load(fmu.library);
        double *rows = trajectory(&fmu, &api, &contacts);
        if (dlclose(api.handle) != 0)
            fail("dlclose", dlerror());
        if (!expected)
            expected = rows;
        else if (!same_bits(&fmu, rows, expected))
            fail("trajectory", "other bits after loading again");
        if (rows != expected)
            free(rows);
    }
#ifdef _WIN32
    wchar_t wide[32768];
    MultiByteToWideChar(CP_UTF8, 0, fmu.library, -1, wide, 32768);
    if (GetModuleHandleW(wide))
        fail("dlclose", "the library is still loaded");
    if (!DeleteFileW(wide))
        fail("DeleteFile", dlerror());
#endif
    printf("%zu\n", contacts);
    free(expected);
    return 0;
}
