/* Functions that ball_fmu.c does without and importers want to find. */
#define ABSENT(name)                                                                              \
    int fmi3##name(void)                                                                           \
    {                                                                                              \
        return 3;                                                                                  \
    }
#define TYPES(F)                                                                                  \
    F(Float32) F(Int8) F(UInt8) F(Int16) F(UInt16) F(Int32) F(UInt32) F(Int64) F(UInt64)           \
    F(Boolean) F(String) F(Binary) F(Clock)
#define ACCESS(type) ABSENT(Get##type) ABSENT(Set##type)
TYPES(ACCESS)
ABSENT(SetFloat64)
ABSENT(Reset)
ABSENT(SetDebugLogging)
ABSENT(GetNumberOfVariableDependencies)
ABSENT(GetVariableDependencies)
ABSENT(GetFMUState)
ABSENT(SetFMUState)
ABSENT(FreeFMUState)
ABSENT(SerializedFMUStateSize)
ABSENT(SerializeFMUState)
ABSENT(DeserializeFMUState)
ABSENT(GetDirectionalDerivative)
ABSENT(GetAdjointDerivative)
ABSENT(EnterConfigurationMode)
ABSENT(ExitConfigurationMode)
ABSENT(GetIntervalDecimal)
ABSENT(GetIntervalFraction)
ABSENT(GetShiftDecimal)
ABSENT(GetShiftFraction)
ABSENT(SetIntervalDecimal)
ABSENT(SetIntervalFraction)
ABSENT(SetShiftDecimal)
ABSENT(SetShiftFraction)
ABSENT(EvaluateDiscreteStates)
ABSENT(EnterStepMode)
ABSENT(GetOutputDerivatives)
ABSENT(ActivateModelPartition)
ABSENT(InstantiateScheduledExecution)
