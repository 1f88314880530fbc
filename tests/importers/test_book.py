"""The book and the README: the book builds, every link holds, and what they show runs.

What a fence may say is in fmu-build/book/src/help/contributing.md.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, target_folder
from scipy.stats import qmc

BOOK = ROOT / "fmu-build" / "book"
SOURCE = BOOK / "src"
PAGES = sorted(SOURCE.rglob("*.md"))
README = ROOT / "README.md"
# Where the book is read, as deep below the root as its source: links out of it hold in both places.
READ = ROOT / "target" / "book" / "html"
# README.md fits on a screen, beside its gallery.
WORDS = 900

FENCE = re.compile(r"^(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence) *$", re.M | re.S)


def name_of(page: Path) -> str:
    return str(page.relative_to(SOURCE if page.is_relative_to(SOURCE) else ROOT))


# Links


@dataclass
class Html(HTMLParser):
    """Ids of a page, and what it links to."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("id", "name") and value:
                self.ids.add(value)
            if key in ("href", "src") and value and tag != "link":
                self.links.append(value)


def html_of(page: Path) -> Html:
    parser = Html()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser


def is_elsewhere(link: str) -> bool:
    """Whether a link leads to the network, which no test asks, or is a picture itself."""
    return urlsplit(link).scheme in ("http", "https", "data")


def broken_links_of(built: Path, read: Path = READ) -> Iterator[str]:
    """Links of the built book, which is read in a folder, without a file or an anchor."""
    pages = {page: html_of(page) for page in built.rglob("*.html")}
    # The page for printing and that for unknown addresses are mdBook's own.
    for page, html in pages.items():
        if page.name in ("print.html", "404.html"):
            continue
        for link in html.links:
            if is_elsewhere(link):
                continue
            path, anchor = unquote(urlsplit(link).path), unquote(urlsplit(link).fragment)
            target = Path(os.path.normpath(page.parent / path)) if path else page
            if not target.is_relative_to(built):
                outside = Path(os.path.normpath(read / page.parent.relative_to(built) / path))
                if not outside.is_relative_to(ROOT) or not outside.exists():
                    yield f"{page.relative_to(built)}: {link}"
            elif not target.is_file() or (anchor and anchor not in pages[target].ids):
                yield f"{page.relative_to(built)}: {link}"


def build_book(built: Path, book: Path = BOOK, **settings: str) -> str:
    """Builds the book into a folder; returns what mdBook says."""
    mdbook = Path(sys.executable).with_name("mdbook")
    command = [mdbook, "build", book, "--dest-dir", built]
    env = {**os.environ, **settings}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    said = done.stdout + done.stderr
    assert bool(done.returncode) == ("ERROR" in said), said
    return said


def test_the_book_builds_without_a_warning_and_its_links_hold():
    summary = (SOURCE / "SUMMARY.md").read_text()
    listed = re.findall(r"\]\(([^)]+)\)", summary)
    assert sorted(listed) == sorted(name_of(p) for p in PAGES if p.name != "SUMMARY.md")
    built = target_folder() / "book" / "html"
    said = build_book(built)
    assert not re.search(r"\b(WARN|ERROR)\b", said), said
    assert (built / "reference" / "scene" / "keys.html").is_file()
    assert not list(broken_links_of(built))
    # It is read without a network.
    text = "".join(page.read_text(encoding="utf-8") for page in built.rglob("*.html"))
    assert not re.findall(r"<(?:script|img)[^>]*src=\"https?:|<link[^>]*href=\"https?:", text)


ADDRESS = "MDBOOK_PREPROCESSOR__REPOSITORY__ADDRESS"


@pytest.mark.full
def test_a_book_elsewhere_has_its_pictures_and_links_to_the_address_of_the_repository(tmp_path):
    address = "https://example.org/contact-fmu/tree/main"
    said = build_book(tmp_path, **{ADDRESS: f"{address}/"})
    assert not re.search(r"\b(WARN|ERROR)\b", said), said
    # Nothing relative leads out of it, from wherever it is read.
    assert not list(broken_links_of(tmp_path, read=tmp_path))
    links = [link for page in tmp_path.rglob("*.html") for link in html_of(page).links]
    named = {link.removeprefix(address) for link in links if link.startswith(address)}
    assert len(named) > 30
    assert {path for path in named if path[0] != "/" or not (ROOT / path[1:]).exists()} == set()
    assert sum(link.startswith("data:image/svg+xml;base64,") for link in links) >= 4


def test_links_in_code_and_within_the_book_stay():
    code = "`[a](../../LICENSE-MIT)`\n\n```md\n[b](../../LICENSE-MIT)\n```\n\n"
    page = "[c](../index.md#d) [`e` f](../../../../LICENSE-MIT)"
    chapter = {"path": "start/a.md", "content": code + page, "sub_items": []}
    settings = {"preprocessor": {"repository": {"address": "https://example.org"}}}
    book = [{"root": str(BOOK), "config": settings}, {"items": [{"Chapter": chapter}]}]
    command = [sys.executable, BOOK / "outside.py"]
    done = subprocess.run(command, input=json.dumps(book), capture_output=True, text=True)
    (item,) = json.loads(done.stdout)["items"]
    expected = "[c](../index.md#d) [`e` f](https://example.org/LICENSE-MIT)"
    assert item["Chapter"]["content"] == code + expected


def test_what_keeps_a_book_from_being_published_is_told(tmp_path):
    said = build_book(tmp_path / "out", **{ADDRESS: "example.org"})
    assert "is 'example.org'; must begin with https://" in said
    copy = shutil.copytree(BOOK, tmp_path / "a" / "book")
    said = build_book(tmp_path / "out", copy)
    assert "is not in the repository; build the book from fmu-build/book there" in said


def test_a_broken_link_of_the_built_book_is_found(tmp_path):
    (tmp_path / "good.html").write_text('<h1 id="a">A</h1><a href="#a">a</a>')
    (tmp_path / "bad.html").write_text(
        '<a href="good.html#a">1</a><a href="good.html#b">2</a><a href="none.html">3</a>'
        '<a href="../../../README.md">4</a><a href="../../../none/">5</a><img src="none.svg">'
    )
    broken = [line.split(": ")[1] for line in broken_links_of(tmp_path)]
    assert broken == ["good.html#b", "none.html", "../../../none/", "none.svg"]


def slug(heading: str) -> str:
    """Anchor of a heading on a forge."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text: str) -> list[str]:
    return re.findall(r"^#{1,6} +(.*?) *$", FENCE.sub("", text), re.M)


def links_of(text: str) -> list[str]:
    """Targets of links and images of a page, without those in code."""
    prose = re.sub(r"(`+).*?\1", "", FENCE.sub("", text), flags=re.S)
    prose = re.sub(r"<!--.*?-->", "", prose, flags=re.S)
    targets = re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", prose)
    return targets + re.findall(r"<(?:img|a)\b[^>]*(?:src|href)=\"([^\"]+)\"", prose)


def broken_links(page: Path) -> list[str]:
    broken = []
    for link in links_of(page.read_text(encoding="utf-8")):
        if is_elsewhere(link):
            continue
        path, _, anchor = link.partition("#")
        target = Path(os.path.normpath(page.parent / unquote(path))) if path else page
        if target.exists() and anchor:
            anchors = [slug(heading) for heading in headings(target.read_text(encoding="utf-8"))]
        if not target.exists() or (anchor and anchor not in anchors):
            broken.append(link)
    return broken


def pages_of_the_repository() -> list[Path]:
    """All but templates, whose links are filled in, and what others have written."""
    folders = [ROOT / name for name in ("examples", "fmu-build", "fmu-core", "tests")]
    found = [*ROOT.glob("*.md"), *(page for f in folders for page in f.rglob("*.md"))]
    return [page for page in found if "node_modules" not in page.parts]


def test_links_of_all_pages_hold_on_a_forge():
    pages = pages_of_the_repository()
    assert {README, ROOT / "fmu-core" / "ARCHITECTURE.md", *PAGES} <= set(pages)
    broken = {str(p.relative_to(ROOT)): links for p in pages if (links := broken_links(p))}
    assert not broken


def test_a_broken_link_of_a_page_is_found(tmp_path):
    (tmp_path / "b.md").write_text("# A `b` [c](d.md), e\n```\n# no heading\n```\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[1](b.md) [2](b.md#a-b-c-e) [3](b.md#no-heading) [4](c.md) `[5](d.md)` ![6](e.svg)\n"
        '<img src="f.svg"> <!-- ![7](g.svg) -->\n```\n[8](h.md)\n```\n'
    )
    assert broken_links(page) == ["b.md#no-heading", "c.md", "e.svg", "f.svg"]


def test_links_from_the_book_to_files_name_no_page():
    """mdBook makes .html of .md, which a file of the repository is not."""
    for page in PAGES:
        for link in links_of(page.read_text(encoding="utf-8")):
            target = Path(os.path.normpath(page.parent / link.partition("#")[0]))
            assert is_elsewhere(link) or target.is_relative_to(SOURCE) or target.suffix != ".md"


# Examples


@dataclass
class Block:
    language: str
    marks: set[str]
    file: str | None
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The marked blocks of a page."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in FENCE.finditer(text):
        language, *marks = match["info"].strip().split(",")
        files = [mark.removeprefix("file=") for mark in marks if mark.startswith("file=")]
        marks = {mark for mark in marks if not mark.startswith("file=")}
        known = {"sh": {"run"}, "python": {"run"}, "toml": {"scene"}}
        assert marks <= known.get(language, set()), f"{page}: {match['info']}"
        if marks or files:
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(language, marks, files[0] if files else None, match["text"], line))
    return found


MARKED = [page for page in [README, *PAGES] if blocks(page)]


def test_pages_that_show_how_to_do_something_are_run():
    run = {name_of(page) for page in MARKED}
    pages = ["start/own-scene", "howto/fmpy", "howto/law-in-c", "howto/robot", "howto/sweep"]
    assert {f"{page}.md" for page in [*pages, "howto/meshes"]} <= run


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with the Python package of `tests/run --full`."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check", "--quiet"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--prefix", folder, wheel]
    subprocess.run(pip, check=True, timeout=100)
    (packages,) = folder.glob("lib/python3*/site-packages")
    return packages


def with_paths(*folders: Path) -> dict[str, str]:
    """The environment with programs of the folders and of this Python."""
    places = [*folders, Path(sys.executable).parent]
    return {**os.environ, "PATH": os.pathsep.join([*map(str, places), os.environ["PATH"]])}


@pytest.mark.parametrize(
    "page", [README, *(pytest.param(page, marks=pytest.mark.full) for page in MARKED if page != README)], ids=name_of
)
def test_what_a_page_shows_runs(page, tool, tmp_path, request):
    env = {
        **with_paths(tool.parent),
        "REPOSITORY": str(ROOT),
        "HEADERS": str(ROOT / "fmu-core" / "include"),
    }
    if "contact_fmu" in page.read_text(encoding="utf-8"):
        env["PYTHONPATH"] = str(request.getfixturevalue("site"))

    def run(command: list[str | Path], block: Block, text: str | None = None) -> str:
        done = subprocess.run(
            command, input=text, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=100
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{name_of(page)}:{block.line}: {said}"
        return said

    for block in blocks(page):
        if block.file:
            (tmp_path / block.file).write_text(block.text)
        if block.language == "sh" and block.marks:
            run(["bash", "-euo", "pipefail", "-c", block.text], block)
        elif block.language == "python" and block.marks:
            run([sys.executable, "-W", "error::SyntaxWarning", "-"], block, block.text)
        elif "scene" in block.marks:
            scene = block.file or "scene.toml"
            if not block.file:
                (tmp_path / scene).write_text(block.text)
            said = run([tool, "check", scene], block)
            assert "warning:" not in said, f"{name_of(page)}:{block.line}: {said}"


# README.md


def test_the_readme_is_short():
    assert len(README.read_text().split()) <= WORDS


def test_the_readme_makes_files_for_those_without_rust():
    """Both commands compile the tool anew; what they make is looked at by the tests of wheels and platforms."""
    _, text = README.read_text().split("**Without Rust**")
    for_wheel, for_binaries = FENCE.search(text)["text"].splitlines()
    command = shlex.split(for_wheel, comments=True)
    assert command[:2] == ["pip", "wheel"]
    assert "maturin" in (ROOT / command[-1] / "pyproject.toml").read_text()
    program, *options = shlex.split(for_binaries, comments=True)
    done = subprocess.run([ROOT / program, "--help"], capture_output=True, text=True, check=True)
    assert all(f"  {option} " in done.stdout for option in options)


def test_readme_and_book_name_every_example():
    folders = {path.parent.name for path in (ROOT / "examples").glob("*/README.md")}
    for page in (README, SOURCE / "start" / "examples.md"):
        text = re.sub(r"<!--.*?-->", "", page.read_text(), flags=re.S)
        named = set(re.findall(r"\bexamples/([a-z_\d]+)/", text))
        assert named == folders, page


def options(tool: Path, *command: str) -> set[str]:
    """Options of a command, by its help."""
    done = subprocess.run([tool, *command, "--help"], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]*)", done.stdout, re.M))


def commands(tool: Path, *command: str) -> list[str]:
    """Commands, or those of a command, by the help."""
    done = subprocess.run([tool, *command, "--help"], capture_output=True, text=True, timeout=20)
    listed = done.stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    return [name for name in re.findall(r"^  (\w+)", listed, re.M) if name != "help"]


def test_the_reference_names_every_command_and_option(tool):
    pages = [*(SOURCE / "reference").glob("*.md"), SOURCE / "howto" / "ssp.md"]
    text = "\n".join(page.read_text() for page in pages)
    names = commands(tool)
    assert {"build", "simulate", "check", "crosscheck"} <= set(names)
    every = [(name,) for name in names]
    every += [("crosscheck", name) for name in commands(tool, "crosscheck")]
    for command in every:
        assert f"fmu-build {' '.join(command)}" in text or f"`{' '.join(command)} " in text, command
        for option in options(tool, *command) - {"--help", "--version"}:
            assert re.search(rf"{option}(?![\w-])", text), (command, option)


@pytest.mark.full
def test_the_notebook_of_a_study_is_right(site, tmp_path):
    """Two landings in closed form: with the impact speed v, the restitution e and friction m, the speed
    along the plate falls by min(m (1 + e) v, 2/7 of it). Indices of 2^18 points of it, and jams where
    the ball is wider than the slot, but for what the edges give."""
    cells = json.loads((ROOT / "fmu-build" / "python" / "study.ipynb").read_text())["cells"]
    shown = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    code = "\n".join(shown) + """
frame.to_pickle("frame.pickle")
falls.to_pickle("falls.pickle")
Path("indices.json").write_text(json.dumps([list(indices["S1"]), list(indices["ST"])]))
"""
    env = {**os.environ, "PYTHONPATH": str(site)}
    subprocess.run(
        [sys.executable, "-c", "import json\n" + code], cwd=tmp_path, env=env, check=True, timeout=300
    )
    frame = pd.read_pickle(tmp_path / "frame.pickle")
    assert len(frame) == 1024
    assert set(frame.status) == {"ok"}

    g = 9.81

    def far(e, m):
        fall, pace = (2 * 0.5 / g) ** 0.5, 1.5
        v = g * fall
        return pace * fall + (pace - np.minimum(m * (1 + e) * v, pace * 2 / 7)) * 2 * e * v / g

    exact = far(frame.iloc[:, 0], frame.iloc[:, 1])
    assert abs(frame.value / exact - 1).max() < 3e-3
    e1, m1, e2, m2 = qmc.Sobol(4, rng=0).random_base2(18).T
    e1, e2, m1, m2 = 0.4 + 0.4 * e1, 0.4 + 0.4 * e2, 0.02 + 0.13 * m1, 0.02 + 0.13 * m2
    first, second = far(e1, m1), far(e2, m2)
    variance = np.var([first, second])
    one, total = zip(
        *(
            (np.mean(second * (mixed - first)), np.mean((first - mixed) ** 2) / 2)
            for mixed in (far(e2, m1), far(e1, m2))
        ),
        strict=True,
    )
    found = json.loads((tmp_path / "indices.json").read_text())
    assert np.abs(np.array(found) - np.array([one, total]) / variance).max() < 0.02
    falls = pd.read_pickle(tmp_path / "falls.pickle")
    diameter, left, right = (falls.iloc[:, i] for i in range(3))
    wider = diameter - (right - left - 0.1)
    jams = falls["last(ball.position[3])"] > 0
    assert not jams[wider < 0].any()
    assert jams[wider > 30e-6].all()
    assert jams.sum() >= 3
