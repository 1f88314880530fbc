"""Many runs of one FMU on Dask.

A task is a number of runs that take a second together. The client writes their rows into the folder of the
study as they come, so its memory does not grow, and whoever calls again with the same folder goes on there.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from importlib import metadata
from numbers import Integral, Real
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ._commands import Interface, build, scratch_folder, several
from ._errors import ContactFmuError, no_counts, refuse, wrong
from ._runs import (
    Plan,
    Reduce,
    Row,
    Runner,
    Runs,
    Sent,
    Settings,
    clear,
    end_of,
    failure,
    task,
    versions,
    without,
)
from ._sample import extra, sample
from ._scene import SCENE, Scene, changed, from_toml, input_columns, read_columns, to_toml
from ._study import Sheet, Study, locked
from ._tool import PathLike
from ._variables import faults, variables, whole

if TYPE_CHECKING:
    import pandas

# Time that the runs of a task take [s].
TASK = 1.0
# Looks of Dask at itself, which take more than a tenth of a core.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "10s",
    "distributed.scheduler.work-stealing": False,
}
VERSIONS = ("contact-fmu", "numpy", "dask", "distributed", "pandas", "pyarrow")


def _same(sent: Any) -> Any:
    """The FMU as a result of Dask, which it can make once more where a worker was lost."""
    return sent


@contextmanager
def engine(client: Any) -> Iterator[Any]:
    """A client of Dask: the one given, of an address, or of a cluster of so many local processes.

    Raises:
        ContactFmuError: there is no scheduler, or it has no worker.
    """
    try:
        import dask
        from dask.system import CPU_COUNT
        from distributed import Client, LocalCluster
        from distributed import TimeoutError as TooLate
    except ModuleNotFoundError as error:
        raise extra(error) from None
    with ExitStack() as stack:
        quiet = {"distributed.admin.large-graph-warning-threshold": "1GB"}
        stack.enter_context(dask.config.set(quiet))
        if client is None or isinstance(client, Integral):
            stack.enter_context(dask.config.set(CALM))
            # The processes are the children; the workers only wait for them.
            size = {"n_workers": int(client or CPU_COUNT), "threads_per_worker": 1}
            size |= {"processes": False, "memory_limit": 0, "silence_logs": 50}
            silent = {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}
            cluster = stack.enter_context(LocalCluster(**size, **silent))
            client = stack.enter_context(Client(cluster))
        elif isinstance(client, str):
            try:
                client = stack.enter_context(Client(client, timeout=5))
            except (OSError, ValueError) as error:
                raise failure(f"no scheduler of Dask at {client}: {error}") from None
        try:
            client.wait_for_workers(1, timeout=60)
        except TooLate:
            raise failure(f"{client.scheduler.address} has no worker after 60 s") from None
        yield client


def sweep(
    fmu: Scene,
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
        fmu: the FMU, or a scene as a file or a dict, of which it is built.
        runs: a data frame or a CSV file with a column for each parameter, as `sample` gives it, or a dict
            of lists for all their combinations. A column ``scene:body.ball.shape[1].sphere.diameter`` changes
            the scene instead; each process builds the FMU of a scene once.
        outputs: outputs to keep, arrays as a whole; all unless given.
        stop: stop time [s]; that of the default experiment unless given, as are step and tolerance.
        step: time between two rows of a run, the communication step of cs [s].
        tolerance: relative tolerance [1].
        interface: ``"cs"`` or ``"me"``.
        input: values of inputs over time: columns with ``time``, or a CSV file.
        reduce: function of times, columns and events of a run, to a number or a dict of numbers;
            unless given, each output's last value and extremes of its rows (not between them) as ``last(NAME)``, ``min(NAME)``,
            ``max(NAME)``, and counts of events.
        trajectories: keep the values over time of each run.
        results: folder of the study; a temporary one unless given.
        client: number of local processes, address of a scheduler of Dask or its Client; a process
            for each core unless given; False for one run after the other in this process.
        timeout: time that a run may take, without the building of its scene [s]; not with
            ``client=False``.
        retries: how often a run is repeated whose process died; where several runs were on their way,
            they are repeated once more to find which one it was.
        max_failures: more runs without success, and the rest is skipped.
        rerun: ``"failed"`` repeats all runs that did not succeed.
        progress: True writes a line; a function gets the numbers of runs done, in all, without success.

    Raises:
        ArgumentError: names, values and arguments that no run can have, or a folder of another study.
        ContactFmuError: no run is possible on a worker, there is no scheduler, or the folder cannot be
            written. The same call does what is missing.
        ModuleNotFoundError: a package of ``contact-fmu[sweep]`` is missing.
    """
    try:
        import pandas

        installed = {x: metadata.version(x) for x in VERSIONS}
    except ModuleNotFoundError as error:
        raise extra(error) from None
    if isinstance(runs, (str, os.PathLike)):
        runs = pandas.DataFrame(read_columns(runs))
    elif not isinstance(runs, (pandas.DataFrame, Mapping)):
        raise wrong(
            [f"runs is {type(runs).__name__}; give a data frame, a CSV file or a dict of lists"]
        )
    table = runs if isinstance(runs, pandas.DataFrame) else sample(runs, method="grid")
    table = table.reset_index(drop=True).rename(columns=str)
    table.attrs = {}
    if isinstance(input, (str, os.PathLike)):
        input = read_columns(input)
    columns = None if input is None else input_columns(input)
    plan = Plan(
        None if outputs is None else several("outputs", outputs),
        *(interface, stop, step, tolerance, columns, reduce, trajectories),
    )
    reasons = impossible(plan, table, client, timeout, retries, max_failures, rerun)
    if not len(table) or not table.columns.is_unique:
        refuse(reasons)
    plan, content, code, known = _given(fmu, plan, table)
    inputs = [name for name in columns or () if name != "time"]
    refuse(reasons + faults(known, table, [*(plan.outputs or ()), *inputs]))
    if plan.outputs is not None:
        plan = replace(plan, outputs=whole(plan.outputs, known))
    sent = _sent(plan, content, timeout, retries)
    about = {
        "fmu": code,
        "n": len(table),
        "runs": _digest(table),
        "parameters": list(table.columns),
        "sample": getattr(runs, "attrs", {}).get("sample"),
        **{x: getattr(plan, x) for x in ("interface", "stop", "step", "tolerance", "trajectories")},
        "outputs": plan.outputs,
        "input": None if columns is None else _digest(columns),
        "reduce": getattr(reduce, "__qualname__", None),
        "units": {name: about["unit"] for name, about in known.items() if "unit" in about},
        "values": None,
        "versions": installed,
    }
    temporary = TemporaryDirectory(prefix="contact-fmu-") if results is None else None
    with ExitStack() as stack:
        folder = Path(temporary.name if temporary else results or "")
        stack.enter_context(locked(folder))
        sheet = Sheet.of(folder, about, _stored(table), rerun)
        sheet.study._temporary = temporary
        todo = _Todo(table, np.flatnonzero(~sheet.done))
        if client is False or not todo.left:
            scratch = Path(stack.enter_context(scratch_folder()))
            (scratch / "model.fmu").write_bytes(content)
            source = _alone(Runner(plan, scratch / "model.fmu", str(scratch)), todo)
        else:
            source = _spread(stack.enter_context(engine(client)), sent, todo)
        show = _Shown(progress, len(table), int(sheet.done.sum()))
        for rows in stack.enter_context(closing(source)):
            sheet.add(rows)
            show(int(sheet.done.sum()), sheet.failures)
            if max_failures is not None and sheet.failures > max_failures:
                reason = f"more than {max_failures} runs before it had no success"
                rest = iter(np.flatnonzero(~sheet.done).tolist())
                while numbers := [*itertools.islice(rest, 10_000)]:
                    sheet.add([without(run, "skipped", reason) for run in numbers])
                break
    return sheet.study


def impossible(
    plan: Plan,
    runs: pandas.DataFrame,
    client: Any,
    timeout: float | None,
    retries: int,
    max_failures: int | None,
    rerun: str | None,
) -> list[str]:
    """What is wrong with arguments, whatever the FMU."""
    reasons = [] if len(runs) else ["there are no runs"]
    if rerun not in (None, "failed"):
        reasons.append(f"rerun is {rerun!r}; must be 'failed' or None")
    if plan.reduce is not None and not callable(plan.reduce):
        reasons.append(f"reduce is {plan.reduce!r}; must be a function")
    reasons += [f"{x} is a column twice" for x in runs.columns[runs.columns.duplicated()]]
    limits = [("stop", plan.stop, np.inf), ("step", plan.step, np.inf)]
    limits += [("timeout", timeout, np.inf), ("tolerance", plan.tolerance, 1)]
    for name, value, high in limits:
        if value is not None and not (isinstance(value, Real) and 0 < value < high):
            most = "" if high == np.inf else f" and < {high}"
            reasons.append(f"{name} is {value!r}; must be a number > 0{most}")
    reasons += no_counts(0, retries=retries, max_failures=max_failures)
    if not (
        client is None or client is False or isinstance(client, str) or hasattr(client, "submit")
    ):
        told = "give the address of a scheduler or a client of Dask"
        reasons += [f"{x}, or {told}" for x in no_counts(1, client=client)]
    if client is False and timeout is not None:
        reasons.append("timeout needs a process that can be ended; client is False")
    return reasons


def _given(
    fmu: Scene, plan: Plan, runs: pandas.DataFrame
) -> tuple[Plan, bytes, str, dict[str, dict[str, str]]]:
    """The plan, the FMU unless each process builds its own, its hash, and its variables."""
    chosen = [str(name) for name in runs if str(name).startswith(SCENE)]
    path = None if isinstance(fmu, Mapping) else Path(fmu)
    if path is not None and path.suffix.lower() == ".fmu":
        refuse([f"{name} changes a scene; {path} is an FMU" for name in chosen])
        known, content = variables(path), path.read_bytes()
        return plan, content, _hash(content), known
    with scratch_folder() as scratch:
        if not chosen:
            file = build(fmu, scratch)
            content = file.read_bytes()
            return plan, content, _hash(content), variables(file)
        base = os.getcwd() if path is None else str(path.absolute().parent)
        tree = fmu if isinstance(fmu, Mapping) else from_toml(Path(fmu).read_text("utf-8"))
        first = {name[len(SCENE) :]: runs[name].tolist()[0] for name in chosen}
        try:
            file = build(changed(tree, first), scratch, base=base)
        except LookupError as error:
            raise wrong([str(error.args[0])]) from None
        # With the files that the scene names.
        code = _hash(to_toml(tree).encode() + file.read_bytes())
        return replace(plan, scene=tree, base=base), b"", code, variables(file)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest(columns: Any) -> str:
    """The same for equal names and values."""
    digest = hashlib.sha256()
    for name in columns:
        values = np.asarray(columns[name])
        is_number = values.dtype.kind in "biuf"
        text = values.astype(float).tobytes() if is_number else repr(values.tolist()).encode()
        digest.update(f"{name}\0".encode() + text)
    return digest.hexdigest()


def _stored(runs: pandas.DataFrame) -> pandas.DataFrame:
    """The runs with one type a column, as a file has it."""
    runs = runs.copy()
    for name in runs:
        if runs[name].dtype == object and runs[name].map(type).nunique() > 1:
            runs[name] = runs[name].map(str)
    return runs


class _Todo:
    """Runs that are missing, those of a scene one after the other."""

    def __init__(self, runs: pandas.DataFrame, missing: NDArray[np.intp]) -> None:
        self.runs, self.left = runs, len(missing)
        scene = [name for name in runs if str(name).startswith(SCENE)]
        if scene:
            # Values may be lists.
            texts = runs[scene].apply(lambda column: column.map(repr))
            group = texts.groupby(scene, sort=False).ngroup().to_numpy()
            missing = missing[np.argsort(group[missing], kind="stable")]
        self.missing = missing

    def take(self, size: int) -> Runs:
        """The next ones."""
        numbers = self.missing[len(self.missing) - self.left :][:size]
        self.left -= len(numbers)
        return list(zip(numbers.tolist(), self.runs.iloc[numbers].to_dict("records")))


def _alone(runner: Runner, todo: _Todo) -> Generator[list[Row], None, None]:
    """Rows of runs in this process, those of a task at a time."""
    rows, end = list[Row](), time.monotonic() + TASK
    while todo.left:
        for run in todo.take(100):
            rows.append(runner.run(*run))
            if time.monotonic() > end or rows[-1].status != "ok":
                yield rows
                rows, end = [], time.monotonic() + TASK
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
            rate = (done - self.before) / max(now - self.begin, 1e-3)
            pace = f"{rate:.3g} runs/s, {(self.n - done) / rate:.0f} s left, " if rate else ""
            left = f"{done} of {self.n} runs, {pace}{failures} without success "
            print(f"\r{left}", end="\n" if done == self.n else "", file=sys.stderr, flush=True)


def _spread(client: Any, sent: Sent, todo: _Todo) -> Generator[list[Row], None, None]:
    """Rows of tasks as they end."""
    from distributed import as_completed

    kept = client.submit(_same, sent, pure=False)
    flying: dict[Any, list[int]] = {}
    waiting = as_completed()
    seconds, count, slots, looked = 0.0, 0.0, 1, 0.0

    def submit() -> None:
        nonlocal slots, looked
        if time.monotonic() > looked:
            slots, looked = max(1, sum(client.nthreads().values())), time.monotonic() + TASK
        while todo.left and len(flying) < 2 * slots:
            size = int(TASK * count / seconds) if seconds else 1
            runs = todo.take(max(1, min(size, -(-todo.left // (2 * slots)))))
            # Dask would look for its own objects in each entry.
            future = client.submit(task, kept, pickle.dumps(runs), pure=False)
            flying[future] = [run for run, _ in runs]
            waiting.add(future)

    try:
        submit()
        for future in waiting:
            numbers = flying.pop(future)
            rows = _ended(future, numbers)
            seconds, count = seconds / 2 + sum(x.seconds for x in rows), count / 2 + len(rows)
            future.release()
            yield rows
            submit()
    finally:
        _end(client, sent.key, flying)


def _ended(future: Any, numbers: Iterable[int]) -> list[Row]:
    """Rows of a task that has ended."""
    from distributed import KilledWorker

    if future.cancelled():
        raise failure("the scheduler was lost; the same call does what is missing")
    if future.status != "error":
        rows: list[Row] = future.result()
        return rows
    error = future.exception()
    if isinstance(error, KilledWorker):
        return [without(run, "died", f"worker: {error}") for run in numbers]
    told = error if isinstance(error, ContactFmuError) else repr(error)
    raise failure(f"worker: {told}") from None


def _end(client: Any, key: str, flying: Iterable[Any]) -> None:
    """Ends what a sweep has left on its workers."""
    end_of(key)
    # A scheduler that was lost has nothing to end.
    with suppress(Exception):
        client.cancel(list(flying))
        client.run(clear, key, wait=False)


@contextmanager
def asked(fmu: Path, plan: Plan, client: Any) -> Iterator[Callable[[list[Settings]], list[Row]]]:
    """A function that runs an FMU with each of several settings, for any thread."""
    if client is False:
        with scratch_folder() as scratch:
            runner = Runner(plan, fmu, scratch)
            yield lambda several: [runner.run(*run) for run in enumerate(several)]
        return
    with engine(client) as dask:
        from distributed import wait

        sent = _sent(plan, fmu.read_bytes())
        kept = dask.submit(_same, sent, pure=False)

        def ask(several: list[Settings]) -> list[Row]:
            sets = [pickle.dumps([run]) for run in enumerate(several)]
            runs = [dask.submit(task, kept, x, pure=False) for x in sets]
            wait(runs)
            return [row for i, run in enumerate(runs) for row in _ended(run, [i])]

        try:
            yield ask
        finally:
            _end(dask, sent.key, ())


def _sent(plan: Plan, fmu: bytes, timeout: float | None = None, retries: int = 1) -> Sent:
    from cloudpickle import dumps

    try:
        code = dumps(plan)
    except Exception as error:
        raise wrong([f"reduce cannot be sent to a process: {error}"]) from None
    return Sent(uuid.uuid4().hex[:16], versions(), fmu, code, timeout, retries)
