"""What the rows of table.py need: programs compiled, FMUs made, runs by turns."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import fmpy
import numpy as np

HERE = Path(__file__).parent
LIBRARIES = "cvode nvecserial sunmatrixdense sunlinsoldense sunnonlinsolfixedpoint"
LINKED = [*(f"-lsundials_{name}" for name in LIBRARIES.split()), "-lm", "-ldl"]
HEADERS = Path(fmpy.__file__).parent / "c-code"
RUNS = 3


class Missing(Exception):
    """A program to compare with is not installed."""


class Fmu:
    """An FMU and its unpacked files."""

    def __init__(self, path: Path):
        self.path = path
        self.folder = path.with_suffix("")
        with zipfile.ZipFile(path) as archive:
            archive.extractall(self.folder)
        text = (self.folder / "modelDescription.xml").read_text()
        token = re.search('instantiationToken="([^"]*)"', text)[1]
        library = next((self.folder / "binaries/x86_64-linux").iterdir())
        self.arguments = [library, token, f"{self.folder}/resources/"]


class Bench:
    """A folder for all that is made, and the tool `fmu-build`."""

    def __init__(self, folder: Path, tool: Path):
        self.folder, self.tool = folder, tool
        folder.mkdir(parents=True, exist_ok=True)

    def fmu(self, name: str, scene: str, *options: str) -> Fmu:
        """The FMU of a scene."""
        source, target = self.folder / f"{name}.toml", self.folder / f"{name}.fmu"
        source.write_text(scene)
        self.run([self.tool, "build", source, "-o", target, *options])
        return Fmu(target)

    def c_fmu(self) -> Fmu:
        """The FMU of ball_fmu.c, as an importer takes it."""
        library, target = self.folder / "c_ball.so", self.folder / "c_ball.fmu"
        absent = HERE / "ball_fmu_absent.c"
        self.compile("ball_fmu.c", library, str(absent), "-shared", "-fPIC", "-s")
        references = {"z": 1, "der(z)": 2, "v": 3, "der(v)": 4}
        starts = {"z": 'causality="output" initial="exact" start="1"'}
        starts["v"] = 'causality="output" initial="exact" start="0"'
        starts["der(z)"] = 'causality="local" derivative="1"'
        starts["der(v)"] = 'causality="local" derivative="3"'
        variables = "".join(
            f'<Float64 name="{name}" valueReference="{k}" {starts[name]}/>'
            for name, k in references.items()
        )
        text = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Ball" instantiationToken="ball">
<ModelExchange modelIdentifier="Ball"/><ModelVariables><Float64 name="time" valueReference="0"
causality="independent" variability="continuous"/>{variables}</ModelVariables><ModelStructure>
<Output valueReference="1"/><Output valueReference="3"/><ContinuousStateDerivative
valueReference="2"/><ContinuousStateDerivative valueReference="4"/><InitialUnknown
valueReference="2"/><InitialUnknown valueReference="4"/><EventIndicator valueReference="1"/>
</ModelStructure></fmiModelDescription>"""
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("modelDescription.xml", text)
            archive.writestr("resources/none", "")
            archive.write(library, "binaries/x86_64-linux/Ball.so")
        return Fmu(target)

    def compile(self, source: str, target: Path, *options: str) -> None:
        cpp = source.endswith("cpp")
        command = ["c++", "-march=native"] if cpp else ["cc"]
        command += ["-O3", "-isystem", str(HEADERS), *options, str(HERE / source), "-o", target]
        self.run([*command, *(["-lm"] if "-shared" in options else LINKED)])

    @cached_property
    def programs(self) -> Path:
        """The folder of the compiled programs."""
        if not Path("/usr/include/cvode/cvode.h").exists():
            raise Missing("SUNDIALS (apt-get install libsundials-dev)")
        for source in (*HERE.glob("*.c"), *HERE.glob("*.cpp")):
            if not source.name.startswith("ball_fmu"):
                self.compile(source.name, self.folder / source.stem)
        return self.folder

    def run(self, command: list, text: str | None = None, timeout: float = 1800) -> str:
        found = subprocess.run(
            [str(word) for word in command],
            input=text,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if found.returncode:
            raise RuntimeError(f"{command[0]}: {found.stderr[-500:]}")
        return found.stdout

    def json(self, name: str, *arguments, text: str | None = None) -> dict:
        """What a program of this folder prints."""
        return json.loads(self.run([self.programs / name, *arguments], text))

    def reference(self, fmu: Fmu, name: str) -> str:
        """Value reference of a variable."""
        text = (fmu.folder / "modelDescription.xml").read_text()
        found = re.search(rf'<\w+\s[^>]*name="{re.escape(name)}"[^>]*>', text)
        return re.search('valueReference="([0-9]+)"', found[0])[1]

    def values(self, fmu: Fmu, stop: float, step: float, *names: str) -> tuple[dict, np.ndarray]:
        """Times of a run, and variables at all communication points, a row for each variable."""
        path = self.folder / "values.txt"
        references = [self.reference(fmu, name) for name in names]
        times = self.cs(fmu, stop, step, path, *references)
        return times, np.loadtxt(path, ndmin=2).T

    def cs(self, fmu: Fmu, stop: float, step: float, *more) -> dict:
        return self.json("cs_run", *fmu.arguments, stop, step, *more)

    def me(self, fmu: Fmu, method: str, tolerance: float, stop: float, **more: float) -> dict:
        """Through CVODE; `longest` step [s], `limit` of CPU time [s]."""
        longest, limit = more.get("longest", 0.02), more.get("limit", 60)
        return self.json("me_cvode", *fmu.arguments, method, tolerance, stop, longest, limit)

    def work(self, fmu: Fmu, *options: str) -> dict[str, int]:
        """Counters of `fmu-build simulate`."""
        command = [self.tool, "simulate", fmu.path, "--out", self.folder / "out", *options]
        text = self.run(command).rpartition("\nwork\n")[2]
        return {m[1].strip(): int(m[2]) for m in re.finditer(r"^  (\D+?) +(\d+)$", text, re.M)}


def peak_memory(command: list) -> tuple[float, float]:
    """Peak of the resident memory [MiB] and CPU time [s] of a command."""
    with open("/dev/null", "w") as nothing:
        child = subprocess.Popen([str(word) for word in command], stdout=nothing)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{command[0]} has ended with {child.returncode}")
    return used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def child_time(call: Callable[[], object]) -> float:
    """CPU time in user mode of the processes that a call starts [s]."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    call()
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def by_turns(*calls: Callable[[], dict], runs: int = RUNS) -> list[dict]:
    """Runs all calls in turn, `runs` times. Of each, the result whose CPU time is the median."""
    found = [[call() for call in calls] for _ in range(runs)]
    return [sorted(column, key=time_of)[runs // 2] for column in zip(*found, strict=True)]


def time_of(result: dict) -> float:
    return result.get("cpu", result.get("all", 0.0))


def versions(bench: Bench, drake: str) -> str:
    """Machine and versions; `drake` is the Python that has Drake."""
    cpu = re.search("model name.*: (.*)", Path("/proc/cpuinfo").read_text())[1]
    cc = bench.run(["cc", "--version"]).splitlines()[0]
    text = [cpu, f"Python {sys.version.split()[0]}", cc, f"FMPy {fmpy.__version__}"]
    header = Path("/usr/include/sundials/sundials_config.h")
    if header.exists():
        text.append("SUNDIALS " + re.search('VERSION "(.*)"', header.read_text())[1])
    for package in ("lammps", "yade"):
        if shutil.which("dpkg-query") and shutil.which({"lammps": "lmp"}.get(package, package)):
            version = bench.run(["dpkg-query", "-W", "-f", "${Version}", package])
            text.append(f"{package.upper()} {version.partition('.git')[0]}")
    ask = "import importlib.metadata as m; print(m.version('drake'))"
    with contextlib.suppress(RuntimeError):
        text.append("Drake " + bench.run([drake, "-c", ask]).strip())
    return "; ".join(text)
