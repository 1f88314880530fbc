"""An explicit solver for Model Exchange: Dormand-Prince 5(4) with event location.

It stands beside FMPy's CVODE and works differently in all that an FMU can notice: it answers after
each accepted step, so that completedIntegratorStep is called there, and leaves an event at the
first time found with a changed domain of an indicator, z > 0 or z <= 0.

Tableau and dense output: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26; Hairer,
Norsett and Wanner, Solving Ordinary Differential Equations I, section II.6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from importer import Instance

NODES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
STAGES = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
ERROR_WEIGHTS = np.array(
    [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]
)
DENSE_WEIGHTS = np.array(
    [
        -12715105075 / 11282082432,
        0,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
    ]
)

# First step after a start or an event [s]; the error control lets it grow.
FIRST_STEP = 1e-6
# Share of the step that an error estimate allows, and the limits of its change.
SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0
# Halvings of a step that locate an event: 2^-60 of a step is below rounding of the time.
HALVINGS = 60


class ExplicitSolver:
    """Integrates an initialised instance with error tolerance * (|x| + nominal) in each state."""

    def __init__(self, instance: Instance, tolerance: float):
        self.instance, self.tolerance = instance, tolerance
        self.nominals = instance.nominals()
        self.reset(0.0)

    def reset(self, _time: float) -> None:
        """Starts anew after an event."""
        self.size = FIRST_STEP
        self.positive = self.instance.indicators() > 0

    def _slope(self, time: float, states: np.ndarray) -> np.ndarray:
        self._move(time, states)
        return self.instance.derivatives()

    def _move(self, time: float, states: np.ndarray) -> None:
        self.instance.raw.setTime(time)
        status = self.instance.set_states(states)
        assert status == 0, f"states at {time}: status {status}"

    def _event_at(self, time: float, states: np.ndarray) -> bool:
        self._move(time, states)
        return bool(np.any((self.instance.indicators() > 0) != self.positive))

    def step(self, time: float, target: float) -> tuple[bool, None, float]:
        """One accepted step, at most to `target`: whether an event ended it, and the new time."""
        before = self.instance.states()
        while True:
            h = min(self.size, target - time)
            k = np.empty((7, len(before)))
            for stage, weights in enumerate(STAGES):
                after = before + h * (np.array(weights) @ k[:stage]) if weights else before
                k[stage] = self._slope(time + NODES[stage] * h, after)
            scale = self.tolerance * (np.maximum(abs(before), abs(after)) + self.nominals)
            error = np.sqrt(np.mean((h * (ERROR_WEIGHTS @ k) / scale) ** 2))
            factor = SAFETY * error**-0.2 if error > 0 else GROW
            if error <= 1:
                # A step cut short by the target says nothing against the size it was cut from.
                self.size = max(self.size if h < self.size else 0, h * min(GROW, factor))
                break
            self.size = h * max(SHRINK, factor)
        end = target if h == target - time else time + h
        if not self._event_at(end, after):
            return False, None, end

        difference = after - before
        bend = h * k[0] - difference
        quintic = (difference - h * k[6] - bend, h * (DENSE_WEIGHTS @ k))

        def between(x: float) -> np.ndarray:
            inner = bend + x * (quintic[0] + (1 - x) * quintic[1])
            return before + x * (difference + (1 - x) * inner)

        low, high, found = 0.0, 1.0, after
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            states = between(middle)
            if self._event_at(time + middle * h, states):
                high, found, end = middle, states, time + middle * h
            else:
                low = middle
        self._move(end, found)
        return True, None, end
