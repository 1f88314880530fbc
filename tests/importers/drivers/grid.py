"""What every driver shares: the reference that it follows and the result that it writes.

A driver is called `driver.py MODE FMU REFERENCE RESULT`. REFERENCE is a CSV file whose first column
is the time [s], on an even grid, and whose other columns are named after Float64 (Real) variables;
the driver runs the FMU in MODE and writes RESULT with the same times and columns, from the importer
alone. Mode bytes-save writes the bytes of a state to RESULT with the ending `state`, too, and mode
bytes-load starts from them. A driver ends with an exception where the importer does.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Grid:
    """Times [s] at which the variables `names` are wanted."""

    times: list[float]
    names: list[str]

    @property
    def step(self) -> float:
        """Distance of two times [s], rounded to the decimal number that it stands for."""
        return float(f"{(self.times[-1] - self.times[0]) / (len(self.times) - 1):.12g}")


@dataclass(frozen=True)
class Job:
    """The command line of a driver."""

    mode: str
    fmu: Path
    grid: Grid
    result: Path

    @classmethod
    def from_command_line(cls) -> Job:
        """Reads the command line and the reference."""
        mode, fmu, reference, result = sys.argv[1:]
        with open(reference, newline="") as file:
            header, *rows = csv.reader(file)
        grid = Grid([float(row[0]) for row in rows], header[1:])
        return cls(mode, Path(fmu), grid, Path(result))

    def write(self, rows: Iterable[Sequence[float]]) -> None:
        """Writes the result: rows of the time and the values."""
        with open(self.result, "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["time", *self.grid.names])
            out.writerows([repr(float(value)) for value in row] for row in rows)
