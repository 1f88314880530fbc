"""The tool ``fmu-build`` of this installation as a child process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Union

from ._errors import ContactFmuError, Problem, Related, ToolMissingError, error_of

PathLike = Union[str, "os.PathLike[str]"]
Progress = Callable[[float, float], None]

DISTRIBUTION = "contact-fmu"
NAME = "fmu-build.exe" if os.name == "nt" else "fmu-build"


def tool() -> Path:
    """Path of the tool that was installed with this package; never one of PATH.

    Raises:
        ToolMissingError: it is not there.
    """
    looked: list[Path] = []
    try:
        for file in metadata.files(DISTRIBUTION) or []:
            if file.name == NAME:
                looked.append(Path(str(file.locate())).resolve())
    except metadata.PackageNotFoundError:
        pass
    looked.append(Path(sysconfig.get_path("scripts")) / NAME)
    for path in looked:
        if path.is_file():
            return path
    places = ", ".join(str(path) for path in looked)
    message = f"{NAME} is not at {places}; install {DISTRIBUTION} again"
    raise ToolMissingError([Problem("error", "other", message)])


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
    failed: bool = False
    """Whether the exit code says so."""

    def checked(self) -> Answer:
        """This answer, if the tool did not fail.

        Raises:
            ContactFmuError: it did.
        """
        if self.failed:
            raise error_of(self.problems)
        return self

    def one_written(self, suffix: str = "", beside: str = "") -> Path:
        """The file whose name ends so that was written, other than `beside`.

        Raises:
            ContactFmuError: the tool has named none that is there, or several.
        """
        files = {Path(file) for file in self.written if file.endswith(suffix)}
        found = [file for file in files if file.name != beside and file.is_file()]
        if len(found) == 1:
            return found[0]
        named = ", ".join(self.written) or "none"
        message = f"{NAME} ended well, but did not name one file *{suffix} that is there"
        message += f"; it named {named}"
        raise ContactFmuError([*self.problems, Problem("error", "other", message)])


class _Hearing:
    """Sorts the lines of standard error. What is no object of the tool comes from an FMU or from
    the system's loader; it is kept, and shown where the tool would show it."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.problems: list[Problem] = []
        self.written: list[str] = []
        self.logged: list[str] = []
        self.other: list[str] = []

    def hear(self, line: str) -> None:
        said = _object(line)
        if isinstance(said, Problem):
            self.problems.append(said)
        elif isinstance(said, str):
            self.written.append(said)
        elif isinstance(said, tuple):
            if self.progress is not None:
                self.progress(*said)
        elif isinstance(said, Logged):
            self.logged.append(said.message)
        elif line and not isinstance(said, dict):
            self.other.append(line)
            print(line, file=sys.stderr)


@dataclass(frozen=True)
class Logged:
    """A warning in the log of an FMU."""

    message: str


def _object(line: str) -> Problem | Logged | str | tuple[float, float] | dict[str, Any] | None:
    """A problem, what an FMU has logged, the file that was written, the time reached and the stop
    time, or the data of a scene or an FMU; None if the line is no such object, whole and with values of the right types."""
    try:
        message: Any = json.loads(line)
        kind = message.pop("type")
        if kind == "problem":
            message["help"] = tuple(message["help"])
            message["related"] = tuple(Related(**place) for place in message["related"])
            problem = Problem(**message)
            return problem if _is_sound(problem) else None
        if kind == "written":
            file: Any = message["file"]
            return file if isinstance(file, str) else None
        if kind == "slow":
            return Problem("warning", "simulation", str(message["message"]))
        if kind == "interrupted":
            return Problem("error", "simulation", str(message["message"]))
        if kind == "log":
            text: Any = message["message"]
            return Logged(text) if isinstance(text, str) else None
        if kind in ("scene", "fmu"):
            return dict(message)
        if kind == "progress":
            return float(message["time"]), float(message["stop"])
    # No JSON, no object, other keys, or values of other types; an endless row of brackets.
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return None


def _is_sound(problem: Problem) -> bool:
    texts = [problem.severity, problem.kind, problem.message]
    texts += [*problem.help, *([] if problem.file is None else [problem.file])]
    ends = (problem.line, problem.column, problem.end_line, problem.end_column)
    places = [place for place in ends if place is not None]
    for other in problem.related:
        places += [other.line, other.column, other.end_line, other.end_column]
        texts.append(other.message)
    is_one = problem.severity in ("error", "warning")
    of_type = [isinstance(text, str) for text in texts] + [type(x) is int for x in places]
    return is_one and all(of_type)


def call(
    arguments: Sequence[PathLike],
    *,
    stdin: bytes | None = None,
    folder: PathLike | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Runs the tool to its end.

    An interrupt (Ctrl-C, or the stop button of a notebook) ends it at once, and so does an
    exception of `progress`; its temporary files are in a folder that is removed in any case.

    Args:
        arguments: command line behind the name of the tool.
        stdin: what it reads from standard input.
        folder: its working directory.
        progress: gets the time reached and the stop time [s].
    """
    command = [str(tool()), "--format", "json", *(os.fspath(x) for x in arguments)]
    hearing = _Hearing(progress)
    with tempfile.TemporaryDirectory(prefix="contact-fmu-") as scratch:
        places = dict.fromkeys(["TMPDIR", "TMP", "TEMP"], scratch)
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **places},
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            output: list[bytes] = []
            reader = threading.Thread(target=_read, args=(child.stdout, output), daemon=True)
            reader.start()
            try:
                if stdin is not None:
                    _write(child, stdin)
                for line in child.stderr:
                    hearing.hear(line.decode("utf-8", "replace").rstrip("\r\n"))
            except BaseException:
                child.kill()
                raise
            finally:
                reader.join()
            code = child.wait()
    answer = Answer(
        _text(output), hearing.problems, hearing.written, hearing.logged, failed=code != 0
    )
    if answer.failed and not any(x.severity == "error" for x in answer.problems):
        message = f"{NAME} ended with exit code {code} and no message"
        said = "\n".join(hearing.other)
        answer.problems.append(Problem("error", "other", message, help=(said,) if said else ()))
    return answer


def _read(stream: IO[bytes], into: list[bytes]) -> None:
    into.append(stream.read())


def _write(child: subprocess.Popen[bytes], content: bytes) -> None:
    assert child.stdin is not None
    # A tool that has found its command line wrong does not read.
    with suppress(OSError):
        child.stdin.write(content)
    with suppress(OSError):
        child.stdin.close()


def _text(output: list[bytes]) -> str:
    return b"".join(output).decode("utf-8", "replace")
