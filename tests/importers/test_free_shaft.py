"""A free axisymmetric body without contact: closed form, and the energy it must keep."""

from __future__ import annotations

import numpy as np
import pytest

from importer import run
from rigid import free_top, rotation

TRANSVERSE, AXIAL = 7.2711, 0.423
START = {"velocity": [0, 0.1, 0.6], "omega_b": [1, 2, 3]}
GRAVITY = np.array([0, 0, -0.3])
STOP = 5.0
# Published solution of this case at 5 s, to eight decimals.
PUBLISHED_OMEGA_W = [-1.55764705, 1.96777926, 2.77517215]
PUBLISHED_ORIENTATION = [0.67740912, -0.29944097, -0.31716274, 0.59233418]


def exact(fmu) -> tuple[np.ndarray, np.ndarray]:
    """Orientation and world angular velocity at the stop time."""
    with fmu.instance("me") as instance:
        q0 = instance.get_vector("shaft.orientation", 4)
    return free_top(q0, np.array(START["omega_b"]), TRANSVERSE, AXIAL, STOP)


def test_closed_form_agrees_with_the_published_solution(build, fmi):
    q, omega_w = exact(build("free_shaft", fmi=fmi))
    assert q == pytest.approx(PUBLISHED_ORIENTATION, abs=6e-9)
    assert omega_w == pytest.approx(PUBLISHED_OMEGA_W, abs=6e-9)


@pytest.mark.parametrize(("tolerance", "bar"), [(1e-8, 1e-5), (1e-12, 1e-8)])
@pytest.mark.parametrize("kind", ["me", "me-explicit", "cs"])
def test_free_shaft_follows_the_closed_form(build, fmi, kind, tolerance, bar):
    fmu = build("free_shaft", fmi=fmi)
    result, starts = run(fmu, kind, np.linspace(0, STOP, 51), tolerance)
    assert starts == []
    final = result.states[-1]
    q, omega_w = exact(fmu)
    found = final[fmu.columns("shaft.orientation", 4)]
    assert found * np.sign(found @ q) == pytest.approx(q, abs=bar)
    turned = rotation(found) @ final[fmu.columns("shaft.angular_velocity")]
    assert turned == pytest.approx(omega_w, abs=bar)
    velocity = np.array(START["velocity"]) + GRAVITY * STOP
    position = np.array(START["velocity"]) * STOP + GRAVITY * STOP**2 / 2
    assert final[fmu.columns("shaft.velocity")] == pytest.approx(velocity, abs=bar)
    assert final[fmu.columns("shaft.position")] == pytest.approx(position, abs=bar)


@pytest.mark.parametrize("kind", ["me-explicit", "cs"])
def test_free_shaft_keeps_its_energy(build, fmi, kind):
    """Not under CVODE: its backward differentiation formulas damp, 2e-8 of the energy here."""
    outputs = ["energy.kinetic", "energy.potential"]
    fmu = build("free_shaft", fmi=fmi)
    result, _ = run(fmu, kind, np.linspace(0, 10, 101), 1e-10, outputs=outputs)
    kinetic, potential = result.outputs.T
    # 1/2 m |v|^2 + 1/2 omega . I omega at the start.
    start = 0.5 * 84.7154 * (0.1**2 + 0.6**2) + 0.5 * (TRANSVERSE * (1 + 4) + AXIAL * 9)
    assert kinetic[0] == pytest.approx(start, rel=1e-14)
    assert np.ptp(potential) > 1
    total = kinetic + potential
    assert np.abs(total - total[0]).max() <= 1e-8 * start
