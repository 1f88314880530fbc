"""A dropped ball comes to rest: no events without end, no creeping, the depth of statics."""

from __future__ import annotations

import numpy as np
import pytest

from importer import run

RADIUS, GRAVITY = 0.1, 9.81
YOUNGS_MODULUS, POISSONS_RATIO = 2e11, 0.3
Z_EPS = 1e-8
# Two equal half-spaces in series: k = 4/3 sqrt(R) E/(2 (1 - nu^2)) [N/m^1.5].
STIFFNESS = 4 / 3 * np.sqrt(RADIUS) * YOUNGS_MODULUS / (2 * (1 - POISSONS_RATIO**2))
STOP = 10.0


def scene_with_mass(build, mass: float, fmi: int = 3):
    """The rest scene with a ball of this mass [kg]."""
    change = () if mass == 1 else (("mass = 1", f"mass = {mass}"),)
    return build("rest", *change, fmi=fmi)


def rest_depth(mass: float) -> float:
    """Depth [m] at which k (depth - 2 z_eps)^1.5 = m g."""
    return (mass * GRAVITY / STIFFNESS) ** (2 / 3) + 2 * Z_EPS


def mean_depth(fmu, result) -> float:
    """Mean depth [m] over the last two seconds, at rest.

    Single depths scatter within some 2e-5 of it: there an explicit solver steps at its limit of stability.
    """
    heights = result.states[-200:, fmu.index("ball.position[3]")]
    assert np.ptp(heights) <= 1e-4 * rest_depth(1)
    return RADIUS - heights.mean()


@pytest.mark.parametrize("mass", [1, 0.001])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_dropped_ball_comes_to_rest_at_the_depth_of_statics(build, fmi, kind, mass):
    fmu = scene_with_mass(build, mass, fmi)
    # What importers take unless told otherwise; with the nominal values it is fine enough for the resting
    # depth of this ball.
    tolerance = float(fmu.description.defaultExperiment.tolerance)
    assert tolerance == 1e-8
    # Co-Simulation of FMI 2.0 keeps its events to itself.
    handles_events = kind == "me" or fmi == 3
    event_mode = kind == "cs" and handles_events
    options = {"event_mode": event_mode, "early_return": event_mode}
    result, starts = run(fmu, kind, np.linspace(0, STOP, 1001), tolerance, **options)
    assert len(starts) >= 5, "the ball must bounce first"
    assert len(starts) < 75
    if handles_events:
        assert 2 * len(starts) - 1 <= len(result.event_times) < 150
        assert max(result.event_times) < STOP - 2
    final = result.states[-1]
    assert np.abs(final[fmu.columns("ball.velocity")]).max() < 1e-7
    depth = mean_depth(fmu, result)
    assert abs(depth - rest_depth(mass)) <= 1e-6 * rest_depth(mass)


def test_depth_at_rest_does_not_suffer_from_the_place_of_the_ball_in_the_world(build, fmi):
    """Co-Simulation at 1e-8: relative to the height of 0.1 m that alone would allow 1e-9 m."""
    fmu = scene_with_mass(build, 1, fmi)
    result, starts = run(fmu, "cs", np.linspace(0, STOP, 1001), 1e-8)
    assert len(starts) >= 5
    assert abs(mean_depth(fmu, result) - rest_depth(1)) <= 1e-6 * rest_depth(1)


@pytest.mark.parametrize("mass", [1, 0.001])
def test_both_interfaces_agree_until_the_third_bounce_and_at_rest(build, fmi, mass):
    fmu = scene_with_mass(build, mass, fmi)
    _, starts = run(fmu, "cs", [0, 2], 1e-9)
    third = starts[2].time
    grid = np.append(np.linspace(0, third, 101), STOP)
    me, _ = run(fmu, "me", grid, 1e-9)
    cs, _ = run(fmu, "cs", grid, 1e-9)
    columns = fmu.columns("ball.position")
    difference = np.abs(me.states - cs.states)[:, columns].max(axis=1)
    assert len(difference) == 102
    assert difference.max() <= 1e-6


def test_mass_set_before_initialisation_ends_acts_like_mass_in_the_scene(build, fmi):
    light = scene_with_mass(build, 0.001, fmi)
    grid = np.linspace(0, 0.5, 51)
    expected, _ = run(light, "cs", grid, 1e-9)
    found, starts = run(build("rest", fmi=fmi), "cs", grid, 1e-9, {"ball.mass": 0.001})
    assert starts
    # The scene builder and the parameter scale the inertia in a different order of operations.
    assert found.states == pytest.approx(expected.states, rel=1e-9, abs=1e-9)
