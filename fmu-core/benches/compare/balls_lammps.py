"""The balls of scenes.py in LAMMPS (granular: Hertz by material, Mindlin, damping of Tsuji; fixed
step, one thread), 1 s."""

from __future__ import annotations

import os
import subprocess
import tempfile

import numpy as np


def cpu_time(program: str, half: float, balls: np.ndarray, step: float) -> float:
    """CPU time of the loop over all steps [s]."""
    law = "hertz/material 2.1e9 0.7 0.3 tangential mindlin NULL 1.0 0.5 damping tsuji"
    atoms = "".join(f"create_atoms 1 single {x:.12f} {y:.12f} {z:.12f}\n" for x, y, z in balls)
    text = f"""units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
region dom block {-half - 0.2} {half + 0.2} {-half - 0.2} {half + 0.2} -0.2 3
create_box 1 dom
neighbor 0.02 bin
neigh_modify delay 0
{atoms}set type 1 diameter 0.1
set type 1 density 7850
pair_style granular
pair_coeff * * {law}
fix i all nve/sphere
fix g all gravity 9.81 vector 0 0 -1
fix zw all wall/gran granular {law} zplane 0.0 NULL
fix xw all wall/gran granular {law} xplane {-half} {half}
fix yw all wall/gran granular {law} yplane {-half} {half}
timestep {step}
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
    if found.returncode:
        raise RuntimeError(found.stdout[-500:] + found.stderr[-500:])
    lines = found.stdout.splitlines()
    wall = float(next(line for line in lines if line.startswith("Loop time")).split()[3])
    share = next(line for line in lines if "CPU use" in line).split("%")[0]
    return wall * float(share) / 100
