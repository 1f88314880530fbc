"""Rows of granular mode: beside LAMMPS, discharge of a silo, angle of repose, 100,000 balls."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator

import numpy as np

import balls_lammps
import scenes
from bench import Bench, Fmu, by_turns, peak_memory
from silo import Heap, Silo

# Task, ours, other, ratio, target.
Line = tuple[str, str, str, float | None, str]
STEP = 1e-5
COUNTS = (100, 1000, 10_000)
OVERLAP = "experiment.statistics.largest_overlap"


def rows(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    yield from beside_lammps(bench, seconds)
    yield from discharge(bench, seconds)
    yield from repose(bench, seconds)
    yield from settling(bench, seconds)


def balls_fmu(bench: Bench, count: int, threads: int = 1) -> Fmu:
    scene, places = scenes.balls_dem(scenes.balls_at_start(count), threads)
    (bench.folder / "balls.xyz").write_text(places)
    return bench.fmu(f"dem_{count}_{threads}", scene)


def beside_lammps(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """The same balls, law and step of 10 us; 1 s."""
    program = shutil.which("lmp")
    if program is None:
        print("LAMMPS is not installed", file=sys.stderr)
        return
    cpu = {}
    for count in COUNTS:
        fmu = balls_fmu(bench, count)
        balls, half = scenes.balls_at_start(count)[:, :3], scenes.side(count) / 2
        ours, other = by_turns(
            lambda f=fmu: bench.values(f, 1, 0.01, OVERLAP)[0],
            lambda b=balls, h=half: balls_lammps.times(program, h, b, STEP),
            runs=1 if count > 1000 else 3,
        )
        cpu[count] = ours["cpu"]
        task = f"{count:,} balls fall into a box, 1 s, granular mode, steps of 10 us"
        deepest = np.loadtxt(bench.folder / "values.txt")
        theirs = balls_lammps.overlap(program, half, balls, STEP)
        yield (
            task,
            f"{seconds(ours['cpu'])} (wall {seconds(ours['wall'])}); deepest {1e3 * deepest[-1]:.3f} mm",
            f"LAMMPS: {seconds(other['cpu'])} (wall {seconds(other['wall'])}); deepest "
            f"{1e3 * theirs:.3f} mm",
            ours["cpu"] / other["cpu"],
            "1.0",
        )
        if count > 100:
            shared = bench.cs(balls_fmu(bench, count, threads=2), 1, 0.01)
            yield (
                f"{task}, two threads: wall time",
                f"{seconds(shared['wall'])}; CPU {seconds(shared['cpu'])}",
                f"one thread: {seconds(ours['wall'])}",
                shared["wall"] / ours["wall"],
                "-",
            )
            yield (
                f"{task}: CPU of ten times as many",
                seconds(ours["cpu"]),
                f"{count // 10:,}: {seconds(cpu[count // 10])}",
                ours["cpu"] / cpu[count // 10],
                "12",
            )


def rate(silo: Silo, out: np.ndarray, step: float) -> float:
    """Discharge rate [kg/s] from a tenth of a second after the opening on, until the end."""
    first = round((silo.opened + 0.1) / step)
    times = step * np.arange(len(out))[first:]
    return float(np.polyfit(times, out[first:], 1)[0]) * silo.ball_mass


def discharge(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """10,000 balls from a flat silo through two holes, beside Beverloo's law."""
    roots = {}
    for orifice, stop in ((8.0, 0.65), (6.0, 0.85)):
        silo = Silo(orifice=orifice, stop=stop)
        fmu = bench.fmu(f"silo_{orifice:g}", silo.scene())
        names = ("balls.out.count", "balls.core.count", OVERLAP)
        times, (out, core, overlaps) = bench.values(fmu, silo.stop, 0.01, *names)
        bulk = silo.bulk_density(np.mean(core[round((silo.opened + 0.1) / 0.01) :]))
        found, law = rate(silo, out, 0.01), silo.beverloo(bulk)
        roots[orifice] = (found / bulk) ** 0.4
        yield (
            f"{silo.count:,} balls of 6 mm flow from a silo through a hole of {6 * orifice:g} mm; "
            f"{seconds(times['cpu'])} CPU for {silo.stop:g} s",
            f"{1e3 * found:.0f} g/s at {bulk:.0f} kg/m3; deepest {1e3 * overlaps[-1]:.2f} mm",
            f"Beverloo, C = 0.58, k = 1.5: {1e3 * law:.0f} g/s",
            found / law,
            "0.9 to 1.1",
        )
    # W^(2/5) is linear in the hole and zero at k d.
    (a, b), d = roots.values(), silo.diameter
    slope = (a - b) / (2 * d)
    yield (
        "the same: width that no ball passes, from W^(2/5) of both holes",
        f"{(8 * d - a / slope) / d:.2f} diameters",
        "Beverloo, spheres: 1.5",
        None,
        "1 to 2",
    )


def repose(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """Ridges that are left on a plate."""
    angles = []
    cases = ((0.2, 0.0), (0.5, 0.0), (0.5, 0.2))
    for friction, rolling in cases:
        heap = Heap(friction=friction, rolling=rolling)
        fmu = bench.fmu("heap", heap.scene())
        path = bench.folder / "heap.xyz"
        command = [bench.tool, "simulate", fmu.path, "--out", bench.folder / "out"]
        bench.run([*command, "--bodies", path, "--every", heap.stop / 2])
        last = path.read_text().splitlines()[-heap.count :]
        places = np.array([[float(word) for word in line.split()[1:4]] for line in last])
        angles.append(heap.angle(places))
    text = "; ".join(
        f"{angle:.1f} deg (friction {friction}, rolling resistance {rolling})"
        for angle, (friction, rolling) in zip(angles, cases, strict=True)
    )
    yield ("angle of repose of 3,000 balls drained from a plate", text, "", None, "grows")


def settling(bench: Bench, seconds: Callable[[float], str]) -> Iterator[Line]:
    """100,000 balls come to rest in a box."""
    source, target = bench.folder / "settle.toml", bench.folder / "settle.fmu"
    source.write_text(scenes.settling(100_000))
    memory, cpu = peak_memory([bench.tool, "build", source, "-o", target])
    yield ("100,000 balls: the FMU built", seconds(cpu), "", None, "-")
    yield ("the same: peak of memory", f"{memory:.0f} MiB", "", None, "1 GB")
    fmu = Fmu(target)
    path = bench.folder / "deepest.txt"
    references = [bench.reference(fmu, name) for name in (OVERLAP, "b.kinetic_energy")]
    arguments = [*fmu.arguments, 0.3, 0.01, path, *references]
    memory, cpu = peak_memory([bench.programs / "cs_run", *arguments])
    deepest, energies = np.loadtxt(path).T
    yield (
        "100,000 balls sink together in a box, 0.3 s",
        f"{seconds(cpu)} CPU; deepest {1e3 * deepest[-1]:.2f} mm of 5 mm; kinetic energy at the end "
        f"{energies[-1] / energies.max():.1e} of the largest",
        "",
        None,
        "-",
    )
    yield ("the same: peak of memory, the FMU alone", f"{memory:.0f} MiB", "", None, "1 GB")
    options = ["--stop", "0.05", "--every", "0.05", "--only", "b.kinetic_energy"]
    command = [bench.tool, "simulate", target, "--out", bench.folder / "out", *options]
    memory, _ = peak_memory([*command, "--bodies", bench.folder / "settle.xyz"])
    yield ("the same: peak of memory, `fmu-build simulate`", f"{memory:.0f} MiB", "", None, "1 GB")
