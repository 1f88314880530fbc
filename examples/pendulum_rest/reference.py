"""Independent solution of the pendulum that comes to rest on an obstacle: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: one angle, explicit integration (DOP853) from
event to event. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import leg, write  # noqa: E402

G, MASS, ARM, LENGTH = 9.81, 50.0, 0.5, 1.0  # m/s2, kg, m, m
STIFFNESS, RESTITUTION, FLOOR = 5e4, 0.5, -0.4  # N/m, 1, m
Z_EPS, D_MAX = 1e-8, 1000.0  # m, s/m
STOP, STEP = 3.0, 0.01  # s


def gap(q):
    """Height of the end of the bar over the obstacle [m]."""
    return LENGTH * np.cos(q) - FLOOR


def rates(y, damping):
    """y = (q, q'); damping is none in flight."""
    q, w = y
    torque = MASS * G * ARM * np.sin(q)
    if damping is not None:
        delta = max(0.0, -gap(q) - 2 * Z_EPS)
        delta_dot = LENGTH * np.sin(q) * w
        force = max(0.0, STIFFNESS * delta * (1 + damping * delta_dot))
        torque -= force * LENGTH * np.sin(q)
    return w, torque / (MASS * ARM**2)


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 2))
    t, y, damping = 0.0, np.array([1.0, 0.0]), None
    while True:

        def event(_, y):
            return gap(y[0]) + (2 * Z_EPS if damping is None else 0)

        event.terminal, event.direction = True, -1 if damping is None else 1
        solution = leg(
            lambda _, y: rates(y, damping), (t, STOP), y, grid, rows,
            rtol=1e-12, atol=1e-13, max_step=5e-3, events=event
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        normal = LENGTH * np.sin(y[0]) * y[1]
        if damping is None:
            before = normal
            damping = min(D_MAX, (1 - RESTITUTION) / (RESTITUTION * normal))
            print(f"start {t:.9f} s at {normal:.9f} m/s, {y[1]:.9f} rad/s, q = {y[0]:.9f} rad")
        else:
            damping = None
            print(f"end   {t:.9f} s, {-normal / before:.6f} of the speed")
    print(f"rest  y = {LENGTH * np.cos(y[0]):.9f} m after {t} s, moving at {y[1]:.2g} rad/s")
    write(["time", "hinge.angle", "hinge.angular_velocity"], ((time, *row) for time, row in zip(grid, rows)))


if __name__ == "__main__":
    main()
