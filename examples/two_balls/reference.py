"""Independent solution of the two billiard balls: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: the motion stays in the x-z plane, so each ball
has x, height over its touching position, and spin about y; implicit integration (Radau) from event
to event. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import leg, write  # noqa: E402

G, RADIUS = 9.81, 0.03  # m/s2, m
MASS = 1768.0 * 4 / 3 * np.pi * RADIUS**3  # kg
INERTIA = 0.4 * MASS * RADIUS**2  # kg.m2
MU, MU_ROLL, V_SMALL, W_SMALL = 0.8, 0.01, 0.01, 0.01  # 1, 1, m/s, rad/s
DAMPING = 2000.0  # s/m: the largest, for balls that start at rest on the table
STOP, STEP = 1.5, 0.01  # s


def stiffness(e_1, nu_1, e_2, nu_2, radius):
    return 4 / 3 * np.sqrt(radius) / ((1 - nu_1**2) / e_1 + (1 - nu_2**2) / e_2)


K_TABLE = stiffness(11e9, 0.4, 5.4e9, 0.34, RADIUS)
K_BALL = stiffness(5.4e9, 0.34, 5.4e9, 0.34, RADIUS / 2)


def reg(v, small):
    v = abs(v)
    return v if v >= small else v * v / small * (1 - v / (3 * small)) + small / 3


def hertz(k, depth):
    return k * depth * np.sqrt(abs(depth))


def on_table(vx, h, vz, w):
    """Force along x and z and torque about y of the table on a ball at height h (negative)."""
    normal = hertz(K_TABLE, -h) * (1 - DAMPING * vz)
    arm = RADIUS + h / 2  # to the middle between the two surfaces
    slip = vx - arm * w
    friction = -MU * normal * slip / reg(slip, V_SMALL)
    rolling = -MU_ROLL * RADIUS * normal * w / reg(w, W_SMALL)
    return friction, normal, -arm * friction + rolling


def distance(y):
    return np.hypot(y[5] - y[0], y[6] - y[1])


def rates(y, colliding):
    """y = (x, h, vx, vz, w) of ball 1, then of ball 2."""
    dy = np.empty(10)
    for i in (0, 5):
        fx, fz, torque = on_table(y[i + 2], y[i + 1], y[i + 3], y[i + 4])
        dy[i : i + 5] = y[i + 2], y[i + 3], fx / MASS, fz / MASS - G, torque / INERTIA
    if colliding:
        between = distance(y)
        push = hertz(K_BALL, 2 * RADIUS - between) / between / MASS  # cor = 1, no friction
        for i, sign in ((0, -1), (5, 1)):
            dy[i + 2] += sign * push * (y[5] - y[0])
            dy[i + 3] += sign * push * (y[6] - y[1])
    return dy


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 10))
    t, colliding = 0.0, False
    y = np.array([-1.3, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    while True:

        def touch(_, y):
            return distance(y) - 2 * RADIUS

        touch.terminal, touch.direction = True, 1 if colliding else -1
        solution = leg(
            lambda _, y: rates(y, colliding), (t, STOP), y, grid, rows,
            method="Radau", rtol=1e-10, atol=1e-14, max_step=1e-3, events=touch
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        colliding = not colliding
        print(f"{'start' if colliding else 'end':5}  {t:.9f} s")
    names = ("position[1]", "position[3]", "velocity[1]", "velocity[3]", "angular_velocity[3]")
    # The body z axis is turned to world -y.
    table = rows * np.array([1, 1, 1, 1, -1] * 2) + np.array([0, RADIUS, 0, 0, 0] * 2)
    header = ["time"] + [f"{ball}.{name}" for ball in ("ball1", "ball2") for name in names]
    write(header, ((time, *row) for time, row in zip(grid, table)))
    print("final", " ".join(f"{value:.9g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
