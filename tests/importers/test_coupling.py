"""A motor with its controller in a program turns a flywheel in an FMU, through a coupling."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from table import read

pytestmark = pytest.mark.full

COUPLING = ROOT / "examples" / "coupling"


def deviations(build, tmp_path, *step: str) -> dict[str, float]:
    """Largest deviation from the reference of each column."""
    fmu = build(COUPLING / "scene.toml")
    result = tmp_path / "result.csv"
    command = [sys.executable, COUPLING / "run.py", fmu.archive, result, *step]
    subprocess.run(command, check=True, timeout=120)
    names, found = read(result)
    expected_names, expected = read(COUPLING / "reference.csv")
    assert names == expected_names
    assert len(found) == len(expected)
    return dict(zip(names, np.abs(found - expected).max(axis=0), strict=True))


def test_a_motor_in_python_turns_a_flywheel_in_an_fmu_as_both_in_one_system(build, tmp_path):
    """Where a contact starts the torque has a kink, which a step of 0.1 ms takes half a step
    late or early; the impact changes speeds of 30 rad/s by half within 2.2 ms."""
    off = deviations(build, tmp_path)
    assert off["time"] < 1e-12
    assert off["motor.angle"] < 5e-4
    assert off["shaft.angle"] < 5e-4
    assert off["shaft.angular_velocity"] < 0.05
    # Of 0.47 m/s and 0.86 m/s.
    assert off["contact.drive_pin_1.flywheel_claw_2.last_impact_speed"] < 0.01
    assert off["contact.drive_pin_1.flywheel_claw_1.last_impact_speed"] < 0.01


def test_half_of_the_communication_step_makes_a_third_of_the_error_or_less(build, tmp_path):
    """A method of second order makes a quarter; the times of contacts within a step scatter."""
    coarse, fine = (deviations(build, tmp_path, step) for step in ("1e-4", "5e-5"))
    for name in ("motor.angle", "shaft.angle", "motor.speed", "claws.torque"):
        assert fine[name] < coarse[name] / 3, name


def test_without_the_correction_at_the_end_of_a_step_the_error_is_larger(build, tmp_path):
    corrected, plain = (deviations(build, tmp_path, "1e-4", *flag) for flag in ([], ["--plain"]))
    assert plain["motor.angle"] > 5 * corrected["motor.angle"]
