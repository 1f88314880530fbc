"""The tool's own `simulate` and FMPy see the same FMU."""

from __future__ import annotations

import csv
import subprocess

import numpy as np
import pytest
from fmpy import read_model_description, simulate_fmu

from conftest import SELF_MOVING


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("scene", SELF_MOVING, ids=lambda path: path.parent.name)
def test_simulate_writes_the_states_that_fmpy_gets(tool, tmp_path, scene, fmi):
    arguments = ["--fmi", fmi, "--out", tmp_path]
    subprocess.run([tool, "simulate", scene, *arguments], check=True, timeout=120)
    (archive,) = tmp_path.glob("*.fmu")
    with archive.with_suffix(".csv").open() as file:
        header, *rows = csv.reader(file)
    found = np.array(rows, float)
    description = read_model_description(str(archive))
    experiment = description.defaultExperiment
    states = [d.variable.derivative.name for d in description.derivatives]
    expected = simulate_fmu(
        str(archive),
        fmi_type="CoSimulation",
        relative_tolerance=float(experiment.tolerance),
        output_interval=float(experiment.stepSize),
        output=states,
    )
    assert len(found) == len(expected) > 100
    assert found[:, header.index("time")] == pytest.approx(expected["time"], abs=1e-12)
    for name in states:
        difference = np.abs(found[:, header.index(name)] - expected[name]).max()
        assert difference <= 1e-9, name


@pytest.mark.parametrize("scene", SELF_MOVING, ids=lambda path: path.parent.name)
def test_both_interfaces_of_simulate_meet_the_same_contacts(tool, tmp_path, scene):
    events = {}
    for interface in ("cs", "me"):
        folder = tmp_path / interface
        arguments = ["--interface", interface, "--tolerance", "1e-10", "--out", folder]
        subprocess.run([tool, "simulate", scene, *arguments], check=True, timeout=120)
        with (folder / "events.csv").open() as file:
            events[interface] = list(csv.DictReader(file))
    assert len(events["cs"]) >= 3
    kinds = {k: [(e["event"], e["pair"]) for e in rows] for k, rows in events.items()}
    assert kinds["me"] == kinds["cs"]
    times = {k: np.array([float(e["time"]) for e in rows]) for k, rows in events.items()}
    assert times["me"] == pytest.approx(times["cs"], abs=1e-6)
