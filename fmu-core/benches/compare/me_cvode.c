/* Model Exchange of an FMU through CVODE with root finding. Prints JSON: CPU time [s], time reached
   [s], steps and calls.

   me_cvode LIBRARY TOKEN RESOURCES adams|bdf TOLERANCE STOP LONGEST_STEP CPU_LIMIT

   CVODE's steps are those it chooses; each one ends with CompletedIntegratorStep, each event with a
   new start. BDF has Newton's method with dense differences, Adams the fixed-point iteration. */
#include "fmu.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static size_t state_count, indicator_count;
static long derivative_calls, indicator_calls, events, steps;

static int derivatives(realtype t, N_Vector y, N_Vector rates, void *unused)
{
    (void)unused;
    derivative_calls++;
    CALL(SetTime, t);
    if (SetContinuousStates(fmu, NV_DATA_S(y), state_count) > fmi3Warning)
        return 1;
    return GetContinuousStateDerivatives(fmu, NV_DATA_S(rates), state_count) > fmi3Warning;
}

static int indicators(realtype t, N_Vector y, realtype *z, void *unused)
{
    (void)unused;
    indicator_calls++;
    CALL(SetTime, t);
    CALL(SetContinuousStates, NV_DATA_S(y), state_count);
    return GetEventIndicators(fmu, z, indicator_count) > fmi3Warning;
}

static void *solver(N_Vector y, SUNContext context, bool bdf, double tolerance, double longest)
{
    N_Vector absolute = N_VClone(y);
    CALL(GetNominalsOfContinuousStates, NV_DATA_S(absolute), state_count);
    N_VScale(tolerance, absolute, absolute);
    void *cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, context);
    CVodeInit(cvode, derivatives, 0, y);
    CVodeSVtolerances(cvode, tolerance, absolute);
    CVodeRootInit(cvode, (int)indicator_count, indicators);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeSetNoInactiveRootWarn(cvode);
    CVodeSetMaxStep(cvode, longest);
    if (bdf) {
        SUNMatrix jacobian = SUNDenseMatrix(state_count, state_count, context);
        CVodeSetLinearSolver(cvode, SUNLinSol_Dense(y, jacobian, context), jacobian);
    } else {
        CVodeSetNonlinearSolver(cvode, SUNNonlinSol_FixedPoint(y, 0, context));
    }
    return cvode;
}

int main(int count, char **arguments)
{
    if (count < 9)
        fail("arguments", "too few");
    bool bdf = strcmp(arguments[4], "bdf") == 0;
    double tolerance = atof(arguments[5]), stop = atof(arguments[6]), limit = atof(arguments[8]);
    load(arguments[1]);
    start("me", arguments[2], arguments[3]);
    CALL(GetNumberOfContinuousStates, &state_count);
    CALL(GetNumberOfEventIndicators, &indicator_count);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(state_count, context);
    update_events();
    CALL(GetContinuousStates, NV_DATA_S(y), state_count);
    void *cvode = solver(y, context, bdf, tolerance, atof(arguments[7]));
    CVodeSetStopTime(cvode, stop);
    double begin = cpu_time();
    realtype t = 0;
    int status = 0;
    while (t < stop && status >= 0 && cpu_time() - begin < limit) {
        status = CVode(cvode, stop, y, &t, CV_ONE_STEP);
        if (status < 0)
            break;
        steps++;
        bool asked = false, terminate = false;
        CALL(SetTime, t);
        CALL(SetContinuousStates, NV_DATA_S(y), state_count);
        CALL(CompletedIntegratorStep, true, &asked, &terminate);
        if (status == CV_ROOT_RETURN || asked) {
            CALL(EnterEventMode);
            if (update_events())
                CALL(GetContinuousStates, NV_DATA_S(y), state_count);
            events++;
            CVodeReInit(cvode, t, y);
            CVodeSetStopTime(cvode, stop);
        }
    }
    printf("{\"cpu\": %.6g, \"reached\": %.9g, \"failed\": %d, \"steps\": %ld, \"derivatives\": %ld, "
           "\"indicators\": %ld, \"events\": %ld, \"nx\": %zu, \"nz\": %zu}\n",
           cpu_time() - begin, t, status < 0, steps, derivative_calls, indicator_calls, events,
           state_count, indicator_count);
    return 0;
}
