"""Granular mode where more balls touch than there are event indicators."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from fmpy.fmi3 import FMU3Slave

SCENE = """format = 1
name = "sand"
[world]
gravity = [0, 0, -9.81]
[experiment]
stop_time = 1.0
step_size = 0.001
solver = "dem"
[contact]
nz_max = 2
damping = "exact"
[[material]]
name = "Bead"
density = 2500.0
youngs_modulus = 7e7
poissons_ratio = 0.25
[[material_pair]]
materials = ["Bead", "Bead"]
restitution = 0.5
sliding_friction = 0.3
[[body]]
name = "ground"
motion = "fixed"
[[body.shape]]
half_space = {}
material = "Bead"
[[grains]]
name = "sand"
diameter = "6 mm"
material = "Bead"
lattice = { counts = [3, 3, 1], spacing = "8 mm", origin = [0, 0, "2.999 mm"] }
[[body]]
name = "pushed"
motion = "free"
position = [1, 0, 0.5]
[[body.shape]]
sphere = { diameter = "20 mm" }
material = "Bead"
[[force]]
name = "push"
body = "pushed"
input = true
"""


@pytest.mark.parametrize("event_mode", [False, True])
def test_events_leave_contacts_beyond_the_indicators_as_they_are(
    build, tmp_path: Path, event_mode: bool
):
    """Nine balls that touch the ground from the start on rest on it, whether inputs change and the
    importer has events updated, or not; two of them have indicators."""
    scene = tmp_path / "sand.toml"
    scene.write_text(SCENE)
    fmu = build(scene)
    names = {v.name: v.valueReference for v in fmu.description.modelVariables}
    inputs = [v.valueReference for v in fmu.description.modelVariables if v.causality == "input"]

    def heights(disturbed: bool) -> np.ndarray:
        instance = FMU3Slave(
            guid=fmu.description.guid,
            unzipDirectory=str(fmu.folder),
            modelIdentifier=fmu.description.coSimulation.modelIdentifier,
            instanceName="sand",
        )
        uses_events = event_mode and disturbed
        instance.instantiate(eventModeUsed=uses_events, earlyReturnAllowed=uses_events)
        instance.enterInitializationMode(startTime=0.0)
        instance.exitInitializationMode()
        if uses_events:
            instance.updateDiscreteStates()
            instance.enterStepMode()
        for step in range(200):
            if uses_events:
                instance.enterEventMode()
                instance.updateDiscreteStates()
                instance.enterStepMode()
            if disturbed:
                instance.setFloat64(inputs[:1], [1e-3 * (step % 3)])
            instance.doStep(1e-3 * step, 1e-3)
        found = instance.getFloat64([names["sand.position"]], nValues=27)
        instance.terminate()
        instance.freeInstance()
        return np.array(found)[2::3]

    mass, modulus = 2500 * np.pi / 6 * 6e-3**3, 7e7 / (1 - 0.25**2) / 2
    # Hertz: a sphere of the same material on a plane, m g = 4/3 E* sqrt(R) depth^(3/2).
    depth = (0.75 * mass * 9.81 / (modulus * np.sqrt(3e-3))) ** (2 / 3)
    plain, disturbed = heights(False), heights(True)
    assert np.abs(plain - (3e-3 - depth)).max() < 0.02 * depth + 2e-8
    assert np.abs(disturbed - plain).max() < 0.02 * depth


@pytest.mark.parametrize(("slots", "warns"), [(2, True), (9, False)])
def test_contacts_between_grains_need_no_indicators(tool, tmp_path: Path, slots: int, warns: bool):
    """Nine balls touch the ground, and each other, and nine more lie on them."""
    scene = tmp_path / "sand.toml"
    two_layers = SCENE.replace('[3, 3, 1], spacing = "8 mm"', '[3, 3, 2], spacing = "5.999 mm"')
    scene.write_text(two_layers.replace("nz_max = 2", f"nz_max = {slots}"))
    command = [tool, "simulate", scene, "--stop", "0.01", "--out", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ("set nz_max >= 9 in [contact]" in done.stdout) == warns, done.stdout
    assert ("indicator slot" in done.stdout) == warns


def test_a_run_that_fails_leaves_the_file_of_bodies_that_was_there(tool, tmp_path: Path):
    scene, bodies = tmp_path / "sand.toml", tmp_path / "sand.xyz"
    scene.write_text(SCENE)
    command = [tool, "simulate", scene, "--stop", "0.01", "--bodies", bodies, "--out", "out"]

    def run(*more: str) -> int:
        found = subprocess.run([*command, *more], cwd=tmp_path, capture_output=True, check=False)
        return found.returncode

    assert run() == 0
    written = bodies.read_text()
    assert written.startswith("9\n") and written.count("Properties=") == 11
    assert run("--set", "experiment.max_steps=5") != 0
    assert bodies.read_text() == written
    assert not list(tmp_path.glob(".fmu-build-*"))
