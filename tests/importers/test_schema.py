"""The JSON Schema of scene files: what fmu-build reads fits it, and what fmu-build refuses for its
form does not.

The scenes are those of the examples and of the reader's own tests, where the text beside a scene is
what fmu-build says of it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "fmu-build/scene.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)

# What fmu-build says of the form of a single table, which a schema can see.
FORM = re.compile(
    r"unknown key|; expected |are both given|says more than one|has no form"
    r"|(?<!motion)(?<!law)(?<!restitution)(?<!stiffness)(?<!second_axis)(?<!pitch) is missing; write"
    r"|must be (> 0|>= 0|in 0\.\.)"
)
# Where what is expected depends on another key or on the text of a unit, or JSON takes 1.0 as the
# whole number 1.
BEYOND = re.compile(
    r"mesh\.unit is|has a meaning only|is the number 1\.0|needs; add|< diameter|half the difference| for law = |are both given"
)


def scenes(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted(ROOT.glob(folder))]
    assert found
    return found


def read(scene: Path) -> dict | None:
    """The table of a scene file; none where its grammar is broken."""
    try:
        return tomllib.loads(scene.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


def said(scene: Path) -> list[str]:
    return scene.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def is_good(scene: Path) -> bool:
    return all(line == "no problem" or " warning: " in line for line in said(scene))


DIAGNOSED = [s for s in scenes("fmu-build/tests/diagnostics/*/*.toml") if read(s) is not None]
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
        lines = said(scene)
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
