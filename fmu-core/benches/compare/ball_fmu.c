/* The ball of ball.h as an FMU written by hand, FMI 3.0 Model Exchange: the least that an FMU costs.
   Two states, z and v, and one event indicator. Value references: 0 time, 1 z, 2 der(z), 3 v,
   4 der(v). Functions that it does without are in ball_fmu_absent.c. */
#include "ball.h"
#include "fmi3Functions.h"
#include <stdlib.h>

#define BALL struct ball *ball = instance
#define UNUSED(name) (void)(name)

const char *fmi3GetVersion(void)
{
    return "3.0";
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    UNUSED(name), UNUSED(token), UNUSED(resources), UNUSED(visible), UNUSED(logging);
    UNUSED(environment), UNUSED(log);
    struct ball *ball = malloc(sizeof *ball);
    if (ball)
        *ball = ball_at_start();
    return ball;
}

void fmi3FreeInstance(fmi3Instance instance)
{
    free(instance);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    UNUSED(has_tolerance), UNUSED(tolerance), UNUSED(has_stop), UNUSED(stop);
    BALL;
    ball->t = start;
    return fmi3OK;
}

#define NOTHING(name)                                                                             \
    fmi3Status name(fmi3Instance instance)                                                         \
    {                                                                                              \
        UNUSED(instance);                                                                          \
        return fmi3OK;                                                                             \
    }
NOTHING(fmi3ExitInitializationMode)
NOTHING(fmi3EnterEventMode)
NOTHING(fmi3EnterContinuousTimeMode)
NOTHING(fmi3Terminate)

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again,
                                    fmi3Boolean *terminate, fmi3Boolean *nominals,
                                    fmi3Boolean *values, fmi3Boolean *timed, fmi3Float64 *next)
{
    BALL;
    ball_event(ball);
    *again = *terminate = *nominals = *values = *timed = false;
    *next = 0;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_return,
                                       fmi3Boolean *event, fmi3Boolean *terminate)
{
    UNUSED(instance), UNUSED(no_return);
    *event = *terminate = false;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    BALL;
    ball->t = time;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *count)
{
    UNUSED(instance);
    *count = 2;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *count)
{
    UNUSED(instance);
    *count = 1;
    return fmi3OK;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t count)
{
    UNUSED(count);
    BALL;
    x[0] = ball->z;
    x[1] = ball->v;
    return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t count)
{
    UNUSED(count);
    BALL;
    ball->z = x[0];
    ball->v = x[1];
    return fmi3OK;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t count)
{
    UNUSED(instance), UNUSED(count);
    x[0] = x[1] = 1;
    return fmi3OK;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 rates[],
                                             size_t count)
{
    UNUSED(count);
    BALL;
    rates[0] = ball->v;
    rates[1] = ball_acceleration(ball, ball->z, ball->v);
    return fmi3OK;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 z[], size_t count)
{
    UNUSED(count);
    BALL;
    z[0] = ball_indicator(ball, ball->z);
    return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t count, fmi3Float64 values[], size_t value_count)
{
    UNUSED(value_count);
    BALL;
    double rate = ball_acceleration(ball, ball->z, ball->v);
    double known[] = {ball->t, ball->z, ball->v, ball->v, rate};
    for (size_t i = 0; i < count; i++)
        values[i] = known[references[i]];
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step,
                      fmi3Boolean keep, fmi3Boolean *event, fmi3Boolean *terminate,
                      fmi3Boolean *early, fmi3Float64 *last)
{
    UNUSED(instance), UNUSED(time), UNUSED(step), UNUSED(keep), UNUSED(event);
    UNUSED(terminate), UNUSED(early), UNUSED(last);
    return fmi3Error;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    UNUSED(name), UNUSED(token), UNUSED(resources), UNUSED(visible), UNUSED(logging);
    UNUSED(event_mode), UNUSED(early_return), UNUSED(intermediate), UNUSED(count);
    UNUSED(environment), UNUSED(log), UNUSED(update);
    return NULL;
}
