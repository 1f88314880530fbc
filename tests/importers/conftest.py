"""Fixtures: FMUs built by the tool from the scenes of the tests, once per session; the two tiers."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from c_programs import Programs, find_tool
from importer import Fmu

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "tests" / "scenes"
# By the name of FMI 3.0.
OWN_PLATFORM = f"{platform.machine()}-{platform.system().lower()}"
# Laws written in C must be compiled first, and granular mode is for Co-Simulation alone: both have
# tests of their own.
EXAMPLES = sorted(
    scene
    for scene in (ROOT / "examples").glob("*/scene.toml")
    if not list(scene.parent.glob("*.c")) and 'solver = "dem"' not in scene.read_text()
)
# Those that do something without a program or a file that drives their inputs.
SELF_MOVING = [
    scene
    for scene in EXAMPLES
    if not any((scene.parent / name).exists() for name in ("drive.py", "run.py", "inputs.csv"))
]
# Those that stand for the others in the fast tier: impacts by force and by impulse, a joint, inputs, a driven body.
QUICK = {"bouncing_ball", "cradle_impulse", "pendulum_rest", "gripper", "driven_hammer"}


def tiers(values: Iterable, quick: Collection[str] = QUICK) -> list:
    """Parameters of a test, scenes by the names of their folders; those not in `quick` are of the full tier."""
    named = [
        (value.parent.name if isinstance(value, Path) else str(value), value) for value in values
    ]
    marks = {True: (), False: pytest.mark.full}
    return [pytest.param(value, id=name, marks=marks[name in quick]) for name, value in named]


def soak(rounds: int) -> int:
    """Number of rounds of a soak that has so many in whole: a tenth, or as many tenths as CONTACT_FMU_SOAK says."""
    return -(-rounds * int(os.environ.get("CONTACT_FMU_SOAK", "1")) // 10)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--profile",
        choices=["checked", "release"],
        default="checked",
        help="cargo's profile of the tool: that of the tests in Rust, or what users get",
    )


def target_folder() -> Path:
    """Where cargo puts its output."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def compile_law(source: Path, library: Path) -> None:
    """Compiles a contact law of the user."""
    headers = ROOT / "fmu-core" / "include"
    flags = ["-O2", "-shared", "-fPIC", "-I", headers]
    command = [find_tool("cc", "gcc"), *flags, "-o", library, source, "-lm"]
    subprocess.run(command, check=True, timeout=60)


@pytest.fixture(scope="session")
def tool(pytestconfig: pytest.Config) -> Path:
    """The command line tool of the profile that is asked for, built by `tests/run`."""
    path = target_folder() / pytestconfig.getoption("profile") / "fmu-build"
    assert path.is_file(), f"{path} is missing: run tests/run, --full for the profile release"
    return path


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The wheel that `tests/run --full` has built."""
    wheels = sorted((target_folder() / "wheels").glob("contact_fmu-*.whl"))
    assert len(wheels) == 1, f"{wheels}: run tests/run --full, or maturin build as it does"
    return wheels[0]


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with the Python package as it is in the repository, and the extension."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "contact_fmu").mkdir()
    for file in (ROOT / "fmu-build" / "python" / "contact_fmu").glob("*.py"):
        (folder / "contact_fmu" / file.name).symlink_to(file)
    extension = target_folder() / "checked" / "deps" / "lib_native.so"
    (folder / "contact_fmu" / "_native.abi3.so").symlink_to(extension)
    (folder / "contact_fmu-0.dist-info").mkdir()
    (folder / "contact_fmu-0.dist-info" / "METADATA").write_text("Name: contact-fmu\nVersion: 0\n")
    return folder


def link_packages(folder: Path, *names: str) -> None:
    """Lets an environment have packages that are installed here, and nothing else of here."""
    folder.mkdir()
    for name in names:
        package = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in package.files or []} - {".."}:
            (folder / top).symlink_to(str(package.locate_file(top)))


@dataclass
class Environment:
    """A Python with the package."""

    python: Path
    optional: Path
    """Folder for PYTHONPATH with what the package can do without."""
    seconds: float
    """What the installation took."""

    def __call__(self, code: str, folder: Path, *, optional: bool = False, status: int = 0) -> str:
        """Runs a program in a folder and returns what it prints."""
        env = {**os.environ, "PATH": os.defpath}
        env["PYTHONPATH"] = str(self.optional) if optional else ""
        command = [self.python, "-W", "error::ResourceWarning", "-c", code]
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr


@pytest.fixture(scope="session")
def python(
    tool: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """The package in a fresh environment that has numpy and no network."""
    folder = tmp_path_factory.mktemp("wheel")
    link_packages(folder / "numpy", "numpy")
    drawing = "matplotlib contourpy cycler fonttools kiwisolver packaging pillow pyparsing".split()
    link_packages(folder / "optional", "tomli_w", "tqdm", "pandas", "python-dateutil", *drawing)
    begin = time.monotonic()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    (site,) = (folder / "venv").glob("lib/python3*/site-packages")
    (site / "numpy.pth").write_text(f"{folder / 'numpy'}\n")
    if request.config.getoption("profile") == "release":
        options = ["--no-index", "--no-cache-dir", "--disable-pip-version-check", "--quiet"]
        wheel = request.getfixturevalue("wheel")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", *options, wheel]
        subprocess.run(pip, check=True, timeout=100)
    else:
        package = request.getfixturevalue("package")
        (site / "package.pth").write_text(f"{package}\n")
        (python.parent / "fmu-build").symlink_to(tool)
    return Environment(python, folder / "optional", time.monotonic() - begin)


@pytest.fixture(
    params=[pytest.param(2, id="fmi2", marks=pytest.mark.full), pytest.param(3, id="fmi3")]
)
def fmi(request: pytest.FixtureRequest) -> int:
    """FMI version: a test that takes it runs in both. The fast tier has FMI 2.0 in test_archive, in
    test_versions, which compares both to the bit, and in Rust."""
    return request.param


@pytest.fixture(scope="session")
def build(tool: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Fmu]:
    """build(scene, (old, new), ..., fmi=3): the FMU of tests/scenes/<scene>.toml, or of a path.

    Each (old, new) replaces a text that must occur exactly once in the scene file. `fmi` is the FMI
    version, 2 or 3; `options` are further ones of the command line.
    """
    cache: dict[tuple, Fmu] = {}

    def make(
        scene: str | Path,
        *changes: tuple[str, str],
        fmi: int = 3,
        options: tuple[str, ...] = (),
    ) -> Fmu:
        path = SCENES / f"{scene}.toml" if isinstance(scene, str) else scene
        key = (path, changes, fmi, options)
        if key not in cache:
            text = path.read_text()
            for old, new in changes:
                assert text.count(old) == 1, f"{path} has {old!r} {text.count(old)} times"
                text = text.replace(old, new)
            folder = tmp_path_factory.mktemp("scene")
            source, archive = folder / "scene.toml", folder / "model.fmu"
            source.write_text(text)
            for kind in ("obj", "stl", "asc"):
                for surface in path.parent.glob(f"*.{kind}"):
                    shutil.copy(surface, folder)
            for law in path.parent.glob("*.c"):
                compile_law(law, folder / f"lib{law.stem}.so")
            command = [tool, "build", source, "-o", archive, "--fmi", str(fmi), *options]
            if "--platform" not in options:
                # Whether or not there are binaries of others.
                command += ["--platform", OWN_PLATFORM]
            subprocess.run(command, check=True, timeout=60)
            cache[key] = Fmu(archive, folder / "unpacked")
        return cache[key]

    return make


@pytest.fixture(scope="session")
def c_programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """The C programs, compiled when a test asks for them."""
    return Programs(tmp_path_factory.mktemp("c"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the table of importers, if any of its cells ran."""
    reports = [report for kind in terminalreporter.stats.values() for report in kind]
    # Of tests in other processes too.
    results = dict(pair for report in reports for pair in getattr(report, "user_properties", []))
    if results:
        # Not at the top: the table names the versions of packages that other tests do not need.
        from table import table

        terminalreporter.section("importers")
        terminalreporter.write_line(table(results))
