"""Judges exported FMUs by the rules of the FMI cross-check: their files, and a run in FMPy.

Source: FMI Cross-Check Rules, version 4.1, of the Modelica Association. In this order: what the
path of an FMU says (:class:`Place`), the files beside it (:func:`read_options`,
:func:`read_signals`, :func:`examine`), its run (:func:`run`), the tube around the reference
(:class:`Tube`). Each FMU is judged in a process of its own (:func:`judge`), so that one that ends
it, or never comes back, is a failure of this FMU alone.

FMPy reads, loads and runs the FMU. Files and tube are judged here: ``fmpy.util.read_csv`` splits
names such as ``m[1,2]``, ``read_ref_opt_file`` takes no comments and neither knows a line, and
``validate_signal`` needs scipy, makes ramps of jumps and is 50 times as high as the tube of
csv-compare."""

from __future__ import annotations

import csv
import json
import math
import os
import platform
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
T = TypeVar("T")

OPTIONS, REFERENCE, INPUTS, OWN_RESULT = "_ref.opt", "_ref.csv", "_in.csv", "_cc.csv"
READMES = ("README.md", "ReadMe.md", "readme.md", "README.txt", "readme.txt")
NOT_COMPLIANT = "notCompliantWithLatestRules"
"""Marks an exported FMU that keeps older rules only."""
VERDICTS = ("passed", "failed", "rejected")
"""It ran to its end inside the tube; it ran and something was wrong; FMPy cannot run it."""
IMPORTER = "FMPy"
KINDS = {"cs": "CoSimulation", "me": "ModelExchange"}
PLATFORMS = {
    "c-code": "c-code",
    "darwin64": "x86_64-darwin",
    "linux32": "x86-linux",
    "linux64": "x86_64-linux",
    "win32": "x86-windows",
    "win64": "x86_64-windows",
}
"""The platforms of the rules with their names in FMI 3.0; others have that one in the folders,
too."""

MOST_PROBLEMS = 10
"""Problems of one file that are told; more are of one cause."""
MOST_VARIABLES = 10
"""Variables of a reference, as the rules recommend."""
MOST_BYTES, MOST_FMU_BYTES = 1_000_000, 10_000_000
"""Size of a file and of an FMU [bytes], as FMPy's checks of the repository count."""
MOST_UNPACKED = 1 << 30
"""Size that an FMU unpacks to [bytes]."""
MOST_VALUES = 20_000_000
"""Values that a run keeps: about 2 GiB in FMPy."""
MOST_SAID = 64 * 1024
"""Output of an FMU that is kept [bytes]."""
LEAST_TOLERANCE = 1e-14
"""Relative tolerance of CVODE [1]; a smaller one is below its rounding."""
LEAST_ROWS = 1000
"""Rows of a run where the reference has rows at irregular times."""


class Skipped(Exception):
    """An FMU that keeps the rules and is not for this program: why."""


class Misplaced(Exception):
    """A path that has not the form of the rules: the fault."""


class Rejected(Exception):
    """An FMU that cannot be run or compared: why."""


@dataclass(frozen=True)
class Place:
    """Which FMU of which tool, by sections 9.1.5 and 9.2.4 of the rules. They end with FMI 2.0; an
    FMU of FMI 3.0 has the same folders under ``3.0``."""

    version: str
    kind: str
    platform: str
    tool: str
    tool_version: str
    model: str

    @classmethod
    def of(cls, fmu: Path) -> Place:
        """What the path of an FMU says; a relative one starts in the present folder.

        Raises:
            Skipped: an FMU of FMI 1.0, or one that is not public.
            Misplaced: any other path.
        """
        parts = (Path.cwd() / fmu).parts[-8:]
        if len(parts) < 8:
            raise _misplaced("its path is too short")
        root, version, kind, platform, tool, tool_version, model, name = parts
        if ".." in parts:
            raise _misplaced('".." is one of its last folders; write it without')
        if root != "fmus":
            raise _misplaced(f'the folder "{root}" stands where "fmus" belongs')
        if version == "1.0":
            raise Skipped("FMI 1.0 is not read")
        if version not in ("2.0", "3.0"):
            raise _misplaced(
                f'the folder "{version}" stands where the FMI version belongs, 2.0 or 3.0'
            )
        if kind not in KINDS:
            raise _misplaced(f'the folder "{kind}" stands where cs or me belongs')
        if platform not in PLATFORMS and "-" not in platform:
            raise _misplaced(f'the folder "{platform}" is no platform')
        if Path(name).stem != model:
            raise _misplaced(f'its folder is named "{model}", not like the file')
        if name.endswith(".nofmu"):
            raise Skipped("the FMU is not public (.nofmu); README.md says how to get it")
        return cls(version, kind, platform, tool, tool_version, model)

    def results(self) -> Path:
        """Folder of what FMPy says of the FMU."""
        importer = (self.version, self.kind, self.platform, IMPORTER, metadata.version(IMPORTER))
        return Path("results", *importer, self.tool, self.tool_version, self.model)


def _misplaced(what: str) -> Misplaced:
    form = "fmus/{2.0|3.0}/{cs|me}/{platform}/{tool}/{version}/{model}/{model}.fmu"
    return Misplaced(f"{what}; the path of an FMU ends with {form}")


def host() -> str:
    """The platform of this program by the name of the folders."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64", "i686": "x86"}.get(machine, machine)
    name = f"{machine}-{platform.system().lower()}"
    return next((folder for folder, other in PLATFORMS.items() if other == name), name)


@dataclass(frozen=True)
class Problem:
    """A breach of the rules, or a recommendation that is not followed."""

    file: str
    text: str
    line: int | None = None
    is_advice: bool = False

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        return f"{self.file}{line}:{' advice:' if self.is_advice else ''} {self.text}"


@dataclass
class Found:
    """The problems of one file, in the order in which they are found."""

    file: Path
    problems: list[Problem] = field(default_factory=list)

    def add(self, text: str, line: int | None = None, *, is_advice: bool = False) -> None:
        """Adds one, at a line from 1 or of the file as such."""
        self.problems.append(Problem(str(self.file), text, line, is_advice))

    def told(self) -> list[Problem]:
        """The first of them, and the number of the others."""
        more = len(self.problems) - MOST_PROBLEMS
        rest = [Problem(str(self.file), f"{more} more problems like these")] if more > 0 else []
        return self.problems[:MOST_PROBLEMS] + rest


@dataclass(frozen=True)
class Options:
    """``_ref.opt``, section 9.1.4 of the rules: times [s] and tolerances."""

    start: float
    stop: float
    step: float
    """Step size of a solver, communication step size [s]; 0 for a variable step."""
    tolerance: float
    """Relative [1]; 0 where the tool has none."""
    interval: float | None
    """Time between two rows of the reference [s]."""


def read_options(content: bytes, found: Found) -> Options | None:
    """Reads lines ``Name, value``; None where a number is missing that must be there, or is out of
    range."""
    required = ("StartTime", "StopTime", "StepSize", "RelTol")
    known = (*required, "AbsTol", "OutputIntervalLength", "SolverType")
    numbers: dict[str, float] = {}
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        text = line.partition("//")[0].strip()
        name, comma, value = (part.strip() for part in text.partition(","))
        if not text or (comma and name == "SolverType"):
            continue
        parsed = _number(value)
        if not comma:
            found.add(f'"{text}" is no line "Name, value", as "StopTime, 1.0"', number)
        elif name not in known:
            found.add(f'"{name}" is no setting; there are {", ".join(known)}', number)
        elif parsed is None:
            found.add(f'{name} is "{value}"; it must be a number such as 1e-4', number)
        elif name in numbers:
            found.add(f"{name} is given twice; give it once", number)
        else:
            numbers[name] = parsed
    missing = [name for name in required if name not in numbers]
    for name in missing:
        found.add(f'{name} is missing; add a line "{name}, value"')
    if missing:
        return None
    start, stop, step, tolerance = (numbers[name] for name in required)
    interval = numbers.get("OutputIntervalLength")
    faults = []
    if stop <= start:
        faults.append(f"StopTime is {stop:g} s, StartTime {start:g} s; the stop must be later")
    if not 0 <= step <= max(stop - start, 0):
        words = "it must be 0 for a variable step, or > 0 and at most the duration"
        faults.append(f"StepSize is {step:g} s; {words}")
    if not 0 <= tolerance < 1:
        faults.append(f"RelTol is {tolerance:g}; it must be in [0, 1)")
    if interval is not None and interval <= 0:
        faults.append(f"OutputIntervalLength is {interval:g} s; it must be > 0")
    for fault in faults:
        found.add(fault)
    return None if faults else Options(start, stop, step, tolerance, interval)


def _number(text: str) -> float | None:
    """A finite number as C writes it."""
    with suppress(ValueError):
        value = float(text)
        if math.isfinite(value) and "_" not in text:
            return value
    return None


def read_signals(content: bytes, found: Found) -> NDArray[Any] | None:
    """Reads values over time as FMPy has them, a structured array whose first column is time [s];
    None where they cannot be had.

    Appendix B of the rules: names in double quotes in the first line, time in the first column and
    never falling, numbers as in C, Booleans 0 and 1. The elements of an array of FMI 3.0 share a
    cell and are separated by spaces, as in FMPy."""
    if len(content) > MOST_BYTES:
        words = f"{MOST_BYTES} are allowed: leave variables or rows away"
        found.add(f"has {len(content)} bytes; {words}")
    try:
        text = content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        found.add("is not UTF-8; write names as modelDescription.xml has them")
        return None
    if not text:
        found.add("is empty; the first line names the columns")
        return None
    header, *lines = text.removesuffix("\n").split("\n")
    names = _header(header, found)
    if names is None:
        return None
    rows: list[list[list[float]]] = []
    is_whole = True
    for number, line in enumerate(lines, 2):
        try:
            row = _row(line, names)
            _follows(row, rows[-1] if rows else row, names)
            rows.append(row)
        except ValueError as fault:
            found.add(str(fault), number)
            is_whole = False
    if is_whole and not rows:
        found.add("has no row of values below the names")
    if not is_whole or not rows:
        return None
    sizes = [len(cell) for cell in rows[0]]
    shapes = [(size,) if size > 1 else () for size in sizes]
    columns = [(name, np.float64, shape) for name, shape in zip(names, shapes, strict=True)]
    signals = np.empty(len(rows), dtype=columns)
    for column, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        signals[name] = np.reshape([row[column] for row in rows], (-1, *shape))
    return signals


def _header(line: str, found: Found) -> list[str] | None:
    """Names of the columns; the first is ``time``."""
    # Quotes after a space are part of what the reader takes for the name.
    names = [name.strip().strip('"') for name in next(csv.reader([line]), [])]
    good = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    if good != line.rstrip():
        found.add(f"names must be in double quotes, separated by commas only: {good}", 1)
    if names and names[0].lower() != "time":
        found.add(f'the first column is "{names[0]}"; it must be "time"', 1)
    if len(names) < 2:
        found.add('there is no column of a variable; it must be "time","name", ...', 1)
        return None
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        found.add(f'column "{twice}" is there twice; leave one away', 1)
        return None
    return ["time", *names[1:]]


def _row(line: str, names: list[str]) -> list[list[float]]:
    """The numbers of a line, cell by cell."""
    cells = [cell.strip() for cell in line.split(",")]
    if len(cells) == len(names) + 1 and not cells[-1]:
        raise ValueError("ends with a comma; commas stand between the columns only")
    if len(cells) != len(names):
        raise ValueError(f"has {_counted(len(cells), 'column')}; the first line names {len(names)}")
    row = []
    for name, cell in zip(names, cells, strict=True):
        numbers = [number for word in cell.split() if (number := _number(word)) is not None]
        if not numbers or len(numbers) < len(cell.split()):
            raise ValueError(f'{name} is "{cell}"; {_advice(cell)}')
        row.append(numbers)
    return row


def _follows(row: list[list[float]], last: list[list[float]], names: list[str]) -> None:
    if len(row[0]) > 1:
        raise ValueError("time is an array; it must be one number")
    if row[0][0] < last[0][0]:
        raise ValueError(f"time is {row[0][0]:g} s after {last[0][0]:g} s; it must not fall")
    for name, cell, before in zip(names, row, last, strict=True):
        if len(cell) != len(before):
            words = _counted(len(cell), "element")
            raise ValueError(f"{name} has {words} here and {len(before)} before")


def _advice(cell: str) -> str:
    """What to write in place of a cell that is no number."""
    lower = cell.lower()
    if not cell:
        return "each cell has a number"
    if lower in ("true", "false"):
        return "Booleans are 0 and 1"
    if lower.lstrip("+-") in ("nan", "inf", "infinity"):
        return "only finite numbers are allowed"
    if cell.startswith('"'):
        return "numbers stand without quotes"
    return "it must be a number as in C, such as -1.5e-3; no units, labels or comments"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


@dataclass
class Exported:
    """An exported FMU with its files."""

    path: Path
    place: Place
    description: Any
    """FMPy's ModelDescription."""
    options: Options
    reference: NDArray[Any]
    inputs: NDArray[Any] | None


def examine(path: Path, problems: list[Problem]) -> Exported:
    """Reads an FMU and the files beside it, and adds what is against the rules: section 9.1.

    Raises:
        Rejected: the FMU, or a file beside it, cannot be used.
    """
    place = Place.of(path)
    found = Found(path)
    try:
        description = _described(path, found)
        _check_fmu(path, place, description, found)
    except Exception as error:  # FMPy raises plain exceptions, lxml and zipfile their own.
        found.add(f"cannot be read: {error}")
        raise Rejected(f"the FMU cannot be read: {error}") from None
    finally:
        problems += found.told()

    def read(suffix: str, parse: Callable[[bytes, Found], T | None], *, needed: bool) -> T | None:
        found = Found(path.with_name(place.model + suffix))
        result = None
        try:
            result = parse(found.file.read_bytes(), found)
        except FileNotFoundError:
            other = _misnamed(path, suffix)
            if other is not None:
                found.add(f"is missing; rename {other}, named unlike its folder")
            elif needed:
                found.add("is missing; an exported FMU has it beside it")
        except OSError as error:
            found.add(f"cannot be read: {error.strerror}")
        problems.extend(found.told())
        if result is None and any(not problem.is_advice for problem in found.problems):
            faulty.setdefault(suffix, f"{found.file.name}: {found.problems[0].text}")
        return result

    def table(content: bytes, found: Found, *, is_input: bool = False) -> NDArray[Any] | None:
        signals = read_signals(content, found)
        if signals is None or not _are_known(signals, description, is_input, found):
            return None
        return signals

    def referred(content: bytes, found: Found) -> NDArray[Any] | None:
        signals = table(content, found)
        if signals is None or not _covers(signals["time"], options, found):
            return None
        if (count := len(signals.dtype.names or ()) - 1) > MOST_VARIABLES:
            words = f"{MOST_VARIABLES} important ones are recommended"
            found.add(f"has {count} variables; {words}", is_advice=True)
        return signals

    faulty: dict[str, str] = {}
    options = read(OPTIONS, read_options, needed=True)
    reference = read(REFERENCE, referred, needed=True)
    inputs = read(INPUTS, lambda text, found: table(text, found, is_input=True), needed=False)
    own = read(OWN_RESULT, table, needed=False)
    if off := _outside(reference, own):
        words = f"is outside of the tube in {', '.join(off)}; importers will be, too"
        problems.append(Problem(str(path.with_name(place.model + OWN_RESULT)), words, None, True))
    has_inputs = any(variable.causality == "input" for variable in description.modelVariables)
    if has_inputs and inputs is None and INPUTS not in faulty:
        words = "is missing, and the FMU has inputs; without it they keep their start values"
        problems.append(Problem(str(path.with_name(place.model + INPUTS)), words, is_advice=True))
    if not any(path.with_name(name).exists() for name in READMES):
        words = "is missing; it tells others what the FMU shows and how it was run"
        problems.append(Problem(str(path.with_name(READMES[0])), words, is_advice=True))
    for suffix in (OPTIONS, REFERENCE, INPUTS):
        if suffix in faulty:
            raise Rejected(faulty[suffix])
    assert options is not None
    assert reference is not None
    return Exported(path, place, description, options, reference, inputs)


def _misnamed(path: Path, suffix: str) -> str | None:
    """A file with this end beside the FMU, which is not named like the model."""
    others = (file.name for file in path.parent.iterdir() if file.name.endswith(suffix))
    return min(others, default=None)


def _described(path: Path, found: Found) -> Any:
    """FMPy's model description; what is not by the standard is a problem."""
    from fmpy import read_model_description
    from fmpy.model_description import ValidationError

    with zipfile.ZipFile(path) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > MOST_UNPACKED:
        raise ValueError(f"it unpacks to {unpacked} bytes; {MOST_UNPACKED} are allowed")
    try:
        return read_model_description(path, validate=True)
    except ValidationError as error:
        for problem in error.problems:
            found.add(f"modelDescription.xml: {' '.join(str(problem).split())}")
    return read_model_description(path, validate=False)


def _check_fmu(path: Path, place: Place, description: Any, found: Found) -> None:
    """What the folders say of an FMU and what it says of itself."""
    version = description.fmiVersion[:3]
    if version != place.version:
        words = f"move it to fmus/{version}"
        found.add(f"is an FMU of FMI {version} in a folder {place.version}; {words}")
    if _interface(place, description) is None:
        found.add(f"has no {KINDS[place.kind]}; its folder is named {place.kind}")
    with zipfile.ZipFile(path) as archive:
        names = (name.split("/") for name in archive.namelist() if name.startswith("binaries/"))
        has = sorted({name[1] for name in names if len(name) > 2})
    wanted = {place.platform, PLATFORMS.get(place.platform, place.platform)}
    if place.platform != "c-code" and not wanted & set(has):
        words = f"{place.platform}; it has: {', '.join(has) or 'none'}"
        found.add(f"has no binary for the platform of its folder, {words}")
    if (size := path.stat().st_size) > MOST_FMU_BYTES:
        found.add(f"has {size} bytes; the checks of the repository allow {MOST_FMU_BYTES}")


def _interface(place: Place, description: Any) -> Any:
    return description.coSimulation if place.kind == "cs" else description.modelExchange


def _covers(times: Floats, options: Options | None, found: Found) -> bool:
    """Whether the reference covers some time, and none beyond the run."""
    first, last = times[0], times[-1]
    if len(times) < 2:
        found.add("has one row; at least those of StartTime and StopTime are needed")
        return False
    if first == last:
        found.add(f"has all rows at {first:g} s; it must cover the run")
        return False
    if options is None:
        return True
    rounding = 1e-6 * (options.stop - options.start)
    if abs(first - options.start) > rounding:
        words = f"StartTime in {OPTIONS} is {options.start:g} s"
        found.add(f"starts at {first:g} s; {words}", 2)
    if abs(last - options.stop) > rounding:
        words = f"StopTime in {OPTIONS} is {options.stop:g} s"
        found.add(f"ends at {last:g} s; {words}", len(times) + 1)
    return bool(first >= options.start - rounding and last <= options.stop + rounding)


def _are_known(signals: NDArray[Any], description: Any, is_input: bool, found: Found) -> bool:
    """Whether each signal is a variable of the FMU with as many values, and an input if it has to
    be."""
    variables = {variable.name: variable for variable in description.modelVariables}
    is_good = True
    for name in (signals.dtype.names or ())[1:]:
        variable = variables.get(name)
        size = math.prod(signals.dtype[name].shape)
        if variable is None:
            fault = "is no variable of the FMU; names are those of modelDescription.xml"
        elif is_input and variable.causality != "input":
            words = f"its causality is {variable.causality}: leave the column away"
            fault = f"is no input; {words}"
        elif variable.type in ("String", "Binary", "Clock"):
            fault = "is no number; leave the column away"
        elif (own := math.prod(variable.shape or ())) != size:
            words = f"the variable has {own}, separated by spaces"
            fault = f"has {_counted(size, 'element')}; {words}"
        else:
            continue
        found.add(f'column "{name}" {fault}', 1)
        is_good = False
    return is_good


def run(exported: Exported) -> NDArray[Any]:
    """The variables of the reference over time, of a run in FMPy as the settings say.

    Raises:
        Rejected: FMPy cannot run it.
        Exception: it ran and something was wrong.
    """
    import fmpy

    place, options, description = exported.place, exported.options, exported.description
    interface = _interface(place, description)
    if interface is None:
        raise Rejected(f"the FMU has no {KINDS[place.kind]}")
    if interface.needsExecutionTool:
        raise Rejected("the FMU needs the tool that made it (needsExecutionTool)")
    names = list(exported.reference.dtype.names or ())[1:]
    step = _step(exported)
    tolerance = options.tolerance or None
    if place.kind == "me" and exported.inputs is not None:
        # FMPy holds the inputs of Model Exchange from one output to the next, and longer where a
        # step of CVODE reaches beyond: 1.3 ms in a gripper at 1e-8.
        step /= 16
        tolerance = tolerance and max(tolerance / 10, LEAST_TOLERANCE)
    rows = (options.stop - options.start) / step
    if rows * (exported.reference.dtype.itemsize // 8) > MOST_VALUES:
        words = f"{rows:.0f} rows of {len(names)} variables are too many to keep"
        raise Rejected(f"{place.model}{OPTIONS}: {words}, one each {step:g} s")
    if place.kind == "me" and tolerance is not None and tolerance < LEAST_TOLERANCE:
        words = f"CVODE takes {LEAST_TOLERANCE:g} or more"
        raise Rejected(f"{place.model}{OPTIONS}: RelTol is {tolerance:g}; {words}")
    folder = fmpy.extract(exported.path)
    try:
        instance = fmpy.instantiate_fmu(folder, description, KINDS[place.kind])
    except Exception as error:
        raise Rejected(f"the FMU cannot be loaded: {error}") from None
    reached = options.start

    def finished(time: float, recorder: object) -> bool:
        nonlocal reached
        if place.kind == "cs" and time <= reached:
            raise RuntimeError("the step did not move on in time")
        reached = time
        return True

    try:
        found: NDArray[Any] = fmpy.simulate_fmu(
            folder,
            fmu_instance=instance,
            model_description=description,
            fmi_type=KINDS[place.kind],
            start_time=options.start,
            stop_time=options.stop,
            relative_tolerance=tolerance,
            output_interval=step,
            input=exported.inputs,
            output=names,
            validate=False,
            step_finished=finished,
        )
        instance.freeInstance()
    except Exception as error:
        raise RuntimeError(f"after {reached:g} s: {error}") from error
    # FMPy takes no shorter last step where the FMU cannot.
    if options.stop - (end := found["time"][-1]) >= (1 - 1e-9) * step:
        raise RuntimeError(f"the FMU ended the run at {end:g} s; StopTime is {options.stop:g} s")
    return found


def _step(exported: Exported) -> float:
    """Time between two rows of the run [s]: by the settings, or as the reference has them."""
    options, suggested = exported.options, exported.description.defaultExperiment
    if exported.place.kind == "cs":
        suggestion = suggested and suggested.stepSize
        given = options.step or options.interval or float(suggestion or 0)
    else:
        given = options.interval or 0.0
    return given or row_distance(exported.reference["time"])


def row_distance(times: Floats) -> float:
    """Distance of the rows where they are regular, else one that shows as much [s]."""
    duration, steps = float(times[-1] - times[0]), len(times) - 1
    mean = duration / steps
    is_regular = bool(np.all(np.abs(np.diff(times) - mean) < 1e-3 * mean))
    return mean if is_regular else duration / max(2 * steps, LEAST_ROWS)


@dataclass
class Deviation:
    """How far a signal is from its reference."""

    name: str
    largest: float
    """Largest distance from the reference within its width along time, in half heights of the tube:
    inside up to 1."""
    outside: int
    """Rows of the reference at which the signal is outside."""
    text: str
    """Where it is farthest, and the limits there."""


class Tube:
    """The tube around a reference signal y_ref, which is taken linearly between its rows. A value y
    at the time t of one of them is inside where::

        min y_ref(s) - h <= y <= max y_ref(s) + h     over s in [t - d, t + d]

    d is 0.2 % of the duration, so that a jump or an impact a little early is no failure, and h 0.2
    % of the range of the signal: the relative width of 0.002 in both directions by which
    csv-compare, the tool of the Modelica Association, compares the results of its libraries, and
    with which importers judged submitted FMUs (results of SimulationX 4.0.4 in the repository of
    the cross-check). The rules lay no number down; FMPy takes 1 % of the duration, 10 % of the
    range and lets a tenth of the values be outside."""

    WIDTH = 2e-3
    """Half width along time, relative to the duration."""
    HEIGHT = 2e-3
    """Half height, relative to the range of the signal; to its size if it is constant."""
    LEAST_RELATIVE, LEAST = 1e-5, 1e-9
    """Half height at least, relative to the largest size of the signal (what a solver and few
    digits leave of one that hardly moves), and in its unit (a zero that is rounded)."""

    def __init__(self, times: Floats, values: Floats) -> None:
        half_width = self.WIDTH * (times[-1] - times[0])
        size = np.abs(values).max()
        height = self.HEIGHT * (np.ptp(values) or size)
        self.half_height = max(height, self.LEAST_RELATIVE * size, self.LEAST)
        self.times = times
        windows = (times - half_width, times + half_width)
        ends = [side for end in windows for side in sides(times, values, end)]
        first = np.searchsorted(times, windows[0], "left")
        last = np.searchsorted(times, windows[1], "right")
        inner = [values[a:b] for a, b in zip(first, last, strict=True)]
        self.low: Floats = np.min(np.stack([*ends, [rows.min() for rows in inner]]), axis=0)
        self.high: Floats = np.max(np.stack([*ends, [rows.max() for rows in inner]]), axis=0)

    def deviation(self, name: str, times: Floats, values: Floats) -> Deviation:
        """Of a signal that has rows at other times."""
        # At a jump the side that is nearer.
        both = np.array(sides(times, values, self.times))
        distances = np.maximum(np.maximum(self.low - both, both - self.high), 0)
        distances = np.where(np.isnan(both), np.inf, distances)
        relative = distances.min(axis=0) / self.half_height
        worst = int(relative.argmax())
        found = both[int(distances[:, worst].argmin()), worst]
        low, high = self.low[worst] - self.half_height, self.high[worst] + self.half_height
        text = f"{self.times[worst]:.6g} s: {found:.6g}, the tube goes from {low:.6g} to {high:.6g}"
        return Deviation(name, float(relative[worst]), int((relative > 1).sum()), text)


def sides(times: Floats, values: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Values of a signal before and after each time, different at a jump only; outside of the rows
    the one of the nearest row."""
    first, last = (np.searchsorted(times, at, side) for side in ("left", "right"))
    between = np.interp(at, times, values)
    before = np.where(first < last, values[np.minimum(first, len(times) - 1)], between)
    after = np.where(first < last, values[last - 1], between)
    return before, after


def compare(reference: NDArray[Any], found: NDArray[Any]) -> list[Deviation]:
    """The deviation of each signal of a reference, an array element by element."""
    deviations = []
    for name in (reference.dtype.names or ())[1:]:
        columns, own = (
            np.asarray(table[name], float).reshape(len(table), -1).T for table in (reference, found)
        )
        for index, (expected, values) in enumerate(zip(columns, own, strict=True), 1):
            label = name if len(columns) == 1 else f"{name}, element {index}"
            tube = Tube(reference["time"], expected)
            deviations.append(tube.deviation(label, found["time"], values))
    return deviations


def _outside(reference: NDArray[Any] | None, own: NDArray[Any] | None) -> list[str]:
    """Signals of a reference that an own result has outside of the tube."""
    if reference is None or own is None:
        return []
    if not set(reference.dtype.names or ()) <= set(own.dtype.names or ()):
        return []
    return [deviation.name for deviation in compare(reference, own) if deviation.outside > 0]


def verdict_of(exported: Exported) -> tuple[str, str]:
    """One of :data:`VERDICTS` of an FMU, and the reason."""
    try:
        deviations = compare(exported.reference, run(exported))
    except Rejected as reason:
        return "rejected", str(reason)
    except Exception as error:
        return "failed", str(error)
    outside = [d for d in deviations if d.outside > 0]
    lines = [
        f"{d.name} is outside of the tube in {_counted(d.outside, 'row')}; the farthest at {d.text}"
        for d in outside
    ]
    worst = max(deviations, key=lambda d: d.largest)
    if lines:
        return "failed", "\n".join(lines)
    return "passed", f"{worst.largest:.2g} of the tube, {worst.name}"


def _judge_one(path: Path, answer: Path, *, files_only: bool) -> None:
    """Judges an FMU and writes what is known of it so far: the FMU may end this process."""
    problems: list[Problem] = []

    def tell(verdict: str | None, reason: str) -> None:
        data = {"problems": [vars(x) for x in problems], "verdict": verdict, "reason": reason}
        fresh = answer.with_suffix(".new")
        fresh.write_text(json.dumps(data))
        fresh.replace(answer)

    try:
        exported = examine(path, problems)
    except Rejected as reason:
        tell("rejected", str(reason))
        return
    tell(None, "")
    if not files_only:
        tell(*verdict_of(exported))


@dataclass
class Judgement:
    """What became of an FMU."""

    problems: list[Problem] = field(default_factory=list)
    verdict: str | None = None
    """One of :data:`VERDICTS`; None where it was not run."""
    reason: str = ""


def judge(fmu: Path, time_limit: float, *, files_only: bool) -> Judgement:
    """Judges an FMU in a process of its own, within a time limit [s]."""
    with tempfile.TemporaryDirectory(prefix="contact-fmu-") as folder:
        answer = Path(folder, "answer.json")
        command = [sys.executable, "-u", "-m", __name__, str(fmu), str(answer)]
        child = subprocess.Popen(
            command + (["--files-only"] if files_only else []),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # What an FMU that ends the process leaves goes with this folder.
            env={**os.environ, **dict.fromkeys(["TMPDIR", "TMP", "TEMP"], folder)},
        )
        assert child.stdout is not None
        said = _Tail(child.stdout)
        ended = None
        try:
            child.wait(time_limit)
            if child.returncode != 0:
                ended = f"the FMU ended the process: {_status(child.returncode)}"
        except subprocess.TimeoutExpired:
            ended = f"did not come to its end in {time_limit:g} s; --time-limit allows more"
        finally:
            child.kill()
            child.wait()
        data: dict[str, Any] = {"problems": [], "verdict": None, "reason": ""}
        with suppress(OSError, ValueError):
            data = json.loads(answer.read_text())
        judgement = Judgement(
            [Problem(**x) for x in data["problems"]], data["verdict"], data["reason"]
        )
        if judgement.verdict is None and ended is not None:
            judgement.verdict, judgement.reason = "failed", ended
        if judgement.verdict == "failed" and (words := said.text()):
            judgement.reason += f"\n{words}"
        return judgement


def _status(code: int) -> str:
    """How a process ended."""
    with suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


class _Tail:
    """The last bytes of a stream, read in a thread. A process that an FMU has started may keep the
    stream open for ever."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.kept, self.left_out = b"", 0
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream: IO[bytes]) -> None:
        while block := os.read(stream.fileno(), 8192):
            both = self.kept + block
            self.left_out += max(len(both) - MOST_SAID, 0)
            self.kept = both[-MOST_SAID:]

    def text(self) -> str:
        """What was said, once the process has ended."""
        self.thread.join(1)
        more = (
            f"[{_counted(self.left_out, 'byte')} before this left out]\n" if self.left_out else ""
        )
        return more + self.kept.decode(errors="replace").rstrip()


def fmus(paths: Iterable[Path]) -> list[Path]:
    """The FMUs that paths mean, each once: itself, or all in a folder with those that stand for
    FMUs that are not public, sorted.

    Raises:
        ValueError: a path is neither, or a folder without FMU.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_file() and path.suffix not in (".fmu", ".nofmu"):
            raise ValueError(f"{path}: is no FMU and no folder")
        if not path.exists():
            raise ValueError(f"{path}: there is no such file or folder")
        inside = [path] if path.is_file() else sorted(_walk(path))
        if not inside:
            raise ValueError(f"{path}: there is no FMU in it")
        for fmu in inside:
            found.setdefault(Path(os.path.abspath(fmu)), fmu)
    return list(found.values())


def _walk(folder: Path) -> Iterator[Path]:
    # A link could lead back.
    for parent, _, names in os.walk(folder, followlinks=False):
        yield from (Path(parent, n) for n in names if Path(n).suffix in (".fmu", ".nofmu"))


def check(paths: list[Path], out: Path | None, time_limit: float, *, files_only: bool) -> bool:
    """Judges FMUs, prints a line for each and for each problem of its files as soon as they are
    known, and writes results into `out`. Returns whether all is well: no rule is broken, no FMU
    failed, and each has its result. FMUs of FMI 1.0, that are not public or for other platforms are
    skipped; results of a run on another platform stay."""
    counts = dict.fromkeys([*VERDICTS, "skipped", "error"], 0)
    breaches = advice = 0
    found = fmus(paths)
    for fmu in found:
        judgement, outcome = Judgement(), "error"
        try:
            place = Place.of(fmu)
            is_old = fmu.with_name(NOT_COMPLIANT).exists()
            if is_old and files_only:
                raise Skipped(f"{NOT_COMPLIANT} is beside it")
            here = host()
            foreign = place.platform != here
            judgement = judge(fmu, time_limit, files_only=files_only or foreign)
            if is_old:
                judgement.problems.clear()
            if foreign and not files_only:
                words = f"for the platform {place.platform}; this program runs on {here}"
                raise Skipped(words)
            outcome = judgement.verdict or "files"
            if out is not None and judgement.verdict is not None:
                _write(out / place.results(), place, judgement)
        except Skipped as reason:
            outcome, judgement.reason = "skipped", str(reason)
        except Misplaced as reason:
            judgement.reason = str(reason)
            breaches += 1
        except OSError as error:
            outcome = "error"
            words = f"cannot write into {error.filename}: {error.strerror}"
            judgement.reason = f"{judgement.verdict}, but {words}"
        for problem in judgement.problems:
            print(problem)
            advice += problem.is_advice
            breaches += not problem.is_advice
        if not files_only or outcome in ("skipped", "error"):
            counts[outcome] += 1
            colon = ": " if judgement.reason else ""
            print(f"{fmu}: {outcome}{colon}{judgement.reason.partition(chr(10))[0]}", flush=True)
    numbers = [f"{word} {n}" for word, n in counts.items() if n > 0 or word in VERDICTS]
    numbers = numbers[len(VERDICTS) :] if files_only else numbers
    head = f"FMUs: {len(found)}, breaches of the rules: {breaches}, advice: {advice}"
    print("; ".join([head, *([", ".join(numbers)] if numbers else [])]))
    return breaches == counts["failed"] == counts["error"] == 0


def _write(folder: Path, place: Place, judgement: Judgement) -> None:
    """Writes the file of the verdict and the readme where one is due; then takes older ones
    away."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / str(judgement.verdict)).touch()
    old = [word for word in VERDICTS if word != judgement.verdict]
    if judgement.verdict == "passed":
        old.append("README.md")
    else:
        importer = f"{IMPORTER} {metadata.version(IMPORTER)}"
        subject = f"{place.model} of {place.tool} {place.tool_version}, FMI {place.version}"
        text = f"# {place.model}\n\n{subject}, {KINDS[place.kind]}, {place.platform}: "
        text += f"{judgement.verdict} by {importer}.\n\n{judgement.reason.rstrip()}\n"
        breaches = [problem for problem in judgement.problems if not problem.is_advice]
        if breaches:
            text += "\nAgainst the rules of the cross-check:\n\n"
        for problem in breaches:
            text += f"- {str(problem).removeprefix(str(Path(problem.file).parent) + os.sep)}\n"
        (folder / "README.md").write_text(text, encoding="utf-8")
    for name in old:
        (folder / name).unlink(missing_ok=True)


if __name__ == "__main__":
    _judge_one(Path(sys.argv[1]), Path(sys.argv[2]), files_only=len(sys.argv) > 3)
