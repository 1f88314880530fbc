"""Drives instances of an FMU through FMPy's FMI 3.0 calls, as a careful importer would.

`Fmu` is an unpacked archive. `Instance` is one instance of it with its log; `simulate_me` runs a
Model Exchange instance with FMPy's CVODE or the solver of `explicit`, `simulate_cs` a
Co-Simulation instance. Both answer a `Run`: times [s], one row of states per time, and the times
of the events. `run` does all of that; its `kind` is "me", "me-explicit" or "cs".
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import byref, c_double
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi1 import FMICallException
from fmpy.fmi3 import (
    FMU3Model,
    FMU3Slave,
    fmi3Boolean,
    fmi3Float64,
    fmi3Int32,
    fmi3ValueReference,
)
from fmpy.sundials import CVodeSolver

from explicit import ExplicitSolver

OK, WARNING, DISCARD, ERROR, FATAL = range(5)

CONTACT_START = re.compile(r"contact start: t=(\S+) pair=(.+?) speed=(\S+)")

# A step of CVODE between two outputs may cross several stiff contacts at tight tolerances.
MAX_SOLVER_STEPS = 10_000_000
# More events than this at one instant means that the event iteration does not end.
MAX_EVENT_ITERATIONS = 100


@dataclass(frozen=True)
class ContactStart:
    """A contact as the log reports it: time [s], pair, impact speed [m/s]."""

    time: float
    pair: str
    speed: float


class Refused(Exception):
    """Instantiation answered null; `log` holds what was logged."""

    def __init__(self, log: list[tuple[int, str, str]]):
        super().__init__("\n".join(text for _, _, text in log))
        self.log = log


class Fmu:
    """An archive, unpacked into a folder; a folder that exists already is taken as it is."""

    def __init__(self, archive: Path, folder: Path):
        self.archive = archive
        self.folder = folder
        if not folder.exists():
            extract(str(archive), unzipdir=str(folder))
        self.description = read_model_description(str(folder), validate=False)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.types = {v.name: v.type for v in self.description.modelVariables}
        self.states = [d.variable.derivative.name for d in self.description.derivatives]

    @property
    def library(self) -> Path:
        """The binary for this machine."""
        identifier = self.description.modelExchange.modelIdentifier
        platform = "linux64" if self.description.fmiVersion == "2.0" else "x86_64-linux"
        return self.folder / "binaries" / platform / f"{identifier}.so"

    def copy(self, folder: Path) -> Fmu:
        """The same FMU unpacked elsewhere, for tests that damage it."""
        shutil.copytree(self.folder, folder)
        return Fmu(self.archive, folder)

    def index(self, name: str) -> int:
        """Position of a state in the state vector."""
        return self.states.index(name)

    def columns(self, name: str, count: int = 3) -> list[int]:
        """Positions of the states name[1], name[2], ..."""
        return [self.index(f"{name}[{i + 1}]") for i in range(count)]

    def instance(self, kind: str, **options) -> Instance:
        """A new instance, `kind` "me" or "cs"; options as of `Instance`."""
        return Instance(self, kind, **options)


class Instance:
    """One instance of an FMU with everything it logged. Use it in a `with` statement."""

    def __init__(
        self,
        fmu: Fmu,
        kind: str,
        *,
        event_mode: bool = False,
        early_return: bool = False,
        logging: bool = True,
        token: str | None = None,
        intermediate: Sequence[str] | None = None,
    ):
        """`intermediate` names the variables to be read inside communication steps; then
        `step_listener`, if set, is called at each point there with the time [s], and may answer a
        time to return at."""
        self.fmu = fmu
        self.kind = kind
        self.event_mode = event_mode
        self.log: list[tuple[int, str, str]] = []
        self.step_listener: Callable[[float], float | None] | None = None
        self.listener_failures: list[Exception] = []
        description = fmu.description
        interface = description.modelExchange if kind == "me" else description.coSimulation
        self.raw = (FMU3Model if kind == "me" else FMU3Slave)(
            guid=description.guid if token is None else token,
            unzipDirectory=str(fmu.folder),
            modelIdentifier=interface.modelIdentifier,
            instanceName=f"{description.modelName}_{kind}",
        )
        self.raw.component = None
        options = {"loggingOn": logging, "logMessage": self._record}
        if kind == "cs":
            options |= {"eventModeUsed": event_mode, "earlyReturnAllowed": early_return}
        if intermediate is not None:
            references = [fmu.references[name] for name in intermediate]
            options |= {
                "intermediateUpdate": self._intermediate_update,
                "requiredIntermediateVariables": references,
            }
        try:
            self.raw.instantiate(**options)
        except Exception as failure:  # FMPy raises a bare Exception for a null instance
            if self.raw.component:
                raise
            raise Refused(self.log) from failure
        self.n = description.numberOfContinuousStates
        self.nz = description.numberOfEventIndicators

    def _record(self, _environment, status: int, category: bytes, message: bytes) -> None:
        self.log.append((status, (category or b"").decode(), (message or b"").decode()))

    def _intermediate_update(
        self,
        _environment,
        time: float,
        _set_requested: bool,
        _get_allowed: bool,
        _step_finished: bool,
        _can_return_early: bool,
        early_return_requested,
        early_return_time,
    ) -> None:
        if self.step_listener is None:
            return
        try:
            wanted = self.step_listener(time)
        except Exception as failure:  # must not vanish in the C function that called
            self.listener_failures.append(failure)
            return
        if wanted is not None:
            early_return_requested[0] = True
            early_return_time[0] = wanted

    def __enter__(self) -> Instance:
        return self

    def __exit__(self, *_exception) -> None:
        self.free()

    def free(self) -> None:
        """Frees the instance; safe to call twice."""
        if self.raw.component:
            self.raw.fmi3FreeInstance(self.raw.component)
            self.raw.component = None

    # Calls that answer the status instead of raising.

    def call(self, function: str, *arguments) -> int:
        """Calls a C function with this instance as its first argument; answers the status."""
        try:
            return getattr(self.raw, function)(self.raw.component, *arguments)
        except FMICallException as failure:
            return failure.status

    def messages(self, at_least: int = OK) -> str:
        """All logged messages of a status or worse."""
        return "\n".join(text for status, _, text in self.log if status >= at_least)

    def contact_starts(self) -> list[ContactStart]:
        """Contacts in the order in which they started."""
        found = []
        for _, category, text in self.log:
            match = CONTACT_START.search(text)
            if match:
                assert category == "contacts", f"category {category!r} of {text!r}"
                found.append(ContactStart(float(match[1]), match[2], float(match[3])))
        return found

    # Variables.

    def get(self, *names: str) -> np.ndarray:
        """Values of Float64 variables."""
        return np.array(self.raw.getFloat64([self.fmu.references[n] for n in names]))

    def get_vector(self, name: str, count: int = 3) -> np.ndarray:
        """Values of name[1], name[2], ..."""
        return self.get(*(f"{name}[{i + 1}]" for i in range(count)))

    def get_int(self, name: str) -> int:
        """Value of an Int32 variable."""
        return self.raw.getInt32([self.fmu.references[name]])[0]

    def set(self, values: Mapping[str, float]) -> None:
        """Sets Float64 variables."""
        status = self.set_status(values)
        assert status == OK, f"set {dict(values)}: status {status}\n{self.messages()}"

    def set_status(self, values: Mapping[str, float]) -> int:
        """Sets Float64 variables; answers the status."""
        n = len(values)
        references = (fmi3ValueReference * n)(*(self.fmu.references[k] for k in values))
        numbers = (fmi3Float64 * n)(*values.values())
        return self.call("fmi3SetFloat64", references, n, numbers, n)

    # Model Exchange.

    def states(self) -> np.ndarray:
        """Continuous states; in Co-Simulation read as variables."""
        if self.kind == "cs":
            return self.get(*self.fmu.states)
        x = (c_double * self.n)()
        self.raw.getContinuousStates(x, self.n)
        return np.array(x)

    def set_states(self, x: Sequence[float]) -> int:
        """Sets the continuous states; answers the status."""
        return self.call("fmi3SetContinuousStates", (c_double * self.n)(*x), self.n)

    def derivatives(self) -> np.ndarray:
        """State derivatives at the current time and states."""
        dx = (c_double * self.n)()
        self.raw.getContinuousStateDerivatives(dx, self.n)
        return np.array(dx)

    def nominals(self) -> np.ndarray:
        """Nominal magnitudes of the states."""
        nominals = (c_double * self.n)()
        self.raw.getNominalsOfContinuousStates(nominals, self.n)
        return np.array(nominals)

    def indicators(self) -> np.ndarray:
        """Event indicators at the current time and states."""
        z = (c_double * self.nz)()
        self.raw.getEventIndicators(z, self.nz)
        return np.array(z)

    # Life cycle.

    def initialize(
        self,
        start_values: Mapping[str, float] | None = None,
        *,
        tolerance: float | None = None,
        start: float = 0.0,
        stop: float | None = None,
    ) -> None:
        """From Instantiated to Continuous-Time Mode (ME) or Step Mode (CS)."""
        self.raw.setDebugLogging(True, [])
        self.raw.enterInitializationMode(tolerance=tolerance, startTime=start, stopTime=stop)
        if start_values:
            self.set(start_values)
        self.raw.exitInitializationMode()
        if self.kind == "me":
            self.update_discrete_states()
            self.raw.enterContinuousTimeMode()
        elif self.event_mode:
            self.update_discrete_states()
            self.raw.enterStepMode()

    def update_discrete_states(self) -> bool:
        """Iterates the event update to its end; answers whether states changed."""
        changed = False
        for _ in range(MAX_EVENT_ITERATIONS):
            again, terminate, _, values_changed, _, _ = self.raw.updateDiscreteStates()
            assert not terminate, "the FMU asked to terminate"
            changed |= values_changed
            if not again:
                return changed
        raise AssertionError("the event iteration does not end")

    def event(self) -> None:
        """A whole event, from Continuous-Time or Step Mode and back."""
        self.raw.enterEventMode()
        self.update_discrete_states()
        if self.kind == "me":
            self.raw.enterContinuousTimeMode()
        else:
            self.raw.enterStepMode()


@dataclass
class Run:
    """What a simulation gave."""

    times: np.ndarray
    states: np.ndarray
    outputs: np.ndarray
    event_times: list[float] = field(default_factory=list)


class _NoInput:
    """FMPy's solver applies inputs before each evaluation; these FMUs have none."""

    def apply(self, _time: float) -> None:
        pass


def cvode(instance: Instance, start: float, stop: float, tolerance: float) -> CVodeSolver:
    """FMPy's solver, set up as in its `simulate_fmu`; only its number of steps is not limited."""
    raw = instance.raw
    return CVodeSolver(
        nx=instance.n,
        nz=instance.nz,
        get_x=raw.getContinuousStates,
        set_x=raw.setContinuousStates,
        get_dx=raw.getContinuousStateDerivatives,
        get_z=raw.getEventIndicators,
        get_nominals=raw.getNominalsOfContinuousStates,
        set_time=raw.setTime,
        input=_NoInput(),
        startTime=start,
        maxStep=(stop - start) / 50,
        relativeTolerance=tolerance,
        maxNumSteps=MAX_SOLVER_STEPS,
    )


def simulate_me(
    instance: Instance,
    grid: Iterable[float],
    tolerance: float,
    outputs: Sequence[str] = (),
    explicit: bool = False,
) -> Run:
    """Runs an initialised ME instance over the grid (its first value is the current time)."""
    grid = [float(t) for t in grid]
    raw = instance.raw
    if explicit:
        solver = ExplicitSolver(instance, tolerance)
    else:
        solver = cvode(instance, grid[0], grid[-1], tolerance)
    time = grid[0]
    states, values, event_times = [instance.states()], [instance.get(*outputs)], []
    for target in grid[1:]:
        while time < target:
            state_event, _, time = solver.step(time, target)
            raw.setTime(time)
            step_event, terminate = raw.completedIntegratorStep()
            assert not terminate, "the FMU asked to terminate"
            if state_event or step_event:
                event_times.append(time)
                instance.event()
                solver.reset(time)
        states.append(instance.states())
        values.append(instance.get(*outputs))
    return Run(np.array(grid), np.array(states), np.array(values), event_times)


def do_step(instance: Instance, time: float, size: float) -> tuple[int, bool, bool, float]:
    """fmi3DoStep: status, event handling needed, early return, last successful time."""
    event, terminate, early = fmi3Boolean(), fmi3Boolean(), fmi3Boolean()
    last = fmi3Float64()
    flags = (byref(event), byref(terminate), byref(early), byref(last))
    status = instance.call("fmi3DoStep", time, size, True, *flags)
    return status, event.value, early.value, last.value


def simulate_cs(instance: Instance, grid: Iterable[float], outputs: Sequence[str] = ()) -> Run:
    """Runs an initialised CS instance over the grid (its first value is the current time)."""
    grid = [float(t) for t in grid]
    time = grid[0]
    states, values, event_times = [instance.states()], [instance.get(*outputs)], []
    for target in grid[1:]:
        while time < target:
            status, event, early, last = do_step(instance, time, target - time)
            assert status == OK, f"step from {time}: status {status}\n{instance.messages()}"
            time = last if early else target
            if event:
                assert instance.event_mode, "an event is reported to an importer without event mode"
                event_times.append(time)
                instance.event()
        states.append(instance.states())
        values.append(instance.get(*outputs))
    return Run(np.array(grid), np.array(states), np.array(values), event_times)


def run(
    fmu: Fmu,
    kind: str,
    grid: Sequence[float],
    tolerance: float,
    start_values: Mapping[str, float] | None = None,
    outputs: Sequence[str] = (),
    **options,
) -> tuple[Run, list[ContactStart]]:
    """Instantiates, initialises and simulates; answers the run and the contact starts."""
    interface, _, solver = kind.partition("-")
    with fmu.instance(interface, **options) as instance:
        instance.initialize(start_values, tolerance=tolerance, start=grid[0])
        if interface == "me":
            result = simulate_me(instance, grid, tolerance, outputs, solver == "explicit")
        else:
            result = simulate_cs(instance, grid, outputs)
        return result, instance.contact_starts()


def get_int32_status(instance: Instance, reference: int) -> int:
    """fmi3GetInt32 of one reference; answers the status."""
    return instance.call(
        "fmi3GetInt32", (fmi3ValueReference * 1)(reference), 1, (fmi3Int32 * 1)(), 1
    )
