"""Each function of the C API in each state: what FMI 3.0 allows works, the rest is a logged error.

The table is typed from FMI 3.0: sections 2.3 (common states), 3.2 (Model Exchange) and 4.2
(Co-Simulation) list the allowed functions of each state; what a state does not list is forbidden
there. A state is one letter:

    I Instantiated   N Initialization Mode   E Event Mode
    C Continuous-Time Mode (Model Exchange)  S Step Mode (Co-Simulation)   T Terminated
    U Intermediate Update Mode (Co-Simulation), inside the importer's callback

Every combination runs on a fresh instance inside a forked process, so that a crash is a failure
of one test and not the end of all.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable
from ctypes import POINTER, byref, c_bool, c_double, c_int, c_size_t, c_void_p, cast, create_string_buffer
from pathlib import Path

import fmpy
import pytest
from fmpy import fmi3
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import fmi3Byte, fmi3Float64, fmi3ValueReference
from lxml import etree

from conftest import soak
from forked import forked
from importer import DISCARD, ERROR, OK, WARNING, Instance, do_step

STATES = {"me": "INECT", "cs": "INESTU"}

# Allowed states in Model Exchange and in Co-Simulation with event mode.
# Setters are asked for a parameter with variability "fixed": Instantiated and Initialization Mode.
TABLE: dict[str, tuple[str, str]] = {
    # 2.3.1 super state FMU State Setable, and the version, which needs no instance
    "fmi3GetVersion": ("INECT", "INESTU"),
    "fmi3SetDebugLogging": ("INECT", "INEST"),
    "fmi3Reset": ("INECT", "INEST"),
    "fmi3FreeInstance": ("INECT", "INEST"),
    "fmi3GetFMUState": ("INECT", "INEST"),
    "fmi3SetFMUState": ("INECT", "INEST"),
    "fmi3FreeFMUState": ("INECT", "INEST"),
    "fmi3SerializedFMUStateSize": ("INECT", "INEST"),
    "fmi3SerializeFMUState": ("INECT", "INEST"),
    "fmi3DeserializeFMUState": ("INECT", "INEST"),
    "fmi3GetNumberOfVariableDependencies": ("INECT", "INEST"),
    "fmi3GetVariableDependencies": ("INECT", "INEST"),
    # changes of state
    "fmi3EnterInitializationMode": ("I", "I"),
    "fmi3ExitInitializationMode": ("N", "N"),
    "fmi3EnterEventMode": ("C", "S"),
    "fmi3EnterContinuousTimeMode": ("E", ""),
    "fmi3EnterStepMode": ("", "E"),
    "fmi3Terminate": ("EC", "ES"),
    # variables
    "fmi3GetFloat64": ("INECT", "INESTU"),
    "fmi3SetFloat64": ("IN", "IN"),
    "fmi3GetInt32": ("INECT", "INEST"),
    "fmi3SetInt32": ("IN", "IN"),
    # events
    "fmi3UpdateDiscreteStates": ("E", "E"),
    # 2.3.5: ignored where providesEvaluateDiscreteStates is false
    "fmi3EvaluateDiscreteStates": ("E", "E"),
    "fmi3CompletedIntegratorStep": ("C", ""),
    # equations of Model Exchange
    "fmi3SetTime": ("C", ""),
    "fmi3SetContinuousStates": ("C", ""),
    "fmi3GetContinuousStates": ("NECT", ""),
    "fmi3GetContinuousStateDerivatives": ("NECT", ""),
    "fmi3GetEventIndicators": ("NECT", ""),
    "fmi3GetNominalsOfContinuousStates": ("NECT", ""),
    "fmi3GetNumberOfContinuousStates": ("IE", ""),
    "fmi3GetNumberOfEventIndicators": ("IE", ""),
    # partial derivatives, where they are declared
    "fmi3GetDirectionalDerivative": ("NECT", "NEST"),
    "fmi3GetAdjointDerivative": ("NECT", "NEST"),
    # Co-Simulation
    "fmi3DoStep": ("", "S"),
    "fmi3GetOutputDerivatives": ("", "STU"),
}

TYPES_WITHOUT_VARIABLES = (
    *("Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32", "Int64", "UInt64"),
    *("Boolean", "String", "Binary"),
)

# Functions that this FMU declares it has nothing for: an error in every state.
UNSUPPORTED: dict[str, str] = {
    **{
        f"fmi3{access}{kind}": f"no variable of type {kind}"
        for access in ("Get", "Set")
        for kind in TYPES_WITHOUT_VARIABLES
    },
    "fmi3GetClock": "no clock",
    "fmi3SetClock": "no clock",
    "fmi3GetIntervalDecimal": "no clock",
    "fmi3GetIntervalFraction": "no clock",
    "fmi3GetShiftDecimal": "no clock",
    "fmi3GetShiftFraction": "no clock",
    "fmi3SetIntervalDecimal": "no clock",
    "fmi3SetIntervalFraction": "no clock",
    "fmi3SetShiftDecimal": "no clock",
    "fmi3SetShiftFraction": "no clock",
    "fmi3EnterConfigurationMode": "no structural parameter",
    "fmi3ExitConfigurationMode": "no structural parameter",
    "fmi3ActivateModelPartition": "no Scheduled Execution",
}

# Forbidden by the standard, accepted here because importers in use do it and nothing is lost.
LENIENT: dict[tuple[str, str, str], str] = {
    ("me", "fmi3EnterEventMode", "E"): "some importers enter Event Mode again after initialisation",
    ("cs", "fmi3EnterEventMode", "E"): "the same",
    ("me", "fmi3SetTime", "E"): "some importers set the time before they evaluate in Event Mode",
    ("me", "fmi3SetFloat64", "E"): "some importers set parameters right after initialisation",
    ("cs", "fmi3SetFloat64", "E"): "the same",
    ("me", "fmi3SetInt32", "E"): "the same",
    ("cs", "fmi3SetInt32", "E"): "the same",
    ("cs", "fmi3GetInt32", "U"): "discrete, so without intermediateUpdate, yet it has a value",
    ("cs", "fmi3FreeFMUState", "U"): "the copy belongs to the importer, not to the instance",
    ("cs", "fmi3GetDirectionalDerivative", "U"): "as well defined as the values there",
    ("cs", "fmi3GetAdjointDerivative", "U"): "the same",
    **{
        ("me", f"fmi3GetNumberOf{what}", state): "a fixed number; asking for it changes nothing"
        for what in ("ContinuousStates", "EventIndicators")
        for state in "NCT"
    },
}

# Read inside communication steps.
INTERMEDIATE = "ball.position[1]"

INSTANTIATION = {
    "fmi3InstantiateModelExchange",
    "fmi3InstantiateCoSimulation",
    "fmi3InstantiateScheduledExecution",
}


def functions_of_the_standard() -> set[str]:
    """Names from the standard's header."""
    header = (Path(fmpy.__file__).parent / "c-code" / "fmi3Functions.h").read_text()
    return set(re.findall(r"^FMI3_Export\s+\w+TYPE\s+(fmi3\w+);", header, re.MULTILINE))


def reach(instance: Instance, state: str) -> None:
    """Brings a new instance into a state by the shortest way the standard allows; for U into S."""
    raw = instance.raw
    if state == "I":
        return
    raw.enterInitializationMode(tolerance=1e-6)
    if state == "N":
        return
    raw.exitInitializationMode()
    if state == "E":
        return
    instance.update_discrete_states()
    if instance.kind == "me":
        raw.enterContinuousTimeMode()
    else:
        raw.enterStepMode()
    if state == "T":
        raw.terminate()


def inside_step(instance: Instance, task: Callable[[], object]) -> object:
    """Result of a task in Intermediate Update Mode: at the first point of a step."""
    # What calls need that cannot be made there.
    instance.saved = instance.raw.getFMUState()
    instance.saved_bytes = instance.raw.serializeFMUState(instance.saved)
    results = []

    def listener(_time: float) -> None:
        if not results:
            results.append(task())

    instance.step_listener = listener
    status, _, early, last = do_step(instance, instance.get("time")[0], 1e-3)
    instance.step_listener = None
    assert instance.listener_failures == []
    assert (status, early, last) == (OK, False, 1e-3), "the step did not go on to its end"
    return results[0]


def saved_state(instance: Instance) -> c_void_p:
    """A state to set, serialise or free."""
    return getattr(instance, "saved", None) or instance.raw.getFMUState()


def serialise(instance: Instance) -> int:
    saved, size = saved_state(instance), c_size_t()
    instance.call("fmi3SerializedFMUStateSize", saved, byref(size))
    buffer = cast(create_string_buffer(size.value), POINTER(fmi3Byte))
    return instance.call("fmi3SerializeFMUState", saved, buffer, size.value)


def deserialise(instance: Instance) -> int:
    data = getattr(instance, "saved_bytes", None)
    data = data or instance.raw.serializeFMUState(saved_state(instance))
    buffer = cast(create_string_buffer(data, len(data)), POINTER(fmi3Byte))
    return instance.call("fmi3DeserializeFMUState", buffer, len(data), byref(c_void_p()))


def free(instance: Instance) -> int:
    component = instance.raw.component
    instance.free()
    if instance.messages(ERROR):  # the function has no status; the instance is still there
        instance.raw.component = component
        return ERROR
    return OK


def vector(function: str, length: str) -> Callable[[Instance], int]:
    """A call with an array of `n` or `nz` numbers."""

    def call(instance: Instance) -> int:
        n = getattr(instance, length)
        return instance.call(function, (c_double * n)(), n)

    return call


def dependencies(instance: Instance) -> int:
    """The one dependency of a state derivative: position' = velocity."""
    derivative, known = (
        instance.fmu.references[name] for name in ("der(ball.position[1])", "ball.velocity[1]")
    )
    element, known_element = c_size_t(9), c_size_t(9)
    reference, dependency_kind = fmi3ValueReference(), c_int(9)
    status = instance.call(
        "fmi3GetVariableDependencies",
        derivative,
        byref(element),
        byref(reference),
        byref(known_element),
        byref(dependency_kind),
        1,
    )
    if status == OK:
        # fmi3Dependent is 5, element 0 the whole of a variable.
        found = (element.value, reference.value, known_element.value, dependency_kind.value)
        assert found == (0, known, 0, 5)
    return status


def partial(function: str) -> Callable[[Instance], int]:
    """The derivative of position' by velocity, ahead or transposed: 1 in every state."""

    def call(instance: Instance) -> int:
        names = ("der(ball.position[1])", "ball.velocity[1]")
        unknown, known = ((fmi3ValueReference * 1)(instance.fmu.references[n]) for n in names)
        seed, sensitivity = (c_double * 1)(3.0), (c_double * 1)(9.0)
        status = instance.call(function, unknown, 1, known, 1, seed, 1, sensitivity, 1)
        assert sensitivity[0] == (3.0 if status == OK else 9.0)
        return status

    return call


def output_derivative(instance: Instance) -> int:
    """The derivative of the height by time is the velocity."""
    height = (fmi3ValueReference * 1)(instance.fmu.references["ball.position[3]"])
    slope = (c_double * 1)(9.0)
    status = instance.call("fmi3GetOutputDerivatives", height, 1, (c_int * 1)(1), slope, 1)
    if status == OK:
        assert slope[0] == instance.get("ball.velocity[3]")[0]
    return status


def set_states(instance: Instance) -> int:
    states = [0.0] * instance.n
    states[instance.fmu.index("ball.orientation[1]")] = 1.0
    return instance.set_states(states)


def access(function: str, name: str) -> Callable[[Instance], int]:
    """Reads or writes the one variable `name` through a typed function."""
    kind = function[len("fmi3Get") :]
    ctype = {"Binary": fmi3.fmi3Binary}.get(kind) or getattr(fmi3, f"fmi3{kind}")

    def call(instance: Instance) -> int:
        reference = (fmi3ValueReference * 1)(instance.fmu.references[name])
        values = (ctype * 1)()
        if kind == "Binary":
            return instance.call(function, reference, 1, (c_size_t * 1)(), values, 1)
        if kind == "Float64" and function.startswith("fmi3Set"):
            values[0] = 0.25
        if function == "fmi3SetInt32":
            values[0] = 2
        return instance.call(function, reference, 1, values, 1)

    return call


def nulls(function: str) -> Callable[[Instance], int]:
    """A call of an unsupported function with an argument of each type."""

    def call(instance: Instance) -> int:
        types = instance.raw._functions[function].argtypes[1:]
        return instance.call(function, *(None if hasattr(t, "contents") else t(1) for t in types))

    return call


CALLS: dict[str, Callable[[Instance], int]] = {
    "fmi3GetVersion": lambda i: OK if i.raw.fmi3GetVersion() == b"3.0" else ERROR,
    "fmi3SetDebugLogging": lambda i: i.call("fmi3SetDebugLogging", True, 0, None),
    "fmi3Reset": lambda i: i.call("fmi3Reset"),
    "fmi3FreeInstance": free,
    "fmi3GetFMUState": lambda i: i.call("fmi3GetFMUState", byref(c_void_p())),
    "fmi3SetFMUState": lambda i: i.call("fmi3SetFMUState", saved_state(i)),
    "fmi3FreeFMUState": lambda i: i.call("fmi3FreeFMUState", byref(saved_state(i))),
    "fmi3SerializedFMUStateSize": lambda i: i.call(
        "fmi3SerializedFMUStateSize", saved_state(i), byref(c_size_t())
    ),
    "fmi3SerializeFMUState": serialise,
    "fmi3DeserializeFMUState": deserialise,
    "fmi3GetNumberOfVariableDependencies": lambda i: i.call(
        "fmi3GetNumberOfVariableDependencies",
        i.fmu.references["der(ball.position[1])"],
        byref(c_size_t()),
    ),
    "fmi3GetVariableDependencies": dependencies,
    "fmi3EnterInitializationMode": lambda i: i.call(
        "fmi3EnterInitializationMode", False, 0.0, 0.0, False, 0.0
    ),
    "fmi3UpdateDiscreteStates": lambda i: i.call(
        "fmi3UpdateDiscreteStates", *(byref(c_bool()) for _ in range(5)), byref(fmi3Float64())
    ),
    "fmi3CompletedIntegratorStep": lambda i: i.call(
        "fmi3CompletedIntegratorStep", True, byref(c_bool()), byref(c_bool())
    ),
    "fmi3SetTime": lambda i: i.call("fmi3SetTime", 0.0),
    "fmi3SetContinuousStates": set_states,
    "fmi3GetContinuousStates": vector("fmi3GetContinuousStates", "n"),
    "fmi3GetContinuousStateDerivatives": vector("fmi3GetContinuousStateDerivatives", "n"),
    "fmi3GetNominalsOfContinuousStates": vector("fmi3GetNominalsOfContinuousStates", "n"),
    "fmi3GetEventIndicators": vector("fmi3GetEventIndicators", "nz"),
    "fmi3GetNumberOfContinuousStates": lambda i: i.call(
        "fmi3GetNumberOfContinuousStates", byref(c_size_t())
    ),
    "fmi3GetNumberOfEventIndicators": lambda i: i.call(
        "fmi3GetNumberOfEventIndicators", byref(c_size_t())
    ),
    "fmi3GetDirectionalDerivative": partial("fmi3GetDirectionalDerivative"),
    "fmi3GetAdjointDerivative": partial("fmi3GetAdjointDerivative"),
    "fmi3GetOutputDerivatives": output_derivative,
    "fmi3DoStep": lambda i: do_step(i, i.get("time")[0], 1e-3)[0],
    "fmi3GetFloat64": access("fmi3GetFloat64", INTERMEDIATE),
    "fmi3SetFloat64": access("fmi3SetFloat64", "ball.mass"),
    "fmi3GetInt32": access("fmi3GetInt32", "contact.count"),
    "fmi3SetInt32": access("fmi3SetInt32", "experiment.solver"),
}


def caller(function: str) -> Callable[[Instance], int]:
    """How to call a function with sensible arguments."""
    if function in CALLS:
        return CALLS[function]
    if function in UNSUPPORTED and function.startswith(("fmi3Get", "fmi3Set")):
        kind = function[len("fmi3Get") :]
        if f"fmi3Get{kind}" in UNSUPPORTED and "no variable" in UNSUPPORTED[function]:
            return access(function, "ball.mass")
    if function in UNSUPPORTED:
        return nulls(function)
    return lambda i: i.call(function)


def problem(fmu, kind: str, function: str, state: str) -> str | None:
    """What is wrong with one combination; None where all is as the table says."""
    allowed = function in TABLE and state in TABLE[function][["me", "cs"].index(kind)]
    lenient = (kind, function, state) in LENIENT
    options = {"event_mode": True, "early_return": True} if kind == "cs" else {}
    instance = fmu.instance(kind, **options, intermediate=[INTERMEDIATE] if kind == "cs" else None)
    reach(instance, state)

    def attempt() -> tuple[int, str]:
        instance.log.clear()
        status = caller(function)(instance)
        return status, instance.messages(ERROR)

    status, text = inside_step(instance, attempt) if state == "U" else attempt()
    if allowed or lenient:
        if status != OK:
            return f"{state}: allowed, but status {status}: {text}"
    elif status != ERROR:
        return f"{state}: forbidden, but status {status}"
    elif function not in text:
        return f"{state}: the message does not name the function: {text!r}"
    if instance.raw.component:
        if instance.call("fmi3Reset") != OK:
            return f"{state}: cannot be reset afterwards: {instance.messages(ERROR)}"
        instance.free()
    return None


def test_table_has_every_function_of_the_standard():
    named = set(TABLE) | set(UNSUPPORTED) | INSTANTIATION
    assert named == functions_of_the_standard()
    assert not set(TABLE) & set(UNSUPPORTED)


def test_declared_capabilities_are_those_the_table_assumes(build):
    fmu = build("soft_ball")
    assert {v.type for v in fmu.description.modelVariables} == {"Float64", "Int32"}
    root = etree.parse(fmu.folder / "modelDescription.xml").getroot()
    model_exchange, co_simulation = root.find("ModelExchange"), root.find("CoSimulation")
    assert co_simulation.get("hasEventMode") == "true"
    assert co_simulation.get("providesIntermediateUpdate") == "true"
    assert co_simulation.get("canReturnEarlyAfterIntermediateUpdate") == "true"
    assert co_simulation.get("mightReturnEarlyFromDoStep") == "true"
    intermediate = root.find("ModelVariables").findall("*[@intermediateUpdate='true']")
    assert INTERMEDIATE in [variable.get("name") for variable in intermediate]
    assert {variable.get("causality") for variable in intermediate} == {"output"}
    assert {variable.get("variability") for variable in intermediate} == {"continuous"}
    assert co_simulation.get("maxOutputDerivativeOrder") == "1"
    for interface in (model_exchange, co_simulation):
        assert interface.get("canGetAndSetFMUState") == "true"
        assert interface.get("canSerializeFMUState") == "true"
        assert interface.get("providesPerElementDependencies") == "true"
        assert interface.get("providesDirectionalDerivatives") == "true"
        assert interface.get("providesAdjointDerivatives") == "true"
        assert interface.get("providesEvaluateDiscreteStates", "false") == "false"


@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize("function", sorted([*TABLE, *UNSUPPORTED]))
def test_function_works_exactly_where_it_is_allowed(build, kind, function):
    fmu = build("soft_ball")
    problems = forked(lambda: [problem(fmu, kind, function, state) for state in STATES[kind]])
    assert len(problems) == len(STATES[kind])
    assert [p for p in problems if p] == []


def test_event_mode_functions_are_errors_for_an_importer_without_event_mode(build):
    with build("soft_ball").instance("cs", event_mode=False) as instance:
        instance.initialize(tolerance=1e-6)
        for function in ("fmi3EnterEventMode", "fmi3UpdateDiscreteStates", "fmi3EnterStepMode"):
            instance.log.clear()
            assert caller(function)(instance) == ERROR
            assert function in instance.messages(ERROR)
            assert instance.call("fmi3Reset") == OK
            instance.initialize(tolerance=1e-6)


def test_an_allowed_way_through_all_states_logs_no_error(build):
    fmu = build("soft_ball")
    for kind in ("me", "cs"):
        options = {"event_mode": True, "early_return": True} if kind == "cs" else {}
        with fmu.instance(kind, **options) as instance:
            for state in STATES[kind]:
                assert instance.call("fmi3Reset") == OK
                reach(instance, state)
            assert instance.messages(ERROR) == ""


def wander(fmu, kind: str, seed: int, calls: int) -> tuple[list[str], set[str]]:
    """Calls functions at random on one instance; answers every call that was not as it should,
    and the functions that worked.

    Whatever the order: a status is one of the standard's, an error is logged, and a reset always
    brings the instance back.
    """
    rng = random.Random(seed)
    functions = sorted({*TABLE, *UNSUPPORTED} - {"fmi3FreeInstance"})
    # Functions that lead on, so that the walk sees every state and not only errors.
    forward = sorted({*TABLE} - {"fmi3FreeInstance", "fmi3Reset", "fmi3Terminate"})
    options = {"event_mode": seed % 2 == 0, "early_return": seed % 3 == 0} if kind == "cs" else {}
    problems, worked, last = [], set(), "nothing"
    with fmu.instance(kind, **options, intermediate=[] if kind == "cs" else None) as instance:

        def listener(time: float) -> float | None:
            """Calls something inside a step, and sometimes wants to return."""
            function = rng.choice(functions)
            with contextlib.suppress(FMICallException):  # as below
                caller(function)(instance)
            return rng.choice([None, None, time, time + 1e-4, time - 1e-3])

        instance.step_listener = listener
        for _ in range(calls):
            function = rng.choice(forward if rng.random() < 0.9 else functions)
            instance.log.clear()
            try:
                status = caller(function)(instance)
            except FMICallException as failure:  # a call that prepares the arguments failed
                status = failure.status
            if status == OK:
                worked.add(function)
            elif status not in (WARNING, DISCARD, ERROR):
                problems.append(f"{function} after {last}: status {status}")
            elif status == ERROR:
                if not instance.messages(ERROR):
                    problems.append(f"{function} after {last}: error without a message")
                if rng.random() < 0.02 and instance.call("fmi3Reset") != OK:
                    problems.append(f"{function} after {last}: cannot be reset")
            last = function
        problems += [f"inside a step: {failure!r}" for failure in instance.listener_failures]
    return problems, worked


def check_walk(fmu, kind: str, seed: int, calls: int) -> None:
    """Runs a walk in a forked process; it must be clean and reach the working states."""
    problems, worked = forked(lambda: wander(fmu, kind, seed, calls))
    assert problems == []
    deepest = {"me": "fmi3CompletedIntegratorStep", "cs": "fmi3DoStep"}[kind]
    assert deepest in worked


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_random_calls_neither_crash_nor_fail_silently(build, kind, seed):
    check_walk(build("soft_ball"), kind, seed, 3000)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(6, 6 + soak(54)))
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_many_random_calls_neither_crash_nor_fail_silently(build, kind, seed):
    check_walk(build("soft_ball"), kind, seed, 200_000)
