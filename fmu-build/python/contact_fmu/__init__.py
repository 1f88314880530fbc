"""Builds FMUs with rigid-body contact from scene files, and simulates them.

    import contact_fmu

    fmu = contact_fmu.build("scene.toml")
    result = contact_fmu.simulate(fmu, stop=2.0)
    result["ball.position[3]"].max()        # [m]

All numbers are in SI units and radians. What the tool ``fmu-build`` reports of a scene comes as
exceptions and warnings with file, line and column.
"""

from __future__ import annotations

from importlib import metadata as _metadata
from typing import TYPE_CHECKING

from ._commands import Report, build, check, inspect, run, simulate
from ._errors import (
    ArgumentError,
    ContactFmuError,
    Problem,
    Related,
    SceneError,
    SceneWarning,
    SettingError,
    SimulationError,
)
from ._identify import Fit, identify
from ._model import Batch, Model, load
from ._result import Event, Result
from ._sample import problem, sample
from ._study import Study
from ._sweep import sweep

if TYPE_CHECKING:
    from ._env import Env

__version__ = _metadata.version("contact-fmu")

__all__ = [
    "ArgumentError",
    "Batch",
    "ContactFmuError",
    "Event",
    "Fit",
    "Model",
    "Problem",
    "Related",
    "Report",
    "Result",
    "SceneError",
    "SceneWarning",
    "SettingError",
    "SimulationError",
    "Study",
    "build",
    "check",
    "identify",
    "inspect",
    "load",
    "problem",
    "run",
    "sample",
    "simulate",
    "sweep",
]


def __getattr__(name: str) -> type[Env]:
    # Its base class is of a package that may be missing.
    if name != "Env":
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from ._env import Env

    return Env
