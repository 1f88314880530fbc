"""Many runs of one FMU on Dask.

A task is a number of runs. The worker that gets it writes the FMU into its folder once and hands the
runs to a child process, which keeps the FMU loaded: a run that crashes or never ends takes only the
child with it. Rows come back from the child several at a time; after a death the runs without a row are
repeated with a row each, so that the one at fault is known. The client writes the rows of each task
as a file of Parquet, so its memory does not grow.
"""

from __future__ import annotations

import difflib
import faulthandler
import hashlib
import json
import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._commands import Interface
from ._errors import ContactFmuError, Problem
from ._model import load
from ._sample import extra, sample, wrong
from ._tool import PathLike

if TYPE_CHECKING:
    import pandas

Columns = Mapping[str, NDArray[np.float64]]
Reduce = Callable[[NDArray[np.float64], Columns, Sequence[Any]], Any]
Settings = dict[str, Any]
Runs = list[tuple[int, Settings]]

# Time that the runs of a task take [s], and between two messages of a child [s].
TASK, MESSAGE = 1.0, 0.2
VERSIONS = ("contact-fmu", "numpy", "dask", "distributed", "pyarrow", "scipy")


class Row(NamedTuple):
    """What a run leaves."""

    run: int
    status: str
    reason: str
    seconds: float
    values: dict[str, float]
    trajectory: dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Plan:
    """What is the same for all runs."""

    outputs: Sequence[str] | None = None
    interface: Interface | None = None
    stop: float | None = None
    step: float | None = None
    tolerance: float | None = None
    input: Mapping[str, ArrayLike] | None = None
    reduce: Reduce | None = None
    trajectories: bool = False
    timeout: float | None = None
    retries: int = 1

    def load(self, fmu: Path) -> Any:
        """The FMU, loaded."""
        return load(fmu, interface=self.interface, outputs=self.outputs)

    def values(self, result: Any) -> dict[str, float]:
        """The values of a run that are kept."""
        columns = {name: column for name, column in result.items() if name != "time"}
        if self.reduce is not None:
            value = self.reduce(result["time"], columns, result.events)
            values = value if isinstance(value, Mapping) else {"value": value}
            return {str(name): float(number) for name, number in values.items()}
        speeds = [x.impact_speed for x in result.events if x.impact_speed is not None]
        values = {"events": len(result.events), "impacts": len(speeds)}
        values["impact_speed"] = max(speeds, default=np.nan)
        for name, column in columns.items():
            values |= {name: column[-1], f"min({name})": column.min(), f"max({name})": column.max()}
        return {name: float(value) for name, value in values.items()}

    def run(self, model: Any, run: int, settings: Settings) -> Row:
        """A run on a loaded FMU."""
        begin = time.perf_counter()
        options = {"step": self.step, "input": self.input, "tolerance": self.tolerance}
        try:
            result = model.run(stop=self.stop, set=settings, **options)
            values, kept = self.values(result), dict(result) if self.trajectories else {}
            return Row(run, "ok", "", time.perf_counter() - begin, values, kept)
        except Exception as error:
            reason = str(error) if isinstance(error, ContactFmuError) else repr(error)
            return Row(run, "failed", reason, time.perf_counter() - begin, {}, {})


def serve() -> None:
    """A child: runs of standard input, rows to standard output, until the one is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What an FMU prints must not get between the rows.
    rows = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                tasks.put(pickle.load(sys.stdin.buffer))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    kept: dict[str, tuple[Plan, Any]] = {}
    while True:
        sys.path[:], folder, runs, each = tasks.get()
        for row in _rows(folder, runs, each, kept):
            rows.write(pickle.dumps(row))
            rows.flush()


def _rows(folder: str, runs: Runs, each: bool, kept: dict[str, Any]) -> Iterator[list[Row]]:
    """Rows of runs, several at a time, or each by itself."""
    done: list[Row] = []
    told = time.monotonic()
    for run, settings in runs:
        try:
            if folder not in kept:
                kept.clear()
                plan = pickle.loads((Path(folder) / "plan").read_bytes())
                kept[folder] = plan, plan.load(Path(folder) / "model.fmu")
        except Exception as error:
            done.append(Row(run, "failed", str(error), 0.0, {}, {}))
            continue
        plan, model = kept[folder]
        if plan.timeout is not None:
            with open(os.devnull, "w") as nowhere:
                faulthandler.dump_traceback_later(plan.timeout, exit=True, file=nowhere)
                done.append(plan.run(model, run, settings))
                faulthandler.cancel_dump_traceback_later()
        else:
            done.append(plan.run(model, run, settings))
        if done[-1].status != "ok":
            # The instance may be in any state.
            kept.clear()
        if each or time.monotonic() - told > MESSAGE:
            yield done
            done, told = [], time.monotonic()
    yield done


class Child:
    """A process that keeps the FMU."""

    living: weakref.WeakSet[Child] = weakref.WeakSet()

    def __init__(self) -> None:
        code = f"import sys; sys.path[:] = {sys.path!r}; from contact_fmu import _sweep; _sweep.serve()"
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe)
        self.ended = False
        self.end = weakref.finalize(self, _end, self.process)
        Child.living.add(self)

    def rows(self, folder: str, runs: Runs, each: bool) -> Iterator[Row]:
        """Rows of runs; fewer than runs if the process dies."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        count = 0
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            stdin.write(pickle.dumps((sys.path, folder, runs, each)))
            stdin.flush()
            while count < len(runs):
                rows = pickle.load(stdout)
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


_own = threading.local()


def task(sent: tuple[str, bytes, bytes], runs: Runs) -> list[Row]:
    """The runs of a task, in a worker."""
    from distributed import get_worker

    key, fmu, code = sent
    folder = Path(get_worker().local_directory) / f"runs-{key}"
    if not (folder / "plan").is_file():
        # Several threads may write the same.
        folder.mkdir(exist_ok=True)
        for name, content in [("model.fmu", fmu), ("plan", code)]:
            own = folder / f"{name}-{threading.get_ident()}"
            own.write_bytes(content)
            own.replace(folder / name)
    plan: Plan = pickle.loads(code)
    rows: list[Row] = []
    deaths, left, each = 0, runs, False
    while left:
        child: Child = getattr(_own, "child", None) or Child()
        _own.child = child
        before, begin = len(rows), time.monotonic()
        for row in child.rows(str(folder), left, each):
            rows.append(row)
            begin = time.monotonic()
        left = runs[len(rows) :]
        if child.ended:
            raise RuntimeError("the sweep has ended")
        if left:
            code_of_exit = child.process.wait()
            child.end()
            del _own.child
            seconds = time.monotonic() - begin
            deaths = deaths + 1 if each and len(rows) == before else 1
            if each and plan.timeout is not None and code_of_exit == 1 and seconds >= plan.timeout:
                rows.append(
                    Row(left[0][0], "timeout", f"more than {plan.timeout} s", seconds, {}, {})
                )
            elif each and deaths > plan.retries:
                reason = f"the process ended with code {code_of_exit}"
                rows.append(Row(left[0][0], "died", reason, seconds, {}, {}))
            left, each = runs[len(rows) :], True
    return rows


def _same(sent: Any) -> Any:
    """The FMU as a result of Dask, which it can make once more where a worker was lost."""
    return sent


@contextmanager
def engine(client: Any) -> Iterator[Any]:
    """A client of Dask: the one given, of an address, or of a cluster of so many local processes."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        raise extra(error) from None
    with ExitStack() as stack:
        stack.enter_context(
            dask.config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})
        )
        if client is None or isinstance(client, int):
            # The processes are the children; the workers only wait for them.
            size = {
                "n_workers": client or os.cpu_count(),
                "threads_per_worker": 1,
                "memory_limit": 0,
            }
            quiet = {"dashboard_address": None, "silence_logs": 50}
            client = stack.enter_context(LocalCluster(processes=False, **size, **quiet))
            client = stack.enter_context(Client(client))
        elif isinstance(client, str):
            client = stack.enter_context(Client(client))
        try:
            yield client
        finally:
            for child in list(Child.living):
                child.ended = True
                child.process.kill()


def variables(fmu: Path) -> dict[str, dict[str, str]]:
    """Attributes of the variables of an FMU, with those of their types."""
    with zipfile.ZipFile(fmu) as archive:
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    types: dict[str, dict[str, str]] = {}
    for entry in root.find("TypeDefinitions") or ():
        types[entry.get("name", "")] = {**entry.attrib, **(entry[0].attrib if len(entry) else {})}
    found = {}
    for entry in root.find("ModelVariables") or ():
        own = {**entry.attrib, **(entry[0].attrib if entry.tag == "ScalarVariable" else {})}
        sizes = [part for part in entry if part.tag == "Dimension"]
        found[own["name"]] = {
            **types.get(own.get("declaredType", ""), {}),
            **own,
            "sizes": str(len(sizes)),
        }
    return found


def _array(name: str) -> str:
    return re.sub(r"\[[\d, ]+\]$", "", name)


def similar(name: str, known: Mapping[str, Mapping[str, str]]) -> str | None:
    """What is wrong with a name, or with that of an entry of an array."""
    if name in known or known.get(_array(name), {}).get("sizes", "0") > "0":
        return None
    likely = difflib.get_close_matches(str(name), known, n=3)
    hint = f"; did you mean {', '.join(likely)}?" if likely else ""
    return f"{name} is no variable of the FMU{hint}"


def check(
    known: Mapping[str, Mapping[str, str]], runs: pandas.DataFrame, outputs: Iterable[str]
) -> None:
    """Refuses names and values that no run can have, all at once."""
    reasons: list[str] = [] if len(runs) else ["there are no runs"]
    for name in [*runs.columns, *outputs]:
        if reason := similar(name, known):
            reasons.append(reason)
        elif name in runs.columns:
            about = known.get(name) or known[_array(name)]
            if "start" not in about or about.get("variability") == "constant":
                reasons.append(f"{name} has no start value, so it cannot be set")
            low, high = float(about.get("min", "-inf")), float(about.get("max", "inf"))
            for row, value in enumerate(runs[name]):
                # A text has a unit; the FMU judges it.
                if not isinstance(value, str) and not (low <= value <= high and np.isfinite(value)):
                    reasons.append(
                        f"{name} is {value} in row {row}; must be in {low:g} .. {high:g}"
                    )
                    break
    if reasons:
        raise wrong(reasons)


class Study:
    """A folder of results: ``study.json``, and files of Parquet with a row for each run."""

    def __init__(self, folder: PathLike) -> None:
        self.folder = Path(folder)
        self.about: dict[str, Any] = json.loads((self.folder / "study.json").read_text())
        self._temporary: Any = None

    @property
    def parts(self) -> list[Path]:
        """The files of rows, in the order in which they were written."""
        return sorted(self.folder.glob("part-*.parquet"))

    def frame(self) -> pandas.DataFrame:
        """A row for each run that has ended: parameters, values, status, reason, seconds."""
        import pandas

        frames = [pandas.read_parquet(part) for part in self.parts]
        if not frames:
            frames = [pandas.DataFrame(columns=["run", "status", "reason", "seconds"])]
        frame: pandas.DataFrame = pandas.concat(frames).set_index("run").sort_index()
        frame.attrs["units"] = self.about["units"]
        return frame

    def trajectory(self, run: int) -> pandas.DataFrame:
        """Values over time of a run, if they were kept."""
        import pandas

        files = sorted(self.folder.glob("trajectories-*.parquet"))
        frames = [pandas.read_parquet(file, filters=[("run", "==", run)]) for file in files]
        frame: pandas.DataFrame = pandas.concat(frames).drop(columns="run").set_index("time")
        return frame

    def __repr__(self) -> str:
        counts = self.frame()["status"].value_counts()
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        return f"<Study {self.folder}: {self.about['n']} runs, {told or 'none ended'}>"

    def _write(self, name: str, columns: Mapping[str, Any]) -> None:
        import pyarrow
        from pyarrow import parquet

        table = pyarrow.table(dict(columns))
        for i, column in enumerate(table.schema):
            unit = self.about["units"].get(column.name)
            table = (
                table.cast(table.schema.set(i, column.with_metadata({"unit": unit})))
                if unit
                else table
            )
        parquet.write_table(table, self.folder / f"{name}.new")
        os.replace(self.folder / f"{name}.new", self.folder / name)

    def _describe(self) -> None:
        (self.folder / "study.new").write_text(json.dumps(self.about, indent=1))
        os.replace(self.folder / "study.new", self.folder / "study.json")


@dataclass
class _Sheet:
    """Rows on their way into the files of a study."""

    study: Study
    runs: pandas.DataFrame
    done: set[int]
    held: list[Row] = field(default_factory=list)
    """Rows that failed before the names of values are known."""
    counts: Counter[str] = field(default_factory=Counter)
    number: int = 0

    def __post_init__(self) -> None:
        self.number = 1 + max((int(part.stem[5:]) for part in self.study.parts), default=-1)

    def add(self, rows: list[Row], last: bool = False) -> None:
        names = self.study.about["values"]
        if names is None and (good := next((row for row in rows if row.status == "ok"), None)):
            names = self.study.about["values"] = list(good.values)
            self.study._describe()
        for i, row in enumerate(rows):
            if row.status == "ok" and [*row.values] != names:
                reason = f"reduce returned {', '.join(row.values)}, another run {', '.join(names)}"
                rows[i] = row._replace(status="failed", reason=reason, trajectory={})
            self.counts[rows[i].status] += 1
        self.done |= {row.run for row in rows}
        rows = self.held + rows
        self.held = [] if names is not None or last else rows
        if self.held or not rows:
            return
        columns: dict[str, Any] = {"run": [row.run for row in rows]}
        places = self.runs.iloc[columns["run"]]
        columns |= {str(name): places[name].to_numpy() for name in self.runs}
        columns |= {x: [row.values.get(x, np.nan) for row in rows] for x in names or ()}
        columns |= {x: [getattr(row, x) for row in rows] for x in ("status", "reason", "seconds")}
        kept = [row for row in rows if row.trajectory]
        if kept:
            paths = {
                x: np.concatenate([row.trajectory[x] for row in kept]) for x in kept[0].trajectory
            }
            index = np.repeat(
                [row.run for row in kept], [len(row.trajectory["time"]) for row in kept]
            )
            self.study._write(f"trajectories-{self.number:06d}.parquet", {"run": index, **paths})
        self.study._write(f"part-{self.number:06d}.parquet", columns)
        self.number += 1


def _opened(folder: Path, about: dict[str, Any], rerun: str | None) -> tuple[Study, set[int]]:
    """The study of a folder, new or as it was left, and the runs that it has."""
    import pandas

    if (folder / "study.json").is_file():
        study = Study(folder)
        other = [
            x for x in about if x not in ("versions", "values") and study.about.get(x) != about[x]
        ]
        if other:
            raise wrong([f"{folder} has another study: other {', '.join(other)}"])
    else:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise wrong([f"{folder} has other files and no study; give a new folder"])
        (folder / "study.json").write_text(json.dumps(about, indent=1))
        study = Study(folder)
    done: set[int] = set()
    for part in study.parts:
        frame = pandas.read_parquet(part)
        if rerun == "failed" and (frame["status"] != "ok").any():
            frame = frame[frame["status"] == "ok"]
            study._write(part.name, {str(name): frame[name].to_numpy() for name in frame})
        done |= set(frame["run"])
    return study, done


def sweep(
    fmu: PathLike,
    runs: Any,
    *,
    outputs: Sequence[str] | None = None,
    stop: float | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    interface: Interface | None = None,
    input: Any = None,
    reduce: Reduce | None = None,
    trajectories: bool = False,
    results: PathLike | None = None,
    client: Any = None,
    timeout: float | None = None,
    retries: int = 1,
    max_failures: int | None = None,
    rerun: Literal["failed"] | None = None,
    progress: bool | Callable[[int, int, int], None] = False,
) -> Study:
    """Runs an FMU for each row of a table. The same call again does what is missing.

    Args:
        fmu: the FMU.
        runs: a data frame with a column for each parameter, as `sample` gives it, or a dict of lists
            for all their combinations.
        outputs: outputs to keep; all unless given.
        stop: stop time [s]; that of the default experiment unless given, as are step and tolerance.
        step: time between two rows of a run, the communication step of cs [s].
        tolerance: relative tolerance [1].
        interface: ``"cs"`` or ``"me"``.
        input: values of inputs over time: columns with ``time``, or a CSV file.
        reduce: function of times, columns and events of a run, to a number or a dict of numbers;
            unless given, each output's last value and extremes, and counts of events.
        trajectories: keep the values over time of each run.
        results: folder of the study; a temporary one unless given.
        client: number of local processes, address of a scheduler of Dask or its Client; a process
            for each core unless given; False for one run after the other in this process.
        timeout: time that a run may take [s].
        retries: how often a run is repeated whose process died.
        max_failures: more runs without success, and the rest is skipped.
        rerun: ``"failed"`` repeats all runs that did not succeed.
        progress: True writes a line; a function gets the numbers of runs done, in all, without success.

    Raises:
        ArgumentError: names, values and arguments that no run can have, or a folder of another study.
        ModuleNotFoundError: a package of ``contact-fmu[sweep]`` is missing.
    """
    try:
        import pandas
        import pyarrow as _
        from dask import config as _  # noqa: F811
        from distributed.protocol.pickle import dumps
    except ModuleNotFoundError as error:
        raise extra(error) from None
    table = runs if isinstance(runs, pandas.DataFrame) else sample(runs, method="grid")
    seed = table.attrs.get("sample")
    table = table.reset_index(drop=True)
    if isinstance(input, (str, os.PathLike)):
        input = pandas.read_csv(input)
    columns = (
        None if input is None else {str(name): np.asarray(input[name], float) for name in input}
    )
    content = Path(fmu).read_bytes()
    known = variables(Path(fmu))
    check(known, table, [*(outputs or ()), *(name for name in columns or () if name != "time")])
    plan = Plan(
        outputs, interface, stop, step, tolerance, columns, reduce, trajectories, timeout, retries
    )
    try:
        code = dumps(plan)
    except Exception as error:
        raise wrong([f"reduce cannot be sent to a process: {error}"]) from None
    about = {
        "fmu": hashlib.sha256(content).hexdigest(),
        "n": len(table),
        "runs": hashlib.sha256(table.to_csv().encode()).hexdigest(),
        "parameters": list(table.columns),
        "sample": seed,
        **{x: getattr(plan, x) for x in ("interface", "stop", "step", "tolerance", "trajectories")},
        "outputs": None if outputs is None else list(outputs),
        "input": hashlib.sha256(pickle.dumps(columns)).hexdigest(),
        "reduce": getattr(reduce, "__qualname__", None),
        "units": {name: about["unit"] for name, about in known.items() if "unit" in about},
        "values": None,
        "versions": {x: metadata.version(x) for x in VERSIONS},
    }
    temporary = TemporaryDirectory(prefix="contact-fmu-") if results is None else None
    study, done = _opened(Path(temporary.name if temporary else results or ""), about, rerun)
    study._temporary = temporary
    todo = [run for run in range(len(table)) if run not in done]
    sheet = _Sheet(study, table, done)
    show = _Shown(progress, len(table), len(done))
    records: Callable[[list[int]], Runs] = lambda numbers: [  # noqa: E731
        (run, row) for run, row in zip(numbers, table.iloc[numbers].to_dict("records"))
    ]
    with ExitStack() as stack:
        stack.callback(sheet.add, [], last=True)
        if client is False or not todo:
            source = _alone(plan, Path(fmu), records(todo))
        else:
            sent = (hashlib.sha256(content + code).hexdigest()[:16], content, code)
            source = _spread(stack.enter_context(engine(client)), sent, todo, records)
        for rows in stack.enter_context(closing(source)):
            sheet.add(rows)
            failures = sum(sheet.counts.values()) - sheet.counts["ok"]
            show(len(done), failures)
            if max_failures is not None and failures > max_failures:
                reason = f"more than {max_failures} runs before it had no success"
                rest = [run for run in range(len(table)) if run not in done]
                sheet.add([Row(run, "skipped", reason, 0.0, {}, {}) for run in rest])
                break
    return study


def _alone(plan: Plan, fmu: Path, runs: Runs) -> Generator[list[Row], None, None]:
    """Rows of runs in this process, those of a task at a time."""
    model, rows, told = None, list[Row](), time.monotonic()
    for run, settings in runs:
        model = model or plan.load(fmu)
        rows.append(plan.run(model, run, settings))
        if rows[-1].status != "ok":
            model = None
        if model is None or time.monotonic() - told > TASK:
            yield rows
            rows, told = [], time.monotonic()
    yield rows


class _Shown:
    """Progress for people, or for a function."""

    def __init__(
        self, progress: bool | Callable[[int, int, int], None], n: int, before: int
    ) -> None:
        self.progress, self.n, self.before = progress, n, before
        self.begin = self.told = time.monotonic()

    def __call__(self, done: int, failures: int) -> None:
        now = time.monotonic()
        if callable(self.progress):
            self.progress(done, self.n, failures)
        elif self.progress and (done == self.n or now - self.told > 0.2):
            self.told = now
            rate = max((done - self.before) / (now - self.begin), 1e-9)
            left = f"{rate:.3g} runs/s, {(self.n - done) / rate:.0f} s left, {failures} without success"
            end = "\n" if done == self.n else ""
            print(f"\r{done} of {self.n} runs, {left} ", end=end, file=sys.stderr, flush=True)


def _spread(
    client: Any, sent: Any, todo: list[int], records: Callable[[list[int]], Runs]
) -> Generator[list[Row], None, None]:
    """Rows of tasks as they end; takes the runs that it gives away from `todo`."""
    from distributed import KilledWorker, as_completed

    client.wait_for_workers(1, timeout=60)
    kept = client.submit(_same, sent, pure=False)
    flying: dict[Any, list[int]] = {}
    waiting = as_completed()
    seconds, count = 0.0, 0.0

    def submit() -> None:
        slots = max(1, sum(client.nthreads().values()))
        while todo and len(flying) < 2 * slots:
            size = int(TASK * count / seconds) if seconds else 1
            size = max(1, min(size, -(-len(todo) // (2 * slots))))
            numbers, todo[:] = todo[:size], todo[size:]
            future = client.submit(task, kept, records(numbers), pure=False)
            flying[future] = numbers
            waiting.add(future)

    try:
        submit()
        for future in waiting:
            numbers = flying.pop(future)
            if future.cancelled():
                text = "the scheduler was lost; the same call does what is missing"
                raise ContactFmuError([Problem("error", "other", text)])
            if future.status == "error":
                error = future.exception()
                status = "died" if isinstance(error, KilledWorker) else "failed"
                rows = [Row(run, status, f"worker: {error}", 0.0, {}, {}) for run in numbers]
            else:
                rows = future.result()
            seconds, count = seconds / 2 + sum(x.seconds for x in rows), count / 2 + len(rows)
            future.release()
            yield rows
            submit()
    finally:
        client.cancel(list(flying))
