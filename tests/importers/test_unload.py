"""A library that is unloaded leaves nothing behind: nothing that runs when the importer's thread ends, and
no part of it in the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import tiers

SCENE = """format = 1
name = "balls"
[world]
gravity = [0, 0, -9.81]
[experiment]
stop_time = 1.0
solver = "{solver}"
threads = {threads}
[[body]]
name = "ground"
motion = "fixed"
[[body.shape]]
half_space = {{}}
material = "Steel"
"""
BALL = """[[body]]
name = "b{i}"
motion = "free"
position = [{x}, 0, {z}]
[[body.shape]]
sphere = {{ radius = 0.1 }}
material = "Steel"
"""
# 64 balls in contact, so that as many as four threads share them.
BALLS = "".join(BALL.format(i=i, x=0.25 * i, z=0.09999) for i in range(64))
PROGRAM = """
import sys, threading
from fmpy.fmi3 import FMU3Slave
from fmpy import read_model_description
folder = sys.argv[1]
description = read_model_description(folder)
def run():
    fmu = FMU3Slave(guid=description.guid, unzipDirectory=folder, instanceName="x",
                    modelIdentifier=description.coSimulation.modelIdentifier)
    fmu.instantiate()
    fmu.enterInitializationMode(startTime=0.0)
    fmu.exitInitializationMode()
    for step in range(20):
        fmu.doStep(1e-3 * step, 1e-3)
    fmu.terminate()
    fmu.freeInstance()  # which unloads the library
for _ in range(3):
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert "balls." not in open("/proc/self/maps").read(), "the library is still there"
print("ended")
"""


@pytest.mark.parametrize("solver", tiers(["auto", "dem"], {"auto"}))
@pytest.mark.parametrize("threads", tiers([1, 2, 4], {"2"}))
def test_a_thread_that_has_stepped_ends_after_the_library_is_unloaded(
    build, tmp_path: Path, solver: str, threads: int
):
    scene = tmp_path / "balls.toml"
    scene.write_text(SCENE.format(solver=solver, threads=threads) + BALLS)
    fmu = build(scene)
    command = [sys.executable, "-c", PROGRAM, fmu.folder]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stdout.strip()) == (0, "ended"), found.stderr
