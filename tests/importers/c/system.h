/* What the programs need of the system: libraries that are loaded at run time, by the names of POSIX,
   and the arguments of the program in UTF-8. */
#ifndef SYSTEM_H
#define SYSTEM_H

#ifndef _WIN32
#include <dlfcn.h>

static char **utf8_arguments(char **values)
{
    return values;
}
#else
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>

#define RTLD_NOW 0
#define RTLD_LOCAL 0

static void *dlopen(const char *path, int flags)
{
    wchar_t wide[32768];
    (void)flags;
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 32768) ? LoadLibraryW(wide) : NULL;
}

static void *dlsym(void *library, const char *name)
{
    return (void *)GetProcAddress(library, name);
}

static int dlclose(void *library)
{
    return !FreeLibrary(library);
}

static const char *dlerror(void)
{
    static char text[32];
    snprintf(text, sizeof text, "Windows error %lu", GetLastError());
    return text;
}

/* The arguments of main() are in the code page of the system, which lacks most letters. */
static char **utf8_arguments(char **values)
{
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    (void)values;
    char **texts = calloc(count + 1, sizeof *texts);
    for (int i = 0; i < count; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        texts[i] = malloc(size);
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, texts[i], size, NULL, NULL);
    }
    LocalFree(wide);
    return texts;
}
#endif

#endif
