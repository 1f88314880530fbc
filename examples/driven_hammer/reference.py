"""Independent solution of hammer and ball: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU nor with drive.py: both motions at once, in the
plane of the swing, explicit integration (DOP853) from event to event. Equations and symbols:
README.md.
"""

import csv
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

G, Z_EPS = 9.81, 1e-8  # m/s2, m
LENGTH, HEAD = 0.5, 0.03  # m, from the grip to the centre of the head, and its radius
INERTIA, MOMENT = 0.3, 0.5  # kg.m2 about the grip, kg.m
HEIGHT, START = 0.54, np.deg2rad(60)  # m, of the grip; rad
RADIUS, MASS, PLACE = 0.04, 0.5, 0.07  # m, kg, m: the ball
BOTH = 1 / (1 / MASS + LENGTH**2 / INERTIA)  # kg, of the hammer's hit
STIFFNESS, RESTITUTION = 1e5, 0.7  # N/m, 1
STOP, STEP = 0.8, 0.005  # s


def exact_damping(e):
    """u = d v0 that gives the restitution e: the root of (1 + e) u = ln((1 + u)/(1 - e u))."""
    return brentq(lambda u: (1 + e) * u - np.log((1 + u) / (1 - e * u)), 1e-3, 1 / e - 1e-12, xtol=1e-15)


U = exact_damping(RESTITUTION)


def impact_speed(stored, v):
    """Speed v0 [m/s] of the impact that comes by at the depth rate v with this elastic energy/mass [m2/s2]:
    integral of w/(1 + U w/v0) dw from v to v0 = stored."""
    size = np.hypot(v, np.sqrt(2 * stored))

    def excess(ratio):
        v0 = ratio * size
        p = v0 / U
        return (p * (v0 - v) - p * p * np.log1p((v0 - v) / (p + v)) - stored) / size**2

    # At the lower end the integral is 0, or minus infinity where p = -v; it grows with v0.
    low = v / size if v > 0 else max(1e-3, -U * v / size * (1 + 1e-9))
    if excess(low) >= 0:
        return low * size
    high = 2.0
    while excess(high) < 0:
        high *= 2
    return brentq(excess, low, high, xtol=1e-16, rtol=1e-15) * size


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
    v0 = impact_speed(STIFFNESS * delta**2 / 2 / mass, -rate)
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

        solution = solve_ivp(
            lambda _, y: rates(y, touching),
            (t, STOP),
            y,
            "DOP853",
            rtol=1e-11,
            atol=1e-13,
            first_step=1e-9,
            max_step=1e-3,
            events=[event_of(0), event_of(1)],
            dense_output=True,
        )
        inside = (grid >= t) & (grid <= solution.t[-1])
        if inside.any():
            rows[inside] = solution.sol(grid[inside]).T
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
    with open(Path(__file__).parent / "reference.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["time", "hammer.angle", "ball.position[1]", "ball.position[3]"])
        for time, row in zip(grid, rows):
            out.writerow([f"{value:.15g}" for value in (time, *row[:3])])
    print("final", " ".join(f"{value:.9g}" for value in rows[-1]))


if __name__ == "__main__":
    main()
