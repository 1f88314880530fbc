"""A run that cannot go on says why with FMPy's defaults: logging off, no tolerance or step given."""

from __future__ import annotations

import pytest
from conftest import ROOT
from fmpy import simulate_fmu

BOUNCING_BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
# A steel ball 1 mm deep in its plate, damped so much that it takes minutes to part.
CREEPING = (
    ("[contact]", '[contact]\ninitial_overlap = "accept"'),
    ('position = [0, 0, "1.1 m"]', 'position = [0, 0, "99 mm"]'),
    (
        "[experiment]",
        '[[material_pair]]\nmaterials = ["Steel", "Steel"]\ndamping = "constant"\n'
        "damping_coefficient = 1e6\nsliding_friction = 0.5\n\n[experiment]",
    ),
)


def test_a_step_that_gives_up_names_the_stiffest_contact(build, fmi, capfd):
    fmu = build(BOUNCING_BALL, *CREEPING, fmi=fmi)
    with pytest.raises(Exception, match="DoStep"):
        simulate_fmu(
            str(fmu.archive), fmi_type="CoSimulation", start_values={"solver.max_steps": 3000}
        )
    told = capfd.readouterr().out
    for part in (
        "3000 steps did not lead to ",
        "the stiffest contact is ground:ball: depth ",
        "stiffness ",
        "solver.max_steps, now 3000",
    ):
        assert part in told, told


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_start_values_that_overlap_are_refused_with_pair_and_depth(build, fmi, kind, capfd):
    fmu = build(BOUNCING_BALL, fmi=fmi)
    with pytest.raises(Exception, match="ExitInitializationMode"):
        simulate_fmu(str(fmu.archive), fmi_type=kind, start_values={"ball.position[3]": 0.08})
    told = capfd.readouterr().out
    assert "ground:ball by 2.000e-2 m (at most " in told, told
