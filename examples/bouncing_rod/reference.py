"""Independent solution of the rod: writes reference.csv beside this file.

Needs NumPy and SciPy. Shares no code with the FMU: a plane problem, flights in closed form, impacts by the impulse
path of Routh. Equations and symbols: README.md.
"""

import sys
import math
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parents[1]))
from shared import write  # noqa: E402

G, MASS, LENGTH, RADIUS, Z_EPS = 9.81, 1.0, 1.0, 0.02, 1e-8  # m/s2, kg, m, m, m
INERTIA = 0.0833333333333333  # kg.m2
RESTITUTION, FRICTION = 0.6, 0.3
STOP, STEP = 1.2, 0.005  # s
SIDES = {"left": -0.5 * LENGTH, "right": 0.5 * LENGTH}


def flight(y, s):
    """x, z, angle and their rates after a time s [s] without contact."""
    x, z, angle, vx, vz, rate = y
    return np.array([x + vx * s, z + vz * s - G / 2 * s * s, angle + rate * s, vx + 0 * s, vz - G * s, rate + 0 * s])


def depth(y, side):
    """How far a ball is past the gap at which its contact starts [m]."""
    return RADIUS - 2 * Z_EPS - (y[1] + SIDES[side] * np.sin(y[2]))


def arm(y, side):
    """From the centre of mass to the middle of the overlap [m]."""
    a = SIDES[side]
    return a * math.cos(y[2]), a * math.sin(y[2]) - RADIUS + Z_EPS


def impact(y, side):
    """Impulses (p_t, p_n) [N.s] and the phases of an impact."""
    rt, rn = arm(y, side)
    wtt, wtn, wnn = 1 / MASS + rn * rn / INERTIA, -rt * rn / INERTIA, 1 / MASS + rt * rt / INERTIA
    ut, un = y[3] - y[5] * rn, y[4] + y[5] * rt
    pt, pn, end, phases = 0.0, 0.0, None, []
    while end is None or pn < end:
        # Impulse of friction per normal impulse: slides one way or the other, or sticks.
        slides = math.copysign(1.0, ut if ut else wtn)
        ratio = -FRICTION * slides
        sticks = ut == 0.0 and abs(wtn) <= FRICTION * wtt
        if sticks:
            ratio = -wtn / wtt
        phases.append("sticks" if sticks else "slides to +x" if slides > 0 else "slides to -x")
        dut, dun = wtt * ratio + wtn, wtn * ratio + wnn
        left = [math.inf if end is None else end - pn]
        # Until the slip stops, and until compression ends.
        left.append(-ut / dut if ut * dut < 0 else math.inf)
        left.append(-un / dun if end is None else math.inf)
        step = min(left)
        pn, pt, un = pn + step, pt + ratio * step, un + dun * step
        ut = 0.0 if sticks or step == left[1] else ut + dut * step
        if step == left[2]:
            end, un = (1 + RESTITUTION) * pn, 0.0
            phases.append("|")
        elif step == left[0]:
            break
    return pt, pn, phases


def next_contact(y, left):
    """Time until a ball reaches the ground [s], and which."""
    found = []
    for side in SIDES:
        times = np.linspace(0, left, 20_001)
        depths = depth(flight(y, times), side)
        # The ball that has just left starts at 0.
        crossings = np.flatnonzero((depths[:-1] < 0) & (depths[1:] >= 0))
        if len(crossings):
            i = crossings[0]
            time = brentq(lambda s: depth(flight(y, s), side), times[i], times[i + 1], xtol=1e-16, rtol=1e-15)
            found.append((time, side))
    return min(found, default=(math.inf, None))


def main():
    grid = np.arange(round(STOP / STEP) + 1) * STEP
    rows = np.empty((len(grid), 6))
    time, y = 0.0, np.array([0.0, 1.0, math.pi / 4, 0.8, 0.0, 0.0])
    while True:
        step, side = next_contact(y, STOP - time)
        now = (grid >= time) & (grid <= time + step)
        rows[now] = [flight(y, t - time) for t in grid[now]]
        if time + step > STOP:
            break
        time, y = time + step, flight(y, step)
        rt, rn = arm(y, side)
        before = np.array([y[3] - y[5] * rn, y[4] + y[5] * rt])
        pt, pn, phases = impact(y, side)
        y[3:] += [pt / MASS, pn / MASS, (rt * pn - rn * pt) / INERTIA]
        after = np.array([y[3] - y[5] * rn, y[4] + y[5] * rt])
        change = (np.array([pt, pn]) @ (before + after)) / 2
        print(f"{time:.9f} s {side:5} impulse ({pt:.9f}, {pn:.9f}) N.s, {', '.join(phases)}")
        print(f"   slip {before[0]:.9f} to {after[0]:.9f} m/s, normal {before[1]:.9f} to {after[1]:.9f} m/s")
        print(f"   kinetic energy changes by {change:.9f} J")
    names = ("position[1]", "position[3]", "velocity[1]", "velocity[3]", "angular_velocity[2]")
    # A turn from x towards z is one about -y.
    rows = ((t, x, z, vx, vz, -rate) for t, (x, z, _, vx, vz, rate) in zip(grid, rows))
    write(["time", *(f"rod.{name}" for name in names)], rows)


if __name__ == "__main__":
    main()
