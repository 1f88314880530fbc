"""What a simulation leaves."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._errors import Problem

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Event:
    """The start or the end of a contact, or of an end stop of a joint; an impulse; a latch; a trigger;
    a jump of a prescribed motion.

    Attributes:
        time: time [s].
        event: ``"start"``, ``"end"``, ``"stop start"``, ``"stop end"``, ``"impulse"``,
            ``"latch closes"``, ``"latch opens"``, ``"latch stops"``, ``"trigger on"``,
            ``"trigger off"`` or ``"jump"``.
        pair: names of two bodies, ``ground:ball``, with the shape of one that has several,
            ``ground.plate:ball``; ``joint:lower`` or ``joint:upper`` of an end stop; the latch, the
            trigger, or the body that jumps.
        impact_speed: speed along the normal where a contact starts [m/s]; of the coordinate of an
            end stop [m/s] or [rad/s]; None unless something starts.
        impulse: impulse in world axes [N.s], on the second of a pair; None where there is none.
    """

    time: float
    event: str
    pair: str
    impact_speed: float | None
    impulse: tuple[float, float, float] | None = None


class Page(str):
    """A page of HTML, which notebooks show in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self)}" width="100%" height="480"></iframe>'


class Result(dict[str, NDArray[np.float64]]):
    """Values over time: ``result["time"]`` [s] and an array of the same length for each output, and
    for each input that was given; in SI units and radians.

    ``pandas.DataFrame(result)`` works.
    """

    def __init__(
        self,
        run: dict[str, Any],
        *,
        summary: str = "",
        warnings: Iterable[Problem] = (),
        files: Iterable[Path] = (),
        logged: Iterable[str] = (),
    ) -> None:
        super().__init__(run["columns"])
        self.units: dict[str, str | None] = run["units"]
        """Unit of each variable, None for a pure number."""
        self.descriptions: dict[str, str | None] = run["descriptions"]
        """What each variable is, in the words of the FMU."""
        self.events = [Event(*event) for event in run["events"]]
        """Contacts and end stops that started or ended; empty for an FMU that does not log them."""
        self.summary = summary
        """What the tool prints: contacts, final poses, work of the integrator."""
        self.warnings = list(warnings)
        """Warnings of the scene."""
        self.files = list(files)
        """Files that were written, if a folder was asked for."""
        self.logged = list(logged)
        """Warnings in the log of the FMU."""

    def __missing__(self, name: str) -> NDArray[np.float64]:
        likely = difflib.get_close_matches(name, self, n=3)
        hint = f"did you mean {', '.join(likely)}?" if likely else "list(result) has all names"
        raise KeyError(f"{name} is no variable of the result; {hint}")

    @property
    def time(self) -> NDArray[np.float64]:
        """Times of the rows [s]."""
        return self["time"]

    def to_frame(self) -> pandas.DataFrame:
        """A data frame with the time [s] as index and a column for each output; needs pandas."""
        import pandas

        frame: pandas.DataFrame = pandas.DataFrame(self).set_index("time")
        frame.attrs["units"] = self.units
        return frame

    def plot(self, *names: str) -> Figure:
        """A figure of matplotlib with these variables, all unless given, a panel for each unit."""
        from matplotlib.figure import Figure

        panels: dict[str | None, list[str]] = {}
        for name in names or [name for name in self if name != "time"]:
            panels.setdefault(self.units.get(name), []).append(name)
        figure = Figure(figsize=(8, 1 + 2 * len(panels)), layout="constrained")
        all_axes = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
        for axes, (unit, shown) in zip(all_axes, panels.items()):
            for name in shown:
                axes.plot(self.time, self[name], label=name)
            axes.set_ylabel(f"[{unit or 1}]")
            axes.legend(fontsize="small")
        all_axes[-1].set_xlabel("time [s]")
        return figure

    def replay(self) -> Page:
        """The page of ``simulate(..., out=folder, replay=True)``, which a notebook shows in motion."""
        pages = [file for file in self.files if file.suffix == ".html"]
        if not pages:
            raise ValueError(
                "the run has no page; simulate(..., out=folder, replay=True) writes one"
            )
        return Page(pages[0].read_text(encoding="utf-8"))

    def _repr_html_(self) -> str:
        """The last values as a table, for notebooks."""
        rows = [
            f"<tr><td>{html.escape(name)}</td><td>{values[-1]:.6g}</td>"
            f"<td>{html.escape(self.units.get(name) or '')}</td>"
            f"<td>{html.escape(self.descriptions.get(name) or '')}</td></tr>"
            for name, values in self.items()
        ]
        head = "<tr><th>variable</th><th>last value</th><th>unit</th><th></th></tr>"
        return f"<p>{html.escape(repr(self))}</p><table>{head}{''.join(rows)}</table>"

    def __repr__(self) -> str:
        size = f"{len(self) - 1} variables, {len(self.time)} rows to {self.time[-1]:g} s"
        return f"<Result: {size}, {len(self.events)} events>"
