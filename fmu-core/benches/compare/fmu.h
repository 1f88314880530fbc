/* Loads an FMU of FMI 3.0 through the headers that FMPy brings, and measures CPU time. */
#ifndef FMU_H
#define FMU_H

#include "fmi3Functions.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FMU_FUNCTIONS(F)                                                                          \
    F(InstantiateModelExchange) F(InstantiateCoSimulation) F(FreeInstance)                         \
    F(EnterInitializationMode) F(ExitInitializationMode) F(EnterEventMode) F(UpdateDiscreteStates) \
    F(EnterContinuousTimeMode) F(CompletedIntegratorStep) F(SetTime) F(SetContinuousStates)        \
    F(GetNumberOfContinuousStates) F(GetNumberOfEventIndicators) F(GetContinuousStates)            \
    F(GetNominalsOfContinuousStates) F(GetContinuousStateDerivatives) F(GetEventIndicators)        \
    F(GetFloat64) F(DoStep)

#define DECLARE(name) static fmi3##name##TYPE *name;
FMU_FUNCTIONS(DECLARE)
#undef DECLARE

static fmi3Instance fmu;

/* CPU time of this process [s]. */
static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Time that has passed since some start [s]. */
static double wall_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(fmi3Status status, const char *call)
{
    if (status > fmi3Warning)
        fail(call, "refused");
}
#define CALL(name, ...) check(name(fmu, ##__VA_ARGS__), #name)

static void take_message(fmi3InstanceEnvironment environment, fmi3Status status,
                         fmi3String category, fmi3String message)
{
    (void)environment;
    if (status > fmi3Warning)
        fail(category, message);
}

static void load(const char *library)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail("dlopen", dlerror());
#define RESOLVE(name)                                                                             \
    *(void **)&name = dlsym(handle, "fmi3" #name);                                                 \
    if (!name)                                                                                     \
        fail("dlsym", #name);
    FMU_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

/* A new instance of `kind`, "me" or "cs", initialised. */
static void start(const char *kind, const char *token, const char *resources)
{
    if (strcmp(kind, "cs") == 0)
        fmu = InstantiateCoSimulation("bench", token, resources, false, false, false, false, NULL,
                                      0, NULL, take_message, NULL);
    else
        fmu = InstantiateModelExchange("bench", token, resources, false, false, NULL, take_message);
    if (!fmu)
        fail("instantiate", "null");
    CALL(EnterInitializationMode, false, 0, 0, false, 0);
    CALL(ExitInitializationMode);
}

/* Event Mode to its end; returns true if states were changed. */
static inline bool update_events(void)
{
    bool again = true, terminate, nominals, values, changed = false, timed;
    double next;
    while (again) {
        CALL(UpdateDiscreteStates, &again, &terminate, &nominals, &values, &timed, &next);
        changed |= values;
    }
    CALL(EnterContinuousTimeMode);
    return changed;
}
#endif
