"""`crosscheck` on every example: the rules as FMPy checks them, the tool's own verdicts, and FMPy as
a second importer with the settings of the exported files."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.cross_check.validate_vendor_repo import validate_test_fmu
from fmpy.util import read_csv, read_ref_opt_file
from lxml import etree

from conftest import EXAMPLES, OWN_PLATFORM

# Half width of the tube along time, and half height: parts of the duration and of the range.
WIDTH, HEIGHT = 2e-3, 2e-3
# FMPy's name of an interface type.
KINDS = {"me": "ModelExchange", "cs": "CoSimulation"}
# Those that take longest run for a part of their time [s].
STOPS = {"shapes": "0.3", "block_friction": "2", "conveyor": "0.3"}
STOPS |= {"box_stack": "0.08", "coin": "0.05", "dominoes": "0.1", "tipping_box": "1"}
# Forces of stiff faces are differences of positions that CVODE leaves at its tolerance: their motion.
OUTPUTS = {
    "coin": ("coin.position[1]", "coin.position[2]", "coin.position[3]"),
    "dominoes": ("domino_1.position[1]", "domino_1.position[3]", "domino_2.position[1]"),
    "tipping_box": ("tall.position[1]", "tall.position[3]", "low.position[1]", "low.position[3]"),
}
LAYERED = "{http://fmi-standard.org/fmi-ls-manifest}"


def export(tool: Path, scene: Path, folder: Path, *options: str) -> list[Path]:
    """The folders of the exported FMUs."""
    inputs = scene.parent / "inputs.csv"
    given = ["--input", inputs] if inputs.exists() else []
    if scene.parent.name in STOPS:
        given += ["--stop", STOPS[scene.parent.name]]
    for output in OUTPUTS.get(scene.parent.name, ()):
        given += ["--output", output]
    # Whether or not there are binaries of others.
    given += ["--platform", OWN_PLATFORM]
    command = [tool, "crosscheck", "export", scene, "-o", folder, *given, *options]
    subprocess.run(command, check=True, timeout=100, stdout=subprocess.DEVNULL)
    return sorted(fmu.parent for fmu in folder.rglob("*.fmu"))


def outside(reference: np.ndarray, found: np.ndarray) -> list[str]:
    """The signals that leave a tube around the reference at one of its rows."""
    times = reference["time"]
    half = WIDTH * (times[-1] - times[0])
    names = []
    for name in reference.dtype.names[1:]:
        expected = reference[name]
        size = np.abs(expected).max()
        height = max(HEIGHT * np.ptp(expected), 1e-5 * size, 1e-9)
        # Linear between the rows: extremes are at rows or at the ends of the window.
        around = [np.interp(times + shift, times, expected) for shift in (-half, half)]
        first = np.searchsorted(times, times - half)
        last = np.searchsorted(times, times + half, side="right")
        inner = [expected[a:b] for a, b in zip(first, last, strict=True)]
        low = np.minimum(np.minimum(*around), [rows.min() for rows in inner]) - height
        high = np.maximum(np.maximum(*around), [rows.max() for rows in inner]) + height
        value = np.interp(times, found["time"], found[name])
        if not np.all((low <= value) & (value <= high)):
            names.append(name)
    return names


def fmpy_run(folder: Path, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Reference, and FMPy's result with the settings and inputs beside it."""
    model = folder.name
    options = read_ref_opt_file(folder / f"{model}_ref.opt")
    reference = read_csv(folder / f"{model}_ref.csv")
    inputs = folder / f"{model}_in.csv"
    signals = read_csv(inputs) if inputs.exists() else None
    interval = options["StepSize"] or options["OutputIntervalLength"]
    tolerance = options["RelTol"]
    # FMPy's Model Exchange holds inputs from one output to the next, and longer where a step of CVODE
    # reaches beyond that: 1.3 ms in the gripper at 1e-8.
    if kind == "me" and signals is not None:
        interval /= 16
        tolerance /= 10
    found = simulate_fmu(
        str(folder / f"{model}.fmu"),
        fmi_type=KINDS[kind],
        start_time=options["StartTime"],
        stop_time=options["StopTime"],
        relative_tolerance=tolerance,
        output_interval=interval,
        input=signals,
        output=list(reference.dtype.names[1:]),
        record_events=False,
    )
    return reference, found


@pytest.mark.parametrize("scene", EXAMPLES, ids=lambda scene: scene.parent.name)
def test_an_example_keeps_the_rules_and_two_importers_pass(tool, tmp_path, scene):
    # Both versions give the same bits, see test_versions: each example in one of them.
    version = 2 + EXAMPLES.index(scene) % 2
    folders = export(tool, scene, tmp_path, "--fmi", str(version))
    assert len(folders) == 2
    for command, last in (
        (["check", "fmus"], "FMUs: 2, breaches of the rules: 0, advice: 0"),
        (["validate", "fmus", "-o", "."], "passed 2, failed 0, rejected 0"),
    ):
        arguments = [tool, "crosscheck", *command]
        done = subprocess.run(
            arguments, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.splitlines()[-1] == last
    for folder in folders:
        assert validate_test_fmu(str(folder)) == []
        kind = folder.relative_to(tmp_path / "fmus").parts[1]
        reference, found = fmpy_run(folder, kind)
        assert outside(reference, found) == [], kind
        own = read_csv(folder / f"{folder.name}_cc.csv")
        assert outside(reference, own) == [], kind
        assert 2 <= len(reference) <= 1001 and len(reference.dtype.names) <= 11


def test_a_wrong_result_is_outside(tool, tmp_path):
    scene = next(s for s in EXAMPLES if s.parent.name == "bouncing_ball")
    (folder,) = export(tool, scene, tmp_path, "--fmi", "2", "--interface", "cs")
    reference, found = fmpy_run(folder, "cs")
    assert outside(reference, found) == []
    found["ball.position[3]"] *= 1.01
    assert outside(reference, found) == ["ball.position[3]"]


def test_the_manifest_inside_is_one_of_a_layered_standard(tool, tmp_path, fmi):
    scene = next(s for s in EXAMPLES if s.parent.name == "gripper")
    folders = export(tool, scene, tmp_path, "--fmi", str(fmi))
    schema = etree.parse(Path(fmpy.__file__).parent / "schema/fmi3/fmi3LayeredStandardManifest.xsd")
    with zipfile.ZipFile(folders[0] / "gripper.fmu") as archive:
        place = "extra/org.fmi-standard.fmi-ls-ref/"
        manifest = etree.fromstring(archive.read(place + "fmi-ls-manifest.xml"))
        # The draft has a root of its own with the attributes that FMI 3.0 lays down.
        generic = etree.Element(LAYERED + "fmiLayeredStandardManifest", attrib=manifest.attrib)
        etree.XMLSchema(schema).assertValid(generic)
        assert manifest.get(LAYERED + "fmi-ls-name") == "org.fmi-standard.fmi-ls-ref"
        sources = [related.get("source") for related in manifest.findall("Related")]
        experiments = etree.fromstring(archive.read(place + "experiments.exp"))
        sources += [element.get("source") for element in experiments.iter("Stimuli", "References")]
        names = set(archive.namelist())
        assert len(sources) == 7 and all(place + source in names for source in sources)
    # FMPy finds nothing in the FMU that is against the standard.
    description = read_model_description(str(folders[0] / "gripper.fmu"), validate=True)
    assert description.modelName == "gripper"
