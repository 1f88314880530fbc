"""Published scenes with joints: Newton's cradle, a sphere on a slide, a pendulum that hits and rests."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from conftest import ROOT
from importer import run

CRADLE = ROOT / "examples" / "newtons_cradle" / "scene.toml"
WALL = ROOT / "examples" / "pendulum_wall" / "scene.toml"
REST = ROOT / "examples" / "pendulum_rest" / "scene.toml"

# State at 5 s of the case NewtonsCradle of Modia3D.jl v0.12.3 (test/Collision/NewtonsCradle.jl), recomputed
# with its force law by an explicit Dormand-Prince integrator with event location at a tolerance of 1e-11.
CRADLE_ANGLES = [
    -1.0339365095192357,
    0.018465847950542014,
    0.01847106532047955,
    0.018476184054518868,
    0.01848120412750286,
]
CRADLE_CONTACTS = 48

# The pendulum of [Engelson 2000] sections 2.5 and 7.1: mass at half the length of a bar of 1 m, so that
# q'' = 2 g sin q; it touches at q = pi + asin(0.5).
GRAVITY = 9.81
TOUCH = np.pi + np.arcsin(0.5)
STIFFNESS = "material_pair.Steel.Steel.stiffness"
# Restitution obtained where 0.5 is asked for, by stiffness [N/m] and damping; recomputed with the wall's
# normal fixed in the world.
OBTAINED = {
    (5e4, "engelson-fraction"): 0.6231,
    (1e6, "engelson-fraction"): 0.5999,
    (1e8, "engelson-fraction"): 0.5942,
    (5e4, "exact"): 0.5325,
    (1e6, "exact"): 0.5070,
    (1e8, "exact"): 0.50069,
}


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_newtons_cradle_ends_at_the_recomputed_angles_after_48_contacts(build, fmi, kind):
    fmu = build(CRADLE, fmi=fmi)
    result, starts = run(fmu, kind, np.linspace(0, 5, 501), 1e-8)
    assert len(starts) == CRADLE_CONTACTS
    angles = result.states[-1][[fmu.index(f"wire{i}.angle") for i in range(1, 6)]]
    assert np.abs(angles - CRADLE_ANGLES).max() <= 2e-4, angles


@pytest.mark.parametrize(("tolerance", "late"), [(1e-8, 1e-5), (1e-10, 1e-6)])
@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_sphere_on_a_slide_bounces_at_the_recomputed_times(build, fmi, kind, tolerance, late):
    file = ROOT / "tests" / "reference" / "modia3d.toml"
    reference = tomllib.loads(file.read_text())["bouncing_sphere"]
    fmu = build("bouncing_sphere_on_a_slide", fmi=fmi)
    grid = np.linspace(0, reference["stop_time"], 501)
    result, starts = run(fmu, kind, grid, tolerance)
    times = np.array([start.time for start in starts])
    assert len(times) == len(reference["contact_starts"])
    assert np.abs(times - reference["contact_starts"]).max() <= late, times
    final = reference["final"]["sphere"]
    found = result.states[-1][[fmu.index("slide.displacement"), fmu.index("slide.velocity")]]
    assert abs(found[0] - final["position"][1]) <= 1e-4
    assert abs(found[1] - final["velocity"][1]) <= 1e-3


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_the_pendulum_meets_the_wall_at_the_published_time_and_speed(build, fmi, kind):
    fmu = build(WALL, fmi=fmi)
    result, starts = run(fmu, kind, np.linspace(0, 0.6, 61), 1e-10)
    assert len(starts) == 1
    assert abs(starts[0].time - 0.563757) <= 1e-6
    # The log has the speed along the normal; the end of the bar moves across it.
    assert abs(starts[0].speed / -np.cos(TOUCH) - 7.428614) <= 1e-6


@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize(("stiffness", "damping"), OBTAINED)
def test_the_pendulum_comes_back_with_the_recomputed_restitution(
    build, fmi, kind, stiffness, damping
):
    change = (('damping = "engelson-fraction"', f'damping = "{damping}"'),)
    fmu = build(WALL, *(change if damping == "exact" else ()), fmi=fmi)
    result, starts = run(fmu, kind, np.linspace(0, 0.7, 71), 1e-9, {STIFFNESS: stiffness})
    assert len(starts) == 1
    angle, rate = result.states[-1][[fmu.index("hinge.angle"), fmu.index("hinge.angular_velocity")]]
    assert angle < TOUCH - 0.1
    # q'^2/2 + 2 g cos q stays in flight, so this is the rate with which it left the wall.
    left = -np.sqrt(rate**2 + 4 * GRAVITY * (np.cos(angle) - np.cos(TOUCH)))
    met = starts[0].speed / -np.cos(TOUCH)
    assert abs(-left / met - OBTAINED[stiffness, damping]) <= 1e-3


# The mass is at half the lever of the contact: depth m g/(2 K).
@pytest.mark.parametrize("kind", ["me", "cs"])
@pytest.mark.parametrize(("stiffness", "height"), [(5e4, -0.404905), (1e6, -0.40024525)])
def test_the_pendulum_rests_at_the_height_of_half_its_weight(build, fmi, kind, stiffness, height):
    fmu = build(REST, fmi=fmi)
    result, _ = run(fmu, kind, np.linspace(0, 3, 61), 1e-8, {STIFFNESS: stiffness})
    angle, rate = result.states[-1][[fmu.index("hinge.angle"), fmu.index("hinge.angular_velocity")]]
    assert abs(np.cos(angle) - height) <= 1e-7
    assert abs(rate) <= 1e-6
