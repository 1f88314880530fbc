"""The JSON Schema of scene files: what fmu-build reads fits it, and what fmu-build refuses for its
form does not.

The scenes are those of the examples and of the reader's own tests, where the text beside a scene is
what fmu-build says of it.
"""

from __future__ import annotations

import json
import re
import tomllib
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
# Where what is expected depends on another key or on the text of a unit, or a number was given as
# a text with a unit, or JSON takes 1.0 as the whole number 1.
BEYOND = re.compile(
    r"mesh\.unit is|has a meaning only|is the number 1\.0|needs; add|< diameter|-200 mm|< 0\.5 for"
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


def visited(schema: dict, value: object, path: str, used: set[str]) -> None:
    """Adds the keys of the schema that a value uses, as paths without indices."""
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        visited(part, value, path, used)
    if isinstance(value, list) and "items" in schema:
        for entry in value:
            visited(schema["items"], entry, path, used)
    if isinstance(value, dict):
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                used.add(f"{path}.{key}")
                visited(inner, value[key], f"{path}.{key}", used)


def all_keys(schema: dict, path: str) -> set[str]:
    keys = set()
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        keys |= all_keys(part, path)
    if "items" in schema:
        keys |= all_keys(schema["items"], path)
    for key, inner in schema.get("properties", {}).items():
        keys |= {f"{path}.{key}"} | all_keys(inner, f"{path}.{key}")
    return keys


def test_each_key_is_in_a_scene_that_is_read():
    used: set[str] = set()
    for scene in GOOD:
        visited(SCHEMA, read(scene), "", used)
    assert not sorted(all_keys(SCHEMA, "") - used)
