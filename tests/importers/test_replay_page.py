"""The page that shows a run in 3-D, in headless Chromium, with made-up runs of known content."""

from __future__ import annotations

import base64
import io
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from browser import NoBrowser, launch, open_replay, until
from conftest import ROOT
from npm import SOURCES, packages
from replay_page import ASSET, GRAVITY, Run, about, bouncing_ball, cuboid, fill, many_bodies

SMALL = {"width": 1000, "height": 640}
# Bytes; three.js is most of it.
LARGEST = 800_000
MARKERS = ("/*REPLAY-JSON*/null", "REPLAY-BLOB", "REPLAY-TITLE")
STATE = "({time: replay.time, frame: replay.frame, playing: replay.playing})"


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


def launched(playwright: Playwright, **options: bool) -> Browser:
    """A browser; the test fails where there is none."""
    try:
        return launch(playwright, **options)
    except NoBrowser as error:
        pytest.fail(str(error))


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launched(playwright)
    yield browser
    browser.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """show(run, address): the opened page.

    At the end, it must have met no error and asked for nothing but itself.
    """
    problems: list[str] = []
    contexts = []

    def make(
        run: Run | str, address: str = "", before: str = "", fails: bool = False, **options: object
    ) -> Page:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(run if isinstance(run, str) else run.page(), encoding="utf-8")
        context = browser.new_context(**{"viewport": SMALL, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        if before:
            page.add_init_script(before)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: problems.append(message.text) if message.type == "error" else None,
        )
        page.on(
            "request",
            lambda request: (
                problems.append(request.url)
                if not request.url.startswith((file.as_uri(), "blob:", "data:"))
                else None
            ),
        )
        if fails:
            page.goto(file.as_uri() + address)
            page.wait_for_selector("body[data-state=failed]")
        else:
            open_replay(page, file, address)
        return page

    yield make
    for context in contexts:
        context.close()
    assert problems == []


def picture(page: Page, time: float) -> Image.Image:
    """The 3-D picture at a time, as the canvas has it."""
    # In one step: a canvas keeps its picture only until it is shown.
    script = "time => (replay.setTime(time), document.getElementById('canvas').toDataURL())"
    return decoded(page.evaluate(script, time))


def decoded(url: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGBA")


def red(image: Image.Image) -> int:
    """Pixels in the colour of arrows."""
    r, g, b, a = np.moveaxis(np.asarray(image).astype(int), 2, 0)
    return int(((r > 150) & (g < 100) & (b < 100) & (a > 200)).sum())


def test_the_page_has_each_marker_once_and_is_small():
    page = ASSET.read_text(encoding="utf-8")
    assert [page.count(marker) for marker in MARKERS] == [1, 1, 1]
    assert len(page.encode()) < LARGEST
    # Browsers look for it in the first 1024 bytes.
    assert 0 < page.encode().find(b'<meta charset="utf-8">') < 1000
    print(f"page.html: {len(page.encode()) / 1000:.0f} kB")


def test_the_page_holds_the_licence_of_three_js():
    text = (ROOT / "fmu-build" / "licenses" / "linked" / "three.txt").read_text(encoding="utf-8")
    assert "three.js authors" in text
    assert text.strip() in ASSET.read_text(encoding="utf-8")


def test_the_lock_file_names_no_host():
    assert '"resolved"' not in (SOURCES / "package-lock.json").read_text()


def test_rebuilding_gives_the_committed_page(tmp_path):
    folder = packages()
    shutil.rmtree(folder / "src", ignore_errors=True)
    shutil.copytree(SOURCES / "src", folder / "src")
    for name in ("build.js", "package.json"):
        shutil.copy(SOURCES / name, folder)
    output = tmp_path / "page.html"
    subprocess.run(["node", "build.js", output], cwd=folder, check=True, timeout=60)
    same = output.read_bytes() == ASSET.read_bytes()
    assert same, "fmu-build/view/src/replay/page.html is not built from these sources: npm run build"


@pytest.mark.full
def test_the_picture_changes_with_time_and_not_without(show):
    page = show(bouncing_ball())
    first, again, later = (picture(page, t).tobytes() for t in (0.1, 0.1, 0.3))
    assert first == again
    assert first != later


def test_arrows_are_there_exactly_in_frames_with_contacts(show):
    run = bouncing_ball()
    page = show(run)
    chosen = sorted({*range(0, len(run.times), 9), *np.flatnonzero(run.touches)[:6]})
    shown = page.evaluate(
        "times => times.map(time => (replay.setTime(time), replay.contactsShown))",
        [float(run.times[i]) for i in chosen],
    )
    assert shown == [int(run.touches[i]) for i in chosen]
    assert {0, 1} == set(shown)


@pytest.mark.full
def test_the_arrow_is_seen_and_grows_with_the_root_of_the_force(show):
    times = np.array([0.0, 1.0, 2.0])
    run = Run(times)
    ball = run.geometry(type="sphere", radius=0.5)
    run.body("ball", ball, position=np.array([[0, 0, 2.0]] * 3))
    run.body("base", ball, fixed=True)
    run.json["pairs"] = ["base.base:ball.ball"]
    # Beside the bodies, along x as seen from the front.
    run.contacts([[], [(0, [1.0, 0, 1.0], [100.0, 0, 0])], [(0, [1.0, 0, 1.0], [400.0, 0, 0])]])
    page = show(run)
    page.evaluate("replay.look('front')")
    none, small, large = (picture(page, time) for time in times)
    assert red(none) == 0
    assert red(small) > 50

    # All of it is as far from the camera as its start.
    start = page.evaluate("replay.view.project(replay.view.middle.clone().set(1, 0, 1)).x")

    def width(image: Image.Image) -> float:
        r, g, b, _ = np.moveaxis(np.asarray(image).astype(int), 2, 0)
        columns = np.flatnonzero(((r > 150) & (g < 100) & (b < 100)).any(axis=0))
        return columns[-1] + 1 - start

    assert width(large) / width(small) == pytest.approx(2.0, rel=0.03)
    page.evaluate("document.getElementById('button-display').click()")
    page.select_option("#force-law", "linear")
    small, large = (picture(page, time) for time in times[1:])
    assert width(large) / width(small) == pytest.approx(4.0, rel=0.06)


# Bodies and shapes of a pair, the force on the second one [N], and the direction of the arrow.
ARROWS = [
    ("floor.a:box.b", [0, 0, 5.0], [0, 0, 1]),  # on the box
    ("box.b:floor.a", [0, 0, -5.0], [0, 0, 1]),  # on the floor, so the other way on the box
    ("floor:box", [0, 0, -5.0], [0, 0, -1]),
    ("box.b:box.top.c", [0, 0, 5.0], [0, 0, 1]),
    ("box.b:box.top.c", [0, 0, -5.0], [0, 0, 1]),  # both move: on the one that is lifted
    ("box.b:box.top.c", [-5.0, 0, -1.0], [-5 / math.sqrt(26), 0, -1 / math.sqrt(26)]),
    ("box.b:box.top.c", [0, 0, 0], None),
    ("box.b:box.top.c", [math.nan, 0, 0], None),
]


def test_arrows_show_the_force_on_the_moving_or_lifted_body(show):
    times = np.arange(float(len(ARROWS)))
    run = Run(times)
    sphere = run.geometry(type="sphere", radius=0.5)
    run.body("floor", sphere, fixed=True)
    run.body("box", sphere, position=np.array([[0, 0, 1.0]] * len(times)))
    run.body("box.top", sphere, position=np.array([[0, 0, 2.0]] * len(times)))
    run.json["pairs"] = [pair for pair, _, _ in ARROWS]
    run.contacts([[(i, [0.0, 0.0, 0.5], force)] for i, (_, force, _) in enumerate(ARROWS)])
    page = show(run)
    for time, (pair, force, expected) in zip(times, ARROWS, strict=True):
        page.evaluate("time => replay.setTime(time)", time)
        shown = page.evaluate("replay.contactsShown")
        assert shown == (0 if expected is None else 1), (pair, force)
        if expected:
            found = page.evaluate("Array.from(replay.view.contacts.data.slice(4, 7))")
            assert found == pytest.approx(expected, abs=1e-6), (pair, force)


@pytest.mark.full
def test_impacts_between_frames_flash(show):
    run = bouncing_ball()
    run.event(0.2021, "impulse", "ball.ball:ground.plate", 2.0, [0.0, 0.0, 0.0])
    page = show(run)
    counts = page.evaluate(
        "times => times.map(time => (replay.setTime(time), replay.impactsShown))",
        [0.195, 0.2, 0.205, 0.21],
    )
    assert counts == [0, 1, 0, 0]
    # In play the ring lasts 0.25 s of the viewer, at this speed 0.025 s of the run.
    counts = page.evaluate(
        "times => times.map(time => (replay.setTime(time, 0.1), replay.impactsShown))",
        [0.2, 0.2022, 0.226, 0.228],
    )
    assert counts == [0, 1, 1, 0]


@pytest.mark.parametrize("before", ["", "delete Uint8Array.fromBase64"], ids=["new", "old"])
def test_numbers_of_all_types_are_read_exactly(show, before):
    random = np.random.default_rng(2)
    count = 64
    run = Run(np.cumsum(random.uniform(1e-9, 1, count)))
    single = np.ldexp(random.normal(size=count), random.integers(-120, 120, count)).astype("f4")
    single[:4] = [1e-45, 3.4028235e38, -0.0, 1 / 3]
    double = np.ldexp(random.normal(size=count), random.integers(-1000, 1000, count))
    run.variable("single", single, "m")
    run.variable("double", double, "m", "f64")
    turn = random.integers(-32767, 32768, (count, 4))
    turn[0] = [32767, -32767, -32768, 1]
    sphere = run.geometry(type="sphere", radius=1.0)
    run.body("ball", sphere, position=random.normal(size=(count, 3)), orientation=turn / 32767)
    pairs = random.integers(0, 2**32, count, dtype=np.uint64)
    run.contacts([[(pair, [0, 0, 0], [0, 0, 0])] for pair in pairs])
    page = show(run, before=before)
    # As text with all digits: JSON has neither -0 nor more than doubles.
    exact = "values => Array.from(values, x => Object.is(x, -0) ? '-0' : String(x))"
    read = {
        name: [float(x) for x in page.evaluate(f"({exact})(replay.run.{place})")]
        for name, place in {
            "times": "times",
            "single": "variables[0].values",
            "double": "variables[1].values",
            "turn": "poses[0].orientation",
            "pair": "contacts.pair",
        }.items()
    }
    expected = {
        "times": run.times,
        "single": single.astype(float),
        "double": double,
        "turn": turn.ravel(),
        "pair": pairs,
    }
    for name, values in expected.items():
        assert read[name] == [float(x) for x in values], name
    assert math.copysign(1, read["single"][2]) == -1


def test_poses_between_frames_are_interpolated_on_the_shorter_way(show):
    times = np.array([0.0, 1.0])
    run = Run(times)
    turns = about((0, 0, 1), np.array([0.0, 1.0]))
    turns[1] *= -1  # the same orientation
    places = np.array([[0, 0, 0], [1.0, 2.0, 4.0]])
    run.body("ball", run.geometry(type="sphere", radius=1.0), position=places, orientation=turns)
    page = show(run)
    x, y, z, qw, qz = page.evaluate(
        """() => {
            replay.setTime(0.25);
            const { positions, orientations } = replay.view.motion;
            const q = orientations[0];
            return [...positions[0].toArray(), q.w, q.z];
        }"""
    )
    assert (x, y, z) == (0.25, 0.5, 1.0)
    # Orientations are stored with 16 bits.
    assert abs(qw) == pytest.approx(math.cos(0.125), abs=1e-4)
    assert qz * math.copysign(1, qw) == pytest.approx(math.sin(0.125), abs=1e-4)


@pytest.mark.full
def test_slider_and_keys_change_the_time(show):
    run = bouncing_ball()
    page = show(run)
    end = float(run.times[-1])
    rail = page.locator("#timeline .rail").bounding_box()
    page.mouse.click(rail["x"] + 0.25 * rail["width"], rail["y"] + 2)
    assert page.evaluate("replay.time") == pytest.approx(0.25 * end, abs=2 * end / rail["width"])
    page.mouse.move(rail["x"] + 0.5 * rail["width"], rail["y"] + 2)
    page.mouse.down()
    page.mouse.move(rail["x"] + 0.75 * rail["width"], rail["y"] + 60)
    page.mouse.up()
    assert page.evaluate("replay.time") == pytest.approx(0.75 * end, abs=2 * end / rail["width"])

    def press(key: str) -> float:
        page.keyboard.press(key)
        return page.evaluate("replay.time")

    assert press("Home") == 0
    assert press("ArrowRight") == run.times[1]
    assert press("Shift+ArrowRight") == run.times[11]
    assert press("ArrowLeft") == run.times[10]
    assert press("e") == pytest.approx(run.json["events"][0]["time"], abs=1e-12)
    assert press("End") == end
    assert press("ArrowRight") == end
    page.evaluate("replay.setTime(0.5)")
    page.keyboard.press("Space")
    assert page.evaluate("replay.playing")
    until(page, "replay.time > 0.55")
    page.keyboard.press("Space")
    stands = page.evaluate(STATE)
    assert not stands["playing"]
    page.wait_for_timeout(100)
    assert page.evaluate(STATE) == stands
    # Space in a field is a letter.
    page.fill("#tab-variables input[type=search]", "a b")
    page.press("#tab-variables input[type=search]", "Space")
    assert not page.evaluate("replay.playing")
    page.fill("#time", "1.25")
    page.press("#time", "Enter")
    assert page.evaluate("replay.time") == 1.25


@pytest.mark.full
def test_play_ends_at_the_end_without_loop_and_begins_again_with_it(show):
    run = bouncing_ball()
    page = show(run)
    page.evaluate("replay.setSpeed(10); replay.setTime(1.8)")
    page.keyboard.press("l")
    page.evaluate("replay.play()")
    until(page, "!replay.playing")
    assert page.evaluate("replay.time") == run.times[-1]
    page.keyboard.press("l")
    page.evaluate("replay.setSpeed(1); replay.setTime(1.9); replay.play()")
    until(page, "replay.time < 1")
    assert page.evaluate("replay.playing")


@pytest.mark.full
def test_a_chosen_variable_is_charted_with_the_value_of_the_data(show):
    run = bouncing_ball()
    values = np.sin(7 * run.times) * 1e-3
    run.variable("hinge.angle", values, "rad", "f64")
    page = show(run)
    names = ["energy.potential", "energy.lost", "ball.position[3]"]
    assert page.evaluate("replay.chartNames") == names
    # One chart for each unit.
    expect(page.locator(".chart")).to_have_count(2)
    page.fill("#tab-variables input[type=search]", "HINGE rad")
    rows = page.locator("#tab-variables .row")
    expect(rows).to_have_count(1)
    rows.locator("input").check()
    assert page.evaluate("replay.chartNames") == [*names, "hinge.angle"]
    expect(page.locator(".chart")).to_have_count(3)
    shown = page.locator("[data-variable='hinge.angle']")
    for frame in (0, 7, 200, len(run.times) - 1):
        page.evaluate("time => replay.setTime(time)", float(run.times[frame]))
        assert float(shown.get_attribute("data-value")) == values[frame]
        number, unit = shown.text_content().split(" ")
        assert float(number) == pytest.approx(values[frame], rel=1e-5, abs=1e-30)
        assert unit == "rad"
    between = 0.25 * run.times[7] + 0.75 * run.times[8]
    page.evaluate("time => replay.setTime(time)", float(between))
    expected = 0.25 * values[7] + 0.75 * values[8]
    assert float(shown.get_attribute("data-value")) == pytest.approx(expected, rel=1e-9)
    assert page.evaluate("replay.show(['hinge.angle', 'no such'])") == ["no such"]
    assert page.evaluate("replay.chartNames") == ["hinge.angle"]


def test_a_chart_shows_changes_since_the_start(show):
    run = Run(np.linspace(0, 1, 11))
    values = 1e6 + np.arange(11) ** 2 * 0.125
    run.variable("energy", values, "J", "f64", shown=True)
    page = show(run)
    page.evaluate("replay.setTime(0.5)")
    shown = page.locator("[data-variable=energy]")
    assert float(shown.get_attribute("data-value")) == values[5]
    page.click(".chart .change")
    assert shown.text_content() == "3.125 J"


def test_a_click_in_a_chart_sets_the_time(show):
    page = show(bouncing_ball())
    plot = page.locator(".plot").first
    box = plot.bounding_box()
    time = page.evaluate(
        """x => {
            const panel = [...replay.charts.panels.values()][0];
            return panel.timeAt(x);
        }""",
        box["x"] + box["width"] / 2,
    )
    plot.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    assert page.evaluate("replay.time") == pytest.approx(time, abs=0.01)
    assert 0.8 < time < 1.2


@pytest.mark.full
def test_a_single_peak_among_a_million_values_is_drawn(show):
    count = 1_000_000
    values = np.zeros(count, dtype="f4")
    values[543_210] = 1.0
    run = Run(np.linspace(0, 100, count))
    run.variable("peak", values, "N", shown=True)
    page = show(run)
    url = page.evaluate("document.querySelector('.plot canvas').toDataURL()")
    image = np.asarray(decoded(url)).astype(int)
    blue = (image[:, :, 2] > image[:, :, 0] + 60) & (image[:, :, 3] > 100)
    inside = blue[:, 70:-20]
    columns = np.flatnonzero(inside.sum(axis=0) > 0.6 * image.shape[0])
    assert 1 <= len(columns) <= 4
    share = (columns.mean() + 70 - 62) / (image.shape[1] - 62 - 12)
    assert share == pytest.approx(0.54321, abs=0.01)
    milliseconds = page.evaluate(
        "(() => { const t = performance.now(); replay.charts.draw(); return performance.now() - t"
        "})()"
    )
    print(f"chart of {count} values: {milliseconds:.0f} ms")


def test_gaps_of_values_that_are_no_numbers_stay_gaps(show):
    run = Run(np.linspace(0, 1, 20_001))
    values = np.cos(run.times)
    values[8_000:12_000] = np.nan
    run.variable("gap", values, None, shown=True)
    page = show(run)
    page.evaluate("replay.setTime(0.5)")
    assert page.locator("[data-variable=gap]").text_content() == "not a number"
    url = page.evaluate("document.querySelector('.plot canvas').toDataURL()")
    image = np.asarray(decoded(url)).astype(int)
    blue = (image[:, :, 2] > image[:, :, 0] + 60) & (image[:, :, 3] > 100)
    width = image.shape[1] - 62 - 12
    inside = [blue[:, 62 + int(share * width)].any() for share in (0.2, 0.45, 0.55, 0.8)]
    assert inside == [True, False, False, True]


@pytest.mark.full
def test_the_address_opens_a_moment_and_keeps_it(show):
    page = show(bouncing_ball(), "#t=1.25&body=ball")
    assert page.evaluate("replay.time") == 1.25
    expect(page.locator("#card h3")).to_have_text("ball")
    page.evaluate("replay.setTime(0.75)")
    until(page, "location.hash.startsWith('#t=0.75&')")
    untouched = [float(x) for x in page.evaluate("replay.view.camera.text").split(",")]
    view = page.locator("#canvas").bounding_box()
    page.mouse.move(view["x"] + 400, view["y"] + 80)
    page.mouse.down()
    page.mouse.move(view["x"] + 460, view["y"] + 100, steps=4)
    page.mouse.up()
    until(
        page,
        """(() => {
            const kept = new URLSearchParams(location.hash.slice(1)).get("cam")?.split(",");
            const now = replay.view.camera.text.split(",");
            const same = kept?.every((x, i) => Math.abs(x - now[i]) < 1e-3) ?? false;
            return same && !replay.view.cameraMoves;
        })()""",
    )
    camera = page.evaluate("replay.view.camera.text")
    page.evaluate("replay.setTime(0.8)")
    until(page, "location.hash.startsWith('#t=0.8&')")
    again = show(bouncing_ball(), page.evaluate("location.hash"))
    assert again.evaluate("replay.time") == 0.8
    opened = again.evaluate("replay.view.camera.text")
    before, after = ([float(x) for x in text.split(",")] for text in (camera, opened))
    assert after == pytest.approx(before, abs=2e-3)
    assert before != pytest.approx(untouched, abs=0.05)
    page.evaluate("location.hash = '#t=0.5'")
    until(page, "replay.time === 0.5")


def test_names_that_look_like_code_are_shown_as_they_are(show):
    evil = "</script><script>window.pwned = 1</script><img src=x onerror='window.pwned=2'>\"ä€&lt;"
    run = bouncing_ball()
    run.json["title"] = f"Kugel {evil}"
    run.visual["bodies"][0]["name"] = evil
    run.json["notes"] = [f"note {evil}"]
    run.variable(evil, run.times, evil, shown=True)
    run.event(0.001, evil, evil, 1.0, [0, 0, 0])
    page = show(run, f"#body={evil.replace('&', '%26').replace('%', '%25')}")
    assert page.title() == f"Kugel {evil}"
    assert page.locator("#title").text_content() == f"Kugel {evil}"
    assert page.locator("#notes p").text_content() == f"note {evil}"
    page.evaluate("name => replay.choose(name)", evil)
    assert page.locator("#card h3").text_content() == evil
    for tab in ("bodies", "events", "variables"):
        page.click(f"#button-{tab}")
        names = page.locator(f"#tab-{tab} .row .name").all_text_contents()
        assert any(evil in name for name in names), tab
    page.hover("#timeline", position={"x": 11, "y": 6})
    assert evil in page.locator("#timeline .tip").text_content()
    assert page.evaluate("window.pwned") is None


@pytest.mark.full
def test_a_thousand_bodies_are_drawn_by_few_calls(show):
    page = show(many_bodies(1000), viewport={"width": 1440, "height": 900})
    drawn = page.evaluate("replay.setTime(1); replay.drawn")
    assert drawn["instances"] == 1000
    assert drawn["calls"] <= 20
    assert page.evaluate("replay.contactsShown") == 500
    page.evaluate("replay.play()")
    until(page, "replay.fps > 0")
    fps, level = page.evaluate("[replay.fps, replay.drawn.level]")
    print(f"1000 bodies: {fps:.0f} frames/s, level {level}, load {os.getloadavg()[0]:.1f}")
    page.evaluate("replay.pause()")
    # Each body is in the picture where it is: crowds read places from a texture.
    seen = page.evaluate(
        """() => {
            const { view } = replay;
            const { x, y } = view.project(view.placeOf({ body: 999 }));
            const box = view.canvas.getBoundingClientRect();
            return view.picking.at(box.left + x, box.top + y);
        }"""
    )
    assert seen is not None


@pytest.mark.parametrize("up", [(0, 0, 1), *(pytest.param(up, marks=pytest.mark.full) for up in [(0, 1, 0), (-1, 0, 0)])])
def test_the_views_show_the_axes_as_drawings_do(show, up):
    run = bouncing_ball()
    run.visual["up"] = up
    page = show(run)
    up = np.array(up, dtype=float)
    right = np.array([0, 1.0, 0] if abs(up[0]) else [1.0, 0, 0])
    # Directions of the scene that point to the right and up in the picture, and to the viewer.
    front = np.cross(right, up)
    views = {"front": (right, up, front), "side": (-front, up, right), "top": (right, -front, up)}
    for name, axes in views.items():
        for axis, expected in zip(axes, [(1, 0), (0, -1), (0, 0)], strict=True):
            x, y = page.evaluate(
                """([name, axis]) => {
                    replay.look(name);
                    const { view } = replay;
                    const from = view.project(view.middle);
                    const step = view.middle.clone().set(...axis).multiplyScalar(1e-3 * view.size);
                    const to = view.project(step.add(view.middle));
                    return [to.x - from.x, to.y - from.y];
                }""",
                [name, axis.tolist()],
            )
            size = math.hypot(x, y)
            if expected == (0, 0):
                assert size < 0.03, name
            else:
                assert (x / size, y / size) == pytest.approx(expected, abs=0.03), name


def test_zoom_brings_the_target_nearer(show):
    page = show(bouncing_ball())
    distances = page.evaluate(
        """[1, 2, 0.5].map((factor) => (replay.zoom(factor), replay.view.camera.offset.length()))"""
    )
    assert distances[1] == pytest.approx(distances[0] / 2)
    assert distances[2] == pytest.approx(distances[0])


@pytest.mark.full
@pytest.mark.parametrize("size", [1.0, 0.001], ids=["m", "mm"])
def test_wheel_and_pinch_are_drawn_while_the_run_stands(show, size):
    run = Run(np.array([0.0, 1.0]))
    ball = run.geometry(type="sphere", radius=0.2 * size)
    run.body("ball", ball, position=np.array([[0, 0, 0], [size, 0, 0]]))
    page = show(run, has_touch=True)
    page.evaluate(
        """() => {
            const { renderer } = replay.view, render = renderer.render.bind(renderer);
            renderer.render = (...of) => (window.seen = of[1].position.length(), render(...of));
        }"""
    )
    away = "replay.view.camera.camera.position.length()"
    page.mouse.move(300, 200)
    until(page, "!replay.view.cameraMoves")
    before = page.evaluate(away)
    page.mouse.wheel(0, -300)
    until(page, f"{away} < {0.95 * before} && Math.abs(window.seen / {away} - 1) < 1e-3")
    before = page.evaluate(away)
    touch = page.context.new_cdp_session(page)
    for kind, half in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90)):
        points = [{"x": 300 + sign * half, "y": 200, "id": sign + 1} for sign in (-1, 1)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(page, f"{away} < {0.95 * before} && Math.abs(window.seen / {away} - 1) < 1e-3")


@pytest.mark.full
def test_a_body_that_falls_off_leaves_the_view_and_names_do_not_cover(show):
    times = np.linspace(0, 1.3, 40)
    run = Run(times)
    box = run.geometry(**cuboid(0.1, 0.1, 0.1))
    for i in range(5):
        fall = (i == 4) * np.array([0, 0, -GRAVITY / 2]) * times[:, None] ** 2  # to -8 m
        run.body(f"body{i}", box, position=[0.15 * i, 0, 0.1] + fall)
    page = show(run)
    size = page.evaluate("replay.view.size")
    assert 0.6 < size < 1.2
    page.evaluate("document.getElementById('button-display').click()")
    page.check("#show-names")
    page.evaluate("replay.zoom(0.2)")
    until(page, "document.querySelectorAll('#names span[hidden]').length > 0")
    boxes = [tag.bounding_box() for tag in page.locator("#names span:not([hidden])").all()]
    assert boxes
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            beside = abs(a["x"] - b["x"]) >= min(a["width"], b["width"]) - 1
            assert beside or abs(a["y"] - b["y"]) >= a["height"] - 1, (a, b)


def test_groups_of_balls_are_drawn_and_chosen(show):
    times = np.linspace(0, 1, 11)
    start = np.stack(np.meshgrid(range(20), range(20), [0]), axis=-1).reshape(1, -1, 3) * 0.1
    run = Run(times)
    run.balls("sand", 0.04, start + times[:, None, None] * np.array([0, 0, 1.0]))
    page = show(run)
    assert page.evaluate("replay.drawn.instances") == 400
    page.evaluate("replay.setTime(0.55); replay.choose('sand[21]')")
    place = page.evaluate("replay.view.placeOf({group: 0, ball: 20}).toArray()")
    assert place == pytest.approx([*start[0, 20, :2], 0.55], abs=1e-6)
    expect(page.locator("#card h3")).to_have_text("sand[21]")


@pytest.mark.full
def test_a_click_chooses_a_body_and_follow_keeps_it_in_place(show):
    page = show(bouncing_ball())
    page.evaluate("replay.setTime(0.2)")
    speed = math.hypot(0.3, GRAVITY * 0.2025)  # mean of the frame after 0.2 s
    where = "(() => { const v = replay.view; return v.project(v.placeOf({ body: 0 })) })()"
    at = page.evaluate(where)
    page.locator("#canvas").click(position=at)
    expect(page.locator("#card h3")).to_have_text("ball")
    expect(page.locator("#card dl")).to_contain_text(f"{speed:.4g} m/s")
    page.click("#follow")
    middle = page.evaluate(where)
    page.evaluate("replay.setTime(1.5)")
    assert page.evaluate(where) == pytest.approx(middle, abs=0.5)
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()


@pytest.mark.full
def test_many_events_stay_fast_and_have_tooltips(show):
    run = bouncing_ball()
    run.json["events"] = []
    for i in range(50_000):
        kind = ("start", "end", "impulse", "stop start")[i % 4]
        run.event(0.5 + i / 50_000, kind, f"ball{i}.ball:ground.plate", 0.5)
    page = show(run)
    milliseconds = page.evaluate(
        """(() => {
            const start = performance.now();
            replay.timeline.draw();
            return performance.now() - start;
        })()"""
    )
    print(f"50 000 events: {milliseconds:.0f} ms")
    page.click("#button-events")
    expect(page.locator("#tab-events .count")).to_have_text("50000")
    assert 5 < page.locator("#tab-events .row").count() < 80
    page.fill("#tab-events input[type=search]", "impulse ball30002.")
    page.locator("#tab-events .row button").click()
    assert page.evaluate("replay.time") == pytest.approx(0.5 + 30_002 / 50_000, abs=1e-12)
    page.hover("#timeline", position={"x": 400, "y": 6})
    expect(page.locator("#timeline .tip div")).to_have_count(9)
    assert "more" in page.locator("#timeline .tip div").last.text_content()
    for kind in page.locator("#tab-events .kind").all():
        kind.click()
    page.hover("#timeline", position={"x": 401, "y": 6})
    expect(page.locator("#timeline .tip")).to_be_hidden()


def test_smooth_and_sharp_edges_of_a_mesh(show):
    run = Run(np.array([0.0, 1.0]))
    run.body("box", run.geometry(**cuboid(1, 2, 3)), position=np.zeros((2, 3)))
    sides = 24  # 15 degrees from one to the next
    angles = 2 * np.pi * np.arange(sides) / sides
    ring = [[math.cos(a), math.sin(a), z] for z in (-1, 1) for a in angles]
    vertices = [x for point in [*ring, [0, 0, -1], [0, 0, 1]] for x in point]
    triangles = []
    for i in range(sides):
        j = (i + 1) % sides
        triangles += [i, j, sides + j, i, sides + j, sides + i]
        triangles += [2 * sides, j, i, 2 * sides + 1, sides + i, sides + j]
    cylinder = run.geometry(type="mesh", vertices=vertices, triangles=triangles)
    run.body("cylinder", cylinder, fixed=True, position=[3, 0, 0])
    page = show(run)
    lines, normals = page.evaluate(
        """() => {
            const { batches, edges } = replay.view.bodies;
            const normal = batches[1].geometry.attributes.normal.array;
            return [edges.map((x) => x.geometry.attributes.position.count / 2), Array.from(normal)];
        }"""
    )
    # Twelve edges of the cuboid; of the cylinder those between its side and its ends.
    assert lines == [12, 2 * sides]
    found = np.array(normals).reshape(-1, 3)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    side = found[np.abs(found[:, 2]) < 0.5]
    corners = np.array(vertices).reshape(-1, 3)[np.array(triangles)][np.abs(found[:, 2]) < 0.5]
    # Those of the side point away from the axis at each corner, up to the weight of the triangles.
    assert (side[:, :2] * corners[:, :2]).sum(axis=1).min() > math.cos(math.radians(5.1))


def test_walls_are_cut_where_they_meet(show):
    run = many_bodies(27, 3)
    page = show(run)
    corners = page.evaluate(
        """replay.view.plates.plates.map(({ mesh }) => {
            const { position } = mesh.geometry.attributes;
            const count = mesh.geometry.drawRange.count / 3 + 2;
            return Array.from({ length: count }, (_, i) => [
                position.getX(i), position.getY(i), position.getZ(i),
            ]);
        })"""
    )
    half = 0.058 * 3
    floor = np.array(corners[0])
    assert np.abs(floor).max(axis=0) == pytest.approx([half, half, 0], abs=1e-6)


def test_without_webgl_the_charts_work(playwright, tmp_path):
    run = bouncing_ball()
    file = tmp_path / "page.html"
    file.write_text(run.page(), encoding="utf-8")
    browser = launched(playwright, webgl=False)
    page = browser.new_page(viewport=SMALL)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_replay(page, file, "#t=0.5")
    expect(page.locator("#message")).to_contain_text("WebGL 2")
    frame = page.evaluate("replay.frame")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("replay.frame") == frame + 1
    until(page, "!document.querySelector('#frame').textContent.startsWith('frame 102 ')")
    shown = page.locator("[data-variable='ball.position[3]']").get_attribute("data-value")
    expected = page.evaluate("frame => replay.run.variables[2].values[frame]", frame + 1)
    assert float(shown) == expected
    assert page.evaluate("replay.drawn") is None
    browser.close()
    assert errors == []


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda json, blob: (json, blob[: len(blob) // 2]), "is not inside the data"),
        (lambda json, blob: ({**json, "version": 2}, blob), "version 2"),
        (lambda json, blob: ({**json, "frames": 0}, blob), "no frames"),
        (lambda json, blob: ({**json, "frames": 7}, blob), "406 numbers, not 7"),
    ],
    ids=["short", "version", "empty", "frames"],
)
def test_data_that_do_not_fit_get_a_message(show, change, text):
    run = bouncing_ball()
    page = show(fill(*change(run.json, bytes(run.blob))), fails=True)
    expect(page.locator("#message")).to_contain_text(text)


def test_the_empty_form_and_damaged_numbers_get_a_message(show):
    page = show(ASSET.read_text(encoding="utf-8"), fails=True)
    expect(page.locator("#message")).to_contain_text("holds no run")
    run = bouncing_ball()
    broken = fill(run.json, bytes(run.blob)).replace("eJ", "AA", 1)
    page = show(broken, fails=True)
    expect(page.locator("#message")).to_contain_text("damaged")


def test_a_browser_without_decompression_gets_a_message(show):
    page = show(bouncing_ball(), before="delete window.DecompressionStream", fails=True)
    expect(page.locator("#message")).to_contain_text("DecompressionStream")


def test_one_frame_is_shown(show):
    run = Run(np.array([3.0]))
    run.body("ball", run.geometry(type="sphere", radius=1.0), position=np.zeros((1, 3)))
    run.variable("x", np.array([5.0]), None, shown=True)
    page = show(run)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.evaluate(STATE) == {"time": 3.0, "frame": 0, "playing": False}
    assert page.locator("[data-variable=x]").text_content() == "5"


def test_bare_shows_the_picture_alone(show):
    page = show(bouncing_ball(), "#t=0.5&bare", viewport={"width": 400, "height": 300})
    box = page.locator("#canvas").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 400, "height": 300}
    for part in ("header", "#controls", "#charts", "#panel"):
        expect(page.locator(part)).to_be_hidden()


@pytest.mark.full
def test_dark_and_light_have_their_own_colours(show):
    light, dark = (
        show(bouncing_ball(), color_scheme=scheme).evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        for scheme in ("light", "dark")
    )
    brightness = [sum(int(x) for x in color[4:-1].split(",")) for color in (light, dark)]
    assert brightness[0] > 600
    assert brightness[1] < 120


@pytest.mark.full
def test_the_animated_picture_has_the_frames_and_the_size(tmp_path):
    file, output = tmp_path / "page.html", tmp_path / "run.png"
    file.write_text(bouncing_ball().page(), encoding="utf-8")
    command = [sys.executable, SOURCES / "animate", file, "-o", output, "--size", "160x120"]
    options = ["--to", "0.5", "--fps", "10", "--limit", "200"]
    subprocess.run([*command, *options], check=True, timeout=300)
    image = Image.open(output)
    assert image.size == (160, 120)
    assert image.n_frames == 6
    assert output.stat().st_size < 200_000
