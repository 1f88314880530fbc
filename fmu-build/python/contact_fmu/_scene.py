"""Scenes and inputs as files or as data."""

from __future__ import annotations

import copy
import csv
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import Problem, failed, in_python, refuse, wrong
from ._tool import PathLike

Scene = Union[PathLike, Mapping[str, Any]]
Inputs = Union[PathLike, Mapping[str, ArrayLike]]

# Columns of runs that change the scene begin so.
SCENE = "scene:"
STDIN = "<stdin>"
NAME_OF_DICT = "<dict>"


@dataclass(frozen=True)
class Source:
    """A scene or an FMU as the tool gets it."""

    argument: str
    """Path from everywhere, or ``-``."""
    given: tuple[str, str] | None
    """TOML of a dict, and the folder of the files that it names."""

    @staticmethod
    def of(scene: Scene, base: PathLike | None) -> Source:
        """Of a path, or of a dict with the files that it names in `base`."""
        if isinstance(scene, Mapping):
            folder = os.getcwd() if base is None else os.path.abspath(base)
            return Source("-", (to_toml(scene), folder))
        if base is not None:
            raise wrong(["base is for a scene that is a dict; a file has its own folder"])
        return Source(str(Path(scene).absolute()), None)

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems with names, arguments and lines of what the user gave."""
        lines = self.given[0].splitlines() if self.given else []

        def located(problem: Problem) -> Problem:
            message, help = in_python(problem.message), tuple(map(in_python, problem.help))
            problem = replace(problem, message=message, help=help)
            if problem.file != STDIN:
                return problem
            line = problem.line
            source = lines[line - 1] if line is not None and line <= len(lines) else None
            return replace(problem, file=NAME_OF_DICT, source=source)

        return [located(problem) for problem in problems]


def to_toml(scene: Mapping[str, Any]) -> str:
    """TOML text of a dict.

    Raises:
        ModuleNotFoundError: tomli-w is not installed.
    """
    try:
        import tomli_w
    except ModuleNotFoundError as error:
        message = "a scene that is a dict needs tomli-w: pip install tomli-w"
        raise ModuleNotFoundError(message, name=error.name) from None
    return tomli_w.dumps(_plain(scene))


def _plain(value: Any) -> Any:
    """The same with Python's own types for those of numpy and for paths."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def from_toml(text: str) -> dict[str, Any]:
    """The dict of a TOML text."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    tree: dict[str, Any] = tomllib.loads(text)
    return tree


def changed(scene: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A scene with other values at places such as ``body.ball.shape[1].sphere.diameter``: keys,
    names of tables in a list, numbers from 1.

    Raises:
        LookupError: there is no such place.
    """
    tree: dict[str, Any] = copy.deepcopy(_plain(scene))
    for place, value in changes.items():
        node: Any = tree
        *path, last = re.split(r"[.\[]", place.replace("]", ""))
        try:
            for key in path:
                node = node[_entry(node, key)]
            node[_entry(node, last)] = value
        except (LookupError, TypeError):
            raise LookupError(f"the scene has no {place}") from None
    return tree


def _entry(node: Any, key: str) -> Any:
    if not isinstance(node, list):
        return key
    places = {str(i + 1): i for i in range(len(node))}
    places |= {x["name"]: i for i, x in enumerate(node) if isinstance(x, dict) and "name" in x}
    return places[key]


def read_columns(file: PathLike) -> dict[str, list[Any]]:
    """Columns of a CSV file: numbers, or texts where one of a column is no number.

    Raises:
        ContactFmuError: it cannot be read.
    """
    try:
        with open(file, newline="", encoding="utf-8") as lines:
            rows = [*filter(None, csv.reader(lines))]
    except (OSError, ValueError) as error:
        raise failed("other", f"{file} cannot be read: {error}") from None
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise wrong([f"{file}: row {number} has {len(row)} values, the first {len(rows[0])}"])
    return {name.strip(): _numbers(values) for name, *values in zip(*rows)}


def _numbers(values: list[str]) -> list[Any]:
    try:
        return [float(value) for value in values]
    except ValueError:
        return values


def input_columns(inputs: Any) -> dict[str, NDArray[np.float64]]:
    """Inputs over time, ``time`` first; the index of a data frame that has no such column.

    Raises:
        ArgumentError: all that is wrong with them.
    """
    if not isinstance(inputs, Mapping) and not hasattr(inputs, "columns"):
        raise wrong(
            [f"input is {inputs!r:.80}; give a CSV file, a data frame or a dict of columns"]
        )
    given = {str(name): inputs[name] for name in inputs}
    index = getattr(inputs, "index", None)
    if index is not None and (index.name == "time" or index.dtype.kind == "f"):
        given.setdefault("time", index)
    if "time" not in given:
        raise wrong([f"input has no column 'time', only {', '.join(given)}"])
    columns, reasons = {}, []
    for name in dict.fromkeys(["time", *given]):
        values = np.atleast_1d(np.asarray(given[name], object))
        columns[name] = np.array([_finite(x) for x in values.ravel()])
        size = len(columns["time"])
        if values.shape != (size,) or not size:
            reasons.append(
                f"input: {name} has the shape {values.shape}; all must be vectors of one length, > 0"
            )
        elif np.isnan(columns[name]).any():
            row = int(np.isnan(columns[name]).argmax())
            reasons.append(f"input: {name} is {values[row]!r} in row {row}; must be finite")
        elif name == "time" and (np.diff(columns[name]) < 0).any():
            row = int((np.diff(columns[name]) < 0).argmax()) + 1
            reasons.append(f"input: time is {values[row]} in row {row}; it must not fall")
    refuse(reasons)
    return columns


def _finite(value: Any) -> float:
    """A finite number, or NaN."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def write_inputs(inputs: Any, file: Path) -> None:
    """Writes columns as the CSV file that the tool reads."""
    columns = input_columns(inputs)
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(columns)
        rows = zip(*(column.tolist() for column in columns.values()))
        writer.writerows([repr(number) for number in row] for row in rows)
