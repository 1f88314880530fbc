"""Every importer of the table gives the motion of the references.

They are those beside some of the examples, which share no code with the FMU, and closed forms.
CasADi, which handles no events, gets the first flight of the bouncing ball and a tumbling shaft.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import EXAMPLES, SCENES, tiers
from rigid import free_top, rotation
from table import BAR, CELLS, FMPYS, Reference, deviation, read, run

# Of the fast tier: the importers that no other test has.
QUICK_CELLS = [str(cell) for cell in CELLS if cell.importer.name.split()[0] in ("CasADi", "ecos", "libcosimpy")]
BOUNCING_BALL = next(scene for scene in EXAMPLES if scene.parent.name == "bouncing_ball")


def write(path: Path, names: list[str], rows: np.ndarray) -> Path:
    """Writes a reference with all digits."""
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(names)
        out.writerows([repr(float(value)) for value in row] for row in rows)
    return path


def first_flight(folder: Path) -> Reference:
    """The bouncing ball until it has fallen 1 m, shortly before it touches the plate."""
    names, rows = read(BOUNCING_BALL.parent / "reference.csv")
    flying = rows[:, 0] < np.sqrt(2 / 9.81)
    return Reference(BOUNCING_BALL, write(folder / "flight.csv", names, rows[flying]))


def free_shaft(folder: Path) -> Reference:
    """The shaft of test_free_shaft, from the same closed form, at 51 times."""
    transverse, axial = 7.2711, 0.423
    q0 = np.array([0.943714364147489, 0.2685358227515692, 0.1448781254173692, 0.1276794406957807])
    start, gravity, omega_b = np.array([0, 0.1, 0.6]), np.array([0, 0, -0.3]), np.array([1, 2, 3])
    columns = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}
    names = ["time", *(f"shaft.{c}[{i + 1}]" for c, n in columns.items() for i in range(n))]
    rows = []
    for time in np.linspace(0, 5, 51):
        q, omega_w = free_top(q0, omega_b, transverse, axial, time)
        position, velocity = start * time + gravity * time**2 / 2, start + gravity * time
        rows.append([time, *position, *q, *velocity, *(rotation(q).T @ omega_w)])
    return Reference(SCENES / "free_shaft.toml", write(folder / "shaft.csv", names, np.array(rows)))


@pytest.mark.parametrize("cell", tiers(CELLS, QUICK_CELLS))
def test_importer_follows_the_references_of_the_scenes(cell, build, record_property, tmp_path):
    # The last result counts.
    record_property(str(cell), "FAILED")
    if cell.importer.flight_only:
        references = [first_flight(tmp_path), free_shaft(tmp_path)]
    else:
        # The reference of the shapes ends before they touch: no step returns early in it. The pendulum
        # stands for the scenes with joints. Exact Coulomb friction is not the model's to the bar.
        names = {"bouncing_ball", "two_balls", "pendulum_wall"}
        names |= {"shapes"} if cell.mode != "cs-events" else set()
        scenes = [s for s in EXAMPLES if s.parent.name in names]
        references = [Reference(scene, scene.parent / "reference.csv") for scene in scenes]
    deviations = [
        run(cell, build(reference.scene, fmi=cell.fmi).archive, reference.file, tmp_path / "r.csv")
        for reference in references
    ]
    if cell.mode == "check":
        record_property(str(cell), "ok")
    else:
        assert max(deviations) <= BAR, deviations
        record_property(str(cell), f"ok {max(deviations):.0e}".replace("e-0", "e-"))


@pytest.mark.parametrize("number", FMPYS)
def test_processes_import_the_fmpy_that_they_are_named_after(number):
    command = [sys.executable, "-c", "import fmpy; print(fmpy.__version__)"]
    environment = os.environ | FMPYS[number]
    assert subprocess.check_output(command, text=True, env=environment).strip() == number


def test_deviation_is_the_largest_error_over_the_span_of_its_quantity(tmp_path):
    names = ["time", "a.position[1]", "b.position[1]", "a.velocity[1]"]
    rows = np.array([[0.0, 0, 0, 1], [1, 2, 0, 1.5], [2, 4, 0, 1]])
    reference = write(tmp_path / "reference.csv", names, rows)
    off = rows.copy()
    off[1, 2] = 0.04
    assert deviation(write(tmp_path / "r.csv", names, off), reference) == pytest.approx(0.01)
    off[2, 3] = 1.1
    assert deviation(write(tmp_path / "r.csv", names, off), reference) == pytest.approx(0.2)
    event = np.insert(rows, 2, [1.5, 9, 9, 9], axis=0)
    assert deviation(write(tmp_path / "r.csv", names, event), reference) == 0
    off[1, 1] = np.nan
    with pytest.raises(AssertionError, match="not a number"):
        deviation(write(tmp_path / "r.csv", names, off), reference)
    with pytest.raises(AssertionError, match="times are missing"):
        deviation(write(tmp_path / "r.csv", names, rows[:2]), reference)
