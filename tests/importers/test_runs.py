"""Runs that one can watch and end: progress on a terminal, Ctrl-C, rows of runs that fail."""

from __future__ import annotations

import csv
import os
import pty
import re
import select
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT, tiers

BALL = ROOT / "examples" / "bouncing_ball" / "scene.toml"
ARCH = ROOT / "examples" / "masonry_arch" / "scene.toml"
# What a terminal gets to move its cursor.
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Far longer than any of these runs needs; a run that hangs fails.
PATIENCE = 120


@dataclass
class Terminal:
    """A command in a pseudo terminal of 200 columns, with a folder of its own for temporary files."""

    command: list[str]
    folder: Path
    said: str = ""
    _bytes: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(self.folder)
            environment = {**os.environ, "TMPDIR": str(self.temporary), "TERM": "xterm"}
            environment.pop("COLUMNS", None)
            os.execve(self.command[0], self.command, environment)
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))

    def read(self, until: str | None = None) -> str:
        """What was said so far, once it has this expression; or all of it, at the end."""
        limit = time.monotonic() + PATIENCE
        while until is None or not re.search(until, self.said):
            ready, _, _ = select.select([self.terminal], [], [], 1)
            assert time.monotonic() < limit, self.said
            if not ready:
                continue
            try:
                new = os.read(self.terminal, 1 << 16)
            except OSError:
                new = b""
            if not new:
                assert until is None, f"{until} was not said: {self.said}"
                break
            self._bytes += new
            self.said = CONTROL.sub("", self._bytes.decode("utf-8", "replace"))
        return self.said

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        os.kill(self.pid, number)

    def end(self) -> int:
        """Reads to the end; the exit code."""
        self.read()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


def rows_of(file: Path) -> tuple[list[str], np.ndarray]:
    """Names and values of a table, each row complete and later than the one before."""
    with file.open(newline="") as lines:
        names, *rows = csv.reader(lines)
    assert rows and all(len(row) == len(names) for row in rows)
    values = np.array(rows, float)
    assert (np.diff(values[:, 0]) > 0).all()
    return names, values


def check_results(folder: Path, name: str, last: float, rows: int) -> np.ndarray:
    """Table, plot and events of a run that came to a time [s]; nothing unfinished beside them."""
    _, values = rows_of(folder / f"{name}.csv")
    assert len(values) == rows
    assert values[-1, 0] == pytest.approx(last, rel=1e-8)
    ElementTree.parse(folder / f"{name}.svg")
    with (folder / "events.csv").open(newline="") as lines:
        events = list(csv.DictReader(lines))
    # They may be of the step that did not come to its end.
    times = [float(event["time"]) for event in events]
    assert times == sorted(times)
    assert not list(folder.glob("*.partial")) and not list(folder.glob(".*"))
    return values


def told(said: str) -> tuple[float, int]:
    """Time and number of rows that an interrupted or failed run tells."""
    match = re.search(r"has (\d+) rows? up to t = (\S+) s", said)
    assert match, said
    return float(match[2]), int(match[1])


@pytest.mark.parametrize("interface", tiers(["cs", "me"], {"cs"}))
@pytest.mark.parametrize("of", tiers(["scene", "fmu"], {"scene"}))
def test_a_run_is_shown_and_an_interrupt_leaves_valid_results(tool, tmp_path, fmi, interface, of):
    """A run of 1e6 s; the first line on the terminal comes long before its end."""
    source = BALL
    if of == "fmu":
        source = tmp_path / "bouncing_ball.fmu"
        build = [tool, "build", BALL, "-o", source, "--fmi", str(fmi)]
        subprocess.run(build, check=True, timeout=60, capture_output=True)
    options = ["--interface", interface, "--stop", "1e6", "--step", "0.5", "--out", "out"]
    options += ["--fmi", str(fmi)] if of == "scene" else []
    run = Terminal([str(tool), "simulate", str(source), *options], tmp_path)
    run.read(until=r"t = \S+ s of 1000000 s, .* left, steps of \S+ s, limited by .*, \d+ steps, 3\d events")
    assert "ball" in run.said.rpartition("limited by")[2], run.said
    folder = tmp_path / "out"
    # Rows are on the disk already.
    assert len((folder / "bouncing_ball.csv.partial").read_text().splitlines()) > 2
    run.interrupt()
    assert run.end() == 130
    assert re.search(r"interrupted at t = \S+ s; out/bouncing_ball.csv has", run.said)
    last, rows = told(run.said)
    values = check_results(folder, "bouncing_ball", last, rows)
    assert 1 < last < 1e6 and rows == pytest.approx(last / 0.5 + 1, abs=1.01)
    # The ball has come to rest on the plate.
    assert values[-1, 3] == pytest.approx(0.1, abs=1e-4)
    assert list(run.temporary.iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)])
def test_an_interrupt_ends_a_long_communication_step(tool, tmp_path, fmi, number):
    """One communication step of 1e4 s: the FMU itself tells how far it is, and is left where it is."""
    options = ["--stop", "1e4", "--step", "1e4", "--fmi", str(fmi), "--out", "out"]
    options += ["--set", "experiment.max_steps=1e9", "--replay", "--picture", "0", "--picture", "9"]
    run = Terminal([str(tool), "simulate", str(ARCH), *options], tmp_path)
    run.read(until=r"t = 0\.0*[1-9]\S* s of 10000 s, .*steps of \S+ s, limited by .*, \d+ steps")
    run.interrupt(number)
    assert run.end() == 130
    last, rows = told(run.said)
    assert (last, rows) == (0, 1)
    check_results(tmp_path / "out", "masonry_arch", last, rows)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"masonry_arch.html", "masonry_arch_t0.svg", "masonry_arch_t0.png"} <= names
    assert not any("t9" in name for name in names)
    assert list(run.temporary.iterdir()) == []


def test_a_second_interrupt_ends_at_once_without_results(tool, tmp_path):
    options = ["--stop", "1e4", "--step", "1e4", "--out", "out", "--set", "experiment.max_steps=1e9"]
    run = Terminal([str(tool), "simulate", str(ARCH), *options], tmp_path)
    run.read(until=r"t = \S+ s of 10000 s, .* steps")
    run.interrupt()
    time.sleep(0.1)
    run.interrupt()
    assert run.end() == 130
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["masonry_arch.fmu"]
    assert list(run.temporary.iterdir()) == []


def test_rows_of_an_earlier_run_stay_until_the_next_one_ends(tool, tmp_path):
    options = ["simulate", str(BALL), "--out", "out"]
    first = subprocess.run([tool, *options], cwd=tmp_path, timeout=60, capture_output=True)
    assert first.returncode == 0
    # Nothing is shown where nobody looks.
    assert first.stderr == b""
    table = tmp_path / "out" / "bouncing_ball.csv"
    old = table.read_text()
    run = Terminal([str(tool), *options, "--stop", "1e6", "--step", "0.5"], tmp_path)
    run.read(until=r"t = \S+ s of 1000000 s, .* left")
    assert table.read_text() == old
    run.interrupt()
    assert run.end() == 130
    _, values = rows_of(table)
    assert (np.diff(values[:, 0]) == 0.5).all()


@pytest.mark.parametrize("naming", ["structured", "flat"])
def test_start_values_of_states_are_set_in_a_scene_and_in_its_fmu(build, tool, tmp_path, fmi, naming):
    scene = ROOT / "examples" / "double_pendulum" / "scene.toml"
    text = f'{scene.read_text()}\n[interface]\nnaming = "{naming}"\n'
    (tmp_path / "scene.toml").write_text(text)
    fmu = build(scene, fmi=fmi, options=("--naming", naming))
    elbow = "elbow.angle" if naming == "structured" else "elbow_angle"
    rate = f"{elbow[:6]}angular_velocity"
    settings = ["--set", f"{elbow}=30 deg", "--set", f"{rate}=2"]
    tables = []
    for source in (tmp_path / "scene.toml", fmu.archive):
        out = tmp_path / source.suffix
        command = [tool, "simulate", source, "--stop", "0.1", "--out", out, *settings]
        command += ["--fmi", str(fmi)] if source.suffix == ".toml" else []
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        (table,) = (file for file in out.glob("*.csv") if file.name != "events.csv")
        names, values = rows_of(table)
        first = dict(zip([name.split(" ")[0].strip('"') for name in names], values[0], strict=True))
        assert first[elbow] == pytest.approx(np.pi / 6, abs=1e-15)
        assert first[rate] == 2
        tables.append(values)
    assert tables[0] == pytest.approx(tables[1], rel=1e-13, abs=1e-13)


def test_limits_are_for_fmus_of_others(build, tool, tmp_path):
    """An FMU unpacks to more than a MiB, its binary alone to four."""
    options = ["--max-unpacked", "1", "--stop", "0.01", "--out", "out"]
    for source, code in ((BALL, 0), (build(BALL).archive, 1)):
        command = [tool, "simulate", source, *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
    assert "--max-unpacked allows more" in done.stderr


@pytest.mark.full
def test_a_run_that_crawls_names_body_pair_and_cause(tool, tmp_path):
    """Steel at rest on steel with an explicit formula: its stability limits the steps."""
    options = ["--stop", "1e5", "--step", "1e5", "--max-steps", "1000000000"]
    options += ["--set", "experiment.solver=explicit"]
    run = Terminal([str(tool), "simulate", str(BALL), *options], tmp_path)
    run.read(until=r"slow at t = .*\n")
    reason = re.search(r"slow at t = .*", run.said)[0]
    assert re.search(r"limited by the contact ground:ball, depth \S+ m, stiffness \S+ N/m", reason)
    assert "make it softer" in reason
    run.interrupt()
    assert run.end() == 130


@pytest.mark.parametrize("interface", ["cs", "me"])
def test_a_run_that_fails_keeps_its_rows_and_names_the_stiffest_contact(tool, tmp_path, fmi, interface):
    """Two internal steps are too few for an impact: up to that it works."""
    options = ["--interface", interface, "--fmi", str(fmi), "--out", "out", "--max-steps"]
    options += ["2", "--step", "0.01"] if interface == "cs" else ["25", "--step", "3"]
    run = subprocess.run(
        [tool, "simulate", BALL, *options],
        cwd=tmp_path,
        timeout=60,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "max_steps" in run.stderr or "--max-steps" in run.stderr
    last, rows = told(run.stderr)
    values = check_results(tmp_path / "out", "bouncing_ball", last, rows)
    if interface == "cs":
        # It falls 0.4515 s.
        assert last == pytest.approx(0.45, abs=0.011)
        fall = 1.1 - 0.5 * 9.81 * values[:, 0] ** 2
        assert np.abs(values[:-1, 3] - fall[:-1]).max() < 1e-6
        assert "stiffest contact is ground:ball" in run.stderr or "nothing is in contact" in run.stderr


def test_progress_is_told_when_it_is_asked_for_and_only_then(tool, tmp_path):
    command = [str(tool), "simulate", str(BALL), "--out", "out"]
    asked = subprocess.run(
        [*command, "--progress"], cwd=tmp_path, timeout=60, capture_output=True, text=True
    )
    assert re.search(r"^t = 3 s of 3 s, 100 %, .*0 s left", asked.stderr.splitlines()[-1])
    silent = Terminal([*command, "--progress=never"], tmp_path)
    assert silent.end() == 0
    assert "s left" not in silent.said


def test_the_panels_of_a_plot_are_chosen_by_name(tool, tmp_path):
    def simulate(plot: str) -> subprocess.CompletedProcess[str]:
        command = [tool, "simulate", BALL, "--out", tmp_path, "--plot", plot]
        return subprocess.run(command, timeout=60, capture_output=True, text=True)

    assert simulate("ball.position[3];ball.vel*,ball.mass").returncode == 0
    picture = (tmp_path / "bouncing_ball.svg").read_text()
    assert picture.count("ball.position[3]") > 0
    assert "ball.velocity[3]" in picture and "ball.mass" in picture
    # A parameter is recorded because it is plotted.
    names, values = rows_of(tmp_path / "bouncing_ball.csv")
    assert (values[:, names.index("ball.mass")] > 0).all()
    refused = simulate("bal.position")
    assert refused.returncode == 1
    assert '--plot "bal.position" matches no output and is no variable' in refused.stderr


def test_impulses_are_told_among_the_events(tool, tmp_path):
    """The first impact of a ball of 1 kg that falls 10 m onto a floor, e = 0.8: (1 + e) m v upwards."""
    scene = ROOT / "tests" / "scenes" / "engelson_ball.toml"
    run = [tool, "simulate", scene, "--out", tmp_path]
    subprocess.run(run, check=True, timeout=60, capture_output=True)
    with (tmp_path / "events.csv").open(newline="") as lines:
        events = [row for row in csv.DictReader(lines) if row["event"] == "impulse"]
    names, values = rows_of(tmp_path / "engelson_ball.csv")
    fall = float(events[0]["time"])
    row = np.searchsorted(values[:, 0], fall) - 1
    speed = values[row, names.index("ball.velocity[3]")]
    assert speed == pytest.approx(-9.8 * values[row, 0], rel=1e-9)
    impulse = np.array([float(events[0][f"impulse[{i}]"]) for i in (1, 2, 3)])
    assert impulse[:2] == pytest.approx([0, 0], abs=1e-12)
    assert impulse[2] == pytest.approx(1.8 * 9.8 * fall, rel=1e-6)
    # Each impact is the one before times e.
    assert float(events[1]["impulse[3]"]) == pytest.approx(0.8 * impulse[2], rel=1e-6)
