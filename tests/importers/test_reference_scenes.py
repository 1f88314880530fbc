"""Published contact scenes: final states and contact times, sources in reference/modia3d.toml."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from fmpy import simulate_fmu

from conftest import ROOT, tiers
from importer import OK, do_step, run
from rigid import from_angles_xyz, rotation

REFERENCE = tomllib.loads((ROOT / "tests" / "reference" / "modia3d.toml").read_text())

# Bars of the comparison: position [m], velocity [m/s], rotation matrix, angular velocity [rad/s].
POSITION, VELOCITY, ROTATION, ANGULAR_VELOCITY = 1e-4, 1e-3, 1e-3, 1e-2
# Contact times [s] at a relative tolerance of the integrator.
CONTACT_TIME = {1e-8: 1e-5, 1e-10: 1e-6}


@pytest.mark.parametrize("tolerance", tiers([1e-8, 1e-10], {"1e-08"}))
@pytest.mark.parametrize("kind", tiers(["me", "me-explicit", "cs"], {"me", "cs"}))
@pytest.mark.parametrize("scene", sorted(REFERENCE))
def test_final_state_and_contact_times_are_the_published_ones(
    build, fmi, scene, kind, tolerance
):
    reference = REFERENCE[scene]
    fmu = build(scene, fmi=fmi)
    grid = np.linspace(0, reference["stop_time"], 501)
    result, starts = run(fmu, kind, grid, tolerance)

    times = [s.time for s in starts]
    assert len(times) == len(reference["contact_starts"]), times
    late = np.array(times) - reference["contact_starts"]
    assert np.abs(late).max() <= CONTACT_TIME[tolerance], late

    final = result.states[-1]
    for body, expected in reference["final"].items():
        position = final[fmu.columns(f"{body}.position")]
        velocity = final[fmu.columns(f"{body}.velocity")]
        turn = rotation(final[fmu.columns(f"{body}.orientation", 4)])
        omega_w = turn @ final[fmu.columns(f"{body}.angular_velocity")]
        off = {
            "position": np.abs(position - expected["position"]).max() / POSITION,
            "velocity": np.abs(velocity - expected["velocity"]).max() / VELOCITY,
            "rotation": np.abs(turn - from_angles_xyz(expected["rotation_xyz"])).max() / ROTATION,
            "angular velocity": np.abs(omega_w - expected["angular_velocity_w"]).max()
            / ANGULAR_VELOCITY,
        }
        assert max(off.values()) <= 1, f"{body}: error over bar {off}"


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_fmpy_alone_simulates_the_bouncing_sphere(build, fmi, kind):
    """FMPy's own loops, not those of these tests, reach the same final height."""
    reference = REFERENCE["bouncing_sphere"]
    result = simulate_fmu(
        str(build("bouncing_sphere", fmi=fmi).archive),
        fmi_type=kind,
        stop_time=reference["stop_time"],
        relative_tolerance=1e-8,
        output=["sphere.position[2]", "sphere.velocity[2]"],
    )
    assert result["time"][-1] == pytest.approx(reference["stop_time"])
    height = reference["final"]["sphere"]["position"][1]
    assert result["sphere.position[2]"][-1] == pytest.approx(height, abs=POSITION)
    bounces = np.diff(np.sign(result["sphere.velocity[2]"])) > 0
    assert np.count_nonzero(bounces) == len(reference["contact_starts"])


def test_contact_count_output_is_one_during_contact_and_zero_in_flight(build, fmi):
    with build("soft_ball", fmi=fmi).instance("cs") as instance:
        instance.initialize(tolerance=1e-8)
        counts, z = [], []
        for k in range(100):
            assert do_step(instance, k * 1e-3, 1e-3)[0] == OK
            counts.append(instance.get_int("contact.count"))
            z.append(instance.get("ball.position[3]")[0])
    counts, gap = np.array(counts), np.array(z) - 0.1
    assert set(counts) == {0, 1}
    assert np.all(counts[gap > 1e-6] == 0)
    assert np.all(counts[gap < -1e-6] == 1)
