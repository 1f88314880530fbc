"""The tool ``fmu-build`` inside this process."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _native
from ._errors import Problem, Related, error_of

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[float, float], None]

NAME = "fmu-build"


def program(code: str) -> list[str]:
    """The command that runs code in another process, with the modules of this one."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]


def _file() -> str:
    """The extension, beside which FMU binaries may lie."""
    return os.path.realpath(str(_native.__file__))


def main() -> int:
    """Runs the tool as a program with the arguments of this process; its exit code."""
    # Python's own handler only notes Ctrl-C, and nobody looks while the tool runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    again = program("from contact_fmu._tool import main; sys.exit(main())")
    return _native.main([NAME, *sys.argv[1:]], again, _file())


@dataclass
class Answer:
    """What the tool said."""

    text: str
    """Standard output."""
    problems: list[Problem] = field(default_factory=list)
    """Errors and warnings."""
    written: list[str] = field(default_factory=list)
    """Files that were written."""
    logged: list[str] = field(default_factory=list)
    """Warnings in the log of the FMU that was simulated."""
    run: dict[str, Any] | None = None
    """Columns with units and descriptions, and events, of the run of ``simulate``."""
    failed: bool = False
    """Whether the exit code says so."""

    def checked(self) -> Answer:
        """This answer, if the tool did not fail.

        Raises:
            ContactFmuError: it did.
        """
        if self.failed:
            raise error_of(self.problems or [Problem("error", "other", f"{NAME} gave no reason")])
        return self


class _Hearing:
    """Sorts the lines of the tool."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.answer = Answer("")

    def __call__(self, lines: str) -> None:
        for line in filter(None, lines.splitlines()):
            self.hear(json.loads(line))

    def hear(self, said: dict[str, Any]) -> None:
        kind = said.pop("type")
        answer = self.answer
        if kind == "problem":
            said["help"] = tuple(said["help"])
            said["related"] = tuple(Related(**place) for place in said["related"])
            answer.problems.append(Problem(**said))
        elif kind == "written":
            answer.written.append(said["file"])
        elif kind == "slow":
            answer.problems.append(Problem("warning", "simulation", said["message"]))
        elif kind == "interrupted":
            answer.problems.append(Problem("error", "simulation", said["message"]))
        elif kind == "log":
            answer.logged.append(said["message"])
        elif kind == "progress" and self.progress is not None:
            self.progress(said["time"], said["stop"])


def call(
    arguments: Sequence[PathLike],
    *,
    scene: tuple[str, str] | None = None,
    scratch: str | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Runs a command line of the tool to its end.

    An interrupt (Ctrl-C, or the stop button of a notebook) ends a run, and so does an exception of
    `progress`.

    Args:
        arguments: command line behind the name of the tool.
        scene: TOML text in place of standard input, and the folder of the files that it names.
        scratch: folder for the FMU of a run whose results are not written.
        progress: gets the time reached and the stop time [s].
    """
    command = [NAME, "--format", "json", *(os.fspath(x) for x in arguments)]
    hearing = _Hearing(progress)
    code, text, run = _native.call(command, scene, _file(), scratch, hearing)
    answer = hearing.answer
    answer.text, answer.run, answer.failed = text, run, code != 0
    return answer
