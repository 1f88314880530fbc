"""What the reference.py of the examples share: tables, integration from event to event, damping of impacts."""

import csv
import sys
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

# Folder of the file that runs.
HERE = Path(sys.argv[0]).resolve().parent


def write(header, rows, digits=15, name="reference.csv"):
    """Writes a table beside the file that runs: numbers with so many digits, texts as they are."""
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        for row in rows:
            out.writerow([value if isinstance(value, str) else f"{value:.{digits}g}" for value in row])


def leg(rates, span, y, grid, rows, method="DOP853", first_step=1e-9, **options):
    """Integrates over a span of time or up to an event; fills the rows of the grid of times inside."""
    solution = solve_ivp(rates, span, y, method, dense_output=True, first_step=first_step, **options)
    inside = (grid >= span[0]) & (grid <= solution.t[-1])
    if inside.any():
        rows[inside] = solution.sol(grid[inside]).T
    return solution


def exact_damping(e):
    """u = d v0 that gives the restitution e: the root of (1 + e) u = ln((1 + u)/(1 - e u))."""
    return brentq(lambda u: (1 + e) * u - np.log((1 + u) / (1 - e * u)), 1e-3, 1 / e - 1e-12, xtol=1e-15)


def impact_speed(stored, v, u):
    """Speed v0 [m/s] of the impact that comes by at the depth rate v with this elastic energy/mass [m2/s2]:
    integral of w/(1 + u w/v0) dw from v to v0 = stored."""
    size = np.hypot(v, np.sqrt(2 * stored))

    def excess(ratio):
        v0 = ratio * size
        p = v0 / u
        return (p * (v0 - v) - p * p * np.log1p((v0 - v) / (p + v)) - stored) / size**2

    # At the lower end the integral is 0, or minus infinity where p = -v; it grows with v0.
    low = v / size if v > 0 else max(1e-3, -u * v / size * (1 + 1e-9))
    if excess(low) >= 0:
        return low * size
    high = 2.0
    while excess(high) < 0:
        high *= 2
    return brentq(excess, low, high, xtol=1e-16, rtol=1e-15) * size


def damping_coefficient(stored, v, u, rtol):
    """d [s/m] of the impact that comes by at the depth rate v with this elastic energy/mass [m2/s2].

    v0 follows from integral of w/(1 + d w) dw from v to v0 = stored with d = u/v0; with x = ln(1 + d v)
    that is stored (e^x - 1)^2/v^2 + e^x - 1 - x = u - ln(1 + u), x of the sign of v.
    """
    size, right = stored + v * v, u - np.log1p(u)
    if abs(v) < 1e-9 * np.sqrt(stored):
        return u * np.sqrt(2 * (1 / u - np.log1p(u) / u**2)) / np.sqrt(2 * stored)

    def excess(x):
        return (stored * np.expm1(x) ** 2 + v * v * (np.expm1(x) - x - right)) / size

    return np.expm1(brentq(excess, 0.0, np.log1p(u) if v > 0 else -right - 2, xtol=1e-26, rtol=rtol)) / v
