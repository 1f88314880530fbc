"""Four free cubes that hit each other with rounded corners and edges keep what mechanics says."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import ROOT
from importer import run
from rigid import rotation

SCENE = ROOT / "examples" / "four_cubes" / "scene.toml"
CUBES = [f"cube{i}" for i in (1, 2, 3, 4)]
MASS, INERTIA = 1.0, 0.133333
# As examples/four_cubes/reference.py prints them.
STARTS = [0.956968970, 0.986309420, 1.467950190, 1.746120738]


def kept(fmu, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Momentum, angular momentum about the origin, and kinetic energy."""
    linear, angular, energy = np.zeros(3), np.zeros(3), 0.0
    for cube in CUBES:
        position = states[fmu.columns(f"{cube}.position")]
        momentum = MASS * states[fmu.columns(f"{cube}.velocity")]
        turn = rotation(states[fmu.columns(f"{cube}.orientation", 4)])
        omega = states[fmu.columns(f"{cube}.angular_velocity")]
        linear += momentum
        angular += np.cross(position, momentum) + INERTIA * turn @ omega
        energy += momentum @ momentum / (2 * MASS) + INERTIA * omega @ omega / 2
    return linear, angular, energy


# What the solver outside loses is its own: CVODE at 1e-10 keeps the energy to 6e-8.
@pytest.mark.parametrize(("kind", "tolerance"), [("cs", 1e-10), ("me", 1e-12), ("me-explicit", 1e-12)])
def test_cubes_keep_momentum_angular_momentum_and_energy_through_all_hits(
    build, fmi, kind, tolerance
):
    fmu = build(SCENE, fmi=fmi)
    grid = np.linspace(0, 2, 201)
    result, starts = run(fmu, kind, grid, tolerance, outputs=["energy.contact_elastic"])
    assert [round(start.time, 6) for start in starts] == [round(time, 6) for time in STARTS]
    # Sizes of the terms: 1.6 + 1.4 + 0.3 kg.m/s; that momentum at a distance of 0.1 m to 2 m.
    linear, angular, energy = kept(fmu, result.states[0])
    for states, outputs in zip(result.states, result.outputs):
        momentum, turning, kinetic = kept(fmu, states)
        assert np.abs(momentum - linear).max() <= 1e-12 * 3.3
        assert np.linalg.norm(turning - angular) <= 1e-8 * np.linalg.norm(angular)
        assert abs(kinetic + outputs[0] - energy) <= 1e-8 * energy


# With force a hit lasts 1.6 ms, with impulses no time: only the first one is at the same instant.
@pytest.mark.parametrize("kind", ["cs", "me"])
def test_impulses_keep_momentum_and_energy_of_cubes_but_for_rounding(build, fmi, kind):
    impulse = ('law = "spring"', 'law = "spring"\nresponse = "impulse"')
    fmu = build(SCENE, impulse, fmi=fmi)
    grid = np.linspace(0, 2, 201)
    result, starts = run(fmu, kind, grid, 1e-10)
    assert len(starts) == len(STARTS)
    assert starts[0].time == pytest.approx(STARTS[0], abs=1e-8)
    linear, angular, energy = kept(fmu, result.states[0])
    for states in result.states:
        momentum, turning, kinetic = kept(fmu, states)
        assert np.abs(momentum - linear).max() <= 1e-13 * 3.3
        assert np.linalg.norm(turning - angular) <= 1e-13 * np.linalg.norm(angular)
        assert abs(kinetic - energy) <= 1e-13 * energy
