"""The JSON Schema of scene files: what fmu-build reads fits it, and what fmu-build refuses for its
form does not.

The scenes are those of the examples and of the book's pages on messages, where the text beside a scene is
what fmu-build says of it.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, target_folder
from jsonschema import Draft202012Validator

SCHEMA = json.loads((ROOT / "fmu-build/scene.schema.json").read_text())
MESSAGES = json.loads((ROOT / "fmu-build/messages.schema.json").read_text())
MESSAGE = Draft202012Validator(MESSAGES)
VALIDATOR = Draft202012Validator(SCHEMA)

# What fmu-build says of the form of a single table, which a schema can see.
FORM = re.compile(
    r"unknown key|; expected |are both given|says more than one|has no form"
    r"|(?<!motion)(?<!law)(?<!restitution)(?<!stiffness)(?<!second_axis)(?<!pitch)(?<!spacing) is missing; write"
    r"|must be (> 0|>= 0|in 0\.\.)"
)
# Where what is expected depends on another key or on the text of a unit, or JSON takes 1.0 as the
# whole number 1.
BEYOND = re.compile(
    r"mesh\.unit is|has a meaning only|is the number 1\.0|needs; add|< diameter|half the difference| for law = |are both given"
)


def scenes(*folders: str, root: Path = ROOT) -> list[Path]:
    found = [path for folder in folders for path in sorted(root.glob(folder))]
    assert found, f"{root}: no {folders}"
    return found


# Whole scenes of the book's pages on messages; `cargo test -p fmu-build --test diagnostics` leaves them.
CASES = scenes("tmp/diagnostics/*/*.toml", root=target_folder())


def read(scene: Path) -> dict | None:
    """The table of a scene file; none where its grammar is broken."""
    try:
        return tomllib.loads(scene.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


# The first line of a problem, and a line of what to do.
HEAD = re.compile(r"scene\.toml:\d+:\d+: (error|warning): (.*)")
HELP = re.compile(r" *= help: (.*)")


def said(scene: Path) -> list[tuple[str, str]]:
    """Severity of each problem, and its message with what to do behind semicolons."""
    problems: list[tuple[str, str]] = []
    for line in scene.with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if head := HEAD.fullmatch(line):
            problems.append((head[1], head[2]))
        elif text := HELP.fullmatch(line):
            severity, message = problems[-1]
            problems[-1] = (severity, f"{message}; {text[1]}")
    return problems


def is_good(scene: Path) -> bool:
    return all(severity == "warning" for severity, _ in said(scene))


DIAGNOSED = [s for s in CASES if read(s) is not None]
GOOD = scenes("examples/*/scene.toml", "tests/scenes/*.toml") + [s for s in DIAGNOSED if is_good(s)]
BAD = [s for s in DIAGNOSED if not is_good(s)]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("scene", GOOD, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_read_fits(scene):
    errors = [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(read(scene))]
    assert not errors


def test_defaults_that_are_zero_may_be_written():
    scene = read(GOOD[0])
    for form in (
        {"cylinder": {"diameter": 0.2, "length": 0.5, "inner_diameter": 0}},
        {"cone": {"diameter": 0.2, "length": 0.5, "top_diameter": 0}},
    ):
        scene["body"][0]["shape"] = [{"material": "Steel", **form}]
        assert VALIDATOR.is_valid(scene), form


def test_examples_name_the_schema():
    for scene in scenes("examples/*/scene.toml"):
        first = scene.read_text().splitlines()[0]
        name = first.removeprefix("#:schema ")
        assert (scene.parent / name).resolve() == ROOT / "fmu-build/scene.schema.json"


def test_what_is_refused_for_its_form_does_not_fit():
    accepted, refused = [], 0
    for scene in BAD:
        lines = [message for severity, message in said(scene) if severity == "error"]
        of_form = [line for line in lines if FORM.search(line) and not BEYOND.search(line)]
        if VALIDATOR.is_valid(read(scene)):
            accepted += [f"{scene.parent.name}/{scene.name}: {line}" for line in of_form]
        else:
            refused += 1
    assert not accepted, "\n".join(accepted)
    # So many scenes that a schema can refuse; the others need a look at several tables at once.
    assert refused > 150


def properties(schema: object, path: str = "") -> Iterator[tuple[str, dict]]:
    """Each key of the schema with its own schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from properties(part, path)
    elif isinstance(schema, dict):
        for key, inner in schema.get("properties", {}).items():
            yield f"{path}.{key}", inner
            yield from properties(inner, f"{path}.{key}")
        for part in ("items", "anyOf", "oneOf"):
            yield from properties(schema.get(part), path)


def test_each_key_is_described_and_its_example_fits():
    """The reader's own tests read each of these examples."""
    count = 0
    for path, schema in properties(SCHEMA):
        is_table = schema.get("type") in ("object", "array") and "examples" not in schema
        assert is_table or len(schema["description"]) > 4, path
        for example in schema.get("examples", ()):
            whole = {"$defs": SCHEMA["$defs"], **schema}
            errors = [e.message for e in Draft202012Validator(whole).iter_errors(example)]
            assert not errors, f"{path}: {errors}"
            count += 1
    assert count > 300


@pytest.mark.full
def test_every_problem_is_a_line_of_the_schema_of_messages(tool):
    """Of each scene of the reader's tests, as the text beside it has it."""
    Draft202012Validator.check_schema(MESSAGES)
    count = 0
    for scene in CASES:
        command = [tool, "check", "--format", "json", scene]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        lines = [json.loads(line) for line in done.stderr.splitlines() if line]
        for line in lines:
            errors = [f"{e.json_path}: {e.message}" for e in MESSAGE.iter_errors(line)]
            assert not errors, f"{scene}: {errors}"
            assert line["type"] == "scene" or (line["type"], line["kind"]) == ("problem", "scene")
        # Warnings that only commands find stand behind those of the reader.
        lines = [line for line in lines if line["type"] == "problem"]
        heads = [(line["severity"], line["message"]) for line in lines]
        expected = [HEAD.fullmatch(x) for x in scene.with_suffix(".txt").read_text().splitlines()]
        expected = [match.groups() for match in expected if match]
        assert heads[: len(expected)] == expected, scene
        count += len(lines)
    assert count > 450


def test_lines_of_a_run_are_of_the_schema_of_messages(tool, tmp_path):
    """Files, progress, and warnings that the FMU logs, beside problems of the command line."""
    scene = tmp_path / "scene.toml"
    scene.write_text(LOGGING)
    kinds = set()
    for arguments in (
        ["simulate", scene, "--progress", "--out", tmp_path / "out"],
        ["simulate", scene, "--only", "moon.*", "--out", tmp_path / "none"],
        ["simulate", scene, "--bodies", tmp_path / "b.xyz", "--out", tmp_path / "none"],
        ["build", scene, "-o", tmp_path / "a.fmu", "--set", "ball.mas=1"],
        ["build", scene, "--fmi", "7"],
    ):
        command = [tool, *arguments, "--format", "json"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        for text in done.stderr.splitlines():
            if text:
                line = json.loads(text)
                assert not [e.message for e in MESSAGE.iter_errors(line)], line
                kinds.add((line["type"], line.get("kind")))
    # What cannot be had is refused before anything is written.
    assert not (tmp_path / "none").exists()
    problems = {("problem", kind) for kind in ("other", "setting", "usage")}
    files = {("written", None), ("progress", None), ("log", None)}
    assert kinds == problems | files


@pytest.mark.full
def test_check_and_inspect_give_their_data(tool, tmp_path):
    def data(*arguments: object) -> dict:
        command = [tool, *arguments, "--format", "json"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        lines = [json.loads(line) for line in done.stderr.splitlines() if line]
        [line] = [line for line in lines if line["type"] in ("scene", "fmu")]
        assert not [f"{e.json_path}: {e.message}" for e in MESSAGE.iter_errors(line)]
        return line

    for folder in sorted(path.parent for path in ROOT.glob("examples/*/scene.toml")):
        if list(folder.glob("*.c")):
            continue
        scene = data("check", folder)
        assert (scene["type"], scene["name"]) == ("scene", folder.name)
        written = read(folder / "scene.toml")
        assert {body["name"] for body in scene["bodies"]} == {b["name"] for b in written["body"]}
    scene = data("check", ROOT / "examples/bouncing_ball", "--speed", "0.5")
    [ball] = [body for body in scene["bodies"] if body["motion"] == "free"]
    [law] = scene["laws"]
    assert law["met"]["load"] == pytest.approx(-ball["mass"] * scene["gravity"]["acceleration"][2])
    assert [impact["speed"] for impact in law["met"]["impacts"]] == [0.5]
    assert scene["file"] == str(ROOT / "examples/bouncing_ball/scene.toml")
    fmu = tmp_path / "ball.fmu"
    subprocess.run([tool, "build", ROOT / "examples/bouncing_ball", "-o", fmu], check=True)
    found = data("inspect", fmu)
    starts = {variable["name"]: variable["start"] for variable in found["variables"]}
    assert float(starts["ball.mass"]) == pytest.approx(ball["mass"])
    assert (found["type"], found["states"]) == ("fmu", scene["states"])


def test_help_wraps_at_words_within_the_terminal_and_a_hundred_columns(tool):
    for columns in (70, 200):
        for command in ("simulate", "check", "crosscheck"):
            done = subprocess.run(
                [tool, command, "--help"],
                env={"COLUMNS": str(columns)},
                capture_output=True,
                encoding="utf-8",
                check=True,
            )
            lines = done.stdout.splitlines()
            assert max(map(len, lines)) <= min(columns, 100)


# A ball that comes nearer than the distance that its pair warns of.
LOGGING = """\
format = 1
name = "near"

[world]
gravity = [0, 0, -9.81]

[experiment]
stop_time = 0.5

[[pair]]
between = "ball:ground"
warn_below = 0.3

[[body]]
name = "ground"
motion = "fixed"

[[body.shape]]
half_space = {}
material = "Steel"

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 1]

[[body.shape]]
sphere = { diameter = 0.2 }
material = "Steel"
"""
