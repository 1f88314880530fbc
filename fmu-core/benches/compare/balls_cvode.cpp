// The balls of balls.hpp in CVODE with events, as an FMU is integrated: variable steps, which pairs
// touch is frozen between events, two indicators (the largest gap of the pairs in contact, the
// smallest of the others), and an event starts the solver again. 9 states a ball, which needs no
// orientation. balls_cvode adams|bdf TOLERANCE STOP CPU_LIMIT < INPUT. Prints JSON: CPU time [s],
// time reached [s], calls.
#include "balls.hpp"
#include <cstdlib>
#include <cstring>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

const double SKIN = 0.02;
const int STATES = sizeof(Ball) / sizeof(double);
static int count;
static Neighbours *neighbours;
static long derivative_calls, indicator_calls, events, starts;

static void refresh(const Ball *balls)
{
    neighbours->refresh(count, [&](int i) { return balls[i].position; });
}

static double gap(const Ball *balls, const Pair &pair, Vec &normal)
{
    if (pair.j < 0) {
        normal = NORMALS[-1 - pair.j];
        return dot(balls[pair.i].position, normal) - neighbours->offset(-1 - pair.j) - RADIUS;
    }
    Vec apart = balls[pair.i].position - balls[pair.j].position;
    double distance = std::sqrt(dot(apart, apart));
    normal = (1 / distance) * apart;
    return distance - 2 * RADIUS;
}

static int derivatives(realtype, N_Vector y, N_Vector rates_y, void *)
{
    const Ball *balls = (const Ball *)NV_DATA_S(y);
    Ball *rates = (Ball *)NV_DATA_S(rates_y);
    derivative_calls++;
    refresh(balls);
    for (int i = 0; i < count; i++)
        rates[i] = {balls[i].velocity, {0, 0, -GRAVITY}, {0, 0, 0}};
    for (auto &pair : neighbours->pairs) {
        if (pair.damping < 0)
            continue;
        Vec normal;
        const Ball &a = balls[pair.i];
        double depth = -gap(balls, pair, normal);
        Vec arm = -RADIUS * normal, velocity = a.velocity + cross(a.angular, arm);
        if (pair.j >= 0)
            velocity = velocity - balls[pair.j].velocity + cross(balls[pair.j].angular, arm);
        double rate = dot(velocity, normal), stiffness = pair.j < 0 ? BALL_ON_PLANE : BALL_ON_BALL;
        double load = stiffness * depth * std::sqrt(std::fabs(depth)) * (1 - pair.damping * rate);
        Vec slip = velocity - rate * normal;
        double speed = std::sqrt(dot(slip, slip));
        Vec force = load * normal - (FRICTION * load / regularized(speed)) * slip;
        Vec torque = cross(arm, force);
        rates[pair.i].velocity = rates[pair.i].velocity + (1 / MASS) * force;
        rates[pair.i].angular = rates[pair.i].angular + (1 / INERTIA) * torque;
        if (pair.j >= 0) {
            rates[pair.j].velocity = rates[pair.j].velocity - (1 / MASS) * force;
            rates[pair.j].angular = rates[pair.j].angular + (1 / INERTIA) * torque;
        }
    }
    return 0;
}

static int indicators(realtype, N_Vector y, realtype *z, void *)
{
    const Ball *balls = (const Ball *)NV_DATA_S(y);
    Vec normal;
    indicator_calls++;
    refresh(balls);
    z[0] = -1;
    z[1] = SKIN / 2;
    for (auto &pair : neighbours->pairs) {
        double found = gap(balls, pair, normal);
        if (pair.damping >= 0)
            z[0] = std::fmax(z[0], found - 1e-16);
        else
            z[1] = std::fmin(z[1], found + 1e-16);
    }
    return 0;
}

static void update(const Ball *balls)
{
    Vec normal;
    events++;
    for (auto &pair : neighbours->pairs) {
        double found = gap(balls, pair, normal);
        if (pair.damping >= 0 && found - 1e-16 >= 0) {
            pair.damping = -1;
        } else if (pair.damping < 0 && found + 1e-16 <= 0) {
            Vec velocity = balls[pair.i].velocity;
            if (pair.j >= 0)
                velocity = velocity - balls[pair.j].velocity;
            pair.damping = frozen_damping(std::fabs(dot(velocity, normal)));
            starts++;
        }
    }
}

static void *solver(N_Vector y, SUNContext context, bool bdf, double tolerance)
{
    N_Vector absolute = N_VClone(y);
    for (int i = 0; i < count * STATES; i++)
        NV_DATA_S(absolute)[i] = tolerance * (i % STATES < 3 ? 1e-2 : 1);
    void *cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, context);
    CVodeInit(cvode, derivatives, 0, y);
    CVodeSVtolerances(cvode, tolerance, absolute);
    CVodeRootInit(cvode, 2, indicators);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeSetNoInactiveRootWarn(cvode);
    CVodeSetMaxStep(cvode, 0.02);
    if (bdf) {
        SUNMatrix jacobian = SUNDenseMatrix(count * STATES, count * STATES, context);
        CVodeSetLinearSolver(cvode, SUNLinSol_Dense(y, jacobian, context), jacobian);
    } else {
        CVodeSetNonlinearSolver(cvode, SUNNonlinSol_FixedPoint(y, 0, context));
    }
    return cvode;
}

int main(int, char **arguments)
{
    bool bdf = strcmp(arguments[1], "bdf") == 0;
    double tolerance = atof(arguments[2]), stop = atof(arguments[3]), limit = atof(arguments[4]);
    Input input = read_input();
    count = (int)input.balls.size();
    Neighbours found(input.side, SKIN);
    neighbours = &found;
    SUNContext context;
    SUNContext_Create(nullptr, &context);
    N_Vector y = N_VNew_Serial(count * STATES, context);
    Ball *balls = (Ball *)NV_DATA_S(y);
    std::copy(input.balls.begin(), input.balls.end(), balls);
    found.build(count, [&](int i) { return balls[i].position; });
    void *cvode = solver(y, context, bdf, tolerance);
    double begin = cpu_time();
    realtype t = 0;
    int status = 0;
    for (int i = 1; i <= std::lround(100 * stop) && status >= 0 && cpu_time() - begin < limit;) {
        status = CVode(cvode, i * 0.01, y, &t, CV_NORMAL);
        if (status == CV_ROOT_RETURN) {
            update(balls);
            CVodeReInit(cvode, t, y);
        } else {
            i++;
        }
    }
    printf("{\"cpu\": %.6g, \"reached\": %.9g, \"derivatives\": %ld, \"indicators\": %ld, "
           "\"events\": %ld, \"starts\": %ld}\n",
           cpu_time() - begin, t, derivative_calls, indicator_calls, events, starts);
}
