"""Independent solution of hammer and ball: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU nor with drive.py: both motions at once, in the
plane of the swing, explicit integration (DOP853) from event to event. Equations and symbols:
README.md.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from shared import exact_damping, impact_speed, leg, write  # noqa: E402

G, Z_EPS = 9.81, 1e-8  # m/s2, m
LENGTH, HEAD = 0.5, 0.03  # m, from the grip to the centre of the head, and its radius
INERTIA, MOMENT = 0.3, 0.5  # kg.m2 about the grip, kg.m
HEIGHT, START = 0.54, np.deg2rad(60)  # m, of the grip; rad
RADIUS, MASS, PLACE = 0.04, 0.5, 0.07  # m, kg, m: the ball
BOTH = 1 / (1 / MASS + LENGTH**2 / INERTIA)  # kg, of the hammer's hit
STIFFNESS, RESTITUTION = 1e5, 0.7  # N/m, 1
STOP, STEP = 0.8, 0.005  # s


U = exact_damping(RESTITUTION)


def meeting(y):
    """Gap and normal between head and ball, and the gap's rate. y = (angle, x, z) and their rates."""
    head = np.array([-LENGTH * np.sin(y[0]), HEIGHT - LENGTH * np.cos(y[0])])
    velocity = LENGTH * y[3] * np.array([-np.cos(y[0]), np.sin(y[0])])
    apart = y[1:3] - head
    length = np.linalg.norm(apart)
    normal = apart / length
    return length - HEAD - RADIUS, normal, (y[4:] - velocity) @ normal


def gaps(y):
    """Gaps between head and ball and between ball and table, and their rates."""
    gap, _, rate = meeting(y)
    return ((gap, rate), (y[2] - RADIUS, y[5]))


def spring(gap, rate, mass):
    """Force [N] of a contact that meets this effective mass [kg]."""
    delta = max(0.0, -gap - 2 * Z_EPS)
    if delta == 0.0:
        return 0.0
    v0 = impact_speed(STIFFNESS * delta**2 / 2 / mass, -rate, U)
    return max(0.0, STIFFNESS * delta * (1 - U / v0 * rate))


def rates(y, touching):
    """Contacts of the ball with hammer and table."""
    torque = -MOMENT * G * np.sin(y[0])
    force = np.array([0.0, -MASS * G])
    (gap, rate), table = gaps(y)
    if touching[0]:
        normal = meeting(y)[1]
        push = spring(gap, rate, BOTH) * normal
        force += push
        # The force acts along the line of centres: power of -push on the centre of the head.
        torque -= push @ (LENGTH * np.array([-np.cos(y[0]), np.sin(y[0])]))
    if touching[1]:
        force[1] += spring(*table, MASS)
    return np.array([*y[3:], torque / INERTIA, *(force / MASS)])


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 6))
    t, y = 0.0, np.array([START, PLACE, RADIUS - MASS * G / STIFFNESS - 2 * Z_EPS, 0, 0, 0])
    touching = [False, True]
    while True:

        def event_of(i):
            def event(_, y):
                return gaps(y)[i][0] + (0 if touching[i] else 2 * Z_EPS)

            event.terminal, event.direction = True, 1 if touching[i] else -1
            return event

        solution = leg(
            lambda _, y: rates(y, touching), (t, STOP), y, grid, rows,
            rtol=1e-11, atol=1e-13, max_step=1e-3, events=[event_of(0), event_of(1)]
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        for i, name in ((0, "hammer"), (1, "table")):
            if len(solution.t_events[i]):
                rate = gaps(y)[i][1]
                touching[i] = not touching[i]
                if touching[i]:
                    print(f"start {t:.9f} s  ball and {name} at {-rate:.6f} m/s")
                else:
                    print(f"end   {t:.9f} s  ball and {name} at {rate:.6f} m/s")
    write(["time", "hammer.angle", "ball.position[1]", "ball.position[3]"], ((time, *row[:3]) for time, row in zip(grid, rows)))
    print("final", " ".join(f"{value:.9g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
