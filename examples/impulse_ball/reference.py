"""Independent solution of the two balls: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: flights are parabolas, an impact by impulse is a factor
of the speed, contacts with force are those of ../bouncing_ball/reference.py. Equations and symbols: README.md.
"""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

FOLDER = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("ball", FOLDER.parent / "bouncing_ball" / "reference.py")
ball = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(ball)

G, Z_EPS, HEIGHT, STOP, STEP = ball.G, ball.Z_EPS, ball.HEIGHT, ball.STOP, ball.STEP
REST_SPEED = ball.V_SMALL  # m/s
# Restitution of an impulse at no speed, that of Modia3D [1]; the force has COR_SLOW.
COR_MIN = 1e-3


def restitution(v0):
    """Restitution [1] of an impulse at the impact speed v0 [m/s]."""
    return ball.COR + (COR_MIN - ball.COR) * math.exp(math.log(0.01) * v0 / ball.V_SMALL)


def bounces(has_impulse):
    """Rows of gap and velocity, and the times and speeds of the contacts that start."""
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    gap, velocity = np.empty_like(grid), np.empty_like(grid)
    starts = []
    t, h, v = 0.0, HEIGHT, 0.0
    while True:
        fall = (v + math.sqrt(v * v + 2 * G * (h + 2 * Z_EPS))) / G
        flying = (grid >= t) & (grid <= t + fall)
        s = grid[flying] - t
        gap[flying], velocity[flying] = h + v * s - G / 2 * s * s, v - G * s
        if t + fall > STOP:
            break
        t, v = t + fall, v - G * fall
        starts.append((t, -v))
        if has_impulse and -v > REST_SPEED:
            h, v = -2 * Z_EPS, -restitution(-v) * v
            continue
        depth, unit, solution = ball.contact(-v, STOP - t)
        end = t + solution.t[-1] * unit
        touching = (grid >= t) & (grid <= end)
        if touching.any():
            y = solution.sol((grid[touching] - t) / unit)
            gap[touching], velocity[touching] = -y[0] * depth - 2 * Z_EPS, v * y[1]
        if solution.status != 1:
            break
        t, h, v = end, 0.0, v * solution.y[1, -1]
    return grid, gap, velocity, starts


def main():
    columns, names = [], []
    for name, has_impulse in (("by_force", False), ("by_impulse", True)):
        grid, gap, velocity, starts = bounces(has_impulse)
        columns += [gap + ball.RADIUS, velocity]
        names += [f"{name}.position[3]", f"{name}.velocity[3]"]
        print(f"{name}: {len(starts)} contacts")
        for number, (time, speed) in enumerate(starts, 1):
            print(f"  contact {number:2d}  {time:.9f} s  {speed:.9f} m/s")
    write(["time", *names], zip(grid, *columns))
    apart = np.abs(columns[0] - columns[2])
    print(f"heights differ by {apart.max():.3g} m at most, at {grid[apart.argmax()]:.3f} s")


if __name__ == "__main__":
    main()
