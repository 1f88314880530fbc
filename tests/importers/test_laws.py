"""Numbers of contact laws are parameters: set without a new build, they act as their closed forms say."""

from __future__ import annotations

import numpy as np
import pytest

from importer import run, simulate_me

MASS, GRAVITY, RADIUS = 1.0, 9.81, 0.1
Z_EPS = 1e-8
TOLERANCE = 1e-9
MATERIALS, OVERRIDE = "material_pair.Steel.Steel", "pair.hard.table_plate"


def rest_depth(stiffness: float) -> float:
    """Depth [m] at which a spring [N/m] carries a ball; it counts from 2 z_eps on."""
    return MASS * GRAVITY / stiffness + 2 * Z_EPS


@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize(("soft", "hard"), [(None, None), (4e5, None), (None, 5e4), (2e5, 3e5)])
def test_balls_rest_as_deep_as_their_own_stiffness_says(build, fmi, kind, soft, hard):
    fmu = build("laws", fmi=fmi)
    given = {f"{MATERIALS}.stiffness": soft, f"{OVERRIDE}.stiffness": hard}
    start = {name: value for name, value in given.items() if value is not None}
    result, _ = run(fmu, kind, np.linspace(0, 4, 21), TOLERANCE, start)
    for body, stiffness in (("soft", soft or 1e5), ("hard", hard or 1e6)):
        depth = RADIUS - result.states[-1][fmu.index(f"{body}.position[3]")]
        assert abs(depth / rest_depth(stiffness) - 1) < 1e-4, body


@pytest.mark.parametrize("restitution", [None, 0.3, 0.9])
def test_a_rebound_has_the_restitution_that_was_set(build, fmi, restitution):
    fmu = build("laws", fmi=fmi)
    start = {"world.gravity[3]": 0, "soft.velocity[3]": -1, "hard.velocity[3]": -1}
    if restitution is not None:
        start[f"{MATERIALS}.restitution"] = restitution
    result, starts = run(fmu, "me", np.linspace(0, 0.2, 21), TOLERANCE, start)
    assert len(starts) == 2
    # 0.6 is the file's; the law of the named pair has a parameter of its own.
    for body, expected in (("soft", restitution or 0.6), ("hard", 0.6)):
        speed = result.states[-1][fmu.index(f"{body}.velocity[3]")]
        assert abs(speed - expected) < 1e-5, body


@pytest.mark.parametrize("friction", [None, 0.35])
def test_a_sliding_ball_slows_down_by_the_friction_that_was_set(build, fmi, friction):
    fmu = build("laws", fmi=fmi)
    # At its depth of rest, so that f_n = m g: v = v0 - mu g t while it slides, up to 2 v0/(7 mu g).
    start = {"soft.velocity[1]": 1, "soft.position[3]": RADIUS - rest_depth(1e5)}
    if friction is not None:
        start[f"{MATERIALS}.sliding_friction"] = friction
    result, _ = run(fmu, "me", np.linspace(0, 0.08, 9), TOLERANCE, start)
    slowed = 1 - result.states[-1][fmu.index("soft.velocity[1]")]
    assert abs(slowed / ((friction or 0.2) * GRAVITY * 0.08) - 1) < 1e-5


def test_a_light_barrier_sees_a_ball_and_does_not_touch_it(build, fmi):
    fmu = build("laws", fmi=fmi)
    # Through the gate, 0.95 m to 1.05 m, from below: in contact from z = 0.85 m to z = 1.15 m.
    start = {"soft.position[3]": 0.5, "soft.velocity[3]": 5, "hard.position[3]": 3}
    # Before it, inside, behind it.
    legs = [(0, 0.05, 0), (0.05, 0.11, 1), (0.11, 0.3, 0)]
    with fmu.instance("me") as instance:
        instance.initialize(start, tolerance=TOLERANCE, start=0)
        for begin, end, touching in legs:
            grid = np.linspace(begin, end, 51)
            result = simulate_me(instance, grid, TOLERANCE, ["soft.contact_force[3]"])
            height = 0.5 + 5 * grid - 0.5 * GRAVITY * grid**2
            found = result.states[:, fmu.index("soft.position[3]")]
            assert np.abs(found - height).max() < 1e-7
            assert np.all(result.outputs == 0)
            assert (0.85 < height[-1] < 1.15) == bool(touching)
            assert instance.get_int("contact.count") == touching
        starts = instance.contact_starts()
    gates = [contact for contact in starts if "gate" in contact.pair]
    assert len(gates) == 1
    entry = (5 - np.sqrt(25 - 2 * GRAVITY * 0.35)) / GRAVITY
    assert abs(gates[0].time - entry) < 1e-6
    assert abs(gates[0].speed - np.sqrt(25 - 2 * GRAVITY * 0.35)) < 1e-6
