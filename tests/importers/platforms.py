"""Runs the C programs on an FMU for other platforms than this one: Windows under wine, ARM under qemu.

zig, which the binaries are linked with too, compiles them.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from c_programs import HEADERS, SOURCES, TIMEOUT, find_tool
from conftest import target_folder

# Platform of FMI 3.0 and target of zig; libraries of glibc 2.17 as the binaries.
TARGETS = {
    "x86_64-linux": "x86_64-linux-gnu.2.17",
    "aarch64-linux": "aarch64-linux-gnu.2.17",
    "x86_64-windows": "x86_64-windows-gnu",
}
# Libraries of the C programs for ARM, of Debian's libc6-arm64-cross.
ARM_ROOT = "/usr/aarch64-linux-gnu"
WINE = Path("/usr/lib/wine/wine64")


def folder_of_binaries() -> Path:
    """Where fmu-build/release/build-binaries leaves the libraries and their pack."""
    return target_folder() / "release" / "binaries"


needs_binaries = pytest.mark.skipif(
    not (folder_of_binaries() / "contact-fmu.zip").is_file(), reason="no binaries of other platforms: tests/run says where"
)


def windows_path(path: Path) -> str:
    """A path as programs under wine name it: drive Z: is the root."""
    return "Z:" + str(path).replace("/", "\\")


class Machine:
    """A platform on which C programs run, in a folder for what is compiled and for wine's registry."""

    def __init__(self, platform: str, folder: Path):
        self.platform = platform
        self.folder = folder

    def program(self, name: str, fmi: int, *flags: str) -> Path:
        """The program `name` of c/ for a version of FMI."""
        suffix = ".exe" if self.platform == "x86_64-windows" else ""
        words = "".join(flag.replace("-D", "_").replace("=", "_") for flag in flags)
        file = self.folder / f"{name}{fmi}{words}{suffix}"
        if not file.exists():
            zig = target_folder() / "binaries-build" / "venv" / "bin" / "python"
            assert zig.is_file(), f"{zig} is missing: run tests/run --full"
            command = [zig, "-m", "ziglang", "cc", "-target", TARGETS[self.platform], "-std=gnu11"]
            # On ARM the compiler would join products and sums of the programs' own solver.
            command += ["-O1", "-ffp-contract=off", f"-DFMI_VERSION={fmi}", "-isystem", HEADERS]
            command += flags
            command += [SOURCES / f"{name}.c", "-o", file]
            if self.platform == "x86_64-windows":
                command += ["-lshell32"]
            else:
                command += ["-ldl"]
            made = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
            assert made.returncode == 0, made.stderr
        return file

    def run(self, program: Path, *arguments: str | Path) -> str:
        """Runs a program that must succeed; answers what it printed."""
        done = self.start(program, *arguments)
        assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr}"
        return done.stdout

    def start(self, program: Path, *arguments: str | Path) -> subprocess.CompletedProcess:
        """Runs a program."""
        environment = dict(os.environ)
        words: list[str | Path] = []
        if self.platform == "aarch64-linux":
            words = [find_tool("qemu-aarch64", "qemu-user"), "-L", ARM_ROOT]
        elif self.platform == "x86_64-windows":
            if not WINE.is_file():
                pytest.fail(f"{WINE} is missing; install it, on Debian: apt-get install wine64")
            words = [WINE]
            prefix = self.folder / "wine"
            environment |= {"WINEPREFIX": str(prefix), "WINEDEBUG": "-all", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [*words, program, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            env=environment,
        )

    def path(self, path: Path) -> str:
        """A path as programs on this platform name it."""
        return windows_path(path) if self.platform == "x86_64-windows" else str(path)

    def uri(self, path: Path) -> str:
        """The URI of a folder there."""
        plain = path.as_uri()
        is_windows = self.platform == "x86_64-windows"
        return plain.replace("file:///", "file:///Z:/") if is_windows else plain


def library(folder: Path, platform: str, fmi: int) -> Path:
    """The binary for a platform in the folder of an unpacked FMU."""
    old = {"x86_64-linux": "linux64", "x86_64-windows": "win64"}
    name = old.get(platform, platform) if fmi == 2 else platform
    (found,) = (folder / "binaries" / PurePosixPath(name)).iterdir()
    return found
