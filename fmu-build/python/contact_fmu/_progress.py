"""Progress of a simulation for people."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from ._tool import Progress


class Display:
    """A bar of tqdm, if that is installed, in a terminal or a notebook; else a line that is
    written over; or what the caller wants instead."""

    def __init__(self, progress: bool | Progress) -> None:
        self.progress = progress
        self.bar: Any = None
        self.shown = False

    @property
    def wanted(self) -> bool:
        """Whether anybody looks."""
        return bool(self.progress)

    def __enter__(self) -> Display:
        if self.progress is True:
            try:
                from tqdm.auto import tqdm
            except ModuleNotFoundError:
                pass
            else:
                form = "{l_bar}{bar}| {n:.3g} of {total:.3g} s [{elapsed}<{remaining}]"
                self.bar = tqdm(total=0.0, unit="s", bar_format=form)
        return self

    def __call__(self, time: float, stop: float) -> None:
        """Shows the time reached [s]."""
        if callable(self.progress):
            self.progress(time, stop)
        elif self.bar is not None:
            self.bar.total = stop
            self.bar.update(time - self.bar.n)
        else:
            self.shown = True
            print(f"\rsimulated {time:.4g} s of {stop:.4g} s", end="", file=sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.close()
        if self.shown:
            print(file=sys.stderr)
