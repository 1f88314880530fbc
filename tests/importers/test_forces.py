"""Prescribed forces: importers meet their kinks as time events and follow the closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy import simulate_fmu

from importer import run

MASS = 2.0
TIMES = [0.3, 0.5, 0.75, 1.1, 1.3]
FORCES = [1.0, 4.0, 4.0, -3.0, 0.5]
STOP = 2.0


def cosine_position(t: float) -> float:
    """Position [m] under 8 cos t from rest in the origin: 8/m (1 - cos t)."""
    return 8 / MASS * (1 - np.cos(t))


def table_position(t: float) -> float:
    """Position [m] under the table from rest in the origin: the force is a line on each piece, so
    x grows by v h + (F h^2/2 + s h^3/6)/m and v by (F h + s h^2/2)/m."""
    corners = [(0.0, FORCES[0]), *zip(TIMES, FORCES), (np.inf, FORCES[-1])]
    x = v = 0.0
    for (t0, f0), (t1, f1) in zip(corners, corners[1:]):
        h = min(t1, t) - t0
        if h <= 0:
            break
        s = (f1 - f0) / (t1 - t0)
        x += v * h + (f0 * h**2 / 2 + s * h**3 / 6) / MASS
        v += (f0 * h + s * h**2 / 2) / MASS
    return x


@pytest.mark.parametrize("kind", ["me", "me-explicit", "cs"])
def test_body_follows_the_closed_forms(build, fmi, kind):
    fmu = build("driven", fmi=fmi)
    event_mode = kind == "cs" and fmi == 3
    # Eighths, exact in binary: CVODE refuses a step of one rounding, as from 0.3 to 3 * 0.1.
    grid = np.linspace(0, STOP, 17)
    result, _ = run(fmu, kind, grid, 1e-10, event_mode=event_mode, early_return=event_mode)
    # Co-Simulation of FMI 2.0 keeps its events to itself.
    if kind != "cs" or event_mode:
        assert result.event_times == TIMES
    for column, expected in [(0, cosine_position), (1, table_position)]:
        found = result.states[:, fmu.columns("body.position")[column]]
        # The solvers of Model Exchange step past events and come back, so their own error counts.
        bound = 1e-8 if kind == "cs" else 1e-7
        assert np.abs(found - [expected(t) for t in grid]).max() < bound


@pytest.mark.parametrize("interface", ["ModelExchange", "CoSimulation"])
def test_fmpy_itself_meets_every_kink(build, fmi, interface):
    fmu = build("driven", fmi=fmi)
    result = simulate_fmu(
        str(fmu.archive),
        fmi_type=interface,
        stop_time=STOP,
        output_interval=0.125,
        relative_tolerance=1e-10,
        output=["body.position[1]", "body.position[2]"],
    )
    for kink in TIMES:
        if interface == "ModelExchange":
            assert np.sum(result["time"] == kink) >= 2, "before and after the event"
    for t, x, y in [tuple(row) for row in result]:
        assert abs(x - cosine_position(t)) < 1e-7
        assert abs(y - table_position(t)) < 1e-7
