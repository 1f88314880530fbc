"""Problems as data, and the exceptions that carry them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any


@dataclass(frozen=True)
class Related:
    """A place that has to do with a problem."""

    line: int
    """Line, from 1."""
    column: int
    """Column in characters, from 1."""
    end_line: int
    """Line of its end."""
    end_column: int
    """Column behind its last character."""
    message: str
    """What is there."""


@dataclass(frozen=True)
class Problem:
    """A problem or a warning, as the tool reports it."""

    severity: str
    """``"error"`` or ``"warning"``."""
    kind: str
    """``"scene"``, ``"setting"``, ``"simulation"``, ``"usage"`` or ``"other"``."""
    message: str
    """What was found, what is allowed."""
    file: str | None = None
    """Scene file, as it was given; ``"<dict>"`` for a scene that was given as a dict."""
    line: int | None = None
    """Line, from 1; of a dict, that of its TOML text."""
    column: int | None = None
    """Column in characters, from 1."""
    end_line: int | None = None
    """Line of the end of the place."""
    end_column: int | None = None
    """Column behind its last character."""
    help: tuple[str, ...] = ()
    """What to do, an entry for each way, with lines to write; or what was left behind."""
    related: tuple[Related, ...] = ()
    """Other places of the same file that have to do with it."""
    source: str | None = None
    """That line of the TOML text of a dict."""

    def __str__(self) -> str:
        place = ""
        if self.file is not None:
            position = "" if self.line is None else f":{self.line}:{self.column}"
            place = f"{self.file}{position}: {self.severity}: "
        elif self.severity == "warning":
            place = "warning: "
        source = "" if self.source is None else f"\n  in the line: {self.source.strip()}"
        texts = [text.replace("\n", "\n  ") for text in self.help]
        return f"{place}{self.message}{source}" + "".join(f"\n  help: {x}" for x in texts)


class ContactFmuError(Exception):
    """Any failure of the tool."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: list[Problem] = list(problems)
        """Errors and warnings in the order in which the tool reports them."""
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.problems,))


class SceneError(ContactFmuError, ValueError):
    """The scene has problems: each with file, line, column, message."""


class SettingError(ContactFmuError, ValueError):
    """A parameter of ``set`` is not known, or its value cannot be had."""


class ArgumentError(ContactFmuError, ValueError):
    """An argument is out of range, or two of them exclude each other."""


class SimulationError(ContactFmuError):
    """A simulation did not come to its end."""


class SceneWarning(UserWarning):
    """Something in a scene is allowed but deserves a word."""


KINDS: dict[str, type[ContactFmuError]] = {
    "scene": SceneError,
    "setting": SettingError,
    "simulation": SimulationError,
    "usage": ArgumentError,
}


def failed(kind: str, message: str) -> ContactFmuError:
    """The exception for one problem."""
    return error_of([Problem("error", kind, in_python(message))])


def wrong(reasons: Sequence[str]) -> ArgumentError:
    """All that is wrong with arguments, as one exception."""
    return ArgumentError([Problem("error", "usage", reason) for reason in reasons])


def refuse(reasons: Sequence[str]) -> None:
    """Raises all reasons at once, if there are any."""
    if reasons:
        raise wrong(reasons)


def numbers(**values: Any) -> None:
    """Refuses arguments that are no finite numbers; None is not given."""
    refuse(
        [
            f"{name} is {x!r:.80}; must be a finite number"
            for name, x in values.items()
            if x is not None and not (isinstance(x, Real) and math.isfinite(x))
        ]
    )


def no_counts(least: int, **values: Any) -> list[str]:
    """What is wrong with whole numbers; None is not given."""
    return [
        f"{name} is {x!r:.80}; must be a whole number, {least} or more"
        for name, x in values.items()
        if x is not None and (isinstance(x, bool) or not isinstance(x, Integral) or int(x) < least)
    ]


def in_python(message: str) -> str:
    """A message of the tool with arguments of Python in place of options."""
    message = re.split(r"\n+(?:Usage:|For more information)", message)[0]
    message = re.sub(r"\S*contact-fmu-\w+[/\\]inputs\.csv", "input", message)
    message = re.sub(r"'(--[a-z-]+)[^']*'", r"\1", message)
    message = re.sub(r"\bfmu-build inspect FILE\.fmu", "contact_fmu.inspect(fmu)", message)
    message = re.sub(r"\bfmu-build (build|check|inspect|simulate)\b", r"contact_fmu.\1", message)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)", lambda x: _argument(x[1]), message)


def _argument(option: str) -> str:
    plural = {"binary": "binaries", "platform": "platforms", "speed": "speeds"}
    return plural.get(option, option.replace("-", "_"))


def error_of(problems: Sequence[Problem]) -> ContactFmuError:
    """The exception for what a failed tool has reported."""
    errors = [problem for problem in problems if problem.severity == "error"]
    kind = errors[0].kind if errors else "other"
    return KINDS.get(kind, ContactFmuError)(problems)
