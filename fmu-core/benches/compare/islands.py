"""Rows of islands: balls in a box, a pile, billiards, beside CVODE and Drake's CENIC."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

import scenes
from bench import HERE, Bench, by_turns

# Task, ours, other, ratio, target.
Line = tuple[str, str, str, float | None, str]


def rows(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    yield from growth(bench, seconds)
    yield from beside_cenic(bench, seconds)
    yield from alone(bench, seconds)


def growth(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """What ten times as many balls cost, over times with impacts in all layers."""
    cpu = {}
    for count, stop in ((10, 1.0), (100, 1.0), (1000, 0.36)):
        balls = scenes.balls_at_start(count)
        fmu = bench.fmu(f"balls_{count}", scenes.balls_scene(balls))
        runs = 3 if count == 10 else 1
        [ours] = by_turns(lambda f=fmu, s=stop: bench.cs(f, s, 0.01), runs=runs)
        cpu[count] = ours["cpu"]
        task = f"{count:,} balls fall into a box, {stop:g} s, tolerance 1e-6: Co-Simulation"
        target = "15 s for 1 s" if count == 1000 else "-"
        yield task, seconds(ours["cpu"]), "", None, target
    yield (
        "100 balls fall into a box, 1 s, tolerance 1e-6: growth",
        seconds(cpu[100]),
        f"10 balls: {seconds(cpu[10])}",
        cpu[100] / cpu[10],
        "15",
    )


def beside_cenic(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """CENIC in Drake with the same accuracy; its contact is a spring of the same peak force."""
    for count, stop in ((10, 1.0), (100, 0.5)):
        balls = scenes.balls_at_start(count)
        fmu = bench.fmu(f"balls_{count}", scenes.balls_scene(balls))
        path = bench.folder / f"balls_{count}.txt"
        path.write_text(scenes.balls_input(balls))

        def cenic(path=path, stop=stop) -> dict:
            command = [bench.drake, HERE / "balls_drake.py", path, 1e-6, stop]
            return json.loads(bench.run(command).splitlines()[-1])

        try:
            ours, other = by_turns(lambda f=fmu, s=stop: bench.cs(f, s, 0.01), cenic, runs=1)
        except RuntimeError as problem:
            print(f"CENIC is left out: {str(problem).strip().splitlines()[-1]}", file=sys.stderr)
            return
        yield (
            f"{count} balls fall into a box, {stop:g} s, tolerance 1e-6: Co-Simulation",
            seconds(ours["cpu"]),
            f"Drake, point contact, CENIC: {seconds(other['cpu'])}, {other['steps']} steps",
            ours["cpu"] / other["cpu"],
            "0.1",
        )


def alone(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """Times alone."""
    fmu = bench.fmu("billiards", scenes.billiards())
    [ours] = by_turns(lambda: bench.cs(fmu, 5, 0.02))
    task = "a break shot of billiards, 16 balls, 5 s, tolerance 1e-5"
    yield task, seconds(ours["cpu"]), "", None, "0.2 s"
