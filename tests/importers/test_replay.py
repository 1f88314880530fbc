"""What `simulate --replay`, `--gltf`, `--picture` and `replay` write, against the results beside it: the
pages in headless Chromium, the numbers in them by themselves."""

from __future__ import annotations

import base64
import csv
import json
import re
import shutil
import subprocess
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np
import pytest
from playwright.sync_api import Browser

from browser import chromium, open_replay, until
from conftest import EXAMPLES, OWN_PLATFORM, ROOT, compile_law, tiers
from npm import packages

TYPES = {"f32": "<f4", "f64": "<f8", "i16": "<i2", "u32": "<u4"}
# Those of which the first moments show all there is to see.
SHORTENED = {"silo": "0.05", "coin": "0.5", "masonry_arch": "0.3"}
# Their bodies are moved by a program.
DRIVEN = {"driven_hammer", "coupling"}
SCENES = [*EXAMPLES, *(ROOT / f"examples/{name}/scene.toml" for name in ("silo", "user_law"))]


@dataclass
class Content:
    """JSON and numbers of a page."""

    json: dict
    blob: bytes

    def __getitem__(self, place: dict) -> np.ndarray:
        kind = TYPES[place["type"]]
        return np.frombuffer(self.blob, kind, place["count"], place["offset"])

    def pose(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Positions and orientations of a body that moves."""
        names = [body["name"] for body in self.json["visual"]["bodies"]]
        [found] = [pose for pose in self.json["poses"] if names[pose["body"]] == name]
        turn = self[found["orientation"]].reshape(-1, 4) / 32767
        return self[found["position"]].reshape(-1, 3), turn

    def contacts(self) -> list[list[tuple[str, np.ndarray, np.ndarray]]]:
        """Of each frame the pair, point and force of each contact."""
        of = self.json["contacts"]
        first, pair = self[of["first"]], self[of["pair"]]
        point, force = (self[of[key]].reshape(-1, 3) for key in ("point", "force"))
        return [
            [(self.json["pairs"][pair[i]], point[i], force[i]) for i in range(start, end)]
            for start, end in zip(first, first[1:])
        ]


def content(page: Path) -> Content:
    text = page.read_text(encoding="utf-8")

    def element(name: str) -> str:
        return re.search(rf'<script[^>]*id="{name}"[^>]*>(.*?)</script>', text, re.S)[1]

    blob = zlib.decompress(base64.b64decode(element("replay-blob")))
    return Content(json.loads(element("replay-json")), blob)


def table(file: Path) -> dict[str, np.ndarray]:
    with file.open(newline="") as source:
        header, *rows = csv.reader(source)
    values = np.array(rows, dtype=float)
    return {name: values[:, i] for i, name in enumerate(header)}


def simulate(tool: Path, scene: Path, out: Path, *options: str) -> Path:
    """The folder with the results of a scene or an FMU."""
    command = [tool, "simulate", scene, "--out", out, *options]
    if scene.suffix == ".toml":
        command += ["--platform", OWN_PLATFORM]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=240)
    return out


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser: Browser):
    """opened(file): the page, which must have no error when the test ends."""
    problems: list[str] = []
    contexts = []

    def make(file: Path):
        context = browser.new_context(viewport={"width": 900, "height": 600})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: problems.append(message.text) if message.type == "error" else None,
        )
        open_replay(page, file)
        problems.extend(page.evaluate("replay.errors"))
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []


def validated(*files: Path) -> None:
    """Asks the validator of the Khronos Group."""
    script = """
        const { validateBytes } = require('gltf-validator');
        const { readFileSync } = require('fs');
        Promise.all(process.argv.slice(1).map(async file => {
            const { issues } = await validateBytes(new Uint8Array(readFileSync(file)));
            return issues.messages.filter(({ severity }) => severity < 2);
        })).then(found => console.log(JSON.stringify(found.flat())));
    """
    command = ["node", "-e", script, *map(str, files)]
    done = subprocess.run(command, cwd=packages(), check=True, capture_output=True, timeout=120)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("scene", tiers(SCENES, {"bouncing_ball"}))
def test_each_example_has_a_page_that_shows_it(tool, opened, tmp_path, scene):
    name = scene.parent.name
    folder = tmp_path / "example"
    shutil.copytree(scene.parent, folder)
    for law in folder.glob("*.c"):
        compile_law(law, folder / f"lib{law.stem}.so")
    options = ["--replay", "--gltf"]
    if (folder / "inputs.csv").exists():
        options += ["--input", folder / "inputs.csv"]
    if name in SHORTENED:
        options += ["--stop", SHORTENED[name]]
    picture = (folder / "picture.svg").read_text()
    time = re.search(r"<desc>.* at (\S+) s</desc>", picture)[1]
    options += ["--picture", time]
    out = simulate(tool, folder / scene.name, tmp_path / "out", *options)
    [file], [gltf] = out.glob("*.html"), out.glob("*.glb")
    assert file.stat().st_size < 10_000_000
    validated(gltf)
    # What the README of the example shows is what the tool draws.
    assert (out / f"{file.stem}_t{time}.svg").read_text() == picture
    if (folder / "plot.svg").exists() and name not in {*SHORTENED, *DRIVEN}:
        assert (out / f"{file.stem}.svg").read_text() == (folder / "plot.svg").read_text()

    run = content(file)
    times = run[run.json["times"]]
    contacts = run.contacts()
    rows = table(file.with_suffix(".csv"))
    assert (times[0], times[-1]) == (rows["time"][0], rows["time"][-1])

    page = opened(file)
    # Arrows exactly where frames have contacts: the first, the last and some in between.
    touching = [i for i, frame in enumerate(contacts) if frame]
    chosen = sorted({0, len(times) - 1, *touching[:2], *touching[-1:], len(times) // 2})
    shown = page.evaluate(
        "times => times.map(time => (replay.setTime(time), replay.contactsShown))",
        [float(times[i]) for i in chosen],
    )
    assert shown == [len(contacts[i]) for i in chosen]
    starts = [event["time"] for event in run.json["events"] if event["point"]]
    if starts:
        assert page.evaluate("t => (replay.setTime(t), replay.impactsShown)", starts[0]) >= 1
    # Something moves, and is seen to.
    moves = bool(run.json["poses"] or run.json["balls"])
    assert moves or name in DRIVEN
    drawn = "t => (replay.setTime(t), document.getElementById('canvas').toDataURL())"
    pictures = {page.evaluate(drawn, float(times[i])) for i in (0, len(times) // 3, -1)}
    assert len(pictures) > 1 or not moves
    # A variable that changes is charted with the value of the table.
    changing = [
        variable["name"]
        for variable in run.json["variables"]
        if variable["name"] in rows and np.ptp(rows[variable["name"]]) > 0
    ]
    if not changing:
        assert name in DRIVEN
        return
    variable = changing[-1]
    assert page.evaluate("names => replay.show(names)", [variable]) == []
    middle = len(times) // 2
    page.evaluate("t => replay.setTime(t)", float(times[middle]))
    value = page.locator(f"[data-variable={json.dumps(variable)}]").get_attribute("data-value")
    [row] = np.flatnonzero(rows["time"] == times[middle])
    scale = np.abs(rows[variable]).max()
    assert float(value) == pytest.approx(rows[variable][row], rel=1e-6, abs=1e-6 * scale)


@pytest.mark.full
@pytest.mark.parametrize("interface", ["cs", "me"])
def test_forces_in_frames_are_those_of_the_outputs(tool, tmp_path, fmi, interface):
    """The sum over the contacts of a body is its output contact_force; the sum of energies stays."""
    scene = ROOT / "examples/box_stack/scene.toml"
    options = ["--replay", "--fmi", str(fmi), "--interface", interface, "--stop", "0.4"]
    out = simulate(tool, scene, tmp_path, *options)
    [file] = out.glob("*.html")
    run, rows = content(file), table(file.with_suffix(".csv"))
    names = [body["name"] for body in run.json["visual"]["bodies"]]
    moving = [names[pose["body"]] for pose in run.json["poses"]]
    times = run[run.json["times"]]
    assert len(moving) == 10 and len(times) > 100
    in_contact = 0
    for time, frame in zip(times, run.contacts()):
        [row] = np.flatnonzero(rows["time"] == time)
        in_contact += bool(frame)
        for body in moving:
            force = np.zeros(3)
            for pair, _, on_second in frame:
                first, second = (side.split(".")[0] for side in pair.split(":"))
                force += on_second * ((second == body) - (first == body))
            output = [rows[f"{body}.contact_force[{i}]"][row] for i in (1, 2, 3)]
            size = float(max(1.0, *(np.abs(f).max() for _, _, f in frame))) if frame else 1.0
            assert force == pytest.approx(output, abs=1e-6 * size), (time, body)
    assert in_contact > 50
    shown = {variable["name"]: run[variable["values"]] for variable in run.json["variables"]}
    kept = np.isin(rows["time"], times)
    energies = {
        "kinetic energy": rows["energy.kinetic"][kept],
        "potential energy": rows["energy.potential"][kept] - rows["energy.potential"][kept].min(),
        "elastic energy": rows["energy.contact_elastic"][kept],
    }
    for name, expected in energies.items():
        assert shown[name] == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.ptp(expected)), name
    total = sum(energies.values())
    assert shown["mechanical energy"] == pytest.approx(total, rel=1e-6, abs=1e-6 * total.max())
    for body in moving:
        place, turn = run.pose(body)
        kept = np.isin(rows["time"], times)
        for i in range(3):
            assert place[:, i] == pytest.approx(rows[f"{body}.position[{i + 1}]"][kept], abs=1e-7)
        of_table = np.array([rows[f"{body}.orientation[{i}]"][kept] for i in (1, 2, 3, 4)]).T
        same = np.abs(np.sum(turn * of_table, axis=1))
        assert same == pytest.approx(np.ones(len(times)), abs=1e-4)


@pytest.mark.full
@pytest.mark.parametrize("first", ["ball", "ground"])
def test_the_arrow_of_a_picture_points_from_the_floor_into_the_ball(tool, tmp_path, first):
    """The floor can only push: upwards on the ball at rest, whichever body is the first of the pair."""
    ball = '''[[body]]
name = "ball"
motion = "free"
position = [0, 0, 0.1]
shape = [{ sphere = { diameter = 0.2 }, material = "Steel" }]
'''
    ground = '''[[body]]
name = "ground"
motion = "fixed"
shape = [{ half_space = {}, material = "Steel" }]
'''
    bodies = [ball, ground] if first == "ball" else [ground, ball]
    head = 'format = 1\nname = "rest"\nworld.gravity = [0, 0, -9.81]\nexperiment.stop_time = 0.2\n'
    scene = tmp_path / "rest.toml"
    scene.write_text(head + "".join(bodies))
    out = simulate(tool, scene, tmp_path / "out", "--picture", "0.2")
    drawn = (out / "rest_t0.2.svg").read_text()
    [arrow] = re.findall(r'<path fill="#b8162c" d="([^"]*)"', drawn)
    # The outline starts at the foot, each further corner is relative to the one before; y downwards.
    numbers = np.array([float(number) for number in re.findall(r"-?\d+", arrow)])
    height = np.cumsum(numbers[1::2])
    assert height[0] - min(height) > 50
    assert max(height) - height[0] < 10


@pytest.mark.full
def test_frames_do_not_change_the_run(tool, tmp_path):
    scene = ROOT / "examples/two_balls/scene.toml"
    for interface in ("cs", "me"):
        options = ["--interface", interface]
        plain = simulate(tool, scene, tmp_path / "plain", *options)
        shown = simulate(tool, scene, tmp_path / "shown", *options, "--replay")
        for file in ("two_balls.csv", "events.csv"):
            assert (plain / file).read_bytes() == (shown / file).read_bytes()


@pytest.mark.full
def test_a_table_of_another_importer_has_a_page_too(build, tool, opened, tmp_path, fmi):
    """FMPy's CSV of the outputs, against the poses that simulate records."""
    scene = ROOT / "examples/two_balls/scene.toml"
    fmu = build(scene, fmi=fmi).archive
    result = fmpy.simulate_fmu(fmu, fmi_type="CoSimulation")
    file = tmp_path / "run of FMPy.csv"
    fmpy.util.write_csv(file, result)
    command = [tool, "replay", file, "--fmu", fmu, "-o", tmp_path / "page", "--gltf"]
    done = subprocess.run(
        [*command, "--picture", "0.5"], check=True, capture_output=True, text=True, timeout=60
    )
    assert "frames of" in done.stdout
    folder = tmp_path / "page"
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"run of FMPy{end}" for end in (".glb", ".html", "_t0.5.png", "_t0.5.svg")]
    validated(folder / "run of FMPy.glb")
    own = simulate(tool, fmu, tmp_path / "own", "--replay")
    other, own = content(folder / "run of FMPy.html"), content(own / "model.html")
    for body in ("ball1", "ball2"):
        (place, _), (expected, _) = other.pose(body), own.pose(body)
        assert place[-1] == pytest.approx(expected[-1], abs=1e-6)
        assert np.ptp(place, axis=0) == pytest.approx(np.ptp(expected, axis=0), abs=1e-5)
    units = {variable["name"]: variable["unit"] for variable in other.json["variables"]}
    assert units["ball1.position[1]"] == "m"
    opened(folder / "run of FMPy.html")


def failing(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done
    return done.stderr


def test_what_cannot_be_shown_is_refused_before_the_run(build, tool, tmp_path):
    fmu = build(ROOT / "examples/bouncing_ball/scene.toml").archive
    bare = tmp_path / "bare.fmu"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(bare, "w") as target:
        for entry in source.infolist():
            if not entry.filename.startswith("extra/"):
                target.writestr(entry, source.read(entry))
    out = tmp_path / "out"
    text = failing(tool, "simulate", bare, "--replay", "--out", out)
    assert "visual.json" in text and "build it again" in text
    assert not out.exists()
    table = tmp_path / "other.csv"
    table.write_text("time,x\n0,1\n1,2\n")
    text = failing(tool, "replay", table, "--fmu", fmu)
    assert '"ball.position[1]"' in text
    assert "--fmu names" in failing(tool, "replay", table)
    text = failing(tool, "replay", tmp_path / "none.csv", "--fmu", fmu)
    assert "none.csv: cannot be read" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bare.fmu", "other.csv"]


def test_a_picture_outside_of_the_run_is_refused_before_it(build, tool, tmp_path):
    fmu = build(ROOT / "examples/bouncing_ball/scene.toml").archive
    text = failing(tool, "simulate", fmu, "--picture", "4", "--out", tmp_path / "out")
    assert "--picture 4: the run is from 0 s to 3 s" in text
    assert not (tmp_path / "out").exists()


def test_a_run_that_fails_leaves_its_page_and_says_why(build, tool, tmp_path):
    """With a picture of a time that it does not come to."""
    fmu = build(ROOT / "examples/bouncing_ball/scene.toml").archive
    options = ["--max-steps", "20", "--replay", "--picture", "0.1", "--picture", "2.5"]
    text = failing(tool, "simulate", fmu, *options, "--out", tmp_path)
    assert "more than 20" in text or "max_steps" in text
    assert "no results were written" not in text
    names = {path.name for path in tmp_path.iterdir()}
    pictures = {"model_t0.1.svg", "model_t0.1.png"}
    assert {"model.csv", "model.svg", "model.html", "events.csv"} | pictures == names
    last = table(tmp_path / "model.csv")["time"][-1]
    run = content(tmp_path / "model.html")
    assert run[run.json["times"]][-1] == last


@pytest.mark.full
def test_a_thousand_bodies_fit_into_ten_megabytes_and_are_drawn_fast(tool, opened, tmp_path):
    """1,000 balls and boxes that fall onto each other: all outputs, forces and frames."""
    text = """format = 1
name = "thousand"
world.gravity = [0, 0, -9.81]
[experiment]
stop_time = 0.3
step_size = 0.0005
solver = "dem"
max_step = 1e-4
[[material]]
name = "Soft"
youngs_modulus = 1e6
poissons_ratio = 0.3
density = 1000
[[material_pair]]
materials = ["Soft", "Soft"]
restitution = 0.3
sliding_friction = 0.3
[[body]]
name = "floor"
motion = "fixed"
shape = [{ name = "plane", half_space = {}, material = "Soft" }]
"""
    for i in range(1000):
        x, y, z = (i % 10) * 0.11, (i // 10 % 10) * 0.11 + i * 1e-5, 0.06 + (i // 100) * 0.11
        text += f"""[[body]]
name = "ball_{i}"
motion = "free"
position = [{x}, {y}, {z}]
shape = [{{ sphere = {{ diameter = 0.1 }}, material = "Soft" }}]
"""
    scene = tmp_path / "thousand.toml"
    scene.write_text(text)
    out = simulate(tool, scene, tmp_path / "out", "--replay")
    file = out / "thousand.html"
    size = file.stat().st_size
    run = content(file)
    frames = run.json["frames"]
    contacts = sum(map(len, run.contacts()))
    print(f"1000 bodies: {size / 1e6:.1f} MB, {frames} frames, {contacts} forces")
    assert size <= 10_000_000
    assert len(run.json["poses"]) == 1000 and frames >= 100 and contacts > 10_000
    # What is left out is said.
    assert any("variables" in note for note in run.json["notes"])
    page = opened(file)
    page.evaluate("replay.play()")
    until(page, "replay.fps > 0")
    fps = page.evaluate("replay.fps")
    print(f"1000 bodies: {fps:.0f} frames/s")
    assert page.evaluate("replay.drawn.instances") >= 1000
