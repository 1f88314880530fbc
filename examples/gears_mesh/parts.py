"""Writes pinion.obj and wheel.obj, involute gears in millimetres, as a CAD program would export them.

Axis z, a tooth on x. Each flank has 12 points on the involute, at even angles of roll from a little below where the
other gear's tip touches it to its own tip; from there it goes straight to the root. Needs NumPy.
"""

from pathlib import Path

import numpy as np

MODULE, PRESSURE = 2.0, np.radians(20)  # mm, rad
POINTS = 12  # a flank
PLAY = 0.04  # mm by which each tooth is thinner at the pitch circle
BELOW = 0.5  # mm of the line of action below the first contact


def circles(teeth):
    """Radii of pitch, base and tip circle [mm]."""
    pitch = MODULE * teeth / 2
    return pitch, pitch * np.cos(PRESSURE), pitch + MODULE


def tooth(teeth, other):
    """Corners of the tooth on x, counter-clockwise from its root [mm]."""
    (pitch, base, tip), (far, *mate) = circles(teeth), circles(other)
    first = (pitch + far) * np.sin(PRESSURE) - np.sqrt(mate[1] ** 2 - mate[0] ** 2) - BELOW
    roll = np.linspace(first / base, np.sqrt((tip / base) ** 2 - 1), POINTS)
    root = pitch - 1.25 * MODULE
    radius = base * np.hypot(1, roll)
    half = (np.pi * MODULE / 2 - PLAY) / (2 * pitch) + np.tan(PRESSURE) - PRESSURE
    angle = half - (roll - np.arctan(roll))
    radius, angle = np.append(root, radius), np.append(angle[0], angle)
    radius, angle = np.append(radius, radius[::-1]), np.append(-angle, angle[::-1])
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def write(name, teeth, other, width):
    one = tooth(teeth, other)
    turn = 2 * np.pi * np.arange(teeth) / teeth
    c, s = np.cos(turn), np.sin(turn)
    turns = np.array([[c, -s], [s, c]]).transpose(2, 0, 1)
    outline = np.concatenate([one @ each.T for each in turns])
    count, each = len(outline), len(one)
    lines = [f"v {x:.9f} {y:.9f} {z}" for z in (-width / 2, width / 2) for x, y in outline]
    # A tooth is convex, and so is what the roots enclose.
    roots = [k * each + end for k in range(teeth) for end in (0, each - 1)]
    for face in [*np.arange(count).reshape(teeth, each).tolist(), roots]:
        lines.append("f " + " ".join(str(i + 1) for i in reversed(face)))
        lines.append("f " + " ".join(str(i + 1 + count) for i in face))
    for i in range(count):
        j = (i + 1) % count
        lines.append(f"f {i + 1} {j + 1} {j + 1 + count} {i + 1 + count}")
    (Path(__file__).parent / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write("pinion.obj", 20, 40, 12.0)
    write("wheel.obj", 40, 20, 10.0)
