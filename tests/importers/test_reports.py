"""Reported contacts in FMPy: Boolean variables, counts and last impacts of the published scenes."""

from __future__ import annotations

from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import simulate_fmu
from lxml import etree

from importer import OK, do_step
from test_reference_scenes import REFERENCE
from validation import problems

FMPY = Path(fmpy.__file__).parent
REPORT = ("[contact]\n", '[contact]\nreport = "all"\n')


@pytest.mark.parametrize("options", [(), ("--arrays", "--naming", "flat")])
@pytest.mark.parametrize("scene", ["two_colliding_balls", "twelve_pairs"])
def test_reports_follow_the_schema_and_fmpy_finds_no_problem(build, scene, fmi, options):
    options = tuple(option for option in options if fmi == 3 or option != "--arrays")
    fmu = build(scene, REPORT, fmi=fmi, options=options)
    assert problems(fmu.archive) == []
    path = FMPY / "schema" / f"fmi{fmi}" / f"fmi{fmi}ModelDescription.xsd"
    document = etree.parse(fmu.folder / "modelDescription.xml")
    etree.XMLSchema(etree.parse(path)).assertValid(document)
    expected = {
        2: {"Real", "Integer", "Boolean"},
        3: {"Float64", "Int32", "Boolean"},
    }
    assert {v.type for v in fmu.description.modelVariables} == expected[fmi]


def pairs(fmu) -> list[str]:
    """Names of the reported pairs, as their variables start."""
    names = [v.name for v in fmu.description.modelVariables]
    return [name.removesuffix(".in_contact") for name in names if name.endswith(".in_contact")]


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("scene", sorted(REFERENCE))
def test_counts_and_last_impact_are_the_published_ones(build, fmi, scene, kind):
    starts = REFERENCE[scene]["contact_starts"]
    fmu = build(scene, REPORT, fmi=fmi)
    names = ["in_contact", "count", "last_impact_time", "last_impact_speed", "gap", "peak_force"]
    result = simulate_fmu(
        str(fmu.archive),
        fmi_type=kind,
        stop_time=REFERENCE[scene]["stop_time"],
        relative_tolerance=1e-8,
        output=[f"{pair}.{name}" for pair in pairs(fmu) for name in names],
    )
    last = {name: [result[f"{pair}.{name}"][-1] for pair in pairs(fmu)] for name in names}
    assert sum(last["count"]) == len(starts)
    assert max(last["last_impact_time"]) == pytest.approx(max(starts), abs=1e-5)
    for pair in pairs(fmu):
        column = {name: result[f"{pair}.{name}"] for name in names}
        touching = column["in_contact"].astype(int)
        assert set(touching) <= {0, 1}
        assert np.all(np.diff(column["count"]) >= 0)
        assert np.all(column["gap"][touching == 1] < 1e-7)
        assert np.all(column["gap"][touching == 0] > -1e-7)
        peak = column["peak_force"]
        # A step with an impact has a peak, wherever its end is; there is no step in Model Exchange.
        impact = np.diff(column["count"]) > 0
        assert np.all((peak[1:][impact] > 0) == (kind == "CoSimulation"))


def test_truth_values_are_read_by_their_getter(build, fmi):
    experiment = "[experiment]\n"
    fmu = build("soft_ball", (experiment, REPORT[1] + experiment), fmi=fmi)
    (pair,) = pairs(fmu)
    with fmu.instance("cs") as instance:
        instance.initialize(tolerance=1e-8)
        for step in range(100):
            touching = instance.get_bool(f"{pair}.in_contact")
            assert touching == (instance.get_int("contact.count") == 1)
            assert do_step(instance, step * 1e-3, 1e-3)[0] == OK
