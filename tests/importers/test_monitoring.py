"""Fewer event indicators than pairs: every contact is still found, and too many are an error."""

from __future__ import annotations

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from conftest import tiers
from importer import ERROR, run, simulate_me

GRID = np.linspace(0, 1, 401)
FEW = ("nz_max = 12", "nz_max = 2")
# Pressed 1 um into its plate from the start.
PRESSED = (
    ("position = [-5, 0, 0.6]", "position = [-5, 0, 0.099999]"),
    ("position = [0, 0, 0.7]", "position = [0, 0, 0.099999]"),
    ("position = [5, 0, 0.85]", "position = [5, 0, 0.099999]"),
)


@pytest.mark.parametrize("kind", tiers(["me", "me-explicit", "cs"], {"me", "cs"}))
def test_two_indicators_for_twelve_pairs_find_all_contacts_and_the_same_motion(build, fmi, kind):
    all_pairs, few = build("twelve_pairs", fmi=fmi), build("twelve_pairs", FEW, fmi=fmi)
    assert all_pairs.description.numberOfEventIndicators == 12
    assert few.description.numberOfEventIndicators == 2
    expected, expected_starts = run(all_pairs, kind, GRID, 1e-12)
    found, starts = run(few, kind, GRID, 1e-12)
    # Falls of 0.5, 0.6 and 0.75 m: each ball hits its plate at least twice within 1 s.
    assert len(expected_starts) >= 6
    assert len({s.pair for s in expected_starts}) == 3
    assert [s.pair for s in starts] == [s.pair for s in expected_starts]
    times = np.array([s.time for s in starts])
    assert times == pytest.approx([s.time for s in expected_starts], abs=1e-9)
    for ball in ("ball1", "ball2", "ball3"):
        columns = all_pairs.columns(f"{ball}.position")
        difference = np.abs(found.states - expected.states)[:, columns]
        assert difference.max() <= 1e-9, ball


def test_no_indicator_is_zero_after_an_event(build, fmi):
    fmu = build("twelve_pairs", FEW, fmi=fmi)
    zeros, events = [], []
    with fmu.instance("me") as instance:
        update = instance.update_discrete_states

        def checked() -> bool:
            changed = update()
            events.append(1)
            zeros.extend(z for z in instance.indicators() if z == 0)
            return changed

        instance.update_discrete_states = checked
        instance.initialize(tolerance=1e-8)
        simulate_me(instance, GRID, 1e-8)
    assert len(events) > 10
    assert zeros == []


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_more_contacts_than_indicators_is_an_error_that_names_numbers_and_pairs(
    build, fmi, kind
):
    fmu = build("twelve_pairs", FEW, *PRESSED, fmi=fmi)
    with fmu.instance(kind) as instance:
        with pytest.raises(FMICallException) as failure:  # noqa: PT012 - one or the other
            instance.initialize(tolerance=1e-8)
            instance.raw.doStep(0, 1e-3)
        assert failure.value.status == ERROR
        text = instance.messages(ERROR)
    assert "nz_max" in text
    assert "2" in text
    assert "3" in text
    for k in (1, 2, 3):
        assert f"ball{k}" in text
        assert f"plate{k}" in text


def test_as_many_contacts_as_indicators_are_allowed(build, fmi):
    fmu = build("twelve_pairs", FEW, *PRESSED[:2], fmi=fmi)
    _, starts = run(fmu, "cs", [0, 0.01], 1e-8)
    assert len(starts) == 2
