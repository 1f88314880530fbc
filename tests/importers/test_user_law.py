"""FMPy runs the worked example of a contact law in C; expected are the closed forms of its README."""

from __future__ import annotations

import numpy as np
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


KINDS = [(2, ()), (3, ()), (3, ("--arrays",)), (2, ("--tunable",))]


@pytest.mark.parametrize(("version", "options"), KINDS)
@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_all_parameters_set_as_the_description_states_them_are_not_set(build, version, options, kind):
    """As OpenModelica's import does it, with 15 or all digits. The ball of twice the mass leaves with
    15.195 rad/s where the inertia follows the mass, with 30.393 rad/s where it does not."""
    fmu = build(SCENE, fmi=version, options=options)
    spin = "ball.angular_velocity" if "--arrays" in options else "ball.angular_velocity[2]"

    def spins(parameters: dict) -> float:
        found = simulate_fmu(
            str(fmu.archive), fmi_type=kind, start_values=parameters, output=[spin]
        )[spin][-1]
        return found[1] if "--arrays" in options else found

    alone = spins({"ball.mass": 1.152})
    assert alone == pytest.approx(15.195, abs=1e-3)
    parameters = [v for v in fmu.description.modelVariables if v.causality == "parameter"]
    for digits in (15, 17):
        stated = {}
        for variable in parameters:
            values = [float(f"{float(start):.{digits}g}") for start in variable.start.split()]
            stated[variable.name] = values if variable.dimensions else values[0]
        for first in ({"ball.mass": 1.152}, {}):
            # The mass as the first one of all, or in its place.
            everything = {**first, **stated, "ball.mass": 1.152}
            assert spins(everything) == pytest.approx(alone, rel=1e-9)
    own = {v.name: stated[v.name] for v in parameters if "inertia" in v.name}
    first = next(iter(own))
    # About another axis than that of the spin.
    first_entry = 1.1 * np.atleast_1d(own[first])[0]
    own[first] = [first_entry, *own[first][1:]] if "--arrays" in options else first_entry
    assert spins(own | {"ball.mass": 1.152}) == pytest.approx(30.393, abs=1e-3)
