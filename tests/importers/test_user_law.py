"""FMPy runs the worked example of a contact law in C; expected are the closed forms of its README."""

from __future__ import annotations

import pytest
from fmpy import read_model_description, simulate_fmu

from conftest import ROOT

SCENE = ROOT / "examples" / "user_law" / "scene.toml"
# Restitution of a spring with hysteresis, (1 + e) u = ln((1 + u)/(1 - e u)) at u = 1.
RESTITUTION = 0.59362426004004
FRICTION = 0.2


def motion(fmu, kind: str, parameters: dict[str, float]):
    """The ball's velocities after the impact."""
    experiment = read_model_description(str(fmu.archive)).defaultExperiment
    found = simulate_fmu(
        str(fmu.archive),
        fmi_type=kind,
        start_values=parameters,
        relative_tolerance=float(experiment.tolerance),
        output=["ball.velocity[1]", "ball.velocity[3]"],
    )
    return [found[name][-1] for name in ("ball.velocity[1]", "ball.velocity[3]")]


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_the_ball_bounces_off_as_the_law_says(build, fmi, kind):
    along, away = motion(build(SCENE, fmi=fmi), kind, {})
    assert away == pytest.approx(RESTITUTION, rel=1e-6)
    assert along == pytest.approx(2 - FRICTION * (1 + RESTITUTION), rel=1e-6)


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_numbers_of_the_law_are_parameters(build, fmi, kind):
    law = "material_pair.Steel.Rubber"
    elastic = {f"{law}.user_2": 0.0, f"{law}.user_3": 0.0}
    assert motion(build(SCENE, fmi=fmi), kind, elastic) == pytest.approx([2, 1], rel=1e-6)
