"""One table from one run: this project beside CVODE, FMPy, LAMMPS, YADE and Drake.

    cargo build --release
    apt-get install libsundials-dev lammps yade
    pip install fmpy numpy scipy drake
    python fmu-core/benches/compare/table.py

Some twenty minutes, five without `granular`. Writes the table, machine and versions into README.md beside this file.
What is not installed is left out with a note. `--tool PATH` names another `fmu-build`, `--drake
PYTHON` the Python that has Drake, `--only TEXT` the rows to run, which are printed and not written.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np

import ball_reference
import balls_lammps
import grains
import islands
import scenes
from bench import HERE, Bench, Missing, by_turns, child_time, versions

ROOT = HERE.parents[2]


@dataclass
class Row:
    """`ratio` is what is measured of ours over the other; none where nothing is divided. If the
    other had not come to its end, `ratio` is above what it would be."""

    task: str
    ours: str
    other: str
    ratio: float | None
    target: str
    ended: bool = True


def seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def rest(bench: Bench):
    """A ball, a box and a pile at rest for 100 s."""
    for thing, friction, limit in (
        ("ball", "regularized", 20),
        ("box", "regularized", 20),
        ("pile", "stick", 15),
    ):
        fmu = bench.fmu(f"rest_{thing}", scenes.rest(thing, friction))
        runs = 1 if thing == "pile" else 3
        ours, other = by_turns(
            lambda fmu=fmu: bench.cs(fmu, 100, 0.1),
            lambda fmu=fmu, limit=limit: bench.me(fmu, "bdf", 1e-6, 100, longest=0.1, limit=limit),
            runs=runs,
        )
        steps = bench.work(fmu)["steps"] if thing != "pile" else None
        note = f"{seconds(other['cpu'])}, {other['steps']} steps"
        if other["reached"] < 100:
            note = f"{seconds(other['cpu'])} for the first {other['reached']:.3g} s"
        name = {"pile": "20 balls fall into a bin and rest"}.get(thing, f"a {thing} rests")
        text = seconds(ours["cpu"]) + (f", {steps} steps" if steps else "")
        task = f"{name}, 100 s, `{friction}`, tolerance 1e-6"
        ratio, ended = ours["cpu"] / other["cpu"], other["reached"] >= 100
        target = "5 s" if thing == "pile" else "3"
        yield Row(task, text, f"CVODE BDF on the FMU: {note}", ratio, target, ended)


def error(path: Path, shift: float, reference: np.ndarray) -> float:
    return float(np.max(np.abs(np.loadtxt(path) - shift - reference)))


def bouncing(bench: Bench):
    """The ball of ball.h: Co-Simulation, Model Exchange in FMPy, a call."""
    fmu = bench.fmu("bouncing", scenes.bouncing_ball())
    height = variable(fmu, "ball.position[3]")
    files = [bench.folder / name for name in ("ours.txt", "cvode.txt")]
    ours, adams = by_turns(
        lambda: bench.cs(fmu, 3, 0.01, files[0], height),
        lambda: bench.json("ball_cvode", "adams", 1e-8, files[1]),
    )
    reference = ball_reference.heights()
    errors = [error(files[0], 0.1, reference), error(files[1], 0, reference)]
    calls = bench.work(fmu)["derivative calls"]
    task = "a ball bounces and rests, 3 s, tolerance 1e-8: "
    theirs = "CVODE Adams, the ball alone in C: "
    yield Row(
        task + "evaluations",
        str(calls),
        f"{theirs}{adams['derivatives']}",
        calls / adams["derivatives"],
        "3000",
    )
    yield Row(
        task + "error",
        f"{errors[0]:.1e} m",
        f"{theirs}{errors[1]:.1e} m",
        errors[0] / errors[1],
        "1e-7 m",
    )
    yield Row(
        task + "CPU",
        seconds(ours["cpu"]),
        theirs + seconds(adams["cpu"]),
        ours["cpu"] / adams["cpu"],
        "0.35",
    )
    c_fmu = bench.c_fmu()
    in_fmpy = [fmpy_time(fmu, "ball.position[3]"), fmpy_time(c_fmu, "z")]
    yield Row(
        task + "CPU in FMPy",
        seconds(in_fmpy[0]),
        f"FMU by hand in C: {seconds(in_fmpy[1])}",
        in_fmpy[0] / in_fmpy[1],
        "-",
    )
    ours, other = by_turns(
        lambda: bench.json("calls", *fmu.arguments), lambda: bench.json("calls", *c_fmu.arguments)
    )
    yield Row(
        "one ball: time, states, derivatives, indicators, a call of each",
        seconds(ours["all"]),
        f"FMU by hand in C: {seconds(other['all'])}",
        ours["all"] / other["all"],
        "5",
    )


def variable(fmu, name: str) -> str:
    """Value reference of a variable."""
    description = fmpy.read_model_description(str(fmu.path))
    return next(str(v.valueReference) for v in description.modelVariables if v.name == name)


def fmpy_time(fmu, output: str) -> float:
    """CPU time of FMPy's own Model Exchange, the median of three [s]."""
    description, times = fmpy.read_model_description(str(fmu.path)), []
    for _ in range(3):
        loaded = fmpy.instantiate_fmu(str(fmu.folder), description, "ModelExchange")
        begin = time.process_time()
        fmpy.simulate_fmu(
            str(fmu.folder),
            model_description=description,
            fmu_instance=loaded,
            stop_time=3.0,
            relative_tolerance=1e-8,
            output_interval=0.01,
            output=[output],
            record_events=False,
        )
        times.append(time.process_time() - begin)
    return sorted(times)[1]


def friction(bench: Bench):
    """What friction costs an impact."""
    steps = {}
    for kind in ("off", "regularized", "coulomb", "stick"):
        fmu = bench.fmu(f"impact_{kind}", scenes.oblique_impact(kind))
        steps[kind] = bench.work(fmu)["steps"]
    for kind in ("regularized", "coulomb", "stick"):
        yield Row(
            f"a spinning ball hits a plane obliquely, 0.2 s, friction `{kind}`: steps",
            str(steps[kind]),
            f"the same with friction `off`: {steps['off']}",
            steps[kind] / steps["off"],
            "1.5",
        )


def stacks(bench: Bench):
    """Steps of things that come to rest on faces."""
    for name, scene, stop, target in (
        ("a stack of 5 cubes, 5 s", scenes.cubes(5), 5, "3000 steps"),
        ("a block slides to rest, 1 s", scenes.sliding_block(), 1, "1500 steps"),
    ):
        fmu = bench.fmu(name.split()[1], scene)
        ours, other = bench.work(fmu), bench.me(fmu, "bdf", 1e-6, stop, longest=0.1, limit=10)
        part = "" if other["reached"] >= stop else f" for the first {other['reached']:.3g} s"
        yield Row(
            f"{name}: steps",
            str(ours["steps"]),
            f"CVODE BDF on the FMU: {other['steps']}{part}",
            ours["steps"] / other["steps"],
            target,
            other["reached"] >= stop,
        )


def settled(bench: Bench):
    """One evaluation of 1,000 balls that lie in a box, memory."""
    start, states = scenes.balls_input(scenes.balls_at_start(1000)), bench.folder / "settled.txt"
    plain = bench.json("balls_verlet", 5e-5, 3, states, text=start)
    balls = np.loadtxt(states)
    fmu = bench.fmu("settled", scenes.balls_scene(balls))
    default = bench.fmu("settled_default", scenes.balls_scene(balls, law=""))
    ours, inferred, other = by_turns(
        lambda: bench.json("calls", *fmu.arguments),
        lambda: bench.json("calls", *default.arguments),
        lambda: bench.json("balls_verlet", 5e-5, 0, states, text=scenes.balls_input(balls)),
    )
    task = f"one evaluation of 1,000 balls at rest in a box, {plain['contacts']} contacts"
    theirs = "a step of plain C++ "
    yield Row(
        task,
        seconds(ours["derivatives"]),
        theirs + seconds(other["step"]),
        ours["derivatives"] / other["step"],
        "1.5",
    )
    yield Row(
        f"the same and its {ours['nz']} event indicators",
        seconds(ours["all"]),
        theirs + seconds(other["step"]),
        ours["all"] / other["step"],
        "-",
    )
    yield Row(
        "one evaluation, damping by the default law",
        seconds(inferred["derivatives"]),
        f"{theirs}{seconds(other['step'])}, simpler damping",
        inferred["derivatives"] / other["step"],
        "-",
    )
    yield Row(
        "memory of an instance with 1,000 balls",
        f"{ours['memory'] / 2**20:.3g} MiB",
        "",
        None,
        "20 MiB",
    )


def falling(bench: Bench):
    """Balls that fall into a box: Model Exchange in CVODE, Co-Simulation, granular programs."""
    for count, stop, tolerance in ((10, 1.0, 1e-6), (100, 0.5, 1e-6)):
        balls = scenes.balls_at_start(count)
        text = scenes.balls_input(balls)
        fmu = bench.fmu(f"balls_{count}", scenes.balls_scene(balls))
        ours, cs, other = by_turns(
            lambda f=fmu, t=tolerance, s=stop: bench.me(f, "adams", t, s),
            lambda f=fmu, s=stop: bench.cs(f, s, 0.01),
            lambda x=text, t=tolerance, s=stop: bench.json(
                "balls_cvode", "adams", t, s, 60, text=x
            ),
            runs=3 if count == 10 else 1,
        )
        task = f"{count} balls fall into a box, {stop:g} s, tolerance 1e-6: "
        theirs = f"CVODE Adams with events, the balls alone in C++: {seconds(other['cpu'])}"
        whole = other["cpu"] / other["reached"]
        yield Row(
            task + "Model Exchange in CVODE Adams",
            seconds(ours["cpu"]),
            theirs,
            ours["cpu"] / ours["reached"] / whole,
            "1.2",
        )
        target = "0.15"
        ratio = cs["cpu"] / stop / whole
        yield Row(task + "Co-Simulation", seconds(cs["cpu"]), theirs, ratio, target)
        if count == 10:
            yield from fixed_steps(bench, balls, cs["cpu"])


def fixed_steps(bench: Bench, balls: np.ndarray, ours: float):
    """Fixed steps of 10 us, without events and error control."""
    task, step = "10 balls fall into a box, 1 s: Co-Simulation", 1e-5
    path = bench.folder / "balls.txt"
    path.write_text(scenes.balls_input(balls))
    half = scenes.side(len(balls)) / 2
    programs = {
        "LAMMPS": ("lmp", lambda p: balls_lammps.cpu_time(p, half, balls[:, :3], step)),
        "YADE": ("yade", lambda p: yade_time(bench, p, path, step)),
    }
    for name, (program, run) in programs.items():
        found = shutil.which(program)
        if found is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        other = sorted(run(found) for _ in range(3))[1]
        yield Row(
            task,
            seconds(ours),
            f"{name}, 100,000 steps of 10 us: {seconds(other)}",
            ours / other,
            "-",
        )


def yade_time(bench: Bench, program: str, path: Path, step: float) -> float:
    text = bench.run([program, "-x", "-n", "-j1", HERE / "balls_yade.py", path, step])
    return json.loads(text[text.rindex("{") :])["cpu"]


def drake(bench: Bench):
    """A cube that falls flat and rests."""
    fmu = bench.fmu("cube", scenes.falling_cube())
    ours = by_turns(lambda: bench.cs(fmu, 1, 0.01))[0]["cpu"]
    try:
        text = bench.run([bench.drake, HERE / "cube_drake.py"])
    except RuntimeError as problem:
        print(f"Drake is left out: {str(problem).strip().splitlines()[-1]}", file=sys.stderr)
        return
    other = json.loads(text)["cpu"]
    yield Row(
        "a cube falls 50 mm and rests, 1 s, tolerance 1e-6",
        seconds(ours),
        f"Drake, hydroelastic contact, runge_kutta3: {seconds(other)}",
        ours / other,
        "-",
    )


def binding(bench: Bench):
    """Initialisation of a large model."""
    made = []
    build = child_time(lambda: made.append(bench.fmu("many", scenes.many_balls(10_000))))
    init = by_turns(lambda: {"cpu": bench.cs(made[0], 0, 0.01)["init"]})[0]["cpu"]
    yield Row("10,000 balls: an instance made and initialised", seconds(init), "", None, "0.5 s")
    yield Row("10,000 balls: the FMU built", seconds(build), "", None, "-")


def granular(bench: Bench):
    """Granular mode, grains.py."""
    for row in grains.rows(bench, seconds):
        yield Row(*row)


def divided(bench: Bench):
    """Islands, islands.py."""
    for row in islands.rows(bench, seconds):
        yield Row(*row)


PARTS = (rest, bouncing, friction, stacks, drake, settled, falling, binding, divided, granular)


def markdown(rows: list[Row], machine: str) -> str:
    text = "| task | ours | other | ratio | target |\n|---|---|---|---|---|\n"
    for row in rows:
        ratio = "" if row.ratio is None else f"{'' if row.ended else '< '}{row.ratio:.2g}"
        text += f"| {row.task} | {row.ours} | {row.other} | {ratio} | {row.target} |\n"
    return f"{text}\n{machine}.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tool", type=Path, default=ROOT / "target/release/fmu-build")
    parser.add_argument("--drake", default=sys.executable)
    parser.add_argument("--only", default="", help="rest, bouncing, friction, stacks, ...")
    options = parser.parse_args()
    bench = Bench(ROOT / "target/compare", options.tool)
    bench.drake = options.drake
    rows = []
    for part in PARTS:
        if options.only not in part.__name__:
            continue
        begin = time.monotonic()
        try:
            for row in part(bench):
                rows.append(row)
                print(f"{row.task}: {row.ours} | {row.other} | {row.ratio}", file=sys.stderr)
        except Missing as missing:
            print(f"{part.__name__} is left out: no {missing}", file=sys.stderr)
        print(f"  {part.__name__}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
    text = markdown(rows, versions(bench, bench.drake))
    if options.only:
        print(text)
    else:
        page = HERE / "README.md"
        mark = "<!-- table -->\n"
        page.write_text(page.read_text().partition(mark)[0] + f"{mark}\n{text}")


if __name__ == "__main__":
    main()
