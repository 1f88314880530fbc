"""Impacts: conservation laws and the coefficient of restitution that is really obtained."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from importer import run
from rigid import rotation

RESTITUTION = 0.7
# Obtained from u = 8 (1 - e)/(5 e) at e = 0.7 through (1 + e) u = ln((1 + u)/(1 - e u)).
FLORES_RESTITUTION = 0.6832


def sphere(diameter: float, density: float) -> tuple[float, float]:
    """Mass [kg] and moment of inertia [kg.m2] of a solid sphere."""
    mass = density * np.pi * diameter**3 / 6
    return mass, mass * diameter**2 / 10


def momenta(fmu, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Momentum, angular momentum about the origin, and the sums of their terms' sizes."""
    linear, angular = np.zeros(3), np.zeros(3)
    linear_size = angular_size = 0.0
    for body, diameter in (("left", 0.2), ("right", 0.3)):
        mass, inertia = sphere(diameter, 1200)
        position = states[fmu.columns(f"{body}.position")]
        momentum = mass * states[fmu.columns(f"{body}.velocity")]
        turn = rotation(states[fmu.columns(f"{body}.orientation", 4)])
        spin = inertia * turn @ states[fmu.columns(f"{body}.angular_velocity")]
        orbit = np.cross(position, momentum)
        linear += momentum
        angular += orbit + spin
        linear_size += np.linalg.norm(momentum)
        angular_size += np.linalg.norm(orbit)
    return linear, angular, linear_size, angular_size


@pytest.mark.parametrize("kind", ["me", "me-explicit", "cs"])
def test_colliding_spheres_keep_momentum_and_angular_momentum(build, fmi, kind):
    fmu = build("two_spheres", fmi=fmi)
    # CVODE leaves 2e-9 at 1e-10, 1e-10 at 1e-11; the explicit solvers leave 1e-13.
    result, starts = run(fmu, kind, np.linspace(0, 1, 201), 1e-11)
    assert len(starts) == 1
    before, after = result.states[0], result.states[-1]
    spin = fmu.columns("left.angular_velocity")
    assert np.abs(after[spin] - before[spin]).max() > 0.1, "friction must act"
    linear, angular, linear_size, _ = momenta(fmu, before)
    for states in result.states:
        momentum, turning, _, angular_size = momenta(fmu, states)
        assert np.abs(momentum - linear).max() <= 1e-13 * linear_size
        assert np.abs(turning - angular).max() <= 5e-10 * angular_size


def rebound(build, fmi: int, kind: str, damping: str, speed: float) -> float:
    """Speed after over speed before, for a ball that hits the plate with `speed`."""
    change = () if damping == "exact" else (('damping = "exact"', f'damping = "{damping}"'),)
    fmu = build("rebound", *change, fmi=fmi)
    # 10 mm to fly at constant speed, the contact itself lasts below 2 ms.
    stop = 0.01 / speed + 0.01
    start = {"ball.velocity[3]": -speed}
    result, starts = run(fmu, kind, np.linspace(0, stop, 11), 1e-10, start)
    assert len(starts) == 1
    assert starts[0].speed == pytest.approx(speed, rel=1e-9)
    assert result.states[-1][fmu.index("ball.position[3]")] > 0.1
    return result.states[-1][fmu.index("ball.velocity[3]")] / speed


@pytest.mark.parametrize("speed", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_exact_damping_gives_the_restitution_asked_for(build, fmi, kind, speed):
    assert rebound(build, fmi, kind, "exact", speed) == pytest.approx(RESTITUTION, rel=1e-6)


@pytest.mark.parametrize("speed", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_flores_damping_gives_the_restitution_of_its_closed_form(build, fmi, kind, speed):
    found = rebound(build, fmi, kind, "flores", speed)
    assert found == pytest.approx(FLORES_RESTITUTION, abs=1e-4)


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_elastic_ball_keeps_its_apex_height(build, fmi, kind):
    fmu = build("elastic_ball", fmi=fmi)
    z, v = fmu.index("ball.position[3]"), fmu.index("ball.velocity[3]")
    result, starts = run(fmu, kind, np.linspace(0, 4, 801), 1e-10)
    assert len(starts) >= 11
    apexes = []
    for start, following in pairwise(starts):
        middle = (start.time + following.time) / 2
        states = result.states[np.abs(result.times - middle).argmin()]
        # Height of the flight's apex above the plate from any state in flight.
        apexes.append(states[z] - 0.1 + states[v] ** 2 / (2 * 9.81))
    assert apexes[0] == pytest.approx(0.1, rel=1e-5)
    assert apexes[9] == pytest.approx(apexes[0], rel=1e-6)
