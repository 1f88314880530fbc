"""Friction `stick` through FMPy: a brick on a slope stays, a ball rolls, states that events change say so."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from importer import run

# g sin 10 deg, and what a ball that rolls down a slope makes of it.
PULL = 9.81 * np.sin(np.radians(10))
ROLLING = 5 / 7 * PULL


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_a_brick_on_a_slope_stays_and_a_ball_rolls_down(build, fmi, kind):
    fmu = build("slope", fmi=fmi)
    grid = np.linspace(0, 10, 101)
    result, starts = run(fmu, kind, grid, 1e-8)
    brick = result.states[:, fmu.columns("brick.position")]
    assert np.abs(brick[:, :2]).max() < 1e-6
    # The ball bounces first; later the deflection holds what makes it roll.
    assert len([start for start in starts if start.pair == "ground:ball"]) > 3
    speed = result.states[:, fmu.index("ball.velocity[1]")]
    assert abs((speed[100] - speed[50]) / 5 / ROLLING - 1) < 1e-4
    spin = result.states[:, fmu.index("ball.angular_velocity[2]")]
    assert abs(0.1 * spin[100] / speed[100] - 1) < 1e-5


@pytest.mark.full
def test_the_brick_stays_under_an_explicit_solver_outside(build, fmi):
    fmu = build("slope", fmi=fmi)
    result, _ = run(fmu, "me-explicit", np.linspace(0, 0.5, 11), 1e-8)
    assert np.abs(result.states[:, fmu.columns("brick.position")[:2]]).max() < 1e-6


def test_states_that_events_change_carry_reinit(build, fmi):
    fmu = build("slope", fmi=fmi)
    # FMPy does not read the attribute.
    root = ElementTree.parse(fmu.folder / "modelDescription.xml").getroot()
    changed = set()
    for variable in root.find("ModelVariables"):
        attributes = variable.attrib | (variable[0].attrib if fmi == 2 else {})
        if attributes.get("reinit") == "true":
            changed.add(attributes["name"])
    pairs = [f"ground.brick_corner_{i}" for i in range(1, 5)] + ["ground.ball"]
    pairs += [f"brick_corner_{i}.ball" for i in range(1, 5)]
    assert changed == {f"contact.{pair}.deflection[{i}]" for pair in pairs for i in (1, 2, 3)}
