"""What an importer sees by option: arrays, flat names, tunable parameters, profiles."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import simulate_fmu
from lxml import etree

from conftest import EXAMPLES, QUICK, ROOT, tiers
from validation import problems

FMPY = Path(fmpy.__file__).parent
SCENES = tiers(["two_colliding_balls", "twelve_pairs", *EXAMPLES], {*QUICK, "twelve_pairs"})
ARRAYS = ("--arrays",)
FLAT = ("--naming", "flat")
ALL = ("--arrays", "--naming", "flat", "--tunable")
KINDS = [(3, ARRAYS), (3, FLAT), (3, ALL), (2, ("--naming", "flat", "--tunable"))]
KINDS = [pytest.param(kind, id=f"fmi{kind[0]} {' '.join(kind[1])}") for kind in KINDS]

# [Modelica 3.6] section 2.3.3.
KEYWORDS = """
algorithm and annotation block break class connect connector constant constrainedby der discrete
each else elseif elsewhen encapsulated end enumeration equation expandable extends external false
final flow for function if import impure in initial inner input loop model not operator or outer
output package parameter partial protected public pure record redeclare replaceable return stream
then true type when while within
""".split()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scene", SCENES)
def test_fmpy_finds_no_problem(build, scene, kind):
    fmi, options = kind
    assert problems(build(scene, fmi=fmi, options=options).archive) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scene", SCENES)
def test_model_description_follows_the_schema(build, scene, kind):
    fmi, options = kind
    folder = FMPY / "schema" / f"fmi{fmi}"
    schema = etree.XMLSchema(etree.parse(folder / f"fmi{fmi}ModelDescription.xsd"))
    fmu = build(scene, fmi=fmi, options=options)
    schema.assertValid(etree.parse(fmu.folder / "modelDescription.xml"))


def trajectory(fmu, kind: str) -> np.ndarray:
    """All outputs in document order, one row for each time."""
    result = simulate_fmu(str(fmu.archive), fmi_type=kind, stop_time=0.5, output_interval=5e-3)
    columns = [result[name].reshape(len(result), -1) for name in result.dtype.names]
    return np.hstack([column.astype(float) for column in columns])


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("scene", ["twelve_pairs", "two_colliding_balls"])
def test_arrays_and_flat_names_give_the_motion_of_scalars_to_the_bit(build, scene, kind):
    plain = trajectory(build(scene), kind)
    assert plain.shape[0] > 100
    assert np.ptp(plain[:, 1:], axis=0).max() > 0.01, "nothing moves"
    for options in [ARRAYS, FLAT, ALL]:
        other = trajectory(build(scene, options=options), kind)
        assert np.array_equal(plain, other), options


PROFILE = ("--profile", "openmodelica")
MOTION = {"position", "orientation", "velocity", "angular_velocity", "angle", "displacement"}


def names_of(fmu, causality: str) -> list[str]:
    return [v.name for v in fmu.description.modelVariables if v.causality == causality]


def flat(name: str) -> str:
    return re.sub(r"[.\[,]", "_", name).replace("]", "")


def parts(name: str) -> tuple[str, str]:
    """What a variable is of, and its quantity."""
    of, _, quantity = name.partition("[")[0].rpartition(".")
    return of, quantity


@pytest.mark.parametrize("scene", SCENES)
def test_the_profile_of_openmodelica_shows_motion_and_forces_on_driven_bodies(
    build, tool, scene, fmi
):
    plain, fmu = build(scene, fmi=fmi), build(scene, fmi=fmi, options=PROFILE)
    driven = {parts(name)[0] for name in names_of(plain, "input")}
    wanted = [
        name
        for name in names_of(plain, "output")
        for of, quantity in [parts(name)]
        if quantity in MOTION or (of in driven and quantity.startswith(("contact_", "impulse")))
    ]
    assert names_of(fmu, "output") == [flat(name) for name in wanted]
    assert wanted
    assert names_of(fmu, "parameter") == []
    assert names_of(fmu, "input") == [flat(name) for name in names_of(plain, "input")]
    command = [tool, "validate", fmu.archive, "--for", "openmodelica"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert problems(fmu.archive) == []


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("name", ["bouncing_ball", "double_pendulum", "gripper", "impulse_ball"])
def test_the_profile_changes_no_bit_of_the_states(build, name, kind, fmi):
    scene = ROOT / "examples" / name / "scene.toml"
    plain, fmu = build(scene, fmi=fmi), build(scene, fmi=fmi, options=PROFILE)
    assert fmu.states == [flat(state) for state in plain.states]
    states = []
    for one in (plain, fmu):
        result = simulate_fmu(
            str(one.archive), fmi_type=kind, stop_time=0.6, output_interval=5e-3, output=one.states
        )
        states.append(np.array(result.tolist()))
    assert np.array_equal(*states)
    assert len(states[0]) > 100


def test_outputs_and_parameters_of_the_profile_are_those_that_the_scene_exposes(build, fmi):
    ball = ROOT / "examples" / "bouncing_ball" / "scene.toml"
    plain, fmu = build(ball, fmi=fmi), build(ball, fmi=fmi, options=PROFILE)
    for causality, counts in [("output", (29, 13)), ("parameter", (31, 0))]:
        assert (len(names_of(plain, causality)), len(names_of(fmu, causality))) == counts
    patterns = 'interface.expose = ["ball.velocity", "ball.mass", "world.gravity[3]"]'
    change = ("format = 1", f"format = 1\n{patterns}")
    fmu = build(ball, change, fmi=fmi, options=PROFILE)
    assert names_of(fmu, "output") == [f"ball_velocity_{i}" for i in (1, 2, 3)]
    assert names_of(fmu, "parameter") == ["world_gravity_3", "ball_mass"]
    fmu = build(ball, change, fmi=fmi, options=(*PROFILE, "--expose-parameters=false"))
    assert len(names_of(fmu, "parameter")) == 31
    # Those that are not shown are set where the FMU is built.
    options = (*PROFILE, "--set", "world.gravity[3]=0", "--naming", "structured")
    still = build(ball, fmi=fmi, options=options)
    result = simulate_fmu(str(still.archive), stop_time=0.5)
    assert np.ptp(result["ball.position[3]"]) == 0


def test_arrays_hold_the_scalars_in_order(build):
    scalars = build("two_colliding_balls").description
    arrays = build("two_colliding_balls", options=ARRAYS).description
    elements = iter(scalars.modelVariables)
    sizes = set()
    for variable in arrays.modelVariables:
        size = int(variable.dimensions[0].start) if variable.dimensions else 1
        sizes.add(size)
        group = [next(elements) for _ in range(size)]
        base = {re.sub(r"\[[\d,]+\]", "", v.name) for v in group}
        if variable.dimensions:
            assert base == {variable.name}
        else:
            assert group[0].name == variable.name
        for attribute in ["causality", "variability", "initial"]:
            assert {getattr(v, attribute) for v in group} == {getattr(variable, attribute)}
        starts = [] if variable.start is None else variable.start.split()
        assert starts == [v.start for v in group if v.start is not None]
        types = [v.declaredType for v in group]
        if types[0] is not None:
            assert {t.unit for t in types} == {variable.declaredType.unit}
            nominals = [float(t.nominal) for t in types if t.nominal is not None]
            found = variable.declaredType.nominal
            assert [float(found)] == [min(nominals)] if nominals else found is None
    assert next(elements, None) is None
    assert {1, 3, 4, 6} <= sizes


@pytest.mark.parametrize("kind", KINDS[1:])
def test_flat_names_are_identifiers(build, kind):
    fmi, options = kind
    description = build("two_colliding_balls", fmi=fmi, options=options).description
    assert description.variableNamingConvention == "flat"
    names = [v.name for v in description.modelVariables]
    assert len(set(names)) == len(names) > 20
    for name in names:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
        assert name not in KEYWORDS
    derivatives = [u.variable for u in description.derivatives]
    assert all(v.name == f"der_{v.derivative.name}" for v in derivatives)


def test_parameters_are_tunable_by_option(build, fmi):
    def variabilities(*options: str) -> set[str]:
        fmu = build("two_colliding_balls", fmi=fmi, options=options)
        variables = fmu.description.modelVariables
        return {v.variability for v in variables if v.causality == "parameter"}

    assert variabilities() == {"fixed"}
    assert variabilities("--tunable") == {"tunable"}


def test_types_offer_display_units(build, fmi):
    description = build("two_colliding_balls", fmi=fmi).description
    shown = {t.unit: t.displayUnit for t in description.typeDefinitions if t.displayUnit}
    assert shown["m"] == "mm"
    assert shown["rad/s"] == "rpm"
    assert shown["rad/s2"] == "deg/s2"
    factors = {
        (unit.name, display.name): float(display.factor)
        for unit in description.unitDefinitions
        for display in unit.displayUnits
    }
    assert factors["m", "mm"] == 1000
    # One turn in a second.
    assert factors["rad/s", "rpm"] * 2 * np.pi == pytest.approx(60, rel=1e-15)
    assert factors["rad/s", "deg/s"] * 2 * np.pi == pytest.approx(360, rel=1e-15)
