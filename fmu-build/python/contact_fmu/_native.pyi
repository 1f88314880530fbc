from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

Floats = NDArray[np.float64]

def call(
    arguments: Sequence[str],
    scene: tuple[str, str] | None,
    beside: str,
    scratch: str | None,
    hear: Callable[[str], None],
) -> tuple[int, str, dict[str, Any] | None]: ...
def main(arguments: Sequence[str], program: Sequence[str], beside: str) -> int: ...

class State: ...

class Model:
    inputs: list[str]
    outputs: list[str]
    units: dict[str, str | None]
    time: float
    ended: bool
    y: Floats
    logged: list[str]
    def __new__(
        cls,
        fmu: str,
        interface: str | None,
        inputs: list[str] | None,
        outputs: list[str] | None,
    ) -> Self: ...
    def _reset(
        self,
        set: list[str],
        u: ArrayLike | None,
        start: float,
        stop: float | None,
        tolerance: float | None,
    ) -> Floats: ...
    def step(self, h: float, u: ArrayLike | None = None) -> Floats: ...
    def save(self) -> State: ...
    def restore(self, state: State) -> Floats: ...
    def _events(self) -> list[tuple[Any, ...]]: ...
    def _run(
        self,
        set: list[str],
        input: str | None,
        stop: float | None,
        step: float | None,
        tolerance: float | None,
    ) -> tuple[dict[str, Any], list[str]]: ...

class Batch:
    inputs: list[str]
    outputs: list[str]
    units: dict[str, str | None]
    time: Floats
    ended: NDArray[np.bool_]
    y: Floats
    def __new__(
        cls,
        fmu: str,
        count: int,
        threads: int,
        interface: str | None,
        inputs: list[str] | None,
        outputs: list[str] | None,
    ) -> Self: ...
    def _reset(
        self,
        set: dict[int, list[str]],
        u: ArrayLike | None,
        start: float,
        stop: float | None,
        tolerance: float | None,
    ) -> Floats: ...
    def _step(self, h: float, u: ArrayLike | None) -> Floats: ...
    def save(self) -> list[State]: ...
    def restore(self, states: list[State]) -> Floats: ...
    def _events(self) -> list[list[tuple[Any, ...]]]: ...
