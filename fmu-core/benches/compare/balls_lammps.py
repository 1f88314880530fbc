"""The balls of scenes.py in LAMMPS (granular: Hertz by material, Mindlin, damping of Tsuji; fixed
step, one thread), 1 s."""

from __future__ import annotations

import os
import subprocess
import tempfile

import numpy as np


LAW = "hertz/material 2.1e9 0.7 0.3 tangential mindlin NULL 1.0 0.5 damping tsuji"
RADIUS = 0.05
# Steps from one look at the overlaps to the next.
LOOK = 10
# Least distance of two centres, least height, largest distance of walls from the middle, at each look.
WATCH = f"""compute pairs all pair/local dist
compute nearest all reduce min c_pairs
compute lowest all reduce min z
variable ax atom abs(x)
variable ay atom abs(y)
compute widest all reduce max v_ax v_ay
fix watch all ave/time {LOOK} 1 {LOOK} c_nearest c_lowest c_widest[1] c_widest[2] file watched
"""


def cpu_time(program: str, half: float, balls: np.ndarray, step: float) -> float:
    """CPU time of the loop over all steps [s]."""
    return times(program, half, balls, step)["cpu"]


def times(program: str, half: float, balls: np.ndarray, step: float) -> dict[str, float]:
    """CPU time and wall time of the loop over all steps [s]."""
    output, _ = run(program, half, balls, step, "")
    lines = output.splitlines()
    wall = float(next(line for line in lines if line.startswith("Loop time")).split()[3])
    share = next(line for line in lines if "CPU use" in line).split("%")[0]
    return {"cpu": wall * float(share) / 100, "wall": wall}


def overlap(program: str, half: float, balls: np.ndarray, step: float) -> float:
    """Largest overlap at all looks [m], in a run of its own."""
    _, watched = run(program, half, balls, step, WATCH)
    _, nearest, lowest, x, y = np.array(watched).T
    deepest = (2 * RADIUS - nearest, RADIUS - lowest, x + RADIUS - half, y + RADIUS - half)
    return float(max(one.max() for one in deepest))


def run(
    program: str, half: float, balls: np.ndarray, step: float, more: str
) -> tuple[str, list[list[float]]]:
    """What it prints, and the numbers in the file `watched`."""
    top = balls[:, 2].max() + 0.5
    atoms = "".join(f"create_atoms 1 single {x:.12f} {y:.12f} {z:.12f}\n" for x, y, z in balls)
    text = f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
region dom block {-half - 0.2} {half + 0.2} {-half - 0.2} {half + 0.2} -0.2 {max(3.0, top)}
create_box 1 dom
neighbor 0.02 bin
neigh_modify delay 0
{atoms}set type 1 diameter {2 * RADIUS}
set type 1 density 7850
pair_style granular
pair_coeff * * {LAW}
fix i all nve/sphere
fix g all gravity 9.81 vector 0 0 -1
fix zw all wall/gran granular {LAW} zplane 0.0 NULL
fix xw all wall/gran granular {LAW} xplane {-half} {half}
fix yw all wall/gran granular {LAW} yplane {-half} {half}
{more}timestep {step}
thermo 100000
run {round(1 / step)}
"""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in"), "w") as file:
            file.write(text)
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        found = subprocess.run(
            [program, "-in", "in"], cwd=folder, capture_output=True, text=True, env=environment
        )
        watched = []
        if more and not found.returncode:
            with open(os.path.join(folder, "watched")) as file:
                rows = [line.split() for line in file if not line.startswith("#")]
            watched = [[float(word) for word in row] for row in rows]
    if found.returncode:
        raise RuntimeError(found.stdout[-500:] + found.stderr[-500:])
    return found.stdout, watched
