"""The integrator of Co-Simulation in FMPy: its formula and its longest step are parameters, its work
is outputs.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import simulate_fmu
from lxml import etree
from test_giving_up import failed_run

from conftest import ROOT
from validation import problems

FMPY = Path(fmpy.__file__).parent
BOUNCING_BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
STATISTICS = ("[experiment]\n", "[experiment]\nstatistics = true\n")
# At rest from the start: stability limits explicit steps.
RESTING = ('position = [0, 0, "1.1 m"]', "position = [0, 0, 0.1]")
# With error control, and the steps of a fixed length of the granular mode.
CONTROLLED = {"auto": 1, "explicit": 2, "implicit": 3}
SOLVERS = {**CONTROLLED, "dem": 4}
COUNTS = ("steps", "rejected_steps", "evaluations", "directions", "events")
ALL = (*COUNTS, "last_step", "implicit")


def name(statistic: str) -> str:
    return f"experiment.statistics.{statistic}"


def simulate(fmu, kind: str = "CoSimulation", **start_values) -> dict[str, np.ndarray]:
    """All statistics of a second at 100 communication points."""
    result = simulate_fmu(
        str(fmu.archive),
        fmi_type=kind,
        stop_time=1.0,
        output_interval=0.01,
        start_values={f"experiment.{key}": value for key, value in start_values.items()},
        output=[name(statistic) for statistic in ALL],
    )
    return {statistic: result[name(statistic)] for statistic in ALL}


@pytest.mark.parametrize("options", [(), ("--arrays", "--naming", "flat"), ("--tunable",)])
def test_the_description_follows_the_schema_and_fmpy_finds_no_problem(build, fmi, options):
    options = tuple(option for option in options if fmi == 3 or option != "--arrays")
    fmu = build(BOUNCING_BALL, STATISTICS, fmi=fmi, options=options)
    assert problems(fmu.archive) == []
    path = FMPY / "schema" / f"fmi{fmi}" / f"fmi{fmi}ModelDescription.xsd"
    document = etree.parse(fmu.folder / "modelDescription.xml")
    etree.XMLSchema(etree.parse(path)).assertValid(document)
    flat = "flat" in options
    variables = {v.name: v for v in fmu.description.modelVariables}
    integer, real = {2: ("Integer", "Real"), 3: ("Int64", "Float64")}[fmi]
    types = {"last_step": real, "implicit": "Boolean"}
    for statistic in ALL:
        variable = variables[name(statistic).replace(".", "_") if flat else name(statistic)]
        assert variable.type == types.get(statistic, integer)
        assert (variable.causality, variable.variability) == ("output", "discrete")
        assert (variable.start, variable.initial) in ((None, None), (None, "calculated"))
    solver = variables["experiment_solver" if flat else "experiment.solver"]
    assert (solver.causality, solver.start) == ("parameter", "1")
    assert solver.type == {2: "Integer", 3: "Int32"}[fmi]
    assert solver.variability == ("tunable" if "--tunable" in options else "fixed")
    assert ": 1 (auto), 2 (explicit), 3 (implicit), 4 (dem)" in solver.description
    max_step = variables["experiment_max_step" if flat else "experiment.max_step"]
    assert (max_step.type, float(max_step.start)) == (real, 0.0)
    assert max_step.declaredType.unit == "s"
    # No dependencies, as all that is of the past.
    outputs = {output.variable.name: output for output in fmu.description.outputs}
    for statistic in ALL:
        key = name(statistic).replace(".", "_") if flat else name(statistic)
        assert list(outputs[key].dependencies) == []


def test_a_scene_that_does_not_ask_has_no_statistics(build, fmi):
    names = {v.name for v in build(BOUNCING_BALL, fmi=fmi).description.modelVariables}
    assert "experiment.solver" in names
    assert not any("statistics" in variable for variable in names)


@pytest.mark.parametrize("solver", CONTROLLED)
def test_the_statistics_tell_which_formula_ran(build, fmi, solver):
    fmu = build(BOUNCING_BALL, STATISTICS, RESTING, fmi=fmi)
    told = simulate(fmu, solver=SOLVERS[solver])
    for count in COUNTS:
        assert told[count][0] == 0
        assert np.all(np.diff(told[count].astype(np.int64)) >= 0)
    implicit = solver != "explicit"
    assert bool(told["implicit"][-1]) == implicit
    assert (told["directions"][-1] > 0) == implicit
    assert told["steps"][-1] >= 100
    assert 0 < told["last_step"][-1] <= 0.01 + 1e-12
    if solver == "explicit":
        # Six new evaluations a step by Dormand and Prince at least.
        assert told["evaluations"][-1] >= 6 * told["steps"][-1]


def test_no_step_is_longer_than_max_step(build, fmi):
    fmu = build(BOUNCING_BALL, STATISTICS, fmi=fmi)
    free, bounded = simulate(fmu), simulate(fmu, max_step=1e-3)
    assert max(bounded["last_step"]) <= 1e-3 * (1 + 1e-12)
    assert max(free["last_step"]) > 5e-3
    # Ten steps between two of the hundred points at least.
    assert np.all(np.diff(bounded["steps"].astype(np.int64)) >= 10)


def test_model_exchange_counts_nothing(build, fmi):
    fmu = build(BOUNCING_BALL, STATISTICS, fmi=fmi)
    told = simulate(fmu, kind="ModelExchange", solver=SOLVERS["implicit"], max_step=1e-3)
    assert all(not np.any(told[statistic]) for statistic in ALL)


def test_a_max_step_without_hope_is_refused_with_what_to_change(build, fmi):
    fmu = build(BOUNCING_BALL, fmi=fmi)
    printed = failed_run(fmu, "CoSimulation", "experiment.max_step", 1e-12)
    for part in ("experiment.max_step, now 1e-12 s", "experiment.max_steps allows 1000000"):
        assert part in printed, printed


@pytest.mark.parametrize("of_fmu", [False, True], ids=["scene", "fmu"])
@pytest.mark.parametrize("value", ["implicit", "3"])
def test_the_tool_sets_a_formula_by_its_word(build, tool, fmi, tmp_path, of_fmu, value):
    fmu = build(BOUNCING_BALL, STATISTICS, RESTING, fmi=fmi)
    scene = tmp_path / "scene.toml"
    text = BOUNCING_BALL.read_text()
    for old, new in (STATISTICS, RESTING):
        text = text.replace(old, new)
    scene.write_text(text)
    source = [fmu.archive] if of_fmu else [scene, "--fmi", str(fmi)]
    command = [tool, "simulate", *source, "--out", tmp_path / "out"]
    command += ["--set", f"experiment.solver={value}", "--set", "experiment.max_step=2 ms"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    (table,) = (f for f in (tmp_path / "out").glob("*.csv") if f.name != "events.csv")
    rows = [line.split(",") for line in table.read_text().splitlines()]
    columns = [column.strip('"').split(" ")[0] for column in rows[0]]
    last = dict(zip(columns, rows[-1]))
    assert float(last[name("implicit")]) == 1
    assert float(last[name("last_step")]) <= 2e-3 * (1 + 1e-12)
    wrong = subprocess.run(
        [*command[:-4], "--set", "experiment.solver=rosenbrock"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert wrong.returncode != 0
    assert "must be one of auto, explicit, implicit, dem" in wrong.stderr
