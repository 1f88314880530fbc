/* The calls of FMI 3.0 that FMI 2.0 has in another form; included by fmu.h. */

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status,
                        fmi3String category, fmi3String message)
{
    take_message(environment, status, category, message);
}

static void *instantiate(const struct fmu *fmu, struct instance *instance)
{
    const struct api *api = instance->api;
    fmi3LogMessageCallback log = fmu->logger ? log_message : NULL;
    if (fmu->kind == MODEL_EXCHANGE)
        return api->InstantiateModelExchange("c", fmu->token, fmu->resources, false, true,
                                             instance, log);
    return api->InstantiateCoSimulation("c", fmu->token, fmu->resources, false, true, false, false,
                                        NULL, 0, instance, log, NULL);
}

static void enter_initialization(struct instance *instance)
{
    CALL(instance, EnterInitializationMode, true, TOLERANCE, 0, false, 0);
}

static bool update_discrete_states(struct instance *instance)
{
    bool again, terminate, nominals, values, time_event;
    double next;
    CALL(instance, UpdateDiscreteStates, &again, &terminate, &nominals, &values, &time_event,
         &next);
    return again;
}

static bool completed_step(struct instance *instance)
{
    bool event, terminate;
    CALL(instance, CompletedIntegratorStep, true, &event, &terminate);
    return event;
}

static void get_derivatives(struct instance *instance, double *dx, size_t n)
{
    CALL(instance, GetContinuousStateDerivatives, dx, n);
}

static void do_step(struct instance *instance, double time, double size)
{
    bool event, terminate, early;
    double last;
    CALL(instance, DoStep, time, size, true, &event, &terminate, &early, &last);
}

static void get_values(struct instance *instance, const unsigned *references, double *x, size_t n)
{
    CALL(instance, GetFloat64, references, n, x, n);
}

static void copy_state_and_back(struct instance *instance)
{
    fmi3FMUState state = NULL;
    CALL(instance, GetFMUState, &state);
    CALL(instance, SetFMUState, state);
    CALL(instance, FreeFMUState, &state);
}
