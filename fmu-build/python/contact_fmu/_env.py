"""An FMU as an environment of gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._commands import Interface
from ._errors import SimulationError, numbers, refuse, wrong
from ._model import load
from ._sample import LAWS, checked, extra
from ._tool import PathLike

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise extra(error, "gym") from None

Array = NDArray[np.float64]
Bounds = tuple[float, float]


def _box(bounds: Mapping[str, Bounds]) -> Any:
    faults = [x for x, y in bounds.items() if not (np.shape(y) == (2,) and y[0] <= y[1])]
    refuse([f"{name}: bounds are {bounds[name]!r}; give (low, high)" for name in faults])
    limits = np.array(list(bounds.values()), float).reshape(-1, 2)
    return gymnasium.spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float64)


class Env(gymnasium.Env[Array, Array]):
    """An environment whose actions are inputs of an FMU and whose observations are its outputs.

    Equal seeds give equal bits. A run that fails ends its episode, with a reward of its own and the reason
    in ``info["reason"]``.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        fmu: PathLike,
        actions: Mapping[str, Bounds],
        observations: Sequence[str] | Mapping[str, Bounds],
        reward: Callable[[Array, Array], float],
        *,
        step: float,
        duration: float,
        end: Callable[[Array], bool] | None = None,
        parameters: Mapping[str, Sequence[Any]] | None = None,
        failure: float = -100.0,
        interface: Interface | None = None,
    ) -> None:
        """Loads the FMU.

        Args:
            fmu: the FMU.
            actions: inputs with their bounds.
            observations: outputs, with bounds if there are.
            reward: function of observation and action.
            step: time between two actions [s].
            duration: time after which an episode is truncated [s].
            end: whether an observation ends the episode.
            parameters: distributions of parameters drawn at each reset, as in `sample`.
            failure: reward of a run that fails; choose one below all others.
            interface: ``"cs"`` or ``"me"``.

        Raises:
            ArgumentError: a distribution or a time is not possible.
            ContactFmuError: the FMU cannot be loaded, or a name is not known.
        """
        if parameters:
            checked(parameters)
        numbers(step=step, duration=duration, failure=failure)
        if not 0 < step <= duration:
            raise wrong([f"step is {step} s, duration {duration} s; must be 0 < step <= duration"])
        self.model = load(fmu, interface=interface, inputs=actions, outputs=observations)
        self.reward, self.end, self.parameters = reward, end, dict(parameters or {})
        self.failure = failure
        # An episode has a whole number of steps, whatever their sum in floating point.
        self.pace, self.length, self.count = step, round(duration / step), -1
        if not isinstance(observations, Mapping):
            observations = dict.fromkeys(observations, (-np.inf, np.inf))
        self.action_space, self.observation_space = _box(actions), _box(observations)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Starts an episode; ``options["set"]`` has start values beside those that are drawn."""
        super().reset(seed=seed)
        shares = np.clip(self.np_random.random(len(self.parameters)), 1e-16, 1 - 1e-16)
        drawn: dict[str, Any] = {
            name: LAWS[spec[0]].inverse(np.array([share]), *spec[1:]).item()
            for share, (name, spec) in zip(shares, self.parameters.items())
        }
        drawn |= (options or {}).get("set", {})
        self.count = 0
        return np.array(self.model.reset(set=drawn)), {"set": drawn}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Observation, reward, whether the episode has ended, whether its time is over.

        Raises:
            ArgumentError: an action that is not finite, or before a reset.
        """
        if self.count < 0:
            raise wrong(["the environment has no episode yet; reset it first"])
        self.count += 1
        over = self.count >= self.length
        try:
            seen = np.array(self.model.step(self.pace, np.asarray(action, float)))
        except SimulationError as error:
            return np.array(self.model.y), self.failure, True, over, {"reason": str(error)}
        ended = self.model.ended or (self.end is not None and bool(self.end(seen)))
        return seen, float(self.reward(seen, action)), ended, over, {}
