"""Independent solution of the bouncing ball: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: flights are parabolas, contacts are integrated
by DOP853 in the height over the plate, not in the position of the ball. Equations and symbols: README.md.
"""

import math
import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G = 9.81  # m/s2
RADIUS = 0.1  # m
MASS = 8000.0 * 4 / 3 * np.pi * RADIUS**3  # kg
YOUNGS_MODULUS, POISSONS_RATIO = 2.0e11, 0.3  # Pa, 1
STIFFNESS = YOUNGS_MODULUS / (2 * (1 - POISSONS_RATIO**2)) * 4 / 3 * np.sqrt(RADIUS)  # N/m^1.5
COR, COR_SLOW, V_SMALL = 0.7, 0.25, 0.01  # 1, 1, m/s
Z_EPS = 1e-8  # m
STOP = 3.0  # s
# No row lies within one of the bounces, where a small error in time is a large one in speed.
STEP = 0.012  # s
HEIGHT = 1.0  # m, of the lowest point of the ball over the plate at the start


def scaled_damping(v0):
    """u = d v0 [1] that gives the restitution of the impact speed v0."""
    cor = COR + (COR_SLOW - COR) * math.exp(math.log(0.01) * v0 / V_SMALL)
    return brentq(
        lambda u: (1 + cor) * u - math.log((1 + u) / (1 - cor * u)),
        0.5 * (1 - cor),
        (1 - 1e-15) / cor,
        xtol=1e-16,
        rtol=1e-15,
    )


def impact_speed(stored, v):
    """Speed v0 [m/s] of the impact that comes by at the compression speed v with this elastic
    energy/mass [m2/s2]: integral of w/(1 + d w) dw from v to v0 = stored, d = u(v0)/v0."""
    size = math.hypot(v, math.sqrt(2 * stored))

    def excess(ratio):
        v0 = ratio * size
        p = v0 / scaled_damping(v0)
        if p + v <= 0:
            return -1.0
        return (p * (v0 - v) - p * p * math.log1p((v0 - v) / (p + v)) - stored) / size**2

    # At v the integral is 0; it grows with v0, from minus infinity where p = -v.
    low = max(v / size, 1e-3)
    if excess(low) >= 0:
        return low * size
    high = 2.0
    while excess(high) < 0:
        high *= 2
    return brentq(excess, low, high, xtol=1e-16, rtol=1e-15) * size


def contact(v0, duration):
    """Motion from the gap -2 z_eps at speed v0 until the gap is 0 again, or for `duration`."""
    depth = (1.25 * MASS * v0**2 / STIFFNESS) ** 0.4 + (MASS * G / STIFFNESS) ** (2 / 3)
    time = depth / v0

    def rates(_, y):  # y = (depth in the force / depth, compression speed / v0)
        delta, rate = max(0.0, y[0] * depth), y[1] * v0
        elastic = STIFFNESS * delta**1.5
        force = 0.0
        if elastic > 0.0:
            inferred = impact_speed(STIFFNESS * delta**2.5 / 2.5 / MASS, rate)
            force = max(0.0, elastic * (1 + scaled_damping(inferred) / inferred * rate))
        return y[1], (G - force / MASS) * time / v0

    def apart(_, y):
        return y[0] * depth + 2 * Z_EPS

    apart.terminal, apart.direction = True, -1
    return depth, time, solve_ivp(
        rates,
        (0, duration / time),
        (0.0, 1.0),
        "DOP853",
        rtol=1e-13,
        atol=1e-15,
        events=apart,
        dense_output=True,
    )


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    gap, velocity = np.empty_like(grid), np.empty_like(grid)
    starts = []
    t, h, v = 0.0, HEIGHT, 0.0
    while True:
        fall = (v + np.sqrt(v * v + 2 * G * (h + 2 * Z_EPS))) / G
        flying = (grid >= t) & (grid <= t + fall)
        s = grid[flying] - t
        gap[flying], velocity[flying] = h + v * s - G / 2 * s * s, v - G * s
        if t + fall > STOP:
            break
        t, v = t + fall, v - G * fall
        starts.append((t, -v))
        depth, unit, solution = contact(-v, STOP - t)
        end = t + solution.t[-1] * unit
        touching = (grid >= t) & (grid <= end)
        if touching.any():
            y = solution.sol((grid[touching] - t) / unit)
            gap[touching], velocity[touching] = -y[0] * depth - 2 * Z_EPS, v * y[1]
        if solution.status != 1:
            break
        t, h, v = end, 0.0, v * solution.y[1, -1]
    write(["time", "ball.position[3]", "ball.velocity[3]"], zip(grid, gap + RADIUS, velocity))
    for number, (time, speed) in enumerate(starts, 1):
        print(f"impact {number:2d}  {time:.9f} s  {speed:.9f} m/s")
    print(f"mass {MASS:.9g} kg, stiffness {STIFFNESS:.9g} N/m^1.5, position at {STOP} s {gap[-1] + RADIUS:.12f} m")


if __name__ == "__main__":
    main()
