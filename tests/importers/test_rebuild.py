"""An archive is a function of the scene file and the tool: nothing else may enter it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from conftest import ROOT, SCENES

SCENE = SCENES / "two_colliding_balls.toml"


# Angles [deg] whose sine the C library of Debian 12 rounds otherwise on a processor without FMA.
ANGLES = [52.4, 54.3, 272.6, 322.9]


def archive(tool: Path, folder: Path, scene: Path = SCENE, more: str = "", **environment: str) -> bytes:
    """Bytes of the FMU that the tool makes of a copy of the scene with more text behind it, working
    inside `folder`."""
    folder.mkdir(parents=True)
    (folder / "scene.toml").write_text(scene.read_text() + more)
    for mesh in scene.parent.glob("*.obj"):
        shutil.copy(mesh, folder)
    subprocess.run(
        [tool, "build", "scene.toml", "-o", "model.fmu"],
        check=True,
        cwd=folder,
        env=os.environ | environment,
        timeout=60,
    )
    return (folder / "model.fmu").read_bytes()


def test_same_scene_gives_the_same_bytes(tool, tmp_path):
    first = archive(tool, tmp_path / "a")
    assert len(first) > 1000
    assert archive(tool, tmp_path / "b") == first


def test_folder_name_time_zone_and_locale_do_not_enter_the_archive(tool, tmp_path):
    first = archive(tool, tmp_path / "a")
    other = archive(
        tool, tmp_path / "deeper" / "ein Ordner", TZ="Pacific/Chatham", LC_ALL="de_DE.UTF-8"
    )
    assert other == first


def test_building_over_an_old_archive_gives_the_same_bytes(tool, tmp_path):
    first = archive(tool, tmp_path / "a")
    os.utime(tmp_path / "a" / "scene.toml", (10**9, 10**9))
    subprocess.run(
        [tool, "build", "scene.toml", "-o", "model.fmu"], check=True, cwd=tmp_path / "a", timeout=60
    )
    assert (tmp_path / "a" / "model.fmu").read_bytes() == first


def test_a_change_of_the_scene_changes_archive_and_token(build):
    one = build("rest")
    other = build("rest", ("mass = 1", "mass = 2"))
    assert one.archive.read_bytes() != other.archive.read_bytes()
    assert one.description.guid != other.description.guid


def test_the_processor_does_not_enter_the_archive(tool, tmp_path):
    """On another one the C library has other code for sine and power, as without FMA here."""
    scene = ROOT / "examples" / "shapes" / "scene.toml"
    bodies = "".join(
        f"""
[[body]]
name = "turned_{number}"
motion = "free"
position = [{number}, 3, 1]
rotation = {{ axis = [1, 2, 3], angle = "{angle} deg" }}
[[body.shape]]
box = {{ lengths = [0.1, 0.1, 0.1] }}
material = "Polymer"
"""
        for number, angle in enumerate(ANGLES)
    )
    usual = archive(tool, tmp_path / "usual", scene, bodies)
    hidden = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"
    assert archive(tool, tmp_path / "without", scene, bodies, GLIBC_TUNABLES=hidden) == usual
