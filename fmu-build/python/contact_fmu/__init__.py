"""Builds FMUs with rigid-body contact from scene files, and simulates them.

    import contact_fmu

    fmu = contact_fmu.build("scene.toml")
    result = contact_fmu.simulate(fmu, stop=2.0)
    result["ball.position[3]"].max()        # [m]

All numbers are in SI units and radians. The functions run the tool ``fmu-build`` that is installed
with this package, in a process of its own; what it reports of a scene comes as exceptions and
warnings with file, line and column.
"""

from __future__ import annotations

from importlib import metadata as _metadata

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
    ToolMissingError,
)
from ._identify import Fit, identify
from ._result import Event, Result
from ._sample import problem, sample
from ._sweep import Study, sweep
from ._tool import tool

__version__ = _metadata.version("contact-fmu")

__all__ = [
    "ArgumentError",
    "ContactFmuError",
    "Event",
    "Fit",
    "Problem",
    "Related",
    "Report",
    "Result",
    "SceneError",
    "SceneWarning",
    "SettingError",
    "SimulationError",
    "Study",
    "ToolMissingError",
    "build",
    "check",
    "identify",
    "inspect",
    "problem",
    "run",
    "sample",
    "simulate",
    "sweep",
    "tool",
]
