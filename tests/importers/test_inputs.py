"""Inputs through real importers: model descriptions, `simulate --input`, the allowed calls."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import simulate_fmu
from fmpy.fmi3 import fmi3Float64, fmi3ValueReference
from lxml import etree

from conftest import SCENES
from importer import ERROR, OK
from test_allowed_calls import STATES, inside_step, reach
from validation import problems

FMPY = Path(fmpy.__file__).parent
SCENE = "coupled"
# Inputs of the scene: name and number of entries.
INPUTS = {
    "hammer.position": 3,
    "hammer.rotation": 9,
    "hammer.velocity": 3,
    "hammer.angular_velocity": 3,
    "force.push.force": 3,
    "hinge.torque": 1,
}


def variables(fmu):
    root = etree.parse(fmu.folder / "modelDescription.xml").getroot()
    return root, list(root.find("ModelVariables"))


# FMI 2.0 has no arrays.
@pytest.mark.parametrize(
    ("fmi", "options"),
    [(2, ()), (3, ()), (3, ("--arrays",))],
    ids=["fmi2", "fmi3", "fmi3-arrays"],
)
def test_the_model_description_is_valid_and_has_the_inputs(build, fmi, options):
    fmu = build(SCENE, fmi=fmi, options=options)
    assert problems(fmu.archive) == []
    _, found = variables(fmu)
    inputs = [v for v in found if v.get("causality") == "input"]
    entries = {}
    for variable in inputs:
        assert variable.get("variability") == "continuous"
        assert variable.get("initial") is None
        body = variable if fmi == 3 else variable[0]
        extents = [int(d.get("start")) for d in variable.findall("Dimension")]
        assert len(body.get("start").split()) == int(np.prod(extents))
        name = variable.get("name").split("[")[0]
        entries[name] = entries.get(name, 0) + int(np.prod(extents))
        if options and name == "hammer.rotation":
            assert extents == [3, 3]
            assert body.get("start").split() == "1.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0".split()
    assert entries == INPUTS


def table(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def simulate(tool, folder, fmi, interface, inputs, *options):
    arguments = ["--fmi", str(fmi), "--interface", interface, "--input", inputs, "--out", folder]
    command = [tool, "simulate", SCENES / "coupled.toml", *arguments, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def read(folder):
    with (folder / "coupled.csv").open() as file:
        header, *rows = csv.reader(file)
    return {name: np.array([float(row[i]) for row in rows]) for i, name in enumerate(header)}


@pytest.mark.parametrize("interface", ["cs", "me"])
def test_simulate_reads_inputs_from_a_table(tool, tmp_path, fmi, interface):
    """The ball of m = 300 pi/6 0.2^3 kg: x'' = F/m with F = 5 t N in me, in cs a stair of it."""
    inputs = table(
        tmp_path / "inputs.csv",
        [["time", "force.push.force[1]", "hammer.velocity[3]"], [0, 0, 0.5], [0.2, 1, 0.5]],
    )
    folder = tmp_path / "out"
    done = simulate(tool, folder, fmi, interface, inputs, "--step", "1e-3", "--tolerance", "1e-9")
    assert done.returncode == 0, done.stderr
    result = read(folder)
    mass = 300 * np.pi / 6 * 0.2**3
    speed, time = result["ball.velocity[1]"], result["time"]
    assert time[-1] == 0.2
    exact = 2.5 * time**2 / mass
    if interface == "cs":
        # The stair begins each step of 1e-3 s with the value of its start.
        exact = 5 * np.array([sum(i * 1e-3 for i in range(n)) for n in range(201)]) * 1e-3 / mass
    assert speed == pytest.approx(exact, abs=1e-8)
    # Along z it falls freely.
    assert result["ball.position[3]"] == pytest.approx(2 - 9.81 / 2 * time**2, abs=1e-7)
    held = np.maximum(time - 1e-3, 0) if interface == "cs" else time
    assert result["force.push.force[1]"] == pytest.approx(5 * held, abs=1e-12)
    assert np.all(result["hammer.velocity[3]"] == 0.5)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["t", "hinge.torque"], [0, 1]], 'the first column is "t"'),
        ([["time", "hinge.torqe"], [0, 1], [1, 1]], 'nearest of its 22 inputs is "hinge.torque"'),
        ([["time", "hinge.torque"], [0, 1], [0.1, 1]], "add rows"),
        ([["time", "hinge.torque"], [0, "nan"]], "must be a finite number"),
        ([["time", "hammer.rotation[1,1]"], [0, 0], [1, 0]], "hammer"),
    ],
)
def test_bad_tables_are_refused_and_leave_no_results(tool, tmp_path, rows, reason):
    inputs = table(tmp_path / "inputs.csv", rows)
    done = simulate(tool, tmp_path / "out", 3, "cs", inputs)
    assert done.returncode != 0
    assert reason in done.stderr
    assert not (tmp_path / "out" / "coupled.csv").exists()


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_fmpy_drives_the_inputs(build, fmi, kind):
    fmu = build(SCENE, fmi=fmi)
    names = [("time", float), ("force.push.force[1]", float)]
    signal = np.array([(0.0, 2.0), (0.2, 2.0)], dtype=names)
    output = ["ball.velocity[1]", "hammer.contact_force[1]", "measure.reach.distance"]
    result = simulate_fmu(
        str(fmu.archive), fmi_type=kind, input=signal, output=output, stop_time=0.2, relative_tolerance=1e-8
    )
    mass = 300 * np.pi / 6 * 0.2**3
    assert result["ball.velocity[1]"][-1] == pytest.approx(2.0 * 0.2 / mass, rel=1e-6)


# Parameters of the pushed ball that are inputs.
TUNED = (
    "[experiment]",
    '[interface]\nparameter_inputs = ["ball.mass", "ball.inertia"]\n\n[experiment]',
)


@pytest.mark.parametrize(
    ("fmi", "options"),
    [(2, ()), (3, ()), (3, ("--arrays",))],
    ids=["fmi2", "fmi3", "fmi3-arrays"],
)
def test_parameters_that_are_inputs_are_described_as_these(build, tool, fmi, options):
    fmu = build("pushed", TUNED, fmi=fmi, options=options)
    assert problems(fmu.archive) == []
    done = subprocess.run([tool, "validate", fmu.archive, "--for", "simulink"], check=False)
    assert done.returncode == 0
    schema = FMPY / "schema" / f"fmi{fmi}" / f"fmi{fmi}ModelDescription.xsd"
    document = etree.parse(fmu.folder / "modelDescription.xml")
    etree.XMLSchema(etree.parse(schema)).assertValid(document)
    every = {v.name: v for v in fmu.description.modelVariables}
    own = [v for name, v in every.items() if name.startswith(("ball.mass", "ball.inertia"))]
    assert len(own) == (2 if options else 7)
    for variable in own:
        assert (variable.causality, variable.variability) == ("input", "continuous")
        element = next(v for v in document.iter() if v.get("name") == variable.name)
        assert element.get("initial") is None
    assert float(every["ball.mass"].start) == 2
    assert any(v.causality == "parameter" for v in every.values())
    speed = "der(ball.velocity)" if options else "der(ball.velocity[1])"
    listed = [d for d in fmu.description.derivatives if d.variable.name == speed]
    assert "ball.mass" in {known.name for known in listed[0].dependencies}


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_a_mass_that_is_an_input_follows_a_signal(build, tool, tmp_path, fmi, kind):
    """dv = F dt/m with F = 6 N and m = 2 kg (1 + t/s): v = 3 m/s ln 2 at 1 s. In cs, and in FMPy's
    me, the mass is that of the start of each step of about 1 ms: v is up to 2 mm/s larger."""
    names = [("time", float), ("force.push.force[1]", float), ("ball.mass", float)]
    rows = [(0.0, 6.0, 2.0), (1.0, 6.0, 4.0)]
    expected = 3 * np.log(2)
    fmu = build("pushed", TUNED, fmi=fmi)
    result = simulate_fmu(
        str(fmu.archive),
        fmi_type=kind,
        input=np.array(rows, dtype=names),
        output=["ball.velocity[1]"],
        stop_time=1,
        output_interval=1e-3,
        relative_tolerance=1e-8,
    )
    assert result["ball.velocity[1]"][-1] == pytest.approx(expected, abs=2e-3)
    scene, folder = tmp_path / "scene.toml", tmp_path / "out"
    scene.write_text((SCENES / "pushed.toml").read_text().replace(*TUNED))
    interface = "me" if kind == "ModelExchange" else "cs"

    def last(columns, *options):
        """Speed at the end with the first columns of the signal."""
        every = [[name for name, _ in names], *rows]
        inputs = table(tmp_path / "inputs.csv", [row[:columns] for row in every])
        command = [tool, "simulate", scene, "--fmi", str(fmi), "--interface", interface]
        command += ["--step", "1e-3", "--out", folder, "--input", inputs, *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        with (folder / "pushed.csv").open() as file:
            *_, row = csv.DictReader(file)
        return float(row["ball.velocity[1]"])

    assert last(3) == pytest.approx(expected, abs=1e-6 if interface == "me" else 2e-3)
    # The start value, where no column has it.
    assert last(2, "--set", "ball.mass=4") == pytest.approx(1.5, abs=1e-6)


@pytest.mark.parametrize("kind", ["me", "cs"])
def test_inputs_are_set_in_every_state_but_the_last(build, kind):
    """[FMI 3.0] 2.3.2, 2.3.3, 2.3.5, 3.2.1, 4.2.1: continuous inputs; 4.2.2: none inside a step."""
    fmu = build(SCENE)
    options = {"event_mode": True, "early_return": True} if kind == "cs" else {}
    for state in STATES[kind]:
        watched = ["ball.position[1]"] if kind == "cs" else None
        with fmu.instance(kind, **options, intermediate=watched) as instance:
            reach(instance, state)

            def attempt(instance=instance) -> int:
                reference = (fmi3ValueReference * 1)(fmu.references["hinge.torque"])
                return instance.call("fmi3SetFloat64", reference, 1, (fmi3Float64 * 1)(0.25), 1)

            status = inside_step(instance, attempt) if state == "U" else attempt()
            assert status == (ERROR if state in "TU" else OK), state
