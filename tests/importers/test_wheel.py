"""The Python package in an environment that has nothing but numpy, used from another folder: the wheel of
`tests/run --full`, as users get it, or in the fast tier the same files where they are."""

from __future__ import annotations

import ast
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import fmpy
import numpy as np
import pytest
from conftest import ROOT, compile_law
from platforms import TARGETS, folder_of_binaries, needs_binaries

PACKAGE = ROOT / "fmu-build" / "python"
BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"


@pytest.mark.full
def test_the_wheel_has_the_tool_the_typed_module_and_the_licences_and_stays_small(wheel):
    assert wheel.stat().st_size <= 13.45e6
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (commands,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
        assert "fmu-build=contact_fmu._tool:main" in archive.read(commands).decode()
        # For each Python from the oldest on.
        parts = {"_native.abi3.so", "_native.pyi", "py.typed", "__main__.py"}
        assert {f"contact_fmu/{part}" for part in parts} <= set(names)
        (licences,) = (name for name in names if name.endswith("licenses/tool.txt"))
        text = archive.read(licences).decode()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        needed = re.findall(r"^Requires-Dist: (.*)$", archive.read(metadata).decode(), re.M)
    for part in ["The contact-fmu developers", "Apache License", "- clap 4", "- nalgebra "]:
        assert part in text
    assert [need for need in needed if "extra ==" not in need] == ["numpy>=1.23"]
    assert any(re.fullmatch(r"fmpy>=\S+ ; extra == 'crosscheck'", need.lower()) for need in needed)


def test_the_bouncing_ball_is_built_and_simulated_from_another_folder(python, tmp_path, capsys):
    begin = time.monotonic()
    code = f"""
import contact_fmu
fmu = contact_fmu.build({str(BALL)!r})
print(fmu)
result = contact_fmu.simulate(fmu, interface="me")
print(result.time[-1], result["ball.position[3]"].min(), len(result.events))
print(result)
"""
    said = python(code, tmp_path).splitlines()
    seconds = python.seconds + time.monotonic() - begin
    with capsys.disabled():
        print(f"\nfrom pip install to a simulated FMU: {seconds:.1f} s")
    assert Path(said[0]) == tmp_path / "bouncing_ball.fmu"
    stop, lowest, events = (float(word) for word in said[1].split())
    # The ball has a radius of 0.1 m, the plate is at height 0.
    assert stop == 3
    assert 0.1 - 1e-3 < lowest < 0.1
    assert events > 10
    assert said[2].startswith("<Result: ")
    # Nothing else is left, and the FMU is one for others.
    assert [path.name for path in tmp_path.iterdir()] == ["bouncing_ball.fmu"]
    reference = fmpy.simulate_fmu(str(tmp_path / "bouncing_ball.fmu"), fmi_type="CoSimulation")
    assert reference["ball.position[3]"].min() == pytest.approx(lowest, abs=1e-3)


def test_values_are_those_that_the_command_writes(python, tmp_path):
    code = f"""
import contact_fmu, numpy, json
result = contact_fmu.simulate({str(BALL)!r}, stop=0.7, step=0.01, tolerance=1e-7, out="kept")
names = list(result)
json.dump([names, [list(result[name]) for name in names]], open("values.json", "w"))
print(*(path.name for path in result.files))
"""
    files = python(code, tmp_path).split()
    expected = ["bouncing_ball.csv", "bouncing_ball.fmu", "bouncing_ball.svg", "events.csv"]
    assert sorted(files) == expected
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == expected
    names, columns = json.loads((tmp_path / "values.json").read_text())
    tool = python.python.parent / "fmu-build"
    options = ["--stop", "0.7", "--step", "0.01", "--tolerance", "1e-7", "--out", "by_command"]
    subprocess.run([tool, "simulate", BALL, *options], cwd=tmp_path, check=True, timeout=100)
    with (tmp_path / "by_command" / "bouncing_ball.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    assert names == header
    assert columns == np.array(rows, float).T.tolist()
    assert len(rows) == 71


# Arguments of `simulate` in Python, and options of the command line.
SAME = [
    ("only=['ball.position[*', '!ball.position[2]', 'ball.mass']",
     ["--only", "ball.position[*", "--only", "!ball.position[2]", "--only", "ball.mass"]),
    ("every=0.05", ["--every", "0.05"]),
    ("picture=[0.25, 0.5]", ["--picture", "0.25", "--picture", "0.5"]),
    ("interface='me', solver='implicit', max_steps=99",
     ["--interface", "me", "--solver", "implicit", "--max-steps", "99"]),
]  # fmt: skip
# With words of the error, which names the argument in place of the option.
WRONG = [
    ("only=['bal.*']", ["--only", "bal.*"], 'only "bal.*" matches no output'),
    ("every=-1.5", ["--every", "-1.5"], "'-1.5' for every: must be positive"),
    ("picture=[99]", ["--picture", "99"], "picture 99: "),
    ("solver='fast'", ["--solver=fast"], "invalid value 'fast' for solver"),
    ("solver='explicit'", ["--solver", "explicit"], ": solver is for interface me"),
    ("max_steps=0", ["--max-steps", "0"], "'0' for max_steps: must be a whole number >= 1"),
    ("max_steps=1", ["--max-steps", "1"], "1 steps did not lead to"),
]


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        pytest.param(*case, id=case[0], marks=pytest.mark.full if "picture" in case[0] else ())
        for case in [(*same, "") for same in SAME] + WRONG
    ],
)
def test_options_of_a_run_do_what_those_of_the_command_line_do(
    python, tmp_path, arguments, options, words
):
    """Files to the byte, or the words of the error."""
    is_wrong = words != ""
    tool = python.python.parent / "fmu-build"
    out = tmp_path / "by_command"
    command = [tool, "simulate", BALL, "--stop", "0.6", "--out", out, *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert bool(done.returncode) == is_wrong, done.stderr
    code = f"""
import contact_fmu
try:
    result = contact_fmu.simulate({str(BALL)!r}, stop=0.6, out="by_module", {arguments})
    print(*result)
except contact_fmu.ContactFmuError as error:
    print(error.problems[0].message)
"""
    said = python(code, tmp_path).strip().replace("by_module", "by_command")
    if is_wrong:
        assert words in said
        assert "--" not in said
        return
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    kept = {path.name: path.read_bytes() for path in (tmp_path / "by_module").iterdir()}
    assert kept == files
    header, *_ = files["bouncing_ball.csv"].decode().splitlines()
    assert said.split() == next(csv.reader([header]))


@pytest.mark.full
def test_a_replay_page_is_kept_in_the_folder_that_is_asked_for(python, tmp_path):
    code = f"""
import contact_fmu
result = contact_fmu.simulate({str(BALL)!r}, stop=0.6, out="kept", replay=True)
print(*(path.name for path in result.files))
open("shown.html", "w", encoding="utf-8").write(result.replay()._repr_html_())
for views in ({{"replay": True}}, {{"picture": [0.5]}}):
    try:
        contact_fmu.simulate({str(BALL)!r}, **views)
    except contact_fmu.ArgumentError as error:
        print(error)
"""
    files, *refused = python(code, tmp_path).splitlines()
    assert "bouncing_ball.html" in files.split()
    page = (tmp_path / "kept" / "bouncing_ball.html").read_text(encoding="utf-8")
    assert len(page) > 500_000
    # A browser takes the page out of the attribute of the frame.
    frames = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: frames.append(
        (tag, dict(attributes)["srcdoc"])
    )
    parser.feed((tmp_path / "shown.html").read_text(encoding="utf-8"))
    assert frames == [("iframe", page)]
    assert [line.partition(" needs out")[0] for line in refused] == ["replay", "picture"]


def test_settings_and_inputs_reach_the_model(python, tmp_path):
    """A mass of 2 kg under a force that grows from 0 N to 4 N in 2 s: x = t^3 / 6."""
    code = """
import contact_fmu
import numpy as np
scene = {
    "format": 1, "name": "push", "experiment": {"stop_time": 2}, "world": {"gravity": "none"},
    "body": [{"name": "block", "motion": "free",
              "shape": [{"material": "Steel", "sphere": {"diameter": 0.1}}]}],
    "force": [{"name": "push", "body": "block", "input": True}],
}
name = "force.push.force[1]"
inputs = {name: np.array([0.0, 4.0]), "time": [0.0, 2.0]}
result = contact_fmu.simulate(scene, interface="me", set={"block.mass": "2000 g"}, input=inputs)
print(result["block.position[1]"][-1], result[name][-1])
"""
    place, force = map(float, python(code, tmp_path, optional=True).split())
    assert place == pytest.approx(2**3 / 6, rel=1e-6)
    assert force == pytest.approx(4)


@pytest.mark.full
def test_events_and_frames(python, tmp_path):
    """A ball that falls 1 m lands after sqrt(2 h / g) with sqrt(2 g h)."""
    code = f"""
import contact_fmu, json, pandas
result = contact_fmu.simulate({str(BALL)!r}, stop=0.6)
first = result.events[0]
print(json.dumps([first.time, first.event, first.pair, first.impact_speed]))
assert all(event.impact_speed is None for event in result.events if event.event == "end")
frame = result.to_frame()
assert frame.index.name == "time" and list(frame.columns) == [x for x in result if x != "time"]
assert (pandas.DataFrame(result)["ball.position[3]"] == result["ball.position[3]"]).all()
try:
    result["bal.position[3]"]
except KeyError as error:
    assert "did you mean ball.position[3]" in str(error), error
else:
    raise AssertionError("a name of no variable")
again = contact_fmu.simulate({str(BALL)!r}, stop=0.6)
assert (again.to_frame() == frame).all().all()
assert frame.attrs["units"]["ball.position[3]"] == "m"
assert "osition" in result.descriptions["ball.position[3]"]
last = format(result["ball.position[3]"][-1], ".6g")
assert "<td>ball.position[3]</td><td>" + last + "</td><td>m</td>" in result._repr_html_()
axes = result.plot("ball.position[3]", "ball.velocity[3]", "ball.position[1]").axes
assert [panel.get_ylabel() for panel in axes] == ["[m]", "[m/s]"]
lines = [line for panel in axes for line in panel.lines]
assert [line.get_label() for line in lines] == ["ball.position[3]", "ball.position[1]", "ball.velocity[3]"]
assert (lines[0].get_ydata() == result["ball.position[3]"]).all()
try:
    result.replay()
except ValueError as error:
    assert "replay=True" in str(error)
else:
    raise AssertionError("a page that was not made")
"""
    first, event, pair, speed = json.loads(python(code, tmp_path, optional=True))
    assert first == pytest.approx((2 / 9.81) ** 0.5, rel=1e-4)
    assert (event, pair) == ("start", "ground:ball")
    assert speed == pytest.approx((2 * 9.81) ** 0.5, rel=1e-4)


def test_problems_of_a_file_have_file_line_and_column(python, tmp_path):
    scene = tmp_path / "scene.toml"
    text = BALL.read_text().replace('diameter = "200 mm"', 'diametr = "200 mm"')
    text = text.replace('stop_time = "3 s"', 'stop_time = "3 m"')
    scene.write_text(text)
    lines = text.splitlines()
    wanted = [
        next((i, line.index(word) + 1) for i, line in enumerate(lines, 1) if word in line)
        for word in ['"3 m"', "diametr"]
    ]
    code = """
import contact_fmu, json, pickle
found = []
for command in (contact_fmu.build, contact_fmu.simulate):
    try:
        command("scene.toml")
    except contact_fmu.SceneError as error:
        assert isinstance(error, ValueError)
        assert pickle.loads(pickle.dumps(error)).problems == error.problems
        found.append([(p.file, p.line, p.column, p.severity, p.message) for p in error.problems])
        text = str(error)
report = contact_fmu.check("scene.toml")
assert not report.ok and report.text == "" and str(report) == text
found.append([(p.file, p.line, p.column, p.severity, p.message) for p in report.errors])
print(json.dumps([found, text]))
"""
    found, said = json.loads(python(code, tmp_path))
    assert found[0] == found[1] == found[2]
    places = [(line, column) for _, line, column, _, _ in found[0]]
    assert set(wanted) <= set(places)
    assert all(file == str(scene) and severity == "error" for file, _, _, severity, _ in found[0])
    line, column = wanted[1]
    assert f"{scene}:{line}:{column}: error: " in said
    assert "diameter" in said


def test_problems_of_a_dict_show_its_line_and_warnings_are_warnings(python, tmp_path):
    code = """
import contact_fmu, json, warnings
scene = {
    "format": 1, "name": "drop", "experiment": {"stop_time": 1},
    "world": {"gravity": [0, 0, -9.81]},
    "body": [
        {"name": "ball", "motion": "free", "position": (0, 0, 0.5),
         "shape": [{"material": "Steel", "sphere": {"diameter": -0.05}}]},
        {"name": "ground", "motion": "fixed",
         "shape": [{"material": "Steel", "half_space": {}}]},
    ],
}
try:
    report = contact_fmu.check(scene)
    (problem,) = report.problems
    assert problem.file == "<dict>" and "-0.05" in problem.source, problem
    contact_fmu.build(scene)
except contact_fmu.SceneError as error:
    assert "in the line: " in str(error)
else:
    raise AssertionError
scene["body"][0]["shape"][0]["sphere"]["diameter"] = 0.05
scene["material"] = [
    {"name": "Steel", "density": 7000, "youngs_modulus": 2e11, "poissons_ratio": 0.3}
]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = contact_fmu.simulate(scene)
    built = contact_fmu.build(scene)
told = [str(x.message) for x in caught if x.category is contact_fmu.SceneWarning]
assert len(told) == 2 * len(result.warnings) and result.warnings, told
report = contact_fmu.check(scene)
assert report.ok and report.problems == result.warnings
assert "scene drop is valid" in report.text
print("good")
"""
    assert python(code, tmp_path, optional=True) == "good\n"


def test_files_that_a_dict_names_are_in_the_base_folder(python, tmp_path):
    meshes = tmp_path / "parts"
    meshes.mkdir()
    shutil.copy(ROOT / "examples" / "shapes" / "bracket.obj", meshes / "part.obj")
    code = """
import contact_fmu
scene = {
    "format": 1, "name": "falling", "experiment": {"stop_time": 0.1},
    "world": {"gravity": [0, 0, -10.0]},
    "body": [{"name": "part", "motion": "free",
              "shape": [{"material": "Steel", "mesh": {"file": "part.obj", "unit": "mm"}}]}],
}
result = contact_fmu.simulate(scene, base="parts")
print(result["part.position[3]"][-1])
try:
    contact_fmu.simulate(scene)
except contact_fmu.SceneError as error:
    assert "part.obj" in str(error), error
else:
    raise AssertionError("found without its folder")
"""
    # Free fall from rest: 10 m/s2 for 0.1 s.
    assert float(python(code, tmp_path, optional=True)) == pytest.approx(-0.05, rel=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]
    assert [path.name for path in meshes.iterdir()] == ["part.obj"]


def test_each_failure_has_its_exception(python, tmp_path):
    code = f"""
import contact_fmu
def fails(kind, part, *arguments, **options):
    try:
        arguments[0](*arguments[1:], **options)
    except contact_fmu.ContactFmuError as error:
        assert type(error) is kind, repr(error)
        assert part in str(error), str(error)
    else:
        raise AssertionError(part)
from contact_fmu import *
ball = {str(BALL)!r}
fails(SettingError, "did you mean", build, ball, set={{"bal.mass": 1}})
fails(SettingError, "kg", simulate, ball, set={{"ball.mass": "1 s"}})
fails(ArgumentError, "for step: must be positive", simulate, ball, step=-1)
fails(ArgumentError, "array", build, ball, fmi=2, arrays=True)
fails(ArgumentError, "fly", run, "fly")
fails(SceneError, "none.toml", build, "none.toml")
fails(ContactFmuError, "none.fmu", inspect, "none.fmu")
fails(ContactFmuError, "no_folder", build, ball, "no_folder/a.fmu")
fails(SimulationError, "stop", simulate, ball, stop=-1)
for inputs, part in [({{"x": [1]}}, "time"), ({{"time": [0, 1], "x": [1]}}, "the shape (1,)")]:
    try:
        simulate(ball, input=inputs)
    except ValueError as error:
        assert part in str(error)
    else:
        raise AssertionError(part)
try:
    build({{"format": 1}})
except ModuleNotFoundError as error:
    assert "pip install tomli-w" in str(error)
else:
    raise AssertionError("tomli-w")
assert run("--version").startswith("fmu-build ")
fmu = build(ball, "flat.fmu", naming="flat", tunable=True)
assert "ball_position_1" in inspect(fmu)
fails(ArgumentError, "possible values: openmodelica", build, ball, profile="dymola")
run("build", ball, "-o", "run.fmu", "--profile", "openmodelica", "--expose-parameters=false")
fmu = build(ball, "few.fmu", profile="openmodelica", expose_parameters=False)
assert fmu.read_bytes() == open("run.fmu", "rb").read() and "ball_mass" in inspect(fmu)
assert "flat" in check(ball, profile="openmodelica").text.partition("interface")[2]
"""
    python(code, tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"flat.fmu", "run.fmu", "few.fmu"}


def user_law(folder: Path, text: str | None = None) -> None:
    """The example with a law of the user, or with another one."""
    example = ROOT / "examples" / "user_law"
    (law,) = example.glob("*.c")
    if text is not None:
        law = folder / "law.c"
        law.write_text(text)
    compile_law(law, folder / "librubber.so")
    scene = (example / "scene.toml").read_text()
    if text is not None:
        scene = scene.replace('friction = "user"', 'friction = "off"')
    (folder / "scene.toml").write_text(scene)


# A law that writes a line which looks like an object of the tool.
LOUD_LAW = r"""
#include <stdio.h>
#include "contact_law.h"

uint32_t contact_law_version(void) { return CONTACT_LAW_VERSION; }

int32_t contact_normal_force(const ContactLawInput *input, ContactLawOutput *output) {
    fputs("{\"type\":\"written\",\"file\":7}\n", stderr);
    output->normal_force = 2e4 * input->penetration;
    return 0;
}
"""


@pytest.mark.parametrize("interface", ["cs", "me"])
def test_what_an_fmu_writes_on_standard_error_goes_there_as_text(python, tmp_path, interface):
    user_law(tmp_path, LOUD_LAW)
    code = f"""
import contact_fmu, json, sys, warnings
warnings.simplefilter("ignore", contact_fmu.SceneWarning)
times = []
result = contact_fmu.simulate("scene.toml", interface={interface!r}, out="out",
                              progress=lambda time, stop: times.append((time, stop)))
sys.exit(json.dumps([sorted(path.name for path in result.files), times[-1]]))
"""
    *told, said = python(code, tmp_path, status=1).splitlines()
    assert json.loads(said) == [
        ["events.csv", "user_law.csv", "user_law.fmu", "user_law.svg"],
        [0.5, 0.5],
    ]
    assert set(told) == {'{"type":"written","file":7}'}


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("set={'ball.mass': None}", "'ball.mass' is None"),
        ("set={'world.gravity': [0, 0, -1]}", "'world.gravity' is [0, 0, -1]"),
        ("set=['ball.mass=3']", "give a dict"),
        ("platforms='x86_64-linux'", "['x86_64-linux']"),
        ("only='ball.*'", "['ball.*']"),
        ("picture=0.5, out='kept'", "[0.5]"),
        ("picture=['0.5'], out='kept'", "picture has '0.5'; must be numbers"),
        ("stop='1 s'", "stop is '1 s'; must be a finite number"),
        ("max_steps=0", "invalid value '0' for max_steps: must be a whole number >= 1"),
        ("base='.'", "base is for a scene that is a dict"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(python, tmp_path, argument, words):
    code = f"""
import contact_fmu
try:
    contact_fmu.simulate({str(BALL)!r}, {argument})
except contact_fmu.ArgumentError as error:
    print(error)
"""
    assert words in python(code, tmp_path)
    assert list(tmp_path.iterdir()) == []


@needs_binaries
@pytest.mark.full
def test_a_wheel_with_all_platforms_builds_an_fmu_for_all_and_stays_small(wheel, python, tmp_path):
    """`tests/run --full` makes the binaries before the wheel, which takes them in."""
    # 12.6 MB with three platforms and the Python module.
    assert wheel.stat().st_size <= 13.45e6
    fmu = python(f"import contact_fmu; print(contact_fmu.build({str(BALL)!r}))", tmp_path).strip()
    with zipfile.ZipFile(fmu) as archive:
        names = [name for name in archive.namelist() if name.startswith("binaries/")]
        pack = {path: archive.read(path) for path in names}
    made = {platform: folder_of_binaries() / platform for platform in TARGETS}
    assert sorted(path.split("/")[1] for path in pack) == sorted(TARGETS)
    # Those that were made, to the byte.
    for path, content in pack.items():
        (file,) = made[path.split("/")[1]].iterdir()
        assert content == file.read_bytes(), path


@pytest.mark.full
def test_a_tool_installed_by_cargo_builds_an_fmu_in_an_empty_folder(tmp_path):
    # tests/run has compiled the same with the same features, so cargo only copies it.
    options = ["--features", "embed", "--no-track", "--locked", "--path", ROOT / "fmu-build"]
    subprocess.run(["cargo", "install", *options, "--root", tmp_path], check=True, timeout=1200)
    empty = tmp_path / "empty"
    empty.mkdir()
    shutil.copy(BALL, empty)
    command = [tmp_path / "bin" / "fmu-build", "build", "scene.toml", "-o", "ball.fmu"]
    subprocess.run(command, cwd=empty, check=True, timeout=60)
    with zipfile.ZipFile(empty / "ball.fmu") as archive:
        sizes = [e.file_size for e in archive.infolist() if e.filename.startswith("binaries/")]
    # One for each platform, if `build-binaries` made those of others before.
    assert sizes and min(sizes) > 100_000


@pytest.mark.full
def test_progress_is_shown_or_told_and_an_exception_of_it_ends_the_run(python, tmp_path):
    code = f"""
import contact_fmu, os, sys
ball = {str(BALL)!r}
told = []
contact_fmu.simulate(ball, stop=0.5, progress=lambda time, stop: told.append((time, stop)))
assert told[-1] == (0.5, 0.5) and told == sorted(told), told
class Enough(Exception): pass
def enough(time, stop): raise Enough
try:
    contact_fmu.simulate(ball, stop=0.5, progress=enough)
except Enough:
    pass
else:
    raise AssertionError("went on")
assert not os.listdir(os.environ["TMPDIR"]) and os.listdir() == ["temporary"]
sys.stderr = open("said", "w")
contact_fmu.simulate(ball, stop=0.5, progress=True)
sys.stderr.close()
print(open("said").read().replace("\\r", "\\n"))
"""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = f"import os; os.environ['TMPDIR'] = {str(temporary)!r}\n{code}"
    assert "simulated 0.5 s of 0.5 s" in python(code, tmp_path)
    (tmp_path / "said").unlink()
    bar = python(code, tmp_path, optional=True)
    assert "100%" in bar
    assert "0.5 of 0.5 s" in bar


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["notebook", "terminal"])
def test_an_interrupt_ends_the_run_and_leaves_no_files(python, tmp_path, send):
    """A run of 1e5 s, interrupted where it reports that it has begun."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = f"""
import contact_fmu, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
def begun(time, stop): print("begun", flush=True)
contact_fmu.simulate({str(BALL)!r}, stop=1e5, step=0.1, progress=begun)
"""
    env = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen(
        [python.python, "-c", code],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == "begun\n"
    assert list(temporary.iterdir())
    send(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode != 0
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert list(temporary.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_no_process_is_started_and_no_file_looked_for_on_the_path(python, tmp_path):
    user_law(tmp_path)
    code = """
import contact_fmu, os, resource, warnings
warnings.simplefilter("ignore", contact_fmu.SceneWarning)
os.environ["PATH"] = ""
result = contact_fmu.simulate("scene.toml", stop=0.1)
assert contact_fmu.check("scene.toml").ok and not result.files
assert contact_fmu.run("--version").startswith("fmu-build ")
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt == 0
(z,) = (name for name in result if name.endswith(".position[3]"))
print(result.units["time"], result.units[z], result.descriptions[z])
"""
    assert python(code, tmp_path).strip() == "s m Position z [m], body origin, world axes"
    names = {"law.c", "librubber.so", "scene.toml"}
    assert {path.name for path in tmp_path.iterdir()} <= names


CRASHING_LAW = """
#include <stdlib.h>
#include "contact_law.h"

uint32_t contact_law_version(void) { return CONTACT_LAW_VERSION; }

int32_t contact_normal_force(const ContactLawInput *input, ContactLawOutput *output) { abort(); }
"""


def test_the_command_of_the_package_outlives_a_law_that_crashes(python, tmp_path):
    user_law(tmp_path, CRASHING_LAW)
    code = "import sys; from contact_fmu._tool import main; sys.exit(main())"
    command = [python.python, "-c", code, "simulate", "scene.toml", "--stop", "0.5"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    assert "a law must return, and neither crash nor" in done.stderr


def test_run_writes_where_the_command_does_and_refuses_what_is_of_a_process(python, tmp_path):
    code = f"""
import contact_fmu
contact_fmu.run("simulate", {str(BALL)!r}, "--stop", "0.1")
for arguments in (["check", "-"], ["check", {str(BALL)!r}, "--no-user-code"]):
    try:
        contact_fmu.run(*arguments)
    except contact_fmu.ContactFmuError as error:
        print(error)
"""
    said = python(code, tmp_path).splitlines()
    assert "standard input" in said[0]
    assert "--no-user-code holds for a whole process" in said[1]
    files = {"bouncing_ball.csv", "bouncing_ball.fmu", "bouncing_ball.svg", "events.csv"}
    assert {path.name for path in (tmp_path / "out" / "bouncing_ball").iterdir()} == files


BOOK_PAGE = ROOT / "fmu-build" / "book" / "src" / "reference" / "python.md"


def shown_program(text: str) -> str:
    return "".join(re.findall(r"```python(?:,run)?\n(import contact_fmu\n.*?)```", text, re.S))


@pytest.mark.parametrize("path", [PACKAGE / "README.md", BOOK_PAGE], ids=["own", "book"])
def test_the_programs_of_the_readme_and_the_book_run(python, tmp_path, path):
    program = shown_program(path.read_text())
    (tmp_path / "scene.toml").write_text(BALL.read_text())
    said = python(program, tmp_path, optional=True)
    if path.parent == PACKAGE:
        # Impact after a fall by 0.475 m; the next one after 2 e v / g.
        speed = (2 * 9.81 * 0.475) ** 0.5
        times = re.findall(r"^(\S+) (\S+) s between two impacts$", said, re.M)
        assert [float(e) for e, _ in times] == [0.5, 0.8]
        for e, time_between in times:
            assert float(time_between) == pytest.approx(2 * float(e) * speed / 9.81, rel=1e-3)
        assert said.splitlines()[-1].startswith("2 8 name is ")


def test_the_oldest_python_is_the_same_wherever_it_is_named():
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())
    oldest = settings["tool"]["mypy"]["python_version"]
    assert settings["project"]["requires-python"] == f">={oldest}"
    assert f"from Python, {oldest} or newer" in (ROOT / "README.md").read_text()
    version = tuple(int(part) for part in oldest.split("."))
    for file in (PACKAGE / "contact_fmu").glob("*.py"):
        ast.parse(file.read_text(), feature_version=version)


@pytest.mark.full
def test_module_and_programs_are_typed(python, tmp_path):
    for name, path in [("own", PACKAGE / "README.md"), ("book", BOOK_PAGE)]:
        (tmp_path / f"{name}.py").write_text(shown_program(path.read_text()))
    uses = """
from contact_fmu import Event, Problem, Report, build, check, simulate
import numpy as np
from numpy.typing import NDArray

result = simulate("a.fmu", interface="me", set={"a": 1.0, "b": "2 kg"}, input={"time": [0.0, 1.0]})
simulate("a.fmu", solver="implicit", max_steps=99, every=0.1, only=["b.*"], out=".", picture=[1, 2.0])
height: NDArray[np.float64] = result["ball.position[3]"]
events: list[Event] = result.events
report: Report = check({"name": "a"}, speeds=[1.0])
problems: list[Problem] = report.errors
build("a.toml", fmi=1)
"""
    (tmp_path / "uses.py").write_text(uses)
    line = uses.splitlines().index('build("a.toml", fmi=1)') + 1
    env = {**os.environ, "MYPYPATH": str(PACKAGE), "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    files = [PACKAGE / "contact_fmu", *(tmp_path / f"{x}.py" for x in ("own", "book", "uses"))]
    # Its settings say for which Python: the oldest that the package takes.
    settings = PACKAGE.parent / "pyproject.toml"
    command = [sys.executable, "-m", "mypy", "--config-file", settings, *files]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300
    )
    *found, last = done.stdout.splitlines()
    # The one slip above, and nothing else.
    assert len(found) == 1, done.stdout
    assert '"fmi"' in found[0]
    assert f"uses.py:{line}:" in found[0]
    assert last.startswith("Found 1 error")
