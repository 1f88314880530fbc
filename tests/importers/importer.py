"""Drives instances of an FMU through FMPy, as a careful importer would, in FMI 2.0 and FMI 3.0.

`Fmu` is an unpacked archive. `Instance` is one instance of it with its log; `simulate_me` runs a
Model Exchange instance with FMPy's CVODE or the solver of `explicit`, `simulate_cs` a
Co-Simulation instance. Both answer a `Run`: times [s], one row of states per time, and the times
of the events. `run` does all of that; its `kind` is "me", "me-explicit" or "cs". The version is the
FMU's; what differs between versions is in `versions`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import c_double
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description
from fmpy.sundials import CVodeSolver

from explicit import ExplicitSolver
from versions import DISCARD, ERROR, OK, VERSIONS, WARNING, CoSimulationOptions  # noqa: F401 - tests take all from here

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
        # 2 or 3, of "2.0" or "3.0".
        self.version = int(self.description.fmiVersion.partition(".")[0])

    @property
    def library(self) -> Path:
        """The binary for this machine."""
        identifier = self.description.modelExchange.modelIdentifier
        platform = VERSIONS[self.version].platform
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
        self.api = VERSIONS[fmu.version](
            kind,
            fmu.folder,
            interface.modelIdentifier,
            f"{description.modelName}_{kind}",
            description.guid if token is None else token,
        )
        self.raw = self.api.raw
        options = CoSimulationOptions(event_mode, early_return)
        if intermediate is not None:
            options.intermediate = [fmu.references[name] for name in intermediate]
            options.intermediate_update = self._intermediate_update
        try:
            self.api.instantiate(self._record, logging, options)
        except Exception as failure:  # FMPy raises a bare Exception for a null instance
            if self.raw.component:
                raise
            raise Refused(self.log) from failure
        # The next time event [s] that the last event update told.
        self.next_event_time = np.inf
        self.n = description.numberOfContinuousStates
        self.nz = description.numberOfEventIndicators

    def _record(self, status: int, category: str, message: str) -> None:
        self.log.append((status, category, message))

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
        self.api.free()

    # Calls that answer the status instead of raising.

    def call(self, function: str, *arguments) -> int:
        """Calls a C function, named with or without "fmi2" or "fmi3"; answers the status."""
        return self.api.call(function, *arguments)

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
        """Values of real variables."""
        return np.array(self.api.get_reals([self.fmu.references[n] for n in names]))

    def get_vector(self, name: str, count: int = 3) -> np.ndarray:
        """Values of name[1], name[2], ..."""
        return self.get(*(f"{name}[{i + 1}]" for i in range(count)))

    def get_int(self, name: str) -> int:
        """Value of an integer variable."""
        return self.api.get_integers([self.fmu.references[name]])[0]

    def get_bool(self, name: str) -> bool:
        """Value of a variable of truth."""
        return self.api.get_booleans([self.fmu.references[name]])[0]

    def set(self, values: Mapping[str, float]) -> None:
        """Sets real variables."""
        status = self.set_status(values)
        assert status == OK, f"set {dict(values)}: status {status}\n{self.messages()}"

    def set_status(self, values: Mapping[str, float]) -> int:
        """Sets real variables; answers the status."""
        references = [self.fmu.references[name] for name in values]
        return self.api.set_reals(references, list(values.values()))

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
        return self.call("SetContinuousStates", (c_double * self.n)(*x), self.n)

    def derivatives(self) -> np.ndarray:
        """State derivatives at the current time and states."""
        dx = (c_double * self.n)()
        self.api.get_derivatives(dx, self.n)
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
        self.api.enter_initialization(tolerance, start, stop)
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
            again, terminate, _, values_changed, defined, next_time = self.api.update_discrete_states()
            self.next_event_time = next_time if defined else np.inf
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


    # The whole state.

    def save(self) -> bytes:
        """The state as bytes."""
        saved = self.raw.getFMUState()
        data = self.raw.serializeFMUState(saved)
        self.raw.freeFMUState(saved)
        return data

    def restore(self, data: bytes) -> None:
        """Takes a state over from bytes."""
        saved = self.raw.deserializeFMUState(data)
        try:
            self.raw.setFMUState(saved)
        finally:
            self.raw.freeFMUState(saved)


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
        get_dx=instance.api.get_derivatives,
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
            next_event = instance.next_event_time
            state_event, _, time = solver.step(time, min(target, next_event))
            raw.setTime(time)
            step_event, terminate = raw.completedIntegratorStep()
            assert not terminate, "the FMU asked to terminate"
            if state_event or step_event or time >= next_event:
                event_times.append(time)
                instance.event()
                solver.reset(time)
        states.append(instance.states())
        values.append(instance.get(*outputs))
    return Run(np.array(grid), np.array(states), np.array(values), event_times)


def do_step(instance: Instance, time: float, size: float) -> tuple[int, bool, bool, float]:
    """A communication step: status, event handling needed, early return, last successful time."""
    return instance.api.do_step(time, size)


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
