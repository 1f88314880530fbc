"""An FMU that is loaded once and kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._commands import Interface, Number, input_file, scratch_folder, settings, several
from ._result import Event, Result
from ._scene import Inputs
from ._tool import PathLike


class Model(_native.Model):
    """An instance of an FMU: `reset`, then `step`; `save` and `restore`; or `run`.

    ``model.y`` is an array of the outputs, which each call writes to; ``model.time`` [s] the time
    reached, ``model.ended`` whether the FMU has asked for the end of the run; ``model.inputs`` and
    ``model.outputs`` are names, ``model.units`` their units. One thread at a time works with it,
    without Python's lock.
    """

    def reset(
        self,
        set: Mapping[str, Number] | None = None,
        *,
        u: ArrayLike | None = None,
        start: float = 0.0,
        stop: float | None = None,
        tolerance: float | None = None,
    ) -> NDArray[np.float64]:
        """Starts again and returns the outputs; equal to the bit to a fresh instance.

        Args:
            set: start values of parameters by name, as in `simulate`; others are those of the FMU.
            u: values of the inputs; start values of the FMU unless given.
            start: start time [s].
            stop: stop time [s], if there is one.
            tolerance: relative tolerance [1]; that of the FMU unless given.

        Raises:
            SettingError: a value of `set` cannot be had.
            SimulationError: the FMU has refused it.
        """
        return self._reset(settings(set), u, start, stop, tolerance)

    @property
    def events(self) -> list[Event]:
        """Contacts that started or ended since the reset or the last look."""
        return [Event(*event) for event in self._events()]

    def run(
        self,
        stop: float | None = None,
        step: float | None = None,
        set: Mapping[str, Number] | None = None,
        input: Inputs | None = None,
        tolerance: float | None = None,
    ) -> Result:
        """Simulates from the start with the outputs of this model as columns; equal to the bit to
        `simulate`. It must be reset before it is stepped again. Ctrl-C ends a run at its next
        communication point, and a step not at all.

        Args:
            stop: stop time [s]; that of the default experiment unless given, as are step and tolerance.
            step: time between two rows of the result [s].
            set: start values of parameters, as in `simulate`.
            input: values of inputs over time, as in `simulate`.
            tolerance: relative tolerance [1].

        Raises:
            SettingError: a value of `set` cannot be had.
            SimulationError: the run did not come to its end.
        """
        with scratch_folder() as scratch:
            table = None if input is None else input_file(input, scratch)
            run, logged = self._run(settings(set), table, stop, step, tolerance)
        return Result(run, logged=logged)


def load(
    fmu: PathLike,
    *,
    interface: Interface | None = None,
    inputs: Iterable[str] | None = None,
    outputs: Iterable[str] | None = None,
) -> Model:
    """Unpacks and loads an FMU of any origin once, for many runs and for steps.

    Args:
        fmu: the FMU.
        interface: who integrates: the FMU (``"cs"``) or this module (``"me"``); cs unless the FMU
            has me only.
        inputs: names of the inputs that `step` sets; all floating-point inputs unless given.
        outputs: names of the variables that `y` has; all outputs unless given.

    Raises:
        ContactFmuError: the FMU cannot be read or loaded, or a name is not known.
    """
    chosen = [
        None if names is None else several(what, names)
        for what, names in [("inputs", inputs), ("outputs", outputs)]
    ]
    return Model(os.fspath(fmu), interface, *chosen)
