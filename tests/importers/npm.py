"""The npm packages of the replay page: three.js and its build, and the validator of glTF files."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, target_folder

SOURCES = ROOT / "fmu-build" / "replay-page"


def packages() -> Path:
    """The folder with these packages, installed again only if the lock file has changed."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail("npm is missing: install Node.js 20 or newer")
    folder = target_folder() / "replay-page"
    lock = (SOURCES / "package-lock.json").read_bytes()
    installed = folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    # Tests run in two processes.
    with (folder.parent / "replay-page.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not installed.is_file() or installed.read_bytes() != lock:
            for name in ("package.json", "package-lock.json", ".npmrc"):
                shutil.copy(SOURCES / name, folder)
            command = [npm, "ci", "--no-fund", "--no-audit"]
            subprocess.run(command, cwd=folder, check=True, timeout=300)
            installed.write_bytes(lock)
    return folder
