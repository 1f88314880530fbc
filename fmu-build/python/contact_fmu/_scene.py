"""Scenes and inputs as files or as data."""

from __future__ import annotations

import copy
import csv
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike

from ._errors import Problem
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
            raise TypeError("base is for a scene that is a dict; a file has its own folder")
        return Source(str(Path(scene).absolute()), None)

    def located(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems with names and lines of what the user gave."""
        if self.given is None:
            return list(problems)
        lines = self.given[0].splitlines()

        def located(problem: Problem) -> Problem:
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
    """Columns of a CSV file: numbers, or texts where one of a column is no number."""
    with open(file, newline="", encoding="utf-8") as lines:
        columns = zip(*filter(None, csv.reader(lines)), strict=True)
        return {name.strip(): _numbers(values) for name, *values in columns}


def _numbers(values: list[str]) -> list[Any]:
    try:
        return [float(value) for value in values]
    except ValueError:
        return values


def write_inputs(inputs: Mapping[str, ArrayLike], file: Path) -> None:
    """Writes columns, one of which is ``time``, as the CSV file that the tool reads.

    Raises:
        ValueError: there is no time, or the columns differ in length.
    """
    columns = {str(name): np.atleast_1d(np.asarray(inputs[name], float)) for name in inputs}
    if "time" not in columns:
        raise ValueError(f"input has no column 'time', only {', '.join(columns)}")
    order = ["time", *(name for name in columns if name != "time")]
    lengths = {name: columns[name].shape for name in order}
    if any(shape != lengths["time"] or len(shape) != 1 for shape in lengths.values()):
        raise ValueError(f"each input must be a vector as long as 'time'; found shapes {lengths}")
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(order)
        rows = zip(*(columns[name].tolist() for name in order))
        writer.writerows([repr(number) for number in row] for row in rows)
