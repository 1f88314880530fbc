"""Independent solution of the brick under 8 N cos t: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: exact Coulomb friction, where motion is known in
closed form while the brick slides, and there is none while it sticks. Equations and symbols:
README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

MASS, FORCE, MU, G = 1.0, 8.0, 0.8, 9.81  # kg, N, 1, m/s2
START, STOP, STEP = 3.0, 10.0, 0.05  # m, s, s
LIMIT = MU * MASS * G  # N


def release(t):
    """First time from t on at which |F cos t| exceeds the limit, and the direction [1]."""
    half = np.arccos(LIMIT / FORCE)
    k = np.ceil((t - half) / np.pi)
    return max(t, k * np.pi - half), 1 if k % 2 == 0 else -1


def root(function, low, high):
    """Where a function changes its sign, by bisection."""
    rising = function(low) < 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) < 0) == rising else (low, middle)
    return low


def slide(t0, side):
    """Velocity and way over time while the brick slides from rest at t0, and the end of that."""
    a = side * LIMIT / MASS

    def velocity(t):
        return FORCE / MASS * (np.sin(t) - np.sin(t0)) - a * (t - t0)

    def way(t):
        return FORCE / MASS * (np.cos(t0) - np.cos(t) - np.sin(t0) * (t - t0)) - a * (t - t0) ** 2 / 2

    # The fastest moment is where the force falls to the limit again.
    fastest = np.arccos(LIMIT / FORCE) + np.pi * np.round(t0 / np.pi)
    return velocity, way, root(velocity, fastest, fastest + 1.0)


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    position, speed = np.full_like(grid, START), np.zeros_like(grid)
    x, t = START, 0.0
    while True:
        t0, side = release(t)
        if t0 > STOP:
            break
        velocity, way, t = slide(t0, side)
        sliding = (grid > t0) & (grid < t)
        position[grid > t0] = x + way(t)
        position[sliding], speed[sliding] = x + way(grid[sliding]), velocity(grid[sliding])
        x += way(t)
        print(f"slides from {t0:.6f} s to {t:.6f} s, then x = {x:.11f} m")
    write(["time", "brick.position[1]", "brick.velocity[1]"], zip(grid, position, speed))


if __name__ == "__main__":
    main()
