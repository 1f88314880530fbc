"""FMI 2.0 and FMI 3.0 through FMPy, as far as they differ: one adapter for each, used alike.

An adapter makes the instance and has a method for each call that the versions name or shape
differently, in the words of FMI 3.0. It holds FMPy's object as `raw`; what both versions call
alike (setTime, enterEventMode, getFMUState, ...) is called there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import Array, byref, c_double, c_uint
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from fmpy import calloc, fmi2, fmi3, free
from fmpy.fmi1 import FMICallException
from fmpy.logging import addLoggerProxy

OK, WARNING, DISCARD, ERROR, FATAL = range(5)

# Takes status, category and text of a message.
Record = Callable[[int, str, str], None]


@dataclass
class CoSimulationOptions:
    """What an importer may ask for in Co-Simulation of FMI 3.0 only."""

    event_mode: bool = False
    early_return: bool = False
    # References of the variables to be read inside communication steps, and the callback there.
    intermediate: Sequence[int] | None = None
    intermediate_update: Callable[..., None] | None = None


class Adapter:
    """What holds for both versions."""

    # How the names of the C functions begin.
    prefix: str
    # Folder of the binaries for this machine.
    platform: str
    # FMPy's classes for Model Exchange and Co-Simulation.
    classes: tuple[type, type]

    def __init__(self, kind: str, folder: Path, identifier: str, name: str, token: str):
        self.raw = self.classes[["me", "cs"].index(kind)](
            guid=token,
            unzipDirectory=str(folder),
            modelIdentifier=identifier,
            instanceName=name,
        )
        self.raw.component = None
        self.kind = kind

    def call(self, function: str, *arguments) -> int:
        """Calls a C function, named with or without its prefix; answers the status."""
        name = function if function.startswith("fmi") else self.prefix + function
        try:
            return getattr(self.raw, name)(self.raw.component, *arguments)
        except FMICallException as failure:
            return failure.status

    def free(self) -> None:
        """Frees the instance; safe to call twice."""
        if self.raw.component:
            self.call("FreeInstance")
            self.raw.component = None


class Fmi3(Adapter):
    """FMI 3.0."""

    prefix = "fmi3"
    platform = "x86_64-linux"
    classes = (fmi3.FMU3Model, fmi3.FMU3Slave)

    def instantiate(self, record: Record, logging: bool, options: CoSimulationOptions) -> None:
        """Makes the instance; raises if it is refused."""

        def log(_environment, status: int, category: bytes, text: bytes) -> None:
            record(status, _decoded(category), _decoded(text))

        arguments = {"loggingOn": logging, "logMessage": log}
        if self.kind == "cs":
            arguments |= {
                "eventModeUsed": options.event_mode,
                "earlyReturnAllowed": options.early_return,
                "requiredIntermediateVariables": options.intermediate,
                "intermediateUpdate": options.intermediate_update,
            }
        self.raw.instantiate(**arguments)

    def enter_initialization(
        self, tolerance: float | None, start: float, stop: float | None
    ) -> None:
        """From Instantiated to Initialization Mode."""
        self.raw.enterInitializationMode(tolerance=tolerance, startTime=start, stopTime=stop)

    def get_reals(self, references: Sequence[int]) -> list[float]:
        """Values of Float64 variables."""
        return self.raw.getFloat64(references)

    def get_integers(self, references: Sequence[int]) -> list[int]:
        """Values of Int32 variables."""
        return self.raw.getInt32(references)

    def get_booleans(self, references: Sequence[int]) -> list[bool]:
        """Values of Boolean variables."""
        return [bool(value) for value in self.raw.getBoolean(references)]

    def set_reals(self, references: Sequence[int], values: Sequence[float]) -> int:
        """Sets Float64 variables; answers the status."""
        n = len(references)
        return self.call("SetFloat64", _references(references), n, _reals(values), n)

    def get_derivatives(self, derivatives: Array, n: int) -> None:
        """State derivatives at the current time and states."""
        self.raw.getContinuousStateDerivatives(derivatives, n)

    def update_discrete_states(self) -> tuple:
        """One event update: again, terminate, nominals changed, values changed, ..."""
        return self.raw.updateDiscreteStates()

    def do_step(self, time: float, size: float) -> tuple[int, bool, bool, float]:
        """Status, event handling needed, early return, last successful time [s]."""
        event, terminate, early = (fmi3.fmi3Boolean() for _ in range(3))
        last = fmi3.fmi3Float64()
        flags = (byref(event), byref(terminate), byref(early), byref(last))
        status = self.call("DoStep", time, size, True, *flags)
        return status, event.value, early.value, last.value


class Fmi2(Adapter):
    """FMI 2.0: Co-Simulation has neither Event Mode nor early return."""

    prefix = "fmi2"
    platform = "linux64"
    classes = (fmi2.FMU2Model, fmi2.FMU2Slave)

    def instantiate(self, record: Record, logging: bool, options: CoSimulationOptions) -> None:
        """Makes the instance; raises if it is refused."""
        assert options == CoSimulationOptions(), "FMI 2.0 has none of them"
        environment = next(_environments)
        _records[environment] = record
        callbacks = fmi2.fmi2CallbackFunctions(
            logger=_log_of_fmi2,
            allocateMemory=_ALLOCATE,
            freeMemory=_FREE,
            componentEnvironment=environment,
        )
        addLoggerProxy(byref(callbacks))
        self.raw.instantiate(callbacks=callbacks, loggingOn=logging)

    def enter_initialization(
        self, tolerance: float | None, start: float, stop: float | None
    ) -> None:
        """From Instantiated to Initialization Mode."""
        self.raw.setupExperiment(tolerance=tolerance, startTime=start, stopTime=stop)
        self.raw.enterInitializationMode()

    def get_reals(self, references: Sequence[int]) -> list[float]:
        """Values of Real variables."""
        return self.raw.getReal(references)

    def get_integers(self, references: Sequence[int]) -> list[int]:
        """Values of Integer variables."""
        return self.raw.getInteger(references)

    def get_booleans(self, references: Sequence[int]) -> list[bool]:
        """Values of Boolean variables."""
        return [bool(value) for value in self.raw.getBoolean(references)]

    def set_reals(self, references: Sequence[int], values: Sequence[float]) -> int:
        """Sets Real variables; answers the status."""
        return self.call("SetReal", _references(references), len(references), _reals(values))

    def get_derivatives(self, derivatives: Array, n: int) -> None:
        """State derivatives at the current time and states."""
        self.raw.getDerivatives(derivatives, n)

    def update_discrete_states(self) -> tuple:
        """One event update: again, terminate, nominals changed, values changed, ..."""
        return self.raw.newDiscreteStates()

    def do_step(self, time: float, size: float) -> tuple[int, bool, bool, float]:
        """Status, no event, no early return, end of the step [s], reached if the status is OK."""
        return self.call("DoStep", time, size, True), False, False, time + size


VERSIONS = {2: Fmi2, 3: Fmi3}


def _decoded(text: bytes | None) -> str:
    return (text or b"").decode()


def _references(references: Sequence[int]) -> Array:
    return (c_uint * len(references))(*references)


def _reals(values: Sequence[float]) -> Array:
    return (c_double * len(values))(*values)


# The logger of FMI 2.0 takes a format and arguments, as printf. FMPy's proxy formats them and hands
# the text to the one logger that it was given last, so all instances share one; the component
# environment, which the FMU must hand back, tells whose message it is.
_environments = count(1)
_records: dict[int, Record] = {}


@fmi2.fmi2CallbackLoggerTYPE
def _log_of_fmi2(environment, _name, status: int, category: bytes, text: bytes) -> None:
    _records[environment](status, _decoded(category), _decoded(text))


_ALLOCATE = fmi2.fmi2CallbackAllocateMemoryTYPE(calloc)
_FREE = fmi2.fmi2CallbackFreeMemoryTYPE(free)
