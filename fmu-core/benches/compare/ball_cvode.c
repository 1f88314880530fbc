/* The ball of ball.h in CVODE alone, 3 s. ball_cvode adams|bdf TOLERANCE FILE
   Writes z each 0.01 s, one a line, and prints JSON: CPU time, the median of 7 runs [s], steps and
   calls of one run. */
#include "ball.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <time.h>

#define RUNS 7
#define ROWS 301

static double heights[ROWS];
static long steps, derivative_calls, indicator_calls, events;

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int derivatives(realtype t, N_Vector y, N_Vector rates, void *ball)
{
    double *x = NV_DATA_S(y);
    (void)t;
    derivative_calls++;
    NV_DATA_S(rates)[0] = x[1];
    NV_DATA_S(rates)[1] = ball_acceleration(ball, x[0], x[1]);
    return 0;
}

static int indicator(realtype t, N_Vector y, realtype *z, void *ball)
{
    (void)t;
    indicator_calls++;
    z[0] = ball_indicator(ball, NV_DATA_S(y)[0]);
    return 0;
}

static void run(int family, double tolerance)
{
    struct ball ball = ball_at_start();
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(2, context);
    NV_DATA_S(y)[0] = ball.z;
    NV_DATA_S(y)[1] = ball.v;
    void *cvode = CVodeCreate(family, context);
    CVodeInit(cvode, derivatives, 0, y);
    CVodeSStolerances(cvode, tolerance, tolerance);
    CVodeSetUserData(cvode, &ball);
    CVodeRootInit(cvode, 1, indicator);
    SUNMatrix jacobian = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, jacobian, context);
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    if (family == CV_BDF)
        CVodeSetLinearSolver(cvode, linear, jacobian);
    else
        CVodeSetNonlinearSolver(cvode, iteration);
    CVodeSetMaxStep(cvode, 0.06);
    CVodeSetMaxNumSteps(cvode, 100000);
    steps = derivative_calls = indicator_calls = events = 0;
    heights[0] = ball.z;
    long taken;
    for (int i = 1; i < ROWS;) {
        int status = CVode(cvode, i * 0.01, y, &ball.t, CV_NORMAL);
        if (status < 0)
            exit(1);
        ball.z = NV_DATA_S(y)[0];
        ball.v = NV_DATA_S(y)[1];
        if (status == CV_ROOT_RETURN) {
            ball_event(&ball);
            events++;
            CVodeGetNumSteps(cvode, &taken);
            steps += taken;
            CVodeReInit(cvode, ball.t, y);
        } else {
            heights[i++] = ball.z;
        }
    }
    CVodeGetNumSteps(cvode, &taken);
    steps += taken;
    CVodeFree(&cvode);
    SUNLinSolFree(linear);
    SUNNonlinSolFree(iteration);
    SUNMatDestroy(jacobian);
    N_VDestroy(y);
    SUNContext_Free(&context);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int count, char **arguments)
{
    if (count < 4)
        return 2;
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double begin = cpu_time();
        run(strcmp(arguments[1], "bdf") == 0 ? CV_BDF : CV_ADAMS, atof(arguments[2]));
        times[i] = cpu_time() - begin;
    }
    qsort(times, RUNS, sizeof *times, compare);
    FILE *file = fopen(arguments[3], "w");
    for (int i = 0; file && i < ROWS; i++)
        fprintf(file, "%.17g\n", heights[i]);
    if (!file || fclose(file))
        return 1;
    printf("{\"cpu\": %.6g, \"steps\": %ld, \"derivatives\": %ld, \"indicators\": %ld, "
           "\"events\": %ld}\n",
           times[RUNS / 2], steps, derivative_calls, indicator_calls, events);
    return 0;
}
