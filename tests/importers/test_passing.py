"""No body passes through another one in an importer that looks at the ends of its steps only.

FMPy's own Model Exchange, in both of its ways to restart CVODE, with output intervals from a
millisecond to the whole run: a ball dropped on a shelf over a floor never comes below the shelf.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import soak, tiers
from table import FMPYS

# Runs with the FMPy of its PYTHONPATH: reads jobs, writes the last heights.
DRIVER = """
import json, sys
from fmpy import simulate_fmu
jobs = json.load(sys.stdin)
def last(job):
    rows = simulate_fmu(job["fmu"], fmi_type="ModelExchange", stop_time=1.6,
                        output_interval=job["interval"], output=["ball.position[3]"])
    return float(rows["ball.position[3]"][-1])
print(json.dumps([last(job) for job in jobs]))
"""

INTERVALS = [1.6, 0.1, 0.01, 0.001]


def shelves(count: int, seed: int) -> list[tuple[float, float, float]]:
    """Height of shelf and ball and diameter of the ball [m]."""
    random = np.random.default_rng(seed)
    low, high = [0.15, 2, 0.04], [0.6, 8, 0.2]
    return [tuple(row) for row in random.uniform(low, high, (count, 3)).tolist()]


def passed(build, fmpy: str, count: int, fmi: int) -> list[str]:
    """Runs in which the ball was below the shelf at the end."""
    jobs, texts = [], []
    for shelf, height, diameter in shelves(count, seed=2026):
        fmu = build(
            "shelf",
            ("position = [0, 0, 0.4]", f"position = [0, 0, {shelf}]"),
            ("position = [0, 0, 5.0]", f"position = [0, 0, {height}]"),
            ("diameter = 0.1", f"diameter = {diameter}"),
            fmi=fmi,
        )
        for interval in INTERVALS:
            jobs.append({"fmu": str(fmu.archive), "interval": interval, "shelf": shelf})
            texts.append(f"shelf {shelf} m, from {height} m, interval {interval} s")
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | FMPYS[fmpy],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    heights = json.loads(done.stdout.splitlines()[-1])
    both = zip(heights, jobs, texts, strict=True)
    return [f"{text}: {z} m" for z, job, text in both if z < job["shelf"]]


@pytest.mark.parametrize("count", tiers([1, 8], {"1"}))
@pytest.mark.parametrize("fmpy", FMPYS)
def test_no_ball_falls_through_a_shelf(build, fmi, fmpy, count):
    assert passed(build, fmpy, count, fmi) == []


@pytest.mark.full
@pytest.mark.parametrize("fmpy", FMPYS)
def test_none_of_many_balls_falls_through_a_shelf(build, fmpy):
    assert passed(build, fmpy, soak(250), 3) == []


def test_the_tool_meets_the_shelf_in_both_interfaces(tool: Path, tmp_path: Path):
    scene = Path(__file__).parents[1] / "scenes" / "shelf.toml"
    for interface in (["me"], ["cs", "--step", "0.1"], ["cs", "--step", "1.6"]):
        command = [tool, "simulate", scene, "--out", tmp_path, "--interface", *interface]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        first = (tmp_path / "events.csv").read_text().splitlines()[1]
        assert "start,shelf" in first, f"{interface}: {first}"
