/* symbols LIBRARY NAME...: prints the names that dlsym does not find, and where the library tells
   another version or platform than the header. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FMI_VERSION == 3
#include "fmi3Functions.h"
#else
#include "fmi2Functions.h"
#endif

/* What a function without arguments tells must be the text of the header. */
static void compare(void *handle, const char *name, const char *expected)
{
    const char *(*tell)(void);
    *(void **)&tell = dlsym(handle, name);
    const char *found = tell ? tell() : "nothing";
    if (strcmp(found, expected) != 0)
        printf("%s tells %s, not %s\n", name, found, expected);
}

int main(int count, char **values)
{
    void *handle = count > 1 ? dlopen(values[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        return EXIT_FAILURE;
    }
    for (int i = 2; i < count; i++)
        if (!dlsym(handle, values[i]))
            printf("%s\n", values[i]);
#if FMI_VERSION == 3
    compare(handle, "fmi3GetVersion", fmi3Version);
#else
    compare(handle, "fmi2GetVersion", fmi2Version);
    compare(handle, "fmi2GetTypesPlatform", fmi2TypesPlatform);
#endif
    return dlclose(handle);
}
