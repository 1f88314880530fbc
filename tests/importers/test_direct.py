"""The interface without FMI, from C: a program bounces a ball, and the functions for Modelica."""

from __future__ import annotations

import csv
import re
import subprocess
from pathlib import Path

import pytest

from c_programs import FLAGS, SOURCES, find_tool, run
from conftest import ROOT, SCENES

# Of tests/scenes/driven_ball.toml: depth of overlap from which on it counts, 2 zEps [m].
STIFFNESS, HYSTERESIS = 1e4, 2e-8


@pytest.fixture(scope="session")
def package(tool, tmp_path_factory) -> Path:
    """The Modelica package of tests/scenes/driven_ball.toml; it has header, library and scene."""
    folder = tmp_path_factory.mktemp("direct")
    scene = SCENES / "driven_ball.toml"
    subprocess.run([tool, "modelica", scene, "-o", folder], check=True, timeout=60)
    return folder / "DrivenBall"


def compile_with(package: Path, source: Path, program: Path, *flags: str | Path) -> Path:
    """A program linked with the C library of the package."""
    resources = package / "Resources"
    library = resources / "Library" / "linux64"
    linked = ["-I", resources / "Include", "-L", library, "-lcontact_fmu", f"-Wl,-rpath,{library}"]
    compiler = find_tool("cc", "gcc")
    run(compiler, *FLAGS, *flags, source, "-o", program, *linked, "-lm")
    return program


def scene_of(package: Path) -> Path:
    return package / "Resources" / "Data" / "scene.bin"


def test_the_header_of_the_package_is_that_of_the_library(package):
    own = (package / "Resources" / "Include" / "contact_scene.h").read_bytes()
    assert own == (ROOT / "fmu-core" / "include" / "contact_scene.h").read_bytes()


def test_the_header_is_cpp_too(package):
    header = package / "Resources" / "Include" / "contact_scene.h"
    compiler = find_tool("cc", "gcc")
    run(compiler, "-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", header)


def test_a_c_program_bounces_the_ball_at_the_times_of_the_simulator(package, tool, tmp_path):
    program = compile_with(package, SOURCES / "bounce.c", tmp_path / "bounce")
    printed = run(program, scene_of(package), "-9.81", "1", "0.5", "2")
    found = [(float(time), kind) for time, kind in map(str.split, printed.splitlines())]
    # The same ball with six degrees of freedom of its own.
    text = (SCENES / "driven_ball.toml").read_text()
    assert text.count('motion = "driven"') == 1
    scene = tmp_path / "free.toml"
    scene.write_text(text.replace('motion = "driven"', 'motion = "free"'))
    run(tool, "simulate", scene, "--tolerance", "1e-12", "--out", tmp_path)
    with (tmp_path / "events.csv").open(encoding="utf-8") as file:
        expected = [(float(row["time"]), row["event"]) for row in csv.DictReader(file)]
    assert len(expected) == 13
    assert [kind for _, kind in found] == [kind for _, kind in expected]
    for (time, _), (other, _) in zip(found, expected, strict=True):
        assert abs(time - other) < 1e-6, (found, expected)
    # It falls 0.4 m: t = sqrt(2 h/g); the contact starts 2 zEps deeper.
    assert abs(found[0][0] - (2 * (0.4 + HYSTERESIS) / 9.81) ** 0.5) < 1e-9


@pytest.fixture
def modelica(tool, tmp_path) -> list[str | Path]:
    """The functions for Modelica in a program, with its first argument; the pair has impulses."""
    text = (SCENES / "driven_ball.toml").read_text()
    scene = tmp_path / "struck.toml"
    scene.write_text(re.sub(r"(?m)^(restitution = .*)$", r'\1\nresponse = "impulse"', text, count=1))
    subprocess.run([tool, "modelica", scene, "-o", tmp_path], check=True, timeout=60)
    package = tmp_path / "DrivenBall"
    (tmp_path / "ModelicaUtilities.h").write_text(
        "void ModelicaFormatError(const char *format, ...) __attribute__((noreturn));\n"
    )
    program = compile_with(package, SOURCES / "modelica.c", tmp_path / "modelica", "-I", tmp_path)
    return [program, scene_of(package)]


STIFFNESS_NAME = "material_pair.Rubber.Rubber.stiffness"


def test_the_functions_for_modelica_take_the_parameters_of_the_model(modelica):
    first, second, *impulses = run(*modelica, STIFFNESS_NAME, "2e4", "1").splitlines()
    expected = 2 * STIFFNESS * (1e-3 - HYSTERESIS)
    assert abs(float(first) / expected - 1) < 1e-9
    force, z, updates, never = second.split()
    assert abs(float(force) / expected - 1) < 1e-9
    assert abs(float(z) + 1e-3) < 1e-12
    assert (updates, float(never)) == ("5", 1e60)
    # It has left the ground; then its velocity of 2 m/s is turned round with restitution 0.7, and the
    # same event asked for again answers the same.
    counts = [tuple(map(int, line.split()[:2])) for line in impulses]
    assert counts == [(6, 7), (7, 8), (8, 8)]
    jumps = [float(line.split()[2]) for line in impulses]
    assert jumps[0] == 0
    assert jumps[1] == jumps[2] == pytest.approx(2 * 1.7, abs=1e-12)


def test_a_c_program_bounces_the_ball_of_the_report_by_impulses(tool, tmp_path):
    """[Engelson 2000] section 2.4: 10 m, 9.8 m/s2, restitution 0.8: impacts at 10/7 s, then after flights of
    20/7 0.8^k s, at 3.714286, 5.542857 s; velocities 14 0.8^k m/s after them."""
    scene = SCENES / "driven_bounce.toml"
    subprocess.run([tool, "modelica", scene, "-o", tmp_path], check=True, timeout=60)
    made = tmp_path / "DrivenBounce"
    program = compile_with(made, SOURCES / "bounce_impulse.c", tmp_path / "bounce_impulse")
    printed = run(program, scene_of(made), "-9.8", "1", "10.1", "5")
    time = 10 / 7
    for k, line in enumerate(printed.splitlines(), start=1):
        found, velocity = map(float, line.split())
        assert abs(found - time) < 3e-8
        assert abs(velocity - 14 * 0.8**k) < 1e-7
        time += 20 / 7 * 0.8**k
    first = [line.split()[0] for line in printed.splitlines()[:3]]
    assert [f"{float(t):.6f}" for t in first] == ["1.428571", "3.714286", "5.542857"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((STIFFNESS_NAME, "-1", "1"), "stiffness"),
        (("stiffness", "1", "1"), 'no parameter "stiffness"'),
        ((STIFFNESS_NAME, "1e4", "2"), "id is 2"),
    ],
)
def test_a_failure_reaches_modelica_with_its_text(modelica, arguments, part):
    command = [*modelica, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3, done
    assert part in done.stdout
