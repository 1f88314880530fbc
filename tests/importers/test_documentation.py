"""documentation/index.html: what a reader needs is there, in a form that every browser shows."""

from __future__ import annotations

import re
import subprocess
import tomllib
import zipfile

import pytest
from lxml import etree

from conftest import EXAMPLES, tiers

SCENES = tiers(EXAMPLES)
SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 300_000


def page(fmu):
    return etree.fromstring((fmu.folder / "documentation" / "index.html").read_bytes())


def text(element) -> str:
    return " ".join("".join(element.itertext()).split())


@pytest.mark.parametrize("scene", SCENES)
def test_the_page_is_one_small_well_formed_file_without_script(build, scene, fmi):
    fmu = build(scene, fmi=fmi)
    content = (fmu.folder / "documentation" / "index.html").read_bytes()
    assert len(content) < LARGEST
    root = etree.fromstring(content)
    assert root.get("lang") == "en"
    tags = {element.tag for element in root.iter()}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form"}
    # Nothing from elsewhere: addresses are within the page or name licences that are there.
    assert set(re.findall(rb"https?://[^\"'<\s]+", content)) <= {b"http://www.w3.org/2000/svg"} | {
        match.encode() for match in re.findall(r"https?://[^\"'<\s]+", scene.read_text())
    }
    assert all(use.startswith(b"url(#") for use in re.findall(rb"url\([^)]*\)", content))
    identifiers = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(identifiers) == len(set(identifiers))
    with zipfile.ZipFile(fmu.archive) as archive:
        names = archive.namelist()
    targets = {element.get("href") for element in root.iter()}
    licences = [name for name in names if name.startswith("documentation/licenses/")]
    assert {name.removeprefix("documentation/") for name in licences} <= targets
    for element in root.iter():
        assert not any(name.startswith("on") or name == "src" for name in element.attrib)
        if (target := element.get("href")) is not None:
            inside = target.startswith("#") and target[1:] in identifiers
            assert inside or f"documentation/{target}" in names, target


@pytest.mark.parametrize("scene", SCENES)
def test_headings_are_in_order_and_tables_say_what_they_are(build, scene):
    root = page(build(scene))
    levels = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", str(e.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    tables = list(root.iter("table"))
    assert len(tables) > 4
    for table in tables:
        assert table[0].tag == "caption"
        assert text(table[0])
        for head in table.iter("th"):
            assert head.get("scope") in ("col", "row"), text(head)
        widths = {len(row) for row in table.iter("tr")}
        assert len(widths) == 1, text(table[0])


@pytest.mark.parametrize("scene", SCENES)
def test_the_picture_has_a_name_and_shows_something(build, scene):
    root = page(build(scene))
    (picture,) = root.iter(f"{SVG}svg")
    assert picture.get("role") == "img"
    name = tomllib.loads(scene.read_text())["name"]
    assert name in picture.find(f"{SVG}title").text
    assert picture.find(f"{SVG}desc").text.startswith("Bodies: ")
    shapes = list(picture.iter(f"{SVG}path", f"{SVG}circle"))
    # Beyond the axes and the bar of the scale.
    assert len(shapes) > 4


@pytest.mark.parametrize("scene", SCENES)
def test_bodies_joints_and_pairs_are_named(build, tool, scene):
    root = page(build(scene))
    table = next(t for t in root.iter("table") if text(t[0]).startswith("Bodies"))
    rows = [text(row[0]) for row in table.iter("tr")][1:]
    given = tomllib.loads(scene.read_text())
    assert rows == [body["name"] for body in given["body"]]
    joints = [t for t in root.iter("table") if text(t[0]).startswith("Joints")]
    names = [text(row[0]) for t in joints for row in t.iter("tr")][len(joints) :]
    assert names == [joint["name"] for joint in given.get("joint", [])]
    report = subprocess.run(
        [tool, "check", scene], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    listed = report.split("pairs that can touch")[1].split("\n\n")[0].splitlines()[1:]
    pairs = {line.split()[0].rstrip(",") for line in listed if ":" in line}
    assert pairs or scene.parent.name == "two_stage_rocket"
    sections = " ".join(text(section) for section in root.iter("section"))
    for pair in pairs:
        assert re.search(rf"[ :,]{re.escape(pair)}[,.]", sections), pair


@pytest.mark.parametrize("scene", SCENES)
def test_the_numbers_of_each_law_are_those_of_the_parameters(build, scene):
    fmu = build(scene)
    root = page(fmu)
    laws = {}
    for variable in fmu.description.modelVariables:
        if found := re.fullmatch(r"(material_pair|pair)\.(\w+\.\w+)\.(\w+)", variable.name):
            laws.setdefault(found[2], []).append(float(variable.start))
    tables = {
        text(t[0]).removeprefix("Numbers of the law "): t
        for t in root.iter("table")
        if text(t[0]).startswith("Numbers of the law ")
    }
    assert len(tables) == len(laws)
    assert laws or scene.parent.name == "two_stage_rocket"
    for (name, values), table in zip(laws.items(), tables.values(), strict=True):
        shown = [text(row[2]) for row in table.iter("tr")][1:]
        shown = sorted(float(value) for value in shown)
        for value in values:
            assert any(abs(value - own) <= 1e-11 * abs(value) for own in shown), (name, value)


def test_a_law_of_known_numbers_shows_its_equation_and_what_it_comes_to(build):
    """A ball of 1 kg on a spring of 1e5 N/m without damping: half a period is pi sqrt(m/k)."""
    spring = '\n[[material_pair]]\nmaterials = ["Steel", "Steel"]\nlaw = "spring"\n'
    spring += "stiffness = 1e5\nrestitution = 1\nsliding_friction = 0.25\n"
    scene = next(path for path in EXAMPLES if path.parent.name == "bouncing_ball")
    last = scene.read_text().rsplit("\n", 2)[1]
    marker = 'sphere = { diameter = "200 mm" }\n'
    assert last and scene.read_text().count(marker) == 1
    fmu = build(
        scene,
        (marker + last + "\n", marker + last + "\n" + spring),
        ('position = [0, 0, "1.1 m"]', 'mass = 1\nposition = [0, 0, "1.1 m"]'),
    )
    root = page(fmu)
    (section,) = root.iter("section")
    whole = text(section)
    assert "fn = K δn (1 + d δ̇)" in whole
    assert "ft = −μk fn vt/reg(|vt|, vsmall)" in whole
    rows = {text(r[0]): [text(c) for c in r[1:]] for r in section.iter("tr")}
    # pi sqrt(1/1e5) s = 9.93 ms at any speed; depth v sqrt(m/k), and 2e-8 m of hysteresis.
    assert set(rows["contact time"]) == {"9.93 ms"}
    speeds = [0.001, 0.01, 0.1, 1.0, 10.0]
    assert rows["impact speed"] == [f"{speed:g} m/s" for speed in speeds]
    assert rows["largest penetration"][3] == "3.16 mm"
    assert rows["restitution obtained"] == ["1"] * 5
    # m g/k = 98.1 um.
    assert "at rest 98.1 um deep under 9.81 N" in whole


@pytest.mark.parametrize("scene", SCENES)
def test_the_scene_file_is_there_as_it_is(build, scene):
    (shown,) = page(build(scene)).iter("pre")
    assert shown.text == scene.read_text()


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb`, [WCAG 2.2]."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_texts_stand_out_in_light_and_dark(build):
    """Contrast 4.5 at least, [WCAG 2.2] success criterion 1.4.3."""
    style = next(page(build("rest")).iter("style")).text
    themes = re.findall(r":root \{([^}]*)\}", style)
    assert len(themes) == 2
    for theme in themes:
        colors = dict(re.findall(r"--(\w+): (#\w{6})", theme))
        for ink in ("text", "quiet", "link"):
            for ground in ("ground", "band"):
                low, high = sorted(luminance(colors[name]) for name in (ink, ground))
                assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)
