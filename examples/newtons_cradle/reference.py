"""Independent solution of Newton's cradle: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: five angles, explicit integration (DOP853) from
event to event. Equations and symbols: README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import leg, write  # noqa: E402

G, LENGTH, RADIUS, PITCH = 9.81, 0.15, 0.01, 0.0202  # m/s2, m, m, m
MASS = 8000.0 * 4 / 3 * np.pi * RADIUS**3  # kg
INERTIA = MASS * LENGTH**2 + 0.4 * MASS * RADIUS**2  # kg.m2 about the pivot
# Hertz between two spheres of 5.4 GPa and Poisson's ratio 0.34.
STIFFNESS = 4 / 3 * np.sqrt(RADIUS / 2) * 5.4e9 / (2 * (1 - 0.34**2))  # N/m^1.5
TOUCH = 1e-13  # m: contact where the gap is below
STOP, STEP = 5.0, 0.02  # s
PIVOTS = (np.arange(5) - 2) * PITCH


def between(y):
    """Vectors from each ball to the next, the gaps [m], and sines and cosines of the angles."""
    s, c = np.sin(y[:5]), np.cos(y[:5])
    # About x: the ball hangs at -z, so its y grows with the angle.
    dy, dz = np.diff(PIVOTS + LENGTH * s), np.diff(-LENGTH * c)
    return dy, dz, np.hypot(dy, dz) - 2 * RADIUS, s, c


def rates(y, touching):
    dy, dz, gap, s, c = between(y)
    torques = -MASS * G * LENGTH * s
    for i in np.flatnonzero(touching):
        depth = -gap[i]
        force = STIFFNESS * depth * np.sqrt(abs(depth))
        ny, nz = dy[i] / (gap[i] + 2 * RADIUS), dz[i] / (gap[i] + 2 * RADIUS)
        # The force passes through both centres, which move by LENGTH (cos, sin) per angle.
        torques[i] -= force * LENGTH * (ny * c[i] + nz * s[i])
        torques[i + 1] += force * LENGTH * (ny * c[i + 1] + nz * s[i + 1])
    return np.concatenate([y[5:], torques / INERTIA])


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 10))
    t, y = 0.0, np.zeros(10)
    y[0] = -np.pi / 3
    touching = np.zeros(4, bool)
    starts, ends = [], 0
    while True:

        def event_of(i):
            def event(_, y):
                return between(y)[2][i] - (2 * TOUCH if touching[i] else TOUCH)

            event.terminal, event.direction = True, 1 if touching[i] else -1
            return event

        solution = leg(
            lambda _, y: rates(y, touching), (t, STOP), y, grid, rows,
            rtol=1e-11, atol=1e-13, max_step=2e-3, events=[event_of(i) for i in range(4)]
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        for i in range(4):
            if len(solution.t_events[i]):
                touching[i] = not touching[i]
                if touching[i]:
                    starts.append((t, i + 1))
                else:
                    ends += 1
    print(len(starts), "contacts,", ends, "ended; the first:")
    for time, ball in starts[:8]:
        print(f"  {time:.9f} s  balls {ball} and {ball + 1}")
    names = [f"wire{i + 1}.angle" for i in range(5)] + [f"wire{i + 1}.angular_velocity" for i in range(5)]
    write(["time", *names], ((time, *row) for time, row in zip(grid, rows)))
    print("final", " ".join(f"{value:.10g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
