/* Loads the binary of an FMU with dlopen and drives instances of it, as an importer would, through
   the types of the standard's headers in the version FMI_VERSION, 2 or 3.

   `struct fmu` says what to load and how to use it, `struct api` is the loaded library, `struct
   instance` one instance. Anything unexpected ends the program with a message and exit code 1.
   In Model Exchange the solver is the explicit midpoint rule with a fixed step, and an event is
   where an indicator passes between z > 0 and z <= 0 within a step. */
#ifndef FMU_H
#define FMU_H

#include "system.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trajectory is STEPS rows of states; the compiler's -D may say otherwise. */
#ifndef STEPS
#define STEPS 500
#define STEP_SIZE 1e-3 /* [s] */
#endif
/* Steps of the solver in each: 0.2 ms, where a contact of the scene takes 15 ms. */
#define SOLVER_STEPS 5
#define TOLERANCE 1e-6
#define MAX_EVENT_ITERATIONS 100

#if FMI_VERSION == 3
#include "fmi3Functions.h"
#define FMI_NAME(name) fmi3##name
#define FMI_TYPE(name) fmi3##name##TYPE
#define FMI_FUNCTIONS(F)                                                                          \
    F(InstantiateModelExchange) F(InstantiateCoSimulation) F(FreeInstance) F(Terminate)            \
    F(EnterInitializationMode) F(ExitInitializationMode) F(EnterEventMode) F(UpdateDiscreteStates) \
    F(EnterContinuousTimeMode) F(CompletedIntegratorStep) F(SetTime) F(SetContinuousStates)        \
    F(GetContinuousStates) F(GetContinuousStateDerivatives) F(GetEventIndicators) F(GetFloat64)    \
    F(DoStep) F(GetFMUState) F(SetFMUState) F(FreeFMUState)
#else
#include "fmi2Functions.h"
#define FMI_NAME(name) fmi2##name
#define FMI_TYPE(name) fmi2##name##TYPE
#define FMI_FUNCTIONS(F)                                                                          \
    F(Instantiate) F(FreeInstance) F(Terminate) F(SetupExperiment) F(EnterInitializationMode)      \
    F(ExitInitializationMode) F(EnterEventMode) F(NewDiscreteStates) F(EnterContinuousTimeMode)    \
    F(CompletedIntegratorStep) F(SetTime) F(SetContinuousStates) F(GetContinuousStates)            \
    F(GetDerivatives) F(GetEventIndicators) F(GetReal) F(DoStep) F(GetFMUstate) F(SetFMUstate)     \
    F(FreeFMUstate)
#endif

enum kind { MODEL_EXCHANGE, CO_SIMULATION };

struct fmu {
    const char *library, *token;
    const char *resources; /* null where the importer names none */
    enum kind kind;
    bool logger;          /* without one, the log function is a null pointer */
    size_t indicators, n; /* number of event indicators and of states */
    const unsigned *state_references;
};

struct api {
    void *handle;
#define DECLARE(name) FMI_TYPE(name) *name;
    FMI_FUNCTIONS(DECLARE)
#undef DECLARE
};

struct instance {
    const struct fmu *fmu;
    const struct api *api;
    void *component;
    size_t contacts; /* how many were reported to have started */
    double *z, *z_before, *x, *x_middle, *dx;
#if FMI_VERSION == 2
    fmi2CallbackFunctions callbacks[1];
#endif
};

#define CALL(instance, name, ...) \
    check((instance)->api->name((instance)->component, ##__VA_ARGS__), #name)

static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

static void check(int status, const char *function)
{
    if (status != FMI_NAME(OK))
        fail(function, "the status is not OK");
}

static double *numbers(size_t count)
{
    double *memory = calloc(count, sizeof *memory);
    if (!memory)
        fail("calloc", "out of memory");
    return memory;
}

static void take_message(struct instance *instance, int status, const char *category,
                         const char *message)
{
    if (status > FMI_NAME(Warning))
        fail(category, message);
    if (strncmp(message, "contact start", 13) == 0)
        instance->contacts++;
}

#if FMI_VERSION == 3
#include "fmi3.h"
#else
#include "fmi2.h"
#endif

/* Arguments of a program: library, token, resources or "-" for none, "me" or "cs", "log" or
   "quiet", number of indicators, references of the states. */
static struct fmu fmu_from_arguments(int count, char **values)
{
    if (count < 7)
        fail("arguments", "too few");
    unsigned *references = calloc(count - 6, sizeof *references);
    for (int i = 6; i < count; i++)
        references[i - 6] = strtoul(values[i], NULL, 10);
    return (struct fmu){
        .library = values[0],
        .token = values[1],
        .resources = strcmp(values[2], "-") == 0 ? NULL : values[2],
        .kind = strcmp(values[3], "me") == 0 ? MODEL_EXCHANGE : CO_SIMULATION,
        .logger = strcmp(values[4], "log") == 0,
        .indicators = strtoul(values[5], NULL, 10),
        .n = count - 6,
        .state_references = references,
    };
}

static struct api load(const char *library)
{
    struct api api = {.handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (!api.handle)
        fail("dlopen", dlerror());
#define QUOTED(name) #name
#define EXPANDED_TEXT(name) QUOTED(name)
#define RESOLVE(name)                                                          \
    *(void **)&api.name = dlsym(api.handle, EXPANDED_TEXT(FMI_NAME(name)));    \
    if (!api.name)                                                             \
        fail("dlsym", EXPANDED_TEXT(FMI_NAME(name)));
    FMI_FUNCTIONS(RESOLVE)
#undef RESOLVE
    return api;
}

/* A new instance that is ready to step. */
static void start(struct instance *instance, const struct fmu *fmu, const struct api *api)
{
    *instance = (struct instance){.fmu = fmu, .api = api};
    instance->z = numbers(fmu->indicators);
    instance->z_before = numbers(fmu->indicators);
    instance->x = numbers(fmu->n);
    instance->x_middle = numbers(fmu->n);
    instance->dx = numbers(fmu->n);
    instance->component = instantiate(fmu, instance);
    if (!instance->component)
        fail("instantiate", "null");
    enter_initialization(instance);
    CALL(instance, ExitInitializationMode);
    if (fmu->kind == CO_SIMULATION)
        return;
    for (int i = 0; update_discrete_states(instance); i++)
        if (i == MAX_EVENT_ITERATIONS)
            fail("event iteration", "it does not end");
    CALL(instance, EnterContinuousTimeMode);
    CALL(instance, GetEventIndicators, instance->z_before, fmu->indicators);
}

static void end(struct instance *instance)
{
    CALL(instance, Terminate);
    instance->api->FreeInstance(instance->component);
    free(instance->z);
    free(instance->z_before);
    free(instance->x);
    free(instance->x_middle);
    free(instance->dx);
}

static void event(struct instance *instance)
{
    CALL(instance, EnterEventMode);
    for (int i = 0; update_discrete_states(instance); i++)
        if (i == MAX_EVENT_ITERATIONS)
            fail("event iteration", "it does not end");
    CALL(instance, EnterContinuousTimeMode);
    CALL(instance, GetEventIndicators, instance->z, instance->fmu->indicators);
}

/* One step of the solver: x_middle = x + h/2 f(t, x), x = x + h f(t + h/2, x_middle). */
static void integrate(struct instance *instance, double time, double h)
{
    size_t n = instance->fmu->n, indicators = instance->fmu->indicators;
    double *x = instance->x, *middle = instance->x_middle, *dx = instance->dx;

    CALL(instance, SetTime, time);
    CALL(instance, GetContinuousStates, x, n);
    get_derivatives(instance, dx, n);
    for (size_t i = 0; i < n; i++)
        middle[i] = x[i] + h / 2 * dx[i];
    CALL(instance, SetTime, time + h / 2);
    CALL(instance, SetContinuousStates, middle, n);
    get_derivatives(instance, dx, n);
    for (size_t i = 0; i < n; i++)
        x[i] += h * dx[i];
    CALL(instance, SetTime, time + h);
    CALL(instance, SetContinuousStates, x, n);
    CALL(instance, GetEventIndicators, instance->z, indicators);

    bool changed = completed_step(instance);
    for (size_t i = 0; i < indicators; i++)
        changed |= (instance->z[i] > 0) != (instance->z_before[i] > 0);
    if (changed)
        event(instance);
    memcpy(instance->z_before, instance->z, indicators * sizeof *instance->z);
}

/* The step number `index`, and the states at its end. */
static void step(struct instance *instance, int index, double *x)
{
    double time = index * STEP_SIZE, h = STEP_SIZE / SOLVER_STEPS;
    if (instance->fmu->kind == CO_SIMULATION) {
        do_step(instance, time, STEP_SIZE);
        get_values(instance, instance->fmu->state_references, x, instance->fmu->n);
        return;
    }
    for (int i = 0; i < SOLVER_STEPS; i++)
        integrate(instance, time + i * h, h);
    CALL(instance, GetContinuousStates, x, instance->fmu->n);
}

/* Number of doubles in a trajectory. */
static size_t length(const struct fmu *fmu)
{
    return STEPS * fmu->n;
}

/* The trajectory of a new instance; to be freed. Counts its contacts. */
static double *trajectory(const struct fmu *fmu, const struct api *api, size_t *contacts)
{
    struct instance instance;
    double *rows = numbers(length(fmu));
    start(&instance, fmu, api);
    for (int i = 0; i < STEPS; i++)
        step(&instance, i, rows + i * fmu->n);
    end(&instance);
    *contacts = instance.contacts;
    return rows;
}

static bool same_bits(const struct fmu *fmu, const double *one, const double *other)
{
    return memcmp(one, other, length(fmu) * sizeof *one) == 0;
}

#endif
