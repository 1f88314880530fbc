/* The calls of FMI 2.0 that FMI 3.0 has in another form; included by fmu.h. */

static void log_message(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                        fmi2String category, fmi2String format, ...)
{
    char message[1024];
    va_list arguments;
    (void)name;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    take_message(environment, status, category, message);
}

static void *instantiate(const struct fmu *fmu, struct instance *instance)
{
    fmi2Type type = fmu->kind == MODEL_EXCHANGE ? fmi2ModelExchange : fmi2CoSimulation;
    /* The standard wants the callbacks to stay as long as the instance; their members are const. */
    memcpy(instance->callbacks,
           &(fmi2CallbackFunctions){fmu->logger ? log_message : NULL, calloc, free, NULL, instance},
           sizeof(fmi2CallbackFunctions));
    return instance->api->Instantiate("c", type, fmu->token, fmu->resources, instance->callbacks,
                                      fmi2False, fmi2True);
}

static void enter_initialization(struct instance *instance)
{
    CALL(instance, SetupExperiment, fmi2True, TOLERANCE, 0, fmi2False, 0);
    CALL(instance, EnterInitializationMode);
}

static bool update_discrete_states(struct instance *instance)
{
    fmi2EventInfo info;
    CALL(instance, NewDiscreteStates, &info);
    return info.newDiscreteStatesNeeded;
}

static bool completed_step(struct instance *instance)
{
    fmi2Boolean event, terminate;
    CALL(instance, CompletedIntegratorStep, fmi2True, &event, &terminate);
    return event;
}

static void get_derivatives(struct instance *instance, double *dx, size_t n)
{
    CALL(instance, GetDerivatives, dx, n);
}

static void do_step(struct instance *instance, double time, double size)
{
    CALL(instance, DoStep, time, size, fmi2True);
}

static void get_values(struct instance *instance, const unsigned *references, double *x, size_t n)
{
    CALL(instance, GetReal, references, n, x);
}

static void copy_state_and_back(struct instance *instance)
{
    fmi2FMUstate state = NULL;
    CALL(instance, GetFMUstate, &state);
    CALL(instance, SetFMUstate, state);
    CALL(instance, FreeFMUstate, &state);
}
