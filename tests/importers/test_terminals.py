"""terminalsAndIcons: terminals against the schema and the variables, pictures against their formats."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import fmpy
import pytest
from lxml import etree

from conftest import EXAMPLES, tiers

SCHEMA = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd"
FOLDER = "terminalsAndIcons"
SCENES = tiers(EXAMPLES)
HAMMER = next(path for path in EXAMPLES if path.parent.name == "driven_hammer")
GRIPPER = next(path for path in EXAMPLES if path.parent.name == "gripper")


def document(fmu):
    return etree.parse(fmu.folder / FOLDER / f"{FOLDER}.xml").getroot()


def terminals(fmu) -> dict[str, dict[str, str]]:
    """Of each terminal by its name: the variable of each member by its name."""
    found = {}
    for terminal in document(fmu).iter("Terminal"):
        members = terminal.findall("TerminalMemberVariable")
        by_name = {m.get("memberName"): m.get("variableName") for m in members}
        assert len(by_name) == len(members), terminal.get("name")
        assert len(set(by_name.values())) == len(members), terminal.get("name")
        assert terminal.get("name") not in found
        found[terminal.get("name")] = by_name
    return found


FLAT, ARRAYS, TERMINALS = ("--naming", "flat"), ("--arrays",), ("--terminals",)


# FMI 2.0 has no arrays.
@pytest.mark.parametrize(
    ("fmi", "options"), [(2, ()), (2, FLAT), (3, ()), (3, FLAT), (3, ARRAYS), (3, FLAT + ARRAYS)]
)
@pytest.mark.parametrize("scene", SCENES)
def test_terminals_follow_the_schema_and_name_inputs_and_outputs(build, scene, fmi, options):
    fmu = build(scene, fmi=fmi, options=options + TERMINALS)
    root = document(fmu)
    etree.XMLSchema(etree.parse(SCHEMA)).assertValid(root)
    # The file is that of FMI 3.0 in either version.
    assert root.get("fmiVersion") == "3.0"
    variables = {v.name: v for v in fmu.description.modelVariables}
    listed = []
    for members in terminals(fmu).values():
        assert members
        for variable in members.values():
            assert variables[variable].causality in ("input", "output")
            listed.append(variable)
    # None is in two terminals, and no input is in none.
    assert len(listed) == len(set(listed))
    assert {v.name for v in variables.values() if v.causality == "input"} <= set(listed)


@pytest.mark.parametrize(
    ("options", "position", "joined"),
    [
        ((), "position[1]", "hammer.position[1]"),
        (FLAT, "position[1]", "hammer_position_1"),
        (ARRAYS, "position", "hammer.position"),
    ],
)
def test_members_have_structured_names_within_their_body(build, options, position, joined):
    found = terminals(build(HAMMER, options=options + TERMINALS))
    assert found["hammer"][position] == joined
    # What drives a body is what another one has, so that their terminals match.
    other = next(name for name in found if name != "hammer" and position in found[name])
    pose = {name for name in found["hammer"] if "contact" not in name}
    assert pose <= set(found[other])


def test_what_takes_inputs_is_on_the_left_and_all_are_on_the_edge(build):
    for scene in (HAMMER, GRIPPER):
        fmu = build(scene, options=TERMINALS)
        causality = {v.name: v.causality for v in fmu.description.modelVariables}
        root = document(fmu)
        extent = root.find("GraphicalRepresentation/CoordinateSystem").attrib
        places = []
        for terminal in root.iter("Terminal"):
            drawn = terminal.find("TerminalGraphicalRepresentation").attrib
            left, low, right, high = (float(drawn[key]) for key in ("x1", "y1", "x2", "y2"))
            members = terminal.findall("TerminalMemberVariable")
            inputs = any(causality[m.get("variableName")] == "input" for m in members)
            edge = float(extent["x1" if inputs else "x2"])
            assert (left + right) / 2 == edge
            assert float(extent["y1"]) <= low < high <= float(extent["y2"])
            places.append((edge, low, high))
        # On one side none covers another one.
        places.sort()
        for (edge, _, high), (next_edge, low, _) in zip(places, places[1:], strict=False):
            assert edge != next_edge or high <= low
        assert len({edge for edge, _, _ in places}) == 2


def png_size(content: bytes) -> tuple[int, int]:
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    length, kind = struct.unpack(">I4s", content[8:16])
    assert (length, kind) == (13, b"IHDR")
    return struct.unpack(">II", content[16:24])


@pytest.mark.parametrize("scene", SCENES)
def test_every_picture_is_there_as_png_and_svg(build, scene, fmi):
    fmu = build(scene, fmi=fmi, options=TERMINALS)
    bases = {e.get("iconBaseName") for e in document(fmu).iter("TerminalGraphicalRepresentation")}
    with zipfile.ZipFile(fmu.archive) as archive:
        names = set(archive.namelist())
        pictures = {name for name in names if name.startswith(f"{FOLDER}/")}
        ends = {f"{FOLDER}/{base}.{end}" for base in bases | {"icon"} for end in ("png", "svg")}
        assert pictures == ends | {f"{FOLDER}/{FOLDER}.xml"}
        for base in bases | {"icon"}:
            side = 256 if base == "icon" else 32
            assert png_size(archive.read(f"{FOLDER}/{base}.png")) == (side, side)
            drawing = etree.fromstring(archive.read(f"{FOLDER}/{base}.svg"))
            assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
            assert len(drawing) > 0
        # FMI 2.0 has a place of its own for the icon.
        assert ("model.png" in names) == (fmi == 2)
        if fmi == 2:
            assert archive.read("model.png") == archive.read(f"{FOLDER}/icon.png")


def test_reported_contacts_joints_and_measurements_have_terminals(build, tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(
        """
format = 1
name = "rig"
experiment.stop_time = 1
world.gravity = [0, 0, -9.81]
contact.report = "all"
body = [
    { name = "ground", motion = "fixed", shape = [{ half_space = {}, material = "Steel" }] },
    { name = "arm", motion = "joint", shape = [{ sphere.radius = 0.1, material = "Steel" }] },
    { name = "ball", motion = "free", position = [1, 0, 1], shape = [{ sphere.radius = 0.1, material = "Steel" }] },
]

[[joint]]
name = "hinge"
type = "revolute"
parent = "world"
child = "arm"
axis = [0, 1, 0]
parent_frame.position = [0, 0, 1]
reaction = true
angle = { input = true }

[[measurement]]
name = "tip"
from = "ground"
to = "arm"
"""
    )
    fmu = build(scene, options=TERMINALS)
    found = terminals(fmu)
    assert {"arm", "ball", "hinge", "measure.tip", "contact.ground.ball"} <= set(found)
    assert found["hinge"]["torque"] == "hinge.torque"
    assert found["hinge"]["reaction_force[2]"] == "hinge.reaction_force[2]"
    assert found["contact.ground.ball"]["gap"] == "contact.ground.ball.gap"
    assert found["measure.tip"]["distance"] == "measure.tip.distance"
