"""An FMU that is loaded once and kept: one instance, or many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._commands import Interface, Number, input_file, named, scratch_folder, settings, several
from ._errors import ContactFmuError, no_counts, numbers, refuse, wrong
from ._result import Event, Result
from ._scene import Inputs
from ._tool import PathLike
from ._variables import similar, variables


class Model(_native.Model):
    """An instance of an FMU: `reset`, then `step`; `save` and `restore`; or `run`.

    ``model.y`` is an array of the outputs, which each call writes to; ``model.time`` [s] the time
    reached, ``model.ended`` whether the FMU has asked for the end of the run; ``model.inputs`` and
    ``model.outputs`` are names, ``model.units`` their units; ``model.logged`` has warnings of the FMU
    since the reset or the last look. One thread at a time works with it,
    without Python's lock.
    """

    def __new__(cls, *_: Any, **__: Any) -> Model:
        """`load` makes it."""
        raise TypeError("contact_fmu.load(fmu) makes a Model")

    def __repr__(self) -> str:
        return _shown(self, f"at {self.time:g} s")

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
            ArgumentError: inputs, a time or the tolerance that cannot be.
            SettingError: a value of `set` cannot be had.
            SimulationError: the FMU has refused it.
        """
        numbers(start=start, stop=stop, tolerance=tolerance)
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
            ArgumentError: inputs, a time or the tolerance that cannot be.
            SettingError: a value of `set` cannot be had.
            SimulationError: the run did not come to its end.
        """
        numbers(stop=stop, step=step, tolerance=tolerance)
        with scratch_folder() if input is not None else nullcontext("") as scratch:
            table = None if input is None else input_file(input, scratch)
            run, logged = self._run(settings(set), table, stop, step, tolerance)
        return Result(run, logged=logged)


def _shown(model: Model | Batch, where: str) -> str:
    counts = f"{len(model.inputs)} inputs, {len(model.outputs)} outputs"
    return f"<{type(model).__name__}: {counts}, {where}>"


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
        ArgumentError: names that are not known, or no input.
        ContactFmuError: the FMU cannot be read or loaded.
    """
    with _chosen(fmu, inputs, outputs) as chosen:
        return _native.Model.__new__(Model, os.fspath(fmu), interface, *chosen)


@contextmanager
def _chosen(
    fmu: PathLike, inputs: Iterable[str] | None, outputs: Iterable[str] | None
) -> Iterator[tuple[list[str] | None, list[str] | None]]:
    """Names of inputs and outputs; all that the FMU does not have are told at once."""
    chosen = (
        None if inputs is None else several("inputs", inputs),
        None if outputs is None else several("outputs", outputs),
    )
    try:
        yield chosen
    except ContactFmuError as error:
        try:
            known = variables(Path(fmu))
        except ContactFmuError:
            raise error from None
        refuse([x for names in chosen for name in names or () if (x := similar(name, known))])
        raise


class Batch(_native.Batch):
    """Instances of one FMU that threads step side by side, without Python's lock.

    ``batch.y`` is an array with a row of outputs for each instance, which each call writes to;
    ``batch.time`` the times that they have reached [s]; ``batch.ended`` which of them have ended or
    failed, so that steps leave them out until they are reset. Inputs, outputs and units are those of
    a `Model`, and so are the numbers, to the bit. ``save()`` and ``restore(states)`` have a state
    for each instance.
    """

    def __new__(
        cls,
        fmu: PathLike,
        n: int,
        *,
        interface: Interface | None = None,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
        threads: int | None = None,
    ) -> Batch:
        """Unpacks and loads an FMU once.

        Args:
            fmu: the FMU.
            n: number of instances.
            interface: ``"cs"`` or ``"me"``, as in `load`; so are inputs and outputs.
            inputs: names of the columns of `u`.
            outputs: names of the columns of `y`.
            threads: number of threads; one for each core unless given.

        Raises:
            ArgumentError: n or threads is less than 1; names as in `load`.
            ContactFmuError: as `load`.
        """
        if threads is None:
            # Those that this process may use.
            has_set = hasattr(os, "sched_getaffinity")
            threads = len(os.sched_getaffinity(0)) if has_set else os.cpu_count() or 1
        refuse(no_counts(1, n=n or 0, threads=threads))
        with _chosen(fmu, inputs, outputs) as chosen:
            return super().__new__(cls, os.fspath(fmu), n, min(n, threads), interface, *chosen)

    def __repr__(self) -> str:
        return _shown(self, f"{len(self.y)} instances")

    def reset(
        self,
        set: Mapping[str, Number | Sequence[Number] | NDArray[Any]] | None = None,
        *,
        u: ArrayLike | None = None,
        which: ArrayLike | None = None,
        start: float = 0.0,
        stop: float | None = None,
        tolerance: float | None = None,
    ) -> NDArray[np.float64]:
        """Starts again and returns the outputs.

        Args:
            set: start values of parameters by name: one for all, or one for each that starts again.
            u: values of the inputs, a row for all or for each that starts again; start values of the
                FMU unless given.
            which: numbers of the instances, or whether each starts again; all unless given.
            start: start time [s].
            stop: stop time [s], if there is one.
            tolerance: relative tolerance [1]; that of the FMU unless given.

        Raises:
            ArgumentError: a time or the tolerance that cannot be, numbers of values that do not fit.
            SettingError: a value of `set` cannot be had.
            SimulationError: the FMU has refused it.
        """
        numbers(start=start, stop=stop, tolerance=tolerance)
        places = np.arange(len(self.y))
        if which is not None:
            try:
                places = np.ravel(places[np.asarray(which, None if np.size(which) else int)])
            except IndexError:
                limits = f"numbers from 0 to {len(places) - 1}, or whether each"
                raise wrong([f"which is {which}; give {limits}"]) from None
        columns: dict[str, list[Any]] = {}
        for name, values in named(set).items():
            try:
                columns[name] = np.broadcast_to(np.asarray(values, object), places.shape).tolist()
            except ValueError:
                reason = f"set: {name} has {np.size(values)} values for {len(places)} instances"
                raise wrong([reason]) from None
        each = [{name: column[i] for name, column in columns.items()} for i in range(len(places))]
        starts = dict(zip(places.tolist(), map(settings, each)))
        return self._reset(starts, self._rows(u, places), start, stop, tolerance)

    def step(self, h: float, u: ArrayLike | None = None) -> NDArray[np.float64]:
        """Sets the inputs, a row for all or for each instance, takes a step of the length `h` [s] with
        those that have not ended, and returns the outputs.

        Raises:
            ArgumentError: inputs of another shape, a length that cannot be.
            SimulationError: an instance has failed; its outputs are NaN. The others have taken the step.
        """
        numbers(h=h)
        return self._step(h, self._rows(u, slice(None)))

    @property
    def events(self) -> list[list[Event]]:
        """Contacts of each instance since its reset or the last look."""
        return [[Event(*event) for event in events] for events in self._events()]

    def _rows(self, u: ArrayLike | None, which: Any) -> NDArray[np.float64] | None:
        """Inputs with a row for each instance."""
        if u is None:
            return None
        rows = np.zeros((len(self.y), len(self.inputs)))
        try:
            rows[which] = np.asarray(u, float)
        except (TypeError, ValueError):
            fit = rows[which].shape
            shown = " ".join(repr(u).split())[:80]
            limits = f"{fit} or {fit[1:]}"
            raise wrong([f"inputs are {shown}; give numbers of the shape {limits}"]) from None
        return rows
