"""Cross-check: the rules as FMPy and the package check them, a run of every example in FMPy, and
what the package says of FMUs that do one thing wrong and of files that break one rule."""

from __future__ import annotations

import ctypes
import importlib
import math
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import fmpy
import numpy as np
import pytest
from c_programs import find_tool
from conftest import EXAMPLES, OWN_PLATFORM, target_folder, tiers
from fmpy import fmi2, fmi3, read_model_description
from fmpy.cross_check.validate_vendor_repo import validate_test_fmu
from fmpy.util import read_csv
from lxml import etree

# Those that take longest run for a part of their time [s].
STOPS = {"shapes": "0.3", "block_friction": "2", "conveyor": "0.3"}
STOPS |= {"box_stack": "0.08", "coin": "0.05", "dominoes": "0.1", "gears_mesh": "0.02"}
STOPS |= {"tipping_box": "1"}
# Forces of stiff faces are differences of positions that CVODE leaves at its tolerance: their
# motion.
OUTPUTS = {
    "coin": ("coin.position[1]", "coin.position[2]", "coin.position[3]"),
    "dominoes": ("domino_1.position[1]", "domino_1.position[3]", "domino_2.position[1]"),
    "tipping_box": ("tall.position[1]", "tall.position[3]", "low.position[1]", "low.position[3]"),
}
LAYERED = "{http://fmi-standard.org/fmi-ls-manifest}"

# The mock of the tests in Rust, x = e^-t; TOKEN is its misbehaviour.
MOCK = {
    "3.0": """<fmiModelDescription fmiVersion="3.0" modelName="mock" instantiationToken="TOKEN">
  <ModelExchange modelIdentifier="mock" needsCompletedIntegratorStep="true"/>
  <CoSimulation modelIdentifier="mock" hasEventMode="true"/>
  <DefaultExperiment stopTime="1" tolerance="1e-9" stepSize="0.125"/>
  <ModelVariables>
    <Float64 name="time" valueReference="1" causality="independent" variability="continuous"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" start="1"/>
    <Float64 name="der(x)" valueReference="3" derivative="2"/>
    <Float64 name="z" valueReference="4"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2"/>
    <ContinuousStateDerivative valueReference="3"/>
    <InitialUnknown valueReference="3"/>
    <EventIndicator valueReference="4"/>
  </ModelStructure>
</fmiModelDescription>""",
    "2.0": """<fmiModelDescription fmiVersion="2.0" modelName="mock" guid="TOKEN"
    numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="mock"/>
  <CoSimulation modelIdentifier="mock"/>
  <DefaultExperiment stopTime="1" tolerance="1e-9" stepSize="0.125"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="2" causality="output" initial="exact">
      <Real start="1"/>
    </ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="3"><Real derivative="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/></Outputs>
    <Derivatives><Unknown index="2"/></Derivatives>
    <InitialUnknowns><Unknown index="2"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>""",
}
AS_IT_IS = ("TOKEN", "TOKEN")
EXPERIMENT = "StartTime, 0.0\nStopTime, 1.0\nStepSize, 0.125\nRelTol, 1e-9\n"
INPUT = '<Float64 name="u" valueReference="5" causality="input" start="0"/></ModelVariables>'


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mock with the functions that it lacks: FMPy loads no library without them."""
    mock = target_folder() / "checked" / "deps" / "libmock_fmu.so"
    assert mock.is_file(), f"{mock} is missing: run tests/run, or cargo test"
    own = ctypes.CDLL(str(mock))
    classes = (fmi2.FMU2Slave, fmi2.FMU2Model, fmi3.FMU3Slave, fmi3.FMU3Model)
    wanted = {name for one in classes for name in dir(one) if name.startswith(("fmi2", "fmi3"))}
    lacking = [name for name in sorted(wanted) if not hasattr(own, name)]
    folder = tmp_path_factory.mktemp("library")
    source, library = folder / "more.c", folder / "mock.so"
    source.write_text("".join(f"int {name}(void) {{ return 3; }}\n" for name in lacking))
    command = [
        find_tool("cc", "gcc"),
        "-shared",
        "-fPIC",
        "-Wl,--no-as-needed",
        "-o",
        library,
        source,
        mock,
    ]
    subprocess.run(command, check=True, timeout=60)
    return library


@pytest.fixture(scope="session")
def crosscheck(package: Path) -> ModuleType:
    """The module of the package that judges."""
    sys.path.insert(0, str(package))
    try:
        return importlib.import_module("contact_fmu._crosscheck")
    finally:
        sys.path.remove(str(package))


@dataclass
class Tree:
    """A repository of FMUs that stand for tools, and the command that judges it."""

    root: Path
    package: Path
    library: Path
    host: str

    def __call__(self, *options: str | Path, folder: Path | None = None) -> tuple[str, int]:
        """Standard output of `check`, and the exit code."""
        arguments = options or ("fmus", "-o", ".")
        command = [sys.executable, "-m", "contact_fmu", "crosscheck", "check", *arguments]
        done = subprocess.run(
            command,
            cwd=folder or self.root,
            env={**os.environ, "PYTHONPATH": str(self.package)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout + done.stderr, done.returncode

    def add(
        self,
        version: str = "3.0",
        kind: str = "cs",
        tool: str = "plain",
        change: tuple[str, str] = AS_IT_IS,
        x: Callable[[float], float] = lambda t: math.exp(-t),
        platform: str = "",
    ) -> Path:
        """The folder of a mock of a tool, whose name is the misbehaviour of its FMU, with rows of x
        as reference."""
        folder = (
            self.root / "fmus" / version / kind / (platform or self.host) / tool / "1.0" / "mock"
        )
        folder.mkdir(parents=True)
        text = MOCK[version]
        assert change[0] in text
        binaries = "linux64" if version == "2.0" else OWN_PLATFORM
        with zipfile.ZipFile(folder / "mock.fmu", "w") as archive:
            archive.writestr("modelDescription.xml", text.replace(*change).replace("TOKEN", tool))
            archive.write(self.library, f"binaries/{binaries}/mock.so")
        rows = "".join(f"{i / 8},{x(i / 8)!r}\n" for i in range(9))
        (folder / "mock_ref.csv").write_text(f'"time","x"\n{rows}')
        (folder / "mock_ref.opt").write_text(EXPERIMENT)
        (folder / "README.md").write_text("e^-t\n")
        return folder

    def result(
        self, version: str = "3.0", kind: str = "cs", tool: str = "plain"
    ) -> tuple[list[str], str]:
        """Names of the files that say what became of an FMU, and the readme."""
        importer = self.root / "results" / version / kind / self.host / "FMPy" / fmpy.__version__
        folder = importer / tool / "1.0" / "mock"
        readme = folder / "README.md"
        names = sorted(path.name for path in folder.iterdir())
        return names, readme.read_text() if readme.exists() else ""


@pytest.fixture
def tree(tmp_path: Path, package: Path, library: Path, crosscheck: ModuleType) -> Tree:
    return Tree(tmp_path, package, library, crosscheck.host())


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


@pytest.mark.parametrize("scene", tiers(EXAMPLES, {"bouncing_ball"}))
def test_an_example_keeps_the_rules_and_two_importers_pass(tool, tree, crosscheck, scene):
    # Both versions give the same bits, see test_versions: each example in one of them.
    version = 2 + EXAMPLES.index(scene) % 2
    folders = export(tool, scene, tree.root, "--fmi", str(version))
    assert len(folders) == 2
    said, code = tree("fmus")
    assert code == 0, said
    closing = "FMUs: 2, breaches of the rules: 0, advice: 0; passed 2, failed 0, rejected 0"
    assert said.splitlines()[-1] == closing
    for folder in folders:
        assert validate_test_fmu(str(folder)) == []
        reference, own = (read_csv(folder / f"{folder.name}_{end}.csv") for end in ("ref", "cc"))
        assert [d.name for d in crosscheck.compare(reference, own) if d.largest > 1] == []
        assert 2 <= len(reference) <= 1001
        assert len(reference.dtype.names) <= 11


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
        assert len(sources) == 7
        assert all(place + source in names for source in sources)
    # FMPy finds nothing in the FMU that is against the standard.
    description = read_model_description(str(folders[0] / "gripper.fmu"), validate=True)
    assert description.modelName == "gripper"


@pytest.mark.full
def test_an_fmu_that_follows_its_reference_passes_in_both_versions_and_kinds(tree):
    for version in MOCK:
        for kind in ("me", "cs"):
            tree.add(version, kind)
    said, code = tree()
    assert code == 0, said
    closing = "FMUs: 4, breaches of the rules: 0, advice: 0; passed 4, failed 0, rejected 0\n"
    assert said.endswith(closing), said
    for version in MOCK:
        for kind in ("me", "cs"):
            assert tree.result(version, kind)[0] == ["passed"]


@pytest.mark.full
def test_each_fmu_gets_its_own_verdict_whatever_the_others_do(tree):
    for tool in ("abort", "asleep", "discard", "terminate", "stuck", "plain"):
        tree.add(tool=tool)
    # Off by 0.01 at the start, where 0.002 of it are within the width along time and 0.0013 within
    # the height of the tube.
    wrong = tree.add(kind="me", x=lambda t: 1.01 * math.exp(-t))
    needs = 'hasEventMode="true" needsExecutionTool="true"'
    tree.add(tool="three-updates", change=('hasEventMode="true"', needs))
    tree.add(tool="nowhere", change=('modelIdentifier="mock"', 'modelIdentifier="other"'))
    # The mock has no function for it.
    integer = '<Int32 name="i" valueReference="5" causality="input" start="0"/></ModelVariables>'
    given = tree.add(tool="doubled", change=("</ModelVariables>", integer))
    (given / "mock_in.csv").write_text('"time","i"\n0,1\n1,1\n')
    (tree.add("2.0") / "mock_ref.csv").unlink()
    # FMPy tries such a step again for ever.
    tree.add("2.0", tool="discard")

    # A process starts in a second; on a busy machine in some.
    said, code = tree("fmus", "-o", ".", "--time-limit", "15")
    assert code == 1, said
    assert said.endswith("passed 1, failed 8, rejected 3\n"), said
    assert tree.result()[0] == ["passed"]
    for kind, tool, word, reason in (
        ("cs", "abort", "failed", "the FMU ended the process: signal SIGABRT"),
        ("cs", "asleep", "failed", "did not come to its end in 15 s"),
        ("cs", "discard", "failed", "after 0.5 s: fmi3DoStep failed with status 2 (discard)"),
        ("cs", "discard", "failed", "nothing beyond 0.4 s"),
        ("cs", "terminate", "failed", "the FMU ended the run at 0.625 s; StopTime is 1 s"),
        ("cs", "stuck", "failed", "after 0 s: FMU returned early from doStep()"),
        ("me", "plain", "failed", "x is outside of the tube in"),
        ("cs", "three-updates", "rejected", "needsExecutionTool"),
        ("cs", "nowhere", "rejected", "the FMU cannot be loaded: Cannot find shared library"),
        ("cs", "doubled", "failed", "fmi3SetInt32 failed with status 3 (error)"),
    ):
        files, readme = tree.result("3.0", kind, tool)
        assert files == ["README.md", word], tool
        assert reason in readme, f"{tool}: {readme}"
    files, readme = tree.result("2.0")
    assert files == ["README.md", "rejected"]
    assert "- mock_ref.csv: is missing" in readme
    assert "the step did not move on in time" in tree.result("2.0", tool="discard")[1]

    # A later verdict takes the place of the former one.
    rows = '"time","x"\n0,1\n0.5,0.60653065971\n1,0.36787944117\n'
    (wrong / "mock_ref.csv").write_text(rows)
    assert tree(wrong, "-o", ".")[1] == 0
    assert tree.result(kind="me")[0] == ["passed"]


@pytest.mark.full
def test_an_fmu_for_another_platform_is_not_run_and_its_result_stays(tree):
    """What a run on another platform has written stays; the files are checked here, too."""
    for tool in ("judged", "abort"):
        folder = tree.add(tool=tool, platform="win64")
        with zipfile.ZipFile(folder / "mock.fmu", "a") as archive:
            archive.writestr("binaries/x86_64-windows/mock.dll", "")
    (folder / "mock_ref.opt").unlink()
    tree.add()
    there = tree.root / "results/3.0/cs/win64/FMPy"
    kept = there / fmpy.__version__ / "judged/1.0/mock/passed"
    kept.parent.mkdir(parents=True)
    kept.write_text("on Windows")
    said, code = tree()
    assert code == 1, said
    assert "breaches of the rules: 1, advice: 0; passed 1, failed 0, rejected 0, skipped 2" in said
    assert f"skipped: for the platform win64; this program runs on {tree.host}" in said
    assert "mock_ref.opt: is missing" in said
    assert [path.read_text() for path in kept.parent.iterdir()] == ["on Windows"]
    assert not (kept.parents[3] / "abort").exists()


@pytest.mark.full
def test_what_a_tree_of_many_years_has_beside_fmus_ends_nothing(tree):
    """An FMU of FMI 1.0, one that is not public, one beside the folders, one in a folder of another
    name: each has its line, and the others run."""
    folder = tree.add()
    root = tree.root / "fmus"
    for path in (
        "loose/a.fmu",
        f"1.0/me/{tree.host}/T/1/old/old.fmu",
        f"2.0/cs/{tree.host}/secret/1.0/mock/mock.nofmu",
        f"2.0/cs/{tree.host}/named/1.0/mock/other.fmu",
    ):
        (root / path).parent.mkdir(parents=True)
        (root / path).touch()
    said, code = tree()
    assert code == 1, said
    closing = "FMUs: 5, breaches of the rules: 2, advice: 0; passed 1, failed 0, rejected 0"
    assert said.endswith(f"{closing}, skipped 2, error 2\n"), said
    for line in (
        'fmus/loose/a.fmu: error: the folder "',
        '1.0/mock/other.fmu: error: its folder is named "mock", not like the file',
        "1/old/old.fmu: skipped: FMI 1.0 is not read",
        "1.0/mock/mock.nofmu: skipped: the FMU is not public",
    ):
        assert line in said
    assert tree.result()[0] == ["passed"]
    assert not (tree.root / "results" / "1.0").exists()

    # One that keeps older rules may break any, and is run where that is possible.
    (folder / "mock_ref.csv").unlink()
    (folder / "notCompliantWithLatestRules").touch()
    for misplaced in (root / "loose", root / "2.0/cs" / tree.host / "named"):
        shutil.rmtree(misplaced)
    said, code = tree("fmus", "--files-only")
    assert code == 0, said
    assert "skipped: notCompliantWithLatestRules is beside it" in said
    assert said.endswith("FMUs: 3, breaches of the rules: 0, advice: 0; skipped 3\n"), said
    said, code = tree(folder)
    assert "rejected: mock_ref.csv: is missing" in said
    assert "breaches of the rules: 0" in said


@pytest.mark.full
def test_a_path_may_start_in_any_folder_but_not_go_up_below_fmus(tree):
    folder = tree.add()
    said, code = tree("mock.fmu", "-o", tree.root, folder=folder)
    assert code == 0, said
    assert tree.result()[0] == ["passed"]
    said, code = tree("../mock/mock.fmu", folder=folder)
    assert '".." is one of its last folders' in said
    assert (said.endswith("rejected 0, error 1\n"), code) == (True, 1)
    # Twice the same is judged once; a wrong path is told.
    assert tree("fmus", "./fmus", tree.root, "--files-only")[0].startswith("FMUs: 1,")
    (tree.root / "empty").mkdir()
    for path, words in (("empty", "there is no FMU in it"), ("none", "there is no such file")):
        said, code = tree(path)
        assert words in said
        assert code == 1


def test_one_result_that_cannot_be_written_loses_no_other(tree):
    """The others have theirs."""
    folder = tree.add()
    for tool in ("a", "z"):
        shutil.copytree(folder.parents[1], folder.parents[2] / tool)
    importer = tree.root / "results/3.0/cs" / tree.host / "FMPy" / fmpy.__version__
    importer.mkdir(parents=True)
    (importer / "plain").write_text("a file in place of a folder")
    said, code = tree()
    assert code == 1, said
    assert "passed 2, failed 0, rejected 0, error 1" in said
    assert "error: passed, but cannot write into" in said
    assert [tree.result(tool=tool)[0] for tool in "az"] == [["passed"], ["passed"]]


def test_without_fmpy_the_command_says_what_to_install(tree, tmp_path):
    code = "import sys; sys.modules['fmpy'] = None; sys.argv[1:] = ['crosscheck', 'check', '.']\n"
    code += "import runpy; runpy.run_module('contact_fmu', run_name='__main__')"
    env = {**os.environ, "PYTHONPATH": str(tree.package)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith('pip install "contact-fmu[crosscheck]"')


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))

    return change


def written(name: str, content: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content)


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def renamed(name: str, other: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).rename(folder / other)


HEAD = '"time","x"\n'
ELEVEN = '"time",' + ",".join(f'"x{i}"' for i in range(11)) + "\n"
# One change of a good folder, and the problem that is told.
BREACHES = [
    (removed("mock_ref.csv"), "mock_ref.csv: is missing; an exported FMU has it"),
    (removed("mock_ref.opt"), "mock_ref.opt: is missing"),
    (
        renamed("mock_ref.csv", "Mock1_ref.csv"),
        "mock_ref.csv: is missing; rename Mock1_ref.csv, named unlike its folder",
    ),
    (written("other_in.csv", '"time","u"\n0,1\n'), "mock_in.csv: is missing; rename other_in.csv"),
    (written("mock.fmu", "no archive"), "mock.fmu: cannot be read: File is not a zip file"),
    (replaced("mock_ref.opt", "StopTime, 1.0\n", ""), "mock_ref.opt: StopTime is missing"),
    (
        replaced("mock_ref.opt", "1.0\n", "1.5\n"),
        "mock_ref.csv:10: ends at 1 s; StopTime in _ref.opt is 1.5 s",
    ),
    (
        replaced("mock_ref.opt", "0.0\n", "-1\n"),
        "mock_ref.csv:2: starts at 0 s; StartTime in _ref.opt is -1 s",
    ),
    (
        written("mock_ref.csv", HEAD + "0,1\n1,0.4\n2,0.1\n"),
        "mock_ref.csv:4: ends at 2 s; StopTime in _ref.opt is 1 s",
    ),
    (written("mock_ref.csv", HEAD + "0,1\n"), "mock_ref.csv: has one row"),
    (written("mock_ref.csv", HEAD + "0,1\n0,1\n"), "mock_ref.csv: has all rows at 0 s"),
    (
        written("mock_ref.csv", HEAD + "0\n1,0.4\n"),
        "mock_ref.csv:2: has 1 column; the first line names 2",
    ),
    (
        replaced("mock_ref.csv", '"x"', '"y"'),
        'mock_ref.csv:1: column "y" is no variable of the FMU',
    ),
    (replaced("mock_ref.csv", '"x"', "x"), "mock_ref.csv:1: names must be in double quotes"),
    (replaced("mock_ref.csv", "\n0.125,", "\n-0.125,"), "s after 0 s; it must not fall"),
    (
        replaced("mock_ref.csv", "\n0.0,1.0\n", "\n0,nan\n"),
        'mock_ref.csv:2: x is "nan"; only finite',
    ),
    (
        replaced("mock_ref.csv", "\n0.0,1.0\n", "\n0,1 2\n"),
        "mock_ref.csv:3: x has 1 element here and 2 before",
    ),
    (written("mock_ref.csv", HEAD + "0,1 2\n1,1 2\n"), 'mock_ref.csv:1: column "x" has 2 elements'),
    (written("mock_ref.csv", ELEVEN), "mock_ref.csv: has no row"),
    (written("mock_in.csv", HEAD + "0,1\n1,1\n"), 'mock_in.csv:1: column "x" is no input; its'),
    (written("mock_cc.csv", '"time","q"\n0,1\n1,1\n'), 'mock_cc.csv:1: column "q" is no variable'),
    (replaced("mock_ref.opt", "RelTol", "RelTal"), 'mock_ref.opt:4: "RelTal" is no setting'),
]


@pytest.mark.parametrize(("change", "problem"), [pytest.param(*x, id=x[1]) for x in BREACHES])
def test_each_breach_of_the_rules_is_told_with_file_and_line_and_is_no_failure(
    tree, crosscheck, change, problem
):
    folder = tree.add()
    change(folder)
    found: list = []
    reason = ""
    try:
        crosscheck.examine(folder / "mock.fmu", found)
    except crosscheck.Rejected as error:
        reason = str(error)
    told = [str(x) for x in found if not x.is_advice]
    assert any(problem in line for line in told), told
    # The file at fault, where one is needed for a run.
    assert reason.partition(": ")[2] in "\n".join(told)


def test_an_own_result_that_leaves_the_tube_is_advised_of_and_no_failure(tree, crosscheck):
    folder = tree.add()
    rows = (folder / "mock_ref.csv").read_text()
    (folder / "mock_cc.csv").write_text(rows)
    found: list = []
    crosscheck.examine(folder / "mock.fmu", found)
    assert "mock_cc.csv" not in "".join(map(str, found))
    (folder / "mock_cc.csv").write_text(HEAD + "0,1\n1,1\n")
    crosscheck.examine(folder / "mock.fmu", found)
    words = "mock_cc.csv: advice: is outside of the tube in x; importers will be, too"
    assert any(words in str(x) for x in found)
    assert all(x.is_advice for x in found)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("0.125", "1e-12", "1000000000000 rows of 1 variables are too many to keep"),
        ("1e-9", "1e-30", "RelTol is 1e-30; CVODE takes 1e-14 or more"),
    ],
)
def test_settings_that_no_run_can_have_are_rejected(tree, crosscheck, old, new, reason):
    folder = tree.add(kind="cs" if old == "0.125" else "me")
    replaced("mock_ref.opt", old, new)(folder)
    exported = crosscheck.examine(folder / "mock.fmu", [])
    verdict, words = crosscheck.verdict_of(exported)
    assert verdict == "rejected"
    assert words.startswith(f"mock_ref.opt: {reason}")


@pytest.mark.parametrize(
    ("folders", "change", "problem"),
    [
        ("2.0/cs/{}", AS_IT_IS, "is an FMU of FMI 3.0 in a folder 2.0; move it to fmus/3.0"),
        (
            "3.0/cs/{}",
            ('  <CoSimulation modelIdentifier="mock" hasEventMode="true"/>\n', ""),
            "has no CoSimulation; its folder is named cs",
        ),
        ("3.0/me/darwin64", AS_IT_IS, "has no binary for the platform of its folder, darwin64"),
        ("3.0/me/{}", ("<Output ", "<Outcome "), "modelDescription.xml: "),
    ],
)
def test_an_fmu_in_a_folder_of_another_kind_is_told(tree, crosscheck, folders, change, problem):
    made = tree.add(change=change)
    folder = tree.root / "moved/fmus" / folders.format(tree.host) / "plain/1.0/mock"
    folder.parent.mkdir(parents=True)
    made.rename(folder)
    found: list = []
    crosscheck.examine(folder / "mock.fmu", found)
    assert any(problem in str(x) for x in found), found


def test_what_is_only_recommended_is_advice_and_no_breach(tree):
    folder = tree.add(change=("</ModelVariables>", INPUT))
    (folder / "README.md").unlink()
    said, code = tree("fmus", "--files-only")
    assert code == 0, said
    for line in (
        "mock_in.csv: advice: is missing, and the FMU has inputs",
        "README.md: advice: is missing",
        "FMUs: 1, breaches of the rules: 0, advice: 2\n",
    ):
        assert line in said


GOOD = "/repo/fmus/2.0/me/linux64/Tool/1.2/Ball/Ball.fmu"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("fmus", "files", '"files" stands where "fmus"'),
        ("2.0", "1.1", '"1.1" stands where the FMI version'),
        ("Tool", "..", '".." is one of its last'),
        ("/1.2/", "/../", '".." is one of its last'),
        ("/me/", "/both/", '"both" stands where cs or me'),
        ("linux64", "amiga", '"amiga" is no platform'),
        ("Ball.fmu", "Bell.fmu", 'named "Ball"'),
        ("/repo/fmus/2.0/me/linux64/", "/", "too short"),
        ("2.0", "1.0", "FMI 1.0 is not read"),
        ("Ball.fmu", "Ball.nofmu", "not public"),
    ],
)
def test_a_path_of_another_form_is_refused_with_the_folder_at_fault(crosscheck, old, new, fault):
    is_skipped = fault in ("FMI 1.0 is not read", "not public")
    with pytest.raises(crosscheck.Skipped if is_skipped else crosscheck.Misplaced) as error:
        crosscheck.Place.of(Path(GOOD.replace(old, new)))
    assert fault in str(error.value)


def test_a_path_of_the_rules_is_read(crosscheck):
    """The example of section 9.2.4 and that of 9.1.5 of the rules; `..` above the folders of the
    rules names no folder of the results."""
    place = crosscheck.Place.of(Path("..", GOOD[1:]))
    assert place == crosscheck.Place("2.0", "me", "linux64", "Tool", "1.2", "Ball")
    importer = f"results/2.0/me/linux64/FMPy/{fmpy.__version__}"
    assert place.results() == Path(importer, "Tool/1.2/Ball")


def told(crosscheck: ModuleType, name: str, content: str | bytes) -> tuple[object, str]:
    """What is read of a file, and its problems."""
    found = crosscheck.Found(Path(name))
    read = crosscheck.read_options if name.endswith(".opt") else crosscheck.read_signals
    content = content.encode() if isinstance(content, str) else content
    return read(content, found), "\n".join(map(str, found.told()))


def test_the_example_of_settings_is_read(crosscheck):
    """Section 9.1.4 of the rules, with a stop time after the start."""
    text = "StartTime, 0.0         // in seconds\nStopTime, 2.5\nStepSize, 0.01\nRelTol, 0.0001\n"
    text += "// optional elements:\nAbsTol, 2\nSolverType, FixedStep\n"
    options, problems = told(crosscheck, "m_ref.opt", text)
    assert problems == ""
    assert options == crosscheck.Options(0, 2.5, 0.01, 1e-4, None)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("StopTime,1\n", "", "m_ref.opt: StopTime is missing"),
        ("RelTol,1e-4", "RelTol 1e-4", 'm_ref.opt:4: "RelTol 1e-4" is no line'),
        ("StepSize,0", "StepSize,fast", 'm_ref.opt:3: StepSize is "fast"'),
        ("StepSize,0", "StepSize,nan", 'm_ref.opt:3: StepSize is "nan"'),
        ("StepSize,0", "StepSize,-1", "m_ref.opt: StepSize is -1 s"),
        ("StepSize,0", "StepSize,2", "m_ref.opt: StepSize is 2 s"),
        ("StopTime,1", "StopTime,0", "m_ref.opt: StopTime is 0 s"),
        ("RelTol,1e-4", "RelTol,1", "m_ref.opt: RelTol is 1;"),
        ("RelTol", "Reltol", 'm_ref.opt:4: "Reltol" is no setting'),
        ("RelTol", "StartTime,0\nRelTol", "m_ref.opt:4: StartTime is given twice"),
        ("RelTol", "OutputIntervalLength,0\nRelTol", "OutputIntervalLength is 0 s"),
    ],
)
def test_each_fault_of_settings_is_named_with_its_line(crosscheck, old, new, problem):
    good = "StartTime,0\nStopTime,1\nStepSize,0\nRelTol,1e-4\n"
    assert told(crosscheck, "m_ref.opt", good)[1] == ""
    _, problems = told(crosscheck, "m_ref.opt", good.replace(old, new))
    assert problem in problems


# Appendix B of the rules.
EXAMPLE = '"time","input[1]","input[2]"\n0.0,1,-1.5\n0.5,1,-2.1\n0.5,2,-2.1\n1.0,2,-2.1\n'


def test_the_example_of_values_is_read_and_a_name_with_a_comma_and_an_array(crosscheck):
    signals, problems = told(crosscheck, "m_ref.csv", EXAMPLE)
    assert problems == ""
    assert signals["time"].tolist() == [0.0, 0.5, 0.5, 1.0]
    assert signals["input[2]"].tolist() == [-1.5, -2.1, -2.1, -2.1]
    signals, problems = told(
        crosscheck, "m_ref.csv", '"time","m[1,2]","x"\n0,5,1 2 3\n1,6,4 5 6.5\n'
    )
    assert problems == ""
    assert signals["x"].tolist() == [[1, 2, 3], [4, 5, 6.5]]
    assert signals["m[1,2]"].tolist() == [5, 6]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"time",', '"time", ', 'separated by commas only: "time","input[1]",'),
        ('"input[1]"', "input[1]", "m_ref.csv:1: names must be in double quotes"),
        ('"time"', '"t"', 'm_ref.csv:1: the first column is "t"'),
        ('"input[2]"', '"input[1]"', 'm_ref.csv:1: column "input[1]" is there twice'),
        ("0.5,2,", "0.4,2,", "m_ref.csv:4: time is 0.4 s after 0.5 s"),
        ("0.5,1,-2.1", "0.5,1,nan", 'm_ref.csv:3: input[2] is "nan"; only finite'),
        ("0.5,1,-2.1", "0.5,true,-2.1", 'm_ref.csv:3: input[1] is "true"; Booleans'),
        ("0.5,1,-2.1", "0.5,1,-2.1,", "m_ref.csv:3: ends with a comma"),
        ("0.5,1,-2.1", "0.5,1", "m_ref.csv:3: has 2 columns"),
        ("0.5,1,-2.1", "0.5,,-2.1", 'm_ref.csv:3: input[1] is ""; each cell has a number'),
        ("0.5,1,-2.1", '0.5,"1",-2.1', 'm_ref.csv:3: input[1] is ""1""; numbers stand'),
        ("0.5,1,-2.1", "s,m,m", 'm_ref.csv:3: time is "s"; it must be a number as in C'),
        ("0.5,1,-2.1", "0.5,1 2,-2.1", "m_ref.csv:3: input[1] has 2 elements here and 1"),
        ("0.0,1", "0 0,1", "m_ref.csv:2: time is an array"),
        ("0.5,1,-2.1", "0.5;1;-2.1", "m_ref.csv:3: has 1 column;"),
        (EXAMPLE, "", "m_ref.csv: is empty"),
        (EXAMPLE, '"time","x"\n', "m_ref.csv: has no row"),
        (EXAMPLE, '"time"\n0\n', "m_ref.csv:1: there is no column of a variable"),
    ],
)
def test_each_fault_of_values_is_named_with_its_line(crosscheck, old, new, problem):
    _, problems = told(crosscheck, "m_ref.csv", EXAMPLE.replace(old, new, 1))
    assert problem in problems


@pytest.mark.full
def test_a_large_file_is_told_and_still_read_and_of_many_faults_the_first_and_their_number(
    crosscheck,
):
    rows = "".join(f"{i},1\n" for i in range(200_000))
    signals, problems = told(crosscheck, "m_ref.csv", HEAD + rows)
    assert "bytes; 1000000 are allowed" in problems
    assert len(signals) == 200_000
    _, problems = told(crosscheck, "m_ref.csv", HEAD + "x,1\n" * 50)
    assert len(problems.splitlines()) == 11
    assert problems.endswith("40 more problems like these")
    _, problems = told(crosscheck, "m_ref.csv", b'"time","\xff"\n')
    assert problems.startswith("m_ref.csv: is not UTF-8")


TIMES = np.linspace(0, 1, 1001)


def deviation(crosscheck: ModuleType, reference, found, times=TIMES, own=TIMES):
    return crosscheck.Tube(times, np.asarray(reference, float)).deviation("x", own, found)


def test_the_tube_is_0_2_percent_of_the_range_high_wherever_the_signal_lies(crosscheck):
    wave = 100 + 5 * np.sin(2 * np.pi * TIMES)
    for offset, rows in ((0.0199, False), (0.0201, True), (-0.0201, True)):
        assert (deviation(crosscheck, wave, wave + offset).outside > 0) == rows
    # Where the slope is zero: elsewhere the width along time helps.
    found = deviation(crosscheck, wave, wave + 0.03)
    assert found.largest == pytest.approx(1.5, abs=0.01)
    assert float(found.text.partition(" s")[0]) == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize(("at", "is_inside"), [(0.4985, 1), (0.5015, 1), (0.496, 0), (0.504, 0)])
def test_a_jump_may_be_0_2_percent_of_the_duration_early_or_late(crosscheck, at, is_inside):
    own, step = np.array([0, at, at, 1]), np.array([0.0, 0, 1, 1])
    reference = np.where(TIMES < 0.5, 0, 1)
    found = deviation(crosscheck, reference, step, own=own)
    assert (found.outside == 0) == bool(is_inside), found
    assert deviation(crosscheck, step, step, times=own, own=own).outside == 0


def test_a_constant_has_a_height_of_its_size_and_zero_that_of_rounding(crosscheck):
    for value, off, is_inside in ((50, 0.09, 1), (50, 0.11, 0), (0, 9e-10, 1), (0, 2e-9, 0)):
        level = np.full_like(TIMES, value)
        assert (deviation(crosscheck, level, level + off).outside == 0) == bool(is_inside)


def test_rows_at_other_times_are_interpolated_and_no_number_is_outside(crosscheck):
    coarse = np.linspace(0, 1, 8)
    assert deviation(crosscheck, 3 * TIMES, 3 * coarse, own=coarse).largest < 1e-6
    broken = np.where(TIMES > 0.7, np.nan, 3 * TIMES)
    assert deviation(crosscheck, 3 * TIMES, broken).outside >= 300


def test_regular_rows_are_met_and_irregular_ones_surrounded(crosscheck):
    for times, step in (([0, 0.5, 1], 0.5), ([0, 0.5, 0.5, 1], 1e-3), ([2, 2.1, 3], 1e-3)):
        assert crosscheck.row_distance(np.array(times)) == step


def test_of_much_output_the_last_64_kb_are_kept_and_output_that_stays_open_holds_nobody_up(
    crosscheck,
):
    reader, writer = os.pipe()
    tail = crosscheck._Tail(os.fdopen(reader, "rb"))
    os.write(writer, b"a" * 60_000)
    os.write(writer, b"a" * 40_000 + b"b" * 65_536)
    begin = time.monotonic()
    head, _, rest = tail.text().partition("\n")
    assert time.monotonic() - begin < 3
    assert head == "[100000 bytes before this left out]"
    assert rest == "b" * 65_536
    os.close(writer)
