"""The table of importers: what each of them offers, and how a cell of the table is run and judged.

A cell is one importer, one FMI version and one mode. Each run of a cell is a process of its own:
the driver of the importer, which writes the motion that the importer gave along a reference (see
drivers/grid.py). The deviation of a run is the largest error of any column over the span of the
reference in that quantity (position, velocity, angular velocity).
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DRIVERS = Path(__file__).parent / "drivers"
SECOND_READER = ROOT / "tests" / "second_reader"

MODES = {
    "check": "check",
    "me": "ME",
    "cs": "CS",
    "cs-events": "CS events",
    "state": "state",
    "bytes": "bytes",
}
LEGEND = """\
check      the importer's own validation; for the crate: description parsed, library loaded
ME         Model Exchange with the importer's solver; CasADi: free flight, it handles no events
CS         Co-Simulation with fixed steps
CS events  the same with event mode and early return, which FMI 2.0 does not have
state      state saved half way, run on, restored, run on to equal bits (Co-Simulation)
bytes      the same through bytes loaded by another process
ok 1e-6    every scene follows its reference; largest error over the span of the motion
-          the importer does not offer it"""

# Largest deviation [1]. At the tolerance of 1e-8 that the examples suggest, FMPy's CVODE carries
# 8e-6 through the sixteen impacts of the bouncing ball; another rounding of its steps may make that
# some times larger. A missed impact deviates by more than 1.
BAR = 3e-5
# Times of a result against those of the reference [s]; an importer may sum up its steps.
TIME = 1e-9
# A driver that has not ended by then hangs [s].
TIMEOUT = 300


@dataclass(frozen=True)
class Importer:
    """An importer: its name, the command that drives it, and its modes in each FMI version."""

    name: str
    command: tuple[str, ...]
    modes: Mapping[int, tuple[str, ...]] = field(hash=False)
    # Variables that its processes need.
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    # Simulates scenes in free flight only.
    flight_only: bool = False
    # First row that it reports.
    first_row: int = 0


@dataclass(frozen=True)
class Cell:
    """A cell of the table."""

    importer: Importer
    fmi: int
    mode: str

    def __str__(self) -> str:
        return f"{self.importer.name} fmi{self.fmi} {self.mode}".replace(" ", "-")


@dataclass(frozen=True)
class Reference:
    """A scene, and a CSV file with its motion from an independent computation."""

    scene: Path
    file: Path


def driver(name: str) -> tuple[str, ...]:
    """The command of a driver in Python."""
    return (sys.executable, str(DRIVERS / f"{name}_driver.py"))


def crate_version() -> str:
    """Version of the crate `fmi` that the second reader is built with."""
    lock = tomllib.loads((SECOND_READER / "Cargo.lock").read_text())
    return next(package["version"] for package in lock["package"] if package["name"] == "fmi")


OLD_FMPY = "0.3.29"
# Variables for a process that imports FMPy, by its version; tests/run puts the old one there.
FMPYS = {
    version("fmpy"): {},
    OLD_FMPY: {"PYTHONPATH": str(TARGET / "venv" / f"fmpy-{OLD_FMPY}")},
}
FMPY_MODES = {
    2: ("check", "me", "cs", "state", "bytes"),
    3: ("check", "me", "cs", "cs-events", "state", "bytes"),
}
IMPORTERS = [
    *(
        Importer(f"FMPy {number}", driver("fmpy"), FMPY_MODES, environment)
        for number, environment in FMPYS.items()
    ),
    Importer(
        f"CasADi {version('casadi')}",
        driver("casadi"),
        {2: ("me",), 3: ("me",)},
        flight_only=True,
    ),
    Importer(f"ecos {version('ecospy')}", driver("ecos"), {2: ("cs",), 3: ("cs",)}),
    Importer(
        f"libcosimpy {version('libcosimpy')}",
        driver("libcosim"),
        {2: ("cs",)},
        # It reads no values before the first step.
        first_row=1,
    ),
    Importer(
        f"fmu-manipulation-toolbox {version('fmu-manipulation-toolbox')}",
        driver("toolbox"),
        {2: ("check",), 3: ("check",)},
    ),
    Importer(
        f"crate fmi {crate_version()}",
        (str(TARGET / "checked" / "second-reader"),),
        {2: ("check", "me", "cs", "state", "bytes"), 3: ("check", "me", "cs", "cs-events")},
    ),
]
CELLS = [
    Cell(importer, fmi, mode)
    for importer in IMPORTERS
    for fmi, modes in importer.modes.items()
    for mode in modes
]


def read(path: Path) -> tuple[list[str], np.ndarray]:
    """Column names and rows of a reference or result."""
    with open(path, newline="") as file:
        header = next(csv.reader(file))
        return header, np.loadtxt(file, delimiter=",", ndmin=2)


def deviation(result: Path, reference: Path, first_row: int = 0) -> float:
    """Largest error over the span of the motion [1]; the columns and times must be the same."""
    names, expected = read(reference)
    expected = expected[first_row:]
    found_names, found = read(result)
    assert found_names == names
    # A row at an event lies between two times of the reference: the last one at a time counts.
    wanted = np.searchsorted(found[:, 0], expected[:, 0] + TIME) - 1
    found = found[wanted]
    assert np.isfinite(found).all(), "a value is not a number"
    assert np.abs(found[:, 0] - expected[:, 0]).max() <= TIME, "times are missing"
    quantities = np.array([name.split(".")[-1].split("[")[0] for name in names])
    largest = 0.0
    for quantity in set(quantities[1:]):
        columns = quantities == quantity
        span = np.ptp(expected[:, columns], axis=0).max()
        assert span > 0, f"the reference has no {quantity} that changes"
        largest = max(largest, np.abs(found - expected)[:, columns].max() / span)
    return largest


def call(cell: Cell, mode: str, fmu: Path, reference: Path, result: Path) -> None:
    """Runs the driver; its failure is that of the calling test."""
    command = [*cell.importer.command, mode, str(fmu), str(reference), str(result)]
    assert Path(command[0]).is_file(), f"{command[0]} is missing: run tests/run --full"
    environment = os.environ | cell.importer.environment
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT, env=environment
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def run(cell: Cell, fmu: Path, reference: Path, result: Path) -> float | None:
    """Runs a cell with one FMU; answers the deviation, none for a check."""
    # The bytes are written by one process and read by another.
    call(cell, "bytes-save" if cell.mode == "bytes" else cell.mode, fmu, reference, result)
    if cell.mode == "check":
        return None
    found = deviation(result, reference, cell.importer.first_row)
    if cell.mode == "bytes":
        _, unbroken = read(result)
        call(cell, "bytes-load", fmu, reference, result)
        _, again = read(result)
        assert len(again) == (len(unbroken) - 1) // 2, "not the second half"
        assert np.array_equal(unbroken[-len(again) :], again), "the motion from the bytes differs"
    return found


def table(results: Mapping[str, str]) -> str:
    """The table, of results by the names of cells, with a line for each importer and FMI version; a cell that did not run is blank."""
    rows = [["importer", "FMI", *MODES.values()]]
    for importer in IMPORTERS:
        for fmi, modes in importer.modes.items():
            cells = [
                results.get(str(Cell(importer, fmi, mode)), "") if mode in modes else "-"
                for mode in MODES
            ]
            rows.append([importer.name, f"{fmi}.0", *cells])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([*lines, "", LEGEND])
