"""Drivers with fixed steps: plain functions of an instance's answers, so that equal instances give
equal bits.

As a program it continues a run in a new process:

    fixed_steps.py ARCHIVE FOLDER KIND COUNT STEPS < state > states

restores a serialised state, taken after COUNT steps of the driver, in a new instance of the
unpacked FMU, takes STEPS more, and writes the continuous states after each as float64.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from importer import Fmu, Instance, do_step

# Communication step [s] of Co-Simulation; Model Exchange takes STEPS_PER_STEP for each.
STEP = 1e-3
STEPS_PER_STEP = 4


class FixedStepImporter:
    """Classic Runge-Kutta of order 4 with fixed steps [s] on an ME instance.

    An indicator that changes its domain over a step is an event at the end of that step.
    """

    def __init__(self, instance: Instance, count: int = 0):
        self.instance, self.step, self.count = instance, STEP / STEPS_PER_STEP, count
        self.positive = instance.indicators() > 0

    @property
    def time(self) -> float:
        return self.count * self.step

    def slope(self, time: float, states: np.ndarray) -> np.ndarray:
        self.instance.raw.setTime(time)
        assert self.instance.set_states(states) == 0
        return self.instance.derivatives()

    def advance(self, steps: int) -> np.ndarray:
        """Takes steps; answers the states after each."""
        rows = []
        for _ in range(steps):
            h, t, x = self.step, self.time, self.instance.states()
            a = self.slope(t, x)
            b = self.slope(t + h / 2, x + h / 2 * a)
            c = self.slope(t + h / 2, x + h / 2 * b)
            d = self.slope(t + h, x + h * c)
            self.count += 1
            self.instance.raw.setTime(self.time)
            assert self.instance.set_states(x + h / 6 * (a + 2 * b + 2 * c + d)) == 0
            step_event, _ = self.instance.raw.completedIntegratorStep()
            if step_event or np.any((self.instance.indicators() > 0) != self.positive):
                self.instance.event()
                self.positive = self.instance.indicators() > 0
            rows.append(self.instance.states())
        return np.array(rows)


class Stepper:
    """The same interface for a CS instance: communication steps of `STEP`."""

    def __init__(self, instance: Instance, count: int = 0):
        self.instance, self.count = instance, count

    def advance(self, steps: int) -> np.ndarray:
        """Takes steps; answers the states after each."""
        rows = []
        for _ in range(steps):
            status, *_ = do_step(self.instance, self.count * STEP, STEP)
            assert status == 0, self.instance.messages()
            self.count += 1
            rows.append(self.instance.states())
        return np.array(rows)


def driver(instance: Instance, count: int = 0) -> FixedStepImporter | Stepper:
    """The driver of an instance in Continuous-Time or Step Mode, after `count` of its steps."""
    return (FixedStepImporter if instance.kind == "me" else Stepper)(instance, count)


def continue_run(fmu: Fmu, kind: str, data: bytes, count: int, steps: int) -> np.ndarray:
    """Restores a serialised state in a new instance, which has not been initialised."""
    with fmu.instance(kind) as instance:
        instance.restore(data)
        return driver(instance, count).advance(steps)


if __name__ == "__main__":
    archive, folder, kind, count, steps = sys.argv[1:]
    fmu = Fmu(Path(archive), Path(folder))
    rows = continue_run(fmu, kind, sys.stdin.buffer.read(), int(count), int(steps))
    sys.stdout.buffer.write(rows.tobytes())
