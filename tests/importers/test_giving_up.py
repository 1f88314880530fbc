"""A run that cannot go on says why with FMPy's defaults: logging off, no tolerance or step given.

Each run is a process of its own: FMPy hands the messages of FMI 2.0 to the logger that any test set last.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import ROOT

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
RUN = "import sys; from fmpy import simulate_fmu; simulate_fmu(sys.argv[1], fmi_type=sys.argv[2], start_values={sys.argv[3]: float(sys.argv[4])})"


def failed_run(fmu, kind: str, name: str, value: float) -> str:
    """What FMPy prints of a run with a start value, which must fail."""
    arguments = [str(fmu.archive), kind, name, str(value)]
    result = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, timeout=120
    )
    assert result.returncode != 0, result.stdout
    return result.stdout + result.stderr


def test_a_step_that_gives_up_names_the_stiffest_contact(build, fmi):
    fmu = build(BOUNCING_BALL, *CREEPING, fmi=fmi)
    printed = failed_run(fmu, "CoSimulation", "experiment.max_steps", 3000)
    for part in (
        "3000 steps did not lead to ",
        "the stiffest contact is ground:ball: depth ",
        "stiffness ",
        "experiment.max_steps, now 3000",
    ):
        assert part in printed, printed


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_start_values_that_overlap_are_refused_with_pair_and_depth(build, fmi, kind):
    fmu = build(BOUNCING_BALL, fmi=fmi)
    printed = failed_run(fmu, kind, "ball.position[3]", 0.08)
    assert "ground:ball by 2.000e-2 m (at most " in printed, printed
