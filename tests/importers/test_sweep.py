"""Samples, sweeps on processes that die, identification, environments: closed forms of a ball."""

from __future__ import annotations

import fcntl
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import psutil
import pytest
from conftest import ROOT

BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
HEIGHT, SPEED = "ball.position[3]", "ball.velocity[3]"
RESTITUTION = "material_pair.Steel.Steel.restitution"
# Of the world [m/s2], and the ball [m].
GRAVITY, RADIUS = 9.81, 0.1


@pytest.fixture(scope="module")
def contact_fmu(package: Path) -> ModuleType:
    sys.path.append(str(package))
    return importlib.import_module("contact_fmu")


@pytest.fixture(scope="module")
def ball(tool: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    fmu = tmp_path_factory.mktemp("ball") / "ball.fmu"
    subprocess.run([tool, "build", BALL, "-o", fmu], check=True, timeout=60, capture_output=True)
    return fmu


def heights(n: int) -> pd.DataFrame:
    return pd.DataFrame({HEIGHT: np.linspace(1.0, 3.0, n)})


def numbers(study) -> pd.DataFrame:
    return study.frame().drop(columns="seconds")


def children(pid: int) -> list[psutil.Process]:
    """The processes that hold FMUs."""
    return [x for x in psutil.Process(pid).children(recursive=True) if holds_fmus(x)]


def holds_fmus(process: psutil.Process) -> bool:
    try:
        return "_runs.serve" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # Ended since, or a zombie.
        return False


@pytest.mark.parametrize("n", [120, pytest.param(1000, marks=pytest.mark.full)])
def test_each_run_has_one_row_whatever_happens_to_the_processes(contact_fmu, ball, tmp_path, n):
    def reduce(time, columns, events):
        """The last height; some heights at the start end the process, never end, or are refused."""
        start = round(columns["ball.position[3]"][0], 9)
        if start == 3.1:
            os.abort()
        while start == 3.2:
            pass
        if start == 3.3:
            raise ValueError("a height of 3.3 m")
        return {"height": columns["ball.position[3]"][-1], "start": columns["ball.position[3]"][0]}

    runs = heights(n)
    for place, height in zip([n // 3, n // 2 + 5, n - 7], [3.1, 3.2, 3.3], strict=True):
        runs.loc[place, HEIGHT] = height
    # Before the runs that end in their own way begin.
    kills, first = [n // 8, n // 4], []

    def progress(done, total, failures):
        if not kills or done < kills[0]:
            return
        alive = children(os.getpid())
        # The second one is not a process that repeats a run of the first one, which would end as died.
        victims = [x for x in alive if not first or x in first or done > n // 2]
        first.extend(alive)
        if victims:
            victims[0].kill()
            kills.pop(0)

    options = {"outputs": [HEIGHT], "stop": 0.3, "step": 0.1, "reduce": reduce}
    options |= {"results": tmp_path / "study"}
    study = contact_fmu.sweep(ball, runs, **options, client=2, timeout=12, progress=progress)
    assert not kills
    frame = study.frame()
    assert list(frame.index) == list(range(n))
    bad = frame[frame.status != "ok"]
    # The one that aborts may be ended by the test before.
    expected = [(3.1, "died", "code -"), (3.2, "timeout", "12 s"), (3.3, "failed", "3.3 m")]
    found = zip(bad[HEIGHT], bad.status, bad.reason, expected, strict=True)
    assert all(row[:2] == (h, x) and row[2] in text for h, x, text, row in found), bad
    # Free fall from rest; nothing has touched the plate.
    good = frame[frame.status == "ok"]
    assert np.allclose(good.height, good[HEIGHT] - GRAVITY * 0.3**2 / 2, rtol=0, atol=1e-9)
    # A second call has nothing to do.
    again = contact_fmu.sweep(ball, runs, **options, client=2, timeout=12)
    assert again.frame().equals(frame)
    # The same bits in one process, one after the other, from the last to the first.
    options["results"] = None
    alone = contact_fmu.sweep(ball, good[[HEIGHT]][::-1], **options, client=False)
    columns = ["height", "start"]
    assert (numbers(alone)[columns].to_numpy() == good[columns].to_numpy()[::-1]).all()


STUDY = """
import contact_fmu, numpy as np, os, pandas, signal, sys
from time import sleep
# Also where this is begun with interrupts ignored, as by a shell in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
def last(time, columns, events):
    sleep(0.01)  # Much is left when it is ended, however fast the runs are.
    with open(sys.argv[2], "a") as log:
        print(repr(float(columns["ball.position[3]"][0])), file=log)
    return columns["ball.position[3]"][-1]
runs = pandas.DataFrame({"ball.position[3]": np.linspace(1.0, 3.0, 200)})
def tell(done, n, failures): print(done, flush=True)
contact_fmu.sweep(sys.argv[1], runs, outputs=["ball.position[3]"], stop=0.3, step=0.01, reduce=last,
                  client=2, results="study", progress=tell)
"""


@pytest.mark.parametrize(
    "send",
    [
        pytest.param(signal.SIGKILL, id="killed"),
        pytest.param(signal.SIGINT, id="interrupted", marks=pytest.mark.full),
    ],
)
def test_a_client_that_ended_goes_on_where_it_was(contact_fmu, ball, tmp_path, send):
    package = str(Path(contact_fmu.__file__).parent.parent)
    log = tmp_path / "log"
    # In a child, what the client was called with is not known.
    command = [sys.executable, "-c", STUDY.replace("sys.argv[2]", repr(str(log))), ball]
    env = {**os.environ, "PYTHONPATH": package}
    with subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True
    ) as client:
        assert client.stdout is not None
        while int(client.stdout.readline()) < 5:
            pass
        held = children(client.pid)
        client.send_signal(send)
        client.wait(timeout=30)
    assert client.returncode != 0
    # No process is left behind.
    _, left = psutil.wait_procs(held, timeout=20)
    assert not left
    study = contact_fmu.Study(tmp_path / "study")
    before = {part: part.read_bytes() for part in study.parts}
    ended = study.frame()[HEIGHT]
    assert 5 <= len(ended) < 200
    started = log.read_text().split()
    subprocess.run(command, cwd=tmp_path, env=env, check=True, timeout=100, capture_output=True)
    frame = study.frame()
    assert list(frame.index) == list(range(200))
    assert np.allclose(frame.value, frame[HEIGHT] - GRAVITY * 0.3**2 / 2, rtol=0, atol=1e-9)
    # What had ended has not run again, and of the rest only what was in flight.
    assert {part: part.read_bytes() for part in before} == before
    again = log.read_text().split()[len(started) :]
    assert sorted(map(float, again)) == sorted({*frame[HEIGHT]} - {*ended})


@pytest.mark.full
def test_a_cluster_without_a_shared_folder_loses_workers_and_no_run(contact_fmu, ball, tmp_path):
    """Scheduler and two workers as processes of their own; each worker is killed once."""
    package = str(Path(contact_fmu.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": package}
    scheduler = tmp_path / "scheduler.json"
    begin = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port=0", "--no-dashboard"]
    started = [subprocess.Popen([*begin, f"--scheduler-file={scheduler}"], cwd=tmp_path, env=env)]
    while not scheduler.is_file():
        time.sleep(0.1)
    address = json.loads(scheduler.read_text())["address"]
    for name in "ab":
        folder = tmp_path / name
        folder.mkdir()
        begin = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads=1"]
        begin += ["--no-dashboard", f"--local-directory={folder}"]
        started.append(subprocess.Popen(begin, cwd=folder, env=env))
    kills = [(250, started[1]), (500, started[2])]

    def progress(done, total, failures):
        if kills and done >= kills[0][0]:
            _, nanny = kills.pop(0)
            for process in psutil.Process(nanny.pid).children():
                if "spawn_main" in " ".join(process.cmdline()):
                    process.kill()

    try:
        options = {"outputs": [HEIGHT], "stop": 0.6, "step": 0.1}
        runs = contact_fmu.sample({RESTITUTION: ("uniform", 0.3, 0.9)}, 1000, seed=1)
        study = contact_fmu.sweep(ball, runs, **options, client=address, progress=progress)
    finally:
        for process in started:
            process.terminate()
            process.wait(timeout=30)
    assert not kills
    assert list(study.frame().index) == list(range(1000))
    assert set(study.frame().status) == {"ok"}
    assert numbers(study).equals(numbers(contact_fmu.sweep(ball, runs, **options, client=False)))


def test_values_of_a_run_are_last_extremes_events_and_trajectories(contact_fmu, ball, tmp_path):
    """A ball that falls by h bounces to e^2 h."""
    runs = contact_fmu.sample({RESTITUTION: [0.5, 0.8], HEIGHT: [1.1, 2.1]}, method="grid")
    study = contact_fmu.sweep(
        ball, runs, outputs=[HEIGHT, SPEED], stop=1.5, step=0.001, trajectories=True, client=False
    )
    frame = study.frame()
    assert frame.attrs["units"][HEIGHT] == "m"
    for run, row in frame.iterrows():
        fall = runs[HEIGHT][run] - RADIUS
        path = study.trajectory(run)
        assert path.index[-1] == 1.5
        assert frame[f"max({HEIGHT})"][run] == path[HEIGHT].max() == row[HEIGHT]
        assert row[f"last({HEIGHT})"] == path[HEIGHT].iloc[-1]
        landed = (2 * fall / GRAVITY) ** 0.5
        up = path[HEIGHT][path.index > landed + 0.01]
        assert up.max() - RADIUS == pytest.approx(runs[RESTITUTION][run] ** 2 * fall, rel=0.02)
        assert row["impact_speed"] == pytest.approx((2 * GRAVITY * fall) ** 0.5, rel=0.01)
        assert row["impacts"] >= 1


def test_what_no_run_can_have_is_refused_at_once(contact_fmu, ball, tmp_path):
    def refused(*words, fmu=ball, runs=None, **options):
        runs = heights(3) if runs is None else runs
        with pytest.raises(contact_fmu.ArgumentError) as error:
            contact_fmu.sweep(fmu, runs, **{"client": 1, "outputs": [HEIGHT], **options})
        assert all(word in str(error.value) for word in words), error.value

    runs = heights(5).assign(**{"bal.mass": 1.0, "der(ball.position[3])": 0.0})
    runs.loc[3, HEIGHT] = np.nan
    refused(
        "row 3",
        "did you mean ball.mass",
        "cannot be set",
        "bal.position",
        runs=runs,
        outputs=["bal.position"],
    )
    refused("no runs", runs=heights(0))
    refused("column twice", runs=pd.concat([heights(3), heights(3)], axis=1))
    refused("timeout is 0", "retries is -1", "stop is -1", timeout=0, retries=-1, stop=-1)
    # Arguments, names and values at once.
    refused("stop is 0", "bal.position", "row 2", runs=runs[1:], outputs=["bal.position"], stop=0)
    refused("tolerance is 2", "max_failures is 'x'", tolerance=2, max_failures="x")
    refused("no column 'time'", input={"push": [1.0, 2.0]})
    refused("push is nan in row 1", input={"time": [0, 1], "push": [1.0, np.nan]})
    refused("push is no variable", input=pd.DataFrame({"push": [1.0]}, index=[0.0]))
    refused("give a list", outputs=HEIGHT)
    refused("runs is list; give a data frame", runs=[])
    for client in (0, -1, 2.5, True, []):
        refused(f"client is {client}; must be a whole number", client=client)
    refused("client is False", client=False, timeout=1)
    refused("changes a scene", runs={"scene:body.ball.mass": [1.0]})
    refused("no body.bal", fmu=BALL, runs={"scene:body.bal.mass": [1.0]})
    lock = threading.Lock()
    refused("cannot be sent", reduce=lambda *_: lock)
    options = {"stop": 0.1, "outputs": [HEIGHT], "client": False}
    first = contact_fmu.sweep(ball, heights(3), **options, results=tmp_path / "a")
    refused("another study", "runs", "stop", runs=heights(4), stop=0.2, results=first.folder)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "notes.txt").write_text("mine")
    refused("other files", results=tmp_path / "b")
    assert [x.name for x in (tmp_path / "b").iterdir()] == ["notes.txt"]
    (tmp_path / "push.csv").write_text("time,push\n0,hard\n")
    refused("push is 'hard' in row 0", input=tmp_path / "push.csv")
    (tmp_path / "runs.csv").write_text("ball.mass,ball.radius\n1\n")
    refused("row 1 has 1 values", runs=tmp_path / "runs.csv")
    for call in [
        lambda: contact_fmu.sweep(ball, tmp_path / "none"),
        lambda: contact_fmu.sweep(tmp_path / "none.fmu", heights(3)),
        lambda: contact_fmu.Study(tmp_path / "none"),
    ]:
        with pytest.raises(contact_fmu.ContactFmuError, match=r"none.*No such file"):
            call()


@pytest.mark.parametrize(
    ("reduce", "statuses", "reason"),
    [
        (lambda *_: np.nan, ["ok"] * 3, ""),
        (lambda time, *_: time, ["failed"] * 3, "must be a number"),
        (lambda *_: {"a": None}, ["failed"] * 3, "must be a number"),
        (lambda *_: sys.exit(3), ["failed"] * 3, "SystemExit(3)"),
        (lambda *_: {"status": 1.0}, ["failed"] * 3, "status, which is a column already"),
        (lambda *_: {HEIGHT: 1.0}, ["failed"] * 3, f"{HEIGHT}, which is a column already"),
        (
            lambda t, c, e: {"xy"[int(c[HEIGHT][0] < 2)]: 1.0},
            ["ok", "failed", "failed"],
            "returned x",
        ),
        (lambda t, c, e: {"x": "1"}, ["failed"] * 3, "'1'"),
        (lambda t, c, e: {x: 1.0 for x in ("xy", "yx")[int(c[HEIGHT][0] < 2)]}, ["ok"] * 3, ""),
    ],
)
def test_rows_say_what_a_reduce_function_did_wrong(contact_fmu, ball, reduce, statuses, reason):
    options = {"stop": 0.1, "outputs": [HEIGHT], "client": False}
    frame = contact_fmu.sweep(ball, heights(3), reduce=reduce, **options).frame()
    assert list(frame.status) == statuses
    assert all(reason in x for x in frame.reason[frame.status == "failed"])
    assert list(frame[HEIGHT]) == [1.0, 2.0, 3.0]


def test_another_process_has_the_modules_of_this_one(contact_fmu, tmp_path):
    """Whatever PYTHONPATH and the working directory have."""
    tool = importlib.import_module("contact_fmu._tool")
    (tmp_path / "contact_fmu.py").write_text("1 / 0")
    subprocess.run(tool.program("import contact_fmu"), cwd=tmp_path, check=True, timeout=100)


@pytest.mark.parametrize("retries", [0, 1])
def test_a_run_that_dies_alone_is_repeated_as_often_as_asked(contact_fmu, ball, tmp_path, retries):
    def reduce(*_):
        with (tmp_path / "log").open("a") as log:
            log.write("x")
        os.abort()

    options = {"stop": 0.1, "outputs": [HEIGHT], "reduce": reduce, "client": 1}
    frame = contact_fmu.sweep(ball, heights(1), **options, retries=retries).frame()
    assert list(frame.status) == ["died"]
    assert (tmp_path / "log").read_text() == "x" * (1 + retries)


def test_the_limit_of_a_run_does_not_count_the_building_of_its_scene(
    contact_fmu, tmp_path, monkeypatch
):
    runs = importlib.import_module("contact_fmu._runs")
    counted = []

    @contextmanager
    def limit():
        counted.append("run")
        yield
        counted.clear()

    def build(*arguments, **options):
        assert counted == []
        return contact_fmu.build(*arguments, **options)

    monkeypatch.setattr(runs, "build", build)
    scene = importlib.import_module("contact_fmu._scene").from_toml(BALL.read_text())
    plan = runs.Plan(scene=scene, stop=0.1, reduce=lambda *_: len(counted))
    row = runs.Runner(plan, BALL, str(tmp_path), limit).run(0, {})
    assert (row.status, row.values) == ("ok", {"value": 1.0}), row


def test_after_too_many_failures_the_rest_is_skipped(contact_fmu, ball):
    options = {"stop": 0.1, "outputs": [HEIGHT], "reduce": lambda *_: 1 / 0, "client": False}
    many = contact_fmu.sweep(ball, heights(9), **options, max_failures=3)
    assert dict(many.frame().status.value_counts()) == {"skipped": 5, "failed": 4}


def test_parameters_may_be_texts_with_units_integers_and_booleans(contact_fmu, ball):
    """All masses fall alike; at 2 and 3 other formulas integrate."""
    runs = pd.DataFrame({"ball.mass": ["500 g", 1, "2 kg"], "experiment.solver": [1, 2, 3]})
    options = {"stop": 0.1, "outputs": [HEIGHT], "client": False}
    frame = contact_fmu.sweep(ball, runs, **options).frame()
    assert list(frame.status) == ["ok"] * 3
    assert list(frame["ball.mass"]) == ["500 g", "1", "2 kg"]
    fallen = 1.1 - GRAVITY * 0.1**2 / 2
    assert np.allclose(frame[f"last({HEIGHT})"], fallen, rtol=0, atol=1e-9)
    one = contact_fmu.sweep(ball, {"ball.mass": [True, True]}, **options).frame()
    assert list(one.status) == ["ok"] * 2


def test_an_fmu_that_a_worker_cannot_load_ends_the_sweep(contact_fmu, ball, tmp_path):
    with zipfile.ZipFile(ball) as full, zipfile.ZipFile(tmp_path / "no.fmu", "w") as bare:
        for name in full.namelist():
            if not name.startswith("binaries"):
                bare.writestr(name, full.read(name))
    for client in (False, 1):
        with pytest.raises(contact_fmu.ContactFmuError, match="x86_64-linux"):
            contact_fmu.sweep(tmp_path / "no.fmu", heights(3), client=client)


def test_a_worker_with_another_version_is_refused(contact_fmu):
    runs = importlib.import_module("contact_fmu._runs")
    sent = runs.Sent("key", ("0.0.1", (3, 9)), b"", b"", None, 1)
    with pytest.raises(contact_fmu.ContactFmuError, match=r"0\.0\.1"):
        runs.task(sent, b"")


def test_a_folder_has_one_client_and_a_full_disk_loses_nothing(contact_fmu, ball, tmp_path):
    def reduce(time, columns, events):
        if columns[HEIGHT][0] == 2 and not (tmp_path / "freed").exists():
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, free[1]))
        return columns[HEIGHT][-1]

    free = resource.getrlimit(resource.RLIMIT_FSIZE)
    options = {"stop": 0.1, "outputs": [HEIGHT], "reduce": reduce, "client": False}
    options["results"] = tmp_path / "study"
    runs = heights(3)
    try:
        with pytest.raises(contact_fmu.ContactFmuError, match=r"cannot be written.*File too large"):
            contact_fmu.sweep(ball, runs, **options)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, free)
    (tmp_path / "freed").touch()
    with (tmp_path / "study" / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(contact_fmu.ContactFmuError, match="another sweep writes into"):
            contact_fmu.sweep(ball, runs, **options)
    assert list(contact_fmu.sweep(ball, runs, **options).frame().index) == [0, 1, 2]
    assert not list((tmp_path / "study").glob("*.new"))
    with pytest.raises(contact_fmu.ContactFmuError, match="/proc/study cannot be written"):
        contact_fmu.sweep(ball, runs, **{**options, "results": "/proc/study"})


def test_runs_without_success_are_repeated_on_demand(contact_fmu, ball, tmp_path):
    def half(time, columns, events):
        if not (tmp_path / "repaired").exists() and columns[HEIGHT][0] > 1.9:
            raise ValueError("not yet")
        return columns[HEIGHT][-1]

    options = {"stop": 0.1, "outputs": [HEIGHT], "reduce": half, "results": tmp_path / "study"}
    options |= {"client": False, "trajectories": True, "step": 0.05}
    first = contact_fmu.sweep(ball, heights(5), **options).frame()
    assert list(first.status) == ["ok", "ok", "failed", "failed", "failed"]
    (tmp_path / "repaired").touch()
    assert contact_fmu.sweep(ball, heights(5), **options).frame().equals(first)
    study = contact_fmu.sweep(ball, heights(5), **options, rerun="failed")
    again = study.frame()
    assert list(again.index) == list(range(5))
    assert np.allclose(again.value, heights(5)[HEIGHT] - GRAVITY * 0.1**2 / 2, rtol=0, atol=1e-9)
    # The good ones have not run again.
    assert list(again.seconds[:2]) == list(first.seconds[:2])
    # A part that is lost is repeated, and its values over time are there once.
    part = study.parts[0]
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(contact_fmu.ContactFmuError, match=part.name):
        contact_fmu.sweep(ball, heights(5), **options)
    part.unlink()
    study = contact_fmu.sweep(ball, heights(5), **options)
    assert numbers(study).equals(again.drop(columns="seconds"))
    assert [list(study.trajectory(run).index) for run in range(5)] == [[0, 0.05, 0.1]] * 5


def test_scenes_that_change_are_built_in_the_processes(contact_fmu, tmp_path):
    """A ball that starts on the plate rests at its radius."""
    place = "scene:body.ball.shape[1].sphere.diameter"
    runs = pd.DataFrame({place: [0.1, "200 mm", 0.1], HEIGHT: [0.05, 0.1, 1.0]})
    options = {"outputs": [HEIGHT], "stop": 0.1, "step": 0.05}
    study = contact_fmu.sweep(BALL, runs, **options, client=1)
    frame = study.frame()
    assert list(frame.status) == ["ok"] * 3
    expected = [0.05, 0.1, 1 - GRAVITY * 0.1**2 / 2]
    assert np.allclose(frame[f"last({HEIGHT})"], expected, rtol=0, atol=1e-5)
    assert numbers(study).equals(numbers(contact_fmu.sweep(BALL, runs, **options, client=False)))
    # A scene that cannot be built is a run that fails.
    bad = contact_fmu.sweep(BALL, {place: [0.2, -1.0]}, **options, client=False).frame()
    assert list(bad.status) == ["ok", "failed"]
    assert "diameter is -1 m" in bad.reason[1]


def test_a_study_is_a_file_for_the_command_line(contact_fmu, ball, tmp_path, monkeypatch, capsys):
    command = importlib.import_module("contact_fmu.__main__")

    def run(text, *options):
        (tmp_path / "fall.toml").write_text(f"fmu = '{ball}'\nclient = false\n{text}")
        monkeypatch.setattr(sys, "argv", ["sweep", "sweep", str(tmp_path / "fall.toml"), *options])
        return command.main(), *capsys.readouterr()

    (tmp_path / "falls.py").write_text(
        "def last(time, columns, events):\n"
        "    assert columns['ball.position[3]'][0] < 2.5\n"
        "    return columns['ball.position[3]'][-1]\n"
    )
    good = """
outputs = ["ball.position[3]"]
stop = 0.1
reduce = "falls:last"
n = 3
seed = 1
correlation = [["ball.mass", "ball.position[3]", 0.5]]
[parameters]
"ball.mass" = ["uniform", 1, 2]
"ball.position[3]" = ["uniform", 1, 2]
"""
    monkeypatch.setattr(sys, "path", [*sys.path])
    code, out, err = run(good)
    assert (code, "3 ok" in out, "3 of 3 runs" in err) == (0, True, True), err
    frame = contact_fmu.Study(tmp_path / "fall").frame()
    assert np.allclose(frame.value, frame[HEIGHT] - GRAVITY * 0.1**2 / 2, rtol=0, atol=1e-9)
    heights(3).to_csv(tmp_path / "runs.csv", index=False)
    with_file = (
        'stop = 0.1\noutputs = ["ball.position[3]"]\nreduce = "falls:last"\nruns = "runs.csv"'
    )
    code, out, _ = run(with_file, "--results", str(tmp_path / "other"))
    assert (code, "1 failed" in out) == (1, True)
    code, _, err = run("stopp = 1\nstop = 0.1\nn = 3")
    assert (code, "stopp is no key" in err, "parameters to draw" in err) == (2, True, True)
    (tmp_path / "broken.py").write_text("1 / 0")
    mass, runs = '[parameters]\n"ball.mass" = ["uniform", 1, 2]', 'runs = "runs.csv"\n'
    for text, *words in [
        ("stop = = 1", "no TOML file", "line 3"),
        (runs + 'stop = "1 s"\nstep = 0', "stop is '1 s'", "step is 0"),
        (runs + "results = 5\ninput = 1\nreduce = 2", "results is 5", "input is 1", "reduce is 2"),
        (runs + 'reduce = "falls:none"', "reduce is 'falls:none'", "MODULE:FUNCTION"),
        (runs + 'reduce = "broken:last"', "reduce is 'broken:last'", "ZeroDivisionError"),
        (runs + 'outputs = "a"', "outputs is 'a'"),
        (runs + 'retries = 0.5\nrerun = "all"', "retries is 0.5", "rerun is 'all'"),
        (mass, "seed is missing"),
        ("seed = 1\n" + mass, "n, the number of runs, is missing"),
        ('seed = "x"\nn = 0\n' + mass, "seed is 'x'", "n is 0"),
        ("seed = 1\nn = 2\nparameters = 5", "parameters is 5"),
        ("seed = 1\nn = 2\n" + mass.replace('"ball.mass"', "ball.mass"), "in quotes"),
        ("seed = 1\nn = 2\ncorrelation = 5\n" + mass, "correlation must be"),
        ('seed = 1\nn = 2\ncorrelation = [["a", "b", 2]]\n' + mass, "('a', 'b') is 2"),
        ('method = "grid"\n[parameters]\n"ball.mass" = 5', "ball.mass is 5; give a list"),
    ]:
        code, _, err = run(text)
        assert code == 2
        assert all(word in err for word in words), err
    options = ["--scheduler", "tcp://127.0.0.1:1", "--results", str(tmp_path / "none")]
    code, _, err = run('runs = "runs.csv"', *options)
    assert (code, "no scheduler of Dask at" in err) == (1, True)


@pytest.mark.full
def test_a_fit_on_processes_has_the_bits_of_one_here(contact_fmu, ball):
    times = np.arange(20, 60) * 0.01
    data = {"time": times, HEIGHT: RADIUS + bounces(times, 0.7, 1.0)}
    bounds = {HEIGHT: (0.8, 1.4), RESTITUTION: (0.5, 0.9)}
    here = contact_fmu.identify(ball, data, bounds, starts=2)
    there = contact_fmu.identify(ball, data, bounds, starts=2, client=2)
    assert (there.values, there.intervals) == (here.values, here.intervals)
    assert (there.residuals[HEIGHT] == here.residuals[HEIGHT]).all()
    # No run of these parameters succeeds.
    with pytest.raises(contact_fmu.ContactFmuError, match="restitution is"):
        contact_fmu.identify(ball, data, {RESTITUTION: (1.2, 1.5)}, client=1)


@pytest.mark.full
def test_two_sweeps_at_once_share_the_workers_of_a_client(contact_fmu, ball):
    from distributed import Client

    found = {}
    options = {"outputs": [HEIGHT], "stop": 0.6, "step": 0.1}

    def run(n):
        found[n] = contact_fmu.sweep(ball, heights(n), **options, client=client)

    with Client(
        n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None
    ) as client:
        threads = [threading.Thread(target=run, args=[n]) for n in (100, 700)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for n in (100, 700):
        alone = contact_fmu.sweep(ball, heights(n), **options, client=False)
        assert numbers(found[n]).equals(numbers(alone))


def test_samples_have_the_moments_of_their_distributions(contact_fmu):
    parameters = {
        "u": ("uniform", 1.0, 3.0),
        "l": ("log-uniform", 1.0, 100.0),
        "n": ("normal", 5.0, 2.0),
        "m": ("normal", -1.0, 0.5),
        "c": ("truncated", 0.0, 1.0, -1.0, 1.0),
        "t": ("triangular", 0.0, 1.0, 4.0),
        "d": ("discrete", [1.0, 2.0], [1, 3]),
    }
    means = {"u": 2, "l": 99 / np.log(100), "n": 5, "m": -1, "c": 0, "t": 5 / 3, "d": 1.75}
    # Of the truncated one 1 - 2 phi(1) / (2 Phi(1) - 1).
    variances = {"u": 1 / 3, "n": 4, "m": 0.25, "c": 0.29113, "t": 13 / 18, "d": 3 / 16}
    for method in ("random", "latin", "sobol"):
        frame = contact_fmu.sample(parameters, 2**14, method=method, seed=3)
        assert frame.equals(contact_fmu.sample(parameters, 2**14, method=method, seed=3))
        for name, mean in means.items():
            assert frame[name].mean() == pytest.approx(mean, abs=0.05 * frame[name].std()), name
        for name, variance in variances.items():
            assert frame[name].var() == pytest.approx(variance, rel=0.05), name
    frame = contact_fmu.sample(parameters, 2**14, seed=3, correlation={("n", "m"): -0.8})
    assert np.corrcoef(frame.n, frame.m)[0, 1] == pytest.approx(-0.8, abs=0.02)
    assert np.corrcoef(frame.n, frame.u)[0, 1] == pytest.approx(0, abs=0.03)
    grid = contact_fmu.sample({"a": [1, 2], "b": [3, 4, 5]}, method="grid")
    assert grid.to_numpy().tolist() == [[a, b] for a in (1, 2) for b in (3, 4, 5)]
    del parameters["d"]
    problem = contact_fmu.problem(parameters)
    assert problem["bounds"][4:] == [[-1.0, 1.0, 0.0, 1.0], [0.0, 4.0, 0.25]]
    with pytest.raises(
        contact_fmu.ArgumentError, match=r"(?s)a: .*gauss.*b: .*low, high.*c: 5"
    ) as error:
        contact_fmu.sample({"a": ("gauss", 1), "b": ("uniform", 2, 1), "c": 5}, 4)
    assert len(error.value.problems) == 3
    two = {"a": ("uniform", 0, 1), "b": ("uniform", 0, 1)}
    for pairs in [{("a", "c"): 0.5}, {"a": 1}, {("a", "b"): "x"}, {("a", "b"): np.nan}, 5]:
        with pytest.raises(contact_fmu.ArgumentError, match="correlation") as error:
            contact_fmu.sample(two, 0, seed=-1, correlation=pairs)
        assert len(error.value.problems) == (1 if pairs == 5 else 3)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sweep", "sample({'a': ('uniform', 0, 1)}, 3)"),
        ("sweep", "sweep('a.fmu', {'a': [1]})"),
        ("sweep", "identify('a.fmu', {}, {})"),
        ("sweep", "Study('study')"),
        ("gym", "Env"),
        ("notebook", "Fit({}, {}, None, None, None, {}, 0, 0).plot()"),
    ],
)
def test_a_missing_package_is_named_with_what_to_install(contact_fmu, tmp_path, name, call):
    code = f"""
import sys
for name in ("scipy", "pandas", "dask", "distributed", "pyarrow", "gymnasium", "matplotlib"):
    sys.modules[name] = None
import contact_fmu
try:
    contact_fmu.{call}
except ModuleNotFoundError as error:
    print(error)
"""
    package = str(Path(contact_fmu.__file__).parent.parent)
    env = {**os.environ, "PYTHONPATH": package}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert f'pip install "contact-fmu[{name}]"' in done.stdout, done.stderr


def bounces(time: np.ndarray, restitution: float, height: float) -> np.ndarray:
    """Height of a point that falls from rest and bounces, in closed form [m]."""
    begin, speed = -((2 * height / GRAVITY) ** 0.5), (2 * GRAVITY * height) ** 0.5
    result = np.empty_like(time)
    while (later := time >= begin).any():
        t = time[later] - begin
        result[later] = speed * t - GRAVITY * t**2 / 2
        begin, speed = begin + 2 * speed / GRAVITY, speed * restitution
    return result


@pytest.mark.parametrize("seeds", [4, pytest.param(100, marks=pytest.mark.full)])
def test_restitution_and_height_lie_in_their_intervals(contact_fmu, ball, seeds):
    """Data are a closed form of a ball with rigid impacts and noise of 1 % of the height. 95 % of
    the intervals should hold the truth: less than 90 of 100 has a chance of 1 %."""
    times = np.arange(1, 131) * 0.01
    inside = {RESTITUTION: 0, HEIGHT: 0}
    truth = {RESTITUTION: 0.6, HEIGHT: 1.1}
    for seed in range(seeds):
        noise = np.random.default_rng(seed).normal(0, 0.01, len(times))
        data = {"time": times, HEIGHT: RADIUS + bounces(times, 0.6, 1.0) + noise}
        data[HEIGHT][40:44] = np.nan
        fit = contact_fmu.identify(
            ball, data, {RESTITUTION: (0.3, 0.9), HEIGHT: (0.8, 1.4)}, noise={HEIGHT: 0.01}
        )
        assert fit.warnings == []
        for name, (low, high) in fit.intervals.items():
            assert high - low < 0.05
            inside[name] += low <= truth[name] <= high
    assert min(inside.values()) >= 0.9 * seeds - 1, inside
    # A fall alone does not tell the restitution.
    few = {name: column[:40] for name, column in data.items()}
    fit = contact_fmu.identify(ball, few, {RESTITUTION: (0.3, 0.9), HEIGHT: (0.8, 1.4)})
    assert f"the data do not tell {RESTITUTION}" in fit.warnings


THROWN = """
format = 1
name = "thrown"
experiment = { stop_time = 1 }
world = { gravity = [0, 0, -9.81] }

[[material]]
name = "Rubber"
density = 1100
youngs_modulus = 2e6
poissons_ratio = 0.48

[[material_pair]]
materials = ["Steel", "Rubber"]
restitution = 0.6
sliding_friction = 0.2

[[body]]
name = "plate"
motion = "fixed"
shape = [{ material = "Steel", box = { lengths = [4, 1, 0.1] } }]

[[body]]
name = "ball"
motion = "free"
position = [0, 0, 0.35]
velocity = [3, 0, 0]
shape = [{ material = "Rubber", sphere = { diameter = 0.1 } }]
"""


@pytest.mark.parametrize("seeds", [3, pytest.param(100, marks=pytest.mark.full)])
def test_stiffness_restitution_and_friction_lie_in_their_intervals(
    contact_fmu, tool, tmp_path, seeds
):
    """A soft ball is thrown onto a plate, slides through the impact of 11 ms, and leaves it with
    spin. Noise is 1 % of the largest value of each column, and is told or not."""
    (tmp_path / "thrown.toml").write_text(THROWN)
    fmu = tmp_path / "thrown.fmu"
    command = [tool, "build", tmp_path / "thrown.toml", "-o", fmu]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    pair, outputs = "material_pair.Steel.Rubber", [HEIGHT, "ball.velocity[1]"]
    outputs.append("ball.angular_velocity[2]")
    truth = {f"{pair}.restitution": 0.6, f"{pair}.sliding_friction": 0.2}
    truth["material.Rubber.youngs_modulus"] = 2e6
    bounds = {name: (value / 2, value * 1.5) for name, value in truth.items()}
    made = contact_fmu.load(fmu, outputs=outputs).run(stop=0.45, step=1e-3, tolerance=1e-10)
    sizes = {x: 0.01 * float(np.abs(made[x]).max()) for x in outputs}
    for noise in (sizes, None):
        inside = dict.fromkeys([*truth, "all"], 0)
        for seed in range(seeds):
            draw = np.random.default_rng(seed).normal
            data = {x: made[x] + draw(0, sizes[x], len(made.time)) for x in outputs}
            fit = contact_fmu.identify(fmu, {"time": made.time, **data}, bounds, noise=noise)
            assert fit.warnings == []
            for name, (low, high) in fit.intervals.items():
                assert high - low < 0.2 * truth[name]
                inside[name] += low <= truth[name] <= high
            off = np.array([fit.values[name] - truth[name] for name in truth])
            # 95 % of the distribution chi squared with 3 degrees of freedom.
            inside["all"] += off @ np.linalg.solve(fit.covariance, off) < 7.815
        assert min(inside.values()) >= 0.9 * seeds - 1, inside


def test_residuals_that_are_no_noise_are_told(contact_fmu, ball):
    times = np.arange(1, 101) * 0.01
    noise = np.random.default_rng(1).normal(0, 0.01, len(times))
    data = {"time": times, HEIGHT: RADIUS + bounces(times, 0.7, 1.0) + noise}

    def told(change=0.0, **options):
        given = {**data, HEIGHT: data[HEIGHT] + change}
        fit = contact_fmu.identify(ball, given, {HEIGHT: (0.8, 1.4)}, **options)
        return fit, [x for x in fit.warnings if x.startswith(f"the residuals of {HEIGHT}")]

    fit, warnings = told(noise={HEIGHT: 0.01})
    assert warnings == told()[1] == []
    assert np.allclose(fit.model[HEIGHT] - fit.residuals[HEIGHT], data[HEIGHT], rtol=0, atol=1e-12)
    # Of another restitution, of a drift, in millimetres, with more noise than was said.
    assert told(bounces(times, 0.5, 1.0) - bounces(times, 0.7, 1.0))[1]
    assert told(0.02 * np.sin(4 * times))[1]
    assert told(999 * data[HEIGHT])[1]
    assert told(noise={HEIGHT: 0.006})[1]
    # Data of the model itself, whose residuals are those of the integrator.
    made = contact_fmu.load(ball, outputs=[HEIGHT]).run(stop=1.0, step=0.01, tolerance=1e-9)
    assert contact_fmu.identify(ball, made, {HEIGHT: (0.8, 1.4)}).warnings == []
    # Panels of data with the model, and of residuals.
    left, right = fit.plot().axes
    points, line = left.get_lines()
    assert np.array_equal(line.get_ydata(), fit.model[HEIGHT])
    assert np.allclose(points.get_ydata(), data[HEIGHT], rtol=0, atol=1e-12)
    assert np.array_equal(right.get_lines()[0].get_ydata(), fit.residuals[HEIGHT])
    assert left.get_ylabel() == f"{HEIGHT} [m]"


def test_rows_are_at_the_times_of_the_data(contact_fmu, ball):
    """Free fall and bounces at times that a step of the shortest distance would not meet."""
    model = contact_fmu.load(ball, outputs=[HEIGHT])
    fine = model.run(stop=0.9, step=2.5e-3, tolerance=1e-8)
    for rows in (np.arange(1, 360, 4), np.array([40, 44, 50, 120, 200, 301])):
        data = {"time": fine.time[rows], HEIGHT: fine[HEIGHT][rows]}
        fit = contact_fmu.identify(ball, data, {RESTITUTION: (0.5, 0.8)})
        assert np.abs(fit.residuals[HEIGHT]).max() < 1e-7


def test_a_time_offset_is_found_and_wrong_data_are_refused(contact_fmu, ball):
    times = np.arange(20, 60) * 0.01
    data = {"time": times, HEIGHT: RADIUS + bounces(times - 0.03, 0.7, 1.0)}
    options = {"offset": (-0.1, 0.1), "starts": 3}
    fit = contact_fmu.identify(ball, data, {HEIGHT: (0.8, 1.4)}, **options)
    assert fit.values["time offset"] == pytest.approx(0.03, abs=1e-3)
    assert fit.values[HEIGHT] == pytest.approx(1.1, abs=2e-3)
    with pytest.raises(contact_fmu.ArgumentError) as error:
        contact_fmu.identify(
            ball, {"time": times, "bal.position": times[1:]}, {"ball.mas": (2, 1)}, noise={"x": 1}
        )
    assert len(error.value.problems) == 5


SLED = """
format = 1
name = "sled"
experiment = { stop_time = 10 }
world = { gravity = "none" }

[[body]]
name = "sled"
motion = "free"
shape = [{ material = "Steel", sphere = { diameter = 0.1 } }]

[[force]]
name = "push"
body = "sled"
input = true
"""


@pytest.fixture(scope="module")
def sled(tool: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sled")
    (folder / "sled.toml").write_text(SLED)
    command = [tool, "build", folder / "sled.toml", "-o", folder / "sled.fmu"]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    return folder / "sled.fmu"


def test_a_fit_needs_inputs_and_says_what_is_wrong(contact_fmu, sled):
    """x = F t^2 / (2 m) under a constant force."""
    place, force, mass = "sled.position[1]", "force.push.force[1]", "sled.mass"
    times = np.linspace(0.1, 1.0, 10)
    data, bounds = {"time": times, place: 2.0 * times**2 / (2 * 1.5)}, {mass: (1.0, 2.0)}
    held = {name: [0.0, 0.0] for name in contact_fmu.load(sled).inputs}
    push = {"time": [0.0, 1.0], **held, force: [2.0, 2.0]}
    fit = contact_fmu.identify(sled, data, bounds, inputs=push)
    assert fit.warnings == []
    assert fit.values[mass] == pytest.approx(1.5, rel=1e-6)
    lacking = contact_fmu.identify(sled, data, bounds).warnings
    assert {f"no values over time of the input {name}" for name in held} < {*lacking}
    assert f"the data do not tell {mass}" in lacking

    def refused(text, given=data, parameters=bounds, **options):
        with pytest.raises(contact_fmu.ArgumentError) as error:
            contact_fmu.identify(sled, given, parameters, **options)
        assert str(error.value) == text

    refused(f"{place} has no number", {**data, place: [np.nan] * 10, "sled.position[2]": times})
    refused("1 values of data are too few for 1 parameters", {**data, place: [1.0] + 9 * [np.nan]})
    refused("data need columns of the length of 'time'", {**data, place: times[1:]})
    refused(
        "data must be columns of numbers: could not convert string to float: '1 m'",
        {place: ["1 m"]},
    )
    wrong = "sled.mas is no variable of the FMU; did you mean sled.mass?"
    refused(wrong, parameters={"sled.mas": (1.0, 2.0)})
    wrong = "der(sled.position[1]) has no start value, so it cannot be set"
    refused(wrong, parameters={"der(sled.position[1])": (1.0, 2.0)})
    refused("sled.mass: bounds are (2, 1); give (low, high)", parameters={mass: (2, 1)})
    refused("time offset: bounds are 0.1; give (low, high)", offset=0.1)
    refused("input has no column 'time', only force.push.force[1]", inputs={force: [1.0]})
    refused("tolerance is 2; must be a number > 0 and < 1", tolerance=2)


def test_an_environment_moves_a_sled_and_repeats_its_bits(contact_fmu, sled):
    """x = F t^2 / (2 m) under a constant force."""
    from gymnasium.utils.env_checker import check_env

    place, speed, force = "sled.position[1]", "sled.velocity[1]", "force.push.force[1]"

    def make(**options):
        return contact_fmu.Env(
            sled,
            {force: (-2.0, 2.0)},
            [place, speed],
            lambda seen, action: -abs(seen[0]),
            step=0.1,
            duration=1.0,
            **options,
        )

    env = make(parameters={"sled.mass": ("uniform", 1.0, 2.0)})
    check_env(env, skip_render_check=True)

    def episode(seed):
        rows = [env.reset(seed=seed)]
        while len(rows) == 1 or not (rows[-1][2] or rows[-1][3]):
            rows.append(env.step(np.array([1.5])))
        return rows

    first = episode(5)
    mass = first[0][1]["set"]["sled.mass"]
    assert 1 <= mass <= 2
    assert len(first) == 11
    assert first[-1][0] == pytest.approx([1.5 / mass / 2, 1.5 / mass], rel=1e-6)
    assert first[-1][1] == -abs(first[-1][0][0])
    again = episode(5)
    assert all((a[0] == b[0]).all() for a, b in zip(first, again, strict=True))
    assert episode(6)[0][1] != first[0][1]
    far = make(end=lambda seen: seen[0] > 0.1)
    far.reset(options={"set": {"sled.mass": 1.0}})
    # After 0.1 = 2 t^2 / 2 the place is beyond, at the step from 0.3 s to 0.4 s.
    assert [far.step(np.array([2.0]))[2] for _ in range(4)] == [False, False, False, True]


@pytest.mark.full
def test_environments_run_in_processes_of_a_vector(contact_fmu, sled):
    """x = F t^2 / (2 m), with a mass of its own in each."""
    from gymnasium.vector import AsyncVectorEnv

    place, force = "sled.position[1]", "force.push.force[1]"

    def make():
        return contact_fmu.Env(
            sled,
            {force: (-2.0, 2.0)},
            [place],
            lambda seen, action: 0.0,
            step=0.1,
            duration=1.0,
            parameters={"sled.mass": ("uniform", 1.0, 2.0)},
        )

    several = AsyncVectorEnv([make] * 3)
    try:
        _, info = several.reset(seed=[1, 2, 3])
        masses = info["set"]["sled.mass"]
        assert len({*masses}) == 3
        for step in range(1, 6):
            seen, *_ = several.step(np.full((3, 1), 2.0))
            assert seen[:, 0] == pytest.approx((0.1 * step) ** 2 / masses, rel=1e-6)
    finally:
        several.close()
