"""Parameters set in the Event Mode that follows initialisation, as some importers do, act as those
set before it: in the motion, and in which bodies touch at the start."""

from __future__ import annotations

import numpy as np
import pytest

from fixed_steps import driver

# The ball starts 5 mm above the plate; the raised plate touches it, 1 mm deep.
PARAMETERS = {
    "gravity": {"world.gravity[1]": 2.0, "world.gravity[3]": -3.7},
    "material": {
        "material_pair.Foam.Foam.restitution": 0.3,
        "material_pair.Foam.Foam.sliding_friction": 0.1,
        "material.Foam.youngs_modulus": 1e6,
    },
    "mass": {"ball.mass": 2.5},
    "touching": {"plate.position[3]": -0.044},
}
BOUND = 1e-9
STEPS = 800


def motion(fmu, early: dict[str, float], late: dict[str, float]) -> np.ndarray:
    """States of a run with parameters set in Initialization Mode and in Event Mode after it."""
    with fmu.instance("me") as instance:
        instance.api.enter_initialization(1e-8, 0.0, None)
        instance.set(early)
        instance.raw.exitInitializationMode()
        instance.set(late)
        instance.update_discrete_states()
        instance.raw.enterContinuousTimeMode()
        rows = driver(instance).advance(STEPS)
        assert instance.contact_starts(), "the run must meet a contact"
    return rows


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters_set_after_initialisation_act_as_those_set_before(build, fmi, case):
    fmu = build("soft_ball", fmi=fmi)
    values = PARAMETERS[case]
    expected = motion(fmu, values, {})
    assert np.abs(expected - motion(fmu, {}, {})).max() > 1e-3, "the parameters must matter"
    assert np.abs(motion(fmu, {}, values) - expected).max() <= BOUND
