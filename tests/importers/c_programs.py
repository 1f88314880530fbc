"""Compiles the C programs of c/ against the headers that FMPy brings, and runs them on an FMU.

The programs speak one version of FMI each, chosen when they are compiled; c/fmu.h lists their
arguments. A missing tool fails the test with a text that says what to install.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import fmpy
import pytest

from importer import Fmu

SOURCES = Path(__file__).parent / "c"
HEADERS = Path(fmpy.__file__).parent / "c-code"
# Unused functions: each program uses a part of fmu.h.
FLAGS = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
# Seconds; the first expansion of the Rust source compiles what fmu-core depends on.
TIMEOUT = 600


def find_tool(name: str, package: str) -> str:
    """Path of a program; the test fails where there is none."""
    path = shutil.which(name)
    if path is None:
        pytest.fail(f"{name} is missing; install it, on Debian: apt-get install {package}")
    return path


def compile_c(source: Path, fmi: int, *arguments: str | Path) -> subprocess.CompletedProcess:
    """Runs the C compiler with the headers of the standard; `fmi` is the FMI version."""
    compiler = find_tool("cc", "gcc")
    command = [compiler, *FLAGS, f"-DFMI_VERSION={fmi}", "-isystem", HEADERS, source]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=TIMEOUT)


def header(fmi: int) -> str:
    """The header of the standard as the preprocessor shows it, with the types it includes."""
    return compile_c(HEADERS / f"fmi{fmi}Functions.h", fmi, "-E", "-P").stdout


def header_functions(fmi: int) -> list[str]:
    """Names of the functions that the header declares."""
    names = re.findall(rf"\bfmi{fmi}(\w+)TYPE\s+fmi{fmi}\1\s*;", header(fmi))
    return [f"fmi{fmi}{name}" for name in names]


def header_enumerations(fmi: int) -> dict[str, list[str]]:
    """The enumerations of the header and the names of their values."""
    found = re.findall(r"typedef enum \{([^}]*)\}\s*(\w+);", header(fmi))
    return {name: re.findall(r"\w+", body) for body, name in found}


class Programs:
    """The programs of c/, each compiled once for each version of FMI."""

    def __init__(self, folder: Path):
        self.folder = folder

    def path(self, name: str, fmi: int) -> Path:
        """The program `name` for a version of FMI."""
        program = self.folder / f"{name}{fmi}"
        if not program.exists():
            made = compile_c(SOURCES / f"{name}.c", fmi, "-pthread", "-ldl", "-o", program)
            assert made.returncode == 0, made.stderr
        return program


def resources(fmu: Fmu) -> str:
    """Where the resources are, as an importer passes it: a URI in FMI 2.0, a path in FMI 3.0."""
    folder = fmu.folder / "resources"
    return folder.as_uri() if fmu.version == 2 else str(folder)


def arguments(
    fmu: Fmu, kind: str, place: str | None = None, logger: bool = True
) -> list[str | Path]:
    """Arguments of the programs after their own; `place` is that of the resources, "-" null."""
    states = [str(fmu.references[name]) for name in fmu.states]
    return [
        fmu.library,
        fmu.description.guid,
        resources(fmu) if place is None else place,
        kind,
        "log" if logger else "quiet",
        str(fmu.description.numberOfEventIndicators),
        *states,
    ]


def run(*command: str | Path, **options) -> str:
    """Runs a program that must succeed; answers what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, **options)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr}"
    return done.stdout
