"""Runs in a worker of Dask: a child process for each thread keeps the FMU loaded.

A run that crashes or never ends takes only the child with it. Rows come back several at a time; after
a death the runs without a row are repeated with a row each, so that the one at fault is known.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._commands import Interface, build, input_file, scratch_folder
from ._errors import ArgumentError, ContactFmuError, failed
from ._model import load
from ._scene import SCENE, changed, to_toml
from ._tool import program

Columns = Mapping[str, NDArray[np.float64]]
Reduce = Callable[[NDArray[np.float64], Columns, Sequence[Any]], Any]
Settings = dict[str, Any]
Runs = Sequence[tuple[int, Settings]]

# Time between two messages of a child [s].
MESSAGE = 0.2
# FMUs of different scenes that a process keeps loaded.
KEPT = 4


class Row(NamedTuple):
    """What a run leaves."""

    run: int
    status: str
    reason: str
    seconds: float
    values: dict[str, float]
    trajectory: dict[str, NDArray[np.float64]]


def without(run: int, status: str, reason: str, seconds: float = 0.0) -> Row:
    """The row of a run without success."""
    return Row(run, status, reason, seconds, {}, {})


def failure(text: str) -> ContactFmuError:
    """What ends a sweep, not only a run of it."""
    return failed("other", text)


@dataclass(frozen=True)
class Plan:
    """What is the same for all runs."""

    outputs: Sequence[str] | None = None
    interface: Interface | None = None
    stop: float | None = None
    step: float | None = None
    tolerance: float | None = None
    input: Mapping[str, Any] | None = None
    reduce: Reduce | None = None
    trajectories: bool = False
    scene: Mapping[str, Any] | None = None
    """Scene whose values the runs change, if each has an FMU of its own."""
    base: str | None = None
    """Folder of the files that it names."""

    def values(self, result: Any) -> dict[str, float]:
        """The values of a run that are kept."""
        columns = {name: column for name, column in result.items() if name != "time"}
        if self.reduce is not None:
            value = self.reduce(result["time"], columns, result.events)
            values = value if isinstance(value, Mapping) else {"value": value}
            return {str(name): _number(value) for name, value in values.items()}
        speeds = [x.impact_speed for x in result.events if x.impact_speed is not None]
        values = {"events": len(result.events), "impacts": len(speeds)}
        values["impact_speed"] = max(speeds, default=np.nan)
        for name, column in columns.items():
            values[f"last({name})"] = column[-1]
            values |= {f"min({name})": column.min(), f"max({name})": column.max()}
        return {name: float(value) for name, value in values.items()}


def _number(value: Any) -> float:
    with suppress(TypeError, ValueError):
        if np.ndim(value) == 0 and not isinstance(value, str):
            return float(value)
    text = f"{value!r}"
    raise TypeError(f"reduce returned {text[:80]}; must be a number, or a dict of numbers")


class Runner:
    """Runs of a plan in this process, with FMUs that are kept loaded, each within a limit."""

    def __init__(
        self,
        plan: Plan,
        fmu: Path,
        scratch: str,
        limit: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.plan, self.fmu, self.limit = plan, fmu, limit
        self.input = None if plan.input is None else input_file(plan.input, scratch)
        self.models: dict[str, Any] = {}

    def run(self, run: int, settings: Settings) -> Row:
        """A run.

        Raises:
            ContactFmuError: no run is possible.
        """
        begin, plan, scene = time.perf_counter(), self.plan, ""
        try:
            if plan.scene is not None:
                changes = {x[len(SCENE) :]: settings[x] for x in settings if x.startswith(SCENE)}
                settings = {x: settings[x] for x in settings if not x.startswith(SCENE)}
                scene = to_toml(tree := changed(plan.scene, changes))
                if scene not in self.models:
                    with scratch_folder() as scratch:
                        self._keep(scene, build(tree, scratch, base=plan.base))
            elif not self.models:
                self._keep("", self.fmu)
            options = {"step": plan.step, "input": self.input, "tolerance": plan.tolerance}
            with self.limit():
                result = self.models[scene].run(stop=plan.stop, set=settings, **options)
                values, kept = plan.values(result), dict(result) if plan.trajectories else {}
            return Row(run, "ok", "", time.perf_counter() - begin, values, kept)
        except (Exception, SystemExit) as error:
            if isinstance(error, ArgumentError) or (plan.scene is None and not self.models):
                raise
            # The instance may be in any state.
            self.models.pop(scene, None)
            reason = str(error) if isinstance(error, ContactFmuError) else repr(error)
            return without(run, "failed", reason, time.perf_counter() - begin)

    def _keep(self, scene: str, fmu: Path) -> None:
        while len(self.models) >= KEPT:
            del self.models[next(iter(self.models))]
        self.models[scene] = load(fmu, interface=self.plan.interface, outputs=self.plan.outputs)


@contextmanager
def _limited(seconds: float | None, late: IO[str]) -> Iterator[None]:
    """Writes where it is and ends this process after a time [s], whatever it does."""
    if seconds is None:
        yield
        return
    faulthandler.dump_traceback_later(seconds, exit=True, file=late)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def serve(folder: str, timeout: float | None, late: str) -> None:
    """A child: runs of standard input, rows to standard output, until the one is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What an FMU prints must not get between the rows.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[tuple[Runs, bool]] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                tasks.put(pickle.load(sys.stdin.buffer))
        finally:
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()

    def answer(rows: list[Row] | Exception) -> None:
        answers.write(pickle.dumps(rows))
        answers.flush()

    runner: Runner | None = None
    over = open(late, "w")
    while True:
        runs, each = tasks.get()
        done: list[Row] = []
        told = time.monotonic()
        try:
            if runner is None:
                plan = pickle.loads((Path(folder) / "plan").read_bytes())
                scratch = Path(folder) / str(os.getpid())
                scratch.mkdir()
                fmu, limit = Path(folder) / "model.fmu", partial(_limited, timeout, over)
                runner = Runner(plan, fmu, str(scratch), limit)
            for run, settings in runs:
                done.append(runner.run(run, settings))
                if each or time.monotonic() - told > MESSAGE:
                    answer(done)
                    done, told = [], time.monotonic()
            answer(done)
        except BrokenPipeError:
            return
        except Exception as error:
            answer(failure(str(error) if isinstance(error, ContactFmuError) else repr(error)))


class Child:
    """A process that keeps the FMU."""

    living: weakref.WeakSet[Child] = weakref.WeakSet()

    def __init__(self, sent: Sent, folder: Path) -> None:
        self.key = sent.key
        # Has something if a run was over its time.
        self.late = folder / f"late-{uuid.uuid4().hex}"
        arguments = f"{str(folder)!r}, {sent.timeout!r}, {str(self.late)!r}"
        command = program(f"from contact_fmu import _runs; _runs.serve({arguments})")
        # What is unpacked and left by a process that dies goes with the folder.
        env = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env)
        self.end = weakref.finalize(self, _end, self.process)
        Child.living.add(self)

    def code(self) -> int:
        """Its exit code, when it has said its last."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(10)
        self.process.kill()
        return self.process.wait()

    def rows(self, runs: Runs, each: bool) -> Iterator[Row]:
        """Rows of runs; fewer than runs if the process dies.

        Raises:
            ContactFmuError: no run is possible.
        """
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        count = 0
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            stdin.write(pickle.dumps((runs, each)))
            stdin.flush()
            while count < len(runs):
                rows = pickle.load(stdout)
                if isinstance(rows, Exception):
                    raise rows
                count += len(rows)
                yield from rows


def _end(process: subprocess.Popen[bytes]) -> None:
    streams: list[IO[bytes] | None] = [process.stdin, process.stdout]
    process.kill()
    for stream in streams:
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.wait()


class Sent(NamedTuple):
    """What a worker needs for all runs."""

    key: str
    """Of this call of `sweep`."""
    versions: tuple[str, tuple[int, int]]
    fmu: bytes
    plan: bytes
    timeout: float | None
    retries: int


def versions() -> tuple[str, tuple[int, int]]:
    """Versions of this package and of Python, which client and workers must share."""
    return metadata.version("contact-fmu"), sys.version_info[:2]


_own = threading.local()
_writing = threading.Lock()
_ended: set[str] = set()


def _place(key: str, worker: Any) -> Path:
    return Path(worker.local_directory) / f"runs-{key}"


def _child(sent: Sent) -> Child:
    """The process of this thread; that of another sweep is kept beside it."""
    from distributed import get_worker

    children: dict[str, Child] = _own.__dict__.setdefault("children", {})
    if sent.key not in children:
        for key in [*children][:-1]:
            children.pop(key).end()
        folder = _place(sent.key, get_worker())
        with _writing:
            if not (folder / "plan").is_file():
                folder.mkdir(exist_ok=True)
                (folder / "model.fmu").write_bytes(sent.fmu)
                (folder / "plan.new").write_bytes(sent.plan)
                (folder / "plan.new").replace(folder / "plan")
        children[sent.key] = Child(sent, folder)
    return children[sent.key]


def task(sent: Sent, pickled: bytes) -> list[Row]:
    """Rows of runs, in a worker.

    Raises:
        ContactFmuError: no run is possible here, or the sweep has ended.
    """
    if sent.versions != versions():
        raise failure(f"the worker has contact-fmu and Python {versions()}, not {sent.versions}")
    runs: Runs = pickle.loads(pickled)
    rows: list[Row] = []
    # Which run it was that died or was over time is known only if the rows before it have come.
    deaths, left, each = 0, runs, sent.timeout is not None or len(runs) == 1
    while left:
        if sent.key in _ended:
            raise failure("the sweep has ended")
        child, before, begin = _child(sent), len(rows), time.monotonic()
        if sent.key in _ended:
            end_of(sent.key)
            continue
        for row in child.rows(left, each):
            rows.append(row)
            begin = time.monotonic()
        left = runs[len(rows) :]
        if left:
            code, seconds = child.code(), time.monotonic() - begin
            _own.children.pop(sent.key).end()
            deaths = deaths + 1 if each and len(rows) == before else 1
            if child.late.is_file() and child.late.stat().st_size:
                reason = f"more than {sent.timeout} s"
                rows.append(without(left[0][0], "timeout", reason, seconds))
            elif each and deaths > sent.retries and sent.key not in _ended:
                reason = f"the process ended with code {code}"
                rows.append(without(left[0][0], "died", reason, seconds))
            left, each = runs[len(rows) :], True
    return rows


def end_of(key: str) -> None:
    """Ends the processes of a sweep that this one has."""
    _ended.add(key)
    for child in list(Child.living):
        if child.key == key:
            child.process.kill()


async def clear(key: str, dask_worker: Any) -> None:
    """Ends the processes of a sweep in a worker, and removes their folder."""
    end_of(key)
    shutil.rmtree(_place(key, dask_worker), ignore_errors=True)
