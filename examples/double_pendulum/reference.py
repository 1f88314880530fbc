"""Independent solution of the double pendulum that hits a wall: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: Lagrange's equations in the angles of both bars
against the horizontal, explicit integration (DOP853) from event to event. Equations and symbols:
README.md.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import exact_damping, leg, write  # noqa: E402

G, MASS, LENGTH, THICKNESS = 9.81, 50.0, 1.0, 0.1  # m/s2, kg, m, m
HALF = LENGTH / 2
INERTIA = MASS * (LENGTH**2 + THICKNESS**2) / 12  # kg.m2, of one bar about its centre
STIFFNESS, RESTITUTION, WALL = 1e7, 0.7, -1.05  # N/m, 1, m
Z_EPS = 1e-8  # m
STOP, STEP = 3.0, 0.01  # s


def gap(y):
    """Distance of the end of the second bar to the wall [m]."""
    return LENGTH * (np.cos(y[0]) + np.cos(y[1])) - WALL


def gap_rate(y):
    return -LENGTH * (np.sin(y[0]) * y[2] + np.sin(y[1]) * y[3])


def mass_matrix(a, b):
    coupling = MASS * LENGTH * HALF * np.cos(a - b)
    return np.array(
        [[INERTIA + MASS * (HALF**2 + LENGTH**2), coupling], [coupling, INERTIA + MASS * HALF**2]]
    )


def effective_mass(a, b):
    """What a force along x at the end of the second bar has to accelerate [kg]."""
    lever = -LENGTH * np.sin([a, b])
    return 1 / (lever @ np.linalg.solve(mass_matrix(a, b), lever))


def rates(y, mass):
    """y = (a, b, a', b'); mass is the effective one at the start of the contact, none in flight."""
    a, b, va, vb = y
    coupling = MASS * LENGTH * HALF
    torques = np.array(
        [
            -coupling * np.sin(a - b) * vb**2 - MASS * (HALF + LENGTH) * G * np.cos(a),
            coupling * np.sin(a - b) * va**2 - MASS * HALF * G * np.cos(b),
        ]
    )
    if mass is not None:
        delta, rate = max(0.0, -gap(y) - 2 * Z_EPS), -gap_rate(y)
        v0 = impact_speed(STIFFNESS * delta**2 / 2 / mass, rate)
        force = max(0.0, STIFFNESS * delta * (1 + U / v0 * rate))
        torques -= force * LENGTH * np.sin([a, b])
    return np.concatenate([y[2:], np.linalg.solve(mass_matrix(a, b), torques)])


U = exact_damping(RESTITUTION)


def impact_speed(stored, v):
    """Speed v0 [m/s] of the impact that comes by at the depth rate v with this elastic energy/mass [m2/s2]:
    integral of w/(1 + U w/v0) dw from v to v0 = stored."""

    def excess(v0):
        p = v0 / U
        return p * (v0 - v) - p * p * np.log1p((v0 - v) / (p + v)) - stored

    # At the lower end the integral is 0, or minus infinity where p = -v; it grows with v0.
    low = v if v > 0 else -U * v * (1 + 1e-9)
    high = 2 * np.hypot(v, np.sqrt(2 * stored)) + 1e-12
    while excess(high) < 0:
        high *= 2
    return brentq(excess, low, high, xtol=1e-16, rtol=1e-15) if excess(low) < 0 else low


def energy(y):
    a, b, va, vb = y
    speeds = (HALF * va) ** 2 + (LENGTH * va) ** 2 + (HALF * vb) ** 2
    speeds += 2 * LENGTH * HALF * np.cos(a - b) * va * vb
    kinetic = (MASS * speeds + INERTIA * (va**2 + vb**2)) / 2
    return kinetic + MASS * G * ((HALF + LENGTH) * np.sin(a) + HALF * np.sin(b))


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 4))
    t, y, mass = 0.0, np.zeros(4), None
    while True:

        def event(_, y):
            return gap(y) + (2 * Z_EPS if mass is None else 0)

        event.terminal, event.direction = True, -1 if mass is None else 1
        solution = leg(
            lambda _, y: rates(y, mass), (t, STOP), y, grid, rows,
            rtol=1e-12, atol=1e-13, max_step=5e-3, events=event
        )
        t, y = solution.t[-1], solution.y[:, -1]
        if solution.status != 1:
            break
        if mass is None:
            mass = effective_mass(*y[:2])
            print(f"start {t:.9f} s at {-gap_rate(y):.9f} m/s, {mass:.6f} kg, energy {energy(y):.6f} J, angles {y[:2]}")
        else:
            print(f"      effective mass {effective_mass(*y[:2]):.6f} kg")
            mass = None
            print(f"end   {t:.9f} s at {gap_rate(y):.9f} m/s, energy {energy(y):.6f} J")
    header = ["time", "shoulder.angle", "elbow.angle", "shoulder.angular_velocity", "elbow.angular_velocity"]
    write(header, ((time, a, b - a, va, vb - va) for time, (a, b, va, vb) in zip(grid, rows)))
    print("final", rows[-1], energy(rows[-1]))


if __name__ == "__main__":
    main()
