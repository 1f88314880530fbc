"""Independent solution of the break: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: straight lines between impacts, and at an impact the nearest point
in a cone (non-negative least squares). Equations and symbols: README.md.
"""

from itertools import combinations
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

DIAMETER, Z_EPS, PITCH = 0.06, 1e-8, 0.06 - 15e-9  # m
SPEED, START = 5.0, -0.5  # m/s, m
STOP, STEP = 0.4, 0.002  # s
NAMES = ["cue_ball"] + [f"ball{i}" for i in range(1, 16)]
PAIRS = list(combinations(range(len(NAMES)), 2))
# Speeds along a contact that are nothing but rounding [m/s].
ROUNDING = 1e-12


def normal(x, pair):
    """Unit vector between the centres of a pair, and their distance [m]."""
    line = x[pair[1]] - x[pair[0]]
    return line / np.linalg.norm(line), np.linalg.norm(line)


def rack():
    """Centres of all balls at the start [m]."""
    rows = [(row * PITCH * np.sqrt(3) / 2, (k - row / 2) * PITCH) for row in range(5) for k in range(row + 1)]
    return np.array([(START, 0.0), *rows])


def impact(x, before, touching):
    """Velocities after an impact that goes through all contacts at once: the mirror image 2 P(v) - v, P(v) the
    velocities next to v at which no contact approaches."""
    separation = np.zeros((len(touching), before.size))
    for row, (i, j) in enumerate(touching):
        n, _ = normal(x, (i, j))
        separation[row, 2 * i : 2 * i + 2], separation[row, 2 * j : 2 * j + 2] = -n, n
    v = before.ravel()
    impulses, _ = nnls(separation.T, -v, maxiter=10_000)
    return (v + 2 * separation.T @ impulses).reshape(-1, 2)


def next_contact(x, v, touching):
    """Time [s] until the next pair that does not touch is 2 z_eps deep, and the pairs that are then."""
    times = {}
    for i, j in PAIRS:
        line, speed = x[j] - x[i], v[j] - v[i]
        a, b = speed @ speed, line @ speed
        root = b * b - a * (line @ line - (DIAMETER - 2 * Z_EPS) ** 2)
        if (i, j) not in touching and b < -ROUNDING and root > 0:
            times[i, j] = (-b - np.sqrt(root)) / a
    first = min(times.values(), default=np.inf)
    # By symmetry two pairs may meet at once.
    return first, [pair for pair, time in times.items() if time < first + 1e-12]


def main():
    x, v = rack(), np.zeros((len(NAMES), 2))
    v[0, 0] = SPEED
    touching = [pair for pair in PAIRS if normal(x, pair)[1] < DIAMETER - Z_EPS]
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), len(NAMES), 4))
    time = 0.0
    while True:
        step, pairs = next_contact(x, v, touching)
        now = (grid >= time) & (grid <= time + step)
        rows[now] = [np.hstack([x + (t - time) * v, v]) for t in grid[now]]
        if time + step > STOP:
            break
        time, x = time + step, x + step * v
        touching = sorted(pair for pair in touching if normal(x, pair)[1] < DIAMETER) + pairs
        v = impact(x, v, touching)
        print(f"{time:.9f} s", *(f"{NAMES[i]}:{NAMES[j]}" for i, j in pairs))
        for name, velocity in zip(NAMES, v):
            print(f"  {name:9} {velocity[0]:12.9f} {velocity[1]:12.9f} m/s")
    print("momentum", v.sum(axis=0), "energy/m", (v * v).sum() / 2, "before", SPEED**2 / 2)
    axes = ("position[1]", "position[2]", "velocity[1]", "velocity[2]")
    write(["time"] + [f"{name}.{axis}" for name in NAMES for axis in axes], ((t, *row.ravel()) for t, row in zip(grid, rows)))


if __name__ == "__main__":
    main()
