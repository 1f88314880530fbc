"""Quasi-static transmission error of the gears: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU. In the plane: the flanks as polylines over the tangent of the line of action,
on which overlapping material stores k/2 overlap^2 per area; the wheel turns until the gradient of that energy balances the
load. The inertia of the wheel and what the facets excite are left out.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from parts import PRESSURE, tooth  # noqa: E402
from shared import write  # noqa: E402

TEETH, CENTRES, WIDTH = (20, 40), 0.06, 0.01  # m, m
START = np.radians(184.5597)  # of the wheel
STIFFNESS, LOAD, Z_EPS = 2e13, 10.0, 1e-8  # N/m3, N.m, m
BASE = 0.04 * np.cos(PRESSURE)  # m, of the wheel
ALONG = np.array([np.sin(PRESSURE), np.cos(PRESSURE)])  # force on the wheel
ACROSS = np.array([np.cos(PRESSURE), -np.sin(PRESSURE)])


def flanks(which, angle, count):
    """Flanks nearest to the pitch point that the other gear touches: heights along the force over the tangent."""
    one = tooth(TEETH[which], TEETH[1 - which]) * 1e-3
    # Those of the pinion lead, and those of the wheel are met by them: both are on the side of positive angles.
    flank = one[len(one) // 2 :]
    facing = 0.0 if which == 0 else np.pi
    middle = round((facing - angle) / (2 * np.pi / TEETH[which]))
    for k in range(middle - count, middle + count + 1):
        a = angle + 2 * np.pi * k / TEETH[which]
        c, s = np.cos(a), np.sin(a)
        points = flank @ np.array([[c, s], [-s, c]]) + (which * CENTRES, 0)
        yield points @ ACROSS, points @ ALONG


def energy(pinion, wheel):
    total = 0.0
    for x, y in flanks(0, pinion, 1):
        for u, v in flanks(1, wheel, 1):
            # Up the pinion's flank is down the wheel's.
            x1, y1, x2, y2 = (np.array(q)[np.argsort(p)] for p, q in ((x, x), (x, y), (u, u), (u, v)))
            low, high = max(x1[0], x2[0]), min(x1[-1], x2[-1])
            if high <= low:
                continue
            t = np.union1d(x1, x2)
            t = np.concatenate(([low], t[(t > low) & (t < high)], [high]))
            upper, lower = np.interp(t, x1, y1), np.interp(t, x2, y2)
            depth = upper - lower - Z_EPS
            if not 0 < depth.max() < 1e-3:
                continue
            # Linear from a to b over each piece; of one that ends inside, the part that is left.
            long, a, b = np.diff(t), depth[:-1], depth[1:]
            with np.errstate(divide="ignore", invalid="ignore"):
                part = np.where(a * b < 0, np.maximum(a, b) / np.abs(b - a), (a + b) > 0)
            a, b = np.maximum(a, 0), np.maximum(b, 0)
            slope = np.diff(upper + lower) / long / 2
            # The depth is measured along the force, not along the normal.
            squares = long * part * (a * a + a * b + b * b) / 3 / np.sqrt(1 + slope**2)
            total += STIFFNESS / 2 * WIDTH * squares.sum()
    return total


def late(pinion, load, step=1e-7):
    """How far the wheel stays behind [rad] while the pinion has this angle."""
    even = START - pinion / 2

    def excess(angle):
        up, down = energy(pinion, even + angle + step), energy(pinion, even + angle - step)
        return (up - down) / (2 * step) - load

    return brentq(excess, -3e-4, 8e-4, xtol=1e-12)


if __name__ == "__main__":
    times = np.arange(1001) * 0.001
    # A tooth passes in 50 ms; the load rises within the first 10 ms.
    tooth_passes = [late(2 * np.pi * t, LOAD) for t in times[:50]]
    start = [late(2 * np.pi * t, 0.1 + (LOAD - 0.1) * t / 0.01) for t in times[:10]]
    behind = np.array([start[k] if k < 10 else tooth_passes[k % 50] for k in range(len(times))])
    error = np.array(tooth_passes) * BASE
    print(f"transmission error {error.mean():.4e} m, from {error.min():.4e} m to {error.max():.4e} m")
    write(["time", "bearing.angle"], zip(times, behind - np.pi * times), digits=12)
