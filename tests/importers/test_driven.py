"""Driven bodies: an outer program integrates what the FMU only feels, and gets the motion of a free body."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from fmpy import simulate_fmu

from conftest import ROOT
from importer import OK, Instance, do_step, run, simulate_me
from table import read

MASS, GRAVITY = 1.0, 9.81
HEIGHT = 0.3
SOFT = ('law = "hertz"', 'law = "spring"'), ("restitution = 0.7", "restitution = 0.7\nstiffness = 1e4")
DRIVEN = ('motion = "free"', 'motion = "driven"')
HAMMER = ROOT / "examples" / "driven_hammer"
GRIPPER = ROOT / "examples" / "gripper"


class OuterBall:
    """The ball outside, as an instance of Model Exchange that a solver can drive: height and speed are
    its states, the force comes from the FMU."""

    def __init__(self, instance: Instance):
        self.instance = instance
        # Time, events and completed steps are those of the FMU.
        self.raw, self.event, self.get = instance.raw, instance.event, instance.get
        self.inner = np.array([HEIGHT, 0.0])

    @property
    def next_event_time(self) -> float:
        return self.instance.next_event_time

    def nominals(self) -> np.ndarray:
        return np.array([0.1, 1.0])

    def states(self) -> np.ndarray:
        return self.inner.copy()

    def set_states(self, states: np.ndarray) -> int:
        self.inner = np.array(states, float)
        tell = {"ball.position[3]": states[0], "ball.velocity[3]": states[1]}
        return self.instance.set_status(tell)

    def derivatives(self) -> np.ndarray:
        (force,) = self.instance.get("ball.contact_force[3]")
        return np.array([self.inner[1], force / MASS - GRAVITY])

    def indicators(self) -> np.ndarray:
        return self.instance.indicators()


def heights_of_free_ball(build, fmi: int, changes: tuple, grid: np.ndarray) -> np.ndarray:
    fmu = build("ball_on_plate", *changes, fmi=fmi)
    result, starts = run(fmu, "cs", grid, 1e-10)
    assert len(starts) >= 3
    return result.states[:, fmu.index("ball.position[3]")]


@pytest.mark.full
def test_a_ball_that_a_script_integrates_in_steps_bounces_like_a_free_one(build, fmi):
    """Heun's method: the force at the end of a step is felt with the velocity guessed for there."""
    step = 1e-4
    count = 15000
    grid = np.arange(count // 100 + 1) * 100 * step
    expected = heights_of_free_ball(build, fmi, SOFT, grid)
    fmu = build("ball_on_plate", *SOFT, DRIVEN, fmi=fmi)
    found = [HEIGHT]
    with fmu.instance("cs") as instance:

        def force(position: float, velocity: float) -> float:
            instance.set({"ball.position[3]": position, "ball.velocity[3]": velocity})
            return instance.get("ball.contact_force[3]")[0]

        instance.initialize(tolerance=1e-8)
        position, velocity = HEIGHT, 0.0
        a = force(position, velocity) / MASS - GRAVITY
        for k in range(count):
            # The mean velocity of the step carries the ball in the FMU where it goes outside.
            force(position, velocity + step / 2 * a)
            assert do_step(instance, k * step, step)[0] == OK
            position += step * velocity + step**2 / 2 * a
            guess = force(position, velocity + step * a) / MASS - GRAVITY
            velocity += step / 2 * (a + guess)
            a = force(position, velocity) / MASS - GRAVITY
            if (k + 1) % 100 == 0:
                found.append(position)
    assert np.abs(np.array(found) - expected).max() <= 1e-4


def test_a_stiff_ball_that_an_outer_solver_integrates_bounces_like_a_free_one(build, fmi):
    grid = np.linspace(0, 1, 101)
    expected = heights_of_free_ball(build, fmi, (), grid)
    fmu = build("ball_on_plate", DRIVEN, fmi=fmi)
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-10)
        result = simulate_me(OuterBall(instance), grid, 1e-10, explicit=True)
        assert len(instance.contact_starts()) >= 3
    assert np.abs(result.states[:, 0] - expected).max() <= 1e-5


def test_the_driven_hammer_follows_the_reference_of_both_bodies(build, tmp_path):
    """The impact starts within a step of 0.1 ms, where the torque that the hammer feels has a kink: a
    velocity of 2 m/s for half a step is the size of what is left."""
    fmu = build(HAMMER / "scene.toml")
    result = tmp_path / "result.csv"
    command = [sys.executable, HAMMER / "drive.py", fmu.archive, result]
    subprocess.run(command, check=True, timeout=60)
    names, found = read(result)
    expected_names, expected = read(HAMMER / "reference.csv")
    assert names == expected_names
    assert len(found) == len(expected)
    off = np.abs(found - expected).max(axis=0)
    assert off[0] < 1e-9
    assert off[names.index("hammer.angle")] < 1e-4 / 0.5
    assert off[names.index("ball.position[1]")] < 1e-4
    assert expected[-1, names.index("ball.position[1]")] > 0.9, "the ball was hit"


class FedInputs:
    """An instance of Model Exchange whose inputs follow a table, at every time that is set."""

    def __init__(self, instance: Instance, names: list[str], rows: np.ndarray):
        self.instance, self.names, self.rows = instance, names, rows
        self.raw = self

    def __getattr__(self, name: str):
        return getattr(self.instance, name)

    def setTime(self, time: float) -> None:  # noqa: N802 - FMPy's name
        self.instance.raw.setTime(time)
        columns = enumerate(self.names[1:], start=1)
        self.instance.set({n: np.interp(time, self.rows[:, 0], self.rows[:, i]) for i, n in columns})

    def completedIntegratorStep(self) -> tuple[bool, bool]:  # noqa: N802 - FMPy's name
        return self.instance.raw.completedIntegratorStep()


def gripper_inputs() -> tuple[list[str], np.ndarray]:
    return read(GRIPPER / "inputs.csv")


LIFTED = ["left.displacement", "right.displacement", "lift.displacement", "ball.position[3]"]


def test_the_gripper_follows_its_reference_in_model_exchange(build, fmi):
    names, expected = read(GRIPPER / "reference.csv")
    fmu = build(GRIPPER / "scene.toml", fmi=fmi)
    with fmu.instance("me") as instance:
        instance.initialize(tolerance=1e-8)
        fed = FedInputs(instance, *gripper_inputs())
        result = simulate_me(fed, expected[:, 0], 1e-8, LIFTED, explicit=True)
    off = np.abs(result.outputs - expected[:, [names.index(name) for name in LIFTED]]).max(axis=0)
    assert off.max() < 1e-6, off


def test_fmpy_alone_lifts_the_ball_with_the_gripper(build, fmi):
    """In Co-Simulation, where an input holds for a step: on a ramp of 200 N/s it lags by half a
    millisecond, 0.1 N of a spring of 2000 N/m, so 50 um. (In Model Exchange FMPy hands inputs over
    after the steps of its solver and not with each evaluation, so they lag by a whole step.)"""
    inputs, rows = gripper_inputs()
    signals = np.array([tuple(row) for row in rows], dtype=[(name, float) for name in inputs])
    names, expected = read(GRIPPER / "reference.csv")
    result = simulate_fmu(
        str(build(GRIPPER / "scene.toml", fmi=fmi).archive),
        fmi_type="CoSimulation",
        stop_time=2.5,
        output_interval=1e-3,
        relative_tolerance=1e-8,
        input=signals,
        output=LIFTED,
    )
    at = np.searchsorted(result["time"], expected[:, 0] + 1e-9) - 1
    assert np.abs(result["time"][at] - expected[:, 0]).max() < 1e-9
    for name in LIFTED:
        off = np.abs(result[name][at] - expected[:, names.index(name)]).max()
        assert off < 1e-4, f"{name}: {off}"
    assert result["ball.position[3]"][-1] > 0.12
