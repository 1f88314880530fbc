"""Independent solution of the two-stage rocket: writes reference.csv beside this file.

Needs no package. Shares no code with the FMU: closed forms of the motion of both centres of mass, piece by
piece between the corners of the thrusts and the separation. Equations and symbols: README.md.
"""

import csv
from math import cos, inf, radians, sin
from pathlib import Path

G = (0.0, 0.0, -9.81)  # m/s2
MASSES = (900.0, 300.0)  # kg
SLANT, ROLL = radians(20.0), 0.5  # rad, rad/s
AXIS = (sin(SLANT), 0.0, cos(SLANT))
SEPARATION, IMPULSE = 12.05, 450.0  # s, N.s
HEIGHT, OFFSET = 4.0, 6.0  # m, of the first stage and from its centre to that of the second
THRUSTS = (  # s, N
    ((0.0, 0.5, 10.0, 10.5), (0.0, 21000.0, 21000.0, 0.0)),
    ((14.0, 14.5, 24.0, 24.5), (0.0, 5400.0, 5400.0, 0.0)),
)
STOP, STEP = 25.0, 0.1  # s
CORNERS = sorted({0.0, SEPARATION, *THRUSTS[0][0], *THRUSTS[1][0]})


def thrust(stage, time):
    times, forces = THRUSTS[stage]
    for (t0, f0), (t1, f1) in zip(zip(times, forces), zip(times[1:], forces[1:])):
        if t0 <= time <= t1:
            return f0 + (f1 - f0) * (time - t0) / (t1 - t0)
    return 0.0


def along_axis(stage, time):
    """Force along the axis on what moves with a stage [N], and its mass [kg]."""
    if time < SEPARATION:
        return thrust(0, time) + thrust(1, time), sum(MASSES)
    return thrust(stage, time), MASSES[stage]


def piece(place, speed, t, force, slope, mass):
    """With the force F0 + s t along the axis, v grows by g t + (F0 t + s t^2/2)/m, r by
    v0 t + g t^2/2 + (F0 t^2/2 + s t^3/6)/m."""
    gained = (force * t + slope * t**2 / 2) / mass
    gone = (force * t**2 / 2 + slope * t**3 / 6) / mass
    r = [p + v * t + g * t**2 / 2 + a * gone for p, v, g, a in zip(place, speed, G, AXIS)]
    v = [v + g * t + a * gained for v, g, a in zip(speed, G, AXIS)]
    return r, v


def motion(stage, grid):
    """Place and velocity of the centre of a stage at ascending times."""
    place = [OFFSET * a * stage for a in AXIS]
    place[2] += HEIGHT
    speed = [0.0, 0.0, 0.0]
    rows = []
    for begin, end in zip(CORNERS, CORNERS[1:] + [inf]):
        if begin == SEPARATION:
            jump = (-IMPULSE / MASSES[0], IMPULSE / MASSES[1])[stage]
            speed = [v + a * jump for v, a in zip(speed, AXIS)]
        length = min(end, STOP) - begin
        # The force at a corner is that of both sides.
        force, mass = along_axis(stage, begin)
        slope = (along_axis(stage, begin + 0.5 * length)[0] - force) / (0.5 * length)
        rows += [sum(piece(place, speed, t - begin, force, slope, mass), []) for t in grid if begin <= t < end]
        if end < inf:
            place, speed = piece(place, speed, length, force, slope, mass)
    return rows


def orientation(time):
    """The slant about y, then the roll about the axis of the rocket: (w, x, y, z)."""
    (cs, ss), (cr, sr) = [(cos(a / 2), sin(a / 2)) for a in (SLANT, ROLL * time)]
    return [cs * cr, ss * sr, ss * cr, cs * sr]


def main():
    grid = [i * STEP for i in range(round(STOP / STEP) + 1)]
    first, second = motion(0, grid), motion(1, grid)
    with open(Path(__file__).parent / "reference.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        names = [f"first.{what}[{i}]" for what in ("position", "velocity") for i in (1, 2, 3)]
        others = [name.replace("first", "second") for name in names]
        turns = [f"first.orientation[{i}]" for i in (1, 2, 3, 4)]
        out.writerow(["time"] + names + others + turns)
        for time, one, two in zip(grid, first, second):
            out.writerow([f"{value:.15g}" for value in (time, *one, *two, *orientation(time))])
    for name, rows in (("first", first), ("second", second)):
        for index in (100, 120, 121, 250):
            print(name, f"at {grid[index]:.1f} s", rows[index])


if __name__ == "__main__":
    main()
